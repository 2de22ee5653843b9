"""scipy.linalg's functions of bools, short integers, float16 and float32, whose results are of SciPy's dtypes."""
from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.linalg as sl

import s2s

RNG = np.random.default_rng(7)
A, B = RNG.integers(1, 4, (4, 4)) + 6 * np.eye(4, dtype=int), RNG.integers(1, 5, (4, 4))
BOOLS = np.array([[1, 0, 0, 1], [0, 1, 0, 1], [1, 1, 1, 0], [0, 0, 0, 1]])
ONE_MATRIX = {
    "svdvals": lambda a: sl.svdvals(a), "qr": lambda a: np.abs(sl.qr(a)[1]), "lu": lambda a: sl.lu(a)[1:], "lu_factor": lambda a: sl.lu_factor(a)[0], "hessenberg": lambda a: sl.hessenberg(a),
    "inv": lambda a: sl.inv(a), "pinv": lambda a: sl.pinv(a, return_rank=True), "expm": lambda a: sl.expm(a), "det": lambda a: sl.det(a), "eigvals": lambda a: np.sort(np.abs(sl.eigvals(a))),
    "schur": lambda a: np.sort(np.abs(np.linalg.eigvals(sl.schur(a)[0]))), "polar": lambda a: sl.polar(a), "sqrtm": lambda a: sl.sqrtm(a), "matrix_balance": lambda a: sl.matrix_balance(a),
    "solve_sylvester": lambda a: sl.solve_sylvester(a, a, a), "null_space": lambda a: np.abs(sl.null_space(a[:3])), "solve_triangular": lambda a: sl.solve_triangular(a, a[0]),
    "cho_solve": lambda a: sl.cho_solve((a, True), a[0]), "norm": lambda a: (sl.norm(a), sl.norm(a[0]), sl.norm(a, 1)), "norm of a factor": lambda a: a * sl.norm(a[0]),
    "matrices of two rows": lambda a: sl.hessenberg(a[:2, :2], calc_q=True), "cosm": lambda a: sl.cosm(a), "expm_frechet": lambda a: sl.expm_frechet(a, a),
    "eigvals of a band": lambda a: sl.eigvals_banded(a[:2]),
}  # fmt: skip
SYMMETRIC = {
    "eigvalsh": lambda a: sl.eigvalsh(a), "eigh": lambda a: sl.eigh(a)[0], "cholesky": lambda a: sl.cholesky(a), "cho_factor": lambda a: sl.cho_factor(a)[0],
    "pinvh": lambda a: sl.pinvh(a, return_rank=True), "ldl": lambda a: sl.ldl(a), "logm": lambda a: sl.logm(a), "fractional_matrix_power": lambda a: sl.fractional_matrix_power(a, 0.5),
}  # fmt: skip
TWO_MATRICES = {
    "solve": lambda a, b: sl.solve(a, b), "lstsq": lambda a, b: sl.lstsq(a, b), "orthogonal_procrustes": lambda a, b: sl.orthogonal_procrustes(a, b),
    "solve_continuous_lyapunov": lambda a, b: sl.solve_continuous_lyapunov(a, b), "eigvals of two": lambda a, b: np.sort(np.abs(sl.eigvals(b, a))), "lu_solve": lambda a, b: sl.lu_solve(sl.lu_factor(a), b),
    "subspace_angles": lambda a, b: sl.subspace_angles(a[:, :2], b[:, :2]),
}  # fmt: skip


def matrix_of(dtype):
    return BOOLS.astype(dtype) if dtype == np.bool_ else A.astype(dtype)


def check(function, *args, target):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of SciPy's logm
            wanted = function(*args)
    except (TypeError, ValueError) as error:
        with pytest.raises(type(error)):
            s2s.jit(function, target=target)(*args)
        return
    found = s2s.jit(function, target=target)(*args)
    parts = (lambda x: x) if isinstance(wanted, tuple) else lambda x: (x,)
    for ours, theirs in zip(parts(found), parts(wanted), strict=True):
        if theirs is None or isinstance(theirs, tuple):
            assert type(ours) is type(theirs)
            continue
        assert type(ours) is type(theirs)
        assert getattr(ours, "dtype", None) == getattr(theirs, "dtype", None)
        np.testing.assert_allclose(ours, theirs, rtol=2e-3, atol=1e-3 * np.max(np.abs(theirs), initial=1.0))


@pytest.mark.parametrize("dtype", [np.bool_, np.int8, np.uint16, np.float16, np.float32])
@pytest.mark.parametrize("name", [*ONE_MATRIX, *TWO_MATRICES, *SYMMETRIC])
def test_dtypes_are_scipys(name, dtype):
    if (name, dtype) in (("expm_frechet", np.float16), ("orthogonal_procrustes", np.bool_)):
        pytest.skip("an overflow; a singular matrix")
    a, b = matrix_of(dtype), B.astype(dtype)
    if name in SYMMETRIC:
        check(SYMMETRIC[name], a + a.T + (20 * np.eye(4)).astype(dtype) if dtype != np.bool_ else np.eye(4, dtype=bool), target="numpy")
    elif name in ONE_MATRIX:
        check(ONE_MATRIX[name], a, target="numpy")
    else:
        check(TWO_MATRICES[name], a, b, target="numpy")


@pytest.mark.parametrize("dtype", [np.uint8, np.float16, np.float32])
@pytest.mark.parametrize("name", ["svdvals", "inv", "sqrtm", "norm", "norm of a factor"])
def test_compiled(name, dtype):
    check(ONE_MATRIX[name], matrix_of(dtype), target="cpu")


def test_eigh_tridiagonal_gives_a_tuple():
    found = s2s.jit(lambda d, e: sl.eigh_tridiagonal(d, e), target="numpy")(A[0] + 0.0, B[0, 1:] + 0.0)
    assert type(found) is tuple


def test_derivatives_in_single_precision():
    def loss(a):
        return np.sum(sl.sqrtm(a) ** 2) + sl.norm(a[0]) + np.sum(sl.inv(a))

    a = matrix_of(np.float32)
    found = s2s.grad(loss)(a)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, s2s.grad(loss)(a.astype(np.float64)), rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("dtype", [np.float32, np.complex64])
def test_signs_of_eigenvectors_are_the_librarys(dtype, target):
    """NumPy computes in double precision, where LAPACK chooses other signs than SciPy's single precision."""
    rng = np.random.default_rng(1)
    matrices = rng.normal(size=(12, 4, 4)) + (1j * rng.normal(size=(12, 4, 4)) if dtype == np.complex64 else 0)
    for function in (np.linalg.eig, sl.eig, np.linalg.eigh, sl.eigh, lambda a: np.linalg.eigh(a, UPLO="U")):
        ours = s2s.jit(lambda a, function=function: tuple(function(a)), target=target)
        for a in matrices.astype(dtype):
            for found, wanted in zip(ours(a), function(a), strict=True):
                np.testing.assert_allclose(found, wanted, rtol=1e-3, atol=1e-3)
                assert found.dtype in (wanted.dtype, np.complex64)  # of `eig` complex also where all are real


@pytest.mark.parametrize("function", [np.linalg.eig, sl.eig, np.linalg.eigh], ids=["np.eig", "sl.eig", "np.eigh"])
def test_derivatives_of_eigenvectors_in_single_precision(function):
    def loss(a):
        w, v = function(a)
        return np.sum(np.abs(w)) + np.sum(np.abs(v) ** 3)

    a = matrix_of(np.float32)
    a = a + a.T if function is np.linalg.eigh else a
    found = s2s.grad(s2s.jit(loss, target="numpy"))(a)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, s2s.grad(s2s.jit(loss, target="numpy"))(a.astype(np.float64)), rtol=5e-3, atol=5e-3)
