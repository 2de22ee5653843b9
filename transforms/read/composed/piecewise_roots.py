"""Where piecewise polynomials take a value (scipy.interpolate.PPoly.solve), as SciPy finds it: the real roots of each piece, lowest first.

Which roots there are follows from eigenvalues, of which no derivative is taken; Newton's steps from there give them all digits, and their derivatives: two steps carry the first two.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.marks import constant


def piecewise_roots(c, x, y, discontinuity, beyond):
    """The points where the polynomials `c` between the points `x` are y. `beyond`: the first and the last go on."""
    found, last = [], np.nan
    pieces = x.size - 1
    for piece in range(pieces):
        start, end = x[piece], x[piece + 1]
        powers = np.concatenate((c[:-1, piece], c[-1:, piece] - y))
        if discontinuity and piece > 0:
            before = np.polyval(c[:, piece - 1], start - x[piece - 1]) - y
            if before * powers[-1] < 0 and start != last:
                last = start
                found.append(start)
        if np.all(powers == 0):
            found.append(start)
            found.append(np.nan)
            last = np.nan
        else:
            low, high = -np.inf if beyond and piece == 0 else start, np.inf if beyond and piece == pieces - 1 else end
            roots, real = _candidates(constant(powers))
            order = np.argsort(roots)
            for k in range(roots.size):
                at = start + _refined(powers, roots[order[k]])
                if real[order[k]] and low <= at and at <= high and at != last:
                    last = at
                    found.append(at)
    return np.array(found)


def _candidates(powers):
    """The real parts of a polynomial's roots, and which of them are real ones. Where leading coefficients are zero there are fewer."""
    count = powers.shape[0] - 1
    roots, real = np.zeros(count), np.zeros(count, bool)
    lead = 0
    while powers[lead] == 0:
        lead += 1
    for zeros in range(count):
        if lead == zeros:
            own = powers[zeros:] / powers[zeros]
            companion = np.concatenate((np.eye(count - zeros)[1:], -own[:0:-1][np.newaxis]))
            values = np.linalg.eigvals(companion.astype(np.complex128))
            roots[: count - zeros] = values.real
            real[: count - zeros] = np.abs(values.imag) <= 1e-9 * (1.0 + np.abs(values.real))
    return roots, real


def _refined(powers, root):
    """A root with all digits, by two of Newton's steps."""
    slopes = powers[:-1] * np.arange(powers.shape[0] - 1, 0, -1.0)
    for _ in range(2):
        value, slope = np.polyval(powers, root), np.polyval(slopes, root)
        root = root - np.where(slope == 0.0, 0.0, value / np.where(slope == 0.0, 1.0, slope))
    return root
