"""What a call is given: its arguments in order and by name, those behind * and ** too."""
from __future__ import annotations

import collections
import math
from typing import Any

import libcst as cst

from s2s.transforms.read.callables import Closure, Method
from s2s.transforms.read.classes import find, held_items
from s2s.transforms.read.composed.own_attributes import OwnAttributes
from s2s.transforms.read.composed.pooled_dicts import PooledDict
from s2s.transforms.read.describing import describe
from s2s.transforms.read.flow import stars
from s2s.transforms.read.flow.binding import qualified_name
from s2s.transforms.read.flow.items import content_of, items_of
from s2s.transforms.read.flow.keyed import is_keyed
from s2s.transforms.read.flow.written_loops import listed
from s2s.transforms.read.known import hashed
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, DictRef, ObjectRef, Outside, Pooled, SetRef


def arguments(reader: Reader, function: Abstract, node: cst.Call) -> tuple[tuple[Abstract, ...], dict[str, Abstract]]:
    """What a call is given."""
    args: list[tuple[bool, Abstract]] = []
    kwargs: dict[str, Abstract] = {}
    held = []
    is_alone = sum(arg.keyword is None and arg.star != "**" for arg in node.args) == 1  # CPython then goes through it behind the arguments by name
    all_of = node.args[0].value if node.args and _takes_all(function, node) else None
    if isinstance(all_of, cst.GeneratorExp):
        reader.frame.taken_whole = all_of
    for arg in node.args:
        value = listed(reader, arg.value) if arg.value is all_of else reader.rules.evaluate(arg.value)
        if arg.star == "**":
            _take(kwargs, mapping_of(reader, value), function)
        elif arg.keyword is not None:
            _take(kwargs, {arg.keyword.value: value}, function)
        elif arg.star == "*" and not is_alone:
            value = stars.taken(reader, value)
            args.append((True, value))
            held.append((value, content_of(reader, value)))
        else:
            args.append((arg.star == "*", value))
    stars.refuse_changed(reader, held)
    return tuple(stars.arguments(reader, function, args, [*kwargs])), kwargs


def _take(kwargs: dict[str, Abstract], more: dict[Any, Abstract], function: Abstract) -> None:
    """More arguments by name, each of which is given once."""
    for name, value in more.items():
        if not isinstance(name, str):
            raise TypeError("keywords must be strings")
        if name in kwargs:
            raise TypeError(f"{_name_of(function)}() got multiple values for keyword argument {name!r}")
        kwargs[name] = value


def _name_of(function: Abstract) -> str:
    """What Python calls a function in errors, with its module."""
    while isinstance(function, Method):
        function = function.function
    if isinstance(function, Closure):
        python = function.frame.root().python
        module, name = None if python is None else python.__module__, qualified_name(function)
    else:
        python = function.object if isinstance(function, Outside) else function
        module, name = getattr(python, "__module__", None), getattr(python, "__qualname__", "function")
    return name if module in (None, "builtins") else f"{module}.{name}"


_TAKING_ALL = (sum, list, tuple, set, frozenset, sorted, min, max, dict, math.fsum, math.prod, collections.Counter)
"""Functions that go through all of their argument before they do anything else."""


def _takes_all(function: Abstract, node: cst.Call) -> bool:
    """Whether a call goes through all of its first argument, and nothing happens before."""
    function = function.object if isinstance(function, Outside) else function
    others = [arg for arg in node.args[1:] if arg.keyword is not None and arg.keyword.value in ("start", "default") and isinstance(arg.value, cst.Name | cst.Integer | cst.Float)]
    return any(function is each for each in _TAKING_ALL) and not node.args[0].star and len(others) == len(node.args) - 1


def as_dict(reader: Reader, value: Abstract) -> Abstract:
    """What an object that is a dict holds, or one that has keys gives for them, as dict(value) asks; other values: themselves."""
    if isinstance(value, ObjectRef) and value.kind is OwnAttributes:
        return reader.rules.call(reader.rules.attribute(value, "copy"), ())
    held = held_items(reader, value)
    if held is value and isinstance(value, ObjectRef) and not is_keyed(value) and find(value.kind, "keys") is not None:
        keys = items_of(reader, reader.rules.call(list, (reader.rules.call(reader.rules.attribute(value, "keys"), ()),)))
        return reader.new_dict({hashed(reader, key): reader.rules.item(value, key) for key in keys})
    return held


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
