"""Calls that NumPy's and SciPy's own tests make: the arguments that those who know the functions best thought of."""
from __future__ import annotations

import numpy as np
import pytest
from outcomes import check

A = np.array


def trace_beside(x, y):
    return np.einsum("aabcb,abc", x, y)


def trace_of_no_square(x):
    return np.einsum("bcb->c", x)


def stretched_diagonal(x, y):
    return np.einsum("bb,b->b", x, y)


def of_parts(re, im):
    return [(float(z.real), float(z.imag)) for z in (complex(re, im), np.complex128(re, im), np.complex64(re, im))]


def inverse_of_parts(x, im):
    return np.fft.ifft(x) * complex(1.0, im)


def chosen(at, one, two):
    return np.choose(at, (one, two)), np.choose(at, (one, 1))


def resized(x, size):
    return np.resize(x, size)


def near_a_number(x, rtol):
    return np.isclose(x, 2, atol=0, rtol=rtol), np.allclose(x, 2, atol=0, rtol=rtol)


CASES = [
    (trace_beside, [(np.ones((3, 3, 4, 5, 6)), np.ones((3, 4, 5))), (np.ones((3, 3, 4, 5, 4)), np.ones((3, 4, 5)))]),
    (trace_of_no_square, [(np.ones((4, 5, 6)),), (np.ones((4, 5, 4)),)]),
    (stretched_diagonal, [(np.ones((1, 4)), np.ones(4)), (np.ones((4, 4)), np.arange(4.0))]),
    (of_parts, [(1.0, np.nan), (1.0, np.inf), (np.nan, 0.0), (-0.0, -0.0), (2.5, -3.0)]),
    (inverse_of_parts, [(np.arange(3.0), 2.0)]),
    (chosen, [(A([0, 1]), 1.1, A([3.0, 4.0], np.float32)), (A([0, 1]), 7, A([1, 2], np.uint8)), (A([0, 1]), True, 2.5)]),
    (resized, [(A([[1, 2], [3, 4]]), np.uint64(3)), (A([1.5, 2.5]), 5)]),
    (near_a_number, [(np.float32(1), 0.4999999999999999), (A([1, 2], np.float32), 0.4999999999999999), (A([1.0, 2.0]), 0.4999999999999999)]),
]


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize(("program", "arguments"), CASES, ids=[program.__name__ for program, _ in CASES])
def test_as_the_library(program, arguments, target):
    with np.errstate(all="ignore"):
        check(program, target, arguments, ())
