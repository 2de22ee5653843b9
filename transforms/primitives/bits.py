"""The bits of floats as integers, and back: nothing is computed. No derivative goes through them, as in JAX."""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError
from s2s.transforms.primitives.families import batch_elementwise, draw, result_dtype
from s2s.transforms.primitives.row import NEW, NOT_LINEAR, ZERO, Cost, Elementwise, Primitive, Sample
from s2s.types import Array, Atom


def _row(name: str, source: type[np.generic], target: type[np.generic]) -> Primitive:
    """A row from one dtype to another one as wide; the function of scalar_helpers of its name does it for one number."""
    from_, to = np.dtype(source), np.dtype(target)

    def infer(ins: tuple[Atom, ...], *, dtype: np.dtype) -> tuple[Array, ...]:
        if ins[0].type.dtype != from_ or dtype != to:
            raise ArgumentTypeError(f"{name} does not take operands of type {ins[0].type}")
        return result_dtype(target)(ins)

    return Primitive(
        name, infer=infer, evaluate=lambda x, *, dtype: np.array(x, from_).view(to), jvp=ZERO, transpose=NOT_LINEAR, batch=batch_elementwise, cost=Cost.CHEAP,
        emission=Elementwise("np.array(a).view(dtype)", f"{name}(a)"), storage=NEW,
        samples=tuple(Sample(draw(((-2.0, 2.0),), shape, from_), {"dtype": to}, ()) for shape in ((), (4,), (2, 3), (0,))),
    )  # fmt: skip


bits_of_double = _row("bits_of_double", np.float64, np.int64)
bits_of_single = _row("bits_of_single", np.float32, np.int32)
bits_of_half = _row("bits_of_half", np.float16, np.int16)
half_of_bits = _row("half_of_bits", np.int16, np.float16)
double_of_bits = _row("double_of_bits", np.int64, np.float64)
single_of_bits = _row("single_of_bits", np.int32, np.float32)
OF_DTYPES: dict[tuple[Any, Any], Primitive] = {
    (np.dtype(np.float64), np.dtype(np.int64)): bits_of_double, (np.dtype(np.float32), np.dtype(np.int32)): bits_of_single,
    (np.dtype(np.int64), np.dtype(np.float64)): double_of_bits, (np.dtype(np.int32), np.dtype(np.float32)): single_of_bits,
    (np.dtype(np.float16), np.dtype(np.int16)): bits_of_half, (np.dtype(np.int16), np.dtype(np.float16)): half_of_bits,
}  # fmt: skip
"""By the dtypes from and to which they go."""
ROWS = (bits_of_double, bits_of_single, bits_of_half, double_of_bits, single_of_bits, half_of_bits)
