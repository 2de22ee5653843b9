"""What only the run knows of an exception that was raised where it is not caught, in a loop's trip or a function that is called: the numbers that it was made with are handed out, and it is made of them again.

    MadeError(Failed, Arguments(("no", v)))     parts (v,), handed out as v_out
                                                MadeError(Failed, Arguments(("no", v_out)))
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from s2s.transforms.read.values import Abstract, Arguments, MadeError, Missing, OneOf, Text, is_atom, is_number, remake


def run_time_parts(error: Abstract) -> tuple[Abstract, ...] | None:
    """Which of several it is, the numbers in its text or among what it is made with; None where it is made with anything that is more than its value."""
    match error:
        case OneOf(place, options):
            return _all([(place,), *map(run_time_parts, options)])
        case MadeError(_, message):
            return _parts_of(message)
        case Missing(test=None) | None:  # looking at it is refused
            return ()
    return None


def _parts_of(value: Abstract) -> tuple[Abstract, ...] | None:
    match value:
        case Text(_, values):
            return values
        case Arguments(args, kwargs):
            return _all(map(_parts_of, (*args, *kwargs.values())))
    if is_atom(value):
        return (value,)
    if isinstance(value, tuple):
        return _all(map(_parts_of, value))
    return () if value is None or isinstance(value, str) or is_number(value) else None


def _all(parts: Iterable[tuple[Abstract, ...] | None]) -> tuple[Abstract, ...] | None:
    found = list(parts)
    return None if None in found else tuple(each for some in found for each in some or ())


def with_parts(error: Abstract, parts: Iterator[Abstract]) -> Abstract:
    """The exception with other values in these places."""
    match error:
        case OneOf(_, options):
            return OneOf(next(parts), tuple(with_parts(option, parts) for option in options))
        case MadeError(kind, message):
            return MadeError(kind, _with_parts(message, parts))
    return error


def _with_parts(value: Abstract, parts: Iterator[Abstract]) -> Abstract:
    match value:
        case Text(template, values):
            return Text(template, tuple(islice(parts, len(values))))
        case Arguments(args, kwargs):
            return Arguments(tuple(_with_parts(each, parts) for each in args), {name: _with_parts(each, parts) for name, each in kwargs.items()})
    if is_atom(value):
        return next(parts)
    return remake(value, [_with_parts(each, parts) for each in value]) if isinstance(value, tuple) else value


__all__ = ["run_time_parts", "with_parts"]
