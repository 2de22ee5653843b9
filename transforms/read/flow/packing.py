"""Returned containers: immutable while paths are joined, made anew behind the call."""
from __future__ import annotations

from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, DictRef, ListRef, ObjectRef, Packed, remake


def packed(reader: Reader, value: Abstract) -> Abstract:
    """A returned value with its containers made immutable: returns on several paths can be merged."""
    if isinstance(value, tuple):
        return remake(value, [packed(reader, item) for item in value])
    if isinstance(value, ListRef | DictRef | ObjectRef) and value.owner is None:
        content = reader.heap[value]
        keys = None if isinstance(value, ListRef) else tuple(content)
        result = Packed(packed(reader, item) for item in (content if keys is None else content.values()))
        result.like, result.keys = value, keys
        return result
    return value


def unpacked(reader: Reader, value: Abstract) -> Abstract:
    """A returned value with its containers made anew."""
    if not isinstance(value, tuple):
        return value
    items = [unpacked(reader, item) for item in value]
    if not isinstance(value, Packed):
        return remake(value, items)
    if value.keys is None:
        return reader.new_list(items)
    ref = type(value.like)(None, value.like.kind)
    reader.heap[ref] = dict(zip(value.keys, items, strict=True))
    return ref
