"""What an abstract value is, in the user's words."""
from __future__ import annotations

from s2s.errors import UnsupportedError
from s2s.transforms.read.callables import Applied, ArrayMethod, Closure, ContainerMethod, Converted, Derived, Method, Ruled, SecondHalf
from s2s.transforms.read.failures import RunTimeKeys, Suppressed
from s2s.transforms.read.iterations import Iteration, RunRange
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import is_zero_dim, load
from s2s.transforms.read.storage.plans import refused
from s2s.transforms.read.values import (
    Abstract,
    DictRef,
    DictView,
    IteratorRef,
    JoinedText,
    ListRef,
    MadeError,
    Missing,
    ObjectRef,
    OneOf,
    Outside,
    Packed,
    Pooled,
    SetRef,
    Text,
    TupleRef,
    View,
)  # fmt: skip
from s2s.types import Literal, Opaque, Var


def describe(reader: Reader, value: Abstract) -> str:
    """What an abstract value is, for error messages."""
    if is_zero_dim(reader, value):
        return f"an array without axes, of {load(reader, value).dtype}"
    match value:
        case Var() | Literal():
            return f"a run-time {value.type.words}"
        case View():
            return f"an array {reader.heap[value.cell].type.words}" if not value.steps else f"a view {load(reader, value).type.words}"
        case ListRef():
            return "a tuple whose length is known only at run time" if isinstance(value, TupleRef) else "a list"
        case SetRef():
            return "a set"
        case DictView():
            return f"the {value.part} of a dict"
        case Iteration() | IteratorRef():
            return "an iterator"
        case slice():
            return "a slice"
        case DictRef():
            return "a dict"
        case ObjectRef():
            return f"a {value.kind.__name__}"
        case Pooled():
            return f"a {value.pool.kind.__name__}"
        case Closure() | Method() | Applied() | Derived() | SecondHalf() | ArrayMethod() | ContainerMethod() | Ruled() | Converted():
            return "a function"
        case Outside():
            return f"{type(value.object).__name__} {getattr(value.object, '__name__', '')}".strip()
        case MadeError():
            return f"a {value.kind.__name__}"
        case Text() | JoinedText():
            return "a text with run-time values"
        case Packed():
            return describe(reader, value.like)
        case tuple():
            return f"a tuple of {len(value)}"
        case RunRange():
            return "a range"
        case OneOf():
            return " or ".join(describe(reader, option) for option in value.options)
        case Opaque():
            return "a value"
    return f"{type(value).__name__} {value!r:.60}"


class UnsetError(UnsupportedError):
    """A name is used that nothing was assigned to yet."""


def missing_error(reader: Reader, value: Missing) -> Exception:
    """The exception for the use of a Missing."""
    if not value.what:
        return Suppressed()
    if value.test is not None and value.error == "AttributeError":
        return UnsupportedError(f"an object with an attribute that is set on some paths only ({value.what} on the others)", where=reader.builder.where, instead="set it on every path")
    bound = value.unset or value.test is not None
    instead = value.instead or ("assign it on every path before it is used" if bound else "give it one dtype, rank and structure on all paths")
    kind = UnsetError if value.unset else UnsupportedError
    error = kind(value.what, where=reader.builder.where, why=value.why, instead=instead)
    if value.keyed:
        return RunTimeKeys(error, value.keyed)
    return refused(reader, error, *value.pooled) if value.pooled else error
