# ruff: noqa: ARG001, B007, D, PERF402, PLR, SIM, C4, FURB, B
"""Programs with dicts and sets in dicts, lists and objects, whose keys only the run knows: f(x, y, n, edges) of floats, a float, a small int and pairs of ints."""
import heapq
import math
from collections import Counter, OrderedDict, defaultdict, deque

import numpy as np


def graph_of_dicts(x, y, n, edges):
    graph = {}
    for k, (u, v) in enumerate(edges):
        u, v = int(u), int(v)
        w = abs(x[k % len(x)]) + 0.1
        if u not in graph:
            graph[u] = {}
        if v not in graph:
            graph[v] = {}
        graph[u][v] = w
        graph[v][u] = w
    dist = {u: math.inf for u in graph}
    dist[0] = 0.0
    heap = [(0.0, 0)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > dist[u]:
            continue
        for v, w in graph[u].items():
            if d + w < dist[v]:
                dist[v] = d + w
                heapq.heappush(heap, (d + w, v))
    return sum(d * y for d in dist.values() if d < math.inf)


def prim(x, y, n, edges):
    graph = defaultdict(dict)
    for k, (u, v) in enumerate(edges):
        graph[int(u)][int(v)] = x[k % len(x)] ** 2 + 0.5
        graph[int(v)][int(u)] = x[k % len(x)] ** 2 + 0.5
    seen = {0}
    heap = [(w, v) for v, w in graph[0].items()]
    heapq.heapify(heap)
    total = 0.0
    while heap:
        w, u = heapq.heappop(heap)
        if u in seen:
            continue
        seen.add(u)
        total += w * y
        for v, w in graph[u].items():
            if v not in seen:
                heapq.heappush(heap, (w, v))
    return total


def neighbour_sets(x, y, n, edges):
    near = defaultdict(set)
    for u, v in edges:
        near[int(u)].add(int(v))
        near[int(v)].add(int(u))
    shared = 0
    for u in sorted(near):
        for v in sorted(near[u]):
            shared += len(near[u] & near[v])
    return shared, {u: len(s) for u, s in near.items()}


def returned_sets(x, y, n, edges):
    near = {}
    for u, v in edges:
        near.setdefault(int(u), set()).add(int(v))
    return near


def returned_dicts(x, y, n, edges):
    near = {}
    for k, (u, v) in enumerate(edges):
        near.setdefault(int(u), {})[int(v)] = x[k % len(x)] * y
    return near


def returned_defaults(x, y, n, edges):
    counts = defaultdict(Counter)
    for u, v in edges:
        counts[int(u)][int(v)] += 1
    return counts


def returned_lists(x, y, n, edges):
    near = defaultdict(list)
    for k, (u, v) in enumerate(edges):
        near[int(u)].append((int(v), x[k % len(x)]))
    return near


def sets_in_a_list(x, y, n, edges):
    near = [set() for _ in range(n + 5)]
    for u, v in edges:
        near[u].add(int(v))
        near[v].add(int(u))
    return [len(s) for s in near], [sorted(s) for s in near]


def dicts_in_a_list(x, y, n, edges):
    rows = [{} for _ in range(n + 5)]
    for k, (u, v) in enumerate(edges):
        rows[u][int(v)] = rows[u].get(int(v), 0.0) + x[k % len(x)]
    z = np.zeros(n + 5)
    for i, row in enumerate(rows):
        for j, w in row.items():
            z[i] += w * y * (j + 1)
    return z


def deleted_keys(x, y, n, edges):
    table = defaultdict(dict)
    for k, (u, v) in enumerate(edges):
        table[int(u)][int(v)] = x[k % len(x)]
    for u, v in edges:
        if (u + v) % 2 and int(v) in table[int(u)]:
            del table[int(u)][int(v)]
    for u, v in edges:
        if u > 0:
            table[int(u)][int(v)] = y
    return [(u, list(row), sum(row.values())) for u, row in table.items()]


def rebound_rows(x, y, n, edges):
    table = {}
    for k, (u, v) in enumerate(edges):
        if u not in table or k % 3 == 2:
            table[int(u)] = {}
        table[int(u)][int(v)] = k
    return table


def row_is_the_same(x, y, n, edges):
    table = defaultdict(dict)
    for u, v in edges:
        row = table[int(u)]
        row[int(v)] = len(row)
        other = table[int(v)]
        other[int(u)] = -len(other)
    return table[0], len(table)


def missing_key(x, y, n, edges):
    table = {}
    for u, v in edges:
        table.setdefault(int(u), {})[int(v)] = 1
    return table[0][n + 3]


def popped(x, y, n, edges):
    table = defaultdict(dict)
    for k, (u, v) in enumerate(edges):
        table[int(u)][int(v)] = x[k % len(x)]
    row = table[0]
    a = row.pop(2, 7.5)
    b = row.pop(n + 40, -1.0)
    return a, b, sorted(row), len(row)


def pop_items(x, y, n, edges):
    table = defaultdict(dict)
    for k, (u, v) in enumerate(edges):
        table[int(u)][int(v)] = x[k % len(x)]
    found = []
    while table[0]:
        found.append(table[0].popitem())
    return found


def cleared(x, y, n, edges):
    table = defaultdict(dict)
    for k, (u, v) in enumerate(edges):
        if k == 3:
            table[int(u)].clear()
        table[int(u)][int(v)] = k
    return {u: list(row.items()) for u, row in table.items()}


def grows_while_gone_through(x, y, n, edges):
    table = defaultdict(dict)
    for k, (u, v) in enumerate(edges):
        table[int(u)][int(v)] = k
    for v in table[0]:
        if v == n:
            table[0][v + 50] = 1
    return len(table[0])


def others_change_meanwhile(x, y, n, edges):
    near = defaultdict(dict)
    for k, (u, v) in enumerate(edges):
        near[int(u)][int(v)] = 1
        near[int(v)][int(u)] = 1
    for v in near[0]:
        near[v].pop(0, None)
    return [(u, list(row)) for u, row in near.items()]


def values_change_meanwhile(x, y, n, edges):
    near = defaultdict(dict)
    for k, (u, v) in enumerate(edges):
        near[int(u)][int(v)] = x[k % len(x)]
    for row in near.values():
        for v in row:
            row[v] *= y
    return sum(w * (u + 1) for u, row in near.items() for w in row.values())


def trie_of_dicts(x, y, n, edges):
    root = {}
    for u, v in edges:
        node = root
        for part in (int(u), int(v), int(u + v)):
            node = node.setdefault(part, {})
    return len(root), sum(len(child) for child in root.values())


class Node:
    def __init__(self):
        self.children = {}
        self.weight = 0.0


def trie_of_objects(x, y, n, edges):
    root = Node()
    for k, (u, v) in enumerate(edges):
        node = root
        for part in (int(u), int(v)):
            if part not in node.children:
                node.children[part] = Node()
            node = node.children[part]
            node.weight += x[k % len(x)] * y
    total, stack = 0.0, [root]
    while stack:
        node = stack.pop()
        total += node.weight ** 2
        for child in node.children.values():
            stack.append(child)  # noqa: PERF402
    return total


class Graph:
    def __init__(self):
        self.near = defaultdict(set)
        self.weight = {}

    def connect(self, u, v, w):
        self.near[u].add(v)
        self.near[v].add(u)
        self.weight[u, v] = self.weight[v, u] = w


def graph_object(x, y, n, edges):
    graph = Graph()
    for k, (u, v) in enumerate(edges):
        graph.connect(int(u), int(v), x[k % len(x)])
    seen, queue, total = {0}, deque([0]), 0.0
    while queue:
        u = queue.popleft()
        for v in sorted(graph.near[u]):
            if v not in seen:
                seen.add(v)
                queue.append(v)
                total += graph.weight[u, v] * y
    return total, len(seen)


def followers(x, y, n, edges):
    follows = {}
    for u, v in edges:
        if u not in follows:
            follows[int(u)] = set()
        follows[int(u)].add(int(v))
    common = 0
    for a in follows:
        for b in follows:
            if a < b:
                common += len(follows[a].intersection(follows[b]))
                common += len(follows[a] | follows[b]) * 10
    return common


def groups_of_sets(x, y, n, edges):
    groups = {}
    for k in range(len(x)):
        groups.setdefault(math.floor(x[k]), set()).add(k)
    return {g: max(members) for g, members in groups.items()}, sum(min(m) for m in groups.values())


def set_tests(x, y, n, edges):
    near = defaultdict(set)
    for u, v in edges:
        near[int(u)].add(int(v))
    return near[0] <= near[1], near[0].isdisjoint(near[2]), near[0] == near[0], near[0] != near[1], sorted(near[0] - near[1]), sorted(near[0] ^ near[1])


def transposed(x, y, n, edges):
    rows = {}
    for k, (i, j) in enumerate(edges):
        rows.setdefault(int(i), {})[int(j)] = x[k % len(x)] + y
    columns = {}
    for i, row in rows.items():
        for j, value in row.items():
            columns.setdefault(j, {})[i] = value
    return columns


def matrix_product(x, y, n, edges):
    a, b = defaultdict(dict), defaultdict(dict)
    for k, (i, j) in enumerate(edges):
        a[int(i)][int(j)] = x[k % len(x)]
        b[int(j)][int(i)] = y * x[(k + 1) % len(x)]
    c = defaultdict(lambda: defaultdict(float))
    for i, row in a.items():
        for k, value in row.items():
            if k in b:
                for j, other in b[k].items():
                    c[i][j] += value * other
    return sum(value for row in c.values() for value in row.values())


def markov_counts(x, y, n, edges):
    counts = defaultdict(lambda: defaultdict(int))
    state = 0
    for v in x:
        following = (state + int(abs(v) * 3)) % (n + 2)
        counts[state][following] += 1
        state = following
    return {s: {t: c / sum(row.values()) for t, c in row.items()} for s, row in counts.items()}


def two_keys_of_floats(x, y, n, edges):
    table = {}
    for k in range(len(x)):
        table.setdefault(round(x[k]), {})[round(x[k] * 2)] = x[k]
    best = max(table, key=lambda key: len(table[key]))
    return best, len(table[best])


def nested_get(x, y, n, edges):
    table = {}
    for k, (u, v) in enumerate(edges):
        table.setdefault(int(u), {}).setdefault(int(v), []).append(x[k % len(x)])
    return sum(sum(values) * y for row in table.values() for values in row.values()), len(table.get(0, {}))


def copied_rows(x, y, n, edges):
    table = defaultdict(dict)
    for k, (u, v) in enumerate(edges):
        table[int(u)][int(v)] = k
    before = dict(table[0])
    copied = table[1].copy()
    table[0][77] = 1
    table[1][78] = 1
    return len(before), len(copied), len(table[0]), len(table[1]), sorted(before.items())


def ordered_rows(x, y, n, edges):
    table = {}
    for k, (u, v) in enumerate(edges):
        table.setdefault(int(u), OrderedDict())[int(v)] = k
        table[int(u)].move_to_end(int(v))
    return [(u, list(row.items())) for u, row in table.items()]


def words_by_letter(x, y, n, edges):
    index = defaultdict(lambda: defaultdict(list))
    for k, (u, v) in enumerate(edges):
        index[int(u) % 2][int(v) % 3].append(k)
    return [(a, b, len(c), c[0]) for a, row in index.items() for b, c in row.items()]


def lru_of_lru(x, y, n, edges):
    caches = {}
    hits = 0
    for u, v in edges:
        cache = caches.setdefault(int(u), OrderedDict())
        if int(v) in cache:
            hits += 1
            cache.move_to_end(int(v))
        else:
            cache[int(v)] = True
            if len(cache) > n:
                cache.popitem(last=False)
    return hits, {u: list(c) for u, c in caches.items()}


def counters_by_group(x, y, n, edges):
    counts = defaultdict(Counter)
    for u, v in edges:
        counts[int(u)][int(v) % 2] += 1
    return [(u, c.most_common(1)[0]) for u, c in counts.items()], sum(c.total() for c in counts.values())


def colouring(x, y, n, edges):
    near = defaultdict(set)
    for u, v in edges:
        near[int(u)].add(int(v))
        near[int(v)].add(int(u))
    colour = {}
    for u in sorted(near, key=lambda k: (-len(near[k]), k)):
        used = {colour[v] for v in sorted(near[u]) if v in colour}
        c = 0
        while c in used:
            c += 1
        colour[u] = c
    return colour


def tuple_keys_inside(x, y, n, edges):
    table = defaultdict(dict)
    for k, (u, v) in enumerate(edges):
        table[int(u)][int(v), k % 2] = x[k % len(x)]
    return sum((a + 2 * b) * w * y for row in table.values() for (a, b), w in row.items())


def helper_changes_a_row(x, y, n, edges):
    def put(row, key, value):
        row[key] = row.get(key, 0.0) + value

    table = defaultdict(dict)
    for k, (u, v) in enumerate(edges):
        put(table[int(u)], int(v), x[k % len(x)])
    return sum(w * y for row in table.values() for w in row.values())


def one_of_two_rows(x, y, n, edges):
    left, right = {}, {}
    for k, (u, v) in enumerate(edges):
        row = left if x[k % len(x)] > 0 else right
        row[int(v)] = row.get(int(v), 0) + 1
    return left, right


def stack_of_scopes(x, y, n, edges):
    scopes = [{}]
    found = []
    for k, (u, v) in enumerate(edges):
        if u > v:
            scopes.append({})
        elif u % 2 == 0 and len(scopes) > 1:
            scopes.pop()
        scopes[-1][int(v)] = k
        for scope in reversed(scopes):
            if int(u) in scope:
                found.append(scope[int(u)])
                break
    return found, len(scopes)
