"""Graphs of objects that hold each other: nodes with lists of neighbours, found, searched and taken out as the run says."""
from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import s2s


class Node:
    def __init__(self, name: int, cost: float) -> None:
        self.name, self.cost, self.edges = name, cost, []
        self.dist, self.before = math.inf, None

    def link(self, other: Any, w: float) -> None:
        self.edges.append((other, w))
        other.edges.append((self, w))


def shortest_way(x, n):
    nodes = [Node(k, x * k) for k in range(4)]
    nodes[0].link(nodes[1], x * x)
    nodes[1].link(nodes[2], 2.0)
    nodes[0].link(nodes[3], 5.0 * x * x)
    nodes[2].link(nodes[3], 0.5)
    nodes[0].dist = 0.0
    todo = list(nodes)
    while todo:
        one = min(todo, key=lambda o: o.dist)
        todo.remove(one)
        for other, w in one.edges:
            if one.dist + w < other.dist:
                other.dist, other.before = one.dist + w, one
    way, at = [], nodes[3]
    while at is not None:
        way.append(at.name)
        at = at.before
    return nodes[3].dist, way


def neighbours_of_the_cheapest(x, n):
    nodes = [Node(k, x * (k - 1.2) ** 2) for k in range(4)]
    nodes[0].link(nodes[1], x)
    nodes[1].link(nodes[2], 2.0)
    nodes[2].link(nodes[3], x * x)
    one, two = max(nodes, key=lambda o: o.cost), min(nodes, key=lambda o: o.cost)
    return sum(o.cost * w for o, w in one.edges) + 2.0 * sum(o.cost * w for o, w in two.edges), one is two


def breadth_first(x, n):
    nodes = [Node(k, x * k) for k in range(n + 4)]
    for k in range(n + 3):
        nodes[k].link(nodes[k + 1], x)
    nodes[0].link(nodes[n + 3], 2.0)
    queue, seen, order = [nodes[1]], [nodes[1]], []
    while queue:
        one = queue.pop(0)
        order.append(one.name)
        for other, _ in one.edges:
            if other not in seen:
                seen.append(other)
                queue.append(other)
    return sum(w for o in nodes for _, w in o.edges), order


def taken_out(x, n):
    nodes = [Node(k, x * (k - 2.5) ** 2 + k) for k in range(6)]
    out = 0.0
    while len(nodes) > 1:
        one = min(nodes, key=lambda o: o.cost)
        nodes.remove(one)
        out += one.cost * len(nodes)
    return out, nodes[0].name


def sought(x, n):
    nodes = [Node(k, x * k) for k in range(n + 1)]
    seen = []
    for k in range(n + 1):
        one = nodes[(k * 2) % (n + 1)]
        if one not in seen:
            seen.append(one)
    return sum(o.cost for o in seen), len(seen), [nodes.index(o) for o in seen], seen.count(nodes[0])


PROGRAMS = (shortest_way, neighbours_of_the_cheapest, breadth_first, taken_out, sought)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_values(program: Any, target: str) -> None:
    run = s2s.jit(program, target=target)
    for args in [(0.5, 3), (-1.25, 1), (2.0, 4)]:
        wanted, found = program(*args), run(*args)
        assert found[1:] == wanted[1:]
        np.testing.assert_allclose(found[0], wanted[0], rtol=1e-13)


@pytest.mark.parametrize("program", PROGRAMS)
def test_derivatives(program: Any) -> None:
    for x, n in [(0.7, 2), (1.75, 3)]:
        steep = (program(x + 1e-6, n)[0] - program(x - 1e-6, n)[0]) / 2e-6
        np.testing.assert_allclose(s2s.grad(lambda x, n=n: program(x, n)[0])(x), steep, rtol=1e-6, atol=1e-8)
        np.testing.assert_allclose(s2s.jvp(lambda x, n=n: program(x, n)[0], (x,), (1.0,))[1], steep, rtol=1e-6, atol=1e-8)
