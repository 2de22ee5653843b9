"""Random numbers from explicit keys, under the names of jax.random and equal to its bits (with 64-bit numbers enabled there).

A key is an int64 array of two words of 32 bits (JAX: uint32). Inside of functions that are read these are plain NumPy functions like any other.
"""
from __future__ import annotations

from s2s.transforms.read.composed.random_keys import (
    bernoulli,
    bits,
    categorical,
    cauchy,
    choice,
    clone,
    exponential,
    fold_in,
    gumbel,
    key,
    key_data,
    laplace,
    logistic,
    multivariate_normal,
    normal,
    permutation,
    rademacher,
    randint,
    split,
    truncated_normal,
    uniform,
)

PRNGKey = key
"""JAX's older name."""

__all__ = [
    "PRNGKey",
    "bernoulli",
    "bits",
    "categorical",
    "cauchy",
    "choice",
    "clone",
    "exponential",
    "fold_in",
    "gumbel",
    "key",
    "key_data",
    "laplace",
    "logistic",
    "multivariate_normal",
    "normal",
    "permutation",
    "rademacher",
    "randint",
    "split",
    "truncated_normal",
    "uniform",
]
