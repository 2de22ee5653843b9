"""Draws of random numbers in emitted modules: `transforms/primitives/draws.py`'s functions, with NumPy's own C functions bound for the target.

    _normals(rng, 9, 1, noise)          both targets: fills an array
    k = _poisson(rng, 9, 1, lam)        one number
"""
from __future__ import annotations

from s2s.codegen.lowering.lowered import Module
from s2s.transforms.primitives.draws import DRAWS, FUNCTIONS, SYMBOLS, symbols_in, text_of, uses_math

_NUMBA = {"p": "uintp", "l": "int64", "i": "int32", "I": "uint32", "d": "float64", "f": "float32", "b": "boolean", "v": "void"}
_CTYPES = {"p": "c_int64", "l": "c_int64", "i": "c_int32", "I": "c_uint32", "d": "c_double", "f": "c_float", "b": "c_bool", "v": ""}
_LOADED = "llvmlite.binding.load_library_permanently(numpy.random._generator.__file__)  # NumPy's C functions of random numbers, exported by it"
_OPENED = "_numpy = ctypes.PyDLL(numpy.random._generator.__file__)  # NumPy's C functions of random numbers, exported by it"


def draw_helper(module: Module, name: str, *, compiled: bool) -> str:
    """The name of the module's own function that draws so: one of FUNCTIONS, or one around NumPy's."""
    if name in FUNCTIONS:
        return _copied(module, name, compiled)
    base = _copied(module, "generator", compiled)
    draw = next(draw for draw in DRAWS.values() if draw.single == name)
    given = "".join(f", {letter}" for letter in "abc"[: len(draw.given)])
    source = f"def HELPER(memory, first, inner{given}):\n    return {name}({base}(memory, first, inner){given})"
    return _written(module, name, name.removeprefix("random_"), source, (name,), (base,), compiled)


def _copied(module: Module, name: str, compiled: bool) -> str:
    if name == "generator":
        return _written(module, name, name, text_of(name, {name: "HELPER"}), (), (), compiled)
    base = _copied(module, "generator", compiled)
    source = text_of(name, {name: "HELPER", "generator": base})
    return _written(module, name, name, source, symbols_in(FUNCTIONS[name]), (base,), compiled)


def _written(module: Module, key: str, name: str, source: str, symbols: tuple[str, ...], needs: tuple[str, ...], compiled: bool) -> str:
    imports = {"import numpy as np", "import numpy.random._generator", "import llvmlite.binding" if compiled else "import ctypes"}
    if key in FUNCTIONS and uses_math(key):
        imports.add("import math")
    if compiled:
        module.numba.add("types")
    bound = [_bound(symbol, compiled) for symbol in symbols]
    head = [_LOADED if compiled else _OPENED] if key == "generator" else []
    lines = [*head, *bound, *(["", ""] if head or bound else []), *(["@njit(cache=True)"] if compiled else []), source]
    module.names.update(symbols)
    return module.helper(f"draw {key}", name, "\n".join(lines), needs=needs, imports=frozenset(imports))


def _bound(symbol: str, compiled: bool) -> str:
    """The line that makes one of NumPy's functions callable."""
    result, arguments = SYMBOLS[symbol]
    if compiled:
        return f'{symbol} = types.ExternalFunction("{symbol}", types.{_NUMBA[result]}({", ".join(f"types.{_NUMBA[letter]}" for letter in arguments)}))'
    types_ = ", ".join(f"ctypes.{_CTYPES[letter]}" for letter in arguments)
    returned = f"ctypes.{_CTYPES[result]}" if _CTYPES[result] else "None"
    return f'{symbol} = ctypes.PYFUNCTYPE({returned}, {types_})(("{symbol}", _numpy))'
