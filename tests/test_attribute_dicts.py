"""Dicts of a user's class outside of the function whose items are attributes, too: settings that many programs keep so."""
from __future__ import annotations

import numpy as np
import pytest

import s2s


class ItsOwnAttributes(dict):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.__dict__ = self


class Raising(dict):
    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


class Plain(dict):
    __getattr__ = dict.__getitem__


def _settings(kind):
    return kind(rate=2.0, weights=np.array([1.0, 3.0]), inner=kind(name="square", power=2))


@pytest.mark.parametrize("kind", [ItsOwnAttributes, Raising, Plain])
def test_items_are_attributes(kind):
    settings = _settings(kind)

    def loss(x):
        powered = x**settings.inner.power if settings.inner.name == "square" else x
        return np.sum(powered * settings.weights) * settings.rate + settings["rate"] * len(settings)

    x = np.array([0.5, -2.0])
    run = s2s.jit(loss, target="numpy")
    np.testing.assert_allclose(run(x), loss(x), rtol=1e-15)
    settings["rate"] = 5.0
    settings["weights"] = np.array([-1.0, 1.0])
    np.testing.assert_allclose(run(x), loss(x), rtol=1e-15)
    np.testing.assert_allclose(s2s.jit(s2s.grad(loss), target="numpy")(x), 10.0 * x * settings["weights"], rtol=1e-15)


@pytest.mark.parametrize("kind", [ItsOwnAttributes, Raising])
def test_what_is_missing_is_pythons_error(kind):
    settings = _settings(kind)
    with pytest.raises(AttributeError, match="speed"):
        s2s.jit(lambda x: x * settings.speed, target="numpy")(1.0)


def test_as_an_argument_it_is_refused():
    with pytest.raises(TypeError, match="the argument settings of type Plain is neither"):
        s2s.jit(lambda x, settings: x * settings.rate, target="numpy")(1.0, _settings(Plain))
