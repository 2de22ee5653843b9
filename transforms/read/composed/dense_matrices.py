"""np.matrix, as far as products with scipy.sparse's matrices give it."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.marks import unsupported


class Dense:
    """np.matrix, of which np.asarray makes an array."""

    __array_ufunc__ = None

    def __init__(self, values):
        self.values = values

    def __given_back__(self):
        """NumPy's own object."""
        return self.values.view(np.matrix)

    def __array__(self, dtype=None, copy=None):
        return self.values

    @property
    def A(self):  # noqa: N802 - the name that it has
        return self.values

    @property
    def A1(self):  # noqa: N802
        return self.values.ravel()

    @property
    def shape(self):
        return self.values.shape

    def __getattr__(self, name):
        unsupported(f"{name} of an np.matrix", "np.asarray(…) of it, or the sparse arrays (scipy.sparse.csr_array)")
