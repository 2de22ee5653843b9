"""QR and singular value decompositions of matrices of any shape, and of stacks of them. Derivatives: Seeger et al., "Auto-differentiating linear algebra" (2017), and as JAX has them."""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.errors import LINALG_ERROR, ShapeError
from s2s.transforms.primitives.conversion import TO_REAL, absolute, complex_, imag, real
from s2s.transforms.primitives.index import Full, Span
from s2s.transforms.primitives.indexing import additem, getitem
from s2s.transforms.primitives.linear_algebra import batch_shape, least_pivot, matrix_row, triangular_solve
from s2s.transforms.primitives.matrices import (
    adjoint,
    along_columns,
    along_rows,
    below,
    diagonals,
    drawn,
    positions,
    product,
    transposed,
    with_phase,
)
from s2s.transforms.primitives.reductions import reduce_all, reduce_sum
from s2s.transforms.primitives.row import Primitive
from s2s.transforms.primitives.sizes import minus, smaller, times
from s2s.transforms.primitives.structural import same_dims, sample, stop_gradient
from s2s.transforms.primitives.value import Value, Values
from s2s.types import Array, Atom, Dim, atom_dim


def _shorter(ins: tuple[Atom, ...]) -> tuple[tuple[Dim, ...], Dim, Dim, Dim]:
    """Leading axes, rows, columns, and the smaller of the two."""
    a, k = ins
    *leading, rows, columns = a.type.shape
    if a.type.dtype.kind not in "fc":
        raise ShapeError(f"{a.type} is no matrix of floats")
    return tuple(leading), rows, columns, atom_dim(k)


def _infer_qr(ins: tuple[Atom, ...]) -> tuple[Array, ...]:
    leading, rows, columns, k = _shorter(ins)
    type_ = ins[0].type.strong()
    return type_.with_shape((*leading, rows, k)), type_.with_shape((*leading, k, columns))


def _jvp_qr(dots: Any, ins: Values, outs: Values) -> tuple[Value | None, ...]:
    """With X = A_dot R^-1 and the skew part W of Q^H X: Q_dot = X - Q Q^H X + Q W, R_dot = Q^H A_dot - W R.

    Of a matrix with more columns than rows X is that of the first ones, which make Q.
    """
    if dots[0] is None:
        return None, None
    q, r = outs
    short = q.dim(q.ndim - 1)
    square = _first_columns(r, short)
    _check_independent(square)
    x = transposed(triangular_solve(square, transposed(same_dims(_first_columns(dots[0], short), q)), lower=False, transposed=True, unit=False, checked=True))
    inner = product(adjoint(q), x)
    lower = below(inner, strictly=True)
    skew = lower - adjoint(lower)
    if inner.dtype.kind == "c":
        at_rows, at_columns = positions(inner)
        skew = skew + at_rows.equals(at_columns).where(complex_(real(inner).like(0), imag(inner)), inner.like(0))
    q_dot = x + product(q, skew - inner)
    if _is_tall(ins[0]):
        return q_dot, same_dims(product(inner - skew, square), r)
    return q_dot, same_dims(product(adjoint(q), dots[0]), r) - product(skew, r)


def _check_independent(triangle: Value) -> None:
    """Refuse the derivative of Q where a column is a combination of those before it, but for rounding: it jumps there."""
    sizes = absolute(stop_gradient(triangle))
    independent = reduce_sum(sizes, axes=(sizes.ndim - 2,)) * least_pivot(triangle) < diagonals(sizes)
    whole = reduce_all(independent, axes=tuple(range(independent.ndim)))
    whole.builder.check(whole.atom, LINALG_ERROR, "Singular matrix: the QR decomposition of linearly dependent columns has no derivative")


def _is_tall(a: Value) -> bool:
    """Whether a matrix is known to have no more columns than rows."""
    rows, columns = a.shape[-2:]
    return rows is columns or isinstance(rows, int) and isinstance(columns, int) and columns <= rows


def _first_columns(x: Value, count: Value) -> Value:
    """So many of them."""
    if x.shape[-1] is count.atom or x.shape[-1] == atom_dim(count.atom):
        return x
    index = (*(Full() for _ in range(x.ndim - 1)), Span())
    return getitem(x, count.like(0), count, index=index)


qr = matrix_row(
    "qr", _infer_qr, lambda a, k: tuple(np.linalg.qr(a)), jvp=_jvp_qr, batch=batch_shape,
    samples=(
        sample(drawn(3, 3), 3), sample(drawn(4, 2), 2), sample(drawn(2, 4, 3), 3), sample(drawn(4, 2, dtype=np.complex128), 2),
        sample(drawn(2, 4), 2), sample(drawn(1, 3), 1), sample(drawn(2, 2, 3, dtype=np.complex128), 2), sample(drawn(3, 2, dtype=np.float32), 2, wrt=()),
    ),
)
"""qr(a, k) -> q, r of k columns and k rows, k the smaller of a's lengths; as LAPACK's Householder reflections have the signs."""


def _infer_svd(ins: tuple[Atom, ...]) -> tuple[Array, ...]:
    leading, rows, columns, k = _shorter(ins)
    type_ = ins[0].type.strong()
    numbers = Array(TO_REAL.get(type_.dtype, type_.dtype), (*leading, k))
    return type_.with_shape((*leading, rows, k)), numbers, type_.with_shape((*leading, k, columns))


def _jvp_svd(dots: Any, ins: Values, outs: Values) -> tuple[Value | None, ...]:
    """With D = U^H A_dot V and F[i, j] = 1 / (s[j]^2 - s[i]^2), 0 on the diagonal:
    s_dot = diag(D), U_dot = U (F * (D S + S D^H)) + what is orthogonal to U, V_dot likewise; only the longer side has something orthogonal.
    """
    (dot, _), (u, s, vh) = dots, outs
    if dot is None:
        return None, None, None
    a, v = ins[0], adjoint(vh)
    tall, wide = (_beyond(a.dim(axis), ins[1]) for axis in (a.ndim - 2, a.ndim - 1))
    moved = product(dot, v)
    inner = product(adjoint(u), moved)
    rows, columns = positions(inner)
    same, turned = rows.equals(columns), adjoint(inner)
    i, j = along_columns(s, inner), along_rows(s, inner)
    factors = same.where(0.0, j.like(1) / same.where(1.0, (j + i) * (j - i)))
    own, other = factors * j, factors * i
    left = _scaled(inner, _less(own, s, tall)) + _scaled(turned, other)
    if inner.dtype.kind == "c":
        left = left + same.where(_scaled(inner - turned, j.like(0.5) / same.where(i, 1.0)), inner.like(0))
    u_dot, v_dot = product(u, left), product(v, _scaled(inner, other) + _scaled(turned, _less(own, s, wide)))
    if tall is not False:
        u_dot = u_dot + _scaled(moved, _inverse(s, tall, moved))
    if wide is not False:
        v_dot = _with_across(v_dot, dot, u, s, wide)
    along = diagonals(inner)
    return u_dot, real(along) if along.dtype.kind == "c" else along, adjoint(v_dot)


def _beyond(length: Value, k: Value) -> Value | bool:
    """Whether a matrix has more of these than singular values."""
    same = length.atom is k.atom or atom_dim(length.atom) == atom_dim(k.atom)
    return False if same else k < length


def _less(own: Value, s: Value, beyond: Value | bool) -> Value:
    """Less what U_dot (V_dot) has in common with U (V) of what is added to it, if anything is."""
    return own if beyond is False else own - _inverse(s, beyond, own)


def _inverse(s: Value, needed: Value | bool, x: Value) -> Value:
    """1 / s along the rows of x, 0 where it is not needed."""
    inverse = s.like(1) / s
    return along_rows(needed.broadcast_to(s.shape, ()).where(inverse, s.like(0)) if isinstance(needed, Value) else inverse, x)


def _with_across(v_dot: Value, dot: Value, u: Value, s: Value, wide: Value | bool) -> Value:
    """And A_dot^H U S^-1, without a product where a is not wide: of no column of it then."""
    columns, k = dot.dim(dot.ndim - 1), s.dim(s.ndim - 1)
    extra = columns.with_atom(minus(dot.builder, columns.atom, k.atom))
    count = columns.with_atom(smaller(dot.builder, columns.atom, times(dot.builder, extra.atom, columns.atom)))
    across = product(adjoint(_first_columns(dot, count)), u)
    index = (*(Full() for _ in range(v_dot.ndim - 2)), Span(), Full())
    return additem(v_dot, _scaled(across, _inverse(s, wide, across)), count.like(0), count, index=index)


def _scaled(x: Value, factors: Value) -> Value:
    """A matrix, which may be complex, times real numbers."""
    return x * with_phase(factors, x)


def _svd(a: Any, k: Any) -> tuple[Any, ...]:
    return tuple(np.linalg.svd(a, full_matrices=False))


svd = matrix_row(
    "svd", _infer_svd, _svd, jvp=_jvp_svd, batch=batch_shape,
    samples=(
        sample(drawn(3, 3), 3), sample(drawn(4, 2), 2), sample(drawn(2, 4), 2), sample(drawn(2, 3, 2), 2), sample(drawn(3, 2, dtype=np.complex128), 2, wrt=()),
        sample(drawn(1, 1), 1), sample(drawn(3, 2, dtype=np.float32), 2, wrt=()),
    ),
)
"""svd(a, k) -> u, s, vh with k singular values, falling, k the smaller of a's lengths."""

ROWS: tuple[Primitive, ...] = (qr, svd)
