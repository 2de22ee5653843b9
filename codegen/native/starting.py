"""Numba's start: what kernels need of what its first compilation loads.

Numba loads all that it can compile: lists, dictionaries, sets, texts, dates, random numbers, polynomials, and `scipy.linalg` (0.15 s), to learn whether
there is a BLAS. Kernels are numbers, tuples and arrays. `begin_numbers` loads what writes these, `begin` what knows their types, where a kernel holds more than `plain` tells
(30 ms); `load_all`, where a kernel holds something else, the rest.
"""
from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

from numba.core.base import builtin_registry
from numba.core.registry import cpu_target
from numba.core.typing import templates

from s2s.codegen.native.memory import begin_runtime
from s2s.codegen.native.references import find_helpers

_ABLE: list[Any] = []
"""Numba's contexts that can write numbers' operations."""
_BEGUN: list[Any] = []
"""Those that know what kernels need."""
_COMPLETE: list[Any] = []
"""Those that know all."""


def stages(context: Any) -> Iterator[bool]:
    """Let Numba's context know what kernels need, then all: to be tried in this order. Whether that is all."""
    if not _has(_COMPLETE, context):
        begin_numbers(context)
        context.install_registry(builtin_registry)  # what was told since: of float16, where a module holds it
        yield False
    load_all(context)
    yield True


def begin_numbers(context: Any) -> None:
    """Let Numba's context write operations on numbers in LLVM. What it learns later comes on top."""
    if _has(_ABLE, context):
        return
    find_helpers()
    from numba.cpython import builtins, numbers  # noqa: F401 (what is imported enters what it holds into registries)

    _ABLE.append(context)
    context.install_registry(builtin_registry)


def begin_mathematics(context: Any) -> None:
    """The functions of the module math too."""
    from numba.cpython import mathimpl

    context.install_registry(mathimpl.registry)


def begin(context: Any) -> None:
    """Let Numba's context know numbers, tuples and arrays: what is the type of what, too."""
    if _has(_BEGUN, context):
        return
    begin_numbers(context)
    from numba.core import optional  # noqa: F401
    from numba.core.typing import arraydecl, cmathdecl, mathdecl, npydecl  # noqa: F401
    from numba.cpython import cmathimpl, iterators, mathimpl, rangeobj, slicing, tupleobj  # noqa: F401
    from numba.np import arrayobj, npyimpl  # noqa: F401

    _BEGUN.append(context)
    for registry in (cmathimpl.registry, mathimpl.registry, npyimpl.registry, builtin_registry):
        context.install_registry(registry)
    with _looked_through_once():
        for declared in (cmathdecl.registry, mathdecl.registry, npydecl.registry, templates.builtin_registry):
            context.typing_context.install_registry(declared)
    context.install_registry(builtin_registry)  # the attributes that were declared


def load_all(context: Any) -> None:
    """Let Numba's context know all that Numba compiles."""
    begin(context)
    begin_runtime(context)
    _load_products()
    context.refresh()
    if not _has(_COMPLETE, context):
        _COMPLETE.append(context)


def _has(contexts: list[Any], context: Any) -> bool:
    return any(each is context for each in contexts)


@contextmanager
def _looked_through_once() -> Iterator[None]:
    """Let Numba not look through all registries for each attribute that is declared; whoever asks for this does so at the end. It is the CPU's own context
    that would look, not the copy of it that one kernel is compiled with.
    """
    context: Any = cpu_target.target_context
    context.refresh = lambda: None
    try:
        yield
    finally:
        del context.refresh


def _load_products() -> None:
    """Let Numba take for granted that SciPy, which is installed, has a BLAS. It looks again where it compiles a product."""
    if "numba.np.arraymath" in sys.modules or find_spec("scipy") is None:
        return
    from numba.np import linalg

    looks = linalg.ensure_blas
    linalg.ensure_blas = _takes_for_granted
    try:
        from numba.np import arraymath

        arraymath.ensure_blas = looks
    finally:
        linalg.ensure_blas = looks


def _takes_for_granted() -> None:
    """In the place of Numba's look."""
