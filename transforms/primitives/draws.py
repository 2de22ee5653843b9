"""How random numbers are drawn: functions whose source is copied into emitted modules, and which run as they stand.

NumPy's own C functions, which it exports for that (`numpy.random`, "Extending via CFFI"), do the work, so that the stream is NumPy's.
`memory` is that of a generator (`s2s.streams`), `first` and `inner` its layout.
"""
from __future__ import annotations

import ast
import ctypes
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from s2s import own_text
from s2s.records import dataclass
from s2s.transforms.primitives.generator_memory import generator
from s2s.transforms.primitives.old_draws import OLD_PAIRED, OLD_SINGLE
from s2s.transforms.primitives.python_draws import PYTHONS
from s2s.transforms.primitives.seeding import SEEDING


def uniforms(memory, first, inner, out):  # type: ignore[no-untyped-def]
    """Numbers from 0 to 1."""
    random_standard_uniform_fill(generator(memory, first, inner), out.size, out.ctypes.data)


def uniforms_f(memory, first, inner, out):  # type: ignore[no-untyped-def]
    """Numbers from 0 to 1, in float32."""
    random_standard_uniform_fill_f(generator(memory, first, inner), out.size, out.ctypes.data)


def normals(memory, first, inner, out):  # type: ignore[no-untyped-def]
    """Standard normal numbers."""
    random_standard_normal_fill(generator(memory, first, inner), out.size, out.ctypes.data)


def normals_f(memory, first, inner, out):  # type: ignore[no-untyped-def]
    """Standard normal numbers, in float32."""
    random_standard_normal_fill_f(generator(memory, first, inner), out.size, out.ctypes.data)


def exponentials(memory, first, inner, out):  # type: ignore[no-untyped-def]
    """Exponentially distributed numbers."""
    random_standard_exponential_fill(generator(memory, first, inner), out.size, out.ctypes.data)


def exponentials_f(memory, first, inner, out):  # type: ignore[no-untyped-def]
    """Exponentially distributed numbers, in float32."""
    random_standard_exponential_fill_f(generator(memory, first, inner), out.size, out.ctypes.data)


def integers(memory, first, inner, low, span, masked, out):  # type: ignore[no-untyped-def]
    """Integers from low to low + span."""
    random_bounded_uint64_fill(generator(memory, first, inner), low, span, out.size, masked, out.ctypes.data)


def integers_32(memory, first, inner, low, span, masked, out):  # type: ignore[no-untyped-def]
    """Integers from low to low + span, of 32 bits."""
    random_bounded_uint32_fill(generator(memory, first, inner), low, span, out.size, masked, out.ctypes.data)


def integers_16(memory, first, inner, low, span, masked, out):  # type: ignore[no-untyped-def]
    """Integers from low to low + span, of 16 bits."""
    random_bounded_uint16_fill(generator(memory, first, inner), low, span, out.size, masked, out.ctypes.data)


def integers_8(memory, first, inner, low, span, masked, out):  # type: ignore[no-untyped-def]
    """Integers from low to low + span, of 8 bits."""
    random_bounded_uint8_fill(generator(memory, first, inner), low, span, out.size, masked, out.ctypes.data)


def bools(memory, first, inner, low, span, masked, out):  # type: ignore[no-untyped-def]
    """Truth values from low to low + span."""
    random_bounded_bool_fill(generator(memory, first, inner), low, span, out.size, masked, out.ctypes.data)


def integer(memory, first, inner, low, span, masked):  # type: ignore[no-untyped-def]
    """An integer from low to low + span."""
    out = np.empty(1, np.int64)
    random_bounded_uint64_fill(generator(memory, first, inner), low, span, 1, masked, out.ctypes.data)
    return out[0]


def binomial(memory, first, inner, n, p):  # type: ignore[no-untyped-def]
    """How many of n tries succeed."""
    prepared = np.zeros(32, np.int64)  # what NumPy keeps from one call with the same n and p to the next
    count = random_binomial(generator(memory, first, inner), p, n, prepared.ctypes.data)
    prepared[0] = 0  # an address keeps no array: it was needed until here
    return count


def permutation(memory, first, inner, out):  # type: ignore[no-untyped-def]
    """The numbers of out's positions, shuffled."""
    here = generator(memory, first, inner)
    for i in range(out.size):
        out[i] = i
    for i in range(out.size - 1, 0, -1):
        j = np.int64(random_interval(here, i))
        out[i], out[j] = out[j], out[i]


def chosen(memory, first, inner, count, mixed, out):  # type: ignore[no-untyped-def]
    """As many different numbers below `count` as out has places, as Generator.choice chooses them; `mixed`: in random order."""
    size = out.size
    here = generator(memory, first, inner)
    if count > 10000 and size > count // (50 if mixed else 20):  # the end of a shuffled list
        places = np.empty(count, np.int64)
        for i in range(count):
            places[i] = i
        for i in range(count - 1, max(count - size, 1) - 1, -1):
            k = np.int64(random_bounded_uint64(here, 0, i, 0, False))
            places[i], places[k] = places[k], places[i]
        for number in range(size):
            out[number] = places[count - size + number]
    else:  # Floyd's algorithm, with a table of those that were chosen
        mask = 1
        while mask < 1.2 * size:
            mask *= 2
        mask -= 1
        table = np.full(mask + 1, -1, np.int64)
        for j in range(count - size, count):
            value = np.int64(random_bounded_uint64(here, 0, j, 0, False))
            place = np.int64(value & mask)
            while table[place] != -1 and table[place] != value:
                place = (place + 1) & mask
            if table[place] == -1:
                table[place] = value
                out[j - count + size] = value
            else:
                place = np.int64(j & mask)
                while table[place] != -1:
                    place = (place + 1) & mask
                table[place] = j
                out[j - count + size] = j
        if mixed:
            for i in range(size - 1, 0, -1):
                k = np.int64(random_bounded_uint64(here, 0, i, 0, False))
                out[i], out[k] = out[k], out[i]


@dataclass(frozen=True)
class Draw:
    """What is drawn. `filling`: the function that fills an array, "" if each element is drawn by itself; `single`: that which gives one number, "" if
    there is none; `given`: the dtypes of what it is given; `each`: whether that may be another for each element; `paired`: whether it takes RandomState's
    normal numbers, of which one may be left over.
    """

    dtype: str
    given: str = ""
    filling: str = ""
    single: str = ""
    each: bool = False
    paired: bool = False


def _single(name: str, given: str, dtype: str = "d") -> Draw:
    return Draw(dtype, given, single=name, each=True)


def _paired(name: str, given: str = "", dtype: str = "d") -> Draw:
    return Draw(dtype, given, single=name, each=True, paired=True)


DRAWS: dict[str, Draw] = {
    "uniform": Draw("d", "", "uniforms", "random_standard_uniform"), "uniform_f": Draw("f", "", "uniforms_f", "random_standard_uniform_f"),
    "normal": Draw("d", "", "normals", "random_standard_normal"), "normal_f": Draw("f", "", "normals_f", "random_standard_normal_f"),
    "exponential": Draw("d", "", "exponentials", "random_standard_exponential"),
    "exponential_f": Draw("f", "", "exponentials_f", "random_standard_exponential_f"),
    "integers": Draw("l", "lll", "integers", "integer"), "integers_32": Draw("i", "lll", "integers_32"), "integers_16": Draw("h", "lll", "integers_16"),
    "integers_8": Draw("b", "lll", "integers_8"), "bools": Draw("?", "lll", "bools"), "integers_each": _single("integer", "lll", "l"),
    "permutation": Draw("l", "", "permutation"), "chosen": Draw("l", "ll", "chosen"),
    "gamma": _single("random_standard_gamma", "d"), "gamma_f": _single("random_standard_gamma_f", "f", "f"), "beta": _single("random_beta", "dd"), "chisquare": _single("random_chisquare", "d"),
    "noncentral_chisquare": _single("random_noncentral_chisquare", "dd"), "f": _single("random_f", "dd"), "noncentral_f": _single("random_noncentral_f", "ddd"), "standard_t": _single("random_standard_t", "d"),
    "cauchy": _single("random_standard_cauchy", ""), "wald": _single("random_wald", "dd"), "vonmises": _single("random_vonmises", "dd"),
    "laplace": _single("random_laplace", "dd"), "gumbel": _single("random_gumbel", "dd"), "logistic": _single("random_logistic", "dd"),
    "triangular": _single("random_triangular", "ddd"), "poisson": _single("random_poisson", "d", "l"), "geometric": _single("random_geometric", "d", "l"),
    "negative_binomial": _single("random_negative_binomial", "dd", "l"), "zipf": _single("random_zipf", "d", "l"), "logseries": _single("random_logseries", "d", "l"),
    "hypergeometric": _single("random_hypergeometric", "lll", "l"), "binomial": _single("binomial", "ld", "l"),
    "old_normal": _paired("old_normal"), "old_gamma": _paired("old_gamma", "d"), "old_chisquare": _paired("old_chisquare", "d"),
    "old_noncentral_chisquare": _paired("old_noncentral_chisquare", "dd"), "old_f": _paired("old_f", "dd"), "old_noncentral_f": _paired("old_noncentral_f", "ddd"),
    "old_beta": _paired("old_beta", "dd"), "old_standard_t": _paired("old_standard_t", "d"), "old_cauchy": _paired("old_cauchy"), "old_wald": _paired("old_wald", "dd"),
    "old_negative_binomial": _paired("old_negative_binomial", "dd", "l"), "old_vonmises": _single("old_vonmises", "dd"), "old_geometric": _single("old_geometric", "d", "l"),
    "old_logseries": _single("old_logseries", "d", "l"), "old_zipf": _single("old_zipf", "d", "l"), "old_binomial": _single("old_binomial", "ld", "l"),
    "old_hypergeometric": _single("old_hypergeometric", "lll", "l"), "pcg64_start": _single("pcg64_start", "l", "l"), "mt19937_start": _single("mt19937_start", "l", "l"),
    "python_start": _single("python_start", "l", "l"), "python_uniform": _single("python_uniform", ""), "python_bits": _single("python_bits", "l", "l"), "python_below": _single("python_below", "l", "l"),
}  # fmt: skip
"""By name. Their dtypes are NumPy's letters."""

SYMBOLS: dict[str, tuple[str, str]] = {
    **{draw.single: (draw.dtype, f"p{draw.given}") for draw in DRAWS.values() if draw.single.startswith("random_")},
    **{f"random_standard_{name}_fill{f}": ("v", "plp") for name in ("uniform", "normal", "exponential") for f in ("", "_f")},
    "random_bounded_uint64_fill": ("v", "plllbp"), "random_bounded_uint32_fill": ("v", "pIIlbp"),
    "random_bounded_uint16_fill": ("v", "pHHlbp"), "random_bounded_uint8_fill": ("v", "pBBlbp"), "random_bounded_bool_fill": ("v", "pbblbp"),
    "random_bounded_uint64": ("l", "plllb"), "random_interval": ("l", "pl"), "random_binomial": ("l", "pdlp"), "random_geometric_search": ("l", "pd"),
    "random_binomial_inversion": ("l", "pldp"), "random_binomial_btpe": ("l", "pldp"), "random_loggam": ("d", "d"),
}  # fmt: skip
"""NumPy's functions: result and arguments by letters (p: an address, b: a truth value, v: nothing)."""

FUNCTIONS: dict[str, Callable[..., Any]] = {
    function.__name__: function for function in (
        generator, uniforms, uniforms_f, normals, normals_f, exponentials, exponentials_f, integers, integers_32, integers_16, integers_8, bools, integer, binomial,
        permutation, chosen, *OLD_PAIRED, *OLD_SINGLE, *SEEDING, *PYTHONS,
    )
}  # fmt: skip
"""The functions above, by name."""

_CTYPES = {"p": ctypes.c_int64, "l": ctypes.c_int64, "i": ctypes.c_int32, "I": ctypes.c_uint32, "H": ctypes.c_uint16, "B": ctypes.c_uint8, "d": ctypes.c_double, "f": ctypes.c_float, "b": ctypes.c_bool, "v": None}


@cache
def _library() -> ctypes.PyDLL:
    compiled: Any = np.random._generator  # noqa: SLF001 - NumPy loads it when it is first asked for
    return ctypes.PyDLL(compiled.__file__)


def symbols_in(function: Callable[..., Any]) -> tuple[str, ...]:
    """NumPy's functions that one of FUNCTIONS calls."""
    return tuple(name for name in function.__code__.co_names if name in SYMBOLS)


def functions_in(function: Callable[..., Any]) -> tuple[str, ...]:
    """Which of FUNCTIONS another one of them calls."""
    return tuple(name for name in function.__code__.co_names if name in FUNCTIONS)


def uses_math(name: str) -> bool:
    """Whether one of FUNCTIONS reads the module math."""
    return "math" in FUNCTIONS[name].__code__.co_names


def text_of(name: str, called: Mapping[str, str]) -> str:
    """The source of one of FUNCTIONS, with other names for itself and for those of them that it calls."""
    lines = own_text.text_of(FUNCTIONS[name]).replace("  # type: ignore[no-untyped-def]", "").rstrip().split("\n")
    read = [(node.lineno, node.col_offset, node.id) for node in ast.walk(ast.parse("\n".join(lines))) if isinstance(node, ast.Name) and node.id in called]
    for line, column, old in sorted([(1, len("def "), name), *read], reverse=True):
        text = lines[line - 1]
        lines[line - 1] = text[:column] + called[old] + text[column + len(old):]
    return "\n".join(lines)


def callable_of(name: str) -> Callable[..., Any]:
    """One of FUNCTIONS, or one of NumPy's that draws a number from memory."""
    if name in FUNCTIONS:
        for symbol in symbols_in(FUNCTIONS[name]):
            FUNCTIONS[name].__globals__[symbol] = _native(symbol)
        for called in functions_in(FUNCTIONS[name]):
            callable_of(called)
        return FUNCTIONS[name]
    drawn, kind = _native(name), np.float32 if SYMBOLS[name][0] == "f" else _as_drawn  # ctypes makes a double of a float
    return lambda memory, first, inner, *given: kind(drawn(generator(memory, first, inner), *given))


def _as_drawn(x: Any) -> Any:
    return x


@cache
def _native(symbol: str) -> Any:
    result, arguments = SYMBOLS[symbol]
    found = getattr(_library(), symbol)
    found.restype, found.argtypes = _CTYPES[result], [_CTYPES[letter] for letter in arguments]
    return found


random_standard_uniform_fill: Any = None
random_standard_uniform_fill_f: Any = None
random_standard_normal_fill: Any = None
random_standard_normal_fill_f: Any = None
random_standard_exponential_fill: Any = None
random_standard_exponential_fill_f: Any = None
random_bounded_uint64_fill: Any = None
random_bounded_uint32_fill: Any = None
random_bounded_uint16_fill: Any = None
random_bounded_uint8_fill: Any = None
random_bounded_bool_fill: Any = None
random_bounded_uint64: Any = None
random_interval: Any = None
random_binomial: Any = None
