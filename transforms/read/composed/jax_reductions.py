"""NumPy's reductions with the arguments of jax.numpy's: an `axis` may be a list, `where`, `initial`, `mean` and `correction` may be None.

    mean([[1, 2], [3, 4]], axis=[0, 1], where=None)      ->      2.5

(NumPy takes `where=None` for a mask that is False everywhere.)
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def _axes(axis):
    """The axes as NumPy takes them."""
    return tuple(axis) if isinstance(axis, list) else axis


def _said(**given):
    """Those arguments that are there."""
    return {name: value for name, value in given.items() if value is not None}


# ---- sums and products -------------------------------------------------------------------------------------------------------


def _widened(a, dtype, promote_integers):
    """The dtype of a sum: without promotion the terms' own."""
    return dtype if promote_integers or dtype is not None else np.asarray(a).dtype


def sum(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None, promote_integers=True):  # noqa: A001 - its name
    """np.sum; with `promote_integers=False` small integers are added in their own dtype.

    >>> sum(np.array([200, 100], np.uint8), promote_integers=False)
    np.uint8(44)
    """
    return np.sum(a, axis=_axes(axis), keepdims=keepdims, **_said(dtype=_widened(a, dtype, promote_integers), out=out, initial=initial, where=where))


def prod(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None, promote_integers=True):
    """np.prod; with `promote_integers=False` small integers are multiplied in their own dtype.

    >>> prod([[1, 2], [3, 4]], axis=[0, 1])
    np.int64(24)
    """
    return np.prod(a, axis=_axes(axis), keepdims=keepdims, **_said(dtype=_widened(a, dtype, promote_integers), out=out, initial=initial, where=where))


def nansum(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None):
    """np.nansum: nan counts as 0.

    >>> nansum([1.0, np.nan, 3.0])
    np.float64(4.0)
    """
    return np.nansum(a, axis=_axes(axis), keepdims=keepdims, **_said(dtype=dtype, out=out, initial=initial, where=where))


def nanprod(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None):
    """np.nanprod: nan counts as 1.

    >>> nanprod([2.0, np.nan, 3.0])
    np.float64(6.0)
    """
    return np.nanprod(a, axis=_axes(axis), keepdims=keepdims, **_said(dtype=dtype, out=out, initial=initial, where=where))


# ---- the largest, the least, all and any --------------------------------------------------------------------------------------


def max(a, axis=None, out=None, keepdims=False, initial=None, where=None):  # noqa: A001 - its name
    """np.max.

    >>> max([[1, 5], [7, 2]], axis=[1])
    array([5, 7])
    """
    return np.max(a, axis=_axes(axis), keepdims=keepdims, **_said(out=out, initial=initial, where=where))


def min(a, axis=None, out=None, keepdims=False, initial=None, where=None):  # noqa: A001 - its name
    """np.min.

    >>> min([3.0, 8.0], initial=5.0, where=np.array([False, True]))
    np.float64(5.0)
    """
    return np.min(a, axis=_axes(axis), keepdims=keepdims, **_said(out=out, initial=initial, where=where))


def nanmax(a, axis=None, out=None, keepdims=False, initial=None, where=None):
    """np.nanmax: nan is left out.

    >>> nanmax([1.0, np.nan, 3.0])
    np.float64(3.0)
    """
    return np.nanmax(a, axis=_axes(axis), keepdims=keepdims, **_said(out=out, initial=initial, where=where))


def nanmin(a, axis=None, out=None, keepdims=False, initial=None, where=None):
    """np.nanmin: nan is left out.

    >>> nanmin([1.0, np.nan, 3.0])
    np.float64(1.0)
    """
    return np.nanmin(a, axis=_axes(axis), keepdims=keepdims, **_said(out=out, initial=initial, where=where))


def ptp(a, axis=None, out=None, keepdims=False):
    """np.ptp: the largest less the least.

    >>> ptp([[1, 5], [7, 2]], axis=0)
    array([6, 3])
    """
    return np.ptp(a, axis=_axes(axis), keepdims=keepdims, **_said(out=out))


def all(a, axis=None, out=None, keepdims=False, *, where=None):  # noqa: A001 - its name
    """np.all.

    >>> all([[True, False], [True, True]], axis=1)
    array([False,  True])
    """
    return np.all(a, axis=_axes(axis), keepdims=keepdims, **_said(out=out, where=where))


def any(a, axis=None, out=None, keepdims=False, *, where=None):  # noqa: A001 - its name
    """np.any.

    >>> any([[True, False], [False, False]], axis=[0])
    array([ True, False])
    """
    return np.any(a, axis=_axes(axis), keepdims=keepdims, **_said(out=out, where=where))


# ---- means -------------------------------------------------------------------------------------------------------------------


def mean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=None):
    """np.mean.

    >>> mean([[1.0, 2.0], [3.0, 4.0]], axis=[0])
    array([2., 3.])
    """
    return np.mean(a, axis=_axes(axis), keepdims=keepdims, **_said(dtype=dtype, out=out, where=where))


def nanmean(a, axis=None, dtype=None, out=None, keepdims=False, where=None):
    """np.nanmean: nan is left out.

    >>> nanmean([1.0, np.nan, 3.0])
    np.float64(2.0)
    """
    return np.nanmean(a, axis=_axes(axis), keepdims=keepdims, **_said(dtype=dtype, out=out, where=where))


def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, mean=None, correction=None):
    """np.var; `correction` is another name of `ddof`.

    >>> var([1.0, 2.0, 3.0], correction=1)
    np.float64(1.0)
    """
    return np.var(a, axis=_axes(axis), ddof=_correction(ddof, correction), keepdims=keepdims, **_said(dtype=dtype, out=out, where=where, mean=mean))


def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, mean=None, correction=None):
    """np.std; `correction` is another name of `ddof`.

    >>> std([1.0, 3.0])
    np.float64(1.0)
    """
    return np.std(a, axis=_axes(axis), ddof=_correction(ddof, correction), keepdims=keepdims, **_said(dtype=dtype, out=out, where=where, mean=mean))


def nanvar(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=None, mean=None):
    """np.nanvar: nan is left out.

    >>> nanvar([1.0, np.nan, 3.0])
    np.float64(1.0)
    """
    return np.nanvar(a, axis=_axes(axis), ddof=ddof, keepdims=keepdims, **_said(dtype=dtype, out=out, where=where, mean=mean))


def nanstd(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=None, mean=None):
    """np.nanstd: nan is left out.

    >>> nanstd([1.0, np.nan, 3.0], ddof=1)
    np.float64(1.4142135623730951)
    """
    return np.nanstd(a, axis=_axes(axis), ddof=ddof, keepdims=keepdims, **_said(dtype=dtype, out=out, where=where, mean=mean))


def average(a, axis=None, weights=None, returned=False, keepdims=False):
    """np.average.

    >>> average([1.0, 3.0], weights=[3, 1])
    np.float64(1.5)
    """
    return np.average(a, axis=_axes(axis), weights=weights, returned=returned, keepdims=keepdims)


def _correction(ddof, correction):
    """What is taken off the number of elements; both are said: NumPy's words."""
    if correction is None:
        return ddof
    if ddof != 0:
        raise ValueError("ddof and correction can't be provided simultaneously.")
    return correction


# ---- places ------------------------------------------------------------------------------------------------------------------


def squeeze(a, axis=None):
    """np.squeeze.

    >>> squeeze(np.ones((1, 2, 1)), axis=[0, 2]).shape
    (2,)
    """
    return np.squeeze(a, axis=_axes(axis))


EXPORTED: dict[str, Callable[..., Any]] = {
    each.__name__: each
    for each in (sum, prod, nansum, nanprod, max, min, nanmax, nanmin, ptp, all, any, mean, nanmean, var, std, nanvar, nanstd, average, squeeze)
} | {"amax": max, "amin": min}
"""s2s.numpy's, by name."""
