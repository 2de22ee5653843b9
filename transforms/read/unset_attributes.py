"""Attributes that some paths or trips set and others don't: an object in the heap holds a `Missing` of such a one, as a frame does of a name.

    if c:                        heap[self] = {"x": Missing(test=x_is_set, value=x)}
        self.x = 1.0

An attribute that is surely not set yet may stand there as well, where a loop carries it: `unset`, without a test.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping

from s2s.transforms.read.values import Abstract, Missing


def unset(kind: type, name: str) -> Missing:
    """An attribute that an object of this class has not."""
    return Missing(f"{kind.__name__!r} object has no attribute {name!r}", unset=True, error="AttributeError")


def no_attribute(kind: type, name: str) -> AttributeError:
    """What Python raises where that is asked for."""
    return AttributeError(unset(kind, name).what)


def with_unset(kind: type, held: Mapping[str, Abstract], names: Iterable[str]) -> dict[str, Abstract]:
    """What an object holds, and which of these names it does not."""
    return {**held, **{name: unset(kind, name) for name in names if name not in held}}


def in_one_order(one: Iterable[str], two: Iterable[str]) -> list[str] | None:
    """The names of two objects in an order that both have; None where there is none."""
    first, rest = dict.fromkeys(one), list(two)
    found: list[str] = []
    for name in first:
        if name in rest:
            place = rest.index(name)
            found += rest[:place]
            rest = rest[place + 1 :]
        found.append(name)
    found += rest
    return found if len(found) == len(set(found)) else None


def is_unset(value: Abstract) -> bool:
    """Whether nothing was bound to a name or attribute, on any path."""
    return isinstance(value, Missing) and value.unset and value.test is None


def may_be_set(held: Mapping[str, Abstract]) -> dict[str, Abstract]:
    """The attributes that are set, on some path at least."""
    return {name: value for name, value in held.items() if not is_unset(value)}


def is_doubtful(value: Abstract) -> bool:
    """Whether only the run knows that it is set."""
    return isinstance(value, Missing) and value.test is not None


__all__ = ["in_one_order", "is_doubtful", "is_unset", "may_be_set", "no_attribute", "unset", "with_unset"]
