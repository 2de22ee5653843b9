"""s2s.ops, the one device, and names that are not here; the numbers of segments are JAX 0.10.2's, live where it is installed."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2s

X = np.random.default_rng(3).normal(size=(6, 2))
IDS = np.array([0, 2, 0, 5, -1, 3])
FOUR = ("segment_sum", "segment_prod", "segment_max", "segment_min")


def by_hand(name: str, x: Any, ids: Any, count: int) -> Any:
    rows = [x[ids == number] for number in range(count)]
    empty = {"segment_sum": 0, "segment_prod": 1, "segment_max": -np.inf, "segment_min": np.inf}[name]
    fold = {"segment_sum": np.sum, "segment_prod": np.prod, "segment_max": np.max, "segment_min": np.min}[name]
    return np.array([fold(each, axis=0) if len(each) else np.full(x.shape[1:], empty) for each in rows])


@pytest.mark.parametrize("name", FOUR)
def test_segments(name: str) -> None:
    function = getattr(s2s.ops, name)
    wanted = by_hand(name, X, IDS, 4)
    np.testing.assert_allclose(function(X, IDS, 4), wanted)
    np.testing.assert_allclose(s2s.jit(lambda x, ids: function(x, ids, num_segments=4), target="numpy")(X, IDS), wanted)
    np.testing.assert_allclose(function(X[:, 0], np.array([0, 2, 0, 3, 1, 3])), by_hand(name, X[:, 0], np.array([0, 2, 0, 3, 1, 3]), 4))
    with s2s.disable_jit():
        np.testing.assert_allclose(s2s.vmap(lambda x, ids: function(x, ids, 4))(np.stack([X, -X]), np.stack([IDS, IDS[::-1]])), [wanted, by_hand(name, -X, IDS[::-1], 4)])
        s2s.check_grads(lambda x: function(x, IDS, 6)[np.array([0, 2, 3, 5])], (X,), order=1)
    assert function(np.arange(6, dtype=np.int32), IDS, 6).dtype == np.int32


def test_conditions_of_segments() -> None:
    with pytest.raises(ValueError, match="num_segments must be non-negative"):
        s2s.ops.segment_sum(X, IDS, -1)
    with pytest.raises(s2s.UnsupportedError, match="bucket_size"):
        s2s.ops.segment_sum(X, IDS, 4, bucket_size=2)


def test_numbers_are_those_of_the_installed_jax() -> None:
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    for name in FOUR:
        np.testing.assert_allclose(getattr(s2s.ops, name)(X, IDS, 6), getattr(jax.ops, name)(X, IDS, 6))


def test_there_is_one_device() -> None:
    assert (s2s.device_count(), s2s.local_device_count(), s2s.default_backend(), s2s.process_index(), s2s.process_count()) == (1, 1, "cpu", 0, 1)
    assert repr(s2s.devices()) == "[CpuDevice(id=0)]"
    assert s2s.local_devices() == s2s.devices("cpu")
    with pytest.raises(RuntimeError, match="Unknown backend gpu"):
        s2s.devices("gpu")
    put = s2s.device_put({"a": 1.0, "b": [X]}, s2s.devices()[0])
    assert (put["a"].dtype, put["b"][0] is X) == (np.float64, True)
    assert isinstance(s2s.device_get(2.0), np.ndarray)
    np.testing.assert_array_equal(s2s.jit(lambda x: s2s.device_put({"x": x})["x"] * 2, target="numpy")(X), 2 * X)
    with pytest.raises(ValueError, match="Received invalid value: sharding"):
        s2s.device_put(X, "sharding")


def test_names_that_are_not_here() -> None:
    assert not hasattr(s2s, "new_ref")
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'$"):
        getattr(s2s.experimental, "nonsense")  # noqa: B009 - it is not there


def test_modules_that_are_imported_later() -> None:
    assert s2s.numpy.sin is np.sin
    assert s2s.scipy.special.erf(0.0) == 0.0
    assert s2s.stages.Lowered.__name__ == "Lowered"
