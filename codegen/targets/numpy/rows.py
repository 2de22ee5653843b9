"""The numpy target's lowering of the structural rows."""
from __future__ import annotations

from collections.abc import Callable

from s2s.codegen.language.expressions import (
    Constant,
    Expr,
    Invoke,
    Length,
    Load,
    Name,
    Number,
    Op,
    Operation,
    Part,
    Slice,
    Tuple,
    Type,
    integer,
    plus,
    total,
)
from s2s.codegen.language.notation import operation
from s2s.codegen.language.operations import ADD, GREATER, LESS, MULTIPLY, apply, attribute, method
from s2s.codegen.language.statements import Assign, CallKernel, IfElse, Loop, Store
from s2s.codegen.lowering.lowered import Slot
from s2s.codegen.lowering.places import Lazy
from s2s.codegen.targets.numpy.target import ALL, COPY, NONE, WHOLE, Arrays
from s2s.records import replace
from s2s.transforms.ir.program import Equation
from s2s.transforms.primitives import rows
from s2s.transforms.primitives.contract import is_multiplication, letters, spread_over
from s2s.transforms.primitives.index import Take
from s2s.transforms.primitives.row import Primitive
from s2s.types import FLOAT64, INT64, Atom, Literal, Var, is_whole, literal


def _part(low: Arrays, base: Expr, items: tuple[Expr, ...], reverse: bool) -> Expr:
    result: Expr = base if all(item == ALL for item in items) else Load(base.id, items) if isinstance(base, Name) else Part(base, items)
    if reverse:
        reversals = list(low.reversals)
        while reversals[-1] == ALL:
            reversals.pop()
        result = Part(result, tuple(reversals))
    return result


def _getitem(low: Arrays, node: Equation) -> None:
    array, *operands = node.ins
    items, reverse = low.index(operands, node.params["index"], array)
    taken = any(isinstance(item, Take) for item in node.params["index"])
    part = _part(low, low.whole(array), items, reverse)
    low.bind(node.outs[0], part if taken else _kept(low, array, node.outs[0], part), low.places.reads(*node.ins), view=not taken and low.is_view(array))


def _kept(low: Arrays, source: Atom, out: Var, view: Expr) -> Expr:
    """A view of an array's expression in memory of its own, where the elements of that one are repeated and kept nowhere else."""
    return Op(COPY, (view,)) if out.type.shape and len(low.full(source)) < source.type.ndim and not low.is_view(source) else view


def _store(op: Operation | None) -> Callable[[Arrays, Equation], None]:
    def lower(low: Arrays, node: Equation) -> None:
        array, value, *operands = node.ins
        index = node.params["index"]
        if not index:
            new = apply(ADD, low.scalar(array), low.operand(value, (array,))) if op else low.scalar(value)
            low.define(node.outs[0], new, low.places.reads(array, value))
            return
        items, reverse = low.index(operands, index, array)
        expr: Expr
        if isinstance(value, Var) and value is array:
            slot = low.own(array)
            expr = Op(COPY, (Name(slot.name),))
        else:
            expr = low.operand(value, (array,))
            keep = [atom for atom in (value, *operands) if isinstance(atom, Var)]
            slot = low.own(array, keep=keep)
            binding = low.places.env.get(value) if isinstance(value, Var) and value.type.shape else None
            if isinstance(binding, Slot):
                expr = Name(binding.name)
            elif binding is not None and binding.free and slot in binding.reads:
                expr = Op(COPY, (expr,))  # NumPy itself is wrong for A[:, k] = A[1]: it misses some overlaps
        if reverse:
            expr = Part(expr if value.type.shape and value not in low.narrow else low.whole(value), low.reversals)
        if all(item == ALL for item in items) and len(index) > 1:
            items = (WHOLE,)
        if op and any(isinstance(item, Take) for item in index):
            place = items[0] if len(items) == 1 else Tuple(items)
            if len(items) == 1 and len(value.type.shape) > 1 and value in low.narrow:
                expr = low.whole(value)  # NumPy itself is wrong for add.at(vector, matrix of places, vector): it reads beyond the values
            low.out.emit(CallKernel((), "np.add.at", (Name(slot.name), _as_value(place), expr), low.out.where, (slot.name,)))
        else:
            low.out.emit(Store(slot.name, items, expr, op, low.out.where))
        low.overwritten(slot, node.outs[0])

    return lower


def _as_value(index: Expr) -> Expr:
    """An index outside of brackets: slices by name."""
    if isinstance(index, Slice):
        bounds = tuple(NONE if bound is None else bound for bound in (index.start, index.stop))
        return Invoke("slice", (*bounds, integer(index.step))) if index.step != 1 else Invoke("slice", bounds)
    return Tuple(tuple(_as_value(item) for item in index.items)) if isinstance(index, Tuple) else index


def _broadcast(low: Arrays, node: Equation) -> None:
    source, *_ = node.ins
    axes = node.params["axes"]
    (out,) = node.outs
    if (root := _with_axes_of_one(low, source, out, axes)) is not None:
        if low.live.counts[out] > 1 and not low.is_view(root):
            low.stored(root)
        own = frozenset(axis for axis in axes if axis >= out.type.ndim - root.type.ndim)
        low.bind(out, low.scalar(root), low.places.reads(root), view=low.is_view(root), full=own)
        return
    if source.type.shape and low.live.counts[out] > 1 and len(axes) < out.type.ndim and not low.is_view(source):
        low.stored(source)
    expr = low.scalar(source)
    items = [ALL if axis in axes else NONE for axis in range(out.type.ndim)]
    while items and items[0] == NONE:
        items.pop(0)
    if NONE in items:
        expr = Part(low.whole(source), tuple(items))
    named = isinstance(expr, Name | Number) or (isinstance(expr, Part) and isinstance(expr.base, Name))
    if not named and low.live.counts[out] > 1 and isinstance(source, Var):
        expr = Name(low.materialise(low.places.env[source]).name) if not items else expr  # type: ignore[arg-type]
    same = len(axes) == out.type.ndim
    full = frozenset(axes[axis] for axis in (range(len(axes)) if NONE in items else low.full(source)))
    if same:
        low.bind(out, expr, low.places.reads(source), view=low.is_view(source), full=full)
    elif isinstance(expr, Name | Number) or _scalar_or_view(low, source):
        low.narrow[out] = full
        low.places.bind_lazily(Lazy(out, low.out.where, low.places.reads(source), True, expr=expr))
    else:
        low.bind(out, expr, low.places.reads(source), view=False, full=full)


def _with_axes_of_one(low: Arrays, source: Atom, out: Var, axes: tuple[int, ...]) -> Atom | None:
    """What an array was reshaped from, where that has axes of length 1 for those along which it is repeated: NumPy repeats it by itself."""
    root = low.reshaped.get(source)  # type: ignore[arg-type]
    if root is None or not root.type.shape or not isinstance(low.places.env[source], Lazy) or not low.readable(root) or len(low.full(root)) < root.type.ndim:  # type: ignore[index]
        return None
    spread = tuple(dim if axis in axes else 1 for axis, dim in enumerate(out.type.shape))
    return root if (1,) * (out.type.ndim - root.type.ndim) + root.type.shape == spread else None


def _scalar_or_view(low: Arrays, source: Atom) -> bool:
    if not source.type.shape:
        return isinstance(source, Literal) or isinstance(low.places.binding(source), Slot)
    return low.is_view(source)


def _transpose(low: Arrays, node: Equation) -> None:
    (source,), (out,), axes = node.ins, node.outs, node.params["axes"]
    if not low.full(source):
        _repeat(low, source, out)
        return
    expr = low.whole(source)
    order = Tuple(tuple(integer(axis) for axis in axes))
    result = expr if axes == tuple(range(len(axes))) else apply(attribute("T"), expr) if len(axes) == 2 else Invoke("np.transpose", (expr, order))
    low.bind(out, _kept(low, source, out, result), low.places.reads(source), view=low.is_view(source))


def _repeat(low: Arrays, source: Atom, out: Var) -> None:
    """The one number that an array is made of stands for another one, too."""
    low.bind(out, low.scalar(source), low.places.reads(source), view=low.is_view(source), full=frozenset())


_RESHAPE = method("reshape")


def _reshape(low: Arrays, node: Equation) -> None:
    source, (out,) = node.ins[0], node.outs
    while source in low.reshaped and isinstance(low.places.env[source], Lazy) and low.readable(low.reshaped[source]):
        source = low.reshaped[source]
    low.reshaped[out] = source
    if source.type.shape == out.type.shape and source.type.shape and source is not node.ins[0]:
        low.rename(out, source)
        return
    node = replace(node, ins=(source, *node.ins[1:]))
    dims = tuple(low.scalar(atom) for atom in node.ins[1:])
    expr: Expr
    if (kept := _with_kept_axes(low, source, out)) is not None:
        low.bind(out, kept, low.places.reads(source), view=False)
        return
    if not node.ins[0].type.shape:
        expr = Invoke("np.reshape", (low.scalar(node.ins[0]), Tuple(dims)))
    elif dims:
        expr = Op(_RESHAPE, (low.whole(node.ins[0]), *dims))
    else:
        expr = Part(Op(_RESHAPE, (low.whole(node.ins[0]), Tuple(()))), (Tuple(()),))
    view = bool(node.ins[0].type.shape) and low.is_view(node.ins[0]) and bool(dims)
    low.bind(node.outs[0], _kept(low, node.ins[0], node.outs[0], expr), low.places.reads(*node.ins), view=view)


def _with_kept_axes(low: Arrays, source: Atom, out: Var) -> Expr | None:
    """np.sum(x, axis=1, keepdims=True) of a sum that gets back the axes it was taken along."""
    binding = low.places.env.get(source)  # type: ignore[arg-type]
    shape = low.kept_axes.get(source)  # type: ignore[arg-type]
    if shape is None or shape != out.type.shape or not isinstance(binding, Lazy) or not isinstance(binding.expr, Invoke):
        return None
    return replace(binding.expr, keywords=(*binding.expr.keywords, ("keepdims", Number(True))))


def _same(low: Arrays, node: Equation) -> None:
    source, (out,) = node.ins[0], node.outs
    if not out.type.shape:
        low.define(out, low.scalar(source), low.places.reads(source))
    else:
        low.rename(out, source)


Keywords = tuple[tuple[str, Expr], ...]


def _axes(axes: tuple[int, ...], rank: int) -> Keywords:
    if len(axes) == rank:
        return ()
    return (("axis", integer(axes[0]) if len(axes) == 1 else Tuple(tuple(map(integer, axes)))),)


def _reduce(function: str, *, typed: bool = False) -> Callable[[Arrays, Equation], None]:
    def lower(low: Arrays, node: Equation) -> None:
        (source,), (out,) = node.ins, node.outs
        axes = node.params["axes"]
        if not source.type.shape or not axes:
            _same(low, node)
            return
        keywords = _axes(axes, source.type.ndim)
        if typed and is_whole(out.type.dtype) and out.type.dtype != INT64:
            keywords = (*keywords, ("dtype", Type(out.type.dtype)))
        low.kept_axes[out] = tuple(1 if axis in axes else dim for axis, dim in enumerate(source.type.shape))
        low.bind(out, Invoke(function, (low.whole(source),), keywords), low.places.reads(source), view=False)

    return lower


_PRODUCTS = {spec: operation(text) for spec, text in {
    "i,i->": "a @ b", "ij,j->i": "a @ b", "i,ij->j": "a @ b", "ij,jk->ik": "a @ b", "ij,i->j": "a.T @ b", "i,ji->j": "b @ a",
    "ij,ik->jk": "a.T @ b", "ij,kj->ik": "a @ b.T", "i,j->ij": "np.outer(a, b)", "ij,kj->ki": "b @ a.T", "ij,jk->ki": "np.ascontiguousarray((a @ b).T)",
    "ij,ki->kj": "b @ a", "ij,ki->jk": "np.ascontiguousarray((b @ a).T)", "ij,ik->kj": "b.T @ a", "i,j->ji": "np.outer(b, a)", "j,ij->i": "b @ a",
    "bij,bjk->bik": "a @ b",
}.items()}  # fmt: skip


def _contract(low: Arrays, node: Equation) -> None:
    (a, b), (out,) = node.ins, node.outs
    spec = _canonical(node.params["spec"])
    first, second = low.whole(a), low.whole(b)
    read, plain = _as_they_lie(spec, first, second)
    if read in _PRODUCTS:
        spec, (first, second) = read, plain
    expr: Expr
    if spec in _PRODUCTS:
        expr = apply(_PRODUCTS[spec], first, second)
    elif is_multiplication(spec):
        named = letters(spec)
        expr = apply(MULTIPLY, *(_spread(value, operand, named[2]) for value, operand in zip((first, second), named, strict=False)))
    else:
        expr = Invoke("np.einsum", (Constant(spec), first, second))
    low.bind(out, expr, low.places.reads(a, b), view=False)


def _as_they_lie(spec: str, *values: Expr) -> tuple[str, list[Expr]]:
    """The product of matrices as they are, where their transposes stand: (a.T).T @ b is a @ b."""
    *named, result = letters(spec)
    plain = [_matrix_of(value) for value in values]
    first, second = (names if lies is value else names[::-1] for names, lies, value in zip(named, plain, values, strict=True))
    return _canonical(f"{first},{second}->{result}"), plain


def _matrix_of(value: Expr) -> Expr:
    """The matrix of whose transpose this is an expression, or the value."""
    return value.operands[0] if isinstance(value, Op) and value.operation == attribute("T") else value


def _spread(value: Expr, named: str, result: str) -> Expr:
    """An operand of a multiplication with axes of length 1 between its own."""
    places = spread_over(named, result) or ()
    if all(places):
        return value
    return Part(value, tuple(ALL if own else NONE for own in places)) if not isinstance(value, Name) else Load(value.id, tuple(ALL if own else NONE for own in places))


def _canonical(spec: str) -> str:
    """The letters renamed i, j, k, … in the order in which they come; a leading axis that all share is b."""
    names: dict[str, str] = {}
    first, second, result = letters(spec)
    if first and second and result and first[0] == second[0] == result[0] and min(map(len, (first, second, result))) > 2:
        names[first[0]] = "b"
    rest = iter("ijklmnopqrstuvwxyz")
    for letter in first + second + result:
        if letter not in names:
            names[letter] = next(rest)
    return "".join(names.get(letter, letter) for letter in spec)


def _empty(low: Arrays, node: Equation) -> None:
    low.places.occupy(low.allocate(node.outs[0]), node.outs[0])


def _grow(low: Arrays, node: Equation) -> None:
    tape, length = node.ins
    (out,) = node.outs
    old = low.dims(tape)
    wanted = low.scalar(length)
    slot = low.own(tape)
    if wanted != old[0]:
        more = total((wanted, 1), (old[0], -1))
        shape: Expr = Tuple((more, *old[1:])) if len(old) > 1 else more
        dtype = () if out.type.dtype == FLOAT64 else (Type(out.type.dtype),)
        longer = Invoke("np.concatenate", (Tuple((Name(slot.name), Invoke("np.zeros", (shape, *dtype)))),))
        low.out.emit(IfElse(Op(GREATER, (wanted, old[0])), (Assign((slot.name,), (longer,), low.out.where, move=True),), (), low.out.where))
        slot.rebound = True
    low.overwritten(slot, out)


def _shrink(low: Arrays, node: Equation) -> None:
    tape, length = node.ins
    old = low.dims(tape)
    wanted = low.scalar(length)
    slot = low.own(tape)
    if wanted != old[0]:
        shorter = Op(COPY, (Part(Name(slot.name), (Slice(None, wanted),)),))
        low.out.emit(IfElse(Op(LESS, (wanted, old[0])), (Assign((slot.name,), (shorter,), low.out.where, move=True),), (), low.out.where))
        slot.rebound = True
    low.overwritten(slot, node.outs[0])


def _concatenate(low: Arrays, node: Equation) -> None:
    *arrays, _ = node.ins
    axis = node.params["axis"]
    keywords = (("axis", integer(axis)),) if axis else ()
    low.bind(node.outs[0], Invoke("np.concatenate", (Tuple(tuple(low.whole(array) for array in arrays)),), keywords), low.places.reads(*arrays), view=False)


def _pack(low: Arrays, node: Equation) -> None:
    dtype = node.outs[0].type.dtype
    items: list[Expr] = [low.scalar(atom) for atom in node.ins]
    for length in node.params["shape"][:0:-1]:
        items = [Tuple(tuple(items[start : start + length])) for start in range(0, len(items), length)]
    low.bind(node.outs[0], Invoke("np.array", (Tuple(tuple(items)),), (("dtype", Type(dtype)),)),
             low.places.reads(*node.ins), view=False)


def _iota(low: Arrays, node: Equation) -> None:
    low.bind(node.outs[0], Invoke("np.arange", (low.scalar(node.ins[0]),)), low.places.reads(*node.ins), view=False)


def _where_true(low: Arrays, node: Equation) -> None:
    (mask,), (count, *places) = node.ins, node.outs
    slots = [low.places.slot(place) for place in places]
    found = Invoke("np.nonzero", (low.whole(mask),))
    low.out.emit(Assign(tuple(slot.name for slot in slots), (Part(found, (integer(0),)) if len(slots) == 1 else found,), low.out.where))
    low.assign(count, Length(slots[0].name, 0), consumed=True)
    for slot, place in zip(slots, places, strict=True):
        low.places.occupy(slot, place)


def _position_of(function: str) -> Callable[[Arrays, Equation], None]:
    def lower(low: Arrays, node: Equation) -> None:
        keywords = () if node.ins[0].type.ndim == 1 else (("axis", integer(node.params["axis"])),)
        low.bind(node.outs[0], Invoke(function, (low.whole(node.ins[0]),), keywords), low.places.reads(*node.ins), view=False)

    return lower


def _flipped(expr: Expr, axis: int, reverse: bool) -> Expr:
    if not reverse:
        return expr
    return Part(expr, (*(ALL,) * axis, Slice(None, None, -1)))


def _running(function: str) -> Callable[[Arrays, Equation], None]:
    def lower(low: Arrays, node: Equation) -> None:
        (source,), (out,), axis, reverse = node.ins, node.outs, node.params["axis"], node.params["reverse"]
        dtype = (("dtype", Type(out.type.dtype)),) if is_whole(out.type.dtype) and out.type.dtype != INT64 else ()
        keywords = (*(() if out.type.ndim == 1 else (("axis", integer(axis)),)), *dtype)
        read = low.whole(source)
        if not node.params.get("exclusive"):
            result = _flipped(Invoke(function, (_flipped(read, axis, reverse),), keywords), axis, reverse)
            low.bind(out, Op(COPY, (result,)) if reverse else result, low.places.reads(source), view=False)
            return
        slot = low.places.slot(out)
        full: tuple[Expr, ...] = (ALL,) * axis
        most = (*full, Slice(None, integer(-1)))
        rest = (*full, Slice(integer(1), None))
        low.out.emit(Assign((slot.name,), (Invoke("np.ones", (low.shape(out), Type(out.type.dtype))),), low.out.where))
        taken, given = (most, rest) if not reverse else (rest, most)
        value = _flipped(Invoke(function, (_flipped(Part(read, taken), axis, reverse),), keywords), axis, reverse)
        low.out.emit(Store(slot.name, given, value, where=low.out.where))
        low.places.occupy(slot, out)

    return lower


def _recurrence(low: Arrays, node: Equation) -> None:
    (out,), axis, reverse = node.outs, node.params["axis"], node.params["reverse"]
    a, b = (low.stored(atom) for atom in node.ins)
    slot = low.places.slot(out)
    low.out.emit(Assign((slot.name,), (Invoke("np.zeros", (low.shape(out), Type(out.type.dtype))),), low.out.where))
    k = low.names.open_index()
    length = low.dim(out.type.shape[axis])
    here: Expr = total((length, 1), (Name(k), -1), constant=-1) if reverse else Name(k)
    there = plus(here, integer(-1 if reverse else 1))
    full = (ALL,) * axis
    value = Op(operation("a * b + c"), (Load(a.name, (*full, here)), Load(slot.name, (*full, here)), Load(b.name, (*full, here))))
    body = (Store(slot.name, (*full, there), value, where=low.out.where),)
    low.out.emit(Loop(k, integer(0), plus(length, integer(-1)), integer(1), body, low.out.where))
    low.names.close_index(k)
    low.places.occupy(slot, out)


def _sorted(low: Arrays, node: Equation) -> None:
    keywords: Keywords = (("axis", integer(node.params["axis"])),)
    if node.primitive is rows.argsort:
        keywords = (*keywords, ("kind", Constant("stable")))
    low.bind(node.outs[0], Invoke(f"np.{node.primitive.name}", (low.whole(node.ins[0]),), keywords), low.places.reads(*node.ins), view=False)


def _searched(low: Arrays, node: Equation) -> None:
    points, wanted = (low.whole(atom) for atom in node.ins)
    side = (("side", Constant(node.params["side"])),)
    low.bind(node.outs[0], Invoke("np.searchsorted", (points, wanted), side), low.places.reads(*node.ins), view=False)


def _last_writer(low: Arrays, node: Equation) -> None:
    array, value, *operands = node.ins
    (out,) = node.outs
    items, _ = low.index(operands, node.params["index"], array)
    if not out.type.shape:
        low.define(out, low.number(literal(1, out.type.dtype)), {})
        return
    winner, order = low.names.fresh("winner"), low.names.fresh("order")
    count: Expr = integer(1)
    for length in low.dims(value):
        count = length if count == integer(1) else Op(MULTIPLY, (count, length))
    numbers = Op(_RESHAPE, (Invoke("np.arange", (count,)), low.shape(value)))
    low.out.emit(Assign((winner,), (Invoke("np.empty", (low.shape(array), Type(INT64))),), low.out.where))
    low.out.emit(Assign((order,), (numbers,), low.out.where))
    reverse = any(item != ALL for item in low.reversals)
    given: Expr = Part(Name(order), low.reversals) if reverse else Name(order)
    low.out.emit(Store(winner, items, given, where=low.out.where))
    same = Op(operation("(a == b).astype(c)"), (_part(low, Name(winner), items, reverse), Name(order), Type(out.type.dtype)))
    low.assign(out, same, consumed=True)


NUMPY_ROWS: dict[Primitive, Callable[[Arrays, Equation], None]] = {
    rows.broadcast: _broadcast, rows.transpose: _transpose, rows.retype: _same, rows.copy: _same, rows.checkpoint_name: _same, rows.stop_gradient: _same, rows.reshape: _reshape, rows.getitem: _getitem,
    rows.setitem: _store(None), rows.additem: _store(ADD), rows.reduce_sum: _reduce("np.sum", typed=True), rows.reduce_prod: _reduce("np.prod", typed=True), rows.sum_of_halves: _reduce("np.sum"), rows.prod_of_halves: _reduce("np.prod"),
    rows.reduce_max: _reduce("np.max"), rows.reduce_min: _reduce("np.min"), rows.reduce_any: _reduce("np.any"), rows.reduce_all: _reduce("np.all"),
    rows.contract: _contract, rows.empty: _empty, rows.grow: _grow, rows.shrink: _shrink, rows.concatenate: _concatenate, rows.pack: _pack, rows.iota: _iota,
    rows.where_true: _where_true, rows.argmax: _position_of("np.argmax"), rows.argmin: _position_of("np.argmin"), rows.cumsum: _running("np.cumsum"),
    rows.cumprod: _running("np.cumprod"), rows.recurrence: _recurrence, rows.sort: _sorted, rows.argsort: _sorted, rows.searchsorted: _searched,
    rows.last_writer: _last_writer,
}
