"""try, except, else, finally: what the body raises becomes a flag (`caught.py`), each handler a branch.

    try:                 body, with raised and code
        body             if not raised: orelse
    except A: one        elif code is that of an A: raised = False; one
    finally: last        last; what was raised goes on
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import libcst as cst
import numpy as np

from s2s.errors import exception_class, is_refusal
from s2s.transforms.ir.program import Call, Check, Equation, For, If, Map, Node, While
from s2s.transforms.primitives.conversion import convert
from s2s.transforms.primitives.opaque import opaque
from s2s.transforms.primitives.structural import copy, retype, stop_gradient, transpose
from s2s.transforms.read.bound_names import bind
from s2s.transforms.read.calls import making
from s2s.transforms.read.failures import StaysRefused
from s2s.transforms.read.flow.caught import catches, note_check
from s2s.transforms.read.flow.conditions import negated
from s2s.transforms.read.flow.joining import finish_if
from s2s.transforms.read.flow.positions import takes_unseen
from s2s.transforms.read.flow.unwinding import MATRICES, NotDone, caught_one, codes, finally_do, goes_on, is_one_of, takes_over
from s2s.transforms.read.known import plain
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.syntax.frame import RAISED, RETURNED, SIGNALS
from s2s.transforms.read.syntax.nodes import inside
from s2s.transforms.read.syntax.source import statements_of
from s2s.transforms.read.values import Abstract, Missing
from s2s.types import SIZE, Var, is_integer

Kinds = tuple[Any, ...]


@contextmanager
def catching(reader: Reader, kinds: Kinds) -> Iterator[None]:
    """Errors of these classes become flags."""
    before = reader.catching
    reader.catching = (*before, kinds)
    try:
        yield
    finally:
        reader.catching = before


def try_statement(reader: Reader, node: cst.Try) -> None:
    """Read a try."""
    body = list(statements_of(node.body))
    orelse = [] if node.orelse is None else list(statements_of(node.orelse.body))
    last = [] if node.finalbody is None else list(statements_of(node.finalbody.body))
    handlers = [(_kinds(reader, handler), handler) for handler in node.handlers]

    def run() -> None:
        with _telling(reader, told=any(map(_looks, node.handlers))):
            guarded_by(reader, tuple(kind for kinds, _ in handlers for kind in kinds), lambda: reader.rules.execute(body))
        handled(reader, lambda: _dispatch(reader, handlers), lambda: reader.rules.execute(orelse))

    if not last:
        run()
    elif takes_over(last):
        _with_all_caught(reader, run, last)
    else:
        _with_finally(reader, run, last)


def _with_finally(reader: Reader, run: Callable[[], None], last: Sequence[Any]) -> None:
    """The statements of a try that has a `finally`: exceptions that nothing catches end the run, where nobody sees what `finally` would do."""
    before = reader.checkpoint()
    try:
        run()
        finally_do(reader, before.nodes, lambda: reader.rules.execute(last))
    except NotDone:
        reader.rollback(before)
        _with_all_caught(reader, run, last)


def _with_all_caught(reader: Reader, run: Callable[[], None], last: Sequence[Any]) -> None:
    caught_whole(reader, run)
    finally_do(reader, None, lambda: reader.rules.execute(last))
    goes_on(reader)


@contextmanager
def _telling(reader: Reader, *, told: bool) -> Iterator[None]:
    """What is raised is told as a whole, where that is asked for here or around."""
    before, reader.telling = reader.telling, reader.telling or told
    try:
        yield
    finally:
        reader.telling = before


def caught_whole(reader: Reader, body: Callable[[], None]) -> None:
    """Read a body of which all exceptions are caught, with all that they say: `goes_on` raises them again."""
    with _telling(reader, told=True):
        guarded_by(reader, (BaseException,), body)


def _looks(handler: cst.ExceptHandler) -> bool:
    """Whether a handler looks at what it catches, or raises it again."""
    return handler.name is not None or any(isinstance(node, cst.Raise) and node.exc is None for node in inside(handler.body))


def _kinds(reader: Reader, handler: cst.ExceptHandler) -> Kinds:
    if handler.type is None:
        return (BaseException,)
    found = plain(reader, reader.rules.evaluate(handler.type))
    return found if isinstance(found, tuple) else (found,)


def guarded_by(reader: Reader, kinds: Kinds, body: Callable[[], None]) -> None:
    """Read a body of which these exceptions are caught, in a block of its own: what its checks say holds only where none of them failed."""
    if reader.raised or not kinds:
        body()
        return
    block = reader.fork()
    block.builder.on_check = lambda *check: note_check(reader, *check)
    with reader.inside(block), catching(reader, kinds):
        body()
        _refuse_uncaught(reader, block.builder.nodes)
    block.builder.on_check = reader.builder.on_check
    reader.builder.nodes.extend(block.builder.nodes)
    reader.restore(block.state)
    for each in block.builder.nodes:
        for out in each.outs:
            if out.type == SIZE and any(out in other.type.shape for node in block.builder.nodes for other in node.outs):
                reader.builder.know_size(out)


def _refuse_uncaught(reader: Reader, nodes: Sequence[Node]) -> None:
    """Refuse what raises such an exception by itself, where no flag stands for it."""
    for node in nodes:
        match node:
            case Check() if not (node.stretch or is_refusal(node.exception, node.message)) and catches(reader, exception_class(node.exception)):
                what = f"a {node.exception} that is raised here, inside of a `try` that catches it"
                raise StaysRefused(what, where=reader.builder.where, instead="an if before it")
            case Call():
                _refuse_function(reader, node)
            case For() | Map():
                _refuse_uncaught(reader, node.body.nodes)
            case While():
                _refuse_uncaught(reader, (*node.test.nodes, *node.body.nodes))
            case If():
                _refuse_uncaught(reader, (*node.then.nodes, *node.orelse.nodes))
            case Equation():
                _refuse_row(reader, node)


def _refuse_function(reader: Reader, node: Call) -> None:
    """The body of a helper, whose parameters are safe matrices where those of the call are."""
    session = reader.session
    safe = frozenset(param for param, atom in zip(node.function.params, node.ins, strict=True) if atom in session.safe)
    asked = (node.function, reader.catching, safe)
    if asked not in session.looked_at:
        outside = set(session.safe)
        session.safe |= safe
        _refuse_uncaught(reader, node.function.body.nodes)
        session.safe = outside
        session.looked_at.add(asked)


def _refuse_row(reader: Reader, node: Equation) -> None:
    kept = node.primitive in (copy, retype, stop_gradient, transpose) or node.primitive is convert and is_integer(node.ins[0].type.dtype)
    if kept and node.ins[0] in reader.session.safe:
        reader.session.safe.add(node.outs[0])
    if node.primitive in MATRICES and node.ins[0] not in reader.session.safe and catches(reader, np.linalg.LinAlgError):
        raise reader.unsupported("a function of np.linalg inside of a `try` that catches its LinAlgError", "a test of the matrix before it")
    if node.primitive is opaque:
        raise reader.unsupported("a registered function inside of a `try`", "the try around the function that is transformed")
    if takes_unseen(reader, node) and catches(reader, IndexError):
        raise reader.unsupported("an array as an index inside of a `try` that catches an IndexError", "a test of the index before it")


# ---- handlers ----------------------------------------------------------------------------------------------------------------


def handled(reader: Reader, handle: Callable[[], None], orelse: Callable[[], None]) -> None:
    """What handles an exception where one was raised, what follows otherwise."""
    raised = reader.frame.names[RAISED]
    if raised is False:
        orelse()
        return
    if raised is True:
        handle()
        return
    one, two = reader.fork(), reader.fork()
    live = reader.frame.live
    names = reader.frame.names
    returned = names[RETURNED]
    always = isinstance(returned, Var) and reader.session.left.get(returned) is raised
    with reader.inside(one):
        reader.frame.names.update({**dict.fromkeys(SIGNALS, False), RAISED: True})
        handle()
    with reader.inside(two):
        reader.frame.names.update({RAISED: False, **({RETURNED: True} if always else {})})
        orelse()
    finish_if(reader, raised, one, two, live)


def swallow(reader: Reader, kinds: Kinds) -> None:
    """What was raised of these classes is forgotten."""
    handled(reader, lambda: _forget(reader, kinds), lambda: None)


def _forget(reader: Reader, kinds: Kinds) -> None:
    found = codes(reader)
    taken = [code for code in found if issubclass(reader.session.codes[code].kind, kinds)]
    names = reader.frame.names
    names[RAISED] = not taken if len(taken) in (0, len(found)) else negated(reader, is_one_of(reader, taken))


def _dispatch(reader: Reader, handlers: list[tuple[Kinds, cst.ExceptHandler]]) -> None:
    """What was raised is handled by the first handler that takes it."""
    left = codes(reader)
    plan: list[tuple[list[int], cst.ExceptHandler]] = []
    for kinds, handler in handlers:
        taken = [code for code in left if issubclass(reader.session.codes[code].kind, kinds)]
        left = [code for code in left if code not in taken]
        if taken:
            plan.append((taken, handler))
    _first_of(reader, plan, left)


def _first_of(reader: Reader, plan: list[tuple[list[int], cst.ExceptHandler]], left: list[int]) -> None:
    if not plan:
        return  # it goes on
    caught, handler = plan[0]
    if len(plan) == 1 and not left:
        _handle(reader, caught, handler)
        return
    test = is_one_of(reader, caught)
    one, two = reader.fork(), reader.fork()
    live = reader.frame.live
    with reader.inside(one):
        _handle(reader, caught, handler)
    with reader.inside(two):
        _first_of(reader, plan[1:], left)
    finish_if(reader, test, one, two, live)


def _handle(reader: Reader, numbers: list[int], handler: cst.ExceptHandler) -> None:
    reader.frame.names[RAISED] = False
    caught = caught_one(reader, [reader.session.codes[code] for code in numbers])
    before, reader.handling = reader.handling, (*reader.handling, caught)
    name = None if handler.name is None else handler.name.name.value  # type: ignore[union-attr]
    if name is not None:
        bind(reader, name, making.caught(reader, caught))
    try:
        reader.rules.execute(list(statements_of(handler.body)))
    finally:
        reader.handling = before
    if name is not None:
        bind(reader, name, Missing(f"{name!r} is deleted at the end of its except clause", unset=True))


def caught_now(reader: Reader) -> Abstract:
    """What a bare `raise` raises."""
    if not reader.handling:
        raise reader.unsupported("a bare `raise` outside of an except clause", "raise ValueError(…)")
    return reader.handling[-1]


__all__ = ["caught_now", "caught_whole", "guarded_by", "handled", "swallow", "try_statement"]
