"""What a call is given: its arguments in order and by name, those behind * and ** too."""
from __future__ import annotations

from typing import Any

import libcst as cst

from s2s.transforms.read.classes import held_items
from s2s.transforms.read.composed.own_attributes import OwnAttributes
from s2s.transforms.read.composed.pooled_dicts import PooledDict
from s2s.transforms.read.describing import describe
from s2s.transforms.read.flow import stars
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, DictRef, ObjectRef, Pooled, SetRef


def arguments(reader: Reader, function: Abstract, node: cst.Call) -> tuple[tuple[Abstract, ...], dict[str, Abstract]]:
    """What a call is given."""
    args: list[tuple[bool, Abstract]] = []
    kwargs: dict[str, Abstract] = {}
    for arg in node.args:
        value = reader.rules.evaluate(arg.value)
        if arg.star == "**":
            kwargs.update(mapping_of(reader, value))
        elif arg.keyword is not None:
            kwargs[arg.keyword.value] = value
        else:
            args.append((arg.star == "*", value))
    return tuple(stars.arguments(reader, function, args, [*kwargs])), kwargs


def as_dict(reader: Reader, value: Abstract) -> Abstract:
    """What an object that is a dict holds; other values: themselves."""
    if isinstance(value, ObjectRef) and value.kind is OwnAttributes:
        return reader.rules.call(reader.rules.attribute(value, "copy"), ())
    return held_items(reader, value)


def mapping_of(reader: Reader, value: Abstract) -> dict[Any, Abstract]:
    """The items of a dict."""
    value = as_dict(reader, value)
    if isinstance(value, Pooled) and value.pool.kind is PooledDict:
        value = reader.rules.call(reader.rules.attribute(value, "copy"), ())
    if isinstance(value, DictRef) and not isinstance(value, SetRef):
        return reader.heap[value]
    if isinstance(value, dict):
        return value
    raise reader.unsupported(f"`**` of {describe(reader, value)}", "a dict")


__all__ = ["arguments", "as_dict", "mapping_of"]
