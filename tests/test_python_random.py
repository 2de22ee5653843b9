"""Python's own random numbers: the module random and random.Random give Python's numbers and leave Python's state, wherever the generator stands."""
from __future__ import annotations

import math
import random
from random import randint

import numpy as np
import pytest

import s2s
from s2s.errors import UnsupportedError
from s2s.transforms.read.composed.random_methods import RANDOM


def shuffled(r):
    items, words, array = list(range(9)), ["a", "b", "c"], np.arange(5.0)
    cards, grown = [(rank, suit) for suit in "SH" for rank in range(1, 4)], []
    for k in range(r.randint(3, 7)):
        grown.append(k * 0.5)
    r.shuffle(cards)
    r.shuffle(grown)
    r.shuffle(items)
    r.shuffle(words)
    r.shuffle(array)
    return items, words, array, cards, grown


EACH = {
    "random": lambda r: (r.random(), r.random()), "getrandbits": lambda r: [r.getrandbits(k) for k in (0, 1, 5, 31, 32, 33, 63)],
    "randrange": lambda r: (r.randrange(7), r.randrange(3, 10**13), r.randrange(0, 100, 7), r.randrange(50, -50, -9), r.randrange(1)), "randint": lambda r: (r.randint(1, 6), r.randint(-(2**40), 2**40)),
    "choice": lambda r: (r.choice([4, 5, 6]), r.choice("hello"), r.choice(range(3, 90, 4)), r.choice(("x", "y")), r.choice(np.arange(4.0))), "shuffle": shuffled,
    "choices": lambda r: (r.choices([1, 2, 3], k=4), r.choices("ab", [1, 3], k=5), r.choices([1.0, 2.0], cum_weights=[0.5, 2.0], k=3), r.choices([7])),
    "sample": lambda r: (r.sample([4, 5, 6], 2), r.sample(range(1000), 30), r.sample(range(30), 30), r.sample("abc", 3), r.sample(range(10**9), 4), r.sample([1], 0)),
    "uniform": lambda r: (r.uniform(2, 5), r.uniform(3.0, -1.0)), "triangular": lambda r: (r.triangular(), r.triangular(1, 4, 2), r.triangular(0.0, 2.0), r.triangular(3, 3, 3)),
    "gauss": lambda r: (r.gauss(0, 1), r.gauss(1.0, 2.0), r.gauss(0.0, 1.0)), "normalvariate": lambda r: (r.normalvariate(0, 1), r.normalvariate(3.0, 0.5)),
    "lognormvariate": lambda r: r.lognormvariate(0, 0.25), "expovariate": lambda r: (r.expovariate(2), r.expovariate(0.5)), "vonmisesvariate": lambda r: (r.vonmisesvariate(0, 4), r.vonmisesvariate(1.0, 0.0)),
    "gammavariate": lambda r: (r.gammavariate(2, 3), r.gammavariate(1.0, 3.0), r.gammavariate(0.3, 1.0)), "betavariate": lambda r: (r.betavariate(2, 3), r.betavariate(0.5, 0.5)),
    "paretovariate": lambda r: r.paretovariate(3), "weibullvariate": lambda r: r.weibullvariate(1.5, 2), "seed": lambda r: (r.gauss(0, 1), r.seed(5), r.gauss(0, 1), r.random()),
}  # fmt: skip


def same(found, wanted):
    assert type(found) is type(wanted)
    if isinstance(wanted, tuple | list):
        assert len(found) == len(wanted)
        for mine, theirs in zip(found, wanted, strict=True):
            same(mine, theirs)
    elif isinstance(wanted, float):
        assert math.isclose(found, wanted, rel_tol=1e-14)
    else:
        np.testing.assert_array_equal(found, wanted)


def state(rng):
    """With a rounded number that is left over: sin and cos may differ in the last digit."""
    version, words, left = rng.getstate()
    return version, words, left if left is None else round(left, 12)


def test_every_method_is_tested():
    assert {*EACH} == {*RANDOM}


@pytest.mark.parametrize("name", EACH)
def test_methods(name):
    f = EACH[name]
    g = s2s.jit(f, target="numpy")
    ours, theirs = random.Random(11), random.Random(11)
    for _ in range(2):
        same(g(ours), f(theirs))
        assert state(ours) == state(theirs)


def together(r):
    return (
        r.random(), r.getrandbits(40), r.randrange(0, 100, 7), r.randint(1, 6), r.choice([4, 5, 6]), shuffled(r), r.choices([1, 2, 3], k=4), r.choices([1, 2], [1, 3], k=5),
        r.sample(range(1000), 30), r.sample([4, 5, 6], 2), r.uniform(2, 5), r.triangular(1, 4, 2), r.gauss(0, 1), r.normalvariate(0, 1), r.expovariate(2), r.vonmisesvariate(0, 4), r.betavariate(0.5, 2.0),
    )  # fmt: skip


def test_methods_compiled():
    g = s2s.jit(together)
    ours, theirs = random.Random(11), random.Random(11)
    for _ in range(2):
        same(g(ours), together(theirs))
        assert state(ours) == state(theirs)


# ---- where the generator stands ---------------------------------------------------------------------------------------------------------

RNG = random.Random(1)


def of_the_module(n):
    return [random.random() for _ in range(n)], random.gauss(0, 1), random.choice([1, 2, 3]), randint(1, 6)


def of_a_global(n):
    return n * RNG.random() + RNG.gauss(0, 1)


def seeding(n):
    random.seed(n)
    return random.random(), random.randint(0, 100), random.gauss(0.0, 1.0)


def of_known_seeds(n):
    random.seed("text")
    return random.random(), random.Random(42).random(), random.Random(2**80).random() * n, random.Random(1.5).randint(1, 9)


def of_seeds_of_the_run(n):
    r = random.Random(n)
    total = r.gauss(0, 1)
    for k in range(3):
        r.seed(n + k)
        total += r.gauss(0, 1) + random.Random(k).random()
    return total, r.choice("abc")


class Walker:
    def __init__(self, seed):
        self.rng, self.place = random.Random(seed), 0

    def step(self):
        self.place += 1 if self.rng.random() < 0.5 else -1


def of_an_attribute(n):
    walker = Walker(n)
    for _ in range(20):
        walker.step()
    return walker.place


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("f", [of_the_module, of_a_global, seeding, of_known_seeds, of_seeds_of_the_run, of_an_attribute])
def test_places(f, target):
    def of(function):
        random.seed(3)
        RNG.seed(4)
        found = [function(n) for n in (2, 5)]
        return found, random.random(), RNG.random(), random.gauss(0.0, 1.0), RNG.gauss(0.0, 1.0)

    same(of(s2s.jit(f, target=target)), of(f))


@pytest.mark.parametrize("seed", [0, 1, -7, 2**31, 2**32, 2**40 + 3, -(2**62)])
def test_seeds(seed):
    assert s2s.jit(lambda n: random.Random(n).random(), target="numpy")(seed) == random.Random(seed).random()


# ---- derivatives, errors ------------------------------------------------------------------------------------------------------------------


def simulated(mu, sigma):
    r, total = random.Random(3), 0.0
    for _ in range(7):
        total += r.gauss(mu, sigma) ** 2 + r.uniform(mu, sigma) * r.normalvariate(mu, sigma) + r.expovariate(sigma)
    return total


def test_gradients():
    found = s2s.grad(s2s.jit(simulated, target="numpy"), argnums=(0, 1))(0.3, 1.2)
    h = 1e-6
    wanted = (simulated(0.3 + h, 1.2) - simulated(0.3 - h, 1.2)) / (2 * h), (simulated(0.3, 1.2 + h) - simulated(0.3, 1.2 - h)) / (2 * h)
    np.testing.assert_allclose(found, wanted, rtol=1e-7)


@pytest.mark.parametrize("f", [
    lambda r, n: r.randint(n, 0), lambda r, n: r.randrange(0), lambda r, n: r.randrange(n, n), lambda r, n: r.randrange(0, 5, 0), lambda r, n: r.choice([]), lambda r, n: r.sample([1, 2], n),
    lambda r, n: r.choices([1, 2], [0, 0]), lambda r, n: r.choices([1, 2], [1]), lambda r, n: r.gammavariate(0.0, n), lambda r, n: r.getrandbits(-n), lambda r, n: r.sample({1, 2}, 1),
])  # fmt: skip
def test_errors(f):
    with pytest.raises(Exception) as wanted:  # noqa: PT011 - whatever Python raises
        f(random.Random(0), 3)
    with pytest.raises(wanted.type) as found:
        s2s.jit(f, target="numpy")(random.Random(0), 3)
    assert str(wanted.value).split(".")[0] in str(found.value)


class Own(random.Random):
    def random(self):
        return 0.5


@pytest.mark.parametrize(("f", "text"), [
    (lambda r: random.SystemRandom().random(), "SystemRandom"), (lambda r: random.SystemRandom(), "SystemRandom"),
    (lambda r: r.getstate(), "random.getstate is not supported"), (lambda r: Own(3).random(), "random numbers of the class Own"), (lambda r: random.randbytes(3), "random.randbytes"),
])  # fmt: skip
def test_refused(f, text):
    with pytest.raises(UnsupportedError, match=text):
        s2s.jit(f, target="numpy")(random.Random(0))
