"""What storages hold, and which may be the same."""
from __future__ import annotations

from collections.abc import Mapping

from s2s.transforms.ir.program import Block, If
from s2s.transforms.primitives.arithmetic import equal
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.numpy.common import retyped
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.state import Exchange
from s2s.transforms.read.values import Cell, storages_of
from s2s.types import Atom, Literal, Var, size_literal


def content_of(reader: Reader, cell: Cell) -> Atom:
    """What a storage holds now (what is selected holds nothing itself: `access.load`)."""
    assert cell.selected is None
    return content_of_base(reader, cell) if cell in reader.parked else reader.heap[cell]


def put_content(reader: Reader, cell: Cell, new: Atom) -> None:
    """Give a storage another content."""
    note_written(reader, cell)
    if cell in reader.parked:
        store_in_base(reader, cell, new)
    else:
        reader.heap[cell] = new


def note_aliases(reader: Reader, *cells: Cell) -> None:
    """Note that these may be the same storage; what is selected among others stands for each of them."""
    groups = [frozenset((cell, *storages_of(cell))) for cell in dict.fromkeys(cells)]
    for number, group in enumerate(groups):
        others = frozenset[Cell]().union(*groups[:number], *groups[number + 1 :])
        for cell in group if others else ():
            reader.aliases[cell] = reader.aliases.get(cell, frozenset()) | (others - {cell})


def note_made_of(reader: Reader, new: Cell, *olds: Cell) -> None:
    """Note that a new storage may be one of these, and so whatever each of them may be."""
    same = dict.fromkeys(each for old in olds for each in (old, *storages_of(old)))
    for each in (*same, *(other for old in same for other in reader.aliases.get(old, ()))):
        if each is not new:
            note_aliases(reader, new, each)


def note_selected(reader: Reader, cell: Cell) -> None:
    """Note the storages that a cell may be: they are no aliases of each other."""
    for each in storages_of(cell):
        for one, two in ((cell, each), (each, cell)):
            reader.aliases[one] = reader.aliases.get(one, frozenset()) | {two}


def exchange_of(slot: Cell, parked: Mapping[Cell, Exchange]) -> Exchange | None:
    """The exchange in which a cell is a slot."""
    return next((exchange for exchange in parked.values() if slot in exchange.slots), None)


def content_of_base(reader: Reader, base: Cell) -> Atom:
    """What a base holds now."""
    exchange = reader.parked[base]
    wanted = size_literal(exchange.bases.index(base))
    found = content_of(reader, exchange.slots[-1])
    for slot, place in zip(exchange.slots[:-1], exchange.places[:-1], strict=True):
        found = chosen_content(reader, place, wanted, content_of(reader, slot), found, reader.heap[base])
    return found


def store_in_base(reader: Reader, base: Cell, new: Atom) -> None:
    """Give a base another content: whichever slot is it has that."""
    exchange = reader.parked[base]
    wanted = size_literal(exchange.bases.index(base))
    for slot, place in zip(exchange.slots, exchange.places, strict=True):
        old = content_of(reader, slot)
        put_content(reader, slot, chosen_content(reader, place, wanted, new, old, old))


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
            note_aliases(reader, base, slot)


def _contents(reader: Reader, exchange: Exchange) -> list[Atom]:
    """What all bases hold now."""
    contents = [content_of(reader, slot) for slot in exchange.slots]
    if len(contents) != 2 or isinstance(exchange.places[0], Literal):
        return [content_of_base(reader, base) for base in exchange.bases]
    likes = [reader.heap[base] for base in exchange.bases]
    return _chosen(reader, exchange.places[0], size_literal(0), contents, contents[::-1], likes)


def chosen_content(reader: Reader, place: Atom, wanted: Literal, one: Atom, two: Atom, like: Atom) -> Atom:
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
