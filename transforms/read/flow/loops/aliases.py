"""Which of a loop's storages may be the same one at the start of a trip: those that were before it, or are at a trip's end."""
from __future__ import annotations

from collections import defaultdict

from s2s.transforms.read.flow.loops.before import Before
from s2s.transforms.read.flow.loops.exchanges import LoopExchanges
from s2s.transforms.read.flow.loops.leaves import Leaves
from s2s.transforms.read.flow.loops.trip_end import TripEnd
from s2s.transforms.read.state import State
from s2s.transforms.read.storage.exchange import may_be, separate
from s2s.transforms.read.values import Cell, View

Tracked = tuple[Cell, Cell, Cell]
"""A storage of a trip, what it is before the loop and at the end of the trip."""

def group_aliases(before: Before, leaves: Leaves, exchanges: LoopExchanges, end: TripEnd, now: State) -> None:
    """Note them, at the end of a reading."""
    _expect(before, leaves, now)
    outside = before.cells
    tracked = _tracked(before, leaves, end)
    for number, others in sorted(_which_may_meet(tracked, _watched(before, tracked, now), before, now).items()):
        one, first, last = tracked[number]
        for two, other_first, other_last in (tracked[other] for other in sorted(others)):
            known = one in outside and two in outside and not separate(one, two, before.state)
            if one is two or known or exchanges.know(one, two):
                continue
            if not separate(first, other_first, before.state) or not separate(last, other_last, now):
                leaves.add_alias(two, one)


def _expect(before: Before, leaves: Leaves, now: State) -> None:
    """Arrays that this reading has shown to be made anew in each trip have storages of their own from here on: what they may be in the first trip
    need not wait for the next reading.
    """
    outside, heads = before.cells, set(leaves.cells.values())
    for path, leaf in leaves.plan.items():
        end = now.names.get(path[0]) if leaf.kind == "array" and len(path) == 1 and path not in leaves.lists else None
        if isinstance(end, View) and end.cell not in outside and end.cell not in heads:
            leaves.cell_of(path)


def _watched(before: Before, tracked: list[Tracked], now: State) -> set[int]:
    """The numbers of those that may have met another one in the trip: what loops leave alone is most of them, and each of that stays what it is."""
    if before.state.parked or now.parked:
        return set(range(len(tracked)))
    outside, known = before.cells, before.state.aliases
    changed = {cell for cell, group in now.aliases.items() if known.get(cell) is not group and known.get(cell) != group}
    plain = len(outside)
    return {number for number, (cell, _, _) in enumerate(tracked[:plain]) if cell in changed or cell.selected is not None} | set(range(plain, len(tracked)))


def _which_may_meet(tracked: list[Tracked], watched: set[int], before: Before, now: State) -> dict[int, set[int]]:
    """For each storage of a trip the numbers of those before it from which it may not be separate, at the start or at the end: few of many."""
    found: defaultdict[int, set[int]] = defaultdict(set)
    alone = {cell: number for number, cell in enumerate(before.cells) if number not in watched}
    for side, state in ((1, before.state), (2, now)):
        met: defaultdict[Cell, list[int]] = defaultdict(list)
        for number in sorted(watched):
            own = may_be(tracked[number][side], state.parked)
            for each in own.union(*(state.aliases.get(each, frozenset()) for each in own)):
                found[number].update(met.get(each, ()))
                if (other := alone.get(each)) is not None:
                    found[max(number, other)].add(min(number, other))
            for each in own:
                met[each].append(number)
    return found


def _tracked(before: Before, leaves: Leaves, end: TripEnd) -> list[Tracked]:
    """Each storage of a trip, with what it is before the loop and at the end of the trip: first those from before the loop."""
    tracked = [(cell, cell, cell) for cell in before.cells]
    for path, cell in leaves.cells.items():
        first, last = before.value(path), end.found.get(path)
        if isinstance(first, View) or isinstance(last, View):
            tracked.append((cell, first.cell if isinstance(first, View) else cell, last.cell if isinstance(last, View) else cell))
    return tracked
