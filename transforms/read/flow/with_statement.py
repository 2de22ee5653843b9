"""with: contexts that do nothing to numbers, contextlib.suppress and nullcontext, the user's own classes.

    with np.errstate(divide="ignore"):      the body: emitted code gives no warnings anyway
    with suppress(ValueError): …            try: … except ValueError: pass
    with Scale(2.0) as s: …                 s = scale.__enter__(); the body; scale.__exit__(None, None, None)
                                            if raised: raised = not scale.__exit__(type(error), error, …)
"""
from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

import libcst as cst
import numpy as np

from s2s.errors import UnsupportedError
from s2s.transforms.read.callables import Closure, Method
from s2s.transforms.read.calls import making, special_methods
from s2s.transforms.read.classes import class_of, class_of_value, users
from s2s.transforms.read.composed.python_library import ExitStack
from s2s.transforms.read.describing import describe
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.flow import float_errors, in_place
from s2s.transforms.read.flow.conditions import negated
from s2s.transforms.read.flow.spreading import spreads
from s2s.transforms.read.flow.trying import caught_whole, guarded_by, handled, swallow
from s2s.transforms.read.flow.unwinding import NotDone, caught_one, codes, finally_do, goes_on
from s2s.transforms.read.known import plain
from s2s.transforms.read.names import Table
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.syntax.frame import CODE, ERROR, RAISED
from s2s.transforms.read.syntax.scope import returns_of
from s2s.transforms.read.syntax.source import statements_of, tree_of
from s2s.transforms.read.values import Abstract, ListRef, Missing, Outside

_QUIET = (np.errstate, np.printoptions, warnings.catch_warnings)
"""Contexts that change what is printed or warned of."""
_OF_ERRORS = Table({"numpy.errstate": "", "scipy.special.errstate": ""})
"""Of these such as let errors pass."""
_NO_WORD_OF_NUMBERS = Table(dict.fromkeys(("s2s.named_scope", "s2s.ensure_compile_time_eval", "s2s.profiler.TraceAnnotation", "s2s.profiler.StepTraceAnnotation", "numba.objmode"), ""))
"""Contexts of s2s's and Numba's that say nothing of numbers: here the whole function is Python's, as the body of a numba.objmode is."""
_OF_CONFIG = "s2s.contexts"
"""The module that makes flags of s2s.config for a block: values that would change a number are refused."""


def with_statement(reader: Reader, node: cst.With) -> None:
    """Read a with."""
    if node.asynchronous is not None:
        raise reader.unsupported("`async with`", "a plain with")
    if in_place.held_body(reader, node) or in_place.with_statement(reader, node):
        return
    _inside(reader, node.items, lambda: reader.rules.execute(list(statements_of(node.body))))


@asks_python
def _inside(reader: Reader, items: Sequence[cst.WithItem], body: Callable[[], None]) -> None:
    """The body in these contexts, the first one outermost."""
    if not items:
        body()
        return
    item, context = items[0], items[0].item

    def inner() -> None:
        _inside(reader, items[1:], body)

    function = reader.rules.evaluate(context.func) if isinstance(context, cst.Call) else None
    if callable(function) and function in _NO_WORD_OF_NUMBERS:
        _bind(reader, item, None)
        inner()
    elif callable(function) and getattr(function, "__module__", "") == _OF_CONFIG:
        try:
            function(*(plain(reader, arg) for arg in _arguments(reader, context)))
        except UnsupportedError as error:
            raise reader.unsupported(error.what, error.instead, error.why) from None
        _bind(reader, item, None)
        inner()
    elif any(function is quiet for quiet in _QUIET) or callable(function) and function in _OF_ERRORS:
        args = _arguments(reader, context)
        known = ("ignore", "warn", "print", *(("raise",) if function is np.errstate else ()))
        if item.asname is not None or function in _OF_ERRORS and any(not isinstance(value, str) or value not in known for value in args):
            raise reader.unsupported("`with` of a context that raises, or is looked at", "np.errstate(…='ignore'), or the statements without it")
        if function is np.errstate and isinstance(context, cst.Call):
            with float_errors.raising(reader, {arg.keyword.value: value for arg, value in zip(context.args, args, strict=True) if arg.keyword is not None and isinstance(value, str)}):
                inner()
            return
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
    _bind(reader, item, entered[0])
    if not reader.catching and not _may_swallow(reader, manager) and _leaves_all(reader, manager, body):
        return
    if not reader.catching and class_of(manager) is ExitStack and _leaves_all(reader, manager, body):
        return
    caught_whole(reader, body)
    handled(reader, lambda: _exit_raised(reader, manager), lambda: finally_do(reader, None, lambda: _exit(reader, manager, None, None)))
    goes_on(reader)


def _leaves_all(reader: Reader, manager: Abstract, body: Callable[[], None]) -> bool:
    """Read the body of what swallows nothing: what is raised there ends the run, where nobody sees what `__exit__` would do. False, and nothing read, where somebody does."""
    before = reader.checkpoint()
    try:
        body()
        if class_of(manager) is not ExitStack or not _holds_what_swallows(reader, manager):
            finally_do(reader, before.nodes, lambda: _exit(reader, manager, None, None))
            return True
    except NotDone:
        pass
    reader.rollback(before)
    return False


def _holds_what_swallows(reader: Reader, stack: Abstract) -> bool:
    exits = reader.rules.attribute(stack, "exits")
    held = reader.heap[exits] if isinstance(exits, ListRef) else None
    return not isinstance(held, tuple) or any(_function_may_swallow(reader, each) for each in held)


def _exit_raised(reader: Reader, manager: Abstract) -> None:
    """What was raised in the body is told to the context, and forgotten where that says so."""
    found = codes(reader)
    left = {name: reader.frame.names[name] for name in (RAISED, CODE, ERROR) if name in reader.frame.names}
    reader.frame.names[RAISED] = False
    error = caught_one(reader, [reader.session.codes[code] for code in found])
    swallows = reader.rules.truth(_told(reader, error, manager))
    reader.frame.names.update({**left, RAISED: not swallows if isinstance(swallows, bool) else negated(reader, swallows)})


@spreads(0)
def _told(reader: Reader, error: Abstract, manager: Abstract) -> Abstract:
    """What `__exit__` gives for an exception."""
    if isinstance(error, Missing):
        return _exit(reader, manager, error, error)
    kind = class_of_value(reader, error)
    return _exit(reader, manager, kind, making.caught(reader, error))


def _may_swallow(reader: Reader, manager: Abstract) -> bool:
    """Whether the context's end gives anything but None or False."""
    found = users(class_of(manager), "__exit__")
    return found is not None and isinstance(found[1], FunctionType) and _function_may_swallow(reader, found[1])


def _function_may_swallow(reader: Reader, function: Abstract) -> bool:
    """Whether a function that is told what was raised may give anything but None or False."""
    while isinstance(function, Method):
        function = function.function
    python = function.object if isinstance(function, Outside) else function
    made_inside = reader.session.made.get(python) if isinstance(python, FunctionType) else python
    if not isinstance(made_inside, Closure) and not isinstance(python, FunctionType):
        return True
    node = made_inside.node if isinstance(made_inside, Closure) else tree_of(python).node
    returned = (each.value for each in returns_of(node)) if isinstance(node, cst.FunctionDef) else (node.body,)
    return any(value is not None and not (isinstance(value, cst.Name) and value.value in ("None", "False")) for value in returned)


def _exit(reader: Reader, manager: Abstract, kind: Abstract, error: Abstract) -> Abstract:
    """The context's `__exit__`: what it gives."""
    trace = None if kind is None else Missing("the traceback of an exception")
    said = special_methods.special(reader, manager, "__exit__", kind, error, trace)
    return None if said is None else said[0]


__all__ = ["with_statement"]
