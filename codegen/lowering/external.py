"""Calls of functions that s2s can't read (`s2s.register`), on any target: by their public names, what they return checked."""
from __future__ import annotations

from s2s.codegen.lowering.lowered import Module
from s2s.transforms.primitives.opaque import External

CHECK = '''
def HELPER(name, value, dtype, shape):
    """What a function of another library returned, if it is what it was registered for."""
    value = np.array(value)
    if value.dtype != dtype or value.shape != shape:
        message = f"{name} was registered to return {np.dtype(dtype)}{list(shape)}, but returned {value.dtype}{list(value.shape)}"
        raise TypeError(message)
    return value
'''.strip("\n")
PYTHON_NUMBER = {"f": "float", "i": "int", "c": "complex", "b": "bool"}


def import_module(module: Module, name: str) -> None:
    """Import what a function of this public name is in."""
    path = name.rpartition(".")[0]
    module.imports.add(f"import {path}")
    module.names.add(path.split(".")[0])


def checking(module: Module) -> str:
    """The name of the function that looks at what was returned."""
    return module.helper("check", "returned", CHECK, imports=frozenset({"import numpy as np"}))


def version_comment(call: External) -> str:
    """Which version of the function the code was compiled with: Numba's caches don't look at what is called."""
    return f"  # {call.name}, source {call.stamp}" if call.stamp else ""
