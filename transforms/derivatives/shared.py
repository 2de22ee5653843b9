"""Derivatives that are taken inside of a shard_map with check_vma: what all devices share is one variable, or one result.

    shard_map(grad(loss))      loss(w, x) = psum(sum(w * x), "i"),  w the same for all devices

The program of a device knows its own w only. Its pullback gives w's cotangent on this device, from the cotangent of this device's loss; the total is their sum over
the devices, and a loss that all share has one cotangent, which each gets an equal part of. Rows at the bounds say so; who binds the axis knows what is shared.

Method: the transposes of JAX's pvary and psum_invariant (jax.shard_map, check_vma=True) along the whole program, gathered at its bounds by linearity.
"""
from __future__ import annotations

from s2s.errors import UnsupportedError
from s2s.records import replace
from s2s.transforms.batching.examples import body_of
from s2s.transforms.batching.meetings import meetings_of
from s2s.transforms.derivatives.custom import CustomVjp
from s2s.transforms.derivatives.rules import Mask
from s2s.transforms.ir.named_axes import bound_axes
from s2s.transforms.ir.program import Atom, Block, Call, Equation, Function, Var, walk
from s2s.transforms.ir.rewrite import Substitution
from s2s.transforms.primitives import collectives
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.value import Value


def with_bounds(function: Function, active: Mask, useful: Mask) -> Function:
    """The function as it is differentiated here: itself outside of such a shard_map. `active`, `useful`: the parameters and results of the derivative."""
    axes = [axis.name for axis in bound_axes() if axis.typed]
    if not axes:
        return function
    if function.rule is not None:  # it is called, so that its rule holds
        function = replace(function, body=body_of(function), rule=None)
    function = _plain(function, {})
    _refuse_rules(function)
    builder = new_builder()
    builder.where = function.where
    mapping: dict[Var, Atom] = {}
    for param, on in zip(function.params, active, strict=True):
        value = Value(builder, param)
        for axis in axes if on else ():
            value = collectives.entered(value, Value(builder, param), axis=axis)
        mapping.update({param: value.atom} if on else {})
    copied = Substitution(mapping)
    for node in function.body.nodes:
        builder.add(copied.node(node))
    results = list(copied.atoms(function.body.results))
    for number, on in enumerate(useful):
        value = Value(builder, results[number])
        for axis in axes if on else ():
            value = collectives.left(value, Value(builder, results[number]), axis=axis)
        results[number] = value.atom
    return replace(function, body=Block(tuple(builder.nodes), tuple(results)))


def alike(tangent: Value, result: Value) -> Value:
    """A tangent that inside of such a shard_map counts as different where its result does, though it may be the same."""
    for axis in bound_axes():
        tangent = collectives.alike(tangent, result, axis=axis.name) if axis.typed else tangent
    return tangent


def _plain(function: Function, done: dict[Function, Function]) -> Function:
    """The function, and all that it calls, without the bounds of derivatives that were taken before: to this one they are what they hold."""
    if function not in done:
        done[function] = replace(function, body=_Plain(done).block(function.body))
    return done[function]


class _Plain(Substitution):
    def __init__(self, done: dict[Function, Function]) -> None:
        super().__init__(renew=False)
        self.done = done

    def block(self, block: Block) -> Block:
        nodes = []
        for node in block.nodes:
            made = self.node(node)
            if isinstance(made, Equation) and made.primitive in _HELD:
                self.mapping[made.outs[0]] = self.mapping[node.outs[0]] = made.ins[0]
            else:
                nodes.append(replace(made, function=_plain(made.function, self.done)) if isinstance(made, Call) else made)
        return Block(tuple(nodes), self.atoms(block.results))


_HELD = frozenset((collectives.entered, collectives.left))


def _refuse_rules(function: Function) -> None:
    """UnsupportedError for a backward rule of the user's, which does not say what is shared."""
    for node in walk(function.body):
        if isinstance(node, Call):
            if isinstance(node.function.rule, CustomVjp):
                raise UnsupportedError(
                    f"a derivative inside of a shard_map of {node.function.name}, a custom_vjp function", where=node.where, why="its rule does not say which cotangents are the same for all devices",
                    instead="shard_map(…, check_vma=False), or the derivative of the function that shard_map made",
                )  # fmt: skip
            if node.function.rule is not None and next(meetings_of(node.function, _HELD), None) is not None:
                raise UnsupportedError(
                    f"a derivative inside of a shard_map of {node.function.name}, whose derivative rule takes derivatives itself", where=node.where,
                    instead="shard_map(…, check_vma=False), or the derivative of the function that shard_map made",
                )  # fmt: skip
            _refuse_rules(node.function)


__all__ = ["alike", "with_bounds"]
