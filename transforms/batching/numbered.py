"""Nodes of one example whose checks say which one it is, in the functions that they call too.

    check(test, ValueError, "negative")    ->    check(test, ValueError, "negative (example {} of the batch)", i)
    y = helper(x)                          ->    y = helper(x, i)         where the helper checks something
"""
from __future__ import annotations

from s2s.records import replace
from s2s.transforms.ir.program import Atom, Call, Check, Function, Node, Var, callees, walk
from s2s.transforms.ir.rewrite import Substitution, renewed
from s2s.types import SIZE


class OfExample(Substitution):
    """Copies nodes of the example of this number. `made`: what stands for the functions that are called."""

    def __init__(self, index: Var, mapping: dict[Var, Atom], made: dict[Function, Function]) -> None:
        super().__init__(mapping)
        self.index, self.made = index, made

    def node(self, node: Node) -> Node:
        made = super().node(node)
        if isinstance(made, Check) and _is_numbered(made):
            return replace(made, message=made.message + " (example {} of the batch)", values=(*made.values, self.index))
        if isinstance(made, Call) and _checks(made.function):
            return replace(made, function=self.numbered(made.function), ins=(*made.ins, self.index))
        return made

    def numbered(self, function: Function) -> Function:
        """A function that is told the example's number."""
        if function not in self.made:
            own, index = renewed(function), Var("example", SIZE)
            body = OfExample(index, {}, self.made).block(own.body)
            self.made[function] = replace(own, params=(*own.params, index), body=body)
        return self.made[function]


def _is_numbered(check: Check) -> bool:
    return not check.stretch and not check.late


def _checks(function: Function) -> bool:
    """Whether a function, or one that it calls, checks something of an example; one with a rule is told nothing, since its rule knows its arguments."""
    if any(each.rule is not None for each in callees(function)):
        return False
    return any(isinstance(node, Check) and _is_numbered(node) for each in callees(function) for node in walk(each.body))
