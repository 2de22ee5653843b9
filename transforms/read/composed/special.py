"""scipy.special's functions along axes: logsumexp, softmax, log_softmax."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.floats import as_floats
from s2s.transforms.read.composed.marks import constant, unsupported


def logsumexp(a, axis=None, b=None, keepdims=False, return_sign=False):
    """scipy.special.logsumexp: the largest exponent is taken out; the derivative does not see it."""
    if axis == ():
        unsupported("scipy.special.logsumexp(…, axis=())", "the array itself")
    dtype = np.result_type(a) if b is None else np.result_type(a, b)
    a = np.atleast_1d(a).astype(dtype if dtype.kind in "fc" else np.float64)
    if b is not None:
        b = np.asarray(b).astype(a.dtype)
        a = np.where(b == 0, -np.inf, a)
    signed = return_sign and a.dtype.kind == "c"  # of none SciPy gives other types there: np.max raises
    largest = constant(_finite(np.max(np.real(a), axis=axis) if signed else np.max(np.real(a), axis=axis, initial=-np.inf)))
    terms = np.exp(a - _along(largest, axis))
    total = np.sum(terms if b is None else b * terms, axis=axis)
    if return_sign:
        found = np.log(np.abs(total)) + largest
        sign = np.sign(total) if signed else np.where(a.size == 0, np.sign(found), np.sign(total))[()]  # of none SciPy says that of -inf
        return _kept(found, a, axis, keepdims), _kept(sign, a, axis, keepdims)
    return _kept(np.log(total) + largest, a, axis, keepdims)


def _kept(total, a, axis, keepdims):
    """A reduction of a, with the axes that it is without."""
    return np.expand_dims(total, tuple(range(a.ndim)) if axis is None else axis) if keepdims else total


def softmax(x, axis=None):
    """scipy.special.softmax."""
    x = _real("softmax", x)
    axis = _of_none(x, axis)
    terms = np.exp(as_floats(x - _along(constant(np.max(x, axis=axis)), axis)))  # integers wrap first, as SciPy's
    return terms / _along(np.sum(terms, axis=axis), axis)


def log_softmax(x, axis=None):
    """scipy.special.log_softmax."""
    x = _real("log_softmax", x)
    axis = _of_none(x, axis)
    shifted = as_floats(x - _along(constant(_largest(x, axis)), axis))  # integers wrap first, as SciPy's
    return shifted - _along(np.log(np.sum(np.exp(shifted), axis=axis)), axis)


def _of_none(x, axis):
    """The axis; of a number, which NumPy takes as if it had one, none."""
    return None if x.ndim == 0 and axis in (0, -1, (0,), (-1,)) else axis


def _real(name, x):
    x = np.asarray(x)
    if x.dtype.kind in "bc":
        unsupported(f"scipy.special.{name} of {'bools' if x.dtype.kind == 'b' else 'complex numbers'}", "np.exp and np.sum of floats")
    return x


def _largest(a, axis):
    """The largest element; 0 where it is not finite."""
    largest = np.max(a, axis=axis)
    return _finite(largest) if largest.dtype.kind == "f" else largest


def _finite(largest):
    return np.where(np.isfinite(largest), largest, 0.0)


def _along(reduced, axis):
    """What a reduction gave, to be spread over the axes that it is without."""
    return reduced if axis is None else np.expand_dims(reduced, axis)
