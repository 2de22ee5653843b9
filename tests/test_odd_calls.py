"""Arguments that NumPy refuses are refused with its exception: numbers that an array can't hold, orders and modes that there are not, casts that are not safe, lengths that there are none of."""
from __future__ import annotations

import numpy as np
import pytest
import scipy.fft
import scipy.integrate
import scipy.linalg

import s2s

X = np.linspace(0.1, 2.0, 6).reshape(2, 3)
SMALL = np.arange(9, dtype=np.uint16).reshape(3, 3)


def changed(change):
    """A function that changes its argument and returns it."""

    def f(x, *args):
        change(x, *args)
        return x

    return f


STORES = {
    "fill": changed(lambda x, v: x.fill(v)), "fill_diagonal": changed(lambda x, v: np.fill_diagonal(x, v)), "put": changed(lambda x, v: np.put(x, [0], v)),
    "place": changed(lambda x, v: np.place(x, x > 1, v)), "putmask": changed(lambda x, v: np.putmask(x, x > 1, v)),
}  # fmt: skip


def same(f, *args):
    """Both give the same numbers, or raise exceptions of one class."""
    copies = [np.array(each) if isinstance(each, np.ndarray) else each for each in args]
    try:
        want = f(*copies)
    except (ValueError, TypeError, ArithmeticError, LookupError) as error:
        with pytest.raises(type(error)) as caught:
            s2s.jit(f, target="numpy")(*args)
        assert str(caught.value).splitlines()[0] == str(error).splitlines()[0]
        return
    found = s2s.jit(f, target="numpy")(*args)
    np.testing.assert_array_equal(found, want)
    assert np.asarray(found).dtype == np.asarray(want).dtype


@pytest.mark.parametrize("name", STORES)
@pytest.mark.parametrize("number", [-1.07, 70000.0, -1, 2.5, np.float64(-1.07), np.int64(-1), -0.5])
def test_numbers_that_an_array_can_not_hold(name, number):
    same(STORES[name], SMALL.copy(), number)


CALLS = {
    "choose by floats": (lambda x, i: np.choose(i, [x[0], x[1]]), X, np.array([0.0, 1.0, 0.0])),
    "choose by a float": (lambda x, i: np.choose(i, [x[0], x[1]]), X, 1.0),
    "choose by uint64": (lambda x, i: np.choose(i, [x[0], x[1]]), X, np.array([0, 1, 0], np.uint64)),
    "choose by bools": (lambda x, i: np.choose(i, [x[0], x[1]]), X, np.array([True, False, True])),
    "put in no mode": (changed(lambda x: np.put(x, [0], [], mode="odd")), X),
    "put by uint64": (changed(lambda x, i: np.put(x, i, 1.0)), X, np.array([0], np.uint64)),
    "put into nothing": (changed(lambda x, i: np.put(x, i, 1.0)), X[:0], 0),
    "no order": (lambda x: x.copy("X"), X), "an order": (lambda x: x.copy("k"), X), "no order of a copy": (lambda x: np.copy(x, "X"), X),
    "no order to reshape": (lambda x: x.reshape(3, -1, order="K"), X), "no copy": (lambda x: np.reshape(x, (3, -1), copy="no"), X),
    "places among floats": (lambda x, out: x.argmax(axis=0, out=out), X, np.zeros(3)), "places among int32": (lambda x, out: x.argmin(axis=0, out=out), X, np.zeros(3, np.int32)),
    "a method's correction": (lambda x: x.var(correction=1), X), "a function's": (lambda x: np.var(x, correction=1), X),
    "quantiles of complex": (lambda x: np.nanquantile(x, 0.3), X + 1j), "percentiles of complex": (lambda x: np.nanpercentile(x, 30.0), X + 1j),
    "percentiles of no bools": (lambda x: np.nanpercentile(x, 30), np.zeros((0, 2), np.bool_)),
    "no polynomial": (lambda x: np.polydiv(x, np.array([1.0, -2.5])), np.zeros(0)),
    "no steps": (lambda x, step: np.arange(0, x, step), -3.0, 0.0), "no steps of a dtype": (lambda x, step: np.arange(0, x, step), 3.0, np.float64(0.0)),
    "infinitely many": (lambda x: np.arange(0, x, 1.0), np.inf), "nan steps": (lambda x: np.arange(0, 3, x), np.nan), "steps back": (lambda x: np.arange(0, x, 0.5), -3.0),
    "a negative number of frequencies": (lambda n: np.fft.fftfreq(n), -1), "frequencies of an array": (lambda n: np.fft.rfftfreq(n), 3.5),
    "sums of a list into an array": (lambda x, out: np.cumprod([-1.6, x], out=out), 2.0, np.zeros(2)),
    "expm of single precision": (lambda x: scipy.linalg.expm(x), np.zeros((2, 2), np.float32)),
    "positions along no axes": (lambda x: np.indices(()) + x, 2), "the smallest of none": (lambda x: np.linalg.norm(x, -np.inf, 0), X[:0]),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_as_numpy(name):
    same(*CALLS[name])


def test_complex_steps():
    with pytest.raises(NotImplementedError, match="imaginary"):
        s2s.jit(lambda y, dx: scipy.integrate.trapezoid(y, dx=dx), target="numpy")(X, 0.5j)
