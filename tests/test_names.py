"""Tables by qualified name: functions are found by what they are, libraries are looked at when they are there and never imported."""
import contextlib
import pkgutil
import subprocess
import sys
import types

import numpy as np
import pytest

import s2s
import s2s.experimental.ode
import s2s.numpy
import s2s.ops
from s2s.transforms.read.calls.builtin_functions import BUILTINS
from s2s.transforms.read.calls.transformations import HANDLERS
from s2s.transforms.read.composed.table import COMPOSED
from s2s.transforms.read.names import Rules, Table, resolved, short
from s2s.transforms.read.numpy.table import NUMPY_FUNCTIONS, UPDATES

NEWER = {name for name, version in {"itertools.batched": (3, 12), "copy.replace": (3, 13)}.items() if sys.version_info < version}
"""What this Python does not have."""


@pytest.mark.parametrize("table", [NUMPY_FUNCTIONS, UPDATES, BUILTINS, COMPOSED, HANDLERS])
def test_every_name_that_is_there_leads_to_the_entry(table):
    for name in table.entries.keys() - NEWER:
        with contextlib.suppress(ImportError, AttributeError):
            pkgutil.resolve_name(name)  # imports what it goes through
        if "scipy" in name.split("."):  # SciPy's own, and those of s2s.scipy
            pytest.importorskip(name[: name.index(".", name.index("scipy") + len("scipy."))])
        assert table[resolved(name)] is table[resolved(table.name_of(resolved(name)))]


def test_names_are_not_asked_of_the_object():
    def sum(a):  # noqa: A001
        return a[0]

    assert sum not in NUMPY_FUNCTIONS
    x = np.array([1.0, 2.0])
    assert s2s.jit(lambda x: sum(x), target="numpy")(x) == 1.0


def test_of_several_names_a_function_has_its_own():
    assert NUMPY_FUNCTIONS.name_of(np.concatenate) == "numpy.concatenate"
    assert NUMPY_FUNCTIONS.name_of(np.add.reduce) == "numpy.add.reduce"
    assert NUMPY_FUNCTIONS.name_of([]) is None


def test_a_library_is_looked_at_when_it_is_loaded(monkeypatch):
    library = types.ModuleType("a_library.special")
    library.f = lambda x: x
    made = []
    table, rules = Table({"a_library.special.f": 1}), Rules({"a_library.special.f": lambda function: made.append(function) or 2})
    assert library.f not in table
    monkeypatch.setitem(sys.modules, "a_library.special", library)
    assert table[library.f] == 1
    assert rules[library.f] == rules[library.f] == 2
    assert made == [library.f]
    with pytest.raises(LookupError):
        resolved("a_library.other.f")


def test_short_names():
    assert [short(name) for name in ("numpy.linalg.norm", "builtins.len", "scipy.special.erf")] == ["np.linalg.norm", "len", "scipy.special.erf"]


def test_scipy_is_not_imported(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("""
import sys
import numpy as np
import s2s

def f(x):
    return np.sum(np.tanh(x)) + np.cov(x)

s2s.grad(s2s.jit(f, target="numpy"))(np.ones(2))
assert "scipy.special" not in sys.modules
""")
    subprocess.run([sys.executable, str(program)], check=True)


_SCALE = 2.5


def test_parameters_may_be_called_as_locals_of_the_entry():
    """`h0`, `a1`: what the module's own check of its arguments calls hidden inputs and arguments."""
    def f(h0, a1, h1, a0):
        return h0 * _SCALE + a1 * h1 - a0

    assert s2s.jit(f, target="numpy")(2.0, 3.0, 4.0, 5.0) == s2s.jit(f, target="numpy")(2.0, 3.0, a0=5.0, h1=4.0) == f(2.0, 3.0, 4.0, 5.0)
