"""Small programs as a student or a scientist writes them, of an array x, a number y, a count n and the edges of a graph, an array of pairs of its nodes."""
# ruff: noqa: B007, E741, A002, PLR1730, F401, UP028
from __future__ import annotations

import bisect
import functools
import heapq
import itertools
import math
import operator
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import NamedTuple

import numpy as np

# ---- graphs --------------------------------------------------------------------------------------------------------------------------


def adjacency_degrees(x, y, n, edges):
    adj = [[] for _ in range(n + 4)]
    for u, v in edges:
        adj[u].append(v)
        adj[v].append(u)
    total = 0
    for k, row in enumerate(adj):
        total += (k + 1) * len(row)
    return total


def adjacency_sums(x, y, n, edges):
    adj = defaultdict(list)
    for u, v in edges:
        adj[int(u)].append(int(v))
    total = 0.0
    for u in adj:
        for v in adj[u]:
            total += x[u % len(x)] * x[v % len(x)] * y
    return total


def breadth_first(x, y, n, edges):
    adj = [[] for _ in range(n + 4)]
    for u, v in edges:
        adj[u].append(v)
        adj[v].append(u)
    dist = [-1] * (n + 4)
    dist[0] = 0
    queue = deque([0])
    while queue:
        u = queue.popleft()
        for v in adj[u]:
            if dist[v] < 0:
                dist[v] = dist[u] + 1
                queue.append(v)
    return sum(dist), dist[n]


def breadth_first_levels(x, y, n, edges):
    adj = defaultdict(list)
    for u, v in edges:
        adj[u].append(v)
        adj[v].append(u)
    seen = {0}
    frontier = [0]
    levels = 0
    while frontier:
        nxt = []
        for u in frontier:
            for v in adj[u]:
                if v not in seen:
                    seen.add(v)
                    nxt.append(v)
        frontier = nxt
        levels += 1
    return levels, len(seen)


def depth_first_stack(x, y, n, edges):
    graph = {}
    for a, b in edges:
        graph.setdefault(a, []).append(b)
        graph.setdefault(b, []).append(a)
    seen, order, stack = set(), [], [0]
    while stack:
        u = stack.pop()
        if u in seen:
            continue
        seen.add(u)
        order.append(u)
        for v in graph.get(u, []):
            if v not in seen:
                stack.append(v)
    return len(order), sum(k * int(u) for k, u in enumerate(order))


def dijkstra_weights(x, y, n, edges):
    graph = defaultdict(list)
    for k, (u, v) in enumerate(edges):
        w = 0.5 + x[k % len(x)] ** 2 * y * y
        graph[int(u)].append((int(v), w))
        graph[int(v)].append((int(u), w))
    best = {0: 0.0}
    heap = [(0.0, 0)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > best[u]:
            continue
        for v, w in graph[u]:
            if v not in best or d + w < best[v]:
                best[v] = d + w
                heapq.heappush(heap, (d + w, v))
    return sum(best.values())


def dijkstra_arrays(x, y, n, edges):
    m = n + 4
    dist = np.full(m, np.inf)
    dist[0] = 0.0
    heap = [(0.0, 0)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > dist[u]:
            continue
        for k in range(len(edges)):
            a, b = edges[k]
            w = 1.0 + x[k % len(x)] ** 2 * y * y
            if a == u and d + w < dist[b]:
                dist[b] = d + w
                heapq.heappush(heap, (dist[b], b))
    return np.sum(dist[np.isfinite(dist)])


def topological_order(x, y, n, edges):
    m = n + 4
    out = {k: [] for k in range(m)}
    degree = [0] * m
    for u, v in edges:
        if u < v:
            out[u].append(v)
            degree[v] += 1
    ready = deque(k for k in range(m) if degree[k] == 0)
    order = []
    while ready:
        u = ready.popleft()
        order.append(u)
        for v in out[u]:
            degree[v] -= 1
            if degree[v] == 0:
                ready.append(v)
    return len(order), order[-1], order


def union_find(x, y, n, edges):
    parent = list(range(n + 4))

    def find(a):
        while parent[a] != a:
            parent[a] = parent[parent[a]]
            a = parent[a]
        return a

    for u, v in edges:
        ru, rv = find(u), find(v)
        if ru != rv:
            parent[ru] = rv
    return len({find(k) for k in range(n + 4)})


class DisjointSets:
    def __init__(self, count):
        self.parent = list(range(count))
        self.size = [1] * count

    def find(self, a):
        while self.parent[a] != a:
            a = self.parent[a]
        return a

    def join(self, a, b):
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        if self.size[a] < self.size[b]:
            a, b = b, a
        self.parent[b] = a
        self.size[a] += self.size[b]
        return True


def kruskal(x, y, n, edges):
    sets = DisjointSets(n + 4)
    weights = [(x[k % len(x)] * y + 3.0 + k, int(u), int(v)) for k, (u, v) in enumerate(edges)]
    total = 0.0
    for w, u, v in sorted(weights):
        if sets.join(u, v):
            total += w
    return total


def components_by_groups(x, y, n, edges):
    label = np.arange(n + 4)
    for _ in range(n + 4):
        for u, v in edges:
            low = min(label[u], label[v])
            label[u] = low
            label[v] = low
    groups = defaultdict(list)
    for k, l in enumerate(label):
        groups[int(l)].append(k)
    return sorted(len(g) for g in groups.values())


def degrees_by_counter(x, y, n, edges):
    count = Counter()
    for u, v in edges:
        count[int(u)] += 1
        count[int(v)] += 1
    return max(count.values()), len(count)


def neighbours_as_sets(x, y, n, edges):
    near = {k: set() for k in range(n + 4)}
    for u, v in edges:
        near[u].add(v)
        near[v].add(u)
    triangles = 0
    for u, v in edges:
        for w in range(n + 4):
            if w in near[u] and w in near[v]:
                triangles += 1
    return triangles


def page_rank(x, y, n, edges):
    m = n + 4
    links = [[] for _ in range(m)]
    for u, v in edges:
        links[u].append(v)
    rank = np.ones(m) / m
    for _ in range(5):
        new = np.full(m, 0.15 * y * y / m)
        for u in range(m):
            for v in links[u]:
                new[v] += 0.85 * rank[u] / len(links[u])
        rank = new
    return np.sum(rank * rank)


def path_back(x, y, n, edges):
    m = n + 4
    before = [None] * m
    seen = [False] * m
    seen[0] = True
    front = [0]
    while front:
        u = front.pop(0)
        for a, b in edges:
            if a == u and not seen[b]:
                seen[b] = True
                before[b] = u
                front.append(int(b))
    return sum(seen)


def floyd_warshall(x, y, n, edges):
    m = n + 4
    d = [[math.inf] * m for _ in range(m)]
    for k in range(m):
        d[k][k] = 0.0
    for k, (u, v) in enumerate(edges):
        d[u][v] = min(d[u][v], 1.0 + x[k % len(x)] ** 2)
    for k in range(m):
        for i in range(m):
            for j in range(m):
                if d[i][k] + d[k][j] < d[i][j]:
                    d[i][j] = d[i][k] + d[k][j]
    return sum(v for row in d for v in row if v < math.inf) * y


def greedy_colouring(x, y, n, edges):
    m = n + 4
    adj = [set() for _ in range(m)]
    for u, v in edges:
        if u != v:
            adj[u].add(v)
            adj[v].add(u)
    colour = [-1] * m
    for u in range(m):
        used = {colour[v] for v in adj[u]}
        c = 0
        while c in used:
            c += 1
        colour[u] = c
    return max(colour) + 1, sum(colour)


# ---- groups and tables ---------------------------------------------------------------------------------------------------------------


def groups_by_floor(x, y, n, edges):
    groups = {}
    for v in x:
        groups.setdefault(int(v * 2), []).append(v)
    return sum(max(g) * len(g) for g in groups.values()) * y


def group_means(x, y, n, edges):
    groups = defaultdict(list)
    for k, v in enumerate(x):
        groups[k % (n + 1)].append(v * y)
    means = {k: sum(g) / len(g) for k, g in groups.items()}
    return sum(means[k] * k for k in means)


def buckets_in_lists(x, y, n, edges):
    buckets = [[] for _ in range(4)]
    for v in x:
        buckets[min(max(int(v + 2), 0), 3)].append(v)
    total = 0.0
    for k, bucket in enumerate(buckets):
        for v in bucket:
            total += (k + 1) * v
    return total * y


def bucket_sort(x, y, n, edges):
    buckets = [[] for _ in range(n + 2)]
    low, high = x.min(), x.max()
    for v in x:
        k = min(int((v - low) / (high - low + 1e-9) * (n + 2)), n + 1)
        buckets[k].append(v)
    out = []
    for bucket in buckets:
        bucket.sort()
        out.extend(bucket)
    return np.array(out) * y


def triangle_of_pascal(x, y, n, edges):
    rows = [[1]]
    for k in range(n + 2):
        last = rows[-1]
        rows.append([1] + [last[j] + last[j + 1] for j in range(len(last) - 1)] + [1])
    return sum(rows[-1]), rows[-1][1]


def ragged_rows(x, y, n, edges):
    rows = []
    for k in range(n + 1):
        row = []
        for j in range(k + 1):
            row.append(x[j % len(x)] * y)
        rows.append(row)
    return sum(sum(row) for row in rows), len(rows[-1])


def row_is_an_alias(x, y, n, edges):
    rows = [[] for _ in range(n + 1)]
    last = rows[-1]
    for v in x:
        last.append(v)
    rows[0].append(y)
    return len(last), sum(rows[n])


def word_counts(x, y, n, edges):
    words = ["a", "b", "a", "c", "b", "a"]
    counts = {}
    for w in words:
        counts[w] = counts.get(w, 0) + 1
    return counts["a"] * y + counts["b"]


def text_keys(x, y, n, edges):
    totals = {"low": 0.0, "high": 0.0}
    for v in x:
        key = "high" if v > y else "low"
        totals[key] += v
    return totals["low"] - 2 * totals["high"]


def text_keys_counted(x, y, n, edges):
    counts = {}
    for v in x:
        if v > 0.5:
            kind = "big"
        elif v > 0:
            kind = "small"
        else:
            kind = "negative"
        counts[kind] = counts.get(kind, 0) + 1
    return counts.get("big", 0) * 100 + counts.get("small", 0) * 10 + counts.get("negative", 0)


def text_groups(x, y, n, edges):
    groups = defaultdict(list)
    for v in x:
        groups["up" if v > 0 else "down"].append(v * y)
    return sum(groups["up"]) - len(groups["down"])


def inverted_index(x, y, n, edges):
    index = {}
    for row in range(len(edges)):
        for item in edges[row]:
            if item not in index:
                index[item] = []
            index[item].append(row)
    return sum(len(rows) * int(item) for item, rows in index.items())


def nested_counts(x, y, n, edges):
    table = {}
    for u, v in edges:
        table.setdefault(u, {})
        table[u][v] = table[u].get(v, 0) + 1
    return sum(c for row in table.values() for c in row.values()), len(table)


def nested_defaults(x, y, n, edges):
    table = defaultdict(lambda: defaultdict(float))
    for k, (u, v) in enumerate(edges):
        table[int(u)][int(v)] += x[k % len(x)] * y
    total = 0.0
    for u, row in table.items():
        for v, w in row.items():
            total += (u + 1) * (v + 2) * w
    return total


def sparse_product(x, y, n, edges):
    rows = defaultdict(dict)
    for k, (u, v) in enumerate(edges):
        rows[int(u)][int(v)] = x[k % len(x)]
    z = np.linspace(0.1, 1.0, n + 4) * y
    out = np.zeros(n + 4)
    for i in rows:
        for j, w in rows[i].items():
            out[i] += w * z[j]
    return np.sum(out ** 2)


def sparse_pairs(x, y, n, edges):
    a = {}
    for k, (u, v) in enumerate(edges):
        a[int(u), int(v)] = a.get((int(u), int(v)), 0.0) + x[k % len(x)]
    b = {}
    for (i, k), v in a.items():
        for (k2, j), w in a.items():
            if k == k2:
                b[i, j] = b.get((i, j), 0.0) + v * w
    return sum(b.values()) * y


def compressed_rows(x, y, n, edges):
    m = n + 4
    rows = [[] for _ in range(m)]
    for k, (u, v) in enumerate(edges):
        rows[u].append((v, x[k % len(x)]))
    indptr, indices, data = [0], [], []
    for row in rows:
        for j, v in sorted(row):
            indices.append(j)
            data.append(v)
        indptr.append(len(indices))
    z = np.arange(m) * y
    out = np.zeros(m)
    for i in range(m):
        for p in range(indptr[i], indptr[i + 1]):
            out[i] += data[p] * z[indices[p]]
    return out


def linked_cells(x, y, n, edges):
    size = 0.75
    cells = defaultdict(list)
    for k, v in enumerate(x):
        cells[math.floor(v / size)].append(k)
    energy = 0.0
    for c, members in cells.items():
        for other in (c - 1, c, c + 1):
            if other not in cells:
                continue
            for i in members:
                for j in cells[other]:
                    if i < j:
                        r = abs(x[i] - x[j])
                        if r < size:
                            energy += (size - r) ** 2 * y
    return energy


def cells_in_lists(x, y, n, edges):
    m = 8
    head = [[] for _ in range(m)]
    for i in range(len(x)):
        head[int((x[i] + 4.0) % m)].append(i)
    total = 0.0
    for c in range(m):
        for i in head[c]:
            for j in head[(c + 1) % m]:
                total += (x[i] - x[j]) ** 2
    return total * y


def k_means_lists(x, y, n, edges):
    centres = [float(x[0]), float(x[1]) + 0.01 * y]
    for _ in range(3):
        members = [[] for _ in centres]
        for v in x:
            d = [abs(v - c) for c in centres]
            members[d.index(min(d))].append(v)
        centres = [sum(m) / len(m) if m else c for m, c in zip(members, centres)]
    return sum(centres)


def k_means_arrays(x, y, n, edges):
    centres = np.array([x[0], x[1] + y])
    for _ in range(3):
        labels = np.argmin(np.abs(x[:, None] - centres), axis=1)
        centres = np.array([x[labels == k].mean() if np.any(labels == k) else centres[k] for k in range(2)])
    return centres


def histogram_of_dict(x, y, n, edges):
    hist = defaultdict(int)
    for v in x:
        hist[round(v)] += 1
    best = max(hist, key=hist.get)
    return best, hist[best]


def sort_by_count(x, y, n, edges):
    counts = Counter(int(v) for v in edges.ravel())
    (first, c), *_ = counts.most_common(1)
    return first, c


def unique_in_order(x, y, n, edges):
    seen, out = set(), []
    for v in edges.ravel():
        if v not in seen:
            seen.add(v)
            out.append(int(v))
    return out


def transposed_lists(x, y, n, edges):
    rows = [[k * j + 1.0 for j in range(3)] for k in range(n + 2)]
    columns = list(zip(*rows))
    return [sum(c) * y for c in columns]


def flattened(x, y, n, edges):
    rows = [[x[j] * k for j in range(k)] for k in range(4)]
    return [v for row in rows for v in row], y


def append_pairs(x, y, n, edges):
    table = defaultdict(list)
    for k in range(len(x)):
        table[k % 3].append((k, x[k] * y))
    total = 0.0
    for key in sorted(table):
        for k, v in table[key]:
            total += key * k * v
    return total


def lists_in_tuple(x, y, n, edges):
    low, high = [], []
    for v in x:
        (low if v < y else high).append(v)
    return sum(low), len(high)


def dict_of_arrays(x, y, n, edges):
    table = {}
    for k in range(n + 2):
        table[k % 2] = x * k + y
    return table[0] + table[1]


def dict_of_counts_sorted(x, y, n, edges):
    counts = {}
    for u in edges[:, 0]:
        counts[int(u)] = counts.get(int(u), 0) + 1
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def dict_inverted(x, y, n, edges):
    d = {}
    for k in range(n + 3):
        d[k] = (k * k) % 3
    inverse = {}
    for k, v in d.items():
        inverse.setdefault(v, []).append(k)
    return len(inverse), max(len(ks) for ks in inverse.values())


def moving_lists(x, y, n, edges):
    stacks = [[3, 2, 1], [], []]
    def move(k, a, b, c):
        if k == 0:
            return 0
        steps = move(k - 1, a, c, b)
        stacks[b].append(stacks[a].pop())
        return steps + 1 + move(k - 1, c, b, a)
    return move(3, 0, 2, 1), stacks


# ---- objects -------------------------------------------------------------------------------------------------------------------------


class Particle:
    def __init__(self, position, velocity, mass=1.0):
        self.position = position
        self.velocity = velocity
        self.mass = mass

    def kick(self, force, dt):
        self.velocity += force / self.mass * dt

    def drift(self, dt):
        self.position += self.velocity * dt

    @property
    def energy(self):
        return 0.5 * self.mass * self.velocity ** 2


def particles_of_an_array(x, y, n, edges):
    particles = [Particle(v, 0.1 * k) for k, v in enumerate(x)]
    for _ in range(n + 1):
        for p in particles:
            p.kick(-p.position * y, 0.1)
            p.drift(0.1)
    return sum(p.energy for p in particles)


def particles_with_springs(x, y, n, edges):
    particles = [Particle(x[k % len(x)], 0.0, 1.0 + k) for k in range(n + 3)]
    for _ in range(3):
        for i in range(len(particles)):
            for j in range(i + 1, len(particles)):
                f = y * (particles[j].position - particles[i].position)
                particles[i].kick(f, 0.05)
                particles[j].kick(-f, 0.05)
        for p in particles:
            p.drift(0.05)
    return sum(p.energy + p.position for p in particles)


def chosen_object(x, y, n, edges):
    a, b = Particle(x[0], 1.0), Particle(x[1], 2.0)
    chosen = a if y > 0 else b
    chosen.position += 10.0
    return a.position + 2 * b.position


def heaviest(x, y, n, edges):
    particles = [Particle(v, v * y) for v in x]
    best = max(particles, key=lambda p: p.energy)
    best.mass = 5.0
    return sum(p.mass for p in particles), best.position


def removed_particles(x, y, n, edges):
    particles = [Particle(v, -v) for v in x]
    particles = [p for p in particles if p.position > 0]
    for p in particles:
        p.mass *= y
    return sum(p.mass for p in particles), len(particles)


@dataclass
class Cell:
    mass: float = 0.0
    members: list = field(default_factory=list)


def cells_with_members(x, y, n, edges):
    cells = [Cell() for _ in range(4)]
    for k, v in enumerate(x):
        c = cells[k * 3 % 4]
        c.mass += v * y
        c.members.append(k)
    return sum(c.mass * len(c.members) for c in cells)


def cells_at_run_time(x, y, n, edges):
    cells = [Cell() for _ in range(n + 2)]
    for k, v in enumerate(x):
        cells[int(abs(v) * 10) % (n + 2)].mass += v * y
    return sum(c.mass ** 2 for c in cells)


class Account:
    def __init__(self, balance):
        self.balance = balance
        self.history = []

    def deposit(self, amount):
        if amount < 0:
            raise ValueError("negative deposit")
        self.balance += amount
        self.history.append(amount)


def accounts(x, y, n, edges):
    people = [Account(0.0), Account(y)]
    for k, v in enumerate(x):
        if v > 0:
            people[k % 2].deposit(v)
    return people[0].balance - people[1].balance, len(people[0].history)


class Node:
    def __init__(self, value, next=None):
        self.value = value
        self.next = next


def linked_list(x, y, n, edges):
    head = None
    for v in x:
        head = Node(v * y, head)
    total, k = 0.0, 0
    node = head
    while node is not None:
        total += k * node.value
        node = node.next
        k += 1
    return total


def reversed_linked_list(x, y, n, edges):
    head = None
    for k in range(n + 2):
        head = Node(k, head)
    previous = None
    while head:
        head.next, previous, head = previous, head, head.next
    out = []
    while previous:
        out.append(previous.value)
        previous = previous.next
    return out


class LinkedQueue:
    def __init__(self):
        self.first = self.last = None
        self.count = 0

    def put(self, value):
        node = Node(value)
        if self.last is None:
            self.first = node
        else:
            self.last.next = node
        self.last = node
        self.count += 1

    def take(self):
        value = self.first.value
        self.first = self.first.next
        if self.first is None:
            self.last = None
        self.count -= 1
        return value


def linked_queue(x, y, n, edges):
    queue = LinkedQueue()
    for v in x:
        queue.put(v)
        if v < 0:
            queue.put(v * y)
    total = 0.0
    while queue.count > 0:
        total = 0.5 * total + queue.take()
    return total


class Tree:
    def __init__(self, key):
        self.key = key
        self.left = None
        self.right = None


def insert_in_tree(root, key):
    if root is None:
        return Tree(key)
    node = root
    while True:
        if key < node.key:
            if node.left is None:
                node.left = Tree(key)
                return root
            node = node.left
        else:
            if node.right is None:
                node.right = Tree(key)
                return root
            node = node.right


def search_tree(x, y, n, edges):
    root = None
    for v in x:
        root = insert_in_tree(root, v * y)
    node, depth = root, 0
    while node.left is not None:
        node = node.left
        depth += 1
    return node.key, depth


def tree_in_order(x, y, n, edges):
    root = None
    for v in x:
        root = insert_in_tree(root, v)
    out, stack, node = [], [], root
    while stack or node:
        while node:
            stack.append(node)
            node = node.left
        node = stack.pop()
        out.append(node.key * y)
        node = node.right
    return out


def tree_recursively(x, y, n, edges):
    root = None
    for v in x:
        root = insert_in_tree(root, v)

    def total(node, depth):
        if node is None:
            return 0.0
        return node.key * depth + total(node.left, depth + 1) + total(node.right, depth + 1)

    return total(root, 1) * y


class TrieNode:
    def __init__(self):
        self.children = {}
        self.count = 0


def trie(x, y, n, edges):
    root = TrieNode()
    for u, v in edges:
        node = root
        for letter in (int(u), int(v)):
            if letter not in node.children:
                node.children[letter] = TrieNode()
            node = node.children[letter]
            node.count += 1
    return len(root.children), sum(c.count for c in root.children.values())


def trie_of_dicts(x, y, n, edges):
    root = {}
    for word in ("to", "tea", "ten", "i", "in"):
        node = root
        for letter in word:
            node = node.setdefault(letter, {})
        node["$"] = y
    return len(root), len(root["t"]), root["t"]["e"]["a"]["$"]


def huffman(x, y, n, edges):
    heap = [(abs(v) + 0.1 * k, k) for k, v in enumerate(x)]
    heapq.heapify(heap)
    total, count = 0.0, len(heap)
    while len(heap) > 1:
        a, _ = heapq.heappop(heap)
        b, _ = heapq.heappop(heap)
        total += (a + b) * y
        heapq.heappush(heap, (a + b, count))
        count += 1
    return total


def huffman_tree(x, y, n, edges):
    heap = [(abs(v) + 0.1 * k, k) for k, v in enumerate(x)]
    heapq.heapify(heap)
    children = {}
    count = len(heap)
    while len(heap) > 1:
        a, i = heapq.heappop(heap)
        b, j = heapq.heappop(heap)
        children[count] = (i, j)
        heapq.heappush(heap, (a + b, count))
        count += 1
    total, stack = 0.0, [(heap[0][1], 0)]
    while stack:
        node, depth = stack.pop()
        if node in children:
            left, right = children[node]
            stack.append((left, depth + 1))
            stack.append((right, depth + 1))
        else:
            total += abs(x[node]) * depth * y
    return total


class Stack:
    def __init__(self):
        self.items = []

    def push(self, v):
        self.items.append(v)

    def pop(self):
        if not self.items:
            raise IndexError("pop from empty stack")
        return self.items.pop()

    def __len__(self):
        return len(self.items)


def stack_class(x, y, n, edges):
    stack = Stack()
    for v in x:
        if v > 0:
            stack.push(v)
        elif len(stack):
            stack.push(stack.pop() * v * y)
    total = 0.0
    while len(stack):
        total = total * 0.5 + stack.pop()
    return total


def reverse_polish(x, y, n, edges):
    stack = []
    for token in "3 4 + y * 2 -".split():
        if token in "+-*/":
            b, a = stack.pop(), stack.pop()
            stack.append(a + b if token == "+" else a - b if token == "-" else a * b if token == "*" else a / b)
        else:
            stack.append(y if token == "y" else float(token))
    return stack[0]


def reverse_polish_codes(x, y, n, edges):
    codes = np.array([0, 0, 1, 0, 2, 0, 3])
    stack, k = [], 0
    for code in codes:
        if code == 0:
            stack.append(x[k] * y)
            k += 1
        else:
            b = stack.pop()
            a = stack.pop()
            if code == 1:
                stack.append(a + b)
            elif code == 2:
                stack.append(a * b)
            else:
                stack.append(a - b)
    return stack.pop()


def tokens_of_text(x, y, n, edges):
    text, k, total = "12+30-4*2", 0, 0
    numbers = []
    while k < len(text):
        if text[k].isdigit():
            j = k
            while j < len(text) and text[j].isdigit():
                j += 1
            numbers.append(int(text[k:j]))
            k = j
        else:
            k += 1
    return sum(numbers) * y


class Parser:
    def __init__(self, text, y):
        self.text, self.at, self.y = text, 0, y

    def peek(self):
        return self.text[self.at] if self.at < len(self.text) else ""

    def expression(self):
        value = self.term()
        while self.peek() in ("+", "-") and self.peek():
            sign = self.peek()
            self.at += 1
            other = self.term()
            value = value + other if sign == "+" else value - other
        return value

    def term(self):
        value = self.factor()
        while self.peek() == "*":
            self.at += 1
            value = value * self.factor()
        return value

    def factor(self):
        c = self.peek()
        self.at += 1
        if c == "(":
            value = self.expression()
            self.at += 1
            return value
        return self.y if c == "y" else float(c)


def recursive_descent(x, y, n, edges):
    return Parser("2*(y+3)-y*y", y).expression()


class Body(NamedTuple):
    position: float
    velocity: float


def bodies_replaced(x, y, n, edges):
    bodies = [Body(v, y) for v in x]
    for _ in range(n):
        bodies = [Body(b.position + 0.1 * b.velocity, b.velocity - 0.1 * b.position) for b in bodies]
    return sum(b.position * b.velocity for b in bodies)


def body_stored(x, y, n, edges):
    bodies = [Body(v, y) for v in x]
    for k in range(n + 2):
        b = bodies[k % len(bodies)]
        bodies[k % len(bodies)] = b._replace(velocity=b.velocity * 2.0)
    return sum(b.velocity for b in bodies)


class Matrix:
    def __init__(self, rows):
        self.rows = rows

    def __matmul__(self, other):
        return Matrix([[sum(a * b for a, b in zip(row, column)) for column in zip(*other.rows)] for row in self.rows])

    def __getitem__(self, key):
        i, j = key
        return self.rows[i][j]


def matrix_of_lists(x, y, n, edges):
    m = Matrix([[y, 1.0], [0.5, x[0]]])
    p = m
    for _ in range(2):
        p = p @ m
    return p[0, 1] + p[1, 1]


class Adam:
    def __init__(self, rate):
        self.rate, self.m, self.v, self.t = rate, {}, {}, 0

    def step(self, params, grads):
        self.t += 1
        for key in params:
            self.m[key] = 0.9 * self.m.get(key, 0.0) + 0.1 * grads[key]
            self.v[key] = 0.99 * self.v.get(key, 0.0) + 0.01 * grads[key] ** 2
            params[key] = params[key] - self.rate * self.m[key] / (np.sqrt(self.v[key]) + 1e-6)


def optimiser(x, y, n, edges):
    params = {"a": y, "b": x[:2] * 1.0}
    adam = Adam(0.1)
    for _ in range(n + 1):
        adam.step(params, {"a": 2 * params["a"], "b": np.cos(params["b"])})
    return params["a"] + np.sum(params["b"])


class Kalman:
    def __init__(self, mean, variance):
        self.mean, self.variance = mean, variance
        self.log = []

    def predict(self, q):
        self.variance = self.variance + q

    def update(self, z, r):
        gain = self.variance / (self.variance + r)
        self.mean += gain * (z - self.mean)
        self.variance *= 1 - gain
        self.log.append(self.mean)


def kalman(x, y, n, edges):
    f = Kalman(0.0, 1.0)
    for z in x:
        f.predict(0.01)
        if z > -1:
            f.update(z, y * y + 0.1)
    return f.mean + f.log[0], len(f.log)


class Welford:
    def __init__(self):
        self.n, self.mean, self.m2 = 0, 0.0, 0.0

    def add(self, v):
        self.n += 1
        d = v - self.mean
        self.mean += d / self.n
        self.m2 += d * (v - self.mean)

    @property
    def variance(self):
        return self.m2 / (self.n - 1) if self.n > 1 else math.nan


def welford_groups(x, y, n, edges):
    stats = {}
    for k, v in enumerate(x):
        key = k % (n + 1)
        if key not in stats:
            stats[key] = Welford()
        stats[key].add(v * y)
    return sum(s.mean for s in stats.values())


class Grid:
    def __init__(self, n, m):
        self.cells = np.zeros((n, m))

    def __getitem__(self, key):
        return self.cells[key]

    def __setitem__(self, key, value):
        self.cells[key] = value


def grid_class(x, y, n, edges):
    g = Grid(n + 1, 3)
    for k in range(n + 1):
        g[k, k % 3] = x[k] * y
    return g.cells.sum() + g[0, 0]


class Light(Enum):
    RED = 0
    GREEN = 1
    YELLOW = 2


def traffic_light(x, y, n, edges):
    state, time = Light.RED, 0.0
    for v in x:
        if state is Light.RED:
            state, time = Light.GREEN, time + y
        elif state is Light.GREEN and v > 0:
            state, time = Light.YELLOW, time + 2 * v
        else:
            state = Light.RED
    return time, state.value


def counted_states(x, y, n, edges):
    counts = {Light.RED: 0, Light.GREEN: 0, Light.YELLOW: 0}
    for v in x:
        state = Light.RED if v < 0 else Light.GREEN if v < 1 else Light.YELLOW
        counts[state] += 1
    return counts[Light.RED], counts[Light.YELLOW]


class Level(IntEnum):
    LOW = 1
    HIGH = 3


def int_enum(x, y, n, edges):
    total = 0
    for v in x:
        level = Level.HIGH if v > y else Level.LOW
        total += level * 2
    return total


# ---- events, queues, simulations -----------------------------------------------------------------------------------------------------


def event_queue(x, y, n, edges):
    events = [(abs(v), k) for k, v in enumerate(x)]
    heapq.heapify(events)
    t, total = 0.0, 0.0
    while events and t < 5.0:
        t, kind = heapq.heappop(events)
        total += t * (kind + 1) * y
        if kind < 2:
            heapq.heappush(events, (t + 1.5, kind + 1))
    return total


def queue_of_jobs(x, y, n, edges):
    jobs = deque((k, abs(v)) for k, v in enumerate(x))
    time = 0.0
    finished = []
    while jobs:
        k, left = jobs.popleft()
        step = min(left, 0.5)
        time += step * y
        if left - step > 1e-12:
            jobs.append((k, left - step))
        else:
            finished.append(k)
    return time, finished


def round_robin(x, y, n, edges):
    ring = deque(range(n + 4))
    order = []
    while len(ring) > 1:
        ring.rotate(-2)
        order.append(ring.popleft())
    return ring[0], order


def sliding_maximum(x, y, n, edges):
    window, out = deque(), []
    for k in range(len(x)):
        while window and x[window[-1]] <= x[k]:
            window.pop()
        window.append(k)
        if window[0] <= k - 3:
            window.popleft()
        if k >= 2:
            out.append(x[window[0]] * y)
    return out


def merged_intervals(x, y, n, edges):
    spans = sorted((v, v + abs(y)) for v in x)
    merged = [spans[0]]
    for lo, hi in spans[1:]:
        last = merged[-1]
        if lo <= last[1]:
            merged[-1] = (last[0], max(last[1], hi))
        else:
            merged.append((lo, hi))
    return len(merged), sum(hi - lo for lo, hi in merged)


def merged_intervals_lists(x, y, n, edges):
    spans = sorted([v, v + abs(y)] for v in x)
    merged = []
    for lo, hi in spans:
        if merged and lo <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], hi)
        else:
            merged.append([lo, hi])
    return len(merged), sum(hi - lo for lo, hi in merged)


def sweep_line(x, y, n, edges):
    events = []
    for v in x:
        events.append((v, 1))
        events.append((v + abs(y), -1))
    events.sort()
    depth = best = 0
    for _, d in events:
        depth += d
        best = max(best, depth)
    return best


def random_walk(x, y, n, edges):
    state, visited = 0, {}
    seed = 12345
    for _ in range(20 * n):
        seed = (seed * 1103515245 + 12345) % 2147483648
        state += 1 if seed > 1073741824 else -1
        visited[state] = visited.get(state, 0) + 1
    return state, max(visited.values()) if visited else 0


def game_of_life_sets(x, y, n, edges):
    live = {(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)}
    for _ in range(n):
        count = Counter((i + a, j + b) for i, j in live for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b)
        live = {c for c, k in count.items() if k == 3 or (k == 2 and c in live)}
    return len(live), sum(i * 10 + j for i, j in live)


def game_of_life_lists(x, y, n, edges):
    m = 5
    grid = [[int(k * 3 + j * 7 + k * j) % 3 == 0 for j in range(m)] for k in range(m)]
    for _ in range(n):
        new = [[False] * m for _ in range(m)]
        for i in range(m):
            for j in range(m):
                near = sum(grid[(i + a) % m][(j + b) % m] for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b)
                new[i][j] = near == 3 or (grid[i][j] and near == 2)
        grid = new
    return sum(sum(row) for row in grid)


def bouncing_ball(x, y, n, edges):
    h, v, t, bounces = 1.0 + y * y, 0.0, 0.0, []
    while len(bounces) < n + 1:
        v -= 9.81 * 0.01
        h += v * 0.01
        t += 0.01
        if h < 0:
            h, v = -h, -0.8 * v
            bounces.append((t, v))
    return bounces[-1][1], len(bounces)


def adaptive_steps(x, y, n, edges):
    t, u, h, log = 0.0, 1.0, 0.1, []
    while t < 1.0:
        h = min(h, 1.0 - t)
        k1 = -y * u
        k2 = -y * (u + h * k1)
        error = abs(h * (k2 - k1) / 2)
        if error < 1e-3:
            t, u = t + h, u + h * (k1 + k2) / 2
            log.append((t, u))
            h *= 1.5
        else:
            h *= 0.5
    return u, len(log)


def gillespie(x, y, n, edges):
    state = {"a": 10, "b": 0}
    t, seed = 0.0, 7
    while t < 2.0 and state["a"] > 0:
        rates = {"decay": 0.5 * state["a"], "back": 0.1 * state["b"]}
        total = sum(rates.values())
        seed = (seed * 16807) % 2147483647
        u = seed / 2147483647
        t += -math.log(u) / total * (1 + y * y)
        seed = (seed * 16807) % 2147483647
        if seed / 2147483647 * total < rates["decay"]:
            state["a"] -= 1
            state["b"] += 1
        else:
            state["a"] += 1
            state["b"] -= 1
    return state["a"], t


# ---- dynamic programming, recursion --------------------------------------------------------------------------------------------------


def knapsack(x, y, n, edges):
    weights, best = [2, 3, 4, 5], [0.0] * (n + 8)
    for k, w in enumerate(weights):
        for c in range(n + 7, w - 1, -1):
            best[c] = max(best[c], best[c - w] + x[k] * y)
    return best[-1]


def edit_distance(x, y, n, edges):
    a, b = edges[:, 0], edges[:, 1]
    d = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a) + 1):
        d[i][0] = i
    for j in range(len(b) + 1):
        d[0][j] = j
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            d[i][j] = min(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1]))
    return d[-1][-1]


def longest_rising(x, y, n, edges):
    tails = []
    for v in x:
        k = bisect.bisect_left(tails, v)
        if k == len(tails):
            tails.append(v)
        else:
            tails[k] = v
    return len(tails), tails[-1]


def fibonacci_memo(x, y, n, edges):
    memo = {}

    def fib(k):
        if k < 2:
            return k
        if k in memo:
            return memo[k]
        memo[k] = fib(k - 1) + fib(k - 2)
        return memo[k]

    return fib(n + 10)


def fibonacci_cached(x, y, n, edges):
    @functools.lru_cache(None)
    def fib(k):
        return k if k < 2 else fib(k - 1) + fib(k - 2)

    return fib(12) + n


def fibonacci_recursive(x, y, n, edges):
    def fib(k):
        return k if k < 2 else fib(k - 1) + fib(k - 2)

    return fib(n + 5)


def factorial_recursive(x, y, n, edges):
    def fact(k):
        if k <= 1:
            return 1
        return k * fact(k - 1)

    return fact(n + 3)


def power_by_squaring(x, y, n, edges):
    def power(b, k):
        if k == 0:
            return 1.0
        half = power(b, k // 2)
        return half * half if k % 2 == 0 else half * half * b

    return power(y, n + 4)


def euclid(x, y, n, edges):
    def gcd(a, b):
        return a if b == 0 else gcd(b, a % b)

    return gcd(84 * n, 36 + n)


def ackermann(x, y, n, edges):
    def a(m, k):
        if m == 0:
            return k + 1
        if k == 0:
            return a(m - 1, 1)
        return a(m - 1, a(m, k - 1))

    return a(2, n)


def adaptive_simpson(x, y, n, edges):
    def f(t):
        return math.sin(y * t) + t * t

    def simpson(a, b):
        return (b - a) / 6 * (f(a) + 4 * f((a + b) / 2) + f(b))

    def quad(a, b, whole, tol):
        m = (a + b) / 2
        left, right = simpson(a, m), simpson(m, b)
        if abs(left + right - whole) < 15 * tol:
            return left + right
        return quad(a, m, left, tol / 2) + quad(m, b, right, tol / 2)

    return quad(0.0, 2.0, simpson(0.0, 2.0), 1e-6)


def quicksort_in_place(x, y, n, edges):
    a = x.copy()

    def sort(lo, hi):
        if lo >= hi:
            return
        p, i = a[hi], lo
        for j in range(lo, hi):
            if a[j] < p:
                a[i], a[j] = a[j], a[i]
                i += 1
        a[i], a[hi] = a[hi], a[i]
        sort(lo, i - 1)
        sort(i + 1, hi)

    sort(0, len(a) - 1)
    return a * y


def merge_sort(x, y, n, edges):
    def sort(a):
        if len(a) < 2:
            return a
        m = len(a) // 2
        left, right = sort(a[:m]), sort(a[m:])
        out = np.empty(len(a))
        i = j = 0
        for k in range(len(a)):
            if j >= len(right) or (i < len(left) and left[i] <= right[j]):
                out[k] = left[i]
                i += 1
            else:
                out[k] = right[j]
                j += 1
        return out

    return sort(x) * y


def binary_search_recursive(x, y, n, edges):
    a = np.sort(x)

    def find(lo, hi):
        if lo >= hi:
            return lo
        m = (lo + hi) // 2
        return find(m + 1, hi) if a[m] < y else find(lo, m)

    return find(0, len(a))


def collatz(x, y, n, edges):
    def length(k):
        return 1 if k == 1 else 1 + length(k // 2 if k % 2 == 0 else 3 * k + 1)

    return length(n + 6)


def flood_fill(x, y, n, edges):
    grid = np.array([[1, 1, 0, 0], [0, 1, 0, 1], [1, 1, 0, 1], [0, 0, 1, 1]])

    def fill(i, j):
        if i < 0 or j < 0 or i >= 4 or j >= 4 or grid[i, j] != 1:
            return 0
        grid[i, j] = 2
        return 1 + fill(i + 1, j) + fill(i - 1, j) + fill(i, j + 1) + fill(i, j - 1)

    return fill(0, 0), np.sum(grid == 1)


def flood_fill_stack(x, y, n, edges):
    grid = [[1, 1, 0, 0], [0, 1, 0, 1], [1, 1, 0, 1], [0, 0, 1, 1]]
    stack, count = [(0, 0)], 0
    while stack:
        i, j = stack.pop()
        if 0 <= i < 4 and 0 <= j < 4 and grid[i][j] == 1:
            grid[i][j] = 2
            count += 1
            stack.extend([(i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)])
    return count


def maze_breadth_first(x, y, n, edges):
    walls = np.zeros((6, 6), dtype=bool)
    for u, v in edges:
        walls[u % 6, v % 6] = True
    walls[0, 0] = False
    dist = {(0, 0): 0}
    frontier = [(0, 0)]
    while frontier:
        nxt = []
        for i, j in frontier:
            for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                p = (i + a, j + b)
                if 0 <= p[0] < 6 and 0 <= p[1] < 6 and not walls[p] and p not in dist:
                    dist[p] = dist[i, j] + 1
                    nxt.append(p)
        frontier = nxt
    return len(dist), max(dist.values())


def permutations_recursive(x, y, n, edges):
    total = 0.0
    for p in itertools.permutations(range(3)):
        total += x[p[0]] * x[p[1]] ** 2 * x[p[2]] ** 3 * y
    return total


def n_queens(x, y, n, edges):
    def place(row, columns, up, down):
        if row == 4:
            return 1
        total = 0
        for c in range(4):
            if c not in columns and row + c not in up and row - c not in down:
                total += place(row + 1, columns | {c}, up | {row + c}, down | {row - c})
        return total

    return place(0, frozenset(), frozenset(), frozenset())


def decision_stump(x, y, n, edges):
    best = None
    for t in sorted(x):
        left, right = [v for v in x if v <= t], [v for v in x if v > t]
        if not right:
            continue
        cost = sum((v - sum(left) / len(left)) ** 2 for v in left) + sum((v - sum(right) / len(right)) ** 2 for v in right)
        if best is None or cost < best[0]:
            best = (cost, t)
    return best[0] * y, best[1]


def decision_tree(x, y, n, edges):
    def build(values, depth):
        if depth == 0 or len(values) < 2:
            return ("leaf", sum(values) / max(len(values), 1))
        t = sum(values) / len(values)
        return ("split", t, build([v for v in values if v <= t], depth - 1), build([v for v in values if v > t], depth - 1))

    def predict(tree, v):
        if tree[0] == "leaf":
            return tree[1]
        return predict(tree[2], v) if v <= tree[1] else predict(tree[3], v)

    return predict(build([v for v in x], 2), y)


# ---- iterators, contexts, functions --------------------------------------------------------------------------------------------------


class CountDown:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n <= 0:
            raise StopIteration
        self.n -= 1
        return self.n


def own_iterator(x, y, n, edges):
    return sum(k * k for k in CountDown(n + 3)) * y


def own_iterator_loop(x, y, n, edges):
    total = 0.0
    for k in CountDown(n + 2):
        if k == 1:
            continue
        total += x[k % len(x)] * y
    return total


class Pairs:
    def __init__(self, x):
        self.x = x

    def __iter__(self):
        for k in range(len(self.x) - 1):
            yield self.x[k], self.x[k + 1]


def iterates_by_generator(x, y, n, edges):
    return sum(a * b for a, b in Pairs(x)) * y


class Sequence:
    def __init__(self, x):
        self.x = x

    def __len__(self):
        return len(self.x)

    def __getitem__(self, k):
        if k >= len(self.x):
            raise IndexError
        return self.x[k] * 2


def iterates_by_getitem(x, y, n, edges):
    s = Sequence(x)
    return sum(s[k] for k in range(len(s))) * y


def running_mean():
    total, count, mean = 0.0, 0, None
    while True:
        v = yield mean
        total += v
        count += 1
        mean = total / count


def generator_with_send(x, y, n, edges):
    g = running_mean()
    next(g)
    m = 0.0
    for v in x:
        m = g.send(v * y)
    return m


def numbers(n):
    for k in range(n):
        yield k
    return n * 10


def chained(n):
    last = yield from numbers(n)
    yield last


def value_of_yield_from(x, y, n, edges):
    return sum(chained(n + 1)) * y


def tree_walk(tree):
    if isinstance(tree, tuple):
        for part in tree:
            yield from tree_walk(part)
    else:
        yield tree


def recursive_generator(x, y, n, edges):
    return sum(tree_walk((y, (x[0], (x[1], y)), x[2])))


def primes(x, y, n, edges):
    def sieve():
        k = 2
        while True:
            if all(k % d for d in range(2, k)):
                yield k
            k += 1

    return list(itertools.islice(sieve(), 5)), sum(itertools.takewhile(lambda p: p < 12, sieve()))


@contextmanager
def scaled(values, factor):
    values *= factor
    yield values
    values /= factor


def context_manager(x, y, n, edges):
    a = x.copy()
    with scaled(a, 2.0) as b:
        total = np.sum(b) * y
    return total + np.sum(a)


class Timer:
    def __enter__(self):
        self.count = 0
        return self

    def __exit__(self, *exc):
        self.count += 100
        return False


def own_context(x, y, n, edges):
    with Timer() as t:
        for v in x:
            if v > 0:
                t.count += 1
    return t.count * y


class Ignore:
    def __enter__(self):
        return self

    def __exit__(self, kind, value, tb):
        return kind is ZeroDivisionError


def suppressing_context(x, y, n, edges):
    total = 1.0
    with Ignore():
        total += 1 // n
        total += 5
    return total * y


def match_shapes(x, y, n, edges):
    total = 0.0
    for shape in (("circle", y), ("square", x[0]), ("box", x[1], y)):
        match shape:
            case ("circle", r) if (area := math.pi * r * r) > 1.0:
                total += area
            case ("circle", r):
                total -= r
            case ("square", a):
                total += a * a
            case (_, a, b):
                total += a * b
    return total


def match_numbers(x, y, n, edges):
    out = []
    for k in range(n + 3):
        match k % 4:
            case 0:
                out.append(1.0)
            case 1 | 2:
                out.append(y)
            case _:
                out.append(x[0])
    return sum(out)


def key_error(x, y, n, edges):
    table = {}
    for u, v in edges:
        table[int(u)] = int(v)
    return table[n + 100]


def key_error_caught(x, y, n, edges):
    table = {int(u): k for k, (u, v) in enumerate(edges)}
    total = 0.0
    for k in range(n + 5):
        try:
            total += x[table[k] % len(x)]
        except KeyError:
            total += y
    return total


def raised_with_numbers(x, y, n, edges):
    for k, v in enumerate(x):
        if v > 1.9:
            raise ValueError(f"item {k} is {v:.2f}, above {y}")
    return y


def reduce_products(x, y, n, edges):
    return functools.reduce(operator.mul, x, y), functools.reduce(lambda a, b: a * 0.5 + b, [v * y for v in x if v > 0], 0.0)


def partial_functions(x, y, n, edges):
    scale = functools.partial(lambda a, b, c=1.0: a * b + c, y, c=0.5)
    return sum(map(scale, x))


@functools.singledispatch
def area(shape):
    raise TypeError


@area.register
def _(shape: float):
    return shape * shape


@area.register
def _(shape: tuple):
    return shape[0] * shape[1]


def dispatched(x, y, n, edges):
    return area(2.0) + area((3.0, y))


def itertools_products(x, y, n, edges):
    return sum(a * b for a, b in itertools.product(x, x[:2])) * y, sum(a * b for a, b in itertools.combinations(x, 2))


def itertools_runs(x, y, n, edges):
    return list(itertools.accumulate(x)), list(itertools.pairwise(x[:3])), sum(itertools.chain(x, [y, y]))


def itertools_more(x, y, n, edges):
    longest = [(a, b) for a, b in itertools.zip_longest(x[:2], x[:4], fillvalue=0.0)]
    return longest, list(itertools.islice(itertools.count(n, 2), 3)), list(itertools.accumulate(x, max))


def grouped_runs(x, y, n, edges):
    return [(positive, len(list(run))) for positive, run in itertools.groupby(x, key=lambda v: v > 0)]


def run_lengths(x, y, n, edges):
    runs = []
    for v in edges.ravel():
        if runs and runs[-1][0] == v:
            runs[-1][1] += 1
        else:
            runs.append([v, 1])
    return len(runs), max(c for _, c in runs)


def sorted_by_key(x, y, n, edges):
    return sorted(x, key=abs), sorted(range(len(x)), key=lambda k: x[k] * y), max(range(len(x)), key=lambda k: abs(x[k]))


def minimum_pair(x, y, n, edges):
    pairs = [(abs(x[i] - x[j]), i, j) for i in range(len(x)) for j in range(i)]
    return min(pairs), max(pairs)[0] * y


def filtered(x, y, n, edges):
    return list(filter(lambda v: v > y, x)), list(map(lambda a, b: a * b, x, x[::-1])), sum(filter(None, [n, 0, 3]))


def zipped_dict(x, y, n, edges):
    d = dict(zip(range(len(x)), x))
    return sum(k * v for k, v in d.items()) * y


def any_all(x, y, n, edges):
    return any(v > y for v in x), all(abs(v) < 10 for v in x), next((k for k, v in enumerate(x) if v > 0), -1)


def deleted(x, y, n, edges):
    d = {}
    for k in range(n + 4):
        d[k] = x[k % len(x)]
    del d[n]
    items = [v for v in x if v > -5]
    del items[0]
    return sum(d.values()) * y, sum(items)


def set_operations(x, y, n, edges):
    a = {int(u) for u in edges[:, 0]}
    b = {int(v) for v in edges[:, 1]}
    return len(a & b), len(a | b), len(a - b), sorted(a ^ b), a <= (a | b)


def longest_word(x, y, n, edges):
    best, length = 0, 0
    seen = {}
    start = 0
    for k, v in enumerate(edges.ravel()):
        if v in seen and seen[v] >= start:
            start = seen[v] + 1
        seen[v] = k
        if k - start + 1 > length:
            best, length = start, k - start + 1
    return best, length


def two_sum(x, y, n, edges):
    seen = {}
    for k, v in enumerate(edges.ravel()):
        if n + 3 - v in seen:
            return seen[n + 3 - v], k
        seen[v] = k
    return None


def lru_cache_class(x, y, n, edges):
    cache, hits = OrderedDict(), 0
    for v in edges.ravel():
        if v in cache:
            hits += 1
            cache.move_to_end(v)
        else:
            cache[v] = True
            if len(cache) > 3:
                cache.popitem(last=False)
    return hits, len(cache)


def bank_of_queues(x, y, n, edges):
    queues = [deque() for _ in range(3)]
    for k, v in enumerate(x):
        shortest = min(range(3), key=lambda q: len(queues[q]))
        queues[shortest].append(v * y)
        if k % 2:
            for q in queues:
                if q:
                    q.popleft()
    return sum(len(q) for q in queues)


def priority_classes(x, y, n, edges):
    queues = {0: [], 1: [], 2: []}
    for k, v in enumerate(x):
        queues[k * 2 % 3].append(v)
    total = 0.0
    for p in range(3):
        while queues[p]:
            total = 0.9 * total + queues[p].pop() * y
    return total


def stable_marriage(x, y, n, edges):
    men = [[0, 1, 2], [1, 0, 2], [0, 2, 1]]
    women = [[1, 0, 2], [0, 1, 2], [2, 1, 0]]
    next_choice, husband, free = [0, 0, 0], [-1, -1, -1], [0, 1, 2]
    while free:
        m = free.pop()
        w = men[m][next_choice[m]]
        next_choice[m] += 1
        if husband[w] < 0:
            husband[w] = m
        elif women[w].index(m) < women[w].index(husband[w]):
            free.append(husband[w])
            husband[w] = m
        else:
            free.append(m)
    return husband


def subsets(x, y, n, edges):
    out = [[]]
    for v in x[:3]:
        out += [s + [v] for s in out]
    return len(out), sum(sum(s) for s in out) * y


def spiral(x, y, n, edges):
    m = [[3 * i + j for j in range(3)] for i in range(3)]
    out = []
    while m:
        out += m.pop(0)
        m = [list(r) for r in zip(*m)][::-1]
    return out


def polynomial_lists(x, y, n, edges):
    def times(a, b):
        out = [0.0] * (len(a) + len(b) - 1)
        for i, p in enumerate(a):
            for j, q in enumerate(b):
                out[i + j] += p * q
        return out

    p = [1.0]
    for k in range(n + 1):
        p = times(p, [x[k], 1.0])
    return sum(c * y ** k for k, c in enumerate(p))


def newton_history(x, y, n, edges):
    guess, history = 1.0 + y * y, []
    for _ in range(50):
        step = (guess * guess - 2.0) / (2 * guess)
        guess -= step
        history.append(guess)
        if abs(step) < 1e-12:
            break
    else:
        raise RuntimeError("no convergence")
    return history[-1], len(history)


def simplex_points(x, y, n, edges):
    points = [np.array([y, 0.0]), np.array([0.0, 1.0]), np.array([x[0], x[1]])]
    for _ in range(n + 1):
        points.sort(key=lambda p: p[0] ** 2 + p[1] ** 2)
        middle = (points[0] + points[1]) / 2
        points[2] = middle + 0.5 * (middle - points[2])
    return np.sum(points[0]) + np.sum(points[2])


def hull(x, y, n, edges):
    points = sorted((x[k], x[(k * 3 + 1) % len(x)] * y) for k in range(len(x)))

    def cross(o, a, b):
        return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])

    lower = []
    for p in points:
        while len(lower) >= 2 and cross(lower[-2], lower[-1], p) <= 0:
            lower.pop()
        lower.append(p)
    return len(lower), sum(p[1] for p in lower)


def quad_tree_counts(x, y, n, edges):
    stack, leaves = [(0, len(x), 0)], []
    values = np.sort(x)
    while stack:
        lo, hi, depth = stack.pop()
        if hi - lo <= 1 or depth > 3:
            leaves.append((lo, hi))
            continue
        m = (lo + hi) // 2
        stack.append((lo, m, depth + 1))
        stack.append((m, hi, depth + 1))
    return len(leaves), sum(values[a] * y for a, b in leaves)


def history_of_dicts(x, y, n, edges):
    log = []
    for k, v in enumerate(x):
        log.append({"step": k, "value": v * y})
    return sum(e["value"] * e["step"] for e in log), log[-1]["step"]


def records_changed(x, y, n, edges):
    people = [{"age": k, "score": v} for k, v in enumerate(x)]
    for p in people:
        if p["score"] < 0:
            p["score"] *= -y
    people[n]["score"] += 1.0
    return sum(p["score"] for p in people)


def best_records(x, y, n, edges):
    runs = [{"rate": 0.1 * k, "loss": (v - y) ** 2} for k, v in enumerate(x)]
    best = min(runs, key=lambda r: r["loss"])
    return best["rate"], best["loss"]


def layers_of_weights(x, y, n, edges):
    sizes = [2, 3, 1]
    weights = [np.full((a, b), 0.1) * y for a, b in zip(sizes[:-1], sizes[1:])]
    h = x[:2]
    for w in weights:
        h = np.tanh(h @ w)
    return np.sum(h)


def trajectory(x, y, n, edges):
    state, path = np.array([1.0, 0.0]), []
    for k in range(n + 2):
        state = state + 0.1 * np.array([state[1], -state[0] * y])
        path.append(state.copy())
    return np.array(path)


def stacked_columns(x, y, n, edges):
    columns = {"t": [], "u": []}
    for k in range(n + 2):
        columns["t"].append(0.1 * k)
        columns["u"].append(math.exp(-y * 0.1 * k))
    return np.array(columns["t"]) @ np.array(columns["u"])


def batches(x, y, n, edges):
    total, batch = 0.0, []
    for v in x:
        batch.append(v)
        if len(batch) == 2:
            total += max(batch) * y
            batch = []
    return total, len(batch)


def pools_of_two(x, y, n, edges):
    blocks, block = [], []
    for v in x:
        block.append(v * y)
        if len(block) == 2:
            blocks.append(block)
            block = []
    if block:
        blocks.append(block)
    return sum(max(b) for b in blocks), len(blocks)


def split_runs(x, y, n, edges):
    runs = [[x[0]]]
    for a, b in zip(x[:-1], x[1:]):
        if b > a:
            runs[-1].append(b)
        else:
            runs.append([b])
    return max(len(r) for r in runs), sum(r[0] for r in runs) * y
