"""Functions that call themselves, of an array x, a number y and a count n."""
# ruff: noqa: E731, SIM103, PLR1730
from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import numpy as np
import scipy.integrate


def horner(c, x, k):
    if k == len(c):
        return 0.0
    return c[k] + x * horner(c, x, k + 1)


def polynomial(x, y, n):
    return horner(x, y, n)


def power(x, n):
    if n == 0:
        return 1.0
    if n % 2 == 1:
        return x * power(x, n - 1)
    h = power(x, n // 2)
    return h * h


def powers(x, y, n):
    return power(y, n + 5)


def legendre_at(n, x):
    if n == 0:
        return 1.0
    if n == 1:
        return x
    return ((2 * n - 1) * x * legendre_at(n - 1, x) - (n - 1) * legendre_at(n - 2, x)) / n


def legendre(x, y, n):
    return legendre_at(n + 3, math.tanh(y))


def chebyshev(x, y, n):
    def t(k):
        return 1.0 if k == 0 else y if k == 1 else 2 * y * t(k - 1) - t(k - 2)

    return t(n + 2)


def gcd(a, b):
    return a if b == 0 else gcd(b, a % b)


def euclid(x, y, n):
    return gcd(84 * (n + 1), 36 + n)


def hanoi(n, a, b, c, moves):
    if n > 0:
        hanoi(n - 1, a, c, b, moves)
        moves.append((a, c))
        hanoi(n - 1, b, a, c, moves)


def towers(x, y, n):
    moves = []
    hanoi(n + 2, 0, 1, 2, moves)
    return len(moves), sum(a * 3 + c for a, c in moves)


def queens(x, y, n):
    m = n + 3

    def place(row, cols):
        if row == m:
            return 1
        total = 0
        for c in range(m):
            safe = True
            for r in range(row):
                if cols[r] == c or abs(cols[r] - c) == row - r:
                    safe = False
                    break
            if not safe:
                continue
            cols[row] = c
            total += place(row + 1, cols)
        return total

    return place(0, np.zeros(m, dtype=int))


def select(a, k, lo, hi):
    p, i = a[hi], lo
    for j in range(lo, hi):
        if a[j] < p:
            a[i], a[j] = a[j], a[i]
            i += 1
    a[i], a[hi] = a[hi], a[i]
    if i == k:
        return a[i]
    if k < i:
        return select(a, k, lo, i - 1)
    return select(a, k, i + 1, hi)


def quickselect(x, y, n):
    return select(x.copy(), n, 0, len(x) - 1) * y


def merge(a, lo, hi, tmp):
    if hi - lo < 2:
        return
    m = (lo + hi) // 2
    merge(a, lo, m, tmp)
    merge(a, m, hi, tmp)
    i, j = lo, m
    for k in range(lo, hi):
        if j >= hi or (i < m and a[i] <= a[j]):
            tmp[k] = a[i]
            i += 1
        else:
            tmp[k] = a[j]
            j += 1
    a[lo:hi] = tmp[lo:hi]


def merge_in_place(x, y, n):
    a = x * y
    merge(a, 0, len(a), np.zeros(len(a)))
    return a


def merge_slices(x, y, n):
    def sort(a):
        if len(a) <= 1:
            return a
        m = len(a) // 2
        one, two = sort(a[:m]), sort(a[m:])
        i = j = 0
        out = np.empty(len(a))
        for k in range(len(a)):
            if j >= len(two) or (i < len(one) and one[i] <= two[j]):
                out[k] = one[i]
                i += 1
            else:
                out[k] = two[j]
                j += 1
        return out

    return sort(x[:3] * y)


@dataclass
class Node:
    key: float
    left: object = None
    right: object = None


def insert(node, key):
    if node is None:
        return Node(key)
    if key < node.key:
        node.left = insert(node.left, key)
    else:
        node.right = insert(node.right, key)
    return node


def height(node):
    if node is None:
        return 0
    return 1 + max(height(node.left), height(node.right))


def tree(x, y, n):
    root = None
    for v in x:
        root = insert(root, v * y)
    return height(root), root.key


def coins(x, y, n):
    kinds = [1, 2, 5]

    def ways(amount, k):
        if amount == 0:
            return 1
        if amount < 0 or k == len(kinds):
            return 0
        return ways(amount - kinds[k], k) + ways(amount, k + 1)

    return ways(n + 8, 0)


def knapsack(x, y, n):
    weights = [2, 3, 4, 5]

    def best(i, room):
        if i == len(weights):
            return 0.0
        skip = best(i + 1, room)
        if weights[i] > room:
            return skip
        return max(skip, x[i] * y + best(i + 1, room - weights[i]))

    return best(0, n + 5)


def factorial(x, y, n):
    fact = lambda k: 1 if k <= 1 else k * fact(k - 1)
    return fact(n + 4) * y


def newton(x, y, n):
    def root(z, k=0):
        if k > 30 or abs(z * z - abs(y)) < 1e-12:
            return z
        return root(0.5 * (z + abs(y) / z), k + 1)

    return root(1.0)


def adaptive(f, a, b, eps, whole):
    c = (a + b) / 2
    left = (c - a) * (f(a) + 4 * f((a + c) / 2) + f(c)) / 6
    right = (b - c) * (f(c) + 4 * f((b + c) / 2) + f(b)) / 6
    if abs(left + right - whole) <= 15 * eps:
        return left + right + (left + right - whole) / 15
    return adaptive(f, a, c, eps / 2, left) + adaptive(f, c, b, eps / 2, right)


def quadrature(x, y, n):
    f = lambda t: math.exp(-y * t) * math.cos(3 * t)
    return adaptive(f, 0.0, 3.0, 1e-7, 0.0)


def to_a_depth(x, y, n):
    def go(a, b, depth):
        m = (a + b) / 2
        fa, fm, fb = math.sin(y * a), math.sin(y * m), math.sin(y * b)
        if depth == 0 or abs(fa - 2 * fm + fb) < 1e-3:
            return (b - a) * (fa + 2 * fm + fb) / 4
        return go(a, m, depth - 1) + go(m, b, depth - 1)

    return go(0.0, 2.0, 8)


def subsets(x, y, n):
    out = []

    def go(k, total):
        if k == len(x):
            out.append(total)
            return
        go(k + 1, total)
        go(k + 1, total + x[k] * y)

    go(0, 0.0)
    return max(out), len(out)


def permutations(x, y, n):
    items, count, best = list(range(n + 2)), 0, -1e9

    def go(k):
        nonlocal count, best
        if k == len(items):
            count += 1
            best = max(best, sum(i * v * y for i, v in enumerate(items)))
            return
        for i in range(k, len(items)):
            items[k], items[i] = items[i], items[k]
            go(k + 1)
            items[k], items[i] = items[i], items[k]

    go(0)
    return count, best


def counted_before(x, y, n):
    """A number of the frame around that calls count up, read before the call and behind it."""
    count = 0

    def go(k):
        nonlocal count
        count += 1
        return count if k == 0 else count * 100 + go(k - 1) * 3 + count

    return go(n + 2)


def any_path(x, y, n):
    tried = []

    def reach(k, steps):
        tried.append(k)
        if k == 10:
            return True
        if steps == 0 or k > 10:
            return False
        return any(reach(k + d, steps - 1) for d in (1, 3))

    return reach(n, 4), len(tried)


def branches(x, y, n):
    def total(k, depth):
        if depth == 0:
            return k * y
        return sum([total(2 * k + d, depth - 1) for d in range(depth) if d != 1])

    return total(1, n + 1)


def store_behind(x, y, n):
    a = x.copy()

    def go(k):
        if k < len(a):
            a[k] += go(k + 1) * y
            return a[k]
        return 1.0

    return go(n), a


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


def nested_calls(x, y, n):
    return ackermann(2, n)


def raises(x, y, n):
    def go(k):
        if k > 4:
            raise ValueError("too deep")
        return 1 + go(k + n) if k < n else 0

    return go(0)


def directions(x, y, n):
    grid = np.array([[1, 0, 1, 1], [1, 0, 0, 1], [0, 1, 0, 0], [1, 1, 0, 1]])
    grid[n % 4, 2] = 1

    def sink(i, j):
        grid[i, j] = 0
        size = 1
        for di, dj in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            if not (0 <= i + di < 4 and 0 <= j + dj < 4):
                continue
            if size > 3 + n:
                break
            if grid[i + di, j + dj] == 1:
                size += sink(i + di, j + dj)
        return size

    return sink(0, 2), grid


def moves(x, y, n):
    def play(pile, mine):
        if pile == 0:
            return -1 if mine else 1
        best = -2 if mine else 2
        for take in (1, 2, 3):
            if take <= pile:
                value = play(pile - take, not mine)
                best = max(best, value) if mine else min(best, value)
        return best

    return play(n + 5, True)


@functools.cache
def partitions_of(n, m):
    if n == 0:
        return 1
    if n < 0 or m == 0:
        return 0
    return partitions_of(n - m, m) + partitions_of(n, m - 1)


def partitions(x, y, n):
    return partitions_of(n + 8, n + 8)


def cached_inside(x, y, n):
    weights = [2, 3, 4]

    @functools.lru_cache(None)
    def best(i, room):
        if i == len(weights):
            return 0.0
        found = best(i + 1, room)
        if weights[i] <= room:
            found = max(found, best(i + 1, room - weights[i]) + x[i] * y)
        return found

    return best(0, n + 4)


class Tree:
    def __init__(self, key):
        self.key = key
        self.left = None
        self.right = None
        self.count = 1

    def insert(self, key):
        self.count += 1
        if key < self.key:
            if self.left:
                self.left.insert(key)
            else:
                self.left = Tree(key)
        elif self.right is None:
            self.right = Tree(key)
        else:
            self.right.insert(key)

    def total(self):
        t = self.key
        if self.left is not None:
            t += self.left.total()
        if self.right is not None:
            t += self.right.total()
        return t

    def depth(self):
        one = self.left.depth() if self.left is not None else 0
        two = self.right.depth() if self.right is not None else 0
        return 1 + max(one, two)


def methods(x, y, n):
    t = Tree(x[0] * y)
    for v in x[1:]:
        t.insert(v * y)
    return t.total(), t.depth(), t.count


def splines(x, y, n):
    def basis(k, i):
        if k == 0:
            return x[i]
        left = 0.0 if x[i + k] == x[i] else (y - x[i]) / (x[i + k] - x[i]) * basis(k - 1, i)
        right = 0.0 if x[i + k + 1] == x[i + 1] else (x[i + k + 1] - y) / (x[i + k + 1] - x[i + 1]) * basis(k - 1, i + 1)
        return left + right

    return basis(n, 0)


class Solver:
    def __init__(self, tol):
        self.tol, self.calls = tol, 0

    def quad(self, f, a, b):
        self.calls += 1
        m = 0.5 * (a + b)
        one, two = (b - a) * f(m), 0.5 * (b - a) * (f(0.5 * (a + m)) + f(0.5 * (m + b)))
        if abs(one - two) < self.tol:
            return two
        return self.quad(f, a, m) + self.quad(f, m, b)


def method_of_one_object(x, y, n):
    s = Solver(1e-3)
    return s.quad(lambda t: math.sin(t * y), 0.0, 2.0), s.calls


class Base:
    def value(self, k):
        return 1.0 if k < 1 else 2.0 * self.value(k - 1)


class Overriding(Base):
    def value(self, k):
        return super().value(k) + 0.5


class Counting:
    def down(self, n):
        return 1.0 if n == 0 else self.down(n - 1)


class CountingMore(Counting):
    def down(self, n):
        return super().down(n) + 1.0


def overridden_at_the_end(n):
    return Counting.down(CountingMore(), n)


def overridden(n):
    return Overriding().value(n)


class _Growing:
    def __init__(self, rate):
        self.__rate = rate

    def __after(self, k, value):
        return value if k == 0 else self.__after(k - 1, self.__rate * value) + 1.0

    def after(self, k):
        return self.__after(k, 1.0)


def private_method(x, y, n):
    return _Growing(y).after(n + 2)


def _simpson(f, a, b, eps, whole=None, depth=0):
    rule = lambda p, q: (q - p) / 6.0 * (f(p) + 4.0 * f((p + q) / 2.0) + f(q))
    c = (a + b) / 2.0
    if whole is None:
        whole = rule(a, b)
    left, right = rule(a, c), rule(c, b)
    if depth > 9 or abs(left + right - whole) < 15.0 * eps:
        return left + right + (left + right - whole) / 15.0
    return _simpson(f, a, c, eps / 2.0, left, depth + 1) + _simpson(f, c, b, eps / 2.0, right, depth + 1)


def lambda_that_all_calls_share(x, y, n):
    return _simpson(lambda t: math.exp(-y * y * t * t) + x[0], 0.0, 2.0, 1e-5)


def nested_function_that_all_calls_share(x, y, n):
    def halves(a, b, k, f):
        def middle(u, v):
            total = u + v
            return f(total / 2.0) * n

        if abs(a - b) < 0.4:
            return middle(a, b)
        return halves(a, (a + b) / 2.0, k + 1, f) + 0.5 * halves((a + b) / 2.0, b, k=k + 1, f=f) + k * middle(b, a)

    return halves(x[0], y, 0, lambda t: t * t)


def from_nothing(a):
    if not a:
        return []
    p = a[0]
    return from_nothing([v for v in a[1:] if v < p]) + [p] + from_nothing([v for v in a[1:] if v >= p])


def quicksort(x, y, n):
    return from_nothing([v * y for v in x.tolist()])


def of_the_rest(a):
    if len(a) == 0:
        return []
    p, *rest = a
    return of_the_rest([v for v in rest if v < p]) + [p] + of_the_rest([v for v in rest if v >= p])


def quicksort_of_rest(x, y, n):
    return of_the_rest(x.tolist())


def by_parts(a):
    if len(a) <= 1:
        return a
    p = a[0]
    return by_parts([v for v in a[1:] if v < p]) + [p] + by_parts([v for v in a[1:] if v >= p])


def quicksort_of_list(x, y, n):
    return [v + n for v in by_parts(list(x))]


def _even(n):
    return True if n == 0 else _odd(n - 1)


def _odd(n):
    if n == 0:
        return False
    return _even(n - 1)


def in_turn(x, y, n):
    return _even(int(abs(x[0]) * 40.0) + n), _odd(int(abs(y) * 10.0))


def _highest(values, node, depth, weight):
    if depth == 0:
        return weight * values[node % len(values)]
    best = -10.0
    for k in range(2):
        best = max(best, _lowest(values, 2 * node + k, depth - 1, weight))
    return best


def _lowest(leaves, node, depth, weight):
    if depth == 0:
        return -weight * leaves[node % len(leaves)]
    return min(_highest(leaves, 2 * node, depth - 1, weight), _highest(leaves, 2 * node + 1, depth - 1, weight) - 0.5)


def game(x, y, n):
    return _highest(x, 0, int(abs(x[2]) + 0.5) + n, y)


_TOKENS = np.array([5.0, 0.0, 2.0, 0.0, 6.0, 3.0, 2.0, 0.0, 1.0, 5.0, 5.0, 0.0, 6.0, 6.0, 7.0])
"""(number - number) * -number + ((number)) end"""


def _sum(codes, x, at):
    value, at = _product(codes, x, at)
    while codes[at] == 1 or codes[at] == 2:
        code = codes[at]
        right, at = _product(codes, x, at + 1)
        value = value + right if code == 1 else value - right
    return value, at


def _product(codes, x, at):
    value, at = _factor(codes, x, at)
    while codes[at] == 3:
        right, at = _factor(codes, x, at + 1)
        value *= right
    return value, at


def _factor(codes, x, at):
    if codes[at] == 5:
        value, at = _sum(codes, x, at + 1)
        return value, at + 1
    if codes[at] == 2:
        value, at = _factor(codes, x, at=at + 1)
        return -value, at
    return x[at % len(x)], at + 1


def parsed(x, y, n):
    return _sum(np.round(_TOKENS * y / y), x, 0)[0]


def _rising(value, left):
    if value > left:
        return value * 1.5
    return _falling(height=left - 1, value_now=value * 1.1)


def _falling(value_now, height):
    if height < value_now:
        return -value_now
    if value_now > 3.0:
        return _falling(height=height - 2, value_now=value_now)
    return _rising(left=height, value=value_now + 0.25)


def by_keywords(x, y, n):
    return _rising(x[0] * y, 5.0 + n) + _rising(3.1 + x[1], 20.0 * y)


def _spread(v):
    if abs(v) < 0.3:
        return v
    return v * v + 0.5 * sum(map(_spread, (0.4 * v, -0.3 * v))) + max(map(_spread, [0.2 * v, 0.1]))


def by_map(x, y, n):
    return _spread(x[0] * y) + list(map(_spread, 1.1 * x[1:]))[n]


def _area(h, a):
    def width(t):
        return h * t * a

    if h > 0.5:
        return 1.0 - _area(1.0 - h, a * 1.1) + scipy.integrate.quad(width, 0.0, h)[0] * a
    return scipy.integrate.quad(width, 0.0, h)[0]


def by_symmetry(x, y, n):
    """The nested function is made anew behind the call."""
    return _area(1.1 * x[0], y) + _area(x[3] + 0.1, y * n)


def _weighed(x, n):
    scale = x * n

    def at(v):
        return v * slope(n) + scale

    slope = lambda k: k * 0.5 + scale * x  # noqa: E731
    total = at(1.0)
    for k in range(2):
        if n > 0:
            total = total + _weighed(x * 0.9, n - 1) * at(k + 0.5)
    scale = scale + 1.0
    return total + at(x)


def by_nested_functions(x, y, n):
    """Two of them see each other, and a name that is bound anew after they were made."""
    return _weighed(x[0] * y, int(abs(x[2]) + 0.5) + n - 1)


class _Parser:
    def __init__(self, codes, x):
        self.codes, self.x, self.at = codes, x, 0

    def next(self):
        return self.codes[self.at]

    def sum(self):
        value = self.product()
        while self.next() in (1, 2):
            code = self.next()
            self.at += 1
            value = value + self.product() if code == 1 else value - self.product()
        return value

    def product(self):
        value = self.factor()
        while self.next() == 3:
            self.at += 1
            value *= self.factor()
        return value

    def factor(self):
        code = self.next()
        self.at += 1
        if code == 5:
            value = self.sum()
            if self.next() != 6:
                raise ValueError("not closed")
            self.at += 1
            return value
        return -self.factor() if code == 2 else self.x[self.at % len(self.x)]


def parsed_by_an_object(x, y, n):
    parser = _Parser(np.round(_TOKENS * y / y).astype(int), x)
    return parser.sum() * parser.at


def parsed_by_nested_functions(x, y, n):
    codes, at = np.round(_TOKENS * y / y), 0

    def total():
        nonlocal at
        value = product()
        while codes[at] in (1, 2):
            code = codes[at]
            at += 1
            value = value + product() if code == 1 else value - product()
        return value

    def product():
        nonlocal at
        value = factor()
        while codes[at] == 3:
            at += 1
            value *= factor()
        return value

    def factor():
        nonlocal at
        at += 1
        if codes[at - 1] == 5:
            value = total()
            at += 1
            return value
        return -factor() if codes[at - 1] == 2 else x[at % len(x)]

    return total(), at


def _sine(t):
    return t - t**3 / 6.0 if abs(t) < 1e-3 else 2.0 * _sine(t / 2.0) * _cosine(t / 2.0)


def _cosine(t):
    if abs(t) < 1e-3:
        return 1.0 - t * t / 2.0
    half = _sine(t / 2.0)
    return 1.0 - 2.0 * half * half


def by_halves(x, y, n):
    return _sine(y) + n * _cosine(x[0])


@functools.cache
def _female(n):
    return 1 if n == 0 else n - _male(_female(n - 1))


def _male(n):
    return 0 if n == 0 else n - _female(_male(n - 1))


def hofstadter(x, y, n):
    count = int(abs(x[0]) * 20.0)
    return _female(count), _male(count + n)


def _left(n, out):
    if n == 0:
        out.append(0)
        return
    _left(n - 1, out)
    _right(n - 1, out)


def _right(n, out):
    if n == 0:
        out.append(1)
    else:
        _left(n - 1, out)


def rewritten(x, y, n):
    out = []
    _left(int(abs(y) * 6.0), out)
    return out


def _weight(parents, w, k):
    return w[k] + _below(parents, w, k)


def _below(parents, w, k):
    return sum(0.5 * _weight(parents, w, c) for c in range(len(parents)) if parents[c] == k)


def weights(x, y, n):
    return _weight(np.array([-1.0, 0.0, 0.0, 1.0, 1.0]) * y / y, x, 0)


_STEP = 2


def _outer(n):
    _STEP = n - 1
    return 1 if n < 1 else _inner(_STEP)


def _inner(n):
    return n * _outer(n - _STEP)


def a_name_of_both(x, y, n):
    return _outer(int(abs(x[2]) * 3.0) + n)


def split_at_means(values, depth, deepest):
    if depth >= deepest or len(values) < 2:
        return {"leaf": True, "value": values.sum()}
    below = values <= values.mean()
    return {"leaf": False, "threshold": values.mean(), "left": split_at_means(values[below], depth + 1, deepest), "right": split_at_means(values[~below], depth + 1, deepest)}


def sought(node, value):
    while not node["leaf"]:
        node = node["left"] if value <= node["threshold"] else node["right"]
    return node["value"]


def trees_of_dicts(x, y, n):
    root = split_at_means(np.concatenate([x, y * x]), 0, n + 1)
    return np.array([sought(root, value) for value in x])


def _by_key(x, n, depth):
    if depth == 0:
        return {0: x, 1: n}
    return {k: _by_key(x * (k + 1), n + k, depth - 1)[1] for k in range(3)}


def dicts_of_calls(x, y, n):
    found = _by_key(y, n, n)
    return found[0], found[1]


def _named(n):
    if n <= 0:
        return 0.5
    if (r := _named(n - 1)) > 3:
        return r - 1
    return n + (n := _named(n - 2)) * n


def named_in_expressions(x, y, n):
    return _named(n + 4) * y


def _picked(k, left, weights, taken):
    if left == 0:
        return taken
    if k == len(weights) or left < 0:
        return None
    if (found := _picked(k + 1, left - weights[k], weights, [*taken, weights[k]])) is not None:
        return found
    return _picked(k + 1, left, weights, taken)


def subset_of_a_sum(x, y, n):
    return _picked(0, 13 + n, np.array([5, 3, 9, 2, 4]), []), _picked(0, 100 + n, np.array([5, 3, 9, 2, 4]), [])


def _by_steps(v, step):
    try:
        if v > 4.0:
            return v - step
        w = math.sqrt(v) - 1.5
        if 1.0 / w > 2.0:
            return w * step
        w = w + 0.5
    except ZeroDivisionError as error:
        return v + len(str(error))
    except ValueError:
        return _by_steps(v=v + 1.5, step=step + 1.0) * 0.5 + v
    return w - step


def _kept_on(v, n):
    total = 0.0
    for k in range(n):
        try:
            if v > 1.0 + k:
                continue
            total += math.log(v + k)
            if total > 3.0:
                break
        except ValueError as error:
            total += len(str(error))
            total += _kept_on(v + 1.0, n - 1) / 2.0
        except ZeroDivisionError:
            return total
        else:
            if total < -1.0:
                return _kept_on(v + 2.0, n) + total
        total += v
    return total


def _found_before(values, k, y):
    try:
        for v in values:
            for w in values[:k]:
                if v + w > y + values[k]:
                    return v * w
            else:
                y = y - 0.25
    except IndexError:
        return _found_before(values, k - 3, y) + k
    return y


def _ended(v, n):
    try:
        if n < 1:
            return math.sqrt(v)
    except ValueError:
        return -1.0
    finally:
        n = n - 1
    return _ended(v - 0.5, n) + v


@functools.cache
def _divided(n):
    try:
        m = n % 5
        return 12 // m
    except ZeroDivisionError:
        return _divided(n + 3) + _divided(n - 1)


def tries(x, y, n):
    return [_by_steps(v, y) for v in x], _ended(y, n)
