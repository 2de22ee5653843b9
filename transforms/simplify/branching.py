"""Branches: an If whose test is known is one of its blocks, a flag that is set on both of its paths is its test, or the opposite.

    if v < limit:                      if v < limit:
        is_over = False                    total += v
    else:                     ->       else:
        is_over = True                     missed += 1
    if not is_over:
        total += v
    …
"""
from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.program import Atom, Block, Equation, If, Node, Var, kept
from s2s.transforms.ir.rewrite import Substitution
from s2s.transforms.primitives.logic import logical_not
from s2s.transforms.simplify.contents import content
from s2s.transforms.simplify.dead_code import only
from s2s.transforms.simplify.known_tests import implied
from s2s.types import Literal


class Branching:
    """What one block knows of tests, and what it makes of branches; the block itself (`simplification._Local`) simplifies what is in them."""

    def __init__(self, builder: Builder, substitution: Substitution, seen: dict[Hashable, tuple[Var, ...]]) -> None:
        self.builder, self.substitution, self.seen = builder, substitution, seen
        self.made: dict[Var, Equation] = {}
        self.tests: dict[Var, bool] = {}
        """Tests whose outcome is known here."""
        self.choices: dict[Var, tuple[Atom, Literal, Literal]] = {}
        """Numbers that say which branch was taken: its test, and what they are where it holds and where not."""
        self.picked: dict[Atom, Hashable] = {}
        """Numbers that an If only picks: of which test, and of what."""

    def equation(self, original: Equation, nodes: list[Node]) -> None:
        """Append what an equation is here."""
        raise NotImplementedError

    def within(self, node: Node, block: Block, tests: dict[Var, bool]) -> Block:
        """A block of a node, simplified where these tests have these outcomes."""
        raise NotImplementedError

    def outcome(self, test: Atom) -> bool | None:
        """What a test gives here; None: the run says."""
        return bool(test.value) if isinstance(test, Literal) else self.tests.get(test)

    def branches(self, node: If, nodes: list[Node]) -> If:
        """What an If is of which the run says which branch it takes."""
        test, holds = self.asked(node)
        then, orelse = (self.within(node, block, self.told(node, test, is_then == holds, is_then=is_then)) for block, is_then in ((node.then, True), (node.orelse, False)))
        then, orelse = (then, orelse) if holds else (orelse, then)
        picked = self.picks(node, test, then, orelse)
        keep: list[int] = []
        own: set[Hashable] = set()
        again: list[tuple[Var, Hashable]] = []
        for number, out in enumerate(node.outs):
            first, second, pick = then.results[number], orelse.results[number], picked[number]
            if first == second and _same_literal(first, second):
                self.substitution.mapping[out] = first
            elif test.type == out.type and isinstance(first, Literal) and isinstance(second, Literal) and bool(first.value) != bool(second.value):
                self.substitution.mapping[out] = test if first.value else self.opposite(test, node, nodes)
            elif pick is not None and (pick in self.seen or pick in own):
                again.append((out, pick))
            else:
                keep.append(number)
                own.add(pick)
        outs = self.substitution.bind_all(tuple(node.outs[k] for k in keep))
        for k, out in zip(keep, outs, strict=True):
            first, second, pick = then.results[k], orelse.results[k], picked[k]
            if pick is not None:
                self.seen[pick], self.picked[out] = (out,), pick
            if isinstance(first, Literal) and isinstance(second, Literal):
                self.choices[out] = (test, first, second)
        self.substitution.mapping.update((out, self.seen[pick][0]) for out, pick in again)
        return kept(node, If(outs, test, only(then, keep), only(orelse, keep), node.where))

    def asked(self, node: If) -> tuple[Atom, bool]:
        """The test of an If, and whether it must hold: of a flag that another If sets, and of its opposite, the test of that one."""
        test: Any = self.substitution.atom(node.test)
        asked, holds, found = test, True, (test, True)
        while True:
            if (made := self.made.get(asked)) is not None and made.primitive is logical_not:
                asked, holds = made.ins[0], not holds
            elif (choice := self.choices.get(asked)) is not None and bool(choice[1].value) != bool(choice[2].value):
                asked, holds = choice[0], holds == bool(choice[1].value)
                found = asked, holds
            else:
                return found

    def told(self, node: If, test: Atom, holds: bool, *, is_then: bool) -> dict[Var, bool]:
        """The tests whose outcome is known in a branch: in which `test` holds or not, as `asked` found, and the If's own does."""
        return dict((*implied(test, self.made, holds=holds), *implied(self.substitution.atom(node.test), self.made, holds=is_then)))

    def opposite(self, test: Atom, node: If, nodes: list[Node]) -> Atom:
        """Whether a test does not hold, before the If that asks it."""
        made = self.made.get(test)  # type: ignore[arg-type]
        if made is not None and made.primitive is logical_not and made.ins[0].type == test.type:
            return made.ins[0]
        out = Var("is_not", test.type)
        self.equation(Equation((out,), logical_not, (test,), {}, node.where), nodes)
        return self.substitution.atom(out)

    def picks(self, node: If, test: Atom, then: Block, orelse: Block) -> list[Hashable]:
        """What each number is that an If picks, where it does nothing else: the test, and either what it is or what is picked again. None: of what is more."""
        inner: dict[Atom, Hashable] = {}
        for each in (*then.nodes, *orelse.nodes):
            if not isinstance(each, If | Equation) or not inner.keys().isdisjoint(each.ins if isinstance(each, Equation) else ()):
                return [None] * len(node.outs)
            inner.update((out, self.picked.get(out) if isinstance(each, If) else (content(each), number)) for number, out in enumerate(each.outs))
        if None in inner.values():
            return [None] * len(node.outs)
        made = self.made.get(test)  # type: ignore[arg-type]
        asked = test if made is None else content(made)
        sizes_of_others = {dim for out in node.outs for dim in out.type.shape}  # they come with the array
        return [
            None if out.type.shape or out in sizes_of_others else (If, asked, inner.get(first, first), inner.get(second, second), out.type)
            for out, first, second in zip(node.outs, then.results, orelse.results, strict=True)
        ]


def _same_literal(a: Atom, b: Atom) -> bool:
    return not isinstance(a, Literal) or not isinstance(b, Literal) or repr(a.value) == repr(b.value)


__all__ = ["Branching"]
