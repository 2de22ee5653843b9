"""The cpu target's lowering of the rows that put arrays together, search them, or run along an axis."""
from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from s2s.codegen.language.expressions import Constant, Expr, Load, Name, Op, Operation, integer, plus, total
from s2s.codegen.language.notation import operation
from s2s.codegen.language.operations import ADD, CHOOSE, EQUAL, MULTIPLY, apply
from s2s.codegen.language.statements import ONE, ZERO, Alloc, Assign, CallKernel, IfElse, Loop, Raise, Store
from s2s.codegen.lowering.elementwise import in_its_dtype
from s2s.codegen.targets.cpu.elements import Index
from s2s.codegen.targets.cpu.products import fold, reduction
from s2s.codegen.targets.cpu.target import Cpu
from s2s.codegen.targets.cpu.views import positions
from s2s.transforms.ir.program import Equation
from s2s.transforms.primitives import rows
from s2s.transforms.primitives.row import Primitive
from s2s.types import BOOL, INT64, Array, Dim, Literal, is_integer, literal


def _concatenate(low: Cpu, node: Equation) -> None:
    *arrays, _ = node.ins
    (out,), axis = node.outs, node.params["axis"]
    slot = low.allocate(out)
    start: Expr = ZERO
    for array in arrays:
        read = low.elements.reader(array)

        def copy(index: Index, read: Callable[[Index], Expr] = read, start: Expr = start) -> None:
            place = (*index[:axis], plus(index[axis], start), *index[axis + 1:])
            low.out.emit(Store(slot.name, place, read(index), where=low.out.where))

        low.nest(low.dims(array), copy)
        start = plus(start, low.dim(array.type.shape[axis]))
    low.overwritten(slot, out)


def _pack(low: Cpu, node: Equation) -> None:
    slot = low.allocate(node.outs[0])
    for place, atom in zip(np.ndindex(node.params["shape"]), node.ins, strict=True):
        low.out.emit(Store(slot.name, tuple(map(integer, place)), low.scalar(atom), where=low.out.where))
    low.overwritten(slot, node.outs[0])


def _iota(low: Cpu, node: Equation) -> None:
    low.lazy(node.outs[0], lambda index: index[0], {}, free=True)


def _where_true(low: Cpu, node: Equation) -> None:
    (mask,), (count, *places) = node.ins, node.outs
    low.stored(mask)
    read = low.elements.reader(mask)
    slot = low.places.scalar_slot(count, consumed=True)
    low.flush(slot, except_for=(count,))
    low.out.emit(Assign((slot.name,), (ZERO,), low.out.where))
    more = Assign((slot.name,), (total((Name(slot.name), 1), constant=1),), low.out.where)
    low.nest(low.dims(mask), lambda index: low.out.emit(IfElse(read(index), (more,), (), low.out.where)))
    low.places.occupy(slot, count)
    arrays = [low.allocate(place) for place in places]
    position = low.names.fresh("place")
    low.out.emit(Assign((position,), (ZERO,), low.out.where))

    def note(index: Index) -> None:
        stores = tuple(Store(array.name, (Name(position),), at, where=low.out.where) for array, at in zip(arrays, index, strict=True))
        step = Assign((position,), (total((Name(position), 1), constant=1),), low.out.where)
        low.out.emit(IfElse(read(index), (*stores, step), (), low.out.where))

    low.nest(low.dims(mask), note)
    for array, place in zip(arrays, places, strict=True):
        low.overwritten(array, place)


def _nonempty(low: Cpu, dims: Sequence[Dim], message: str) -> None:
    """Refuse an axis of length 0, where the facts don't exclude it."""
    for dim in dims:
        if low.bounds.needs_check(Literal(0, Array(INT64)), dim):
            error = Raise("ValueError", (Constant(message),), low.out.where, stretch=False, late=False)
            low.out.emit(IfElse(Op(EQUAL, (low.dim(dim), ZERO)), (error,), (), low.out.where))


def _extreme(name: str, step: Operation, *, largest: bool) -> Callable[[Cpu, Equation], None]:
    def lower(low: Cpu, node: Equation) -> None:
        (source,), axes = node.ins, node.params["axes"]
        if not source.type.shape or not axes:
            reduction(0, step)(low, node)
            return
        _nonempty(low, [source.type.shape[axis] for axis in axes], f"zero-size array to reduction operation {name} which has no identity")
        dtype = source.type.dtype
        if dtype == BOOL:
            start: int | float | bool = not largest
        elif is_integer(dtype):
            start = int(np.iinfo(dtype).min if largest else np.iinfo(dtype).max)
        else:
            start = float("-inf") if largest else float("inf")
        order = tuple(range(source.type.ndim))
        fold(low, node.outs[0], source.type.shape, order, axes, low.elements.reader(source), low.number(literal(start, dtype)), step, low.places.reads(source))

    return lower


def _position_of(test: Operation, name: str) -> Callable[[Cpu, Equation], None]:
    def lower(low: Cpu, node: Equation) -> None:
        (source,), (out,), axis = node.ins, node.outs, node.params["axis"]
        _nonempty(low, [source.type.shape[axis]], f"attempt to get {name} of an empty sequence")
        low.stored(source)
        read = low.elements.reader(source)
        length = low.dim(source.type.shape[axis])
        kept = [low.dim(dim) for number, dim in enumerate(source.type.shape) if number != axis]
        where = low.out.where
        slot = low.allocate(out) if kept else low.places.scalar_slot(out, consumed=True)
        low.flush(slot, except_for=(out,))
        best, place = low.names.fresh("best"), low.names.fresh("place") if kept else slot.name

        def search(index: Index) -> None:
            def at(k: Expr) -> Expr:
                return read((*index[:axis], k, *index[axis:]))

            low.out.emit(Assign((best,), (at(ZERO),), where))
            low.out.emit(Assign((place,), (ZERO,), where))
            k = low.names.open_index()
            found = (Assign((best,), (at(Name(k)),), where), Assign((place,), (Name(k),), where))
            body = (IfElse(Op(test, (at(Name(k)), Name(best))), found, (), where),)
            low.out.emit(Loop(k, ONE, length, ONE, body, where))
            low.names.close_index(k)
            if kept:
                low.out.emit(Store(slot.name, index, Name(place), where=where))

        low.nest(kept, search)
        low.overwritten(slot, out)

    return lower


def _along(start: int, step: Callable[[Expr, list[Expr]], Expr], *, before: bool | None) -> Callable[[Cpu, Equation], None]:
    """A row that runs along an axis: `before` says whether an element is stored before or after the step (None: a param says)."""

    def lower(low: Cpu, node: Equation) -> None:
        (out,), axis = node.outs, node.params["axis"]
        first = node.params.get("exclusive", False) if before is None else before
        for atom in node.ins:
            low.elements.settled(atom)
        reads = low.elements.capture(node.ins)
        dims = low.dims(out)
        slot = low.allocate(out)
        running = low.names.fresh(low.naming.hint(out))

        def lane(index: Index) -> None:
            low.out.emit(Assign((running,), (low.number(literal(start, out.type.dtype)),), low.out.where))
            k = low.names.open_index()
            position = total((dims[axis], 1), (Name(k), -1), constant=-1) if node.params["reverse"] else Name(k)
            place = (*index[:axis], position, *index[axis:])
            with low.out.apart() as statements:
                change = Assign((running,), (in_its_dtype(out.type.dtype, step(Name(running), [read(place) for read in reads])),), low.out.where)
                store = Store(slot.name, place, Name(running), where=low.out.where)
                for statement in (store, change) if first else (change, store):
                    low.out.emit(statement)
            low.out.emit(Loop(k, ZERO, dims[axis], ONE, tuple(statements), low.out.where))
            low.names.close_index(k)

        low.nest([*dims[:axis], *dims[axis + 1:]], lane)
        low.overwritten(slot, out)

    return lower


def _sorted(low: Cpu, node: Equation) -> None:
    (source,), (out,), axis = node.ins, node.outs, node.params["axis"]
    read = low.elements.reader(source)
    dims = low.dims(out)
    slot = low.allocate(out)
    lane, order = low.names.fresh("lane"), low.names.fresh("order")
    low.module.helpers.setdefault("stable_order")
    helper = "stable_order_of_complex" if source.type.dtype.kind == "c" else "stable_order"
    low.module.helpers.setdefault(helper)
    low.out.emit(Alloc(lane, (dims[axis],), source.type.dtype, low.out.where))
    low.out.emit(Alloc(order, (dims[axis],), np.dtype(np.int64), low.out.where))

    def sort(index: Index) -> None:
        def at(k: Expr) -> Index:
            return (*index[:axis], k, *index[axis:])

        low.nest([dims[axis]], lambda k: low.out.emit(Store(lane, k, read(at(k[0] if dims[axis] != ONE else ZERO)), where=low.out.where)))
        low.out.emit(CallKernel((), helper, (Name(lane), Name(order)), low.out.where, (order,)))
        found = (lambda k: Load(lane, (Load(order, k),))) if node.primitive is rows.sort else (lambda k: Load(order, k))
        low.nest([dims[axis]], lambda k: low.out.emit(Store(slot.name, at(k[0]), found(k), where=low.out.where)))

    low.nest([*dims[:axis], *dims[axis + 1:]], sort)
    low.overwritten(slot, out)


def _searched(low: Cpu, node: Equation) -> None:
    (out,) = node.outs
    slot = low.allocate(out)
    low.module.helpers.setdefault("bisected")
    lanes = []
    for atom, name in zip(node.ins, ("points", "wanted"), strict=True):
        lane = low.names.fresh(name)
        lanes.append(Name(lane))
        low.out.emit(Alloc(lane, low.dims(atom), atom.type.dtype, low.out.where))
        read = low.elements.reader(atom)
        low.nest(low.dims(atom), lambda k, lane=lane, read=read: low.out.emit(Store(lane, k, read(k), where=low.out.where)))  # type: ignore[misc]
    after = ONE if node.params["side"] == "right" else ZERO
    low.out.emit(CallKernel((), "bisected", (*lanes, Name(slot.name), after), low.out.where, (slot.name,)))
    low.overwritten(slot, out)


def _last_writer(low: Cpu, node: Equation) -> None:
    array, value, *operands = node.ins
    (out,) = node.outs
    place = positions(low, array.type, operands, node.params["index"], raw=True)
    winner, number = low.names.fresh("winner"), low.names.fresh("number")
    low.out.emit(Alloc(winner, low.dims(array), np.dtype(np.int64), low.out.where))

    def count_up() -> None:
        low.out.emit(Assign((number,), (total((Name(number), 1), constant=1),), low.out.where))

    def mark(index: Index) -> None:
        low.out.emit(Store(winner, place(index), Name(number), where=low.out.where))
        count_up()

    yes, no = (low.number(literal(each, out.type.dtype)) for each in (1, 0))
    low.out.emit(Assign((number,), (ZERO,), low.out.where))
    low.nest(low.dims(value), mark)
    low.out.emit(Assign((number,), (ZERO,), low.out.where))
    if not out.type.shape:
        low.define(out, yes, {})
        return
    slot = low.allocate(out)

    def tell(index: Index) -> None:
        test = Op(EQUAL, (Load(winner, place(index)), Name(number)))
        low.out.emit(Store(slot.name, index, apply(CHOOSE, test, yes, no), where=low.out.where))
        count_up()

    low.nest(low.dims(value), tell)
    low.overwritten(slot, out)


def _typed_step(step: Operation) -> Callable[[Expr, list[Expr]], Expr]:
    return lambda running, elements: apply(step, running, *elements)


ROWS: dict[Primitive, Callable[[Cpu, Equation], None]] = {
    rows.concatenate: _concatenate, rows.pack: _pack, rows.iota: _iota, rows.where_true: _where_true,
    rows.reduce_max: _extreme("maximum", operation("a if a > b or a != a else b"), largest=True),
    rows.reduce_min: _extreme("minimum", operation("a if a < b or a != a else b"), largest=False),
    rows.argmax: _position_of(operation("a > b or (a != a and b == b)"), "argmax"),
    rows.argmin: _position_of(operation("a < b or (a != a and b == b)"), "argmin"),
    rows.cumsum: _along(0, _typed_step(ADD), before=False), rows.cumprod: _along(1, _typed_step(MULTIPLY), before=None),
    rows.recurrence: _along(0, _typed_step(operation("b * a + c")), before=True), rows.sort: _sorted, rows.argsort: _sorted, rows.searchsorted: _searched,
    rows.last_writer: _last_writer,
}

