"""Exceptions that are made with more than one text: `raise Failed("no", n)` is a Check whose message is the text of that call, with fields for what the run tells."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2s.transforms.read.describing import describe
from s2s.transforms.read.flow.caught import caught_object
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import load
from s2s.transforms.read.values import Abstract, Arguments, ListRef, MadeError, Text, View, is_atom
from s2s.types import Atom, Literal


def made_error(reader: Reader, kind: type[BaseException], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """kind(*args, **kwargs)."""
    message: Abstract = args[0] if len(args) == 1 and not kwargs and isinstance(args[0], str | Text) else Arguments(args, kwargs) if args or kwargs else None
    if not makes_itself(kind):
        known = caught_object(kind, message)
        if known is not None:
            return known
    return MadeError(kind, message)


def arguments(kind: type[BaseException], message: Abstract) -> Arguments | None:
    """What an exception is made with, where that is not one text or nothing, or its class does with a text what only itself knows."""
    if isinstance(message, Arguments):
        return message
    if message is not None and not isinstance(message, str | Text):
        return Arguments((message,), {})
    return Arguments(() if message is None else (message,), {}) if makes_itself(kind) else None


def makes_itself(kind: type[BaseException]) -> bool:
    """Whether a class has an __init__ or __new__ of its own. (Emitted code raises an Exception for what is made behind it: no other may leave it.)"""
    if kind in (Exception, BaseException):
        return True
    base = next(cls for cls in kind.__mro__ if cls.__module__ == "builtins")
    return any(getattr(kind, name) is not getattr(base, name) for name in ("__init__", "__new__"))


def call_text(reader: Reader, name: str, made_with: Arguments) -> Text:
    """The call that makes it, as Python."""
    parts = [("", _written(reader, value)) for value in made_with.args]
    parts += [(f"{key}=", _written(reader, value)) for key, value in made_with.kwargs.items()]
    return Text(f"{name}({', '.join(key + text.template for key, text in parts)})", tuple(value for _, text in parts for value in text.values))


def _written(reader: Reader, value: Abstract) -> Text:
    """A value as Python."""
    if isinstance(value, View) and not load(reader, value).ndim:
        value = load(reader, value).atom
    if isinstance(value, Text):
        return Text(repr(value.template), value.values)
    if is_atom(value) and not isinstance(value, Literal) and not value.type.shape:
        return Text(_field(value), (value,))
    if isinstance(value, tuple) and type(value) is tuple or isinstance(value, ListRef) and type(reader.heap[value]) is tuple:
        items = [_written(reader, item) for item in (value if isinstance(value, tuple) else reader.heap[value])]
        inside = ", ".join(item.template for item in items) + ("," if isinstance(value, tuple) and len(items) == 1 else "")
        return Text(f"({inside})" if isinstance(value, tuple) else f"[{inside}]", tuple(each for item in items for each in item.values))
    plain = value.value if isinstance(value, Literal) else value
    if plain is None or isinstance(plain, str | int | float | complex | np.generic):
        return Text(_constant(plain).replace("{", "{{").replace("}", "}}"), ())
    raise reader.unsupported(f"an exception that is made with {describe(reader, value)}", "numbers and texts")


def _field(value: Atom) -> str:
    """A number of the run: nan and inf are no names of Python's."""
    dtype = value.type.dtype
    name = {"f": "float", "c": "complex"}.get(dtype.kind, "") if value.type.weak else f"np.{dtype.name if dtype.kind != 'b' else 'bool'}"
    return f"{name}('{{}}')" if dtype.kind in "fc" else f"{name}({{}})" if name else "{}"


def _constant(value: Any) -> str:
    if isinstance(value, np.floating | np.complexfloating):
        return f"np.{value.dtype.name}('{value}')"
    if isinstance(value, float) and not math.isfinite(value):
        return f"float('{value}')"
    return repr(value)


__all__ = ["arguments", "call_text", "made_error", "makes_itself"]
