"""s2s.random: equal to what JAX 0.10.2 gave for the same keys (64-bit numbers enabled), outside and inside of functions that are read."""
from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

import s2s
from s2s import random
from s2s.transforms.read.composed.random_keys import EXPORTED

JAX = {
    "split": [[1832780943, 270669613], [64467757, 2916123636], [2465931498, 255383827]],
    "fold_in": [2547012911, 1371500959],
    "big": [256, 5],
    "bits": [[2098992034, 2919706841, 2646866425], [2409546199, 1935504149, 2516274904]],
    "uniform": [[0.4267275666499091, 0.015010069515314584, 0.5741444178995352], [0.7298188969046309, 0.687800341230566, 0.6439377419166104]],
    "uniform32": [0.48870956897735596, 0.6797971725463867, 0.6162714958190918],
    "uniform_between": [0.13363783324954537, -1.924949652423427, 0.8707220894976759, 1.6490944845231543],
    "normal": [-0.18471174528191162, -2.169824560397754, 0.18693555179382582, 0.6122653570510959, 0.4896249504757018],
    "normal32": [-0.02830461598932743, 0.4671318531036377, 0.2957029640674591],
    "bernoulli": [False, True, False, False, False, False, False, False],
    "randint": [4, 3, 5, 6, -3, 5],
    "randint32": [94276, 65362, 71127, 88417, 79021, 92843],
    "exponential": [0.5563942243855916, 0.015123860720489336, 0.8536549993431988, 1.30866279263241],
    "gumbel": [0.16062720630382138, -1.4348544993307841, 0.5890136500161952, 1.1553132453508888],
    "laplace": [0.15846230602649014, 3.5058868215207473, -0.16050781878325354, -0.6155156120724649],
    "logistic": [-0.29521526220084393, -4.183910141360207, 0.29878068416298553, 0.9937039305821678],
    "cauchy": [-0.23434604341667786, -21.19070234669309, 0.23723777098183235, 0.8806079282226775],
    "rademacher": [1, 1, -1, -1, -1, -1, -1, -1],
    "truncated_normal": [-0.28971072063226666, -0.9674773589312475, -0.08894316886548902, 0.11936781925765917],
    "multivariate_normal": [[0.738778144692716, -0.09499048743076521], [1.2643667926365265, 2.638813497128136], [1.6924342454389927, 2.518280481975531]],
    "permutation": [7, 4, 2, 5, 3, 6, 8, 9, 0, 1],
    "permutation_rows": [[6.0, 7.0, 8.0], [9.0, 10.0, 11.0], [0.0, 1.0, 2.0], [3.0, 4.0, 5.0]],
    "choice": [3, 4, 3, 4, 7],
    "choice_without": [7, 4, 2, 5, 3],
    "choice_p": [6, 8, 5, 4, 4],
    "choice_p_without": [6, 7, 5, 4, 3],
    "categorical": [3, 2, 2],
    "categorical_shape": [3, 3, 2, 1, 3, 3],
    "scalar": 0.4267275666499091,
}  # fmt: skip
P = np.arange(1, 10) / 45.0
CALLS = {
    "split": lambda k: random.split(k, 3), "fold_in": lambda k: random.fold_in(k, 7), "big": lambda k: random.key_data(random.key(2**40 + 5)), "bits": lambda k: random.bits(k, (2, 3), np.uint32),
    "uniform": lambda k: random.uniform(k, (2, 3)), "uniform32": lambda k: random.uniform(k, (3,), np.float32), "uniform_between": lambda k: random.uniform(k, (4,), minval=-2.0, maxval=3.0),
    "normal": lambda k: random.normal(k, (5,)), "normal32": lambda k: random.normal(k, (3,), np.float32), "bernoulli": lambda k: random.bernoulli(k, 0.3, (8,)),
    "randint": lambda k: random.randint(k, (6,), -3, 10), "randint32": lambda k: random.randint(k, (6,), 0, 100000, np.int32), "exponential": lambda k: random.exponential(k, (4,)),
    "gumbel": lambda k: random.gumbel(k, (4,)), "laplace": lambda k: random.laplace(k, (4,)), "logistic": lambda k: random.logistic(k, (4,)), "cauchy": lambda k: random.cauchy(k, (4,)),
    "rademacher": lambda k: random.rademacher(k, (8,)), "truncated_normal": lambda k: random.truncated_normal(k, -1.0, 0.5, (4,)),
    "multivariate_normal": lambda k: random.multivariate_normal(k, np.array([1.0, 2.0]), np.array([[2.0, 0.5], [0.5, 1.0]]), (3,)),
    "permutation": lambda k: random.permutation(k, 10), "permutation_rows": lambda k: random.permutation(k, np.arange(12.0).reshape(4, 3)),
    "choice": lambda k: random.choice(k, 9, (5,)), "choice_without": lambda k: random.choice(k, 9, (5,), replace=False), "choice_p": lambda k: random.choice(k, 9, (5,), p=P),
    "choice_p_without": lambda k: random.choice(k, 9, (5,), replace=False, p=P), "categorical": lambda k: random.categorical(k, np.log(np.arange(1.0, 13.0).reshape(3, 4))),
    "categorical_shape": lambda k: random.categorical(k, np.log(np.arange(1.0, 5.0)), shape=(6,)), "scalar": lambda k: random.uniform(random.clone(k)),
}  # fmt: skip
KEY = random.PRNGKey(42)


def close(found, name):
    wanted = np.asarray(JAX[name])
    assert np.shape(found) == wanted.shape
    np.testing.assert_allclose(np.asarray(found, np.float64), wanted, rtol=1e-6 if np.asarray(found).dtype == np.float32 else 3e-15 * (10 if name in ("laplace", "logistic", "multivariate_normal") else 1))


def test_every_function_is_compared():
    assert {name for name in EXPORTED if not any(case.startswith(name) for case in CALLS)} == {"key", "key_data", "key_impl", "wrap_key_data", "clone"}  # used in them


@pytest.mark.parametrize("name", JAX)
def test_as_jax(name):
    close(CALLS[name](KEY), name)


@pytest.mark.parametrize("name", JAX)
def test_as_jax_when_read(name):
    close(s2s.jit(CALLS[name], target="numpy")(KEY), name)


def test_the_dtype_that_was_asked_for():
    """float16 and complex64 have JAX's own numbers: ten bits each, and float32's."""
    wanted = {"uniform": [0.076171875, 0.1904296875, 0.9755859375], "normal": [-1.4296875, -0.87548828125, 1.974609375]}
    for name, numbers in wanted.items():
        for draw in ((plain := lambda k, name=name: getattr(random, name)(k, (3,), np.float16)), s2s.jit(plain, target="numpy")):
            assert draw(KEY).dtype == np.float16
            np.testing.assert_allclose(draw(KEY), numbers, rtol=2e-3)
    complexes = np.array([0.05368746072053909 + 0.4283398389816284j, -0.34389618039131165 + 0.5650094747543335j])
    for draw in ((plain := lambda k: random.normal(k, (2,), np.complex64)), s2s.jit(plain, target="numpy")):
        assert draw(KEY).dtype == np.complex64
        np.testing.assert_allclose(draw(KEY), complexes, rtol=1e-6)
    assert random.truncated_normal(KEY, -1.0, 1.0, (2,), np.float16).dtype == np.float16


def test_keys_are_arrays_that_go_everywhere():
    def walk(key, x):
        for _ in range(3):
            key, sub = random.split(key)
            x = x + random.normal(sub, x.shape)
        return x

    x = np.zeros(4)
    wanted = walk(KEY, x)
    np.testing.assert_allclose(s2s.jit(walk)(KEY, x), wanted, rtol=1e-14)
    np.testing.assert_allclose(s2s.jit(lambda seed: random.uniform(random.key(seed), (2,)), target="numpy")(5), random.uniform(random.key(5), (2,)))
    keys = random.split(KEY, 5)
    np.testing.assert_array_equal(s2s.vmap(s2s.jit(lambda k: random.uniform(k, (3,)), target="numpy"))(keys), np.stack([random.uniform(k, (3,)) for k in keys]))


def test_derivatives_go_through_what_scales():
    def sample(mean, spread):
        return np.sum(mean + spread * random.normal(KEY, (6,)))

    noise = random.normal(KEY, (6,))
    slopes = s2s.grad(s2s.jit(sample, target="numpy"), argnums=(0, 1))(1.0, 2.0)
    np.testing.assert_allclose(slopes, (6.0, noise.sum()))


@pytest.mark.parametrize(
    ("name", "distribution"),
    [("uniform", scipy.stats.uniform), ("normal", scipy.stats.norm), ("exponential", scipy.stats.expon), ("gumbel", scipy.stats.gumbel_r), ("laplace", scipy.stats.laplace), ("logistic", scipy.stats.logistic), ("cauchy", scipy.stats.cauchy)],
)
def test_distributions(name, distribution):
    assert scipy.stats.kstest(getattr(random, name)(random.key(1), (4000,)), distribution.cdf).pvalue > 1e-3


@pytest.mark.parametrize(
    "call",
    [lambda: random.key(0, impl="rbg"), lambda: random.wrap_key_data(KEY, impl="rbg")],
)
def test_what_is_refused(call):
    with pytest.raises(NotImplementedError):
        call()
    with pytest.raises(ValueError, match="larger sample"):
        random.choice(KEY, 3, (4,), replace=False)
