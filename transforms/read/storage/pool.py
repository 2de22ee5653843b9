"""`Pool`: the objects of a class, or the lists that are made at some places, in one reading, with what is known of them so far."""
from __future__ import annotations

import re

from s2s.records import dataclass, field
from s2s.transforms.read.composed.pooled_dicts import PREFIX, PooledDict
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage import ragged
from s2s.transforms.read.storage.grown import Lengths
from s2s.transforms.read.storage.plans import Plan
from s2s.transforms.read.values import Abstract, ListRef


@dataclass(eq=False)
class Pool:
    """The pool of a plan in one reading. `rows`: a list of tuples, of what differs between the objects; `known`: what is the same for all."""

    plan: Plan
    names: tuple[str, ...]
    rows: ListRef
    known: dict[str, Abstract]
    held: tuple[str, ...] | None = None
    """The attributes that the objects have, in the order in which the first got them."""
    points: dict[str, Pool] = field(default_factory=dict)
    nothing: set[str] = field(default_factory=set)
    """Attributes that are None in an object, and of which it is not known yet what they are in others."""
    lacking: set[str] = field(default_factory=set)
    """Keys that a dict has not, and of which it is not known yet what they are in others."""
    asked: set[str] = field(default_factory=set)
    """Those that were looked at as numbers or arrays."""

    @property
    def kind(self) -> type:
        return self.plan.kind

    def is_new(self, reader: Reader) -> bool:
        """Whether nothing was put in or asked of it so far in this reading."""
        return self.held is None and not self.asked and not self.nothing and reader.heap.get(self.rows) == ()

    def points_as_planned(self, pools: list[Pool]) -> None:
        """Find the pools in which the objects are that its attributes are, each of one of them."""
        planned = {name: next(each for each in pools if each.plan.is_for(key)) for name, key in self.plan.points}
        self.points = {name: pool for name, pool in {**self.points, **planned}.items() if name not in self.plan.several}

    def widen(self, plan: Plan, pools: list[Pool]) -> None:
        """Be for another plan, as if it had been begun so."""
        self.plan, self.names, self.held = plan, tuple(sorted(plan.varied)), None
        self.rows.columns = columns_of(plan)
        self.points_as_planned(pools)
        self.nothing.clear()
        self.lacking.clear()
        self.asked.clear()


def columns_of(plan: Plan) -> tuple[str, ...]:
    """What the columns are called in the program."""
    if plan.kind is Lengths:
        return ragged.NAMES[:1]
    if plan.kind is PooledDict:
        return tuple(re.sub(r"\W", "_", name.removeprefix(PREFIX)) for name in sorted(plan.varied))
    return tuple(sorted(plan.varied)) if plan.sites else tuple(f"{plan.kind.__name__.lower()}_{name.strip('_').replace(' ', '_')}" for name in sorted(plan.varied))
