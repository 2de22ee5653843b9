"""Loops of the program as JAX's: what is known of a `for` decides which.

    for i in range(0, 4, 1), y1 = y, s = 0.0:          scan[length=4 num_carry=1 …] 0.0 x       x[i] is an `x` of the scan, y[i] = … a `y`:
        s1 = add(s, getitem(x, i))            ->         { lambda ; a b. let c = add a b in (c, c) }
        y2 = setitem(y1, s1, i)
    for i in range(0, 4, 1): …                         scan[length=4 …] with a counter that is carried, as of lax.fori_loop
    for i in range(0, n, 1): …                         while[…] with a counter and the bound, as of lax.fori_loop
    while test: …                                      while[…]
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2s.errors import Location
from s2s.transforms.ir.program import Atom, Block, Equation, For, Map, Node, Var, While, free_vars, operands
from s2s.transforms.jaxprs.control import SCAN, WHILE
from s2s.transforms.jaxprs.scope import Scope, size
from s2s.transforms.jaxprs.syntax import Atom as Value
from s2s.transforms.jaxprs.syntax import ClosedJaxpr, Literal, ShapedArray
from s2s.transforms.jaxprs.syntax import Var as Bound
from s2s.transforms.jaxprs.weak import starts_weak
from s2s.transforms.primitives import rows
from s2s.types import atom_dim

Write = Callable[[Block, Scope], list[Value]]
"""Writes a block's nodes into a scope, and gives its results there."""
_COUNT, _TEST = ShapedArray((), np.dtype(np.int64)), ShapedArray((), np.dtype(np.bool_))


@dataclass(frozen=True)
class _Trips:
    """A range that is known."""

    start: int
    length: int
    step: int

    def cover(self, length: int) -> bool:
        """Whether each position of an axis of this length is passed once, forwards or backwards."""
        return self.length == length and (self.start, self.step) in ((0, 1), (length - 1, -1))


@dataclass(frozen=True)
class _Loop:
    """What a scan is made of. `carried`: (variable, start, its next value, out); `stacked`: (what a trip gives, out)."""

    index: Var
    trips: _Trips
    nodes: tuple[Node, ...]
    carried: tuple[tuple[Var, Atom, Atom, Var], ...]
    stacked: tuple[tuple[Atom, Var], ...]
    where: Location


def for_loop(node: For, scope: Scope, write: Write) -> None:
    """scan where the range is known, else while."""
    bounds = [each for atom in (node.lo, node.hi, node.step) if (each := scope.known(atom)) is not None]
    if len(bounds) < 3:
        return _counting_while(node, scope, write)
    found = range(*bounds)
    trips = _Trips(found.start, len(found), found.step)
    stores = {number: store for number, carry in enumerate(node.carry) if (store := _row_store(node, number, carry, scope, trips)) is not None}
    carried = tuple(each for number, each in enumerate(zip(node.carry, node.init, node.body.results, node.outs, strict=True)) if number not in stores)
    stacked = tuple((store.ins[1], node.outs[number]) for number, store in stores.items())
    nodes = tuple(each for each in node.body.nodes if each not in stores.values())
    return _scan(_Loop(node.index, trips, nodes, carried, stacked, node.where), scope, write)


def map_loop(node: Map, scope: Scope, write: Write) -> None:
    """A Map is a scan that carries nothing."""
    length = scope.length(atom_dim(node.size), node.where)
    stacked = tuple(zip(node.body.results, node.outs, strict=True))
    _scan(_Loop(node.index, _Trips(0, length, 1), node.body.nodes, (), stacked, node.where), scope, write)


def _row_store(node: For, number: int, carry: Var, scope: Scope, trips: _Trips) -> Equation | None:
    """The store `y[i] = …` where that is all that a trip does with a carried array, of which each row is stored to once."""
    result = node.body.results[number]
    store = next((each for each in node.body.nodes if isinstance(each, Equation) and each.outs[0] is result), None)
    if store is None or store.primitive is not rows.setitem or store.ins[0] is not carry or not _is_row(store, 2, node.index):
        return None
    if not trips.cover(scope.aval(carry.type, node.where).shape[0]) or trips.step > 0 and trips.start:
        return None
    reads = _reads(node.body)
    return store if reads.count(carry) == 1 and reads.count(result) == 1 else None


def _is_row(node: Equation, operand: int, index: Var) -> bool:
    """Whether its index is [i, :, :, …]."""
    first, *others = node.params["index"]
    return isinstance(first, rows.At) and node.ins[operand] is index and all(isinstance(each, rows.Full) for each in others)


def _reads(block: Block) -> list[Any]:
    """All that is read in a block, as often as it is; what its blocks read from around, once each."""
    found: list[Any] = [*block.results]
    for node in block.nodes:
        found += operands(node)
        for inner in node.blocks:
            found += free_vars(inner)
    return found


def _scan(loop: _Loop, scope: Scope, write: Write) -> None:
    inner = Scope(scope)
    rows_read = {node: node.ins[0] for node in loop.nodes if isinstance(node, Equation) and _reads_row(node, loop, scope)}
    xs: dict[Atom, Bound] = {}
    for node, array in rows_read.items():
        aval = scope[array].aval
        x = xs.setdefault(array, Bound(ShapedArray(aval.shape[1:], aval.dtype)))
        inner.bind(node.outs[0], x)
    left = Block(tuple(node for node in loop.nodes if node not in rows_read), (*(after for _, _, after, _ in loop.carried), *(value for value, _ in loop.stacked)))
    counted = loop.index in _reads(left) or not (xs or loop.stacked)
    counter = Bound(_COUNT)
    inner.bind(loop.index, counter)
    parameters = [inner.new(carry, loop.where, starts_weak(scope[init])) for carry, init, *_ in loop.carried]
    following = [_next(inner, counter, size(loop.trips.step), loop.where)] if counted else []
    results = write(left, inner)
    start: list[Value] = [size(loop.trips.start)] if counted else []
    body = inner.finished([*([counter] if counted else []), *parameters, *xs.values()], [*following, *results])
    params = {
        "jaxpr": ClosedJaxpr(body, []), "length": loop.trips.length, "num_carry": len(start) + len(parameters), "num_consts": len(inner.captured),
        "reverse": loop.trips.step < 0 and bool(xs or loop.stacked), "unroll": 1,
    }  # fmt: skip
    ins = [*inner.captured, *start, *(scope[init] for _, init, _, _ in loop.carried), *(scope[array] for array in xs)]
    given = [(out, after.aval.weak_type) for out, after in zip((*(out for *_, out in loop.carried), *(out for _, out in loop.stacked)), results, strict=True)]
    outs = [*(Bound(_COUNT) for _ in start), *(scope.new(out, loop.where, weak) for out, weak in given)]
    scope.add(SCAN, ins, outs, params, loop.where)


def _reads_row(node: Equation, loop: _Loop, scope: Scope) -> bool:
    """Whether it reads x[i] of an array from outside of the loop, whose rows the loop passes one by one."""
    if node.primitive is not rows.getitem or not _is_row(node, 1, loop.index):
        return False
    array = node.ins[0]
    inside = {out for each in loop.nodes for out in each.outs} | {carry for carry, *_ in loop.carried}
    return array not in inside and loop.trips.cover(scope[array].aval.shape[0])


def _next(scope: Scope, counter: Bound, step: Value, where: Location) -> Value:
    return scope.op("add", lambda a, b, **_: a + b, [counter, step], _COUNT, where)


def _counting_while(node: For, scope: Scope, write: Write) -> None:
    """i = lo; while i < hi: …; i += step, with hi carried as lax.fori_loop does."""
    step = scope[node.step]
    body, test = Scope(scope), Scope(scope)
    counter, bound = Bound(_COUNT), Bound(_COUNT)
    body.bind(node.index, counter)
    weak = [starts_weak(scope[init]) for init in node.init]
    parameters = [body.new(carry, node.where, each) for carry, each in zip(node.carry, weak, strict=True)]
    following = _next(body, counter, body[node.step], node.where)
    results = write(node.body, body)
    tested = [Bound(_COUNT), Bound(_COUNT), *(Bound(parameter.aval) for parameter in parameters)]
    holds = _in_range(test, tested[0], tested[1], step if isinstance(step, Literal) else test[node.step], node.where)
    starts = [scope[node.lo], scope[node.hi], *(scope[init] for init in node.init)]
    outs = [Bound(_COUNT), Bound(_COUNT), *(scope.new(out, node.where, after.aval.weak_type) for out, after in zip(node.outs, results, strict=True))]
    _while(scope, (test, tested, holds), (body, [counter, bound, *parameters], [following, bound, *results]), starts, outs, node.where)


def _in_range(test: Scope, counter: Bound, bound: Bound, step: Value, where: Location) -> Value:
    """Whether another trip follows."""
    less = lambda: test.op("lt", lambda a, b, **_: a < b, [counter, bound], _TEST, where)  # noqa: E731 - both ways
    more = lambda: test.op("gt", lambda a, b, **_: a > b, [counter, bound], _TEST, where)  # noqa: E731
    if isinstance(step, Literal):
        return less() if step.val > 0 else more()
    upwards = test.op("gt", lambda a, b, **_: a > b, [step, size(0)], _TEST, where)
    return test.op("select_n", lambda which, off, on, **_: on if which else off, [upwards, more(), less()], _TEST, where)


def while_loop(node: While, scope: Scope, write: Write) -> None:
    """while, whose test and body each have the carry and constants of their own."""
    test, body = Scope(scope), Scope(scope)
    weak = [starts_weak(scope[init]) for init in node.init]
    tested = [test.new(carry, node.where, each) for carry, each in zip(node.carry, weak, strict=True)]
    (holds,) = write(node.test, test)
    parameters = [body.new(carry, node.where, each) for carry, each in zip(node.carry, weak, strict=True)]
    results = write(node.body, body)
    outs = [scope.new(out, node.where, after.aval.weak_type) for out, after in zip(node.outs, results, strict=True)]
    _while(scope, (test, tested, holds), (body, parameters, results), [scope[init] for init in node.init], outs, node.where)


def _while(
    scope: Scope, test: tuple[Scope, list[Bound], Value], body: tuple[Scope, list[Bound], list[Value]], starts: list[Value], outs: list[Bound], where: Location
) -> None:
    tested, looped = test[0].finished(test[1], [test[2]]), body[0].finished(body[1], body[2])
    params = {
        "body_jaxpr": ClosedJaxpr(looped, []), "body_nconsts": len(body[0].captured), "cond_jaxpr": ClosedJaxpr(tested, []), "cond_nconsts": len(test[0].captured),
    }  # fmt: skip
    scope.add(WHILE, [*test[0].captured, *body[0].captured, *starts], outs, params, where)


__all__ = ["for_loop", "map_loop", "while_loop"]
