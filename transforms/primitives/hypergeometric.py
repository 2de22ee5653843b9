"""Hypergeometric functions, and what is made of them: elliptic integrals and functions, orthogonal polynomials. By SciPy's own C.

Derivatives are functions of neighbouring parameters, which lose no digits anywhere; those with respect to parameters are refused where there is no formula.
Source of the formulas: NIST Digital Library of Mathematical Functions, chapters 13 to 19; B. C. Carlson, "Numerical computation of real or complex elliptic
integrals", 1995.
"""
from __future__ import annotations

import math
from collections.abc import Callable

from s2s.transforms.primitives.arithmetic import rint
from s2s.transforms.primitives.conversion import convert
from s2s.transforms.primitives.elementwise import cos, sin, sqrt
from s2s.transforms.primitives.families import POSITIVE, REAL, Domain, Missing
from s2s.transforms.primitives.row import Primitive
from s2s.transforms.primitives.scipy_rows import Loops, before, missing, rows_of, scipy_row, unknown
from s2s.transforms.primitives.special import INSIDE
from s2s.transforms.primitives.value import Value

WHOLE: Domain = (0.0, 4.0)
BEYOND: Domain = (1.1, 2.9)
UNIT: Domain = (-0.9, 0.9)
_PARAMETER = "its parameters"

# ---- hypergeometric ---------------------------------------------------------------------------------------------------------


def _hypergeometric(name: str, rate: Callable[..., Value], *parameters: Domain, of: Domain = REAL, takes: str = "") -> Primitive:
    """f' = rate(parameters) f(parameters + 1)."""
    count = len(parameters)

    def partials(ans: Value, *ins: Value) -> tuple[Missing | Value, ...]:
        given, x = ins[:count], ins[count]
        return (*(missing(_PARAMETER, name) for _ in given), _as(x, rate(*given)) * row(*(each + 1 for each in given), x))

    own = f"complex_{name}" if takes.endswith("D") else name
    row: Primitive = scipy_row(name, partials, *parameters, of, own_name=own, only=(count,), takes=takes)
    return row


def _as(x: Value, number: Value) -> Value:
    return number if number.dtype == x.dtype else convert(number, dtype=x.dtype)


def _two_over_one(a: Value, b: Value, c: Value) -> Value:
    return a * b / c


hyp0f1 = _hypergeometric("hyp0f1", lambda b: 1.0 / b, POSITIVE)
hyp1f1 = _hypergeometric("hyp1f1", lambda a, b: a / b, POSITIVE, POSITIVE)
hyp2f1 = _hypergeometric("hyp2f1", _two_over_one, POSITIVE, POSITIVE, BEYOND, of=(-0.9, 0.5))
hyperu = _hypergeometric("hyperu", lambda a, b: -a, POSITIVE, POSITIVE, of=POSITIVE)
complex_hyp0f1 = _hypergeometric("hyp0f1", lambda b: 1.0 / b, POSITIVE, takes="dD")
complex_hyp1f1 = _hypergeometric("hyp1f1", lambda a, b: a / b, POSITIVE, POSITIVE, takes="ddD")
complex_hyp2f1 = _hypergeometric("hyp2f1", _two_over_one, POSITIVE, POSITIVE, BEYOND, of=(-0.5, 0.5), takes="dddD")


def of_numbers(row: Primitive, *operands: float | Value) -> Value:
    """A function of a Value and of numbers as parameters."""
    of = next(each for each in operands if isinstance(each, Value))
    return row(*(each if isinstance(each, Value) else of.like(each) for each in operands))


# ---- elliptic integrals -------------------------------------------------------------------------------------------------------


def _rf_partials(ans: Value, x: Value, y: Value, z: Value) -> tuple[Value, Value, Value]:
    return elliprd(y, z, x) / -6.0, elliprd(x, z, y) / -6.0, elliprd(x, y, z) / -6.0


elliprd = scipy_row("elliprd", unknown("elliprd"), POSITIVE, POSITIVE, POSITIVE)
elliprg = scipy_row("elliprg", unknown("elliprg"), POSITIVE, POSITIVE, POSITIVE)
elliprj = scipy_row("elliprj", unknown("elliprj"), POSITIVE, POSITIVE, POSITIVE, POSITIVE)
elliprf = scipy_row("elliprf", _rf_partials, POSITIVE, POSITIVE, POSITIVE)
def _rc_partials(ans: Value, x: Value, y: Value) -> tuple[Value, Value]:
    """By R_D; of a negative y (the principal value) in closed form."""
    below = y < 0
    whole, under = below.where(1.0, y), below.where(y, -1.0)
    first = (ans - 1 / sqrt(x)) / (2 * (under - x))
    return below.where(first, elliprd(whole, whole, x) / -6.0), below.where((ans * -0.5 - x * first) / under, elliprd(x, whole, whole) / -3.0)


elliprc = scipy_row("elliprc", _rc_partials, POSITIVE, POSITIVE)
ellipk = scipy_row("ellipk", lambda ans, m: (math.pi / 8 * of_numbers(hyp2f1, 1.5, 1.5, 2.0, m),), INSIDE)
ellipe = scipy_row("ellipe", lambda ans, m: (-math.pi / 8 * of_numbers(hyp2f1, 0.5, 1.5, 2.0, m),), INSIDE)
ellipkm1 = scipy_row("ellipkm1", lambda ans, p: (_of_rest(ans, p),), INSIDE)


def _of_rest(ans: Value, p: Value) -> Value:
    """-K'(1 - p), of a small p by Legendre's relation."""
    small = p < 0.5
    near = small.where(p, 0.5)
    return small.where((ellipe(1 - near) - near * ans) / (2 * near * (near - 1)), -math.pi / 8 * of_numbers(hyp2f1, 1.5, 1.5, 2.0, 1 - p))


def _between(phi: Value, m: Value) -> Value:
    """(F - E) / m of an angle, the integral of sin² / sqrt(1 - m sin²): whole half turns, and the rest by Carlson's R_D."""
    turns = rint(phi / math.pi)
    rest = phi - math.pi * turns
    sine, cosine = sin(rest), cos(rest)
    of_turns = turns.equals(0).where(0.0, turns * (2 / 3) * of_numbers(elliprd, 0.0, 1 - m, 1.0))
    return of_turns + sine * sine * sine / 3.0 * of_numbers(elliprd, cosine * cosine, 1 - m * (sine * sine), 1.0)


def _root(phi: Value, m: Value) -> Value:
    sine = sin(phi)
    return sqrt(1 - m * (sine * sine))


def _first_partials(ans: Value, phi: Value, m: Value) -> tuple[Value, Value]:
    root = _root(phi, m)
    return 1.0 / root, (ans - _between(phi, m) - sin(phi) * cos(phi) / root) / (2 * (1 - m))


def _agm_partials(ans: Value, a: Value, b: Value) -> tuple[Value, Value]:
    """By agm(a, b) = pi / 4 (a + b) / K(((a - b) / (a + b))²)."""
    total = a + b
    ratio = (a - b) / total
    of_modulus = ans / ellipk(ratio * ratio) * (math.pi / 2 * ratio) * of_numbers(hyp2f1, 1.5, 1.5, 2.0, ratio * ratio) / (total * total)
    none = b.equals(b.like(0))  # agm(a, 0) is 0 for all a
    return ans / total - none.where(0.0, of_modulus * b), ans / total + of_modulus * a


ellipkinc = scipy_row("ellipkinc", _first_partials, REAL, INSIDE)
ellipeinc = scipy_row("ellipeinc", lambda ans, phi, m: (_root(phi, m), -0.5 * _between(phi, m)), REAL, INSIDE)
agm = scipy_row("agm", _agm_partials, POSITIVE, POSITIVE, own_name="arithmetic_geometric_mean")

# ---- Jacobi's elliptic functions ------------------------------------------------------------------------------------------------


def _jacobi(part: int, own_name: str, slopes: Callable[..., tuple[Value, Value]]) -> Primitive:
    """`slopes(sn, cn, dn, m)`: how it changes with the amplitude, and with m where the amplitude does not change."""

    def partials(ans: Value, u: Value, m: Value) -> tuple[Value, Value]:
        sn, cn, dn, phi = (row(u, m) for row in (jacobi_sn, jacobi_cn, jacobi_dn, jacobi_amplitude))
        by_amplitude, by_modulus = slopes(sn, cn, dn, m)
        moved = -dn * (u - _between(phi, m) - sn * cn / dn) / (2 * (1 - m))
        return by_amplitude * dn, by_modulus + by_amplitude * moved

    return scipy_row("ellipj", partials, REAL, INSIDE, own_name=own_name, part=part)


jacobi_sn: Primitive = _jacobi(0, "jacobi_sn", lambda sn, cn, dn, m: (cn, m.like(0.0)))
jacobi_cn: Primitive = _jacobi(1, "jacobi_cn", lambda sn, cn, dn, m: (-sn, m.like(0.0)))
jacobi_dn: Primitive = _jacobi(2, "jacobi_dn", lambda sn, cn, dn, m: (-(m * sn * cn) / dn, -0.5 * sn * sn / dn))
jacobi_amplitude: Primitive = _jacobi(3, "jacobi_amplitude", lambda sn, cn, dn, m: (m.like(1.0), m.like(0.0)))

# ---- orthogonal polynomials -------------------------------------------------------------------------------------------------------


def _polynomial(name: str, slope: Callable[..., Value], *parameters: Domain, takes: str = "l", of: Domain = UNIT) -> Primitive:
    """`slope(n, n as a float, *parameters, x)`; takes: "l", or "d" for functions of degrees that are no integers."""
    count = len(parameters) + 1
    own = name if takes == "l" else f"real_{name}"

    def partials(ans: Value, n: Value, *ins: Value) -> tuple[Missing | Value | None, ...]:
        degree = None if takes == "l" else missing("its degree", name)
        return (degree, *(missing(_PARAMETER, name) for _ in parameters), slope(n, convert(n, dtype=ins[-1].dtype) if takes == "l" else n, *ins))

    return scipy_row(name, partials, WHOLE if takes == "l" else BEYOND, *parameters, of, own_name=own, only=(count,), takes=takes + "d" * count)


def _both(name: str, slope: Callable[..., Callable[..., Value]], *parameters: Domain, of: Domain = UNIT) -> tuple[Primitive, Primitive]:
    """The rows for degrees that are integers, and for others; `slope(kind)` with the polynomials of degrees of that kind: the first or the second ones."""
    whole, real = (_polynomial(name, slope(kind), *parameters, takes=letter, of=of) for kind, letter in enumerate("ld"))
    return whole, real


def _lower(row: Primitive, n: Value, *rest: Value) -> Value:
    """The polynomial of the degree before; 0 of degree 0."""
    is_least = n.equals(0)
    return is_least.where(0.0, row(is_least.where(1, n) - 1, *rest))


def _gegenbauer(kind: int, n: Value, alpha: float, x: Value) -> Value:
    return _lower((eval_gegenbauer, real_eval_gegenbauer)[kind], n, x.like(alpha), x)


def _legendre(kind: int, n: Value, x: Value) -> Value:
    """The derivative: that of degree -n - 1, too."""
    return _gegenbauer(kind, (n < 0).where(-n - 1, n), 1.5, x)


def _second_kind(kind: int, n: Value, x: Value) -> Value:
    """Half of the derivative of Chebyshev's polynomial of the second kind: minus that of degree -n - 2."""
    is_below = n < 0
    return is_below.where(-1.0, x.like(1.0)) * _gegenbauer(kind, is_below.where(-n - 2, n), 2.0, x)


def _gegenbauer_slope(kind: int) -> Callable[..., Value]:
    return lambda n, degree, alpha, x: 2 * alpha * _lower((eval_gegenbauer, real_eval_gegenbauer)[kind], n, alpha + 1, x)


def _laguerre_slope(kind: int) -> Callable[..., Value]:
    return lambda n, degree, alpha, x: -_lower((eval_genlaguerre, real_eval_genlaguerre)[kind], n, alpha + 1, x)


def _jacobi_slope(kind: int) -> Callable[..., Value]:
    return lambda n, degree, a, b, x: 0.5 * (degree + a + b + 1) * _lower((eval_jacobi, real_eval_jacobi)[kind], n, a + 1, b + 1, x)


eval_gegenbauer, real_eval_gegenbauer = _both("eval_gegenbauer", _gegenbauer_slope, POSITIVE)
eval_genlaguerre, real_eval_genlaguerre = _both("eval_genlaguerre", _laguerre_slope, POSITIVE)
eval_jacobi, real_eval_jacobi = _both("eval_jacobi", _jacobi_slope, POSITIVE, POSITIVE)
eval_legendre, real_eval_legendre = _both("eval_legendre", lambda kind: lambda n, degree, x: _legendre(kind, n, x))
eval_sh_legendre, real_eval_sh_legendre = _both("eval_sh_legendre", lambda kind: lambda n, degree, x: 2 * _legendre(kind, n, 2 * x - 1), of=INSIDE)
eval_laguerre, real_eval_laguerre = _both("eval_laguerre", lambda kind: lambda n, degree, x: -_lower((eval_genlaguerre, real_eval_genlaguerre)[kind], n, x.like(1.0), x))
eval_chebyu, real_eval_chebyu = _both("eval_chebyu", lambda kind: lambda n, degree, x: 2 * _second_kind(kind, n, x))
eval_chebyt, real_eval_chebyt = _both("eval_chebyt", lambda kind: lambda n, degree, x: degree * (eval_chebyu, real_eval_chebyu)[kind](n - 1, x))
eval_chebys, real_eval_chebys = _both("eval_chebys", lambda kind: lambda n, degree, x: _second_kind(kind, n, 0.5 * x))
eval_chebyc, real_eval_chebyc = _both("eval_chebyc", lambda kind: lambda n, degree, x: degree * (eval_chebys, real_eval_chebys)[kind](n - 1, x))
eval_sh_chebyu, real_eval_sh_chebyu = _both("eval_sh_chebyu", lambda kind: lambda n, degree, x: 4 * _second_kind(kind, n, 2 * x - 1), of=INSIDE)
eval_sh_chebyt, real_eval_sh_chebyt = _both("eval_sh_chebyt", lambda kind: lambda n, degree, x: 2 * degree * (eval_sh_chebyu, real_eval_sh_chebyu)[kind](n - 1, x), of=INSIDE)
eval_hermite: Primitive = _polynomial("eval_hermite", lambda n, degree, x: 2 * degree * eval_hermite(before(n), x))
eval_hermitenorm: Primitive = _polynomial("eval_hermitenorm", lambda n, degree, x: degree * eval_hermitenorm(before(n), x))


def _lpmv_partials(ans: Value, m: Value, v: Value, x: Value) -> tuple[Missing, Missing, Value]:
    return missing("its order", "lpmv"), missing("its degree", "lpmv"), (v * x * ans - (v + m) * lpmv(m, v - 1, x)) / (x * x - 1)


lpmv: Primitive = scipy_row("lpmv", _lpmv_partials, (0.0, 0.0), (1.5, 2.9), UNIT, only=(2,))


def _by_degree(whole: Primitive, real: Primitive, operands: int = 2) -> dict[str, Primitive]:
    """By what they take."""
    return {letter + "d" * (operands - 1): row for letter, row in (("l", whole), ("d", real))}


HYPERGEOMETRIC: dict[str, Loops] = {
    "hyp0f1": {"dd": hyp0f1, "dD": complex_hyp0f1}, "hyp1f1": {"ddd": hyp1f1, "ddD": complex_hyp1f1}, "hyp2f1": {"dddd": hyp2f1, "dddD": complex_hyp2f1}, "hyperu": hyperu,
    "elliprd": elliprd, "elliprg": elliprg, "elliprj": elliprj, "elliprf": elliprf, "elliprc": elliprc, "ellipk": ellipk, "ellipe": ellipe, "ellipkm1": ellipkm1, "ellipkinc": ellipkinc,
    "ellipeinc": ellipeinc, "agm": agm, "ellipj": {"dd": (jacobi_sn, jacobi_cn, jacobi_dn, jacobi_amplitude)}, "lpmv": lpmv,
    "eval_gegenbauer": _by_degree(eval_gegenbauer, real_eval_gegenbauer, 3), "eval_genlaguerre": _by_degree(eval_genlaguerre, real_eval_genlaguerre, 3),
    "eval_jacobi": _by_degree(eval_jacobi, real_eval_jacobi, 4), "eval_legendre": _by_degree(eval_legendre, real_eval_legendre),
    "eval_sh_legendre": _by_degree(eval_sh_legendre, real_eval_sh_legendre), "eval_laguerre": _by_degree(eval_laguerre, real_eval_laguerre),
    "eval_chebyt": _by_degree(eval_chebyt, real_eval_chebyt), "eval_chebyu": _by_degree(eval_chebyu, real_eval_chebyu), "eval_chebyc": _by_degree(eval_chebyc, real_eval_chebyc),
    "eval_chebys": _by_degree(eval_chebys, real_eval_chebys), "eval_sh_chebyt": _by_degree(eval_sh_chebyt, real_eval_sh_chebyt),
    "eval_sh_chebyu": _by_degree(eval_sh_chebyu, real_eval_sh_chebyu), "eval_hermite": {"ld": eval_hermite}, "eval_hermitenorm": {"ld": eval_hermitenorm},
}  # fmt: skip
"""By their names in scipy.special."""

ROWS = rows_of(HYPERGEOMETRIC)
