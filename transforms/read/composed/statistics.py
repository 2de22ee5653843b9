"""NumPy's statistics of several variables."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.marks import unsupported


def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dtype=None):
    """np.cov."""
    if fweights is not None or aweights is not None:
        unsupported("np.cov(…, fweights=…, aweights=…)", "the weighted sums themselves")
    if dtype is not None:
        unsupported("np.cov(…, dtype=…)", "astype of the operands or of the result")
    if ddof is not None and ddof != int(ddof):
        raise ValueError("ddof must be integer")
    variables = _variables(m, rowvar)
    if y is not None:
        variables = np.concatenate((variables, _variables(y, rowvar)), axis=0)
    if np.iscomplexobj(variables) and variables.shape[0] == 0:
        raise NotImplementedError("np.cov of no variables of complex numbers (NumPy makes it float64) is not supported")
    centred = variables - np.mean(variables, axis=1, keepdims=True)
    degrees = (0 if bias else 1) if ddof is None else ddof
    products = centred @ np.conj(centred).T
    covariances = products * np.divide(1.0, max(variables.shape[1] - degrees, 0))
    return np.squeeze(covariances)


def _variables(m, rowvar):
    """A row for each variable."""
    m = np.asarray(m)
    if m.ndim > 2:
        raise ValueError("m has more than 2 dimensions")
    m = np.asarray(m, dtype=np.result_type(m, np.float64))
    return m.reshape(1, -1) if m.ndim < 2 else m if rowvar else m.T


def corrcoef(x, y=None, rowvar=True, *, dtype=None):
    """np.corrcoef: covariances divided by the deviations, clipped to [-1, 1]."""
    if dtype is not None:
        unsupported("np.corrcoef(…, dtype=…)", "astype of the operands or of the result")
    covariances = cov(x, y, rowvar)
    if covariances.ndim == 0:
        return covariances / covariances
    deviations = np.sqrt(np.diagonal(covariances).real)
    scaled = covariances / deviations[:, None] / deviations[None, :]
    return np.clip(scaled.real, -1.0, 1.0) + 1j * np.clip(scaled.imag, -1.0, 1.0) if np.iscomplexobj(scaled) else np.clip(scaled, -1.0, 1.0)
