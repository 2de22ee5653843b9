"""Which class a value is of, and which number it is, where paths meet: values that look alike (the same attributes, 1 and True, 0.0 and -0.0) are not taken for each other."""
from __future__ import annotations

import itertools
from collections import OrderedDict
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

import s2s


class Product:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def size(self):
        return self.x * self.y


class Sum:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def size(self):
        return self.x + self.y


class Opposite(Product):
    def size(self):
        return -1.0 * self.x


@dataclass
class Tripled:
    x: float
    y: float

    def size(self):
        return self.x * 3.0


class Row(NamedTuple):
    x: float
    y: float

    def size(self):
        return self.x * 5.0


class Column(NamedTuple):
    x: float
    y: float

    def size(self):
        return self.x * 6.0


def ways(One, Two):
    """Ways to come by a value of one of two classes."""

    def made(t):
        if t > 0.25:
            return One(t, 0.5)
        return Two(t, 1.0)

    def returned(x):
        h = made(x)
        return h.size(), isinstance(h, One), type(h) is Two

    def inside(t):
        if t > 0.25:
            return [One(t, 0.5)], {"k": One(t, 1.0)}
        return [Two(t, 1.0)], {"k": Two(t, 2.0)}

    def returned_inside(x):
        items, table = inside(x)
        return items[0].size() + table["k"].size()

    def bound(x):
        h = One(x, 0.5)
        if x <= 0.25:
            h = Two(x, 1.0)
        return h.size(), isinstance(h, Two)

    def chosen(x):
        h = One(x, 0.5) if x > 0.25 else Two(x, 1.0)
        return h.size(), type(h) is One

    def carried(x):
        h, total = One(x, 0.5), 0.0
        for i in range(3):
            total = total + h.size()
            h = Two(x + i, 1.0) if x + i > 0.7 else One(x, 2.0)
        return total + h.size()

    def smallest(x):
        h = min([One(x, 0.5), Two(1.0 - x, 1.0)], key=lambda each: each.x)
        return h.size(), isinstance(h, One)

    def ordered(x):
        _, h = sorted([One(x, 0.5), Two(1.0 - x, 1.0)], key=lambda each: each.x)
        return h.size(), isinstance(h, One)

    def left_early(x):
        def found(x):
            for i in range(4):
                if x * i > 0.6:
                    return One(x, i)
            return Two(x, 1.0)

        return found(x).size()

    def entry(x):
        return {"a": One(x, 1.0), "b": Two(x, 2.0)}["a" if x > 0.25 else "b"].size()

    def called_again(x):
        def found(x, n):
            if n == 0:
                return One(x, 0.5)
            if x > 2.0:
                return Two(x, 1.0)
            return found(x * 1.7, n - 1)

        return found(x, 3).size()

    return returned, returned_inside, bound, chosen, carried, smallest, ordered, left_early, entry, called_again


PAIRS = list(itertools.permutations((Product, Sum, Opposite, Tripled, Row, Column), 2))


@pytest.mark.parametrize("pair", PAIRS[::3], ids=lambda pair: f"{pair[0].__name__}-{pair[1].__name__}")
def test_of_one_of_two_classes(pair):
    refused = 0
    for way in ways(*pair):
        function = s2s.jit(way, target="numpy")
        for x in (0.1, 0.3, 0.9):
            try:
                found = function(x)
            except NotImplementedError:
                refused += 1
                break
            np.testing.assert_allclose(np.array(found, float), np.array(way(x), float), err_msg=way.__name__)
    assert refused <= 3


def sign(x):
    h = 0.0 if x > 0.25 else -0.0
    return 1.0 / np.float64(h), np.copysign(x, {True: 0.0, False: -0.0}[x > 0.5])


def returned_sign(x):
    def found(x):
        if x > 0.25:
            return 1, 0.0
        return 1, -0.0

    return np.copysign(3.0, found(x)[1])


def returned_kind(x):
    def found(x):
        if x > 0.25:
            return OrderedDict(a=x)
        return {"a": x * 2.0}

    table = found(x)
    return table["a"], isinstance(table, OrderedDict)


@pytest.mark.parametrize("function", [sign, returned_sign, returned_kind])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_numbers_and_containers_that_are_equal(function):
    for x in (0.1, 0.3, 0.9):
        np.testing.assert_array_equal(s2s.jit(function, target="numpy")(x), function(x))


@pytest.mark.parametrize("pair", [(1, True), (2, 2.0), (1.0, np.float64(1.0)), (2, np.int64(2))])
def test_a_question_of_the_class_is_refused(pair):
    def chosen(x):
        return isinstance(pair[0] if x > 0.25 else pair[1], type(pair[1]))

    def returned(x):
        def found(x):
            if x > 0.25:
                return pair[0]
            return pair[1]

        return isinstance(found(x), type(pair[1]))

    for function in (chosen, returned):
        with pytest.raises(NotImplementedError, match="isinstance of a number"):
            s2s.jit(function, target="numpy")(0.1)
