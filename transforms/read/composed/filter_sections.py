"""scipy.signal: sections of second order of a digital filter whose zeros and poles only the run knows.

Which stand together is what scipy.signal.zpk2sos documents of pairing='nearest': the pole nearest the unit circle, its conjugate or the next real one, and the zeros that are nearest.
Zeros and poles are padded to the same even number, so that real ones are even in number too: a real one always finds a second.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

REAL_WITHIN = 100 * np.finfo(np.float64).eps
"""An imaginary part is none where it is this small a part of the number, as SciPy has it."""


def sections(z, p, k):
    """The rows of zpk2sos(z, p, k), of zeros and poles that are real or in exact pairs; the worst poles stand in the last row."""
    most = max(z.shape[0], p.shape[0])
    if most == 0:
        return np.array([[k, 0.0, 0.0, 1.0, 0.0, 0.0]])
    most = most + most % 2
    z, z_real, z_left = _halves(np.concatenate((z, np.zeros(most - z.shape[0], np.complex128))))
    p, p_real, p_left = _halves(np.concatenate((p, np.zeros(most - p.shape[0], np.complex128))))
    found = np.zeros((most // 2, 6))
    for row in range(most // 2 - 1, -1, -1):
        first = _least(np.abs(1.0 - np.abs(p)), p_left)
        p_left[first] = False
        pole, other = p[first], np.conj(p[first])
        if p_real[first]:
            second = _least(np.abs(1.0 - np.abs(p)), p_left & p_real)
            p_left[second] = False
            other = p[second]
        away = np.abs(z - pole)
        first = _least(away, z_left)
        z_left[first] = False
        zero, next_zero = z[first], np.conj(z[first])
        if z_real[first]:
            second = _least(away, z_left & z_real)
            z_left[second] = False
            next_zero = z[second]
        found[row] = np.real(np.array([1.0, -zero - next_zero, zero * next_zero, 1.0, -pole - other, pole * other]) + 0.0)
    found[0, :3] = found[0, :3] * k
    return found


def _halves(roots):
    """The roots in SciPy's order (pairs by their real parts, then real ones), which of them are real, and which stand for themselves: of a pair the one above the real axis."""
    real = np.abs(np.imag(roots)) <= REAL_WITHIN * np.abs(roots)
    order = np.lexsort((np.abs(np.imag(roots)), np.real(roots), real))
    roots, real = roots[order], real[order]
    return np.where(real, np.real(roots) + 0j, roots), real, real | (np.imag(roots) > 0)


def _least(values, among):
    return np.argmin(np.where(among, values, np.inf))
