"""Exceptions that are made with more than one text: `raise Failed("no", n)` is a Check whose message is the text of these arguments, with fields for what the run tells."""
from __future__ import annotations

import ast
import cmath
from itertools import count
from typing import Any

import numpy as np

from s2s.f_strings import f_string
from s2s.transforms.read.describing import describe
from s2s.transforms.read.flow.caught import caught_object
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import load
from s2s.transforms.read.values import Abstract, Arguments, ListRef, MadeError, Text, View, as_part, is_atom
from s2s.types import Atom, Literal


def made_error(kind: type[BaseException], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """kind(*args, **kwargs)."""
    args = tuple(map(as_part, args))
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
    if isinstance(message, Text) and issubclass(kind, OSError):  # it takes a text and values, in which compiled code raises others, for a number and its words
        return Arguments((message,), {})
    return Arguments(() if message is None else (message,), {}) if makes_itself(kind) else None


def makes_itself(kind: type[BaseException]) -> bool:
    """Whether a class has an __init__ or __new__ of its own. (Emitted code raises an Exception for what is made behind it: no other may leave it.)"""
    if kind in (Exception, BaseException):
        return True
    base = next(cls for cls in kind.__mro__ if cls.__module__ == "builtins")
    return any(getattr(kind, name) is not getattr(base, name) for name in ("__init__", "__new__"))


def arguments_text(reader: Reader, made_with: Arguments) -> Text:
    """What it is made with, as Python."""
    parts = [("", _written(reader, value)) for value in made_with.args]
    parts += [(f"{key}=", _written(reader, value)) for key, value in made_with.kwargs.items()]
    return Text(", ".join(key + text.template for key, text in parts), tuple(value for _, text in parts for value in text.values))


def _written(reader: Reader, value: Abstract) -> Text:
    """A value as Python."""
    if isinstance(value, View) and not load(reader, value).ndim:
        value = load(reader, value).atom
    if isinstance(value, Text):
        return _f_string(value)
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


def _f_string(text: Text) -> Text:
    """A text with values of the run."""
    mark = next(name for name in ("_" * length for length in count(1)) if name not in text.template)
    shown = f_string(text.template, [ast.Name(mark)] * len(text.values))
    return Text(shown.replace("{", "{{").replace("}", "}}").replace(mark, "{}"), text.values)


def _field(value: Atom) -> str:
    """A number of the run: Python's, or one of NumPy's dtype, whichever a target computes it in."""
    dtype = value.type.dtype
    name = {"i": "int", "f": "float", "c": "complex", "b": "bool"}[dtype.kind] if value.type.weak else f"np.{dtype.name if dtype.kind != 'b' else 'bool'}"
    return f"{name}({{}})"


def _constant(value: Any) -> str:
    if isinstance(value, np.floating | np.complexfloating):
        is_plain = isinstance(value, np.floating) and np.isfinite(value)
        return f"np.{value.dtype.name}({str(value) if is_plain else repr(str(value))})"
    if isinstance(value, float | complex) and not cmath.isfinite(value):
        return f"{type(value).__name__}('{value}')"
    return repr(value)


__all__ = ["arguments", "arguments_text", "made_error", "makes_itself"]
