"""Lists of tuples, lists, dicts or objects whose length is known only at run time: a growing array for each number that their items hold.

    heap = []                                        time, place, length = zeros(8), zeros(8, int), 0
    heap.append((t, k))                              time[length] = t; place[length] = k; length += 1
    t, k = heap[0]                                   t, k = time[0], place[0]

What lists of numbers and arrays do is `growing.py`'s; both are asked here. Lists and objects are copied in and out: a change of one that is in
such a list is refused.
"""
from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import numpy as np

from s2s.records import replace
from s2s.transforms.primitives import sizes
from s2s.transforms.primitives.value import zeros
from s2s.transforms.read.describing import describe
from s2s.transforms.read.failures import OtherItems
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage import growing, kinds_of_items, pooled_arrays, ragged
from s2s.transforms.read.storage.access import new_array
from s2s.transforms.read.storage.growing import IN_A_LIST, position_in
from s2s.transforms.read.storage.grown import Grown, Lengths, Row, Shape, Table, Template
from s2s.transforms.read.storage.kinds_of_items import ABSENT, NOTHING, alternatives_in, is_optional, is_several, there_in
from s2s.transforms.read.storage.plans import refused_beside
from s2s.transforms.read.storage.shapes_of_items import (
    columns_of,
    common,
    flat,
    is_leaf,
    joined_shape,
    numbered,
    of_pools,
    shape_of_value,
    signature,
    template_in,
    template_of,
)
from s2s.transforms.read.values import (
    Abstract,
    Cell,
    DequeRef,
    DictRef,
    ListRef,
    ObjectRef,
    OneOf,
    Pooled,
    Text,
    TupleRef,
    View,
    is_atom,
    is_number,
)
from s2s.types import INT64, Array, Atom, Literal, atom_dim, size_literal

_OTHER = "items of several kinds in a list whose length is known only at run time"


# ---- lists that begin to grow ---------------------------------------------------------------------------------------------------


def begun(reader: Reader, ref: ListRef, items: tuple[Abstract, ...], type_: Array | Template, origin: Hashable) -> Grown:
    """What the heap holds for a list of these items from where it may have any length."""
    first = Cell("start") if isinstance(ref, DequeRef) else None
    type_ = _asked(reader, origin, type_)
    if isinstance(type_, Array):
        return ragged.rows(reader, type_, origin) if ref.columns == ragged.NAMES[:1] else growing.grown(reader, items, type_, origin=origin, first=first)
    found = table(reader, items, type_, origin=origin, first=first)
    for name, part in zip(ref.columns, found.shape.parts, strict=False):
        _name_columns(found, part, name)
    return found


def _name_columns(content: Table, part: int | Shape, name: str) -> None:
    """Call the columns by what they hold a part of."""
    if isinstance(part, int):
        content.columns[part].cell.name = name
        return
    for number, each in enumerate(part.parts if part.kind is not Lengths else ()):
        of_objects = isinstance(each, Shape) and each.kind is Pooled
        suffix = "kind" if part.kind is OneOf and not number else each.keys[0].kind.__name__.lower() if of_objects else str(number)  # type: ignore[union-attr, index]
        _name_columns(content, each, name if len(part.parts) == 1 else f"{name}_{suffix}")


def any_length(reader: Reader, ref: ListRef) -> bool:
    """Make a list one whose length is known only at run time, as an item is put or taken at a place that is; False where its items are of several types."""
    items = reader.heap[ref]
    if isinstance(items, Grown):
        return True
    type_ = common(reader, items, mixed=True) if items else None
    if type_ is not None:
        reader.heap[ref] = begun(reader, ref, items, type_, (reader.builder.where, "any length"))
        reader.session.growing[ref] = type_
    return type_ is not None


def table(reader: Reader, items: tuple[Abstract, ...], template: Template, *, room: int = growing.CAPACITY, origin: Hashable = None, first: Cell | None = None) -> Table:
    """A list's items in growing arrays."""
    template = _asked(reader, origin, template)
    counter = Cell("count")
    reader.heap[counter] = Literal(0, Array(INT64, weak=True))
    if first is not None:
        reader.heap[first] = size_literal(0)
    room = max(room, len(items))
    columns = tuple(
        growing.grown(reader, (), type_, room=room, origin=None if origin is None else (origin, number), counter=counter, first=first)
        for number, type_ in enumerate(template.types)
    )
    content = made_table(reader, counter, template.shape, columns, first)
    for item in items:
        append(reader, content, item)
    return content


def made_table(reader: Reader, counter: Cell, shape: Shape, columns: tuple[Grown, ...], first: Cell | None) -> Table:
    """A list of items of this shape, in these columns."""
    for number, name in _names_of_lengths(shape):
        columns[number].cell.name = name
    return Table(reader, Cell("items", of_list=True), counter, False, None, row=Row("tuple", False, False), first=first, shape=shape, columns=columns)


def _names_of_lengths(shape: int | Shape) -> Iterator[tuple[int, str]]:
    """What the columns are called that say where arrays of several lengths stand."""
    if isinstance(shape, Shape) and shape.kind is Lengths:
        yield from ((part, ragged.NAMES[min(place, 2)]) for place, part in enumerate(shape.parts, 1) if isinstance(part, int))
    elif isinstance(shape, Shape):
        for part in shape.parts:
            yield from _names_of_lengths(part)


def list_of_pooled(reader: Reader, numbers: Grown, pool: Any) -> Table:
    """What the heap holds for a list of those of a pool that have these numbers."""
    return made_table(reader, numbers.counter, Shape(Pooled, (pool,), (0,)), (numbers,), numbers.first)


def filled(reader: Reader, count: Atom, template: Template, origin: Hashable = None) -> tuple[ListRef, Table]:
    """A list of so many items, which are still to be stored (`fill`): a comprehension."""
    template = _asked(reader, origin, template)
    counter = Cell("count")
    reader.heap[counter] = count
    columns = []
    for number, own in enumerate(template.types):
        place = None if origin is None else (origin, number)
        type_ = reader.session.items.get(place, own)
        column = Grown(reader, Cell("items", of_list=True), counter, type_.weak, place, {type_.boxed}, may_lack_room=True)
        reader.heap[column.cell] = zeros(reader.builder, Array(type_.dtype, (atom_dim(count), *type_.shape))).atom
        columns.append(column)
    ref = ListRef()
    content = reader.heap[ref] = made_table(reader, counter, template.shape, tuple(columns), None)
    return ref, content


def as_tuple(reader: Reader, items: ListRef) -> TupleRef:
    """A list that nobody else has, as a tuple."""
    ref = TupleRef()
    reader.heap[ref] = reader.heap[items]
    return ref


def repeated(reader: Reader, items: tuple[Abstract, ...], count: Atom, origin: Hashable) -> ListRef:
    """[item] * count, where the count is known at run time only."""
    length = sizes.larger(reader.builder, count, 0)
    template = template_of(reader, items) if len(items) == 1 and is_fixed(items[0]) else None
    if template is None:
        return growing.repeated(reader, items, length, origin)
    ref, content = filled(reader, length, template, origin)
    for column, leaf in zip(content.columns, _leaves(reader, content, items[0]), strict=True):
        growing.fill_with(reader, column, leaf, length)
    return ref


def is_fixed(item: Abstract) -> bool:
    """Whether it can't be changed, or is the same one as often as it stands in a list."""
    return all(map(is_fixed, item)) if isinstance(item, tuple) else item is None or isinstance(item, str | OneOf | Pooled) or is_atom(item) or is_number(item)


def fill(reader: Reader, content: Table, position: Atom, item: Abstract) -> None:
    """Store the item of a comprehension."""
    for column, leaf in zip(content.columns, _leaves(reader, content, item), strict=True):
        growing.put_at(reader, column, position, leaf)


# ---- what is done with them -----------------------------------------------------------------------------------------------------


def _asked(reader: Reader, origin: Hashable, own: Any) -> Any:
    """What items a list that is made there is to have room for: also for those that an earlier reading found it to get."""
    asked = reader.session.items.get((origin, "shape"), own)
    return of_pools(reader, asked) if isinstance(asked, Template) else asked


def _leaves(reader: Reader, content: Table, item: Abstract) -> list[Abstract]:
    """What an item holds, in the order of the columns."""
    found: list[Abstract] = []
    if not flat(reader, content.shape, item, found) or not all(map(is_leaf, found)):
        content.columns[0].put.add(None)
        _ask_for_other_shape(reader, content, item)
        raise refused_beside(reader, reader.unsupported(f"{_OTHER}: {describe(reader, item)} among others", "items of one structure, or one list for each number or array"), content.shape, item)
    keep(reader, item)
    return _as_held(reader, found, content.columns)


def _nothing(reader: Reader, type_: Array) -> Abstract:
    """What a column of numbers or arrays holds where none is."""
    return new_array(reader, zeros(reader.builder, type_).atom) if type_.shape else kinds_of_items.nothing(type_)


def _as_held(reader: Reader, leaves: list[Abstract], columns: Sequence[Grown]) -> list[Abstract]:
    """What the columns hold of an item's leaves: of arrays of several sizes where they stand, something of its type of what is not there."""
    stand = {leaf: iter(ragged.laid_down(reader, leaf)) for leaf in dict.fromkeys(leaf for leaf in leaves if isinstance(leaf, ragged.Part))}
    return [
        next(stand[leaf]) if isinstance(leaf, ragged.Part) else _nothing(reader, column.item_type) if leaf is ABSENT else leaf
        for leaf, column in zip(leaves, columns, strict=True)
    ]


def _ask_for_other_shape(reader: Reader, content: Table, item: Abstract) -> None:
    """Have the list made again with items of a shape that has room for this one, too: None beside tuples or numbers."""
    joined = joined_shape(content.shape, shape_of_value(reader, item, []), mixed=True)
    new = template_in(reader, (item,), numbered(joined, itertools.count())) if isinstance(joined, Shape) else None
    if new is not None:
        ask_for(reader, content, new)


def _ask_beside_numbers(reader: Reader, content: Grown, item: Abstract) -> None:
    """The same, of a list of numbers that gets something else."""
    held = content.item_type
    if content.origin is None or content.row is not None or held.shape or is_atom(item) or is_number(item) or isinstance(item, View):
        return
    content.put.add(None)
    joined = joined_shape(0, shape_of_value(reader, item, []), mixed=True)
    new = template_in(reader, (item,), numbered(joined, itertools.count())) if isinstance(joined, Shape) else None
    if new is None:
        return
    own = types_as(new.shape, 0, (held,))
    types = (one if two is None else growing.joined_type(reader, content, two, one) for one, two in zip(new.types, own, strict=True))
    raise OtherItems((content.origin, "shape"), Template(new.shape, tuple(types)), reader.builder.where)


def ask_for(reader: Reader, content: Table, new: Template) -> None:
    """The same: of this shape."""
    origin = content.columns[0].origin
    if not isinstance(origin, tuple) or new.shape == content.shape:
        return
    held = types_as(new.shape, content.shape, content.template.types)
    types = (one if two is None else growing.joined_type(reader, content.columns[0], two, one) for one, two in zip(new.types, held, strict=True))
    raise OtherItems((origin[0], "shape"), Template(new.shape, tuple(types)), reader.builder.where)


def types_as(shape: int | Shape, own: int | Shape, types: tuple[Array, ...]) -> list[Array | None]:
    """The types of the columns of items of a shape, as a list of another one has them; None of those that it has not."""
    if isinstance(shape, int):
        return [types[own] if isinstance(own, int) else None]
    if is_several(shape):
        return _types_of_alternatives(shape, own, types)
    if is_optional(shape) and not is_optional(own) and (len(shape.parts) > 1 or not isinstance(own, int)):
        return [None, *types_as(shape.parts[1], own, types)]
    if isinstance(own, int):
        return [None] * len(columns_of(shape))
    if is_optional(shape) and there_in(own) is None:
        return [None] * len(columns_of(shape))
    return [each for part, other in zip(shape.parts, own.parts, strict=True) for each in types_as(part, other, types)]


def _types_of_alternatives(shape: Shape, own: int | Shape, types: tuple[Array, ...]) -> list[Array | None]:
    """The same, of items that are of several kinds."""
    held, _ = alternatives_in(own)
    found: list[Array | None] = [None]
    for each in alternatives_in(shape)[0]:
        other = next((one for one in held if signature(one) == signature(each)), None)
        found += [None] * len(columns_of(each)) if other is None else types_as(each, other, types)
    return found


def keep(reader: Reader, item: Abstract) -> None:
    """What is in a list is a copy there: neither it nor the copy may change."""
    if isinstance(item, tuple):
        for part in item:
            keep(reader, part)
    elif isinstance(item, ListRef | DictRef | ObjectRef):
        content = reader.heap[item]
        item.owner = item.owner or IN_A_LIST
        note_kept(reader, item)
        for part in content.values() if isinstance(content, dict) else content if isinstance(content, tuple) else ():
            keep(reader, part)


def note_kept(reader: Reader, *items: Abstract) -> None:
    """Note where lists and dicts were made that are in a list of run-time length, or will be in the next reading."""
    for item in items:
        if isinstance(item, ListRef):
            reader.session.kept.update(item.origins)
        elif isinstance(item, DictRef):
            reader.session.kept_dicts.update(item.origins)
            reader.session.kept_tables.update(item.tables)


def append(reader: Reader, content: Grown, item: Abstract) -> None:
    """Put one more item at the end."""
    if not isinstance(content, Table):
        _ask_beside_numbers(reader, content, item)
        growing.append(reader, content, item)
        return
    for column, leaf in zip(content.columns, _leaves(reader, content, item), strict=True):
        growing.put(reader, column, leaf)
    reader.heap[content.counter] = sizes.plus(reader.builder, content.end, 1)


def item_at(reader: Reader, content: Grown, key: Abstract) -> Abstract:
    """content[key]."""
    if not isinstance(content, Table):
        return growing.item_at(reader, content, key)
    if isinstance(key, slice):
        return _part(reader, content, key)
    return _item(reader, content, position_in(reader, content.length, key, "list index out of range"))


def _part(reader: Reader, content: Table, key: slice) -> ListRef:
    parts = []
    for column in content.columns:
        part = reader.heap[growing.item_at(reader, column, key)]
        assert isinstance(part, Grown)
        parts.append(part)
    counter = parts[0].counter
    ref = ListRef()
    columns = tuple(Grown(reader, part.cell, counter, part.weak, None, part.kinds, may_lack_room=True) for part in parts)
    reader.heap[ref] = made_table(reader, counter, content.shape, columns, None)
    return ref


def _item(reader: Reader, content: Table, position: Atom) -> Abstract:
    return _made(reader, content.shape, _held(reader, content, content.shape, position))


def part_of_item(reader: Reader, content: Table, position: Atom, place: int) -> Abstract:
    """The part at a place of the tuple at a position, which there is; the other columns are not looked at."""
    part = content.shape.parts[place]
    return _made(reader, part, _held(reader, content, part, position))


def _held(reader: Reader, content: Table, part: int | Shape, position: Atom) -> list[Abstract]:
    """What the columns of this part hold at a position; None of the others. Which of several kinds an item is has one name: a test of it holds for what is taken behind it."""
    numbers, kinds = columns_of(part), _kinds_in(part)
    held: list[Abstract] = [None] * len(content.columns)
    for number, column in enumerate(content.columns):
        key = ("kind of item", column.array, column.start, position)
        if number not in numbers:
            continue
        held[number] = reader.builder.numbered[key] if number in kinds and key in reader.builder.numbered else growing.item_of(reader, column, position)
        if number in kinds:
            reader.builder.numbered[key] = held[number]
    return held


def _kinds_in(shape: int | Shape) -> frozenset[int]:
    """The columns that say which of several kinds a part of an item is."""
    if isinstance(shape, int):
        return frozenset()
    own = columns_of(shape.parts[0]) if shape.kind is OneOf else frozenset[int]()
    return own.union(*map(_kinds_in, shape.parts))


def _made(reader: Reader, shape: int | Shape, leaves: list[Abstract]) -> Abstract:
    """An item, of what it holds."""
    if isinstance(shape, int):
        return leaves[shape]
    parts = [_made(reader, part, leaves) for part in shape.parts]
    if shape == NOTHING:
        return None
    if shape.kind is OneOf:
        return kinds_of_items.made(reader, shape, parts)
    if shape.kind is Pooled:
        assert shape.keys is not None
        found = Pooled(shape.keys[0], parts[0])
        return pooled_arrays.row_of(reader, found) if found.pool.kind is np.ndarray else found
    if shape.kind is Lengths:
        assert shape.keys is not None
        return ragged.array_at(reader, shape.keys[0], parts[0], tuple(parts[1:]))
    if shape.kind is Text:
        assert shape.keys is not None
        return Text(shape.keys[0], tuple(parts))
    if issubclass(shape.kind, tuple):
        return shape.kind(*parts) if hasattr(shape.kind, "_fields") else tuple(parts)
    if shape.keys is None:
        ref: Any = reader.new_list(parts)
        ref.origins = frozenset(reader.session.kept)
    elif issubclass(shape.kind, dict):
        ref = reader.new_dict(dict(zip(shape.keys, parts, strict=True)), shape.kind)
        if all(isinstance(key, str) for key in shape.keys):
            ref.origins = frozenset(reader.session.kept_dicts)
        else:
            ref.tables = frozenset(reader.session.kept_tables)
    else:
        ref = ObjectRef(kind=shape.kind)
        reader.heap[ref] = dict(zip(shape.keys, parts, strict=True))
    ref.owner = IN_A_LIST
    return ref


def pop(reader: Reader, content: Grown) -> Abstract:
    """Take the last item off."""
    position = position_in(reader, content.length, -1, "pop from empty list")
    item = _item(reader, content, position) if isinstance(content, Table) else growing.item_of(reader, content, position)
    reader.heap[content.counter] = sizes.minus(reader.builder, content.end, 1)
    return item


def pop_first(reader: Reader, content: Grown) -> Abstract:
    """Take the first item of a deque off."""
    assert content.first is not None
    item = item_at(reader, content, 0)
    reader.heap[content.first] = sizes.plus(reader.builder, content.start, 1)
    return item


def items_iteration(reader: Reader, content: Grown) -> Any:
    """How to loop over the items."""
    if not isinstance(content, Table):
        return growing.items_iteration(reader, content)
    return growing.iteration_by(reader, content, lambda index: _item(reader, content, index))


def store_item(reader: Reader, content: Grown, key: Abstract, item: Abstract) -> None:
    """content[key] = item."""
    if not isinstance(content, Table):
        growing.store_item(reader, content, key, item)
        return
    if isinstance(key, slice):
        raise reader.unsupported("a store into a part of a list whose length is known only at run time", "a loop over the list")
    store_at(reader, content, key, item, checked=False)


def store_at(reader: Reader, content: Grown, key: Abstract, item: Abstract, *, checked: bool = True) -> None:
    """The same, at a position that surely is there (`checked`)."""
    columns = content.columns if isinstance(content, Table) else (content,)
    leaves = _leaves(reader, content, item) if isinstance(content, Table) else [item]
    for column, leaf in zip(columns, leaves, strict=True):
        growing.check_item(reader, column, leaf)
    position = key if checked else position_in(reader, content.length, key, "list assignment index out of range")
    for column, leaf in zip(columns, leaves, strict=True):
        growing.put_at(reader, column, position, leaf)


def store_part(reader: Reader, content: Table, position: Atom, place: int, value: Abstract) -> None:
    """Store into the part at a place of the tuple at a position, which there is."""
    part, leaves = content.shape.parts[place], list[Abstract]()
    if not flat(reader, part, value, leaves) or not all(map(is_leaf, leaves)):
        _ask_for_other_part(reader, content, place, value)
        raise reader.unsupported(f"{describe(reader, value)} as an attribute that is of another kind in other objects", "one kind of value")
    columns = [content.columns[number] for number in sorted(columns_of(part))]
    leaves = _as_held(reader, leaves, columns)
    for column, leaf in zip(columns, leaves, strict=True):
        growing.check_item(reader, column, leaf)
    for column, leaf in zip(columns, leaves, strict=True):
        growing.put_at(reader, column, position, leaf)


def _ask_for_other_part(reader: Reader, content: Table, place: int, value: Abstract) -> None:
    """Have the list made again with tuples of a shape that has room for this part, too."""
    parts, types = content.shape.parts, content.template.types
    own, joined = parts[place], joined_shape(parts[place], shape_of_value(reader, value, []), mixed=True)
    new = template_in(reader, (value,), numbered(joined, itertools.count())) if isinstance(joined, Shape) else None
    if new is None:
        return
    shape = numbered(replace(content.shape, parts=(*parts[:place], new.shape, *parts[place + 1 :])), itertools.count())
    first = min(columns_of(own))
    ask_for(reader, content, Template(shape, (*types[:first], *new.types, *types[first + len(columns_of(own)) :])))


def item_of(reader: Reader, content: Grown, position: Atom) -> Abstract:
    """The item at a position, which there is."""
    return _item(reader, content, position) if isinstance(content, Table) else growing.item_of(reader, content, position)


def is_table(reader: Reader, value: Abstract) -> bool:
    """Whether it is a list of tuples, lists or objects, of run-time length."""
    return isinstance(value, ListRef) and isinstance(reader.heap[value], Table)


__all__ = ["any_length", "append", "as_tuple", "begun", "fill", "filled", "is_fixed", "is_table", "item_at", "items_iteration", "keep", "list_of_pooled", "note_kept", "pop", "pop_first", "repeated", "store_item", "table"]
