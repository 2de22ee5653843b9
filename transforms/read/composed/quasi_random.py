"""scipy.stats.qmc: engines of points that fill the unit cube evenly; the same points as SciPy's. The classes are read like a user's own.

Halton 1960, scrambled as Owen 2017 does ("A randomized Halton algorithm in R"); Sobol' 1967 with the directions of Joe and Kuo 2008 (SciPy brings them), scrambled by Matoušek's (1998)
linear maps; Latin hypercubes: McKay, Beckman and Conover 1979. What is drawn has no derivative.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.point_designs import scale
from s2s.transforms.read.composed.sequence_tables import bases, directions
from s2s.transforms.read.names import within

WIDEST = 62
"""As many bits as a position of Sobol's may have here: 64-bit integers hold them."""
MOST = 21201
"""For as many dimensions directions are known."""


# ---- engines ----------------------------------------------------------------------------------------------------------------------------


class Engine:
    """What scipy.stats.qmc's engines have in common: how many points they gave, and how further ones are made (`_points`)."""

    def __init__(self, d):
        self.d, self.num_generated = d, 0

    def __getattr__(self, name):
        unsupported(f"{name} of a scipy.stats.qmc engine", "random, integers, reset, fast_forward, random_base2")

    def random(self, n=1, *, workers=1):
        """The next n points, a row each."""
        found = self._points(n)
        self.num_generated += n
        return found

    def integers(self, l_bounds, *, u_bounds=None, n=1, endpoint=False, workers=1):
        """The next n points as integers from the lower bounds to before the upper ones."""
        low, high = np.atleast_1d(0 if u_bounds is None else l_bounds), np.atleast_1d(l_bounds if u_bounds is None else u_bounds)
        if low.dtype.kind not in "iu" or high.dtype.kind not in "iu":
            raise ValueError("'u_bounds' and 'l_bounds' must be integers or array-like of integers")
        return np.floor(scale(self.random(n), low, high + 1 if endpoint else high)).astype(np.int64)

    def reset(self):
        """Begin again."""
        self.num_generated = 0
        return self

    def fast_forward(self, n):
        """Leave out n points."""
        self.num_generated += n
        return self


class Halton(Engine):
    """scipy.stats.qmc.Halton; `orders` of each digit where it is scrambled."""

    def __init__(self, d, bases, counts, orders):
        self.d, self.num_generated = d, 0
        self.bases, self.counts, self.orders = bases, counts, orders

    def _points(self, n):
        found = np.empty((n, self.d))
        for j in range(self.d):
            base = self.bases[j]
            rest, share, total = self.num_generated + np.arange(n), 1.0 / base, np.zeros(n)
            for k in range(self.counts[j]):
                digit = rest % base
                total += (digit if self.orders is None else self.orders[j, k][digit]) * share
                share /= base
                rest //= base
            found[:, j] = total
        return found


class Sobol(Engine):
    """scipy.stats.qmc.Sobol: point i is where the directions lead that the bits of i in Gray's code name."""

    def __init__(self, d, bits, directions, shift):
        self.d, self.num_generated = d, 0
        self.bits, self.directions, self.shift, self.maxn = bits, directions, shift, 2**bits

    def _points(self, n):
        if self.num_generated + n > self.maxn:
            raise ValueError(f"At most 2**{self.bits}={self.maxn} distinct points can be generated. {self.num_generated} points have been previously generated, then: n={self.num_generated}+{n}={self.num_generated + n}. Consider increasing `bits`.")
        at = self.num_generated + np.arange(n)
        gray = at ^ (at >> 1)
        found = np.zeros((n, self.d), np.int64) + self.shift
        for k in range(self.bits):
            found ^= ((gray >> k) & 1)[:, np.newaxis] * self.directions[:, k]
        return found * (1.0 / 2**self.bits)

    def random_base2(self, m):
        """The next 2**m points."""
        n = 2**m
        total = self.num_generated + n
        if total & (total - 1) != 0:
            raise ValueError(
                f"The balance properties of Sobol' points require n to be a power of 2. {self.num_generated} points have been previously generated, then: n={self.num_generated}+2**{m}={total}. "
                "If you still want to do this, the function 'Sobol.random()' can be used."
            )
        return self.random(n)


class Hypercube(Engine):
    """scipy.stats.qmc.LatinHypercube of strength 1."""

    def __init__(self, d, scramble, generator):
        self.d, self.num_generated = d, 0
        self.scramble, self.rng = scramble, generator

    def _points(self, n):
        inside = self.rng.uniform(size=(n, self.d)) if self.scramble else 0.5
        cells = np.empty((self.d, n), np.int64)
        for j in range(self.d):
            cell = np.arange(1, n + 1)
            self.rng.shuffle(cell)
            cells[j] = cell
        return (cells.T - inside) / n

    def reset(self):
        """Refused: the generator has gone on."""
        unsupported("reset() of a scipy.stats.qmc.LatinHypercube", "a new one of the same seed")

    def fast_forward(self, n):
        """Draw n points that nobody sees."""
        self.random(n)
        return self


# ---- how they are made ------------------------------------------------------------------------------------------------------------------


def _seeded(name, d, optimization, rng, seed):
    """The generator of an engine."""
    if rng is not None and seed is not None:
        raise TypeError(f"{name}() got multiple values for argument now known as `rng`. Specify one of `rng` or `seed`.")
    if not isinstance(d, int | np.integer) or d < 0:
        raise ValueError("d must be a non-negative integer value")
    if optimization is not None:
        unsupported(f"scipy.stats.qmc.{name}(…, optimization=…)", "the points as they are")
    if isinstance(rng, np.random.Generator) or isinstance(seed, np.random.Generator | np.random.RandomState):
        unsupported(f"scipy.stats.qmc.{name} of a generator, whose own child draws", "an integer")
    return np.random.default_rng(seed) if rng is None else np.random.default_rng(np.random.SeedSequence(rng, spawn_key=(0,)))


def halton(d, *, scramble=True, optimization=None, rng=None, seed=None):
    """scipy.stats.qmc.Halton."""
    primes, counts = bases(d)
    if not scramble:
        _seeded("Halton", d, optimization, rng if rng is not None or seed is not None else 0, seed)
        return Halton(d, primes, counts, None)
    generator = _seeded("Halton", d, optimization, rng, seed)
    orders = np.zeros((d, np.max(counts, initial=0), np.max(primes, initial=0)), np.int64)
    for j in range(d):
        for k in range(counts[j]):
            order = np.arange(primes[j])
            generator.shuffle(order)
            orders[j, k, : primes[j]] = order
    return Halton(d, primes, counts, orders)


def sobol(d, *, scramble=True, bits=None, rng=None, optimization=None, seed=None):
    """scipy.stats.qmc.Sobol."""
    bits = 30 if bits is None else bits
    if bits > 64:
        raise ValueError("Maximum supported 'bits' is 64")
    if bits > WIDEST:
        unsupported(f"scipy.stats.qmc.Sobol(…, bits={bits})", f"at most {WIDEST}")
    if d > MOST:
        raise ValueError(f"Maximum supported dimensionality is {MOST}.")
    if not scramble:
        _seeded("Sobol", d, optimization, rng if rng is not None or seed is not None else 0, seed)
        return Sobol(d, bits, directions(d, bits), np.zeros(d, np.int64))
    generator = _seeded("Sobol", d, optimization, rng, seed)
    kind = np.uint32 if bits <= 32 else np.uint64
    powers = 2 ** np.arange(bits, dtype=np.int64)
    shift = np.sum(generator.integers(2, size=(d, bits), dtype=kind).astype(np.int64) * powers, axis=1)
    lower = np.tril(generator.integers(2, size=(d, bits, bits), dtype=kind).astype(np.int64), -1) + np.eye(bits, dtype=np.int64)
    digits = (directions(d, bits)[:, :, np.newaxis] // powers[::-1]) % 2
    turned = np.sum(lower[:, np.newaxis] * digits[:, :, np.newaxis], axis=-1) % 2
    return Sobol(d, bits, np.sum(turned * powers[::-1], axis=-1), shift)


def latin_hypercube(d, *, scramble=True, strength=1, optimization=None, rng=None, seed=None):
    """scipy.stats.qmc.LatinHypercube."""
    if strength not in (1, 2):
        raise ValueError(f"{strength!r} is not a valid strength. It must be one of {{1, 2}}")
    if strength == 2:
        unsupported("scipy.stats.qmc.LatinHypercube(…, strength=2)", "strength=1")
    return Hypercube(d, scramble, _seeded("LatinHypercube", d, optimization, rng, seed))


ENGINES: dict[str, Callable[..., Any]] = within("scipy.stats.qmc", Halton=halton, Sobol=sobol, LatinHypercube=latin_hypercube)
"""By qualified name: they give objects that go on."""
