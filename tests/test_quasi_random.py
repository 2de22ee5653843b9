"""scipy.stats.qmc's engines, and rotations and densities that are drawn from: SciPy's own points in its order."""
from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from scipy.spatial.transform import Rotation
from scipy.stats import qmc

import s2s

X = np.array([0.5, -0.3, 0.8])


def hypercubes(x):
    engine = qmc.LatinHypercube(d=3, seed=2)
    return engine.random(5), engine.random(n=2), engine.num_generated, qmc.LatinHypercube(2, scramble=False, rng=2).random(4)


def haltons(x):
    engine, plain = qmc.Halton(d=3, seed=1), qmc.Halton(4, scramble=False).fast_forward(10)
    return engine.random(4), engine.random(3), engine.reset().random(2), plain.random(6), plain.d, qmc.Halton(2, rng=1).integers([0, 2], u_bounds=[3, 9], n=6, endpoint=True)


def sobols(x):
    engine, plain = qmc.Sobol(d=3, seed=5), qmc.Sobol(2, scramble=False)
    return engine.random(4), engine.random_base2(2), engine.integers(3, n=2), engine.reset().random_base2(m=1), plain.random(4), plain.random_base2(2), qmc.Sobol(5, bits=40, rng=3).random(4)


def rotations(x):
    np.random.seed(2)  # noqa: NPY002
    turns = Rotation.random(random_state=3).as_quat(), Rotation.random(4, random_state=3).as_matrix(), Rotation.random(2, rng=3).as_rotvec(), Rotation.random(shape=(2, 3), rng=1).as_quat()
    return *turns, Rotation.random(3, 42).apply(x), Rotation.random().apply(x), Rotation.random(rng=np.random.default_rng(3)).apply(x)


def resampled(x):
    np.random.seed(4)  # noqa: NPY002
    both = scipy.stats.gaussian_kde(np.stack([x, x**2]), weights=[1.0, 2.0, 3.0])
    return scipy.stats.gaussian_kde(x).resample(5, seed=3), both.resample(7, np.random.RandomState(2)), both.resample(size=2, seed=np.random.default_rng(4)), both.resample()


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("function", [hypercubes, haltons, sobols, rotations, resampled])
def test_the_same_points(function, target):
    for found, wanted in zip(s2s.jit(function, target=target)(X), function(X), strict=True):
        assert type(found) is type(wanted)
        assert np.asarray(found).dtype == np.asarray(wanted).dtype
        np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-13)


def integral(x, count):
    """A mean over points, `count` of which only the run knows."""
    engine = qmc.Sobol(d=2, seed=7)
    total = 0.0
    for _ in range(2):
        total += np.mean(np.sin(qmc.scale(engine.random(count), [0.0, 1.0], [2.0, 3.0]) @ x[:2]))
    return total


def test_points_of_a_number_that_the_run_knows():
    for count in (4, 8):
        np.testing.assert_allclose(s2s.jit(integral, target="numpy")(X, count), integral(X, count), rtol=1e-12)
    s2s.check_grads(s2s.jit(lambda x: integral(x, 4), target="numpy"), (X,), order=2)


@pytest.mark.parametrize("function", [
    lambda n: qmc.Sobol(2, bits=3, seed=1).random(n), lambda n: qmc.Sobol(2, seed=1).fast_forward(n).random_base2(2), lambda n: qmc.Sobol(2, bits=65), lambda n: qmc.Halton(-1, seed=1).random(n), lambda n: qmc.LatinHypercube(2.0, seed=1).random(n),
    lambda n: qmc.LatinHypercube(2, strength=3, seed=1).random(n), lambda n: qmc.Halton(2, seed=1).integers(0.5, n=n),
])  # fmt: skip
def test_errors(function):
    with pytest.raises(ValueError) as wanted:  # noqa: PT011 - SciPy's words
        function(9)
    with pytest.raises(ValueError) as found:  # noqa: PT011
        s2s.jit(function, target="numpy")(9)
    assert str(found.value).split("\n")[0][:40] == str(wanted.value)[:40]


@pytest.mark.parametrize("function", [
    lambda n: qmc.Halton(2, rng=np.random.default_rng(3)).random(4), lambda n: qmc.LatinHypercube(2, strength=2, seed=1).random(4), lambda n: qmc.LatinHypercube(2, optimization="lloyd", seed=1).random(4),
    lambda n: qmc.LatinHypercube(2, seed=1).reset().random(4), lambda n: qmc.Sobol(2, bits=63, seed=n).random(4),
])  # fmt: skip
def test_what_is_refused(function):
    with pytest.raises(s2s.UnsupportedError):
        s2s.jit(function, target="numpy")(2)


def test_without_a_seed():
    f = s2s.jit(lambda x: qmc.Sobol(2).random(4), target="numpy")
    assert not np.array_equal(f(X), f(X))


@pytest.mark.parametrize("function", [lambda n: qmc.Sobol(n, seed=1).random(4), lambda n: qmc.Halton(2, rng=n).random(4), lambda n: qmc.LatinHypercube(n, seed=n).random(4), lambda n: qmc.Halton(n, scramble=False).random(3)])
def test_dimensions_and_seeds_that_are_arguments(function):
    f = s2s.jit(function, target="numpy")
    for n in (2, 3):
        np.testing.assert_allclose(f(n), function(n), rtol=1e-14)
