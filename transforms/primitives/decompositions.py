"""Decompositions that have more columns than are determined, or other drivers of LAPACK: rows of matrices, and of stacks of them along leading axes.

What LAPACK chooses among many (further columns of Q, U and V, the vectors of a Schur form) is no function that has a derivative: those of square matrices are those of
the decompositions without a choice (`linear_algebra`), all others are refused.
"""
from __future__ import annotations

import importlib
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.errors import LINALG_ERROR, UnsupportedError
from s2s.transforms.primitives.conversion import absolute
from s2s.transforms.primitives.indexing import Full, Index, Span, getitem, setitem
from s2s.transforms.primitives.linear_algebra import (
    all_batched,
    batch_shape,
    eigh,
    lu_tangent,
    matrix_row,
    permuted_rows,
    solve,
    square_shape,
)
from s2s.transforms.primitives.logic import logical_and
from s2s.transforms.primitives.matrices import adjoint, along_rows, drawn, positions, product, spread_out, with_phase
from s2s.transforms.primitives.orthogonal_factors import qr, svd
from s2s.transforms.primitives.reductions import reduce_all
from s2s.transforms.primitives.row import Primitive, Sample
from s2s.transforms.primitives.sizes import larger, minus, smaller
from s2s.transforms.primitives.structural import retype, same_dims, sample, stop_gradient
from s2s.transforms.primitives.value import Value, Values, zeros
from s2s.types import INT64, Array, Atom, atom_dim

# ---- eigenvectors by other drivers -----------------------------------------------------------------------------------------


def _infer_eigh(ins: tuple[Atom, ...], **_: Any) -> tuple[Array, ...]:
    return eigh.infer(ins)


def _eigh(a: Any, *, upper: bool, driver: str) -> tuple[Any, ...]:
    if driver == "evd":
        return tuple(np.linalg.eigh(a, "U" if upper else "L"))
    if not a.size:
        return eigh.evaluate(a)
    return tuple(np.ascontiguousarray(part) for part in importlib.import_module("scipy.linalg").eigh(a, lower=not upper))


def _jvp_eigh(dots: Any, ins: Values, outs: Values, *, upper: bool, driver: str) -> tuple[Value | None, ...]:
    del driver
    dot = dots[0] if dots[0] is None or not upper else adjoint(dots[0])
    return eigh.jvp((dot,), ins, outs)  # type: ignore[operator]


eigh_by: Primitive = matrix_row(
    "eigh_by", _infer_eigh, _eigh, jvp=_jvp_eigh,
    samples=tuple(
        Sample(spread_out_pair(*shape, dtype=dtype), {"upper": upper, "driver": driver}, wrt)
        for spread_out_pair in (lambda *shape, dtype: lambda rng: (spread_out(*shape, dtype=dtype)(rng),),)
        for upper in (False, True) for driver in ("evd", "evr")
        for shape, dtype, wrt in (((3, 3), np.float64, (0,)), ((2, 2, 2), np.float64, (0,)), ((3, 3), np.complex128, ()))
    ),
)  # fmt: skip
"""eigh_by(a; upper, driver) -> w, v: rising eigenvalues and the eigenvectors (columns) of what one triangle of a says; their signs are the driver's."""

# ---- LU of any matrix ---------------------------------------------------------------------------------------------------------


def _floats(ins: tuple[Atom, ...]) -> tuple[Array, tuple[Any, ...]]:
    """The type of a matrix of floats, and its shape."""
    type_ = ins[0].type.strong()
    return type_, type_.shape


def _infer_lu(ins: tuple[Atom, ...]) -> tuple[Array, ...]:
    type_, (*leading, rows, _) = _floats(ins)
    return type_, Array(INT64, (*leading, rows))


def _lu(a: Any) -> tuple[Any, ...]:
    if not a.size:
        return a.copy(), np.broadcast_to(np.arange(a.shape[-2]), a.shape[:-1]).copy()
    places, lower, upper = importlib.import_module("scipy.linalg").lu(a, p_indices=True)
    factors, short = np.zeros_like(a), min(a.shape[-2:])
    factors[..., :short, :] = upper
    factors[..., :short] += np.tril(lower, -1)
    return factors, np.argsort(places, axis=-1)


def _jvp_lu(dots: Any, ins: Values, outs: Values) -> tuple[Value | None, ...]:
    """That of a square matrix: rows are added to L and columns to U until both are, with ones on their diagonals."""
    if dots[0] is None:
        return None, None
    factors, order = outs
    _check_pivots(factors)
    moved = permuted_rows(dots[0], order)
    if factors.shape[-2] == factors.shape[-1]:
        return lu_tangent(factors, moved), None
    rows, columns = factors.dim(factors.ndim - 2), factors.dim(factors.ndim - 1)
    size = rows.with_atom(larger(rows.builder, rows.atom, columns.atom))
    whole = _within(factors, size)
    at_rows, at_columns = positions(whole)
    short = rows.with_atom(smaller(rows.builder, rows.atom, columns.atom)).broadcast_to(at_rows.shape, ())
    beyond = logical_and(at_rows.equals(at_columns), short <= at_rows)
    found = lu_tangent(beyond.where(whole.like(1), whole), _within(moved, size))
    return same_dims(getitem(found, rows.like(0), rows, columns.like(0), columns, index=_corner(found)), factors), None


def _within(x: Value, size: Value) -> Value:
    """Matrices in the corner of square ones of zeros."""
    blank = x.scalar(0).broadcast_to((*x.shape[:-2], atom_dim(size.atom), atom_dim(size.atom)), ())
    rows, columns = x.dim(x.ndim - 2), x.dim(x.ndim - 1)
    return setitem(blank, x, rows.like(0), rows, columns.like(0), columns, index=_corner(blank))


def _corner(x: Value) -> Index:
    return (*(Full() for _ in range(x.ndim - 2)), Span(), Span())


def _check_pivots(factors: Value) -> None:
    """Refuse the derivative where a pivot is 0."""
    at_rows, at_columns = positions(factors)
    regular = at_rows.equals(at_columns).where(absolute(stop_gradient(factors)), absolute(stop_gradient(factors)).like(1))
    whole = reduce_all(regular.like(0) < regular, axes=tuple(range(regular.ndim)))
    whole.builder.check(whole.atom, LINALG_ERROR, "Singular matrix: its LU decomposition has no derivative")


lu_any = matrix_row(
    "lu_any", _infer_lu, _lu, jvp=_jvp_lu, batch=all_batched,
    samples=(
        *(sample(drawn(*shape)) for shape in ((3, 3), (4, 2), (2, 4), (2, 3, 2), (1, 1), (0, 2, 2), (3, 0))), sample(drawn(3, 2, dtype=np.complex128)),
        sample(drawn(2, 3, dtype=np.float32), wrt=()),
    ),
)
"""lu_any(a) -> factors, order: a[order] = L U of a matrix of any shape, singular or not; L without its ones lies below U in `factors`."""

# ---- complete bases ----------------------------------------------------------------------------------------------------------


def _compared(a: Value, known: Callable[[int, int], bool], asked: Callable[[Value, Value], Value]) -> Value | bool:
    """What holds of the numbers of rows and of columns."""
    rows, columns = a.shape[-2:]
    return known(rows, columns) if isinstance(rows, int) and isinstance(columns, int) else asked(a.dim(a.ndim - 2), a.dim(a.ndim - 1))


def _infer_qr(ins: tuple[Atom, ...]) -> tuple[Array, ...]:
    type_, (*leading, rows, columns) = _floats(ins)
    return type_.with_shape((*leading, rows, rows)), type_.with_shape((*leading, rows, columns))


def _jvp_qr(dots: Any, ins: Values, outs: Values) -> tuple[Value | None, ...]:
    """Of the first columns of Q, as many as the shorter side, it is the reduced one; the others follow from these.

    Householder's reflections make Q = 1 - V T V^H, V's upper square with ones on its diagonal. With D the first columns of Q - 1, upper square S, and Z S what is
    below S, the last columns are those of 1 + D Z^H. A column that needs no reflection has the other sign beside it, where it needs one: to the last columns
    both are the same, but S is singular with the first one.
    """
    if dots[0] is None:
        return None, None
    a, (q, r) = ins[0], outs
    wide = _compared(a, operator.le, operator.le)
    if wide is True:
        return qr.jvp((dots[0], None), (a, q.dim(q.ndim - 1)), outs)  # type: ignore[operator]
    rows, columns = a.dim(a.ndim - 2), a.dim(a.ndim - 1)
    short = rows.with_atom(smaller(a.builder, rows.atom, columns.atom))
    none, rest = short.like(0), rows.with_atom(minus(a.builder, rows.atom, short.atom))
    first, triangle = _block(q, none, rows, none, short), _block(r, none, short, none, columns)
    first_dot, triangle_dot = qr.jvp((dots[0], None), (a, short), (first, triangle))  # type: ignore[operator]
    at_rows, at_columns = positions(first)
    signs = _signs(a, short, first)
    moved, moved_dot = first * signs - at_rows.equals(at_columns).where(first.like(1), first.like(0)), first_dot * signs
    square, square_dot = (_block(each, none, short, none, short) for each in (moved, moved_dot))
    if wide is not False:  # without further columns no equations: a square matrix's last column needs no reflection
        at_rows, at_columns = positions(square)
        square = wide.broadcast_to(square.shape, ()).where(at_rows.equals(at_columns).where(square.like(1), square.like(0)), square)
    turned = adjoint(square)
    across = solve(turned, adjoint(_block(moved, short, rest, none, short)))
    across_dot = solve(turned, adjoint(_block(moved_dot, short, rest, none, short)) - product(adjoint(square_dot), across))
    last_dot = product(moved_dot, across) + product(moved, across_dot)
    q_dot, r_dot = zeros(a.builder, q.type), zeros(a.builder, r.type)
    q_dot = setitem(setitem(q_dot, first_dot, none, rows, none, short, index=_corner(q)), last_dot, none, rows, short, rest, index=_corner(q))
    return q_dot, setitem(r_dot, triangle_dot, none, short, none, columns, index=_corner(r))


def _signs(a: Value, short: Value, q: Value) -> Value:
    """-1 in the columns that needed no reflection, as one beside them does."""
    scales = qr_raw.outs(stop_gradient(a), short)[1]
    return along_rows(scales.equals(scales.like(0)).where(scales.like(-1), scales.like(1)), q)


def _block(x: Value, top: Value, rows: Value, left: Value, columns: Value) -> Value:
    """A part of each matrix: from a row and a column on, so many."""
    return getitem(x, top, rows, left, columns, index=_corner(x))


qr_complete = matrix_row(
    "qr_complete", _infer_qr, lambda a: tuple(np.linalg.qr(a, mode="complete")), jvp=_jvp_qr,
    samples=(
        sample(drawn(3, 3)), sample(drawn(2, 2, 2)), sample(drawn(4, 2)), sample(drawn(2, 4)), sample(drawn(2, 3, 1)), sample(drawn(2, 3, 2, dtype=np.complex128)),
        sample(drawn(3, 1, dtype=np.float32), wrt=()),
    ),
)
"""qr_complete(a) -> q, r: q square, with columns beyond those of a; r of a's shape."""


def _infer_raw(ins: tuple[Atom, ...]) -> tuple[Array, ...]:
    type_, (*leading, rows, columns) = _floats(ins)
    return type_.with_shape((*leading, columns, rows)), type_.with_shape((*leading, atom_dim(ins[1])))


def _refused(what: str, why: str, instead: str) -> Any:
    """A derivative that is refused by name."""

    def jvp(dots: Any, ins: Values, outs: Values, **_: Any) -> tuple[None, ...]:
        if dots[0] is not None:
            raise UnsupportedError(f"the derivative of {what}", where=ins[0].builder.where, why=why, instead=instead)
        return (None,) * len(outs)

    return jvp


qr_raw = matrix_row(
    "qr_raw", _infer_raw, lambda a, k: tuple(np.ascontiguousarray(part) for part in np.linalg.qr(a, mode="raw")), batch=batch_shape,
    jvp=_refused("a raw QR decomposition", "its reflections are how LAPACK computes", "mode='reduced'"),
    samples=tuple(sample(drawn(*shape, dtype=dtype), min(shape[-2:]), wrt=()) for shape, dtype in (((3, 3), np.float64), ((4, 2), np.float64), ((2, 4), np.complex128))),
)
"""qr_raw(a, k) -> h, tau: LAPACK's Householder reflections, a's transpose with them below R, and their k scales."""


def _infer_svd(ins: tuple[Atom, ...]) -> tuple[Array, ...]:
    type_, (*leading, rows, columns) = _floats(ins)
    return type_.with_shape((*leading, rows, rows)), svd.infer(ins)[1], type_.with_shape((*leading, columns, columns))


def _jvp_svd(dots: Any, ins: Values, outs: Values) -> tuple[Value | None, ...]:
    """Of the first columns, as many as singular values, it is the reduced one; the others move by what turns them against these, and not within their space."""
    (dot, _), (a, k), (u, s, vh) = dots, ins, outs
    if dot is None:
        return None, None, None
    if _compared(a, operator.eq, lambda rows, columns: rows.equals(columns)) is True:
        size = u.dim(u.ndim - 1)
        a, dot, u, vh = (retype(x, *x.dims()[:-2], size, size) for x in (a, dot, u, vh))
        one, two, three = svd.jvp((dot, None), (a, size), (u, retype(s, *s.dims()[:-1], size), vh))  # type: ignore[operator]
        return one, retype(two, *s.dims()), retype(three, *outs[2].dims())
    v, none = adjoint(vh), k.like(0)
    left, right = _block(u, none, u.dim(u.ndim - 1), none, k), _block(v, none, v.dim(v.ndim - 1), none, k)
    left_dot, s_dot, right_dot = svd.jvp((dot, None), (a, k), (left, s, adjoint(right)))  # type: ignore[operator]
    u_dot = _with_further(u, left, left_dot, product(dot, right), s)
    v_dot = _with_further(v, right, adjoint(right_dot), product(adjoint(dot), left), s)
    return u_dot, s_dot, adjoint(v_dot)


def _with_further(u: Value, first: Value, first_dot: Value, moved: Value, s: Value) -> Value:
    """The movement of all columns U: the further ones by -U1 (A_dot V1 / s)^H U2, `moved` A_dot V1 (for those of V: A_dot^H U1)."""
    size, k = u.dim(u.ndim - 1), first.dim(first.ndim - 1)
    none, rest = k.like(0), size.with_atom(minus(u.builder, size.atom, k.atom))
    further = _block(u, none, size, k, rest)
    ratio = along_rows(s, moved)
    scaled = moved * with_phase(ratio.like(1) / ratio, moved)
    further_dot = -product(first, product(adjoint(scaled), further))
    u_dot = setitem(zeros(u.builder, u.type), first_dot, none, size, none, k, index=_corner(u))
    return setitem(u_dot, further_dot, none, size, k, rest, index=_corner(u))


svd_complete = matrix_row(
    "svd_complete", _infer_svd, lambda a, k: tuple(np.linalg.svd(a)), jvp=_jvp_svd, batch=batch_shape,
    samples=(
        sample(drawn(3, 3), 3), sample(drawn(3, 2), 2), sample(drawn(2, 3), 2), sample(drawn(4, 2), 2, wrt=()), sample(drawn(2, 4), 2, wrt=()), sample(drawn(2, 3, 2, dtype=np.complex128), 2, wrt=()),
        sample(drawn(3, 1, dtype=np.float32), 1, wrt=()),
    ),
)
"""svd_complete(a, k) -> u, s, vh: u and vh square, k singular values, k the smaller of a's lengths."""

# ---- Schur's form --------------------------------------------------------------------------------------------------------------


def _infer_schur(ins: tuple[Atom, ...]) -> tuple[Array, ...]:
    square_shape(ins[0])
    return (ins[0].type.strong(),) * 2


def _schur(a: Any) -> tuple[Any, ...]:
    if not a.size:
        return np.zeros_like(a), np.zeros_like(a)
    function = importlib.import_module("scipy.linalg").schur
    parts = [function(a[index]) for index in np.ndindex(*a.shape[:-2])]
    return tuple(np.stack(each).reshape(a.shape) for each in zip(*parts, strict=True))


schur = matrix_row(
    "schur_form", _infer_schur, _schur, batch=all_batched,
    jvp=_refused("a Schur decomposition", "its vectors, and which eigenvalue stands where, are LAPACK's choice among many", "np.linalg.eig, or eigvals"),
    samples=tuple(sample(drawn(*shape, dtype=dtype), wrt=()) for shape, dtype in (
        ((3, 3), np.float64), ((2, 4, 4), np.float64), ((1, 1), np.float64), ((3, 3), np.complex128), ((3, 3), np.float32), ((0, 2, 2), np.float64),
    )),
)  # fmt: skip
"""schur_form(a) -> t, z: a = z t z^H, z unitary, t an upper triangle; of real matrices with 2 x 2 blocks for pairs of complex eigenvalues."""

ROWS: tuple[Primitive, ...] = (eigh_by, lu_any, qr_complete, qr_raw, svd_complete, schur)
