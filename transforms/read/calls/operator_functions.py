"""The functions of the module operator: Python's operators by name."""
from __future__ import annotations

import operator
from collections.abc import Callable

from s2s.transforms.read.flow.comparisons import compare_by, contains
from s2s.transforms.read.flow.conditions import negated
from s2s.transforms.read.flow.operations import unary
from s2s.transforms.read.flow.subscripts import get_item
from s2s.transforms.read.flow.truth import truth_of
from s2s.transforms.read.known import by_python, is_known, refused_by_python
from s2s.transforms.read.names import within
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import as_weak
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, ObjectRef


def _operator(symbol: str) -> Callable[..., Abstract]:
    def rule(reader: Reader, a: Abstract, b: Abstract) -> Abstract:
        return reader.rules.binary(symbol, a, b)

    return rule


def _unary_operator(symbol: str) -> Callable[..., Abstract]:
    def rule(reader: Reader, value: Abstract) -> Abstract:
        return unary(reader, symbol, value)

    return rule


def _comparison(symbol: str) -> Callable[..., Abstract]:
    def rule(reader: Reader, a: Abstract, b: Abstract) -> Abstract:
        return compare_by(reader, symbol, a, b)

    return rule


def _item(reader: Reader, container: Abstract, key: Abstract) -> Abstract:
    return get_item(reader, container, key)


def _contains(reader: Reader, container: Abstract, item: Abstract) -> Abstract:
    return contains(reader, container, item)


def truth(reader: Reader, value: Abstract) -> Abstract:
    """bool(value): Python's own bool."""
    test = truth_of(reader, value)
    if isinstance(test, bool):
        return test
    with building(reader.builder):
        return as_weak(reader.value(test)).atom


def _not(reader: Reader, value: Abstract) -> Abstract:
    test = truth_of(reader, value)
    return not test if isinstance(test, bool) else negated(reader, test)


def _absolute(reader: Reader, value: Abstract) -> Abstract:
    return reader.rules.call(abs, (value,))


def _index(reader: Reader, value: Abstract) -> Abstract:
    """operator.index(value): Python's own integer."""
    if is_known(reader, value):
        return by_python(reader, operator.index, value)
    if isinstance(value, ObjectRef):
        return reader.rules.call(reader.rules.attribute(value, "__index__"), ())
    refused_by_python(reader, operator.index, value)
    return reader.rules.call(int, (value,))


OPERATOR_FUNCTIONS: dict[str, Callable[..., Abstract]] = within(
    "operator",
    add=_operator("+"), sub=_operator("-"), mul=_operator("*"), truediv=_operator("/"), matmul=_operator("@"), pow=_operator("**"),
    floordiv=_operator("//"), mod=_operator("%"), and_=_operator("&"), or_=_operator("|"), xor=_operator("^"), lshift=_operator("<<"),
    rshift=_operator(">>"), concat=_operator("+"), neg=_unary_operator("-"), pos=_unary_operator("+"), invert=_unary_operator("~"),
    inv=_unary_operator("~"), lt=_comparison("<"), le=_comparison("<="), gt=_comparison(">"), ge=_comparison(">="), eq=_comparison("=="),
    ne=_comparison("!="), getitem=_item, contains=_contains, truth=truth, not_=_not, abs=_absolute, index=_index,
)  # fmt: skip
"""Qualified name -> rule(reader, *args)."""
