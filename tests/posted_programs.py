"""Programs as people post them: graphs, dynamic programming, texts, games, simulations, accounts and parsers."""
from __future__ import annotations

import heapq
import itertools
import math
import random
from collections import Counter, OrderedDict, defaultdict, deque
from dataclasses import dataclass, field
from enum import Enum, auto

import numpy as np


def matrix_chain(dims):
    n = len(dims) - 1
    cost = [[0] * n for _ in range(n)]
    split = [[0] * n for _ in range(n)]
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            cost[i][j] = float("inf")
            for k in range(i, j):
                c = cost[i][k] + cost[k + 1][j] + dims[i] * dims[k + 1] * dims[j + 1]
                if c < cost[i][j]:
                    cost[i][j], split[i][j] = c, k

    def order(i, j):
        if i == j:
            return chr(ord("A") + i)
        return "(" + order(i, split[i][j]) + order(split[i][j] + 1, j) + ")"

    return cost[0][n - 1], order(0, n - 1)


def knapsack_items(capacity, weights, values):
    n = len(weights)
    best = [[0] * (capacity + 1) for _ in range(n + 1)]
    for i in range(1, n + 1):
        for w in range(capacity + 1):
            best[i][w] = best[i - 1][w]
            if weights[i - 1] <= w:
                best[i][w] = max(best[i][w], best[i - 1][w - weights[i - 1]] + values[i - 1])
    taken, w = [], capacity
    for i in range(n, 0, -1):
        if best[i][w] != best[i - 1][w]:
            taken.append(i - 1)
            w -= weights[i - 1]
    return best[n][capacity], taken[::-1]


def edit_distance(a, b):
    prev = list(range(len(b) + 1))
    for i, ca in enumerate(a, 1):
        cur = [i]
        for j, cb in enumerate(b, 1):
            cur.append(min(prev[j] + 1, cur[j - 1] + 1, prev[j - 1] + (ca != cb)))
        prev = cur
    return prev[-1]


def life(rows, cols, cells, steps):
    alive = set(cells)
    for _ in range(steps):
        counts = Counter((r + dr, c + dc) for r, c in alive for dr in (-1, 0, 1) for dc in (-1, 0, 1) if (dr, dc) != (0, 0))
        alive = {cell for cell, n in counts.items() if n == 3 or (n == 2 and cell in alive)}
    return sorted(cell for cell in alive if 0 <= cell[0] < rows and 0 <= cell[1] < cols)


def huffman_lengths(freqs):
    heap = [(f, i) for i, f in enumerate(freqs)]
    heapq.heapify(heap)
    parent = {}
    nxt = len(freqs)
    while len(heap) > 1:
        fa, a = heapq.heappop(heap)
        fb, b = heapq.heappop(heap)
        parent[a] = parent[b] = nxt
        heapq.heappush(heap, (fa + fb, nxt))
        nxt += 1
    lengths = []
    for i in range(len(freqs)):
        d, node = 0, i
        while node in parent:
            node = parent[node]
            d += 1
        lengths.append(d)
    return lengths


def topological(n, edges):
    graph = defaultdict(list)
    indegree = [0] * n
    for a, b in edges:
        graph[a].append(b)
        indegree[b] += 1
    queue = deque(i for i in range(n) if indegree[i] == 0)
    order = []
    while queue:
        v = queue.popleft()
        order.append(v)
        for w in graph[v]:
            indegree[w] -= 1
            if indegree[w] == 0:
                queue.append(w)
    if len(order) != n:
        raise ValueError("the graph has a cycle")
    return order


def dijkstra_path(n, edges, source, target):
    adj = {i: [] for i in range(n)}
    for a, b, w in edges:
        adj[a].append((b, w))
        adj[b].append((a, w))
    dist = [math.inf] * n
    prev = [None] * n
    dist[source] = 0
    heap = [(0, source)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > dist[u]:
            continue
        if u == target:
            break
        for v, w in adj[u]:
            nd = d + w
            if nd < dist[v]:
                dist[v] = nd
                prev[v] = u
                heapq.heappush(heap, (nd, v))
    path, node = [], target
    while node is not None:
        path.append(node)
        node = prev[node]
    return dist[target], path[::-1]


def merge_intervals(intervals):
    merged = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return merged


def spiral(n, m):
    grid = [[r * m + c for c in range(m)] for r in range(n)]
    out = []
    top, bottom, left, right = 0, n - 1, 0, m - 1
    while top <= bottom and left <= right:
        for c in range(left, right + 1):
            out.append(grid[top][c])
        top += 1
        for r in range(top, bottom + 1):
            out.append(grid[r][right])
        right -= 1
        if top <= bottom:
            for c in range(right, left - 1, -1):
                out.append(grid[bottom][c])
            bottom -= 1
        if left <= right:
            for r in range(bottom, top - 1, -1):
                out.append(grid[r][left])
            left += 1
    return out


def to_roman(n):
    table = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]
    result = ""
    for value, symbol in table:
        count, n = divmod(n, value)
        result += symbol * count
    return result


def from_roman(text):
    values = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
    total = 0
    for a, b in zip(text, text[1:] + "I"):
        total += -values[a] if values[a] < values[b] else values[a]
    return total


def collatz_longest(limit):
    cache = {1: 1}
    best, best_len = 1, 1
    for start in range(2, limit):
        n, steps = start, 0
        while n not in cache:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        cache[start] = steps + cache[n]
        if cache[start] > best_len:
            best, best_len = start, cache[start]
    return best, best_len


class InsufficientFunds(Exception):
    def __init__(self, needed, available):
        super().__init__(f"need {needed:.2f}, have {available:.2f}")
        self.needed = needed
        self.available = available


class Account:
    def __init__(self, owner, balance=0.0):
        self.owner = owner
        self.balance = balance
        self.history = []

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("Deposit amount must be positive")
        self.balance += amount
        self.history.append(("deposit", amount))

    def withdraw(self, amount):
        if amount > self.balance:
            raise InsufficientFunds(amount, self.balance)
        self.balance -= amount
        self.history.append(("withdraw", amount))

    def __repr__(self):
        return f"Account({self.owner!r}, {self.balance:.2f})"


class Savings(Account):
    def __init__(self, owner, balance=0.0, rate=0.02):
        super().__init__(owner, balance)
        self.rate = rate

    def add_interest(self):
        self.deposit(self.balance * self.rate)


def bank(amounts, start):
    a, b = Account("ann", start), Savings("bob", 2 * start)
    failed = 0
    for amount in amounts:
        try:
            a.withdraw(amount)
            b.deposit(amount)
        except InsufficientFunds as e:
            failed += 1
            print("failed:", e, e.needed - e.available)
        except ValueError as e:
            print("bad:", e)
    b.add_interest()
    print(a, b)
    return a.balance, b.balance, failed, len(b.history)


@dataclass
class Item:
    name: str
    price: float
    quantity: int = 0

    @property
    def total(self):
        return self.price * self.quantity


@dataclass
class Inventory:
    items: dict = field(default_factory=dict)

    def add(self, item):
        if item.name in self.items:
            self.items[item.name].quantity += item.quantity
        else:
            self.items[item.name] = item

    def remove(self, name, n):
        if name not in self.items:
            raise KeyError(name)
        if self.items[name].quantity < n:
            raise ValueError(f"not enough {name}")
        self.items[name].quantity -= n
        if self.items[name].quantity == 0:
            del self.items[name]

    def value(self):
        return sum(item.total for item in self.items.values())


def inventory(n, price):
    inv = Inventory()
    inv.add(Item("bolt", price, 10))
    inv.add(Item("nut", price / 2, n))
    inv.add(Item("bolt", price, n))
    try:
        inv.remove("nut", 2 * n)
    except ValueError as error:
        print(error)
    inv.remove("bolt", 5)
    return inv.value(), {name: item.quantity for name, item in inv.items.items()}


class LRUCache:
    def __init__(self, capacity):
        self.capacity = capacity
        self.cache = OrderedDict()

    def get(self, key):
        if key not in self.cache:
            return -1
        self.cache.move_to_end(key)
        return self.cache[key]

    def put(self, key, value):
        if key in self.cache:
            self.cache.move_to_end(key)
        self.cache[key] = value
        if len(self.cache) > self.capacity:
            self.cache.popitem(last=False)


def lru(capacity, keys):
    cache = LRUCache(capacity)
    hits = 0
    for k in keys:
        if cache.get(k) == -1:
            cache.put(k, k * k)
        else:
            hits += 1
    return hits, list(cache.cache.items())


class TrieNode:
    def __init__(self):
        self.children = {}
        self.is_end = False
        self.count = 0


class Trie:
    def __init__(self):
        self.root = TrieNode()

    def insert(self, word):
        node = self.root
        for ch in word:
            if ch not in node.children:
                node.children[ch] = TrieNode()
            node = node.children[ch]
            node.count += 1
        node.is_end = True

    def search(self, word):
        node = self.root
        for ch in word:
            if ch not in node.children:
                return False
            node = node.children[ch]
        return node.is_end

    def prefix_count(self, prefix):
        node = self.root
        for ch in prefix:
            if ch not in node.children:
                return 0
            node = node.children[ch]
        return node.count


def trie(words, queries):
    t = Trie()
    for w in words:
        t.insert(w)
    return [(q, t.search(q), t.prefix_count(q)) for q in queries]


def trie_of_numbers(rows, queries):
    t = Trie()
    for row in rows:
        t.insert(row)
    return [t.search(q) for q in queries], t.prefix_count(queries[0][:1])


class Light(Enum):
    RED = auto()
    GREEN = auto()
    YELLOW = auto()


NEXT = {Light.RED: (Light.GREEN, 3), Light.GREEN: (Light.YELLOW, 4), Light.YELLOW: (Light.RED, 1)}


def traffic(seconds):
    state, left = Light.RED, 2
    counts = {light: 0 for light in Light}
    for _ in range(seconds):
        counts[state] += 1
        left -= 1
        if left == 0:
            state, left = NEXT[state]
    return state.name, [counts[light] for light in Light]


class Parser:
    def __init__(self, tokens):
        self.tokens = tokens
        self.pos = 0

    def peek(self):
        return self.tokens[self.pos] if self.pos < len(self.tokens) else None

    def take(self):
        token = self.peek()
        self.pos += 1
        return token

    def expr(self):
        value = self.term()
        while self.peek() in ("+", "-"):
            value = value + self.term() if self.take() == "+" else value - self.term()
        return value

    def term(self):
        value = self.factor()
        while self.peek() in ("*", "/"):
            if self.take() == "*":
                value *= self.factor()
            else:
                value /= self.factor()
        return value

    def factor(self):
        token = self.take()
        if token == "(":
            value = self.expr()
            self.take()
            return value
        if token == "-":
            return -self.factor()
        return token


def calculator(x, y):
    return Parser(["(", x, "+", 2.0, ")", "*", y, "-", "-", x, "/", 4.0]).expr()


def rpn(text, x):
    stack = []
    for token in text.split():
        if token in "+-*/^" and len(token) == 1:
            b, a = stack.pop(), stack.pop()
            stack.append({"+": a + b, "-": a - b, "*": a * b, "/": a / b if b else float("nan"), "^": a**b}[token])
        elif token == "x":
            stack.append(x)
        else:
            stack.append(float(token))
    return stack[0]


class Body:
    def __init__(self, mass, pos, vel):
        self.mass = mass
        self.pos = np.array(pos, dtype=float)
        self.vel = np.array(vel, dtype=float)

    def kinetic(self):
        return 0.5 * self.mass * np.dot(self.vel, self.vel)


class System:
    G = 1.0

    def __init__(self, bodies):
        self.bodies = bodies

    def accelerations(self):
        acc = [np.zeros(2) for _ in self.bodies]
        for (i, a), (j, b) in itertools.combinations(enumerate(self.bodies), 2):
            r = b.pos - a.pos
            d3 = (np.dot(r, r) + 0.01) ** 1.5
            acc[i] += self.G * b.mass * r / d3
            acc[j] -= self.G * a.mass * r / d3
        return acc

    def step(self, dt):
        for body, a in zip(self.bodies, self.accelerations()):
            body.vel += a * dt
        for body in self.bodies:
            body.pos += body.vel * dt

    def energy(self):
        kinetic = sum(b.kinetic() for b in self.bodies)
        potential = 0.0
        for a, b in itertools.combinations(self.bodies, 2):
            potential -= self.G * a.mass * b.mass / np.sqrt(np.dot(a.pos - b.pos, a.pos - b.pos) + 0.01)
        return kinetic + potential


def n_body(m, steps):
    s = System([Body(m, (0, 0), (0, 0)), Body(1.0, (1, 0), (0, 1)), Body(0.5, (0, -2), (0.7, 0))])
    e0 = s.energy()
    for _ in range(steps):
        s.step(0.01)
    return s.energy() - e0, [b.pos for b in s.bodies]


def n_body_many(masses, pos, vel, steps):
    s = System([Body(m, p, v) for m, p, v in zip(masses, pos, vel)])
    for _ in range(steps):
        s.step(0.01)
    return s.energy(), np.array([b.pos for b in s.bodies])


def word_stats(text, least):
    words = [w.strip(".,;!?").lower() for w in text.split()]
    counts = Counter(words)
    common = [(w, c) for w, c in counts.most_common() if c >= least]
    return common, sum(map(len, words)) / len(words), max(words, key=len)


def caesar(text, shift):
    out = ""
    for ch in text:
        if ch.isalpha():
            base = ord("A") if ch.isupper() else ord("a")
            out += chr((ord(ch) - base + shift) % 26 + base)
        else:
            out += ch
    return out


def run_length(bits):
    out = []
    for b in bits:
        if out and out[-1][0] == b:
            out[-1] = (b, out[-1][1] + 1)
        else:
            out.append((b, 1))
    return out


def coin_change(amount, coins):
    best = [0] + [float("inf")] * amount
    used = [0] * (amount + 1)
    for a in range(1, amount + 1):
        for c in coins:
            if c <= a and best[a - c] + 1 < best[a]:
                best[a] = best[a - c] + 1
                used[a] = c
    if best[amount] == float("inf"):
        return -1, []
    picked = []
    while amount > 0:
        picked.append(used[amount])
        amount -= used[amount]
    return best[-1], picked


def lis(seq):
    tails, prev, where = [], [-1] * len(seq), []
    for i, x in enumerate(seq):
        lo, hi = 0, len(tails)
        while lo < hi:
            mid = (lo + hi) // 2
            if tails[mid] < x:
                lo = mid + 1
            else:
                hi = mid
        if lo == len(tails):
            tails.append(x)
            where.append(i)
        else:
            tails[lo] = x
            where[lo] = i
        prev[i] = where[lo - 1] if lo else -1
    out, k = [], where[-1]
    while k != -1:
        out.append(seq[k])
        k = prev[k]
    return out[::-1]


class UnionFind:
    def __init__(self, n):
        self.parent = list(range(n))
        self.size = [1] * n
        self.count = n

    def find(self, x):
        while self.parent[x] != x:
            self.parent[x] = self.parent[self.parent[x]]
            x = self.parent[x]
        return x

    def union(self, a, b):
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        if self.size[a] < self.size[b]:
            a, b = b, a
        self.parent[b] = a
        self.size[a] += self.size[b]
        self.count -= 1
        return True


def kruskal(n, edges):
    uf = UnionFind(n)
    total, tree = 0, []
    for w, a, b in sorted((w, a, b) for a, b, w in edges):
        if uf.union(a, b):
            total += w
            tree.append((a, b))
            if uf.count == 1:
                break
    return total, tree


def flood(grid, r, c, colour):
    old = grid[r][c]
    if old == colour:
        return grid, 0
    stack, n = [(r, c)], 0
    while stack:
        i, j = stack.pop()
        if 0 <= i < len(grid) and 0 <= j < len(grid[0]) and grid[i][j] == old:
            grid[i][j] = colour
            n += 1
            stack.extend([(i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)])
    return grid, n


def tic_tac_toe(moves):
    board = [[" "] * 3 for _ in range(3)]
    lines = [[(i, j) for j in range(3)] for i in range(3)] + [[(i, j) for i in range(3)] for j in range(3)] + [[(i, i) for i in range(3)], [(i, 2 - i) for i in range(3)]]
    player = "X"
    for m in moves:
        r, c = divmod(m, 3)
        if board[r][c] != " ":
            continue
        board[r][c] = player
        for line in lines:
            if all(board[i][j] == player for i, j in line):
                for row in board:
                    print("|".join(row))
                return player
        player = "O" if player == "X" else "X"
    return "draw"


def simulate_queue(seed, n):
    rng = random.Random(seed)
    t, free, waits = 0.0, 0.0, []
    for _ in range(n):
        t += rng.expovariate(1.0)
        start = max(t, free)
        waits.append(start - t)
        free = start + rng.expovariate(1.2)
    return sum(waits) / n, max(waits)


class Stack:
    def __init__(self):
        self._items = []

    def push(self, x):
        self._items.append(x)

    def pop(self):
        if not self._items:
            raise IndexError("pop from empty stack")
        return self._items.pop()

    def __len__(self):
        return len(self._items)

    def __bool__(self):
        return bool(self._items)


def balanced(text):
    pairs = {")": "(", "]": "[", "}": "{"}
    s = Stack()
    for ch in text:
        if ch in "([{":
            s.push(ch)
        elif ch in pairs:
            if not s or s.pop() != pairs[ch]:
                return False
    return not s


def balanced_codes(codes):
    s = Stack()
    for c in codes:
        if c > 0:
            s.push(c)
        else:
            try:
                if s.pop() != -c:
                    return False
            except IndexError:
                return False
    return len(s) == 0


class Node:
    def __init__(self, key):
        self.key = key
        self.left = None
        self.right = None


class BST:
    def __init__(self):
        self.root = None

    def insert(self, key):
        if self.root is None:
            self.root = Node(key)
            return
        node = self.root
        while True:
            if key < node.key:
                if node.left is None:
                    node.left = Node(key)
                    return
                node = node.left
            elif key > node.key:
                if node.right is None:
                    node.right = Node(key)
                    return
                node = node.right
            else:
                return

    def in_order(self):
        out = []

        def go(node):
            if node:
                go(node.left)
                out.append(node.key)
                go(node.right)

        go(self.root)
        return out

    def walk(self):
        def go(node):
            if node:
                yield from go(node.left)
                yield node.key
                yield from go(node.right)

        return list(go(self.root))


def height(node):
    if node is None:
        return 0
    return 1 + max(height(node.left), height(node.right))


def bst(keys):
    t = BST()
    for k in keys:
        t.insert(k)
    return height(t.root), t.in_order()


def bst_by_generator(keys):
    t = BST()
    for k in keys:
        t.insert(k)
    return t.walk()


def pascal(n):
    rows = [[1]]
    while len(rows) < n:
        last = rows[-1]
        rows.append([1] + [a + b for a, b in zip(last, last[1:])] + [1])
    return rows


def sieve_pairs(n):
    prime = [True] * (n + 1)
    prime[0:2] = [False, False]
    for i in range(2, int(n**0.5) + 1):
        if prime[i]:
            prime[i * i :: i] = [False] * len(prime[i * i :: i])
    primes = [i for i, p in enumerate(prime) if p]
    return primes, [(a, b) for a, b in zip(primes, primes[1:]) if b - a == 2]


def permutations_of(items):
    if len(items) <= 1:
        return [items]
    out = []
    for i in range(len(items)):
        for rest in permutations_of(items[:i] + items[i + 1 :]):
            out.append([items[i]] + rest)
    return out


def hanoi(n):
    moves = []

    def move(k, a, b, c):
        if k == 0:
            return
        move(k - 1, a, c, b)
        moves.append((a, c))
        move(k - 1, b, a, c)

    move(n, "A", "B", "C")
    return len(moves), moves[:3]


def n_queens(n):
    count = 0
    cols, d1, d2 = set(), set(), set()

    def place(r):
        nonlocal count
        if r == n:
            count += 1
            return
        for c in range(n):
            if c in cols or r + c in d1 or r - c in d2:
                continue
            cols.add(c)
            d1.add(r + c)
            d2.add(r - c)
            place(r + 1)
            cols.remove(c)
            d1.remove(r + c)
            d2.remove(r - c)

    place(0)
    return count


def floyd(n, edges):
    d = [[0 if i == j else math.inf for j in range(n)] for i in range(n)]
    for a, b, w in edges:
        d[a][b] = min(d[a][b], w)
    for k, i, j in itertools.product(range(n), repeat=3):
        d[i][j] = min(d[i][j], d[i][k] + d[k][j])
    return d


def grade_book(scores):
    letters = {"A": 0, "B": 0, "C": 0, "F": 0}
    for s in scores:
        match s:
            case _ if s >= 90:
                grade = "A"
            case _ if s >= 75:
                grade = "B"
            case _ if s >= 60:
                grade = "C"
            case _:
                grade = "F"
        letters[grade] += 1
    mean = sum(scores) / len(scores)
    sd = (sum((s - mean) ** 2 for s in scores) / (len(scores) - 1)) ** 0.5
    print(f"mean {mean:.1f} sd {sd:.2f}")
    for letter, n in letters.items():
        print(f"{letter}: {'#' * n}")
    return letters, sorted(scores)[len(scores) // 2]


EDGES = [(0, 1, 7), (0, 2, 9), (0, 5, 14), (1, 2, 10), (1, 3, 15), (2, 3, 11), (2, 5, 2), (3, 4, 6), (4, 5, 9)]
CALLS = [
    (matrix_chain, ([10, 30, 5, 60],), ([5, 10, 3, 12, 5],)),
    (knapsack_items, (10, [5, 4, 6, 3], [10, 40, 30, 50]), (3, [5, 4, 6, 3], [10, 40, 30, 50])),
    (edit_distance, ("kitten", "sitting"), ([1, 2, 3], [2, 3, 4, 1])),
    (life, (6, 6, [(1, 0), (1, 1), (1, 2)], 3), (8, 8, [(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)], 4)),
    (huffman_lengths, ([5, 9, 12, 13, 16, 45],)),
    (topological, (6, [(5, 2), (5, 0), (4, 0), (4, 1), (2, 3), (3, 1)]), (3, [(0, 1), (1, 2), (2, 0)])),
    (dijkstra_path, (6, EDGES, 0, 4)),
    (merge_intervals, ([(1, 3), (8, 10), (2, 6), (15, 18), (17, 20)],)),
    (spiral, (3, 4), (1, 3)),
    (to_roman, (1994,), (3,)),
    (from_roman, ("MCMXCIV",)),
    (collatz_longest, (30,)),
    (bank, ([10.0, 500.0, -3.0, 20.0], 100.0)),
    (inventory, (3, 2.5)),
    (lru, (2, [1, 2, 1, 3, 2, 2, 1])),
    (trie, (["car", "cart", "dog"], ["car", "ca", "do"])),
    (trie_of_numbers, ([[1, 2, 3], [1, 2], [4, 1]], [[1, 2], [4], [4, 1]])),
    (traffic, (11,)),
    (calculator, (3.0, 2.0)),
    (rpn, ("3 x * 2 ^ 1 +", 2.0)),
    (n_body, (10.0, 4)),
    (n_body_many, ([3.0, 1.0, 1.0, 2.0, 0.5], [[0, 0], [1, 0], [0, 2], [3, 3], [-1, -1]], [[0, 0], [0, 1], [1, 0], [0, 0], [0, 0]], 3)),
    (word_stats, ("The cat and the dog, and the bird.", 2)),
    (caesar, ("Hello, World", 3)),
    (run_length, ([1, 1, 0, 0, 0, 1],), (np.array([2, 2, 2, 5]),)),
    (coin_change, (11, [1, 5, 7]), (3, [2])),
    (lis, ([3, 1, 4, 1, 5, 9, 2, 6],), (np.array([5, 2, 8, 6, 3, 6, 9, 7]),)),
    (kruskal, (6, EDGES)),
    (flood, ([[1, 1, 0], [1, 0, 0], [1, 1, 1]], 0, 0, 2)),
    (tic_tac_toe, ([0, 3, 1, 4, 2],), ([0, 0, 1, 2, 4, 8],)),
    (simulate_queue, (3, 20)),
    (balanced, ("{[()]}(",), ("([]{})",)),
    (balanced_codes, ([1, 2, -2, -1],), ([1, -2],), ([-1],)),
    (bst, ([5, 3, 8, 1, 4, 7, 9],), (np.array([2, 1, 3, 3, 0]),)),
    (bst_by_generator, (np.array([2, 1, 3, 3, 0]),)),
    (pascal, (5,)),
    (sieve_pairs, (30,)),
    (permutations_of, ([1, 2, 3],)),
    (hanoi, (3,)),
    (n_queens, (5,)),
    (floyd, (6, EDGES)),
    (grade_book, ([91.0, 72.5, 60.0, 45.0, 88.0],)),
]
