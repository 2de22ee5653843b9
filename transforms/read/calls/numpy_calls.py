"""Calls of NumPy's functions and of arrays' methods: views and aliases as NumPy makes them, `out=` stored."""
from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
from numpy import _CopyMode

from s2s.errors import ArgumentTypeError, ArgumentValueError
from s2s.transforms.primitives.arithmetic import greater
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.callables import ArrayMethod, AtArray, Closure, FlatArray
from s2s.transforms.read.calls.composed import call_composed, call_part
from s2s.transforms.read.calls.copies_in_order import ASTYPE, COPIES, OF_A_SHAPE, in_an_order, in_fortran_order, of_a_shape
from s2s.transforms.read.calls.library_names import shown_name
from s2s.transforms.read.calls.narrow_matrices import with_narrow_matrices
from s2s.transforms.read.calls.nearest import nearest_member, with_nearest
from s2s.transforms.read.calls.stacked import call_stacked
from s2s.transforms.read.calls.traced_calls import traced_call
from s2s.transforms.read.calls.ufuncs_of_objects import of_object
from s2s.transforms.read.classes import example_of, held_items, users
from s2s.transforms.read.composed import in_memory, rarer, sized
from s2s.transforms.read.composed.table import CALLING, COMPOSED, COMPOSED_METHODS
from s2s.transforms.read.describing import describe
from s2s.transforms.read.doubts import types_of
from s2s.transforms.read.flow.flat import copy_of, flat_of
from s2s.transforms.read.flow.items import items_of
from s2s.transforms.read.flow.iteration import Endless, RunRange
from s2s.transforms.read.flow.positions import check_taken
from s2s.transforms.read.numpy.arithmetic import where
from s2s.transforms.read.numpy.building import building, has_value
from s2s.transforms.read.numpy.common import agreed, cast, converted, lift, retyped, static_call, supported
from s2s.transforms.read.numpy.operators import fitted
from s2s.transforms.read.numpy.table import ARRAY_ATTRIBUTES, ARRAY_METHODS, ARRAY_UPDATES, NUMPY_FUNCTIONS
from s2s.transforms.read.numpy.ufuncs import in_loop
from s2s.transforms.read.numpys_words import check_odd, numpys_words
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import check_writable, load, of_elements, ordered, store_view
from s2s.transforms.read.storage.grown import Grown, Table
from s2s.transforms.read.storage.layout import in_its_order, strides
from s2s.transforms.read.storage.views import (
    ITSELF,
    READ_ONLY,
    VIEWS,
    WINDOWS,
    itself,
    may_alias,
    note_sharing,
    rearranged,
    view_call,
    views_in,
)
from s2s.transforms.read.values import Abstract, Iteration, IteratorRef, ListRef, ObjectRef, View, is_atom, is_namedtuple
from s2s.transforms.read.wrapping import unwrap, weak_dim, wrap
from s2s.transforms.read.zero_dim import as_given, makes_arrays, method_makes_arrays, no_member
from s2s.types import BOOL, INT64, Atom, Literal, is_integer, kind_of, literal, size_literal

EXACT_OUT = frozenset((
    np.sum, np.prod, np.mean, np.var, np.std, np.max, np.min, np.amax, np.amin, np.any, np.all, np.ptp, np.argmax, np.argmin, np.cumsum, np.cumprod, np.nancumsum, np.nancumprod,
    np.nansum, np.nanprod, np.nanmax, np.nanmin, np.nanmean, np.nanvar, np.nanstd, np.median, np.quantile, np.percentile, np.add.reduce,
    np.multiply.reduce, np.maximum.reduce, np.minimum.reduce, np.logical_and.reduce, np.logical_or.reduce, np.add.accumulate, np.multiply.accumulate, np.trace,
))  # fmt: skip
"""Functions whose `out` has exactly the result's shape."""
_METHOD_FUNCTIONS = {"transpose": np.transpose, "swapaxes": np.swapaxes, "reshape": np.reshape, "ravel": np.ravel, "squeeze": np.squeeze,
                     "diagonal": np.diagonal}  # fmt: skip

_RARER_METHODS: dict[str, Any] = {"reshape": np.reshape, "ravel": np.ravel, "flatten": np.ndarray.flatten, "trace": np.trace}
"""Methods that have arguments of `composed/rarer.py`."""


def update(reader: Reader, rule: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> None:
    """A function that writes into its first argument: `rule` gives the new content."""
    args, kwargs = _first_by_place(rule, args, kwargs)
    target = args[0]
    if not isinstance(target, View):
        raise reader.unsupported(f"a store into {describe(reader, target)}", "an array")
    check_writable(reader, target.cell)
    with building(reader.builder):
        new = rule(load(reader, target), *(wrap(reader, arg) for arg in args[1:]), **{key: wrap(reader, arg) for key, arg in kwargs.items()})
        store_view(reader, target, new)


def numpy_call(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A function of the table: views and aliases as NumPy makes them, `out=` stored."""
    if function is sized.where and len(args) == 3 and not kwargs and all(arg is not None for arg in args):  # s2s.numpy's, with NumPy's own arguments
        function = np.where
    args, kwargs = _first_by_place(function, args, kwargs)
    if isinstance(function, np.ufunc):
        args, kwargs = _as_ufunc(function, args, kwargs)
        if kwargs.get("order") == "F":
            return in_fortran_order(reader, numpy_call(reader, function, args, {**kwargs, "order": "K"}), kwargs.get("out"))
    make = partial(_called, reader, function)
    lying = of_a_shape(reader, function, args, kwargs, make) if function in OF_A_SHAPE else in_an_order(reader, function, args, kwargs, make) if args and function in COPIES else None
    return in_its_order(reader, function, _called(reader, function, args, kwargs) if lying is None else lying, args, kwargs)


_REAL = frozenset((np.float64, np.float32, np.asarray, np.array, np.ascontiguousarray))


def _check_real(reader: Reader, value: Any, wanted: Any) -> None:
    """Refuse complex numbers where a library's function that is read asks for floats: NumPy's cast would drop their imaginary parts."""
    if wanted is not None and isinstance(value, Value | complex) and np.dtype(wanted).kind == "f" and np.result_type(getattr(value, "dtype", value)).kind == "c":
        raise reader.unsupported("complex numbers in a function of real ones", "their real and imaginary parts by themselves")


def _called(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """The call, its arguments where NumPy has them; a copy is made in C order."""
    args, kwargs = _out_by_name(function, args, kwargs)
    if (asked := of_object(reader, function, args, kwargs)) is not None:
        return asked[0]
    if isinstance(kwargs.get("copy"), _CopyMode):
        kwargs = {**kwargs, "copy": _COPY_MODES[kwargs["copy"]]}
    if isinstance(function, np.ufunc) and function.nout > 1 and kwargs.get("out") is not None:
        return _with_outs(reader, function, args, kwargs)
    if kwargs.get("out") is not None:
        if function in (np.concatenate, np.stack) and kwargs.get("dtype") is not None:
            raise ArgumentTypeError("concatenate() only takes `out` or `dtype` as an argument, but both were provided.", where=reader.builder.where)
        return _with_out(reader, function, args, kwargs)
    args = tuple(_array_like(reader, function, arg) for arg in args)
    args, kwargs = with_narrow_matrices(reader, function, args, kwargs)
    if (source := rarer.source_for(function, args, kwargs)) is not None:
        return call_part(reader, source, args, kwargs, shown_name(function))
    if (stacked := call_stacked(reader, function, args, kwargs)) is not None:
        return stacked
    if any(isinstance(arg, View) for arg in args):
        viewed = view_call(reader, function, args, kwargs)
        if viewed is not None:
            return viewed
    if function in COMPOSED:
        found = _composed(reader, function, args, kwargs)
        if function in WINDOWS and isinstance(found, View):
            found.cell.read_only = function in READ_ONLY
            note_sharing(reader, found, args)
        return found
    order = args[1] if len(args) > 1 else kwargs.get("n")
    if function is np.diff and isinstance(args[0], ListRef) and isinstance(order, int) and order == 0:
        raise reader.unsupported("np.diff(…, n=0) of a list (it gives the list itself)", "the list")
    if args and isinstance(args[0], ListRef) and isinstance(reader.heap[args[0]], Grown):
        _need_items(reader, function, reader.heap[args[0]])
    with building(reader.builder):
        wrapped, named = [wrap(reader, arg) for arg in args], {key: wrap(reader, arg) for key, arg in kwargs.items()}
        if function in _REAL and wrapped and reader.frame.tree.at is not None:
            _check_real(reader, wrapped[0], function if isinstance(function, type) else wrapped[1] if len(wrapped) > 1 else named.get("dtype"))
        result = traced_call(reader, function, NUMPY_FUNCTIONS[function], wrapped, named)
        found = unwrap(reader, result, arrays=makes_arrays(function, args))
        found = as_given(reader, args[0], function.__name__, found) if args else found
    if function in READ_ONLY and isinstance(found, View):
        found.cell.read_only = True
    if function in VIEWS:
        return views_in(reader, found, args)
    if function is np.einsum:
        found = rearranged(reader, found, args)
    if function in ITSELF:
        found = itself(reader, found, args[0])
    if may_alias(reader, function, args, kwargs):
        note_sharing(reader, found, args)
        return found
    if isinstance(function, np.ufunc) and function.signature is None and kwargs.keys() <= {"order", "dtype", "casting"}:
        return of_elements(reader, found, *args, order=kwargs.get("order") or "K")
    return ordered(reader, found, *args, *kwargs.values())


def _composed(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A composed function: computed by its library where all arguments are known, else read."""
    with building(reader.builder):
        known = [wrap(reader, arg) for arg in args], {key: wrap(reader, arg) for key, arg in kwargs.items()}
        if isinstance(function, np.ufunc) and kwargs and has_value(known[0]):
            args, kwargs = tuple(unwrap(reader, each) for each in in_loop(shown_name(function), function, known[0], known[1])), {}
        if function not in CALLING and not has_value(known) and not any(isinstance(each, Closure | ObjectRef) for each in (*args, *kwargs.values())):
            given = static_call(function, tuple(known[0]), known[1])
            if not _of_more_than_items(given):
                return unwrap(reader, given)
    return call_composed(reader, function, args, kwargs)


def _of_more_than_items(given: Any) -> bool:
    """Whether what SciPy gave is a tuple that holds more than its items (pearsonr's knows its samples), so that the items alone don't make it."""
    return is_namedtuple(given) and not hasattr(given, "_make") and len(inspect.signature(type(given)).parameters) > len(given)


def _first_by_place(function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> tuple[tuple[Abstract, ...], dict[str, Abstract]]:
    """The arguments with the first one by its place, also where the call names it: np.ravel(a=x) is a view of x, too."""
    if args or not kwargs or isinstance(function, np.ufunc | type):
        return args, kwargs
    try:
        first = next(iter(inspect.signature(function).parameters.values()), None)
    except ValueError:  # a builtin without a signature
        return args, kwargs
    if first is None or first.kind is first.VAR_POSITIONAL or first.name not in kwargs:
        return args, kwargs
    return (kwargs[first.name],), {name: value for name, value in kwargs.items() if name != first.name}


def _as_ufunc(function: np.ufunc, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> tuple[tuple[Abstract, ...], dict[str, Abstract]]:
    """The arguments of a ufunc, those behind the operands (outs) and `sig` by their names."""
    if "sig" in kwargs and "signature" not in kwargs:
        kwargs = {"signature" if name == "sig" else name: value for name, value in kwargs.items()}
    given = args[function.nin : function.nargs]
    if not given or len(args) > function.nargs or kwargs.get("out") is not None:
        return args, kwargs
    outs = given + (None,) * (function.nout - len(given))
    return args[: function.nin], {**kwargs, "out": outs[0] if function.nout == 1 else outs}


def _with_outs(reader: Reader, function: np.ufunc, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A ufunc of several results: each is stored into its out, if it has one."""
    outs = kwargs["out"]
    if not isinstance(outs, tuple) or len(outs) != function.nout:
        message = "The 'out' tuple must have exactly one entry per ufunc output" if isinstance(outs, tuple) else "'out' must be a tuple of arrays"
        raise (ArgumentValueError if isinstance(outs, tuple) else ArgumentTypeError)(message, where=reader.builder.where)
    mask = kwargs.get("where", True)
    if mask is not True and any(out is None for out in outs):
        raise reader.unsupported(f"np.{function.__name__}(…, where=…) without out for each result", "out=(a, b)", "NumPy leaves what is left out as the memory was")
    plain = {key: value for key, value in kwargs.items() if key not in ("out", "where")}
    found = numpy_call(reader, function, _harmless(reader, function, mask, args), plain)
    assert isinstance(found, tuple)
    return tuple(value if out is None else _stored(reader, function, value, out, mask) for value, out in zip(found, outs, strict=True))


def _stored(reader: Reader, function: np.ufunc, result: Abstract, target: Abstract, mask: Abstract) -> Abstract:
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


_COPY_MODES = {_CopyMode.ALWAYS: True, _CopyMode.IF_NEEDED: None, _CopyMode.NEVER: False}
"""What NumPy's names for them mean: the array API's compatibility layers write these."""


def _out_by_name(function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> tuple[tuple[Abstract, ...], dict[str, Abstract]]:
    """The arguments with `out`, and what stands behind it, by their names: np.round(x, 2, y)."""
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


def _array_like(reader: Reader, function: Any, arg: Abstract) -> Abstract:
    """An argument: a run-time range as the array that NumPy makes of it; iterators are not taken for sequences."""
    if isinstance(arg, RunRange):
        return numpy_call(reader, np.arange, (arg.lo, arg.hi, arg.step), {"dtype": np.int64})
    if isinstance(arg, FlatArray):
        return copy_of(reader, arg)
    if isinstance(arg, Iteration | IteratorRef | Endless):
        if function is np.indices:
            return items_of(reader, arg)
        if function is math.fsum:
            return reader.rules.call(list, (arg,))
        raise reader.unsupported(f"np.{function.__name__} of an iterator, which NumPy does not go through", f"np.{function.__name__}(list(…))")
    if isinstance(arg, ObjectRef) and users(arg.kind, "__array__") is None:
        return held_items(reader, arg)
    if type(arg) is tuple or type(arg) is ListRef and isinstance(reader.heap[arg], tuple):
        return _of_sequences(reader, arg)
    return arg


def _of_sequences(reader: Reader, arg: Abstract) -> Abstract:
    """A list or tuple with the lists and tuples in it that are of a class of the user's as NumPy sees them."""
    items = reader.heap[arg] if isinstance(arg, ListRef) else arg
    if not any(isinstance(each, ObjectRef) for each in items):
        return arg
    seen = tuple(held_items(reader, each) for each in items)
    return reader.new_list(seen) if isinstance(arg, ListRef) else seen


_EMPTY_LISTS = {
    **dict.fromkeys((np.array, np.asarray, np.asanyarray), ("NotImplementedError", "an array of a list that holds no arrays (its shape is (0,) in NumPy) is not supported")),
    np.stack: ("ValueError", "need at least one array to stack"),
    **dict.fromkeys((np.vstack, np.concatenate, np.hstack), ("ValueError", "need at least one array to concatenate")),
}  # fmt: skip
"""What a function does with a list whose items are arrays, where it holds none."""


def _need_items(reader: Reader, function: Any, content: Grown) -> None:
    """The Check that a list of arrays whose length only the run knows has an item."""
    builder, length = reader.builder, content.length
    if function not in _EMPTY_LISTS or not isinstance(content, Table) and reader.value(content.array).ndim < 2 or builder.proves_at_least(length, 1):
        return
    (test,) = builder.equation(greater, (length, size_literal(0)), name="some")
    builder.check(test, *_EMPTY_LISTS[function])


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


def _with_out(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    out = kwargs["out"]
    if not _takes_out(function):
        raise ArgumentTypeError(f"{function.__name__}() got an unexpected keyword argument 'out'", where=reader.builder.where)
    target = out[0] if isinstance(out, tuple) and len(out) == 1 else out
    if not isinstance(target, View):
        raise reader.unsupported(f"out={describe(reader, out)}", "out=an array")
    kwargs = {key: value for key, value in kwargs.items() if key != "out"}
    if function in OUT_DECIDES and kwargs.get("dtype") is None and (len(args) < 3 or args[2] is None):
        args, kwargs["dtype"] = args[:2], reader.heap[target.cell].type.dtype
        with building(reader.builder):
            given = [lift(wrap(reader, each)).dtype for each in args[:1]]
        if given and not np.can_cast(given[0], kwargs["dtype"], "same_kind"):
            raise reader.unsupported(f"np.{function.__name__} with an out of {kwargs['dtype']}, of a narrower kind", f"out[...] = np.{function.__name__}(…)")
    mask = kwargs.pop("where", True) if isinstance(function, np.ufunc) or function is np.clip else True
    result = numpy_call(reader, function, _harmless(reader, function, mask, args), kwargs)
    with building(reader.builder):
        value, array = lift(wrap(reader, result)), load(reader, target)
        if function in (np.dot, np.linalg.multi_dot) and (value.dtype != array.dtype or value.ndim != array.ndim):
            message = "output array is not acceptable (must have the right datatype, number of dimensions, and be a C-Array)"
            raise ArgumentValueError(message, where=reader.builder.where)
        if function in _IN_PART and value.dtype != array.dtype:
            name = function.__name__
            raise reader.unsupported(f"np.{name} in {value.dtype} with an out of {array.dtype}", f"out[...] = np.{name}(…)", "some of NumPy's steps compute in the out's dtype")
        if function in _PLACES:  # an out that is read as int64, and written back whatever its dtype
            if not np.can_cast(array.dtype, INT64, "safe"):
                raise ArgumentTypeError(f"Cannot cast array data from {array.dtype!r} to {INT64!r} according to the rule 'safe'", where=reader.builder.where)
            value = converted(value, array.dtype)
        if not np.can_cast(value.dtype, array.dtype, "same_kind"):
            raise ArgumentTypeError(
                f"Cannot cast ufunc output from dtype('{value.dtype}') to dtype('{array.dtype}') with casting rule 'same_kind'", where=reader.builder.where
            )
        if function in (np.take, np.compress):
            if value.ndim != array.ndim:
                raise ArgumentValueError(_TAKEN, where=reader.builder.where)
            value = retyped(value, tuple(agreed(reader.builder, pair, _TAKEN) for pair in zip(value.shape, array.shape, strict=True)))
        if function in (np.round, np.around):
            value = _rounded(reader, args[1] if len(args) > 1 else kwargs.get("decimals", 0), value, array)
        if function in EXACT_OUT:
            value = _exactly(reader, function, value, array)
        elif isinstance(getattr(function, "__self__", None), np.ufunc):
            value = _of_method(reader, function, value, array)
        value = cast(value, array.dtype)
        store_view(reader, target, fitted(value if mask is True else where(wrap(reader, mask), value, array), array))
    return target


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


def _refuse_missing(reader: Reader, number: Atom, name: str) -> None:
    """Python's AttributeError for what Python's own numbers don't have; refused where the number is NumPy's on another path."""
    examples = [example_of(reader, Literal(0, type_)) for type_ in types_of(reader.builder, number)]
    lacking = [example for example in examples if not hasattr(example, name)]
    if lacking and len(lacking) < len(examples):
        raise reader.unsupported(f"the attribute .{name} of a number that is Python's own on one path and NumPy's on another", "float(…) or np.float64(…) of it before")
    if lacking:
        getattr(lacking[0], name)


def array_attribute(reader: Reader, base: Abstract, name: str) -> Abstract:
    """x.name of an array or run-time scalar."""
    no_member(reader, base, f"the attribute .{name}")
    with numpys_words(reader, lambda array: getattr(array, name), (base,)):
        return _array_attribute(reader, base, name)


def _array_attribute(reader: Reader, base: Abstract, name: str) -> Abstract:
    if is_atom(base) and kind_of(base.type.dtype) in "bifc":
        _refuse_missing(reader, base, name)
    if name == "at":
        return AtArray(base)
    if name == "flat" and isinstance(base, View):
        return flat_of(reader, base)
    if name in ARRAY_METHODS or name in ARRAY_UPDATES or name in COMPOSED_METHODS or name in ("view", "to_device"):
        return ArrayMethod(base, name)
    if name == "__class__":
        return reader.rules.call(type, (base,))
    if name == "device":
        return "cpu"
    if name == "T" and isinstance(base, View):
        return view_call(reader, np.transpose, (base,), {})
    if name == "mT" and isinstance(base, View):
        return view_call(reader, np.swapaxes, (base, -1, -2), {})
    if name == "shape":
        return tuple(weak_dim(reader, dim) for dim in (load(reader, base) if isinstance(base, View) else wrap(reader, base)).shape)
    if name == "strides" and isinstance(base, View):
        return strides(reader, base)
    if name == "flags" and isinstance(base, View):
        return reader.rules.call(in_memory.Flags, (base,))
    if name in ARRAY_ATTRIBUTES:
        with building(reader.builder):
            result = as_given(reader, base, name, unwrap(reader, ARRAY_ATTRIBUTES[name](wrap(reader, base)), arrays=method_makes_arrays(base, name)))
        return views_in(reader, result, (base,)) if name in ("real", "imag") else result
    if isinstance(base, View) and not hasattr(np.ndarray, name):
        raise with_nearest(AttributeError(f"'numpy.ndarray' object has no attribute {name!r}", name=name), nearest_member(name))
    instead, why = _ADVICE.get(name, ("a NumPy function of the array", ""))
    raise reader.unsupported(f"the attribute .{name} of an array is not supported", instead, why)


_IN_MEMORY = "how an array lies in memory is no part of what a function computes"
_ADVICE = {
    **dict.fromkeys(("data", "ctypes", "base"), ("ask outside of the function", _IN_MEMORY)), "setflags": ("ask outside of the function", _IN_MEMORY),
    "resize": ("y = np.resize(x, shape), which repeats, or np.pad", "other names of the array would see another shape"),
    **dict.fromkeys(("tobytes", "tofile", "dump", "dumps"), ("write the result outside of the function", "")), "flat": ("np.ravel", ""),
    "byteswap": ("x.view of integers, and shifts", ""), "getfield": ("x.view(dtype)", ""), "setfield": ("x.view(dtype)", ""),
}  # fmt: skip
"""What to write instead of an attribute that is not there, and why."""


def call_array_method(reader: Reader, array: Abstract, name: str, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """array.name(…)."""
    def method(first: Any, *rest: Any, **named: Any) -> Any:
        return getattr(first, name)(*rest, **named)

    method.__name__ = f"x.{name}"
    check_odd(reader, method, (array, *args), kwargs)
    with numpys_words(reader, method, (array, *args), kwargs):
        return _call_array_method(reader, array, name, args, kwargs)


def _as_of_function(name: str, operands: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> tuple[tuple[Abstract, ...], dict[str, Abstract]]:
    """The arguments of a method as NumPy's function of its name takes them: the condition first, both bounds."""
    if name == "compress":
        array, *rest = operands
        return (kwargs["condition"] if "condition" in kwargs else rest.pop(0), array, *rest), {key: value for key, value in kwargs.items() if key != "condition"}
    if name == "clip":
        low, high = (*operands[1:], *(None,) * 2)[:2]
        named = {key: value for key, value in kwargs.items() if key not in ("min", "max")}
        return (operands[0], kwargs.get("min", low), kwargs.get("max", high)), named
    return operands, kwargs


def _viewed(reader: Reader, array: Abstract, dtype: Abstract = None, type: Abstract = None) -> Abstract:  # noqa: A002 (NumPy's own)
    """x.view(…): another name for the array, or its bits as numbers of another dtype, a copy in which nothing can be stored while both are in use."""
    if type is not None or any(dtype is each for each in (np.ndarray, np.matrix, np.recarray)):
        raise reader.unsupported("x.view of another class", "x.view(dtype)")
    with building(reader.builder):
        own = lift(wrap(reader, array)).dtype
        wanted = own if dtype is None else supported(np.dtype(wrap(reader, dtype)))
    if wanted == own:
        return View(array.cell, array.steps) if isinstance(array, View) else array
    found = call_composed(reader, np.ndarray.view, (array, dtype), {})
    note_sharing(reader, found, (array,))
    return found


def _call_array_method(reader: Reader, array: Abstract, name: str, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    if name == "view":
        return _viewed(reader, array, *args, **kwargs)
    if name == "to_device":
        if (*args, *kwargs.values())[:1] != ("cpu",):
            raise ArgumentValueError("Unsupported device.", where=reader.builder.where)
        return array
    if name == "astype" and len(args) <= len(ASTYPE) and not kwargs.keys() & set(ASTYPE[: len(args)]):
        args, kwargs = (), {**dict(zip(ASTYPE, args, strict=False)), **kwargs}
    if name in COPIES:
        make = partial(_called, reader, np.copy) if name == "copy" else partial(_called_method, reader, name)
        lying = in_an_order(reader, name, (array, *args), kwargs, make)
        return in_its_order(reader, name, _called_method(reader, name, (array, *args), kwargs) if lying is None else lying, (array, *args), kwargs)
    return _called_method(reader, name, (array, *args), kwargs)


def _called_method(reader: Reader, name: str, operands: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    array, *rest = operands
    args = tuple(rest)
    if name in _RARER_METHODS:
        operands = (array, args) if name == "reshape" and len(args) > 1 else (array, *args)
        if rarer.source_for(_RARER_METHODS[name], operands, kwargs) is not None:
            return numpy_call(reader, _RARER_METHODS[name], operands, kwargs)
    if name in ARRAY_UPDATES:
        update(reader, ARRAY_UPDATES[name], (array, *args), kwargs)
        return None
    if isinstance(array, View) and name in _METHOD_FUNCTIONS:
        if name in ("reshape", "transpose") and len(args) > 1:
            args = (args,)
        if name == "transpose" and len(args) == 1 and args[0] is None:
            args = ()
        viewed = view_call(reader, _METHOD_FUNCTIONS[name], (array, *args), kwargs)
        if viewed is not None:
            return viewed
    if name != "compress" and hasattr(np, name):
        placed, kwargs = _out_by_name(getattr(np, name), (array, *args), kwargs)
        args = placed[1:]
    if kwargs.get("out") is not None and hasattr(np, name):
        operands, kwargs = _as_of_function(name, (array, *args), kwargs)
        return _with_out(reader, getattr(np, name), operands, kwargs)
    if name in ("var", "std") and "correction" in kwargs:
        raise ArgumentTypeError(f"_{name}() got an unexpected keyword argument 'correction'", where=reader.builder.where)
    if name in COMPOSED_METHODS:
        return numpy_call(reader, COMPOSED_METHODS[name], (array, *args), kwargs)
    if name in ("take", "item") and args:
        check_taken(reader, np.take, (array, *args) if name == "take" else (array, args[0] if len(args) == 1 else args), kwargs)
    with building(reader.builder):
        value = wrap(reader, array)
        result = ARRAY_METHODS[name](value, *(wrap(reader, arg) for arg in args), **{key: wrap(reader, arg) for key, arg in kwargs.items()})
        if name == "astype" and kwargs.get("copy") is False and getattr(result, "atom", None) is value.atom:
            return array
        found = as_given(reader, array, name, unwrap(reader, result, arrays=method_makes_arrays(array, name)))
    if name == "diagonal":
        note_sharing(reader, found, (array,))
    is_itself = name in ("conj", "conjugate") and isinstance(array, View) and load(reader, array).dtype.kind != "c"
    return array if is_itself else found
