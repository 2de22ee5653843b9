"""Rematerialisation: a function whose intermediate values are computed again for the reverse sweep, not kept for it.

    def layer(x):                     def layer_fwd(x): return layer(x)          nothing but x is kept
        h = sin(x)            ->      def layer_bwd(x, y_bar):
        return h * h                      h = sin(x)                             computed again
                                          return cos(x) * (2 * h * y_bar)

A policy may allow some values to be kept: those that are then at hand are handed from the forward half to the backward
half, and dead code elimination drops what only served to compute them. Derivatives of a checkpointed function are
checkpointed functions with the same policy, so that every mode and order keeps no more than the policy allows.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from s2s import tree_util
from s2s.transforms import forward, reverse, rewrite
from s2s.transforms.activity import active_vars, varied_results
from s2s.transforms.build import Builder
from s2s.transforms.dead_code import live_nodes
from s2s.transforms.inline import inline_mutating
from s2s.transforms.primitives.structural import checkpoint_name, same_dims
from s2s.transforms.primitives.value import Value
from s2s.transforms.program import Block, Call, Check, Equation, Function, Node, Var, blocks, free_vars, size_params, walk
from s2s.transforms.reverse import Halves
from s2s.transforms.rules import DerivativeRule, Mask
from s2s.transforms.simplify import narrowed, simplify
from s2s.transforms.staged import Result, Staged
from s2s.types import SIZE, Array, is_size

Policy = Callable[..., bool]
"""policy(primitive, *types of the operands, **params): whether the results of this equation may be kept."""


def checkpointed(staged: Staged, policy: Policy) -> Staged:
    """The program with its function behind a call of a function that has the rule `Checkpoint`."""
    function = staged.function
    known = {*function.params, *size_params(function), *function.body.results}
    found = dict.fromkeys(dim for result in function.body.results for dim in result.type.shape if isinstance(dim, Var) and dim not in known)
    inner = rewrite.renewed(replace(function, body=Block(function.body.nodes, (*found, *function.body.results)), rule=Checkpoint(policy)))
    names = tuple(atom.name if isinstance(atom, Var) else function.name for atom in (*found, *function.body.results))
    call = rewrite.call(inner, function.params, names, function.where)
    outer = replace(function, body=Block((call,), call.outs))

    def shifted(leaf: Any) -> Any:
        return Result(leaf.number + len(found)) if isinstance(leaf, Result) else leaf

    mutated = tuple((var, number + len(found)) for var, number in staged.mutated)
    return replace(staged, function=outer, result=tree_util.tree_map(shifted, staged.result), mutated=mutated)


class Checkpoint(DerivativeRule):
    """The rule of a checkpointed function: both modes differentiate its body; the reverse sweep gets its inputs, and what
    `policy` allows to be kept.
    """

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.bodies: dict[Function, Function] = {}

    def body(self, function: Function) -> Function:
        """The function without the rule, as it is differentiated: simplified, calls written in place that hold what may be kept."""
        if function not in self.bodies:
            plain = inline_mutating(_opened(simplify(replace(function, rule=None)), self.policy))
            self.bodies[function] = plain
        return self.bodies[function]

    def varied_results(self, function: Function, active: Mask) -> Mask:
        return varied_results(self.body(function), active)

    def useful_params(self, function: Function, active: Mask, useful: Mask) -> Mask:
        plain = self.body(function)
        on = active_vars(plain, active, useful)
        return tuple(param in on for param in plain.params)

    def jvp(self, function: Function, active: Mask, known: forward.Known) -> Function:
        return rewrite.renewed(replace(forward.jvp(self.body(function), active, known), rule=self))

    def halves(self, function: Function, active: Mask, useful: Mask, known: reverse.Known) -> Halves:
        plain = self.body(function)
        joined = reverse.vjp(plain, active, useful, known)
        bars = joined.body.results[len(plain.body.results):]
        seeds = joined.params[len(plain.params):]
        kept = saveable(plain, self.policy)
        nodes = live_nodes(Block(_without(joined.body.nodes, kept), bars), narrowed)
        read = free_vars(Block(nodes, bars))
        used = tuple(var for var in kept if var in read)
        extra = tuple(var for var in used if var not in plain.body.results)
        params = _params_read(plain, read, seeds)
        mapping, given = _rebound(used, plain, params)
        inside = rewrite.Substitution(mapping)
        builder = Builder()
        for var in used:
            if (param := given[var]) is not mapping.get(var):
                builder.where = _where(plain, var)
        body = inside.block(Block(nodes, bars))
        backward = Function(f"{function.name}_bwd", (*params, *given.values(), *seeds), body, function.where, rule=self)
        forward_half = Function(f"{function.name}_fwd", plain.params, Block(plain.body.nodes, (*plain.body.results, *extra)), function.where, function.doc, self)
        return Halves(rewrite.renewed(forward_half) if extra else function, rewrite.renewed(backward), (*params, *used), extra)
