"""NumPy's objects that are indexed instead of called: np.r_, np.c_, np.mgrid, np.ogrid, np.s_, np.index_exp.

    np.r_[0:n, x, 1.5]       ->  concatenate((arange(0, n), x, [1.5]))
    np.mgrid[0:n, 0:1:5j]    ->  a grid of positions, one array for each slice
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.errors import ArgumentValueError
from s2s.transforms.primitives import rows
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.flow.spreading import spread as spread_kinds
from s2s.transforms.read.numpy.arithmetic import add, divide, floor_divide, multiply, negative, subtract
from s2s.transforms.read.numpy.broadcasting import spread
from s2s.transforms.read.numpy.building import Operand, building, current_builder, unsupported
from s2s.transforms.read.numpy.common import as_dim, as_integer, as_length, as_weak, cast, iota, lift, reshape, result_type, supported
from s2s.transforms.read.numpy.joining import concatenate, stack
from s2s.transforms.read.numpy.ranges import arange, linspace
from s2s.transforms.read.numpy.shapes import swapaxes, transpose
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, OneOf
from s2s.transforms.read.wrapping import unwrap, wrap
from s2s.types import INT64, Dim

_COUNT = "a slice with a count (0:1:5j)"


def is_index_trick(base: Abstract) -> bool:
    """Whether it is one of these objects."""
    return type(base) in _RULES


def get_of_trick(reader: Reader, base: Any, key: Abstract) -> Abstract:
    """base[key]."""
    if base is np.s_ or base is np.index_exp:
        return key if base is np.s_ or isinstance(key, tuple) else (key,)
    items = key if isinstance(key, tuple) else (key,)
    number = next((number for number, item in enumerate(items) if isinstance(item, OneOf)), None)
    if number is not None:  # an array of another rank or dtype on each path
        return spread_kinds(reader, items[number], lambda option: get_of_trick(reader, base, (*items[:number], option, *items[number + 1 :])))
    with building(reader.builder):
        return unwrap(reader, _RULES[type(base)](base, wrap(reader, key)))


# ---- np.r_, np.c_ ----------------------------------------------------------------------------------------------------------


def _joined(base: Any, key: Any) -> Value:
    """np.r_[…], np.c_[…]: slices become ranges, the rest is joined along an axis."""
    axis, ndmin, place = base.axis, base.ndmin, base.trans1d
    parts: list[Value] = []
    for number, item in enumerate(key if isinstance(key, tuple) else (key,)):
        if isinstance(item, str):
            if number:
                raise ArgumentValueError("special directives must be the first entry.", where=current_builder().where)
            axis, ndmin, place = _directive(item, ndmin, place)
        else:
            parts.append(_part(item, ndmin, place))
    dtype = result_type(*parts).dtype if parts else None
    if dtype is None:
        raise ArgumentValueError("need at least one array to concatenate", where=current_builder().where)
    typed = (cast(part, dtype) for part in parts)
    return concatenate([reshape(part, (*(1,) * (ndmin - part.ndim), *part.shape)) for part in typed], axis)


def _directive(text: str, ndmin: int, place: int) -> tuple[int, int, int]:
    """'axis', 'axis,ndmin' or 'axis,ndmin,place'."""
    if text in ("r", "c"):
        raise unsupported(f"np.r_[{text!r}, …] makes a np.matrix, which is not supported", instead="np.r_[…] and np.reshape")
    try:
        numbers = [int(part) for part in text.split(",")]
    except ValueError:
        raise ArgumentValueError(f"unknown special directive {text!r}", where=current_builder().where) from None
    return (numbers[0], *(numbers[1:2] or [ndmin]), *(numbers[2:3] or [place]))  # type: ignore[return-value]


def _part(item: Any, ndmin: int, place: int) -> Value:
    """One item as an array of at least ndmin dimensions, or a scalar."""
    if isinstance(item, slice):
        value = _range(item)
        if ndmin <= 1:
            return value
        value = reshape(value, (*(1,) * (ndmin - 1), *value.shape))
        return value if place == -1 else swapaxes(value, -1, place)
    value = lift(item)
    if not value.ndim or value.ndim >= ndmin:
        return value
    own, new = value.ndim, ndmin - value.ndim
    value = reshape(value, (*(1,) * new, *value.shape))
    if place == -1:
        return value
    first = place + new + 1 if place < 0 else place
    axes = list(range(ndmin))
    return transpose(value, axes[:first] + axes[new:] + axes[first:new]) if own else value


def _range(item: slice) -> Value:
    start, stop, step = _bounds(item)
    count = _count(step)
    return arange(start, stop, step) if count is None else linspace(start, stop, count)


def _bounds(item: slice) -> tuple[Operand, Operand, Operand]:
    start, step = 0 if item.start is None else item.start, 1 if item.step is None else item.step
    if item.stop is None:
        raise unsupported("a slice without an end in np.r_, np.c_, np.mgrid and np.ogrid is not supported", instead="a:b, a:b:step or a:b:countj")
    return start, item.stop, step


def _count(step: Operand) -> int | None:
    """How many points 5j asks for; None for a step."""
    if isinstance(step, complex | np.complexfloating):
        return int(abs(complex(step)))
    if isinstance(step, Value) and step.dtype.kind == "c":
        raise unsupported(f"{_COUNT} that is known only at run time is not supported", instead="np.linspace(start, stop, count)")
    return None


# ---- np.mgrid, np.ogrid ----------------------------------------------------------------------------------------------------


def _grid(base: Any, key: Any) -> Any:
    """np.mgrid[…]: one array with all axes' positions; np.ogrid[…]: one array along each axis."""
    if not isinstance(key, tuple):
        return _lone_axis(key)
    for item in key:
        if not isinstance(item, slice):
            raise unsupported("np.mgrid and np.ogrid take slices", instead="np.mgrid[0:n, 0:m]")
    dtype = _grid_dtype(key)
    lines = [_line(item, dtype, as_length if base.sparse else as_dim) for item in key]
    columns = [reshape(line, tuple(line.shape[0] if k == axis else 1 for k in range(len(lines)))) for axis, line in enumerate(lines)]
    if base.sparse:
        return tuple(columns)
    shape = tuple(line.shape[0] for line in lines)
    return stack([cast(spread(column, shape), dtype) for column in columns], axis=0)


def _lone_axis(item: Any) -> Value:
    if not isinstance(item, slice):
        raise unsupported("np.mgrid and np.ogrid take slices", instead="np.mgrid[0:n, 0:m]")
    start, stop, step = _bounds(item)
    return arange(start, stop, step) if _count(step) is None else _line(item, _grid_dtype((item,)), as_length)


def _grid_dtype(key: tuple[slice, ...]) -> np.dtype:
    numbers: list[Operand] = [0]
    for item in key:
        start, stop, step = _bounds(item)
        numbers += [start, stop, step if _count(step) is None else float(abs(step))]
    return supported(result_type(*map(lift, numbers)).dtype)


def _line(item: slice, dtype: np.dtype, size_of: Callable[[Operand], Dim]) -> Value:
    """start + k * step for each k."""
    start, stop, step = _bounds(item)
    count = _count(step)
    if count is None:
        size = _steps_between(start, stop, step, size_of)
    else:
        size, step = count, divide(subtract(stop, start), float(count - 1)) if count != 1 else 1
    return add(multiply(cast(iota(current_builder(), size), dtype), step), start)


def _steps_between(start: Operand, stop: Operand, step: Operand, size_of: Callable[[Operand], Dim]) -> Dim:
    """ceil((stop - start) / step)."""
    extent = subtract(stop, start)
    if extent.dtype.kind != "f" and lift(step).dtype.kind == "i":
        return size_of(extent if isinstance(step, int) and step == 1 else negative(floor_divide(negative(extent), step)))
    length = as_weak(cast(rows.ceil(divide(cast(extent, np.dtype(float)), step)), INT64))
    return size_of(Value(current_builder(), as_integer(length)))


_RULES: dict[type, Callable[[Any, Any], Any]] = {
    type(np.r_): _joined, type(np.c_): _joined, type(np.mgrid): _grid, type(np.ogrid): _grid, type(np.s_): lambda base, key: key,
}  # fmt: skip
