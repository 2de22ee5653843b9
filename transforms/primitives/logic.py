"""Logic on bools and on the bits of integers: elementwise, without derivatives."""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.primitives.families import REAL, Domain, elementwise
from s2s.transforms.primitives.row import ZERO, Cost, Primitive

SHIFT: Domain = (0.0, 24.0)


def _row(name: str, evaluate: Any, text: str, dtypes: str, *, scalar: str = "", domains: tuple[Domain, ...] = (REAL, REAL)) -> Primitive:
    return elementwise(name, evaluate, partials=ZERO, array=text, scalar=scalar or text, domains=domains, cost=Cost.CHEAP, dtypes=dtypes)


logical_and = _row("logical_and", np.logical_and, "a & b", "b")
logical_or = _row("logical_or", np.logical_or, "a | b", "b")
logical_xor = _row("logical_xor", np.logical_xor, "a ^ b", "b")
logical_not = _row("logical_not", np.logical_not, "~a", "b", scalar="not a", domains=(REAL,))
bitwise_and = _row("bitwise_and", np.bitwise_and, "a & b", "bi")
bitwise_or = _row("bitwise_or", np.bitwise_or, "a | b", "bi")
bitwise_xor = _row("bitwise_xor", np.bitwise_xor, "a ^ b", "bi")
bitwise_invert = _row("bitwise_invert", np.invert, "~a", "i", domains=(REAL,))
left_shift = _row("left_shift", np.left_shift, "a << b", "i", scalar="left_shift(a, b)", domains=(REAL, SHIFT))
right_shift = _row("right_shift", np.right_shift, "a >> b", "i", scalar="right_shift(a, b)", domains=(REAL, SHIFT))
"""Shifts by the width or more give 0 (-1 for the right shift of a negative number), as in NumPy."""

wrapped_sum = _row("wrapped_sum", np.add, "a + b", "i", scalar="wrapped_sum(a, b)")
wrapped_difference = _row("wrapped_difference", np.subtract, "a - b", "i", scalar="wrapped_difference(a, b)")
wrapped_product = _row("wrapped_product", np.multiply, "a * b", "i", scalar="wrapped_product(a, b)")
wrapped_quotient = _row("wrapped_quotient", np.floor_divide, "a // b", "i", scalar="wrapped_quotient(a, b)", domains=(REAL, (1.0, 9.0)))
"""Sums, differences, products and quotients of NumPy's integers that may leave 64 bits, and begin again at the other end; those of Numba's may be any number then."""

ROWS: tuple[Primitive, ...] = (
    logical_and, logical_or, logical_xor, logical_not, bitwise_and, bitwise_or, bitwise_xor, bitwise_invert, left_shift, right_shift,
    wrapped_sum, wrapped_difference, wrapped_product, wrapped_quotient,
)
