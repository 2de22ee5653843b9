"""Some eigenvectors of symmetric matrices, left eigenvectors, and eigenvalues of two matrices: rows of matrices, and of stacks of them along leading axes, by the functions of LAPACK that SciPy calls.

Derivatives: Giles (2008); of two matrices, Stewart and Sun, "Matrix perturbation theory" (1990), VI.
"""
from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.errors import ShapeError, UnsupportedError
from s2s.transforms.primitives.conversion import TO_REAL, complex_, real
from s2s.transforms.primitives.general_matrices import apart, eig
from s2s.transforms.primitives.linear_algebra import eigh, hermitian, matrix_row, square_shape
from s2s.transforms.primitives.matrices import (
    adjoint,
    along_columns,
    along_rows,
    conjugate,
    drawn,
    positions,
    product,
    spread_out,
    with_phase,
)
from s2s.transforms.primitives.reductions import reduce_sum
from s2s.transforms.primitives.row import Primitive, Sample
from s2s.transforms.primitives.structural import sample
from s2s.transforms.primitives.value import Value, Values
from s2s.types import Array, Atom

# ---- some eigenvectors of symmetric matrices ---------------------------------------------------------------------------------


def _infer_part(ins: tuple[Atom, ...], *, upper: bool, first: int, last: int) -> tuple[Array, ...]:
    del upper
    type_, shape = ins[0].type.strong(), square_shape(ins[0])
    return Array(TO_REAL.get(type_.dtype, type_.dtype), (*shape[:-2], last - first + 1)), type_.with_shape((*shape[:-1], last - first + 1))


def _part(a: Any, *, upper: bool, first: int, last: int) -> tuple[Any, ...]:
    count, function = last - first + 1, importlib.import_module("scipy.linalg").eigh
    w, v = np.empty((*a.shape[:-2], count), np.real(a).dtype), np.empty((*a.shape[:-1], count), a.dtype)
    for index in np.ndindex(*a.shape[:-2]):
        w[index], v[index] = function(a[index], lower=not upper, subset_by_index=[first, last])
    return w, v


def _jvp_part(dots: Any, ins: Values, outs: Values, *, upper: bool, first: int, last: int) -> tuple[Value | None, ...]:
    """By all eigenvectors U, of whichever signs: w_dot[j] = v[j]^H A_dot v[j], v_dot = U (F * (U^H A_dot v)), F[i, j] = 1 / (w[j] - u[i]), 0 where i is j's own."""
    del last
    if dots[0] is None:
        return None, None
    (w, v), (triangle, dot) = outs, (adjoint(each) if upper else each for each in (ins[0], dots[0]))
    every, others = eigh.outs(triangle)
    moved = product(hermitian(dot), v)
    change = product(adjoint(others), moved)
    rows, columns = positions(change)
    own = rows.equals(columns + first)
    gaps = own.where(1.0, along_rows(w, change) - along_columns(every, change))
    along = reduce_sum(conjugate(v) * moved, axes=(v.ndim - 2,))
    return (real(along) if along.dtype.kind == "c" else along), product(others, own.where(0.0, change / with_phase(gaps, change)))


def _one(shape: tuple[int, ...], dtype: Any) -> Callable[[np.random.Generator], Any]:
    return lambda rng: (spread_out(*shape, dtype=dtype)(rng),)


eigh_part: Primitive = matrix_row(
    "eigh_part", _infer_part, _part, jvp=_jvp_part,
    samples=tuple(
        Sample(_one(shape, dtype), {"upper": upper, "first": first, "last": last}, wrt)
        for shape, dtype, upper, first, last, wrt in (
            ((3, 3), np.float64, False, 1, 2, (0,)), ((4, 4), np.float64, True, 0, 0, (0,)), ((2, 3, 3), np.float64, False, 2, 2, (0,)), ((3, 3), np.complex128, False, 0, 1, ()),
            ((3, 3), np.float32, True, 0, 2, ()),
        )
    ),
)  # fmt: skip
"""eigh_part(a; upper, first, last) -> w, v: these eigenvalues of what one triangle of a says, counted from the lowest, and their eigenvectors (columns); their signs are LAPACK's."""

# ---- left eigenvectors -----------------------------------------------------------------------------------------------------------


def _infer_sides(ins: tuple[Atom, ...]) -> tuple[Array, ...]:
    w, v = eig.infer(ins)
    return w, v, v


def _sides(*matrices: Any) -> tuple[Any, ...]:
    """Of one matrix, or of two."""
    shape, whole, function = matrices[0].shape, np.result_type(matrices[0].dtype, np.complex64), importlib.import_module("scipy.linalg").eig
    w, left, right = np.empty(shape[:-1], whole), np.empty(shape, whole), np.empty(shape, whole)
    for index in np.ndindex(*shape[:-2] if matrices[0].size else (0,)):
        w[index], left[index], right[index] = function(*(each[index] for each in matrices), left=True)
    return w, left, right


def _jvp_sides(dots: Any, ins: Values, outs: Values) -> tuple[Value | None, ...]:
    """The left ones are the right ones of the adjoint, whose eigenvalues are the conjugates."""
    if dots[0] is None:
        return None, None, None
    w, left, right = outs
    w_dot, right_dot = eig.jvp(dots, ins, (w, right))  # type: ignore[operator]
    _, left_dot = eig.jvp((adjoint(dots[0]),), (adjoint(ins[0]),), (conjugate(w), left))  # type: ignore[operator]
    return w_dot, left_dot, right_dot


eig_sides: Primitive = matrix_row(
    "eig_sides", _infer_sides, _sides, jvp=_jvp_sides,
    samples=(sample(apart(3, 3)), sample(apart(1, 1)), sample(apart(2, 4, 4)), sample(apart(0, 2, 2)), sample(apart(3, 3, dtype=np.complex128))),
)
"""eig_sides(a) -> w, vl, vr: eigenvalues, left and right eigenvectors (columns) of any square matrix, complex; lengths and phases as LAPACK chooses them."""

# ---- a x = w b x -------------------------------------------------------------------------------------------------------------------


def _infer_pair(ins: tuple[Atom, ...]) -> tuple[Array, ...]:
    if ins[0].type != ins[1].type:
        raise ShapeError(f"{ins[0].type} and {ins[1].type} have no eigenvalues together")
    w, v = eig.infer(ins[:1])
    return w, v, v


def _jvp_pair(dots: Any, ins: Values, outs: Values) -> tuple[None, ...]:
    if dots[0] is not None or dots[1] is not None:
        raise UnsupportedError(
            "the derivative of eigenvectors of two matrices", where=ins[0].builder.where, why="their phases are LAPACK's choice", instead="scipy.linalg.eigvals(a, b) for the eigenvalues, or eig of np.linalg.solve(b, a)",
        )
    return (None,) * len(outs)


def _jvp_pair_values(dots: Any, ins: Values, outs: Values) -> tuple[Value | None, ...]:
    """w_dot = y^H (A_dot - w B_dot) x / (y^H B x), of left and right eigenvectors y and x."""
    (w,), (_, left, right) = outs, eig_pair.outs(*ins)

    def between(matrix: Value) -> Value:
        whole = matrix if matrix.dtype.kind == "c" else complex_(matrix, matrix.like(0))
        return reduce_sum(conjugate(left) * product(whole, right), axes=(right.ndim - 2,))

    moves = [] if dots[0] is None else [between(dots[0])]
    moves += [] if dots[1] is None else [-(w * between(dots[1]))]
    return (sum(moves[1:], moves[0]) / between(ins[1]),) if moves else (None,)


def _two(*shape: int, dtype: Any = np.float64) -> Callable[[np.random.Generator], Any]:
    return lambda rng: (apart(*shape, dtype=dtype)(rng), (drawn(*shape, dtype=dtype)(rng) * 0.2 + np.eye(shape[-1])).astype(dtype))


eig_pair: Primitive = matrix_row(
    "eig_pair", _infer_pair, _sides, jvp=_jvp_pair,
    samples=tuple(Sample(_two(*shape, dtype=dtype), {}, ()) for shape, dtype in (((3, 3), np.float64), ((1, 1), np.float64), ((2, 4, 4), np.float64), ((0, 2, 2), np.float64), ((3, 3), np.complex128))),
)
"""eig_pair(a, b) -> w, vl, vr: a x = w b x, eigenvalues (inf where b has none), left and right eigenvectors (columns) of length 1, complex."""

eigvals_pair: Primitive = matrix_row(
    "eigvals_pair", lambda ins: _infer_pair(ins)[:1], lambda a, b: _sides(a, b)[0], jvp=_jvp_pair_values,
    samples=tuple(
        Sample(_two(*shape, dtype=dtype), {}, (0, 1)) for shape, dtype in (((3, 3), np.float64), ((1, 1), np.float64), ((2, 4, 4), np.float64), ((0, 2, 2), np.float64), ((3, 3), np.complex128))
    ),
)  # fmt: skip
"""eigvals_pair(a, b): the eigenvalues of eig_pair, which have derivatives."""

ROWS: tuple[Primitive, ...] = (eigh_part, eig_sides, eig_pair, eigvals_pair)
