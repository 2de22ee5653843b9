"""Kernels that are one text: a user's function that is called with arrays of other sizes is another function of the program, but often the same kernel.

    _linear(x, w, b)     _linear_2(x, w, b)     ->     _linear(x, w, b), called by both names' callers
"""
from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from s2s.codegen.lowering.lowered import Lowered, Slot
from s2s.records import replace


class Alike:
    """The kernels of a module so far."""

    def __init__(self) -> None:
        self._seen: dict[Hashable, list[Lowered]] = {}

    def named(self, kernel: Lowered) -> Lowered:
        """The kernel, by the name of the first one that is the same: its own where there is none."""
        others = self._seen.setdefault(_outline(kernel), [])
        same = next((other for other in others if _content(other) == _content(kernel)), None)
        if same is not None:
            return replace(kernel, name=same.name)
        others.append(kernel)
        return kernel


def _outline(kernel: Lowered) -> Hashable:
    """What two that are the same have in common, quickly told."""
    params = tuple((slot.name, slot.type.dtype, slot.type.ndim, slot.type.fortran, slot.written) for slot in kernel.params)
    return kernel.function.where, kernel.derived, kernel.plain, params, len(kernel.body), len(kernel.results)


def _content(kernel: Lowered) -> tuple[Any, ...]:
    results = tuple((result.name, result.type.dtype, result.param, result.rebound) if isinstance(result, Slot) else result for result in kernel.results)
    return kernel.body, results, kernel.sizes, kernel.buffers, kernel.swaps, kernel.accumulators


__all__ = ["Alike"]
