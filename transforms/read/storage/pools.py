"""Lists and objects of which only the run knows which one a name stands for: rows of a table, found by their numbers.

    head = Node(v, head)        value.append(v); next.append(head); head = len(value) - 1
    head.value += 1             value[head] += 1
    head is not None            head >= 0

The first reading refuses what it can't say of such an object (a change of one that is in a list, a name that is one or another). The function
is read again with all objects of that class, or all lists made at these places, in a pool from where they are made: then each is its number, and
names that stand for one object are one number. What differs between the objects is a column; what is the same for all is known.
"""
from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from s2s.records import replace
from s2s.transforms.read.composed.pooled_dicts import PREFIX, PooledDict
from s2s.transforms.read.failures import ToBePooled
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage import pooled_arrays, shapes_of_items, tables
from s2s.transforms.read.storage.columns import encoded, may_stand_beside_none, number_of, once_more_maybe, pointing, together
from s2s.transforms.read.storage.grown import Grown, Lengths, Table, Template
from s2s.transforms.read.storage.none_in_pools import check_attribute, with_none
from s2s.transforms.read.storage.plans import Plan, again, check_here, flag_of, joined_plans, plans_of
from s2s.transforms.read.storage.pool import Pool, columns_of
from s2s.transforms.read.unset_attributes import unset
from s2s.transforms.read.values import Abstract, ListRef, Missing, Packed, Pooled, Ref, View, is_atom, is_number, scalar_type
from s2s.transforms.read.wrapping import as_atom
from s2s.types import BOOL, Array, Atom, Literal, promote, size_literal, zero


def begin(reader: Reader, plans: tuple[Plan, ...], known: Any) -> None:
    """Make the pools, empty, before anything is read. `known`: what each has of its own, of its plan."""
    made = [Pool(plan, tuple(sorted(plan.varied)), ListRef(columns=columns_of(plan)), known(reader, plan)) for plan in plans]
    reader.heap.update({pool.rows: () for pool in made})
    reader.session.pools.extend(made)
    for pool in made:
        template = reader.session.items.get((pool.plan.origin, "shape"))
        if template is not None:
            _begin_table(reader, pool, (), shapes_of_items.of_pools(reader, template))
        pool.points_as_planned(made)


def begin_apart(reader: Reader) -> None:
    """Make those that a function which is transformed inside of another one may have of its own: of arrays that only its own lists hold."""
    begin(reader, tuple(plan for plan in reader.session.pooled if plan.kind is Lengths), lambda *_: {})


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
            row.append(encoded(reader, pool, name, held[name]))
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
            raise again(reader, f"the attribute .{name} of a {pool.kind.__name__}, which is one of several", pointing(pool, name, pool.plan.key))
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
            leaf = encoded(reader, pool, name, value)
        except ToBePooled as error:
            ended.append(error)
            leaf = number_of(reader, value.number) if isinstance(value, Pooled) else None
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
    if is_atom(value) or is_number(value) or isinstance(value, View | Pooled) or isinstance(value, tuple) and value or may_stand_beside_none(value):
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
    if name not in pool.points and name not in pool.plan.maybe | pool.plan.several:
        pool.asked.add(name)
        if name in pool.nothing:
            raise once_more_maybe(reader, pool, name)
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
        changed = pointing(pool, name, new.pool.plan.key) if isinstance(new, Pooled) else replace(pool.plan, varied=pool.plan.varied | {name})
        raise again(reader, f"a change of the attribute .{name} of a {pool.kind.__name__} that is one of several", changed)
    _put_leaf(reader, value, name, encoded(reader, pool, name, new))
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
        type_ = shapes_of_items.common(reader, content, mixed=bool(pool.plan.several))
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
            raise again(reader, "a list that is one of several", *together(one.pool, two.pool))
        return None
    return one, two


__all__ = ["allocated", "begin", "beside", "get", "of_kind", "of_site", "put"]
