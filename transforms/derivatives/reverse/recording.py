"""Puts one level's values on tapes, and lifts the tapes of inner levels to it: each loop on the way out adds an axis, or lets the tape grow."""
from __future__ import annotations

from s2s.transforms.derivatives.reverse.plan import Plan, decided
from s2s.transforms.derivatives.reverse.tapes import Group, Step, Tape, new_group, tape_type, trip_count
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.program import Block, Equation, For, Node, Var, While
from s2s.transforms.primitives.indexing import getitem
from s2s.types import SIZE, Array, atom_dim


class Recorder:
    """The tapes that are filled, or pass through, one level.

    `tapes`: by the level's values that they hold. `lifted`: by what is kept of an inner level in each trip of this one.
    `groups`: growing tapes; `inner_count`: of those from inside, how many entries a trip of this level leaves.
    """

    def __init__(self, plan: Plan, step: Step, block: Block) -> None:
        self.plan, self.step, self.block = plan, step, block
        self.layout = plan.layout
        self.parent = self.layout.region_of[block][1]
        self.tapes: dict[Var, Tape] = {}
        self.lifted: dict[Var, Tape] = {}
        self.groups: list[Group] = []
        self.inner_count: dict[Group, Var] = {}

    def record(self, value: Var) -> None:
        """Put a value of this level on a tape."""
        if value in self.tapes:
            return
        region = self.step[0]
        if isinstance(region, While) or value in self.plan.decisions.growing:
            self._record_growing(value)
            return
        builder = self.layout.builder_before(region, self.parent)
        shape = self.layout.bounded_shape(value.type.shape, self.parent, builder)
        if shape is None:
            raise decided(self.plan.decisions.growing, {value})
        axes = (atom_dim(trip_count(builder, region)),) if isinstance(region, For) else ()
        self._insert(region, builder)
        tape = Tape(value, [self.step], self._final(value, tape_type(value, axes, shape)))
        self.plan.duties.tapes.append(tape)
        self.tapes[value] = tape

    def _new_group(self, ragged: Var | None = None) -> Group:
        group = new_group([self.step], ragged)
        self.plan.duties.groups.append(group)
        self.groups.append(group)
        self._bind_home(group.count)
        self._bind_home(group.capacity)
        return group

    def _record_growing(self, value: Var) -> None:
        region, block = self.outermost()
        builder = self.layout.builder_before(region, block)
        shape = self.layout.bounded_shape(value.type.shape, block, builder)
        self.plan.duties.before.setdefault(region, []).extend(builder.nodes)
        for node in builder.nodes:
            self.layout.bind(node, block)
        if shape is None and (root := self._root(value)) is not value:
            raise decided(self.plan.decisions.growing, {root})  # an inner loop's tape of unknown length: let it grow itself
        if shape is None and value not in self.plan.decisions.ragged:
            raise decided(self.plan.decisions.ragged, {value})
        if shape is None:
            group, shape = self._new_group(value), ()
        else:
            found = next((group for group in self.groups if group.path == [self.step] and group.ragged is None), None)
            group = self._new_group() if found is None else found
        tape = Tape(value, group.path, self._final(value, tape_type(value, (group.capacity,), shape)), group)
        group.tapes.append(tape)
        self.plan.duties.tapes.append(tape)
        self.tapes[value] = tape

    def _root(self, value: Var) -> Var:
        """The value that is recorded on a tape, where `value` is that tape (or a tape of it)."""
        tape = next((tape for tape in self.plan.duties.tapes if tape.final is value), None)
        return value if tape is None else self._root(tape.value)

    def outermost(self) -> tuple[Node, Block]:
        """The region of the function's own body that holds this level, and that body."""
        region, block = self.step[0], self.parent
        while block in self.layout.region_of:
            region, block = self.layout.region_of[block]  # type: ignore[assignment]
        return region, block

    def _final(self, value: Var, type_: Array) -> Var:
        read = self.layout.definition.get(value)
        of = read.ins[0] if isinstance(read, Equation) and read.primitive is getitem and value.name == getitem.name else value
        name = of.name if isinstance(of, Var) else value.name  # an element is recorded under its array's name
        name = name if name.endswith("_tape") else f"{name}_tape"
        final = Var(name, type_)
        self._bind_home(final)
        return final

    def _bind_home(self, var: Var) -> None:
        self.layout.block_of[var] = self.parent

    def _insert(self, region: Node, builder: Builder) -> None:
        self.plan.duties.before.setdefault(region, []).extend(builder.nodes)
        for node in builder.nodes:
            self.layout.bind(node, self.parent)

    def lift(self, tape: Tape, demanded: dict[Var, int]) -> None:
        """An inner level's tape gets this level's loop as a further axis, and its home outside."""
        region = self.step[0]
        place = demanded.pop(tape.final)
        inner = tape.final
        if isinstance(region, While):
            demanded[inner] = place  # its rows are values like others, kept on a growing tape
            return
        builder = self.layout.builder_before(region, self.parent)
        shape = self.layout.bounded_shape(inner.type.shape, self.parent, builder)
        if shape is None:
            raise decided(self.plan.decisions.growing, {self._root(tape.value)})
        axes = (atom_dim(trip_count(builder, region)),) if isinstance(region, For) else ()
        self._insert(region, builder)
        tape.path.insert(0, self.step)
        tape.final = self._final(inner, tape_type(inner, axes, shape))
        self.lifted[inner] = tape
        for old, new in zip(inner.type.shape, shape, strict=True):
            if old is not new and isinstance(old, Var) and self.layout.block_of.get(old) is self.block:
                demanded[old] = max(demanded.get(old, -1), place)

    def lift_group(self, group: Group, demanded: dict[Var, int]) -> None:
        """An inner level's growing tapes find their home outside; their position runs backwards through this level."""
        for var in (group.count, group.capacity, *(tape.final for tape in group.tapes)):
            demanded.pop(var, None)
            if var is not group.count:
                self._bind_home(var)
        group.path.insert(0, self.step)
        self.inner_count[group], group.count = group.count, Var("entries", SIZE)
        self._bind_home(group.count)
        self.groups.append(group)
