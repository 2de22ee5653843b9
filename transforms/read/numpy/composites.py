"""NumPy functions that are compositions of others, and need more than plain NumPy says (`composed`): deviations without nan, counts, convolution, …"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.linalg import LinAlgError

from s2s.errors import ArgumentTypeError, ArgumentValueError, UnknownSizeError
from s2s.transforms.ir.program import If
from s2s.transforms.primitives import indexing, rows
from s2s.transforms.primitives.row import Primitive
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.numpy.arithmetic import add, compare, maximum, multiply
from s2s.transforms.read.numpy.axes import normal_axis
from s2s.transforms.read.numpy.broadcasting import spread
from s2s.transforms.read.numpy.building import Operand, building, current_builder, has_value, refuse, unsupported
from s2s.transforms.read.numpy.common import agreed, as_dim, as_length, cast, filled, iota, lift, reshape, retyped, strong
from s2s.transforms.read.numpy.diagonals import band
from s2s.transforms.read.numpy.elementwise import conj
from s2s.transforms.read.numpy.linalg import square_matrices
from s2s.transforms.read.numpy.products import dot, matmul
from s2s.transforms.read.numpy.reductions import max_, min_, sum_
from s2s.transforms.read.numpy.search import nonzero
from s2s.types import BOOL, FLOAT64, INT64, Literal, Var, dim_atom, is_whole


def bincount(x: Operand, weights: Operand = None, minlength: Operand = 0) -> Value:
    """np.bincount: how often each number occurs, or the sum of its weights."""
    places = cast(lift(x), INT64)
    if places.ndim != 1 or not is_whole(lift(x).dtype):
        raise ArgumentValueError("np.bincount takes a vector of integers", where=places.builder.where)
    builder = places.builder
    if isinstance(minlength, int) and minlength < 0:
        raise ArgumentValueError("'minlength' must not be negative", where=builder.where)
    if has_value(minlength) and not builder.proves_at_least(lift(minlength).atom, 0):
        builder.check(compare(">=", minlength, 0).atom, "ValueError", "'minlength' must not be negative")
    largest = max_(places, initial=-1)
    smallest = min_(places, initial=0)
    builder.check(rows.greater_equal(smallest, smallest.like(0)).atom, "ValueError", "'list' argument must have no negative elements")
    size = maximum(add(largest, 1), as_number(minlength))
    total = filled(builder, 0, INT64 if weights is None else FLOAT64, (as_dim(size),))
    terms = places.like(1)
    if weights is not None:
        if lift(weights).dtype.kind == "c":
            raise ArgumentTypeError(f"Cannot cast array data from {lift(weights).dtype!r} to {FLOAT64!r} according to the rule 'safe'", where=builder.where)
        terms = cast(lift(weights), FLOAT64)
        agreed(builder, [places.shape[0], terms.shape[0]], "The weights and list don't have the same length.")
        terms = retyped(terms, places.shape)
    return indexing.additem(total, terms, places, index=(indexing.Take(),))


def as_number(number: Operand) -> Value:
    """An integer as an int64 scalar."""
    return cast(lift(number), INT64)


# ---- chains of products, grids -------------------------------------------------------------------------------------------------


def multi_dot(arrays: Sequence[Operand], *, out: Any = None) -> Value:
    """np.linalg.multi_dot: the products in the order that takes the fewest multiplications, as NumPy chooses it (with infinities the numbers depend on it)."""
    refuse("np.linalg.multi_dot", out=out)
    values = [lift(array) for array in arrays]
    if len(values) < 2:
        raise ArgumentValueError("Expecting at least two arrays.", where=current_builder().where)
    if len(values) == 2:
        return dot(*values)
    ends = values[0].ndim, values[-1].ndim
    values[0] = reshape(values[0], (1, *values[0].shape)) if ends[0] == 1 else values[0]
    values[-1] = reshape(values[-1], (*values[-1].shape, 1)) if ends[1] == 1 else values[-1]
    for value in values:
        if value.ndim != 2:
            raise LinAlgError(f"{value.ndim}-dimensional array given. Array must be two-dimensional")
    result = _product_of_three(*values) if len(values) == 3 else _product_in_order(values)
    return reshape(result, tuple(dim for dim, end in zip(result.shape, ends, strict=True) if end != 1))


def _product_of_three(a: Value, b: Value, c: Value) -> Value:
    (n, k), (m, p) = (tuple(Value(value.builder, dim_atom(dim)) for dim in value.shape) for value in (a, c))
    left_first = compare("<", multiply(multiply(n, m), add(k, p)), multiply(multiply(k, p), add(n, m)))
    if isinstance(left_first.atom, Literal):
        return dot(dot(a, b), c) if left_first.atom.value else dot(a, dot(b, c))
    builder, blocks = a.builder, []
    for product in (lambda: dot(dot(a, b), c), lambda: dot(a, dot(b, c))):
        inner = builder.inside()
        with building(inner):
            found = retyped(product(), (a.shape[0], c.shape[1]))
        blocks.append(inner.block(found.atom))
    then, orelse = blocks
    out = Var("product", found.type)
    builder.add(If((out,), left_first.atom, then, orelse, builder.where))
    return Value(builder, out)


def _product_in_order(values: list[Value]) -> Value:
    dims = [values[0].shape[0], *(value.shape[1] for value in values)]
    lengths = [dim for dim in dims if isinstance(dim, int)]
    if len(lengths) < len(dims):
        where = current_builder().where
        raise UnknownSizeError("np.linalg.multi_dot of four arrays or more, whose order goes by their sizes", where=where, instead="a @ b @ c @ d, in the order that suits")
    cost: dict[tuple[int, int], tuple[int, int]] = {(k, k): (0, k) for k in range(len(values))}
    for count_ in range(1, len(values)):
        for i in range(len(values) - count_):
            j = i + count_
            cost[i, j] = min((cost[i, k][0] + cost[k + 1, j][0] + lengths[i] * lengths[k + 1] * lengths[j + 1], k) for k in range(i, j))

    def product(i: int, j: int) -> Value:
        k = cost[i, j][1]
        return values[i] if i == j else dot(product(i, k), product(k + 1, j))

    return product(0, len(values) - 1)


def matrix_power(a: Operand, n: Any) -> Value:
    """np.linalg.matrix_power for a static exponent that is not negative."""
    value = lift(a)
    if not isinstance(n, int | np.integer) or n < 0:
        raise unsupported("np.linalg.matrix_power with a run-time or negative exponent is not supported", instead="a loop of products")
    squares = square_matrices(value)
    if n == 1:
        return value  # the array itself, as NumPy gives it
    value = squares
    if n == 0:
        return spread(cast(band(value, value.shape[-2], value.shape[-1], 0, rows.equal), value.dtype), value.shape)
    if n == 3:
        return matmul(matmul(value, value), value)
    result: Value | None = None
    power = value
    for place, bit in enumerate(reversed(f"{int(n):b}")):  # in NumPy's order: infinite numbers differ in others
        power = matmul(power, power) if place else power
        if bit == "1":
            result = power if result is None else matmul(result, power)
    return power if result is None else result


def vecdot(x1: Operand, x2: Operand, /, *, axis: int = -1) -> Value:
    """np.vecdot, np.linalg.vecdot."""
    x, y = strong(lift(x1)), strong(lift(x2))
    message = "vecdot: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n),(n)->() (size {} is different from {})"
    for number, value in enumerate((x, y)):
        if not value.ndim:
            raise ArgumentValueError(f"vecdot: Input operand {number} does not have enough dimensions", where=value.builder.where)
    place, other = normal_axis(axis, x.ndim), normal_axis(axis, y.ndim)
    size = agreed(x.builder, [x.shape[place], y.shape[other]], message, (dim_atom(y.shape[other]), dim_atom(x.shape[place])))
    x = retyped(x, (*x.shape[:place], size, *x.shape[place + 1 :]))
    y = retyped(y, (*y.shape[:other], size, *y.shape[other + 1 :]))
    if x.ndim != y.ndim and axis != -1:
        raise unsupported("vecdot along another axis than the last, of arrays of different ranks, is not supported", instead="np.moveaxis first")
    products = multiply(conj(x) if x.dtype.kind == "c" else x, y)
    total = sum_(products, axis=axis)
    return compare("!=", total, 0) if products.dtype == BOOL else cast(total, products.dtype)  # a sum of int32 is an int64, not so here


def _triangle_indices(comparison: Primitive) -> Callable[..., tuple[Value, ...]]:
    def apply(n: Operand, k: int = 0, m: Operand = None) -> tuple[Value, ...]:
        height, width = as_length(n), as_length(n if m is None else m)
        return nonzero(band(Value(current_builder(), dim_atom(height)), height, width, k, comparison))

    return apply


tril_indices, triu_indices = _triangle_indices(rows.greater_equal), _triangle_indices(rows.less_equal)


def _matrix(arr: Operand) -> Value:
    value = lift(arr)
    if value.ndim != 2:
        raise ArgumentValueError("input array must be 2-d", where=value.builder.where)
    return value


def tril_indices_from(arr: Operand, k: int = 0) -> tuple[Value, ...]:
    """np.tril_indices_from."""
    value = _matrix(arr)
    return nonzero(band(value, value.shape[-2], value.shape[-1], k, rows.greater_equal))


def triu_indices_from(arr: Operand, k: int = 0) -> tuple[Value, ...]:
    """np.triu_indices_from."""
    value = _matrix(arr)
    return nonzero(band(value, value.shape[-2], value.shape[-1], k, rows.less_equal))


def diag_indices(n: Operand, ndim: int = 2) -> tuple[Value, ...]:
    """np.diag_indices."""
    if isinstance(ndim, Value):
        raise unsupported("np.diag_indices with an ndim that is known only at run time is not supported", instead="a constant")
    return (iota(current_builder(), as_length(n)),) * ndim


COMPOSITES: dict[str, Callable[..., Any]] = {
    "numpy.bincount": bincount, "numpy.linalg.multi_dot": multi_dot,
    "numpy.linalg.matrix_power": matrix_power, "numpy.linalg.vecdot": vecdot, "numpy.vecdot": vecdot, "numpy.tril_indices_from": tril_indices_from,
    "numpy.triu_indices_from": triu_indices_from,
}  # fmt: skip
MAKERS: dict[str, Callable[..., Any]] = {
    "numpy.tril_indices": tril_indices, "numpy.triu_indices": triu_indices, "numpy.diag_indices": diag_indices,
}  # fmt: skip
