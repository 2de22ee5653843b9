"""Values that are asked for on one path only: the right of `and` and `or`, a ternary's sides, the later items of containers that are compared."""
from __future__ import annotations

from collections.abc import Callable

from s2s.transforms.read.flow.caught import Unwound, settled
from s2s.transforms.read.flow.conditions import both, either, is_safe, splice
from s2s.transforms.read.flow.failing import OF_VALUES, raised_on_path, refuse_slip
from s2s.transforms.read.flow.joining import choose
from s2s.transforms.read.flow.options import MOST, narrowed
from s2s.transforms.read.flow.truth import truth_of
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.state import Branch
from s2s.transforms.read.values import Abstract, Pooled, is_atom
from s2s.types import BOOL, Array, Atom, Literal


def side(reader: Reader, read: Callable[[], Abstract]) -> Abstract:
    """What is read on a path of its own; what it raises, the run raises."""
    return settled(reader, lambda: attempted(reader, read))


def attempted(reader: Reader, read: Callable[[], Abstract]) -> Abstract:
    """What is read; what it raises, the run raises."""
    try:
        return read()
    except Unwound:
        return None
    except OF_VALUES as error:
        refuse_slip(reader, error)
        if reader.errors or not raised_on_path(reader, error):
            raise
        return None


def pick_of(reader: Reader, test: Atom, yes: Callable[[], Abstract], no: Callable[[], Abstract]) -> Abstract:
    """`yes() if test else no()`."""
    one, two = reader.fork(), reader.fork()
    with reader.inside(one):
        first = side(reader, yes)
    with reader.inside(two):
        second = side(reader, no)
    return choose(reader, test, (one, first), (two, second))


def connected(reader: Reader, test: Atom, first: Abstract, read: Callable[[], Abstract], *, is_and: bool) -> Abstract:
    """`first and read()`, `first or read()`, of which `test` is the truth of the first; the second is read only where Python would."""
    one, two = reader.fork(), reader.fork()
    with reader.inside(one):
        narrowed(reader, test, holds=is_and)
        second = side(reader, read)
        other = truth_of(reader, second) if _is_bool(first) and _is_bool(second) else None
    if other is not None and is_safe(one.builder.nodes) and _changes_nothing(reader, one):
        splice(reader, one)
        combined = Literal(other, Array(BOOL, weak=isinstance(second, bool) or second.type.weak)) if isinstance(other, bool) else other
        return (both if is_and else either)(reader, test, combined)
    with reader.inside(two):
        narrowed(reader, test, holds=not is_and)
        first = _none_left(reader, first)
    return choose(reader, test, (one, second), (two, first)) if is_and else choose(reader, test, (two, first), (one, second))


def _none_left(reader: Reader, value: Abstract) -> Abstract:
    """None, where an object's path says that it is; other values: themselves."""
    ruled_out = reader.excluded.get(value.number, frozenset()) if isinstance(value, Pooled) else frozenset()
    return None if ruled_out >= frozenset(range(MOST)) else value


def _changes_nothing(reader: Reader, branch: Branch) -> bool:
    """Whether a branch binds no name and stores nothing (`a and (b := c)` does)."""
    names, heap = reader.frame.names, reader.heap
    return all(names.get(name) is value for name, value in branch.state.names.items()) and all(
        heap[ref] is content for ref, content in branch.state.heap.items() if ref in heap
    )


def _is_bool(value: Abstract) -> bool:
    return isinstance(value, bool) or (is_atom(value) and value.type.dtype == BOOL)


__all__ = ["attempted", "connected", "pick_of", "side"]
