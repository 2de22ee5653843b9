"""Arguments that NumPy takes as arrays: objects with `__array__`, memoryviews, arrays of other libraries."""
from __future__ import annotations

import array
import ctypes

import numpy as np
import pytest

import s2s

NUMBERS = (1.0, 2.0, 4.0)


class Converted:
    """As a pandas column: it makes an array where NumPy asks."""

    def __init__(self, values):
        self.values = np.array(values)

    def __array__(self, dtype=None, copy=None):
        return self.values


class Interfaced:
    """As an array of another library, which shows where its memory lies."""

    def __init__(self, values):
        self.values = np.array(values)
        self.__array_interface__ = self.values.__array_interface__

    @property
    def __array_struct__(self):
        return self.values.__array_struct__


FORMS = [lambda values: memoryview(np.array(values)), Converted, Interfaced, lambda values: (ctypes.c_double * 3)(*values)]


def energy(x):
    return (x * x).sum()


def doubled(x):
    return x * 2.0


def product(x, y):
    return (x * y).sum()


def moved(x, y):
    x[1:] = y[:-1]
    return x


@pytest.mark.parametrize("made", FORMS)
def test_they_are_taken_as_numpy_takes_them(made):
    x, plain = made(NUMBERS), np.array(NUMBERS)
    on_numpy = s2s.jit(energy, target="numpy")
    assert on_numpy(x) == 21.0
    for found in (
        s2s.grad(on_numpy)(x), s2s.vjp(on_numpy, x)[1](1.0)[0], s2s.jacfwd(on_numpy)(x), s2s.vmap(s2s.jit(doubled, target="numpy"))(x),
        s2s.vjp(s2s.jit(doubled, target="numpy"), plain)[1](x)[0], s2s.linearize(s2s.jit(doubled, target="numpy"), x)[1](x),
        s2s.linear_transpose(doubled, x)(x)[0], s2s.jit(lambda d: 2.0 * d["x"], target="numpy")({"x": x}),
    ):  # fmt: skip
        np.testing.assert_array_equal(found, 2.0 * plain)
    assert s2s.jvp(on_numpy, (x,), (x,)) == (21.0, 42.0)
    assert s2s.jit(product, target="numpy")(x, plain) == 21.0
    assert s2s.eval_shape(doubled, x).shape == (3,)


@pytest.mark.parametrize("made", FORMS)
def test_a_store_reaches_their_memory(made):
    x = made(NUMBERS)
    found = s2s.jit(moved)(x, np.array([7.0, 8.0, 9.0]))
    np.testing.assert_array_equal(found, [1.0, 7.0, 8.0])
    np.testing.assert_array_equal(np.asarray(x), found)


def test_what_numpy_makes_of_them_must_be_numbers():
    with pytest.raises(s2s.errors.ArgumentTypeError, match="holds Python's objects"):
        s2s.jit(energy)(Converted([object()]))
    with pytest.raises(s2s.errors.ArgumentTypeError, match=r"x is a numpy\.ma\.MaskedArray"):
        s2s.jit(energy)(np.ma.masked_array([1.0, 2.0], [False, True]))
    with pytest.raises(ValueError, match="read-only"):
        s2s.jit(moved)(memoryview(bytes(24)).cast("d"), np.zeros(3))


class Labelled(Converted):
    """NumPy leaves what its functions make of it to the class, as of a Series of pandas."""

    def __array_ufunc__(self, *args, **kwargs):
        return self

    def std(self):
        return np.asarray(self).std(ddof=1)


def test_what_has_functions_of_its_own_is_no_array():
    for fun in (s2s.jit(lambda x: x.std()), s2s.grad(lambda x: x.std(), allow_int=True)):
        with pytest.raises((s2s.errors.ArgumentTypeError, s2s.errors.ArgumentValueError), match=r"Labelled"):
            fun(Labelled([1.0, 2.0]))
    with pytest.raises(s2s.errors.ArgumentTypeError, match=r"test_array_likes\.Labelled\n  why: its operators are not NumPy's"):
        s2s.jit(lambda d: d["x"].std())({"x": Labelled([1.0, 2.0])})


@pytest.mark.parametrize("given", [bytearray([200, 100]), array.array("b", [100, 100]), array.array("d", [1.0, 2.0]), memoryview(bytes([200, 100])), (ctypes.c_float * 2)(0.1, 0.2)])
def test_what_has_pythons_operators_or_numbers_is_no_array(given):
    """`a + a` of one is longer, and their sum is that of Python's numbers."""
    for fun, argument in ((lambda a: sum(a), given), (lambda a: a + a, given), (lambda d: sum(d["x"]), {"x": given})):
        with pytest.raises(s2s.errors.ArgumentTypeError, match=r"its operators are not NumPy's\n  instead: numpy.asarray"):
            s2s.jit(fun)(argument)


def test_none_is_nan_in_an_array_of_floats():
    def f(x):
        return np.asarray(None, float), np.array([None, x], dtype=np.float32), np.array([[None], [x]], dtype=float)

    for found, wanted in zip(s2s.jit(f, target="numpy")(1.5), f(1.5), strict=True):
        np.testing.assert_array_equal(found, wanted)
        assert found.dtype == wanted.dtype
