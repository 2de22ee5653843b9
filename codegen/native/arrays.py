"""Arrays in a kernel's LLVM: where an element lies, and storage of the kernel's own."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.np.arrayobj import get_itemsize, make_array, populate_array

INT64 = ir.IntType(64)


@dataclass(frozen=True)
class Value:
    """An array at a point of the kernel. `whole`: as Numba hands it around; the rest are parts of it."""

    type: types.Array
    whole: ir.Value
    data: ir.Value
    shape: tuple[ir.Value, ...]


def taken_apart(context: Any, builder: ir.IRBuilder, type_: types.Array, whole: ir.Value) -> Value:
    """An array's parts."""
    model = context.data_model_manager[type_]
    shape = model.get(builder, whole, "shape")
    return Value(type_, whole, model.get(builder, whole, "data"), tuple(cgutils.unpack_tuple(builder, shape, type_.ndim)))


def address(builder: ir.IRBuilder, array: Value, index: tuple[ir.Value, ...], wraps: tuple[bool, ...]) -> ir.Value:
    """Where an element of an array in C order lies, or with fewer positions than axes the first of a row. `wraps`: for each position whether it may be negative, and then counts from the end."""
    position: ir.Value | None = None
    for item, length, wrap in zip(index, array.shape, wraps, strict=False):
        if wrap:
            item = builder.select(builder.icmp_signed("<", item, INT64(0)), builder.add(item, length), item)
        position = item if position is None else builder.add(builder.mul(position, length, flags=("nsw",)), item, flags=("nsw",))
    for length in array.shape[len(index):]:
        position = builder.mul(position, length, flags=("nsw",))
    return builder.gep(array.data, [position], inbounds=True)


def row(context: Any, builder: ir.IRBuilder, array: Value, type_: types.Array, at: ir.Value) -> ir.Value:
    """The array that lies at an address of another one: of its last axes."""
    whole = make_array(array.type)(context, builder, value=array.whole)
    strides = cgutils.unpack_tuple(builder, whole.strides, array.type.ndim)
    part = make_array(type_)(context, builder)
    left = array.type.ndim - type_.ndim
    populate_array(part, data=at, shape=array.shape[left:], strides=strides[left:], itemsize=whole.itemsize, meminfo=whole.meminfo, parent=whole.parent)
    return part._getvalue()


def load(context: Any, builder: ir.IRBuilder, array: Value, at: ir.Value) -> ir.Value:
    """The element at an address."""
    return context.unpack_value(builder, array.type.dtype, at)


def store(context: Any, builder: ir.IRBuilder, array: Value, value: ir.Value, at: ir.Value) -> None:
    """Put an element at an address."""
    context.pack_value(builder, array.type.dtype, value, at)


def allocated(context: Any, builder: ir.IRBuilder, type_: types.Array, lengths: tuple[ir.Value, ...], *, negative: tuple[bool, ...]) -> ir.Value:
    """A new array, uninitialised. `negative`: for each length whether it may be negative, which is an error."""
    for length, possible in zip(lengths, negative, strict=True):
        if possible:
            with builder.if_then(builder.icmp_signed("<", length, INT64(0)), likely=False):
                context.call_conv.return_user_exc(builder, ValueError, ("negative dimensions not allowed",))
    itemsize = INT64(get_itemsize(context, type_))
    strides = [itemsize]
    for length in reversed(lengths[1:]):
        strides.insert(0, builder.mul(strides[0], length, flags=("nsw",)))
    multiplied = builder.smul_with_overflow(strides[0], lengths[0])
    with builder.if_then(builder.extract_value(multiplied, 1), likely=False):
        message = "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size."
        context.call_conv.return_user_exc(builder, ValueError, (message,))
    align = context.get_preferred_array_alignment(type_.dtype)
    memory = context.nrt.meminfo_alloc_aligned(builder, builder.extract_value(multiplied, 0), align)
    array = make_array(type_)(context, builder)
    data = builder.bitcast(context.nrt.meminfo_data(builder, memory), context.get_data_type(type_.dtype).as_pointer())
    populate_array(array, data=data, shape=lengths, strides=strides, itemsize=itemsize, meminfo=memory)
    return array._getvalue()
