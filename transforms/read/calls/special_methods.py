"""What a user's class says that operators, `len`, truth, `in`, subscripts and texts of its objects mean.

    a + b       a.__add__(b), else b.__radd__(a); the right operand's first where its class inherits from the left one's
    a += b      a.__iadd__(b), else a + b
    a < b       a.__lt__(b), else b.__gt__(a)
    if a        a.__bool__(), else a.__len__() != 0, else true

A method of the user's is read as any other function; those that `@dataclass` writes are modelled here. Each function here gives None
(or, where that may be a result, a tuple of the result or None) where the classes say nothing: Python's own meaning holds then.
"""
from __future__ import annotations

import operator
import types
from functools import partial
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError
from s2s.records import fields
from s2s.transforms.read.calls.hidden import ask, class_attribute
from s2s.transforms.read.calls.libraries import is_library
from s2s.transforms.read.calls.none_words import check_special
from s2s.transforms.read.classes import BINARY, COMPARE, class_of, class_of_value, find, is_generated, type_name, users
from s2s.transforms.read.composed import none_or_object
from s2s.transforms.read.composed.own_iterators import among, holds
from s2s.transforms.read.describing import describe
from s2s.transforms.read.doubts import types_of
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.flow.conditions import negated
from s2s.transforms.read.flow.items import items_of
from s2s.transforms.read.flow.joining import choose
from s2s.transforms.read.flow.options import narrowed
from s2s.transforms.read.flow.spreading import joined_texts
from s2s.transforms.read.identity import identical
from s2s.transforms.read.installed import PYTHON_3_13
from s2s.transforms.read.iterations import Iteration
from s2s.transforms.read.known import by_identity
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import as_weak
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage import none_in_pools
from s2s.transforms.read.values import (
    STANDS_FOR,
    Abstract,
    IteratorRef,
    ListRef,
    ObjectRef,
    Outside,
    Pooled,
    View,
    is_atom,
    is_dict_of_fields,
)
from s2s.transforms.read.wrapping import unwrap, wrap
from s2s.types import BOOL, Atom

UNARY = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
CONVERSIONS: dict[Any, str] = {
    abs: "__abs__", int: "__int__", float: "__float__", complex: "__complex__", round: "__round__", divmod: "__divmod__", bool: "__bool__",
}  # fmt: skip
"""Built-in functions of one object, and the methods that say what they do."""


# ---- finding a method ------------------------------------------------------------------------------------------------------


def special(reader: Reader, value: Abstract, name: str, *args: Abstract) -> tuple[Abstract] | None:
    """(value.name(*args),), or None where the user's class does not define it."""
    kind = class_of(value)
    found = users(kind, name)
    if kind is None or found is None:
        return None
    if name in ("__eq__", "__ne__") and isinstance(value, Pooled) and none_in_pools.may_be_none(reader, value):
        return (reader.rules.call(none_or_object.equal if name == "__eq__" else none_or_object.unequal, (value, *args)),)
    check_special(reader, value, name, *args)
    owner, raw = found
    if raw is None and name == "__hash__":
        raise ArgumentTypeError(f"unhashable type: {kind.__name__!r}", where=reader.builder.where)
    if is_generated(raw):
        return (written_by_dataclass(reader, owner, name, value, *args),)
    if isinstance(raw, types.FunctionType) and is_library(raw.__module__):  # of functools.total_ordering
        return (reader.rules.call(Outside(raw, (("object", raw),)), (value, *args)),)
    method = None if raw is None else class_attribute(reader, kind, name, value, None)
    if method is None:
        raise reader.unsupported(f"the special method {name} of {kind.__name__}, which is a {type(raw).__name__}", "a plain method")
    return (reader.rules.call(method[0], args),)


def as_index(reader: Reader, key: Abstract) -> Abstract:
    """A key of a sequence or array, with what is an object that has an `__index__` as the integer that this gives."""
    if isinstance(key, tuple):
        return tuple(as_index(reader, part) for part in key) if type(key) is tuple else key
    if isinstance(key, slice):
        return slice(*(as_index(reader, part) for part in (key.start, key.stop, key.step)))
    said = special(reader, key, "__index__") if isinstance(key, ObjectRef | Outside | Pooled) else None
    return key if said is None else said[0]


# ---- operators -------------------------------------------------------------------------------------------------------------


@asks_python
def binary(reader: Reader, op: str, a: Abstract, b: Abstract, shown: str = "") -> tuple[Abstract] | None:
    """(a op b,) of objects; None where neither class defines it. `shown`: what Python's message calls the operator."""
    one, two = f"__{BINARY[op]}__", f"__r{BINARY[op]}__"
    left, right = class_of(a), class_of(b)
    first, second = users(left, one), users(right, two) if left is not right else None
    if first is None and second is None and not (_is_object(a) or _is_object(b)):
        return None
    if isinstance(a, View) and _is_taken_for_an_array(right):
        return (reader.rules.call(getattr(operator, one), (a, reader.rules.call(reader.rules.attribute(b, "__array__"), ()))),)
    tries = [(a, one, b), (b, two, a)] if second is not None else [(a, one, b)]
    if left is not None and right is not None and issubclass(right, left) and second is not None and second != users(left, two):
        tries.reverse()
    for value, name, other in tries:
        if value is b and left is None:
            other = _for_the_right(reader, b, a)
        result = special(reader, value, name, other)
        if result is not None and result[0] is not NotImplemented:
            return result
    _refuse_numpy(reader, a, b)
    _refuse_keyed(reader, op, a, b)
    shown = shown or ("** or pow()" if op == "**" else op)
    raise ArgumentTypeError(
        f"unsupported operand type(s) for {shown}: {type_name(reader, a)!r} and {type_name(reader, b)!r}", where=reader.builder.where
    )


def _refuse_keyed(reader: Reader, op: str, *operands: Abstract) -> None:
    """What stands for Python's dicts and sets has fewer operators."""
    if any(STANDS_FOR in vars(kind) for kind in map(class_of, operands) if kind is not None):
        raise reader.unsupported(f"`{op}` of {' and '.join(map(partial(describe, reader), operands))}, whose keys are known only at run time", "a loop over the keys")


def _is_object(value: Abstract) -> bool:
    """Whether it is nothing but an object of a user's class."""
    return class_of(value) is not None and isinstance(value, (ObjectRef, Pooled, Outside))


def _is_taken_for_an_array(kind: type | None) -> bool:
    """Whether NumPy makes an array of such an object on an array's right, and never asks its own operator: it has `__array__`, and claims no precedence."""
    return users(kind, "__array__") is not None and not hasattr(kind, "__array_ufunc__") and getattr(kind, "__array_priority__", -1.0) <= 0.0


def _for_the_right(reader: Reader, value: Abstract, other: Abstract) -> Abstract:
    """The left operand as NumPy hands it to the method of an object on its right: a number of NumPy's as Python's."""
    kind = class_of(value)
    deferring = getattr(kind, "__array_ufunc__", 0) is None or getattr(kind, "__array_priority__", -1.0) > 0.0
    if deferring or not (isinstance(other, View | np.generic) or (is_atom(other) and not other.type.weak)):
        return other
    named = [name for name in ("__array_ufunc__", "__array__", "__getitem__", "__array_priority__") if hasattr(kind, name)]
    if isinstance(other, View) or named:
        raise reader.unsupported(
            f"an operator of {describe(reader, other)} and {describe(reader, value)} on its right", "the object on the left, or a method of it",
            "NumPy makes an array of objects there, unless the class says `__array_ufunc__ = None`",
        )  # fmt: skip
    if isinstance(other, np.generic):
        return other.item()
    with building(reader.builder):
        return unwrap(reader, as_weak(wrap(reader, other)))


def _refuse_numpy(reader: Reader, *operands: Abstract) -> None:
    """NumPy tries an operator that an object does not know on an array of objects."""
    for value in operands:
        if isinstance(value, View | np.generic) or (is_atom(value) and not value.type.weak):
            raise reader.unsupported(f"an operator of {' and '.join(map(partial(describe, reader), operands))}", "a method that says what to do")


def inplace(reader: Reader, op: str, old: Abstract, value: Abstract) -> tuple[Abstract] | None:
    """(what `old op= value` binds,) where old's class says so."""
    result = special(reader, old, f"__i{BINARY[op]}__", value)
    if (result is None or result[0] is NotImplemented) and _is_object(old):
        stands_for = vars(class_of(old)).get(STANDS_FOR)
        if result is None and hasattr(stands_for, f"__i{BINARY[op]}__"):
            raise reader.unsupported(f"`{op}=` of {describe(reader, old)}", f"a method that changes it, or x = x {op} …", "Python changes it for all that hold it")
        return binary(reader, op, old, value, f"{op}=")
    return None if result is None or result[0] is NotImplemented else result


def unary(reader: Reader, op: str, value: Abstract) -> tuple[Abstract] | None:
    """(op value,) of an object."""
    kind = class_of(value)
    result = special(reader, value, UNARY[op])
    if result is None and _is_object(value) and kind is not None:
        raise ArgumentTypeError(f"bad operand type for unary {op}: {kind.__name__!r}", where=reader.builder.where)
    return result


def converted(reader: Reader, function: Any, args: tuple[Abstract, ...]) -> tuple[Abstract] | None:
    """(function(*args),) of a built-in function of one object."""
    if not args or (kind := class_of(args[0])) is None or function not in CONVERSIONS:
        return None
    if function is bool:
        return (pythons_bool(reader, truth(reader, args[0])),)
    result = special(reader, args[0], CONVERSIONS[function], *args[1:])
    if result is None and isinstance(args[0], ObjectRef | Outside):
        raise reader.unsupported(f"{function.__name__}() of {describe(reader, args[0])}", f"a method {CONVERSIONS[function]} in {kind.__name__}")
    return result


def compare(reader: Reader, symbol: str, a: Abstract, b: Abstract) -> tuple[Abstract] | None:
    """(a symbol b,) of objects; None where no class of the user's has a say."""
    left, right = class_of(a), class_of(b)
    if not (_compares(left) or _compares(right)):
        return None
    tries = [(a, symbol, b), (b, MIRRORED[symbol], a)]
    if left is not None and right is not None and left is not right and issubclass(right, left):
        tries.reverse()
    if symbol == "!=" and any(_is_unequal_by_python(reader, value, other) for value, other in ((a, b), (b, a))):
        return None
    for value, op, other in tries:
        if value is b and left is None:
            other = _for_the_right(reader, b, a)
        result = _compared(reader, value, op, other)
        if result is not None and result[0] is not NotImplemented:
            return result
    if symbol in ("==", "!="):
        same = identical(reader, a, b)
        return (same if symbol == "==" else opposite(reader, same),)
    _refuse_numpy(reader, a, b)
    _refuse_keyed(reader, symbol, a, b)
    raise ArgumentTypeError(
        f"{symbol!r} not supported between instances of {type_name(reader, a)!r} and {type_name(reader, b)!r}", where=reader.builder.where
    )


def has_no_order(a: Abstract, b: Abstract) -> bool:
    """Whether both are objects that are equal to themselves alone, and neither class says which of two comes first."""
    kinds = class_of(a), class_of(b)
    return all(kind is not None and by_identity(kind) and not any(users(kind, COMPARE[symbol]) for symbol in ("<", ">", "<=", ">=")) for kind in kinds)


def _compares(kind: type | None) -> bool:
    """Whether a class decides by itself what comparing its objects means: no tuple, no number, no text."""
    if kind is None:
        return False
    return any(users(kind, name) is not None for name in COMPARE.values()) or not issubclass(kind, tuple | int | float | str | bytes)


def _is_unequal_by_python(reader: Reader, value: Abstract, other: Abstract) -> bool:
    """Whether `!=` is that of a number, text or tuple, from which the class inherits: it does not ask the user's `__eq__`, as that of `object` does."""
    kind = class_of(value)
    found = None if kind is None or users(kind, "__eq__") is None else find(kind, "__ne__")
    if found is None or found[0] not in (str, int, float, bytes, tuple):
        return False
    return class_of(other) is None or issubclass(class_of_value(reader, other), found[0])


def _compared(reader: Reader, value: Abstract, symbol: str, other: Abstract) -> tuple[Abstract] | None:
    """What the methods of one side say; `!=` is the opposite of `==` where a class does not define it."""
    kind = class_of(value)
    if symbol == "!=" and users(kind, "__ne__") is None and users(kind, "__eq__") is not None:
        equal = special(reader, value, "__eq__", other)
        assert equal is not None
        return equal if equal[0] is NotImplemented else (opposite(reader, equal[0]),)
    return special(reader, value, COMPARE[symbol], other)


def opposite(reader: Reader, value: Abstract) -> Abstract:
    """not value."""
    test = reader.rules.truth(value)
    return not test if isinstance(test, bool) else negated(reader, test)


# ---- truth, length, in, subscripts -------------------------------------------------------------------------------------------


def truth(reader: Reader, value: Abstract) -> bool | Atom:
    """bool(value) of an object."""
    if isinstance(value, Pooled) and none_in_pools.is_there(reader, value) is not True:
        if any(users(value.pool.kind, name) is not None for name in ("__bool__", "__len__")):
            return _truth_or_none(reader, value)
        return none_in_pools.is_there(reader, value)
    said = special(reader, value, "__bool__")
    if said is not None:
        possible = types_of(reader.builder, said[0]) if is_atom(said[0]) else frozenset()
        pythons = {type_.dtype == BOOL and type_.weak for type_ in possible} or {isinstance(said[0], bool)}
        if len(pythons) > 1:
            raise reader.unsupported(f"a __bool__ of {type_name(reader, value)} that gives Python's bool on one path and NumPy's on another", "bool(…) of it")
        if not pythons.pop():
            raise ArgumentTypeError(f"__bool__ should return bool, returned {type_name(reader, said[0])}", where=reader.builder.where)
        return reader.rules.truth(said[0])
    length = special(reader, value, "__len__")
    if length is not None:
        return reader.rules.truth(length[0])
    if isinstance(value, ObjectRef):
        return True
    if isinstance(value, Pooled):
        return True
    thing = value.object if isinstance(value, Outside) else value
    if hasattr(type(thing), "__len__") and isinstance(value, Outside):
        raise reader.unsupported(f"the truth of a {type(thing).__name__} outside of the function", "a test of its own: len(…) > 0 of a list, or a flag")
    if isinstance(value, Outside):
        ask(reader, thing, value.steps, "truth")
    return bool(thing)


def _truth_or_none(reader: Reader, value: Pooled) -> bool | Atom:
    """bool(value) of an object whose class says what it is, or None."""
    there = none_in_pools.is_there(reader, value)
    if isinstance(there, bool):
        return there and truth(reader, value)
    one, two = reader.fork(), reader.fork()
    with reader.inside(one):
        narrowed(reader, there, holds=True)
        found = pythons_bool(reader, truth(reader, value))
    return reader.rules.truth(choose(reader, there, (one, found), (two, False)))


def contains(reader: Reader, sought: Abstract, container: Abstract) -> tuple[Abstract] | None:
    """(item in container,) of an object."""
    said = special(reader, container, "__contains__", sought)
    if said is not None:
        return (reader.rules.truth(said[0]),)
    if is_dict_of_fields(container):
        return (reader.rules.call(reader.rules.attribute(container, "_contains"), (sought,)),)
    kind = class_of(container)
    if users(kind, "__iter__") is not None:
        if users(kind, "__next__") is not None:
            return (reader.rules.truth(reader.rules.call(among, (container, sought))),)
        return (reader.rules.contains(items_of(reader, container), sought),)
    if isinstance(container, ObjectRef | Pooled):
        if users(kind, "__getitem__") is not None:
            return (reader.rules.call(holds, (container, sought)),)
        raise ArgumentTypeError(f"argument of type {type_name(reader, container)!r} is not iterable", where=reader.builder.where)
    return None


def item(reader: Reader, base: Abstract, key: Abstract) -> tuple[Abstract] | None:
    """(base[key],) of an object."""
    said = special(reader, base, "__getitem__", key)
    if said is None and isinstance(base, ObjectRef | Pooled):
        raise ArgumentTypeError(f"{type_name(reader, base)!r} object is not subscriptable", where=reader.builder.where)
    return said


def stores_item(reader: Reader, base: Abstract, key: Abstract, value: Abstract) -> bool:
    """base[key] = value, if base's class says what that is."""
    if special(reader, base, "__setitem__", key, value) is not None:
        return True
    if isinstance(base, ObjectRef | Pooled):
        _refuse_store(class_of(base), "__setitem__", "__delitem__")
        raise ArgumentTypeError(f"{type_name(reader, base)!r} object does not support item assignment", where=reader.builder.where)
    return False


def _refuse_store(kind: type | None, name: str, other: str) -> None:
    """A class with only one of the two has Python's place for both, which then looks for the other."""
    if getattr(kind, other, None) is not None:
        raise AttributeError(name)


def deletes_item(reader: Reader, base: Abstract, key: Abstract) -> None:
    """del base[key] of an object."""
    if special(reader, base, "__delitem__", key) is None:
        if isinstance(base, ObjectRef | Pooled):
            _refuse_store(class_of(base), "__delitem__", "__setitem__")
        raise TypeError(f"{type_name(reader, base)!r} object doesn't support item deletion")


def iterator(reader: Reader, value: Abstract) -> IteratorRef | None:
    """iter(value) of an object whose class says what that is."""
    said = special(reader, value, "__iter__")
    if said is None or isinstance(said[0], IteratorRef):
        return None if said is None else said[0]
    raise reader.unsupported(f"a loop over a {type_name(reader, value)} whose __iter__ gives {describe(reader, said[0])}", "a for loop through it, or list(…) of it")


def iteration(reader: Reader, value: Abstract) -> Iteration | None:
    """What a loop over an object goes through."""
    found = iterator(reader, value)
    if found is not None:
        return reader.rules.iterate(found)
    kind = class_of(value)
    if users(kind, "__getitem__") is not None:
        raise reader.unsupported(f"a loop over a {type_name(reader, value)}, which has __getitem__ only", "a loop over range(len(…)), or over its list")
    if isinstance(value, ObjectRef | Pooled):
        raise ArgumentTypeError(f"{type_name(reader, value)!r} object is not iterable", where=reader.builder.where)
    return None


# ---- order and place -----------------------------------------------------------------------------------------------------------


class _Ordered:
    """An object as Python's own sorting, max and min see it: they ask its class, which must know the answer now."""

    def __init__(self, reader: Reader, value: Abstract) -> None:
        self.reader, self.value = reader, value

    def __lt__(self, other: _Ordered) -> bool:
        return self._is("<", other)

    def __gt__(self, other: _Ordered) -> bool:
        return self._is(">", other)

    def _is(self, op: str, other: _Ordered) -> bool:


        return known_truth(self.reader, self.reader.rules.compare(op, self.value, other.value), "an order of objects that hold run-time values")


def known_truth(reader: Reader, value: Abstract, what: str) -> bool:
    """The truth of what a comparison gave, which must be known while reading."""
    test = reader.rules.truth(value)
    if not isinstance(test, bool):
        raise reader.unsupported(f"{what}, known only at run time", "a loop with an if, or arrays")
    return test


def orders(value: Abstract) -> bool:
    """Whether its class decides about an order."""
    kind = class_of(value)
    return kind is not None and (isinstance(value, ObjectRef | Pooled | Outside) or users(kind, "__lt__") is not None)


def in_order(reader: Reader, items: Any, keys: list[Abstract], *, reverse: bool) -> list[Abstract]:
    """sorted() of items by keys that are objects."""
    order = sorted(range(len(keys)), key=lambda k: _Ordered(reader, keys[k]), reverse=reverse)
    return [items[k] for k in order]


def folded(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> tuple[Abstract] | None:
    """(sum, min, max, any or all of objects,)."""
    many = isinstance(args[0], tuple | ListRef) if args else False
    given = args[0] if many else None
    if len(args) == 1 and not many and class_of(args[0]) is not None:  # its items are asked for, once, not the object itself
        said = special(reader, args[0], "__iter__")
        return (reader.rules.call(function, (tuple(items_of(reader, args[0])) if said is None else said[0],), kwargs),)
    content = reader.heap[given] if isinstance(given, ListRef) else given if many else args
    if not isinstance(content, tuple) or not any(orders(each) for each in content) or kwargs.get("key") is not None:
        return None
    if function is sum:
        total: Abstract = args[1] if len(args) > 1 else kwargs.get("start", 0)
        for each in items_of(reader, args[0]):
            total = reader.rules.binary("+", total, each)
        return (total,)
    if function in (any, all):
        return (function(known_truth(reader, each, f"{function.__name__}() of objects whose truth is") for each in content),)
    return (_extreme(reader, "<" if function is min else ">", content),) if content else None


def _extreme(reader: Reader, symbol: str, items: tuple[Abstract, ...]) -> Abstract:
    """min or max, as Python finds it: the first item that no later one comes before."""
    best = items[0]
    for other in items[1:]:
        test = reader.rules.truth(reader.rules.compare(symbol, other, best))
        best = (other if test else best) if isinstance(test, bool) else choose(reader, test, (reader.fork(), other), (reader.fork(), best))
    return best


# ---- what @dataclass writes ----------------------------------------------------------------------------------------------------


def listed(reader: Reader, name: str, items: Any) -> Abstract:
    """P(x=1.0, y=2.0)."""
    parts: list[Abstract] = []
    for key, value in items:
        parts += [", " if parts else "", f"{key}=", reader.rules.text(value, "r", "")]
    return joined_texts(reader, [f"{name}(", *parts, ")"])


def written_by_dataclass(reader: Reader, owner: Any, name: str, value: Abstract, *args: Abstract) -> Abstract:
    """A method that `@dataclass` wrote for `owner`."""
    if name in COMPARE.values():
        if class_of(args[0]) is not class_of(value):
            return NotImplemented
        names = [field.name for field in fields(owner) if field.compare]
        one, two = (tuple(reader.rules.attribute(each, name) for name in names) for each in (value, args[0]))
        if PYTHON_3_13 and name == "__eq__":
            return reader.rules.call(none_or_object.equal_by_fields, (value, args[0], one, two))
        return reader.rules.compare({method: symbol for symbol, method in COMPARE.items()}[name], one, two)
    if name == "__repr__":
        shown = [(field.name, reader.rules.attribute(value, field.name)) for field in fields(owner) if field.repr]
        kind = class_of(value)
        assert kind is not None
        return listed(reader, kind.__qualname__, shown)
    raise reader.unsupported(f"the method {name} that @dataclass wrote for {owner.__name__}", "a method of your own")


def pythons_bool(reader: Reader, test: bool | Atom) -> Abstract:
    """A bool as one of Python's own, not NumPy's."""
    if isinstance(test, bool):
        return test
    with building(reader.builder):
        return unwrap(reader, as_weak(reader.value(test)))


__all__ = ["ListRef", "binary", "compare", "contains", "converted", "inplace", "special", "truth", "unary"]
