"""Samplers of s2s.random that reject or are made of others, and s2s.nn.initializers: equal to what JAX 0.10.2 gives for the same keys (64-bit numbers enabled).

`python tests/test_samplers.py` writes the stored numbers anew; it needs JAX.
"""
from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import s2s
from s2s.transforms.read.composed import nn_initializers, random_binomials, random_samplers

STORED = Path(__file__).parent / "samplers_expected.json"
A = np.array([0.3, 1.0, 2.5, 7.0])
RATES = np.array([0.5, 3.0, 9.0, 12.0, 100.0, 0.0])
TRIALS, SHARES = np.array([0.0, 9.0, 100.0, 1e6]), np.array([0.05, 0.55, 0.4])
SAMPLERS = {
    "gamma": lambda r, k: r.gamma(k, A), "gamma_shape": lambda r, k: r.gamma(k, 2.0, (3, 2)), "gamma32": lambda r, k: r.gamma(k, A.astype(np.float32), dtype=np.float32),
    "loggamma": lambda r, k: r.loggamma(k, A), "beta": lambda r, k: r.beta(k, A, 2.0), "dirichlet": lambda r, k: r.dirichlet(k, A, (2,)),
    "chisquare": lambda r, k: r.chisquare(k, A), "f": lambda r, k: r.f(k, A, 3.0), "t": lambda r, k: r.t(k, A), "pareto": lambda r, k: r.pareto(k, A),
    "lognormal": lambda r, k: r.lognormal(k, 0.5, (3,)), "rayleigh": lambda r, k: r.rayleigh(k, A), "weibull_min": lambda r, k: r.weibull_min(k, 2.0, 3.0, (3,)),
    "wald": lambda r, k: r.wald(k, A), "triangular": lambda r, k: r.triangular(k, 0.0, A, 9.0), "geometric": lambda r, k: r.geometric(k, A / 10), "geometric32": lambda r, k: r.geometric(k, (A / 10).astype(np.float32)), "maxwell": lambda r, k: r.maxwell(k, (3,)),
    "double_sided_maxwell": lambda r, k: r.double_sided_maxwell(k, 1.0, 2.0, (3,)), "generalized_normal": lambda r, k: r.generalized_normal(k, 1.5, (3,)),
    "ball": lambda r, k: r.ball(k, 3, 2, (2,)), "orthogonal": lambda r, k: r.orthogonal(k, 3, (2,)), "orthogonal_wide": lambda r, k: r.orthogonal(k, 2, m=4),
    "poisson": lambda r, k: r.poisson(k, RATES), "poisson_shape": lambda r, k: r.poisson(k, 40.0, (3, 2)),
    "binomial": lambda r, k: r.binomial(k, TRIALS[:, None], SHARES), "binomial_shape": lambda r, k: r.binomial(k, 100, 0.3, (3, 2)), "binomial32": lambda r, k: r.binomial(k, 40, SHARES.astype(np.float32), dtype=np.float32),
    "multinomial": lambda r, k: r.multinomial(k, TRIALS, np.stack([SHARES] * 4)), "multinomial_one": lambda r, k: r.multinomial(k, 20.0, SHARES), "multinomial_shape": lambda r, k: r.multinomial(k, 20, SHARES, shape=(2, 3)),
}  # fmt: skip
INITIALIZERS = {
    "zeros": lambda i, k: i.zeros(k, (2,)), "ones": lambda i, k: i.ones(k, (2,), np.float32), "constant": lambda i, k: i.constant(3)(k, (2,)), "uniform": lambda i, k: i.uniform(0.5)(k, (3,)),
    "normal": lambda i, k: i.normal()(k, (3,)), "truncated_normal": lambda i, k: i.truncated_normal(2.0)(k, (3,)), "variance_scaling": lambda i, k: i.variance_scaling(2.0, "fan_geo_avg", "normal")(k, (3, 2)),
    "variance_scaling_axes": lambda i, k: i.variance_scaling(2.0, "fan_out", "uniform", in_axis=0, out_axis=(1, 2))(k, (3, 2, 2)),
    "glorot_uniform": lambda i, k: i.glorot_uniform()(k, (3, 2)), "glorot_normal": lambda i, k: i.glorot_normal()(k, (3, 2)), "lecun_uniform": lambda i, k: i.lecun_uniform()(k, (3, 2)),
    "lecun_normal": lambda i, k: i.lecun_normal()(k, (2, 3, 2)), "he_uniform": lambda i, k: i.he_uniform()(k, (3, 2), np.float32), "he_normal": lambda i, k: i.he_normal()(k, (3, 2)),
    "orthogonal": lambda i, k: i.orthogonal(2.0)(k, (2, 3, 2)), "orthogonal_axis": lambda i, k: i.orthogonal(column_axis=0)(k, (2, 3)), "delta_orthogonal": lambda i, k: i.delta_orthogonal()(k, (3, 2, 2)),
}  # fmt: skip
CASES = {**{f"random.{name}": (lambda lib, k, call=call: call(lib.random, k)) for name, call in SAMPLERS.items()},
         **{f"initializers.{name}": (lambda lib, k, call=call: call(lib.nn.initializers, k)) for name, call in INITIALIZERS.items()}}
KEY = s2s.random.key(42)


def close(found, wanted):
    assert np.shape(found) == np.shape(wanted)
    np.testing.assert_allclose(np.asarray(found, np.float64), wanted, rtol=3e-6 if np.asarray(found).dtype == np.float32 else 1e-11, atol=1e-15)


def test_every_function_is_compared():
    assert {*random_samplers.EXPORTED, *random_binomials.EXPORTED} <= set(SAMPLERS)
    assert set(nn_initializers.EXPORTED) <= set(INITIALIZERS)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.filterwarnings("ignore:divide by zero")
def test_as_jax(name):
    close(CASES[name](s2s, KEY), json.loads(STORED.read_text(encoding="utf-8"))[name])


def gammas(key):
    return (s2s.random.gamma(key, A),)


def counts(key):
    return s2s.random.poisson(key, RATES), s2s.random.rayleigh(key, A)


def successes(key):
    return s2s.random.binomial(key, TRIALS, 0.3), s2s.random.multinomial(key, 20, SHARES)


def weights(key):
    return s2s.nn.initializers.he_normal()(key, (3, 2)), s2s.nn.initializers.orthogonal()(key, (3, 3)), s2s.nn.initializers.delta_orthogonal()(key, (3, 2, 2)), s2s.nn.initializers.zeros(key, (2,))


@pytest.mark.parametrize("program", [gammas, counts, successes, weights])
def test_read_as_they_are(program):
    for one, two in zip(s2s.jit(program, target="numpy")(KEY), program(KEY), strict=True):
        assert np.asarray(one).dtype == np.asarray(two).dtype
        np.testing.assert_allclose(one, two, rtol=1e-12)


INIT = s2s.nn.initializers.glorot_uniform()


def test_initializers_made_outside():
    np.testing.assert_allclose(s2s.jit(lambda key: INIT(key, (3, 2)), target="numpy")(KEY), INIT(KEY, (3, 2)), rtol=1e-13)
    with pytest.raises(ValueError, match="invalid mode for variance scaling initializer: nothing"):
        s2s.nn.initializers.variance_scaling(1.0, "nothing", "normal")(KEY, (3, 2))
    with pytest.raises(ValueError, match="Must be at least 2D or specify in_axis explicitly"):
        INIT(KEY, (3,))


def test_derivatives():
    slope = s2s.grad(s2s.jit(lambda scale: np.sum(s2s.random.rayleigh(KEY, scale * A)), target="numpy"))(2.0)
    assert slope == pytest.approx(np.sum(s2s.random.rayleigh(KEY, A)), rel=1e-12)


GAMMA = ([0.3, 0.9, 5.0, 40.0], [9.029795556188887e-05, 0.3835514014927044, 0.8373711789328766, 0.9964098712450162])
DIRICHLET = [0.18281267219028283, -0.06485141823502139, -0.08054052845891432]
LOGGAMMA = 81.73019854806648
STUDENT = 0.008244118458482982


def test_derivatives_of_samplers_that_reject():
    """By the shape parameter, as JAX's (0.10.2, 64-bit numbers; key 7)."""
    key, random = s2s.random.key(7), s2s.random
    f = s2s.jit(lambda a: random.gamma(key, a), target="numpy")
    np.testing.assert_allclose(s2s.grad(lambda a: np.sum(f(a)))(np.array(GAMMA[0])), GAMMA[1], rtol=1e-9)
    value, slope = s2s.value_and_grad(s2s.jit(lambda a: random.dirichlet(key, a)[0], target="numpy"))(np.array([1.0, 2.0, 3.0]))
    np.testing.assert_allclose(slope, DIRICHLET, rtol=1e-9)
    assert s2s.grad(s2s.jit(lambda a: np.sum(random.loggamma(key, a, (4,))), target="numpy"))(0.3) == pytest.approx(LOGGAMMA, rel=1e-9)
    assert s2s.grad(s2s.jit(lambda a: np.sum(random.t(key, a, (4,))), target="numpy"))(3.5) == pytest.approx(STUDENT, rel=1e-9)


def by_jax():
    import jax

    jax.config.update("jax_enable_x64", True)
    return {name: np.asarray(call(jax, jax.random.key(42))).tolist() for name, call in CASES.items()}


def test_stored_numbers_are_those_of_the_installed_jax():
    pytest.importorskip("jax")
    for name, wanted in by_jax().items():
        close(wanted, json.loads(STORED.read_text(encoding="utf-8"))[name])


if __name__ == "__main__":
    STORED.write_text(json.dumps(by_jax()), encoding="utf-8")
