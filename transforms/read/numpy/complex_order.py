"""NumPy's order of complex numbers: by their real parts, where these are equal by the imaginary ones. No number is before or behind one with nan in it."""
from __future__ import annotations

import numpy as np

from s2s.transforms.primitives import indexing, rows
from s2s.transforms.primitives.row import Primitive
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.numpy.broadcasting import spread
from s2s.transforms.read.numpy.common import iota, reshape
from s2s.types import INT64, literal


def missing(x: Value) -> Value:
    """Whether either part is nan."""
    return rows.logical_or(rows.isnan(rows.real(x)), rows.isnan(rows.imag(x)))


def compared(op: str, x: Value, y: Value) -> Value:
    """x op y of two complex arrays of one dtype and shape."""
    strict: Primitive = rows.less if op[0] == "<" else rows.greater
    parts = {"<": rows.less, "<=": rows.less_equal, ">": rows.greater, ">=": rows.greater_equal}[op]
    (xr, xi), (yr, yi) = ((rows.real(each), rows.imag(each)) for each in (x, y))
    numbers = rows.logical_not(rows.logical_or(rows.isnan(xi), rows.isnan(yi)))
    return rows.logical_or(rows.logical_and(strict(xr, yr), numbers), rows.logical_and(rows.equal(xr, yr), parts(xi, yi)))


def extremum(name: str, x: Value, y: Value) -> Value:
    """np.maximum, minimum, fmax or fmin: of equal ones the first."""
    first = compared(">=" if "max" in name else "<=", x, y)
    return rows.select(rows.logical_or(first, missing(y if name[0] == "f" else x)), x, y)


def place_of_extreme(value: Value, axis: int, largest: bool) -> Value:
    """Along an axis that is not empty, where the first of the largest or smallest elements stands; where there is one with nan, its place."""
    found, limit = (rows.reduce_max, -np.inf) if largest else (rows.reduce_min, np.inf)
    worst = Value(value.builder, literal(limit, rows.real(value).dtype)).broadcast_to(value.shape, ())
    real, imag, bad = rows.real(value), rows.imag(value), missing(value)

    def wide(x: Value) -> Value:
        return x.broadcast_to(value.shape, tuple(k for k in range(value.ndim) if k != axis))

    held = rows.logical_and(rows.logical_not(bad), rows.equal(real, wide(found(rows.select(bad, worst, real), axes=(axis,)))))
    held = rows.logical_and(held, rows.equal(imag, wide(found(rows.select(held, imag, worst), axes=(axis,)))))
    chosen = rows.select(wide(rows.reduce_any(bad, axes=(axis,))), bad, held)
    return rows.argmax(rows.convert(chosen, dtype=INT64), axis=axis)


def elements_at(value: Value, place: Value) -> Value:
    """For each vector along the last axis its element at a place."""
    if not place.ndim:
        return indexing.getitem(value, place, index=(indexing.At(),))
    lengths = enumerate(place.shape)
    others = [reshape(iota(value.builder, dim), tuple(dim if j == k else 1 for j in range(place.ndim))) for k, dim in lengths]
    operands = [spread(each, place.shape) for each in (*others, place)]
    return indexing.getitem(value, *operands, index=(indexing.Take(),) * value.ndim)


__all__ = ["compared", "elements_at", "extremum", "missing", "place_of_extreme"]
