"""scipy.stats: distributions that lean to one side, by their formulas: Student's that is not centred, Jones' and Faddy's; Erlang's."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.family import Family, one, positive, zero
from s2s.transforms.read.composed.special_by_name import gammainc, gammaincc, gammainccinv, gammaincinv


def _erlang_logpdf(y, a):
    import scipy.special as sp

    return sp.xlogy(a - 1.0, y) - y - sp.gammaln(a)


ERLANG = Family(
    "a", positive, zero, logpdf=_erlang_logpdf, cdf=lambda y, a: gammainc(a, y), sf=lambda y, a: gammaincc(a, y), ppf=lambda q, a: gammaincinv(a, q), isf=lambda q, a: gammainccinv(a, q),
    mean=lambda a: a, var=lambda a: a,
)  # fmt: skip

# ---- Student's, not centred -----------------------------------------------------------------------------------------------------------


def _nct_logpdf(y, df, nc):
    """By Kummer's functions; where they would cancel each other, by Tricomi's."""
    import scipy.special as sp

    whole, half = df + y * y, df / 2.0
    z = (nc * y) ** 2 / (2.0 * whole)
    against = nc * y < 0
    near, far = np.where(against, 0.0, z), np.where(against, z, 1.0)
    root = np.where(against, 0.0, nc * y) / np.sqrt(2.0 * whole)
    both = np.exp(-sp.gammaln(half + 1.0)) * sp.hyp1f1(half + 0.5, 0.5, near) + 2.0 * root * np.exp(-sp.gammaln(half + 0.5)) * sp.hyp1f1(half + 1.0, 1.5, near)
    factor = np.where(against, sp.hyperu(half + 0.5, 0.5, far) / np.sqrt(np.pi), both)
    return half * np.log(df) + sp.gammaln(df + 1.0) - df * np.log(2.0) - nc * nc / 2.0 - (half + 0.5) * np.log(whole) - sp.gammaln(half) + np.log(factor)


def _nct_cdf(y, df, nc):
    import scipy.special as sp

    return sp.nctdtr(df, nc, y)


def _nct_mean(df, nc):
    import scipy.special as sp

    there = np.greater(df, 1)
    held = np.where(there, df, 2.0)
    return np.where(there, nc * np.sqrt(held / 2.0) * np.exp(sp.gammaln((held - 1.0) / 2.0) - sp.gammaln(held / 2.0)), np.nan)


def _nct_var(df, nc):
    there = np.greater(df, 2)
    held = np.where(there, df, 3.0)
    return np.where(there, held / (held - 2.0) * (1.0 + nc * nc) - _nct_mean(held, nc) ** 2, np.nan)


NCT = Family(
    "df, nc", lambda df, nc: np.greater(df, 0) & np.equal(nc, nc), logpdf=_nct_logpdf, cdf=_nct_cdf, sf=lambda y, df, nc: _nct_cdf(-y, df, -nc),
    mean=_nct_mean, var=_nct_var,
)  # fmt: skip


# ---- Jones' and Faddy's ---------------------------------------------------------------------------------------------------------------


def _jones_side(y, a, b):
    """1 + y / root and 1 - y / root, of which the small one keeps its digits."""
    root = np.sqrt(a + b + y * y)
    small = (a + b) / (root * (root + np.abs(y)))
    large = 1.0 + np.abs(y) / root
    return np.where(y > 0, large, small), np.where(y > 0, small, large)


def _jones_logpdf(y, a, b):
    import scipy.special as sp

    above, below = _jones_side(y, a, b)
    return (a + 0.5) * np.log(above) + (b + 0.5) * np.log(below) - (a + b - 1.0) * np.log(2.0) - sp.betaln(a, b) - 0.5 * np.log(a + b)


def _jones_cdf(y, a, b):
    import scipy.special as sp

    above, below = _jones_side(y, a, b)
    return np.where(y > 0, sp.betaincc(b, a, below / 2.0), sp.betainc(a, b, above / 2.0))


def _jones_ppf(q, a, b):
    import scipy.special as sp

    part = sp.betaincinv(a, b, q)
    return (2.0 * part - 1.0) * np.sqrt(a + b) / (2.0 * np.sqrt(part * (1.0 - part)))


JF_SKEW_T = Family(
    "a, b", lambda a, b: np.greater(a, 0) & np.greater(b, 0), logpdf=_jones_logpdf, cdf=_jones_cdf, sf=lambda y, a, b: _jones_cdf(-y, b, a), ppf=_jones_ppf, isf=lambda q, a, b: -_jones_ppf(q, b, a),
)

# ---- of which the density is a formula -----------------------------------------------------------------------------------------------


def vonmises_logpdf(y, kappa):
    """Of both distributions of angles, on the circle and on the line."""
    import scipy.special as sp

    return -2.0 * kappa * np.sin(y / 2.0) ** 2 - np.log(2.0 * np.pi) - np.log(sp.i0e(kappa))


def vonmises_cdf(y, kappa):
    """Of both: the series of Hill 1977 (algorithm 518), beyond kappa = 50 his normal approximation; each turn adds 1."""
    import scipy.special as sp

    turns = np.round(y / (2.0 * np.pi))
    y = y - turns * (2.0 * np.pi)
    near = np.where(kappa < 50.0, kappa, 0.0)
    ratio, found = 0.0 * near, 0.0 * near * y
    for n in range(VONMISES_TERMS, 0, -1):
        ratio = near / (2.0 * n + near * ratio)
        found = ratio * (np.sin(n * y) / n + found)
    normal = sp.ndtr(np.sqrt(2.0 / np.pi) / sp.i0e(kappa) * np.sin(y / 2.0))
    return turns + np.where(kappa < 50.0, np.clip(0.5 + y / (2.0 * np.pi) + found / np.pi, 0.0, 1.0), normal)


VONMISES_TERMS = 51
"""As many as SciPy takes just below kappa = 50."""
VONMISES_LINE = Family("kappa", lambda kappa: np.greater_equal(kappa, 0), lambda kappa: -np.pi, lambda kappa: np.pi, logpdf=vonmises_logpdf, cdf=vonmises_cdf)


def _hypergeometric_logpdf(y, a, b, c, z):
    import scipy.special as sp

    return sp.xlogy(a - 1.0, y) + sp.xlog1py(b - 1.0, -y) - c * np.log1p(z * y) - sp.betaln(a, b) - np.log(sp.hyp2f1(c, a, a + b, -z))


GAUSSHYPER = Family("a, b, c, z", lambda a, b, c, z: np.greater(a, 0) & np.greater(b, 0) & np.equal(c, c) & np.greater(z, -1), zero, one, logpdf=_hypergeometric_logpdf)

SKEWED = {"vonmises_line": VONMISES_LINE, "gausshyper": GAUSSHYPER, "erlang": ERLANG, "nct": NCT, "jf_skew_t": JF_SKEW_T}
"""By SciPy's name."""
