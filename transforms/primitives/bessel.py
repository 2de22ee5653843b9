"""Functions of Bessel's equation and its kin: Bessel, Hankel, spherical Bessel, Airy, Kelvin and Struve functions, by SciPy's own C.

Derivatives are sums of neighbouring orders, which lose no digits near 0 and are right there, of any order of differentiation. Those with respect to orders are
refused. Source of the formulas: NIST Digital Library of Mathematical Functions, chapters 9 to 11.
"""
from __future__ import annotations

import math
from collections.abc import Callable

from s2s.transforms.primitives.arithmetic import sign
from s2s.transforms.primitives.conversion import convert
from s2s.transforms.primitives.elementwise import exp, log, sqrt
from s2s.transforms.primitives.families import POSITIVE, REAL, Domain, Missing, Partials
from s2s.transforms.primitives.row import NotYet, Primitive
from s2s.transforms.primitives.scipy_rows import Loops, before, missing, rows_of, scipy_row
from s2s.transforms.primitives.special_of_scipy import rgamma
from s2s.transforms.primitives.value import Value

ORDERS: Domain = (0.6, 2.9)
WHOLE: Domain = (0.0, 4.0)
_ORDER = "its order"
Slope = Callable[[Value, Value, Value, Primitive], Value]
"""(ans, order, x, the function) -> d ans / d x."""

# ---- of any order -----------------------------------------------------------------------------------------------------------


def _of_order(name: str, slope: Slope, takes: str = "dd") -> Primitive:
    """A function of a run-time order; of integers, or of complex arguments, with a C function of its own."""
    orders = WHOLE if takes[0] == "l" else ORDERS
    own = {"dd": f"bessel_{name}", "ld": f"bessel_{name}", "dD": f"complex_bessel_{name}"}[takes]

    def partials(ans: Value, order: Value, x: Value) -> tuple[Missing | None, Value]:
        return None if takes[0] == "l" else missing(_ORDER, name), slope(ans, order, x, row)

    row: Primitive = scipy_row(name, partials, orders, POSITIVE, own_name=own, only=(1,), takes=takes)
    return row


def _difference(ans: Value, order: Value, x: Value, of: Primitive) -> Value:
    return 0.5 * (of(order - 1, x) - of(order + 1, x))


def _sum(ans: Value, order: Value, x: Value, of: Primitive) -> Value:
    return 0.5 * (of(order - 1, x) + of(order + 1, x))


def _fallen(ans: Value, order: Value, x: Value, of: Primitive) -> Value:
    return -0.5 * (of(order - 1, x) + of(order + 1, x))


def _scaled(slope: Slope, rate: complex) -> Slope:
    """Of the function times exp(-rate x)."""
    return lambda ans, order, x, of: slope(ans, order, x, of) - rate * ans


def _of_modulus(slope: Slope) -> Slope:
    """Of the function times exp(-|x|), x a float."""
    return lambda ans, order, x, of: slope(ans, order, x, of) - sign(x) * ans


jv, yv, iv, kv = _of_order("jv", _difference), _of_order("yv", _difference), _of_order("iv", _sum), _of_order("kv", _fallen)
jve, yve = _of_order("jve", _difference), _of_order("yve", _difference)
ive, kve = _of_order("ive", _of_modulus(_sum)), _of_order("kve", _scaled(_fallen, -1.0))
yn, kn = _of_order("yn", _difference, "ld"), _of_order("kn", _fallen, "ld")
complex_jv, complex_yv, complex_iv, complex_kv = (
    _of_order("jv", _difference, "dD"), _of_order("yv", _difference, "dD"), _of_order("iv", _sum, "dD"), _of_order("kv", _fallen, "dD"),
)  # fmt: skip
hankel1, hankel2 = _of_order("hankel1", _difference, "dD"), _of_order("hankel2", _difference, "dD")
hankel1e, hankel2e = _of_order("hankel1e", _scaled(_difference, 1j), "dD"), _of_order("hankel2e", _scaled(_difference, -1j), "dD")
complex_kve = _of_order("kve", _scaled(_fallen, -1.0), "dD")
complex_jve, complex_yve, complex_ive = (
    scipy_row(name, NotYet(f"scipy.special.{name} of complex numbers has a factor that is not analytic"), ORDERS, POSITIVE, own_name=f"complex_bessel_{name}", takes="dD")
    for name in ("jve", "yve", "ive")
)  # fmt: skip

# ---- of orders 0 and 1 --------------------------------------------------------------------------------------------------------


def _second(of: Primitive, zeroth: Value, first: Value, x: Value, gain: float) -> Value:
    """The function of order 2: 2 / x times that of order 1, less that of order 0 (I: the other way round), which loses digits where x is small."""
    near = x * x < 1
    ratio = 2.0 / near.where(1.0, x) * first
    return near.where(of(x.like(2), x), gain * (ratio - zeroth))


def _bessel(name: str, partials: Partials, domain: Domain = POSITIVE) -> Primitive:
    return scipy_row(name, partials, domain, own_name=f"bessel_{name}")


def _j1_partials(ans: Value, x: Value) -> tuple[Value]:
    zeroth = j0(x)
    return (0.5 * (zeroth - _second(jv, zeroth, ans, x, 1.0)),)


def _i1_partials(ans: Value, x: Value) -> tuple[Value]:
    zeroth = i0(x)
    return (0.5 * (zeroth + _second(iv, zeroth, ans, x, -1.0)),)


def _i1e_partials(ans: Value, x: Value) -> tuple[Value]:
    zeroth = i0e(x)
    return (0.5 * (zeroth + _second(ive, zeroth, ans, x, -1.0)) - sign(x) * ans,)


i0 = _bessel("i0", lambda ans, x: (i1(x),), REAL)
i1: Primitive = _bessel("i1", _i1_partials, REAL)
i0e = _bessel("i0e", lambda ans, x: (i1e(x) - sign(x) * ans,), REAL)
i1e: Primitive = _bessel("i1e", _i1e_partials, REAL)
j0 = _bessel("j0", lambda ans, x: (-j1(x),), REAL)
j1: Primitive = _bessel("j1", _j1_partials, REAL)
y0 = _bessel("y0", lambda ans, x: (-y1(x),))
y1: Primitive = _bessel("y1", lambda ans, x: (y0(x) - ans / x,))
k0 = _bessel("k0", lambda ans, x: (-k1(x),))
k1: Primitive = _bessel("k1", lambda ans, x: (-(k0(x) + ans / x),))
k0e = _bessel("k0e", lambda ans, x: (ans - k1e(x),))
k1e: Primitive = _bessel("k1e", lambda ans, x: (ans - k0e(x) - ans / x,))

# ---- spherical ----------------------------------------------------------------------------------------------------------------


def _spherical(name: str, low: float, high: float) -> Primitive:
    """Its derivative: (low n f of n - 1, and high (n + 1) f of n + 1) / (2 n + 1)."""

    def partials(ans: Value, order: Value, x: Value) -> tuple[None, Value]:
        n = convert(order, dtype=x.dtype)
        return None, (low * n * row(before(order), x) + high * (n + 1) * row(order + 1, x)) / (2 * n + 1)

    row: Primitive = scipy_row(f"_ufuncs._{name}", partials, WHOLE, POSITIVE, own_name=name, only=(1,), takes="ld")
    return row


spherical_jn, spherical_yn = _spherical("spherical_jn", 1.0, -1.0), _spherical("spherical_yn", 1.0, -1.0)
spherical_in, spherical_kn = _spherical("spherical_in", 1.0, 1.0), _spherical("spherical_kn", -1.0, -1.0)

# ---- Airy -----------------------------------------------------------------------------------------------------------------------


def _airy(part: int, partials: Partials | NotYet, name: str = "airy", domain: Domain = REAL, kind: str = "", takes: str = "d") -> Primitive:
    return scipy_row(name, partials, domain, own_name=f"{kind}{name}_{('ai', 'ai_slope', 'bi', 'bi_slope')[part]}", part=part, takes=takes)


def _complex_airy(part: int, partials: Partials | NotYet, name: str = "airy") -> Primitive:
    return _airy(part, partials, name, POSITIVE, "complex_", "D")


def _root(x: Value) -> Value:
    """The root, 0 below 0: how fast exp(2 / 3 x ** 1.5) grows."""
    above = x > 0
    return above.where(sqrt(above.where(x, 1.0)), 0.0)


airy_ai = _airy(0, lambda ans, x: (airy_ai_slope(x),))
airy_ai_slope: Primitive = _airy(1, lambda ans, x: (x * airy_ai(x),))
airy_bi = _airy(2, lambda ans, x: (airy_bi_slope(x),))
airy_bi_slope: Primitive = _airy(3, lambda ans, x: (x * airy_bi(x),))
airye_ai = _airy(0, lambda ans, x: (airye_ai_slope(x) + _root(x) * ans,), "airye", POSITIVE)
airye_ai_slope: Primitive = _airy(1, lambda ans, x: (x * airye_ai(x) + _root(x) * ans,), "airye", POSITIVE)
airye_bi = _airy(2, lambda ans, x: (airye_bi_slope(x) - _root(x) * ans,), "airye", POSITIVE)
airye_bi_slope: Primitive = _airy(3, lambda ans, x: (x * airye_bi(x) - _root(x) * ans,), "airye", POSITIVE)
complex_airy_ai = _complex_airy(0, lambda ans, x: (complex_airy_ai_slope(x),))
complex_airy_ai_slope: Primitive = _complex_airy(1, lambda ans, x: (x * complex_airy_ai(x),))
complex_airy_bi = _complex_airy(2, lambda ans, x: (complex_airy_bi_slope(x),))
complex_airy_bi_slope: Primitive = _complex_airy(3, lambda ans, x: (x * complex_airy_bi(x),))
complex_airye_ai = _complex_airy(0, lambda ans, x: (complex_airye_ai_slope(x) + sqrt(x) * ans,), "airye")
complex_airye_ai_slope: Primitive = _complex_airy(1, lambda ans, x: (x * complex_airye_ai(x) + sqrt(x) * ans,), "airye")
complex_airye_bi, complex_airye_bi_slope = (
    _complex_airy(part, NotYet("scipy.special.airye of complex numbers scales Bi with a factor that is not analytic"), "airye") for part in (2, 3)
)  # fmt: skip

# ---- Kelvin, Struve ---------------------------------------------------------------------------------------------------------------


def _kelvin(name: str, partials: Partials) -> Primitive:
    return scipy_row(name, partials, POSITIVE, own_name=f"kelvin_{name}")


def _over(ans: Value, x: Value, series: Callable[[Value], Value]) -> Value:
    """ans / x; near 0, where both are, by the first terms of its series in (x / 2)²."""
    near, half = x * x < 1e-4, x * 0.5
    return near.where(series(half * half), ans / near.where(1.0, x))


ber = _kelvin("ber", lambda ans, x: (berp(x),))
bei = _kelvin("bei", lambda ans, x: (beip(x),))
ker = _kelvin("ker", lambda ans, x: (kerp(x),))
kei = _kelvin("kei", lambda ans, x: (keip(x),))
berp: Primitive = _kelvin("berp", lambda ans, x: (-(bei(x) + _over(ans, x, lambda square: square * (square * square * (1 / 288) - 0.25))),))
beip: Primitive = _kelvin("beip", lambda ans, x: (ber(x) - _over(ans, x, lambda square: 0.5 - square * square * (1 / 24)),))
kerp: Primitive = _kelvin("kerp", lambda ans, x: (-(kei(x) + ans / x),))
keip: Primitive = _kelvin("keip", lambda ans, x: (ker(x) - ans / x,))


def _of_struve(slope: Slope) -> Slope:
    return lambda ans, order, x, of: slope(ans, order, x, of) + 0.5 / math.sqrt(math.pi) * exp(order * log(0.5 * x)) * rgamma(order + 1.5)


struve, modstruve = _of_order("struve", _of_struve(_difference)), _of_order("modstruve", _of_struve(_sum))

BESSEL: dict[str, Loops] = dict(
    i0=i0, i1=i1, i0e=i0e, i1e=i1e, j0=j0, j1=j1, y0=y0, y1=y1, k0=k0, k1=k1, k0e=k0e, k1e=k1e,
    jv={"dd": jv, "dD": complex_jv}, yv={"dd": yv, "dD": complex_yv}, iv={"dd": iv, "dD": complex_iv}, kv={"dd": kv, "dD": complex_kv},
    kve={"dd": kve, "dD": complex_kve}, jve={"dd": jve, "dD": complex_jve}, yve={"dd": yve, "dD": complex_yve}, ive={"dd": ive, "dD": complex_ive}, yn={"ld": yn}, kn={"ld": kn},
    hankel1={"dD": hankel1}, hankel2={"dD": hankel2}, hankel1e={"dD": hankel1e}, hankel2e={"dD": hankel2e},
    airy={"d": (airy_ai, airy_ai_slope, airy_bi, airy_bi_slope), "D": (complex_airy_ai, complex_airy_ai_slope, complex_airy_bi, complex_airy_bi_slope)},
    airye={"d": (airye_ai, airye_ai_slope, airye_bi, airye_bi_slope), "D": (complex_airye_ai, complex_airye_ai_slope, complex_airye_bi, complex_airye_bi_slope)},
    ber=ber, bei=bei, ker=ker, kei=kei, berp=berp, beip=beip, kerp=kerp, keip=keip, struve=struve, modstruve=modstruve,
    **{"_ufuncs._spherical_jn": {"ld": spherical_jn}, "_ufuncs._spherical_yn": {"ld": spherical_yn}, "_ufuncs._spherical_in": {"ld": spherical_in},
       "_ufuncs._spherical_kn": {"ld": spherical_kn}},
)  # fmt: skip
"""By their names in scipy.special."""

ROWS = rows_of(BESSEL)
