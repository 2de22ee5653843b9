"""More programs with lists, dicts, sets and deques of run-time length. Their parameters' names say what they get, as in `container_programs`."""
# ruff: noqa: B007, E741, RET504, PLR1714, C419, C411, E704, E701, E702, C400, C416, PERF401, PERF402, B023, UP028, SIM, PLR
import copy
import heapq
from collections import deque
from itertools import chain, combinations, pairwise

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


def sort_found(x, n):
    """Of a comprehension with two fors, by which items are columns; sorted() makes rows of them."""
    found = [(int(v * 3), i - n, j) for i, v in enumerate(x) for j in range(3) if v > -0.5]
    found.sort(key=lambda t: (-t[0], t[1], t[2]))
    return found


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


def columns_of_chosen_rows(x):
    """Rows of which only the run knows which one stands where."""
    rows = [[a * k for k in range(3)] for a in x]
    top = int(np.argmax(x))
    rows[0], rows[top] = rows[top], rows[0]
    return [sum(c) for c in zip(*rows)], [[sum(a * b for a, b in zip(r, c)) for c in zip(*rows)] for r in rows[:2]]


def columns_of_rows_of_any_length(x):
    rows, none = [], []
    for a in x:
        rows.append([a * k for k in range(int(abs(a) * 3) + 1)])
        if a > 1e3:
            none.append([a * k for k in range(int(a))])
    return [max(c) for c in zip(*rows)], [sum(c) for c in zip(*none)], [len(r) for r in rows]


def columns_of_rows_that_change(x):
    """A zip is of the rows as they are when it is gone through: refused, where the run decides which have changed."""
    rows = [[a * k for k in range(3)] for a in x]
    top = int(np.argmax(x))
    rows[0], rows[top] = rows[top], rows[0]
    columns = zip(*rows)
    rows[top][1] = 7.0
    return [sum(c) for c in columns]


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


def dict_lists_in_list(x, n):
    cells = []
    for i in range(n+2):
        cells.append({"pts": [], "w": 0.0})
    for i, a in enumerate(x):
        c = cells[i % (n+2)]
        c["pts"].append(a)
        c["w"] += a
    return [len(c["pts"]) for c in cells], [c["w"] for c in cells]


def records_changed(x, n):
    recs = []
    for i in range(n + 2):
        recs.append({"id": i, "v": x[i], "tags": []})
    for r in recs:
        r["v"] += 1.0
        r["tags"].append(r["id"])
    recs[n]["v"] = 9.0
    best = max(recs, key=lambda r: r["v"])
    best["v"] *= 2
    return recs, best["id"], [r["v"] for r in recs], len(best), "v" in best, "w" in best, best.get("w", 3.0)


def particles_in_dicts(x):
    parts = [{"pos": a, "vel": 0.0} for a in x]
    for _ in range(3):
        for p in parts:
            p["vel"] -= 0.1 * p["pos"]
            p["pos"] += 0.1 * p["vel"]
    return sum(p["pos"] ** 2 for p in parts)


def accounts_exchanged(x, n):
    accounts = []
    for a in x:
        accounts.append(dict(balance=a, n=0))
    accounts[0]["balance"], accounts[n]["balance"] = accounts[n]["balance"], accounts[0]["balance"]
    accounts[n].update(n=5)
    return [d["balance"] for d in accounts], accounts[n], sum(d["n"] for d in accounts)


def records_sorted(x, n):
    recs = [{"k": i % 2, "v": a} for i, a in enumerate(x)]
    recs.sort(key=lambda r: (r["k"], r["v"]))
    recs[0]["v"] = 0.0
    out = []
    for r in recs:
        for key, val in r.items():
            if key == "v":
                out.append(val)
    return out, list(recs[0].keys()), recs[0]


def one_record_or_another(x, n):
    a = {"v": x[0], "w": 1.0}
    b = {"v": x[1], "w": 2.0}
    c = a if n > 1 else b
    c["v"] += 10.0
    return a["v"], b["v"], a, b


def record_with_new_key(x, n):
    recs = []
    for i in range(n + 1):
        recs.append({"v": x[i]})
    recs[0]["new"] = 1.0
    return recs[0]["new"]


def linked_dicts(x, n):
    nodes = []
    for i in range(n + 2):
        nodes.append({"val": x[i], "next": None})
    for i in range(n + 1):
        nodes[i]["next"] = nodes[i + 1]
    cur = nodes[0]
    s = 0.0
    while cur is not None:
        s += cur["val"]
        cur = cur["next"]
    return s


def dicts_in_records(x, n):
    recs = []
    for i in range(n + 2):
        recs.append({"p": {"x": x[i], "y": 0.0}, "name": "ab"})
    for r in recs:
        r["p"]["y"] += r["p"]["x"]
    return [r["p"]["y"] for r in recs], recs[0]["p"], recs[-1]["name"]


def records_filtered(x, n):
    recs = []
    for i in range(n + 2):
        r = {"i": i, "v": x[i], "ok": x[i] > 0, "name": "p" if x[i] > 0 else "q"}
        recs.append(r)
        r["v"] += 1
    good = [r for r in recs if r["ok"]]
    for r in good:
        r["v"] = 0.0
    return [r["v"] for r in recs], [r["name"] for r in recs], len(good)


def record_used_as_dict(x, n):
    recs = []
    for i in range(n + 2):
        recs.append({"a": x[i], "b": i})
    recs[n]["a"] = 2.0
    d = recs[n]
    e = dict(d)
    e["a"] = 7.0
    f = d.copy()
    f["b"] += 1
    g = copy.copy(d)
    return isinstance(d, dict), len(d), list(d), sorted(d), e, f, g == d, d == {"a": 2.0, "b": n}, {**d, "c": 1}, d is recs[n], sum(d.values()), dict(d, b=4)


def record_without_key(x, n):
    recs = []
    for i in range(n + 2):
        recs.append({"a": x[i], "b": i})
    recs[0]["a"] += 1.0
    recs[n]["zz"]
    return recs


def records_moved(x, n):
    recs = []
    for i in range(n + 2):
        recs.append({"a": x[i], "b": i})
    for r in recs:
        r["a"] = r["a"] ** 2
    del recs[0]
    recs.append({"a": 3.0, "b": -1})
    recs.insert(0, {"a": x[0], "b": -2})
    recs[0]["b"] = 5
    return [r["a"] * r["b"] for r in recs], recs[::-1][0], len(recs)


def cells_counted(x, n):
    cells = [{"v": 0.0, "hits": 0} for _ in range(n + 2)]
    for a in x:
        c = cells[int(abs(a)) % (n + 2)]
        c["v"] += a
        c["hits"] += 1
    return sum(c["v"] * c["hits"] for c in cells), cells


def groups_of_records(x, n):
    groups = {}
    for i, a in enumerate(x):
        g = groups.setdefault(i % 2, {"sum": 0.0, "n": 0})
        g["sum"] += a
        g["n"] += 1
    return {k: g["sum"] / g["n"] for k, g in groups.items()}


def table_of_records(x, n):
    table = {}
    for i, a in enumerate(x):
        k = i % (n + 1)
        if k not in table:
            table[k] = {"lo": a, "hi": a, "all": []}
        t = table[k]
        t["lo"] = min(t["lo"], a)
        t["hi"] = max(t["hi"], a)
        t["all"].append(a)
    return [(k, t["lo"], t["hi"], len(t["all"])) for k, t in sorted(table.items())]


def events_by_kind(x, n):
    q = [{"t": abs(a), "kind": "in"} for a in x]
    log = []
    for e in q:
        if e["t"] > 1:
            e["kind"] = "late"
        log.append(e["kind"])
    return log, [e["t"] for e in q if e["kind"] == "late"]


def greatest_removed(v):
    w = [a * 2 for a in v]
    w.remove(max(w))
    w.remove(w[0])
    v.remove(min(v))
    return w, v, v.count(1.0)


def record_found_or_made(k, n):
    inv = []
    for a in k:
        found = None
        for it in inv:
            if it["key"] == a:
                found = it
        if found is None:
            inv.append({"key": int(a), "count": 1})
        else:
            found["count"] += 1
    return [(it["key"], it["count"]) for it in inv]


def tuples_joined(x):
    t = tuple(a for a in x if a > 0)
    u = (1.0, 2.0) + t + t[1:]
    t += t
    return len(t), sum(u), len(u), u == u + (), t < u


# ---- which list it is that a function gives ----------------------------------------------------------------------------------------


def huffman(x):
    counts = {"a": 5, "b": 2, "c": 1}
    todo = [[count, [letter, ""]] for letter, count in counts.items()]
    heapq.heapify(todo)
    while len(todo) > 1:
        low, high = heapq.heappop(todo), heapq.heappop(todo)
        for pair in low[1:]:
            pair[1] = "0" + pair[1]
        for pair in high[1:]:
            pair[1] = "1" + pair[1]
        heapq.heappush(todo, [low[0] + high[0], *low[1:], *high[1:]])
    return x[0] * sum(counts[letter] * len(code) for letter, code in todo[0][1:]), todo


def the_least_itself(x):
    rows, pairs = [[3, "c"], [1, "a"], [2, "b"]], [(2, [1]), (1, [2])]
    min(rows)[1] += "z"
    max(*rows)[1] += "y"
    min(pairs)[1].append(5)
    max(pairs, default=None)[1].append(6)
    return rows, pairs, x[0]


def summed_lists(x):
    rows = [[[1]], [[2]]]
    both, start = sum(rows, []), [3]
    both[0].append(4)
    sum([], start).append(5)
    return rows, start, x[0]


def through_lists_that_change(x):
    one, two = [[1], [2]], [[3]]
    for item in chain(one, two):
        item.append(x[0])
    for before, behind in pairwise(one):
        behind[0] += before[0]
    for first, second in combinations([*one, *two], 2):
        first.append(second[0])
    return one, two


class Body:
    def __init__(self, place):
        self.place, self.force = place, 0.0


def forces_between(x):
    bodies = [Body(place) for place in x[:3]]
    for one, two in combinations(bodies, 2):
        apart = two.place - one.place
        one.force += apart
        two.force -= apart
    return [body.force for body in bodies]


def printed_containers(x):
    waiting = deque([x[0], x[1]], maxlen=3)
    found = {"a": x[0], 2: [x[1], {"b": (x[2],)}], (1, "c"): float(x[0])}
    print(waiting, deque(waiting), found, f"{found} {waiting!r}")
    return x[0]


def printed_containers_that_hold_themselves(x):
    numbers, known = [float(x[0])], [1]
    numbers.append(numbers)
    known.append(known)
    found = {"a": float(x[1]), "n": numbers, "k": known}
    found["d"], found["l"] = found, [found]
    waiting = deque([float(x[2])])
    waiting.append(waiting)
    held = [float(x[2])]
    pair = (held, 1)
    held.append(pair)
    print(numbers, known, found, waiting, pair, repr(known), str(found))
    numbers[1][1][0] = x[1]
    return numbers[0] + len(known[1][1])


def rising_paths(x):
    edges = [[j for j in range(i + 1, len(x)) if x[i] < x[j]] for i in range(len(x))]
    stack = [[0]]
    out = []
    while stack:
        path = stack.pop()
        if not edges[path[-1]]:
            out.append(path)
        for j in edges[path[-1]]:
            stack.append(path + [j])
    return out


def largest_subset(x, y):
    stack = [(0, 0.0, [])]
    best = []
    while stack:
        i, total, chosen = stack.pop()
        if i == len(x):
            if len(chosen) > len(best):
                best = chosen
            continue
        stack.append((i + 1, total, chosen))
        if total + x[i] < y:
            stack.append((i + 1, total + x[i], chosen + [i]))
    return best


def permutations_on_a_stack(x):
    n = min((x > 0).sum(), 4)
    stack = [[]]
    count, top = 0, -9.0
    while stack:
        order = stack.pop()
        if len(order) == n:
            count += 1
            top = max(top, sum(x[v] * k for k, v in enumerate(order)))
        else:
            for k in range(n):
                if k not in order:
                    stack.append(order + [k])
    return count, top + 0.0


def paths_that_two_items_share(x):
    n = (x > 0).sum()
    stack = [(0, [])]
    out = []
    while stack:
        c, path = stack.pop()
        if c < n:
            longer = path + [c]
            if c % 2:
                stack.append((c + 2, longer))
            stack.append((c + 1, longer))
            longer.append(-1)
        else:
            out.append(path)
    return out


def partitions_on_a_stack(k):
    n = k.max() % 5 + 2
    left = [(n, n, [])]
    out = []
    while left:
        rest, top, parts = left.pop()
        if rest == 0:
            out.append(parts)
            continue
        for part in range(1, min(rest, top) + 1):
            left.append((rest - part, part, parts + [part]))
    return [len(parts) for parts in out], out[-1][0]
