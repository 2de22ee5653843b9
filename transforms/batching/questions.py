"""Functions with batching rules of their own ask each vmap around, innermost first, which of their arguments are batched (`asked`, an identity); here it answers.

A function is read, asked questions are answered, and it is read again: then the rule stands there, on the arrays of all examples.
"""
from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

from s2s.transforms.batching.together import Flow, Opened
from s2s.transforms.ir.named_axes import Answer, Level
from s2s.transforms.ir.program import Block, Call, Equation, For, Function, If, Map, Node, Var, While, blocks, walk
from s2s.transforms.primitives.collectives import asked


def answers(function: Function, varied: Iterable[Var], level: Level) -> dict[Hashable, Answer]:
    """What a level's calls have asked, and the answers; `varied`: the params that differ from example to example."""
    if not any(_asks(node, level) for node in _all(function.body)):
        return {}
    block = Opened(frozenset((level,)), 1, frozenset((asked,))).block(function.body) if function.rule is None else function.body
    flow = _Through(frozenset((level,)), varied)
    flow.block(block)
    found: dict[Hashable, dict[int, bool]] = {}
    plain: set[Hashable] = set()
    _gather(block, flow, level, found, plain, together=True)
    return {key: Answer(tuple(batched.get(number, False) for number in range(max(batched) + 1)), key in plain) for key, batched in found.items()}


class _Through(Flow):
    """The flow through all regions through which examples go in the same way."""

    def stands_around(self, node: Node) -> bool:
        return isinstance(node, For | While | If | Map) and self.has_shared_control(node)

    def meets(self, node: Node) -> bool:
        return isinstance(node, While) or super().meets(node)


def _asks(node: Node, level: Level) -> bool:
    return isinstance(node, Equation) and node.primitive is asked and node.params["axis"] is level


def _all(block: Block) -> Iterator[Node]:
    for node in walk(block):
        yield node
        if isinstance(node, Call):
            yield from _all(node.function.body)


def _gather(block: Block, flow: Flow, level: Level, found: dict[Hashable, dict[int, bool]], plain: set[Hashable], *, together: bool) -> None:
    for node in block.nodes:
        if _asks(node, level):
            assert isinstance(node, Equation)
            key, leaf = node.params["key"], node.params["leaf"]
            batched = found.setdefault(key, {})
            batched[leaf] = batched.get(leaf, False) or node.ins[0] in flow.varied
            plain.update(() if together else (key,))
        for inner in blocks(node):
            _gather(inner, flow, level, found, plain, together=together and flow.has_shared_control(node))
        if isinstance(node, Call):
            _gather(node.function.body, flow, level, found, plain, together=False)


__all__ = ["answers"]
