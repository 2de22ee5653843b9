"""Programs of several fields, each whole, as scientists write them: classes, dataclasses, closures, generators of numbers, scipy. `CASES`: their arguments, what is differentiated, the argument of a batch."""
# ruff: noqa: B007, E701, E702, E731, E741, PYI024
from __future__ import annotations

import enum
import heapq
import itertools
import math
from abc import ABC, abstractmethod
from collections import deque, namedtuple
from dataclasses import dataclass, field
from functools import reduce
from typing import NamedTuple

import numpy as np
from scipy import linalg, stats


@dataclass
class Node:
    name: str
    length: float
    children: list = field(default_factory=list)
    @property
    def is_leaf(self): return not self.children


class SubstitutionModel(ABC):
    @abstractmethod
    def rate_matrix(self): ...
    def transition(self, t): return linalg.expm(self.rate_matrix() * t)


class HKY(SubstitutionModel):
    def __init__(self, kappa, freqs):
        self.kappa = kappa
        self.freqs = np.asarray(freqs) / np.sum(freqs)
    def rate_matrix(self):
        pi = self.freqs
        Q = np.tile(pi, (4, 1))
        for i, j in ((0, 2), (2, 0), (1, 3), (3, 1)):
            Q[i, j] *= self.kappa
        np.fill_diagonal(Q, 0.0)
        Q -= np.diag(Q.sum(axis=1))
        mu = -np.dot(pi, np.diag(Q))
        return Q / mu


def felsenstein(kappa, freqs, lengths, alignment):
    model = HKY(kappa, freqs)
    leaves = [Node(n, lengths[i]) for i, n in enumerate("ABCD")]
    ab = Node("AB", lengths[4], leaves[:2])
    cd = Node("CD", lengths[5], leaves[2:])
    root = Node("root", 0.0, [ab, cd])
    index = {n: i for i, n in enumerate("ABCD")}
    n_sites = alignment.shape[1]
    def partials(node):
        if node.is_leaf:
            tip = np.zeros((n_sites, 4))
            tip[np.arange(n_sites), alignment[index[node.name]]] = 1.0
            return tip
        out = np.ones((n_sites, 4))
        for child in node.children:
            P = model.transition(child.length)
            out *= partials(child) @ P.T
        return out
    L = partials(root) @ model.freqs
    return np.log(L).sum()


class ParticleFilter:
    def __init__(self, n, *, q, r, seed=0):
        self.n, self.q, self.r = n, q, r
        self.rng = np.random.default_rng(seed)
        self.x = self.rng.normal(size=n)
        self.w = np.full(n, 1 / n)
        self.loglik = 0.0
    def predict(self):
        self.x = 0.5 * self.x + 25 * self.x / (1 + self.x**2) + self.rng.normal(0, self.q, self.n)
    def update(self, z):
        lik = stats.norm.pdf(z, loc=self.x**2 / 20, scale=self.r)
        self.w *= lik
        total = self.w.sum()
        if total < 1e-300:
            self.w[:] = 1 / self.n
            return
        self.loglik += np.log(total)
        self.w /= total
    @property
    def ess(self): return 1.0 / np.sum(self.w**2)
    def resample(self):
        positions = (self.rng.random() + np.arange(self.n)) / self.n
        idx = np.searchsorted(np.cumsum(self.w), positions)
        idx = np.minimum(idx, self.n - 1)
        self.x = self.x[idx]
        self.w = np.full(self.n, 1 / self.n)
    def estimate(self): return np.average(self.x, weights=self.w)


def particle_filter(zs, q, r):
    pf = ParticleFilter(50, q=q, r=r, seed=4)
    means, count = [], 0
    for z in zs:
        pf.predict()
        pf.update(z)
        if pf.ess < pf.n / 2:
            pf.resample()
            count += 1
        means.append(pf.estimate())
    return np.array(means), pf.loglik, count


def sigmoid(x): return 1 / (1 + np.exp(-x))


class GRUCell:
    def __init__(self, rng, n_in, n_hid):
        s = 1 / np.sqrt(n_hid)
        self.params = {}
        for gate in ("z", "r", "h"):
            self.params[f"W{gate}"] = rng.uniform(-s, s, (n_hid, n_in))
            self.params[f"U{gate}"] = rng.uniform(-s, s, (n_hid, n_hid))
            self.params[f"b{gate}"] = np.zeros(n_hid)
    def __call__(self, h, x):
        p = self.params
        z = sigmoid(p["Wz"] @ x + p["Uz"] @ h + p["bz"])
        r = sigmoid(p["Wr"] @ x + p["Ur"] @ h + p["br"])
        hh = np.tanh(p["Wh"] @ x + p["Uh"] @ (r * h) + p["bh"])
        return (1 - z) * h + z * hh


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def gru_attention(xs, v, scale):
    rng = np.random.default_rng(0)
    cell = GRUCell(rng, 3, 5)
    h = np.zeros(5)
    hs = []
    for x in xs:
        h = cell(h, x)
        hs.append(h)
    H = np.stack(hs)
    scores = H @ v / np.sqrt(H.shape[1])
    context = softmax(scores) @ H
    return float(np.sum(np.tanh(scale * context) ** 2))


class Kernel:
    def __add__(self, other): return Sum(self, other)
    def __mul__(self, other): return Product(self, other)


class Sum(Kernel):
    def __init__(self, a, b): self.a, self.b = a, b
    def __call__(self, X, Y): return self.a(X, Y) + self.b(X, Y)


class Product(Kernel):
    def __init__(self, a, b): self.a, self.b = a, b
    def __call__(self, X, Y): return self.a(X, Y) * self.b(X, Y)


class RBF(Kernel):
    def __init__(self, ls): self.ls = ls
    def __call__(self, X, Y):
        d2 = ((X[:, None, :] - Y[None, :, :]) ** 2).sum(-1)
        return np.exp(-0.5 * d2 / self.ls**2)


class Periodic(Kernel):
    def __init__(self, ls, period): self.ls, self.period = ls, period
    def __call__(self, X, Y):
        d = np.sqrt(((X[:, None, :] - Y[None, :, :]) ** 2).sum(-1) + 1e-12)
        return np.exp(-2 * np.sin(np.pi * d / self.period) ** 2 / self.ls**2)


class White(Kernel):
    def __init__(self, noise): self.noise = noise
    def __call__(self, X, Y): return self.noise * np.eye(len(X)) if X is Y else np.zeros((len(X), len(Y)))


class GP:
    def __init__(self, kernel): self.kernel = kernel
    def fit(self, X, y):
        self.X, self.mean = X, y.mean()
        self.L = linalg.cholesky(self.kernel(X, X) + 1e-8 * np.eye(len(X)), lower=True)
        self.alpha = linalg.cho_solve((self.L, True), y - self.mean)
        return self
    def log_marginal(self, y):
        r = y - self.mean
        return -0.5 * r @ self.alpha - np.log(np.diag(self.L)).sum() - 0.5 * len(y) * np.log(2 * np.pi)
    def predict(self, Xs, return_std=False):
        Ks = self.kernel(Xs, self.X)
        mean = Ks @ self.alpha + self.mean
        if not return_std: return mean
        v = linalg.solve_triangular(self.L, Ks.T, lower=True)
        var = np.diag(self.kernel(Xs, Xs)) - np.sum(v**2, axis=0)
        return mean, np.sqrt(np.clip(var, 0, None))


def gp_kernels(theta, X, y, Xs):
    kernel = RBF(theta[0]) * Periodic(theta[1], theta[2]) + RBF(2.0) + White(theta[3])
    gp = GP(kernel).fit(X, y)
    mean, std = gp.predict(Xs, return_std=True)
    return mean, std, gp.log_marginal(y)


class Hit(NamedTuple):
    t: float
    normal: np.ndarray
    colour: np.ndarray


class Shape(ABC):
    def __init__(self, colour, *, reflect=0.0): self.colour, self.reflect = np.array(colour), reflect
    @abstractmethod
    def intersect(self, o, d): ...


class Sphere(Shape):
    def __init__(self, centre, radius, colour, **kw):
        super().__init__(colour, **kw)
        self.centre, self.radius = np.array(centre), radius
    def intersect(self, o, d):
        oc = o - self.centre
        b = np.dot(oc, d)
        c = np.dot(oc, oc) - self.radius**2
        disc = b * b - c
        if disc < 0: return None
        t = -b - math.sqrt(disc)
        if t < 1e-4: return None
        p = o + t * d
        return Hit(t, (p - self.centre) / self.radius, self.colour)


class Plane(Shape):
    def __init__(self, height, colour, **kw):
        super().__init__(colour, **kw)
        self.height = height
    def intersect(self, o, d):
        if abs(d[1]) < 1e-9: return None
        t = (self.height - o[1]) / d[1]
        return Hit(t, np.array([0.0, 1.0, 0.0]), self.colour) if t > 1e-4 else None


def normalise(v): return v / np.linalg.norm(v)


def trace(scene, o, d, light, depth=0):
    best, shape = None, None
    for s in scene:
        hit = s.intersect(o, d)
        if hit is not None and (best is None or hit.t < best.t):
            best, shape = hit, s
    if best is None: return np.array([0.2, 0.3, 0.5]) * (0.5 + 0.5 * d[1])
    p = o + best.t * d
    to_light = normalise(light - p)
    shadow = any(s.intersect(p + 1e-3 * best.normal, to_light) is not None for s in scene)
    diffuse = 0.0 if shadow else max(np.dot(best.normal, to_light), 0.0)
    colour = best.colour * (0.1 + 0.9 * diffuse)
    if depth < 1 and shape.reflect > 0:
        r = d - 2 * np.dot(d, best.normal) * best.normal
        colour = (1 - shape.reflect) * colour + shape.reflect * trace(scene, p + 1e-3 * best.normal, r, light, depth + 1)
    return colour


def ray_tracer(light, radius, h, w):
    scene = [Sphere([0.0, 0.0, 3.0], radius, [1.0, 0.2, 0.2], reflect=0.3), Sphere([1.0, 0.5, 4.0], 0.7, [0.2, 1.0, 0.2]), Plane(-1.0, [0.6, 0.6, 0.6])]
    image = np.zeros((h, w, 3))
    eye = np.zeros(3)
    for i, y in enumerate(np.linspace(0.8, -0.8, h)):
        for j, x in enumerate(np.linspace(-1, 1, w)):
            image[i, j] = trace(scene, eye, normalise(np.array([x, y, 1.5])), light)
    return np.clip(image, 0, 1)


@dataclass
class Particle:
    pos: np.ndarray
    vel: np.ndarray
    rho: float = 0.0
    p: float = 0.0


def sph(pos0, h, steps):
    parts = [Particle(p.copy(), np.zeros(2)) for p in pos0]
    mass, k, rho0, mu, g = 1.0, 2.0, 5.0, 0.5, np.array([0.0, -9.81])
    poly6 = 4 / (np.pi * h**8)
    spiky = -30 / (np.pi * h**5)
    def density():
        for a in parts:
            a.rho = 0.0
            for b in parts:
                r2 = np.sum((a.pos - b.pos) ** 2)
                if r2 < h * h: a.rho += mass * poly6 * (h * h - r2) ** 3
            a.p = k * (a.rho - rho0)
    def forces(a):
        f = a.rho * g
        for b in parts:
            if b is a: continue
            d = b.pos - a.pos
            r = np.linalg.norm(d)
            if r < h:
                f += d / r * mass * (a.p + b.p) / (2 * b.rho) * spiky * (h - r) ** 2
                f += mu * mass * (b.vel - a.vel) / b.rho * 40 / (np.pi * h**5) * (h - r)
        return f
    for _ in range(steps):
        density()
        acc = [forces(a) / a.rho for a in parts]
        for a, f in zip(parts, acc):
            a.vel += 0.002 * f
            a.pos += 0.002 * a.vel
            if a.pos[1] < 0:
                a.pos[1] = 0.0
                a.vel[1] *= -0.5
    kinetic = 0.5 * sum(mass * a.vel @ a.vel for a in parts)
    return np.array([a.pos for a in parts]), kinetic


def lattice_boltzmann(u_in, tau, steps):
    nx, ny = 16, 8
    c = np.array([(x, y) for x in (0, -1, 1) for y in (0, -1, 1)])
    w = np.full(9, 1 / 36)
    w[np.sum(np.abs(c), axis=1) == 1] = 1 / 9
    w[0] = 4 / 9
    opposite = [list(map(tuple, c)).index(tuple(-ci)) for ci in c]
    obstacle = np.fromfunction(lambda x, y: (x - 4) ** 2 + (y - 4) ** 2 < 3, (nx, ny))
    def equilibrium(rho, u):
        cu = 3.0 * np.einsum("ia,axy->ixy", c, u)
        usq = 1.5 * (u[0] ** 2 + u[1] ** 2)
        return rho * w[:, None, None] * (1 + cu + 0.5 * cu**2 - usq)
    vel = np.fromfunction(lambda d, x, y: (1 - d) * u_in * (1 + 1e-4 * np.sin(y / (ny - 1) * 2 * np.pi)), (2, nx, ny))
    f = equilibrium(np.ones((nx, ny)), vel)
    left = np.arange(9)[c[:, 0] < 0]
    mid = np.arange(9)[c[:, 0] == 0]
    right = np.arange(9)[c[:, 0] > 0]
    for step in range(steps):
        f[left, -1, :] = f[left, -2, :]
        rho = f.sum(axis=0)
        u = np.einsum("ia,ixy->axy", c, f) / rho
        u[:, 0, :] = vel[:, 0, :]
        rho[0, :] = 1 / (1 - u[0, 0, :]) * (f[mid, 0, :].sum(axis=0) + 2 * f[left, 0, :].sum(axis=0))
        feq = equilibrium(rho, u)
        f[right, 0, :] = feq[right, 0, :]
        fout = f - (f - feq) / tau
        for i in range(9):
            fout[i, obstacle] = f[opposite[i], obstacle]
        for i in range(9):
            f[i] = np.roll(np.roll(fout[i], c[i, 0], axis=0), c[i, 1], axis=1)
    return rho, u


class Mesh:
    def __init__(self, nx, ny):
        xs, ys = np.linspace(0, 1, nx + 1), np.linspace(0, 1, ny + 1)
        X, Y = np.meshgrid(xs, ys, indexing="xy")
        self.nodes = np.column_stack([X.ravel(), Y.ravel()])
        elements = []
        for j in range(ny):
            for i in range(nx):
                a = j * (nx + 1) + i
                elements.append([a, a + 1, a + nx + 2])
                elements.append([a, a + nx + 2, a + nx + 1])
        self.elements = np.array(elements)
    @property
    def boundary(self):
        x, y = self.nodes.T
        return np.flatnonzero(np.isclose(x, 0) | np.isclose(x, 1) | np.isclose(y, 0) | np.isclose(y, 1))
    def __len__(self): return len(self.nodes)


def local_stiffness(p, k):
    B = np.array([p[1] - p[0], p[2] - p[0]]).T
    area = abs(np.linalg.det(B)) / 2
    G = np.array([[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]]) @ np.linalg.inv(B)
    return k * area * G @ G.T, area


def fem_poisson(k, source):
    mesh = Mesh(4, 3)
    n = len(mesh)
    K, F = np.zeros((n, n)), np.zeros(n)
    for tri in mesh.elements:
        p = mesh.nodes[tri]
        ke, area = local_stiffness(p, k * (1 + p[:, 0].mean()))
        K[np.ix_(tri, tri)] += ke
        F[tri] += area / 3 * (source[0] + source[1] * p[:, 1].mean())
    fixed = mesh.boundary
    free = np.setdiff1d(np.arange(n), fixed)
    u = np.zeros(n)
    u[free] = np.linalg.solve(K[np.ix_(free, free)], F[free])
    return u


def kuramoto(u0, steps, dt):
    N = u0.size
    k = np.concatenate([np.arange(0, N // 2), [0], np.arange(-N // 2 + 1, 0)]) / 4
    L = k**2 - k**4
    E, E2 = np.exp(dt * L), np.exp(dt * L / 2)
    M = 16
    r = np.exp(1j * np.pi * (np.arange(1, M + 1) - 0.5) / M)
    LR = dt * L[:, None] + r[None, :]
    Q = dt * np.real(np.mean((np.exp(LR / 2) - 1) / LR, axis=1))
    f1 = dt * np.real(np.mean((-4 - LR + np.exp(LR) * (4 - 3 * LR + LR**2)) / LR**3, axis=1))
    f2 = dt * np.real(np.mean((2 + LR + np.exp(LR) * (-2 + LR)) / LR**3, axis=1))
    f3 = dt * np.real(np.mean((-4 - 3 * LR - LR**2 + np.exp(LR) * (4 - LR)) / LR**3, axis=1))
    g = -0.5j * k
    nonlinear = lambda v: g * np.fft.fft(np.real(np.fft.ifft(v)) ** 2)
    v = np.fft.fft(u0)
    out = [u0]
    for n in range(1, steps + 1):
        Nv = nonlinear(v)
        a = E2 * v + Q * Nv
        Na = nonlinear(a)
        b = E2 * v + Q * Na
        Nb = nonlinear(b)
        c = E2 * a + Q * (2 * Nb - Nv)
        Nc = nonlinear(c)
        v = E * v + Nv * f1 + 2 * (Na + Nb) * f2 + Nc * f3
        if n % 2 == 0:
            out.append(np.real(np.fft.ifft(v)))
    return np.array(out)


class Branch(NamedTuple):
    f: int
    t: int
    r: float
    x: float
    b: float = 0.0


def power_flow(P, Q, v_slack):
    branches = [Branch(0, 1, 0.01, 0.1), Branch(1, 2, 0.02, 0.2, 0.04), Branch(2, 3, 0.015, 0.15), Branch(3, 0, 0.01, 0.12, 0.02)]
    n = len(P)
    Y = np.zeros((n, n), dtype=complex)
    for br in branches:
        y = 1 / complex(br.r, br.x)
        Y[br.f, br.f] += y + 0.5j * br.b
        Y[br.t, br.t] += y + 0.5j * br.b
        Y[br.f, br.t] -= y
        Y[br.t, br.f] -= y
    V = np.ones(n, dtype=complex)
    V[0] = v_slack
    pq = np.arange(1, n)
    for it in range(20):
        I = Y @ V
        S = V * np.conj(I)
        mismatch = np.r_[(S.real - P)[pq], (S.imag - Q)[pq]]
        if np.max(np.abs(mismatch)) < 1e-10: break
        dS_dVa = 1j * np.diag(V) @ np.conj(np.diag(I) - Y @ np.diag(V))
        dS_dVm = np.diag(V) @ np.conj(Y @ np.diag(V / np.abs(V))) + np.conj(np.diag(I)) @ np.diag(V / np.abs(V))
        J = np.block([[dS_dVa.real[1:, 1:], dS_dVm.real[1:, 1:]], [dS_dVa.imag[1:, 1:], dS_dVm.imag[1:, 1:]]])
        dx = np.linalg.solve(J, -mismatch)
        Va, Vm = np.angle(V), np.abs(V)
        Va[pq] += dx[: n - 1]
        Vm[pq] += dx[n - 1 :]
        V = Vm * np.exp(1j * Va)
    losses = np.sum(V * np.conj(Y @ V)).real
    return np.abs(V), it, 1 - losses / 1.5  # the efficiency


Result = namedtuple("Result", ["price", "stderr", "exercised"])


def lsm(S0, sigma, r):
    rng = np.random.default_rng(7)
    K, T, steps, paths = 40.0, 1.0, 8, 64
    dt = T / steps
    z = rng.standard_normal((paths // 2, steps))
    z = np.concatenate([z, -z])
    S = S0 * np.exp(np.cumsum((r - 0.5 * sigma**2) * dt + sigma * np.sqrt(dt) * z, axis=1))
    payoff = lambda s: np.maximum(K - s, 0.0)
    cash = payoff(S[:, -1])
    exercised = np.zeros(paths, dtype=bool)
    for t in range(steps - 2, -1, -1):
        cash *= np.exp(-r * dt)
        itm = S[:, t] < K
        if itm.sum() < 4: continue
        x = S[itm, t] / K
        A = np.vander(x, 3)
        coef, *_ = np.linalg.lstsq(A, cash[itm], rcond=None)
        cont = A @ coef
        now = payoff(S[itm, t])
        ex = now > cont
        idx = np.nonzero(itm)[0][ex]
        cash[idx] = now[ex]
        exercised[idx] = True
    cash *= np.exp(-r * dt)
    return Result(cash.mean(), cash.std(ddof=1) / np.sqrt(paths), exercised.mean())


class Kind(enum.Enum):
    ARRIVAL = 0
    DEPARTURE = 1


def queue_simulation(lam, mu, servers, customers):
    rng = np.random.default_rng(3)
    events = []
    counter = itertools.count()
    heapq.heappush(events, (rng.exponential(1 / lam), next(counter), Kind.ARRIVAL))
    waiting = deque()
    busy, served, arrived = 0, 0, 0
    waits, log = [], []
    while events:
        t, _, kind = heapq.heappop(events)
        if kind is Kind.ARRIVAL:
            arrived += 1
            if arrived < customers:
                heapq.heappush(events, (t + rng.exponential(1 / lam), next(counter), Kind.ARRIVAL))
            if busy < servers:
                busy += 1
                waits.append(0.0)
                heapq.heappush(events, (t + rng.exponential(1 / mu), next(counter), Kind.DEPARTURE))
            else:
                waiting.append(t)
        else:
            served += 1
            if waiting:
                waits.append(t - waiting.popleft())
                heapq.heappush(events, (t + rng.exponential(1 / mu), next(counter), Kind.DEPARTURE))
            else:
                busy -= 1
        log.append((t, len(waiting)))
    times, lengths = np.array(log).T
    mean_len = np.sum(lengths[:-1] * np.diff(times)) / times[-1]
    return served, float(np.mean(waits)), mean_len, max(waits)


def stumps(X, y, *, rounds=3, lr=0.5):
    n, d = X.shape
    pred = np.zeros(n)
    ensemble = []
    for m in range(rounds):
        res = y - pred
        best = None
        for j in range(d):
            for t in np.unique(X[:, j])[:-1]:
                left = X[:, j] <= t
                a, b = res[left].mean(), res[~left].mean()
                loss = ((res - np.where(left, a, b)) ** 2).sum()
                if best is None or loss < best["loss"]:
                    best = {"loss": loss, "j": j, "t": t, "a": a, "b": b}
        ensemble.append(best)
        pred += lr * np.where(X[:, best["j"]] <= best["t"], best["a"], best["b"])
    return pred, np.mean((y - pred) ** 2), [e["j"] for e in ensemble]


@dataclass(frozen=True)
class Glacier:
    A: float = 1e-16
    n: int = 3
    rho: float = 910.0
    g: float = 9.81
    @property
    def gamma(self): return 2 * self.A * (self.rho * self.g) ** self.n / (self.n + 2)


def glacier_flow(bed, beta, ela):
    phys = Glacier()
    dx, dt, t, t_end = 200.0, 0.05, 0.0, 0.4
    H = np.maximum(0, 100 - np.abs(np.arange(bed.size) - 5) * 20.0)
    record = []
    while t < t_end - 1e-12:
        s = bed + H
        Hm = 0.5 * (H[1:] + H[:-1])
        slope = np.diff(s) / dx
        D = phys.gamma * Hm ** (phys.n + 2) * np.abs(slope) ** (phys.n - 1)
        q = -D * slope
        b = np.clip(beta * (s - ela), None, 2.0)
        dHdt = b.copy()
        dHdt[1:-1] -= np.diff(q) / dx
        H = np.maximum(H + dt * dHdt, 0.0)
        t += dt
        record.append((t, H.max(), (H > 1).sum() * dx))
    times, thick, length = map(np.array, zip(*record))
    return {"H": H, "volume": np.trapezoid(H, dx=dx), "length": length, "max": thick, "t": times}


class Joint(ABC):
    def __init__(self, offset): self.offset = np.asarray(offset, dtype=float)
    @abstractmethod
    def transform(self, q): ...


class Revolute(Joint):
    def __init__(self, axis, offset):
        super().__init__(offset)
        self.axis = np.asarray(axis, float) / np.linalg.norm(axis)
    def transform(self, q):
        K = np.array([[0, -self.axis[2], self.axis[1]], [self.axis[2], 0, -self.axis[0]], [-self.axis[1], self.axis[0], 0]])
        T = np.eye(4)
        T[:3, :3] = np.eye(3) + np.sin(q) * K + (1 - np.cos(q)) * K @ K
        T[:3, 3] = self.offset
        return T


class Prismatic(Joint):
    def __init__(self, axis, offset):
        super().__init__(offset)
        self.axis = np.asarray(axis, float)
    def transform(self, q):
        T = np.eye(4)
        T[:3, 3] = self.offset + q * self.axis
        return T


class Arm:
    def __init__(self, *joints): self.joints = joints
    def forward(self, q):
        return reduce(np.matmul, (j.transform(qi) for j, qi in zip(self.joints, q)), np.eye(4))
    def position(self, q): return self.forward(q)[:3, 3]
    def jacobian(self, q, eps=1e-6):
        J = np.empty((3, len(q)))
        for i in range(len(q)):
            d = np.zeros(len(q)); d[i] = eps
            J[:, i] = (self.position(q + d) - self.position(q - d)) / (2 * eps)
        return J
    def solve(self, target, q0, *, damping=0.1, iters=10):
        q = q0.copy()
        for k in range(iters):
            e = target - self.position(q)
            if np.linalg.norm(e) < 1e-6: return q, k
            J = self.jacobian(q)
            q += J.T @ np.linalg.solve(J @ J.T + damping**2 * np.eye(3), e)
        return q, iters


def arm_ik(target, q0):
    arm = Arm(Revolute([0, 0, 1], [0, 0, 0.3]), Revolute([0, 1, 0], [0, 0, 0.2]), Revolute([0, 1, 0], [0.6, 0, 0]), Prismatic([1, 0, 0], [0.5, 0, 0]))
    q, used = arm.solve(target, q0)
    return q, used, arm.position(q)


class Biquad:
    def __init__(self, fc, fs, q=0.7):
        w = 2 * np.pi * fc / fs
        alpha = np.sin(w) / (2 * q)
        b = np.array([(1 - np.cos(w)) / 2, 1 - np.cos(w), (1 - np.cos(w)) / 2])
        a = np.array([1 + alpha, -2 * np.cos(w), 1 - alpha])
        self.b, self.a = b / a[0], a / a[0]
        self.z1 = self.z2 = 0.0
    def process(self, x):
        y = np.empty_like(x)
        for i, v in enumerate(x):
            out = self.b[0] * v + self.z1
            self.z1 = self.b[1] * v - self.a[1] * out + self.z2
            self.z2 = self.b[2] * v - self.a[2] * out
            y[i] = out
        return y


def adsr(n, fs, attack=0.01, decay=0.02, sustain=0.6, release=0.02):
    na, nd, nr = (int(t * fs) for t in (attack, decay, release))
    ns = n - na - nd - nr
    return np.concatenate([np.linspace(0, 1, na, endpoint=False), np.linspace(1, sustain, nd, endpoint=False), np.full(ns, sustain), np.linspace(sustain, 0, nr)])


def synth(freq, damping, cutoff):
    fs, dur = 2000, 0.08
    n = int(fs * dur)
    rng = np.random.default_rng(5)
    period = int(fs // freq)
    line = rng.uniform(-1, 1, period)
    string = np.zeros(n)
    for i in range(n):
        string[i] = line[i % period]
        line[i % period] = damping * 0.5 * (line[i % period] + line[(i + 1) % period])
    t = np.arange(n) / fs
    tone = sum(np.sin(2 * np.pi * 110 * h * t) / h for h in range(1, 6, 2))
    mix = adsr(n, fs) * (0.5 * string + 0.3 * tone)
    out = Biquad(cutoff, fs).process(mix)
    spec = np.abs(np.fft.rfft(out * np.hanning(n)))
    return {"out": out, "rms": np.sqrt(np.mean(out**2)), "peak": np.fft.rfftfreq(n, 1 / fs)[spec.argmax()]}


CASES = {
    "felsenstein": (lambda r: (2.3, r.random(4) + 0.5, r.random(6) * 0.3 + 0.05, r.integers(0, 4, (4, 12))), (0, 1, 2), lambda v: v, 0),
    "particle_filter": (lambda r: (r.normal(size=12) ** 2, 1.3, 1.0), (), None, None),
    "gru_attention": (lambda r: (r.normal(size=(7, 3)), r.normal(size=5), 0.1), (0, 1, 2), lambda v: v, 0),
    "gp_kernels": (lambda r: (np.array([0.8, 1.1, 0.9, 0.1]), r.normal(size=(9, 2)), r.normal(size=9), r.normal(size=(4, 2))), (0, 1, 2), lambda v: v[2], 0),
    "ray_tracer": (lambda r: (np.array([0.3, 2.0, -1.0]) + 0.1 * r.random(3), 0.9, 4, 5), (0, 1), np.sum, None),
    "sph": (lambda r: (r.random((12, 2)), 0.4, 3), (0, 1), lambda v: v[1], None),
    "lattice_boltzmann": (lambda r: (0.1, 0.6 + 0.1 * r.random(), 8), (0, 1), lambda v: np.sum(v[1] ** 2), 1),
    "fem_poisson": (lambda r: (1.3, r.random(2)), (0, 1), lambda v: np.sum(v**2), 0),
    "kuramoto": (lambda r: (0.3 * r.normal(size=16), 6, 0.25), (0,), lambda v: np.sum(v[-1] ** 2), 0),
    "power_flow": (lambda r: (np.array([0.0, 0.5, -0.9, -0.6]), np.array([0.0, 0.2, -0.3, -0.1]), 1.02), (0, 1), lambda v: np.sum(v[0]) + v[2], 0),
    "lsm": (lambda r: (36.0 + r.random(), 0.2, 0.06), (0, 1, 2), lambda v: v[0], 1),
    "queue_simulation": (lambda r: (1.8, 1.0 + 0.2 * r.random(), 2, 30), (), None, None),
    "stumps": (lambda r: (r.normal(size=(14, 3)), r.normal(size=14)), (1,), lambda v: v[1], None),
    "glacier_flow": (lambda r: (2000 + 100 * np.sin(np.linspace(0, 3, 12)), 0.005, 2600.0), (0, 1, 2), lambda v: v["volume"] * 1e-4, None),
    "arm_ik": (lambda r: (np.array([0.8, 0.4, 0.9]) + 0.05 * r.random(3), np.array([0.1, 0.2, 0.3, 0.1])), (0,), lambda v: np.sum(v[0] ** 2), 0),
    "synth": (lambda r: (440.0, 0.99, 300.0), (1, 2), lambda v: v["rms"], 2),
}
