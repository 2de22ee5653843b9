"""`programs/research.py`: Python running the source decides; gradients against differences along a direction."""
from __future__ import annotations

import copy

import numpy as np
import pytest
from fuzz.object_check import differs
from programs.research import PROGRAMS

import s2s


def outcome(function, args):
    args = copy.deepcopy(args)
    return function(*args), args


def alike(found, wanted):
    """The same structure and types; floats but for what differences and many steps leave of rounding."""
    if isinstance(wanted, (float, np.floating)) or isinstance(wanted, np.ndarray) and wanted.dtype.kind == "f":
        assert type(found) is type(wanted)
        assert np.shape(found) == np.shape(wanted)
        np.testing.assert_allclose(found, wanted, rtol=1e-7, atol=1e-9)
    elif isinstance(wanted, (tuple, list, dict)):
        assert type(found) is type(wanted)
        assert len(found) == len(wanted)
        assert not isinstance(wanted, dict) or list(found) == list(wanted)
        for one, other in zip(found.values(), wanted.values(), strict=True) if isinstance(wanted, dict) else zip(found, wanted, strict=True):
            alike(one, other)
    elif isinstance(wanted, np.random.RandomState):
        assert found.random_sample() == wanted.random_sample()
    else:
        assert not differs(found, wanted, "result")


def weighted(function):
    """The program, and one number of it."""

    def of_all(*args):
        found = 0.0
        for part in parts(function(*args)):
            found = found + np.sum(np.cos(part + 0.3))
        return found

    return of_all


def parts(value):
    if isinstance(value, dict):
        return [part for item in value.values() for part in parts(item)]
    if isinstance(value, (tuple, list)):
        return [part for item in value for part in parts(item)]
    return [value] if isinstance(value, (float, np.floating)) or isinstance(value, np.ndarray) and value.dtype.kind == "f" else []


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_in_python(name):
    function, make, _ = PROGRAMS[name]
    run = s2s.jit(function, target="numpy")
    for seed in (0, 1, 2):
        args = make(np.random.default_rng(seed))
        (value, after), (ours, our_after) = outcome(function, args), outcome(run, args)
        alike(ours, value)
        alike(our_after, after)


@pytest.mark.parametrize("name", [name for name, (_, _, wrt) in PROGRAMS.items() if wrt])
def test_gradients(name):
    function, make, wrt = PROGRAMS[name]
    args = make(np.random.default_rng(3))
    rng = np.random.default_rng(4)
    ways = [rng.normal(size=np.shape(args[k])) for k in wrt]
    slopes = s2s.grad(s2s.jit(weighted(function), target="numpy"), argnums=wrt)(*copy.deepcopy(args))

    def moved(step):
        others = list(copy.deepcopy(args))
        for k, way in zip(wrt, ways, strict=True):
            others[k] = args[k] + step * way if np.ndim(args[k]) else float(args[k] + step * way)
        return weighted(function)(*others)

    found = sum(np.sum(slope * way) for slope, way in zip(slopes, ways, strict=True))
    np.testing.assert_allclose(found, (moved(1e-6) - moved(-1e-6)) / 2e-6, rtol=2e-4, atol=1e-5)
