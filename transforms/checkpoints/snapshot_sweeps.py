"""The two halves of a loop that is reversed from snapshots, as programs: see `snapshots`.

    forward half                                        backward half
    while done < segments:                              for segment in range(segments - 1, -1, -1):
        put a snapshot at `done`                            from the last snapshot at `done` on
        run as many segments as the schedule says           while done < segment and one is free: advance, take a snapshot
                                                            advance to `segment`, reverse it; a snapshot there is free again

A segment is as long as its tapes take about as much memory as all snapshots. Of a While loop the forward half finds out
how many trips it has, and replaces snapshots on the way (`replaced_snapshot`).
"""
from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from fractions import Fraction

from s2s.records import dataclass, replace
from s2s.transforms.checkpoints.checkpoint import params_read, without_checks
from s2s.transforms.checkpoints.segments import Bytes, Part, Segment, bytes_of_all
from s2s.transforms.derivatives.reverse.tapes import trip_count
from s2s.transforms.derivatives.rules import Halves, Mask
from s2s.transforms.ir import rewrite
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.facts import learn_function
from s2s.transforms.ir.program import Block, For, Function, While, free_vars, size_params
from s2s.transforms.primitives import sizes
from s2s.transforms.primitives.arithmetic import equal, less, select
from s2s.transforms.primitives.indexing import At, Full, getitem, setitem
from s2s.transforms.primitives.logic import logical_and
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.structural import empty, iota, same_dims
from s2s.transforms.primitives.value import Value, zeros
from s2s.tuning import TUNING
from s2s.types import INT64, SIZE, Array, Atom, Var, dim_atom, is_size, size_literal


def sweeps(plain: Function, segment: Segment, count: int | None, active: Mask, useful: Mask) -> Halves:
    """Both halves for the loop that is the body of `plain`."""
    writer = _Online(plain, segment, count) if isinstance(segment.loop, While) else _Known(plain, segment, count)
    return writer.halves(active, useful)


# ---- building regions -----------------------------------------------------------------------------------------------


def _carried(start: Sequence[tuple[str, Atom]]) -> tuple[Var, ...]:
    return tuple(Var(name, atom.type.strong() if not is_size(atom.type) else SIZE) for name, atom in start)


def _fitted(builder: Builder, results: Sequence[Atom], carry: Sequence[Var]) -> tuple[Atom, ...]:
    """Results with the dimensions of the carried variables, which are known to be equal."""
    return tuple(same_dims(Value(builder, result), Value(builder, var)).atom for result, var in zip(results, carry, strict=True))


def _outs(carry: tuple[Var, ...]) -> tuple[Var, ...]:
    return tuple(Var(var.name, var.type) for var in carry)


def _while(builder: Builder, start: Sequence[tuple[str, Atom]], test: Callable[..., Atom], body: Callable[..., Sequence[Atom]]) -> tuple[Var, ...]:
    """Append `while test(*carried): carried = body(*carried)`."""
    carry = _carried(start)
    asked, inner = builder.inside(), builder.inside()
    answer = test(asked, *carry)
    results = _fitted(inner, body(inner, *carry), carry)
    outs = _outs(carry)
    builder.add(While(outs, carry, tuple(atom for _, atom in start), asked.block(answer), inner.block(*results), builder.where))
    return outs


def _downwards(builder: Builder, name: str, count: Atom, start: Sequence[tuple[str, Atom]], body: Callable[..., Sequence[Atom]]) -> tuple[Var, ...]:
    """Append `for name in range(count - 1, -1, -1): carried = body(name, *carried)`."""
    carry, index, step = _carried(start), Var(name, SIZE), size_literal(-1)
    lo, inner = sizes.minus(builder, count, 1), builder.inside()
    inner.know_index(index, lo, step, step)
    results = _fitted(inner, body(inner, index, *carry), carry)
    outs = _outs(carry)
    builder.add(For(outs, index, lo, step, step, carry, tuple(atom for _, atom in start), inner.block(*results), builder.where, reverse=False))
    return outs


def _less(builder: Builder, a: Atom, b: Atom) -> Atom:
    return builder.equation(less, (a, b))[0]


@functools.cache
def _schedule(name: str) -> Function:
    """A function of `snapshot_schedule`, read."""
    from s2s.transforms.checkpoints import snapshot_schedule
    from s2s.transforms.read import read

    size = Var("k", SIZE)
    numbers = ("trips", "state_bytes", "tape_bytes", "least")
    params = {
        "even_length": tuple(Var(number, SIZE) for number in numbers),
        "next_snapshot": (Var("segments", SIZE), Var("snapshots", SIZE)),
        "replaced_snapshot": (Var("levels", Array(INT64, (size,))), Var("slots", Array(INT64, (size,))), Var("taken", SIZE)),
    }[name]
    function = read(getattr(snapshot_schedule, name), params, params, {}).function
    return replace(function, body=without_checks(function.body))  # they divide by nothing that is zero


def _called(builder: Builder, name: str, ins: tuple[Atom, ...], names: tuple[str, ...]) -> tuple[Var, ...]:
    node = rewrite.call(_schedule(name), ins, names, builder.where)
    builder.add(node)
    return node.outs


def _put(builder: Builder, array: Atom, value: Atom, place: Atom) -> Atom:
    index = (At(inside=True), *(Full() for _ in value.type.shape))
    return builder.equation(setitem, (array, value, place), {"index": index}, name=array.name if isinstance(array, Var) else "")[0]


def _get(builder: Builder, array: Atom, place: Atom, name: str) -> Atom:
    index = (At(inside=True), *(Full() for _ in array.type.shape[1:]))
    return builder.equation(getitem, (array, place), {"index": index}, name=name)[0]


# ---- both kinds of loops --------------------------------------------------------------------------------------------


@dataclass
class _Plan:
    """Numbers that both halves know: trips of the loop, snapshots, trips of a segment, segments."""

    trips: Atom
    count: Atom
    length: Atom
    segments: Atom


class _Sweeps:
    """What loops with a known number of trips and others have in common. Snapshots: `stores`, an array for each value of the
    state, and `places`, the segments at whose start they were taken.
    """

    def __init__(self, plain: Function, segment: Segment, count: int | None) -> None:
        self.plain, self.segment, self.count = plain, segment, count
        self.loop = segment.loop
        self.starts = plain.params[: len(self.loop.carry)]
        self.base = plain.name.removesuffix("_loop")
        self.state = bytes_of_all([self.starts[k].type for k in segment.state], {size: size for size in size_params(plain)})
        self.least = max(1, TUNING.segment_room // segment.tape[()]) if set(segment.tape) == {()} else 1

    def halves(self, active: Mask, useful: Mask) -> Halves:
        ahead = self.builder()
        results, extra = self.forward(ahead)
        first = Function(f"{self.plain.name}_fwd", self.plain.params, ahead.block(*results, *extra), self.plain.where, self.plain.doc, None, derived=False)
        seeds = tuple(Var(f"{out.name}_bar", out.type.strong()) for out, on in zip(self.loop.outs, useful, strict=True) if on)
        seeded = dict(zip((k for k, on in enumerate(useful) if on), seeds, strict=True))
        back = self.builder()
        bars = self.backward(back, extra, seeded)
        body = back.block(*(bars[k] if k in bars else zeros(back, self.plain.params[k].type).atom for k, on in enumerate(active) if on))
        params = params_read(self.plain, free_vars(body), (*extra, *seeds))
        second = Function(f"{self.plain.name}_bwd", (*params, *extra, *seeds), body, self.plain.where, "", None, derived=False)
        return Halves(first, rewrite.renewed(second), (*params, *extra), extra)

    def forward(self, builder: Builder) -> tuple[tuple[Atom, ...], tuple[Var, ...]]:
        """The loop's results, and what the backward half gets: numbers, then arrays."""
        raise NotImplementedError

    def plan(self, builder: Builder, extra: tuple[Var, ...]) -> _Plan:
        """The numbers, in the backward half."""
        raise NotImplementedError

    def bytes(self, builder: Builder, amount: Bytes) -> Atom:
        """A number of bytes at run time, 1 at least."""
        total: Atom = size_literal(0)
        for dims, number in amount.items():
            term: Atom = size_literal(number)
            for dim in dims:
                term = sizes.times(builder, term, dim)
            total = sizes.plus(builder, total, term)
        return sizes.larger(builder, total, 1)

    def ratio(self) -> Fraction | None:
        """Snapshots as large as the tapes of one trip, if that does not depend on sizes."""
        ratios = {Fraction(self.state[dims], self.segment.tape[dims] or 1) for dims in (*self.state, *self.segment.tape)}
        return ratios.pop() if len(ratios) == 1 and set(self.state) == set(self.segment.tape) else None

    def length(self, builder: Builder, count: int) -> Atom:
        """How many trips take as much tape as `count` snapshots."""
        if (ratio := self.ratio()) is not None:
            return size_literal(max(self.least, int(count * ratio)))
        state = sizes.times(builder, self.bytes(builder, self.state), count)
        return sizes.larger(builder, sizes.quotient(builder, state, self.bytes(builder, self.segment.tape)), self.least, "length")

    def builder(self) -> Builder:
        builder = new_builder()
        learn_function(builder, self.plain)
        builder.where = self.plain.where
        return builder

    def call(self, builder: Builder, part: Part, numbers: tuple[Atom, ...], values: dict[int, Atom], bars: tuple[Atom, ...], names: tuple[str, ...]) -> tuple[Var, ...]:
        """A call of a part of the segment; `values` replace the loop function's params of these numbers."""
        ins = (*numbers, *(values.get(k, self.plain.params[k]) for k in part.params), *bars)
        node = rewrite.call(part.function, ins, names, self.loop.where)
        builder.add(node)
        return node.outs

    def index(self, builder: Builder, plan: _Plan, segment: Atom) -> Atom:
        """The loop's index at the start of a segment."""
        trip = sizes.smaller(builder, sizes.times(builder, segment, plan.length), plan.trips)
        if isinstance(self.loop, While):
            return trip
        return sizes.plus(builder, self.loop.lo, sizes.times(builder, trip, self.loop.step))

    def empty_stores(self, builder: Builder, count: Atom) -> list[tuple[str, Atom]]:
        """Room for the snapshots: their places, and an array for each value of the state."""
        (places,) = builder.equation(empty, (count,), {"dtype": INT64}, name="places")
        made: list[tuple[str, Atom]] = [("places", places)]
        for k in self.segment.state:
            start = self.starts[k]
            dims = (count, *(dim_atom(dim) for dim in start.type.shape))
            name = f"{start.name}_kept"
            made.append((name, builder.equation(empty, dims, {"dtype": start.type.dtype}, name=name)[0]))
        return made

    def taken(self, builder: Builder, stores: Sequence[Atom], slot: Atom, segment: Atom, state: Sequence[Atom]) -> list[Atom]:
        """The stores (places first) with a snapshot at the start of this segment in this slot."""
        return [_put(builder, store, value, slot) for store, value in zip(stores, (segment, *state), strict=True)]

    def slot(self, builder: Builder, extra: tuple[Var, ...], number: Atom) -> Atom:
        """The slot of the snapshot with this number, in the order of the loop."""
        return number

    def backward(self, builder: Builder, extra: tuple[Var, ...], seeds: dict[int, Var]) -> dict[int, Atom]:
        """The cotangents of the loop function's params, by their numbers."""
        plan, segment = self.plan(builder, extra), self.segment
        taken, *stores = self.given(extra)
        wanted = (*segment.bars, *segment.shared)
        bars = [(f"{self.plain.params[k].name}_bar", seeds[k] if k in seeds else zeros(builder, self.plain.params[k].type).atom) for k in wanted]
        kept = 1 + len(stores)

        def one(inner: Builder, number: Var, *carried: Var) -> Sequence[Atom]:
            inner.know_index(number, sizes.minus(inner, plan.segments, 1), size_literal(-1), size_literal(-1))
            left, *after = self.reached(inner, plan, extra, number, carried[:kept])
            state = dict(zip(segment.state, after[len(stores):], strict=True))
            ends = (self.index(inner, plan, number), self.index(inner, plan, sizes.plus(inner, number, 1)))
            names = tuple(name for name, _ in bars)
            changed = self.call(inner, segment.adjoint, ends, state, carried[kept:], names)
            return (left, *after[: len(stores)], *changed)

        start = [("taken", taken), *((store.name, store) for store in stores), *bars]
        outs = _downwards(builder, "segment", plan.segments, start, one)
        return dict(zip(wanted, outs[kept:], strict=True))

    def given(self, extra: tuple[Var, ...]) -> tuple[Var, ...]:
        """Of what the forward half hands over: the number of snapshots, their places, their stores."""
        raise NotImplementedError

    def reached(self, builder: Builder, plan: _Plan, extra: tuple[Var, ...], segment: Var, snapshots: tuple[Var, ...]) -> list[Atom]:
        """The state at the start of a segment, from the last snapshot: the snapshots then left, the stores, the state."""
        taken, *stores = snapshots
        slot = self.slot(builder, extra, sizes.minus(builder, taken, 1))
        names = [self.starts[k].name for k in self.segment.state]
        done = _get(builder, stores[0], slot, "done")
        state = [_get(builder, store, slot, name) for store, name in zip(stores[1:], names, strict=True)]

        def ahead(inner: Builder, at: Var, until: Atom, state: Sequence[Atom]) -> tuple[Var, ...]:
            ends = (self.index(inner, plan, at), self.index(inner, plan, until))
            return self.call(inner, self.segment.advance, ends, dict(zip(self.segment.state, state, strict=True)), (), tuple(names))

        def free(asked: Builder, done: Var, taken: Var, *_: Var) -> Atom:
            return asked.equation(logical_and, (_less(asked, done, segment), _less(asked, taken, plan.count)))[0]

        def advance(inner: Builder, done: Var, taken: Var, *rest: Var) -> Sequence[Atom]:
            left = sizes.plus(inner, sizes.minus(inner, segment, done), 1)
            room = sizes.plus(inner, sizes.minus(inner, plan.count, taken), 1)
            (further,) = _called(inner, "next_snapshot", (left, room), ("ahead",))
            until = sizes.plus(inner, done, further, "done")
            state = ahead(inner, done, until, rest[len(stores):])
            filled = self.taken(inner, rest[: len(stores)], self.slot(inner, extra, taken), until, state)
            return (until, sizes.plus(inner, taken, 1), *filled, *state)

        start = [("done", done), ("taken", taken), *((store.name, store) for store in stores), *zip(names, state, strict=True)]
        done, taken, *rest = _while(builder, start, free, advance)
        state = list(ahead(builder, done, segment, rest[len(stores):]))
        last = sizes.minus(builder, taken, 1)
        here = builder.equation(equal, (_get(builder, rest[0], self.slot(builder, extra, last), "place"), segment))[0]
        left = builder.equation(select, (here, last, taken), name="taken")[0]
        return [left, *rest[: len(stores)], *state]


class _Known(_Sweeps):
    """A For loop: binomial checkpointing."""

    def numbers(self, builder: Builder) -> _Plan:
        """The plan, in the forward half."""
        trips = self.trips(builder)
        if self.count is not None:
            length = self.length(builder, self.count)
            return _Plan(trips, size_literal(self.count), length, self.segments(builder, trips, length))
        ratio = self.ratio()
        if ratio is None:
            per = self.bytes(builder, self.state), self.bytes(builder, self.segment.tape)
        else:
            per = size_literal(ratio.numerator), size_literal(ratio.denominator)
        (length,) = _called(builder, "even_length", (trips, *per, size_literal(self.least)), ("length",))
        segments = self.segments(builder, trips, length)
        return _Plan(trips, sizes.larger(builder, segments, 1, "snapshots"), length, segments)

    def trips(self, builder: Builder) -> Atom:
        assert isinstance(self.loop, For)
        return trip_count(builder, self.loop)

    def segments(self, builder: Builder, trips: Atom, length: Atom) -> Atom:
        return sizes.quotient(builder, sizes.minus(builder, sizes.plus(builder, trips, length), 1), length, "segments")

    def forward(self, builder: Builder) -> tuple[tuple[Atom, ...], tuple[Var, ...]]:
        plan = self.numbers(builder)
        stores = self.empty_stores(builder, plan.count)
        state = self.segment.state

        def run(inner: Builder, done: Var, taken: Var, *rest: Var) -> Sequence[Atom]:
            values = rest[len(stores):]
            filled = self.taken(inner, rest[: len(stores)], taken, done, [values[k] for k in state])
            left, room = sizes.minus(inner, plan.segments, done), sizes.minus(inner, plan.count, taken)
            (further,) = _called(inner, "next_snapshot", (left, room), ("ahead",))
            until = sizes.plus(inner, done, further, "done")
            ends = self.index(inner, plan, done), self.index(inner, plan, until)
            values = self.call(inner, self.segment.run, ends, dict(enumerate(values)), (), tuple(start.name for start in self.starts))
            return (until, sizes.plus(inner, taken, 1), *filled, *values)

        zero = size_literal(0)
        start = [("done", zero), ("taken", zero), *stores, *((var.name, var) for var in self.starts)]
        _, taken, *rest = _while(builder, start, lambda asked, done, *_: _less(asked, done, plan.segments), run)
        self.known = tuple(number for number in (plan.count, plan.length) if isinstance(number, Var))
        self.sizes = plan.count, plan.length
        return tuple(rest[len(stores):]), (*self.known, taken, *rest[: len(stores)])

    def plan(self, builder: Builder, extra: tuple[Var, ...]) -> _Plan:
        trips, (count, length) = self.trips(builder), self.sizes
        return _Plan(trips, count, length, self.segments(builder, trips, length))

    def given(self, extra: tuple[Var, ...]) -> tuple[Var, ...]:
        return extra[len(self.known):]


class _Online(_Sweeps):
    """A While loop: minimal repetition dynamic checkpointing."""

    def __init__(self, plain: Function, segment: Segment, count: int | None) -> None:
        super().__init__(plain, segment, TUNING.while_snapshots if count is None else count)
        assert self.count is not None
        self.room = size_literal(self.count)

    def forward(self, builder: Builder) -> tuple[tuple[Atom, ...], tuple[Var, ...]]:
        loop, state, zero = self.loop, self.segment.state, size_literal(0)
        assert isinstance(loop, While) and self.count is not None
        self.most = self.length(builder, self.count)
        stores = self.empty_stores(builder, self.room)
        (levels,) = builder.equation(empty, (self.room,), {"dtype": INT64}, name="levels")
        (slots,) = builder.equation(iota, (self.room,), name="slots")
        if self.count == 1:
            first = [self.starts[k] for k in state]
            stores = [(name, store) for (name, _), store in zip(stores, self.taken(builder, [s for _, s in stores], zero, zero, first), strict=True)]
        some = self.some()

        def test(asked: Builder, *carried: Var) -> Atom:
            return _copied(asked, loop.test, dict(zip(loop.carry, carried[5 + len(stores):], strict=True)))[0]

        def run(inner: Builder, done: Var, trips: Var, taken: Var, levels: Var, slots: Var, *rest: Var) -> Sequence[Atom]:
            filled: Sequence[Atom] = rest[: len(stores)]
            values = rest[len(stores):]
            if self.count != 1:
                slot, levels, slots = _called(inner, "replaced_snapshot", (levels, slots, taken), ("slot", "levels", "slots"))
                filled = self.taken(inner, filled, slot, done, [values[k] for k in state])
            names = ("trip", *(start.name for start in self.starts))
            new, *values_then = self.call(inner, some, (self.most,), dict(enumerate(values)), (), names)
            count = sizes.smaller(inner, sizes.plus(inner, taken, 1), self.room)
            return (sizes.plus(inner, done, 1), sizes.plus(inner, trips, new), count, levels, slots, *filled, *values_then)

        start: list[tuple[str, Atom]] = [("done", zero), ("trips", zero), ("taken", zero), ("levels", levels), ("slots", slots), *stores]
        start += [(var.name, var) for var in self.starts]
        done, trips, taken, _, slots, *rest = _while(builder, start, test, run)
        number = (self.most,) if isinstance(self.most, Var) else ()
        return tuple(rest[len(stores):]), (done, trips, taken, slots, *rest[: len(stores)], *number)

    def some(self) -> Part:
        """(most, *params) -> the number of trips run, `most` at most, and the carried values then."""
        loop, most = self.loop, Var("most", SIZE)
        assert isinstance(loop, While)
        builder = self.builder()

        def test(asked: Builder, trip: Var, *carried: Var) -> Atom:
            (holds,) = _copied(asked, loop.test, dict(zip(loop.carry, carried, strict=True)))
            return asked.equation(logical_and, (_less(asked, trip, most), holds))[0]

        def body(inner: Builder, trip: Var, *carried: Var) -> Sequence[Atom]:
            return (sizes.plus(inner, trip, 1), *_copied(inner, loop.body, dict(zip(loop.carry, carried, strict=True))))

        outs = _while(builder, [("trip", size_literal(0)), *((var.name, var) for var in self.starts)], test, body)
        function = Function(f"{self.base}_some_steps", (most, *self.plain.params), builder.block(*outs), loop.where, "", None, derived=False)
        return Part(rewrite.renewed(function), tuple(range(len(self.plain.params))))

    def plan(self, builder: Builder, extra: tuple[Var, ...]) -> _Plan:
        return _Plan(extra[1], self.room, self.most, extra[0])

    def given(self, extra: tuple[Var, ...]) -> tuple[Var, ...]:
        return (extra[2], *extra[4 : 5 + len(self.segment.state)])

    def slot(self, builder: Builder, extra: tuple[Var, ...], number: Atom) -> Atom:
        return _get(builder, extra[3], number, "slot")


def _copied(builder: Builder, block: Block, values: dict[Var, Var]) -> tuple[Atom, ...]:
    """A block's nodes with these values; its results."""
    copied = rewrite.Substitution(dict(values)).block(block)
    for node in copied.nodes:
        builder.add(node)
    return copied.results
