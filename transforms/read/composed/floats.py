"""The floats in which NumPy computes functions of integers."""

# mypy: disallow-untyped-defs=False
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.marks import unsupported


def as_floats(name, x):
    """Floats as they are; integers of two bytes as float32, longer ones as float64. NumPy makes bools and those of one byte float16."""
    if x.dtype.kind in "fc":
        return x
    if x.dtype.itemsize == 1:
        unsupported(f"{name} of {'bools' if x.dtype.kind == 'b' else x.dtype.name} (NumPy computes it in float16)", "convert with .astype(np.float32) or .astype(float)")
    return x.astype(np.float32 if x.dtype.itemsize == 2 else np.float64)
