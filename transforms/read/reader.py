"""`Reader`: reads one program Function. It holds the state: builder, frame, heap; the modules beside it hold the rules.

    reader.rules.evaluate(node)      what the rules ask of the whole language (`language.Rules`)
    branch = reader.fork()           a path: what is read `inside` of it does not touch this one
    reader.checkpoint(), rollback    a trial
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any

import libcst as cst

from s2s.errors import Location, S2SError, UnsupportedError
from s2s.outside import Access
from s2s.records import dataclass, field
from s2s.transforms.ir.build import Builder
from s2s.transforms.primitives import sizes
from s2s.transforms.primitives.value import Value
from s2s.transforms.read import known_sets
from s2s.transforms.read.language import Rules
from s2s.transforms.read.state import Branch, Checkpoint, Parked, State
from s2s.transforms.read.syntax.frame import Frame, Session
from s2s.transforms.read.values import (
    Abstract,
    Cell,
    DequeRef,
    DictRef,
    Heap,
    ListRef,
    SetRef,
)
from s2s.types import Atom, Var, dim_atom

Language = Callable[["Reader"], Rules]


class _At:
    """While a node is read: its location stands on what is built and raised. (A class of its own: it is entered for each expression.)"""

    __slots__ = ("before", "node", "reader", "tree")

    def __init__(self, reader: Reader, node: cst.CSTNode) -> None:
        self.reader, self.tree, self.node = reader, reader.frame.tree, node

    @property
    def where(self) -> Location:
        return self.tree.where(self.node)

    def __enter__(self) -> None:
        builder = self.reader.builder
        self.before, builder.place = builder.place, self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        builder = self.reader.builder
        if isinstance(error, Exception):
            error.__dict__.setdefault("read_at", builder.where)  # the innermost place is told
        builder.place = self.before


@dataclass(eq=False)
class Reader:
    """Reads one program Function; `hidden` are its extra parameters by the steps to their objects."""

    session: Session
    builder: Builder
    frame: Frame
    language: Language
    """Makes the rules for a reader."""
    heap: Heap = field(default_factory=Heap)
    aliases: dict[Cell, frozenset[Cell]] = field(default_factory=dict)
    parked: Parked = field(default_factory=dict)
    written: set[Cell] = field(default_factory=set)
    """Storages into which there was a store, on any path."""
    in_order: dict[Cell, bool] = field(default_factory=dict)
    """The caller's arrays that are taken to lie in C order; True: whether or not they are written into."""
    raised: bool = False
    excluded: dict[Atom, frozenset[int]] = field(default_factory=dict)
    errors: list[S2SError] = field(default_factory=list)
    hidden: dict[Access, Var] = field(default_factory=dict)
    hidden_views: dict[Access, Abstract] = field(default_factory=dict)
    regions: int = 0
    """How many run-time regions are open: 0 means that what is read here runs in every call."""
    is_helper: bool = False
    can_be_inlined: bool = False
    """A helper that is read in place after a NeedsInline."""
    named: set[Var] = field(default_factory=set)
    unrollable: int = 0
    """How many of the loops around are read as loops on trial: if that fails, their few trips are read one by one."""
    over_text: int = 0
    """The same of `while` loops that may go through a text: trip by trip their positions in it are known, and so is what is made of its parts."""
    unsure: int | None = None
    """How many positions were read that may be out of bounds, and errors that are caught, where someone asks (`made_of.effects`)."""
    catching: tuple[tuple[type, ...], ...] = ()
    """What the `try` statements around catch, innermost last."""
    telling: bool = False
    """Whether an except clause around looks at what it catches."""
    pending: list[Any] = field(default_factory=list)
    """Errors that the statement that is read has met, and that are caught (`flow/caught.Pending`)."""
    sent: Any = None
    """What the generator is sent that is asked for its next item (`flow/generators.py`)."""
    given_back: Any = None
    """What the generator returned that gave its last item just now."""
    handling: tuple[Any, ...] = ()
    """The numbers of what the except clauses around handle."""
    trip_began: int = 0
    """The moment at which the reading of the innermost trip began: what is older is the same in all trips."""
    in_place: tuple[Any, ...] = ()
    """The generators that are being read in the place of a loop (`flow/in_place.py`)."""
    recursion_guard: int = 0
    """How many calls are being read in place."""

    @property
    def rules(self) -> Rules:
        """What the rules ask of the language. It is made anew each time: a reader that held it would live until Python next looks for cyclic garbage."""
        return self.language(self)

    def nested(self, frame: Frame, builder: Builder, *, can_be_inlined: bool = False) -> Reader:
        """A reader of another function, in the same session and language: what is known of whole numbers is known of the session."""
        builder.told = self.session.told
        return Reader(self.session, builder, frame, self.language, is_helper=True, can_be_inlined=can_be_inlined)

    # ---- places and errors ------------------------------------------------------------------------------------------

    def where(self, node: cst.CSTNode) -> Location:
        return self.frame.tree.where(node)

    def at(self, node: cst.CSTNode) -> _At:
        """Put the node's location on what is built and raised inside."""
        return _At(self, node)

    def unsupported(self, what: str, instead: str = "", why: str = "") -> UnsupportedError:
        """An error at the current place."""
        return UnsupportedError(what, where=self.builder.where, why=why, instead=instead)

    # ---- state ------------------------------------------------------------------------------------------------------

    def state(self) -> State:
        return State(self.frame.names, self.heap, self.aliases, self.parked, self.raised, self.excluded)

    def restore(self, state: State) -> None:
        self.frame.names, self.heap, self.aliases, self.parked = state.names, state.heap, state.aliases, state.parked
        self.raised, self.excluded = state.raised, state.excluded

    def fork(self) -> Branch:
        """A branch that starts from the current state."""
        return Branch(self.builder.inside(), self.state().copy())

    @contextmanager
    def inside(self, branch: Branch) -> Iterator[None]:
        """Read in a branch; what it did is in the branch afterwards, and this state is as before."""
        before, builder, where = self.state(), self.builder, self.builder.where
        self.restore(branch.state)
        self.builder = branch.builder
        self.builder.where = where
        self.regions += 1
        pending = len(self.pending)
        try:
            yield
            if len(self.pending) > pending:
                self.rules.settle(pending)
        except Exception as error:
            error.on_path = True  # type: ignore[attr-defined]
            raise
        finally:
            del self.pending[pending:]
            branch.state = self.state()
            self.restore(before)
            self.builder = builder
            self.regions -= 1

    @contextmanager
    def trial(self) -> Iterator[list[S2SError]]:
        """Collect errors apart."""
        before, self.errors = self.errors, []
        try:
            yield self.errors
        finally:
            self.errors = before

    @contextmanager
    def alternative(self) -> Iterator[None]:
        """Read what is read otherwise where something is refused in it."""
        self.session.on_trial += 1
        try:
            yield
        finally:
            self.session.on_trial -= 1

    def checkpoint(self) -> Checkpoint:
        """What `rollback` needs."""
        builder = self.builder
        notes = (dict(builder.normal.maps[0]), dict(builder.numbered.maps[0]), builder.facts.copy())
        return Checkpoint(self.state().copy(), len(builder.nodes), notes, len(self.pending), self.unsure)

    def rollback(self, checkpoint: Checkpoint) -> None:
        """Forget what was read in this block since the checkpoint."""
        builder = self.builder
        self.restore(checkpoint.state.copy())
        self.unsure = checkpoint.unsure
        del builder.nodes[checkpoint.nodes :], self.pending[checkpoint.pending :]
        mappings: tuple[dict[Any, Any], ...] = (builder.normal.maps[0], builder.numbered.maps[0])  # type: ignore[assignment]
        for mapping, before in zip(mappings, checkpoint.notes, strict=False):
            mapping.clear()
            mapping.update(before)
        builder.facts = checkpoint.notes[2].copy()

    # ---- atoms ------------------------------------------------------------------------------------------------------

    def value(self, atom: Atom | int) -> Value:
        """An atom as a Value of the current block."""
        return Value(self.builder, dim_atom(atom) if isinstance(atom, int) else atom)

    # ---- containers --------------------------------------------------------------------------------------------------

    def new_list(self, items: Any) -> ListRef:
        ref = ListRef()
        self.heap[ref] = tuple(items)
        return ref

    def new_like(self, ref: ListRef, items: Any) -> ListRef:
        """A list, or a deque where `ref` is one, of other items."""
        made = DequeRef(maxlen=ref.maxlen) if isinstance(ref, DequeRef) else ListRef()
        self.heap[made] = tuple(items)
        return made

    def new_dict(self, items: dict[Any, Abstract], kind: type = dict) -> DictRef:
        ref = DictRef(kind=kind)
        self.heap[ref] = dict(items)
        return ref

    def new_set(self, items: Any) -> SetRef:
        """A set of items that are known, as Python's own objects, which are put in one after the other."""
        return self.new_set_of(known_sets.of_items(items))

    def new_set_of(self, content: known_sets.SetItems) -> SetRef:
        """A set that holds this."""
        ref = SetRef()
        self.heap[ref] = content
        return ref

    def name_var(self, atom: Atom, name: str) -> None:
        """Give a Var the user's name, unless it has one."""
        if isinstance(atom, Var) and name and atom not in self.named:
            self.named.add(atom)
            atom.name = name

    def plus(self, a: Atom | int, b: Atom | int) -> Atom:
        """a + b of sizes."""
        return sizes.plus(self.builder, a, b)
