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


def group_aliases(before: Before, leaves: Leaves, exchanges: LoopExchanges, end: TripEnd, now: State) -> None:
    """Note them, at the end of a reading."""
    _expect(before, leaves, now)
    tracked = _tracked(before, leaves, end)
    outside = frozenset(before.refs)
    for number, others in enumerate(_which_may_meet(tracked, before.state, now)):
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
    known = {*before.refs, *leaves.cells.values()}
    for path, leaf in leaves.plan.items():
        end = now.names.get(path[0]) if leaf.kind == "array" and len(path) == 1 and path not in leaves.lists else None
        if isinstance(end, View) and end.cell not in known:
            leaves.cell_of(path)


def _which_may_meet(tracked: list[tuple[Cell, Cell, Cell]], start: State, now: State) -> list[set[int]]:
    """For each storage of a trip the numbers of those before it from which it may not be separate, at the start or at the end: few of many."""
    found: list[set[int]] = [set() for _ in tracked]
    for side, state in ((1, start), (2, now)):
        met: defaultdict[Cell, list[int]] = defaultdict(list)
        for number, cells in enumerate(tracked):
            own = may_be(cells[side], state.parked)
            for each in own.union(*(state.aliases.get(each, frozenset()) for each in own)):
                found[number].update(met.get(each, ()))
            for each in own:
                met[each].append(number)
    return found


def _tracked(before: Before, leaves: Leaves, end: TripEnd) -> list[tuple[Cell, Cell, Cell]]:
    """Each storage of a trip, with what it is before the loop and at the end of the trip."""
    tracked = [(ref, ref, ref) for ref in before.refs if isinstance(ref, Cell)]
    for path, cell in leaves.cells.items():
        first, last = before.value(path), end.found.get(path)
        if isinstance(first, View) or isinstance(last, View):
            tracked.append((cell, first.cell if isinstance(first, View) else cell, last.cell if isinstance(last, View) else cell))
    return tracked
