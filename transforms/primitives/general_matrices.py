"""Eigenvalues of general matrices, and pseudo-inverses: rows of matrices, and of stacks of them along leading axes.

Derivatives: Giles (2008) for eigenvalues; Golub and Pereyra, "The differentiation of pseudo-inverses …" (1973).
"""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.errors import ShapeError
from s2s.transforms.primitives.conversion import TO_COMPLEX, TO_REAL, absolute, complex_, imag, real
from s2s.transforms.primitives.families import repeat
from s2s.transforms.primitives.linear_algebra import matrix_row, side_by_side, solve, square_shape
from s2s.transforms.primitives.matrices import adjoint, along_columns, along_rows, conjugate, diagonals, drawn, positions, product
from s2s.transforms.primitives.orthogonal_factors import svd
from s2s.transforms.primitives.reductions import reduce_all, reduce_max, reduce_sum
from s2s.transforms.primitives.row import Primitive, Sample
from s2s.transforms.primitives.sizes import smaller
from s2s.transforms.primitives.structural import iota, sample, shared_sizes, stop_gradient
from s2s.transforms.primitives.value import Value, Values
from s2s.types import Array, Atom

# ---- eigenvalues ----------------------------------------------------------------------------------------------------------


def _infer_eig(ins: tuple[Atom, ...]) -> tuple[Array, ...]:
    shape, dtype = square_shape(ins[0]), ins[0].type.dtype
    whole = TO_COMPLEX.get(dtype, dtype)
    return Array(whole, shape[:-1]), Array(whole, shape)


def _eig(a: Any) -> tuple[Any, ...]:
    w, v = np.linalg.eig(a)
    whole = np.result_type(a.dtype, np.complex64)
    return w.astype(whole), v.astype(whole)


def _jvp_eig(dots: Any, ins: Values, outs: Values) -> tuple[Value | None, ...]:
    """With X = V^-1 A_dot V and F[i, j] = 1 / (w[j] - w[i]): w_dot = diag(X), V_dot = V (F * X), and what keeps the length of each column and its largest
    element real.
    """
    if dots[0] is None:
        return None, None
    w, v = outs
    dot = dots[0] if dots[0].dtype.kind == "c" else complex_(dots[0], dots[0].like(0))
    change = solve(v, product(dot, v))
    rows, columns = positions(change)
    same = rows.equals(columns)
    gaps = same.where(1.0, along_rows(w, change) - along_columns(w, change))
    moved = product(v, same.where(0.0, change / gaps))
    return diagonals(change), moved - v * along_rows(_drift(v, moved), v)


def _drift(v: Value, moved: Value) -> Value:
    """The multiple of each column by which LAPACK's choice of its length and phase does not let it move."""
    over_rows = (v.ndim - 2,)
    longer = reduce_sum(real(conjugate(v) * moved), axes=over_rows)
    sizes = absolute(stop_gradient(v))
    largest = along_rows(reduce_max(sizes, axes=over_rows), sizes) <= sizes
    first = _first(largest)
    turned = imag(moved / first.where(v, v.like(1)))
    return complex_(longer, reduce_sum(first.where(turned, turned.like(0)), axes=over_rows))


def _first(marked: Value) -> Value:
    """Of the marked elements of each column the first."""
    rows, _ = positions(marked)
    numbers = marked.where(-rows, -rows - 2**40)
    return numbers.equals(along_rows(reduce_max(numbers, axes=(marked.ndim - 2,)), marked))


def apart(*shape: int, dtype: Any = np.float64) -> Any:
    """Matrices whose eigenvalues lie apart."""
    return lambda rng: (drawn(*shape, dtype=dtype)(rng) * 0.3 + np.diag(np.arange(1.0, shape[-1] + 1))).astype(dtype)


eig = matrix_row(
    "eig", _infer_eig, _eig, jvp=_jvp_eig,
    samples=(
        sample(apart(3, 3)), sample(apart(1, 1)), sample(apart(2, 4, 4)), sample(apart(0, 2, 2)), sample(apart(3, 3, dtype=np.complex128)),
    ),
)
"""eig(a) -> w, v: eigenvalues and eigenvectors (columns) of any square matrix, complex; lengths and phases as LAPACK chooses them."""

# ---- pseudo-inverses ---------------------------------------------------------------------------------------------------------


def _infer_pinv(ins: tuple[Atom, ...], *, given: bool) -> tuple[Array, ...]:
    *leading, rows, columns = ins[0].type.shape
    return (ins[0].type.strong().with_shape((*leading, columns, rows)),)


def _pinv(a: Any, cutoff: Any, *, given: bool) -> Any:
    del given
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    large = s > cutoff * np.max(s, axis=-1, keepdims=True, initial=0)
    scaled = np.where(large, 1 / np.where(large, s, 1), 0).astype(s.dtype)
    return np.conj(np.swapaxes(vh, -1, -2)) @ (scaled[..., None] * np.conj(np.swapaxes(u, -1, -2)))


LEFT_OUT = 1e-8
"""Of the singular values that are kept: what may be left out as if it were 0."""


def _jvp_pinv(dots: Any, ins: Values, outs: Values, *, given: bool) -> tuple[Value | None, ...]:
    """P_dot = -P A_dot P + P P^H A_dot^H (1 - A P) + (1 - P A) A_dot^H P^H P."""
    (dot, _), (a, cutoff), (p,) = dots, ins, outs
    if dot is None:
        return (None,)
    if given:
        _check_left_out(stop_gradient(a), cutoff)
    turned = adjoint(dot)
    left, right = product(product(p, adjoint(p)), turned), product(turned, product(adjoint(p), p))
    return (left - product(left, product(a, p)) + right - product(p, product(a, right)) - product(p, product(dot, p)),)


def _check_left_out(a: Value, cutoff: Value) -> None:
    """Refuse the derivative where what the cutoff leaves out is not 0: P is no pseudo-inverse of A then."""
    shorter = a.with_atom(smaller(a.builder, a.dim(a.ndim - 2).atom, a.dim(a.ndim - 1).atom))
    sizes = svd.outs(a, shorter)[1]
    last = sizes.ndim - 1
    place = iota(sizes.dim(last)).broadcast_to(sizes.shape, (last,))
    largest = reduce_sum(place.equals(place.like(0)).where(sizes, sizes.like(0)), axes=(last,))
    bound = largest * reduce_sum(cutoff, axes=(last,))
    kept = bound.broadcast_to(sizes.shape, tuple(range(last))) < sizes
    left_out = reduce_sum(kept.where(sizes.like(0), sizes), axes=(last,)).broadcast_to(sizes.shape, tuple(range(last)))
    fine = reduce_all(kept.where(left_out, left_out.like(0)) <= sizes * LEFT_OUT, axes=tuple(range(sizes.ndim)))
    a.builder.check(
        fine.atom, "NotImplementedError", "the derivative of a pseudo-inverse that leaves out singular values that are not zero: by np.linalg.svd, np.where(s > cutoff, 1 / s, 0.0)",
    )


def _with_cutoff(make: Any, dtype: Any = np.float64) -> Any:
    def operands(rng: np.random.Generator) -> tuple[Any, ...]:
        a = make(rng)
        return a, np.full((*a.shape[:-2], 1), 1e-15, TO_REAL.get(np.dtype(dtype), np.dtype(dtype)))

    return operands


pinv = matrix_row(
    "pinv", _infer_pinv, _pinv, jvp=_jvp_pinv,
    samples=(
        *(Sample(_with_cutoff(drawn(*shape)), {"given": shape[0] == 2}, (0,)) for shape in ((3, 3), (4, 2), (2, 4), (2, 3, 2), (1, 1))),
        Sample(_with_cutoff(drawn(3, 2, dtype=np.complex128), np.complex128), {"given": True}, (0,)), Sample(_with_cutoff(drawn(3, 2, dtype=np.float32), np.float32), {"given": False}, ()),
    ),
)
"""pinv(a, cutoff; given): the pseudo-inverse; singular values up to `cutoff` (a number for each matrix, in an axis of length 1) times the largest count as 0. `given`: that may be
more than rounding leaves of 0."""

UNSQUARED = "SVD did not converge in Linear Least Squares"


def _infer_lstsq(ins: tuple[Atom, ...], *, given: bool) -> tuple[Array, ...]:
    a, cutoff, b, k = ins
    (inverse,), (*leading, rows, count) = _infer_pinv((a, cutoff), given=given), b.type.shape
    if (*leading, rows) != a.type.shape[:-1] or a.type.dtype != b.type.dtype:
        raise ShapeError(f"{b.type} is no right side of {a.type}")
    return inverse.with_shape((*leading, a.type.shape[-1], count)), inverse, svd.infer((a, k))[1]


def _lstsq(a: Any, cutoff: Any, b: Any, k: Any, *, given: bool) -> Any:
    del k
    inverse = _pinv(a, cutoff, given=given)
    return inverse @ b, inverse, np.linalg.svd(a, compute_uv=False)


def _jvp_lstsq(dots: Any, ins: Values, outs: Values, *, given: bool) -> tuple[Value | None, ...]:
    """With what is left r = b - A x: x_dot = P (b_dot - A_dot x + P^H A_dot^H r) + (1 - P A) A_dot^H P^H x."""
    (dot, _, b_dot, _), (a, cutoff, b, k), (x, p, _) = dots, ins, outs
    if dot is None:
        return (None if b_dot is None else product(p, b_dot), None, None)
    p_dot, turned, inverse = _jvp_pinv((dot, None), (a, cutoff), (p,), given=given)[0], adjoint(dot), adjoint(p)
    inside = product(inverse, product(turned, b - product(a, x))) - product(dot, x)
    beyond = product(turned, product(inverse, x))
    s_dot = svd.jvp((dot, None), (a, k), svd.outs(a, k))[1]  # type: ignore[operator]
    return product(p, (inside if b_dot is None else inside + b_dot) - product(a, beyond)) + beyond, p_dot, s_dot


def _batch_lstsq(primitive: Primitive, ins: Values, batched: tuple[bool, ...], size: Value, **params: Any) -> Any:
    """Many right sides for one matrix are the columns of one right side."""
    shared_sizes(primitive, batched[3:], size.builder.where)
    a, cutoff, b, k = ins
    if any(batched[:2]):
        stacks = (x if is_batched else repeat(x, size) for x, is_batched in zip((a, cutoff, b), batched[:3], strict=True))
        return primitive.outs(*stacks, k, **params), (True,) * 3
    columns, parted = side_by_side(b)
    x, inverse, s = primitive.outs(a, cutoff, columns, k, **params)
    return (parted(x, x.dim(x.ndim - 2)), inverse, s), (True, False, False)


def _with_side(make: Any, count: int, dtype: Any = np.float64) -> Any:
    def operands(rng: np.random.Generator) -> tuple[Any, ...]:
        a, cutoff = _with_cutoff(make, dtype)(rng)
        return a, cutoff, drawn(*a.shape[:-1], count, dtype=dtype)(rng), min(a.shape[-2:])

    return operands


lstsq = matrix_row(
    "lstsq", _infer_lstsq, _lstsq, jvp=_jvp_lstsq, batch=_batch_lstsq,
    samples=(
        *(Sample(_with_side(drawn(*shape), count), {"given": shape[0] == 2}, (0, 2)) for shape, count in (((3, 3), 1), ((4, 2), 2), ((2, 4), 1), ((2, 3, 2), 2), ((1, 1), 1))),
        Sample(_with_side(drawn(3, 2, dtype=np.complex128), 1, np.complex128), {"given": False}, (0, 2)), Sample(_with_side(drawn(3, 2, dtype=np.float32), 2, np.float32), {"given": False}, ()),
    ),
)
"""lstsq(a, cutoff, b, k; given): pinv(a, cutoff; given) @ b, the pseudo-inverse, which derivatives are made of (where nothing else needs it, it is not made), and the k singular values."""

ROWS: tuple[Primitive, ...] = (eig, pinv, lstsq)
