"""`LoopLists`: the lists of one loop that grow in its trips, and are arrays from before it on.

    found = []                       first reading: found gets an f8, so that it must be an array before the loop
    for i in range(n):               second: found is an array of f8 and a count, which are carried, and so is the array's size
        found.append(x[i])

What such a list needs is carried before a reading has shown that (`expect`): else its count would be known in the next reading, and its size in the one
after that. In the next reading of a loop around this one, the list becomes an array before the first (`Remembered`), and its items' types tell at the
end whether that was right: what has no other type than the list is what a reading without it would have made of it.
"""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from s2s.transforms.read.flow.loops.before import Before
from s2s.transforms.read.flow.loops.last_time import at_way, ways_to
from s2s.transforms.read.flow.loops.leaves import Leaf, Leaves
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.state import Checkpoint
from s2s.transforms.read.storage.grown import Grown, Shape, Table, Template
from s2s.transforms.read.storage.plans import pool_of_rows
from s2s.transforms.read.storage.shapes_of_items import types_in
from s2s.transforms.read.storage.tables import begun
from s2s.transforms.read.storage.visibility import Path
from s2s.transforms.read.syntax.frame import Remembered
from s2s.transforms.read.values import Abstract, Cell, ListRef, OneOf, Text
from s2s.types import Array, Var, promote


class LoopLists:
    """`memory`: what the last reading of what is around has shown. `may_grow`: else its trips are known and few, and a list that grows is better read trip by trip."""

    def __init__(self, reader: Reader, before: Before, memory: Remembered, *, may_grow: bool, fills: Grown | None = None) -> None:
        self.reader, self.before, self.memory, self.may_grow = reader, before, memory, may_grow
        self.contents: dict[Any, Grown] = {}
        """The lists that grow in this loop, as the arrays that they are from here on."""
        self.fills = fills
        self.expected: set[Path] = set()
        """What is carried of them, though no reading has shown it yet."""
        self.unsure: tuple[Any, ...] = ()
        """Those that were taken to grow before the body was read."""
        self.start: Checkpoint | None = None
        self.were_wrong = False
        self._begin_with_memory()

    def found(self) -> list[Any]:
        """Lists that were seen to grow and are no arrays yet."""
        growing, heap = self.reader.session.growing, self.before.state.heap
        return [ref for ref in self.before.refs if ref in growing and isinstance(heap[ref], tuple)] if self.may_grow else []

    def begin(self, *, seen: bool) -> set[Any]:
        """Make them arrays. `seen`: it was this loop in which they grew."""
        reader, growing = self.reader, self.reader.session.growing
        numbers = {ref: number for number, ref in enumerate(self.before.refs) if ref in growing and isinstance(reader.heap[ref], tuple)} if self.may_grow else {}
        for ref, number in numbers.items():
            if isinstance(reader.heap[ref], Grown):  # the long array, which began with what a list before it holds
                continue
            pool = pool_of_rows(reader, ref)
            content = reader.heap[ref] = begun(reader, ref, reader.heap[ref], growing[ref], (reader.builder.where, number) if pool is None else pool.plan.origin)
            if seen:
                self.contents[ref] = content
        if numbers:
            self.before.look_again()
        return set(numbers)

    # ---- what is carried of them ---------------------------------------------------------------------------------------

    def expect(self, leaves: Leaves, *, anew: bool) -> None:
        """Carry their counts, and the arrays with the room that they have. `anew`: the leaves have forgotten what was expected before."""
        if anew:
            self.expected.clear()
        contents = (*self.contents.values(), *(() if self.fills is None else (self.fills,)))
        for content in contents:
            for cell in (*content.storages, *(() if self._is_full(content) else (content.counter,))):
                if (cell,) not in leaves.plan:
                    self._expect(leaves, cell, content)

    def _is_full(self, content: Grown) -> bool:
        """Whether it has all of its items' places from the start."""
        return content is self.fills and content.may_lack_room

    def _expect(self, leaves: Leaves, cell: Cell, content: Grown) -> None:
        type_ = self.before.state.heap[cell].type
        shape: tuple[Any, ...] = type_.shape
        if cell is not content.counter and not self._is_full(content):
            size = leaves.add_size((cell,), 0, cell.name)
            shape = (size, *shape[1:])
            self.expected.add(size)
        leaves.add((cell,), Leaf("content", cell.name, type_, shape))
        self.expected.add((cell,))

    def give_up(self, leaves: Leaves, start: Mapping[Path, Var], end: Mapping[Path, Abstract]) -> None:
        """What a trip leaves as it is need not be carried."""
        wrong = [path for path in self.expected if path in leaves.plan and path in start and end.get(path, start[path]) is start[path]]
        self.expected.clear()
        for path in sorted(wrong, key=len):
            leaves.forget(path, self.before.state.heap[path[0]].type.shape)

    # ---- from one reading of what is around to the next -------------------------------------------------------------------

    def _begin_with_memory(self) -> None:
        """Those that grew when this loop was last read become arrays before it is read, where they stand now."""
        reader, growing = self.reader, self.reader.session.growing
        found = {}
        for way, type_ in self.memory.lists.items() if self.may_grow else ():
            ref = at_way(reader, self.before.state, way)
            if isinstance(ref, ListRef) and ref not in growing and isinstance(self.before.state.heap.get(ref), tuple) and self._are_known(type_):
                found[ref] = type_
        if found:
            self.unsure, self.start = tuple(found), reader.checkpoint()
            growing.update(found)
            self.begin(seen=True)

    def _are_known(self, type_: Array | Template) -> bool:
        """Whether the sizes of items are known here: some array that is here has them."""
        dims = {dim for each in types_in(type_) for dim in each.shape if isinstance(dim, Var)}
        return not dims or dims <= {dim for cell in self.before.cells for dim in self.before.state.heap[cell].type.shape}

    def are_right(self, start: Mapping[Path, Var]) -> bool:
        """Whether those of the memory did grow, by items of just these types."""
        unsure, self.unsure = self.unsure, ()
        self.were_wrong = bool(unsure) and (self.reader.raised or not all(self._is_right(ref, start) for ref in unsure))
        return not self.were_wrong

    def _is_right(self, ref: Any, start: Mapping[Path, Var]) -> bool:
        content = self.contents.get(ref)
        return content is not None and _is_as_seen(content, self.reader.session.growing[ref]) and self._grew(content, start)

    def _grew(self, content: Grown, start: Mapping[Path, Var]) -> bool:
        return self.reader.heap[content.counter] is not start.get((content.counter,))

    def forget(self) -> None:
        """Begin without the memory."""
        if self.start is None:
            return
        self.reader.rollback(self.start)
        self.memory.lists.clear()
        self.contents, self.expected, self.were_wrong = {}, set(), False
        self.before.look_again()
        growing = self.reader.session.growing
        for ref in self.found():  # the sizes of their items may have been computed behind the start
            del growing[ref]

    def remember(self, start: Mapping[Path, Var]) -> None:
        """At the end of the last reading."""
        growing = self.reader.session.growing
        grew = {ref: growing[ref] for ref, content in self.contents.items() if ref in growing and _is_plain(growing[ref]) and _is_for(content, growing[ref]) and self._grew(content, start)}
        self.memory.lists = {way: grew[ref] for ref, way in ways_to(self.reader, self.before.state, set(grew)).items()}


def _is_plain(type_: Array | Template) -> bool:
    """Whether the types of numbers tell all of what items are."""
    return not any(each.boxed for each in types_in(type_)) and (isinstance(type_, Array) or _has_one_kind(type_.shape))


def _has_one_kind(shape: int | Shape) -> bool:
    return isinstance(shape, int) or shape.kind not in (OneOf, Text) and all(map(_has_one_kind, shape.parts))


def _is_for(content: Grown, type_: Array | Template) -> bool:
    """Whether a list was made of items of this type alone: not of those, too, that an earlier reading found it to get."""
    return content.shape == type_.shape if isinstance(content, Table) and isinstance(type_, Template) else isinstance(content, Table) is isinstance(type_, Template)


def _is_as_seen(content: Grown, type_: Array | Template) -> bool:
    """Whether a list of items of this type would have been found to be one by what was put in."""
    columns = content.columns if isinstance(content, Table) else (content,)
    return _is_for(content, type_) and all(_common(column) == Array(own.dtype, (), own.weak) for column, own in zip(columns, types_in(type_), strict=True))


def _common(column: Grown) -> Array | None:
    """The type of all that was put in; None where that is nothing, or did not fit in."""
    types = [each for each in column.put if each is not None]
    return promote(types) if types and len(types) == len(column.put) else None
