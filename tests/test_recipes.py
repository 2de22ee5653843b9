"""The recipes of docs/recipes.md, each made in a copy of the project, and what they add used."""
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "recipes.md"
BLOCK = re.compile(r"^`(?P<path>[\w/]+\.py)`\n\n```python\n(?P<text>.*?)^```", re.MULTILINE | re.DOTALL)
FILES = {
    "A function of one element, of NumPy, `math` or SciPy": ["transforms/primitives/special.py", "transforms/read/numpy/special.py"],
    "A function that is made of others": ["transforms/read/composed/calculus.py", "transforms/read/composed/table.py"],
    "A linear row with its own transpose": ["transforms/primitives/special.py"],
    "A row that moves elements": ["transforms/primitives/indexing.py"],
    "A transformation": ["transforms/derivatives/slope.py", "s2s/calls/transformations.py"],
    "A target": ["codegen/targets/plain/__init__.py", "codegen/targets/plain/pipeline.py"],
}
"""What each recipe touches: the costs of a change, which may only shrink."""
PROGRAM = """
import sys
import numpy as np
import scipy.special
import s2s
from s2s.cli import emit
from s2s.transforms.primitives.page import page
from s2s.transforms.primitives.special import halved
from s2s.transforms.primitives.indexing import mirrored
from s2s.transforms.primitives.table import TABLE
from s2s.transforms.ir.interpret import interpret
from s2s.transforms.ir.program import Function
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.simplify.written_out import rows_written_out
from s2s.codegen.emit import emit_kernels, prepared
from s2s.types import FLOAT64, SIZE, Array, Var
from s2s.errors import NOWHERE
from s2s.transforms.read.numpy.special import SPECIAL, special

assert s2s.__file__.startswith(sys.argv[1]), s2s.__file__
x = np.array([0.5, -0.5, 2.0])


def probability(x):
    return scipy.special._ufuncs._log1pmx(x)


def sums(x):
    return np.cumulative_sum(x, include_initial=True)


def too_deep(x):
    return np.cumulative_sum(x)


def cube(y: float):
    return y**3


def curve(y):
    return s2s.slope(s2s.slope(cube))(y)


for target in ("numpy", "plain"):
    np.testing.assert_allclose(s2s.jit(probability, target=target)(x), probability(x), rtol=1e-15)
    np.testing.assert_array_equal(s2s.jit(sums, target=target)(x), sums(x))
s2s.check_grads(probability, (x,), order=2)
s2s.check_grads(sums, (x,), order=2)
assert "`log1pmx`" in page() and "`halved`" in page() and halved in TABLE
try:
    s2s.jit(too_deep, target="numpy")(np.ones((2, 2)))
except ValueError as error:
    assert "``axis`` argument is required" in str(error), error
    assert "program.py" in str(error) and "composed" not in str(error), error
else:
    raise AssertionError("not refused")
n = Var("n", SIZE)
v = Var("v", Array(FLOAT64, (n,)))
builder = new_builder()
(out,) = builder.equation(mirrored, (v,))
function = Function("turned", (v,), builder.block(out), NOWHERE, "", None, derived=False)
np.testing.assert_array_equal(interpret(rows_written_out(function), x)[0], x[::-1])
for target in ("numpy", "cpu"):
    text = emit_kernels(prepared(function, target), name="_kernel", target=target).text
    assert "mirrored" not in text.split("def ")[1] and ("::-1" in text or "n - i - 1" in text), text
assert s2s.slope(cube)(2.0) == 12.0
assert s2s.jit(curve, target="plain")(2.0) == 12.0
assert "Slope of cube" in s2s.slope(cube).source(2.0)
(targets, transforms) = ([param.type.choices for param in emit.params if param.name == name][0] for name in ("target", "transforms"))
assert "plain" in targets and "slope" in transforms
"""


def recipes():
    for section in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]:
        title, _, rest = section.partition("\n")
        yield title, [(found["path"], found["text"]) for found in BLOCK.finditer(rest)]


@pytest.fixture(scope="module")
def changed(tmp_path_factory):
    """A copy of the project in which all recipes have been followed."""
    folder = tmp_path_factory.mktemp("project")
    for name in ("s2s", "transforms", "codegen", "cli.py"):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    for _, blocks in recipes():
        for path, text in blocks:
            file = folder / path
            file.parent.mkdir(exist_ok=True)
            before = file.read_text(encoding="utf-8") + "\n\n" if file.exists() else ""
            file.write_text(before + text, encoding="utf-8")
    return folder


def test_each_recipe_touches_these_files():
    assert {title: [path for path, _ in blocks] for title, blocks in recipes()} == FILES


def test_recipes(changed, tmp_path, monkeypatch):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(changed))
    monkeypatch.setenv("S2S_CACHE_DIR", str(tmp_path / "cache"))
    done = subprocess.run([sys.executable, str(program), str(changed)], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-4000:]
