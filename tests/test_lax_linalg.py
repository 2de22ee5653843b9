"""s2s.lax.linalg beside JAX's: values, dtypes, cotangents and batches, as plain functions and as they are read. Runs where JAX is installed."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytest.importorskip("jax")
import jax  # noqa: E402 - it may be missing

import s2s  # noqa: E402

jax.config.update("jax_enable_x64", True)
RNG = np.random.default_rng(0)
A, T = RNG.normal(size=(2, 4, 4)), RNG.normal(size=(2, 5, 3))
S, C, TC = A @ A.swapaxes(-1, -2) + np.eye(4), A + 1j * RNG.normal(size=A.shape), T + 1j * RNG.normal(size=T.shape)
H = C @ C.conj().swapaxes(-1, -2) + np.eye(4)
D = RNG.normal(size=(2, 4)) + 5
TALL, WIDE, FEW = RNG.normal(size=(2, 4, 3)), RNG.normal(size=(2, 3, 4)), RNG.normal(size=(2, 5, 2))
RAW, TAUS = (np.ascontiguousarray(x) for x in (np.linalg.qr(T, mode="raw")[0].swapaxes(-1, -2), np.linalg.qr(T, mode="raw")[1]))
RAW_C, TAUS_C = (np.ascontiguousarray(x) for x in (np.linalg.qr(TC, mode="raw")[0].swapaxes(-1, -2), np.linalg.qr(TC, mode="raw")[1]))
R = np.ascontiguousarray(np.linalg.cholesky(S[0]).T)
PIVOTS = np.array([[2, 3, 2], [0, 4, 4]], np.int32)
Case = tuple[Callable[..., Any], tuple[Any, ...]]


def _decompositions() -> dict[str, Case]:
    made: dict[str, Case] = {}
    for kind, x in (("real", S), ("complex", H), ("single", S.astype(np.float32))):
        made[f"cholesky {kind}"] = lambda L, x: L.cholesky(x), (x,)
        made[f"cholesky lower {kind}"] = lambda L, x: L.cholesky(x, symmetrize_input=False), (x,)
        made[f"eigh {kind}"] = lambda L, x: L.eigh(x)[1], (x,)
    for lower in (True, False):
        made[f"eigh {lower}"] = lambda L, x, lower=lower: L.eigh(x, lower=lower, symmetrize_input=False), (A,)
        for kind, x in (("real", S), ("complex", H)):
            made[f"tridiagonal {lower} {kind}"] = lambda L, x, lower=lower: L.tridiagonal(x, lower=lower), (x,)
    for kind, x in (("real", A), ("complex", C), ("of real values", S + np.triu(A, 2))):
        made[f"eig {kind}"] = lambda L, x: L.eig(x, compute_left_eigenvectors=False), (x,)
        made[f"eig left {kind}"] = lambda L, x: L.eig(x), (x,)
        made[f"eig left alone {kind}"] = lambda L, x: L.eig(x, compute_right_eigenvectors=False), (x,)
        made[f"eig values {kind}"] = lambda L, x: L.eig(x, compute_left_eigenvectors=False, compute_right_eigenvectors=False), (x,)
        made[f"schur {kind}"], made[f"hessenberg {kind}"] = (lambda L, x: L.schur(x), (x,)), (lambda L, x: L.hessenberg(x), (x,))
    made["schur alone"] = lambda L, x: L.schur(x, compute_schur_vectors=False), (A,)
    for kind, x in (("tall", T), ("complex", TC), ("wide", T.swapaxes(1, 2)), ("square", A)):
        for full in (True, False):
            made[f"qr {kind} {full}"] = lambda L, x, full=full: L.qr(x, full_matrices=full), (x,)
            made[f"qr pivoting {kind} {full}"] = lambda L, x, full=full: L.qr(x, full_matrices=full, pivoting=True), (x,)
            made[f"svd {kind} {full}"] = lambda L, x, full=full: L.svd(x, full_matrices=full), (x,)
        made[f"svd values {kind}"], made[f"lu {kind}"] = (lambda L, x: L.svd(x, compute_uv=False), (x,)), (lambda L, x: L.lu(x), (x,))
    return made


def _others() -> dict[str, Case]:
    made: dict[str, Case] = {}
    for kind, x in (("real", A), ("complex", C)):
        for number in range(32) if kind == "complex" else range(0, 32, 3):
            left, lower, transposed, conjugated, unit = (bool(number >> bit & 1) for bit in range(5))
            given = {"left_side": left, "lower": lower, "transpose_a": transposed, "conjugate_a": conjugated, "unit_diagonal": unit}
            made[f"triangular_solve {kind} {number}"] = lambda L, a, b, given=given: L.triangular_solve(a, b, **given), (x, (TALL if left else WIDE).astype(x.dtype))
    made["tridiagonal_solve"] = lambda L, *xs: L.tridiagonal_solve(*xs), (A[:, 0], D, A[:, 1], TALL)
    for kind, raw, taus in (("real", RAW, TAUS), ("complex", RAW_C, TAUS_C)):
        made[f"householder_product {kind}"] = lambda L, a, t: L.householder_product(a, t), (raw, taus)
        for left in (True, False):
            for turned in (True, False):
                c = (FEW if left else FEW.swapaxes(1, 2)).astype(raw.dtype)
                made[f"ormqr {kind} {left} {turned}"] = lambda L, a, t, c, left=left, turned=turned: L.ormqr(a, t, c, left=left, transpose=turned), (raw, taus, c)
    made["cholesky_update"] = lambda L, r, w: L.cholesky_update(r, w), (R, A[0, 0])
    made["symmetric_product"] = lambda L, a, c: L.symmetric_product(a, c, alpha=2.0, beta=0.5, symmetrize_output=True), (T, np.stack([np.eye(5)] * 2))
    made["lu_pivots_to_permutation"] = lambda L, p: L.lu_pivots_to_permutation(p, 5), (PIVOTS,)
    return made


CASES = _decompositions() | _others()
SLOPES = (
    "cholesky real", "cholesky complex", "eigh real", "eigh complex", "eig values real", "qr tall False", "qr square True", "svd values tall", "svd values complex", "lu tall", "lu wide", "lu square",
    *(f"triangular_solve real {number}" for number in range(0, 32, 3)), *(f"triangular_solve complex {number}" for number in range(1, 32, 5)),
    "tridiagonal_solve",
)  # fmt: skip
"""Whose cotangents JAX has."""
OWN_SLOPES = ("symmetric_product", "cholesky_update", "ormqr real True False", "ormqr real False True", "hessenberg real", "tridiagonal True real", "householder_product real", "eigh True")
"""Whose derivatives stand beside differences."""


def same(found: Any, wanted: Any, digits: float = 1e-9) -> None:
    found, wanted = jax.tree.leaves(found), jax.tree.leaves(wanted)
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted, strict=True):
        assert np.shape(one) == np.shape(other)
        assert np.asarray(one).dtype == other.dtype
        np.testing.assert_allclose(one, other, rtol=digits, atol=digits)


def test_every_function_is_compared() -> None:
    from s2s.transforms.read.composed.lax_linalg import EXPORTED

    assert all(any(case.split()[0] == name for case in CASES) for name in EXPORTED)


@pytest.mark.parametrize("name", CASES)
def test_values_are_jax_s(name: str) -> None:
    call, args = CASES[name]
    wanted = call(jax.lax.linalg, *map(jax.numpy.asarray, args))
    digits = 1e-4 if args[0].dtype == np.float32 else 1e-9
    same(call(s2s.lax.linalg, *args), wanted, digits)
    found = s2s.jit(lambda *xs: call(s2s.lax.linalg, *xs), target="numpy")(*args)
    same(tuple(found) if isinstance(found, list) else found, wanted, digits)


@pytest.mark.parametrize("name", SLOPES)
def test_cotangents_are_jax_s(name: str) -> None:
    call, args = CASES[name]

    def pulled(library: Any, given: tuple[Any, ...]) -> Any:
        out, pull = library.vjp(lambda *xs: [x for x in jax.tree.leaves(call(library.lax.linalg, *xs)) if x.dtype.kind in "fc"], *given)
        return pull([(np.cos(np.arange(np.size(x))) * (1 + 1j if x.dtype.kind == "c" else 1)).reshape(np.shape(x)) for x in out])

    def ours(*xs: Any) -> Any:
        found = call(s2s.lax.linalg, *xs)
        return [x for x in s2s.tree.leaves(found) if x.dtype.kind in "fc"]

    wanted = pulled(jax, tuple(map(jax.numpy.asarray, args)))
    out, pull = s2s.vjp(s2s.jit(ours, target="numpy"), *args)
    found = pull([(np.cos(np.arange(np.size(x))) * (1 + 1j if x.dtype.kind == "c" else 1)).reshape(np.shape(x)) for x in out])
    if name.startswith(("cholesky", "eigh")):  # the part of a Hermitian matrix that a derivative belongs to is a convention
        found, wanted = ([each + np.conj(np.swapaxes(each, -1, -2)) for each in parts] for parts in (found, wanted))
    same(tuple(found), tuple(wanted))


@pytest.mark.parametrize("name", OWN_SLOPES)
def test_derivatives(name: str) -> None:
    call, args = CASES[name]
    s2s.check_grads(s2s.jit(lambda *xs: call(s2s.lax.linalg, *xs), target="numpy"), args, order=1, modes=("fwd", "rev"))


def test_compiled_and_batched() -> None:
    def evidence(x: Any, y: Any) -> Any:
        factor = s2s.lax.linalg.cholesky(x)
        return np.sum(s2s.lax.linalg.triangular_solve(factor, y, left_side=True, lower=True) ** 2) + np.sum(np.log(np.diagonal(factor)))

    def theirs(x: Any, y: Any) -> Any:
        factor = jax.lax.linalg.cholesky(x)
        return jax.numpy.sum(jax.lax.linalg.triangular_solve(factor, y, left_side=True, lower=True) ** 2) + jax.numpy.sum(jax.numpy.log(jax.numpy.diagonal(factor)))

    same(s2s.vmap(s2s.value_and_grad(evidence, argnums=(0, 1)))(S, TALL), jax.vmap(jax.value_and_grad(theirs, argnums=(0, 1)))(S, TALL))


REFUSED = [
    (lambda L: L.schur(A, sort_eig_vals=True), NotImplementedError, "order of the eigenvalues"),
    (lambda L: L.cholesky(T), ValueError, "Argument to cholesky must have shape"),
    (lambda L: L.cholesky(-S), np.linalg.LinAlgError, "positive definite"),
    (lambda L: L.triangular_solve(A, TALL), TypeError, "Incompatible shapes for arguments to triangular_solve"),
    (lambda L: L.tridiagonal_solve(D, D, D, A[0]), ValueError, "leading ndim-1 dimensions of b"),
    (lambda L: L.qdwh(A), AttributeError, "scipy.linalg.polar"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "kind", "words"), REFUSED)
def test_refused(call: Any, kind: Any, words: str) -> None:
    with pytest.raises(kind, match=words):
        call(s2s.lax.linalg)
