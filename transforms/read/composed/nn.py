"""s2s.nn: activations and what stands around them in networks, as plain NumPy. Contracts and constants: those of `jax.nn` (documentation of version 0.10)."""
# mypy: disallow-untyped-calls=False
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.transforms.read.composed import special
from s2s.transforms.read.composed.marks import constant


def identity(x: Any) -> Any:
    """x.

    >>> identity(3.0)
    3.0
    """
    return x


def relu(x: Any) -> Any:
    """max(x, 0); its derivative at 0 is 0.

    >>> relu(np.array([-1.0, 2.0]))
    array([0., 2.])
    """
    return np.where(x > 0, x, np.zeros_like(x))[()]


def relu6(x: Any) -> Any:
    """min(max(x, 0), 6); its derivative is 0 at both ends.

    >>> relu6(np.array([-1.0, 2.0, 9.0]))
    array([0., 2., 6.])
    """
    inner = np.where(x > 0, x, np.zeros_like(x))
    return np.where(inner < 6, inner, np.full_like(x, 6))[()]


def sigmoid(x: Any) -> Any:
    """1 / (1 + exp(-x)), without overflow.

    >>> sigmoid(np.array([0.0]))
    array([0.5])
    """
    if np.iscomplexobj(x):
        right = np.real(x) >= 0
        small = np.exp(np.where(right, -x, x))
        return np.where(right, 1.0, small) / (1.0 + small)
    small = np.exp(-np.abs(x))
    return np.where(x >= 0, 1.0, small) / (1.0 + small)


def softplus(x: Any) -> Any:
    """log(1 + exp(x)).

    >>> softplus(np.array([0.0]))
    array([0.69314718])
    """
    return np.logaddexp(x, 0.0)


def sparse_plus(x: Any) -> Any:
    """0 up to -1, x from 1 on, (x + 1)**2 / 4 between.

    >>> sparse_plus(np.array([-2.0, 0.0, 2.0]))
    array([0.  , 0.25, 2.  ])
    """
    return np.where(x <= -1.0, 0.0, np.where(x >= 1.0, x, (x + 1.0) ** 2 / 4))


def sparse_sigmoid(x: Any) -> Any:
    """The derivative of sparse_plus.

    >>> sparse_sigmoid(np.array([-2.0, 0.0, 2.0]))
    array([0. , 0.5, 1. ])
    """
    return 0.5 * np.clip(x + 1.0, 0.0, 2.0)


def soft_sign(x: Any) -> Any:
    """x / (1 + |x|).

    >>> soft_sign(np.array([1.0, -3.0]))
    array([ 0.5 , -0.75])
    """
    return x / (np.abs(x) + 1.0)


def silu(x: Any) -> Any:
    """x sigmoid(x), also called swish.

    >>> silu(np.array([0.0]))
    array([0.])
    """
    return x * sigmoid(x)


def log_sigmoid(x: Any) -> Any:
    """log(sigmoid(x)).

    >>> log_sigmoid(np.array([0.0]))
    array([-0.69314718])
    """
    return -softplus(-x)


def elu(x: Any, alpha: Any = 1.0) -> Any:
    """x where positive, alpha (exp(x) - 1) elsewhere.

    >>> elu(np.array([1.0, 0.0]))
    array([1., 0.])
    """
    return np.where(x > 0, x, alpha * np.expm1(np.where(x > 0, 0.0, x)))


def celu(x: Any, alpha: Any = 1.0) -> Any:
    """max(x, 0) + min(alpha (exp(x / alpha) - 1), 0).

    >>> celu(np.array([1.0, 0.0]))
    array([1., 0.])
    """
    return np.maximum(x, 0.0) + alpha * np.expm1(np.minimum(x, 0.0) / alpha)


def selu(x: Any) -> Any:
    """elu scaled so that mean 0 and variance 1 are kept (Klambauer et al. 2017).

    >>> selu(np.array([1.0]))
    array([1.05070099])
    """
    return 1.0507009873554804934193349852946 * elu(x, 1.6732632423543772848170429916717)


def gelu(x: Any, approximate: bool = True) -> Any:
    """x times the normal distribution's cumulative function (Hendrycks and Gimpel 2016), by tanh if `approximate`.

    >>> gelu(np.array([1.0]))
    array([0.84119199])
    """
    if approximate:
        return 0.5 * x * (1.0 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    from scipy.special import erfc

    return 0.5 * x * erfc(-x / math.sqrt(2.0))


def glu(x: Any, axis: int = -1) -> Any:
    """The first half along an axis times the sigmoid of the second.

    >>> glu(np.array([3.0, 0.0]))
    array([1.5])
    """
    if x.shape[axis] % 2:
        raise ValueError("axis size must be divisible by 2")
    half = x.shape[axis] // 2
    parts = np.moveaxis(x, axis, 0)
    return np.moveaxis(parts[:half] * sigmoid(parts[half:]), 0, axis)


def squareplus(x: Any, b: Any = 4.0) -> Any:
    """(x + sqrt(x**2 + b)) / 2.

    >>> squareplus(np.array([0.0]))
    array([1.])
    """
    return (x + np.sqrt(x**2 + b)) / 2


def mish(x: Any) -> Any:
    """x tanh(softplus(x)) (Misra 2019).

    >>> mish(np.array([0.0]))
    array([0.])
    """
    return x * np.tanh(softplus(x))


def leaky_relu(x: Any, negative_slope: Any = 0.01) -> Any:
    """x where it is not negative, negative_slope x elsewhere.

    >>> leaky_relu(np.array([-1.0, 2.0]))
    array([-0.01,  2.  ])
    """
    return np.where(x >= 0, x, negative_slope * x)


def hard_sigmoid(x: Any) -> Any:
    """relu6(x + 3) / 6.

    >>> hard_sigmoid(np.array([0.0]))
    array([0.5])
    """
    return relu6(x + 3.0) / 6.0


def hard_silu(x: Any) -> Any:
    """x hard_sigmoid(x), also called hard_swish.

    >>> hard_silu(np.array([3.0]))
    array([3.])
    """
    return x * hard_sigmoid(x)


def hard_tanh(x: Any) -> Any:
    """x within -1 … 1.

    >>> hard_tanh(np.array([-3.0, 0.5]))
    array([-1. ,  0.5])
    """
    return np.where(x > 1, 1.0, np.where(x < -1, -1.0, x))


def logsumexp(a: Any, axis: Any = None, b: Any = None, keepdims: bool = False, return_sign: bool = False, where: Any = None) -> Any:
    """log(sum(b exp(a))) over axes, as scipy.special.logsumexp; `where`: which elements take part.

    >>> logsumexp(np.zeros(2))
    np.float64(0.6931471805599453)
    """
    a = a if where is None else np.where(where, a, -np.inf)
    if return_sign:
        return _signed(a, axis, 1.0 if b is None else b, keepdims)
    return _signed(a, (), 1.0 if b is None else b, keepdims)[0] if isinstance(axis, tuple) and len(axis) == 0 else special.logsumexp(a, axis, b, keepdims)


def _signed(a: Any, axis: Any, b: Any, keepdims: bool) -> Any:
    """log |sum(b exp(a))| and the sum's sign."""
    a = np.where(b == 0, -np.inf, a)
    top = constant(np.max(a, axis=axis, keepdims=True))
    top = np.where(np.isfinite(top), top, 0.0)
    total = np.sum(b * np.exp(a - top), axis=axis, keepdims=True)
    found, sign = np.log(np.abs(total)) + top, np.sign(total)
    return (found, sign) if keepdims else (np.squeeze(found, axis)[()], np.squeeze(sign, axis)[()])


def log1mexp(x: Any) -> Any:
    """log(1 - exp(-x)) of positive x, to all digits for small and large ones.

    >>> log1mexp(np.array([1e-10, 50.0]))
    array([-2.30258509e+01, -1.92874985e-22])
    """
    near = x < np.log(2.0)
    return np.where(near, np.log(-np.expm1(-np.where(near, x, 1.0))), np.log1p(-np.exp(-np.where(near, 1.0, x))))


def logmeanexp(x: Any, axis: Any = None, where: Any = None, keepdims: bool = False) -> Any:
    """log(mean(exp(x))) over axes.

    >>> logmeanexp(np.zeros(2))
    np.float64(0.0)
    """
    counted = np.ones_like(x) if where is None else np.where(where, np.ones_like(x), np.zeros_like(x))
    return logsumexp(x, axis, None, keepdims, False, where) - np.log(np.sum(counted, axis=axis, keepdims=keepdims))


def softmax(x: Any, axis: Any = -1, where: Any = None) -> Any:
    """exp(x) / sum(exp(x)) along axes; `where`: which elements take part, the others are 0.

    >>> softmax(np.zeros(2))
    array([0.5, 0.5])
    """
    if where is not None:
        return _softmax_of_some(x, axis, where)
    terms = np.exp(x - constant(np.max(x, axis=axis, keepdims=True)))
    return terms / np.sum(terms, axis=axis, keepdims=True)


def _softmax_of_some(x: Any, axis: Any, where: Any) -> Any:
    """The same of the elements that take part; all 0 where none does."""
    some = np.any(np.broadcast_to(where, np.shape(x)), axis=axis, keepdims=True)
    x = np.where(where, x, -np.inf)
    top = np.where(some, constant(np.max(x, axis=axis, keepdims=True)), 0.0)
    terms = np.where(where, np.exp(x - top), 0.0)
    return terms / np.where(some, np.sum(terms, axis=axis, keepdims=True), 1.0)


def log_softmax(x: Any, axis: Any = -1, where: Any = None) -> Any:
    """log(softmax(x)); `where`: which elements take part, the others are -inf.

    >>> log_softmax(np.zeros(2))
    array([-0.69314718, -0.69314718])
    """
    x = x if where is None else np.where(where, x, -np.inf)
    shifted = x - constant(np.max(x, axis=axis, keepdims=True))
    terms = np.exp(shifted) if where is None else np.where(where, np.exp(shifted), 0.0)
    return shifted - np.log(np.sum(terms, axis=axis, keepdims=True))


def standardize(x: Any, axis: Any = -1, mean: Any = None, variance: Any = None, epsilon: Any = 1e-5, where: Any = None) -> Any:
    """(x - mean) / sqrt(variance + epsilon) along axes; `where`: which elements make the mean and the variance.

    >>> standardize(np.array([1.0, 3.0]), epsilon=0.0)
    array([-1.,  1.])
    """
    part = True if where is None else where
    center = np.mean(x, axis=axis, keepdims=True, where=part) if mean is None else mean
    spread = np.mean(np.square(x), axis=axis, keepdims=True, where=part) - np.square(center) if variance is None else variance
    return (x - center) / np.sqrt(np.maximum(spread, 0.0) + epsilon)


def one_hot(x: Any, num_classes: int, *, dtype: Any = None, axis: int = -1) -> Any:
    """1 at each index, 0 elsewhere, along a new axis; all 0 for indices that are no class.

    >>> one_hot(np.array([0, 2, 5]), 3)
    array([[1., 0., 0.],
           [0., 0., 1.],
           [0., 0., 0.]])
    """
    if num_classes < 0:
        raise TypeError(f"iota shape must have every element be nonnegative, got ({num_classes},).")
    found = np.asarray(np.expand_dims(np.asarray(x), -1) == np.arange(num_classes), np.float64 if dtype is None else dtype)
    return np.moveaxis(found, -1, axis)


EXPORTED: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        identity, relu, relu6, sigmoid, softplus, sparse_plus, sparse_sigmoid, soft_sign, silu, log_sigmoid, elu, celu, selu, gelu, glu, squareplus, mish, leaky_relu,
        hard_sigmoid, hard_silu, hard_tanh, logsumexp, logmeanexp, log1mexp, softmax, log_softmax, standardize, one_hot,
    )
}  # fmt: skip
"""By the names that they have in s2s.nn."""
