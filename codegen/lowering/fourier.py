"""Fourier transforms in emitted modules, by NumPy's own loops.

A ufunc is a table of C functions (`PyUFuncObject`, of NumPy's C interface); those of `numpy.fft` transform any length in n log n. Compiled code calls
them by symbols, so that it can be cached.
"""
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from s2s.codegen.lowering.lowered import Module

LOOPS = '''
def HELPER(*ufuncs):
    """Let compiled code find the loops of NumPy's transforms: a ufunc holds their addresses, one for each type."""
    for ufunc in ufuncs:
        functions = ctypes.c_void_p.from_address(id(ufunc) + 32).value  # PyUFuncObject.functions
        for number, types_ in enumerate(ufunc.types):
            llvmlite.binding.add_symbol(f"numpy_{ufunc.__name__}_{types_[1]}", ctypes.c_void_p.from_address(functions + 8 * number).value)


HELPER(*(getattr(np.fft._pocketfft_umath, name) for name in ("fft", "ifft", "irfft", "rfft_n_even", "rfft_n_odd")))
'''.strip("\n")

TRANSFORM = '''
{bound}


@njit(cache=True)
def HELPER(x, out):
    """{doc}"""
    outer, inner = {outer}, {inner}
    scale, work = np.empty(1, {real}), np.empty(12, np.int64)  # the arguments' addresses, lengths, steps, the direction
    rows, start, length, new_length = outer if inner == 1 else inner, np.int64(work.ctypes.data), x.shape[{axis}], out.shape[{axis}]
    scale[0], work[1], work[7], work[11] = {scale}, np.int64(scale.ctypes.data), 0, {forward}
    work[3], work[4], work[5] = rows, length, new_length
    work[6], work[8] = x.itemsize * (length if inner == 1 else 1), out.itemsize * (new_length if inner == 1 else 1)
    work[9], work[10] = x.itemsize * inner, out.itemsize * inner
    for k in range(1 if inner == 1 else outer):
        work[0] = np.int64(x.ctypes.data) + k * inner * x.itemsize * length
        work[2] = np.int64(out.ctypes.data) + k * inner * out.itemsize * new_length
        {call}
    scale[0] = 0.0  # an address keeps no array: it was needed until here
'''.strip("\n")

_SCALES = {"": "1.0", "n": "{real}(1.0) / {real}({n})", "sqrt": "{real}(1.0) / np.sqrt({real}({n}))"}
_ARGUMENTS = "start, start + 24, start + 48, start + 88"
_DOCS = {"fft": "Discrete Fourier transforms along an axis.", "ifft": "Inverse ones.", "rfft": "Those of real numbers: half of each.", "irfft": "Back from half of each."}


def transform(module: Module, name: str, dtype: np.dtype, ndim: int, axis: int, scale: str) -> str:
    """The name of a function (x, out) of a compiled module: a row by its name (ifft: fft's inverse), of arrays of this dtype and rank."""
    module.numba.add("types")
    real = "np.float32" if dtype in (np.float32, np.complex64) else "np.float64"
    letter = real[-2:].replace("32", "f").replace("64", "d")
    symbols = {each: f"numpy_{each}_{letter}" for each in (("rfft_n_even", "rfft_n_odd") if name == "rfft" else (name,))}
    loops = module.helper("loops of transforms", "loops", LOOPS, imports=frozenset({"import ctypes", "import llvmlite.binding", "import numpy as np"}))
    bound = "\n".join(f'{symbol} = types.ExternalFunction("{symbol}", types.void(types.int64, types.int64, types.int64, types.int64))  # NumPy\'s own' for symbol in symbols.values())
    length = f"{'out' if name == 'irfft' else 'x'}.shape[{axis}]"
    if name == "rfft":
        call = f"if length % 2 == 0:\n            {symbols['rfft_n_even']}({_ARGUMENTS})\n        else:\n            {symbols['rfft_n_odd']}({_ARGUMENTS})"
    else:
        call = f"{symbols[name]}({_ARGUMENTS})"
    text = TRANSFORM.format(
        bound=bound, doc=_DOCS[name], outer=_product(range(axis)), inner=_product(range(axis + 1, ndim)), real=real, axis=axis, call=call,
        scale=_SCALES[scale].format(real=real, n=length), forward=int(name in ("fft", "rfft")),
    )  # fmt: skip
    return module.helper(f"{name} {letter} {ndim} {axis} {scale}", name, text, needs=(loops,), imports=frozenset({"import numpy as np"}))


def _product(axes: range) -> str:
    return " * ".join(f"x.shape[{axis}]" for axis in axes) or "1"
