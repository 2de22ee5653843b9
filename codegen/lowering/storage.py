"""Where the values of a program are while it is lowered: in Python variables, or not yet written out.

Out of SSA: every Var is either in a `Slot` (a Python variable) or `Lazy` (an expression not yet written out). A store
into an array goes into the slot of the old array when that is dead afterwards, into a copy otherwise; before a slot is
overwritten, what is lazy and reads it is written out. Each slot knows which Var it holds, so that a read of an
overwritten value is an InternalError and never a wrong number.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from s2s.codegen.language.expressions import Expr, Length, Load, Name, Number, Sum, integer, size
from s2s.codegen.language.names import Names, legal
from s2s.codegen.language.statements import Alloc, Assign, IfElse, Loop, Statement, Store
from s2s.codegen.lowering.bounds import Bounds
from s2s.codegen.lowering.liveness import Liveness
from s2s.codegen.lowering.lowered import Lowered, Module, Slot, next_version
from s2s.codegen.lowering.naming import Naming
from s2s.errors import NOWHERE, InternalError, Location
from s2s.transforms.ir.program import Equation, Function, dims_of, size_params
from s2s.transforms.primitives.row import Primitive
from s2s.types import Array, Atom, Dim, Literal, Var


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
    depth: int = 0
    """How many blocks were open where it was bound."""
    whole: Name | Load | None = None
    """An expression of the whole array, where that is a contiguous part of one in storage (a row of a matrix)."""
    turned: Expr | None = None
    """An expression of the matrix whose transpose this is."""
    product: Callable[[Slot, tuple[Expr, ...], bool], None] | None = None
    """For a product of matrices: stores it into (or, if the last is True, adds it to) the part slot[index] of an array."""


Binding = Slot | Lazy


class Storage:
    """The state of one function's lowering, and how it changes. `lower.Lowering` adds control flow, the targets array equations."""

    def __init__(
        self, function: Function, name: str, kernels: dict[Function, Lowered], module: Module, *, rows: Mapping[Primitive, Callable[..., None]],
        protect: frozenset[Var] = frozenset(), mutated: tuple[tuple[Var, int], ...] = (),
    ) -> None:
        self.function, self.name, self.kernels, self.module, self.rows = function, name, kernels, module, rows
        self.protect, self.mutated = protect, mutated
        self.names = Names(frozenset(module.names))
        self.live = Liveness(function)
        self.naming = Naming(function, module.anonymous)
        self.env: dict[Var, Binding] = {}
        self.pending: dict[Var, Lazy] = {}
        self.slots: list[Slot] = []
        self.hints: dict[Var, Slot] = {}
        self.reserved: set[Slot] = set()
        """Slots that are chosen for what comes next: nothing else may be put there."""
        self.loops: list[object] = [None]
        self.out: list[Statement] = []
        self.bounds = Bounds()
        self.where: Location = NOWHERE
        self.accumulators: set[str] = set()
        """Scalars into which whole arrays are summed."""
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

    @contextmanager
    def body(self) -> Iterator[list[Statement]]:
        """Collect statements apart."""
        outer, self.out = self.out, []
        try:
            yield self.out
        finally:
            self.out = outer

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
        if isinstance(binding, Slot) and not self.live.after(source) and binding.fresh is False:  # type: ignore[arg-type]
            binding.occupant, binding.type = out, out.type
            self.env[out] = binding
            return
        same = binding if isinstance(binding, Slot) else binding.same
        self.rename_lazily(out, source, same)

    def rename_lazily(self, out: Var, source: Atom, same: Slot | None) -> None:
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
        lazy = Lazy(var, self.where, reads, free or is_free(expr), expr=expr)
        uses = self.live.counts[var]
        named = self.naming.is_named(var) and not (uses == 1 and var.type.dtype.kind == "b" and not var.type.shape)
        if (uses == 0 and var not in self.live.dimensions) or (lazy.free and not named) or uses <= 1 and var not in self.live.dimensions and (not named or var in self.hints) and not self._hint_is_free(var):
            self.bind_lazily(lazy)
        else:
            self.assign(var, expr, consumed=True)

    def bind_lazily(self, lazy: Lazy) -> None:
        lazy.depth = len(self.live.frames)
        self.env[lazy.var] = self.pending[lazy.var] = lazy

    def _hint_is_free(self, var: Var) -> bool:
        return var in self.hints and self.takeable(self.hints[var], var, consumed=True)

    def takeable(self, slot: Slot, var: Var, *, consumed: bool) -> bool:
        occupant = slot.occupant
        if slot in self.reserved:
            return False
        if occupant is var:
            return True
        if any(slot in lazy.reads and lazy.depth != len(self.live.frames) and self.live.after(other) for other, lazy in self.pending.items() if other is not var):
            return False  # it would be written out here, in a nested block, and is needed behind that
        if consumed:
            return occupant is None or not self.live.after(occupant)
        return (occupant is None or not self.live.now(occupant)) and not any(
            slot in lazy.reads and other is not var and self.live.now(other) for other, lazy in self.pending.items()
        )

    def assign(self, var: Var, expr: Expr, *, consumed: bool = False) -> Slot:
        """Put a scalar into a variable, now."""
        slot = self.scalar_slot(var, consumed=consumed)
        self.flush(slot, except_for=(var,), consumed=consumed)
        self.emit(Assign((slot.name,), (expr,), self.where, move=bool(var.type.shape)))
        self.occupy(slot, var)
        return slot

    def scalar_slot(self, var: Var, *, consumed: bool) -> Slot:
        hint = self.hints.get(var)
        lazy = self.pending.get(var)
        nested = lazy is not None and lazy.depth != len(self.live.frames)  # bound outside: here it is written out for this block only
        if hint is not None and not nested and self.takeable(hint, var, consumed=consumed):
            return hint
        base = legal(var.name)
        for slot in self.slots:
            if (not var.type.shape and slot.name == base and slot.loop is self.loops[-1] and not slot.param and not slot.type.shape
                    and slot.type.dtype == var.type.dtype and self.takeable(slot, var, consumed=consumed)
                    and var not in self.live.dimensions and slot.occupant not in self.live.dimensions and slot not in self.hints.values()):
                return slot
        return self.slot(var)

    def slot(self, var: Var, hint: str = "") -> Slot:
        """A new variable for var."""
        slot = Slot(self.names.fresh(hint or self.naming.hint(var)), var.type, loop=self.loops[-1])
        self.slots.append(slot)
        return slot

    def occupy(self, slot: Slot, var: Var) -> None:
        """slot holds var from here on."""
        slot.occupant, slot.type, slot.version, slot.fresh, slot.where = var, var.type, next_version(), False, self.where
        slot.lost = False
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
        reserved = set(self.reserved)
        self.reserved.add(slot)  # nothing may be written out to where the caller is about to store
        for var, lazy in list(self.pending.items()):
            if slot not in lazy.reads or var not in self.pending or var in except_for:
                continue
            if self.live.after(var) if consumed else self.live.now(var):
                self.materialise(lazy)
        self.reserved = reserved

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
            slot = self.materialise(binding) if not self.live.after(array) else self.fresh_copy(array, self.materialise(binding))
        elif self.live.after(array):
            slot = self.fresh_copy(array, binding)
        else:
            slot = binding
        self.flush(slot, except_for=[var for var in keep if not self.live.after(var)])
        return slot

    def fresh_copy(self, array: Var, source: Slot) -> Slot:
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

    def same_shape(self, a: Array, b: Array) -> bool:
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

    def allocate(self, var: Var, slot: Slot | None = None, *, hint: str = "") -> Slot:
        """New storage for an array, its elements undefined."""
        slot = slot or self.slot(var, hint)
        self.emit(Alloc(slot.name, self.dims(var), var.type.dtype, self.where))
        slot.type, slot.occupant, slot.version, slot.fresh, slot.lost = var.type, None, next_version(), False, False
        return slot


def may_hold_param(slot: Slot) -> bool:
    """Whether a slot's array can be one that the caller passed in, after arrays changed hands."""
    return any(each.param for each in sharing(slot))


def sharing(slot: Slot) -> set[Slot]:
    """The slots whose buffers a slot may hold, after arrays changed hands; itself included."""
    seen, rest = {slot}, [slot]
    while rest:
        each = rest.pop()
        rest += [other for other in each.aliases if other not in seen]
        seen |= each.aliases
    return seen


def is_free(expr: Expr) -> bool:
    """Whether an expression is so simple that it may be written wherever it is used."""
    if isinstance(expr, Name | Number | Length):
        return True
    if isinstance(expr, Sum):
        return size(expr) <= 4 and all(isinstance(term, Name) for term, _ in expr.terms)
    return isinstance(expr, Load) and size(expr) <= 7 and all(is_free(item) for item in expr.index)
