"""Calls of Python's built-in functions with iterators: what they go through, and what they make is gone through once (`once.py`)."""
from __future__ import annotations

import contextlib
import copy as copying
import dataclasses
import functools
import itertools
import math
import operator
import sys
import typing
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError, S2SError
from s2s.transforms.read import made_of
from s2s.transforms.read.calls.builtin_functions import BUILTINS
from s2s.transforms.read.calls.special_methods import special
from s2s.transforms.read.classes import class_of, users
from s2s.transforms.read.composed.own_iterators import all_of, any_of
from s2s.transforms.read.flow import many_trips, once, own_iterators
from s2s.transforms.read.flow.by_turns import made
from s2s.transforms.read.flow.items import items_of
from s2s.transforms.read.flow.iterators import ITERATORS
from s2s.transforms.read.flow.pulled import pulled, until
from s2s.transforms.read.flow.spreading import spread
from s2s.transforms.read.iterations import Endless, Iteration
from s2s.transforms.read.known import refused_by_python
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, IteratorRef, ObjectRef, OneOf, Pooled, Seen

_MAKERS: dict[Any, Any] = {
    map: map(abs, ()), zip: zip(), filter: filter(None, ()), enumerate: enumerate(()), reversed: reversed([]),
    itertools.chain.from_iterable: itertools.chain(), itertools.count: itertools.count(), itertools.repeat: itertools.repeat(0),
    itertools.groupby: itertools.groupby(()), itertools.islice: itertools.islice((), 0),
    itertools.combinations: itertools.combinations((), 0), itertools.permutations: itertools.permutations(()),
    itertools.combinations_with_replacement: itertools.combinations_with_replacement((), 0),
    itertools.chain: itertools.chain(), itertools.product: itertools.product(), itertools.zip_longest: itertools.zip_longest(()),
    itertools.accumulate: itertools.accumulate(()), itertools.cycle: itertools.cycle(()), itertools.pairwise: itertools.pairwise(()),
    itertools.starmap: itertools.starmap(abs, ()), itertools.filterfalse: itertools.filterfalse(None, ()),
    itertools.takewhile: itertools.takewhile(bool, ()), itertools.dropwhile: itertools.dropwhile(bool, ()),
    itertools.compress: itertools.compress((), ()), np.ndindex: np.ndindex(), np.ndenumerate: np.ndenumerate(np.zeros(1)),
}
"""What makes an iterator, with an example of it."""
if sys.version_info >= (3, 12):
    _MAKERS[itertools.batched] = itertools.batched((), 1)
_KEEPS = frozenset((
    isinstance, type, callable, len, print, bool, hasattr, getattr, setattr, iter, next, repr, str, hash, any, all, copying.copy, copying.deepcopy,
    dataclasses.replace, super, object.__setattr__, operator.getitem, operator.contains, operator.truth, operator.not_, slice, warnings.warn, np.isscalar,
    functools.partial, operator.call, operator.methodcaller, operator.is_, operator.is_not, operator.eq, operator.ne, operator.setitem, typing.cast, id,
    contextlib.nullcontext, type.__call__,
))  # fmt: skip
"""What gets an iterator as it is; everything else goes through it, at once unless it makes an iterator of it."""
_ALSO_KEEPS: dict[Any, int] = {functools.reduce: 2, dict.fromkeys: 1}
"""Which argument of what goes through another one is kept as it is."""
_LAZY = frozenset((zip, map, filter, enumerate, *(function for function in ITERATORS if function not in (math.prod, math.dist, np.fromiter))))
_WORKS_OUT = frozenset((map, filter, *ITERATORS)) - {itertools.count, itertools.repeat, np.ndindex, np.ndenumerate}
"""What makes its items at once, where they are known, of what its arguments are then."""
_KEEPS_ITEMS = frozenset((itertools.cycle, itertools.product))
"""What keeps the items that it was made of or has given, whatever they are made of then: it is read as if these did not change."""
_CALLS = frozenset((map, filter, itertools.filterfalse, itertools.takewhile, itertools.dropwhile, itertools.starmap, itertools.accumulate))
"""What calls a function for its items: one that changes or prints something is called when an item is asked for."""

_ARRANGES = frozenset((itertools.chain, itertools.zip_longest, itertools.pairwise, itertools.islice, itertools.permutations, itertools.combinations, itertools.combinations_with_replacement))
"""Of these what gives the items of its arguments as they are: what these items hold does not matter."""


def call_builtin(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A function of BUILTINS."""
    try:
        return _called(reader, function, args, kwargs)
    except TypeError as error:
        if _innermost(error) is not _called.__code__:
            raise
        raise _of_other_arguments(reader, function, len(args), tuple(kwargs)) from None


def _innermost(error: TypeError) -> Any:
    """The code that an error comes from."""
    trace = error.__traceback__
    assert trace is not None
    while trace.tb_next is not None:
        trace = trace.tb_next
    return trace.tb_frame.f_code


def _of_other_arguments(reader: Reader, function: Any, count: int, names: tuple[str, ...]) -> S2SError:
    """The error of a call with too many arguments, too few or others than the rule has: Python's own, or a refusal where Python takes them."""
    try:
        if function not in (print, warnings.warn):  # these say something
            function(*((),) * count, **dict.fromkeys(names, ()))
    except TypeError as error:
        if "must be" not in str(error):
            return ArgumentTypeError(str(error), where=reader.builder.where)
    return reader.unsupported(f"{function.__name__} of {count} arguments" + (f" and {', '.join(names)}" if names else ""), "fewer of its arguments")


def _called(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """Iterators among the arguments are gone through, what is made may be one; an argument that is one of several things is each of them on its path."""
    for place, arg in enumerate(args):
        if isinstance(arg, OneOf):
            return spread(reader, arg, functools.partial(_called_with, reader, function, args, kwargs, place))
    rule = BUILTINS[function]
    if function is next and args and own_iterators.is_own_iterator(args[0]):
        return own_iterators.next_of(reader, *args)
    if function in _TAKES_ALL and args:
        args = (many_trips.listed(reader, own_iterators.items(reader, args[0])), *args[1:])
    if function is dict and args and own_iterators.gives_own(args[0]):
        args = (own_iterators.items(reader, args[0]), *args[1:])
    if function in _GOES_THROUGH:
        args = tuple(own_iterators.items_alone(reader, arg) for arg in args)
    if function in (any, all) and len(args) == 1 and own_iterators.gives_own(args[0]):
        return reader.rules.call(any_of if function is any else all_of, args)
    if function in (any, all) and len(args) == 1 and isinstance(args[0], IteratorRef):
        return once.search(reader, function, args[0], lambda source: rule(reader, source))
    if function is reversed and args and isinstance(args[0], IteratorRef):
        refused_by_python(reader, reversed, args[0])
    if function is iter and len(args) == 2 and not kwargs:
        return until(reader, *args)
    if function is iter and len(args) == 1 and own_iterators.gives_own(args[0]) and (own := own_iterators.iterator_of(reader, args[0])) is not None:
        return own
    if (found := made(reader, function, args, kwargs)) is not None or (found := pulled(reader, function, args, kwargs)) is not None:
        return found
    if function in _KEEPS:
        return rule(reader, *args, **kwargs)
    if function in _ASKS_TWICE and len(args) == 1 and isinstance(args[0], IteratorRef):
        return _asked_once(reader, function, args[0], kwargs)
    if function in _LAZY:
        args = tuple(_iterator_of(reader, arg) for arg in args)
    seen = (made_of.seen_of if function in _ARRANGES else made_of.seen_by)(reader, *args, *kwargs.values()) if function in _WORKS_OUT else None
    behind = _worked_out_before(args) if function in _LAZY else ()
    before = reader.checkpoint() if function in _CALLS and not any(isinstance(arg, ObjectRef | Pooled) for arg in args) else None
    opened = _opened(reader, function, args)
    with made_of.effects(reader) as changed, made_of.effects(reader, failures=True) as fallible:
        found = rule(reader, *opened, **kwargs)
        if before is not None and fallible():
            reader.rollback(before)
            if (later := pulled(reader, function, args, kwargs, always=True)) is not None:
                return later
            found = rule(reader, *_opened(reader, function, args), **kwargs)
        if function not in _LAZY:
            for arg in args:
                if isinstance(arg, IteratorRef):
                    made_of.give_back(reader, arg)
        return _as_iterators(reader, function, found, seen, changed, behind) if function in _LAZY or function in _MAKERS else found


def _iterator_of(reader: Reader, value: Abstract) -> Abstract:
    """What the `__iter__` of the user's gives, where that is a generator; anything else as it is."""
    is_such = isinstance(value, ObjectRef | Pooled) and not own_iterators.gives_own(value) and not getattr(class_of(value), "BY_INDEX", False) and users(class_of(value), "__iter__") is not None
    said = special(reader, value, "__iter__") if is_such else None
    return value if said is None or not isinstance(said[0], IteratorRef) else said[0]


def _worked_out_before(args: tuple[Abstract, ...]) -> tuple[Seen, ...]:
    """What the items of iterators among the arguments were made of: what goes through these depends on it, too."""
    return tuple(arg.seen for arg in args if isinstance(arg, IteratorRef) and arg.seen is not None)


def _asked_once(reader: Reader, function: Any, ref: IteratorRef, kwargs: dict[str, Abstract]) -> Abstract:
    """What asks for the first item, or for all, once more: of a list of them where making them changes something."""
    before = reader.checkpoint()
    with made_of.effects(reader) as changed:
        found = BUILTINS[function](reader, once.opened(reader, ref), **kwargs)
        if not changed():
            return found
    reader.rollback(before)
    return _called(reader, function, (_called(reader, list, (ref,), {}),), kwargs)


_ASKS_TWICE = frozenset((min, max, sorted))
_GOES_THROUGH = frozenset((enumerate, zip, map, filter, iter, reversed))
_TAKES_ALL = frozenset((list, tuple, set, frozenset, sum, min, max, sorted))
"""What goes through all of its first argument, whatever it holds."""


def _called_with(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract], place: int, option: Abstract) -> Abstract:
    return _called(reader, function, (*args[:place], option, *args[place + 1 :]), kwargs)


def _opened(reader: Reader, function: Any, args: tuple[Abstract, ...]) -> tuple[Abstract, ...]:
    """The arguments with what is left of iterators. zip(it, it) takes turns."""
    given = [arg for arg in args if isinstance(arg, IteratorRef)]
    if len(given) > 1 and len(set(given)) < len(given):
        if function is not zip or len(set(args)) > 1:
            raise reader.unsupported("the same iterator twice in a call", "a list of its items, and slices of it")
        items = items_of(reader, given[0])
        return tuple(items[k :: len(args)] for k in range(len(args)))
    kept = _ALSO_KEEPS.get(function)
    return tuple(once.opened(reader, arg, whole=function not in _LAZY) if isinstance(arg, IteratorRef) and number != kept else arg for number, arg in enumerate(args))


def _as_iterators(reader: Reader, function: Any, found: Abstract, seen: Any, changed: Callable[[], list[Any]], behind: tuple[Seen, ...]) -> Abstract:
    if isinstance(found, tuple) and function is itertools.tee:
        return tuple(_as_iterators(reader, None, each, seen, changed, behind) for each in found)
    if not isinstance(found, Iteration | Endless):
        return found
    worked_out = seen if function in _KEEPS_ITEMS or isinstance(found, Iteration) and found.items is not None else None
    made_now = changed() if worked_out is not None else ()
    if behind and isinstance(found, Iteration):
        parts = behind if worked_out is None else (*behind, worked_out)
        worked_out = Seen(tuple(name for part in parts for name in part.names), {ref: content for part in reversed(parts) for ref, content in part.contents.items()})
    example = _MAKERS.get(function, iter(()))
    return made_of.new_iterator(reader, found, example, worked_out, changed=made_now)


__all__ = ["call_builtin"]
