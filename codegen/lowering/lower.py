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

from s2s.codegen.language.names import legal
from s2s.codegen.language.operations import negated
from s2s.codegen.language.statements import Body, IfElse, Loop, Raise, Statement, WhileLoop
from s2s.codegen.lowering.calls import lower_call
from s2s.codegen.lowering.carried import enter, hint_results, hold, leave, targets
from s2s.codegen.lowering.ends import bring_home, free_sums, protected, result_of, spread_writes
from s2s.codegen.lowering.liveness import Frame, bound_by, changed_in_one, last_uses, may_overwrite, pinned_by
from s2s.codegen.lowering.lowered import Lowered, Slot, next_version
from s2s.codegen.lowering.places import Lazy
from s2s.codegen.lowering.storage import Storage
from s2s.transforms.ir.program import Block, Call, Check, Equation, For, If, Map, Node, Print, Var, While
from s2s.types import Literal


class Lowering:
    """The control flow of one function. `low`: where its values are, and what its target makes of equations."""

    def __init__(self, low: Storage) -> None:
        self.low = low

    def lower(self) -> Lowered:
        """Lower the whole function."""
        low, function = self.low, self.low.function
        low.bounds.function(function)
        params: list[Slot] = []
        for param in function.params:
            slot = Slot(low.names.fresh(param.name), param.type, param, param=True, hint=legal(param.name))
            low.places.slots.append(slot)
            params.append(slot)
            low.places.env[param] = slot
            low.bounds.bind(param)
        low.live.frames.append(Frame(last_uses(function.body)))
        for param in function.params:
            if param in low.protect:
                low.places.env[param] = protected(low, param)
        self.block(function.body)
        bring_home(low, dict(zip(function.params, params, strict=True)))
        results = tuple(result_of(low, atom) for atom in function.body.results)
        spread_writes(low)
        swaps = frozenset(
            (slot.name, new.name) for slot, new in low.swaps if slot.aliases == {new} and new.aliases == {slot} and not slot.moved
        )
        sums = free_sums(low)
        low.places.close()
        return Lowered(function, low.name, tuple(params), results, tuple(low.out.statements), low.places.size_slots, swaps, sums, frozenset(low.module.names), ())

    # ---- blocks -----------------------------------------------------------------------------------------------------

    def block(self, block: Block) -> None:
        """Lower the nodes of a block; the frame for it is already open."""
        frame = self.low.live.frames[-1]
        read_last: dict[int, list[Var]] = {}
        for var, number in frame.last.items():
            read_last.setdefault(number, []).append(var)
        for number, node in enumerate(block.nodes):
            frame.position = number
            self.low.out.where = node.where
            self.node(node)
            self.low.places.forget(read_last.get(number, ()) if number else tuple(self.low.places.pending))
        frame.position = len(block.nodes)

    def node(self, node: Node) -> None:
        """Lower one node."""
        match node:
            case Equation():
                self.low.bounds.equation(node)
                if any(atom.type.shape for atom in (*node.outs, *node.ins)):
                    self.low.array_equation(node)
                else:
                    self.low.scalar_equation(node)
            case For():
                self._for(node)
            case While():
                self._while(node)
            case If():
                self._if(node)
            case Map():
                raise AssertionError("a Map is a loop here (maps_as_loops)")
            case Call():
                lower_call(self.low, node)
            case Check():
                self._check(node)
            case Print():
                self.low.print(node)
            case _:
                assert_never(node)

    @contextmanager
    def nested(self, frame: Frame) -> Iterator[list[Statement]]:
        """Lower a nested block: its own frame, facts, pending values and statements."""
        low, bounds = self.low, self.low.bounds
        low.bounds = bounds.inside()
        low.live.frames.append(frame)
        try:
            with low.places.nested(), low.out.at(low.out.where), low.out.apart() as statements:
                yield statements
        finally:
            low.live.frames.pop()
            low.bounds = bounds

    # ---- control flow -------------------------------------------------------------------------------------------------

    def _before_nested(self, node: Node) -> None:
        """Write out what nested blocks would evaluate repeatedly, or might overwrite."""
        low = self.low
        inner = changed_in_one(node) if isinstance(node, If) else set(pinned_by(node))  # type: ignore[arg-type]
        taken = {low.places.hints[var] for var in bound_by(node) if var in low.places.hints}
        for var in may_overwrite(node):
            binding = low.places.env.get(var)
            if isinstance(binding, Slot):
                taken.add(binding)
            elif isinstance(binding, Lazy) and isinstance(node, If):
                taken.update(binding.reads)
        for var, lazy in list(low.places.pending.items()):
            if var not in low.places.pending:
                continue
            threatened = any(slot in taken for slot in lazy.reads)
            written = threatened or not lazy.free or isinstance(node, If)
            if (var in inner and written) or (threatened and low.live.after(var)):
                low.materialise(lazy)

    def _for(self, node: For) -> None:
        low = self.low
        self._before_nested(node)
        lo, hi, step = low.scalar(node.lo), low.scalar(node.hi), low.scalar(node.step)
        slots = enter(low, node.carry, node.init, node.outs, pinned_by(node))
        index = low.names.open_index(node.index.name)
        frame = Frame(last_uses(node.body), pinned_by(node))
        with self.nested(frame) as statements:
            low.places.loops.append(node)
            low.bounds.loop(node)
            low.places.env[node.index] = Slot(index, node.index.type, node.index, hint=legal(node.index.name))
            hold(low, slots, node.carry)
            hint_results(low, node.body.results, slots)
            self.block(node.body)
            leave(low, slots, node.body.results)
            low.places.loops.pop()
            inside = low.bounds
        low.bounds.after_loop(node, inside)
        low.names.close_index(index)
        low.out.emit(Loop(index, lo, hi, step, tuple(statements), node.where, node.index.type.example))
        hold(low, slots, node.outs)

    def _while(self, node: While) -> None:
        low = self.low
        self._before_nested(node)
        pinned = pinned_by(node)
        slots = enter(low, node.carry, node.init, node.outs, pinned)
        body_uses = frozenset(last_uses(node.body))
        low.places.loops.append(node)
        with self.nested(Frame(last_uses(node.test), pinned | (body_uses & frozenset(node.carry)))) as head:
            hold(low, slots, node.carry)
            self.block(node.test)
            test = low.scalar(node.test.results[0])
        with self.nested(Frame(last_uses(node.body), pinned)) as statements:
            hold(low, slots, node.carry)
            hint_results(low, node.body.results, slots)
            self.block(node.body)
            leave(low, slots, node.body.results)
        low.places.loops.pop()
        low.out.emit(WhileLoop(tuple(head), test, tuple(statements), node.where))
        hold(low, slots, node.outs)

    def _if(self, node: If) -> None:
        low = self.low
        self._before_nested(node)
        test = low.scalar(node.test)
        slots = targets(low, node)
        before = [(slot, slot.occupant, slot.version) for slot in low.places.slots]
        fresh = [slot for slot in low.places.slots if slot.fresh]
        lost = {slot for slot in low.places.slots if slot.lost}
        lost_inside: set[Slot] = set()
        branches: list[Body] = []
        for block, holds in ((node.then, True), (node.orelse, False)):
            for slot, occupant, version in before:
                slot.occupant, slot.version, slot.fresh, slot.lost = occupant, version, slot in fresh, slot in lost
            with self.nested(Frame(last_uses(block))) as statements:
                low.bounds.test(node.test, holds=holds)
                hint_results(low, block.results, slots)
                self.block(block)
                leave(low, slots, block.results)
            branches.append(tuple(statements))
            lost_inside |= {slot for slot in low.places.slots if slot.lost}
            if holds:
                after_then = {slot: slot.version for slot in low.places.slots}
        for slot, _, version in before:
            if slot.version != version or after_then[slot] != version:
                slot.occupant, slot.version = None, next_version()
        low.out.emit(IfElse(test, branches[0], branches[1], node.where))
        for slot in fresh:
            slot.fresh = slot not in slots
        for slot in lost_inside:
            slot.lost = True
        hold(low, slots, node.outs)

    def _check(self, node: Check) -> None:
        low = self.low
        test = low.scalar(node.test)
        error = Raise(node.exception, low.message(node), node.where, node.stretch, late=node.late, made=(low.made or node.exception) if node.made else "")
        always = isinstance(node.test, Literal) and not node.test.value
        low.out.emit(error if always else IfElse(negated(test), (error,), (), node.where))
        low.bounds.check(node)
