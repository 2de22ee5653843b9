"""Examples that run the same loop with their own numbers of trips are computed side by side, a block of them at a time, in the lanes of vector units.

    map i in range(n):                       for first in range(0, n, 512):
        a = x[i]                                 groups = (min(512, n - first) + 15) // 16
        y = 1.0                                  for lane in range(16 * groups):
        while abs(y * y - a) > 1e-9:                 example[lane] = min(first + lane, n - 1)
            y = 0.5 * (y + a / y)      ->            a[lane], y[lane] = x[example[lane]], 1.0
        yield y                                  while groups > 0:
                                                     moved = 0
                                                     for lane in range(16 * groups):                 # vector units
                                                         on = abs(y[lane] * y[lane] - a[lane]) > 1e-9
                                                         y[lane] = 0.5 * (y[lane] + a[lane] / y[lane]) if on else y[lane]
                                                         moved += on
                                                     if 3 * moved <= 32 * (groups - 1):              # a third of them have ended: close the ranks
                                                         kept = 0
                                                         for lane in range(16 * groups):
                                                             out[example[lane]] = y[lane]
                                                             example[kept], a[kept], y[kept] = example[lane], a[lane], y[lane]
                                                             if abs(y[lane] * y[lane] - a[lane]) > 1e-9:
                                                                 kept += 1
                                                         groups = (kept + 15) // 16

The rule: an example is numbers; it has one loop, whose trips do nothing but what vector units do (`VECTOR`, and choices between a few such operations), and read no
element of an array but, where all examples make the same trips, of one that they share, at a place that they share. What an example computes before and after its loop is free. A lane whose example has ended is computed on, and what it gives dropped: none of
these operations raises. Lanes come in groups that fill vector units, so that no trip has a rest: what a group lacks is an example once more (the last one, or what the
lanes held before the ranks were closed), which gives the same numbers again. When ranks are closed all lanes give their results, since to ask which have ended costs more
than to store them again later; only those that have ended, if something is computed of them, which may take long or raise. A `for` whose ends all examples share needs neither tests nor closed ranks.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from s2s.errors import Location
from s2s.records import replace
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.program import Atom, Block, Equation, For, Function, If, Map, Node, Var, While, bound_inside, free_vars, walk
from s2s.transforms.ir.rewrite import Substitution
from s2s.transforms.primitives import arithmetic, conversion, elementwise, logic, special
from s2s.transforms.primitives.arithmetic import add, floor_divide, greater, less, less_equal, minimum, mul, select, sub
from s2s.transforms.primitives.conversion import convert
from s2s.transforms.primitives.indexing import At, getitem, setitem
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.row import Elementwise, Primitive
from s2s.transforms.primitives.structural import empty
from s2s.tuning import TUNING
from s2s.types import BOOL, FLOAT32, FLOAT64, INT64, SIZE, Array, Literal, dim_atom, is_integer, size_literal

FUNCTIONS = frozenset({elementwise.exp, elementwise.log, elementwise.tanh, special.erf, special.erfc, elementwise.hypot})
"""Those that lanes compute by functions for vectors (`runtime/vector_math.py`)."""
VECTOR = frozenset({
    add, sub, mul, arithmetic.neg, arithmetic.square, conversion.absolute, minimum, arithmetic.maximum,
    less, less_equal, greater, arithmetic.greater_equal, arithmetic.equal, arithmetic.not_equal, select, elementwise.sqrt,
    logic.logical_and, logic.logical_or, logic.logical_not, *FUNCTIONS,
})  # fmt: skip
"""Of numbers of any kind; of floats `div`, too."""
_DTYPES = frozenset({FLOAT64, FLOAT32, INT64, BOOL})
_GROUP = 16
"""Lanes that are computed at once: two vectors of AVX-512, whose latencies hide each other."""
_INSIDE = {"index": (At(inside=True),)}


def in_lanes(function: Function) -> Function:
    """The function with such Maps in lanes (those of functions that it calls stay)."""
    if not any(isinstance(node, Map) and _lanes_of(node) for node in walk(function.body)):
        return function
    return replace(function, body=_Lanes(renew=False).block(function.body))


class _Lanes(Substitution):
    def block(self, block: Block) -> Block:
        nodes: list[Node] = []
        for node in block.nodes:
            done = self.node(node)
            lanes = _lanes_of(done) if isinstance(done, Map) else None
            nodes += lanes.nodes() if lanes is not None else [done]
        return Block(tuple(nodes), self.atoms(block.results))


# ---- which Maps ---------------------------------------------------------------------------------------------------------


def _lanes_of(node: Map) -> _Blocked | None:
    """How a Map is computed in lanes; None where the rule does not hold."""
    loops = [number for number, each in enumerate(node.body.nodes) if isinstance(each, For | While)]
    if len(loops) != 1 or any(out.type.ndim != 1 or out.type.dtype not in _DTYPES for out in node.outs):
        return None
    before, loop, after = node.body.nodes[: loops[0]], node.body.nodes[loops[0]], node.body.nodes[loops[0] + 1 :]
    if not all(map(_is_of_numbers, (*before, *after))) or not any(isinstance(result, Var) for result in node.body.results):
        return None
    own = {node.index, *(out for each in before for out in each.outs)}
    if isinstance(loop, For):
        if not isinstance(loop.step, Literal) or not isinstance(loop.step.value, int):
            return None
        shared = own.isdisjoint((loop.lo, loop.hi))
        if not shared and loop.step.value < 0:
            return None
        made = loop if shared else _as_while(loop)
    else:
        assert isinstance(loop, While)
        made = loop
    varied: set[Atom] | None = {*own, *loop.carry} if isinstance(made, For) else None
    blocks = (made.body,) if isinstance(made, For) else (made.test, made.body)
    if not all(_is_plain(var) for var in bound_inside(loop)) or not all(_is_vector(block, varied) for block in blocks):
        return None
    return _Blocked(node, before, made, after, own)


def _is_plain(var: Atom) -> bool:
    return not var.type.shape and var.type.dtype in _DTYPES


def _is_of_numbers(node: Node) -> bool:
    """Whether a node makes a number of numbers, or reads one."""
    return isinstance(node, Equation) and all(map(_is_plain, node.outs)) and (isinstance(node.primitive.emission, Elementwise) or node.primitive is getitem)


def _is_vector(block: Block, varied: set[Atom] | None, *, depth: int = 0) -> bool:
    """Whether vector units do all that a block does. `varied`: what differs from lane to lane; None where places in arrays do."""
    for node in block.nodes:
        if varied is not None and (isinstance(node, If) or not varied.isdisjoint(node.ins if isinstance(node, Equation) else ())):
            varied.update(node.outs)
        if isinstance(node, If):
            if depth or not all(_is_vector(each, varied, depth=1) and len(each.nodes) <= TUNING.lane_choice for each in (node.then, node.orelse)):
                return False
        elif isinstance(node, Equation) and node.primitive is getitem and varied is not None:
            if not _is_plain(node.outs[0]) or not varied.isdisjoint(node.ins):
                return False
        elif not isinstance(node, Equation) or not all(map(_is_plain, (*node.ins, *node.outs))):
            return False
        elif node.primitive is convert:
            if node.ins[0].type.dtype.kind == "f" and is_integer(node.outs[0].type.dtype):
                return False
        elif node.primitive not in VECTOR and not (node.primitive is arithmetic.div and node.outs[0].type.dtype.kind == "f"):
            return False
    return all(map(_is_plain, block.results))


def _as_while(loop: For) -> While:
    """A loop whose ends are an example's own."""
    test, step = new_builder(), new_builder()
    test.where = step.where = loop.where
    (on,) = test.equation(less, (loop.index, loop.hi))
    (following,) = step.equation(add, (loop.index, loop.step), name=loop.index.name)
    body = Block((*loop.body.nodes, *step.nodes), (following, *loop.body.results))
    return While((Var(loop.index.name, loop.index.type), *loop.outs), (loop.index, *loop.carry), (loop.lo, *loop.init), test.block(on), body, loop.where)


# ---- what is made of them ----------------------------------------------------------------------------------------------------


@cache
def _of_lanes(primitive: Primitive) -> Primitive:
    """The row as lanes compute it: by the function for vectors."""
    if primitive not in FUNCTIONS:
        return primitive
    assert isinstance(primitive.emission, Elementwise)
    return replace(primitive, emission=replace(primitive.emission, scalar=f"array_{primitive.emission.scalar}", widens=True))


class _Written(Substitution):
    """Copies what lanes compute: choices between two ways are computed both ways."""

    def block(self, block: Block) -> Block:
        nodes: list[Node] = []
        for node in block.nodes:
            nodes += self.chosen(node) if isinstance(node, If) else [self.node(node)]
        return Block(tuple(nodes), self.atoms(block.results))

    def node(self, node: Node) -> Node:
        made = super().node(node)
        return replace(made, primitive=_of_lanes(made.primitive)) if isinstance(made, Equation) else made

    def chosen(self, node: If) -> list[Node]:
        test, then, orelse = self.atom(node.test), self.block(node.then), self.block(node.orelse)
        builder = new_builder()
        builder.where = node.where
        for out, one, other in zip(node.outs, then.results, orelse.results, strict=True):
            (self.mapping[out],) = builder.equation(select, (test, one, other), name=out.name) if one is not other else (one,)
        return [*then.nodes, *orelse.nodes, *builder.nodes]


class _Blocked:
    """A Map in blocks of lanes. `own`: what an example computes before its loop."""

    def __init__(self, node: Map, before: Sequence[Node], loop: For | While, after: Sequence[Node], own: set[Var]) -> None:
        self.map, self.before, self.loop, self.after = node, before, loop, after
        read: dict[Var, None] = {node.index: None} if isinstance(loop, While) else {}
        for block in (loop.body,) if isinstance(loop, For) else (loop.test, loop.body):
            read.update(free_vars(block))
        read.update(free_vars(Block(tuple(after), node.body.results)))
        self.fixed = [var for var in read if var in own and (var is not node.index or isinstance(loop, While))]
        """Numbers that an example does not change in its loop."""
        self.kept = (*self.fixed, *loop.carry)

    def nodes(self) -> list[Node]:
        """What stands in the Map's place."""
        builder = new_builder()
        builder.where = self.map.where
        outs = [_empty(builder, out.name, out) for out in self.map.outs]
        lanes = [_empty(builder, self.name(var), Var("", Array(var.type.dtype, (TUNING.lanes,)))) for var in self.kept]
        width = size_literal(TUNING.lanes)
        ends = _loop(builder, "first", (self.map.size, width), [*outs, *lanes], self.block)
        made = builder.nodes.pop()
        assert isinstance(made, For)
        return [*builder.nodes, replace(made, outs=(*self.map.outs, *ends[len(outs):]))]

    def name(self, var: Var) -> str:
        return "examples" if var is self.map.index else f"{var.name}_lanes"

    def block(self, builder: Builder, first: Var, now: Sequence[Var]) -> list[Atom]:
        """One block of examples: the results' arrays and the lanes' afterwards."""
        outs, lanes = list(now[: len(self.map.outs)]), list(now[len(self.map.outs) :])
        (rest,) = builder.equation(sub, (self.map.size, first), name="rest")
        (going,) = builder.equation(minimum, (size_literal(TUNING.lanes), rest), name="going")
        if isinstance(self.loop, For):
            lanes = _loop(builder, "lane", (going, size_literal(1)), lanes, lambda inner, lane, arrays: self.start(inner, first, lane, arrays))
            lanes = self.all_trips(builder, self.loop, going, lanes)

            def ended(inner: Builder, lane: Var, arrays: Sequence[Var]) -> list[Atom]:
                (example,) = inner.equation(add, (first, lane), name="example")
                return self.end(inner, {**self.loaded(inner, lane, lanes), self.map.index: example}, arrays)

            outs = _loop(builder, "lane", (going, size_literal(1)), outs, ended)
        else:
            groups = _groups(builder, going)
            (last,) = builder.equation(sub, (self.map.size, size_literal(1)), name="last")
            lanes = _loop(builder, "lane", (_all(builder, groups), size_literal(1)), lanes, lambda inner, lane, arrays: self.start(inner, first, lane, arrays, last))
            outs, lanes = self.own_trips(builder, self.loop, groups, outs, lanes)
        return [*outs, *lanes]

    # ---- what an example does before and after its loop ---------------------------------------------------------------------

    def start(self, builder: Builder, first: Var, lane: Var, lanes: Sequence[Var], last: Atom | None = None) -> list[Atom]:
        """The numbers with which an example begins its loop, in its lane."""
        (example,) = builder.equation(add, (first, lane), name="example")
        if last is not None:
            (example,) = builder.equation(minimum, (example, last), name="example")
        copied = Substitution({self.map.index: example})
        builder.nodes.extend(copied.node(node) for node in self.before)
        return [_set(builder, array, value, lane) for array, value in zip(lanes, copied.atoms((*self.fixed, *self.loop.init)), strict=True)]

    def end(self, builder: Builder, loaded: dict[Var, Atom], outs: Sequence[Var]) -> list[Atom]:
        """The arrays of results with those of an example, whose numbers at the end of its loop are `loaded`."""
        copied = Substitution({**loaded, **{out: loaded[var] for out, var in zip(self.loop.outs, self.loop.carry, strict=True)}})
        builder.nodes.extend(copied.node(node) for node in self.after)
        return [_set(builder, out, value, loaded[self.map.index]) for out, value in zip(outs, copied.atoms(self.map.body.results), strict=True)]

    def loaded(self, builder: Builder, lane: Var, lanes: Sequence[Var]) -> dict[Var, Atom]:
        """The numbers of the example in a lane."""
        return {var: builder.equation(getitem, (array, lane), _INSIDE, name=var.name)[0] for var, array in zip(self.kept, lanes, strict=True)}

    # ---- trips -----------------------------------------------------------------------------------------------------------------

    def all_trips(self, builder: Builder, loop: For, going: Var, lanes: list[Var]) -> list[Var]:
        """The trips that all examples make."""
        fixed, state = lanes[: len(self.fixed)], lanes[len(self.fixed) :]

        def trip(outer: Builder, index: Var, arrays: Sequence[Var]) -> list[Atom]:
            def one(inner: Builder, lane: Var, now: Sequence[Var]) -> list[Atom]:
                copied = _Written({**self.loaded(inner, lane, [*fixed, *now]), loop.index: index})
                made = copied.block(loop.body)
                inner.nodes.extend(made.nodes)
                return [_set(inner, array, value, lane) for array, value in zip(now, made.results, strict=True)]

            return list(_loop(outer, "lane", (going, size_literal(1)), arrays, one))

        return [*fixed, *_loop(builder, loop.index.name, (loop.hi, loop.step), state, trip, lo=loop.lo, where=loop.where)]

    def own_trips(self, builder: Builder, loop: While, groups: Var, outs: list[Var], lanes: list[Var]) -> tuple[list[Var], list[Var]]:
        """Each example's own: as many groups of lanes as go on, the ranks closed whenever a third of the lanes have ended."""
        carry = [Var(array.name, array.type) for array in (groups, *outs, *lanes)]
        count, arrays = carry[0], carry[1:]
        test, body = builder.inside(), builder.inside()
        test.where = body.where = loop.where
        (on,) = test.equation(greater, (count, size_literal(0)))
        moved, after = self.moved(body, loop, count, arrays[len(outs) :])
        (left,) = body.equation(mul, (size_literal(3), moved))
        (most,) = body.equation(mul, (size_literal(2 * _GROUP), body.equation(sub, (count, size_literal(1)))[0]))  # a group at least is saved
        (few,) = body.equation(less_equal, (left, most), name="few")
        close, stay = body.inside(), body.inside()
        closed = self.closed(close, loop, count, [*arrays[: len(outs)], *after])
        now = [Var(array.name, array.type) for array in carry]
        body.add(If(tuple(now), few, close.block(*closed), stay.block(count, *arrays[: len(outs)], *after), loop.where))
        ends = [Var(array.name, array.type) for array in carry]
        builder.add(While(tuple(ends), tuple(carry), (groups, *outs, *lanes), test.block(on), body.block(*now), loop.where))
        return ends[1 : 1 + len(outs)], ends[1 + len(outs) :]

    def moved(self, builder: Builder, loop: While, count: Var, lanes: Sequence[Var]) -> tuple[Var, list[Var]]:
        """A trip in all lanes: how many examples made it, and the lanes."""
        fixed, state = lanes[: len(self.fixed)], lanes[len(self.fixed) :]

        def one(inner: Builder, lane: Var, now: Sequence[Var]) -> list[Atom]:
            loaded = self.loaded(inner, lane, [*fixed, *now[1:]])
            test, made = _Written(loaded).block(loop.test), _Written(loaded).block(loop.body)
            inner.nodes.extend((*test.nodes, *made.nodes))
            (on,) = test.results
            if isinstance(on, Var):
                on.name = "on"
            results: list[Atom] = list(inner.equation(add, (now[0], *inner.equation(convert, (on,), {"dtype": INT64})), name="moved"))
            for var, array, value in zip(loop.carry, now[1:], made.results, strict=True):
                (chosen,) = inner.equation(select, (on, value, loaded[var]), name=var.name)
                results.append(_set(inner, array, chosen, lane))
            return results

        moved, *after = _loop(builder, "lane", (_all(builder, count), size_literal(1)), [size_literal(0), *state], one, names=("moved", *(array.name for array in state)))
        return moved, [*fixed, *after]

    def closed(self, builder: Builder, loop: While, count: Var, arrays: Sequence[Var]) -> list[Atom]:
        """How many groups go on, the results so far, and the lanes with the ranks closed."""
        outs = len(self.map.outs)

        def one(inner: Builder, lane: Var, now: Sequence[Var]) -> list[Atom]:
            loaded = self.loaded(inner, lane, now[1 + outs :])
            test = Substitution(loaded).block(loop.test)
            inner.nodes.extend(test.nodes)
            moved = [_set(inner, array, loaded[var], now[0]) for var, array in zip(self.kept, now[1 + outs :], strict=True)]
            stays, ends = inner.inside(), inner.inside()
            more = stays.equation(add, (now[0], size_literal(1)), name="kept")
            if self.after:
                chosen = [Var(each.name, each.type) for each in now[: 1 + outs]]
                then, orelse = stays.block(*more, *now[1 : 1 + outs]), ends.block(now[0], *self.end(ends, loaded, now[1 : 1 + outs]))
                inner.add(If(tuple(chosen), test.results[0], then, orelse, loop.where))
                return [*chosen, *moved]
            results = self.end(inner, loaded, now[1 : 1 + outs])
            kept = Var("kept", SIZE)
            inner.add(If((kept,), test.results[0], stays.block(*more), ends.block(now[0]), loop.where))
            return [kept, *results, *moved]

        kept, *rest = _loop(builder, "lane", (_all(builder, count), size_literal(1)), [size_literal(0), *arrays], one, names=("kept", *(array.name for array in arrays)))
        return [_groups(builder, kept), *rest]


def _groups(builder: Builder, count: Atom) -> Var:
    """How many groups so many lanes fill."""
    (more,) = builder.equation(add, (count, size_literal(_GROUP - 1)))
    (groups,) = builder.equation(floor_divide, (more, size_literal(_GROUP)), name="groups")
    return groups


def _all(builder: Builder, groups: Atom) -> Var:
    """The lanes of so many groups."""
    return builder.equation(mul, (size_literal(_GROUP), groups))[0]


# ---- pieces of programs -----------------------------------------------------------------------------------------------------------


def _loop(
    builder: Builder, index: str, hi_step: tuple[Atom, Atom], init: Sequence[Atom], trip: Callable[[Builder, Var, Sequence[Var]], list[Atom]], *,
    lo: Atom | None = None, names: Sequence[str] = (), where: Location | None = None,
) -> list[Var]:
    """Append a loop of these trips; what it carries at its end."""
    (hi, step), at = hi_step, where or builder.where
    called = names or [getattr(atom, "name", "") for atom in init]
    carry = [Var(name, atom.type) for name, atom in zip(called, init, strict=True)]
    counted, inner = Var(index, SIZE), builder.inside()
    results = trip(inner, counted, carry)
    outs = [Var(each.name, each.type) for each in carry]
    builder.add(For(tuple(outs), counted, lo or size_literal(0), hi, step, tuple(carry), tuple(init), inner.block(*results), at, reverse=False))
    return outs


def _empty(builder: Builder, name: str, like: Var) -> Var:
    (made,) = builder.equation(empty, tuple(dim_atom(dim) for dim in like.type.shape), {"dtype": like.type.dtype}, name=name)
    return made


def _set(builder: Builder, array: Var, value: Atom, place: Atom) -> Var:
    (made,) = builder.equation(setitem, (array, value, place), _INSIDE, name=array.name)
    return made
