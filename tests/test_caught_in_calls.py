"""What a function raises that is called several times inside of one expression (`map`, `sum`, `max(key=…)`, an operator of the user's) is caught where it is raised first."""
# ruff: noqa: B023, TRY301 (a program raises where it catches)
from __future__ import annotations

import functools

import numpy as np
import pytest
from outcomes import check

import s2s

LISTS = ([1.0, 2.0, 0.0, 4.0], [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 0.5, 0.0], [0.0, 0.0, 1.0, -2.0], [-1.0, 0.0, 1.0, 2.0])


def inverse(v):
    return 1 / v


def positive(v):
    if v <= 0:
        raise ValueError(f"{v} is not positive")
    return v


class Amount:
    def __init__(self, v):
        self.v = v

    def __lt__(self, other):
        return positive(self.v) < positive(other.v)

    def __add__(self, other):
        return Amount(positive(self.v + other.v))


def a_generator_made_before(items):
    inverses = (1 / v for v in items)
    try:
        return sum(inverses)
    except ZeroDivisionError as error:
        return str(error)


def the_rest_of_a_generator(items):
    inverses = (1 / v for v in items[1:])
    try:
        return next(inverses) + max(inverses)
    except ZeroDivisionError:
        return -1.0


def a_map_made_before(items):
    inverses = map(inverse, items)
    try:
        return list(inverses)
    except ZeroDivisionError as error:
        return str(error)


def a_generator_of_its_own(items):
    def inverses():
        for v in items:
            yield 1 / v

    taken = inverses()
    try:
        return min(taken)
    except ZeroDivisionError:
        return -1.0


def a_loop_over_a_generator(items):
    total = 0.0
    inverses = (1 / v for v in items)
    try:
        total = next(inverses)
        for v in inverses:
            total += v
    except ZeroDivisionError:
        total = -total
    return total


class Tree:
    def __init__(self, value):
        self.value, self.left, self.right = value, None, None

    def put(self, value):
        side = "left" if value < self.value else "right"
        child = getattr(self, side)
        if child is None:
            setattr(self, side, Tree(value))
        else:
            child.put(value)

    def inverses(self):
        if self.left is not None:
            yield from self.left.inverses()
        yield 1 / self.value
        if self.right is not None:
            yield from self.right.inverses()


def a_generator_that_calls_itself(items):
    tree, found = Tree(items[0]), []
    try:
        for v in items[1:]:
            tree.put(v)
        found = list(tree.inverses())
    except (ZeroDivisionError, AttributeError):
        found.append(-1.0)
    return found


def a_key(items):
    try:
        return max(items, key=inverse)
    except ZeroDivisionError:
        return -1.0


def a_reduction(items):
    try:
        return functools.reduce(lambda a, b: a + 1 / b, items, 0.0)
    except ZeroDivisionError:
        return -1.0


def values_of_a_dict(items):
    try:
        return dict(zip("abcd", list(map(positive, items)), strict=False))
    except ValueError as error:
        return str(error)


def operators(items):
    try:
        return min([Amount(v) for v in items]).v, sum([Amount(v) for v in items], Amount(1.0)).v
    except ValueError as error:
        return str(error)


PROGRAMS = [a_generator_made_before, the_rest_of_a_generator, a_map_made_before, a_generator_of_its_own, a_loop_over_a_generator, a_generator_that_calls_itself, a_key, a_reduction, values_of_a_dict, operators]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_the_first_that_raises(program):
    check(program, "numpy", tuple((items,) for items in LISTS), ())


@pytest.mark.parametrize("program", [a_generator_made_before, a_reduction], ids=lambda each: each.__name__)
def test_compiled(program):
    check(program, "cpu", tuple((items,) for items in LISTS), ())


def test_derivatives_are_those_of_the_path():
    gradient = s2s.grad(a_reduction)
    np.testing.assert_allclose(gradient([1.0, 2.0, 4.0, 5.0]), [-1.0, -0.25, -0.0625, -0.04])
    np.testing.assert_array_equal(gradient([1.0, 0.0, 4.0, 5.0]), [0.0] * 4)


# ---- what a generator returns ------------------------------------------------------------------------------------------------------


def mean_so_far():
    total, count, mean = 0.0, 0, None
    while True:
        v = yield mean
        if v is None:
            break
        total, count = total + v, count + 1
        mean = total / count
    return count, total


def sent_none(items):
    means, found = mean_so_far(), []
    next(means)
    for v in items:
        found.append(means.send(v))
    try:
        means.send(None)
    except StopIteration as stop:
        return found, stop.value


def asked_again(items):
    def one():
        yield 1
        return [items[0], 2.0]

    taken, found = one(), []
    found.append(next(taken))
    for _ in range(2):
        try:
            next(taken)
        except StopIteration as stop:
            found.append(stop.value)
    try:
        next(iter([]))
    except StopIteration as stop:
        found.append(stop.value)
    return found


def raised_with_a_value(items):
    try:
        raise StopIteration(items[1])
    except StopIteration as stop:
        return stop.value, stop.args


@pytest.mark.parametrize("program", [sent_none, asked_again, raised_with_a_value], ids=lambda each: each.__name__)
def test_the_value_of_a_stop(program):
    check(program, "numpy", tuple((items,) for items in LISTS[:2]), ())


def told_by_the_run(x):
    def each():
        yield from x
        return 7

    taken, total = each(), 0.0
    while True:
        try:
            total += next(taken)
        except StopIteration as stop:
            return total, stop.value


def test_what_only_the_run_comes_to_is_refused_at_the_line():
    with pytest.raises(s2s.UnsupportedError, match=r"test_caught_in_calls.py:\d+:\d+\n +return total, stop.value"):
        s2s.jit(told_by_the_run, target="numpy")(np.arange(3.0))
