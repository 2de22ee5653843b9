"""Special functions that SciPy's own C functions compute on every target: inverse error functions, incomplete gamma and beta functions, Bessel functions …

Derivatives with respect to orders and shapes that have no formula are refused. Source of the formulas: NIST Digital Library of Mathematical Functions.
"""
from __future__ import annotations

import math

from s2s.transforms.primitives.arithmetic import reciprocal, sign
from s2s.transforms.primitives.elementwise import exp, log, log1p
from s2s.transforms.primitives.families import POSITIVE, REAL, Domain, Missing, Over, Partials, elementwise
from s2s.transforms.primitives.row import ZERO, Nothing, Primitive
from s2s.transforms.primitives.special import INSIDE, TWO_OVER_ROOT_PI, digamma, expit, gammaln, of_scipy
from s2s.transforms.primitives.value import Value

ROOT_TWO_PI = math.sqrt(2.0 * math.pi)
WITHIN: Domain = (-0.9, 0.9)
ORDERS: Domain = (0.6, 2.9)


def _row(name: str, partials: Partials | Nothing, *domains: Domain, own_name: str = "", only: tuple[int, ...] | None = None) -> Primitive:
    """A row for scipy.special's function of this name, and the C function `own_name`. `only`: the operands that have derivatives."""
    operands = ", ".join("abc"[: len(domains)])
    own = own_name or name
    return elementwise(
        own, of_scipy(name), partials=partials, array=f"scipy.special.{name}({operands})", scalar=f"{own}({operands})", domains=domains, dtypes="f", widens=True,
        wrt=only,
    )  # fmt: skip


def _of(what: str, name: str) -> Missing:
    instead = {"gammainc": "s2s.lax.igamma, which has it", "gammaincc": "s2s.lax.igammac, which has it"}.get(name, "s2s.custom_jvp with a formula of your own, or differences")
    return Missing(f"the derivative of scipy.special.{name} with respect to {what}", instead)


def _odd(zero: float, x: Value, value: Value) -> Value:
    """The value, another at 0, where it is 0 / 0."""
    return x.equals(0).where(zero, value)


def _nonzero(x: Value) -> Value:
    return x.equals(0).where(1.0, x)


# ---- error functions, normal distribution, logistic -------------------------------------------------------------------------

erfinv = _row("erfinv", lambda ans, x: (exp(ans * ans) / TWO_OVER_ROOT_PI,), WITHIN)
erfcinv = _row("erfcinv", lambda ans, x: (exp(ans * ans) / -TWO_OVER_ROOT_PI,), (0.1, 1.9))
erfcx = _row("erfcx", lambda ans, x: (2 * x * ans - TWO_OVER_ROOT_PI,), REAL)
erfi = _row("erfi", lambda ans, x: (exp(x * x) * TWO_OVER_ROOT_PI,), REAL)
dawsn = _row("dawsn", lambda ans, x: (1 - 2 * x * ans,), REAL)
ndtr = _row("ndtr", lambda ans, x: (exp(-0.5 * (x * x)) / ROOT_TWO_PI,), REAL)
ndtri = _row("ndtri", lambda ans, x: (exp(0.5 * (ans * ans)) * ROOT_TWO_PI,), INSIDE)
log_ndtr = _row("log_ndtr", lambda ans, x: (exp(-0.5 * (x * x) - ans) / ROOT_TWO_PI,), REAL)
ndtri_exp = _row("ndtri_exp", lambda ans, x: (exp(0.5 * (ans * ans) + x) * ROOT_TWO_PI,), (-3.0, -0.1))
log_expit = _row("log_expit", lambda ans, x: (expit(-x),), REAL)

# ---- entropies ----------------------------------------------------------------------------------------------------------------

rel_entr = _row("rel_entr", lambda ans, x, y: (log(x / y) + 1, -(x / y)), POSITIVE, POSITIVE)
kl_div = _row("kl_div", lambda ans, x, y: (log(x / y), 1 - x / y), POSITIVE, POSITIVE)

# ---- gamma and beta functions ---------------------------------------------------------------------------------------------------


def _gamma_density(a: Value, x: Value) -> Value:
    return exp((a - 1) * log(x) - x - gammaln(a))


def _beta_density(a: Value, b: Value, x: Value) -> Value:
    return exp((a - 1) * log(x) + (b - 1) * log1p(-x) - betaln(a, b))


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


rgamma = _row("rgamma", lambda ans, x: (-(ans * digamma(x)),), POSITIVE)
beta = _row("beta", _beta_partials, POSITIVE, POSITIVE, own_name="beta_function")
betaln = _row("betaln", _betaln_partials, POSITIVE, POSITIVE)
binomial = _row("binom", _binomial_partials, (3.1, 6.0), (0.5, 2.9), own_name="binomial")
poch = _row("poch", _poch_partials, POSITIVE, POSITIVE, own_name="pochhammer")
loggamma = _row("loggamma", lambda ans, x: (digamma(x),), POSITIVE)
gammasgn = _row("gammasgn", ZERO, REAL)
zeta: Primitive = elementwise(
    "zeta_function", of_scipy("zeta"), partials=lambda ans, order, x: (_of("x", "zeta"), -(order * zeta(order + 1, x))), array="scipy.special.zeta(a, b)",
    scalar="hurwitz_zeta(a, b)", domains=((1.5, 4.0), POSITIVE), dtypes="f", widens=True, wrt=(1,),
)  # fmt: skip
gammainc = _row("gammainc", lambda ans, a, x: (_of("a", "gammainc"), _gamma_density(a, x)), POSITIVE, POSITIVE, only=(1,))
gammaincc = _row("gammaincc", lambda ans, a, x: (_of("a", "gammaincc"), -_gamma_density(a, x)), POSITIVE, POSITIVE, only=(1,))
gammaincinv = _row("gammaincinv", lambda ans, a, y: (_of("a", "gammaincinv"), Over(_gamma_density(a, ans))), ORDERS, INSIDE, only=(1,))
gammainccinv = _row("gammainccinv", lambda ans, a, y: (_of("a", "gammainccinv"), Over(-_gamma_density(a, ans))), ORDERS, INSIDE, only=(1,))
betainc = _row("betainc", lambda ans, a, b, x: (_of("a", "betainc"), _of("b", "betainc"), _beta_density(a, b, x)), POSITIVE, POSITIVE, INSIDE, only=(2,))
betaincc = _row("betaincc", lambda ans, a, b, x: (_of("a", "betaincc"), _of("b", "betaincc"), -_beta_density(a, b, x)), POSITIVE, POSITIVE, INSIDE, only=(2,))
betaincinv = _row(
    "betaincinv", lambda ans, a, b, y: (_of("a", "betaincinv"), _of("b", "betaincinv"), Over(_beta_density(a, b, ans))), ORDERS, ORDERS, INSIDE, only=(2,),
)  # fmt: skip
stdtr = _row("stdtr", lambda ans, df, t: (_of("df", "stdtr"), _t_density(df, t)), POSITIVE, REAL, only=(1,))
stdtrit = _row("stdtrit", lambda ans, df, p: (_of("df", "stdtrit"), Over(_t_density(df, ans))), ORDERS, INSIDE, only=(1,))

# ---- Bessel functions -------------------------------------------------------------------------------------------------------------


def _bessel(name: str, partials: Partials, domain: Domain = POSITIVE) -> Primitive:
    return _row(name, partials, domain, own_name=f"bessel_{name}")


def _of_order(name: str, change: float) -> Primitive:
    """A Bessel function of any order: J' = J of an order less, minus order / x J; of I and K likewise (`change`: the sign)."""

    def partials(ans: Value, order: Value, x: Value) -> tuple[Missing, Value]:
        before = row(order - 1, x)
        return _of("its order", name), (before if change > 0 else -before) - order / x * ans

    row: Primitive = _row(name, partials, ORDERS, POSITIVE, own_name=f"bessel_{name}", only=(1,))
    return row


i0 = _bessel("i0", lambda ans, x: (i1(x),), REAL)
i1: Primitive = _bessel("i1", lambda ans, x: (_odd(0.5, x, i0(x) - ans / _nonzero(x)),), REAL)
i0e = _bessel("i0e", lambda ans, x: (i1e(x) - sign(x) * ans,), REAL)
i1e: Primitive = _bessel("i1e", lambda ans, x: (_odd(0.5, x, i0e(x) - ans * (sign(x) + reciprocal(_nonzero(x)))),), REAL)
j0 = _bessel("j0", lambda ans, x: (-j1(x),), REAL)
j1: Primitive = _bessel("j1", lambda ans, x: (_odd(0.5, x, j0(x) - ans / _nonzero(x)),), REAL)
y0 = _bessel("y0", lambda ans, x: (-y1(x),))
y1: Primitive = _bessel("y1", lambda ans, x: (y0(x) - ans / x,))
k0 = _bessel("k0", lambda ans, x: (-k1(x),))
k1: Primitive = _bessel("k1", lambda ans, x: (-(k0(x) + ans / x),))
k0e = _bessel("k0e", lambda ans, x: (ans - k1e(x),))
k1e: Primitive = _bessel("k1e", lambda ans, x: (ans - k0e(x) - ans / x,))
jv, yv, iv, kv = _of_order("jv", 1), _of_order("yv", 1), _of_order("iv", 1), _of_order("kv", -1)

# ---- integrals ----------------------------------------------------------------------------------------------------------------------

expi = _row("expi", lambda ans, x: (exp(x) / x,), POSITIVE)
exp1 = _row("exp1", lambda ans, x: (-(exp(-x) / x),), POSITIVE)
exprel = _row("exprel", lambda ans, x: (_odd(0.5, x, (exp(x) - ans) / _nonzero(x)),), POSITIVE)
spence = _row("spence", lambda ans, x: (x.equals(1).where(-1.0, log(x) / x.equals(1).where(1.0, 1 - x)),), POSITIVE)
ellipk = _row("ellipk", lambda ans, m: (_ellipk_partial(ans, m),), INSIDE)
ellipe = _row("ellipe", lambda ans, m: (m.equals(0).where(-math.pi / 8, (ans - ellipk(m)) / (2 * _nonzero(m))),), INSIDE)


def _ellipk_partial(ans: Value, m: Value) -> Value:
    safe = _nonzero(m)
    return m.equals(0).where(math.pi / 8, (ellipe(m) - (1 - m) * ans) / (2 * safe * (1 - m)))


FUNCTIONS: dict[str, Primitive] = dict(
    erfinv=erfinv, erfcinv=erfcinv, erfcx=erfcx, erfi=erfi, dawsn=dawsn, ndtr=ndtr, ndtri=ndtri, log_ndtr=log_ndtr, ndtri_exp=ndtri_exp,
    log_expit=log_expit, rel_entr=rel_entr, kl_div=kl_div, rgamma=rgamma, beta=beta, betaln=betaln, poch=poch, loggamma=loggamma, gammasgn=gammasgn,
    gammainc=gammainc, gammaincc=gammaincc, gammaincinv=gammaincinv, gammainccinv=gammainccinv, betainc=betainc, betaincc=betaincc,
    betaincinv=betaincinv, stdtr=stdtr, stdtrit=stdtrit, i0=i0, i1=i1, i0e=i0e, i1e=i1e, j0=j0, j1=j1, y0=y0, y1=y1, k0=k0, k1=k1, k0e=k0e, k1e=k1e,
    jv=jv, yv=yv, iv=iv, kv=kv, expi=expi, exp1=exp1, exprel=exprel, spence=spence, ellipk=ellipk, ellipe=ellipe, binom=binomial, **{"_ufuncs._zeta":
    zeta},
)  # fmt: skip
"""By their names in scipy.special."""

ROWS = tuple(FUNCTIONS.values())
