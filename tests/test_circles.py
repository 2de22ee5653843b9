"""No module imports itself by way of others, imports inside functions and under TYPE_CHECKING counted.

Imports inside functions of what users import, of calls and of checks are those that save start-up time.
"""
import ast

import pytest
from test_layers import FILES, module_name

LATE = {
    ("s2s.api.custom", "s2s.transforms.derivatives"): "the rewrites",
    ("s2s.api.checks", "s2s.verification.batches"): "the rewrites behind it",
    ("s2s.api.checks", "s2s.verification.checking"): "the rewrites behind it",
    ("s2s.api.checkpoints", "s2s.calls.residuals"): "the rewrites behind it",
    ("s2s.api.shapes", "s2s.calls.shapes"): "what reads",
    ("s2s.api.jit", "s2s.stages"): "what reads",
    ("s2s.calls.background", "s2s.calls.first_kernel"): "Numba",
    ("s2s.transforms.read.composed.gamma_slopes", "s2s.transforms.primitives"): "the rows, which `import s2s` does without",
    ("s2s.transforms.read.composed.marks", "s2s.transforms.primitives"): "the rows, which `import s2s` does without",
    ("s2s.stages", "s2s.calls.first_kernel"): "Numba",
    ("s2s.lax.carries", "s2s.transforms.read.calls"): "libcst",
    ("s2s.calls.specialise", "s2s.calls.building"): "the rewrites and the code generator",
    ("s2s.calls.transformed", "s2s.calls.background"): "what starts processes",
    ("s2s.calls.transformations", "s2s.transforms.batching"): "the rewrites",
    ("s2s.calls.transformations", "s2s.transforms.checkpoints"): "the rewrites",
    ("s2s.api.jaxprs", "s2s.calls.jaxprs"): "what reads",
    ("s2s.calls.transformed", "s2s.calls.finite"): "the interpreter",
    ("s2s.calls.second_half", "s2s.calls.finite"): "the interpreter",
    ("s2s.calls.checked", "s2s.calls.looking"): "the interpreter",
    ("s2s.calls.transformations", "s2s.transforms.derivatives"): "the rewrites",
    ("s2s.codegen.modules.cache", "tempfile"): "as slow to import as the rest of the module",
    ("s2s.codegen.modules.compile", "s2s.codegen.modules.kernel_cache"): "Numba",
    ("s2s.codegen.modules.compile", "s2s.codegen.native.compiler"): "Numba",
    ("s2s.codegen.modules.compile", "s2s.codegen.runtime.halves"): "Numba",
    ("s2s.codegen.native.compiler", "s2s.codegen.native.writing"): "what writes LLVM: a kernel from the cache needs none",
    ("s2s.transforms.checkpoints.policies", "s2s.transforms.primitives"): "the table of rows",
    ("s2s.transforms.checkpoints.snapshot_sweeps", "s2s.transforms.checkpoints"): "a module that is read, not run",
    ("s2s.transforms.checkpoints.snapshot_sweeps", "s2s.transforms"): "what reads",
    ("s2s.transforms.read", "s2s.transforms.read"): "libcst",
    ("s2s.transforms.read.composed.table", "s2s.transforms.read.composed"): "what SciPy's functions are made of: a hundred modules",
    ("s2s.transforms.read.composed.python_statistics", "statistics"): "fractions and decimals; who calls it has it",
}
"""What is imported where it is needed, since `import s2s`, or a call that the cache answers, would be slow with it. Besides these: Numba and SciPy."""


@pytest.fixture(scope="module")
def trees():
    return {module_name(path): ast.parse(path.read_text(encoding="utf-8")) for path in FILES if not path.is_symlink()}


def imported(node, trees):
    for each in ast.walk(node):
        if isinstance(each, ast.Import):
            yield from (alias.name for alias in each.names)
        elif isinstance(each, ast.ImportFrom):
            names = [f"{each.module}.{alias.name}" for alias in each.names]
            yield from (name if name in trees else each.module for name in names)


def reached(start, arrows):
    found, left = set(), [start]
    while left:
        for name in arrows[left.pop()] - found:
            found.add(name)
            left.append(name)
    return found


def test_no_circles(trees):
    arrows = {name: {each for each in imported(tree, trees) if each in trees} for name, tree in trees.items()}
    assert not {name for name in trees if name in reached(name, arrows)}


def test_late_imports_are_those_that_save_time(trees):
    late = {
        (name, each)
        for name, tree in trees.items() if name != "s2s.cli"
        for function in ast.walk(tree) if isinstance(function, ast.FunctionDef)
        for each in imported(function, trees) if each.partition(".")[0] not in ("scipy", "numba", "llvmlite")
    }  # fmt: skip
    assert {(name, each if each in trees and not each.startswith("s2s.transforms.") else each.rpartition(".")[0] or each) for name, each in late} == set(LATE)
