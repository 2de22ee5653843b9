"""The functions of the module dataclasses: parts of objects whose fields are known.

    asdict(params)      a dict of copies, of the dataclasses inside too
"""
from __future__ import annotations

import dataclasses
from collections.abc import Callable

from s2s.errors import ArgumentTypeError
from s2s.transforms.read.calls import objects
from s2s.transforms.read.classes import class_of, class_of_value, users
from s2s.transforms.read.names import within
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, DictRef, ListRef, Outside, SetRef, remake


def _replace(reader: Reader, base: Abstract, **changes: Abstract) -> Abstract:
    """dataclasses.replace."""
    kind = class_of_value(reader, base)
    items = {field.name: reader.rules.attribute(base, field.name) for field in dataclasses.fields(kind) if field.init}
    return reader.rules.call(kind, (), {**items, **changes})


def _copy_replace(reader: Reader, obj: Abstract, /, **changes: Abstract) -> Abstract:
    """copy.replace, of Python 3.13."""
    kind = class_of_value(reader, obj)
    if getattr(getattr(kind, "__replace__", None), "__module__", None) == "dataclasses":
        return _replace(reader, obj, **changes)
    if not hasattr(kind, "__replace__"):
        raise ArgumentTypeError(f"replace() does not support {kind.__name__} objects", where=reader.builder.where)
    named = isinstance(obj, tuple) and hasattr(kind, "_fields") and users(kind, "__replace__") is None
    return reader.rules.call(reader.rules.attribute(obj, "_replace" if named else "__replace__"), (), changes)


def _fields(reader: Reader, base: Abstract) -> Abstract:
    """dataclasses.fields."""
    kind = base if isinstance(base, type) else class_of_value(reader, base)
    path = ("object", kind), ("attribute", "__dataclass_fields__")
    return tuple(Outside(field, (*path, ("item", field.name))) for field in dataclasses.fields(kind))


def _held(reader: Reader, base: Abstract, kind: type) -> dict[str, Abstract]:
    """What a dataclass holds, by its fields' names."""
    return {field.name: reader.rules.attribute(base, field.name) for field in dataclasses.fields(kind)}


def _taken_apart(name: str, made: Callable[[Reader, dict[str, Abstract]], Abstract]) -> Callable[..., Abstract]:
    """dataclasses.asdict and astuple: `made` of the parts of each dataclass in a value, all else copied."""

    def apart(reader: Reader, value: Abstract) -> Abstract:
        kind = class_of(value)
        if kind is not None and dataclasses.is_dataclass(kind):
            return made(reader, {field: apart(reader, each) for field, each in _held(reader, value, kind).items()})
        if isinstance(value, tuple):
            return remake(value, [apart(reader, each) for each in value])
        if isinstance(value, DictRef) and not isinstance(value, SetRef):
            return reader.new_dict({key: apart(reader, each) for key, each in reader.heap[value].items()}, value.kind)
        if type(value) is ListRef and isinstance(reader.heap[value], tuple):
            return reader.new_list(apart(reader, each) for each in reader.heap[value])
        return objects.deep_copied(reader, value, {})

    def rule(reader: Reader, obj: Abstract) -> Abstract:
        if isinstance(obj, type) or not dataclasses.is_dataclass(class_of(obj) or object):
            raise ArgumentTypeError(f"{name}() should be called on dataclass instances", where=reader.builder.where)
        return apart(reader, obj)

    return rule


def _is_dataclass(reader: Reader, obj: Abstract) -> Abstract:
    return dataclasses.is_dataclass(obj if isinstance(obj, type) else class_of_value(reader, obj))


DATACLASSES: dict[str, Callable[..., Abstract]] = within(
    "dataclasses", replace=_replace, fields=_fields, is_dataclass=_is_dataclass,
    asdict=_taken_apart("asdict", lambda reader, parts: reader.new_dict(parts)), astuple=_taken_apart("astuple", lambda reader, parts: tuple(parts.values())),
) | {"copy.replace": _copy_replace}  # fmt: skip
"""Qualified name -> rule(reader, *args)."""

__all__ = ["DATACLASSES"]
