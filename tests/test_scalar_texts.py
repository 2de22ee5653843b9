"""The scalar texts of the elementwise rows, compiled by Numba, against NumPy, at ordinary and at extreme values.

All rows of a dtype are compiled in one function: that takes about a second for each dtype.
"""
from __future__ import annotations

import ast
import inspect
import math
from typing import Any

import numba
import numpy as np
import pytest

from s2s.codegen.runtime import halves  # noqa: F401 (Numba is told of float16, which texts convert to)
from s2s.transforms.primitives.row import Elementwise, Primitive
from s2s.transforms.primitives.scalar_helpers import HELPERS
from s2s.transforms.primitives.scipy_functions import C_FUNCTIONS
from s2s.transforms.primitives.table import TABLE

FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, -0.3, 2.0, -2.5, 3.0, 7.25, 1e-3, 30.0, -30.0, np.inf, -np.inf, np.nan]
COMPLEX = [0j, 0.5 + 0.25j, -1.5 + 2j, 1j, 2.0 + 0j, -0.7 - 0.1j, 3 - 4j]
INTEGERS = [0, 1, -1, 2, 3, -7, 12, 40, 1000]
VALUES = {
    "f8": np.array(FLOATS), "f4": np.array(FLOATS, np.float32), "c16": np.array(COMPLEX), "c8": np.array(COMPLEX, np.complex64),
    "i8": np.array(INTEGERS), "i4": np.array(INTEGERS, np.int32), "b1": np.array([True, False]),
}
EITHER_ZERO = {"maximum", "minimum", "fmax", "fmin"}
"""Rows whose result NumPy leaves open when both operands are zeros of different signs."""


def rows(kind: str) -> list[Primitive]:
    """The elementwise rows that take operands of this kind and need only texts over a, b; not those that see bits as floats, which no line of integers holds."""
    found = []
    for row in TABLE:
        if isinstance(row.emission, Elementwise) and row.name not in ("select", "convert", "complex_", "double_of_bits", "single_of_bits", "half_of_bits"):
            kinds = {np.asarray(sample.make(np.random.default_rng(0))[0]).dtype.kind for sample in row.samples}
            text = row.emission.complex if kind == "c" and row.emission.complex else row.emission.scalar
            if kind in kinds and not any(name in text for name in (*C_FUNCTIONS, "lambert_w", "zeta_slope")):  # SciPy's own functions
                found.append(row)
    return found


def text_of(row: Primitive, kind: str) -> str:
    """The text, with static parameters put in."""
    assert isinstance(row.emission, Elementwise)
    text = row.emission.complex if kind == "c" and row.emission.complex else row.emission.scalar
    for name, value in row.samples[0].params.items():
        text = text.replace(name, repr(value))
    return text


def compiled(kind: str, dtype: np.dtype) -> Any:
    """A function that writes each row's result for a pair of operands into its line of `out`."""
    lines = ["def run(first, second, out):", "    for k in range(len(first)):", "        a, b = first[k], second[k]"]
    for number, row in enumerate(rows(kind)):
        lines.append(f"        out[{number}, k] = {text_of(row, kind)}")
    names: dict[str, Any] = {name: getattr(math, name) for name in dir(math)} | {"np": np}
    for helper in HELPERS.values():
        source = inspect.getsource(helper)
        ast.parse(source)
        namespace: dict[str, Any] = {"np": np}
        exec(source, namespace)
        names[helper.__name__] = numba.njit(error_model="numpy")(namespace[helper.__name__])
    exec("\n".join(lines), names)
    return numba.njit(error_model="numpy")(names["run"])


@pytest.mark.parametrize("name", VALUES)
def test_scalar_texts(name: str) -> None:
    values = VALUES[name]
    kind = values.dtype.kind
    first, second = (np.ravel(grid).copy() for grid in np.meshgrid(values, values, indexing="ij"))
    out = np.zeros((len(rows(kind)), len(first)), {"f": np.float64, "c": np.complex128, "i": np.int64, "b": np.bool_}[kind])
    compiled(kind, values.dtype)(first, second, out)
    for row, found in zip(rows(kind), out, strict=True):
        operands = [first, second][: len(row.samples[0].make(np.random.default_rng(0)))]
        keep = np.ones(len(first), bool)
        if row.name in ("power", "left_shift", "right_shift") and kind == "i":
            keep = (second >= 0) & (second < 20)
        operands = [operand[keep] for operand in operands]
        with np.errstate(all="ignore"):
            wanted = row.evaluate(*operands, **row.samples[0].params)
        kept = found[keep] if wanted.dtype.kind == "c" else found[keep].real
        with np.errstate(all="ignore"):
            narrowed = kept.astype(wanted.dtype)
        check(row, operands, narrowed, wanted)


def check(row: Primitive, operands: list[Any], found: Any, wanted: Any) -> None:
    tolerance = 0.0 if wanted.dtype.kind in "ib" else 4e-6 if wanted.dtype.itemsize == (8 if wanted.dtype.kind == "c" else 4) else 4e-15
    same = np.isclose(found, wanted, rtol=tolerance, atol=0 if wanted.dtype.kind in "ib" else 1e-300, equal_nan=True)
    if wanted.dtype.kind == "c":
        with np.errstate(all="ignore"):
            same |= np.abs(found - wanted) <= 10 * tolerance * np.abs(wanted)
    if wanted.dtype.kind == "f" and row.name not in EITHER_ZERO:
        same &= np.isnan(wanted) | (np.signbit(found) == np.signbit(wanted))
    wrong = np.flatnonzero(~same)
    where = [tuple(operand[k] for operand in operands) for k in wrong[:8]]
    assert not len(wrong), f"{row.name} differs at {where}: {found[wrong[:8]]} instead of {wanted[wrong[:8]]}"
