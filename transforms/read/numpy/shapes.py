"""Shapes: reshape, transpose, squeeze, flip, roll, diagonal, tril, … Most of them are views of their argument in NumPy:
`numpy_functions.VIEWS` says which, and how a view's new content goes back into the whole.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from s2s.errors import ArgumentValueError, ShapeError
from s2s.transforms.primitives import rows, sizes, structural
from s2s.transforms.primitives.arithmetic import not_equal
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.numpy.axes import axes_in_order, normal_axes, normal_axis
from s2s.transforms.read.numpy.broadcasting import broadcast_shape, spread
from s2s.transforms.read.numpy.building import Operand, current_builder, unsupported
from s2s.transforms.read.numpy.common import Shape, agreed, as_dim, as_shape, lift, product, sizes_of
from s2s.transforms.read.numpy.common import reshape as reshaped
from s2s.transforms.read.numpy.orders import check_order
from s2s.transforms.read.numpy.parts import get
from s2s.types import BOOL, INT64, Atom, Dim, Var, atom_dim, dim_atom, literal, size_literal


def reshape(a: Operand, shape: Any, order: str = "C", *, copy: bool | None = None) -> Value:
    """np.reshape, in C order; one dimension may be -1."""
    value = lift(a)
    _need_c_order("np.reshape", order, value)
    if isinstance(copy, str):
        raise ArgumentValueError("strings are not allowed for 'copy' keyword. Use True/False/None instead.", where=value.builder.where)
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
        (test,) = builder.equation(rows.greater_equal, (dim, size_literal(0)), name="fits")
        builder.check(test, "NotImplementedError", "a negative length for reshape that is known only at run time: write -1 where it stands for what is left")
        builder.know_size(dim)


def _need_c_order(function: str, order: str | None, value: Value) -> None:
    check_order(order)
    if order == "K" and function == "np.reshape":
        raise ArgumentValueError("order 'K' is not permitted for reshaping", where=value.builder.where)
    if order == "F":
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
        (test,) = builder.equation(rows.greater, (dim_atom(dim), literal(0, INT64)), name="fits")
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
    return rows.copy(ravel(a, order))


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
                value.builder.check(test, "NotImplementedError", f"np.squeeze drops an axis whose length turned out to be 1; name it: axis={k}", stretch=True)
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
