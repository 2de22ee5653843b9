"""Which Vars a derivative has to follow: those that depend on the differentiated inputs and influence the results.

    varied: reached from active parameters through differentiable equations (forward, to a fixed point over loops)
    useful: reaches a result that has a cotangent (backward)            active = varied and useful
"""
from __future__ import annotations

from collections.abc import Iterable

from s2s.transforms.derivatives.rules import rule_of
from s2s.transforms.ir.program import Atom, Block, Call, Check, Equation, For, Function, If, Map, Node, Print, Var, While
from s2s.transforms.primitives.families import differentiable
from s2s.transforms.primitives.row import ZERO


def varied_results(function: Function, active: tuple[bool, ...]) -> tuple[bool, ...]:
    """Which results depend on the active parameters."""
    if (rule := rule_of(function)) is not None:
        return rule.varied_results(function, active)
    varied = varied_vars(function, active)
    return tuple(result in varied for result in function.body.results)


def varied_vars(function: Function, active: tuple[bool, ...]) -> set[Var]:
    """All Vars of the function (blocks inside included) that depend on the active parameters."""
    varied = {param for param, on in zip(function.params, active, strict=True) if on and differentiable(param)}
    _varied_block(function.body, varied)
    return varied


def varied_from(nodes: Iterable[Node], seeds: Iterable[Var]) -> set[Var]:
    """The Vars bound by these nodes (blocks inside included) that depend on the seeds, and the seeds."""
    varied = set(seeds)
    for node in nodes:
        _varied_node(node, varied)
    return varied


def _varied_block(block: Block, varied: set[Var]) -> None:
    for node in block.nodes:
        _varied_node(node, varied)


def _mark(outs: tuple[Var, ...], from_: tuple[Atom, ...], varied: set[Var]) -> None:
    varied.update(out for out, atom in zip(outs, from_, strict=True) if atom in varied)


def _varied_node(node: Node, varied: set[Var]) -> None:
    match node:
        case Equation():
            if node.primitive.jvp is not ZERO and not varied.isdisjoint(node.reads):  # dimensions are never varied
                varied.update([out for out in node.outs if differentiable(out)])
        case Call():
            on = varied_results(node.function, tuple(atom in varied for atom in node.ins))
            varied.update(out for out, is_varied in zip(node.outs, on, strict=True) if is_varied)
        case For() | While():
            _mark(node.carry, node.init, varied)
            before = -1
            while len(varied) != before:
                before = len(varied)
                _varied_block(node.body, varied)
                _mark(node.carry, node.body.results, varied)
            _mark(node.outs, node.carry, varied)
        case If():
            for block in (node.then, node.orelse):
                _varied_block(block, varied)
                _mark(node.outs, block.results, varied)
        case Map():
            _varied_block(node.body, varied)
            _mark(node.outs, node.body.results, varied)
        case Check() | Print():
            pass


def active_vars(function: Function, active: tuple[bool, ...], useful: tuple[bool, ...]) -> set[Var]:
    """The Vars that get a cotangent when the `active` parameters are differentiated for the `useful` results."""
    varied = varied_vars(function, active)
    on = {result for result, is_useful in zip(function.body.results, useful, strict=True) if is_useful and result in varied}
    _useful_block(function.body, on, varied)
    return on


def _useful_block(block: Block, useful: set[Var], varied: set[Var]) -> None:
    for node in reversed(block.nodes):
        _useful_node(node, useful, varied)


def _useful_operands(node: Call, useful: set[Var], varied: set[Var]) -> tuple[bool, ...]:
    active, wanted = tuple(atom in varied for atom in node.ins), tuple(out in useful for out in node.outs)
    if (rule := rule_of(node.function)) is not None:
        return rule.useful_params(node.function, active, wanted)
    inner = active_vars(node.function, active, wanted)
    return tuple(param in inner for param in node.function.params)


def _use(atoms: tuple[Atom, ...], of: tuple[Atom, ...], useful: set[Var], varied: set[Var]) -> None:
    useful.update(atom for atom, target in zip(atoms, of, strict=True) if target in useful and atom in varied)


def _useful_node(node: Node, useful: set[Var], varied: set[Var]) -> None:
    match node:
        case Equation():
            if not useful.isdisjoint(node.outs):
                useful.update(varied.intersection(node.reads))
        case Call():
            useful.update(atom for atom, on in zip(node.ins, _useful_operands(node, useful, varied), strict=True) if on)  # type: ignore[misc]
        case For() | While():
            _use(node.carry, node.outs, useful, varied)
            before = -1
            while len(useful) != before:
                before = len(useful)
                _use(node.body.results, node.carry, useful, varied)
                _use(node.body.results, node.outs, useful, varied)
                _useful_block(node.body, useful, varied)
            _use(node.init, node.carry, useful, varied)
        case If():
            for block in (node.then, node.orelse):
                _use(block.results, node.outs, useful, varied)
                _useful_block(block, useful, varied)
        case Map():
            _use(node.body.results, node.outs, useful, varied)
            _useful_block(node.body, useful, varied)
        case Check() | Print():
            pass
