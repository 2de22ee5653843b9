"""scipy.ndimage.find_objects: boxes of labels, gone through as a list of run-time length."""
from __future__ import annotations

import numpy as np
import pytest
import scipy.ndimage as nd
from turns import in_turn

import s2s


def image(seed):
    return nd.gaussian_filter(np.random.default_rng(seed).normal(size=(9, 11)), 1.0)


def boxes(x):
    return nd.find_objects(nd.label(x > 0.1)[0])


def areas(x):
    labels, n = nd.label(x > 0.1)
    found = []
    for number, box in enumerate(nd.find_objects(labels), start=1):
        inside = labels[box] == number
        found.append(inside.sum() * x[box][inside].mean())
    return np.array(found), n


def lowered(x):
    y = x.copy()
    for box in boxes(x):
        y[box] = y[box] - y[box].min()
    return y


def middles(x):
    found = []
    for rows, columns in boxes(x):
        found.append((0.5 * (rows.start + rows.stop - 1), 0.5 * (columns.start + columns.stop - 1)))
    return np.array(found)


def second(x):
    for number, (rows, columns) in enumerate(boxes(x)):
        if number == 1:
            return x[rows, columns].sum()
    return 0.0


PROGRAMS = {
    "sums": lambda x: np.array([x[box].sum() for box in boxes(x)]), "areas": areas, "lowered": lowered, "middles": middles, "second": second,
    "one": lambda x: (x[boxes(x)[0]], boxes(x)[-1][1].stop, len(boxes(x))), "tallest": lambda x: max(box[0].stop - box[0].start for box in boxes(x)),
    "of three axes": lambda x: np.array([x.reshape(3, 3, 11)[box].max() for box in boxes(x.reshape(3, 3, 11))]), "the first two": lambda x: [box[0].start for box in nd.find_objects(nd.label(x > 0.1)[0], max_label=2)],
    "none": lambda x: len(nd.find_objects(np.zeros(x.shape, int))),
}  # fmt: skip


@pytest.mark.parametrize("name", in_turn(PROGRAMS, 3))
def test_boxes(name):
    read = s2s.jit(PROGRAMS[name], target="numpy")
    for seed in range(4):
        found, wanted = read(image(seed)), PROGRAMS[name](image(seed))
        for one, other in zip(*(each if isinstance(each, tuple) else (each,) for each in (found, wanted)), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-12)


@pytest.mark.slow
def test_boxes_compiled_differentiated_and_given_back():
    x = image(2)
    np.testing.assert_allclose(s2s.jit(areas)(x)[0], areas(x)[0], rtol=1e-12)
    labels = nd.label(x > 0.1)[0]
    s2s.check_grads(s2s.jit(lambda x: np.array([np.sum(x[box] ** 2) for box in nd.find_objects(labels)]), target="numpy"), (x,), order=1)
    assert s2s.jit(boxes, target="numpy")(x) == boxes(x)


def test_a_label_that_is_nowhere_is_refused():
    with pytest.raises(NotImplementedError, match="one of the labels"):
        s2s.jit(lambda x: len(nd.find_objects(x)), target="numpy")(np.array([[0, 2], [3, 0]]))
    with pytest.raises(s2s.UnsupportedError, match="float64"):
        s2s.jit(lambda x: len(nd.find_objects(x)), target="numpy")(np.ones((2, 2)))
