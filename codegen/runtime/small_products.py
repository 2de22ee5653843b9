"""Products of matrices too small for BLAS: some sums at a time, which stay in registers while their terms are added, in their order.

    for i in range(rows):                                                                      a row of a narrow result, up to
        c0, c1, c2, c3 = zero, zero, zero, zero                                                eight sums wide
        for k in range(inner):
            x = a[i, k]
            c0, c1, c2, c3 = c0 + x * b[k, 0], c1 + x * b[k, 1], …
        out[i, 0], out[i, 1], … = c0, c1, …

    for k in range(inner):                                                                     four by four sums of a wider one:
        c00, c01, c02, c03 = c00 + a[i, k] * b[k, j], c01 + a[i, k] * b[k, j + 1], …            out[i : i + 4, j : j + 4]
        c10, …

Four sums of a row lie side by side in `b` and in `out`: LLVM makes one vector of them, if it may (`SIDE_BY_SIDE`). Where the rows of a narrow result are short,
processors compute several of them at once by themselves.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.codegen.runtime.sums import plus


def small_product(a, a_turned, b, b_turned, out, more, zero):  # type: ignore[no-untyped-def]
    """out = a @ b (with `more`: out += a @ b) of contiguous matrices of up to eight columns; `a_turned`, `b_turned`: what is given is the transpose."""
    rows, columns = out.shape
    inner = a.shape[0] if a_turned else a.shape[1]
    if rows == 2 and inner == 2 and columns == 2 and not more:
        for i in range(2):
            x0, x1 = a[0, i] if a_turned else a[i, 0], a[1, i] if a_turned else a[i, 1]
            out[i, 0] = zero + x0 * b[0, 0] + x1 * (b[0, 1] if b_turned else b[1, 0])
            out[i, 1] = zero + x0 * (b[1, 0] if b_turned else b[0, 1]) + x1 * b[1, 1]
    elif rows == 4 and inner == 4 and columns == 4 and not more:
        for i in range(4):
            c0, c1, c2, c3 = zero, zero, zero, zero
            x0 = a[0, i] if a_turned else a[i, 0]
            c0, c1 = c0 + x0 * b[0, 0], c1 + x0 * (b[1, 0] if b_turned else b[0, 1])
            c2, c3 = c2 + x0 * (b[2, 0] if b_turned else b[0, 2]), c3 + x0 * (b[3, 0] if b_turned else b[0, 3])
            x1 = a[1, i] if a_turned else a[i, 1]
            c0, c1 = c0 + x1 * (b[0, 1] if b_turned else b[1, 0]), c1 + x1 * b[1, 1]
            c2, c3 = c2 + x1 * (b[2, 1] if b_turned else b[1, 2]), c3 + x1 * (b[3, 1] if b_turned else b[1, 3])
            x2 = a[2, i] if a_turned else a[i, 2]
            c0, c1 = c0 + x2 * (b[0, 2] if b_turned else b[2, 0]), c1 + x2 * (b[1, 2] if b_turned else b[2, 1])
            c2, c3 = c2 + x2 * b[2, 2], c3 + x2 * (b[3, 2] if b_turned else b[2, 3])
            x3 = a[3, i] if a_turned else a[i, 3]
            c0, c1 = c0 + x3 * (b[0, 3] if b_turned else b[3, 0]), c1 + x3 * (b[1, 3] if b_turned else b[3, 1])
            c2, c3 = c2 + x3 * (b[2, 3] if b_turned else b[3, 2]), c3 + x3 * b[3, 3]
            out[i, 0] = c0
            out[i, 1] = c1
            out[i, 2] = c2
            out[i, 3] = c3
    elif columns < 3:
        last = max(columns - 1, 0)
        for i in range(rows if columns > 0 else 0):
            c0, c1 = zero, zero
            if more:
                c0, c1 = out[i, 0], out[i, last]
            for k in range(inner):
                x = a[k, i] if a_turned else a[i, k]
                c0 += x * (b[0, k] if b_turned else b[k, 0])
                c1 += x * (b[last, k] if b_turned else b[k, last])
            out[i, 0] = c0
            out[i, last] = c1
    elif columns == 3:
        for i in range(rows):
            c0, c1, c2 = zero, zero, zero
            if more:
                c0, c1, c2 = out[i, 0], out[i, 1], out[i, 2]
            for k in range(inner):
                x = a[k, i] if a_turned else a[i, k]
                c0 += x * (b[0, k] if b_turned else b[k, 0])
                c1 += x * (b[1, k] if b_turned else b[k, 1])
                c2 += x * (b[2, k] if b_turned else b[k, 2])
            out[i, 0] = c0
            out[i, 1] = c1
            out[i, 2] = c2
    elif columns == 4:
        for i in range(rows):
            c0, c1, c2, c3 = zero, zero, zero, zero
            if more:
                c0, c1, c2, c3 = out[i, 0], out[i, 1], out[i, 2], out[i, 3]
            for k in range(inner):
                x = a[k, i] if a_turned else a[i, k]
                c0 += x * (b[0, k] if b_turned else b[k, 0])
                c1 += x * (b[1, k] if b_turned else b[k, 1])
                c2 += x * (b[2, k] if b_turned else b[k, 2])
                c3 += x * (b[3, k] if b_turned else b[k, 3])
            out[i, 0] = c0
            out[i, 1] = c1
            out[i, 2] = c2
            out[i, 3] = c3
    elif b_turned:
        straight = np.empty((inner, 8), a.dtype)
        for k in range(inner):
            for j in range(columns):
                straight[k, j] = b[j, k]
        rows_of_eight(a, a_turned, straight, out, more, zero)
    else:
        rows_of_eight(a, a_turned, b, out, more, zero)


def rows_of_eight(a, a_turned, b, out, more, zero):  # type: ignore[no-untyped-def]
    """The same of five to eight columns: two vectors a row, which have sums in common."""
    rows = out.shape[0]
    j = max(out.shape[1] - 4, 0)
    for i in range(rows):
        c0, c1, c2, c3 = zero, zero, zero, zero
        c4, c5, c6, c7 = zero, zero, zero, zero
        if more:
            c0, c1, c2, c3 = out[i, 0], out[i, 1], out[i, 2], out[i, 3]
            c4, c5, c6, c7 = out[i, j], out[i, j + 1], out[i, j + 2], out[i, j + 3]
        for k in range(b.shape[0]):
            x = a[k, i] if a_turned else a[i, k]
            c0, c1, c2, c3 = c0 + x * b[k, 0], c1 + x * b[k, 1], c2 + x * b[k, 2], c3 + x * b[k, 3]
            c4, c5, c6, c7 = c4 + x * b[k, j], c5 + x * b[k, j + 1], c6 + x * b[k, j + 2], c7 + x * b[k, j + 3]
        out[i, 0] = c0
        out[i, 1] = c1
        out[i, 2] = c2
        out[i, 3] = c3
        out[i, j] = c4
        out[i, j + 1] = c5
        out[i, j + 2] = c6
        out[i, j + 3] = c7


def product_in_blocks(a, a_turned, b, b_turned, out, more, zero):  # type: ignore[no-untyped-def]
    """The same, of any number of columns. What is turned is copied, so that what is added in turn lies in a row."""
    if a_turned:
        straight = np.empty((a.shape[1], a.shape[0]), a.dtype)
        for k in range(a.shape[0]):
            for i in range(a.shape[1]):
                straight[i, k] = a[k, i]
        product_of_rows(straight, b, b_turned, out, more, zero)
    else:
        product_of_rows(a, b, b_turned, out, more, zero)


def product_of_rows(a, b, b_turned, out, more, zero):  # type: ignore[no-untyped-def]
    """The same of an `a` that is given as it is."""
    if b_turned:
        straight = np.empty((b.shape[1], b.shape[0]), b.dtype)
        for j in range(b.shape[0]):
            for k in range(b.shape[1]):
                straight[k, j] = b[j, k]
        sums_in_blocks(a, straight, out, more, zero)
    else:
        sums_in_blocks(a, b, out, more, zero)


def sums_in_blocks(a, b, out, more, zero):  # type: ignore[no-untyped-def]
    """The same: four by four sums, what they leave over by threes."""
    rows, columns = out.shape
    inner = a.shape[1]
    narrow = columns > 4 and columns <= 8
    wide = columns if narrow else 0 if columns < 4 else columns - columns % 4 if more else columns
    if narrow:
        rows_of_eight(a, False, b, out, more, zero)
    if rows < 3 and wide > 0 and not narrow:  # by rows of b
        wide = columns
        for i in range(rows):
            for j in range(0 if more else columns):
                out[i, j] = zero
            for k in range(inner):
                x0 = a[i, k]
                for j in range(columns):
                    out[i, j] += x0 * b[k, j]
    for i0 in range(0, rows if rows > 2 and wide > 0 and not narrow else 0, 4):  # four by four; what reaches beyond the last row or column is the last one once more
        i1, i2, i3 = max(min(i0 + 1, rows - 1), 0), max(min(i0 + 2, rows - 1), 0), max(min(i0 + 3, rows - 1), 0)
        for start in range(0, wide, 4):
            j = max(min(start, wide - 4), 0)
            c00, c01, c02, c03 = zero, zero, zero, zero
            c10, c11, c12, c13 = zero, zero, zero, zero
            c20, c21, c22, c23 = zero, zero, zero, zero
            c30, c31, c32, c33 = zero, zero, zero, zero
            if more:
                c00, c01, c02, c03 = out[i0, j], out[i0, j + 1], out[i0, j + 2], out[i0, j + 3]
                c10, c11, c12, c13 = out[i1, j], out[i1, j + 1], out[i1, j + 2], out[i1, j + 3]
                c20, c21, c22, c23 = out[i2, j], out[i2, j + 1], out[i2, j + 2], out[i2, j + 3]
                c30, c31, c32, c33 = out[i3, j], out[i3, j + 1], out[i3, j + 2], out[i3, j + 3]
            for k in range(inner):
                x0, x1, x2, x3 = a[i0, k], a[i1, k], a[i2, k], a[i3, k]
                y0, y1, y2, y3 = b[k, j], b[k, j + 1], b[k, j + 2], b[k, j + 3]
                c00, c01, c02, c03 = c00 + x0 * y0, c01 + x0 * y1, c02 + x0 * y2, c03 + x0 * y3
                c10, c11, c12, c13 = c10 + x1 * y0, c11 + x1 * y1, c12 + x1 * y2, c13 + x1 * y3
                c20, c21, c22, c23 = c20 + x2 * y0, c21 + x2 * y1, c22 + x2 * y2, c23 + x2 * y3
                c30, c31, c32, c33 = c30 + x3 * y0, c31 + x3 * y1, c32 + x3 * y2, c33 + x3 * y3
            out[i0, j] = c00
            out[i0, j + 1] = c01
            out[i0, j + 2] = c02
            out[i0, j + 3] = c03
            out[i1, j] = c10
            out[i1, j + 1] = c11
            out[i1, j + 2] = c12
            out[i1, j + 3] = c13
            out[i2, j] = c20
            out[i2, j + 1] = c21
            out[i2, j + 2] = c22
            out[i2, j + 3] = c23
            out[i3, j] = c30
            out[i3, j + 1] = c31
            out[i3, j + 2] = c32
            out[i3, j + 3] = c33
    for i in range(rows if wide < columns else 0):  # by threes
        for j0 in range(wide, columns, 3):
            j1, j2 = min(j0 + 1, columns - 1), min(j0 + 2, columns - 1)
            c0, c1, c2 = zero, zero, zero
            if more:
                c0, c1, c2 = out[i, j0], out[i, j1], out[i, j2]
            for k in range(inner):
                x = a[i, k]
                c0 += x * b[k, j0]
                c1 += x * b[k, j1]
                c2 += x * b[k, j2]
            out[i, j0] = c0
            out[i, j1] = c1
            out[i, j2] = c2


def product_with_column(a, a_turned, b, b_turned, out, more, zero):  # type: ignore[no-untyped-def]
    """The same of a `b` that is one column: row by row, or by the rows of what is turned. `b_turned` says nothing new."""
    rows = out.shape[0]
    if a_turned:
        for i in range(0 if more else rows):
            out[i, 0] = zero
        for k in range(a.shape[0]):
            y = b[0, k] if b_turned else b[k, 0]
            for i in range(rows):
                out[i, 0] += a[k, i] * y
    else:
        for i in range(rows):
            total = zero
            for k in range(a.shape[1]):
                total = plus(total, a[i, k] * (b[0, k] if b_turned else b[k, 0]))
            out[i, 0] = out[i, 0] + total if more else total


SMALL_PRODUCTS: dict[str, Callable[..., Any]] = {function.__name__: function for function in (small_product, rows_of_eight, product_in_blocks, product_of_rows, sums_in_blocks, product_with_column)}
"""By name."""

CALLS: dict[str, tuple[str, ...]] = {
    "small_product": ("small_product", "rows_of_eight"),
    "product_in_blocks": ("product_in_blocks", "product_of_rows", "sums_in_blocks", "rows_of_eight"), "product_with_column": ("product_with_column", "plus"),
}  # fmt: skip
"""For each that kernels call: it and what it calls."""

WIDEST = 8
"""The columns that `small_product` is for."""

AS_WRITTEN = frozenset({"small_product", "rows_of_eight", "matmul", "turn", "lu_by_lapack"})
"""Functions whose loops LLVM leaves as they are: they are written out already, or move elements, or call BLAS."""

SIDE_BY_SIDE = frozenset((*CALLS["small_product"], *CALLS["product_in_blocks"]))
"""Functions whose statements side by side are to become vectors (LLVM's SLP vectoriser, which Numba leaves out)."""
