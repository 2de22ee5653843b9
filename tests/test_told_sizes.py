"""A program that must know some of a call's sizes knows only these: it serves calls of any others."""
from __future__ import annotations

import numpy as np
import pytest

import s2s


def of_rows(points, weight):
    total = 0.0
    for point in points:
        first, *others = tuple(point * 2)
        total += first * sum(others) * weight
    return total


def _product_of(point):
    product = 1.0
    for part in tuple(point):
        product = product * part
    return product


def by_a_helper(points, weight):
    total = 0.0
    for point in points:
        total += _product_of(point) * weight
    return total


def as_keys(points, weight):
    seen = {}
    for point in points:
        key = tuple((point * weight).astype(int))
        seen[key] = seen.get(key, 0) + 1
    return sum(count * count for count in seen.values()) + 0.0 * points[0, 0]


def keys_of_columns(points, weight):
    """What stands in the loop through columns is refused of any number of them; the loop through rows stays."""
    sums = {}
    for column in range(points.shape[1]):
        total = 0.0
        for row in range(points.shape[0]):
            total += points[row, column] * weight
        sums[f"column {column}"] = total**2
    return sum(sums.values())


def _named_sums(points):
    return {f"column {column}": points[:, column].sum() for column in range(points.shape[1])}


def keys_in_a_helper(points, weight):
    return sum(weight * value**2 for value in _named_sums(points).values())


def columns_of_columns(points, weight):
    """All sizes are asked for: of each axis one after the other."""
    return sum(sum(tuple(row)) for row in tuple(points)) * weight


def points(rows, columns):
    return np.random.default_rng(rows + 10 * columns).normal(size=(rows, columns)) * 3.0


def programs_of(transformed):
    return sum(map(len, transformed._found.values()))


@pytest.mark.parametrize("program", [of_rows, by_a_helper, as_keys, keys_of_columns, keys_in_a_helper])
def test_any_number_of_rows(program):
    run = s2s.jit(program, target="numpy")
    for rows in (4, 2, 7, 3):
        assert np.isclose(run(points(rows, 3), 1.5), program(points(rows, 3), 1.5), rtol=1e-13)
    assert programs_of(run) == 1
    assert np.isclose(run(points(4, 2), 1.5), program(points(4, 2), 1.5), rtol=1e-13)
    assert programs_of(run) == 2
    assert run.lower(points(4, 3), 1.5).as_text().count("for ") < 20


@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize("program", [of_rows, by_a_helper, as_keys, keys_of_columns, keys_in_a_helper, columns_of_columns])
def test_rows_of_other_sizes(program, columns):
    run = s2s.jit(program, target="numpy")
    for rows in (1, 4):
        assert np.isclose(run(points(rows, columns), 1.5), program(points(rows, columns), 1.5), rtol=1e-13)


@pytest.mark.parametrize("program", [of_rows, by_a_helper, keys_of_columns])
def test_derivatives(program):
    gradient, batched = s2s.grad(program), s2s.vmap(s2s.grad(program), in_axes=(0, None))
    for rows in (3, 5):
        x, step = points(rows, 3), 1e-6
        expected = np.zeros_like(x)
        for place in np.ndindex(*x.shape):
            moved = np.zeros_like(x)
            moved[place] = step
            expected[place] = (program(x + moved, 1.5) - program(x - moved, 1.5)) / (2 * step)
        np.testing.assert_allclose(gradient(x, 1.5), expected, rtol=1e-6, atol=1e-7)
        np.testing.assert_allclose(batched(np.stack([x, 2 * x]), 1.5), [gradient(x, 1.5), gradient(2 * x, 1.5)], rtol=1e-12)
    assert programs_of(gradient) == 1


def test_compiled():
    run = s2s.jit(of_rows)
    for rows in (2, 6):
        assert np.isclose(run(points(rows, 3), 1.5), of_rows(points(rows, 3), 1.5), rtol=1e-13)
    assert programs_of(run) == 1
