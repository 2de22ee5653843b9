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

from s2s.transforms.ir.build import Builder
from s2s.transforms.read.numpy.common import agreed
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.state import Exchange, Parked, State
from s2s.transforms.read.storage.cells import chosen_content, exchange_of
from s2s.transforms.read.storage.visibility import Path, is_seen, items_of_container
from s2s.transforms.read.values import Abstract, Cell, Ref, View, same_structure, storages_of
from s2s.types import SIZE, Array, Atom, Literal, dim_atom, size_literal


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
        found = chosen_content(reader, place, size_literal(k), numbers[k], found, Literal(0, SIZE))
    return found


def frame_of(reader: Reader, cells: tuple[Cell, ...], but: frozenset[Path], live: frozenset[str], states: Sequence[State]) -> tuple[Cell, ...]:
    """The bases for an exchange of these cells: those of the exchange in which they are the slots, or else the cells.

    Cells that are seen from elsewhere than these paths must stay bases.
    """
    exchange = exchange_of(cells[0], reader.parked)
    if exchange is None or set(exchange.slots) != set(cells) or any(is_seen(reader, state, cell, but, live) for state in states for cell in cells):
        return cells
    return exchange.bases


def agree(builder: Builder, types: list[Array]) -> None:
    """Arrays that change places have the same sizes, mostly: a check; where they are known to differ they stay as they are."""
    for dims in zip(*(type_.shape for type_ in types), strict=True):
        first = dim_atom(dims[0])
        for other in dims[1:]:
            if (builder.form(first) - builder.form(dim_atom(other))).terms:
                values = first, dim_atom(other)
                agreed(builder, (dims[0], other), "arrays that change places have the sizes {} and {}", values, stretch=True, exception="NotImplementedError")


# ---- which arrays have changed places ----------------------------------------------------------------------------------------------


def origins(cell: Cell, parked: Mapping[Cell, Exchange]) -> tuple[Cell, ...]:
    """The storages that a cell may be, through all exchanges."""
    exchange = exchange_of(cell, parked)
    return (cell,) if exchange is None else tuple(origin for base in exchange.bases for origin in origins(base, parked))


def may_be(cell: Cell, parked: Mapping[Cell, Exchange]) -> set[Cell]:
    """The storage itself and, where it is a slot, the bases that it may be; where it is selected, all that it may be."""
    if cell.selected is not None:
        return {cell}.union(*(may_be(each, parked) for each in storages_of(cell)))
    exchange = exchange_of(cell, parked)
    return {cell}.union(*(may_be(base, parked) for base in exchange.bases)) if exchange is not None else {cell}


def may_stand_for(cell: Cell, parked: Mapping[Cell, Exchange]) -> set[Cell]:
    """What it may be (`may_be`), and where it is a base, the slots that may be it."""
    found, waiting = may_be(cell, parked), [cell]
    while waiting:
        exchange = parked.get(waiting.pop())
        slots = set(exchange.slots) - found if exchange is not None else set()
        found |= slots
        waiting += slots
    return found


def innermost(storages: tuple[Cell, ...], parked: Mapping[Cell, Exchange]) -> tuple[Cell, ...]:
    """The slots in which these storages are, through all exchanges."""
    exchange = parked.get(storages[0])
    return storages if exchange is None or set(exchange.bases) != set(storages) else innermost(exchange.slots, parked)


def whole_cell(value: Abstract) -> Cell | None:
    """The cell that a value is a view of, as a whole."""
    return value.cell if isinstance(value, View) and not value.steps and value.cell.selected is None else None


def moved_arrays(one: State, two: State, names: Iterable[str], refs: Iterable[Ref]) -> dict[Path, tuple[Cell, Cell]]:
    """The places where two states have two whole arrays: in names, tuples in them, and what containers hold."""
    found: dict[Path, tuple[Cell, Cell]] = {}
    for name in names:
        _compare(one, two, found, one.names.get(name), two.names.get(name), (name,))
    for ref in refs:
        if one.heap.get(ref) is not two.heap.get(ref):  # where it holds one content in both, each item is itself
            _compare_items(one, two, found, ref, ref, (ref,))
    return found


def _compare(one: State, two: State, found: dict[Path, tuple[Cell, Cell]], first: Abstract, second: Abstract, path: Path, around: frozenset[tuple[Ref, Ref]] = frozenset()) -> None:
    cells = whole_cell(first), whole_cell(second)
    if first is second or cells[0] is not None and cells[0] is cells[1]:
        return
    if cells[0] is not None and cells[1] is not None:
        found[path] = cells[0], cells[1]
    elif isinstance(first, tuple) and same_structure(first, second):
        for key, (item, other) in enumerate(zip(first, second, strict=True)):
            _compare(one, two, found, item, other, (*path, key), around)
    elif isinstance(first, Ref) and isinstance(second, Ref) and type(first) is type(second) and (first, second) not in around:
        _compare_items(one, two, found, first, second, path, around)


def _compare_items(one: State, two: State, found: dict[Path, tuple[Cell, Cell]], first: Ref, second: Ref, path: Path, around: frozenset[tuple[Ref, Ref]] = frozenset()) -> None:
    """`around`: the pairs of containers that these stand in."""
    items, others = items_of_container(one, first), items_of_container(two, second)
    if items is not None and others is not None and [key for key, _ in items] == [key for key, _ in others]:
        for (key, item), (_, other) in zip(items, others, strict=True):
            _compare(one, two, found, item, other, (*path, key), around | {(first, second)})


def label(path: Path) -> str:
    """A name for what is at a path."""
    return next((part for part in reversed(path) if isinstance(part, str)), "item")


def separate(one: Cell, two: Cell, state: State) -> bool:
    """Whether two storages are surely different ones: the slots of one exchange are, a slot and a base of it need not be."""
    exchange = exchange_of(one, state.parked)
    if exchange is not None and two in exchange.slots:
        return one is not two
    ones, twos = may_be(one, state.parked), may_be(two, state.parked)
    return ones.isdisjoint(twos) and not any(state.aliases.get(each, frozenset()) & twos for each in ones)


def apart(state: State, cells: Sequence[Cell]) -> bool:
    """Whether these storages are surely different ones."""
    return all(separate(one, two, state) for number, one in enumerate(cells) for two in cells[:number])


def may_become_bases(frame: Sequence[Cell], parked: Mapping[Cell, Exchange]) -> bool:
    """Whether an exchange of these storages leaves all others whole: a storage is a base of one exchange only."""
    return all(base not in parked or set(parked[base].bases) == set(frame) for base in frame)


def has_place(cell: Cell, bases: Sequence[Cell], parked: Mapping[Cell, Exchange]) -> bool:
    """Whether it is known which of these storages a cell is: `place_among` can say it."""
    exchange = exchange_of(cell, parked)
    return cell in bases or exchange is not None and (exchange.bases == tuple(bases) or all(has_place(base, bases, parked) for base in exchange.bases))


def made_since(now: Mapping[Cell, Exchange], before: Mapping[Cell, Exchange]) -> Parked:
    """The exchanges that a block added."""
    return {base: exchange for base, exchange in now.items() if before.get(base) is not exchange}


Group = tuple[Path, ...]


def permuted(moved: Mapping[Path, tuple[Cell, Cell]], one: State, two: State) -> list[tuple[Group, tuple[Cell, ...]]]:
    """The groups of paths at which the same storages are in both states, in another order; each with these storages."""
    groups: list[tuple[list[Path], list[Cell]]] = []
    for path in _same_in_both(moved, one, two):
        storages = [origin for cell, state in zip(moved[path], (one, two), strict=True) for origin in origins(cell, state.parked)]
        others: list[tuple[list[Path], list[Cell]]] = []
        joined: list[tuple[list[Path], list[Cell]]] = []
        for group in groups:
            (others if set(group[1]).isdisjoint(storages) else joined).append(group)
        paths = [each for group in joined for each in group[0]]
        groups = [*others, ([*paths, path], list(dict.fromkeys([*(cell for group in joined for cell in group[1]), *storages])))]
    return [
        (tuple(paths), tuple(storages)) for paths, storages in groups
        if len(paths) == len(storages)
        and all(_is_permutation([moved[path][side] for path in paths], storages, state.parked) for side, state in enumerate((one, two)))
    ]  # fmt: skip


def _same_in_both(moved: Mapping[Path, tuple[Cell, Cell]], one: State, two: State) -> list[Path]:
    """The paths whose storages are at some such path in the other state too."""
    paths = list(moved)
    while True:
        found = [{path: set(origins(moved[path][side], state.parked)) for path in paths} for side, state in enumerate((one, two))]
        both = set().union(*found[0].values()) & set().union(*found[1].values())
        kept = [path for path in paths if found[0][path] <= both and found[1][path] <= both]
        if len(kept) == len(paths):
            return paths
        paths = kept


def _is_permutation(ends: list[Cell], storages: list[Cell], parked: Mapping[Cell, Exchange]) -> bool:
    """Whether these cells are all of the storages, each once."""
    if len(set(ends)) < len(ends):
        return False
    for end in ends:
        exchange = exchange_of(end, parked)
        if exchange is not None and not all(slot in ends for slot in exchange.slots):
            return False
    return {origin for end in ends for origin in origins(end, parked)} == set(storages)
