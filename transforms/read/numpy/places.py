"""Positions in C order and their axes' indices: np.unravel_index, np.ravel_multi_index; np.broadcast_shapes."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s.errors import ArgumentTypeError, ArgumentValueError
from s2s.transforms.primitives import rows
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.numpy.arithmetic import add, compare, floor_divide, logical, multiply, remainder
from s2s.transforms.read.numpy.broadcasting import broadcast_shape
from s2s.transforms.read.numpy.building import Operand, current_builder, unsupported
from s2s.transforms.read.numpy.common import Shape, as_shape, as_weak, cast, dim_atom, lift, product, shape_value, strong
from s2s.transforms.read.numpy.elementwise import clip
from s2s.transforms.read.numpy.parts import get
from s2s.transforms.read.numpy.reductions import all_
from s2s.types import INT64, Dim, is_whole


def _need_c_order(function: str, order: str) -> None:
    if order != "C":
        raise unsupported(f"{function}(…, order={order!r}) is not supported", instead="C order, with the shape reversed")


def _size(dim: Dim) -> Value:
    return Value(current_builder(), dim_atom(dim))


def _integers(operand: Operand, message: str) -> Value:
    """An operand of integers, as NumPy's int64."""
    value = strong(lift(operand))
    if not is_whole(value.dtype):
        raise ArgumentTypeError(message, where=value.builder.where)
    return cast(value, INT64)


def unravel_index(indices: Operand, shape: Any, order: str = "C") -> tuple[Value, ...]:
    """np.unravel_index: one index for each axis."""
    _need_c_order("np.unravel_index", order)
    places, dims = _integers(indices, "only int indices permitted"), as_shape(shape)
    total = product(places.builder, dims)
    _check_inside(places, total)
    found: list[Value] = []
    for dim in reversed(dims[1:]):
        found.append(remainder(places, _size(dim)))
        places = floor_divide(places, _size(dim))
    return (*([places] if dims else []), *reversed(found))


def _check_inside(places: Value, dim: Dim) -> None:
    inside = logical(rows.logical_and)(compare(">=", places, 0), compare("<", places, _size(dim)))
    shown = "an index" if places.ndim else "index {}"
    values = (dim_atom(dim),) if places.ndim else (places.atom, dim_atom(dim))
    places.builder.check(all_(inside).atom, "ValueError", f"{shown} is out of bounds for array with size {{}}", *values)


def ravel_multi_index(multi_index: Operand, dims: Any, mode: Any = "raise", order: str = "C") -> Value:
    """np.ravel_multi_index: the position of indices, one (array) for each axis."""
    _need_c_order("np.ravel_multi_index", order)
    shape = as_shape(dims)
    parts = _rows(multi_index, len(shape))
    modes = (mode,) * len(shape) if isinstance(mode, str) else tuple(mode)
    total: Operand = 0
    for part, dim, each in zip(parts, shape, modes, strict=True):
        total = add(multiply(total, _size(dim)), _placed(part, dim, each))
    return strong(lift(total))


def _rows(multi_index: Operand, count: int) -> list[Value]:
    message = f"parameter multi_index must be a sequence of length {count}"
    if isinstance(multi_index, Value):
        if not multi_index.ndim or not isinstance(multi_index.shape[0], int):
            raise unsupported("np.ravel_multi_index of an array of run-time length is not supported", instead="a tuple of indices, one for each axis")
        multi_index = [get(multi_index, k) for k in range(multi_index.shape[0])]
    if len(multi_index) != count:
        raise ArgumentValueError(message, where=current_builder().where)
    return [_integers(part, "only int indices permitted") for part in multi_index]


def _placed(part: Value, dim: Dim, mode: str) -> Value:
    """An index that is inside, as the mode has it."""
    if isinstance(dim, int) and dim == 0 and mode in ("wrap", "clip"):
        raise ArgumentValueError("cannot unravel if shape has zero entries (is empty).", where=part.builder.where)
    if mode == "wrap":
        return remainder(part, _size(dim))
    if mode == "clip":
        return clip(part, 0, as_weak(add(_size(dim), -1)))
    if mode != "raise":
        raise ArgumentTypeError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got {mode!r})", where=part.builder.where)
    inside = logical(rows.logical_and)(compare(">=", part, 0), compare("<", part, _size(dim)))
    part.builder.check(all_(inside).atom, "ValueError", "invalid entry in coordinates array")
    return part


def broadcast_shapes(*shape: Any) -> tuple[Any, ...]:
    """np.broadcast_shapes."""
    shapes: list[Shape] = [as_shape(each) for each in shape]
    return tuple(shape_value(dim) for dim in broadcast_shape(current_builder(), shapes)) if shapes else ()


PLACES: dict[str, Callable[..., Any]] = {"numpy.unravel_index": unravel_index, "numpy.ravel_multi_index": ravel_multi_index}
