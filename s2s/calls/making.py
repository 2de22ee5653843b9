"""The `Transformed` of a function: made once for each rewrite and options, with jit's options checked."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import lru_cache, partial
from types import FunctionType, MappingProxyType
from typing import Any

from numpy import ufunc

from s2s.calls.checked import Checked
from s2s.calls.rewrite import Options, Rewrite
from s2s.calls.signature import names_of_statics, signature_of
from s2s.calls.switch import beside_by_default
from s2s.calls.transformed import Transformed
from s2s.codegen.targets import TARGETS
from s2s.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from s2s.host_devices import Device

_LIBRARIES = ("numpy", "scipy", "math", "builtins", "_operator")
CACHE = "__s2s_transformed__"
"""The attribute of a user's function that holds what was made of it, so that grad(f)(x) in a loop is made once."""
_OBJECTS = 16
_OF_OBJECTS: dict[int, dict[Any, Transformed]] = {}
"""What was made of objects that can be called, by their ids: those objects are held by what was made of them."""
_NOTHING: Mapping[str, Any] = MappingProxyType({})
READABLE = "__s2s_readable__"
"""That of a partial which holds the one of a function that can be read."""


def transformed(fun: Callable[..., Any], rewrite: Rewrite, chosen: Options, kind: type[Transformed] = Transformed, told: Mapping[str, Any] = _NOTHING) -> Transformed:
    """The Transformed (or `kind` of it) of this function, rewrite and options: the one made before, if there is one. `told`: attributes of it."""
    if not callable(fun):
        raise ArgumentTypeError(f"Expected a callable value, got {fun!r}")
    if isinstance(fun, Checked):
        raise UnsupportedError(f"{rewrite.name} of what checkify gives", instead=f"checkify of the transformed function: checkify({rewrite.name}(f))", why="its calls give errors as values")
    fun = readable(fun)
    key = (rewrite.name, tuple(sorted(rewrite.params.items())), chosen, kind, tuple(told.items()))
    own = _is_users_object(fun)
    made = _OF_OBJECTS.get(id(fun)) if own else getattr(fun, CACHE, None)
    found = made.get(key) if isinstance(made, dict) else None
    if found is not None and found.fun is fun:  # functools.wraps copies the attribute to other functions
        return found
    new = kind(fun, rewrite, chosen)
    new.told = told
    vars(new).update(told)
    both = {**(made if isinstance(made, dict) and found is None else {}), key: new}
    if own:
        _hold(fun, both)
        return new
    with suppress(AttributeError, TypeError):  # methods, partials of C functions, built-ins have no such dictionary
        fun.__dict__[CACHE] = both
    return new


def _is_users_object(fun: Any) -> bool:
    """Whether it is an object whose class says in Python how it is called: its `__dict__` is its own, which its methods, a registered class's flattening and the reader look at."""
    return not isinstance(fun, type) and isinstance(getattr(type(fun), "__call__", None), FunctionType) and type(fun).__module__.partition(".")[0] != "s2s"  # noqa: B004 - of the class


def _hold(fun: Any, made: dict[Any, Transformed]) -> None:
    """Keep what was made of an object, of the last ones only: they are kept alive by it."""
    _OF_OBJECTS.pop(id(fun), None)
    _OF_OBJECTS[id(fun)] = made
    if len(_OF_OBJECTS) > _OBJECTS:
        del _OF_OBJECTS[next(iter(_OF_OBJECTS))]


def readable(fun: Any) -> Any:
    """The function; of a library one, which may stand in a partial, one that calls it."""
    if isinstance(fun, partial):
        found = getattr(fun, READABLE, None)
        if found is None:
            inner = readable(fun.func)
            found = fun if inner is fun.func else partial(inner, *fun.args, **fun.keywords)
            setattr(fun, READABLE, found)
        return found
    is_library = ufunc in (type(fun), type(getattr(fun, "__self__", None))) or str(getattr(fun, "__module__", "")).partition(".")[0] in _LIBRARIES
    return _of_a_library(fun) if is_library else fun


@lru_cache(maxsize=256)
def _of_a_library(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that calls NumPy's, SciPy's or Python's, whose source is not what is read: for grad(np.sin), vmap(scipy.linalg.expm), grad(operator.mul)."""

    def call(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    call.__name__ = call.__qualname__ = getattr(function, "__name__", type(function).__name__)  # a spline is called, too
    call.__doc__ = function.__doc__
    return call


def options(
    fun: Any, target: str | None = None, static_argnums: Any = None, static_argnames: Any = None, compile: str | None = None,  # noqa: A002
) -> Options:
    """jit's options, checked."""
    if compile not in (None, "foreground", "background"):
        raise ArgumentValueError(f"unknown compile={compile!r}", instead='"foreground" or "background"')
    beside = fun.options.background if isinstance(fun, Transformed) else beside_by_default()
    inherited = fun.target if isinstance(fun, Transformed) else "cpu"
    if target is not None and target not in TARGETS:
        raise ArgumentValueError(f"unknown target {target!r}", instead=f"one of {', '.join(TARGETS)}")
    numbers, names = _tuple_of(static_argnums, int, "static_argnums"), _tuple_of(static_argnames, str, "static_argnames")
    return Options(target or inherited, numbers, names, beside if compile is None else compile == "background")


def check_placement(device: Any, backend: str | None, compiler_options: Any) -> None:
    """UnsupportedError if jit is told to compute elsewhere or to compile differently than it does."""
    named = {"device": None if isinstance(device, Device) else device, "compiler_options": compiler_options or None}
    chosen = [name for name, value in named.items() if value is not None]
    if backend not in (None, "cpu"):
        chosen.append("backend")
    if chosen:
        raise UnsupportedError(f"jit's {', '.join(chosen)}", why="emitted code runs on the host's CPU", instead='target="cpu" or target="numpy"')


def donated(fun: Any, donate_argnums: Any, donate_argnames: Any, chosen: Options) -> frozenset[str]:
    """The names of donated arguments, checked; nothing is given up, as emitted code never deletes its caller's arrays."""
    numbers, names = _tuple_of(donate_argnums, int, "donate_argnums"), _tuple_of(donate_argnames, str, "donate_argnames")
    signature = signature_of(fun)
    static = names_of_statics(signature, chosen.static_argnums, chosen.static_argnames)
    found = names_of_statics(signature, numbers, names, "donate_arg")
    if both := found & static:
        raise ArgumentValueError(
            f"static_argnames and donate_argnames cannot intersect. Argument names {set(both)} appear in both static_argnames and donate_argnames"
        )
    return found


def numbers_of(name: str, given: Any) -> tuple[int, ...]:
    """An option that is an int or several; TypeError for anything else."""
    numbers: tuple[int, ...] = _tuple_of(given, int, name)
    return numbers


def _tuple_of(given: Any, kind: type, name: str) -> Any:
    if given is None:
        return ()
    items = (given,) if isinstance(given, (int, str)) else tuple(given) if isinstance(given, Iterable) else (given,)
    if not all(isinstance(item, kind) for item in items):
        raise ArgumentTypeError(f"{name} must be {kind.__name__}s, not {given!r}")
    return items
