"""`a is b`: what CPython surely gives; where that depends on how it keeps its objects, or is not known while reading, a refusal."""
from __future__ import annotations

from enum import Enum
from typing import Any

from s2s.errors import Location, UnsupportedError
from s2s.transforms.read.calls.hidden import ask, whole
from s2s.transforms.read.describing import describe
from s2s.transforms.read.failures import MayBeAnother, NeedsInline, ToBePooled
from s2s.transforms.read.flow.conditions import negated
from s2s.transforms.read.numpy.common import as_weak
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage import none_in_pools, plans
from s2s.transforms.read.storage.access import may_share
from s2s.transforms.read.values import Abstract, Pooled, Ref, Text, TupleRef, View, is_atom, is_number
from s2s.types import BOOL, Atom, Literal, Var

_SMALL = range(-5, 257)
"""The integers of which CPython keeps one object each."""


def is_same(reader: Reader, a: Abstract, b: Abstract) -> bool | Atom | None:
    """Whether both are one object: known, a run-time bool, or None where it can't be said."""
    a, b = (whole(reader, value) for value in (a, b))
    if is_atom(a) or is_atom(b):
        return _of_numbers(reader, a, b)
    if isinstance(a, View) and isinstance(b, View):
        return _of_arrays(reader, a, b)
    if isinstance(a, Pooled) or isinstance(b, Pooled):
        return _of_pooled(reader, a, b)
    if a is b and isinstance(a, Enum):
        return True  # of each member there is one object, of those that are numbers too
    if a is b:
        return not is_number(a) or isinstance(a, bool) or (type(a) is int and a in _SMALL) or None
    if isinstance(a, Ref) and isinstance(b, Ref):
        unknown = a.merged or b.merged or (a.owner is not None and b.owner is not None)
        return None if unknown and type(a) is type(b) else False
    if isinstance(a, Text) and isinstance(b, Text | str) or isinstance(b, Text) and isinstance(a, str):
        return None
    if type(a) is not type(b) or isinstance(a, bool):
        return False
    if isinstance(a, int | str | bytes | float | complex | tuple | frozenset):
        return _of_equal_values(a, b)
    return False


def _of_equal_values(a: Any, b: Any) -> bool | None:
    """Two values known while reading that are equal may or may not be one object; small integers are."""
    if isinstance(a, tuple):
        return False if len(a) != len(b) else None
    if a != b:
        return False
    return True if type(a) is int and a in _SMALL else None


def _of_numbers(reader: Reader, a: Abstract, b: Abstract) -> bool | Atom | None:
    """A run-time number: one object with itself or another number only. Python's own bools are two objects."""
    for one, other in ((a, b), (b, a)):
        if not is_atom(other) and not is_number(other):
            return False
        if is_atom(one) and isinstance(other, bool):
            if one.type.dtype != BOOL:
                return False
            if not one.type.weak:
                return None
            return one if other else negated(reader, one)
    return None


def _of_pooled(reader: Reader, a: Abstract, b: Abstract) -> bool | Atom | None:
    """Lists and objects of a pool are one if their numbers are."""
    for one, other in ((a, b), (b, a)):
        if other is None:
            return none_in_pools.is_none(reader, one)
    if not isinstance(a, Pooled) or not isinstance(b, Pooled):
        return False
    if a.pool is not b.pool:
        return None if none_in_pools.may_be_none(reader, a) and none_in_pools.may_be_none(reader, b) else False
    if a.number == b.number:
        return True
    if isinstance(a.number, Literal) and isinstance(b.number, Literal):
        return False
    found = reader.rules.truth(reader.rules.compare("==", a.number, b.number))
    return as_weak(reader.value(found)).atom if is_atom(found) else found  # a bool of Python's


def _of_arrays(reader: Reader, a: View, b: View) -> bool | None:
    """One storage seen in the same way may be one array or two views; storages that share nothing are two."""
    if a is b or _is_one_outside(reader, a, b):
        return True
    return None if may_share(reader, a.cell, b.cell) else False


def _is_one_outside(reader: Reader, a: View, b: View) -> bool:
    """Whether two ways lead to one array outside; noted."""
    found = [access for view in (a, b) for access, param in reader.hidden.items() if param is view.cell.initial and access.steps[0][0] != "captured"]
    if a.steps or b.steps or len(found) < 2:
        return False
    one, other = (reader.session.hidden_types[access] for access in found)
    for access, array in zip(found, (one, other), strict=True):
        ask(reader, array, access.steps, "identity")
    return one is other


class Identity:
    """id(a): equal to itself alone. Which number it is no program may know."""

    def __init__(self, of: Ref, where: Location) -> None:
        self.of, self.where = of, where

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity) and other.of is self.of

    def __hash__(self) -> int:
        return hash(self.of)

    def _number(self, *_: Any) -> Any:
        raise UnsupportedError("the number that id() gives", where=self.where, instead="the object itself, or a counter", why="it is another one in each run")

    __repr__ = __format__ = __int__ = __index__ = __add__ = __radd__ = __lt__ = __gt__ = __le__ = __ge__ = __mod__ = __bool__ = _number


def identity(reader: Reader, value: Abstract) -> Identity:
    """id(value) of an object, list, dict or set of which it is known which one it is."""
    if isinstance(value, Ref) and not isinstance(value, TupleRef) and not value.merged and value.owner is None:
        return Identity(value, reader.builder.where)
    if reader.can_be_inlined:
        raise NeedsInline
    raise reader.unsupported(f"id() of {describe(reader, value)}", "`is`, or a number of your own in each object", "it tells how Python keeps its objects")


def identical(reader: Reader, a: Abstract, b: Abstract) -> bool | Atom:
    """a is b, or an error where that can't be said."""
    same = is_same(reader, a, b)
    if same is None or (same is False and reader.is_helper and isinstance(a, View) and isinstance(b, View)):
        if reader.can_be_inlined:
            raise NeedsInline  # the caller knows which of its arrays and containers are one
        refusal = reader.unsupported(
            f"`is` of {describe(reader, a)} and {describe(reader, b)}", "`==`, or np.shares_memory outside of the function for arrays",
            "whether they are one object depends on how Python keeps its objects",
        )  # fmt: skip
        raise _unless_pooled(reader, refusal, a, b)
    if same is False and isinstance(a, View) and isinstance(b, View):
        _note_distinct(reader, a, b)
    return same


def _unless_pooled(reader: Reader, refusal: UnsupportedError, a: Abstract, b: Abstract) -> UnsupportedError:
    """What is raised of two that may be one: objects, lists and dicts of the function's own have numbers where they stand in a pool."""
    merged = [each for each in (a, b) if isinstance(each, Ref) and each.merged]
    if not merged:
        return refusal
    error = plans.refused(reader, refusal, *merged)
    places = frozenset().union(*(each.places for each in merged))
    return error if isinstance(error, ToBePooled) or not places else MayBeAnother(error, places)


def _note_distinct(reader: Reader, a: View, b: View) -> None:
    """Note that two whole arrays that come from the caller, or from outside, are taken for two."""
    one, other = (_comes_as(reader, view) for view in (a, b))
    if one is not None and other is not None and not {one, other} <= set(reader.hidden.values()):
        reader.session.distinct[one, other] = None


def _comes_as(reader: Reader, view: View) -> Var | None:
    """The parameter that an array comes as; None of a view, and of what the function makes."""
    if view.steps:
        return None
    own = next((var for var, entered in reader.session.entered.items() if entered.cell is view.cell), None)
    return next((param for param in reader.hidden.values() if param is view.cell.initial), None) if own is None else own
