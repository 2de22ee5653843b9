"""Programs whose nodes and classes are made where they are used, as textbooks write them: each with what draws its arguments."""
from __future__ import annotations

import abc
import functools
import heapq
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Draw = Callable[[np.random.Generator], tuple[Any, ...]]
PROGRAMS: dict[str, tuple[Callable[..., Any], Draw]] = {}
DEAR: set[str] = set()
"""Those that take seconds to be read."""
DIFFERENTIATED: dict[str, int] = {}
"""Of those whose result is a float: the argument by which they are differentiated."""


def program(draw: Draw, by: int | None = None, *, dear: bool = False) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Enter a program."""
    def entered(function: Callable[..., Any]) -> Callable[..., Any]:
        PROGRAMS[function.__name__] = function, draw
        if dear:
            DEAR.add(function.__name__)
        if by is not None:
            DIFFERENTIATED[function.__name__] = by
        return function

    return entered


def numbers_and_one(r):
    return r.random(int(r.integers(4, 7))), float(r.random())


def keys_and_one(r):
    return r.permutation(9) * 1.0, float(r.integers(0, 9))


# ---- classes made inside of functions ------------------------------------------------------------------------------------------


@program(keys_and_one)
def search_tree(keys, sought):
    class Node:
        def __init__(self, key):
            self.key = key
            self.left = None
            self.right = None

    root = None
    for key in keys:
        if root is None:
            root = Node(key)
            continue
        node = root
        while True:
            if key < node.key:
                if node.left is None:
                    node.left = Node(key)
                    break
                node = node.left
            else:
                if node.right is None:
                    node.right = Node(key)
                    break
                node = node.right
    depth, node = 0, root
    while node is not None and node.key != sought:
        depth += 1
        node = node.left if sought < node.key else node.right
    return depth


@program(keys_and_one)
def search_tree_by_recursion(keys, sought):
    class Node:
        def __init__(self, key, left=None, right=None):
            self.key, self.left, self.right = key, left, right

    def insert(node, key):
        if node is None:
            return Node(key)
        if key < node.key:
            node.left = insert(node.left, key)
        else:
            node.right = insert(node.right, key)
        return node

    def in_order(node):
        return [] if node is None else [*in_order(node.left), node.key, *in_order(node.right)]

    def height(node):
        return 0 if node is None else 1 + max(height(node.left), height(node.right))

    root = None
    for key in keys:
        root = insert(root, key)
    return in_order(root), height(root), sought


@program(numbers_and_one)
def chain(xs, y):
    class Node:
        def __init__(self, value):
            self.value = value
            self.next = None

    class Chain:
        def __init__(self):
            self.head = None

        def append(self, value):
            node = Node(value)
            if self.head is None:
                self.head = node
                return
            last = self.head
            while last.next:
                last = last.next
            last.next = node

        def reverse(self):
            before, at = None, self.head
            while at:
                at.next, before, at = before, at, at.next
            self.head = before

        def remove(self, value):
            at, before = self.head, None
            while at and at.value != value:
                before, at = at, at.next
            if at is None:
                return False
            if before is None:
                self.head = at.next
            else:
                before.next = at.next
            return True

        def __iter__(self):
            node = self.head
            while node:
                yield node.value
                node = node.next

        def __len__(self):
            return sum(1 for _ in self)

    all_of = Chain()
    for x in xs:
        all_of.append(x * y)
    all_of.reverse()
    gone = all_of.remove(xs[2] * y), all_of.remove(-1.0)
    return list(all_of), len(all_of), gone


@program(lambda r: (r.random(3), 12, r.random(12)))
def tree_search_of_games(odds, trips, draws):
    class Node:
        def __init__(self, parent=None, action=None):
            self.parent, self.action = parent, action
            self.children = []
            self.visits, self.value = 0, 0.0

        def bound(self, c):
            if self.visits == 0:
                return math.inf
            return self.value / self.visits + c * math.sqrt(math.log(self.parent.visits) / self.visits)

    root = Node()
    for trip in range(trips):
        node, depth = root, 0
        while node.children:
            node = max(node.children, key=lambda one: one.bound(1.4))
            depth += 1
        if depth < 3:
            for action in range(3):
                node.children.append(Node(node, action))
            node = node.children[0]
        chance, at = 0.0, node
        while at is not None and at.parent is not None:
            chance += odds[at.action]
            at = at.parent
        won = 1.0 if draws[trip] < chance / 3 else 0.0
        while node is not None:
            node.visits += 1
            node.value += won
            node = node.parent
    best = max(root.children, key=lambda one: one.visits)
    return best.action, best.visits, root.value


def stacked(xs, scale):
    class Node:
        made = 0

        def __init__(self, value, below):
            self.value, self.below = value, below
            Node.made += 1

        def scaled(self):
            return self.value * scale

        @property
        def twice(self):
            return 2 * self.value + scale

    head = None
    for x in xs:
        head = Node(x, head)
    total = 0.0
    while head is not None:
        total = total * 0.5 + head.scaled() + head.twice
        head = head.below
    return total + Node.made


@program(numbers_and_one, by=0)
def a_class_for_each_call(xs, y):
    return stacked(xs, y) + 3 * stacked(xs * 2, y + 1)


@program(numbers_and_one, by=0)
def a_class_for_each_call_of_one_line(xs, y):
    return sum([stacked(xs, y + k) * k for k in range(3)])


@program(numbers_and_one, by=0)
def a_class_for_each_trip(xs, y):
    total = 0.0
    for k in range(len(xs)):
        total += stacked(xs, y + k) * k
    return total


def holder_of(value):
    class Node:
        def __init__(self, below):
            self.below = below

        def get(self):
            return value

    return Node


@program(numbers_and_one)
def classes_that_hold_values(xs, y):
    kinds = [holder_of(y + 10 * k) for k in range(2)]
    ups, downs = None, None
    for x in xs:
        if x > 0.5:
            ups = kinds[0](ups)
        else:
            downs = kinds[1](downs)
    total = 0.0
    while ups is not None:
        total += ups.get()
        ups = ups.below
    while downs is not None:
        total += downs.get()
        downs = downs.below
    return total


@program(numbers_and_one)
def classes_of_trips_that_hold_values(xs, y):
    before, total = holder_of(y)(None), 0.0
    for x in xs:
        now = holder_of(x)(None)
        total += now.get() + 10 * before.get()
        before = now
    return total


@program(numbers_and_one, by=0)
def fields_inside(xs, y):
    @dataclass
    class Item:
        weight: float
        below: object = None
        tags: list = field(default_factory=list)

        def total(self):
            return self.weight + (self.below.total() if self.below is not None else 0.0)

    head = None
    for x in xs:
        head = Item(x**2, head)
    total = y
    while head:
        total = total * 2 + head.weight
        head = head.below
    return total


@program(numbers_and_one)
def ordered_inside(xs, y):
    @functools.total_ordering
    class Job:
        def __init__(self, urgency, name):
            self.urgency, self.name = urgency, name

        def __lt__(self, other):
            return self.urgency < other.urgency

        def __eq__(self, other):
            return self.urgency == other.urgency

    queue, done = [], []
    for name, x in enumerate(xs):
        heapq.heappush(queue, Job(x, name))
    while queue:
        job = heapq.heappop(queue)
        if job.urgency > y / 2:
            done.append(job.name)
    return done


@program(numbers_and_one)
def shapes_inside(xs, y):
    class Shape(abc.ABC):
        def __init__(self, size):
            self.size, self.next = size, None

        @abc.abstractmethod
        def area(self): ...

    class Square(Shape):
        def area(self):
            return self.size**2

    class Disc(Shape):
        def area(self):
            return math.pi * self.size**2 + y

    squares, discs = None, None
    for x in xs:
        if x > 0.5:
            one = Square(x)
            one.next, squares = squares, one
        else:
            two = Disc(x)
            two.next, discs = discs, two
    total = 0.0
    for head in (squares, discs):
        while head is not None:
            total += head.area()
            head = head.next
    return total


@program(numbers_and_one)
def a_class_on_each_path(xs, y):
    if y > 0.5:
        class Node:
            def __init__(self, value, below):
                self.value, self.below = value, below

            def get(self):
                return self.value
    else:
        class Node:
            def __init__(self, value, below):
                self.value, self.below = value, below

            def get(self):
                return -self.value

    head = None
    for x in xs:
        head = Node(x, head)
    total = 0.0
    while head is not None:
        total += head.get()
        head = head.below
    return total


@program(numbers_and_one)
def what_methods_see_changes(xs, y):
    scale = y

    class Node:
        def __init__(self, value, below):
            self.value, self.below = value * scale, below

        def get(self):
            return self.value * scale

    head = None
    for x in xs:
        head = Node(x, head)
        scale = scale + x
    total = 0.0
    while head is not None:
        total += head.get()
        scale += 1
        head = head.below
    return total


@program(numbers_and_one, by=0)
def a_class_in_a_class(xs, y):
    class Graph:
        class Edge:
            def __init__(self, to, cost, after):
                self.to, self.cost, self.after = to, cost, after

        def __init__(self, n):
            self.first = [None] * n

        def add(self, one, two, cost):
            self.first[one] = Graph.Edge(two, cost, self.first[one])

    graph = Graph(4)
    for k, x in enumerate(xs):
        graph.add(k % 4, (k * 3 + 1) % 4, x)
    total = y
    for one in range(4):
        edge = graph.first[one]
        while edge is not None:
            total += (edge.to + 1) * edge.cost**2
            edge = edge.after
    return total


# ---- decision trees, of dicts over lists ---------------------------------------------------------------------------------------


def rows_and_labels(r):
    return r.random((6, 2)).tolist(), r.random(6).tolist(), r.random((3, 2)).tolist()


@program(lambda r: (r.random((6, 2)), r.random(6)), by=1)
def best_cut(rows, labels):
    best = None
    for j in range(2):
        for cut in rows[:, j]:
            low = [i for i in range(len(rows)) if rows[i, j] <= cut]
            high = [i for i in range(len(rows)) if rows[i, j] > cut]
            odds = abs(len(low) - len(high))
            if best is None or odds < best[0]:
                best = (odds, j, cut, low, high)
    _, j, cut, low, high = best
    return sum(labels[i] ** 2 for i in low) - sum(labels[i] for i in high) * cut + j


def grown_at_medians(rows, labels, depth):
    if depth == 0 or len(labels) < 2:
        return {"leaf": True, "value": sum(labels) / len(labels)}
    cut = sorted([row[0] for row in rows])[len(rows) // 2]
    low = [i for i in range(len(rows)) if rows[i][0] < cut]
    high = [i for i in range(len(rows)) if rows[i][0] >= cut]
    return {
        "leaf": False, "cut": cut, "low": grown_at_medians([rows[i] for i in low], [labels[i] for i in low], depth - 1),
        "high": grown_at_medians([rows[i] for i in high], [labels[i] for i in high], depth - 1),
    }  # fmt: skip


@program(rows_and_labels, dear=True)
def tree_of_medians(rows, labels, asked):
    tree, found = grown_at_medians(rows, labels, 2), []
    for one in asked:
        node = tree
        while not node["leaf"]:
            node = node["low"] if one[0] < node["cut"] else node["high"]
        found.append(node["value"])
    return found


def grown(rows, labels, depth):
    if depth == 0 or len(labels) < 2 or len(set(labels)) == 1:
        return {"leaf": True, "value": sum(labels) / len(labels)}
    best = None
    for j in range(len(rows[0])):
        for cut in sorted({row[j] for row in rows}):
            low = [i for i in range(len(rows)) if rows[i][j] <= cut]
            high = [i for i in range(len(rows)) if rows[i][j] > cut]
            if not low or not high:
                continue
            below, above = sum(labels[i] for i in low) / len(low), sum(labels[i] for i in high) / len(high)
            error = sum((labels[i] - below) ** 2 for i in low) + sum((labels[i] - above) ** 2 for i in high)
            if best is None or error < best[0]:
                best = (error, j, cut, low, high)
    if best is None:
        return {"leaf": True, "value": sum(labels) / len(labels)}
    _, j, cut, low, high = best
    return {
        "leaf": False, "by": j, "cut": cut, "low": grown([rows[i] for i in low], [labels[i] for i in low], depth - 1),
        "high": grown([rows[i] for i in high], [labels[i] for i in high], depth - 1),
    }  # fmt: skip


@program(rows_and_labels, dear=True)
def regression_tree(rows, labels, asked):
    tree, found = grown(rows, labels, 2), []
    for one in asked:
        node = tree
        while not node["leaf"]:
            node = node["low"] if one[node["by"]] <= node["cut"] else node["high"]
        found.append(node["value"])
    return found


# ---- objects that hold themselves ----------------------------------------------------------------------------------------------


class Member:
    def __init__(self, name):
        self.name, self.size = name, 1
        self.parent = self


def root_of(member):
    while member.parent is not member:
        member.parent = member.parent.parent
        member = member.parent
    return member


def edges_of(r):
    return [(int(a), int(b), float(cost)) for a, b, cost in zip(r.integers(0, 5, 8), r.integers(0, 5, 8), r.random(8), strict=True)], 5


@program(edges_of)
def spanning_tree(edges, n):
    members, total = [Member(name) for name in range(n)], 0.0
    for one, two, cost in sorted(edges, key=lambda edge: edge[2]):
        a, b = root_of(members[one]), root_of(members[two])
        if a is not b:
            if a.size < b.size:
                a, b = b, a
            b.parent = a
            a.size += b.size
            total += cost
    return total, [root_of(member).size for member in members]


@program(lambda r: (int(r.integers(4, 9)), int(r.integers(2, 4))))
def last_of_a_ring(n, step):
    class Person:
        def __init__(self, name):
            self.name = name
            self.next = self

    first = last = Person(1)
    for name in range(2, n + 1):
        person = Person(name)
        last.next, person.next, last = person, first, person
    out = []
    while last.next is not last:
        for _ in range(step - 1):
            last = last.next
        out.append(last.next.name)
        last.next = last.next.next
    return [*out, last.name]


class Linked:
    def __init__(self, value):
        self.value = value
        self.after = self
        self.before = self


@program(lambda r: (r.random(int(r.integers(1, 7))),), by=0)
def round_a_ring(xs):
    head = Linked(0.0)
    for x in xs:
        one, last = Linked(x), head.before
        last.after, one.before, one.after, head.before = one, last, head, one
    total, at = 0.0, head.after
    while at is not head:
        total = total * 1.5 + at.value**2
        at = at.after
    return total


@program(lambda r: (r.random((6, 3)).tolist(), float(r.random())))
def best_row(rows, y):
    best = None
    for row in [row for row in rows if row[0] < y]:
        if best is None or row[1] > best[1]:
            best = row
    return -1.0 if best is None else sum(best) + len(best)


# ---- queues --------------------------------------------------------------------------------------------------------------------


@program(lambda r: (r.integers(0, 9, 9).tolist(), r.integers(0, 6, 9).tolist()), dear=True)
def queue_with_removed_entries(urgencies, tasks):
    queue, entries, counter = [], {}, itertools.count()

    def add(task, urgency):
        if task in entries:
            entries.pop(task)[-1] = -1
        entry = [urgency, next(counter), task]
        entries[task] = entry
        heapq.heappush(queue, entry)

    def pop():
        while queue:
            _, _, task = heapq.heappop(queue)
            if task != -1:
                del entries[task]
                return task
        raise KeyError("pop from an empty queue")

    for urgency, task in zip(urgencies, tasks, strict=True):
        add(task, urgency)
    out = []
    while entries:
        out.append(pop())
    return out
