"""Tapes: where the forward sweep keeps values for the reverse sweep, and how deep in the loop nest they are filled.

    for t in range(sweeps):                     u_tape = empty(sweeps, n - 2)
        for i in range(1, n - 1):       ->      for t …: for i …:
            here = u[i]                             u_tape[t, i - 1] = here

A tape whose loops' trip counts are known on entry (or bounded: triangular nests) has one axis for each loop. Otherwise
it grows: one axis, a position counted through all enclosing regions, read backwards in the reverse sweep. Arrays whose sizes
vary without a known bound lie on a growing tape one after the other, element by element.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from s2s.records import dataclass, field
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.facts import learn, learn_binding, learn_function
from s2s.transforms.ir.program import Block, Equation, For, Function, If, Node, Var, While, bound_inside, size_params
from s2s.transforms.primitives import sizes
from s2s.transforms.primitives.arithmetic import add, floor_divide, maximum, minimum, mul, select, sub
from s2s.transforms.primitives.index import Full, Item
from s2s.transforms.primitives.indexing import Span, additem, getitem, operand_count, setitem
from s2s.transforms.primitives.operators import new_builder
from s2s.types import SIZE, Array, Atom, Dim, Literal, atom_dim, dim_atom, is_size, size_literal

Region = For | While | If
Step = tuple[Region, int]
"""A region and which of its blocks."""


@dataclass(eq=False)
class Tape:
    """A record of `value`, which is bound in the innermost block of `path` (outermost region first).

    `final` is the tape after the forward sweep, a Var of the block around path[0] (the tape's home).
    """

    value: Var
    path: list[Step]
    final: Var
    group: Group | None = None


@dataclass(eq=False)
class Group:
    """The growing tapes filled in one loop body: a common capacity and position. `count` is the number of entries at home.

    `ragged`: a value whose size varies without a bound that is known before. It has a group of its own and is kept flat, all
    its elements one after the other; positions count elements.
    """

    path: list[Step]
    count: Var
    capacity: Var
    ragged: Var | None = None
    tapes: list[Tape] = field(default_factory=list)


def filled_part(dims: Sequence[Dim], full: Sequence[Dim]) -> tuple[list[Item], list[Atom]]:
    """The index, and its operands, of an array of these dimensions at the start of a place on a tape that has the full ones."""
    items: list[Item] = []
    operands: list[Atom] = []
    for dim, whole in zip(dims, full, strict=True):
        if dim is whole:
            items.append(Full())
        else:
            items.append(Span(1))
            operands += [size_literal(0), dim_atom(dim)]
    return items, operands


class Layout:
    """Where the Vars of a function are bound, and how sizes inside regions are bounded from outside."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.block_of: dict[Var, Block] = {}
        self.definition: dict[Var, Node] = {}
        self.region_of: dict[Block, tuple[Node, Block]] = {}
        self.axes_of: dict[Var, list[Dim]] = {}
        self.cycles: dict[Node, Any] = {}
        """Loops' cycles of carried arrays, found once (residuals.loop_cycles)."""
        self._open: set[Var] = set()
        """Integers whose bounds are being looked for: a bound can't come from itself."""
        for var in (*function.params, *size_params(function)):
            self.block_of[var] = function.body
        self._visit(function.body)

    def _visit(self, block: Block) -> None:
        for node in block.nodes:
            for inner in node.blocks:
                self.region_of[inner] = (node, block)
                for var in bound_inside(node):
                    self.block_of[var] = inner
                self._visit(inner)
            self.bind(node, block)

    def bind(self, node: Node, block: Block) -> None:
        """Note that `node` stands in `block`, and that a part of an axis is no longer than the axis."""
        if isinstance(node, Equation) and node.primitive in (getitem, setitem, additem):
            rest = list(node.ins[1 if node.primitive is getitem else 2:])
            for axis, item in enumerate(node.params["index"]):
                taken = [rest.pop(0) for _ in range(operand_count((item,)))]
                if isinstance(item, Span) and isinstance(taken[1], Var):
                    self.axes_of.setdefault(taken[1], []).append(node.ins[0].type.shape[axis])
        for out in node.outs:
            self.block_of[out] = block
            self.definition[out] = node

    def visible(self, dim: Dim, block: Block) -> bool:
        """Whether a dimension may be named in a block."""
        if not isinstance(dim, Var):
            return True
        home = self.block_of[dim]
        while block is not home and block in self.region_of:
            block = self.region_of[block][1]
        return block is home

    def builder_before(self, region: Node, block: Block) -> Builder:
        """A builder that knows what holds just before `region`, which stands in `block`."""
        outer = self.region_of.get(block)
        if outer is None:
            builder = new_builder()
            learn_function(builder, self.function)
        else:
            builder = self.builder_before(*outer)
            learn_binding(builder, outer[0])
        for node in block.nodes:
            if node is region:
                break
            learn(builder, node)
        builder.where = region.where
        return builder

    def bound(self, atom: Atom, block: Block, builder: Builder, *, upper: bool = True) -> Atom | None:
        """An integer that is at least (at most, if not upper) `atom` and named in `block`; None if none is found."""
        if not isinstance(atom, Var) or self.visible(atom, block):
            return atom
        inner = self.block_of[atom]
        region = self.region_of[inner][0] if inner in self.region_of else None
        if isinstance(region, For) and region.index is atom and isinstance(region.step, Literal):
            rising = region.step.value > 0  # type: ignore[operator]
            if upper == rising:
                end = self.bound(region.hi, block, builder, upper=upper)
                return None if end is None else sizes.plus(builder, end, -1 if rising else 1)
            return self.bound(region.lo, block, builder, upper=upper)
        if atom in self._open:
            return None
        self._open.add(atom)
        try:
            return self._bound_defined(atom, block, builder, upper=upper)
        finally:
            self._open.discard(atom)

    def _bound_defined(self, atom: Var, block: Block, builder: Builder, *, upper: bool) -> Atom | None:
        node = self.definition.get(atom)
        found: Atom | None = None
        if isinstance(node, Equation):
            found = self.hoisted(atom, block, builder)
            if found is None:
                found = self._bound_equation(node, block, builder, upper)
        axes = self.axes_of.get(atom, []) if upper and found is None else []
        for axis in axes:
            found = self.bound(dim_atom(axis), block, builder) if found is None and axis is not atom else found
        if found is None and upper and is_size(atom.type):
            found = self._largest(atom, block, builder)
        return found

    def _largest(self, atom: Var, block: Block, builder: Builder) -> Atom | None:
        """The largest of the sizes that a size which branches and loops choose, pass on or make smaller can be."""
        ends = self._ends(atom, block, builder, set())
        if ends is None:
            return None
        total: Atom = size_literal(0)
        for end in ends:
            total = sizes.larger(builder, total, end)
        return total

    def _ends(self, atom: Atom, block: Block, builder: Builder, seen: set[Atom]) -> list[Atom] | None:
        """Atoms named in `block`, such that `atom` is at most the largest of them and of 0; None if it may be larger.

        A carried variable that is met again is none of them: what it is then was chosen from the others.
        """
        if not isinstance(atom, Var) or self.visible(atom, block):
            return [atom]
        if atom in seen:
            return []
        seen.add(atom)
        home = self.region_of.get(self.block_of[atom])
        node = home[0] if home is not None and atom in bound_inside(home[0]) else self.definition.get(atom)
        match node:
            case For() | While():
                variables = node.outs if atom in node.outs else node.carry
                if atom not in variables:
                    return None
                number = variables.index(atom)
                return self._all_ends((node.init[number], node.body.results[number]), block, builder, seen)
            case If():
                number = node.outs.index(atom)
                return self._all_ends((node.then.results[number], node.orelse.results[number]), block, builder, seen)
            case Equation():
                larger = _at_most(node, self.definition)
                if larger is not None:
                    return self._all_ends(larger, block, builder, seen)
                hoisted = self.hoisted(atom, block, builder)
                return None if hoisted is None else [hoisted]
        return None

    def _all_ends(self, atoms: tuple[Atom, ...], block: Block, builder: Builder, seen: set[Atom]) -> list[Atom] | None:
        found: list[Atom] = []
        for atom in atoms:
            ends = self._ends(atom, block, builder, seen)
            if ends is None:
                return None
            found += ends
        return found

    def hoisted(self, atom: Atom, block: Block, builder: Builder) -> Atom | None:
        """The same integer, computed in `block`, if it depends on nothing inside the region; else None."""
        if not isinstance(atom, Var) or self.visible(atom, block):
            return atom
        node = self.definition.get(atom)
        if not isinstance(node, Equation) or not is_size(atom.type) or any(operand.type.shape for operand in node.ins):
            return None
        ins = [self.hoisted(operand, block, builder) for operand in node.ins]
        if any(operand is None for operand in ins):
            return None
        build = {add: sizes.plus, sub: sizes.minus, mul: sizes.times, maximum: sizes.larger, minimum: sizes.smaller}.get(node.primitive)
        if build is not None:
            return build(builder, ins[0], ins[1])  # type: ignore[arg-type]
        (copied,) = builder.equation(node.primitive, tuple(ins), node.params, name=atom.name)  # type: ignore[arg-type]
        return copied

    def _bound_equation(self, node: Equation, block: Block, builder: Builder, upper: bool) -> Atom | None:
        if node.primitive is select:
            parts = [self.bound(atom, block, builder, upper=upper) for atom in node.ins[1:]]
            both = [part for part in parts if part is not None]
            return None if len(both) < 2 else (sizes.larger if upper else sizes.smaller)(builder, both[0], both[1])
        if node.primitive is floor_divide and isinstance(node.ins[1], Literal) and node.ins[1].value > 0:  # type: ignore[operator]
            part = self.bound(node.ins[0], block, builder, upper=upper)
            return None if part is None else sizes.quotient(builder, part, node.ins[1])
        sides = {add: (upper, upper), sub: (upper, not upper), maximum: (upper, upper), minimum: (upper, upper)}.get(node.primitive)
        if node.primitive is mul and isinstance(node.ins[1], Literal):
            part = self.bound(node.ins[0], block, builder, upper=upper == (node.ins[1].value > 0))  # type: ignore[operator]
            return None if part is None else sizes.times(builder, part, node.ins[1])
        if sides is None:
            return None
        parts = [self.bound(atom, block, builder, upper=side) for atom, side in zip(node.ins, sides, strict=True)]
        known = [part for part in parts if part is not None]
        if node.primitive is (minimum if upper else maximum) and len(known) == 1:
            return known[0]
        if len(known) < 2:
            return None
        build = {add: sizes.plus, sub: sizes.minus, maximum: sizes.larger, minimum: sizes.smaller}[node.primitive]
        return build(builder, known[0], known[1])

    def bounded_shape(self, shape: tuple[Dim, ...], block: Block, builder: Builder) -> tuple[Dim, ...] | None:
        """Dimensions at least as large as `shape`, named in `block`; None if there is no bound."""
        dims: list[Dim] = []
        for dim in shape:
            bound = self.bound(dim_atom(dim), block, builder)
            if bound is None:
                return None
            dims.append(atom_dim(sizes.larger(builder, bound, 0)))  # a length of a loop's arrays may be negative where the loop has no trip
        return tuple(dims)


def _at_most(node: Equation, definition: Mapping[Var, Node]) -> tuple[Atom, ...] | None:
    """Integers the largest of which (or 0) is at least what an equation computes; None for other arithmetic."""
    ins = node.ins
    if node.primitive is maximum:
        return ins
    if node.primitive is select:
        return ins[1:]
    if node.primitive is sub and isinstance(ins[1], Literal) and ins[1].value >= 0:  # type: ignore[operator]
        return ins[:1]
    if node.primitive is floor_divide and isinstance(ins[1], Literal) and ins[1].value > 0:  # type: ignore[operator]
        inner = definition.get(ins[0]) if isinstance(ins[0], Var) else None  # (n + k - 1) // k <= n
        rounded = isinstance(inner, Equation) and inner.primitive is add and isinstance(inner.ins[1], Literal)
        if rounded and 0 <= inner.ins[1].value < ins[1].value:  # type: ignore[union-attr,operator]
            return inner.ins[:1]  # type: ignore[union-attr]
        return ins[:1]
    return None


def trip_count(builder: Builder, loop: For) -> Atom:
    """How often the body of a For runs."""
    if isinstance(loop.step, Literal):
        step = int(loop.step.value)  # type: ignore[arg-type]
        span = sizes.minus(builder, loop.hi, loop.lo) if step > 0 else sizes.minus(builder, loop.lo, loop.hi)
        if abs(step) > 1:
            span = sizes.quotient(builder, sizes.plus(builder, span, abs(step) - 1), abs(step))
        return sizes.larger(builder, span, 0, name="trips")
    span = sizes.minus(builder, loop.hi, loop.lo)
    return sizes.larger(builder, sizes.minus(builder, 0, sizes.quotient(builder, sizes.minus(builder, 0, span), loop.step)), 0, name="trips")


def trip_number(builder: Builder, index: Atom, lo: Atom, step: Atom) -> Atom:
    """Which trip of a For has this index, from 0."""
    if isinstance(step, Literal) and step.value < 0:  # type: ignore[operator]
        return sizes.quotient(builder, sizes.minus(builder, lo, index), -int(step.value))  # type: ignore[arg-type]
    return sizes.quotient(builder, sizes.minus(builder, index, lo), step)


def counters(loop: For | While, layout: Layout) -> dict[Var, tuple[Atom, Atom]]:
    """The carried sizes to which each trip adds the same number, with their start and that number."""
    found: dict[Var, tuple[Atom, Atom]] = {}
    for carry, start, result in zip(loop.carry, loop.init, loop.body.results, strict=True):
        node = layout.definition.get(result) if isinstance(result, Var) else None
        if carry.type != SIZE or not isinstance(node, Equation) or node.primitive not in (add, sub) or node.ins[0] is not carry:
            continue
        if isinstance(node.ins[1], Literal):
            step = int(node.ins[1].value)  # type: ignore[arg-type]
            found[carry] = (start, size_literal(step if node.primitive is add else -step))
    return found


def reversed_range(builder: Builder, loop: For) -> tuple[Atom, Atom, Atom]:
    """lo, hi, step that run through the same indices the other way."""
    if isinstance(loop.step, Literal) and abs(loop.step.value) == 1:
        step = int(loop.step.value)  # type: ignore[arg-type]
        return sizes.minus(builder, loop.hi, step), sizes.minus(builder, loop.lo, step), size_literal(-step)
    last = sizes.plus(builder, loop.lo, sizes.times(builder, sizes.minus(builder, trip_count(builder, loop), 1), loop.step))
    return last, sizes.minus(builder, loop.lo, loop.step), sizes.minus(builder, 0, loop.step)


def new_group(path: list[Step], ragged: Var | None = None) -> Group:
    """A group of growing tapes filled in the innermost block of `path`."""
    return Group(path, Var("entries", SIZE), Var("capacity", SIZE), ragged)


def elements(builder: Builder, shape: tuple[Dim, ...]) -> Atom:
    """How many elements an array of this shape has."""
    total: Atom = size_literal(1)
    for dim in shape:
        total = sizes.times(builder, total, dim_atom(dim))
    return total


def tape_type(value: Var, axes: tuple[Dim, ...], shape: tuple[Dim, ...]) -> Array:
    """The type of a tape: one axis a loop, then the value's (bounded) shape."""
    return Array(value.type.dtype, (*axes, *shape))
