"""Arrays that change places: which array a name means depends on how many trips a loop had, or on a path.

    def solve(u, v, n):            u and v are the caller's, so that it matters in the end which is which
        for t in range(n):
            v[1:-1] = …u…
            u, v = v, u            an Exchange: bases (u, v), slots (u', v'), places (0, 1) or (1, 0)

The loop carries what each name sees (`slots`) and the number of the array that it is (`places`, a permutation). What the
caller's arrays (`bases`) hold is chosen by the places where it is asked for: at the end, or through another name. A base
can be a slot of an exchange around it.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from s2s.transforms.build import Builder
from s2s.transforms.primitives.arithmetic import equal
from s2s.transforms.primitives.value import Value
from s2s.transforms.program import STRETCHED, Block, If
from s2s.transforms.read.numpy_functions_common import agreed, retyped
from s2s.transforms.read.values import Abstract, Cell, View
from s2s.types import SIZE, Array, Atom, Literal, Var, dim_atom, size_literal

if TYPE_CHECKING:
    from s2s.transforms.read.reader import Reader, State


@dataclass(frozen=True, eq=False)
class Exchange:
    """slots[k] is at run time the storage bases[places[k]]; `places` are a permutation."""

    bases: tuple[Cell, ...]
    slots: tuple[Cell, ...]
    places: tuple[Atom, ...]


Parked = dict[Cell, Exchange]
"""The exchanges of a state, by each of their bases."""


def exchange_of(slot: Cell, parked: Mapping[Cell, Exchange]) -> Exchange | None:
    """The exchange in which a cell is a slot."""
    return next((exchange for exchange in parked.values() if slot in exchange.slots), None)


def content_of_base(reader: Reader, base: Cell) -> Atom:
    """What a base holds now."""
    exchange = reader.parked[base]
    wanted = size_literal(exchange.bases.index(base))
    found = reader.content(exchange.slots[-1])
    for slot, place in zip(exchange.slots[:-1], exchange.places[:-1], strict=True):
        found = _either(reader, place, wanted, reader.content(slot), found, reader.heap[base])
    return found


def store_in_base(reader: Reader, base: Cell, new: Atom) -> None:
    """Give a base another content: whichever slot is it has that."""
    exchange = reader.parked[base]
    wanted = size_literal(exchange.bases.index(base))
    for slot, place in zip(exchange.slots, exchange.places, strict=True):
        old = reader.content(slot)
        reader.put(slot, _either(reader, place, wanted, new, old, old))


def note_written(reader: Reader, cell: Cell) -> None:
    """Note that there was a store into a storage, and so into one of the bases where it is a slot."""
    reader.written.add(cell)
    exchange = exchange_of(cell, reader.parked)
    for base in exchange.bases if exchange is not None else ():
        note_written(reader, base)


def settle(reader: Reader) -> None:
    """At the end of a function: the heap says what its arguments hold."""
    for exchange in dict.fromkeys(reader.parked.values()):
        if not reader.written.isdisjoint(exchange.bases):
            reader.heap.update(zip(exchange.bases, _contents(reader, exchange), strict=True))


def dissolve(reader: Reader, exchange: Exchange) -> None:
    """Give up an exchange: the heap says what the bases hold, and which of them a slot is stays unknown."""
    contents = _contents(reader, exchange)
    for base, content in zip(exchange.bases, contents, strict=True):
        del reader.parked[base]
        if base in reader.written:
            reader.heap[base] = content
        for slot in exchange.slots:
            reader.note_aliases(base, slot)


def _contents(reader: Reader, exchange: Exchange) -> list[Atom]:
    """What all bases hold now."""
    contents = [reader.content(slot) for slot in exchange.slots]
    if len(contents) != 2 or isinstance(exchange.places[0], Literal):
        return [content_of_base(reader, base) for base in exchange.bases]
    likes = [reader.heap[base] for base in exchange.bases]
    return _chosen(reader, exchange.places[0], size_literal(0), contents, contents[::-1], likes)


def _either(reader: Reader, place: Atom, wanted: Literal, one: Atom, two: Atom, like: Atom) -> Atom:
    """`one` if the place is the wanted one, else `two`; with the dimensions of `like`."""
    if isinstance(place, Literal):
        return one if place.value == wanted.value else two
    return _chosen(reader, place, wanted, [one], [two], [like])[0]


def _chosen(reader: Reader, place: Atom, wanted: Literal, ones: list[Atom], twos: list[Atom], likes: list[Atom]) -> list[Atom]:
    builder = reader.builder
    (test,) = builder.equation(equal, (place, wanted), name="is_there")
    outs = [Var(getattr(like, "name", "") or "chosen", like.type) for like in likes]
    reader.named.update(outs)

    def block(atoms: list[Atom]) -> Block:
        inner = builder.inside()
        inner.where = builder.where
        return inner.block(*(retyped(Value(inner, atom), like.type.shape).atom for atom, like in zip(atoms, likes, strict=True)))

    builder.add(If(tuple(outs), test, block(ones), block(twos), builder.where))
    return list(outs)


def place_among(reader: Reader, cell: Cell, bases: Sequence[Cell]) -> Atom:
    """Which of these a cell is: its number, through the exchanges between."""
    if cell in bases:
        return size_literal(bases.index(cell))
    exchange = exchange_of(cell, reader.parked)
    assert exchange is not None
    place = exchange.places[exchange.slots.index(cell)]
    return place if exchange.bases == bases else _chosen_number(reader, place, [place_among(reader, base, bases) for base in exchange.bases])


def _chosen_number(reader: Reader, place: Atom, numbers: list[Atom]) -> Atom:
    """numbers[place]."""
    found = numbers[-1]
    for k in reversed(range(len(numbers) - 1)):
        found = _either(reader, place, size_literal(k), numbers[k], found, Literal(0, SIZE))
    return found


def frame_of(reader: Reader, cells: tuple[Cell, ...], names: tuple[str, ...], states: Sequence[State]) -> tuple[Cell, ...]:
    """The bases for an exchange of these cells: those of the exchange in which they are the slots, or else the cells.

    Cells that something else than these names means must stay bases.
    """
    exchange = exchange_of(cells[0], reader.parked)
    if exchange is None or set(exchange.slots) != set(cells) or any(reader.named_in(state, cell, names) for state in states for cell in cells):
        return cells
    return exchange.bases


def agree(builder: Builder, types: list[Array]) -> None:
    """Arrays that change places have the same sizes, mostly: a check; where they are known to differ they stay as they are."""
    for dims in zip(*(type_.shape for type_ in types), strict=True):
        first = dim_atom(dims[0])
        for other in dims[1:]:
            if (builder.form(first) - builder.form(dim_atom(other))).terms:
                agreed(builder, (dims[0], other), f"{STRETCHED[1]} {{}} and {{}}", (first, dim_atom(other)), stretch=True)


# ---- which arrays have changed places ----------------------------------------------------------------------------------------------


def origins(cell: Cell, parked: Mapping[Cell, Exchange]) -> tuple[Cell, ...]:
    """The storages that a cell may be, through all exchanges."""
    exchange = exchange_of(cell, parked)
    return (cell,) if exchange is None else tuple(origin for base in exchange.bases for origin in origins(base, parked))


def may_be(cell: Cell, parked: Mapping[Cell, Exchange]) -> set[Cell]:
    """The storage itself and, where it is a slot, the bases that it may be."""
    exchange = exchange_of(cell, parked)
    return {cell}.union(*(may_be(base, parked) for base in exchange.bases)) if exchange is not None else {cell}


def innermost(storages: tuple[Cell, ...], parked: Mapping[Cell, Exchange]) -> tuple[Cell, ...]:
    """The slots in which these storages are, through all exchanges."""
    exchange = parked.get(storages[0])
    return storages if exchange is None or set(exchange.bases) != set(storages) else innermost(exchange.slots, parked)


def whole_cell(value: Abstract) -> Cell | None:
    """The cell that a value is a view of, as a whole."""
    return value.cell if isinstance(value, View) and not value.steps else None


def whole_cells(values: Mapping[str, Abstract], names: Iterable[str]) -> dict[str, Cell]:
    """The cells of those names that stand for whole arrays."""
    cells = {name: whole_cell(values.get(name)) for name in names}
    return {name: cell for name, cell in cells.items() if cell is not None}


def apart(state: State, cells: Sequence[Cell]) -> bool:
    """Whether these storages are surely different ones."""
    return len(set(cells)) == len(cells) and not any(state.aliases.get(cell, frozenset()) & set(cells) for cell in cells)


def made_since(now: Mapping[Cell, Exchange], before: Mapping[Cell, Exchange]) -> Parked:
    """The exchanges that a block added."""
    return {base: exchange for base, exchange in now.items() if before.get(base) is not exchange}


@dataclass(frozen=True, eq=False)
class Way:
    """A path: the cell of each name at its end, and the exchanges there."""

    cells: Mapping[str, Cell]
    parked: Mapping[Cell, Exchange]


def permuted(one: Way, two: Way) -> list[tuple[tuple[str, ...], tuple[Cell, ...]]]:
    """The groups of names whose cells are the same storages in another order on both ways; each with these storages."""
    groups: list[tuple[list[str], list[Cell]]] = []
    for name in _moved(one, two):
        storages = [*origins(one.cells[name], one.parked), *origins(two.cells[name], two.parked)]
        joined = [group for group in groups if not set(group[1]).isdisjoint(storages)]
        groups = [group for group in groups if group not in joined]
        names = [each for group in joined for each in group[0]]
        groups.append(([*names, name], list(dict.fromkeys([*(cell for group in joined for cell in group[1]), *storages]))))
    return [
        (tuple(names), tuple(storages)) for names, storages in groups
        if len(names) == len(storages) and all(_is_permutation([way.cells[name] for name in names], storages, way.parked) for way in (one, two))
    ]  # fmt: skip


def _moved(one: Way, two: Way) -> list[str]:
    """The names that are another storage on each way, of those that some name is on both."""
    names = [name for name, cell in one.cells.items() if name in two.cells and two.cells[name] is not cell]
    while True:
        first, second = ({origin for name in names for origin in origins(way.cells[name], way.parked)} for way in (one, two))
        found = first & second
        kept = [name for name in names if all(found.issuperset(origins(way.cells[name], way.parked)) for way in (one, two))]
        if len(kept) == len(names):
            return names
        names = kept


def _is_permutation(ends: list[Cell], storages: list[Cell], parked: Mapping[Cell, Exchange]) -> bool:
    """Whether these cells are all of the storages, each once."""
    if len(set(ends)) < len(ends):
        return False
    for end in ends:
        exchange = exchange_of(end, parked)
        if exchange is not None and not all(slot in ends for slot in exchange.slots):
            return False
    return {origin for end in ends for origin in origins(end, parked)} == set(storages)
