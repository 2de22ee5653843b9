"""A derivative in two: what it is computed from, once, and the linear map, for as many directions as are asked for.

    y = sin(x)                        forward:  y = sin(x); c = cos(x)        -> y, c
    y_dot = cos(x) * x_dot     ->     linear:   y_dot = c * x_dot             (c, x_dot) -> y_dot

`pushforward` cuts forward mode in two as `reverse.halves` does reverse mode; `linearized` also takes apart loops that carry a value
and its tangent side by side.
"""
from __future__ import annotations

from s2s.records import dataclass, replace
from s2s.transforms.derivatives import forward
from s2s.transforms.derivatives.activity import varied_results
from s2s.transforms.derivatives.halving import cut
from s2s.transforms.derivatives.reverse import adjoint as reverse
from s2s.transforms.derivatives.rules import Halves, Mask
from s2s.transforms.ir import rewrite
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.prints import silent
from s2s.transforms.ir.program import (
    Atom,
    Block,
    Equation,
    Function,
    Node,
    Var,
    bound_inside,
    callees,
    free_vars,
    operands,
    walk,
)
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.structural import retype
from s2s.transforms.primitives.value import zeros
from s2s.transforms.simplify.simplification import simplify
from s2s.types import dim_atom


@dataclass(frozen=True)
class Parts:
    """`forward`: (*params) -> (*results, *residuals). `linear`: (*residuals, *directions) -> what the linear map makes of them."""

    forward: Function
    linear: Function
    directions: int
    """How many of the linear part's parameters, the last ones, are directions."""

    @property
    def residuals(self) -> int:
        return len(self.linear.params) - self.directions


def pushforward(function: Function, active: Mask) -> Parts:
    """Forward mode: tangents of the active params -> tangents of the varied results. Loops and calls on which tangents depend stand
    whole in the linear part, with the values that they compute beside the tangents.
    """
    function = called(function)
    derivative = forward.jvp(function, active)
    seeds = derivative.params[len(function.params):]
    source = {node.outs[0]: node for node in function.body.nodes if node.outs}
    first: list[Node] = []
    second: list[Node] = []
    linear: set[Var] = set(seeds)
    effects = iter([node for node in function.body.nodes if node.blocks and not node.outs])
    for node in derivative.body.nodes:
        if node.blocks and not node.outs:  # it raises or prints: no tangent comes of it
            first.append(next(effects))
            continue
        if not reads_any(node, linear):
            first.append(node)
            continue
        own = source.get(node.outs[0]) if node.outs else None
        if own is None:
            second.append(node)
            linear.update(node.outs)
        else:
            first.append(own)
            second += _beside(node, len(own.outs))
            linear.update(node.outs[len(own.outs):])
    last = Block(tuple(second), derivative.body.results[len(function.body.results):])
    return _parts(function, cut(function, tuple(first), function.body.results, last, seeds, f"{function.name}_lin"))


def _beside(node: Node, count: int) -> list[Node]:
    """A node whose first outs are values, and whose others are tangents, for the linear part: its values have names of their own, since
    the forward part computes them too, and tangents whose sizes are among them are told to have the sizes of the forward part.
    """
    renamed = rewrite.Substitution()
    renamed.bind_all(node.outs[:count])
    outs = [renamed.mapping[out] for out in node.outs[:count]]
    builder = new_builder()
    builder.where = node.where
    for out in node.outs[count:]:
        type_ = renamed.type(out.type)
        outs.append(out if type_ == out.type else Var(out.name, type_))
        if outs[-1] is not out:
            builder.add(Equation((out,), retype, (outs[-1], *(dim_atom(dim) for dim in out.type.shape)), {}, node.where))
    return [replace(silent(node), outs=tuple(outs)), *builder.nodes]


def pullback(function: Function, active: Mask, useful: Mask) -> Parts:
    """Reverse mode: cotangents of the useful results -> cotangents of the active params."""
    function = called(function)
    return _parts(function, reverse.halves(function, active, useful, {}))


def linearized(function: Function, active: Mask) -> Parts:
    """As `pushforward`, but the linear part computes nothing that the forward part has computed: it may be called many times.

    Where forward mode is straight-line code, it is cut. Otherwise the pullback, a linear program, is itself differentiated in
    reverse: the transpose of the transpose. Its residuals (tapes) are then those that reverse mode has chosen.
    """
    parts = pushforward(function, active)
    if all(isinstance(node, Equation) for node in parts.linear.body.nodes):
        return parts
    once = pullback(function, active, varied_results(function, active))
    twice = pullback(once.linear, (False,) * once.residuals + (True,) * once.directions, (True,) * len(once.linear.body.results))
    builder = new_builder()
    builder.where = function.where
    made = outs_of(builder, once.forward, once.forward.params)
    results, residuals = made[: len(function.body.results)], made[len(function.body.results):]
    varied = varied_results(function, active)
    seeds = tuple(zeros(builder, result.type).atom for result, on in zip(results, varied, strict=True) if on)
    kept = outs_of(builder, twice.forward, (*residuals, *seeds))[len(once.linear.body.results):]
    first = Function(f"{function.name}_fwd", once.forward.params, builder.block(*results, *kept), function.where, function.doc, None, derived=False)
    second = replace(twice.linear, name=f"{function.name}_lin")
    _name_tangents(second)
    return Parts(simplify(first), second, twice.directions)


def _name_tangents(function: Function) -> None:
    """What is twice transposed is a tangent: x_bar_bar is x_dot."""
    bound: list[Var] = []
    for each in callees(function):
        bound += each.params
        for node in walk(each.body):
            bound += [*node.outs, *bound_inside(node)]
    for var in bound:
        if var.name.endswith("_bar_bar"):
            var.name = f"{var.name.removesuffix('_bar_bar')}_dot"


def _parts(function: Function, halves: Halves) -> Parts:
    """Halves whose forward part returns all that the second needs, in its order."""
    body = halves.forward.body
    count = len(function.body.results)
    results = body.results[:count]
    same = {own: now for own, now in zip(function.body.results, results, strict=True) if isinstance(own, Var)}
    same.update(zip(halves.extra, body.results[count:], strict=True))
    kept = tuple(same.get(var, var) for var in halves.needed)
    first = replace(halves.forward, body=Block(body.nodes, (*results, *kept)))
    return Parts(first, halves.backward, len(halves.backward.params) - len(halves.needed))


def called(function: Function) -> Function:
    """The function, or if it has a rule, one that calls it: what is cut in two needs a body."""
    if function.rule is None:
        return function
    node = rewrite.call(function, function.params, tuple(name_of(result) for result in function.body.results), function.where)
    return Function(function.name, function.params, Block((node,), node.outs), function.where, function.doc, None, derived=False)


def outs_of(builder: Builder, function: Function, ins: tuple[Atom, ...]) -> tuple[Atom, ...]:
    """What the function makes of these operands, its body written here."""
    made = rewrite.call(function, ins, tuple(name_of(result) for result in function.body.results), function.where)
    nodes, outs = rewrite.inline(made)
    builder.nodes.extend(nodes)
    return tuple(outs[out] for out in made.outs)


def name_of(atom: Atom) -> str:
    """The name of a Var, or one for a number."""
    return atom.name if isinstance(atom, Var) else "value"


def read_by(node: Node) -> set[Atom]:
    """The Vars that a node, or a block of it, reads as values."""
    read: set[Atom] = {atom for atom in operands(node) if isinstance(atom, Var)}
    return read.union(*(free_vars(block, frozenset(bound_inside(node))) for block in node.blocks))


def reads_any(node: Node, variables: set[Var]) -> bool:
    """Whether a node, or a block of it, reads one of these."""
    return not variables.isdisjoint(read_by(node))
