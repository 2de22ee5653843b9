"""The page `docs/primitives.md`: every row with its meaning in NumPy and its derivative, written from the table.

    python -m s2s.transforms.primitives.page > docs/primitives.md
"""
from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from s2s.transforms.ir.program import Equation
from s2s.transforms.primitives import linear_algebra, orthogonal_factors
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.row import Elementwise, Nothing, NotYet, Primitive, Sample
from s2s.transforms.primitives.structural import broadcast
from s2s.transforms.primitives.table import KINDS
from s2s.transforms.primitives.value import Value
from s2s.types import SIZE, Array, Atom, Literal, Var, dim_atom, kind_of

DTYPES = {"b": "bool", "i": "int", "f": "float", "c": "complex"}
OPERANDS = "abcdefgh"


def page() -> str:
    """The page's text."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# Primitives"
    yield ""
    yield "Written from the table by `python -m s2s.transforms.primitives.page > docs/primitives.md`; a test keeps it current. `a_dot` is the tangent"
    yield "of operand `a`, `ans` the result. Reverse mode is the transpose of what stands here. A dash: the derivative is zero wherever it exists."
    for title, module in KINDS.items():
        yield ""
        yield f"## {title}"
        yield ""
        yield "| primitive | in NumPy | of | tangent |"
        yield "| --- | --- | --- | --- |"
        for row in module.ROWS:
            yield f"| `{row.name}` | {_meaning(row)} | {_dtypes(row)} | {_tangent(row)} |"


def _meaning(row: Primitive) -> str:
    if isinstance(row.emission, Elementwise):
        return _code(row.emission.array)
    point = _Point(row)
    return _code(point.text(point.outs[0], inline=True))


def _dtypes(row: Primitive) -> str:
    kinds = {kind_of(np.asarray(sample.make(np.random.default_rng(0))[0]).dtype) for sample in row.samples}
    return ", ".join(name for kind, name in DTYPES.items() if kind in kinds)


def _tangent(row: Primitive) -> str:
    if isinstance(row.jvp, Nothing | NotYet):
        return "-"
    point = _Point(row)
    dots = tuple(Value(point.builder, Var(f"{atom}_dot", atom.type)) if k in point.wrt else None for k, atom in enumerate(point.ins))
    tangents = row.jvp(dots, tuple(Value(point.builder, atom) for atom in point.ins), tuple(Value(point.builder, out) for out in point.outs), **point.params)
    if len(tangents) > 1 or row in (*linear_algebra.ROWS, *orthogonal_factors.ROWS):  # what is made of many rows is told in words
        return " ".join((row.jvp.__doc__ or "").split())
    (tangent,) = tangents
    return "-" if tangent is None else _code(point.text(tangent.atom))


def _code(text: str) -> str:
    """Code in a cell of a table."""
    return "`" + text.replace("|", "\\|") + "`"


def _is_telling(sample: Sample) -> bool:
    """No length is 0 or 1."""
    operands = sample.make(np.random.default_rng(0))
    return all(number > 1 if isinstance(number, int) else all(length > 1 for length in number.shape) for number in operands)


class _Point:
    """A row's equation at its most telling sample: the first scalar one of an elementwise row, the second of another."""

    def __init__(self, row: Primitive) -> None:
        scalar = isinstance(row.emission, Elementwise)
        differentiable = [sample for sample in row.samples if sample.wrt] or list(row.samples)
        telling = [sample for sample in differentiable if scalar or _is_telling(sample)] or differentiable
        sample = telling[0 if scalar or len(telling) == 1 else 1]
        self.wrt, self.params, self.builder = sample.wrt, sample.params, new_builder()
        self.dims: dict[int, Var] = {}
        self.ins = tuple(self.operand(number, name) for number, name in zip(sample.make(np.random.default_rng(0)), OPERANDS, strict=False))
        self.outs = self.builder.equation(row, self.ins, self.params)

    def dim(self, length: int) -> int | Var:
        return self.dims.setdefault(length, Var("nmkpq"[len(self.dims)], SIZE)) if length > 1 else length

    def operand(self, number: Any, name: str) -> Atom:
        if isinstance(number, int):
            return dim_atom(self.dim(number))
        return Var(name, Array(number.dtype, tuple(self.dim(length) for length in number.shape)))

    def text(self, atom: Atom, *, inline: bool = False) -> str:
        """The atom as an expression of the operands, their tangents and the result (the result too if `inline`)."""
        made = {out: node for node in self.builder.nodes if isinstance(node, Equation) for out in node.outs}
        if not inline:
            made = {out: node for out, node in made.items() if out not in self.outs}
        return ast.unparse(self.expression(atom, made)).replace("1e309", "np.inf")  # unparse writes inf so

    def expression(self, atom: Atom, made: dict[Var, Equation]) -> ast.expr:
        if isinstance(atom, Literal):
            return ast.Constant(round(atom.value, 6) if isinstance(atom.value, float) else atom.value)
        if atom not in made:
            return ast.Name("ans" if atom in self.outs else atom.name)
        node = made[atom]
        ins = [self.expression(each, made) for each in node.ins]
        if node.primitive is broadcast and isinstance(node.ins[0], Literal):
            return ins[0]
        params = {key: _static(value) for key, value in node.params.items()}
        if isinstance(node.primitive.emission, Elementwise):
            template = ast.parse(node.primitive.emission.array, mode="eval").body
            return _Filled(dict(zip(OPERANDS, ins, strict=False)) | params).visit(template)
        return ast.Call(ast.Name(node.primitive.name), ins, [ast.keyword(key, value) for key, value in params.items()])


def _static(value: Any) -> ast.expr:
    return ast.parse(f"np.{value}" if isinstance(value, np.dtype) else repr(value), mode="eval").body


class _Filled(ast.NodeTransformer):
    """Puts expressions in the place of names."""

    def __init__(self, names: dict[str, ast.expr]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.names.get(node.id, node)


if __name__ == "__main__":
    sys.stdout.write(page())
