"""Generators that call themselves, of which only the run knows what they yield: all of it is a list, put together by the function as a loop."""
from __future__ import annotations

import numpy as np
import pytest
from outcomes import check
from turns import in_turn

import s2s
from s2s.errors import UnsupportedError


class Node:
    def __init__(self, value):
        self.value, self.left, self.right = value, None, None

    def insert(self, value):
        if value < self.value:
            if self.left is None:
                self.left = Node(value)
            else:
                self.left.insert(value)
        elif self.right is None:
            self.right = Node(value)
        else:
            self.right.insert(value)

    def walk(self):
        if self.left is not None:
            yield from self.left.walk()
        yield self.value
        if self.right is not None:
            yield from self.right.walk()

    def depths(self, depth):
        yield depth
        for each in (self.left, self.right):
            if each is not None:
                for found in each.depths(depth + 1):
                    yield found + 0

    def up_to(self, largest):
        if self.value > largest:
            if self.left is not None:
                yield from self.left.up_to(largest)
            return
        if self.left is not None:
            yield from self.left.up_to(largest)
        yield self.value
        if self.right is not None:
            yield from self.right.up_to(largest)


def tree_of(x):
    root = Node(x[0])
    for value in x[1:]:
        root.insert(value)
    return root


def moves(n, a, b, c):
    if n > 0:
        yield from moves(n - 1, a, c, b)
        yield a, c
        yield from moves(n - 1, b, a, c)


def pieces(x):
    if len(x) < 2:
        yield np.sum(x)
    elif x[0] > 0:
        yield from pieces(x[1:])
    else:
        yield x[0]
        yield from pieces(x[2:])


def sorted_by_a_tree(x, n):
    return list(tree_of(x).walk())


def weighed_in_a_loop(x, n):
    total = 0.0
    for value in tree_of(x).walk():
        total = 0.5 * total + value
    return total


def summed(x, n):
    return sum(k * value for k, value in enumerate(tree_of(x).walk()))


def deepest(x, n):
    return max(tree_of(x).depths(0)), sorted(tree_of(x).depths(n))


def first_and_all(x, n):
    return next(tree_of(x).walk()), np.array(list(tree_of(x).walk()))


def ended_early(x, n):
    return [2.0 * value for value in tree_of(x).up_to(x[n])]


def left_early(x, n):
    for value in tree_of(x).walk():
        if value > 0:
            return value
    return -1.0


def towers(x, n):
    return list(moves(int(abs(x[0]) * 2), 0, 1, 2))


def cut(x, n):
    return list(pieces(x))


PROGRAMS = [sorted_by_a_tree, weighed_in_a_loop, summed, deepest, first_and_all, ended_early, left_early, towers, cut]
ARGUMENTS = tuple((np.random.default_rng(seed).normal(size=size), seed % 3) for seed, size in enumerate((7, 4, 9, 3)))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_as_in_python(program):
    check(program, "numpy", ARGUMENTS, ())


@pytest.mark.parametrize("program", in_turn(PROGRAMS, 4), ids=lambda each: each.__name__)
def test_compiled(program):
    check(program, "cpu", ARGUMENTS, ())


@pytest.mark.parametrize("program", in_turn([weighed_in_a_loop, summed, left_early], 3), ids=lambda each: each.__name__)
def test_slopes(program):
    x, n = ARGUMENTS[0]
    step = 1e-6 * np.cos(np.arange(float(len(x))))
    slope = s2s.jit(s2s.grad(program), target="numpy")(x, n)
    np.testing.assert_allclose(slope @ step, (program(x + step, n) - program(x - step, n)) / 2, rtol=1e-5, atol=1e-12)


class Told(Node):
    def walk(self):
        if self.left is not None:
            yield from self.left.walk()
        print("at a node")
        yield self.value
        if self.right is not None:
            yield from self.right.walk()


def told_while_asked(x, n):
    root = Told(x[0])
    if x[1] < x[0]:
        root.left = Told(x[1])
    else:
        root.right = Told(x[1])
    found = root.walk()
    print("begun")
    return next(found), n


def test_what_is_printed_on_the_way_is_not_printed_before():
    with pytest.raises(UnsupportedError):
        s2s.jit(told_while_asked, target="numpy")(np.array([1.0, 2.0]), 1)


class Link:
    def __init__(self, value, after):
        self.value, self.after = value, after

    def walk(self):
        node = self
        while node is not None:
            yield node.value
            node = node.after


def tree_that_grows_before_it_is_gone_through(x, n):
    root = tree_of(x)
    found = root.walk()
    root.insert(x[n] + 0.5)
    return list(found)


def value_changed_before_it_is_asked_for(x, n):
    root = tree_of(x)
    found = root.walk()
    first = next(found)
    root.value = 50.0
    return first, list(found)


def link_changed_before_it_is_asked_for(x, n):
    head = None
    for value in x:
        head = Link(value, head)
    found = head.walk()
    head.value = 9.0
    return list(found)


def object_in_a_list_changed_before_it_is_asked_for(x, n):
    links = [Link(value, None) for value in x if value > -9.0 * n - 9.0]
    found = (link.value for link in links)
    links[0].value = 9.0
    return sum(found)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("program", [tree_that_grows_before_it_is_gone_through, value_changed_before_it_is_asked_for], ids=lambda each: each.__name__)
def test_objects_that_change_before_they_are_asked_for(program, target):
    """Python asks when the item is taken: these are refused, and not answered with what was there before."""
    with pytest.raises(UnsupportedError):
        s2s.jit(program, target=target)(*ARGUMENTS[0])


def test_a_chain_that_changes_before_it_is_asked_for():
    """It is read link by link, for the call's sizes."""
    check(link_changed_before_it_is_asked_for, "numpy", ARGUMENTS, ())


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_an_object_that_changes_before_it_is_asked_for(target):
    """Each item is made when it is asked for."""
    check(object_in_a_list_changed_before_it_is_asked_for, target, ARGUMENTS, ())
