"""`Carry`: what a loop carries from trip to trip, found by a fixed point on structure and types.

    s = 0                     first: nothing carried that is known (s is the number 0)
    for i in range(n):        the body gives s = f8: so s must be carried, as f8
        s = s + x[i]          second reading, with s: f8, gives f8: done

What the text says of it (`Guess`), and what was found in another reading of what is around it, saves a reading. What is known so far is
in `Leaves`, what the loop finds in `Before`; `Heads` makes a trip's start of both, `TripEnd` compares its end with that. What can't be carried becomes a `Missing`: an error only if used.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import libcst as cst

from s2s.transforms.ir.program import walk
from s2s.transforms.read.doubts import note, types_of
from s2s.transforms.read.flow.error_parts import run_time_parts, with_parts
from s2s.transforms.read.flow.loops.aliases import group_aliases
from s2s.transforms.read.flow.loops.before import Before
from s2s.transforms.read.flow.loops.exchanges import LoopExchanges
from s2s.transforms.read.flow.loops.growth import known_before
from s2s.transforms.read.flow.loops.guesses import Guess
from s2s.transforms.read.flow.loops.heads import Heads
from s2s.transforms.read.flow.loops.last_arrays import LastArrays
from s2s.transforms.read.flow.loops.last_time import LastTime
from s2s.transforms.read.flow.loops.leaves import OPTION, PLACE, WHICH, Leaf, Leaves
from s2s.transforms.read.flow.loops.list_growth import LoopLists
from s2s.transforms.read.flow.loops.selections import number_of
from s2s.transforms.read.flow.loops.trip_end import TripEnd
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.state import bound_in
from s2s.transforms.read.storage.cells import note_aliases
from s2s.transforms.read.storage.grown import Grown
from s2s.transforms.read.storage.visibility import Path
from s2s.transforms.read.syntax.frame import BROKE, CODE, ERROR, ERROR_PARTS, RAISED, RESULT, RETURNED, SIGNALS, Frame
from s2s.transforms.read.syntax.scope import Names
from s2s.transforms.read.unset_attributes import with_unset
from s2s.transforms.read.values import Abstract, Cell, Missing, is_atom, is_number
from s2s.transforms.read.wrapping import as_atom
from s2s.types import SIZE, Array, Atom, Var

MOST_READINGS = 20
"""Of a body; variables that change their structure after that do so in every trip."""


class Carry:
    """One loop from its first reading to the node. `begin` a reading of the body, `end` it (False: read again), then `init`, `outs`, `finish`. `own`: it stands for a call in the node,
    as the one by which `list(d.items())` goes through a dict. `fills`: a list into which each trip puts an item.
    """

    def __init__(self, reader: Reader, node: cst.CSTNode, names: Names, early: bool, *, own: bool = False, may_grow: bool = True, fills: Grown | None = None) -> None:
        self.reader, self.node, self.own, self.may_grow = reader, node, own, may_grow
        signals = ((RETURNED, RESULT, BROKE) if early else ()) + ((RAISED, CODE) if early and reader.catching else ()) + ((ERROR_PARTS,) if early and reader.catching and reader.telling else ())
        self.before = Before(reader, tuple(sorted(names - reader.frame.scope.shared)) + signals)
        self.key = self._key()
        self.lists = LoopLists(reader, self.before, reader.session.remembered.of(self.key), may_grow=may_grow, fills=fills)
        last = self._last_time()
        self.made = self._last_arrays()
        self.guess: Guess | None = Guess(reader, node, self.before, {**last, **self.made.plan})
        self.exchanged = frozenset(reader.session.exchanged)
        self.known = [(found, dict(found)) for found in (reader.session.attempts, reader.session.growing) if self.guess.doubtful]
        """What is known of loops and lists before a first reading with types that may be wrong."""
        self._begin_with({**last, **self.made.plan, **self.guess.plan})
        self._sort()
        self.leaves.groups += self.made.groups(self.before, self.leaves)
        self.leaves.groups += [(view.cell, self.leaves.cell_of(path)) for path, view in self.guess.arrays()]
        self.runs_once = False
        """Whether there surely is a first trip: what each trip binds is bound behind the loop then."""
        self.index: Var | None = None
        """What a For binds in each trip; `counts`: a While carries it."""
        self.counts = False
        self.vars: dict[Path, Var] = {}
        self.out_vars: dict[Path, Var] = {}
        self.found: dict[Path, Abstract] = {}
        """What each leaf is at the end of a trip."""
        self.results: tuple[Atom, ...] = ()
        """The next trip's values."""
        self.error: Abstract = None
        """What the last reading of a trip has raised; what the run knows of it is carried."""
        self.readings = 0

    def _begin_with(self, plan: dict[Path, Leaf]) -> None:
        self.before.forget()
        self.leaves = Leaves(plan, self.before.kinds)
        self.leaves.place = self.reader.where(self.node)
        last = self._attempt()
        for path, options, carried in () if last is None else last.still_kinds(self.before):
            self.leaves.begin_kinds(path, options, carried)
        self.exchanges = LoopExchanges(self.reader, self.before, self.leaves)
        self.lists.expect(self.leaves, anew=True)

    def _sort(self) -> None:
        """The same order, however many readings it took to see what is carried."""
        self.leaves.sort((*self.before.refs, *self.before.names))

    def _attempt(self) -> LastTime | None:
        """What the last reading of this loop has shown."""
        found: LastTime | None = self.reader.session.attempts.get(self.key)
        return found

    def _last_time(self) -> dict[Path, Leaf]:
        """What was carried when this loop was last read. Of loops in loops each would be read twice otherwise, in each reading of the one around it."""
        last = self._attempt()
        return {} if last is None else last.still_carried(self.reader, self.before)

    def _last_arrays(self) -> LastArrays:
        """The same, of arrays that its trips make anew: to be confirmed at the end of the first reading."""
        last = self._attempt()
        return LastArrays() if last is None else last.made.still_carried(self.before, self.reader.session.apart, self.reader.where(self.node))

    def forget_guess(self, *, wrong: bool = False) -> bool:
        """Begin again with what was seen alone; whether anything was only guessed. `wrong`: what has been read with it is not to be taken for seen."""
        guess, made = self.guess, self.made
        self.guess, self.made = None, LastArrays()
        if not made.plan and (guess is None or not guess.plan):
            return False
        self.reader.session.exchanged &= self.exchanged
        for found, before in self.known if wrong else ():  # of loops inside
            found.clear()
            found.update(before)
        self._begin_with(self._last_time())
        return True

    def _key(self) -> tuple[Any, ...]:
        """The loop, in this call of the function that it stands in."""
        calls = []
        frame: Frame | None = self.reader.frame
        while frame is not None:
            calls.append((frame.name, frame.called_at, frame.given))
            frame = frame.caller
        return (self.node, self.own, *calls)

    # ---- before the body is read ---------------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Before the body is read (again): lists that were seen to grow become arrays."""
        if self.lists.were_wrong:
            self.lists.forget()
            self._begin_with(self._last_time())
        self.exchanges.agree_on_sizes()
        self._prepare_objects()
        if found := self.lists.begin(seen=self.readings > 0):
            self.leaves.forget_items(found)
            self.lists.expect(self.leaves, anew=False)

    def _prepare_objects(self) -> None:
        """Attributes that a trip was seen to set first are not set before."""
        reader, unset = self.reader, self.reader.session.unset
        found = [ref for ref in self.before.refs if ref in unset and not unset[ref].keys() <= reader.heap[ref].keys()]
        for ref in found:
            reader.heap[ref] = with_unset(ref.kind, reader.heap[ref], unset[ref])
        if found:
            self.before.look_again()

    def must_prepare(self) -> bool:
        """Whether a list was seen to grow that is no array yet, or one that was taken to grow did not."""
        growing, found = self.reader.session.growing, self.lists.found()
        inner = self._bound_by_trip() if found else set()
        for ref in found:
            growing[ref] = known_before(self.reader, ref, inner, self.leaves.before)
        return bool(found) or not self.lists.are_right(self.vars)

    def _bound_by_trip(self) -> set[Var]:
        """What is bound by a trip only, its index, what is carried and what its blocks bind too."""
        builder = self.reader.builder
        nested = {out for node in builder.nodes for block in node.blocks for inner in walk(block) for out in inner.outs}
        return bound_in(builder) | nested | set(self.vars.values()) | ({self.index} if self.index is not None else set())

    @contextmanager
    def round(self) -> Iterator[None]:
        """While the body is read: what the loops in it show of lists is remembered for its next reading."""
        session = self.reader.session
        around, session.remembered = session.remembered, self.lists.memory
        session.remembered.met.clear()
        try:
            yield
        finally:
            session.remembered = around

    # ---- a reading of the body ------------------------------------------------------------------------------------------

    def begin(self, index: Var | None, *, counts: bool = False) -> tuple[Var, ...]:
        """Set the state at the start of a trip; the carried variables. `counts`: the index is one of them."""
        self.index, self.counts, self.found, self.readings = index, counts, {}, self.readings + 1
        self.vars = self.leaves.variables(self.reader)
        self._install(self.vars, frozenset())
        for path, var in self.vars.items():
            self._doubt(path, var, self.leaves.ends.get(path, {self.leaves.plan[path].type}))
        for signal in SIGNALS:
            self.reader.frame.names[signal] = False  # the test of the While has seen to that
        self._know_sizes(self.vars)
        self.start = self.reader.state().copy()
        self.reader.frame.names.pop(ERROR_PARTS, None)
        return (*((index,) if index is not None and counts else ()), *self.vars.values())

    def end(self, following: Atom | None, *, whole: bool) -> bool:
        """Compare with the start; True if nothing more must be carried, and `results` are the next trip's values. `whole`: nothing of the trip was refused."""
        reader, self.leaves.changed = self.reader, False
        if reader.raised:
            reader.restore(self.start)  # such a trip never ends
        if not self._began_right() and self.forget_guess(wrong=True):
            return False
        self._note_error()
        end = TripEnd(reader, self.before, self.leaves, self.start, self.vars, index=self.index, may_grow=self.may_grow)
        self.found = end.found
        self._find_hidden()
        self.exchanges.find(self.start, self.found)
        end.compare(self.exchanges.all_bases())
        self._note_ends()
        if self.guess is not None and self.guess.has_grown(self.leaves.plan) and self.forget_guess():
            return False
        self.guess, self.made = None, LastArrays()
        if whole:
            self.lists.give_up(self.leaves, self.vars, self.found)
        group_aliases(self.before, self.leaves, self.exchanges, end, reader.state())
        if self.leaves.changed:
            if self.readings > MOST_READINGS:
                raise reader.unsupported("a loop whose variables change their structure or size in every trip", "keep their shapes the same")
            self._sort()
            return False
        self.results = (*((following,) if following is not None else ()), *map(end.next, self.leaves.plan))
        reader.session.attempts[self.key] = LastTime.of(self.leaves, self.before, reader.state())
        self.lists.remember(self.vars)
        return True

    def _began_right(self) -> bool:
        """At the end of a first reading: whether it shows what it was begun with."""
        guessed = self.guess is None or self.guess.is_right(self.vars, self.leaves.cells.values())
        return guessed and self.made.are_made(self.before, self.leaves, self.reader.state())

    def _note_ends(self) -> None:
        """What else a scalar is in Python at the end of a trip: u = 0.5 before the loop, u = 1 in it."""
        for path, leaf in self.leaves.plan.items():
            end = self.found.get(path)
            if leaf.kind != "scalar" or not (is_atom(end) or is_number(end)) or not self._is_doubted(path):
                continue
            types = types_of(self.reader.builder, as_atom(self.reader, end))
            self.leaves.add_ends(path, types - self._types_before(path))

    def _find_hidden(self) -> None:
        """Arrays from outside that the body was the first to store into."""
        known = frozenset(self.before.refs)
        found = tuple(ref for ref in self.reader.heap if isinstance(ref, Cell) and ref.initial is not None and ref not in known)
        if found:
            self.before.refs += found
            self.leaves.changed = True

    # ---- the loop itself -----------------------------------------------------------------------------------------------

    def flags(self) -> list[Atom]:
        """The carried flags that end the loop."""
        return [self.vars[(signal,)] for signal in (BROKE, RETURNED, RAISED) if (signal,) in self.vars]

    def init(self, index: Atom | None) -> tuple[Atom, ...]:
        """What is carried into the first trip."""
        values = (
            self.exchanges.initial_place(path[:-1]) if path[-1] is PLACE
            else number_of(self.reader, self.before.value(path[:-1]), self.leaves.selected[path[:-1]]) if path[-1] is WHICH
            else self.before.initial(path, leaf)
            for path, leaf in self.leaves.plan.items()
        )  # fmt: skip
        return (*((index,) if index is not None else ()), *values)

    def outs(self) -> tuple[Var, ...]:
        """The loop's outs."""
        self.out_vars = self.leaves.variables(self.reader)
        return (*((Var("index", self.index.type),) if self.index is not None and self.counts else ()), *self.out_vars.values())

    def finish(self) -> None:
        """The state behind the loop."""
        bound = (path for path, leaf in self.leaves.plan.items() if leaf.kind == "maybe" and self.found.get(path) is True)
        self._install(self.out_vars, frozenset(bound) if self.runs_once else frozenset())
        for path, var in self.out_vars.items():
            end = self.found.get(path)
            if is_atom(end) or is_number(end):
                self._doubt(path, var, types_of(self.reader.builder, as_atom(self.reader, end)))
        self._know_sizes(self.out_vars)
        self._find_error()

    def _note_error(self) -> None:
        """At a trip's end: what it has raised."""
        names = self.reader.frame.names
        self.error = names.get(ERROR) if ERROR_PARTS in self.before.names and names[RAISED] is not False else None
        if self.error is not None and (parts := run_time_parts(self.error)):
            names[ERROR_PARTS] = parts

    def _find_error(self) -> None:
        """Behind the loop: what a trip of it has raised."""
        names = self.reader.frame.names
        parts = names.pop(ERROR_PARTS, None)
        if not self.reader.telling or names[RAISED] is False:
            return
        if run_time_parts(self.error) == ():
            names[ERROR] = self.error
        elif isinstance(parts, tuple) and not any(isinstance(part, Missing) for part in parts):
            names[ERROR] = with_parts(self.error, iter(parts))
        else:
            names[ERROR] = Missing("an exception that was raised in a loop is looked at behind it", "what it was made with is not carried")

    # ---- both sides ----------------------------------------------------------------------------------------------------

    def _install(self, variables: dict[Path, Var], sure: frozenset[Path]) -> None:
        """Put the carried variables where the names and storages of before the loop stand."""
        Heads(self.reader, self.before, self.leaves, variables, sure).install()
        for cells in self.leaves.groups:
            note_aliases(self.reader, *cells)
        self.reader.parked = self.exchanges.parked(variables)

    def _know_sizes(self, variables: dict[Path, Var]) -> None:
        for var in variables.values():
            if var.type == SIZE and any(var in other.type.shape for other in variables.values()):
                self.reader.builder.know_size(var)

    def _doubt(self, path: Path, var: Var, types: Iterable[Array]) -> None:
        """Note the types that a carried scalar may have: that of before the loop, unless there surely is a trip, and those of trips' ends."""
        if self.leaves.plan[path].kind != "scalar" or not self._is_doubted(path):
            return
        sure = self.runs_once and var is not self.vars.get(path)
        first = frozenset() if sure else self._types_before(path)
        note(self.reader.builder, var, first | frozenset(types))

    def _is_doubted(self, path: Path) -> bool:
        """Whether a scalar was there before the loop, too, or it is the number that a name may hold among other kinds of value."""
        signals = isinstance(path[0], str) and path[0] in SIGNALS
        return not signals and self.before.is_scalar(path) or len(path) == 3 and path[1] is OPTION and path[0] != RESULT

    def _types_before(self, path: Path) -> frozenset[Array]:
        """The types that a scalar may have before the loop; none where it is no scalar there."""
        value = self.before.value(path)
        return frozenset(types_of(self.reader.builder, as_atom(self.reader, value))) if is_atom(value) or is_number(value) else frozenset()
