"""The axes that are bound where a function is read: `vmap(f, axis_name="i")` binds "i" while f is.

A collective names one of them. Whoever binds a name, rewrites what names it: `vmap` does so in `batching/together.py`. Each vmap is a level, too, with or
without a name: functions with batching rules of their own ask it which of their arguments are batched (`Level`).
"""
from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from s2s.records import dataclass, field


@dataclass(frozen=True)
class NamedAxis:
    """An axis by its name. `size`: None where only the run knows it; `typed`: derivatives inside tell what all share from what differs (`derivatives/shared.py`)."""

    name: Hashable
    size: int | None
    typed: bool = False


@dataclass(frozen=True)
class Answer:
    """Which leaves of a call's arguments are batched; `plain`: not all examples come to the call."""

    batched: tuple[bool, ...]
    plain: bool


@dataclass(eq=False)
class Level:
    """A vmap around what is read, which is an axis by the name `self`. `on_devices`: a pmap; `answers`: by the key of each call that asked."""

    size: int | None
    on_devices: bool
    answers: dict[Hashable, Answer] = field(default_factory=dict)

    def __repr__(self) -> str:
        return "the axis of examples"

    @property
    def axis(self) -> NamedAxis:
        """Its axis."""
        return NamedAxis(self, self.size)


class NeedsLevels(Exception):
    """A function with a batching rule is called: all that is read inside of a vmap is read again, for that one alone."""


_BOUND: ContextVar[tuple[NamedAxis, ...]] = ContextVar("s2s_named_axes", default=())
_LEVELS: ContextVar[tuple[Level, ...]] = ContextVar("s2s_levels", default=())
_ASKING: ContextVar[bool] = ContextVar("s2s_asking", default=False)


def bound_axes() -> tuple[NamedAxis, ...]:
    """The axes that are bound, outermost first."""
    return _BOUND.get()


def levels() -> tuple[Level, ...]:
    """The vmaps around, outermost first."""
    return _LEVELS.get()


def is_asking() -> bool:
    """Whether levels may be asked."""
    return _ASKING.get()


def surroundings() -> Hashable:
    """What a helper that is read here depends on besides its arguments."""
    return (_BOUND.get(), tuple((id(level), len(level.answers)) for level in _LEVELS.get())) if _ASKING.get() else _BOUND.get()


def axis_named(name: Hashable) -> NamedAxis | None:
    """The innermost axis of this name."""
    return next((axis for axis in reversed(_BOUND.get()) if axis.name == name), None)


@contextmanager
def binding(axis: NamedAxis | None, level: Level | None = None) -> Iterator[None]:
    """Bind an axis and a level (None: nothing) inside."""
    tokens = _BOUND.set(_BOUND.get() if axis is None else (*_BOUND.get(), axis)), _LEVELS.set(_LEVELS.get() if level is None else (*_LEVELS.get(), level))
    try:
        yield
    finally:
        _BOUND.reset(tokens[0])
        _LEVELS.reset(tokens[1])


@contextmanager
def asking() -> Iterator[None]:
    """Levels may be asked inside."""
    token = _ASKING.set(True)
    try:
        yield
    finally:
        _ASKING.reset(token)


__all__ = ["Answer", "Level", "NamedAxis", "NeedsLevels", "asking", "axis_named", "binding", "bound_axes", "is_asking", "levels", "surroundings"]
