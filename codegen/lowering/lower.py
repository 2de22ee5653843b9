"""From the program to the loop language: blocks, loops, branches, calls. Targets add what array equations become.

    for i in range(n), x = x0:            x = x0
        x1 = mul(x, a)          ->        for i in range(n):
        next x1                               x = x * a

Carried values keep one Python variable (`carried`); where a swap needs it, several are assigned at once. The scheme is in `storage`.
"""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import assert_never

from s2s.codegen.language.expressions import Constant, Expr, Name, integer
from s2s.codegen.language.operations import negated
from s2s.codegen.language.statements import Body, IfElse, Loop, Raise, Statement, WhileLoop
from s2s.codegen.lowering.calls import lower_call
from s2s.codegen.lowering.carried import enter, hint_results, hold, leave, targets
from s2s.codegen.lowering.ends import bring_home, free_sums, protected, result_of, spread_writes
from s2s.codegen.lowering.liveness import Frame, bound_by, changed_in_one, last_uses, may_overwrite, pinned_by
from s2s.codegen.lowering.lowered import Lowered, Slot, next_version
from s2s.codegen.lowering.storage import Lazy, Storage
from s2s.transforms.ir.program import Block, Call, Check, Equation, For, If, Map, Node, While


class Lowering(Storage):
    """The lowering of one function; `cpu_target.Cpu` and `numpy_target.Arrays` say what array equations become."""

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
        self.live.frames.append(Frame(last_uses(function.body)))
        for param in function.params:
            if param in self.protect:
                self.env[param] = protected(self, param)
        self.block(function.body)
        bring_home(self, dict(zip(function.params, params, strict=True)))
        results = tuple(result_of(self, atom) for atom in function.body.results)
        spread_writes(self)
        swaps = frozenset(
            (slot.name, new.name) for slot, new in self.swaps if slot.aliases == {new} and new.aliases == {slot} and not slot.moved
        )
        return Lowered(function, self.name, tuple(params), results, tuple(self.out), self.size_slots, swaps, free_sums(self), frozenset(self.module.names), ())

    # ---- blocks -----------------------------------------------------------------------------------------------------

    def block(self, block: Block) -> None:
        """Lower the nodes of a block; the frame for it is already open."""
        frame = self.live.frames[-1]
        for number, node in enumerate(block.nodes):
            frame.position = number
            self.where = node.where
            self.node(node)
            for var in [var for var, lazy in self.pending.items() if not self.live.after(var)]:
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
                lower_call(self, node)
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
        self.live.frames.append(frame)
        try:
            with self.body() as statements:
                yield statements
        finally:
            self.live.frames.pop()
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
            if (var in inner and written) or (threatened and self.live.after(var)):
                self.materialise(lazy)

    def _for(self, node: For) -> None:
        self._before_nested(node)
        lo, hi, step = self.scalar(node.lo), self.scalar(node.hi), self.scalar(node.step)
        slots = enter(self, node.carry, node.init, node.outs, pinned_by(node))
        index = self.names.open_index(node.index.name)
        frame = Frame(last_uses(node.body), pinned_by(node))
        with self.nested(frame) as statements:
            self.loops.append(node)
            self.bounds.loop(node)
            self.env[node.index] = Slot(index, node.index.type, node.index)
            hold(self, slots, node.carry)
            hint_results(self, node.body.results, slots)
            self.block(node.body)
            leave(self, slots, node.body.results)
            self.loops.pop()
            inside = self.bounds
        self.bounds.after_loop(node, inside)
        self.names.close_index(index)
        self.emit(Loop(index, lo, hi, step, tuple(statements), node.where))
        hold(self, slots, node.outs)

    def _while(self, node: While) -> None:
        self._before_nested(node)
        pinned = pinned_by(node)
        slots = enter(self, node.carry, node.init, node.outs, pinned)
        body_uses = frozenset(last_uses(node.body))
        self.loops.append(node)
        with self.nested(Frame(last_uses(node.test), pinned | (body_uses & frozenset(node.carry)))) as head:
            hold(self, slots, node.carry)
            self.block(node.test)
            test = self.scalar(node.test.results[0])
        with self.nested(Frame(last_uses(node.body), pinned)) as statements:
            hold(self, slots, node.carry)
            hint_results(self, node.body.results, slots)
            self.block(node.body)
            leave(self, slots, node.body.results)
        self.loops.pop()
        self.emit(WhileLoop(tuple(head), test, tuple(statements), node.where))
        hold(self, slots, node.outs)

    def _if(self, node: If) -> None:
        self._before_nested(node)
        test = self.scalar(node.test)
        slots = targets(self, node)
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
                hint_results(self, block.results, slots)
                self.block(block)
                leave(self, slots, block.results)
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
        hold(self, slots, node.outs)

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
        hold(self, outs, node.outs)

    def _check(self, node: Check) -> None:
        test = self.scalar(node.test)
        self.emit(IfElse(negated(test), (Raise(node.exception, self.message(node), node.where, node.stretch, late=node.late),), (), node.where))
        self.bounds.check(node)

    def message(self, node: Check) -> tuple[Expr, ...]:
        """What a Check's exception is made from: its message, and the values for the message's {}."""
        return (Constant(node.message), *(self.scalar(value) for value in node.values))


