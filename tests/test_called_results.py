"""Functions that return a range, a slice, a frozenset or a dtype: what Python makes of its numbers, from every function that is called rather than differentiated."""
from __future__ import annotations

import numpy as np
import pytest

import s2s
from s2s.errors import UnsupportedError

X = np.array([0.5, -1.25, 2.0, 0.75])


def known(x):
    return range(3), range(7, 1, -2), slice(1, 3), slice(None), np.s_[1:3, ::2], frozenset([8, 0, 16]), frozenset(), frozenset(("a", (1, 2), None, True))


def by_sizes(x):
    return {"places": range(len(x)), "but the last": slice(0, len(x) - 1), "each": [range(k, len(x)) for k in range(2)]}


def of_numbers(x):
    places = range(int(x[2]), x.size)
    return places, len(places), slice(np.argmin(x), None, 2), slice(x[0], "b")


def or_nothing(x):
    return range(2) if x[0] > 0 else None


def named(range, slice=2):  # noqa: A002 - names of what is made
    return np.s_[1:slice], np.arange(3)[range.size :].shape


def of_numpys_integers(x):
    order = np.argsort(x)
    return range(order[0], order[3]), slice(order[1], order[2])


class Grid:
    def __init__(self, values):
        self.values, self.dtype, self.kind = values, values.dtype, np.dtype("i4")

    def __repr__(self):
        return f"{self.values} {self.dtype!r} {self.kind!r}"


def dtypes(x):
    return x.dtype, {"of sums": (x > 0).sum().dtype, "narrow": x.astype(np.float16).dtype}, Grid(x * 2)


@pytest.mark.parametrize("target", ("numpy", "cpu"))
@pytest.mark.parametrize("function", (known, by_sizes, of_numbers, or_nothing, named, of_numpys_integers, dtypes))
def test_results(function, target):
    found, wanted = s2s.jit(function, target=target)(X), function(X)
    assert repr(found) == repr(wanted)
    if target == "numpy":
        assert repr(s2s.jit(function, target=target)(-X)) == repr(function(-X))


@pytest.mark.parametrize("transformation", (s2s.vmap, s2s.grad, lambda function: lambda x: s2s.eval_shape(function, x)))
def test_refused(transformation):
    with pytest.raises((UnsupportedError, TypeError)):
        transformation(lambda x: range(int(x[0])))(np.ones((3, 3)))


def test_beside_what_is_differentiated():
    (value, places), gradient = s2s.value_and_grad(lambda x: (x @ x, range(x.size)), has_aux=True)(X)
    assert (value, places) == (X @ X, range(4))
    np.testing.assert_array_equal(gradient, 2 * X)


def either(x):
    places = range(len(x)) if x[0] > 0 else range(len(x) - 1, -1, -2)
    total = 0.0
    for k in places:
        total = 2 * total + x[k]
    return total, places, list(places), len(places)


def either_known(x):
    places = range(3) if x[0] > 0 else range(1, 4)
    return [x[k] for k in places], 3 in places, places


def until(x):
    places = range(0)
    if x[0] > 0:
        places = range(1, int(x[2]) + 1)
    return places, np.sum(x[places])


@pytest.mark.parametrize("target", ("numpy", "cpu"))
@pytest.mark.parametrize("function", (either, either_known, until))
def test_ranges_of_two_paths(function, target):
    compiled = s2s.jit(function, target=target)
    for x in (X, -X):
        assert repr(compiled(x)) == repr(function(x))


def test_gradient_over_a_range_of_two_paths():
    for x in (X, -X):
        steps = [(either(x + 1e-6 * row)[0] - either(x - 1e-6 * row)[0]) / 2e-6 for row in np.eye(4)]
        np.testing.assert_allclose(s2s.grad(lambda x: either(x)[0])(x), steps, atol=1e-6)


def test_frozensets_of_the_run_are_refused():
    for function in (lambda x: frozenset(int(v) for v in x), lambda x: frozenset((x[0], 1.0))):
        with pytest.raises(UnsupportedError, match=r"a frozenset of what is known only at run time[\s\S]*instead: a set"):
            s2s.jit(function)(X)
