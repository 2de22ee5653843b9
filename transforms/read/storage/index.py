"""NumPy's indexing on Values: a key is read once into a `Reading`, which reads and writes the part that it selects.

    u[1:n - 1]     index=(Span(1),)          operands: 1, max(n - 2, 0)
    A[i, None, ::-1]   index=(At(), Span(-1))   operands: i, m - 1, m; the part is reshaped to (1, m)
    x[mask]        index=(Take(),)           operands: the positions where mask holds

Bounds of slices are clamped exactly as Python does, and simplified by what is known of sizes and loop indices, so that
slices of equal length have the same Var as their length. Negative static integers are counted from the front here;
run-time ones stay as they are (codegen checks and wraps what it can't prove).
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError, BoundsError, ShapeError
from s2s.transforms.ir.build import Builder
from s2s.transforms.primitives import indexing, sizes
from s2s.transforms.primitives.arithmetic import less, select
from s2s.transforms.primitives.indexing import At, Full, Index, Item, Span, Take
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.numpy.common import (
    Operand,
    Shape,
    agreed,
    as_integer,
    broadcast_shape,
    builder_of,
    cast,
    has_value,
    lift,
    reshape,
    result_type,
    retyped,
    row,
    spread,
    unsupported,
)
from s2s.types import BOOL, INT64, Atom, Dim, Literal, Var, atom_dim, dim_atom, size_literal


@dataclass(frozen=True)
class Reading:
    """What a key selects of an array: the rows' index and operands, and the shape in which the user sees the part.

    `shape` is `part` (what getitem gives) with the new axes of None put in. `basic`: NumPy makes it a view (or, if
    `element`, a scalar); otherwise a copy. `mask` is set for a key that is one bool array (and full slices).
    `strided`: a slice with a run-time step, read as positions: a view in NumPy, a copy here.
    """

    index: Index
    operands: tuple[Value, ...]
    part: Shape
    shape: Shape
    basic: bool
    element: bool
    mask: Value | None = None
    strided: bool = False


# ---- reading a key -----------------------------------------------------------------------------------------------------


def is_basic(key: Any) -> bool:
    """Whether a key selects a view (or an element): integers, slices, None and Ellipsis only."""
    items = key if isinstance(key, tuple) else (key,)
    return all(_is_basic_item(item) for item in items)


def _is_basic_item(item: Any) -> bool:
    if isinstance(item, Value):
        return item.ndim == 0 and item.dtype.kind == "i"
    if isinstance(item, slice):
        return not _has_run_time_step(item)
    return item is None or item is Ellipsis or (isinstance(item, int | np.integer) and not isinstance(item, bool))


def _has_run_time_step(item: slice) -> bool:
    return isinstance(item.step, Value) and not isinstance(item.step.atom, Literal)


def read_index(builder: Builder, shape: Shape, key: Any) -> Reading:
    """Read a key (integers, slices, None, Ellipsis, integer and bool arrays, tuples of them) for an array of this shape."""
    items = _expanded(builder, shape, key if isinstance(key, tuple) else (key,))
    state = _Reader(builder, shape)
    for item in items:
        state.read(item)
    state.basic = is_basic(key)
    return state.result(_lone_mask(key))


def _lone_mask(key: Any) -> Value | None:
    """The mask of a key like x[mask] or x[mask, ...], which a store can turn into a choice."""
    items = [item for item in (key if isinstance(key, tuple) else (key,)) if item is not Ellipsis]
    if len(items) == 1 and isinstance(items[0], Value | np.ndarray | list):
        value = lift(items[0])
        return value if value.dtype == BOOL and value.ndim else None
    return None


def _axes_of(item: Any) -> int:
    """How many axes an item of a key consumes."""
    if item is None or item is Ellipsis:
        return 0
    if isinstance(item, Value | np.ndarray) and item.dtype == BOOL:
        return item.ndim
    return 1


def _expanded(builder: Builder, shape: Shape, items: tuple[Any, ...]) -> list[Any]:
    """The items with lists made arrays and Ellipsis (or the end) made full slices."""
    items = tuple(_array_item(item) if isinstance(item, list | np.ndarray | range) else item for item in items)
    missing = len(shape) - sum(_axes_of(item) for item in items)
    if missing < 0:
        used = len(shape) - missing
        raise BoundsError(f"too many indices for array: array is {len(shape)}-dimensional, but {used} were indexed", where=builder.where)
    dots = [k for k, item in enumerate(items) if item is Ellipsis]
    if len(dots) > 1:
        raise BoundsError("an index can only have a single ellipsis ('...')", where=builder.where)
    place = dots[0] if dots else len(items)
    return [*items[:place], *(slice(None),) * missing, *items[place + 1 :]]


def _array_item(item: Any) -> Value | np.ndarray:
    """An index array; static masks stay static, so that their count is."""
    if not has_value(item) and np.asarray(item).dtype == BOOL and np.ndim(item):
        return np.asarray(item)
    return lift(item)


class _Reader:
    """Reads the items of a key from left to right."""

    def __init__(self, builder: Builder, shape: Shape) -> None:
        self.builder, self.shape = builder, shape
        self.axis = 0
        self.items: list[Item] = []
        self.operands: list[list[Value]] = []
        self.layout: list[str] = []
        """For each item of the key: 'new', 'kept' (a slice), 'at' or 'take'."""
        self.basic = True
        self.strided = False

    def read(self, item: Any) -> None:
        if item is None:
            self.layout.append("new")
        elif isinstance(item, slice):
            self._slice(item)
        elif isinstance(item, np.ndarray):
            self._static_mask(item)
        elif isinstance(item, Value) and item.ndim:
            self._array(item)
        elif isinstance(item, bool | np.bool_) or (isinstance(item, Value) and item.dtype == BOOL):
            raise unsupported("a single bool as an index is not supported", instead="np.where or an if")
        elif isinstance(item, Value | int | np.integer):
            self._position(item)
        else:
            raise BoundsError(
                "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid indices",
                where=self.builder.where, why=f"the index is {item!r:.60} of type {type(item).__name__}",
            )

    def _add(self, item: Item, operands: list[Value], layout: str) -> None:
        self.items.append(item)
        self.operands.append(operands)
        self.layout.append(layout)
        self.axis += 1

    def _position(self, item: Any) -> None:
        if isinstance(item, Value) and item.dtype.kind != "i":
            raise BoundsError(
                "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid indices",
                where=self.builder.where, instead="int(…)",
            )
        self._add(At(), [Value(self.builder, position(self.builder, self.shape[self.axis], as_integer(item), self.axis))], "at")

    def _slice(self, item: slice) -> None:
        dim = self.shape[self.axis]
        if _has_run_time_step(item):
            self.strided = True
            self._add(Take(), [run_time_steps(self.builder, dim, item)], "take")
            return
        bounds = slice_bounds(self.builder, dim, item)
        if bounds is None:
            self._add(Full(), [], "kept")
            return
        start, length, step = bounds
        self._add(Span(step), [Value(self.builder, start), Value(self.builder, length)], "kept")

    def _array(self, item: Value) -> None:
        item = lift(item)
        if item.dtype == BOOL:
            self._mask(item)
        elif item.dtype.kind == "i":
            self._add(Take(), [cast(item, INT64)], "take")
        else:
            raise BoundsError("arrays used as indices must be of integer (or boolean) type", where=self.builder.where)

    def _static_mask(self, mask: np.ndarray) -> None:
        self._masked_dims(mask.shape)
        for each in np.nonzero(mask):
            self._add(Take(), [lift(each)], "take")

    def _masked_dims(self, shape: Shape) -> Shape:
        """The axes that a mask of this shape covers, checked to be as long as the mask's."""
        dims: list[Dim] = []
        for offset, dim in enumerate(shape):
            axis = self.axis + offset
            message = (
                f"boolean index did not match indexed array along axis {axis}; size of axis is {{}} but size of corresponding boolean axis is {{}}"
            )
            dims.append(_same_index_size(self.builder, (self.shape[axis], dim), message))
        return tuple(dims)

    def _mask(self, mask: Value) -> None:
        mask = retyped(mask, self._masked_dims(mask.shape))
        _, *positions = row("where_true").outs(mask)
        for each in positions:
            self._add(Take(), [each], "take")

    def result(self, mask: Value | None) -> Reading:
        taken = any(isinstance(item, Take) for item in self.items)
        if self.strided and sum(kind in ("take", "at") for kind in self.layout) > 1:
            raise unsupported("a slice with a run-time step beside other integers is not supported", instead="index in two steps")
        if taken:
            self._broadcast_takes()
        operands = tuple(value for values in self.operands for value in values)
        index = tuple(self.items)
        part = indexing.part_shape(self.shape, tuple(value.atom for value in operands), index)
        element = not taken and not part and "new" not in self.layout and all(isinstance(item, At) for item in index)
        return Reading(index, operands, part, self._user_shape(part, taken), self.basic, element and bool(index), mask, self.strided)

    def _broadcast_takes(self) -> None:
        places = [k for k, item in enumerate(self.items) if isinstance(item, Take)]
        arrays = [self.operands[k][0] for k in places]
        try:
            shape = broadcast_shape(self.builder, [array.shape for array in arrays])
        except ShapeError as error:
            what = error.what.replace("operands", "indexing arrays", 1)
            raise BoundsError(f"shape mismatch: {what}", where=self.builder.where) from None
        for k, array in zip(places, arrays, strict=True):
            self.operands[k] = [spread(array, shape)]

    def _user_shape(self, part: Shape, taken: bool) -> Shape:
        """The part's shape with a 1 for each None."""
        if "new" not in self.layout:
            return part
        if not taken:
            rest = iter(part)
            return tuple(1 if kind == "new" else next(rest) for kind in self.layout if kind != "at")
        width = next(value[0].ndim for item, value in zip(self.items, self.operands, strict=True) if isinstance(item, Take))
        advanced = [k for k, kind in enumerate(self.layout) if kind in ("at", "take")]
        together = advanced == list(range(advanced[0], advanced[-1] + 1))
        without_new = [kind for kind in self.layout if kind != "new"]
        places = [k for k, kind in enumerate(without_new) if kind != "kept"]
        if together != (places == list(range(places[0], places[-1] + 1))):
            raise unsupported("None between two index arrays is not supported", instead="insert the axis with np.expand_dims afterwards")
        first = indexing.take_axis(tuple(self.items))
        kept = [*part[:first], *part[first + width :]]
        taken_dims, rest = part[first : first + width], iter(kept)
        shape: list[Dim] = [] if together else list(taken_dims)
        for k, kind in enumerate(self.layout):
            if together and k == advanced[0]:
                shape.extend(taken_dims)
            if kind == "new":
                shape.append(1)
            elif kind == "kept":
                shape.append(next(rest))
        return tuple(shape)


def _same_index_size(builder: Builder, pair: tuple[Dim, Dim], message: str) -> Dim:
    """Equality of an axis and its mask's axis: an IndexError where it fails."""
    a, b = pair
    if a is b or a == b:
        return b
    form = builder.known_form(dim_atom(a)) - builder.known_form(dim_atom(b))
    if not form.terms:
        if form.constant:
            raise BoundsError(message.format(a, b), where=builder.where)
        return a
    (test,) = builder.equation(row("equal"), (dim_atom(a), dim_atom(b)), name="fits")
    builder.check(test, "IndexError", message, dim_atom(a), dim_atom(b))
    builder.unify(a, b)
    return a


def position(builder: Builder, dim: Dim, atom: Atom, axis: int = 0) -> Atom:
    """An integer index: static negative ones counted from the front, static misfits refused."""
    if not isinstance(atom, Literal):
        return atom
    number = int(atom.value)  # type: ignore[arg-type]
    if isinstance(dim, int) and not -dim <= number < dim:
        raise BoundsError(f"index {number} is out of bounds for axis {axis} with size {dim}", where=builder.where)
    return sizes.plus(builder, dim_atom(dim), number) if number < 0 else size_literal(number)


# ---- slices --------------------------------------------------------------------------------------------------------------


def slice_bounds(builder: Builder, dim: Dim, item: slice) -> tuple[Atom, Atom, int] | None:
    """(start, length, step) of a slice of an axis, exactly as Python clamps them; None for the whole axis.

    The start is meaningless (but never negative when there are elements) where the length is 0.
    """
    step = _static_step(item.step)
    n = dim_atom(dim)
    lower = None if item.start is None else _bound(item.start)
    upper = None if item.stop is None else _bound(item.stop)
    if step > 0:
        start = size_literal(0) if lower is None else _from_front(builder, lower, n)
        stop = n if upper is None else _stop(builder, upper, n, start)
        extent = sizes.minus(builder, stop, start)
    else:
        start = sizes.minus(builder, n, 1) if lower is None else _last(builder, lower, n)
        stop = size_literal(-1) if upper is None else _past(builder, upper, n)
        extent = sizes.minus(builder, start, stop)
    length = _trips(builder, extent, abs(step))
    if step == 1 and isinstance(start, Literal) and start.value == 0 and builder.same_size(atom_dim(length), dim):
        return None
    if isinstance(length, Var):
        builder.facts.know(length, lower=(builder.form(0),), upper=(builder.form(n),))
    return start, length, step


def run_time_steps(builder: Builder, dim: Dim, item: slice) -> Value:
    """The positions start, start + step, … of a slice whose step is known only at run time."""
    from s2s.transforms.read.numpy.arithmetic import add, multiply

    n, step = dim_atom(dim), as_integer(item.step)
    if builder.proves_at_least(step, 1):
        start, extent = _forwards(builder, n, item)
    else:
        (test,) = builder.equation(row("not_equal"), (step, size_literal(0)), name="fits")
        builder.check(test, "ValueError", "slice step cannot be zero")
        start, extent = _either_way(builder, n, item, step)
        (step,) = builder.equation(select, (test, step, size_literal(1)), name="step")  # lengths are computed before a check
    length = sizes.larger(builder, sizes.quotient(builder, extent, step), 0)
    if isinstance(length, Var):
        builder.facts.know(length, lower=(builder.form(0),), upper=(builder.form(n),))
    steps = multiply(row("iota")(Value(builder, length)), Value(builder, step))
    return add(steps, Value(builder, start))


def _forwards(builder: Builder, n: Atom, item: slice) -> tuple[Atom, Atom]:
    """(start, what is divided by the step for the length) where the step is positive."""
    start = size_literal(0) if item.start is None else _from_front(builder, _bound(item.start), n)
    stop = n if item.stop is None else _stop(builder, _bound(item.stop), n, start)
    extent = sizes.plus(builder, sizes.minus(builder, stop, start), sizes.minus(builder, as_integer(item.step), 1))
    return start, sizes.larger(builder, extent, 0)


def _either_way(builder: Builder, n: Atom, item: slice, step: Atom) -> tuple[Atom, Atom]:
    """The same for a step of either sign: bounds are clamped to [0, n] on the way up, to [-1, n - 1] on the way down."""
    (down,) = builder.equation(less, (step, size_literal(0)), name="down")
    shift = builder.equation(select, (down, size_literal(-1), size_literal(0)), name="shift")[0]

    def chosen(one: Atom, two: Atom) -> Atom:
        return builder.equation(select, (down, one, two), name="bound")[0]

    def clamped(bound: Atom) -> Atom:
        if not builder.proves_at_least(bound, 0):
            (negative,) = builder.equation(less, (bound, size_literal(0)), name="negative")
            bound = builder.equation(select, (negative, sizes.plus(builder, bound, n), bound), name="bound")[0]
        return sizes.smaller(builder, sizes.larger(builder, bound, shift), sizes.plus(builder, n, shift))

    first, end = sizes.minus(builder, n, 1), size_literal(-1)
    start = chosen(first, size_literal(0)) if item.start is None else clamped(_bound(item.start))
    stop = chosen(end, n) if item.stop is None else clamped(_bound(item.stop))
    rounding = chosen(size_literal(1), size_literal(-1))  # to whole steps, away from 0
    extent = sizes.plus(builder, sizes.minus(builder, stop, start), sizes.plus(builder, step, rounding))
    return start, extent


def _static_step(step: Any) -> int:
    if step is None:
        return 1
    atom = as_integer(step)
    assert isinstance(atom, Literal)
    if atom.value == 0:
        raise ShapeError("slice step cannot be zero", where=builder_of(step).where)
    return int(atom.value)  # type: ignore[arg-type]


def _bound(bound: Operand) -> Atom:
    value = lift(bound)
    if value.ndim or value.dtype.kind != "i":
        raise ArgumentTypeError("slice indices must be integers or None or have an __index__ method", where=value.builder.where, instead="int(…)")
    return as_integer(value)


def _trips(builder: Builder, extent: Atom, step: int) -> Atom:
    """How many steps fit: max(ceil(extent / step), 0)."""
    if step == 1:
        return sizes.larger(builder, extent, 0)
    return sizes.quotient(builder, sizes.larger(builder, sizes.plus(builder, extent, step - 1), 0), size_literal(step))


def _below_zero_by(builder: Builder, bound: Atom, n: Atom) -> int | None:
    """c if bound is known to be n - c with a constant c >= 0."""
    form = builder.known_form(n) - builder.known_form(bound)
    return form.constant if not form.terms and form.constant >= 0 else None


def _from_front(builder: Builder, bound: Atom, n: Atom) -> Atom:
    """A start, step > 0, clamped below (not above: the length is then 0 anyway)."""
    if builder.proves_at_least(bound, 0):
        return bound
    if builder.proves_at_least(-1, bound):
        return sizes.larger(builder, sizes.plus(builder, bound, n), 0)
    if _below_zero_by(builder, bound, n) in (1, 2):
        return sizes.larger(builder, bound, 0)
    return _wrapped(builder, bound, n, 0, n)


def _stop(builder: Builder, bound: Atom, n: Atom, start: Atom) -> Atom:
    """A stop, step > 0. Only max(stop - start, 0) is used of it, so that it need not be clamped where start excludes the difference."""
    if builder.proves_at_least(bound, 0):
        return sizes.smaller(builder, bound, n)
    if builder.proves_at_least(-1, bound):
        return sizes.plus(builder, bound, n)
    short = _below_zero_by(builder, bound, n)
    if short is not None and builder.proves_at_least(start, short - 2):
        return bound
    return _wrapped(builder, bound, n, 0, n)


def _last(builder: Builder, bound: Atom, n: Atom) -> Atom:
    """A start, step < 0, clamped to [-1, n - 1]."""
    last = sizes.minus(builder, n, 1)
    if builder.proves_at_least(bound, 0):
        return sizes.smaller(builder, bound, last)
    if builder.proves_at_least(-1, bound):
        return sizes.larger(builder, sizes.plus(builder, bound, n), -1)
    if _below_zero_by(builder, bound, n) == 1:
        return bound
    return _wrapped(builder, bound, n, -1, last)


def _past(builder: Builder, bound: Atom, n: Atom) -> Atom:
    """A stop, step < 0, clamped below at -1."""
    if builder.proves_at_least(bound, 0):
        return bound
    if builder.proves_at_least(-1, bound):
        return sizes.larger(builder, sizes.plus(builder, bound, n), -1)
    return _wrapped(builder, bound, n, -1, sizes.minus(builder, n, 1))


def _wrapped(builder: Builder, bound: Atom, n: Atom, lowest: int, highest: Atom) -> Atom:
    """A bound of unknown sign: max(bound + n, lowest) if bound < 0 else min(bound, highest)."""
    key = ("wrapped", builder.form(bound), builder.form(n), lowest)
    if key not in builder.numbered:
        (negative,) = builder.equation(less, (bound, size_literal(0)), name="negative")
        from_end = sizes.larger(builder, sizes.plus(builder, bound, n), lowest)
        (out,) = builder.equation(select, (negative, from_end, sizes.smaller(builder, bound, highest)), name="bound")
        builder.facts.know(out, lower=(builder.form(lowest),), upper=(builder.form(highest),))
        builder.numbered[key] = out
    return builder.numbered[key]


# ---- reading and writing parts ---------------------------------------------------------------------------------------------


def get(array: Operand, key: Any) -> Value:
    """array[key]."""
    value = lift(array)
    return get_part(value, read_index(value.builder, value.shape, key))


def store(array: Value, key: Any, value: Operand) -> Value:
    """The array's content after array[key] = value: the value is broadcast and cast as NumPy does."""
    array = lift(array)
    return store_part(array, read_index(array.builder, array.shape, key), value)


def get_part(array: Value, reading: Reading) -> Value:
    """The part of the array that was read; the array itself where that is the whole."""
    if all(isinstance(item, Full) for item in reading.index):
        return reshape(array, reading.shape)
    return reshape(indexing.getitem(array, *reading.operands, index=reading.index), reading.shape)


def store_part(array: Value, reading: Reading, value: Operand) -> Value:
    """The array with the part replaced by the value."""
    number = assigned(lift(value), array)
    if reading.mask is not None and number.ndim <= array.ndim - reading.mask.ndim:
        return _store_through_mask(array, reading.mask, number)
    part = reshape(_fitted(number, reading.shape), reading.part)
    return indexing.setitem(array, part, *reading.operands, index=reading.index)


def add_part(array: Value, reading: Reading, value: Operand) -> Value:
    """np.add.at: the array with the value added to the part, repeated positions added each time."""
    number = lift(value)
    if not np.can_cast(result_type(array, number).dtype, array.dtype, "same_kind"):
        raise ArgumentTypeError(f"Cannot cast {number.type} to {array.dtype} in np.add.at", where=array.builder.where)
    part = reshape(_fitted(cast(number, array.dtype), reading.shape), reading.part)
    return indexing.additem(array, part, *reading.operands, index=reading.index)


def _store_through_mask(array: Value, mask: Value, number: Value) -> Value:
    full = spread(reshape(mask, (*mask.shape, *(1,) * (array.ndim - mask.ndim))), array.shape)
    return row("select")(full, spread(_fitted_to_trailing(number, array, mask.ndim), array.shape), array)


def _fitted_to_trailing(number: Value, array: Value, leading: int) -> Value:
    trailing = array.shape[leading:]
    return _fitted(number, trailing) if number.ndim else number


def assigned(value: Value, array: Value) -> Value:
    """The value as an assignment casts it into the array's dtype."""
    if value.dtype.kind == "c" and array.dtype.kind != "c":
        raise ArgumentTypeError(
            f"a complex value can't be stored in an array of {array.dtype}", where=value.builder.where, instead="its .real"
        )
    return cast(value, array.dtype)


def _fitted(value: Value, shape: Shape) -> Value:
    """The value broadcast to exactly this shape, leading axes of length 1 dropped."""
    builder = value.builder
    while value.ndim > len(shape) and value.shape[0] == 1:
        value = reshape(value, value.shape[1:])
    if value.ndim > len(shape):
        raise _misfit(builder, value.shape, shape)
    whole = []
    for dim, own in zip(shape[len(shape) - value.ndim :], value.shape, strict=True):
        if isinstance(own, int) and own == 1:
            whole.append(dim)
            continue
        message = f"could not broadcast input array from shape {_text(value.shape)} into shape {_text(shape)}"
        pair = agreed(builder, [dim, own], message, _dim_values(value.shape, shape), stretch=True)
        whole.append(pair)
    fitted = retyped(value, tuple(own if isinstance(own, int) and own == 1 else dim for own, dim in zip(value.shape, whole, strict=True)))
    target = (*shape[: len(shape) - value.ndim], *whole)
    return retyped(spread(fitted, target), shape)


def _misfit(builder: Builder, shape: Shape, into: Shape) -> ShapeError:
    return ShapeError(f"could not broadcast input array from shape {shape} into shape {into}", where=builder.where)


def _text(shape: Shape) -> str:
    return "(" + ",".join("{}" for _ in shape) + ("," if len(shape) == 1 else "") + ")"


def _dim_values(*shapes: Shape) -> tuple[Atom, ...]:
    return tuple(dim_atom(dim) for shape in shapes for dim in shape)


__all__ = ["Reading", "add_part", "get", "get_part", "is_basic", "read_index", "store", "store_part"]
