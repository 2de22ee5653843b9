"""The text of elementwise rows, put together with operands: names to import, and dtypes that Numba would widen."""
from __future__ import annotations

import ast
import math
from functools import lru_cache

import numpy as np

from s2s.codegen.expressions import Expr, Invoke, Name, Number, apply, parsed, total
from s2s.codegen.lower import Module
from s2s.transforms.primitives.row import Elementwise
from s2s.transforms.program import Equation
from s2s.types import COMPLEX64, FLOAT32, INT32, INT64, Literal

_OPERANDS = frozenset("abcdefgh")


@lru_cache(maxsize=None)
def free_names(template: str) -> frozenset[str]:
    """The functions that a template calls by bare name."""
    return frozenset(node.id for node in ast.walk(parsed(template)) if isinstance(node, ast.Name)) - _OPERANDS


def scalar_text(node: Equation, operands: tuple[Expr, ...], module: Module) -> Expr:
    """One element of an elementwise equation in a Numba kernel, of exactly the out's dtype."""
    emission = node.primitive.emission
    assert isinstance(emission, Elementwise), node.primitive
    dtype = node.outs[0].type.dtype
    if dtype == INT64 and (affine := _affine(node.primitive.name, operands)) is not None and all(atom.type.dtype == INT64 for atom in node.ins):
        return affine
    need(emission.scalar, module)
    result = apply(_filled(emission.scalar, node), *operands)
    return Invoke("np.int32", (result,)) if dtype == INT32 and not isinstance(result, Number) else result


def _filled(template: str, node: Equation) -> str:
    """Static parameters stand in templates as {name}."""
    return template.format(**node.params) if "{" in template else template


def array_text(node: Equation, operands: tuple[Expr, ...], module: Module) -> Expr:
    """An elementwise equation as a NumPy expression."""
    emission = node.primitive.emission
    assert isinstance(emission, Elementwise), node.primitive
    scalar = not any(atom.type.shape for atom in node.ins)
    if scalar and node.outs[0].type.dtype == INT64 and all(atom.type.dtype == INT64 for atom in node.ins):
        affine = _affine(node.primitive.name, operands)
        if affine is not None:
            return affine
    template = emission.scalar if scalar and not free_names(emission.scalar) else emission.array
    return apply(_filled(template, node), *operands)


def _affine(name: str, operands: tuple[Expr, ...]) -> Expr | None:
    match name:
        case "add":
            return total((operands[0], 1), (operands[1], 1))
        case "sub":
            return total((operands[0], 1), (operands[1], -1))
        case _:
            return None


def need(template: str, module: Module) -> None:
    """Import the functions that a template calls, or copy them into the module."""
    for name in sorted(free_names(template)):
        if name in ("np", "abs", "max", "min", "round", "int", "float", "bool", "complex", "True", "False"):
            continue
        helper = module.helper_source(name)
        if helper:
            module.helpers[name] = helper
        elif hasattr(math, name):
            module.imports.add(f"from math import {name}")
        else:
            raise AssertionError(f"template {template!r} calls {name}, which is neither in math nor a scalar helper")


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
