"""What a library's function is called by users: np.fft.rfft, scipy.special.gamma, RandomState.randn."""
from __future__ import annotations

import builtins
import sys
from types import ModuleType
from typing import Any

import numpy as np

from s2s.transforms.read.names import short

_SPACES = (
    "numpy", "numpy.linalg", "numpy.fft", "numpy.random", "numpy.polynomial.polynomial", "numpy.char", "numpy.ma", "numpy.lib.stride_tricks", "math", "cmath",
    "operator", "itertools", "functools", "scipy.special", "scipy.linalg", "scipy.fft", "scipy.signal", "scipy.integrate", "scipy.interpolate", "scipy.optimize",
    "scipy.sparse", "scipy.stats", "scipy.spatial.distance", "scipy.ndimage",
)  # fmt: skip
"""Where functions are looked for, in this order: ufuncs don't know their module, and most others only a private one."""


def shown_name(function: Any) -> str:
    """The qualified name, as it stands in most programs; a method's with its class."""
    name = getattr(function, "__name__", type(function).__name__)
    if vars(builtins).get(name) is function:
        return name
    for space in _SPACES:
        if space in sys.modules and vars(sys.modules[space]).get(name) is function:
            return f"{short(space)}.{name}"
    owner = getattr(function, "__self__", None)
    if isinstance(owner, np.ufunc):
        return f"{shown_name(owner)}.{name}"
    if owner is not None and not isinstance(owner, ModuleType):
        return f"{(owner if isinstance(owner, type) else type(owner)).__name__}.{name}"
    module = getattr(function, "__module__", None) or ""
    public = [part for part in module.split(".") if not part.startswith("_")]
    return name if not public else f"{short('.'.join(public))}.{name}"


__all__ = ["shown_name"]
