"""What is asked of a value that is one of several (`OneOf`): asked of each that it may be, on a path of its own.

    p.x    with p = OneOf(p_kind, (a, b))      a.x if p_kind == 0 else b.x

What is an error for one of them is raised by the run that comes there.
"""
from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from functools import partial, wraps
from typing import Any, TypeVar, cast

from s2s.errors import S2SError, UnsupportedError
from s2s.transforms.read.flow.caught import settled
from s2s.transforms.read.flow.conditions import either, is_safe, negated, splice
from s2s.transforms.read.flow.failing import fail
from s2s.transforms.read.flow.joining import choose
from s2s.transforms.read.flow.options import is_at, narrowed, possible
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.run_time_keys import is_text_for
from s2s.transforms.read.state import Branch
from s2s.transforms.read.values import Abstract, ListRef, OneOf, join_text, remake
from s2s.types import Atom, Var

Rule = TypeVar("Rule", bound=Callable[..., Any])


def spread(reader: Reader, value: OneOf, rule: Callable[[Abstract], Abstract]) -> Abstract:
    """What the rule gives for the value."""
    return _of(reader, value, possible(reader, value), rule)


def joined_texts(reader: Reader, parts: Sequence[Abstract]) -> Abstract:
    """Texts one after the other, some of which may be one of several."""
    number = next((number for number, part in enumerate(parts) if isinstance(part, OneOf)), None)
    if number is None:
        return join_text(parts)
    return spread(reader, parts[number], lambda part: joined_texts(reader, [*parts[:number], part, *parts[number + 1 :]]))


def spread_call(reader: Reader, rule: Callable[..., Abstract], function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract], *, only_reads: bool) -> Abstract:
    """What a rule (reader, function, args, kwargs) gives for a call, of which any argument may be one of several; where it `only_reads` them, an item
    of one, too.
    """
    given: dict[Any, Abstract] = {**dict(enumerate(args)), **kwargs}
    several = partial(_several, reader) if only_reads else lambda each: [each] if isinstance(each, OneOf) else []
    place, item = next(((place, item) for place, each in given.items() for item in several(each)), (None, None))
    if item is None:
        return rule(reader, function, args, kwargs)

    def with_one(option: Abstract) -> Abstract:
        chosen = {**given, place: _replaced(reader, given[place], item, option)}
        return spread_call(reader, rule, function, tuple(chosen[number] for number in range(len(args))), {name: chosen[name] for name in kwargs}, only_reads=only_reads)

    return spread(reader, item, with_one)


def _several(reader: Reader, value: Abstract) -> list[OneOf]:
    """The value, or those of its items, that are one of several."""
    items = reader.heap[value] if isinstance(value, ListRef) else value
    found = items if isinstance(items, tuple) else (value,)
    return [each for each in found if isinstance(each, OneOf)]


def _replaced(reader: Reader, value: Abstract, item: OneOf, option: Abstract) -> Abstract:
    """The value with an option in the place of an item, as a new list where it is a list: what is called only reads it."""
    if value is item:
        return option
    items = tuple(option if each is item else each for each in (reader.heap[value] if isinstance(value, ListRef) else value))
    return reader.new_like(value, items) if isinstance(value, ListRef) else remake(value, items)


def _of(reader: Reader, value: OneOf, numbers: list[int], rule: Callable[[Abstract], Abstract]) -> Abstract:
    first, *others = numbers
    if not others:
        return rule(value.options[first])
    test = is_at(reader, value, first)
    one, two = reader.fork(), reader.fork()
    with reader.inside(one):
        narrowed(reader, test, holds=True)
        a = attempted(reader, rule, value.options[first])
    with reader.inside(two):
        narrowed(reader, test, holds=False)
        b = attempted(reader, lambda _: _of(reader, value, others, rule), None)
    told = _told(reader, test, (one, a), (two, b))
    return choose(reader, test, (one, a), (two, b)) if told is None else told


def _told(reader: Reader, test: Atom, one: tuple[Branch, Abstract], two: tuple[Branch, Abstract]) -> Abstract:
    """A bool that only says which option it is; None for all else."""
    (first, a), (second, b) = one, two
    if first.builder.nodes or not isinstance(a, bool) or first.state.raised or second.state.raised:
        return None
    if _stores(reader, first) or _stores(reader, second):
        return None
    if isinstance(b, bool) and is_safe(second.builder.nodes):
        return a if a is b else test if a else negated(reader, test)
    found = reader.session.tests.get(b) if isinstance(b, Var) else None
    if found is None or found[0] != "is" or not is_safe(second.builder.nodes):
        return None
    splice(reader, second)
    return either(reader, test, b) if a else b  # another option: then it is not this one


def _stores(reader: Reader, branch: Branch) -> bool:
    """Whether a path has bound a name or changed a container, for which no node may stand."""
    state = branch.state
    return any(state.heap.get(ref) is not content for ref, content in reader.heap.items()) or any(state.names.get(name) is not value for name, value in reader.frame.names.items())


def attempted(reader: Reader, rule: Callable[[Abstract], Abstract], option: Abstract) -> Abstract:
    """What the rule gives on this path; an error is raised by the run."""
    try:
        return settled(reader, lambda: rule(option))
    except (TypeError, AttributeError, ArithmeticError, LookupError, ValueError) as error:
        kind = next((cls for cls in type(error).__mro__ if getattr(builtins, cls.__name__, None) is cls), None)
        if reader.errors or isinstance(error, UnsupportedError) or kind is None:
            raise
        words = error.what if isinstance(error, S2SError) else str(error.args[0]) if error.args else None
        fail(reader, kind, words)
        return None


def _with(rule: Any, reader: Reader, args: tuple[Any, ...], place: int, kwargs: dict[str, Any], option: Abstract) -> Any:
    return rule(reader, *args[:place], option, *args[place + 1 :], **kwargs)


def spreads(*places: int) -> Callable[[Rule], Rule]:
    """A rule (reader, …) whose arguments at these places may each be one of several values."""

    def decorate(rule: Rule) -> Rule:
        @wraps(rule)
        def spreading(reader: Reader, *args: Any, **kwargs: Any) -> Any:
            for place in places:
                if place < len(args) and isinstance(args[place], OneOf) and not is_text_for(args[place], args[0]):
                    one = partial(_with, spreading, reader, args, place, kwargs)
                    return spread(reader, args[place], one)
            return rule(reader, *args, **kwargs)

        return cast(Rule, spreading)

    return decorate


def spreads_key(place: int) -> Callable[[Rule], Rule]:
    """A rule (reader, …) whose argument at this place is a key, in which each index, and each end of a slice, may be one of several values."""

    def decorate(rule: Rule) -> Rule:
        @wraps(rule)
        def spreading(reader: Reader, *args: Any, **kwargs: Any) -> Any:
            if isinstance(key := args[place], tuple | slice) and (item := _in_key(key)) is not None:
                return spread(reader, item, lambda option: spreading(reader, *args[:place], _with_index(key, item, option), *args[place + 1 :], **kwargs))
            return rule(reader, *args, **kwargs)

        return cast(Rule, spreading)

    return decorate


def _in_key(key: Abstract) -> OneOf | None:
    """An index of a key that is one of several values."""
    if isinstance(key, OneOf):
        return key
    parts = (key.start, key.stop, key.step) if isinstance(key, slice) else key if isinstance(key, tuple) else ()
    return next((item for item in map(_in_key, parts) if item is not None), None)


def _with_index(key: Abstract, item: OneOf, option: Abstract) -> Abstract:
    """The key with an option for the index."""
    if key is item:
        return option
    if isinstance(key, slice):
        return slice(*(option if each is item else each for each in (key.start, key.stop, key.step)))
    return remake(key, tuple(_with_index(each, item, option) for each in key)) if isinstance(key, tuple) else key


__all__ = ["attempted", "spread", "spread_call", "spreads", "spreads_key"]
