"""scipy.ndimage's filters of images of whole numbers: rounded towards 0 after each axis, wrapped where the dtype ends, to the last pixel SciPy's."""
from __future__ import annotations

import numpy as np
import pytest
from scipy import ndimage

import s2s

RNG = np.random.default_rng(7)
DTYPES = [np.uint8, np.int16, np.int64]
UNEVEN = np.array([0.5, 1.0, -0.25, 0.125])
PROGRAMS = {
    "gaussian": lambda x: ndimage.gaussian_filter(x, 1.5), "gaussian by axis": lambda x: ndimage.gaussian_filter(x, (0.7, 2.0), mode="constant", cval=3.0), "gaussian along": lambda x: ndimage.gaussian_filter1d(x, 1.0, axis=0, mode="wrap"),
    "gaussian of a radius": lambda x: ndimage.gaussian_filter(x, 2, radius=2), "uniform": lambda x: ndimage.uniform_filter(x, 3), "uniform of 4": lambda x: ndimage.uniform_filter(x, (4, 5), mode="nearest"),
    "uniform along": lambda x: ndimage.uniform_filter1d(x, 7, axis=0, mode="constant", cval=2.5), "sobel": lambda x: ndimage.sobel(x), "prewitt": lambda x: ndimage.prewitt(x, 0), "laplace": lambda x: ndimage.laplace(x),
    "weights": lambda x: ndimage.correlate1d(x, UNEVEN), "even weights": lambda x: ndimage.correlate1d(x, [0.1, 0.8, 0.1], 0), "odd weights": lambda x: ndimage.convolve1d(x, [-0.3, 0.1, 0.3], mode="mirror"),
}  # fmt: skip


def images(dtype):
    yield RNG.integers(0, 120, (7, 9)).astype(dtype)
    yield np.full((6, 7), 5, dtype)  # where the weights' last bits decide


@pytest.mark.parametrize("name", PROGRAMS)
def test_values(name):
    function = PROGRAMS[name]
    for dtype in DTYPES:
        ours = s2s.jit(function, target="numpy")
        for image in images(dtype):
            found, wanted = ours(image), function(image)
            assert found.dtype == wanted.dtype
            np.testing.assert_array_equal(found, wanted)


def test_compiled():
    def program(x):
        return ndimage.gaussian_filter(x, 1.2), ndimage.uniform_filter(x, 3), ndimage.sobel(x), ndimage.gaussian_filter(x, 3.0)

    for dtype in (np.uint8, np.int64):
        for image in images(dtype):
            for found, wanted in zip(s2s.jit(program)(image), program(image), strict=True):
                np.testing.assert_array_equal(found, wanted)


def test_what_is_refused():
    x = RNG.integers(0, 9, (5, 5))
    for function in (lambda x, s: ndimage.gaussian_filter(x, s), lambda x, s: ndimage.gaussian_filter(x, 1.0, order=1), lambda x, s: ndimage.gaussian_filter(x.astype(np.uint64), 1.0), lambda x, s: ndimage.uniform_filter(x > 3, 3)):
        with pytest.raises(s2s.UnsupportedError):
            s2s.jit(function, target="numpy")(x, 1.5)
