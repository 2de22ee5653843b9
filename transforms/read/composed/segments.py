"""s2s.ops: elements gathered by the number of the segment that they belong to. Contracts: those of `jax.ops` (documentation of version 0.10)."""
# mypy: disallow-untyped-calls=False
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import unsupported


def segment_sum(
    data: Any, segment_ids: Any, num_segments: Any = None, indices_are_sorted: bool = False, unique_indices: bool = False, bucket_size: Any = None, mode: Any = None,
) -> Any:  # fmt: skip
    """The sum of each segment's elements along the first axis; those of segments that there are not are left out.

    >>> segment_sum(np.arange(4.0), np.array([0, 2, 0, 5]), 3)
    array([2., 0., 1.])
    """
    ids, out = _segments(data, segment_ids, num_segments, bucket_size, mode, np.zeros((), data.dtype))
    np.add.at(out, ids, data)
    return out[:-1]


def segment_prod(
    data: Any, segment_ids: Any, num_segments: Any = None, indices_are_sorted: bool = False, unique_indices: bool = False, bucket_size: Any = None, mode: Any = None,
) -> Any:  # fmt: skip
    """The product of each segment's elements along the first axis, 1 of none.

    >>> segment_prod(np.array([2.0, 3.0, 4.0]), np.array([0, 0, 2]), 3)
    array([6., 1., 4.])
    """
    ids, out = _segments(data, segment_ids, num_segments, bucket_size, mode, np.ones((), data.dtype))
    np.multiply.at(out, ids, data)
    return out[:-1]


def segment_max(
    data: Any, segment_ids: Any, num_segments: Any = None, indices_are_sorted: bool = False, unique_indices: bool = False, bucket_size: Any = None, mode: Any = None,
) -> Any:  # fmt: skip
    """The largest of each segment's elements along the first axis; the smallest number of the dtype of none.

    >>> segment_max(np.array([2.0, 3.0, 4.0]), np.array([0, 0, 2]), 3)
    array([  3., -inf,   4.])
    """
    ids, out = _segments(data, segment_ids, num_segments, bucket_size, mode, _end(data.dtype, False))
    np.maximum.at(out, ids, data)
    return out[:-1]


def segment_min(
    data: Any, segment_ids: Any, num_segments: Any = None, indices_are_sorted: bool = False, unique_indices: bool = False, bucket_size: Any = None, mode: Any = None,
) -> Any:  # fmt: skip
    """The smallest of each segment's elements along the first axis; the largest number of the dtype of none.

    >>> segment_min(np.array([2.0, 3.0, 4.0]), np.array([0, 0, 2]), 3)
    array([ 2., inf,  4.])
    """
    ids, out = _segments(data, segment_ids, num_segments, bucket_size, mode, _end(data.dtype, True))
    np.minimum.at(out, ids, data)
    return out[:-1]


def _end(dtype: Any, largest: bool) -> Any:
    if dtype.kind == "f":
        return np.asarray(np.inf if largest else -np.inf, dtype)
    return np.asarray(np.iinfo(dtype).max if largest else np.iinfo(dtype).min, dtype)


def _segments(data: Any, segment_ids: Any, num_segments: Any, bucket_size: Any, mode: Any, first: Any) -> Any:
    """The segments' numbers, of those that there are not one more than there are; and results to begin with, with a place for these."""
    if bucket_size is not None:
        unsupported("bucket_size", "none: sums are made in order")
    if mode is not None:
        unsupported("mode", "none: what belongs to no segment is left out")
    count = int(np.max(segment_ids)) + 1 if num_segments is None else num_segments
    if num_segments is not None and num_segments < 0:
        raise ValueError("num_segments must be non-negative.")
    ids = np.where((segment_ids < 0) | (segment_ids >= count), count, segment_ids)
    return ids, np.full((count + 1, *data.shape[1:]), first, dtype=data.dtype)


EXPORTED: dict[str, Callable[..., Any]] = {function.__name__: function for function in (segment_sum, segment_prod, segment_max, segment_min)}
"""By the names that they have in s2s.ops."""
