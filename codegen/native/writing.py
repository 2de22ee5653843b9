"""From a kernel whose types are known to machine code: all kernels that it calls in one LLVM module, with Numba's wrapper around the first.

What it makes is what Numba would have made: the same types, calling convention and wrapper, kept in the same cache.
"""
from __future__ import annotations

import ast
import platform
from collections.abc import Iterable
from typing import Any

from llvmlite import ir
from llvmlite.binding import create_pass_builder, create_pipeline_tuning_options, set_option
from numba.core import bytecode
from numba.core import config as numba_config
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompileResult, compile_result
from numba.core.funcdesc import PythonFunctionDescriptor
from numba.core.lowering import Environment
from numba.core.targetconfig import ConfigStack
from numba.core.typing import signature

from s2s.codegen.native.aliasing import apart
from s2s.codegen.native.inference import Program, Source, Sources, Typed
from s2s.codegen.native.lowering import Lowering
from s2s.codegen.native.operations import Operations
from s2s.codegen.native.wrapper import Wrapper
from s2s.tuning import TUNING

INNERMOST = "-x86-experimental-pref-innermost-loop-alignment=5"
"""Innermost loops begin at multiples of 32 bytes: else one of few instructions costs up to a fifth more or less by where it happens to fall."""

if platform.machine().lower() in {"x86_64", "amd64"}:  # of this release of LLVM (`compiler.TESTED`); the loops of others' kernels get it too
    set_option("", INNERMOST)

_OPERATIONS: dict[int, Operations] = {}
"""By typing context."""


def typed_kernel(state: Any, source: Source, sources: Sources) -> Typed:
    """The types in a kernel, for the arguments of Numba's compiler `state`.

    Raises
    ------
    NotCovered
        If Numba's own compiler has to take it.
    """
    context = state.typingctx
    return Program(_OPERATIONS.setdefault(id(context), Operations(context)), sources).typed(source, tuple(state.args))


def compiled(state: Any, func: Any, typed: Typed) -> CompileResult:
    """The function as machine code."""
    identity = bytecode.FunctionIdentity.from_function(func)
    library = NativeLibrary(state.targetctx.codegen(), identity.func_qualname)
    library.enable_object_caching()
    described = PythonFunctionDescriptor(
        True, func.__module__, identity.func_qualname, identity.unique_name, func.__doc__ or "", {}, typed.result, {}, typed.source.params, (),
        mangler=state.targetctx.mangler, argtypes=typed.args, abi_tags=[state.flags.get_mangle_string()], uid=identity.unique_id,
    )
    with ConfigStack().enter(state.flags.copy()):
        environment = Environment.from_fndesc(described)
        context = state.targetctx.subtarget(environment=environment, fndesc=described, fastmath=None)
        with context.push_code_library(library):
            helper = _written(context, library, described, environment, typed)
        entry = context.get_executable(library, described, environment)
        context.insert_user_function(entry, described, [library])
    return compile_result(
        typing_context=state.typingctx, target_context=state.targetctx, entry_point=entry, typing_error=None, type_annotation=None,
        library=library, call_helper=helper, signature=signature(typed.result, *typed.args), objectmode=False, lifted=(), fndesc=described,
        environment=environment, metadata=state.metadata, reload_init=[*library._reload_init],
    )


def _written(context: Any, library: NativeLibrary, described: PythonFunctionDescriptor, environment: Environment, typed: Typed) -> Any:
    """The function, all that it calls and what calls it from Python, as one LLVM module of the library."""
    module = library.create_ir_module(described.unique_name)
    context.declare_env_global(module, context.get_env_name(described))
    functions: dict[int, tuple[Typed, ir.Function]] = {}
    waiting: list[tuple[Typed, ir.Function]] = []

    def declared(callee: Typed) -> ir.Function:
        if id(callee) not in functions:
            shape = context.call_conv.get_function_type(callee.result, callee.args)
            function = ir.Function(module, shape, module.get_unique_name(callee.source.tree.name))
            context.call_conv.decorate_function(function, callee.source.params, callee.args)
            function.linkage = "internal"
            functions[id(callee)] = (callee, function)
            waiting.append((callee, function))
        return functions[id(callee)][1]

    entry = context.declare_function(module, described)
    for name in apart(typed):
        _data(context, entry, typed, name).add_attribute("noalias")
    helper = Lowering(context, typed, entry, declared).run()
    while waiting:
        callee, function = waiting.pop()
        Lowering(context, callee, function, declared).run()
    library.large = sum(map(_size, module.functions)) > TUNING.large_kernel
    if library.large:
        _keep_apart(functions.values())
    Wrapper(context, module, entry, described, environment, helper, release_gil=False).build()
    context.post_lowering(module, library)
    library.add_ir_module(module)
    return helper


def _size(function: ir.Function) -> int:
    return sum(len(block.instructions) for block in function.blocks)


def _keep_apart(functions: Iterable[tuple[Typed, ir.Function]]) -> None:
    """Let LLVM leave helpers with loops where they are: a call is nothing beside one, and LLVM's time grows faster than a function."""
    for typed, function in functions:
        if _size(function) > TUNING.helper_apart and any(isinstance(node, ast.For | ast.While) for node in typed.source.nodes):
            function.attributes.add("noinline")


def _data(context: Any, function: ir.Function, typed: Typed, name: str) -> ir.Argument:
    """The argument that points to the elements of an array."""
    type_ = typed.args[typed.source.params.index(name)]
    position = context.data_model_manager[type_].get_field_position("data")
    return next(arg for arg in function.args if arg.name == f"arg.{name}.{position}")


_CONFIG: Any = numba_config


class NativeLibrary(JITCodeLibrary):
    """Machine code in the making: LLVM is asked once, not three times, for what it can do, and for less where a kernel is large."""

    large = False

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        options = create_pipeline_tuning_options(speed_level=2 if self.large else int(_CONFIG.OPT))
        options.loop_vectorization, options.slp_vectorization = bool(_CONFIG.LOOP_VECTORIZE), bool(_CONFIG.SLP_VECTORIZE)
        options.loop_unrolling = options.loop_interleaving = not self.large
        builder = create_pass_builder(self._codegen._tm, options)
        passes = builder.getModulePassManager()
        if _CONFIG.LLVM_REFPRUNE_PASS:
            passes.add_refprune_pass()
        with self._recorded_timings.record("Module passes", builder):
            passes.run(self._final_module, builder)
