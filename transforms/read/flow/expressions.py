"""The value of each kind of expression."""
from __future__ import annotations

import ast
from collections.abc import Callable
from functools import lru_cache
from types import BuiltinFunctionType, FunctionType
from typing import Any

import libcst as cst

from s2s.transforms.ir.program import If
from s2s.transforms.read.bound_names import free_names, is_local, raise_unbound, usable
from s2s.transforms.read.callables import Closure
from s2s.transforms.read.calls import columns
from s2s.transforms.read.calls.hidden import enter, taken_variable
from s2s.transforms.read.calls.libraries import is_library
from s2s.transforms.read.calls.records import is_record
from s2s.transforms.read.composed import lists
from s2s.transforms.read.composed.records import Record
from s2s.transforms.read.failures import Suppressed
from s2s.transforms.read.flow import stars
from s2s.transforms.read.flow.attributes import attribute
from s2s.transforms.read.flow.call_arguments import arguments, mapping_of
from s2s.transforms.read.flow.caught import after_expression
from s2s.transforms.read.flow.comparisons import compare
from s2s.transforms.read.flow.comprehensions import comprehension
from s2s.transforms.read.flow.conditions import negated
from s2s.transforms.read.flow.constant_sets import content_of_display
from s2s.transforms.read.flow.container_items import static_key
from s2s.transforms.read.flow.in_front import in_front
from s2s.transforms.read.flow.items import content_of, items_of
from s2s.transforms.read.flow.joining import choose
from s2s.transforms.read.flow.keyed import is_compared_key, is_keyed, is_known_key, made, method, must_be_new
from s2s.transforms.read.flow.once import gives_back
from s2s.transforms.read.flow.operations import binary, unary
from s2s.transforms.read.flow.options import narrowed, possible
from s2s.transforms.read.flow.sides import connected, side
from s2s.transforms.read.flow.sought import sought, sought_in
from s2s.transforms.read.flow.subscripts import get_item
from s2s.transforms.read.flow.texts import f_string, percent
from s2s.transforms.read.flow.truth import truth_of
from s2s.transforms.read.known import entered, hashed, is_known
from s2s.transforms.read.made_of import GIVEN_BACK
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.tables import as_tuple
from s2s.transforms.read.syntax.frame import YIELDED, Frame, is_ours, scope_for
from s2s.transforms.read.syntax.scope import all_params
from s2s.transforms.read.values import (
    Abstract,
    AnyText,
    IteratorRef,
    ListRef,
    Missing,
    OneOf,
    Outside,
    is_atom,
    join_text,
    moment,
)
from s2s.transforms.read.wrapping import settled_number
from s2s.types import Var

BINARY = {
    cst.Add: "+", cst.Subtract: "-", cst.Multiply: "*", cst.Divide: "/", cst.FloorDivide: "//", cst.Modulo: "%", cst.Power: "**",
    cst.MatrixMultiply: "@", cst.BitAnd: "&", cst.BitOr: "|", cst.BitXor: "^", cst.LeftShift: "<<", cst.RightShift: ">>",
}  # fmt: skip
UNARY = {cst.Minus: "-", cst.Plus: "+", cst.BitInvert: "~", cst.Not: "not"}


def evaluate(reader: Reader, node: Any) -> Abstract:
    """The value of an expression."""
    rule = EXPRESSIONS.get(type(node))
    with reader.at(node):
        if rule is None:
            raise reader.unsupported(f"`{_keyword(node)}` expressions are not supported", _INSTEAD.get(type(node), ""))
        if type(node) in _MAKING:
            before = moment()
            value = made(reader, rule(reader, node), before)
        else:
            value = rule(reader, node)
        if type(value) is Var:
            value = settled_number(reader, value)
        if not reader.catching:
            return value
        after_expression(reader)
        return value


_MAKING = frozenset((cst.Dict, cst.DictComp, cst.Set, cst.SetComp, cst.Call, cst.List, cst.ListComp, cst.BinaryOperation, cst.UnaryOperation, cst.Subscript))
"""What may make a dict, set or list."""
_INSTEAD: dict[type, str] = {
    cst.Yield: "return the values, or fill an array", cst.Await: "a plain function",
    cst.GeneratorExp: "a list comprehension over something known while reading",
}


def _keyword(node: Any) -> str:
    return type(node).__name__.lower()


def _name(reader: Reader, node: cst.Name) -> Abstract:
    name = node.value
    found = reader.frame.find(name)
    if isinstance(found, Missing):
        if found.unset and found.test is None:
            raise_unbound(reader, name)
        value = usable(reader, found)
        if name in reader.frame.names:
            reader.frame.names[name] = value
        return value
    if isinstance(found, OneOf):
        numbers = possible(reader, found)
        return found.options[numbers[0]] if len(numbers) == 1 else found
    if found is not None or is_local(reader.frame, name):
        return found
    session, function = reader.session, reader.frame.root().python
    if session.asked is None and (function, name) in session.own_names:
        return session.own_names[function, name]
    if (stored := taken_variable(reader, name)) is not None:
        return usable(reader, stored)
    value, steps, exists = reader.frame.outside(name)
    if not exists:
        raise NameError(f"name {name!r} is not defined")
    if is_ours(function) and isinstance(value, FunctionType | BuiltinFunctionType | type):
        return session.own_names.setdefault((function, name), enter(reader, value, (("object", value),) if is_ours(value) else steps))
    if isinstance(value, (float, complex, tuple, dict)) and is_library(reader.frame.root().python.__module__) and _is_plain(value):
        return entered(reader, value)  # a composed function's constant
    return enter(reader, value, steps)


def _is_plain(value: Any) -> bool:
    """Whether it is a number or text, or a container of such."""
    if isinstance(value, tuple | dict):
        return all(map(_is_plain, value.values() if isinstance(value, dict) else value))
    return isinstance(value, str | int | float | complex)


@lru_cache(maxsize=4096)
def _written(text: str) -> int | float:
    """What a number stands for. It may be read many times: loops are gone through until what they carry is found.

    Not for texts: they are one object where one function of the user's has them, and `is` tells.
    """
    found: int | float = ast.literal_eval(text)
    return found


def _number(reader: Reader, node: cst.Integer | cst.Float) -> Abstract:
    del reader
    return _written(node.value)


def _imaginary(reader: Reader, node: cst.Imaginary) -> Abstract:
    del reader
    return node.evaluated_value


def _string(reader: Reader, node: Any) -> Abstract:
    if isinstance(node, cst.ConcatenatedString):
        return join_text([evaluate(reader, node.left), evaluate(reader, node.right)])
    return node.evaluated_value


def _tuple(reader: Reader, node: cst.Tuple) -> Abstract:
    found = _elements(reader, node.elements)
    return tuple(found) if isinstance(found, list) else as_tuple(reader, found)


def _elements(reader: Reader, elements: Any) -> list[Abstract] | ListRef:
    """The items of a display; a list where only the run knows how many they are."""
    found: list[tuple[bool, Abstract]] = []
    held = []
    for element in elements:
        starred, value = isinstance(element, cst.StarredElement), evaluate(reader, element.value)
        if starred:
            value = stars.taken(reader, value)
            held.append((value, content_of(reader, value)))
        found.append((starred, value))
    stars.refuse_changed(reader, held)
    return stars.items(reader, found)


def _list(reader: Reader, node: cst.List) -> Abstract:
    found = _elements(reader, node.elements)
    return reader.new_list(found) if isinstance(found, list) else found


def _set(reader: Reader, node: cst.Set) -> Abstract:
    items = _elements(reader, node.elements)
    if not isinstance(items, list):
        return reader.rules.call(set, (items,))
    if all(is_known_key(reader, item) for item in items) or (found := _new_keyed(reader, set, items)) is None:
        keys = [hashed(reader, item) for item in items]
        constants = content_of_display(reader, node, keys)
        return reader.new_set(keys) if constants is None else reader.new_set_of(constants)
    for item in items:
        method(reader, found, "add", item)
    return found


def _new_keyed(reader: Reader, kind: type, keys: list[Abstract]) -> Abstract:
    """A new dict or set for these keys, of which the run knows some, or some are compared by their classes; None for those that can't be keys."""
    if not all(is_known(reader, key) or is_atom(key) or isinstance(key, tuple) or is_compared_key(key) for key in keys):
        return None
    return must_be_new(reader, kind, f"a {kind.__name__} with keys that are known only at run time", "constant keys, or an array and an integer index")


def _dict(reader: Reader, node: cst.Dict) -> Abstract:
    parts: list[tuple[Abstract, Abstract]] = []
    for element in node.elements:
        if isinstance(element, cst.StarredDictElement):
            whole = evaluate(reader, element.value)
            is_last = element is node.elements[-1]
            parts.append((_WHOLE, (whole if is_last else method(reader, whole, "copy")) if is_keyed(whole) or is_record(whole) else dict(mapping_of(reader, whole))))
        else:
            assert isinstance(element, cst.DictElement)
            key = evaluate(reader, element.key)
            parts.append((key, evaluate(reader, element.value)))
    wholes = [value for key, value in parts if key is _WHOLE]
    keys = [key for key, _ in parts if key is not _WHOLE]
    if any(map(is_keyed, wholes)) or not all(is_known_key(reader, key) for key in keys):
        found = _new_keyed(reader, dict, keys)
        if found is not None:
            for key, value in parts:
                method(reader, found, *(("update", reader.new_dict(value) if isinstance(value, dict) else value) if key is _WHOLE else ("__setitem__", key, value)))
            return found
    if any(map(is_record, wholes)) and all(isinstance(key, str) for key in keys):
        return _record(reader, parts)
    result: dict[Any, Abstract] = {}
    for key, value in parts:
        result.update(mapping_of(reader, value) if key is _WHOLE else {static_key(reader, key): value})
    return reader.new_dict(result)


def _record(reader: Reader, parts: list[tuple[Abstract, Abstract]]) -> Abstract:
    """A dict with keys of which only the run knows whether they are there: what another such has is put into it."""
    found = reader.rules.call(Record, ())
    for key, value in parts:
        method(reader, found, *(("update", reader.new_dict(value) if isinstance(value, dict) else value) if key is _WHOLE else ("__setitem__", key, value)))
    return found


_WHOLE = object()
"""In the place of a key: **value."""


# ---- operators -----------------------------------------------------------------------------------------------------------


def _binary(reader: Reader, node: cst.BinaryOperation) -> Abstract:
    a, b = evaluate(reader, node.left), evaluate(reader, node.right)
    if isinstance(a, str) and isinstance(node.operator, cst.Modulo):
        return percent(reader, a, b)
    if isinstance(a, AnyText) and isinstance(b, AnyText) and isinstance(node.operator, cst.Add):
        return join_text([a, b])
    return binary(reader, BINARY[type(node.operator)], a, b)


def _unary(reader: Reader, node: cst.UnaryOperation) -> Abstract:
    value = evaluate(reader, node.expression)
    if isinstance(node.operator, cst.Not):
        test = truth_of(reader, value)
        return not test if isinstance(test, bool) else negated(reader, test)
    return unary(reader, UNARY[type(node.operator)], value)


def test_value(reader: Reader, node: cst.BaseExpression) -> Abstract:
    """The value of an expression of which only the truth is asked: `items and items[-1] > v` is a bool then, and no list."""
    if isinstance(node, cst.BooleanOperation):
        with reader.at(node):
            return _boolean(reader, node, as_test=True)
    return evaluate(reader, node)


def _boolean(reader: Reader, node: cst.BooleanOperation, *, as_test: bool = False) -> Abstract:
    """a and b, a or b: b is read only where Python would. `as_test`: as a bool."""
    is_and = isinstance(node.operator, cst.And)
    first = test_value(reader, node.left) if as_test else evaluate(reader, node.left)
    test = truth_of(reader, first)
    if isinstance(test, bool):
        return evaluate(reader, node.right) if test is is_and else first
    if as_test:
        return connected(reader, test, test, lambda: truth_of(reader, test_value(reader, node.right)), is_and=is_and)
    return connected(reader, test, first, lambda: evaluate(reader, node.right), is_and=is_and)


def _ternary(reader: Reader, node: cst.IfExp) -> Abstract:
    test = truth_of(reader, test_value(reader, node.test))
    if isinstance(test, bool):
        return evaluate(reader, node.body if test else node.orelse)
    one, two = reader.fork(), reader.fork()
    with reader.inside(one):
        narrowed(reader, test, holds=True)
        a = side(reader, lambda: evaluate(reader, node.body))
    with reader.inside(two):
        narrowed(reader, test, holds=False)
        b = side(reader, lambda: evaluate(reader, node.orelse))
    return choose(reader, test, (one, a), (two, b))


def _comparison(reader: Reader, node: cst.Comparison) -> Abstract:
    """a < b < c: each operand read once, the later ones only where Python would."""
    return sought_in(reader, node, lambda: _compare_chain(reader, evaluate(reader, node.left), list(node.comparisons)))


def _compare_chain(reader: Reader, left: Abstract, targets: list[Any]) -> Abstract:
    right = evaluate(reader, targets[0].comparator)
    first = compare(reader, targets[0].operator, left, right)
    if len(targets) == 1:
        return first
    test = truth_of(reader, first)
    if isinstance(test, bool):
        return _compare_chain(reader, right, targets[1:]) if test else first
    return connected(reader, test, first, lambda: _compare_chain(reader, right, targets[1:]), is_and=True)


# ---- attributes, subscripts, functions -------------------------------------------------------------------------------------


def _attribute(reader: Reader, node: cst.Attribute) -> Abstract:
    return attribute(reader, evaluate(reader, node.value), node.attr.value)


def key_of(reader: Reader, elements: Any) -> Abstract:
    """The key of a subscript."""
    items = [item for element in elements for item in _key_items(reader, element.slice)]
    is_tuple = len(elements) > 1 or isinstance(elements[0].comma, cst.Comma) or _is_starred(elements[0].slice)
    return tuple(items) if is_tuple else items[0]


def _is_starred(item: Any) -> bool:
    return isinstance(item, cst.Index) and item.star is not None


def _key_items(reader: Reader, item: Any) -> list[Abstract]:
    return list(items_of(reader, evaluate(reader, item.value))) if _is_starred(item) else [_key_item(reader, item)]


def _key_item(reader: Reader, item: Any) -> Abstract:
    if isinstance(item, cst.Index):
        return evaluate(reader, item.value)
    bounds = [None if bound is None else evaluate(reader, bound) for bound in (item.lower, item.upper, item.step)]
    return slice(*bounds)


def _subscript(reader: Reader, node: cst.Subscript) -> Abstract:
    base = in_front(reader, node.value)
    return get_item(reader, base, key_of(reader, node.slice))


def _lambda(reader: Reader, node: cst.Lambda) -> Abstract:
    return closure(reader, node, "lambda")


def closure(reader: Reader, node: Any, name: str) -> Closure:
    """A nested function; its defaults are read now."""
    scope_for(node)
    defaults = {param.name.value: evaluate(reader, param.default) for param in all_params(node.params) if param.default is not None}
    return Closure(reader.frame.tree, node, _frame_seen(reader, node), name, defaults)


def _frame_seen(reader: Reader, node: Any) -> Frame:
    """The frame that a nested function sees: that of the innermost comprehension around it of which it uses a name."""
    used = free_names(node)
    return next((frame for frame in reversed(reader.frame.comprehensions) if used & frame.scope.bound), reader.frame)


def _walrus(reader: Reader, node: cst.NamedExpr) -> Abstract:


    value = evaluate(reader, node.value)
    reader.rules.assign(node.target, value)
    return value


def _yield(reader: Reader, node: cst.Yield) -> Abstract:
    """A yield of a generator that is read as a whole (`generators.py`); elsewhere a refusal."""
    collected = reader.frame.names.get(YIELDED)
    if collected is None:
        raise reader.unsupported("`yield` expressions are not supported", _INSTEAD[cst.Yield])
    if isinstance(node.value, cst.From):
        items = evaluate(reader, node.value.item)
        reader.given_back = None
        reader.rules.call(lists.extend, (collected, items))
        if isinstance(items, IteratorRef):
            return reader.given_back if gives_back(items) else reader.heap[items].get(GIVEN_BACK)
    else:
        reader.rules.call(lists.append, (collected, None if node.value is None else evaluate(reader, node.value)))
    return None


def _call(reader: Reader, node: cst.Call) -> Abstract:
    function = evaluate(reader, node.func)
    if (function is zip or isinstance(function, Outside) and function.object is zip) and len(node.args) == 1 and node.args[0].star == "*":
        return columns.zipped(reader, evaluate(reader, node.args[0].value))
    found = sought(reader, function, node, lambda: arguments(reader, function, node))
    return found[0] if len(found) == 1 else reader.rules.call(function, *found)


# ---- table ----------------------------------------------------------------------------------------------------------------


EXPRESSIONS: dict[type, Callable[[Reader, Any], Abstract]] = {
    cst.Name: _name, cst.Integer: _number, cst.Float: _number, cst.Imaginary: _imaginary, cst.SimpleString: _string,
    cst.ConcatenatedString: _string, cst.FormattedString: f_string, cst.Tuple: _tuple, cst.List: _list, cst.Dict: _dict, cst.Set: _set,
    cst.BinaryOperation: _binary, cst.UnaryOperation: _unary, cst.BooleanOperation: _boolean, cst.Comparison: _comparison,
    cst.IfExp: _ternary, cst.Attribute: _attribute, cst.Subscript: _subscript, cst.Lambda: _lambda, cst.NamedExpr: _walrus, cst.Call: _call,
    cst.ListComp: comprehension, cst.GeneratorExp: comprehension, cst.SetComp: comprehension, cst.DictComp: comprehension,
    cst.Yield: _yield, cst.Ellipsis: lambda reader, node: ...,
}  # fmt: skip

__all__ = ["If", "Suppressed", "Var", "binary", "evaluate", "key_of"]
