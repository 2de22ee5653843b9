"""NumPy's sets, histograms, polynomials, choices, stores and small functions, composed in plain NumPy: called as they stand, as they are read, and differentiated."""
from __future__ import annotations

import inspect

import numpy as np
import pytest
from test_composed import quietly, same

import s2s
from s2s.transforms.read.composed.choices import STORES
from s2s.transforms.read.composed.table import COMPOSED, OF_NUMPY
from s2s.transforms.read.installed import NUMPY_2_5
from s2s.transforms.read.names import resolved

RNG = np.random.default_rng(0)
A, B = RNG.normal(size=(3, 5)), RNG.normal(size=(3, 5))
V, W = A[0], B[1]
N, M = RNG.integers(-6, 7, size=12), RNG.integers(-4, 9, size=7)
S = A.astype(np.float32)
MISSING = np.where(A > 0.3, np.nan, A)
EMPTY = V[:0]
BYTES = RNG.integers(0, 256, size=(2, 3)).astype(np.uint8)
NANS = np.array([np.nan, 1.0, np.nan, 1.0, -0.0, 0.0])
ODD = np.array([1.5, -2.75, 0.0, -0.0, np.inf, -np.inf, np.nan, 5e-324, -3e-310, 1e300, 2.0**-1022, 0.5, 1.0, 1024.0])
PAIRS = (RNG.uniform(-1, 1, 30), RNG.uniform(0, 2, 30))
CASES = {
    "numpy.unique": [(N,), (A,), (N, True), (N, False, True), (N, True, True, True), (NANS,), (NANS, False, False, True), (EMPTY,), (EMPTY, True, True, True), (N.reshape(3, 4), False, True), (N > 0,), (S[0], False, False, True)],
    "numpy.union1d": [(N, M), (A, B[0]), (EMPTY, V)], "numpy.setxor1d": [(N, M), (V, A), (EMPTY, EMPTY)], "numpy.setdiff1d": [(N, M), (V, W), (V, A), (N, M, True), (V, EMPTY)],
    "numpy.intersect1d": [(N, M), (V, A), (N, M, False, True), (EMPTY, V)], "numpy.isin": [(N, M), (A, V), (N.reshape(3, 4), M, False, True), (V, EMPTY), (N, [1, 2]), (NANS, NANS), (A + 1j, V + 1j, False, True), (V, [V[0] + 0j, 1j]), (V + 1j, EMPTY)],
    "numpy.histogram": [(V,), (A, 4), (V, 3, (-1.0, 1.0)), (V, np.array([-1.0, 0.0, 0.3, 2.0])), (V, 3, None, True), (V, 4, None, None, W), (N, 5), (EMPTY, 3), (np.ones(4), 2), (S[0], 4), (V, 3, None, None, np.arange(5))],
    "numpy.histogram_bin_edges": [(V,), (A, 4), (V, 3, (-1.0, 1.0)), (V, np.array([-1.0, 0.0, 2.0])), (N, 5)],
    "numpy.histogram2d": [(M.astype(np.float16), N[:7]), (N[:7].astype(np.int8), M), PAIRS, (*PAIRS, 3), (*PAIRS, (2, 4)), (*PAIRS, (np.array([-1.0, 0.0, 1.0]), 3), None, True), (*PAIRS, 2, [[-1, 1], [0, 1]]), (*PAIRS, 3, None, None, PAIRS[0])],
    "numpy.histogramdd": [(A[:, :3],), (A[:, :3], 2), (A[:, :2], (2, 3), None, True), (A[:, :1],)],
    "numpy.polyadd": [(V, W[:2]), (N, M), (1.5, W), (S[0], W)], "numpy.polysub": [(V, W[:2]), (M, N), (V, V)], "numpy.polymul": [(V, W[:2]), (np.array([0.0, 0.0, 1.0, 2.0]), W), (M, N), (np.zeros(3), W)],
    "numpy.polyder": [(V,), (V, 2), (M, 1), (V[:1],), (V, 0)], "numpy.polyint": [(V,), (V, 2), (V, 2, np.array([1.0, 2.0])), (M, 1, 3.0), (V, 0)],
    "numpy.polydiv": [(V, W[:2]), (V, W[:1]), (W[:2], V), (np.array([1.0, -3.0, 2.0]), np.array([1.0, -1.0]))], "numpy.poly": [(V,), (M,), (S[0],)],
    "numpy.polyfit": [(V, W, 1), (V, W, 2), (V, B.T, 1), (V, W, 1, None, False, abs(A[1])), (V, W, 1, None, False, None, True), (V, W, 1, None, False, None, "unscaled"), (M, N[:7], 2)],
    "numpy.trim_zeros": [(np.array([0.0, 0.0, 1.0, 0.0, 2.0, 0.0]),), (np.array([0, 1, 0]), "f"), (np.array([0, 1, 0]), "b"), (np.zeros(3),), (V,)],
    "numpy.choose": [(np.array([0, 1, 1]), [[1.0, 2.0, 3.0], (4, 5, 6)]), (np.array([0, 1, 2, 0, 1]), A), (np.array([[0], [2]]), [V, W, 3.0]), (np.array([0, 5, -1, 0, 1]), A, None, "clip"), (np.array([0, 5, -1, 0, 1]), A, None, "wrap"), (np.array([0, 3, 0, 0, 0]), A), (np.array([4, 4, 1]), [np.zeros((0, 3)), np.arange(3.0)])],
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
    "numpy.isneginf": [(ODD,), (A,)], "numpy.isposinf": [(ODD,)], "numpy.iscomplex": [(A + 1j * B,), (A + 0j,), (A,)], "numpy.isreal": [(A + 1j * B,), (A + 0j,), (A,), (N,), (2.5,), (1j,)], "numpy.real_if_close": [(A,), (N,), (A + 1j * B,), (A + 0j,)],
    "numpy.gcd": [(N, 12), (N[:7], M), (np.array([12, 0, -8]), np.array([[18], [0]])), (np.arange(5, dtype=np.int32), np.int32(6)), (V, 2)], "numpy.lcm": [(N, 12), (N[:7], M), (np.array([0, 4]), 6)],
    "numpy.diagflat": [(A[:2, :2],), (V, 1), (V, -2)], "numpy.diag_indices_from": [(A[:, :3],), (A,)], "numpy.dsplit": [(A.reshape(1, 3, 5), [2]), (N.reshape(1, 3, 4), 2), (A, 2)],
    "numpy.geomspace": [(1.0, 1000.0, 4), (1, 256, 9), (-1.0, -100.0, 3), (1.0, 8.0, 3, False), (2.0, 5.0, 1), (np.array([1.0, 2.0]), np.array([4.0, 8.0]), 3), (1.0, 0.0)],
    "numpy.asarray_chkfinite": [(A,), (MISSING,), (N,)], "numpy.astype": [(A, np.float32), (N, np.float64)],
    "numpy.nanargmax": [(MISSING,), (MISSING, 0), (MISSING, 1), (N,)], "numpy.nanargmin": [(MISSING,), (MISSING, 1), (N,)],
    "numpy.nanmedian": [(MISSING,), (MISSING, 0), (MISSING, 1), (N,), (MISSING * np.nan, 1), (MISSING, (0, 1)), (MISSING.astype(np.float32), 0), (MISSING, 1, None, False, True)],
    "numpy.nanquantile": [(MISSING, 0.3), (MISSING, 0.7, 0), (MISSING, np.array([0.1, 0.5, 1.0]), 1), (N, 0.25), (MISSING, 0.0)],
    "numpy.nanpercentile": [(MISSING, 30), (MISSING, 70.0, 0), (MISSING, np.array([10, 50, 100]), 1), (A, 25)],
    "numpy.cumulative_sum": [(V,), (N,), (N > 0,), (A,), (2.5,), (EMPTY,)], "numpy.cumulative_prod": [(V,), (S[0],), (A,)],
    "numpy.matvec": [(A, V), (A, B), (A[None], V), (V, V), (N.reshape(3, 4), M[:4]), (A + 1j * B, V)], "numpy.vecmat": [(V, B.T), (V + 1j * W, B.T), (A, B), (V, W), (A[:, None, :], B.T)],
    "numpy.unique_all": [(N,), (A,), (NANS,), (EMPTY,)], "numpy.unique_counts": [(N,), (NANS,)], "numpy.unique_inverse": [(N.reshape(3, 4),), (NANS,)], "numpy.unique_values": [(np.array([1.0]),), (EMPTY,)],
    "numpy.array_equal": [(A, A), (A, A + 0.5), (A, A[:1]), (A, V), (NANS, NANS, True), (NANS, NANS), (N, N), (2.5, 2.5), (np.ones(1), np.ones(3))],
    "numpy.array_equiv": [(A, A[:1]), (A, V), (np.ones((2, 3)), np.ones(3)), (np.ones((2, 3)), np.ones(2)), (np.ones((2, 3)), 1.0), (N, N)], "numpy.iterable": [(A,), (2.5,), ([1.0],)],
    "numpy.i0": [(A,), (N,), (9 * A,), (2.5,), (S,), (A + 1j,)], "numpy.kaiser": [(1, 2.0), (7, 0.0), (8, 14.0), (0, 1.0)], "numpy.spacing": [(ODD,), (S,), (N,), (2.5,), (-1e300,)],
    "numpy.sort_complex": [(A,), (S[0],), (N,), (V + 1j * W,), ((V + 1j * W).astype(np.complex64),)], "numpy.roots": [(V + 1j * W,), (np.array([0, 0, 2.0, 1j, 0]),), (np.array([1.0, 2j]),), (A,)],
    "numpy.pad": [(V, 2), (A, ((1, 2), (0, 1))), (V, (1, 2), "edge"), (V, 2, "wrap"), (V, 9, "wrap"), (A, ((1, 0), (0, 2)), "reflect"), (A, 7, "reflect"), (N, (2, 3), "symmetric"), (A, 4, "symmetric"), (V, 2, "linear_ramp"),
                  (N, (2, 1), "mean"), (A, 1, "maximum"), (A, 1, "minimum"), (S, ((2, 0), (0, 1)), "median"), (V[:1], 3, "reflect"), (EMPTY, 1, "edge"), (V, {0: (1, 2)}), (V, 1, "odd")],
    "numpy.unstack": [(A,), (V,), (N,), (np.stack([A, B]),)], "numpy.asfortranarray": [(A,), (V, np.float32), (2.5,)], "numpy.require": [(A,), (A, np.float32, ["C"]), (A, None, "F"), (A, None, ["C", "F"])],
    "numpy.bitwise_count": [(N,), (M.astype(np.int8),), (N > 0,), (abs(N).astype(np.uint64),), (np.array([-(2**63), 2**63 - 1]),), (V,), (7,)],
    "numpy.lib.stride_tricks.sliding_window_view": [(V, 3), (A, (2, 2)), (A, 2, 0), (A, 2, -1), (A, 2, 1), (A, (2, 2), (1, 1)), (V, 9), (A, 2), (V, -1), (V, (2, 2), 0), (N, (5,))],
    "numpy.lib.stride_tricks.as_strided": [(V, (2, 2), (8, 8)), (A,), (A, (2, 2, 2), (32, 8, 8)), (A, (3, 2), (0, 16)), (V, (3, 0), (8, 8)), (V, (2,), (8, 8)), (V, (-1, 2), (8, 8)), (S, (2, 2), (4, 4)), (N, (), ())],
    "numpy.packbits": [(N,), (A > 0,), (A > 0, 1), (A > 0, 0, "little"), (N % 2 == 0, -1, "little"), (EMPTY > 0,), (V,), (N, None, "both"), (N, 4), (True,)],
    "numpy.unpackbits": [(BYTES,), (BYTES, 1), (BYTES, 0, 11), (BYTES, None, -3), (BYTES, -1, 40, "little"), (BYTES, 1, -99), (BYTES, 1, 0), (N,), (BYTES[0, :0],), (np.uint8(9),)],
    "numpy.linalg.cross": [(A[:, :3], B[:, :3]), (A[:, :3].copy(), B[:, :3])], "numpy.linalg.diagonal": [(A,), (np.stack([A, B]),)], "numpy.linalg.matmul": [(A, B.T), (A, V)],
    "numpy.linalg.matrix_norm": [(A,), (np.stack([A, B]),)], "numpy.linalg.outer": [(V, W), (A, V)], "numpy.linalg.tensordot": [(A, B), (A, B.T)], "numpy.linalg.trace": [(A,), (np.stack([A, B]),)],
    **{f"numpy.lib.scimath.{name}": [(abs(A) + 0.5,), (abs(N),), (2.5,), (S[0] ** 2 + np.float32(0.1),), (A + 1j * B,), (EMPTY,)] for name in ("sqrt", "log", "log2", "log10")},
    **{f"numpy.lib.scimath.{name}": [(A / 9.0,), (0.25,), (A + 1j * B,), (np.array([1, 0]),), (EMPTY,)] for name in ("arccos", "arcsin", "arctanh")},
    "numpy.lib.scimath.logn": [(3, abs(A) + 0.5), (abs(W) + 1.5, 2.5), (A + 1j, B + 2j)], "numpy.lib.scimath.power": [(abs(A) + 0.5, 2), (abs(N) + 1, -2), (2.5, V), (A + 1j, N.reshape(3, 4)[0]), (abs(N), abs(N) % 3)],
    "numpy.linalg.vector_norm": [(A,), (V,)], "numpy.ma.filled": [(A,), (V, 2.0), (N,)], "numpy.ma.getdata": [(A,), (V, False)], "numpy.isfortran": [(A,), (A.T,), (V,), (A[:1].T,)],
}  # fmt: skip
ANY_ORDER = ("numpy.partition", "numpy.argpartition")
"""Of the partitions of an array NumPy gives another one."""
EACH = [(name, args) for name, cases in CASES.items() for args in cases]
DIFFERENTIATED = [name for name in CASES if name.split(".")[-1] not in (
    "isin intersect1d setxor1d histogram histogram2d histogram_bin_edges histogramdd bartlett blackman hamming hanning isneginf isposinf iscomplex isreal gcd lcm diag_indices_from nanargmax nanargmin choose frexp "
    "array_equal array_equiv iterable kaiser spacing roots sort_complex unique_all unique_inverse unique_counts bitwise_count unstack packbits unpackbits isfortran"
).split()]  # fmt: skip


def test_every_function_is_tested():
    assert {*CASES, *ANY_ORDER, "numpy.common_type", "numpy.broadcast"} == set(OF_NUMPY)  # np.broadcast gives an object: test_published_code.py


@pytest.mark.parametrize("name", [name for name in [*CASES, *ANY_ORDER] if "unique_" not in name])  # NumPy's say other than they do
def test_signatures_are_numpys(name):
    own = inspect.signature(COMPOSED.entries[name]).parameters
    try:
        library = inspect.signature(resolved(name)).parameters
    except ValueError:
        return
    if isinstance(resolved(name), np.ufunc):
        assert [each.name for each in own.values() if each.kind is each.POSITIONAL_ONLY] == [each.name for each in library.values() if each.kind is each.POSITIONAL_ONLY]
        return
    newer, gone = {"check_bounds", "sorted"} - {*library}, {"interpolation"} - {*own}  # since NumPy 2.5 and 2.3; until 2.3
    assert [(each.name, each.kind, each.default) for each in own.values() if each.name not in newer] == [(each.name, each.kind, each.default) for each in library.values() if each.name not in gone]


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


def test_windows_and_parts_are_of_the_array():
    def stored(x):
        windows = np.lib.stride_tricks.sliding_window_view(x, 2)
        x[0] = 1.0
        return windows.sum()

    with pytest.raises(s2s.errors.UnsupportedError, match="may or may not be the same array"):
        s2s.jit(stored, target="numpy")(V.copy())
    with pytest.raises(ValueError, match="read-only"):
        s2s.jit(lambda x: np.copyto(np.lib.stride_tricks.sliding_window_view(x, 2), 1.0), target="numpy")(V.copy())

    def checked(x, length, step):
        return np.lib.stride_tricks.as_strided(x, (length,), (step,), check_bounds=True) * 1.0

    run = s2s.jit(checked, target="numpy")
    if NUMPY_2_5:
        np.testing.assert_array_equal(run(V, 2, 16), V[:3:2])
    for length, step in ((V.size + 2, 8), (2, -8)) if NUMPY_2_5 else ():
        with pytest.raises(ValueError, match="Given shape and strides would access memory out of bounds. View (starts 8|ends 16) bytes"):
            run(V, length, step)

    def parts(x):
        first, _, last = np.unstack(x)
        first[...] = last * 2.0
        return np.sum(x**3)

    x = A.copy()
    wanted = parts(A.copy())
    assert s2s.jit(parts, target="numpy")(x) == wanted
    np.testing.assert_array_equal(x[0], 2.0 * A[2])
    found = s2s.grad(lambda x: sum(k * np.sum(row**3) for k, row in enumerate(np.unstack(x, axis=1))))(A)
    np.testing.assert_allclose(found, 3 * np.arange(5) * A**2)


def test_spaces_along_an_axis():
    for function in (np.linspace, np.logspace, np.geomspace):
        for axis in (0, 1, 2, -1):
            args = abs(A) + 0.5, abs(B) + 1.0
            found = s2s.jit(lambda a, b, function=function, axis=axis: function(a, b, 4, axis=axis), target="numpy")
            same(found(*args), function(*args, 4, axis=axis))
            s2s.check_grads(found, args, order=2)
    bases = s2s.jit(lambda x, b: (np.logspace(0.0, x, 3, base=b), np.logspace(x, 1.0, 3, base=b, axis=-1)), target="numpy")
    alike(bases(V, abs(W)), (np.logspace(0.0, V, 3, base=abs(W)), np.logspace(V, 1.0, 3, base=abs(W), axis=-1)))


def test_ends_of_a_geometric_sequence_are_the_arguments():
    for count in (1, 2):
        s2s.check_grads(s2s.jit(lambda x, y, count=count: np.geomspace(x, y, count), target="numpy"), (1.5, -0.8), order=1)


# ---- options of functions that came late ---------------------------------------------------------------------------------------

PADS = [
    (V, (2, 1), {"mode": "linear_ramp", "end_values": (1.0, -2.0)}), (A, ((1, 2), (3, 0)), {"constant_values": ((1.0, 2.0), (3.0, 4.0))}), (V, (4, 9), {"mode": "reflect", "reflect_type": "odd"}),
    (N, 3, {"mode": "mean", "stat_length": 2}), (A, 1, {"mode": "median", "stat_length": ((1, 2), (3, 9))}), (V, 1, {"mode": "wrap", "stat_length": 1}),
]


@pytest.mark.parametrize(("x", "widths", "options"), PADS)
def test_options_of_pad(x, widths, options):
    wanted, error = outcome(lambda: np.pad(x, widths, **options))
    f = s2s.jit(lambda x: np.pad(x, widths, **options), target="numpy")
    if error is not None:
        with pytest.raises(type(error)) as found:
            f(x)
        assert str(error) in str(found.value)
        return
    same(f(x), wanted)
    if x.dtype.kind == "f":
        s2s.check_grads(f, (x,), order=2)


def test_widths_that_only_the_run_knows():
    for mode in ("edge", "wrap", "reflect", "symmetric", "mean", "linear_ramp"):
        f = s2s.jit(lambda x, n, mode=mode: np.pad(x, ((n, n + 1), (0, 2)), mode=mode), target="numpy")
        for n in (0, 1, 8):
            same(f(A, n), np.pad(A, ((n, n + 1), (0, 2)), mode=mode))


def test_sums_that_begin_with_nothing():
    for function in (np.cumulative_sum, np.cumulative_prod):
        f = s2s.jit(lambda x, function=function: (function(x, axis=1, include_initial=True), function(x, axis=-2, dtype=np.float32)), target="numpy")
        alike(f(A), (function(A, axis=1, include_initial=True), function(A, axis=-2, dtype=np.float32)))
        s2s.check_grads(lambda x, function=function: function(x, axis=0, include_initial=True), (A,), order=2)


def test_kaisers_shape_has_a_derivative():
    f = s2s.jit(lambda beta: np.kaiser(6, beta), target="numpy")
    np.testing.assert_allclose(f(2.5), np.kaiser(6, 2.5), rtol=1e-14)
    s2s.check_grads(f, (2.5,), order=2)


def test_roots_move_with_the_coefficients():
    p = np.array([1.0, -2.0, 3.0, 0.5, -0.3])

    def moduli(p):
        return np.sort(np.abs(np.roots(p)))[1:]

    np.testing.assert_allclose(s2s.jit(moduli, target="numpy")(p), moduli(p), rtol=1e-13)
    s2s.check_grads(s2s.jit(moduli, target="numpy"), (p,), order=2, atol=1e-5, rtol=1e-5)
    found = s2s.jit(lambda p: np.roots(p), target="numpy")(np.array([0.0, 1.0, -3.0, 2.0]))  # noqa: PLW0108
    np.testing.assert_allclose(np.sort_complex(found), [1.0, 2.0], rtol=1e-14)


def test_kinds_of_arrays():
    f = s2s.jit(lambda x, y: (np.common_type(x, y)(2.5), np.iterable(x), np.iterable(2.0)), target="numpy")
    found = f(S, (A + 1j).astype(np.complex64))
    assert (type(found[0]), found[1:]) == (np.complex64, (True, False))
    with pytest.raises(TypeError, match="common type for non-numeric"):
        s2s.jit(lambda x: np.common_type(x)(1.0), target="numpy")(A > 0)


@pytest.mark.parametrize("x", [0.0, 2.0, np.float32(3.0), np.array(0), np.array(True)], ids=repr)
def test_places_in_a_number(x):
    found, wanted = s2s.jit(lambda x: np.argwhere(x), target="numpy")(x), np.argwhere(x)
    assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype)


def test_arguments_by_their_names_and_from_generators():
    def f(x, *arrays):
        return np.indices(len(each) for each in arrays), x * np.finfo(dtype=np.float32).eps, x * np.iinfo(int_type=np.int8).max

    same(s2s.jit(f, target="numpy")(V, A, V), f(V, A, V))


@pytest.mark.filterwarnings("ignore:overflow encountered in multiply")
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_mantissas_of_the_smallest_numbers(dtype):
    of = np.finfo(dtype)
    x = np.array([of.smallest_subnormal, 3 * of.smallest_subnormal, -of.tiny / 2, of.tiny, 1.5, of.max, 0.0, -0.0, np.inf, np.nan], dtype)
    for found, wanted in zip(s2s.jit(lambda x: np.frexp(x), target="numpy")(x), np.frexp(x), strict=True):
        np.testing.assert_array_equal(found, wanted, strict=True)
    np.testing.assert_array_equal(s2s.grad(lambda x: np.sum(np.frexp(x)[0]))(x[3:5]), [0.5 / of.tiny, 0.5])


@pytest.mark.parametrize("period", [4, np.int16(5), 2.5], ids=repr)
@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64, np.float16, np.float32])
def test_unwrapped_numbers_keep_their_dtype(dtype, period):
    x = np.array([0, 3, 1, 7, 2, 9], dtype)
    found, wanted = s2s.jit(lambda x, period: np.unwrap(x, period=period), target="numpy")(x, period), np.unwrap(x, period=period)
    assert found.dtype == wanted.dtype
    np.testing.assert_allclose(found, wanted)


def test_numbers_that_must_be_known_keep_their_class():
    """np.bool_ and np.longlong, which kernels take as others."""
    count = s2s.jit(lambda n: np.arange(n), target="numpy")
    for n in (np.bool_(True), np.longlong(3), True, 3, np.bool_(False), np.int64(2)):
        np.testing.assert_array_equal(count(n), np.arange(n), strict=True)
