"""Powers and logarithms of one matrix of complex numbers, copied into emitted modules: by LAPACK's Schur form and BLAS's products."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def powered(kind, a, t, out, logarithm):  # type: ignore[no-untyped-def]
    """out = a to the power of t[0], or log a. False where an eigenvalue is 0, or none were found.

    Square roots of the triangle until it is 1 + x, x small; the sum of (t - 1) ... (t - j) / (j + 1)! x**j is ((1 + x)**t - 1) / (t x), and for t = 0 log(1 + x) / x.
    In real numbers where Numba's functions of complex ones take long to compile.
    """
    n = a.shape[0]
    form, vectors, total, part, values = np.empty((n, n), a.dtype), np.empty((n, n), a.dtype), np.empty((n, n), a.dtype), np.empty((n, n), a.dtype), np.empty(n, a.dtype)
    if not schur_of_complex(kind, a, form, vectors):
        return False
    for i in range(n):
        x, y = form[i, i].real, form[i, i].imag
        large = abs(x) if abs(x) > abs(y) else abs(y)
        small = abs(y) if abs(x) > abs(y) else abs(x)
        if large == 0.0:
            return False
        small /= large
        values[i] = complex(np.log(large) + 0.5 * np.log(1.0 + small * small), np.arctan2(y, x))
    power, scale = t[0] - t[0] if logarithm else t[0], 1.0
    if power == 0.5:  # of log a it is 0
        square_roots(form, True)
        turned_by(kind, vectors, form, vectors, out, True)
        return True
    size = 1.0 + abs(power.real) + abs(power.imag)
    while square_roots(form, scale > 1.0) * size > 0.05 and scale < 1e30:
        scale *= 2.0
    for i in range(n):
        form[i, i] -= 1.0
    for j in range(12, -2, -1):  # last the product with x
        if j < 12:
            matmul(kind, n, n, n, form, False, total, False, part, False)
        else:
            matmul(kind, n, n, n, form, False, form, False, part, False)
        factor = power if j < 0 else (power - (1.0 + j)) * (1.0 / (j + 2.0))
        if j < 0 and logarithm:
            factor += scale
        for i in range(n):
            for k in range(n):
                total[i, k] = factor * part[i, k]
            if not (j < 0 and logarithm):
                total[i, i] += 1.0
    while scale > 1.0 and not logarithm:
        matmul(kind, n, n, n, total, False, total, False, part, False)
        for i in range(n):
            for k in range(n):
                total[i, k] = part[i, k]
        scale *= 0.5
    for i in range(n):
        value = power * values[i]
        size = np.exp(value.real)
        total[i, i] = values[i] if logarithm else complex(size * np.cos(value.imag), size * np.sin(value.imag))
    turned_by(kind, vectors, total, vectors, out, True)
    return True


def square_roots(form, change):  # type: ignore[no-untyped-def]
    """How far an upper triangle is from 1, with `change` after it has become its square root: column by column, from the diagonal up."""
    n, largest = form.shape[0], 0.0
    for j in range(n):
        size = -1.0
        for i in range(j, -1, -1):
            rest = form[i, j]
            if change and i == j:
                x, y = rest.real, rest.imag
                large = abs(x) if abs(x) > abs(y) else abs(y)
                small = abs(y) if abs(x) > abs(y) else abs(x)
                small /= large
                large = np.sqrt(0.5 * (large * np.sqrt(1.0 + small * small) + abs(x)))
                small = 0.5 * abs(y) / large
                other = small if x >= 0.0 else large
                rest = complex(large if x >= 0.0 else small, np.copysign(other, y))
                form[i, j] = rest
            elif change:
                for k in range(i + 1, j):
                    rest -= form[i, k] * form[k, j]
                below = form[i, i] + form[j, j]
                x, y = below.real, below.imag
                rest = rest * complex(x, -y) * (1.0 / (x * x + y * y))
                form[i, j] = rest
            size += abs(rest.real - 1.0) + abs(rest.imag) + 1.0 if i == j else abs(rest.real) + abs(rest.imag)
        largest = size if size > largest else largest
    return largest


def powered_change(kind, a, t, e, out, logarithm):  # type: ignore[no-untyped-def]
    """out = the derivative of `powered` at a in the direction e: the block above the diagonal of what is made of [[a, e], [0, a]], e as large as a."""
    n = a.shape[0]
    whole, found = np.zeros((2 * n, 2 * n), a.dtype), np.empty((2 * n, 2 * n), a.dtype)
    size, other = 0.0, 0.0
    for i in range(n):
        for j in range(n):
            size += abs(a[i, j].real) + abs(a[i, j].imag)
            other += abs(e[i, j].real) + abs(e[i, j].imag)
    scale = size / other if other > 0 else 1.0
    for i in range(n):
        for j in range(n):
            whole[i, j] = a[i, j]
            whole[n + i, n + j] = a[i, j]
            whole[i, n + j] = e[i, j] * scale
    if not powered(kind, whole, t, found, logarithm):
        return False
    for i in range(n):
        for j in range(n):
            out[i, j] = found[i, n + j] * (1.0 / scale)
    return True


MATRIX_POWERS: dict[str, Callable[..., Any]] = {function.__name__: function for function in (powered, square_roots, powered_change)}
"""By name."""

_NEEDED = ("square_roots", "schur_of_complex", "turn", "turned_by", "matmul")
CALLS = {"powered": _NEEDED, "powered_change": ("powered", *_NEEDED)}
"""What each function that kernels call needs beside it."""

schur_of_complex: Any = None
turned_by: Any = None
matmul: Any = None
