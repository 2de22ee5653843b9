"""Rows of a list of lists of run-time length, stored into where they stand: table[i][j] = value (`syntax/rows.py` says of which lists)."""
from __future__ import annotations

from s2s.records import dataclass
from s2s.transforms.primitives.indexing import At, getitem, setitem
from s2s.transforms.read.describing import describe
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import marked
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.growing import converted_item, item_of, joined_type, note_other, position_in
from s2s.transforms.read.storage.grown import Grown, Table
from s2s.transforms.read.values import Abstract, ListRef, StandIn, is_atom, is_number, scalar_type
from s2s.transforms.read.wrapping import unwrap_atom
from s2s.transforms.read.zero_dim import is_member, kinds
from s2s.types import Array, Atom, dim_atom


@dataclass(frozen=True, eq=False)
class RowPlace(StandIn):
    """A row of a list of lists, as what is stored into."""

    ref: ListRef
    position: Atom


def row_place(reader: Reader, ref: Abstract, key: Abstract) -> RowPlace | None:
    """Where ref[key] stands, if ref is a list of rows of numbers of one type and of run-time length."""
    content = reader.heap[ref] if isinstance(ref, ListRef) else None
    if not isinstance(content, Grown) or isinstance(content, Table) or content.row is None or not content.row.alike or content.row.kind != "list":
        return None
    if not (is_atom(key) or is_number(key)) or ref.owner is not None:
        return None
    return RowPlace(ref, position_in(reader, content.length, key, "list index out of range"))


def item_of_row(reader: Reader, place: RowPlace, key: Abstract) -> Abstract:
    """What stands there."""
    content = reader.heap[place.ref]
    if not (is_atom(key) or is_number(key)):
        return reader.rules.item(item_of(reader, content, place.position), key)
    array = reader.value(content.array)
    column = position_in(reader, dim_atom(array.shape[1]), key, "list index out of range")
    found = getitem(array, reader.value(place.position), reader.value(column), index=(At(), At()))
    return unwrap_atom(reader, marked(found, weak=content.row.weak).atom)


def store_into_row(reader: Reader, place: RowPlace, key: Abstract, item: Abstract) -> None:
    """Put another number there."""
    content = reader.heap[place.ref]
    if isinstance(key, slice):
        raise reader.unsupported("a store into a part of a list in a list whose length is known only at run time", "an array (np.zeros((n, m)))")
    if not (is_atom(item) or is_number(item)) or True in kinds(reader, item) or is_member(reader, item):
        raise reader.unsupported(f"a store of {describe(reader, item)} into a list in a list whose length is known only at run time", "an array (np.zeros((n, m)))")
    array = reader.value(content.array)
    column = position_in(reader, dim_atom(array.shape[1]), key, "list assignment index out of range")
    own = Array(array.dtype, (), content.row.weak)
    joined = joined_type(reader, content, own, scalar_type(item))
    if joined != own:
        note_other(reader, content, joined)
    with building(reader.builder):
        value = converted_item(reader, item, own)
        reader.heap[content.cell] = setitem(array, value, reader.value(place.position), reader.value(column), index=(At(), At())).atom


__all__ = ["RowPlace", "item_of_row", "row_place", "store_into_row"]
