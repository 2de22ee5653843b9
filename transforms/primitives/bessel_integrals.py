"""Integrals of Bessel, Airy and Struve functions of order 0, by SciPy's own C. Source: NIST Digital Library of Mathematical Functions, 9.10, 10.22, 10.43 and 11.7."""
from __future__ import annotations

import math

from s2s.transforms.primitives.bessel import airy_ai, airy_bi, i0, j0, k0, modstruve, struve, y0
from s2s.transforms.primitives.conversion import absolute
from s2s.transforms.primitives.families import POSITIVE, REAL, Partials
from s2s.transforms.primitives.hypergeometric import of_numbers
from s2s.transforms.primitives.row import Primitive
from s2s.transforms.primitives.scipy_rows import Loops, rows_of, scipy_row
from s2s.transforms.primitives.value import Value

_TERMS = 8


def _one(name: str, own_name: str, partials: Partials) -> Primitive:
    return scipy_row(name, partials, POSITIVE, own_name=own_name)


def _two(name: str, first: tuple[str, Partials], second: tuple[str, Partials]) -> tuple[Primitive, Primitive]:
    """The rows of a function of two results."""
    return scipy_row(name, first[1], POSITIVE, own_name=first[0], part=0), scipy_row(name, second[1], POSITIVE, own_name=second[0], part=1)


def _gap(zeroth: Primitive, x: Value, sign: float) -> Value:
    """(1 - J0(x)) / x, or with I0 (sign 1) the other way round, by its series near 0."""
    near = absolute(x) < 0.5
    q, held = x * x * 0.25, near.where(1.0, x)
    series = q * 0.0
    for k in range(_TERMS - 1, -1, -1):
        series = series * q + sign**k / math.factorial(k + 1) ** 2
    return near.where(x * 0.25 * series, sign * (zeroth(held) - 1.0) / held)


def _struve_over(x: Value) -> Value:
    """struve(0, x) / x; near 0, where both are, by the first terms of its series."""
    square = x * x
    near = square < 1e-4
    series = ((square * (-1 / 11025) + 1 / 225) * square - 1 / 9) * square + 1.0
    return near.where(series * (2 / math.pi), of_numbers(struve, 0.0, x) / near.where(1.0, x))


def _airy_part(part: int, partials: Partials) -> Primitive:
    return scipy_row("itairy", partials, REAL, own_name=("integral_of_ai", "integral_of_bi", "integral_of_ai_below", "integral_of_bi_below")[part], part=part)


j0_integral, y0_integral = _two("itj0y0", ("integral_of_j0", lambda ans, x: (j0(x),)), ("integral_of_y0", lambda ans, x: (y0(x),)))
i0_integral, k0_integral = _two("iti0k0", ("integral_of_i0", lambda ans, x: (i0(x),)), ("integral_of_k0", lambda ans, x: (k0(x),)))
j0_second, y0_second = _two("it2j0y0", ("second_integral_of_j0", lambda ans, x: (_gap(j0, x, -1.0),)), ("second_integral_of_y0", lambda ans, x: (-(y0(x) / x),)))
i0_second, k0_second = _two("it2i0k0", ("second_integral_of_i0", lambda ans, x: (_gap(i0, x, 1.0),)), ("second_integral_of_k0", lambda ans, x: (-(k0(x) / x),)))
struve_integral = _one("itstruve0", "integral_of_struve", lambda ans, x: (of_numbers(struve, 0.0, x),))
struve_second = _one("it2struve0", "second_integral_of_struve", lambda ans, x: (-_struve_over(x),))
modstruve_integral = _one("itmodstruve0", "integral_of_modstruve", lambda ans, x: (of_numbers(modstruve, 0.0, x),))
ai_integral, bi_integral = _airy_part(0, lambda ans, x: (airy_ai(x),)), _airy_part(1, lambda ans, x: (airy_bi(x),))
ai_below, bi_below = _airy_part(2, lambda ans, x: (airy_ai(-x),)), _airy_part(3, lambda ans, x: (airy_bi(-x),))

BESSEL_INTEGRALS: dict[str, Loops] = {
    "itj0y0": {"d": (j0_integral, y0_integral)}, "iti0k0": {"d": (i0_integral, k0_integral)}, "it2j0y0": {"d": (j0_second, y0_second)}, "it2i0k0": {"d": (i0_second, k0_second)},
    "itairy": {"d": (ai_integral, bi_integral, ai_below, bi_below)}, "itstruve0": struve_integral, "it2struve0": struve_second, "itmodstruve0": modstruve_integral,
}  # fmt: skip
"""By their names in scipy.special."""

ROWS = rows_of(BESSEL_INTEGRALS)
