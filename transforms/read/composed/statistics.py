"""NumPy's statistics of several variables."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np


def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dtype=None):
    """np.cov."""
    if ddof is not None and ddof != int(ddof):
        raise ValueError("ddof must be integer")
    m, y = np.asarray(m), None if y is None else np.asarray(y)
    if dtype is None:
        dtype = np.result_type(m, np.float64) if y is None else np.result_type(m, y, np.float64)
    variables = _variables(m, rowvar, dtype)
    if y is not None:
        variables = np.concatenate((variables, _variables(y, rowvar, dtype)), axis=0)
    if np.iscomplexobj(variables) and variables.shape[0] == 0:
        raise NotImplementedError("np.cov of no variables of complex numbers (NumPy makes it float64) is not supported")
    degrees = (0 if bias else 1) if ddof is None else ddof
    if fweights is not None or aweights is not None:
        return _weighted(variables, fweights, aweights, degrees)
    centred = variables - np.mean(variables, axis=1, keepdims=True)
    products = centred @ np.conj(centred).T
    return _scaled(products, max(variables.shape[1] - degrees, 0))


def _weighted(variables, fweights, aweights, degrees):
    """The covariances of samples that count differently: so many times each (fweights), or by their importance (aweights)."""
    weights = np.ones(variables.shape[1])
    if fweights is not None:
        frequencies = np.asarray(fweights, dtype=np.float64)
        if not np.all(frequencies == np.around(frequencies)):
            raise TypeError("fweights must be integer")
        weights = weights * _of_samples(frequencies, variables, "fweights")
    if aweights is not None:
        importances = _of_samples(np.asarray(aweights, dtype=np.float64), variables, "aweights")
        weights = weights * importances
    total = np.sum(weights)
    if total == 0.0:
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    centred = (variables - (variables @ weights / total)[:, np.newaxis]).astype(variables.dtype)
    if degrees == 0:
        factor = total
    elif aweights is None:
        factor = total - degrees
    else:
        factor = total - degrees * np.sum(weights * importances) / total
    return _scaled(centred @ np.conj(centred * weights).T, max(factor, 0.0))


def _scaled(products, degrees):
    return np.squeeze((products * np.divide(1.0, degrees)).astype(products.dtype))


def _of_samples(weights, variables, name):
    if weights.ndim > 1:
        raise RuntimeError(f"cannot handle multidimensional {name}")
    if weights.shape[0] != variables.shape[1]:
        raise RuntimeError(f"incompatible numbers of samples and {name}")
    if np.any(weights < 0):
        raise ValueError(f"{name} cannot be negative")
    return weights


def _variables(m, rowvar, dtype):
    """A row for each variable."""
    m = np.asarray(m)
    if m.ndim > 2:
        raise ValueError("m has more than 2 dimensions")
    m = np.asarray(m, dtype=dtype)
    return m.reshape(1, -1) if m.ndim < 2 else m if rowvar else m.T


def corrcoef(x, y=None, rowvar=True, *, dtype=None):
    """np.corrcoef: covariances divided by the deviations, clipped to [-1, 1]."""
    covariances = cov(x, y, rowvar, dtype=dtype)
    if covariances.ndim == 0:
        return covariances / covariances
    deviations = np.sqrt(np.diagonal(covariances).real)
    scaled = covariances / deviations[:, None] / deviations[None, :]
    return np.clip(scaled.real, -1.0, 1.0) + 1j * np.clip(scaled.imag, -1.0, 1.0) if np.iscomplexobj(scaled) else np.clip(scaled, -1.0, 1.0)
