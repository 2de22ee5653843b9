"""The items of what is gone through, one by one: what an array or list holds when their turn comes."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s.errors import UnknownSizeError
from s2s.transforms.primitives import sizes
from s2s.transforms.primitives.arithmetic import less, select
from s2s.transforms.read.callables import FlatArray
from s2s.transforms.read.failures import ChangedMeanwhile
from s2s.transforms.read.iterations import Iteration, Later, RunRange, Turn
from s2s.transforms.read.made_of import same_content
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import shape_of
from s2s.transforms.read.storage.grown import Grown
from s2s.transforms.read.values import Abstract, DictRef, IteratorRef, ListRef, SetRef, View
from s2s.transforms.read.wrapping import settled_number, weak_dim
from s2s.types import Atom, Literal, size_literal


def settled(reader: Reader, item: Abstract) -> Abstract:
    """An item whose turn has come: what the array or list holds now."""
    if type(item) is tuple and any(isinstance(part, Later | Turn | tuple) for part in item):
        return tuple(settled(reader, part) for part in item)
    if isinstance(item, Turn):
        return item.at(size_literal(item.index))
    if not isinstance(item, Later):
        return item
    if isinstance(item.container, View):
        return settled_number(reader, reader.rules.item(item.container, item.index))
    check_length(reader, item)
    return item.index if isinstance(item.container, DictRef) else reader.heap[item.container][item.index]


def check_length(reader: Reader, item: Abstract) -> None:
    """Refuse a list that is not as long as it was when a loop over it began."""
    if type(item) is tuple:
        for part in item:
            check_length(reader, part)
    if isinstance(item, Later) and isinstance(item.container, ListRef):
        content = reader.heap[item.container]
        if not isinstance(content, tuple) or len(content) != item.length:
            raise ChangedMeanwhile(reader, item.container)
    if isinstance(item, Later) and isinstance(item.container, DictRef):
        check_dict(reader, item.container, item.length)


def check_dict(reader: Reader, ref: DictRef, length: int) -> None:
    """Python's error of a dict or set that is not as long as it was when a loop through it began."""
    if len(reader.heap[ref]) != length:
        raise RuntimeError(f"{'Set' if isinstance(ref, SetRef) else 'dictionary'} changed size during iteration")


def items_of(reader: Reader, value: Abstract) -> tuple[Abstract, ...]:
    """All items of something that is looped over while reading.

    Raises UnsupportedError if their number is known only at run time.
    """
    iteration = reader.rules.iterate(value)
    if iteration.items is not None:
        return tuple(settled(reader, item) for item in iteration.items)
    if iteration.static is not None:
        return tuple(settled(reader, item) for item in iteration.static())
    what, instead = "a container whose length is known only at run time", "a preallocated array (np.empty(n)) filled in a loop, or array operations"
    if isinstance(value, View | FlatArray):  # the call knows it
        error = UnknownSizeError(what, where=reader.builder.where, instead=instead)
        error.sizes = shape_of(reader, value)[:1] if isinstance(value, View) else ()
        raise error
    raise reader.unsupported(what, instead)


def content_of(reader: Reader, value: Abstract) -> tuple[Any, ...]:
    """What a list holds now: the same objects until it is changed."""
    content = reader.heap[value] if isinstance(value, ListRef) else None
    return (content, reader.heap[content.counter]) if isinstance(content, Grown) else (content,)


def is_changed(reader: Reader, value: Abstract, before: tuple[Any, ...]) -> bool:
    """Whether a list holds something else than `before`."""
    now = content_of(reader, value)
    return len(now) != len(before) or not all(map(same_content, now, before))


def has_changed(reader: Reader, value: Abstract, ref: ListRef) -> bool:
    """Whether the items of an iterator changed a list when they were made."""
    content = reader.heap[ref]
    held = (ref, content.counter) if isinstance(content, Grown) else (ref,)
    return isinstance(value, IteratorRef) and any(each is other for each in value.changed for other in held)


def refuse_changing(reader: Reader, ref: ListRef, value: Abstract, before: tuple[Any, ...]) -> None:
    """Refuse to extend a list by what has changed it when it was gone through: Python appends one item after the other."""
    if has_changed(reader, value, ref) or is_changed(reader, ref, before):
        raise reader.unsupported("an iterator whose items change the list that is extended by them", "a loop that appends them")


def counted(reader: Reader, iteration: Iteration) -> tuple[Atom, Callable[[Atom], Abstract]]:
    """The trip count of an iteration, and the item of each count from 0."""
    known = iteration.items
    if known is not None:
        return size_literal(len(known)), lambda k: reader.rules.item(tuple(settled(reader, item) for item in known), as_python_int(reader, k))
    lo, hi, step, item = iteration.lo, iteration.hi, iteration.step, iteration.item
    assert lo is not None and hi is not None and step is not None and item is not None
    if lo == size_literal(0) and step == size_literal(1):
        return hi, item
    return range_length(reader, RunRange(lo, hi, step)), lambda k: item(_nth(reader, lo, k, step))


def _nth(reader: Reader, lo: Atom, k: Atom, step: Atom) -> Atom:
    return as_python_int(reader, sizes.plus(reader.builder, lo, sizes.times(reader.builder, k, step)))


def as_python_int(reader: Reader, atom: Atom) -> Abstract:
    """A size as the user sees it: a number, or a Python int of run time."""
    return int(atom.value) if isinstance(atom, Literal) else weak_dim(reader, atom)  # type: ignore[arg-type]


def _length_by(reader: Reader, value: RunRange) -> Atom:
    """The length of a range whose step only the run knows: (last - first + one less than the step's size) // the step's size."""
    builder = reader.builder
    size = sizes.larger(builder, value.step, sizes.times(builder, value.step, -1))
    rising = builder.equation(less, (size_literal(0), value.step))[0]
    extents = sizes.minus(builder, value.hi, value.lo), sizes.minus(builder, value.lo, value.hi)
    extent = select(reader.value(rising), *map(reader.value, extents)).atom
    return sizes.quotient(builder, sizes.larger(builder, sizes.plus(builder, extent, sizes.minus(builder, size, 1)), 0), size)


def range_length(reader: Reader, value: RunRange) -> Atom:
    """len(range(lo, hi, step))."""
    if not isinstance(value.step, Literal):
        return _length_by(reader, value)
    step = int(value.step.value)  # type: ignore[arg-type]
    builder = reader.builder
    first, last = (value.lo, value.hi) if step > 0 else (value.hi, value.lo)
    extent = sizes.larger(builder, sizes.minus(builder, last, first), 0)
    if abs(step) == 1:
        return extent
    return sizes.quotient(builder, sizes.plus(builder, extent, abs(step) - 1), size_literal(abs(step)))
