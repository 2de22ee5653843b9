"""`out=` of NumPy's functions and ufuncs: the result is stored where NumPy stores it, or NumPy's error is raised."""
from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError, ArgumentValueError
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.describing import describe
from s2s.transforms.read.numpy.arithmetic import where
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import agreed, cast, converted, lift, retyped
from s2s.transforms.read.numpy.operators import fitted
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import load, store_view
from s2s.transforms.read.values import Abstract, View
from s2s.transforms.read.wrapping import unwrap, wrap
from s2s.types import BOOL, INT64, dim_atom, is_integer, literal

Call = Callable[[Reader, Callable[..., Any], tuple[Abstract, ...], dict[str, Abstract]], Abstract]
"""How a function of NumPy's is called while reading."""
EXACT_OUT = frozenset((
    np.sum, np.prod, np.mean, np.var, np.std, np.max, np.min, np.amax, np.amin, np.any, np.all, np.ptp, np.argmax, np.argmin, np.cumsum, np.cumprod, np.nancumsum, np.nancumprod,
    np.nansum, np.nanprod, np.nanmax, np.nanmin, np.nanmean, np.nanvar, np.nanstd, np.median, np.quantile, np.percentile, np.add.reduce,
    np.multiply.reduce, np.maximum.reduce, np.minimum.reduce, np.logical_and.reduce, np.logical_or.reduce, np.add.accumulate, np.multiply.accumulate, np.trace,
))  # fmt: skip
"""Functions whose `out` has exactly the result's shape."""


def with_outs(reader: Reader, function: np.ufunc, args: tuple[Abstract, ...], kwargs: dict[str, Abstract], call: Call) -> Abstract:
    """A ufunc of several results: each is stored into its out, if it has one. `call`: how it is called without any."""
    outs = kwargs["out"]
    if not isinstance(outs, tuple) or len(outs) != function.nout:
        message = "The 'out' tuple must have exactly one entry per ufunc output" if isinstance(outs, tuple) else "'out' must be a tuple of arrays"
        raise (ArgumentValueError if isinstance(outs, tuple) else ArgumentTypeError)(message, where=reader.builder.where)
    mask = kwargs.get("where", True)
    if mask is not True and any(out is None for out in outs):
        raise reader.unsupported(f"np.{function.__name__}(…, where=…) without out for each result", "out=(a, b)", "NumPy leaves what is left out as the memory was")
    plain = {key: value for key, value in kwargs.items() if key not in ("out", "where")}
    found = call(reader, function, _harmless(reader, function, mask, args), plain)
    assert isinstance(found, tuple)
    return tuple(value if out is None else _stored(reader, function, value, out, mask) for value, out in zip(found, outs, strict=True))


def _stored(reader: Reader, function: np.ufunc, result: Abstract, target: Abstract, mask: Abstract) -> Abstract:
    """An out that has a result now."""
    if not isinstance(target, View):
        raise ArgumentTypeError("return arrays must be of ArrayType", where=reader.builder.where)
    with building(reader.builder):
        value, array = lift(wrap(reader, result)), load(reader, target)
        if not np.can_cast(value.dtype, array.dtype, "same_kind"):
            words = f"Cannot cast ufunc '{function.__name__}' output from {value.dtype!r} to {array.dtype!r} with casting rule 'same_kind'"
            raise ArgumentTypeError(words, where=reader.builder.where)
        value = cast(value, array.dtype)
        store_view(reader, target, fitted(value if mask is True else where(wrap(reader, mask), value, array), array))
    return target


def out_by_name(function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> tuple[tuple[Abstract, ...], dict[str, Abstract]]:
    """The arguments with `out`, and what stands behind it, by their names: np.round(x, 2, y). One that is None is none."""
    args, kwargs = _by_name(function, args, kwargs)
    if "out" in kwargs and kwargs["out"] is None and _takes_out(function):
        kwargs = {key: value for key, value in kwargs.items() if key != "out"}
    return args, kwargs


def _by_name(function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> tuple[tuple[Abstract, ...], dict[str, Abstract]]:
    names = _names_of(function) if len(args) > 1 and not isinstance(function, np.ufunc | type) else ()
    place = names.index("out") if "out" in names else len(args)
    if not 0 < place < len(args) <= len(names):
        return args, kwargs
    return args[:place], {**dict(zip(names[place:], args[place:], strict=False)), **kwargs}


@cache
def _names_of(function: Any) -> tuple[str, ...]:
    """What a function of NumPy calls its arguments that are given by place."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:
        return ()
    return tuple(each.name for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD))


_TAKEN = "output array does not match result of ndarray.take"
OUT_DECIDES = (
    np.cumsum, np.cumprod, np.sum, np.prod, np.cumulative_sum, np.cumulative_prod, np.add.reduce, np.add.accumulate, np.multiply.reduce, np.multiply.accumulate,
)  # fmt: skip
"""Functions that compute in the dtype of their out, where none is asked for."""
_IN_PART = (
    np.mean, np.std, np.var, np.median, np.percentile, np.quantile, np.ptp, np.trace, np.einsum, np.nansum, np.nanprod, np.nancumsum, np.nancumprod, np.nanmean, np.nanstd,
    np.nanvar, np.nanmedian, np.nanpercentile, np.nanquantile,
)  # fmt: skip
"""Those that do so in some of their steps."""
_PLACES = (np.argmax, np.argmin)


def _takes_out(function: Callable[..., Any]) -> bool:
    """Whether a function of NumPy's has a parameter `out`; those that do not say their parameters are taken to have it."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return True
    return "out" in parameters or any(each.kind is each.VAR_KEYWORD for each in parameters.values())


def with_out(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract], call: Call) -> Abstract:
    """The call of a function with an `out`, in which its result is stored. `call`: how it is called without one."""
    target = _target(reader, function, kwargs["out"])
    kwargs = {key: value for key, value in kwargs.items() if key != "out"}
    if function in OUT_DECIDES and kwargs.get("dtype") is None and (len(args) < 3 or args[2] is None):
        args, kwargs["dtype"] = args[:2], reader.heap[target.cell].type.dtype
        _refuse_narrower(reader, function, args, kwargs["dtype"])
    mask = kwargs.pop("where", True) if isinstance(function, np.ufunc) or function is np.clip else True
    result = call(reader, function, _harmless(reader, function, mask, args), kwargs)
    with building(reader.builder):
        value, array = lift(wrap(reader, result)), load(reader, target)
        if function in (np.round, np.around):
            _check_cast(reader, value, array)
            value = _rounded(reader, args[1] if len(args) > 1 else kwargs.get("decimals", 0), value, array)
        value = cast(_fitting(reader, function, value, array), array.dtype)
        store_view(reader, target, fitted(value if mask is True else where(wrap(reader, mask), value, array), array))
    return target


def _target(reader: Reader, function: Callable[..., Any], out: Abstract) -> View:
    """The array that an `out` names."""
    if not _takes_out(function):
        raise ArgumentTypeError(f"{function.__name__}() got an unexpected keyword argument 'out'", where=reader.builder.where)
    target = out[0] if isinstance(out, tuple) and len(out) == 1 else out
    if not isinstance(target, View):
        raise reader.unsupported(f"out={describe(reader, out)}", "out=an array")
    return target


def _refuse_narrower(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...], dtype: np.dtype) -> None:
    """Refuse an out in whose dtype NumPy would compute, where that is of a narrower kind than the argument's."""
    with building(reader.builder):
        given = [lift(wrap(reader, each)).dtype for each in args[:1]]
    if given and not np.can_cast(given[0], dtype, "same_kind"):
        raise reader.unsupported(f"np.{function.__name__} with an out of {dtype}, of a narrower kind", f"out[...] = np.{function.__name__}(…)")


def _check_cast(reader: Reader, value: Value, array: Value) -> None:
    """NumPy's TypeError where a result is not cast to an out's dtype."""
    if not np.can_cast(value.dtype, array.dtype, "same_kind"):
        raise ArgumentTypeError(
            f"Cannot cast ufunc output from dtype('{value.dtype}') to dtype('{array.dtype}') with casting rule 'same_kind'", where=reader.builder.where
        )


def _fitting(reader: Reader, function: Callable[..., Any], value: Value, array: Value) -> Value:
    """A result of the shape and the kind that NumPy's function wants for an out; its error if it is of another."""
    if function in (np.dot, np.linalg.multi_dot) and (value.dtype != array.dtype or value.ndim != array.ndim):
        message = "output array is not acceptable (must have the right datatype, number of dimensions, and be a C-Array)"
        raise ArgumentValueError(message, where=reader.builder.where)
    if function in _IN_PART and value.dtype != array.dtype:
        name = function.__name__
        raise reader.unsupported(f"np.{name} in {value.dtype} with an out of {array.dtype}", f"out[...] = np.{name}(…)", "some of NumPy's steps compute in the out's dtype")
    if function in _PLACES or function in (np.take, np.compress):  # an out that is read as int64, or as what is taken, and written back whatever its dtype
        read = INT64 if function in _PLACES else value.dtype
        if not np.can_cast(array.dtype, read, "safe"):
            raise ArgumentTypeError(f"Cannot cast array data from {array.dtype!r} to {read!r} according to the rule 'safe'", where=reader.builder.where)
        value = converted(value, array.dtype)
    _check_cast(reader, value, array)
    if function in (np.take, np.compress):
        if value.ndim != array.ndim:
            raise ArgumentValueError(_TAKEN, where=reader.builder.where)
        value = retyped(value, tuple(agreed(reader.builder, pair, _TAKEN) for pair in zip(value.shape, array.shape, strict=True)))
    if function is np.einsum and value.ndim != array.ndim:
        message = f"out parameter does not have the correct number of dimensions, has {array.ndim} but should have {value.ndim}"
        raise ArgumentValueError(message, where=reader.builder.where)
    if function is np.choose and value.ndim != array.ndim:
        raise ArgumentTypeError("choose: invalid shape for output array.", where=reader.builder.where)
    if function in _PRODUCTS:
        value = _of_one_core(reader, _PRODUCTS[function], value, array)
    if function in EXACT_OUT:
        return _exactly(reader, function, value, array)
    return _of_method(reader, function, value, array) if isinstance(getattr(function, "__self__", None), np.ufunc) else value


_PRODUCTS = {np.dot: "output array has wrong dimensions", np.matmul: "matmul: Output operand 0 has a mismatch in its core dimension AXIS, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size {} is different from {})"}
"""What NumPy says of an out over which a product of matrices would have to be stretched."""


def _of_one_core(reader: Reader, message: str, value: Value, array: Value) -> Value:
    """A product of matrices, whose rows and columns are as many as an out's."""
    core = min(2, value.ndim, array.ndim)
    dims = list(value.shape)
    for axis in range(core):
        found, own = value.shape[axis - core], array.shape[axis - core]
        given = (dim_atom(own), dim_atom(found)) if "{}" in message else ()
        dims[axis - core] = agreed(reader.builder, (own, found), message.replace("AXIS", str(axis)), given)
    return retyped(value, tuple(dims))


_HARMLESS = {np.arccosh: 1.5}
"""Where a function of floats has a finite derivative, if it has none at 0.5."""


def _harmless(reader: Reader, function: Any, mask: Abstract, args: tuple[Abstract, ...]) -> tuple[Abstract, ...]:
    """The operands of a ufunc with a mask: what is left out is another number, so that no derivative is that of an element which is not computed."""
    if mask is True:
        return args
    with building(reader.builder):
        test = lift(wrap(reader, mask))
        if test.dtype != BOOL:
            raise ArgumentTypeError(f"Cannot cast array data from {test.dtype!r} to dtype('bool') according to the rule 'safe'", where=reader.builder.where)
        return tuple(unwrap(reader, _where_taken(function, test, load(reader, arg))) if isinstance(arg, View) else arg for arg in args)


def _where_taken(function: Any, test: Value, value: Value) -> Value:
    other = {"f": _HARMLESS.get(function, 0.5), "c": 0.5}.get(value.dtype.kind, 1)
    return where(test, value, Value(value.builder, literal(other, value.dtype)))


def _exactly(reader: Reader, function: Any, value: Any, array: Any) -> Any:
    """A reduction's result, which NumPy does not broadcast to out's shape."""
    name = "add" if function is np.trace else function.__name__
    if value.ndim != array.ndim and function in (np.cumsum, np.cumprod):
        raise reader.unsupported(f"np.{name} with an out of {array.ndim} axes, of a result of {value.ndim}", "an out of the result's shape")
    if value.ndim != array.ndim:
        message = f"output parameter for reduction operation {name} has the wrong number of dimensions: Found {array.ndim} but expected {value.ndim}"
        raise ArgumentValueError(message, where=reader.builder.where)
    message = f"output parameter for reduction operation {name} has a shape that is not that of the result"
    return retyped(value, tuple(agreed(reader.builder, pair, message) for pair in zip(value.shape, array.shape, strict=True)))


def _rounded(reader: Reader, decimals: Abstract, value: Any, array: Any) -> Any:
    """np.round's result for an out of exactly its shape; of integers to tens NumPy computes in the out, which must hold floats."""
    if is_integer(value.dtype) and not isinstance(decimals, int):
        raise reader.unsupported("np.round of integers with an out, to decimals that are known only at run time", "out[...] = np.round(…)")
    if is_integer(value.dtype) and decimals < 0 and array.dtype.kind not in "fc":
        raise ArgumentTypeError(f"Cannot cast ufunc 'divide' output from dtype('float64') to dtype('{array.dtype}') with casting rule 'same_kind'", where=reader.builder.where)
    if value.dtype.kind in "fc" and value.dtype != array.dtype and decimals != 0:
        raise reader.unsupported(f"np.round of {value.dtype} with an out of {array.dtype}, in which NumPy computes", "out[...] = np.round(…)")
    if value.ndim != array.ndim:
        raise ArgumentValueError("invalid output shape", where=reader.builder.where)
    return retyped(value, tuple(agreed(reader.builder, pair, "invalid output shape") for pair in zip(value.shape, array.shape, strict=True)))


def _of_method(reader: Reader, function: Any, value: Any, array: Any) -> Any:
    """The result of a ufunc's method, which NumPy writes elsewhere into an out of more axes."""
    if value.ndim != array.ndim:
        raise reader.unsupported(f"{function.__name__} with an out of {array.ndim} axes, of a result of {value.ndim}", "an out of the result's shape")
    if value.dtype != array.dtype:
        raise reader.unsupported(f"{function.__name__} of {value.dtype} with an out of {array.dtype}, in which NumPy computes", f"dtype={array.dtype}, or an out of {value.dtype}")
    message = "provided out is the wrong size for the accumulation/reduction."
    return retyped(value, tuple(agreed(reader.builder, pair, message) for pair in zip(value.shape, array.shape, strict=True)))
