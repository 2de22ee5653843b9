"""Functions that scalar texts call by name where neither `math` nor an operator will do.

Plain Python that Numba compiles; codegen copies the source of those that are used into the emitted module.
"""

# mypy: disallow-untyped-defs=False
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def heaviside(a, b):
    """np.heaviside: 0 below zero, 1 above, b at zero, nan at nan."""
    if a == 0:
        return b
    sign = np.sign(a)
    return sign if a > 0 else sign - sign


def c_remainder(a, b):
    """np.fmod: the remainder with the sign of a. Numba's np.fmod is wrong for negative integers."""
    if a == 0 and abs(b) > 0:
        return a
    size = abs(a) % abs(b)
    return size if a > 0 else -size


def complex_power(a, b):
    """np.power of complex numbers: Numba's 0 ** b is nan unless b is an integer."""
    return a - a if a == 0 and b.real > 0 else a**b


def left_shift(a, b):
    """np.left_shift: 0 where machine code would wrap the count."""
    return a << b if 0 <= b < 64 else a - a


def right_shift(a, b):
    """np.right_shift: only the sign is left where machine code would wrap the count."""
    return a >> b if 0 <= b < 64 else a >> 63


HELPERS: dict[str, Callable[..., Any]] = {helper.__name__: helper for helper in (c_remainder, complex_power, heaviside, left_shift, right_shift)}
"""What a scalar text may call, by name."""
