"""The cpu target's views and stores: rows that read or replace parts of arrays, or look at them in another shape."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice

from s2s.codegen.language.expressions import Constant, Expr, Load, Name, Op, Operation, as_int, integer, plus, total
from s2s.codegen.language.notation import operation
from s2s.codegen.language.operations import ADD, FLOOR_DIVIDE, GREATER, GREATER_EQUAL, LESS, LESS_EQUAL, MODULO, apply
from s2s.codegen.language.statements import ONE, ZERO, Alloc, Assign, IfElse, Loop, Raise, Statement, Store
from s2s.codegen.lowering.lowered import Slot
from s2s.codegen.lowering.places import Lazy
from s2s.codegen.lowering.storage import is_free
from s2s.codegen.targets.cpu.elements import Index
from s2s.codegen.targets.cpu.target import Cpu, times, typed
from s2s.transforms.ir.program import Equation
from s2s.transforms.primitives import rows
from s2s.transforms.primitives.index import At, Full, Span, Take, take_axis
from s2s.transforms.primitives.row import Primitive
from s2s.types import Array, Atom, Dim, Literal, Var, atom_dim


def _broadcast(low: Cpu, node: Equation) -> None:
    source, axes = node.ins[0], node.params["axes"]
    if not source.type.shape:
        low.elements.scalar_name(source)
    elif len(axes) < len(node.ins) - 1:
        low.elements.settled(source)
    low.view(node.outs[0], source, lambda index: tuple(index[axis] for axis in axes))


def _transpose(low: Cpu, node: Equation) -> None:
    axes = node.params["axes"]
    low.view(node.outs[0], node.ins[0], lambda index: tuple(index[axes.index(axis)] for axis in range(len(axes))))
    binding = low.places.env[node.outs[0]]
    if isinstance(binding, Lazy) and axes == (1, 0):
        binding.turned = low.elements.contiguous(node.ins[0])


def _same(low: Cpu, node: Equation) -> None:
    low.same(node.outs[0], node.ins[0])


def _reshape(low: Cpu, node: Equation) -> None:
    source, (out,) = node.ins[0], node.outs
    low.view(out, source, reshaped(low, out.type.shape, source.type.shape))


def reshaped(low: Cpu, outer: tuple[Dim, ...], inner: tuple[Dim, ...]) -> Callable[[Index], Index]:
    """From an index of one shape to that of another with as many elements, in C order."""
    kept_outer, kept_inner = ([axis for axis, dim in enumerate(dims) if dim != 1] for dims in (outer, inner))
    outer_dims, inner_dims = tuple(outer[axis] for axis in kept_outer), tuple(inner[axis] for axis in kept_inner)
    at_outer, at_inner = iter(kept_outer), iter(kept_inner)
    parts: list[tuple[list[int], list[int], Callable[[Index], Index]]] = []
    for number, other in _groups(low, outer_dims, inner_dims):
        axes, places = list(islice(at_outer, number)), list(islice(at_inner, other))
        moved: Callable[[Index], Index] = tuple
        if (number, other) != (1, 1):
            moved = partial(_regrouped, [low.dim(outer[axis]) for axis in axes], [low.dim(inner[axis]) for axis in places])
        parts.append((axes, places, moved))

    def place(index: Index) -> Index:
        result: list[Expr] = [ZERO] * len(inner)
        for axes, places, moves in parts:
            for axis, position in zip(places, moves(tuple(index[axis] for axis in axes)), strict=True):
                result[axis] = position
        return tuple(result)

    return place


def _regrouped(outer: Sequence[Expr], inner: Sequence[Expr], index: Index) -> Index:
    """From an index of axes of these lengths to that of others that hold as many elements."""
    flat: Expr = integer(0)
    for length, position in zip(outer, index, strict=True):
        flat = plus(times(flat, length), position)
    result: list[Expr] = []
    below: Expr = ONE
    for number, length in reversed(list(enumerate(inner))):
        row = flat if below == ONE else apply(FLOOR_DIVIDE, flat, below)
        result.append(row if number == 0 else apply(MODULO, row, length))
        below = times(below, length)
    return tuple(reversed(result))


def _groups(low: Cpu, outer: tuple[Dim, ...], inner: tuple[Dim, ...]) -> list[tuple[int, int]]:
    """How many axes of one shape, and of the other, hold the same elements: from left to right, few at a time."""
    first = _alike(outer, inner)
    last = _alike(outer[first:][::-1], inner[first:][::-1])
    one, other = outer[first : len(outer) - last], inner[first : len(inner) - last]
    ones, others = _within(low, one, other), _within(low, other, one)
    if others is not None:
        middle = [(1, number) for number in others]
    elif ones is not None:
        middle = [(number, 1) for number in ones]
    else:
        middle = [(len(one), len(other))] if one or other else []
    return [*((1, 1),) * first, *middle, *((1, 1),) * last]


def _within(low: Cpu, small: tuple[Dim, ...], large: tuple[Dim, ...]) -> list[int] | None:
    """For each long axis how many of the short ones are within it. Where they hold as many elements in all, and there are some, they do so for each of them: h // 2 and 2, within h."""
    numbers, at = [], 0
    for dim in large:
        fitting = (number for number in range(len(small) - at, 0, -1) if low.bounds.holds_product(dim, small[at : at + number]))
        number = next(fitting, 0)
        if not number:
            return None
        numbers.append(number)
        at += number
    return numbers if at == len(small) and numbers else None


def _alike(one: tuple[Dim, ...], other: tuple[Dim, ...]) -> int:
    """How many of the first axes are as long in both."""
    return next((number for number, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _getitem(low: Cpu, node: Equation) -> None:
    array, operands = node.ins[0], node.ins[1:]
    place = positions(low, array.type, operands, node.params["index"], raw=isinstance(low.array(array), Slot))
    if not low.elements.is_cheap(array) and any(isinstance(item, Take) for item in node.params["index"]):
        low.stored(array)
    low.view(node.outs[0], array, place, operands)
    binding, index = low.places.env[node.outs[0]], node.params["index"]
    leading = [item for item in index if isinstance(item, At)]
    if isinstance(binding, Lazy) and node.outs[0].type.shape and index == (*leading, *(Full(),) * (len(index) - len(leading))):
        storage = low.elements.contiguous(array)
        part = place(tuple(Name("?") for _ in node.outs[0].type.shape))[:len(leading)]
        if isinstance(storage, Name):
            binding.whole = Load(storage.id, part)
        elif storage is not None:
            binding.whole = Load(storage.array, (*storage.index, *part))


def positions(low: Cpu, type_: Array, operands: Sequence[Atom], index: tuple[object, ...], *, raw: bool) -> Callable[[Index], Index]:
    """From an index of array[index] to that of the array. Emits the checks of what isn't proven in bounds.

    `raw`: negative positions may stay, since a stored array's axis wraps them.
    """
    rest = iter(operands)
    parts: list[tuple[object, tuple[object, ...]]] = []
    taken = 0
    for axis, item in enumerate(index):
        match item:
            case At(inside):
                operand = next(rest)
                if inside:
                    low.bounds.trust(operand, type_.shape[axis])
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
    if isinstance(operand, Var) and not is_free(position):
        position = low.elements.scalar_name(operand)
    length = low.dim(dim)
    nonnegative = low.bounds.nonnegative(operand)  # before the check is made: with it, len(x) - 1 is
    if low.bounds.needs_check(operand, dim):
        last = low.bounds.is_last(operand, dim)
        low.out.emit(_refusal(low, position, length, axis, known_nonnegative=nonnegative, last=last))
    return position if raw or low.bounds.nonnegative(operand) else _wrapped(operand, position, length)


_FROM_EITHER_END = operation("a if a >= 0 else a + b")
_OUTSIDE = operation("not -b <= a < b")


def _wrapped(operand: Atom, position: Expr, length: Expr) -> Expr:
    if isinstance(operand, Literal):
        return plus(position, length) if int(operand.value) < 0 else position  # type: ignore[arg-type]
    return Op(_FROM_EITHER_END, (position, length))


def _refusal(low: Cpu, position: Expr, length: Expr, axis: int, *, known_nonnegative: bool, last: bool = False) -> IfElse:
    test = Op(LESS_EQUAL, (length, integer(0))) if last else Op(GREATER_EQUAL, (position, length)) if known_nonnegative else Op(_OUTSIDE, (position, length))
    if (value := as_int(position)) is not None:
        test = Op(LESS, (length, integer(-value))) if value < 0 else Op(LESS_EQUAL, (length, position))
    message = Constant(f"index {{}} is out of bounds for axis {axis} with size {{}}")
    return IfElse(test, (Raise("IndexError", (message, position, length), low.out.where, stretch=False, late=False),), (), low.out.where)


def _positions_taken(low: Cpu, operand: Atom, dim: Dim, axis: int, *, raw: bool) -> Callable[[Index], Expr]:
    """A Take's positions: all checked in a loop of their own, before anything is read or stored."""
    low.elements.settled(operand)
    if isinstance(binding := low.array(operand), Lazy) and not binding.free:
        low.materialise(binding)
    read = low.elements.reader(operand)
    length = low.dim(dim)
    if low.bounds.needs_check(operand, dim):
        low.nest(low.dims(operand), lambda index: low.out.emit(_refusal(low, read(index), length, axis, known_nonnegative=False)))
    if raw or low.bounds.nonnegative(operand):
        return read
    return lambda index: Op(_FROM_EITHER_END, (read(index), length))


def _setitem(low: Cpu, node: Equation) -> None:
    _store(low, node, None)


def _additem(low: Cpu, node: Equation) -> None:
    _store(low, node, ADD)


def _store(low: Cpu, node: Equation, op: Operation | None) -> None:
    array, value, *operands = node.ins
    index = node.params["index"]
    if not index:
        new = low.scalar(value)
        low.define(node.outs[0], apply(ADD, low.scalar(array), new) if op else new, low.places.reads(array, value))
        return
    place = positions(low, array.type, operands, index, raw=True)
    keep = [value] if isinstance(value, Var) and value is not array else []
    if keep and _store_product(low, node, place, op):
        return
    if not value.type.shape and isinstance(value, Var):
        read = low.elements.reader(value)
        slot = low.own(array, keep=keep)
    else:
        if isinstance(value, Var) and value.type.shape and any(isinstance(item, Take) for item in index):
            low.elements.settled(value)
        slot = low.own(array, keep=keep)
        binding = low.places.binding(value) if isinstance(value, Var) and value is not array else None
        if value is array:
            probe = tuple(Name(f"?{axis}") for axis in range(value.type.ndim))
            if place(probe) != probe:  # A[::-1] = A
                assert isinstance(array, Var)
                low.places.occupy(low.fresh_copy(array, slot), array)
        repeats = any(isinstance(item, Take) for item in index)  # a position written twice must not be read in between
        if isinstance(binding, Lazy) and slot in binding.reads and (binding.heavy or op or repeats or not low.in_step(slot.name, binding, place, low.dims(value))):
            low.materialise(binding)
        read = low.elements.reader(value)
    shape = low.dims(value)
    if op and value_is_zero(value):
        low.overwritten(slot, node.outs[0])
        return
    low.nest(shape, lambda inner: low.out.emit(Store(slot.name, place(inner), read(inner), op, low.out.where)))
    low.overwritten(slot, node.outs[0])


def _store_product(low: Cpu, node: Equation, place: Callable[[Index], Index], op: Operation | None) -> bool:
    """A product of matrices goes right into the contiguous part of the array where it belongs."""
    array, value, *operands = node.ins
    assert isinstance(value, Var)
    binding = low.places.env.get(value)
    if not isinstance(binding, Lazy) or binding.product is None or array.type.dtype != value.type.dtype or (op and low.live.after(value)):
        return False
    leading = _leading(low, array.type, node.params["index"], operands)
    if leading is None or len(leading) + 2 != array.type.ndim:
        return False
    slot = low.own(array, keep=[value])
    if low.places.env.get(value) is not binding or slot in binding.reads:
        return False
    low.places.binding(value)
    part = place((ZERO, ZERO))[:len(leading)]
    binding.product(slot, part, op is ADD)
    low.overwritten(slot, node.outs[0])
    low.places.pending.pop(value, None)
    if low.live.after(value):
        low.places.bind_lazily(Lazy(value, low.out.where, {slot: slot.version}, free=True, element=lambda index: Load(slot.name, (*part, *index)), whole=Load(slot.name, part)))
    return True


def _leading(low: Cpu, type_: Array, index: tuple[object, ...], operands: Sequence[Atom]) -> list[object] | None:
    """The Ats of an index that are followed by whole axes only; None if it is another one."""
    rest = list(operands)
    leading: list[object] = []
    for axis, item in enumerate(index):
        match item:
            case At() if len(leading) == axis:
                leading.append(rest.pop(0))
            case Full():
                pass
            case Span(1):
                start, length = rest.pop(0), rest.pop(0)
                if not isinstance(start, Literal) or start.value != 0 or not low.bounds.same(atom_dim(length), type_.shape[axis]):
                    return None
            case _:
                return None
    return leading


def value_is_zero(value: Atom) -> bool:
    """Whether adding it changes nothing but a sign of zero."""
    return isinstance(value, Literal) and value.value == 0


def _empty(low: Cpu, node: Equation) -> None:
    low.places.occupy(low.allocate(node.outs[0]), node.outs[0])


def _grow(low: Cpu, node: Equation) -> None:
    _resize(low, node, "longer", GREATER)


def _shrink(low: Cpu, node: Equation) -> None:
    _resize(low, node, "shorter", LESS)


def _resize(low: Cpu, node: Equation, adjective: str, changed: Operation) -> None:
    """A tape gets a new length: in most trips of its loop that is the one it has."""
    tape, length = node.ins
    (out,) = node.outs
    wanted = low.elements.scalar_name(length)
    old = low.dims(tape)
    slot = low.own(tape)
    if wanted != old[0]:
        new = low.names.fresh(f"{adjective}_{slot.name}")
        allocation = Alloc(new, (wanted, *old[1:]), out.type.dtype, low.out.where)
        move = Assign((slot.name,), (Name(new),), low.out.where, move=True)
        kept = old[0] if adjective == "longer" else wanted
        body: list[Statement] = [allocation, _filled(low, new, old, (integer(0), kept), lambda place: Load(slot.name, place))]
        if node.params.get("zeros"):
            zero = typed(low, 0, out.type)
            body.append(_filled(low, new, old, (kept, wanted), lambda place: zero))
        low.out.emit(IfElse(Op(changed, (wanted, old[0])), (*body, move), (), low.out.where))
        slot.rebound = True
    low.overwritten(slot, out)


def _filled(low: Cpu, array: str, shape: tuple[Expr, ...], first: tuple[Expr, Expr], value: Callable[[Index], Expr]) -> Statement:
    """Loops that give the elements of these rows their values."""
    index = [low.names.open_index() for _ in shape]
    place = tuple(Name(name) for name in index)
    body: Statement = Store(array, place, value(place), where=low.out.where)
    for axis, name in reversed(list(enumerate(index))):
        lo, hi = (integer(0), shape[axis]) if axis else first
        body = Loop(name, lo, hi, integer(1), (body,), low.out.where)
        low.names.close_index(name)
    return body



VIEWS: dict[Primitive, Callable[[Cpu, Equation], None]] = {
    rows.broadcast: _broadcast, rows.transpose: _transpose, rows.retype: _same, rows.copy: _same, rows.checkpoint_name: _same, rows.stop_gradient: _same, rows.reshape: _reshape, rows.getitem: _getitem,
    rows.setitem: _setitem, rows.additem: _additem, rows.empty: _empty, rows.grow: _grow, rows.shrink: _shrink,
}
