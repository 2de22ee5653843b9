"""The results of a callback that gives several: one array of float64, taken apart (`s2s.handles` puts it together)."""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.lax_elements import make_complex
from s2s.tree_util import tree_flatten, tree_unflatten


def unpacked(words: Any, like: Any) -> Any:
    """The container of results whose types `like` says."""
    likes, treedef = tree_flatten(like)
    found = []
    start = 0
    for each in likes:
        size = 1
        for length in each.shape:
            size = size * length
        dtype = np.dtype(each.dtype)
        flat = words[start : start + size]
        start = start + size
        if dtype.kind == "c" or (dtype.kind in "iu" and dtype.itemsize == 8):
            second = words[start : start + size]
            start = start + size
            flat = make_complex(flat, second) if dtype.kind == "c" else flat.astype(np.int64) * 4294967296 + second.astype(np.int64)
        flat = flat != 0.0 if dtype.kind == "b" else flat.astype(dtype)
        found.append(np.reshape(flat, each.shape)[()])
    return tree_unflatten(treedef, found)
