"""Objects that a call gives back hold what the function put there: nothing of their class runs once more (`__init__`, `__post_init__`, `__new__`, `__setattr__`)."""
from __future__ import annotations

from dataclasses import InitVar, dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pytest

import s2s


@dataclass
class Doubled:
    a: float
    c: float = 1.0

    def __post_init__(self):
        self.a = self.a * 2


@dataclass(frozen=True)
class Frozen:
    a: float

    def __post_init__(self):
        object.__setattr__(self, "a", self.a + 1.0)


@dataclass
class Computed:
    a: float
    b: float = field(init=False)

    def __post_init__(self):
        self.b = self.a * 3


@dataclass
class Scaled:
    a: float
    scale: InitVar[float] = 3.0

    def __post_init__(self, scale):
        self.a = self.a * scale


@dataclass
class OwnInit:
    a: float

    def __init__(self, first):
        self.a = first * 2


class Derived(OwnInit):
    def __init__(self, first):
        super().__init__(first + 1.0)


@dataclass
class Setting:
    a: float

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value * 2)


@dataclass
class Plain:
    a: float
    c: float = 1.0


class Pair(NamedTuple):
    a: float


class DoubledPair(Pair):
    def __new__(cls, a):
        return super().__new__(cls, a * 2)


@dataclass
class Holding:
    a: float

    def __post_init__(self):
        self.length = self.a * 5


CLASSES = [Doubled, Frozen, Computed, Scaled, OwnInit, Derived, Setting, Plain, DoubledPair, Holding]


def held(value: Any) -> Any:
    return tuple(value) if isinstance(value, tuple) else vars(value)


@pytest.mark.parametrize("kind", CLASSES, ids=lambda each: each.__name__)
@pytest.mark.parametrize("target", ["numpy", pytest.param("cpu", marks=pytest.mark.slow)])
def test_results(kind: Any, target: str) -> None:
    def program(x):
        made = kind(x)
        return made, [kind(x * x)]

    for x in np.random.default_rng(3).normal(size=2).tolist():
        one, (other,) = s2s.jit(program, target=target)(x)
        assert type(one) is type(other) is kind
        assert held(one) == held(kind(x))
        assert held(other) == held(kind(x * x))


@pytest.mark.parametrize("kind", [each for each in CLASSES if each is not DoubledPair], ids=lambda each: each.__name__)
def test_derivatives_and_batches(kind: Any) -> None:
    x = np.random.default_rng(5).normal(size=3)
    for each in x:
        given = kind(float(each))
        assert s2s.grad(lambda own: own.a**2)(given).a == pytest.approx(2 * given.a)
    np.testing.assert_allclose(s2s.vmap(lambda each: kind(each))(x).a, [kind(each).a for each in x])


def test_what_is_no_field_is_kept_when_the_class_was_an_argument_too() -> None:
    def stretched(own, x):
        return Holding(own.a * x), own.a

    for x in (2.0, -0.5):
        found, wanted = (run(Holding(1.5), x) for run in (s2s.jit(stretched, target="numpy"), stretched))
        assert vars(found[0]) == vars(wanted[0])
        assert found[1] == wanted[1]


def stores(own, x):
    own.a = x
    own.a += 1.0
    return own.a


def sets_what_is_frozen(own, x):
    object.__setattr__(own, "a", x * own.a)
    return own.a


@pytest.mark.parametrize(("program", "kind"), [(stores, Setting), (stores, Doubled), (stores, OwnInit), (sets_what_is_frozen, Frozen)])
@pytest.mark.parametrize("target", ["numpy", pytest.param("cpu", marks=pytest.mark.slow)])
def test_arguments_hold_what_the_function_stored(program: Any, kind: Any, target: str) -> None:
    run = s2s.jit(program, target=target)
    for x in np.random.default_rng(6).normal(size=2).tolist():
        found, wanted = kind(1.5), kind(1.5)
        assert run(found, x) == program(wanted, x)
        assert held(found) == held(wanted)


def test_a_plain_dataclass_reads_as_a_person_would_write_it() -> None:
    text = s2s.jit(lambda x: Plain(x, x * 2), target="numpy").source(1.5)
    assert "Plain(a=" in text
    assert "Doubled(" not in s2s.jit(lambda x: Doubled(x), target="numpy").source(1.5).split('"""')[2]
