"""s2s.lax's functions of elements for which NumPy has no one function, as plain NumPy. Contracts: those of `jax.lax` (documentation of version 0.10)."""
# mypy: disallow-untyped-calls=False
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def select(pred: Any, on_true: Any, on_false: Any) -> Any:
    """Elements of `on_true` where `pred` holds, of `on_false` elsewhere.

    >>> select(np.array([True, False]), np.array([1.0, 2.0]), np.array([3.0, 4.0]))
    array([1., 4.])
    """
    if np.result_type(pred).kind not in "biu":
        raise TypeError(f"select `which` must be boolean or integer type, got {np.result_type(pred)}.")
    _same_cases(pred, (on_true, on_false))
    return np.where(pred, on_true, on_false)


def _same_cases(which: Any, cases: Any) -> None:
    """TypeError unless all arrays have one shape; what chooses may be one number."""
    for case in cases[1:]:
        if np.shape(case) != np.shape(cases[0]):
            raise TypeError(f"select cases must have the same shapes, got [{np.shape(cases[0])}, {np.shape(case)}].")
    if np.ndim(which) > 0 and np.shape(which) != np.shape(cases[0]):
        raise TypeError(f"select `which` must be scalar or have the same shape as cases, got `which` shape {np.shape(which)} but case shape {np.shape(cases[0])}.")


def select_n(which: Any, *cases: Any) -> Any:
    """Elements of the case whose number `which` says; a bool chooses between two.

    >>> select_n(np.array([0, 2, 1]), np.zeros(3), np.ones(3), np.full(3, 2.0))
    array([0., 2., 1.])
    """
    _same_cases(which, cases)
    chosen = cases[-1]
    for number in reversed(range(len(cases) - 1)):
        chosen = np.where(which <= number, cases[number], chosen)
    return chosen


def clamp(min: Any, x: Any, max: Any) -> Any:
    """x, or the bound that it lies beyond.

    >>> clamp(0.0, np.array([-1.0, 0.5, 2.0]), 1.0)
    array([0. , 0.5, 1. ])
    """
    if np.ndim(min) > 0 and np.shape(min) != np.shape(x):
        raise TypeError(f"clamp requires min.shape == operand.shape or min.shape == (), got min.shape={np.shape(min)}, operand.shape={np.shape(x)}.")
    if np.ndim(max) > 0 and np.shape(max) != np.shape(x):
        raise TypeError(f"clamp requires max.shape == operand.shape or max.shape == (), got max.shape={np.shape(max)}, operand.shape={np.shape(x)}.")
    return np.minimum(np.maximum(x, min), max)


def rsqrt(x: Any) -> Any:
    """1 / sqrt(x).

    >>> rsqrt(np.array([4.0]))
    array([0.5])
    """
    return 1.0 / np.sqrt(x)


def div(x: Any, y: Any) -> Any:
    """x / y; of integers the quotient rounded towards zero.

    >>> div(np.array([-7, 7]), 2), div(np.array([1.0]), 2.0)
    (array([-3,  3]), array([0.5]))
    """
    if np.result_type(x, y).kind in "iub":
        floor = x // y
        return floor + ((floor * y != x) & (floor < 0))
    return x / y


def round_away(x: Any, rounding_method: int = 0) -> Any:
    """x rounded to whole numbers: halves away from zero (0), or to even ones (1).

    >>> round_away(np.array([0.5, 1.5, 2.5, -0.5])), round_away(np.array([0.5, 1.5, 2.5, -0.5]), 1)
    (array([ 1.,  2.,  3., -1.]), array([ 0.,  2.,  2., -0.]))
    """
    if np.asarray(x).dtype.kind != "f":
        raise TypeError(f"round does not accept dtype {np.asarray(x).dtype}. Accepted dtypes are subtypes of floating.")
    if rounding_method == 1:
        return np.round(x)
    whole = np.trunc(x)
    return np.where(np.abs(x - whole) >= 0.5, whole + np.copysign(1.0, x), whole)


def integer_pow(x: Any, y: int) -> Any:
    """x ** y for an integer y that is known when the function is read.

    >>> integer_pow(np.array([2.0, 3.0]), 3)
    array([ 8., 27.])
    """
    if y < 0 and np.asarray(x).dtype.kind in "iub":
        raise TypeError(f"Integers cannot be raised to negative powers, got integer_pow of {np.asarray(x).dtype}, {y}")
    return x**y


def make_complex(x: Any, y: Any) -> Any:
    """x + i y, of any floats: `1j * inf` is nan + inf j.

    >>> make_complex(1.0, np.inf), make_complex(np.array([-0.0]), np.inf)
    ((1+infj), array([-0.+infj]))
    """
    dtype = np.result_type(x, y, np.complex64)
    if np.ndim(x) == 0 and np.ndim(y) == 0:
        one = complex(x, y)
        return dtype.type(one) if isinstance(x, np.generic | np.ndarray) or isinstance(y, np.generic | np.ndarray) else one
    pairs = np.zeros(np.broadcast_shapes(np.shape(x), np.shape(y)), dtype)
    pairs.real = x
    pairs.imag = y
    return pairs


def conj(x: Any) -> Any:
    """The complex conjugate; of real numbers as complex ones.

    >>> conj(np.array([1.0 + 2.0j]))
    array([1.-2.j])
    """
    return np.conjugate(x if np.asarray(x).dtype.kind == "c" else x + 0.0j)


def convert_element_type(operand: Any, new_dtype: Any) -> Any:
    """The elements as `new_dtype`.

    >>> convert_element_type(np.array([1.7]), np.int64)
    array([1])
    """
    return np.asarray(operand).astype(new_dtype)[()]


def identity(operand: Any) -> Any:
    """The operand: there is nothing to hold back.

    >>> identity(2.0)
    2.0
    """
    return operand


EXPORTED: dict[str, Callable[..., Any]] = {function.__name__: function for function in (
    select, select_n, clamp, rsqrt, div, integer_pow, conj, convert_element_type,
)} | {"round": round_away, "complex": make_complex, "optimization_barrier": identity}  # fmt: skip
"""By the names that they have in s2s.lax."""
