"""Forward mode: a program that computes results and their tangents side by side.

    y = sin(x)          ->      y = sin(x)
    z = mul(y, y)               y_dot = mul(cos(x), x_dot)
                                z = mul(y, y)
                                z_dot = add(mul(y, y_dot), mul(y, y_dot))

Tangents that are zero are never built; a loop carries a tangent only where one can arrive.
"""
from __future__ import annotations

from typing import assert_never

from s2s.errors import UnsupportedError
from s2s.transforms.derivatives.activity import varied_results, varied_vars
from s2s.transforms.derivatives.rules import KnownForward, rule_of
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.program import Array, Atom, Block, Call, Check, Equation, For, Function, If, Map, Node, Print, Var, While
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.row import Nothing, NotYet
from s2s.transforms.primitives.value import Value, zeros


def jvp(function: Function, active: tuple[bool, ...], known: KnownForward | None = None) -> Function:
    """The function (*params, *tangents of the active ones) -> (*results, *tangents of the varied results).

    `known` holds the derivatives of the callees that are written already, so that each is written once.
    """
    known = {} if known is None else known
    if (function, active) not in known:
        rule = rule_of(function)
        known[function, active] = _Forward(function, active, known).function() if rule is None else rule.jvp(function, active, known)
    return known[function, active]


class _Forward:
    """The tangents of one function's Vars while its derivative is being written."""

    def __init__(self, function: Function, active: tuple[bool, ...], known: KnownForward) -> None:
        self.source, self.active, self.known = function, active, known
        self.varied = varied_vars(function, active)
        self.dots: dict[Atom, Var | Atom] = {}

    def function(self) -> Function:
        source = self.source
        tangents = tuple(self.tangent(param) for param, on in zip(source.params, self.active, strict=True) if on)
        builder = new_builder()
        self.block(source.body, builder)
        dots = tuple(self.dot(result, builder) for result in source.body.results if result in self.varied)
        body = builder.block(*source.body.results, *dots)
        return Function(f"{source.name}_jvp", (*source.params, *tangents), body, source.where, source.doc, None, derived=True)

    def tangent(self, var: Var) -> Var:
        """A new Var for var's tangent."""
        self.dots[var] = Var(f"{var.name}_dot", var.type.strong())
        return self.dots[var]  # type: ignore[return-value]

    def dot(self, atom: Atom, builder: Builder) -> Atom:
        """The tangent, zeros where it is zero."""
        return self.dots[atom] if atom in self.dots else zeros(builder, atom.type).atom

    def block(self, block: Block, builder: Builder) -> None:
        for node in block.nodes:
            with builder.at(node.where):
                self.node(node, builder)

    def inside(self, block: Block, outs_on: tuple[bool, ...], builder: Builder) -> Block:
        """A block with the tangents of the results that need one behind its results."""
        inner = builder.inside()
        self.block(block, inner)
        dots = tuple(self.dot(result, inner) for result, on in zip(block.results, outs_on, strict=True) if on)
        return inner.block(*block.results, *dots)

    def node(self, node: Node, builder: Builder) -> None:
        match node:
            case Equation():
                builder.add(node)
                self.equation(node, builder)
            case Check() | Print():
                builder.add(node)
            case Call():
                self.call(node, builder)
            case For() | While():
                self.loop(node, builder)
            case If():
                on = tuple(out in self.varied for out in node.outs)
                then, orelse = self.inside(node.then, on, builder), self.inside(node.orelse, on, builder)
                builder.add(If((*node.outs, *self.tangents(node.outs, on)), node.test, then, orelse, node.where))
            case Map():
                on = tuple(out in self.varied for out in node.outs)
                body = self.inside(node.body, on, builder)
                builder.add(Map((*node.outs, *self.tangents(node.outs, on)), node.index, node.size, body, node.where))
            case _:
                assert_never(node)

    def tangents(self, variables: tuple[Var, ...], on: tuple[bool, ...]) -> tuple[Var, ...]:
        return tuple(self.tangent(var) for var, is_on in zip(variables, on, strict=True) if is_on)

    def loop(self, node: For | While, builder: Builder) -> None:
        on = tuple(carry in self.varied for carry in node.carry)
        init = (*node.init, *(self.dot(atom, builder) for atom, is_on in zip(node.init, on, strict=True) if is_on))
        carry = (*node.carry, *self.tangents(node.carry, on))
        test = node.test if isinstance(node, While) else None  # a test has no tangent: it yields a bool
        body = self.inside(node.body, on, builder)
        outs = (*node.outs, *self.tangents(node.outs, on))
        if isinstance(node, For):
            builder.add(For(outs, node.index, node.lo, node.hi, node.step, carry, init, body, node.where, node.reverse))
        else:
            assert test is not None
            builder.add(While(outs, carry, init, test, body, node.where))

    def call(self, node: Call, builder: Builder) -> None:
        active = tuple(atom in self.varied for atom in node.ins)
        if not any(active):
            builder.add(node)
            return
        derivative = jvp(node.function, active, self.known)
        on = varied_results(node.function, active)
        dots = tuple(self.dot(atom, builder) for atom, is_on in zip(node.ins, active, strict=True) if is_on)
        outs = (*node.outs, *self.tangents(node.outs, on))
        builder.add(Call(outs, derivative, (*node.ins, *dots), node.where))

    def equation(self, node: Equation, builder: Builder) -> None:
        dots = tuple(self.dots.get(atom) for atom in node.ins)
        rule = node.primitive.jvp
        if isinstance(rule, Nothing) or all(dot is None for dot in dots):
            return
        if isinstance(rule, NotYet):
            raise UnsupportedError(f"{node.primitive.name} has no derivative yet", where=node.where, why=rule.why)
        first = len(builder.nodes)
        tangents = rule(
            tuple(None if dot is None else Value(builder, dot) for dot in dots),
            tuple(Value(builder, atom) for atom in node.ins),
            tuple(Value(builder, out) for out in node.outs),
            **node.params,
        )
        made = {out for new in builder.nodes[first:] for out in new.outs}
        for out, dot in zip(node.outs, tangents, strict=True):
            if dot is not None:
                self.dots[out] = _typed(dot, out.type.strong()).atom
                if dot.atom in made:
                    dot.atom.name = f"{out.name}_dot"


def _typed(dot: Value, type_: Array) -> Value:
    assert dot.type.strong() == type_, f"a tangent of type {dot.type} for a value of type {type_}"
    return dot
