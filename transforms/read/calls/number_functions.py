"""Python's functions of numbers: sum, min, max, abs, round, bool and others, of numbers, arrays and what is gone through."""
from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from s2s.errors import ArgumentTypeError
from s2s.transforms.read.callables import Applied, Method
from s2s.transforms.read.calls import special_methods
from s2s.transforms.read.calls.composed import call_part
from s2s.transforms.read.calls.item_functions import OF_ITEMS, of_items
from s2s.transforms.read.calls.made_containers import gone_through_in_any_order
from s2s.transforms.read.calls.operator_functions import truth
from s2s.transforms.read.calls.ordering import extreme_by_array, run_time_iteration
from s2s.transforms.read.composed import keyed, lists
from s2s.transforms.read.composed.python_library import modular_power
from s2s.transforms.read.composed.python_math import rounded
from s2s.transforms.read.describing import describe
from s2s.transforms.read.doubts import types_of
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.flow.filled_by_loops import run_time_map
from s2s.transforms.read.flow.items import items_of
from s2s.transforms.read.flow.keyed import at_once, is_keyed
from s2s.transforms.read.iterations import Iteration
from s2s.transforms.read.known import by_python, is_known, refused_by_python
from s2s.transforms.read.names import resolved
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import as_weak
from s2s.transforms.read.numpy.python import PYTHON_FUNCTIONS
from s2s.transforms.read.numpy.python_checks import check_total
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.grown import Grown
from s2s.transforms.read.values import Abstract, IteratorRef, ListRef, Missing, ObjectRef, Outside, StandIn, View, is_atom
from s2s.transforms.read.wrapping import unwrap, wrap
from s2s.transforms.read.zero_dim import either, is_member, kinds
from s2s.types import Var, kind_of


@asks_python
def _number_function(name: str) -> Callable[..., Abstract]:
    """A function of numbers: PYTHON_FUNCTIONS' on Values."""
    function = resolved(name)

    def rule(reader: Reader, *args: Abstract, **kwargs: Abstract) -> Abstract:
        if function is bool and len(args) > 1:
            raise ArgumentTypeError(f"bool expected at most 1 argument, got {len(args)}", where=reader.builder.where)
        if function in OF_ITEMS:
            args, kwargs = _first_gone_through(reader, args, kwargs)
        said = special_methods.converted(reader, function, args)
        if said is not None:
            return said[0]
        if function in (min, max, sum, any, all) and (folded := special_methods.folded(reader, function, args, kwargs)) is not None:
            return folded[0]
        if function in (min, max) and len(args) == 1 and (extreme := _extreme(reader, function, args[0], kwargs)) is not None:
            return extreme[0]
        if function in (sum, min, max) and args:
            args = _as_list_of_numbers(reader, function, args)
        if function in OF_ITEMS and args and not isinstance(args[0], View) and not _is_growing(reader, args[0]):
            found = of_items(reader, function, args, kwargs)
            if found is not None:
                return found[0]
            args = args if len(args) > 1 and function is not sum else (items_of(reader, args[0]), *args[1:])
            kwargs = {key: value for key, value in kwargs.items() if key not in ("key", "default")}
        elif (answer := _answered(reader, function, args, kwargs)) is not None:
            return answer[0]
        return _of_numbers(reader, name, function, args, kwargs)

    return rule


@asks_python
def _first_gone_through(reader: Reader, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> tuple[tuple[Abstract, ...], dict[str, Abstract]]:
    """The arguments of a function of items, the first one as what is gone through."""
    if len(args) == 1 and is_keyed(args[0]):
        kwargs = {**kwargs, **by_value(args[0], **kwargs)}
        return (gone_through_in_any_order(reader, args[0], kwargs.get("key")),), kwargs
    return (at_once(reader, args[0]), *args[1:]) if args else args, kwargs


@asks_python
def _extreme(reader: Reader, function: Callable[..., Any], items: Abstract, kwargs: dict[str, Abstract]) -> tuple[Abstract] | None:
    """min or max of items whose number only the run knows, with a default, by a key, or of rows; None where it is another."""
    if "default" in kwargs:
        if (iteration := run_time_iteration(reader, items)) is None:
            return None
        given = items if isinstance(items, ListRef | View) else run_time_map(reader, iteration, lambda item: item)
        return (reader.rules.call(lists.or_default, (function, given, kwargs.get("key"), kwargs["default"])),)
    if kwargs.get("key") is None and not isinstance(items, IteratorRef | Iteration) and not _has_rows(reader, items):
        return None
    found = extreme_by_array(reader, function, items, kwargs.get("key"))
    return None if found is None else (found,)


@asks_python
def _as_list_of_numbers(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...]) -> tuple[Abstract, ...]:
    """The arguments of sum, min or max, an iterator of run-time length as the list of its items."""
    if isinstance(args[0], IteratorRef | Iteration) and (iteration := run_time_iteration(reader, args[0])) is not None:
        args = (run_time_map(reader, iteration, lambda item: item), *args[1:])
    if function is sum and len(args) == 2 and isinstance(args[1], bool) and _is_growing(reader, args[0]) and getattr(reader.heap[args[0]].item_type, "weak", False):
        return args[0], int(args[1])  # Python's own bools are numbers, those of NumPy are not
    return args


@asks_python
def _answered(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> tuple[Abstract] | None:
    """What Python itself says of known arguments, and functions that are written out; None for those that are computed."""
    if all(is_known(reader, arg) for arg in (*args, *kwargs.values())):
        return (by_python(reader, function, *args, **kwargs),)
    if function is bool and len(args) == 1:
        return (truth(reader, args[0]),)
    if function is round and _is_decimal(reader, *args, **kwargs):
        return (call_part(reader, rounded, args, kwargs, "round"),)
    if function is pow and len(args) == 3 and args[2] is not None:
        refused_by_python(reader, pow, *args)  # NumPy's integers have no such power
        return (call_part(reader, modular_power, tuple(reader.rules.call(operator.index, (arg,)) for arg in args), kwargs, "pow"),)
    return None


@asks_python
def _of_numbers(reader: Reader, name: str, function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """The function of run-time numbers, or of a list or array of them."""
    _refuse_objects(reader, function, args)
    _refuse_rows(reader, function, args)
    if function is sum and args and _is_growing(reader, args[0]) and any(isinstance(start, tuple | ListRef) for start in (*args[1:], *kwargs.values())):
        raise reader.unsupported("sum() of numbers that begins with a tuple or list", "a number, or an array")  # Python adds them to it one by one
    with building(reader.builder):
        wrapped = [wrap(reader, arg) for arg in args]
        result = PYTHON_FUNCTIONS[name](*wrapped, **{key: wrap(reader, arg) for key, arg in kwargs.items()})
        if function is sum and _holds_python_numbers(reader, args[0]):
            check_total(result, *wrapped, **{key: wrap(reader, arg) for key, arg in kwargs.items()})
        found = unwrap(reader, as_weak(result) if args and _holds_python_numbers(reader, args[0]) else result)
    if function not in (min, max):
        return found
    if isinstance(found, Var) and any(is_member(reader, each) for arg in args for each in (arg if isinstance(arg, tuple) else (arg,))):
        reader.session.members.add(found)
    return either(reader, found) if any(_may_be_boxed(reader, arg) for arg in args) else found


def _is_decimal(reader: Reader, number: Abstract, ndigits: Abstract = None) -> bool:
    """Whether round(number, ndigits) is of a number of Python's own to so many decimals."""
    if isinstance(number, View):
        raise ArgumentTypeError("type numpy.ndarray doesn't define __round__ method", where=reader.builder.where)
    if ndigits is None:
        return False
    return isinstance(number, int | float) or is_atom(number) and all(type_.weak and kind_of(type_.dtype) in "if" for type_ in types_of(reader.builder, number))


def by_value(value: Abstract, key: Abstract = None, **others: Abstract) -> dict[str, Abstract]:
    """max(d, key=d.get): each key is there."""
    del others
    if isinstance(key, Method) and key.first is value and isinstance(key.function, Outside) and key.function.object is keyed.Keyed.get and isinstance(value, ObjectRef):
        return {"key": Applied(keyed.held_of, (value,), {})}
    return {}


def _may_be_boxed(reader: Reader, value: Abstract) -> bool:
    """Whether it is, or may hold, an array without axes."""
    if isinstance(value, tuple | list):
        return any(_may_be_boxed(reader, item) for item in value)
    return True in (reader.heap[value].kinds if _is_growing(reader, value) else kinds(reader, value))


def _holds_python_numbers(reader: Reader, value: Abstract) -> bool:
    """Whether it is a list of run-time length with Python's own numbers, whose sum is one too."""
    content = reader.heap[value] if isinstance(value, ListRef) else None
    return isinstance(content, Grown) and content.weak


def _is_growing(reader: Reader, value: Abstract) -> bool:
    return isinstance(value, ListRef) and isinstance(reader.heap[value], Grown)


def _has_rows(reader: Reader, value: Abstract) -> bool:
    """Whether it is a list of tuples or such, whose length is known only at run time."""
    return _is_growing(reader, value) and reader.heap[value].row is not None


def _refuse_rows(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...]) -> None:
    """Refuse what compares or counts arrays, tuples or lists in a list whose length is known only at run time."""
    for content in (reader.heap[arg] for arg in args if _is_growing(reader, arg)):
        if content.row is not None or content.item_type.shape and function is not sum:
            raise reader.unsupported(f"{function.__name__}() of a list of arrays, tuples or lists whose length is known only at run time", "a loop over the list")


def _refuse_objects(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...]) -> None:
    """Refuse what no function of numbers takes: containers, texts, functions, objects; with Python's own words where it refuses them too."""
    if function in OF_ITEMS:
        return
    for value in args:
        if isinstance(value, StandIn | tuple | slice | str) and not isinstance(value, View | Outside | Missing):
            refused_by_python(reader, function, *args)
            raise reader.unsupported(f"{function.__name__}() of {describe(reader, value)}", "numbers and arrays")


NUMBER_FUNCTIONS: dict[str, Callable[..., Abstract]] = {name: _number_function(name) for name in PYTHON_FUNCTIONS}
"""Qualified name of a function of numbers -> rule(reader, *args, **kwargs)."""

__all__ = ["NUMBER_FUNCTIONS", "by_value"]
