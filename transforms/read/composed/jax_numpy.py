"""NumPy's functions with arguments that only jax.numpy's have: `inplace`, `descending`, `mode` and `fill_value`, `precision` and `preferred_element_type`, `method`.

Where nothing of that is said they are NumPy's: an index that is out of range is an IndexError.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.shape_dtype import ShapeDtypeStruct
from s2s.transforms.read.composed.functional_updates import _filling
from s2s.transforms.read.composed.marks import unsupported

# ---- stores: with `inplace=False` into a copy, which is given back --------------------------------------------------------------


def put(a, ind, v, mode=None, *, inplace=True):
    """np.put; with `inplace=False` into a copy, which is given back.

    >>> put([1, 2, 3], [0, 2], 9, inplace=False)
    array([9, 2, 9])
    """
    out = a if inplace else np.array(a)
    np.put(out, ind, v, mode="raise" if mode is None else mode)
    return None if inplace else out


def place(arr, mask, vals, *, inplace=True):
    """np.place; with `inplace=False` into a copy, which is given back.

    >>> place(np.arange(4), np.array([False, True, True, True]), [7, 8], inplace=False)
    array([0, 7, 8, 7])
    """
    out = arr if inplace else np.array(arr)
    np.place(out, mask, vals)
    return None if inplace else out


def fill_diagonal(a, val, wrap=False, *, inplace=True):
    """np.fill_diagonal; with `inplace=False` into a copy, which is given back.

    >>> fill_diagonal(np.ones((2, 2), int), 5, inplace=False)
    array([[5, 1],
           [1, 5]])
    """
    out = a if inplace else np.array(a)
    np.fill_diagonal(out, val, wrap)
    return None if inplace else out


def put_along_axis(arr, indices, values, axis, inplace=True, *, mode=None):
    """np.put_along_axis; with `inplace=False` into a copy, which is given back.

    >>> put_along_axis(np.zeros((2, 2)), np.array([[1], [0]]), 3.0, 1, inplace=False)
    array([[0., 3.],
           [3., 0.]])
    """
    if mode is not None:
        unsupported(f"put_along_axis(…, mode={mode!r})", "x.at[…].set(…, mode=…)")
    out = arr if inplace else np.array(arr)
    np.put_along_axis(out, indices, values, axis)
    return None if inplace else out


# ---- arrays like another one, of which the shape and dtype are enough ------------------------------------------------------------


def empty_like(prototype, dtype=None, order="K", subok=True, shape=None, *, device=None):
    """np.empty_like; also of what `eval_shape` gives.

    >>> empty_like(ShapeDtypeStruct((2, 3), np.float32)).shape
    (2, 3)
    """
    return np.empty_like(example(prototype), dtype, order, subok, shape, device=device)


def zeros_like(a, dtype=None, order="K", subok=True, shape=None, *, device=None):
    """np.zeros_like; also of what `eval_shape` gives.

    >>> zeros_like(ShapeDtypeStruct((2,), np.float32))
    array([0., 0.], dtype=float32)
    """
    return np.zeros_like(example(a), dtype, order, subok, shape, device=device)


def ones_like(a, dtype=None, order="K", subok=True, shape=None, *, device=None):
    """np.ones_like; also of what `eval_shape` gives.

    >>> ones_like(np.arange(3))
    array([1, 1, 1])
    """
    return np.ones_like(example(a), dtype, order, subok, shape, device=device)


def full_like(a, fill_value, dtype=None, order="K", subok=True, shape=None, *, device=None):
    """np.full_like; also of what `eval_shape` gives.

    >>> full_like(np.arange(2), 7, dtype=float)
    array([7., 7.])
    """
    return np.full_like(example(a), fill_value, dtype, order, subok, shape, device=device)


def example(a):
    """An array like what `eval_shape` gives, which NumPy takes for an object; anything else as it is."""
    return np.empty(a.shape, a.dtype) if isinstance(a, ShapeDtypeStruct) else a


# ---- order -------------------------------------------------------------------------------------------------------------------


def sort(a, axis=-1, kind=None, order=None, *, stable=None, descending=False):
    """np.sort; with `descending` the largest comes first.

    >>> sort([3, 1, 2], descending=True)
    array([3, 2, 1])
    """
    found = np.sort(a, axis=axis, kind=kind, order=order, stable=stable)
    return np.flip(found, 0 if axis is None else axis) if descending else found


def argsort(a, axis=-1, kind=None, order=None, *, stable=None, descending=False, dtype=None):
    """np.argsort; equal elements keep their order, also where the largest comes first, if nothing else is said.

    >>> argsort([1, 3, 1, 3], descending=True)
    array([1, 3, 0, 2])
    """
    if descending:
        a = np.asarray(a)
        along = 0 if axis is None else axis
        turned = np.argsort(np.flip(np.ravel(a) if axis is None else a, along), axis=along, kind="stable")
        found = turned.shape[along] - 1 - np.flip(turned, along)
    else:
        found = np.argsort(a, axis=axis, kind=kind, order=order, stable=True if kind is None and stable is None else stable)
    return found if dtype is None else found.astype(dtype)


def searchsorted(a, v, side="left", sorter=None, *, method="scan"):
    """np.searchsorted; how is found what is looked for (`method`) is not the caller's business here.

    >>> searchsorted([1, 3, 5], [3, 4])
    array([1, 2])
    """
    return np.searchsorted(a, v, side=side, sorter=sorter)


def digitize(x, bins, right=False, *, method=None):
    """np.digitize; `method` says nothing here.

    >>> digitize([0.5, 2.5], [1.0, 2.0])
    array([0, 2])
    """
    return np.digitize(x, bins, right=right)


def isin(element, test_elements, assume_unique=False, invert=False, *, kind=None, method="auto"):
    """np.isin; `method` says nothing here.

    >>> isin([1, 2, 3], [2])
    array([False,  True, False])
    """
    return np.isin(element, test_elements, assume_unique=assume_unique, invert=invert, kind=kind)


# ---- elements ----------------------------------------------------------------------------------------------------------------


def take(a, indices, axis=None, out=None, mode=None, unique_indices=False, indices_are_sorted=False, fill_value=None):
    """np.take; with mode='fill' (or a `fill_value`) what is out of range is `fill_value`.

    >>> take([1.0, 2.0], [1, 5], mode='fill')
    array([ 2., nan])
    """
    if mode is None and fill_value is None or mode in ("raise", "wrap", "clip"):
        return np.take(a, indices, axis=axis, out=out, mode="raise" if mode is None else mode)
    _check_fills("take", mode)
    a, indices = np.asarray(a), np.asarray(indices)
    along = 0 if axis is None else axis
    a = np.ravel(a) if axis is None else a
    inside = (indices >= -a.shape[along]) & (indices < a.shape[along])
    found = np.take(a, np.where(inside, indices, 0), axis=along)
    behind = a.ndim - 1 - along % a.ndim
    return _where_inside(np.reshape(inside, inside.shape + (1,) * behind), found, a.dtype, fill_value)


def take_along_axis(arr, indices, axis=-1, mode=None, fill_value=None, *, wrap_negative_indices=None):
    """np.take_along_axis; with mode='fill' (or a `fill_value`) what is out of range is `fill_value`, with mode='clip' the nearest one.

    >>> take_along_axis([[1, 2], [3, 4]], [[0], [7]], 1, mode='clip')
    array([[1],
           [4]])
    """
    if mode is None and fill_value is None and wrap_negative_indices in (None, True):
        return np.take_along_axis(arr, indices, axis)
    arr, indices = np.asarray(arr), np.asarray(indices)
    arr, along = (np.ravel(arr), 0) if axis is None else (arr, axis)
    length = arr.shape[along]
    at = indices if wrap_negative_indices is False else np.where(indices < 0, indices + length, indices)
    if mode == "clip":
        return np.take_along_axis(arr, np.clip(at, 0, length - 1), along)
    _check_fills("take_along_axis", mode)
    inside = (at >= 0) & (at < length)
    return _where_inside(inside, np.take_along_axis(arr, np.where(inside, at, 0), along), arr.dtype, fill_value)


def clip(arr, a_min=None, a_max=None, out=None, *, min=None, max=None):
    """np.clip, of which either bound may be left out.

    >>> clip([1, 5, 9], max=6)
    array([1, 5, 6])
    """
    low, high = a_min if min is None else min, a_max if max is None else max
    return np.clip(arr, low, high) if out is None else np.clip(arr, low, high, out=out)


def _check_fills(name, mode):
    if mode not in (None, "fill"):
        unsupported(f"{name}(…, mode={mode!r})", "mode='fill' or 'clip'")


def _where_inside(inside, found, dtype, fill_value):
    return np.where(inside, found, np.asarray(_filling(dtype) if fill_value is None else fill_value).astype(dtype))


def delete(arr, obj, axis=None, *, assume_unique_indices=False):
    """np.delete.

    >>> delete([1, 2, 3, 4], [0, 2])
    array([2, 4])
    """
    return np.delete(arr, obj, axis)


def dstack(tup, dtype=None):
    """np.dstack, in a dtype that may be said.

    >>> dstack(([1, 2], [3, 4]), dtype=float)
    array([[[1., 3.],
            [2., 4.]]])
    """
    found = np.dstack(tup)
    return found if dtype is None else found.astype(dtype)


def polyval(p, x, *, unroll=16):
    """np.polyval; `unroll` says nothing here.

    >>> polyval([1.0, 0.0, -2.0], 3.0)
    np.float64(7.0)
    """
    return np.polyval(p, x)


# ---- products: `precision` is the dtype's own; `preferred_element_type` that of the sums and of the result -----------------------


def dot(a, b, out=None, *, precision=None, preferred_element_type=None):
    """np.dot; with `preferred_element_type` in this dtype.

    >>> dot(np.array([100, 100], np.int8), np.array([2, 2], np.int8), preferred_element_type=np.int32)
    np.int32(400)
    """
    return _product(np.dot, preferred_element_type, a, b, out=out)


def matmul(a, b, /, out=None, *, precision=None, preferred_element_type=None, **options):
    """np.matmul; with `preferred_element_type` in this dtype.

    >>> matmul([[1, 2], [3, 4]], [1, 1], preferred_element_type=float)
    array([3., 7.])
    """
    return _product(np.matmul, preferred_element_type, a, b, out=out, **options)


def inner(a, b, *, precision=None, preferred_element_type=None):
    """np.inner; with `preferred_element_type` in this dtype.

    >>> inner([1, 2, 3], [0, 1, 2])
    np.int64(8)
    """
    return _product(np.inner, preferred_element_type, a, b)


def vdot(a, b, *, precision=None, preferred_element_type=None):
    """np.vdot; with `preferred_element_type` in this dtype.

    >>> vdot([1j, 2.0], [1j, 1.0])
    np.complex128(3+0j)
    """
    return _product(np.vdot, preferred_element_type, a, b)


def vecdot(x1, x2, /, *, axis=-1, precision=None, preferred_element_type=None):
    """np.vecdot; with `preferred_element_type` in this dtype.

    >>> vecdot([[1, 2], [3, 4]], [1, 1])
    array([3, 7])
    """
    return _product(np.vecdot, preferred_element_type, x1, x2, axis=axis)


def tensordot(a, b, axes=2, *, precision=None, preferred_element_type=None):
    """np.tensordot; with `preferred_element_type` in this dtype.

    >>> tensordot([[1, 2], [3, 4]], [[1, 0], [0, 1]], axes=2)
    array(5)
    """
    return _product(np.tensordot, preferred_element_type, a, b, axes=axes)


def convolve(a, v, mode="full", *, precision=None, preferred_element_type=None):
    """np.convolve; with `preferred_element_type` in this dtype.

    >>> convolve([1, 2, 3], [1, 1])
    array([1, 3, 5, 3])
    """
    return _product(np.convolve, preferred_element_type, a, v, mode=mode)


def correlate(a, v, mode="valid", *, precision=None, preferred_element_type=None):
    """np.correlate; with `preferred_element_type` in this dtype.

    >>> correlate([1, 2, 3], [0, 1, 2])
    array([8])
    """
    return _product(np.correlate, preferred_element_type, a, v, mode=mode)


def einsum(subscripts, /, *operands, out=None, optimize="auto", precision=None, preferred_element_type=None, **options):
    """np.einsum; with `preferred_element_type` in this dtype.

    >>> einsum('ij,j->i', [[1, 2], [3, 4]], [1, 1])
    array([3, 7])
    """
    optimize = True if optimize == "auto" else optimize
    if preferred_element_type is None:
        return np.einsum(subscripts, *operands, out=out, optimize=optimize, **options)
    if not isinstance(subscripts, str):
        unsupported("einsum(…, preferred_element_type=…) with axes in lists", "a text of subscripts")
    wide = [_wide(each, preferred_element_type) for each in operands]
    return np.einsum(subscripts, *wide, optimize=optimize, **options).astype(preferred_element_type)


def _product(product, dtype, a, b, **options):
    """The product, computed in this dtype if one is said."""
    if dtype is None:
        return product(a, b, **options)
    return product(_wide(a, dtype), _wide(b, dtype), **options).astype(dtype)


def _wide(x, dtype):
    """The operand in the dtype of the sums."""
    x = np.asarray(x)
    return x.astype(np.result_type(x.dtype, dtype))


# ---- linear algebra ----------------------------------------------------------------------------------------------------------


def cholesky(a, *, upper=False, symmetrize_input=False):
    """np.linalg.cholesky; with `symmetrize_input` of the mean of the matrix and its adjoint.

    >>> cholesky([[4.0, 2.0], [2.0, 2.0]], upper=True)
    array([[2., 1.],
           [0., 1.]])
    """
    return np.linalg.cholesky(_symmetric(a) if symmetrize_input else a, upper=upper)


def eigh(a, UPLO="L", symmetrize_input=False):
    """np.linalg.eigh; with `symmetrize_input` of the mean of the matrix and its adjoint.

    >>> eigh(np.diag([3.0, 1.0])).eigenvalues
    array([1., 3.])
    """
    return np.linalg.eigh(_symmetric(a) if symmetrize_input else a, UPLO)


def eigvalsh(a, UPLO="L", *, symmetrize_input=False):
    """np.linalg.eigvalsh; with `symmetrize_input` of the mean of the matrix and its adjoint.

    >>> eigvalsh([[2.0, 2.0], [0.0, 2.0]], symmetrize_input=True)
    array([1., 3.])
    """
    return np.linalg.eigvalsh(_symmetric(a) if symmetrize_input else a, UPLO)


def multi_dot(arrays, *, out=None, precision=None):
    """np.linalg.multi_dot.

    >>> multi_dot([np.eye(2), np.eye(2), [1.0, 2.0]])
    array([1., 2.])
    """
    return np.linalg.multi_dot(arrays, out=out)


def slogdet(a, *, method=None):
    """np.linalg.slogdet; `method` says nothing here.

    >>> slogdet([[0.0, 1.0], [1.0, 0.0]]).sign
    np.float64(-1.0)
    """
    return np.linalg.slogdet(a)


def _symmetric(a):
    """The mean of a matrix and its adjoint."""
    a = np.asarray(a)
    return (a + np.conj(np.swapaxes(a, -1, -2))) / 2


def _by_name(*functions):
    return {each.__name__: each for each in functions}


EXPORTED: dict[str, Callable[..., Any]] = _by_name(
    empty_like, zeros_like, ones_like, full_like, clip, put, place, fill_diagonal, put_along_axis, sort, argsort, searchsorted, digitize, isin, take, take_along_axis, delete, dstack, polyval, dot, matmul, inner, vdot, vecdot,
    tensordot, einsum, convolve, correlate,
)  # fmt: skip
"""s2s.numpy's, by name."""
LINALG: dict[str, Callable[..., Any]] = _by_name(cholesky, eigh, eigvalsh, multi_dot, slogdet) | _by_name(matmul, tensordot, vecdot)
"""s2s.numpy.linalg's."""
