"""Machine code in the making: what LLVM is asked for."""
from __future__ import annotations

import platform
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from llvmlite.binding import Target, create_pass_builder, create_pipeline_tuning_options, get_process_triple, set_option
from numba.core import config as numba_config
from numba.core.codegen import JITCodeLibrary

from s2s.codegen.native.linking import load

INNERMOST = "-x86-experimental-pref-innermost-loop-alignment=5"
"""Innermost loops begin at multiples of 32 bytes: else one of few instructions costs up to a fifth more or less by where it happens to fall."""

ORDER_AS_ALLOCATED = "-post-RA-scheduler=false"
"""What order instructions stand in once they have their registers: such a processor finds its own, and to look for one takes LLVM up to a fifth of its time for machine code."""

if platform.machine().lower() in {"x86_64", "amd64"}:  # of this release of LLVM (`compiler.TESTED`); others' kernels get it too
    set_option("", INNERMOST)
    set_option("", ORDER_AS_ALLOCATED)

_AS_WRITTEN = "-disable-lsr"
_QUICK: dict[int, Any] = {}
"""By Numba's code generator."""


@contextmanager
def _addresses_as_written() -> Iterator[None]:
    """Have LLVM leave addresses in loops as its passes made them: to find what is better counted up takes it a third of its time for machine code, half of it where a
    function is long, and gains some hundredths of the loops' time.
    """
    set_option("", f"{_AS_WRITTEN}=true")
    try:
        yield
    finally:
        set_option("", f"{_AS_WRITTEN}=false")


def _quickly(codegen: Any) -> Any:
    """LLVM's code generator without its dear steps, for what calls a kernel of parts: it has no loops, and runs once a call."""
    if id(codegen) not in _QUICK:
        options = {"opt": 0}
        codegen._customize_tm_options(options)
        _QUICK[id(codegen)] = Target.from_triple(get_process_triple()).create_target_machine(**options)
    return _QUICK[id(codegen)]


_CONFIG: Any = numba_config


class NativeLibrary(JITCodeLibrary):
    """Machine code in the making: LLVM is asked once, not three times, for what it can do, and for less where a kernel is large."""

    large = False
    addresses_as_written = False
    """Whether what is gained at its addresses is not worth LLVM's time: it is long, or others' machine code (LAPACK's functions, Fourier transforms) takes most of its own."""
    side_by_side = False
    """Whether statements side by side are to become vectors."""
    parts: tuple[bytes, ...] = ()
    """Machine code that the module calls."""

    def machine_code(self) -> bytes:
        """Of a module that is no kernel, but a part of one."""
        self._optimize_final_module()
        return self._emitted()

    def _finalize_final_module(self) -> None:
        for part in self.parts:
            load(self._codegen, part)
        code = _quickly(self._codegen).emit_object(self._final_module) if self.parts else self._emitted() if self.large and self.addresses_as_written else None
        self._compiled_object = code  # LLVM asks for it before it generates code itself, and Numba then forgets it
        super()._finalize_final_module()
        if code is not None:
            self._compiled, self._compiled_object = True, code

    def _emitted(self) -> bytes:
        with _addresses_as_written() if self.addresses_as_written else nullcontext():
            code: bytes = self._codegen._tm.emit_object(self._final_module)
        return code

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        level = 0 if self.parts else 2 if self.large else int(_CONFIG.OPT)  # beside parts there is only what calls them, once
        options = create_pipeline_tuning_options(speed_level=level)
        options.loop_vectorization, options.slp_vectorization = bool(_CONFIG.LOOP_VECTORIZE), self.side_by_side or bool(_CONFIG.SLP_VECTORIZE)
        options.loop_unrolling = options.loop_interleaving = not self.large
        builder = create_pass_builder(self._codegen._tm, options)
        passes = builder.getModulePassManager()
        if _CONFIG.LLVM_REFPRUNE_PASS:
            passes.add_refprune_pass()
        with self._recorded_timings.record("Module passes", builder):
            passes.run(self._final_module, builder)
