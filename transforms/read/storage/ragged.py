"""Arrays of several sizes in lists whose length only the run knows: parts of one long array.

    groups = []                         elements, starts, sizes, count = zeros(8), zeros(8, int), zeros(8, int), 0
    for k in range(n):                  for k in range(n):
        groups.append(x[labels == k])       elements[end : end + m] = x[labels == k]; starts[count] = end; sizes[count] = m; …
    groups[j].mean()                    elements[starts[j] : starts[j] + sizes[j]].mean()

Once a reading found that arrays of one dtype and number of axes can't stand in a list as rows of one size, all of them that are put into such lists
in the next one are parts of one array (`Lengths`, a pool), their elements in C order. They are copies there, as all arrays in lists are (`growing.py`).
"""
from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

from s2s.records import dataclass
from s2s.transforms.primitives.arithmetic import add, greater, select
from s2s.transforms.primitives.indexing import Span, getitem, grow, setitem
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import product, reshape, strong
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage import growing
from s2s.transforms.read.storage.access import load, new_array, shape_of
from s2s.transforms.read.storage.grown import Grown, Lengths
from s2s.transforms.read.storage.plans import check_here, lengths_key
from s2s.transforms.read.values import Abstract, Cell, OneOf, Ref, View
from s2s.types import SIZE, Array, Atom, Literal, atom_dim, dim_atom


@dataclass(frozen=True, eq=False)
class Part:
    """An array that is about to become one of these: a leaf of what a list is to hold, for where it starts, and once more for each of its sizes."""

    pool: Any
    array: View


NAMES = ("elements", "starts", "sizes")
"""What the long array and the columns of a list are called in the program."""
TYPE = Array(SIZE.dtype)
"""Of the columns."""


def pool_for(reader: Reader, value: Abstract) -> Any:
    """The pool in which an array stands that is put into a list; None of all else, and where no reading asked for one."""
    if not isinstance(value, View) or all(pool.kind is not Lengths for pool in reader.session.pools):
        return None
    type_ = load(reader, value).type
    found = [pool for pool in reader.session.pools if pool.kind is Lengths and lengths_key(type_) in pool.plan.sites] if type_.shape else []
    return next((pool for pool in found if pool.rows in reader.heap), found[0] if found else None)


def leaves_of(reader: Reader, pool: Any, array: View) -> list[Part]:
    """What a list is to hold of an array."""
    return [Part(pool, array)] * (1 + len(shape_of(reader, array)))


def laid_down(reader: Reader, part: Part) -> tuple[Atom, ...]:
    """Where an array starts, and its sizes: its elements are put behind all others."""
    check_here(reader, part.pool)
    builder, loaded = reader.builder, load(reader, part.array)
    content = _elements(reader, part.pool, loaded.type)
    elements, count = reader.value(content.array), product(builder, loaded.shape)
    with building(builder):  # NumPy's integers, whose sums need no check: there is room for as many elements
        start, length, capacity, *shape = (strong(reader.value(each)) for each in (content.end, dim_atom(count), dim_atom(elements.shape[0]), *map(dim_atom, loaded.shape)))
        end = add(start, length)
        larger = select(greater(end, capacity), add(add(end, end), reader.value(Literal(growing.CAPACITY, TYPE))), capacity)
        builder.know_size(larger.atom)
        flat = reshape(loaded, (count,))
        reader.heap[content.cell] = setitem(grow(elements, larger, zeros=False), flat, start, reader.value(count), index=(Span(1),)).atom
    growing.note_copy(reader, content.cell, part.array.cell)
    reader.heap[content.counter] = end.atom
    return (start.atom, *(each.atom for each in shape))


def array_at(reader: Reader, pool: Any, start: Atom, sizes: tuple[Atom, ...]) -> View:
    """The array of these sizes that starts there."""
    check_here(reader, pool)
    content = reader.heap[pool.rows]
    if not isinstance(content, Grown):
        raise reader.unsupported("an array of a list that has none yet", "a list that gets its arrays before they are asked for")
    for size in sizes:
        reader.builder.know_size(size)
    shape = tuple(map(atom_dim, sizes))
    with building(reader.builder):
        flat = getitem(reader.value(content.array), reader.value(start), reader.value(product(reader.builder, shape)), index=(Span(1),))
        found = new_array(reader, reshape(flat, shape).atom)
    found.cell.frozen = True
    growing.note_copy(reader, found.cell, content.cell)
    return found


def rows(reader: Reader, type_: Array, origin: Hashable) -> Grown:
    """The long array, with nothing in it yet."""
    counter = Cell("end")
    reader.heap[counter] = Literal(0, TYPE)
    content = growing.grown(reader, (), type_, origin=origin, counter=counter)
    content.cell.name = NAMES[0]
    return content


def _elements(reader: Reader, pool: Any, type_: Array) -> Grown:
    """The long array, which begins with the first that is put into it."""
    content = reader.heap[pool.rows]
    if not isinstance(content, Grown):
        content = reader.heap[pool.rows] = rows(reader, Array(type_.dtype), pool.plan.origin)
        reader.session.growing[pool.rows] = content.item_type
    return content


def types_of_arrays(reader: Reader, *values: Abstract) -> tuple[Array, ...]:
    """The types of the arrays among these values, and in what they hold: where a list can't have rows of one size, it has these at any size (`plans.of_any_length`)."""
    return tuple(load(reader, array).type for value in values for array in _arrays_in(reader, value, ()))


def _arrays_in(reader: Reader, value: Abstract, around: tuple[Abstract, ...]) -> Iterator[View]:
    if isinstance(value, View):
        yield value
    if any(each is value for each in around):
        return
    held = reader.heap.get(value) if isinstance(value, Ref) else value.options if isinstance(value, OneOf) else value
    for part in held.values() if isinstance(held, dict) else held if isinstance(held, tuple) else ():
        yield from _arrays_in(reader, part, (*around, value))


__all__ = ["NAMES", "TYPE", "Part", "array_at", "laid_down", "leaves_of", "pool_for", "rows", "types_of_arrays"]
