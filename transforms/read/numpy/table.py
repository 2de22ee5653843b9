"""The table of NumPy's (and Python's) functions that can be read: what each does with Values.

`NUMPY_FUNCTIONS` maps a callable to a function with the same signature; `ARRAY_METHODS` and `ARRAY_ATTRIBUTES` the same
for `x.name`; `ARRAY_UPDATES` and `UPDATES` hold those that write into their first argument: they give its new content.
Calls of static values only are computed by NumPy itself, but for those that make arrays.
"""
from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache, wraps
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.numpy import arithmetic, creation, elementwise, joining, operators, products, reductions, search, shapes, ufuncs
from s2s.transforms.read.numpy.arguments import settled
from s2s.transforms.read.numpy.common import (
    Operand,
    building,
    cast,
    current_builder,
    has_value,
    lift,
    normal_axes,
    product,
    shape_value,
    static_call,
    unsupported,
    values_in,
)
from s2s.transforms.read.numpy.composites import COMPOSITES, MAKERS
from s2s.transforms.read.numpy.places import PLACES, broadcast_shapes
from s2s.transforms.read.numpy.python import PYTHON_FUNCTIONS, is_integer
from s2s.transforms.read.numpy.quantiles import QUANTILES
from s2s.transforms.read.storage import index
from s2s.types import Array, promote

Function = Callable[..., Any]


@cache
def _signature(function: Function) -> inspect.Signature:
    return inspect.signature(function)


@cache
def _signature_in_numpy(function: Any) -> inspect.Signature | None:
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):  # some functions written in C have none
        return None


def _checked(name: str, function: Function, numpy_function: Any = None) -> Function:
    """The function; arguments that NumPy's does not take raise its TypeError, those that only this one does not take are refused by name."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            bound = settled(_signature(function).bind(*args, **kwargs))
        except TypeError as error:
            _check_in_numpy(numpy_function, args, kwargs)
            unknown = [key for key in kwargs if key not in _signature(function).parameters]
            what = f"{name}(…, {unknown[0]}=…) is not supported" if unknown else f"{name}: {error}"
            raise unsupported(what, instead="leave the argument out") from None
        return function(*bound.args, **bound.kwargs)

    return call


def _check_in_numpy(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    signature = None if function is None else _signature_in_numpy(function)
    if signature is not None:
        try:
            signature.bind(*args, **kwargs)
        except TypeError as error:
            raise ArgumentTypeError(f"{function.__name__}() {error}", where=current_builder().where) from None


_PYTHON_RESULTS = {np.real, np.imag, np.shape, np.size, np.ndim, np.broadcast_shapes, np.allclose, np.array_equal}
"""Functions that give a Python number, or that of a Python number."""


def _evaluated(numpy_function: Function, function: Function) -> Function:
    """The function; NumPy's own result where all arguments are static."""
    checked = _checked(_name(numpy_function), function, numpy_function)

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if not has_value(args, kwargs):
            return static_call(numpy_function, args, kwargs)
        result = checked(*args, **kwargs)
        return result if numpy_function in _PYTHON_RESULTS else arithmetic.strong_result(result, tuple(values_in((args, kwargs))))

    return call


def _name(function: Function) -> str:
    module = getattr(function, "__module__", None) or "numpy"
    return f"np.linalg.{function.__name__}" if module.endswith("linalg") else f"np.{function.__name__}"


# ---- elementwise -----------------------------------------------------------------------------------------------------

_UFUNCS: dict[Function, Function] = {
    np.add: arithmetic.add, np.subtract: arithmetic.subtract, np.multiply: arithmetic.multiply, np.divide: arithmetic.divide,
    np.floor_divide: arithmetic.of_numpy(arithmetic.floor_divide), np.remainder: arithmetic.of_numpy(arithmetic.remainder),
    np.fmod: arithmetic.of_numpy(arithmetic.fmod), np.divmod: arithmetic.of_numpy(arithmetic.divmod_),
    np.power: arithmetic.power, np.float_power: arithmetic.float_power, np.square: arithmetic.square,
    np.negative: arithmetic.negative, np.positive: arithmetic.positive, np.matmul: products.matmul,
    np.maximum: arithmetic.maximum, np.minimum: arithmetic.minimum, np.fmax: arithmetic.fmax, np.fmin: arithmetic.fmin,
    np.logical_and: arithmetic.logical("logical_and"), np.logical_or: arithmetic.logical("logical_or"),
    np.logical_xor: arithmetic.logical("logical_xor"), np.logical_not: arithmetic.logical_not,
    np.bitwise_and: arithmetic.bitwise("bitwise_and", "&"), np.bitwise_or: arithmetic.bitwise("bitwise_or", "|"),
    np.bitwise_xor: arithmetic.bitwise("bitwise_xor", "^"), np.invert: arithmetic.invert,
    np.left_shift: arithmetic.shift("left_shift", "<<"), np.right_shift: arithmetic.shift("right_shift", ">>"),
    np.less: lambda a, b: arithmetic.compare("<", a, b), np.less_equal: lambda a, b: arithmetic.compare("<=", a, b),
    np.greater: lambda a, b: arithmetic.compare(">", a, b), np.greater_equal: lambda a, b: arithmetic.compare(">=", a, b),
    np.equal: lambda a, b: arithmetic.compare("==", a, b), np.not_equal: lambda a, b: arithmetic.compare("!=", a, b),
    np.absolute: elementwise.absolute, np.fabs: elementwise.fabs, np.sign: elementwise.sign, np.reciprocal: elementwise.reciprocal,
    np.conjugate: elementwise.conj, np.deg2rad: elementwise.deg2rad, np.radians: elementwise.deg2rad,
    np.rad2deg: elementwise.rad2deg, np.degrees: elementwise.rad2deg, np.heaviside: elementwise.heaviside, np.copysign: elementwise.copysign,
    np.isnan: elementwise.test("isnan", False), np.isinf: elementwise.test("isinf", False), np.isfinite: elementwise.test("isfinite", True),
    np.signbit: elementwise.signbit, np.cbrt: elementwise.floating("cbrt", "f"),
    np.arctan2: elementwise.floating_pair("arctan2"), np.hypot: elementwise.floating_pair("hypot"),
    np.logaddexp: elementwise.floating_pair("logaddexp"), np.logaddexp2: elementwise.floating_pair("logaddexp2"),
}  # fmt: skip
_UFUNCS |= {
    ufunc: elementwise.floating(ufunc.__name__) for ufunc in (
        np.exp, np.exp2, np.expm1, np.log, np.log2, np.log10, np.log1p, np.sqrt, np.sin, np.cos, np.tan, np.arcsin, np.arccos, np.arctan,
        np.sinh, np.cosh, np.tanh, np.arcsinh, np.arccosh, np.arctanh,
    )
}  # fmt: skip
_UFUNCS |= {ufunc: elementwise.rounding(ufunc.__name__) for ufunc in (np.floor, np.ceil, np.trunc, np.rint)}


_UFUNC_METHODS: dict[Function, Function] = {
    np.add.reduce: ufuncs.summing_reduce(reductions.sum_), np.multiply.reduce: ufuncs.summing_reduce(reductions.prod), np.maximum.reduce: ufuncs.reduce(reductions.max_),
    np.minimum.reduce: ufuncs.reduce(reductions.min_), np.logical_and.reduce: ufuncs.logical_reduce(reductions.all_), np.logical_or.reduce: ufuncs.logical_reduce(reductions.any_),
    np.add.accumulate: ufuncs.accumulate(reductions.cumsum), np.multiply.accumulate: ufuncs.accumulate(reductions.cumprod),
    np.add.outer: ufuncs.outer(arithmetic.add), np.subtract.outer: ufuncs.outer(arithmetic.subtract), np.multiply.outer: ufuncs.outer(arithmetic.multiply),
    np.divide.outer: ufuncs.outer(arithmetic.divide), np.maximum.outer: ufuncs.outer(arithmetic.maximum), np.minimum.outer: ufuncs.outer(arithmetic.minimum),
}  # fmt: skip

# ---- of arrays ---------------------------------------------------------------------------------------------------------

_OF_ARRAYS: dict[Function, Function] = {
    np.where: arithmetic.where, np.clip: elementwise.clip, np.round: elementwise.round_, np.around: elementwise.round_,
    np.real: elementwise.real, np.imag: elementwise.imag, np.angle: elementwise.angle, np.sinc: elementwise.sinc,
    np.nan_to_num: elementwise.nan_to_num, np.fix: elementwise.rounding("trunc"),
    np.sum: reductions.sum_, np.prod: reductions.prod, np.mean: reductions.mean, np.average: reductions.average, np.var: reductions.var,
    np.std: reductions.std, np.max: reductions.max_, np.min: reductions.min_, np.amax: reductions.max_, np.amin: reductions.min_,
    np.ptp: reductions.ptp, np.any: reductions.any_, np.all: reductions.all_, np.count_nonzero: reductions.count_nonzero,
    np.argmax: reductions.argmax, np.argmin: reductions.argmin, np.cumsum: reductions.cumsum, np.cumprod: reductions.cumprod,
    np.diff: reductions.diff, np.linalg.norm: reductions.norm,
    np.dot: products.dot, np.vdot: products.vdot, np.inner: products.inner, np.outer: products.outer, np.tensordot: products.tensordot,
    np.einsum: products.einsum, np.trace: products.trace, np.kron: products.kron, np.cross: products.cross,
    np.reshape: shapes.reshape, np.ravel: shapes.ravel, np.transpose: shapes.transpose, np.permute_dims: shapes.transpose,
    np.swapaxes: shapes.swapaxes, np.moveaxis: shapes.moveaxis, np.rollaxis: shapes.rollaxis, np.matrix_transpose: shapes.matrix_transpose,
    np.linalg.matrix_transpose: shapes.matrix_transpose, np.squeeze: shapes.squeeze, np.expand_dims: shapes.expand_dims,
    np.broadcast_to: shapes.broadcast_to, np.broadcast_arrays: shapes.broadcast_arrays, np.atleast_1d: shapes.atleast_1d,
    np.atleast_2d: shapes.atleast_2d, np.atleast_3d: shapes.atleast_3d, np.flip: shapes.flip, np.fliplr: shapes.fliplr,
    np.flipud: shapes.flipud, np.rot90: shapes.rot90, np.roll: shapes.roll, np.diagonal: shapes.diagonal, np.diag: shapes.diag,
    np.tril: shapes.tril, np.triu: shapes.triu, np.repeat: shapes.repeat, np.tile: shapes.tile, np.pad: shapes.pad,
    np.concatenate: joining.concatenate, np.concat: joining.concatenate, np.stack: joining.stack, np.hstack: joining.hstack,
    np.vstack: joining.vstack, np.dstack: joining.dstack, np.column_stack: joining.column_stack, np.block: joining.block,
    np.append: joining.append, np.split: joining.split, np.array_split: joining.array_split, np.hsplit: joining.hsplit,
    np.vsplit: joining.vsplit, np.meshgrid: joining.meshgrid,
    np.nonzero: search.nonzero, np.flatnonzero: search.flatnonzero, np.argwhere: search.argwhere, np.compress: search.compress,
    np.take: search.take, np.take_along_axis: search.take_along_axis, np.sort: search.sort, np.argsort: search.argsort,
    np.searchsorted: search.searchsorted, np.digitize: search.digitize, np.lexsort: search.lexsort, np.interp: search.interp, np.select: search.select,
    np.isclose: search.isclose, np.allclose: search.allclose, np.array_equal: search.array_equal, np.trapezoid: search.trapezoid,
    np.polyval: search.polyval, np.ix_: search.ix_,
    np.full_like: creation.full_like, np.zeros_like: creation.zeros_like, np.ones_like: creation.ones_like,
    np.empty_like: creation.empty_like, np.linspace: creation.linspace, np.logspace: creation.logspace, np.vander: creation.vander,
}  # fmt: skip

_MAKERS: dict[Function, Function] = {
    np.zeros: creation.zeros, np.ones: creation.ones, np.empty: creation.empty, np.ndarray: creation.ndarray, np.full: creation.full, np.array: creation.array,
    np.asarray: creation.asarray, np.ascontiguousarray: creation.ascontiguousarray, np.asanyarray: creation.asarray, np.copy: creation.copy,
    np.arange: creation.arange, np.eye: creation.eye, np.identity: creation.identity, np.tri: creation.tri, np.indices: search.indices,
}  # fmt: skip
"""They make a Value of static arguments, too."""


# ---- what is known of types ----------------------------------------------------------------------------------------------


def shape(a: Operand) -> tuple[Any, ...]:
    """x.shape: Python ints, of run time where they must be."""
    return tuple(shape_value(dim) for dim in lift(a).shape)


def size(a: Operand, axis: Any = None) -> Any:
    """x.size, or the length along an axis."""
    value = lift(a)
    dims = value.shape if axis is None else tuple(value.shape[k] for k in normal_axes(axis, value.ndim, lists=True))
    return shape_value(product(value.builder, dims))


def ndim(a: Operand) -> int:
    """x.ndim."""
    return lift(a).ndim


def _dtype_of(*operands: Any) -> np.dtype:
    """np.result_type of arrays, numbers and dtypes."""
    return promote([_type_given(each) for each in operands]).dtype


def _type_given(operand: Any) -> Array:
    if isinstance(operand, Value | np.generic | bool | int | float | complex):
        return lift(operand).type
    if has_value(operand):
        raise unsupported(
            "np.result_type of a list or tuple with run-time values", "np.result_type(x, y) of the values, or of np.array(…) of them", "NumPy takes it for the description of a dtype",
        )  # fmt: skip
    try:
        return Array(np.dtype(operand))
    except TypeError as error:
        raise ArgumentTypeError(str(error), where=current_builder().where) from None


_ABOUT_TYPES: dict[Function, Function] = {
    np.shape: shape, np.size: size, np.ndim: ndim, np.broadcast_shapes: broadcast_shapes, np.result_type: _dtype_of,
    np.iscomplexobj: lambda x: lift(x).dtype.kind == "c", np.isrealobj: lambda x: lift(x).dtype.kind != "c",
    np.isscalar: lambda x: not lift(x).ndim, np.finfo: lambda x: np.finfo(lift(x).dtype), np.iinfo: lambda x: np.iinfo(lift(x).dtype),
}  # fmt: skip


def is_real_elementwise(x: Operand) -> Value:
    """np.isreal."""
    return arithmetic.compare("==", elementwise.imag(x), 0)


NUMPY_FUNCTIONS: dict[Function, Function] = {
    **{function: ufuncs.ufunc(function, own) for function, own in _UFUNCS.items()},
    **{function: _evaluated(function, own) for function, own in _UFUNC_METHODS.items()},
    **{function: _evaluated(function, own) for function, own in _OF_ARRAYS.items()},
    **{function: _evaluated(function, own) for function, own in _ABOUT_TYPES.items()},
    np.isreal: _evaluated(np.isreal, is_real_elementwise),
    **{function: _evaluated(function, own) for function, own in {**COMPOSITES, **QUANTILES, **PLACES}.items()},
    **{function: _checked(_name(function), own, function) for function, own in {**_MAKERS, **MAKERS}.items()},
    **{dtype: creation.constructor(dtype) for dtype in (np.bool_, np.int32, np.int64, np.float32, np.float64, np.complex64, np.complex128)},
    **PYTHON_FUNCTIONS,
}
"""NumPy's function, `math`'s or a builtin -> the function of Values."""


# ---- methods and attributes ------------------------------------------------------------------------------------------------


def _reshape_method(a: Operand, *shape: Any, order: str = "C", copy: Any = None) -> Value:
    return shapes.reshape(a, shape[0] if len(shape) == 1 else shape, order)


def _transpose_method(a: Operand, *axes: Any) -> Value:
    if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], tuple | list)):
        return shapes.transpose(a, axes[0])
    return shapes.transpose(a, axes or None)


def _clip_method(a: Operand, min: Operand = None, max: Operand = None, out: Any = None) -> Value:
    if out is not None:
        raise unsupported("x.clip(…) with `out` by its place is not supported", instead="out=…")
    return elementwise.clip(a, min=min, max=max)


def _compress_method(a: Operand, condition: Operand, axis: Any = None, out: Any = None) -> Value:
    return search.compress(condition, a, axis, out)


def _std_method(a: Operand, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0, keepdims: Any = False) -> Value:
    return reductions.std(a, axis, dtype, out, ddof, keepdims)


_METHODS: dict[str, Function] = {
    "sum": reductions.sum_, "prod": reductions.prod, "mean": reductions.mean, "var": reductions.var, "std": _std_method,
    "max": reductions.max_, "min": reductions.min_, "any": reductions.any_, "all": reductions.all_, "argmax": reductions.argmax,
    "argmin": reductions.argmin, "cumsum": reductions.cumsum, "cumprod": reductions.cumprod, "dot": products.dot, "trace": products.trace,
    "reshape": _reshape_method, "transpose": _transpose_method, "swapaxes": shapes.swapaxes, "ravel": shapes.ravel,
    "flatten": shapes.flatten, "squeeze": shapes.squeeze, "diagonal": shapes.diagonal, "repeat": shapes.repeat,
    "copy": creation.copy, "astype": creation.astype, "item": creation.item, "clip": _clip_method, "round": elementwise.round_,
    "conj": elementwise.conj, "conjugate": elementwise.conj, "nonzero": search.nonzero, "take": search.take, "argsort": search.argsort,
    "searchsorted": search.searchsorted, "compress": _compress_method,
    "is_integer": is_integer, "__len__": lambda a: shape(a)[0], "__abs__": elementwise.absolute, "__float__": creation.float_,
}  # fmt: skip
ARRAY_METHODS: dict[str, Function] = {name: _checked(f"x.{name}", function) for name, function in _METHODS.items()}
"""x.name(…): the first argument is the array."""

ARRAY_ATTRIBUTES: dict[str, Callable[[Value], Any]] = {
    "shape": shape, "ndim": ndim, "size": size, "dtype": lambda a: lift(a).dtype, "itemsize": lambda a: lift(a).dtype.itemsize,
    "nbytes": lambda a: arithmetic.multiply(size(a), lift(a).dtype.itemsize) if has_value(size(a)) else size(a) * lift(a).dtype.itemsize,
    "T": shapes.transpose, "mT": lambda a: shapes.swapaxes(a, -1, -2), "real": elementwise.real, "imag": elementwise.imag,
}  # fmt: skip
"""x.name."""


# ---- functions that write into their first argument: its new content --------------------------------------------------------


def _fill(a: Operand, value: Operand) -> Value:
    return index.store(a, Ellipsis, value)


def _sort_in_place(a: Operand, axis: int = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> Value:
    return search.sort(a, axis, kind, order, stable=stable)


def _fill_diagonal(a: Operand, val: Operand, wrap: bool = False) -> Value:
    from s2s.transforms.primitives.indexing import Take, setitem

    array = lift(a)
    if array.ndim != 2 or wrap:
        raise unsupported("np.fill_diagonal is supported for matrices, without wrap", instead="a loop over the diagonal")
    positions = shapes.diagonal_positions(array, array.shape[0], array.shape[1], 0)
    number = index.assigned(lift(val), array)
    return setitem(array, creation.spread_to(number, positions[0].shape), *positions, index=(Take(), Take()))


def _copyto(dst: Operand, src: Operand, casting: Any = "same_kind", where: Any = True) -> Value:
    array, value = lift(dst), lift(src)
    if not value.type.weak and not np.can_cast(value.dtype, array.dtype, casting):
        raise unsupported(f"np.copyto from {value.dtype} to {array.dtype} is not allowed with casting={casting!r}", instead="astype")
    if where is True:
        return index.store(array, Ellipsis, value)
    return arithmetic.where(where, operators.fitted(cast(value, array.dtype), array), array)


def _at(function: Function) -> Function:
    def apply(a: Operand, indices: Any, b: Operand) -> Value:
        array = lift(a)
        reading = index.read_index(array.builder, array.shape, indices)
        return index.add_part(array, reading, function(b))

    return apply


ARRAY_UPDATES: dict[str, Function] = {"fill": _checked("x.fill", _fill), "sort": _checked("x.sort", _sort_in_place)}
"""x.name(…) -> the new content of x."""

UPDATES: dict[Function, Function] = {
    np.fill_diagonal: _checked("np.fill_diagonal", _fill_diagonal), np.copyto: _checked("np.copyto", _copyto),
    np.add.at: _checked("np.add.at", _at(lambda b: b)), np.subtract.at: _checked("np.subtract.at", _at(arithmetic.negative)),
}  # fmt: skip
"""function(x, …) -> the new content of x."""

__all__ = ["ARRAY_ATTRIBUTES", "ARRAY_METHODS", "ARRAY_UPDATES", "NUMPY_FUNCTIONS", "UPDATES", "building", "current_builder"]
