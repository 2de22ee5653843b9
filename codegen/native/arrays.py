"""Arrays in a kernel's LLVM: where an element lies, and storage of the kernel's own."""
from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.np.arrayobj import get_itemsize

from s2s.records import dataclass

INT64 = ir.IntType(64)

LARGE = 1 << 22
"""Bytes from which Linux is asked for huge pages, as NumPy asks for its own arrays: fresh memory comes by 4 KB otherwise, at ten times the cost of filling it."""
_PAGE, _HUGE_PAGES = 4096, 14  # MADV_HUGEPAGE


Mark = Callable[[ir.Instruction], None]


@dataclass(frozen=True)
class Value:
    """An array at a point of the kernel, by its parts: Numba's fields, in their order."""

    type: types.Array
    meminfo: ir.Value
    parent: ir.Value
    items: ir.Value
    itemsize: ir.Value
    data: ir.Value
    shape: tuple[ir.Value, ...]
    strides: tuple[ir.Value, ...]

    @property
    def flat(self) -> tuple[ir.Value, ...]:
        """Its parts, as Numba hands it to a function."""
        return (self.meminfo, self.parent, self.items, self.itemsize, self.data, *self.shape, *self.strides)

    def whole(self, context: Any, builder: ir.IRBuilder) -> ir.Value:
        """The array as one value."""
        model = context.data_model_manager[self.type]
        return model.from_argument(builder, (*self.flat[:5], self.shape, self.strides))


def flat_types(type_: types.Array) -> tuple[types.Type, ...]:
    """Numba's types of an array's parts."""
    return (types.MemInfoPointer(types.voidptr), types.pyobject, types.intp, types.intp, types.CPointer(type_.dtype), *[types.intp] * 2 * type_.ndim)


def passed_types(type_: types.Array) -> tuple[types.Type, ...]:
    """Numba's types of what one kernel hands to another of an array: the rest follows from its lengths."""
    return (types.MemInfoPointer(types.voidptr), types.pyobject, types.CPointer(type_.dtype), *[types.intp] * type_.ndim)


def passed(array: Value) -> tuple[ir.Value, ...]:
    """What one kernel hands to another of an array."""
    return (array.meminfo, array.parent, array.data, *array.shape)


def of_passed(context: Any, builder: ir.IRBuilder, type_: types.Array, parts: Sequence[ir.Value]) -> Value:
    """The array of which a function is given that."""
    meminfo, parent, data, *shape = parts
    lengths, itemsize = tuple(shape), INT64(get_itemsize(context, type_))
    return Value(type_, meminfo, parent, _items(builder, lengths), itemsize, data, lengths, _strides(builder, itemsize, lengths))


def of_parts(type_: types.Array, parts: Sequence[ir.Value]) -> Value:
    """An array that a function is given."""
    return Value(type_, *parts[:5], tuple(parts[5 : 5 + type_.ndim]), tuple(parts[5 + type_.ndim :]))  # type: ignore[call-arg]


def taken_apart(context: Any, builder: ir.IRBuilder, type_: types.Array, whole: ir.Value) -> Value:
    """An array's parts."""
    model = context.data_model_manager[type_]
    meminfo, parent, items, itemsize, data, shape, strides = (model.get(builder, whole, field) for field in model._fields)
    return Value(type_, meminfo, parent, items, itemsize, data, tuple(cgutils.unpack_tuple(builder, shape, type_.ndim)), tuple(cgutils.unpack_tuple(builder, strides, type_.ndim)))


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


def row(builder: ir.IRBuilder, array: Value, type_: types.Array, at: ir.Value) -> Value:
    """The array that lies at an address of another one: of its last axes."""
    left = array.type.ndim - type_.ndim
    shape = array.shape[left:]
    return Value(type_, array.meminfo, array.parent, _items(builder, shape), array.itemsize, at, shape, array.strides[left:])


def load(context: Any, builder: ir.IRBuilder, array: Value, at: ir.Value, mark: Mark) -> ir.Value:
    """The element at an address. `mark`: is told of the access."""
    if isinstance(array.type.dtype, types.Complex):
        return context.unpack_value(builder, array.type.dtype, at)
    loaded = builder.load(at)
    mark(loaded)
    if array.type.dtype == types.boolean:  # Numba branches on the byte
        return builder.icmp_unsigned("!=", loaded, loaded.type(0))
    return context.data_model_manager[array.type.dtype].from_data(builder, loaded)


def store(context: Any, builder: ir.IRBuilder, array: Value, value: ir.Value, at: ir.Value, mark: Mark) -> None:
    """Put an element at an address."""
    mark(builder.store(context.data_model_manager[array.type.dtype].as_data(builder, value), at))


def allocated(context: Any, builder: ir.IRBuilder, type_: types.Array, lengths: tuple[ir.Value, ...], *, negative: tuple[bool, ...]) -> Value:
    """A new array, uninitialised. `negative`: for each length whether it may be negative, which is an error."""
    for length, possible in zip(lengths, negative, strict=True):
        if possible:
            with builder.if_then(builder.icmp_signed("<", length, INT64(0)), likely=False):
                context.call_conv.return_user_exc(builder, ValueError, ("negative dimensions not allowed",))
    itemsize = INT64(get_itemsize(context, type_))
    strides = _strides(builder, itemsize, lengths)
    align = context.get_preferred_array_alignment(type_.dtype)
    memory = _memory(context, builder, strides[0], lengths[0], align)
    data = builder.bitcast(context.nrt.meminfo_data(builder, memory), context.get_data_type(type_.dtype).as_pointer())
    nothing = ir.Constant(context.get_value_type(types.pyobject), None)
    return Value(type_, memory, nothing, _items(builder, lengths), itemsize, data, lengths, strides)


def _memory(context: Any, builder: ir.IRBuilder, stride: ir.Value, length: ir.Value, align: int) -> ir.Value:
    """Memory for so many rows of so many bytes."""
    helper = _new(context, builder.module, align)
    place = cgutils.alloca_once(builder, helper.args[0].type.pointee, zfill=False)
    code = builder.call(helper, [place, context.call_conv._get_excinfo_argument(builder.function), stride, length])
    with builder.if_then(builder.icmp_signed("!=", code, code.type(0)), likely=False):
        builder.ret(code)
    return builder.load(place)


def _new(context: Any, module: ir.Module, align: int) -> ir.Function:
    """The function that gets memory, or says why it can't."""
    name = f"new.{align}"
    if name in module.globals:
        return module.globals[name]
    shape = context.call_conv.get_function_type(types.MemInfoPointer(types.voidptr), (types.intp, types.intp))
    function = ir.Function(module, shape, name)
    function.linkage = "internal"
    function.attributes.add("noinline")
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    multiplied = builder.smul_with_overflow(*function.args[2:])
    with builder.if_then(builder.extract_value(multiplied, 1), likely=False):
        message = "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size."
        context.call_conv.return_user_exc(builder, ValueError, (message,))
    size = builder.extract_value(multiplied, 0)
    memory = context.nrt.meminfo_alloc_aligned(builder, size, align)
    if sys.platform == "linux":
        with builder.if_then(builder.icmp_signed(">=", size, INT64(LARGE)), likely=False):
            _in_huge_pages(builder, builder.ptrtoint(context.nrt.meminfo_data(builder, memory), INT64), size)
    context.call_conv.return_value(builder, memory)
    return function


def _in_huge_pages(builder: ir.IRBuilder, start: ir.Value, size: ir.Value) -> None:
    """Ask for huge pages where memory lies, from its first whole page on. What the system answers changes no number."""
    byte = ir.IntType(8).as_pointer()
    advise = cgutils.get_or_insert_function(builder.module, ir.FunctionType(ir.IntType(32), [byte, INT64, ir.IntType(32)]), "madvise")
    whole = builder.and_(builder.add(start, INT64(_PAGE - 1)), INT64(-_PAGE))
    builder.call(advise, [builder.inttoptr(whole, byte), builder.sub(builder.add(start, size), whole), ir.IntType(32)(_HUGE_PAGES)])


def _strides(builder: ir.IRBuilder, itemsize: ir.Value, lengths: tuple[ir.Value, ...]) -> tuple[ir.Value, ...]:
    """The distances in bytes along each axis, in C order."""
    strides = [itemsize]
    for length in reversed(lengths[1:]):
        strides.insert(0, builder.mul(strides[0], length, flags=("nsw",)))
    return tuple(strides)


def _items(builder: ir.IRBuilder, shape: tuple[ir.Value, ...]) -> ir.Value:
    items = shape[0]
    for length in shape[1:]:
        items = builder.mul(items, length, flags=("nsw",))
    return items
