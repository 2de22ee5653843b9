"""Lists whose length is known only at run time: an array of a capacity that doubles, and how much of it is used.

    values = []                     array, length = zeros(8), 0
    for v in x:                     for v in x, array, length:
        if v > 0:                       if v > 0: array = grow(array, …); array[length] = v; length += 1
            values.append(v)
    np.array(values)                array[:length]

Items are copied in and out. An array that was put in and is written to later, while the list, a copy or part of it, or an item of it is
still in use, is refused: Python's would see the change.
"""
from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Protocol

import numpy as np

from s2s.errors import UnknownSizeError
from s2s.records import replace
from s2s.transforms.primitives import sizes
from s2s.transforms.primitives.arithmetic import greater_equal, less, select
from s2s.transforms.primitives.indexing import At, Full, getitem, grow, setitem
from s2s.transforms.primitives.value import Value, zeros
from s2s.transforms.read.describing import describe
from s2s.transforms.read.failures import ChangedMeanwhile, OtherItems, OtherSizes
from s2s.transforms.read.iterations import Iteration
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import agreed, cast, marked, retyped
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.state import Branch
from s2s.transforms.read.storage.access import load, new_array, shape_of, store_view
from s2s.transforms.read.storage.cells import note_made_of
from s2s.transforms.read.storage.grown import Grown, Row, as_array
from s2s.transforms.read.storage.kinds_of_items import nothing
from s2s.transforms.read.storage.plans import of_any_length, refused_at
from s2s.transforms.read.values import Abstract, Cell, ListRef, View, is_atom, is_long, is_number, scalar_type
from s2s.transforms.read.wrapping import as_atom, as_size, unwrap_atom
from s2s.transforms.read.zero_dim import is_member, kinds
from s2s.types import (
    BOOL,
    COMPLEX128,
    FLOAT64,
    INT64,
    SIZE,
    SUPPORTED_DTYPES,
    Array,
    Atom,
    Dim,
    Literal,
    Var,
    atom_dim,
    dim_atom,
    is_whole,
    promote,
    size_literal,
)

_SMALL = tuple(dtype.name for dtype in SUPPORTED_DTYPES if dtype not in (BOOL, INT64, FLOAT64, COMPLEX128))
"""A list of these and of Python's own numbers is an array of wider ones in NumPy: which it is depends on the items left."""
IN_A_LIST = "a list in a list whose length is known only at run time"
CAPACITY = 8
"""Items for which there is room at first."""


def item_type(reader: Reader, items: Any) -> Array | None:
    """The type that holds all of these items; None if there is none (no items, containers, arrays of several shapes)."""
    types = []
    for item in items:
        if is_atom(item) or is_number(item):
            types.append(scalar_type(item))
        elif isinstance(item, View):
            types.append(load(reader, item).type)
        else:
            return None
    if not types or any(len(type_.shape) != len(types[0].shape) for type_ in types):
        return None
    if any(not reader.builder.same_size(a, b) for type_ in types for a, b in zip(type_.shape, types[0].shape, strict=True)):
        return None
    common = promote([Array(type_.dtype, (), type_.weak) for type_ in types])
    boxed = not types[0].shape and any(True in kinds(reader, item) for item in items)
    return Array(common.dtype, types[0].shape, common.weak and not types[0].shape, boxed)


def grown(reader: Reader, items: tuple[Abstract, ...], type_: Array, *, room: int = CAPACITY, origin: Hashable = None, row: Row | None = None, counter: Cell | None = None, first: Cell | None = None) -> Grown:
    """A list's items as a growing array of this type of items, with room for so many at least. `origin`, `first`: as in Grown; `counter`: that of another one, too."""
    type_ = type_ if type_.shape else type_at(reader, origin, type_)
    content = Grown(reader, Cell("items", of_list=True), counter or Cell("count"), type_.weak, origin, {True} if type_.boxed else set(), row=row, first=first)
    reader.heap[content.cell] = zeros(reader.builder, Array(type_.dtype, (max(room, len(items)), *type_.shape))).atom
    if counter is None:
        reader.heap[content.counter] = Literal(0, Array(INT64, weak=True))
        if first is not None:
            reader.heap[first] = size_literal(0)
    for item in items:
        append(reader, content, item)
    return content


def type_at(reader: Reader, origin: Hashable, type_: Array) -> Array:
    """The type of the items of a list that is made there of items of this type: that of all that an earlier reading found it to get, too. In another call of
    the function it may have been made of others.
    """
    other = reader.session.items.get(origin)
    return type_ if other is None else promote([type_, other])


def append(reader: Reader, content: Grown, item: Abstract) -> None:
    """Put one more item at the end."""
    append_item(reader, content, item if content.row is None else _as_row(reader, content, content.row, item))


def _as_row(reader: Reader, content: Grown, row: Row, item: Abstract) -> Abstract:
    """A tuple as a row of a list of such tuples."""
    array = reader.value(content.array)
    own = Array(array.dtype, (), row.weak)
    fits = row.kind == "tuple" and row.alike and type(item) is tuple and len(item) == array.shape[1]
    if not fits or not all((is_atom(each) or is_number(each)) and scalar_type(each) == own for each in item):
        raise reader.unsupported(f"append of {describe(reader, item)} to a list of tuples or lists whose length is known only at run time", f"a tuple of {own.words}, one list for each number, or an array")
    return reader.rules.call(np.array, (item,))


def append_item(reader: Reader, content: Grown, item: Abstract) -> None:
    """The same; a tuple or list as a row."""
    put(reader, content, item)
    reader.heap[content.counter] = sizes.plus(reader.builder, content.end, 1)


def put(reader: Reader, content: Grown, item: Abstract) -> None:
    """Store an item behind the last one; it is not counted yet."""
    builder = reader.builder
    array = reader.value(content.array)
    if isinstance(item, View):
        note_copy(reader, content.cell, item.cell)
    elif not (is_atom(item) or is_number(item)):
        content.put.add(None)
        raise reader.unsupported(f"{describe(reader, item)} in a list that grows in a run-time loop", "one list for each number or array")
    value = load(reader, item) if isinstance(item, View) else reader.value(as_atom(reader, item))
    _note_kinds(reader, content, item)
    own, new = Array(array.dtype, (), content.weak), Array(value.dtype, (), value.type.weak)
    content.put.add(new if value.ndim == array.ndim - 1 else None)
    common = promote([own, new])
    if value.ndim == 0 and array.ndim == 1 and content.origin is not None and common != own:
        note_other(reader, content, joined_type(reader, content, own, value.type))
        value, common = reader.value(nothing(own)), own
    if common.dtype != array.dtype or value.ndim != array.ndim - 1 or (content.weak and not common.weak):
        raise reader.unsupported(f"items of several types in a list that grows ({array.type.with_shape(array.shape[1:]).words}, {value.type.words})", "one type of items")
    capacity, end = dim_atom(array.shape[0]), content.end
    if isinstance(end, Literal) and isinstance(capacity, Literal) and end.value < capacity.value:  # type: ignore[operator]
        put_at(reader, content, end, item, from_start=False)
        return
    full = greater_equal(reader.value(end), reader.value(capacity))
    doubled = sizes.times(builder, capacity, 2)
    doubled = sizes.plus(builder, doubled, CAPACITY) if content.may_lack_room else doubled
    larger = select(full, reader.value(doubled), reader.value(capacity))
    builder.know_size(larger.atom)
    index = (At(), *(Full() for _ in array.shape[1:]))
    with building(builder):
        fitted = fitting(reader, cast(value, array.dtype), array.shape[1:])
        reader.heap[content.cell] = setitem(grow(array, larger, zeros=False), fitted, reader.value(end), index=index).atom


def note_copy(reader: Reader, to: Cell, of: Cell) -> None:
    """Note that a storage holds a copy of another one's array, which Python would not have made."""
    note_made_of(reader, to, of)
    to.sites |= of.sites or frozenset((None,))


def fitting(reader: Reader, value: Value, shape: tuple[Dim, ...]) -> Value:
    """An array that becomes an item, with the shape of the others; a Check where only the run knows that it has it."""
    for own, other in zip(value.shape, shape, strict=True):
        what = "arrays of several shapes in a list whose length is known only at run time"
        is_stack = bool(reader.frame.tree.given)  # of a function that calls itself: call by call its sizes may be known
        if isinstance(own, int) and isinstance(other, int) and own != other or is_stack and not reader.builder.same_size(own, other):
            raise of_any_length(reader, reader.unsupported(what, "one array of the largest shape, or a list of a known length"), (value.type,))
        dims = (dim_atom(own), dim_atom(other))
        agreed(reader.builder, (other, own), f"{what} (sizes {{}} and {{}})", dims, stretch=True, exception="NotImplementedError")
    return retyped(value, shape)


def _note_kinds(reader: Reader, content: Grown, item: Abstract) -> None:
    content.kinds.update(kinds(reader, item))
    if is_member(reader, item):
        if content.taken and not content.members:
            raise reader.unsupported("a list that gets a member of an enumeration after one of its items was read", "int(…) of the member")
        content.members.add(True)
    if content.taken and not content.kinds <= content.taken:
        raise reader.unsupported("a list that gets numbers and arrays without axes, after one of its items was read", "items of one kind: np.float64(…) of each")


def item_at(reader: Reader, content: Grown, key: Abstract) -> Abstract:
    """content[key]."""
    if isinstance(key, slice):


        if True in content.kinds:
            raise reader.unsupported("a part of a list of arrays without axes whose length is known only at run time", "np.array(…) of the list, or np.float64(…) of its items")
        if content.row is not None and content.row.kind != "tuple":  # the same lists would stand in both
            error = reader.unsupported("a part of a list of lists whose length is known only at run time", "np.array(…) of the list")
            raise refused_at(reader, error, content.row.origins)
        items = new_array(reader, as_array(reader, content).atom)
        note_copy(reader, items.cell, content.cell)
        return listed(reader, reader.rules.item(items, key), weak=content.weak, row=content.row)
    return item_of(reader, content, position_in(reader, content.length, key, "list index out of range"))


def position_in(reader: Reader, count: Atom, key: Abstract, message: str) -> Atom:
    """Where an index into `count` items points to, checked."""
    builder = reader.builder
    position = as_size(reader, key, "an index of a list")
    if isinstance(position, Literal) and position.value < 0:  # type: ignore[operator]
        position = sizes.plus(builder, count, position)
    elif not builder.proves_at_least(position, 0):
        taken = ("position", count, position)
        if taken not in builder.numbered:
            negative = less(reader.value(position), reader.value(size_literal(0)))
            wrapped = sizes.plus(builder, count, position)
            builder.numbered[taken] = select(negative, reader.value(wrapped), reader.value(position)).atom
        position = builder.numbered[taken]
    for low, high in ((size_literal(0), position), (sizes.plus(builder, position, 1), count)):
        if not builder.proves_at_least(high, low):
            fits = greater_equal(reader.value(high), reader.value(low))
            builder.check(fits.atom, "IndexError", message)
    return position


def item_of(reader: Reader, content: Grown, position: Atom) -> Abstract:
    """The item at a position, which there is."""
    array = reader.value(content.array)
    if content.first is not None:
        position = sizes.plus(reader.builder, content.start, position)
    index = (At(), *(Full() for _ in array.shape[1:]))
    value = getitem(array, reader.value(position), index=index)
    if value.ndim:
        view = new_array(reader, value.atom)
        view.cell.frozen = True
        note_copy(reader, view.cell, content.cell)
        return view if content.row is None else _of_row(reader, view, content.row)
    content.taken.update(content.kinds or {False})
    if content.kinds == {True}:
        view = new_array(reader, value.atom)
        view.cell.frozen = True
        return view
    found = unwrap_atom(reader, marked(value, weak=content.weak).atom)
    if isinstance(found, Var):
        reader.session.taken_of[found] = content.cell, content.end
    if True in content.kinds:
        reader.session.either.add(found)
    if content.members:
        reader.session.members.add(found)
    return found


def _of_row(reader: Reader, view: View, row: Row) -> Abstract:
    """A row as the tuple or list that it stands for."""
    (length,) = shape_of(reader, view) if row.alike else (None,)
    if length is None:
        raise reader.unsupported("an item of a list of tuples or lists of several types whose length is known only at run time", "one list for each of them, or np.array(…) of the list")
    if not isinstance(length, int):
        ref = listed(reader, view, weak=row.weak)
        ref.owner, ref.origins = IN_A_LIST, row.origins
        return ref
    items = [unwrap_atom(reader, marked(reader.value(as_atom(reader, reader.rules.item(view, k))), weak=row.weak).atom) for k in range(length)]
    if row.kind == "tuple":
        return tuple(items)
    found = reader.new_list(items)
    found.owner, found.origins = IN_A_LIST, row.origins
    return found


def items_iteration(reader: Reader, content: Grown) -> Any:
    """How to loop over the items."""
    return iteration_by(reader, content, lambda index: item_of(reader, content, index))


def iteration_by(reader: Reader, content: Grown, item: Callable[[Atom], Abstract]) -> Iteration:
    """A loop over as many items as there are now: Python's would go on to those that are put in meanwhile."""
    begun = content.start, content.end

    def at(index: Atom) -> Abstract:
        if any(now is not before for now, before in zip((content.start, content.end), begun, strict=True) if not isinstance(now, Literal)):
            raise ChangedMeanwhile(reader, content)
        return item(index)

    views = tuple(View(cell) for cell in content.storages)
    return Iteration(None, size_literal(0), content.length, size_literal(1), at, None, views)


def store_item(reader: Reader, content: Grown, key: Abstract, item: Abstract) -> None:
    """content[key] = item."""
    if isinstance(key, slice):
        raise reader.unsupported("a store into a part of a list whose length is known only at run time", "an array (np.zeros(n)) instead of the list")
    check_item(reader, content, item)
    put_at(reader, content, position_in(reader, content.length, key, "list assignment index out of range"), item)


def check_item(reader: Reader, content: Grown, item: Abstract) -> None:
    """Refuse to store what is not of the list's type, or ask for another reading with items of the type of both."""
    array = reader.value(content.array)
    if array.ndim > 1 and isinstance(item, View) and content.row is None:
        type_ = load(reader, item).type
        dims = list(zip(type_.shape, array.shape[1:], strict=False))
        if type_.dtype == array.dtype and len(type_.shape) == array.ndim - 1 and all(reader.builder.same_size(a, b) for a, b in dims):
            note_copy(reader, content.cell, item.cell)
            return
        if len(type_.shape) == array.ndim - 1 and any(isinstance(dim, Var) for pair in dims for dim in pair):
            raise OtherSizes("arrays in one list whose sizes may be others", where=reader.builder.where, instead="arrays of one size, or an array (np.zeros(n)) instead of the list")
    if array.ndim > 1 or not (is_atom(item) or is_number(item)):
        refusal = reader.unsupported("a store into a list whose length is known only at run time", "an array (np.zeros(n)) instead of the list")
        raise refusal if content.row is None or content.row.kind != "list" else refused_at(reader, refusal, content.row.origins)
    own = Array(array.dtype, (), content.weak)
    joined = joined_type(reader, content, own, scalar_type(item))
    if joined != own:
        note_other(reader, content, joined)
    _note_kinds(reader, content, item)


def note_other(reader: Reader, content: Grown, joined: Array) -> None:
    """Have the list made again with items of this type; this reading goes on, as if the item had the list's: it finds what other lists get."""
    reader.errors.append(OtherItems(content.origin, joined, reader.builder.where))


def joined_type(reader: Reader, content: Grown, own: Array, new: Array) -> Array:
    """The type of the numbers of a list that is made again with room for one of another type; its own where it has that."""
    joined = promote([new if own.dtype == BOOL else own, own if new.dtype == BOOL else new])
    if joined != own and (content.origin is None or not (own.weak or own.dtype in (BOOL, new.dtype)) or joined.dtype.name in _SMALL):
        raise reader.unsupported(f"items of several types in a list ({own.words}, {new.words})", "an array (np.zeros(n, dtype)) instead of the list")
    return joined


def put_at(reader: Reader, content: Grown, position: Atom, item: Abstract, *, from_start: bool = True) -> None:
    """Store an item of the list's type at a position, which there is."""
    if isinstance(item, View):
        note_copy(reader, content.cell, item.cell)
    array = reader.value(content.array)
    position = sizes.plus(reader.builder, content.start, position) if from_start else position
    index = (At(), *(Full() for _ in array.shape[1:]))
    with building(reader.builder):
        fitted = fitting(reader, cast(load(reader, item), array.dtype), array.shape[1:]) if array.ndim > 1 else converted_item(reader, item, Array(array.dtype, (), content.weak))
        reader.heap[content.cell] = setitem(array, fitted, reader.value(position), index=index).atom


def fill_with(reader: Reader, content: Grown, item: Abstract, count: Atom) -> None:
    """Store one number at all places."""
    store_view(reader, View(content.cell), converted_item(reader, item, content.item_type).broadcast_to((atom_dim(count),), ()))


def repeated(reader: Reader, items: tuple[Abstract, ...], length: Atom, origin: Hashable) -> ListRef:
    """[number] * length, which is known at run time only."""
    type_ = item_type(reader, items)
    if len(items) != 1 or type_ is None or type_.shape:
        what = "repeating a list a run-time number of times is not supported"
        raise UnknownSizeError(what, where=reader.builder.where, instead="np.full(n, …)")  # the call knows a number that is a size
    type_ = type_at(reader, origin, type_)
    return filled_list(reader, length, type_, lambda content: fill_with(reader, content, items[0], length), origin)


def listed(reader: Reader, array: View, *, weak: bool, row: Row | None = None) -> ListRef:
    """An array's items as a list, of Python's own numbers (`weak`) or NumPy's; of tuples, where they stand in its rows."""
    content = Grown(reader, Cell("items", of_list=True), Cell("count"), weak, None, {False}, row=row, may_lack_room=True)
    loaded = load(reader, array)
    reader.heap[content.cell] = loaded.atom
    reader.heap[content.counter] = dim_atom(loaded.shape[0])
    note_copy(reader, content.cell, array.cell)
    ref = ListRef()
    reader.heap[ref] = content
    return ref


# ---- of another length on each path -----------------------------------------------------------------------------------------------

Content = Grown | tuple[Abstract, ...]


class Paths(Protocol):
    """What joins the values of two branches."""

    reader: Reader
    one: Branch
    two: Branch

    def content(self, a: Atom, b: Atom, name: str) -> Atom:
        """One array for two."""

    def add(self, a: Atom, b: Atom, name: str, type_: Array) -> Var:
        """A variable of this name that is a or b."""

    def is_outer(self, dim: Dim) -> bool:
        """Whether a size is known before the two branches."""

    def before(self, branch: Branch, atom: Atom) -> Atom | None:
        """What a branch computes, computed before the two; None where that can't be had."""


def unite(merge: Paths, a: Content, b: Content, count: Cell | None = None, first: Cell | None = None, origin: Hashable = None) -> Grown | None:
    """What a list holds behind both paths that holds `a` on the first and `b` on the second; None where the items have no common type. `count`: the
    length, where another list has it too. `origin`: where it is said to be made, of one that begins here.
    """
    reader = merge.reader
    types = [_type(reader, branch, content) for branch, content in ((merge.one, a), (merge.two, b))]
    type_ = common_type(reader, types)
    rows = [each.row if isinstance(each, Grown) else None for each in (a, b)]
    row = rows[1] if a == () else rows[0] if b == () else None  # beside a list of nothing, tuples stay tuples
    if type_ is None or any(isinstance(each, Grown) and (own != type_ or each.row != row) for each, own in zip((a, b), types, strict=True)):
        return None
    if None in types:  # the other path has no item yet: nor, perhaps, the sizes of one
        branch = merge.two if types[0] is None else merge.one
        type_ = sized_before(merge, branch, type_)
    type_ = type_ if type_.shape else type_at(reader, origin, type_)
    room = max(CAPACITY, 0, *(len(each) for each in (a, b) if isinstance(each, tuple)))
    one, two = (_array(reader, branch, content, type_, room, origin) for branch, content in ((merge.one, a), (merge.two, b)))
    counter = Cell("count") if count is None else count
    found = Grown(reader, Cell("items", of_list=True), counter, type_.weak, one.origin if one.origin == two.origin else None, one.kinds | two.kinds, row=row, members=one.members | two.members, may_lack_room=one.may_lack_room or two.may_lack_room, first=first)
    found.cell.sites = one.cell.sites | two.cell.sites
    reader.heap[found.cell] = merge.content(merge.one.state.heap[one.cell], merge.two.state.heap[two.cell], "items")
    if count is None:
        unite_counts(merge, found, one, two)
    for branch, items in ((merge.one, one), (merge.two, two)):
        for other in branch.state.aliases.get(items.cell, ()):
            note_made_of(reader, found.cell, other)
    return found


def sized_before(merge: Paths, branch: Branch, type_: Array) -> Array:
    """The type of items that one branch has, with sizes that are known before the two; 0 where that can't be had."""
    return replace(type_, shape=tuple(dim if merge.is_outer(dim) else atom_dim(merge.before(branch, dim_atom(dim)) or size_literal(0)) for dim in type_.shape))


def unite_counts(merge: Paths, found: Grown, one: Grown, two: Grown) -> None:
    """How many items there are, and where the first stands, behind both paths."""
    reader = merge.reader
    ends, starts = [], []
    for branch, content in ((merge.one, one), (merge.two, two)):
        with reader.inside(branch):
            ends.append(content.end)
            starts.append(content.start)
    reader.heap[found.counter] = merge.add(ends[0], ends[1], "count", SIZE)
    reader.builder.know_size(reader.heap[found.counter])
    if found.first is not None:
        reader.heap[found.first] = merge.add(starts[0], starts[1], "start", SIZE)
        reader.builder.know_size(reader.heap[found.first])


def _type(reader: Reader, branch: Branch, content: Content) -> Array | None:
    """The type of the items on a path; that of nothing is bool, which any other type holds."""
    with reader.inside(branch):
        return content.item_type if isinstance(content, Grown) else item_type(reader, content)


def common_type(reader: Reader, types: list[Array | None]) -> Array | None:
    """The type of items that holds those of both; None if there is none."""
    known = [type_ for type_ in types if type_ is not None]
    if not known or known[0].shape and any(not reader.builder.same_size(a, b) for a, b in zip(known[0].shape, known[-1].shape, strict=False)):
        return None
    if len(known[0].shape) != len(known[-1].shape):
        return None
    if len({type_.dtype == BOOL for type_ in known}) > 1:
        return None
    common = promote([Array(type_.dtype, (), type_.weak) for type_ in known])
    return Array(common.dtype, known[0].shape, common.weak and not known[0].shape, any(type_.boxed for type_ in known))


def _array(reader: Reader, branch: Branch, content: Content, type_: Array, room: int, origin: Hashable) -> Grown:
    with reader.inside(branch):
        return content if isinstance(content, Grown) else grown(reader, content, type_, room=room, origin=origin)


def converted_item(reader: Reader, item: Abstract, type_: Array) -> Value:
    """A number as an item of a list of this type."""
    if is_long(item) and type_.weak and is_whole(type_.dtype):
        raise reader.unsupported("an integer of more than 64 bits in a list whose length, or dict whose keys, only the run knows", "a float, or a list of a known length")
    with building(reader.builder):
        return cast(reader.value(as_atom(reader, item)), type_.dtype)


def filled_list(reader: Reader, count: Atom, type_: Array, fill: Callable[[Grown], None], origin: Hashable = None, row: Row | None = None) -> ListRef:
    """A list of `count` items, stored by `fill(content)`: a comprehension."""
    content = Grown(reader, Cell("items", of_list=True), Cell("count"), type_.weak, origin, {type_.boxed}, row=row, may_lack_room=True)
    reader.heap[content.cell] = zeros(reader.builder, Array(type_.dtype, (atom_dim(count), *type_.shape))).atom
    reader.heap[content.counter] = count
    fill(content)
    ref = ListRef()
    reader.heap[ref] = content
    return ref


__all__ = ["CAPACITY", "append", "append_item", "fill_with", "filled_list", "grown", "item_at", "item_type", "items_iteration", "joined_type", "listed", "note_copy", "position_in", "put_at", "repeated", "sized_before", "store_item", "type_at", "unite"]
