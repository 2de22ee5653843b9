"""Special functions that SciPy's own C functions compute on every target: inverse error functions, incomplete gamma and beta functions, integrals …

Derivatives with respect to orders and shapes that have no formula are refused. Source of the formulas: NIST Digital Library of Mathematical Functions.
"""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2s.records import replace
from s2s.transforms.primitives import elementwise as calculus
from s2s.transforms.primitives import scalar_helpers
from s2s.transforms.primitives.arithmetic import rint
from s2s.transforms.primitives.conversion import complex_, convert, imag, real
from s2s.transforms.primitives.elementwise import cbrt, cos, cosh, exp, exp2, expm1, log, log1p, sin, sinh
from s2s.transforms.primitives.families import POSITIVE, REAL, Domain, Missing, Over, Partials, elementwise
from s2s.transforms.primitives.hypergeometric import complex_hyp0f1, hyp0f1, hyp1f1, hyp2f1, of_numbers
from s2s.transforms.primitives.logic import logical_and
from s2s.transforms.primitives.row import ZERO, Elementwise, Primitive
from s2s.transforms.primitives.scipy_rows import Loops, before, missing, rows_of, scipy_row
from s2s.transforms.primitives.special import (
    INSIDE,
    TWO_OVER_ROOT_PI,
    complex_digamma,
    digamma,
    digamma_of,
    entr,
    erf,
    erfc,
    expit,
    gamma,
    gammaln,
    logit,
    of_scipy,
    xlog1py,
    xlogy,
)
from s2s.transforms.primitives.special import ROWS as PLAIN
from s2s.transforms.primitives.value import Value
from s2s.types import INT64

ROOT_PI, ROOT_TWO = math.sqrt(math.pi), math.sqrt(2.0)
ROOT_TWO_PI = math.sqrt(2.0 * math.pi)
WITHIN: Domain = (-0.9, 0.9)
ORDERS: Domain = (0.6, 2.9)


# ---- error functions, normal distribution, logistic -------------------------------------------------------------------------

erfinv = scipy_row("erfinv", lambda ans, x: (exp(ans * ans) / TWO_OVER_ROOT_PI,), WITHIN)
erfcinv = scipy_row("erfcinv", lambda ans, x: (exp(ans * ans) / -TWO_OVER_ROOT_PI,), (0.1, 1.9))
erfcx = scipy_row("erfcx", lambda ans, x: (2 * x * ans - TWO_OVER_ROOT_PI,), REAL, is_complex=True)
erfi = scipy_row("erfi", lambda ans, x: (exp(x * x) * TWO_OVER_ROOT_PI,), REAL, is_complex=True)
dawsn = scipy_row("dawsn", lambda ans, x: (1 - 2 * x * ans,), REAL, is_complex=True)
ndtr = scipy_row("ndtr", lambda ans, x: (exp(-0.5 * (x * x)) / ROOT_TWO_PI,), REAL, is_complex=True)
ndtri = scipy_row("ndtri", lambda ans, x: (exp(0.5 * (ans * ans)) * ROOT_TWO_PI,), INSIDE)
log_ndtr = scipy_row("log_ndtr", lambda ans, x: (exp(-0.5 * (x * x) - ans) / ROOT_TWO_PI,), REAL, is_complex=True)
ndtri_exp = scipy_row("ndtri_exp", lambda ans, x: (exp(0.5 * (ans * ans) + x) * ROOT_TWO_PI,), (-3.0, -0.1))
log_expit = scipy_row("log_expit", lambda ans, x: (expit(-x),), REAL)

# ---- entropies ----------------------------------------------------------------------------------------------------------------

rel_entr = scipy_row("rel_entr", lambda ans, x, y: (log(x / y) + 1, -(x / y)), POSITIVE, POSITIVE)
kl_div = scipy_row("kl_div", lambda ans, x, y: (log(x / y), 1 - x / y), POSITIVE, POSITIVE)

# ---- gamma and beta functions ---------------------------------------------------------------------------------------------------


def gamma_density(a: Value, x: Value) -> Value:
    """How gammainc(a, x) grows with x."""
    return exp(xlogy(a - 1, x) - x - gammaln(a))


def beta_density(a: Value, b: Value, x: Value) -> Value:
    """How betainc(a, b, x) grows with x."""
    return exp(xlogy(a - 1, x) + xlog1py(b - 1, -x) - betaln(a, b))


def _t_density(df: Value, t: Value) -> Value:
    half = 0.5 * df
    return exp(gammaln(half + 0.5) - gammaln(half) - 0.5 * log(df * math.pi) - (half + 0.5) * log1p(t * t / df))


def _beta_partials(ans: Value, a: Value, b: Value) -> tuple[Value, Value]:
    both = digamma(a + b)
    return ans * (digamma(a) - both), ans * (digamma(b) - both)


def _betaln_partials(ans: Value, a: Value, b: Value) -> tuple[Value, Value]:
    both = digamma(a + b)
    return digamma(a) - both, digamma(b) - both


def _poch_partials(ans: Value, a: Value, m: Value) -> tuple[Value, Value]:
    end = digamma(a + m)
    return ans * (end - digamma(a)), ans * end


def _binomial_partials(ans: Value, n: Value, k: Value) -> tuple[Value, Value]:
    rest = digamma(n - k + 1)
    return ans * (digamma(n + 1) - rest), ans * (rest - digamma(k + 1))


def _rgamma_partials(ans: Value, x: Value) -> tuple[Value]:
    """Near 0, -1, …, where digamma has poles and 1 / gamma none, by the reflection sin(pi x) gamma(1 - x) / pi."""
    if x.dtype.kind == "c":
        return (-(ans * digamma_of(x)),)
    whole = rint(x)
    rest = x - whole
    near = logical_and(x < 0.1, rest * rest < 0.01)
    turn, other = near.where(x, 0.0) * math.pi, 1.0 - near.where(x, 0.0)
    return (near.where(gamma(other) * (cos(turn) - sin(turn) * digamma(other) / math.pi), -(ans * digamma(near.where(1.0, x)))),)


rgamma = scipy_row("rgamma", _rgamma_partials, POSITIVE, is_complex=True)
beta = scipy_row("beta", _beta_partials, POSITIVE, POSITIVE, own_name="beta_function")
betaln = scipy_row("betaln", _betaln_partials, POSITIVE, POSITIVE)
binomial = scipy_row("binom", _binomial_partials, (3.1, 6.0), (0.5, 2.9), own_name="binomial")
poch = scipy_row("poch", _poch_partials, POSITIVE, POSITIVE, own_name="pochhammer")
loggamma = scipy_row("loggamma", lambda ans, x: (digamma_of(x),), POSITIVE, is_complex=True)
gammasgn = scipy_row("gammasgn", ZERO, REAL)
zeta: Primitive = elementwise(
    "zeta_function", of_scipy("zeta"), partials=lambda ans, order, x: (missing("x", "zeta"), -(order * zeta(order + 1, x))), array="scipy.special.zeta(a, b)",
    scalar="hurwitz_zeta(a, b)", domains=((1.5, 4.0), POSITIVE), dtypes="f", widens=True, wrt=(1,),
)  # fmt: skip


def _zeta_slope(order: Any, x: Any) -> Any:
    return np.vectorize(scalar_helpers.zeta_slope, otypes=[np.float64])(order, np.float64(x)).astype(np.result_type(x))


def _zeta_partials(ans: Value, x: Value) -> tuple[Value]:
    """Below -1 of Riemann's reflection."""
    below = x < -1
    x, other = below.where(x, -1.5), below.where(1 - x, x)
    turn = 0.5 * math.pi * (x - 4 * rint(0.25 * x))
    beyond, slope = below.where(other, 2.5), zeta_slope(convert(other.like(1), dtype=INT64), other)
    whole = riemann_zeta(beyond)
    grown = (math.log(2 * math.pi) - digamma(beyond)) * whole - slope
    reflected = 2 * exp(gammaln(beyond) - beyond * math.log(2 * math.pi)) * (sin(turn) * grown + 0.5 * math.pi * cos(turn) * whole)
    return (below.where(reflected, slope),)


zeta_slope: Primitive = replace(
    scipy_row("zeta", lambda ans, order, x: (None, zeta_slope(order + 1, x)), (1.0, 3.0), (1.5, 4.0), own_name="zeta_slope", only=(1,), takes="ld"),
    evaluate=_zeta_slope, emission=Elementwise("np.result_type(b).type(zeta_slope(a, np.float64(b)))", "zeta_slope(a, b)", widens=True),
)  # fmt: skip
zetac = scipy_row("zetac", _zeta_partials, (1.5, 4.0), own_name="zeta_less_one")
riemann_zeta: Primitive = replace(
    scipy_row("zeta", _zeta_partials, (1.5, 4.0), own_name="riemann_zeta"),
    emission=Elementwise("scipy.special.zeta(a)", "1.0 + zeta_less_one(a) if a >= 0.0 else riemann_zeta_below(a, lgamma(1.0 - a), zeta_less_one(1.0 - a))", widens=True),
)


def _motion(a: Any, x: Any) -> Any:
    each, a_wide = np.vectorize(scalar_helpers.gamma_motion, otypes=[np.float64]), np.float64(a)  # digamma(a) + 1 / a cancels for small a
    return each(a_wide, np.float64(x), of_scipy("digamma")(a_wide)).astype(np.result_type(a))


def _motion_partials(ans: Value, a: Value, x: Value) -> tuple[Missing, Value]:
    return missing("a twice", "gammainc", "s2s.lax.igamma, which has it"), digamma(a) - log(x) - ans * ((a - 1) / x - 1)


gamma_motion = elementwise(
    "gamma_motion", _motion, partials=_motion_partials, array="np.result_type(a).type(gamma_motion(np.float64(a), np.float64(b), scipy.special.digamma(np.float64(a))))", scalar="gamma_motion(a, b, digamma(a))",
    domains=(POSITIVE, POSITIVE), dtypes="f", widens=True, wrt=(1,),
)  # fmt: skip
"""How a number of the gamma distribution of parameter a moves with a."""


def _gammainc_partials(ans: Value, a: Value, x: Value) -> tuple[Value, Value]:
    """Of gammainc: minus the motion times the density, and the density."""
    density = gamma_density(a, x)
    return -(gamma_motion(a, x) * density), density


def _gammaincc_partials(ans: Value, a: Value, x: Value) -> tuple[Value, Value]:
    density = gamma_density(a, x)
    return gamma_motion(a, x) * density, -density


gammainc = scipy_row("gammainc", _gammainc_partials, POSITIVE, POSITIVE)
gammaincc = scipy_row("gammaincc", _gammaincc_partials, POSITIVE, POSITIVE)
gammaincinv = scipy_row("gammaincinv", lambda ans, a, y: (gamma_motion(a, ans), Over(gamma_density(a, ans))), ORDERS, INSIDE)
gammainccinv = scipy_row("gammainccinv", lambda ans, a, y: (gamma_motion(a, ans), Over(-gamma_density(a, ans))), ORDERS, INSIDE)
betainc = scipy_row("betainc", lambda ans, a, b, x: (missing("a", "betainc"), missing("b", "betainc"), beta_density(a, b, x)), POSITIVE, POSITIVE, INSIDE, only=(2,))
betaincc = scipy_row("betaincc", lambda ans, a, b, x: (missing("a", "betaincc"), missing("b", "betaincc"), -beta_density(a, b, x)), POSITIVE, POSITIVE, INSIDE, only=(2,))
betaincinv = scipy_row(
    "betaincinv", lambda ans, a, b, y: (missing("a", "betaincinv"), missing("b", "betaincinv"), Over(beta_density(a, b, ans))), ORDERS, ORDERS, INSIDE, only=(2,),
)  # fmt: skip
betainccinv = scipy_row(
    "betainccinv", lambda ans, a, b, y: (missing("a", "betainccinv"), missing("b", "betainccinv"), Over(-beta_density(a, b, ans))), ORDERS, ORDERS, INSIDE, only=(2,),
)  # fmt: skip
stdtr = scipy_row("stdtr", lambda ans, df, t: (missing("df", "stdtr"), _t_density(df, t)), POSITIVE, REAL, only=(1,))
stdtrit = scipy_row("stdtrit", lambda ans, df, p: (missing("df", "stdtrit"), Over(_t_density(df, ans))), ORDERS, INSIDE, only=(1,))

# ---- integrals ----------------------------------------------------------------------------------------------------------------------


def _expn_partials(ans: Value, n: Value, x: Value) -> tuple[None, Value]:
    """Of order 0 it is exp(-x) / x."""
    return None, -n.equals(0).where(ans + ans / x, expn(before(n), x))


def _sine_over(x: Value, sine: Value, sign_of_square: float) -> Value:
    """sin(x) / x, or sinh(x) / x; of small x by its series, which has all derivatives."""
    is_complex = x.dtype.kind == "c"
    near = (real(x) * real(x) + imag(x) * imag(x) if is_complex else x * x) < 1
    held = near.where(x, 0.0)
    square = sign_of_square * 0.25 * (held * held)
    series = complex_hyp0f1(real(x).like(1.5), square) if is_complex else of_numbers(hyp0f1, 1.5, square)
    return near.where(series, sine / near.where(1.0, x))


def _parts(name: str, domain: Domain, *parts: tuple[str, Partials], takes: str = "d") -> tuple[Primitive, ...]:
    """The rows of a function of several results; those of complex numbers are called so."""
    return tuple(
        scipy_row(name, partials, domain, own_name=f"complex_{own}" if takes == "D" else own, part=part, takes=takes) for part, (own, partials) in enumerate(parts)
    )


expi = scipy_row("expi", lambda ans, x: (exp(x) / x,), POSITIVE, is_complex=True)
exp1 = scipy_row("exp1", lambda ans, x: (-(exp(-x) / x),), POSITIVE, is_complex=True)
expn: Primitive = scipy_row("expn", _expn_partials, (0.0, 3.0), POSITIVE, only=(1,), takes="ld")
exprel = scipy_row("exprel", lambda ans, x: (0.5 * of_numbers(hyp1f1, 2.0, 3.0, x),), REAL)
spence = scipy_row("spence", lambda ans, x: (-of_numbers(hyp2f1, 1.0, 1.0, 2.0, 1 - x),), POSITIVE)
SICI: tuple[tuple[str, Partials], ...] = ("sine_integral", lambda ans, x: (_sine_over(x, sin(x), -1.0),)), ("cosine_integral", lambda ans, x: (cos(x) / x,))
SHICHI: tuple[tuple[str, Partials], ...] = ("sinh_integral", lambda ans, x: (_sine_over(x, sinh(x), 1.0),)), ("cosh_integral", lambda ans, x: (cosh(x) / x,))
FRESNEL: tuple[tuple[str, Partials], ...] = (
    ("fresnel_sine", lambda ans, x: (sin(0.5 * math.pi * (x * x)),)), ("fresnel_cosine", lambda ans, x: (cos(0.5 * math.pi * (x * x)),)),
)  # fmt: skip
sine_integral, cosine_integral = _parts("sici", POSITIVE, *SICI)
complex_sine_integral, complex_cosine_integral = _parts("sici", POSITIVE, *SICI, takes="D")
sinh_integral, cosh_integral = _parts("shichi", POSITIVE, *SHICHI)
complex_sinh_integral, complex_cosh_integral = _parts("shichi", POSITIVE, *SHICHI, takes="D")
fresnel_sine, fresnel_cosine = _parts("fresnel", REAL, *FRESNEL)
complex_fresnel_sine, complex_fresnel_cosine = _parts("fresnel", REAL, *FRESNEL, takes="D")

# ---- of complex numbers -----------------------------------------------------------------------------------------------------------


def _voigt_partials(ans: Value, x: Value, sigma: Value, width_of_line: Value) -> tuple[Value, Value, Value]:
    """By the Faddeeva function w: the profile is the real part of w((x + i gamma) / (sigma sqrt(2))) / (sigma sqrt(2 pi))."""
    width = ROOT_TWO * sigma
    z = complex_(x / width, width_of_line / width)
    slope = 2j / ROOT_PI - 2 * z * wofz(z)
    scale = 1.0 / (width * width * ROOT_PI)
    by_x, by_line = real(slope) * scale, -imag(slope) * scale
    return by_x, -(ans + x * by_x + width_of_line * by_line) / sigma, by_line


wofz = scipy_row("wofz", lambda ans, z: (2j / ROOT_PI - 2 * z * ans,), REAL, own_name="faddeeva", takes="D")
voigt_profile = scipy_row("voigt_profile", _voigt_partials, REAL, POSITIVE, POSITIVE)
lambertw = scipy_row(
    "lambertw", lambda ans, z, k, tolerance: (exp(-ans) / (1 + ans), None, None), REAL, (0.0, 1.0), (1e-8, 1e-8), own_name="lambert_w", only=(0,), takes="Dld",
)  # fmt: skip
wrightomega = scipy_row("wrightomega", lambda ans, z: (ans / (1 + ans),), REAL, own_name="wright_omega", is_complex=True)
complex_log1p = scipy_row("log1p", lambda ans, z: (1.0 / (1 + z),), REAL, own_name="complex_log1p", takes="D")
complex_expm1 = scipy_row("expm1", lambda ans, z: (ans + 1,), REAL, own_name="complex_expm1", takes="D")
complex_spence = scipy_row("spence", lambda ans, z: (log(z) / (1 - z),), POSITIVE, own_name="complex_spence", takes="D")

# ---- of degrees, and short ones -----------------------------------------------------------------------------------------------------

DEGREE = math.pi / 180.0

exp10 = scipy_row("exp10", lambda ans, x: (ans * math.log(10.0),), REAL)
cosm1 = scipy_row("cosm1", lambda ans, x: (-sin(x),), REAL)
sindg: Primitive = scipy_row("sindg", lambda ans, x: (DEGREE * cosdg(x),), REAL)
cosdg: Primitive = scipy_row("cosdg", lambda ans, x: (-DEGREE * sindg(x),), REAL)
tandg = scipy_row("tandg", lambda ans, x: (DEGREE * (1 + ans * ans),), REAL)
cotdg = scipy_row("cotdg", lambda ans, x: (-DEGREE * (1 + ans * ans),), POSITIVE)
radian = scipy_row("radian", lambda ans, d, m, s: (DEGREE, DEGREE / 60.0, DEGREE / 3600.0), REAL, REAL, REAL, own_name="radians_of_degrees")


FUNCTIONS: dict[str, Loops] = dict(
    erf=erf, erfc=erfc, expit=expit, logit=logit, gamma=gamma, gammaln=gammaln, digamma={"d": digamma, "D": complex_digamma}, psi={"d": digamma, "D": complex_digamma}, xlogy=xlogy, xlog1py=xlog1py, entr=entr,
    erfinv=erfinv, erfcinv=erfcinv, erfcx=erfcx, erfi=erfi, dawsn=dawsn, ndtr=ndtr, ndtri=ndtri, log_ndtr=log_ndtr, ndtri_exp=ndtri_exp,
    log_expit=log_expit, rel_entr=rel_entr, kl_div=kl_div, rgamma=rgamma, beta=beta, betaln=betaln, poch=poch, loggamma=loggamma, gammasgn=gammasgn,
    gammainc=gammainc, gammaincc=gammaincc, gammaincinv=gammaincinv, gammainccinv=gammainccinv, betainc=betainc, betaincc=betaincc, betaincinv=betaincinv,
    betainccinv=betainccinv, stdtr=stdtr, stdtrit=stdtrit, expi=expi, exp1=exp1, expn={"ld": expn}, exprel=exprel, spence={"d": spence, "D": complex_spence}, binom=binomial,
    sici={"d": (sine_integral, cosine_integral), "D": (complex_sine_integral, complex_cosine_integral)},
    shichi={"d": (sinh_integral, cosh_integral), "D": (complex_sinh_integral, complex_cosh_integral)},
    fresnel={"d": (fresnel_sine, fresnel_cosine), "D": (complex_fresnel_sine, complex_fresnel_cosine)}, wofz={"D": wofz},
    voigt_profile=voigt_profile, wrightomega=wrightomega, log1p={"d": log1p, "D": complex_log1p}, expm1={"d": expm1, "D": complex_expm1}, cbrt=cbrt, exp2=exp2, exp10=exp10,
    cosm1=cosm1, sindg=sindg, cosdg=cosdg, tandg=tandg, cotdg=cotdg, radian=radian, round=rint, zetac=zetac,
    **{"_ufuncs._zeta": zeta, "_ufuncs._riemann_zeta": riemann_zeta, "_ufuncs._lambertw": {"Dld": lambertw}},
)  # fmt: skip
"""By their names in scipy.special."""

ROWS = (gamma_motion, zeta_slope, *(row for row in rows_of(FUNCTIONS) if row not in (*PLAIN, *calculus.ROWS, rint)))
