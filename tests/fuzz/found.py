"""Programs in which the fuzzer once found a fault, made small: they stay right. Each has a `loss` of the same arguments."""
from __future__ import annotations

HEAD = "import numpy as np\n"

REBOUND_WHILE_LOOPED_OVER = """
def f(a, b, P, x, k):
    d = b + 0
    y = 0.0
    for t in d:
        y = y * 0.5 + t
        d += a[0]
        d = np.cos(b[::-1])
    return y


def loss(a, b, P, x, k):
    return f(a, b, P, x, k)
"""
"""The loop goes on over the first d, which it changes: read from a copy of the name, the change was not seen."""

ROTATED_WHILE_LOOPED_OVER = """
def f(a, b, P, x, k):
    c = np.ones(5)
    y = 0.0
    for t, s in zip(c, a):
        y = y * 0.5 + t
        b = b * 1.0
        b += b[k]
        a, b, c = b, c, a
    return y, a * 1.0


def loss(a, b, P, x, k):
    y, a = f(a, b, P, x, k)
    return y + np.sum(a * a)
"""

A_VIEW_CHANGES_PLACES_WITH_AN_ITEM = """
def f(a, b, P, x, k):
    box = {"w": b}
    for j in range(len(a)):
        box["w"][j] = x
        b = a[::-1]
        box["w"], b = b, box["w"]
    return a * 1.0, box


def loss(a, b, P, x, k):
    a, box = f(a, b, P, x, k)
    return np.sum(a * a) + np.sum(box["w"])
"""
"""Paths through a dict were compared with others: a dict refuses to be compared."""

STORED_WHILE_UNROLLED = """
def f(a, b, P, x, k):
    items = [a[0], b[1], 2.0]
    y = 0.0
    for v in items:
        y += v
        items[2] = y * x
    for v, t in zip([1.0, 2.0, 3.0], np.zeros(3) + x):
        y += v * t
    return y


def loss(a, b, P, x, k):
    return f(a, b, P, x, k)
"""
"""Items of a list that change while it is gone through."""

INLINED_TWICE = """
def f(a, b, P, x, k):
    y = 0.5
    for i, t in enumerate(a):
        y = t
    return x, y, a * 1.0, b * 1.0


def loss(a, b, P, x, k):
    x, y, a, d = f(a, b, P, x, k)
    return 0.3 * x + y * 0.25 + np.sum(a * np.arange(1.0, 6.0)) + np.sum(np.sin(d))
"""
"""Gradient of a directional gradient: a call inside of a call that is written in place lost its results."""

STORED_IN_ONE_BRANCH = """
def f(a, b, P, x, k):
    c = a * 1.0
    z = 0.25
    if 0.2 >= np.sum(c):
        if x > 0.0:
            z = a[0]
    else:
        a = P @ c
    return z, a


def loss(a, b, P, x, k):
    z, a = f(a, b, P, x, k)
    return z + np.sum(a * np.arange(1.0, 6.0))
"""
"""A cotangent that is stored into, under another name, in one branch, while a result that is not yet written out reads it."""

BUFFERS_SWAPPED_TWICE = """
def smooth(v, w, times):
    for _ in range(times):
        for i in range(1, len(v) - 1):
            w[i] = 0.5 * v[i] * np.cos(v[i - 1]) + 0.25 * v[i + 1]
        v, w = w, v
    return v


def f(a, b, P, x, k):
    return smooth(a, a * 1.0, 2)


def loss(a, b, P, x, k):
    return np.sum(f(a, b, P, x, k) * np.arange(1.0, 6.0))
"""
"""What a loop reads of an array as it was before the loop is not what the loop leaves there: other trips store too."""

SWAPPED_AFTER_A_READ = """
def f(a, b, P, x, k):
    c = a * 1.0
    d = b + 0
    y = 0.0
    for j in range(len(c)):
        y += np.sin(d[j] - c[j])
    for q in range(2, 1, -1):
        d[q] += x
        d, c = c, d
    return y, c, d


def loss(a, b, P, x, k):
    y, c, d = f(a, b, P, x, k)
    return y + np.sum(c * d) + np.sum(np.cos(c))
"""
"""An array that a loop swaps with another one does not hold in the end what was read of it before."""

THREE_SIZES_SWAPPED = """
def f(a, b, P, x, k):
    a = a.copy()
    b = b + 0.0
    c = b.copy()
    S = np.outer(b, b)
    v = 0.0
    for i in range(len(a) - 1, -1, -1):
        v = np.sum(b @ P)
        b[i] = 0.5
        a, b, c = b, c, a
    return v, S, a


def loss(a, b, P, x, k):
    v, S, a = f(a, b, P, x, k)
    return v + np.sum(np.sin(S)) + np.sum(a * np.arange(1.0, 6.0))
"""
"""Arrays of sizes that need not be equal, swapped and rolled back: in the loop run backwards their sizes are carried too."""

STORED_WHERE_IT_SAYS = """
def f(a, b, P, x, k):
    e = np.zeros(5, dtype=np.int64)
    for p in range(1, 5):
        e[e[p] % 5] = k
        for q in range(1, 5):
            a[e[-1] % 5] += 0.1 * np.sin(a[q])
    return a * 1.0, e.sum()


def loss(a, b, P, x, k):
    a, _ = f(a, b, P, x, k)
    return np.sum(a * np.arange(1.0, 6.0))
"""
"""An array that is rolled back, and says itself where it was stored into: that place is kept."""

HANDED_OVER_TWICE = """
def march(u):
    for i in range(1, len(u)):
        u[i] = 0.2
    return u


def f(a, b, P, x, k):
    w = b
    for j in range(3):
        d = a
        w = march(d * 1.0)
    return a * 1.0, d, w


def loss(a, b, P, x, k):
    c, d, w = f(a, b, P, x, k)
    weights = np.arange(len(a))
    return np.sum(c * weights) + np.sum(w * weights)
"""
"""The backward half was handed one array as two cotangents (the same under other sizes), and stores into one of them."""

EMPTY_AND_REVERSED = """
KIND = "real"


def f(a, b, P, x, k):
    a = a * 1.0
    for j in range(1, len(a)):
        w = a[k:j:3][::-1]
        w += b[k:j:3] * x
        w = a[j:k:-2]
        w *= 0.5
    return a


def loss(a, b, P, x, k):
    return np.sum(f(a, b, P, x, k) * np.arange(len(a)))
"""
"""A slice that is empty, taken backwards: its end came before its start, and counted from the array's end."""

PLACES_IN_TWO_EXCHANGES = """
def march(u, w, steps):
    for _ in range(steps):
        for i in range(1, len(u)):
            w[i] = 0.4 * u[i - 1] + 0.3 * w[i]
        u, w = w, u
    return u


def f(a, b, P, x, k):
    c = b
    d = np.zeros_like(b)
    for j in range(1, 4):
        for r in range(2):
            d = march(d, c, 2)
    return a, b, c, d


def loss(a, b, P, x, k):
    return sum(np.sum(each) for each in f(a, b, P, x, k))
"""

PLACES_NOT_KNOWN = """
def pair(u, w, first):
    if first:
        u, w = w, u
    for i in range(1, len(u)):
        u[i] += 0.3 * w[i - 1]
    return u, w


def f(a, b, P, x, k):
    c = b
    d = a
    u, v = b, d
    for j in range(1, len(a)):
        u, d = d, u
        for l in range(2):
            u, c = pair(u, c, j > k)
            if l == 0:
                pass
            else:
                d, a = a, d
    return a, b, c, d, u, v


def loss(a, b, P, x, k):
    return sum(np.sum(each) for each in f(a, b, P, x, k))
"""
"""Arrays that change places in one loop or branch while others say that they are them."""

OVERWRITTEN_ON_A_PATH = """
def relax(u, s):
    for i in range(1, len(u) - 1):
        u[i] = 0.5 * u[i] + 0.25 * s * (u[i - 1] - u[i + 1])


def f(a, b, P, x, k):
    n = len(a)
    c = b.copy()
    S = 0.3 * np.outer(b, b)
    e = np.arange(n)
    for l in range(n - 1, 0, -3):
        x = 0.5 * a[l - 1] * abs(abs(b[(l + 1) % n]))
        if l > k:
            relax(c, max(x, S[(l + 1) % n, l]))
            S[0, l - 1] -= 0.3 * S[l, l - 1] * S[(l + 1) % n, l] / (1.0 + abs(S[e[l] % n, -1]))
    return x, b * 1.0, c * 1.0, S * 1.0


def loss(a, b, P, x, k):
    x, b, c, S = f(a, b, P, x, k)
    return 0.3 * x - np.sum(b * c) + 0.1 * np.sum(S)
"""
"""A scalar's variable was taken for another one in a branch, where what is written out behind the branch reads it."""

SIZES_THAT_CHANGE_PLACES = """
def f(a, b, P, x, k):
    d = P[1]
    v = b * 0.5
    n1 = 0
    while n1 < 3:
        n1 += 1
        d[1] *= v[0]
        b, d = d, b
        if 0.3 >= np.sum(d):
            return d, b * P[0, 0]
    return a * 1.0, b * 1.0


def loss(a, b, P, x, k):
    one, two = f(a, b, P, x, k)
    return np.sum(one) - 0.5 * np.sum(two * two)
"""
"""A loop's carried size was taken for the size before it when it was followed back: arrays had both, one of them in their types."""

FOUND = {name: HEAD + text for name, text in list(globals().items()) if name.isupper() and name not in ("HEAD", "FOUND")}
