"""Lists in lists, and objects chosen at run time: who sees a change, as in Python; or refused at the user's line."""
from __future__ import annotations

import copy
import inspect
from collections import defaultdict

import numpy as np
import pool_programs
import pytest
from outcomes import check
from turns import in_turn

import s2s
from s2s.errors import UnsupportedError

ARGUMENTS = (
    (np.array([0.5, -1.25, 2.0, 0.75, -0.3]), 0.7, 2), (np.array([1.5, 1.25, -2.0, 0.25, 0.3]), -1.3, 1), (np.array([-1.0, 0.1, 0.2, 3.0, 2.5]), 2.1, 0),
)  # fmt: skip
OTHER_TYPE = {"edits", "obj_in_obj", "list_store", "ints", "tree_of_dicts_asked"}
"""A Python number in a list or attribute that holds NumPy's is one of these, as an int is a float in a list that gets floats, and what `get` gives is one number (docs/kinks.md)."""
PROGRAMS = [value for value in vars(pool_programs).values() if inspect.isfunction(value) and list(inspect.signature(value).parameters) == ["x", "y", "n"]]


@pytest.mark.parametrize("program", [*(each for each in PROGRAMS if "list_" in each.__name__), *in_turn([each for each in PROGRAMS if "list_" not in each.__name__], 3)], ids=lambda each: each.__name__)
def test_right_or_refused(program):
    check(program, "numpy", ARGUMENTS, (), OTHER_TYPE)


@pytest.mark.parametrize("name", [pytest.param(each.__name__, marks=pytest.mark.slow) for each in PROGRAMS])
def test_compiled(name):
    check(getattr(pool_programs, name), "cpu", ARGUMENTS, (), OTHER_TYPE)


class Struct:
    pass


class Body:
    kind = 1.0

    def __init__(self, m, c):
        self.m = m
        if c > 0:
            self.extra = c * m

    def energy(self):
        return self.m + (self.extra if hasattr(self, "extra") else 0.0)


def attributes_behind_the_making(x, n):
    bodies = []
    for i in range(int(n)):
        body = Struct()
        body.m = x * i
        body.k = i
        if i % 2:
            body.odd = 1.5 * x
        bodies.append(body)
    return 0.5 + sum(body.m for body in bodies) + sum(body.odd for body in bodies if hasattr(body, "odd")) + sum(body.k for body in bodies)


def attributes_of_some(x, n):
    bodies = [Body(x, i - 0.9 * x) for i in range(int(n))]
    for i, body in enumerate(bodies):
        body.m += 1.0
        if i == 1:
            body.kind = x
    return sum(body.energy() * body.kind for body in bodies) + 0.5


def attributes_that_none_may_have(x, n):
    bodies, s = [Body(x, 1.0) for i in range(int(n))], 0.5
    for i, body in enumerate(bodies):
        body.m += i
        if i > 1:
            body.late = x
    for body in reversed(bodies):
        s += body.late
    return s


def attributes_that_are_caught(x, n):
    bodies = [Body(x, 1.0) for i in range(int(n))]
    for i, body in enumerate(bodies):
        body.m += i
        try:
            body.z += 1
        except AttributeError:
            body.z = i * x
        if i > 0:
            bodies[i - 1].z += 2.0
    return sum(body.z for body in bodies) + 0.5


def attributes_of_copies(x, n):
    bodies = [Body(x, 1.0) for i in range(int(n) + 1)]
    for i, body in enumerate(bodies):
        body.m += i
        if i > 1:
            body.w = x
    last, first = copy.copy(bodies[-1]), copy.copy(bodies[0])
    last.m = 7.0
    if n > 3:
        del bodies[-1].w
    return getattr(last, "w", 5.0) + getattr(bodies[-1], "w", 0.25) + getattr(first, "w", 9.0)


LATE = [attributes_behind_the_making, attributes_of_some, attributes_that_none_may_have, attributes_that_are_caught, attributes_of_copies]


@pytest.mark.parametrize("program", LATE, ids=lambda program: program.__name__)
def test_attributes_that_only_some_objects_have(program):
    arguments = ((1.5, 0.4), (1.5, 1.3), (1.5, 4.2))
    check(program, "numpy", arguments, (), other_type=[program.__name__])
    for x, n in arguments:
        try:
            slope = (program(x + 1e-6, n) - program(x - 1e-6, n)) / 2e-6
        except AttributeError:
            continue
        np.testing.assert_allclose(s2s.grad(program)(x, n), slope, rtol=1e-7, atol=1e-8)
        np.testing.assert_allclose(s2s.jvp(lambda x, n=n: program(x, n), (x,), (1.0,))[1], slope, rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("program", [pool_programs.tree_of_dicts, pool_programs.tree_of_dicts_caught, pool_programs.tree_of_dicts_stored, pool_programs.forks_and_ends])
def test_gradients_of_trees_of_dicts(program):
    """Nodes and leaves that have other keys."""
    (x, y, n), step, h = ARGUMENTS[0], np.array([0.3, -0.2, 0.5, 1.0, 0.7]), 1e-6
    run = s2s.jit(program, target="numpy")
    x_bar, y_bar = s2s.grad(run, argnums=(0, 1))(x, y, n)
    tangent = s2s.jvp(lambda x, y: run(x, y, n), (x, y), (step, 0.4))[1]
    np.testing.assert_allclose(x_bar @ step + 0.4 * y_bar, tangent, rtol=1e-12)
    np.testing.assert_allclose(tangent, (program(x + h * step, y + 0.4 * h, n) - program(x - h * step, y - 0.4 * h, n)) / (2 * h), rtol=1e-6)


@pytest.mark.parametrize("program", [lambda node: len(node), lambda node: list(node), lambda node: node])
def test_all_keys_of_one_of_several_dicts_with_other_keys_are_refused(program):
    with pytest.raises(UnsupportedError, match="where only some have the key"):
        s2s.jit(lambda x: program(pool_programs.fallen_to(pool_programs.grown_tree(x, 2, 1), x[0])), target="numpy")(ARGUMENTS[0][0])


def neighbours_in_a_dict(n, edges):
    adjacent = {i: [] for i in range(n)}
    for a, b, w in edges:
        adjacent[a].append((b, w))
        adjacent[b].append((a, w))
    return len(adjacent), adjacent[0]


def neighbours_in_a_list(n, edges):
    adjacent = [[] for i in range(n)]
    for a, b, _ in edges:
        adjacent[a].append(b)
        adjacent[b].append(a)
    return len(adjacent), adjacent[1]


def neighbours_by_default(n, edges):
    adjacent = defaultdict(list)
    for a, b, w in edges:
        adjacent[a].append((b, w))
        adjacent[b].append((a, w))
    return len(adjacent), adjacent[0], n


def neighbours_where_asked(n, edges):
    adjacent = {}
    for a, b, w in edges:
        adjacent.setdefault(a, []).append((b, w))
        adjacent.setdefault(b, []).append((a, w))
    return len(adjacent), adjacent[0], n


@pytest.mark.parametrize("f", [neighbours_in_a_dict, neighbours_in_a_list, neighbours_by_default, neighbours_where_asked])
def test_lists_that_trips_over_known_items_fill(f):
    """They are read for any numbers, not for those of the call."""
    jitted = s2s.jit(f, target="numpy")
    edges = [(0, 1, 7), (0, 2, 9), (0, 5, 14), (1, 2, 10), (1, 3, 15)]
    for given in (edges, [(b, a, w + 1) for a, b, w in edges], [(0, a, b) for a, b, _ in edges]):
        assert jitted(6, given) == f(6, given)
    assert jitted.lower(6, edges).as_text() == jitted.lower(6, [(b, a, w + 1) for a, b, w in edges]).as_text()
    assert jitted(6, np.array(edges)) == f(6, np.array(edges))


class _Marked:
    def __init__(self, value):
        self.marks = {}
        self.value = value


class _Pair:
    def __init__(self, *marked):
        self.marked = list(marked)


def empty_dicts(x, i):
    return [{} for _ in range(i + 2)], x


def one_of_empty_dicts(x, i):
    every = [{}, {}]
    return every, every[i], x


def one_of_empty_lists(x, i):
    every = [[], []]
    return every, every[i] is every[1], x


def dicts_that_nothing_is_put_into(x, i):
    every = [{}, {}]
    chosen = [every[k] for k in range(i)]
    return every, chosen, x


def containers_in_tuples(x, i):
    every = []
    for k in range(i + 1):
        every.append(({}, [], set(), k))
    return every, x


def gone_through(x, i):
    every = [{} for _ in range(i + 1)]
    seen = 0
    for each in every:
        for _ in each:
            seen += 1
        seen += 10
    return every, seen, x


def objects_with_empty_dicts(x, i):
    every = [_Marked(v) for v in (x[0], x[1], x[2])]
    pairs = []
    for k in range(i + 1):
        pairs.append(_Pair(every[k], every[k + 1]))
    return [each.marks for each in every], len(every), [len(pair.marked) for pair in pairs], pairs[i].marked[1].value * every[i].value


EMPTY = [empty_dicts, one_of_empty_dicts, one_of_empty_lists, dicts_that_nothing_is_put_into, containers_in_tuples, gone_through, objects_with_empty_dicts]


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("f", EMPTY)
def test_lists_of_containers_that_nothing_was_put_into(f, target):
    """How many there are is what the run makes it, whether or not anything may be in them."""
    jitted = s2s.jit(f, target=target)
    for i in (0, 1):
        x = np.array([0.5, -1.25, 2.0])
        assert repr(jitted(x, i)) == repr(f(x, i))


def test_a_derivative_by_objects_with_empty_dicts():
    def f(x, i):
        return objects_with_empty_dicts(x, i)[3]

    x = np.array([0.5, -1.25, 2.0])
    for i in (0, 1):
        np.testing.assert_allclose(s2s.jit(s2s.grad(f), target="numpy")(x, i), np.where(np.arange(3) == i, x[i + 1], np.where(np.arange(3) == i + 1, x[i], 0.0)))


def _groups(x, count):
    groups = {k: [] for k in range(count)}
    for i, v in enumerate(x):
        groups[int(v > 0) % count].append(i)
    return groups


def means_of_groups(x, y, n):
    groups = _groups(x, 2)
    rows = np.stack([x, x * y])
    return [x[groups[k]].sum() for k in sorted(groups)], rows[:, groups[1]], rows[0, groups[n % 2]], n


def stores_at_positions(x, y, n):
    groups = [[] for _ in range(n + 1)]
    for i in range(len(x)):
        groups[i % (n + 1)].append(i)
    x[groups[n]] = y
    x[groups[0]] *= 2
    return x, np.flatnonzero(x[groups[-1]] > 0)


def nearest_of_two(x, y, n):
    centres = np.array([x[0], y])
    for _ in range(n + 1):
        members = {k: [] for k in range(2)}
        for i, v in enumerate(x):
            members[int(np.argmin(np.abs(centres - v)))].append(i)
        moved = np.array([np.mean(x[members[k]]) if members[k] else centres[k] for k in sorted(members)])
        if np.allclose(moved, centres):
            break
        centres = moved
    return centres


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("f", [means_of_groups, stores_at_positions, nearest_of_two])
def test_lists_of_a_pool_as_positions(f, target):
    check(f, target, ARGUMENTS, ())


def test_a_derivative_by_what_stands_at_positions():
    for x, y, n in ARGUMENTS:
        found, tangent = s2s.jacrev(s2s.jit(nearest_of_two, target="numpy"))(x, y, n), s2s.jacfwd(s2s.jit(nearest_of_two, target="numpy"))(x, y, n)
        step = 1e-6 * np.eye(len(x))
        np.testing.assert_allclose(found, np.stack([(nearest_of_two(x + h, y, n) - nearest_of_two(x - h, y, n)) / 2e-6 for h in step], axis=1), atol=1e-8)
        np.testing.assert_allclose(found, tangent, atol=1e-13)


def _one_of_two(x, y):
    return [x[0]] if y > 1 else [x[0], x[1]]


def part_stored_from_what_changes_the_list(x, y, n):
    held = _one_of_two(x, y)

    def appended(values):
        for v in values:
            held.append(v)
            yield v * y
        yield y * x[-1]

    held[n:] = appended(x[:3])
    held[:1] = (v * y for v in x[2:])
    return held


def part_stored_from_what_shortens_the_list(x, y, n):
    held = _one_of_two(x, y)

    def popped(values):
        for v in values:
            held.pop()
            held[0] = v * y
            yield v

    held.extend(x[:4])
    held[1:3] = popped(x[:n])
    return held


def extended_by_what_changes_the_list(x, y, n):
    held = _one_of_two(x, y)

    def appended(values):
        for v in values:
            held.append(v + y)
            yield held[-1] * v

    held.extend(appended(x[: n + 1]))
    held += (v for v in x if v > y)
    held.extend(reversed(held[:2]))
    held.extend(held)
    return held, len(held)


@pytest.mark.parametrize("target", ["numpy", pytest.param("cpu", marks=pytest.mark.slow)])
@pytest.mark.parametrize("f", [part_stored_from_what_changes_the_list, part_stored_from_what_shortens_the_list, extended_by_what_changes_the_list])
def test_iterators_whose_items_change_the_list_that_takes_them(f, target):
    """Of a store Python knows before the first item where it goes; of an extension it appends item by item."""
    check(f, target, ARGUMENTS, ())
