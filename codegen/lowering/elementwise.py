"""Elementwise rows as operations on operands: which, names to import, and dtypes that Numba would widen."""
from __future__ import annotations

import inspect
import math
import re
from types import CodeType

import numpy as np

from s2s.codegen.language.expressions import Expr, Name, Number, Op, Operation, total
from s2s.codegen.language.notation import operation
from s2s.codegen.language.operations import LARGEST, LEAST, SIZE, apply, conversion, restored, vectorised
from s2s.codegen.lowering.lowered import Module
from s2s.codegen.runtime.helpers import BEFORE, OPTIONS, PLAIN, RUNTIME
from s2s.codegen.runtime.vector_math import VECTOR_MATH
from s2s.errors import InternalError
from s2s.own_text import text_of
from s2s.transforms.ir.program import Equation
from s2s.transforms.primitives.arithmetic import add, fmax, fmin, maximum, minimum, nextafter, select, sign, sub
from s2s.transforms.primitives.conversion import absolute, convert
from s2s.transforms.primitives.elementwise import power_to
from s2s.transforms.primitives.logic import logical_not, right_shift
from s2s.transforms.primitives.row import Elementwise
from s2s.transforms.primitives.scalar_helpers import HELPERS, OF_ARRAYS
from s2s.transforms.primitives.scipy_functions import C_FUNCTIONS, IMPORTS
from s2s.types import (
    COMPLEX64,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    INT8,
    INT16,
    INT64,
    SUPPORTED_DTYPES,
    UINT8,
    UINT16,
    UINT32,
    UINT64,
    Literal,
    is_integer,
    is_unsigned,
    kind_of,
)

_WHOLE = {minimum: LEAST, maximum: LARGEST, absolute: SIZE}
"""Simpler operations for integers, which are never nan."""
_PICKING = frozenset({select, maximum, minimum, fmax, fmin})
"""Rows whose result is one of their operands."""
_NATURAL = {sign: operation("a != 0"), right_shift: operation("natural_right_shift(a, b)")}
"""What Numba does otherwise of integers without a sign."""
_OF_HALVES = {nextafter: operation("next_half(a, b)")}
"""What is not float32's function, rounded."""
_BY_WAY_OF = {
    **dict.fromkeys((INT8, INT16, UINT8, UINT16), "np.int32(a)"), UINT32: "np.int64(a)", UINT64: "natural_number(a)",
}
"""Floats become these integers by way of a wider one, as in NumPy: what does not fit is cut off (in C it is undefined)."""
_NARROW = frozenset({convert, logical_not})
"""Rows of which an array's operation is not a number's: a.astype, and ~False, which is the number -1."""


_WIDENED = frozenset(dtype for dtype in SUPPORTED_DTYPES if dtype in (COMPLEX64, FLOAT16) or is_integer(dtype) and dtype != INT64)
"""The dtypes that Numba computes in wider ones; float32 only beside Python's numbers."""


def scalar_operation(node: Equation) -> Operation:
    """What is done to one element in a Numba kernel."""
    emission = node.primitive.emission
    assert isinstance(emission, Elementwise), node.primitive
    if node.primitive in _WHOLE and is_integer(node.outs[0].type.dtype):
        return _WHOLE[node.primitive]
    is_complex = any(atom.type.dtype.kind == "c" for atom in node.ins)
    return operation(emission.complex if emission.complex and is_complex else emission.scalar, node.params)


def _compiled_operation(node: Equation) -> Operation:
    """As `scalar_operation`, where Numba does otherwise than NumPy with integers."""
    (given, *_), wanted = (atom.type.dtype for atom in node.ins), node.outs[0].type.dtype
    if node.primitive is convert and given.kind == "f" and wanted in _BY_WAY_OF:
        return operation(_BY_WAY_OF[wanted])
    if is_unsigned(wanted) and node.primitive in _NATURAL:
        return _NATURAL[node.primitive]
    if wanted == FLOAT16 and node.primitive in _OF_HALVES:
        return _OF_HALVES[node.primitive]
    if node.primitive is power_to and wanted.kind == "f" and isinstance(node.params["exponent"], int) and node.params["exponent"] < 0:  # of 0 Numba raises ZeroDivisionError
        return operation("np.reciprocal(a ** exponent)", {"exponent": -node.params["exponent"]})
    return scalar_operation(node)


def scalar_element(node: Equation, operands: tuple[Expr, ...], module: Module) -> Expr:
    """One element of an elementwise equation in a Numba kernel, of exactly the out's dtype."""
    dtype = node.outs[0].type.dtype
    if (affine := _affine(node, operands)) is not None:
        return affine
    if node.primitive is convert and dtype == FLOAT64 and isinstance(operands[0], Number) and isinstance(operands[0].value, int):  # of an index that is one of a single trip
        return Number(float(operands[0].value))
    plain = _compiled_operation(node)
    done = vectorised(plain) if node.outs[0].type.shape else plain
    need(done, module)
    result = apply(done, *(_in_single(node, operands) if done.functions and node.primitive is not convert else operands))
    assert isinstance(node.primitive.emission, Elementwise)
    is_wider = dtype == FLOAT32 and (done is not plain or node.primitive.emission.widens) or dtype in _WIDENED and plain is not conversion(dtype)
    return Op(restored(dtype), (result,)) if is_wider else result


def _in_single(node: Equation, operands: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """Operands of a function: float16 in float32, since Numba has no functions of float16."""
    return tuple(Op(conversion(FLOAT32), (operand,)) if atom.type.dtype == FLOAT16 else operand for atom, operand in zip(node.ins, operands, strict=True))


def in_its_dtype(dtype: np.dtype, value: Expr) -> Expr:
    """A sum or product of two numbers of a dtype, which Numba may have computed in a wider one, in that dtype."""
    return Op(restored(dtype), (value,)) if dtype in _WIDENED and dtype != COMPLEX64 else value


def array_expression(node: Equation, operands: tuple[Expr, ...], *, narrow: bool = False) -> Expr:
    """An elementwise equation as a NumPy expression; `narrow`: its operands are numbers that stand for arrays of them."""
    chosen = array_operation(node, narrow=narrow)
    if any(atom.type.shape for atom in node.ins):
        if narrow and chosen.raises and node.primitive not in _NARROW and isinstance(operands[0], Number):
            operands = (Op(conversion(node.ins[0].type.dtype), operands[:1]), *operands[1:])
        return apply(chosen, *operands)
    if not (narrow and node.primitive in _NARROW) and (affine := _affine(node, operands)) is not None:
        return affine
    if node.primitive is convert and _wraps(node):
        return apply(chosen, Op(conversion(INT64), operands))
    return apply(chosen, *operands)


def array_operation(node: Equation, *, narrow: bool = False) -> Operation:
    """What an elementwise equation is in NumPy: of arrays, or of numbers, which need no function of NumPy's where Python has an operator."""
    emission = node.primitive.emission
    assert isinstance(emission, Elementwise), node.primitive
    if narrow and node.primitive in _NARROW:
        return operation(emission.scalar, node.params)
    of_arrays = operation(emission.array, node.params)
    if any(atom.type.shape for atom in node.ins) or node.primitive is convert and _wraps(node):
        return of_arrays
    of_numbers = scalar_operation(node)
    return of_arrays if _library(of_numbers) - {"min", "max"} else of_numbers


def picks(node: Equation) -> bool:
    """Whether the result is one of the operands as it stands in the module: a constant must be of the dtype (`np.float32(1.0) if a else b`)."""
    return node.primitive in _PICKING and not any(atom.type.shape for atom in node.ins)


def _wraps(node: Equation) -> bool:
    """Whether an integer becomes one of another dtype as NumPy's do: Python's, as which they may stand in a module, would have to fit."""
    (given,), wanted = node.ins, node.outs[0].type.dtype
    return given.type.dtype == INT64 and not given.type.weak and is_integer(wanted) and wanted != INT64


def only_weakened(node: Equation) -> bool:
    """Whether the equation makes a scalar a Python number of the same value: promotion is explicit, so that it changes nothing."""
    (out,) = node.outs
    return node.primitive is convert and out.type.weak and out.type.dtype == node.ins[0].type.dtype


def _affine(node: Equation, operands: tuple[Expr, ...]) -> Expr | None:
    """Sums of int64 scalars are kept in a normal form."""
    if node.outs[0].type.dtype != INT64 or any(atom.type.dtype != INT64 or atom.type.shape for atom in node.ins):
        return None
    if node.primitive not in (add, sub):
        return None
    return total((operands[0], 1), (operands[1], 1 if node.primitive is add else -1))


def libraries(node: Equation) -> set[str]:
    """The modules besides NumPy whose functions an elementwise equation calls on the numpy target: scipy.special."""
    assert isinstance(node.primitive.emission, Elementwise)
    called = operation(node.primitive.emission.array, node.params).functions
    return {name.rpartition(".")[0] for name in called if "." in name} - {"np"}


_BUILTIN = frozenset({"abs", "max", "min", "round", "int", "float", "bool", "complex"})


def helpers_of_arrays(node: Equation) -> set[str]:
    """The helpers that an elementwise equation calls on the numpy target."""
    assert isinstance(node.primitive.emission, Elementwise)
    return {*operation(node.primitive.emission.array, node.params).functions} & {*HELPERS, *OF_ARRAYS}


def _library(done: Operation) -> set[str]:
    """The functions that an operation calls by bare name, from `math` or from the module's helpers."""
    return {name for name in done.functions if "." not in name}


def need(done: Operation, module: Module) -> None:
    """Import the functions that an operation calls, or copy them into the module."""
    for name in sorted(_library(done) - _BUILTIN):
        if name in HELPERS or name in VECTOR_MATH:
            module.helpers.setdefault(name)
        elif name in C_FUNCTIONS:
            module.helpers.setdefault(name)
            module.imports.update(IMPORTS)
            if C_FUNCTIONS[name].gives == "D":
                module.helpers.setdefault("complex_function")
                module.imports.add("from numba.extending import intrinsic")
        elif hasattr(math, name):
            module.imports.add(f"from math import {name}")
        else:
            raise InternalError(f"{done} calls {name}, which is neither in math nor a scalar helper")


def constant(value: Literal, module: Module) -> Expr:
    """A constant of its dtype for Numba: those that Python's numbers would widen are bound once, at module level."""
    dtype = value.type.dtype
    if dtype != FLOAT32 and dtype not in _WIDENED:
        return Number(_python(value))
    text = Number(_python(value)).text
    key = (dtype.name, text)
    if key not in module.constants:
        name = f"{dtype.kind}{dtype.itemsize}_" + text.replace("-", "m").replace(".", "_").replace("+", "").replace("(", "_").replace(")", "").replace(", ", "_")
        module.constants[key] = name.removesuffix("_0") if dtype == FLOAT32 and name.count("_") > 1 else name
        module.names.add(module.constants[key])
    return Name(module.constants[key])


def _python(value: Literal) -> bool | int | float | complex:
    kind = kind_of(value.type.dtype)
    if kind == "b":
        return bool(value.value)
    if kind == "i":
        return int(value.value)  # type: ignore[arg-type]
    if kind == "f":
        return float(np.dtype(value.type.dtype).type(value.value)) if value.type.dtype != FLOAT32 else float(value.value)  # type: ignore[arg-type]
    return complex(value.value)


def constant_lines(module: Module) -> list[str]:
    """The module-level constants."""
    return [f"{name} = np.{dtype}({text})" for (dtype, text), name in module.constants.items()]


def names_numpy(name: str) -> bool:
    """Whether np stands in a scalar helper."""
    if name in C_FUNCTIONS:
        return C_FUNCTIONS[name].parts > 0
    return "np" in _names_of(inspect.unwrap({**HELPERS, **OF_ARRAYS, **VECTOR_MATH, **RUNTIME}[name]).__code__)


def _names_of(code: CodeType) -> set[str]:
    return {*code.co_names, *(name for inner in code.co_consts if isinstance(inner, CodeType) for name in _names_of(inner))}


_TYPE_COMMENT = re.compile(r"  # type: ignore\[[^]]*\]")


def helper_text(name: str, *, compiled: bool) -> str:
    """A scalar helper's source, without its type comments; of each element of arrays where it is not compiled."""
    if name in C_FUNCTIONS:
        return f'@njit(cache=True, error_model="numpy")\n{C_FUNCTIONS[name].text(name)}'
    source = _TYPE_COMMENT.sub("", text_of({**HELPERS, **OF_ARRAYS, **VECTOR_MATH, **RUNTIME}[name]))
    if not compiled:
        return f"@np.vectorize(otypes=[np.float64])\n{source.rstrip()}" if name in HELPERS else source.rstrip()
    return source.rstrip() if name in PLAIN else f'@njit(cache=True, error_model="numpy"{OPTIONS.get(name, "")})\n{source.rstrip()}'


def helper_preludes(module: Module) -> list[str]:
    """Module-level lines that the helpers used need before them."""
    return list(dict.fromkeys(line for line in map(_prelude, module.helpers) if line is not None))


def _prelude(name: str) -> str | None:
    return C_FUNCTIONS[name].prelude(name) if name in C_FUNCTIONS else BEFORE.get(name)
