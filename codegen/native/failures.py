"""Exceptions that hold numbers of the run: what makes one is a function of the module for each kind of numbers, called where it is raised.

    raise ValueError("{} and {}", n, m)     ->      return raised(…, the class, the words and the line, n, m)

Numba writes some fifty instructions for each, amid the loops that LLVM has to look through.
"""
from __future__ import annotations

from typing import Any, NamedTuple

from llvmlite import ir
from numba.core import types
from numba.core.callconv import RETCODE_USEREXC, excinfo_ptr_t, excinfo_t

_INT32 = ir.IntType(32)


class Failure(NamedTuple):
    """An exception: its class, what it is given (Numba's dummy value for what the run tells), and the function and place of the `raise`."""

    exception: type[BaseException]
    known: tuple[Any, ...]
    function: str
    place: Any


def raise_with(context: Any, builder: ir.IRBuilder, failure: Failure, values: list[ir.Value], found: list[types.Type]) -> None:
    """Leave the function with an exception that holds `values`, of the types `found`, beside what is known."""
    convention = context.call_conv
    serialized = context.get_python_api(builder).serialize_object(
        convention.build_excinfo_struct(failure.exception, failure.known, failure.place, failure.function),
    )
    helper = _helper(context, builder.module, found, serialized.type)
    parts = list(context.call_conv._get_arg_packer(found).as_arguments(builder, values))
    nothing = ir.Constant(helper.args[0].type, None)
    builder.ret(builder.call(helper, [nothing, convention._get_excinfo_argument(builder.function), serialized, *parts]))


def _helper(context: Any, module: ir.Module, found: list[types.Type], serialized: ir.Type) -> ir.Function:
    """The function that makes exceptions with numbers of these types."""
    convention = context.call_conv
    name = f"raised.{'.'.join(map(str, found))}"
    if name in module.globals:
        return module.globals[name]
    inner = convention.get_function_type(types.none, tuple(found))
    function = ir.Function(module, ir.FunctionType(inner.return_type, [*inner.args[:2], serialized, *inner.args[2:]]), name)
    function.linkage = "internal"
    for attribute in ("cold", "noinline"):
        function.attributes.add(attribute)
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    python = context.get_python_api(builder)
    values = convention._get_arg_packer(found).from_arguments(builder, function.args[3:])
    struct = ir.LiteralStructType([value.type for value in values])
    numbers = convention.emit_wrap_args_insts(builder, python, struct, tuple(values))
    unwrap = convention.emit_unwrap_dynamic_exception_fn(module, struct, found)
    pickled = builder.load(function.args[2])
    pointer = ir.IntType(8).as_pointer()
    fields = (
        builder.extract_value(pickled, 0), builder.extract_value(pickled, 1), builder.bitcast(numbers, pointer), builder.bitcast(unwrap, pointer), _INT32(len(values)),
    )
    info = builder.bitcast(context.nrt.allocate(builder, python.py_ssize_t(context.get_abi_sizeof(excinfo_t))), excinfo_ptr_t)
    for number, each in enumerate(fields):
        builder.store(each, builder.gep(info, [_INT32(0), _INT32(number)]))
    builder.store(info, function.args[1])
    builder.ret(RETCODE_USEREXC)
    return function
