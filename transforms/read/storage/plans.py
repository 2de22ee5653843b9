"""Which lists and objects are to stand in pools (`pools.py`), as a reading finds that can't go on without."""
from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from s2s.errors import UnsupportedError
from s2s.records import dataclass, replace
from s2s.transforms.read.composed import pooled_tables
from s2s.transforms.read.composed.pooled_dicts import PREFIX, PooledDict
from s2s.transforms.read.composed.pooled_lists import FIELDS, PooledList
from s2s.transforms.read.composed.pooled_rows import PooledRow
from s2s.transforms.read.failures import NeedsInline, NotPooledHere, ToBePooled
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.run_time_keys import is_keyed
from s2s.transforms.read.storage.grown import Lengths, Shape
from s2s.transforms.read.syntax import meeting
from s2s.transforms.read.syntax.frame import Frame
from s2s.transforms.read.values import Abstract, DictRef, ListRef, ObjectRef, OneOf, Pooled, View
from s2s.types import Array


@dataclass(frozen=True)
class Plan:
    """What stands in one pool: the objects of a class (`sites` is empty), or the lists that are made at these places.

    `varied`: the attributes that differ between them. `points`: those that are others of a pool, with a class or place of that one.
    `optional`: where one of them is expected there may be None. `late`: attributes that some objects get later than others, or never, with the
    type of number that they are; a column of its own says which have them (`flag_of`). `maybe`: attributes that are a number or a tuple in some
    objects, None in others. `several`: attributes that are objects of one class in some, of another class or a number in others (the leaves and
    nodes of a tree), as items of several kinds in one list (`kinds_of_items.py`).
    """

    kind: type
    sites: frozenset[Hashable] = frozenset()
    varied: frozenset[str] = frozenset()
    points: frozenset[tuple[str, Hashable]] = frozenset()
    optional: bool = False
    late: frozenset[tuple[str, Array]] = frozenset()
    maybe: frozenset[str] = frozenset()
    several: frozenset[str] = frozenset()

    def with_late(self, name: str, type_: Array) -> Plan:
        """The plan where only some objects have this attribute."""
        return replace(self, varied=self.varied | {name, flag_of(name)}, late=self.late | {(name, type_)})

    def with_maybe(self, name: str) -> Plan:
        """The plan where this attribute is None in some objects."""
        return replace(self, varied=self.varied | {name}, maybe=self.maybe | {name})

    def with_several(self, name: str) -> Plan:
        """The plan where this attribute is of several kinds."""
        return replace(self, varied=self.varied | {name}, several=self.several | {name})

    @property
    def key(self) -> Hashable:
        """What others name it by."""
        return next(iter(self.sites)) if self.sites else self.kind

    @property
    def origin(self) -> Hashable:
        """Where its table is made, as lists of run-time length have it."""
        return ("pool", self.kind, *sorted(map(str, self.sites)))

    def is_for(self, key: Hashable) -> bool:
        """Whether it is the pool that is named so."""
        return key in self.sites or not self.sites and key is self.kind


def lengths_key(type_: Array) -> Hashable:
    """What a pool of arrays of several lengths is named by: one for a dtype and a number of axes."""
    return ("lengths", type_.dtype.name, type_.ndim)


def flag_of(name: str) -> str:
    """The column that says which objects have an attribute."""
    return f"{name} is set"


def joined_plans(plans: tuple[Plan, ...], new: Iterable[Plan]) -> tuple[Plan, ...]:
    """The plans with others: those that share a class or place are one."""
    found = list(plans)
    for plan in new:
        same = [each for each in found if _family(each.kind) is _family(plan.kind) and (not plan.sites and not each.sites or plan.sites & each.sites)]
        for each in same:
            kind, varied = _of_both(plan, each)
            plan = Plan(kind, plan.sites | each.sites, varied, plan.points | each.points, plan.optional or each.optional, plan.late | each.late, plan.maybe | each.maybe, plan.several | each.several)
        place = min((found.index(each) for each in same), default=len(found))
        found = [each for each in found if each not in same]
        found.insert(place, plan)
    return tuple(found)


def _family(kind: type) -> type:
    """The same for lists, whichever way they are held."""
    return PooledList if kind is PooledRow else kind


def _of_both(one: Plan, two: Plan) -> tuple[type, frozenset[str]]:
    """What stands in the pool of two plans, and what differs: lists of numbers of several kinds have an attribute for each place."""
    varied = one.varied | two.varied
    return (PooledRow, varied - set(FIELDS)) if PooledRow in (one.kind, two.kind) else (one.kind, varied)


def again(reader: Reader, what: str, *plans: Plan) -> ToBePooled:
    """What ends this reading."""
    return ToBePooled(reader.unsupported(what, "arrays, and the number of each"), with_those_met(reader, plans))



def plans_of(*values: Abstract) -> tuple[Plan, ...]:
    """The plans by which these values, and what tuples among them hold, would stand in pools."""
    found: list[Plan] = []
    for value in values:
        match value:
            case tuple():
                found += plans_of(*value)
            case OneOf():  # None, or an object that is made on one path
                found += _alternatives(value.options)
            case Pooled():
                found.append(value.pool.plan)
            case ListRef() if type(value) is ListRef and value.origins:
                found.append(Plan(PooledList, value.origins, frozenset(FIELDS)))
            case DictRef() if type(value) is DictRef and value.kind is dict and value.origins:
                found.append(Plan(PooledDict, value.origins))
            case DictRef() | ObjectRef() if value.tables:
                found.append(Plan(pooled_tables.kind_for(value.kind), value.tables, frozenset(pooled_tables.FIELDS)))
            case ObjectRef() if not value.kind.__module__.startswith("s2s."):
                found.append(Plan(value.kind))
    return tuple(found)


def _alternatives(values: Sequence[Abstract]) -> tuple[Plan, ...]:
    """The plans of what a place may hold: where that may be None, too, an object of the pool may be none."""
    plans = plans_of(*values)
    return tuple(replace(plan, optional=True) for plan in plans) if any(value is None for value in values) else plans


def array_plans(*arrays: View) -> tuple[Plan, ...]:
    """The plan by which these arrays would stand in one pool, all of which the function makes; nothing where one is not."""
    sites = [array.cell.sites or frozenset((None,)) for array in arrays]
    found = frozenset[Hashable]().union(*sites)
    return () if not found or None in found else (Plan(np.ndarray, found),)


def pool_of_rows(reader: Reader, ref: Abstract) -> Any:
    """The pool whose rows stand in this list; None of another list."""
    return next((pool for pool in reader.session.pools if pool.rows is ref), None)


def check_here(reader: Reader, pool: Any) -> None:
    """A function of its own is read in place where it makes or looks at what stands in a pool."""
    if pool.rows in reader.heap:
        return
    if reader.can_be_inlined:
        raise NeedsInline
    what = "an array in a list of arrays of several sizes" if pool.kind is Lengths else f"a {pool.kind.__name__} of which only the run knows which one it is"
    what = f"{what}, in a function that is transformed inside of another one"
    raise NotPooledHere(what, where=reader.builder.where, instead="arrays, and the number of each")


def with_those_met(reader: Reader, plans: tuple[Plan, ...]) -> tuple[Plan, ...]:
    """The plans with those of the lists and dicts that surely meet those of these (`syntax/meeting.py`)."""
    lists, dicts = (frozenset(site for plan in plans if _family(plan.kind) is kind for site in plan.sites) for kind in (PooledList, PooledDict))
    found = [Plan(PooledList, group, frozenset(FIELDS)) for group in _groups(reader, lists)] if lists else []
    return (*plans, *found, *(_nodes(reader, dicts) if dicts else ()))


def _nodes(reader: Reader, sites: frozenset[Hashable]) -> Iterable[Plan]:
    """The dicts that the recursions give which are being read, of which one is among these."""
    frame: Frame | None = reader.frame
    while frame is not None:
        found = meeting.nodes_in_loop(frame.tree) if frame.tree.given else None
        if found is not None and found.places & sites:
            keys, others = (frozenset(PREFIX + key for key in keys) for keys in (found.keys, found.of_others))
            yield Plan(PooledDict, frozenset(found.places), keys | others, frozenset((key, min(found.places, key=str)) for key in others), optional=found.may_be_none)
        frame = frame.caller


def _groups(reader: Reader, sites: frozenset[Hashable]) -> Iterable[frozenset[Hashable]]:
    """Places whose lists meet, in the functions that are being read: all of a recursion of which one is among these, those of a dict that has one of them."""
    frame: Frame | None = reader.frame
    while frame is not None:
        if frame.tree.given:
            found = meeting.in_loop(frame.tree)
            yield from found if any(each & sites for each in found) else ()
        elif frame.tree.at is None:
            held = (meeting.in_dict(frame.tree, name) for name in meeting.dicts(frame.tree) if is_keyed(frame.find(name)))
            yield from (each for each in held if each & sites)
        frame = frame.caller


def refused(reader: Reader, error: UnsupportedError, *values: Abstract) -> UnsupportedError:
    """What is raised where these values, each of which may be at a place, can't be what they are known as: they may be in a pool."""
    plans = () if reader.unrollable or _differ_in_keys(reader, values) else _lasting(reader, (*_alternatives(values), *_one_of_lists(values)))
    new = joined_plans(reader.session.pooled, plans) != reader.session.pooled
    return ToBePooled(error, with_those_met(reader, plans)) if new else error


def _differ_in_keys(reader: Reader, values: Sequence[Abstract]) -> bool:
    """Whether dicts that would stand for each other have other keys: such are tables of run-time keys, or dicts that hold others, as the nodes of trees do."""
    tuples = [value for value in values if isinstance(value, tuple)]
    if tuples and len(tuples) == len(values) and len({len(value) for value in tuples}) == 1:
        return any(_differ_in_keys(reader, column) for column in zip(*tuples, strict=True))
    dicts = [reader.heap[value] for value in values if type(value) is DictRef and value.origins and value in reader.heap]
    return len({frozenset(each) for each in dicts}) > 1 and not any(map(holds_others, dicts))


def holds_others(content: Any) -> bool:
    """Whether a dict holds other ones."""
    return isinstance(content, dict) and any(isinstance(each, DictRef | Pooled) for value in content.values() for each in (value.options if isinstance(value, OneOf) else (value,)))


def _one_of_lists(values: tuple[Abstract, ...]) -> tuple[Plan, ...]:
    """Of lists that may each stand for another one: the plan of one pool for all."""
    plans = [plan for value in values if isinstance(value, ListRef | DictRef | Pooled) for plan in plans_of(value)]
    if len(plans) < len(values) or not all(plan.sites for plan in plans) or len({_family(plan.kind) for plan in plans}) > 1:
        return ()
    return (Plan(plans[0].kind, frozenset[Hashable]().union(*(plan.sites for plan in plans)), frozenset[str]().union(*(plan.varied for plan in plans))),) if plans else ()


def _lasting(reader: Reader, plans: tuple[Plan, ...]) -> tuple[Plan, ...]:
    """Those that the next reading can follow: a class that is made in a loop or branch of the function is another one then."""
    return tuple(plan for plan in plans if plan.kind not in reader.session.made or plan.kind in reader.session.lasting)


def refused_at(reader: Reader, error: UnsupportedError, sites: frozenset[Hashable]) -> UnsupportedError:
    """The same, of lists that are made at these places."""
    plans = (Plan(PooledList, sites, frozenset(FIELDS)),) if sites and not reader.unrollable else ()
    return ToBePooled(error, with_those_met(reader, plans)) if joined_plans(reader.session.pooled, plans) != reader.session.pooled else error


def of_any_length(reader: Reader, error: UnsupportedError, types: Iterable[Array]) -> UnsupportedError:
    """The same, of arrays of these types that a list can't hold as rows of one size."""
    if isinstance(error, ToBePooled):
        return error
    plans = () if reader.unrollable else tuple(Plan(Lengths, frozenset((lengths_key(type_),))) for type_ in types if type_.shape)
    return ToBePooled(error, plans) if joined_plans(reader.session.pooled, plans) != reader.session.pooled else error


def refused_beside(reader: Reader, error: UnsupportedError, shape: int | Shape, item: Abstract) -> UnsupportedError:
    """The same, of an item of a list whose other items have this shape: what meets there stands in one pool."""
    plans = () if reader.unrollable else _lasting(reader, tuple(_meeting(reader, shape, item)))
    new = joined_plans(reader.session.pooled, plans) != reader.session.pooled
    return ToBePooled(error, with_those_met(reader, plans)) if new else error


def _meeting(reader: Reader, shape: int | Shape, item: Abstract) -> Iterable[Plan]:
    if isinstance(shape, Shape) and shape.kind is Pooled:
        assert shape.keys is not None
        own: Plan = shape.keys[0].plan
        others = plans_of(item) if own.kind is not np.ndarray else array_plans(item) if isinstance(item, View) else ()
        yield from others
        for other in others:
            if own.sites and other.sites:
                yield Plan(own.kind, own.sites | other.sites, own.varied)
    elif isinstance(shape, Shape) and isinstance(item, tuple) and len(item) == len(shape.parts):
        for part, each in zip(shape.parts, item, strict=True):
            yield from _meeting(reader, part, each)
    else:
        yield from (others := plans_of(item))
        if others and _family(others[0].kind) is PooledList and isinstance(shape, Shape) and shape.kind is list and reader.session.kept:  # lists of another length, made where those are that lists hold
            yield replace(others[0], sites=others[0].sites | reader.session.kept)
        if others and isinstance(shape, Shape) and shape.keys is not None and shape.kind is not dict and not shape.kind.__module__.startswith("s2s."):
            yield Plan(shape.kind)  # objects of another class


__all__ = ["Plan", "again", "joined_plans", "lengths_key", "of_any_length", "plans_of", "refused", "refused_at", "refused_beside"]
