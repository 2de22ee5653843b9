# ruff: noqa: B006, B007, B008, B023, B905, E225, E231, E301, E302, E303, E305, E306, E701, E702, E731, E741, PIE800, TRY301, TRY003, EM102, D, F401, FURB, PERF, PLR, PLW, RUF, SIM, UP, C4, I, B, S, FLY, A001, W
"""Programs of students and scientists about Python's containers (graphs, tables, caches, queues, texts), each with the arguments of a call."""
import functools
import heapq
import itertools
import math
from collections import Counter, OrderedDict, defaultdict, deque


def grid_bfs(grid, start, goal):
    rows, cols = len(grid), len(grid[0])
    seen = {start}
    todo = deque([(start, 0)])
    while todo:
        (r, c), d = todo.popleft()
        if (r, c) == goal:
            return d
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            nr, nc = r + dr, c + dc
            if 0 <= nr < rows and 0 <= nc < cols and grid[nr][nc] == 0 and (nr, nc) not in seen:
                seen.add((nr, nc))
                todo.append(((nr, nc), d + 1))
    return -1

def dijkstra(graph, source, target):
    dist = {node: math.inf for node in graph}
    dist[source] = 0.0
    todo = [(0.0, source)]
    while todo:
        d, u = heapq.heappop(todo)
        if d > dist[u]:
            continue
        for v, w in graph[u].items():
            if d + w < dist[v]:
                dist[v] = d + w
                heapq.heappush(todo, (d + w, v))
    return dist[target]

def bellman_ford(edges, n, source):
    dist = [math.inf] * n
    dist[source] = 0.0
    for _ in range(n - 1):
        for u, v, w in edges:
            dist[v] = min(dist[v], dist[u] + w)
    return dist

def floyd(weights):
    n = len(weights)
    d = [row[:] for row in weights]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                d[i][j] = min(d[i][j], d[i][k] + d[k][j])
    return d

def lcs(a, b):
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            table[i][j] = table[i - 1][j - 1] + 1 if a[i - 1] == b[j - 1] else max(table[i - 1][j], table[i][j - 1])
    out = []
    i, j = len(a), len(b)
    while i and j:
        if a[i - 1] == b[j - 1]:
            out.append(a[i - 1]); i -= 1; j -= 1
        elif table[i - 1][j] >= table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return "".join(reversed(out))

def knapsack(weights, values, room):
    best = [0.0] * (room + 1)
    for w, v in zip(weights, values):
        for r in range(room, w - 1, -1):
            best[r] = max(best[r], best[r - w] + v)
    return best[room]

def knapsack_memo(weights, values, room):
    memo = {}
    def go(i, r):
        if i == len(weights):
            return 0.0
        if (i, r) not in memo:
            best = go(i + 1, r)
            if weights[i] <= r:
                best = max(best, values[i] + go(i + 1, r - weights[i]))
            memo[i, r] = best
        return memo[i, r]
    return go(0, room), len(memo)

def grid_paths(m, n, p):
    memo = {}
    def go(i, j):
        if i == 0 and j == 0:
            return 1.0
        if i < 0 or j < 0:
            return 0.0
        if (i, j) in memo:
            return memo[(i, j)]
        memo[(i, j)] = p * go(i - 1, j) + (1 - p) * go(i, j - 1)
        return memo[(i, j)]
    return go(m, n)

def lru(requests, room):
    cache = OrderedDict()
    hits = 0
    for key in requests:
        if key in cache:
            hits += 1
            cache.move_to_end(key)
        else:
            if len(cache) >= room:
                cache.popitem(last=False)
            cache[key] = True
    return hits, list(cache)

def topological(edges, n):
    after = defaultdict(list)
    before = [0] * n
    for u, v in edges:
        after[u].append(v)
        before[v] += 1
    todo = deque(k for k in range(n) if before[k] == 0)
    order = []
    while todo:
        u = todo.popleft()
        order.append(u)
        for v in after[u]:
            before[v] -= 1
            if before[v] == 0:
                todo.append(v)
    return order

def components(edges, n):
    parent = list(range(n))
    def find(x):
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x
    for u, v in edges:
        a, b = find(u), find(v)
        if a != b:
            parent[b] = a
    groups = defaultdict(list)
    for k in range(n):
        groups[find(k)].append(k)
    return sorted(groups.values())

def kruskal(edges, n):
    parent = list(range(n))
    def find(x):
        while parent[x] != x:
            x = parent[x]
        return x
    total = 0.0
    for w, u, v in sorted(edges):
        a, b = find(u), find(v)
        if a != b:
            parent[a] = b
            total += w
    return total


def trie(words, text):
    root = {}
    for word in words:
        node = root
        for letter in word:
            node = node.setdefault(letter, {})
        node["$"] = True
    node, depth = root, 0
    for letter in text:
        if letter not in node:
            break
        node = node[letter]
        depth += 1
    return depth, "$" in node

def queens(n):
    count = 0
    cols, up, down = set(), set(), set()
    def place(r):
        nonlocal count
        if r == n:
            count += 1
            return
        for c in range(n):
            if c in cols or r + c in up or r - c in down:
                continue
            cols.add(c); up.add(r + c); down.add(r - c)
            place(r + 1)
            cols.remove(c); up.remove(r + c); down.remove(r - c)
    place(0)
    return count

def permutations_by_swapping(items):
    out = []
    def go(k):
        if k == len(items):
            out.append(items[:])
            return
        for i in range(k, len(items)):
            items[k], items[i] = items[i], items[k]
            go(k + 1)
            items[k], items[i] = items[i], items[k]
    go(0)
    return out

def subsets(items, target):
    found = []
    def go(k, chosen, total):
        if total == target:
            found.append(list(chosen))
            return
        if k == len(items) or total > target:
            return
        chosen.append(items[k])
        go(k + 1, chosen, total + items[k])
        chosen.pop()
        go(k + 1, chosen, total)
    go(0, [], 0)
    return found


def life_grid(grid, steps):
    n, m = len(grid), len(grid[0])
    for _ in range(steps):
        new = [[0] * m for _ in range(n)]
        for i in range(n):
            for j in range(m):
                near = sum(grid[(i + a) % n][(j + b) % m] for a in (-1, 0, 1) for b in (-1, 0, 1)) - grid[i][j]
                new[i][j] = 1 if near == 3 or near == 2 and grid[i][j] else 0
        grid = new
    return grid

def gauss(m, b):
    n = len(m)
    m = [row[:] for row in m]
    b = b[:]
    for i in range(n):
        p = max(range(i, n), key=lambda r: abs(m[r][i]))
        m[i], m[p] = m[p], m[i]
        b[i], b[p] = b[p], b[i]
        for r in range(i + 1, n):
            f = m[r][i] / m[i][i]
            for c in range(i, n):
                m[r][c] -= f * m[i][c]
            b[r] -= f * b[i]
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (b[i] - sum(m[i][j] * x[j] for j in range(i + 1, n))) / m[i][i]
    return x

def gauss_in_place(m, b):
    n = len(m)
    for i in range(n):
        p = i
        for r in range(i + 1, n):
            if abs(m[r][i]) > abs(m[p][i]):
                p = r
        if p != i:
            m[i], m[p] = m[p], m[i]
            b[i], b[p] = b[p], b[i]
        for r in range(i + 1, n):
            f = m[r][i] / m[i][i]
            for c in range(i, n):
                m[r][c] -= f * m[i][c]
            b[r] -= f * b[i]
    for i in reversed(range(n)):
        b[i] = (b[i] - sum(m[i][j] * b[j] for j in range(i + 1, n))) / m[i][i]
    return b

def determinant(m):
    if len(m) == 1:
        return m[0][0]
    return sum((-1) ** j * m[0][j] * determinant([row[:j] + row[j + 1:] for row in m[1:]]) for j in range(len(m)))

def matmul(a, b):
    return [[sum(x * y for x, y in zip(row, col)) for col in zip(*b)] for row in a]

def transpose_in_place(m):
    for i in range(len(m)):
        for j in range(i):
            m[i][j], m[j][i] = m[j][i], m[i][j]

def pascal(n):
    rows = [[1]]
    for _ in range(n):
        last = rows[-1]
        rows.append([1] + [a + b for a, b in zip(last, last[1:])] + [1])
    return rows

def events(arrivals, service):
    todo = [(t, "arrive", k) for k, t in enumerate(arrivals)]
    heapq.heapify(todo)
    waiting, busy, log = deque(), False, []
    while todo:
        t, what, k = heapq.heappop(todo)
        log.append((round(t, 6), what, k))
        if what == "arrive":
            waiting.append(k)
        else:
            busy = False
        if waiting and not busy:
            busy = True
            heapq.heappush(todo, (t + service, "leave", waiting.popleft()))
    return log

def tokens(text):
    out, k = [], 0
    while k < len(text):
        c = text[k]
        if c.isdigit():
            number = ""
            while k < len(text) and text[k].isdigit():
                number += text[k]
                k += 1
            out.append(("num", int(number)))
        elif c in "+-*/()":
            out.append(("op", c)); k += 1
        else:
            k += 1
    return out

def calculator(text, x):
    prec = {"+": 1, "-": 1, "*": 2, "/": 2}
    values, ops = [], []
    def apply():
        b, a, o = values.pop(), values.pop(), ops.pop()
        values.append(a + b if o == "+" else a - b if o == "-" else a * b if o == "*" else a / b)
    for c in text.split():
        if c in prec:
            while ops and prec[ops[-1]] >= prec[c]:
                apply()
            ops.append(c)
        else:
            values.append(x if c == "x" else float(c))
    while ops:
        apply()
    return values[0]

def rpn(text, x):
    stack = []
    for token in text.split():
        if token in "+-*/":
            b = stack.pop(); a = stack.pop()
            stack.append({"+": a + b, "-": a - b, "*": a * b, "/": a / b}[token])
        else:
            stack.append(x if token == "x" else float(token))
    return stack.pop()

def histogram(text):
    counts = {}
    for letter in text.lower():
        if letter.isalpha():
            counts[letter] = counts.get(letter, 0) + 1
    return "\n".join(f"{k} {'#' * v}" for k, v in sorted(counts.items(), key=lambda kv: (-kv[1], kv[0])))

def word_lengths(text):
    by = defaultdict(list)
    for word in text.split():
        by[len(word)].append(word)
    return {k: sorted(v) for k, v in sorted(by.items())}

def caesar(text, shift):
    out = ""
    for c in text:
        out += chr((ord(c) - 97 + shift) % 26 + 97) if c.isalpha() else c
    return out

def run_lengths(text):
    out, k = [], 0
    while k < len(text):
        j = k
        while j < len(text) and text[j] == text[k]:
            j += 1
        out.append(f"{text[k]}{j - k}")
        k = j
    return "".join(out)

def balanced(text):
    pairs, stack = {")": "(", "]": "["}, []
    for c in text:
        if c in "([":
            stack.append(c)
        elif c in pairs:
            if not stack or stack.pop() != pairs[c]:
                return False
    return not stack

def primes(n):
    sieve = [True] * (n + 1)
    sieve[0:2] = [False, False]
    for k in range(2, int(n ** 0.5) + 1):
        if sieve[k]:
            for j in range(k * k, n + 1, k):
                sieve[j] = False
    return [k for k, is_prime in enumerate(sieve) if is_prime]

def factors(n):
    out, p = {}, 2
    while n > 1:
        while n % p == 0:
            out[p] = out.get(p, 0) + 1
            n //= p
        p += 1
    return out

def collatz(n):
    seen = [n]
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        seen.append(n)
    return seen

def hanoi(n):
    pegs = {"A": list(range(n, 0, -1)), "B": [], "C": []}
    moves = []
    def move(k, a, b, c):
        if k:
            move(k - 1, a, c, b)
            pegs[c].append(pegs[a].pop())
            moves.append(a + c)
            move(k - 1, b, a, c)
    move(n, "A", "B", "C")
    return moves, pegs

def merge_sort(items):
    if len(items) < 2:
        return items
    mid = len(items) // 2
    a, b = merge_sort(items[:mid]), merge_sort(items[mid:])
    out = []
    while a and b:
        out.append(a.pop(0) if a[0] <= b[0] else b.pop(0))
    return out + a + b

def bubble(items):
    for i in range(len(items)):
        for j in range(len(items) - 1 - i):
            if items[j] > items[j + 1]:
                items[j], items[j + 1] = items[j + 1], items[j]
    return items

def sudoku(board):
    def free(r, c):
        used = set(board[r]) | {board[i][c] for i in range(4)}
        used |= {board[i][j] for i in range(r // 2 * 2, r // 2 * 2 + 2) for j in range(c // 2 * 2, c // 2 * 2 + 2)}
        return [v for v in range(1, 5) if v not in used]
    def solve():
        for r in range(4):
            for c in range(4):
                if board[r][c] == 0:
                    for v in free(r, c):
                        board[r][c] = v
                        if solve():
                            return True
                        board[r][c] = 0
                    return False
        return True
    return solve(), board

def flood(grid, r, c, colour):
    old = grid[r][c]
    todo = [(r, c)]
    while todo:
        i, j = todo.pop()
        if 0 <= i < len(grid) and 0 <= j < len(grid[0]) and grid[i][j] == old and old != colour:
            grid[i][j] = colour
            todo += [(i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)]
    return grid

def two_colours(graph, start):
    colour = {start: 0}
    todo = [start]
    while todo:
        u = todo.pop()
        for v in graph[u]:
            if v not in colour:
                colour[v] = 1 - colour[u]
                todo.append(v)
            elif colour[v] == colour[u]:
                return None
    return colour

def pagerank(links, damping, turns):
    nodes = sorted(links)
    rank = {n: 1.0 / len(nodes) for n in nodes}
    for _ in range(turns):
        new = {n: (1 - damping) / len(nodes) for n in nodes}
        for n, outs in links.items():
            for m in outs:
                new[m] += damping * rank[n] / len(outs)
        rank = new
    return rank

def markov(table, start, steps):
    p = {start: 1.0}
    for _ in range(steps):
        new = defaultdict(float)
        for a, pa in p.items():
            for b, w in table[a].items():
                new[b] += pa * w
        p = new
    return dict(p)

def records(lines):
    out = defaultdict(list)
    for line in lines:
        name, value = line.split(",")
        out[name.strip()].append(float(value))
    return {k: (len(v), sum(v) / len(v)) for k, v in out.items()}

def accounts(book, moves):
    for a, b, amount in moves:
        if book[a] < amount:
            raise ValueError(f"{a} has {book[a]}")
        book[a] -= amount
        book[b] = book.get(b, 0.0) + amount
    return sum(book.values())

def inventory(stock, orders):
    sold = Counter()
    for name, n in orders:
        take = min(n, stock.get(name, {"n": 0})["n"])
        if take:
            stock[name]["n"] -= take
            sold[name] += take
    return sold.most_common(), sum(stock[k]["price"] * v for k, v in sold.items())

def polynomial(p, q):
    out = defaultdict(float)
    for (i, a), (j, b) in itertools.product(p.items(), q.items()):
        out[i + j] += a * b
    return dict(sorted(out.items()))

def sparse_product(a, b):
    out = {}
    for (i, k), x in a.items():
        for (l, j), y in b.items():
            if k == l:
                out[i, j] = out.get((i, j), 0.0) + x * y
    return out

def edit_distance(a, b):
    @functools.cache
    def go(i, j):
        if i == 0 or j == 0:
            return i + j
        return min(go(i - 1, j) + 1, go(i, j - 1) + 1, go(i - 1, j - 1) + (a[i - 1] != b[j - 1]))
    return go(len(a), len(b))

def coins(kinds, amount):
    ways = [1] + [0] * amount
    for c in kinds:
        for a in range(c, amount + 1):
            ways[a] += ways[a - c]
    return ways[amount]

def longest_rising(xs):
    best = [1] * len(xs)
    for i in range(len(xs)):
        for j in range(i):
            if xs[j] < xs[i]:
                best[i] = max(best[i], best[j] + 1)
    return max(best)

def windows(xs, k):
    out, inside = [], deque()
    for i, x in enumerate(xs):
        while inside and xs[inside[-1]] <= x:
            inside.pop()
        inside.append(i)
        if inside[0] <= i - k:
            inside.popleft()
        if i >= k - 1:
            out.append(xs[inside[0]])
    return out

def two_sum(xs, target):
    seen = {}
    for i, x in enumerate(xs):
        if target - x in seen:
            return seen[target - x], i
        seen[x] = i
    return None

def anagrams(words):
    groups = {}
    for word in words:
        groups.setdefault("".join(sorted(word)), []).append(word)
    return list(groups.values())

def spiral(m):
    out = []
    m = [row[:] for row in m]
    while m:
        out += m.pop(0)
        m = [list(row) for row in zip(*m)][::-1]
    return out

def union_of_intervals(spans):
    out = []
    for a, b in sorted(spans):
        if out and a <= out[-1][1]:
            out[-1][1] = max(out[-1][1], b)
        else:
            out.append([a, b])
    return out

def rotate(items, k):
    d = deque(items, maxlen=len(items))
    d.rotate(k)
    return d

def tic_tac_toe(board, player):
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    for k in range(9):
        if board[k] == " ":
            board[k] = player
            if any(all(board[i] == player for i in line) for line in lines):
                return k
            board[k] = " "
    return None

def relax(tree, values):
    def total(node):
        return values[node] + sum(total(child) for child in tree.get(node, []))
    return {node: total(node) for node in values}


def clusters(points, centres, turns):
    for _ in range(turns):
        groups = [[] for _ in centres]
        for p in points:
            k = min(range(len(centres)), key=lambda c: (p - centres[c]) ** 2)
            groups[k].append(p)
        centres = [sum(g) / len(g) if g else c for g, c in zip(groups, centres)]
    return centres


def stack_machine(program, x):
    stack, at, turns = [], 0, 0
    while at < len(program):
        op, *rest = program[at]
        at += 1
        turns += 1
        if op == "push":
            stack.append(rest[0])
        elif op == "x":
            stack.append(x)
        elif op == "add":
            stack.append(stack.pop() + stack.pop())
        elif op == "mul":
            stack.append(stack.pop() * stack.pop())
        elif op == "loop" and turns < rest[1]:
            at = rest[0]
    return stack[-1]

def moves_of_a_knight(n, start):
    board = [[-1] * n for _ in range(n)]
    todo = [start]
    board[start[0]][start[1]] = 0
    for r, c in todo:
        for dr, dc in ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)):
            i, j = r + dr, c + dc
            if 0 <= i < n and 0 <= j < n and board[i][j] < 0:
                board[i][j] = board[r][c] + 1
                todo.append((i, j))
    return board

def bank_queue(times, tellers):
    free = [0.0] * tellers
    waits = []
    for arrive, need in times:
        k = free.index(min(free))
        begin = max(arrive, free[k])
        waits.append(begin - arrive)
        free[k] = begin + need
    return sum(waits) / len(waits), free

W = [[0.0, 4.0, 1.0], [4.0, 0.0, 2.0], [1.0, 2.0, 0.0]]
M = [[2.0, 1.0, 1.0], [4.0, 1.0, 0.5], [-2.0, 2.0, 1.0]]
G = {0: {1: 1.0, 2: 5.0}, 1: {0: 1.0, 2: 2.0}, 2: {0: 5.0, 1: 2.0, 3: 1.0}, 3: {2: 1.0}}
EDGES = [(0, 1), (1, 2), (3, 4)]
CALLS = {
    "grid_bfs": ([[0, 0, 1], [1, 0, 0], [0, 1, 0]], (0, 0), (2, 2)), "dijkstra": (G, 0, 3), "bellman_ford": ([(0, 1, 2.0), (1, 2, -0.5), (0, 2, 4.0)], 3, 0), "floyd": (W,),
    "lcs": ("abcde", "bxde"), "knapsack": ([2, 3, 4], [3.0, 4.5, 5.5], 6), "knapsack_memo": ([2, 3, 4], [3.0, 4.5, 5.5], 6), "grid_paths": (3, 2, 0.4),
    "lru": ([1, 2, 3, 1, 4, 2], 3), "topological": ([(0, 1), (1, 2), (0, 3), (3, 2)], 4), "components": (EDGES, 6), "kruskal": ([(2.5, 0, 1), (1.0, 1, 2), (3.0, 0, 2)], 3),
    "trie": (["car", "cat", "dog"], "cap"), "queens": (5,), "permutations_by_swapping": ([1, 2, 3],), "subsets": ([1, 2, 3, 4], 5),
    "life_grid": ([[0, 1, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]], 2), "gauss": (M, [1.0, 2.0, 3.0]), "gauss_in_place": (M, [1.0, 2.0, 3.0]), "determinant": (M,), "matmul": (M, W),
    "transpose_in_place": (M,), "pascal": (5,), "events": ([0.5, 0.7, 2.0], 1.0), "tokens": ("12+(3*45)",), "calculator": ("2 + x * 3 - 1", 1.5), "rpn": ("x 2 * 3 +", 1.5),
    "histogram": ("Hello World",), "word_lengths": ("a bee saw the sea",), "caesar": ("hello you", 3), "run_lengths": ("aaabcc",), "balanced": ("([])[",), "primes": (30,), "factors": (360,),
    "collatz": (7,), "hanoi": (3,), "merge_sort": ([3.0, 1.0, 2.0, 5.0],), "bubble": ([3.0, 1.0, 2.0, 5.0],), "sudoku": ([[1, 0, 3, 4], [3, 4, 0, 2], [2, 1, 4, 0], [0, 3, 2, 1]],),
    "flood": ([[1, 1, 0], [0, 1, 0], [1, 0, 1]], 0, 0, 7), "two_colours": ({0: [1], 1: [0, 2], 2: [1]}, 0), "pagerank": ({"a": ["b", "c"], "b": ["c"], "c": ["a"]}, 0.85, 4),
    "markov": ({"s": {"s": 0.7, "r": 0.3}, "r": {"s": 0.4, "r": 0.6}}, "s", 3), "records": (["a, 1.5", "b, 2", "a, 2.5"],), "accounts": ({"a": 5.0, "b": 1.0}, [("a", "b", 2.0), ("b", "c", 1.5)]),
    "inventory": ({"x": {"n": 3, "price": 2.5}, "y": {"n": 1, "price": 4.0}}, [("x", 2), ("y", 3), ("z", 1)]), "polynomial": ({0: 1.0, 1: 2.0}, {1: 3.0, 2: 0.5}),
    "sparse_product": ({(0, 0): 1.0, (0, 1): 2.0}, {(1, 0): 3.0, (0, 1): 0.5}), "edit_distance": ("kitten", "sitting"), "coins": ([1, 2, 5], 11), "longest_rising": ([3.0, 1.0, 2.0, 5.0, 4.0],),
    "windows": ([3.0, 1.0, 2.0, 5.0, 4.0], 2), "two_sum": ([2, 7, 11, 15], 9), "anagrams": (["eat", "tea", "tan", "ate", "nat"],), "spiral": ([[1, 2, 3], [4, 5, 6], [7, 8, 9]],),
    "union_of_intervals": ([(1.0, 3.0), (2.0, 4.0), (6.0, 7.0)],), "rotate": ([1.0, 2.0, 3.0], 1), "tic_tac_toe": (["X", "X", " ", "O", "O", " ", " ", " ", " "], "X"),
    "relax": ({0: [1, 2], 2: [3]}, {0: 1.0, 1: 2.0, 2: 0.5, 3: 4.0}), "clusters": ([1.0, 1.2, 5.0, 5.5], [0.0, 6.0], 3),
    "stack_machine": ([("push", 1.0), ("x",), ("mul",), ("x",), ("add",), ("loop", 1, 9)], 0.5), "moves_of_a_knight": (4, (0, 0)),
    "bank_queue": ([(0.0, 2.0), (0.5, 1.0), (0.7, 3.0), (4.0, 1.0)], 2),
}  # fmt: skip
