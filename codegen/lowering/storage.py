"""How the values of a program come into Python variables while it is lowered (`places` says where they are).

A store into an array goes into the slot of the old array when that is dead afterwards, into a copy otherwise; before a slot is
overwritten, what is lazy and reads it is written out.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from s2s.codegen.language.expressions import Expr, Length, Load, Name, Number, Sum, integer, size
from s2s.codegen.language.names import Names
from s2s.codegen.language.statements import Alloc, Assign
from s2s.codegen.lowering.bounds import Bounds
from s2s.codegen.lowering.liveness import Liveness
from s2s.codegen.lowering.lowered import Lowered, Module, Slot, next_version
from s2s.codegen.lowering.naming import Naming
from s2s.codegen.lowering.places import Binding, Lazy, Places
from s2s.codegen.lowering.target import Target
from s2s.codegen.lowering.written import Written
from s2s.transforms.ir.program import Function
from s2s.transforms.primitives.row import Primitive
from s2s.types import Array, Atom, Dim, Literal, Var


class Storage(Target):
    """Moves the values of one function: writes them out, copies them before they are overwritten. Targets add what array equations become."""

    def __init__(
        self, function: Function, name: str, kernels: dict[Function, Lowered], module: Module, *, rows: Mapping[Primitive, Callable[..., None]],
        protect: frozenset[Var] = frozenset(), mutated: tuple[tuple[Var, int], ...] = (),
    ) -> None:
        self.function, self.name, self.kernels, self.module, self.rows = function, name, kernels, module, rows
        self.protect, self.mutated = protect, mutated
        self.names = Names(frozenset(module.names))
        self.live = Liveness(function)
        self.naming = Naming(function, module.anonymous)
        self.out = Written()
        self.places = Places(function, self.names, self.naming, self.live, self.out)
        self.bounds = Bounds()
        self.accumulators: set[str] = set()
        """Scalars into which whole arrays are summed."""
        self.swaps: list[tuple[Slot, Slot]] = []
        """Variables of arrays that changed places."""

    # ---- reading values -----------------------------------------------------------------------------------------------

    def scalar(self, atom: Atom) -> Expr:
        """A scalar as an expression."""
        if isinstance(atom, Literal):
            return self.number(atom)
        binding = self.places.binding(atom)
        if isinstance(binding, Slot):
            return Name(binding.name)
        assert binding.expr is not None
        return binding.expr

    def array(self, atom: Atom) -> Binding:
        """Where an array is."""
        assert isinstance(atom, Var), atom
        return self.places.binding(atom)

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
            self.places.env[out] = binding
            return
        same = binding if isinstance(binding, Slot) else binding.same
        self.rename_lazily(out, source, same)

    def dim(self, dim: Dim) -> Expr:
        """A dimension as an expression."""
        known = dim if isinstance(dim, int) else self.bounds.representative(dim)
        if isinstance(known, Var) and known is not dim and known not in self.places.param_sizes:
            known = dim
        return integer(known) if isinstance(known, int) else self.scalar(known)

    def dims(self, atom: Atom) -> tuple[Expr, ...]:
        """All dimensions of a value."""
        return tuple(self.dim(dim) for dim in atom.type.shape)

    # ---- binding values -----------------------------------------------------------------------------------------------

    def define(self, var: Var, expr: Expr, reads: dict[Slot, int], *, free: bool = False) -> None:
        """Bind a scalar to an expression: lazily if it is anonymous and used once (or free), else in a variable."""
        lazy = Lazy(var, self.out.where, reads, free or is_free(expr), expr=expr)
        uses = self.live.counts[var]
        named = self.naming.is_named(var) and not (uses == 1 and var.type.dtype.kind == "b" and not var.type.shape)
        if (uses == 0 and var not in self.live.dimensions) or (lazy.free and not named) or uses <= 1 and var not in self.live.dimensions and (not named or var in self.places.hints) and not self.places.has_free_hint(var):
            self.places.bind_lazily(lazy)
        else:
            self.assign(var, expr, consumed=True)

    def simple(self, expr: Expr, atom: Atom) -> Expr:
        """The expression itself if it is short, else a variable that holds it."""
        if is_free(expr):
            return expr
        name = self.names.fresh(self.naming.hint(atom) if isinstance(atom, Var) else "value")
        self.out.emit(Assign((name,), (expr,), self.out.where))
        return Name(name)

    def assign(self, var: Var, expr: Expr, *, consumed: bool = False) -> Slot:
        """Put a scalar into a variable, now."""
        slot = self.places.scalar_slot(var, consumed=consumed)
        self.flush(slot, except_for=(var,), consumed=consumed)
        self.out.emit(Assign((slot.name,), (expr,), self.out.where, move=bool(var.type.shape)))
        self.places.occupy(slot, var)
        return slot

    # ---- before something is overwritten ------------------------------------------------------------------------------

    def flush(self, slot: Slot, *, except_for: Sequence[Var] = (), consumed: bool = False) -> None:
        """Write out what is lazy, still needed and reads this slot. `consumed`: the current node has read its operands."""
        readers = self.places.readers(slot)
        if not readers:
            return
        reserved = set(self.places.reserved)
        self.places.reserved.add(slot)  # nothing may be written out to where the caller is about to store
        for var, lazy in readers:
            if var not in self.places.pending or var in except_for:
                continue
            if self.live.after(var) if consumed else self.live.now(var):
                self.materialise(lazy)
        self.places.reserved = reserved

    def materialise(self, lazy: Lazy, slot: Slot | None = None) -> Slot:
        """Write a lazy value out, into a variable."""
        with self.out.at(lazy.where):
            if lazy.var.type.shape:
                return self.materialise_array(lazy, slot)
            assert lazy.expr is not None
            self.scalar(lazy.var)
            return self.assign(lazy.var, lazy.expr)

    def own(self, array: Atom, *, keep: Sequence[Var] = ()) -> Slot:
        """Storage that holds the array and may be overwritten: its own if it is dead after this node, else a copy."""
        assert isinstance(array, Var)
        binding = self.places.binding(array)
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
        occupant, binding = source.occupant, self.places.env[array]
        copy = self.copied(array, source)
        self.places.env[array], source.occupant = binding, occupant
        copy.occupant = None
        return copy

    def overwritten(self, slot: Slot, out: Var) -> None:
        """A store went into the slot: it holds `out` now."""
        slot.written = True
        self.places.occupy(slot, out)

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
        slot = slot or self.places.slot(var, hint)
        self.out.emit(Alloc(slot.name, self.dims(var), var.type.dtype, self.out.where))
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
