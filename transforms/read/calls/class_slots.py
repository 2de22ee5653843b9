"""Attributes of classes and functions that are stored into.

    Counter.n += 1        a class outside: its attribute is taken in, as a global is (`taken.py`), and stored at the end of the call
    f.calls += 1          of a function likewise
    cls.made.append(x)    a class made inside: what its body binds to values stands in the heap, where branches and loops follow it

Methods and descriptors stay with the class, and what a class inherits is looked for in the order of Python's.
"""
from __future__ import annotations

from functools import partial
from types import FunctionType
from typing import Any

from s2s.hidden import step
from s2s.transforms.read.bound_names import usable
from s2s.transforms.read.callables import FUNCTIONS, Closure
from s2s.transforms.read.classes import class_of, find, is_pythons, users
from s2s.transforms.read.failures import NeedsInline, StoredOutside
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.flow.sides import pick_of
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.syntax.frame import note
from s2s.transforms.read.values import Abstract, DictRef, Missing, Outside


def held_by(reader: Reader, kind: type, name: str) -> tuple[Abstract] | None:
    """(what kind.name is,) where it may be stored into while reading; None where it is what the class says."""
    if not reader.session.slots and not reader.session.taken:
        return None
    for place, owner in enumerate(kind.__mro__):
        ref = _slots(reader, owner, name)
        value = None if ref is None else reader.heap[ref].get(name)
        if ref is not None and name in reader.heap[ref] and not (isinstance(value, Missing) and value.unset and value.test is None):
            inherited = next((each for each in kind.__mro__[place + 1 :] if name in vars(each)), None)
            if isinstance(value, Missing) and value.test is not None and inherited is not None:  # stored into on some paths only
                return (pick_of(reader, value.test, partial(_itself, value.value), partial(reader.rules.attribute, inherited, name)),)
            return (usable(reader, value),)
        if name in vars(owner) and ref is None:
            return None
    return None


def _itself(value: Abstract) -> Abstract:
    return value


def of_function(reader: Reader, function: Closure | Outside, name: str) -> tuple[Abstract] | None:
    """(what function.name is,) where it is stored into while reading."""
    owner = function.object if isinstance(function, Outside) else function
    ref = _slots(reader, owner, name)
    value = None if ref is None else reader.heap[ref].get(name)
    return None if ref is None or name not in reader.heap[ref] or isinstance(value, Missing) and value.unset and value.test is None else (usable(reader, value),)


def store_of_function(reader: Reader, function: Closure | Outside, name: str, value: Abstract) -> None:
    """function.name = value."""
    refusal = reader.unsupported(f"a store into .{name} of a function", "a nonlocal or global variable")
    if name.startswith("__"):
        raise refusal
    if isinstance(function, Outside):
        ref = _slots(reader, function.object, name)
        if ref is None:
            raise StoredOutside(refusal, function.object, (("object", function.object),) if function.steps is None else function.steps, name)
    else:
        ref = reader.session.slots.get(function)
        if ref is None or ref not in reader.heap:
            ref = reader.session.slots[function] = DictRef()
            reader.heap[ref] = {}
    reader.heap[ref] = {**reader.heap[ref], name: value}


def _slots(reader: Reader, owner: Any, name: str) -> DictRef | None:
    """Where a class's or function's own attribute of this name stands, if it is one that is stored into."""
    ref = reader.session.slots.get(owner)
    if ref is None:
        taken = reader.session.taken.get(id(owner))
        if taken is None or name not in taken.names:
            return None
        ref = taken.ref
    elif isinstance(owner, type) and name in vars(owner) and name not in reader.heap.get(ref, ()):
        return None
    if ref not in reader.heap:
        raise NeedsInline
    return ref


@asks_python
def store(reader: Reader, cls: type, name: str, value: Abstract) -> None:
    """cls.name = value."""
    refusal = reader.unsupported(f"a store into .{name} of the class {cls.__name__}", f"an attribute of an object (self.{name}), or a global")
    if isinstance(value, Closure) and cls in reader.session.made and reader.regions == 0 and _holds_values(cls, name):
        setattr(cls, name, stand_in(reader, value))
        return
    if is_pythons(cls) or is_more_than_a_value(value) or not _holds_values(cls, name):
        raise refusal
    ref = _slots(reader, cls, name)
    if ref is None and cls in reader.session.made:
        raise refusal
    if ref is None:
        if step(cls, "own", name) is False:
            note((("object", cls), ("own", name)), value=False)
        raise StoredOutside(refusal, cls, (("object", cls),), name)
    reader.heap[ref] = {**reader.heap[ref], name: value}


def _holds_values(cls: type, name: str) -> bool:
    """Whether the class holds a plain value under this name, or nothing."""
    found = find(cls, name)
    return type(cls).__setattr__ is type.__setattr__ and not (name.startswith("__") and name.endswith("__")) and (found is None or not hasattr(type(found[1]), "__get__"))


def is_more_than_a_value(value: Abstract) -> bool:
    """Whether it would become a method or a descriptor of the class."""
    return isinstance(value, FUNCTIONS) or users(class_of(value), "__get__") is not None or isinstance(value, Outside) and hasattr(type(value.object), "__get__")


def stand_in(reader: Reader, function: Closure) -> FunctionType:
    """A function that stands in a class for a closure."""
    made = FunctionType(_never_run.__code__.replace(co_name=function.name), {}, function.name)
    reader.session.made[made] = function
    return made


def _never_run(*args: Any, **kwargs: Any) -> Any:
    raise AssertionError(args, kwargs)


def begin(reader: Reader, cls: type, values: dict[str, Abstract]) -> None:
    """What the body of a class that is made while reading binds to values."""
    ref = reader.session.slots[cls] = DictRef()
    reader.heap[ref] = dict(values)


__all__ = ["begin", "held_by", "is_more_than_a_value", "stand_in", "store"]
