"""Loops reversed from a few snapshots of their state instead of tapes of all trips: `checkpoint(steps=…)`.

    for t in range(n):            simulate_loop(x, …): a function with the rule `Snapshots`
        x = step(x)        ->         forward half: runs segments of the loop, keeping snapshots of x on the way
                                      backward half: for each segment, last first: from the last snapshot before it run the loop up to
                                      it (taking new snapshots where some are free), then reverse the segment with tapes of its own

Each outermost loop becomes a function with the rule. Its state is what the reverse sweep, or the loop itself, needs of the carried
values at a segment's start: sums and outputs that nobody reads are not part of it. Both halves are ordinary programs, so
that they are differentiated, batched and emitted like any other. Where the snapshots are: `snapshot_schedule`.
"""
from __future__ import annotations

from s2s.errors import UnsupportedError
from s2s.records import replace
from s2s.transforms.checkpoints.checkpoint import ByBody
from s2s.transforms.checkpoints.segments import Segment
from s2s.transforms.checkpoints.snapshot_sweeps import sweeps
from s2s.transforms.derivatives import forward
from s2s.transforms.derivatives.reverse import adjoint as reverse
from s2s.transforms.derivatives.rules import Halves, KnownForward, KnownReverse, Mask
from s2s.transforms.ir import rewrite
from s2s.transforms.ir.program import Block, Call, For, Function, If, Node, While, bound_inside, free_vars, walk
from s2s.transforms.primitives.arithmetic import equal
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.structural import same_dims
from s2s.transforms.primitives.value import Value
from s2s.transforms.simplify.simplification import simplify
from s2s.types import Literal, Var

Loop = For | While


# ---- loops as functions ---------------------------------------------------------------------------------------------


def with_snapshots(function: Function, count: int | None) -> Function:
    """The function, simplified, with each outermost loop (of what it calls, too) behind a call of a function with the rule.

    `count`: the number of snapshots; None: it depends on the number of trips.

    Raises
    ------
    UnsupportedError
        If arrays change their size from trip to trip.
    """
    return simplify(_Outline(Snapshots(count)).function(simplify(function)))


class _Outline:
    def __init__(self, rule: Snapshots) -> None:
        self.rule = rule
        self.done: dict[Function, Function] = {}

    def function(self, function: Function) -> Function:
        if function.rule is not None:
            return function
        if function not in self.done:
            body = self.block(function.body, f"{function.name}_loop", rewrite.Substitution(renew=False))
            self.done[function] = replace(function, body=body)
        return self.done[function]

    def block(self, block: Block, name: str, now: rewrite.Substitution) -> Block:
        nodes = tuple(each for node in block.nodes for each in self.node(node, name, now))
        return Block(nodes, now.atoms(block.results))

    def node(self, node: Node, name: str, now: rewrite.Substitution) -> tuple[Node, ...]:
        match node:
            case For() | While():
                checks, loop = _settled(node, now)
                return (*checks, loop_call(loop, name, self.rule))
            case If():
                test, then, orelse = now.atom(node.test), self.block(node.then, name, now), self.block(node.orelse, name, now)
                return (If(now.bind_all(node.outs), test, then, orelse, node.where),)
            case Call():
                call = now.node(node)
                assert isinstance(call, Call)
                return (replace(call, function=self.function(call.function)),)
            case _:
                return (now.node(node),)


def _settled(loop: Loop, now: rewrite.Substitution) -> tuple[tuple[Node, ...], Loop]:
    """The loop with arrays that keep their sizes. Where a size is the same after each trip but need not be what the loop
    starts with (`x = w @ x` for a matrix of any shape), a check says that it is; if it fails, sizes must be known.
    """
    sizes_of = {k: carry for k, carry in enumerate(loop.carry) if any(carry in other.type.shape for other in loop.carry)}
    inside = {*loop.carry, *(var for node in walk(loop.body) for var in (*node.outs, *bound_inside(node)))}
    builder = new_builder()
    builder.where = loop.where
    for k, carry in sizes_of.items():
        start, after = now.atom(loop.init[k]), now.atom(loop.body.results[k])
        if after in inside or isinstance(start, Literal) and isinstance(after, Literal) and start != after:
            raise UnsupportedError(
                "checkpoint(steps=…) of a loop in which an array changes its size", where=loop.where, why="snapshots have one size",
                instead="give the array its largest size before the loop, or leave steps out",
            )
        message = "operands could not be broadcast together with shapes ({},) ({},)"
        builder.check(builder.equation(equal, (start, after), name="fits")[0], "ValueError", message, start, after, stretch=True)
        now.mapping[carry] = now.mapping[loop.outs[k]] = start
    kept = [k for k in range(len(loop.carry)) if k not in sizes_of]
    made = now.node(replace(
        loop, outs=tuple(loop.outs[k] for k in kept), carry=tuple(loop.carry[k] for k in kept), init=tuple(loop.init[k] for k in kept),
        body=Block(loop.body.nodes, tuple(loop.body.results[k] for k in kept)),
    ))  # fmt: skip
    assert isinstance(made, For | While)
    inner = new_builder()
    inner.nodes += made.body.nodes
    fitted = tuple(
        same_dims(Value(inner, result), Value(inner, var)).atom if result.type.shape != var.type.shape else result
        for result, var in zip(made.body.results, made.carry, strict=True)
    )
    first = new_builder()
    fresh = tuple(same_dims(Value(first, atom), Value(first, var)).atom for atom, var in zip(made.init, made.carry, strict=True))
    return (*builder.nodes, *first.nodes), replace(made, init=fresh, body=inner.block(*fitted))


def loop_call(loop: Loop, name: str, rule: Snapshots) -> Call:
    """The loop as a call of a function of (*what its carried values start with, *what it reads from outside)."""
    starts = tuple(Var(carry.name, carry.type) for carry in loop.carry)
    block = Block((replace(loop, init=starts),), loop.outs)
    read = [var for var in free_vars(block) if var not in starts]
    named = {dim for var in (*starts, *read) for dim in var.type.shape}
    outside = tuple(var for var in read if var not in named)
    function = rewrite.renewed(Function(name, (*starts, *outside), block, loop.where, "", rule, derived=False))
    return Call(loop.outs, function, (*loop.init, *outside), loop.where)


# ---- the rule ---------------------------------------------------------------------------------------------------------


class Snapshots(ByBody):
    """The rule of a loop that is reversed from at most `count` snapshots."""

    def __init__(self, count: int | None) -> None:
        super().__init__()
        self.count = count

    def jvp(self, function: Function, active: Mask, known: KnownForward) -> Function:
        return with_snapshots(forward.jvp(self.body(function), active, known), self.count)

    def halves(self, function: Function, active: Mask, useful: Mask, known: KnownReverse) -> Halves:
        plain = self.body(function)
        segment = Segment.of(plain, active, useful, known)
        if not segment.state or not segment.tape:  # nothing grows with the number of trips
            return reverse.halves(plain, active, useful, known)
        return sweeps(plain, segment, self.count, active, useful)
