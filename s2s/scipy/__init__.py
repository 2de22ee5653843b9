"""SciPy's own functions under the names that array code imports: `import s2s.scipy as sp`, `from s2s.scipy.special import logsumexp`.

They are SciPy's objects themselves, but for those of which JAX's take more arguments (`logsumexp(…, where=…)`). A part of SciPy is imported when it is first asked for.
"""
from __future__ import annotations

import importlib
from types import ModuleType

from s2s.not_here import not_here

_PARTS = ("cluster", "fft", "integrate", "interpolate", "linalg", "ndimage", "optimize", "signal", "sparse", "spatial", "special", "stats")


def __getattr__(name: str) -> ModuleType:
    if name not in _PARTS:
        raise not_here(__name__, name)
    return importlib.import_module(f"{__name__}.{name}")


def __dir__() -> list[str]:
    return list(_PARTS)
