"""Dead code: nodes, carries, branches' results and calls' results that nobody reads are dropped; what can raise or prints stays.

    y = 0.0                       ->    return 2.0 * x
    for i in range(n):
        y += x * np.float64(i)
    return 2.0 * x
"""
from __future__ import annotations

from collections.abc import Callable

from s2s.records import replace
from s2s.transforms.ir.program import (
    Atom,
    Block,
    Call,
    Check,
    Equation,
    For,
    Function,
    If,
    Map,
    Node,
    Print,
    Var,
    While,
    dims_of,
    kept,
)
from s2s.transforms.primitives.decompositions import svd_complete
from s2s.transforms.primitives.orthogonal_factors import svd

Narrow = Callable[[Function, tuple[int, ...]], tuple[Function, tuple[int, ...]]]
"""narrow(function, wanted results) -> (the function with just those, the parameters that it still has)."""


def live_nodes(block: Block, narrow: Narrow) -> tuple[Node, ...]:
    """The nodes of a block that matter for its results, or that can raise or print."""
    return _Sweep(narrow).block(block)[0]


def only(block: Block, keep: list[int]) -> Block:
    """The block with some of its results."""
    return kept(block, Block(block.nodes, tuple(block.results[k] for k in keep)))


def _read(atoms: tuple[Atom, ...], live: set[Var]) -> None:
    live.update([atom for atom in atoms if isinstance(atom, Var)])
    live.update(dims_of(atoms))


def _has_effect(node: Node) -> bool:
    if isinstance(node, Check | Print):
        return True
    if isinstance(node, Equation):
        return False
    inside = (node.function.body,) if isinstance(node, Call) else node.blocks
    return any(_has_effect(inner) for block in inside for inner in block.nodes)


def _values_alone(node: Equation) -> Equation:
    """Singular values whose complete bases nobody reads: those of the decomposition that has derivatives."""
    left, _, right = svd.infer(node.ins)
    return replace(node, primitive=svd, outs=(Var(node.outs[0].name, left), node.outs[1], Var(node.outs[2].name, right)))


class _Sweep:
    """One pass from the last node to the first."""

    def __init__(self, narrow: Narrow) -> None:
        self.narrow = narrow
        self.loops: dict[tuple[int, tuple[int, ...]], tuple[For | While, set[Var]]] = {}
        """Loops that were swept, by which of their results were wanted: those in loops are asked for again with what these turn out to carry."""

    def block(self, block: Block) -> tuple[tuple[Node, ...], set[Var]]:
        """The nodes that matter, and the Vars that they read."""
        live: set[Var] = set()
        _read(block.results, live)
        found = [smaller for node in reversed(block.nodes) if (smaller := self.node(node, live)) is not None]
        return tuple(found[::-1]), live

    def node(self, node: Node, live: set[Var]) -> Node | None:
        if type(node) is Equation and node.primitive is not svd_complete:
            if live.isdisjoint(node.outs):
                return None
            live.update(node.outs)
            live.update(node.reads)
            return node
        wanted = [k for k, out in enumerate(node.outs) if out in live]
        if not wanted and not _has_effect(node):
            return None
        match node:
            case If():
                then, orelse = only(node.then, wanted), only(node.orelse, wanted)
                (then_nodes, reads), (orelse_nodes, more) = self.block(then), self.block(orelse)
                live |= reads | more
                outs = tuple(node.outs[k] for k in wanted)
                then, orelse = kept(then, Block(then_nodes, then.results)), kept(orelse, Block(orelse_nodes, orelse.results))
                node = kept(node, replace(node, outs=outs, then=then, orelse=orelse))
            case For() | While():
                key = id(node), tuple(wanted)
                if key not in self.loops:
                    self.loops[key] = self.loop(node, wanted)
                node, reads = self.loops[key]
                live |= reads
            case Map():
                body = only(node.body, wanted)
                nodes, reads = self.block(body)
                live |= reads
                node = kept(node, replace(node, outs=tuple(node.outs[k] for k in wanted), body=kept(body, Block(nodes, body.results))))
            case Call():
                node = self.call(node, live)
            case Equation():
                node = _values_alone(node) if node.primitive is svd_complete and wanted == [1] else node
            case _:
                pass
        live.update(node.outs)
        live.update(node.reads)
        return node

    def call(self, node: Call, live: set[Var]) -> Call:
        """Results that nobody reads are dropped, but for sizes that the types of others name."""
        needed = {dim for out in node.outs if out in live for dim in out.type.shape}
        wanted = tuple(k for k, out in enumerate(node.outs) if out in live or out in needed)
        if node.function.rule is not None:
            return node
        function, params = self.narrow(node.function, wanted)
        return kept(node, replace(node, outs=tuple(node.outs[k] for k in wanted), function=function, ins=tuple(node.ins[k] for k in params)))

    def loop(self, node: For | While, wanted: list[int]) -> tuple[For | While, set[Var]]:
        """The loop with what matters for the wanted results, and what its blocks read."""
        keep = set(wanted)
        while True:
            order = sorted(keep)
            body, reads = self.block(only(node.body, order))
            _read(tuple(node.carry[k] for k in order), reads)
            test: tuple[Node, ...] = ()
            if isinstance(node, While):
                test, more = self.block(node.test)
                reads |= more
            grown = keep | {k for k, carry in enumerate(node.carry) if carry in reads}
            if grown == keep:
                break
            keep = grown
        smaller = replace(
            node, outs=tuple(node.outs[k] for k in order), carry=tuple(node.carry[k] for k in order),
            init=tuple(node.init[k] for k in order), body=kept(node.body, Block(body, tuple(node.body.results[k] for k in order))),
        )
        if isinstance(smaller, While) and isinstance(node, While):
            smaller = replace(smaller, test=kept(node.test, Block(test, node.test.results)))
        return kept(node, smaller), reads
