"""Values inside loops that a checkpoint's policy lets keep: one array for all trips, filled by the forward half, read by the other.

    for i in range(n):                     dots = empty(n, m)                     for i in range(n):
        h = tanh(w @ h)        ->          for i in range(n):                         h = tanh(dots[i])
                                               dot = w @ h
                                               dots[i] = dot
                                               h = tanh(dot)

Only loops of the function's own block whose number of trips is known on entry, and values whose sizes are known before
the loop; what else is inside of loops is computed again.
"""
from __future__ import annotations

from collections.abc import Callable

from s2s.records import dataclass, replace
from s2s.transforms.derivatives.reverse.tapes import trip_count, trip_number
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.program import Block, Equation, For, Function, Node, Var, bound_inside, walk
from s2s.transforms.primitives.indexing import At, Full, getitem, setitem
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.structural import empty, same_dims
from s2s.transforms.primitives.value import Value
from s2s.types import Array, Atom, atom_dim, dim_atom


@dataclass(frozen=True)
class KeptInLoop:
    """`tape`: the array with the values of all trips, a Var of the function's own block; `trips`: nodes that compute its length."""

    value: Var
    loop: For
    tape: Var
    trips: tuple[Node, ...]


def kept_in_loops(function: Function, saveable: Callable[[tuple[Node, ...]], tuple[Var, ...]]) -> list[KeptInLoop]:
    """The values in the function's own loops that may be kept."""
    found = []
    for loop in function.body.nodes:
        if not isinstance(loop, For) or not (values := saveable(loop.body.nodes)):
            continue
        inside = {loop.index, *loop.carry, *(var for node in walk(loop.body) for var in (*node.outs, *bound_inside(node)))}
        builder = new_builder()
        builder.where = loop.where
        trips = atom_dim(trip_count(builder, loop))
        for value in values:
            if not any(dim in inside for dim in value.type.shape):
                tape = Var(f"{value.name}_kept", Array(value.type.dtype, (trips, *value.type.shape)))
                found.append(KeptInLoop(value, loop, tape, tuple(builder.nodes)))
    return found


def filled(nodes: tuple[Node, ...], kept: list[KeptInLoop]) -> tuple[Node, ...]:
    """The nodes with the tapes filled."""
    made: list[Node] = []
    for node in nodes:
        here = [each for each in kept if each.loop is node]
        if here:
            made += [*here[0].trips, *_filling(here)]
        else:
            made.append(node)
    return tuple(made)


def _filling(kept: list[KeptInLoop]) -> list[Node]:
    loop = kept[0].loop
    before, inner = new_builder(), new_builder()
    before.where = inner.where = loop.where
    init, carry, results = [], [], []
    for each in kept:
        dims = tuple(dim_atom(dim) for dim in each.tape.type.shape)
        init.append(before.equation(empty, dims, {"dtype": each.tape.type.dtype}, name=each.tape.name)[0])
        carry.append(Var(each.tape.name, each.tape.type))
    for node in loop.body.nodes:
        inner.add(node)
        for each, into in zip(kept, carry, strict=True):
            if each.value in node.outs:
                results.append((each, _stored(inner, loop, into, each.value)))
    order = dict(results)
    loop = replace(
        loop, outs=(*loop.outs, *(each.tape for each in kept)), carry=(*loop.carry, *carry), init=(*loop.init, *init),
        body=inner.block(*loop.body.results, *(order[each] for each in kept)),
    )
    return [*before.nodes, loop]


def _place(builder: Builder, loop: For) -> Atom:
    return trip_number(builder, loop.index, loop.lo, loop.step)


def _stored(builder: Builder, loop: For, into: Var, value: Var) -> Atom:
    index = (At(inside=True), *(Full() for _ in value.type.shape))
    return builder.equation(setitem, (into, value, _place(builder, loop)), {"index": index}, name=into.name)[0]


def read_back(nodes: tuple[Node, ...], given: dict[Var, Var]) -> list[Node]:
    """The nodes with the equations of these values, in loops, replaced by reads of the arrays that hold them."""
    return [_reading(node, given) if isinstance(node, For) else node for node in nodes]


def _reading(loop: For, given: dict[Var, Var]) -> For:
    """The same of a loop; itself where it computes none of them."""
    if not any(out in given for node in loop.body.nodes for out in node.outs):
        return loop
    builder = new_builder()
    for node in loop.body.nodes:
        builder.where = node.where
        if not isinstance(node, Equation) or node.outs[0] not in given:
            builder.add(node)
            continue
        for out in node.outs:
            _read(builder, loop, out, given[out])
    return replace(loop, body=Block(tuple(builder.nodes), loop.body.results))


def _read(builder: Builder, loop: For, value: Var, tape: Var) -> None:
    index = (At(inside=True), *(Full() for _ in value.type.shape))
    (row,) = builder.equation(getitem, (tape, _place(builder, loop)), {"index": index}, name=value.name)
    found = same_dims(Value(builder, row), Value(builder, value)).atom
    last = builder.nodes.pop()
    assert isinstance(last, Equation) and last.outs == (found,)
    builder.add(replace(last, outs=(value,)))


__all__ = ["KeptInLoop", "filled", "kept_in_loops", "read_back"]
