# ruff: noqa: A002, B905, E701, E702, E731, E741, F841, ARG001, D, FURB, PERF, PLR, PLW, RUF, SIM, UP, C4, I, B
"""Programs as scientists and engineers write them: filters, finite elements, searches, networks, machines of states, units, iterators taken from by several.

Python running the source decides: results, types, exceptions, arguments afterwards; gradients against differences.
"""
from __future__ import annotations

import copy
import enum
import functools
import itertools
from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
import pytest
from fuzz.object_check import differs

import s2s

PROGRAMS = {}


def program(make, wrt=()):
    def add(fun):
        PROGRAMS[fun.__name__] = (fun, make, wrt)
        return fun

    return add


@dataclass
class KalmanState:
    x: np.ndarray
    P: np.ndarray
    history: list = field(default_factory=list)

class KalmanFilter:
    def __init__(self, F, H, Q, R):
        self.F, self.H, self.Q, self.R = F, H, Q, R
        self.loglik = 0.0
        self.rejected = 0
    def predict(self, s):
        return replace(s, x=self.F @ s.x, P=self.F @ s.P @ self.F.T + self.Q)
    def update(self, s, z, gate=None):
        y = z - self.H @ s.x
        S = self.H @ s.P @ self.H.T + self.R
        d2 = y @ np.linalg.solve(S, y)
        if gate is not None and d2 > gate:
            self.rejected += 1
            return s
        K = np.linalg.solve(S.T, self.H @ s.P.T).T
        self.loglik -= 0.5 * (d2 + np.log(np.linalg.det(S)))
        s = replace(s, x=s.x + K @ y, P=(np.eye(len(s.x)) - K @ self.H) @ s.P)
        s.history.append(s.x[0])
        return s

@program(lambda r: (r.normal(size=6) * 2, 3.0))
def kalman_gate(zs, gate):
    kf = KalmanFilter(np.array([[1.0, 0.1], [0.0, 1.0]]), np.array([[1.0, 0.0]]), 0.1 * np.eye(2), np.eye(1) * 0.5)
    x, P = np.zeros(2), np.eye(2)
    for z in zs:
        s = kf.predict(KalmanState(x, P))
        s = kf.update(s, np.array([z]), gate=gate)
        x, P = s.x, s.P
    return kf.loglik, kf.rejected, x

class Element(NamedTuple):
    nodes: tuple
    E: float
    A: float = 1.0
    def length(self, xy):
        i, j = self.nodes
        return np.linalg.norm(xy[j] - xy[i])

def stiffness(el, xy):
    i, j = el.nodes
    L = el.length(xy)
    c, s = (xy[j] - xy[i]) / L
    t = np.array([-c, -s, c, s])
    return el.E * el.A / L * np.outer(t, t)

@program(lambda r: (np.array([[0.0, 0], [1, 0], [0.5, 1]]) + 0.05 * r.normal(size=(3, 2)), 1.0 + r.random(3)), (0, 1))
def truss(xy, areas):
    elements = [Element((0, 1), 10.0), Element((1, 2), 12.0), Element(nodes=(0, 2), E=11.0)]
    n = 2 * len(xy)
    K = np.zeros((n, n))
    for el, a in zip(elements, areas):
        el = el._replace(A=a)
        dofs = [2 * k + d for k in el.nodes for d in range(2)]
        ke = stiffness(el, xy)
        for p, P in enumerate(dofs):
            for q, Q in enumerate(dofs):
                K[P, Q] += ke[p, q]
    fixed = {0, 1, 3}
    free = [d for d in range(6) if d not in fixed]
    f = np.zeros(6)
    f[5] = -1.0
    u = np.zeros(6)
    u[free] = np.linalg.solve(K[np.ix_(free, free)], f[free])
    return float(f @ u)

@program(lambda r: (r.random(9) + 0.5, {0: 0.0, 8: 1.0}), (0,))
def fem_dirichlet(k, bc):
    n = len(k)
    K = np.zeros((n, n))
    f = np.ones(n) * 0.1
    for e in range(n - 1):
        ke = 0.5 * (k[e] + k[e + 1]) * np.array([[1.0, -1.0], [-1.0, 1.0]])
        K[e:e + 2, e:e + 2] += ke
    for i in range(n):
        if i in bc:
            K[i, :] = 0.0
            K[i, i] = 1.0
            f[i] = bc[i]
    u = np.linalg.solve(K, f)
    return np.sum(u ** 2)

@program(lambda r: (r.random((5, 5)) + 0.1,))
def dijkstra_array(w):
    n = len(w)
    dist = np.full(n, np.inf)
    seen = np.zeros(n, dtype=bool)
    prev = -np.ones(n, dtype=int)
    dist[0] = 0.0
    for _ in range(n):
        u = -1
        for i in range(n):
            if not seen[i] and (u < 0 or dist[i] < dist[u]):
                u = i
        seen[u] = True
        for v in range(n):
            if (alt := dist[u] + w[u, v]) < dist[v]:
                dist[v], prev[v] = alt, u
    path, at = [], n - 1
    while at >= 0:
        path.append(at)
        at = prev[at]
    return dist, path[::-1]

GRAPH = {"a": ["b", "c"], "b": ["d"], "c": ["d", "e"], "d": ["f"], "e": ["f"], "f": []}

@program(lambda r: ({k: float(r.random()) for k in GRAPH},))
def topo_dp(cost):
    order, mark = [], {}
    def visit(n):
        if mark.get(n):
            return
        mark[n] = True
        for m in GRAPH[n]:
            visit(m)
        order.append(n)
    for n in GRAPH:
        visit(n)
    best = {}
    for n in order:
        best[n] = cost[n] + max([best[m] for m in GRAPH[n]] or [0.0])
    return best["a"], order

class Dense:
    def __init__(self, W, b=None, act=None):
        self.W, self.b, self.act = W, b, act
    def __call__(self, x):
        y = x @ self.W
        if self.b is not None:
            y = y + self.b
        return self.act(y) if self.act else y

class Dropout:
    def __init__(self, mask=None): self.mask = mask
    def __call__(self, x): return x if self.mask is None else x * self.mask

class Sequential:
    def __init__(self, *layers): self.layers = list(layers)
    def __call__(self, x):
        return functools.reduce(lambda h, layer: layer(h), self.layers, x)
    def __len__(self): return len(self.layers)
    def __getitem__(self, k): return self.layers[k]

def make_params(r):
    return {"w0": r.normal(size=(3, 4)), "b0": r.normal(size=4), "w1": r.normal(size=(4, 2)), "mask": None}

ACT = {"tanh": np.tanh, "relu": lambda v: np.maximum(v, 0.0), None: None}

@program(lambda r: (r.normal(size=(2, 3)), [r.normal(size=(3, 3)), None, r.normal(size=(3, 3))]))
def residual_blocks(x, blocks):
    skips = []
    for i, w in enumerate(blocks):
        h = x if w is None else np.tanh(x @ w)
        if i % 2 == 0:
            skips.append(h)
        x = x + h if w is not None else x
    return x + sum(skips), len(skips)

class Phase(enum.Enum):
    SOLID = "s"; LIQUID = "l"; GAS = "g"
    @classmethod
    def of(cls, T):
        if T < 0.0: return cls.SOLID
        return cls.LIQUID if T < 1.0 else cls.GAS

CP = {Phase.SOLID: 2.0, Phase.LIQUID: 4.0, Phase.GAS: 1.5}

@program(lambda r: (float(r.normal()), 0.3), (0,))
def heating(T, q):
    E = 0.0
    for _ in range(5):
        if T < 0.0: c = CP[Phase.SOLID]
        elif T < 1.0: c = CP[Phase.LIQUID]
        else: c = CP[Phase.GAS]
        T = T + q / c
        E += c * T
    return E

class State(enum.IntEnum):
    IDLE = 0; RUN = 1; STOP = 2

@program(lambda r: (r.normal(size=8),))
def machine(u):
    state, t, log = State.IDLE, 0.0, []
    for v in u:
        if state == State.IDLE and v > 0:
            state = State.RUN
        elif state == State.RUN:
            t += v
            if v < -0.5:
                state = State.STOP
        log.append(int(state))
    return state == State.STOP, t, log

@program(lambda r: ([("a", float(r.normal())), ("a", float(r.normal())), ("b", float(r.normal())), ("a", 2.0)],))
def group_later(rows):
    groups = list(itertools.groupby(rows, key=lambda t: t[0]))
    return [(k, len(list(g))) for k, g in groups]

@program(lambda r: ([("a", float(r.normal())), ("a", float(r.normal())), ("b", float(r.normal())), ("a", 2.0)],))
def group_now(rows):
    out = []
    for k, g in itertools.groupby(rows, key=lambda t: t[0]):
        vals = [v for _, v in g]
        out.append((k, sum(vals) / len(vals)))
    return out

@program(lambda r: ([("a", float(r.normal())), ("a", float(r.normal())), ("b", float(r.normal())), ("b", 2.0)],))
def group_dict_lazy(rows):
    d = {k: g for k, g in itertools.groupby(rows, key=lambda t: t[0])}
    return {k: sum(v for _, v in g) for k, g in d.items()}

@program(lambda r: ([("a", 1.0), ("a", 2.0), ("b", 3.0)],))
def group_next(rows):
    it = itertools.groupby(rows, key=lambda t: t[0])
    k, g = next(it)
    first = next(g)
    k2, g2 = next(it)
    return k, first, k2, list(g), list(g2)

@program(lambda r: ([1.0, 2.0, 3.0, 4.0, 5.0],))
def tee_after(xs):
    it = iter(xs)
    a, b = itertools.tee(it)
    x = next(it)
    return x, list(a), list(b)

@program(lambda r: ([1.0, 2.0, 3.0, 4.0, 5.0],))
def islice_used(xs):
    it = iter(xs)
    head = list(itertools.islice(it, 2))
    mid = next(it)
    return head, mid, list(it)

@program(lambda r: ([1.0, 2.0, 3.0, 4.0, 5.0],))
def islice_lazy(xs):
    it = iter(xs)
    s = itertools.islice(it, 2)
    first = next(it)
    return first, list(s), list(it)

@program(lambda r: ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0],))
def chunks_zip(xs):
    it = iter(xs)
    return [a * b for a, b in zip(it, it)]

@program(lambda r: ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0],))
def chunks_star(xs):
    return [sum(c) for c in zip(*[iter(xs)] * 3)]

@program(lambda r: ([[1.0, 2.0], [3.0]],))
def from_iterable(xss):
    its = [iter(x) for x in xss]
    c = itertools.chain.from_iterable(its)
    a = next(c)
    return a, list(c), list(its[0])

@program(lambda r: ([1.0, 2.0, 3.0],))
def map_several(xs):
    it = iter(xs)
    m = map(lambda a, b: a * 10 + b, it, [4.0, 5.0])
    return list(m), list(it)

@program(lambda r: ([1.0, 2.0, 3.0],))
def zip_swallows(xs):
    it = iter(xs)
    z = list(zip(it, [1.0]))
    return z, list(it)

@program(lambda r: ([1.0, 2.0, 3.0],))
def zip_swallows2(xs):
    it = iter(xs)
    z = list(zip([1.0], it))
    return z, list(it)

@program(lambda r: ([1.0, 2.0, 3.0, 4.0],))
def takewhile_left(xs):
    it = iter(range(6))
    a = list(itertools.takewhile(lambda k: k < 3, it))
    return a, list(it), sum(xs)

@program(lambda r: ([1.0, 2.0, 3.0, 4.0],))
def accumulate_it(xs):
    it = itertools.accumulate(xs, lambda a, b: a * 0.5 + b)
    next(it)
    return list(it), max(it, default=-1.0)

@program(lambda r: ([1.0, 2.0, 3.0, 4.0],))
def cycle_it(xs):
    c = itertools.cycle(xs)
    return [next(c) for _ in range(6)], list(zip(range(3), c)), next(c)

@program(lambda r: ([1.0, 2.0, 3.0, 4.0],))
def enum_start(xs):
    e = enumerate(xs, start=1)
    i, x = next(e)
    return i * x, {k: v for k, v in e}

@program(lambda r: (r.normal(size=4), {(0, 0): 2.0, (1, 1): 3.0, (0, 3): -1.0, (3, 2): 0.5}), (0,))
def sparse_dict(x, A):
    y = np.zeros(len(x))
    for (i, j), a in A.items():
        y[i] += a * x[j]
    return np.sum(y ** 2)

@program(lambda r: (r.normal(size=4),), (0,))
def sparse_build(x):
    A = defaultdict(float)
    for i in range(4):
        A[i, i] += 2.0
        if i:
            A[i, i - 1] -= x[i]
            A[i - 1, i] -= x[i]
    return sum(v * x[i] * x[j] for (i, j), v in A.items())

@program(lambda r: (r.normal(size=6),))
def heap_array(vals):
    n = len(vals)
    h = np.empty(n)
    size = 0
    for v in vals:
        h[size] = v
        i = size
        size += 1
        while i > 0:
            p = (i - 1) // 2
            if h[p] <= h[i]: break
            h[p], h[i] = h[i], h[p]
            i = p
    out = []
    while size:
        out.append(h[0])
        size -= 1
        h[0] = h[size]
        i = 0
        while (c := 2 * i + 1) < size:
            if c + 1 < size and h[c + 1] < h[c]:
                c += 1
            if h[i] <= h[c]: break
            h[i], h[c] = h[c], h[i]
            i = c
    return np.array(out)

class LNode:
    __slots__ = ("value", "next")
    def __init__(self, value, next=None): self.value, self.next = value, next

class LinkedList:
    def __init__(self): self.head = None; self.n = 0
    def push(self, v): self.head = LNode(v, self.head); self.n += 1
    def __iter__(self):
        node = self.head
        while node is not None:
            yield node.value
            node = node.next
    def __len__(self): return self.n
    def reverse(self):
        prev, node = None, self.head
        while node is not None:
            node.next, prev, node = prev, node, node.next
        self.head = prev

@program(lambda r: ([float(v) for v in r.normal(size=4)],))
def linked(vals):
    l = LinkedList()
    for v in vals: l.push(v)
    l.reverse()
    total, node, k = 0.0, l.head, 1
    while node is not None:
        total += k * node.value
        node, k = node.next, k + 1
    return total, len(l)

@dataclass(frozen=True)
class Quantity:
    value: float
    unit: tuple = (0, 0, 0)
    def __mul__(self, o):
        if not isinstance(o, Quantity): return Quantity(self.value * o, self.unit)
        return Quantity(self.value * o.value, tuple(a + b for a, b in zip(self.unit, o.unit)))
    __rmul__ = __mul__
    def __truediv__(self, o):
        if not isinstance(o, Quantity): return Quantity(self.value / o, self.unit)
        return Quantity(self.value / o.value, tuple(a - b for a, b in zip(self.unit, o.unit)))
    def __add__(self, o):
        if self.unit != o.unit: raise ValueError(f"units differ: {self.unit} and {o.unit}")
        return Quantity(self.value + o.value, self.unit)
    def __pow__(self, n): return Quantity(self.value ** n, tuple(n * a for a in self.unit))

M, S, KG = Quantity(1.0, (1, 0, 0)), Quantity(1.0, (0, 1, 0)), Quantity(1.0, (0, 0, 1))

@program(lambda r: (1.0 + float(r.random()), 2.0), (0, 1))
def units(m, v):
    E = 0.5 * (m * KG) * (v * M / S) ** 2 + m * KG * (9.81 * M / S ** 2) * (v * M)
    assert E.unit == (2, -2, 1)
    return E.value

@program(lambda r: (1.0 + float(r.random()), 2.0))
def units_fail(m, v):
    return (m * KG + v * M).value


def outcome(fun, args):
    try:
        return fun(*args), None
    except ValueError as error:
        return None, getattr(error, "what", str(error))


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_in_python(name):
    fun, make, wrt = PROGRAMS[name]
    run = s2s.jit(fun, target="numpy")
    for seed in (0, 1, 2):
        wanted, found = make(np.random.default_rng(seed)), make(np.random.default_rng(seed))
        (value, error), (ours, our_error) = outcome(fun, wanted), outcome(run, found)
        assert our_error == error
        assert not differs(ours, value, "result")
        assert not differs(found, wanted, "arguments")
    for k in wrt:
        args = make(np.random.default_rng(0))
        np.testing.assert_allclose(s2s.grad(run, argnums=k)(*copy.deepcopy(args)), difference(fun, args, k), rtol=1e-4, atol=1e-5)


def difference(fun, args, k):
    """The gradient with respect to argument k by central differences."""
    x, step = np.asarray(args[k], float), 1e-6
    found = np.zeros_like(x)
    for place in np.ndindex(x.shape):
        values = []
        for sign in (1, -1):
            moved = x.copy()
            moved[place] += sign * step
            others = copy.deepcopy(list(args))
            others[k] = moved if x.ndim else float(moved)
            values.append(fun(*others))
        found[place] = (values[0] - values[1]) / (2 * step)
    return found
