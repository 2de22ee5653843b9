"""Whole programs of several fields: values as Python's, both derivatives against differences, batches against calls one by one."""
from __future__ import annotations

import copy

import field_programs
import numpy as np
import pytest
from outcomes import check
from turns import in_turn

import s2s

NAMES = list(field_programs.CASES)
DIFFERENTIATED = [name for name, case in field_programs.CASES.items() if case[1]]
BATCHED = [name for name, case in field_programs.CASES.items() if case[3] is not None]
OTHER_TYPE = {"queue_simulation"}
"""A number is of one type at a point of the program (docs/design.md)."""


def drawn(name, seed=1):
    return field_programs.CASES[name][0](np.random.default_rng(seed))


def program(name):
    return getattr(field_programs, name)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", in_turn(NAMES, 2))
def test_values(name):
    check(program(name), "numpy", (drawn(name), drawn(name, 2)), set(), OTHER_TYPE)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", in_turn(NAMES, 8, 1))
def test_compiled(name):
    check(program(name), "cpu", (drawn(name),), set(), OTHER_TYPE)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", in_turn(DIFFERENTIATED, 2, 1))
def test_derivatives(name):
    _, wrt, part, _ = field_programs.CASES[name]
    function, args, rng = program(name), drawn(name), np.random.default_rng(5)

    def loss(*args):
        return part(function(*args))

    directions = [rng.normal(size=np.shape(args[k])) for k in wrt]

    def at(step):
        moved = list(copy.deepcopy(args))
        for k, direction in zip(wrt, directions, strict=True):
            moved[k] = moved[k] + step * direction
        return loss(*moved)

    slopes = [(at(step) - at(-step)) / (2 * step) for step in (1e-6, 1e-5)]  # what stops by a tolerance is not smooth at small steps
    ours = s2s.jit(loss, target="numpy")
    for derivative in (s2s.grad, s2s.jacfwd):
        found = derivative(ours, argnums=wrt)(*copy.deepcopy(args))
        ours_along = sum(np.sum(each * direction) for each, direction in zip(found, directions, strict=True))
        assert any(np.isclose(ours_along, slope, rtol=1e-5, atol=1e-6) for slope in slopes)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", in_turn(BATCHED, 2, 1))
def test_batches(name):
    number, args, function = field_programs.CASES[name][3], drawn(name), program(name)
    batch = np.stack([args[number] * (1 + 0.01 * k) for k in range(3)])
    calls = [(*args[:number], each, *args[number + 1 :]) for each in batch]
    found = s2s.vmap(s2s.jit(function, target="numpy"), in_axes=tuple(0 if k == number else None for k in range(len(args))))(*args[:number], batch, *args[number + 1 :])
    wanted = [function(*copy.deepcopy(call)) for call in calls]
    for k, each in enumerate(wanted):
        one = s2s.tree_util.tree_map(lambda leaf, k=k: leaf[k], found)
        for ours, pythons in zip(s2s.tree_util.tree_leaves(one), s2s.tree_util.tree_leaves(each), strict=True):
            assert np.allclose(ours, pythons, rtol=1e-7, atol=1e-9, equal_nan=True)
