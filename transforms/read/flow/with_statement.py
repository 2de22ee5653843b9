"""with: contexts that do nothing to numbers, contextlib.suppress and nullcontext, the user's own classes.

    with np.errstate(divide="ignore"):      the body: emitted code gives no warnings anyway
    with suppress(ValueError): …            try: … except ValueError: pass
    with Scale(2.0) as s: …                 s = scale.__enter__(); the body; scale.__exit__(None, None, None)
"""
from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

import libcst as cst
import numpy as np

from s2s.transforms.read.callables import Closure
from s2s.transforms.read.calls import special_methods
from s2s.transforms.read.classes import class_of, users
from s2s.transforms.read.describing import describe
from s2s.transforms.read.flow import in_place
from s2s.transforms.read.flow.trying import finally_do, guarded_by, swallow
from s2s.transforms.read.known import plain
from s2s.transforms.read.names import Table
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.syntax.frame import RAISED
from s2s.transforms.read.syntax.scope import returns_of
from s2s.transforms.read.syntax.source import statements_of, tree_of
from s2s.transforms.read.values import Abstract

_QUIET = (np.errstate, np.printoptions, warnings.catch_warnings)
"""Contexts that change what is printed or warned of."""
_OURS = Table(dict.fromkeys(("s2s.named_scope", "s2s.ensure_compile_time_eval", "s2s.profiler.TraceAnnotation", "s2s.profiler.StepTraceAnnotation"), ""))
"""Contexts of s2s's that say nothing of numbers."""


def with_statement(reader: Reader, node: cst.With) -> None:
    """Read a with."""
    if node.asynchronous is not None:
        raise reader.unsupported("`async with`", "a plain with")
    if in_place.held_body(reader, node) or in_place.with_statement(reader, node):
        return
    _inside(reader, node.items, lambda: reader.rules.execute(list(statements_of(node.body))))


def _inside(reader: Reader, items: Sequence[cst.WithItem], body: Callable[[], None]) -> None:
    """The body in these contexts, the first one outermost."""
    if not items:
        body()
        return
    item, context = items[0], items[0].item

    def inner() -> None:
        _inside(reader, items[1:], body)

    function = reader.rules.evaluate(context.func) if isinstance(context, cst.Call) else None
    if callable(function) and function in _OURS:
        _bind(reader, item, None)
        inner()
    elif any(function is quiet for quiet in _QUIET):
        args = _arguments(reader, context)
        if item.asname is not None or function is np.errstate and any(value not in ("ignore", "warn", "print") for value in args):
            raise reader.unsupported("`with` of a context that raises, or is looked at", "np.errstate(…='ignore'), or the statements without it")
        reader.session.printoptions += function is np.printoptions
        inner()
        reader.session.printoptions -= function is np.printoptions
    elif function is contextlib.suppress:
        kinds = tuple(plain(reader, arg) for arg in _arguments(reader, context))
        _bind(reader, item, None)
        guarded_by(reader, kinds, inner)
        swallow(reader, kinds)
    else:
        _own(reader, item, reader.rules.evaluate(context), inner)


def _arguments(reader: Reader, context: Any) -> list[Abstract]:
    return [reader.rules.evaluate(arg.value) for arg in context.args]


def _bind(reader: Reader, item: cst.WithItem, value: Abstract) -> None:
    if item.asname is not None:
        reader.rules.assign(item.asname.name, value)


def _own(reader: Reader, item: cst.WithItem, manager: Abstract, body: Callable[[], None]) -> None:
    """A context of a class of the user's."""
    entered = special_methods.special(reader, manager, "__enter__") if class_of(manager) is not None else None
    if entered is None:
        raise reader.unsupported(f"`with` of {describe(reader, manager)}", "plain statements, without a context manager (np.errstate may stay)")
    began = len(reader.builder.nodes)
    _bind(reader, item, entered[0])
    if _may_swallow(reader, manager):
        _guarded(reader, manager, body)
    else:
        body()
    if reader.frame.names[RAISED] is not False:
        raise reader.unsupported("an exception in a `with` of a class of your own, inside of a `try` that catches it", "try, and finally")
    if not reader.raised:
        finally_do(reader, began, lambda: _exit(reader, manager))


def _guarded(reader: Reader, manager: Abstract, body: Callable[[], None]) -> None:
    """The body of a context that may swallow what it raises: nothing may be raised there."""
    around = reader.frame.names[RAISED]
    guarded_by(reader, (BaseException,), body)
    if reader.frame.names[RAISED] is not around:
        what = f"an exception in a `with` of {describe(reader, manager)}, whose __exit__ gives a value: where that is true, the exception is swallowed"
        raise reader.unsupported(what, "try and except, or an __exit__ that returns nothing")


def _may_swallow(reader: Reader, manager: Abstract) -> bool:
    """Whether the context's end gives anything but None or False."""
    found = users(class_of(manager), "__exit__")
    if found is None or not isinstance(found[1], FunctionType):
        return False
    made_inside = reader.session.made.get(found[1])
    node = made_inside.node if isinstance(made_inside, Closure) else tree_of(found[1]).node
    returned = (node.value for node in returns_of(node))
    return any(value is not None and not (isinstance(value, cst.Name) and value.value in ("None", "False")) for value in returned)


def _exit(reader: Reader, manager: Abstract) -> Any:
    return special_methods.special(reader, manager, "__exit__", None, None, None)


__all__ = ["with_statement"]
