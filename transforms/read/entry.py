"""`read_function`: a call of the user's function as a `Staged`."""
from __future__ import annotations

import functools
import types
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from s2s.containers import containers_of
from s2s.errors import InternalError, Location, S2SError, SourceError, UnsupportedError
from s2s.hidden import may_be_told
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
from s2s.transforms.read.calls.taken import new_ref, take
from s2s.transforms.read.calls.transformations import handler_of_object
from s2s.transforms.read.composed import pooled_tables
from s2s.transforms.read.composed.key_slots import ROOM
from s2s.transforms.read.composed.marks import zeros
from s2s.transforms.read.composed.pooled_lists import PooledList
from s2s.transforms.read.failures import (
    CallsItself,
    MayBeAnother,
    MoreTexts,
    NeedsInline,
    OtherItems,
    OtherSizes,
    Recorded,
    RunTimeKeys,
    StoredOutside,
    Suppressed,
    ToBePooled,
    fail_if_errors,
    fail_if_refused_again,
)
from s2s.transforms.read.program_of import know_params, staged_of
from s2s.transforms.read.reader import Language, Reader
from s2s.transforms.read.storage import pools
from s2s.transforms.read.storage.plans import joined_plans
from s2s.transforms.read.syntax.frame import Frame, Session, Taken, being_read, reading, scope_for
from s2s.transforms.read.syntax.source import tree_of
from s2s.transforms.read.values import (
    Abstract,
    Outside,
    Steps,
)
from s2s.types import Array, Var


def read_function(
    language: Language, fun: Callable[..., Any], params: tuple[Var, ...], args: tuple[Any, ...], kwargs: dict[str, Any], *, one_kind: bool = False
) -> Staged:
    """See `s2s.transforms.read.read`; `language`: the rules by which it is read."""
    if isinstance(fun, Lifted):
        return fun.read(params, args, kwargs)
    items: dict[Hashable, Any] = {}
    apart: frozenset[Hashable] = frozenset()
    keyed: frozenset[Hashable] = frozenset()
    records: dict[Hashable, bool] = {}
    texts: tuple[str, ...] = ()
    taken: dict[int, Taken] = {}
    pooled: tuple[Any, ...] = ()
    looped: frozenset[Location] = frozenset()
    not_looped: dict[Location, S2SError] = {}
    by_trips: S2SError | None = None
    by_loop: S2SError | None = None
    refused: set[str] = set()
    settles, sizes_outside = any(param.type.told is not None for param in params), False
    before_loops = (items, apart, keyed, texts, taken, pooled)
    while True:
        try:
            known: dict[str, Any] = {"items": items, "apart": apart, "keyed": keyed, "records": records, "texts": {text: number for number, text in enumerate(texts)}, "taken": taken, "pooled": pooled, "looped": looped, "not_looped": not_looped, "refused": refused, "by_trips": by_trips is not None, "first_calls_apart": by_loop is not None, "settles": settles, "sizes_outside": sizes_outside, "has_open_sizes": any(isinstance(dim, Var) for param in params for dim in param.type.shape)}
            around = being_read()
            either, store = (set(), store_in_use()) if around is None else (around.either, None)
            session = Session(**known, either=either, store=store)
            with reading(session):
                found = _read_with(session, language, fun, params, args, kwargs)
                found = replace(found, function=with_each_changed(found.function, tables_first))
                return of_one_kind(found) if one_kind else found
        except OtherItems as error:
            if all(items.get(origin) == type_ for origin, type_ in error.types.items()):
                raise
            others = {origin[0] for origin, type_ in error.types.items() if not isinstance(type_, Array) and isinstance(origin, tuple)}  # columns are others then
            items = {**{key: type_ for key, type_ in items.items() if not (isinstance(key, tuple) and key[0] in others)}, **error.types}
        except MoreTexts as error:
            texts = error.texts
        except RunTimeKeys as error:
            if error.places <= keyed:
                raise
            keyed, items = keyed | error.places, _lasting(items, error.places)
        except Recorded as error:
            if all(place in records and (records[place] is error.as_record or not records[place]) for place in error.places):
                raise
            records, items = {**records, **dict.fromkeys(error.places, error.as_record)}, {}
        except ToBePooled as error:
            plans = joined_plans(pooled, error.plans)
            if plans == pooled:
                raise error.refusal from None
            pooled, items = plans, _lasting(items, frozenset(site for plan in plans for site in plan.sites))
        except MayBeAnother as error:
            if error.places <= apart:
                raise
            apart |= error.places
        except StoredOutside as error:
            before = {key: each.names for key, each in taken.items()}
            taken = _taken(taken, error)
            if before == {key: each.names for key, each in taken.items()}:
                raise error.refusal from None
        except CallsItself as error:
            if not looped:
                before_loops = (items, apart, keyed, texts, taken, pooled)
            looped |= {error.place}
        except S2SError as error:
            if isinstance(error, OtherSizes) and session.has_open_sizes:
                raise
            if not looped:
                if not settles and _may_settle(session) and isinstance(error, UnsupportedError):
                    settles = True
                    items, apart, keyed, texts, taken, pooled = before_loops
                    continue
                if not sizes_outside and _has_sizes_outside(session) and isinstance(error, UnsupportedError):
                    sizes_outside = True
                    items, apart, keyed, texts, taken, pooled = before_loops
                    continue
                if by_trips is not None:
                    raise by_trips from None
                if not session.has_known_trips or not isinstance(error, UnsupportedError):
                    raise
                by_trips = error
                items, apart, keyed, texts, taken, pooled = before_loops
                continue
            if by_loop is None and session.has_first_calls and isinstance(error, UnsupportedError):
                by_loop = error
                items, apart, keyed, texts, taken, pooled = before_loops
                continue
            not_looped, looped, by_loop = {**not_looped, **dict.fromkeys(looped, by_loop or error)}, frozenset(), None
            items, apart, keyed, texts, taken, pooled = before_loops  # what was found since is of what was read as loops


def _lasting(items: dict[Hashable, Any], others: frozenset[Hashable]) -> dict[Hashable, Any]:
    """What is known of lists of single numbers, where what is made at some places is another thing now: columns and items that hold such are others then, too."""
    return {key: type_ for key, type_ in items.items() if isinstance(type_, Array) and not type_.shape and isinstance(key, tuple) and isinstance(key[0], Location) and isinstance(key[1], str) and key[0] not in others}


def _may_settle(session: Session) -> bool:
    """Whether there are whole numbers that another reading would know."""
    return bool(session.told) or any(map(may_be_told, session.hidden_types.values()))


def _has_sizes_outside(session: Session) -> bool:
    """Whether another reading may know the sizes of arrays outside: it knows those of all arguments."""
    return not session.has_open_sizes and any(size != 1 for value in session.hidden_types.values() for size in np.shape(value))


def _taken(known: dict[int, Taken], error: StoredOutside) -> dict[int, Taken]:
    """What is to be taken in by the next reading."""
    found = {key: replace(each, ref=new_ref(each.thing, is_globals=each.is_globals)) for key, each in known.items()}
    for thing, steps, name, is_globals in error.found:
        own = frozenset[str]() if name is None else frozenset((name,))
        names = found[id(thing)].names | own if id(thing) in found else own
        found[id(thing)] = Taken(thing, found[id(thing)].steps if id(thing) in found else steps, names, is_globals, new_ref(thing, is_globals=is_globals))
    return found


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
