"""Expressions in which a function calls itself: the calls become steps before them, in Python's order of evaluation.

    return n * fact(n - 1)        call fact(n - 1), then: return n * called
    fib(n - 1) if n > 1 else n    if n > 1: call fib(n - 1), then: chosen = called; else: chosen = n
    [f(c) for c in children]      gathered = []; for c in children: call f(c), then: gathered.append(called)
    {"left": f(a), "right": b}    call f(a), then: {"left": called, "right": b}
"""
from __future__ import annotations

from typing import Any

import libcst as cst

from s2s.transforms.read.syntax import nodes
from s2s.transforms.read.syntax.recursion.steps import EXPRESSIONS, Fork, Jump, NotLooped, Steps
from s2s.transforms.read.syntax.scope import names_bound


def _call(steps: Steps, node: cst.Call) -> Any:
    if (of := steps.own.called(node)) is not None:
        return steps.call(of, steps.arguments(of, node), node)
    if (found := _taking_all(steps, node)) is not None:
        return found
    values = steps.values([arg.value for arg in node.args]) if any(map(steps.own.has_call, node.args)) else [arg.value for arg in node.args]
    function = node.func
    if isinstance(function, cst.Attribute):
        function = function.with_changes(value=steps.value(function.value))
    elif steps.own.has_call(function):
        raise NotLooped("a call of what a call of itself gives", node)
    if steps.own.has_call(node.func) and any(map(steps.own.has_call, node.args)):
        raise NotLooped("calls of itself in a method's object and in its arguments", node)
    return node.with_changes(func=function, args=[arg.with_changes(value=value) for arg, value in zip(node.args, values, strict=True)])


def _taking_all(steps: Steps, node: cst.Call) -> Any:
    """sum(f(c) for c in children), any(…), all(…): what goes through all, or leaves off where it is decided."""
    if not isinstance(node.func, cst.Name) or not node.args or not isinstance(node.args[0].value, cst.GeneratorExp):
        return None
    taker, generator = node.func.value, node.args[0].value
    if not steps.own.has_call(generator.elt) and not any(steps.own.has_call(each.test) for each in generator.for_in.ifs):
        return None
    if taker in ("any", "all"):
        return _decided(steps, generator, wanted=taker == "any")
    if taker not in _TAKERS:
        raise NotLooped(f"a generator that calls the function itself, given to {taker}", node)
    return node.with_changes(args=[node.args[0].with_changes(value=_gathered(steps, generator)), *node.args[1:]])


_TAKERS = frozenset(("sum", "min", "max", "list", "tuple", "sorted", "set"))
"""What goes through all of an iterator before it does anything else that could be seen."""


def _decided(steps: Steps, node: cst.GeneratorExp, *, wanted: bool) -> Any:
    """any(…) or all(…): the first item that decides is the last that is worked out."""
    found = steps.own.fresh("decided")
    steps.put(nodes.assign(found, nodes.name(str(not wanted))))
    value: Any = node.elt if wanted else cst.UnaryOperation(cst.Not(), node.elt)
    then = cst.If(value, nodes.suite([nodes.assign(found, nodes.name(str(wanted))), cst.Break()]))
    _looped(steps, node.for_in, node, then)
    return nodes.name(found)


def _gathered(steps: Steps, node: cst.ListComp | cst.GeneratorExp) -> Any:
    """The list that a comprehension makes."""
    found = steps.own.fresh("gathered")
    steps.put(nodes.assign(found, cst.List([])))
    _looped(steps, node.for_in, node, cst.Expr(nodes.method(found, "append", node.elt)))
    return nodes.name(found)


def _gathered_by_key(steps: Steps, node: cst.DictComp) -> Any:
    """The dict that a comprehension makes."""
    found, key = steps.own.fresh("gathered"), steps.own.fresh("key")
    steps.put(nodes.assign(found, cst.Dict([])))
    store = nodes.assign(nodes.item(nodes.name(found), nodes.name(key)), node.value)
    _looped(steps, node.for_in, node, nodes.assign(key, node.key), store)
    return nodes.name(found)


def _looped(steps: Steps, loop: cst.CompFor, node: cst.CSTNode, *inner: Any) -> None:
    """The loop of a comprehension around statements, its names apart from the function's."""
    if loop.inner_for_in is not None or loop.asynchronous is not None:
        raise NotLooped("a call of itself in a comprehension of several loops", node)
    own = {each: steps.own.fresh(each) for each in names_bound(loop.target)}
    if any(isinstance(each, cst.Lambda | cst.BaseComp) for part in (*inner, *loop.ifs) for each in nodes.inside(part)):
        raise NotLooped("a call of itself in a comprehension with others in it", node)
    renamed = _Renamed(own)
    block = nodes.suite(list(inner))
    for test in reversed(loop.ifs):
        block = nodes.suite([cst.If(test.test, block)])
    target: Any = loop.target.visit(renamed)
    body: Any = block.visit(renamed)
    steps.statement(cst.For(target, loop.iter, body))


class _Renamed(cst.CSTTransformer):
    """Names by others."""

    def __init__(self, others: dict[str, str]) -> None:
        super().__init__()
        self.others = others

    def visit_Attribute(self, node: cst.Attribute) -> bool:  # noqa: N802 (libcst's name)
        return True

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.Name:  # noqa: N802 (libcst's name)
        return updated_node.with_changes(value=self.others[original_node.value]) if original_node.value in self.others else updated_node

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.Attribute:  # noqa: N802
        return updated_node.with_changes(attr=original_node.attr)

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:  # noqa: N802
        return updated_node.with_changes(keyword=original_node.keyword)


def _binary(steps: Steps, node: cst.BinaryOperation) -> Any:
    left, right = steps.values([node.left, node.right])
    return node.with_changes(left=left, right=right)


def _compared(steps: Steps, node: cst.Comparison) -> Any:
    if len(node.comparisons) > 1 and any(map(steps.own.has_call, node.comparisons)):
        raise NotLooped("a call of itself in a chain of comparisons", node)
    first, *others = node.comparisons
    left, right = steps.values([node.left, first.comparator])
    return node.with_changes(left=left, comparisons=[first.with_changes(comparator=right), *others])


def _unary(steps: Steps, node: cst.UnaryOperation) -> Any:
    return node.with_changes(expression=steps.value(node.expression))


def _boolean(steps: Steps, node: cst.BooleanOperation) -> Any:
    """`a or b`: b on a path of its own."""
    left = steps.value(node.left)
    if not steps.own.has_call(node.right):
        return node.with_changes(left=left)
    found = steps.own.fresh("decided")
    steps.put(nodes.assign(found, left))
    test: Any = nodes.name(found)
    if isinstance(node.operator, cst.Or):
        test = cst.UnaryOperation(cst.Not(), test)
    _on_paths(steps, test, found, node.right, None)
    return nodes.name(found)


def _chosen(steps: Steps, node: cst.IfExp) -> Any:
    test = steps.value(node.test)
    if not steps.own.has_call(node.body) and not steps.own.has_call(node.orelse):
        return node.with_changes(test=test)
    found = steps.own.fresh("chosen")
    _on_paths(steps, test, found, node.body, node.orelse)
    return nodes.name(found)


def _on_paths(steps: Steps, test: Any, found: str, then: Any, orelse: Any) -> None:
    """if test: found = then else: found = orelse"""
    one, two, after = steps.new(), steps.new(), steps.new()
    steps.end(Fork(test, one, two), one)
    steps.put(nodes.assign(found, steps.value(then)))
    steps.end(Jump(after), two)
    if orelse is not None:
        steps.put(nodes.assign(found, steps.value(orelse)))
    steps.end(Jump(after), after)


def _sequence(steps: Steps, node: cst.Tuple | cst.List | cst.Set) -> Any:
    values = steps.values([each.value for each in node.elements])
    return node.with_changes(elements=[each.with_changes(value=value) for each, value in zip(node.elements, values, strict=True)])


def _dict(steps: Steps, node: cst.Dict) -> Any:
    """Each key, then its value; a dict that another one takes in is looked at when its place comes."""
    found = iter(steps.values([part for each in node.elements for part in ((each.key, each.value) if isinstance(each, cst.DictElement) else (each.value,))]))
    return node.with_changes(elements=[
        each.with_changes(key=next(found), value=next(found)) if isinstance(each, cst.DictElement) else each.with_changes(value=next(found)) for each in node.elements
    ])  # fmt: skip


def _named(steps: Steps, node: cst.NamedExpr) -> Any:
    target = cst.ensure_type(node.target, cst.Name).value
    steps.put(nodes.assign(target, steps.value(node.value)))
    return nodes.name(target)


def _subscript(steps: Steps, node: cst.Subscript) -> Any:
    if len(node.slice) == 1 and isinstance(node.slice[0].slice, cst.Index):
        value, index = steps.values([node.value, node.slice[0].slice.value])
        return nodes.item(value, index)
    if any(map(steps.own.has_call, node.slice)):
        raise NotLooped("a call of itself in a slice", node)
    return node.with_changes(value=steps.value(node.value))


def _attribute(steps: Steps, node: cst.Attribute) -> Any:
    return node.with_changes(value=steps.value(node.value))


EXPRESSIONS.update({
    cst.Call: _call, cst.BinaryOperation: _binary, cst.Comparison: _compared, cst.UnaryOperation: _unary, cst.BooleanOperation: _boolean, cst.IfExp: _chosen,
    cst.Tuple: _sequence, cst.List: _sequence, cst.Set: _sequence, cst.Subscript: _subscript, cst.Attribute: _attribute, cst.ListComp: _gathered,
    cst.Dict: _dict, cst.DictComp: _gathered_by_key, cst.NamedExpr: _named,
})  # fmt: skip
