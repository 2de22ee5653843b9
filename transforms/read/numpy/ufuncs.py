"""Universal functions as NumPy calls them: np.add(a, b, dtype=…), np.add.reduce, .accumulate and .outer, from what an operation does with Values."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.numpy.arithmetic import strong_result
from s2s.transforms.read.numpy.broadcasting import spread
from s2s.transforms.read.numpy.building import NONE, Operand, current_builder, has_value, refuse, unsupported
from s2s.transforms.read.numpy.common import cast, lift, reshape, static_call, strong, supported, to_bool
from s2s.transforms.read.numpy.joining import stack
from s2s.transforms.read.numpy.orders import check_order
from s2s.types import BOOL, Array, kind_of

Function = Callable[..., Any]
_WEAK: dict[str, type] = {"i": int, "f": float, "c": complex}


def ufunc(name: str, function: Function, numpy_function: Any, *, by_loop: bool = False) -> Function:
    """A universal function of an operation: static operands are computed by the library, results are strong.

    `name`: how users call it. `by_loop`: the operation takes the dtypes of the library's loop, instead of any operands.
    """

    @wraps(function)
    def call(*operands: Operand, out: Any = None, where: Any = True, dtype: Any = None, casting: str = "same_kind", order: Any = "K", subok: Any = True,
             signature: Any = None) -> Any:  # fmt: skip
        _check_options(name, where, order, subok)
        if not has_value(operands):
            refuse(name, out=out)
            options = {"casting": casting, **({} if dtype is None else {"dtype": dtype}), **({} if signature is None else {"signature": signature})}
            return static_call(numpy_function, operands, options)
        if len(operands) != numpy_function.nin:
            _check_count(name, numpy_function, len(operands))
        refuse(name, out=out)
        values = tuple(_as_numpy_takes(lift(operand)) for operand in operands)
        if dtype is None and signature is None and casting == "same_kind" and not by_loop:
            return strong_result(function(*values), values)
        loop = _loop(numpy_function, values, dtype, casting, signature)
        values = tuple(cast(strong(value), supported(wanted)) for value, wanted in zip(values, loop, strict=False))
        return _of_loop(name, strong_result(function(*values), values), loop[numpy_function.nin :])

    return call


def in_loop(name: str, numpy_function: Any, operands: Sequence[Operand], options: dict[str, Any]) -> tuple[Value, ...]:
    """The operands of a composed universal function in the dtypes for which these options make NumPy compute."""
    options = {"where": True, "dtype": None, "casting": "same_kind", "order": "K", "subok": True, "signature": None, **options}
    unknown = set(options) - {"where", "dtype", "casting", "order", "subok", "signature"}
    if unknown:
        raise ArgumentTypeError(f"{numpy_function.__name__}() got an unexpected keyword argument {min(unknown)!r}", where=current_builder().where)
    _check_options(name, options["where"], options["order"], options["subok"])
    values = tuple(_as_numpy_takes(lift(operand)) for operand in operands)
    if options["dtype"] is None and options["signature"] is None and options["casting"] == "same_kind":
        return values
    loop = _loop(numpy_function, values, options["dtype"], options["casting"], options["signature"])
    return tuple(cast(strong(value), supported(wanted)) for value, wanted in zip(values, loop, strict=False))


def _as_numpy_takes(value: Value) -> Value:
    """To NumPy's functions Python's ints and floats are weak, Python's bools are not."""
    return strong(value) if value.dtype == BOOL else value


def _check_count(name: str, numpy_function: Any, count: int) -> None:
    if count > numpy_function.nin:
        raise unsupported(f"{name} with out as an argument without a name is not supported", instead=f"out[...] = {name}(…), or out=…")
    wanted = f"{numpy_function.__name__}() takes from {numpy_function.nin} to {numpy_function.nargs} positional arguments but {count} were given"
    raise ArgumentTypeError(wanted, where=current_builder().where)


def _check_options(name: str, where: Any, order: Any, subok: Any) -> None:
    if not isinstance(subok, bool) and not (isinstance(subok, Value) and subok.type == Array(BOOL, weak=True)):
        raise ArgumentTypeError("'subok' must be a boolean", where=current_builder().where)
    if where is not True:
        raise unsupported(f"{name}(…, where=…) without out is not supported", instead="out=an array, or np.where(condition, …, …)", why="NumPy leaves what is left out as the memory was")
    check_order(order)
    if order == "F":
        raise unsupported(f"{name}(…, order='F') is not supported", instead="C order")


@asks_python
def _loop(numpy_function: Any, values: tuple[Value, ...], dtype: Any, casting: str, signature: Any = None) -> tuple[np.dtype, ...]:
    """The dtypes of operands and results for which NumPy computes; its error where there are none."""
    if signature is not None and dtype is not None:
        raise ArgumentTypeError("cannot specify both 'signature' and 'dtype'", where=current_builder().where)
    given = tuple(_WEAK[kind_of(value.dtype)] if value.type.weak else value.dtype for value in values)
    wanted = None if dtype is None else np.dtype(dtype)
    options: dict[str, Any] = {} if wanted is None else {"signature": (None,) * numpy_function.nin + (wanted,) * numpy_function.nout}
    if signature is not None:
        options = {"signature": _dtypes_of(signature)}
    return numpy_function.resolve_dtypes((*given, *(None,) * numpy_function.nout), casting=casting, **options)


def _dtypes_of(signature: Any) -> Any:
    """A signature as dtypes: "dd->d" and (np.float64, None, None) say the same in NumPy."""
    if isinstance(signature, str):
        return tuple(np.dtype(letter) for letter in signature.replace("->", ""))
    return tuple(None if each is None else np.dtype(each) for each in signature)


def _of_loop(name: str, result: Any, dtypes: tuple[np.dtype, ...]) -> Any:
    parts = result if isinstance(result, tuple) else (result,)
    if any(part.dtype != dtype for part, dtype in zip(parts, dtypes, strict=True)):
        raise unsupported(f"{name} with a dtype of its own for the result is not supported", instead="astype of the operands or of the result")
    return result


# ---- methods of universal functions ----------------------------------------------------------------------------------------


@asks_python
def outer(function: Function) -> Function:
    """A ufunc's outer: of all pairs of elements."""

    def apply(a: Operand, b: Operand, *, dtype: Any = None) -> Any:
        x, y = strong(lift(a)), strong(lift(b))
        if dtype is not None:
            if not all(np.can_cast(value.dtype, dtype, "same_kind") for value in (x, y)):
                raise ArgumentTypeError(f"Cannot cast ufunc input to {np.dtype(dtype)!r} with casting rule 'same_kind'", where=x.builder.where)
            x, y = (cast(value, supported(np.dtype(dtype))) for value in (x, y))
        return function(reshape(x, (*x.shape, *(1,) * y.ndim)), y)

    return apply


def reduce(function: Function) -> Function:
    """A ufunc's reduce: along axis 0, if no other is given."""

    def apply(array: Operand, axis: Any = 0, dtype: Any = None, out: Any = None, keepdims: bool = False, initial: Any = NONE, where: Any = NONE) -> Any:
        value = lift(array)
        return function(value if dtype is None else cast(strong(value), supported(dtype)), axis=axis, out=out, keepdims=keepdims, initial=initial, where=where)

    return apply


@asks_python
def logical_reduce(function: Function) -> Function:
    """The reduce of a logical ufunc, which has no dtype but bool; `initial` is one more element."""

    def apply(array: Operand, axis: Any = 0, dtype: Any = None, out: Any = None, keepdims: bool = False, initial: Any = NONE, where: Any = NONE) -> Any:
        if dtype is not None and np.dtype(dtype) != BOOL:
            name = function.__name__.rstrip("_").replace("all", "logical_and").replace("any", "logical_or")
            raise ArgumentTypeError(f"No loop matching the specified signature and casting was found for ufunc {name}", where=current_builder().where)
        found = function(array, axis=axis, out=out, keepdims=keepdims, where=where)
        return found if initial is NONE or initial is None else function(stack([found, spread(to_bool(lift(initial)), found.shape)]), axis=0)

    return apply


def summing_reduce(function: Function) -> Function:
    """np.add.reduce and np.multiply.reduce: their functions take the dtype."""

    def apply(array: Operand, axis: Any = 0, dtype: Any = None, out: Any = None, keepdims: bool = False, initial: Any = NONE, where: Any = NONE) -> Any:
        return function(array, axis=axis, dtype=dtype, out=out, keepdims=keepdims, initial=initial, where=where)

    return apply


def accumulate(function: Function) -> Function:
    """A ufunc's accumulate: along axis 0, if no other is given."""

    def apply(array: Operand, axis: Any = 0, dtype: Any = None, out: Any = None) -> Any:
        if not lift(array).ndim:
            raise ArgumentTypeError("cannot accumulate on a scalar", where=current_builder().where)
        return function(array, axis, dtype, out)

    return apply
