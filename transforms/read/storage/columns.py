"""What a column of a pool holds of an attribute: a number, a tuple of such, the number of another object. Where it must be another thing in all objects, the reading ends for a plan that says so."""
from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from s2s.records import replace
from s2s.transforms.read.describing import describe
from s2s.transforms.read.failures import ToBePooled
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import strong
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage import pooled_arrays, tables
from s2s.transforms.read.storage.grown import Table
from s2s.transforms.read.storage.plans import Plan, again, array_plans, plans_of
from s2s.transforms.read.storage.pool import Pool
from s2s.transforms.read.values import Abstract, ListRef, ObjectRef, OneOf, Pooled, Ref, View, is_atom, is_number
from s2s.types import Atom, size_literal


def encoded(reader: Reader, pool: Pool, name: str, value: Abstract) -> Abstract:
    """What a column holds of an attribute."""
    value = array if (array := _as_array(reader, pool, name, value)) is not None else value
    if name in pool.plan.several:
        return _one_of_several(reader, pool, name, value)
    if _is_of_another_kind(reader, pool, name, value):
        raise again(reader, f"{describe(reader, value)} as the attribute .{name} of a {pool.kind.__name__} that is one of several", pool.plan.with_several(name), *plans_of(value))
    if isinstance(value, Pooled):
        target = pool.points.get(name)
        if target is not value.pool:
            raise again(reader, f"the attribute .{name} of a {pool.kind.__name__}, which is one of several", pointing(pool, name, value.pool.plan.key), *together(target, value.pool))
        return number_of(reader, value.number)
    if value is None and name in pool.points:
        if not pool.points[name].plan.optional:
            raise again(reader, "None", replace(pool.points[name].plan, optional=True))
        return number_of(reader, size_literal(-1))
    if isinstance(value, View) and name and name not in pool.points and name in pool.nothing | pool.plan.maybe and (plans := array_plans(value)):
        raise again(reader, f"the attribute .{name} of a {pool.kind.__name__}, which is None or an array", pointing(pool, name, plans[0].key), *plans)
    if isinstance(value, View) or may_stand_beside_none(value):
        if name in pool.points or isinstance(value, View) and name in pool.nothing | pool.plan.maybe:
            raise reader.unsupported(f"the attribute .{name} of a {pool.kind.__name__}, which is {describe(reader, value)} here and an object or None elsewhere", "two attributes")
        if name and name not in pool.plan.maybe and (name in pool.nothing or isinstance(value, OneOf)):
            raise once_more_maybe(reader, pool, name)
    if name in pool.plan.maybe and (value is None or may_stand_beside_none(value)) or isinstance(value, View) or is_atom(value) or is_number(value):
        return value
    if isinstance(value, str) or isinstance(value, OneOf) and all(isinstance(option, str) for option in value.options):
        return value
    if isinstance(value, tuple):
        return tuple(encoded(reader, pool, "", item) for item in value)
    if value is None and name:
        if name in pool.asked:
            raise once_more_maybe(reader, pool, name)
        pool.nothing.add(name)
        return size_literal(-1)
    plans = plans_of(value)
    if plans:
        raise again(reader, f"{describe(reader, value)} as the attribute .{name} of a {pool.kind.__name__} that is one of several", *plans)
    if type(value) is ListRef and name not in pool.points and isinstance(reader.heap[value], tuple):  # the caller's: what it holds, and neither may change
        tables.keep(reader, value)
        return value
    raise reader.unsupported(f"{describe(reader, value)} as the attribute .{name} of a {pool.kind.__name__} of which only the run knows which one it is", "a number, an array, or another object")


def _one_of_several(reader: Reader, pool: Pool, name: str, value: Abstract) -> Abstract:
    """What a column holds of an attribute that is of several kinds: what an item of a list is."""
    options = value.options if isinstance(value, OneOf) else (value,)
    if any(isinstance(option, Ref) for option in options) and (plans := plans_of(value)):
        raise again(reader, f"{describe(reader, value)} as the attribute .{name} of a {pool.kind.__name__} that is one of several", *plans)
    if not all(_may_be_one_kind(option) for option in options):
        raise reader.unsupported(f"{describe(reader, value)} as the attribute .{name} of a {pool.kind.__name__}, which is of several kinds", "objects, numbers, texts or None")
    return value


def _may_be_one_kind(value: Abstract) -> bool:
    """Whether it is a value without an identity, or an object of a pool of its class."""
    return is_atom(value) or is_number(value) or isinstance(value, str | None) or isinstance(value, Pooled) and not value.pool.plan.sites


def _is_of_another_kind(reader: Reader, pool: Pool, name: str, value: Abstract) -> bool:
    """Whether it is an object of one class or another or a number, or an object where others have a number or an object of another class."""
    if not name or pool.plan.sites:
        return False
    if isinstance(value, OneOf):
        there = [option for option in value.options if option is not None]
        return len(there) > 1 and any(isinstance(option, Pooled | ObjectRef) for option in there) and all(_may_be_one_kind(option) or isinstance(option, ObjectRef) for option in there)
    target = pool.points.get(name)
    if isinstance(value, Pooled) and not value.pool.plan.sites:
        return target is not value.pool if target is not None else _holds_numbers(reader, pool, name)
    return target is not None and not target.plan.sites and (is_atom(value) or is_number(value))


def _holds_numbers(reader: Reader, pool: Pool, name: str) -> bool:
    """Whether others of the pool have a number as this attribute."""
    content = reader.heap[pool.rows]
    if name not in pool.names or name in pool.nothing or name in pool.plan.maybe:
        return False
    place = pool.names.index(name)
    if isinstance(content, Table):
        return isinstance(content.shape.parts[place], int)
    return bool(content) and (is_atom(content[0][place]) or is_number(content[0][place]))


def number_of(reader: Reader, number: Atom) -> Atom:
    """The number of an object in a column, all of which are of one type."""
    with building(reader.builder):
        return strong(reader.value(number)).atom


def may_stand_beside_none(value: Abstract) -> bool:
    """Whether it is a number or a tuple, or one of these or None."""
    options = value.options if isinstance(value, OneOf) else (value,)
    there = [option for option in options if option is not None]
    return len(there) == 1 and (is_atom(there[0]) or is_number(there[0]) or type(there[0]) is tuple)


def once_more_maybe(reader: Reader, pool: Pool, name: str) -> ToBePooled:
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


def pointing(pool: Pool, name: str, key: Hashable) -> Plan:
    """A plan in which this attribute is the number of an object of another one."""
    known = {each for each, _ in pool.plan.points}
    added = frozenset() if name in known else frozenset(((name, key),))
    return replace(pool.plan, varied=pool.plan.varied | {name}, points=pool.plan.points | added)


def together(one: Pool | None, two: Pool) -> tuple[Plan, ...]:
    """A plan that makes one pool of two of lists."""
    if one is None or not one.plan.sites or not two.plan.sites or one.kind is not two.kind:
        return ()
    return (replace(one.plan, sites=one.plan.sites | two.plan.sites),)
