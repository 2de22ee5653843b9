"""The table of transformations, and what follows from an entry: the API, the command line, titles, calls inside of a user's functions."""
import functools
import math
import types

import numpy as np
import pytest

import s2s
from s2s import cli
from s2s.calls import standalone
from s2s.calls.rewrite import Rewrite
from s2s.calls.transformations import TABLE, of, offered
from s2s.transformation import Calling, Step, Transformation
from s2s.transforms.derivatives import derive
from s2s.transforms.read.calls.transformations import CALLED


def test_each_entry_is_a_public_function():
    for name, entry in TABLE.items():
        assert entry.name == name
        assert getattr(s2s, name).transformation is entry
    steps = [step.name for entry in TABLE.values() for step in entry.steps]
    assert len(set(steps)) == len(steps)


def test_two_steps_are_two_halves():
    for entry in TABLE.values():
        assert len(entry.steps) == (1 if entry.apart is None else 2)


def test_the_reader_and_the_command_line_follow():
    assert set(CALLED) == set(Calling)
    (option,) = [param for param in cli.emit.params if param.name == "transforms"]
    assert list(option.type.choices) == list(TABLE)


# ---- a new one: a rewrite and an entry -------------------------------------------------------------------------------------


def _rewrite(entry, part, *, argnums):
    def apply(staged, args):
        return derive.grad(staged, argnums=argnums, has_aux=False, value=False, allow_int=False, holomorphic=False)

    return Rewrite(entry, part, {"argnums": argnums}, apply)


SLOPE = Transformation("slope", (Step("slope", "Slope"),), Calling.SAME, ("argnums",), takes_objects=True, rewrite=_rewrite, apart=None)


def _slope(fun, argnums=0):
    return of(SLOPE, fun, argnums=argnums)


slope = offered(SLOPE)(types.FunctionType(_slope.__code__, {**globals(), "__name__": "s2s.api.slopes"}, "slope", (0,)))


def cube(x: float, a: float) -> float:
    return a * x**3


def twice(x):
    return slope(slope(cube))(x, 2.0) + slope(lambda y: y * x)(1.0)


def test_a_new_transformation_is_an_entry(monkeypatch):
    assert slope(cube)(2.0, 1.0) == 12.0
    assert slope(cube, argnums=1)(2.0, 1.0) == 8.0
    text = slope(cube, argnums=1).source(2.0, 1.0)
    assert '"""Slope of cube(x, a) with respect to a."""' in text or '"""Slope of cube(x, a) with respect to a.\n' in text
    assert "--transform slope --argnums 1" in text
    assert s2s.jit(twice, target="numpy")(3.0) == 2.0 * 6.0 * 3.0 + 3.0
    monkeypatch.setitem(TABLE, "slope", SLOPE)
    name, text = standalone.emit_text(cube, ["slope", "grad"], target="numpy")
    assert name == "cube_slope_grad"
    assert "Gradient of slope of cube" in text


# ---- what only looks like one ----------------------------------------------------------------------------------------------


@functools.wraps(s2s.grad)
def doubled(fun):
    inner = s2s.grad(fun)
    return lambda x: 2.0 * inner(x)


def calls_doubled(x):
    return doubled(np.sin)(x)


def test_a_wrapper_of_a_transformation_is_not_taken_for_it():
    """functools.wraps copies names, modules and attributes: the wrapper's own body says something else."""
    with pytest.raises(s2s.UnsupportedError, match="grad is not supported"):
        s2s.jit(calls_doubled, target="numpy")(0.3)


# ---- functions of libraries -------------------------------------------------------------------------------------------------

W = np.array([0.5, -1.0, 2.0])
LIBRARY = [
    (functools.partial(np.dot, W), W), (functools.partial(np.multiply, W), W), (functools.partial(np.sum, axis=0), W), (functools.partial(functools.partial(np.clip, a_min=0.0), a_max=1.0), W),
    (functools.partial(math.pow, 2.0), 1.5), (np.add.reduce, W), (functools.partial(abs), 2.0), (functools.partial(np.power, 2.0), 1.5),
]  # fmt: skip


@pytest.mark.parametrize(("fun", "x"), LIBRARY)
def test_functions_of_libraries_in_partials(fun, x):
    """Every transformation takes them, outside of functions and inside."""
    with s2s.disable_jit():
        value, along = s2s.jvp(fun, (x,), (np.ones_like(x),))
        np.testing.assert_allclose(value, fun(x))
        near = [np.asarray(fun(x + h)) for h in (1e-6, -1e-6)]
        np.testing.assert_allclose(along, (near[0] - near[1]) / 2e-6, rtol=1e-6, atol=1e-8)
        np.testing.assert_allclose(s2s.vmap(fun)(np.stack([x, 2.0 * x])), np.stack([fun(x), fun(2.0 * x)]))
        np.testing.assert_allclose(s2s.jit(lambda x: np.sum(s2s.grad(lambda x: np.sum(fun(x)))(x)))(x), np.sum(along))
        np.testing.assert_allclose(s2s.jit(lambda xs: s2s.vmap(fun)(xs))(np.stack([x, x])), np.stack([fun(x), fun(x)]))


def test_what_a_partial_holds_is_read_at_each_call():
    weights = W.copy()
    fun = functools.partial(np.dot, weights)
    with s2s.disable_jit():
        np.testing.assert_array_equal(s2s.grad(fun)(W), W)
        weights[0] = 7.0
        np.testing.assert_array_equal(s2s.grad(fun)(W), [7.0, -1.0, 2.0])
    assert s2s.grad(fun) is s2s.grad(fun)
