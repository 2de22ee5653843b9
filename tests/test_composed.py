"""Functions composed of others: right as the plain NumPy that they are, right as they are read, everything in them at the user's line."""
from __future__ import annotations

import ast
import importlib
import inspect
import itertools
import pkgutil
import re
from types import FunctionType

import numpy as np
import pytest
import scipy.linalg
import scipy.ndimage
import scipy.signal
import scipy.special
from agreement import quietly

import s2s
import s2s.transforms.read.composed as composed_modules
from s2s.own_text import text_of
from s2s.transforms.read.calls import composed
from s2s.transforms.read.composed.bases import BASES
from s2s.transforms.read.composed.cosines import COSINES
from s2s.transforms.read.composed.distribution_moments import MOMENTS
from s2s.transforms.read.composed.fourier import FOURIER
from s2s.transforms.read.composed.harmonics import HARMONICS
from s2s.transforms.read.composed.matrix_distributions import MATRICES
from s2s.transforms.read.composed.matrix_functions import MATRIX_FUNCTIONS
from s2s.transforms.read.composed.orthogonal import ORTHOGONAL
from s2s.transforms.read.composed.python_math import OF_INTS
from s2s.transforms.read.composed.scipy_table import DISTRIBUTIONS, FORMS, STANDARDIZED
from s2s.transforms.read.composed.sequence_tables import TABLES
from s2s.transforms.read.composed.table import CALLING, COMPOSED, OF_NUMPY
from s2s.transforms.read.composed.ufunc_methods import METHODS
from s2s.transforms.read.composed.vector_distributions import VECTORS
from s2s.transforms.read.installed import NUMPY_2_5
from s2s.transforms.read.names import resolved

RNG = np.random.default_rng(0)
A, B = RNG.normal(size=(3, 5)), RNG.normal(size=(3, 5))
Z = A + 1j * B
MISSING = np.where(A > 0.3, np.nan, A)
W = A[0, :3]
LONG = np.cos(np.arange(20) ** 1.5)
SYMMETRIC = (A[:, :3] + A[:, :3].T) * (1 - np.eye(3))
CASES = {
    "numpy.mean": [(A,), (A, 0), (A, (0, 1)), (np.arange(4),), (A.astype(np.float32), 1), (Z, 0), (A[:, :0] > 0, 0), (A, 0, np.float32), (A, 1, None, None, True)],
    "numpy.var": [(A,), (A, 0), (np.arange(4),), (A.astype(np.float32), 1), (Z, 0), (A, 0, None, None, 1), (A[:, :1], 1), (A[0], None, None, None, 9)],
    "numpy.std": [(A,), (A, 0), (np.arange(4),), (A.astype(np.float32), 1), (Z, 0), (A, 0, None, None, 1), (A[:, :1], 1), (A, 1, None, None, 0, True)],
    "numpy.nanmean": [(MISSING,), (MISSING, 1), (np.arange(3),), (MISSING.astype(np.float32), 0)],
    "numpy.nanvar": [(MISSING,), (MISSING, 0), (np.arange(3),), (MISSING, 0, None, None, 1), (Z, 1)],
    "numpy.nanstd": [(MISSING,), (MISSING, 0), (MISSING, None, None, None, 1), (MISSING[:, :1], 1)],
    "numpy.cross": [(W, B[0, :3]), (A[:, :3], B[:, :3]), (A[:, :3], W), (Z[:, :3], W), (A[:, :3], B[:, :3], 0, 0, 0), (A[:, :3], B[:, :3], -1, -1, -1, 0)],
    "numpy.convolve": [(A[0], W), (A[0], W, "same"), (A[0], W[:2], "same"), (A[0], W, "valid"), (np.arange(5), np.array([1, 0, -1]), "valid"), (np.arange(3), np.arange(3)), (Z[0], W)],
    "numpy.correlate": [(A[0], W), (A[0], W, "full"), (Z[0], Z[1, :3], "full"), (A[0], Z[1, :2], "same")],
    "numpy.cov": [(A,), (A[0],), (A, B), (A, B, False), (A, None, True, True), (Z,), (A[0], B[0]), (np.arange(4),)],
    "numpy.corrcoef": [(A,), (A, B), (A[0], B[0]), (A, None, False), (Z,)],
    "numpy.nansum": [(MISSING,), (MISSING, 0), (np.arange(3),), (MISSING, (0, 1)), (MISSING.astype(np.float32), 1)],
    "numpy.nanprod": [(MISSING,), (MISSING, 0), (np.arange(3),)], "numpy.nancumsum": [(MISSING,), (MISSING, 0)], "numpy.nancumprod": [(MISSING,), (MISSING, 1)],
    "numpy.nanmax": [(MISSING,), (MISSING, 0), (np.arange(3),), (MISSING * np.nan, 1)], "numpy.nanmin": [(MISSING,), (MISSING, 0), (MISSING.astype(np.float32), -1)],
    "numpy.gradient": [(A[0],), (A,), (A, 0.5), (A, 0.5, 2.0), (A[0], abs(B[0]).cumsum()), (A, abs(B[:, 0]).cumsum(), 0.1), (np.arange(5) ** 2,), (A[0].astype(np.float32),), (Z[0], 2.0)],
    "numpy.trapezoid": [(A,), (A, None, 0.1), (A, None, 2.0, 0), (A[0], B[0]), (A, B), (A, B[:, 0], 1.0, 0), (np.arange(4),)],
    "numpy.ediff1d": [(A,), (A[0], np.array([1.0])), (A[0], 2.0, np.array([1.0, 2.0])), (np.arange(4),)],
    "numpy.unwrap": [(A[0] * 9,), (A * 9, 4.0), (A * 9, None, 0), (A[0].astype(np.float32) * 9,)],
    "numpy.linalg.cond": [(A,), (A[:, :3],), (A[:, :3], 1), (A[:, :3], -2), (A[:, :3], np.inf), (A[:, :3], "fro"), (np.stack([A[:, :3], B[:, :3]]), 2), (np.ones((2, 2)),)],
    "numpy.linalg.matrix_rank": [(A,), (np.ones((3, 3)),), (A, 0.1), (np.stack([A, B]),)],
    "numpy.linalg.lstsq": [(A.T, B[0]), (A.T, B[:2].T), (A[:, :3], B[:, 0]), (A, B[:, 0]), (np.ones((4, 2)), np.arange(4.0))],
    "numpy.linalg.tensorsolve": [(np.append(A, B).reshape(2, 3, 5)[:, :, :3].repeat(2, 2) + np.eye(6).reshape(2, 3, 6), A[:2, :3])], "numpy.linalg.tensorinv": [(A[:, :3].reshape(3, 3), 1)],
    "scipy.linalg.lu_factor": [(A[:, 1:4],), (A[:, :3].T,), (Z[:, :3],)], "scipy.linalg.lu_solve": [((A[:, :3], np.array([2, 1, 2], np.int32)), B[:, 0]), ((A[:, :3], np.array([1, 2, 2], np.int32)), B, 1)],
    "scipy.linalg.expm": [(A[:, :3],), (9 * A[:, :3],), (Z[:, :3],), (np.zeros((2, 2)),), (np.stack([A[:, :3], B[:, :3]]),), (np.eye(2, dtype=int),)],
    "scipy.linalg.sqrtm": [(A @ A.T + np.eye(3),), (np.eye(3) + 0.3 * A[:, :3],), (np.eye(3) + 0.2 * Z[:, :3],)],
    "scipy.linalg.block_diag": [(A, B), (A[0], A), (A,), (A, np.arange(3))], "scipy.linalg.toeplitz": [(A[0],), (A[0], B[1, :3]), (Z[0],), (np.arange(4),)],
    "scipy.linalg.hankel": [(A[0],), (A[0], B[1, :3])], "scipy.linalg.circulant": [(A[0],), (np.arange(3),), (Z[0],)], "scipy.linalg.lstsq": [(A.T, B[:2].T), (A, B[:, :2], 1e-10), (A.T, B[0]), (A, B[:, 0])],
    "scipy.signal.convolve": [(A[0], B[0, :3]), (A[0], B[0, :2], "same"), (A[0], B[0, :3], "valid"), (A[0, :2], B[0], "same"), (Z[0], A[1]), (A, B[:2, :3]), (A, B[:2, :3], "same"), (A, B[:2, :2], "valid")],
    "scipy.signal.fftconvolve": [(A, B[:2, :3]), (A, B[:2, :3], "same"), (A, B[:2, :3], "valid"), (A[0], B[0, :3]), (Z, A[:2])], "scipy.signal.convolve2d": [*[(A, B[:n, :m], mode, edge, 1.5) for n, m, mode in ((2, 3, "full"), (3, 2, "same"), (2, 2, "valid")) for edge in ("fill", "wrap", "symm")], (A, B[:2, :3]), (A, B[:2, :3], "same"), (A, B[:2, :3], "valid"), (A[:2, :2], B, "valid"), (np.arange(6).reshape(2, 3), np.arange(4).reshape(2, 2))],
    "scipy.signal.correlate": [(A, B[:2, :3]), (A[0], B[0, :3], "same"), (Z, Z[:2], "valid")],
    "scipy.ndimage.correlate": [(A, B[:2, :3]), (A, B[:, :2], None, "constant", 1.5), (A, B[:2, :2], None, "wrap"), (A[0], B[0, :3], None, "mirror"), (A.astype(np.float32), B[:2, :3], None, "nearest")],
    "scipy.ndimage.convolve": [(A, B[:2, :3]), (A, B[:, :2], None, "constant", 1.5), (A, B[:2, :2], None, "wrap")], "scipy.ndimage.uniform_filter1d": [(A, 3), (A, 2, 0)], "scipy.ndimage.uniform_filter": [(A,), (A, (2, 3)), (A, 2, None, "wrap")],
    "scipy.signal.oaconvolve": [(A[0], B[1]), (A, B[:2, :3], "same")], "scipy.signal.correlate2d": [(A, B[:2, :3]), *[(A, B[:n, :m], mode, edge, 1.5) for n, m, mode in ((2, 3, "full"), (3, 2, "same"), (2, 2, "valid")) for edge in ("fill", "wrap", "symm")]], "scipy.signal.wiener": [(A, 3), (A[0],), (A, (1, 3), 0.2)],
    "scipy.signal.correlation_lags": [(n, m, mode) for n in (4, 5) for m in (2, 5, 6) for mode in ("full", "same", "valid")],
    "scipy.ndimage.laplace": [(A,), (A, None, "constant", 1.0)], "scipy.ndimage.sobel": [(A,), (A, 0)], "scipy.ndimage.prewitt": [(A,), (A, 0, None, "nearest")],
    "scipy.signal.lfilter": [(A[0, :3], B[1, :2], B[0]), (A[0, :2], np.array([1.0, 0.3, 0.2, 0.1]), B, 0), (A[0, :2], B[1, :1], B), (A[0, :3], B[1, :2], B, 0, A[:2]), (A[0, :3], B[1, :1], B[0], -1, A[1, :2]), (A[0, :1], B[1, :1], B[0], -1, A[1, :0])],
    "scipy.signal.lfilter_zi": [(A[0, :3], np.array([1.0, -0.4])), (A[0, :1], np.array([2.0, -0.4, 0.1])), (A[0, :2], np.array([2.0]))],
    "scipy.signal.filtfilt": [*((A[0, :n], np.array([1.0, -0.3, 0.1][:m]), x, axis, "odd", None, "gust", after) for n, m, x, axis, after in ((2, 2, LONG, -1, None), (1, 3, LONG, -1, 6), (3, 1, np.stack([LONG, LONG[::-1] ** 2]), 1, 7), (2, 3, A.T, 0, None), (1, 1, A, 0, 3), (3, 2, LONG.astype(np.float32), -1, 99))), (A[0, :2], np.array([1.0, -0.3]), LONG), (A[0, :2], np.array([1.0, -0.3]), LONG, -1, "even"), (A[0, :2], np.array([2.0, 0.3, 0.1]), LONG, -1, "constant", 3), (A[0], np.array([1.0]), LONG, 0, None), (A[0, :2], np.array([1.0, -0.3]), LONG.reshape(10, 2), 0, "odd", 0)],
    "scipy.signal.savgol_filter": [(A, 5, 2), (LONG, 4, 2), (LONG, 5, 3, 1, 0.5), (B, 3, 1, 0, 1.0, 0), (LONG, 5, 2, 0, 1.0, -1, "nearest"), (A[0], 3, 1, 0, 1.0, 0, "constant", 2.0), (A[0], 1, 0), (np.arange(8), 3, 2)],
    "scipy.signal.detrend": [(A,), (A, 0), (LONG, -1, "constant"), (A[:, :1],), (np.arange(4) ** 2,)],
    **{f"scipy.spatial.distance.{name}": [(first, *more) for more in ((), ("sqeuclidean",), ("cityblock",), ("chebyshev",), ("minkowski",), ("cosine",), ("correlation",), ("canberra",), ("braycurtis",), ("e",))] for name, first in (("pdist", A),)},
    "scipy.spatial.distance.cdist": [(A, B + 1.0), (A, B[:2], "sqeuclidean"), (A, B, "cityblock"), (A.astype(np.float32), B, "cosine"), (A[:0], B), (A[:, :0], B[:, :0], "cityblock"), (np.round(A), np.round(B), "hamming"), (abs(A), abs(B), "jensenshannon"), (A, B, "seuclidean")],
    "scipy.spatial.distance.squareform": [(A[0, :3],), (SYMMETRIC,), (SYMMETRIC, "tovector", False), (A[0, :0],), (A[0, :1], "tomatrix"), (np.arange(6),)],
    "scipy.ndimage.correlate1d": [(A[0], B[0, :3]), (A, B[0, :4], 0, None, "mirror"), (A, B[0, :3], 1, None, "wrap"), (A, B[0], -1, None, "constant", 1.5), (A, B[0], 0, None, "nearest")],
    "scipy.ndimage.convolve1d": [(A[0], B[0, :3]), (A, B[0, :4], 0), (A, B[0, :3], 1, None, "nearest"), (A.astype(np.float32), B[0, :2])],
    "scipy.ndimage.gaussian_filter1d": [(A[0], 0.8), (A, 2.5, 0), (A, 0.5, 1, 0, None, "wrap")],
    "scipy.ndimage.gaussian_filter": [(A, 0.7), (A, (0.5, 1.0), 0, None, "constant"), (A.astype(np.float32), 0.5), (A[0], 1.5)],
    "scipy.special.factorial": [(abs(A),), (np.arange(-1, 6),), (3,), (A[0].astype(np.float32) + 3,), (MISSING,)],
    "scipy.special.comb": [(abs(A) + 4, abs(B)), (np.arange(-1, 5), 2), (np.arange(4), np.arange(4)[::-1].copy()), (7, 3)],
    "scipy.special.perm": [(abs(A) + 4, abs(B)), (np.arange(-1, 5), 2), (7, 3)],
    "scipy.special.multigammaln": [(abs(A) + 2, 3), (abs(A[0]) + 1, 1), (2.5, 2)], "scipy.special.polygamma": [(np.arange(5), abs(A[0]) + 0.1), (0, abs(A)), (3, abs(A[0])), (np.array([0.0, 0.5, 2.0, 1.3, np.inf]), abs(A[0]) + 0.1), (np.arange(5.0, dtype=np.float32), abs(A[0]).astype(np.float32))],
    "scipy.special.zeta": [(abs(A) + 1.1, abs(B)), (np.arange(4), 2.5), (3, abs(A))],
    **{f"scipy.special.{name}": [(2, abs(A)), (0, abs(A), 1), (abs(B), abs(A), 2), (1.5, abs(A[0]), 0)] for name in ("jvp", "yvp", "ivp", "kvp", "h1vp", "h2vp")},
    **{f"scipy.special.spherical_{name}": [(2, A), (np.arange(5), A[0], True), (np.arange(5), -1.5), (0, abs(A), True), *([(2, A.astype(np.float32))] if name == "kn" else [(np.array([0.5, 1.0, 2.0, 3.7, 0.0]), A[0])])] for name in ("jn", "yn", "in", "kn")},
    "scipy.special.lambertw": [(abs(A),), (A, -1), (A[0], np.arange(-2, 3)), (0.3, 1, 1e-6), (A + 1j,)],
    "scipy.special.sph_harm_y": [(5, -3, A, 0.5 * A), (np.array([0, 1, 4, 9, 3]), np.array([0, -1, 2, -7, 5]), A, 0.3), (40, 17, A, A)], "scipy.special.sph_legendre_p": [(6, 2, A), (3, -1, A), (2, 3, A), (4, 0, 0.7)],
    "scipy.special.legendre_p": [(4, A), (0, A), (np.arange(5), A)], "scipy.special.assoc_legendre_p": [(5, 2, np.sin(A)), (5, -3, np.cos(A)), (1, 2, np.sin(A))],
    "scipy.special.sph_harm_y_all": [(3, 2, A, 0.5 * A), (2, 3, A[0], 0.4), (0, 0, 0.3, 0.2)], "scipy.special.sph_legendre_p_all": [(3, 2, A), (2, -1, 0.7)],
    "scipy.special.legendre_p_all": [(4, A), (0, A), (3, 0.4)], "scipy.special.assoc_legendre_p_all": [(3, 2, np.sin(A)), (1, 2, 0.3)],
    "scipy.special.assoc_laguerre": [(A, 2), (A, np.arange(5), 1.5), (0.3, 3, 1)], "scipy.special.softplus": [(A,), (A.astype(np.float32),), (3,)],
    "scipy.special.diric": [(A, 3), (A, 4), (np.array([0.0, 2 * np.pi, -4 * np.pi, 1.0]), 4), (A, -1), (A, 2.5), (np.arange(3), 5)],
    "scipy.special.factorial2": [(7,), (np.arange(-2, 9),), (-1,)], "scipy.special.factorialk": [(9, 3), (np.arange(-1, 12), 4)],
    "scipy.special.logsumexp": [(A,), (A, 1), (A, (0, 1)), (A, 0, abs(B)), (A, -1, None, True), (A, None, None, True), (A.astype(np.float32), 1), (np.arange(3),),
                                (np.array([-np.inf, -np.inf]),), (np.array([np.inf, 1.0]),), (np.array([np.nan, 1.0]),), (A[0], 0, np.array([1.0, 0.0, 2.0, 0.5, 0.0])), (A, 1, A[::-1].copy(), True, True), (A, (0, 1), None, False, True), (A + 1j * A[::-1], 0),
                                (A + 1j, 1, A * 1j, False, True), (A > 0, 0, np.arange(5)), (np.arange(4, dtype=np.int8), None, np.float32(2))],
    "scipy.special.softmax": [(A,), (A, 1), (A, (0, 1)), (A[0],), (np.arange(3),)],
    "scipy.special.log_softmax": [(A,), (A, 1), (A[0],), (A.astype(np.float32), 0)],
}  # fmt: skip
"""Arguments by position."""
EACH = [(name, args) for name, cases in CASES.items() for args in cases]


def test_every_composed_function_is_tested():
    others = {*DISTRIBUTIONS, *STANDARDIZED, *CALLING.entries, *FOURIER, *COSINES, *METHODS, *OF_NUMPY}  # test_distributions.py, test_fourier.py, test_lax_control_flow.py, test_ufunc_methods.py, test_rest_of_numpy.py, and math's: test_special.py; of complex numbers: test_complex.py
    others |= {name for name in COMPOSED.entries if name.startswith(("scipy.integrate.", "scipy.interpolate.", "numpy.polynomial."))}  # test_integration.py, test_series.py
    others |= {*FORMS, *MOMENTS, *MATRIX_FUNCTIONS, *BASES, *VECTORS, *MATRICES, *ORTHOGONAL, *OF_INTS, *TABLES, "numpy.ndarray.tolist", "numpy.ndarray.view", "numpy.ndarray.partition"}  # test_scipy_forms.py, test_distribution_moments.py, test_matrix_functions.py, test_vector_distributions.py, test_special.py, test_numpy_arguments.py, test_walk_of_numpy.py
    assert set(CASES) == {name for name in COMPOSED.entries if not name.startswith(("math.", "cmath."))} - others


@pytest.mark.parametrize("name", [name for name in CASES if name != "scipy.linalg.sqrtm" and name not in HARMONICS])  # SciPy's has two deprecated parameters more; takes *args
def test_signatures_are_the_library_s(name):
    own, library = (inspect.signature(function).parameters for function in (COMPOSED.entries[name], resolved(name)))
    assert [(each.name, each.kind, each.default) for each in own.values()] == [(each.name, each.kind, each.default) for each in library.values() if each.name in own or each.name not in GONE]


GONE = {"bias", "ddof"}
"""Parameters that corrcoef has until NumPy 2.3."""


def same(found, wanted):
    if isinstance(wanted, int):
        assert (type(found), found) == (type(wanted), wanted)
        return
    if isinstance(wanted, tuple):
        for one, other in zip(found, wanted, strict=True):
            same(one, other)
        return
    assert type(found) is type(wanted)
    assert found.dtype == wanted.dtype
    np.testing.assert_allclose(found, wanted, rtol=1e-5 if found.dtype.itemsize == 4 else 1e-12, atol=1e-14)


@pytest.mark.parametrize(("name", "args"), EACH)
def test_called_as_it_stands(name, args):
    same(quietly(COMPOSED.entries[name], *args), quietly(resolved(name), *args))


@pytest.mark.parametrize(("name", "args"), [(name, args) for name, args in EACH if name != "scipy.linalg.lu_solve"])
def test_read(name, args):
    function = resolved(name)
    known = tuple(k for k, arg in enumerate(args) if not isinstance(arg, np.ndarray))
    f = s2s.jit(lambda a, b=None, c=None, d=None, e=None, f=None, g=None, h=None: function(*(a, b, c, d, e, f, g, h)[: len(args)]), static_argnums=known, target="numpy")
    same(quietly(f, *args), quietly(function, *args))


BY_THE_SECOND = ("scipy.special.polygamma", "scipy.special.zeta", *(f"scipy.special.{name}" for name in ("jvp", "yvp", "ivp", "kvp", "h1vp", "h2vp", "spherical_jn", "spherical_yn", "spherical_in", "spherical_kn")))
OF_INTEGERS = ("numpy.linalg.matrix_rank", "scipy.linalg.lu_solve", "scipy.signal.filtfilt", "scipy.signal.correlation_lags", "scipy.special.factorial2", "scipy.special.factorialk")


@pytest.mark.parametrize("name", [name for name in CASES if name not in OF_INTEGERS])
def test_derivatives(name):
    function = resolved(name)
    args = tuple(np.where(np.isnan(arg), np.linspace(-0.3, 0.3, arg.size).reshape(arg.shape), arg) if isinstance(arg, np.ndarray) and arg.dtype.kind == "f" else arg for arg in CASES[name][0])
    if name in BY_THE_SECOND:
        s2s.check_grads(s2s.jit(lambda x: function(args[0], x), target="numpy"), args[1:2], order=2, modes=("fwd", "rev"))
    elif name in HARMONICS:
        before = 1 if name.endswith((".legendre_p", ".legendre_p_all")) else 2
        s2s.check_grads(s2s.jit(lambda *x: function(*args[:before], *x), target="numpy"), args[before:], order=2, modes=("fwd", "rev"))
    else:
        s2s.check_grads(s2s.jit(lambda x: function(x, *args[1:]), target="numpy"), args[:1], order=2, modes=("fwd", "rev"))


@pytest.mark.parametrize("trans", [0, 1, 2])
def test_factored_once_solved_often(trans):
    def f(a, b):
        factors = scipy.linalg.lu_factor(a)
        return scipy.linalg.lu_solve(factors, b, trans=trans), scipy.linalg.lu_solve(factors, b[0], trans=trans)

    for a in (A[:, 1:4], Z[:, :3]):
        same(s2s.jit(f, target="numpy")(a, B[:, :3]), f(a, B[:, :3]))
        s2s.check_grads(s2s.jit(f, target="numpy"), (a, B[:, :3]), order=2, modes=("fwd", "rev"))


def test_compiled():
    def f(x, y):
        return np.cov(x, y), np.corrcoef(x), scipy.special.logsumexp(x, axis=1), scipy.special.softmax(x, axis=0)

    same(s2s.jit(f)(A, B), f(A, B))


def test_the_gradient_of_logsumexp_is_softmax():
    grad = s2s.grad(s2s.jit(lambda x: scipy.special.logsumexp(x), target="numpy"))  # noqa: PLW0108
    np.testing.assert_allclose(grad(A), scipy.special.softmax(A), rtol=1e-14)
    assert "stop" not in grad.source(A)
    assert grad.source(A).count("np.max(") == 1


# ---- places ------------------------------------------------------------------------------------------------------------------


def spread(x):
    y = x * 2.0
    return np.cov(y)


def test_everything_is_at_the_call():
    program = s2s.jit(spread, target="numpy").program(A)
    first = spread.__code__.co_firstlineno
    assert len(program.body.nodes) > 5
    assert {(node.where.file, node.where.line) for node in program.body.nodes} <= {(__file__, first + 1), (__file__, first + 2)}


def test_filters_without_a_steady_state():
    with pytest.raises(ValueError) as wanted:
        scipy.signal.lfilter_zi(np.array([1.0]), np.array([1.0, -2.0, 1.0]))
    with pytest.raises(wanted.type, match=re.escape(str(wanted.value))):
        s2s.jit(lambda b, a: scipy.signal.lfilter_zi(b, a), target="numpy")(np.array([1.0]), np.array([1.0, -2.0, 1.0]))


def test_errors_are_at_the_call():
    def too_deep(x):
        return np.cov(x)

    with pytest.raises(ValueError, match="m has more than 2 dimensions") as error:
        s2s.jit(too_deep, target="numpy")(np.ones((2, 2, 2)))
    assert isinstance(error.value, s2s.ArgumentValueError)
    assert f"test_composed.py:{too_deep.__code__.co_firstlineno + 1}" in str(error.value)


def test_errors_of_a_run_are_at_the_call():
    def together(x, y):
        return np.sum(x) + np.sum(np.cov(x, y))

    with pytest.raises(ValueError, match="all the input array dimensions") as error:
        s2s.jit(together, target="numpy")(A, B[:, 1:])
    assert str(error.traceback[-1].path) == __file__
    assert error.traceback[-1].lineno == together.__code__.co_firstlineno


def test_refusals_are_at_the_call():
    def nearly(x):
        return np.nanvar(x, dtype=complex)

    with pytest.raises(s2s.UnsupportedError, match=r"np.nanvar\(…, dtype=complex128\) of complex numbers is not supported") as error:
        s2s.jit(nearly, target="numpy")(Z)
    assert f"test_composed.py:{nearly.__code__.co_firstlineno + 1}" in str(error.value)
    assert "composed/" not in str(error.value)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_real_if_close_of_complex_numbers_goes_by_their_values(target):
    def nearly(z, tol):
        close = np.real_if_close(z, tol)
        return close, np.real_if_close(2.0 * z), np.sum(np.abs(close))

    run = s2s.jit(nearly, target=target)
    for z in (np.array([1.0 + 0j, 2.0]), np.array([1j, 2.0]), np.array([1.0 + 1e-15j]), np.array([1.0 + 1e-9j]), np.array([1.0 + 1e-6j], np.complex64), np.array([[3.0 - 0j]]), np.zeros(0, complex), np.array([np.nan * 1j])):
        for tol in (100, 1e-8, 1e12):
            for found, wanted in zip(run(z, tol), nearly(z, tol), strict=True):
                assert found.dtype == wanted.dtype
                np.testing.assert_allclose(found, wanted, rtol=1e-6)
    z = np.array([1.0 + 2e-16j, 2.0])
    np.testing.assert_allclose(s2s.grad(lambda x: nearly(x * z, 100)[2])(np.array([1.0, -3.0])), [1.0, -2.0])

    def stored(z):
        real = np.real_if_close(z)
        real[0] = 5.0
        return z

    for z in (np.array([1.0 + 0j, 2.0]), np.array([1j, 2.0])):
        np.testing.assert_array_equal(s2s.jit(stored, target=target)(z.copy()), stored(z.copy()))


def test_arguments_that_numpy_does_not_take():
    with pytest.raises(TypeError, match="unexpected keyword argument 'weights'"):
        s2s.jit(lambda x: np.cov(x, weights=x), target="numpy")(A)
    with pytest.raises(s2s.UnsupportedError, match=r"np.cov\(…, rowvar=…\) with a value that is known only at run time"):
        s2s.jit(lambda x, y: np.cov(x, rowvar=y > 0.0), target="numpy")(A, 1.0)


def test_out_is_stored():
    def f(x, y):
        scipy.special.softmax(x, axis=1)
        y[...] = scipy.special.softmax(x, axis=1)
        return np.sum(y)

    y = np.zeros_like(A)
    s2s.jit(f, target="numpy")(A, y)
    np.testing.assert_allclose(y, scipy.special.softmax(A, axis=1))


def test_a_source_is_parsed_once(monkeypatch):
    parsed = []
    original = composed.own_tree
    composed._tree.cache_clear()
    monkeypatch.setattr(composed, "own_tree", lambda function: parsed.append(function) or original(function))
    for k in range(3):
        s2s.jit(lambda x, k=k: np.cov(x) + k, target="numpy").program(A)
    assert len(parsed) == len(set(parsed))


@pytest.mark.parametrize("module", [info.name for info in pkgutil.iter_modules(composed_modules.__path__)])
def test_sources_are_whole(module):
    """A function's own text reaches as far as its instructions do."""
    found = importlib.import_module(f"{composed_modules.__name__}.{module}")
    defs = {node.name: node for node in ast.parse(inspect.getsource(found)).body if isinstance(node, ast.FunctionDef)}
    for name, node in defs.items():
        function = inspect.unwrap(vars(found).get(name))
        if isinstance(function, FunctionType) and function.__module__ == found.__name__ and function.__qualname__ == name:
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            assert len(text_of(function).splitlines()) == node.end_lineno - first + 1, name


# ---- what a check says -----------------------------------------------------------------------------------------------------


def ends(x):
    n = x.shape[0]
    if n < 2 or n > 1000:
        raise ValueError("between 2 and 1000 elements")
    return x[1:2] - x[n - 2:n - 1]


def test_a_check_that_is_passed_says_what_sizes_are():
    f = s2s.jit(ends, target="numpy")
    assert f.source(A[0]).count("        raise ValueError") == 1
    for n in (2, 3, 1000):
        x = np.arange(float(n)) ** 2
        np.testing.assert_array_equal(f(x), ends(x))
    for n in (0, 1, 1001):
        with pytest.raises(ValueError, match="between 2 and 1000"):
            f(np.ones(n))


def test_what_a_branch_knows_stays_in_it():
    def f(x, flag):
        n = x.shape[0]
        if flag:
            if n < 3:
                raise ValueError("too short")
            return x[2:3] + x[:1]
        return x[2:3] + x[2:3]

    for n, flag in ((5, True), (5, False), (2, False), (1, False)):
        x = np.arange(float(n))
        np.testing.assert_array_equal(s2s.jit(f, target="numpy")(x, flag), f(x, flag))
    with pytest.raises(ValueError, match="too short"):
        s2s.jit(f, target="numpy")(np.ones(2), True)


# ---- what is known of sizes --------------------------------------------------------------------------------------------------


def test_counts_that_are_not_zero_prove_the_first_and_the_last_element():
    def f(x):
        if x.shape[0] == 0:
            raise ValueError("none")
        return x[0] + x[-1]

    assert "IndexError" not in s2s.jit(f).source(A[0])
    with pytest.raises(ValueError, match="none"):
        s2s.jit(f, target="numpy")(np.ones(0))


def test_sizes_that_are_equal_are_compared_while_reading():
    def f(x):
        y = np.arange(x.shape[0]) * x
        return y if y.shape[0] + 1 == len(x) + 1 else x

    text = s2s.jit(f, target="numpy").source(A[0])
    assert "raise ValueError" not in text
    assert "if n ==" not in text
    np.testing.assert_array_equal(s2s.jit(f, target="numpy")(A[0]), f(A[0]))


def test_composed_methods():
    def f(x):
        return x.mean(), x.var(axis=0, ddof=1), x.std(1)

    same(s2s.jit(f, target="numpy")(A), f(A))
    assert "found" not in s2s.jit(f, target="numpy").source(A)


@pytest.mark.parametrize("origin", [-1, 0, 1])
def test_origins_of_filters(origin):
    f = s2s.jit(lambda a, b: (scipy.ndimage.correlate1d(a, b, origin=origin), scipy.ndimage.convolve1d(a, b, 0, origin=origin)), target="numpy")
    same(f(A, B[0, :3]), (scipy.ndimage.correlate1d(A, B[0, :3], origin=origin), scipy.ndimage.convolve1d(A, B[0, :3], 0, origin=origin)))


def test_complex_weights_are_refused():
    with pytest.raises(s2s.UnsupportedError, match="correlate1d with complex weights"):
        s2s.jit(lambda a, b: scipy.ndimage.correlate1d(a, b), target="numpy")(A, Z[0])  # noqa: PLW0108


@pytest.mark.filterwarnings("ignore:divide by zero")
@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (2, 3)])
def test_logsumexp_of_nothing(target, shape):
    def f(a):
        found, sign = scipy.special.logsumexp(a, axis=0, return_sign=True)
        return found, sign, scipy.special.logsumexp(a, axis=-1, keepdims=True), scipy.special.logsumexp(a[:0], axis=0, b=2.0 * a[:0]), scipy.special.logsumexp(a[a > 9.0])

    for dtype in (np.float64, np.float32):
        a = np.random.default_rng(3).normal(size=shape).astype(dtype)
        for found, wanted in zip(s2s.jit(f, target=target)(a), f(a), strict=True):
            assert (type(found), found.dtype, found.shape) == (type(wanted), wanted.dtype, wanted.shape)
            np.testing.assert_allclose(found, wanted, rtol=1e-6)


@pytest.mark.parametrize("b", [np.array([1, 2, 3], np.int32), 2, 2.0, np.array([1, 2, 3], np.float32), np.array([0.1, 0.2, 0.3])])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
def test_logsumexp_computes_in_the_common_type_of_both(dtype, b):
    def f(a, b):
        return scipy.special.logsumexp(a, b=b)

    a = (3 * np.random.default_rng(3).normal(size=3)).astype(dtype)
    found, wanted = s2s.jit(f, target="numpy")(a, b), f(a, b)
    assert found.dtype == wanted.dtype
    np.testing.assert_allclose(found, wanted, rtol=1e-6 if wanted.dtype == np.float32 else 1e-13)


@pytest.mark.parametrize("x", [np.zeros((2, 2)), np.ones((3, 3)), np.array([[0.0, 1.0], [0.0, 0.0]]), np.diag([-1.0, 2.0]), np.diag([-1.0, 1.0])])
def test_sqrtm_of_a_singular_matrix_is_refused(x):
    with pytest.raises(NotImplementedError, match="scipy.linalg.sqrtm of a real matrix with eigenvalues that are negative or 0"):
        s2s.jit(lambda a: scipy.linalg.sqrtm(a), target="numpy")(x)


def test_distances_of_what_is_no_distribution_are_infinite():
    """Jensen's and Shannon's, of rows of zeros and of negative numbers; their slope is 0."""
    rows = np.array([[0.0, 0.0], [1.0, 2.0], [3.0, 4.0], [-1.0, 2.0], [-1.0, 1.0], [0.0, 3.0]])

    def between(x):
        return scipy.spatial.distance.cdist(x, x, "jensenshannon"), scipy.spatial.distance.pdist(x, "jensenshannon")

    for found, wanted in zip(s2s.jit(between, target="numpy")(rows), between(rows), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-14, atol=1e-15)
    slope = s2s.grad(s2s.jit(lambda x: np.sum(scipy.spatial.distance.pdist(x, "jensenshannon")[[0, 5, 11]]), target="numpy"))(rows)
    assert np.isfinite(slope).all() and not slope[[0, 3]].any()


@pytest.mark.parametrize(("metric", "words"), [("euclidean", {}), ("euclidean", {"w": np.array([0.5, 2.0])}), ("minkowski", {"p": 3}), ("seuclidean", {"V": np.array([0.5, 2.0])}), ("mahalanobis", {"VI": np.eye(2) + 0.5})])
def test_distances_of_points_and_themselves_have_slopes_of_0(metric, words):
    points, step = np.array([[0.5, -1.0], [2.0, 0.25], [-0.75, 1.5]]), np.array([[0.3, -0.2], [1.0, 0.4], [-0.6, 0.7]])

    def total(x):
        return np.sum(scipy.spatial.distance.cdist(x, x, metric, **words) * np.arange(9.0).reshape(3, 3))

    run, h = s2s.jit(total, target="numpy"), 1e-6
    np.testing.assert_allclose(run(points), total(points), rtol=1e-13)
    tangent = s2s.jvp(run, (points,), (step,))[1]
    np.testing.assert_allclose(np.sum(s2s.grad(run)(points) * step), tangent, rtol=1e-12)
    np.testing.assert_allclose(tangent, (total(points + h * step) - total(points - h * step)) / (2 * h), rtol=1e-6)


@pytest.mark.parametrize("function", [np.sum, np.nansum])
def test_the_sum_of_a_negative_zero_is_zero(function):
    for zero in (-0.0, np.float32(-0.0), np.array(-0.0), np.array([-0.0])):
        assert not np.signbit(s2s.jit(lambda x: function(x), target="numpy")(zero))


@pytest.mark.parametrize("function", [np.convolve, np.correlate], ids=lambda function: function.__name__)
@pytest.mark.parametrize("mode", ["full", "same", "valid"])
def test_either_of_two_vectors_may_be_the_longer_one(function, mode):
    compiled, rng = s2s.jit(lambda a, v: function(a, v, mode), target="numpy"), np.random.default_rng(0)
    for m, n in itertools.product((1, 2, 3, 4, 7), repeat=2):
        for a, v in ((rng.random(m), rng.random(n)), (rng.random(m) + 1j, rng.random(n) * 2j), (rng.integers(0, 9, m), rng.integers(0, 9, n))):
            found, wanted = compiled(a, v), function(a, v, mode)
            assert found.dtype == wanted.dtype
            np.testing.assert_allclose(found, wanted, rtol=1e-14)
    s2s.check_grads(lambda a, v: function(a, v, mode), (rng.random(3), rng.random(6)), order=2)


@pytest.mark.filterwarnings("ignore:Arrays of 2-dimensional vectors")
def test_cross_products_in_a_plane():
    """The length of the vectors decides how many axes there are: the call knows it. NumPy's own takes them until 2.4."""
    cross, rng = s2s.jit(lambda a, b: np.cross(a, b), target="numpy"), np.random.default_rng(0)
    for m, n in itertools.product((2, 3), repeat=2):
        a, b = rng.random((4, m)), rng.random((4, n))
        wanted = np.cross(*(np.concatenate((each, np.zeros((4, 3 - each.shape[1]))), axis=1) for each in (a, b)))
        np.testing.assert_allclose(cross(a, b), wanted[:, 2] if m == n == 2 else wanted, rtol=1e-15)
        if m == n == 3 or not NUMPY_2_5:  # by differences of NumPy's own
            s2s.check_grads(lambda a, b: np.cross(a, b), (a, b), order=2)
    with pytest.raises(ValueError, match="dimension must be 2 or 3"):
        cross(np.ones(4), np.ones(4))


def test_correlate_of_a_scalar_is_numpys_error():
    with pytest.raises(ValueError, match="object of too small depth for desired array"):
        s2s.jit(lambda x: np.correlate(x, 2.5), target="numpy")(A[0])


@pytest.mark.parametrize("x", [np.array([2.0, 3.0]), np.array([2.0, 3.0], np.float32), np.array(4.0), 5.0])
def test_convolve_with_a_scalar(x):
    found, wanted = s2s.jit(lambda x: np.convolve(x, 2.5), target="numpy")(x), np.convolve(x, 2.5)
    assert found.dtype == wanted.dtype
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("function", [
    lambda x: np.expand_dims(np.squeeze(x), 0), lambda x: x.reshape(()).reshape(1), lambda x: np.squeeze(x)[None, None], lambda x: np.atleast_1d(np.squeeze(x)),
])  # fmt: skip
def test_axes_of_an_array_that_lost_all(function):
    x = np.array([[2.5]])
    found, wanted = s2s.jit(function, target="numpy")(x), function(x)
    assert found.shape == wanted.shape
    np.testing.assert_array_equal(found, wanted)
    assert np.shares_memory(found, x) == np.shares_memory(wanted, x)
