"""sorted, list.sort, min and max of Python's floats beside NumPy's of single precision: no digit is lost, and what depends on which of them it is is refused."""
from __future__ import annotations

import numpy as np
import pytest

import s2s
from s2s.errors import UnsupportedError


def ordered(x, y):
    return np.asarray(sorted([x, y])).astype(float)


def backwards(x, y):
    return np.asarray(sorted([x, y, np.float32(1)], reverse=True))


def by_key(x, y):
    return np.array(sorted([x, y], key=lambda v: -v)), np.asarray(max([x, y], key=lambda v: v * v)).astype(float)


def in_place(x, y):
    values = [x, 0.1, y]
    values.sort()
    values.reverse()
    return np.array([*values, 2.1])


def rows(x, y):
    return np.asarray(sorted([(x, 1), (y, 2)]))


def best(x, y):
    return np.asarray([min([x, y]), max(x, y)]).astype(float)


FUNCTIONS = (ordered, backwards, by_key, in_place, rows, best)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_no_digit_is_lost(function):
    rng = np.random.default_rng(len(function.__name__))
    run = s2s.jit(function, target="numpy")
    for x, y in rng.normal(size=(4, 2)):
        for args in ((x.item(), np.float32(y)), (np.float32(x), y.item())):
            found, wanted = run(*args), function(*args)
            for one, other in zip(found if isinstance(found, tuple) else (found,), wanted if isinstance(wanted, tuple) else (wanted,), strict=True):
                assert one.dtype == other.dtype
                np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("choice", [lambda x, y: sorted([x, y])[1], lambda x, y: min([x, y]), lambda x, y: max([x, y], key=lambda v: -v)])
def test_the_precision_of_what_follows_is_refused(choice):
    with pytest.raises(UnsupportedError, match="float32 or float64, depending on the path"):
        s2s.jit(lambda x, y: choice(x, y) * 2.1, target="numpy")(0.3, np.float32(0.1))


def test_the_derivative_is_that_of_the_one_chosen():
    def f(x, y):
        low, high = sorted([x, y])
        return np.asarray([low, high]).astype(float)[0]

    assert s2s.grad(f)(0.3, np.float32(0.7)) == 1.0
    assert s2s.grad(f)(0.9, np.float32(0.7)) == 0.0
