"""NumPy's functions of one element of objects of a user's class, and of sparse matrices: they ask the object for a method of their name."""
from __future__ import annotations

from functools import partial

import agreement
import numpy as np
import pytest
import scipy.sparse

import s2s

agree = partial(agreement.agree, atol=1e-12, raises=(TypeError, ValueError, AttributeError))


class Dual:
    def __init__(self, x, slope):
        self.x, self.slope = x, slope

    def sin(self):
        return Dual(np.sin(self.x), np.cos(self.x) * self.slope)

    def sqrt(self):
        return Dual(np.sqrt(self.x), self.slope / (2 * np.sqrt(self.x)))

    def exp(self):
        return Dual(np.exp(self.x), np.exp(self.x) * self.slope)

    def rint(self):
        return "a text"

    def __mul__(self, other):
        return Dual(self.x * other.x, self.x * other.slope + self.slope * other.x)

    def __neg__(self):
        return Dual(-self.x, -self.slope)

    def __abs__(self):
        return np.hypot(self.x, self.slope)


class Taken(Dual):
    def __array__(self, dtype=None, copy=None):
        return np.full(2, 3.0)


def damped(x):
    found = np.sin(Dual(x, 1.0)) * np.exp(-Dual(x, 1.0))
    return found.x, found.slope


def signs(x):
    return np.abs(Dual(x, 1.0)), np.negative(Dual(x, 2.0)).slope, len(np.rint(Dual(x, 1.0)))


def of_one_of_two(x):
    number = Dual(x, 1.0) if x > 1 else Dual(2 * x, 3.0)
    return np.sqrt(number).slope


def of_several(x):
    total = 0.0
    for each in [Dual(number, 1.0) for number in (x, x + 1, x + 2)]:
        total += np.sin(each).slope
    return total


def no_method(x):
    return np.cos(Dual(x, 1.0))


def no_sign(x):
    return np.positive(Dual(x, 1.0))


def taken_for_an_array(x):
    return np.sin(Taken(x, 1.0)) * x


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("call", [damped, signs, of_one_of_two, of_several, no_method, no_sign, taken_for_an_array], ids=lambda call: call.__name__)
def test_objects_are_asked_for_the_method(call, target):
    agree(call, 0.75, target=target)
    agree(call, 1.75, target=target)


def test_arrays_in_objects_and_derivatives():
    agree(damped, np.arange(3.0))
    slope = s2s.grad(of_one_of_two)(2.0)
    assert np.isclose(slope, -0.25 * 2.0**-1.5)


A = np.array([[0.25, 0.0, 0.5], [0.0, 0.75, 0.0], [0.5, 0.0, 0.125]])
NAMES = ("sin", "tan", "arcsin", "arctan", "sinh", "tanh", "arcsinh", "arctanh", "rint", "sign", "expm1", "log1p", "deg2rad", "rad2deg", "floor", "ceil", "trunc", "sqrt")
FORMATS = {name: getattr(scipy.sparse, name) for name in ("csr_array", "csc_matrix", "coo_array", "dia_matrix", "lil_array")}


@pytest.mark.parametrize("made", FORMATS.values(), ids=FORMATS)
@pytest.mark.parametrize("name", NAMES)
def test_methods_of_sparse_matrices(name, made):
    agree(lambda a: getattr(made(a), name)().toarray(), A)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_functions_of_sparse_matrices(target):
    csr = scipy.sparse.csr_array
    agree(lambda a: (np.sqrt(csr(a)).toarray(), np.abs(csr(-a)).toarray(), np.expm1(scipy.sparse.csc_matrix(a)) @ a, np.negative(csr(a)).sum()), A, target=target)
    agree(lambda a: np.sqrt(scipy.sparse.coo_array((np.array([a[0, 0], a[1, 1], 2.0]), ([0, 0, 1], [1, 1, 0])), shape=(3, 3))).toarray(), A, target=target)
    agree(lambda a: (scipy.sparse.linalg.norm(csr(a), axis=0), scipy.sparse.linalg.norm(csr(-a), 1, axis=-1), csr(a).todia() @ a, csr(a).asformat("dia").sum()), A, target=target)


def tidied(a):
    matrix = scipy.sparse.csr_array((np.array([a[0, 0] * 0, 2.0, 3.0]), np.array([0, 0, 1]), np.array([0, 2, 2, 3])), shape=(3, 3))
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    matrix.sort_indices()
    return matrix.toarray(), matrix @ a


def test_what_is_stored_is_tidied():
    agree(tidied, A)
    agree(lambda a: scipy.sparse.dia_array(a).sort_indices(), A)
    assert np.allclose(s2s.grad(lambda a: np.sum(np.sin(scipy.sparse.csr_array(a)).toarray()))(A), np.cos(A), atol=1e-12)
