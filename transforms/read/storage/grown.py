"""What the heap holds for a list whose length is known only at run time (`growing.py` makes and changes it)."""
from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any, ClassVar, NoReturn

import numpy as np

from s2s.records import dataclass, field
from s2s.transforms.primitives import sizes
from s2s.transforms.primitives.indexing import Full, Span, getitem
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.numpy import joining, search
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import cast
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, Cell, Pooled
from s2s.types import Array, Atom, atom_dim, promote, size_literal


@dataclass(frozen=True)
class Row:
    """What an item is where the array has rows for tuples or lists: `kind` of them, and whether what they hold are Python's numbers. `alike`: what
    they hold is of one type, so that it can be taken out of the array again. `origins`: where the lists were made.
    """

    kind: str
    weak: bool
    alike: bool
    origins: frozenset[Any] = frozenset()


@dataclass(frozen=True, eq=False)
class Grown:
    """What the heap holds for such a list: two storages, of the array and of the length. `weak`: items are Python numbers.

    `origin`: where it is made (None: unknown), for one that may be made again with items of another type.
    """

    reader: Reader
    cell: Cell
    counter: Cell
    weak: bool
    origin: Hashable
    kinds: set[bool] = field(default_factory=set)
    """Of numbers that were put in: whether they are arrays without axes (`zero_dim.kinds`)."""
    taken: set[bool] = field(default_factory=set)
    """What items were taken for."""
    members: set[bool] = field(default_factory=set)
    """Whether items are members of an enumeration (`zero_dim.is_member`)."""
    put: set[Array | None] = field(default_factory=set)
    """The types of the numbers, or of the elements of the arrays, that were put in behind the others; None of what does not fit in."""
    row: Row | None = None
    may_lack_room: bool = False
    """The array may have no elements: there is room for as many items as there were at first."""
    first: Cell | None = None
    """Of a deque, where its first item stands (else in front)."""

    @property
    def array(self) -> Atom:
        return self.reader.heap[self.cell]

    @property
    def storages(self) -> tuple[Cell, ...]:
        """Where its items are."""
        return (self.cell,)

    @property
    def start(self) -> Atom:
        """Where the first item stands."""
        return size_literal(0) if self.first is None else self.reader.heap[self.first]

    @property
    def end(self) -> Atom:
        """Where the next item is put."""
        return self.reader.heap[self.counter]

    @property
    def length(self) -> Atom:
        return self.end if self.first is None else sizes.minus(self.reader.builder, self.end, self.start)

    @property
    def item_type(self) -> Array:
        """What its items are."""
        array = self.array.type
        return Array(array.dtype, array.shape[1:], self.weak and not array.shape[1:], True in self.kinds)

    def _unknown(self) -> NoReturn:
        raise self.reader.unsupported(
            "this use of a list whose length is known only at run time", "np.array(…) of the list, an index, len, append or a loop over it"
        )

    def __iter__(self) -> Iterator[Abstract]:
        self._unknown()

    def __mul__(self, count: Any) -> Any:
        self._unknown()

    __rmul__ = __add__ = __radd__ = __mul__

    def __len__(self) -> int:  # noqa: PLE0303 - it always raises
        self._unknown()

    def __getitem__(self, key: Any) -> Abstract:
        self._unknown()


class Lengths:
    """The kind of a part of an item that is an array of a length of its own, and of the pool of such: parts of one long array (`ragged.py`)."""


@dataclass(frozen=True)
class Shape:
    """What items of a list have in common that are tuples, lists, dicts or objects: their class, the keys of what they hold, and of each part its
    shape: the number of its column, or a `Shape` again. `kind`: the class of a tuple or object, `list`, `dict`.
    """

    kind: type
    keys: tuple[Any, ...] | None
    parts: tuple[int | Shape, ...]


def pools_in(shape: int | Shape) -> Iterator[tuple[int, Any]]:
    """The columns of a list that hold numbers of lists or objects, and the pools of these."""
    if isinstance(shape, Shape) and shape.kind is Pooled:
        assert shape.keys is not None
        assert isinstance(shape.parts[0], int)
        yield shape.parts[0], shape.keys[0]
    elif isinstance(shape, Shape):
        for part in shape.parts:
            yield from pools_in(part)


@dataclass(frozen=True)
class Template:
    """Items of one shape, and the types of their columns."""

    shape: Shape
    types: tuple[Array, ...]
    words: ClassVar[str] = "None, or tuples"


@dataclass(frozen=True, eq=False)
class Table(Grown):
    """A list of tuples, lists or objects of one shape: a growing array for each number or array that they hold. All have one length."""

    shape: Shape = field(kw_only=True)
    columns: tuple[Grown, ...] = field(kw_only=True)

    @property
    def array(self) -> Atom:
        self._unknown()

    @property
    def item_type(self) -> Array:
        self._unknown()

    @property
    def storages(self) -> tuple[Cell, ...]:
        return tuple(column.cell for column in self.columns)

    @property
    def template(self) -> Template:
        return Template(self.shape, tuple(column.item_type for column in self.columns))


def as_array(reader: Reader, content: Grown) -> Value:
    """The items as an array."""
    if isinstance(content, Table):
        return _stacked(reader, content)
    array = reader.value(content.array)
    if content.first is None and array.shape[0] is atom_dim(content.length):
        return array
    index = (Span(1), *(Full() for _ in array.shape[1:]))
    return getitem(array, reader.value(content.start), reader.value(content.length), index=index)


def _stacked(reader: Reader, content: Table) -> Value:
    """What NumPy makes of a list of tuples or lists of numbers, or of arrays: a row for each."""
    with building(reader.builder):
        return _part(reader, content, content.shape)


def _part(reader: Reader, content: Table, part: int | Shape) -> Value:
    """One part of each item, as an array with a row for each."""
    if isinstance(part, int):
        return as_array(reader, content.columns[part])
    if part.kind is Pooled:
        return _rows_of_pool(reader, content, part)
    if issubclass(part.kind, tuple | list):
        parts = [_part(reader, content, each) for each in part.parts]
        if parts and all(each.ndim == parts[0].ndim for each in parts):
            common = promote([Array(each.dtype) for each in parts]).dtype
            return joining.stack([cast(each, common) for each in parts], axis=1)
    raise _no_array(reader)


def _rows_of_pool(reader: Reader, content: Table, part: Shape) -> Value:
    """The arrays of which only the run knows which ones they are, one behind the other."""
    assert part.keys is not None
    assert isinstance(part.parts[0], int)
    (pool,) = part.keys
    held = reader.heap[pool.rows]
    if pool.kind is not np.ndarray or not isinstance(held, Grown):
        raise _no_array(reader)
    return search.take(as_array(reader, held), as_array(reader, content.columns[part.parts[0]]), 0)


def _no_array(reader: Reader) -> Exception:
    return reader.unsupported("an array of a list of such items, whose length is known only at run time", "one list for each number or array")
