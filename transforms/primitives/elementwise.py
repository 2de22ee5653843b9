"""The functions of calculus: each in one line, its derivative from the result and the operands.

At kinks as JAX: sqrt'(0) = inf, d(x**0)/dx = 0, d(0**y)/dy = 0. Derivatives of complex ones are complex (holomorphic).
"""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2s.errors import ArgumentValueError
from s2s.transforms.primitives.arithmetic import square
from s2s.transforms.primitives.families import POSITIVE, REAL, Domain, Over, elementwise, same_types
from s2s.transforms.primitives.row import Primitive
from s2s.transforms.primitives.traced_order import is_traced_order
from s2s.transforms.primitives.value import Number, Value
from s2s.types import Array, Atom, is_integer

UNIT: Domain = (-0.9, 0.9)
LN2, LN10 = math.log(2.0), math.log(10.0)


def _one_less(x: Value) -> Value:
    """1 - x; of complex numbers with the sign of a zero imaginary part (1 - 0j has lost it), which says on which side of a root's cut they lie."""
    return -(x - 1) if x.dtype.kind == "c" else 1 - x


def _one_more(x: Value) -> Value:
    """x + 1, as `_one_less`."""
    return x - (-1) if x.dtype.kind == "c" else x + 1


def _unary(evaluate: Any, partial: Any, scalar: str, domain: Domain = REAL, dtypes: str = "fc", complex_scalar: str = "") -> Primitive:
    """A row for NumPy's function of the same name; `scalar` names `math`'s, `complex_scalar` one of `scalar_helpers`, where Numba's own of complex numbers is not NumPy's."""
    name = evaluate.__name__
    return elementwise(name, evaluate, partials=lambda ans, x: (partial(ans, x),), array=f"np.{name}(a)", scalar=f"{scalar}(a)",
                       complex_scalar=f"{complex_scalar or f'np.{name}'}(a)", domains=(domain,), dtypes=dtypes)


exp = _unary(np.exp, lambda ans, x: ans, "exp")
exp2 = _unary(np.exp2, lambda ans, x: ans * LN2, "exp2")
expm1 = _unary(np.expm1, lambda ans, x: ans + 1, "expm1", complex_scalar="complex_exp_less_one")
log = _unary(np.log, lambda ans, x: Over(x), "log", POSITIVE)
log2 = _unary(np.log2, lambda ans, x: Over(x * LN2), "log2", POSITIVE)
log10 = _unary(np.log10, lambda ans, x: Over(x * LN10), "log10", POSITIVE)
log1p = _unary(np.log1p, lambda ans, x: Over(x + 1), "log1p", POSITIVE)
sqrt = _unary(np.sqrt, lambda ans, x: Over(2 * ans), "sqrt", POSITIVE)
half_power = elementwise("half_power", lambda x: np.sqrt(np.where(x == -np.inf, np.inf, x)) + 0.0, partials=lambda ans, x: (Over(2 * ans),),
                         array="np.sqrt(np.where(a == -np.inf, np.inf, a)) + 0.0", scalar="a ** 0.5", domains=(POSITIVE,), dtypes="f")
"""x ** 0.5 of a number, as C's pow has it: inf at -inf and 0.0 at -0.0, where the square root is nan and -0.0."""
cbrt = _unary(np.cbrt, lambda ans, x: Over(3 * (ans * ans)), "np.cbrt", dtypes="f")

sin = _unary(np.sin, lambda ans, x: cos(x), "sin")
cos: Primitive = _unary(np.cos, lambda ans, x: -sin(x), "cos")
tan = _unary(np.tan, lambda ans, x: ans * ans + 1, "tan", UNIT)
arcsin = _unary(np.arcsin, lambda ans, x: Over(sqrt(_one_less(x * x))), "asin", UNIT)
arccos = _unary(np.arccos, lambda ans, x: Over(-sqrt(_one_less(x * x))), "acos", UNIT)
arctan = _unary(np.arctan, lambda ans, x: Over(x * x + 1), "atan", UNIT)
sinh = _unary(np.sinh, lambda ans, x: cosh(x), "sinh")
cosh: Primitive = _unary(np.cosh, lambda ans, x: sinh(x), "cosh")
tanh = _unary(np.tanh, lambda ans, x: 1 - ans * ans, "tanh", complex_scalar="complex_tanh")
arcsinh = _unary(np.arcsinh, lambda ans, x: Over(sqrt(_one_more(x * x))), "asinh", UNIT)
arccosh = _unary(np.arccosh, lambda ans, x: Over(sqrt(x - 1) * sqrt(_one_more(x))), "acosh", (1.1, 3.0), complex_scalar="complex_arccosh")
arctanh = _unary(np.arctanh, lambda ans, x: Over(1 - x * x), "atanh", UNIT)


def _arctan2_partials(ans: Value, y: Value, x: Value) -> tuple[Value, Value]:
    size = x * x + y * y
    return x / size, -y / size


def _hypot_partials(ans: Value, x: Value, y: Value) -> tuple[Value, Value]:
    """The direction; zero at the origin."""
    size = ans.equals(0.0).where(1.0, ans)
    return x / size, y / size


arctan2 = elementwise("arctan2", np.arctan2, partials=_arctan2_partials, array="np.arctan2(a, b)", scalar="atan2(a, b)",
                      domains=(REAL, POSITIVE), dtypes="f")
hypot = elementwise("hypot", np.hypot, partials=_hypot_partials, array="np.hypot(a, b)", scalar="hypot(a, b)",
                    domains=(REAL, POSITIVE), dtypes="f")


def _share(ans: Value, x: Value) -> Value:
    """x - ans, 0 at inf (not inf - inf). At -inf, where all operands are -inf, it is nan, as in JAX: no share is right there."""
    return x.equals(math.inf).where(0.0, x - ans)


logaddexp = elementwise("logaddexp", np.logaddexp, partials=lambda ans, x, y: (exp(_share(ans, x)), exp(_share(ans, y))),
                        array="np.logaddexp(a, b)", scalar="added_logarithms(a, b)", domains=(REAL, REAL), dtypes="f")
logaddexp2 = elementwise("logaddexp2", np.logaddexp2, partials=lambda ans, x, y: (exp2(_share(ans, x)), exp2(_share(ans, y))),
                         array="np.logaddexp2(a, b)", scalar="added_binary_logarithms(a, b)", domains=(REAL, REAL), dtypes="f")


# ---- powers ---------------------------------------------------------------------------------------------------------


def _power_partials(ans: Value, x: Value, y: Value) -> tuple[Value, Value]:
    none = y.equals(0.0)
    return none.where(0.0, y * power(x, none.where(1.0, y) - 1)), log(x.equals(0.0).where(1.0, x)) * ans


power = elementwise("power", np.power, partials=_power_partials, array="a ** b", scalar="a ** b",
                    complex_scalar="complex_power(a, b)", domains=(POSITIVE, (0.5, 2.0)), dtypes="ifc")
"""power(x, y): x ** y. Of integers: y >= 0 (the reader adds the check: NumPy raises ValueError)."""


def _static_power_partials(ans: Value, x: Value, *, exponent: float) -> tuple[Value | Number | None]:
    return (exponent * static_power(x, exponent - 1),) if exponent else (None,)


def static_power(x: Value, exponent: float) -> Value:
    """x ** exponent, in its shortest form."""
    if exponent == 0:
        return x.like(1)
    if exponent == 1:
        return x
    if exponent == 2 and not is_traced_order():
        return square(x)
    if exponent == 0.5 and x.dtype.kind in "fc":
        return sqrt(x)
    return power_to(x, exponent=exponent)


def _infer_power_to(ins: tuple[Atom, ...], *, exponent: float) -> tuple[Array, ...]:
    if is_integer(ins[0].type.dtype) and (exponent < 0 or not isinstance(exponent, int)):
        raise ArgumentValueError("Integers to negative integer powers are not allowed.")
    return same_types(ins)


power_to = elementwise("power_to", lambda x, *, exponent: np.asarray(x) ** exponent, partials=_static_power_partials,
                       array="a ** exponent", scalar="a ** exponent", domains=(POSITIVE,), infer=_infer_power_to, dtypes="ifc",
                       params=({"exponent": 3}, {"exponent": 4}))
"""power_to(x; exponent): x ** exponent for a Python number; of integers a non-negative int."""

ROWS: tuple[Primitive, ...] = (
    exp, exp2, expm1, log, log2, log10, log1p, sqrt, half_power, cbrt, sin, cos, tan, arcsin, arccos, arctan, sinh, cosh, tanh, arcsinh, arccosh,
    arctanh, arctan2, hypot, logaddexp, logaddexp2, power, power_to,
)
