"""Methods of Python's random.Random, and the functions of the module random: they draw as Python does, so that the numbers are the same.

What floats are made of arithmetic is differentiated; what is drawn is a constant. Sources: Box and Muller 1958 (gauss); Kinderman and Monahan 1977
(normalvariate); Cheng 1977 and Ahrens and Dieter 1974 (gammavariate); Fisher 1993 (vonmisesvariate).
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import math
import sys
from bisect import bisect
from itertools import accumulate

import numpy as np

from s2s.transforms.read.composed.drawing import drawn, left_over, seeded
from s2s.transforms.read.composed.marks import unsupported


def random(rng):
    """rng.random."""
    return float(drawn(rng, "python_uniform", ()))


def seed(rng, a=None, version=2):
    """rng.seed."""
    if version != 2:
        unsupported("random.seed(…, version=1)", "random.seed(…)")
    seeded(rng, a)


def getrandbits(rng, k):
    """rng.getrandbits."""
    if k < 0:
        raise ValueError("number of bits must be non-negative")
    if k > 63:
        raise OverflowError(f"getrandbits({k}) gives more bits than 63: integers of run time have 64 bits, one of them the sign, in s2s")
    return int(drawn(rng, "python_bits", (), k))


def _below(rng, end):
    return int(drawn(rng, "python_below", (), end))


# ---- integers and orders -----------------------------------------------------------------------------------------------------------


def randrange(rng, start, stop=None, step=1):
    """rng.randrange."""
    if isinstance(start, float) or isinstance(stop, float) or isinstance(step, float):
        unsupported("random.randrange of floats", "int(…), as newer versions of Python want it")
    start, step = int(start), int(step)
    if stop is None:
        if start <= 0:
            raise ValueError("empty range for randrange()")
        return _below(rng, start)
    stop = int(stop)
    if step == 1:
        if stop <= start and sys.version_info >= (3, 12):
            raise ValueError(f"empty range in randrange({start}, {stop})")
        if stop <= start:
            raise ValueError(f"empty range for randrange() ({start}, {stop}, {stop - start})")
        return start + _below(rng, stop - start)
    if step == 0:
        raise ValueError("zero step for randrange()")
    count = len(range(start, stop, step))
    if count <= 0 and sys.version_info >= (3, 12):
        raise ValueError(f"empty range in randrange({start}, {stop}, {step})")
    if count <= 0:
        raise ValueError("empty range for randrange()")
    return start + step * _below(rng, count)


def randint(rng, a, b):
    """rng.randint."""
    return randrange(rng, a, b + 1)


def choice(rng, seq):
    """rng.choice."""
    if len(seq) == 0:
        raise IndexError("Cannot choose from an empty sequence")
    return seq[_below(rng, len(seq))]


def shuffle(rng, x):
    """rng.shuffle: each item changes places with one before it, or itself, the last one first."""
    if isinstance(x, list):  # its places do: only the run knows which of its items is which
        places = np.arange(len(x))
        shuffle(rng, places)
        x[:] = [x[place] for place in places]
        return
    for place in range(len(x) - 1, 0, -1):
        other = _below(rng, place + 1)
        x[place], x[other] = x[other], x[place]


def choices(rng, population, weights=None, *, cum_weights=None, k=1):
    """rng.choices."""
    count = len(population)
    if cum_weights is None and weights is None:
        return [population[math.floor(random(rng) * float(count))] for _ in range(k)]
    if cum_weights is not None and weights is not None:
        raise TypeError("Cannot specify both weights and cumulative weights")
    sums = list(accumulate(weights)) if cum_weights is None else list(cum_weights)
    if len(sums) != count:
        raise ValueError("The number of weights does not match the population")
    total = float(sums[-1])
    if total <= 0.0:
        raise ValueError("Total of weights must be greater than zero")
    if not math.isfinite(total):
        raise ValueError("Total of weights must be finite")
    return [population[bisect(sums, random(rng) * total, 0, count - 1)] for _ in range(k)]


def sample(rng, population, k, *, counts=None):
    """rng.sample: of few things those that were not drawn move together; of many it is remembered which were drawn."""
    if counts is not None:
        unsupported("random.sample(…, counts=…)", "a list that has each thing as often")
    if isinstance(population, set | frozenset | dict):
        raise TypeError("Population must be a sequence.  For dicts or sets, use sorted(d).")
    count = len(population)
    if not 0 <= k <= count:
        raise ValueError("Sample larger than population or is negative")
    places = sampled_places(rng, count, k)
    return [population[place] for place in places]


def sampled_places(rng, count, k):
    """Places of k things of so many."""
    room = 21.0
    if k > 5:
        room += 4.0 ** math.ceil(math.log(k * 3, 4))
    found = [0] * k
    if count <= room:
        pool = list(range(count))
        for i in range(k):
            place = _below(rng, count - i)
            found[i] = pool[place]
            pool[place] = pool[count - i - 1]
    else:
        for i in range(k):
            place = _below(rng, count)
            while place in found[:i]:
                place = _below(rng, count)
            found[i] = place
    return found


# ---- floats ---------------------------------------------------------------------------------------------------------------------------


def uniform(rng, a, b):
    """rng.uniform."""
    return a + (b - a) * random(rng)


def triangular(rng, low=0.0, high=1.0, mode=None):
    """rng.triangular."""
    u = random(rng)
    if high == low and mode is not None:
        return low
    c = 0.5 if mode is None else (mode - low) / (high - low)
    if u > c:
        u = 1.0 - u
        c = 1.0 - c
        low, high = high, low
    return low + (high - low) * math.sqrt(u * c)


def gauss(rng, mu=0.0, sigma=1.0):
    """rng.gauss: normal numbers come in pairs."""
    left = left_over(rng)
    if left[0] != 0:
        z = float(left.view(np.float64)[1])
        left[0] = 0
    else:
        angle = random(rng) * (2.0 * math.pi)
        radius = math.sqrt(-2.0 * math.log(1.0 - random(rng)))
        z = math.cos(angle) * radius
        left[0] = 1
        left[1] = np.float64(math.sin(angle) * radius).view(np.int64)
    return mu + z * sigma


def _normal(rng):
    while True:
        u = random(rng)
        v = 1.0 - random(rng)
        z = 4 * math.exp(-0.5) / math.sqrt(2.0) * (u - 0.5) / v
        if z * z / 4.0 <= -math.log(v):
            return z


def normalvariate(rng, mu=0.0, sigma=1.0):
    """rng.normalvariate."""
    return mu + _normal(rng) * sigma


def lognormvariate(rng, mu, sigma):
    """rng.lognormvariate."""
    return math.exp(normalvariate(rng, mu, sigma))


def expovariate(rng, lambd=1.0):
    """rng.expovariate."""
    return -math.log(1.0 - random(rng)) / lambd


def vonmisesvariate(rng, mu, kappa):
    """rng.vonmisesvariate."""
    if kappa <= 1e-6:
        return 2.0 * math.pi * random(rng)
    s = 0.5 / kappa
    r = s + math.sqrt(1.0 + s * s)
    while True:
        z = math.cos(math.pi * random(rng))
        d = z / (r + z)
        u = random(rng)
        if u < 1.0 - d * d or u <= (1.0 - d) * math.exp(d):
            break
    q = 1.0 / r
    f = (q + z) / (1.0 + q * z)
    if random(rng) > 0.5:
        return (mu + math.acos(f)) % (2.0 * math.pi)
    return (mu - math.acos(f)) % (2.0 * math.pi)


def gammavariate(rng, alpha, beta):
    """rng.gammavariate."""
    if alpha <= 0.0 or beta <= 0.0:
        raise ValueError("gammavariate: alpha and beta must be > 0.0")
    if alpha > 1.0:
        return _gamma_above_one(rng, alpha) * beta
    if alpha == 1.0:
        return -math.log(1.0 - random(rng)) * beta
    return _gamma_below_one(rng, alpha) * beta


def _gamma_above_one(rng, alpha):
    scale = math.sqrt(2.0 * alpha - 1.0)
    b = alpha - math.log(4.0)
    c = alpha + scale
    while True:
        u = random(rng)
        if not 1e-7 < u < 0.9999999:
            continue
        other = 1.0 - random(rng)
        v = math.log(u / (1.0 - u)) / scale
        x = alpha * math.exp(v)
        z = u * u * other
        r = b + c * v - x
        if r + (1.0 + math.log(4.5)) - 4.5 * z >= 0.0 or r >= math.log(z):
            return x


def _gamma_below_one(rng, alpha):
    while True:
        b = (math.e + alpha) / math.e
        p = b * random(rng)
        x = p ** (1.0 / alpha) if p <= 1.0 else -math.log((b - p) / alpha)
        u = random(rng)
        if p > 1.0:
            if u <= x ** (alpha - 1.0):
                return x
        elif u <= math.exp(-x):
            return x


def betavariate(rng, alpha, beta):
    """rng.betavariate."""
    y = gammavariate(rng, alpha, 1.0)
    return y / (y + gammavariate(rng, beta, 1.0)) if y else 0.0


def paretovariate(rng, alpha):
    """rng.paretovariate."""
    return (1.0 - random(rng)) ** (-1.0 / alpha)


def weibullvariate(rng, alpha, beta):
    """rng.weibullvariate."""
    return alpha * (-math.log(1.0 - random(rng))) ** (1.0 / beta)


METHODS = (
    random, seed, getrandbits, randrange, randint, choice, shuffle, choices, sample, uniform, triangular, gauss, normalvariate, lognormvariate, expovariate, vonmisesvariate, gammavariate,
    betavariate, paretovariate, weibullvariate,
)  # fmt: skip
"""Its methods."""
