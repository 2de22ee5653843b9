"""From the program to the loop language: control flow, storage, and what is evaluated where. Targets add array equations.

Out of SSA: every Var is either in a `Slot` (a Python variable) or `Lazy` (an expression not yet written out). A store
into an array goes into the slot of the old array when that is dead afterwards, into a copy otherwise; before a slot is
overwritten, what is lazy and reads it is written out. Each slot knows which Var it holds, so that a read of an
overwritten value is an InternalError and never a wrong number.
"""
from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import assert_never

import numpy as np

from s2s.codegen.bounds import Bounds
from s2s.codegen.expressions import Expr, Length, Load, Name, Number, Sum, integer, minus, names_read, plus, size, total
from s2s.codegen.liveness import Frame, bound_by, dimension_vars, last_uses, may_overwrite, pinned_by, storage_root, successors, use_counts
from s2s.codegen.loops import Alloc, Assign, Body, CallKernel, IfElse, Loop, Raise, Statement, Store, WhileLoop
from s2s.codegen.names import Names, legal
from s2s.errors import NOWHERE, InternalError, Location
from s2s.transforms.program import Block, Call, Check, Equation, For, Function, If, Map, Node, While, dims_of, size_params
from s2s.types import INT64, Array, Atom, Dim, Literal, Var

_versions = count(1)


@dataclass(eq=False)
class Slot:
    """A Python variable. `occupant`: the Var whose value it holds now (None: none that may be read)."""

    name: str
    type: Array
    occupant: Var | None = None
    version: int = field(default_factory=lambda: next(_versions))
    param: bool = False
    written: bool = False
    rebound: bool = False
    moved: bool = False
    fresh: bool = False
    """An array variable that has no storage yet: each branch of an If gives it some."""
    loop: object = None
    where: Location = NOWHERE
    aliases: set[Slot] = field(default_factory=set)
    """Slots whose buffer this one may hold, after buffers changed hands."""


@dataclass(eq=False)
class Lazy:
    """A value that is written out where it is used. `free`: as often as one likes; otherwise once.

    A scalar (and any value of the numpy target) has `expr`; an array of the cpu target has `element`, which gives the
    expression of one element (and may add statements to the current body if `heavy`).
    """

    var: Var
    where: Location
    reads: dict[Slot, int]
    free: bool
    expr: Expr | None = None
    element: Callable[[tuple[Expr, ...]], Expr] | None = None
    heavy: bool = False
    cheap: bool = True
    same: Slot | None = None
    """The slot that holds exactly this array (under other dimensions that are equal)."""
    transposed: Slot | None = None
    """The slot of the matrix whose transpose this is."""
    whole: Expr | None = None
    """An expression of the whole array, where that is a contiguous part of one in storage (a row of a matrix)."""


Binding = Slot | Lazy


@dataclass(frozen=True)
class Lowered:
    """One function in the loop language. `results`: an expression, or the slot of an array, for each."""

    function: Function
    name: str
    params: tuple[Slot, ...]
    results: tuple[Expr | Slot, ...]
    body: Body
    sizes: dict[str, tuple[str, int]]
    """Names of lengths that the text uses -> (array, axis)."""
    swaps: frozenset[tuple[str, str]]
    """(carried, new): arrays of one type where the loop's `carried = new` may exchange the two instead."""
    sums: bool
    """Whether it sums floats in a loop of its own (leave to reassociate)."""


class Lowering:
    """The lowering of one function; `cpu_target.Cpu` and `numpy_target.Arrays` say what array equations become."""

    def __init__(self, function: Function, name: str, kernels: dict[Function, Lowered], module: Module, *, protect: frozenset[Var] = frozenset(),
                 mutated: tuple[tuple[Var, int], ...] = ()) -> None:
        self.function, self.name, self.kernels, self.module, self.protect, self.mutated = function, name, kernels, module, protect, mutated
        self.names = Names(frozenset(module.names))
        self.counts = use_counts(function)
        self.dimensions = dimension_vars(function)
        self.successors = successors(function)
        self.env: dict[Var, Binding] = {}
        self.pending: dict[Var, Lazy] = {}
        self.slots: list[Slot] = []
        self.hints: dict[Var, Slot] = {}
        self.frames: list[Frame] = []
        self.loops: list[object] = [None]
        self.out: list[Statement] = []
        self.bounds = Bounds()
        self.where: Location = NOWHERE
        self.sums = False
        self.swaps: list[tuple[Slot, Slot]] = []
        self.size_slots: dict[str, tuple[str, int]] = {}
        self.param_sizes = size_params(function)
        self.index_names: dict[Slot, bool] = {}

    # ---- what targets provide -------------------------------------------------------------------------------------

    def array_equation(self, node: Equation) -> None:
        """An equation with an array among its operands or outs."""
        raise NotImplementedError

    def materialise_array(self, lazy: Lazy, slot: Slot | None) -> Slot:
        """Write a lazy array into storage of its own (into `slot` if given and that is safe)."""
        raise NotImplementedError

    def copied(self, array: Var, source: Slot) -> Slot:
        """New storage with the same elements."""
        raise NotImplementedError

    def refill(self, home: Slot, array: Var) -> None:
        """Put all elements of an array into storage of its shape that holds something else."""
        raise NotImplementedError

    def number(self, value: Literal) -> Expr:
        """A constant of its dtype."""
        raise NotImplementedError

    def scalar_equation(self, node: Equation) -> None:
        """An equation all of whose operands and outs are scalars."""
        raise NotImplementedError

    def array_argument(self, array: Atom) -> Expr:
        """An array operand of a call."""
        raise NotImplementedError

    def store_part(self, array: Slot, index: Expr, value: Atom) -> None:
        """array[index] = value, for an index along axis 0 (a Map's results)."""
        raise NotImplementedError

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
        return Lowered(function, self.name, tuple(params), results, tuple(self.out), self.size_slots, swaps, self.sums)

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
        if not is_param(slot) and _may_hold_param(slot):
            assert isinstance(atom, Var)
            copy = self._fresh_copy(atom, slot)  # else the caller would get its own array back under another name
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
            if home.occupant is not None and self.live_now(home.occupant):
                occupant = home.occupant
                self.occupy(self._fresh_copy(occupant, home), occupant)
            self.flush(home, except_for=(atom,))
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
    def body(self) -> Iterator[list[Statement]]:
        """Collect statements apart."""
        outer, self.out = self.out, []
        try:
            yield self.out
        finally:
            self.out = outer

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

    # ---- liveness ---------------------------------------------------------------------------------------------------

    def live_after(self, var: Var) -> bool:
        """Whether var is needed after the current node."""
        return any(frame.last.get(var, -1) > frame.position or var in frame.pinned for frame in self.frames)

    def live_now(self, var: Var) -> bool:
        """Whether var is needed by the current node or after it."""
        frame = self.frames[-1]
        return frame.last.get(var, -1) == frame.position or self.live_after(var)

    # ---- reading values -----------------------------------------------------------------------------------------------

    def binding(self, var: Var) -> Binding:
        """Where a Var is; never something overwritten."""
        if var not in self.env and var in self.param_sizes:
            number, axis = self.param_sizes[var]
            slot = Slot(self.names.fresh(var.name), var.type, var)
            array = self.slots[number]
            self.size_slots[slot.name] = (array.name, axis)
            self.env[var] = slot
        if var not in self.env:
            raise InternalError(f"codegen: {var.name} is read before it is bound in {self.function.name}", where=self.where)
        binding = self.env[var]
        if isinstance(binding, Slot) and binding.occupant is not var:
            raise InternalError(f"codegen: {var.name} is read from {binding.name}, which holds {binding.occupant} by then", where=self.where)
        if isinstance(binding, Lazy):
            for slot, version in binding.reads.items():
                if slot.version != version:
                    raise InternalError(f"codegen: {var.name} reads {slot.name}, which was overwritten", where=self.where)
        return binding

    def scalar(self, atom: Atom) -> Expr:
        """A scalar as an expression."""
        if isinstance(atom, Literal):
            return self.number(atom)
        binding = self.binding(atom)
        if isinstance(binding, Slot):
            return Name(binding.name)
        assert binding.expr is not None
        return binding.expr

    def array(self, atom: Atom) -> Binding:
        """Where an array is."""
        assert isinstance(atom, Var), atom
        return self.binding(atom)

    def stored(self, atom: Atom) -> Slot:
        """An array in storage (to be read only), written out now if it was lazy."""
        binding = self.array(atom)
        if isinstance(binding, Lazy):
            return binding.same or self.materialise(binding)
        return binding

    def rename(self, out: Var, source: Atom) -> None:
        """out is the same array as source: it takes over the slot if source is dead, and reads it otherwise."""
        binding = self.array(source)
        if isinstance(binding, Slot) and not self.live_after(source) and binding.fresh is False:  # type: ignore[arg-type]
            binding.occupant, binding.type = out, out.type
            self.env[out] = binding
            return
        same = binding if isinstance(binding, Slot) else binding.same
        self._rename_lazily(out, source, same)

    def _rename_lazily(self, out: Var, source: Atom, same: Slot | None) -> None:
        raise NotImplementedError

    def reads(self, *atoms: Atom) -> dict[Slot, int]:
        """The slots that values read, with their present versions."""
        found: dict[Slot, int] = {}
        for atom in (*atoms, *dims_of(atoms)):
            if isinstance(atom, Var):
                binding = self.binding(atom)
                found.update({binding: binding.version} if isinstance(binding, Slot) else binding.reads)
        return found

    def dim(self, dim: Dim) -> Expr:
        """A dimension as an expression."""
        known = dim if isinstance(dim, int) else self.bounds.representative(dim)
        if isinstance(known, Var) and known is not dim and known not in self.param_sizes:
            known = dim
        return integer(known) if isinstance(known, int) else self.scalar(known)

    def dims(self, atom: Atom) -> tuple[Expr, ...]:
        """All dimensions of a value."""
        return tuple(self.dim(dim) for dim in atom.type.shape)

    # ---- binding values -----------------------------------------------------------------------------------------------

    def define(self, var: Var, expr: Expr, reads: dict[Slot, int], *, free: bool = False) -> None:
        """Bind a scalar to an expression: lazily if it is anonymous and used once (or free), else in a variable."""
        lazy = Lazy(var, self.where, reads, free or _is_free(expr), expr=expr)
        uses = self.counts[var]
        named = self.is_named(var) and not (uses == 1 and var.type.dtype.kind == "b" and not var.type.shape)
        if (uses == 0 and var not in self.dimensions) or (lazy.free and not named):
            self._bind_lazy(lazy)
        elif uses <= 1 and var not in self.dimensions and (not named or var in self.hints) and not self._hint_is_free(var):
            self._bind_lazy(lazy)
        else:
            self.assign(var, expr, consumed=True)

    def _bind_lazy(self, lazy: Lazy) -> None:
        self.env[lazy.var] = self.pending[lazy.var] = lazy

    def is_named(self, var: Var) -> bool:
        """Whether a Var has the user's (or a rewrite's) name, not that of the primitive that made it."""
        return _stem(var.name) not in self.module.anonymous

    def _hint_is_free(self, var: Var) -> bool:
        return var in self.hints and self._takeable(self.hints[var], var, consumed=True)

    def _takeable(self, slot: Slot, var: Var, *, consumed: bool) -> bool:
        occupant = slot.occupant
        if occupant is var:
            return True
        if consumed:
            return occupant is None or not self.live_after(occupant)
        return (occupant is None or not self.live_now(occupant)) and not any(
            slot in lazy.reads and other is not var and self.live_now(other) for other, lazy in self.pending.items()
        )

    def assign(self, var: Var, expr: Expr, *, consumed: bool = False) -> Slot:
        """Put a scalar into a variable, now."""
        slot = self._scalar_slot(var, consumed=consumed)
        self.flush(slot, except_for=(var,), consumed=consumed)
        self.emit(Assign((slot.name,), (expr,), self.where, move=bool(var.type.shape)))
        self.occupy(slot, var)
        return slot

    def _scalar_slot(self, var: Var, *, consumed: bool) -> Slot:
        hint = self.hints.get(var)
        if hint is not None and self._takeable(hint, var, consumed=consumed):
            return hint
        base = legal(var.name)
        for slot in self.slots:
            if (slot.name == base and slot.loop is self.loops[-1] and not slot.param and not slot.type.shape
                    and slot.type.dtype == var.type.dtype and self._takeable(slot, var, consumed=consumed)
                    and var not in self.dimensions and slot.occupant not in self.dimensions and slot not in self.hints.values()):
                return slot
        return self.slot(var)

    def slot(self, var: Var, hint: str = "") -> Slot:
        """A new variable for var."""
        slot = Slot(self.names.fresh(hint or self.hint(var)), var.type, loop=self.loops[-1])
        self.slots.append(slot)
        return slot

    def hint(self, var: Var) -> str:
        """The user's name, else that of the variable which the array will be later, else a short one."""
        later, seen = var, {var}
        while var.type.shape and not self.is_named(later) and later in self.successors and self.successors[later] not in seen:
            later = self.successors[later]
            seen.add(later)
        if self.is_named(later):
            return later.name
        stem = _stem(var.name)
        return _SHORT.get(stem, stem) + var.name[len(stem):]

    def occupy(self, slot: Slot, var: Var) -> None:
        """slot holds var from here on."""
        slot.occupant, slot.type, slot.version, slot.fresh, slot.where = var, var.type, next(_versions), False, self.where
        self.env[var] = slot
        self.pending.pop(var, None)

    def emit(self, statement: Statement) -> None:
        """Append a statement, unless it does nothing."""
        if isinstance(statement, Store) and not statement.op and statement.value == Load(statement.array, statement.index):
            return
        if isinstance(statement, Loop) and not statement.body or isinstance(statement, IfElse) and not (statement.then or statement.orelse):
            return
        self.out.append(statement)

    # ---- before something is overwritten ------------------------------------------------------------------------------

    def flush(self, slot: Slot, *, except_for: Sequence[Var] = (), consumed: bool = False) -> None:
        """Write out what is lazy, still needed and reads this slot. `consumed`: the current node has read its operands."""
        for var, lazy in list(self.pending.items()):
            if slot in lazy.reads and var in self.pending and var not in except_for:
                if self.live_after(var) if consumed else self.live_now(var):
                    self.materialise(lazy)

    def materialise(self, lazy: Lazy, slot: Slot | None = None) -> Slot:
        """Write a lazy value out, into a variable."""
        where, self.where = self.where, lazy.where
        if lazy.var.type.shape:
            result = self.materialise_array(lazy, slot)
        else:
            assert lazy.expr is not None
            self.scalar(lazy.var)
            result = self.assign(lazy.var, lazy.expr)
        self.where = where
        return result

    def own(self, array: Atom, *, keep: Sequence[Var] = ()) -> Slot:
        """Storage that holds the array and may be overwritten: its own if it is dead after this node, else a copy."""
        assert isinstance(array, Var)
        binding = self.binding(array)
        if isinstance(binding, Lazy):
            slot = self.materialise(binding) if not self.live_after(array) else self._fresh_copy(array, self.materialise(binding))
        elif self.live_after(array):
            slot = self._fresh_copy(array, binding)
        else:
            slot = binding
        self.flush(slot, except_for=[var for var in keep if not self.live_after(var)])
        return slot

    def _fresh_copy(self, array: Var, source: Slot) -> Slot:
        """New storage with the array's elements; the array itself stays where it is."""
        occupant, binding = source.occupant, self.env[array]
        copy = self.copied(array, source)
        self.env[array], source.occupant = binding, occupant
        copy.occupant = None
        return copy

    def overwritten(self, slot: Slot, out: Var) -> None:
        """A store went into the slot: it holds `out` now."""
        slot.written = True
        self.occupy(slot, out)

    # ---- control flow -------------------------------------------------------------------------------------------------

    def _before_nested(self, node: Node) -> None:
        """Write out what nested blocks would evaluate repeatedly, or might overwrite."""
        inner: set[Var] = set()
        if not isinstance(node, If):
            inner = set(pinned_by(node))  # type: ignore[arg-type]
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
            if (var in inner and (threatened or not lazy.free)) or (threatened and self.live_after(var)):
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
        for var, slot in zip(carry, chosen, strict=True):
            self.flush(slot, except_for=[atom for atom in init if isinstance(atom, Var)])
            slot.occupant = None
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
        if binding.name in self.size_slots or any(binding.name == name for name in self.names._active):  # noqa: SLF001
            return None
        return binding

    def _initial(self, var: Var, start: Atom, out: Var, chosen: list[Slot]) -> Slot:
        """A slot of the carried value's own, with the initial value put in."""
        if start.type.shape:
            assert isinstance(start, Var)
            slot = self._fresh_copy(start, self.stored(start))
            return slot
        hint = self.hints.get(out)
        slot = hint if hint is not None and hint not in chosen and self._takeable(hint, var, consumed=False) else self.slot(var)
        value = self.scalar(start)
        self.flush(slot)
        if value != Name(slot.name):
            self.emit(Assign((slot.name,), (value,), self.where))
        slot.occupant, slot.version = None, next(_versions)
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
                    where = self.env[atom].where  # type: ignore[union-attr]
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
        for slot, source, where in moves:
            if isinstance(source, Slot):
                occupant = source.occupant
                assert occupant is not None
                if self.live_after(occupant) or results.count(occupant) > 1:
                    if self._replaceable(slot, occupant):
                        self.flush(slot)
                        self.copy_into(slot, occupant)
                        slot.occupant, slot.version = None, next(_versions)
                        continue
                    source = self._fresh_copy(occupant, source)
                if self._same_shape(source.type, slot.type):
                    self.swaps.append((slot, source))
                source.moved = slot.rebound = True
                slot.aliases.add(source)
                source.aliases.add(slot)
                pairs.append((slot, Name(source.name), where))
            else:
                value = self.scalar(source)
                if value != Name(slot.name):
                    pairs.append((slot, value, where))
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
        if slot.fresh:
            return True
        dead = slot.occupant is None or not self.live_now(slot.occupant)
        return dead and self._same_shape(slot.type, var.type)

    def _same_shape(self, a: Array, b: Array) -> bool:
        """Whether two arrays have one dtype and, by what is known here, one shape."""
        if a.dtype != b.dtype or a.ndim != b.ndim:
            return False
        return all(self.bounds.same(first, second) for first, second in zip(a.shape, b.shape, strict=True))

    def copy_into(self, slot: Slot, var: Var) -> None:
        """Put an array's elements into a slot (that is fresh, or of its shape)."""
        if slot.fresh:
            self.allocate(var, slot)
        self.refill(slot, var)
        slot.written = True

    def _if(self, node: If) -> None:
        self._before_nested(node)
        test = self.scalar(node.test)
        slots = self._targets(node)
        before = [(slot, slot.occupant, slot.version) for slot in self.slots]
        fresh = [slot for slot in self.slots if slot.fresh]
        branches: list[Body] = []
        for block, holds in ((node.then, True), (node.orelse, False)):
            for slot, occupant, version in before:
                slot.occupant, slot.version, slot.fresh = occupant, version, slot in fresh
            with self.nested(Frame(last_uses(block))) as statements:
                self.bounds.test(node.test, holds=holds)
                self._hint(block.results, slots)
                self.block(block)
                self._leave(slots, block.results)
            branches.append(tuple(statements))
            if holds:
                after_then = {slot: slot.version for slot in self.slots}
        for slot, occupant, version in before:
            if slot.version != version or after_then[slot] != version:
                slot.occupant, slot.version = None, next(_versions)
        self.emit(IfElse(test, branches[0], branches[1], node.where))
        for slot in fresh:
            slot.fresh = slot not in slots
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

    def allocate(self, var: Var, slot: Slot | None = None, *, hint: str = "") -> Slot:
        """New storage for an array, its elements undefined."""
        slot = slot or self.slot(var, hint)
        self.emit(Alloc(slot.name, self.dims(var), var.type.dtype, self.where))
        slot.type, slot.occupant, slot.version, slot.fresh = var.type, None, next(_versions), False
        return slot

    def _call(self, node: Call) -> None:
        kernel = self.kernels[node.function]
        args: list[Expr] = []
        owned: dict[int, Slot] = {}
        for number, (atom, param) in enumerate(zip(node.ins, kernel.params, strict=True)):
            if not atom.type.shape:
                args.append(self.scalar(atom))
            elif param.written:
                later = node.ins[number + 1:].count(atom) or node.ins[:number].count(atom)
                slot = self._fresh_copy(atom, self.stored(atom)) if later else self.own(atom)  # type: ignore[arg-type]
                owned[number] = slot
                args.append(Name(slot.name))
            else:
                args.append(self.array_argument(atom))
        targets: list[str] = []
        finals: dict[Slot, tuple[Var, Slot]] = {}
        again: list[tuple[Var, Slot]] = []
        self._bind_literals(node, kernel)
        for out, result in zip(node.outs, kernel.results, strict=True):
            if isinstance(result, Slot) and result in finals:
                again.append((out, result))
            elif is_param(result):
                number = kernel.params.index(result)  # type: ignore[arg-type]
                if number in owned:
                    finals[result] = (out, owned[number])  # type: ignore[index]
                else:
                    self._rename_lazily(out, node.ins[number], self.stored(node.ins[number]))
            elif not isinstance(result, Number):
                slot = self._scalar_slot(out, consumed=True) if not out.type.shape else self.slot(out)
                if slot.name in targets:
                    slot = self.slot(out)
                self.flush(slot)
                targets.append(slot.name)
                finals[result if isinstance(result, Slot) else slot] = (out, slot)
        writes = tuple(slot.name for slot in owned.values())
        self.emit(CallKernel(tuple(targets), kernel.name, tuple(args), node.where, writes))
        for slot in owned.values():
            slot.written, slot.occupant, slot.version = True, None, next(_versions)
        for out, slot in finals.values():
            if out.type.shape:
                slot.moved = True
            self.occupy(slot, out)
            self.bounds.bind(out)
        for out, result in again:
            first, slot = finals[result]
            self._rename_lazily(out, first, slot)

    def _bind_literals(self, node: Call, kernel: Lowered) -> None:
        for out, result in zip(node.outs, kernel.results, strict=True):
            if isinstance(result, Number):
                self._bind_lazy(Lazy(out, node.where, {}, True, expr=result))

    def _check(self, node: Check) -> None:
        test = self.scalar(node.test)
        self.emit(IfElse(self.refused(test), (Raise(node.exception, self.message(node), node.where),), (), node.where))
        self.bounds.check(node)

    def refused(self, test: Expr) -> Expr:
        """not test."""
        from s2s.codegen.loops import negated

        return negated(test)

    def message(self, node: Check) -> tuple[Expr, ...]:
        """What a Check's exception is made from: its message, and the values for the message's {}."""
        return (Number(repr(node.message)), *(self.scalar(value) for value in node.values))


def _may_hold_param(slot: Slot) -> bool:
    """Whether a slot's array can be one that the caller passed in, after arrays changed hands."""
    seen, rest = {slot}, [slot]
    while rest:
        each = rest.pop()
        if each.param:
            return True
        rest += [other for other in each.aliases if other not in seen]
        seen |= each.aliases
    return False


def _stem(name: str) -> str:
    """A name without what rewrites add to it: mul of mul_bar, getitem of getitem_tape_1."""
    return _ADDED.sub("", name)


_ADDED = re.compile(r"(_(bar|dot|tape|\d+))+$")


def is_param(result: Expr | Slot) -> bool:
    """Whether a result is what a parameter's own array holds: the caller has it already."""
    return isinstance(result, Slot) and result.param and not result.rebound


def _is_free(expr: Expr) -> bool:
    """Whether an expression is so simple that it may be written wherever it is used."""
    if isinstance(expr, Name | Number | Length):
        return True
    if isinstance(expr, Sum):
        return size(expr) <= 4 and all(isinstance(term, Name) for term, _ in expr.terms)
    return isinstance(expr, Load) and size(expr) <= 7 and all(_is_free(item) for item in expr.index)


@dataclass
class Module:
    """What the kernels of one module share: imports, constants, helper functions, names."""

    names: set[str] = field(default_factory=set)
    imports: set[str] = field(default_factory=set)
    constants: dict[tuple[str, str], str] = field(default_factory=dict)
    helpers: dict[str, None] = field(default_factory=dict)
    anonymous: frozenset[str] = frozenset()


_SHORT = {"reshape": "values", "retype": "values", "reduce_max": "largest", "reduce_min": "smallest", "getitem": "part", "reduce_sum": "total", "contract": "dot", "broadcast": "spread", "setitem": "array", "additem": "array"}
__all__ = ["Binding", "Lazy", "Load", "Lowered", "Lowering", "Module", "Slot", "Store", "np", "plus", "minus", "total", "INT64"]
