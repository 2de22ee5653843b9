"""More programs with lists, dicts, sets and deques of run-time length. Their parameters' names say what they get, as in `container_programs`."""
# ruff: noqa: B007, E741, RET504, PLR1714, C419, C411, E704, E701, E702, C400, C416, PERF401, PERF402, B023, UP028, SIM, PLR
from collections import deque

import numpy as np


def moving_average_deque(x, n):
    q = deque(maxlen=n+1)
    out = []
    for a in x:
        q.append(a)
        out.append(sum(q)/len(q))
    return out


def coin_change(n):
    coins = [1, 5, 7]
    target = n * 3 + 4
    dp = [0] + [float("inf")] * target
    for i in range(1, target + 1):
        dp[i] = min((dp[i - c] + 1 for c in coins if c <= i), default=float("inf"))
    return dp[target]


def generator_min(x, n):
    xs = [a for a in x if a > -1]
    return min(abs(a) for a in xs), max((a*a for a in xs), default=0.0), any(a > 1 for a in xs), all(a > -1 for a in xs), sum(1 for a in xs if a > 0)


def topo_sort(edges):
    m = int(edges.max()) + 1
    indeg = [0]*m
    g = [[] for _ in range(m)]
    for a, b in edges:
        g[a].append(b)
        indeg[b] += 1
    q = [i for i in range(m) if indeg[i] == 0]
    out = []
    while q:
        c = q.pop(0)
        out.append(c)
        for w in g[c]:
            indeg[w] -= 1
            if indeg[w] == 0:
                q.append(w)
    return out


def sort_records(x, n):
    recs = []
    for i in range(len(x)):
        recs.append((x[i], i % (n+1), "ab"[i % 2]))
    recs.sort(key=lambda r: (r[1], r[2], -r[0]))
    return [r[0] for r in recs], [r[2] for r in recs]


def merge_intervals(x):
    iv = sorted([min(a, b), max(a, b)] for a, b in zip(x[::2], x[1::2]))
    out = [iv[0]]
    for lo, hi in iv[1:]:
        if lo <= out[-1][1]:
            out[-1][1] = max(out[-1][1], hi)
        else:
            out.append([lo, hi])
    return out


def deque_of_run_time_room(x, n):
    q = deque(maxlen=n)
    for a in x:
        q.append(a)
    return list(q), len(q), q.maxlen


def deque_of_found(x, n):
    q = deque((a for a in x if a > 0), maxlen=n + 1)
    r = q.copy()
    r.append(1.0)
    q.rotate(1)
    return list(q), r[-1], r.pop()


def deque_of_negative_room(x, n):
    q = deque(maxlen=n - 1)
    q.append(1.0)
    return len(q)


def window_of_pairs(x, n):
    q = deque(maxlen=n + 1)
    best = -10.0
    for i, a in enumerate(x):
        q.append((i, a))
        if len(q) == q.maxlen:
            best = max(best, sum(v for _, v in q))
    return best, q[0]


def deque_extended(x, n):
    q = deque(maxlen=n)
    q.extend(x)
    return list(q)


def deque_with_insert(x, n):
    q = deque([1.0], n)
    q.insert(0, 2.0)
    return list(q)


def found_lists_compared(x, n):
    a = [v for v in x if v > 0]
    return a == [0.5, 2.0, 0.75, 1.5], a == [], a != [], [] == a, [1.0] < a, a > [], a >= a[:n]


def lists_of_pairs_compared(x, n):
    p = [(i, i % 2) for i in range(n)]
    q = [(i, 0) for i in range(n)]
    return p == q, p < q, p >= q, p == [(0, 0), (1, 1)]


def lists_of_texts_compared(x, n):
    w = ["ab"[int(a > 0)] for a in x[:2]]
    names = ["up" if v > 0 else "down" for v in x]
    return names == ["up"] * len(names), names != names[::-1]


def best_or_default(x, n):
    return min((a for a in x if a > 5), default=None) is None, max((a for a in x if a > 0), default=-1.0), min([i for i in range(n)], default=7), max(x[:n], default=0.0)


def best_by_key_or_default(x, n):
    return max([(a, i) for i, a in enumerate(x) if a > 1], key=lambda p: -p[1], default=(0.0, -1)), min((i for i in range(n)), key=lambda i: x[i], default=-5)


def lists_times(n, y):
    return [1, 2] * n, n * [y, 0.0, y], [("a", 1), ("b", 2)] * n, len([0, 1] * (n + 1)), ["x", "y"] * n


def merge_dicts(k, n):
    d = {}
    for i in range(n + 2):
        new = {int(a) + i: i for a in k}
        d = {**d, **new}
    return sorted(d.items())


def dict_filtered(k, n):
    d = {int(a): i for i, a in enumerate(k)}
    for _ in range(n):
        d = {a: b for a, b in d.items() if a != 2}
    return sorted(d)


def set_rebound(k, n):
    s = {1, 2}
    for i in range(n + 1):
        s = {a + 1 for a in s} | {int(k[0])}
    return sorted(s), len(s)


def set_branch(k, n):
    s = {1, 2}
    if n > 1:
        s = {int(a) for a in k}
    return sorted(s), 2 in s


def dict_branch2(y):
    d = {"a": 1.0}
    if y > 0:
        d["b"] = y
    return sum(d.values()), len(d), "b" in d


def dict_branch3(y, n):
    d = {1: 1.0}
    if n > 1:
        d = {2: y}
    return d.get(2, 5.0)


def characters(n, x):
    s = "abcd"
    return s[n] == "c", s[-n - 1] == "d", [s[int(v > 0)] for v in x]


def positive_entries(A):
    sp = {(i, j): a for i, r in enumerate(A) for j, a in enumerate(r) if a > 0}
    return len(sp), sum(sp.values()), sp.get((1, 1), 0.0)


def set_of_positive(x):
    s = {i for i, a in enumerate(x) if a > 0}
    return len(s), sorted(s), {i for i in s if i % 2 == 0}


def dict_cond_static(y):
    d = {"a": 1.0, "b": -2.0}
    e = {k: v for k, v in d.items() if v * y > 0}
    return e, len(e)


def dict_of_positive(x):
    d = {i: a for i, a in enumerate(x) if a > 0}
    return d


def sort_tuples_nested(x):
    r = sorted(((int(a > 0), (a, i)) for i, a in enumerate(x)))
    return [i for _, (_, i) in r]


def sort_nested_key(x, n):
    pts = [(a, i) for i, a in enumerate(x)]
    return [i for _, i in sorted(pts, key=lambda p: (p[1] % (n + 1), (-p[0], 0)), reverse=True)]


def max_nested(x):
    return max((int(a > 0), (a, i)) for i, a in enumerate(x))[1][1]


def zip_star_pairs(x):
    pairs = [(a, a*a) for a in x if a > 0]
    if not pairs:
        return 0.0
    xs, ys = zip(*pairs)
    return sum(xs) + max(ys)


def columns_of_pairs(x):
    pairs = [(i, a) for i, a in enumerate(x) if a > 0]
    idx, vals = zip(*pairs)
    return idx, vals, idx[0], vals[-1], len(idx), sum(vals), max(vals), idx == vals, idx[:1] == (pairs[0][0],), vals[1:]


def columns_of_rows(x, n):
    rows = [[a, a * a, i] for i, a in enumerate(x) if i <= n]
    return [list(c) for c in zip(*rows)], [sum(c) / len(c) for c in zip(*rows)], list(map(max, zip(*rows)))


def columns_in_order(x):
    order, vals = zip(*sorted(((a, i) for i, a in enumerate(x)), reverse=True))
    return list(order), np.array(vals), isinstance(vals, tuple), type(order) is tuple


def columns_of_counts(k):
    d = {}
    for a in k:
        d[int(a)] = d.get(int(a), 0) + 1
    keys, counts = zip(*sorted(d.items()))
    return list(keys), list(counts)


def tuples_of_run_time_length(x):
    t = tuple(a for a in x if a > 0)
    u = tuple([a for a in x if a > 1])
    return t, len(t), t[0], t == tuple(t), (1.5,) == u, t.count(0.5), t.index(t[0])


def tuple_item_assigned(x):
    t = tuple(a for a in x if a > 0)
    t[0] = 1.0
    return t


def tuple_appended_to(x):
    t = tuple(a for a in x if a > 0)
    t.append(1.0)
    return t


def columns_on_paths(x, n):
    a = [(v, i) for i, v in enumerate(x) if v > 0]
    if n > 1:
        p, q = zip(*a)
    else:
        p, q = zip(*a[:1])
    return p, list(q)


def columns_as_lists(x, n):
    pts = [(x[i], x[i + 1]) for i in range(n + 1)]
    xs, ys = map(list, zip(*pts))
    xs.append(1.0)
    return xs, ys


def unpacked_iterators(v, y):
    a, b, *c = map(lambda t: t * y, v)
    d, *e = (t for t in v if t > 0)
    (f, g), h = zip(v[:2], v[1:3])
    return a, b, c, d, e, f, g, h


def unpacked_dict(k):
    d = {}
    for a in k:
        d[int(a)] = 1
    p, *q = d
    (r, s), *t = d.items()
    return p, q, r, s, t
