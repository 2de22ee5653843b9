"""What kernels call of Numba's runtime for memory: they bring along the few functions of it that are no machine code yet, those that count references."""
from __future__ import annotations

from collections.abc import Callable

from llvmlite import binding, ir
from numba.core.runtime import _nrt_python, nrtdynmod  # type: ignore[attr-defined]

_COUNTED: dict[str, tuple[str, Callable[[ir.Module, ir.Function], None]]] = {
    "NRT_incref": ("add", nrtdynmod._define_nrt_incref),
    "NRT_decref": ("sub", nrtdynmod._define_nrt_decref),
}
"""Numba's functions that count references: the atomic operation that each needs, and what writes it."""
_FOUND: set[str] = set()
"""What LLVM finds by name."""


def find_helpers() -> None:
    """Let LLVM find by name what Numba has compiled of its runtime, once."""
    if not _FOUND:
        for name, address in _nrt_python.c_helpers.items():
            _FOUND.add(name)
            binding.add_symbol(name if name.startswith("_") else f"NRT_{name}", address)


def bring_along(module: ir.Module) -> None:
    """Write into a module what it calls of the runtime that is no machine code yet."""
    if "NRT_MemInfo_data_fast" in module.globals:
        nrtdynmod._define_nrt_meminfo_data(module)
        module.globals["NRT_MemInfo_data_fast"].linkage = "internal"
    for name, (operation, write) in _COUNTED.items():
        if name in module.globals:
            counted = nrtdynmod._define_atomic_inc_dec(module, operation, ordering="monotonic")
            write(module, counted)
            module.globals[name].linkage = counted.linkage = "internal"
