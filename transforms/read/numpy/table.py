"""The table of NumPy's (and Python's) functions that can be read: what each does with Values.

`NUMPY_FUNCTIONS` has, by qualified name, functions with the library's own signature; `ARRAY_METHODS` and `ARRAY_ATTRIBUTES` the same
for `x.name`; `ARRAY_UPDATES` and `UPDATES` hold those that write into their first argument: they give its new content.
Calls of static values only are computed by NumPy itself, but for those that make arrays.
"""
from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache, partial, wraps
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError, ArgumentValueError
from s2s.transforms.primitives import rows
from s2s.transforms.primitives.indexing import Take, setitem
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.names import Rules, Table, short
from s2s.transforms.read.numpy import (
    arithmetic,
    creation,
    diagonals,
    elementwise,
    joining,
    keys,
    operators,
    parts,
    products,
    ranges,
    rearranging,
    reductions,
    search,
    shapes,
    ufuncs,
)
from s2s.transforms.read.numpy.arguments import settled
from s2s.transforms.read.numpy.axes import normal_axes
from s2s.transforms.read.numpy.building import Operand, building, current_builder, has_value, unsupported, values_in
from s2s.transforms.read.numpy.common import cast, iota, lift, product, shape_value, size_values, static_call
from s2s.transforms.read.numpy.composites import COMPOSITES, MAKERS
from s2s.transforms.read.numpy.linalg import LINALG
from s2s.transforms.read.numpy.linalg_of_scipy import LINALG_OF_SCIPY
from s2s.transforms.read.numpy.places import PLACES, broadcast_shapes
from s2s.transforms.read.numpy.python import PYTHON_FUNCTIONS, abs_, is_integer
from s2s.transforms.read.numpy.python_checks import check_stored
from s2s.transforms.read.numpy.quantiles import QUANTILES
from s2s.transforms.read.numpy.special import SPECIAL
from s2s.transforms.read.numpy.structured import STRUCTURED
from s2s.types import BOOL, COMPLEX64, FLOAT16, INT8, SUPPORTED_DTYPES, Array, is_unsigned, promote

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
        if name in _ON_DEVICES:
            kwargs = _without_device(kwargs)
        try:
            bound = settled(_signature(function).bind(*args, **kwargs))
        except TypeError as error:
            _check_in_numpy(numpy_function, args, kwargs)
            unknown = [key for key in kwargs if key not in _signature(function).parameters]
            what = f"{name}(…, {unknown[0]}=…) is not supported" if unknown else f"{name}: {error}"
            raise unsupported(what, instead="leave the argument out") from None
        return function(*bound.args, **bound.kwargs)

    return call


_ON_DEVICES = frozenset(f"np.{name}" for name in ("zeros", "ones", "empty", "full", "eye", "linspace", "zeros_like", "ones_like", "empty_like", "full_like"))


def _without_device(kwargs: dict[str, Any]) -> dict[str, Any]:
    """The arguments but for where the array shall be: there is one device."""
    device = kwargs.get("device")
    if device not in (None, "cpu"):
        raise ArgumentValueError(f'Device not understood. Only "cpu" is allowed, but received: {device}', where=current_builder().where)
    return {key: value for key, value in kwargs.items() if key != "device"}


def _check_in_numpy(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    signature = None if function is None else _signature_in_numpy(function)
    if signature is not None:
        try:
            signature.bind(*args, **kwargs)
        except TypeError as error:
            raise ArgumentTypeError(f"{function.__name__}() {error}", where=current_builder().where) from None


_PYTHON_RESULTS = {"numpy.real", "numpy.imag", "numpy.shape", "numpy.size", "numpy.ndim", "numpy.broadcast_shapes", "numpy.allclose", "scipy.linalg.norm"}
"""Functions that give a Python number, or that of a Python number."""


def _evaluated(name: str, function: Function, numpy_function: Function) -> Function:
    """The function; the library's own result where all arguments are static."""
    checked = _checked(short(name), function, numpy_function)

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if not has_value(args, kwargs):
            return static_call(numpy_function, args, kwargs)
        result = checked(*args, **kwargs)
        return result if name in _PYTHON_RESULTS else arithmetic.strong_result(result, tuple(values_in((args, kwargs))))

    return call


def _as_is(function: Function, _: Any) -> Function:
    return function


# ---- elementwise -----------------------------------------------------------------------------------------------------

_UFUNCS: dict[str, Function] = {
    "numpy.add": arithmetic.add, "numpy.subtract": arithmetic.subtract, "numpy.multiply": arithmetic.multiply, "numpy.divide": arithmetic.divide,
    "numpy.floor_divide": arithmetic.of_numpy(arithmetic.floor_divide), "numpy.remainder": arithmetic.of_numpy(arithmetic.remainder),
    "numpy.fmod": arithmetic.of_numpy(arithmetic.fmod), "numpy.divmod": arithmetic.of_numpy(arithmetic.divmod_),
    "numpy.power": arithmetic.power, "numpy.float_power": arithmetic.float_power, "numpy.square": arithmetic.square,
    "numpy.negative": arithmetic.negative, "numpy.positive": arithmetic.positive, "numpy.matmul": products.matmul,
    "numpy.maximum": arithmetic.maximum, "numpy.minimum": arithmetic.minimum, "numpy.fmax": arithmetic.fmax, "numpy.fmin": arithmetic.fmin,
    "numpy.logical_and": arithmetic.logical(rows.logical_and), "numpy.logical_or": arithmetic.logical(rows.logical_or),
    "numpy.logical_xor": arithmetic.logical(rows.logical_xor), "numpy.logical_not": arithmetic.logical_not,
    "numpy.bitwise_and": arithmetic.bitwise(rows.bitwise_and, rows.logical_and, "&"), "numpy.bitwise_or": arithmetic.bitwise(rows.bitwise_or, rows.logical_or, "|"),
    "numpy.bitwise_xor": arithmetic.bitwise(rows.bitwise_xor, rows.logical_xor, "^"), "numpy.invert": arithmetic.invert,
    "numpy.left_shift": arithmetic.shift(rows.left_shift, "<<"), "numpy.right_shift": arithmetic.shift(rows.right_shift, ">>"),
    "numpy.less": lambda a, b: arithmetic.compare("<", a, b), "numpy.less_equal": lambda a, b: arithmetic.compare("<=", a, b),
    "numpy.greater": lambda a, b: arithmetic.compare(">", a, b), "numpy.greater_equal": lambda a, b: arithmetic.compare(">=", a, b),
    "numpy.equal": lambda a, b: arithmetic.compare("==", a, b), "numpy.not_equal": lambda a, b: arithmetic.compare("!=", a, b),
    "numpy.absolute": elementwise.absolute, "numpy.fabs": elementwise.fabs, "numpy.sign": elementwise.sign, "numpy.reciprocal": elementwise.reciprocal,
    "numpy.conjugate": elementwise.conj, "numpy.deg2rad": elementwise.deg2rad, "numpy.radians": elementwise.deg2rad,
    "numpy.rad2deg": elementwise.rad2deg, "numpy.degrees": elementwise.rad2deg, "numpy.heaviside": elementwise.heaviside, "numpy.nextafter": elementwise.nextafter, "numpy.copysign": elementwise.copysign,
    "numpy.isnan": elementwise.test(rows.isnan, False), "numpy.isinf": elementwise.test(rows.isinf, False), "numpy.isfinite": elementwise.test(rows.isfinite, True),
    "numpy.signbit": elementwise.signbit, "numpy.cbrt": elementwise.floating(rows.cbrt, "f"),
    "numpy.arctan2": elementwise.floating_pair(rows.arctan2), "numpy.hypot": elementwise.floating_pair(rows.hypot),
    "numpy.logaddexp": elementwise.floating_pair(rows.logaddexp), "numpy.logaddexp2": elementwise.floating_pair(rows.logaddexp2),
}  # fmt: skip
_UFUNCS |= {
    f"numpy.{row.name}": elementwise.floating(row) for row in (
        rows.exp, rows.exp2, rows.expm1, rows.log, rows.log2, rows.log10, rows.log1p, rows.sqrt, rows.sin, rows.cos, rows.tan,
        rows.arcsin, rows.arccos, rows.arctan, rows.sinh, rows.cosh, rows.tanh, rows.arcsinh, rows.arccosh, rows.arctanh,
    )
}  # fmt: skip
_UFUNCS |= {f"numpy.{row.name}": elementwise.rounding(row) for row in (rows.floor, rows.ceil, rows.trunc, rows.rint)}


_UFUNC_METHODS: dict[str, Function] = {
    "numpy.add.reduce": ufuncs.summing_reduce(reductions.sum_), "numpy.multiply.reduce": ufuncs.summing_reduce(reductions.prod), "numpy.maximum.reduce": ufuncs.reduce(reductions.max_),
    "numpy.minimum.reduce": ufuncs.reduce(reductions.min_), "numpy.logical_and.reduce": ufuncs.logical_reduce(reductions.all_), "numpy.logical_or.reduce": ufuncs.logical_reduce(reductions.any_),
    "numpy.add.accumulate": ufuncs.accumulate(reductions.cumsum), "numpy.multiply.accumulate": ufuncs.accumulate(reductions.cumprod),
    "numpy.add.outer": ufuncs.outer(arithmetic.add), "numpy.subtract.outer": ufuncs.outer(arithmetic.subtract), "numpy.multiply.outer": ufuncs.outer(arithmetic.multiply),
    "numpy.divide.outer": ufuncs.outer(arithmetic.divide), "numpy.maximum.outer": ufuncs.outer(arithmetic.maximum), "numpy.minimum.outer": ufuncs.outer(arithmetic.minimum),
}  # fmt: skip

# ---- of arrays ---------------------------------------------------------------------------------------------------------

_OF_ARRAYS: dict[str, Function] = {
    "numpy.where": search.where_or_nonzero, "numpy.clip": elementwise.clip, "numpy.round": elementwise.round_, "numpy.around": elementwise.round_,
    "numpy.real": elementwise.real, "numpy.imag": elementwise.imag, "numpy.angle": elementwise.angle, "numpy.sinc": elementwise.sinc,
    "numpy.nan_to_num": elementwise.nan_to_num, "numpy.fix": elementwise.rounding(rows.trunc),
    "numpy.sum": reductions.sum_, "numpy.prod": reductions.prod, "numpy.average": reductions.average,
    "numpy.max": reductions.max_, "numpy.min": reductions.min_, "numpy.amax": reductions.max_, "numpy.amin": reductions.min_,
    "numpy.ptp": reductions.ptp, "numpy.any": reductions.any_, "numpy.all": reductions.all_, "numpy.count_nonzero": reductions.count_nonzero,
    "numpy.argmax": reductions.argmax, "numpy.argmin": reductions.argmin, "numpy.cumsum": reductions.cumsum, "numpy.cumprod": reductions.cumprod,
    "numpy.diff": reductions.diff, "numpy.linalg.norm": reductions.norm,
    "numpy.dot": products.dot, "numpy.vdot": products.vdot, "numpy.inner": products.inner, "numpy.outer": products.outer, "numpy.tensordot": products.tensordot,
    "numpy.einsum": products.einsum, "numpy.trace": products.trace, "numpy.kron": products.kron,
    "numpy.reshape": shapes.reshape, "numpy.ravel": shapes.ravel, "numpy.transpose": shapes.transpose, "numpy.permute_dims": shapes.transpose,
    "numpy.swapaxes": shapes.swapaxes, "numpy.moveaxis": shapes.moveaxis, "numpy.rollaxis": shapes.rollaxis, "numpy.matrix_transpose": shapes.matrix_transpose,
    "numpy.linalg.matrix_transpose": shapes.matrix_transpose, "numpy.squeeze": shapes.squeeze, "numpy.expand_dims": shapes.expand_dims,
    "numpy.broadcast_to": shapes.broadcast_to, "numpy.broadcast_arrays": shapes.broadcast_arrays, "numpy.atleast_1d": shapes.atleast_1d,
    "numpy.atleast_2d": shapes.atleast_2d, "numpy.atleast_3d": shapes.atleast_3d, "numpy.flip": shapes.flip, "numpy.fliplr": shapes.fliplr,
    "numpy.flipud": shapes.flipud, "numpy.rot90": shapes.rot90, "numpy.roll": rearranging.roll, "numpy.diagonal": diagonals.diagonal, "numpy.diag": diagonals.diag,
    "numpy.tril": diagonals.tril, "numpy.triu": diagonals.triu, "numpy.repeat": rearranging.repeat, "numpy.tile": rearranging.tile,
    "numpy.concatenate": joining.concatenate, "numpy.concat": joining.concatenate, "numpy.stack": joining.stack, "numpy.hstack": joining.hstack,
    "numpy.vstack": joining.vstack, "numpy.row_stack": joining.vstack, "numpy.dstack": joining.dstack, "numpy.column_stack": joining.column_stack, "numpy.block": joining.block,
    "numpy.append": joining.append, "numpy.split": joining.split, "numpy.array_split": joining.array_split, "numpy.hsplit": joining.hsplit,
    "numpy.vsplit": joining.vsplit, "numpy.meshgrid": joining.meshgrid,
    "numpy.nonzero": search.nonzero, "numpy.flatnonzero": search.flatnonzero, "numpy.argwhere": search.argwhere, "numpy.compress": search.compress,
    "numpy.take": search.take, "numpy.take_along_axis": search.take_along_axis, "numpy.sort": search.sort, "numpy.argsort": search.argsort,
    "numpy.searchsorted": search.searchsorted, "numpy.digitize": search.digitize, "numpy.lexsort": search.lexsort, "numpy.interp": search.interp, "numpy.select": search.select,
    "numpy.isclose": search.isclose, "numpy.allclose": search.allclose,
    "numpy.polyval": search.polyval, "numpy.ix_": search.ix_,
    "numpy.full_like": creation.full_like, "numpy.zeros_like": creation.zeros_like, "numpy.ones_like": creation.ones_like,
    "numpy.empty_like": creation.empty_like, "numpy.linspace": ranges.linspace, "numpy.logspace": ranges.logspace, "numpy.vander": ranges.vander,
}  # fmt: skip

_MAKERS: dict[str, Function] = {
    "numpy.zeros": creation.zeros, "numpy.ones": creation.ones, "numpy.empty": creation.empty, "numpy.ndarray": creation.ndarray, "numpy.full": creation.full, "numpy.array": creation.array,
    "numpy.asarray": creation.asarray, "numpy.ascontiguousarray": creation.ascontiguousarray, "numpy.asanyarray": creation.asarray, "numpy.copy": creation.copy,
    "numpy.arange": ranges.arange, "numpy.eye": ranges.eye, "numpy.identity": ranges.identity, "numpy.tri": ranges.tri, "numpy.indices": search.indices,
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


_ABOUT_TYPES: dict[str, Function] = {
    "numpy.shape": shape, "numpy.size": size, "numpy.ndim": ndim, "numpy.broadcast_shapes": broadcast_shapes, "numpy.result_type": _dtype_of,
    "numpy.iscomplexobj": lambda x: lift(x).dtype.kind == "c", "numpy.isrealobj": lambda x: lift(x).dtype.kind != "c",
    "numpy.isscalar": lambda x: not lift(x).ndim, "numpy.finfo": lambda dtype: np.finfo(_of_number(dtype)), "numpy.iinfo": lambda int_type: np.iinfo(_of_number(int_type)),
    "numpy.ma.getmask": lambda a: np.ma.nomask, "numpy.ma.isMaskedArray": lambda x: False, "numpy.ma.is_masked": lambda x: False,
    "numpy.ma.getmaskarray": lambda arr: creation.zeros(lift(arr).shape, bool),
}  # fmt: skip
"""What asks of an array more than its elements; none is masked: masked arrays are no arguments."""


def _of_number(x: Operand) -> np.dtype:
    """The dtype of a number; np.finfo and np.iinfo take no arrays."""
    value = lift(x)
    if value.ndim:
        raise ArgumentValueError("data type <class 'numpy.object_'> not inexact", where=value.builder.where)
    return value.dtype


_EVALUATED: dict[str, Function] = {
    **_UFUNC_METHODS, **_OF_ARRAYS, **_ABOUT_TYPES, **COMPOSITES, **QUANTILES, **PLACES, **LINALG, **LINALG_OF_SCIPY, **STRUCTURED,
}  # fmt: skip
NUMPY_FUNCTIONS: Rules[Function] = Rules({
    **{name: partial(ufuncs.ufunc, short(name), own) for name, own in _UFUNCS.items()},
    **{name: partial(ufuncs.ufunc, short(name), own, by_loop=True) for name, own in SPECIAL.items()},
    **{name: partial(_evaluated, name, own) for name, own in _EVALUATED.items()},
    **{name: partial(_checked, short(name), own) for name, own in {**_MAKERS, **MAKERS}.items()},
    **{f"numpy.{dtype}": creation.constructor for dtype in ("bool_", *(dtype.name for dtype in SUPPORTED_DTYPES if dtype != BOOL))},
    **{name: partial(_as_is, own) for name, own in PYTHON_FUNCTIONS.items()},
})  # fmt: skip
"""Qualified name of a function of NumPy, `math` or Python -> what makes the function of Values of it."""


# ---- methods and attributes ------------------------------------------------------------------------------------------------


def _reshape_method(a: Operand, *lengths: Any, order: str = "C", copy: Any = None) -> Value:
    return shapes.reshape(a, lengths[0] if len(lengths) == 1 else lengths, order)


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


_METHODS: dict[str, Function] = {
    "sum": reductions.sum_, "prod": reductions.prod, "max": reductions.max_, "min": reductions.min_, "any": reductions.any_, "all": reductions.all_, "argmax": reductions.argmax,
    "argmin": reductions.argmin, "cumsum": reductions.cumsum, "cumprod": reductions.cumprod, "dot": products.dot, "trace": products.trace,
    "reshape": _reshape_method, "transpose": _transpose_method, "swapaxes": shapes.swapaxes, "ravel": shapes.ravel,
    "flatten": shapes.flatten, "squeeze": shapes.squeeze, "diagonal": diagonals.diagonal, "repeat": rearranging.repeat,
    "copy": creation.copy, "astype": creation.astype, "item": creation.item, "clip": _clip_method, "round": elementwise.round_,
    "conj": elementwise.conj_method, "conjugate": elementwise.conj_method, "nonzero": search.nonzero, "take": search.take, "argsort": search.argsort,
    "searchsorted": search.searchsorted, "compress": _compress_method,
    "is_integer": is_integer, "__len__": lambda a: shape(a)[0], "__abs__": abs_, "__float__": creation.float_,
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


def _fill(a: Operand, value: Operand, /) -> Value:
    number = lift(value)
    if number.ndim:
        raise ArgumentTypeError("only 0-dimensional arrays can be converted to Python scalars", where=number.builder.where)
    return parts.store(a, Ellipsis, check_stored(number, lift(a).dtype))


def _sort_in_place(a: Operand, axis: int = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> Value:
    return search.sort(a, axis, kind, order, stable=stable)


def _fill_diagonal(a: Operand, val: Operand, wrap: bool = False) -> Value:
    """Of a matrix, once (`composed/rarer.py` has the others)."""
    array = lift(a)
    positions = diagonals.diagonal_positions(array, array.shape[0], array.shape[1], 0)
    number = parts.assigned(check_stored(lift(val), array.dtype), array)
    if number.ndim:  # as by array.flat: repeated, or cut off
        flat = shapes.ravel(number)
        number = parts.get(flat, (arithmetic.remainder(iota(array.builder, positions[0].shape[0]), *size_values(array.builder, flat.shape)),))
    return setitem(array, creation.spread_to(number, positions[0].shape), *positions, index=(Take(), Take()))


def _copyto(dst: Operand, src: Operand, casting: Any = "same_kind", where: Any = True) -> Value:
    array, value = lift(dst), lift(src)
    if casting == "unsafe" and value.dtype.kind == "c" and array.dtype.kind != "c":
        value = rows.real(value)  # the imaginary part is dropped, as is asked for
    least = {"b": BOOL, "i": INT8, "f": FLOAT16, "c": COMPLEX64}[value.dtype.kind] if value.type.weak else value.dtype  # a Python number fits where its kind does
    if not np.can_cast(least, array.dtype, casting) and not (value.type.weak and value.dtype.kind == "i" and is_unsigned(array.dtype)):
        what = "array data" if value.ndim else "scalar"
        raise ArgumentTypeError(f"Cannot cast {what} from {value.dtype!r} to {array.dtype!r} according to the rule {casting!r}", where=array.builder.where)
    if where is True:
        return parts.store(array, Ellipsis, value)
    return arithmetic.where(where, operators.fitted(cast(value, array.dtype), array), array)


def _at(signed: Callable[[Value], Value] = lambda number: number) -> Function:
    def apply(a: Operand, indices: Any, b: Operand) -> Value:
        array = lift(a)
        reading = keys.read_index(array.builder, array.shape, indices)
        return parts.add_part(array, reading, b, signed)

    return apply


ARRAY_UPDATES: dict[str, Function] = {"fill": _checked("x.fill", _fill), "sort": _checked("x.sort", _sort_in_place)}
"""x.name(…) -> the new content of x."""

UPDATES: Table[Function] = Table({
    "numpy.fill_diagonal": _checked("np.fill_diagonal", _fill_diagonal), "numpy.copyto": _checked("np.copyto", _copyto),
    "numpy.add.at": _checked("np.add.at", _at()), "numpy.subtract.at": _checked("np.subtract.at", _at(arithmetic.negative)),
})  # fmt: skip
"""function(x, …) -> the new content of x."""

__all__ = ["ARRAY_ATTRIBUTES", "ARRAY_METHODS", "ARRAY_UPDATES", "NUMPY_FUNCTIONS", "UPDATES", "building", "current_builder"]
