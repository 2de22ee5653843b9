"""Names for annotations, as in jax.typing; and `Array`, what a value is in JAX's words.

>>> import numpy as np
>>> isinstance(np.ones(3), Array), isinstance(np.float64(1.0), Array), isinstance(1.0, Array)
(True, True, False)
"""
from __future__ import annotations

from abc import ABC
from typing import Union

import numpy as np
from numpy.typing import DTypeLike


class Array(ABC):  # noqa: B024 - a name for NumPy's classes
    """NumPy's arrays and scalars: what functions of arrays return. For annotations and `isinstance`.

    >>> isinstance(np.float64(1.0), Array), isinstance([1.0], Array)
    (True, False)
    """


for _kind in (np.ndarray, np.generic):
    Array.register(_kind)

ArrayLike = Union[Array, np.ndarray, np.generic, bool, int, float, complex]
"""What can be made an array of."""

__all__ = ["Array", "ArrayLike", "DTypeLike"]
