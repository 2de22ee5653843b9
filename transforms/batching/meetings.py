"""Where examples meet: the collectives in a function, and what differs from example to example on the way through it."""
from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import TypeGuard

from s2s.transforms.batching.collective_rules import shares
from s2s.transforms.batching.parts import reads
from s2s.transforms.ir.program import (
    Atom,
    Block,
    Call,
    Equation,
    For,
    Function,
    If,
    Map,
    Mask,
    Node,
    Rule,
    Var,
    While,
    dims_of,
    operands,
    walk,
)
from s2s.transforms.ir.rewrite import Substitution, inline
from s2s.transforms.primitives import collectives
from s2s.transforms.primitives.row import Primitive
from s2s.types import SIZE, Dim, dim_atom

ROWS = frozenset(collectives.ROWS)
BOUNDS = frozenset(collectives.BOUNDS)
"""What stands at the bounds of derivatives (`settled.py`)."""
LIKE = frozenset((collectives.tied, collectives.alike))
"""Those whose results differ where their second operand does."""
PLACES = frozenset((collectives.axis_index, collectives.axis_size))
"""Those for which nobody is asked."""


def meetings(block: Block, rows: frozenset[Primitive] = ROWS, seen: frozenset[Rule] = frozenset()) -> Iterator[Equation]:
    """The collectives in a block, in what it calls too, and in the rules of that."""
    for node in walk(block):
        if isinstance(node, Equation) and node.primitive in rows:
            yield node
        elif isinstance(node, Call) and node.function.rule not in seen:
            yield from meetings_of(node.function, rows, seen)


def meetings_of(function: Function, rows: frozenset[Primitive] = ROWS, seen: frozenset[Rule] = frozenset()) -> Iterator[Equation]:
    """Those of a function, and of its rule."""
    rule = function.rule
    inside = seen if rule is None else seen | {rule}
    for block in (function.body, *(() if rule is None else (each.body for each in rule.programs()))):
        yield from meetings(block, rows, inside)


class Opened(Substitution):
    """Calls in which examples meet stand for what they do; which example it is, and how many there are, for `number` and the size."""

    def __init__(self, names: frozenset[Hashable], size: Dim, rows: frozenset[Primitive]) -> None:
        super().__init__(renew=False)
        self.names, self.size, self.rows = names, size, rows
        self.number = Var("index", SIZE)

    def block(self, block: Block) -> Block:
        nodes: list[Node] = []
        for node in block.nodes:
            done = self.node(node)
            if isinstance(done, Call) and next(meetings(done.function.body, self.rows), None) is not None and (done.function.rule is None or done.function.rule.keeps_numbers):
                nodes += self.opened(done)
                self.mapping.update((old, self.mapping[out]) for old, out in zip(node.outs, done.outs, strict=True))
            elif isinstance(done, Equation) and done.primitive in PLACES and done.params["axis"] in self.names:
                self.mapping[node.outs[0]] = self.mapping[done.outs[0]] = self.number if done.primitive is collectives.axis_index else dim_atom(self.size)
            else:
                nodes.append(done)
        return Block(tuple(nodes), self.atoms(block.results))

    def opened(self, node: Call) -> tuple[Node, ...]:
        nodes, results = inline(node)
        inner = self.block(Block(nodes, tuple(results.values())))
        self.mapping.update(zip(results, inner.results, strict=True))
        return inner.nodes


# ---- what differs ------------------------------------------------------------------------------------------------------------


class Flow:
    """What differs from example to example (`varied`), found out node by node; of loops, as often as something new does."""

    def __init__(self, names: frozenset[Hashable], params: Iterable[Var]) -> None:
        self.names = names
        self.varied: set[Atom] = set(params)
        self._meets: dict[Node, bool] = {}
        self._results: dict[tuple[Function, Mask], Mask] = {}

    def is_own(self, node: Node) -> bool:
        """Whether a node is a collective over the examples' axis."""
        return self.is_ours(node) and node.primitive not in BOUNDS

    def is_ours(self, node: Node) -> TypeGuard[Equation]:
        """Whether a node is a row over the examples' axis."""
        return isinstance(node, Equation) and node.primitive in ROWS and node.params["axis"] in self.names

    def varies(self, node: Node) -> bool:
        """Whether a node reads anything that differs."""
        return not self.varied.isdisjoint(reads(node))

    def meets(self, node: Node) -> bool:
        """Whether there is a collective in a node."""
        if node not in self._meets:
            self._meets[node] = next(meetings(Block((node,), ())), None) is not None
        return self._meets[node]

    def given(self, node: Call) -> Mask:
        """Which operands of a call differ."""
        return tuple(atom in self.varied for atom in node.ins)

    def results_of(self, function: Function, varied: Mask) -> Mask:
        """Which results of a function differ, where these of its params do."""
        key = function, varied
        if key not in self._results:
            block, inner = self.through(function, varied)
            self._results[key] = tuple(result in inner.varied for result in block.results)
        return self._results[key]

    def through(self, function: Function, varied: Mask) -> tuple[Block, Flow]:
        """The body of a function that is called, and the flow through it."""
        opened = self.opened()
        block = opened.block(function.body)
        inner = type(self)(self.names, (opened.number, *(param for param, on in zip(function.params, varied, strict=True) if on)))
        inner.block(block)
        return block, inner

    def opened(self) -> Opened:
        """What writes out the calls in which examples meet."""
        return Opened(self.names, 1, ROWS)

    def stands_around(self, node: Node) -> bool:
        """Whether a region stands around the Maps of what is in it: all examples go the same way, and they meet in it, or a test is made once for all."""
        if not isinstance(node, For | While | If | Map) or not (self.meets(node) or isinstance(node, If) or _computes_sizes(node)):
            return False
        return self.has_shared_control(node)

    def has_shared_control(self, node: Node) -> bool:
        """Whether all examples go the same way through a region."""
        match node:
            case For():
                return self.varied.isdisjoint((node.lo, node.hi, node.step))
            case While():
                return node.test.results[0] not in self.varied
        return self.varied.isdisjoint(operands(node))

    def block(self, block: Block) -> None:
        for node in block.nodes:
            self.node(node)

    def node(self, node: Node) -> None:
        if self.is_own(node):
            assert isinstance(node, Equation)
            self.varied.update(() if shares(node.primitive, node.params) else node.outs)
        elif self.is_ours(node):
            what, like = node.ins
            self.varied.update(node.outs if (like if node.primitive in LIKE else what) in self.varied else ())
        elif isinstance(node, While) and (self.meets(node) or _computes_sizes(node)):
            self.loop(node, (node.test, node.body))
        elif isinstance(node, Call) and self.meets(node):
            self.varied.update(out for out, on in zip(node.outs, self.results_of(node.function, self.given(node)), strict=True) if on)
        elif not self.stands_around(node):
            self.varied.update(node.outs if self.varies(node) else ())
        elif isinstance(node, For):
            self.loop(node, (node.body,))
        else:
            for block in node.blocks:
                self.block(block)
                self.varied.update(out for out, result in zip(node.outs, block.results, strict=True) if result in self.varied)

    def loop(self, node: For | While, inside: tuple[Block, ...]) -> None:
        """What is carried differs if it does at the start, or after a trip."""
        known = -1
        self.varied.update(carry for carry, init in zip(node.carry, node.init, strict=True) if init in self.varied)
        while known < len(self.varied):
            known = len(self.varied)
            for block in inside:
                self.block(block)
            self.varied.update(carry for carry, result in zip(node.carry, node.body.results, strict=True) if result in self.varied)
        everything = not self.has_shared_control(node)
        self.varied.update(out for out, carry in zip(node.outs, node.carry, strict=True) if everything or carry in self.varied)


def _computes_sizes(node: Node) -> bool:
    """Whether a region's results have sizes that are among them."""
    return bool(node.blocks) and not set(node.outs).isdisjoint(dims_of(node.outs))


__all__ = ["BOUNDS", "LIKE", "PLACES", "ROWS", "Flow", "Opened", "meetings", "meetings_of"]
