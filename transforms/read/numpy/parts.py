"""Reading and storing the part of an array that a key selects."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError, ShapeError
from s2s.transforms.ir.build import Builder
from s2s.transforms.primitives import indexing, rows
from s2s.transforms.primitives.indexing import Full
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.numpy.broadcasting import braces, spread
from s2s.transforms.read.numpy.building import Operand, unsupported
from s2s.transforms.read.numpy.common import Shape, agreed, cast, lift, reshape, result_type, retyped
from s2s.transforms.read.numpy.keys import Reading, read_index
from s2s.types import Atom, dim_atom


def get(array: Operand, key: Any) -> Value:
    """array[key]."""
    value = lift(array)
    return get_part(value, read_index(value.builder, value.shape, key))


def store(array: Value, key: Any, value: Operand) -> Value:
    """The array's content after array[key] = value: the value is broadcast and cast as NumPy does."""
    array = lift(array)
    return store_part(array, read_index(array.builder, array.shape, key), value)


def get_part(array: Value, reading: Reading) -> Value:
    """The part of the array that was read; the array itself where that is the whole."""
    if all(isinstance(item, Full) for item in reading.index):
        return reshape(array, reading.shape)
    return reshape(indexing.getitem(array, *reading.operands, index=reading.index), reading.shape)


def store_part(array: Value, reading: Reading, value: Operand) -> Value:
    """The array with the part replaced by the value."""
    number = assigned(lift(value), array)
    if reading.mask is not None and reading.mask.ndim == array.ndim and number.ndim > 1:
        what = f"NumPy boolean array indexing assignment requires a 0 or 1-dimensional input, input has {number.ndim} dimensions"
        raise ArgumentTypeError(what, where=array.builder.where)
    if reading.mask is not None and number.ndim <= array.ndim - reading.mask.ndim:
        return _store_through_mask(array, reading.mask, number)
    part = reshape(fitted(number, reading.shape), reading.part)
    return indexing.setitem(array, part, *reading.operands, index=reading.index)


def add_part(array: Value, reading: Reading, value: Operand, signed: Callable[[Value], Value] = lambda number: number) -> Value:
    """np.add.at: the array with the value added to the part, repeated positions added each time. `signed`: of the number in the array's dtype, where
    minus an unsigned one is what is to be added.
    """
    number = lift(value)
    if not np.can_cast(result_type(array, number).dtype, array.dtype, "same_kind"):
        raise ArgumentTypeError(f"Cannot cast {number.type} to {array.dtype} in np.add.at", where=array.builder.where)
    part = reshape(signed(fitted(cast(number, array.dtype), reading.shape)), reading.part)
    return indexing.additem(array, part, *reading.operands, index=reading.index)


def _store_through_mask(array: Value, mask: Value, number: Value) -> Value:
    full = spread(reshape(mask, (*mask.shape, *(1,) * (array.ndim - mask.ndim))), array.shape)
    return rows.select(full, spread(_fitted_to_trailing(number, array, mask.ndim), array.shape), array)


def _fitted_to_trailing(number: Value, array: Value, leading: int) -> Value:
    trailing = array.shape[leading:]
    return fitted(number, trailing) if number.ndim else number


def assigned(value: Value, array: Value) -> Value:
    """The value as an assignment casts it into the array's dtype."""
    if value.dtype.kind == "c" and array.dtype.kind != "c":
        what = f"a complex value stored in an array of {array.dtype} (its imaginary part would be dropped)"
        if value.type.weak:
            raise ArgumentTypeError(what, where=value.builder.where, instead="its .real")
        raise unsupported(what, instead="its .real")
    return cast(value, array.dtype)


def fitted(value: Value, shape: Shape) -> Value:
    """The value broadcast to exactly this shape, leading axes of length 1 dropped."""
    builder = value.builder
    while value.ndim > len(shape) and value.shape[0] == 1:
        value = reshape(value, value.shape[1:])
    if value.ndim > len(shape):
        raise _misfit(builder, value.shape, shape)
    whole = []
    for dim, own in zip(shape[len(shape) - value.ndim :], value.shape, strict=True):
        if isinstance(own, int) and own == 1:
            whole.append(dim)
            continue
        message = f"could not broadcast input array from shape {braces(value.shape)} into shape {braces(shape)}"
        pair = agreed(builder, [dim, own], message, _dim_values(value.shape, shape), stretch=True)
        whole.append(pair)
    stored = retyped(value, tuple(own if isinstance(own, int) and own == 1 else dim for own, dim in zip(value.shape, whole, strict=True)))
    target = (*shape[: len(shape) - value.ndim], *whole)
    return retyped(spread(stored, target), shape)


def _misfit(builder: Builder, shape: Shape, into: Shape) -> ShapeError:
    return ShapeError(f"could not broadcast input array from shape {shape} into shape {into}", where=builder.where)


def _dim_values(*shapes: Shape) -> tuple[Atom, ...]:
    return tuple(dim_atom(dim) for shape in shapes for dim in shape)
