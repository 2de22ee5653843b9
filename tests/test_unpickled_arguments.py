"""Arrays that come from a pickle, or from another process: NumPy gives them a dtype object of their own, equal to the usual one but not the same."""
from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import s2s

RANDOM = np.random.default_rng(5)
LAYOUTS = {
    "boxed": lambda dtype: np.array(RANDOM.uniform(1, 5)).astype(dtype), "flat": lambda dtype: RANDOM.uniform(1, 5, 6).astype(dtype),
    "strided": lambda dtype: RANDOM.uniform(1, 5, (6, 2)).astype(dtype), "columns": lambda dtype: np.asfortranarray(RANDOM.uniform(1, 5, (3, 2)).astype(dtype)), "empty": lambda dtype: np.zeros((0, 2), dtype),
}  # fmt: skip


def unpickled(x: np.ndarray, name: str) -> np.ndarray:
    """The array with a dtype object of its own; not contiguous where its name says so."""
    array: np.ndarray = pickle.loads(pickle.dumps(x))  # noqa: S301 - made here
    assert array.dtype is not np.dtype(array.dtype.type)
    return array[::2, 0] if name == "strided" else array


def doubled(x: Any) -> Any:
    return x * 2


def changed(x: Any) -> Any:
    x[...] = x + x
    return x


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "c16", "u1", "?"])
@pytest.mark.parametrize("name", LAYOUTS)
def test_the_same_as_of_arrays_made_here(name: str, dtype: str, target: str) -> None:
    x = unpickled(LAYOUTS[name](dtype), name)
    for function in (doubled,) if name == "boxed" else (doubled, changed):
        given, wanted = x.copy(), x.copy()
        found, expected = s2s.jit(function, target=target)(given), function(wanted)
        assert found.dtype == expected.dtype and found.shape == expected.shape
        np.testing.assert_array_equal(found, expected)
        np.testing.assert_array_equal(given, wanted)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("name", LAYOUTS)
def test_what_a_function_finds_outside_and_gradients(name: str, target: str) -> None:
    outside = unpickled(LAYOUTS[name]("f8"), name)

    def total(x: Any) -> Any:
        return np.sum(x * outside)

    np.testing.assert_array_equal(s2s.jit(s2s.grad(total), target=target)(unpickled(np.ones_like(outside), "")), outside)


def test_boxed_arguments_beside_others() -> None:
    rate, count = (pickle.loads(pickle.dumps(np.array(each))) for each in (0.1, 10))  # noqa: S301 - made here
    for args in ((0.1, count), (rate, count), (rate, 10), (np.float64(0.1), count)):
        assert s2s.jit(lambda rate, count: (rate + 1) ** count, target="numpy")(*args) == 1.1**10
