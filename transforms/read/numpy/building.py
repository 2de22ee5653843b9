"""Where NumPy functions build: the block that is current, refusals at the user's line.

The reader sets the builder around each call, so that a value of an outer block can be an operand in an inner one.
"""
from __future__ import annotations

from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

import numpy as np

from s2s.errors import InternalError, UnsupportedError
from s2s.transforms.ir.build import Builder
from s2s.transforms.primitives.value import Value

_BUILDER: ContextVar[Builder] = ContextVar("builder")
NONE = np._NoValue
Operand = Any
"""A Value, a Python or NumPy number, or a nested list of them."""


class building:  # noqa: N801 (it is called like a function)
    """Build what NumPy functions make in `builder`. (A class of its own: it is entered for each operation.)"""

    __slots__ = ("builder", "token")

    def __init__(self, builder: Builder) -> None:
        self.builder = builder

    def __enter__(self) -> Builder:
        self.token = _BUILDER.set(self.builder)
        return self.builder

    def __exit__(self, *_: object) -> None:
        _BUILDER.reset(self.token)


def current_builder() -> Builder:
    """The builder of the innermost `building`."""
    builder = _BUILDER.get(None)
    if builder is None:  # no LookupError: that could be the user's
        raise InternalError("a rule of NumPy's is asked where no program is being built")
    return builder


def builder_of(*operands: Operand) -> Builder:
    """The current builder; outside of `building` that of the first Value."""
    builder = _BUILDER.get(None)
    return builder if builder is not None else next(value.builder for value in values_in(operands))


def values_in(tree: Any) -> Iterator[Value]:
    """The Values in nested tuples, lists, dicts and slices."""
    match tree:
        case Value():
            yield tree
        case list() | tuple():
            for item in tree:
                yield from values_in(item)
        case dict():
            yield from values_in(list(tree.values()))
        case slice():
            yield from values_in((tree.start, tree.stop, tree.step))


def has_value(*tree: Any) -> bool:
    """Whether anything in it is known only at run time."""
    return next(values_in(tree), None) is not None


def unsupported(what: str, instead: str = "", why: str = "") -> UnsupportedError:
    """An UnsupportedError at the user's line."""
    return UnsupportedError(what, where=current_builder().where, why=why, instead=instead)


def refuse(function: str, instead: str = "", **arguments: Any) -> None:
    """Raise UnsupportedError if one of the arguments is given (is not None, False or np._NoValue)."""
    for name, value in arguments.items():
        if value is not None and value is not False and value is not NONE:
            if name == "out":
                instead = f"out[...] = {function}(…)"
            raise unsupported(f"{function}(…, {name}=…) is not supported", instead=instead or f"leave {name} out")
