"""Errors of run time that a `try` around them catches: no Check raises them, a flag says that the rest is not done.

    try:                       ok = v >= 0
        z = math.sqrt(v)       If(ok): z = sqrt(v), else: z as it was, raised = True, code = 0
        a[0] = z               If(not raised): a[0] = z
    except ValueError:         If(raised): …

The rest of a statement is read as if nothing had happened; at its end (`settle`) what stands behind the error becomes a branch, beside the state in which Python would
have stopped (`Pending.began`).
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from s2s.errors import exception_class, is_refusal
from s2s.records import cached_property, dataclass, replace
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.facts import learn_test
from s2s.transforms.ir.program import Check
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.flow.branches.merge import Merge
from s2s.transforms.read.flow.conditions import both, negated
from s2s.transforms.read.flow.joining import add_if, finish_if
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.state import Branch, Checkpoint
from s2s.transforms.read.syntax.frame import CODE, ERROR, RAISED, RESULT, VALUE
from s2s.transforms.read.values import Abstract, Arguments, MadeError, Missing, Text, unset_words
from s2s.transforms.read.wrapping import as_atom
from s2s.types import Atom, Literal


class Unwound(Exception):
    """An expression surely raised what a `try` around it catches: the rest of its statement is not read."""


@dataclass(frozen=True, eq=False)
class Pending:
    """An error that a statement meets unless the test holds: the names that say which, and the place, with the state that Python's `except` would find."""

    test: Atom
    raised: dict[str, Abstract]
    builder: Builder
    began: Checkpoint


@dataclass(frozen=True)
class Code:
    """What a number in `%code` stands for."""

    kind: Any
    message: Any

    @cached_property
    def error(self) -> MadeError:
        """The exception, one for all places that raise it."""
        return MadeError(self.kind, self.message)


UNTOLD = Missing("what was caught has arguments that are not told here", "it is Python's own, made of an object")
"""Instead of a message: looking at the exception is refused."""


def message_of(error: BaseException) -> Any:
    """What Python's own exception was made with, or None for nothing."""
    match error.args:
        case ():
            return None
        case (message,) if is_plain(message):
            return message
        case args if all(arg is None or is_plain(arg) for arg in args):
            return Arguments(args, {})
    return UNTOLD


def is_plain(message: Any) -> bool:
    """Whether it is a text, a number, or a tuple of such: its text tells which."""
    return isinstance(message, str | int | float) or isinstance(message, tuple) and all(map(is_plain, message))


def catches(reader: Reader, kind: Any) -> bool:
    """Whether a `try` around what is read catches this class."""
    return any(issubclass(kind, kinds) for kinds in reader.catching)


def code_of(reader: Reader, kind: Any, message: Abstract) -> int:
    """The number of an exception."""
    codes = reader.session.codes
    code = Code(kind, message)
    for number, known in enumerate(codes):
        if known.kind is kind and _same_message(known.message, message):
            return number
    codes.append(code)
    return len(codes) - 1


def _same_message(one: Abstract, other: Abstract) -> bool:
    if isinstance(one, Arguments) and isinstance(other, Arguments):
        pairs = zip((*one.args, *one.kwargs.values()), (*other.args, *other.kwargs.values()), strict=False)
        return len(one.args) == len(other.args) and list(one.kwargs) == list(other.kwargs) and all(_same_message(*pair) for pair in pairs)
    return one is other or is_plain(one) and type(one) is type(other) and bool(one == other)


@asks_python
def caught_object(kind: type[BaseException], message: Abstract) -> BaseException | None:
    """An exception that is known as a whole."""
    args: tuple[Any, ...] = () if message is None else (message,)
    kwargs: dict[str, Any] = {}
    if isinstance(message, Arguments):
        args, kwargs = message.args, message.kwargs
    known = all(arg is None or is_plain(arg) for arg in (*args, *kwargs.values()))
    return kind(*args, **kwargs) if known else None


def note_check(reader: Reader, builder: Builder, check: Check) -> bool:
    """A Check is about to be appended: whether it is caught instead. What s2s does not support no `except` takes for what Python raises."""
    kind, message = exception_class(check.exception), check.message
    if is_refusal(check.exception, message) or not catches(reader, kind):
        return False
    if check.stretch:  # what follows takes the sizes to be equal: where they are not, even for exactly the sizes of the call, no flag can stand for it
        builder.add(replace(check, exception="NotImplementedError", message=f"{message}: s2s does not know these sizes while it reads the `try` that catches this"))
        return True
    if not _sees(reader, builder):
        return False
    text: Abstract = Text(message, check.values) if check.values else message.format() if message else None
    note(reader, check.test, _raised(reader, kind, text))
    return True


def _sees(reader: Reader, builder: Builder) -> bool:
    """Whether what a builder made is bound where the reader goes on."""
    around: Builder | None = reader.builder
    while around is not None and around is not builder:
        around = around.outer
    return around is builder


def _raised(reader: Reader, kind: Any, message: Abstract) -> dict[str, Abstract]:
    """The names that say what was raised."""
    code = code_of(reader, kind, message)
    names: dict[str, Abstract] = {RAISED: True, CODE: code}
    return {**names, ERROR: reader.session.codes[code].error} if reader.telling else names


def note(reader: Reader, test: Atom, raised: dict[str, Abstract]) -> None:
    """The statement that is read meets this error unless the test holds."""
    reader.unsure = None if reader.unsure is None else reader.unsure + 1
    reader.pending.append(Pending(test, raised, reader.builder, reader.checkpoint()))
    learn_test(reader.builder, test, holds=True)


def note_untold(reader: Reader, test: Atom, kind: Any) -> None:
    """`note` of an exception that is caught, at which nothing can be looked."""
    note(reader, test, _raised(reader, kind, UNTOLD))


def raise_caught(reader: Reader, kind: Any, message: Abstract) -> bool:
    """A surely raised exception: whether it is caught."""
    if kind is OverflowError and is_refusal(kind.__name__, message) or not catches(reader, kind):
        return False
    reader.frame.names.update(_raised(reader, kind, message))
    return True


def what_was_raised(reader: Reader) -> dict[str, Abstract]:
    """The names that say whether something was raised, and what."""
    return {name: reader.frame.names[name] for name in (RAISED, CODE, ERROR) if name in reader.frame.names}


def after_expression(reader: Reader) -> None:
    """What a part of the expression has raised ends the statement, too."""
    raised = reader.frame.names[RAISED]
    if raised is False:
        return
    if raised is True:
        raise Unwound
    reader.frame.names[RAISED] = False
    note(reader, negated(reader, raised), {**what_was_raised(reader), RAISED: True})


def raised_in_call(reader: Reader, raised: dict[str, Abstract]) -> None:
    """What a call has raised is raised here: what is called behind it, in the same expression, is done unless that was so."""
    if reader.frame.names[RAISED] is True:
        return
    reader.frame.names.update(raised)
    if raised[RAISED] is not True:
        after_expression(reader)


def settle(reader: Reader, since: int, live: frozenset[str] | None = None) -> None:
    """What a statement did behind the first error that it met stands under the test that this was none. `live`: at its end, the names that are read later."""
    while len(reader.pending) > since:
        _settle(reader, reader.pending.pop(), live)


def _settle(reader: Reader, each: Pending, live: frozenset[str] | None) -> None:
    builder, now = reader.builder, reader.state()
    assert each.builder is builder
    rest = Branch(builder.parted(each.began.nodes), now)
    reader.rollback(each.began)
    if isinstance(each.test, Literal):
        reader.frame.names.update(each.raised)
        return
    failed = reader.fork()
    failed.state.names.update(each.raised)
    if now.raised:
        finish_if(reader, each.test, rest, failed, reader.frame.live)
        return
    kept = now.names if live is None else [name for name in now.names if name in live or name.startswith("%")]
    new = {name: now.names[name] for name in kept if name != RESULT and _is_unset(failed.state.names, name) and not _is_unset(now.names, name)}
    for name in new:
        del now.names[name]
    merge = Merge(reader, rest, failed)
    merge.states(frozenset(kept) | (reader.frame.live if live is None else live))
    raised = reader.frame.names[RAISED]
    for name, value in new.items():
        whole = merge.kinds.handed.behind(0, value.value if isinstance(value, Missing) else value, name)
        test = _both_tests(reader, merge, value, each.test)
        reader.frame.names[name] = Missing(unset_words(name), test=test, value=whole, unless=raised)
    add_if(reader, each.test, rest, failed, merge)


def _both_tests(reader: Reader, merge: Merge, value: Abstract, test: Atom) -> Atom:
    """Whether a name is bound behind an error, where a later error of the same statement may have kept it from that."""
    if not isinstance(value, Missing) or value.test is None:
        return test
    inner = merge.kinds.handed.behind(0, value.test, RAISED)
    return both(reader, test, value.test) if inner is value.test else as_atom(reader, inner)  # behind the other path it is False


def settled(reader: Reader, read: Callable[[], Abstract]) -> Abstract:
    """What is read on a path of an expression, which may end with an error: its value, as it is behind that."""
    pending = len(reader.pending)
    value = read()
    if len(reader.pending) == pending:
        return value
    reader.frame.names[VALUE] = value
    settle(reader, pending)
    found = reader.frame.names.pop(VALUE, None)
    return found.value if isinstance(found, Missing) and found.test is not None else found


def _is_unset(names: Mapping[str, Abstract], name: str) -> bool:
    """Whether a name is surely not bound; of an exception, whether there is none."""
    value = names.get(name)
    return name not in names or name == ERROR and value is None or isinstance(value, Missing) and value.unset and value.test is None


__all__ = ["UNTOLD", "Code", "Pending", "Unwound", "after_expression", "catches", "caught_object", "code_of", "message_of", "note", "note_check", "note_untold", "raise_caught", "raised_in_call", "settle", "settled", "what_was_raised"]
