"""Shapes: reshape, transpose, squeeze, flip, roll, diagonal, tril, … Most of them are views of their argument in NumPy:
`numpy_functions.VIEWS` says which, and how a view's new content goes back into the whole.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from s2s.errors import ArgumentValueError, ShapeError
from s2s.transforms.ir.build import Builder
from s2s.transforms.primitives import indexing, sizes, structural
from s2s.transforms.primitives.arithmetic import not_equal
from s2s.transforms.primitives.indexing import Full, Take
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.numpy.arithmetic import remainder
from s2s.transforms.read.numpy.common import (
    Operand,
    Shape,
    agreed,
    as_dim,
    as_integer,
    as_shape,
    axes_in_order,
    broadcast_shape,
    current_builder,
    filled,
    lift,
    normal_axes,
    normal_axis,
    product,
    row,
    sizes_of,
    spread,
    unsupported,
)
from s2s.transforms.read.numpy.common import reshape as reshaped
from s2s.transforms.read.storage.index import get
from s2s.types import BOOL, INT64, Atom, Dim, Literal, Var, atom_dim, dim_atom, literal, size_literal


def reshape(a: Operand, shape: Any, order: str = "C", *, copy: bool | None = None) -> Value:
    """np.reshape, in C order; one dimension may be -1."""
    value = lift(a)
    _need_c_order("np.reshape", order, value)
    given = sizes_of(shape)
    dims: list[Dim] = [as_dim(size, nonnegative=False) for size in given]
    for dim in dims:
        _refuse_unknown(value, dim)
    unknown = [k for k, dim in enumerate(dims) if isinstance(dim, int) and dim < 0]
    if len(unknown) > 1:
        raise ArgumentValueError("can only specify one unknown dimension", where=value.builder.where)
    if unknown:
        dims[unknown[0]] = _remaining(value, [dim for k, dim in enumerate(dims) if k != unknown[0]], unknown[0])
    else:
        dims = [as_dim(size) for size in given]
        _check_same_size(value, tuple(dims))
    return reshaped(value, _with_known_dims(value, tuple(dims)))


def _refuse_unknown(value: Value, dim: Dim) -> None:
    """A run-time -1 would stand for whatever is left."""
    builder = value.builder
    if isinstance(dim, Var) and not builder.proves_at_least(dim, 0):
        (test,) = builder.equation(row("greater_equal"), (dim, size_literal(0)), name="fits")
        builder.check(test, "NotImplementedError", "a negative length for reshape that is known only at run time: write -1 where it stands for what is left")
        builder.know_size(dim)


def _need_c_order(function: str, order: str | None, value: Value) -> None:
    if order in ("A", "K") and value.ndim > 1:
        raise unsupported(f"{function}(…, order={order!r}), which goes by the layout in memory, is not supported", instead="order='C'")
    if order not in (None, "C", "A", "K"):
        raise unsupported(f"{function}(…, order={order!r}) is not supported", instead="C order, or reshape the transpose")


def _with_known_dims(value: Value, dims: Shape) -> Shape:
    """The dims, those equal to one of the value's own written as that."""
    own = [dim for dim in value.shape if isinstance(dim, Var)]
    return tuple(dim if isinstance(dim, int) else next((each for each in own if value.builder.same_size(each, dim)), dim) for dim in dims)


def _remaining(value: Value, dims: list[Dim], place: int) -> Dim:
    """The dimension that -1 at this place stands for: the value's size divided by that of the others, common factors cancelled."""
    builder = value.builder
    message, values = _misfit(value, [*dims[:place], -1, *dims[place:]])
    numerator, denominator = list(value.shape), list(dims)
    for dim in list(denominator):
        match_ = next((k for k, own in enumerate(numerator) if own is dim or own == dim or builder.same_size(own, dim)), None)
        if match_ is not None:
            numerator.pop(match_)
            denominator.remove(dim)
        _check_positive(value, dim, message, values)
    top, bottom = product(builder, tuple(numerator)), product(builder, tuple(dim for dim in denominator if dim != 0))
    if isinstance(top, int) and isinstance(bottom, int) and top % bottom == 0:
        return top // bottom
    if isinstance(bottom, int) and bottom == 1:
        return top
    whole = sizes.quotient(builder, dim_atom(top), dim_atom(bottom))
    again = sizes.times(builder, whole, dim_atom(bottom))
    agreed(builder, [top, atom_dim(again)], message, values)
    if isinstance(whole, Var):
        builder.know_size(whole)
    return atom_dim(whole)


def _misfit(value: Value, dims: Sequence[Dim]) -> tuple[str, tuple[Atom, ...]]:
    """NumPy's words for a shape that does not fit, with a `{}` for each of these numbers. -1 is "newaxis" there; where it comes first it is left out."""
    shown = list(dims)
    while shown and shown[0] == -1:
        shown.pop(0)
    text = ",".join("newaxis" if dim == -1 else "{}" for dim in shown) + ("," if len(dims) == 1 else "")
    numbers = [dim_atom(dim) for dim in shown if dim != -1]
    return f"cannot reshape array of size {{}} into shape ({text})", (dim_atom(product(value.builder, value.shape)), *numbers)


def _check_positive(value: Value, dim: Dim, message: str, values: tuple[Atom, ...]) -> None:
    builder = value.builder
    if isinstance(dim, int) and dim == 0:
        builder.check(literal(False, BOOL), "ValueError", message, *values)
    elif not builder.proves_at_least(dim_atom(dim), 1):
        (test,) = builder.equation(row("greater"), (dim_atom(dim), literal(0, INT64)), name="fits")
        builder.check(test, "ValueError", message, *values)
        if isinstance(dim, Var):
            builder.facts.know(dim, lower=(builder.form(1),))


def _check_same_size(value: Value, dims: Shape) -> None:
    builder = value.builder
    mine, theirs = list(value.shape), list(dims)
    for dim in list(theirs):
        place = next((k for k, own in enumerate(mine) if own is dim or own == dim or builder.same_size(own, dim)), None)
        if place is not None:
            mine.pop(place)
            theirs.remove(dim)
    mine, theirs = [d for d in mine if d != 1], [d for d in theirs if d != 1]
    if not mine and not theirs:
        return
    total, wanted = product(builder, value.shape), product(builder, dims)
    message, values = _misfit(value, dims)
    agreed(builder, [total, wanted], message, values)


def ravel(a: Operand, order: str = "C") -> Value:
    """np.ravel: all elements in C order."""
    value = lift(a)
    _need_c_order("np.ravel", order, value)
    return reshaped(value, (product(value.builder, value.shape),))


def flatten(a: Operand, order: str = "C") -> Value:
    """a.flatten(): a raveled copy."""
    return row("copy")(ravel(a, order))


def transpose(a: Operand, axes: Any = None) -> Value:
    """np.transpose."""
    value = lift(a)
    if axes is None:
        order = tuple(reversed(range(value.ndim)))
    else:
        order = axes_in_order(axes, value.ndim, message="repeated axis in transpose")
        if len(order) != value.ndim:
            raise ArgumentValueError("axes don't match array", where=value.builder.where)
    return value if order == tuple(range(value.ndim)) else structural.transpose(value, axes=order)


def swapaxes(a: Operand, axis1: int, axis2: int) -> Value:
    """np.swapaxes."""
    value = lift(a)
    order = list(range(value.ndim))
    first, second = normal_axis(axis1, value.ndim), normal_axis(axis2, value.ndim)
    order[first], order[second] = order[second], order[first]
    return transpose(value, order)


def moveaxis(a: Operand, source: Any, destination: Any) -> Value:
    """np.moveaxis."""
    value = lift(a)
    sources = axes_in_order(source, value.ndim, message="repeated axis in `source` argument")
    places = axes_in_order(destination, value.ndim, message="repeated axis in `destination` argument")
    if len(sources) != len(places):
        raise ArgumentValueError("`source` and `destination` arguments must have the same number of elements", where=value.builder.where)
    order = [axis for axis in range(value.ndim) if axis not in sources]
    for place, axis in sorted(zip(places, sources, strict=True)):
        order.insert(place, axis)
    return transpose(value, order)


def rollaxis(a: Operand, axis: int, start: int = 0) -> Value:
    """np.rollaxis: the axis comes to lie before `start`."""
    value = lift(a)
    first = normal_axis(axis, value.ndim)
    negative = isinstance(start, int) and -value.ndim <= start < 0
    place = normal_axis(start + value.ndim if negative else start, value.ndim + 1)
    order = [k for k in range(value.ndim) if k != first]
    order.insert(place - (first < place), first)
    return transpose(value, order)


def matrix_transpose(x: Operand) -> Value:
    """np.matrix_transpose: the last two axes swapped."""
    value = lift(x)
    if value.ndim < 2:
        raise ArgumentValueError(f"Input array must be at least 2-dimensional, but it is {value.ndim}", where=value.builder.where)
    return swapaxes(value, -1, -2)


def squeeze(a: Operand, axis: Any = None) -> Value:
    """np.squeeze: axes of length 1 dropped. That a run-time length is not 1 is checked, where no axis is named."""
    value = lift(a)
    if axis is None:
        drop = [k for k, dim in enumerate(value.shape) if isinstance(dim, int) and dim == 1]
        for k, dim in enumerate(value.shape):
            if isinstance(dim, Var):
                (test,) = value.builder.equation(not_equal, (dim, size_literal(1)), name="stays")
                value.builder.check(test, "ValueError", f"np.squeeze drops an axis whose length turned out to be 1; name it: axis={k}", stretch=True)
    else:
        drop = list(normal_axes(axis, value.ndim))
        for k in drop:
            agreed(value.builder, [1, value.shape[k]], "cannot select an axis to squeeze out which has size not equal to one")
    return reshaped(value, tuple(dim for k, dim in enumerate(value.shape) if k not in drop))


def expand_dims(a: Operand, axis: Any) -> Value:
    """np.expand_dims."""
    value = lift(a)
    count = len(axis) if isinstance(axis, tuple | list) else 1
    places = normal_axes(axis, value.ndim + count, lists=True)
    rest = iter(value.shape)
    return reshaped(value, tuple(1 if k in places else next(rest) for k in range(value.ndim + count)))


def broadcast_to(a: Operand, shape: Any, subok: bool = False) -> Value:
    """np.broadcast_to."""
    value, wanted = lift(a), as_shape(shape)
    found = broadcast_shape(value.builder, [wanted, value.shape])
    if len(found) != len(wanted) or any(dim != want and want == 1 for dim, want in zip(found, wanted, strict=True)):
        raise ShapeError(f"cannot broadcast an array of shape {value.shape} to {wanted}", where=value.builder.where)
    return spread(value, found)


def broadcast_arrays(*arrays: Operand) -> tuple[Value, ...]:
    """np.broadcast_arrays."""
    values = [lift(array) for array in arrays]
    shape = broadcast_shape(current_builder(), [value.shape for value in values])
    return tuple(spread(value, shape) for value in values)


def atleast_1d(*arrays: Operand) -> Any:
    """np.atleast_1d."""
    results = tuple(value if value.ndim else reshaped(value, (1,)) for value in map(lift, arrays))
    return results[0] if len(results) == 1 else results


def atleast_2d(*arrays: Operand) -> Any:
    """np.atleast_2d."""
    results = tuple(value if value.ndim > 1 else reshaped(value, (1, *(value.shape or (1,)))) for value in map(lift, arrays))
    return results[0] if len(results) == 1 else results


def atleast_3d(*arrays: Operand) -> Any:
    """np.atleast_3d."""
    results = tuple(_at_least_3d(lift(array)) for array in arrays)
    return results[0] if len(results) == 1 else results


def _at_least_3d(value: Value) -> Value:
    shapes = {0: lambda: (1, 1, 1), 1: lambda: (1, value.shape[0], 1), 2: lambda: (*value.shape, 1)}
    return reshaped(value, shapes[value.ndim]()) if value.ndim < 3 else value


def flip(m: Operand, axis: Any = None) -> Value:
    """np.flip."""
    value = lift(m)
    axes = normal_axes(axis, value.ndim, lists=True)
    return get(value, tuple(slice(None, None, -1) if k in axes else slice(None) for k in range(value.ndim)))


def fliplr(m: Operand) -> Value:
    """np.fliplr: axis 1 reversed."""
    return flip(m, 1)


def flipud(m: Operand) -> Value:
    """np.flipud: axis 0 reversed."""
    return flip(m, 0)


def rot90(m: Operand, k: int = 1, axes: tuple[int, int] = (0, 1)) -> Value:
    """np.rot90."""
    value = lift(m)
    if not isinstance(axes, tuple | list) or len(axes) != 2:
        raise ArgumentValueError("len(axes) must be 2.", where=value.builder.where)
    first, second = (normal_axis(axis, value.ndim) for axis in axes)
    if first == second:
        raise ArgumentValueError("Axes must be different.", where=value.builder.where)
    if isinstance(k, Value):
        raise unsupported("np.rot90 by a number of turns that is known only at run time is not supported", instead="an if for each of the four turns")
    match k % 4:
        case 0:
            return value
        case 1:
            return swapaxes(flip(value, second), first, second)
        case 2:
            return flip(flip(value, first), second)
        case _:
            return flip(swapaxes(value, first, second), second)


def roll(a: Operand, shift: Any, axis: Any = None) -> Value:
    """np.roll: by a static or run-time shift, along one axis, several, or the raveled array."""
    value = lift(a)
    if axis is None:
        return reshaped(roll(ravel(value), shift, 0), value.shape)
    axes = axis if isinstance(axis, tuple | list) else (axis,)
    shifts = shift if isinstance(shift, tuple | list) else (shift,)
    if isinstance(shift, Value) and shift.ndim:
        raise unsupported("np.roll by an array of run-time length is not supported", instead="one shift for each axis")
    if len(shifts) != len(axes) and 1 not in (len(shifts), len(axes)):
        raise ShapeError("'shift' and 'axis' should be scalars or 1D sequences", where=value.builder.where)
    count = 0 if 0 in (len(shifts), len(axes)) else max(len(shifts), len(axes))
    for number in range(count):
        value = _rolled(value, shifts[number % len(shifts)], normal_axis(axes[number % len(axes)], value.ndim))
    return value if count else row("copy")(value)


def _rolled(value: Value, shift: Any, axis: int) -> Value:
    """x[k:] then x[:k], k the (wrapped) place of the new first element."""
    from s2s.transforms.read.numpy.joining import concatenate

    builder, dim = value.builder, value.shape[axis]
    if isinstance(shift, int) and shift == 0 or isinstance(dim, int) and dim in (0, 1):
        return row("copy")(value)
    cut = _cut(value, shift, dim)
    before = (slice(None),) * axis
    parts = [get(value, (*before, slice(cut, None))), get(value, (*before, slice(None, cut)))]
    rolled = concatenate(parts, axis=axis)
    return structural.retype(rolled, *(Value(builder, dim_atom(d)) for d in value.shape)) if rolled.shape != value.shape else rolled


def _cut(value: Value, shift: Any, dim: Dim) -> Any:
    """(-shift) % dim; exact also where dim is 0."""
    builder = value.builder
    shift_atom, n = as_integer(shift), dim_atom(dim)
    amount = builder.form(shift_atom)
    if isinstance(dim, int) and not amount.terms:
        return -amount.constant % dim
    if not amount.terms and abs(amount.constant) == 1:
        return Value(builder, sizes.smaller(builder, 1, n) if amount.constant < 0 else sizes.larger(builder, sizes.minus(builder, n, 1), 0))
    length = sizes.larger(builder, n, 1)
    cut = remainder(Value(builder, sizes.minus(builder, 0, shift_atom)), Value(builder, length))
    if isinstance(cut.atom, Var):
        builder.facts.know(cut.atom, lower=(builder.form(0),), upper=(builder.form(n),))
    return cut


# ---- diagonals -----------------------------------------------------------------------------------------------------------


def diagonal_positions(value: Value, rows: Dim, columns: Dim, k: Operand) -> tuple[Value, Value]:
    """The row and column numbers of a diagonal; k may be of run time."""
    from s2s.transforms.read.numpy.arithmetic import add
    from s2s.transforms.read.numpy.creation import iota

    builder = value.builder
    below, right = _beside_the_diagonal(builder, k)
    height = sizes.minus(builder, dim_atom(rows), below)
    width = sizes.minus(builder, dim_atom(columns), right)
    length = sizes.larger(builder, sizes.smaller(builder, height, width), 0)
    if isinstance(length, Var):
        main = isinstance(below, Literal) and isinstance(right, Literal) and below.value == right.value
        builder.facts.know(length, lower=(builder.form(0),), upper=(builder.form(height), builder.form(width)) if main else ())
    count = iota(builder, atom_dim(length))
    first, second = (count if isinstance(start, Literal) and start.value == 0 else add(count, Value(builder, start)) for start in (below, right))
    return first, second


def _beside_the_diagonal(builder: Builder, k: Operand) -> tuple[Atom, Atom]:
    """How far diagonal k starts below the first row, and right of the first column: one of them is 0."""
    offset = as_integer(k)
    if isinstance(offset, Literal):
        number = int(offset.value)  # type: ignore[arg-type]
        return size_literal(max(-number, 0)), size_literal(max(number, 0))
    return sizes.larger(builder, sizes.minus(builder, 0, offset), 0), sizes.larger(builder, offset, 0)


def diagonal(a: Operand, offset: Operand = 0, axis1: int = 0, axis2: int = 1) -> Value:
    """np.diagonal: the diagonal's axis comes last."""
    value = lift(a)
    if value.ndim < 2:
        raise ArgumentValueError("diag requires an array of at least two dimensions", where=value.builder.where)
    first, second = normal_axis(axis1, value.ndim), normal_axis(axis2, value.ndim)
    if first == second:
        raise ArgumentValueError("axis1 and axis2 cannot be the same", where=value.builder.where)
    others = [k for k in range(value.ndim) if k not in (first, second)]
    value = transpose(value, [*others, first, second])
    index = (*(Full(),) * len(others), Take(), Take())
    return indexing.getitem(value, *diagonal_positions(value, value.shape[-2], value.shape[-1], offset), index=index)


def diag(v: Operand, k: Operand = 0) -> Value:
    """np.diag: a matrix with this diagonal, or the diagonal of a matrix."""
    value = lift(v)
    if value.ndim == 2:
        return diagonal(value, k)
    if value.ndim != 1:
        raise ArgumentValueError("Input must be 1- or 2-d.", where=value.builder.where)
    builder = value.builder
    below, right = _beside_the_diagonal(builder, k)
    size = atom_dim(sizes.plus(builder, dim_atom(value.shape[0]), sizes.plus(builder, below, right)))
    if isinstance(size, Var):
        builder.know_size(size)
    positions = diagonal_positions(value, size, size, k)
    zeros = filled(builder, 0, value.dtype, (size, size))
    positions = tuple(structural.retype(each, value.dim(0)) if each.shape != value.shape else each for each in positions)  # type: ignore[assignment]
    return indexing.setitem(zeros, value, *positions, index=(Take(), Take()))


def tril(m: Operand, k: Operand = 0) -> Value:
    """np.tril: zeros above diagonal k."""
    return _triangle(m, k, "greater_equal")


def triu(m: Operand, k: Operand = 0) -> Value:
    """np.triu: zeros below diagonal k."""
    return _triangle(m, k, "less_equal")


def _triangle(m: Operand, k: Operand, comparison: str) -> Value:
    value = lift(m)
    if value.ndim < 2:
        raise unsupported("np.tril and np.triu of a vector are not supported", instead="a matrix")
    kept = band(value, value.shape[-2], value.shape[-1], k, comparison)
    return row("select")(spread(kept, value.shape), value, value.like(0))


def band(value: Value, rows: Dim, columns: Dim, k: Operand, comparison: str) -> Value:
    """The matrix of bools i + k `comparison` j."""
    from s2s.transforms.read.numpy.arithmetic import add
    from s2s.transforms.read.numpy.common import aligned
    from s2s.transforms.read.numpy.creation import iota

    i, j = iota(value.builder, rows), iota(value.builder, columns)
    shifted = i if isinstance(k, int) and k == 0 else add(i, k)
    return row(comparison)(*aligned(reshaped(shifted, (rows, 1)), reshaped(j, (1, columns))))


# ---- repeats -------------------------------------------------------------------------------------------------------------


def repeat(a: Operand, repeats: Any, axis: Any = None) -> Value:
    """np.repeat by one number: each element that many times."""
    value = ravel(a) if axis is None else lift(a)
    count = _one_count("np.repeat", repeats)
    place = 0 if axis is None else normal_axis(axis, value.ndim)
    shape = value.shape
    long = value.broadcast_to((*shape[: place + 1], count, *shape[place + 1 :]), tuple(k for k in range(value.ndim + 1) if k != place + 1))
    return reshaped(long, (*shape[:place], product(value.builder, (shape[place], count)), *shape[place + 1 :]))


def _one_count(function: str, count: Any) -> Dim:
    if isinstance(count, list | tuple) and len(count) == 1:
        (count,) = count
    if isinstance(count, list | tuple) or (isinstance(count, Value) and count.ndim):
        raise unsupported(f"{function} with several counts is not supported", instead="one count, or concatenate the parts")
    return as_dim(count)


def tile(A: Operand, reps: Any) -> Value:
    """np.tile."""
    value = lift(A)
    counts: list[Dim] = [as_dim(count) for count in sizes_of(reps)]
    ndim = max(len(counts), value.ndim)
    counts = [*(1,) * (ndim - len(counts)), *counts]
    shape = (*(1,) * (ndim - value.ndim), *value.shape)
    value = reshaped(value, shape)
    spread_shape = tuple(dim for pair in zip(counts, shape, strict=True) for dim in pair)
    long = value.broadcast_to(spread_shape, tuple(range(1, 2 * ndim, 2))) if ndim else value
    return reshaped(long, tuple(product(value.builder, pair) for pair in zip(counts, shape, strict=True)))


def pad(array: Operand, pad_width: Any, mode: str = "constant", *, constant_values: Any = 0) -> Value:
    """np.pad: constant, edge, wrap or reflect."""
    value = lift(array)
    widths = _pairs(pad_width, value.ndim)
    if mode == "constant":
        return _padded(value, widths, constant_values)
    if mode not in ("edge", "wrap", "reflect"):
        raise unsupported(f"np.pad(…, mode={mode!r}) is not supported", instead="'constant', 'edge', 'wrap' or 'reflect'")
    for axis, (low, high) in enumerate(widths):
        value = _extended(value, axis, low, high, mode)
    return value


def _pairs(given: Any, ndim: int) -> list[tuple[Any, Any]]:
    """How much is added before and behind each axis: numbers and pairs, broadcast to one pair for each axis."""
    if isinstance(given, dict):
        by_axis = {normal_axis(axis, ndim): width if isinstance(width, tuple) else (width, width) for axis, width in given.items()}
        return [by_axis.get(axis, (0, 0)) for axis in range(ndim)]
    rows = given if isinstance(given, tuple) else (given,)
    nested = [isinstance(row, tuple) for row in rows]
    if not any(nested):
        rows = (rows,)
    lengths = {len(row) if isinstance(row, tuple) else 0 for row in rows}
    if any(nested) and not all(nested) or len(lengths) > 1:
        raise ArgumentValueError("setting an array element with a sequence. The requested array has an inhomogeneous shape", where=current_builder().where)
    if not lengths <= {1, 2} or len(rows) not in (1, ndim):
        raise ShapeError(f"operands could not be broadcast together with the requested shape ({ndim},2) of pad_width", where=current_builder().where)
    pairs = [(row[0], row[-1]) for row in rows]
    if any(isinstance(width, int) and width < 0 for pair in pairs for width in pair):
        raise ArgumentValueError("index can't contain negative values", where=current_builder().where)
    return pairs * ndim if len(pairs) == 1 else pairs


def _padded(value: Value, widths: list[tuple[Any, Any]], constant: Any) -> Value:
    builder = value.builder
    shape, key = [], []
    for dim, (low, high) in zip(value.shape, widths, strict=True):
        first, last = dim_atom(as_dim(low)), dim_atom(as_dim(high))
        stop = sizes.plus(builder, first, dim_atom(dim))
        total = sizes.plus(builder, stop, last)
        if isinstance(total, Var):
            builder.facts.know(total, lower=(builder.form(dim_atom(dim)), builder.form(0)))
        shape.append(atom_dim(total))
        key.append((Value(builder, first), Value(builder, dim_atom(dim))))
    if isinstance(constant, list | tuple):
        raise unsupported("np.pad with several constant_values is not supported", instead="one number")
    whole = filled(builder, lift(constant), value.dtype, tuple(shape))
    operands = tuple(each for pair in key for each in pair)
    return indexing.setitem(whole, value, *operands, index=(indexing.Span(1),) * value.ndim) if value.ndim else value


def _extended(value: Value, axis: int, low: Any, high: Any, mode: str) -> Value:
    from s2s.transforms.read.numpy.joining import concatenate

    before, dim = (slice(None),) * axis, value.shape[axis]
    if not isinstance(low, int) or not isinstance(high, int) or not isinstance(dim, int) and mode == "wrap" and max(low, high) > 1:
        raise unsupported(f"np.pad(…, mode={mode!r}) with run-time widths is not supported", instead="concatenate the parts")

    def part(start: Any, stop: Any, step: int = 1) -> Value:
        return get(value, (*before, slice(start, stop, step)))

    def repeated(edge: Value, count: int) -> Value:
        return edge if count == 1 else repeat(edge, count, axis)

    parts = [value]
    if low:
        parts.insert(0, {"edge": lambda: repeated(part(0, 1), low), "wrap": lambda: part(-low, None), "reflect": lambda: part(low, 0, -1)}[mode]())
    if high:
        parts.append({"edge": lambda: repeated(part(-1, None), high), "wrap": lambda: part(0, high), "reflect": lambda: part(-2, -2 - high, -1)}[mode]())
    return concatenate(parts, axis=axis)

