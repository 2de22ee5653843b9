"""Stores into the real and the imaginary parts of complex arrays, as attributes, views and arguments of helpers, and their derivatives."""
from __future__ import annotations

import numpy as np
import pytest

import s2s


def set_parts(x, y):
    z = np.zeros(x.shape, complex)
    z.real = x
    z.imag = 2.0 * y
    return z


def set_elements(x, y):
    z = x + 1j * y
    z.real[0] = 5.0
    z.imag[:, 1] -= x[:, 1]
    z.T.imag[0, 1:] = 3.0
    z[1].real = y[0]
    z[1:, 1:].imag[0] *= 2.0
    z.imag[[0, 2], [1, 0]] = x[1, 1]
    z.real[x > 0.5] = y[0, 0]
    return z


def update(x, y):
    z = x + 1j * y
    z.real += y
    z.imag **= 2
    np.add(z.real, x, out=z.imag)
    np.copyto(np.real(z)[1:], y[:-1])
    np.imag(z)[0] = 0.0
    return z


def _scaled(part, y):
    part *= y
    return part


def seen_by_all(x, y):
    z = x + 1j * y
    real, imag = z.real, z.imag
    seen = _scaled(real, y)
    z[0] = 1.0 - 2.0j
    imag[0, 0] = x[0, 1]
    return z, real, imag, seen


def in_loops(x, y):
    z = np.zeros(x.shape, complex)
    row = z[0].real
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            z.real[i, j] = x[i, j] * y[i, j]
            z[i].imag[j] += z.real[i, j] - row[j]
    return z


def of_one_path(x, y):
    z = x + 1j * y
    part = z.real if x[0, 0] > 0 else z.imag
    part[1:] = x[:-1] * y[1:]
    return z


def of_reals(x, y):
    z = x.copy()
    z.real = y
    z.real[0] += 1.0
    return z


PROGRAMS = (set_parts, set_elements, update, seen_by_all, in_loops, of_one_path, of_reals)
X, Y = np.random.default_rng(5).normal(size=(2, 3, 3))


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("function", PROGRAMS)
def test_is_numpys(function, target):
    found, wanted = s2s.jit(function, target=target)(X, Y), function(X, Y)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-14)
        assert one.dtype == other.dtype


@pytest.mark.parametrize("function", PROGRAMS)
def test_derivatives(function):
    def total(x, y):
        return sum(np.sum(np.abs(each) ** 2 * (2.0 + k)) for k, each in enumerate(function(x, y)))

    s2s.check_grads(total, (X, Y), order=2 if function is in_loops else 1)
    xs, ys = np.stack((X, Y, X.T)), np.stack((Y, X, Y))
    np.testing.assert_allclose(s2s.jit(s2s.vmap(total), target="numpy")(xs, ys), [total(x, y) for x, y in zip(xs, ys, strict=True)], rtol=1e-13)


def test_stores_into_the_callers_array():
    def set_imag(z, x):
        z.imag = x
        z.real[0] = 7.0
        return z.real

    z, other = X + 1j * Y, X + 1j * Y
    found = s2s.jit(set_imag)(z, Y.T)
    set_imag(other, Y.T)
    np.testing.assert_array_equal(z, other)
    assert np.shares_memory(found, z)


def test_an_element_is_stored_as_one():
    def fill(x):
        z = np.zeros(x.shape, complex)
        for k in range(x.shape[0]):
            z.real[k] = x[k]
        return z

    assert "z[i] = complex(x[i], z[i].imag)" in s2s.jit(fill).source(X[0])


def test_reals_have_no_imaginary_part_to_set():
    def set_imag(x):
        x.imag = 2.0
        return x

    with pytest.raises(TypeError, match="array does not have imaginary part to set"):
        s2s.jit(set_imag)(X.copy())
