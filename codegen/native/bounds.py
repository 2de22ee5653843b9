"""How small an integer of a kernel can be: a position that is never negative needs no test whether it counts from the end."""
from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain

from s2s.codegen.native.source import Source


class Least:
    """The least values of variables that are bound at one place, or by the loop around."""

    def __init__(self, source: Source) -> None:
        loops = Counter(node.target.id for node in source.nodes if isinstance(node, ast.For) and isinstance(node.target, ast.Name))
        params, counts = set(source.params), source.stores
        self._once = {name for name, count in counts.items() if count == 1 and name not in params}
        self.indices = {name for name, count in loops.items() if counts[name] == count and name not in params}
        """Names that nothing but loops binds."""
        grown = Counter(chain.from_iterable(map(_grown, source.nodes)))
        self._least: dict[str, int] = {name: 0 for name, count in grown.items() if counts[name] == count and name not in params}

    def bind(self, name: str, value: ast.expr) -> None:
        """A statement `name = value`."""
        least = self.of(value)
        if name in self._once and least is not None:
            self._least[name] = least

    def length(self, name: str) -> None:
        """A variable is bound to a length."""
        if name in self._once:
            self._least[name] = 0

    def loop(self, name: str, lo: ast.expr | None, hi: ast.expr, step: int | None) -> None:
        """A loop's index, while the loop is looked at. `step`: where it is known."""
        self._least.pop(name, None)
        if name not in self.indices or step is None:
            return
        if step > 0:
            least = 0 if lo is None else self.of(lo)
        else:
            end = self.of(hi)
            least = None if end is None else end + 1
        if least is not None:
            self._least[name] = least

    def of(self, node: ast.expr) -> int | None:
        """The least value of an integer, as far as it is known."""
        match node:
            case ast.Constant(value=int(value)):
                return value
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
                return -value
            case ast.Name():
                return self._least.get(node.id)
            case ast.Subscript(value=ast.Attribute(attr="shape")):
                return 0
            case ast.BinOp():
                return self._binary(node)
            case ast.IfExp():
                return _both(min, self.of(node.body), self.of(node.orelse))
            case ast.Call(func=ast.Name(id="max"), args=[first, second]):
                known = [least for least in (self.of(first), self.of(second)) if least is not None]
                return max(known, default=None)
            case ast.Call(func=ast.Name(id="min"), args=[first, second]):
                return _both(min, self.of(first), self.of(second))
            case _:
                return None

    def _binary(self, node: ast.BinOp) -> int | None:
        left, right = self.of(node.left), self.of(node.right)
        match node.op:
            case ast.Add():
                return _both(int.__add__, left, right)
            case ast.Sub() if isinstance(node.right, ast.Constant):
                return _both(int.__sub__, left, right)
            case ast.Mult() if (left or 0) >= 0 and (right or 0) >= 0:
                return _both(int.__mul__, left, right)
            case ast.FloorDiv() if isinstance(node.right, ast.Constant) and (right or 0) > 0 and left is not None and right is not None:
                return left // right
            case ast.FloorDiv() if left is not None and right is not None and left >= 0 and right >= 0:  # by 0 it is 0
                return 0
            case ast.Mod() if right is not None and right >= 0:
                return 0
            case _:
                return None


def _grown(node: ast.AST) -> Iterator[str]:
    """The variables that a statement sets to a number from 0 on, or adds one to: a count."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=int(value))) if value >= 0:
            yield name
        case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=ast.Constant(value=int(value))) if value >= 0:
            yield name


def _both(function: Callable[[int, int], int], first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else function(first, second)
