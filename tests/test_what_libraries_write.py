"""What functions of published packages do with their arguments and options: each in a program of our own, as against NumPy and Python."""
from __future__ import annotations

import functools
import itertools
import operator
import random

import numpy as np
import pytest
import scipy.stats
from numpy import _CopyMode
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


def turned_without_a_copy(x, is_turned):
    return np.reshape(x.T if is_turned else x, -1, copy=False) * 2.0


def flat_without_a_copy(x, shape):
    y = np.zeros((2, 3))
    z = (y.T if shape else y[0]).reshape(6 if shape else 3, copy=False)
    z[0] = x[0]
    return y, z


def in_order_without_a_copy(x, order):
    y = np.ones((2, 3)) * x[0]
    return np.asarray(y.T if order else y, order="C", copy=False) + x[:2, None].sum()


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
    (turned_without_a_copy, ((np.ones((2, 3)), False), (np.ones((2, 3)), True), (np.ones((1, 3)), True), (np.asfortranarray(np.ones((2, 3))), True), (np.asfortranarray(np.ones((2, 3))), False))),
    (flat_without_a_copy, ((X, False), (X, True))), (in_order_without_a_copy, ((X, False), (X, True))),
    (uncopied_or_none, ((X, None), ([0.5, 1.0], None), (0.5, None))),
])  # fmt: skip
def test_does_as_python(program, arguments, target):
    run = s2s.jit(program, target=target)
    for args in arguments:
        found, wanted = outcome(run, args), outcome(program, args)
        assert same(found, wanted), f"{found} instead of {wanted} for {args}"


def two_in_one_call(seed):
    return np.random.default_rng(seed).random() - np.random.default_rng(seed).random()


def one_each_trip(seed):
    out = np.zeros(2)
    for k in range(2):
        out[k] = np.random.default_rng(seed).random()
    return out[0] - out[1]


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("drawn", [
    lambda seed: np.random.default_rng(seed).random(), lambda seed: np.random.default_rng(seed=seed).normal(), lambda seed: np.random.RandomState(seed).random_sample(),
    lambda seed: random.Random(seed).random(), lambda seed: (random.seed(seed), random.random())[1], lambda seed: (np.random.seed(seed), np.random.random())[1], two_in_one_call, one_each_trip,  # noqa: NPY002 - the legacy generator
])  # fmt: skip
def test_without_a_seed_each_run_draws_others(drawn, target):
    """Also where None is given as one: the numbers are not those of the run in which the function was read."""
    run = s2s.jit(drawn, target=target)
    assert len({run(None) for _ in range(4)}) == 4
    assert run(3) == drawn(3)


def test_a_derivative_without_a_seed_draws_once():
    f = lambda x: x * np.random.default_rng().uniform(1.0, 2.0)  # noqa: E731
    value, gradient = s2s.value_and_grad(s2s.jit(f, target="numpy"))(3.0)
    assert value == 3.0 * gradient
    assert 1.0 <= gradient < 2.0


@pytest.mark.parametrize("made", [lambda seed: np.random.Generator(np.random.PCG64(seed)), lambda seed: np.random.default_rng(np.random.SeedSequence(seed))])
def test_no_seed_of_a_bit_generator(made):
    run = s2s.jit(lambda seed: made(seed).random(), target="numpy")
    with pytest.raises(UnsupportedError, match="of no seed"):
        run(None)
    assert run(3) == made(3).random()


def with_what_is_not_there(x, is_symbolic):
    if is_symbolic:
        from not_there import eye

        return eye(3) * x
    return np.eye(3) * x


def with_what_may_be_there(x, is_symbolic):
    try:
        if is_symbolic:
            import not_there

            y = not_there.one()
        else:
            y = 1.0
    except ModuleNotFoundError:
        y = 3.0
    return x * y


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("program", [with_what_is_not_there, with_what_may_be_there])
def test_what_only_one_path_imports(program, target):
    run = s2s.jit(program, target=target)
    for is_symbolic in (False, True):
        assert same(outcome(run, (1.5, is_symbolic)), outcome(program, (1.5, is_symbolic)))


def test_entropy_that_a_seed_sequence_is_not_given():
    def drawn(x):
        return x + np.random.default_rng(np.random.SeedSequence(None, spawn_key=(1,))).random()

    with pytest.raises(UnsupportedError, match="SeedSequence of no seed"):
        s2s.jit(drawn, target="numpy")(1.0)


def test_modules_of_packages_as_results():
    def f(x):
        from xml import sax

        return x * 2.0, sax, {"a": np.linalg}

    assert s2s.jit(f, target="numpy")(1.5) == f(1.5)


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


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_quantiles_of_f(target):
    """Critical values of an analysis of variance, by their shapes too."""
    def critical(alpha, groups, n):
        return scipy.stats.f.isf(alpha, groups - 1, n - groups), scipy.stats.f.ppf(alpha, groups - 1.0, n - groups, loc=0.5, scale=2.0)

    run = s2s.jit(critical, target=target)
    for args in ((np.array([0.0, 1e-12, 0.05, 0.95, 1.0, 1.5, np.nan]), 3, 12), (0.05, np.array([2.0, 3.0, 0.5]), 20)):
        for found, wanted in zip(run(*args), critical(*args), strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-13)
            assert np.asarray(found).dtype == np.asarray(wanted).dtype
    slope = s2s.grad(lambda p: scipy.stats.f.ppf(p, 2.0, 9.0))(0.3)
    np.testing.assert_allclose(slope, 1.0 / scipy.stats.f.pdf(scipy.stats.f.ppf(0.3, 2.0, 9.0), 2.0, 9.0), rtol=1e-12)


COPY = _CopyMode


def same_where_it_may_be(x, y):
    z = np.array(y, copy=COPY.IF_NEEDED)
    z[0] = x[0]
    return z, y


def never_another(x, y):
    z = np.array(y, copy=COPY.NEVER)
    z[0] = x[1]
    return z, y


def always_another(x, y):
    z = np.asarray(y, copy=COPY.ALWAYS)
    z[0] = x[0]
    return z * x, y


def another_dtype_is_another(x, y):
    return np.asarray(y, dtype=np.float32, copy=COPY.NEVER), x


def of_a_list(x, y):
    return np.array([x[0], y[1]], copy=COPY.IF_NEEDED)


def never_of_a_list(x, y):
    return np.array([x[0], y[1]], copy=COPY.NEVER)


def reshaped_as_needed(x, y):
    z = np.reshape(y, (3, 1), copy=COPY.IF_NEEDED)
    z[1] = x[2]
    return z, y


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("program", [same_where_it_may_be, never_another, always_another, another_dtype_is_another, of_a_list, never_of_a_list, reshaped_as_needed])
def test_numpys_names_for_when_to_copy(program, target):
    """The array API's compatibility layers write these instead of True, None and False."""
    run = s2s.jit(program, target=target)
    wanted, found = ([X.copy(), X + 1.0] for _ in range(2))
    assert same(outcome(run, found), outcome(program, wanted))
    np.testing.assert_array_equal(found[1], wanted[1])


def classes_of_arrays(x, y):
    return x.__class__.__name__, x.__class__ is y.__class__, x[0].__class__.__name__, isinstance(y, x.__class__), (x > 0.0).__class__ is np.ndarray, x.sum().__class__ is float


def an_array_of_the_class(x, y):
    return x * y if y.__class__ is np.ndarray else x


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("program", [classes_of_arrays, an_array_of_the_class])
def test_the_class_of_an_array(program, target):
    assert same(outcome(s2s.jit(program, target=target), (X, X + 1.0)), outcome(program, (X, X + 1.0)))


def test_a_derivative_where_the_class_is_asked():
    np.testing.assert_allclose(s2s.grad(lambda x: np.sum(an_array_of_the_class(x, x)))(X), 2.0 * X)


class Remembered:
    @functools.lru_cache  # noqa: B019 - that is what is asked
    def __new__(cls, size):
        return super().__new__(cls)

    def __init__(self, size):
        self.size = size


def test_objects_that_a_cache_gives_again_are_refused():
    def f(x):
        return Remembered(2).size * x

    with pytest.raises(UnsupportedError, match="an object of Remembered, whose __new__ is no plain function"):
        s2s.jit(f, target="numpy")(X)


def formats_in_formats(x, places):
    return "{:.{}f}".format(x, places), "{1:0.{0}f}|{1}".format(places, x), "{v:{w}.{p}e}|".format(v=x, w=12, p=places), "{:>{w}}{{}}{:{}{}}".format("a", x, ".", places, w=places)


def too_few_for_a_format(x, places):
    return "{:.{}f}".format(x)  # noqa: F524 - what Python says of it


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("program", [formats_in_formats, too_few_for_a_format])
def test_formats_that_str_format_fills_in(program, target):
    run = s2s.jit(program, target=target)
    for args in ((1.5, 2), (-22.256, 1), (0.0, 3)):
        assert same(outcome(run, args), outcome(program, args)), args
