"""Segments of a loop's trips, as functions: to run one, to advance what the loop's further course reads, to reverse one.

    for i in range(n):              def steps(first, last, x):
        x = f(x)            ->          for i in range(first, last):
                                            x = f(x)
                                        return x
"""
from __future__ import annotations

from collections import Counter

from s2s.errors import InternalError
from s2s.records import dataclass, replace
from s2s.transforms.checkpoints.checkpoint import without_checks
from s2s.transforms.derivatives.activity import active_vars
from s2s.transforms.derivatives.reverse import adjoint as reverse
from s2s.transforms.derivatives.rules import KnownReverse, Mask
from s2s.transforms.ir import rewrite
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.facts import learn_function
from s2s.transforms.ir.program import Block, Equation, For, Function, While, free_vars, size_params
from s2s.transforms.primitives import sizes
from s2s.transforms.primitives.arithmetic import add, maximum, minimum, sub
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.structural import empty
from s2s.transforms.simplify.simplification import narrowed, only_live, simplify
from s2s.types import SIZE, Array, Atom, Dim, Literal, Var, size_literal

Loop = For | While
Bytes = Counter[tuple[Var, ...]]
"""A number of bytes as a polynomial in sizes: {(): 8, (n,): 16, (n, m): 8} is 8 + 16 n + 8 n m."""
UNKNOWN = 64
"""What a size counts for that is found only inside the loop."""


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
    def of(cls, plain: Function, active: Mask, useful: Mask, known: KnownReverse) -> Segment:
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
    builder = new_builder()
    learn_function(builder, plain)
    builder.where = loop.where
    if isinstance(loop, For):
        lo, hi = within(builder, loop, first, last)
        segment = replace(loop, lo=lo, hi=hi)
    else:
        segment = For(loop.outs, Var("trip", SIZE), first, last, size_literal(1), loop.carry, loop.init, loop.body, loop.where, reverse=False)
    name = plain.name.removesuffix("_loop") + "_steps"
    return rewrite.renewed(Function(name, (first, last, *plain.params), Block((*builder.nodes, segment), loop.outs), loop.where, "", None, derived=False))


def within(builder: Builder, loop: For, first: Var, last: Var) -> tuple[Atom, Atom]:
    """The range from first up to last; it is said once more that it is a part of the loop's, so that indices are known to be in bounds."""
    if not isinstance(loop.step, Literal):
        return first, last
    if int(loop.step.value) > 0:  # type: ignore[arg-type]
        return sizes.larger(builder, loop.lo, first), sizes.smaller(builder, loop.hi, last)
    return sizes.smaller(builder, loop.lo, first), sizes.larger(builder, loop.hi, last)


def _adjoint(run: Function, count: int, bars: tuple[int, ...], shared: tuple[int, ...], known: KnownReverse) -> Function:
    """(first, last, *params, *cotangents) -> cotangents; those of shared values are accumulated: they are results of the segment, too."""
    passed = tuple(run.params[2 + k] for k in shared)
    through = replace(run, body=Block(run.body.nodes, (*run.body.results, *passed)))
    active = (False, False, *(k in bars or k in shared for k in range(len(run.params) - 2)))
    useful = (*(k in bars for k in range(count)), *(True for _ in shared))
    both = reverse.vjp(through, active, useful, known)
    body = without_checks(Block(both.body.nodes, both.body.results[len(through.body.results) :]))
    return simplify(rewrite.renewed(Function(f"{run.name}_bwd", both.params, only_live(body), run.where, "", None, derived=False)))


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
    """The segment for the state only, which grows by what it takes to compute it: by one of the carried values at least, each time."""
    bare = replace(run, body=without_checks(run.body))
    for _ in range(count + 1):
        wanted = tuple(sorted(state))
        function, kept = narrowed(bare, wanted)
        params = tuple(k - 2 for k in kept if k >= 2)
        if {k for k in params if k < count} <= state:
            if 0 not in kept or 1 not in kept:
                function = replace(function, params=(*run.params[:2], *(run.params[2 + k] for k in params)))
            return Part(function, params), wanted
        state |= {k for k in params if k < count}
    raise InternalError("the state of a loop grows beyond what the loop carries", where=run.where)
