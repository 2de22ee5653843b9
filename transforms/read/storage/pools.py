"""Lists and objects of which only the run knows which one a name stands for: rows of a table, found by their numbers.

    head = Node(v, head)        value.append(v); next.append(head); head = len(value) - 1
    head.value += 1             value[head] += 1
    head is not None            head >= 0

The first reading refuses what it can't say of such an object (a change of one that is in a list, a name that is one or another). The function
is read again with all objects of that class, or all lists made at these places, in a pool from where they are made: then each is its number, and
names that stand for one object are one number. What differs between the objects is a column; what is the same for all is known.
"""
from __future__ import annotations

import re
from collections.abc import Hashable
from typing import Any

import numpy as np

from s2s.records import dataclass, field, replace
from s2s.transforms.primitives.arithmetic import less
from s2s.transforms.read.composed.pooled_dicts import PREFIX, PooledDict
from s2s.transforms.read.describing import describe
from s2s.transforms.read.failures import ToBePooled
from s2s.transforms.read.numpy.arithmetic import logical_not
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import marked, strong
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage import pooled_arrays, ragged, shapes_of_items, tables
from s2s.transforms.read.storage.grown import Grown, Lengths, Table, Template
from s2s.transforms.read.storage.plans import Plan, again, array_plans, check_here, flag_of, joined_plans, plans_of
from s2s.transforms.read.unset_attributes import unset
from s2s.transforms.read.values import Abstract, ListRef, Missing, OneOf, Packed, Pooled, Ref, View, is_atom, is_number, scalar_type
from s2s.transforms.read.wrapping import as_atom
from s2s.types import BOOL, Array, Atom, Literal, promote, size_literal, zero


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

    def widen(self, plan: Plan, pools: list[Pool]) -> None:
        """Be for another plan, as if it had been begun so."""
        self.plan, self.names, self.held = plan, tuple(sorted(plan.varied)), None
        self.rows.columns = _columns_of(plan)
        self.points.update((name, next(each for each in pools if each.plan.is_for(key))) for name, key in plan.points)
        self.nothing.clear()
        self.lacking.clear()
        self.asked.clear()


def begin(reader: Reader, plans: tuple[Plan, ...], known: Any) -> None:
    """Make the pools, empty, before anything is read. `known`: what each has of its own, of its plan."""
    made = [Pool(plan, tuple(sorted(plan.varied)), ListRef(columns=_columns_of(plan)), known(reader, plan)) for plan in plans]
    reader.heap.update({pool.rows: () for pool in made})
    reader.session.pools.extend(made)
    for pool in made:
        template = reader.session.items.get((pool.plan.origin, "shape"))
        if template is not None:
            _begin_table(reader, pool, (), shapes_of_items.of_pools(reader, template))
        for name, key in pool.plan.points:
            pool.points[name] = next(each for each in made if each.plan.is_for(key))


def begin_apart(reader: Reader) -> None:
    """Make those that a function which is transformed inside of another one may have of its own: of arrays that only its own lists hold."""
    begin(reader, tuple(plan for plan in reader.session.pooled if plan.kind is Lengths), lambda *_: {})


def _columns_of(plan: Plan) -> tuple[str, ...]:
    """What the columns are called in the program."""
    if plan.kind is Lengths:
        return ragged.NAMES[:1]
    if plan.kind is PooledDict:
        return tuple(re.sub(r"\W", "_", name.removeprefix(PREFIX)) for name in sorted(plan.varied))
    return tuple(sorted(plan.varied)) if plan.sites else tuple(f"{plan.kind.__name__.lower()}_{name.strip('_').replace(' ', '_')}" for name in sorted(plan.varied))


def of_kind(reader: Reader, kind: type) -> Pool | None:
    """The pool of a class's objects."""
    return next((pool for pool in reader.session.pools if not pool.plan.sites and pool.kind is kind), None)


def of_site(reader: Reader, site: Hashable) -> Pool | None:
    """The pool of the lists that are made at a place."""
    return next((pool for pool in reader.session.pools if site in pool.plan.sites), None)


# ---- objects ----------------------------------------------------------------------------------------------------------------------


def allocated(reader: Reader, pool: Pool, held: dict[str, Abstract], since: int, itself: Ref | None = None) -> Pooled:
    """One object more. `since`: the moment from which on what was made is the object's own; `itself`: what stood for it while its attributes were set. The first one tells what differs between them, if no earlier reading has."""
    check_here(reader, pool)
    if itself is not None and (own := [name for name, value in held.items() if value is itself]):
        return _allocated_with_itself(reader, pool, held, since, own)
    while pool.is_new(reader):
        before, known = reader.checkpoint(), dict(pool.known)
        try:
            return _put_in(reader, pool, held, since)
        except ToBePooled as error:
            if not _widened(reader, pool, error.plans):
                raise
            pool.known = known
            reader.rollback(before)
    return _put_in(reader, pool, held, since)


def _widened(reader: Reader, pool: Pool, plans: tuple[Plan, ...]) -> bool:
    """Whether this is all that another reading would begin with: the pool, of which nothing has been asked yet, is for another plan from here on."""
    session = reader.session
    wanted = joined_plans(session.pooled, plans)
    others = [plan for plan in wanted if plan not in session.pooled]
    if len(wanted) != len(session.pooled) or len(others) != 1 or others[0].kind is not pool.kind or others[0].sites != pool.plan.sites:
        return False
    session.pooled = wanted
    pool.widen(others[0], session.pools)
    return True


def _put_in(reader: Reader, pool: Pool, held: dict[str, Abstract], since: int) -> Pooled:
    late = _late(pool)
    if pool.kind is PooledDict:
        held = _with_missing_keys(reader, pool, held, late)
    for name, value in held.items():
        if isinstance(value, Missing) and value.test is not None and name not in late and is_atom(value.value):
            raise again(reader, f"a {pool.kind.__name__} that is one of several", pool.plan.with_late(name, value.value.type))
    names = tuple(name for name in held if name not in late)
    if pool.held is not None and set(pool.held) != set(names):
        raise reader.unsupported(f"objects of {pool.kind.__name__} that have different attributes", "the same attributes for all, None where there is nothing")
    pool.held = pool.held or names
    new = frozenset(name for name, value in held.items() if name not in pool.plan.varied and _differs(pool, name, value, since))
    if new:
        points = frozenset((name, value.pool.plan.key) for name in new if isinstance(value := held[name], Pooled))
        raise again(reader, f"a {pool.kind.__name__} that is one of several", replace(pool.plan, varied=pool.plan.varied | new, points=pool.plan.points | points))
    for name, type_ in late.items():
        value = held.get(name, _nothing(pool, name, type_))
        held = {**held, name: value.value if isinstance(value, Missing) else value, flag_of(name): value.test if isinstance(value, Missing) else name in held}
    row = _row(reader, pool, held) or (0,)
    return Pooled(pool, _appended(reader, pool, row))


def _row(reader: Reader, pool: Pool, held: dict[str, Abstract]) -> tuple[Abstract, ...]:
    """What the columns hold of an object. What the attributes want to be otherwise is told of all at once."""
    row: list[Abstract] = []
    ended: list[ToBePooled] = []
    for name in pool.names:
        try:
            row.append(_encoded(reader, pool, name, held[name]))
        except ToBePooled as error:
            ended.append(error)
    _end(ended)
    return tuple(row)


def _end(ended: list[ToBePooled], *plans: Plan) -> None:
    """End the reading for the first of these, for the plans of all of them and these."""
    if ended:
        ended[0].plans = (*(plan for error in ended for plan in error.plans), *plans)
        raise ended[0]


def _allocated_with_itself(reader: Reader, pool: Pool, held: dict[str, Abstract], since: int, names: list[str]) -> Pooled:
    """One object more, of which these attributes are the object itself: `self.parent = self`."""
    for name in names:
        if pool.points.get(name) is not pool:
            raise again(reader, f"the attribute .{name} of a {pool.kind.__name__}, which is one of several", _pointing(pool, name, pool.plan.key))
    made = allocated(reader, pool, {**held, **dict.fromkeys(names, Pooled(pool, size_literal(0)))}, since)
    for name in names:
        put(reader, made, name, made, since)
    return made


def _with_missing_keys(reader: Reader, pool: Pool, held: dict[str, Abstract], late: dict[str, Array]) -> dict[str, Abstract]:
    """What a dict holds, of a pool of which only some may have some keys (`Plan.late`); what it has not, and nothing is known of, is a placeholder."""
    before = pool.held or ()
    there = [name for name in held if name not in late and (name in pool.lacking or pool.held is not None and name not in before)]
    gone = [name for name in before if name not in held and name not in pool.lacking]
    plan = pool.plan
    ended: list[ToBePooled] = []
    for name, value in [*((name, held[name]) for name in there), *((name, _held_before(reader, pool, name)) for name in gone)]:
        try:
            leaf = _encoded(reader, pool, name, value)
        except ToBePooled as error:
            ended.append(error)
            leaf = _number(reader, value.number) if isinstance(value, Pooled) else None
            if leaf is None:
                continue
        if not is_atom(leaf) and not is_number(leaf):
            raise reader.unsupported(f"the key {name.removeprefix(PREFIX)!r} of some dicts of which only the run knows which one it is", "the same keys for all, None where there is nothing")
        plan = plan.with_late(name, scalar_type(leaf))
    _end(ended, plan)
    if plan != pool.plan:
        raise again(reader, "a dict that is one of several", plan)
    unknown = [name for name in pool.names if name not in held and name not in late and not any(name == flag_of(each) for each in late)]
    pool.lacking.update(unknown)
    return {**held, **{name: _nothing(pool, name, Array(BOOL)) for name in unknown}}


def _nothing(pool: Pool, name: str, type_: Array) -> Abstract:
    """What stands in the column of an attribute where an object has none."""
    return Pooled(pool.points[name], size_literal(0)) if name in pool.points else zero(type_)


def _held_before(reader: Reader, pool: Pool, name: str) -> Abstract:
    """What the first dict of a pool holds."""
    number = size_literal(0)
    if name in pool.known:
        return pool.known[name]
    found = _part(reader, pool, number, pool.names.index(name))
    return Pooled(pool.points[name], as_atom(reader, found)) if name in pool.points else found


def _late(pool: Pool) -> dict[str, Array]:
    """The attributes that only some objects have, with their types."""
    found: dict[str, Array] = {}
    for name, type_ in sorted(pool.plan.late, key=lambda each: (each[0], str(each[1]))):
        found[name] = promote([found[name], type_]) if name in found and found[name].dtype != BOOL != type_.dtype else type_
    return found


def is_set(reader: Reader, value: Pooled, name: str) -> Abstract:
    """Whether it has an attribute that only some have; None of all others."""
    flag = flag_of(name)
    return _part(reader, value.pool, value.number, value.pool.names.index(flag)) if flag in value.pool.names else None


def all_held(reader: Reader, value: Pooled) -> dict[str, Abstract]:
    """All attributes of an object; a `Missing` of those that it may not have."""
    pool = value.pool
    held = {name: get(reader, value, name) for name in names_held(reader, value)}
    for name in _late(pool):
        there = is_set(reader, value, name)
        held[name] = replace(unset(pool.kind, name), unset=False, test=as_atom(reader, there), value=_part(reader, pool, value.number, pool.names.index(name)))
    return held


def forget(reader: Reader, value: Pooled, name: str) -> bool:
    """`del value.name` of an attribute that only some objects have; False of another one."""
    if flag_of(name) not in value.pool.names:
        return False
    check_attribute(reader, value, name)
    _check_set(reader, value, name)
    _put_leaf(reader, value, flag_of(name), False)
    return True


def _check_set(reader: Reader, value: Pooled, name: str) -> None:
    """Raise what Python does where an object has not an attribute that only some have."""
    if (there := is_set(reader, value, name)) is not None:
        reader.builder.check(as_atom(reader, there), "AttributeError", unset(value.pool.kind, name).what)


def refuse_late(reader: Reader, pool: Pool) -> None:
    """Refuse what asks for all attributes, where some objects have not all."""
    for name, _ in pool.plan.late:
        if pool.kind is PooledDict:
            raise reader.unsupported(f"all keys of a dict of which only the run knows which one it is, where only some have the key {name.removeprefix(PREFIX)!r}", "the same keys for all, None where there is nothing")
        raise reader.unsupported(f"a {pool.kind.__name__} with an attribute that only some have (.{name})", "set it in __init__")


def _differs(pool: Pool, name: str, value: Abstract, since: int) -> bool:
    """Whether an attribute's value may not be the same for all objects."""
    if is_atom(value) or is_number(value) or isinstance(value, View | Pooled) or isinstance(value, tuple) and value or _may_stand_beside_none(value):
        return True
    if isinstance(value, Ref) and value.born >= since:
        return True
    if name not in pool.known:
        pool.known[name] = value
    return pool.known[name] is not value and not (isinstance(value, str | type(None) | bytes) and type(pool.known[name]) is type(value) and pool.known[name] == value)


def _appended(reader: Reader, pool: Pool, row: tuple[Abstract, ...]) -> Atom:
    content = reader.heap[pool.rows]
    if isinstance(content, Grown):
        number = content.end
        tables.append(reader, content, row)
        return number
    reader.heap[pool.rows] = (*content, row)
    return size_literal(len(content))


def _encoded(reader: Reader, pool: Pool, name: str, value: Abstract) -> Abstract:
    """What a column holds of an attribute."""
    value = array if (array := _as_array(reader, pool, name, value)) is not None else value
    if isinstance(value, Pooled):
        target = pool.points.get(name)
        if target is not value.pool:
            raise again(reader, f"the attribute .{name} of a {pool.kind.__name__}, which is one of several", _pointing(pool, name, value.pool.plan.key), *_together(target, value.pool))
        return _number(reader, value.number)
    if value is None and name in pool.points:
        if not pool.points[name].plan.optional:
            raise again(reader, "None", replace(pool.points[name].plan, optional=True))
        return _number(reader, size_literal(-1))
    if isinstance(value, View) and name and name not in pool.points and name in pool.nothing | pool.plan.maybe and (plans := array_plans(value)):
        raise again(reader, f"the attribute .{name} of a {pool.kind.__name__}, which is None or an array", _pointing(pool, name, plans[0].key), *plans)
    if isinstance(value, View) or _may_stand_beside_none(value):
        if name in pool.points or isinstance(value, View) and name in pool.nothing | pool.plan.maybe:
            raise reader.unsupported(f"the attribute .{name} of a {pool.kind.__name__}, which is {describe(reader, value)} here and an object or None elsewhere", "two attributes")
        if name and name not in pool.plan.maybe and (name in pool.nothing or isinstance(value, OneOf)):
            raise _once_more_maybe(reader, pool, name)
    if name in pool.plan.maybe and (value is None or _may_stand_beside_none(value)) or isinstance(value, View) or is_atom(value) or is_number(value):
        return value
    if isinstance(value, str) or isinstance(value, OneOf) and all(isinstance(option, str) for option in value.options):
        return value
    if isinstance(value, tuple):
        return tuple(_encoded(reader, pool, "", item) for item in value)
    if value is None and name:
        if name in pool.asked:
            raise _once_more_maybe(reader, pool, name)
        pool.nothing.add(name)
        return size_literal(-1)
    plans = plans_of(value)
    if plans:
        raise again(reader, f"{describe(reader, value)} as the attribute .{name} of a {pool.kind.__name__} that is one of several", *plans)
    if type(value) is ListRef and name not in pool.points and isinstance(reader.heap[value], tuple):  # the caller's: what it holds, and neither may change
        tables.keep(reader, value)
        return value
    raise reader.unsupported(f"{describe(reader, value)} as the attribute .{name} of a {pool.kind.__name__} of which only the run knows which one it is", "a number, an array, or another object")


def _number(reader: Reader, number: Atom) -> Atom:
    """The number of an object in a column, all of which are of one type."""
    with building(reader.builder):
        return strong(reader.value(number)).atom


def _may_stand_beside_none(value: Abstract) -> bool:
    """Whether it is a number or a tuple, or one of these or None."""
    options = value.options if isinstance(value, OneOf) else (value,)
    there = [option for option in options if option is not None]
    return len(there) == 1 and (is_atom(there[0]) or is_number(there[0]) or type(there[0]) is tuple)


def _once_more_maybe(reader: Reader, pool: Pool, name: str) -> ToBePooled:
    """What ends a reading that took an attribute for a number, or for None, in all objects."""
    return again(reader, f"the attribute .{name} of a {pool.kind.__name__}, which is None in some of them", pool.plan.with_maybe(name))


def _as_array(reader: Reader, pool: Pool, name: str, value: Abstract) -> Pooled | None:
    """An array that is one of a pool, or becomes one as what this attribute is in others."""
    if (found := pooled_arrays.pooled(reader, value)) is not None or not isinstance(value, View):
        return found
    target = pool.points.get(name)
    if target is None or target.kind is not np.ndarray:
        return None
    plans = array_plans(value)
    if plans and not plans[0].sites <= target.plan.sites:
        raise again(reader, f"the attribute .{name} of a {pool.kind.__name__}, which is one of several", replace(target.plan, sites=target.plan.sites | plans[0].sites))
    return Pooled(target, pooled_arrays.adopted(reader, target, value))


def _pointing(pool: Pool, name: str, key: Hashable) -> Plan:
    known = {each for each, _ in pool.plan.points}
    added = frozenset() if name in known else frozenset(((name, key),))
    return replace(pool.plan, varied=pool.plan.varied | {name}, points=pool.plan.points | added)


def _together(one: Pool | None, two: Pool) -> tuple[Plan, ...]:
    """A plan that makes one pool of two of lists."""
    if one is None or not one.plan.sites or not two.plan.sites or one.kind is not two.kind:
        return ()
    return (replace(one.plan, sites=one.plan.sites | two.plan.sites),)


# ---- attributes -----------------------------------------------------------------------------------------------------------------


def names_held(reader: Reader, value: Pooled) -> tuple[str, ...]:
    """The attributes that it has."""
    return value.pool.held or ()


def get(reader: Reader, value: Pooled, name: str) -> Abstract:
    """value.name, one of those."""
    pool = value.pool
    check_attribute(reader, value, name)
    if name in pool.known:
        return pool.known[name]
    _check_set(reader, value, name)
    if name not in pool.points and name not in pool.plan.maybe:
        pool.asked.add(name)
        if name in pool.nothing:
            raise _once_more_maybe(reader, pool, name)
    found = _part(reader, pool, value.number, pool.names.index(name))
    if name not in pool.points:
        return found
    target = pool.points[name]
    return pooled_arrays.row_of(reader, Pooled(target, found)) if target.kind is np.ndarray else Pooled(target, found)


def put(reader: Reader, value: Pooled, name: str, new: Abstract, since: int) -> None:
    """value.name = new."""
    pool = value.pool
    check_attribute(reader, value, name)
    check_here(reader, pool)
    if name not in pool.names:
        if name in pool.known and not _differs(pool, name, new, since):
            return
        if name not in pool.known and not pool.plan.sites and (is_atom(new) or is_number(new)):
            raise again(reader, f"a new attribute .{name} of a {pool.kind.__name__} of which only the run knows which one it is", pool.plan.with_late(name, scalar_type(new)))
        if name not in pool.known:
            raise reader.unsupported(f"a new attribute .{name} of a {pool.kind.__name__} of which only the run knows which one it is", "set it in __init__")
        changed = _pointing(pool, name, new.pool.plan.key) if isinstance(new, Pooled) else replace(pool.plan, varied=pool.plan.varied | {name})
        raise again(reader, f"a change of the attribute .{name} of a {pool.kind.__name__} that is one of several", changed)
    _put_leaf(reader, value, name, _encoded(reader, pool, name, new))
    if flag_of(name) in pool.names:
        _put_leaf(reader, value, flag_of(name), True)


def _put_leaf(reader: Reader, value: Pooled, name: str, leaf: Abstract) -> None:
    """Store into a column."""
    pool, number = value.pool, value.number
    place, content = pool.names.index(name), reader.heap[pool.rows]
    if not isinstance(content, Grown) and isinstance(number, Literal):
        items = list(content)
        k = int(number.value)  # type: ignore[arg-type]
        items[k] = (*items[k][:place], leaf, *items[k][place + 1 :])
        reader.heap[pool.rows] = tuple(items)
        return
    tables.store_part(reader, _table(reader, pool), number, place, leaf)


def _table(reader: Reader, pool: Pool) -> Table:
    check_here(reader, pool)
    content = reader.heap[pool.rows]
    if not isinstance(content, Grown):
        type_ = shapes_of_items.common(reader, content)
        if type_ is not None:
            _begin_table(reader, pool, content, type_)
    if not isinstance(reader.heap[pool.rows], Grown):
        raise reader.unsupported(f"objects of {pool.kind.__name__} that hold values of several types in one attribute", "one type for all of them")
    found = reader.heap[pool.rows]
    assert isinstance(found, Table)
    return found


def _begin_table(reader: Reader, pool: Pool, content: tuple[Abstract, ...], type_: Array | Template) -> None:
    reader.heap[pool.rows] = tables.begun(reader, pool.rows, content, type_, pool.plan.origin)
    reader.session.growing[pool.rows] = type_


def _part(reader: Reader, pool: Pool, number: Atom, place: int) -> Abstract:
    """What the object of a number has in a column."""
    check_here(reader, pool)
    content = reader.heap[pool.rows]
    if not isinstance(content, Grown) and isinstance(number, Literal):
        return content[int(number.value)][place]  # type: ignore[arg-type]
    return tables.part_of_item(reader, _table(reader, pool), number, place)


# ---- None among them --------------------------------------------------------------------------------------------------------------


def may_be_none(reader: Reader, value: Pooled) -> bool:
    """Whether there may be None in its place."""
    return value.pool.plan.optional and -1 not in reader.excluded.get(value.number, ()) and not reader.builder.proves_at_least(value.number, 0)


def is_there(reader: Reader, value: Pooled) -> bool | Atom:
    """Whether it is not None."""
    if isinstance(value.number, Literal):
        return int(value.number.value) >= 0  # type: ignore[arg-type]
    if not may_be_none(reader, value):
        return True
    found = is_none(reader, value)
    return not found if isinstance(found, bool) else negated_test(reader, found)


def is_none(reader: Reader, value: Pooled) -> bool | Atom:
    """Whether None stands in its place."""
    if isinstance(value.number, Literal):
        return int(value.number.value) < 0  # type: ignore[arg-type]
    if not may_be_none(reader, value):
        return False
    key = ("is none", value.number)
    if key not in reader.builder.numbered:
        (found,) = reader.builder.equation(less, (value.number, size_literal(0)), name="is_none")
        with building(reader.builder):
            test = marked(reader.value(found), weak=True).atom
        reader.builder.numbered[key] = test
        reader.session.tests[test] = ("is", value.number, -1)
    known: Atom = reader.builder.numbered[key]
    return known


def negated_test(reader: Reader, test: Atom) -> Atom:
    """not test."""
    with building(reader.builder):
        made: Atom = marked(logical_not(reader.value(test)), weak=True).atom
    reader.session.tests[made] = ("not", test)
    return made


def check_there(reader: Reader, value: Pooled, kind: type[Exception], words: str) -> None:
    """Raise what Python raises where None is used as an object."""
    there = is_there(reader, value)
    if there is False:
        raise kind(words)
    if there is not True:
        reader.builder.check(there, kind.__name__, words)


def check_attribute(reader: Reader, value: Pooled, name: str) -> None:
    """Raise what Python raises of an attribute of None."""
    check_there(reader, value, AttributeError, f"'NoneType' object has no attribute '{name}'")


def with_none(reader: Reader, pool: Pool) -> Pooled:
    """None as one of the pool."""
    if not pool.plan.optional:
        raise again(reader, f"a {pool.kind.__name__} or None", replace(pool.plan, optional=True))
    return Pooled(pool, size_literal(-1))


def beside(reader: Reader, a: Abstract, b: Abstract) -> tuple[Pooled, Pooled] | None:
    """Two values of which one is pooled, as two of one pool; None where neither is, or they are of different kinds."""
    if not isinstance(a, Pooled) and not isinstance(b, Pooled):
        return None
    one, two = (value if isinstance(value, Pooled) else None for value in (a, b))
    pool = (two if one is None else one).pool  # type: ignore[union-attr]
    if a is None:
        one = with_none(reader, pool)
    if b is None:
        two = with_none(reader, pool)
    for value in (a, b):
        if not isinstance(value, Pooled) and pool.plan.sites and (plans := plans_of(value.like if isinstance(value, Packed) else value)) and plans[0].kind is pool.kind:
            raise again(reader, f"a {pool.kind.__name__} that is one of several", replace(pool.plan, sites=pool.plan.sites | plans[0].sites))
    if one is None or two is None:
        return None
    if one.pool is not two.pool:
        if one.pool.plan.sites and two.pool.plan.sites:
            raise again(reader, "a list that is one of several", *_together(one.pool, two.pool))
        return None
    return one, two


__all__ = ["Pool", "allocated", "begin", "beside", "get", "is_none", "is_there", "may_be_none", "of_kind", "of_site", "put"]
