"""scipy.spatial's trees of points and scipy.ndimage's distances in images, beside SciPy's own."""
from __future__ import annotations

import numpy as np
import pytest
from scipy import ndimage, spatial
from scipy.spatial import KDTree, cKDTree

import s2s

RNG = np.random.default_rng(5)
POINTS, OTHERS = RNG.normal(size=(9, 3)), RNG.normal(size=(4, 3))
OUTSIDE = KDTree(POINTS)
PROGRAMS = {
    "nearest": lambda a, b: KDTree(a).query(b), "three": lambda a, b: KDTree(a).query(b, k=3), "of one": lambda a, b: cKDTree(a).query(b[0]), "two of one": lambda a, b: cKDTree(a).query(b[0], k=2),
    "bounded": lambda a, b: KDTree(a).query(b, k=4, distance_upper_bound=1.5), "all and more": lambda a, b: KDTree(a).query(b, k=12), "by p=1": lambda a, b: KDTree(a).query(b, p=1),
    "by p=inf": lambda a, b: KDTree(a).query(b, 2, p=np.inf), "by p=3": lambda a, b: KDTree(a).query(b, 2, p=3), "a grid": lambda a, b: KDTree(a).query(b.reshape(2, 2, 3), k=2), "outside": lambda a, b: OUTSIDE.query(a + b[0]),
    "how many": lambda a, b: (KDTree(a).query_ball_point(b, 1.2, return_length=True), KDTree(a).query_ball_point(b[1], 1.5, return_length=True)), "with radii": lambda a, b: (KDTree(a).query_ball_point(b, np.abs(b[:, 0]), return_length=True),),
    "pairs": lambda a, b: (KDTree(a).count_neighbors(KDTree(b), 1.5), KDTree(a).n, KDTree(a).m),
}  # fmt: skip


def run(function, *args, target="numpy"):
    return s2s.jit(function, target=target)(*args)


def agree(found, wanted):
    for one, other in zip(found, wanted, strict=True):
        assert np.asarray(one).dtype == np.asarray(other).dtype
        np.testing.assert_allclose(one, other, rtol=1e-12)
        assert np.shape(one) == np.shape(other)


@pytest.mark.parametrize("name", PROGRAMS)
def test_trees(name):
    agree(run(PROGRAMS[name], POINTS, OTHERS), PROGRAMS[name](POINTS, OTHERS))


def lists(a, b):
    near = KDTree(a).query_ball_point(b, 1.5)
    means = np.array([np.mean(a[each, 0]) if each else 0.0 for each in near])
    return [sorted(each) for each in near], [len(each) for each in near], means, len(near), near.shape, near[1], KDTree(a).query_ball_tree(KDTree(b), 1.2)


def reached(a, radius):
    """What is reached from the first point by steps of at most the radius."""
    tree, seen, waiting = cKDTree(a), np.zeros(len(a), bool), [0]
    while waiting:
        place = waiting.pop()
        if not seen[place]:
            seen[place] = True
            for other in tree.query_ball_point(a[place], radius):
                if not seen[other]:
                    waiting.append(other)
    return seen


def pairs(a, radius):
    tree = KDTree(a)
    found, rows = tree.query_pairs(radius), tree.query_pairs(radius, p=1, output_type="ndarray")
    return found, sorted(found), len(found), (0, 3) in found, rows[np.lexsort(rows.T[::-1])], type(tree.count_neighbors(tree, radius)) is int


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_lists_of_neighbours(target):
    found, wanted = run(lists, POINTS, OTHERS, target=target), lists(POINTS, OTHERS)
    assert found[0] == wanted[0]
    assert found[1] == wanted[1]
    np.testing.assert_allclose(found[2], wanted[2], rtol=1e-12)
    assert found[3:] == wanted[3:]
    for radius in (0.0, 1.2, 2.5):
        np.testing.assert_array_equal(run(reached, POINTS, radius, target=target), reached(POINTS, radius))
        found, wanted = run(pairs, POINTS, radius, target=target), pairs(POINTS, radius)
        np.testing.assert_array_equal(found[4], wanted[4])
        assert (*found[:4], found[5]) == (*wanted[:4], wanted[5])


def test_an_array_of_lists_is_given_back():
    found, wanted = run(lambda a, b: KDTree(a).query_ball_point(b, 1.5), POINTS, OTHERS), KDTree(POINTS).query_ball_point(OTHERS, 1.5)
    assert (found.dtype, found.shape, found.tolist()) == (wanted.dtype, wanted.shape, wanted.tolist())


def test_a_spring_for_each_pair():
    def energy(a):
        rows = KDTree(a).query_pairs(1.5, output_type="ndarray")
        return np.sum((np.linalg.norm(a[rows[:, 0]] - a[rows[:, 1]], axis=1) - 1.5) ** 2)

    s2s.check_grads(s2s.jit(energy, target="numpy"), (POINTS,), order=1, modes=("fwd", "rev"))


def test_slopes_and_compiled():
    def total(a, b):
        near, place = KDTree(a).query(b, k=2)
        return np.sum(near * near[:, ::-1]) + np.sum(a[place[:, 0], 0])

    s2s.check_grads(s2s.jit(total, target="numpy"), (POINTS, OTHERS), order=1, modes=("fwd", "rev"))
    s2s.check_grads(s2s.jit(lambda a, b: KDTree(a).query(b)[0], target="numpy"), (POINTS, OTHERS), order=1, modes=("fwd", "rev"))
    np.testing.assert_allclose(s2s.jit(total)(POINTS, OTHERS), total(POINTS, OTHERS), rtol=1e-12)
    np.testing.assert_allclose(s2s.grad(total)(POINTS, OTHERS), s2s.grad(s2s.jit(total, target="numpy"))(POINTS, OTHERS), rtol=1e-12)
    assert np.all(s2s.grad(s2s.jit(lambda a: np.sum(KDTree(a).query(a)[0]), target="numpy"))(POINTS) == 0)  # a point's distance to itself


def test_errors():
    for function in (lambda a, b: KDTree(a).query(b[:, :2])[0], lambda a, b: KDTree(a[0]).query(b)[0], lambda a, b: KDTree(a * np.nan).query(b)[0], lambda a, b: KDTree(a).query(b, p=0.5)[0]):
        with pytest.raises(ValueError) as wanted:  # noqa: PT011 - whatever SciPy says
            function(POINTS, OTHERS)
        with pytest.raises(ValueError) as found:  # noqa: PT011
            run(function, POINTS, OTHERS)
        assert str(found.value)[:25] == str(wanted.value)[:25]
    for function in (lambda a: [each for each in KDTree(a).query_pairs(1.5)], lambda a: KDTree(a).query_ball_point(a, 0.5)[:2], lambda a: KDTree(a, boxsize=3.0).query(a), lambda a: spatial.ConvexHull(a).volume):
        with pytest.raises(s2s.UnsupportedError):
            run(function, POINTS)


@pytest.mark.parametrize("shape", [(7,), (1,), (6, 9), (1, 5), (4, 3, 5)])
def test_distances_in_images(shape):
    for image in (RNG.normal(size=shape) > -0.6, RNG.integers(0, 4, shape), RNG.integers(0, 2, shape).astype(float)):
        image.flat[0] = 0
        for options in ({}, {"sampling": 0.5}, {"sampling": tuple(0.5 + np.arange(len(shape)))}):
            function = lambda x, options=options: ndimage.distance_transform_edt(x, **options)  # noqa: E731
            agree([run(function, image)], [function(image)])
    with pytest.raises(NotImplementedError, match="without 0"):
        run(lambda x: ndimage.distance_transform_edt(x), np.ones(shape))


def test_distances_compiled():
    image = RNG.normal(size=(12, 15)) > 0.0
    np.testing.assert_allclose(s2s.jit(lambda x: ndimage.distance_transform_edt(x))(image), ndimage.distance_transform_edt(image), rtol=1e-13)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("sampling", [None, 2, (0.1, 0.3)])
def test_where_the_nearest_background_is(sampling, target):
    rng = np.random.default_rng(3)
    for shape in ((5, 6), (1, 7), (6, 2)):
        image = rng.random(shape) > 0.3
        image[0, 0] = False
        for distances in (True, False):

            def function(x, distances=distances):
                return ndimage.distance_transform_edt(x, sampling, distances, True)

            found, wanted = s2s.jit(function, target=target)(image), function(image)
            for one, other in zip(found, wanted, strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-13)
                assert one.dtype == other.dtype
    with pytest.raises(RuntimeError, match="at least one"):
        run(lambda x: ndimage.distance_transform_edt(x, None, False), image)
