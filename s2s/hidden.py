"""Hidden inputs and guards: how a value of the user's closures and globals is found again at each call."""
from __future__ import annotations

import builtins
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

from s2s.transforms.staged import Access, Itself

_MISSING = object()
_PLAIN = (bool, int, float, complex, str, bytes, type(None))


def fetch(root: Any, access: Access) -> Any:
    """The value at an access path; an own marker (equal to nothing) if it is not there any more."""
    value = root
    for kind, key in access.steps:
        value = _step(value, kind, key)
        if value is _MISSING:
            return _MISSING
    return value


def _step(value: Any, kind: str, key: Any) -> Any:
    if hasattr(value, "stage") and not isinstance(value, MethodType):  # what jit(f) reaches, f reaches (a method shows its function's attributes)
        value = getattr(value, "root", value)
    if kind in ("global", "closure"):
        function = innermost(value)
        if kind == "global":
            found = function.__globals__.get(key, _MISSING)
            return getattr(builtins, key, _MISSING) if found is _MISSING else found
        try:
            return function.__closure__[function.__code__.co_freevars.index(key)].cell_contents
        except (ValueError, TypeError):  # no such cell, or an empty one
            return _MISSING
    if kind == "object":  # where a path starts at a static argument or a class
        return key.object if isinstance(key, Itself) else key
    if kind in ("length", "keys"):
        return (len if kind == "length" else tuple)(value) if hasattr(value, "__len__") else _MISSING
    if kind == "attribute":
        return getattr(value, key, _MISSING)
    try:
        return len(value) if kind == "length" else tuple(value) if kind == "keys" else value[key]
    except (LookupError, TypeError):
        return _MISSING


def innermost(function: Any) -> Any:
    """The plain function below transformed functions, partials, bound methods and library decorators (functools.cache)."""
    while not isinstance(function, FunctionType):
        inner = next((found for name in ("root", "__func__", "func", "__wrapped__") if (found := getattr(function, name, None)) is not None), None)
        if inner is None or not callable(inner):
            break
        function = inner
    return function


def getter(root: Any, access: Access) -> Callable[[], Any]:
    """A quick function of no arguments that fetches; globals and closures directly."""
    function = innermost(root)
    if len(access.steps) == 1 and isinstance(function, FunctionType):
        kind, key = access.steps[0]
        if kind == "global" and key in function.__globals__:
            namespace = function.__globals__
            return lambda: namespace.get(key, _MISSING)
        if kind == "closure" and key in function.__code__.co_freevars:
            cell = (function.__closure__ or ())[function.__code__.co_freevars.index(key)]
            return lambda: cell.cell_contents
    return lambda: fetch(root, access)


def snapshot(value: Any) -> Any:
    """A guarded value as it is now: containers copied, what is in them not."""
    if isinstance(value, dict):
        return {key: snapshot(item) for key, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(snapshot(item) for item in value)
    return set(value) if isinstance(value, set) else value


def same_value(found: Any, wanted: Any) -> bool:
    """Whether a static value is still the one that the program was built on: numbers and strings by value and type,
    containers by their items, everything else by identity.
    """
    if type(found) is not type(wanted) and not (isinstance(found, dict) and type(wanted) is dict):
        return False
    if isinstance(found, (list, tuple)):
        return len(found) == len(wanted) and all(same_value(a, b) for a, b in zip(found, wanted, strict=True))
    if isinstance(found, dict):
        return list(found) == list(wanted) and all(same_value(found[key], wanted[key]) for key in found)
    if isinstance(found, _PLAIN):
        return found is wanted or found == wanted and repr(found) == repr(wanted)
    if isinstance(found, set):
        return found == wanted
    return found is wanted
