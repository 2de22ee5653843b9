"""Programs as people write them, from their mathematical definitions: values as NumPy's, derivatives against each other and differences.

Loops left early, trip counts that depend on data, triangular nests, slices of varying length, updates through views and aliases,
swapped buffers, helpers that change their arguments, states in containers; and what such programs once stumbled over.
"""
import copy
import itertools
import math
from collections import namedtuple
from dataclasses import dataclass

import numpy as np
import pytest
from numeric import assert_same, difference, inner, is_differentiable, leaves, map_leaves, pairs, random_like, zero_like

import s2s
from s2s.errors import UnsupportedError

PROGRAMS = []
COMPILED = ("nested_early_return", "swap_three_buffers", "knapsack_list")
"""Those that are compiled in every run; the others are `slow`."""


def program(make, wrt=(0,), *, second=True, single=True):
    """A program with arguments drawn by make(rng), differentiated with respect to `wrt`."""

    def add(fun):
        PROGRAMS.append(pytest.param(fun, make, wrt, second, single, id=fun.__name__))
        return fun

    return add


def spd(rng, n):
    a = rng.normal(size=(n, n))
    return a @ a.T + n * np.eye(n)


@dataclass
class Body:
    q: np.ndarray
    p: np.ndarray
    m: float = 1.0

    def kinetic(self):
        return 0.5 * np.dot(self.p, self.p) / self.m

    def step(self, dt):
        self.p -= dt * self.q
        self.q += dt * self.p / self.m


Params = namedtuple("Params", "W b")  # noqa: PYI024 - as people write it
GRAVITY = 9.81
DT = 0.05
NODES = np.array([0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0])
WEIGHTS = [
    [],
    [1 / 5],
    [3 / 40, 9 / 40],
    [44 / 45, -56 / 15, 32 / 9],
    [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
    [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
    [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
]
FIFTH = np.array([35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84, 0])
FOURTH = np.array([5179 / 57600, 0, 7571 / 16695, 393 / 640, -92097 / 339200, 187 / 2100, 1 / 40])


def vdp(t, y, mu):
    return np.array([y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]])


def swap_rows(M, i, j):
    if i == j:
        return
    tmp = M[i].copy()
    M[i] = M[j]
    M[j] = tmp


def relax(u, f, omega):
    r = 0.0
    for i in range(1, len(u) - 1):
        d = 0.5 * (u[i - 1] + u[i + 1] + f[i]) - u[i]
        u[i] += omega * d
        r = max(r, abs(d))
    return r


def restrict(r):
    n = (len(r) + 1) // 2
    out = np.zeros(n)
    for i in range(1, n - 1):
        out[i] = 0.25 * r[2 * i - 1] + 0.5 * r[2 * i] + 0.25 * r[2 * i + 1]
    return out


@program(lambda r: (2.7, 1.0), (0, 1))
def newton_root(a, x0):
    x = x0
    it = 0
    while abs(x * x - a) > 1e-13 * a:
        x = 0.5 * (x + a / x)
        it += 1
        if it > 50:
            break
    return x


@program(lambda r: (np.array([2.0, 0.0]), 1.5, 2.0), (0, 1), second=False, single=False)
def rk45_adaptive(y0, mu, t_end):
    t, y, h = 0.0, y0.copy(), 0.1
    rejected = 0
    while t < t_end:
        h = min(h, t_end - t)
        k = []
        for s in range(7):
            ys = y
            for j in range(s):
                ys = ys + h * WEIGHTS[s][j] * k[j]
            k.append(vdp(t + NODES[s] * h, ys, mu))
        y5 = y + h * sum(b * kk for b, kk in zip(FIFTH, k))
        err = h * sum((b5 - b4) * kk for b5, b4, kk in zip(FIFTH, FOURTH, k))
        e = np.sqrt(np.mean((err / (1e-6 + 1e-6 * np.abs(y))) ** 2))
        if e <= 1.0:
            t += h
            y = y5
        else:
            rejected += 1
        h *= min(5.0, max(0.2, 0.9 * (1.0 / max(e, 1e-10)) ** 0.2))
        if h < 1e-12:
            raise RuntimeError(f"step size too small at t={t}")
    return y[0] + 0.5 * y[1] ** 2


@program(lambda r: (r.normal(size=(5, 5)), r.normal(size=5)), (0, 1))
def lu_solve_swap(A, b):
    A = A.copy()
    b = b.copy()
    n = len(b)
    for i in range(n):
        p = i + np.argmax(np.abs(A[i:, i]))
        if p != i:
            A[[i, p]] = A[[p, i]]
            b[[i, p]] = b[[p, i]]
        for r in range(i + 1, n):
            m = A[r, i] / A[i, i]
            A[r, i:] -= m * A[i, i:]
            b[r] -= m * b[i]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - A[i, i + 1:] @ x[i + 1:]) / A[i, i]
    return x


@program(lambda r: (r.normal(size=(6, 4)),), single=False)
def qr_householder(A):
    R = A.copy()
    m, n = R.shape
    Q = np.eye(m)
    for k in range(n):
        x = R[k:, k]
        v = x.copy()
        v[0] += np.copysign(np.linalg.norm(x), x[0])
        v /= np.linalg.norm(v)
        R[k:, k:] -= 2.0 * np.outer(v, v @ R[k:, k:])
        Q[:, k:] -= 2.0 * np.outer(Q[:, k:] @ v, v)
    return Q, R


@program(lambda r: (r.normal(size=6), r.normal(size=7) + 5, r.normal(size=6), r.normal(size=7)), (0, 1, 2, 3))
def thomas(a, b, c, d):
    n = len(d)
    cp, dp = np.empty(n - 1), np.empty(n)
    cp[0] = c[0] / b[0]
    dp[0] = d[0] / b[0]
    for i in range(1, n):
        m = b[i] - a[i - 1] * cp[i - 1]
        if i < n - 1:
            cp[i] = c[i] / m
        dp[i] = (d[i] - a[i - 1] * dp[i - 1]) / m
    x = dp
    for i in reversed(range(n - 1)):
        x[i] -= cp[i] * x[i + 1]
    return x


@program(lambda r: (spd(r, 4),), second=False, single=False)
def jacobi_eigen(A):
    A = A.copy()
    n = A.shape[0]
    V = np.eye(n)
    for _ in range(50):
        off = 0.0
        for i in range(n):
            for j in range(n):
                if i != j:
                    off += A[i, j] ** 2
        if off < 1e-22:
            break
        for p in range(n - 1):
            for q in range(p + 1, n):
                if abs(A[p, q]) < 1e-20:
                    continue
                theta = (A[q, q] - A[p, p]) / (2 * A[p, q])
                t = np.sign(theta) / (abs(theta) + np.sqrt(theta ** 2 + 1))
                c = 1 / np.sqrt(t * t + 1)
                s = t * c
                for k in range(n):
                    akp, akq = A[k, p], A[k, q]
                    A[k, p] = c * akp - s * akq
                    A[k, q] = s * akp + c * akq
                for k in range(n):
                    apk, aqk = A[p, k], A[q, k]
                    A[p, k] = c * apk - s * aqk
                    A[q, k] = s * apk + c * aqk
                V[:, p], V[:, q] = c * V[:, p] - s * V[:, q], s * V[:, p] + c * V[:, q]
    return np.sort(np.diag(A))


@program(lambda r: (r.normal(size=12), 3))
def prefix_overlap(u, steps):
    u = u.copy()
    for _ in range(steps):
        u[1:] = u[:-1] + 0.5 * u[1:]
        u[:-2] += u[2:]
        u[::-1][:3] *= u[3:6]
    return u


@program(lambda r: (r.normal(size=8), r.normal(size=8), 6), (0, 1))
def conditional_swap(a, b, n):
    a, b = a.copy(), b.copy()
    for t in range(n):
        if a.sum() < b.sum():
            a, b = b, a
        a *= 0.5
        b[t] += a[t] ** 2
    return a * 2 + b


@program(lambda r: (r.uniform(0.1, 1, size=(6, 5)), 0.5), (0, 1))
def soft_dtw(D, gamma):
    n, m = D.shape
    Rm = np.full((n + 1, m + 1), 1e10)
    Rm[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            r0, r1, r2 = -Rm[i - 1, j - 1] / gamma, -Rm[i - 1, j] / gamma, -Rm[i, j - 1] / gamma
            mx = max(r0, r1, r2)
            s = np.exp(r0 - mx) + np.exp(r1 - mx) + np.exp(r2 - mx)
            Rm[i, j] = D[i - 1, j - 1] - gamma * (np.log(s) + mx)
    return Rm[n, m]


@program(lambda r: (r.uniform(0.1, 1, size=3), r.uniform(0.1, 1, size=(3, 3)), r.uniform(0.1, 1, size=(3, 4)), np.array([0, 2, 1, 3, 3, 0])), (0, 1, 2))
def hmm_forward(pi, A, B, obs):
    pi = pi / pi.sum()
    A = A / A.sum(axis=1, keepdims=True)
    B = B / B.sum(axis=1)[:, None]
    alpha = pi * B[:, obs[0]]
    c = alpha.sum()
    alpha /= c
    ll = np.log(c)
    for o in obs[1:]:
        alpha = (alpha @ A) * B[:, o]
        c = alpha.sum()
        alpha /= c
        ll += math.log(c)
    return ll


@program(lambda r: (r.normal(size=3), r.normal(size=(3, 3)), r.normal(size=(6, 3))), (0, 1, 2), second=False)
def viterbi(pi, A, E):
    T, S = E.shape
    delta = np.zeros((T, S))
    psi = np.zeros((T, S), dtype=int)
    delta[0] = pi + E[0]
    for t in range(1, T):
        for s in range(S):
            scores = delta[t - 1] + A[:, s]
            psi[t, s] = scores.argmax()
            delta[t, s] = scores[psi[t, s]] + E[t, s]
    path = np.zeros(T, dtype=np.int64)
    path[-1] = np.argmax(delta[-1])
    for t in range(T - 2, -1, -1):
        path[t] = psi[t + 1, path[t + 1]]
    return delta[-1].max(), path


@program(lambda r: (r.normal(size=8) + 1j * r.normal(size=8),))
def fft_iterative(x):
    n = len(x)
    X = np.array(x, dtype=complex)
    j = 0
    for i in range(1, n):
        bit = n >> 1
        while j & bit:
            j ^= bit
            bit >>= 1
        j |= bit
        if i < j:
            X[i], X[j] = X[j], X[i]
    size = 2
    while size <= n:
        w_step = np.exp(-2j * np.pi / size)
        for start in range(0, n, size):
            w = 1.0 + 0.0j
            for k in range(size // 2):
                u = X[start + k]
                t = w * X[start + k + size // 2]
                X[start + k] = u + t
                X[start + k + size // 2] = u - t
                w *= w_step
        size *= 2
    return X


@program(lambda r: (r.normal(size=8),), single=False)
def fft_recursive(x):
    def fft(v):
        n = len(v)
        if n == 1:
            return v.astype(complex)
        even, odd = fft(v[::2]), fft(v[1::2])
        tw = np.exp(-2j * np.pi * np.arange(n // 2) / n) * odd
        return np.concatenate([even + tw, even - tw])
    return np.abs(fft(x)) ** 2


@program(lambda r: (r.normal(size=7), np.array([0, 2, 1, 3, 0, 2, 3]), np.array([0, 2, 4, 4, 7]), r.normal(size=4)), (0, 3))
def csr_matvec_slices(data, indices, indptr, x):
    y = np.empty(len(indptr) - 1)
    for i in range(len(y)):
        lo, hi = indptr[i], indptr[i + 1]
        y[i] = np.dot(data[lo:hi], x[indices[lo:hi]])
    return y


@program(lambda r: (100.0, 0.2, 0.03, r.normal(size=(8, 5))), (0, 1, 2))
def monte_carlo_barrier(S0, vol, r, Z):
    paths, steps = Z.shape
    dt = 1.0 / steps
    payoff = 0.0
    for p in range(paths):
        S = S0
        avg = 0.0
        alive = True
        for t in range(steps):
            S *= np.exp((r - 0.5 * vol * vol) * dt + vol * np.sqrt(dt) * Z[p, t])
            if S < 80.0 or S > 160.0:
                alive = False
                break
            avg += S / steps
        if not alive:
            continue
        payoff += max(avg - 95.0, 0.0)
    return np.exp(-r) * payoff / paths


@program(lambda r: (np.where(r.normal(size=(5, 5)) > 0, 1.0, -1.0), 0.4, r.uniform(size=50), r.integers(0, 5, size=(50, 2))), (1,), second=False)
def ising_energy(spins, beta, u, sites):
    s = spins.copy()
    n, m = s.shape
    logp = 0.0
    for k in range(len(u)):
        i, j = sites[k]
        nb = s[(i + 1) % n, j] + s[(i - 1) % n, j] + s[i, (j + 1) % m] + s[i, (j - 1) % m]
        dE = 2 * s[i, j] * nb
        if dE <= 0 or u[k] < math.exp(-beta * dE):
            s[i, j] *= -1
            logp += min(0.0, -beta * dE)
    return logp, s


@program(lambda r: (np.array([0.5, 0.3]), np.array([1.7, -2.2]), 0.9), (0, 1, 2))
def bouncing_box(pos, vel, e):
    pos, vel = np.array(pos), np.array(vel)
    t = 0.0
    bounces = 0
    while t < 3.0:
        pos += 0.05 * vel
        for d in range(2):
            if pos[d] < 0.0:
                pos[d] = -pos[d]
                vel[d] = -e * vel[d]
                bounces += 1
            elif pos[d] > 1.0:
                pos[d] = 2.0 - pos[d]
                vel[d] *= -e
                bounces += 1
        t += 0.05
        if bounces >= 6:
            return pos[0] + pos[1] * 2
    return pos[0] - pos[1]


@program(lambda r: (np.array([0.1, 0.05, -3.0]), np.array([0.05, 0.02, 1.0]), 1.0), (0, 1, 2), second=False)
def ray_march(o, d, radius):
    def sdf(p):
        sphere = np.sqrt(np.sum(p ** 2)) - radius
        ground = p[1] + 1.2
        return min(sphere, ground)
    d = d / np.linalg.norm(d)
    t = 0.0
    for _ in range(100):
        p = o + t * d
        h = sdf(p)
        if h < 1e-4:
            break
        t += h
        if t > 20.0:
            return 0.0
    else:
        return -1.0
    eps = 1e-3
    n = np.zeros(3)
    for k in range(3):
        dp = np.zeros(3)
        dp[k] = eps
        n[k] = (sdf(p + dp) - sdf(p - dp)) / (2 * eps)
    return max(0.0, n @ np.array([0.5, 0.7, -0.5])) + 0.1 * t


@program(lambda r: (Body(r.normal(size=2), r.normal(size=2), 1.5), 6))
def dataclass_state(b, n):
    b = Body(b.q.copy(), b.p.copy(), b.m)
    e = []
    for _ in range(n):
        b.step(DT)
        e.append(b.kinetic())
    return np.mean(e) + GRAVITY * b.q[0]


@program(lambda r: ({"l1": Params(r.normal(size=(3, 4)), np.zeros(4)), "l2": Params(r.normal(size=(4, 1)), np.zeros(1))}, r.normal(size=(5, 3)), r.normal(size=5), 0.1, 3), second=False)
def train_sgd(params, X, y, lr, epochs):
    p = {k: Params(v.W.copy(), v.b.copy()) for k, v in params.items()}
    for _ in range(epochs):
        h = np.tanh(X @ p["l1"].W + p["l1"].b)
        out = (h @ p["l2"].W + p["l2"].b)[:, 0]
        d = 2 * (out - y)[:, None] / len(y)
        gW2 = h.T @ d
        gb2 = d.sum(axis=0)
        dh = (d @ p["l2"].W.T) * (1 - h ** 2)
        gW1, gb1 = X.T @ dh, dh.sum(0)
        for name, (gW, gb) in (("l1", (gW1, gb1)), ("l2", (gW2, gb2))):
            p[name].W[:] -= lr * gW
            p[name].b[...] -= lr * gb
    return p


@program(lambda r: (r.normal(size=(4, 5)),))
def rref_helpers(M):
    M = M.copy()
    rows, cols = M.shape
    r = 0
    pivots = []
    for c in range(cols):
        if r >= rows:
            break
        p = r
        for i in range(r + 1, rows):
            if abs(M[i, c]) > abs(M[p, c]):
                p = i
        if abs(M[p, c]) < 1e-12:
            continue
        swap_rows(M, r, p)
        M[r] /= M[r, c]
        for i in range(rows):
            if i != r:
                M[i] -= M[i, c] * M[r]
        r += 1
    return M


@program(lambda r: (r.normal(size=6), 0), (0,))
def loops_that_dont_run(x, n):
    s = 1.0
    for i in range(n):
        s *= x[i]
    k = n
    while k > 0:
        s += x[k]
        k -= 1
    for v in x[:n]:
        s += v
    for _ in range(3, 3):
        s = np.nan
    return s * x.sum()


@program(lambda r: (r.normal(size=(3, 4)),))
def asserts_and_raises(A):
    if A.ndim != 2:
        raise ValueError(f"expected a matrix, got {A.ndim} dimensions")
    assert A.shape[1] == 4, "four columns wanted"
    s = A.sum()
    if not np.isfinite(s):
        raise FloatingPointError(f"sum is {s:.3f}")
    total = 0.0
    for i, row in enumerate(A):
        m = row.max()
        assert m > -100, f"row {i} has maximum {m}"
        total += m * s
    return total


@program(lambda r: (r.normal(size=6),))
def enumerate_zip_reversed(x):
    out = 0.0
    for i, (a, b) in enumerate(zip(x, x[::-1])):
        out += (i + 1) * a * b
    for k, v in zip(range(10, 0, -3), reversed(x)):
        out += k * v
    for i in range(len(x) - 1, 0, -2):
        out -= x[i] * x[i - 1]
    for (i, a), (j, b) in zip(enumerate(x), enumerate(x[2:], start=2)):
        out += i * j * a * b
    for i, j in itertools.product(range(2), range(3)):
        out += x[i] * x[j]
    for i, j in itertools.combinations(range(4), 2):
        out += x[i] * x[j] ** 2
    return out


@program(lambda r: (np.linspace(0, 1, 7), r.normal(size=7)), (1,), single=False)
def cubic_spline_natural(x, y):
    n = len(x)
    h = np.diff(x)
    alpha = [0.0] * n
    for i in range(1, n - 1):
        alpha[i] = 3 / h[i] * (y[i + 1] - y[i]) - 3 / h[i - 1] * (y[i] - y[i - 1])
    low, mu, z = np.ones(n), np.zeros(n), np.zeros(n)
    for i in range(1, n - 1):
        low[i] = 2 * (x[i + 1] - x[i - 1]) - h[i - 1] * mu[i - 1]
        mu[i] = h[i] / low[i]
        z[i] = (alpha[i] - h[i - 1] * z[i - 1]) / low[i]
    c, b, d = np.zeros(n), np.zeros(n), np.zeros(n)
    for j in range(n - 2, -1, -1):
        c[j] = z[j] - mu[j] * c[j + 1]
        b[j] = (y[j + 1] - y[j]) / h[j] - h[j] * (c[j + 1] + 2 * c[j]) / 3
        d[j] = (c[j + 1] - c[j]) / (3 * h[j])
    return b, c, d


@program(lambda r: (r.normal(size=8), 0.9), (0, 1))
def insertion_sort_weighted(x, w):
    a = list(x)
    for i in range(1, len(a)):
        key = a[i]
        j = i - 1
        while j >= 0 and a[j] > key:
            a[j + 1] = a[j]
            j -= 1
        a[j + 1] = key
    s = 0.0
    for k, v in enumerate(a):
        s += v * w ** k
    return s


@program(lambda r: (r.normal(size=(5, 5)), r.normal(size=5)), (0, 1))
def mutate_args_inplace(A, b):
    n = len(b)
    for k in range(n):
        row = A[k]
        row /= 2.0 + row[k] ** 2
        b[k] *= row.sum()
        for i in range(k + 1, n):
            f = A[i, k]
            if abs(f) < 0.05:
                continue
            A[i] -= f * row
            b[i] -= f * b[k]
    return b.sum()


@program(lambda r: (r.normal(size=(6, 6)),))
def views_of_views(A):
    B = A.copy()
    inner = B[1:-1, 1:-1]
    diag_block = inner[:2].T
    diag_block[1] *= inner[2, :2]
    B[0] = inner[0].sum()
    inner[:, ::-1][0, :2] += B[0, :2] ** 2
    col = B[:, 3]
    col[1:] = np.cumsum(col)[:-1]
    B[B > 1.0] = 0.5
    return B, inner.sum()


@program(lambda r: (r.normal(size=(4, 5)), 0.3), (0, 1))
def nested_early_return(A, thr):
    s = 1.0
    for i in range(A.shape[0]):
        j = 0
        while j < A.shape[1]:
            v = A[i, j]
            if v > 2.5:
                return s * v
            if v < -thr:
                j += 2
                continue
            k = 0
            while True:
                s = s * 0.9 + v * thr
                k += 1
                if k > 3 or s > 1.5:
                    break
            else:
                s = 100.0
            j += 1
        if s < 0.0:
            break
    else:
        s += A[0, 0]
    return s + thr * A.sum()


@program(lambda r: (r.normal(size=10), r.normal(size=10)), (0, 1))
def swap_three_buffers(a, b):
    u0, u1, u2 = a.copy(), b.copy(), np.zeros(10)
    for t in range(5):
        for i in range(1, 9):
            u2[i] = 2 * u1[i] - u0[i] + 0.1 * (u1[i + 1] - 2 * u1[i] + u1[i - 1])
        u2[0] = 0.0
        u2[-1] = u1[-2]
        u0, u1, u2 = u1, u2, u0
        if t == 2:
            u1 *= 1.5
    return u0 * u1 + u2


@program(lambda r: (r.normal(size=20), 3))
def moving_window_varying(x, w):
    n = len(x)
    out = np.zeros(n)
    for i in range(n):
        lo = max(0, i - w)
        hi = min(n, i + w + 1)
        seg = x[lo:hi]
        m = seg.mean()
        out[i] = np.sqrt(np.sum((seg - m) ** 2) + 1e-3)
        w = 1 + (i % 3)
    return out


@program(lambda r: (r.normal(size=9), r.normal(size=9)), (0, 1))
def two_grid(u, f):
    u = u.copy()
    for _ in range(2):
        relax(u, f, 1.0)
        res = np.zeros_like(u)
        res[1:-1] = f[1:-1] + u[:-2] - 2 * u[1:-1] + u[2:]
        coarse_f = 4 * restrict(res)
        e = np.zeros(len(coarse_f))
        for _ in range(3):
            relax(e, coarse_f, 1.0)
        for i in range(1, len(u) - 1):
            if i % 2 == 0:
                u[i] += e[i // 2]
            else:
                u[i] += 0.5 * (e[i // 2] + e[i // 2 + 1])
    return u


@program(lambda r: (r.normal(size=6), r.normal(size=(6, 6))), (0, 1))
def reads_after_overwrite(x, W):
    y = x
    for k in range(3):
        y = np.tanh(W @ y)
        x = x + y
        y[k] = x[k] * y[k + 1]
        z = y
        z[-1] = 0.5
        y = z * x
    return y


@program(lambda r: (r.normal(size=4), r.uniform(size=4), 0.7), (0, 1, 2))
def hodgkin_like_adaptive(v, gates, dt0):
    v = v.copy()
    t, dt = 0.0, dt0
    while t < 2.0:
        rate = 1.0 / (1.0 + np.exp(-v))
        dv = gates * rate - 0.3 * v
        mx = np.max(np.abs(dv))
        if mx * dt > 0.25:
            dt *= 0.5
            continue
        v += dt * dv
        t += dt
        dt = min(dt * 1.2, dt0)
        spiked = v > 0.8
        v[spiked] = -0.5
    return v * t


@program(lambda r: (r.normal(size=(4, 4)),))
def same_array_read_write(A):
    A = A.copy()
    A[1:, 1:] += A[:-1, :-1] * A[1:, :-1]
    A[:] = A.T + A
    A[0], A[-1] = A[-1].copy(), A[0] * 2
    A[:, 0] = A[0, :]
    A += A[::-1]
    A[[0, 2]] = A[[2, 0]] * A[1]
    i = np.argmax(np.abs(A[:, 0]))
    A[i] /= A[i, 0]
    return A


@program(lambda r: (r.uniform(1, 5, size=6), np.array([2, 3, 1, 4, 2, 3]), 8), (0,), second=False, single=False)
def knapsack_list(values, weights, cap):
    best = [0] * (cap + 1)
    for i in range(len(values)):
        for c in range(cap, weights[i] - 1, -1):
            best[c] = max(best[c], best[c - weights[i]] + values[i])
    return best[cap]


def fill(lst, x):
    for i in range(len(lst)):
        lst[i] = x[i] ** 2


def total(lst):
    s = 0.0
    for v in lst:
        s = s * 0.5 + v
    return s


@program(lambda r: (r.normal(size=6), 4), (0,), single=False)
def lists_everywhere(x, k):
    n = len(x)
    a = [0.0] * n
    b = a
    d = {"buf": [1.0] * (n - 1), "n": n}
    for t in range(k):
        row = [0.0] * (t + 1)
        for i in range(t + 1):
            row[i] = x[i] * (i + t)
            if row[i] > 0.5:
                b[i] += row[i]
            elif i > 2:
                a[-i] = 0.5 * row[i - 1]
        d["buf"][t] = row[-1] + a[t]
    i = 0
    while a[i] < 3.0:
        a[i] += 1.0 + x[i] ** 2
        if a[i] > 2.0:
            i += 1
        if i >= n:
            break
    return sum(a) + total(d["buf"]) * max(b) + len(a) + b[i - 1]


@program(lambda r: (r.normal(size=6), 4), (0,), single=False)
def list_helper_mutates(x, k):
    a = [0.0] * len(x)
    fill(a, x)
    return total(a)


@program(lambda r: (r.normal(size=3), 0.5), (0, 1))
def named_params(p, t):
    q = dict(zip(["a", "b", "c"], p))
    out = 0.0
    for i, (name, v) in enumerate(zip(("a", "b"), p)):
        out += q[name] * v * (i + 1) * t
    for (u, v), w in zip(zip(p, p[1:]), [t, t ** 2]):
        out += u * v * w
    return out + q["c"]


@program(lambda r: (r.normal(size=3), 0.5), (0, 1))
def zip_sees_stores(p, t):
    p = p.copy()
    s = 0.0
    for w, v in zip([1.0, 2.0, t], p):
        s += w * v
        p[1:] += v * t
    return s + p.sum()


def void_on_some(a, i):
    if a[i] < 0:
        return
    for j in range(len(a)):
        if j == i:
            return None  # noqa: RET501 - as people write it
        a[j] += 0.1 * a[i]


@program(lambda r: (r.normal(size=7),), (0,))
def void_helpers(x):
    x = x.copy()
    for i in range(len(x)):
        void_on_some(x, i)
        def inner(v):
            if v > 1.0:
                return
            x[0] += v
        inner(x[i])
    return x


@program(lambda r: (r.normal(size=5), r.normal(size=(2, 3)), 0.7), (0, 1, 2))
def poly_everywhere(c, X, t):
    s = 0.0
    for k in range(3):
        s += np.polyval(c, t * k) ** 2
        if s > 1.0:
            c = c[:-1]
    return s + np.sum(np.polyval(c, X)) + np.polyval(c[1:], t + 1)


@program(lambda r: (r.normal(size=8), 0.9), (0, 1))
def bubble_sort_array(x, w):
    a = x.copy()
    n = len(a)
    for i in range(n):
        swapped = False
        for j in range(n - i - 1):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
                swapped = True
        if not swapped:
            break
    return np.polyval(a, w)


# ---- what is asked of each ---------------------------------------------------------------------------------------------------


def drawn(make):
    return make(np.random.default_rng(0))


def directions(rng, args, wrt):
    return tuple(map_leaves(lambda leaf: random_like(rng, leaf) if k in wrt else zero_like(leaf), arg) for k, arg in enumerate(args))


def check_value(fun, make, target):
    """The result, and what it leaves in its arguments."""
    args, wanted = drawn(make), drawn(make)
    want = fun(*wanted)
    assert_same(s2s.jit(fun, target=target)(*args), want, "result")
    assert_same(args, wanted, "arguments afterwards")


def check_first(fun, args, wrt, tolerance):
    """Reverse equals forward; values are NumPy's; inputs stay. Returns the direction and the tangent of the result."""
    rng, before = np.random.default_rng(1), copy.deepcopy(args)
    dots = directions(rng, args, wrt)
    want = fun(*copy.deepcopy(args))
    value, value_dot = s2s.jvp(fun, args, dots)
    bars = map_leaves(lambda leaf: random_like(rng, leaf), want)
    again, pullback = s2s.vjp(fun, *args)
    back = pullback(bars)
    rtol = 1e-12 if tolerance < 1e-6 else 1e-9  # float32: numeric.assert_same is two million times looser
    for got in (value, again):
        assert_same(got, want, "value", rtol=rtol, atol=rtol)
    assert_same(args, before, "inputs")
    for given, found in ((args, back), (want, value_dot)):
        for one, other in zip(leaves(given), leaves(found), strict=True):
            assert not is_differentiable(one) or np.asarray(one).dtype == np.asarray(other).dtype
    forward, reverse = inner(bars, value_dot), inner(back, dots)
    size = sum(np.sum(np.abs(np.asarray(a) * np.asarray(b))) for one, other in ((bars, value_dot), (back, dots)) for a, b in pairs(one, other))
    assert abs(forward - reverse) <= tolerance * size
    return dots, value_dot


def check_difference(fun, args, dots, tangent, rtol):
    """A tangent against central differences."""
    wanted = difference(fun, copy.deepcopy(args), dots)
    scale = max(np.max(np.abs(leaf), initial=1e-3) for leaf in wanted)
    found = [leaf for leaf in leaves(tangent) if is_differentiable(leaf)]
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=rtol, atol=0.1 * rtol * scale)


def as_single(leaf):
    kinds = {"float64": np.float32, "complex128": np.complex64}
    dtype = kinds.get(str(getattr(leaf, "dtype", "")))
    return leaf if dtype is None else leaf.astype(dtype)


EVERY = pytest.mark.parametrize(("fun", "make", "wrt", "second", "single"), PROGRAMS)


@EVERY
def test_value(fun, make, wrt, second, single):
    check_value(fun, make, "numpy")


@EVERY
def test_first_derivatives(fun, make, wrt, second, single):
    with s2s.disable_jit():
        dots, tangent = check_first(fun, drawn(make), wrt, 1e-12)
    check_difference(fun, drawn(make), dots, tangent, 2e-5)


@EVERY
def test_second_derivatives(fun, make, wrt, second, single):
    """Forward over reverse equals reverse over reverse, and differences."""
    args = drawn(make)
    if not second or not isinstance(fun(*drawn(make)), float):
        return
    gradient, dots = s2s.grad(fun, argnums=wrt), directions(np.random.default_rng(1), args, wrt)
    with s2s.disable_jit():
        _, forward = s2s.jvp(gradient, args, dots)
        back = s2s.vjp(gradient, *args)[1](tuple(dots[k] for k in wrt))
        for one, other in pairs(forward, tuple(back[k] for k in wrt)):
            np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-10 * np.max(np.abs(one), initial=1e-30))
        check_difference(gradient, args, dots, forward, 1e-3)


@EVERY
def test_single_precision(fun, make, wrt, second, single):
    if single:
        with s2s.disable_jit():
            check_first(fun, map_leaves(as_single, drawn(make)), wrt, 1e-3)


@pytest.mark.parametrize(
    ("fun", "make", "wrt", "second", "single"),
    [pytest.param(*each.values, id=each.id, marks=() if each.id in COMPILED else pytest.mark.slow) for each in PROGRAMS],
)
def test_compiled(fun, make, wrt, second, single):
    check_value(fun, make, "cpu")
    check_first(fun, drawn(make), wrt, 1e-12)


# ---- errors ------------------------------------------------------------------------------------------------------------------


def complains(x, k):
    """Every way to write a text."""
    s = x.sum()
    if s < 0.0:
        raise ValueError(f"sum {s:.3f} of {len(x):3d}, {{braces}}, {s!s:>6}, {s < 1.0}, {k=}, {len(x) = :02d}")
    if s < 1.0:
        raise ValueError("%d values of %s, %-6.2f|%5s|%%" % (len(x), k, s, len(x)))  # noqa: UP031
    if s < 2.0:
        raise ValueError("{0} values, {1:6.2f} {k} {0:d}".format(len(x), s, k=k))  # noqa: UP032
    if s < 3.0:
        raise ValueError("only {braces}")
    return s


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("x", [[-1.0, -2.5], [0.5, 0.25], [0.5, 1.25], [1.0, 1.5]], ids=str)
def test_texts_of_errors(x, target):
    x = np.array(x)
    with pytest.raises(ValueError) as wanted:
        complains(x, "what")
    with pytest.raises(ValueError) as found:
        s2s.jit(complains, static_argnums=1, target=target)(x, "what")
    assert str(found.value) == str(wanted.value)


class Stopped(Exception):
    """With what it was stopped at."""


def stops(x, n, which):
    """Every way to raise what is no text."""
    if x > 0.0 and which == 0:
        raise Stopped(3)
    if x > 0.0 and which == 1:
        raise Stopped((1, -2.5, "a"))
    if x > 0.0 and which == 2:
        raise ValueError(-n)
    if x > 0.0 and which == 3:
        raise KeyError(x / 2.0)
    if x > 0.0 and which == 4:
        raise Stopped(None)
    if x > 0.0 and which == 5:
        raise ValueError(f"{n}")
    if which == 6:
        return {1: x, 2: 2.0 * x}[n]
    try:
        if x > 0.0:
            raise Stopped(1)  # noqa: TRY301
    except Stopped as error:
        return x + error.args[0]
    return x


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("which", range(7))
def test_exceptions_keep_the_numbers_they_are_made_with(which, target):
    found = s2s.jit(stops, static_argnums=2, target=target)
    with pytest.raises(Exception) as wanted:  # noqa: PT011 - whichever Python's is
        stops(1.5, 7, which)
    with pytest.raises(type(wanted.value)) as told:
        found(1.5, 7, which)
    assert (repr(told.value), list(map(type, told.value.args))) == (repr(wanted.value), list(map(type, wanted.value.args)))
    assert s2s.jit(stops, static_argnums=2, target=target)(1.5, 7, 7) == 2.5


def test_list_items_keep_one_type():
    """np.array of a list of Python floats and float32s has a dtype that depends on the items."""

    def f(x):
        items = [0.0] * len(x)
        items[0] = x[0]
        return np.array(items)

    assert_same(s2s.jit(f, target="numpy")(np.ones(3)), f(np.ones(3)), "result")
    assert_same(s2s.jit(f, target="numpy")(np.ones(3, np.float32)), f(np.ones(3, np.float32)), "result")
    with pytest.raises(UnsupportedError, match=r"items of several types in a list \(Python float, f4\)"):
        s2s.jit(lambda x, y: f(x[: int(y)]), target="numpy")(np.ones(3, np.float32), 2.0)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_list_index_out_of_range(target):
    def f(x, k):
        items = [0] * len(x)
        items[k] = x[0]
        return items[0]

    compiled = s2s.jit(f, target=target)
    assert compiled(np.ones(3), -3) == 1.0
    with pytest.raises(IndexError, match="list assignment index out of range"):
        compiled(np.ones(3), 3)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_sizes_in_errors_are_in_order(target):
    """NumPy's message names the second operand's size first."""
    with pytest.raises(ValueError, match=r"\(size 3 is different from 2\)"):
        s2s.jit(lambda a, b: a @ b, target=target)(np.ones(2), np.ones(3))


def test_zip_of_a_list_and_a_longer_or_shorter_array():
    def f(w, x):
        return sum(weight * stage for weight, stage in zip(w, [x, x**2, x**3], strict=False))

    for length in (4, 3, 2, 0):
        assert_same(s2s.jit(f, target="numpy")(np.arange(float(length)), 2.0), f(np.arange(float(length)), 2.0), "result")
