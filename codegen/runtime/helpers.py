"""Functions whose source is copied into an emitted module when its kernels call them. Plain Python that Numba compiles."""
from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.codegen.runtime import decompositions, eigenvectors, linear_algebra, matrix_powers, spectra
from s2s.codegen.runtime.complex_functions import complex_function
from s2s.codegen.runtime.small_products import SMALL_PRODUCTS
from s2s.codegen.runtime.sums import plus
from s2s.codegen.runtime.vector_math import VECTOR_MATH


def stable_order(values, order):  # type: ignore[no-untyped-def]
    """Put into `order` the positions that sort a vector: stable, nan last (a merge sort, bottom up)."""
    n = values.shape[0]
    source, target = np.empty(n, np.int64), order
    for k in range(n):
        source[k] = k
        target[k] = k
    width = 1
    while width < n:
        for start in range(0, n, 2 * width):
            left, middle, end = start, min(start + width, n), min(start + 2 * width, n)
            right = middle
            for k in range(start, end):
                if left < middle and (
                    right >= end or not (values[source[right]] < values[source[left]]
                                         or (values[source[left]] != values[source[left]] and values[source[right]] == values[source[right]]))
                ):
                    target[k] = source[left]
                    left += 1
                else:
                    target[k] = source[right]
                    right += 1
        source, target = target, source
        width *= 2
    for k in range(n):
        order[k] = source[k]


def stable_order_of_complex(values, order):  # type: ignore[no-untyped-def]
    """The same of complex numbers, in NumPy's order: by real parts, then by imaginary ones; last those with nan in the imaginary part, in the real one, in both."""
    n = values.shape[0]
    keys, turn, before = np.empty(n, np.float64), np.empty(n, np.int64), np.empty(n, np.int64)
    for k in range(n):
        order[k] = k
    for by in range(3):  # what counts most, last
        for k in range(n):
            real, imag = values[order[k]].real, values[order[k]].imag
            kind = (2.0 if np.isnan(real) else 0.0) + (1.0 if np.isnan(imag) else 0.0)
            keys[k] = imag if by == 0 else real if by == 1 else kind
        stable_order(keys, turn)
        for k in range(n):
            before[k] = order[turn[k]]
        for k in range(n):
            order[k] = before[k]


def bisected(points, wanted, found, after):  # type: ignore[no-untyped-def]
    """Put into `found` where each of a vector belongs among points (`after` those that equal it), by NumPy's bisection, nan last."""
    n = points.shape[0]
    low, high = 0, n
    for k in range(wanted.shape[0]):
        last = max(k - 1, 0)
        if after == 1:
            rises = not (wanted[k] < wanted[last] or (wanted[last] != wanted[last] and wanted[k] == wanted[k]))
        else:
            rises = wanted[last] < wanted[k] or (wanted[k] != wanted[k] and wanted[last] == wanted[last])
        if rises:  # from the bounds of the element before
            high = n
        else:
            low, high = 0, min(high + 1, n)
        while low < high:
            m = low + (high - low) // 2
            if after == 1:
                below = not (wanted[k] < points[m] or (points[m] != points[m] and wanted[k] == wanted[k]))
            else:
                below = points[m] < wanted[k] or (wanted[k] != wanted[k] and points[m] == points[m])
            if below:
                low = m + 1
            else:
                high = m
        found[k] = low


def matmul(kind, rows, inner, columns, a, a_transposed, b, b_transposed, out, more):  # type: ignore[no-untyped-def]
    """out = a @ b (with `more`: out += a @ b) by BLAS, of contiguous matrices of the kind s, d, c or z. BLAS sees them transposed: out.T = b.T @ a.T."""
    scale = np.empty(2, a.dtype)
    scale[0] = 1
    scale[1] = 1 if more else 0
    for i in range(rows if inner == 0 and not more else 0):  # BLAS is given nothing that is empty
        for j in range(columns):
            out[i, j] = 0
    step = inner if rows * columns > 4096 else max(262144 // max(rows * columns, 1), 1)  # sums of many terms in pieces that stay in the cache, on one thread
    piece = 1024 if 64 <= columns <= 256 else max(rows, 1)  # many rows of a narrow result in pieces, too
    along_a, down_a = a.itemsize * (a.shape[1] if a_transposed else 1), a.itemsize * (1 if a_transposed else a.shape[1])
    along_b = b.itemsize * (1 if b_transposed else b.shape[1])
    for start in range(0, inner if rows > 0 and columns > 0 else 0, step):
        for row in range(0, rows, piece):
            gemm(
                np.int8(kind), np.int8(116 if b_transposed else 110), np.int8(116 if a_transposed else 110), columns, min(piece, rows - row), min(step, inner - start),
                scale.ctypes.data, b.ctypes.data + start * along_b, b.shape[1], a.ctypes.data + start * along_a + row * down_a, a.shape[1],
                scale.ctypes.data + a.itemsize, out.ctypes.data + row * columns * a.itemsize, columns,
            )
        scale[1] = 1


def product(a, b, out):  # type: ignore[no-untyped-def]
    """out = a @ b by NumPy's BLAS, of two matrices or of two for each example; nothing is said of overflows, as in compiled code."""
    with np.errstate(all="ignore"):
        if out.ndim > 2 or not 64 <= out.shape[1] <= 256 or os.environ.get("OPENBLAS_NUM_THREADS", str(os.cpu_count())) != "1":
            np.matmul(a, b, out=out)
            return
        rows = min(max(524288 // max(a.shape[1] * a.itemsize, 1), 512), 8192 // a.itemsize)
        some = np.empty((rows, a.shape[1]), a.dtype)
        for start in range(0, out.shape[0], rows):  # on one thread many rows of a narrow result in pieces that stay in the cache
            count = min(rows, out.shape[0] - start)
            some[:count] = a[start:start + count]
            np.matmul(some[:count], b, out=out[start:start + count])


def unordered(index):  # type: ignore[no-untyped-def]
    """index; a compiler does not see that a loop counts it downwards, which keeps it from vectorising loops over rows."""
    return np.int64(np.float64(index))


RUNTIME: dict[str, Callable[..., Any]] = {
    "stable_order": stable_order, "stable_order_of_complex": stable_order_of_complex, "bisected": bisected, "matmul": matmul, "product": product, "plus": plus, "unordered": unordered, **linear_algebra.LINEAR_ALGEBRA,
    **SMALL_PRODUCTS, **decompositions.DECOMPOSITIONS, **eigenvectors.EIGENVECTORS, **spectra.SPECTRA, **matrix_powers.MATRIX_POWERS, "complex_function": complex_function,
}  # fmt: skip
"""By name."""

PLAIN = frozenset({"product", "complex_function"})
"""Those that are not compiled."""

_LONG = ', fastmath={"contract"}, forceinline=True'
OPTIONS = {**dict.fromkeys(VECTOR_MATH, ', fastmath={"contract"}'), "array_erf": _LONG, "array_erfc": _LONG, "plus": ', fastmath={"reassoc"}', "small_product": ", forceinline=True", "product_with_column": ", forceinline=True", "rows_of_eight": ", forceinline=True"}
"""What Numba may do with the floats of a function, where it is more than IEEE's rules allow; and those that it would find too long to be written into a loop,
which can be vectorised only then.
"""

_GEMM = """gemm = types.ExternalFunction(
    "numba_xxgemm",  # SciPy's BLAS, found by Numba when it is first called; unlike a pointer it can be cached
    types.intc(*[types.char] * 3, *[types.intp] * 3, *[types.uintp] * 2, types.intp, types.uintp, types.intp, *[types.uintp] * 2, types.intp),
)"""

BEFORE = {
    "matmul": _GEMM,
    "subtracted": _GEMM,
    **linear_algebra.BEFORE, **decompositions.LINKED, **eigenvectors.LINKED, **eigenvectors.NUMBAS, **spectra.NUMBAS,
    "solved": linear_algebra.external("gesv", "numba_xgesv", "char", "intp", "intp", "uintp", "intp", "uintp", "uintp", "intp"),
    "lu_of_any": linear_algebra.BEFORE["lu_by_lapack"], "orthogonal_whole": linear_algebra.BEFORE["orthogonal"], "reflections": linear_algebra.BEFORE["orthogonal"],
    "singular_whole": linear_algebra.BEFORE["singular"], "eigen_upper": linear_algebra.BEFORE["eigen"],
}
"""Lines that a function needs before it."""

gemm: Any = None
