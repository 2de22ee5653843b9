"""`read_function`: a call of the user's function as a `Staged`."""
from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

from s2s.containers import containers_of
from s2s.errors import InternalError, S2SError, SourceError
from s2s.keeping import store_in_use
from s2s.records import replace
from s2s.transforms.ir.one_kind import of_one_kind
from s2s.transforms.ir.program import with_each_changed
from s2s.transforms.ir.staged import Staged
from s2s.transforms.ir.tables_first import tables_first
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.read.calls.functions import bind_python, doc_of, read_body
from s2s.transforms.read.calls.hidden import ask, enter
from s2s.transforms.read.calls.lifted import Lifted
from s2s.transforms.read.calls.taken import take
from s2s.transforms.read.calls.transformations import handler_of_object
from s2s.transforms.read.composed import pooled_tables
from s2s.transforms.read.composed.key_slots import ROOM
from s2s.transforms.read.composed.marks import zeros
from s2s.transforms.read.composed.pooled_lists import PooledList
from s2s.transforms.read.failures import NeedsInline, Suppressed, fail_if_errors, fail_if_refused_again
from s2s.transforms.read.learnt import Learnt
from s2s.transforms.read.program_of import know_params, staged_of
from s2s.transforms.read.reader import Language, Reader
from s2s.transforms.read.storage import pools
from s2s.transforms.read.syntax.frame import Frame, Session, being_read, reading, scope_for
from s2s.transforms.read.syntax.source import tree_of
from s2s.transforms.read.values import Abstract, Outside, Steps
from s2s.types import Var


def read_function(
    language: Language, fun: Callable[..., Any], params: tuple[Var, ...], args: tuple[Any, ...], kwargs: dict[str, Any], *, one_kind: bool = False
) -> Staged:
    """See `s2s.transforms.read.read`; `language`: the rules by which it is read."""
    if isinstance(fun, Lifted):
        return fun.read(params, args, kwargs)
    learnt = Learnt(params)
    while True:
        around = being_read()
        either, store = (set(), store_in_use()) if around is None else (around.either, None)
        session = learnt.session(either=either, store=store)
        try:
            with reading(session):
                found = _read_with(session, language, fun, params, args, kwargs)
                found = replace(found, function=with_each_changed(found.function, tables_first))
                return of_one_kind(found) if one_kind else found
        except S2SError as error:
            learnt = learnt.learn(error, session)


def _read_with(session: Session, language: Language, fun: Callable[..., Any], params: tuple[Var, ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Staged:
    function, steps, before, keywords = plain_function(fun)
    handler = handler_of_object(function)  # a function with custom derivative rules is called
    source = function
    while handler_of_object(source) is not None:  # rules may stand on a function with rules
        source = plain_function(source.fun if hasattr(source, "fun") else source.__wrapped__)[0]
    tree = tree_of(source)
    frame = Frame(tree, scope_for(tree.node), source.__name__, source, steps)
    reader = Reader(session, new_builder(), frame, language)
    reader.builder.where = tree.where(tree.node)
    if source is function:
        ask(reader, function, steps, "attribute", "__code__")
    session.told = reader.builder.told
    know_params(reader, params)
    named_args = (*((arg, (("argument", number),)) for number, arg in enumerate(args)), *((arg, (("keyword", key),)) for key, arg in kwargs.items()))
    session.arguments = {id(each): path for arg, steps_to in named_args for each, path in containers_of(arg, steps_to)}
    take(reader)
    before_pools = set(reader.heap)
    pools.begin(reader, session.pooled, own_of_pool)
    in_pools = set(reader.heap) - before_pools
    entered = [enter(reader, value, path) for value, path in before]
    entered += [enter(reader, arg, None) for arg in args]
    named = {key: enter(reader, value, path) for key, (value, path) in keywords.items()}
    named.update({key: enter(reader, value, None) for key, value in kwargs.items()})
    arguments = {ref: content for ref, content in reader.heap.items() if ref not in in_pools}
    if handler is None:
        frame.names.update(bind_python(reader, function, steps, tuple(entered), named))
    result: Abstract = None
    try:
        result = read_body(reader, tree.node) if handler is None else handler(reader, Outside(function, steps), tuple(entered), named)
    except S2SError as error:
        reader.errors.append(error)
    except Suppressed:
        reader.errors.append(InternalError("an expression failed, but no error was reported", where=reader.builder.where))
    except NeedsInline:  # a container of the caller is changed where no call stands between
        raise AssertionError("a container without an owner was refused") from None
    fail_if_refused_again(reader)
    fail_if_errors(reader)
    if reader.raised and result is None:  # no call comes to a result: whatever is wanted of it raises what the function raises
        result = 0.0
    name = source.__name__ if handler is None else f"{source.__name__}_call"
    try:
        return staged_of(reader, fun, name, tree.where(tree.node), params, args, kwargs, result, arguments, (), doc_of(source))
    except Suppressed:
        fail_if_errors(reader)
        raise


def own_of_pool(reader: Reader, plan: Any) -> dict[str, Abstract]:
    """What all lists of a pool have in common."""
    if plan.kind is PooledList:
        return {"list_items": reader.new_list(())}
    if issubclass(plan.kind, pooled_tables.Part):
        slots: Any = zeros
        return {**{name: reader.new_list(()) for name in pooled_tables.SHARED}, "slots": reader.rules.call(slots, (ROOM,))}
    return {}


def plain_function(fun: Any) -> tuple[Any, Steps, list[tuple[Any, Steps]], dict[str, tuple[Any, Steps]]]:
    """The Python function (or object with custom rules) behind partials, methods and callable objects, the steps to it, and what they pass first."""
    steps: Steps = ()
    before: list[tuple[Any, Steps]] = []
    keywords: dict[str, tuple[Any, Steps]] = {}
    while not isinstance(fun, types.FunctionType) and handler_of_object(fun) is None:
        if isinstance(fun, functools.partial):
            path = (*steps, ("attribute", "args"))
            before = [*((arg, (*path, ("item", k))) for k, arg in enumerate(fun.args)), *before]
            path = (*steps, ("attribute", "keywords"))
            keywords = {**{key: (value, (*path, ("item", key))) for key, value in fun.keywords.items()}, **keywords}
            fun, steps = fun.func, (*steps, ("attribute", "func"))
        elif isinstance(fun, types.MethodType):
            before = [(fun.__self__, (*steps, ("attribute", "__self__"))), *before]
            fun, steps = fun.__func__, (*steps, ("attribute", "__func__"))
        elif hasattr(fun, "__wrapped__"):
            fun, steps = fun.__wrapped__, (*steps, ("attribute", "__wrapped__"))
        elif isinstance(getattr(type(fun), "__call__", None), types.FunctionType):  # noqa: B004 - the function is needed
            before = [(fun, steps), *before]
            fun, steps = type(fun).__call__, (*steps, ("attribute", "__class__"), ("attribute", "__call__"))
        else:
            name = getattr(fun, "__name__", repr(fun))
            raise SourceError(
                f"{name!r} has no Python source", why=f"it is a {type(fun).__name__}", instead="wrap it in a Python function: lambda x: … or def f(x): …"
            )
    return fun, steps, before, keywords


__all__ = ["read_function"]
