"""scipy.signal: partial fractions of a filter, by Taylor series at its poles, and a filter from its fractions. Poles are complex, as of numpy.roots."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import constant, unsupported


def _coefficients(name, x, side):
    """Those of a polynomial without zeros on a side, which is then in front."""
    x = np.atleast_1d(np.asarray(x))
    if x.ndim != 1:
        unsupported(f"scipy.signal.{name} of several polynomials", "a loop over them")
    x = x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)
    x = x if side == "f" else x[::-1]
    return x[np.argmax(x != 0) :] if x.shape[0] > 0 and np.any(x != 0) else x[:0]


def _grouped(name, poles, tol, rtype):
    """Poles that are as good as one are that one, their mean; in the order of their sizes. And which power of it each stands for."""
    if rtype not in ("avg", "mean"):
        unsupported(f"scipy.signal.{name}(…, rtype={rtype!r})", "rtype='avg'")
    n = poles.shape[0]
    first, power = np.full(n, n), np.ones(n, np.int64)
    for i in range(n):
        if first[i] == n:
            near = (np.abs(constant(poles) - constant(poles[i])) <= tol) & (first == n)
            first, power = np.where(near, i, first), np.where(near, np.cumsum(near), power)
    same = first[:, np.newaxis] == first
    means = np.sum(np.where(same, poles, 0.0), axis=1) / np.sum(same, axis=1)
    order = np.lexsort((np.arange(n), first, np.abs(constant(means))))
    return means[order], power[order], same[order][:, order]


def _expanded(b, pole, count):
    """The polynomial's Taylor coefficients at a pole, as many as counted."""
    found, rest = np.zeros(count, np.complex128), b.astype(np.complex128)
    n = rest.shape[0]
    for t in range(min(count, n)):
        for k in range(1, n - t):
            rest[k] += pole * rest[k - 1]
        found[t] = rest[n - 1 - t]
    return found


def _residues(b, poles, power, same):
    """What stands above each power of the distance to each pole."""
    n = poles.shape[0]
    found = np.zeros(n, np.complex128)
    for i in range(n):
        count = np.sum(same[i])
        series, others = _expanded(b, poles[i], count), np.zeros(count, np.complex128)
        others[0] = 1.0
        for j in range(n):
            if not same[i, j]:
                gap = poles[i] - poles[j]
                for k in range(count - 1, 0, -1):
                    others[k] = gap * others[k] + others[k - 1]
                others[0] *= gap
        for k in range(count):
            left = series[k]
            for m in range(k):
                left -= series[m] * others[k - m]
            series[k] = left / others[0]
        found[i] = series[count - power[i]]
    return found


def _divided(b, a):
    """The polynomial that is left out of a fraction, and the rest."""
    if b.shape[0] < a.shape[0]:
        return (b * a[0])[:0], b + 0.0 * a[0]
    quotient, rest = (b * a[0]).astype((b * a[0]).dtype)[: b.shape[0] - a.shape[0] + 1] * 0.0, b + 0.0 * a[0]
    for k in range(b.shape[0] - a.shape[0] + 1):
        quotient[k] = rest[k] / a[0]
        rest[k : k + a.shape[0]] -= quotient[k] * a
    return quotient, rest[b.shape[0] - a.shape[0] + 1 :]


def residue(b, a, tol=1e-3, rtype="avg"):
    """scipy.signal.residue: what stands above each pole, the poles, and the polynomial that is left."""
    b, a = _coefficients("residue", b, "f"), _coefficients("residue", a, "f")
    if a.shape[0] == 0:
        raise ValueError("Denominator `a` is zero.")
    quotient, rest = _divided(b, a)
    poles, power, same = _grouped("residue", np.roots(a), tol, rtype)
    return _residues(rest, poles, power, same) / a[0], poles, quotient


def residuez(b, a, tol=1e-3, rtype="avg"):
    """scipy.signal.residuez: the same in powers of 1 / z."""
    if np.atleast_1d(np.asarray(a))[0] == 0:
        raise ValueError("First coefficient of determinant `a` must be non-zero.")
    b, a = _coefficients("residuez", b, "b"), _coefficients("residuez", a, "b")
    quotient, rest = _divided(b, a)
    poles, power, same = _grouped("residuez", np.roots(a[::-1]), tol, rtype)
    return _residues(rest, 1.0 / poles, power, same) * (-poles) ** power / a[0], poles, quotient[::-1]


def _consecutive(poles, tol):
    """Poles as the first of those behind each other that are as good as one, and which power each stands for."""
    found, power = poles.copy(), np.ones(poles.shape[0], np.int64)
    for i in range(1, poles.shape[0]):
        if np.abs(poles[i] - found[i - 1]) <= tol:
            found[i], power[i] = found[i - 1], power[i - 1] + 1
    return found, power


def _fraction(name, r, p, tol, rtype):
    """The numerator and the denominator of all fractions together, without what is left of them."""
    if rtype not in ("avg", "mean", "min", "max", "minimum", "maximum"):
        raise ValueError("`rtype` must be one of {'max', 'maximum', 'min', 'minimum', 'avg', 'mean'}")
    r, p = np.atleast_1d(np.asarray(r)), np.atleast_1d(np.asarray(p))
    if r.shape[0] != p.shape[0]:
        raise NotImplementedError(f"scipy.signal.{name} of other than a residue for each pole is not supported")
    poles, power = _consecutive(p.astype(np.complex128 if p.dtype.kind == "c" else np.float64), tol)
    n = poles.shape[0]
    below = np.zeros(n + 1, poles.dtype)
    below[0] = 1.0
    above = np.zeros(n, (poles * r).dtype)
    for k in range(n):
        below[1:] = below[1:] - poles[k] * below[:-1]
    for i in range(n):
        part = below.copy()
        for _ in range(power[i]):  # a power of the distance is divided out
            for k in range(1, n + 1):
                part[k] += poles[i] * part[k - 1]
            part = np.concatenate((np.zeros(1, part.dtype), part[:-1]))
        above = above + r[i] * part[1:]
    return above, below


def invres(r, p, k, tol=1e-3, rtype="avg"):
    """scipy.signal.invres: the filter of partial fractions."""
    above, below = _fraction("invres", r, p, tol, rtype)
    left = _coefficients("invres", k, "f")
    return np.polyadd(above, np.polymul(left, below)) if left.shape[0] > 0 else above, below


PARTIAL_FRACTIONS: dict[str, Any] = {f"scipy.signal.{function.__name__}": function for function in (residue, residuez, invres)}
"""By qualified name."""
