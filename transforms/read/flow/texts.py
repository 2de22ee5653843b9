"""Texts of values that are known at run time only: f-strings, `%` and str.format. They are what exceptions say.

    f"{n} rows, norm {x:.2e}"   ->   Text("{} rows, norm {:.2e}", (n, x))
    f"{x:>{width}}"             ->   Text("{:>{}}", (x, width))
    "#" * n                     ->   Text("{!s:#<{}.0}", (n, n)): no character of n, filled up to n
"""
from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from string import Formatter
from typing import Any

import libcst as cst
import numpy as np

from s2s.errors import ArgumentTypeError, BoundsError
from s2s.transforms.primitives import sizes
from s2s.transforms.read.calls import texts_of_objects
from s2s.transforms.read.classes import example_of
from s2s.transforms.read.describing import describe
from s2s.transforms.read.doubts import types_of
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.flow.filled_by_loops import run_time_map
from s2s.transforms.read.flow.iteration import iterate
from s2s.transforms.read.flow.spreading import joined_texts, spread
from s2s.transforms.read.known import by_python, is_known, key_value, plain, unknown
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import load
from s2s.transforms.read.storage.grown import Grown
from s2s.transforms.read.values import (
    Abstract,
    DequeRef,
    DictRef,
    JoinedText,
    ListRef,
    OneOf,
    Text,
    View,
    is_atom,
    is_namedtuple,
    join_text,
)
from s2s.transforms.read.wrapping import as_size
from s2s.types import BOOL, Atom, Var, is_integer, kind_of

MISSING = object()
_SHORT = (np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.complex64))
"""Floats that str and print show with fewer digits than an f-string, which makes Python's floats of them."""
_FIELD = re.compile(r"%(?:\((?P<key>\w+)\))?(?P<flags>[-+ 0#]*)(?P<width>\d*)(?P<precision>\.\d+)?(?P<kind>[diouxXeEfFgGcrsa%])")


def formatted(reader: Reader, value: Abstract, conversion: str | None, spec: Abstract, above: tuple[Abstract, ...] = ()) -> Abstract:
    """A value in a text. `above`: the containers whose text it is in; what holds itself is shown as [...] there."""
    if isinstance(spec, Text) and is_atom(value) and not conversion and value.type.dtype != BOOL:
        return Text("{:" + spec.template + "}", (value, *spec.values))
    if not isinstance(spec, str):
        unknown(reader, spec, "a format that is")
    if isinstance(value, OneOf):
        return spread(reader, value, lambda each: formatted(reader, each, conversion, spec, above))
    if isinstance(value, View) and not spec and conversion in (None, "", "s"):
        return Text("{}", (load(reader, value).atom,))
    if isinstance(value, View) and not spec and conversion == "r":
        return Text("{!r}", (load(reader, value).atom,))
    if is_atom(value):
        return _of_number(reader, value, conversion, spec)
    return format_static(reader, value, conversion, spec, above)


@asks_python
def _of_number(reader: Reader, value: Atom, conversion: str | None, spec: str) -> Text:
    """A number of run time in a text, as Python's or NumPy's numbers look."""
    field = "{:" + spec + "}" if spec else "{}"
    if spec:
        if value.type.dtype == BOOL and not conversion:  # Python shows it as the int that it is
            return _of_number(reader, reader.rules.call(int, (value,)), None, spec)
        format(format(example_of(reader, value), "") if conversion else example_of(reader, value), spec)
    if conversion and spec and (conversion == "s" or {each.weak for each in types_of(reader.builder, value)} == {True}):
        return Text("{!s:" + spec + "}", (value,))  # repr and str of Python's own numbers are one
    if conversion not in ("r", "a"):
        as_float = conversion is None or spec or value.type.dtype not in _SHORT
        return Text(field if as_float else "{!s}", (value,))
    weak = {each.weak for each in types_of(reader.builder, value)}
    if spec or len(weak) > 1 or not min(weak) and kind_of(value.type.dtype) not in "iuf":
        raise reader.unsupported(f"{describe(reader, value)} in a text, as repr shows it", "str(…) of it")
    return Text(field if min(weak) else f"np.{value.type.dtype}({{!s}})", (value,))


@asks_python
def format_static(reader: Reader, value: Abstract, conversion: str | None, spec: Any, above: tuple[Abstract, ...] = ()) -> Abstract:
    """A value known while reading as text; others are refused unless they are containers of scalars."""
    if (said := texts_of_objects.text(reader, value, conversion or None, spec)) is not None:
        return said
    if is_known(reader, value):
        shown = plain(reader, value)
        converters: dict[str, Callable[[Any], str]] = {"r": repr, "s": str, "a": ascii}
        return format(converters[conversion](shown) if conversion else shown, spec)
    if not spec and (pieces := _pieces(reader, value, above)) is not None:
        return joined_texts(reader, pieces)
    if isinstance(value, Text | JoinedText) and not spec and conversion in (None, "s"):
        return value
    if not spec and (listed := _as_long_as_the_run_makes_it(reader, value, above)) is not None:
        return listed
    raise reader.unsupported(f"{describe(reader, value)} in a text", "a scalar: an element, a norm or a sum")


def _pieces(reader: Reader, value: Abstract, above: tuple[Abstract, ...]) -> list[Abstract] | None:
    """What a tuple, list, deque or dict looks like, piece by piece; None for what only the run knows the items of, and for other things."""
    if any(value is each for each in above):
        return ["{...}" if isinstance(value, DictRef) else "(...)" if isinstance(value, tuple) else "[...]"]
    if isinstance(value, tuple) and any(item is each for item in value for each in above):
        raise reader.unsupported("a tuple that holds the container it is in, in a text", "a text of its items")

    def shown(item: Abstract) -> Abstract:
        return formatted(reader, item, "r", "", (*above, value))

    held = reader.heap.get(value) if isinstance(value, ListRef | DictRef) else None
    if isinstance(value, DictRef) and isinstance(held, dict) and value.kind is dict:
        items = [(shown(key_value(reader, key)), ": ", shown(item)) for key, item in held.items()]
        return ["{", *_between(items), "}"]
    if isinstance(value, ListRef) and isinstance(held, tuple) and (not isinstance(value, DequeRef) or value.maxlen is None or isinstance(value.maxlen, int)):
        opening, closing = "[", "]"
        if isinstance(value, DequeRef):
            opening, closing = "deque([", "])" if value.maxlen is None else f"], maxlen={value.maxlen})"
        return [opening, *_between([(shown(item),) for item in held]), closing]
    if isinstance(value, tuple) and is_namedtuple(value) and type(value).__repr__.__module__ == "collections":
        return [f"{type(value).__name__}(", *_between([(f"{name}=", shown(item)) for name, item in zip(getattr(type(value), "_fields", ()), value, strict=True)]), ")"]
    if isinstance(value, tuple) and not is_namedtuple(value):
        return ["(", *_between([(shown(item),) for item in value]), ",)" if len(value) == 1 else ")"]
    return None


def _as_long_as_the_run_makes_it(reader: Reader, value: Abstract, above: tuple[Abstract, ...]) -> Abstract | None:
    """A list of which only the run knows how many items it has; None for other things."""
    if type(value) is not ListRef or not isinstance(reader.heap.get(value), Grown):
        return None
    items = run_time_map(reader, iterate(reader, value), lambda item: formatted(reader, item, "r", "", (*above, value)))
    return join_text(["[", JoinedText(", ", items), "]"])


def _between(items: list[tuple[Abstract, ...]]) -> list[Abstract]:
    """The pieces of all items, with commas between them."""
    return [piece for item in items for piece in (", ", *item)][1:]


def repeated_text(reader: Reader, a: Abstract, b: Abstract) -> Text | None:
    """text * count, or count * text, of one character and as many as only the run knows."""
    text, count = (a, b) if isinstance(a, str) else (b, a)
    if not isinstance(text, str) or len(text) != 1 or text in "{}" or not isinstance(count, Var) or not is_integer(count.type.dtype):
        return None
    number = sizes.larger(reader.builder, as_size(reader, count), 0)
    return Text("{!s:" + text + "<{}.0}", (number, number))


# ---- f-strings -------------------------------------------------------------------------------------------------------------


def f_string(reader: Reader, node: cst.FormattedString) -> Abstract:
    """f"…"."""
    opening = node.start.replace("f", "").replace("F", "")
    return joined_texts(reader, [_f_part(reader, part, opening, node.end) for part in node.parts])


def _f_part(reader: Reader, part: Any, opening: str, end: str) -> Abstract:
    """A part of an f-string: its text is one between the same quotes, raw where they are."""
    if isinstance(part, cst.FormattedStringText):
        return str(cst.SimpleString(f"{opening}{part.value}{end}").evaluated_value).replace("{{", "{").replace("}}", "}")
    value = reader.rules.evaluate(part.expression)
    spec = join_text([_f_part(reader, each, opening, end) for each in part.format_spec or ()])
    return formatted(reader, value, part.conversion, spec)


# ---- % and str.format ------------------------------------------------------------------------------------------------------


def percent(reader: Reader, template: str, given: Abstract) -> Abstract:
    """template % given, as a Text where something is known at run time only."""
    if is_known(reader, given):
        return by_python(reader, operator.mod, template, given)
    items = iter(given if isinstance(given, tuple) else (given,))
    parts: list[Abstract] = []
    end = 0
    for field in _FIELD.finditer(template):
        parts.append(template[end : field.start()])
        end = field.end()
        if field["kind"] == "%":
            parts.append("%")
            continue
        value = reader.heap[given][field["key"]] if isinstance(given, DictRef) and field["key"] else next(items, MISSING)
        if value is MISSING:
            raise ArgumentTypeError("not enough arguments for format string", where=reader.builder.where)
        parts.append(_percent_field(reader, field, value))
    parts.append(template[end:])
    if not isinstance(given, DictRef) and next(items, MISSING) is not MISSING:
        raise ArgumentTypeError("not all arguments converted during string formatting", where=reader.builder.where)
    return joined_texts(reader, parts)


def _percent_field(reader: Reader, field: re.Match[str], value: Abstract) -> Abstract:
    if not is_atom(value) and not is_known(reader, value) and (field["kind"] not in "rsa" or field["width"]):
        raise reader.unsupported(f"{describe(reader, value)} in a text", "a scalar: an element, a norm or a sum")
    kind, flags, width = field["kind"], field["flags"], field["width"]
    align = "<" if "-" in flags else ">" if width and "0" not in flags else ""
    if kind in "rsa":
        return formatted(reader, value, kind, align + width if width else "")
    if kind in "di":
        value, kind = reader.rules.call(int, (value,)), "d"
    sign = "+" if "+" in flags else " " if " " in flags else ""
    zeros = "0" if "0" in flags and "-" not in flags else ""
    return formatted(reader, value, None, f"{align}{sign}{'#' if '#' in flags else ''}{zeros}{width}{field['precision'] or ''}{kind}")


class _Shown:
    """A value whose text does not matter."""

    def __format__(self, spec: str) -> str:
        return ""


def str_format(reader: Reader, template: str, args: tuple[Abstract, ...], kwargs: Mapping[str, Abstract]) -> Abstract:
    """template.format(*args, **kwargs)."""
    for name in _fields_of(template):
        if not (name.isidentifier() or name.isdigit() or not name):
            raise reader.unsupported(f"the field {{{name}}} of str.format with run-time values", "an f-string")
    try:  # raises what Python raises where there are too few
        template.format(*(_Shown() for _ in args), **{name: _Shown() for name in kwargs})
    except IndexError as error:
        raise BoundsError(str(error), where=reader.builder.where) from None
    return _filled_in(reader, template, iter(args), args, kwargs)


def _fields_of(template: str) -> Iterator[str]:
    """The names of a template's fields, and of those in their formats ({:.{}f})."""
    for _, name, spec, _ in Formatter().parse(template):
        if name is not None:
            yield name
            yield from _fields_of(spec or "")


def _filled_in(reader: Reader, template: str, following: Iterator[Abstract], args: tuple[Abstract, ...], kwargs: Mapping[str, Abstract]) -> Abstract:
    """The template with its fields' values; those without a name take the following ones in turn, a field before those in its format."""
    parts: list[Abstract] = []
    for literal, name, spec, conversion in Formatter().parse(template):
        parts.append(literal)
        if name is None:
            continue
        value = next(following) if not name else args[int(name)] if name.isdigit() else kwargs[name]
        parts.append(formatted(reader, value, conversion, _filled_in(reader, spec or "", following, args, kwargs)))
    return joined_texts(reader, parts)
