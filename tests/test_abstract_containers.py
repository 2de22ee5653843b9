"""Classes that inherit from those of collections.abc, or have `__getitem__` only: Python's own mixins are read, or what Python does without them."""
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, MutableMapping, MutableSequence, Sequence

import numpy as np
import pytest

import s2s


class Caseless(MutableMapping):
    def __init__(self, items):
        self.items_by_name = dict(items)

    def __getitem__(self, name):
        return self.items_by_name[name.lower()]

    def __setitem__(self, name, value):
        self.items_by_name[name.lower()] = value

    def __delitem__(self, name):
        del self.items_by_name[name.lower()]

    def __iter__(self):
        return iter(self.items_by_name)

    def __len__(self):
        return len(self.items_by_name)


class Layers(Sequence):
    def __init__(self, *weights):
        self.weights = weights

    def __getitem__(self, place):
        return self.weights[place]

    def __len__(self):
        return len(self.weights)


class History(MutableSequence):
    def __init__(self):
        self.seen = []

    def __getitem__(self, place):
        return self.seen[place]

    def __setitem__(self, place, value):
        self.seen[place] = value

    def __delitem__(self, place):
        del self.seen[place]

    def __len__(self):
        return len(self.seen)

    def insert(self, place, value):
        self.seen.insert(place, value)


class Countdown(Iterator):
    def __init__(self, start):
        self.left = start

    def __next__(self):
        if self.left == 0:
            raise StopIteration
        self.left -= 1
        return self.left


class Multiples:
    def __init__(self, count, of):
        self.count, self.of = count, of

    def __getitem__(self, place):
        if place >= self.count:
            raise IndexError
        return place * self.of


class Only(Mapping):
    def __getitem__(self, name):
        if name == "rate":
            return 0.5
        raise KeyError(name)

    def __iter__(self):
        yield "rate"

    def __len__(self):
        return 1


class Model(ABC):
    @abstractmethod
    def step(self, x): ...

    def twice(self, x):
        return self.step(self.step(x))


class Squared(Model):
    def step(self, x):
        return x * x * 0.5


SETTINGS = Caseless({"rate": 2.0, "scale": 3.0})


def of_outside(x):
    return SETTINGS["RATE"] * x + sum(SETTINGS.values()) + len(SETTINGS) + SETTINGS.get("none", 0.25)


def of_mapping(x):
    held = Caseless({"p": x, "q": 2 * x})
    held.update({"R": x * x})
    held.setdefault("s", x)
    popped = held.pop("p")
    total = popped
    for name in held:
        total += held[name]
    for name, value in held.items():
        total += value * len(name)
    del held["Q"]
    return total + sum(held.values()) + ("q" in held) + ("r" in held)


def of_sequence(x):
    layers = Layers(x, x * 2, x * 3)
    total = sum(layers) + layers[-1] + len(layers) + sum(reversed(layers))
    for place, weight in enumerate(layers):
        total += place * weight
    return total + sum(weight * weight for weight in layers) + (1.0 if 2 * x in layers else 0.0)


def of_mutable_sequence(x):
    seen = History()
    seen.append(x)
    seen.extend([x * 2, x * 3])
    seen.reverse()
    last = seen.pop()
    seen += [last * x]
    return seen[0] + 2 * seen[1] + 3 * seen[2] + len(seen)


def of_iterator(x):
    total = sum(x * k for k in Countdown(4))
    for k in Countdown(3):
        total += k * x * x
    return total + sum(Countdown(3)) + list(Countdown(2))[0]


def by_items_alone(x):
    total = 0.0
    for each in Multiples(4, x):
        total += each
    return total + sum(Multiples(3, x)) + (3.0 if 2 * x in Multiples(5, x) else 4.0) + sum(each * each for each in Multiples(3, x)) + list(Multiples(3, x))[2]


def of_defaults(x):
    try:
        missing = Only()["other"]
    except KeyError:
        missing = 7.0
    return Only().get("rate") * x + Only().get("other", 3.0) + sum(Only().values()) * missing + Squared().twice(x)


PROGRAMS = [of_outside, of_mapping, of_sequence, of_mutable_sequence, of_iterator, by_items_alone, of_defaults]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_programs(program):
    """Python's value on both targets, and the gradient against differences."""
    x = 1.3
    for target in ("numpy", "cpu"):
        assert s2s.jit(program, target=target)(x) == pytest.approx(program(x), rel=1e-14)
    assert s2s.grad(program)(x) == pytest.approx((program(x + 1e-6) - program(x - 1e-6)) / 2e-6, rel=1e-6)
    np.testing.assert_allclose(s2s.vmap(program)(np.array([0.5, 1.3])), [program(0.5), program(1.3)], rtol=1e-14)


def test_partly_consumed():
    """A generator over what changes as it is gone through takes an item when it is asked for one."""

    def first(x):
        source = Countdown(4)
        made = (x * k for k in source)
        return next(made) + source.left

    for target in ("numpy", "cpu"):
        assert s2s.jit(first, target=target)(1.5) == first(1.5)
