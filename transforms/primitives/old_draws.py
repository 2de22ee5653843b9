"""How RandomState draws where Generator goes another way: functions whose source is copied into emitted modules, and which run as they stand.

NumPy keeps these algorithms as they were for the sake of their streams, and exports none of them. Here they stand in Python, made of the
uniform numbers (and the rejection for large binomials, the sum of logarithms) that it exports. Sources, by function: Marsaglia's polar
method; Marsaglia and Tsang 2000 and Ahrens and Dieter 1974 (gamma); Jöhnk 1964 (beta); Michael, Schucany and Haas 1976 (wald); Best and
Fisher 1979 (vonmises); Kemp 1981 (logseries); Devroye 1986 (zipf); Stadlober 1989 (hypergeometric).

`here` is the address of a generator, `left` says whether a normal number is left over, and the bits of which.
"""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2s.transforms.primitives.generator_memory import generator

# ---- one number of the polar method, and what is made of them ----------------------------------------------------------------------


def old_normal(here, left):  # type: ignore[no-untyped-def]
    """A standard normal number; they come in pairs."""
    if left[0] != 0:
        number = left.view(np.float64)[1]
        left[0] = 0
        left[1] = 0
        return number
    square = 0.0
    x = y = 0.0
    while square >= 1.0 or square == 0.0:
        x = 2.0 * random_standard_uniform(here) - 1.0
        y = 2.0 * random_standard_uniform(here) - 1.0
        square = x * x + y * y
    scale = math.sqrt(-2.0 * math.log(square) / square)
    left[0] = 1
    left.view(np.float64)[1] = scale * x
    return scale * y


def old_gamma(here, left, shape):  # type: ignore[no-untyped-def]
    """A number of the standard gamma distribution."""
    if shape == 1.0:
        return -math.log1p(-random_standard_uniform(here))
    if shape == 0.0:
        return 0.0
    if shape < 1.0:
        while True:
            u = random_standard_uniform(here)
            v = -math.log1p(-random_standard_uniform(here))
            if u <= 1.0 - shape:
                x = u ** (1.0 / shape)
                if x <= v:
                    return x
            else:
                y = -math.log((1.0 - u) / shape)
                x = (1.0 - shape + shape * y) ** (1.0 / shape)
                if x <= v + y:
                    return x
    b = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * b)
    while True:
        x = old_normal(here, left)
        v = 1.0 + c * x
        while v <= 0.0:
            x = old_normal(here, left)
            v = 1.0 + c * x
        v = v * v * v
        u = random_standard_uniform(here)
        if u < 1.0 - 0.0331 * (x * x) * (x * x) or math.log(u) < 0.5 * x * x + b * (1.0 - v + math.log(v)):
            return b * v


def old_chisquare(here, left, df):  # type: ignore[no-untyped-def]
    """A number of the chi-square distribution."""
    return 2.0 * old_gamma(here, left, df / 2.0)


def old_noncentral_chisquare(here, left, df, nonc):  # type: ignore[no-untyped-def]
    """A number of the noncentral chi-square distribution."""
    if nonc == 0.0:
        return old_chisquare(here, left, df)
    if df > 1.0:
        found = old_chisquare(here, left, df - 1.0)
        n = old_normal(here, left) + math.sqrt(nonc)
        return found + n * n
    found = old_chisquare(here, left, df + 2.0 * random_poisson(here, nonc / 2.0))
    return nonc if math.isnan(nonc) else found


def old_f(here, left, dfnum, dfden):  # type: ignore[no-untyped-def]
    """A number of the F distribution."""
    above = old_chisquare(here, left, dfnum) * dfden
    return above / (old_chisquare(here, left, dfden) * dfnum)


def old_noncentral_f(here, left, dfnum, dfden, nonc):  # type: ignore[no-untyped-def]
    """A number of the noncentral F distribution."""
    above = old_noncentral_chisquare(here, left, dfnum, nonc) * dfden
    return above / (old_chisquare(here, left, dfden) * dfnum)


def old_beta(here, left, a, b):  # type: ignore[no-untyped-def]
    """A number of the beta distribution."""
    if a <= 1.0 and b <= 1.0:
        while True:
            u = random_standard_uniform(here)
            v = random_standard_uniform(here)
            x = u ** (1.0 / a)
            y = v ** (1.0 / b)
            if x + y <= 1.0:
                if x + y > 0.0:
                    return x / (x + y)
                log_x = math.log(u) / a
                log_y = math.log(v) / b
                most = max(log_x, log_y)
                log_x -= most
                log_y -= most
                return math.exp(log_x - math.log(math.exp(log_x) + math.exp(log_y)))
    x = old_gamma(here, left, a)
    return x / (x + old_gamma(here, left, b))


def old_standard_t(here, left, df):  # type: ignore[no-untyped-def]
    """A number of Student's t distribution."""
    above = old_normal(here, left)
    return math.sqrt(df / 2.0) * above / math.sqrt(old_gamma(here, left, df / 2.0))


def old_cauchy(here, left):  # type: ignore[no-untyped-def]
    """A number of the standard Cauchy distribution."""
    above = old_normal(here, left)
    return above / old_normal(here, left)


def old_wald(here, left, mean, scale):  # type: ignore[no-untyped-def]
    """A number of the inverse Gaussian distribution."""
    half = mean / (2.0 * scale)
    y = old_normal(here, left)
    y = mean * y * y
    x = mean + half * (y - math.sqrt(4.0 * scale * y + y * y))
    if random_standard_uniform(here) <= mean / (mean + x):
        return x
    return mean * mean / x


def old_negative_binomial(here, left, n, p):  # type: ignore[no-untyped-def]
    """How many tries fail before n succeed."""
    return random_poisson(here, old_gamma(here, left, n) * ((1.0 - p) / p))


# ---- what is made of uniform numbers alone -----------------------------------------------------------------------------------------


def old_vonmises(memory, first, inner, mu, kappa):  # type: ignore[no-untyped-def]
    """An angle of the von Mises distribution."""
    here = generator(memory, first, inner)
    if kappa < 1e-8:
        return math.pi * (2.0 * random_standard_uniform(here) - 1.0)
    if kappa < 1e-5:
        s = 1.0 / kappa + kappa
    else:
        r = 1.0 + math.sqrt(1.0 + 4.0 * kappa * kappa)
        rho = (r - math.sqrt(2.0 * r)) / (2.0 * kappa)
        s = (1.0 + rho * rho) / (2.0 * rho)
    while True:
        z = math.cos(math.pi * random_standard_uniform(here))
        w = (1.0 + s * z) / (s + z)
        y = kappa * (s - w)
        v = random_standard_uniform(here)
        if y * (2.0 - y) - v >= 0.0 or math.log(y / v) + 1.0 - y >= 0.0:
            break
    angle = math.acos(w)
    if random_standard_uniform(here) < 0.5:
        angle = -angle
    angle += mu
    turned = (abs(angle) + math.pi) % (2.0 * math.pi) - math.pi
    return -turned if angle < 0.0 else turned


def old_geometric(memory, first, inner, p):  # type: ignore[no-untyped-def]
    """How many tries it takes."""
    here = generator(memory, first, inner)
    if p >= 0.333333333333333333333333:
        return random_geometric_search(here, p)
    return np.int64(math.ceil(math.log1p(-random_standard_uniform(here)) / math.log1p(-p)))


def old_logseries(memory, first, inner, p):  # type: ignore[no-untyped-def]
    """A number of the logarithmic series distribution."""
    here = generator(memory, first, inner)
    r = math.log1p(-p)
    while True:
        v = random_standard_uniform(here)
        if v >= p:
            return 1
        q = 1.0 - math.exp(r * random_standard_uniform(here))
        if v <= q * q:
            found = 0 if v == 0.0 else math.floor(1.0 + math.log(v) / math.log(q))
            if found >= 1:
                return found
        else:
            return 1 if v >= q else 2


def old_zipf(memory, first, inner, a):  # type: ignore[no-untyped-def]
    """A number of the Zipf distribution."""
    here = generator(memory, first, inner)
    b = 2.0 ** (a - 1.0)
    while True:
        u = 1.0 - random_standard_uniform(here)
        v = random_standard_uniform(here)
        x = math.floor(u ** (-1.0 / (a - 1.0)) + 0.0) if u ** (-1.0 / (a - 1.0)) <= 9.223372036854775e18 else 0
        if x >= 1:
            t = (1.0 + 1.0 / x) ** (a - 1.0)
            if v * x * (t - 1.0) / (b - 1.0) <= t / b:
                return x


def old_binomial(memory, first, inner, n, p):  # type: ignore[no-untyped-def]
    """How many of n tries succeed."""
    here = generator(memory, first, inner)
    prepared = np.zeros(32, np.int64)  # what NumPy keeps from one call with the same n and p to the next
    q = min(p, 1.0 - p)
    if q * n <= 30.0:
        count = random_binomial_inversion(here, n, q, prepared.ctypes.data)
    else:
        count = random_binomial_btpe(here, n, q, prepared.ctypes.data)
    prepared[0] = 0  # an address keeps no array: it was needed until here
    return count if p <= 0.5 else n - count


def old_hypergeometric(memory, first, inner, good, bad, count):  # type: ignore[no-untyped-def]
    """How many of `count` things that are drawn are good ones."""
    here = generator(memory, first, inner)
    fewer, more = min(good, bad), max(good, bad)
    if count <= 10:
        rest, left = float(fewer), count
        while rest > 0.0 and left > 0:
            rest -= math.floor(random_standard_uniform(here) + rest / (good + bad - count + left))
            left -= 1
        found = np.int64(fewer - rest)
        return count - found if good > bad else found
    total = good + bad
    m = min(count, total - count)
    share = fewer / total
    middle = m * share + 0.5
    spread = math.sqrt((total - m) * float(count) * share * (1.0 - share) / (total - 1) + 0.5)
    width = 1.7155277699214135 * spread + 0.8989161620588988
    mode = math.floor(float(m + 1) * (fewer + 1) / (total + 2))
    most = random_loggam(mode + 1.0) + random_loggam(fewer - mode + 1.0) + random_loggam(m - mode + 1.0) + random_loggam(more - m + mode + 1.0)
    end = min(min(m, fewer) + 1.0, math.floor(middle + 16 * spread))
    while True:
        x = random_standard_uniform(here)
        w = middle + width * (random_standard_uniform(here) - 0.5) / x
        if w < 0.0 or w >= end:
            continue
        z = math.floor(w)
        t = most - (random_loggam(z + 1.0) + random_loggam(fewer - z + 1.0) + random_loggam(m - z + 1.0) + random_loggam(more - m + z + 1.0))
        if x * (4.0 - x) - 3.0 <= t:
            break
        if x * (x - t) >= 1:
            continue
        if 2.0 * math.log(x) <= t:
            break
    found = m - z if good > bad else z
    return good - found if m < count else found


OLD_PAIRED = (old_normal, old_gamma, old_chisquare, old_noncentral_chisquare, old_f, old_noncentral_f, old_beta, old_standard_t, old_cauchy, old_wald, old_negative_binomial)
"""f(here, left, …): what needs normal numbers."""
OLD_SINGLE = (old_vonmises, old_geometric, old_logseries, old_zipf, old_binomial, old_hypergeometric)
"""f(memory, first, inner, …): one number."""

random_standard_uniform: Any = None
random_poisson: Any = None
random_geometric_search: Any = None
random_binomial_inversion: Any = None
random_binomial_btpe: Any = None
random_loggam: Any = None

__all__ = ["OLD_PAIRED", "OLD_SINGLE"]
