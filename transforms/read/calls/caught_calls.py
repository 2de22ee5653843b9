"""Functions of the program that are called inside of a `try`: what they raise that is caught they return, as flags, and the caller's handlers look at these.

    def f(x):                    def f(x):
        return g(x) / x              ok = x != 0; If(ok): …
    try:                             return f, raised, code
        y = f(a)                 y, raised, code = f(a)
    except ZeroDivisionError:    If(raised): …
"""
from __future__ import annotations

from s2s.records import dataclass
from s2s.transforms.read.calls.helpers import ResultPacker
from s2s.transforms.read.failures import NeedsInline
from s2s.transforms.read.flow.caught import note_check, raised_in_call, what_was_raised
from s2s.transforms.read.flow.error_parts import run_time_parts, with_parts
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.syntax.frame import CODE, ERROR, RAISED
from s2s.transforms.read.values import Abstract

Catching = tuple[tuple[type, ...], bool]


def catching_of(reader: Reader) -> Catching:
    """What a function that is called here is read for: the classes that are caught around, and whether what is raised is told as a whole."""
    kinds = tuple(dict.fromkeys(kind for each in reader.catching for kind in each))
    whole = next((kind for kind in (BaseException, Exception) if kind in kinds), None)
    return kinds if whole is not BaseException else (BaseException,), reader.telling


def catch_in(inner: Reader, catching: Catching) -> None:
    """The reader of a function reads it for what is caught where it is called."""
    kinds, inner.telling = catching
    if kinds:
        inner.catching = (kinds,)
        inner.builder.on_check = lambda *check: note_check(inner, *check)


def packed_with_raised(inner: Reader, packer: ResultPacker, result: Abstract) -> tuple[Abstract, Raising | None]:
    """What a function returns, with what it has raised if it may raise something that is caught."""
    raised = what_was_raised(inner)
    if raised[RAISED] is False:
        return packer.pack(result), None
    error = raised.get(ERROR)
    packed = packer.pack(result) if raised[RAISED] is not True else None
    return (packed, packer.pack(raised[RAISED]), packer.pack(raised[CODE]), tuple(map(packer.pack, parts_of_raised(error)))), Raising(error)


def result_and_raised(reader: Reader, raising: Raising, found: Abstract) -> Abstract:
    """What the call of such a function gives: its result; what it has raised is raised here."""
    result, raised, code, parts = found
    raised_in_call(reader, {RAISED: raised, CODE: code, **({ERROR: with_parts(raising.error, iter(parts))} if reader.telling else {})})
    return result


@dataclass(frozen=True, eq=False)
class Raising:
    """The exception that a function may have raised, of its own values."""

    error: Abstract


def parts_of_raised(error: Abstract) -> tuple[Abstract, ...]:
    """What is handed out of an exception that a function may have raised."""
    parts = run_time_parts(error)
    if parts is None:
        raise NeedsInline
    return parts


__all__ = ["Catching", "Raising", "catch_in", "catching_of", "packed_with_raised", "parts_of_raised", "result_and_raised"]
