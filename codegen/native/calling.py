"""How kernels call each other, and how Numba calls the first of them.

    Numba's      _relax(.ret, excinfo, arg.u.0 … arg.u.6, sweeps)           all seven fields of an array of one axis
    ours         _relax(.ret, excinfo, u.meminfo, u.parent, u.data, u.0, sweeps)      the others follow from these
"""
from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types

from s2s.codegen.native import arrays, results
from s2s.codegen.native.inference import Typed


def declare(context: Any, module: ir.Module, typed: Typed, name: str) -> ir.Function:
    """A kernel by our convention, with a name in a module."""
    flat = [each for type_ in typed.args for each in _flat(type_)]
    function = ir.Function(module, context.call_conv.get_function_type(typed.result, tuple(flat)), name)
    context.call_conv.decorate_function(function, [f"{position}" for position in range(len(flat))], tuple(flat))
    function.attributes.add("nounwind")
    return function


def _flat(type_: types.Type) -> tuple[types.Type, ...]:
    return arrays.passed_types(type_) if isinstance(type_, types.Array) else (type_,)


def taken(context: Any, builder: ir.IRBuilder, typed: Typed, *, by_numba: bool) -> dict[str, ir.Value | arrays.Value]:
    """What the parameters hold of the function in which `builder` writes. `by_numba`: it is called by Numba's convention."""
    given = iter(context.call_conv.get_arguments(builder.function))
    found: dict[str, ir.Value | arrays.Value] = {}
    for name, type_ in zip(typed.source.params, typed.args, strict=True):
        if not isinstance(type_, types.Array):
            parts = tuple(next(given) for _ in _llvm(context, type_))
            model = context.data_model_manager[type_]
            found[name] = model.from_argument(builder, parts if isinstance(model.get_argument_type(), tuple) else parts[0])
        elif by_numba:
            found[name] = arrays.of_parts(type_, [next(given) for _ in arrays.flat_types(type_)])
        else:
            found[name] = arrays.of_passed(context, builder, type_, [next(given) for _ in arrays.passed_types(type_)])
    return found


def _llvm(context: Any, type_: types.Type) -> tuple[Any, ...]:
    """The LLVM types as which a value is handed over; a complex number comes in two."""
    parts = context.data_model_manager[type_].get_argument_type()
    return parts if isinstance(parts, tuple) else (parts,)


def call_from_numba(context: Any, builder: ir.IRBuilder, entry: ir.Function, typed: Typed, kernel: ir.Function) -> None:
    """The body of the function that Numba calls: it calls the kernel."""
    given = iter(entry.args)
    values = [next(given), next(given)]
    for type_ in typed.args:
        if isinstance(type_, types.Array):
            values.extend(arrays.passed(arrays.of_parts(type_, [next(given) for _ in arrays.flat_types(type_)])))
        else:
            values.extend(next(given) for _ in _llvm(context, type_))
    code = builder.call(kernel, values)
    with builder.if_then(builder.icmp_signed("!=", code, code.type(0)), likely=False):
        builder.ret(code)
    results.complete(context, builder, typed.result)
    builder.ret(code)
