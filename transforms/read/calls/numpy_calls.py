"""Calls of NumPy's functions: views and aliases as NumPy makes them, `out=` stored (`outs.py`). Methods of arrays: `array_methods.py`."""
from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy import _CopyMode

from s2s.errors import ArgumentTypeError
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.callables import Closure, FlatArray
from s2s.transforms.read.calls.composed import call_composed, call_part
from s2s.transforms.read.calls.copies_in_order import COPIES, OF_A_SHAPE, in_an_order, in_fortran_order, of_a_shape
from s2s.transforms.read.calls.hidden import enter, is_of_nothing
from s2s.transforms.read.calls.library_names import shown_name
from s2s.transforms.read.calls.narrow_matrices import with_narrow_matrices
from s2s.transforms.read.calls.outs import out_by_name, with_out, with_outs
from s2s.transforms.read.calls.several_lengths import as_rows, need_items, source_for
from s2s.transforms.read.calls.stacked import call_stacked
from s2s.transforms.read.calls.traced_calls import traced_call
from s2s.transforms.read.calls.ufuncs_of_objects import of_object
from s2s.transforms.read.classes import held_items, users
from s2s.transforms.read.composed import rarer, sized
from s2s.transforms.read.composed.table import CALLING, COMPOSED
from s2s.transforms.read.describing import describe
from s2s.transforms.read.flow.flat import copy_of
from s2s.transforms.read.flow.items import items_of
from s2s.transforms.read.flow.iteration import Endless, RunRange
from s2s.transforms.read.iterations import Iteration
from s2s.transforms.read.known import is_known, plain
from s2s.transforms.read.numpy.building import building, has_value
from s2s.transforms.read.numpy.common import static_call, supported
from s2s.transforms.read.numpy.table import NUMPY_FUNCTIONS
from s2s.transforms.read.numpy.ufuncs import in_loop
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import check_writable, load, of_elements, ordered, store_view
from s2s.transforms.read.storage.grown import Grown
from s2s.transforms.read.storage.layout import in_its_order
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
from s2s.transforms.read.values import Abstract, IteratorRef, ListRef, ObjectRef, View, is_namedtuple
from s2s.transforms.read.wrapping import unwrap, wrap
from s2s.transforms.read.zero_dim import as_given, either, makes_arrays


def update(reader: Reader, rule: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> None:
    """A function that writes into its first argument: `rule` gives the new content."""
    target = args[0]
    if not isinstance(target, View):
        raise reader.unsupported(f"a store into {describe(reader, target)}", "an array")
    check_writable(reader, target.cell)
    with building(reader.builder):
        new = rule(load(reader, target), *(wrap(reader, arg) for arg in args[1:]), **{key: wrap(reader, arg) for key, arg in kwargs.items()})
        store_view(reader, target, new)


def numpy_call(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A function of the table: views and aliases as NumPy makes them, `out=` stored."""
    if function in _ARRAYS and (nothing := _of_nothing(reader, args, kwargs)) is not None:
        return nothing
    if function is sized.where and len(args) == 3 and not kwargs and all(arg is not None for arg in args):  # s2s.numpy's, with NumPy's own arguments
        function = np.where
    args, kwargs = first_by_place(function, args, kwargs)
    if isinstance(function, np.ufunc):
        args, kwargs = _as_ufunc(function, args, kwargs)
        if kwargs.get("order") == "F":
            return in_fortran_order(reader, numpy_call(reader, function, args, {**kwargs, "order": "K"}), kwargs.get("out"))
    make = partial(call_in_c_order, reader, function)
    lying = of_a_shape(reader, function, args, kwargs, make) if function in OF_A_SHAPE else in_an_order(reader, function, args, kwargs, make) if args and function in COPIES else None
    return in_its_order(reader, function, call_in_c_order(reader, function, args, kwargs) if lying is None else lying, args, kwargs)


_ARRAYS = frozenset((np.array, np.asarray))


def _of_nothing(reader: Reader, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """np.array([None, …]), which stands where numbers are not known yet; None for other calls."""
    if len(args) != 1 or not _begins_with_none(reader, args[0]) or kwargs.keys() - {"dtype"} or kwargs.get("dtype") not in (None, object) or not is_known(reader, args[0]):
        return None
    held = np.array(plain(reader, args[0]), object)
    return enter(reader, held, None) if is_of_nothing(held) else None


def _begins_with_none(reader: Reader, value: Abstract) -> bool:
    """Whether the first thing in a list, or in its first list, is None: of other lists nobody need look at the rest."""
    while isinstance(value, ListRef):
        held = reader.heap[value]
        if not isinstance(held, tuple) or not held:
            return False
        value = held[0]
        if value is None:
            return True
    return False


_REAL = frozenset((np.float64, np.float32, np.asarray, np.array, np.ascontiguousarray))


def _check_real(reader: Reader, value: Any, wanted: Any) -> None:
    """Refuse complex numbers where a library's function that is read asks for floats: NumPy's cast would drop their imaginary parts."""
    if wanted is not None and isinstance(value, Value | complex) and supported(wanted).kind == "f" and np.result_type(getattr(value, "dtype", value)).kind == "c":
        raise reader.unsupported("complex numbers in a function of real ones", "their real and imaginary parts by themselves")


def call_in_c_order(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """The call, its arguments where NumPy has them; a copy is made in C order."""
    args, kwargs = out_by_name(function, args, kwargs)
    if (asked := of_object(reader, function, args, kwargs)) is not None:
        return asked[0]
    if isinstance(kwargs.get("copy"), _CopyMode):
        kwargs = {**kwargs, "copy": _COPY_MODES[kwargs["copy"]]}
    if kwargs.get("out") is not None:
        return _stored(reader, function, args, kwargs)
    if (source := source_for(reader, function, args)) is not None:
        return call_part(reader, source, args, kwargs, shown_name(function))
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
        need_items(reader, function, reader.heap[args[0]])
    return _in_memory(reader, function, args, kwargs, _of_rules(reader, function, args, kwargs))


def _stored(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A call with `out`."""
    if isinstance(function, np.ufunc) and function.nout > 1:
        return with_outs(reader, function, args, kwargs, numpy_call)
    if function in (np.concatenate, np.stack) and kwargs.get("dtype") is not None:
        raise ArgumentTypeError("concatenate() only takes `out` or `dtype` as an argument, but both were provided.", where=reader.builder.where)
    return with_out(reader, function, args, kwargs, numpy_call)


def _of_rules(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """What the function's rules make of its arguments."""
    with building(reader.builder):
        wrapped, named = [wrap(reader, arg) for arg in args], {key: wrap(reader, arg) for key, arg in kwargs.items()}
        if function in _REAL and wrapped and reader.frame.tree.at is not None:
            _check_real(reader, wrapped[0], function if isinstance(function, type) else wrapped[1] if len(wrapped) > 1 else named.get("dtype"))
        result = traced_call(reader, function, NUMPY_FUNCTIONS[function], wrapped, named)
        found = unwrap(reader, result, arrays=makes_arrays(function, args))
        return as_given(reader, args[0], function.__name__, found) if args else found


def _in_memory(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract], found: Abstract) -> Abstract:
    """A result with what NumPy says of its memory: whether it is a view, may be one, can be stored into, and its order."""
    if function in READ_ONLY and isinstance(found, View):
        found.cell.read_only = True
    if function in VIEWS:
        return views_in(reader, found, args)
    if function is np.einsum:
        found = rearranged(reader, found, args)
        if kwargs.get("optimize", False) is not False:  # NumPy's matrix products leave an array without axes, its sums a number
            found = either(reader, found)
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
                return unwrap(reader, given, arrays=True)
    return call_composed(reader, function, args, kwargs)


def _of_more_than_items(given: Any) -> bool:
    """Whether what SciPy gave is a tuple that holds more than its items (pearsonr's knows its samples), so that the items alone don't make it."""
    return is_namedtuple(given) and not hasattr(given, "_make") and len(inspect.signature(type(given)).parameters) > len(given)


def first_by_place(function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> tuple[tuple[Abstract, ...], dict[str, Abstract]]:
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


_COPY_MODES = {_CopyMode.ALWAYS: True, _CopyMode.IF_NEEDED: None, _CopyMode.NEVER: False}
"""What NumPy's names for them mean: the array API's compatibility layers write these."""


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
    return as_rows(reader, function, arg)


def _of_sequences(reader: Reader, arg: Abstract) -> Abstract:
    """A list or tuple with the lists and tuples in it that are of a class of the user's as NumPy sees them."""
    items = reader.heap[arg] if isinstance(arg, ListRef) else arg
    if not any(isinstance(each, ObjectRef) for each in items):
        return arg
    seen = tuple(held_items(reader, each) for each in items)
    return reader.new_list(seen) if isinstance(arg, ListRef) else seen
