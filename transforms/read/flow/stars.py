"""Stars in front of what has a length of run time.

    [first, *rest, last]        a list that the items are appended to
    f(*rows), f's *args         a tuple of run-time length (`RestOfRun`)
    f(*rows), f's a, b          items 0 and 1, behind checks in Python's words that there are just so many
"""
from __future__ import annotations

import inspect
from collections.abc import Sequence
from types import FunctionType
from typing import Any

from s2s.transforms.primitives.arithmetic import greater_equal, less_equal, not_equal
from s2s.transforms.read.callables import Closure, Method
from s2s.transforms.read.classes import held_items, is_generated, users
from s2s.transforms.read.flow import once, own_iterators
from s2s.transforms.read.flow.binding import RestOfRun, bound_arguments, bound_to_closure, signature_of_closure, signature_of_code
from s2s.transforms.read.flow.items import is_changed, items_of
from s2s.transforms.read.flow.subscripts import get_item
from s2s.transforms.read.iterations import RunRange
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.grown import Grown
from s2s.transforms.read.storage.tables import as_tuple
from s2s.transforms.read.values import STANDS_FOR, Abstract, DictRef, IteratorRef, ListRef, ObjectRef, Outside, Pooled
from s2s.types import size_literal

Items = Sequence[tuple[bool, Abstract]]
"""Values, each with whether a star stands in front of it."""


def _is_run_time(reader: Reader, value: Abstract) -> bool:
    """Whether it is gone through as a list whose length only the run knows. (Of an array the call knows it.)"""
    if isinstance(value, IteratorRef):
        return not once.is_pullable(reader, value)
    value = held_items(reader, value)
    return isinstance(value, ListRef) and isinstance(reader.heap[value], Grown) or isinstance(value, RunRange | Pooled) or isinstance(value, ObjectRef) and STANDS_FOR in vars(value.kind)


def taken(reader: Reader, value: Abstract) -> Abstract:
    """What a star in front of a value takes when it is evaluated: what is evaluated behind it may change that."""
    value = own_iterators.items(reader, value)
    return items_of(reader, value) if isinstance(value, ListRef | DictRef | IteratorRef) and not _is_run_time(reader, value) else value


def refuse_changed(reader: Reader, held: Sequence[tuple[Abstract, tuple[Any, ...]]]) -> None:
    """Refuse lists of run-time length that were changed by what stands behind the star; each with what it held there."""
    if any(is_changed(reader, value, before) for value, before in held):
        raise reader.unsupported("a star in front of a list of run-time length that is changed by what stands behind it", "list(…) of it in a statement before")


def items(reader: Reader, values: Items) -> list[Abstract] | ListRef:
    """The items of all of them; a list where only the run knows how many there are."""
    values = [(starred, own_iterators.items(reader, value) if starred else value) for starred, value in values]
    if not any(starred and _is_run_time(reader, value) for starred, value in values):
        found: list[Abstract] = []
        for starred, value in values:
            found.extend(items_of(reader, value) if starred else [value])
        return found
    result = reader.new_list(())
    for starred, value in values:
        reader.rules.call(reader.rules.attribute(result, "extend" if starred else "append"), (value,))
    return result


def arguments(reader: Reader, function: Abstract, values: Items, keywords: Sequence[str]) -> list[Abstract]:
    """The arguments by position that a function is given."""
    first = next((number for number, (starred, value) in enumerate(values) if starred and _is_run_time(reader, value)), None)
    if first is None:
        found = items(reader, values)
        assert isinstance(found, list)
        return found
    before = items(reader, values[:first])
    rest = items(reader, values[first:])
    assert isinstance(before, list)
    assert isinstance(rest, ListRef)
    if any(function is each for each in (min, max)):
        return [*before, *_at_least_two(reader, rest)] if not before else [*before, reader.rules.call(function, (rest,))]
    return _of_parameters(reader, function, before, rest, keywords)


def _at_least_two(reader: Reader, rest: ListRef) -> list[Abstract]:
    """min(*items) is min(items), of two items or more."""
    _check(reader, greater_equal, rest, 2, "'float' object is not iterable")
    return [rest]


def _of_parameters(reader: Reader, function: Abstract, before: list[Abstract], rest: ListRef, keywords: Sequence[str]) -> list[Abstract]:
    """What the parameters of a function take of what stands before the star, and of the list behind it."""
    function = _initialiser(reader, function)
    bound, signature = _signature(function)
    if signature is None:
        raise reader.unsupported("a star in front of a list of run-time length, in a call of such a function", "a function of yours, or the list itself as an argument")
    parameters = [each for each in signature.parameters.values() if each.name not in keywords]
    by_place = [each for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)][bound:]
    places = by_place[len(before) :]
    takes_rest = any(each.kind is each.VAR_POSITIONAL for each in parameters)
    if takes_rest and len(before) > len(by_place):
        joined = items(reader, [*((False, each) for each in before[len(by_place) :]), (True, rest)])
        assert isinstance(joined, ListRef)
        before, rest = before[: len(by_place)], joined
    if any(each.default is not each.empty for each in places):
        raise reader.unsupported("a star in front of a list of run-time length, in a call of a function with defaults", "the list itself as an argument", "the length says which are taken")
    count = len(places)
    for missing in range(count):
        _check(reader, not_equal, rest, missing, _words(function, bound, len(before) + missing, keywords))
    if not takes_rest:
        most = bound + len(before)
        _check(reader, less_equal, rest, count, _words(function, bound, len(before) + count + 1, keywords), most)
    found = [*before, *(get_item(reader, rest, number) for number in range(count))]
    if takes_rest:
        left = get_item(reader, rest, slice(count, None))
        assert isinstance(left, ListRef)
        found.append(RestOfRun(as_tuple(reader, left)))
    return found


def _check(reader: Reader, compared: Any, rest: ListRef, count: int, words: str, more: int = 0) -> None:
    """That the list's length compares so, or a TypeError in these words, in which `more` + count + 1 stands for what is given."""
    length = reader.rules.call(len, (rest,))
    (fits,) = reader.builder.equation(compared, (length, size_literal(count)), name="fits")
    template = words.replace("{", "{{").replace("}", "}}")
    told = template.replace(f"but {more + count + 1} were given", "but {} were given")
    reader.builder.check(fits, "TypeError", told, *([reader.plus(length, more)] if told != template else []))


def _initialiser(reader: Reader, function: Abstract) -> Abstract:
    """Of a class its `__init__`, which is given the object first; of others themselves."""
    found = users(function, "__init__") if isinstance(function, type) else None
    if found is None or not isinstance(found[1], FunctionType) or is_generated(found[1]):
        return function
    return Method(reader.session.made.get(found[1], Outside(found[1], None)), None)


def _signature(function: Abstract) -> tuple[int, inspect.Signature | None]:
    """How many parameters are bound already, and the parameters."""
    match function:
        case Method():
            bound, signature = _signature(function.function)
            return bound + 1, signature
        case Closure():
            return 0, signature_of_closure(function)
        case Outside(object=FunctionType() as python):
            return 0, signature_of_code(python)
    return 0, None


def _words(function: Abstract, bound: int, given: int, keywords: Sequence[str]) -> str:
    """What Python says of a call with so many arguments, which don't fit."""
    while isinstance(function, Method):
        function = function.function
    args, kwargs = (None,) * (bound + given), dict.fromkeys(keywords)
    try:
        if isinstance(function, Outside):
            bound_arguments(function.object, *args, **kwargs)
        elif isinstance(function, Closure):
            bound_to_closure(function, *args, **kwargs)
    except TypeError as error:
        return str(error)
    raise AssertionError(function)


__all__ = ["arguments", "items", "refuse_changed", "taken"]
