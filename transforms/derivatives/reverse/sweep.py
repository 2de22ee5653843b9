"""The forward sweep: the primal program, with the tapes of a reverse sweep's plan filled on the way.

    for i in range(n), u1 = u:            u_tape = empty(n)
        u2 = setitem(u1, new, i)    ->    for i in range(n), u1 = u, tape1 = u_tape:
        next u2                               old = getitem(u1, i)
                                              tape2 = setitem(tape1, old, i)
                                              u2 = setitem(u1, new, i)
                                              next u2, tape2
"""
from __future__ import annotations

from s2s.transforms.derivatives.reverse.plan import Plan
from s2s.transforms.derivatives.reverse.tapes import Group, Step, Tape, elements, filled_part, trip_number
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.program import Array, Atom, Block, For, Function, If, Node, Var, While
from s2s.transforms.ir.rewrite import Substitution
from s2s.transforms.primitives import sizes
from s2s.transforms.primitives.arithmetic import less, select
from s2s.transforms.primitives.indexing import At, Item, Span, grow, setitem
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.structural import empty, reshape
from s2s.transforms.primitives.value import Value
from s2s.tuning import TUNING
from s2s.types import SIZE, dim_atom, literal, size_literal


def forward_sweep(function: Function, plan: Plan) -> list[Node]:
    """The nodes of the function's body, tapes included."""
    sweep = _Sweep(plan)
    builder = new_builder()
    for param in function.params:
        sweep.store(param, builder, ())
    sweep.block(function.body, builder, ())
    return builder.nodes


class _Sweep:
    """Current versions of the tapes that are open at this point of the forward sweep."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.current: dict[Tape, Atom] = {}
        self.counts: dict[Group, Atom] = {}
        self.capacities: dict[Group, Atom] = {}

    def block(self, block: Block, builder: Builder, path: tuple[Step, ...]) -> None:
        """Append a block's nodes; `path` leads to it."""
        for node in block.nodes:
            builder.where = node.where
            for extra in self.plan.duties.before.get(node, []):
                builder.add(extra)
                self.store_all(extra.outs, builder, path)
            if isinstance(node, For | While | If):
                self.region(node, builder, path)
            else:
                builder.add(self.plan.duties.calls.get(node, node))
            self.store_all(self.plan.duties.calls.get(node, node).outs, builder, path)

    def store_all(self, variables: tuple[Var, ...], builder: Builder, path: tuple[Step, ...]) -> None:
        for var in variables:
            self.store(var, builder, path)

    def store(self, var: Var, builder: Builder, path: tuple[Step, ...]) -> None:
        """Put a value on the tapes that record it here."""
        for tape in self.plan.duties.tapes:
            if tape.value is var and _ends_with(path, tape.path):
                self.current[tape] = self.stored(tape, builder)

    def stored_flat(self, tape: Tape, group: Group, builder: Builder) -> Atom:
        """Put an array's elements behind those that are there."""
        size = elements(builder, tape.value.type.shape)
        count, capacity = self.counts[group], self.capacities[group]
        after = sizes.plus(builder, count, size, name="entries")
        double = sizes.larger(builder, sizes.times(builder, capacity, 2), after)
        (short,) = builder.equation(less, (capacity, after))
        (larger,) = builder.equation(select, (short, double, capacity), name="capacity")
        self.counts[group], self.capacities[group] = after, larger
        (grown,) = builder.equation(grow, (self.current[tape], larger), {"zeros": False}, name=tape.final.name)
        flat = reshape(Value(builder, tape.value), Value(builder, size))
        (stored,) = builder.equation(setitem, (grown, flat.atom, count, size), {"index": (Span(1),)}, name=tape.final.name)
        return stored

    def stored(self, tape: Tape, builder: Builder) -> Atom:
        if tape.group is not None and tape.group.ragged is not None:
            return self.stored_flat(tape, tape.group, builder)
        operands: list[Atom] = []
        items: list[Item] = []
        if tape.group is not None:
            items, operands = [At(inside=True)], [self.counts[tape.group]]
        else:
            for region, _ in tape.path:
                if isinstance(region, For):
                    items.append(At(inside=True))
                    operands.append(trip_number(builder, region.index, region.lo, region.step))
        if not items and tape.value.type.ndim == 0:
            return tape.value
        part, filled = filled_part(tape.value.type.shape, tape.final.type.shape[len(items):])
        items += part
        operands += filled
        if not operands:
            return tape.value
        into = self.current[tape]
        (stored,) = builder.equation(setitem, (into, tape.value, *operands), {"index": tuple(items)}, name=tape.final.name)
        return stored

    # ---- regions ----------------------------------------------------------------------------------------------------

    def region(self, node: For | While | If, builder: Builder, path: tuple[Step, ...]) -> None:
        """Append a region that carries, besides its own values, the tapes that are filled inside."""
        tapes = [tape for tape in self.plan.duties.tapes if any(region is node for region, _ in tape.path)]
        groups = [group for group in self.plan.duties.groups if any(region is node for region, _ in group.path)]
        trips = self.plan.duties.trips.get(node)
        home_tapes = [tape for tape in tapes if tape.path[0][0] is node]
        home_groups = [group for group in groups if group.path[0][0] is node]
        for group in home_groups:
            self.counts[group], self.capacities[group] = size_literal(0), size_literal(TUNING.tape_entries)
        for tape in home_tapes:
            self.current[tape] = self.allocated(tape, builder)
        outs = self.outs(tapes, groups, home_tapes, home_groups)
        if isinstance(node, If):
            self.branches(node, builder, path, tapes, groups, outs)
        else:
            self.loop(node, builder, path, tapes, groups, outs, trips)
        self.set_state(tapes, groups, outs)
        self.store_all(tuple(tape.final for tape in home_tapes), builder, path)  # a tape of one trip may itself be put on a tape

    def allocated(self, tape: Tape, builder: Builder) -> Atom:
        if tape.final.type.ndim == 0:
            return literal(0, tape.final.type.dtype)
        dims = tuple(dim_atom(dim) for dim in tape.final.type.shape)
        if tape.group is not None:
            dims = (size_literal(TUNING.tape_entries), *dims[1:])
        (new,) = builder.equation(empty, dims, {"dtype": tape.final.type.dtype}, name=tape.final.name)
        return new

    def state(self, tapes: list[Tape], groups: list[Group]) -> tuple[Atom, ...]:
        """What a region carries: capacities and counts first, since the tapes' types name them."""
        return (
            *(self.capacities[group] for group in groups), *(self.counts[group] for group in groups), *(self.current[tape] for tape in tapes)
        )

    def set_state(self, tapes: list[Tape], groups: list[Group], variables: tuple[Var, ...]) -> None:
        rest = iter(variables)
        for group in groups:
            self.capacities[group] = next(rest)
        for group in groups:
            self.counts[group] = next(rest)
        for tape in tapes:
            self.current[tape] = next(rest)

    def outs(self, tapes: list[Tape], groups: list[Group], home_tapes: list[Tape], home_groups: list[Group]) -> tuple[Var, ...]:
        """The region's outs for its state: at a tape's home they are the Vars that the reverse sweep reads."""
        fresh = self.fresh(tapes, groups)
        final: list[Var] = []
        final += [group.capacity if group in home_groups else var for group, var in zip(groups, fresh, strict=False)]
        final += [group.count if group in home_groups else var for group, var in zip(groups, fresh[len(groups):], strict=False)]
        mapping = dict(zip(fresh, final, strict=False))
        rest = fresh[2 * len(groups):]
        for tape, var in zip(tapes, rest, strict=True):
            var.type = Substitution(dict(mapping)).type(var.type)
            final.append(tape.final if tape in home_tapes else var)
        return tuple(final)

    def fresh(self, tapes: list[Tape], groups: list[Group]) -> tuple[Var, ...]:
        capacities = [Var("capacity", SIZE) for _ in groups]
        counts = [Var("entries", SIZE) for _ in groups]
        mapping = dict(zip(groups, capacities, strict=True))
        made = []
        for tape in tapes:
            shape = tape.final.type.shape
            if tape.group is not None:
                shape = (mapping[tape.group], *shape[1:])
            made.append(Var(tape.final.name, Array(tape.final.type.dtype, shape)))
        return (*capacities, *counts, *made)

    def branches(
        self, node: If, builder: Builder, path: tuple[Step, ...], tapes: list[Tape], groups: list[Group], outs: tuple[Var, ...]
    ) -> None:
        before = (dict(self.current), dict(self.counts), dict(self.capacities))
        made = []
        for number, block in enumerate((node.then, node.orelse)):
            self.current, self.counts, self.capacities = (dict(state) for state in before)  # type: ignore[assignment]
            inner = builder.inside()
            self.open_body(block, inner, (*path, (node, number)), groups)
            made.append(inner.block(*block.results, *self.state(tapes, groups)))
        builder.add(If((*node.outs, *outs), node.test, made[0], made[1], node.where))

    def loop(
        self, node: For | While, builder: Builder, path: tuple[Step, ...], tapes: list[Tape], groups: list[Group],
        outs: tuple[Var, ...], trips: Var | None,
    ) -> None:
        init = (*node.init, *self.state(tapes, groups))
        carried = self.fresh(tapes, groups)
        self.set_state(tapes, groups, carried)
        number = 0 if isinstance(node, For) else 1
        inner = builder.inside()
        here = (*path, (node, number))
        bound = (node.index, *node.carry) if isinstance(node, For) else node.carry
        self.open_body(node.body, inner, here, groups, bound)
        results = (*node.body.results, *self.state(tapes, groups))
        carry = (*node.carry, *carried)
        all_outs = (*node.outs, *outs)
        if trips is not None:
            count = Var("trips", SIZE)
            results = (*results, sizes.plus(inner, count, 1))
            carry, init, all_outs = (*carry, count), (*init, size_literal(0)), (*all_outs, trips)
        body = inner.block(*results)
        if isinstance(node, For):
            builder.add(For(all_outs, node.index, node.lo, node.hi, node.step, carry, init, body, node.where, node.reverse))
        else:
            builder.add(While(all_outs, carry, init, node.test, body, node.where))
        if trips is not None:
            self.store(trips, builder, path)

    def open_body(self, block: Block, inner: Builder, path: tuple[Step, ...], groups: list[Group], bound: tuple[Var, ...] = ()) -> None:
        """A region's block: growing tapes that are filled right here get room for one more entry, then count it."""
        own = [group for group in groups if _ends_with(path, group.path) and group.ragged is None]
        for group in own:
            self.make_room(group, inner)
        self.store_all(bound, inner, path)
        self.block(block, inner, path)
        for group in own:
            self.counts[group] = sizes.plus(inner, self.counts[group], 1, name="entries")

    def make_room(self, group: Group, builder: Builder) -> None:
        """Double the capacity where it is used up."""
        capacity, count = self.capacities[group], self.counts[group]
        (fits,) = builder.equation(less, (count, capacity))
        double = sizes.times(builder, capacity, 2)
        (larger,) = builder.equation(select, (fits, capacity, double), name="capacity")
        self.capacities[group] = larger
        for tape in group.tapes:
            (self.current[tape],) = builder.equation(grow, (self.current[tape], larger), {"zeros": False}, name=tape.final.name)


def _ends_with(path: tuple[Step, ...], inner: list[Step]) -> bool:
    """Whether a path from the function's body leads to the end of a tape's path from its home."""
    return path[len(path) - len(inner):] == tuple(inner)
