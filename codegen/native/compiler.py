"""Numba's compiler, but for kernels: those that `inference` covers take their own way to LLVM.

It is loaded with each compiled module; what does the work, only where something must be compiled.
"""
from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any

import numba
import numpy as np
from numba.core import config, errors, types
from numba.core.compiler import Compiler, CompileResult, StateDict, _make_subtarget
from numba.core.dispatcher import Dispatcher
from numba.np import numpy_support

from s2s.codegen.native.blas import find_functions
from s2s.codegen.native.memory import begin_runtime
from s2s.codegen.native.source import Module, NotCovered, Source
from s2s.codegen.native.starting import load_all, stages
from s2s.codegen.native.untold import untold
from s2s.collection import uncollected

TESTED = frozenset({(0, 68)})
"""The releases of Numba whose inside this was tested with; with others Numba compiles all kernels: later, but right."""

_SOURCES: dict[Any, Source] = {}
"""The kernels' texts, by their functions (code objects that look alike are equal, though their modules differ)."""


def compile_natively(module: ModuleType, text: str, file: str) -> None:
    """Let the kernels of a module of this text be compiled by `NativeCompiler`, and find their BLAS, where Numba is known to take it."""
    if tuple(int(part) for part in numba.__version__.split(".")[:2]) not in TESTED:
        return
    find_functions(module)
    written = Module(text, file, vars(module))
    for dispatcher in vars(module).values():
        if isinstance(dispatcher, Dispatcher) and dispatcher.__module__ == module.__name__:
            liberties = frozenset(dispatcher.targetoptions.get("fastmath", ()))
            in_place = bool(dispatcher.targetoptions.get("forceinline"))
            _SOURCES[dispatcher.py_func] = Source(dispatcher.py_func.__name__, written, liberties, in_place)
            dispatcher._compiler.pipeline_class = NativeCompiler  # type: ignore[attr-defined]
            dispatcher.typeof_pyval = partial(_type_of, dispatcher)  # type: ignore[method-assign]


def _type_of(dispatcher: Any, value: Any) -> types.Type:
    """The Numba type of an argument. Numba, to say that an array is not a masked one, imports `numpy.ma`."""
    if type(value) is not np.ndarray:
        return Dispatcher.typeof_pyval(dispatcher, value)
    try:
        found = types.Array(numpy_support.from_dtype(value.dtype), value.ndim, numpy_support.map_layout(value), readonly=not value.flags.writeable)
    except errors.NumbaNotImplementedError:
        return Dispatcher.typeof_pyval(dispatcher, value)
    dispatcher._types_active_call.add(found)
    return found


def _source(dispatcher: Dispatcher) -> Source | None:
    return _SOURCES.get(dispatcher.py_func)


class NativeCompiler:
    """Numba's compiler for one function, with what Numba gives one."""

    def __init__(self, typing_context: Any, context: Any, *given: Any) -> None:
        self.typing_context, self.context, self.given = typing_context, context, given

    @uncollected()
    @untold()
    def compile_extra(self, func: Any) -> CompileResult:
        """Compile it; where `inference` does not know a construct, as Numba does."""
        source = _SOURCES.get(func)
        if source is not None:
            from s2s.codegen.native.writing import compiled, typed_kernel

            state = self._state()
            for all_known in stages(self.context):
                try:
                    return compiled(state, func, typed_kernel(state, source, _source))
                except NotCovered:
                    continue
                except NotImplementedError:  # Numba's, of a function that it has not loaded
                    if all_known:
                        raise
        load_all(self.context)
        return Compiler(self.typing_context, self.context, *self.given).compile_extra(func)

    def _state(self) -> StateDict:
        """What Numba's compilers hold of one function, as far as it is asked for."""
        config.reload_config()
        _library, args, _returns, flags, _locals = self.given
        target = _make_subtarget(self.context, flags)
        target.refresh = _nothing  # Numba looks again for what it does not find, and it never finds how an array is an array
        target.compile_subroutine = partial(_with_memory, target.compile_subroutine, target)
        state = StateDict()
        state.update(typingctx=self.typing_context, targetctx=target, args=args, flags=flags, metadata={})
        return state


def _nothing() -> None:
    """In the place of Numba's look for more implementations."""


def _with_memory(compile_subroutine: Callable[..., Any], context: Any, *given: Any, **options: Any) -> Any:
    """Compile what Numba wrote in Python, as its product of complex numbers: Numba links it with its whole runtime for memory."""
    begin_runtime(context)
    return compile_subroutine(*given, **options)
