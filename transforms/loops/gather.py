"""What becomes of a loop's overlapping sums: gathered from arrays of terms (`Gather`), or computed where they are added (`Peeled`)."""
from __future__ import annotations

import numpy as np

from s2s.records import dataclass, replace
from s2s.transforms.derivatives.reverse.tapes import Layout, trip_count
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.facts import learn
from s2s.transforms.ir.program import Atom, Block, Equation, For, If, Node, Var
from s2s.transforms.primitives import sizes
from s2s.transforms.primitives.arithmetic import add, greater, neg, sub
from s2s.transforms.primitives.indexing import At, additem, getitem, setitem
from s2s.transforms.primitives.logic import logical_and
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.structural import empty
from s2s.types import SIZE, Literal, literal, size_literal


@dataclass(frozen=True)
class Sum:
    """One of several additions of a nest to one array: `offsets` from the loops' indices, by axis; `value` is added, or subtracted."""

    store: Equation
    offsets: tuple[int, ...]
    value: Atom
    negative: bool


class Peeled:
    """One loop rewritten, its terms computed where they are added: no array of terms, and the ends of the range apart.

        for i in range(n):                          if n > 0:
            v_bar[i] += c * u[i]                        v_bar[0] += c * u[0]
            v_bar[i + 1] -= c * u[i]        ->          v_bar[n] -= c * u[n - 1]
                                                    for i in range(1, n):
                                                        v_bar[i] += c * u[i] - c * u[i - 1]

    `terms`: the equations of the loop that compute them.
    """

    def __init__(self, layout: Layout, loop: For, around: Block, sums: dict[int, list[Sum]], terms: list[Equation]) -> None:
        self.loop, self.terms = loop, terms
        builder = layout.builder_before(loop, around)
        self.rest(builder, sums)
        for slot, each in sums.items():
            self.gathered(builder, slot, each)
        self.nodes = list(builder.nodes)

    def rest(self, builder: Builder, sums: dict[int, list[Sum]]) -> None:
        """Append the loop without the sums, if anything is left of it."""
        loop = self.loop
        keep = [slot for slot in range(len(loop.carry)) if slot not in sums]
        if not keep:
            return
        removed = {each.store for group in sums.values() for each in group}
        body = Block(tuple(node for node in loop.body.nodes if node not in removed), tuple(loop.body.results[slot] for slot in keep))
        outs, carry, init = (tuple(atoms[slot] for slot in keep) for atoms in (loop.outs, loop.carry, loop.init))
        builder.add(replace(loop, outs=outs, carry=carry, init=init, body=body))  # type: ignore[arg-type]

    def gathered(self, builder: Builder, slot: int, sums: list[Sum]) -> None:
        """Append what adds the terms to one array."""
        loop, start = self.loop, self.loop.init[slot]
        assert isinstance(start, Var)
        offsets = [each.offsets[0] for each in sums]
        low, high = min(offsets), max(offsets)
        builder.where = sums[0].store.where
        (long,) = builder.equation(greater, (sizes.minus(builder, loop.hi, loop.lo), size_literal(high - low - 1)))
        ends, short, inside = builder.inside(), builder.inside(), builder.inside()
        array = start
        for each, offset in zip(sums, offsets, strict=True):
            first = [sizes.plus(ends, loop.lo, number) for number in range(high - offset)]
            last = [sizes.plus(ends, loop.hi, -1 - number) for number in range(offset - low)]
            for trip in (*first, *last):
                array = self.added(ends, array, [each], sizes.plus(ends, trip, offset))
        all_of_them = self.in_loop(short, start, [[each] for each in sums], loop.lo, loop.hi, 0) if high - low > 1 else start
        joined = Var(start.name, start.type)
        builder.add(If((joined,), long, ends.block(array), short.block(all_of_them), builder.where))
        result = self.in_loop(inside, joined, [sums], sizes.plus(builder, loop.lo, high), sizes.plus(builder, loop.hi, low), None)
        made = inside.nodes[-1]
        assert isinstance(made, For) and made.outs == (result,)
        builder.add(replace(made, outs=(loop.outs[slot],)))

    def in_loop(self, builder: Builder, array: Var, groups: list[list[Sum]], lo: Atom, hi: Atom, at: int | None) -> Var:
        """Append a loop over the elements of the array, or (with `at`) over the trips of the old one; each group is added at once."""
        here, carry, out = Var(self.loop.index.name, SIZE), Var(array.name, array.type), Var(array.name, array.type)
        body = builder.inside()
        result = carry
        for sums in groups:
            result = self.added(body, result, sums, here if at is None else sizes.plus(body, here, sums[0].offsets[0]))
        builder.add(For((out,), here, lo, hi, size_literal(1), (carry,), (array,), body.block(result), builder.where, reverse=False))
        return out

    def added(self, builder: Builder, array: Var, sums: list[Sum], place: Atom) -> Var:
        """Append: array[place] += the sums' terms there."""
        total: Atom | None = None
        for each in sums:
            term = self.term(builder, each.value, sizes.plus(builder, place, -each.offsets[0]))
            if total is None:
                total = builder.equation(neg, (term,))[0] if each.negative else term
            else:
                total = builder.equation(sub if each.negative else add, (total, term))[0]
        assert total is not None
        return builder.equation(additem, (array, total, place), {"index": (At(),)}, name=array.name)[0]

    def term(self, builder: Builder, value: Atom, trip: Atom) -> Atom:
        """Append what computes a term in this trip of the old loop."""
        by: dict[Atom, Atom] = {self.loop.index: trip}
        for node in self.terms:
            outs = builder.equation(node.primitive, tuple(by.get(atom, atom) for atom in node.ins), node.params, name=node.outs[0].name)
            by.update(zip(node.outs, outs, strict=True))
        return by.get(value, value)


class Gather:
    """One nest rewritten. `arrays`: by slot of the innermost loop, the array's slots in all loops and what is added."""

    def __init__(
        self, layout: Layout, loops: list[For], around: Block, hoisted: list[Equation], arrays: dict[int, tuple[list[int], list[Sum]]],
    ) -> None:
        self.loops, self.arrays = loops, arrays
        self.made: For
        self.before = layout.builder_before(loops[0], around)
        for node in hoisted:
            self.before.add(node)
            learn(self.before, node)
        self.trips = [trip_count(self.before, loop) for loop in loops]
        self.terms: dict[tuple[Atom, tuple[int, ...]], Var] = {}
        for _, sums in arrays.values():
            spans = spans_of(sums)
            for each in sums:
                if (each.value, spans) not in self.terms:
                    self.terms[each.value, spans] = self.with_zeros(spans, each.value.type.dtype)
        finals = dict(zip(self.terms, self.nested(0, list(self.terms.values())), strict=True))
        self.nodes: list[Node] = [*self.before.nodes, self.made]
        for slots, sums in arrays.values():
            self.gathered(slots[0], sums, finals)

    def with_zeros(self, spans: tuple[int, ...], dtype: np.dtype) -> Var:
        """An array for the terms of all trips, zeros around them."""
        lengths = [sizes.plus(self.before, trips, 2 * span) for trips, span in zip(self.trips, spans, strict=True)]
        (array,) = self.before.equation(empty, tuple(lengths), {"dtype": dtype}, name="term")
        for axis, span in enumerate(spans):
            beyond = sizes.plus(self.before, self.trips[axis], span)
            counts = [size_literal(span) if other == axis else length for other, length in enumerate(lengths)]
            array = self.zeroed(array, axis, beyond, counts, [], self.before) if span else array
        return array

    def zeroed(self, array: Var, axis: int, beyond: Atom, counts: list[Atom], index: list[Atom], builder: Builder) -> Var:
        """Append loops that clear both ends of an axis."""
        count = counts[len(index)]
        if isinstance(count, Literal) and count.value == 1:
            return self.both_ends(array, axis, beyond, counts, [*index, size_literal(0)], builder)
        here, carry, out = Var("i", SIZE), Var("term", array.type), Var("term", array.type)
        body = builder.inside()
        made = self.both_ends(carry, axis, beyond, counts, [*index, here], body)
        builder.add(For((out,), here, size_literal(0), count, size_literal(1), (carry,), (array,), body.block(made), builder.where, reverse=False))
        return out

    def both_ends(self, array: Var, axis: int, beyond: Atom, counts: list[Atom], places: list[Atom], builder: Builder) -> Var:
        if len(places) < len(counts):
            return self.zeroed(array, axis, beyond, counts, places, builder)
        for start in (size_literal(0), beyond):
            at = [sizes.plus(builder, place, start) if other == axis else place for other, place in enumerate(places)]
            (array,) = builder.equation(setitem, (array, literal(0, array.type.dtype), *at), {"index": (At(inside=True),) * len(at)}, name="term")
        return array

    def nested(self, depth: int, terms: list[Var]) -> list[Var]:
        """Write the loop at this depth (into `made`): without the arrays, with the terms; returns what the terms are after it."""
        loop = self.loops[depth]
        without = {slots[depth] for slots, _ in self.arrays.values()}
        keep = [slot for slot in range(len(loop.carry)) if slot not in without]
        carry = [Var("term", term.type) for term in terms]
        outs = [Var("term", term.type) for term in terms]
        if depth + 1 < len(self.loops):
            inner = self.nested(depth + 1, carry)
            body = Block((self.made,), (*(loop.body.results[slot] for slot in keep), *inner))
        else:
            body = self.innermost(loop, keep, carry)
        self.made = replace(
            loop, outs=(*(loop.outs[slot] for slot in keep), *outs), carry=(*(loop.carry[slot] for slot in keep), *carry),
            init=(*(loop.init[slot] for slot in keep), *terms), body=body,
        )
        return outs

    def innermost(self, loop: For, keep: list[int], carry: list[Var]) -> Block:
        removed = dict.fromkeys(each.store for _, sums in self.arrays.values() for each in sums)
        builder = new_builder()
        for node in loop.body.nodes:
            if node not in removed:
                builder.add(node)
        stored = []
        builder.where = next(iter(removed)).where
        for (value, spans), term in zip(self.terms, carry, strict=True):
            places = [
                sizes.plus(builder, sizes.minus(builder, each.index, each.lo), span) for each, span in zip(self.loops, spans, strict=True)
            ]
            (made,) = builder.equation(setitem, (term, value, *places), {"index": (At(inside=True),) * len(places)}, name="term")
            stored.append(made)
        return builder.block(*(loop.body.results[slot] for slot in keep), *stored)

    def gathered(self, slot: int, sums: list[Sum], finals: dict[tuple[Atom, tuple[int, ...]], Var]) -> None:
        """Append the loops that add the terms to one array, if the nest had a trip at all."""
        outer, spans = self.loops[0], spans_of(sums)
        start, out = outer.init[slot], outer.outs[slot]
        test = new_builder()
        test.where = sums[0].store.where
        runs: Atom | None = None
        for trips in self.trips:
            (some,) = test.equation(greater, (trips, size_literal(0)))
            runs = some if runs is None else test.equation(logical_and, (runs, some))[0]
        inside = test.inside()
        low = [min(each.offsets[axis] for each in sums) for axis in range(len(spans))]
        made = self.added(0, start, sums, finals, low, [], inside)  # type: ignore[arg-type]
        branch = inside.block(made)
        assert runs is not None
        self.nodes += [*test.nodes, If((out,), runs, branch, Block((), (start,)), test.where)]

    def added(
        self, depth: int, array: Var, sums: list[Sum], finals: dict[tuple[Atom, tuple[int, ...]], Var], low: list[int], index: list[Var], builder: Builder,
    ) -> Var:
        """Append the loop at this depth over all elements that the nest adds to."""
        loop, spans = self.loops[depth], spans_of(sums)
        here, carry, out = Var(loop.index.name, loop.index.type), Var(array.name, array.type), Var(array.name, array.type)
        lo = sizes.plus(builder, loop.lo, low[depth])
        hi = sizes.plus(builder, loop.hi, low[depth] + spans[depth])
        body = builder.inside()
        if depth + 1 < len(self.loops):
            result = self.added(depth + 1, carry, sums, finals, low, [*index, here], body)
        else:
            places = [*index, here]
            total: Atom | None = None
            for each in sums:
                at = [
                    sizes.plus(body, sizes.minus(body, place, loop.lo), span - offset)
                    for place, loop, span, offset in zip(places, self.loops, spans, each.offsets, strict=True)
                ]
                (term,) = body.equation(getitem, (finals[each.value, spans], *at), {"index": (At(inside=True),) * len(at)})
                if total is None:
                    total = body.equation(neg, (term,))[0] if each.negative else term
                else:
                    total = body.equation(sub if each.negative else add, (total, term))[0]
            assert total is not None
            (result,) = body.equation(additem, (carry, total, *places), {"index": (At(),) * len(places)}, name=array.name)
        builder.add(For((out,), here, lo, hi, size_literal(1), (carry,), (array,), body.block(result), sums[0].store.where, reverse=False))
        return out


def spans_of(sums: list[Sum]) -> tuple[int, ...]:
    """By axis, how far apart the additions of one trip are."""
    return tuple(max(axis) - min(axis) for axis in zip(*(each.offsets for each in sums), strict=True))
