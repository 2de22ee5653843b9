"""Programs about lists and objects of which only the run knows which one a name stands for: who sees what is changed (test_pools.py)."""
# ruff: noqa: E741


import copy

import numpy as np


class P:
    def __init__(self, a, b=0.0):
        self.a, self.b = a, b


class V:
    def __init__(self, pos):
        self.pos = pos
        self.k = 0


class H:
    def __init__(self, items):
        self.items = items


def swap_rows(x, y, n):
    rows = [[] for _ in range(n + 2)]
    for k, v in enumerate(x):
        rows[k % (n + 2)].append(v)
    rows[0], rows[1] = rows[1], rows[0]
    rows[0].append(y)
    return sum(rows[0]) * 10 + sum(rows[1])


def alias_store(x, y, n):
    rows = [[] for _ in range(n + 2)]
    rows[n] = rows[0]
    for v in x:
        rows[0].append(v)
    return len(rows[n]), sum(rows[n]), len(rows[1])


def same_list(x, y, n):
    rows = [[]] * 3
    for k in range(n + 1):
        rows[k].append(x[k])
    return len(rows[0]), sum(rows[2])


def shallow(x, y, n):
    rows = [[v] for v in x]
    other = rows[:]
    other[n].append(y)
    other.append([1.0])
    return len(rows), len(rows[n]), sum(rows[n]), len(other)


def shallow2(x, y, n):
    rows = [[v] for v in x]
    other = list(rows)
    other[n].append(y)
    return sum(rows[n]), len(other)


def iadd(x, y, n):
    rows = [[v] for v in x]
    r = rows[n]
    r += [y, 2.0]
    r = r + [5.0]
    return sum(rows[n]), sum(r)


def helper_append(row, v):
    row.append(v * 2)
    return len(row)


def by_helper(x, y, n):
    rows = [[] for _ in range(n + 2)]
    t = 0
    for k, v in enumerate(x):
        t += helper_append(rows[k % (n + 2)], v)
    return t, sum(rows[0])


def arr_attr(x, y, n):
    vs = [V(np.zeros(2) + v) for v in x]
    for k in range(n + 1):
        vs[k].pos = vs[k].pos + y
        vs[k].k += 1
    old = vs[0].pos
    vs[0].pos = vs[0].pos * 2
    return sum(v.pos[0] for v in vs), old[0], vs[0].k


def arr_inplace(x, y, n):
    vs = [V(np.zeros(2) + v) for v in x]
    for k in range(n + 1):
        vs[k].pos += y
    return sum(v.pos[0] for v in vs)


def arr_inplace2(x, y, n):
    vs = [V(np.zeros(2) + v) for v in x]
    for k in range(n + 1):
        vs[k].pos[1] = y
    return sum(v.pos[1] for v in vs)


def shared_arr(x, y, n):
    z = np.zeros(2)
    vs = [V(z) for v in x]
    vs[n].pos[0] = y
    return sum(v.pos[0] for v in vs)


def arr_alias(x, y, n):
    vs = [V(x) for v in range(3)]
    vs[n].k = 1
    x[0] = 100.0
    return vs[n].pos[0] + vs[0].pos[0]


def shared_list(x, y, n):
    l = []
    hs = [H(l) for _ in range(n + 2)]
    for k in range(n + 2):
        hs[k].items.append(x[k])
    return len(l), len(hs[0].items)


def own_list(x, y, n):
    hs = [H([]) for _ in range(n + 2)]
    for k in range(len(x)):
        hs[k % (n + 2)].items.append(x[k])
    hs[0].items = hs[1].items
    hs[0].items.append(y)
    return len(hs[1].items), sum(hs[0].items)


def cp(x, y, n):
    ps = [P(v, y) for v in x]
    q = copy.copy(ps[n])
    q.a = 5.0
    return ps[n].a, q.a, q.b


def rows_scaled(x, y, n):
    rows = [[v, v * 2] for v in x]
    for row in rows:
        row[0] += y
    for row in rows:
        for k in range(len(row)):
            row[k] *= 2
    return sum(sum(r) for r in rows)


def identity(x, y, n):
    ps = [P(v) for v in x]
    best = ps[0]
    for p in ps:
        if p.a > best.a:
            best = p
    best.b = 7.0
    return sum(p.b for p in ps), best is ps[n], best is ps[0], sum(1 for p in ps if p is best)


def in_list(x, y, n):
    ps = [P(v) for v in x]
    p = ps[n]
    p.b = 1.0
    return p in ps, ps.index(p)


def old_value(x, y, n):
    ps = [P(v) for v in x]
    old = ps[n].a
    ps[n].a += y
    new = ps[n].a
    return old, new


def pop_row(x, y, n):
    rows = [[v] for v in x]
    r = rows.pop()
    r.append(y)
    rows[0].append(3.0)
    rows.append(r)
    return sum(rows[-1]), sum(rows[0])


def dict_alias(x, y, n):
    d = {}
    row = []
    for k in range(n + 2):
        d[k * 3] = row
    row.append(y)
    for k in range(n + 2):
        d[k * 3].append(x[k])
    return len(row), len(d[0])


def tuple_lists(x, y, n):
    pairs = [(k, []) for k in range(n + 2)]
    for k, v in enumerate(x):
        pairs[k % (n + 2)][1].append(v)
    return sum(k * sum(l) for k, l in pairs)


def out_of_range(x, y, n):
    rows = [[] for _ in range(n + 2)]
    rows[0].append(y)
    return rows[n][1]


def pop_empty(x, y, n):
    rows = [[] for _ in range(n + 2)]
    for v in x:
        rows[n].append(v)
    t = 0.0
    for _ in range(len(x) + n):
        t += rows[n].pop()
    return t


def caught(x, y, n):
    rows = [[] for _ in range(n + 2)]
    t = 0.0
    for k in range(4):
        try:
            rows[k].append(x[k])
        except IndexError:
            t += 1
    return t, sum(len(r) for r in rows)


def cond_cur(x, y, n):
    a, b = [], []
    for k, v in enumerate(x):
        cur = a if v > 0 else b
        cur.append(v)
        if k == 2:
            cur = []
        cur.append(9.0)
    return len(a), len(b), sum(a) - sum(b)


def edits(x, y, n):
    rows = [[] for _ in range(n + 2)]
    for k, v in enumerate(x):
        rows[k % 2].append(v)
    r = rows[n % 2]
    r.insert(1, y)
    r.sort()
    r.reverse()
    del r[0]
    r[0] = 8.0
    return r[0], r[-1], len(r), rows[n % 2][0], r == rows[n % 2], r[1:][0] if len(r) > 1 else 0.0


def three(x, y, n):
    g = [[[] for _ in range(2)] for _ in range(n + 2)]
    for k, v in enumerate(x):
        g[k % (n + 2)][k % 2].append(v)
    return sum(sum(sum(r) for r in p) for p in g) * y, len(g[0][0])


def mixed_order(x, y, n):
    ps = [P(v) for v in x]
    ps.sort(key=lambda p: p.a)
    ps[0].b = y
    ps.reverse()
    return ps[-1].b, ps[0].a


def mean_field(x, y, n):
    ps = [P(v) for v in x]
    for _ in range(n + 1):
        m = sum(p.a for p in ps) / len(ps)
        for p in ps:
            p.a += y * (m - p.a)
    return ps[n].a


def obj_in_obj(x, y, n):
    ps = [P(v) for v in x]
    h = H(ps[n])
    h.items.a = 3.0
    h.items = ps[0]
    h.items.a += 1.0
    return ps[n].a, ps[0].a


def nulls(x, y, n):
    best = None
    for v in x:
        p = P(v)
        if best is None or p.a > best.a:
            best = p
    best.b = 2.0
    return best.a, best.b


def none_attr(x, y, n):
    node = None
    for k in range(n):
        node = P(k, node)
    return node.a if node else -1


def none_error(x, y, n):
    node = None
    for k in range(n):
        node = P(float(k), node)
    return node.a


def visited(x, y, n):
    ps = [P(v, 0.0) for v in x]
    order = []
    stack = [ps[0]]
    while stack:
        p = stack.pop()
        p.b += 1.0
        if p.b < 3:
            stack.append(p)
        order.append(p)
    return len(order), order[0].b, order[0] is ps[0]


def loop_alloc_same(x, y, n):
    best = P(0.0)
    for k in range(4):
        p = P(x[k])
        if p.a > y:
            best = p
        p.b = k * 1.0
    return best.a, best.b


def grow_in_loop(x, y, n):
    rows = [[1.0, 2.0], [3.0]]
    t = 0.0
    for r in (rows[n % 2], rows[0]):
        for v in r:
            t += v
            if len(r) < 5:
                r.append(v + 1)
    return t


def len_in_loop(x, y, n):
    rows = [[] for _ in range(n + 2)]
    rows[n].append(0)
    for r in rows[n]:
        if r < 3:
            rows[n].append(r + 1)
    return len(rows[n])


def reset(x, y, n):
    rows = [[] for _ in range(n + 2)]
    for k, v in enumerate(x):
        i = k % (n + 2)
        if len(rows[i]) >= 2:
            rows[i] = []
        rows[i].append(v)
    return sum(len(r) * (k + 1) for k, r in enumerate(rows)), sum(rows[0])


def ints(x, y, n):
    rows = [[] for _ in range(n + 2)]
    for k in range(6):
        rows[k % (n + 2)].append(k)
    rows[0].append(2.5)
    return rows[0][0], rows[0][-1], rows[1][0]


def mult(x, y, n):
    rows = [[0] * k for k in range(n + 3)]
    rows[n + 1].append(4)
    rows[2][1] = 7
    return sum(sum(r) for r in rows), len(rows[n + 1])


def list_read(x, y, n):
    rows = [v for v in x]
    t = 0.0
    for k in range(8):
        try:
            t += rows[k]
        except IndexError:
            t += 100.0
    return t


def list_store(x, y, n):
    rows = [v for v in x]
    t = 0.0
    for k in range(8):
        try:
            rows[k] = y
        except IndexError:
            t += 100.0
    return t + sum(rows), rows[0]


def list_store2(x, y, n):
    rows = [v for v in x]
    t = 0.0
    for k in range(3, 8):
        try:
            rows[k] = y
        except IndexError:
            t += 100.0
    return t + sum(rows), rows[0]


def array_store(x, y, n):
    t = 0.0
    for k in range(3, 8):
        try:
            x[k] = y
        except IndexError:
            t += 100.0
    return t, x[0]


def empty_list(x, y, n):
    rows = [v for v in x if v > 50]
    t = 0.0
    for k in range(3):
        try:
            rows[k] = y
        except IndexError:
            t += 100.0
    return t, len(rows)


def empty_array(x, y, n):
    z = x[x > 50]
    t = 0.0
    for k in range(3):
        try:
            z[k] = y
        except IndexError:
            t += 100.0
    return t, len(z)


def row_read(x, y, n):
    rows = [[v] for v in x]
    t = 0.0
    rows[n].append(y)
    for k in range(8):
        try:
            t += rows[k][0]
        except IndexError:
            t += 100.0
        try:
            t += rows[n][k]
        except IndexError:
            t += 1000.0
    return t


def row_store(x, y, n):
    rows = [[v] for v in x]
    t = 0.0
    rows[n].append(y)
    for k in range(1, 8):
        try:
            rows[k][0] = 3.0
            rows[n][k] = 4.0
        except IndexError:
            t += 100.0
    return t, sum(sum(r) for r in rows), rows[0][0]


def grown_tree(x, depth, least):
    above = x > x.mean()
    if depth == 0 or above.sum() < least:
        return {"leaf": True, "value": x.mean()}
    return {"leaf": False, "at": x.mean(), "below": grown_tree(x[~above], depth - 1, least), "above": grown_tree(x[above], depth - 1, least)}


def fallen_to(node, v):
    while not node["leaf"]:
        node = node["above"] if v > node["at"] else node["below"]
    return node


def tree_of_dicts(x, y, n):
    tree = grown_tree(x, 2, n)
    return y * sum(fallen_to(tree, v)["value"] ** 2 for v in x)


def tree_of_dicts_asked(x, y, n):
    node, depth = grown_tree(x, 2, n + 1), 0
    while "below" in node:
        node = node["above"] if y > node["at"] else node["below"]
        depth += 1
    return depth, node["value"], node.get("at", y), "value" in node


def tree_of_dicts_fails(x, y, n):
    node = fallen_to(grown_tree(x, 2, 1), y)
    return node["value"] + node["at"]


def tree_of_dicts_caught(x, y, n):
    node = fallen_to(grown_tree(x, 2, n), y)
    try:
        return node["at"]
    except KeyError:
        return 2.0 * node["value"]


def tree_of_dicts_stored(x, y, n):
    tree = grown_tree(x, 2, n)
    for v in x:
        fallen_to(tree, v)["value"] += y * v
    return sum(fallen_to(tree, v)["value"] for v in x)


def forks_and_ends(x, y, n):
    end = {"kind": "end", "v": x[0]}
    fork = {"kind": "fork", "left": end, "right": {"kind": "end", "v": x[1]}, "count": n}
    top, total = {"kind": "fork", "left": fork, "right": end, "count": 3}, 0
    for v in x:
        node = top
        while node["kind"] == "fork":
            total += node["count"]
            node = node["left"] if v > y else node["right"]
        total += node["v"]
    return total


def list_of_empty_lists(x, y, n):
    made = []
    for _ in range(n):
        made.append([])  # noqa: PERF401 - in a loop
    return [[] for _ in range(n)], made, len(made)


def list_of_empty_tables(x, y, n):
    made = []
    for _ in range(n):
        made.append({})  # noqa: PERF401 - in a loop
    return made, [set() for _ in range(n)]


def list_of_empty_lists_gone_through(x, y, n):
    rows, s = [[] for _ in range(n)], 0
    if rows:
        rows[0] = []
    for row in rows:
        for v in row:
            s += v
        s += 1
    return rows[1:], s


def list_of_clusters_merged(x, y, n):
    clusters = [[v] for v in x]
    while len(clusters) > n + 1:
        best = (1e9, 0, 0)
        for i in range(len(clusters)):
            for j in range(i + 1, len(clusters)):
                d = min(abs(a - b) for a in clusters[i] for b in clusters[j])
                if d < best[0]:
                    best = (d, i, j)
        _, i, j = best
        clusters[i] = clusters[i] + clusters[j]
        del clusters[j]
    return [sum(c) for c in clusters], len(clusters[0])
