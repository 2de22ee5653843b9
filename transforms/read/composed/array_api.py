"""NumPy's functions under the array API's names, and others that came late: sums that run, sets with all that is known of them, products with vectors."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import unsupported

# ---- running sums ------------------------------------------------------------------------------------------------------------


def cumulative_sum(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
    """np.cumulative_sum."""
    x, axis = _one_axis("cumulative_sum", x, axis, out)
    sums = np.cumsum(x, axis=axis, dtype=dtype)
    return _begun(sums, np.zeros_like(_first_of(sums, x, axis)), axis) if include_initial else sums


def cumulative_prod(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
    """np.cumulative_prod."""
    x, axis = _one_axis("cumulative_prod", x, axis, out)
    products = np.cumprod(x, axis=axis, dtype=dtype)
    return _begun(products, np.ones_like(_first_of(products, x, axis)), axis) if include_initial else products


def _one_axis(name, x, axis, out):
    if out is not None:
        unsupported(f"np.{name}(…, out=…)", "a store into it: out[...] = …")
    x = np.atleast_1d(x)
    if axis is None:
        if x.ndim > 1:
            raise ValueError("For arrays which have more than one dimension ``axis`` argument is required.")
        axis = 0
    return x, axis


def _first_of(sums, x, axis):
    """One slice that is shaped like those along an axis."""
    return np.sum(np.moveaxis(x, axis, 0)[:0], axis=0, dtype=sums.dtype)


def _begun(sums, first, axis):
    return np.concatenate((np.expand_dims(first, axis), sums), axis=axis)


# ---- products ------------------------------------------------------------------------------------------------------------------


def matvec(x1, x2, /, out=None, *, casting="same_kind", order="K", dtype=None, subok=True, axes=None, axis=None, keepdims=False, signature=None):
    """np.matvec: matrices times vectors."""
    _need_plain("matvec", out, casting, order, dtype, axes, axis, keepdims, signature)
    _need_core("matvec", 0, x1, 2)
    _need_core("matvec", 1, x2, 1)
    if np.shape(x1)[-1] != np.shape(x2)[-1]:
        raise ValueError(f"matvec: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (m,n),(n)->(m) (size {np.shape(x2)[-1]} is different from {np.shape(x1)[-1]})")
    return np.matmul(x1, np.expand_dims(x2, -1))[..., 0]


def vecmat(x1, x2, /, out=None, *, casting="same_kind", order="K", dtype=None, subok=True, axes=None, axis=None, keepdims=False, signature=None):
    """np.vecmat: vectors, conjugated, times matrices."""
    _need_plain("vecmat", out, casting, order, dtype, axes, axis, keepdims, signature)
    _need_core("vecmat", 0, x1, 1)
    _need_core("vecmat", 1, x2, 2)
    if np.shape(x1)[-1] != np.shape(x2)[-2]:
        raise ValueError(f"vecmat: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n),(n,m)->(m) (size {np.shape(x2)[-2]} is different from {np.shape(x1)[-1]})")
    x1 = np.asarray(x1)
    return np.matmul(np.expand_dims(np.conj(x1) if x1.dtype.kind == "c" else x1, -2), x2)[..., 0, :]


def _need_plain(name, out, casting, order, dtype, axes, axis, keepdims, signature):
    given = out is not None or dtype is not None or axes is not None or axis is not None or signature is not None
    if given or keepdims or casting != "same_kind" or order not in ("K", "A", "C", None):
        unsupported(f"np.{name} with an option of ufuncs", "np.moveaxis, astype")


def _need_core(name, number, x, count):
    if np.ndim(x) < count:
        core = "(m,n),(n)->(m)" if name == "matvec" else "(n),(n,m)->(m)"
        raise ValueError(
            f"{name}: Input operand {number} does not have enough dimensions (has {np.ndim(x)}, gufunc core with signature {core} requires {count})"
        )


# ---- sets -----------------------------------------------------------------------------------------------------------------------

_All, _Counts, _Inverse = (type(function(np.zeros(1))) for function in (np.unique_all, np.unique_counts, np.unique_inverse))


def unique_all(x, /):
    """np.unique_all: the elements, the first places, which of them each element is, and how often they stand; each nan is one of its own."""
    values, indices, inverse, counts = np.unique(x, return_index=True, return_inverse=True, return_counts=True, equal_nan=False)
    return _All(values, indices, inverse, counts)


def unique_counts(x, /):
    """np.unique_counts."""
    values, counts = np.unique(x, return_counts=True, equal_nan=False)
    return _Counts(values, counts)


def unique_inverse(x, /):
    """np.unique_inverse."""
    values, inverse = np.unique(x, return_inverse=True, equal_nan=False)
    return _Inverse(values, inverse)


def unique_values(x):
    """np.unique_values, in rising order."""
    return np.unique(x, equal_nan=False)


# ---- equality, kinds --------------------------------------------------------------------------------------------------------


def array_equal(a1, a2, equal_nan=False):
    """np.array_equal: equal lengths are a question, too."""
    a1, a2 = np.asarray(a1), np.asarray(a2)
    if a1.shape != a2.shape:
        return False
    same = a1 == a2
    if equal_nan and a1.dtype.kind in "fc" and a2.dtype.kind in "fc":
        same = same | np.isnan(a1) & np.isnan(a2)
    return bool(np.all(same))


def array_equiv(a1, a2):
    """np.array_equiv: whether all elements are equal where one array is stretched to the other."""
    a1, a2 = np.asarray(a1), np.asarray(a2)
    for one, other in zip(a1.shape[::-1], a2.shape[::-1], strict=False):
        if one != 1 and other not in (1, one):
            return False
    return bool(np.all(a1 == a2))


def common_type(*arrays):
    """np.common_type: a type of floats or complex numbers that holds all."""
    found = np.dtype(np.float16)
    for each in arrays:
        kind = each.dtype.kind
        if kind not in "iufc":
            raise TypeError("can't get common type for non-numeric array")
        found = np.result_type(found, np.float64 if kind in "iu" else each.dtype)
    return found.type


def iterable(y):
    """np.iterable."""
    return isinstance(y, (tuple, list, dict, str)) or np.ndim(y) > 0


LATE: dict[str, Any] = {
    f"numpy.{function.__name__}": function
    for function in (
        cumulative_sum, cumulative_prod, matvec, vecmat, unique_all, unique_counts, unique_inverse, unique_values, array_equal, array_equiv, common_type, iterable,
    )
}  # fmt: skip
