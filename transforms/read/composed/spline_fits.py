"""FITPACK's smoothing splines: scipy.interpolate.splrep, splprep and UnivariateSpline of samples with noise.

Method: Dierckx, Curve and Surface Fitting with Splines (1993), chapters 4 and 5: knots are added where most is left of the samples until the spline of least squares
comes as near as asked; of all splines with these knots then the smoothest one that comes so near, by a search for the weight of what is left. Which samples become
knots is a choice, of which no derivative is taken; the search is differentiated as it runs.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.marks import constant
from s2s.transforms.read.composed.spline_classes import basis, between

NEAR = 0.001
"""How near to what is asked, in parts of it, is near enough (FITPACK's)."""
TRIPS = 20


def fitted(x, y, w, first, last, k, s, limit):
    """Knots, coefficients and what is left of samples y (a row for each x) by a spline between two ends; from `limit` knots on FITPACK begins anew with room for all."""
    below, above, count = _chosen(constant(x), constant(y), constant(w), constant(first), constant(last), k, constant(s), limit)
    t = _knots(x, below[:count], above[:count], first, last, k)
    r, z, left = _triangle(x, y, w, t, k)
    if count == 0 or left - s >= 0.0 or abs(left - s) < NEAR * s:
        return t, _solved(r, z), left
    most = _triangle(x, y, w, _knots(x, below[:0], above[:0], first, last, k), k)[2]
    c, left = _smoothest(x, y, w, t, k, s, r, z, most, left)
    return t, c, left


def _knots(x, below, above, first, last, k):
    """Both ends k + 1 times, and what lies in the middle between two samples (of one twice: it)."""
    return np.concatenate((np.full(k + 1, first), 0.5 * (x[below] + x[above]), np.full(k + 1, last)))


def _chosen(x, y, w, first, last, k, s, limit):
    """The samples between which the inner knots lie, and how many of them there are."""
    m, ends = x.shape[0], 2 * (k + 1)
    most = m + k + 1
    limit = min(limit, most)
    below, above, shares, inside = np.zeros(most, np.int64), np.zeros(most, np.int64), np.zeros(most + 1), np.zeros(most + 1, np.int64)
    inside[0] = m - 2
    count, added, before = 0, 0, 0.0
    while True:
        t = _knots(x, below[:count], above[:count], first, last, k)
        r, z, left = _triangle(x, y, w, t, k)
        gap = left - s
        if abs(gap) < NEAR * s or gap < 0.0 or count + ends >= most:
            break
        if count + ends >= limit:
            limit, added = most, 1
        elif count == 0:
            added = 1
        else:
            wanted = added * 2
            if before - left > NEAR * s:
                wanted = int(min(2.0 * added, added * gap / (before - left)))
            added = min(added * 2, max(wanted, added // 2, 1))
        before = left
        _share(shares, x, y, w, t, k, _solved(r, z))
        for _ in range(added):
            count = _with_another(below, above, shares, inside, count)
            if count + ends >= limit:
                break
        if count + ends == most:
            along = np.arange(count) + (k // 2 + 1)
            below[:count], above[:count] = along - (k + 1) % 2, along
    return below, above, count


def _with_another(below, above, shares, inside, count):
    """One knot more, at the middle sample of the stretch of which most is left."""
    number, largest, begin, start = -1, 0.0, 1, 0
    for j in range(count + 1):
        if shares[j] > largest and inside[j] != 0:
            number, largest, start = j, shares[j], begin
        begin += inside[j] + 1
    if number < 0:
        raise RuntimeError("scipy.interpolate: there is no sample left to become a knot of the spline")
    held = inside[number]
    half = held // 2 + 1
    for j in range(count, number, -1):
        shares[j + 1], inside[j + 1] = shares[j], inside[j]
    for j in range(count, number, -1):
        below[j], above[j] = below[j - 1], above[j - 1]
    below[number] = above[number] = start + half - 1
    inside[number], inside[number + 1] = half - 1, held - half
    shares[number], shares[number + 1] = largest * inside[number] / held, largest * inside[number + 1] / held
    return count + 1


def _share(shares, x, y, w, t, k, c):
    """What is left of the samples between each two knots; of one at a knot half to either side."""
    count = t.shape[0] - k - 1
    errors = np.sum((w[:, np.newaxis] * (_values(x, t, k, c) - y)) ** 2, axis=1)
    part, number, place = 0.0, 0, k + 1
    for i in range(x.shape[0]):
        part += errors[i]
        if place < count and x[i] >= t[place]:
            place += 1
            shares[number] = part - 0.5 * errors[i]
            number += 1
            part = 0.5 * errors[i]
    shares[number] = part


def _values(x, t, k, c):
    """A spline at the samples."""
    place = between(t, k, t.shape[0] - k - 1, x)
    total = np.zeros((x.shape[0], c.shape[1]))
    for j, values in zip(range(k + 1), basis(t, k, place, x), strict=True):
        total = total + values[:, np.newaxis] * c[place + (j - k)]
    return total


def _turned(pivot, diagonal):
    """Cosine, sine and the new diagonal of the rotation that makes a pivot 0."""
    size, own = abs(pivot), diagonal
    length = size * np.sqrt(1.0 + (own / size) ** 2) if size >= own else own * np.sqrt(1.0 + (size / own) ** 2)
    return own / length, pivot / length, length


def _triangle(x, y, w, t, k):
    """The weighted equations of least squares as a triangle of k + 1 bands, its right sides, and what is left."""
    count = t.shape[0] - k - 1
    place = between(t, k, count, x)
    values = np.stack(basis(t, k, place, x), axis=1)
    r, z, left = np.zeros((count, k + 1)), np.zeros((count, y.shape[1])), 0.0
    for i in range(x.shape[0]):
        row, right = w[i] * values[i], w[i] * y[i]
        for j in range(k + 1):
            _rotate(r, z, row, right, place[i] - k + j, j, k + 1 - j)
        left += np.sum(right**2)
    return r, z, left


def _rotate(r, z, row, right, at, first, width):
    """Take a row's element out by a rotation with row `at` of the triangle."""
    if row[first] != 0.0:
        cos, sin, length = _turned(row[first], r[at, 0])
        r[at, 0] = length
        for e in range(z.shape[1]):
            right[e], z[at, e] = cos * right[e] - sin * z[at, e], cos * z[at, e] + sin * right[e]
        for e in range(1, width):
            row[first + e], r[at, e] = cos * row[first + e] - sin * r[at, e], cos * r[at, e] + sin * row[first + e]


def _solved(r, z):
    """The coefficients, from the last one back."""
    count, width = r.shape
    c = np.zeros(z.shape)
    for i in range(count - 1, -1, -1):
        total = z[i].copy()
        for j in range(1, min(width, count - i)):
            total -= r[i, j] * c[i + j]
        c[i] = total / r[i, 0]
    return c


def _jumps(t, k):
    """How the k-th derivative of each B-spline jumps at the inner knots."""
    count = t.shape[0] - k - 1
    inner = count - k - 1
    scale = (inner + 1) / (t[count] - t[k])
    found = np.zeros((inner, k + 2))
    for row in range(inner):
        at = t[row + k + 1]
        steps = np.concatenate((at - t[row : row + k + 1], at - t[row + k + 2 : row + 2 * k + 3]))
        for j in range(k + 2):
            product = steps[j]
            for i in range(1, k + 1):
                product *= steps[j + i] * scale
            found[row, j] = (t[row + j + k + 1] - t[row + j]) / product
    return found


def _smoothest(x, y, w, t, k, s, r, z, most, least):
    """Of the splines with these knots the smoothest of which s is left: its coefficients, and what is left indeed."""
    count = r.shape[0]
    jumps = _jumps(t, k)
    p1, f1, p3, f3 = 0.0, most - s, -1.0, least - s
    p = count / np.sum(r[:, 0])
    small_known, large_known = False, False
    c, left = z, least
    for trip in range(TRIPS):
        c = _weighed(r, z, jumps / p, k)
        left = np.sum((w[:, np.newaxis] * (_values(x, t, k, c) - y)) ** 2)
        f2 = left - s
        if abs(f2) < NEAR * s or trip == TRIPS - 1:
            break
        p2 = p
        if not large_known and f2 - f3 <= NEAR * s:
            p3, f3 = p2, f2
            p = 0.04 * p2
            if p <= p1:
                p = 0.9 * p1 + 0.1 * p2
            continue
        if f2 < 0.0:
            large_known = True
        if not small_known and f1 - f2 <= NEAR * s:
            p1, f1 = p2, f2
            p = p2 / 0.04
            if p3 >= 0.0 and p >= p3:
                p = 0.1 * p2 + 0.9 * p3
            continue
        if f2 > 0.0:
            small_known = True
        if f2 >= f1 or f2 <= f3:
            break
        if p3 <= 0.0:
            p = (p1 * (f1 - f3) * f2 - p2 * (f2 - f3) * f1) / ((f1 - f2) * f3)
        else:
            h1, h2, h3 = f1 * (f2 - f3), f2 * (f3 - f1), f3 * (f1 - f2)
            p = -(p1 * p2 * h3 + p2 * p3 * h1 + p3 * p1 * h2) / (p1 * h1 + p2 * h2 + p3 * h3)
        if f2 < 0.0:
            p3, f3 = p2, f2
        else:
            p1, f1 = p2, f2
    return c, left


def _weighed(r, z, bends, k):
    """The coefficients of least squares with the jumps as further equations."""
    count = r.shape[0]
    g, right = np.zeros((count, k + 2)), z.copy()
    g[:, : k + 1] = r
    for i in range(bends.shape[0]):
        row, beside = bends[i].copy(), np.zeros(z.shape[1])
        for j in range(i, count):
            _rotate(g, right, row, beside, j, 0, min(k + 2, count - j))
            row[:-1] = row[1:].copy()
            row[-1] = 0.0
    return _solved(g, right)
