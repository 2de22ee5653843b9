"""Numbers that are Python's own on one path and NumPy's on another: where a division or a power raises on one path only, it raises there or is refused, in whatever holds the number."""
from __future__ import annotations

import math

import numpy as np
import pytest

import s2s


def either(m, n):
    if m < 3:
        return 0
    return n


def halves(j):
    return 2 // j


class Sums:
    """Of the first numbers of x, nothing among them."""

    def __init__(self, x, m):
        self.total, self.count = 0.0, 0
        for v in x[: m - 1]:
            self.total += v * 0
            self.count += 1

    def mean(self):
        return self.total / self.count


def of_abs(m, n, x):
    j = 0 if m < 3 else n
    return 2 // abs(j)


def of_divmod(m, n, x):
    j = 0 if m < 3 else n
    return divmod(2, j)


def of_both_of_divmod(m, n, x):
    j = 0 if m < 3 else n
    return divmod(j, j)[1]


def of_the_quotient(m, n, x):
    j = 0 if m < 3 else n
    return 2 // divmod(j, 3)[0]


def of_sum(m, n, x):
    y = 0.0 if m < 3 else x[0] * 0
    return 1 / sum([y])


def of_pow(m, n, x):
    j = 0 if m < 3 else n
    return pow(j, -1.0)


def of_a_call(m, n, x):
    return 2 // abs(either(m, n))


def of_a_power_of_a_call(m, n, x):
    return either(m, n) ** -1.0


def of_an_argument(m, n, x):
    return halves(0 if m < 3 else n)


def of_an_attribute(m, n, x):
    return 2.0 / Sums(x, m).total


def of_a_method(m, n, x):
    return 2.0 / Sums(x, m).mean()


def of_a_dict(m, n, x):
    found = {"total": 0.0}
    for v in x[: m - 1]:
        found["total"] += v * 0
    return 2.0 / found["total"]


def of_a_list(m, n, x):
    found = [0.0, 1.0]
    for v in x[: m - 1]:
        found[0] += v * 0
    return 2.0 / found[0]


def by_the_sum_of_nothing(m, n, x):
    return 2.0 / sum(x[: m - 1])


def by_the_sum_of_those_that_are_large(m, n, x):
    return 2 / sum([t for t in x if t > 4.0 - m])


def numpys_by_the_sum_of_nothing(m, n, x):
    return x[0] / sum(x[: m - 1])


def caught(m, n, x):
    j = 0 if m < 3 else n
    try:
        return divmod(2, j)[0]
    except ZeroDivisionError:
        return -7


PROGRAMS = [
    of_abs, of_divmod, of_both_of_divmod, of_the_quotient, of_sum, of_pow, of_a_call, of_a_power_of_a_call, of_an_argument, of_an_attribute, of_a_method, of_a_dict, of_a_list,
    by_the_sum_of_nothing, by_the_sum_of_those_that_are_large, numpys_by_the_sum_of_nothing, caught,
]  # fmt: skip


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("fun", PROGRAMS)
@pytest.mark.filterwarnings("ignore")
def test_the_number_or_an_error(fun, target):
    compiled = s2s.jit(fun, target=target)
    for m in (1, 2, 3, 4):
        for n in (0, 2):
            args = m, np.int64(n), np.array([1.0, 2.0, 3.0])
            try:
                wanted = fun(*args)
            except ZeroDivisionError:
                with pytest.raises((ZeroDivisionError, NotImplementedError)):
                    compiled(*args)
                continue
            try:
                found = compiled(*args)
            except NotImplementedError:  # NumPy warns on this path, Python raises on another
                with np.errstate(all="raise"):
                    assert fun is caught or pytest.raises(FloatingPointError, fun, *args)
                continue
            np.testing.assert_array_equal(found, wanted)


def first_of(a, b):
    return max(a, b, 1)


def last_of(a, b):
    return min(b, a, 2.0)


def in_order(a, b):
    s = a if b > 1 else np.complex128(2j)
    return s < 1


def beside_numpys(a, b):
    s = a if b > 1 else np.complex128(2j)
    return s < np.float64(1), max(s, np.complex128(1)), s == 1


@pytest.mark.parametrize("fun", [first_of, last_of, in_order])
def test_complex_numbers_that_python_does_not_order(fun):
    with pytest.raises(TypeError, match="complex"):
        [fun(1 + 2j, b) for b in (np.uint8(0), np.uint8(3), np.True_)]
    with pytest.raises(s2s.UnsupportedError, match="Python's own on one path"):
        s2s.jit(fun, target="numpy")(1 + 2j, np.uint8(3))


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_complex_numbers_beside_numpys_are_ordered(target):
    for b in (np.uint8(0), np.uint8(3)):
        assert s2s.jit(beside_numpys, target=target)(1 + 2j, b) == beside_numpys(1 + 2j, b)


def equal_numbers(a):
    return np.square(a), a**2, np.power(a, 2), np.add(a, 1.0), a + 1.0


def distances(a, b):
    return math.dist((a,), (b,)), math.dist([a, 2.5], (b, 1))


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_equal_numbers_are_pythons_or_numpys_each(target):
    found, wanted = s2s.jit(equal_numbers, target=target)(1.5), equal_numbers(1.5)
    assert found == wanted and [*map(type, found)] == [*map(type, wanted)]


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("a, b", [(np.int8(127), -7), (3, np.float32(0.1)), (np.uint8(3), np.int32(-(2**31))), (np.True_, 1)])
def test_coordinates_are_floats_before_their_difference(a, b, target):
    assert s2s.jit(distances, target=target)(a, b) == pytest.approx(distances(a, b), rel=1e-15)


def test_coordinates_that_are_no_numbers():
    for point in ((1j,), ("1",)):
        with pytest.raises(TypeError, match="must be real number"):
            s2s.jit(lambda a, point=point: math.dist((a,), point), target="numpy")(1.5)


def counted_up(x):
    m = True if x[0] > 0.5 else x[1] > 0.2
    return m + True


def counted_up_in_a_loop(x):
    m = True
    for v in x:
        m = m + True if v > 0.6 else (v > 0.5) + m
    return m


def counted_beside(x):
    m, k = True if x[0] > 0.5 else x[1] > 0.2, 0
    for v in x:
        k += m
        m = (m & (v > 0.1)) | (v > 0.7) if k > 1 else m and v > 0
    return k, int(m) + True, 0.5 if m else 1.5


def test_bools_that_python_counts():
    """True + True is 2, and np.True_ + np.True_ is np.True_."""
    for x in np.random.default_rng(4).uniform(size=(12, 3)):
        for f in (counted_up, counted_up_in_a_loop):
            with pytest.raises(s2s.UnsupportedError, match=r"a bool that is Python's own on one path"):
                s2s.jit(f, target="numpy")(x)
        assert s2s.jit(counted_beside, target="numpy")(x) == counted_beside(x)
