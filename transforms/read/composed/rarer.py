"""Arguments of NumPy's functions that few programs give: what the table's rules (`read/numpy/`) do not take, in plain NumPy around the function without them.

    np.ravel(x, "F")          ->  np.ravel(np.transpose(x))
    np.trace(x, dtype=int)    ->  np.sum(np.diagonal(x), axis=-1, dtype=int)

`RARER` says for each function which of its arguments lead here, by what the rule in the table takes of them.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from s2s.transforms.read.composed.lax_elements import make_complex
from s2s.transforms.read.composed.marks import axes_in_memory, unsupported
from s2s.transforms.read.composed.polynomial_classes import Poly1d
from s2s.transforms.read.names import Table

# ---- orders --------------------------------------------------------------------------------------------------------------


def reshape(a, /, shape, order="C", *, copy=None):
    """np.reshape in the order of Fortran (the first index runs fastest), or in the one in which the array lies in memory."""
    if order == "K":
        raise ValueError("order 'K' is not permitted for reshaping")
    if axes_in_memory(a, order) == tuple(range(np.ndim(a))) and order != "F":
        return np.reshape(a, shape, copy=copy)
    wanted = (shape,) if np.ndim(shape) == 0 else tuple(shape)
    return np.transpose(np.reshape(np.transpose(a), wanted[::-1], copy=copy))


def ravel(a, order="C"):
    """np.ravel in another order."""
    a = np.asarray(a)
    return np.ravel(np.transpose(a, axes_in_memory(a, order)))


def flatten(a, order="C"):
    """x.flatten in another order."""
    return np.transpose(a, axes_in_memory(a, order)).flatten()


def unravel_index(indices, shape, order="C"):
    """np.unravel_index in the order of Fortran."""
    lengths = (shape,) if np.ndim(shape) == 0 else tuple(shape)
    return np.unravel_index(indices, lengths[::-1])[::-1]


def ravel_multi_index(multi_index, dims, mode="raise", order="C"):
    """np.ravel_multi_index in the order of Fortran."""
    modes = mode if isinstance(mode, str) else tuple(mode)[::-1]
    return np.ravel_multi_index(tuple(multi_index)[::-1], tuple(dims)[::-1], mode=modes)


def lexsort(keys, axis=-1):
    """np.lexsort of an array of keys: by one after the other, each time stable."""
    keys = np.asarray(keys)
    if len(keys) == 0:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    order = np.argsort(keys[0], axis=axis, kind="stable")
    for k in range(1, len(keys)):
        step = np.argsort(np.take_along_axis(keys[k], order, axis), axis=axis, kind="stable")
        order = np.take_along_axis(order, step, axis)
    return order


# ---- dtypes --------------------------------------------------------------------------------------------------------------


def polyval(p, x):
    """np.polyval at an object: one that is no polynomial is an array."""
    if isinstance(x, Poly1d):
        unsupported("np.polyval of a poly1d", "a loop of products and sums: value = value * x + c for c in p")
    return np.polyval(p, np.asarray(x))


def trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    """np.trace, added up in a dtype."""
    return np.sum(np.diagonal(a, offset, axis1, axis2), axis=-1, dtype=dtype)


def indices(dimensions, dtype=int, sparse=False):
    """np.indices, each along its own axis only."""
    count = len(dimensions)
    return tuple([np.arange(length, dtype=dtype).reshape((1,) * k + (-1,) + (1,) * (count - k - 1)) for k, length in enumerate(dimensions)])


def clip(a, a_min=np._NoValue, a_max=np._NoValue, out=None, *, min=np._NoValue, max=np._NoValue, dtype=None, casting="same_kind", where=True, order="K", subok=True):
    """np.clip with the options of a ufunc."""
    if where is not True:
        unsupported("np.clip(…, where=…) without out", "out=an array, or np.where(condition, …, …)", "NumPy leaves what is left out as the memory was")
    low, high = min if a_min is np._NoValue else a_min, max if a_max is np._NoValue else a_max
    found = np.asarray(a)
    if (low is np._NoValue or low is None) and (high is np._NoValue or high is None):
        return np.positive(found, dtype=dtype, casting=casting, order=order)
    if low is not np._NoValue and low is not None:
        found = np.maximum(found, low, dtype=dtype, casting=casting, order=order)
    return found if high is np._NoValue or high is None else np.minimum(found, high, dtype=dtype, casting=casting, order=order)


def einsum(*operands, out=None, optimize=False, dtype=None, order="K", casting="safe"):
    """np.einsum, computed in a dtype."""
    if order == "F":
        unsupported("np.einsum(…, order='F')", "C order")
    if order not in ("C", "A", "K", "F"):
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
    if isinstance(operands[0], str):
        return np.einsum(operands[0], *[_cast(each, dtype, casting) for each in operands[1:]], optimize=optimize)
    places = len(operands) // 2 * 2
    given = [_cast(each, dtype, casting) if k % 2 == 0 and k < places else each for k, each in enumerate(operands)]
    return np.einsum(*given, optimize=optimize)


def _cast(x, dtype, casting):
    """An operand in the dtype, where the rule allows that."""
    x = np.asarray(x)
    if dtype is None:
        return x
    if not np.can_cast(x.dtype, dtype, casting):
        raise TypeError(f"Cannot cast array data from {x.dtype!r} to {np.dtype(dtype)!r} according to the rule {casting!r}")
    return x.astype(dtype)


# ---- nan ---------------------------------------------------------------------------------------------------------------------


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    """np.nan_to_num into the array itself, with arrays of numbers, or of complex numbers."""
    values = np.asarray(x)
    if values.dtype.kind not in "fc":
        return values.copy() if copy else values
    if values.dtype.kind == "c":
        found = make_complex(_numbers(values.real, nan, posinf, neginf), _numbers(values.imag, nan, posinf, neginf))
    else:
        found = _numbers(values, nan, posinf, neginf)
    if copy:
        return found[()]
    values[...] = found
    return values


def _numbers(x, nan, posinf, neginf):
    limits = np.finfo(x.dtype)
    high, low = limits.max if posinf is None else posinf, limits.min if neginf is None else neginf
    found = np.where(np.isnan(x), nan, np.where(np.isposinf(x), high, np.where(np.isneginf(x), low, x)))
    return found.astype(x.dtype)


def quantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None):
    """np.quantile with weights."""
    q = np.asarray(q)
    if q.dtype.kind not in "fiub":
        raise TypeError("q must be an array of real numbers")
    if np.any((q < 0) | (q > 1)):
        raise ValueError("Quantiles must be in the range [0, 1]")
    return weighted_quantile(np.asarray(a), q if q.dtype.kind == "f" else q.astype(np.float64), axis, method, keepdims, weights)


def percentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None):
    """np.percentile with weights."""
    if np.any((np.asarray(q) < 0) | (np.asarray(q) > 100)):
        raise ValueError("Percentiles must be in the range [0, 100]")
    return weighted_quantile(np.asarray(a), np.true_divide(q, 100), axis, method, keepdims, weights)


def weighted_quantile(a, q, axis, method, keepdims, weights, skip_nan=False):
    """The first element, in rising order, up to which there is a part q of all weight. `skip_nan`: of what is no nan."""
    if method != "inverted_cdf":
        raise ValueError(f"Only method 'inverted_cdf' supports weights. Got: {method}.")
    if a.dtype.kind == "c":
        raise TypeError("a must be an array of real numbers")
    axes = tuple(range(a.ndim)) if axis is None else tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)
    weights = _weights(np.asarray(weights), a, axis, axes)
    if np.any(weights < 0):
        raise ValueError("Weights must be non-negative.")
    last = tuple(range(-len(axes), 0))
    values, parts = np.moveaxis(a, axes, last), np.moveaxis(np.broadcast_to(weights, a.shape), axes, last).astype(np.float64)
    kept = values.shape[: a.ndim - len(axes)]
    rows = (math.prod(kept), math.prod(values.shape[a.ndim - len(axes) :]))
    values, parts, levels = values.reshape(rows), parts.reshape(rows), np.atleast_1d(q).ravel()
    order = np.argsort(values, axis=-1, kind="stable")
    values, parts = np.take_along_axis(values, order, -1), np.take_along_axis(parts, order, -1)
    missing = np.isnan(values) if values.dtype.kind == "f" else np.zeros(rows, dtype=np.bool_)
    if skip_nan:
        parts = np.where(missing, 0.0, parts)
    found = np.empty((len(levels), rows[0]), dtype=a.dtype)
    for k in range(rows[0]):
        sums = np.cumsum(parts[k])
        if not sums[-1] > 0.0 or not np.isfinite(sums[-1]):
            raise ValueError("Weights included NaN, inf or were all zero.")
        shares = sums / sums[-1]
        shares = np.where(shares == 0.0, -1.0, shares).astype(levels.dtype)
        places = np.minimum(np.searchsorted(shares, levels, side="left"), rows[1] - 1)
        found[:, k] = values[k, places]
        if not skip_nan and missing[k, -1]:
            found[:, k] = values[k, -1]
    found = found.reshape(np.shape(q) + kept)
    return np.expand_dims(found, tuple([np.ndim(q) + each % a.ndim for each in axes])) if keepdims else found


def _weights(weights, a, axis, axes):
    """The weights as an array that stretches to a."""
    if weights.shape == a.shape:
        return weights
    if axis is None:
        raise TypeError("Axis must be specified when shapes of a and weights differ.")
    normal = tuple([each % a.ndim for each in axes])
    if weights.shape != tuple([a.shape[each] for each in normal]):
        raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
    order = sorted(range(len(normal)), key=lambda k: normal[k])
    return np.transpose(weights, tuple(order)).reshape(tuple([a.shape[k] if k in normal else 1 for k in range(a.ndim)]))


# ---- matrices ---------------------------------------------------------------------------------------------------------------


def pinv(a, rcond=None, hermitian=False, *, rtol=np._NoValue):
    """np.linalg.pinv of a Hermitian matrix, of which the lower triangle is read, or of one that only the run knows to be one."""
    a = np.asarray(a)
    whole = a
    if hermitian and a.shape[-2] * a.shape[-1] != 0:  # of nothing whatever its sides
        below = np.tril(a, -1)
        whole = below + np.conj(np.swapaxes(below, -1, -2)) + np.eye(a.shape[-1], dtype=a.dtype) * np.real(a).astype(a.dtype)
    if rcond is not None and rtol is not np._NoValue:
        raise ValueError("`rtol` and `rcond` can't be both set.")
    if rcond is None and rtol is None:
        rtol = a.shape[-1] * np.finfo(a.dtype).eps
    return np.linalg.pinv(whole, rcond) if rtol is np._NoValue or rtol is None else np.linalg.pinv(whole, rtol=rtol)


def matrix_power(a, n):
    """np.linalg.matrix_power with a negative exponent, or one that is known only at run time."""
    a = np.asarray(a)
    if a.ndim < 2:
        raise np.linalg.LinAlgError(f"{a.ndim}-dimensional array given. Array must be at least two-dimensional")
    if a.shape[-1] != a.shape[-2]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    if np.asarray(n).dtype.kind not in "iu" or np.ndim(n) > 0:
        raise TypeError("exponent must be an integer")
    if isinstance(n, int) and n < 0 and a.dtype.kind not in "fc":
        a = a.astype(np.float64)
    if n < 0:
        if a.dtype.kind not in "fc":
            raise NotImplementedError("np.linalg.matrix_power of integers with a negative exponent that is known only at run time (its result is of floats) is not supported")
        power, left = np.linalg.inv(a), -n
    else:
        power, left = a.copy(), n + 0
    found = np.zeros_like(a) + np.eye(a.shape[-1], dtype=a.dtype)
    while left > 0:
        if left % 2 == 1:
            found = found @ power
        left = left // 2
        if left > 0:
            power = power @ power
    return found


# ---- generalised ufuncs ----------------------------------------------------------------------------------------------------------


def matmul(x1, x2, /, out=None, *, casting="same_kind", order="K", dtype=None, subok=True, axes=None, axis=np._NoValue, keepdims=np._NoValue, signature=None):
    """np.matmul of matrices that lie along other axes."""
    signature_of = "(n?,k),(k,m?)->(n?,m?)"
    if axis is not np._NoValue:
        raise TypeError(f"matmul: axis can only be used with a single shared core dimension, not with the 3 distinct ones implied by signature {signature_of}.")
    if keepdims is not np._NoValue:
        raise TypeError(
            f"matmul does not support keepdims: its signature {signature_of} requires output 0 to have 2 core dimensions, but keepdims can only be used when all "
            "inputs have the same number of core dimensions and all outputs have no core dimensions."
        )
    return _along(np.matmul, (x1, x2), axes, dtype, casting, signature)


def matvec(x1, x2, /, out=None, *, casting="same_kind", order="K", dtype=None, subok=True, axes=None, axis=np._NoValue, keepdims=np._NoValue, signature=None):
    """np.matvec of what lies along other axes."""
    _refuse_axis("matvec", "(m,n),(n)->(m)", axis, keepdims)
    return _along(np.matvec, (x1, x2), axes, dtype, casting, signature)


def vecmat(x1, x2, /, out=None, *, casting="same_kind", order="K", dtype=None, subok=True, axes=None, axis=np._NoValue, keepdims=np._NoValue, signature=None):
    """np.vecmat of what lies along other axes."""
    _refuse_axis("vecmat", "(n),(n,m)->(m)", axis, keepdims)
    return _along(np.vecmat, (x1, x2), axes, dtype, casting, signature)


def _refuse_axis(name, signature, axis, keepdims):
    if axis is not np._NoValue:
        raise TypeError(f"{name}: axis can only be used with a single shared core dimension, not with the 2 distinct ones implied by signature {signature}.")
    if keepdims is not np._NoValue:
        raise TypeError(
            f"{name} does not support keepdims: its signature {signature} requires output 0 to have 1 core dimensions, but keepdims can only be used when all "
            "inputs have the same number of core dimensions and all outputs have no core dimensions."
        )


def vecdot(x1, x2, /, out=None, *, casting="same_kind", order="K", dtype=None, subok=True, axes=None, axis=-1, keepdims=False, signature=None):
    """np.vecdot of vectors that lie along other axes, which may be kept."""
    if axes is not None:
        if axis != -1:
            raise TypeError("cannot specify both 'axis' and 'axes'")
        one, two = [each[0] if isinstance(each, tuple) else each for each in axes[:2]]
    else:
        one = two = axis
    found = _along(np.vecdot, (np.moveaxis(x1, one, -1), np.moveaxis(x2, two, -1)), None, dtype, casting, signature)
    return np.expand_dims(found, one) if keepdims else found


def _along(function, operands, axes, dtype, casting, signature):
    """A function of vectors and matrices along the last axes, of what lies along `axes`."""
    if signature is not None:
        unsupported(f"np.{function.__name__}(…, signature=…)", "dtype=…")
    given = [_cast(each, dtype, casting) for each in operands]
    if axes is None:
        return function(*given)
    places = [each if isinstance(each, tuple) else (each,) for each in axes]
    moved = [np.moveaxis(each, place, tuple(range(-len(place), 0))) for each, place in zip(given, places[: len(given)], strict=True)]
    found = function(*moved)
    if len(places) == len(given):
        return found
    return np.moveaxis(found, tuple(range(-len(places[-1]), 0)), places[-1])


# ---- stores ----------------------------------------------------------------------------------------------------------------------


def fill_diagonal(a, val, wrap=False):
    """np.fill_diagonal of more than two axes, or of a tall matrix again and again."""
    if a.ndim < 2:
        raise ValueError("array must be at least 2-d")
    if a.ndim == 2:
        step = a.shape[1] + 1
        end = a.size if wrap else a.shape[1] * a.shape[1]
    else:
        if any(length != a.shape[0] for length in a.shape):
            raise ValueError("All dimensions of input must be of equal length")
        step, end = 1 + sum([a.shape[0] ** k for k in range(1, a.ndim)]), a.size
    flat = a.flatten()
    places = step * np.arange((min(end, a.size) + step - 1) // step)
    values = np.ravel(val)
    flat[places] = values[np.arange(places.size) % values.size]
    a[...] = flat.reshape(a.shape)


def norm(x, ord=None, axis=None, keepdims=False):
    """np.linalg.norm of an ord that the run reads."""
    is_of_matrices = np.ndim(x) == 2 if axis is None else np.ndim(axis) > 0 and len(axis) == 2
    return _matrix_norm(x, ord, axis, keepdims) if is_of_matrices else _vector_norm(x, ord, axis, keepdims)


def scipy_norm(a, ord=None, axis=None, keepdims=False, check_finite=True):
    """scipy.linalg.norm of an ord that the run reads."""
    return norm(np.asarray_chkfinite(a) if check_finite else a, ord, axis, keepdims)


def _vector_norm(x, ord, axis, keepdims):
    if ord == np.inf:
        return np.linalg.norm(x, np.inf, axis, keepdims)
    if ord == -np.inf:
        return np.linalg.norm(x, -np.inf, axis, keepdims)
    if ord == 0:
        return np.linalg.norm(x, 0, axis, keepdims)
    if ord == 1:
        return np.linalg.norm(x, 1, axis, keepdims)
    if ord == 2:
        return np.linalg.norm(x, 2, axis, keepdims)
    return np.sum(np.abs(x) ** ord, axis=axis, keepdims=keepdims) ** (1.0 / ord)


def _matrix_norm(x, ord, axis, keepdims):
    if ord == 1:
        return np.linalg.norm(x, 1, axis, keepdims)
    if ord == -1:
        return np.linalg.norm(x, -1, axis, keepdims)
    if ord == 2:
        return np.linalg.norm(x, 2, axis, keepdims)
    if ord == -2:
        return np.linalg.norm(x, -2, axis, keepdims)
    if ord == np.inf:
        return np.linalg.norm(x, np.inf, axis, keepdims)
    if ord == -np.inf:
        return np.linalg.norm(x, -np.inf, axis, keepdims)
    raise ValueError("Invalid norm order for matrices.")


# ---- which arguments lead here ---------------------------------------------------------------------------------------------------------


def zeros(shape, dtype=float, order="C", *, device=None, like=None):
    """np.zeros in Fortran order: the numbers lie in C order, but whether a reshape of it is a view goes by what is asked for."""
    return np.asarray(np.zeros(shape, dtype), order="F")


def ones(shape, dtype=None, order="C", *, device=None, like=None):
    """np.ones in Fortran order."""
    return np.asarray(np.ones(shape, dtype), order="F")


def empty(shape, dtype=float, order="C", *, device=None, like=None):
    """np.empty in Fortran order."""
    return np.asarray(np.empty(shape, dtype), order="F")


def full(shape, fill_value, dtype=None, order="C", *, device=None, like=None):
    """np.full in Fortran order."""
    return np.asarray(np.full(shape, fill_value, dtype), order="F")


@dataclass(frozen=True)
class Rarer:
    """A function for rarer arguments: for each of their names, which of its values the table's rule takes."""

    source: Callable[..., Any]
    taken: dict[str, Callable[[Any], bool]]


def _among(*values: Any) -> Callable[[Any], bool]:
    return lambda given: any(given is value or isinstance(given, str | bool) and type(given) is type(value) and given == value for value in values)


def _is_exponent(n: Any) -> bool:
    return isinstance(n, int | np.integer) and n >= 0 or isinstance(n, float)


def _is_sequence(keys: Any) -> bool:
    return not isinstance(keys, np.ndarray) and type(keys).__name__ != "View"


def _is_no_array(number: Any) -> bool:
    return not isinstance(number, list | tuple | np.ndarray) and type(number).__name__ != "View"


def _is_no_object(given: Any) -> bool:
    return type(given).__name__ not in ("ObjectRef", "Pooled")


def _is_told(number: Any) -> bool:
    return type(number).__name__ != "Var"


def _never(given: Any) -> bool:
    return False


_NOT_FORTRAN = {"order": lambda order: order != "F"}
_ONLY_C = {"order": lambda order: order not in ("F", "A", "K")}
_NONE, _FALSE = _among(None, np._NoValue), _among(False, np._NoValue)
_OF_CORES = {"axes": _NONE, "axis": _NONE, "keepdims": _FALSE, "dtype": _NONE, "casting": _among("same_kind"), "signature": _NONE}
RARER: Table[Rarer] = Table({
    "numpy.zeros": Rarer(zeros, _NOT_FORTRAN), "numpy.ones": Rarer(ones, _NOT_FORTRAN), "numpy.empty": Rarer(empty, _NOT_FORTRAN), "numpy.full": Rarer(full, _NOT_FORTRAN),
    "numpy.reshape": Rarer(reshape, _ONLY_C), "numpy.ravel": Rarer(ravel, _ONLY_C), "numpy.ndarray.flatten": Rarer(flatten, _ONLY_C),
    "numpy.unravel_index": Rarer(unravel_index, _NOT_FORTRAN), "numpy.ravel_multi_index": Rarer(ravel_multi_index, _NOT_FORTRAN), "numpy.lexsort": Rarer(lexsort, {"keys": _is_sequence}),
    "numpy.polyval": Rarer(polyval, {"x": _is_no_object}), "numpy.trace": Rarer(trace, {"dtype": _NONE}), "numpy.indices": Rarer(indices, {"sparse": _FALSE}), "numpy.clip": Rarer(clip, dict.fromkeys(("dtype", "casting", "order", "subok", "where"), _never)),
    "numpy.einsum": Rarer(einsum, {"dtype": _NONE, "order": _among("K"), "casting": _among("safe")}),
    "numpy.nan_to_num": Rarer(nan_to_num, {"copy": _among(True), **dict.fromkeys(("nan", "posinf", "neginf"), _is_no_array)}),
    "numpy.quantile": Rarer(quantile, {"weights": _NONE}), "numpy.percentile": Rarer(percentile, {"weights": _NONE}),
    "numpy.linalg.pinv": Rarer(pinv, {"hermitian": _FALSE}), "numpy.linalg.norm": Rarer(norm, {"ord": _is_told}), "scipy.linalg.norm": Rarer(scipy_norm, {"ord": _is_told}), "numpy.linalg.matrix_power": Rarer(matrix_power, {"n": _is_exponent}),
    "numpy.fill_diagonal": Rarer(fill_diagonal, {"wrap": _FALSE}), "numpy.matmul": Rarer(matmul, _OF_CORES), "numpy.matvec": Rarer(matvec, _OF_CORES), "numpy.vecmat": Rarer(vecmat, _OF_CORES),
    "numpy.vecdot": Rarer(vecdot, {**_OF_CORES, "axis": lambda axis: isinstance(axis, int)}),
})  # fmt: skip


@cache
def _signature(source: Callable[..., Any]) -> inspect.Signature:
    return inspect.signature(source)


def source_for(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Callable[..., Any] | None:
    """The function here that serves a call; None where the table's rule does."""
    entry = RARER.get(function)
    if entry is None:
        return None
    try:
        given = _signature(entry.source).bind(*args, **kwargs).arguments
    except TypeError:  # no call of NumPy's: the table's rule says what it lacks
        return None
    return entry.source if any(name in given and not takes(given[name]) for name, takes in entry.taken.items()) else None


__all__ = ["RARER", "Rarer", "source_for", "weighted_quantile"]
