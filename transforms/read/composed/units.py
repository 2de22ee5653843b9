"""scipy.constants' functions, and scipy.cluster.vq's of observations that are given their nearest code."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import unsupported

LIGHT, ZERO_CELSIUS = 299792458.0, 273.15
SCALES = {"celsius": "c", "kelvin": "k", "fahrenheit": "f", "rankine": "r", "c": "c", "k": "k", "f": "f", "r": "r"}


def convert_temperature(val, old_scale, new_scale):
    """scipy.constants.convert_temperature: by way of kelvins."""
    old, new, val = SCALES.get(old_scale.lower()), SCALES.get(new_scale.lower()), np.asarray(val)
    if old is None:
        raise NotImplementedError(f"old_scale={old_scale!r} is unsupported: supported scales are Celsius, Kelvin, Fahrenheit, and Rankine")
    if new is None:
        raise NotImplementedError(f"new_scale={new_scale!r} is unsupported: supported scales are 'Celsius', 'Kelvin', 'Fahrenheit', and 'Rankine'")
    kelvins = val + ZERO_CELSIUS if old == "c" else val if old == "k" else (val - 32) * 5 / 9 + ZERO_CELSIUS if old == "f" else val * 5 / 9
    return kelvins - ZERO_CELSIUS if new == "c" else kelvins if new == "k" else (kelvins - ZERO_CELSIUS) * 9 / 5 + 32 if new == "f" else kelvins * 9 / 5


def lambda2nu(lambda_):
    """scipy.constants.lambda2nu: the frequency of light of this wave length."""
    return LIGHT / np.asarray(lambda_)


def nu2lambda(nu):
    """scipy.constants.nu2lambda: its inverse."""
    return LIGHT / np.asarray(nu)


def _finite(x, check_finite):
    if check_finite and not np.all(np.isfinite(x)):
        raise ValueError("array must not contain infs or NaNs")
    return x


def whiten(obs, check_finite=None):
    """scipy.cluster.vq.whiten."""
    obs = _finite(np.asarray(obs), check_finite is not False)
    spread = np.std(obs, axis=0)
    return obs / np.where(spread == 0, np.ones_like(spread), spread)


def vq(obs, code_book, check_finite=True):
    """scipy.cluster.vq.vq of rows: the number of the nearest code (the first of those that are as near), and how far that is."""
    obs, code_book = _finite(np.asarray(obs), check_finite), _finite(np.asarray(code_book), check_finite)
    kind = np.result_type(obs, code_book)
    if kind.kind != "f" or obs.ndim != 2 or code_book.ndim != 2:
        unsupported("scipy.cluster.vq.vq of other than rows of floats", "obs and code_book as matrices of floats")
    if obs.shape[1] != code_book.shape[1]:
        raise ValueError("obs and code should have same number of features (columns)")
    gaps = np.linalg.norm(obs.astype(kind)[:, np.newaxis, :] - code_book.astype(kind), axis=-1)
    codes = np.argmin(gaps, axis=1)
    return codes.astype(np.int32), np.take_along_axis(gaps, codes[:, np.newaxis], axis=1)[:, 0]


UNITS: dict[str, Any] = {
    **{f"scipy.constants.{function.__name__}": function for function in (convert_temperature, lambda2nu, nu2lambda)},
    **{f"scipy.cluster.vq.{function.__name__}": function for function in (whiten, vq)},
}
"""By qualified name."""
