"""Numba's start: what its first compilation imports, less SciPy's linear algebra.

Numba imports `scipy.linalg`, 0.15 s, to learn whether there is a BLAS; kernels without products of matrices need none, and those with them import it when they call it.
"""
from __future__ import annotations

import sys
from importlib.util import find_spec


def load_registries() -> None:
    """Let Numba take for granted that SciPy, which is installed, has a BLAS. It looks again where it compiles a product."""
    if "numba.np.arraymath" in sys.modules or find_spec("scipy") is None:
        return
    from numba.np import linalg

    looks = linalg.ensure_blas
    linalg.ensure_blas = _takes_for_granted
    try:
        from numba.np import arraymath

        arraymath.ensure_blas = looks
    finally:
        linalg.ensure_blas = looks


def _takes_for_granted() -> None:
    """In the place of Numba's look."""
