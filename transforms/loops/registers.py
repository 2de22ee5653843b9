"""Elements of arrays that a loop reads or updates at one and the same place live in a scalar while it runs.

    for i in range(n):                      for i in range(n):
        for k in range(i):                      x_i = x[i]
            x[i] -= A[i, k] * x[k]    ->        for k in range(i):
    return x                                        x_i -= A[i, k] * x[k]
                                                x[i] = x_i
                                            return x

The numbers stay the same to the last bit. Every other element that the loop touches must be shown to be another one
(`dependence.System`), and the place must be in bounds even if the loop has no trip: it is shown to be, or the block around
the loop touches it anyway; a reversed loop is put under the condition that it has a trip, since the forward sweep has touched
what its trips touch. Compilers do this too, where they can tell that no other store meets the element; here they can't.
"""
from __future__ import annotations

from s2s.records import cached_property, dataclass, field, replace
from s2s.transforms.derivatives.reverse.chains import loop_cycles
from s2s.transforms.derivatives.reverse.dependence import System, accesses_of, positions_of
from s2s.transforms.derivatives.reverse.tapes import Layout
from s2s.transforms.ir.program import Atom, Block, Equation, For, Function, If, Node, Var, While, walk, with_each_changed
from s2s.transforms.ir.rewrite import Substitution
from s2s.transforms.primitives.arithmetic import add, less
from s2s.transforms.primitives.indexing import At, additem, getitem, setitem
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.simplify.stores import merge_stores
from s2s.types import Dim, Literal

_ROUNDS, _LARGE = 4, 3000


def in_registers(function: Function) -> Function:
    """The function, and all that it calls, with such elements in scalars."""
    return with_each_changed(function, _in_rounds)


def _in_rounds(function: Function) -> Function:
    for _ in range(_ROUNDS):
        changed = _Round(function).function()
        if changed is function:
            break
        function = changed
    return function


@dataclass
class _Place:
    """One element that a loop accesses at the same place in each trip; `accesses` stand in the loop's own body."""

    slot: int
    operands: tuple[Atom, ...]
    accesses: list[Equation] = field(default_factory=list)

    @property
    def is_stored(self) -> bool:
        return any(access.primitive is not getitem for access in self.accesses)


class _Round:
    """One pass over a function: innermost loops first, one level of loops at a time (the layout stays that of the start)."""

    def __init__(self, function: Function) -> None:
        self.source = function
        self.changed = False

    @cached_property
    def layout(self) -> Layout:
        """Where the function binds what."""
        return Layout(self.source)

    def function(self) -> Function:
        nodes = list(walk(self.source.body))
        if len(nodes) > _LARGE or not any(isinstance(node, For) and any(carry.type.shape for carry in node.carry) for node in nodes):
            return self.source
        body = self.block(self.source.body)
        return replace(self.source, body=body) if self.changed else self.source

    def block(self, block: Block) -> Block:
        nodes: list[Node] = []
        stores: dict[Var, Equation] = {}
        substitution = Substitution(renew=False)
        for node in block.nodes:
            inside = self.changed
            self.changed = False
            new = self.inner(node)
            places = self.places(node, block) if isinstance(node, For) and not self.changed else []
            self.changed = self.changed or inside or bool(places)
            mapped = substitution.node(new) if substitution.mapping else new
            if places:
                assert isinstance(mapped, For) and isinstance(node, For)
                made = _Rewrite(mapped, places, substitution).nodes
                if not all(self.is_safe(place, node, block) for place in places):
                    made = _where_it_runs(mapped, made, substitution)
                nodes += made
                stores.update((each.outs[0], each) for each in made if isinstance(each, Equation) and each.primitive is setitem)
                continue
            mapped = self.read_before(mapped, stores, block)
            known = self.stored(mapped, stores)
            if known is None:
                nodes.append(mapped)
            else:
                substitution.mapping[node.outs[0]] = known
        results = substitution.atoms(block.results)
        return Block(merge_stores(tuple(nodes), results, new_builder()) if stores else tuple(nodes), results)

    def stored(self, node: Node, stores: dict[Var, Equation]) -> Atom | None:
        """What a read finds where a scalar has just been put."""
        store = stores.get(node.ins[0]) if isinstance(node, Equation) and node.primitive is getitem else None  # type: ignore[arg-type]
        same = store is not None and positions_of(store) == positions_of(node)  # type: ignore[arg-type]
        return store.ins[1] if same and store is not None else None

    def read_before(self, node: Node, stores: dict[Var, Equation], block: Block) -> Node:
        """A read of another element looks at the array as it was before a scalar was put there."""
        if not isinstance(node, Equation) or node.primitive is not getitem or node.ins[0] not in stores:
            return node
        store = stores[node.ins[0]]
        system = System(self.layout, None)
        system.around(block, renamed=False)
        shape = store.outs[0].type.shape
        one = system.positions(positions_of(store), store.params["index"], shape, renamed=False, name="stored")
        other = system.positions(positions_of(node), node.params["index"], shape, renamed=False, name="read")
        system.meet(one, other)
        return replace(node, ins=(store.ins[0], *node.ins[1:])) if system.infeasible() else node

    def inner(self, node: Node) -> Node:
        match node:
            case For():
                return replace(node, body=self.block(node.body))
            case While():
                return replace(node, body=self.block(node.body))
            case If():
                return replace(node, then=self.block(node.then), orelse=self.block(node.orelse))
            case _:
                return node

    # ---- what can be in a scalar ------------------------------------------------------------------------------------------

    def places(self, loop: For, around: Block) -> list[_Place]:
        found: list[_Place] = []
        cycles = list(loop_cycles(loop, self.layout)) if any(carry.type.shape for carry in loop.carry) else []
        for slot, carry in enumerate(loop.carry):
            cycle = next((cycle for cycle in cycles if cycle[0].start is carry), None) if carry.type.shape else None
            if cycle is None or len(cycle) != 1:
                continue
            accesses = accesses_of(loop, cycle[0], self.layout)
            if accesses is not None:
                alone = [place for place in self.candidates(loop, slot, accesses) if self.is_alone(place, accesses, loop)]
                found += [place for place in alone if self.is_safe(place, loop, around) or loop.reverse and isinstance(loop.step, Literal)]
        return found

    def candidates(self, loop: For, slot: int, accesses: list[tuple[Equation, Block]]) -> list[_Place]:
        places: dict[tuple[object, ...], _Place] = {}
        for access, block in accesses:
            operands = positions_of(access)
            plain = all(isinstance(item, At) and not item.inside for item in access.params["index"])
            if block is loop.body and plain and operands and not any(self.is_inside(atom, loop.body) for atom in operands):
                key = tuple(atom if isinstance(atom, Var) else atom.value for atom in operands)
                places.setdefault(key, _Place(slot, operands)).accesses.append(access)
        return list(places.values())

    def is_inside(self, atom: Atom, block: Block) -> bool:
        """Whether a value is bound in a block or deeper."""
        home = self.layout.block_of.get(atom) if isinstance(atom, Var) else None
        while home is not None and home is not block and home in self.layout.region_of:
            home = self.layout.region_of[home][1]
        return home is block

    def is_alone(self, place: _Place, accesses: list[tuple[Equation, Block]], loop: For) -> bool:
        """Whether all other accesses that matter are to other elements."""
        for access, block in accesses:
            if access in place.accesses or (access.primitive is getitem and not place.is_stored):
                continue
            system = System(self.layout, None)
            system.around(block, renamed=False)
            shape = loop.carry[place.slot].type.shape
            index = place.accesses[0].params["index"]
            one = system.positions(place.operands, index, shape, renamed=False, name="place")
            other = system.positions(positions_of(access), access.params["index"], shape, renamed=False, name="other")
            system.meet(one, other)
            if not system.infeasible():
                return False
        return True

    def is_safe(self, place: _Place, loop: For, around: Block) -> bool:
        """Whether the element may be touched though the loop may have no trip."""
        shape = loop.carry[place.slot].type.shape
        for node in around.nodes:
            touches = isinstance(node, Equation) and node.primitive in (getitem, setitem, additem) and positions_of(node) == place.operands
            if touches and node.ins[0].type.shape == shape and all(isinstance(item, At) for item in node.params["index"]):  # type: ignore[union-attr]
                return True
        if self.runs(loop, around):
            return True
        return all(self.is_inside_axis(operand, dim, around) for operand, dim in zip(place.operands, shape, strict=True))

    def runs(self, loop: For, around: Block) -> bool:
        """Whether the loop has a trip whenever it is reached."""
        system = System(self.layout, None)
        system.around(around, renamed=False)
        return system.never_empty(loop)

    def is_inside_axis(self, operand: Atom, dim: Dim, around: Block) -> bool:
        system = System(self.layout, None)
        system.around(around, renamed=False)
        return system.is_position(operand, dim)


def _where_it_runs(loop: For, made: list[Node], outer: Substitution) -> list[Node]:
    """What was made of a reversed loop, under the condition that it has a trip: the forward sweep's trips touched these elements."""
    builder = new_builder()
    builder.where = loop.where
    first, last = (loop.lo, loop.hi) if isinstance(loop.step, Literal) and loop.step.value > 0 else (loop.hi, loop.lo)  # type: ignore[operator]
    (runs,) = builder.equation(less, (first, last))
    after = outer.atoms(loop.outs)
    outs = Substitution().bind_all(loop.outs)
    builder.add(If(outs, runs, Block(tuple(made), after), Block((), loop.init), loop.where))
    outer.mapping.update(zip(loop.outs, outs, strict=True))
    return builder.nodes


class _Rewrite:
    """One loop with places in scalars: `nodes` replace it, and `outer` learns what the arrays are afterwards."""

    def __init__(self, loop: For, places: list[_Place], outer: Substitution) -> None:
        self.loop, self.places = loop, places
        self.inner = Substitution(renew=False)
        self.now: dict[int, Atom] = {}
        self.of: dict[Var, int] = {access.outs[0]: number for number, place in enumerate(places) for access in place.accesses}
        before, after = new_builder(), new_builder()
        before.where = after.where = loop.where
        carry, init, kept = list(loop.carry), list(loop.init), list(loop.outs)
        carried: list[tuple[int, Var]] = []
        for number, place in enumerate(places):
            operands = tuple(outer.atoms(place.operands))
            (start,) = before.equation(getitem, (loop.init[place.slot], *operands), place.accesses[0].params, name=_name(loop.carry[place.slot], operands))
            self.now[number] = start
            if place.is_stored:
                self.now[number] = Var(start.name, start.type)
                carried.append((number, self.now[number]))  # type: ignore[arg-type]
                carry.append(self.now[number])  # type: ignore[arg-type]
                init.append(start)
        nodes = self.body()
        results = [*self.inner.atoms(loop.body.results), *(self.now[number] for number, _ in carried)]
        outs = [Var(var.name, var.type) for _, var in carried]
        for (number, _), out in zip(carried, outs, strict=True):
            place = places[number]
            array = outer.mapping.get(loop.outs[place.slot], loop.outs[place.slot])
            operands = tuple(outer.atoms(place.operands))
            (stored,) = after.equation(setitem, (array, out, *operands), place.accesses[0].params, name=loop.outs[place.slot].name)
            outer.mapping[loop.outs[place.slot]] = stored
        made = replace(loop, outs=(*kept, *outs), carry=tuple(carry), init=tuple(init), body=Block(tuple(nodes), tuple(results)))
        self.nodes: list[Node] = [*before.nodes, made, *after.nodes]

    def body(self) -> list[Node]:
        builder = new_builder()
        for node in self.loop.body.nodes:
            mapped = self.inner.node(node)
            number = self.of.get(node.outs[0]) if isinstance(node, Equation) and node.outs else None
            if number is None:
                builder.add(mapped)
                continue
            assert isinstance(mapped, Equation)
            builder.where = node.where
            if mapped.primitive is getitem:
                self.inner.mapping[node.outs[0]] = self.now[number]
                continue
            self.inner.mapping[node.outs[0]] = mapped.ins[0]
            if mapped.primitive is setitem:
                self.now[number] = mapped.ins[1]
            else:
                now = self.now[number]
                name = now.name if isinstance(now, Var) else self.loop.carry[self.places[number].slot].name
                (self.now[number],) = builder.equation(add, (now, mapped.ins[1]), name=name)
        return builder.nodes


def _name(array: Var, operands: tuple[Atom, ...]) -> str:
    """A_ij for A[i, j], where the positions have short names."""
    parts = [atom.name if isinstance(atom, Var) else str(atom.value) for atom in operands]
    return f"{array.name}_{''.join(parts)}" if all(len(part) <= 2 and part.isalnum() for part in parts) else f"{array.name}_here"
