"""Passes over statements, each on small kernels: what goes in, what comes out, and that both do the same when they are run."""
from __future__ import annotations

import copy
import math
import pkgutil
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from statement_texts import kernel, kernel_text, picture, statements, texts, written

from s2s.codegen import passes
from s2s.codegen.language.effects import Users
from s2s.codegen.language.expressions import Load, Name
from s2s.codegen.language.printing import text
from s2s.codegen.passes import (
    abreast,
    buffers,
    checks_first,
    deferred,
    equal_sizes,
    examples,
    falling,
    fission,
    fuse,
    numpys_numbers,
    reassociate,
    rows_first,
    singles,
    tables,
    temporaries,
    tidy,
    unsigned,
)
from s2s.codegen.pipeline import PIPELINES
from s2s.codegen.runtime.helpers import plus, unordered
from s2s.codegen.runtime.vector_math import VECTOR_MATH

STEPS = {step.name: step for pipeline in PIPELINES.values() for step in pipeline.passes}


@dataclass(frozen=True)
class Pair:
    """Steps, one after the other, and statements before and after them. `before`: their text, or the module whose docstring shows both;
    `facts`: of the kernel (`kernel`).
    """

    steps: tuple[str, ...]
    before: str | ModuleType
    after: str = ""
    arrays: str = ""
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def texts(self) -> tuple[str, str]:
        if isinstance(self.before, ModuleType):
            return picture(self.before)
        return self.before, written(self.after)


def pair(steps: str, before: str | ModuleType, after: str = "", arrays: str = "", **facts: Any) -> Pair:
    return Pair(tuple(steps.split(" + ")), before, after, arrays, facts)


CHECKS, JOINED, ONE_NAME = "checks before loops", "loops joined", "equal lengths by one name"

PAIRS = {
    "one name": pair(ONE_NAME, equal_sizes, arrays="x[n] y[m] z[k]"),
    "loops over one range": pair("loops joined + temporaries contracted", fuse, arrays="x[n]", returns="total"),
    "narrower": pair("temporaries narrowed", temporaries, arrays="x[n, m] y[n, m]"),
    "before loops": pair(CHECKS, checks_first, arrays="x[m] y[n] z[k]"),
    "out of loops": pair("allocations out of loops", tidy, arrays="u[n]", numbers="steps", swaps=(("u", "new"),), returns="u"),
    "parted": pair("loops parted", fission, arrays="w[n, m] x[m] y[n]"),
    "by rows": pair("sums by rows", rows_first, arrays="a[n, m] b[m, p] c[n, p]"),
    "behind loops": pair("errors behind loops", deferred, arrays="x[n] y[n]"),
    "free sums": pair("free sums", reassociate, arrays="a[n] b[n]", numbers="s", sums="s", returns="s"),
    "single numbers": pair("single numbers", singles, arrays="x[n, m] y[n] a[n]"),
    "abreast": pair("trips abreast", abreast, arrays="a[m, n] x[n] x_bar[n]", sums="dot", derived=True),
    "outside": pair("allocated outside", buffers, arrays="x[n]", returns="y"),
    "tables": pair("allocated outside", tables, arrays="x[n]", returns="y"),
    "unsigned": pair("unsigned positions", unsigned, arrays="a[n] b[n] x[m]"),
    "unordered": pair("unordered rows", falling, arrays="x[n, m] y[m]"),
    "NumPy's": pair("numbers that are NumPy's", numpys_numbers, numbers="x", returns="y"),
    "examples": pair("examples in messages", examples, arrays="x[n] y[n]"),

    # ---- numbers that are NumPy's
    "numbers that are picked, and others": pair("numbers that are NumPy's", """
        first = 0.0 if x > 1.0 else x
        second = first
        other = 2.0
        for i in range(n):
            y[i] = second ** (-2) + other * y[i] + x
            second *= 0.5
        """, """
        first = np.float64(0.0) if x > 1.0 else x
        second = first
        other = 2.0
        for i in range(n):
            y[i] = second ** (-2) + other * y[i] + x
            second *= 0.5
        """, "y[n]", numbers="x"),

    # ---- sums by rows
    "a sum that is subtracted from": pair("sums by rows", """
        for i in range(n):
            for j in range(i, n):
                s = a[i, j]
                for k in range(i):
                    s -= lower[i, k] * b[k, j]
                c[i, j] = s
        """, """
        for i in range(n):
            for j in range(i, n):
                c[i, j] = a[i, j]
            for k in range(i):
                factor = lower[i, k]
                for j in range(i, n):
                    c[i, j] -= factor * b[k, j]
        """, "a[n, n] lower[n, n] b[n, n] c[n, n]"),
    "a sum that waits": pair("sums by rows", """
        for i in range(n):
            for j in range(p):
                dot = 0.0
                for k in range(i + 1, n):
                    dot += a[k, i] * b[k, j]
                b[i, j] += dot
        """, """
        dot_row = np.empty(p)
        for i in range(n):
            for j in range(p):
                dot_row[j] = 0.0
            for k in range(i + 1, n):
                factor = a[k, i]
                for j in range(p):
                    dot_row[j] += factor * b[k, j]
            for j in range(p):
                b[i, j] += dot_row[j]
        """, "a[n, n] b[n, p]"),
    "a sum of which more is made": pair("sums by rows", """
        for i in range(n):
            for j in range(p):
                dot = 0.0
                for k in range(i + 1, n):
                    dot += a[k, i] * b[k, j]
                c[i, j] = b[i, j]
                half = 0.5 * dot
                b[i, j] = dot
                y[j] = half * c[i, j]
        """, """
        dot_row = np.empty(p)
        for i in range(n):
            for j in range(p):
                dot_row[j] = 0.0
            for k in range(i + 1, n):
                factor = a[k, i]
                for j in range(p):
                    dot_row[j] += factor * b[k, j]
            for j in range(p):
                c[i, j] = b[i, j]
                half = 0.5 * dot_row[j]
                b[i, j] = dot_row[j]
                y[j] = half * c[i, j]
        """, "a[n, n] b[n, p] c[n, p] y[p]"),
    "a sum that starts with the one before": pair("sums by rows", """
        for j in range(1, p):
            s = c[0, j - 1]
            for k in range(m):
                s += b[k, j]
            c[0, j] = s
        """, """
        for j in range(1, p):
            s = c[0, j - 1]
            for k in range(m):
                s += b[k, j]
            c[0, j] = s
        """, "b[m, p] c[m, p]"),
    "sums along rows": pair("sums by rows", """
        for j in range(n):
            s = 0.0
            for k in range(m):
                s += a[j, k] * x[k]
            y[j] = s
        """, """
        for j in range(n):
            s = 0.0
            for k in range(m):
                s += a[j, k] * x[k]
            y[j] = s
        """, "a[n, m] x[m] y[n]"),
    "a sum that is needed": pair("sums by rows", """
        s = 0.0
        for j in range(p):
            s = 0.0
            for k in range(m):
                s += b[k, j]
            y[j] = s
        """, """
        s = 0.0
        for j in range(p):
            s = 0.0
            for k in range(m):
                s += b[k, j]
            y[j] = s
        """, "b[m, p] y[p]", returns="s"),
    "loops that change places": pair("sums by rows", """
        for i in range(n):
            for j in range(p):
                for k in range(m):
                    b_bar[k, j] += a[i, k] * c_bar[i, j]
                    a_bar[i, k] += b[k, j] * c_bar[i, j]
        """, """
        for i in range(n):
            for k in range(m):
                total = 0.0
                factor = a[i, k]
                for j in range(p):
                    b_bar[k, j] += factor * c_bar[i, j]
                    total += b[k, j] * c_bar[i, j]
                a_bar[i, k] += total
        """, "a[n, m] b[m, p] c_bar[n, p] a_bar[n, m] b_bar[m, p]", derived=True),
    "numbers of all columns": pair("sums by rows", """
        for i in range(n):
            for j in range(p):
                dot_bar = b_bar[i, j]
                c[i, j] = 0.0
                for k in range(i + 1, n):
                    b_bar[k, j] += a[k, i] * dot_bar
                for k in range(n):
                    a_bar[k, i] += dot_bar * b[k, j]
        """, """
        dot_bar_row = np.empty(p)
        for i in range(n):
            for j in range(p):
                dot_bar = b_bar[i, j]
                c[i, j] = 0.0
                dot_bar_row[j] = dot_bar
            for k in range(i + 1, n):
                factor = a[k, i]
                for j in range(p):
                    b_bar[k, j] += factor * dot_bar_row[j]
            for k in range(n):
                total = 0.0
                for j in range(p):
                    total += dot_bar_row[j] * b[k, j]
                a_bar[k, i] += total
        """, "a[n, n] a_bar[n, n] b[n, p] b_bar[n, p] c[n, p]", derived=True),
    "numbers of another column": pair("sums by rows", """
        for i in range(n):
            for j in range(1, p):
                dot_bar = b_bar[i, j - 1]
                for k in range(n):
                    b_bar[k, j] += a[k, i] * dot_bar
        """, """
        for i in range(n):
            for j in range(1, p):
                dot_bar = b_bar[i, j - 1]
                for k in range(n):
                    b_bar[k, j] += a[k, i] * dot_bar
        """, "a[n, n] b_bar[n, p]", derived=True),

    # ---- equal lengths by one name
    "of three the one that is used most": pair(ONE_NAME, """
        if n != m:
            raise ValueError('')
        if m != k:
            raise ValueError('')
        for i in range(k):
            y[i] = 2.0 * x[i]
        for i in range(m):
            z[i] = y[i]
        for i in range(k):
            z[i] += y[i]
        """, """
        if n != m:
            raise ValueError('')
        if m != k:
            raise ValueError('')
        for i in range(k):
            y[i] = 2.0 * x[i]
        for i in range(k):
            z[i] = y[i]
        for i in range(k):
            z[i] += y[i]
        """, "x[n] y[m] z[k]"),
    "what is equal in a branch": pair(ONE_NAME, """
        if steps > 1:
            if n != m:
                raise ValueError('')
            for i in range(m):
                x[i] = y[i]
            for i in range(n):
                x[i] += y[i]
            for i in range(n):
                x[i] *= 2.0
        for i in range(m):
            y[i] = 2.0
        """, """
        if steps > 1:
            if n != m:
                raise ValueError('')
            for i in range(n):
                x[i] = y[i]
            for i in range(n):
                x[i] += y[i]
            for i in range(n):
                x[i] *= 2.0
        for i in range(m):
            y[i] = 2.0
        """, "x[n] y[m]", numbers="steps"),
    # ---- loops joined
    "what stands between goes before": pair(JOINED, """
        for i in range(n):
            y[i] = 2.0 * x[i]
        s = 3.0 * a
        for i in range(n):
            z[i] = y[i] + s
        """, """
        s = 3.0 * a
        for i in range(n):
            y[i] = 2.0 * x[i]
            z[i] = y[i] + s
        """, "x[n] y[n] z[n]", numbers="a"),
    "a neighbour that the next trip stores": pair(JOINED, """
        for i in range(n):
            y[i] = 2.0 * x[i]
        for i in range(n - 1):
            z[i] = y[i + 1]
        """, """
        for i in range(n):
            y[i] = 2.0 * x[i]
        for i in range(n - 1):
            z[i] = y[i + 1]
        """, "x[n] y[n] z[n]"),
    "positions that may count from the end": pair(JOINED, """
        for i in range(n):
            y[i - 1] = 2.0 * x[i]
        for i in range(n):
            z[i] = y[i - 1]
        """, """
        for i in range(n):
            y[i - 1] = 2.0 * x[i]
        for i in range(n):
            z[i] = y[i - 1]
        """, "x[n] y[n] z[n]"),
    "one test": pair(JOINED, """
        if a < 0.0:
            y[0] = 1.0
        else:
            y[0] = 2.0
        if a < 0.0:
            y[1] = x[0]
        """, """
        if a < 0.0:
            y[0] = 1.0
            y[1] = x[0]
        else:
            y[0] = 2.0
        """, "x[n] y[n]", numbers="a"),

    # ---- temporaries
    "little arithmetic is done again": pair("temporaries recomputed + without what is unused", """
        z = np.empty(n)
        for i in range(n):
            z[i] = 2.0 * x[i]
        total = 0.0
        for i in range(n):
            total += z[i]
        for i in range(n):
            y[i] = z[i] + total
        """, """
        total = 0.0
        for i in range(n):
            total += 2.0 * x[i]
        for i in range(n):
            y[i] = 2.0 * x[i] + total
        """, "x[n] y[n]"),
    "a function is not called again": pair("temporaries recomputed", """
        z = np.empty(n)
        for i in range(n):
            z[i] = exp(x[i])
        total = 0.0
        for i in range(n):
            total += z[i]
        for i in range(n):
            y[i] = z[i] + total
        """, """
        z = np.empty(n)
        for i in range(n):
            z[i] = exp(x[i])
        total = 0.0
        for i in range(n):
            total += z[i]
        for i in range(n):
            y[i] = z[i] + total
        """, "x[n] y[n]"),
    "what a comparison reads is kept": pair("temporaries recomputed", """
        z = np.empty(n)
        for i in range(n):
            z[i] = 2.0 * x[i]
        for i in range(n):
            y[i] = 1.0 if z[i] > 0.5 else 0.0
        """, """
        z = np.empty(n)
        for i in range(n):
            z[i] = 2.0 * x[i]
        for i in range(n):
            y[i] = 1.0 if z[i] > 0.5 else 0.0
        """, "x[n] y[n]"),
    "a trip that reads another trip's row": pair("temporaries narrowed", """
        z = np.empty((n, m))
        for i in range(n):
            for j in range(m):
                z[i, j] = x[i, j]
            for j in range(m):
                y[i, j] = z[i, j] * z[0, j]
        """, """
        z = np.empty((n, m))
        for i in range(n):
            for j in range(m):
                z[i, j] = x[i, j]
            for j in range(m):
                y[i, j] = z[i, j] * z[0, j]
        """, "x[n, m] y[n, m]"),
    "one array after the other": pair("temporaries shared", """
        a = np.empty((n, n))
        for i in range(n):
            for j in range(n):
                a[i, j] = exp(x[i, j])
        b = np.empty((n, n))
        for i in range(n):
            for j in range(n):
                b[i, j] = a[i, j] * y[i]
        for i in range(n):
            for j in range(n):
                x[i, j] = b[j, i]
        """, """
        b = np.empty((n, n))
        for i in range(n):
            for j in range(n):
                b[i, j] = exp(x[i, j])
        for i in range(n):
            for j in range(n):
                b[i, j] *= y[i]
        for i in range(n):
            for j in range(n):
                x[i, j] = b[j, i]
        """, "x[n, n] y[n]"),
    "one that a function fills": pair("temporaries shared", """
        a = np.empty((n, n))
        doubled(x, a)
        b = np.empty((n, n))
        for i in range(n):
            for j in range(n):
                b[i, j] = a[i, j] * y[i]
        doubled(b, x)
        """, """
        b = np.empty((n, n))
        doubled(x, b)
        for i in range(n):
            for j in range(n):
                b[i, j] *= y[i]
        doubled(b, x)
        """, "x[n, n] y[n]"),
    "one that a function reads later": pair("temporaries shared", """
        a = np.empty((n, n))
        doubled(x, a)
        b = np.empty((n, n))
        for i in range(n):
            for j in range(n):
                b[i, j] = a[i, j] * y[i]
        doubled(b, x)
        doubled(a, x)
        """, """
        a = np.empty((n, n))
        doubled(x, a)
        b = np.empty((n, n))
        for i in range(n):
            for j in range(n):
                b[i, j] = a[i, j] * y[i]
        doubled(b, x)
        doubled(a, x)
        """, "x[n, n] y[n]"),

    # ---- tidy
    "what nobody reads": pair("without what is unused", """
        a = 2.0 * y[0]
        b = np.empty(n)
        for i in range(n):
            b[i] = x[i]
        for i in range(n):
            y[i] = 3.0
        """, """
        for i in range(n):
            y[i] = 3.0
        """, "x[n] y[n]"),
    "what the next store undoes, and what stores nothing new": pair("without what is unused", """
        a = np.empty(n)
        for i in range(n):
            a[i] = 0.0
            a[i] = x[i] + 1.0
            a[i] = a[i]
        for i in range(n):
            y[i] = y[i]
        for i in range(n):
            x[i] = 0.0
            x[i] = y[i] + a[i]
        """, """
        a = np.empty(n)
        for i in range(n):
            a[i] = x[i] + 1.0
        for i in range(n):
            x[i] = 0.0
            x[i] = y[i] + a[i]
        """, "x[n] y[n]"),
    "and what only that read": pair("without what is unused, again", """
        a = 2.0 * y[0]
        b = a + 1.0
        y[0] = 1.0
        """, """
        y[0] = 1.0
        """, "y[n]"),
    "parameters that change places": pair("exchanged parameters", """
        for t in range(steps):
            u, v = v, u
        """, """
        for t in range(steps):
            u, v = v, u
        """, "u[n] v[n] w[n]", numbers="steps", returns="u v"),

    # ---- checks before loops
    "a loop that surely runs": pair(CHECKS, """
        for i in range(3):
            if n != m:
                raise ValueError("sizes")
            y[i] = x[i]
        """, """
        if n != m:
            raise ValueError('sizes')
        for i in range(3):
            y[i] = x[i]
        """, "x[n] y[m]"),
    "a number before it": pair(CHECKS, """
        for i in range(3):
            best = 0.0
            if n != m:
                raise ValueError("sizes")
            y[i] = best
        """, """
        if n != m:
            raise ValueError('sizes')
        for i in range(3):
            best = 0.0
            y[i] = best
        """, "x[n] y[m]"),
    "a length that it is made of": pair(CHECKS, """
        for i in range(3):
            for j in range(m):
                size = max(n - i - 1, 0)
                if size != k:
                    raise ValueError("sizes")
                y[j] = x[i]
        """, """
        for i in range(3):
            size = max(n - i - 1, 0)
            if 0 < m and size != k:
                raise ValueError('sizes')
            for j in range(m):
                y[j] = x[i]
        """, "x[n] y[m] z[k]"),
    "nothing else": pair(CHECKS, """
        for i in range(m):
            for j in range(m):
                size = max(n - i - 1, 0)
                if size != k:
                    raise ValueError("sizes")
            y[i] = x[i]
        """, """
        for i in range(m):
            size = max(n - i - 1, 0)
            if 0 < m and size != k:
                raise ValueError('sizes')
            y[i] = x[i]
        """, "x[n] y[m] z[k]"),
    "a range": pair(CHECKS, """
        total = 0.0
        for i in range(k):
            for j in range(1, m):
                if j >= n:
                    raise ValueError("range", j)
                total += x[j]
        """, """
        total = 0.0
        if 0 < k and (1 < m and m > n):
            raise ValueError('range', max(1, n))
        for i in range(k):
            for j in range(1, m):
                total += x[j]
        """, "x[n] y[m] z[k]", returns="total"),
    "a range of trips that are seen": pair(CHECKS, """
        for i in range(m):
            if i >= n:
                raise ValueError("range", i)
            y[i] = x[i]
        """, """
        for i in range(m):
            if i >= n:
                raise ValueError('range', i)
            y[i] = x[i]
        """, "x[n] y[m]"),
    "out of two loops": pair(CHECKS, """
        for i in range(n):
            for j in range(m):
                if n != k:
                    raise ValueError("sizes")
                y[j] = x[i]
        """, """
        if 0 < n and (0 < m and n != k):
            raise ValueError('sizes')
        for i in range(n):
            for j in range(m):
                y[j] = x[i]
        """, "x[n] y[m] z[k]"),
    "a check of the index stays": pair(CHECKS, """
        for i in range(n):
            if i == m:
                raise ValueError("sizes")
            y[i] = x[i]
        """, """
        for i in range(n):
            if i == m:
                raise ValueError('sizes')
            y[i] = x[i]
        """, "x[n] y[n] z[m]"),
    "a check of what the loop changes stays": pair(CHECKS, """
        for i in range(n):
            if s > 2.0:
                raise ValueError("large")
            s += x[i]
            y[i] = s
        """, """
        for i in range(n):
            if s > 2.0:
                raise ValueError('large')
            s += x[i]
            y[i] = s
        """, "x[n] y[n]", numbers="s"),
    "a check behind a store stays": pair(CHECKS, """
        for i in range(n):
            y[i] = x[i]
            if n != m:
                raise ValueError("sizes")
        """, """
        for i in range(n):
            y[i] = x[i]
            if n != m:
                raise ValueError('sizes')
        """, "x[n] y[n] z[m]"),
    "a check of an element that the loop stores stays": pair(CHECKS, """
        for i in range(n):
            if y[0] < 0.5:
                raise ValueError("small")
            y[i] = x[i]
        """, """
        for i in range(n):
            if y[0] < 0.5:
                raise ValueError('small')
            y[i] = x[i]
        """, "x[n] y[n]"),

    # ---- errors behind loops
    "of two errors the first must be known": pair("errors behind loops", """
        for i in range(n):
            if x[i] > 2.0:
                raise OverflowError("large")    # late
            if x[i] < 0.0:
                raise ValueError("negative")    # late
            y[i] = x[i]
        """, """
        for i in range(n):
            if x[i] > 2.0:
                raise OverflowError('large')
            if x[i] < 0.0:
                raise ValueError('negative')
            y[i] = x[i]
        """, "x[n] y[n]"),

    "of a loop over examples": pair("errors behind loops", """
        for i in range(n):
            if x[i] > 2.0:
                raise OverflowError('large')  # late, example i
            y[i] = exp(x[i])
        """, """
        failed = n
        for i in range(n):
            failed = min(failed, i if x[i] > 2.0 else n)
            y[i] = exp(x[i])
        if failed < n:
            raise OverflowError('large')
        """, "x[n] y[n]"),
    "of a loop in one over examples": pair("errors behind loops + examples in messages", """
        for j in range(m):
            for i in range(n):
                if x[i] < 0.0:
                    raise OverflowError('large')  # late, example j
                y[i] = exp(x[i])
        """, """
        for j in range(m):
            failed = False
            for i in range(n):
                failed |= x[i] < 0.0
                y[i] = exp(x[i])
            if failed:
                raise OverflowError('large (example {} of the batch)', j)
        """, "x[n] y[n] z[m]"),
    "examples of examples, in a text": pair("examples in texts", """
        if x[0] < 0.0:
            raise ValueError('{x}')  # example i j
        """, """
        if x[0] < 0.0:
            raise ValueError(f'{{x}} (example {j} of example {i} of the batch)')
        """, "x[n]"),
    "what is wrong with all examples": pair(CHECKS, """
        for j in range(n):
            if m < 1:
                raise ValueError('none')  # example j
            y[j] = x[j]
        """, """
        if 0 < n and m < 1:
            raise ValueError('none')
        for j in range(n):
            y[j] = x[j]
        """, "x[n] y[n] z[m]"),

    # ---- branches joined
    "neighbours on one test": pair("branches joined", """
        for j in range(n):
            if j > m:
                a[j] = 0.0
            if j > m:
                b[j] = 1.0
            else:
                b[j] = 2.0
        """, """
        for j in range(n):
            if j > m:
                a[j] = 0.0
                b[j] = 1.0
            else:
                b[j] = 2.0
        """, "a[n] b[n] c[m]"),
    "not where the first changes the test": pair("branches joined", """
        if a[0] > 0.0:
            a[0] = -1.0
        if a[0] > 0.0:
            b[0] = 1.0
        """, """
        if a[0] > 0.0:
            a[0] = -1.0
        if a[0] > 0.0:
            b[0] = 1.0
        """, "a[n] b[n]"),

    # ---- unsigned positions
    "one that a compiler sees": pair("unsigned positions", """
        for j in range(n):
            b[j] += a[j]
        """, """
        for j in range(n):
            b[j] += a[j]
        """, "a[n] b[n]"),
}  # fmt: skip


@pytest.mark.parametrize("case", PAIRS)
def test_before_and_after(case: str) -> None:
    before, after = PAIRS[case].texts
    made = kernel(before, PAIRS[case].arrays, **PAIRS[case].facts)
    for step in PAIRS[case].steps:
        made = STEPS[step].apply(made)
    assert kernel_text(made) == after


def test_every_pass_has_a_pair() -> None:
    assert {step for each in PAIRS.values() for step in each.steps} == STEPS.keys()


def test_every_module_of_passes_shows_what_it_does() -> None:
    names = {f"{passes.__name__}.{info.name}" for info in pkgutil.iter_modules(passes.__path__)}
    assert {each.before.__name__ for each in PAIRS.values() if isinstance(each.before, ModuleType)} == names


@pytest.mark.parametrize("case", PAIRS)
@pytest.mark.parametrize("size", [0, 1, 2, 5, 9])
def test_both_do_the_same(case: str, size: int) -> None:
    """As Python: the same arrays, the same numbers, the same exceptions."""
    each = PAIRS[case]
    if any(element in each.texts[0] for element in ("[0]", "range(3)", "[1]")):
        size += 3
    before = kernel(each.texts[0], each.arrays, **each.facts)
    after = before
    for step in each.steps:
        after = STEPS[step].apply(after)
    rng = np.random.default_rng(size)
    lengths = {name: size + (name == "k") * int(rng.integers(2)) for name in before.sizes}
    given: dict[str, Any] = {
        slot.name: rng.uniform(0.1, 3.0, tuple(lengths[dim.name] for dim in slot.type.shape)) if slot.type.shape else 2 if slot.name == "steps" else 0.5
        for slot in before.params
    }
    first, second = outcome(before, given, lengths), outcome(after, given, lengths)
    assert first.keys() == second.keys()
    for name, value in first.items():
        np.testing.assert_allclose(second[name], value, rtol=1e-13, err_msg=name) if name != "raised" else None
    assert first.get("raised") == second.get("raised")


def doubled(x: np.ndarray, out: np.ndarray) -> None:
    """A kernel that is called."""
    out[:] = 2.0 * x


def outcome(made: Any, given: dict[str, Any], lengths: dict[str, int]) -> dict[str, Any]:
    """What a kernel leaves in its parameters and returns, or the exception that it raises (after which the arrays that were stored are as they are)."""
    names = {**vars(math), **VECTOR_MATH, "np": np, "plus": plus, "unordered": unordered, "doubled": doubled, **lengths, **copy.deepcopy(given)}
    names |= {buffer.name: np.empty(tuple(map(int, (eval(text(length), names) for length in buffer.shape)))) for buffer in made.buffers}
    for buffer in made.buffers:
        if buffer.numbers:
            exec("\n".join(buffer.table(buffer.name)), names)
    try:
        exec(texts(made.body), names)
    except (ValueError, OverflowError) as error:
        return {"raised": (type(error), error.args)}
    return {name: names[name] for name in [*given, *(result.id for result in made.results)]}


def test_parameters_that_change_places_are_written() -> None:
    made = STEPS["exchanged parameters"].apply(kernel(PAIRS["parameters that change places"].before, "u[n] v[n] w[n]", "steps"))  # type: ignore[arg-type]
    assert [slot.name for slot in made.params if slot.written] == ["u", "v"]


def test_a_length_that_may_be_negative_is_not_allocated_before_its_loop() -> None:
    """The loop may have no trip: what stands before it must not fail."""
    made = STEPS["allocations out of loops"].apply(kernel("""
        for t in range(steps):
            w = np.empty(n - 1)
            for i in range(n - 1):
                w[i] = x[i]
                x[i] = w[i]
        """, "x[n]", "steps"))
    assert texts(made.body).startswith("w = np.empty(max(n - 1, 0))\nfor t in range(steps):")


def test_only_derivatives_are_taken_abreast() -> None:
    assert STEPS["trips abreast"].only == "derived"


def test_users_of_arrays_are_the_same_however_a_body_came_about():
    """An index that follows replacements says what one that is made anew says."""
    body = statements("""
        for i in range(n):
            a[i] = x[i]
        for i in range(n):
            b[i] = a[i] * s
        s = 2.0
        for i in range(n):
            c[i] = b[i] + a[i]
    """, tuple("abcx"))
    index, anew = Users(), Users()
    assert index.users(body, "a") == [0, 1, 3]
    changed = index.with_replaced(body, {3: fuse.with_names(body[3], {Load("a", (Name("i"),)): Load("x", (Name("i"),))}), 1: body[0]})
    for name in "abcxis":
        assert index.users(changed, name) == anew.users(changed, name), name
        assert [index.changes(changed, name, k, k) for k in range(4)] == [anew.changes(changed, name, k, k) for k in range(4)], name
    assert index.changes(body, "s", 1, 2)
    assert not index.changes(body, "s", 3, 3)
