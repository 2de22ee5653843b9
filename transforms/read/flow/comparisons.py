"""a < b, a is b, a in b: of numbers and arrays, and of containers item by item."""
from __future__ import annotations

import math
import operator
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import libcst as cst
import numpy as np

from s2s.transforms.read.callables import FUNCTIONS
from s2s.transforms.read.calls import special_methods
from s2s.transforms.read.calls.hidden import whole
from s2s.transforms.read.classes import class_of_value, type_name
from s2s.transforms.read.composed import lists
from s2s.transforms.read.describing import describe, missing_error
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.flow.conditions import both, either, negated
from s2s.transforms.read.flow.failing import check, fail
from s2s.transforms.read.flow.found_in_lists import (
    check_is_no_nan,
    check_is_not_loaded_nan,
    check_one_is_no_nan,
    is_found_in_table,
    may_be_nan,
)
from s2s.transforms.read.flow.keyed import is_keyed
from s2s.transforms.read.flow.once import contains as search
from s2s.transforms.read.flow.options import place_among
from s2s.transforms.read.flow.sides import connected
from s2s.transforms.read.flow.spreading import spread, spreads
from s2s.transforms.read.flow.truth import truth_of
from s2s.transforms.read.identity import identical, is_same
from s2s.transforms.read.iterations import Iteration, RunRange
from s2s.transforms.read.known import by_identity, by_python, hashed, is_known, key_value, plain, refused_by_python, unknown
from s2s.transforms.read.numpy import operators
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import marked
from s2s.transforms.read.numpy.reductions import all_, any_
from s2s.transforms.read.numpys_words import numpys_words
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.run_time_keys import is_text_for, keys_of
from s2s.transforms.read.storage.access import load
from s2s.transforms.read.storage.grown import Grown, Table, as_array
from s2s.transforms.read.storage.kinds_of_items import enumeration_of
from s2s.transforms.read.values import (
    Abstract,
    DictRef,
    DictView,
    IteratorRef,
    ListRef,
    Missing,
    ObjectRef,
    OneOf,
    Outside,
    Pooled,
    Text,
    TupleRef,
    View,
    is_atom,
    is_runtime,
    is_some_text,
    scalar_type,
)  # fmt: skip
from s2s.transforms.read.wrapping import as_atom, unwrap, wrap
from s2s.types import BOOL, Array, Atom, Literal, Opaque, Var, is_whole

COMPARE = {
    cst.LessThan: "<", cst.LessThanEqual: "<=", cst.GreaterThan: ">", cst.GreaterThanEqual: ">=", cst.Equal: "==", cst.NotEqual: "!=",
}  # fmt: skip
PYTHON: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip
MANY = 256
"""Items of a container from which a run-time number is not compared with each of them."""


def items_in(reader: Reader, value: Abstract) -> tuple[Abstract, ...]:
    """The items of a list or tuple."""
    return reader.heap[value] if isinstance(value, ListRef) else value


def compare(reader: Reader, op: Any, a: Abstract, b: Abstract) -> Abstract:
    """One comparison."""
    if isinstance(op, (cst.Is, cst.IsNot)) and (is_some_text(a) and b is None or is_some_text(b) and a is None):
        return isinstance(op, cst.IsNot)
    is_whole_text = isinstance(op, (cst.In, cst.NotIn)) and is_text_for(a, b) or isinstance(op, (cst.Equal, cst.NotEqual)) and is_some_text(a) and is_some_text(b)
    return (_compare if is_whole_text else _compare_each)(reader, op, a, b)


def _compare(reader: Reader, op: Any, a: Abstract, b: Abstract) -> Abstract:
    for each in (a, b):
        if isinstance(each, Missing):
            raise missing_error(reader, each)
    match op:
        case cst.Is() | cst.IsNot():
            same = identical(reader, a, b)
            return same if isinstance(op, cst.Is) else special_methods.opposite(reader, same)
        case cst.In() | cst.NotIn():
            found = special_methods.pythons_bool(reader, contains(reader, b, a))
            if isinstance(op, cst.In):
                return found
            return not found if isinstance(found, bool) else negated(reader, found)
    return compare_by(reader, COMPARE[type(op)], a, b)  # type: ignore[index]


_compare_each = spreads(1, 2)(_compare)


def compare_by(reader: Reader, symbol: str, a: Abstract, b: Abstract) -> Abstract:
    """a symbol b: by Python where all is known, else item by item, at run time, or refused."""
    if symbol in ("==", "!=") and is_some_text(a) and is_some_text(b):
        return _by_numbers_of_texts(reader, symbol, a, b)
    return _compare_one(reader, symbol, a, b)


def _by_numbers_of_texts(reader: Reader, symbol: str, a: OneOf, b: OneOf) -> Abstract:
    texts = list(dict.fromkeys((*a.options, *b.options)))
    places = [place_among(reader, each, [texts.index(option) for option in each.options]) for each in (a, b)]
    with building(reader.builder):
        return unwrap(reader, marked(operators.compare(symbol, *map(reader.value, places)), weak=True))


@spreads(1, 2)
def _compare_one(reader: Reader, symbol: str, a: Abstract, b: Abstract) -> Abstract:
    if symbol in ("==", "!=") and (isinstance(a, Pooled) and b is None or isinstance(b, Pooled) and a is None):
        return _by_identity(reader, symbol, a, b)
    if any(isinstance(one, View) and (isinstance(other, (DictRef, DictView, Iteration)) or is_keyed(other)) for one, other in ((a, b), (b, a))):
        raise reader.unsupported(f"`{symbol}` of {describe(reader, a)} and {describe(reader, b)}", "an array of the values")
    if (said := special_methods.compare(reader, symbol, a, b)) is not None:
        return said[0]
    if symbol in ("==", "!=") and (isinstance(a, Pooled) or isinstance(b, Pooled)):
        return _by_identity(reader, symbol, a, b)
    if is_known(reader, a) and is_known(reader, b):
        return by_python(reader, PYTHON[symbol], a, b)
    if isinstance(a, slice) and isinstance(b, slice):
        return compare_by(reader, symbol, (a.start, a.stop, a.step), (b.start, b.stop, b.step))
    if isinstance(a, Text) or isinstance(b, Text):
        return _compare_texts(reader, symbol, a, b)
    if isinstance(a, tuple | ListRef | DictRef) and _same_kind(a, b):
        return _compare_containers(reader, symbol, a, b)
    if not isinstance(a, View) and not isinstance(b, View) and not (_is_number_or_items(a) and _is_number_or_items(b) and _strong(a, b)):
        return _compare_objects(reader, symbol, a, b)
    if (beyond := _beside_infinity(symbol, a, b)) is not None:
        return beyond
    with building(reader.builder), numpys_words(reader, operators.COMPARE[symbol], (a, b)):
        return unwrap(reader, operators.compare(symbol, wrap(reader, a), wrap(reader, b)))


@asks_python
def _beside_infinity(symbol: str, a: Abstract, b: Abstract) -> bool | None:
    """What is known of a Python whole number of run time beside an infinite one: `count < np.inf`."""
    for number, other in ((a, b), (b, a)):
        if isinstance(number, Var) and number.type.weak and not number.type.shape and number.type.dtype.kind == "i" and type(other) is float and math.isinf(other):
            return bool(PYTHON[symbol](*(0 if each is number else each for each in (a, b))))
    return None


def _by_identity(reader: Reader, symbol: str, a: Abstract, b: Abstract) -> Abstract:
    same = identical(reader, a, b)
    return same if symbol == "==" else special_methods.opposite(reader, same)


def _same_kind(a: Abstract, b: Abstract) -> bool:
    return type(a) is type(b) or isinstance(a, tuple | TupleRef) and isinstance(b, tuple | TupleRef)


def _is_number_or_items(value: Abstract) -> bool:
    """Whether NumPy compares a number with it."""
    return isinstance(value, tuple | ListRef) or is_atom(value) or operators.is_static_number(value)


def _strong(a: Abstract, b: Abstract) -> bool:
    """Whether NumPy, not Python, compares these: two numbers, or a NumPy scalar with a sequence."""
    one, two = (isinstance(value, tuple | ListRef) for value in (a, b))
    return not one and not two or one != two and any(is_atom(value) and not value.type.weak for value in (a, b))


def _compare_texts(reader: Reader, symbol: str, a: Abstract, b: Abstract) -> Abstract:
    """A text of run-time values: equal to itself, to nothing that is no text, and to other texts as only the run knows."""
    if a is b and symbol in ("==", "!="):
        return symbol == "=="
    if isinstance(a, Text | str) and isinstance(b, Text | str):
        unknown(reader, a if isinstance(a, Text) else b, f"`{symbol}` of")
    return _compare_objects(reader, symbol, a, b)


def _compare_objects(reader: Reader, symbol: str, a: Abstract, b: Abstract) -> Abstract:
    """Things of different kinds are not equal, and have no order; functions are equal to themselves."""
    if any(isinstance(value, View) for value in (a, b)):
        unknown(reader, a if isinstance(a, View) else b, f"`{symbol}` of a text and")
    if any(isinstance(value, Opaque) and not isinstance(value, (*FUNCTIONS, tuple, ListRef, DictRef, Outside, Text, ObjectRef)) and not is_atom(value) for value in (a, b)):
        raise reader.unsupported(f"`{symbol}` of {describe(reader, a)} and {describe(reader, b)}", "compare their elements")
    if any(isinstance(value, ObjectRef) and not by_identity(value.kind) for value in (a, b)):
        raise reader.unsupported(f"`{symbol}` of {describe(reader, a)} and {describe(reader, b)}", "compare their attributes")
    if symbol in ("==", "!="):
        return (a is b or is_same(reader, a, b) is True) == (symbol == "==")
    refused_by_python(reader, PYTHON[symbol], a, b)
    raise reader.unsupported(f"`{symbol}` of {describe(reader, a)} and {describe(reader, b)}", "compare numbers")


def same_or_equal(reader: Reader, a: Abstract, b: Abstract) -> bool | Atom:
    """How containers compare their items: identity first."""
    for array, other in ((a, b), (b, a)):
        if isinstance(array, View) and (other is None or isinstance(other, str)):
            truth_of(reader, compare_by(reader, "!=", array, array))  # NumPy compares each element; it must be one
            return False
    if a is b or is_same(reader, a, b) is True:
        check_is_not_loaded_nan(reader, a)
        return True
    for one, other in ((a, b), (b, a)):
        if isinstance(one, OneOf) and any(map(may_be_nan, one.options)):
            return truth_of(reader, spread(reader, one, lambda option, other=other: same_or_equal(reader, option, other)))  # type: ignore[misc]
    equal = truth_of(reader, compare_by(reader, "==", a, b))
    if not isinstance(equal, bool):
        check_one_is_no_nan(reader, a, b)
    return equal


def _compare_containers(reader: Reader, symbol: str, a: Abstract, b: Abstract) -> Abstract:
    if any(isinstance(each, ListRef) and isinstance(reader.heap[each], Grown) for each in (a, b)):
        return _compare_growing(reader, symbol, a, b)
    if symbol not in ("==", "!="):
        if isinstance(a, DictRef):
            refused_by_python(reader, PYTHON[symbol], a, b)
        return special_methods.pythons_bool(reader, _ordered(reader, symbol, items_in(reader, a), items_in(reader, b)))
    total = _equal_items(reader, a, b)
    return special_methods.pythons_bool(reader, total) if symbol == "==" else special_methods.opposite(reader, total)


def _compare_growing(reader: Reader, symbol: str, a: Any, b: Any) -> Abstract:
    """Lists of which one has a length that only the run knows."""
    if a is b:
        return symbol in ("==", "<=", ">=")
    contents = [reader.heap[each] if isinstance(each, ListRef) else each for each in (a, b)]
    for content in contents:
        if content == ():
            return compare_by(reader, symbol, *(reader.rules.call(len, (other,)) for other in (a, b)))
    for content in contents:
        _refuse_nan(reader, content)
    if symbol in ("==", "!="):
        same = reader.rules.call(lists.equal, (a, b))
        return same if symbol == "==" else special_methods.opposite(reader, same)
    return reader.rules.call(lists.ordered, (PYTHON[symbol], a, b))


def _refuse_nan(reader: Reader, content: Any) -> None:
    """Python asks first whether two items are one object, which tells where one is nan."""
    for column in content.columns if isinstance(content, Table) else (content,) if isinstance(content, Grown) else ():
        if not is_whole(column.item_type.dtype):
            array = as_array(reader, column)
            with building(reader.builder):
                equal = as_atom(reader, unwrap(reader, all_(operators.compare("==", array, array))))
            reader.builder.check(equal, "NotImplementedError", "nan in lists that are compared, whose length is known only at run time")


def _equal_items(reader: Reader, a: Abstract, b: Abstract) -> bool | Atom:
    """Whether containers of one kind are equal: item by item, until it is known that they are not."""
    if isinstance(a, DictRef):
        one, two = reader.heap[a], reader.heap[b]
        if a.kind is Counter and isinstance(b, DictRef) and b.kind is Counter:
            one, two = ({key: each.get(key, 0) for key in {**one, **two}} for each in (one, two))
        if set(one) != set(two):
            return False
        if a.kind is OrderedDict and isinstance(b, DictRef) and b.kind is OrderedDict and list(one) != list(two):
            return False
        pairs = [(one[key], two[key]) for key in one]
    else:
        if len(items_in(reader, a)) != len(items_in(reader, b)):
            return False
        pairs = list(zip(items_in(reader, a), items_in(reader, b), strict=True))
    return _all_equal(reader, pairs)


def _all_equal(reader: Reader, pairs: list[tuple[Abstract, Abstract]]) -> bool | Atom:
    """Whether all pairs are equal: the later ones are compared only where the earlier ones are (arrays can't be)."""
    total: bool | Atom = True
    for number, pair in enumerate(pairs):
        if not isinstance(total, bool) and not all(map(is_plain, pair)):
            rest = pairs[number:]
            return connected(reader, total, total, partial(_all_equal, reader, rest), is_and=True)
        same = same_or_equal(reader, *pair)
        if same is False:
            return False
        if not isinstance(same, bool):
            total = same if isinstance(total, bool) else both(reader, total, same)
    return total


def is_plain(value: Abstract) -> bool:
    """Whether comparing it neither fails nor runs code of the user's."""
    return value is None or is_atom(value) or isinstance(value, int | float | complex | str | np.generic) or is_some_text(value)


@asks_python
def _ordered(reader: Reader, symbol: str, a: tuple[Abstract, ...], b: tuple[Abstract, ...]) -> bool | Atom:
    """a symbol b of sequences: the first items that are not equal decide, else the lengths."""
    if not a or not b:
        return bool(PYTHON[symbol](len(a), len(b)))
    if _has_no_order(reader, a[0], b[0]):
        return _ordered_without(reader, symbol, a, b)
    same = same_or_equal(reader, a[0], b[0])
    if same is True:
        return _ordered(reader, symbol, a[1:], b[1:])
    if any(isinstance(value, View) for value in (a[0], b[0])):
        raise reader.unsupported(f"`{symbol}` of containers of arrays", "compare numbers", why="Python's result is the array of the items' comparison")
    first = truth_of(reader, compare_by(reader, symbol, a[0], b[0]))
    if same is False:
        return first
    rest = connected(reader, same, same, partial(_ordered, reader, symbol, a[1:], b[1:]), is_and=True)
    return any_of(reader, (rest, all_of(reader, (negated(reader, same), first))))


def _has_no_order(reader: Reader, a: Abstract, b: Abstract) -> bool:
    """Whether Python raises for any order of both, unless they are one object or equal."""
    if special_methods.has_no_order(a, b):
        return True
    if reader.regions and (_are_dicts(reader, a, b) or all(isinstance(each, View) and load(reader, each).ndim for each in (a, b))):
        return True
    kind = _enumeration(a)
    return kind is not None and kind is _enumeration(b) and kind.__eq__ is object.__eq__ and all(getattr(kind, name) is getattr(object, name) for name in _ORDERS)


_ORDERS = ("__lt__", "__gt__", "__le__", "__ge__")


def _are_dicts(reader: Reader, a: Abstract, b: Abstract) -> bool:
    """Whether both are dicts of which only the run knows which ones they are."""
    return all(isinstance(each, Pooled) and issubclass(class_of_value(reader, each), dict) for each in (a, b))


def _enumeration(value: Abstract) -> Any:
    return enumeration_of(value.options if isinstance(value, OneOf) else (value,))


def _ordered_without(reader: Reader, symbol: str, a: tuple[Abstract, ...], b: tuple[Abstract, ...]) -> bool | Atom:
    """The same where the first items are objects of which nobody says which comes first: Python raises TypeError unless they are one."""
    kind = _enumeration(a[0])
    same = is_same(reader, a[0], b[0]) if kind is None else truth_of(reader, compare_by(reader, "==", a[0], b[0]))
    if same is None and reader.regions:  # (cost, number, object): where what stands before them is never equal this is not reached
        reader.builder.check(Literal(False, Array(BOOL)), "NotImplementedError", "the order of two objects, of which it is not known whether they are one")
        return False
    if same is None:
        same = identical(reader, a[0], b[0])
    if same is not True:
        words = f"{symbol!r} not supported between instances of {_name(reader, a[0], kind)!r} and {_name(reader, b[0], kind)!r}"
        if same is False:
            fail(reader, TypeError, words)
            return False
        check(reader, same, TypeError, words)
    return _ordered(reader, symbol, a[1:], b[1:])


def _name(reader: Reader, value: Abstract, enumeration: type | None) -> str:
    return type_name(reader, value) if enumeration is None else enumeration.__name__


def all_of(reader: Reader, tests: Iterable[bool | Atom]) -> bool | Atom:
    """Whether all tests hold; those behind one that surely does not aren't asked for."""
    total: bool | Atom = True
    for test in tests:
        if test is False:
            return False
        if not isinstance(test, bool):
            total = test if isinstance(total, bool) else both(reader, total, test)
    return total


def any_of(reader: Reader, tests: Iterable[bool | Atom]) -> bool | Atom:
    """Whether any test holds; those behind one that surely does aren't asked for."""
    total: bool | Atom = False
    for test in tests:
        if test is True:
            return True
        if not isinstance(test, bool):
            total = test if isinstance(total, bool) else either(reader, total, test)
    return total


# ---- membership ------------------------------------------------------------------------------------------------------------


@asks_python
def contains(reader: Reader, container: Abstract, item: Abstract) -> bool | Atom:
    """item in container."""
    if (said := special_methods.contains(reader, item, container)) is not None:
        return said[0]
    if isinstance(container, IteratorRef):
        return search(reader, container, item, lambda items: contains(reader, items, item), lambda each: same_or_equal(reader, each, item))
    if is_known(reader, container) and is_known(reader, item) and not isinstance(container, DictRef):
        return bool(plain(reader, item) in plain(reader, container))
    match container:
        case DictView() if container.part != "keys":
            content = reader.heap[container.ref]
            pairs = content.values() if container.part == "values" else ((key_value(reader, key), value) for key, value in content.items())
            return _in_items(reader, item, tuple(pairs))
        case DictRef() | DictView():
            ref = container.ref if isinstance(container, DictView) else container
            with keys_of(reader, ref):
                return _in_keys(reader, item, reader.heap[ref])
        case frozenset():
            return _in_keys(reader, item, dict.fromkeys(container))
        case ListRef() if isinstance(reader.heap[container], Grown) and is_found_in_table(reader, reader.heap[container], item):
            return reader.rules.truth(reader.rules.compare(">=", reader.rules.call(lists.place_of, (container, item)), 0))
        case ListRef() if isinstance(reader.heap[container], Grown):
            return _in_list(reader, item, container)
        case tuple() | ListRef():
            return _in_items(reader, item, items_in(reader, container))
        case range() | RunRange():
            return _in_range(reader, item, container)
        case View():
            return _in_array(reader, item, container)
        case str() | Text():
            refused_by_python(reader, operator.contains, container, item)
            unknown(reader, item if isinstance(item, Text) else container, "`in` of")
        case Outside() if isinstance(container.object, list | tuple | dict | set | frozenset):
            return contains(reader, reader.new_list(whole(reader, container)), item)
    if is_atom(container) or container is None or operators.is_static_number(container):
        refused_by_python(reader, operator.contains, container, item)
    raise reader.unsupported(f"`in` of {describe(reader, item)} and {describe(reader, container)}", "a loop that compares, or np.any(x == item)")


def _in_items(reader: Reader, item: Abstract, items: tuple[Abstract, ...]) -> bool | Atom:
    if len(items) > MANY:
        raise reader.unsupported(f"`in` of a run-time value and a container of {len(items)} items", "np.any(array == item), or a bool array that says which")
    total: bool | Atom = False
    for number, each in enumerate(items):
        if not isinstance(total, bool) and not (is_plain(item) and is_plain(each)):
            return connected(reader, total, total, partial(_in_items, reader, item, items[number:]), is_and=False)
        same = same_or_equal(reader, each, item)
        if same is True:
            return True
        if not isinstance(same, bool):
            total = same if isinstance(total, bool) else either(reader, total, same)
    return total


def _in_keys(reader: Reader, item: Abstract, keys: dict[Any, Any]) -> bool | Atom:
    """Whether a dict or set has a key: one that is known at run time only is compared with each."""
    if isinstance(item, ListRef | DictRef | View) or is_known(reader, item) or isinstance(item, ObjectRef):
        return hashed(reader, item) in keys
    return _in_items(reader, item, tuple(key_value(reader, key) for key in keys))


def _in_list(reader: Reader, item: Abstract, container: ListRef) -> bool | Atom:
    """Of a list of run-time length: a number is no tuple or list of numbers."""
    content: Grown = reader.heap[container]
    if content.row is not None and (isinstance(item, np.generic) or is_atom(item) and not item.type.weak):
        raise reader.unsupported(f"`in` of a number of NumPy's and {describe(reader, container)}", "float(…) of it", "NumPy compares it with each part of an item")
    if isinstance(content, Table):
        check_is_no_nan(reader, item)
        raise reader.unsupported(f"`in` of {describe(reader, item)} and {describe(reader, container)}", "any(each == x for each in list)")
    if content.row is not None and (is_atom(item) or operators.is_static_number(item)):
        return False
    if content.row is None and content.item_type.shape or isinstance(item, View) and load(reader, item).ndim:
        raise reader.unsupported(f"`in` of {describe(reader, item)} and a list whose length is known only at run time", "any(np.array_equal(each, x) for each in list)")
    check_is_no_nan(reader, item)
    return _in_array(reader, item, container)


def _in_array(reader: Reader, item: Abstract, array: Abstract) -> bool | Atom:
    """Whether any element equals the item."""
    if not (is_runtime(item) or operators.is_static_number(item)):
        raise reader.unsupported(f"`in` of {describe(reader, item)} and {describe(reader, array)}", "np.any(x == item)")
    with building(reader.builder):
        same = operators.compare("==", wrap(reader, array), wrap(reader, item))
        return same if isinstance(same, bool) else truth_of(reader, unwrap(reader, any_(same)))


def _in_range(reader: Reader, item: Abstract, container: Any) -> bool | Atom:
    """Whether a number is one of a range's."""
    if not (is_atom(item) or operators.is_static_number(item)):
        if isinstance(item, View):
            unknown(reader, item, "`in` of a range and")
        return False
    if scalar_type(item).dtype.kind == "c":  # no number of a range lies above or below it, but one may be equal
        real, imaginary = (reader.rules.attribute(item, part) for part in ("real", "imag"))
        return all_of(reader, [truth_of(reader, compare_by(reader, "==", imaginary, 0)), _in_range(reader, real, container)])
    if isinstance(container, range):
        lo, hi, step = container.start, container.stop, container.step
    else:
        lo, hi, step = container.lo, container.hi, container.step
        if not isinstance(step, Literal):
            raise reader.unsupported("`in` of a range whose step is known only at run time", "comparisons")
        step = int(step.value)  # type: ignore[arg-type]
    low, high = ("<=", "<") if step > 0 else (">=", ">")
    tests = [compare_by(reader, low, lo, item), compare_by(reader, high, item, hi)]
    if abs(step) != 1 or not (is_atom(item) and is_whole(item.type.dtype) or isinstance(item, int)):
        tests.append(compare_by(reader, "==", reader.rules.binary("%", reader.rules.binary("-", item, lo), abs(step)), 0))
    return all_of(reader, [truth_of(reader, test) for test in tests])


__all__ = ["COMPARE", "all_of", "any_of", "compare", "compare_by", "contains", "is_plain", "items_in", "same_or_equal"]
