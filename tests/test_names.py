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


_OF_SCIPY = """
import sys
import numpy as np
import s2s

def spread(x):
    return np.nanstd(x) + np.convolve(x, x)[2]

def smoothed(x):
    from scipy.signal import savgol_filter
    return savgol_filter(x, 3, 1)

def pdf(x):
    import scipy.stats as st
    return st.norm(1.0, 2.0).pdf(x) + st.gumbel_r.logpdf(x, 0.5)

TABLE = "s2s.transforms.read.composed.scipy_table"
x = np.array([1.0, 2.5, -0.5, 3.0])
assert np.allclose(s2s.jit(spread, target="numpy")(x), spread(x))
assert TABLE not in sys.modules
for f in {order}:
    assert np.allclose(s2s.jit(f, target="numpy")(x), f(x))
    assert TABLE in sys.modules
"""


@pytest.mark.parametrize("order", ["(smoothed, pdf)", "(pdf, smoothed)"])
def test_what_functions_of_scipy_are_made_of_comes_with_scipy(order, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(_OF_SCIPY.replace("{order}", order), encoding="utf-8")
    subprocess.run([sys.executable, str(program)], check=True)


def test_entries_that_come_later(monkeypatch):
    library = types.ModuleType("later_library.special")
    library.f, library.g, made = lambda x: x, lambda x: x, []
    table = Table({"later_library.special.f": 1}, later=(("later_library.special",), lambda: made.append(1) or {"later_library.special.g": 2}))
    assert library.g not in table
    assert not made
    monkeypatch.setitem(sys.modules, "later_library.special", library)
    assert (table[library.f], table[library.g], made) == (1, 2, [1])
    assert table.entries == {"later_library.special.f": 1, "later_library.special.g": 2}
    assert len(Table({}, later=(("not_loaded",), lambda: {"not_loaded.f": 1}))) == 1


_SCALE = 2.5


def test_parameters_may_be_called_as_locals_of_the_entry():
    """`h0`, `a1`: what the module's own check of its arguments calls hidden inputs and arguments."""
    def f(h0, a1, h1, a0):
        return h0 * _SCALE + a1 * h1 - a0

    assert s2s.jit(f, target="numpy")(2.0, 3.0, 4.0, 5.0) == s2s.jit(f, target="numpy")(2.0, 3.0, a0=5.0, h1=4.0) == f(2.0, 3.0, 4.0, 5.0)
