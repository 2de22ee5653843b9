"""Kernels that Python runs, where Numba compiles nothing (NUMBA_DISABLE_JIT): what they call must be called by Python, and give what compiled code gives.

    gemm(…)           types.ExternalFunction, which does nothing where it is called: the C function at its address
    asin(2.0)         C's nan instead of Python's ValueError
"""
from __future__ import annotations

import ctypes
import ctypes.util
import math
from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
from llvmlite import binding
from numba import _helperlib
from numba.core import types
from numba.core.typing.ctypes_utils import to_ctypes

from s2s.errors import InternalError

_NAMES_IN_C = {"gamma": "tgamma"}


def let_python_run(module: ModuleType) -> None:
    """Give a module's kernels what they call, for Python."""
    vars(module).update(callable_functions(module))
    vars(module).update({name: _lenient(name) for name, value in vars(module).items() if callable(value) and value is getattr(math, name, None)})


def callable_functions(module: ModuleType) -> dict[str, Callable[..., Any]]:
    """All C functions of a module as Python can call them, by their names in it."""
    return {name: _from_python(value) for name, value in vars(module).items() if isinstance(value, types.ExternalFunction)}


def _from_python(function: types.ExternalFunction) -> Callable[..., Any]:
    own = function.symbol.removeprefix("numba_")
    address = _helperlib.c_helpers[own] if own in _helperlib.c_helpers else binding.address_of_symbol(function.symbol)  # type: ignore[attr-defined]
    if not address:
        raise InternalError(f"the C function {function.symbol} can't be called by Python", instead="unset NUMBA_DISABLE_JIT")
    kinds: list[Any] = [None if type_ is types.void else to_ctypes(type_) for type_ in (function.sig.return_type, *function.sig.args)]
    called = ctypes.CFUNCTYPE(*kinds)(address)
    as_python = [float if isinstance(type_, types.Float) else int for type_ in function.sig.args]
    return lambda *args: called(*(made(arg) for made, arg in zip(as_python, args, strict=True)))


@cache
def _lenient(name: str) -> Callable[..., Any]:
    """A function of `math` that gives C's number where Python's raises: what the user's own call raises is written out in the kernel."""
    function = getattr(math, name)

    def called(*args: Any) -> Any:
        try:
            found = function(*args)
        except (ValueError, OverflowError):
            in_c = getattr(_libm(), _NAMES_IN_C.get(name, name), None)
            if in_c is None:
                raise
            in_c.restype, in_c.argtypes = ctypes.c_double, [ctypes.c_double] * len(args)
            found = in_c(*args)
        return np.float64(found) if isinstance(found, float) else found  # NumPy's: a quotient by zero is inf

    return called


@cache
def _libm() -> ctypes.CDLL:
    return ctypes.CDLL(ctypes.util.find_library("m"))


__all__ = ["callable_functions", "let_python_run"]
