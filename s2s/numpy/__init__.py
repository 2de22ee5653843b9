"""NumPy's own functions under the names that array code imports: `import s2s.numpy as np`.

They are NumPy's objects themselves, so that they mean the same in functions that are read and outside of them. Those of which JAX's take more arguments
(`where(…, size=…)`, `put(…, inplace=False)`, `dot(…, preferred_element_type=…)`, `sum(…, axis=[0, 1], where=None)`) take these, too; `vectorize` is JAX's, by vmap.
`ndarray` is `s2s.Array`: for annotations and `isinstance`, of which NumPy's numbers are instances, too (what JAX computes is an array, whatever its rank).
"""
from __future__ import annotations

import numpy as np

from s2s.api.vectorize import vectorize
from s2s.not_here import not_here
from s2s.numpy import fft, linalg
from s2s.transforms.read.composed import jax_numpy, jax_reductions, sized
from s2s.typing import Array

globals().update({name: getattr(np, name) for name in (*np.__all__, "random")} | {"float_": np.float64, "complex_": np.complex128} | jax_numpy.EXPORTED | jax_reductions.EXPORTED | sized.EXPORTED | {"vectorize": vectorize, "ndarray": Array, "linalg": linalg, "fft": fft})
del Array, np, jax_numpy, jax_reductions, sized


def __dir__() -> list[str]:
    return sorted(name for name in globals() if not name.startswith("_"))


def __getattr__(name: str) -> object:
    raise not_here("s2s.numpy", name)
