"""Hidden inputs and guards: how a value of the user's closures and globals is found again at each call, and when it is still the same.

Each step of an `Access` asks a question of what the steps before it found: `obj.rate` is (("global", "obj"), ("attribute", "rate")).
"""
from __future__ import annotations

import builtins
from collections import deque
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
from optree import PyTreeSpec

from s2s.handles import number_of
from s2s.outside import Access, Itself
from s2s.streams import PARTS, is_stream
from s2s.types import is_few, is_wide, short_name

MISSING = object()
"""What a path leads to that leads nowhere any more: equal to nothing."""
_PYTHON_NUMBERS = {float: "f8*", int: "i8*", complex: "c16*", bool: "b1*"}


def fetch(root: Any, access: Access) -> Any:
    """The value at an access path; MISSING if it is not there any more."""
    value = root
    for kind, key in access.steps:
        value = step(value, kind, key)
        if value is MISSING:
            return MISSING
    return value


def step(value: Any, kind: str, key: Any) -> Any:
    """The answer to one step's question."""
    value = behind(value)
    try:
        return STEPS[kind](value, key)
    except (AttributeError, LookupError, TypeError, ValueError):
        return MISSING


def behind(value: Any) -> Any:
    """What jit(f) reaches, f reaches."""
    return value.root if is_transformed(value) else value


def is_transformed(value: Any) -> bool:
    """Whether it is jit(f), grad(f), …: an object of s2s's own (a method shows its function's attributes, and a user's class may have a `stage`)."""
    return hasattr(type(value), "stage") and type(value).__module__.partition(".")[0] == "s2s"


def _global(function: Any, name: str) -> Any:
    namespace = innermost(function).__globals__
    return namespace[name] if name in namespace else getattr(builtins, name)


def _closure(function: Any, name: str) -> Any:
    return cell_of(innermost(function), name).cell_contents


def cell_of(function: FunctionType, name: str) -> Any:
    """The cell that holds a function's free variable; ValueError or TypeError if it has none of this name."""
    return function.__closure__[function.__code__.co_freevars.index(name)]  # type: ignore[index]


def _class_entry(cls: type, name: str) -> Any:
    """What the first class of the MRO that has this name has under it, as it stands there (a staticmethod, a property)."""
    return next((vars(each)[name] for each in cls.__mro__ if name in vars(each)), MISSING)


def kind_of(value: Any) -> Any:
    """What a hidden input's type is made from: dtype ("f8*" for a Python number, "i8*w" for an int of more than 32 bits), and which of its sizes are 1 (-1: any other)."""
    if isinstance(value, np.ndarray | np.generic):
        name = short_name(value.dtype) if value.dtype.isnative else value.dtype.str
        name += "[]" if isinstance(value, np.ndarray) and not value.ndim else ""
        sizes = tuple(1 if size == 1 else -1 for size in value.shape)
        return (name, sizes) if isinstance(value, np.generic) or behaves_as_array(type(value)) else (name, sizes, type(value))
    if is_wide(value):
        return "i8*w", ()
    return _PYTHON_NUMBERS.get(type(value), type(value)), ()


def behaves_as_array(cls: type) -> bool:
    """Whether a subclass of ndarray computes as ndarray does (np.memmap; not np.matrix, masked arrays, arrays with units)."""
    own = ("__array_ufunc__", "__array_function__", "__mul__", "__matmul__", "__pow__", "__getitem__", "__setitem__")
    return cls is np.memmap or all(getattr(cls, method) is getattr(np.ndarray, method) for method in own)


def may_be_told(value: Any) -> bool:
    """Whether it is an array whose elements a program may know. Not of unsigned integers: those are random keys, another one in each call."""
    return type(value) is np.ndarray and value.dtype.kind != "u" and is_few(value.shape, value.dtype) and not is_stream(value)


STEPS: dict[str, Callable[[Any, Any], Any]] = {
    "global": _global,
    "closure": _closure,
    "cell": lambda function, name: cell_of(innermost(function), name),
    "attribute": getattr,
    "item": lambda value, key: value[key],
    "object": lambda value, key: key.object if isinstance(key, Itself) else key,  # where a path starts at a static argument or a class
    "entry": _class_entry,
    "own": lambda value, key: key in getattr(value, "__dict__", ()),
    "has": hasattr,
    "length": lambda value, key: len(value),
    "keys": lambda value, key: tuple(value),
    "truth": lambda value, key: bool(value),
    "identity": lambda value, key: Itself(value),
    "kind": lambda value, key: kind_of(value),
    "shape": lambda value, key: value.shape,
    "elements": lambda value, key: (value.shape, tuple(value.ravel().tolist())),
    "handle": number_of,  # of a function that is called as it is
    "stream": lambda value, key: PARTS[key](value),
}
"""What can be asked. "own": whether an object itself, not its class, has the attribute; the others speak for themselves."""


def innermost(function: Any) -> Any:
    """The plain function below transformed functions, partials, bound methods and library decorators (functools.cache)."""
    while not isinstance(function, FunctionType):
        inner = next((found for name in ("root", "__func__", "func", "__wrapped__") if (found := getattr(function, name, None)) is not None), None)
        if inner is None or not callable(inner):
            break
        function = inner
    return function


def snapshot(value: Any) -> Any:
    """A guarded value as it is now: containers copied, what is in them not."""
    if isinstance(value, dict):
        return {key: snapshot(item) for key, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(snapshot(item) for item in value)
    return value.copy() if type(value) in _COPIED else value


_COPIED = (set, deque, bytearray)


def same_value(found: Any, wanted: Any) -> bool:
    """Whether a static value is still the one that the program was built on: numbers and texts by value and type (NaN is NaN,
    0.0 is not -0.0, 1 is not True), containers by what is in them, everything else by identity.
    """
    if found is wanted and type(found) not in (list, dict, *_COPIED):
        return True
    if type(found) is not type(wanted) and not (isinstance(found, dict) and type(wanted) is dict):
        return False
    if isinstance(found, dict):
        return same_value(tuple(found), tuple(wanted)) and all(same_value(a, b) for a, b in zip(found.values(), wanted.values(), strict=True))
    compare = _comparison(type(found))
    return compare is not None and compare(found, wanted)


def is_by_identity(value: Any) -> bool:
    """Whether `same_value` goes by identity: functions, classes, modules, objects of the user's classes."""
    return not isinstance(value, dict) and _comparison(type(value)) is None


def _comparison(cls: type) -> Callable[[Any, Any], bool] | None:
    return next((_COMPARE[each] for each in cls.__mro__ if each in _COMPARE), None)


def _same_items(found: Any, wanted: Any) -> bool:
    return len(found) == len(wanted) and all(same_value(a, b) for a, b in zip(found, wanted, strict=True))


def _same_set(found: Any, wanted: Any) -> bool:
    """Sets that hold equal objects of equal types: 1 and True are one to a set."""
    return found == wanted and {(type(item), repr(item)) for item in found} == {(type(item), repr(item)) for item in wanted}


def _same_text(found: Any, wanted: Any) -> bool:
    return repr(found) == repr(wanted)


def _same_slice(found: slice, wanted: slice) -> bool:
    return _same_items((found.start, found.stop, found.step), (wanted.start, wanted.stop, wanted.step))


def _same_scalar(found: np.generic, wanted: np.generic) -> bool:
    return found.dtype == wanted.dtype and found.tobytes() == wanted.tobytes()


def _equal(found: Any, wanted: Any) -> bool:
    return bool(found == wanted)


_COMPARE: dict[type, Callable[[Any, Any], bool]] = {
    np.generic: _same_scalar, np.dtype: _equal, bool: _equal, int: _equal, str: _equal, bytes: _equal, bytearray: _equal, range: _equal,
    float: _same_text, complex: _same_text, slice: _same_slice, list: _same_items, tuple: _same_items, deque: _same_items,
    set: _same_set, frozenset: _same_set, Itself: _equal, PyTreeSpec: _equal,
}  # fmt: skip


__all__ = ["MISSING", "STEPS", "behaves_as_array", "behind", "cell_of", "fetch", "innermost", "is_by_identity", "is_transformed", "kind_of", "may_be_told", "same_value", "snapshot", "step"]
