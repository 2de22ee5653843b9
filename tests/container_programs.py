"""Programs with lists, dicts, sets and objects as students write them. Their parameters' names say what they get: A a matrix in lists, v a list, x and u arrays, y a number, n a count, edges pairs."""
# ruff: noqa: E741, PLR1714, C419, C411, E704, E701, E702, C400, C416, PERF401, PERF402, B023, UP028, SIM, PLR
import copy
import heapq
import math
from collections import Counter, defaultdict
from dataclasses import dataclass

import numpy as np


def det_gauss(A):
    A = [row[:] for row in A]
    n = len(A)
    det = 1.0
    for i in range(n):
        p = max(range(i, n), key=lambda r: abs(A[r][i]))
        if A[p][i] == 0:
            return 0.0
        if p != i:
            A[i], A[p] = A[p], A[i]
            det = -det
        det *= A[i][i]
        for r in range(i + 1, n):
            f = A[r][i] / A[i][i]
            for c in range(i, n):
                A[r][c] -= f * A[i][c]
    return det


def run_time_row(A, n):
    row = A[n]
    row[1] = 10.0
    return A


def run_time_cell(A, n, y):
    A[n][(n + 1) % 3] += y
    return A, A[n - 1][n]


def islands(A):
    R, C = len(A), len(A[0])
    seen = [[False] * C for _ in range(R)]
    count = 0
    for i in range(R):
        for j in range(C):
            if A[i][j] > 0 and not seen[i][j]:
                count += 1
                stack = [(i, j)]
                while stack:
                    a, b = stack.pop()
                    if a < 0 or b < 0 or a >= R or b >= C or seen[a][b] or A[a][b] <= 0:
                        continue
                    seen[a][b] = True
                    stack += [(a + 1, b), (a - 1, b), (a, b + 1), (a, b - 1)]
    return count


def fn_table(x, n):
    fs = [math.sin, math.cos, math.exp]
    return sum(fs[(n + i) % 3](a) for i, a in enumerate(x))


def dijkstra_heap_static(y):
    graph = {0: [(1, 1.0), (2, 4.0)], 1: [(2, 2.0), (3, 5.0)], 2: [(3, 1.0)], 3: []}
    dist = [math.inf] * 4
    dist[0] = 0.0
    heap = [(0.0, 0)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > dist[u]:
            continue
        for w, c in graph[u]:
            nd = d + c * y * y
            if nd < dist[w]:
                dist[w] = nd
                heapq.heappush(heap, (nd, w))
    return dist


def radix_lists(n):
    a = [(k * 37 + 11) % 101 for k in range(n + 6)]
    exp = 1
    while max(a) // exp > 0:
        digits = [[] for _ in range(10)]
        for e in a:
            digits[(e // exp) % 10].append(e)
        a = [e for d in digits for e in d]
        exp *= 10
    return a


def max_pair(x):
    return max(((x[i] * x[j], i, j) for i in range(len(x)) for j in range(i)), key=lambda t: t[0])


def all_pairs(x):
    pairs = [(i, j) for i in range(len(x)) for j in range(i + 1, len(x)) if x[i] < x[j]]
    return len(pairs), pairs


def flatten_cond(x, n):
    rows = [[a * k for k in range(n + 1)] for a in x]
    return [e for r in rows for e in r if e > 0]


def gauss_swap_ids(A, v):
    n = len(A)
    order = list(range(n))
    A = [list(r) for r in A]
    b = list(v)
    for k in range(n - 1):
        big = abs(A[k][k]); row = k
        for i in range(k + 1, n):
            if abs(A[i][k]) > big:
                big = abs(A[i][k]); row = i
        if row != k:
            A[k], A[row] = A[row], A[k]
            b[k], b[row] = b[row], b[k]
            order[k], order[row] = order[row], order[k]
        for i in range(k + 1, n):
            m = A[i][k] / A[k][k]
            A[i][k] = 0.0
            for j in range(k + 1, n):
                A[i][j] -= m * A[k][j]
            b[i] -= m * b[k]
    return A, b, order


def pascal(n):
    rows = [[1]]
    for _k in range(n + 3):
        prev = rows[-1]
        row = [1]
        for i in range(len(prev) - 1):
            row.append(prev[i] + prev[i + 1])
        row.append(1)
        rows.append(row)
    return rows


def heat_lists(y, n):
    u = [[0.0] * (n + 4) for _ in range(n + 4)]
    u[1][1] = y
    for _ in range(3):
        new = [row[:] for row in u]
        for i in range(1, n + 3):
            for j in range(1, n + 3):
                new[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1])
        u = new
    return u


# ---- comprehensions


def c1(x, n):
    return [a * k for a in x for k in range(n)]


def c2(x):
    return [(i, j) for i in range(len(x)) for j in range(i)]


def c3(x):
    return {(i, j): x[i] for i in range(len(x)) for j in range(i) if x[i] > x[j]}


def c4(x):
    return sorted({int(a) + int(b) for a in x for b in x if a > 0 if b > 0})


def c5(A, n):
    return [e * k for row in A for e in row for k in range(n)]


def c6(x, n):
    return sum(a * k for a in x if a > 0 for k in range(n) if k % 2 == 0)


def c7(x):
    return [a for a in x if a > 0 if a < 1.5]


def c8(x, n):
    return [x * k + j for k in range(n + 1) for j in range(n)]


def c9(x, n):
    return max((a - b, i) for i, a in enumerate(x) for b in x)


def c10(x, n):
    return any(a + b == 0 for a in x for b in x), all(a + b > -9 for a in x for b in x)


def c11(x, n):
    return np.array([a * b for a in x for b in x]).reshape(len(x), len(x))


def c12(x, n):
    return [z for k in range(n) for z in [k, x[k]]]


def c13(x, n):
    return ([q := a * k for a in x for k in range(n + 1)][-1], q)


def c14(x, n):
    return {i: j * y0 for i in range(n) for j in range(3) for y0 in x}


def c15(A):
    return [e for r in A for e in r if e > 0]


def c16(x):
    return [[i, j] for i in range(len(x)) for j in range(i)]


def c17(x):
    return [1 / (a - b) for i, a in enumerate(x) for j, b in enumerate(x) if i != j]


def c18(x, n):
    return [1.0 / k for a in x for k in range(n)]


def c19(x, n):
    return sum(x[i] * x[j] / (1 + i + j) for i in range(len(x)) for j in range(i + 1, len(x)))


def c20(x, n):
    return list(a * b for a in x for b in x if a < b)


def c21(x, n):
    return [(a, b) for a in range(1, n + 8) for b in range(a, n + 8) for c in range(b, n + 8) if a * a + b * b == c * c]


def c22(edges):
    return [w for k in range(3) for u, w in edges if u == k]


def c23(x, u, n):
    return [(a, b) for i, a in enumerate(x) for b, c in zip(u, x) if a < b]


def c24(x, u, n):
    return [a + b for a in x for b in reversed(u)]


def c25(x, u, n):
    return [a + b for a in map(abs, x) for b in (c * c for c in u)]


# ---- results


def r1(x, n):
    rows = [[] for _ in range(n + 2)]
    for k, v in enumerate(x):
        rows[k % (n + 2)].append(v)
    return rows


def r2(x, n):
    rows = [[] for _ in range(n + 2)]
    for k, v in enumerate(x):
        rows[k % (n + 2)].append((k, v))
    return {"rows": rows, "n": n}, rows[0]


def r3(x, n):
    rows = [(k, [v] * k) for k, v in enumerate(x)]
    rows[n][1].append(1.0)
    return rows


class P:
    def __init__(self, a, b):
        self.a, self.b, self.tag = a, b, "p"


@dataclass
class D:
    a: float
    items: list


def r4(x, y):
    ps = [P(v, 0) for v in x]
    for k, p in enumerate(ps):
        p.a += y
        p.b += k
    return ps


def r5(x, y):
    ds = [D(v, []) for v in x]
    for k in range(len(x)):
        ds[k // 2].items.append(x[k])
        ds[k].a *= y
    return ds, ds[0]


def r6(x, n):
    cube = [[[] for _ in range(2)] for _ in range(n + 1)]
    for k, v in enumerate(x):
        cube[k % (n + 1)][k % 2].append(v)
    return cube


def r7(x, n):
    groups = {}
    for k, v in enumerate(x):
        groups.setdefault(k % (n + 1), []).append(v)
    return groups


def r8(x, n):
    rows = [[x[0]]]
    for k in range(n):
        rows.append(rows[-1] + [x[k]])
    return rows


def r9(x, n):
    return [np.arange(3.0) * v for v in x]


def r10(x, n):
    rows = [[v, k] for k, v in enumerate(x)]
    rows[0], rows[n] = rows[n], rows[0]
    return rows


# ---- aliases


class Body:
    def __init__(self, pos):
        self.pos = pos
        self.trail = []


def alias_in_branch(x, y, n):
    bs = [Body(np.zeros(2) + v) for v in x]
    if y > 0:
        p = bs[0].pos
    else:
        p = bs[1].pos
    p[0] = 8.0
    bs[n].pos += 1.0
    return [b.pos for b in bs], p


def alias_over_loop(x, y, n):
    bs = [Body(np.zeros(2) + v) for v in x]
    p = bs[0].pos
    for k in range(n + 1):
        p += 1.0
        p = bs[k].pos
    p[1] = 3.0
    return [b.pos for b in bs]


def bound_anew_in_branch(x, y, n):
    bs = [Body(np.zeros(2) + v) for v in x]
    old = bs[0].pos
    if y > 0:
        bs[0].pos = bs[0].pos + 1.0
    bs[0].pos[1] = 4.0
    old[0] = 2.0
    return bs[0].pos, old


def copied(x, y, n):
    bs = [Body(np.zeros(2) + v) for v in x]
    c = bs[0].pos.copy()
    bs[0].pos += 1.0
    c[0] = 5.0
    return bs[0].pos, c


def row_views(x, y, n):
    ms = [np.ones((2, 3)) * v for v in x]
    r = ms[n][1]
    r[0] = 9.0
    ms[n][:, 1] = 4.0
    t = ms[n].T
    t[2] += y
    return ms[n], r, ms


def swapped(x, y, n):
    vs = [np.zeros(2) + v for v in x]
    vs[0], vs[n] = vs[n], vs[0]
    vs[0][0] = 7.0
    vs[n] *= 2.0
    return vs


def trail_of_positions(x, y, n):
    bs = [Body(np.zeros(2) + v) for v in x]
    for _k in range(n + 2):
        for b in bs:
            b.trail.append(b.pos.copy())
            b.pos += y
    return bs[0].trail, bs[1].trail[n]


def trail_of_aliases(x, y, n):
    bs = [Body(np.zeros(2) + v) for v in x]
    for _k in range(n + 2):
        for b in bs:
            b.trail.append(b.pos)
            b.pos += y
    return bs[0].trail, bs[1].trail[n]


def two_lists(x, y, n):
    vs = [np.zeros(2) + v for v in x]
    ws = list(vs)
    us = [v * 1.0 for v in vs]
    vs[n] += 1.0
    ws[0][1] = -1.0
    us[0][:] = 6.0
    return vs, ws, us


def given_to_helper(x, y, n):
    def change(a, b):
        a += 1.0
        b[0] = a[1]
        return a + b
    vs = [np.zeros(2) + v for v in x]
    s = change(vs[0], vs[n])
    return vs, s


def made_twice(x, y, n):
    vs = []
    for v in x:
        a = np.zeros(2)
        vs.append(a)
        vs.append(a)
        a[0] = v
    vs[n] += 10.0
    return vs


def kept_name(x, y, n):
    a = np.ones(2)
    vs = [a]
    for v in x:
        vs.append(np.zeros(2) + v)
    vs[n] *= 3.0
    return vs, a


def out_of_range(x, y, n):
    vs = [np.zeros(2) for v in x]
    vs[n + 5] += 1.0
    return vs


def in_dict(x, y, n):
    d = {k: np.zeros(2) for k in range(n + 2)}
    for k in range(n + 2):
        d[k] += k * y
        d[k][0] = 1.0
    return d[n], d


def array_or_none(x, y, n):
    best = None
    vs = [np.zeros(2) + v for v in x]
    for v in vs:
        if best is None or v[0] > best[0]:
            best = v
    best += 100.0
    return vs


def other_dtype(x, y, n):
    vs = [np.arange(2) for v in x]
    vs[n] += 3
    return vs[n], vs[0]


def ints_and_floats(x, y, n):
    vs = [np.arange(2) for v in x]
    vs[0] = np.zeros(2)
    vs[n] += 3
    return vs[n], vs[0]


def sorted_by(x, y, n):
    bs = [Body(np.zeros(2) + v) for v in x]
    bs.sort(key=lambda b: b.pos[0])
    bs[0].pos -= 50.0
    return [b.pos[0] for b in bs]


def deeply(x, y, n):
    bs = [Body(np.zeros(2) + v) for v in x]
    cs = copy.deepcopy(bs)
    cs[n].pos += 1.0
    return bs[n].pos, cs[n].pos


def shallowly(x, y, n):
    bs = [Body(np.zeros(2) + v) for v in x]
    c = copy.copy(bs[n])
    c.pos += 1.0
    return bs[n].pos, c.pos


# ---- arrays


class Ball:
    def __init__(self, pos, vel, mass=1.0):
        self.pos, self.vel, self.mass = pos, vel, mass
    def step(self, dt):
        self.pos += self.vel * dt
        self.vel *= 0.9


def balls_stepped(x, y, n):
    balls = [Ball(np.array([v, y]), np.array([1.0, v])) for v in x]
    for _ in range(n + 2):
        for b in balls:
            b.step(0.1)
    return sum(b.pos[0] * b.pos[1] for b in balls), [b.pos for b in balls]


def balls_by_index(x, y, n):
    balls = []
    for v in x:
        balls.append(Ball(np.zeros(2) + v, np.ones(2)))
    for k in range(n + 1):
        balls[k].pos += y
        balls[k].pos[1] = y
    old = balls[0].pos
    balls[0].pos = balls[0].pos * 2
    balls[0].pos[0] += 1.0
    return sum(b.pos[0] for b in balls), old, balls[n].pos


def balls_shared(x, y, n):
    balls = [Ball(np.zeros(2) + v, np.ones(2)) for v in x]
    balls[1].pos = balls[0].pos
    balls[n].pos[0] = y
    p = balls[0].pos
    p[1] = 7.0
    return [b.pos for b in balls]


def balls_pairs(x, y, n):
    balls = [Ball(np.array([v, k * y]), np.zeros(2), 1.0 + k) for k, v in enumerate(x)]
    for _ in range(n + 1):
        for i in range(len(balls)):
            for j in range(i + 1, len(balls)):
                d = balls[j].pos - balls[i].pos
                f = d / (np.sum(d * d) + 0.1) ** 1.5
                balls[i].vel += f * 0.01 * balls[j].mass
                balls[j].vel -= f * 0.01 * balls[i].mass
        for b in balls:
            b.pos += b.vel * 0.01
    return sum(np.sum(b.vel ** 2) * b.mass for b in balls)


def balls_helper(x, y, n):
    balls = [Ball(np.array([v, y]), np.array([1.0, v])) for v in x]
    def kick(b, f):
        b.vel += f
        return b.vel
    v = kick(balls[n], y)
    v[0] = 3.0
    return balls[n].vel, balls[0].vel


def balls_chosen(x, y, n):
    balls = [Ball(np.array([v, y]), np.array([1.0, v])) for v in x]
    best = balls[0]
    for b in balls:
        if b.pos[0] > best.pos[0]:
            best = b
    best.pos -= 5.0
    return [b.pos[0] for b in balls]


def arrays_listed(x, y, n):
    vs = [np.zeros(2) + v for v in x]
    vs[n] += y
    vs[0][1] = 9.0
    a = vs[n]
    a[0] = 5.0
    vs[1] = vs[0]
    vs[1][0] = -3.0
    return vs, vs[n][0]


def arrays_dropped(x, y, n):
    vs = []
    for v in x:
        a = np.ones(3) * v
        if v > 0:
            a[0] = y
            vs.append(a)
    for a in vs:
        a *= 2.0
        a[-1] += 1.0
    return vs


def arrays_of_caller(x, y, n):
    a = np.zeros(2)
    balls = [Ball(a, np.ones(2)) for v in x]
    balls[n].pos += y
    return a, balls[0].pos


def weights_in_lists(x, y, n):
    W = [np.ones((2, 2)) * k for k in range(n + 2)]
    B = [np.zeros(2) for _ in range(n + 2)]
    for _ in range(3):
        h = x[:2]
        for w, b in zip(W, B):
            h = np.tanh(w @ h + b)
        for w, b in zip(W, B):
            w -= 0.1 * h[0]
            b -= 0.1 * h
    return sum(np.sum(w) for w in W) + sum(np.sum(b) for b in B)


def moments_updated(x, y, n):
    params = [x[:2].copy(), x[2:4].copy()]
    m = [np.zeros(2) for _ in params]
    for _t in range(n + 3):
        for i in range(len(params)):
            g = 2 * params[i]
            m[i] *= 0.9
            m[i] += 0.1 * g
            params[i] -= 0.1 * m[i]
    return sum(np.sum(p) for p in params)


# ---- nones


def slots(x, n):
    held = [None] * (n + 3)
    for _i, a in enumerate(x):
        k = int(abs(a) * 3) % (n + 3)
        if held[k] is None:
            held[k] = a
    return [s for s in held if s is not None], held


def labels(edges, n):
    adj = [[] for _ in range(n + 5)]
    for a, b in edges:
        adj[a].append(b)
        adj[b].append(a)
    label = [None] * (n + 5)
    c = 0
    for s in range(n + 5):
        if label[s] is not None:
            continue
        stack = [s]
        label[s] = c
        while stack:
            u = stack.pop()
            for w in adj[u]:
                if label[w] is None:
                    label[w] = c
                    stack.append(w)
        c += 1
    return c, label


def path_back(edges, n):
    m = n + 5
    adj = [[] for _ in range(m)]
    for a, b in edges:
        adj[a].append(int(b))
    prev = [None] * m
    queue = [0]
    seen = [False] * m
    seen[0] = True
    while queue:
        u = queue.pop(0)
        for w in adj[u]:
            if not seen[w]:
                seen[w] = True
                prev[w] = u
                queue.append(w)
    path = []
    at = 4
    while at is not None:
        path.append(at)
        at = prev[at]
    return path[::-1], prev


def nones_comprehended(x, n):
    best = [None for _ in range(n + 2)]
    for k, v in enumerate(x):
        j = k % (n + 2)
        if best[j] is None or v > best[j]:
            best[j] = v
    best[n] = None
    return best


def some_appended(x, y):
    out = []
    for v in x:
        if v > 0:
            out.append(v * y)
        else:
            out.append(None)
    return out, sum(1 for v in out if v is None), sum(v for v in out if v is not None)


def some_chosen(x, y):
    return [v if v > y else None for v in x]


def pairs_with_none(x, n):
    rows = []
    for k, v in enumerate(x):
        rows.append((k, None if k < n else v))
    return rows, [k for k, v in rows if v is not None]


def memo_list(n, y):
    memo = [None] * (n + 10)
    def ways(k):
        if k < 2:
            return 1.0
        if memo[k] is None:
            memo[k] = ways(k - 1) + y * ways(k - 2)
        return memo[k]
    return ways(n + 6)


def texts_appended(x):
    names = []
    for v in x:
        names.append("up" if v > 0 else "down")
    return names, names.count("up") if False else sum(1 for s in names if s == "up"), names[0] == names[-1]


def texts_tupled(x):
    log = []
    for k, v in enumerate(x):
        if v > 1:
            log.append((k, "big"))
        elif v > 0:
            log.append((k, "small"))
        else:
            log.append((k, "negative"))
    total = 0
    for k, kind in log:
        if kind == "big":
            total += 10 * k
        elif kind != "small":
            total -= k
    return total, log


def texts_counted(x):
    counts = {}
    for a in x:
        k = "big" if abs(a) > 1 else "small"
        counts[k] = counts.get(k, 0) + 1
    return counts


def texts_grouped(x):
    groups = {}
    for a in x:
        key = "neg" if a < 0 else "pos"
        if key not in groups:
            groups[key] = []
        groups[key].append(a)
    return groups


def texts_defaulted(x):
    g = defaultdict(list)
    for a in x:
        g["neg" if a < 0 else "pos"].append(a)
    return {k: sum(v) for k, v in g.items()}


def texts_of_path(x, n):
    state, trace = "start", []
    for v in x:
        if state == "start" and v > 0:
            state = "run"
        elif state == "run" and v < 0:
            state = "stop"
        trace.append(state)
    return trace, state


def events_by_text(y):
    events = [(0.0, "arrive"), (1.0, "leave")]
    t, count = 0.0, 0
    log = []
    while events and t < 5.0:
        t, kind = events.pop(0)
        log.append((t, kind))
        if kind == "arrive":
            count += 1
            events.append((t + abs(y) + 0.3, "arrive"))
        else:
            count -= 1
            events.append((t + 2.0, "leave"))
    return count, t, log


# ---- others


def found_texts(x, n):
    names = []
    for v in x:
        name = "p" if v > 0 else "n"
        if name in names:
            names.append("again")
        else:
            names.append(name)
    return names, "again" in names, names.index("again") if "again" in names else -1


def found_pairs(x, n):
    met = []
    for k, v in enumerate(x):
        place = (k % (n + 1), int(v))
        if place not in met:
            met.append(place)
    return met, (0, 0) in met


def chosen_dict(x, n):
    ds = [{"a": x[0]}, {"a": x[1]}, {"a": x[2]}]
    ds[n]["a"] += x[0]
    e = ds[n]
    e["a"] *= 2
    return [d["a"] for d in ds]


def rows_of_caller(A, n):
    r = A[n]
    s = A[0]
    r[0] = 100.0
    s[1] = 200.0
    r.append(5.0)
    return A, len(r), len(s)


def rows_or_not(A, v, n):
    rows = [A[0], v, A[2]]
    rows[n][1] = -1.0
    return A, v, rows[n] is rows[0]


def known_arrays_chosen(x, n):
    vs = [np.zeros(2), np.ones(2), np.full(2, 3.0)]
    vs[n] += x[0]
    vs[n - 1][0] = 7.0
    return vs


def shared_in_loop(x, y, n):
    vs = [np.zeros(2) + v for v in x]
    for k in range(len(x) - 1):
        if x[k] > y:
            vs[k] = vs[k + 1]
        vs[k] += 1.0
    return vs


def last_that_is_larger(x, y, n):
    vs = [np.zeros(2) + v for v in x]
    u = vs[0]
    for v in vs:
        if v[0] > y:
            u = v
        u[1] += 1.0
    return vs, u


def changed_behind_append(x, y, n):
    def push(vs, v):
        vs.append(v)
        v[0] += 1.0
    vs = []
    for k in range(n + 3):
        a = np.full(2, float(k))
        push(vs, a)
        a[1] = -1.0
    vs[n] *= 2.0
    return vs


# ---- small


def symmetric(x, u):
    a, b = {int(e) for e in x}, {int(e) for e in u}
    return sorted(a ^ b), a < b, a > b, a.isdisjoint(b)


def most_common(x):
    c = Counter(int(a) for a in x)
    return c.most_common(1)[0], c.most_common(), c.most_common(2)


def best_few(x, n):
    return heapq.nlargest(n + 1, x), heapq.nsmallest(n, x)


def in_pieces(x, n):
    a = list(x)
    return [a[i : i + n + 1] for i in range(0, len(a), n + 1)]


def stepped(x, n):
    step = n - 3
    return len(range(10, 0, step)), sum(k for k in range(10, -3, step)), [x[k] for k in range(0, len(x), n + 1)]


def crossed_off(n):
    m = n + 20
    p = [True] * (m + 1)
    for i in range(2, int(m**0.5) + 1):
        if p[i]:
            p[i * i :: i] = [False] * len(range(i * i, m + 1, i))
    return sum(p)


def nearest_group(x, n):
    cents = [x[0], x[1]]
    for _ in range(n + 2):
        clusters = [[], []]
        for a in x:
            d = [abs(a - c) for c in cents]
            clusters[d.index(min(d))].append(a)
        cents = [sum(c) / len(c) if c else cents[k] for k, c in enumerate(clusters)]
    return cents


def found_and_removed(x, n):
    a = [v for v in x if v > -1]
    top = max(a)
    where = a.index(top)
    a.remove(top)
    return where, a, a.count(top), len(a)


def not_found(x, y):
    a = [v for v in x if v > -1]
    return a.index(y)


def buckets_extended(x):
    buckets = [[] for _ in range(4)]
    for a in x:
        buckets[int(abs(a)) % 4].append(a)
    out = []
    for b in buckets:
        out.extend(b)
    out.extend(v for v in x if v > 0)
    return out


def rows_from_second(x, y):
    rows = [[v] for v in x]
    total = 0.0
    for r in rows[1:]:
        r.append(y)
        total += r[0]
    other = rows[:]
    other[0].append(9.0)
    return total, rows, len(other)


# ---- texts


def most_common_text(x):
    counts = {}
    for a in x:
        k = "big" if abs(a) > 1 else "small" if abs(a) > 0.4 else "tiny"
        counts[k] = counts.get(k, 0) + 1
    best = max(counts, key=counts.get)
    return best, counts[best], sorted(counts), "tiny" in counts


def counter_of_texts(x):
    c = Counter("big" if abs(a) > 1 else "small" for a in x)
    return c["big"], c["small"], c["none"], len(c)


def set_of_texts(x):
    seen = set()
    for a in x:
        seen.add("neg" if a < 0 else "pos")
    return len(seen), "neg" in seen, sorted(seen)


def later_texts(x):
    log = ["start"]
    for a in x:
        if log[-1] == "start":
            log.append("go")
        elif log[-1] == "go":
            log.append("on" if a > 0 else "start")
        else:
            log.append("end")
    return log


def texts_in_objects(x, y):
    accounts = []
    for _k, v in enumerate(x):
        accounts.append(Account("ann" if v > 0 else "bob", v))
    for a in accounts:
        if a.owner == "ann":
            a.balance += y
    return [(a.owner, a.balance) for a in accounts]


class Account:
    def __init__(self, owner, balance):
        self.owner, self.balance = owner, balance


def chosen_accounts(x, y):
    accounts = {"ann": Account("ann", y), "bob": Account("bob", 1.0)}
    for v in x:
        accounts["ann" if v > 0 else "bob"].balance += abs(v)
    return {k: v.balance for k, v in accounts.items()}


def replaced_texts(x, n):
    names = ["a"] * (n + 3)
    for k, v in enumerate(x):
        names[k % (n + 3)] = "b" if v > 0 else "c"
    return names


def same_or_not(x, n):
    names = ["up" if v > 0 else "down" for v in x]
    changes = 0
    for k in range(1, len(x)):
        if names[k] != names[k - 1]:
            changes += 1
    return changes, names[0] == names[n], names[n] < "middle"


def nested_by_text(x, y):
    table = {"a": {"n": 0, "sum": 0.0}, "b": {"n": 0, "sum": 0.0}}
    for v in x:
        entry = table["a" if v > y else "b"]
        entry["n"] += 1
        entry["sum"] += v
    return table


def unknown_key(x):
    d = {"a": 1.0, "b": 2.0}
    k = "a" if x[0] > 0 else "c"
    return d[k]


def inventory_of_texts(x):
    stock = {"apple": 3.0, "pear": 1.0}
    for _k, v in enumerate(x):
        item = "apple" if v > 0 else "fig"
        stock[item] = stock.get(item, 0.0) + v
    return stock


def quicksort_of_parts(v):
    if len(v) <= 1:
        return v
    p = v[0]
    return quicksort_of_parts([a for a in v[1:] if a < p]) + [p] + quicksort_of_parts([a for a in v[1:] if a >= p])


def arrays_of_two_sizes_turned(x, y, n):
    found = [np.zeros(2), x, 2.0 * x]
    for _ in range(n):
        for _ in range(n):
            found.reverse()
    return found


def states_in_a_table(x):
    table = {("a", True): "b", ("a", False): "a", ("b", True): "c", ("b", False): "a", ("c", True): "c", ("c", False): "b"}
    state, trace = "a", []
    for v in x:
        state = table[state, bool(v > 0.4)]
        trace.append(state)
    return state, trace


def states_without_some(x):
    table = {("a", 1): "b", ("b", 0): "a"}
    state, missing = "a", 0
    for v in x:
        try:
            state = table[(state, int(v > 0.4))]
        except KeyError:
            missing += 1
    return state, missing, table[state, int(x[0] > 0.4)]


def actions_in_a_table(x):
    table = {("a", 0): (lambda v: v * 2, "b"), ("a", 1): (abs, "a"), ("b", 0): (math.sin, "a"), ("b", 1): (lambda v: v + 1, "b")}
    state, total = "a", 0.0
    for v in x:
        action, state = table[state, int(v > 0.4)]
        total += action(v)
    return total


def prices_by_two_texts(x):
    prices = {("apple", "big"): 1.5, ("apple", "small"): x[0], ("pear", "big"): 2.0}
    total = 0.0
    for v in x:
        total += prices.get(("apple" if v > 0 else "pear", "big" if abs(v) > 1 else "small"), 0.25) * v
    return total
