"""The methods of random generators, by class and name."""
from __future__ import annotations

from random import Random
from typing import Any

from s2s.transforms.read.composed import random, random_counts, random_python
from s2s.transforms.read.composed.random_old import OLD
from s2s.transforms.read.composed.random_old import random as old_random

GENERATOR: dict[str, Any] = {function.__name__: function for function in (*random.FLOATS, *random_counts.COUNTS)}
"""Generator's."""

RANDOM_STATE: dict[str, Any] = {
    **{name: GENERATOR[name] for name in ("laplace", "gumbel", "logistic", "poisson", "triangular")},
    **{function.__name__: function for function in OLD},
    **dict.fromkeys(("random_sample", "ranf", "sample"), old_random),
}
"""RandomState's, and the module's old functions."""

RANDOM: dict[str, Any] = {function.__name__: function for function in random_python.METHODS if hasattr(Random, function.__name__)}
"""random.Random's, and the module random's functions: those that this Python has."""

METHODS: dict[str, dict[str, Any]] = {"Generator": GENERATOR, "RandomState": RANDOM_STATE, "Random": RANDOM}
"""By class."""

__all__ = ["GENERATOR", "METHODS", "RANDOM", "RANDOM_STATE"]
