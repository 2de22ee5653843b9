"""SciPy's BLAS and LAPACK for kernels, without `import scipy.linalg` (0.15 s): the two extension modules that hold them are all that is needed.

Numba looks for a function of theirs when it is first called, by importing `scipy.linalg.cython_blas`, the package around it first. It is called here, of
nothing, while only that module is there. It does not stay there: a later `import scipy.linalg` finds all as ever.
"""
from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from types import ModuleType

import numpy as np
from numba import _helperlib
from numba.core import config, types

from s2s.codegen.native.as_python import let_python_run

_PARENT = "scipy.linalg"
_MODULES = (f"{_PARENT}.cython_blas", f"{_PARENT}.cython_lapack")
_CHAR, _INT = ctypes.c_char, ctypes.c_ssize_t
_N, _U, _NUMBERS = b"n", b"U", object()
"""`_NUMBERS` stands for an array's address."""
_OF_NOTHING: dict[str, tuple[object, ...]] = {
    "numba_xxgemm": (_N, _N, 0, 0, 0, _NUMBERS, _NUMBERS, 1, _NUMBERS, 1, _NUMBERS, _NUMBERS, 1),
    "numba_xxgetrf": (0, 0, _NUMBERS, 1, _NUMBERS),
    "numba_xgesv": (0, 0, _NUMBERS, 1, _NUMBERS, _NUMBERS, 1),
    "numba_xxpotrf": (_U, 0, _NUMBERS, 1),
}
"""Numba's functions, and arguments that say that there is nothing to do. Others are rare, and import the package."""
_FOUND: set[str] = set()


def find_functions(module: ModuleType) -> None:
    """Let Numba find the functions of BLAS and LAPACK that a module's kernels may call, and Python, where Numba compiles nothing (NUMBA_DISABLE_JIT)."""
    if config.DISABLE_JIT:  # type: ignore[attr-defined]
        let_python_run(module)
        return
    named = {value.symbol for value in vars(module).values() if isinstance(value, types.ExternalFunction)}
    wanted = (named & _OF_NOTHING.keys()) - _FOUND
    if not wanted or _PARENT in sys.modules:
        return
    with _extensions() as there:
        for symbol in sorted(wanted) if there else ():
            _call(symbol)
            _FOUND.add(symbol)


@contextmanager
def _extensions() -> Iterator[bool]:
    """The extension modules in `sys.modules`, for as long as this takes; whether they were found."""
    import scipy

    specs = [PathFinder.find_spec(name, [f"{folder}/linalg" for folder in scipy.__path__]) for name in _MODULES]
    if any(spec is None or spec.loader is None for spec in specs) or any(name in sys.modules for name in _MODULES):
        yield False
        return
    try:
        for name, spec in zip(_MODULES, specs, strict=True):
            assert spec is not None and spec.loader is not None
            sys.modules[name] = module_from_spec(spec)
            spec.loader.exec_module(sys.modules[name])
        yield True
    finally:
        for name in _MODULES:
            sys.modules.pop(name, None)


def _call(symbol: str) -> None:
    """Call a function of Numba's, of nothing, for each kind of numbers."""
    function = ctypes.CFUNCTYPE(ctypes.c_int)(_helperlib.c_helpers[symbol.removeprefix("numba_")])  # type: ignore[attr-defined]
    place = np.zeros(2, np.complex128)
    told = [ctypes.c_void_p(place.ctypes.data) if arg is _NUMBERS else _CHAR(arg) if isinstance(arg, bytes) else _INT(arg) for arg in _OF_NOTHING[symbol]]  # type: ignore[arg-type]
    for kind in b"sdcz":
        function(_CHAR(kind), *told)
