"""A program of known sizes in the jaxpr notation.

    def f(x: f8[4], n: i8):                        { lambda ; a:f64[4] b:i64[]. let
        sin: f8[4] = sin(x)                 ->         c:f64[4] = sin a
        …                                              …

Helpers are written in place, as what JAX traces is; functions with rules stay calls. A branch is a `cond`, loops see `loops.py`, a check an equation `check`.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, assert_never

import numpy as np

from s2s.errors import Location, UnsupportedError
from s2s.transforms.checkpoints.checkpoint import Checkpoint
from s2s.transforms.checkpoints.policies import NOTHING
from s2s.transforms.derivatives.custom import Custom, CustomJvp, CustomVjp
from s2s.transforms.ir import program
from s2s.transforms.ir.jitted import Jitted
from s2s.transforms.ir.program import Block, Call, Check, Equation, For, Function, If, Map, Node, Print, While, operands, walk
from s2s.transforms.ir.rewrite import bind_params
from s2s.transforms.ir.spread import Spread
from s2s.transforms.jaxprs import equations, loops
from s2s.transforms.jaxprs.control import (
    CHECK,
    COND,
    CUSTOM_JVP,
    CUSTOM_VJP,
    DEBUG_CALLBACK,
    DEBUG_PRINT,
    INT32,
    JIT,
    LINEAR_CALL,
    REMAT,
    clamped,
)
from s2s.transforms.jaxprs.scope import Scope, literal, size
from s2s.transforms.jaxprs.spread import call_spread
from s2s.transforms.jaxprs.syntax import Atom, ClosedJaxpr, Jaxpr, Literal, Primitive, Var
from s2s.transforms.primitives import rows
from s2s.transforms.primitives.row import Cost
from s2s.types import dim_atom

_FAILED = "<can't be read>"
"""Instead of the name of a rule that fails when a derivative is taken."""


def jaxpr_of(function: Function, params: Sequence[program.Var], constants: dict[program.Var, Any], results: Sequence[Literal | None], inner: bool = False) -> tuple[Jaxpr, list[Any]]:
    """A program's jaxpr, and the values of its constvars. `params`: what a call gives, in order; `constants`: the values of the other parameters;
    `results`: what is given back, None for the next one of the function's results. Those behind are computed, and read by nobody. `inner`: it will be part of another one.
    """
    scope, constvars, consts = Scope(inner=inner or isinstance(function.rule, Checkpoint | Custom)), [], []
    invars = [scope.new(param, function.where) for param in params]
    for param, value in constants.items():
        for dim, length in zip(param.type.shape, np.shape(value), strict=True):
            if isinstance(dim, program.Var):
                scope.bind(dim, size(length))
        if np.ndim(value):
            constvars.append(scope.new(param, function.where))
            consts.append(value)
            scope.constants[constvars[-1]] = value
        else:
            scope.bind(param, literal(np.asarray(value).item(), param.type))
    found = iter(_write(function.body, scope))
    outs = [next(found) if each is None else each for each in results]
    jaxpr, consts = _without_unread(scope.finished(invars, outs, [*constvars, *scope.held], {*found}), [*consts, *scope.held.values()])
    if isinstance(function.rule, Checkpoint | Custom):
        return called(*_rule(function, Jaxpr((), (*jaxpr.constvars, *jaxpr.invars), jaxpr.outvars, jaxpr.eqns)), jaxpr, function.where), consts
    return jaxpr, consts


def unread(block: Block, results: Sequence[program.Atom]) -> list[program.Var]:
    """What a function computes and nobody reads: a tracer sees it all the same (a gradient's own function is computed for what its rules need)."""
    nodes = list(walk(block))
    read = {*results, *(atom for node in nodes for atom in (*operands(node), *(found for inner in node.blocks for found in inner.results)))}
    computed = [node for node in block.nodes if isinstance(node, Call) or isinstance(node, Equation) and node.primitive.cost is not Cost.FREE and node.primitive is not rows.convert]
    return [out for node in computed for out in node.outs if out not in read and out.type.dtype.kind in "fc"]


def _without_unread(jaxpr: Jaxpr, consts: list[Any]) -> tuple[Jaxpr, list[Any]]:
    """Without constants that nobody reads."""
    read = {*jaxpr.outvars, *(atom for eqn in jaxpr.eqns for atom in eqn.invars)}
    kept = [(var, value) for var, value in zip(jaxpr.constvars, consts, strict=True) if var in read]
    return Jaxpr(tuple(var for var, _ in kept), jaxpr.invars, jaxpr.outvars, jaxpr.eqns), [value for _, value in kept]


def jitted(name: str, jaxpr: Jaxpr, where: Location) -> Jaxpr:
    """{ lambda …. let … = jit[name=… jaxpr=…] … in … }: what a call of a jitted function is; constants become arguments of the inner one."""
    inner = Jaxpr((), (*jaxpr.constvars, *jaxpr.invars), jaxpr.outvars, jaxpr.eqns)
    return called(JIT, {"name": name, "jaxpr": ClosedJaxpr(inner, [])}, jaxpr, where)


def called(primitive: Primitive, params: dict[str, Any], jaxpr: Jaxpr, where: Location) -> Jaxpr:
    """A jaxpr with parameters and results like those of this one, that does nothing but call."""
    scope = Scope()
    constvars, invars = [Var(var.aval) for var in jaxpr.constvars], [Var(var.aval) for var in jaxpr.invars]
    outs = [Var(atom.aval) for atom in jaxpr.outvars]
    scope.add(primitive, [*constvars, *invars], outs, params, where)
    return scope.finished(invars, outs, constvars)


def _write(block: Block, scope: Scope) -> list[Atom]:
    """Write the nodes of a block; its results."""
    scope.note(block)
    for node in block.nodes:
        _node(node, scope)
    return [scope[atom] for atom in block.results]


def _node(node: Node, scope: Scope) -> None:
    match node:
        case Equation():
            equations.translate(node, scope)
        case Call():
            _call(node, scope)
        case Check():
            _check(node, scope)
        case Print() if node.calls_back:
            scope.add(DEBUG_CALLBACK, [scope[value] for value in node.values], [], {"callback": node.function}, node.where)
        case Print() if node.function:
            raise UnsupportedError("a record that is logged, in a jaxpr", where=node.where, instead="debug.callback of a function that logs")
        case Print():
            options = {**({} if node.end == "\n" else {"end": node.end}), **({"flush": True} if node.flush else {})}
            scope.add(DEBUG_PRINT, [scope[value] for value in node.values], [], {"fmt": node.text, **options}, node.where)
        case If():
            _if(node, scope)
        case For():
            loops.for_loop(node, scope, _write)
        case While():
            loops.while_loop(node, scope, _write)
        case Map():
            loops.map_loop(node, scope, _write)
        case _:
            assert_never(node)


def _check(node: Check, scope: Scope) -> None:
    test = scope[node.test]
    if isinstance(test, Literal) and test.val:
        return
    scope.add(CHECK, [test, *(scope[value] for value in node.values)], [], {"error": node.exception, "message": node.message}, node.where)


# ---- branches ------------------------------------------------------------------------------------------------------------


def _if(node: If, scope: Scope) -> None:
    """cond; a chain of `index <= 0`, `index <= 1`, … is the cond of several branches that lax.switch makes."""
    index, branches = _chain(node, scope)
    if index is None:
        test = scope[node.test]
        if isinstance(test, Literal):
            _chosen(node, scope, node.then if test.val else node.orelse)
            return
        params = {"new_dtype": np.dtype(np.int32), "weak_type": False}
        chosen = scope.op("convert_element_type", lambda x, **_: np.int32(x), [test], INT32, node.where, **params)
    else:
        chosen = _index_of(index, len(branches), scope, node.where)
    written = []
    for branch in branches:
        inner = Scope(scope)
        results = _write(branch, inner)
        written.append((inner, inner.finished([], results)))
    captured = sorted({var for inner, _ in written for var in inner.captured}, key=_order(scope))
    bodies = [ClosedJaxpr(_with_params(jaxpr, inner, captured), []) for inner, jaxpr in written]
    weak = [all(given) for given in zip(*([atom.aval.weak_type for atom in body.jaxpr.outvars] for body in bodies), strict=True)]
    outs = [scope.new(out, node.where, each) for out, each in zip(node.outs, weak, strict=True)]
    scope.add(COND, [chosen, *captured], outs, {"branches": tuple(bodies)}, node.where)


def _chosen(node: If, scope: Scope, block: Block) -> None:
    for out, result in zip(node.outs, _write(block, scope), strict=True):
        scope.bind(out, result)


def _with_params(jaxpr: Jaxpr, inner: Scope, captured: list[Var]) -> Jaxpr:
    """The branch with a parameter for each operand of the cond."""
    params = tuple(inner.captured.get(var, Var(var.aval)) for var in captured)
    return Jaxpr((), params, jaxpr.outvars, jaxpr.eqns)


def _order(scope: Scope) -> Any:
    """Where variables are bound: parameters in front, in their order."""
    places = {var: number for number, var in enumerate(scope.bound())}
    return lambda var: places[var]


def _chain(node: If, scope: Scope) -> tuple[program.Atom | None, list[Block]]:
    """The index and the branches of a chain of tests `index <= 0`, `index <= 1`, …; without one, the two of the `if`."""
    branches: list[Block] = []
    index, made, here = None, scope.made(node.test), node
    while made is not None and made.primitive is rows.less_equal and _value(made.ins[1]) == len(branches) and index in (None, made.ins[0]):
        index = made.ins[0]
        branches.append(here.then)
        last, made = here.orelse, None
        match last.nodes:
            case (Equation() as first, If() as following) if following.test in first.outs and last.results == following.outs:
                made, here = first, following
    return (index, [*branches, last]) if len(branches) > 1 else (None, [node.orelse, node.then])


def _value(atom: program.Atom) -> Any:
    return atom.value if isinstance(atom, program.Literal) else None


def _index_of(index: program.Atom, count: int, scope: Scope, where: Location) -> Var:
    """The index as JAX's cond takes it."""
    params = {"new_dtype": np.dtype(np.int32), "weak_type": False}
    small = scope.op("convert_element_type", lambda x, **_: np.int32(min(max(x, -1), 2**31 - 1)), [scope[index]], INT32, where, **params)
    low, high = (Literal(each, INT32) for each in (0, count - 1))
    return scope.op("clamp", clamped, [low, small, high], INT32, where)


# ---- calls ---------------------------------------------------------------------------------------------------------------


def _call(node: Call, scope: Scope) -> None:
    function = node.function
    if isinstance(function.rule, Jitted):
        _call_jitted(node, function.rule, scope)
        return
    if isinstance(function.rule, Spread) and len(function.rule.outs) == len(node.outs):
        call_spread(node, function.rule, scope, _write, _bind_sizes)
        return
    if not isinstance(function.rule, Checkpoint | Custom):
        for param, atom in bind_params(function.params, node.ins).items():
            scope.bind(param, scope[atom])
        for out, result in zip(node.outs, _write(function.body, scope), strict=True):
            scope.bind(out, result)
        return
    inner = Scope(scope)
    _bind_sizes(node, inner, scope)
    params = [inner.new(param, node.where, scope[atom].aval.weak_type) for param, atom in zip(function.params, node.ins, strict=True)]
    jaxpr = inner.finished(params, _write(function.body, inner))
    primitive, given = _rule(function, jaxpr)
    scope.add(primitive, [*inner.captured, *(scope[atom] for atom in node.ins)], [scope.new(out, node.where) for out in node.outs], given, node.where)


def _call_jitted(node: Call, rule: Jitted, scope: Scope) -> None:
    """jit[name=… jaxpr=…] …; arrays from outside of the whole program, and numbers that it reads from around, are constants of its own."""
    given = [scope[atom] for atom in node.ins]
    constants = {number: scope.constants[atom] for number, atom in enumerate(map(scope.top, given)) if isinstance(atom, Var) and atom in scope.constants}
    written = {number: atom for number in rule.hidden if isinstance(atom := given[number], Literal)}
    order = [number for number in (*rule.hidden, *rule.arguments) if number not in written]
    key = (node.function, tuple(atom.aval for atom in given), tuple(constants), tuple(atom.val for atom in written.values()))
    if key not in scope.bodies:
        inner = Scope(scope, closed=True)
        _bind_sizes(node, inner, scope)
        for number, atom in written.items():
            inner.bind(node.function.params[number], atom)
        params = {number: inner.new(node.function.params[number], node.where, given[number].aval.weak_type) for number in order}
        results = _write(node.function.body, inner)
        held = [number for number in order if number in constants]
        constvars = [*(params[number] for number in held), *inner.held]
        body = inner.finished([params[number] for number in order if number not in constants], results, constvars)
        scope.bodies[key] = ClosedJaxpr(body, [*(constants[number] for number in held), *inner.held.values()])
    closed = scope.bodies[key]
    outs = [scope.new(out, node.where, atom.aval.weak_type) for out, atom in zip(node.outs, closed.jaxpr.outvars, strict=True)]
    scope.add(JIT, [given[number] for number in order if number not in constants], outs, {"name": rule.name, "jaxpr": closed}, node.where)


def _bind_sizes(node: Call, inner: Scope, scope: Scope) -> None:
    """The sizes of a function's parameters are those of what it is given."""
    for param, atom in zip(node.function.params, node.ins, strict=True):
        for dim, actual in zip(param.type.shape, atom.type.shape, strict=True):
            if isinstance(dim, program.Var):
                inner.bind(dim, size(scope.known(dim_atom(actual)) or 0))


def _rule(function: Function, jaxpr: Jaxpr) -> tuple[Primitive, dict[str, Any]]:
    """What JAX calls a function with this rule, and the parameters."""
    rule = function.rule
    if isinstance(rule, Checkpoint):
        return REMAT, {"jaxpr": jaxpr, "policy": None if rule.policy == NOTHING else rule.policy, "differentiated": False, "prevent_cse": True}
    common = {"name": function.name, "call_jaxpr": ClosedJaxpr(jaxpr, []), "symbolic_zeros": False}
    assert isinstance(rule, Custom), rule
    filled = rule.failure is None
    if isinstance(rule, CustomVjp):
        return CUSTOM_VJP, {**common, "fwd": rule.fwd.name if filled else _FAILED, "bwd": rule.bwd.name if filled else _FAILED}
    if isinstance(rule, CustomJvp):
        return CUSTOM_JVP, {**common, "jvp": rule.rule.name if filled else _FAILED}
    return LINEAR_CALL, common


__all__ = ["jaxpr_of", "jitted", "unread"]
