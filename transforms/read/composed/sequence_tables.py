"""What engines of scipy.stats.qmc look up: computed while reading, of a number of dimensions that is known then."""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.names import within


def bases(d: int) -> tuple[np.ndarray, np.ndarray]:
    """The first d primes, and how many digits of each a float64 tells apart."""
    found: list[int] = []
    candidate = 2
    while len(found) < d:
        if all(candidate % each for each in found):
            found.append(candidate)
        candidate += 1
    return np.array(found, np.int64), np.array([math.ceil(54 / math.log2(each)) - 1 for each in found], np.int64)


def directions(d: int, bits: int) -> np.ndarray:
    """Sobol's numbers of direction, a row for each dimension."""
    from scipy.stats import _sobol

    found = np.zeros((d, bits), np.uint32 if bits <= 32 else np.uint64)
    _sobol._initialize_v(found, dim=d, bits=bits)
    return found.astype(np.int64)


def _of_run_time(d: int, bits: int = 0) -> NoReturn:
    del d, bits
    unsupported("a scipy.stats.qmc engine whose d or bits only the run knows", "a number")


TABLES: dict[str, Callable[..., Any]] = within("s2s.transforms.read.composed.sequence_tables", bases=_of_run_time, directions=_of_run_time)
"""By qualified name: what is read where the run alone knows the numbers."""
