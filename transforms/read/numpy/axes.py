"""Axes as NumPy's functions take them: counted from the front, sorted, all different, some of them not empty."""
from __future__ import annotations

import operator
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError, AxisBoundsError, ShapeError
from s2s.transforms.primitives import rows
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.numpy.building import current_builder, unsupported
from s2s.types import INT64, Var, is_integer, literal


@asks_python
def normal_axis(axis: Any, ndim: int) -> int:
    """An axis counted from the front; AxisError as NumPy's."""
    builder = current_builder()
    axis = told(axis)
    if isinstance(axis, Value) and axis.ndim:
        raise ArgumentTypeError("only integer scalar arrays can be converted to a scalar index", where=builder.where)
    if isinstance(axis, Value) and is_integer(axis.dtype):
        raise unsupported("an axis that is known only at run time is not supported", instead="a constant axis")
    try:
        number = operator.index(axis)
    except TypeError:
        kind = "float" if isinstance(axis, Value) else type(axis).__name__
        raise ArgumentTypeError(f"{kind!r} object cannot be interpreted as an integer", where=builder.where) from None
    if not -ndim <= number < ndim:
        raise AxisBoundsError(f"axis {number} is out of bounds for array of dimension {ndim}", where=builder.where)
    return number % ndim


def no_flag(axis: Any, words: str = "an integer is required for the axis") -> Any:
    """An axis; NumPy's functions in C take none that is a bool, its other ones take it for a number."""
    if isinstance(axis, bool | np.bool):
        raise ArgumentTypeError(words, where=current_builder().where)
    return axis


def told(axis: Any) -> Any:
    """A number, or a list of them, of which it is known before the run what they are; anything else: itself."""
    known = current_builder().told.get(axis.atom) if isinstance(axis, Value) and isinstance(axis.atom, Var) else None
    return axis if known is None or known.ndim > 1 else list(known) if known.ndim else known[()]


def normal_axes(axis: Any, ndim: int, *, lists: bool = False) -> tuple[int, ...]:
    """The axes of a reduction, sorted: None means all. `lists`: NumPy's function takes a list of axes, too."""
    if axis is None:
        return tuple(range(ndim))
    if not lists:
        for each in axis if isinstance(axis, tuple) else (axis,):
            no_flag(each, "an integer is required")
    axes = axes_in_order(axis, ndim, kinds=(tuple, list) if lists else (tuple,), message="repeated axis" if lists else "duplicate value in 'axis'")
    return tuple(sorted(axes))


def axes_in_order(axis: Any, ndim: int, *, kinds: tuple[type, ...] = (tuple, list), message: str = "repeated axis") -> tuple[int, ...]:
    """One axis or a sequence of different ones, counted from the front."""
    axis = told(axis)
    if isinstance(axis, Value) and axis.ndim and (list in kinds or not isinstance(axis.shape[0], int)):
        raise unsupported("axes that are known only at run time are not supported", instead="constant axes")
    given: Any = axis if isinstance(axis, kinds) else (axis,)
    axes = tuple(normal_axis(each, ndim) for each in given)
    if len(set(axes)) < len(axes):
        raise ShapeError(message, where=current_builder().where)
    return axes


def check_elements(value: Value, axes: tuple[int, ...], message: str) -> None:
    """NumPy's ValueError for a reduction without identity over no elements."""
    builder = value.builder
    for axis in axes:
        dim = value.shape[axis]
        if isinstance(dim, int) and dim == 0:
            raise ShapeError(message, where=builder.where)
        if isinstance(dim, Var) and not builder.proves_at_least(dim, 1):
            (test,) = builder.equation(rows.greater, (dim, literal(0, INT64)), name="some")
            builder.check(test, "ValueError", message)
            builder.facts.know(dim, lower=(builder.form(1),))
