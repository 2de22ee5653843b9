"""What kernels hand back: each part lies where the caller has made room, and is loaded from there.

    Numba's      store {{ptr, ptr, i64, …}, {ptr, …}, …}    the whole tuple as one value, put together and taken apart field by field
    ours         store of meminfo, parent, data, lengths    the others follow from these (`arrays.of_passed`)

LLVM takes values of many fields apart one by one, and each again at every step: half of its time where helpers return ten arrays.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from llvmlite import ir
from numba.core import types

from s2s.codegen.native import arrays
from s2s.codegen.native.operations import parts_of
from s2s.codegen.native.variables import Held

_INT32 = ir.IntType(32)


def give(context: Any, builder: ir.IRBuilder, type_: types.Type, values: Sequence[Held], *, whole: bool) -> None:
    """Return a function's results. `whole`: with all of Numba's fields."""
    for (part, at), value in zip(_places(builder, type_, builder.function.args[0]), values, strict=True):
        if isinstance(part, types.Array):
            array = value if isinstance(value, arrays.Value) else arrays.taken_apart(context, builder, part, value)
            _store_array(builder, at, array, whole=whole)
        else:
            assert not isinstance(value, arrays.Value)
            stored = value if value.type == at.type.pointee else context.data_model_manager[part].as_data(builder, value)
            builder.store(stored, at)
    builder.ret(_INT32(0))


def call(context: Any, builder: ir.IRBuilder, kernel: ir.Function, place: ir.Value, given: list[types.Type], values: list[ir.Value]) -> None:
    """Call a kernel, its results to go to a place; its exception is ours."""
    packed = context.call_conv._get_arg_packer(given).as_arguments(builder, values)
    code = builder.call(kernel, [place, builder.function.args[1], *packed])
    with builder.if_then(builder.icmp_signed("!=", code, _INT32(0)), likely=False):
        builder.ret(code)


def taken_back(context: Any, builder: ir.IRBuilder, type_: types.Type, place: ir.Value) -> list[Held]:
    """The results that a kernel has put there."""
    found: list[Held] = []
    for part, at in _places(builder, type_, place):
        if isinstance(part, types.Array):
            found.append(arrays.of_passed(context, builder, part, [builder.load(each) for each in _passed(builder, at, part.ndim)]))
            continue
        value, model = builder.load(at), context.data_model_manager[part]
        found.append(value if value.type == model.get_value_type() else model.from_data(builder, value))
    return found


def complete(context: Any, builder: ir.IRBuilder, type_: types.Type) -> None:
    """Add, to the results of the function that is written, the fields that only Numba asks for."""
    place = builder.function.args[0]
    for (part, at), value in zip(_places(builder, type_, place), taken_back(context, builder, type_, place), strict=True):
        if isinstance(part, types.Array):
            assert isinstance(value, arrays.Value)
            _store_array(builder, at, value, whole=True)


def _places(builder: ir.IRBuilder, type_: types.Type, place: ir.Value) -> Iterator[tuple[types.Type, ir.Value]]:
    """Where each result lies."""
    if not isinstance(type_, types.BaseTuple):
        yield type_, place
        return
    for number, part in enumerate(parts_of(type_)):
        yield part, _at(builder, place, number)


def _at(builder: ir.IRBuilder, place: ir.Value, *fields: int) -> ir.Value:
    return builder.gep(place, [_INT32(0), *map(_INT32, fields)], inbounds=True)


def _passed(builder: ir.IRBuilder, at: ir.Value, ndim: int) -> list[ir.Value]:
    """Where what one kernel hands to another of an array lies."""
    return [_at(builder, at, 0), _at(builder, at, 1), _at(builder, at, 4), *(_at(builder, at, 5, axis) for axis in range(ndim))]


def _store_array(builder: ir.IRBuilder, at: ir.Value, array: arrays.Value, *, whole: bool) -> None:
    for value, each in zip(arrays.passed(array), _passed(builder, at, array.type.ndim), strict=True):
        builder.store(value, each)
    if whole:
        builder.store(array.items, _at(builder, at, 2))
        builder.store(array.itemsize, _at(builder, at, 3))
        for axis, stride in enumerate(array.strides):
            builder.store(stride, _at(builder, at, 6, axis))
