"""NumPy's indexing on Values: a key is read once into a `Reading`, with which `parts.py` reads and writes what it selects.

    u[1:n - 1]     index=(Span(1),)          operands: 1, max(n - 2, 0)
    A[i, None, ::-1]   index=(At(), Span(-1))   operands: i, m - 1, m; the part is reshaped to (1, m)
    x[mask]        index=(Take(),)           operands: the positions where mask holds

Bounds of slices are clamped exactly as Python does, and simplified by what is known of sizes and loop indices, so that
slices of equal length have the same Var as their length. Negative static integers are counted from the front here;
run-time ones stay as they are (codegen checks and wraps what it can't prove).
"""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.errors import BoundsError, ShapeError
from s2s.records import dataclass
from s2s.transforms.ir.build import Builder
from s2s.transforms.primitives import indexing, rows, sizes
from s2s.transforms.primitives.indexing import At, Full, Index, Item, Span, Take
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.numpy.broadcasting import broadcast_shape, spread
from s2s.transforms.read.numpy.building import has_value, unsupported
from s2s.transforms.read.numpy.common import Shape, as_integer, cast, lift, refuse_doubtful, retyped
from s2s.transforms.read.numpy.slices import run_time_steps, slice_bounds
from s2s.types import BOOL, INT64, Atom, Dim, Literal, dim_atom, is_integer, size_literal


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
        return item.ndim == 0 and is_integer(item.dtype)
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
        return value if value.dtype == BOOL and value.ndim and 0 not in value.shape else None
    return None


def _axes_of(item: Any) -> int:
    """How many axes an item of a key consumes."""
    if item is None or item is Ellipsis:
        return 0
    if isinstance(item, Value | np.ndarray) and item.dtype == BOOL:
        return item.ndim
    return 1


def _is_single_bool(item: Any) -> bool:
    return isinstance(item, bool | np.bool_) or isinstance(item, Value) and item.dtype == BOOL and not item.ndim


def _expanded(builder: Builder, shape: Shape, items: tuple[Any, ...]) -> list[Any]:
    """The items with lists, and tuples among them, made arrays and Ellipsis (or the end) made full slices."""
    items = tuple(_array_item(list(item) if isinstance(item, tuple) else item) if isinstance(item, list | tuple | np.ndarray | range) else item for item in items)
    if any(map(_is_single_bool, items)):
        raise unsupported("a single bool as an index is not supported", instead="np.where or an if")
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
    """An index array; static masks stay static, so that their count is. A list without items is one of integers."""
    if isinstance(item, list) and not item:
        return lift(np.zeros(0, np.int64))
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
        if isinstance(item, Value) and not is_integer(item.dtype):
            refuse_doubtful(item)
            if item.dtype == BOOL:
                raise unsupported("a bool of run time among other indices: whether there is an item depends on it", instead="if: the one with it, the other without")
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
        elif is_integer(item.dtype):
            self._add(Take(), [cast(item, INT64)], "take")
        else:
            raise BoundsError("arrays used as indices must be of integer (or boolean) type", where=self.builder.where)

    def _static_mask(self, mask: np.ndarray) -> None:
        self._masked_dims(mask.shape)
        for each in np.nonzero(mask):
            self._add(Take(), [lift(each)], "take")

    def _masked_dims(self, shape: Shape) -> Shape:
        """The axes that a mask of this shape covers, checked to be as long as the mask's."""
        return masked_dims(self.builder, self.shape, self.axis, shape)

    def _mask(self, mask: Value) -> None:
        mask = retyped(mask, self._masked_dims(mask.shape))
        _, *positions = rows.where_true.outs(mask)
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
        first = indexing.take_axis(tuple(self.items))
        if first and not together:  # only None parts them: their axes are NumPy's first ones, and the part's in the middle
            raise unsupported("None between two index arrays behind a slice is not supported", instead="insert the axis with np.expand_dims afterwards")
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


def masked_dims(builder: Builder, dims: Shape, first: int, mask: Shape) -> Shape:
    """The axes from `first` on that a mask of this shape covers, checked to be as long as the mask's."""
    words = "boolean index did not match indexed array along axis {}; size of axis is {{}} but size of corresponding boolean axis is {{}}"
    return tuple(_same_index_size(builder, (dims[axis], dim), words.format(axis)) for axis, dim in enumerate(mask, first))


def _same_index_size(builder: Builder, pair: tuple[Dim, Dim], message: str) -> Dim:
    """Equality of an axis and its mask's axis: an IndexError where it fails. One of the mask's that is known to have no elements fits each axis, as in NumPy."""
    a, b = pair
    if a is b or b in (a, 0):
        return b
    form = builder.known_form(dim_atom(a)) - builder.known_form(dim_atom(b))
    if not form.terms:
        if form.constant:
            raise BoundsError(message.format(a, b), where=builder.where)
        return a
    (test,) = builder.equation(rows.equal, (dim_atom(a), dim_atom(b)), name="fits")
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
    if number >= 0:
        return size_literal(number)
    if number < -1:  # counted from the front it may be negative, and would count from the back once more; what is one before the front is found out of bounds
        _long_enough(builder, dim, -number, axis)
    return sizes.plus(builder, dim_atom(dim), number)


def _long_enough(builder: Builder, dim: Dim, least: int, axis: int) -> None:
    """An IndexError where an axis is shorter than an index counts from its end."""
    length = dim_atom(dim)
    if builder.proves_at_least(length, least):
        return
    (short,) = builder.equation(rows.less, (length, size_literal(least)), name="short")
    (fits,) = builder.equation(rows.logical_not, (short,), name="fits")
    builder.check(fits, "IndexError", f"index {-least} is out of bounds for axis {axis} with size {{}}", length)


__all__ = ["Reading", "is_basic", "masked_dims", "read_index"]
