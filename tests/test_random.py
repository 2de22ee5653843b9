"""Random generators: NumPy's numbers and states, in every place where a generator may stand; derivatives take numbers for constants."""
from __future__ import annotations

from collections import deque

import numpy as np
import pytest

import s2s
from s2s import streams
from s2s.transforms.primitives.draws import DRAWS, callable_of
from s2s.transforms.read.composed.random_methods import GENERATOR, METHODS, RANDOM_STATE

COV = np.array([[2.0, 0.5], [0.5, 1.0]])


def shuffled(r):
    x = np.arange(7.0)
    r.shuffle(x)
    y = np.arange(6.0).reshape(3, 2)
    r.shuffle(y)
    return x, y


def shuffled_along(r):
    y = np.arange(6.0).reshape(2, 3)
    r.shuffle(y, axis=1)
    return (y,)


def shuffled_list(r):
    items = [4, 1, 3, 2, 9]
    r.shuffle(items)
    return items


NEW = {
    "random": lambda r: (r.random(), r.random(3), r.random((2, 3)), r.random(size=2, dtype=np.float32), r.random(0)),
    "standard_normal": lambda r: (r.standard_normal(), r.standard_normal(4), r.standard_normal((2, 1), dtype=np.float32)),
    "normal": lambda r: (r.normal(), r.normal(1.0, 2.0, (2, 3)), r.normal(np.arange(3.0), 0.5), r.normal(2, 3)),
    "uniform": lambda r: (r.uniform(), r.uniform(-1, 1, 5), r.uniform(np.zeros(2), np.ones((3, 2)))),
    "exponential": lambda r: (r.exponential(), r.exponential(2.0, 3)), "standard_exponential": lambda r: (r.standard_exponential(3), r.standard_exponential(), r.standard_exponential(3, method="inv"), r.standard_exponential(out=np.empty(2))),
    "lognormal": lambda r: (r.lognormal(), r.lognormal(0.1, 0.2, 4)), "laplace": lambda r: (r.laplace(), r.laplace(1.0, 2.0, 3)),
    "gumbel": lambda r: (r.gumbel(), r.gumbel(1.0, 2.0, 3)), "logistic": lambda r: (r.logistic(), r.logistic(1.0, 2.0, 3)),
    "rayleigh": lambda r: (r.rayleigh(), r.rayleigh(2.0, 3)), "weibull": lambda r: (r.weibull(1.5), r.weibull(2.0, 3)),
    "pareto": lambda r: (r.pareto(1.5), r.pareto(2.0, 3)), "power": lambda r: (r.power(1.5), r.power(2.0, 3)),
    "gamma": lambda r: (r.gamma(1.5), r.gamma(0.5, 2.0, 3), r.gamma(np.array([0.5, 2.0]), 2.0)), "standard_gamma": lambda r: (r.standard_gamma(2.0, 2), r.standard_gamma(2.0, dtype=np.float32, out=np.empty(3, np.float32))),
    "multivariate_normal": lambda r: (r.multivariate_normal(np.zeros(2), COV), r.multivariate_normal(np.ones(2), COV, 3, method="cholesky")),
    "beta": lambda r: (r.beta(1.0, 2.0), r.beta(0.5, 0.5, 3)), "chisquare": lambda r: (r.chisquare(3.0), r.chisquare(2, 3)), "f": lambda r: (r.f(1.0, 2.0), r.f(3, 4, 3)),
    "noncentral_chisquare": lambda r: (r.noncentral_chisquare(3.0, 1.0, 2),), "standard_t": lambda r: (r.standard_t(3.0), r.standard_t(2, 3)),
    "standard_cauchy": lambda r: (r.standard_cauchy(), r.standard_cauchy(3)), "wald": lambda r: (r.wald(1.0, 2.0),), "vonmises": lambda r: (r.vonmises(0.0, 2.0, 3),),
    "triangular": lambda r: (r.triangular(0.0, 1.0, 2.0, 3),), "poisson": lambda r: (r.poisson(), r.poisson(3.5, 4), r.poisson(np.array([1.0, 50.0]))),
    "binomial": lambda r: (r.binomial(10, 0.3), r.binomial(100, 0.5, 3), r.binomial(np.array([5, 6]), 0.5)), "geometric": lambda r: (r.geometric(0.3), r.geometric(0.2, 3)),
    "integers": lambda r: (
        r.integers(10), r.integers(1, 7, 5), r.integers(5, size=(2, 2)), r.integers(0, 3, 4, dtype=np.int32), r.integers(3, endpoint=True),
        r.integers(2**40, size=2), r.integers(-5, 5), r.integers(7, dtype=int), r.integers(7, dtype=np.int32), r.integers(np.array([3, 2**40]), size=(2, 2)), r.integers(2, size=3, dtype=bool),
        r.integers(-3, 9, 5, dtype=np.int8), r.integers(9, dtype=np.uint8), r.integers(300, size=3, dtype=np.uint16), r.integers(2**31, size=3, dtype=np.uint32), r.integers(9, size=2, dtype=np.uint64),
    ),
    "permutation": lambda r: (r.permutation(7), r.permutation(np.arange(4.0)), r.permutation(np.arange(6.0).reshape(3, 2)), r.permutation(np.arange(6.0).reshape(3, 2), axis=1)),
    "choice": lambda r: (
        r.choice(5), r.choice(5, 3), r.choice(np.array([1.0, 2.0, 3.0]), 4), r.choice(6, 4, replace=False), r.choice(3, 5, p=[0.2, 0.3, 0.5]), r.choice(4, p=np.array([0.1, 0.2, 0.3, 0.4])),
        r.choice(np.arange(12.0).reshape(4, 3), 2, axis=0), r.choice(10, (2, 3), replace=False, shuffle=False), r.choice(6, replace=False), r.choice(6, 4, False, [0.1, 0.2, 0.1, 0.3, 0.2, 0.1]),
    ),
    "shuffle": lambda r: (*shuffled(r), *shuffled_along(r), *shuffled_list(r)),
    "permuted": lambda r: (r.permuted(np.arange(4)), r.permuted(np.arange(6.0).reshape(2, 3)), r.permuted(np.arange(6.0).reshape(2, 3), axis=1), r.permuted(np.arange(6.0).reshape(2, 3), axis=0, out=np.empty((2, 3)))),
    "dirichlet": lambda r: (r.dirichlet([1.0, 2.0, 3.0]), r.dirichlet([0.01, 0.02, 0.05], 3), r.dirichlet(np.array([0.5, 3.0]), size=(2, 2))),
    "noncentral_f": lambda r: (r.noncentral_f(3.0, 4.0, 1.0, 2),), "negative_binomial": lambda r: (r.negative_binomial(5, 0.3), r.negative_binomial(0.5, np.array([0.5, 0.9]))),
    "logseries": lambda r: (r.logseries(0.3), r.logseries(0.95, 4)), "zipf": lambda r: (r.zipf(1.5), r.zipf(3.0, 4)), "hypergeometric": lambda r: (r.hypergeometric(10, 5, 4), r.hypergeometric(100, 50, 40, 4)),
    "multinomial": lambda r: (r.multinomial(10, [0.2, 0.3, 0.5]), r.multinomial(100, [0.2, 0.8], 3), r.multinomial(np.array([5, 0]), [[0.5, 0.5], [0.1, 0.9]])),
    "multivariate_hypergeometric": lambda r: (r.multivariate_hypergeometric([3, 4, 5], 4), r.multivariate_hypergeometric([3, 4, 5], 9, 2)),
}  # fmt: skip
OLD = {
    "rand": lambda r: (r.rand(), r.rand(3), r.rand(2, 3)), "randn": lambda r: (r.randn(), r.randn(3), r.randn(2, 3), r.randn()), "random_sample": lambda r: (r.random_sample(2),),
    "random": lambda r: (r.random(2),), "standard_normal": lambda r: (r.standard_normal(), r.standard_normal((2,))),
    "normal": lambda r: (r.normal(), r.normal(1.0, 2.0, 3), r.normal(size=(2, 2))), "uniform": lambda r: (r.uniform(), r.uniform(-1, 1, (2, 2))),
    "exponential": lambda r: (r.exponential(2.0), r.exponential(1.0, 3)), "standard_exponential": lambda r: (r.standard_exponential(2),),
    "lognormal": lambda r: (r.lognormal(0.0, 1.0, 3),), "laplace": lambda r: (r.laplace(0.0, 1.0, 3),), "gumbel": lambda r: (r.gumbel(0.0, 1.0, 3),),
    "logistic": lambda r: (r.logistic(0.0, 1.0, 3),), "rayleigh": lambda r: (r.rayleigh(1.0, 3),),
    "randint": lambda r: (r.randint(5), r.randint(0, 10, 5), r.randint(3, size=(2, 2)), r.randint(0, 9, 3, dtype=np.int32), r.randint([3, 9], size=(2, 2)), r.randint(-5, 5, 4, dtype=np.int8), r.randint(2, size=3, dtype=bool)),
    "permutation": lambda r: (r.permutation(7), r.permutation(np.arange(4.0)), r.permutation(np.arange(6.0).reshape(3, 2))), "shuffle": shuffled,
    "choice": lambda r: (r.choice(5), r.choice(5, 3), r.choice(np.array([1.0, 2.0, 3.0]), 4), r.choice(6, 4, replace=False), r.choice(3, 5, p=[0.2, 0.3, 0.5]), r.choice(3, p=[0.2, 0.3, 0.5]), r.choice(4, 2, False, [0.1, 0.2, 0.3, 0.4])),
    "multivariate_normal": lambda r: (r.multivariate_normal(np.ones(2), COV, 3),), "poisson": lambda r: (r.poisson(3.5, 4),), "binomial": lambda r: (r.binomial(10, 0.3, 3), r.binomial(10, 0.3), r.binomial([0, 5, 200], 0.7)),
    "triangular": lambda r: (r.triangular(0.0, 1.0, 2.0),), "random_integers": lambda r: (r.random_integers(5), r.random_integers(2, 9, 3)),
    "standard_gamma": lambda r: (r.standard_gamma([0.3, 1.0, 2.5]), r.standard_gamma(0.0), r.standard_gamma(20.0, (2, 2))), "gamma": lambda r: (r.gamma(2.0, 3.0, 3), r.gamma(0.5)),
    "dirichlet": lambda r: (r.dirichlet([0.01, 2.0, 3.0]), r.dirichlet([0.5, 0.7], 3)), "beta": lambda r: (r.beta(0.5, 0.4, 3), r.beta(2.0, 0.5), r.beta(1e-3, 2e-3, 3)),
    "chisquare": lambda r: (r.chisquare(1.0), r.chisquare([3.0, 7.0])), "noncentral_chisquare": lambda r: (r.noncentral_chisquare(0.5, 2.0, 2), r.noncentral_chisquare(3.0, [0.0, 2.0])),
    "f": lambda r: (r.f(1.0, 2.0, 2),), "noncentral_f": lambda r: (r.noncentral_f(3.0, 4.0, 1.0, 2),), "standard_t": lambda r: (r.standard_t(3.0), r.standard_t(0.5, 3)),
    "standard_cauchy": lambda r: (r.standard_cauchy(), r.standard_cauchy(2)), "wald": lambda r: (r.wald(1.0, 2.0), r.wald(20.0, 0.1, 3)),
    "negative_binomial": lambda r: (r.negative_binomial(5, 0.3), r.negative_binomial(0.5, 0.9, 3)), "weibull": lambda r: (r.weibull(1.5), r.weibull(2.0, 3)),
    "pareto": lambda r: (r.pareto(1.5), r.pareto(2.0, 3)), "power": lambda r: (r.power(1.5), r.power(2.0, 3)), "geometric": lambda r: (r.geometric(0.05, 3), r.geometric(0.5)),
    "vonmises": lambda r: (r.vonmises(0.0, 2.0, 3), r.vonmises([3.0, -1.0], 1e-6), r.vonmises(0.0, 0.0)), "logseries": lambda r: (r.logseries(0.3), r.logseries(0.95, 4)),
    "zipf": lambda r: (r.zipf(1.5), r.zipf(3.0, 4)), "hypergeometric": lambda r: (r.hypergeometric(10, 5, 4), r.hypergeometric(100, 50, [40, 120]), r.hypergeometric(20, 80, 70)),
    "multinomial": lambda r: (r.multinomial(10, [0.2, 0.3, 0.5]), r.multinomial(100, [0.2, 0.0, 0.8], 3)),
}  # fmt: skip
EACH = [*((np.random.default_rng, name, f) for name, f in NEW.items()), *((np.random.RandomState, name, f) for name, f in OLD.items())]


def same(found, wanted):
    assert type(found) is type(wanted)
    assert np.shape(found) == np.shape(wanted)
    assert np.asarray(found).dtype == np.asarray(wanted).dtype
    np.testing.assert_allclose(found, wanted, rtol=1e-14 if np.asarray(wanted).dtype != np.float32 else 1e-6)


def numbers(f, x, seed=5):
    """Central differences of a function of a vector and a generator of this seed."""
    steps = 1e-6 * np.eye(len(x))
    return np.array([(f(x + step, np.random.default_rng(seed)) - f(x - step, np.random.default_rng(seed))) / 2e-6 for step in steps])


def test_every_method_is_tested():
    assert {*NEW} == {*GENERATOR}
    assert {*OLD} | {"ranf", "sample", "seed"} == {*RANDOM_STATE}


@pytest.mark.filterwarnings("ignore:This function is deprecated")
@pytest.mark.parametrize(("make", "name", "f"), EACH, ids=lambda value: getattr(value, "__name__", value))
def test_methods(make, name, f):
    ours, theirs = make(11), make(11)
    for found, wanted in zip(s2s.jit(f, target="numpy")(ours), f(theirs), strict=True):
        same(found, wanted)
    assert ours.random() == theirs.random()


def together(r):
    """Draws of each kind: arrays that are filled, single numbers, numbers with arguments of their own."""
    return (
        r.random(), r.random(3), r.random(size=2, dtype=np.float32), r.normal(np.arange(3.0), 0.5), r.standard_normal(2), r.exponential(2.0, 3), r.integers(1, 7, 5), r.integers(5),
        r.integers(0, 3, 4, dtype=np.int32), r.permutation(7), r.gamma(1.5), r.poisson(np.array([1.0, 50.0])), r.binomial(10, 0.3), r.choice(6, 4, replace=False), r.choice(3, 5, p=[0.2, 0.3, 0.5]),
        *shuffled(r), r.vonmises(0.0, 2.0, 3), r.dirichlet([0.5, 2.0]), r.multinomial(9, [0.2, 0.8]), r.choice(4, 2, False, [0.1, 0.2, 0.3, 0.4]), r.integers(9, size=3, dtype=np.int8),
    )  # fmt: skip


def together_of_old(r):
    return (
        r.randn(), r.randn(3), r.rand(2, 3), r.randint(0, 10, 5), r.permutation(5), r.normal(1.0, 2.0), r.exponential(2.0), r.choice(5), *shuffled(r), r.gamma([0.5, 3.0]), r.beta(0.5, 0.5), r.wald(1.0, 2.0),
        r.noncentral_f(3.0, 0.5, 1.0, 2), r.negative_binomial(5, 0.5), r.vonmises(0.0, 2.0, 3), r.geometric(0.1, 2), r.logseries(0.9, 3), r.zipf(2.0, 2), r.binomial([0, 50], 0.7), r.hypergeometric(30, 20, [5, 40]),
    )  # fmt: skip


@pytest.mark.parametrize(("make", "f"), [(np.random.default_rng, together), (np.random.RandomState, together_of_old)])
def test_methods_compiled(make, f):
    ours, theirs = make(11), make(11)
    for found, wanted in zip(s2s.jit(f)(ours), f(theirs), strict=True):
        same(found, wanted)
    assert ours.random() == theirs.random()


def seeded(seed):
    rng, old = np.random.default_rng(seed), np.random.RandomState(seed % 2**32)
    np.random.seed(seed % 1000)
    first = np.random.rand()
    old.seed(seed % 7)
    return rng.random(2), old.randn(2), np.random.randn(), first, [np.random.default_rng(k).random() for k in range(seed % 3)]


def made_of_bits(x):
    first, second = np.random.Generator(np.random.PCG64(3)), np.random.default_rng(np.random.SeedSequence(4))
    return first.normal(size=2), second.random(), np.random.RandomState(np.random.MT19937(seed=5)).randn(2), np.random.Generator(np.random.Philox(6)).random() * x


def test_bit_generators_made_inside():
    for found, wanted in zip(s2s.jit(made_of_bits, target="numpy")(2.0), made_of_bits(2.0), strict=True):
        same(found, wanted)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_seeds_of_the_run(target):
    f = s2s.jit(seeded, target=target)
    for seed in (0, 5, 2**32 - 1, 2**40 + 3, 2**63 - 1):
        for found, wanted in zip(f(seed), seeded(seed), strict=True):
            same(found, wanted)
    for make, seed in ((np.random.default_rng, -1), (np.random.RandomState, 2**32), (np.random.RandomState, -1)):
        for draws in (s2s.jit(lambda s, make=make: make(s).random(), target=target), lambda s, make=make: make(s).random()):
            with pytest.raises(ValueError, match="expected non-negative integer|Seed must be between 0 and 2\\*\\*32 - 1"):
                draws(seed)


@pytest.mark.parametrize("bits", [np.random.PCG64, np.random.PCG64DXSM, np.random.MT19937, np.random.Philox, np.random.SFC64])
def test_bit_generators(bits):
    def f(r, n):
        return r.normal(size=n), r.random(size=n, dtype=np.float32), r.integers(0, 9, size=n), r.integers(0, 9, size=3, dtype=np.int32)

    ours, theirs = np.random.Generator(bits(3)), np.random.Generator(bits(3))
    g = s2s.jit(f, target="numpy")
    for n in (3, 2, 0):
        for found, wanted in zip(g(ours, n), f(theirs, n), strict=True):
            same(found, wanted)
    assert str(ours.bit_generator.state) == str(theirs.bit_generator.state)


def test_a_copy_of_the_memory_is_a_generator_of_its_own():
    rng = np.random.default_rng(0)
    layout, kept, out = streams.layout_in(rng), streams.parts_of(rng)["state"].copy(), np.empty(4)
    wanted = rng.normal(size=4)
    callable_of(DRAWS["normal"].filling)(kept, layout.first, layout.inner, out)
    np.testing.assert_array_equal(out, wanted)
    again = np.random.default_rng(0)
    again.normal(size=4)
    assert rng.bit_generator.state == again.bit_generator.state  # the copy's draws are none of the generator's


# ---- where generators stand -----------------------------------------------------------------------------------------------------

RNG = np.random.default_rng(1)


def of_a_global(x):
    return np.sum(x * RNG.normal(size=3))


def of_numpys_own(x):
    return np.sum(x * np.random.randn(3)) + np.random.rand() + np.random.uniform(0.0, 1.0)


def of_a_seed(x):
    rng = np.random.default_rng(42)
    return np.sum(x * rng.normal(size=3)) + rng.random()


def seeding(x):
    np.random.seed(7)
    return np.sum(x * np.random.randn(3)) + np.random.rand()


def noise(rng, n):
    return rng.normal(size=n)


def of_a_helper(x, rng):
    return x * noise(rng, 3) + noise(rng, 3)


def maybe(x, rng):
    total = 0.0
    for _ in range(5):
        if rng.random() < 0.5:
            total += x[0] * rng.normal()
        else:
            z = noise(rng, 3)
            total += np.sum(np.exp(x * z))
    return total


def unread(x, rng):
    rng.normal(size=4)
    return x * rng.random()


def held(x, model):
    return x + model["noise"][0] * model["rng"].normal(size=3)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_places(target):
    global RNG
    x = np.array([0.3, 0.5, -0.2])

    def of_a_closure(x):
        return x * rng.normal(size=3)

    for f in (of_a_closure, of_a_global, of_numpys_own, of_a_seed, seeding) if target == "numpy" else (of_a_global, seeding):
        found = []
        for function in (s2s.jit(f, target=target), f):
            rng = RNG = np.random.default_rng(5)
            np.random.seed(3)
            found.append(np.array([*np.ravel([function(x), function(x)]), np.random.randn(), np.random.rand(), rng.random()]))
        np.testing.assert_allclose(*found, rtol=1e-14)
    for f in (of_a_helper, maybe, unread) if target == "numpy" else (maybe,):
        ours, theirs = np.random.default_rng(5), np.random.default_rng(5)
        g = s2s.jit(f, target=target)
        for _ in range(3):
            np.testing.assert_allclose(g(x, ours), f(x, theirs), rtol=1e-14)
        assert ours.random() == theirs.random()
    if target == "cpu":
        return
    ours, theirs = ({"rng": np.random.default_rng(5), "noise": (0.5,)} for _ in range(2))
    np.testing.assert_allclose(s2s.jit(held, target=target)(x, ours), held(x, theirs))


def test_another_generator_is_another_argument():
    f = s2s.jit(noise, target="numpy")
    for make in (np.random.default_rng, np.random.RandomState, lambda seed: np.random.Generator(np.random.Philox(seed)), np.random.default_rng):
        np.testing.assert_array_equal(f(make(2), 3), noise(make(2), 3))


def test_an_exception_leaves_what_was_drawn():
    def f(rng, n):
        total = 0.0
        for _ in range(n):
            total += rng.random()
            if total > 1.0:
                raise ValueError("too much")
        return total

    ours, theirs = np.random.default_rng(0), np.random.default_rng(0)
    for g, rng in ((s2s.jit(f), ours), (f, theirs)):
        with pytest.raises(ValueError, match="too much"):
            g(rng, 100)
    assert ours.random() == theirs.random()


# ---- derivatives ------------------------------------------------------------------------------------------------------------------


def walk(x, rng):
    x, total = x[0], 0.0
    for _ in range(6):
        x = 0.9 * x + np.sin(x) * rng.normal()
        total += x * x
    return total


@pytest.mark.parametrize(("f", "target"), [(walk, "numpy"), (maybe, "numpy"), (walk, "cpu")])
def test_gradients(f, target):
    x = np.array([0.3, 0.5, -0.2])
    for g in (s2s.jit(f, target=target), s2s.checkpoint(f), s2s.checkpoint(f, steps=3)):
        ours, theirs = np.random.default_rng(5), np.random.default_rng(5)
        value, gradient = s2s.value_and_grad(g)(x, ours)
        np.testing.assert_allclose(value, f(x, theirs), rtol=1e-14)
        np.testing.assert_allclose(gradient, numbers(f, x), rtol=1e-6, atol=1e-8)
        assert ours.random() == theirs.random()
        if target == "numpy":
            break


def test_modes_and_orders():
    x = np.array([0.3])
    f = s2s.jit(walk, target="numpy")
    theirs = np.random.default_rng(5)
    walk(x, theirs)
    after = theirs.random()
    ours = np.random.default_rng(5)
    _, dot = s2s.jvp(lambda x: walk(x, ours), (x,), (np.ones(1),))
    np.testing.assert_allclose(dot, numbers(walk, x)[0], rtol=1e-6)
    assert ours.random() == after
    ours = np.random.default_rng(5)
    hessian = s2s.hessian(f)(x, ours)
    np.testing.assert_allclose(hessian, numbers(lambda x, rng: s2s.grad(f)(x, rng)[0], x)[None], rtol=1e-5)
    assert ours.random() == after
    ours = np.random.default_rng(5)
    _, pull = s2s.vjp(f, x, ours)
    np.testing.assert_allclose(pull(1.0)[0], numbers(walk, x), rtol=1e-6)
    np.testing.assert_allclose(pull(1.0)[0], numbers(walk, x), rtol=1e-6)
    assert ours.random() == after
    jacobian = s2s.jacrev(s2s.jit(lambda x, rng: np.sin(x) * rng.normal(size=3), target="numpy"))
    z = np.random.default_rng(5).normal(size=3)
    np.testing.assert_allclose(jacobian(np.arange(3.0), np.random.default_rng(5)), np.diag(np.cos(np.arange(3.0)) * z))


def test_parameters_that_shift_and_scale():
    def f(mu, sigma, rng):
        return rng.normal(mu, sigma) ** 2 + rng.uniform(mu, mu + sigma) + np.sum(rng.gamma(2.0, sigma, size=2))

    x = np.array([0.3, 0.7])
    wanted = numbers(lambda x, rng: f(x[0], x[1], rng), x)
    np.testing.assert_allclose(s2s.grad(s2s.jit(f, target="numpy"), argnums=(0, 1))(0.3, 0.7, np.random.default_rng(5)), wanted, rtol=1e-6)


@pytest.mark.parametrize("f", [lambda a, rng: rng.gamma(a), lambda a, rng: rng.standard_t(a), lambda a, rng: rng.beta(a, 1.0)])
def test_parameters_of_algorithms_are_refused(f):
    with pytest.raises(s2s.UnsupportedError, match="with respect to their distribution's parameter"):
        s2s.grad(s2s.jit(f, target="numpy"))(1.5, np.random.default_rng(0))


# ---- what is refused, and what NumPy raises -------------------------------------------------------------------------------------------


def drawn_twice(x):
    bits = np.random.PCG64(3)
    return np.random.Generator(bits).random() + np.random.Generator(bits).random() + x


def test_refusals():
    rng, bits = np.random.default_rng(0), np.random.PCG64(0)
    for f, args, said in (
        (lambda r: r.bytes(3), (rng,), "Generator.bytes is not supported"),
        (lambda r: r, (rng,), "returns a Generator"),
        (lambda s: np.random.default_rng([int(s), 1]).random(), (3.0,), "a seed that is known only at run time"),
        (drawn_twice, (1.0,), "a second generator of one PCG64"),
        (lambda x: x + np.random.Generator(bits).random(), (1.0,), "what was made outside of the function"),
        (lambda r: r.multivariate_hypergeometric([2, 3], 2, method="count"), (rng,), "method='count'"),
    ):
        with pytest.raises(s2s.UnsupportedError, match=said):
            s2s.jit(f, target="numpy")(*args)
    with pytest.raises(s2s.UnsupportedError, match="random generator with an axis"):
        s2s.vmap(lambda x, r: x * r.random())(np.arange(3.0), rng)
    with pytest.raises(s2s.UnsupportedError, match="which draws random numbers"):
        s2s.vmap(lambda x: x * RNG.random())(np.arange(3.0))
    with pytest.raises(s2s.UnsupportedError, match="draws random numbers"):
        s2s.linear_transpose(lambda x: x * RNG.random(), np.arange(3.0))(np.arange(3.0))


@pytest.mark.parametrize(
    ("f", "x"),
    [
        (lambda r, x: r.normal(0.0, x), -1.0), (lambda r, x: r.poisson(x), -1.0), (lambda r, x: r.integers(x, 2), 3), (lambda r, x: r.binomial(5, x), 1.5),
        (lambda r, x: r.choice(2, p=[x, 0.1]), 0.5), (lambda r, x: r.choice(3, x, replace=False), 4), (lambda r, x: r.gamma(x), -1.0),
        (lambda r, x: r.uniform(0.0, x), np.inf), (lambda r, x: r.uniform(x, 1.0), 3.0), (lambda r, x: r.uniform([x], 1.0), 3), (lambda r, x: r.uniform([x], 1.0), np.inf),
        (lambda r, x: r.normal(0.0, x), -0.0), (lambda r, x: r.standard_gamma(x), -0.0), (lambda r, x: r.random(True) + x, 1.0), (lambda r, x: r.power(np.bool_(False)) + x, 1.0),
        (lambda r, x: r.permuted(np.array(5)) + x, 1), (lambda r, x: r.multivariate_hypergeometric([x, 2], 1), 2.5), (lambda r, x: r.multivariate_hypergeometric([0, 1], x), -1),
    ],
)  # fmt: skip
def test_exceptions(f, x):
    raises_as(np.random.default_rng, f, x)


@pytest.mark.parametrize(
    ("f", "x"),
    [
        (lambda r, x: r.choice(x), 3.0), (lambda r, x: r.choice([[x, 1.0]]), 3.0), (lambda r, x: r.multinomial(5, [[x, 0.5]]), 0.5), (lambda r, x: r.uniform(0.0, x), np.inf),
        (lambda r, x: r.multivariate_normal([[x], [1.0]], np.eye(2)), 0.0),
    ],
)  # fmt: skip
def test_exceptions_of_old_generators(f, x):
    raises_as(np.random.RandomState, f, x)


def raises_as(make, f, x):
    with pytest.raises(Exception) as wanted:  # noqa: PT011 - which one, NumPy says
        f(make(0), x)
    with pytest.raises(type(wanted.value)) as found:
        s2s.jit(f, target="numpy")(make(0), x)
    assert str(found.value).splitlines()[0] == str(wanted.value).splitlines()[0]


def test_a_choice_of_a_float():
    with pytest.raises(ValueError, match="a must be a sequence or an integer"):
        s2s.jit(lambda r, x: r.choice(x), target="numpy")(np.random.default_rng(0), 3.0)


def nan_passes(r, x):
    return (
        r.pareto(x), r.weibull(x), r.power([1.0, x]), r.triangular(0.0, x, 1.0), r.triangular([0.0, 1.0], 2.0, x), r.chisquare(x), r.beta(x, 1.0), r.f(1.0, x), r.standard_t(x), r.wald(1.0, x),
        r.noncentral_chisquare(x, 1.0), r.random(),
    )  # fmt: skip


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("make", [np.random.default_rng, np.random.RandomState])
def test_nan_passes_where_numpy_lets_it(make, target):
    for found, wanted in zip(s2s.jit(nan_passes, target=target)(make(3), np.nan), nan_passes(make(3), np.nan), strict=True):
        same(found, wanted)


def of_single_precision(r):
    return r.standard_exponential(dtype=np.float32, method="inv"), r.standard_exponential(3, np.float32, "inv"), r.random(dtype="f4"), r.standard_gamma(1.5, dtype="f4") * 3, r.standard_normal(dtype="f4")


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_numbers_of_single_precision(target):
    for found, wanted in zip(s2s.jit(of_single_precision, target=target)(np.random.default_rng(3)), of_single_precision(np.random.default_rng(3)), strict=True):
        assert type(found) is type(wanted)
        np.testing.assert_array_max_ulp(np.float32(found), np.float32(wanted), 1)
        assert np.ndim(wanted) or float(np.float32(found)) == found or float(np.float32(wanted)) != wanted


def uniform_downwards(r, x):
    return r.uniform(x, 1.0, 3), r.uniform(x, 1.0)


def test_old_generators_draw_downwards():
    for found, wanted in zip(s2s.jit(uniform_downwards, target="numpy")(np.random.RandomState(3), 5.0), uniform_downwards(np.random.RandomState(3), 5.0), strict=True):
        same(found, wanted)


def test_all_that_is_listed_exists():
    for cls, methods in METHODS.items():
        for name in methods:
            assert hasattr(streams.class_of(cls), name) or hasattr(np.random, name)


# ---- drawn inside of transformations ---------------------------------------------------------------------------------------------


def noisy(x):
    return x * np.random.random() + np.random.normal()


def noisy_slopes(x):
    value, slope = s2s.jvp(noisy, (x,), (1.0,))
    total = 0.0
    for _ in range(2):
        total = total + s2s.grad(noisy)(x)
    return value, slope, total, np.random.random(), s2s.jit(noisy)(x)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_numpys_own_generator_in_transformed_functions_that_are_called_inside(target):
    """Each call draws NumPy's next numbers, also those that no result needs."""
    np.random.seed(3)
    uniform, normal = np.random.random(), np.random.normal()
    wanted = [2.0 * uniform + normal, uniform, sum((np.random.random(), np.random.normal())[0] for _ in range(2)), np.random.random()]
    wanted += [2.0 * np.random.random() + np.random.normal(), np.random.random()]
    np.random.seed(3)
    found = s2s.jit(noisy_slopes, target=target)(2.0)
    np.testing.assert_allclose([*found, np.random.random()], wanted, rtol=1e-15)


def drawn_on_a_path(x, seed):
    rng = np.random.default_rng(seed)
    first = rng.integers(40) if rng.random() < x else 7
    if rng.random() > x:
        second = rng.integers(9, size=16)
    else:
        second = np.arange(16)
    third = int(rng.poisson(3.0)) if rng.random() < x else 1
    return x * first + third, second


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_numbers_drawn_on_a_path_only(target):
    jitted = s2s.jit(drawn_on_a_path, target=target, static_argnums=1)
    for seed in range(3):
        for x in (0.1, 0.5, 0.9):
            got, expected = jitted(x, seed), drawn_on_a_path(x, seed)
            assert got[0] == expected[0]
            np.testing.assert_array_equal(got[1], expected[1])


def shortest_tour(lengths):
    rng = np.random.default_rng(2)
    tour = list(range(len(lengths)))
    best = now = sum(lengths[i, j] for i, j in zip(tour, tour[1:] + tour[:1]))
    for k in range(12):
        first, last = sorted(rng.choice(len(lengths), 2, replace=False))
        other = tour[:first] + tour[first : last + 1][::-1] + tour[last + 1 :]
        new = sum(lengths[i, j] for i, j in zip(other, other[1:] + other[:1]))
        if new < now or rng.random() < np.exp((now - new) * k):
            tour, now = other, new
        best = min(best, now)
    return best + tour[0]


def test_a_tour_that_drawn_pairs_change_is_a_loop():
    lengths = np.random.default_rng(8).random((5, 5))
    jitted = s2s.jit(shortest_tour, target="numpy")
    assert jitted(lengths) == pytest.approx(shortest_tour(lengths), rel=1e-14)
    assert "for k in range(12):" in jitted.source(lengths)
    assert np.sum(s2s.grad(shortest_tour)(lengths)) == pytest.approx(5.0)



SHUFFLED = (
    lambda: "x", lambda: "abc", lambda: (1, 2, 3), lambda: (1,), lambda: (), lambda: 3.0, lambda: 3, lambda: np.float64(2.0), lambda: None, lambda: range(3),
    lambda: range(1), lambda: b"ab", lambda: np.array(2.0), list, lambda: [[1.0], [2.0, 3.0]], lambda: deque([1, 2, 3, 4]),
)  # fmt: skip


@pytest.mark.parametrize("make", (np.random.default_rng, np.random.RandomState))
@pytest.mark.parametrize("container", range(len(SHUFFLED)))
def test_what_is_shuffled(make, container):
    def shuffled():
        rng, items = make(3), SHUFFLED[container]()
        rng.shuffle(items)
        return list(items), rng.random()

    assert outcome_of(s2s.jit(shuffled, target="numpy")) == outcome_of(shuffled)


@pytest.mark.parametrize("items", ([1, 2], (1, 2), "ab", [], np.arange(3.0), np.zeros((2, 3)), np.zeros((0, 3))))
def test_axes_of_what_is_shuffled(items):
    def shuffled():
        rng, made = np.random.default_rng(3), items if isinstance(items, tuple | str) else items.copy()
        rng.shuffle(made, axis=2)

    def ordered():
        return np.random.default_rng(3).permutation(items, axis=2)

    for function in (shuffled, *((ordered,) if not isinstance(items, str) else ())):
        assert outcome_of(s2s.jit(function, target="numpy")) == outcome_of(function)


def outcome_of(function):
    """What it gives, or the exception that it raises: the first of NumPy's classes that it is of, and its text."""
    try:
        return function()
    except Exception as error:  # noqa: BLE001 - of whichever class
        kind = next(each for each in type(error).__mro__ if not each.__module__.startswith("s2s"))
        return kind, str(error).split("\n")[0]
