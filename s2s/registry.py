"""Functions whose source can't be read (C functions, ufuncs of other libraries, Numba functions): what s2s is told about them.

    s2s.register(scipy.special.gammaln, jvps=(lambda x_dot, ans, x: scipy.special.digamma(x) * x_dot,))
    s2s.register(scipy.special.digamma, jvps=(lambda x_dot, ans, x: scipy.special.polygamma(1, x) * x_dot,))
    s2s.register(fastlib.smooth, like=my_smooth)          where fastlib.smooth is called, my_smooth is read
"""
from __future__ import annotations

import hashlib
import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError, ArgumentValueError
from s2s.records import dataclass

Function = Callable[..., Any]
ELEMENTWISE = "elementwise"


@dataclass(frozen=True, eq=False)
class Registration:
    """What is known of a function. `name`: how emitted modules call it, importable; `compiled`: the same for Numba's code, or ""."""

    function: Function
    name: str
    like: Function | None
    result: Function | str
    jvp: Function | None
    jvps: tuple[Function | None, ...] | None
    fwd: Function | None
    bwd: Function | None
    compiled: str


class Registry(dict[Any, Registration]):
    """The registrations by function. `names`: of which functions there are any, as a text that changes with them.

    What calls a function that is not registered was read under the guard that `names` is what it was.
    """

    names = ""

    def __setitem__(self, key: Any, found: Registration) -> None:
        is_new = key not in self
        super().__setitem__(key, found)
        if is_new:
            self.names = " ".join(sorted(_lasting_name(each.function) for each in self.values()))

    def clear(self) -> None:
        super().clear()
        self.names = ""


def _lasting_name(function: Any) -> str:
    """The same in every process, for what has a name at all."""
    return f"{getattr(function, '__module__', None) or type(function).__module__}.{getattr(function, '__qualname__', None) or getattr(function, '__name__', repr(function))}"


REGISTERED = Registry()
NAMES = (("object", sys.modules[__name__]), ("attribute", "REGISTERED"), ("attribute", "names"))
"""The steps to what is asked where a function is called that is not registered."""


def register(
    function: Function,
    *,
    like: Function | None = None,
    result: Function | str | None = None,
    jvp: Function | None = None,
    jvps: tuple[Function | None, ...] | None = None,
    vjp: tuple[Function, Function] | None = None,
    numba: Function | None = None,
    name: str | None = None,
) -> Function:
    """Say what a function does whose source can't be read; returns the function.

    Parameters
    ----------
    function
        A C function, a ufunc, a Numba function, a callable object. It must be pure: it writes to none of its arguments, and returns
        the same for the same arguments.
    like
        A NumPy function of the same arguments, which is read wherever `function` is called. Nothing else is needed then.
    result
        "elementwise" (the default of ufuncs): the result has the shape to which the arguments are broadcast, and their dtype (at
        least float64 for integers; what the ufunc says for ufuncs). Otherwise a NumPy function of the same arguments
        that returns an array of the result's shape and dtype; what is in it does not matter: `lambda a, b: np.empty(a.shape[0])`.
    jvp, jvps, vjp
        The derivative, as for `custom_jvp.defjvp`, `custom_jvp.defjvps` or `custom_vjp.defvjp`: one of them. The rules are read, and may
        call `function`. Without one, derivatives through the function are refused.
    numba
        A function that Numba can call and that computes the same (for elementwise functions: of scalars). Functions made by
        Numba's decorators are found to be callable by themselves.
    name
        The dotted name by which emitted modules import it, where `function` doesn't know: "scipy.special.gammaln".

    Raises
    ------
    ArgumentTypeError
        The function is not callable, or it is not said what it returns.
    ArgumentValueError
        The function can't be imported by a name, or more than one of jvp, jvps and vjp is given.

    Notes
    -----
    On the cpu target a function that Numba can't call is called through Python (`numba.objmode`): about 2 microseconds a call, and for
    elementwise functions one call for a whole array. What it returns is checked against what was registered.

    Example
    -------
    >>> import math
    >>> import numpy as np
    >>> import s2s
    >>> _ = s2s.register(math.lgamma, like=lambda x: 0.5 * np.log(2 * np.pi / x) + x * (np.log(x) - 1.0) + 1.0 / (12.0 * x))   # Stirling
    >>> def f(x):
    ...     return math.lgamma(x)
    >>> print(round(s2s.grad(f)(10.0), 3))
    2.252
    """
    if not callable(function):
        raise ArgumentTypeError(f"Expected a callable value, got {function!r}")
    if sum(rule is not None for rule in (jvp, jvps, vjp)) > 1:
        raise ArgumentValueError("register takes one of jvp, jvps and vjp")
    if like is not None:
        REGISTERED[key_of(function)] = Registration(function, "", like, "", None, None, None, None, "")
        return function
    if result is None:
        if not isinstance(function, np.ufunc):
            raise ArgumentTypeError(
                f"it is not said what {_shown(function)} returns", instead='result="elementwise", or a NumPy function that returns an array of the same shape and dtype'
            )
        result = ELEMENTWISE
    if isinstance(function, np.ufunc) and (function.nout != 1 or function.signature is not None) and result == ELEMENTWISE:
        raise ArgumentTypeError(f"{_shown(function)} is not elementwise, or has several results", instead="register a function that calls it")
    fwd, bwd = vjp if vjp is not None else (None, None)
    compiled = numba if numba is not None else function if is_compiled(function) else None
    REGISTERED[key_of(function)] = Registration(
        function, name or public_name(function), None, result, jvp, None if jvps is None else tuple(jvps), fwd, bwd, "" if compiled is None else public_name(compiled)
    )
    return function


_MAKERS: dict[str, Any] = {}


def makers() -> dict[str, Any]:
    """custom_jvp, custom_vjp, linearize, …, which stand in a higher layer and announce themselves."""
    return _MAKERS


def is_compiled(function: Any) -> bool:
    """Whether it was made by one of Numba's decorators, so that Numba's code can call it."""
    return any(cls.__module__.startswith("numba.") and cls.__name__ in ("Dispatcher", "DUFunc") for cls in type(function).__mro__)


def registration(function: Any) -> Registration | None:
    """What was registered for a function."""
    if not REGISTERED:
        return None
    return REGISTERED.get(key_of(function))


def key_of(function: Any) -> Any:
    """The function's key in REGISTERED, which keeps it alive."""
    try:
        hash(function)
    except TypeError:  # ctypes' functions
        return id(function)
    return function


def public_name(function: Any) -> str:
    """A dotted name under which the function can be imported: the shortest public one. Raises ArgumentValueError if there is none."""
    own, module = getattr(function, "__qualname__", getattr(function, "__name__", "")), getattr(function, "__module__", None)
    names = [f"{module}.{own}"] if module and own else []
    if not module or any(part.startswith("_") for part in module.split(".")):
        own = getattr(function, "__name__", "")
        names = [f"{key}.{own}" for key, loaded in list(sys.modules.items()) if loaded is not None and vars(loaded).get(own) is function] + names
    names.sort(key=lambda each: (any(part.startswith("_") for part in each.split(".")), each.count("."), len(each)))
    for each in names:
        if "<" not in each and _found(each) is function:
            return each
    raise ArgumentValueError(
        f"{_shown(function)} can't be imported by a name", why="emitted modules call it by one", instead="define it at the top level of a module, or give name="
    )


def name_or_none(function: Any) -> str | None:
    """Its public name, if it has one."""
    try:
        return public_name(function)
    except ArgumentValueError:
        return None


def _found(name: str) -> Any:
    module, _, attribute = name.rpartition(".")
    try:
        return getattr(importlib.import_module(module), attribute, None)
    except ImportError:
        return None


def _shown(function: Any) -> str:
    return getattr(function, "__name__", repr(function))


def stamp(name: str) -> str:
    """What identifies the source of a function by name, "" for one without: Numba's caches don't see when it changes."""
    function = _found(name)
    file = getattr(sys.modules.get(getattr(getattr(function, "py_func", function), "__module__", None) or ""), "__file__", None) or ""
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()[:12] if file.endswith(".py") else ""
