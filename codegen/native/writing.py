"""From a kernel whose types are known to machine code: all kernels that it calls in one LLVM module, or in parts, with Numba's wrapper around the first.

What it makes is what Numba would have made: the same types, calling convention and wrapper, kept in the same cache.
"""
from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from llvmlite import ir
from numba.core import bytecode, types
from numba.core.compiler import CompileResult, compile_result
from numba.core.funcdesc import PythonFunctionDescriptor
from numba.core.lowering import Environment
from numba.core.targetconfig import ConfigStack
from numba.core.typing import signature

from s2s.codegen.native.calling import call_from_numba, declare
from s2s.codegen.native.failures import Failures, Here
from s2s.codegen.native.inference import Program, Source, Sources, Typed
from s2s.codegen.native.library import NativeLibrary
from s2s.codegen.native.linking import NO_MODULE, Code, Leaves, keep, kept, module_name, write_what_is_left
from s2s.codegen.native.lowering import Lowering
from s2s.codegen.native.operations import Operations
from s2s.codegen.native.parts import NotApart, Part, parted, symbol_of
from s2s.codegen.native.references import bring_along
from s2s.codegen.native.wrapper import Wrapper
from s2s.codegen.runtime.decompositions import BY_LAPACK
from s2s.codegen.runtime.eigenvectors import EIGENVECTORS
from s2s.codegen.runtime.small_products import SIDE_BY_SIDE
from s2s.codegen.runtime.spectra import SPECTRA
from s2s.tuning import TUNING

_OPERATIONS: dict[int, Operations] = {}
"""By typing context."""
LEFT = BY_LAPACK | EIGENVECTORS.keys() | SPECTRA.keys() | {"powered", "powered_change"}
"""Functions of which LLVM's time would be lost: others' machine code does what takes time."""


def typed_kernel(state: Any, source: Source, sources: Sources) -> Typed:
    """The types in a kernel, for the arguments of Numba's compiler `state`.

    Raises
    ------
    NotCovered
        If Numba's own compiler has to take it.
    """
    context = state.targetctx
    return Program(_OPERATIONS.setdefault(id(state.typingctx), Operations(context)), sources).typed(source, tuple(state.args))


def compiled(state: Any, func: Any, typed: Typed) -> CompileResult:
    """The function as machine code."""
    identity = bytecode.FunctionIdentity.from_function(func)
    described = PythonFunctionDescriptor(
        True, func.__module__, identity.func_qualname, identity.unique_name, func.__doc__ or "", {}, typed.result, {}, typed.source.params, (),
        mangler=state.targetctx.mangler, argtypes=typed.args, abi_tags=[state.flags.get_mangle_string()], uid=identity.unique_id,
    )
    with ConfigStack().enter(state.flags.copy()):
        environment = Environment.from_fndesc(described)
        context = state.targetctx.subtarget(environment=environment, fndesc=described, fastmath=None)
        writing = _Writing(context, described, environment, typed, state.flags.get_mangle_string())
        library, helper = writing.linked()
        entry = context.get_executable(library, described, environment)
        context.insert_user_function(entry, described, [library])
    return compile_result(
        typing_context=state.typingctx, target_context=state.targetctx, entry_point=entry, typing_error=None, type_annotation=None,
        library=library, call_helper=helper, signature=signature(typed.result, *typed.args), objectmode=False, lifted=(), fndesc=described,
        environment=environment, metadata=state.metadata, reload_init=[*library._reload_init],
    )


class _Writing:
    """A kernel on its way to machine code. `flags`: Numba's, as a text."""

    def __init__(self, context: Any, described: PythonFunctionDescriptor, environment: Environment, typed: Typed, flags: str) -> None:
        self.context, self.described, self.environment, self.typed, self.flags = context, described, environment, typed, flags
        self.codegen = context.codegen()

    def linked(self) -> tuple[NativeLibrary, Any]:
        """The library, and what tells a caller of exceptions: of a large kernel with helpers, of parts that are found again after an edit."""
        parts = parted(self.typed)
        if parts:
            try:
                return self.of_parts(parts)
            except NotApart:
                pass  # it has no lasting description
        return self.whole()

    def whole(self) -> tuple[NativeLibrary, Any]:
        """The function, all that it calls and what calls it from Python, as one LLVM module."""
        library, module = self._empty(self.described.unique_name)
        with self.context.push_code_library(library):
            entry = self.context.declare_function(module, self.described)
            helper, functions = _lowered(self.context, self.typed, entry, {}, Here(), by_numba=True)
            beside = {function.name for typed, function in functions if typed.source.name in SIDE_BY_SIDE}
            library.side_by_side = bool(beside)
            _called_from_many_places(functions, module)
            size = sum(_size(function) for function in module.functions if function.name not in beside)
            library.large = size > TUNING.large_kernel or bool(beside) and _only_calls(self.typed.source.tree.body)
            if library.large:
                _keep_apart(functions)
            left = [function for typed, function in functions if _is_left(typed)]
            _leave_as_written(left)
            library.addresses_as_written = bool(left) or size > TUNING.long_kernel
            self._finish(library, module, entry, helper)
        return library, helper

    def of_parts(self, parts: tuple[Part, ...]) -> tuple[NativeLibrary, Any]:
        """The same of parts, each with machine code of its own; in the LLVM module is what calls the first of them from Python.

        Raises
        ------
        NotApart
            If one holds something that only lasts as long as this process.
        """
        keys = [part.key(self.codegen, self.flags) for part in parts]
        codes = [self._code(part, key) for part, key in zip(parts, keys, strict=True)]
        library, module = self._empty(self.described.unique_name)
        name = module_name(self.typed.source.file, self.described.mangled_name)
        library.parts = tuple(code.named(name) for code in codes)
        library.large = True
        entry = self.context.declare_function(module, self.described)
        builder = ir.IRBuilder(entry.append_basic_block("entry"))
        first = declare(self.context, module, self.typed, f"{name}.{parts[0].symbol}")
        call_from_numba(self.context, builder, entry, self.typed, first)
        lines = {typed.source.name: typed.source.tree.lineno for part in parts for typed in (part.root, *part.inner)}
        for code in codes:
            write_what_is_left(self.context, builder, name, code.leaves, file=self.typed.source.file, lines=lines)
        helper = self.context.call_conv.init_call_helper(builder)
        with self.context.push_code_library(library):
            self._finish(library, module, entry, helper)
        return library, helper

    def _code(self, part: Part, key: str) -> Code:
        """A part's machine code, kept from an earlier process or made."""
        found = kept(key)
        if found is None:
            found = self._made(part)
            keep(key, found)
        return found

    def _made(self, part: Part) -> Code:
        library, module = self._empty(part.symbol)
        leaves = Leaves(part.symbol)
        known = {id(typed): declare(self.context, module, typed, f"{NO_MODULE}.{symbol_of(typed)}") for typed in (part.root, *part.calls)}
        function = known[id(part.root)]
        with self.context.push_code_library(library):
            _, functions = _lowered(self.context, part.root, function, known, leaves)
        if library._linking_libraries or self.context.get_env_name(self.described) in module.globals:
            raise NotApart(part.symbol)
        _called_from_many_places(functions, module)
        _keep_apart(functions)
        _leave_as_written(function for typed, function in ((part.root, function), *functions) if _is_left(typed))
        library.large = True
        library.addresses_as_written = sum(map(_size, module.functions)) > TUNING.long_kernel
        library.side_by_side = any(typed.source.name in SIDE_BY_SIDE for typed in (part.root, *part.inner))
        _add(library, module)
        return Code(library.machine_code(), leaves)

    def _empty(self, name: str) -> tuple[NativeLibrary, ir.Module]:
        library = NativeLibrary(self.codegen, name)
        library.enable_object_caching()
        return library, library.create_ir_module(name)

    def _finish(self, library: NativeLibrary, module: ir.Module, entry: ir.Function, helper: Any) -> None:
        """Add what calls the entry from Python."""
        self.context.declare_env_global(module, self.context.get_env_name(self.described))
        caller, _ = Wrapper(self.context, module, entry, self.described, self.environment, helper, release_gil=False).build()
        if library.large:
            _leave_as_written([caller])
        _add(library, module)


def _add(library: NativeLibrary, module: ir.Module) -> None:
    """Let LLVM read a module."""
    bring_along(module)
    library.add_ir_module(module)
    _let_go(module)


def _lowered(context: Any, typed: Typed, entry: ir.Function, known: Mapping[int, ir.Function], failures: Failures, *, by_numba: bool = False) -> tuple[Any, list[tuple[Typed, ir.Function]]]:
    """Write a function and all that it calls but what is `known` elsewhere; the others, and what tells a caller of exceptions."""
    functions: dict[int, tuple[Typed, ir.Function]] = {}
    waiting: list[tuple[Typed, ir.Function]] = []
    module = entry.module

    def declared(callee: Typed) -> ir.Function:
        if id(callee) in known:
            return known[id(callee)]
        if id(callee) not in functions:
            function = declare(context, module, callee, module.get_unique_name(callee.source.name))
            function.linkage = "internal"
            functions[id(callee)] = (callee, function)
            waiting.append((callee, function))
        return functions[id(callee)][1]

    helper = Lowering(context, typed, entry, declared, failures).run(by_numba=by_numba)
    while waiting:
        callee, function = waiting.pop()
        Lowering(context, callee, function, declared, failures).run()
    return helper, list(functions.values())


def _is_left(typed: Typed) -> bool:
    """Whether LLVM's time would be lost on a function: one of those, or one that calls NumPy's own loops of Fourier transforms."""
    called = (operation.function for operations in typed.operations.values() for operation in operations)
    return typed.source.name in LEFT or any(isinstance(each, types.ExternalFunction) and each.symbol.startswith("numpy_") for each in called)


def _size(function: ir.Function) -> int:
    return sum(len(block.instructions) for block in function.blocks)


def _only_calls(body: list[ast.stmt]) -> bool:
    """Whether a kernel's loops do nothing but call others, so that there is nothing to write out in them."""
    within = [each for loop in body if isinstance(loop, ast.For) for each in loop.body]
    return all(isinstance(each, ast.Expr | ast.Assign | ast.For) for each in body) and all(isinstance(each, ast.Expr | ast.For) for each in within) and (not within or _only_calls(within))


def _keep_apart(functions: Iterable[tuple[Typed, ir.Function]]) -> None:
    """Let LLVM leave helpers with loops where they are: a call is nothing beside one, and LLVM's time grows faster than a function."""
    for typed, function in functions:
        if not typed.source.in_place and _size(function) > TUNING.helper_apart and any(isinstance(node, ast.For | ast.While) for node in typed.source.nodes):
            function.attributes.add("noinline")


def _called_from_many_places(functions: Iterable[tuple[Typed, ir.Function]], module: ir.Module) -> None:
    """Let LLVM leave a helper that is to be written in place of its calls where it is, if there are many: each copy takes as long as the helper itself."""
    long = {function.name: function for typed, function in functions if typed.source.in_place and _size(function) > TUNING.helper_apart // 2}
    places = Counter(call.callee.name for calling in module.functions for block in calling.blocks for call in block.instructions if isinstance(call, ir.CallInstr) and call.callee.name in long)
    for name, count in places.items():
        if count > TUNING.places_in:
            long[name].attributes.discard("alwaysinline")
            long[name].attributes.add("noinline")


def _leave_as_written(functions: Iterable[ir.Function]) -> None:
    """Have LLVM generate code of functions as they are: what they do themselves takes no time."""
    for function in functions:
        function.attributes.add("noinline")
        function.attributes.add("optnone")


def _let_go(module: ir.Module) -> None:
    """Take a module apart that LLVM has read: its instructions know their blocks, and would all be cyclic garbage."""
    for value in module.globals.values():
        for block in getattr(value, "blocks", ()):
            block.instructions.clear()
            block.terminator = None
    module.globals.clear()
