"""Dicts and sets that get keys which only the run knows: the function is read again, and what is made there is one of `composed/keyed.py`.

    counts = {}                          counts = Keyed()
    counts[k] = counts.get(k, 0) + 1     the first reading ends here: {} must be one whose keys only the run knows
"""
from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from s2s.transforms.read.calls.special_methods import special
from s2s.transforms.read.composed import keyed, pooled_lists
from s2s.transforms.read.composed.pooled_dicts import PREFIX
from s2s.transforms.read.composed.pooled_lists import FIELDS
from s2s.transforms.read.known import key_value, plain
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage import pooled_arrays, pools
from s2s.transforms.read.storage.grown import Grown
from s2s.transforms.read.storage.plans import refused
from s2s.transforms.read.storage.tables import any_length, begun, common
from s2s.transforms.read.values import (
    STANDS_FOR,
    Abstract,
    DictRef,
    ListRef,
    ObjectRef,
    SetRef,
    View,
    is_atom,
    is_number,
    moment,
    scalar_type,
)
from s2s.types import BOOL, is_whole


def made(reader: Reader, value: Abstract, before: int) -> Abstract:
    """What an expression makes: a dict or set notes where, or is one of run-time keys. `before`: the moment at which the expression was begun."""
    if isinstance(value, View):
        is_new = not value.steps and value.cell.born >= before and not value.cell.frozen and reader.frame.tree.at is None
        return pooled_arrays.made(reader, value, reader.builder.where) if is_new else value
    if type(value) is ListRef:
        return pooled_list(reader, value, reader.builder.where) if value.born >= before and not value.origins and reader.frame.tree.at is None else value
    if not isinstance(value, DictRef) or value.origin is not None or value.origins or value.born < before or reader.frame.tree.at is not None:
        return value
    value.origin = reader.builder.where
    content = reader.heap[value]
    value.origins = frozenset((value.origin,)) if content and all(isinstance(key, str) for key in content) else frozenset()
    if (pool := pools.of_site(reader, value.origin)) is not None:
        return _pooled_dict(reader, pool, value, before)
    if value.origin not in reader.session.keyed:
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
    _refuse_kinds(reader, reader.heap[ref])
    pooled = pools.allocated(reader, pool, {**pool.known, **dict.fromkeys(FIELDS, 0)}, moment())
    content = reader.heap[ref]
    if isinstance(content, Grown) or content:
        reader.rules.call(begin, (pooled, ref))
    return pooled


def _pooled_dict(reader: Reader, pool: Any, ref: DictRef, since: int) -> Abstract:
    """A dict that was made at a place, as one of a pool. `since`: the moment at which it was begun."""
    return pools.allocated(reader, pool, {PREFIX + key: value for key, value in reader.heap[ref].items()}, since)


def _refuse_kinds(reader: Reader, content: Any) -> None:
    """Refuse a list of bools, integers and floats: all are of one type in a pool."""
    numbers = [each for each in content if is_atom(each) or is_number(each)] if isinstance(content, tuple) else []
    if len({"iu" if is_whole(dtype := scalar_type(each).dtype) and dtype != BOOL else dtype.kind for each in numbers} - {"c"}) > 1:
        raise reader.unsupported("a list of bools, integers and floats of which only the run knows which one it is", "a tuple, or one list for each")


def new(reader: Reader, kind: type = dict) -> ObjectRef | None:
    """An empty one, where such is made at this place; None where a dict or set of known keys is."""
    if reader.builder.where not in reader.session.keyed:
        return None
    return _empty(reader, DictRef(kind=kind) if kind is not set else SetRef(), 0)


def is_keyed(value: Abstract) -> bool:
    """Whether it is a dict or set of run-time keys."""
    return isinstance(value, ObjectRef) and issubclass(value.kind, keyed.Keys)


def in_any_order(reader: Reader, value: Abstract) -> Abstract:
    """The list of the keys of such a dict or set, where their order does not matter; anything else as it is."""
    return reader.heap[value]["keys_"] if is_keyed(value) else value


def kind_of(reader: Reader, ref: ObjectRef) -> Any:
    """What it is in Python: a class; an empty defaultdict, which has its factory."""
    if ref.kind is keyed.Defaulting:
        return defaultdict(plain(reader, reader.heap[ref]["default_factory"]))
    return vars(ref.kind)[STANDS_FOR]


def lists_of(reader: Reader, ref: ObjectRef) -> tuple[ListRef, ...] | None:
    """The lists of its keys and values, of run-time length; None where it surely is empty."""
    found = tuple(reader.heap[ref][name] for name in ("keys_", "held") if name in reader.heap[ref])
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
    said = special(reader, ref, name, *args)
    assert said is not None
    return said[0]


def _empty(reader: Reader, like: DictRef, count: int) -> ObjectRef:
    room = keyed.ROOM
    while room < 2 * count:
        room *= 2
    kind: Any = like.kind
    if isinstance(like, SetRef):
        found = reader.rules.call(keyed.KeyedSet, (room,))
    elif issubclass(kind, defaultdict):
        found = reader.rules.call(keyed.Defaulting, (key_value(reader, kind({}).default_factory), room))
    else:
        found = reader.rules.call(keyed.BY_KIND[kind], (room,))
    assert isinstance(found, ObjectRef)
    return found


def _converted(reader: Reader, ref: DictRef) -> ObjectRef:
    """One of run-time keys that has what this one has."""
    content = reader.heap[ref]
    found = _empty(reader, ref, len(content))
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
    fill: Callable[..., Any] = keyed.fill
    reader.rules.call(fill, (reader.heap[found]["keys_"], reader.heap[found]["slots"]))
    return found


__all__ = ["in_any_order", "is_keyed", "kind_of", "lists_of", "made", "method", "new"]
