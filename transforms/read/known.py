"""What is known while reading: one question, asked in one place and of every part of a value.

    is_known((1, [2, "a"]))   True    plain: the tuple and list themselves, for Python's own functions and methods
    is_known((1, [x, "a"]))   False   what has a run-time part is modelled by the reader, or refused

Python never gets what only stands for a value: it would compare identities, and print or count what the user never wrote.
"""
from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn

import numpy as np

from s2s.errors import ArgumentTypeError, UnsupportedError
from s2s.transforms.read import classes
from s2s.transforms.read.callables import FUNCTIONS
from s2s.transforms.read.calls.hidden import enter, whole
from s2s.transforms.read.classes import example_of
from s2s.transforms.read.describing import describe
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.iterations import Iteration, Later, RunRange
from s2s.transforms.read.known_sets import SetItems, as_set, itself
from s2s.transforms.read.made_of import new_iterator
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import (
    STANDS_FOR,
    Abstract,
    DequeRef,
    DictRef,
    DictView,
    IteratorRef,
    JoinedText,
    ListRef,
    ObjectRef,
    Outside,
    Pooled,
    SetRef,
    Text,
    TupleRef,
    View,
    dict_kind,
    factory_of,
    is_atom,
    is_namedtuple,
    remake,
)  # fmt: skip
from s2s.transforms.read.wrapping import unwrap, unwrap_atom
from s2s.types import Literal, Opaque

ENDLESS = (itertools.count, itertools.cycle, itertools.repeat)


def is_known(reader: Reader, value: Abstract, above: tuple[Abstract, ...] = ()) -> bool:
    """Whether every part of a value is known while reading. `above`: the containers that hold it; one may hold itself."""
    if isinstance(value, ListRef | DictRef):
        if any(value is each for each in above):
            return True
        above = (*above, value)
    match value:
        case tuple() | frozenset():
            return all(is_known(reader, item, above) for item in value)
        case slice():
            return is_known(reader, (value.start, value.stop, value.step))
        case ListRef():
            content = reader.heap[value]
            return isinstance(content, tuple) and is_known(reader, (*content, getattr(value, "maxlen", None)), above)
        case SetRef():
            return True
        case DictRef():
            return is_known(reader, tuple(reader.heap[value].values()), above)
        case DictView():
            return value.part == "keys" or is_known(reader, value.ref, above)
        case Iteration():
            return value.items is not None and is_known(reader, value.items, above)
        case Later(container=DictRef()):
            return len(reader.heap[value.container]) == value.length and is_known(reader, value.index, above)
        case Later():
            content = reader.heap[value.container] if isinstance(value.container, ListRef) else None
            return isinstance(content, tuple) and len(content) == value.length and is_known(reader, content[value.index], above)
        case Outside():
            return not classes.compares_by_itself(value)
        case Literal():
            return True
    return not isinstance(value, Opaque)


@asks_python
def plain(reader: Reader, value: Abstract, made: dict[int, Any] | None = None) -> Any:
    """A known value as the object that it is in Python: containers as new ones. `made`: those that it is made in, which it may hold itself."""
    if isinstance(value, ListRef | DictRef) and not isinstance(value, SetRef):
        made = {} if made is None else made
        return made[id(value)] if id(value) in made else _plain_container(reader, value, made)
    match value:
        case tuple():
            if made and any(id(item) in made for item in value):
                raise reader.unsupported("a tuple that holds the container it is in, given to a function of Python's", "its items")
            return remake(value, [plain(reader, item, made) for item in value])
        case slice():
            return slice(plain(reader, value.start), plain(reader, value.stop), plain(reader, value.step))
        case SetRef():
            return as_set(reader.heap[value])
        case DictView():
            return getattr(plain(reader, value.ref) if value.part != "keys" else dict.fromkeys(reader.heap[value.ref]), value.part)()
        case Iteration():
            assert value.items is not None
            return iter([plain(reader, item, made) for item in value.items])
        case Later(container=DictRef()):
            return plain(reader, value.index)
        case Later():
            return plain(reader, reader.heap[value.container][value.index])
        case Outside():
            return whole(reader, value)
        case Literal():
            return unwrap_atom(reader, value)
    if isinstance(value, Opaque):
        unknown(reader, value, "this use of")
    return value


@asks_python
def _plain_container(reader: Reader, value: ListRef | DictRef, made: dict[int, Any]) -> Any:
    """A list, a deque or a dict of known items."""
    content = reader.heap[value]
    if isinstance(value, DictRef):
        made[id(value)] = value.kind()
        made[id(value)].update({key: plain(reader, item, made) for key, item in content.items()})
    else:
        made[id(value)] = deque(maxlen=value.maxlen) if isinstance(value, DequeRef) else []
        made[id(value)].extend([plain(reader, item, made) for item in content])
    return made.pop(id(value))


def unknown(reader: Reader, value: Abstract, use: str) -> NoReturn:
    """Refuse a use of what is not known while reading."""
    raise reader.unsupported(f"{use} {describe(reader, value)}, whose value is known only at run time", "numbers and arrays, and ifs that compare them")


@asks_python
def entered(reader: Reader, result: Any) -> Abstract:
    """What Python gave, as a value of the program: its containers are new ones."""
    if isinstance(result, list):
        return reader.new_list([entered(reader, item) for item in result])
    if isinstance(result, dict):
        return reader.new_dict({key: entered(reader, item) for key, item in result.items()}, dict_kind(result))
    if isinstance(result, tuple):
        return remake(result, [entered(reader, item) for item in result]) if type(result) is tuple or is_namedtuple(result) else result
    if isinstance(result, set):
        return reader.new_set_of(SetItems(result.copy, outside=result))
    if isinstance(result, ENDLESS):
        raise reader.unsupported(f"itertools.{type(result).__name__}, which has no end,", "a range")
    if isinstance(result, Iterator):
        return new_iterator(reader, Iteration(tuple(entered(reader, item) for item in result)), iter(()))
    if isinstance(result, np.ndarray):
        return unwrap(reader, result)
    return result


@asks_python
def by_python(reader: Reader, function: Callable[..., Any], *args: Abstract, **kwargs: Abstract) -> Abstract:
    """function(*args, **kwargs) of known values, computed by Python now."""
    def call() -> Any:
        return function(*(plain(reader, arg) for arg in args), **{key: plain(reader, arg) for key, arg in kwargs.items()})

    found = call()
    if type(found) is not set or kwargs or not all(isinstance(arg, SetRef | frozenset | DictView) for arg in args):
        return entered(reader, found)
    held = [reader.heap[arg] if isinstance(arg, SetRef) else arg if isinstance(arg, frozenset) else plain(reader, arg) for arg in args]
    return reader.new_set_of(SetItems(lambda: function(*(itself(each) if isinstance(each, dict) else each for each in held))))  # its items stand as the operator puts them


def key_value(reader: Reader, key: Any) -> Abstract:
    """A key of a dict or an item of a set, as a value of the program."""
    if isinstance(key, ObjectRef):
        return key
    return enter(reader, key, (("object", key),) if not isinstance(key, tuple | float | complex | np.inexact) else None)


def put_into_set(reader: Reader, value: Abstract, items: Iterable[Abstract]) -> Any:
    """What a set is given: another set as it stands, a dict's keys as those of a dict, of anything else the items in turn."""
    if isinstance(value, SetRef | frozenset):
        return plain(reader, value)
    keys = [hashed(reader, item) for item in items]
    return dict.fromkeys(keys) if type(value) is DictRef and value.kind is dict else keys


def factory_value(reader: Reader, kind: type) -> Abstract:
    """What a class of defaultdicts calls for a new key; None for any other class."""
    factory = factory_of(kind)
    return factory if isinstance(factory, Opaque) else key_value(reader, factory)


def by_identity(kind: Any) -> bool:
    """Whether a class leaves == and hash as they are: each object is equal to itself alone."""
    return kind.__eq__ is object.__eq__ and kind.__hash__ is object.__hash__


def unknown_key(reader: Reader, value: Abstract) -> UnsupportedError:
    """What is raised of a key that only the run knows."""
    return reader.unsupported(f"{describe(reader, value)} as a key of a dict or in a set, where it must be known while reading", "a constant key, or an array and an integer index")


@asks_python
def hashed(reader: Reader, value: Abstract) -> Any:
    """A value as a key of a dict or an item of a set; it must be known.

    Raises TypeError, as Python does, for what can't be a key.
    """
    if isinstance(value, ObjectRef) and by_identity(value.kind):
        return value
    if isinstance(value, ListRef | DictRef | View) and not isinstance(value, TupleRef):
        raise ArgumentTypeError(f"unhashable type: '{type(sample(reader, value)).__name__}'", where=reader.builder.where)
    classes.refuse_as_key(reader, value)
    if not is_known(reader, value):
        raise unknown_key(reader, value)
    key = plain(reader, value)
    hash(key)
    return key


@asks_python
def sample(reader: Reader, value: Abstract) -> Any:
    """An object of the class that a value has in Python, to see what Python says to it."""
    match value:
        case Pooled() if STANDS_FOR in vars(value.pool.kind):
            return vars(value.pool.kind)[STANDS_FOR]()
        case DequeRef() | TupleRef():
            return deque() if isinstance(value, DequeRef) else ()
        case ListRef():
            return []
        case SetRef() | DictRef():
            kind: Any = value.kind
            return kind.__new__(kind)  # without what a class of the user's does when it is made
        case Text() | JoinedText():
            return ""
        case Iteration():
            return iter(())
        case IteratorRef():
            return value.example
        case DictView():
            return getattr({}, value.part)()
        case tuple():
            return remake(value, [sample(reader, item) for item in value])
        case slice():
            return slice(None)
    if isinstance(value, FUNCTIONS):
        return sample
    if is_atom(value) or isinstance(value, View):
        return example_of(reader, value)
    if isinstance(value, RunRange):
        return range(0)
    return value.object if isinstance(value, Outside) else value


@asks_python
def refused_by_python(reader: Reader, function: Callable[..., Any], *args: Abstract) -> None:
    """Raise the TypeError that Python raises for objects of these classes; nothing if there is none."""
    if any(isinstance(arg, ObjectRef) or isinstance(arg, Pooled) and STANDS_FOR not in vars(arg.pool.kind) for arg in args):
        return
    try:
        function(*(sample(reader, arg) for arg in args))
    except TypeError as error:
        raise ArgumentTypeError(str(error), where=reader.builder.where) from None
    except (ValueError, ArithmeticError, LookupError):
        return


__all__ = ["by_identity", "by_python", "entered", "factory_value", "hashed", "is_known", "key_value", "plain", "refused_by_python", "sample", "unknown", "unknown_key"]
