"""scipy.special: spherical harmonics and associated Legendre functions, by their stable recurrences in the degree. Source: NIST Digital Library of Mathematical Functions, 14.10 and 14.30."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import unsupported


def _whole(name, *numbers):
    found = [np.asarray(each) for each in numbers]
    for each in found:
        if each.dtype.kind not in "iu":
            unsupported(f"scipy.special.{name} of a degree or an order that is no integer", "integers: n.astype(int)")
    return found


def _without_slopes(name, diff_n):
    if diff_n != 0:
        unsupported(f"scipy.special.{name}(…, diff_n={diff_n!r})", "s2s.jacfwd of it")


def _of_degrees(degree, size, cosine, sine):
    """The function of length 1 on the sphere, of an order that is not negative, without its phase around the axis; 0 where the order is above the degree."""
    least = 0.0 * (degree + size) * cosine
    found, before = least + 0.5 / np.sqrt(np.pi), least
    for k in range(1, np.max(size, initial=0) + 1):
        found = np.where(size >= k, -np.sqrt((2.0 * k + 1.0) / (2.0 * k)) * sine * found, found)
    for k in range(1, np.max(degree, initial=0) + 1):
        running = (k > size) & (k <= degree)
        over = np.where(running, 1.0 * k * k - size * size, 1.0)
        scale, back = np.sqrt((4.0 * k * k - 1.0) / over), np.sqrt(np.where(running, ((k - 1.0) ** 2 - size * size) / (4.0 * (k - 1.0) ** 2 - 1.0), 0.0))
        found, before = np.where(running, scale * (cosine * found - back * before), found), np.where(running, found, before)
    return np.where(size <= degree, found, 0.0)


def _signed(found, m):
    """Of a negative order: that of the positive one, with its sign."""
    return np.where((m < 0) & (np.abs(m) % 2 == 1), -found, found)


def sph_legendre_p(n, m, theta, *, diff_n=0):
    """scipy.special.sph_legendre_p; like the other Legendre functions with a first axis of one."""
    _without_slopes("sph_legendre_p", diff_n)
    n, m = _whole("sph_legendre_p", n, m)
    return _on_sphere(n, m, theta)[np.newaxis]


def _on_sphere(n, m, theta):
    theta = np.asarray(theta, np.float64)
    return _signed(_of_degrees(n, np.abs(m), np.cos(theta), np.abs(np.sin(theta))), m)


def sph_harm_y(n, m, theta, phi, *, diff_n=0):
    """scipy.special.sph_harm_y."""
    _without_slopes("sph_harm_y", diff_n)
    n, m = _whole("sph_harm_y", n, m)
    turn = m * np.asarray(phi, np.float64)
    return np.asarray(_on_sphere(n, m, theta) * (np.cos(turn) + 1j * np.sin(turn)))


def legendre_p(n, z, *, diff_n=0):
    """scipy.special.legendre_p of real numbers."""
    return assoc_legendre_p(n, 0, z, diff_n=diff_n)


def assoc_legendre_p(n, m, z, *, branch_cut=2, norm=False, diff_n=0):
    """scipy.special.assoc_legendre_p of real numbers between -1 and 1; of order 0 of all."""
    _without_slopes("assoc_legendre_p", diff_n)
    n, m = _whole("assoc_legendre_p", n, m)
    z = np.asarray(z)
    if z.dtype.kind == "c" or branch_cut != 2:
        unsupported("scipy.special.assoc_legendre_p of complex numbers, or of another branch cut", "real numbers between -1 and 1")
    z = z.astype(np.float64)
    if np.any((np.abs(z) > 1) & (m != 0)):
        raise NotImplementedError("scipy.special.assoc_legendre_p of numbers beyond 1 is not supported")
    size = np.abs(m)
    inside = (1.0 - z) * (1.0 + z)
    sine = np.where(inside > 0, np.sqrt(np.where(inside > 0, inside, 1.0)), 0.0)
    found = _signed(_of_degrees(n, size, z, sine), m)
    return (found * np.sqrt(2.0 * np.pi) if norm else found * _scale(n, m))[np.newaxis]


def _scale(n, m):
    """From length 1 on the sphere to the classical functions: sqrt(4 pi / (2 n + 1) (n + m)! / (n - m)!)."""
    size = np.abs(m)
    found = np.sqrt(4.0 * np.pi / (2.0 * n + 1.0)) + 0.0 * size
    for k in range(1, 2 * np.max(size, initial=0) + 1):
        factor = np.maximum(n - size + k, 1)
        found = np.where(k <= 2 * size, np.where(m < 0, found / np.sqrt(factor), found * np.sqrt(factor)), found)
    return found


# ---- of all degrees and orders ---------------------------------------------------------------------------------------------------------


def _degrees(n, m, *others):
    """The degrees up to n in front, behind them the orders 0, 1, … m, -m, … -1, if there are orders."""
    ones = (1,) * np.ndim(sum(0.0 * np.asarray(each) for each in others))
    if np.ndim(n) > 0 or n < 0:
        raise ValueError("n must be a non-negative integer.")
    if m is None:
        return np.arange(n + 1).reshape(-1, *ones), None
    if np.ndim(m) > 0:
        raise ValueError("m must be an integer.")
    size = abs(m)
    orders = np.concatenate((np.arange(size + 1), np.arange(-size, 0)))
    return np.arange(n + 1).reshape(-1, 1, *ones), orders.reshape(-1, *ones)


def sph_legendre_p_all(n, m, theta, *, diff_n=0):
    """scipy.special.sph_legendre_p_all."""
    degrees, orders = _degrees(n, m, theta)
    return sph_legendre_p(degrees, orders, theta, diff_n=diff_n)


def sph_harm_y_all(n, m, theta, phi, *, diff_n=0):
    """scipy.special.sph_harm_y_all."""
    degrees, orders = _degrees(n, m, theta, phi)
    return sph_harm_y(degrees, orders, theta, phi, diff_n=diff_n)


def legendre_p_all(n, z, *, diff_n=0):
    """scipy.special.legendre_p_all of real numbers."""
    return legendre_p(_degrees(n, None, z)[0], z, diff_n=diff_n)


def assoc_legendre_p_all(n, m, z, *, branch_cut=2, norm=False, diff_n=0):
    """scipy.special.assoc_legendre_p_all of real numbers between -1 and 1."""
    degrees, orders = _degrees(n, m, z)
    return assoc_legendre_p(degrees, orders, z, branch_cut=branch_cut, norm=norm, diff_n=diff_n)


HARMONICS: dict[str, Any] = {f"scipy.special.{function.__name__}": function for function in (sph_legendre_p, sph_harm_y, legendre_p, assoc_legendre_p, sph_legendre_p_all, sph_harm_y_all, legendre_p_all, assoc_legendre_p_all)}
"""By qualified name."""
