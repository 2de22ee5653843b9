"""Rounding to decimals, of Python's numbers and NumPy's, by numbers that only the run knows; repetitions by an array of counts."""
from __future__ import annotations

import struct

import numpy as np
import pytest
from staging import stage_and_run

import s2s
from s2s.transforms.read.composed.python_math import rounded


def drawn(rng: np.random.Generator, count: int) -> np.ndarray:
    """Numbers of all sizes, many of them half-way between two."""
    return np.concatenate([
        rng.normal(size=count) * 10.0 ** rng.integers(-12, 20, count), np.round(rng.normal(size=count) * 1000) / 2 / 10.0 ** rng.integers(0, 8, count),
        rng.integers(-(2**53), 2**53, count) * 1.0, rng.integers(-1000, 1000, count) / 8.0, rng.integers(-(10**6), 10**6, count) * 5.0 * 10.0 ** rng.integers(0, 12, count),
        np.round(rng.normal(size=count), 4) + 0.00005,
    ])  # fmt: skip


def test_floats_are_rounded_to_decimals_with_pythons_bits():
    rng = np.random.default_rng(3)
    for number in drawn(rng, 500):
        digits = int(rng.integers(-15, 20))
        assert struct.pack("d", rounded(float(number), digits)) == struct.pack("d", round(float(number), digits)), (number, digits)
    for number in (1e300, -1e-300, 5e-324, 0.0, -0.0, 1e22, 1e23, np.inf, np.nan, 1.5):
        for digits in (400, 323, 22, -22, -308, -309, 2):
            if (number, digits) != (5e-324, 323):
                assert struct.pack("d", rounded(float(number), digits)) == struct.pack("d", round(float(number), digits)), (number, digits)
    with pytest.raises(NotImplementedError, match="22 decimals"):
        rounded(1.2345e-24, 26)


def test_ints_are_rounded_to_tens_with_pythons_numbers():
    for number in (25, 35, -25, -15, 149, 150, 151, -5, 5, 0, 2**62, -(2**62), 45, 55):
        for digits in (0, 1, -1, -2, -3, -18, -19):
            assert rounded(number, digits) == round(number, digits), (number, digits)
    with pytest.raises(OverflowError):
        rounded(2**63 - 1, -19)


def test_both_targets_round_as_python():
    def both(x, n):
        return round(x, n), round(x, 2), round(x, -1), round(n, -1)

    for target in ("numpy", "cpu"):
        f = s2s.jit(both, target=target)
        for x, n in ((2.675, 2), (-1234.5678, -2), (0.5, 0), (2.5, 0), (1e22, -20), (-0.04, 1), (125.0, -1)):
            found = f(x, n)
            assert [struct.pack("d", each) for each in found[:3]] == [struct.pack("d", each) for each in both(x, n)[:3]] and found[3] == both(x, n)[3]
            assert [type(each) for each in found] == [float, float, float, int]
    assert s2s.grad(lambda x: x * round(x, 2))(1.2345) == 1.23


def of_array(x, n):
    return np.round(x, n), x.round(n)


def negative(x):
    return np.round(x, -1), np.around(x, decimals=-2)


def test_arrays_are_rounded_to_decimals_of_run_time_and_ints_to_tens():
    rng = np.random.default_rng(4)
    for dtype in ("f8", "f4", "i4", "i8", "u2", "c16"):
        x = (rng.normal(size=7) * 1000).astype(dtype)
        for n in range(-3, 4):
            for found, wanted in zip(stage_and_run(of_array, (x, n)), of_array(x, n), strict=True):
                assert found.dtype == wanted.dtype
                np.testing.assert_array_equal(found, wanted)
        for found, wanted in zip(stage_and_run(negative, (x,)), negative(x), strict=True):
            assert found.dtype == wanted.dtype
            np.testing.assert_array_equal(found, wanted)


def test_out_may_stand_at_its_place():
    def into(x, y):
        np.round(x, 1, y)
        z = np.zeros(3)
        x.round(2, z)
        return y, z

    x = np.array([1.234, -5.678, 0.05])
    for found, wanted in zip(s2s.jit(into, target="numpy")(x, np.zeros(3)), into(x, np.zeros(3)), strict=True):
        np.testing.assert_array_equal(found, wanted)


# ---- np.repeat -------------------------------------------------------------------------------------------------------------


def along(x, counts):
    return np.repeat(x, counts, axis=0)


def by_known(x):
    return np.repeat(x, [2, 0, 1], 0) * 2.0


def test_each_element_is_repeated_as_often_as_its_count_says():
    for x in (np.arange(3.0), np.arange(6.0).reshape(3, 2)):
        for counts in (np.array([1, 2, 0]), np.array([0, 0, 0]), np.array([4, 1, 1], np.uint8), np.array([2])):
            np.testing.assert_array_equal(stage_and_run(along, (x, counts)), along(x, counts))
        np.testing.assert_array_equal(stage_and_run(by_known, (x,)), by_known(x))
    np.testing.assert_array_equal(stage_and_run(lambda x, c: np.repeat(x, c), (np.arange(4.0).reshape(2, 2), np.array([1, 0, 2, 1]))), [0, 2, 2, 3])


@pytest.mark.parametrize(("x", "counts", "error"), [
    (np.arange(3.0), np.array([1, -2, 0]), ValueError), (np.arange(3.0), np.array([1, 2]), ValueError), (np.arange(3.0), np.array([1.0, 2.0, 0.0]), TypeError),
    (np.arange(3.0), np.array([[1, 2, 0]]), ValueError), (np.arange(3.0), -1, ValueError), (np.arange(3.0), np.array([-1]), ValueError),
])  # fmt: skip
def test_counts_that_numpy_does_not_take(x, counts, error):
    with pytest.raises(error) as wanted:
        along(x, counts)
    with pytest.raises(error, match=str(wanted.value).replace("(", r"\(").replace(")", r"\)")):
        s2s.jit(along, target="numpy")(x, counts)
    assert s2s.jit(along, target="numpy")(np.zeros((0, 2)), -1).shape == (0, 2)


def test_the_gradient_sums_the_repeated():
    def loss(x, counts):
        return np.sum(np.repeat(x, counts) * np.arange(1.0, 4.0))

    np.testing.assert_array_equal(s2s.grad(loss)(np.ones(3), np.array([1, 0, 2])), [1.0, 0.0, 5.0])
    np.testing.assert_array_equal(s2s.vmap(lambda x: np.repeat(x, [1, 2, 0]))(np.arange(6.0).reshape(2, 3)), [[0, 1, 1], [3, 4, 4]])


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_bools_are_float16(target):
    found = s2s.jit(lambda x: np.round(x), target=target)(np.array([True, False]))
    assert found.dtype == np.float16 and found.tolist() == [1.0, 0.0]
