"""Transformed functions travel to other processes by name, or are made again there; a copy of one is itself, as of Python's functions."""
from __future__ import annotations

import copy
import importlib
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import s2s
from s2s.tree_util import tree_leaves

X = np.linspace(0.1, 1.0, 5)


def energy(x, scale=2.0):
    return np.sum((scale * x) ** 2)


@s2s.jit(target="numpy")
def twice(x):
    return x * 2.0


@s2s.grad
def slope(x):
    return np.sum(twice(x) ** 2)


MADE = {
    "by name": (twice, X), "a decorated gradient": (slope, X), "grad": (s2s.grad(energy), X), "of a jitted function": (s2s.grad(s2s.jit(energy, target="numpy")), X),
    "vmap": (s2s.vmap(s2s.grad(energy), in_axes=(0, None)), X[:, None], 3.0), "hessian": (s2s.hessian(energy, argnums=(0,)), X), "jacfwd": (s2s.jacfwd(energy), X),
    "checkpoint": (s2s.checkpoint(energy), X), "static": (s2s.jit(energy, static_argnums=1, target="numpy"), X, 2.0), "pmap": (s2s.pmap(twice), X[:1]),
    "value_and_grad": (s2s.value_and_grad(energy, argnums=(0, 1)), X, 2.0), "inlined": (s2s.jit(energy, inline=True, target="numpy"), X),
}  # fmt: skip


@pytest.mark.parametrize("name", MADE)
def test_there_and_back(name):
    function, *args = MADE[name]
    found = pickle.loads(pickle.dumps(function))
    assert type(found) is type(function)
    assert found.rewrite.params == function.rewrite.params
    assert found.options == function.options
    for one, other in zip(tree_leaves(found(*args)), tree_leaves(function(*args)), strict=True):
        np.testing.assert_array_equal(one, other)


def test_named_ones_are_themselves():
    assert pickle.loads(pickle.dumps((twice, slope))) == (twice, slope)


def test_copies():
    function = s2s.grad(energy)
    assert copy.copy(function) is function
    assert copy.deepcopy({"loss": function})["loss"] is function


def test_other_processes(tmp_path, monkeypatch):
    """The function that is differentiated is found there by its name."""
    (tmp_path / "energies.py").write_text("import numpy as np\n\ndef energy(x):\n    return np.sum((2.0 * x) ** 2)\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    slopes = s2s.grad(s2s.jit(importlib.import_module("energies").energy, target="numpy"))
    there = "import pickle, sys; f, x = pickle.load(sys.stdin.buffer); sys.stdout.buffer.write(pickle.dumps(f(x)))"
    told = subprocess.run(
        [sys.executable, "-c", there], input=pickle.dumps((slopes, X)), capture_output=True, check=True, timeout=120,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, sys.path))},
    )  # fmt: skip
    np.testing.assert_array_equal(pickle.loads(told.stdout), 8.0 * X)


def test_what_pickle_does_not_take():
    """A function that Python can't find by its name is no more to be had with s2s."""
    with pytest.raises((AttributeError, pickle.PicklingError), match="lambda"):
        pickle.dumps(s2s.grad(lambda x: x))
