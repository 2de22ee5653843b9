"""Functions with batching rules of their own ask each vmap around, innermost first, which of their arguments are batched (`asked`, an identity); here it answers.

A function is read, asked questions are answered, and it is read again: then the rule stands there, on the arrays of all examples.
"""
from __future__ import annotations

from collections.abc import Hashable, Iterable

from s2s.transforms.batching.examples import body_of
from s2s.transforms.batching.meetings import Flow, Opened, meetings_of
from s2s.transforms.ir.named_axes import Answer, Level
from s2s.transforms.ir.program import Block, Call, Equation, For, Function, If, Map, Mask, Node, Rule, Var, While
from s2s.transforms.primitives.collectives import asked

_ASKED = frozenset((asked,))


def answers(function: Function, varied: Iterable[Var], level: Level) -> dict[Hashable, Answer]:
    """What a level's calls have asked, and the answers; `varied`: the params that differ from example to example."""
    if not any(_asks(node, level) for node in meetings_of(function, _ASKED)):
        return {}
    asking = _Asking(level)
    flow = _Through(frozenset((level,)), varied)
    block = flow.opened().block(body_of(function))
    flow.block(block)
    asking.gather(block, flow, together=True)
    return asking.answers()


class _Through(Flow):
    """The flow through all regions through which examples go in the same way."""

    def opened(self) -> Opened:
        return Opened(self.names, 1, _ASKED)

    def stands_around(self, node: Node) -> bool:
        return isinstance(node, For | While | If | Map) and self.has_shared_control(node)

    def meets(self, node: Node) -> bool:
        return isinstance(node, While) or super().meets(node)


def _asks(node: Node, level: Level) -> bool:
    return isinstance(node, Equation) and node.primitive is asked and node.params["axis"] is level


class _Asking:
    """What a level's calls have asked. `found`: of the leaves that they asked about whether they differ; `plain`: the calls to which not all examples come."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self.found: dict[Hashable, dict[int, bool]] = {}
        self.plain: set[Hashable] = set()
        self.seen: set[tuple[Rule, Mask]] = set()

    def gather(self, block: Block, flow: Flow, *, together: bool) -> None:
        for node in block.nodes:
            if _asks(node, self.level):
                assert isinstance(node, Equation)
                key, leaf = node.params["key"], node.params["leaf"]
                batched = self.found.setdefault(key, {})
                batched[leaf] = batched.get(leaf, False) or node.ins[0] in flow.varied
                self.plain.update(() if together else (key,))
            for inner in node.blocks:
                self.gather(inner, flow, together=together and flow.has_shared_control(node))
            if isinstance(node, Call) and node.function.rule is not None and node.function.rule.twin(0) is not None:
                self.gather_ruled(node.function, node.function.rule, flow.given(node), flow, together=together)
            elif isinstance(node, Call):
                self.gather(node.function.body, flow, together=False)

    def gather_ruled(self, function: Function, rule: Rule, varied: Mask, flow: Flow, *, together: bool) -> None:
        """In a function with a rule, and in the rule."""
        if (rule, varied) in self.seen:
            return
        self.seen.add((rule, varied))
        for program, own in ((function, varied), *rule.flows(function, varied, flow.results_of)):
            block, inner = flow.through(program, own)
            self.gather(block, inner, together=together)

    def answers(self) -> dict[Hashable, Answer]:
        return {key: Answer(tuple(batched.get(number, False) for number in range(max(batched) + 1)), key in self.plain) for key, batched in self.found.items()}


__all__ = ["answers"]
