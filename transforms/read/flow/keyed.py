"""Dicts and sets that get keys which only the run knows: the function is read again, and what is made there is one of `composed/keyed.py`.

    counts = {}                          counts = Keyed()
    counts[k] = counts.get(k, 0) + 1     the first reading ends here: {} must be one whose keys only the run knows
"""
from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from s2s.transforms.read.calls.none_words import check_special
from s2s.transforms.read.calls.records import must_be_record, record
from s2s.transforms.read.classes import class_of, compares_by_itself
from s2s.transforms.read.composed import keyed, none_or_object, pooled_lists, pooled_rows, pooled_tables
from s2s.transforms.read.composed.keyed_sets import KeyedSet
from s2s.transforms.read.composed.pooled_dicts import PREFIX
from s2s.transforms.read.composed.pooled_lists import FIELDS
from s2s.transforms.read.composed.pooled_rows import PooledRow
from s2s.transforms.read.composed.set_slots import ROOM
from s2s.transforms.read.describing import describe
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.known import factory_value, is_known, key_value, plain, unknown_key
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.run_time_keys import is_keyed, may_begin, must_be
from s2s.transforms.read.storage import pooled_arrays, pools
from s2s.transforms.read.storage.grown import Grown
from s2s.transforms.read.storage.plans import Plan, again, refused
from s2s.transforms.read.storage.shapes_of_items import common
from s2s.transforms.read.storage.tables import any_length, begun
from s2s.transforms.read.values import (
    STANDS_FOR,
    Abstract,
    DictRef,
    ListRef,
    ObjectRef,
    Pooled,
    SetRef,
    View,
    is_atom,
    is_number,
    moment,
    scalar_type,
)
from s2s.types import BOOL, Opaque, is_whole

MIXED = "a list of bools, integers and floats of which only the run knows which one it is"


def made(reader: Reader, value: Abstract, before: int) -> Abstract:
    """What an expression makes: a dict or set notes where, or is one of run-time keys. `before`: the moment at which the expression was begun."""
    if isinstance(value, View):
        is_new = not value.steps and value.cell.born >= before and not value.cell.frozen and reader.frame.tree.at is None
        return pooled_arrays.made(reader, value, reader.builder.where) if is_new else value
    if not isinstance(value, (ListRef, DictRef, ObjectRef)) or value.born < before or reader.frame.tree.at is not None:
        return value
    return put_where_made(reader, value, before)


def put_where_made(reader: Reader, value: Abstract, before: int | None = None) -> Abstract:
    """A list, dict or set that was made here: noted where, or one of a pool, or of run-time keys."""
    here = frozenset((reader.builder.where,))
    if type(value) is ListRef:
        return value if value.origins else pooled_list(reader, value, reader.builder.where)
    if isinstance(value, DictRef):
        return value if value.origin is not None or value.origins or value.tables else _dict_made(reader, value, moment() if before is None else before)
    if not is_keyed(value) or isinstance(value, Pooled) or value.tables:
        return value
    value.tables = here
    pool = pools.of_site(reader, reader.builder.where)
    return value if pool is None else _pooled_table(reader, pool, value)


def _dict_made(reader: Reader, value: DictRef, before: int) -> Abstract:
    value.origin = reader.builder.where
    content = reader.heap[value]
    here = frozenset((value.origin,))
    if content and all(isinstance(key, str) for key in content) and value.kind is dict:
        value.origins = here
    else:
        value.tables = here
    if (pool := pools.of_site(reader, value.origin)) is not None:
        return _pooled_table(reader, pool, value) if issubclass(pool.kind, pooled_tables.Part) else _pooled_dict(reader, pool, value, before)
    if value.origin not in reader.session.keyed:
        reader.session.of_known_keys.add(value.origin)
        return value
    return _converted(reader, value)


def pooled_list(reader: Reader, ref: ListRef, site: Any) -> Abstract:
    """A list that was made at a place, as one of a pool where such are to stand in one."""
    if ref.owner is None and not ref.merged:
        ref.origins = frozenset((site,))
    pool = pools.of_site(reader, site)
    if pool is None:
        return ref
    begin: Callable[..., Any] = pooled_lists.begin
    pools.check_here(reader, pool)
    if pool.kind is PooledRow:
        return _pooled_row(reader, pool, ref)
    if _is_mixed(reader.heap[ref]):
        raise again(reader, MIXED, Plan(PooledRow, pool.plan.sites))
    pooled = pools.allocated(reader, pool, {**pool.known, **dict.fromkeys(FIELDS, 0)}, moment())
    content = reader.heap[ref]
    if isinstance(content, Grown) or content:
        reader.rules.call(begin, (pooled, ref))
    return pooled


def _pooled_dict(reader: Reader, pool: Any, ref: DictRef, since: int) -> Abstract:
    """A dict that was made at a place, as one of a pool. `since`: the moment at which it was begun."""
    return pools.allocated(reader, pool, {PREFIX + key: value for key, value in reader.heap[ref].items()}, since)


def _pooled_table(reader: Reader, pool: Any, value: DictRef | ObjectRef) -> Pooled:
    """A dict or set that was made at a place, as one of a pool of such of run-time keys."""
    found = _empty_of_pool(reader, pool, value)
    if not isinstance(value, DictRef) or reader.heap[value]:
        begin: Callable[..., Any] = pooled_tables.begin
        reader.rules.call(begin, (found, value))
    return found


def _empty_of_pool(reader: Reader, pool: Any, like: DictRef | ObjectRef) -> Pooled:
    held: dict[str, Abstract] = {**pool.known, "first": -1, "last": -1, "count": 0}
    if pool.kind is pooled_tables.PooledDefaulting:
        held["default_factory"] = factory_value(reader, like.kind) if isinstance(like, DictRef) else reader.heap[like]["default_factory"]
    return pools.allocated(reader, pool, held, moment())


def _pooled_row(reader: Reader, pool: Any, ref: ListRef) -> Pooled:
    """The same, of lists that hold numbers of several kinds."""
    content = reader.heap[ref]
    if not isinstance(content, tuple) or not content or pool.held is not None and len(pool.held) != len(content):
        raise reader.unsupported(f"{MIXED}, where another one is of another length", "a tuple, or one list for each")
    return pools.allocated(reader, pool, {f"{pooled_rows.PREFIX}{place}": value for place, value in enumerate(content)}, moment())


def _is_mixed(content: Any) -> bool:
    """Whether a list holds bools, integers and floats: all are of one type in a pool of lists of any length."""
    numbers = [each for each in content if is_atom(each) or is_number(each)] if isinstance(content, tuple) else []
    return len({"iu" if is_whole(dtype := scalar_type(each).dtype) and dtype != BOOL else dtype.kind for each in numbers} - {"c"}) > 1


def new(reader: Reader, kind: type = dict) -> ObjectRef | Pooled | None:
    """An empty one, where such is made at this place; None where a dict or set of known keys is."""
    like = DictRef(kind=kind) if kind is not set else SetRef()
    if (pool := pools.of_site(reader, reader.builder.where)) is not None:
        return _empty_of_pool(reader, pool, like)
    return _empty(reader, like, 0) if reader.builder.where in reader.session.keyed else None


def must_be_new(reader: Reader, kind: type, what: str, instead: str) -> ObjectRef | Pooled:
    """An empty one at this place, where there can be none of known keys: of this reading, if it has made none of known keys here so far, else of the next one. `what`, `instead`: what is refused else."""
    found = new(reader, kind)
    if found is None:
        if not may_begin(reader):
            raise must_be(reader, reader.unsupported(what, instead))
        reader.session.keyed |= {reader.builder.where}
        found = new(reader, kind)
        assert found is not None
    return found


def is_compared_key(key: Abstract) -> bool:
    """Whether it is an object that its class compares or hashes in its own way."""
    return isinstance(key, ObjectRef) and compares_by_itself(key) and key.kind.__hash__ is not None


def is_known_key(reader: Reader, key: Abstract) -> bool:
    """Whether Python itself can tell it from others while reading."""
    return is_known(reader, key) and not is_compared_key(key)


def is_run_time_key(reader: Reader, key: Abstract) -> bool:
    """Whether only the run can tell it from others: a number that it knows, or an object that its class compares."""
    return is_compared_key(key) or not is_known(reader, key) and (is_atom(key) or isinstance(key, tuple))


def refuse_run_time(reader: Reader, keys: Iterable[Abstract]) -> None:
    """Where such are the keys of what is made here, it must be one of run-time keys."""
    for key in keys:
        if is_compared_key(key):
            raise must_be(reader, reader.unsupported(f"{describe(reader, key)} as a key, whose class has its own __eq__ or __hash__", "a text, a number or a tuple of them as the key"))
        if is_run_time_key(reader, key):
            raise must_be(reader, unknown_key(reader, key))


def is_set(value: Abstract) -> bool:
    """Whether it is such a set."""
    return is_keyed(value) and issubclass(class_of(value), KeyedSet)  # type: ignore[arg-type]


def in_any_order(reader: Reader, value: Abstract) -> Abstract:
    """The list of the keys of such a dict or set, where their order does not matter; anything else as it is."""
    return _key_list(reader, value) if is_keyed(value) else value


def _key_list(reader: Reader, value: Abstract) -> Abstract:
    check_special(reader, value, "__iter__")
    return method(reader, value, "key_list")


def at_once(reader: Reader, value: Abstract) -> Abstract:
    """What a set, a dict of a pool, or its keys, values or items, gives to who goes through all of it before anything else happens: a list. Anything else as it is."""
    if isinstance(value, ObjectRef) and value.kind in pooled_tables.VIEWS:
        return method(reader, value, "at_once")
    if is_set(value):
        check_special(reader, value, "__iter__")
        return method(reader, value, "in_order")
    return _key_list(reader, value) if isinstance(value, Pooled) and is_keyed(value) else value


@asks_python
def kind_of(reader: Reader, ref: ObjectRef | Pooled) -> Any:
    """What it is in Python: a class; an empty defaultdict, which has its factory."""
    kind: Any = class_of(ref)
    if issubclass(kind, keyed.Defaulting):
        factory = reader.rules.attribute(ref, "default_factory")
        refuse_factory(reader, factory)
        return defaultdict(plain(reader, factory))
    return vars(kind)[STANDS_FOR]


def refuse_factory(reader: Reader, factory: Abstract) -> None:
    """Refuse a defaultdict as a result that would call a function of the user's, made inside, when it is asked for a key."""
    if isinstance(factory, Opaque):
        raise reader.unsupported("a function that returns a defaultdict whose factory is a function that is made in it", "dict(…) of it")


def lists_of(reader: Reader, ref: ObjectRef | Pooled) -> tuple[ListRef, ...] | None:
    """The lists of its keys and values, of run-time length; None where it surely is empty. Where None stands in its place, they have no items."""
    parts = (none_or_object.keys, none_or_object.values)[: 1 if is_set(ref) else 2]
    found = tuple(reader.rules.call(part, (ref,)) for part in parts)
    if not all(isinstance(each, ListRef) for each in found):
        raise reader.unsupported("a dict or set of run-time keys that is one or another", "one that gets its keys on both paths")
    if not any(isinstance(reader.heap[each], Grown) for each in found) and not reader.heap[found[0]]:
        return None
    for each in found:
        if not any_length(reader, each):
            raise refused(reader, reader.unsupported("a dict or set of items of several kinds that has keys known only at run time", "one dict for each kind"), *reader.heap[each])
    return found


def method(reader: Reader, ref: Abstract, name: str, *args: Abstract) -> Abstract:
    """ref.name(*args)."""
    return reader.rules.call(reader.rules.attribute(ref, name), args)


def _empty(reader: Reader, like: DictRef, count: int) -> ObjectRef:
    room = keyed.ROOM
    while room < 2 * count:
        room *= 2
    kind: Any = like.kind
    if isinstance(like, SetRef):
        found = reader.rules.call(KeyedSet, ())
    elif issubclass(kind, defaultdict):
        found = reader.rules.call(keyed.Defaulting, (factory_value(reader, kind), room))
    else:
        found = reader.rules.call(keyed.BY_KIND[kind], (room,))
    assert isinstance(found, ObjectRef)
    return found


def _converted(reader: Reader, ref: DictRef) -> ObjectRef:
    """One of run-time keys that has what this one has."""
    content = reader.heap[ref]
    if must_be_record(reader, ref):
        return record(reader, ref)
    found = _empty(reader, ref, len(content))
    found.tables = ref.tables
    if all(isinstance(key, str) for key in content):
        found.sites = frozenset((ref.origin,))
    if not content:
        return found
    parts = {"keys_": tuple(key_value(reader, key) for key in content), "held": tuple(content.values())}
    for name in ("keys_",) if isinstance(ref, SetRef) else ("keys_", "held"):
        items, held = parts[name], reader.heap[found][name]
        type_ = common(reader, items)
        if type_ is None:
            raise refused(reader, reader.unsupported("a dict or set of items of several kinds that gets keys known only at run time", "one dict for each kind"), *items)
        reader.heap[held] = begun(reader, held, items, type_, (reader.builder.where, name))
        reader.session.growing[held] = type_
    if isinstance(ref, SetRef):
        method(reader, found, "begin", _has_slots_apart(list(content)))
        return found
    fill: Callable[..., Any] = keyed.fill
    reader.rules.call(fill, (reader.heap[found]["keys_"], reader.heap[found]["slots"]))
    return found


def _has_slots_apart(keys: list[Any]) -> bool:
    """Whether each of a few known items of a set has a slot of its own in CPython's table, so that their order is the same however they came there."""
    return len(keys) < 5 and len({hash(key) % ROOM for key in keys}) == len(keys)


__all__ = ["at_once", "in_any_order", "is_compared_key", "is_keyed", "is_known_key", "is_run_time_key", "is_set", "kind_of", "lists_of", "made", "method", "new", "put_where_made", "refuse_factory", "refuse_run_time"]
