"""Loops of derivatives made ready for vector units: overlapping sums are gathered, and free loops run upwards.

    v_bar = np.empty(n)                             trips = max(n - 2, 0)
    for i in range(n):                              v_bar = np.empty(n)
        v_bar[i] = 0.0                              for i in range(n):
    for each in range(steps - 1, -1, -1):               v_bar[i] = 0.0
        for i in range(n - 1, -1, -1):              for each in range(steps - 1, -1, -1):
            part_bar = u_bar[i]                         for i in range(n):
            u_bar[i] = 0.0                                  part_bar = u_bar[i]
            v_bar[i] += part_bar                            u_bar[i] = 0.0
        for i in range(n - 2, 0, -1):         ->            v_bar[i] += part_bar
            div_bar = v_bar[i]                          term = np.empty(trips + 4)
            v_bar[i] = 0.0                              for i in range(2):
            add_bar = div_bar / 3.0                         term[i] = 0.0
            u_bar[i + 1] += add_bar                         term[i + trips + 2] = 0.0
            u_bar[i] += add_bar                         for i in range(1, n - 1):
            u_bar[i - 1] += add_bar                         div_bar = v_bar[i]
    return u_bar, v_bar                                     v_bar[i] = 0.0
                                                            term[i + 1] = div_bar / 3.0
                                                        if trips > 0:
                                                            for i in range(n):
                                                                u_bar[i] += term[i] + term[i + 1] + term[i + 2]
                                                    return u_bar, v_bar

The adjoint of a stencil adds to overlapping elements, so that each trip waits for the one before; gathered, an element is
added to once, and all of them at the same time. The additions to an element happen in another order, which is free in a
derivative; all other accesses must be shown not to meet from trip to trip (`dependence.System`).
"""
from __future__ import annotations

from s2s.records import replace
from s2s.transforms.derivatives.reverse.chains import loop_cycles
from s2s.transforms.derivatives.reverse.dependence import System, accesses_of, positions_of
from s2s.transforms.derivatives.reverse.tapes import Layout
from s2s.transforms.ir.program import Atom, Block, Equation, For, Function, If, Node, Var, While, kept, operands, walk, with_each_changed
from s2s.transforms.loops.gather import Gather, Peeled, Sum, spans_of
from s2s.transforms.primitives import sizes
from s2s.transforms.primitives.arithmetic import add, div, maximum, minimum, mul, neg, sub
from s2s.transforms.primitives.elementwise import half_power, sqrt
from s2s.transforms.primitives.indexing import At, additem, getitem, setitem
from s2s.transforms.primitives.row import Cost
from s2s.tuning import TUNING
from s2s.types import Literal, is_size, size_literal

_Access = tuple[Equation, Block]

_LARGE = 3000


def vectorised(function: Function) -> Function:
    """The function, if it is a derivative: with scattered sums in loops of their own, and independent trips run upwards.

    Called functions are left as they are where they stand; `in_vector_form` treats each.
    """
    nodes = list(walk(function.body)) if function.derived else []
    if len(nodes) > _LARGE or not any(isinstance(node, For | While) for node in nodes):
        return function
    for way in (_Upwards, _Gathered):
        function = replace(function, body=way(Layout(function)).block(function.body))
    return replace(function, body=_sizes_outside(function.body)[0])


def _sizes_outside(block: Block, bound: frozenset[Var] = frozenset()) -> tuple[Block, list[Equation]]:
    """The block, its loops without the sizes that are the same in each trip; and its own that don't need what is `bound` here."""
    nodes: list[Node] = []
    for node in block.nodes:
        match node:
            case For() | While():
                own = frozenset((node.index, *node.carry) if isinstance(node, For) else node.carry)
                body, lifted = _sizes_outside(node.body, own)
                nodes += [*lifted, kept(node, replace(node, body=body))]
            case If():
                nodes.append(kept(node, replace(node, then=_sizes_outside(node.then)[0], orelse=_sizes_outside(node.orelse)[0])))
            case _:
                nodes.append(node)
    stay: list[Node] = []
    out: list[Equation] = []
    inside = set(bound)
    for node in nodes:
        is_sum = isinstance(node, Equation) and node.primitive in (add, sub, maximum, minimum) and all(is_size(each.type) for each in (*node.ins, *node.outs))
        if is_sum and bound and not any(atom in inside for atom in operands(node)):
            out.append(node)  # type: ignore[arg-type]
        else:
            stay.append(node)
            inside.update(node.outs)
    return kept(block, Block(tuple(stay), block.results)), out


class _Rewrite:
    """A walk over all loops; what is known of their accesses."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout

    def block(self, block: Block) -> Block:
        raise NotImplementedError

    def arrays(self, loop: For) -> dict[int, list[_Access]] | None:
        """The accesses to each array that the loop updates, by slot; None if one is used as a whole, or the loop carries more than sums besides."""
        found: dict[int, list[_Access]] = {}
        for slot, carry in enumerate(loop.carry):
            if not carry.type.shape:
                if not self.is_sum(loop, slot):
                    return None
                continue
            cycle = next((cycle for cycle in loop_cycles(loop, self.layout) if cycle[0].start is carry), None)
            accesses = accesses_of(loop, cycle[0], self.layout) if cycle is not None and len(cycle) == 1 else None
            if accesses is None:
                return None
            found[slot] = accesses
        return found

    def is_sum(self, loop: For, slot: int) -> bool:
        """Whether a carried scalar is only added to."""
        here: Atom = loop.body.results[slot]
        made = {out: node for node in loop.body.nodes for out in node.outs}
        read = [atom for node in loop.body.nodes for atom in operands(node)]
        while here is not loop.carry[slot]:
            node = made.get(here) if isinstance(here, Var) else None
            if not isinstance(node, Equation) or node.primitive not in (add, sub) or read.count(here) + loop.body.results.count(here) != 1:
                return False
            first = self.leads_to(node.ins[0], loop.carry[slot], made)
            if not first and (node.primitive is sub or not self.leads_to(node.ins[1], loop.carry[slot], made)):
                return False
            here = node.ins[0] if first else node.ins[1]
        return read.count(here) + loop.body.results.count(here) == 1

    def leads_to(self, atom: Atom, carry: Var, made: dict[Var, Node]) -> bool:
        while isinstance(atom, Var) and atom is not carry:
            node = made.get(atom)
            if not isinstance(node, Equation) or node.primitive not in (add, sub):
                return False
            atom = node.ins[0]
        return atom is carry

    def independent(self, accesses: list[_Access], loop: For) -> bool:
        """Whether no two accesses to an array meet in different trips, reads beside and additions beside."""
        for number, (one, here) in enumerate(accesses):
            for other, there in accesses[number:]:
                if one.primitive is other.primitive and one.primitive is not setitem and (one.primitive is getitem or self.additions_commute):
                    continue
                if not (self.apart(one, here, other, there, loop) and self.apart(other, there, one, here, loop)):
                    return False
        return True

    additions_commute = True

    def apart(self, earlier: Equation, here: Block, later: Equation, there: Block, loop: For) -> bool:
        system = System(self.layout, loop.body)
        system.around(here, renamed=False)
        system.around(there, renamed=True)
        system.after(loop)
        shape = earlier.ins[0].type.shape
        first = system.positions(positions_of(earlier), earlier.params["index"], shape, renamed=False, name="first")
        second = system.positions(positions_of(later), later.params["index"], shape, renamed=True, name="second")
        system.meet(first, second)
        return system.infeasible()


class _Upwards(_Rewrite):
    """Loops that run downwards, though their trips may come in any order."""

    def block(self, block: Block) -> Block:
        nodes: list[Node] = []
        for node in block.nodes:
            match node:
                case For():
                    nodes += self.turned(node, replace(node, body=self.block(node.body)), block)
                case While():
                    nodes.append(replace(node, body=self.block(node.body)))
                case If():
                    nodes.append(replace(node, then=self.block(node.then), orelse=self.block(node.orelse)))
                case _:
                    nodes.append(node)
        return Block(tuple(nodes), block.results)

    def turned(self, loop: For, new: For, around: Block) -> list[Node]:
        if not isinstance(loop.step, Literal) or loop.step.value != -1 or not all(isinstance(node, Equation | For) for node in walk(loop.body)):
            return [new]
        arrays = self.arrays(loop)
        if arrays is None or not all(self.independent(accesses, loop) for accesses in arrays.values()):
            return [new]
        builder = self.layout.builder_before(loop, around)
        lo, hi = sizes.plus(builder, loop.hi, 1), sizes.plus(builder, loop.lo, 1)
        return [*builder.nodes, replace(new, lo=lo, hi=hi, step=size_literal(1))]


class _Gathered(_Rewrite):
    """Nests whose trips wait for each other only since they add to overlapping elements."""

    additions_commute = False

    def block(self, block: Block) -> Block:
        nodes: list[Node] = []
        for node in block.nodes:
            made = self.nest(node, block) if isinstance(node, For) else None
            if made is not None:
                nodes += made
                continue
            match node:
                case For() | While():
                    nodes.append(replace(node, body=self.block(node.body)))
                case If():
                    nodes.append(replace(node, then=self.block(node.then), orelse=self.block(node.orelse)))
                case _:
                    nodes.append(node)
        return Block(tuple(nodes), block.results)

    def nest(self, loop: For, around: Block) -> list[Node] | None:
        """The nest with the sums of one array gathered afterwards; None if there is none."""
        loops, hoisted = self.loops(loop)
        inner = loops[-1]
        if not all(isinstance(node, Equation) and _is_vector(node) for node in inner.body.nodes):
            return None
        if not all(isinstance(each.step, Literal) and each.step.value == 1 for each in loops):
            return None
        arrays = self.arrays(inner)
        if arrays is None:
            return None
        chosen: dict[int, list[Sum]] = {}
        for slot, accesses in arrays.items():
            if self.independent(accesses, inner):
                continue
            sums = self.sums([access for access, _ in accesses], loops)
            if sums is None or inner.carry[slot].type.ndim != len(loops):
                return None
            if len(loops) == 1 and around is self.layout.function.body:  # runs once: not worth an array
                return None
            chosen[slot] = sums
        again = self.computed_again(inner, chosen) if chosen and len(loops) == 1 else None
        if again is not None:
            return Peeled(self.layout, inner, around, chosen, again).nodes
        slots = {slot: self.slots(loops, slot, hoisted) for slot in chosen}
        if not chosen or any(found is None for found in slots.values()):
            return None
        gather = Gather(self.layout, loops, around, hoisted, {slot: (slots[slot] or [], sums) for slot, sums in chosen.items()})
        return gather.nodes

    def loops(self, loop: For) -> tuple[list[For], list[Equation]]:
        """The loops of a nest, outermost first, and the sizes computed on the way that need not be computed inside."""
        loops: list[For] = [loop]
        hoisted: list[Equation] = []
        while True:
            *first, last = loops[-1].body.nodes or [None]
            inside = {loop.index for loop in loops} | {carry for loop in loops for carry in loop.carry}
            sizes_only = [node for node in first if isinstance(node, Equation) and all(is_size(atom.type) for atom in (*node.ins, *node.outs))]
            if not isinstance(last, For) or len(sizes_only) != len(first) or any(atom in inside for node in sizes_only for atom in node.ins):
                return loops, hoisted
            hoisted += sizes_only
            loops.append(last)

    def sums(self, accesses: list[Equation], loops: list[For]) -> list[Sum] | None:
        """The accesses as additions at constant distances from the indices, each loop's on an axis of its own."""
        found: list[Sum] = []
        for access in accesses:
            if access.primitive is not additem:
                return None
            places = [self.offset(atom, loops) for atom in positions_of(access)]
            if [place[0] if place else -1 for place in places] != list(range(len(loops))):
                return None
            node = self.layout.definition.get(access.ins[1]) if isinstance(access.ins[1], Var) else None
            negative = isinstance(node, Equation) and node.primitive is neg
            value = node.ins[0] if negative and isinstance(node, Equation) else access.ins[1]
            found.append(Sum(access, tuple(place[1] for place in places if place), value, negative))
        return found

    def offset(self, atom: Atom, loops: list[For]) -> tuple[int, int] | None:
        """Which loop's index a position counts from, and how far it is from it."""
        for number, loop in enumerate(loops):
            if atom is loop.index:
                return number, 0
        node = self.layout.definition.get(atom) if isinstance(atom, Var) else None
        if not isinstance(node, Equation) or node.primitive not in (add, sub) or not isinstance(node.ins[1], Literal):
            return None
        inner = self.offset(node.ins[0], loops)
        distance = int(node.ins[1].value)  # type: ignore[arg-type]
        return inner and (inner[0], inner[1] + (distance if node.primitive is add else -distance))

    def computed_again(self, loop: For, chosen: dict[int, list[Sum]]) -> list[Equation] | None:
        """What computes the terms of a loop, if that is little arithmetic on what the loop leaves as it is; None otherwise."""
        found: list[Equation] = []
        for sums in chosen.values():
            wanted = {each.value for each in sums}
            terms: list[Equation] = []
            for node in reversed(loop.body.nodes):
                assert isinstance(node, Equation)
                if any(out in wanted for out in node.outs):
                    terms.insert(0, node)
                    wanted.update(atom for atom in node.ins if isinstance(atom, Var))
            reads = sum(node.primitive is getitem for node in terms)
            little = len(terms) <= TUNING.terms_again and reads * len(sums) <= TUNING.terms_again and all(node.primitive in (add, sub, mul, neg, getitem) for node in terms)
            if not little or wanted & set(loop.carry) or spans_of(sums) > (2,):
                return None
            found += [node for node in terms if node not in found]
        return found

    def slots(self, loops: list[For], slot: int, hoisted: list[Equation]) -> list[int] | None:
        """In which slot each loop carries the array that the innermost one has in `slot`, outermost first."""
        found = [slot]
        for outer, inner in zip(loops[-2::-1], loops[:0:-1], strict=True):
            start = inner.init[found[0]]
            if start not in outer.carry:
                return None
            above = outer.carry.index(start)
            if outer.body.results[above] is not inner.outs[found[0]] or inner.init.count(start) != 1:
                return None
            outside = {out for node in hoisted for out in node.outs}
            if any(isinstance(atom, Var) and self.layout.block_of.get(atom) is outer.body and atom not in outside for atom in (inner.lo, inner.hi)):
                return None
            if inner.lo in {each.index for each in loops} or inner.hi in {each.index for each in loops}:
                return None
            found.insert(0, above)
        return found


def _is_vector(node: Equation) -> bool:
    """Whether vector units do it: arithmetic, reads and stores of single elements."""
    scalar = all(not atom.type.shape for atom in (*node.ins, *node.outs)) and node.primitive.cost in (Cost.FREE, Cost.CHEAP)
    access = node.primitive in (getitem, setitem, additem) and all(isinstance(item, At) for item in node.params["index"])
    return scalar or access or node.primitive in (div, sqrt, half_power)


def in_vector_form(function: Function) -> Function:
    """`vectorised`, for a function and all that it calls."""
    return with_each_changed(function, vectorised)
