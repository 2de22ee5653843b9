"""a < b, a is b, a in b: of numbers and arrays, and of containers item by item."""
from __future__ import annotations

import operator
from typing import Any

import libcst as cst

from s2s.transforms.read import operators
from s2s.transforms.read.control_flow import both, either, negated, truth_of
from s2s.transforms.read.numpy_functions_common import building
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, DictRef, ListRef, Outside, View, is_atom, is_runtime
from s2s.types import Atom

COMPARE = {
    cst.LessThan: "<", cst.LessThanEqual: "<=", cst.GreaterThan: ">", cst.GreaterThanEqual: ">=", cst.Equal: "==", cst.NotEqual: "!=",
}  # fmt: skip


def items_in(reader: Reader, value: Abstract) -> tuple[Abstract, ...]:
    """The items of a list or tuple."""
    return reader.heap[value] if isinstance(value, ListRef) else value


def compare(reader: Reader, op: Any, a: Abstract, b: Abstract) -> Abstract:
    """One comparison."""
    match op:
        case cst.Is() | cst.IsNot():
            same = _is_same(a, b)
            return same if isinstance(op, cst.Is) else not same
        case cst.In() | cst.NotIn():
            found = _contains(reader, a, b)
            if isinstance(op, cst.In):
                return found
            return not found if isinstance(found, bool) else negated(reader, found)
    symbol = COMPARE[type(op)]  # type: ignore[index]
    if isinstance(a, tuple | ListRef | DictRef) and type(a) is type(b):
        return _compare_containers(reader, symbol, a, b)
    a, b = (value.object if isinstance(value, Outside) else value for value in (a, b))
    if not is_runtime(a) and not is_runtime(b) and not isinstance(a, ListRef | tuple) and not isinstance(b, ListRef | tuple):
        return {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne}[symbol](a, b)
    if symbol in ("==", "!=") and any(_is_no_number(x) and is_atom(y) for x, y in ((a, b), (b, a))):
        return symbol == "!="
    with building(reader.builder):
        return reader.unwrap(operators.compare(symbol, reader.wrap(a), reader.wrap(b)))


def _is_no_number(value: Abstract) -> bool:
    return isinstance(value, tuple | ListRef | DictRef | str | type(None))


def _is_same(a: Abstract, b: Abstract) -> bool:
    a, b = (value.object if isinstance(value, Outside) else value for value in (a, b))
    if isinstance(a, View) and isinstance(b, View):
        return a == b
    return a is b or (isinstance(a, bool | int | str) and type(a) is type(b) and a == b)


def _compare_containers(reader: Reader, symbol: str, a: Abstract, b: Abstract) -> Abstract:
    if symbol not in ("==", "!="):
        pair = items_in(reader, a), items_in(reader, b)
        if any(is_runtime(item) for items in pair for item in items):
            raise reader.unsupported("an ordering of containers of run-time values", "compare their elements")
        return {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}[symbol](*pair)
    if isinstance(a, DictRef):
        one, two = reader.heap[a], reader.heap[b]
        if set(one) != set(two):
            return symbol == "!="
        pairs = [(one[key], two[key]) for key in one]
    else:
        if len(items_in(reader, a)) != len(items_in(reader, b)):
            return symbol == "!="
        pairs = list(zip(items_in(reader, a), items_in(reader, b), strict=True))
    total: bool | Atom = True
    for x, y in pairs:
        same = truth_of(reader, compare(reader, cst.Equal(), x, y))
        if same is False:
            total = False
            break
        if not isinstance(same, bool):
            total = same if isinstance(total, bool) else both(reader, total, same)
    if isinstance(total, bool):
        return total if symbol == "==" else not total
    return total if symbol == "==" else negated(reader, total)


def _contains(reader: Reader, item: Abstract, container: Abstract) -> Abstract:
    if isinstance(container, Outside):
        container = container.object
    if isinstance(container, DictRef):
        return item in reader.heap[container]
    if isinstance(container, tuple | ListRef):
        total: bool | Atom = False
        for each in items_in(reader, container):
            same = _is_same(item, each) or truth_of(reader, compare(reader, cst.Equal(), item, each))
            if same is True:
                return True
            if not isinstance(same, bool):
                total = same if isinstance(total, bool) else either(reader, total, same)
        return total
    if is_runtime(container) or is_runtime(item):
        raise reader.unsupported("`in` of a run-time value", "np.any(x == item), or lo <= i < hi")
    return item in container
