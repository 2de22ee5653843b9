"""Exceptions of a kernel. What makes one that holds numbers of the run is a function of the module for each kind of numbers, called where it is raised.

    raise ValueError("{} and {}", n, m)     ->      return raised(…, the class, the words and the line, n, m)

Numba writes some fifty instructions for each, amid the loops that LLVM has to look through.
"""
from __future__ import annotations

from types import EllipsisType
from typing import Any, NamedTuple, Protocol

from llvmlite import ir
from numba.core import types
from numba.core.callconv import RETCODE_USEREXC, excinfo_ptr_t, excinfo_t

from s2s.codegen.native.boxes import BOXED, tuple_of
from s2s.codegen.native.source import Source

_INT32 = ir.IntType(32)


class Failure(NamedTuple):
    """An exception: its class, what it is given (`...` for what the run tells), the function that raises it, and how many lines below its first one."""

    exception: type[BaseException]
    known: tuple[str | float | complex | EllipsisType, ...]
    function: str
    line: int


class Failures(Protocol):
    """Where the class, the words and the line of a function's exceptions are told, and what puts numbers into them."""

    def told(self, context: Any, builder: ir.IRBuilder, source: Source, failure: Failure) -> ir.Value:
        """Where class, words and line lie."""

    def helper(self, context: Any, module: ir.Module, found: list[types.Type]) -> ir.Function:
        """The function that makes exceptions with numbers of these types."""


class Here:
    """In the LLVM module that raises them."""

    def told(self, context: Any, builder: ir.IRBuilder, source: Source, failure: Failure) -> ir.Value:
        """Where class, words and line lie."""
        return context.get_python_api(builder).serialize_object(excinfo_of(context, failure, source.file, source.tree.lineno))

    def helper(self, context: Any, module: ir.Module, found: list[types.Type]) -> ir.Function:
        """The function that makes exceptions with numbers of these types."""
        name = f"raised.{'.'.join(map(str, found))}"
        if name in module.globals:
            return module.globals[name]
        function = ir.Function(module, helper_type(context, found), name)
        function.linkage = "internal"
        for attribute in ("cold", "noinline"):
            function.attributes.add(attribute)
        _write_helper(context, function, found)
        return function


def excinfo_of(context: Any, failure: Failure, file: str, first: int) -> Any:
    """An exception as Numba tells it, of a function whose first line is told."""
    known = tuple(context.get_dummy_value() if each is ... else each for each in failure.known)
    return (failure.exception, known, (failure.function, file, first + failure.line))


def raise_known(context: Any, builder: ir.IRBuilder, told: ir.Value) -> None:
    """Leave the function with an exception of which all is known."""
    builder.store(told, context.call_conv._get_excinfo_argument(builder.function))
    builder.ret(RETCODE_USEREXC)


def raise_with(context: Any, builder: ir.IRBuilder, helper: ir.Function, told: ir.Value, values: list[ir.Value], found: list[types.Type]) -> None:
    """Leave the function with an exception that holds `values`, of the types `found`, beside what is known."""
    convention = context.call_conv
    parts = list(convention._get_arg_packer(found).as_arguments(builder, values))
    nothing = ir.Constant(helper.args[0].type, None)
    builder.ret(builder.call(helper, [nothing, convention._get_excinfo_argument(builder.function), told, *parts]))


def helper_type(context: Any, found: list[types.Type]) -> ir.FunctionType:
    """Of the function that makes exceptions with numbers of these types."""
    inner = context.call_conv.get_function_type(types.none, tuple(found))
    return ir.FunctionType(inner.return_type, [*inner.args[:2], excinfo_ptr_t, *inner.args[2:]])


def _write_helper(context: Any, function: ir.Function, found: list[types.Type]) -> None:
    convention, module = context.call_conv, function.module
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    python = context.get_python_api(builder)
    values = convention._get_arg_packer(found).from_arguments(builder, function.args[3:])
    struct = ir.LiteralStructType([value.type for value in values])
    numbers = convention.emit_wrap_args_insts(builder, python, struct, tuple(values))
    unwrap = tuple_of(context, module, struct, found) if BOXED.keys() >= set(found) else convention.emit_unwrap_dynamic_exception_fn(module, struct, found)
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
