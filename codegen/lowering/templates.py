"""The text of elementwise rows, put together with operands: names to import, and dtypes that Numba would widen."""
from __future__ import annotations

import ast
import inspect
import math
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from s2s.codegen.language.expressions import Expr, Invoke, Name, Number, apply, parsed, total
from s2s.codegen.language.statements import dtype_text
from s2s.codegen.lowering.lowered import Module
from s2s.codegen.runtime.helpers import BEFORE, FASTMATH, RUNTIME
from s2s.codegen.runtime.vector_math import VECTOR_MATH
from s2s.errors import InternalError
from s2s.transforms.ir.program import Equation
from s2s.transforms.primitives.row import Elementwise
from s2s.transforms.primitives.scalar_helpers import HELPERS
from s2s.types import COMPLEX64, FLOAT32, INT32, INT64, Literal

_OPERANDS = frozenset("abcdefgh")


@cache
def free_names(template: str) -> frozenset[str]:
    """The functions that a template calls by bare name."""
    return frozenset(node.id for node in ast.walk(parsed(template)) if isinstance(node, ast.Name)) - _OPERANDS


_WHOLE = {"minimum": "min(a, b)", "maximum": "max(a, b)", "absolute": "abs(a)"}
"""Simpler texts for integers, which are never nan."""


@cache
def repeated(template: str) -> tuple[bool, ...]:
    """For each of a, b, c, …: whether it stands more than once."""
    names = [node.id for node in ast.walk(parsed(template)) if isinstance(node, ast.Name)]
    return tuple(names.count(letter) > 1 for letter in "abcdefgh")


def scalar_template(node: Equation) -> str:
    """The text of one element in a Numba kernel."""
    emission = node.primitive.emission
    assert isinstance(emission, Elementwise), node.primitive
    if node.primitive.name in _WHOLE and node.outs[0].type.dtype.kind == "i":
        return _WHOLE[node.primitive.name]
    is_complex = any(atom.type.dtype.kind == "c" for atom in node.ins)
    return filled(emission.complex if emission.complex and is_complex else emission.scalar, node.params)


def scalar_text(node: Equation, operands: tuple[Expr, ...], module: Module) -> Expr:
    """One element of an elementwise equation in a Numba kernel, of exactly the out's dtype."""
    dtype = node.outs[0].type.dtype
    if (affine := _affine(node, operands)) is not None:
        return affine
    template = scalar_template(node)
    vector = vectorised(template) if node.outs[0].type.shape else template
    need(vector, module)
    result = apply(vector, *operands)
    if vector != template and dtype == FLOAT32:
        return Invoke("np.float32", (result,))
    if dtype in (INT32, COMPLEX64) and not isinstance(result, Number) and not template.startswith("np.int32("):
        return Invoke(f"np.{dtype.name}", (result,))
    return result


@cache
def vectorised(template: str) -> str:
    """The template with functions that loops over arrays can call without leaving vector registers."""
    return re.sub(r"(?<![.\w])(\w+)\(", lambda match: f"array_{match[1]}(" if f"array_{match[1]}" in VECTOR_MATH else match[0], template)


_RAISING = frozenset({"div", "floor_divide", "mod", "left_shift", "right_shift"})
"""What raises for Python's numbers where NumPy's arrays have an inf, a nan or a 0."""


def array_text(node: Equation, operands: tuple[Expr, ...], *, narrow: bool = False) -> Expr:
    """An elementwise equation as a NumPy expression; `narrow`: its operands are numbers that stand for arrays of them."""
    emission = node.primitive.emission
    assert isinstance(emission, Elementwise), node.primitive
    if narrow and node.primitive.name in ("convert", "logical_not"):  # ~False is the number -1
        return apply(filled(emission.scalar, node.params), *operands)
    if any(atom.type.shape for atom in node.ins):
        if narrow and node.primitive.name in _RAISING and isinstance(operands[0], Number):
            operands = (Invoke(dtype_text(node.ins[0].type.dtype), operands[:1]), *operands[1:])
        return apply(filled(emission.array, node.params), *operands)
    if (affine := _affine(node, operands)) is not None:
        return affine
    template = scalar_template(node)
    return apply(template if not free_names(template) - {"np", "min", "max"} else filled(emission.array, node.params), *operands)


def filled(template: str, params: Mapping[str, Any]) -> str:
    """The template with the row's static parameters put in."""
    if not params:
        return template
    values = {key: dtype_text(value) if isinstance(value, np.dtype) else repr(value) for key, value in params.items()}
    return _filled(template, tuple(values.items()))


@cache
def _filled(template: str, values: tuple[tuple[str, str], ...]) -> str:
    by = dict(values)

    class Fill(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.AST:
            return ast.parse(by[node.id], mode="eval").body if node.id in by else node

    return ast.unparse(Fill().visit(ast.parse(template, mode="eval")))


def only_weakened(node: Equation) -> bool:
    """Whether the equation makes a scalar a Python number of the same value: promotion is explicit, so that it changes nothing."""
    (out,) = node.outs
    return node.primitive.name == "convert" and out.type.weak and out.type.dtype == node.ins[0].type.dtype


def _affine(node: Equation, operands: tuple[Expr, ...]) -> Expr | None:
    """Sums of int64 scalars are kept in a normal form."""
    if node.outs[0].type.dtype != INT64 or any(atom.type.dtype != INT64 or atom.type.shape for atom in node.ins):
        return None
    match node.primitive.name:
        case "add":
            return total((operands[0], 1), (operands[1], 1))
        case "sub":
            return total((operands[0], 1), (operands[1], -1))
        case _:
            return None


_BUILTIN = frozenset({"np", "abs", "max", "min", "round", "int", "float", "bool", "complex"})


def need(template: str, module: Module) -> None:
    """Import the functions that a template calls, or copy them into the module."""
    for name in sorted(free_names(template) - _BUILTIN):
        if name in HELPERS or name in VECTOR_MATH:
            module.helpers.setdefault(name)
        elif hasattr(math, name):
            module.imports.add(f"from math import {name}")
        else:
            raise InternalError(f"the text {template!r} calls {name}, which is neither in math nor a scalar helper")


def constant(value: Literal, module: Module) -> Expr:
    """A constant of its dtype for Numba: those that Python's numbers would widen are bound once, at module level."""
    dtype = value.type.dtype
    if dtype not in (FLOAT32, INT32, COMPLEX64):
        return Number.of(_python(value))
    text = Number.of(_python(value)).text
    key = (dtype.name, text)
    if key not in module.constants:
        name = f"{dtype.kind}{dtype.itemsize}_" + text.replace("-", "m").replace(".", "_").replace("+", "").replace("(", "_").replace(")", "").replace(", ", "_")
        module.constants[key] = name.removesuffix("_0") if dtype == FLOAT32 and name.count("_") > 1 else name
        module.names.add(module.constants[key])
    return Name(module.constants[key])


def _python(value: Literal) -> bool | int | float | complex:
    kind = value.type.dtype.kind
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


def helper_text(name: str) -> str:
    """A scalar helper's source, without its type comments, compiled."""
    source = re.sub(r"  # type: ignore\[[^]]*\]", "", inspect.getsource({**HELPERS, **VECTOR_MATH, **RUNTIME}[name]))
    return f'@njit(cache=True, error_model="numpy"{FASTMATH.get(name, "")})\n{source.rstrip()}'


def helper_preludes(module: Module) -> list[str]:
    """Module-level lines that the helpers used need before them."""
    return [BEFORE[name] for name in module.helpers if name in BEFORE]
