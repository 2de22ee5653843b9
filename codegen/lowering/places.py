"""Which Python variable holds which value of the program, at the statement that is being lowered.

Every Var is either in a `Slot` (a Python variable) or `Lazy` (an expression not yet written out). Each slot knows which Var it holds, so
that a read of an overwritten value is an InternalError and never a wrong number.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from s2s.codegen.language.expressions import Expr, Load, Name
from s2s.codegen.language.names import Names, legal
from s2s.codegen.lowering.liveness import Liveness
from s2s.codegen.lowering.lowered import Slot, next_version
from s2s.codegen.lowering.naming import Naming
from s2s.codegen.lowering.written import Written
from s2s.errors import InternalError, Location
from s2s.records import dataclass
from s2s.transforms.ir.program import Function, dims_of, size_params
from s2s.types import Atom, Var


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


class Places:
    """The bindings of one function's Vars, and its variables."""

    def __init__(self, function: Function, names: Names, naming: Naming, live: Liveness, out: Written) -> None:
        self.function, self.names, self.naming, self.live, self.out = function, names, naming, live, out
        self.env: dict[Var, Binding] = {}
        self.pending: dict[Var, Lazy] = {}
        """What is lazy and may be needed yet."""
        self._readers: dict[Slot, list[Var]] = {}
        """What has become lazy and reads a slot, in order; some of it is written out or forgotten by now."""
        self._is_nested = False
        self.new: list[Var] = []
        """What has become lazy since somebody last looked at what is needed yet (`forget`)."""
        self.slots: list[Slot] = []
        self._by_name: dict[str, list[Slot]] = {}
        self._counted = 0
        """So many of them stand there by name."""
        self.hints: dict[Var, Slot] = {}
        """The variable in which a value is best computed."""
        self.reserved: set[Slot] = set()
        """Slots that are chosen for what comes next: nothing else may be put there."""
        self.loops: list[object] = [None]
        """The loops that are open."""
        self.size_slots: dict[str, tuple[str, int]] = {}
        """Variables that hold a length of a parameter: which axis of which array."""
        self.param_sizes = size_params(function)

    def binding(self, var: Var) -> Binding:
        """Where a Var is; never something overwritten."""
        binding = self.env.get(var)
        if binding is None:
            binding = self._size(var)
        if isinstance(binding, Slot):
            if binding.occupant is not var:
                raise InternalError(f"codegen: {var.name} is read from {binding.name}, which holds {binding.occupant} by then", where=self.out.where)
            return binding
        for slot, version in binding.reads.items():
            if slot.version != version:
                raise InternalError(f"codegen: {var.name} reads {slot.name}, which was overwritten", where=self.out.where)
        return binding

    def _size(self, var: Var) -> Slot:
        """The variable of a length of a parameter, from now on."""
        if var not in self.param_sizes:
            raise InternalError(f"codegen: {var.name} is read before it is bound in {self.function.name}", where=self.out.where)
        number, axis = self.param_sizes[var]
        slot = self.env[var] = Slot(self.names.fresh(var.name), var.type, var, hint=legal(var.name))
        self.size_slots[slot.name] = (self.slots[number].name, axis)
        return slot

    def reads(self, *atoms: Atom) -> dict[Slot, int]:
        """The slots that values read, with their present versions."""
        found: dict[Slot, int] = {}
        for atom in (*atoms, *dims_of(atoms)):
            if type(atom) is Var:
                binding = self.binding(atom)
                if isinstance(binding, Slot):
                    found[binding] = binding.version
                else:
                    found.update(binding.reads)
        return found

    def bind_lazily(self, lazy: Lazy) -> None:
        """Bind a value that is not written out yet."""
        lazy.depth = len(self.live.frames)
        self.env[lazy.var] = self.pending[lazy.var] = lazy
        self.new.append(lazy.var)
        for slot in lazy.reads:
            self._readers.setdefault(slot, []).append(lazy.var)

    def readers(self, slot: Slot) -> list[tuple[Var, Lazy]]:
        """What is lazy and reads a slot."""
        found = [(var, lazy) for var in dict.fromkeys(self._readers.get(slot, ())) if (lazy := self.pending.get(var)) is not None and slot in lazy.reads]
        if not self._is_nested and slot in self._readers:  # behind a nested block what was written out in it is lazy again
            self._readers[slot] = [var for var, _ in found]
        return found

    def forget(self, read_last: Iterable[Var]) -> None:
        """What nothing needs any more goes: of what has become lazy, and of what the present node reads last."""
        for var in (*read_last, *self.new):
            if var in self.pending and not self.live.after(var):
                del self.pending[var]
        self.new.clear()

    def close(self) -> None:
        """Let go of all values: those that are lazy hold what is lowering them, and would live until Python next looks for cyclic garbage."""
        self.env.clear()
        self.pending.clear()
        self._readers.clear()
        for slot in self.slots:
            slot.aliases.clear()

    def takeable(self, slot: Slot, var: Var, *, consumed: bool) -> bool:
        """Whether nothing needs what a variable holds. `consumed`: the current node has read its operands."""
        occupant = slot.occupant
        if slot in self.reserved:
            return False
        if occupant is var:
            return True
        readers = [(other, lazy) for other, lazy in self.readers(slot) if other is not var]
        if any(lazy.depth != len(self.live.frames) and self.live.after(other) for other, lazy in readers):
            return False  # it would be written out here, in a nested block, and is needed behind that
        if consumed:
            return occupant is None or not self.live.after(occupant)
        return (occupant is None or not self.live.now(occupant)) and not any(self.live.now(other) for other, _ in readers)

    def has_free_hint(self, var: Var) -> bool:
        """Whether the variable in which a value is best computed may be taken."""
        return var in self.hints and self.takeable(self.hints[var], var, consumed=True)

    def scalar_slot(self, var: Var, *, consumed: bool) -> Slot:
        """The variable for a scalar: where it is wanted next, one of its name that is free, or a new one."""
        hint = self.hints.get(var)
        lazy = self.pending.get(var)
        nested = lazy is not None and lazy.depth != len(self.live.frames)  # bound outside: here it is written out for this block only
        if hint is not None and not nested and self.takeable(hint, var, consumed=consumed):
            return hint
        for slot in self._named(legal(var.name)):
            if (not var.type.shape and slot.loop is self.loops[-1] and not slot.param and not slot.type.shape
                    and slot.type.dtype == var.type.dtype and self.takeable(slot, var, consumed=consumed)
                    and var not in self.live.dimensions and slot.occupant not in self.live.dimensions and slot not in self.hints.values()):
                return slot
        return self.slot(var)

    def _named(self, name: str) -> list[Slot]:
        """The variables of a name."""
        for slot in self.slots[self._counted:]:
            self._by_name.setdefault(slot.name, []).append(slot)
        self._counted = len(self.slots)
        return self._by_name.get(name, [])

    def slot(self, var: Var, hint: str = "") -> Slot:
        """A new variable for var."""
        made_of = legal(hint or self.naming.hint(var))
        slot = Slot(self.names.fresh(made_of), var.type, loop=self.loops[-1], hint=made_of)
        self.slots.append(slot)
        return slot

    def occupy(self, slot: Slot, var: Var) -> None:
        """slot holds var from here on."""
        slot.occupant, slot.type, slot.version, slot.fresh, slot.where = var, var.type, next_version(), False, self.out.where
        slot.lost = False
        self.env[var] = slot
        self.pending.pop(var, None)

    @contextmanager
    def nested(self) -> Iterator[None]:
        """A nested block: what is written out there is lazy again behind it."""
        pending, new, is_nested = self.pending, self.new, self._is_nested
        self.pending, self.new, self._is_nested = dict(pending), [], True
        env = {var: self.env[var] for var in pending}
        try:
            yield
        finally:
            self.pending, self.new, self._is_nested = pending, new, is_nested
            self.env.update(env)
