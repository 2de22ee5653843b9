"""Arithmetic, comparison, choice and rounding: elementwise, formulas once.

Conventions at kinks are JAX's: ties of maximum and minimum split evenly, absolute'(0) = +1; rounding has derivative zero.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.errors import ShapeError
from s2s.transforms.primitives.families import POSITIVE, REAL, Tangent, batch_elementwise, draw, elementwise, result_dtype, same_types
from s2s.transforms.primitives.row import NEW, ZERO, Cost, Elementwise, Primitive, Sample
from s2s.transforms.primitives.traced_order import is_traced_order
from s2s.transforms.primitives.value import Value, Values, or_zeros
from s2s.types import BOOL, Array, Atom

TWO = (REAL, REAL)


def _linear(*signs: int) -> Any:
    """The transpose of sum(sign * operand): each linear operand gets sign * bar."""
    return lambda bars, ins, linear, **_: tuple(bars[0] * sign if is_linear else None for sign, is_linear in zip(signs, linear, strict=True))


def _jvp_mul(dots: tuple[Value | None, ...], ins: Values, outs: Values) -> tuple[Value | None, ...]:
    """A square has one partial: x x gives (x + x) x_dot."""
    (x, y), (x_dot, y_dot) = ins, dots
    traced = is_traced_order()
    if x.atom is y.atom and x_dot is not None and not traced:
        return ((x + x) * x_dot,)
    terms = [x_dot * y if traced else y * x_dot] if x_dot is not None else []
    terms += [x * y_dot] if y_dot is not None else []
    return (terms[0] + terms[1] if len(terms) == 2 else terms[0] if terms else None,)


def _jvp_div(dots: tuple[Value | None, ...], ins: Values, outs: Values) -> tuple[Value | None, ...]:
    """(x_dot - ans y_dot) / y: one division, where two partials would need two."""
    (ans,), (_, y), (x_dot, y_dot) = outs, ins, dots
    if y_dot is None:
        return (None if x_dot is None else x_dot / y,)
    slope = ans * y_dot
    return ((-slope if x_dot is None else x_dot - slope) / y,)


add = elementwise("add", np.add, partials=lambda ans, x, y: (1, 1), array="a + b", scalar="a + b", domains=TWO,
                  transpose=_linear(1, 1), cost=Cost.CHEAP, dtypes="ifc")
sub = elementwise("sub", np.subtract, partials=lambda ans, x, y: (1, -1), array="a - b", scalar="a - b", domains=TWO,
                  transpose=_linear(1, -1), cost=Cost.CHEAP, dtypes="ifc")
neg = elementwise("neg", np.negative, partials=lambda ans, x: (-1,), array="-a", scalar="-a", domains=(REAL,),
                  transpose=_linear(-1), cost=Cost.CHEAP, dtypes="ifc")
mul = elementwise("mul", np.multiply, partials=Tangent(_jvp_mul), array="a * b", scalar="a * b", domains=TWO,
                  transpose=lambda bars, ins, linear: (bars[0] * ins[1], None) if linear[0] else (None, ins[0] * bars[0]),
                  cost=Cost.CHEAP, dtypes="ifc")
div = elementwise("div", np.divide, partials=Tangent(_jvp_div), array="a / b", scalar="a / b",
                  complex_scalar="np.divide(a, b)", domains=(REAL, POSITIVE),
                  transpose=lambda bars, ins, linear: (bars[0] / ins[1], None), cost=Cost.CHEAP)
square = elementwise("square", np.square, partials=lambda ans, x: (2 * x,), array="np.square(a)", scalar="a * a", domains=(REAL,),
                     cost=Cost.CHEAP, dtypes="ifc")
reciprocal = elementwise("reciprocal", np.reciprocal, partials=lambda ans, x: (-(ans * ans),), array="np.reciprocal(a)",
                         scalar="np.reciprocal(a)", domains=(POSITIVE,), cost=Cost.CHEAP)


def _comparison(name: str, evaluate: Any, operator: str, dtypes: str = "bif") -> Primitive:
    return elementwise(name, evaluate, partials=ZERO, array=f"a {operator} b", scalar=f"a {operator} b", domains=TWO,
                       infer=result_dtype(np.bool_), cost=Cost.CHEAP, dtypes=dtypes)


less = _comparison("less", np.less, "<")
less_equal = _comparison("less_equal", np.less_equal, "<=")
greater = _comparison("greater", np.greater, ">")
greater_equal = _comparison("greater_equal", np.greater_equal, ">=")
equal = _comparison("equal", np.equal, "==", "bifc")
not_equal = _comparison("not_equal", np.not_equal, "!=", "bifc")


# ---- choice ---------------------------------------------------------------------------------------------------------


def _infer_select(ins: tuple[Atom, ...]) -> tuple[Array, ...]:
    (result,) = same_types(ins[1:])
    if ins[0].type.strong() != Array(BOOL, result.shape):
        raise ShapeError(f"select by {ins[0].type} between {result} and {result}")
    return (result,)


def _jvp_select(dots: tuple[Value | None, ...], ins: Values, outs: Values) -> tuple[Value | None, ...]:
    if dots[1] is None and dots[2] is None:
        return (None,)
    test, yes, no = ins
    return (select(test, or_zeros(dots[1], yes), or_zeros(dots[2], no)),)


def _transpose_select(bars: Any, ins: Values, linear: tuple[bool, ...]) -> Any:
    (bar,), test = bars, ins[0]
    return None, test.where(bar, 0.0) if linear[1] else None, test.where(0.0, bar) if linear[2] else None


def _select_sample(shape: tuple[int, ...], dtype: type[np.generic]) -> Sample:
    pair = draw(TWO, shape, np.dtype(dtype))
    wrt = (1, 2) if np.dtype(dtype).kind in "fc" else ()
    return Sample(lambda rng: (np.asarray(rng.uniform(0, 1, shape) < 0.5), *pair(rng)), {}, wrt)


select = Primitive(
    name="select", infer=_infer_select, evaluate=np.where, jvp=_jvp_select, transpose=_transpose_select,
    batch=batch_elementwise, cost=Cost.CHEAP, emission=Elementwise("np.where(a, b, c)", "b if a else c"), storage=NEW,
    samples=tuple(_select_sample(shape, dtype) for shape in ((), (5,), (2, 3), (0,)) for dtype in (np.float64, np.complex128, np.int64)),
)
"""select(test, yes, no): all of one shape."""


def _larger(ans: Value, x: Value, y: Value) -> tuple[Value, Value]:
    """1 for the larger operand, 0 for the other, a half each at a tie."""
    half = x.equals(y).where(0.5, x.like(0.0))
    return (x > y).where(1.0, half), (y > x).where(1.0, half)


def _smaller(ans: Value, x: Value, y: Value) -> tuple[Value, Value]:
    half = x.equals(y).where(0.5, x.like(0.0))
    return (x < y).where(1.0, half), (y < x).where(1.0, half)


def _of_the_result(first: Any) -> Any:
    """1 for the operand that is the result, where nan is ignored; as in JAX that is y at a tie, x where both are nan."""

    def partials(ans: Value, x: Value, y: Value) -> tuple[Value, Value]:
        is_x = first(x, y).where(1.0, not_equal(y, y).where(x.like(1.0), x.like(0.0)))
        return is_x, 1 - is_x

    return partials


maximum = elementwise("maximum", np.maximum, partials=_larger, array="np.maximum(a, b)", scalar="a if a > b or a != a else b",
                      domains=TWO, cost=Cost.CHEAP, dtypes="if")
minimum = elementwise("minimum", np.minimum, partials=_smaller, array="np.minimum(a, b)", scalar="a if a < b or a != a else b",
                      domains=TWO, cost=Cost.CHEAP, dtypes="if")
fmax = elementwise("fmax", np.fmax, partials=_of_the_result(greater), array="np.fmax(a, b)", scalar="a if a > b or b != b else b",
                   domains=TWO, cost=Cost.CHEAP, dtypes="if")
fmin = elementwise("fmin", np.fmin, partials=_of_the_result(less), array="np.fmin(a, b)", scalar="a if a < b or b != b else b",
                   domains=TWO, cost=Cost.CHEAP, dtypes="if")


# ---- division with remainder, rounding, sign ------------------------------------------------------------------------

floor_divide = elementwise("floor_divide", np.floor_divide, partials=ZERO, array="a // b", scalar="a // b",
                           domains=(REAL, POSITIVE), cost=Cost.CHEAP, dtypes="if")
mod = elementwise("mod", np.remainder, partials=lambda ans, x, y: (1, -floor_divide(x, y)), array="a % b", scalar="a % b",
                  domains=(REAL, POSITIVE), cost=Cost.CHEAP, dtypes="if")
"""np.remainder: the sign of the divisor."""
fmod = elementwise("fmod", np.fmod, partials=lambda ans, x, y: (1, -trunc(x / y)), array="np.fmod(a, b)", scalar="c_remainder(a, b)",
                   domains=(REAL, POSITIVE), cost=Cost.CHEAP, dtypes="if")
"""C's remainder: the sign of the dividend."""


def _rounding(name: str, evaluate: Any) -> Primitive:
    return elementwise(name, evaluate, partials=ZERO, array=f"np.{name}(a)", scalar=f"np.{name}(a)", domains=(REAL,),
                       cost=Cost.CHEAP, dtypes="f")


floor = _rounding("floor", np.floor)
ceil = _rounding("ceil", np.ceil)
trunc: Primitive = _rounding("trunc", np.trunc)
rint = _rounding("rint", np.rint)
sign = elementwise("sign", np.sign, partials=ZERO, array="np.sign(a)", scalar="abs(a) if a == 0 else np.sign(a)",
                   domains=(REAL,), cost=Cost.CHEAP, dtypes="if")


def _copysign_partials(ans: Value, x: Value, y: Value) -> tuple[Value, None]:
    size = copysign(x.like(1.0), y)
    return (x >= 0.0).where(size, -size), None


copysign = elementwise("copysign", np.copysign, partials=_copysign_partials, array="np.copysign(a, b)", scalar="copysign(a, b)",
                       domains=TWO, cost=Cost.CHEAP, dtypes="f")
heaviside = elementwise("heaviside", np.heaviside, partials=lambda ans, x, y: (None, x.equals(0.0).where(1.0, x.like(0.0))),
                        array="np.heaviside(a, b)", scalar="heaviside(a, b)", domains=TWO, cost=Cost.CHEAP, dtypes="f")
nextafter = elementwise("nextafter", np.nextafter, partials=lambda ans, x, y: (x.like(1.0), None), array="np.nextafter(a, b)", scalar="np.nextafter(a, b)",
                        domains=TWO, cost=Cost.CHEAP, dtypes="f")


def _classify(name: str, evaluate: Any, scalar: str, dtypes: str) -> Primitive:
    return elementwise(name, evaluate, partials=ZERO, array=f"np.{name}(a)", scalar=scalar, complex_scalar=f"np.{name}(a)", domains=(REAL,),
                       infer=result_dtype(np.bool_), cost=Cost.CHEAP, dtypes=dtypes)


isnan = _classify("isnan", np.isnan, "isnan(a)", "fc")
isinf = _classify("isinf", np.isinf, "isinf(a)", "fc")
isfinite = _classify("isfinite", np.isfinite, "isfinite(a)", "fc")
signbit = _classify("signbit", np.signbit, "np.signbit(a)", "f")

ROWS: tuple[Primitive, ...] = (
    add, sub, neg, mul, div, square, reciprocal, less, less_equal, greater, greater_equal, equal, not_equal, select, maximum, minimum,
    fmax, fmin, floor_divide, mod, fmod, floor, ceil, trunc, rint, sign, copysign, heaviside, nextafter, isnan, isinf, isfinite, signbit,
)
