"""Lists whose length is known only at run time: an array of a capacity that doubles, and how much of it is used.

    values = []                     array, length = zeros(8), 0
    for v in x:                     for v in x, array, length:
        if v > 0:                       if v > 0: array = grow(array, …); array[length] = v; length += 1
            values.append(v)
    np.array(values)                array[:length]

Items are copied in. An array that was appended and is written to later, while the list is still in use, is refused:
Python's list would see the change.
"""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NoReturn

import numpy as np

from s2s.transforms.primitives import sizes
from s2s.transforms.primitives.arithmetic import greater_equal, less, select
from s2s.transforms.primitives.indexing import At, Full, Span, getitem, grow, setitem
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.numpy_functions_common import building, cast, marked, retyped
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, Cell, ListRef, View, is_atom, is_number, scalar_type
from s2s.types import Array, Atom, Dim, Literal, Var, atom_dim, dim_atom, promote, size_literal

CAPACITY = 8
"""Items for which there is room at first."""


@dataclass(frozen=True, eq=False)
class Grown:
    """What the heap holds for such a list. `cell` stands for its storage where aliases are noted; `weak`: Python numbers."""

    reader: Reader
    array: Atom
    length: Atom
    cell: Cell
    weak: bool

    def _unknown(self) -> NoReturn:
        raise self.reader.unsupported(
            "this use of a list whose length is known only at run time", "np.array(…) of the list, an index, len, append or a loop over it"
        )

    def __iter__(self) -> Iterator[Abstract]:
        self._unknown()

    def __len__(self) -> int:
        self._unknown()

    def __getitem__(self, key: Any) -> Abstract:
        self._unknown()


def item_type(reader: Reader, items: Any) -> Array | None:
    """The type that holds all of these items; None if there is none (no items, containers, arrays of several shapes)."""
    types = []
    for item in items:
        if is_atom(item) or is_number(item):
            types.append(scalar_type(item))
        elif isinstance(item, View):
            types.append(reader.load(item).type)
        else:
            return None
    if not types or any(len(type_.shape) != len(types[0].shape) for type_ in types):
        return None
    if any(not reader.builder.same_size(a, b) for type_ in types for a, b in zip(type_.shape, types[0].shape, strict=True)):
        return None
    common = promote([Array(type_.dtype, (), type_.weak) for type_ in types])
    return Array(common.dtype, types[0].shape, common.weak and not types[0].shape)


def grown(reader: Reader, content: Any, type_: Array, cell: Cell) -> Grown:
    """A list's content as an array of this type of items."""
    if isinstance(content, Grown):
        if content.array.type.dtype == type_.dtype:
            return content
        with building(reader.builder):
            return replace(content, array=cast(reader.value(content.array), type_.dtype).atom, weak=type_.weak)
    zero = Value(reader.builder, Literal({"b": False, "i": 0, "f": 0.0, "c": 0j}[type_.dtype.kind], Array(type_.dtype)))
    array = zero.broadcast_to((max(CAPACITY, len(content)), *type_.shape), ())
    result = Grown(reader, array.atom, size_literal(0), cell, type_.weak)
    for item in content:
        result = appended(reader, result, item)
    return result


def appended(reader: Reader, content: Grown, item: Abstract) -> Grown:
    """The list with one more item."""
    builder = reader.builder
    array = reader.value(content.array)
    if isinstance(item, View):
        reader.note_aliases(content.cell, item.cell)
    value = reader.load(item) if isinstance(item, View) else reader.value(reader.atom(item, "an item of a growing list"))
    weak = content.weak and value.type.weak
    if promote([array.type.strong().with_shape(()), Array(value.dtype, (), value.type.weak)]).dtype != array.dtype:
        with building(builder):
            array = cast(array, promote([Array(array.dtype), Array(value.dtype, (), value.type.weak)]).dtype)
    capacity = dim_atom(array.shape[0])
    room = greater_equal(reader.value(content.length), reader.value(capacity))
    double = sizes.times(builder, capacity, 2)
    larger = select(room, reader.value(double), reader.value(capacity))
    builder.know_size(atom_dim(larger.atom))  # type: ignore[arg-type]
    with building(builder):
        fitted = retyped(cast(value, array.dtype), array.shape[1:])
        longer = grow(array, larger)
        index = (At(), *(Full() for _ in array.shape[1:]))
        stored = setitem(longer, fitted, reader.value(content.length), index=index)
    return Grown(reader, stored.atom, sizes.plus(builder, content.length, 1), content.cell, weak)


def as_array(reader: Reader, content: Grown) -> Value:
    """The items as an array."""
    array = reader.value(content.array)
    if array.shape[0] is atom_dim(content.length):
        return array
    index = (Span(1), *(Full() for _ in array.shape[1:]))
    return getitem(array, reader.value(size_literal(0)), reader.value(content.length), index=index)


def item_at(reader: Reader, content: Grown, key: Abstract) -> Abstract:
    """content[key]."""
    if isinstance(key, slice):
        from s2s.transforms.read.subscripts import get_item

        return get_item(reader, reader.new_array(as_array(reader, content).atom), key)
    builder = reader.builder
    position = reader.size(key, "an index of a list")
    if isinstance(position, Literal) and position.value < 0:  # type: ignore[operator]
        position = sizes.plus(builder, content.length, position)
    elif not builder.proves_at_least(position, 0):
        negative = less(reader.value(position), reader.value(size_literal(0)))
        wrapped = sizes.plus(builder, content.length, position)
        position = select(negative, reader.value(wrapped), reader.value(position)).atom
    for low, high in ((size_literal(0), position), (sizes.plus(builder, position, 1), content.length)):
        if not builder.proves_at_least(high, low):
            fits = greater_equal(reader.value(high), reader.value(low))
            builder.check(fits.atom, "IndexError", "list index out of range")
    return _item(reader, content, position)


def _item(reader: Reader, content: Grown, position: Atom) -> Abstract:
    array = reader.value(content.array)
    index = (At(), *(Full() for _ in array.shape[1:]))
    value = getitem(array, reader.value(position), index=index)
    if value.ndim:
        view = reader.new_array(value.atom)
        view.cell.frozen = True
        return view
    return reader.unwrap_atom(marked(value, weak=content.weak).atom)


def popped(reader: Reader, content: Grown) -> tuple[Grown, Abstract]:
    """The list without its last item, and that item."""
    item = item_at(reader, content, -1)
    return replace(content, length=sizes.minus(reader.builder, content.length, 1)), item


def items_iteration(reader: Reader, content: Grown) -> Any:
    """How to loop over the items."""
    from s2s.transforms.read.values import Iteration

    return Iteration(None, size_literal(0), content.length, size_literal(1), lambda index: _item(reader, content, index))


def filled_list(reader: Reader, count: Atom, type_: Array, fill: Any) -> ListRef:
    """A list of `count` items, stored by `fill(view)` (a comprehension)."""
    zero = Value(reader.builder, Literal({"b": False, "i": 0, "f": 0.0, "c": 0j}[type_.dtype.kind], Array(type_.dtype)))
    view = reader.new_array(zero.broadcast_to((atom_dim(count), *type_.shape), ()).atom)
    fill(view)
    ref = ListRef()
    reader.heap[ref] = Grown(reader, reader.heap[view.cell], count, Cell("items"), type_.weak)
    return ref


__all__ = ["Dim", "Grown", "Var", "appended", "as_array", "filled_list", "grown", "item_at", "item_type", "items_iteration", "np", "popped"]
