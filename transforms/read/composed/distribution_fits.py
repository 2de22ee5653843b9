"""scipy.stats: distributions fitted to data by formulas, or by the roots of the likelihood's slopes. Where SciPy searches see `distribution_searches.py`."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import unsupported

FIXED = "All parameters fixed. There is nothing to optimize."


def _finite(data):
    data = np.asarray(data)
    if not np.all(np.isfinite(data)):
        raise ValueError("The data contains non-finite values.")
    return data


def one_data(data):
    """Finite data in one axis, as floats."""
    return np.ravel(_finite(data)).astype(np.float64)


def one_free(floc, fscale):
    """Location or scale is not known."""
    if floc is not None and fscale is not None:
        raise ValueError(FIXED)


def by_likelihood(name, method):
    """No other method than the likeliest parameters."""
    if method not in ("MLE", "mle"):
        unsupported(f"scipy.stats.{name}.fit(…, method={method!r})", "method='MLE'")


def outside(name, low, high):
    """What SciPy raises (a ValueError) of data beyond the support."""
    return f"Invalid values in `data`.  Maximum likelihood estimation with '{name}' requires that {low!r} < (x - loc)/scale  < {high!r} for each x in `data`."


def norm_fit(data, *, floc=None, fscale=None, method="MLE"):
    """scipy.stats.norm.fit: mean and standard deviation."""
    by_likelihood("norm", method)
    one_free(floc, fscale)
    data = _finite(data)
    loc = np.mean(data) if floc is None else floc
    return loc, np.sqrt(np.mean((data - loc) ** 2)) if fscale is None else fscale


def expon_fit(data, *, floc=None, fscale=None, method="MLE"):
    """scipy.stats.expon.fit: the least number, and how far the mean is from it."""
    by_likelihood("expon", method)
    one_free(floc, fscale)
    data = _finite(data)
    loc = np.min(data) if floc is None else floc
    if np.min(data) < loc:
        raise ValueError(outside("expon", loc, np.inf))
    return np.float64(loc), np.float64(np.mean(data) - loc if fscale is None else fscale)


def laplace_fit(data, *, floc=None, fscale=None, method="MLE"):
    """scipy.stats.laplace.fit: the median, and the mean distance from it."""
    by_likelihood("laplace", method)
    if floc is not None and fscale is not None:
        raise RuntimeError(FIXED)
    data = _finite(data)
    loc = np.median(data) if floc is None else floc
    return loc, np.sum(np.abs(data - loc)) / len(data) if fscale is None else fscale


def uniform_fit(data, *, floc=None, fscale=None, method="MLE"):
    """scipy.stats.uniform.fit: the least number and the range."""
    by_likelihood("uniform", method)
    one_free(floc, fscale)
    data = _finite(data)
    least, most = np.min(data), np.max(data)
    if fscale is not None:
        if most - least > fscale:
            raise ValueError("Invalid values in `data`.  Maximum likelihood estimation with the uniform distribution and fixed scale requires that np.ptp(data) <= fscale.")
        return float(least - 0.5 * (fscale - (most - least))), float(fscale)
    loc = least if floc is None else floc
    if least < loc:
        raise ValueError(outside("uniform", "loc", "loc + scale"))
    return float(loc), float(most - loc)


def gamma_fit(data, *guesses, floc=None, fscale=None, f0=None, fa=None, method="MLE", loc=0, scale=1):
    """scipy.stats.gamma.fit with a known location: the root of the likelihood's slope along the shape."""
    import scipy.optimize
    import scipy.special as sp

    by_likelihood("gamma", method)
    if floc is None:
        unsupported("scipy.stats.gamma.fit with the location free", "floc=0", "SciPy searches for it")
    known = fa if f0 is None else f0
    if fscale is not None:
        if known is not None:
            raise ValueError(FIXED)
        unsupported("scipy.stats.gamma.fit(…, fscale=…)", "the scale free")
    data = _finite(data)
    if np.any(data <= floc):
        raise ValueError(outside("gamma", floc, np.inf))
    moved = data - floc
    mean = np.mean(moved)
    if known is not None:
        return known, floc, mean / known
    gap = np.log(mean) - np.mean(np.log(moved))
    guess = (3.0 - gap + np.sqrt((gap - 3.0) ** 2 + 24.0 * gap)) / (12.0 * gap)
    shape = scipy.optimize.brentq(lambda a: np.log(a) - sp.digamma(a) - gap, guess * (1 - 0.4), guess * (1 + 0.4))
    return shape, floc, mean / shape


def lognorm_fit(data, *guesses, floc=None, fscale=None, f0=None, fs=None, method="MLE", loc=0, scale=1):
    """scipy.stats.lognorm.fit with a known location: mean and standard deviation of the logarithms."""
    by_likelihood("lognorm", method)
    if floc is None:
        unsupported("scipy.stats.lognorm.fit with the location free", "floc=0", "SciPy searches for it")
    known = fs if f0 is None else f0
    if known is not None and fscale is not None:
        raise RuntimeError(FIXED)
    data = _finite(data)
    if floc >= np.min(data):
        raise ValueError(outside("lognorm", 0.0, np.inf))
    logarithms = np.log(data - floc)
    found = np.exp(np.mean(logarithms)) if fscale is None else fscale
    shape = np.sqrt(np.mean((logarithms - np.log(found)) ** 2)) if known is None else known
    return shape, floc, found


def beta_fit(data, *guesses, floc=None, fscale=None, f0=None, f1=None, fa=None, fb=None, method="MLE", loc=0, scale=1):
    """scipy.stats.beta.fit with known location and scale: the root of the likelihood's slopes along both shapes."""
    import scipy.optimize
    import scipy.special as sp

    by_likelihood("beta", method)
    if floc is None or fscale is None:
        unsupported("scipy.stats.beta.fit with location or scale free", "floc=0, fscale=1", "SciPy searches for them")
    if not (f0 is None and f1 is None and fa is None and fb is None):
        unsupported("scipy.stats.beta.fit with a known shape", "both shapes free")
    data = (np.ravel(_finite(data)) - floc) / fscale
    if np.any(data <= 0) or np.any(data >= 1):
        raise ValueError(outside("beta", floc, floc + fscale))
    mean, low, high = np.mean(data), np.mean(np.log(data)), np.mean(np.log1p(-data))
    share = mean * (1.0 - mean) / np.var(data) - 1.0

    def slopes(shapes):
        a, b = shapes
        whole = sp.psi(a + b)
        return np.stack((low - sp.psi(a) + whole, high - sp.psi(b) + whole))

    a, b = scipy.optimize.fsolve(slopes, np.stack((mean * share, (1.0 - mean) * share)))
    return a, b, floc, fscale


def logistic_fit(data, *, floc=None, fscale=None, method="MLE"):
    """scipy.stats.logistic.fit: the root of the likelihood's slopes."""
    import scipy.optimize
    import scipy.special as sp

    by_likelihood("logistic", method)
    if floc is not None or fscale is not None:
        unsupported("scipy.stats.logistic.fit with a known location or scale", "both free")
    data = _finite(data)

    def slopes(parameters):
        loc, scale = parameters
        y = (data - loc) / scale
        return np.stack((np.mean(sp.expit(y)) - 0.5, np.mean(y * np.tanh(y / 2.0)) - 1.0))

    loc, scale = scipy.optimize.fsolve(slopes, np.stack((np.mean(data), np.std(data) * 0.5513288954217920)))
    return loc, np.abs(scale)


def rayleigh_fit(data, *, floc=None, fscale=None, method="MLE"):
    """scipy.stats.rayleigh.fit with a known location: the root of half of the mean square."""
    by_likelihood("rayleigh", method)
    if floc is None or fscale is not None:
        unsupported("scipy.stats.rayleigh.fit with the location free, or with a known scale", "floc=0")
    data = _finite(data)
    if np.any(data - floc <= 0):
        raise ValueError(outside("rayleigh", floc, np.inf))
    return floc, np.sqrt(np.sum((data - floc) ** 2) / (2 * len(data)))


def weibull_min_fit(data, *guesses, floc=None, fscale=None, f0=None, fc=None, method="MLE", loc=0, scale=1):
    """scipy.stats.weibull_min.fit with a known location: the root of the likelihood's slope along the shape, to all digits (SciPy's search ends within 1e-4)."""
    import scipy.optimize

    by_likelihood("weibull_min", method)
    if floc is None or fscale is not None or f0 is not None or fc is not None:
        unsupported("scipy.stats.weibull_min.fit with the location free, or with a known shape or scale", "floc=0")
    moved = one_data(data) - floc
    if np.any(moved <= 0):
        raise NotImplementedError("scipy.stats.weibull_min.fit of data at or below the location (the likelihood is 0) is not supported")
    if np.min(moved) == np.max(moved):
        raise NotImplementedError("scipy.stats.weibull_min.fit of data that are all equal (the likelihood has no maximum) is not supported")
    logarithms = np.log(moved)
    gaps = logarithms - np.max(logarithms)

    def slope(c):
        weights = np.exp(c * gaps)
        return np.sum(weights * gaps) / np.sum(weights) - 1.0 / c - np.mean(gaps)

    low = high = 1.0
    while slope(low) > 0:
        low /= 2.0
    while slope(high) < 0:
        high *= 2.0
    shape = scipy.optimize.brentq(slope, low, high, xtol=1e-15) if low < high else 1.0
    return shape, floc, np.exp(np.max(logarithms) + np.log(np.mean(np.exp(shape * gaps))) / shape)


FITS: dict[str, Callable[..., Any]] = {
    f"scipy.stats.{function.__name__[:-4]}.fit": function
    for function in (norm_fit, expon_fit, laplace_fit, uniform_fit, lognorm_fit, beta_fit, logistic_fit)
}
"""By qualified name."""
