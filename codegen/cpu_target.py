"""The cpu target: array equations as loops over scalars, for Numba.

An elementwise array is lazy: a function from index expressions to one element's expression, so that chains of array
equations with single uses become one loop nest without temporaries. Views (slices, transposes, broadcasts) are lazy
and free. Sums and products run in loops with an accumulator.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from s2s.codegen.expressions import Expr, Load, Name, Number, Op, apply, integer, loads, plus, total
from s2s.codegen.loops import ZERO, Alloc, Assign, CallKernel, IfElse, Loop, Raise, Statement, Store
from s2s.codegen.lower import Lazy, Lowering, Slot, _is_free
from s2s.codegen.templates import constant, repeated, scalar_template, scalar_text
from s2s.errors import UnsupportedError
from s2s.transforms.primitives.indexing import At, Full, Span, Take, take_axis
from s2s.transforms.primitives.row import Cost, Elementwise
from s2s.transforms.program import Equation
from s2s.types import Array, Atom, Dim, Literal, Var, literal

Index = tuple[Expr, ...]


class Cpu(Lowering):
    """Lowering of a function to loops over scalars. `rows`: the lowering of each structural row (cpu_rows adds its own)."""

    rows: Mapping[str, Callable[[Cpu, Equation], None]] = {}

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
        self.define(node.outs[0], self.element_text(node, operands), self.reads(*node.ins))

    def element_text(self, node: Equation, operands: Index) -> Expr:
        """An elementwise equation of these operands; what its text repeats is put into a variable first."""
        template = scalar_template(node)
        again = repeated(template)
        operands = tuple(self.simple(operand, atom) if again[k] else operand for k, (operand, atom) in enumerate(zip(operands, node.ins, strict=True)))
        return scalar_text(node, operands, self.module)

    def simple(self, expr: Expr, atom: Atom) -> Expr:
        """The expression itself if it is short, else a variable that holds it."""
        if _is_free(expr):
            return expr
        name = self.names.fresh(self.hint(atom) if isinstance(atom, Var) else "value")
        self.emit(Assign((name,), (expr,), self.where))
        return Name(name)

    # ---- elements -------------------------------------------------------------------------------------------------------

    def element(self, atom: Atom, index: Index) -> Expr:
        """One element of a value."""
        if not atom.type.shape:
            return self.scalar(atom)
        binding = self.array(atom)
        if isinstance(binding, Slot):
            return Load(binding.name, index)
        assert binding.element is not None
        return binding.element(index)

    def lazy(self, var: Var, element: Callable[[Index], Expr], reads: dict[Slot, int], *, free: bool, heavy: bool = False, cheap: bool = True) -> None:
        """Bind an array lazily; write it out at once if it is used several times and isn't free."""
        value = Lazy(var, self.where, reads, free, element=element, heavy=heavy, cheap=cheap)
        self.env[var] = self.pending[var] = value
        if self.counts[var] > 1 and not free:
            self.materialise(value)

    def is_cheap(self, atom: Atom) -> bool:
        """Whether computing an element twice does no harm."""
        if not atom.type.shape:
            return True
        binding = self.array(atom)
        return isinstance(binding, Slot) or (binding.cheap and not binding.heavy)

    def is_view(self, atom: Atom) -> bool:
        """Whether an array is in storage or a free view of what is."""
        binding = self.array(atom)
        return isinstance(binding, Slot) or binding.free

    def settled(self, atom: Atom) -> None:
        """Write an array out unless its elements may be computed any number of times."""
        if atom.type.shape and not self.is_cheap(atom):
            self.stored(atom)

    def scalar_name(self, atom: Atom) -> Expr:
        """A scalar that loops will read: a name or a number."""
        expr = self.scalar(atom)
        if isinstance(expr, Name | Number) or not isinstance(atom, Var):
            return expr
        return Name(self.materialise(self.env[atom]).name)  # type: ignore[arg-type]

    def nest(self, shape: Sequence[Expr], body: Callable[[Index], None]) -> None:
        """Loops over all indices of a shape around what `body` emits; an axis of length 1 gets no loop."""
        names = ["" if length == Number("1") else self.names.open_index() for length in shape]
        index = tuple(Name(name) if name else ZERO for name in names)
        with self.body() as statements:
            body(index)
        inner: tuple[Statement, ...] = tuple(statements)
        for name, length in reversed(list(zip(names, shape, strict=True))):
            if name:
                self.names.close_index(name)
                inner = (Loop(name, integer(0), length, integer(1), inner, self.where),)
        for statement in inner:
            self.emit(statement)

    def materialise_array(self, lazy: Lazy, slot: Slot | None) -> Slot:
        """Loops that store every element; into `slot` if each element reads at most the elements that it replaces."""
        var = lazy.var
        self.binding(var)
        if slot is not None and slot.fresh:
            self.allocate(var, slot)
        elif slot is None or not self._fits(lazy, slot):
            slot = self.allocate(var)
        else:
            self.flush(slot, except_for=(var,))
        self.fill(slot, var)
        slot.written = True
        self.occupy(slot, var)
        return slot

    def fill(self, slot: Slot, var: Var) -> None:
        """Store every element of a value into storage of its shape."""
        self.nest(self.dims(var), lambda index: self.emit(Store(slot.name, index, self.element(var, index), where=self.where)))

    def refill(self, home: Slot, array: Var) -> None:
        """Loops that copy; by way of other storage if the elements depend on what is overwritten."""
        binding = self.binding(array)
        if isinstance(binding, Lazy) and not self._fits(binding, home):
            self.materialise(binding)
        self.fill(home, array)

    def _fits(self, lazy: Lazy, slot: Slot) -> bool:
        if not self._same_shape(slot.type, lazy.var.type):
            return False
        return slot not in lazy.reads or (not lazy.heavy and self._in_step(slot.name, lazy, lambda index: index, self.dims(lazy.var)))

    def _in_step(self, array: str, lazy: Lazy, place: Callable[[Index], Index], shape: Sequence[Expr]) -> bool:
        """Whether element `index` of a lazy value reads nothing of this array but the element at place(index)."""
        probe = tuple(Name(f"?{axis}") for axis in range(len(shape)))
        assert lazy.element is not None
        with self.body() as statements:
            value = lazy.element(probe)
        return not statements and all(load.index == place(probe) for load in loads(value, array))

    def copied(self, array: Var, source: Slot) -> Slot:
        """A loop that copies."""
        copy = self.allocate(array)
        shape = self.dims(array)
        self.nest(shape, lambda index: self.emit(Store(copy.name, index, Load(source.name, index), where=self.where)))
        return copy

    def array_argument(self, array: Atom) -> Expr:
        """Arrays are passed whole; a row of a matrix is one, too."""
        binding = self.array(array)
        if isinstance(binding, Lazy) and binding.whole is not None:
            return binding.whole
        return Name(self.stored(array).name)

    def store_part(self, array: Slot, index: Expr, value: Atom) -> None:
        """array[index, …] = value."""
        self.nest(self.dims(value), lambda inner: self.emit(Store(array.name, (index, *inner), self.element(value, inner), where=self.where)))

    # ---- equations ------------------------------------------------------------------------------------------------------

    def array_equation(self, node: Equation) -> None:
        """Elementwise rows here, the others by name."""
        if isinstance(node.primitive.emission, Elementwise):
            self._elementwise(node)
            return
        lowering = self.rows.get(node.primitive.name)
        if lowering is None:
            raise UnsupportedError(f"{node.primitive.name} can't be compiled for the cpu target yet", where=node.where, instead="target='numpy'")
        lowering(self, node)

    def _elementwise(self, node: Equation) -> None:
        (out,) = node.outs
        for atom in node.ins:
            if not atom.type.shape:
                self.scalar_name(atom)
        again = repeated(scalar_template(node))
        for atom, twice in zip(node.ins, again, strict=False):
            if twice:
                self.settled(atom)
        cheap = node.primitive.cost in (Cost.FREE, Cost.CHEAP) and all(self.is_cheap(atom) for atom in node.ins)
        heavy = any(isinstance(binding := self.env.get(atom), Lazy) and binding.heavy for atom in node.ins if isinstance(atom, Var))
        captured = self.capture(node.ins)
        self.lazy(out, lambda index: self.element_text(node, tuple(read(index) for read in captured)), self.reads(*node.ins), free=False, heavy=heavy, cheap=cheap)

    def capture(self, atoms: Sequence[Atom]) -> list[Callable[[Index], Expr]]:
        """How to read elements of these values later on, whatever their Vars are bound to by then."""
        return [self.reader(atom) for atom in atoms]

    def reader(self, atom: Atom) -> Callable[[Index], Expr]:
        """How to read elements of one value."""
        if not atom.type.shape:
            expr = self.scalar(atom)
            return lambda index: expr
        binding = self.array(atom)
        if isinstance(binding, Slot):
            name = binding.name
            return lambda index: Load(name, index)
        assert binding.element is not None
        return binding.element

    def _rename_lazily(self, out: Var, source: Atom, same: Slot | None) -> None:
        self.view(out, source, lambda index: index)
        binding = self.env[out]
        if isinstance(binding, Lazy):
            binding.same = same

    def view(self, out: Var, source: Atom, place: Callable[[Index], Index], extra: Sequence[Atom] = ()) -> None:
        """out[index] = source[place(index)]: free if the source is in storage."""
        read = self.reader(source)
        if not out.type.shape:
            self.define(out, read(place(())), self.reads(source, *extra))
            return
        binding = self.array(source) if source.type.shape else None
        heavy = isinstance(binding, Lazy) and binding.heavy
        cheap = binding is None or isinstance(binding, Slot) or binding.cheap
        free = binding is None or isinstance(binding, Slot) or binding.free
        self.lazy(out, lambda index: read(place(index)), self.reads(source, *extra), free=free, heavy=heavy, cheap=cheap)


# ---- structural rows: functions of the lowering and the equation ------------------------------------------------------


def _broadcast(low: Cpu, node: Equation) -> None:
    source, axes = node.ins[0], node.params["axes"]
    if not source.type.shape:
        low.scalar_name(source)
    elif len(axes) < len(node.ins) - 1:
        low.settled(source)
    low.view(node.outs[0], source, lambda index: tuple(index[axis] for axis in axes))


def _transpose(low: Cpu, node: Equation) -> None:
    axes = node.params["axes"]
    low.view(node.outs[0], node.ins[0], lambda index: tuple(index[axes.index(axis)] for axis in range(len(axes))))
    binding, source = low.env[node.outs[0]], low.array(node.ins[0]) if len(axes) == 2 else None
    if isinstance(binding, Lazy) and axes == (1, 0):
        binding.transposed = source if isinstance(source, Slot) else source.same if source else None


def _same(low: Cpu, node: Equation) -> None:
    if not node.outs[0].type.shape:
        low.define(node.outs[0], low.scalar(node.ins[0]), low.reads(node.ins[0]))
    else:
        low.rename(node.outs[0], node.ins[0])


def _reshape(low: Cpu, node: Equation) -> None:
    source, (out,) = node.ins[0], node.outs
    low.view(out, source, reshaped(low, out.type.shape, source.type.shape))


def reshaped(low: Cpu, outer: tuple[Dim, ...], inner: tuple[Dim, ...]) -> Callable[[Index], Index]:
    """From an index of one shape to that of another with as many elements, in C order."""
    kept_outer = [axis for axis, dim in enumerate(outer) if dim != 1]
    kept_inner = [axis for axis, dim in enumerate(inner) if dim != 1]
    if [outer[axis] for axis in kept_outer] == [inner[axis] for axis in kept_inner]:
        place = dict(zip(kept_inner, kept_outer, strict=True))
        return lambda index: tuple(index[place[axis]] if axis in place else ZERO for axis in range(len(inner)))
    outer_sizes, inner_sizes = [low.dim(dim) for dim in outer], [low.dim(dim) for dim in inner]

    def place_flat(index: Index) -> Index:
        flat: Expr = integer(0)
        for length, position in zip(outer_sizes, index, strict=True):
            flat = plus(_times(flat, length), position)
        result: list[Expr] = []
        for number, length in reversed(list(enumerate(inner_sizes))):
            result.append(flat if number == 0 else apply("a % b", flat, length))
            flat = apply("a // b", flat, length)
        return tuple(reversed(result))

    return place_flat


def _times(a: Expr, b: Expr) -> Expr:
    if a == ZERO or b == ZERO:
        return ZERO
    if a == Number("1"):
        return b
    return a if b == Number("1") else Op("a * b", (a, b))


def _getitem(low: Cpu, node: Equation) -> None:
    array, operands = node.ins[0], node.ins[1:]
    place = positions(low, array.type, operands, node.params["index"], raw=isinstance(low.array(array), Slot))
    if not low.is_cheap(array) and any(isinstance(item, Take) for item in node.params["index"]):
        low.stored(array)
    low.view(node.outs[0], array, place, operands)
    binding, index = low.env[node.outs[0]], node.params["index"]
    leading = [item for item in index if isinstance(item, At)]
    if isinstance(binding, Lazy) and node.outs[0].type.shape and index == (*leading, *(Full(),) * (len(index) - len(leading))):
        storage = low.array(array)
        slot = storage if isinstance(storage, Slot) else storage.same
        if slot is not None:
            binding.whole = Load(slot.name, place(tuple(Name("?") for _ in node.outs[0].type.shape))[:len(leading)])


def positions(low: Cpu, type_: Array, operands: Sequence[Atom], index: tuple[object, ...], *, raw: bool) -> Callable[[Index], Index]:
    """From an index of array[index] to that of the array. Emits the checks of what isn't proven in bounds.

    `raw`: negative positions may stay, since a stored array's axis wraps them.
    """
    rest = iter(operands)
    parts: list[tuple[object, tuple[object, ...]]] = []
    taken = 0
    for axis, item in enumerate(index):
        match item:
            case At():
                operand = next(rest)
                parts.append((item, (_position(low, operand, type_.shape[axis], axis, raw=raw),)))
            case Span():
                start = next(rest)
                next(rest)
                parts.append((item, (low.scalar(start),)))
            case Take():
                operand = next(rest)
                taken = operand.type.ndim
                parts.append((item, (_positions_taken(low, operand, type_.shape[axis], axis, raw=raw),)))
            case _:
                parts.append((item, ()))
    where_taken = take_axis(index) if any(isinstance(item, Take) for item in index) else 0  # type: ignore[arg-type]

    def place(position: Index) -> Index:
        inside = position[where_taken:where_taken + taken]
        kept = iter((*position[:where_taken], *position[where_taken + taken:]))
        result: list[Expr] = []
        for item, data in parts:
            match item:
                case At():
                    result.append(data[0])  # type: ignore[arg-type]
                case Span(step):
                    result.append(total((data[0], 1), (next(kept), step)))  # type: ignore[arg-type]
                case Take():
                    result.append(data[0](inside))  # type: ignore[operator]
                case _:
                    result.append(next(kept))
        return tuple(result)

    return place


def _position(low: Cpu, operand: Atom, dim: Dim, axis: int, *, raw: bool) -> Expr:
    """An At's position, checked."""
    position = low.scalar(operand)
    if isinstance(operand, Var) and not _is_free(position):
        position = low.scalar_name(operand)
    length = low.dim(dim)
    if low.bounds.needs_check(operand, dim):
        low.emit(_refusal(low, position, length, axis, known_nonnegative=low.bounds.nonnegative(operand)))
    return position if raw or low.bounds.nonnegative(operand) else _wrapped(operand, position, length)


def _wrapped(operand: Atom, position: Expr, length: Expr) -> Expr:
    if isinstance(operand, Literal):
        return plus(position, length) if int(operand.value) < 0 else position  # type: ignore[arg-type]
    return Op("a if a >= 0 else a + b", (position, length))


def _refusal(low: Cpu, position: Expr, length: Expr, axis: int, *, known_nonnegative: bool) -> IfElse:
    test = Op("a >= b", (position, length)) if known_nonnegative else Op("not -b <= a < b", (position, length))
    if isinstance(position, Number):
        value = int(position.text)
        test = Op("a < b", (length, integer(-value))) if value < 0 else Op("a <= b", (length, position))
    message = Number(repr(f"index {{}} is out of bounds for axis {axis} with size {{}}"))
    return IfElse(test, (Raise("IndexError", (message, position, length), low.where),), (), low.where)


def _positions_taken(low: Cpu, operand: Atom, dim: Dim, axis: int, *, raw: bool) -> Callable[[Index], Expr]:
    """A Take's positions: all checked in a loop of their own, before anything is read or stored."""
    low.settled(operand)
    if isinstance(binding := low.array(operand), Lazy) and not binding.free:
        low.materialise(binding)
    read = low.reader(operand)
    length = low.dim(dim)
    if low.bounds.needs_check(operand, dim):
        low.nest(low.dims(operand), lambda index: low.emit(_refusal(low, read(index), length, axis, known_nonnegative=False)))
    if raw:
        return read
    return lambda index: Op("a if a >= 0 else a + b", (read(index), length))


def _setitem(low: Cpu, node: Equation) -> None:
    _store(low, node, "")


def _additem(low: Cpu, node: Equation) -> None:
    _store(low, node, "+")


def _store(low: Cpu, node: Equation, op: str) -> None:
    array, value, *operands = node.ins
    index = node.params["index"]
    if not index:
        new = low.scalar(value)
        low.define(node.outs[0], apply("a + b", low.scalar(array), new) if op else new, low.reads(array, value))
        return
    place = positions(low, array.type, operands, index, raw=True)
    keep = [value] if isinstance(value, Var) and value is not array else []
    if not value.type.shape and isinstance(value, Var):
        expr = low.scalar(value)
        slot = low.own(array, keep=keep)
        read: Callable[[Index], Expr] = lambda _: expr  # noqa: E731
    else:
        if isinstance(value, Var) and value.type.shape and any(isinstance(item, Take) for item in index):
            low.settled(value)
        slot = low.own(array, keep=keep)
        binding = low.binding(value) if isinstance(value, Var) and value is not array else None
        if value is array:
            probe = tuple(Name(f"?{axis}") for axis in range(value.type.ndim))
            if place(probe) != probe:  # A[::-1] = A
                assert isinstance(array, Var)
                low.occupy(low._fresh_copy(array, slot), array)  # noqa: SLF001
        if isinstance(binding, Lazy) and slot in binding.reads and (binding.heavy or op or not low._in_step(slot.name, binding, place, low.dims(value))):
            low.materialise(binding)
        read = low.reader(value)
    shape = low.dims(value)
    if op and value_is_zero(value):
        low.overwritten(slot, node.outs[0])
        return
    low.nest(shape, lambda inner: low.emit(Store(slot.name, place(inner), read(inner), op, low.where)))
    low.overwritten(slot, node.outs[0])


def value_is_zero(value: Atom) -> bool:
    """Whether adding it changes nothing but a sign of zero."""
    return isinstance(value, Literal) and value.value == 0


# ---- sums and products --------------------------------------------------------------------------------------------------


def _typed(low: Cpu, value: int | float | bool, type_: Array) -> Expr:
    return low.number(literal(value, type_.dtype))


def reduction(start: int | float | bool, template: str) -> Callable[[Cpu, Equation], None]:
    """A row that folds elements into an accumulator that begins with `start`."""

    def lower(low: Cpu, node: Equation) -> None:
        (source,), (out,) = node.ins, node.outs
        axes = node.params["axes"]
        if not source.type.shape or not axes:
            _same(low, node)
            return
        low.sums = low.sums or (template == "a + b" and out.type.dtype.kind in "fc")
        fold(low, out, source.type.shape, tuple(range(source.type.ndim)), axes, low.reader(source), _typed(low, start, out.type), template, low.reads(source))

    return lower


def fold(
    low: Cpu, out: Var, shape: tuple[Dim, ...], order: tuple[int, ...], axes: tuple[int, ...], read: Callable[[Index], Expr],
    start: Expr, template: str, reads: dict[Slot, int],
) -> None:
    """out = the elements read(index) of a space of this shape, folded along `axes`; loops nested in this order.

    If the folded axes are the innermost loops, each result has a scalar accumulator; otherwise results accumulate in storage.
    """
    kept = tuple(axis for axis in range(len(shape)) if axis not in axes)
    lengths = [low.dim(dim) for dim in shape]
    inner_first = all(axis in axes for axis in order[len(kept):]) and tuple(order[:len(kept)]) == kept
    if not kept:
        slot = low._scalar_slot(out, consumed=True)
        low.flush(slot, except_for=(out,))
        low.emit(Assign((slot.name,), (start,), low.where))
        _accumulate(low, slot.name, {}, order, lengths, read, template)
        low.occupy(slot, out)
        return
    if inner_first:
        where = low.where

        def element(index: Index) -> Expr:
            name = low.names.fresh(low.hint(out))
            outer, low.where = low.where, where
            low.emit(Assign((name,), (start,), low.where))
            _accumulate(low, name, dict(zip(kept, index, strict=True)), order[len(kept):], lengths, read, template)
            low.where = outer
            return Name(name)

        low.lazy(out, element, reads, free=False, heavy=True, cheap=False)
        return
    slot = low.allocate(out)
    low.nest([lengths[axis] for axis in kept], lambda index: low.emit(Store(slot.name, index, start, where=low.where)))

    def body(index: Index) -> None:
        at = {axis: index[number] for number, axis in enumerate(order)}
        element = read(tuple(at[axis] for axis in range(len(shape))))
        target = tuple(at[axis] for axis in kept)
        low.emit(Store(slot.name, target, apply(template, Load(slot.name, target), _simple_if_repeated(low, element, template)), where=low.where))

    low.nest([lengths[axis] for axis in order], body)
    slot.written = True
    low.occupy(slot, out)


def _simple_if_repeated(low: Cpu, expr: Expr, template: str) -> Expr:
    if not repeated(template)[1] or _is_free(expr):
        return expr
    name = low.names.fresh("element")
    low.emit(Assign((name,), (expr,), low.where))
    return Name(name)


def _accumulate(low: Cpu, name: str, at: dict[int, Expr], order: tuple[int, ...], lengths: list[Expr], read: Callable[[Index], Expr], template: str) -> None:
    def body(index: Index) -> None:
        full = {**at, **dict(zip(order, index, strict=True))}
        element = read(tuple(full[axis] for axis in range(len(lengths))))
        low.emit(Assign((name,), (apply(template, Name(name), _simple_if_repeated(low, element, template)),), low.where))

    low.nest([lengths[axis] for axis in order], body)


def _contract(low: Cpu, node: Equation) -> None:
    (a, b), (out,) = node.ins, node.outs
    named, _, result = node.params["spec"].partition("->")
    first, second = named.split(",")
    sizes: dict[str, Dim] = {}
    for letters_, atom in ((first, a), (second, b)):
        sizes.update(zip(letters_, atom.type.shape, strict=True))
    summed = "".join(letter for letter in sizes if letter not in result)
    for letters_, atom in ((first, a), (second, b)):
        if not atom.type.shape:
            low.scalar_name(atom)
        elif set(letters_) != set(sizes):
            low.settled(atom)
    matrices = (len(first), len(second), len(summed), len(result)) == (2, 2, 1, 2) and out.type.dtype.kind in "fc"
    if matrices:
        for atom in (a, b):
            _matrix(low, atom)
    reads = low.reads(a, b)
    read_a, read_b = low.reader(a), low.reader(b)
    letters_all = result + summed

    def element(index: Index) -> Expr:
        at = dict(zip(letters_all, index, strict=True))
        return apply("a * b", read_a(tuple(at[letter] for letter in first)), read_b(tuple(at[letter] for letter in second)))

    if not summed:
        cheap = low.is_cheap(a) and low.is_cheap(b)
        if not result:
            low.define(out, element(()), reads)
        else:
            low.lazy(out, element, reads, free=False, cheap=cheap, heavy=_is_heavy(low, a) or _is_heavy(low, b))
        return
    low.sums = low.sums or out.type.dtype.kind in "fc"
    if matrices:
        _matmul(low, node, out, (first, second, result, summed), sizes, element)
        return
    order = loop_order(first, second, result, summed)
    numbers = tuple(letters_all.index(letter) for letter in order)
    axes = tuple(range(len(result), len(letters_all)))
    fold(low, out, tuple(sizes[letter] for letter in letters_all), numbers, axes, element, _typed(low, 0, out.type), "a + b", reads)


def _matmul(low: Cpu, node: Equation, out: Var, names: tuple[str, str, str, str], sizes: dict[str, Dim], element: Callable[[Index], Expr]) -> None:
    """A product of two matrices: by BLAS if it is large, else in loops whose innermost runs along rows."""
    first, second, result, summed = names
    left, right = (_matrix(low, atom) for atom in node.ins)
    letters_ = (first, second)
    if result[0] not in first:  # out = (a b).T = b.T a.T
        left, right, letters_ = right, left, (second, first)
    slot = low.allocate(out)
    rows, columns, inner = (low.dim(sizes[letter]) for letter in (result[0], result[1], summed))
    args: tuple[Expr, ...] = (
        integer(ord({"f4": "s", "f8": "d", "c8": "c", "c16": "z"}[out.type.dtype.str[1:]])), rows, inner, columns, Name(left[0].name), _flag((letters_[0][0] == summed) != left[1]),
        Name(right[0].name), _flag((letters_[1][0] != summed) != right[1]), Name(slot.name),
    )
    low.module.helpers.setdefault("matmul")
    zero = _typed(low, 0, out.type)
    order = "".join(letter for letter in loop_order(first, second, result, summed))
    with low.body() as loops:
        low.nest([rows, columns], lambda index: low.emit(Store(slot.name, index, zero, where=low.where)))

        def body(index: Index) -> None:
            at = dict(zip(order, index, strict=True))
            target = (at[result[0]], at[result[1]])
            value = apply("a + b", Load(slot.name, target), element((*target, at[summed])))
            low.emit(Store(slot.name, target, value, where=low.where))

        low.nest([low.dim(sizes[letter]) for letter in order], body)
    large = Op("a > b", (_times(_times(rows, columns), inner), integer(BLAS_FROM)))
    low.emit(IfElse(large, (CallKernel((), "matmul", args, low.where, (slot.name,)),), tuple(loops), low.where))
    slot.written = True
    low.occupy(slot, out)


BLAS_FROM = 100_000
"""Multiplications from which BLAS is worth its call (and, once, the import of SciPy)."""


def _matrix(low: Cpu, atom: Atom) -> tuple[Slot, bool]:
    """The storage of a matrix, and whether that holds its transpose."""
    binding = low.array(atom)
    if isinstance(binding, Lazy) and binding.transposed is not None:
        return binding.transposed, True
    return low.stored(atom), False


def _flag(value: bool) -> Expr:
    return Number(repr(value))


def _is_heavy(low: Cpu, atom: Atom) -> bool:
    binding = low.env.get(atom) if isinstance(atom, Var) and atom.type.shape else None
    return isinstance(binding, Lazy) and binding.heavy


def loop_order(first: str, second: str, result: str, summed: str) -> str:
    """The order of a product's loops: innermost the letter that walks most operands along their last axis."""

    def cost(letter: str) -> int:
        strided = sum(letter in named and not named.endswith(letter) for named in (first, second))
        return 4 * strided + (3 if letter in result and not result.endswith(letter) else 0) + (1 if letter in result else 0)

    inner = min(summed + result, key=cost)
    if inner in summed:
        return result + "".join(letter for letter in summed if letter != inner) + inner
    outer = "".join(letter for letter in result if letter != inner)
    return outer + summed + inner


def _empty(low: Cpu, node: Equation) -> None:
    low.occupy(low.allocate(node.outs[0]), node.outs[0])


def _grow(low: Cpu, node: Equation) -> None:
    tape, length = node.ins
    (out,) = node.outs
    wanted = low.scalar_name(length)
    old = low.dims(tape)
    slot = low.own(tape)
    if wanted != old[0]:
        zero = _typed(low, 0, out.type)
        longer = low.names.fresh(f"longer_{slot.name}")
        index = [low.names.open_index() for _ in old]
        place = tuple(Name(name) for name in index)
        copy: tuple[Statement, ...] = (Store(longer, place, Load(slot.name, place), where=low.where),)
        fill: tuple[Statement, ...] = (Store(longer, place, zero, where=low.where),)
        for axis, (name, bound) in reversed(list(enumerate(zip(index, old, strict=True)))):
            copy = (Loop(name, integer(0), bound, integer(1), copy, low.where),)
            fill = (Loop(name, integer(0) if axis else bound, bound if axis else wanted, integer(1), fill, low.where),)
            low.names.close_index(name)
        body: tuple[Statement, ...] = (
            Alloc(longer, (wanted, *old[1:]), out.type.dtype, low.where), *copy, *fill,
            Assign((slot.name,), (Name(longer),), low.where, move=True),
        )
        low.emit(IfElse(Op("a > b", (wanted, old[0])), body, (), low.where))
        slot.rebound = True
    low.overwritten(slot, out)


def _shrink(low: Cpu, node: Equation) -> None:
    low.view(node.outs[0], node.ins[0], lambda index: index, node.ins[1:])


STRUCTURAL_ROWS: dict[str, Callable[[Cpu, Equation], None]] = {
    "broadcast": _broadcast, "transpose": _transpose, "retype": _same, "copy": _same, "reshape": _reshape, "getitem": _getitem,
    "setitem": _setitem, "additem": _additem, "reduce_sum": reduction(0, "a + b"), "reduce_prod": reduction(1, "a * b"),
    "reduce_any": reduction(False, "a or b"), "reduce_all": reduction(True, "a and b"), "contract": _contract, "empty": _empty,
    "grow": _grow, "shrink": _shrink,
}
