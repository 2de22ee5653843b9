"""What functions of published packages do with their arguments and options: each in a program of our own, as against NumPy and Python."""
from __future__ import annotations

import itertools
import operator
import random

import numpy as np
import pytest
from outcomes import outcome, same

import s2s
from s2s.errors import UnsupportedError

X = np.array([0.1, -3.0, 0.4])


def truth_of_an_array_on_one_path(x, is_asked):
    y = np.sin(x)
    if is_asked and y:
        y = y + 1.0
    return y


def truth_of_an_array_where_a_list_has_no_masks(x, is_array):
    y = np.sin(x)
    if is_array:
        x = y
    try:
        y[y < 0.15] = x[y < 0.15] * 2.0
    except TypeError:
        if y < 3.0:
            y = 7.0 * y
    return y


def larger_of_two_arrays_on_one_path(x, is_asked):
    return max(x, np.cos(x)) if is_asked else x


def uncopied(x, dtype):
    return np.array(x, dtype=dtype, copy=False) + 1.0


def uncopied_or_none(x, dtype):
    try:
        return np.asarray(x, dtype, copy=False) * 2.0
    except ValueError:
        return np.zeros(2)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize(("program", "arguments"), [
    (truth_of_an_array_on_one_path, ((X, False), (X, True), (X[:1], True), (0.3, True))),
    (truth_of_an_array_where_a_list_has_no_masks, (([0.1, 0.5], True), ([0.1, 0.5], False), (X, True), (X, False))),
    (larger_of_two_arrays_on_one_path, ((X, False), (X, True), (0.5, True))),
    (uncopied, ((X, None), ([0.5, 1.0], None), ((1, 2), None), (2.0, None), (np.float64(2.0), None), (np.array(2.0), None), ([X, X], None))),
    (uncopied_or_none, ((X, None), ([0.5, 1.0], None), (0.5, None))),
])  # fmt: skip
def test_does_as_python(program, arguments, target):
    run = s2s.jit(program, target=target)
    for args in arguments:
        found, wanted = outcome(run, args), outcome(program, args)
        assert same(found, wanted), f"{found} instead of {wanted} for {args}"


@pytest.mark.parametrize("drawn", [
    lambda seed: np.random.default_rng(seed).random(), lambda seed: np.random.default_rng(seed=seed).random(), lambda seed: np.random.RandomState(seed).random_sample(),
    lambda seed: random.Random(seed).random(), lambda seed: np.random.Generator(np.random.PCG64(seed)).random(), lambda seed: np.random.default_rng(np.random.SeedSequence(seed)).random(),
])  # fmt: skip
def test_no_seed_is_none_also_where_it_is_given(drawn):
    """Each run would draw other numbers: it is refused instead of those of the reading."""
    run = s2s.jit(drawn, target="numpy")
    with pytest.raises(UnsupportedError, match="of no seed"):
        run(None)
    assert run(3) == drawn(3)


def test_entropy_that_a_seed_sequence_is_not_given():
    def drawn(x):
        return x + np.random.default_rng(np.random.SeedSequence(None, spawn_key=(1,))).random()

    with pytest.raises(UnsupportedError, match="SeedSequence of no seed"):
        s2s.jit(drawn, target="numpy")(1.0)


class Places:
    def __index__(self):
        return 2


def as_an_index(x, n, is_many):
    count = operator.index(n)
    return x[: count if is_many else 1], count, x[operator.index(Places())]


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_indices_are_whole_numbers_of_python(target):
    run = s2s.jit(as_an_index, target=target)
    for n in (2, np.int32(1), np.array(2), True, 1.0, np.float64(1.0), np.True_, None):
        assert same(outcome(run, (X, n, True)), outcome(as_an_index, (X, n, True))), n


def levels(values, factors):
    return np.array(list(itertools.product(values, repeat=factors)))


def first_of_each(x, factors):
    return sum(place[0] for place in itertools.product(x, repeat=factors))


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("program", [levels, first_of_each])
def test_products_of_as_many_as_the_call_says(program, target):
    run = s2s.jit(program, target=target)
    for args in ((X, 2), ([1.0, 2.0], 3), (X, 1), (X, True), (X, -1), (X, 1.5)):
        assert same(outcome(run, args), outcome(program, args)), args
    np.testing.assert_allclose(s2s.grad(s2s.jit(first_of_each, target=target))(X, 2), np.full(3, 3.0))
