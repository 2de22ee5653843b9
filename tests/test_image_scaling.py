"""s2s.image beside JAX's: sizes, methods, derivatives. Runs where JAX is installed."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("jax")
import jax  # noqa: E402 - it may be missing

import s2s  # noqa: E402

jax.config.update("jax_enable_x64", True)
X = np.random.default_rng(0).normal(size=(5, 7, 3))
METHODS = ("nearest", "linear", "cubic", "lanczos3", "lanczos5", "area", "cubic-pytorch")
SIZES = ((5, 7, 3), (3, 4, 3), (9, 11, 3), (2, 13, 3), (1, 1, 3), (0, 3, 3))
SCALE, SHIFT = np.array([0.7, 1.6]), np.array([0.3, -1.2])


@pytest.mark.parametrize("antialias", [True, False])
@pytest.mark.parametrize("method", METHODS)
def test_resize_is_jax_s(method: str, antialias: bool) -> None:
    for size in SIZES:
        np.testing.assert_allclose(s2s.image.resize(X, size, method, antialias), jax.image.resize(X, size, method, antialias), rtol=1e-10, atol=1e-12)
    wanted = jax.image.resize(X, (3, 14, 3), method, antialias=antialias)
    found = s2s.jit(lambda x: s2s.image.resize(x, (3, 2 * x.shape[1], 3), method, antialias=antialias), target="numpy")(X)
    np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("method", METHODS[1:])
def test_scale_and_translate_is_jax_s(method: str) -> None:
    def moved(library: Any) -> Any:
        return lambda x, scale, shift: library.image.scale_and_translate(x, (6, 8, 3), (0, -2), scale, shift, method)

    wanted = moved(jax)(X, SCALE, SHIFT)
    np.testing.assert_allclose(moved(s2s)(X, SCALE, SHIFT), wanted, rtol=1e-10, atol=1e-12)
    wanted = jax.vjp(moved(jax), X, SCALE, SHIFT)[1](wanted)
    found = s2s.vjp(s2s.jit(moved(s2s), target="numpy"), X, SCALE, SHIFT)[1](moved(s2s)(X, SCALE, SHIFT))
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-8, atol=1e-9)


def test_compiled_batched_and_of_dtypes() -> None:
    def smaller(x: Any) -> Any:
        return s2s.image.resize(x, (3, 3), s2s.image.ResizeMethod.CUBIC)

    images = X.transpose(2, 0, 1)
    np.testing.assert_allclose(s2s.vmap(smaller)(images), jax.image.resize(images, (3, 3, 3), "cubic"), rtol=1e-10)
    np.testing.assert_allclose(s2s.grad(lambda x: np.sum(smaller(x) ** 2))(images[0]), jax.grad(lambda x: jax.numpy.sum(jax.image.resize(x, (3, 3), "cubic") ** 2))(images[0]), rtol=1e-9, atol=1e-12)
    for dtype in (np.float32, np.int64):
        given = (10 * X).astype(dtype)
        for method in ("nearest", "linear"):
            assert s2s.image.resize(given, (2, 2, 3), method).dtype == jax.image.resize(given, (2, 2, 3), method).dtype


def test_refused() -> None:
    with pytest.raises(ValueError, match='Unknown resize method "bicubc"'):
        s2s.image.resize(X, (2, 2, 3), "bicubc")
    with pytest.raises(ValueError, match="shape must have length equal to the number of dimensions"):
        s2s.image.resize(X, (2, 2), "linear")
    with pytest.raises(ValueError, match="Nearest neighbor resampling is not currently supported"):
        s2s.image.scale_and_translate(X, (2, 2, 3), (0, 1), SCALE, SHIFT, "nearest")
    assert s2s.image.ResizeMethod.from_string("bilinear") == s2s.image.ResizeMethod.LINEAR
