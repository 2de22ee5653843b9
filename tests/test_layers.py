"""Lower layers never import higher ones, and nobody imports the bare names `transforms` and `codegen`."""
import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LAYERS = (
    ("s2s.errors", "s2s.tuning", "s2s.collection", "s2s.f_strings", "s2s.keeping", "s2s.not_here", "s2s.own_text", "s2s.parsed", "s2s.records"), ("s2s.types", "s2s.handles", "s2s.logs", "s2s.outside", "s2s.shape_dtype", "s2s.streams", "s2s.sparse_parts"), ("s2s.transforms.integers", "s2s.transforms.primitives.row"), ("s2s.transforms.ir.program", "s2s.transforms.ir.elements"),
    ("s2s.transforms.ir.build",), ("s2s.transforms.primitives.value",), ("s2s.transforms.primitives", "s2s.transforms.ir.staged", "s2s.callbacks", "s2s.tree_util", "s2s.tree_nodes", "s2s.containers", "s2s.tree_keys", "s2s.tree_prefixes", "s2s.host_devices", "s2s.sharding", "s2s.placement", "s2s.tree_differences", "s2s.hidden", "s2s.progress", "s2s.registry", "s2s.transformation"),
    ("s2s.transforms.ir",), ("s2s.transforms.simplify", "s2s.transforms.batching", "s2s.transforms.overflow"), ("s2s.transforms.derivatives",),
    ("s2s.transforms.read.syntax", *(f"s2s.transforms.read.{name}" for name in ("faults", "names", "values", "iterations", "callables", "installed", "composed", "unset_attributes", "known_sets"))),
    ("s2s.transforms.read.numpy", "s2s.transforms.read.doubts"), ("s2s.transforms.read.language",), ("s2s.transforms.read.state",), ("s2s.transforms.read.reader",),
    ("s2s.transforms.read.storage", *(f"s2s.transforms.read.{name}" for name in ("failures", "run_time_keys", "describing", "wrapping", "zero_dim", "numpys_words"))),
    ("s2s.transforms.read.calls.hidden", "s2s.transforms.read.calls.libraries", "s2s.transforms.read.flow.conditions", *(f"s2s.transforms.read.{name}" for name in ("bound_names", "classes", "identity", "known", "made_of"))),
    ("s2s.transforms.read.flow", "s2s.transforms.read.calls", "s2s.transforms.read.rules", "s2s.transforms.read.program_of", "s2s.transforms.read.learnt"),
    ("s2s.transforms.read.entry",), ("s2s.transforms.read.wiring",),
    ("s2s.transforms.read", "s2s.transforms.checkpoints", "s2s.transforms.loops"), ("s2s.transforms.jaxprs",), ("s2s.transforms",),
    ("s2s.codegen.runtime",), ("s2s.codegen.language",), ("s2s.codegen.lowering",), ("s2s.codegen.passes",), ("s2s.codegen.targets",),
    ("s2s.codegen.pipeline",), ("s2s.codegen.emit",), ("s2s.codegen",),
    ("s2s.calls", "s2s.checkpoint_policies"), ("s2s.stages",), ("s2s.verification",), ("s2s.api",), ("s2s",), ("s2s.cli", "s2s.__main__"),
)  # a module belongs to the longest name that fits; later layers are higher
FILES = [*sorted(path for folder in ("s2s", "transforms", "codegen") for path in (ROOT / folder).rglob("*.py")), ROOT / "cli.py"]


def module_name(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts if parts[0] == "s2s" else ("s2s", *parts)).removesuffix(".__init__")


def layer(module):
    fits = {name: rank for rank, names in enumerate(LAYERS) for name in names if module == name or module.startswith(name + ".")}
    return fits[max(fits, key=len)]


def imports(tree):
    """The modules imported, but for those under `if TYPE_CHECKING:`."""
    hidden = {id(inner) for node in ast.walk(tree) if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test) for inner in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) and id(node) not in hidden:
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and id(node) not in hidden:
            assert node.level == 0, "relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if is_module(name) else node.module for name in names)


def is_module(name):
    path = ROOT / Path(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()


@pytest.mark.parametrize("path", [path for path in FILES if not path.is_symlink()], ids=module_name)
def test_imports_only_lower_layers(path):
    name = module_name(path)
    for imported in imports(ast.parse(path.read_text(encoding="utf-8"))):
        assert imported.split(".")[0] not in {"transforms", "codegen", "cli"}, f"{name} imports the bare name {imported}"
        if imported.split(".")[0] == "s2s":
            assert layer(imported) <= layer(name), f"{name} imports {imported}, which is higher"


def test_reading_imports_nothing_slow():
    """libcst's matchers take an eighth of a second to import, more than all of s2s; SciPy's modules, each of them, are imported by who calls them."""
    script = "import sys; from s2s.transforms.read import wiring; print([name for name in sys.modules if name in ('libcst.matchers', 'numba', 'scipy.stats', 'scipy.linalg')])"
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True, cwd=ROOT)  # noqa: S603
    assert done.stdout.strip() == "[]"
