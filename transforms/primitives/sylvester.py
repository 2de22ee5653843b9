"""Sylvester's equation a x + x b = q: a row of matrices, and of stacks of them along leading axes. Method: Bartels and Stewart, by Schur's forms of both (1972)."""
from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.errors import ShapeError
from s2s.transforms.primitives.linear_algebra import matrix_row, square_shape
from s2s.transforms.primitives.matrices import drawn, product, regular, transposed
from s2s.transforms.primitives.row import Primitive, Sample
from s2s.transforms.primitives.value import Value, Values
from s2s.types import Array, Atom

FAILED = "Sylvester's equation has no single solution: an eigenvalue of one matrix is less one of the other's"


def _infer(ins: tuple[Atom, ...]) -> tuple[Array, ...]:
    a, b, q = ins
    left, right = square_shape(a), square_shape(b)
    if q.type.shape != (*left[:-1], right[-1]) or left[:-2] != right[:-2] or len({each.type.dtype for each in ins}) != 1:
        raise ShapeError(f"{q.type} can't be the right side of an equation with {a.type} and {b.type}")
    return (q.type.strong(),)


def _evaluate(a: Any, b: Any, q: Any) -> Any:
    found = np.empty_like(q)
    for index in np.ndindex(*q.shape[:-2] if q.size else (0,)):
        found[index] = _of_matrices(a[index], b[index], q[index])
    return found


def _of_matrices(a: Any, b: Any, q: Any) -> Any:
    library = importlib.import_module("scipy.linalg")
    (form, left), (other, right) = library.schur(a), library.schur(b)
    found, scale, singular = library.get_lapack_funcs("trsyl", (q,))(form, other, np.conj(left.T) @ q @ right)
    if singular:
        raise np.linalg.LinAlgError(FAILED)
    return left @ (found / scale) @ np.conj(right.T)


def _jvp(dots: Any, ins: Values, outs: Values) -> tuple[Value | None, ...]:
    """a x_dot + x_dot b = q_dot - a_dot x - x b_dot."""
    a_dot, b_dot, q_dot = dots
    (a, b, _), (x,) = ins, outs
    terms = [-product(a_dot, x)] if a_dot is not None else []
    terms += [-product(x, b_dot)] if b_dot is not None else []
    terms += [q_dot] if q_dot is not None else []
    if not terms:
        return (None,)
    return (sylvester(a, b, sum(terms[1:], terms[0])),)


def _operands(leading: tuple[int, ...], rows: int, columns: int, dtype: Any) -> Callable[[np.random.Generator], Any]:
    return lambda rng: (
        regular(*leading, rows, rows, dtype=dtype)(rng), regular(*leading, columns, columns, dtype=dtype)(rng), drawn(*leading, rows, columns, dtype=dtype)(rng)
    )  # fmt: skip


sylvester: Primitive = matrix_row(
    "sylvester", _infer, _evaluate, jvp=_jvp,
    transpose=lambda bars, ins, linear: (None, None, sylvester(transposed(ins[0]), transposed(ins[1]), bars[0])),
    samples=tuple(
        Sample(_operands(leading, rows, columns, dtype), {}, wrt)
        for leading, rows, columns, dtype, wrt in (
            ((), 3, 2, np.float64, (0, 1, 2)), ((), 1, 1, np.float64, (0, 1, 2)), ((2,), 2, 4, np.float64, (0, 1, 2)), ((), 2, 3, np.complex128, (0, 1, 2)),
            ((), 3, 3, np.float32, ()), ((0,), 2, 2, np.float64, ()),
        )
    ),
)  # fmt: skip
"""sylvester(a, b, q): the solution of a x + x b = q. LinAlgError where there is more than one, or none."""

ROWS: tuple[Primitive, ...] = (sylvester,)
