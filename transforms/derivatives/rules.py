"""Functions that are differentiated by a rule instead of by their bodies: what every such rule answers.

A rule stands on the program's `Function`; forward and reverse mode ask it where they would differentiate the body.
"""
from __future__ import annotations

from s2s.records import replace
from s2s.transforms.ir.program import Call, Function, Mask, Node, Rule, Var, walk
from s2s.transforms.ir.rewrite import Substitution
from s2s.types import is_float

KnownForward = dict[tuple[Function, Mask], Function]
"""The tangent programs written so far, by function and active params."""


class Halves:
    """A function's derivative in two. `forward`: (*params) -> (*results, *extra). `backward`: (*needed, *cotangents of the useful
    results) -> cotangents of the active params; `needed` are Vars of the function: parameters and their sizes, results, and `extra`.
    """

    def __init__(self, forward: Function, backward: Function, needed: tuple[Var, ...], extra: tuple[Var, ...]) -> None:
        self.forward, self.backward, self.needed, self.extra = forward, backward, needed, extra


KnownReverse = dict[tuple[Function, Mask, Mask], Halves]
"""The derivatives in two written so far, by function, active params and useful results."""


class DerivativeRule(Rule):
    """The interface. `active`: which params are differentiated; `useful`: which results have a cotangent."""

    def varied_results(self, function: Function, active: Mask) -> Mask:
        """Which results depend on the active params: by default all that are floats."""
        return tuple(any(active) and is_float(result.type.dtype) for result in function.body.results)

    def useful_params(self, function: Function, active: Mask, useful: Mask) -> Mask:
        """Which of the active params matter for the useful results: by default all."""
        return active if any(useful) else (False,) * len(active)

    def linear_params(self) -> Mask | None:
        """The parameters in which the function is linear by what the user said, whatever its body does; None where nothing was said."""
        return None

    def jvp(self, function: Function, active: Mask, known: KnownForward) -> Function:
        """(*params, *tangents of the active ones) -> (*results, *tangents of the varied results), as forward mode writes it."""
        raise NotImplementedError

    def halves(self, function: Function, active: Mask, useful: Mask, known: KnownReverse) -> Halves:
        """The derivative in two, as reverse mode writes it."""
        raise NotImplementedError


def rule_of(function: Function) -> DerivativeRule | None:
    """The function's rule."""
    assert function.rule is None or isinstance(function.rule, DerivativeRule)
    return function.rule


def has_rules(function: Function) -> bool:
    """Whether the function, or any that it calls, has a rule."""
    return function.rule is not None or any(isinstance(node, Call) and has_rules(node.function) for node in walk(function.body))


def without_rules(function: Function) -> Function:
    """The function, and all that it calls, without rules: once every derivative is taken, they are functions like others."""
    return _without(function, {}) if has_rules(function) else function


def _without(function: Function, done: dict[Function, Function]) -> Function:
    if function not in done:
        inside = _Stripped(done)
        done[function] = replace(function, body=inside.block(function.body), rule=None)
    return done[function]


class _Stripped(Substitution):
    def __init__(self, done: dict[Function, Function]) -> None:
        super().__init__(renew=False)
        self.done = done

    def node(self, node: Node) -> Node:
        made = super().node(node)
        return replace(made, function=_without(made.function, self.done)) if isinstance(made, Call) else made
