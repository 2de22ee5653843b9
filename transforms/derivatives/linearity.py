"""Is a program linear in its arguments? If not, the first operation that is not is named.

Each value is one of: zero; a constant (it does not depend on the arguments); linear in them. That an equation is linear in operands
is read off its row: its tangent must not read their values. A term that is a constant and not zero makes it affine: refused.

    y = 2.0 * x + A @ x    linear         y = x * x    not linear at `x * x`        y = x + 1.0    not linear at `x + 1.0`
"""
from __future__ import annotations

from enum import Enum
from typing import assert_never

from s2s.errors import ArgumentTypeError, Location
from s2s.transforms.derivatives.rules import rule_of
from s2s.transforms.ir.program import Array, Atom, Block, Call, Check, Equation, For, Function, If, Map, Node, Print, Var, While
from s2s.transforms.primitives.indexing import last_writer
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.row import Nothing, NotYet
from s2s.transforms.primitives.structural import empty
from s2s.transforms.primitives.value import Value
from s2s.types import Literal, is_float


class Kind(Enum):
    """How a value depends on the arguments."""

    ZERO = "zero"
    CONSTANT = "a constant"
    LINEAR = "linear"


ZERO, CONSTANT, LINEAR = Kind.ZERO, Kind.CONSTANT, Kind.LINEAR


ADVICE = "transpose a linear function, for example s2s.linearize(f, x)[1]; values that are no arguments may be closed over"


def check_linear(function: Function, linear: tuple[bool, ...], what: str = "", advice: str = ADVICE) -> None:
    """ArgumentTypeError, at the user's line, unless the results are linear in the parameters marked, jointly. `what`: the text's start."""
    kinds = tuple(LINEAR if on else CONSTANT for on in linear)
    checker = _Checker(what or f"linear_transpose: {function.name} is not linear in its arguments", advice)
    for result, kind in zip(function.body.results, checker.function(function, kinds), strict=True):
        if kind is CONSTANT:
            name = f" {result.name}" if isinstance(result, Var) else ""
            raise checker.refused(f"its result{name} is a constant and not zero", function.where)


def kinds_in(block: Block, given: dict[Var, Kind]) -> dict[Var, Kind]:
    """How the values of a block depend on those of kind LINEAR (all others are constants); ArgumentTypeError where it is not linearly."""
    checker = _Checker("", "")
    checker.kinds = dict(given)
    checker.block(block)
    return checker.kinds


class _Checker:
    def __init__(self, what: str, advice: str) -> None:
        self.what, self.advice = what, advice
        self.kinds: dict[Var, Kind] = {}
        self.done: dict[tuple[Function, tuple[Kind, ...]], tuple[Kind, ...]] = {}

    def refused(self, why: str, where: Location) -> ArgumentTypeError:
        return ArgumentTypeError(f"{self.what}: {why}", where=where, instead=self.advice)

    def kind(self, atom: Atom) -> Kind:
        if isinstance(atom, Literal):
            return ZERO if not atom.value and is_float(atom.type.dtype) else CONSTANT
        return self.kinds.get(atom, CONSTANT)

    def function(self, function: Function, kinds: tuple[Kind, ...]) -> tuple[Kind, ...]:
        """The kinds of the results."""
        key = (function, kinds)
        if key not in self.done:
            outer, self.kinds = self.kinds, dict(zip(function.params, kinds, strict=True))
            self.done[key] = self.block(function.body)
            self.kinds = outer
        return self.done[key]

    def block(self, block: Block) -> tuple[Kind, ...]:
        for node in block.nodes:
            self.node(node)
        return tuple(self.kind(result) for result in block.results)

    def node(self, node: Node) -> None:
        match node:
            case Equation():
                self.kinds.update((out, self.equation(node, out)) for out in node.outs)
            case Call():
                self.kinds.update(zip(node.outs, self.call(node), strict=True))
            case For() | While():
                self.loop(node)
            case If():
                sides = self.block(node.then), self.block(node.orelse)
                self.kinds.update((out, self.either(out, one, other, node.where)) for out, one, other in zip(node.outs, *sides, strict=True))
            case Map():
                self.kinds.update(zip(node.outs, self.block(node.body), strict=True))
            case Check() | Print():
                pass
            case _:
                assert_never(node)

    def call(self, node: Call) -> tuple[Kind, ...]:
        """The kinds of a call's outs: what the function's rule says, or what its body does."""
        kinds, rule = tuple(map(self.kind, node.ins)), rule_of(node.function)
        said = None if rule is None else rule.linear_params()
        if said is None or any(kind is LINEAR and not on for kind, on in zip(kinds, said, strict=True)):
            return self.function(node.function, kinds)
        given = {kind for kind, on in zip(kinds, said, strict=True) if on}
        if given == {LINEAR, CONSTANT}:
            raise self.refused(f"{node.function.name} adds a term that does not depend on them", node.where)
        found = CONSTANT if CONSTANT in given else LINEAR if LINEAR in given else ZERO
        return tuple(found if is_float(out.type.dtype) else CONSTANT for out in node.outs)

    def loop(self, node: For | While) -> None:
        kinds = tuple(map(self.kind, node.init))
        before: tuple[Kind, ...] = ()
        while kinds != before:
            before = kinds
            self.kinds.update(zip(node.carry, kinds, strict=True))
            if isinstance(node, While):
                self.block(node.test)
            after = self.block(node.body)
            kinds = tuple(self.either(carry, one, other, node.where) for carry, one, other in zip(node.carry, kinds, after, strict=True))
        self.kinds.update(zip(node.outs, kinds, strict=True))

    def either(self, var: Var, one: Kind, other: Kind, where: Location) -> Kind:
        """The kind of a value that may come from two places."""
        if {one, other} == {CONSTANT, LINEAR}:
            raise self.refused(f"{var.name} depends on them on one path, and is a constant that is not zero on another", where)
        return one if other is ZERO else other

    def equation(self, node: Equation, out: Var) -> Kind:
        kinds = tuple(map(self.kind, node.ins))
        if node.primitive in (empty, last_writer):  # storage that is written before it is read; a row that reads types only
            return ZERO if node.primitive is empty else CONSTANT
        kind = LINEAR if LINEAR in kinds else ZERO
        on = tuple(each is kind for each in kinds)
        if not any(on) or kind is ZERO and not is_float(out.type.dtype):
            return CONSTANT
        if not _is_affine(node, on):
            if kind is ZERO and any(_is_affine(node, tuple(k == number for k in range(len(on)))) for number, each in enumerate(on) if each):
                return ZERO  # a product of zeros
            why = f"this operation ({node.primitive.name}) is not linear"
        elif any(each is CONSTANT and is_float(atom.type.dtype) and _is_term(node, k, on) for k, (each, atom) in enumerate(zip(kinds, node.ins, strict=True))):
            why = f"this operation ({node.primitive.name}) adds a term that does not depend on them"
        else:
            return kind
        if kind is ZERO:
            return CONSTANT
        raise self.refused(why, node.where)


def _is_affine(node: Equation, on: tuple[bool, ...]) -> bool:
    """Whether the outs are affine functions of the operands marked, jointly: their tangents read none of these, nor the outs."""
    values, read, tangents = _tangents(node, on)
    return all(tangent is not None for tangent in tangents) and read.isdisjoint(values)


def _is_term(node: Equation, number: int, linear: tuple[bool, ...]) -> bool:
    """Whether an operand is a term by itself: how the outs depend on it has nothing to do with the linear operands."""
    values, read, tangents = _tangents(node, tuple(k == number for k in range(len(linear))), apart=linear)
    if all(tangent is None for tangent in tangents):  # without a derivative it may be anything (heaviside's first), but in a row that has a transpose (factors)
        return isinstance(node.primitive.transpose, Nothing | NotYet)
    return read.isdisjoint(values)


def _tangents(
    node: Equation, on: tuple[bool, ...], apart: tuple[bool, ...] = ()
) -> tuple[set[Atom], set[Atom], tuple[Value | None, ...]]:
    """The row's tangents for the operands marked `on`: placeholders of the operands `apart` (default: the same) and of the outs, the
    atoms that the tangents' code reads, the tangents (all None without a rule).
    """
    rule = node.primitive.jvp
    if isinstance(rule, Nothing | NotYet):
        return set(), set(), (None,)
    trace = new_builder()
    apart = apart or on
    ins: list[Atom] = [Var("value", atom.type) if is_apart else atom for atom, is_apart in zip(node.ins, apart, strict=True)]
    outs: list[Atom] = [Var("out", Array(out.type.dtype, out.type.shape, out.type.weak)) for out in node.outs]
    dots = tuple(Value(trace, Var("dot", atom.type.strong())) if is_on else None for atom, is_on in zip(node.ins, on, strict=True))
    tangents = rule(dots, tuple(Value(trace, atom) for atom in ins), tuple(Value(trace, out) for out in outs), **node.params)
    read = {atom for step in trace.nodes if isinstance(step, Equation) for atom in step.ins} | {each.atom for each in tangents if each is not None}
    return {atom for atom, is_apart in zip(ins, apart, strict=True) if is_apart} | set(outs), read, tangents
