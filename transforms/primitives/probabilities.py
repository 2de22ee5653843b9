"""Distribution functions and their inverses, Box-Cox transforms and losses, by SciPy's own C.

A distribution function's derivative is its density, an inverse's one over it; with respect to shapes they are refused where there is no formula.
"""
from __future__ import annotations

import math
from collections.abc import Callable

from s2s.transforms.primitives.arithmetic import floor, sign
from s2s.transforms.primitives.conversion import absolute, convert
from s2s.transforms.primitives.elementwise import exp, log, log1p, power, sqrt
from s2s.transforms.primitives.families import POSITIVE, REAL, Domain, Missing, Over
from s2s.transforms.primitives.hypergeometric import hyp0f1, hyp1f1, hyp2f1, hyperu, of_numbers
from s2s.transforms.primitives.row import Primitive
from s2s.transforms.primitives.scipy_rows import Loops, missing, rows_of, scipy_row, unknown
from s2s.transforms.primitives.special import INSIDE, erf, gammaln
from s2s.transforms.primitives.special_of_scipy import beta_density, gamma_density, gamma_motion
from s2s.transforms.primitives.value import Value

COUNTS: Domain = (1.0, 3.0)
TRIALS: Domain = (5.0, 8.0)
ROOT_TWO = math.sqrt(2.0)
Density = Callable[..., Value]


def _probability(name: str, density: Density, *shapes: Domain, of: Domain = POSITIVE, takes: str = "") -> Primitive:
    """A distribution function of its last operand."""

    def partials(ans: Value, *ins: Value) -> tuple[Missing | Value, ...]:
        return (*(missing("its shapes", name) for _ in shapes), density(*ins))

    return scipy_row(name, partials, *shapes, of, own_name=f"{name}_function", only=(len(shapes),), takes=takes)


def _quantile(name: str, density: Density, *shapes: Domain, takes: str = "") -> Primitive:
    """An inverse of one."""

    def partials(ans: Value, *ins: Value) -> tuple[Missing | Over, ...]:
        return (*(missing("its shapes", name) for _ in shapes), Over(density(*ins[:-1], ans)))

    return scipy_row(name, partials, *shapes, INSIDE, own_name=f"{name}_function", only=(len(shapes),), takes=takes)


def _valued(name: str, *domains: Domain, takes: str = "") -> Primitive:
    return scipy_row(name, unknown(name), *domains, own_name=f"{name}_function", takes=takes)


def _less(density: Density) -> Density:
    return lambda *ins: -density(*ins)


# ---- densities --------------------------------------------------------------------------------------------------------------


def _chi_squared_density(v: Value, x: Value) -> Value:
    return 0.5 * gamma_density(0.5 * v, 0.5 * x)


def _f_density(dfn: Value, dfd: Value, x: Value) -> Value:
    scale = dfd + dfn * x
    return beta_density(0.5 * dfn, 0.5 * dfd, dfn * x / scale) * dfn * dfd / (scale * scale)


def _poisson_density(k: Value, m: Value) -> Value:
    """Minus the change of pdtr(k, m) with m."""
    return gamma_density(floor(k) + 1, m)


def _binomial_density(k: Value, n: Value, p: Value) -> Value:
    """Minus the change of bdtr(k, n, p) with p."""
    counted = floor(k)
    return beta_density(counted + 1, convert(n, dtype=p.dtype) - counted, p)


def _negative_binomial_density(k: Value, n: Value, p: Value) -> Value:
    return beta_density(convert(n, dtype=p.dtype), convert(k, dtype=p.dtype) + 1, p)


def _noncentral_density(x: Value, df: Value, nc: Value) -> Value:
    """Of the noncentral chi squared distribution."""
    half = 0.5 * df
    return 0.5 * exp((half - 1) * log(0.5 * x) - 0.5 * (x + nc) - gammaln(half)) * hyp0f1(half, 0.25 * (nc * x))


def _noncentral_f_density(dfn: Value, dfd: Value, nc: Value, x: Value) -> Value:
    share = dfn * x / (dfd + dfn * x)
    return _f_density(dfn, dfd, x) * exp(-0.5 * nc) * hyp1f1(0.5 * (dfn + dfd), 0.5 * dfn, 0.5 * (nc * share))


def _student_density(df: Value, nc: Value, x: Value) -> Value:
    """Of Student's distribution that is not centred: by Kummer's functions, where these would cancel each other by Tricomi's."""
    whole, half, product = df + x * x, 0.5 * df, nc * x
    z, against = product * product / (2.0 * whole), product < 0
    near, far = against.where(0.0, z), against.where(z, 1.0)
    root = against.where(0.0, product) / sqrt(2.0 * whole)
    both = exp(-gammaln(half + 1.0)) * of_numbers(hyp1f1, half + 0.5, 0.5, near) + 2.0 * root * exp(-gammaln(half + 0.5)) * of_numbers(hyp1f1, half + 1.0, 1.5, near)
    logarithm = half * log(df) + gammaln(df + 1.0) - df * math.log(2.0) - 0.5 * nc * nc - (half + 0.5) * log(whole) - gammaln(half)
    return exp(logarithm) * against.where(of_numbers(hyperu, half + 0.5, 0.5, far) / math.sqrt(math.pi), both)


def _chdtr_partials(ans: Value, v: Value, x: Value) -> tuple[Value, Value]:
    density = _chi_squared_density(v, x)
    return -(gamma_motion(0.5 * v, 0.5 * x) * density), density


def _chdtrc_partials(ans: Value, v: Value, x: Value) -> tuple[Value, Value]:
    density = _chi_squared_density(v, x)
    return gamma_motion(0.5 * v, 0.5 * x) * density, -density


chdtr = scipy_row("chdtr", _chdtr_partials, POSITIVE, POSITIVE, own_name="chdtr_function")
chdtrc = scipy_row("chdtrc", _chdtrc_partials, POSITIVE, POSITIVE, own_name="chdtrc_function")
chdtri = scipy_row("chdtri", lambda ans, v, p: (gamma_motion(0.5 * v, 0.5 * ans), Over(-_chi_squared_density(v, ans))), POSITIVE, INSIDE, own_name="chdtri_function")
fdtr, fdtrc = _probability("fdtr", _f_density, POSITIVE, POSITIVE), _probability("fdtrc", _less(_f_density), POSITIVE, POSITIVE)
fdtri = _quantile("fdtri", _f_density, POSITIVE, POSITIVE)
pdtr, pdtrc = _probability("pdtr", _less(_poisson_density), COUNTS), _probability("pdtrc", _poisson_density, COUNTS)
pdtri = _quantile("pdtri", lambda k, m: -_poisson_density(convert(k, dtype=m.dtype), m), COUNTS, takes="ld")
bdtr = _probability("bdtr", _less(_binomial_density), COUNTS, TRIALS, of=INSIDE, takes="dld")
bdtrc = _probability("bdtrc", _binomial_density, COUNTS, TRIALS, of=INSIDE, takes="dld")
bdtri = _quantile("bdtri", _less(_binomial_density), COUNTS, TRIALS, takes="dld")
nbdtr = _probability("nbdtr", _negative_binomial_density, COUNTS, COUNTS, of=INSIDE, takes="lld")
nbdtrc = _probability("nbdtrc", _less(_negative_binomial_density), COUNTS, COUNTS, of=INSIDE, takes="lld")
nbdtri = _quantile("nbdtri", _negative_binomial_density, COUNTS, COUNTS, takes="lld")


def _of_rate(name: str, turned: bool) -> Primitive:
    """gdtr(a, b, x) = gammainc(b, a x), and what is left of 1."""

    def partials(ans: Value, a: Value, b: Value, x: Value) -> tuple[Value, Value, Value]:
        density = gamma_density(b, a * x)
        density = -density if turned else density
        return x * density, -(gamma_motion(b, a * x) * density), a * density

    return scipy_row(name, partials, POSITIVE, POSITIVE, POSITIVE, own_name=f"{name}_function")


def _gdtrix_partials(ans: Value, a: Value, b: Value, p: Value) -> tuple[Value, Value, Over]:
    return -(ans / a), gamma_motion(b, a * ans) / a, Over(a * gamma_density(b, a * ans))


def _chndtr_partials(ans: Value, x: Value, df: Value, nc: Value) -> tuple[Value, Missing, Value]:
    return _noncentral_density(x, df, nc), missing("df", "chndtr"), -_noncentral_density(x, df + 2, nc)


def _owens_t_partials(ans: Value, h: Value, a: Value) -> tuple[Value, Value]:
    square, spread = h * h, 1 + a * a
    return exp(-0.5 * square) * erf(a * h / ROOT_TWO) * (-0.5 / math.sqrt(2 * math.pi)), exp(-0.5 * (square * spread)) / (2 * math.pi * spread)


def _tklmbda_partials(ans: Value, x: Value, lam: Value) -> tuple[Value, Value]:
    """Of x = (p^lam - q^lam) / lam with the chance p and q = 1 - p; for small lam by the series of both powers. None outside of the support, where p is 0 or 1."""
    inside = ans * (1 - ans) > 0
    chance = inside.where(ans, 0.5)
    p, q = log(chance), log1p(-chance)
    density = inside.where(1 / (exp((lam - 1) * p) + exp((lam - 1) * q)), 0.0)
    is_small = absolute(lam) < 0.001
    change = (exp(lam * p) * p - exp(lam * q) * q - x) / is_small.where(1.0, lam)
    p_power, q_power, lam_power = p * p, q * q, lam
    series = 0.5 * (p_power - q_power)
    for order in range(3, 9):
        p_power, q_power = p_power * p, q_power * q
        series = series + (order - 1) / math.factorial(order) * lam_power * (p_power - q_power)
        lam_power = lam_power * lam
    return density, -(is_small.where(series, change) * density)


gdtr, gdtrc = _of_rate("gdtr", turned=False), _of_rate("gdtrc", turned=True)
gdtrix = scipy_row("gdtrix", _gdtrix_partials, POSITIVE, POSITIVE, INSIDE, own_name="gdtrix_function")
chndtr = scipy_row("chndtr", _chndtr_partials, POSITIVE, POSITIVE, POSITIVE, own_name="chndtr_function", only=(0, 2))
owens_t = scipy_row("owens_t", _owens_t_partials, REAL, REAL)


def _kolmogorov_slope(x: Value) -> Value:
    """Of Kolmogorov's distribution, 0 up to 0, then 2 sum((-1)**(k - 1) exp(-2 k**2 x**2)); of small x by what Poisson's sum formula makes of that."""
    is_small, square = x < 1, x * x
    low, high = is_small.where(square, 1.0), is_small.where(1.0, square)
    ahead, behind = exp(math.pi**2 / -8 / low) * (math.pi**2 / 4 / low - 1), exp(-2 * high)
    for k in range(2, 6):
        odd = (2 * k - 1) ** 2
        ahead = ahead + exp(odd * math.pi**2 / -8 / low) * (odd * math.pi**2 / 4 / low - 1)
        behind = behind + (-1) ** (k - 1) * k * k * exp(-2.0 * k * k * high)
    return (x <= 0).where(0.0, is_small.where(-math.sqrt(2 * math.pi) * ahead / low, -8 * x * behind))


kolmogorov = scipy_row("kolmogorov", lambda ans, x: (_kolmogorov_slope(x),), POSITIVE, own_name="kolmogorov_function")
kolmogi = scipy_row("kolmogi", lambda ans, p: (Over(_kolmogorov_slope(ans)),), INSIDE, own_name="kolmogi_function")
smirnov, smirnovi = _valued("smirnov", TRIALS, INSIDE, takes="ld"), _valued("smirnovi", TRIALS, INSIDE, takes="ld")
nctdtr, ncfdtr = _probability("nctdtr", _student_density, POSITIVE, REAL, of=REAL), _probability("ncfdtr", _noncentral_f_density, POSITIVE, POSITIVE, POSITIVE)
tklmbda = scipy_row("tklmbda", _tklmbda_partials, (-0.9, 0.9), (0.2, 0.9), own_name="tklmbda_function")

# ---- inverses by parameters, which SciPy searches for ------------------------------------------------------------------------------

pdtrik, stdtridf = _valued("pdtrik", INSIDE, POSITIVE), _valued("stdtridf", INSIDE, POSITIVE)
chndtrix, chndtridf, chndtrinc = _valued("chndtrix", INSIDE, POSITIVE, POSITIVE), _valued("chndtridf", INSIDE, POSITIVE, POSITIVE), _valued("chndtrinc", INSIDE, POSITIVE, POSITIVE)
nctdtrit, nctdtridf, nctdtrinc = _valued("nctdtrit", INSIDE, POSITIVE, POSITIVE), _valued("nctdtridf", INSIDE, POSITIVE, POSITIVE), _valued("nctdtrinc", INSIDE, POSITIVE, POSITIVE)
gdtria, gdtrib, fdtridfd = _valued("gdtria", INSIDE, POSITIVE, POSITIVE), _valued("gdtrib", INSIDE, POSITIVE, POSITIVE), _valued("fdtridfd", INSIDE, POSITIVE, POSITIVE)
btdtria, btdtrib, bdtrik = _valued("btdtria", INSIDE, POSITIVE, POSITIVE), _valued("btdtrib", INSIDE, POSITIVE, POSITIVE), _valued("bdtrik", INSIDE, POSITIVE, POSITIVE)
bdtrin, nbdtrik, nbdtrin = _valued("bdtrin", INSIDE, POSITIVE, POSITIVE), _valued("nbdtrik", INSIDE, POSITIVE, POSITIVE), _valued("nbdtrin", INSIDE, POSITIVE, POSITIVE)
nrdtrimn, nrdtrisd = _valued("nrdtrimn", INSIDE, POSITIVE, POSITIVE), _valued("nrdtrisd", INSIDE, POSITIVE, POSITIVE)
ncfdtri, ncfdtridfd = _valued("ncfdtri", POSITIVE, POSITIVE, POSITIVE, INSIDE), _valued("ncfdtridfd", POSITIVE, POSITIVE, POSITIVE, INSIDE)
ncfdtridfn, ncfdtrinc = _valued("ncfdtridfn", POSITIVE, POSITIVE, POSITIVE, INSIDE), _valued("ncfdtrinc", POSITIVE, POSITIVE, POSITIVE, INSIDE)
INVERSES: dict[str, Loops] = {
    "pdtrik": pdtrik, "stdtridf": stdtridf, "chndtrix": chndtrix, "chndtridf": chndtridf, "chndtrinc": chndtrinc, "nctdtrit": nctdtrit, "nctdtridf": nctdtridf, "nctdtrinc": nctdtrinc, "gdtria": gdtria, "gdtrib": gdtrib, "fdtridfd": fdtridfd,
    "btdtria": btdtria, "btdtrib": btdtrib, "bdtrik": bdtrik, "bdtrin": bdtrin, "nbdtrik": nbdtrik, "nbdtrin": nbdtrin, "nrdtrimn": nrdtrimn, "nrdtrisd": nrdtrisd, "ncfdtri": ncfdtri, "ncfdtridfd": ncfdtridfd, "ncfdtridfn": ncfdtridfn, "ncfdtrinc": ncfdtrinc,
}  # fmt: skip
"""By their names in scipy.special; values alone, which SciPy's search finds with few digits."""

# ---- Box and Cox ----------------------------------------------------------------------------------------------------------------


def _by_exponent(logarithm: Value, rate: Value) -> Value:
    """The change of (exp(rate * logarithm) - 1) / rate with the rate."""
    return logarithm * logarithm * 0.5 * of_numbers(hyp1f1, 2.0, 3.0, rate * logarithm)


def _boxcox_partials(ans: Value, x: Value, rate: Value) -> tuple[Value, Value]:
    logarithm = log(x)
    return exp((rate - 1) * logarithm), _by_exponent(logarithm, rate)


def _boxcox1p_partials(ans: Value, x: Value, rate: Value) -> tuple[Value, Value]:
    logarithm = log1p(x)
    return exp((rate - 1) * logarithm), _by_exponent(logarithm, rate)


def _inverse_partials(whole: Value, y: Value, rate: Value) -> tuple[Value, Value]:
    """Of exp(log(1 + rate y) / rate)."""
    grown = rate * y
    return whole / (1 + grown), -0.5 * (whole * (y * y) * of_numbers(hyp2f1, 2.0, 2.0, 3.0, -grown))


boxcox = scipy_row("boxcox", _boxcox_partials, POSITIVE, REAL, own_name="box_cox")
boxcox1p = scipy_row("boxcox1p", _boxcox1p_partials, POSITIVE, REAL, own_name="box_cox_1p")
inv_boxcox = scipy_row("inv_boxcox", _inverse_partials, POSITIVE, POSITIVE, own_name="inverse_box_cox")
inv_boxcox1p = scipy_row("inv_boxcox1p", lambda ans, y, rate: _inverse_partials(ans + 1, y, rate), POSITIVE, POSITIVE, own_name="inverse_box_cox_1p")
powm1 = scipy_row("powm1", lambda ans, x, y: (y * power(x, y - 1), (ans + 1) * log(x)), POSITIVE, REAL)

# ---- losses ---------------------------------------------------------------------------------------------------------------------


def _huber_partials(ans: Value, delta: Value, r: Value) -> tuple[Value, Value]:
    size = absolute(r)
    inside = size <= delta
    return inside.where(0.0, size - delta), inside.where(r, delta * sign(r))


def _pseudo_huber_partials(ans: Value, delta: Value, r: Value) -> tuple[Value, Value]:
    """By sqrt(1 + (r / delta)²), without differences of what is nearly the same."""
    square = (r / delta) * (r / delta)
    root = sqrt(1 + square)
    return delta * square * square / (root * (root + 1) * (root + 1)), r / root


huber = scipy_row("huber", _huber_partials, POSITIVE, (-6.0, 6.0), own_name="huber_loss")
pseudo_huber = scipy_row("pseudo_huber", _pseudo_huber_partials, POSITIVE, REAL, own_name="pseudo_huber_loss")

PROBABILITIES: dict[str, Loops] = {
    "chdtr": chdtr, "chdtrc": chdtrc, "chdtri": chdtri, "fdtr": fdtr, "fdtrc": fdtrc, "fdtri": fdtri, "pdtr": pdtr, "pdtrc": pdtrc, "pdtri": {"ld": pdtri}, "bdtr": {"dld": bdtr}, "bdtrc": {"dld": bdtrc},
    "bdtri": {"dld": bdtri}, "nbdtr": {"lld": nbdtr}, "nbdtrc": {"lld": nbdtrc}, "nbdtri": {"lld": nbdtri}, "gdtr": gdtr, "gdtrc": gdtrc, "gdtrix": gdtrix, "chndtr": chndtr, "owens_t": owens_t,
    "kolmogorov": kolmogorov, "kolmogi": kolmogi, "smirnov": {"ld": smirnov}, "smirnovi": {"ld": smirnovi}, "nctdtr": nctdtr, "ncfdtr": ncfdtr, "tklmbda": tklmbda, "boxcox": boxcox,
    "boxcox1p": boxcox1p, "inv_boxcox": inv_boxcox, "inv_boxcox1p": inv_boxcox1p, "powm1": powm1, "huber": huber, "pseudo_huber": pseudo_huber, **INVERSES,
}  # fmt: skip
"""By their names in scipy.special."""

ROWS = rows_of(PROBABILITIES)
