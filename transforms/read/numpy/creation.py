"""New arrays: zeros, full, array, astype, copy, and the dtype constructors."""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError, ArgumentValueError
from s2s.transforms.primitives import rows
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.numpy.broadcasting import broadcast_shape, spread
from s2s.transforms.read.numpy.building import Operand, current_builder, has_value, refuse, unsupported
from s2s.transforms.read.numpy.common import (
    Shape,
    agreed,
    array_of,
    as_shape,
    as_weak,
    cast,
    filled,
    lift,
    marked,
    product,
    reshape,
    static_call,
    strong,
    supported,
    truth,
)
from s2s.transforms.read.numpy.orders import check_order, need_c_order
from s2s.transforms.read.numpy.parts import get
from s2s.transforms.read.numpy.python_checks import check_integer, check_stored, refuse_as_python
from s2s.types import BOOL, COMPLEX128, FLOAT0, FLOAT64, INT64, dim_atom, kind_of


def zeros(shape: Any, dtype: Any = float, order: str = "C", *, like: Any = None) -> Value:
    """np.zeros."""
    need_c_order("np.zeros", order)
    if dtype == FLOAT0:
        return np.zeros((), FLOAT0)  # type: ignore[return-value]  # the tangent of an integer, which holds nothing
    return filled(current_builder(), 0, supported(dtype), as_shape(shape))


def ones(shape: Any, dtype: Any = float, order: str = "C", *, like: Any = None) -> Value:
    """np.ones."""
    need_c_order("np.ones", order)
    return filled(current_builder(), 1, supported(dtype or float), as_shape(shape))


def empty(shape: Any, dtype: Any = float, order: str = "C", *, like: Any = None) -> Value:
    """np.empty: to be written before it is read."""
    need_c_order("np.empty", order)
    return _empty(as_shape(shape), supported(dtype or float))


def ndarray(shape: Any, dtype: Any = float, buffer: Any = None, offset: int = 0, strides: Any = None, order: str | None = None) -> Value:
    """np.ndarray(shape): to be written before it is read."""
    if offset is None:
        raise ArgumentTypeError("'NoneType' object cannot be interpreted as an integer", where=current_builder().where)
    refuse("np.ndarray", instead="np.zeros(shape), or a view of an array", buffer=buffer, offset=offset or None, strides=strides)
    return empty(shape, dtype, "C" if order in (None, "A") else order)


def _empty(shape: Shape, dtype: np.dtype) -> Value:
    builder = current_builder()
    if not shape:
        return filled(builder, 0, dtype, ())
    return rows.empty(*(Value(builder, dim_atom(dim)) for dim in shape), dtype=dtype)


def full(shape: Any, fill_value: Operand, dtype: Any = None, order: str = "C", *, like: Any = None) -> Value:
    """np.full; of the fill value's dtype, if none is given."""
    need_c_order("np.full", order)
    number = lift(fill_value)
    wanted = supported(dtype) if dtype is not None else number.dtype
    return spread_to(cast(number, wanted), as_shape(shape))


def spread_to(value: Value, shape: Shape) -> Value:
    """The value broadcast to a shape; axes of size 1 in front may be too many."""
    extra = value.ndim - len(shape)
    if extra > 0 and all(dim == 1 for dim in value.shape[:extra]):
        value = reshape(value, value.shape[extra:])
    return spread(value, broadcast_shape(value.builder, [shape, value.shape])) if value.ndim else strong(value).broadcast_to(shape, ())


def _shape_like(prototype: Operand, shape: Any, order: Any) -> tuple[Value, Shape]:
    value = lift(prototype)
    check_order(order)
    return value, value.shape if shape is None else as_shape(shape)


def zeros_like(a: Operand, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None) -> Value:
    """np.zeros_like."""
    if dtype == FLOAT0:
        return np.zeros((), FLOAT0)  # type: ignore[return-value]
    value, dims = _shape_like(a, shape, order)
    return filled(value.builder, 0, supported(dtype) if dtype is not None else value.dtype, dims)


def ones_like(a: Operand, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None) -> Value:
    """np.ones_like."""
    value, dims = _shape_like(a, shape, order)
    return filled(value.builder, 1, supported(dtype) if dtype is not None else value.dtype, dims)


def empty_like(prototype: Operand, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None) -> Value:
    """np.empty_like."""
    value, dims = _shape_like(prototype, shape, order)
    return _empty(dims, supported(dtype) if dtype is not None else value.dtype)


def full_like(a: Operand, fill_value: Operand, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None) -> Value:
    """np.full_like."""
    value, dims = _shape_like(a, shape, order)
    return spread_to(cast(lift(fill_value), supported(dtype) if dtype is not None else value.dtype), dims)


def array(object: Operand, dtype: Any = None, *, copy: Any = True, order: str = "K", subok: bool = False, ndmin: int = 0, like: Any = None) -> Value:
    """np.array: new storage."""
    _refuse_without_copy(copy)
    value = asarray(object, dtype)
    if isinstance(object, Value) and value.atom is object.atom:
        value = rows.copy(value)
    return reshape(value, (*(1,) * (ndmin - value.ndim), *value.shape)) if value.ndim < ndmin else value


def asarray(a: Operand, dtype: Any = None, order: str | None = None, *, copy: Any = None, device: Any = None, like: Any = None) -> Value:
    """np.asarray: the argument itself if it is an array of the dtype."""
    _refuse_without_copy(copy)
    if copy:
        return array(a, dtype)
    wanted = None if dtype is None else supported(dtype)
    if wanted is not None and wanted.kind == "f":
        a = _nan_for_none(a)
    if isinstance(a, list | tuple | range):
        return array_of(a, wanted)
    value = lift(a)
    if wanted is None:
        return strong(value)
    return _strong_cast(check_stored(value, wanted) if value.type.weak else value, wanted)


def _refuse_without_copy(copy: Any) -> None:
    """An array without a copy is only made of an array, which `storage/views.py` does: of a number or a list it would be another one."""
    if copy is not None and not copy:
        raise ArgumentValueError(NO_COPY, where=current_builder().where)


def _no_copy_words() -> str:
    try:
        np.array([], copy=False)
    except ValueError as error:
        return str(error)
    return ""


NO_COPY = _no_copy_words()


def _nan_for_none(a: Any) -> Any:
    """What NumPy makes floats of: of None it makes nan."""
    if isinstance(a, list | tuple):
        return [_nan_for_none(each) for each in a]
    return math.nan if a is None else a


def ascontiguousarray(a: Operand, dtype: Any = None, *, like: Any = None) -> Value:
    """np.ascontiguousarray: as asarray, with an axis at least."""
    value = asarray(a, dtype)
    return value if value.ndim else reshape(value, (1,))


def _strong_cast(value: Value, dtype: np.dtype) -> Value:
    return strong(value) if value.dtype == dtype else cast(value, dtype)


def copy(a: Operand, order: str = "K", subok: bool = False) -> Value:
    """np.copy: new storage."""
    check_order(order)
    return array(a)


def astype(a: Operand, dtype: Any, order: str = "K", casting: Any = "unsafe", subok: bool = True, copy: bool = True) -> Value:
    """a.astype: new storage of another dtype (or of the same, unless copy=False)."""
    value, wanted = lift(a), supported(dtype)
    if casting != "unsafe" and not np.can_cast(value.dtype, wanted, casting):
        raise ArgumentTypeError(
            f"Cannot cast array data from {value.dtype!r} to {wanted!r} according to the rule {casting!r}", where=value.builder.where
        )
    if value.dtype == wanted and not value.type.weak:
        return rows.copy(value) if copy and value.ndim else value
    return _strong_cast(value, wanted)


def constructor(dtype: type[np.generic]) -> Callable[..., Any]:
    """np.float32(x), np.int64(x), …: a NumPy scalar or, of an array, an array of this dtype."""

    def construct(*args: Operand, **named: Operand) -> Any:
        if not has_value(args, named):
            return static_call(dtype, args, named)
        if named or len(args) > 1:
            return _of_two(dtype, *args, **named)
        value = lift(args[0])
        if value.type.weak:
            refuse_as_python(dtype, value)
            value = check_stored(value, np.dtype(dtype))
        return _strong_cast(value, np.dtype(dtype))

    construct.__name__ = dtype.__name__
    return construct


def _of_two(dtype: type[np.generic], *args: Operand, **named: Operand) -> Any:
    """np.complex128(re, im)."""
    if named or not issubclass(dtype, np.complexfloating) or len(args) > 2:
        raise unsupported(f"np.{dtype.__name__} of these arguments is not supported", instead=f"np.{dtype.__name__}(x)")
    parts = [lift(arg) for arg in args]
    if any(part.ndim or part.dtype.kind == "c" for part in parts):
        raise unsupported(f"np.{dtype.__name__}(re, im) takes two real numbers here", instead="re + 1j * im")
    return _strong_cast(rows.complex_(*(cast(part, FLOAT64) for part in parts)), np.dtype(dtype))


# ---- Python's own numbers --------------------------------------------------------------------------------------------------


def float_(x: Operand = 0.0) -> Any:
    """float(x): a Python float."""
    return _python_number(float, x, FLOAT64)


def int_(x: Operand = 0, *base: Any) -> Any:
    """int(x): truncated towards zero."""
    return int(x, *base) if base else _python_number(int, x, INT64)


def complex_(real: Operand = 0.0, imag: Operand = None) -> Any:
    """complex(x) or complex(re, im)."""
    if imag is None:
        return _python_number(complex, real, COMPLEX128)
    if not has_value(real, imag):
        return complex(real, imag)
    re, im = lift(real), lift(imag)
    if re.ndim or im.ndim or "c" in (re.dtype.kind, im.dtype.kind):
        raise unsupported("complex(re, im) takes two real numbers here", instead="re + 1j * im")
    return marked(rows.complex_(cast(re, FLOAT64), cast(im, FLOAT64)), weak=True)


def bool_(x: Operand = False) -> Any:
    """bool(x)."""
    found = truth(x)
    return as_weak(found) if isinstance(found, Value) else found


@asks_python
def _python_number(kind: type, x: Operand, dtype: np.dtype) -> Any:
    if not isinstance(x, Value):
        return kind(x)
    value = lift(x)
    if value.ndim or value.dtype.kind == "c" and dtype.kind != "c":
        refuse_as_python(kind, value)
        value = reshape(value, ())
    if dtype == INT64:
        check_integer(value)
    return as_weak(value) if value.dtype == dtype else cast(value, dtype, weak=True)


def _as_python(value: Value) -> Any:
    """An element as the Python number of its kind: one of float32 has all digits of a float from here on."""
    dtype = {"b": BOOL, "i": INT64, "f": FLOAT64, "c": COMPLEX128}[kind_of(value.dtype)]
    return as_weak(value) if value.dtype == dtype else cast(value, dtype, weak=True)


def item(a: Operand, *args: Any) -> Any:
    """a.item(): the one element as a Python number."""
    value = lift(a)
    if args:
        place = tuple(args[0]) if len(args) == 1 and isinstance(args[0], tuple) else args
        if len(place) == 1:  # one number counts through all elements
            return _as_python(get(reshape(value, (product(value.builder, value.shape),)), place[0]))
        if len(place) != value.ndim:
            raise ArgumentValueError("incorrect number of indices for array", where=value.builder.where)
        return _as_python(get(value, place))
    for dim in value.shape:
        agreed(value.builder, [1, dim], "can only convert an array of size 1 to a Python scalar")
    return _as_python(reshape(value, ()))
