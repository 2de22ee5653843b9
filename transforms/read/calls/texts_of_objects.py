"""str, repr and format of objects: what a user's class says, or Python itself."""
from __future__ import annotations

from s2s.errors import ArgumentTypeError
from s2s.transforms.read.calls.special_methods import listed, special
from s2s.transforms.read.classes import class_of, class_of_value, find, type_name
from s2s.transforms.read.flow.options import alternatives
from s2s.transforms.read.flow.spreading import joined_texts
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import (
    Abstract,
    AnyText,
    MadeError,
    ObjectRef,
    is_namedtuple,
)


def text(reader: Reader, value: Abstract, conversion: str | None, spec: str) -> Abstract | None:
    """An object in a text: by `__format__` (no conversion), `__str__` ('s') or `__repr__` ('r'); None where its class says nothing."""
    if conversion is None:
        said = special(reader, value, "__format__", spec)
        if said is not None:
            return said[0]
    said = special(reader, value, "__str__") if conversion != "r" else None
    said = said if said is not None or not _repr_decides(value, conversion) else special(reader, value, "__repr__")
    if said is None and is_namedtuple(value) and class_of(value) is not None:
        said = (listed(reader, type(value).__name__, zip(type(value)._fields, value, strict=True)),)
    if said is None and (args := _held_by_error(reader, value)) is not None:
        said = (_of_error(reader, class_of_value(reader, value), args, conversion),)
    if said is None:
        return None
    if spec and conversion is None:
        raise ArgumentTypeError(f"unsupported format string passed to {type_name(reader, value)}.__format__", where=reader.builder.where)
    if not all(isinstance(each, AnyText) for each in alternatives(said[0])):
        raise ArgumentTypeError(f"__str__ returned non-string (type {type_name(reader, said[0])})", where=reader.builder.where)
    return reader.rules.text(said[0], None, spec) if spec else said[0]


def _held_by_error(reader: Reader, value: Abstract) -> tuple[Abstract, ...] | None:
    """The arguments of an exception that the run makes; None for all else."""
    if isinstance(value, ObjectRef) and issubclass(value.kind, BaseException):
        held: tuple[Abstract, ...] = reader.heap[value]["args"]
        return held
    return value.args if isinstance(value, MadeError) else None


def _of_error(reader: Reader, kind: type, args: tuple[Abstract, ...], conversion: str | None) -> Abstract:
    """str() or repr() of an exception, of its arguments."""
    if conversion == "r":
        return joined_texts(reader, [f"{kind.__name__}(", *[piece for arg in args for piece in (", ", reader.rules.text(arg, "r", ""))][1:], ")"])
    if len(args) == 1:
        return reader.rules.text(args[0], "r" if issubclass(kind, KeyError) else "s", "")
    return reader.rules.text(args, "s", "") if args else ""


def _repr_decides(value: Abstract, conversion: str | None) -> bool:
    """Whether `__repr__` is what makes the text: str() of a number, a text or an Enum's member does not come to it."""
    kind = class_of(value)
    found = None if kind is None else find(kind, "__str__")
    return conversion == "r" or found is None or found[0] is object


__all__ = ["text"]
