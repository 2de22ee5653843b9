"""Rematerialisation: a function whose intermediate values are computed again for the reverse sweep, not kept for it.

    def layer(x):                     def layer(x): …                            nothing but x is kept
        h = sin(x)            ->      def layer_bwd(x, y_bar):
        return h * h                      h = sin(x)                             computed again
                                          return cos(x) * (2 * h * y_bar)

A policy may allow some values to be kept: they are handed from the forward half to the backward half, and dead code
elimination drops what only served to compute them (inside loops: `checkpoint_loops.py`; inside branches all is computed again).
Derivatives of a checkpointed function are checkpointed with the same policy, whatever their mode and order.
"""
from __future__ import annotations

from typing import Any

from s2s import tree_util
from s2s.records import replace
from s2s.transforms.checkpoints.checkpoint_loops import filled, kept_in_loops, read_back
from s2s.transforms.checkpoints.policies import EVERYTHING, AnythingBut, Policy
from s2s.transforms.derivatives import forward
from s2s.transforms.derivatives.activity import active_vars, varied_results
from s2s.transforms.derivatives.reverse import adjoint as reverse
from s2s.transforms.derivatives.reverse.inline import inline_mutating
from s2s.transforms.derivatives.rules import DerivativeRule, Halves, KnownForward, KnownReverse, Mask
from s2s.transforms.ir import rewrite
from s2s.transforms.ir.prints import Without
from s2s.transforms.ir.program import Block, Call, Check, Equation, For, Function, Node, Print, Var, free_vars, size_params, walk
from s2s.transforms.ir.staged import Result, Staged, renumbered
from s2s.transforms.primitives.structural import retype
from s2s.transforms.simplify.simplification import only_live, simplify
from s2s.types import SIZE, dim_atom, is_size


def checkpointed(staged: Staged, policy: Policy) -> Staged:
    """The program with its function under the rule `Checkpoint`. Sizes of its results that it finds itself become results
    too, before the others: a caller must know them.
    """
    if policy == EVERYTHING:
        return staged
    function = staged.function
    known = {*function.params, *size_params(function), *function.body.results}
    found = tuple(dict.fromkeys(dim for result in function.body.results for dim in result.type.shape if isinstance(dim, Var) and dim not in known))

    def shifted(leaf: Any) -> Any:
        return replace(leaf, number=leaf.number + len(found)) if isinstance(leaf, Result) else leaf

    body = Block(function.body.nodes, (*found, *function.body.results))
    mutated = tuple((var, number + len(found)) for var, number in staged.mutated)
    origins = renumbered(staged.origins, range(len(found), len(body.results)))
    function = replace(function, body=body, rule=Checkpoint(policy))
    return replace(staged, function=function, result=tree_util.tree_map(shifted, staged.result), mutated=mutated, origins=origins)


class ByBody(DerivativeRule):
    """A rule that differentiates the function's body, in its own way."""

    keeps_numbers = True

    def __init__(self) -> None:
        self.bodies: dict[Function, Function] = {}

    def body(self, function: Function) -> Function:
        """The function without the rule, as it is differentiated."""
        if function not in self.bodies:
            self.bodies[function] = self.prepared(replace(function, rule=None))
        return self.bodies[function]

    def prepared(self, function: Function) -> Function:
        """What is done first, once."""
        return function

    def varied_results(self, function: Function, active: Mask) -> Mask:
        return varied_results(self.body(function), active)

    def useful_params(self, function: Function, active: Mask, useful: Mask) -> Mask:
        on = active_vars(self.body(function), active, useful)
        return tuple(param in on for param in function.params)


class Checkpoint(ByBody):
    """The rule of a checkpointed function: the reverse sweep gets its inputs, and what `policy` allows to be kept."""

    def __init__(self, policy: Policy) -> None:
        super().__init__()
        self.policy = policy

    def prepared(self, function: Function) -> Function:
        """Simplified; calls of helpers that hold what may be kept, or that update their arguments, written in place."""
        return inline_mutating(_opened(simplify(function), self.policy))

    def jvp(self, function: Function, active: Mask, known: KnownForward) -> Function:
        return replace(forward.jvp(self.body(function), active, known), rule=self)

    def halves(self, function: Function, active: Mask, useful: Mask, known: KnownReverse) -> Halves:
        plain = self.body(function)
        joined = reverse.vjp(plain, active, useful, known)
        seeds, bars = joined.params[len(plain.params):], joined.body.results[len(plain.body.results):]
        looped = kept_in_loops(plain, lambda nodes: saveable(nodes, self.policy))
        handed = {var: _as_param(var, plain) for var in (*saveable(plain.body.nodes, self.policy), *(each.tape for each in looped))}
        nodes = _cut(read_back(joined.body.nodes, {each.value: handed[each.tape] for each in looped}), handed)
        adjoint = only_live(without_checks(Block(tuple(nodes), bars)))
        read = free_vars(adjoint)
        used = tuple(var for var, param in handed.items() if param in read)
        given = tuple(handed[var] for var in used)
        params = params_read(plain, read, (*given, *seeds))
        backward = Function(f"{function.name}_bwd", (*params, *given, *seeds), adjoint, function.where, "", self, derived=False)
        own = {*plain.params, *size_params(plain), *plain.body.results}
        named = tuple(dict.fromkeys(dim for var in used for dim in var.type.shape if isinstance(dim, Var) and dim not in own))
        extra = tuple(dict.fromkeys((*named, *(var for var in used if var not in own))))
        first = function
        if extra:
            body = Block(filled(plain.body.nodes, [each for each in looped if each.tape in used]), (*plain.body.results, *extra))
            first = Function(f"{function.name}_fwd", plain.params, body, function.where, function.doc, self, derived=False)
        return Halves(first, rewrite.renewed(backward), (*params, *used), extra)


# ---- what may be kept -----------------------------------------------------------------------------------------------


def saveable(nodes: tuple[Node, ...], policy: Policy) -> tuple[Var, ...]:
    """The Vars of a block's own equations that a policy lets keep; what has a refused name is not kept without it either."""
    found: dict[Var, None] = {}
    refused: set[object] = set()
    for node in nodes:
        if isinstance(node, Equation) and _allows(policy, node):
            found.update(dict.fromkeys(node.outs))
        elif isinstance(node, Equation) and isinstance(policy, AnythingBut):
            refused.update(node.ins)
    return tuple(var for var in found if var not in refused)


def _allows(policy: Policy, node: Equation) -> bool:
    return bool(policy(node.primitive, *(atom.type for atom in node.ins), **node.params))


def _holds_saveable(function: Function, policy: Policy) -> bool:
    return any(
        isinstance(node, Equation) and _allows(policy, node) or isinstance(node, Call) and _can_open(node, policy) for node in function.body.nodes
    )


def _can_open(node: Call, policy: Policy) -> bool:
    return node.function.rule is None and _holds_saveable(node.function, policy)


def _opened(function: Function, policy: Policy) -> Function:
    """The function with calls of helpers that compute what may be kept, in its own block and its loops', replaced by their bodies."""
    body = _opened_block(function.body, policy, rewrite.Substitution(renew=False))
    return function if body is function.body else replace(function, body=body)


def _opened_block(block: Block, policy: Policy, now: rewrite.Substitution) -> Block:
    called = any(isinstance(node, Call) and _can_open(node, policy) for node in walk(block))
    if not called:
        return block
    nodes: list[Node] = []
    for node in block.nodes:
        if isinstance(node, Call) and _can_open(node, policy):
            inner, results = rewrite.inline(Call(node.outs, _opened(node.function, policy), now.atoms(node.ins), node.where))
            nodes += inner
            now.mapping.update(results)
        elif isinstance(node, For):
            nodes.append(_Opening(now, policy).node(node))
        else:
            nodes.append(now.node(node))
    return Block(tuple(nodes), now.atoms(block.results))


class _Opening(rewrite.Substitution):
    """Opens calls in a loop's own block."""

    def __init__(self, now: rewrite.Substitution, policy: Policy) -> None:
        super().__init__(renew=False)
        self.mapping, self.policy = now.mapping, policy

    def block(self, block: Block) -> Block:
        opened = _opened_block(block, self.policy, rewrite.Substitution(renew=False))
        return super().block(opened)


# ---- the backward half ------------------------------------------------------------------------------------------------


def _as_param(var: Var, function: Function) -> Var:
    """The parameter that hands a value over: its type can't name sizes that the backward half computes itself."""
    known = size_params(function)
    shape = tuple(dim if isinstance(dim, int) or dim in known else Var(dim.name, SIZE) for dim in var.type.shape)
    return var if shape == var.type.shape else Var(var.name, var.type.with_shape(shape))


def _cut(given: list[Node], handed: dict[Var, Var]) -> list[Node]:
    """The nodes without the equations whose results are handed over."""
    nodes: list[Node] = []
    for node in given:
        if not isinstance(node, Equation) or node.outs[0] not in handed:
            nodes.append(node)
            continue
        for out in node.outs:
            if handed[out] is not out:
                nodes.append(Equation((out,), retype, (handed[out], *(dim_atom(dim) for dim in out.type.shape)), {}, node.where))
    return nodes


def params_read(function: Function, read: dict[Var, None], others: tuple[Var, ...]) -> tuple[Var, ...]:
    """The parameters that are read, and the sizes that neither they nor the other parameters bind; sizes first."""
    params = [param for param in function.params if param in read]
    bound = {dim for var in (*params, *others) for dim in var.type.shape}
    params += [size for size in size_params(function) if size in read and size not in bound]
    return tuple(sorted(params, key=lambda var: 0 if is_size(var.type) else 1))


def without_checks(block: Block) -> Block:
    """A block without its checks, those of the functions that it calls included: where it has run once with the same
    values, they hold. What it prints was printed then.
    """
    return _Unchecked(Check | Print).block(block)


class _Unchecked(Without):
    """A function with a rule of its own stays as it is."""

    def called(self, function: Function) -> Function:
        return function if function.rule is not None else super().called(function)
