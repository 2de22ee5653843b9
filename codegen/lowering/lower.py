"""From the program to the loop language: blocks, loops, branches, calls. Targets add what array equations become.

    for i in range(n), x = x0:            x = x0
        x1 = mul(x, a)          ->        for i in range(n):
        next x1                               x = x * a

Carried values keep one Python variable; where a swap needs it, several are assigned at once. The scheme is in `storage`.
"""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import assert_never

from s2s.codegen.language.expressions import Constant, Expr, Name, Number, integer, names_read
from s2s.codegen.language.names import legal
from s2s.codegen.language.operations import negated
from s2s.codegen.language.statements import Assign, Body, CallKernel, IfElse, Loop, Raise, Statement, Store, WhileLoop, walk
from s2s.codegen.lowering.liveness import Frame, bound_by, changed_in_one, last_uses, may_overwrite, pinned_by, storage_root
from s2s.codegen.lowering.lowered import Lowered, Slot, is_param, next_version
from s2s.codegen.lowering.storage import Lazy, Storage, may_hold_param, sharing
from s2s.errors import Location
from s2s.transforms.ir.program import Block, Call, Check, Equation, For, If, Map, Node, Var, While
from s2s.types import Atom


class Lowering(Storage):
    """The lowering of one function; `cpu_target.Cpu` and `numpy_target.Arrays` say what array equations become."""

    # ---- the function -----------------------------------------------------------------------------------------------

    def lower(self) -> Lowered:
        """Lower the whole function."""
        function = self.function
        self.bounds.function(function)
        params: list[Slot] = []
        for param in function.params:
            slot = Slot(self.names.fresh(param.name), param.type, param, param=True)
            self.slots.append(slot)
            params.append(slot)
            self.env[param] = slot
            self.bounds.bind(param)
        self.frames.append(Frame(last_uses(function.body)))
        for param in function.params:
            if param in self.protect:
                self.env[param] = self._protected(param)
        self.block(function.body)
        self._bring_home(dict(zip(function.params, params, strict=True)))
        results = tuple(self._result(atom) for atom in function.body.results)
        self._spread_writes()
        swaps = frozenset(
            (slot.name, new.name) for slot, new in self.swaps if slot.aliases == {new} and new.aliases == {slot} and not slot.moved
        )
        return Lowered(function, self.name, tuple(params), results, tuple(self.out), self.size_slots, swaps, self._free_sums(), frozenset(self.module.names), ())

    def _free_sums(self) -> frozenset[str]:
        """The sums of whole arrays, and every scalar that a derivative accumulates."""
        scalars = {slot.name for slot in self.slots if not slot.type.shape and slot.type.dtype.kind in "fc"} if self.function.derived else set()
        return frozenset(self.accumulators | scalars | _arrays_of_sums(tuple(self.out), self.accumulators))

    def _protected(self, param: Var) -> Slot:
        """A param whose variable would change hands is worked on in a copy."""
        slot = self.env[param]
        assert isinstance(slot, Slot)
        copy = self.copied(param, slot)
        slot.occupant, copy.occupant = None, param
        return copy

    def _result(self, atom: Atom) -> Expr | Slot:
        if not atom.type.shape:
            return self.scalar(atom)
        binding = self.array(atom)
        slot = binding if isinstance(binding, Slot) else binding.same or self.materialise(binding)
        if not is_param(slot) and may_hold_param(slot):
            assert isinstance(atom, Var)
            copy = self.fresh_copy(atom, slot)  # else the caller would get its own array back under another name
            copy.occupant = atom
            return copy
        return slot

    def _bring_home(self, homes: dict[Var, Slot]) -> None:
        """What mutated parameters contain in the end is put into their own arrays."""
        for param, number in self.mutated:
            home, atom = homes[param], self.function.body.results[number]
            assert isinstance(atom, Var)
            if self.binding(atom) is home:
                continue
            for other in self.function.body.results:
                binding = self.env.get(other)  # type: ignore[arg-type]
                if isinstance(binding, Slot) and binding is not home and other is not atom and home in sharing(binding):
                    self.occupy(self.fresh_copy(other, binding), other)  # type: ignore[arg-type]
            if home.occupant is not None and self.live_now(home.occupant):
                occupant = home.occupant
                self.occupy(self.fresh_copy(occupant, home), occupant)
            for slot in sorted(sharing(home), key=lambda each: each.name):
                self.flush(slot, except_for=(atom,) if slot is home else ())
            self.refill(home, atom)
            self.overwritten(home, atom)

    def _spread_writes(self) -> None:
        """A store into a buffer is a store into every variable that may have held it."""
        changed = True
        while changed:
            changed = False
            for slot in self.slots:
                for other in slot.aliases:
                    if slot.written and not other.written:
                        other.written = changed = True

    # ---- blocks -----------------------------------------------------------------------------------------------------

    def block(self, block: Block) -> None:
        """Lower the nodes of a block; the frame for it is already open."""
        frame = self.frames[-1]
        for number, node in enumerate(block.nodes):
            frame.position = number
            self.where = node.where
            self.node(node)
            for var in [var for var, lazy in self.pending.items() if not self.live_after(var)]:
                del self.pending[var]
        frame.position = len(block.nodes)

    def node(self, node: Node) -> None:
        """Lower one node."""
        match node:
            case Equation():
                self.bounds.equation(node)
                if any(atom.type.shape for atom in (*node.ins, *node.outs)):
                    self.array_equation(node)
                else:
                    self.scalar_equation(node)
            case For():
                self._for(node)
            case While():
                self._while(node)
            case If():
                self._if(node)
            case Map():
                self._map(node)
            case Call():
                self._call(node)
            case Check():
                self._check(node)
            case _:
                assert_never(node)

    @contextmanager
    def nested(self, frame: Frame) -> Iterator[list[Statement]]:
        """Lower a nested block: its own frame, facts, pending values and statements."""
        pending, bounds, where = self.pending, self.bounds, self.where
        self.pending, self.bounds = dict(pending), bounds.inside()
        env = {var: self.env[var] for var in pending}
        self.frames.append(frame)
        try:
            with self.body() as statements:
                yield statements
        finally:
            self.frames.pop()
            self.pending, self.bounds, self.where = pending, bounds, where
            self.env.update(env)

    # ---- control flow -------------------------------------------------------------------------------------------------

    def _before_nested(self, node: Node) -> None:
        """Write out what nested blocks would evaluate repeatedly, or might overwrite."""
        inner = changed_in_one(node) if isinstance(node, If) else set(pinned_by(node))  # type: ignore[arg-type]
        taken = {self.hints[var] for var in bound_by(node) if var in self.hints}
        for var in may_overwrite(node):
            binding = self.env.get(var)
            if isinstance(binding, Slot):
                taken.add(binding)
            elif isinstance(binding, Lazy) and isinstance(node, If):
                taken.update(binding.reads)
        for var, lazy in list(self.pending.items()):
            if var not in self.pending:
                continue
            threatened = any(slot in taken for slot in lazy.reads)
            written = threatened or not lazy.free or isinstance(node, If)
            if (var in inner and written) or (threatened and self.live_after(var)):
                self.materialise(lazy)

    def _for(self, node: For) -> None:
        self._before_nested(node)
        lo, hi, step = self.scalar(node.lo), self.scalar(node.hi), self.scalar(node.step)
        slots = self._enter(node.carry, node.init, node.outs, pinned_by(node))
        index = self.names.open_index(node.index.name)
        frame = Frame(last_uses(node.body), pinned_by(node))
        with self.nested(frame) as statements:
            self.loops.append(node)
            self.bounds.loop(node)
            self.env[node.index] = Slot(index, node.index.type, node.index)
            self._carry(slots, node.carry)
            self._hint(node.body.results, slots)
            self.block(node.body)
            self._leave(slots, node.body.results)
            self.loops.pop()
            inside = self.bounds
        self.bounds.after_loop(node, inside)
        self.names.close_index(index)
        self.emit(Loop(index, lo, hi, step, tuple(statements), node.where))
        self._outs(slots, node.outs)

    def _while(self, node: While) -> None:
        self._before_nested(node)
        pinned = pinned_by(node)
        slots = self._enter(node.carry, node.init, node.outs, pinned)
        body_uses = frozenset(last_uses(node.body))
        self.loops.append(node)
        with self.nested(Frame(last_uses(node.test), pinned | (body_uses & frozenset(node.carry)))) as head:
            self._carry(slots, node.carry)
            self.block(node.test)
            test = self.scalar(node.test.results[0])
        with self.nested(Frame(last_uses(node.body), pinned)) as statements:
            self._carry(slots, node.carry)
            self._hint(node.body.results, slots)
            self.block(node.body)
            self._leave(slots, node.body.results)
        self.loops.pop()
        self.emit(WhileLoop(tuple(head), test, tuple(statements), node.where))
        self._outs(slots, node.outs)

    def _enter(self, carry: tuple[Var, ...], init: tuple[Atom, ...], outs: tuple[Var, ...], pinned: frozenset[Var]) -> list[Slot]:
        """Slots for the carried values, holding their initial values."""
        chosen: list[Slot] = []
        for var, start, out in zip(carry, init, outs, strict=True):
            slot = self._shared(start, out, pinned, chosen)
            if slot is None:
                slot = self._initial(var, start, out, chosen)
            slot.type = var.type
            chosen.append(slot)
            self.reserved.add(slot)
        for slot in chosen:
            self.flush(slot, except_for=[atom for atom in init if isinstance(atom, Var)])
            slot.occupant = None
        self.reserved.difference_update(chosen)
        return chosen

    def _named_alike(self, slot: Slot, var: Var) -> bool:
        """Whether a scalar's variable may hold var too without misleading a reader."""
        return slot.name == legal(var.name) or slot.name.startswith(legal(var.name) + "_")

    def _shared(self, start: Atom, out: Var, pinned: frozenset[Var], chosen: list[Slot]) -> Slot | None:
        """The initial value's own slot, where nothing else needs what it holds."""
        if not isinstance(start, Var):
            return None
        binding = self.binding(start)
        if isinstance(binding, Lazy) and start.type.shape and not self.live_after(start) and start not in pinned:
            binding = self.materialise(binding)
        if isinstance(binding, Lazy) or binding in chosen or self.live_after(start) or start in pinned:
            return None
        if not start.type.shape and not self._named_alike(binding, out):
            return None
        if binding.name in self.size_slots or any(binding.name == name for name in self.names._active):
            return None
        return binding

    def _initial(self, var: Var, start: Atom, out: Var, chosen: list[Slot]) -> Slot:
        """A slot of the carried value's own, with the initial value put in."""
        if start.type.shape:
            assert isinstance(start, Var)
            return self.fresh_copy(start, self.stored(start))
        hint = self.hints.get(out)
        slot = hint if hint is not None and hint not in chosen and self.takeable(hint, var, consumed=False) else self.slot(var)
        value = self.scalar(start)
        self.flush(slot)
        if value != Name(slot.name):
            self.emit(Assign((slot.name,), (value,), self.where))
        slot.occupant, slot.version = None, next_version()
        return slot

    def _carry(self, slots: list[Slot], carry: tuple[Var, ...]) -> None:
        for slot, var in zip(slots, carry, strict=True):
            self.occupy(slot, var)
            self.bounds.bind(var)

    def _outs(self, slots: list[Slot], outs: tuple[Var, ...]) -> None:
        for slot, var in zip(slots, outs, strict=True):
            self.occupy(slot, var)
            self.bounds.bind(var)

    def _hint(self, results: tuple[Atom, ...], slots: list[Slot]) -> None:
        """A block's results are best computed right where they will be carried."""
        for atom, slot in zip(results, slots, strict=True):
            if isinstance(atom, Var) and atom not in self.env:
                self.hints.setdefault(atom, slot)

    def _leave(self, slots: list[Slot], results: tuple[Atom, ...]) -> None:
        """At a block's end: bring its results into the slots."""
        moves: list[tuple[Slot, Atom | Slot, Location]] = []
        for slot, atom in zip(slots, results, strict=True):
            where = self.where
            if not atom.type.shape:
                if isinstance(atom, Var) and isinstance(self.env.get(atom), Lazy):
                    where = self.env[atom].where
                moves.append((slot, atom, where))
                continue
            binding = self.array(atom)
            if isinstance(binding, Lazy):
                where = binding.where
                assert isinstance(atom, Var)
                into = slot if slot.occupant is None or not self.live_now(slot.occupant) else None
                binding = self.materialise(binding, into)
            if binding is not slot:
                moves.append((slot, binding, binding.where))
        self._move(moves, results)

    def _move(self, moves: list[tuple[Slot, Atom | Slot, Location]], results: tuple[Atom, ...]) -> None:
        pairs: list[tuple[Slot, Expr, Location]] = []
        given: set[Slot] = set()
        taken: set[Slot] = set()
        for slot, source, where in sorted(moves, key=lambda move: not isinstance(move[1], Slot)):  # arrays may be copied right away
            if isinstance(source, Slot):
                occupant = source.occupant
                assert occupant is not None
                if self.live_after(occupant) or results.count(occupant) > 1:
                    if self._replaceable(slot, occupant):
                        self.flush(slot)
                        self.copy_into(slot, occupant)
                        slot.occupant, slot.version = None, next_version()
                        continue
                    source = self.fresh_copy(occupant, source)
                if self.same_shape(source.type, slot.type):
                    self.swaps.append((slot, source))
                source.moved = slot.rebound = True
                slot.aliases.add(source)
                source.aliases.add(slot)
                pairs.append((slot, Name(source.name), where))
                given.add(source)
                taken.add(slot)
            else:
                value = self.scalar(source)
                if value != Name(slot.name):
                    pairs.append((slot, value, where))
        for slot in given | taken:
            slot.lost = slot not in taken
        while pairs:
            ready = next((pair for pair in pairs if not any(pair[0].name in names_read(value) for target, value, _ in pairs if target is not pair[0])), None)
            if ready is None:
                self.emit(Assign(tuple(slot.name for slot, _, _ in pairs), tuple(value for _, value, _ in pairs), pairs[0][2],
                                 move=any(slot.type.shape for slot, _, _ in pairs)))
                return
            self.emit(Assign((ready[0].name,), (ready[1],), ready[2], move=bool(ready[0].type.shape)))
            pairs.remove(ready)

    def _replaceable(self, slot: Slot, var: Var) -> bool:
        """Whether a slot's storage can be filled with an array's elements: nothing needs what it holds."""
        if slot.fresh or slot.lost:
            return slot.fresh
        dead = slot.occupant is None or not self.live_now(slot.occupant)
        return dead and self.same_shape(slot.type, var.type)

    def _if(self, node: If) -> None:
        self._before_nested(node)
        test = self.scalar(node.test)
        slots = self._targets(node)
        before = [(slot, slot.occupant, slot.version) for slot in self.slots]
        fresh = [slot for slot in self.slots if slot.fresh]
        lost = {slot for slot in self.slots if slot.lost}
        lost_inside: set[Slot] = set()
        branches: list[Body] = []
        for block, holds in ((node.then, True), (node.orelse, False)):
            for slot, occupant, version in before:
                slot.occupant, slot.version, slot.fresh, slot.lost = occupant, version, slot in fresh, slot in lost
            with self.nested(Frame(last_uses(block))) as statements:
                self.bounds.test(node.test, holds=holds)
                self._hint(block.results, slots)
                self.block(block)
                self._leave(slots, block.results)
            branches.append(tuple(statements))
            lost_inside |= {slot for slot in self.slots if slot.lost}
            if holds:
                after_then = {slot: slot.version for slot in self.slots}
        for slot, _, version in before:
            if slot.version != version or after_then[slot] != version:
                slot.occupant, slot.version = None, next_version()
        self.emit(IfElse(test, branches[0], branches[1], node.where))
        for slot in fresh:
            slot.fresh = slot not in slots
        for slot in lost_inside:
            slot.lost = True
        self._outs(slots, node.outs)

    def _targets(self, node: If) -> list[Slot]:
        """The slots in which an If's outs will be, whichever branch is taken."""
        chosen: list[Slot] = []
        for number, out in enumerate(node.outs):
            slot = self.hints.get(out)
            if slot is None or slot in chosen or (slot.occupant is not None and self.live_after(slot.occupant)):
                slot = self._root_slot(node, number, chosen)
            if slot is None:
                slot = self.slot(out)
                slot.fresh = bool(out.type.shape)
            chosen.append(slot)
        return chosen

    def _root_slot(self, node: If, number: int, chosen: list[Slot]) -> Slot | None:
        for block in (node.then, node.orelse):
            root = storage_root(block, block.results[number])
            binding = self.env.get(root) if isinstance(root, Var) else None
            if (isinstance(root, Var) and isinstance(binding, Slot) and binding not in chosen and not self.live_after(root)
                    and binding.occupant is root and binding in self.slots
                    and (root.type.shape or self._named_alike(binding, node.outs[number]))):
                return binding
        return None

    def _map(self, node: Map) -> None:
        self._before_nested(node)
        size = self.scalar(node.size)
        outs = [self.allocate(out) for out in node.outs]
        index = self.names.open_index(node.index.name)
        with self.nested(Frame(last_uses(node.body), pinned_by(node))) as statements:
            self.loops.append(node)
            self.bounds.loop(node)
            self.env[node.index] = Slot(index, node.index.type, node.index)
            self.block(node.body)
            for slot, atom in zip(outs, node.body.results, strict=True):
                self.store_part(slot, Name(index), atom)
            self.loops.pop()
        self.names.close_index(index)
        self.emit(Loop(index, integer(0), size, integer(1), tuple(statements), node.where))
        self._outs(outs, node.outs)

    def _call(self, node: Call) -> None:
        kernel = self.kernels[node.function]
        args: list[Expr] = []
        owned: dict[int, Slot] = {}
        for number, (atom, param) in enumerate(zip(node.ins, kernel.params, strict=True)):
            if not atom.type.shape:
                args.append(self.scalar(atom))
            elif param.written:
                later = node.ins[number + 1:].count(atom) or node.ins[:number].count(atom)
                slot = self.fresh_copy(atom, self.stored(atom)) if later else self.own(atom)  # type: ignore[arg-type]
                owned[number] = slot
                args.append(Name(slot.name))
            else:
                args.append(self.array_argument(atom))
        self._part(node, args, owned)
        targets: list[str] = []
        finals: dict[Slot, tuple[Var, Slot]] = {}
        again: list[tuple[Var, Slot]] = []
        self._bind_literals(node, kernel)
        for out, result in zip(node.outs, kernel.results, strict=True):
            if isinstance(result, Slot) and result in finals:
                again.append((out, result))
            elif is_param(result):
                number = kernel.params.index(result)
                if number in owned:
                    finals[result] = (out, owned[number])  # type: ignore[index]
                else:
                    self.rename_lazily(out, node.ins[number], self.stored(node.ins[number]))
            elif not isinstance(result, Number):
                slot = self.scalar_slot(out, consumed=True) if not out.type.shape else self.slot(out)
                if slot.name in targets:
                    slot = self.slot(out)
                self.flush(slot)
                targets.append(slot.name)
                finals[result if isinstance(result, Slot) else slot] = (out, slot)
        writes = tuple(slot.name for slot in owned.values())
        self.emit(CallKernel(tuple(targets), kernel.name, tuple(args), node.where, writes))
        for slot in owned.values():
            slot.written, slot.occupant, slot.version = True, None, next_version()
        for out, slot in finals.values():
            if out.type.shape:
                slot.moved = True
            self.occupy(slot, out)
            self.bounds.bind(out)
        for out, result in again:
            first, slot = finals[result]
            self.rename_lazily(out, first, slot)

    def _part(self, node: Call, args: list[Expr], owned: dict[int, Slot]) -> None:
        """What the function writes into is in no other array that it is given: that may be the same storage under another name."""
        for number, slot in owned.items():
            others = (arg for other, arg in enumerate(args) if other != number and node.ins[other].type.shape)
            if any(slot.name in names_read(arg) for arg in others):
                atom = node.ins[number]
                assert isinstance(atom, Var)
                owned[number] = self.fresh_copy(atom, slot)
                args[number] = Name(owned[number].name)

    def _bind_literals(self, node: Call, kernel: Lowered) -> None:
        for out, result in zip(node.outs, kernel.results, strict=True):
            if isinstance(result, Number):
                self.bind_lazily(Lazy(out, node.where, {}, True, expr=result))

    def _check(self, node: Check) -> None:
        test = self.scalar(node.test)
        self.emit(IfElse(negated(test), (Raise(node.exception, self.message(node), node.where, node.stretch, late=node.late),), (), node.where))
        self.bounds.check(node)

    def message(self, node: Check) -> tuple[Expr, ...]:
        """What a Check's exception is made from: its message, and the values for the message's {}."""
        return (Constant(node.message), *(self.scalar(value) for value in node.values))


def _arrays_of_sums(body: Body, accumulators: set[str]) -> set[str]:
    """The arrays that get nothing but finished sums: where one becomes a scalar, the sum takes its name."""
    stored: dict[str, bool] = {}
    for each in walk(body):
        if isinstance(each, Store):
            is_sum = isinstance(each.value, Name) and each.value.id in accumulators and not each.op
            stored[each.array] = stored.get(each.array, True) and is_sum
    return {array for array, only_sums in stored.items() if only_sums}
