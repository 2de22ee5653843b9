"""What is found in a list whose length only the run knows by what it is equal to. Python asks first whether two are one object, which tells where one is nan."""
from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.program import Equation, Node
from s2s.transforms.primitives import rows
from s2s.transforms.primitives.indexing import getitem
from s2s.transforms.primitives.row import Elementwise
from s2s.transforms.read.flow.conditions import either
from s2s.transforms.read.flow.truth import truth_of
from s2s.transforms.read.known import by_identity
from s2s.transforms.read.numpy import operators
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.grown import Grown, Shape, Table
from s2s.transforms.read.storage.kinds_of_items import is_several
from s2s.transforms.read.storage.shapes_of_items import shape_of_value
from s2s.transforms.read.values import STANDS_FOR, Abstract, ObjectRef, OneOf, Pooled, View, is_atom, scalar_type
from s2s.types import Var, is_whole

_THE_SAME = (rows.select, rows.convert)
"""Elementwise rows whose result may be one of their operands."""
_WHICH_NAN = "nan is compared with nan as an item: whether they are equal depends on which objects are one in Python"


def is_found_in_table(reader: Reader, content: Grown, item: Abstract) -> bool:
    """Whether a text, a number, None, a tuple or an object of a class with its own == is found in a list by what it is equal to: Python asks first whether two are one object, which tells where one is nan, so that such are refused."""
    if isinstance(item, Pooled):
        return isinstance(content, Table) and content.shape.kind is Pooled and by_identity(item.pool.kind) and STANDS_FOR not in vars(item.pool.kind)
    if isinstance(item, ObjectRef):
        return isinstance(content, Table) and content.shape.kind is item.kind and not by_identity(item.kind) and _have_no_nan(reader, _held_in(reader, item))
    if isinstance(content, Table) and not is_several(content.shape) and isinstance(item, str | tuple | OneOf) and all(is_whole(column.item_type.dtype) for column in content.columns):
        return True
    if isinstance(content, Table) and (item is None or isinstance(item, str) or (is_atom(item) or operators.is_static_number(item)) and is_whole(scalar_type(item).dtype)):
        return True  # no nan is equal to one of these
    if isinstance(content, Table) and (is_atom(item) or operators.is_static_number(item)):
        if not scalar_type(item).weak and not _holds_numbers_only(content.shape):
            return False  # a number of NumPy's compares with each part of a tuple
        check_is_no_nan(reader, item)
        return True
    is_row = isinstance(content, Table) or content.row is not None and content.row.alike
    if not is_row or type(item) is not tuple or not all(is_atom(part) or operators.is_static_number(part) for part in item):
        return False
    return _have_no_nan(reader, item)


def _holds_numbers_only(shape: int | Shape) -> bool:
    """Whether the items are numbers, None and texts."""
    return not isinstance(shape, Shape) or shape.kind is type(None) or shape.kind is OneOf and all(map(_holds_numbers_only, shape.parts))


def _held_in(reader: Reader, value: Abstract) -> list[Abstract]:
    """The numbers and arrays that an object, and what it holds, holds."""
    leaves: list[Abstract] = []
    shape_of_value(reader, value, leaves)
    return leaves


def _have_no_nan(reader: Reader, parts: Iterable[Abstract]) -> bool:
    """Whether all of these are equal to themselves, and so found where they stand; asked of the run where only that knows."""
    for part in parts:
        if isinstance(part, View):
            test = truth_of(reader, reader.rules.call(np.all, (reader.rules.compare("==", part, part),)))
        elif not (is_atom(part) or operators.is_static_number(part)) or scalar_type(part).dtype.kind not in "fc":
            continue
        else:
            test = truth_of(reader, reader.rules.compare("==", part, part))
        if test is False:
            return False
        if not isinstance(test, bool):
            reader.builder.check(test, "NotImplementedError", "a tuple or object with nan is looked for in a list: whether it is found depends on which objects are one in Python")
    return True


def check_is_no_nan(reader: Reader, item: Abstract) -> None:
    """Of a number that is looked for in a list of run-time length: Python finds a nan where it is that very object."""
    if isinstance(item, float | complex) and item != item:  # noqa: PLR0124 nan
        raise reader.unsupported("nan, which is looked for in a list whose length is known only at run time", "any(v != v for v in list)", "Python finds it where it is that very object")
    if is_atom(item) and not is_whole(item.type.dtype):
        test = truth_of(reader, reader.rules.compare("==", item, item))
        if not isinstance(test, bool):
            reader.builder.check(test, "NotImplementedError", "nan is looked for in a list whose length is known only at run time")


def check_one_is_no_nan(reader: Reader, a: Abstract, b: Abstract) -> None:
    """Of two numbers that may be one object or not, on other paths, trips or calls: where both are nan, Python asks which."""
    tests = []
    for number in (a,) if a is b else (a, b):
        if not may_be_nan(number) or _is_new(reader, number):
            return
        test = truth_of(reader, reader.rules.compare("==", number, number))
        if test is True:
            return
        tests += [] if test is False else [test]
    if tests:
        reader.builder.check(tests[0] if len(tests) == 1 else either(reader, *tests), "NotImplementedError", _WHICH_NAN)


def may_be_nan(number: Abstract) -> bool:
    """Whether it is a number of a type that has a nan."""
    return (is_atom(number) or operators.is_static_number(number)) and not is_whole(scalar_type(number).dtype)


def check_is_not_loaded_nan(reader: Reader, number: Abstract) -> None:
    """Of a number with itself: where it was loaded from an array, Python may have made an object of it each time, and asks of nan which."""
    node = _made_by(reader, number) if may_be_nan(number) else None
    if isinstance(node, Equation) and node.primitive is getitem:
        check_one_is_no_nan(reader, number, number)


def _is_new(reader: Reader, number: Abstract) -> bool:
    """Whether the function has computed it: it is the same object as no other number."""
    node = _made_by(reader, number)
    return isinstance(node, Equation) and isinstance(node.primitive.emission, Elementwise) and node.primitive not in _THE_SAME


def _made_by(reader: Reader, number: Abstract) -> Node | None:
    """What gives it, in this block or one around it; None of a parameter, of what a loop carries, and of what is known."""
    builder: Builder | None = reader.builder
    while builder is not None and isinstance(number, Var):
        node = next((node for node in reversed(builder.nodes) if number in node.outs), None)
        if node is not None:
            return node
        builder = builder.outer
    return None


__all__ = ["check_is_no_nan", "check_is_not_loaded_nan", "check_one_is_no_nan", "is_found_in_table", "may_be_nan"]
