"""Numbers as Python's objects and back, as Numba's `boxing` makes them: that module loads lists and sets too (15 ms)."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types

BOXED: dict[types.Type, Callable[[Any, ir.Value], ir.Value]] = {
    types.int64: lambda api, value: api.long_from_longlong(value),
    types.float64: lambda api, value: api.float_from_double(value),
    types.boolean: lambda api, value: api.bool_from_bool(value),
    types.none: lambda api, _: api.make_none(),
}
"""Python's object of what a kernel gives (null where there is no memory for it)."""


def unboxed(api: Any, builder: ir.IRBuilder, type_: types.Type, held: ir.Value) -> tuple[ir.Value, ir.Value]:
    """The value of a Python object, and whether there is none, which Python then knows."""
    if type_ == types.float64:
        number = api.number_float(held)
        value = api.float_as_double(number)
        api.decref(number)
        return value, api.c_api_error()
    if type_ == types.int64:
        number = api.number_long(held)
        place = cgutils.alloca_once(builder, ir.IntType(64))
        with api.if_object_ok(number):
            builder.store(api.long_as_longlong(number), place)
            api.decref(number)
        return builder.load(place), api.c_api_error()
    native = api.to_native_value(type_, held)
    return native.value, native.is_error


def tuple_of(context: Any, module: ir.Module, struct: ir.LiteralStructType, found: list[types.Type]) -> ir.Function:
    """The function that makes a Python tuple of the numbers in a piece of memory, and gives that back."""
    pointer = ir.IntType(8).as_pointer()
    function = ir.Function(module, ir.FunctionType(pointer, [pointer]), module.get_unique_name("tuple_of"))
    function.linkage = "internal"
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    api = context.get_python_api(builder)
    (memory,) = function.args
    held = builder.load(builder.bitcast(memory, struct.as_pointer()))
    items = [BOXED[type_](api, builder.extract_value(held, number)) for number, type_ in enumerate(found)]
    context.nrt.free(builder, memory)
    made = api.tuple_pack(items)
    for item in items:
        api.decref(item)
    builder.ret(made)
    return function
