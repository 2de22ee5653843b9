"""What our own code raises by a slip is an InternalError with the user's line: no `try` of the program catches it, no path raises it. What known values make Python raise is the program's."""
from __future__ import annotations

from typing import Any

import pytest

import s2s
from s2s.errors import InternalError
from s2s.transforms.read.calls import builtin_functions

TABLE, PAIR = {"a": 1.0}, (1.0, 2.0)


def caught(x):
    try:
        return callable(x) * 1.0
    except (KeyError, IndexError, AttributeError, TypeError, ValueError):
        return -1.0


def on_a_path(x):
    if x > 0.0:
        return callable(x) * 1.0
    return 0.5


def on_one_side(x):
    return callable(x) * 1.0 if x > 10.0 else 0.5


def at_once(x):
    return callable(x) * 1.0


def _key(reader: Any, value: Any) -> Any:
    return {}[type(reader)]  # type: ignore[var-annotated]


def _position(reader: Any, value: Any) -> Any:
    return tuple(range(1))[1]


def _attribute(reader: Any, value: Any) -> Any:
    return reader.nothing_of_this_name


def _unpacked(reader: Any, value: Any) -> Any:
    (one,) = (1, 2)
    return one


def _converted(reader: Any, value: Any) -> Any:
    return int("no number")


@pytest.mark.parametrize("slip", [_key, _position, _attribute, _unpacked, _converted])
@pytest.mark.parametrize("program", [caught, on_a_path, on_one_side, at_once])
def test_a_slip_is_no_exception_of_the_program(program: Any, slip: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    slip = compiled_as_ours(slip)
    monkeypatch.setitem(builtin_functions.BUILTINS.entries, "builtins.callable", slip)
    with pytest.raises(InternalError, match="callable"):
        s2s.jit(program, target="numpy")(0.5)


def compiled_as_ours(function: Any) -> Any:
    """The function as one of the reader's own files would have it."""
    place = builtin_functions._text.__code__.co_filename
    return type(function)(function.__code__.replace(co_filename=place), function.__globals__, function.__name__)


def of_a_dict(x):
    try:
        return TABLE["b"] * x
    except KeyError as error:
        return x + len(str(error))


def of_a_tuple(x):
    try:
        return PAIR[2] * x
    except IndexError:
        return -x


def of_a_text(x):
    try:
        return int("no number") * x
    except ValueError as error:
        return x * len(str(error))


def of_a_number(x):
    try:
        return x + 1 // 0
    except ZeroDivisionError:
        return x * 3.0


def of_an_attribute(x):
    try:
        return x.nothing
    except AttributeError:
        return x * 4.0


def of_a_call(x):
    try:
        return at_once(x, x)
    except TypeError:
        return x * 5.0


def of_lengths(x):
    try:
        return sum(a * b for a, b in zip((1.0, 2.0), (x,), strict=True))
    except ValueError:
        return x * 6.0


def of_two_sides(x):
    return "ab"[5] if x > 10.0 else len("ab") * x


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("program", [of_a_dict, of_a_tuple, of_a_text, of_a_number, of_an_attribute, of_a_call, of_lengths, of_two_sides])
def test_what_known_values_raise_is_the_programs(program: Any, target: str) -> None:
    assert s2s.jit(program, target=target)(0.75) == program(0.75)
