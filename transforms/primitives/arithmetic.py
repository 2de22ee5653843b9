"""Arithmetic, comparison, logic, choice and conversion: elementwise, formulas once."""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.primitives.families import POSITIVE, REAL, batch_elementwise, elementwise, result_dtype, same_types
from s2s.transforms.primitives.row import ZERO, Cost, Elementwise, Primitive, Values
from s2s.transforms.primitives.value import Value, zeros
from s2s.types import BOOL, Array, Atom

TWO = (REAL, REAL)


def _linear(*signs: int) -> Any:
    """The transpose of sum(sign * operand): each linear operand gets sign * bar."""
    return lambda bars, ins, linear, **_: tuple(bars[0] * sign if is_linear else None for sign, is_linear in zip(signs, linear, strict=True))


add = elementwise("add", np.add, partials=lambda ans, x, y: (1, 1), array="a + b", scalar="a + b", domains=TWO,
                  transpose=_linear(1, 1), cost=Cost.CHEAP, dtypes="ifc")
sub = elementwise("sub", np.subtract, partials=lambda ans, x, y: (1, -1), array="a - b", scalar="a - b", domains=TWO,
                  transpose=_linear(1, -1), cost=Cost.CHEAP, dtypes="ifc")
neg = elementwise("neg", np.negative, partials=lambda ans, x: (-1,), array="-a", scalar="-a", domains=(REAL,),
                  transpose=_linear(-1), cost=Cost.CHEAP, dtypes="ifc")
mul = elementwise("mul", np.multiply, partials=lambda ans, x, y: (y, x), array="a * b", scalar="a * b", domains=TWO,
                  transpose=lambda bars, ins, linear: (bars[0] * ins[1], None) if linear[0] else (None, ins[0] * bars[0]),
                  cost=Cost.CHEAP, dtypes="ifc")
div = elementwise("div", np.divide, partials=lambda ans, x, y: (1 / y, -ans / y), array="a / b", scalar="a / b",
                  domains=(REAL, POSITIVE), transpose=lambda bars, ins, linear: (bars[0] / ins[1], None), cost=Cost.CHEAP)


def _comparison(name: str, evaluate: Any, operator: str, dtypes: str = "if") -> Primitive:
    return elementwise(name, evaluate, partials=ZERO, array=f"a {operator} b", scalar=f"a {operator} b", domains=TWO,
                       infer=result_dtype(np.bool_), cost=Cost.CHEAP, dtypes=dtypes)


less = _comparison("less", np.less, "<")
less_equal = _comparison("less_equal", np.less_equal, "<=")
greater = _comparison("greater", np.greater, ">")
greater_equal = _comparison("greater_equal", np.greater_equal, ">=")
equal = _comparison("equal", np.equal, "==", "bifc")
not_equal = _comparison("not_equal", np.not_equal, "!=", "bifc")


def _infer_select(ins: tuple[Atom, ...]) -> tuple[Array, ...]:
    (result,) = same_types(ins[1:])
    assert ins[0].type == Array(BOOL, result.shape), (ins[0].type, result)
    return (result,)


def _jvp_select(dots: tuple[Value | None, ...], ins: Values, outs: Values) -> tuple[Value | None, ...]:
    if dots[1] is None and dots[2] is None:
        return (None,)
    test, yes, no = ins
    return (select(test, dots[1] or zeros(test.builder, yes.type), dots[2] or zeros(test.builder, no.type)),)


def _transpose_select(bars: Any, ins: Values, linear: tuple[bool, ...]) -> Any:
    (bar,), test = bars, ins[0]
    return None, test.where(bar, 0.0) if linear[1] else None, test.where(0.0, bar) if linear[2] else None


select = Primitive(
    name="select", infer=_infer_select, evaluate=np.where, jvp=_jvp_select, transpose=_transpose_select,
    batch=batch_elementwise, cost=Cost.CHEAP, emission=Elementwise("np.where(a, b, c)", "b if a else c"), samples=(),
)

def _tie(ans: Value, x: Value, y: Value) -> tuple[Value, Value]:
    """1 for the operand that won, 0 for the other, a half each at a tie (JAX's convention)."""
    half = x.equals(y).where(0.5, x.like(0.0))
    return x.equals(ans).where(1.0, x.like(0.0)) - half, y.equals(ans).where(1.0, x.like(0.0)) - half


maximum = elementwise("maximum", np.maximum, partials=_tie, array="np.maximum(a, b)", scalar="max(a, b)", domains=TWO,
                      cost=Cost.CHEAP, dtypes="if")
minimum = elementwise("minimum", np.minimum, partials=_tie, array="np.minimum(a, b)", scalar="min(a, b)", domains=TWO,
                      cost=Cost.CHEAP, dtypes="if")
floor_divide = elementwise("floor_divide", np.floor_divide, partials=ZERO, array="a // b", scalar="a // b",
                           domains=(REAL, POSITIVE), cost=Cost.CHEAP, dtypes="if")

ROWS = (maximum, minimum, floor_divide, add, sub, neg, mul, div, less, less_equal, greater, greater_equal, equal, not_equal, select)
