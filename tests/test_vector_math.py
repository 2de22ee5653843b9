"""The vectorised exp, log, tanh, erf, erfc and hypot: right to the last place or two everywhere, compiled and not, and only where arrays are computed."""
from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats
from numba import njit

import s2s
from s2s.codegen.runtime.vector_math import VECTOR_MATH

TINY, LARGEST, SMALLEST = 5e-324, np.finfo(float).max, np.finfo(float).tiny
SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, TINY, -TINY, SMALLEST, -SMALLEST, SMALLEST - TINY, LARGEST, -LARGEST, 1.0, -1.0]
EDGES = {
    "array_exp": [709.782712893384, 709.7827128933841, 710.0, 711.0, -708.3964185322641, -708.4, -744.4400719213812, -745.1332191019411, -745.1332191019412, -746.0],
    "array_log": [np.nextafter(1.0, 0.0), np.nextafter(1.0, 2.0), math.sqrt(0.5), math.sqrt(2.0), 2.0, 0.5, 2.0**-1022, 2.0**-1074 * 3],
    "array_tanh": [0.625, np.nextafter(0.625, 0.0), 19.06, 20.0, 22.0, 1e-8, -1e-8, 1e-300, -0.625],
    "array_erf": [0.8, np.nextafter(0.8, 0.0), -0.8, 5.9, 6.0, 7.0, 1e-8, -1e-300, -6.0],
    "array_erfc": [0.8, np.nextafter(0.8, 0.0), -0.8, 0.5, 1e-20, 26.5, 26.54, 27.2, 27.5, 28.0, -6.0],
}
PLACES = {"array_exp": 1.0, "array_log": 1.0, "array_tanh": 2.0, "array_erf": 3.0, "array_erfc": 6.0}
FUNCTIONS = {"array_erf": math.erf, "array_erfc": math.erfc}
"""Where NumPy has none of long numbers: they may be off by a place themselves."""
OF_ONE = [name for name in VECTOR_MATH if name != "array_hypot"]


def compiled(name: str):
    """The function in a loop, compiled as emitted modules compile it."""
    function = njit(error_model="numpy", fastmath={"contract"})(VECTOR_MATH[name])

    @njit(error_model="numpy")
    def loop(x, y):
        for i in range(x.shape[0]):
            y[i] = function(x[i])

    def run(x: np.ndarray) -> np.ndarray:
        y = np.empty_like(x)
        loop(x, y)
        return y

    return run


def interpreted(name: str):
    """The function one element at a time in Python."""
    return lambda x: np.array([VECTOR_MATH[name](each) for each in x])


def arguments(name: str, count: int) -> np.ndarray:
    """Numbers of every size, the range where the function is neither 0 nor 1 nor inf, and its edges."""
    rng = np.random.default_rng(0)
    bits = rng.integers(-(2**63), 2**63, count, dtype=np.int64).view(np.float64)
    middle = {"array_exp": rng.uniform(-746.0, 710.0, count), "array_log": np.exp(rng.uniform(-1.0, 1.0, count)), "array_tanh": rng.uniform(-20.0, 20.0, count)}.get(name, rng.uniform(-7.0, 28.0, count))
    return np.concatenate([SPECIAL, EDGES[name], bits, middle, 0.01 * middle, rng.normal(size=count) * 1e-310])


def truth(name: str, x: np.ndarray) -> np.ndarray:
    """What it should be."""
    return np.array([FUNCTIONS[name](each) for each in x]) if name in FUNCTIONS else getattr(np, name.removeprefix("array_"))(x)


def places(got: np.ndarray, x: np.ndarray, name: str) -> np.ndarray:
    """The distance from the true value in units in the last place; 0 where both are nan or the same infinity."""
    with np.errstate(all="ignore"):
        true = truth(name, x.astype(np.longdouble))
        nearest = true.astype(float)
        same = (got == nearest) | np.isnan(got) & np.isnan(nearest)
        away = np.abs(got.astype(np.longdouble) - true) / np.spacing(np.minimum(np.abs(nearest), LARGEST))
    return np.where(same, 0.0, away).astype(float)


@pytest.mark.parametrize("name", OF_ONE)
def test_is_right_to_the_last_place(name):
    x = arguments(name, 300_000)
    got = compiled(name)(x)
    away = places(got, x, name)
    assert np.max(away) <= PLACES[name], (x[np.argmax(away)], got[np.argmax(away)])
    assert not np.isnan(away).any()


@pytest.mark.parametrize("name", OF_ONE)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_special_values(name):
    x = np.array(SPECIAL)
    with np.errstate(all="ignore"):
        true = truth(name, x)
    for run in (compiled(name), interpreted(name)):
        got = run(x)
        np.testing.assert_array_equal(np.isnan(got), np.isnan(true))
        exact = ~np.isfinite(true) | (true == 0) | (true == 1)
        np.testing.assert_array_equal(got[exact], true[exact])
        signs = ~np.isnan(true)
        np.testing.assert_array_equal(np.signbit(got[signs]), np.signbit(true[signs]))


@pytest.mark.parametrize("function", [np.exp, np.log, np.tanh])
def test_float32_is_rounded_once(function):
    def program(x):
        return function(x)

    x = np.abs(np.random.default_rng(0).normal(size=1000) * 10).astype(np.float32)
    got = s2s.jit(program, target="cpu")(x)
    assert got.dtype == np.float32
    with np.errstate(all="ignore"):
        np.testing.assert_array_max_ulp(got, function(x.astype(np.float64)).astype(np.float32), maxulp=1)


def rows(x, shift):
    return shift + np.log(np.sum(np.exp(x), axis=1))


def steps(x):
    for _ in range(len(x)):
        x = np.exp(-x) * np.sum(x)
    return np.log(np.sum(x))


def test_only_innermost_loops_call_them():
    source = s2s.jit(rows).source(np.ones((3, 4)), np.ones(3))
    assert "array_exp(x[i, j])" in source
    assert "array_log" not in source
    assert "from math import log" in source
    x, shift = np.arange(12.0).reshape(3, 4), np.ones(3)
    np.testing.assert_allclose(s2s.jit(rows)(x, shift), rows(x, shift), rtol=1e-15)
    source = s2s.jit(steps).source(np.ones(3))
    assert "array_exp(" in source
    assert "array_log" not in source


@pytest.mark.parametrize("name", OF_ONE)
def test_float32_interpreted_is_float32_compiled(name):
    """In a module that runs as plain Python (`NUMBA_DISABLE_JIT=1`) NumPy would keep float32 all the way, Numba does not."""
    x = np.abs(np.random.default_rng(0).normal(size=50)).astype(np.float32)
    np.testing.assert_array_equal(interpreted(name)(x).astype(np.float32), compiled(name)(x))


def test_hypot_and_moduli():
    """Right to two places, without overflow, underflow or a nan where one of both is infinite; of complex numbers and in single precision, too."""
    rng = np.random.default_rng(0)
    every = np.array([(x, y) for x in SPECIAL for y in SPECIAL])
    x, y = np.concatenate([every, rng.normal(size=(100_000, 2)), rng.integers(-(2**63), 2**63, (100_000, 2), dtype=np.int64).view(np.float64)]).T.copy()
    z = np.empty(x.size, complex)
    z.real, z.imag = x, y
    with np.errstate(all="ignore"):
        true = np.hypot(x.astype(np.longdouble), y.astype(np.longdouble))
        nearest = true.astype(float)
        found = {"hypot": s2s.jit(lambda x, y: np.hypot(x, y))(x, y), "complex": s2s.jit(lambda z: np.abs(z))(z), "python": np.array([VECTOR_MATH["array_hypot"](*each) for each in zip(x, y, strict=True)])}
        for got in found.values():
            same = (got == nearest) | np.isnan(got) & np.isnan(nearest)
            away = np.abs(got.astype(np.longdouble) - true) / np.spacing(np.minimum(nearest, LARGEST))
            assert np.max(np.where(same, 0.0, away)) <= 2.0
        single = s2s.jit(lambda z: np.abs(z))(z.astype(np.complex64))
        assert single.dtype == np.float32
        np.testing.assert_array_max_ulp(single, np.abs(z.astype(np.complex64)), maxulp=2)


def test_what_a_kernel_returns_is_a_single_number():
    """The loop's `array_exp` is moved into the return statement, where it is math's."""
    def first(x):
        return np.take(scipy.stats.laplace.logcdf(x), 0)

    x = np.array([0.4, -0.8])
    assert s2s.jit(first)(x) == pytest.approx(first(x), rel=1e-15)
    assert "array_exp" not in s2s.jit(first).lower(x).as_text()
