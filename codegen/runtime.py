"""Functions whose source is copied into an emitted module when its kernels call them. Plain Python that Numba compiles."""
from __future__ import annotations

import numpy as np


def stable_order(values, order):  # type: ignore[no-untyped-def]
    """Put into `order` the positions that sort a vector: stable, nan last (a merge sort, bottom up)."""
    n = values.shape[0]
    source, target = np.empty(n, np.int64), order
    for k in range(n):
        source[k] = k
        target[k] = k
    width = 1
    while width < n:
        for start in range(0, n, 2 * width):
            left, middle, end = start, min(start + width, n), min(start + 2 * width, n)
            right = middle
            for k in range(start, end):
                if left < middle and (
                    right >= end or not (values[source[right]] < values[source[left]]
                                         or (values[source[left]] != values[source[left]] and values[source[right]] == values[source[right]]))
                ):
                    target[k] = source[left]
                    left += 1
                else:
                    target[k] = source[right]
                    right += 1
        source, target = target, source
        width *= 2
    for k in range(n):
        order[k] = source[k]


RUNTIME = {"stable_order": stable_order}
"""By name."""
