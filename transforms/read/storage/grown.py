"""What the heap holds for a list whose length is known only at run time (`growing.py` makes and changes it)."""
from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any, NoReturn

from s2s.records import dataclass, field
from s2s.transforms.primitives.indexing import Full, Span, getitem
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, Cell
from s2s.types import Array, Atom, atom_dim, size_literal


@dataclass(frozen=True)
class Row:
    """What an item is where the array has rows for tuples or lists: `kind` of them, and whether what they hold are Python's numbers. `alike`: what
    they hold is of one type, so that it can be taken out of the array again.
    """

    kind: str
    weak: bool
    alike: bool


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
    row: Row | None = None
    may_lack_room: bool = False
    """The array may have no elements: there is room for as many items as there were at first."""

    @property
    def array(self) -> Atom:
        return self.reader.heap[self.cell]

    @property
    def length(self) -> Atom:
        return self.reader.heap[self.counter]

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

    def __len__(self) -> int:  # noqa: PLE0303 - it always raises
        self._unknown()

    def __getitem__(self, key: Any) -> Abstract:
        self._unknown()


def as_array(reader: Reader, content: Grown) -> Value:
    """The items as an array."""
    array = reader.value(content.array)
    if array.shape[0] is atom_dim(content.length):
        return array
    index = (Span(1), *(Full() for _ in array.shape[1:]))
    return getitem(array, reader.value(size_literal(0)), reader.value(content.length), index=index)
