"""Returned containers: immutable while paths are joined, made anew behind the call. Those that somebody else sees stay what they are."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.grown import Grown
from s2s.transforms.read.storage.visibility import calls_around, names_of_ended, reachable
from s2s.transforms.read.values import Abstract, DictRef, ListRef, ObjectRef, OneOf, Packed, Ref, is_atom, remake


def packed(reader: Reader, value: Abstract) -> Abstract:
    """A returned value with the containers immutable that this call made for it: returns on several paths can be merged."""
    refs = [each for each in reachable(reader, [value]) if isinstance(each, Ref)]
    if not refs:
        return value
    kept = _seen_elsewhere(reader, value)
    return _packed(reader, value, {ref for ref in refs if ref in kept or ref.owner is not None or is_atom(getattr(ref, "maxlen", None)) or isinstance(reader.heap.get(ref), Grown)})


def _packed(reader: Reader, value: Abstract, kept: set[Ref]) -> Abstract:
    if isinstance(value, tuple):
        return remake(value, [_packed(reader, item, kept) for item in value])
    if isinstance(value, ListRef | DictRef | ObjectRef) and value not in kept:
        content = reader.heap[value]
        keys = None if isinstance(value, ListRef) else tuple(content)
        result = Packed(_packed(reader, item, kept) for item in (content if keys is None else content.values()))
        result.like, result.keys = value, keys
        return result
    return value


def _seen_elsewhere(reader: Reader, value: Abstract) -> set[Ref]:
    """The containers that are there behind the call without its result, or twice in it: what was there before, and what that holds."""
    frame = reader.frame
    around = calls_around(frame)
    roots: list[Abstract] = [*names_of_ended(frame.outer, around), *(each.ref for each in reader.session.taken.values()), *(ref for ref in reader.session.slots.values() if ref in reader.heap)]
    for call in around[1:]:
        roots += (*call.names.values(), call.box, *call.held)
    roots += [each for each in reachable(reader, [*frame.names.values(), value], but=around) if isinstance(each, Ref) and each.born < frame.began]
    found = {each for each in reachable(reader, roots) if isinstance(each, Ref)}
    met: set[Ref] = set()
    for each in _inside(reader, value):
        if isinstance(each, ListRef | DictRef | ObjectRef):
            (found if each in met else met).add(each)
        else:  # a function or iterator of the result sees what it was made of
            found |= {ref for ref in reachable(reader, [each]) if isinstance(ref, Ref)}
    return found


def _inside(reader: Reader, value: Abstract) -> Iterator[Any]:
    """The containers in a result, as often as they stand there, and what else it holds."""
    left, met = [value], set()
    while left:
        each = left.pop()
        if isinstance(each, tuple):
            left += each
            continue
        yield each
        if isinstance(each, ListRef | DictRef | ObjectRef) and each not in met:
            met.add(each)
            content = reader.heap[each]
            left += content.values() if isinstance(content, dict) else content if isinstance(content, tuple) else ()


def unpacked(reader: Reader, value: Abstract) -> Abstract:
    """A returned value with its containers made anew."""
    if isinstance(value, OneOf):
        return OneOf(value.place, tuple(_inner(reader, option) for option in value.options))
    if not isinstance(value, tuple):
        return value
    items = [_inner(reader, item) for item in value]
    if not isinstance(value, Packed):
        return remake(value, items)
    if value.keys is None:
        return reader.new_like(value.like, items)
    ref = type(value.like)(None, value.like.kind)
    reader.heap[ref] = dict(zip(value.keys, items, strict=True))
    return ref


def _inner(reader: Reader, value: Abstract) -> Abstract:
    """One that is part of a returned value: a dict is one of those that were made where it was, as a whole one is one of those of the call."""
    found = unpacked(reader, value)
    if isinstance(value, Packed) and isinstance(found, DictRef):
        found.origins = value.like.origins
    return found
