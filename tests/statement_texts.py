"""Statements of the loop language from a small Python text, for tests: what goes into a pass, readable.

    statements('''
    for i in range(n):
        y[i] = exp(x[i]) + 1.0
    ''')

`x = np.empty((n, m))` allocates; arrays may change hands (`u = new`); what stands in an index or in range() is a sum of integers; a call
that is a statement calls a kernel; `raise ValueError("…")`, behind it `# late`, `# stretch` or the indices of the loops over
examples around it, `# example i`.
"""
from __future__ import annotations

import ast
import re
import textwrap
from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np

from s2s.codegen.language import operations
from s2s.codegen.language.expressions import Expr, Length, Load, Name, Op, Tuple, Type, as_int, total
from s2s.codegen.language.notation import expression
from s2s.codegen.language.statements import (
    ONE,
    Alloc,
    Assign,
    Body,
    CallKernel,
    IfElse,
    Loop,
    Raise,
    Statement,
    Store,
    WhileLoop,
    lines,
    walk,
    with_each_body,
)
from s2s.codegen.lowering.lowered import Lowered, Slot
from s2s.errors import NOWHERE
from s2s.transforms.ir.program import Block, Function
from s2s.types import FLOAT64, SIZE, Array, Var


def statements(source: str, arrays: tuple[str, ...] = ()) -> Body:
    """The statements. `arrays`: the names of those that nothing in it allocates."""
    source = textwrap.dedent(source)
    nodes = ast.parse(source).body
    if len(nodes) == 1 and isinstance(nodes[0], ast.FunctionDef):
        nodes = nodes[0].body
    body = _body(nodes, source.split("\n"))
    return _with_moves(body, {*arrays, *(each.name for each in walk(body) if isinstance(each, Alloc))})


def _with_moves(body: Body, arrays: set[str]) -> Body:
    """The statements; where arrays are assigned, they change hands."""
    def moved(each: Statement) -> Statement:
        if isinstance(each, Assign) and all(isinstance(item, Name) and item.id in arrays for item in each.values):
            return replace(each, move=True)
        return with_each_body(each, lambda inner: _with_moves(inner, arrays))

    return tuple(map(moved, body))


def texts(body: Body) -> str:
    """The statements as text."""
    return textwrap.dedent("\n".join(lines(body)))


def written(source: str) -> str:
    """A text as `texts` writes it."""
    return textwrap.dedent(source).strip("\n")


def value(source: str) -> Expr:
    """An expression."""
    return _value(ast.parse(source, mode="eval").body)


def position(source: str) -> Expr:
    """An integer: sums in their normal form."""
    return _position(ast.parse(source, mode="eval").body)


def _leaf(node: ast.expr) -> Expr | None:
    match node:
        case ast.Subscript(ast.Attribute(ast.Name(array), "shape"), ast.Constant(axis)):
            return Length(array, axis)  # type: ignore[arg-type]
        case ast.Subscript(ast.Name(array), ast.Tuple(items)):
            return Load(array, tuple(map(_position, items)))
        case ast.Subscript(ast.Name(array), item):
            return Load(array, (_position(item),))
        case ast.Name(name):
            return Name(name)
        case ast.Tuple(items):
            return Tuple(tuple(map(_value, items)))
        case ast.Call(ast.Name(name), [inner]) if hasattr(np, name) and name.rstrip("0123456789") in ("float", "int", "uint"):
            return Op(operations.conversion(np.dtype(name)), (_value(inner),))
        case ast.Attribute(ast.Name("np"), name) if hasattr(np, name) and isinstance(getattr(np, name), type):
            return Type(np.dtype(getattr(np, name)))
        case _:
            return None


def _value(node: ast.expr) -> Expr:
    return expression(node, _leaf)


def _position(node: ast.expr) -> Expr:
    return _summed(_value(node))


def _summed(expr: Expr) -> Expr:
    """Sums of integers in their normal form."""
    if not isinstance(expr, Op):
        return expr
    items = tuple(map(_summed, expr.operands))
    if expr.operation in (operations.ADD, operations.SUBTRACT):
        return total((items[0], 1), (items[1], 1 if expr.operation is operations.ADD else -1))
    if expr.operation is operations.NEGATE:
        return total((items[0], -1))
    if expr.operation is operations.MULTIPLY and (factor := as_int(items[0])) is not None:
        return total((items[1], factor))
    return Op(expr.operation, items)


def _body(nodes: list[ast.stmt], source: list[str]) -> Body:
    return tuple(_statement(node, source) for node in nodes if not isinstance(node, ast.Pass))


def _statement(node: ast.stmt, source: list[str]) -> Statement:
    match node:
        case ast.Assign([ast.Subscript() as target], right):
            element = _value(target)
            assert isinstance(element, Load)
            return Store(element.array, element.index, _value(right))
        case ast.Assign([ast.Name(target)], ast.Call(ast.Attribute(ast.Name("np"), "empty"), [shape, *dtype])):
            shape_ = tuple(map(_position, shape.elts if isinstance(shape, ast.Tuple) else [shape]))
            given = _value(dtype[0]) if dtype else None
            return Alloc(target, shape_, given.dtype if isinstance(given, Type) else np.dtype(float))
        case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)):
            return Assign(tuple(target.id for target in targets if isinstance(target, ast.Name)), tuple(map(_value, values)))
        case ast.Assign([ast.Name(target)], right):
            return Assign((target,), (_value(right),))
        case ast.AugAssign(target, op, right):
            return _augmented(target, op, right)
        case ast.For(ast.Name(index), ast.Call(ast.Name("range"), bounds), body):
            ends = [*map(_position, bounds)]
            lo, hi, step = (operations.Number(0), ends[0], ONE) if len(ends) == 1 else (*ends, ONE)[:3]
            return Loop(index, lo, hi, step, _body(body, source))
        case ast.While(test, body):
            return WhileLoop((), _value(test), _body(body, source))
        case ast.If(test, then, orelse):
            return IfElse(_value(test), _body(then, source), _body(orelse, source))
        case ast.Raise(ast.Call(ast.Name(kind), args)):
            said = source[node.lineno - 1].partition("#")[2]
            examples = tuple(map(Name, said.partition("example ")[2].split()))
            return Raise(kind, tuple(map(_value, args)), NOWHERE, stretch="stretch" in said, late="late" in said, examples=examples)
        case ast.Expr(ast.Call(ast.Name(kernel), args)):
            return CallKernel((), kernel, tuple(map(_value, args)), writes=tuple(arg.id for arg in args if isinstance(arg, ast.Name)))
        case _:
            raise AssertionError(ast.unparse(node))


def _augmented(target: ast.expr, op: ast.operator, right: ast.expr) -> Statement:
    whole: Any = ast.BinOp(target, op, right)
    done = _value(whole)
    assert isinstance(done, Op)
    if isinstance(target, ast.Name):
        return Assign((target.id,), (done,))
    element = done.operands[0]
    assert isinstance(element, Load)
    return Store(element.array, element.index, done)


# ---- kernels ----------------------------------------------------------------------------------------------------------


def kernel(
    source: str, arrays: str = "", numbers: str = "", *, returns: str = "", sums: str = "", swaps: tuple[tuple[str, str], ...] = (), derived: bool = False
) -> Lowered:
    """A kernel of these statements. `arrays`: its parameters and their lengths, "x[n, m] y[n]"; `numbers`: those that are numbers;
    `returns`: the variables that it returns; `sums`: scalars whose sums may be added in any order.
    """
    sizes: dict[str, tuple[str, int]] = {}
    slots, variables = [], {}
    for name, dims in re.findall(r"(\w+)\[(.*?)\]", arrays):
        for axis, dim in enumerate(dims.split(", ")):
            variables.setdefault(dim, Var(dim, SIZE))
            sizes.setdefault(dim, (name, axis))
        type_ = Array(FLOAT64, tuple(variables[dim] for dim in dims.split(", ")))
        slots.append(Slot(name, type_, param=True))
    slots += [Slot(name, Array(FLOAT64, ()), param=True) for name in numbers.split()]
    params = tuple(Var(slot.name, slot.type) for slot in slots)
    function = Function("f", params, Block((), ()), NOWHERE, "", None, derived)
    body = statements(source, tuple(slot.name for slot in slots if slot.type.shape))
    return Lowered(
        function, "_f", tuple(slots), tuple(map(Name, returns.split())), body, sizes, frozenset(swaps), frozenset(sums.split()), frozenset(), (),
    )


def kernel_text(made: Lowered) -> str:
    """A kernel's statements; its head too, where it has arrays that are allocated for it."""
    if not made.buffers:
        return texts(made.body)
    params = ", ".join([*(slot.name for slot in made.params), *(buffer.name for buffer in made.buffers)])
    return "\n".join([f"def {made.name}({params}):", *lines(made.body)])


def picture(module: ModuleType) -> tuple[str, str]:
    """What a module's docstring shows on the left and on the right of its arrow."""
    assert module.__doc__ is not None
    block = next(part for part in module.__doc__.split("\n\n")[1:] if re.search("  ->", part))  # since Python 3.13 docstrings are not indented
    rows = textwrap.dedent(block).strip("\n").split("\n")
    first = re.match(r"\S.*?\s{2,}(?=\S)(?!->)", rows[0].replace("->", "  "))
    assert first is not None, rows[0]
    left = [row[: first.end()].rstrip().removesuffix("->").rstrip() for row in rows]
    return written("\n".join(left)), written("\n".join(row[first.end():].rstrip() for row in rows))
