"""Numba's compiler, but for kernels: those that `inference` covers take their own way to LLVM.

It is loaded with each compiled module; what does the work, only where something must be compiled.
"""
from __future__ import annotations

import ast
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numba
from numba.core.compiler import Compiler, CompileResult
from numba.core.dispatcher import Dispatcher

from s2s.codegen.native.source import Module, NotCovered, Source
from s2s.codegen.native.starting import load_registries
from s2s.collection import uncollected

TESTED = frozenset({(0, 68)})
"""The releases of Numba whose inside this was tested with; with others Numba compiles all kernels: later, but right."""

_SOURCES: dict[Any, Source] = {}
"""The kernels' texts, by their code objects."""


def compile_natively(module: ModuleType, trees: Sequence[ast.stmt], text: str, file: str) -> None:
    """Let the kernels of a module be compiled by `NativeCompiler`, where Numba is known to take it."""
    if tuple(int(part) for part in numba.__version__.split(".")[:2]) not in TESTED:
        return
    load_registries()
    written = Module(trees, text.split("\n"), file, vars(module))
    for tree in trees:
        dispatcher = vars(module).get(getattr(tree, "name", ""))
        if isinstance(tree, ast.FunctionDef) and isinstance(dispatcher, Dispatcher):
            liberties = frozenset(dispatcher.targetoptions.get("fastmath", ()))
            in_place = bool(dispatcher.targetoptions.get("forceinline"))
            _SOURCES[dispatcher.py_func.__code__] = Source(tree, written, liberties, in_place)
            dispatcher._compiler.pipeline_class = NativeCompiler  # type: ignore[attr-defined]


def _source(dispatcher: Dispatcher) -> Source | None:
    return _SOURCES.get(dispatcher.py_func.__code__)


class NativeCompiler(Compiler):
    """Numba's compiler for one function."""

    @uncollected()
    def compile_extra(self, func: Any) -> CompileResult:
        """Compile it; where `inference` does not know a construct, as Numba does."""
        source = _SOURCES.get(func.__code__)
        if source is None:
            return super().compile_extra(func)
        from s2s.codegen.native.writing import compiled, typed_kernel

        try:
            return compiled(self.state, func, typed_kernel(self.state, source, _source))
        except NotCovered:
            return super().compile_extra(func)
