"""Which class a value has in Python, and what a user's class defines.

    class_of(p)              Point, a class of the user's; None of a number or an array
    users(Point, "__eq__")   the method, and the class that has it
    class_of_value([1, x])   list
"""
from __future__ import annotations

import inspect
import threading
import types
import typing
from collections import deque
from collections.abc import Sequence
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError
from s2s.hidden import MISSING
from s2s.outside import OF_NAMED_TUPLES
from s2s.transforms.read.callables import Applied, Closure, Derived, Method, SecondHalf
from s2s.transforms.read.calls.libraries import is_library
from s2s.transforms.read.composed.subclassed import HELD
from s2s.transforms.read.describing import describe
from s2s.transforms.read.iterations import Iteration, RunRange
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import load
from s2s.transforms.read.syntax.frame import note
from s2s.transforms.read.values import (
    STANDS_FOR,
    Abstract,
    DequeRef,
    DictRef,
    DictView,
    IteratorRef,
    JoinedText,
    ListRef,
    MadeError,
    ObjectRef,
    Outside,
    Pooled,
    Text,
    TupleRef,
    View,
    is_atom,
)  # fmt: skip
from s2s.transforms.read.zero_dim import no_member, which
from s2s.types import Literal, Var, zero

BINARY = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "@": "matmul",
    "&": "and", "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift",
}  # fmt: skip
COMPARE = {"<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__", "==": "__eq__", "!=": "__ne__"}
_VALUES = frozenset((Var, Literal, View, bool, int, float, complex, str, type(None), tuple, slice))
"""Of these very classes is most of what is asked for."""
_NOT_OBJECTS = (Text, types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.ModuleType, type)
_DESCRIPTORS_OF_PYTHON = (types.WrapperDescriptorType, types.MethodDescriptorType, types.BuiltinFunctionType, types.ClassMethodDescriptorType)
_PARAMETRISED = (types.GenericAlias, type(typing.ClassVar[int]))
_AS_WITHOUT = (Sequence.__iter__, Sequence.__contains__)
"""What Python does by `__getitem__` alone where a class has none of these."""
_WRITERS = ("collections", "enum")
"""Modules that put methods of their own into the user's classes."""
_PYTHONS_OWN = ("abc", "enum", "types", "_abc")


def class_of(value: Abstract) -> type | None:
    """The user's class of an object; None for what is no object of such a class."""
    if isinstance(value, ObjectRef):
        return value.kind
    if isinstance(value, Pooled):
        kind: type = value.pool.kind
        return kind
    if type(value) in _VALUES:
        return None
    thing = value.object if isinstance(value, Outside) else value
    if isinstance(thing, _NOT_OBJECTS) or hasattr(type(thing), "stage"):
        return None
    return None if is_pythons(type(thing)) and not isinstance(thing, threading.local) else type(thing)


def unparametrised(thing: Abstract) -> Abstract:
    """Box of Box[float]: what it holds is for type checkers, and no difference to what is made of it."""
    inner = thing.object if isinstance(thing, Outside) else thing
    of = getattr(inner, "__origin__", None) if isinstance(inner, _PARAMETRISED) else None
    return of if isinstance(of, type) else thing


def is_pythons(cls: type) -> bool:
    """Whether a class is Python's or a library's, not the user's."""
    return is_library(cls.__module__) or cls.__module__ in _PYTHONS_OWN


def find(kind: type, name: str) -> tuple[type, Any] | None:
    """The class that defines an attribute, and what stands there; noted, but for plain values, which are looked up where they are used."""
    found = next(((owner, vars(owner)[name]) for owner in kind.__mro__ if name in vars(owner)), None)
    if not is_pythons(kind) and (found is None or found[1] is None or hasattr(type(found[1]), "__get__")):
        note((("object", kind), ("entry", name)), MISSING if found is None else found[1])
    return found


def is_generated(raw: Any) -> bool:
    """Whether `@dataclass` wrote this method."""
    return isinstance(raw, types.FunctionType) and inspect.unwrap(raw).__code__.co_qualname.startswith("__create_fn__.")


def held_items(reader: Reader, value: Abstract) -> Abstract:
    """The list or dict that an object of a subclass of them is; other values: themselves."""
    return reader.heap[value].get(HELD, value) if isinstance(value, ObjectRef) and HELD in reader.heap[value] else value


def users(kind: type | None, name: str) -> tuple[type, Any] | None:
    """A special method of the user's (or one that `@dataclass` wrote for him), with the class that has it."""
    found = None if kind is None else find(kind, name)
    if found is None or is_pythons(found[0]) or isinstance(found[1], _DESCRIPTORS_OF_PYTHON) or found[1] in _AS_WITHOUT:
        return None
    written_in = getattr(getattr(found[1], "__func__", found[1]), "__module__", None) or ""
    return None if written_in in _WRITERS or written_in.startswith(OF_NAMED_TUPLES) else found


def compares_by_itself(value: Abstract) -> bool:
    """Whether Python would run a method of the user's to compare or to hash it."""
    kind = class_of(value)
    return any(users(kind, name) is not None for name in (*COMPARE.values(), "__hash__"))


def refuse_as_key(reader: Reader, value: Abstract) -> None:
    """Refuse as a key of a dict what its class compares or hashes in its own way."""
    kind = class_of(value)
    for name in ("__eq__", "__hash__"):
        found = users(kind, name)
        if kind is None or found is None or issubclass(kind, tuple):
            continue
        hashing = find(kind, "__hash__")
        if hashing is not None and hashing[1] is None:
            raise ArgumentTypeError(f"unhashable type: {kind.__name__!r}", where=reader.builder.where)
        raise reader.unsupported(f"a {kind.__name__} as a key, whose class has its own {name}", "a text, a number or a tuple of them as the key")


def type_name(reader: Reader, value: Abstract) -> str:
    """What Python calls a value's class in its messages."""
    if is_atom(value) and not value.type.weak:
        return f"numpy.{value.type.dtype}"
    if isinstance(value, View):
        return "numpy.ndarray"
    return class_of_value(reader, value).__name__


def example_of(reader: Reader, value: Abstract) -> Any:
    """An object of the class that the value would have in Python."""
    if is_atom(value):
        which(reader, value, "the class")
        if value.type.weak:
            return zero(value.type).value
        return value.type.dtype.type(0)
    if isinstance(value, View):
        type_ = load(reader, value).type
        return np.zeros((1,) * len(type_.shape), type_.dtype)
    return value


def class_of_value(reader: Reader, value: Abstract) -> type:
    """The class that a value has in Python."""
    no_member(reader, value, "the class")
    match value:
        case DequeRef() | TupleRef():
            return deque if isinstance(value, DequeRef) else tuple
        case ListRef():
            return list
        case Pooled():
            return vars(value.pool.kind).get(STANDS_FOR, value.pool.kind)
        case DictRef() | ObjectRef():
            return vars(value.kind).get(STANDS_FOR, value.kind)
        case Outside():
            return type(value.object)
        case Closure() | Method() | Applied() | Derived() | SecondHalf():
            return type(lambda: None)
        case Text() | JoinedText():
            return str
        case MadeError():
            return value.kind
        case RunRange():
            return range
        case IteratorRef():
            return type(value.example)
        case DictView() | Iteration():
            raise reader.unsupported(f"the class of {describe(reader, value)}", "list(…) of it")
    return type(example_of(reader, value))
