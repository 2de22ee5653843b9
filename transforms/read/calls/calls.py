"""Calls: NumPy and Python functions by the tables, array methods, the user's functions, classes, transformations."""
from __future__ import annotations

import enum
import functools
import operator
import types
import typing
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from s2s import registry
from s2s.errors import ArgumentTypeError
from s2s.hidden import is_transformed
from s2s.registry import Registration
from s2s.transforms.read import classes
from s2s.transforms.read.callables import (
    Applied,
    ArrayMethod,
    AtPlace,
    Closure,
    ContainerMethod,
    Converted,
    Derived,
    DispatchedMethod,
    FlatArray,
    IteratorMethod,
    Method,
    Parent,
    Ruled,
    SecondHalf,
)
from s2s.transforms.read.calls import builtin_functions, collectives
from s2s.transforms.read.calls.array_methods import call_array_method
from s2s.transforms.read.calls.composed import call_composed, call_part, is_part
from s2s.transforms.read.calls.container_methods import call_container_method
from s2s.transforms.read.calls.custom_batching import call_batched
from s2s.transforms.read.calls.functional_updates import call_update
from s2s.transforms.read.calls.functions import call_closure, call_user
from s2s.transforms.read.calls.generators import call_library, is_generator, method, of_library
from s2s.transforms.read.calls.hidden import ask, class_function, enter
from s2s.transforms.read.calls.iterator_calls import call_builtin
from s2s.transforms.read.calls.iterator_methods import call_iterator_method
from s2s.transforms.read.calls.libraries import is_library
from s2s.transforms.read.calls.library_names import shown_name
from s2s.transforms.read.calls.making import call_parent, instance, named_tuple
from s2s.transforms.read.calls.none_words import check_special
from s2s.transforms.read.calls.numba_words import plain_class
from s2s.transforms.read.calls.numpy_calls import first_by_place, numpy_call, update
from s2s.transforms.read.calls.registered import call_plain, call_registered, registered
from s2s.transforms.read.calls.static_calls import call_static, is_answered_by_python, refuse_random
from s2s.transforms.read.calls.tested import tested, trust
from s2s.transforms.read.calls.transformations import (
    call_derived,
    call_made,
    call_method,
    call_second_half,
    call_transformation,
    handler_of_object,
    is_transformation,
)
from s2s.transforms.read.calls.vectorized import call_of_numpy
from s2s.transforms.read.composed import rarer
from s2s.transforms.read.composed.pooled_dicts import PooledDict
from s2s.transforms.read.composed.pooled_lists import PooledList
from s2s.transforms.read.composed.pooled_rows import PooledRow
from s2s.transforms.read.composed.subclassed import BASES
from s2s.transforms.read.composed.table import COMPOSED
from s2s.transforms.read.describing import describe
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.flow import float_errors
from s2s.transforms.read.flow.flat import gone_through
from s2s.transforms.read.flow.made_exceptions import made_error
from s2s.transforms.read.flow.positions import check_taken
from s2s.transforms.read.flow.spreading import spread, spread_call, spreads
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.table import NUMPY_FUNCTIONS, UPDATES
from s2s.transforms.read.numpys_words import check_odd, numpys_words
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.rules.custom import call_converted, call_ruled
from s2s.transforms.read.storage.access import load
from s2s.transforms.read.values import (
    Abstract,
    ObjectRef,
    OneOf,
    Outside,
    Pooled,
    View,
)
from s2s.tree_util import PyTreeDef, tree_unflatten

_cached = functools.cache(lambda: None)
_dispatched: Any = functools.singledispatch(lambda each: each)


@spreads(0)
def call(reader: Reader, function: Abstract, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """function(*args, **kwargs)."""
    function = classes.unparametrised(function)
    if reader.session.float_errors:
        return float_errors.called(reader, function, args, kwargs, lambda: _call(reader, function, args, kwargs))
    return _call(reader, function, args, kwargs)


def _call(reader: Reader, function: Abstract, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    if (found := registered(reader, function)) is not None:
        return call_registered(reader, found, args, kwargs)
    if (rule := CALLED.get(type(function))) is not None:
        return rule(reader, function, args, kwargs)
    if isinstance(function, (ObjectRef, Pooled)) and (kind := classes.class_of(function)) is not None and call_method(kind) is not None:
        check_special(reader, function, "__call__")
        return call(reader, class_function(reader, kind, "__call__"), (function, *args), kwargs)
    if isinstance(function, type):
        return _call_class(reader, function, args, kwargs)
    if callable(function):
        return _call_library(reader, function, args, kwargs)
    raise ArgumentTypeError(f"{classes.type_name(reader, function)!r} object is not callable", where=reader.builder.where)


def _call_outside(reader: Reader, function: Outside, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    thing = function.object
    if isinstance(thing, Registration):
        return call_plain(reader, function, args, kwargs)
    handler = handler_of_object(thing)
    if handler is not None:
        return handler(reader, function, args, kwargs)
    if is_transformed(thing):
        return call_made(reader, function, args, kwargs)
    if isinstance(thing, np.vectorize):
        return call_of_numpy(reader, function, args, kwargs)
    if is_answered_by_python(thing):
        return call_static(reader, thing, args, kwargs)
    if isinstance(thing, types.FunctionType):
        steps = (("object", thing),) if function.steps is None else function.steps
        while hasattr(thing, "__wrapped__") and isinstance(thing.__wrapped__, types.FunctionType) and is_library(thing.__module__):
            thing, steps = thing.__wrapped__, (*steps, ("attribute", "__wrapped__"))
        if thing.__module__ in ("statistics", "importlib", "logging") and thing in builtin_functions.BUILTINS:
            return _call_library(reader, thing, args, kwargs)
        if thing.__code__ is _dispatched.__code__:
            return _call_dispatched(reader, thing, steps, args, kwargs)
        return call_user(reader, thing, steps, args, kwargs)
    if isinstance(thing, type(_cached)) or registry.is_compiled(thing):
        return call(reader, enter(reader, thing.__wrapped__, _attribute(function, "__wrapped__")), args, kwargs)
    on_class = getattr(type(thing), "__call__", None)  # noqa: B004 - the function is needed, not whether there is one
    if isinstance(on_class, types.FunctionType) or is_transformed(on_class):
        return call(reader, class_function(reader, type(thing), "__call__"), (function, *args), kwargs)
    raise reader.unsupported(f"a call of {type(thing).__name__}", "a Python function that s2s can read, or a NumPy function; s2s.register for others")


def _call_dispatched(reader: Reader, thing: Any, steps: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A function that functools.singledispatch has made: the one that is registered for the class of the first argument."""
    if not args:
        raise ArgumentTypeError(f"{thing.__name__} requires at least 1 positional argument", where=reader.builder.where)
    return _dispatched_by(reader, args[0], thing, steps, args, kwargs)


def _call_dispatched_method(reader: Reader, function: DispatchedMethod, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A functools.singledispatchmethod of an object."""
    if not args:
        raise ArgumentTypeError(f"{function.dispatcher.__name__} requires at least 1 positional argument", where=reader.builder.where)
    return _dispatched_by(reader, args[0], function.dispatcher, function.steps, args, kwargs, function.first)


@spreads(0)
def _dispatched_by(reader: Reader, first: Abstract, thing: Any, steps: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract], *before: Abstract) -> Abstract:
    ask(reader, thing.registry, (*steps, ("attribute", "registry")), "keys")
    found = thing.dispatch(classes.class_of_value(reader, first))
    cls = next(cls for cls, each in thing.registry.items() if each is found)
    function = enter(reader, found, (*steps, ("attribute", "registry"), ("item", cls)))
    return call(reader, function, (*before, first, *args[1:]), kwargs)


def _attribute(function: Outside, name: str) -> Any:
    return None if function.steps is None else (*function.steps, ("attribute", name))


# ---- classes -------------------------------------------------------------------------------------------------------------


@asks_python
def _call_class(reader: Reader, cls: type, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """An instance of a NamedTuple, dataclass, plain class or built-in type."""
    refuse_random(reader, cls)
    if issubclass(cls, BaseException):
        return _made_error(reader, cls, args, kwargs)
    if typing.is_typeddict(cls):
        return call(reader, dict, args, kwargs)
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        return named_tuple(reader, cls, args, kwargs)
    if cls in builtin_functions.BUILTINS or is_library(cls.__module__) and not issubclass(cls, enum.Enum) or of_library(cls):
        return _call_library(reader, cls, args, kwargs)
    if issubclass(cls, enum.Enum):
        if any(not isinstance(arg, (str, int, float, complex, bytes, type(None), enum.Enum)) for arg in args):
            raise reader.unsupported(f"{cls.__name__}(…) of {', '.join(map(partial(describe, reader), args))}", "a value known while reading, or comparisons with if")
        return cls(*args, **kwargs)
    return instance(reader, plain_class(cls), args, kwargs)


def _made_error(reader: Reader, cls: type[BaseException], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """An exception; of what is one of several values, one of several exceptions."""
    number = next((number for number, arg in enumerate(args) if isinstance(arg, OneOf)), None)
    if number is None:
        return made_error(cls, args, kwargs)
    return spread(reader, args[number], lambda arg: _made_error(reader, cls, (*args[:number], arg, *args[number + 1 :]), kwargs))


# ---- tables ---------------------------------------------------------------------------------------------------------------


_OF_THE_LIST_ITSELF = frozenset(("len", "iter", "isinstance", "type", "id", "hasattr", "getattr", "setattr", "enumerate", "zip", "reversed", "map", "filter", "next", "bool"))
"""Built-in functions that ask a list itself, not for its items as they are now."""


def _copied(reader: Reader, function: Any, value: Abstract) -> Abstract:
    """A list or dict of a pool as a plain one, for a function that only reads it."""
    if not isinstance(value, Pooled) or value.pool.kind not in (PooledList, PooledRow, PooledDict) or getattr(function, "__name__", "") in _OF_THE_LIST_ITSELF:
        return value
    if getattr(function, "__module__", "") in ("heapq", "_heapq", "bisect", "_bisect"):
        return value
    check_special(reader, value, "__iter__")
    return reader.rules.call(reader.rules.attribute(value, "copy"), ())


def _call_library(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    if any(isinstance(arg, Pooled) for arg in args) and not is_part(function):
        args = tuple(_copied(reader, function, arg) for arg in args)
    if function in builtin_functions.BUILTINS:
        if function is not len:
            args = tuple(gone_through(reader, function, arg) if isinstance(arg, FlatArray) else arg for arg in args)
        return call_builtin(reader, function, args, kwargs)
    if is_transformation(function):
        return call_transformation(reader, function, args, kwargs)
    if isinstance(structure := getattr(function, "__self__", None), PyTreeDef) and function.__name__ == "unflatten":
        return reader.rules.call(tree_unflatten, (structure, *args), kwargs)
    if function in collectives.HANDLERS:
        return call_composed(reader, function, args, kwargs)
    if function in UPDATES or function in NUMPY_FUNCTIONS or function in COMPOSED or is_part(function) or of_library(function):
        return spread_call(reader, _call_table, function, args, kwargs, only_reads=_only_reads(function))
    if getattr(type(function), "__hash__", None) is None:
        raise reader.unsupported(f"a call of {describe(reader, function)}", "a function that s2s can read")
    if isinstance(function, types.MethodDescriptorType) and function.__objclass__ is np.ndarray and args:  # np.ndarray.sum(x)
        return reader.rules.call(reader.rules.attribute(args[0], function.__name__), args[1:], kwargs)
    if isinstance(function, (types.MethodDescriptorType, types.WrapperDescriptorType)) and function.__objclass__ in _CONTAINERS and args:
        return _of_container(reader, function, args, kwargs)
    if isinstance(getattr(function, "__self__", None), np.ufunc):
        _check_method(function)
        raise reader.unsupported(f"{shown_name(function)} is not supported", "the plain function, or a loop")
    handler = handler_of_object(function)
    if handler is not None:
        return handler(reader, function, args, kwargs)
    return call_static(reader, function, args, kwargs)


_CONTAINERS = (list, dict, set, tuple, deque)
_OF_CONTAINERS: dict[str, Callable[..., Any]] = {
    "__getitem__": operator.getitem, "__setitem__": operator.setitem, "__delitem__": operator.delitem, "__contains__": operator.contains, "__add__": operator.add,
    "__mul__": operator.mul, "__eq__": operator.eq, "__ne__": operator.ne, "__lt__": operator.lt, "__le__": operator.le, "__gt__": operator.gt, "__ge__": operator.ge,
    "__len__": len, "__iter__": iter, "__hash__": hash, "__repr__": repr,
}  # fmt: skip
"""What their special methods do, by name."""


def _of_container(reader: Reader, function: types.MethodDescriptorType | types.WrapperDescriptorType, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """list.append(items, x), a method of a container that is called by its class."""
    name, owner = function.__name__, function.__objclass__
    held = classes.held_items(reader, args[0])
    if not issubclass(kind := classes.class_of_value(reader, held), owner):
        shown = classes.type_name(reader, args[0])
        raise ArgumentTypeError(f"descriptor {name!r} for {owner.__name__!r} objects doesn't apply to a {shown!r} object", where=reader.builder.where)
    if name == "__init__" and isinstance(args[0], ObjectRef):
        return call(reader, class_function(reader, BASES[owner], name), args, kwargs)
    if vars(owner)[name] is not getattr(kind, name):
        raise reader.unsupported(f"{owner.__name__}.{name} of a {kind.__name__}, which has its own", "the method by its name")
    if name in _OF_CONTAINERS:
        return call(reader, _OF_CONTAINERS[name], tuple(classes.held_items(reader, arg) for arg in (held, *args[1:])), kwargs)
    return call(reader, reader.rules.attribute(held, name), args[1:], kwargs)


def _only_reads(function: Callable[..., Any]) -> bool:
    """Whether it surely changes no list that it is given, as those of bisect, heapq and numpy.random do, and parts of composed functions."""
    module = getattr(function, "__module__", None) or ""
    return function in NUMPY_FUNCTIONS or module.partition(".")[0] in ("numpy", "scipy") and not module.startswith("numpy.random")


def _call_table(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A function of the tables, of a library, or a part of one."""
    if function in UPDATES or function in NUMPY_FUNCTIONS or function in COMPOSED:
        check_odd(reader, function, args, kwargs)
        check_taken(reader, function, args, kwargs)
        given, args = args, tested(reader, function, args, kwargs)
        began = len(reader.builder.nodes)
        with numpys_words(reader, function, args, kwargs):
            found = _update(reader, function, args, kwargs) if function in UPDATES else numpy_call(reader, function, args, kwargs)
        if args is not given:
            trust(reader, reader.builder.nodes[began:])
        return found
    if of_library(function):
        return call_library(reader, function, args, kwargs)
    return call_part(reader, function, args, kwargs)


def _update(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A function that writes into its first argument."""
    args, kwargs = first_by_place(UPDATES[function], args, kwargs)
    source = rarer.source_for(function, args, kwargs)
    if source is None and function is np.fill_diagonal and args and isinstance(args[0], View):
        with building(reader.builder):
            source = None if load(reader, args[0]).ndim == 2 else rarer.fill_diagonal
    if source is not None:
        return call_part(reader, source, args, kwargs, shown_name(function))
    return update(reader, UPDATES[function], args, kwargs)


def _check_method(of_ufunc: Callable[..., Any]) -> None:
    """NumPy's error for a method that the ufunc itself has not: np.divmod.reduce, np.matmul.outer."""
    operands = (np.ones(1), np.ones(1, np.int64))
    given = {"reduceat": operands, "outer": operands, "at": (*operands, 1)[: 1 + of_ufunc.__self__.nin]}  # type: ignore[attr-defined]
    of_ufunc(*given.get(of_ufunc.__name__, operands[:1]))


# ---- functions that are held -------------------------------------------------------------------------------------------------


def _method(reader: Reader, function: Method, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    refuse_random(reader, function.first)
    if is_generator(function.first) and isinstance(function.function, Outside):  # random.choice, which stands there as Python's own source
        return call(reader, method(reader, function.first, function.function.object.__name__), args, kwargs)
    return call(reader, function.function, (function.first, *args), kwargs)


def _applied(reader: Reader, function: Applied, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    return call(reader, function.function, (*function.args, *args), {**function.kwargs, **kwargs})


def _ruled(reader: Reader, function: Ruled, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    return (call_batched if "vmap_rule" in function.rules else call_ruled)(reader, function, args, kwargs)


def _array_method(reader: Reader, function: ArrayMethod, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    def called(reader: Reader, function: ArrayMethod, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
        return call_array_method(reader, function.array, function.name, args, kwargs)

    return spread_call(reader, called, function, args, kwargs, only_reads=True)


def _container_method(reader: Reader, function: ContainerMethod, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    return call_container_method(reader, function.container, function.name, args, kwargs)


CALLED: dict[type, Callable[[Reader, Any, tuple[Abstract, ...], dict[str, Abstract]], Abstract]] = {
    Closure: call_closure, Method: _method, Applied: _applied, Derived: call_derived, SecondHalf: call_second_half, Parent: call_parent,
    Ruled: _ruled, Converted: call_converted, ArrayMethod: _array_method, ContainerMethod: _container_method, DispatchedMethod: _call_dispatched_method,
    IteratorMethod: call_iterator_method, AtPlace: call_update, Outside: _call_outside,
}  # fmt: skip
"""What a call of a function that is held does, by the class of what stands for it."""

__all__ = ["CALLED", "call"]
