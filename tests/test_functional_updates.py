"""x.at[index].set(v), .add(v), .get(), …: as ufunc.at of a copy, in every mode, with both derivatives and under vmap; x itself stays as it is."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2s
from s2s.transforms.read.composed import functional_updates as updates

X = np.arange(12.0).reshape(3, 4) + 1.0
K = np.array([0, 2, 0])
V = np.arange(4.0) + 0.5
PLACES: dict[str, Any] = {
    "integer": 1, "negative": -1, "row part": (2, slice(1, 3)), "rows": K, "elements": (K, K), "column": (slice(None), K), "part of rows": (K, slice(None, None, 2)),
    "new axis": (None, 1), "ellipsis": (..., K), "mask": X > 5.0, "mask of rows": np.array([True, False, True]), "list": ([0, 2], 1), "all": (), "two-dimensional": np.array([[0, 1], [0, 2]]),
}  # fmt: skip
FOLDS = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "mul": np.multiply, "divide": np.divide, "power": np.power, "min": np.minimum, "max": np.maximum}


def _called(x, index, name, *args, **options):
    return getattr(x.at[index], name)(*args, **options)


def _as_read(name, x, index, *args, **options):
    """The update as it is read, and as the plain NumPy that it is made of."""
    before = x.copy()
    got = s2s.jit(lambda x: _called(x, index, name, *args, **options), target="numpy")(x)
    np.testing.assert_allclose(got, updates.UPDATES[name](x, index, *args, **options), rtol=1e-15)
    np.testing.assert_array_equal(x, before)
    return got


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", ["set", *FOLDS])
def test_updates_are_stores_into_a_copy(name, place):
    index, want = PLACES[place], X.copy()
    value = 2.5
    if name == "set":
        want[index] = value
    else:
        FOLDS[name].at(want, index, value)
    np.testing.assert_allclose(_as_read(name, X, index, value), want, rtol=1e-15)


@pytest.mark.parametrize("place", PLACES)
def test_get_reads(place):
    got = _as_read("get", X, PLACES[place])
    np.testing.assert_array_equal(got, X[PLACES[place]])


@pytest.mark.parametrize("place", PLACES)
def test_apply_applies_as_often_as_an_element_is_named(place):
    want = X.copy()
    np.square.at(want, PLACES[place])
    np.testing.assert_array_equal(_as_read("apply", X, PLACES[place], np.square), want)


def _of_axes(index, shape, mode):
    """What JAX documents for integers beyond their axes: an index of X with one more element behind each axis, which takes what is dropped."""
    return tuple(
        np.clip(np.where(k < 0, k + n, k), 0, n - 1) if mode == "clip" else np.where((np.where(k < 0, k + n, k) < 0) | (np.where(k < 0, k + n, k) >= n), n, np.where(k < 0, k + n, k))
        for k, n in zip(index, shape, strict=True)
    )


@pytest.mark.parametrize("mode", ["clip", "drop", "fill"])
@pytest.mark.parametrize("name", ["set", "add", "multiply", "max"])
def test_integers_beyond_their_axis(name, mode):
    index = (np.array([0, 3, -4, 2, -1]), np.array([4, 0, 1, 1, -1]))
    want = np.pad(X, ((0, 1), (0, 1)))
    placed = _of_axes(index, X.shape, mode)
    if name == "set":
        want[placed] = V[0]
    else:
        {"add": np.add, "multiply": np.multiply, "max": np.maximum}[name].at(want, placed, V[0])
    np.testing.assert_array_equal(_as_read(name, X, index, V[0], mode=mode), want[:3, :4])


def test_what_is_read_beyond_an_axis():
    for dtype, filled in ((np.float64, np.nan), (np.float32, np.nan), (np.complex128, np.nan), (np.int32, -(2**31)), (np.int64, -(2**63)), (np.bool_, True)):
        got = _as_read("get", X.astype(dtype), (np.array([0, 5]), 1), mode="fill")
        assert got.dtype == dtype
        np.testing.assert_array_equal(got, np.array([X[0, 1], filled]).astype(dtype) if dtype != np.int64 else np.array([2, filled]))
    np.testing.assert_array_equal(_as_read("get", X, 7, mode="drop", fill_value=-1.0), np.full(4, -1.0))
    np.testing.assert_array_equal(_as_read("get", X, -9, mode="clip"), X[0])
    np.testing.assert_array_equal(_as_read("get", X, (slice(1, 9), 4), mode="fill", fill_value=0.0), np.zeros(2))


def test_beyond_an_axis_without_a_mode_is_an_error():
    for mode in (None, "promise_in_bounds"):
        with pytest.raises(IndexError, match="index 3 is out of bounds for axis 0 with size 3"):
            s2s.jit(lambda x, k, mode=mode: x.at[k].set(1.0, mode=mode), target="numpy")(X, 3)
    with pytest.raises(IndexError):
        s2s.jit(lambda x: x.at[-1].add(1.0, wrap_negative_indices=False), target="numpy")(X)


def test_integers_divide_to_floats_and_keep_their_dtype_else():
    x = np.arange(4)
    assert _as_read("divide", x, 1, 2).dtype == np.float64
    assert _as_read("set", x, 1, 2.7).tolist() == [0, 2, 2, 3]
    assert _as_read("multiply", x.astype(np.int32), np.array([1, 1]), 3).tolist() == [0, 9, 2, 3]
    with pytest.raises(TypeError, match="Cannot cast ufunc 'multiply' output from dtype"):
        s2s.jit(lambda x: x.at[1].multiply(0.5), target="numpy")(x)


def test_hints_and_names():
    assert _as_read("add", X, 1, 2.0, indices_are_sorted=True, unique_indices=True)[1, 0] == 7.0
    np.testing.assert_array_equal(_as_read("apply", X, np.array([0, 1]), np.sqrt, unique_indices=True)[:2], np.sqrt(X[:2]))
    with pytest.raises(AttributeError, match="it has get, set, add"):
        s2s.jit(lambda x: x.at[0].put(1.0))(X)
    with pytest.raises(ValueError, match="Unrecognized mode: 'wrap'"):
        s2s.jit(lambda x: x.at[0].set(1.0, mode="wrap"))(X)
    with pytest.raises(s2s.errors.UnsupportedError, match="out_sharding"):
        s2s.jit(lambda x: x.at[0].set(1.0, out_sharding="x"))(X)
    with pytest.raises(s2s.errors.UnsupportedError, match="a call of x.at"):
        s2s.jit(lambda x: x.at[0](1.0))(X)


DIFFERENTIATED = {
    "set": lambda x, v: updates.set_(x, (slice(None), 1), v[:3]), "set a row": lambda x, v: updates.set_(x, K, v), "add": lambda x, v: updates.add(x, K, v),
    "subtract": lambda x, v: updates.subtract(x, (K, 1), v[:3]), "multiply": lambda x, v: updates.multiply(x, K, v), "divide": lambda x, v: updates.divide(x, (K, 2), v[:3]),
    "power": lambda x, v: updates.power(x, (K, 2), v[:3]), "max": lambda x, v: updates.max_(x, K, v + 3.1), "min": lambda x, v: updates.min_(x, (K, K), v[:3] + 0.3),
    "drop": lambda x, v: updates.set_(x, K + 1, v, mode="drop"), "drop factors": lambda x, v: updates.multiply(x, (K + 1, slice(1, 3)), v[:2], mode="drop"),
    "clip": lambda x, v: updates.add(x, (slice(None), K + 2), v[:3], mode="clip"), "fill": lambda x, v: updates.get(x, K + 1, mode="fill", fill_value=2.0) * v,
    "apply": lambda x, v: updates.apply(x, K, np.sin) * v,
}  # fmt: skip


@pytest.mark.parametrize("name", DIFFERENTIATED)
def test_derivatives_and_batches(name):
    f = DIFFERENTIATED[name]
    s2s.check_grads(f, (X, V), order=2)
    s2s.check_vmap(f, (np.stack([X, 2.0 * X]), np.stack([V, V + 0.1])))


def test_compiled():
    def f(x, v, k):
        y = x.at[k].add(v, mode="drop").at[0].set(1.0).at[k[0] - 1, 1:].multiply(2.0)
        return y.at[-1].min(v), y.at[7].get(mode="fill", fill_value=0.0)

    for got, want in zip(s2s.jit(f)(X, V, K + 1), s2s.jit(f, target="numpy")(X, V, K + 1), strict=True):
        np.testing.assert_array_equal(got, want)


def test_in_a_loop():
    def f(x, n):
        for k in range(n):
            x = x.at[k + 1].add(0.5 * x[k] ** 2, mode="drop")
        return x

    want = V.copy()
    for k in range(4):
        if k + 1 < 4:
            want[k + 1] += 0.5 * want[k] ** 2
    np.testing.assert_allclose(s2s.jit(f, target="numpy")(V, 4), want, rtol=1e-15)
    slope = s2s.jit(s2s.grad(lambda x, n: np.sum(f(x, n))), target="numpy")(V, 4)
    sides = [np.sum(s2s.jit(f, target="numpy")(V + h * np.eye(4)[0], 4)) for h in (1e-6, -1e-6)]
    assert abs(slope[0] - (sides[0] - sides[1]) / 2e-6) < 1e-4
