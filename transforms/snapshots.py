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

from collections import Counter
from dataclasses import dataclass, replace

from s2s.errors import UnsupportedError
from s2s.transforms import forward, reverse, rewrite
from s2s.transforms.activity import active_vars
from s2s.transforms.build import Builder
from s2s.transforms.checkpoint import ByBody, without_checks
from s2s.transforms.facts import learn_function
from s2s.transforms.primitives import sizes
from s2s.transforms.primitives.arithmetic import add, equal, maximum, minimum, sub
from s2s.transforms.primitives.structural import empty, same_dims
from s2s.transforms.primitives.value import Value
from s2s.transforms.program import Block, Call, Equation, For, Function, If, Node, While, bound_inside, free_vars, size_params, walk
from s2s.transforms.rules import Mask
from s2s.transforms.simplify import narrowed, only_live, simplify
from s2s.types import SIZE, Array, Atom, Dim, Literal, Var, size_literal

Loop = For | While
Bytes = Counter[tuple[Var, ...]]
"""A number of bytes as a polynomial in sizes: {(): 8, (n,): 16, (n, m): 8} is 8 + 16 n + 8 n m."""
UNKNOWN = 64
"""What a size counts for that is found only inside the loop."""


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
    builder = Builder()
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
    inner = Builder()
    inner.nodes += made.body.nodes
    fitted = tuple(
        same_dims(Value(inner, result), Value(inner, var)).atom if result.type.shape != var.type.shape else result
        for result, var in zip(made.body.results, made.carry, strict=True)
    )
    first = Builder()
    fresh = tuple(same_dims(Value(first, atom), Value(first, var)).atom for atom, var in zip(made.init, made.carry, strict=True))
    return (*builder.nodes, *first.nodes), replace(made, init=fresh, body=inner.block(*fitted))


def loop_call(loop: Loop, name: str, rule: Snapshots) -> Call:
    """The loop as a call of a function of (*what its carried values start with, *what it reads from outside)."""
    starts = tuple(Var(carry.name, carry.type) for carry in loop.carry)
    block = Block((replace(loop, init=starts),), loop.outs)
    read = [var for var in free_vars(block) if var not in starts]
    named = {dim for var in (*starts, *read) for dim in var.type.shape}
    outside = tuple(var for var in read if var not in named)
    function = rewrite.renewed(Function(name, (*starts, *outside), block, loop.where, rule=rule))
    return Call(loop.outs, function, (*loop.init, *outside), loop.where)


# ---- the rule ---------------------------------------------------------------------------------------------------------


class Snapshots(ByBody):
    """The rule of a loop that is reversed from at most `count` snapshots."""

    def __init__(self, count: int | None) -> None:
        super().__init__()
        self.count = count

    def jvp(self, function: Function, active: Mask, known: forward.Known) -> Function:
        return with_snapshots(forward.jvp(self.body(function), active, known), self.count)

    def halves(self, function: Function, active: Mask, useful: Mask, known: reverse.Known) -> reverse.Halves:
        from s2s.transforms.snapshot_sweeps import sweeps  # it is written in terms of what is found here

        plain = self.body(function)
        segment = Segment.of(plain, active, useful, known)
        if not segment.state or not segment.tape:  # nothing grows with the number of trips
            return reverse.halves(plain, active, useful, known)
        return sweeps(plain, segment, self.count, active, useful)


@dataclass(frozen=True)
class Part:
    """A function of (first, last, *some of the loop function's params, …): `params` are their numbers."""

    function: Function
    params: tuple[int, ...]


@dataclass(frozen=True)
class Segment:
    """Some trips of a loop: those with an index from `first` up to `last`, as functions.

    run: (first, last, *params) -> all carried values; advance: -> those of the state only; adjoint: (first, last, *params,
    *cotangents of the carried values `bars`, *of the params `shared`) -> their cotangents before the segment.
    """

    loop: Loop
    run: Part
    advance: Part
    adjoint: Part
    state: tuple[int, ...]
    bars: tuple[int, ...]
    shared: tuple[int, ...]
    tape: Bytes
    """What the tapes take for each trip."""

    @classmethod
    def of(cls, plain: Function, active: Mask, useful: Mask, known: reverse.Known) -> Segment:
        """The segments of the loop that is a function's body."""
        (loop,) = plain.body.nodes
        assert isinstance(loop, For | While)
        on = active_vars(plain, active, useful)
        count = len(loop.carry)
        bars = tuple(k for k in range(count) if loop.carry[k] in on or loop.outs[k] in on)
        shared = tuple(k for k in range(count, len(plain.params)) if plain.params[k] in on)
        run = segment_function(plain)
        adjoint = _adjoint(run, count, bars, shared, known)
        kept = _params_kept(adjoint, len(plain.params), count)
        advance, state = _advance(run, {k for k in kept if k < count}, count)
        return cls(
            loop, Part(run, tuple(range(len(plain.params)))), advance, Part(_without_params(adjoint, kept, len(plain.params)), kept), state, bars,
            shared, _tape_bytes(adjoint, plain),
        )  # fmt: skip


def bytes_of_all(types: list[Array], known: dict[Dim, Dim]) -> Bytes:
    """What arrays of these types take, in the sizes that `known` maps theirs to."""
    total: Bytes = Counter()
    for type_ in types:
        number, dims = type_.dtype.itemsize, []
        for dim in type_.shape:
            here = known.get(dim, UNKNOWN) if isinstance(dim, Var) else dim
            if isinstance(here, Var):
                dims.append(here)
            else:
                number *= here
        total[tuple(sorted(dims, key=lambda var: (var.name, id(var))))] += number
    return Counter({dims: number for dims, number in total.items() if number})


def _tape_bytes(adjoint: Function, plain: Function) -> Bytes:
    """What the tapes that an adjoint allocates take for each trip, in the sizes of the loop function's params."""
    known = {
        own: theirs for mine, param in zip(adjoint.params[2:], plain.params, strict=False)
        for own, theirs in zip((mine, *mine.type.shape), (param, *param.type.shape), strict=True)
    }
    made = {out: node for node in adjoint.body.nodes if isinstance(node, Equation) for out in node.outs}
    tapes = [node.outs[0].type for node in adjoint.body.nodes if isinstance(node, Equation) and node.primitive is empty]
    for dim in {dim for type_ in tapes for dim in type_.shape if isinstance(dim, Var)}:
        known[dim] = _about(dim, known, made)
    return bytes_of_all([Array(type_.dtype, type_.shape[1:]) for type_ in tapes if type_.shape], known)


def _about(dim: Dim, known: dict[Dim, Dim], made: dict[Var, Equation]) -> Dim:
    """A size in terms of known ones, roughly: n - 2 and max(n, 0) are n."""
    if not isinstance(dim, Var) or dim in known:
        return known.get(dim, dim)
    node = made.get(dim)
    if node is None or node.primitive not in (add, sub, maximum, minimum):
        return UNKNOWN
    sides = [_about(side, known, made) for side in node.ins if isinstance(side, Var)]
    return next((side for side in sides if isinstance(side, Var)), UNKNOWN)


def segment_function(plain: Function) -> Function:
    """(first, last, *params) -> the carried values after the trips with an index from first up to last."""
    (loop,) = plain.body.nodes
    assert isinstance(loop, For | While)
    first, last = Var("first", SIZE), Var("last", SIZE)
    builder = Builder()
    learn_function(builder, plain)
    builder.where = loop.where
    if isinstance(loop, For):
        lo, hi = within(builder, loop, first, last)
        segment = replace(loop, lo=lo, hi=hi)
    else:
        segment = For(loop.outs, Var("trip", SIZE), first, last, size_literal(1), loop.carry, loop.init, loop.body, loop.where)
    name = plain.name.removesuffix("_loop") + "_steps"
    return rewrite.renewed(Function(name, (first, last, *plain.params), Block((*builder.nodes, segment), loop.outs), loop.where))


def within(builder: Builder, loop: For, first: Var, last: Var) -> tuple[Atom, Atom]:
    """The range from first up to last; it is said once more that it is a part of the loop's, so that indices are known to be in bounds."""
    if not isinstance(loop.step, Literal):
        return first, last
    if int(loop.step.value) > 0:  # type: ignore[arg-type]
        return sizes.larger(builder, loop.lo, first), sizes.smaller(builder, loop.hi, last)
    return sizes.smaller(builder, loop.lo, first), sizes.larger(builder, loop.hi, last)


def _adjoint(run: Function, count: int, bars: tuple[int, ...], shared: tuple[int, ...], known: reverse.Known) -> Function:
    """(first, last, *params, *cotangents) -> cotangents; those of shared values are accumulated: they are results of the segment, too."""
    passed = tuple(run.params[2 + k] for k in shared)
    through = replace(run, body=Block(run.body.nodes, (*run.body.results, *passed)))
    active = (False, False, *(k in bars or k in shared for k in range(len(run.params) - 2)))
    useful = (*(k in bars for k in range(count)), *(True for _ in shared))
    both = reverse.vjp(through, active, useful, known)
    body = without_checks(Block(both.body.nodes, both.body.results[len(through.body.results) :]))
    return simplify(rewrite.renewed(Function(f"{run.name}_bwd", both.params, only_live(body), run.where)))


def _params_kept(adjoint: Function, params: int, count: int) -> tuple[int, ...]:
    """The numbers of the loop function's params that the adjoint reads, or that it needs to know a size."""
    read = free_vars(adjoint.body)
    own = adjoint.params[2 : 2 + params]
    kept = {k for k, param in enumerate(own) if param in read}
    for size in size_params(adjoint):
        others = (*(own[k] for k in kept), *adjoint.params[2 + params :])
        if size in read and not any(size in param.type.shape for param in others):
            kept.add(max((k >= count, k) for k, param in enumerate(own) if size in param.type.shape)[1])  # rather one that is no state
    return tuple(sorted(kept))


def _without_params(function: Function, kept: tuple[int, ...], count: int) -> Function:
    params = (*function.params[:2], *(function.params[2 + k] for k in kept), *function.params[2 + count :])
    return replace(function, params=params)


def _advance(run: Function, state: set[int], count: int) -> tuple[Part, tuple[int, ...]]:
    """The segment for the state only, which grows by what it takes to compute it."""
    bare = replace(run, body=without_checks(run.body))
    while True:
        wanted = tuple(sorted(state))
        function, kept = narrowed(bare, wanted)
        params = tuple(k - 2 for k in kept if k >= 2)
        if {k for k in params if k < count} <= state:
            if 0 not in kept or 1 not in kept:
                function = replace(function, params=(*run.params[:2], *(run.params[2 + k] for k in params)))
            return Part(function, params), wanted
        state |= {k for k in params if k < count}


__all__ = ["Part", "Segment", "Snapshots", "with_snapshots"]
