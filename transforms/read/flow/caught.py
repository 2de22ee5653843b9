"""Errors of run time that a `try` around them catches: no Check raises them, a flag says that the rest is not done.

    try:                       ok = v >= 0                      what follows the statement: If(not raised)
        z = math.sqrt(v)       z = sqrt(v)                      if ok, else z as it was, raised = True, code = 0
        a[0] = z
    except ValueError:         If(raised): …

What a statement computes behind its error is computed all the same and dropped: the state is then that of where Python would have stopped (`Pending.state`).
"""
from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from s2s.errors import LINALG_ERROR, OwnException, made_with
from s2s.records import dataclass, replace
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.program import Check
from s2s.transforms.read.flow.conditions import negated
from s2s.transforms.read.flow.joining import finish_if
from s2s.transforms.read.numpy.arithmetic import where
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import marked
from s2s.transforms.read.numpy.python_checks import all_hold
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.state import Branch, State
from s2s.transforms.read.syntax.frame import CODE, RAISED
from s2s.transforms.read.values import Abstract, Missing, NumberText, Text, is_atom
from s2s.types import Atom, Literal, is_whole, literal


class Unwound(Exception):
    """An expression surely raised what a `try` around it catches: the rest of its statement is not read."""


@dataclass(frozen=True, eq=False)
class Pending:
    """An error that a statement meets unless the test holds, and the state that Python's `except` would find."""

    test: Atom
    state: State


@dataclass(frozen=True)
class Code:
    """What a number in `%code` stands for."""

    kind: Any
    message: Any


UNTOLD = Missing("what was caught has arguments that are not told here", "it is Python's own, of several arguments or of an object")
"""Instead of a message: looking at the exception is refused."""


def message_of(error: Exception) -> Any:
    """What Python's own exception was made with, or None for nothing."""
    match error.args:
        case ():
            return None
        case (message,) if is_plain(message):
            return message
    return UNTOLD


def is_plain(message: Any) -> bool:
    """Whether it is a text, a number, or a tuple of such: its text tells which."""
    return isinstance(message, str | int | float) or isinstance(message, tuple) and all(map(is_plain, message))


def class_named(name: str) -> Any:
    """The exception class behind a name of the program's."""
    if isinstance(name, OwnException):
        return name.kind
    return np.linalg.LinAlgError if name == LINALG_ERROR else getattr(builtins, name)


def catches(reader: Reader, kind: Any) -> bool:
    """Whether a `try` around what is read catches this class."""
    return any(issubclass(kind, kinds) for kinds in reader.catching)


def code_of(reader: Reader, kind: Any, message: Abstract) -> int:
    """The number of an exception."""
    codes = reader.session.codes
    code = Code(kind, message)
    for number, known in enumerate(codes):
        if known.kind is kind and (known.message is message or is_plain(message) and type(known.message) is type(message) and known.message == message):
            return number
    codes.append(code)
    return len(codes) - 1


def note_check(reader: Reader, builder: Builder, check: Check) -> bool:
    """A Check is about to be appended: whether it is caught instead."""
    kind, message = class_named(check.exception), check.message
    if not catches(reader, kind):
        return False
    if check.stretch:  # what follows takes the sizes to be equal: where they are not, even for exactly the sizes of the call, no flag can stand for it
        builder.add(replace(check, exception="NotImplementedError", message=f"{message}: s2s does not know these sizes while it reads the `try` that catches this"))
        return True
    if not _sees(reader, builder):
        return False
    text: Abstract = (NumberText if check.number else Text)(message, check.values) if check.values else message.format() if message else None
    if check.number and not check.values:
        text = made_with(message.format())
    note(reader, check.test, code_of(reader, kind, text))
    return True


def _sees(reader: Reader, builder: Builder) -> bool:
    """Whether what a builder made is bound where the reader goes on."""
    around: Builder | None = reader.builder
    while around is not None and around is not builder:
        around = around.outer
    return around is builder


def note(reader: Reader, test: Atom, code: int) -> None:
    """The statement that is read meets this error unless the test holds."""
    state = reader.state().copy()
    state.names[RAISED], state.names[CODE] = True, code
    reader.pending.append(Pending(test, state))


def raise_caught(reader: Reader, kind: Any, message: Abstract) -> bool:
    """A surely raised exception: whether it is caught."""
    if not catches(reader, kind):
        return False
    reader.frame.names[RAISED] = True
    reader.frame.names[CODE] = code_of(reader, kind, message)
    return True


def after_expression(reader: Reader) -> None:
    """What a part of the expression has raised ends the statement, too."""
    raised = reader.frame.names[RAISED]
    if raised is False:
        return
    if raised is True:
        raise Unwound
    state = reader.state().copy()
    state.names[RAISED] = True
    reader.frame.names[RAISED] = False
    reader.pending.append(Pending(negated(reader, raised), state))


def settle(reader: Reader, since: int) -> None:
    """At the end of a statement: the state is that of its end, or that of the first error it met."""
    while len(reader.pending) > since:
        each = reader.pending.pop()
        if isinstance(each.test, Literal):
            if not each.test.value:
                reader.restore(each.state)
            continue
        now, base = reader.state(), each.state.copy()
        base.names[RAISED] = False
        new = {name: value for name, value in now.names.items() if _is_unset(each.state.names.get(name)) and not _is_unset(value)}
        for name in new:
            del now.names[name]
        reader.restore(base)
        one, two = Branch(reader.builder.inside(), now), Branch(reader.builder.inside(), each.state)
        finish_if(reader, each.test, one, two, reader.frame.live | frozenset(now.names))
        raised = reader.frame.names[RAISED]
        for name, value in new.items():
            whole = value if not isinstance(value, Missing) else value.value
            reader.frame.names[name] = Missing(f"{name!r} is not assigned on every path", test=each.test, value=whole, unless=raised)


def _is_unset(value: Abstract) -> bool:
    """Whether a name is surely not bound."""
    return value is None or isinstance(value, Missing) and value.unset and value.test is None


def divided(reader: Reader, since: int, divisor: Abstract) -> Abstract:
    """The divisor of a division that was just read: 1 where it would be 0, and that is caught; None where nothing was noted."""
    found = [each for each in reader.pending[since:] if reader.session.codes[each.state.names[CODE]].kind is ZeroDivisionError]
    if not found or not is_atom(divisor):
        return None
    with building(reader.builder):
        one = reader.value(Literal(1 if is_whole(divisor.type.dtype) else 1.0, divisor.type))
        return marked(where(reader.value(found[0].test), reader.value(divisor), one), weak=divisor.type.weak).atom


_INSIDE: dict[str, float] = {"acosh": 2.0}
"""By a function's name, a number that it takes and has a finite derivative at; of the others a half."""


def in_domain(reader: Reader, since: int, name: str, values: tuple[Abstract, ...]) -> tuple[Abstract, ...] | None:
    """The operands of what has just been read, with others for its floats where it raises what is caught: what is computed there is dropped, and so must its
    derivative be, which may be nan or infinite. None where nothing was noted.
    """
    tests = [each.test for each in reader.pending[since:] if is_atom(each.test) and not isinstance(each.test, Literal)]
    if not tests or not any(_is_float(value) for value in values):
        return None
    with building(reader.builder):
        test = all_hold(*map(reader.value, tests))
        inside = _INSIDE.get(name, 0.5)
        return tuple(
            marked(where(test, reader.value(value), reader.value(literal(inside, value.type.dtype))), weak=value.type.weak).atom if _is_float(value) else value
            for value in values
        )  # fmt: skip


def _is_float(value: Abstract) -> bool:
    return is_atom(value) and not isinstance(value, Literal) and value.type.dtype.kind in "fc"


__all__ = ["UNTOLD", "Code", "Pending", "Unwound", "after_expression", "catches", "class_named", "code_of", "divided", "in_domain", "message_of", "note", "note_check", "raise_caught", "settle"]
