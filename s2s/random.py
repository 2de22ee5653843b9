"""Random numbers from explicit keys, under the names of jax.random and equal to its bits (with 64-bit numbers enabled there).

A key is an int64 array of two words of 32 bits (JAX: uint32). Inside of functions that are read these are plain NumPy functions like any other.
"""
from __future__ import annotations

from s2s.not_here import not_here
from s2s.transforms.read.composed.random_binomials import binomial, multinomial
from s2s.transforms.read.composed.random_keys import (
    bernoulli,
    bits,
    cauchy,
    clone,
    exponential,
    fold_in,
    gumbel,
    key,
    key_data,
    key_impl,
    laplace,
    logistic,
    multivariate_normal,
    normal,
    rademacher,
    randint,
    split,
    truncated_normal,
    uniform,
    wrap_key_data,
)
from s2s.transforms.read.composed.random_orders import categorical, choice, permutation
from s2s.transforms.read.composed.random_samplers import (
    ball,
    beta,
    chisquare,
    dirichlet,
    double_sided_maxwell,
    f,
    gamma,
    generalized_normal,
    geometric,
    loggamma,
    lognormal,
    maxwell,
    orthogonal,
    pareto,
    poisson,
    rayleigh,
    t,
    triangular,
    wald,
    weibull_min,
)

PRNGKey = key
"""JAX's older name."""

__all__ = [
    "PRNGKey",
    "ball",
    "bernoulli",
    "beta",
    "binomial",
    "bits",
    "categorical",
    "cauchy",
    "chisquare",
    "choice",
    "clone",
    "dirichlet",
    "double_sided_maxwell",
    "exponential",
    "f",
    "fold_in",
    "gamma",
    "generalized_normal",
    "geometric",
    "gumbel",
    "key",
    "key_data",
    "key_impl",
    "laplace",
    "loggamma",
    "logistic",
    "lognormal",
    "maxwell",
    "multinomial",
    "multivariate_normal",
    "normal",
    "orthogonal",
    "pareto",
    "permutation",
    "poisson",
    "rademacher",
    "randint",
    "rayleigh",
    "split",
    "t",
    "triangular",
    "truncated_normal",
    "uniform",
    "wald",
    "weibull_min",
    "wrap_key_data",
]


def __getattr__(name: str) -> object:
    raise not_here("s2s.random", name)
