"""vars(thing) and thing.__dict__ of an object (`composed/own_attributes.py`): what it may read and, where the object is made while reading, set."""
from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from s2s.errors import ArgumentTypeError
from s2s.transforms.read.bound_names import usable
from s2s.transforms.read.calls.hidden import ask, attribute_steps, enter
from s2s.transforms.read.classes import class_of, find, type_name
from s2s.transforms.read.composed import marks
from s2s.transforms.read.composed.own_attributes import OwnAttributes
from s2s.transforms.read.composed.subclassed import HELD
from s2s.transforms.read.describing import describe
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.changes import writable
from s2s.transforms.read.unset_attributes import is_doubtful, may_be_set
from s2s.transforms.read.values import Abstract, ObjectRef, Outside


def attributes_of(reader: Reader, base: Abstract) -> Abstract:
    """base.__dict__."""
    kind = class_of(base)
    is_read = isinstance(base, ObjectRef) and HELD not in reader.heap[base] or isinstance(base, Outside) and type(getattr(base.object, "__dict__", None)) is dict
    if not is_read or kind is None or issubclass(kind, BaseException):
        shown = describe(reader, base) if kind is None else f"a {kind.__name__}"
        raise reader.unsupported(f"the __dict__ of {shown}", "its attributes by name")
    if not kind.__dictoffset__ and not isinstance(base, Outside):  # a threading.local has one all the same
        raise AttributeError(f"{kind.__name__!r} object has no attribute '__dict__'")
    return reader.rules.call(OwnAttributes, (base,))


def _vars(reader: Reader, *given: Abstract) -> Abstract:
    if not given:
        raise reader.unsupported("vars() of the function's own names", "a dict")
    if class_of(given[0]) is None:
        raise ArgumentTypeError(f"vars() of a {type_name(reader, given[0])} is not read" if isinstance(given[0], type | types.ModuleType) else "vars() argument must have __dict__ attribute", where=reader.builder.where)
    return attributes_of(reader, given[0])


def _names(reader: Reader, thing: ObjectRef | Outside) -> Abstract:
    if isinstance(thing, Outside):
        return tuple(ask(reader, vars(thing.object), attribute_steps(thing.steps, "__dict__"), "keys"))
    held = may_be_set(reader.heap[thing])
    if (name := next((name for name, value in held.items() if is_doubtful(value)), None)) is not None:
        raise reader.unsupported(f"the __dict__ of a {thing.kind.__name__} whose attribute .{name} is set on some paths only", "its attributes by name")
    return tuple(name for name in held if (found := find(thing.kind, name)) is None or not isinstance(found[1], types.MemberDescriptorType))


def _name(reader: Reader, name: Abstract) -> str:
    if not isinstance(name, str):
        raise reader.unsupported("an attribute whose name is known only at run time, or is no text", "if and elif")
    return name


def _held(reader: Reader, thing: ObjectRef | Outside, name: Abstract) -> Abstract:
    if isinstance(thing, Outside):
        return _held_outside(reader, thing, _name(reader, name))
    return usable(reader, reader.heap[thing][_name(reader, name)])


def _held_outside(reader: Reader, thing: Outside, name: str) -> Abstract:
    kind = class_of(thing)
    assert kind is not None
    if find(kind, name) is None:
        return reader.rules.attribute(thing, name)
    path = attribute_steps(thing.steps, "__dict__")  # the class has something under the name, which `thing.name` may be
    return enter(reader, vars(thing.object)[name], None if path is None else (*path, ("item", name)))


def _refuse_outside(reader: Reader, thing: ObjectRef | Outside) -> None:
    if isinstance(thing, Outside):
        raise reader.unsupported("a store into the __dict__ of an object that lives outside of the function", "its attributes by name: x.name = …")


def _hold(reader: Reader, thing: ObjectRef, name: Abstract, value: Abstract) -> None:
    _refuse_outside(reader, thing)
    writable(reader, thing)
    reader.heap[thing] = {**reader.heap[thing], _name(reader, name): value}


def _drop(reader: Reader, thing: ObjectRef, name: Abstract) -> None:
    _refuse_outside(reader, thing)
    writable(reader, thing)
    reader.heap[thing] = {each: value for each, value in reader.heap[thing].items() if each != name}


ATTRIBUTES: dict[Any, Callable[..., Abstract]] = {marks.names_held: _names, marks.attribute_held: _held, marks.hold_attribute: _hold, marks.drop_attribute: _drop}
"""What the class that stands for a `__dict__` asks the reader."""
VARS: dict[str, Callable[..., Abstract]] = {"builtins.vars": _vars}

__all__ = ["ATTRIBUTES", "VARS", "attributes_of"]
