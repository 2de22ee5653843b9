"""Riccati's algebraic equation c + d v = v a + v b v: a row of matrices, and of stacks of them along leading axes. Method: Laub, by an ordered Schur form of [[a, b], [c, d]] (1979), balanced."""
from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.errors import ShapeError
from s2s.transforms.primitives.linear_algebra import matrix_row, square_shape
from s2s.transforms.primitives.matrices import drawn, product, regular
from s2s.transforms.primitives.row import Primitive, Sample
from s2s.transforms.primitives.sylvester import sylvester
from s2s.transforms.primitives.value import Value, Values
from s2s.types import Array, Atom

UNSOLVED = "Failed to find a finite solution."


def _infer(ins: tuple[Atom, ...]) -> tuple[Array, ...]:
    a, b, c, d = ins
    columns, rows = square_shape(a), square_shape(d)
    dtype = a.type.dtype
    if b.type.shape != (*columns[:-1], rows[-1]) or c.type.shape != (*rows[:-1], columns[-1]) or any(each.type.dtype != dtype for each in ins):
        raise ShapeError(f"{a.type}, {b.type}, {c.type} and {d.type} can't be the parts of Riccati's equation")
    return (c.type.strong(),)


def _evaluate(a: Any, b: Any, c: Any, d: Any) -> Any:
    found = np.empty_like(c)
    for index in np.ndindex(*c.shape[:-2] if c.size else (0,)):
        found[index] = _of_matrices(a[index], b[index], c[index], d[index])
    return found


def _of_matrices(a: Any, b: Any, c: Any, d: Any) -> Any:
    columns, library = len(a), importlib.import_module("scipy.linalg")
    whole, (scales, _) = library.matrix_balance(np.block([[a, b], [c, d]]), permute=False, separate=True)
    _, vectors, count = library.schur(whole, sort="lhp")
    if count != columns or not np.linalg.cond(vectors[:columns, :columns]) < 1e14:
        raise np.linalg.LinAlgError(UNSOLVED)
    return np.linalg.solve(vectors[:columns, :columns].T, vectors[columns:, :columns].T).T * (scales[columns:, None] / scales[:columns])


def _jvp(dots: Any, ins: Values, outs: Values) -> tuple[Value | None, ...]:
    """(d - v b) v_dot - v_dot (a + b v) = v a_dot + v b_dot v - c_dot - d_dot v."""
    a_dot, b_dot, c_dot, d_dot = dots
    (a, b, _, d), (v,) = ins, outs
    terms = [product(v, a_dot)] if a_dot is not None else []
    terms += [product(product(v, b_dot), v)] if b_dot is not None else []
    terms += [-c_dot] if c_dot is not None else []
    terms += [-product(d_dot, v)] if d_dot is not None else []
    if not terms:
        return (None,)
    return (sylvester(d - product(v, b), -(a + product(b, v)), sum(terms[1:], terms[0])),)


def _operands(leading: tuple[int, ...], rows: int, columns: int, dtype: Any) -> Callable[[np.random.Generator], Any]:
    def draw(rng: np.random.Generator) -> tuple[Any, ...]:
        """Of which one side is stable and the other one is not."""
        a, d = (regular(*leading, size, size, dtype=dtype)(rng) + 4.0 * np.eye(size) for size in (columns, rows))
        b, c = (0.3 * drawn(*leading, *shape, dtype=dtype)(rng) for shape in ((columns, rows), (rows, columns)))
        return -a, b, c, d

    return draw


riccati: Primitive = matrix_row(
    "riccati", _infer, _evaluate, jvp=_jvp,
    samples=tuple(
        Sample(_operands(leading, rows, columns, dtype), {}, wrt)
        for leading, rows, columns, dtype, wrt in (
            ((), 3, 2, np.float64, (0, 1, 2, 3)), ((), 1, 1, np.float64, (0, 1, 2, 3)), ((2,), 2, 3, np.float64, (0, 1, 2, 3)), ((), 2, 2, np.complex128, (0, 1, 2, 3)),
            ((0,), 2, 2, np.float64, ()),
        )
    ),
)  # fmt: skip
"""riccati(a, b, c, d): the solution v of c + d v = v a + v b v with which all eigenvalues of a + b v have a negative real part. LinAlgError where there is none."""

ROWS: tuple[Primitive, ...] = (riccati,)
