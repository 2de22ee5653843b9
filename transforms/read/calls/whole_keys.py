"""Which keys of run time have slots, and that those of one dict or set are of one kind (`composed/key_slots.py`): asked for each key, and known by types."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.transforms.read.composed import marks
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.grown import Grown, Shape, Table
from s2s.transforms.read.values import Abstract, View, is_atom, is_number, is_some_text, scalar_type
from s2s.transforms.read.wrapping import as_atom
from s2s.types import is_whole

_INSTEAD = "float(…) of the integers, or a dict for each"


def _is_whole(reader: Reader, key: Abstract) -> Abstract:
    if isinstance(key, tuple):
        parts = [not isinstance(part, tuple) and _is_whole(reader, part) for part in key]
        return bool(parts) and reader.rules.call(all, (reader.new_list(parts),))
    if is_number(key) or is_atom(key) and key not in reader.builder.doubts:
        return is_whole(scalar_type(key).dtype)
    if is_some_text(key):
        return False
    return reader.rules.call(isinstance, (key, (int, np.integer, np.bool_)))


def _check_kinds(reader: Reader, keys: Abstract, key: Abstract) -> None:
    content = reader.heap[keys]
    if isinstance(content, Table):
        others: set[Any] = {_is_whole(reader, reader.rules.call(marks.taken, (keys, 0)))}
    elif isinstance(content, Grown):
        others = {is_whole(content.array.type.dtype)}
    else:
        others = {_is_whole(reader, each) for each in content}
    if others - {_is_whole(reader, key)}:
        raise reader.unsupported("a dict or set of run-time keys of which some are integers and others are not", _INSTEAD)


def _arrays_behind(reader: Reader, items: Abstract) -> Abstract:
    content = reader.heap[items]
    if not isinstance(content, Grown) or content.first is not None or isinstance(content, Table) and not _is_flat(content.shape):
        return None
    columns = content.columns if isinstance(content, Table) else (content,)
    if not all(column.array.type.ndim == 1 and is_whole(column.array.type.dtype) for column in columns):
        return None
    return tuple(View(column.cell) for column in columns)


def _is_flat(shape: Shape) -> bool:
    return shape.kind is tuple and all(isinstance(part, int) for part in shape.parts)


def _is_formed_as(reader: Reader, keys: Abstract, key: Abstract) -> Abstract:
    content = reader.heap[keys]
    return isinstance(key, tuple) and len(key) == len(content.columns) if isinstance(content, Table) else not isinstance(key, tuple)


def _numbers_of(reader: Reader, key: Abstract) -> Abstract:
    return tuple(as_atom(reader, part) for part in (key if isinstance(key, tuple) else (key,)))


def _is_nan(reader: Reader, key: Abstract) -> Abstract:
    parts = [part for part in (key if isinstance(key, tuple) else (key,)) if isinstance(part, tuple) or is_number(part) or is_atom(part) and scalar_type(part).dtype.kind in "fc"]
    tests = [_is_nan(reader, part) if isinstance(part, tuple) else reader.rules.compare("!=", part, part) for part in parts]
    return reader.rules.call(any, (reader.new_list(tests),))


HANDLERS: dict[Any, Callable[..., Any]] = {
    marks.is_whole: _is_whole, marks.is_nan: _is_nan, marks.check_kinds: _check_kinds, marks.arrays_behind: _arrays_behind, marks.numbers_of: _numbers_of, marks.is_formed_as: _is_formed_as,
}  # fmt: skip
