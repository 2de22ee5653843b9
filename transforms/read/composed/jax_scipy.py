"""SciPy's functions with arguments that only jax.scipy's have, and those that only JAX has."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def logsumexp(a, axis=None, b=None, keepdims=False, return_sign=False, where=None):
    """scipy.special.logsumexp of the elements where a mask holds.

    >>> print(logsumexp([0.0, 5.0, 0.0], where=np.array([True, False, True])))
    0.6931471805599453
    """
    import scipy.special

    a = a if where is None else np.where(where, a, -np.inf)
    return scipy.special.logsumexp(a, axis=axis, b=b, keepdims=keepdims, return_sign=return_sign)


def bessel_jn(z, *, v, n_iter=50):
    """The Bessel functions of the first kind of the orders 0 to v, along a first axis. (JAX's recurrence takes `n_iter` steps; SciPy's functions have their own digits.)

    >>> bessel_jn(0.0, v=2)
    array([1., 0., 0.])
    """
    import scipy.special

    return np.stack([scipy.special.jv(order, z) for order in range(v + 1)])


def convolve(in1, in2, mode="full", method="auto", precision=None):
    """scipy.signal.convolve; products have all digits of their dtype."""
    import scipy.signal

    return scipy.signal.convolve(in1, in2, mode=mode, method=method)


SPECIAL: dict[str, Callable[..., Any]] = {"logsumexp": logsumexp, "bessel_jn": bessel_jn}
"""s2s.scipy.special's, by name."""
SIGNAL: dict[str, Callable[..., Any]] = {"convolve": convolve}
"""s2s.scipy.signal's."""
