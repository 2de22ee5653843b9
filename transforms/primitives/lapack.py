"""Products and systems of equations of whole matrices by BLAS and LAPACK, whatever their size and wherever they stand: for composed functions of matrices, in which one of many is never what takes time, and loops in place of a call take long to compile."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.errors import ShapeError
from s2s.transforms.primitives.contract import contract
from s2s.transforms.primitives.linear_algebra import matrix_row, square_shape
from s2s.transforms.primitives.matrices import drawn, product, regular, transposed
from s2s.transforms.primitives.row import Primitive, Sample
from s2s.transforms.primitives.value import Value, Values
from s2s.types import Array, Atom

SINGULAR = "Singular matrix"

# ---- products --------------------------------------------------------------------------------------------------------------------


def _infer_gemm(ins: tuple[Atom, ...]) -> tuple[Array, ...]:
    a, b = ins
    if a.type.ndim != 2 or b.type.ndim != 2 or a.type.shape[1] != b.type.shape[0] or a.type.dtype != b.type.dtype or a.type.dtype.kind not in "fc":
        raise ShapeError(f"{a.type} and {b.type} are no matrices of floats that can be multiplied")
    return (a.type.strong().with_shape((a.type.shape[0], b.type.shape[1])),)


def _jvp_gemm(dots: Any, ins: Values, outs: Values) -> tuple[Value | None, ...]:
    terms = [gemm(dots[0], ins[1])] if dots[0] is not None else []
    terms += [gemm(ins[0], dots[1])] if dots[1] is not None else []
    return (sum(terms[1:], terms[0]) if terms else None,)


def _transpose_gemm(bars: Any, ins: Values, linear: tuple[bool, ...]) -> Any:
    if linear[0]:
        return gemm(bars[0], transposed(ins[1])), None
    return None, gemm(transposed(ins[0]), bars[0])


def _batch_gemm(primitive: Primitive, ins: Values, batched: tuple[bool, ...], size: Value) -> Any:
    """Stacks are of small matrices: loops."""
    operands = ",".join(("a" if is_batched else "") + named for named, is_batched in zip(("xy", "yz"), batched, strict=True))
    return (contract(*ins, spec=f"{operands}->axz"),), (True,)


def _factors(rows: int, inner: int, columns: int, dtype: Any) -> Callable[[np.random.Generator], Any]:
    return lambda rng: (drawn(rows, inner, dtype=dtype)(rng), drawn(inner, columns, dtype=dtype)(rng))


gemm: Primitive = matrix_row(
    "gemm", _infer_gemm, np.matmul, jvp=_jvp_gemm, transpose=_transpose_gemm, batch=_batch_gemm,
    samples=tuple(
        Sample(_factors(rows, inner, columns, dtype), {}, wrt)
        for rows, inner, columns, dtype, wrt in (
            (3, 2, 4, np.float64, (0, 1)), (1, 1, 1, np.float64, (0, 1)), (2, 3, 2, np.complex128, (0, 1)), (2, 0, 3, np.float64, ()),
        )
    ),
)  # fmt: skip
"""gemm(a, b): the product of two matrices, by BLAS also within loops."""

# ---- systems ---------------------------------------------------------------------------------------------------------------------


def _infer_gesv(ins: tuple[Atom, ...]) -> tuple[Array, ...]:
    a, b = ins
    shape = square_shape(a)
    if b.type.ndim != len(shape) or b.type.shape[:-1] != shape[:-1] or a.type.dtype != b.type.dtype:
        raise ShapeError(f"{b.type} can't be the right side of equations with {a.type}")
    return (b.type.strong(),)


def _jvp_gesv(dots: Any, ins: Values, outs: Values) -> tuple[Value | None, ...]:
    """a x_dot = b_dot - a_dot x."""
    terms = [-product(dots[0], outs[0])] if dots[0] is not None else []
    terms += [dots[1]] if dots[1] is not None else []
    return (gesv(ins[0], sum(terms[1:], terms[0])) if terms else None,)


def _system(leading: tuple[int, ...], rows: int, columns: int, dtype: Any) -> Callable[[np.random.Generator], Any]:
    return lambda rng: (regular(*leading, rows, rows, dtype=dtype)(rng), drawn(*leading, rows, columns, dtype=dtype)(rng))


gesv: Primitive = matrix_row(
    "gesv", _infer_gesv, np.linalg.solve, jvp=_jvp_gesv, transpose=lambda bars, ins, linear: (None, gesv(transposed(ins[0]), bars[0])),
    samples=tuple(
        Sample(_system(leading, rows, columns, dtype), {}, wrt)
        for leading, rows, columns, dtype, wrt in (
            ((), 3, 2, np.float64, (0, 1)), ((), 1, 1, np.float64, (0, 1)), ((2,), 2, 4, np.float64, (0, 1)), ((), 2, 3, np.complex128, (0, 1)),
            ((), 3, 3, np.float32, ()), ((0,), 2, 2, np.float64, ()),
        )
    ),
)  # fmt: skip
"""gesv(a, b): the solution of a x = b of as many columns as b has. LinAlgError where a is singular."""

ROWS: tuple[Primitive, ...] = (gemm, gesv)
