"""Where the leaves of containers stand: JAX's keys and paths.

    {"w": [1, 2]}   ->   ((DictKey(key='w'), SequenceKey(idx=0)), 1), ((DictKey(key='w'), SequenceKey(idx=1)), 2)
"""
from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import optree


@dataclass(frozen=True)
class SequenceKey:
    """A place in a list or tuple.

    >>> str(SequenceKey(1))
    '[1]'
    """

    idx: int

    def __str__(self) -> str:
        return f"[{self.idx!r}]"


@dataclass(frozen=True)
class DictKey:
    """A key of a dict.

    >>> str(DictKey("w"))
    "['w']"
    """

    key: Hashable

    def __str__(self) -> str:
        return f"[{self.key!r}]"


@dataclass(frozen=True)
class GetAttrKey:
    """A field of a NamedTuple or dataclass.

    >>> str(GetAttrKey("bias"))
    '.bias'
    """

    name: str

    def __str__(self) -> str:
        return f".{self.name}"


@dataclass(frozen=True)
class FlattenedIndexKey:
    """A child of a class that was registered without keys, by its number.

    >>> str(FlattenedIndexKey(0))
    '[<flat index 0>]'
    """

    key: int

    def __str__(self) -> str:
        return f"[<flat index {self.key}>]"


KeyEntry = Any
"""One key of a path: of one of the classes above, or of the user's."""
KeyPath = tuple[Any, ...]
KEYS: dict[type, tuple[Any, ...]] = {}
"""The children's keys of classes that were registered with such."""


def key_paths(treedef: optree.PyTreeSpec) -> list[KeyPath]:
    """The path to each leaf."""
    return [tuple(map(_key, accessor)) for accessor in treedef.accessors()]


def _key(entry: Any) -> Any:
    match entry:
        case optree.MappingEntry():
            return DictKey(entry.key)
        case optree.NamedTupleEntry() | optree.DataclassEntry():
            return GetAttrKey(entry.field)
        case optree.SequenceEntry():
            return SequenceKey(entry.index)
    keys = KEYS.get(entry.type, ())
    return keys[entry.entry] if entry.entry < len(keys) else FlattenedIndexKey(entry.entry)


def keystr(keys: KeyPath, *, simple: bool = False, separator: str = "") -> str:
    """A path as text: ['w'][0]; `simple`: w0, its parts joined by the separator.

    >>> keystr((DictKey("w"), SequenceKey(0))), keystr((DictKey("w"), SequenceKey(0)), simple=True, separator="/")
    ("['w'][0]", 'w/0')
    """
    if simple:
        return separator.join(str(next(iter(vars(key).values()))) if hasattr(key, "__dict__") else str(key) for key in keys)
    return separator.join(map(str, keys))


__all__ = ["KEYS", "DictKey", "FlattenedIndexKey", "GetAttrKey", "KeyEntry", "KeyPath", "SequenceKey", "key_paths", "keystr"]
