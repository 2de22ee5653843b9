"""Which values an array still holds in the end, so that the reverse sweep can read them there: no tape, no rolling back.

    for i in range(n):                          A[i, k] is read at (i, j, k) with k < j <= i; later trips store at (i, j')
        for j in range(i):                      with j' >= j, at (i, i), and in later rows: never at (i, k) again.
            for k in range(j):                  So in the reverse sweep A[i, k] of the finished factor is what was read.
                A[i, j] -= A[i, k] * A[j, k]

A read (or a store, of the value stored) is *final* if no store that runs later in the program can meet its elements. For
each later store the positions of both, the ranges of all loops around them and the order of the two trips make a linear
system (Feautrier, "Dataflow analysis of array and scalar references", 1991); it must have no solution (`integers/elimination.py`).
What is no linear expression of loop indices and sizes is taken to be any number.
"""
from __future__ import annotations

from collections.abc import Iterator

from s2s.records import dataclass
from s2s.transforms.derivatives.reverse.chains import Chain, chain_to, loop_cycles, updated_array
from s2s.transforms.derivatives.reverse.tapes import Layout
from s2s.transforms.integers.affine import Affine, ends
from s2s.transforms.integers.elimination import infeasible
from s2s.transforms.ir.program import Block, Equation, For, If, Map, Node, Var, While, operands, walk
from s2s.transforms.primitives.arithmetic import add, floor_divide, maximum, minimum, mod, mul, neg, sub
from s2s.transforms.primitives.indexing import At, Full, Span, additem, getitem, setitem
from s2s.transforms.primitives.integer_rows import COMPLEMENT, bounds_of, relation_of, sum_of
from s2s.transforms.primitives.logic import logical_and, logical_not, logical_or
from s2s.transforms.primitives.row import Cost
from s2s.types import Atom, Dim, Literal, dim_atom, is_size, size_literal

Form = Affine[tuple[object, object]]
"""A sum of Vars as they are in one of the two trips, and of positions in spans: (name, axis)."""
_OF_INTEGERS = (add, sub, neg, mul, minimum, maximum, floor_divide, mod)
_MANY, _LARGE = 200, 5000
"""Proofs a function; nodes of a function beyond which none is tried (derivatives of derivatives)."""


@dataclass(frozen=True)
class Access:
    """Elements of an array: `version` as it is read, or as the store left it."""

    version: Var
    operands: tuple[Atom, ...]
    index: tuple[object, ...]
    block: Block


def positions_of(access: Equation) -> tuple[Atom, ...]:
    """The operands that say where a read or store is."""
    return access.ins[1:] if access.primitive is getitem else access.ins[2:]


def accesses_of(loop: For, chain: Chain, layout: Layout) -> list[tuple[Equation, Block]] | None:
    """Every access in a loop to an array that it updates, with its block; None if the array is used as a whole."""
    versions = set(_versions(chain, layout))
    found: list[tuple[Equation, Block]] = []
    if [result for result in loop.body.results if result in versions] != [chain.end]:
        return None
    for node in walk(loop.body):
        for block in node.blocks:
            if any(result in versions and node.outs[number] not in versions for number, result in enumerate(block.results)):
                return None
    for block in _blocks(loop.body):
        for node in block.nodes:
            used = [atom for atom in operands(node) if atom in versions]
            if not used:
                continue
            if isinstance(node, Equation) and node.primitive in (getitem, setitem, additem) and len(used) == 1 and node.ins[0] is used[0]:
                if node.primitive is not getitem and node.outs[0] not in versions:
                    return None
                found.append((node, block))
            elif not (isinstance(node, For | While) and all(node.carry[node.init.index(atom)] in versions for atom in used)):
                return None
    return found


def _versions(chain: Chain, layout: Layout) -> Iterator[Var]:
    """The versions of an array in a chain, and in the regions that update it."""
    yield from chain.versions()
    for node, _, after in chain.updates:
        if isinstance(node, Equation):
            continue
        number = node.outs.index(after)
        for block in (node.then, node.orelse) if isinstance(node, If) else (node.body,):  # type: ignore[union-attr]
            inner = chain_to(block.results[number], block, layout)
            if inner is not None:
                yield from _versions(inner, layout)


def _blocks(block: Block) -> Iterator[Block]:
    yield block
    for node in block.nodes:
        for inner in node.blocks:
            yield from _blocks(inner)


class Finals:
    """The final values of a function. `layout` says where its Vars are bound."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.later: dict[Var, list[tuple[Node, Var]]] = {}
        self.stored: dict[Var, Equation] = {}
        self.found: dict[Var, Equation | None] = {}
        self.lost: dict[Var, bool] = {}
        self.indices: set[Var] = set()
        self.proofs: dict[object, bool] = {}
        self.count = 0
        self._visit(layout.function.body)

    def _visit(self, block: Block) -> None:
        for node in walk(block):
            self.count += 1
            if isinstance(node, For | Map):
                self.indices.add(node.index)
            for out in node.outs:
                if out.type.shape and isinstance(node, Equation | For | While | If):
                    before = updated_array(node, out, self.layout)
                    if isinstance(before, Var):
                        self.later.setdefault(before, []).append((node, out))
            if isinstance(node, Equation) and node.primitive is setitem and isinstance(node.ins[1], Var):
                self.stored.setdefault(node.ins[1], node)

    def definition(self, var: Var) -> Equation | None:
        """The equation `var = getitem(array at the end, …)`, if the array still holds var then; None if that can't be shown."""
        if var not in self.found:
            self.found[var] = self._definition(var) if self.count <= _LARGE and self.is_lost(var) else None
        return self.found[var]

    def is_lost(self, var: Atom) -> bool:
        """Whether a value can't be had again from what is still there just by cheap equations."""
        if not isinstance(var, Var) or var not in self.layout.block_of or var in self.indices:
            return False
        if var not in self.lost:
            node = self.layout.definition.get(var)
            if var.type.shape and (var in self.later or self.origin(var) is not var):
                self.lost[var] = self.layout.block_of[var] is not self.layout.function.body or var in self.later
            elif self.layout.block_of[var] is self.layout.function.body:
                self.lost[var] = False
            elif isinstance(node, Equation) and node.primitive.cost in (Cost.FREE, Cost.CHEAP):
                self.lost[var] = any(self.is_lost(operand) for operand in node.ins)
            else:
                self.lost[var] = True
        return self.lost[var]

    def origin(self, version: Var) -> Var:
        """The first version of an array: what every store into it was made into in the end."""
        while True:
            node = self.layout.definition.get(version)
            before = None if node is None else updated_array(node, version, self.layout)
            region = self._region(self.layout.block_of[version]) if node is None else None
            if isinstance(region, For | While) and version in region.carry:
                before = region.init[region.carry.index(version)]
            if not isinstance(before, Var):
                return version
            version = before

    def _definition(self, var: Var) -> Equation | None:
        node = self.layout.definition.get(var)
        if isinstance(node, Equation) and node.primitive is getitem and isinstance(node.ins[0], Var):
            access = Access(node.ins[0], node.ins[1:], node.params["index"], self.layout.block_of[var])
        else:
            store = self.stored.get(var)
            if store is None or var.type.dtype != store.outs[0].type.dtype or self.layout.block_of.get(var) is not self.layout.block_of[store.outs[0]]:
                return None
            if var.type.shape:
                return None
            node = store
            access = Access(store.outs[0], store.ins[2:], store.params["index"], self.layout.block_of[var])
        end = self._end(access)
        if end is None or end is access.version and node.primitive is getitem:
            return None
        return Equation((var,), getitem, (end, *access.operands), {"index": access.index}, node.where)

    # ---- where the array's last version is ------------------------------------------------------------------------------

    def _end(self, access: Access) -> Var | None:
        """The last version of the array, if no store between meets the access; it is at hand where the reverse sweep begins:
        in the function's body, or in the block where the array was made.
        """
        version, origin = access.version, self.origin(access.version)
        while True:
            block = self.layout.block_of[version]
            home = block is self.layout.function.body or self.layout.block_of[origin] is block
            following = self._following(version, block)
            if home:
                for node, out in following:
                    if self._meets_update(access, node, out, None):
                        break
                    version = out
                return version
            region = self._region(block)
            last = following[-1][1] if following else version
            if region is None or isinstance(region, Map) or block.results.count(last) != 1:
                return None
            number = block.results.index(last)
            if any(self._meets_update(access, node, out, None) for node, out in following):
                return None
            if isinstance(region, For | While):
                cycle = next((cycle for cycle in loop_cycles(region, self.layout) if cycle[0].end is last), None)
                if cycle is None or len(cycle) != 1 or cycle[0].start is not region.carry[number] or block is not region.body:
                    return None
                if any(self._meets_update(access, node, out, region) for node, _, out in cycle[0].updates):
                    return None
            elif updated_array(region, region.outs[number], self.layout) is None:
                return None
            version = region.outs[number]

    def _following(self, version: Var, block: Block) -> list[tuple[Node, Var]]:
        """The updates after a version in its own block, as long as there is one way on."""
        found: list[tuple[Node, Var]] = []
        while len(ways := [way for way in self.later.get(version, []) if self.layout.block_of[way[1]] is block]) == 1:
            found.append(ways[0])
            version = ways[0][1]
        return found

    def _region(self, block: Block) -> Node | None:
        return self.layout.region_of[block][0] if block in self.layout.region_of else None

    # ---- stores that run later --------------------------------------------------------------------------------------------

    def _meets_update(self, access: Access, node: Node, out: Var, again: For | While | None) -> bool:
        """Whether a store inside a later update may meet the access. `again`: the update runs in a later trip of this loop."""
        if self._swaps(node, out):
            return True
        scope = again.body if again is not None else self._around(access.block, node)
        return any(self._meets(access, store, again, scope) for store in self._stores(node, out))

    def _around(self, block: Block, node: Node) -> Block | None:
        """The block of `node` that holds the access: it reads what was there before, and any trip of the node may store."""
        while block in self.layout.region_of:
            region, outer = self.layout.region_of[block]
            if region is node:
                return block
            block = outer
        return None

    def _swaps(self, node: Node, out: Var) -> bool:
        """Whether another array may be in this one's place after the update: a loop in it swaps them."""
        if isinstance(node, Equation):
            return False
        number = node.outs.index(out)
        blocks_ = (node.then, node.orelse) if isinstance(node, If) else (node.body,)  # type: ignore[union-attr]
        chains = [chain_to(block.results[number], block, self.layout) for block in blocks_]
        if isinstance(node, For | While) and (chains[0] is None or chains[0].start is not node.carry[number]):
            return True
        return any(self._swaps(inner, after) for chain in chains if chain is not None for inner, _, after in chain.updates)

    def _stores(self, node: Node, out: Var) -> Iterator[Equation]:
        if isinstance(node, Equation):
            yield node
            return
        number = node.outs.index(out)
        for block in (node.then, node.orelse) if isinstance(node, If) else (node.body,):  # type: ignore[union-attr]
            chain = chain_to(block.results[number], block, self.layout)
            for inner, _, after in chain.updates if chain is not None else ():
                yield from self._stores(inner, after)

    def _meets(self, access: Access, store: Equation, again: For | While | None, scope: Block | None) -> bool:
        key = (access.version, access.operands, access.index, access.block, store, again, scope)
        if key not in self.proofs:
            self.proofs[key] = len(self.proofs) > _MANY or not self._apart(access, store, again, scope)
        return self.proofs[key]

    def _apart(self, access: Access, store: Equation, again: For | While | None, scope: Block | None) -> bool:
        """`scope`: what is bound inside of it may be another value where the store runs."""
        system = System(self.layout, scope)
        system.around(access.block, renamed=False)
        system.around(self.layout.block_of[store.outs[0]], renamed=True)
        if isinstance(again, For):
            system.after(again)
        shape = store.outs[0].type.shape
        first = system.positions(access.operands, access.index, shape, renamed=False, name="read")
        second = system.positions(store.ins[2:], store.params["index"], shape, renamed=True, name="stored")
        system.meet(first, second)
        return system.infeasible()


class System:
    """Linear constraints on the integers of a program; those bound inside `scope` stand for themselves in one trip, and
    renamed for themselves in a later one.
    """

    def __init__(self, layout: Layout, scope: Block | None) -> None:
        self.layout, self.scope = layout, scope
        self.equal: list[Form] = []
        self.atleast: list[Form] = []
        self.unequal: list[Form] = []
        self.known: set[object] = set()

    def infeasible(self) -> bool:
        """Whether the constraints have no solution; what is not 0 is tried as more and as less (two of them at most)."""
        systems = [self.atleast]
        for form in self.unequal[:2]:
            systems = [[*rows, side - 1] for rows in systems for side in (form, -form)]
        return all(infeasible(self.equal, rows) for rows in systems)

    def after(self, loop: For) -> None:
        """What is renamed happens in a later trip of a loop."""
        if isinstance(loop.step, Literal):
            earlier, later = self.form(loop.index, renamed=False), self.form(loop.index, renamed=True)
            self.atleast.append((later - earlier if loop.step.value > 0 else earlier - later) - 1)  # type: ignore[operator]

    def meet(self, first: list[Form | None], second: list[Form | None]) -> None:
        """Two accesses are to the same element."""
        self.equal += [one - other for one, other in zip(first, second, strict=True) if one is not None and other is not None]

    def never_empty(self, loop: For) -> bool:
        """Whether the constraints leave the loop a trip."""
        if not isinstance(loop.step, Literal):
            return False
        least, greatest = ends(self.form(loop.lo, renamed=False), self.form(loop.hi, renamed=False), int(loop.step.value))  # type: ignore[arg-type]
        return infeasible(self.equal, [*self.atleast, least - greatest - 1])

    def is_position(self, operand: Atom, dim: Dim) -> bool:
        """Whether the constraints put 0 <= operand < dim."""
        position, size = self.form(operand, renamed=False), self.form(dim_atom(dim), renamed=False)
        return all(infeasible(self.equal, [*self.atleast, beyond]) for beyond in (-position - 1, position - size))

    def inside(self, var: Var) -> bool:
        block = self.layout.block_of.get(var)
        while block is not None and block is not self.scope and block in self.layout.region_of:
            block = self.layout.region_of[block][1]
        return self.scope is not None and block is self.scope

    def around(self, block: Block, *, renamed: bool) -> None:
        """The ranges of the loops around a block."""
        while block in self.layout.region_of:
            region, outer = self.layout.region_of[block]
            if isinstance(region, Map):
                self._between(region.index, size_literal(0), region.size, 1, renamed)
            elif isinstance(region, For) and isinstance(region.step, Literal):
                self._between(region.index, region.lo, region.hi, int(region.step.value), renamed)  # type: ignore[arg-type]
            elif isinstance(region, If):
                self._test(region.test, block is region.then, renamed)
            block = outer

    def _between(self, index: Var, lo: Atom, hi: Atom, step: int, renamed: bool) -> None:
        position = self.form(index, renamed=renamed)
        least, greatest = ends(self.form(lo, renamed=renamed), self.form(hi, renamed=renamed), step)
        self.atleast += [position - least, greatest - position]

    def _test(self, test: Atom, holds: bool, renamed: bool) -> None:
        """What a branch's test says of integers."""
        node = self.layout.definition.get(test) if isinstance(test, Var) else None
        if not isinstance(node, Equation):
            return
        row = node.primitive
        if row is logical_not:
            self._test(node.ins[0], not holds, renamed)
        elif row is (logical_and if holds else logical_or):
            for part in node.ins:
                self._test(part, holds, renamed)
        elif row in COMPLEMENT and all(is_size(atom.type) for atom in node.ins):
            a, b = (self.form(atom, renamed=renamed) for atom in node.ins)
            says = relation_of(row, a, b, holds=holds)
            self.equal += says.equal
            self.atleast += says.atleast
            self.unequal += says.unequal

    def form(self, atom: Atom, *, renamed: bool) -> Form:
        """An integer as a sum; what is known of the Vars in it becomes constraints."""
        if isinstance(atom, Literal):
            return Affine.of(atom)
        node = self.layout.definition.get(atom)
        terms: tuple[Form, ...] = ()
        if isinstance(node, Equation) and is_size(atom.type) and all(is_size(operand.type) for operand in node.ins):
            terms = tuple(self.form(operand, renamed=renamed) for operand in node.ins) if node.primitive in _OF_INTEGERS else ()
            total = sum_of(node.primitive, terms) if terms else None
            if total is not None:
                return total
        key = (atom, renamed and self.inside(atom))
        itself: Form = Affine.of(key)
        if key not in self.known:
            self.known.add(key)
            if isinstance(node, Equation) and terms:
                self.atleast += bounds_of(node.primitive, itself, terms, lambda form: False)
            elif node is None and self._is_length(atom):
                self.atleast.append(itself)
        return itself

    def _is_length(self, var: Var) -> bool:
        return any(var in param.type.shape for param in self.layout.function.params)

    def positions(self, atoms: tuple[Atom, ...], index: tuple[object, ...], shape: tuple[object, ...], *, renamed: bool, name: str) -> list[Form | None]:
        """The position on each axis (any of them, for a Span); None where it may be anywhere."""
        rest = list(atoms)
        found: list[Form | None] = []
        for axis, (item, dim) in enumerate(zip(index, shape, strict=True)):
            match item:
                case At():
                    found.append(self._position(rest.pop(0), dim_atom(dim), renamed))  # type: ignore[arg-type]
                case Span(step):
                    start, length = self.form(rest.pop(0), renamed=renamed), self._length(rest.pop(0), renamed)
                    each: Form = Affine.of((name, axis))
                    self.atleast += [each, length - each - 1]
                    found.append(start + each * step)
                case Full():
                    found.append(None)
                case _:
                    rest.pop(0)
                    found.append(None)
        return found

    def _length(self, atom: Atom, renamed: bool) -> Form:
        """A span's length; since there is an element at all, max(n, 0) is n."""
        node = self.layout.definition.get(atom) if isinstance(atom, Var) else None
        if isinstance(node, Equation) and node.primitive is maximum:
            for one, other in (node.ins, node.ins[::-1]):
                if isinstance(other, Literal) and other.value == 0:
                    return self.form(one, renamed=renamed)
        return self.form(atom, renamed=renamed)

    def _position(self, operand: Atom, dim: Atom, renamed: bool) -> Form | None:
        position, size = self.form(operand, renamed=renamed), self.form(dim, renamed=renamed)
        if isinstance(operand, Literal) and operand.value < 0:  # type: ignore[operator]
            return position + size
        self.atleast += [position + size, size - position - 1]  # it was executed: it is in bounds
        return position if infeasible([], [*self.atleast, -position - 1]) else None
