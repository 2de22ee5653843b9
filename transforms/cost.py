"""What a program does, counted: operations on elements, transcendental functions, bytes read and written.

    y = mul(x, x); s = reduce_sum(y)      x: f8[1000]   ->   2000 operations, 0 functions, 32 008 bytes

Each equation counts as if its arrays were in memory: what the target fuses or leaves out is not known here. A loop counts for each of its trips where sizes
say how many there are, else once; of an `if` the larger branch counts; a store counts what it writes. Sizes, and tests of them, count nothing.
"""
from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from s2s.records import dataclass
from s2s.transforms.ir.interpret import bind_shape
from s2s.transforms.ir.program import Atom, Block, Call, Equation, For, Function, If, Map, Node, Var, While
from s2s.transforms.primitives import rows
from s2s.transforms.primitives.contract import contract, letters
from s2s.transforms.primitives.row import Cost as Kind
from s2s.transforms.shapes import learn
from s2s.types import Literal, is_size


@dataclass(frozen=True)
class Cost:
    """How much: of arithmetic and comparisons, of functions such as exp, of bytes that equations read and write."""

    flops: float = 0.0
    transcendentals: float = 0.0
    bytes_accessed: float = 0.0

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.flops + other.flops, self.transcendentals + other.transcendentals, self.bytes_accessed + other.bytes_accessed)

    def times(self, count: float) -> Cost:
        """So many of it."""
        return Cost(self.flops * count, self.transcendentals * count, self.bytes_accessed * count)


def cost_of(function: Function, shapes: Sequence[tuple[int, ...]]) -> Cost:
    """The cost of a call with parameters of these shapes."""
    env: dict[Var, Any] = {}
    for param, shape in zip(function.params, shapes, strict=True):
        bind_shape(param, shape, env)
    return _of_block(function.body, env)


def _of_block(block: Block, env: dict[Var, Any]) -> Cost:
    learn(block, env)
    return sum((_of_node(node, env) for node in block.nodes), Cost())


def _of_node(node: Node, env: dict[Var, Any]) -> Cost:
    match node:
        case Equation():
            return _of_equation(node, env)
        case Call():
            inner = {param: known for param, atom in zip(node.function.params, node.ins, strict=True) if (known := _known(atom, env)) is not None}
            for param, atom in zip(node.function.params, node.ins, strict=True):
                bind_shape(param, tuple(int(_size(dim, env)) for dim in atom.type.shape), inner)
            return _of_block(node.function.body, inner)
        case For():
            lo, hi, step = (_known(atom, env) for atom in (node.lo, node.hi, node.step))
            trips = 1 if lo is None or hi is None or not step else len(range(int(lo), int(hi), int(step)))
            return _of_block(node.body, dict(env)).times(trips)
        case Map():
            return _of_block(node.body, dict(env)).times(int(_known(node.size, env) or 1))
        case While():
            return _of_block(node.test, dict(env)) + _of_block(node.body, dict(env))
        case If():
            branches = [_of_block(block, dict(env)) for block in (node.then, node.orelse)]
            return max(branches, key=lambda each: (each.flops + each.transcendentals, each.bytes_accessed))
    return Cost()


def _of_equation(node: Equation, env: dict[Var, Any]) -> Cost:
    kind = node.primitive.cost
    if kind is Kind.FREE or all(is_size(atom.type) and _known(atom, env) is not None for atom in node.ins) and not any(out.type.shape for out in node.outs):
        return Cost()  # what follows from sizes is no work of the user's
    outs, ins = sum(_count(out, env) for out in node.outs), sum(_count(atom, env) for atom in node.ins)
    moved = sum(_count(atom, env) * atom.type.dtype.itemsize for atom in (*node.ins, *node.outs))
    if node.primitive in _STORES:
        stored = _count(node.ins[1], env)
        return Cost(stored * _STORES[node.primitive], 0.0, stored * node.ins[0].type.dtype.itemsize * (2 + _STORES[node.primitive]))
    if node.primitive is rows.concatenate:
        return Cost(0.0, 0.0, moved)
    if kind is Kind.FUNCTION:
        return Cost(0.0, outs, moved)
    if node.primitive is contract:
        return Cost(2.0 * _of_letters(node, env), 0.0, moved)
    return Cost(outs if kind is Kind.CHEAP else max(ins, outs), 0.0, moved)


_STORES = {rows.setitem: 0, rows.additem: 1}
"""What writes a part of an array, and how often it adds for each element."""


def _of_letters(node: Equation, env: dict[Var, Any]) -> float:
    """The products of a contraction: one for each place of all of its letters."""
    sizes = {}
    for named, atom in zip(letters(node.params["spec"])[:2], node.ins, strict=True):
        sizes.update({letter: _size(dim, env) for letter, dim in zip(named, atom.type.shape, strict=True)})
    return prod(sizes.values())


def _count(atom: Atom, env: dict[Var, Any]) -> float:
    return prod(_size(dim, env) for dim in atom.type.shape)


def _size(dim: Any, env: dict[Var, Any]) -> float:
    return dim if isinstance(dim, int) else int(env.get(dim, 1))


def _known(atom: Atom, env: dict[Var, Any]) -> Any:
    return atom.value if isinstance(atom, Literal) else env.get(atom)


__all__ = ["Cost", "cost_of"]
