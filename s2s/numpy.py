"""NumPy's own functions under the names that array code imports: `import s2s.numpy as np`.

They are NumPy's objects themselves, so that they mean the same in functions that are read and outside of them; `vectorize` is JAX's, by vmap.
"""
import numpy as np

from s2s.api.vectorize import vectorize

globals().update({name: getattr(np, name) for name in (*np.__all__, "linalg", "fft", "random")} | {"vectorize": vectorize})
del np


def __dir__() -> list[str]:
    return sorted(name for name in globals() if not name.startswith("_"))


def __getattr__(name: str) -> object:
    raise AttributeError(f"module 'numpy' has no attribute {name!r}")
