"""Tuples of which one item says what the others are, beside None: what is told of the one is known of the others."""
from __future__ import annotations

import numpy as np
import pytest
from outcomes import check
from turns import in_turn

import s2s

ARGUMENTS = tuple((np.array(x),) for x in ([3.0, 2.0], [-1.0, -2.0], [1.0, 2.0], [9.0, 9.0], [4.0, 0.0], [0.5, -0.5, -3.0, 4.0], [-0.5, 0.3]))


def shape_at(x, i):
    """None, or the name of a shape with what it is made of."""
    if x[i] > 2:
        return None
    if x[i] > 0:
        return "point", x[i]
    if x[i] > -1:
        return "line", (x[i], 1.0)
    return "circle", (x[i], x * 2)


def returned(x):
    return shape_at(x, 0)


def measured(x):
    shape = shape_at(x, 0)
    if shape is None:
        return x[0] * 0
    name, parts = shape
    if name == "point":
        return parts * parts
    if name == "line":
        return parts[0] * 3 + parts[1]
    return parts[0] + parts[1].sum()


def last_one(x):
    last = None
    for i in range(len(x)):
        shape = shape_at(x, i)
        if shape is not None:
            last = shape
    if last is None:
        return x[0] * 0
    if last[0] == "point":
        return last[1]
    if last[0] == "line":
        return last[1][0] * last[1][1]
    return last[1][0] + last[1][1].sum()


def first_one(x):
    for i in range(len(x)):
        shape = shape_at(x, i)
        if shape:
            return shape
    return "none", None


def names(x):
    return [shape[0] for shape in (shape_at(x, i) for i in range(len(x))) if shape]


def summed(x):
    s = x[0] * 0
    for i in range(len(x)):
        shape = shape_at(x, i)
        if shape is None:
            continue
        match shape:
            case "point", v:
                s += v * v
            case "line", (v, w):
                s += v * 3 * w
            case _, (v, row):
                s += v + np.sum(row**2)
    return s


def in_a_tuple(x):
    shape = shape_at(x, 0)
    pair = (shape, x[1]) if x[1] > 0 else None
    if pair is None:
        return x[0]
    first, second = pair
    if first is None:
        return second
    return second + (first[1] if first[0] == "point" else 7.0)


def parts_that_are_none(x):
    pair = None if x[0] > 0 else x[0], None if x[1] > 0 else "low"
    return None if x[0] > 5 else pair


def array_that_is_stored_into(x):
    pair = (None if x[0] > 0 else x, 1.0) if x[1] < 5 else None
    if pair and pair[0] is not None:
        pair[0][0] = 99.0
    return pair, x


def met_or_not(x, tolerance=1e-3):
    slope = x[0] - 1.0
    return None if abs(slope) < tolerance else [x[0] / slope, x[1], 1.0]


def points_or_nothing(x):
    if x[0] > 5:
        return None
    met = met_or_not(x)
    return met, [a + b for a, b in zip(met, [1.0, 2.0, 3.0])]


def of_another_structure(x):
    line = points_or_nothing(x)
    if not line or x[1] < 0:
        return None
    one, two = line
    return one[0] if x[1] == 0 else ([one[0] + two[0], one[1]], two)


PROGRAMS = [
    returned, measured, last_one, first_one, names, summed, in_a_tuple, parts_that_are_none, array_that_is_stored_into, points_or_nothing, of_another_structure,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_as_python(program):
    check(program, "numpy", ARGUMENTS, ())


@pytest.mark.parametrize("program", in_turn(PROGRAMS, 4), ids=lambda each: each.__name__)
def test_compiled(program):
    check(program, "cpu", ARGUMENTS, ())


@pytest.mark.parametrize("program", [measured, last_one, summed, in_a_tuple], ids=lambda each: each.__name__)
def test_derivatives(program):
    gradient, tangents = (s2s.jit(transform(program), target="numpy") for transform in (s2s.grad, s2s.jacfwd))
    batched = s2s.jit(s2s.vmap(s2s.grad(program)), target="numpy")
    inside = [x + 0.013 for (x,) in ARGUMENTS]  # of the pieces, not where they meet
    for x in inside:
        step = 1e-6 * np.eye(len(x))
        np.testing.assert_allclose(gradient(x), [(program(x + h) - program(x - h)) / 2e-6 for h in step], rtol=1e-5, atol=1e-7)
        np.testing.assert_allclose(gradient(x), tangents(x), rtol=1e-12, atol=1e-12)
    pairs = np.stack([x for x in inside if len(x) == 2])
    np.testing.assert_allclose(batched(pairs), [gradient(x) for x in pairs], rtol=1e-12, atol=1e-12)


def test_what_is_told_of_one_is_known_of_the_others():
    """The text has no path on which a point would be a line, none that unpacks None, and one number says which it is."""
    text = s2s.jit(measured, target="numpy").source(ARGUMENTS[0][0])
    assert "raise" not in text.split("def _")[0] and text.count("_kind == ") <= 4, text
