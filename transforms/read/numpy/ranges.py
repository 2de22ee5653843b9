"""Arrays of numbers at equal steps, NumPy's np.arange, np.linspace and np.logspace, and matrices of a band or of powers: np.eye, np.tri, np.vander."""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError, ArgumentValueError
from s2s.transforms.ir.build import Builder
from s2s.transforms.primitives import rows, sizes
from s2s.transforms.primitives.arithmetic import not_equal
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.numpy.arithmetic import add, divide, multiply, power, subtract
from s2s.transforms.read.numpy.broadcasting import aligned
from s2s.transforms.read.numpy.building import Operand, current_builder, has_value, unsupported
from s2s.transforms.read.numpy.common import (
    as_dim,
    as_integer,
    as_length,
    as_weak,
    cast,
    iota,
    lift,
    reshape,
    result_type,
    strong,
    supported,
)
from s2s.transforms.read.numpy.diagonals import band
from s2s.transforms.read.numpy.joining import stack
from s2s.transforms.read.numpy.python_checks import check_integer
from s2s.transforms.read.numpy.shapes import flip, moveaxis
from s2s.types import BOOL, FLOAT64, INT64, Dim, Literal, Var, atom_dim, dim_atom, is_integer, literal, promote

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
