"""Generators that go through other generators, as whole pipelines of them: what they yield is Python's, and what only Python's own order would tell is refused."""
from __future__ import annotations

from collections import deque

import numpy as np
import pytest
from outcomes import check

import s2s

X = np.array([0.5, -1.25, 2.0, 0.75, 3.5, -0.5, 1.5])
ARGUMENTS = ((X,), (-X,), (X[:1],), (X[:0],))


def numbers(x):
    for v in x:
        yield float(v)


def positive(items):
    return (v for v in items if v > 0)


def kept(items):
    for v in items:
        if v > 0:
            yield v


def means(items, n):
    window = deque(maxlen=n)
    for v in items:
        window.append(v)
        if len(window) == n:
            yield sum(window) / n


def listed(x):
    return list(means(kept(numbers(x)), 2))


def of_an_expression(x):
    return sorted(means(positive(numbers(x)), 2))


def named_first(x):
    found = means(kept(numbers(x)), 2)
    first = next(found, None)
    return first, list(found)


def in_other_calls(x):
    return max(means(kept(numbers(x)), 2), default=0.0), dict(enumerate(means(positive(numbers(x)), 3)))


def taken_behind(x):
    items = kept(numbers(x))
    return list(means(items, 2)), list(items)


@pytest.mark.parametrize("program", [listed, of_an_expression, named_first, in_other_calls, taken_behind], ids=lambda each: each.__name__)
def test_pipelines(program):
    check(program, "numpy", ARGUMENTS, ())


def test_compiled():
    check(listed, "cpu", ARGUMENTS, ())
    np.testing.assert_allclose(s2s.grad(lambda x: sum(means(kept(x), 2)))(X), [0.5, 0.0, 1.0, 1.0, 1.0, 0.0, 0.5])


def taken_between(x):
    items = kept(numbers(x))
    pairs = means(items, 2)
    return next(pairs), next(items)


def taken_before(x):
    items = kept(numbers(x))
    return sum(means(items, 2), next(items))


@pytest.mark.parametrize("program", [taken_between, taken_before], ids=lambda each: each.__name__)
def test_what_another_takes_from_between_is_refused(program):
    check(program, "numpy", ARGUMENTS, {program.__name__})
