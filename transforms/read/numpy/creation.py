"""New arrays: zeros, full, arange, linspace, eye, array, astype, copy, and the dtype constructors."""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError, ArgumentValueError
from s2s.transforms.ir.build import Builder
from s2s.transforms.primitives import rows, sizes
from s2s.transforms.primitives.arithmetic import not_equal
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.numpy.arithmetic import add, divide, multiply, power, subtract
from s2s.transforms.read.numpy.building import Operand, current_builder, has_value, refuse, unsupported
from s2s.transforms.read.numpy.common import (
    Shape,
    agreed,
    aligned,
    array_of,
    as_dim,
    as_integer,
    as_length,
    as_shape,
    as_weak,
    broadcast_shape,
    cast,
    filled,
    iota,
    lift,
    marked,
    product,
    reshape,
    result_type,
    spread,
    static_call,
    strong,
    supported,
    truth,
)
from s2s.transforms.read.numpy.diagonals import band
from s2s.transforms.read.numpy.joining import stack
from s2s.transforms.read.numpy.orders import check_order, need_c_order
from s2s.transforms.read.numpy.parts import get
from s2s.transforms.read.numpy.python_checks import check_integer, check_stored, refuse_as_python
from s2s.transforms.read.numpy.shapes import flip, moveaxis
from s2s.types import BOOL, COMPLEX128, FLOAT0, FLOAT64, INT64, Dim, Literal, Var, atom_dim, dim_atom, is_integer, kind_of, literal, promote


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


# ---- ranges --------------------------------------------------------------------------------------------------------------------


_ABSENT: Any = object()
"""Of an argument of np.arange, that it was not given: None is another thing there."""


def arange(*args: Any, start: Any = _ABSENT, stop: Any = _ABSENT, step: Any = _ABSENT, dtype: Any = _ABSENT, device: Any = None, like: Any = None) -> Value:
    """np.arange: stop; start, stop; start, stop, step."""
    start, stop, step, dtype = _range_arguments(args, {"start": start, "stop": stop, "step": step, "dtype": dtype})
    builder = current_builder()
    if not has_value(start, stop, step):
        return _static_range(start, stop, step, dtype)
    bounds = lift(start), lift(stop), lift(step)
    found = promote([each.type.strong() for each in bounds]).dtype
    wanted = supported(dtype) if dtype is not None else found
    if is_integer(found):
        return cast(_integer_range(builder, *bounds), wanted)  # of sizes as they are: np.arange(n) has n elements
    if found.kind != "f":
        raise unsupported(f"np.arange of {found} is not supported", instead="integers or floats")
    if bounds[0].dtype == bounds[2].dtype == BOOL:
        raise unsupported("np.arange from a bool in steps of a bool to a float is not supported", instead="integers: NumPy adds the first two as bools")
    first, gap = strong(bounds[0]), strong(bounds[2])
    numbers = _float_range(builder, *bounds, found)
    if not is_integer(wanted):
        return cast(numbers, wanted)
    start, second = (cast(number, wanted) for number in (first, add(first, gap)))  # NumPy goes on from the first two numbers, made integers
    return add(start, multiply(cast(iota(builder, numbers.shape[0]), wanted), subtract(second, start)))


def _range_arguments(args: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, Any, Any, Any]:
    """Start, stop, step and dtype as NumPy takes them: a start without a stop, or with None for it, is the stop."""
    where = current_builder().where
    if len(args) > len(named):
        raise ArgumentTypeError(f"arange() takes from 0 to {len(named)} positional arguments but {len(args)} were given", where=where)
    for place, name in enumerate(list(named)[: len(args)]):
        if named[name] is not _ABSENT:
            raise ArgumentTypeError(f"argument for arange() given by name ('{name}') and position (position {place})", where=where)
    given = {**named, **dict(zip(named, args, strict=False))}
    if given["stop"] is _ABSENT and not args:
        raise ArgumentTypeError("arange() requires stop to be specified.", where=where)
    start, stop, step, dtype = (None if value is _ABSENT else value for value in given.values())
    if stop is None:
        start, stop = 0, start
    elif given["start"] is _ABSENT:
        start = 0
    if stop is None:
        raise ArgumentTypeError("unsupported operand type(s) for -: 'NoneType' and 'int'", where=where)
    return start, stop, 1 if step is None else step, dtype


@asks_python
def _static_range(start: Any, stop: Any, step: Any, dtype: Any) -> Value:
    """Of numbers: iota, scaled and shifted where it is one of integers; else the numbers themselves."""
    numbers = np.arange(start, stop, step, dtype=None if dtype is None else supported(dtype))
    builder = current_builder()
    if is_integer(numbers.dtype) and isinstance(start, int) and isinstance(step, int):
        value = iota(builder, len(numbers))
        value = value if step == 1 else multiply(value, step)
        return cast(value if start == 0 else add(value, start), numbers.dtype)
    if numbers.dtype.kind == "f" and len(numbers) > 1:
        whole = cast(iota(builder, len(numbers)), numbers.dtype)
        gap = float(numbers[1] - numbers[0])
        value = whole if gap == 1 else multiply(whole, gap)
        return value if numbers[0] == 0 else add(value, float(numbers[0]))
    return lift(numbers)


def _integer_range(builder: Builder, first: Value, last: Value, gap: Value) -> Value:
    step = as_integer(gap)
    if not isinstance(step, Literal):
        raise unsupported("np.arange with a run-time integer step is not supported", instead="start + step * np.arange(count)")
    size = int(step.value)  # type: ignore[arg-type]
    if size == 0:
        raise ZeroDivisionError("division by zero")
    lo, hi = as_integer(first), as_integer(last)
    extent = sizes.minus(builder, hi, lo) if size > 0 else sizes.minus(builder, lo, hi)
    count = sizes.larger(builder, sizes.plus(builder, extent, abs(size) - 1), 0)
    length = sizes.quotient(builder, count, literal(abs(size), INT64))
    if isinstance(length, Var):
        builder.know_size(length)
    value = iota(builder, atom_dim(length))
    value = value if size == 1 else multiply(value, size)
    return value if isinstance(lo, Literal) and lo.value == 0 else add(value, Value(builder, lo))


_NO_LENGTH = "ValueError", "arange: cannot compute length"
_TOO_LONG = "ValueError", "Maximum allowed size exceeded"


def _float_range(builder: Builder, first: Value, last: Value, gap: Value, dtype: np.dtype) -> Value:
    """ceil((stop - start) / step) numbers start + k * delta, delta = (start + step) - start, as NumPy computes them."""
    if first.type.weak and last.type.weak and gap.type.weak and not (isinstance(gap.atom, Literal) and gap.atom.value):
        builder.check(not_equal(gap, gap.like(0)).atom, "ZeroDivisionError", "float division by zero")  # of Python's numbers
    lo, hi, step = (cast(value, FLOAT64) for value in (strong(first), strong(last), strong(gap)))
    number = rows.ceil(divide(subtract(hi, lo), step))
    check_integer(number, nan=_NO_LENGTH, infinite=_TOO_LONG, beyond=_TOO_LONG)
    length = as_weak(cast(number, INT64)).atom
    size = sizes.larger(builder, length, 0)
    if isinstance(size, Var):
        builder.know_size(size)
    steps = cast(iota(builder, atom_dim(size)), dtype)
    start = cast(first, dtype)
    delta = subtract(add(start, cast(gap, dtype)), start)
    return add(start, multiply(steps, delta))


def linspace(start: Operand, stop: Operand, num: Operand = 50, endpoint: bool = True, retstep: bool = False, dtype: Any = None, axis: int = 0) -> Any:
    """np.linspace of scalars (or arrays, along a new axis): start + k * step, the last one exactly stop."""
    builder = current_builder()
    first, last, count = lift(start), lift(stop), as_dim(num, message="Number of samples, {}, must be non-negative.")
    found = _float_of(first, last)
    first, last = aligned(cast(first, found), cast(last, found))
    value, step = _spaced(builder, first, last, count, endpoint, found)
    wanted = supported(dtype) if dtype is not None else found
    if is_integer(wanted):
        value = rows.floor(value)
    value = cast(value, wanted)
    if not (isinstance(axis, int) and axis == 0):
        value = moveaxis(value, 0, axis)
    return (value, _defined(step, count, endpoint)) if retstep else value


def _defined(step: Value, count: Dim, endpoint: bool) -> Value:
    """The step between points, nan where there are no two."""
    least = 2 if endpoint else 1
    if isinstance(count, int):
        return step if count >= least else lift(np.nan)
    if step.ndim:  # NumPy's nan is one number
        step.builder.check((Value(step.builder, count) >= least).atom, "NotImplementedError", "np.linspace(…, retstep=True) of arrays with fewer than two points is not supported")
        return step
    several = rows.greater_equal(Value(step.builder, count), Value(step.builder, literal(least, INT64)))
    return rows.select(several, step, step.like(np.nan))


def _float_of(*values: Value) -> np.dtype:
    return np.result_type(result_type(*values, lift(1.0)).dtype)


def _spaced(builder: Builder, first: Value, last: Value, count: Dim, endpoint: bool, dtype: np.dtype) -> tuple[Value, Value]:
    gaps = sizes.minus(builder, dim_atom(count), 1) if endpoint else dim_atom(count)
    divisor = as_weak(Value(builder, sizes.larger(builder, gaps, 1)))  # a Python int, also where the count is NumPy's
    step = divide(subtract(last, first), divisor)
    number = iota(builder, count)
    column = reshape(number, (count, *(1,) * first.ndim))
    value = add(multiply(cast(column, dtype), step), first)
    if endpoint and not (isinstance(count, int) and count < 2):
        at_end = rows.equal(number, number.scalar(0).with_atom(gaps).broadcast_to((count,), ()))
        if not isinstance(count, int):  # the one point of num=1 is start
            several = rows.greater(Value(builder, gaps), Value(builder, literal(0, INT64)))
            at_end = rows.logical_and(at_end, several.broadcast_to((count,), ()))
        test, stop, value = aligned(reshape(at_end, column.shape), last, value)
        value = rows.select(test, stop, value)
    return value, step


def logspace(start: Operand, stop: Operand, num: Operand = 50, endpoint: bool = True, base: Operand = 10.0, dtype: Any = None, axis: int = 0) -> Value:
    """np.logspace: base to the power of np.linspace; of bases in an array one row each."""
    bases = lift(base)
    if bases.ndim:
        first, last, bases = aligned(lift(start), lift(stop), bases)
        value = moveaxis(power(reshape(bases, (1, *bases.shape)), linspace(first, last, num, endpoint)), 0, axis)
    else:
        value = power(base, linspace(start, stop, num, endpoint, axis=axis))
    return value if dtype is None else cast(value, supported(dtype))


# ---- matrices -------------------------------------------------------------------------------------------------------------------


def eye(N: Operand, M: Operand = None, k: int = 0, dtype: Any = float, order: str = "C") -> Value:
    """np.eye: ones on diagonal k."""
    m = as_dim(N)
    n = m if M is None else as_dim(M)
    ones_there = band(Value(current_builder(), dim_atom(m)), m, n, k, rows.equal)
    return cast(ones_there, supported(dtype))


def identity(n: Operand, dtype: Any = None) -> Value:
    """np.identity."""
    return eye(n, dtype=dtype or float)


def tri(N: Operand, M: Operand = None, k: int = 0, dtype: Any = float) -> Value:
    """np.tri: ones at and below diagonal k."""
    m = as_length(N)
    n = m if M is None else as_length(M)
    return cast(band(Value(current_builder(), dim_atom(m)), m, n, k, rows.greater_equal), supported(dtype))


def vander(x: Operand, N: int | None = None, increasing: bool = False) -> Value:
    """np.vander; of a number of columns that only the run knows by powers."""
    value = lift(x)
    if value.ndim != 1:
        raise ArgumentValueError("x must be a one-dimensional array or sequence.", where=value.builder.where)
    value = cast(value, np.promote_types(value.dtype, np.int64))
    if not isinstance(N, int) or N == 0:
        count = value.shape[0] if N is None else as_dim(lift(N))
        powers = iota(value.builder, count)
        return power(reshape(value, (value.shape[0], 1)), powers if increasing else flip(powers))
    columns = [power(value, k) if k else value.like(1) for k in range(N)]
    return stack(columns if increasing else columns[::-1], axis=1)

