"""The cpu target: array equations as loops over scalars, for Numba.

An elementwise array is lazy: a function from index expressions to one element's expression, so that chains of array
equations with single uses become one loop nest without temporaries. Views (slices, transposes, broadcasts) are lazy
and free. Sums and products run in loops with an accumulator. The structural rows are in cpu_views, cpu_products, cpu_rows.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence

from s2s.codegen.language.expressions import Constant, Expr, Load, Name, Op, as_int, integer, total
from s2s.codegen.language.made_errors import STAND_IN, stand_in
from s2s.codegen.language.operations import MULTIPLY
from s2s.codegen.language.searching import loads
from s2s.codegen.language.statements import ONE, ZERO, CallKernel, Loop, Statement, Store
from s2s.codegen.lowering.elementwise import constant, only_weakened, scalar_operation
from s2s.codegen.lowering.lowered import Slot
from s2s.codegen.lowering.places import Binding, Lazy
from s2s.codegen.lowering.printing import PRINTED, printing
from s2s.codegen.lowering.storage import Storage
from s2s.codegen.targets.cpu.elements import Elements, Index
from s2s.errors import UnsupportedError
from s2s.transforms.ir.program import Check, Equation, Print
from s2s.transforms.primitives.arithmetic import add
from s2s.transforms.primitives.row import Cost, Elementwise
from s2s.types import Array, Atom, Literal, Var, literal


class Cpu(Storage):
    """Array equations as loops over scalars."""

    made = STAND_IN

    @property
    def elements(self) -> Elements:
        """How scalars are read."""
        return Elements(self)

    # ---- scalars ------------------------------------------------------------------------------------------------------

    def number(self, value: Literal) -> Expr:
        """A typed constant."""
        return constant(value, self.module)

    def scalar_equation(self, node: Equation) -> None:
        """Elementwise rows are expressions; the others are array rows that happen to have no axes."""
        if not isinstance(node.primitive.emission, Elementwise):
            self.array_equation(node)
            return
        operands = tuple(self.scalar(atom) for atom in node.ins)
        if only_weakened(node):
            self.places.bind_lazily(Lazy(node.outs[0], self.out.where, self.places.reads(*node.ins), True, expr=operands[0]))
            return
        self.define(node.outs[0], self.elements.of_equation(node, operands), self.places.reads(*node.ins))

    # ---- elements -------------------------------------------------------------------------------------------------------

    def array(self, atom: Atom) -> Binding:
        """Where an array is; a product of matrices is in storage from its first use on."""
        binding = super().array(atom)
        return self.materialise(binding) if isinstance(binding, Lazy) and binding.product is not None else binding

    def lazy(self, var: Var, element: Callable[[Index], Expr], reads: dict[Slot, int], *, free: bool, heavy: bool = False, cheap: bool = True) -> None:
        """Bind an array lazily; write it out at once if it is used several times and isn't free."""
        value = Lazy(var, self.out.where, reads, free, element=element, heavy=heavy, cheap=cheap)
        self.places.bind_lazily(value)
        if self.live.counts[var] > 1 and not free:
            self.materialise(value)

    def lazy_product(self, var: Var, emit: Callable[[Slot, Index, bool], None], reads: dict[Slot, int]) -> None:
        """Bind a product of matrices, which is written out where it is first read, or stored."""
        self.places.bind_lazily(Lazy(var, self.out.where, reads, free=False, heavy=True, cheap=False, product=emit))

    def nest(self, shape: Sequence[Expr], body: Callable[[Index], None]) -> None:
        """Loops over all indices of a shape around what `body` emits; an axis of length 1 gets no loop."""
        names = ["" if length == ONE else self.names.open_index() for length in shape]
        index = tuple(Name(name) if name else ZERO for name in names)
        with self.out.apart() as statements:
            body(index)
        inner: tuple[Statement, ...] = tuple(statements)
        for name, length in reversed(list(zip(names, shape, strict=True))):
            if name:
                self.names.close_index(name)
                inner = (Loop(name, integer(0), length, integer(1), inner, self.out.where),)
        for statement in inner:
            self.out.emit(statement)

    def materialise_array(self, lazy: Lazy, slot: Slot | None) -> Slot:
        """Loops that store every element; into `slot` if each element reads at most the elements that it replaces."""
        var = lazy.var
        self.places.binding(var)
        if lazy.product is not None:
            slot = self.allocate(var)
            lazy.product(slot, (), False)
            slot.written = True
            self.places.occupy(slot, var)
            return slot
        if slot is not None and slot.fresh:
            self.allocate(var, slot)
        elif slot is None or not self._fits(lazy, slot):
            slot = self.allocate(var)
        else:
            self.flush(slot, except_for=(var,))
        self.fill(slot, var)
        slot.written = True
        self.places.occupy(slot, var)
        return slot

    def fill(self, slot: Slot, var: Var) -> None:
        """Store every element of a value into storage of its shape."""
        self.nest(self.dims(var), lambda index: self.out.emit(Store(slot.name, index, self.elements.element(var, index), where=self.out.where)))

    def refill(self, home: Slot, array: Var) -> None:
        """Loops that copy; by way of other storage if the elements depend on what is overwritten."""
        binding = self.places.binding(array)
        if isinstance(binding, Lazy) and not self._fits(binding, home):
            self.materialise(binding)
        self.fill(home, array)

    def _fits(self, lazy: Lazy, slot: Slot) -> bool:
        if slot.lost or not self.same_shape(slot.type, lazy.var.type):
            return False
        return slot not in lazy.reads or (not lazy.heavy and self.in_step(slot.name, lazy, lambda index: index, self.dims(lazy.var)))

    def in_step(self, array: str, lazy: Lazy, place: Callable[[Index], Index], shape: Sequence[Expr]) -> bool:
        """Whether element `index` of a lazy value reads nothing of this array but the element at place(index)."""
        probe = tuple(Name(f"?{axis}") for axis in range(len(shape)))
        assert lazy.element is not None
        with self.out.apart() as statements:
            value = lazy.element(probe)
        return not statements and all(load.index == place(probe) for load in loads(value, array))

    def copied(self, array: Var, source: Slot) -> Slot:
        """A loop that copies."""
        copy = self.allocate(array)
        shape = self.dims(array)
        self.nest(shape, lambda index: self.out.emit(Store(copy.name, index, Load(source.name, index), where=self.out.where)))
        return copy

    def array_argument(self, array: Atom) -> Expr:
        """Arrays are passed whole; a row of a matrix is one, too."""
        return self.elements.contiguous(array) or Name(self.stored(array).name)

    def message(self, node: Check) -> tuple[Expr, ...]:
        """The message, and the values for its {}; a stand-in for an exception that is made of more."""
        values = tuple(self.scalar(value) for value in node.values)
        if node.made:
            return stand_in(node.exception, node.message, values)
        return (Constant(node.message), *values) if node.message else ()

    def print(self, node: Print) -> None:
        """Through Python, which writes numbers and arrays as no compiled code does."""
        args = [self.array_argument(atom) if atom.type.shape else self.scalar(atom) for atom in node.values]
        self.out.emit(CallKernel((), printing(self.module, node), tuple(args), node.where, (PRINTED,)))

    # ---- equations ------------------------------------------------------------------------------------------------------

    def array_equation(self, node: Equation) -> None:
        """Elementwise rows here, the others by the target's table."""
        if isinstance(node.primitive.emission, Elementwise):
            self._elementwise(node)
            return
        lowering = self.rows.get(node.primitive)
        if lowering is None:
            raise UnsupportedError(f"{node.primitive.name} can't be compiled for the cpu target yet", where=node.where, instead="target='numpy'")
        lowering(self, node)

    def _elementwise(self, node: Equation) -> None:
        (out,) = node.outs
        if node.primitive is add and (self._added_product(node, *node.ins) or self._added_product(node, *node.ins[::-1])):
            return
        for atom in node.ins:
            if not atom.type.shape:
                self.elements.scalar_name(atom)
        for operand in scalar_operation(node).repeated:
            self.elements.settled(node.ins[operand])
        cheap = node.primitive.cost in (Cost.FREE, Cost.CHEAP) and all(self.elements.is_cheap(atom) for atom in node.ins)
        heavy = any(isinstance(binding := self.places.env.get(atom), Lazy) and binding.heavy for atom in node.ins if isinstance(atom, Var))
        captured = self.elements.capture(node.ins)
        self.lazy(out, lambda index: self.elements.of_equation(node, tuple(read(index) for read in captured)), self.places.reads(*node.ins), free=False, heavy=heavy, cheap=cheap)

    def _added_product(self, node: Equation, other: Atom, value: Atom) -> bool:
        """other + value, where value is a product of matrices and other's storage is free: the product is added there."""
        binding = self.places.env.get(value) if isinstance(value, Var) else None
        if other is value or not isinstance(binding, Lazy) or binding.product is None or not isinstance(other, Var) or self.live.after(other) or self.live.after(binding.var):
            return False
        home = self.places.binding(other) if other.type.shape else None
        if home is None or (isinstance(home, Lazy) and home.product is None):
            return False
        slot = self.array(other)
        if not isinstance(slot, Slot) or slot.param or slot.fresh or slot.lost or slot in binding.reads or not self.same_shape(slot.type, value.type):
            return False
        self.own(other, keep=[value])  # type: ignore[list-item]
        binding.product(slot, (), True)
        self.overwritten(slot, node.outs[0])
        return True

    def same(self, out: Var, source: Atom) -> None:
        """out is source under another name; a product of matrices is still one, to be stored or added where it is needed."""
        binding = self.places.env.get(source) if isinstance(source, Var) else None
        if isinstance(source, Var) and isinstance(binding, Lazy) and binding.product is not None and not self.live.after(source):
            self.places.binding(source)
            self.places.pending.pop(source, None)
            self.lazy_product(out, binding.product, binding.reads)
        elif source.type.shape:
            self.rename(out, source)
        else:
            self.define(out, self.scalar(source), self.places.reads(source))

    def rename_lazily(self, out: Var, source: Atom, same: Slot | None) -> None:
        self.view(out, source, lambda index: index)
        binding, before = self.places.env[out], self.array(source)
        if isinstance(binding, Lazy):
            binding.same = same
            binding.whole = self.elements.contiguous(source)
            binding.turned = before.turned if isinstance(before, Lazy) else None

    def view(self, out: Var, source: Atom, place: Callable[[Index], Index], extra: Sequence[Atom] = ()) -> None:
        """out[index] = source[place(index)]: free if the source is in storage."""
        read = self.elements.reader(source)
        if not out.type.shape:
            self.define(out, read(place(())), self.places.reads(source, *extra))
            return
        binding = self.array(source) if source.type.shape else None
        heavy = isinstance(binding, Lazy) and binding.heavy
        cheap = binding is None or isinstance(binding, Slot) or binding.cheap
        free = binding is None or isinstance(binding, Slot) or binding.free
        self.lazy(out, lambda index: read(place(index)), self.places.reads(source, *extra), free=free, heavy=heavy, cheap=cheap)


def times(a: Expr, b: Expr) -> Expr:
    """a * b of int64s."""
    if (factor := as_int(b)) is not None:
        return total((a, factor))
    return Op(MULTIPLY, (a, b)) if (factor := as_int(a)) is None else total((b, factor))


def typed(low: Cpu, value: int | float | bool, type_: Array) -> Expr:
    """A constant of this type's dtype."""
    return low.number(literal(value, type_.dtype))
