"""Generators of a seed that only the run knows."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from s2s.transforms.read.composed.drawing import drawn


def start_pcg64(rng, seed):
    """As np.random.default_rng(seed) begins."""
    if seed < 0:
        raise ValueError("expected non-negative integer")
    drawn(rng, "pcg64_start", (), seed)


def start_mt19937(rng, seed):
    """As np.random.RandomState(seed) begins."""
    if seed < 0 or seed > 4294967295:
        raise ValueError("Seed must be between 0 and 2**32 - 1")
    drawn(rng, "mt19937_start", (), seed)


def start_python(rng, seed):
    """As random.Random(seed) begins."""
    drawn(rng, "python_start", (), seed)


STARTS = {"PCG64": start_pcg64, "MT19937": start_mt19937, "Random": start_python}
"""By the class of the bit generator."""

__all__ = ["STARTS"]
