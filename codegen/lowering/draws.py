"""Draws of random numbers in emitted modules: `transforms/primitives/draws.py`'s functions, with NumPy's own C functions bound for the target.

    _normals(rng, 9, 1, noise)          both targets: fills an array
    k = _poisson(rng, 9, 1, lam)        one number
"""
from __future__ import annotations

from s2s.codegen.lowering.lowered import Module
from s2s.transforms.primitives.draws import DRAWS, FUNCTIONS, SYMBOLS, functions_in, symbols_in, text_of, uses_math

_NUMBA = {"p": "uintp", "l": "int64", "i": "int32", "I": "uint32", "H": "uint16", "B": "uint8", "d": "float64", "f": "float32", "b": "boolean", "v": "void"}
_CTYPES = {"p": "c_int64", "l": "c_int64", "i": "c_int32", "I": "c_uint32", "H": "c_uint16", "B": "c_uint8", "d": "c_double", "f": "c_float", "b": "c_bool", "v": ""}
_LOADED = "llvmlite.binding.load_library_permanently(numpy.random._generator.__file__)  # NumPy's C functions of random numbers, exported by it"
_OPENED = "_numpy = ctypes.PyDLL(numpy.random._generator.__file__)  # NumPy's C functions of random numbers, exported by it"


def draw_helper(module: Module, name: str, *, compiled: bool) -> str:
    """The name of the module's own function that draws so: one of FUNCTIONS, or one around NumPy's."""
    if name in FUNCTIONS:
        return _copied(module, name, compiled)
    base = _copied(module, "generator", compiled)
    draw = next(draw for draw in DRAWS.values() if draw.single == name)
    given = "".join(f", {letter}" for letter in "abc"[: len(draw.given)])
    native = _bound(module, name, compiled)
    found = f"{native}({base}(memory, first, inner){given})"
    if SYMBOLS[name][0] == "f" and not compiled:  # ctypes makes a double of it
        found = f"np.float32({found})"
    source = f"def HELPER(memory, first, inner{given}):\n    return {found}"
    return _written(module, name, name.removeprefix("random_"), source, (base, native), compiled)


def old_draw_helper(module: Module, name: str, *, compiled: bool) -> str:
    """The name of the module's own function that fills an array with numbers drawn by one of OLD_PAIRED; what that is given are arrays of one number, or of
    one for each place.
    """
    base, one = _copied(module, "generator", compiled), _copied(module, name, compiled)
    letters = "abc"[: next(len(draw.given) for draw in DRAWS.values() if draw.single == name)]
    source = _OLD.format(base=base, one=one, given="".join(f", {each}" for each in letters), items="".join(f", {each}[min(k, {each}.size - 1)]" for each in letters))
    return _written(module, f"{name}s", f"{name}s", source, (base, one), compiled)


_OLD = """
def HELPER(memory, first, inner, before, after, out{given}):
    here = {base}(memory, first, inner)
    after[:] = before
    for k in range(out.size):
        out[k] = {one}(here, after{items})
""".strip("\n")


def _copied(module: Module, name: str, compiled: bool) -> str:
    called = {each: _copied(module, each, compiled) for each in functions_in(FUNCTIONS[name])}
    called |= {symbol: _bound(module, symbol, compiled) for symbol in symbols_in(FUNCTIONS[name])}
    return _written(module, name, name, text_of(name, {name: "HELPER", **called}), tuple(called.values()), compiled)


def _written(module: Module, key: str, name: str, source: str, needs: tuple[str, ...], compiled: bool) -> str:
    imports = {"import numpy as np", "import numpy.random._generator", "import llvmlite.binding" if compiled else "import ctypes"}
    if key in FUNCTIONS and uses_math(key):
        imports.add("import math")
    head = [_LOADED if compiled else _OPENED, "", ""] if key == "generator" else []
    lines = [*head, *(["@njit(cache=True)"] if compiled else []), source]
    return module.helper(f"draw {key}", name, "\n".join(lines), needs=needs, imports=frozenset(imports))


def _bound(module: Module, symbol: str, compiled: bool) -> str:
    """The name of one of NumPy's functions, which is made callable behind the line that loads them."""
    opened = _copied(module, "generator", compiled)
    result, arguments = SYMBOLS[symbol]
    if compiled:
        module.numba.add("types")
        line = f'HELPER = types.ExternalFunction("{symbol}", types.{_NUMBA[result]}({", ".join(f"types.{_NUMBA[letter]}" for letter in arguments)}))'
    else:
        types_ = ", ".join(f"ctypes.{_CTYPES[letter]}" for letter in arguments)
        returned = f"ctypes.{_CTYPES[result]}" if _CTYPES[result] else "None"
        line = f'HELPER = ctypes.PYFUNCTYPE({returned}, {types_})(("{symbol}", _numpy))'
    return module.helper(f"draw {symbol} of NumPy", symbol, line, needs=(opened,), imports=frozenset())
