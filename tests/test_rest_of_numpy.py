"""NumPy's sets, histograms, polynomials, choices, stores and small functions, composed in plain NumPy: called as they stand, as they are read, and differentiated."""
from __future__ import annotations

import inspect

import numpy as np
import pytest
from test_composed import quietly, same

import s2s
from s2s.transforms.read.composed.choices import STORES
from s2s.transforms.read.composed.table import COMPOSED, OF_NUMPY
from s2s.transforms.read.names import resolved

RNG = np.random.default_rng(0)
A, B = RNG.normal(size=(3, 5)), RNG.normal(size=(3, 5))
V, W = A[0], B[1]
N, M = RNG.integers(-6, 7, size=12), RNG.integers(-4, 9, size=7)
S = A.astype(np.float32)
MISSING = np.where(A > 0.3, np.nan, A)
EMPTY = V[:0]
NANS = np.array([np.nan, 1.0, np.nan, 1.0, -0.0, 0.0])
ODD = np.array([1.5, -2.75, 0.0, -0.0, np.inf, -np.inf, np.nan, 5e-324, -3e-310, 1e300, 2.0**-1022, 0.5, 1.0, 1024.0])
PAIRS = (RNG.uniform(-1, 1, 30), RNG.uniform(0, 2, 30))
CASES = {
    "numpy.unique": [(N,), (A,), (N, True), (N, False, True), (N, True, True, True), (NANS,), (NANS, False, False, True), (EMPTY,), (EMPTY, True, True, True), (N.reshape(3, 4), False, True), (N > 0,), (S[0], False, False, True)],
    "numpy.union1d": [(N, M), (A, B[0]), (EMPTY, V)], "numpy.setxor1d": [(N, M), (V, A), (EMPTY, EMPTY)], "numpy.setdiff1d": [(N, M), (V, W), (V, A), (N, M, True), (V, EMPTY)],
    "numpy.intersect1d": [(N, M), (V, A), (N, M, False, True), (EMPTY, V)], "numpy.isin": [(N, M), (A, V), (N.reshape(3, 4), M, False, True), (V, EMPTY), (N, [1, 2]), (NANS, NANS)],
    "numpy.histogram": [(V,), (A, 4), (V, 3, (-1.0, 1.0)), (V, np.array([-1.0, 0.0, 0.3, 2.0])), (V, 3, None, True), (V, 4, None, None, W), (N, 5), (EMPTY, 3), (np.ones(4), 2), (S[0], 4), (V, 3, None, None, np.arange(5))],
    "numpy.histogram_bin_edges": [(V,), (A, 4), (V, 3, (-1.0, 1.0)), (V, np.array([-1.0, 0.0, 2.0])), (N, 5)],
    "numpy.histogram2d": [PAIRS, (*PAIRS, 3), (*PAIRS, (2, 4)), (*PAIRS, (np.array([-1.0, 0.0, 1.0]), 3), None, True), (*PAIRS, 2, [[-1, 1], [0, 1]]), (*PAIRS, 3, None, None, PAIRS[0])],
    "numpy.histogramdd": [(A[:, :3],), (A[:, :3], 2), (A[:, :2], (2, 3), None, True), (A[:, :1],)],
    "numpy.polyadd": [(V, W[:2]), (N, M), (1.5, W), (S[0], W)], "numpy.polysub": [(V, W[:2]), (M, N), (V, V)], "numpy.polymul": [(V, W[:2]), (np.array([0.0, 0.0, 1.0, 2.0]), W), (M, N), (np.zeros(3), W)],
    "numpy.polyder": [(V,), (V, 2), (M, 1), (V[:1],), (V, 0)], "numpy.polyint": [(V,), (V, 2), (V, 2, np.array([1.0, 2.0])), (M, 1, 3.0), (V, 0)],
    "numpy.polydiv": [(V, W[:2]), (V, W[:1]), (W[:2], V), (np.array([1.0, -3.0, 2.0]), np.array([1.0, -1.0]))], "numpy.poly": [(V,), (M,), (S[0],)],
    "numpy.polyfit": [(V, W, 1), (V, W, 2), (V, B.T, 1), (V, W, 1, None, False, abs(A[1])), (V, W, 1, None, False, None, True), (V, W, 1, None, False, None, "unscaled"), (M, N[:7], 2)],
    "numpy.trim_zeros": [(np.array([0.0, 0.0, 1.0, 0.0, 2.0, 0.0]),), (np.array([0, 1, 0]), "f"), (np.array([0, 1, 0]), "b"), (np.zeros(3),), (V,)],
    "numpy.choose": [(np.array([0, 1, 2, 0, 1]), A), (np.array([[0], [2]]), [V, W, 3.0]), (np.array([0, 5, -1, 0, 1]), A, None, "clip"), (np.array([0, 5, -1, 0, 1]), A, None, "wrap"), (np.array([0, 3, 0, 0, 0]), A)],
    "numpy.extract": [(A > 0, A), (N > 2, N), ([True, False], V)], "numpy.resize": [(V, 7), (A, (2, 4)), (EMPTY, (2, 2)), (N, 3)],
    "numpy.piecewise": [(V, [V < 0, V >= 0], [-1.0, 1.0]), (V, [V < 0], [np.sin, np.cos]), (A, [A < 0, A > 1], [0.0, np.square, 2.0]), (N, [N > 0], [1.5])],
    "numpy.delete": [(V, 1), (A, 1, 1), (A, [0, 2], 0), (A, np.array([1, -1]), 1), (V, slice(1, 4)), (V, V > 0), (A, -1)],
    "numpy.insert": [(V, 1, 5.0), (A, 1, 9.0, 1), (V, [1, 3], [7.0, 8.0]), (A, 1, B[:, 0], 1), (V, -1, [1.0, 2.0]), (N, [0, 0, 3], 5), (A, [0, 2], 5.0, 1), (V, 9, 1.0)],
    "numpy.apply_along_axis": [(np.sum, 0, A), (np.sort, 1, A), (np.cumsum, 0, A), (np.mean, -1, N.reshape(2, 3, 2)), (np.diff, 1, A)],
    "numpy.apply_over_axes": [(np.sum, A, 0), (np.sum, N.reshape(2, 3, 2), (0, 2)), (np.max, A, [0, 1])],
    "numpy.place": [(A, A > 0, [1.0, 2.0]), (N, N > 0, [9]), (V, V > 9, [1.0])], "numpy.putmask": [(A, A > 0, B), (V, V > 0, [1.0, 2.0]), (N, N > 0, N**2), (V, V > 0, 3.5)],
    "numpy.put": [(A, [0, 7, -1], [1.0, 2.0]), (V, 2, 9.0), (V, [9, -9], [1.0, 2.0], "clip"), (V, [9, -9], [1.0, 2.0], "wrap"), (V, [9], 1.0)],
    "numpy.put_along_axis": [(A, np.array([[0], [2], [1]]), 9.0, 1), (A, np.array([[0, 2, 1, 0, 0]]), B[:1], 0), (V, np.array([1, 2]), 5.0, None), (A, np.array([[0], [2], [1]]), B[:, :1], -1)],
    "numpy.bartlett": [(1,), (7,), (8,), (0,)], "numpy.blackman": [(1,), (7,), (0,)], "numpy.hamming": [(1,), (7,)], "numpy.hanning": [(1,), (6,)],
    "numpy.modf": [(A,), (ODD,), (N,), (S,), (2.5,)], "numpy.frexp": [(ODD,), (A,), (S,), (N,), (np.array([1.5, -2.75, 0.0, -0.0, np.inf, np.nan, 1e-45, 3e38], np.float32),)],
    "numpy.ldexp": [(ODD, 3), (ODD, np.arange(14) * 150 - 1000), (ODD, -1060), (ODD, 2000), (S, np.array([[1], [-140], [140]])), (V, -2), (ODD, -2090), (V, V)],
    "numpy.isneginf": [(ODD,), (A,)], "numpy.isposinf": [(ODD,)], "numpy.iscomplex": [(A + 1j * B,), (A + 0j,), (A,)], "numpy.real_if_close": [(A,), (N,)],
    "numpy.gcd": [(N, 12), (N[:7], M), (np.array([12, 0, -8]), np.array([[18], [0]])), (np.arange(5, dtype=np.int32), np.int32(6)), (V, 2)], "numpy.lcm": [(N, 12), (N[:7], M), (np.array([0, 4]), 6)],
    "numpy.diagflat": [(A[:2, :2],), (V, 1), (V, -2)], "numpy.diag_indices_from": [(A[:, :3],), (A,)], "numpy.dsplit": [(A.reshape(1, 3, 5), [2]), (N.reshape(1, 3, 4), 2), (A, 2)],
    "numpy.geomspace": [(1.0, 1000.0, 4), (1, 256, 9), (-1.0, -100.0, 3), (1.0, 8.0, 3, False), (2.0, 5.0, 1), (np.array([1.0, 2.0]), np.array([4.0, 8.0]), 3), (1.0, 0.0)],
    "numpy.asarray_chkfinite": [(A,), (MISSING,), (N,)], "numpy.astype": [(A, np.float32), (N, np.float64)],
    "numpy.nanargmax": [(MISSING,), (MISSING, 0), (MISSING, 1), (N,)], "numpy.nanargmin": [(MISSING,), (MISSING, 1), (N,)],
    "numpy.nanmedian": [(MISSING,), (MISSING, 0), (MISSING, 1), (N,), (MISSING * np.nan, 1), (MISSING, (0, 1)), (MISSING.astype(np.float32), 0), (MISSING, 1, None, False, True)],
    "numpy.nanquantile": [(MISSING, 0.3), (MISSING, 0.7, 0), (MISSING, np.array([0.1, 0.5, 1.0]), 1), (N, 0.25), (MISSING, 0.0)],
    "numpy.nanpercentile": [(MISSING, 30), (MISSING, 70.0, 0), (MISSING, np.array([10, 50, 100]), 1), (A, 25)],
    "numpy.linalg.cross": [(A[:, :3], B[:, :3]), (A[:, :3].copy(), B[:, :3])], "numpy.linalg.diagonal": [(A,), (np.stack([A, B]),)], "numpy.linalg.matmul": [(A, B.T), (A, V)],
    "numpy.linalg.matrix_norm": [(A,), (np.stack([A, B]),)], "numpy.linalg.outer": [(V, W), (A, V)], "numpy.linalg.tensordot": [(A, B), (A, B.T)], "numpy.linalg.trace": [(A,), (np.stack([A, B]),)],
    "numpy.linalg.vector_norm": [(A,), (V,)],
}  # fmt: skip
ANY_ORDER = ("numpy.partition", "numpy.argpartition")
"""Of the partitions of an array NumPy gives another one."""
EACH = [(name, args) for name, cases in CASES.items() for args in cases]
DIFFERENTIATED = [name for name in CASES if name.split(".")[-1] not in (
    "isin intersect1d setxor1d histogram histogram2d histogram_bin_edges histogramdd bartlett blackman hamming hanning isneginf isposinf iscomplex gcd lcm diag_indices_from nanargmax nanargmin choose frexp"
).split()]  # fmt: skip


def test_every_function_is_tested():
    assert {*CASES, *ANY_ORDER} == set(OF_NUMPY)


@pytest.mark.parametrize("name", [*CASES, *ANY_ORDER])
def test_signatures_are_numpys(name):
    own = inspect.signature(COMPOSED.entries[name]).parameters
    try:
        library = inspect.signature(resolved(name)).parameters
    except ValueError:
        return
    if isinstance(resolved(name), np.ufunc):
        assert [each.name for each in own.values() if each.kind is each.POSITIONAL_ONLY] == [each.name for each in library.values() if each.kind is each.POSITIONAL_ONLY]
        return
    assert [(each.name, each.kind, each.default) for each in own.values()] == [(each.name, each.kind, each.default) for each in library.values()]


def applied(name, function):
    """The call; of a function that stores, what its first argument is then."""
    if name not in STORES:
        return function

    def stored(a, *args):
        a = a.copy()
        function(a, *args)
        return a

    return stored


def alike(found, wanted):
    if isinstance(wanted, (tuple, list)):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            alike(one, other)
    else:
        same(found, wanted)


def outcome(function, *args):
    try:
        return quietly(function, *args), None
    except (ValueError, TypeError, IndexError) as error:
        return None, error


@pytest.mark.parametrize(("name", "args"), EACH)
def test_called_as_it_stands_and_as_it_is_read(name, args):
    function = resolved(name)
    wanted, error = outcome(applied(name, function), *args)
    composed = applied(name, COMPOSED.entries[name])
    known = tuple(k for k, arg in enumerate(args) if not isinstance(arg, np.ndarray))
    hashable = tuple(tuple(map(tuple, arg)) if isinstance(arg, list) and arg and isinstance(arg[0], list) else arg for arg in args)
    f = s2s.jit(lambda *a: applied(name, function)(*(arg if k in known else each for k, (arg, each) in enumerate(zip(args, a, strict=True)))), target="numpy")
    given = [arg for arg in hashable]
    if error is not None:
        for each in (composed, f):
            with pytest.raises(next(kind for kind in type(error).__mro__ if kind in (ValueError, TypeError, IndexError))):
                quietly(each, *args)
        return
    alike(quietly(composed, *args), wanted)
    alike(quietly(f, *[0 if k in known else arg for k, arg in enumerate(given)]), wanted)


@pytest.mark.parametrize("name", DIFFERENTIATED)
def test_derivatives(name):
    function = applied(name, resolved(name))
    args = next(args for args in CASES[name] if isinstance(args[0], np.ndarray) and args[0].dtype == np.float64 and args[0].size or name.endswith(("geomspace", "piecewise", "apply_along_axis", "apply_over_axes", "extract")))
    place = next(k for k, arg in enumerate(args) if isinstance(arg, np.ndarray) and arg.dtype == np.float64 or isinstance(arg, float))
    args = tuple(np.where(np.isnan(arg) | np.isinf(arg) | (abs(arg) < 1e-300), np.linspace(-0.3, 0.3, arg.size).reshape(arg.shape), arg) if isinstance(arg, np.ndarray) and arg.dtype.kind == "f" else arg for arg in args)
    s2s.check_grads(s2s.jit(lambda x: function(*args[:place], x, *args[place + 1 :]), target="numpy"), (args[place],), order=2)
