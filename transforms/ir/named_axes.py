"""The named axes that are bound where a function is read: `vmap(f, axis_name="i")` binds "i" while f is.

A collective names one of them. Whoever binds a name, rewrites what names it: `vmap` does so in `batching/together.py`.
"""
from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True)
class NamedAxis:
    """An axis by its name. `size`: None where only the run knows it."""

    name: Hashable
    size: int | None


_BOUND: ContextVar[tuple[NamedAxis, ...]] = ContextVar("s2s_named_axes", default=())


def bound_axes() -> tuple[NamedAxis, ...]:
    """The axes that are bound, outermost first."""
    return _BOUND.get()


def axis_named(name: Hashable) -> NamedAxis | None:
    """The innermost axis of this name."""
    return next((axis for axis in reversed(_BOUND.get()) if axis.name == name), None)


@contextmanager
def binding(axis: NamedAxis | None) -> Iterator[None]:
    """Bind an axis (None: nothing) inside."""
    token = _BOUND.set(_BOUND.get() if axis is None else (*_BOUND.get(), axis))
    try:
        yield
    finally:
        _BOUND.reset(token)


__all__ = ["NamedAxis", "axis_named", "binding", "bound_axes"]
