"""print(…): written by the run, each time that the function runs; a derivative prints what the function itself does, once.

    print("step", i, f"{x:.3f}")      Print("step {} {:.3f}", (i, x))
"""
from __future__ import annotations

import sys
from string import Formatter
from typing import Any

from s2s.errors import ArgumentTypeError
from s2s.f_strings import fields_in
from s2s.transforms.ir.program import Print
from s2s.transforms.read.calls.composed import call_part
from s2s.transforms.read.calls.hidden import whole
from s2s.transforms.read.composed.printed_items import print_items
from s2s.transforms.read.describing import describe
from s2s.transforms.read.doubts import types_of
from s2s.transforms.read.flow.spreading import joined_texts, spread
from s2s.transforms.read.flow.texts import formatted
from s2s.transforms.read.known import is_known, plain
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, JoinedText, OneOf, Text, as_part
from s2s.transforms.read.zero_dim import is_member
from s2s.types import Atom

_OPTIONS = ("sep", "end", "file", "flush")
_AS_FLOATS = ("e", "E", "f", "F", "g", "G", "%")
"""How a spec ends that shows an int and the float that equals it alike."""


def print_values(reader: Reader, *args: Abstract, **kwargs: Abstract) -> Abstract:
    """Append a Print."""
    sep, end, flush = _options(reader, kwargs)
    return write_text(reader, args, sep, end, flush=flush)


def write_text(reader: Reader, args: tuple[Abstract, ...], sep: str = " ", end: str = "\n", *, flush: bool = False, function: str = "") -> Abstract:
    """Append a Print of these, one behind the other; `function`: what is called with the text instead."""
    pieces: list[Abstract] = [piece for arg in args for piece in (sep, _shown(reader, arg))][1:]
    text = as_part(joined_texts(reader, pieces))
    if isinstance(text, OneOf):
        return spread(reader, text, lambda each: _print(reader, each, end, flush=flush, function=function))
    return _print(reader, text, end, flush=flush, function=function)


def _print(reader: Reader, text: Abstract, end: str, *, flush: bool, function: str) -> Abstract:
    if isinstance(text, Text) and any(isinstance(each, JoinedText) for each in text.values):
        if function:
            raise reader.unsupported(f"a text of a list of run-time length, given to {function}", "its items one by one")
        return _print_in_parts(reader, text, end, flush=flush)
    values = text.values if isinstance(text, Text) else ()
    if isinstance(text, Text):
        for value, spec in zip(values, _specs(text.template), strict=True):
            _check_shown(reader, value, spec)
    template = text.template if isinstance(text, Text) else str(text).replace("{", "{{").replace("}", "}}")
    reader.builder.add(Print(template, values, end, flush, reader.builder.where, function))
    return None


def _print_in_parts(reader: Reader, text: Text, end: str, *, flush: bool) -> Abstract:
    """Print a text one of whose values is as long as the run makes it: what stands before it, its items in a loop, then the rest."""
    number = next(number for number, each in enumerate(text.values) if isinstance(each, JoinedText))
    joined: Any = text.values[number]
    before, after = _cut_at(text, number)
    if before.template:
        _print(reader, before, "", flush=False, function="")
    call_part(reader, print_items, (joined.items, joined.separator), {})
    return _print(reader, after, end, flush=flush, function="")


def _cut_at(text: Text, number: int) -> tuple[Text, Text]:
    """What stands before and behind a field that is no part of another one's format."""
    sides, fields = ["", ""], 0
    for literal, field, spec, conversion in Formatter().parse(text.template):
        sides[fields > number] += literal.replace("{", "{{").replace("}", "}}")
        if field is not None and fields != number:
            sides[fields > number] += "{" + (f"!{conversion}" if conversion else "") + (f":{spec}" if spec else "") + "}"
        fields += 0 if field is None else 1 + fields_in(spec or "")
    return Text(sides[0], text.values[:number]), Text(sides[1], text.values[number + 1 :])


def _options(reader: Reader, kwargs: dict[str, Abstract]) -> tuple[str, str, bool]:
    """What stands between the values and behind them; whether it is written at once."""
    for name, value in kwargs.items():
        if name not in _OPTIONS:
            raise ArgumentTypeError(f"print() got an unexpected keyword argument '{name}'", where=reader.builder.where)
        if not is_known(reader, value):
            raise reader.unsupported(f"print with a `{name}` that is known only at run time", "one that is known")
    known: dict[str, Any] = {name: plain(reader, value) for name, value in kwargs.items()}
    if whole(reader, known.get("file")) not in (None, sys.stdout):
        raise reader.unsupported("print with a `file` other than sys.stdout", "return the values, and write them outside of the function")
    for name in ("sep", "end"):
        if not isinstance(known.get(name), str | None):
            raise ArgumentTypeError(f"{name} must be None or a string, not {type(known[name]).__name__}", where=reader.builder.where)
    sep, end = known.get("sep"), known.get("end")
    return " " if sep is None else sep, "\n" if end is None else end, bool(known.get("flush", False))


def _shown(reader: Reader, value: Abstract) -> Abstract:
    """str(value)."""
    return value if isinstance(value, Text | JoinedText) else formatted(reader, value, "s", "")


def _specs(template: str) -> list[str]:
    """How each value is shown: what stands behind the colon, unless it is shown as str or repr shows it, or stands there itself."""
    fields = [(spec, conversion) for _, field, spec, conversion in Formatter().parse(template) if field is not None]
    return [each for spec, conversion in fields for each in ("" if conversion else spec or "", *[""] * fields_in(spec))]


def _check_shown(reader: Reader, value: Atom, spec: str) -> None:
    """Refuse a number of which Python would print another one: of another type on another path, a member of an enumeration."""
    types = {each.dtype for each in types_of(reader.builder, value)}
    if len(types) > 1 and not value.type.shape and not spec.endswith(_AS_FLOATS):
        raise reader.unsupported(
            f"print of a number that is {' on one path and '.join(sorted(map(str, types)))} on another", "float(…) of it",
            "its type, and so its text, would be known only at run time",
        )  # fmt: skip
    if is_member(reader, value):
        raise reader.unsupported(f"print of {describe(reader, value)}, which may be a member of an enumeration", "its value")
    if value.type.shape and reader.session.printoptions:
        raise reader.unsupported("print of an array under np.printoptions that the function sets", "np.set_printoptions outside of the function")
