"""What a reading of a function finds out for the next one.

A function is read from its first line again where something turns out to be another thing than it was taken for: a list gets items of another type,
a dict a key that only the run knows, a function calls itself. What is known then is given to the next reading, in its `Session`.
"""
from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import field
from typing import Any

import numpy as np

from s2s.errors import Location, S2SError, UnsupportedError
from s2s.records import dataclass, replace
from s2s.transforms.read.calls.taken import new_ref
from s2s.transforms.read.failures import (
    CallsItself,
    Found,
    MayBeAnother,
    MoreTexts,
    NoEnd,
    NotPooledHere,
    OtherItems,
    OtherSizes,
    Recorded,
    RunTimeKeys,
    StoredOutside,
    TakenByTurns,
    ToBePooled,
)
from s2s.transforms.read.storage.grown import Template
from s2s.transforms.read.storage.plans import joined_plans
from s2s.transforms.read.storage.shapes_of_items import by_plans, nested
from s2s.transforms.read.syntax.frame import Session, Taken
from s2s.types import Array, Var

Items = Mapping[Hashable, Any]


@dataclass(frozen=True)
class Storage:
    """What lists, dicts, arrays and things outside turned out to be (as in `Session`): of the function as it was read, so that it is forgotten where that changes."""

    items: Items = field(default_factory=dict)
    apart: frozenset[Hashable] = frozenset()
    keyed: frozenset[Hashable] = frozenset()
    texts: tuple[str, ...] = ()
    by_turns: frozenset[Location] = frozenset()
    taken: Mapping[int, Taken] = field(default_factory=dict)
    pooled: tuple[Any, ...] = ()


class Learnt:
    """All that the readings of a function so far have shown."""

    def __init__(self, params: tuple[Var, ...], *, takes_beside: bool = True) -> None:
        self.params = params
        self.takes_beside, self.took_beside = takes_beside, False
        """Whether what is likely to be stored into is taken in with what is, and whether there was any."""
        self.storage = self.before_loops = Storage()
        self.records: dict[Hashable, bool] = {}
        self.classes: dict[Hashable, type] = {}
        self.looped: frozenset[Location] = frozenset()
        """Functions that call themselves, read as loops with a stack."""
        self.not_looped: dict[Location, S2SError] = {}
        """Those of which no loop could be made, and why."""
        self.by_trips: S2SError | None = None
        """What was refused of loops as loops: they are read trip by trip since."""
        self.by_loop: S2SError | None = None
        """What was refused of such functions as loops from the first call on: that one is read apart since."""
        self.refused: set[str] = set()
        self.to_be_pooled: S2SError | None = None
        """What was refused of the lists and objects that stand in pools since."""
        self.would_settle = False
        """Whether any reading so far came to whole numbers that are computed of known ones and were not asked for."""
        self.settles = any(param.type.told is not None for param in params)
        self.sizes_outside = False
        self.has_open_sizes = any(isinstance(dim, Var) for param in params for dim in param.type.shape)
        self.open_numbers = frozenset(param for param in params if not param.type.shape and param.type.dtype.kind in "biu")

    def session(self, **around: Any) -> Session:
        """The next reading's; `around`: what it shares with the one that it stands in."""
        found = self.storage
        return Session(
            items=dict(found.items), apart=found.apart, keyed=found.keyed, texts={text: number for number, text in enumerate(found.texts)}, taken=dict(found.taken), pooled=found.pooled, by_turns=found.by_turns,
            records=self.records, classes=self.classes, looped=self.looped, not_looped=self.not_looped, refused=self.refused, by_trips=self.by_trips is not None, first_calls_apart=self.by_loop is not None,
            settles=self.settles, sizes_outside=self.sizes_outside, has_open_sizes=self.has_open_sizes, open_numbers=self.open_numbers, **around,
        )  # fmt: skip

    def learn(self, error: S2SError, session: Session) -> Learnt:
        """Note why a reading ended; what the next one begins with. Raises what another reading would come to, too."""
        try:
            self._note(error, session)
        except S2SError:
            if not self.took_beside:
                raise
            return Learnt(self.params, takes_beside=False)
        return self

    def _note(self, error: S2SError, session: Session) -> None:
        self.would_settle |= session.would_settle
        if isinstance(error, NotPooledHere) and self.to_be_pooled is not None:
            raise self.to_be_pooled from None
        error = _without_end(error) if isinstance(error, OtherItems) else error
        error = error.refusal if isinstance(error, TakenByTurns) and error.places <= self.storage.by_turns else error
        for kind, note in _NOTES.items():
            if isinstance(error, kind):
                self.storage = replace(self.storage, pooled=session.pooled)  # the first object of a pool may have told more of it
                note(self, error)
                return
        self._read_otherwise(error, session)

    # ---- what turned out to be another thing ---------------------------------------------------------------------------

    def _other_items(self, error: OtherItems) -> None:
        items = self.storage.items
        if all(by_plans(items.get(origin)) == by_plans(type_) for origin, type_ in error.types.items()):
            raise error
        others = {origin[0] for origin, type_ in error.types.items() if not isinstance(type_, Array) and isinstance(origin, tuple)}  # columns are others then
        left = {key: type_ for key, type_ in items.items() if not (isinstance(key, tuple) and key[0] in others)}
        self.storage = replace(self.storage, items={**left, **error.types})

    def _more_texts(self, error: MoreTexts) -> None:
        self.storage = replace(self.storage, texts=error.texts)

    def _run_time_keys(self, error: RunTimeKeys) -> None:
        if error.places <= self.storage.keyed:
            raise error
        self.storage = replace(self.storage, keyed=self.storage.keyed | error.places, items=self._lasting(error.places))

    def _taken_by_turns(self, error: TakenByTurns) -> None:
        self.storage = replace(self.storage, by_turns=self.storage.by_turns | error.places)

    def _recorded(self, error: Recorded) -> None:
        if all(place in self.records and (self.records[place] is error.as_record or not self.records[place]) for place in error.places):
            raise error
        self.records = {**self.records, **dict.fromkeys(error.places, error.as_record)}
        self.storage = replace(self.storage, items={})

    def _to_be_pooled(self, error: ToBePooled) -> None:
        plans = joined_plans(self.storage.pooled, error.plans)
        if plans == self.storage.pooled:
            raise error.refusal from None
        self.to_be_pooled = error.refusal
        sites = frozenset(site for plan in plans for site in plan.sites)
        self.storage = replace(self.storage, pooled=plans, items=self._lasting(sites))

    def _may_be_another(self, error: MayBeAnother) -> None:
        if error.places <= self.storage.apart:
            raise error
        self.storage = replace(self.storage, apart=self.storage.apart | error.places)

    def _stored_outside(self, error: StoredOutside) -> None:
        known = self.storage.taken
        beside = [each for each in error.beside if id(each[0]) not in known] if self.takes_beside else []
        self.took_beside |= bool(beside)
        taken = _taken(known, [*error.found, *beside])
        if {key: each.names for key, each in known.items()} == {key: each.names for key, each in taken.items()}:
            raise error.refusal from None
        self.storage = replace(self.storage, taken=taken)

    def _lasting(self, others: frozenset[Hashable]) -> Items:
        """What is known of lists of single numbers, where what is made at some places is another thing now: columns and items that hold such are others then, too."""
        gone = {None, *others}
        return {key: type_ for key, type_ in self.storage.items.items() if isinstance(type_, Array) and not type_.shape and _place(key) not in gone}

    # ---- other ways to read it -----------------------------------------------------------------------------------------

    def _calls_itself(self, error: CallsItself) -> None:
        if not self.looped:
            self.before_loops = self.storage
        self.looped |= {error.place}

    def _read_otherwise(self, error: S2SError, session: Session) -> None:
        """After an error that tells nothing of what to take for what: read with more of the call known, or without what was tried."""
        if isinstance(error, OtherSizes) and session.has_open_sizes or isinstance(error, NoEnd) and error.may_be_told:
            raise error
        if self.looped:
            self._after_loops(error, session)
        else:
            self._with_more_known(error, session)
        self.storage = self.before_loops

    def _with_more_known(self, error: S2SError, session: Session) -> None:
        is_refused = isinstance(error, UnsupportedError)
        if is_refused and not self.settles and self.would_settle:
            self.settles = True
        elif is_refused and not self.sizes_outside and _has_sizes_outside(session):
            self.sizes_outside = True
        elif self.by_trips is not None:
            raise self.by_trips from None
        elif is_refused and session.has_known_trips:
            self.by_trips = error
        else:
            raise error

    def _after_loops(self, error: S2SError, session: Session) -> None:
        if self.by_loop is None and session.has_first_calls and isinstance(error, UnsupportedError):
            self.by_loop = error
            return
        self.not_looped = {**self.not_looped, **dict.fromkeys(self.looped, self.by_loop or error)}
        self.looped, self.by_loop = frozenset(), None


_NOTES: dict[type[S2SError], Callable[[Learnt, Any], None]] = {
    OtherItems: Learnt._other_items, MoreTexts: Learnt._more_texts, RunTimeKeys: Learnt._run_time_keys, Recorded: Learnt._recorded, ToBePooled: Learnt._to_be_pooled,  # noqa: SLF001
    MayBeAnother: Learnt._may_be_another, StoredOutside: Learnt._stored_outside, CallsItself: Learnt._calls_itself, TakenByTurns: Learnt._taken_by_turns,  # noqa: SLF001
}  # fmt: skip
"""Why a reading ended, and what is learnt of it."""


def _without_end(error: OtherItems) -> UnsupportedError:
    """The error; a refusal where items hold what may be None or another such, again and again: each reading would find one more in it."""
    if max(nested(each.shape) if isinstance(each, Template) else 0 for each in error.types.values()) <= MOST_NESTED:
        return error
    return UnsupportedError(
        "a list of tuples, lists or dicts that hold others like themselves, as the nodes of a tree do", where=error.where,
        instead="objects of a class, or lists of numbers beside each other: left[k], right[k]", why="they would have no end as columns of numbers",
    )  # fmt: skip


MOST_NESTED = 2
"""How often what items hold may be one thing or another inside of what may be one thing or another."""


def _place(key: Hashable) -> Hashable:
    """Where a list of single numbers is made; None of columns."""
    return key[0] if isinstance(key, tuple) and isinstance(key[0], Location) and isinstance(key[1], str) else None


def _has_sizes_outside(session: Session) -> bool:
    """Whether another reading may know the sizes of arrays outside: it knows those of all arguments."""
    return not session.has_open_sizes and any(size != 1 for value in session.hidden_types.values() for size in np.shape(value))


def _taken(known: Mapping[int, Taken], stored: Iterable[Found]) -> dict[int, Taken]:
    """What is to be taken in by the next reading."""
    found = {key: replace(each, ref=new_ref(each.thing, is_globals=each.is_globals)) for key, each in known.items()}
    for thing, steps, name, is_globals in stored:
        own = frozenset[str]() if name is None else frozenset((name,))
        names = found[id(thing)].names | own if id(thing) in found else own
        found[id(thing)] = Taken(thing, found[id(thing)].steps if id(thing) in found else steps, names, is_globals, new_ref(thing, is_globals=is_globals))
    return found


__all__ = ["Learnt"]
