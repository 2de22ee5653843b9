"""scipy.linalg's functions of matrices and its special systems: called as they stand, as they are read, and differentiated."""
from __future__ import annotations

import inspect
import re

import numpy as np
import pytest
import scipy.linalg
from test_composed import quietly

import s2s
from s2s.transforms.read.composed.matrix_functions import MATRIX_FUNCTIONS
from s2s.transforms.read.composed.stacks import CORES, RIGHT
from s2s.transforms.read.installed import SCIPY_1_18
from s2s.transforms.read.names import resolved

RNG = np.random.default_rng(0)
A, B = RNG.normal(size=(3, 3)), RNG.normal(size=(3, 3))
Z, T = A + 1j * B, 2.0 * np.eye(3) + A
S, V = A @ A.T + np.eye(3), RNG.normal(size=3)
WIDE, BAND = RNG.normal(size=(2, 3)), RNG.normal(size=(4, 6)) + 3.0 * np.eye(4, 6)
UPPER = np.array([[0.7, 0.2, 0.3, -0.4], [0.1, 0.5, 0.6, -0.7], [4.0, 5.0, 6.0, 7.0]])
"""Of a banded matrix; its corners are nobody's."""
TALL = RNG.normal(size=(5, 3))
DEFINITE, TEN = WIDE @ WIDE.T + np.eye(2), RNG.normal(size=(10, 10))
UNEVEN = np.array([[1.0, 2.0, 0.0, 4e4], [0.0, 3.0, 0.0, 0.0], [1e-3, 5.0, 0.3, 2e5], [1e-4, 0.0, 0.0, 7.0]])
CASES = {
    "logm": [(S,), (100 * S,), (np.eye(3) + 0.3 * Z,), (1e-6 * S,), (np.nan * S,), (np.eye(2),), (np.arange(4).reshape(2, 2) + 3 * np.eye(2, dtype=int),), (WIDE,)],
    "fractional_matrix_power": [(S, 0.5), (S, -1.3), (S, 3)], "cosm": [(A,), (Z,), (3 * A,), (12 * A,)], "sinm": [(A,), (Z,), (12 * A,), (1e-9 * A,)], "tanm": [(0.5 * A,), (0.5 * Z,)],
    "coshm": [(A,), (Z,)], "sinhm": [(A,)], "tanhm": [(A,)], "polar": [(A,), (Z, "left"), (WIDE,), (WIDE.T, "left"), (A, "up")], "pinvh": [(S,), (np.nan * S,), (WIDE.T @ WIDE,), (A + A.T,), (Z + Z.conj().T, None, None, False)],
    "qr": [(A,), (WIDE,), (A, False, None, "r"), (WIDE.T, False, None, "economic"), (Z,), (A, False, None, "odd"), (A, False, None, "full", True), (WIDE, False, None, "economic", True), (Z.T, False, None, "r", True), (TALL, False, None, "raw", True)], "orthogonal_procrustes": [(A, B), (Z, Z.T), (WIDE, WIDE[::-1]), (A, WIDE)],
    "solve_sylvester": [(T, T.T, B), (Z, A + 0j, B), (A, S[:2, :2] + np.eye(2), WIDE.T)], "solve_continuous_lyapunov": [(T, S), (Z, B)],
    "solve_discrete_lyapunov": [(0.3 * A, S), (0.3 * Z, B, "direct"), (0.3 * Z, B, "bilinear"), (0.1 * TEN, TEN), (A, B, "odd")],
    "solve_continuous_are": [(A, WIDE.T, S, DEFINITE), (Z, WIDE.T, S, DEFINITE), (A, WIDE.T, S, DEFINITE, None, 0.1 * WIDE.T), (A, WIDE.T, S, 0.0 * DEFINITE), (A, WIDE.T, A, DEFINITE), (A, WIDE, S, DEFINITE), (A, WIDE.T, S, S)],
    "solve_discrete_are": [(A, WIDE.T, S, DEFINITE), (Z, WIDE.T, S, DEFINITE), (A, WIDE.T, S, DEFINITE, T, 0.1 * WIDE.T), (A, WIDE.T, S, DEFINITE, WIDE), (A, WIDE.T, S, A)],
    "signm": [(T,), (A,), (Z,), (np.diag([1.0, -2.0, 3.0]),), (WIDE,)], "funm": [(A, np.exp), (Z, np.sin), (S, lambda x: x**2), (WIDE, np.exp)],
    "hessenberg": [(TEN, True), (A,), (Z, True), (np.diag(V), True), (TEN[:2, :2],), (WIDE,), (np.nan * A,)], "diagsvd": [(V, 3, 5), (V, 4, 3), (V, 5, 4)],
    "solve_banded": [((1, 2), BAND, BAND[0]), ((2, 1), BAND, BAND[:2].T), ((0, 3), BAND, BAND[0]), ((3, 0), BAND, BAND[0]), ((1, 1), BAND[:3] * (1 + 1j), BAND[0]), ((1, 1), BAND, BAND[0]), ((1, 2), np.zeros((4, 6)), BAND[0])],
    "solve_toeplitz": [(V + 4 * np.eye(3)[0], B), ((V, np.array([9.0, 1.0, 2.0])), V)], "solve_circulant": [(V + 4 * np.eye(3)[0], B), (V + 2j, V), (np.ones(3), V), (np.ones(3), V, "lstsq"), (B + 4 * np.eye(3)[:, :1], V, "raise", None, 0), (V, B, "raise", 1e-9, -1, 1, -1), (V, V[1:])], "khatri_rao": [(A, WIDE), (A, A[:, :2])],
    "companion": [(V,), (np.array([2, 1, 3]),), (V[:1],), (Z[0],), (np.zeros(3),)], "issymmetric": [(A,), (S,), (S + 1e-9 * A, 1e-6, 0.0)], "ishermitian": [(Z,), (Z + Z.conj().T,), (A + A.T,)],
    "pinv": [(TALL,), (WIDE,), (Z,), (TALL[:, :1] @ WIDE[:1],)], "expm_frechet": [(A, B), (A, Z, None, False), (A, WIDE), (A, B, "odd")],
    "eigvalsh_tridiagonal": [(V, V[1:]), (V, V), (V, V[1:], "i", (0, 1))], "eigh_tridiagonal": [(V, V[1:], True), (V, V[1:]), (TEN[0], TEN[1, 1:], False, "i", (2, 5)), (TEN[0], TEN[1, 1:], True, "v", (-1.0, 1.0)), (TEN[0], TEN[1, 1:], True, "i", (2, 10))], "subspace_angles": [(TALL, TALL[:, :1] + TALL[::-1, 2:]), (TALL, TALL @ A), (TALL, A), (A, TALL[:3])],
    "convolution_matrix": [(V, 4), (V, 2, "same"), (V, 5, "same"), (V, 2, "valid"), (V, 5, "valid"), (V, 0), (Z[0], 2, "odd")], "leslie": [(V, V[1:]), (V, V)], "fiedler": [(V,), (np.arange(4),)],
    "bandwidth": [(np.triu(TEN, -2),), (np.tril(np.triu(TALL, -2), 0),), (np.zeros((2, 3)),), (V,)], "eigvals_banded": [(UPPER[[0, 1, 2]],), (UPPER[::-1], True), (UPPER + 0.3j * UPPER * [[1], [1], [0]],), (UPPER, False, False, "i", (1, 2)), (UPPER, False, False, "v", (1, 5)), (UPPER, False, False, "i", (-1, 2)), (np.nan * UPPER,), (V,)],
    "eig_banded": [(UPPER, False, True)], "fiedler_companion": [(TEN[0],), (TEN[0, :9],), (V,), (V[:2],), (np.array([1, -16, 86, -176, 105]),), (np.zeros(4),)],
    "cdf2rdf": [(np.array([1.0, 2 + 3j, 2 - 3j]), Z), (np.array([2 + 3j, 2 - 3j, 1.0]), Z), (V, A), (np.array([1 + 1j, 2.0, 3.0]), Z), (V, WIDE), (V, TEN)], "rsf2csf": [scipy.linalg.schur(TEN), scipy.linalg.schur(S), (A, WIDE)],
    "qr_multiply": [(TALL, TALL[:, 0]), (TALL, TALL.T), (TALL, A, "left"), (TALL, V, "left"), (WIDE, WIDE[:, :2]), (TALL, TALL.T, "right", True), (Z, A, "left", False, True), (TALL, V), (TALL, V, "odd")],
    "matrix_balance": [(A * [[1.0], [100.0], [1e-3]],), (UNEVEN,), (UNEVEN, True, False), (UNEVEN, False, True, True), (np.triu(TEN) * 10.0 ** np.arange(10), True, True, True), (UNEVEN + 1j * (UNEVEN != 0),), (np.zeros((2, 2)),), (np.arange(9).reshape(3, 3),), (WIDE,), (np.nan * A,)],
    "matmul_toeplitz": [(V, A), ((V, V[:2]), B[:2]), (V, WIDE), (Z[0], V)],
    "cholesky_banded": [(UPPER,), (UPPER[::-1], False, True), (UPPER + 0.3j * UPPER * [[1], [1], [0]],), (-UPPER,), (UPPER[-1:],), (UPPER[:, :1],), (np.array([[0, 1], [4, 5]]),), (np.nan * UPPER,)],
    "cho_solve_banded": [((UPPER, False), BAND[:, 0]), ((UPPER[::-1], True), BAND[:, :2]), ((UPPER + 1j, False), BAND[:, 0]), ((UPPER, False), V)],
    "solveh_banded": [(UPPER, BAND[:, 0]), (UPPER[::-1], BAND[:, :2], False, False, True), (UPPER + 0.3j * UPPER * [[1], [1], [0]], BAND[:, 0]), (-UPPER, BAND[:, 0]), (UPPER[1:], BAND[:, 0]), (UPPER, V)],
    "ldl": [(S - 2 * np.eye(3),), (A + A.T,), (A + A.T, False), (Z,), (Z, False), (Z, True, False), (TEN, True), (TEN, False), (np.arange(16).reshape(4, 4),), (np.zeros((2, 2)),), (WIDE,), (np.nan * A,)],
    "rq": [(A,), (WIDE,), (TALL,), (Z,), (WIDE, False, None, "economic"), (TALL, False, None, "economic"), (TALL, False, None, "r"), (A, False, None, "odd"), (np.arange(4).reshape(2, 2),)],
}  # fmt: skip
STANDING = MATRIX_FUNCTIONS | {"scipy.linalg.solve_sylvester": scipy.linalg.solve_sylvester}  # that is a row
EACH = [(name, args) for name, cases in CASES.items() for args in cases]


def test_every_function_is_tested():
    assert {f"scipy.linalg.{name}" for name in CASES} == {*STANDING}


@pytest.mark.parametrize("name", [name for name in CASES if name not in ("logm", "signm", *["qr"] * SCIPY_1_18)])  # whose `disp` and `lwork` are deprecated
def test_signatures_are_scipys(name):
    assert str(inspect.signature(STANDING[f"scipy.linalg.{name}"])) == str(inspect.signature(resolved(f"scipy.linalg.{name}")))


def alike(found, wanted):
    if isinstance(wanted, tuple):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            alike(one, other)
    elif isinstance(wanted, bool):
        assert found is wanted
    elif isinstance(wanted, int):
        assert (type(found), found) == (int, wanted)
    else:
        assert found.dtype == wanted.dtype
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize(("name", "args"), EACH)
def test_called_as_it_stands_and_as_it_is_read(name, args):
    function = getattr(scipy.linalg, name)
    known = tuple(k for k, arg in enumerate(args) if not isinstance(arg, np.ndarray | tuple))
    f = s2s.jit(lambda *a: function(*(args[k] if k in known or isinstance(args[k], tuple) else a[k] for k in range(len(args)))), static_argnums=known, target="numpy")
    given = [0 if isinstance(arg, tuple) else arg for arg in args]
    try:
        wanted = quietly(function, *args)
    except (ValueError, np.linalg.LinAlgError) as error:
        for call in (lambda: quietly(STANDING[f"scipy.linalg.{name}"], *args), lambda: quietly(f, *given)):
            with pytest.raises(ValueError if isinstance(error, ValueError) else np.linalg.LinAlgError):
                call()
        return
    alike(quietly(STANDING[f"scipy.linalg.{name}"], *args), wanted)
    alike(quietly(f, *given), wanted)


@pytest.mark.parametrize("name", [name for name in CASES if name[:2] != "is" and name not in ("bandwidth", "rsf2csf", "cdf2rdf")])  # which ask what is 0
def test_derivatives(name):
    args = CASES[name][0]
    place = 1 if isinstance(args[0], tuple) else 0
    s2s.check_grads(s2s.jit(lambda x: getattr(scipy.linalg, name)(*args[:place], x, *args[place + 1 :]), target="numpy"), (args[place],), order=2)


def test_derivatives_of_real_forms():
    w = np.array([2 + 3j, 2 - 3j, 1.0])
    s2s.check_grads(s2s.jit(lambda v: scipy.linalg.cdf2rdf(w, v)[1], target="numpy"), (Z,), order=1)
    s2s.check_grads(s2s.jit(lambda r: scipy.linalg.cdf2rdf(np.stack((r[0] + 1j * r[1], r[0] - 1j * r[1])), Z[:2, :2])[0], target="numpy"), (V[:2],), order=1)


def test_compiled_and_batched():
    def f(a, b):
        return scipy.linalg.logm(a), scipy.linalg.solve_banded((1, 1), a, b)

    alike(s2s.jit(f)(S, V), f(S, V))
    alike(s2s.vmap(f)(np.stack([S, 2 * S]), np.stack([V, -V])), tuple(map(np.stack, zip(f(S, V), f(2 * S, -V), strict=True))))


def test_what_has_no_logarithm_stops():
    for a in (-np.eye(2), np.zeros((2, 2)), np.array([[0.0, 1.0], [1.0, 0.0]])):
        with pytest.raises((NotImplementedError, np.linalg.LinAlgError), match="is not supported|Singular"):
            s2s.jit(lambda a: scipy.linalg.logm(a), target="numpy")(a)  # noqa: PLW0108


def test_eigenvectors_of_the_driver_that_numpy_takes():
    f = s2s.jit(lambda a: scipy.linalg.eigh(a, driver="evd"), target="numpy")
    alike(f(S), scipy.linalg.eigh(S, driver="evd"))
    with pytest.raises(s2s.UnsupportedError, match="driver='evr'"):
        s2s.jit(lambda a: scipy.linalg.eigh(a, driver="evx"), target="numpy")(S)


def test_more_right_hand_sides_than_a_matrix_holds():
    b = RNG.normal(size=(3, 2, 4))
    alike(s2s.jit(lambda c, b: scipy.linalg.solve_circulant(c, b), target="numpy")(V, b), scipy.linalg.solve_circulant(V, b))  # noqa: PLW0108


STRUCTURES = ("diagonal", "tridiagonal", "banded", "upper triangular", "lower triangular", "sym", "symmetric", "her", "hermitian", "pos", "positive definite", "gen", None)


@pytest.mark.parametrize("assumed", STRUCTURES)
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("dtype", [np.float64, np.complex128, np.float32])
def test_solves_of_structures(assumed, lower, dtype):
    """A general matrix: what LAPACK does not read counts for nothing."""
    a = (Z if np.dtype(dtype).kind == "c" else A).astype(dtype) + 4 * np.eye(3, dtype=dtype)
    tolerance = {"rtol": 1e-4, "atol": 1e-5} if dtype == np.float32 else {"rtol": 1e-10, "atol": 1e-12}
    for target in ("numpy", "cpu") if assumed in ("sym", "pos") and dtype == np.float64 else ("numpy",):
        f = s2s.jit(lambda a, b: scipy.linalg.solve(a, b, lower=lower, assume_a=assumed), target=target)
        for b in (V.astype(dtype), WIDE.T.astype(dtype)):
            found, wanted = f(a, b), quietly(lambda b: scipy.linalg.solve(a, b, lower=lower, assume_a=assumed), b)
            assert found.dtype == wanted.dtype
            np.testing.assert_allclose(found, wanted, **tolerance)
    if assumed in ("upper triangular", "lower triangular", "sym", "her", "pos", "gen", None):
        np.testing.assert_allclose(
            s2s.jit(lambda a: scipy.linalg.inv(a, lower=lower, assume_a=assumed), target="numpy")(a), quietly(lambda a: scipy.linalg.inv(a, lower=lower, assume_a=assumed), a), **tolerance,
        )
    if dtype == np.float64:
        s2s.check_grads(s2s.jit(lambda a, b: scipy.linalg.solve(a, b, lower=lower, assume_a=assumed), target="numpy"), (a, V), order=2)


def test_structures_that_are_none():
    with pytest.raises(np.linalg.LinAlgError):
        s2s.jit(lambda a: scipy.linalg.solve(a, a[0], assume_a="pos"), target="numpy")(-S)
    with pytest.raises(ValueError, match="not a recognized"):
        s2s.jit(lambda a: scipy.linalg.solve(a, a[0], assume_a="odd"), target="numpy")(S)


@pytest.mark.parametrize("kind", [1, 2, 3])
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("a", [A, Z], ids=["real", "complex"])
def test_eigenvalues_of_two_matrices(kind, lower, a):
    """Of which one triangle is read."""
    b = (Z @ Z.conj().T if a is Z else B @ B.T) + np.eye(3)
    f = s2s.jit(lambda a, b: scipy.linalg.eigh(a, b, lower=lower, type=kind), target="numpy")
    w, v = f(a, b)
    wanted, vectors = scipy.linalg.eigh(a, b, lower=lower, type=kind)
    np.testing.assert_allclose(w, wanted, rtol=1e-10)
    np.testing.assert_allclose(np.abs(v), np.abs(vectors), rtol=1e-9)
    alike(s2s.jit(lambda a, b: scipy.linalg.eigvalsh(a, b, lower=lower, type=kind, subset_by_index=[1, 2]), target="numpy")(a, b), wanted[1:])
    if a is A:
        np.testing.assert_allclose(v, vectors, rtol=1e-9)
        s2s.check_grads(f, (a, b), order=2)


def test_generalised_eigenvalues_compiled():
    f = s2s.jit(lambda a, b: scipy.linalg.eigh(a, b))  # noqa: PLW0108
    alike(f(S, T @ T.T), scipy.linalg.eigh(S, T @ T.T))
    with pytest.raises(np.linalg.LinAlgError):
        f(S, -S)


def test_more_of_pinv():
    for options in ({"atol": 0.5}, {"rtol": 0.3, "return_rank": True}, {"atol": 0.1, "rtol": 0.1, "return_rank": True}):
        found, wanted = s2s.jit(lambda a: scipy.linalg.pinv(a, **options), target="numpy")(TALL), scipy.linalg.pinv(TALL, **options)
        alike(found, wanted)


def test_eig_of_one_matrix():
    f = s2s.jit(lambda a: scipy.linalg.eig(a), target="numpy")  # noqa: PLW0108
    w, v = f(Z)
    np.testing.assert_allclose(w, scipy.linalg.eig(Z)[0], rtol=1e-10)
    np.testing.assert_allclose(Z @ v, v * w, atol=1e-12)
    alike(s2s.jit(lambda a: scipy.linalg.eig(a, right=False), target="numpy")(Z), scipy.linalg.eig(Z, right=False))


def test_some_eigenvectors():
    for part in ((0, 0), (1, 2)):
        for lower in (False, True):
            f = s2s.jit(lambda a: scipy.linalg.eigh(a, lower=lower, subset_by_index=part), target="numpy")
            alike(f(S + T), scipy.linalg.eigh(S + T, lower=lower, subset_by_index=part))
    f = s2s.jit(lambda a: scipy.linalg.eigh(a, subset_by_index=[1, 2]), target="numpy")
    s2s.check_grads(lambda a: (f(a)[0], f(a)[1][:, :1] * f(a)[1][:, 1:]), (S,), order=2)
    alike(s2s.jit(lambda a: scipy.linalg.eigh(a, subset_by_index=[0, 1]))(S), scipy.linalg.eigh(S, subset_by_index=[0, 1]))
    for subset, error, said in (([1, 3], ValueError, "not valid"), ([2, 1], ValueError, "not valid")):
        with pytest.raises(error, match=said):
            s2s.jit(lambda a: scipy.linalg.eigh(a, subset_by_index=subset), target="numpy")(S)
    alike(s2s.jit(lambda a, low: scipy.linalg.eigvalsh(a, subset_by_value=[low, 3]), target="numpy")(S, 0.0), scipy.linalg.eigvalsh(S, subset_by_value=[0, 3]))
    with pytest.raises(s2s.UnsupportedError, match="subset_by_value"):
        s2s.jit(lambda a: scipy.linalg.eigh(a, subset_by_value=[0.0, 1.0]), target="numpy")(S)


def of_one(a):
    """Complex, as these vectors are here also where all eigenvalues are real."""
    w, left, right = scipy.linalg.eig(a, left=True)
    return w, left + 0j, right + 0j, scipy.linalg.eig(a, left=True, right=False)[1] + 0j, scipy.linalg.eigvals(a, homogeneous_eigvals=True)


def of_two(a, b):
    w, left, right = scipy.linalg.eig(a, b, left=True)
    return w, left + 0j, right + 0j, scipy.linalg.eigvals(a, b), scipy.linalg.eig(a, b, right=False), scipy.linalg.eig(a, np.diag([1.0, 0.0, 2.0]) + 0 * a)[0]


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_general_eigenvalues(target):
    for a, b in ((A, B), (Z, Z.T + B), (TEN[:3, :3], A)):
        alike(s2s.jit(of_one, target=target)(a), of_one(a))
        with np.errstate(all="ignore"):
            alike(s2s.jit(of_two, target=target)(a, b), of_two(a, b))


def test_derivatives_of_general_eigenvalues():
    f = s2s.jit(lambda a, b: scipy.linalg.eigvals(a, b), target="numpy")  # noqa: PLW0108
    s2s.check_grads(f, (A + np.diag([1.0, 3.0, 6.0]), B + 3.0 * np.eye(3)), order=1)
    s2s.check_grads(s2s.jit(lambda a: scipy.linalg.eig(a, left=True)[1], target="numpy"), (A + np.diag([1.0, 3.0, 6.0]),), order=1)
    with pytest.raises(s2s.UnsupportedError, match="eigenvectors of two matrices"):
        s2s.jit(s2s.grad(lambda a, b: np.sum(np.real(scipy.linalg.eig(a, b)[1]))), target="numpy")(A, B)
    with pytest.raises(s2s.UnsupportedError, match="homogeneous"):
        s2s.jit(lambda a, b: scipy.linalg.eigvals(a, b, homogeneous_eigvals=True), target="numpy")(A, B)


# ---- stacks along leading axes -----------------------------------------------------------------------------------------------------

MORE = {
    "solve_banded": {"l_and_u": (1, 1)}, "eigh_tridiagonal": {"eigvals_only": True}, "convolution_matrix": {"n": 3}, "fractional_matrix_power": {"t": -1.3}, "svd": {"full_matrices": False}, "funm": {"func": np.exp}, "diagsvd": {"M": 2, "N": 3}, "eig_banded": {"eigvals_only": True}, "qr": {"mode": "economic"},
}  # fmt: skip
_TRIANGLES = [scipy.linalg.schur(each) for each in (A, B)]
_DEFINITE = np.stack([np.stack((BAND[0], BAND[1] + shift)) for shift in (5.0, 7.0)])
BANDS_AND_SUCH = {
    "solve_banded": {"ab": np.stack((BAND[:3] + 5.0, BAND[:3] - 7.0)), "b": BAND[0]}, "cholesky_banded": {"ab": _DEFINITE}, "solveh_banded": {"ab": _DEFINITE, "b": BAND[0]},
    "eig_banded": {"a_band": _DEFINITE}, "eigvals_banded": {"a_band": _DEFINITE}, "rsf2csf": {"T": np.stack([t for t, _ in _TRIANGLES]), "Z": np.stack([z for _, z in _TRIANGLES])},
    **dict.fromkeys(("solve_continuous_are", "solve_discrete_are"), {"a": np.stack((A, B)) / 9.0, "b": B, "q": np.eye(3), "r": np.stack((np.eye(3), S + 5.0 * np.eye(3)))}),
}
OF_VECTORS = {"s": V[1:] + 3.0, "e": V[1:]}
NO_DERIVATIVE = {"bandwidth", "rsf2csf", "schur", "solve_continuous_are", "solve_discrete_are", "ishermitian", "issymmetric", "polar"}  # or it jumps at these matrices


def stacked_arrays(cores):
    """Arrays of one axis more than the function has for one matrix; the last one is shared by all."""
    bases = {name: {1: OF_VECTORS.get(name, V + 4.0 * np.eye(3)[0]), 2: S if name in ("a", "A") else T, RIGHT: B}[core] for name, core in cores.items()}
    return {name: base if 0 < k == len(bases) - 1 else np.stack((base, 1.1 * base + 0.01 * base**2)) for k, (name, base) in enumerate(bases.items())}


@pytest.mark.parametrize("name", sorted(name.rpartition(".")[2] for name in CORES.entries))
def test_stacks(name):
    function, options = getattr(scipy.linalg, name), dict(MORE.get(name, {}))
    arrays = stacked_arrays(CORES.entries[f"scipy.linalg.{name}"])
    if name in BANDS_AND_SUCH:
        arrays = BANDS_AND_SUCH[name]
    if name in ("eig", "eigvals", "eigh", "eigvalsh"):
        arrays.pop("b")

    def call(*values):
        found = function(*values) if name == "solveh_banded" else function(**options, **dict(zip(arrays, values, strict=True)))  # of which SciPy takes no stack by its name
        return tuple([np.abs(part) for part in found]) if isinstance(found, list | tuple) else found

    f = s2s.jit(call, target="numpy")
    found, wanted = f(*arrays.values()), quietly(call, *arrays.values())
    for one, other in zip(*(each if isinstance(each, tuple) else (each,) for each in (found, wanted)), strict=True):
        assert np.shape(one) == np.shape(other)
        np.testing.assert_allclose(one, other, rtol=1e-8, atol=1e-11)
    if name not in NO_DERIVATIVE:
        s2s.check_grads(f, tuple(arrays.values()), order=1)


def test_what_is_no_matrix_is_scipys_error():
    for function in (scipy.linalg.rq, scipy.linalg.bandwidth, scipy.linalg.hessenberg):
        with pytest.raises(ValueError) as wanted:
            function(V)
        with pytest.raises(ValueError, match=str(wanted.value)):
            s2s.jit(lambda a, function=function: function(a), target="numpy")(V)


def test_stacks_of_pairs_and_of_nothing():
    definite = np.stack((S, T @ T.T))

    def f(a, b):
        return scipy.linalg.cho_solve(scipy.linalg.cho_factor(a, lower=True), b), scipy.linalg.cho_solve((scipy.linalg.cholesky(a), False), b), scipy.linalg.lu_solve(scipy.linalg.lu_factor(a), b, trans=1)

    def of_bands(ab, b, c):
        return scipy.linalg.cho_solve_banded((scipy.linalg.cholesky_banded(ab), False), b), scipy.linalg.solve_toeplitz((c + 9.0, c - 1.0), V), scipy.linalg.matmul_toeplitz(c, B)

    def of_ranks(a):
        return tuple([p @ np.swapaxes(p, -1, -2) for p in (scipy.linalg.null_space(a), scipy.linalg.orth(a))])

    for target in ("numpy", "cpu"):
        alike(s2s.jit(of_bands, target=target)(_DEFINITE, BAND[0], A), of_bands(_DEFINITE, BAND[0], A))
        alike(s2s.jit(of_ranks, target=target)(np.stack((WIDE, 2 * WIDE[::-1]))), of_ranks(np.stack((WIDE, 2 * WIDE[::-1]))))
    s2s.check_grads(s2s.jit(of_ranks, target="numpy"), (np.stack((WIDE, 2 * WIDE[::-1])),), order=1)
    with pytest.raises(ValueError, match="same shape"):
        s2s.jit(lambda a: scipy.linalg.null_space(a), target="numpy")(np.stack((np.eye(3), np.ones((3, 3)))))  # noqa: PLW0108
    for b in (V, WIDE.T, np.stack((B, A))):
        for target in ("numpy", "cpu") if b is V else ("numpy",):
            alike(s2s.jit(f, target=target)(definite, b), f(definite, b))
    s2s.check_grads(s2s.jit(f, target="numpy"), (definite, V), order=1)
    assert s2s.jit(lambda a: scipy.linalg.inv(a), target="numpy")(definite[:0]).shape == (0, 3, 3)  # noqa: PLW0108
    with pytest.raises(ValueError, match="`cholesky` does not support zero-size batches"):
        s2s.jit(lambda a: scipy.linalg.cholesky(a), target="numpy")(definite[:0])  # noqa: PLW0108
    alike(s2s.jit(lambda a, b: scipy.linalg.block_diag(a, b), target="numpy")(definite, B), scipy.linalg.block_diag(definite, B))  # noqa: PLW0108


def test_a_pseudo_inverse_that_leaves_something_out_has_no_derivative():
    def f(a, cutoff):
        return np.linalg.pinv(a, cutoff)

    slope = s2s.jacfwd(s2s.jit(f, target="numpy"))
    with pytest.raises(NotImplementedError, match="leaves out singular values"):
        slope(np.diag([3.0, 2.0, 0.5]), 0.3)
    low = np.outer(V, B[0])
    np.testing.assert_allclose(slope(low, 1e-3), slope(low, 1e-14), rtol=1e-9)


def test_derivatives_of_nothing_and_of_singles():
    nothing = np.zeros((0, 0))
    assert s2s.grad(s2s.jit(lambda a: np.linalg.slogdet(a)[1] + np.linalg.det(a) + np.sum(np.linalg.qr(a)[1]), target="numpy"))(nothing).shape == (0, 0)
    assert s2s.jit(lambda a: np.linalg.matrix_rank(a), target="numpy")(nothing) == 0  # noqa: PLW0108
    single = S.astype(np.float32)
    found = s2s.jit(lambda a: scipy.linalg.det(a), target="numpy")(single)  # noqa: PLW0108
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, scipy.linalg.det(single), rtol=1e-6)
    rounded = np.outer(V, V).astype(np.float32) + np.float32(1e-8) * B.astype(np.float32)
    with pytest.raises(np.linalg.LinAlgError, match="Singular"):
        s2s.grad(s2s.jit(lambda a: np.linalg.slogdet(a)[1], target="numpy"))(rounded)


# ---- LU of any matrix, bases ---------------------------------------------------------------------------------------------------------

LOW = RNG.normal(size=(4, 2)) @ RNG.normal(size=(2, 5))


@pytest.mark.parametrize("a", [TALL, WIDE, A, Z[:2], np.stack((TALL, 2 * TALL[::-1])), np.zeros((3, 3)), np.outer(V, V), np.zeros((0, 3)), WIDE.astype(np.float32)], ids=str)
@pytest.mark.parametrize("options", [{}, {"permute_l": True}, {"p_indices": True}], ids=str)
def test_lu_of_any_matrix(a, options):
    f = s2s.jit(lambda a: scipy.linalg.lu(a, **options), target="numpy")
    alike(f(a), scipy.linalg.lu(a, **options))
    if a.dtype != np.float32 and a.size and np.any(a[..., 0, :] != a[..., 1, :]) and not np.array_equal(a, np.outer(V, V)):
        s2s.check_grads(f, (a,), order=2)


def test_lu_compiled_and_where_it_has_no_derivative():
    def f(a):
        return (*scipy.linalg.lu(a), *scipy.linalg.lu_factor(a))

    for a in (TALL, WIDE, np.outer(V, V), Z, np.zeros((2, 2))):
        found, wanted = s2s.jit(f)(a), quietly(f, a)
        for one, other in zip(found, wanted, strict=True):
            np.testing.assert_allclose(one, other, atol=1e-14)
    s2s.check_grads(s2s.jit(f), (TALL,), order=1)
    with pytest.raises(np.linalg.LinAlgError, match="its LU decomposition has no derivative"):
        s2s.jacfwd(s2s.jit(lambda a: scipy.linalg.lu(a)[2], target="numpy"))(np.outer(V, V))


@pytest.mark.parametrize("name", ["orth", "null_space"])
@pytest.mark.parametrize("a", [LOW, LOW + 0.5j * np.outer(LOW[:, 0], LOW[1]), TALL, WIDE, np.zeros((2, 3))], ids=str)
def test_bases_of_spaces(name, a):
    """Derivatives along a path of one rank: of the projection, which the basis does not change."""
    function, turns = getattr(scipy.linalg, name), [RNG.normal(size=(n, n)) for n in a.shape]
    found, wanted = s2s.jit(lambda a: function(a), target="numpy")(a), function(a)  # noqa: PLW0108
    if SCIPY_1_18:  # of several vectors to one number rounding decides, which is another here than in NumPy's LAPACK
        found, wanted = found @ np.conj(found.T), wanted @ np.conj(wanted.T)
    alike(found, wanted)

    def projection(t):
        q = function((np.eye(a.shape[0]) + t * turns[0]) @ a @ (np.eye(a.shape[1]) + t * turns[1]))
        return q @ np.conj(q.T)

    s2s.check_grads(s2s.jit(projection, target="numpy"), (0.1,), order=2)


def test_bases_compiled_and_turned():
    f = s2s.jit(lambda a: scipy.linalg.orth(a, rcond=1e-8))
    alike(f(LOW), scipy.linalg.orth(LOW, rcond=1e-8))
    s2s.check_grads(s2s.jit(lambda a: scipy.linalg.orth(a), target="numpy"), (TALL,), order=2)  # noqa: PLW0108 - its columns are singular vectors
    q_dot = s2s.jvp(s2s.jit(lambda a: scipy.linalg.null_space(a), target="numpy"), (WIDE,), (WIDE[::-1] + 1.0,))[1]  # noqa: PLW0108
    np.testing.assert_allclose(scipy.linalg.null_space(WIDE).T @ q_dot, 0.0, atol=1e-14)


def test_pinv_of_what_only_the_run_knows_to_be_hermitian():
    a = np.array([[2.0, 7.0], [1.0, 3.5]])
    compiled = s2s.jit(lambda a, hermitian: np.linalg.pinv(a, hermitian=hermitian), target="numpy")
    for hermitian in (False, True):
        np.testing.assert_allclose(compiled(a, hermitian), np.linalg.pinv(a, hermitian=hermitian), rtol=1e-12)


@pytest.mark.parametrize("name", ["solve_continuous_are", "solve_discrete_are"])
def test_riccatis_equations_of_drawn_weights(name):
    """SciPy's solution where the weights are positive; of others SciPy's, or an error: no matrix that does not solve it. Sizes from 1 on."""
    function = getattr(scipy.linalg, name)
    solve = s2s.jit(lambda a, b, q, r: function(a, b, q, r), target="numpy")
    rng = np.random.default_rng(5)
    for number in range(60):
        n, m = rng.integers(1, 4), rng.integers(1, 3)
        a, b, q, r = (rng.normal(size=shape) for shape in ((n, n), (n, m), (n, n), (m, m)))
        positive = number % 2 == 0
        q, r = (q @ q.T, r @ r.T + np.eye(m)) if positive else (q + q.T, r + r.T if number % 3 else r @ r.T + np.eye(m))
        try:
            wanted = function(a, b, q, r)
        except np.linalg.LinAlgError:
            with pytest.raises(np.linalg.LinAlgError):
                solve(a, b, q, r)
            continue
        try:
            got = solve(a, b, q, r)
        except np.linalg.LinAlgError:
            assert not positive
            continue
        np.testing.assert_allclose(got, wanted, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
def test_toeplitz_systems_with_a_leading_minor_of_zero(dtype, target):
    """SciPy's number, or its exception."""
    solve = s2s.jit(lambda column, row, b: scipy.linalg.solve_toeplitz((column, row), b), target=target)  # noqa: PLW0108
    rng, refused = np.random.default_rng(1), 0
    for n in (1, 2, 3, 4, 5) * 12:
        column, row, b = (rng.integers(-1, 2, n).astype(dtype) for _ in range(3))
        try:
            wanted = scipy.linalg.solve_toeplitz((column, row), b)
        except np.linalg.LinAlgError:
            refused += 1
            with pytest.raises(np.linalg.LinAlgError, match="Singular principal minor"):
                solve(column, row, b)
            continue
        if np.linalg.cond(scipy.linalg.toeplitz(column, row)) < 1e10:
            np.testing.assert_allclose(solve(column, row, b), wanted, rtol=1e-9, atol=1e-9, strict=True)
    assert 10 < refused < 50
    for column, row in ((np.ones(2), np.ones(3)), (np.ones(2), np.ones(2)), (np.array([np.nan, 1, 2]), np.ones(3))):
        with pytest.raises(ValueError, match=r"Incompatible dimensions\.|infs or NaNs"):
            solve(column.astype(dtype), row.astype(dtype), np.ones(3))


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
def test_riccatis_equations_whose_stable_half_says_nothing(dtype, target):
    """No feedback changes what grows: an error, where rounding alone gave numbers as large as 1e16."""
    solve = s2s.jit(lambda a, b, q, r: scipy.linalg.solve_continuous_are(a, b, q, r), target=target)  # noqa: PLW0108
    a, q = np.array([[-1.0, 2.0], [2.0, 2.0]], dtype), np.diag([-2.0, 2.0]).astype(dtype)
    for call in (scipy.linalg.solve_continuous_are, solve):
        with pytest.raises(np.linalg.LinAlgError, match=r"Failed to find a finite solution\."):
            call(a, np.zeros((2, 1), dtype), q, -np.eye(1, dtype=dtype))


def test_product_with_a_toeplitz_matrix_too_large_to_be_written_out():
    rng = np.random.default_rng(4)
    c, x = rng.normal(size=60000), rng.normal(size=60000)
    product = s2s.jit(scipy.linalg.matmul_toeplitz, target="numpy")
    np.testing.assert_allclose(product((c, x), x), scipy.linalg.matmul_toeplitz((c, x), x), rtol=1e-9, atol=1e-9)
    for c, r, x in ((np.float32([1, 2]), np.float32([1, 3, 4]), rng.normal(size=(3, 2)).astype(np.float32)), (np.ones(3), np.ones(0), np.ones(0)), (np.ones(0), np.ones(2), np.ones(2))):
        wanted = scipy.linalg.toeplitz(c.astype(np.float64), r) @ x if c.size and r.size else np.zeros(len(c))
        got = product((c, r), x)
        np.testing.assert_allclose(got, wanted, rtol=1e-6 if x.dtype == np.float32 else 1e-13, strict=True) if c.size and r.size else np.testing.assert_array_equal(got, wanted)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("name", ["solve_continuous_are", "solve_discrete_are"])
def test_riccatis_equations_without_weights(name, target):
    """The solution that makes the system stable, not 0, which solves the equation, too; where no feedback does, an error."""
    function = getattr(scipy.linalg, name)
    solve = s2s.jit(lambda a, b, q, r: function(a, b, q, r), target=target)
    for a in (np.array([[2.0]]), np.diag([2.0, 0.5])):
        np.testing.assert_allclose(solve(a, np.ones((len(a), 1)), np.zeros_like(a), np.eye(1)), function(a, np.ones((len(a), 1)), np.zeros_like(a), np.eye(1)), rtol=1e-10, atol=1e-13)
    with pytest.raises(np.linalg.LinAlgError):
        solve(np.diag([2.0, 0.5]), np.zeros((2, 1)), np.eye(2), np.eye(1))


@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
def test_discrete_riccati_equation_of_singular_matrices(dtype):
    """The system and the weight of what steers it may both be singular."""
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=(4, 4)).astype(dtype), rng.normal(size=(4, 2)).astype(dtype)
    a[:, 0] = 0
    r = np.diag([1.0, 0.0]).astype(dtype)
    for options in ({}, {"e": np.eye(4) + 0.1 * b @ b.T, "s": 0.1 * b}):
        solve = s2s.jit(lambda a, b, q, r, options=options: scipy.linalg.solve_discrete_are(a, b, q, r, **options), target="numpy")
        np.testing.assert_allclose(solve(a, b, np.eye(4, dtype=dtype), r), scipy.linalg.solve_discrete_are(a, b, np.eye(4), r, **options), rtol=1e-10, atol=1e-11)


@pytest.mark.parametrize("name", ["solve_continuous_are", "solve_discrete_are"])
def test_derivatives_of_riccatis_equations(name):
    function = getattr(scipy.linalg, name)
    rng = np.random.default_rng(8)
    a, b = rng.normal(size=(4, 4)), rng.normal(size=(4, 2))

    def loss(a, b, w):
        return np.sum(np.sin(function(a, b, w @ w.T + np.eye(4), np.eye(2))))

    compiled = s2s.jit(loss, target="numpy")
    w, step = rng.normal(size=(4, 4)), rng.normal(size=(4, 4))
    bars = s2s.grad(compiled, argnums=(0, 1, 2))(a, b, w)
    slope = sum(np.sum(bar * move) for bar, move in zip(bars, (step, step[:, :2], step.T), strict=True))
    _, forward = s2s.jvp(compiled, (a, b, w), (step, step[:, :2].copy(), step.T.copy()))
    np.testing.assert_allclose(slope, forward, rtol=1e-11)
    h = 1e-5
    ends = [loss(a + t * step, b + t * step[:, :2], w + t * step.T) for t in (-h, h)]
    np.testing.assert_allclose(slope, (ends[1] - ends[0]) / (2 * h), rtol=1e-6)


@pytest.mark.parametrize("target", ["cpu", "numpy"])
def test_logarithms_and_powers_on_the_negative_axis(target):
    """Of complex matrices they are SciPy's; of real ones they would be complex."""
    def both(a):
        return scipy.linalg.logm(a), scipy.linalg.fractional_matrix_power(a, -0.7)

    a = T @ np.diag([-2.0, 3.0, 1e-4]) @ np.linalg.inv(T)
    for got, wanted in zip(s2s.jit(both, target=target)(a + 0j), both(a + 0j), strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-9, atol=1e-9 * np.max(np.abs(wanted)))
    for given, error, message in ((a, NotImplementedError, r"logm\(A \+ 0j\)"), (np.diag([0.0, 1.0]), np.linalg.LinAlgError, "an eigenvalue of 0")):
        with pytest.raises(error, match=message):
            s2s.jit(both, target=target)(given)


def test_derivatives_of_powers_along_the_exponent_and_twice():
    """Along the exponent a logarithm times the power; a second derivative is that of a matrix of blocks."""
    def loss(a, t):
        return np.sum(scipy.linalg.fractional_matrix_power(a, t) ** 2)

    step = 1e-5
    along = s2s.grad(loss, argnums=1)(S, 0.3)
    np.testing.assert_allclose(along, (loss(S, 0.3 + step) - loss(S, 0.3 - step)) / (2 * step), rtol=1e-7)
    slope = s2s.grad(loss)
    twice = s2s.jvp(lambda a: slope(a, 0.3), (S,), (B,))[1]
    np.testing.assert_allclose(twice, (slope(S + step * B, 0.3) - slope(S - step * B, 0.3)) / (2 * step), rtol=1e-5, atol=1e-7)


def _squared_angles(a, b):
    return np.sum(scipy.linalg.subspace_angles(a, b) ** 2)


@pytest.mark.parametrize("columns", [2, 3, 4])
def test_angles_from_an_orthonormal_basis_have_derivatives(columns):
    """All of its singular values are 1: the derivative is that of the space."""
    rng = np.random.default_rng(columns)
    a, b, direction = np.linalg.qr(rng.normal(size=(6, 3)))[0], rng.normal(size=(6, columns)), rng.normal(size=(6, 3))
    found = s2s.grad(_squared_angles)(a, b)
    step = 1e-6
    expected = (_squared_angles(a + step * direction, b) - _squared_angles(a - step * direction, b)) / (2.0 * step)
    np.testing.assert_allclose(np.sum(found * direction), expected, rtol=1e-6)


def _equation(a, b, q, r):
    return scipy.linalg.solve_continuous_are(a, b, q, r)


@pytest.mark.parametrize("largest", [1e14, 4.4e15])
def test_riccati_takes_weights_up_to_the_limit(largest):
    a, b, q, r = np.array([[0.0, 1.0], [0.0, 0.0]]), np.eye(2), np.eye(2), np.diag([1.0, largest])
    x = s2s.jit(_equation, target="numpy")(a, b, q, r)
    np.testing.assert_allclose(x[0], [1.0, 1.0], rtol=1e-6)
    with pytest.raises(ValueError, match="Matrix r is numerically singular"):
        s2s.jit(_equation, target="numpy")(a, b, q, np.diag([1.0, 4.6e15]))


def test_riccati_takes_finite_numbers_near_the_largest():
    found = s2s.jit(_equation)(np.array([[0.0, 1.0], [0.0, 0.0]]), np.eye(2), 1e308 * np.eye(2), np.eye(2))
    np.testing.assert_allclose(found, 1e154 * np.eye(2), atol=1e140)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_roots_of_complex_matrices_with_eigenvalues_on_the_negative_axis(target):
    root = s2s.jit(lambda a: scipy.linalg.sqrtm(a), target=target)
    for a in (np.diag([-1.0, 2.0]) + 0j, np.array([[-4.0, 1.0], [0.0, complex(-9.0, -0.0)]]), np.diag([-1.0, 2.0, 3j]).astype(np.complex64)):
        found, wanted = root(a), scipy.linalg.sqrtm(a)
        assert found.dtype == wanted.dtype
        np.testing.assert_allclose(found, wanted, atol=20 * np.finfo(a.dtype).eps)


def test_derivatives_of_roots_of_complex_matrices():
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(2, 3, 3))
    s2s.test_util.check_grads(lambda x, y: np.sum(np.abs(scipy.linalg.sqrtm(x + 1j * y + 2 * np.eye(3)) - 0.3) ** 3), (x, y), order=2)


@pytest.mark.parametrize("size", [1.0, 8.0, 64.0])
@pytest.mark.parametrize(("function", "of_numbers"), [(scipy.linalg.tanhm, np.tanh), (scipy.linalg.tanm, np.tan)])
def test_tangents_of_large_matrices_keep_their_digits(function, of_numbers, size):
    """By a matrix whose eigenvalues are known; SciPy's quotient of a sine and a cosine has none at 64."""
    q = np.linalg.qr(np.arange(9.0).reshape(3, 3) % 4 + np.eye(3))[0]
    w = size * np.array([1.0, 0.3, -0.2])
    found = s2s.jit(lambda a: function(a), target="numpy")(q @ np.diag(w) @ q.T)
    np.testing.assert_allclose(found, q @ np.diag(of_numbers(w)) @ q.T, rtol=1e-11, atol=1e-12)
    slope = s2s.jvp(lambda t: function(t * (q @ np.diag(w) @ q.T)), (1.0,), (1.0,))[1]
    np.testing.assert_allclose(slope, q @ np.diag(w * (1 + (-1 if of_numbers is np.tanh else 1) * of_numbers(w) ** 2)) @ q.T, rtol=1e-9, atol=1e-10)


def test_symmetric_matrices_with_nan_on_the_diagonal():
    a = np.eye(2)
    a[1, 1] = np.nan
    for x in (a, a + 0j, a[:, ::-1].copy()):
        for function in (scipy.linalg.issymmetric, scipy.linalg.ishermitian):
            assert s2s.jit(lambda x, function=function: function(x), target="numpy")(x) == function(x)


@pytest.mark.parametrize("function", [
    scipy.linalg.cholesky, scipy.linalg.cho_factor, scipy.linalg.det, scipy.linalg.inv, scipy.linalg.eigh, scipy.linalg.eigvalsh, scipy.linalg.eig, scipy.linalg.eigvals, scipy.linalg.logm,
    scipy.linalg.issymmetric, scipy.linalg.matrix_balance, lambda a: scipy.linalg.solve(a, a), lambda a: scipy.linalg.solve_triangular(a, a), lambda a: scipy.linalg.cho_solve((a, True), a),
    lambda a: scipy.linalg.eigvals(a, a), lambda a: scipy.linalg.eigh(a, a), lambda a: scipy.linalg.solve_continuous_lyapunov(a, a),
], ids=range(17))  # fmt: skip
def test_matrices_that_are_not_square_are_refused_in_scipys_words(function):
    with pytest.raises(ValueError) as wanted:
        function(np.ones((2, 3)))
    for shape in (np.ones((2, 3)), np.ones((2, 3), np.complex64)):
        with pytest.raises(ValueError, match=re.escape(str(wanted.value))):
            s2s.jit(lambda a: function(a), target="numpy")(shape)


def test_infs_and_nans_are_refused_as_by_scipy():
    for function, args in ((scipy.linalg.polar, (np.array([[1.0, np.inf], [0.0, 1.0]]),)), (scipy.linalg.cdf2rdf, (np.ones(2), np.array([[1.0, np.nan], [0.0, 1.0]])))):
        with pytest.raises(ValueError, match="infs or NaNs"):
            function(*args)
        with pytest.raises(ValueError, match="infs or NaNs"):
            s2s.jit(lambda *args, function=function: function(*args), target="numpy")(*args)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.complex128])
def test_solutions_by_factors_with_a_zero_on_the_diagonal(dtype, target):
    """SciPy divides by it, as LAPACK does: infinities and nan, at the same places."""

    def solutions(a, b):
        try:
            return (
                scipy.linalg.cho_solve((a, True), b), scipy.linalg.cho_solve((a, False), b),
                *[scipy.linalg.lu_solve(scipy.linalg.lu_factor(a), b, trans=trans) for trans in (0, 1, 2)],
            )  # fmt: skip
        except np.linalg.LinAlgError:
            return (b, b, b, b, b)

    rng = np.random.default_rng(4)
    run = s2s.jit(solutions, target=target)
    zero_inside = rng.normal(size=(4, 4))
    zero_inside[2, 2] = 0.0
    large = np.diag(np.arange(39.0, -1.0, -1.0)) + np.tril(np.full((40, 40), 0.01), -1)
    for a in (zero_inside, np.ones((2, 2)), np.array([[1.0, 0.0], [1.0, 0.0]]), np.diag([1.0, 0.0, 2.0, 0.0]), np.zeros((3, 3)), large, rng.normal(size=(3, 3))):
        for b in (np.ones(len(a)), rng.normal(size=(len(a), 2))):
            args = (a * (1 + 0.5j)).astype(dtype) if dtype is np.complex128 else a.astype(dtype), b.astype(dtype)
            for found, wanted in zip(run(*args), solutions(*args), strict=True):
                assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
                np.testing.assert_allclose(found, wanted, rtol=2e-3 if dtype is np.float32 else 1e-9, atol=1e-4 if dtype is np.float32 else 1e-10)


@pytest.mark.parametrize("args", [(None, False, False), (None, False, True), (None, True, False, True), (None, True, True, True)], ids=str)
def test_places_of_the_arguments_of_eigenvalues(args):
    """The fourth is `check_finite`, since SciPy 1.18 `overwrite_b`."""
    found, wanted = s2s.jit(lambda a: scipy.linalg.eigvals(a, *args), target="numpy")(A), scipy.linalg.eigvals(A, *args)
    assert found.shape == wanted.shape
    np.testing.assert_allclose(np.sort_complex(found.ravel()), np.sort_complex(wanted.ravel()), rtol=1e-10)
