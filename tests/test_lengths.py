"""Lists of arrays that are each of a length of their own: what they give, to every target, and the slopes of it; or a refusal at the user's line."""
from __future__ import annotations

import inspect

import length_programs
import numpy as np
import pytest
from outcomes import check
from turns import in_turn

import s2s
from s2s.errors import UnsupportedError

PROGRAMS = [each for each in vars(length_programs).values() if inspect.isfunction(each) and list(inspect.signature(each).parameters) == ["x", "labels", "n"]]
REFUSED = {"changed_whole", "changed_behind_one_path"}
"""The list holds copies (design.md): a change of what they were made of is refused."""
OTHER_TYPE = {"none_beside", "a_dict_that_grows"}


def drawn(seed: int, size: int, groups: int) -> tuple[np.ndarray, np.ndarray, int]:
    random = np.random.default_rng(seed)
    labels = np.concatenate([np.arange(groups), random.integers(0, groups, size - groups)])
    return random.normal(size=size), random.permutation(labels), int(random.integers(1, 4))


ARGUMENTS = (drawn(1, 7, 3), drawn(2, 23, 4), drawn(3, 5, 5), (np.array([0.5]), np.array([0]), 1), (np.array([0.5, -0.25, 2.0]), np.array([2, 2, 0]), 2))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_as_in_python(program):
    check(program, "numpy", ARGUMENTS[:4] if program in _OF_NONE else ARGUMENTS, REFUSED, OTHER_TYPE)


@pytest.mark.parametrize("program", in_turn([each for each in PROGRAMS if each.__name__ not in REFUSED], 6), ids=lambda each: each.__name__)
def test_compiled(program):
    check(program, "cpu", ARGUMENTS[:4] if program in _OF_NONE else ARGUMENTS, REFUSED, OTHER_TYPE)


_OF_NONE = {length_programs.in_order, length_programs.in_objects}
"""An empty group has no mean, and two of one length no order that NumPy's sort of sums says."""


def weighed(result):
    """One number of all that a program gives."""
    if isinstance(result, dict):
        return weighed(list(result.values()))
    if isinstance(result, list | tuple):
        return sum((k + 1) * weighed(each) for k, each in enumerate(result)) + 0.0
    return np.sum(np.sin(result)) if np.ndim(result) else np.sin(result)


@pytest.mark.parametrize("program", in_turn(length_programs.SLOPES, 2), ids=lambda each: each.__name__)
def test_slopes(program):
    def loss(x, labels, n):
        return weighed(program(x, labels, n))

    for x, labels, n in ARGUMENTS[:3]:
        direction = np.cos(np.arange(float(len(x))))
        slope = s2s.jit(s2s.grad(loss), target="numpy")(x, labels, n)
        forward = s2s.jit(lambda x, d, labels, n: s2s.jvp(lambda v: loss(v, labels, n), (x,), (d,))[1], target="numpy")(x, direction, labels, n)
        step = 1e-6
        difference = (loss(x + step * direction, labels, n) - loss(x - step * direction, labels, n)) / (2 * step)
        np.testing.assert_allclose(slope @ direction, forward, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(forward, difference, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("program", in_turn(length_programs.SLOPES, 3, 1), ids=lambda each: each.__name__)
def test_batches(program):
    """Each example has lists of lengths of its own."""

    def loss(x, labels):
        return weighed(program(x, labels, 2))

    x, labels = (np.stack([drawn(seed, 9, 3)[number] for seed in (4, 5, 6)]) for number in (0, 1))
    with np.errstate(all="ignore"):
        found = s2s.jit(s2s.vmap(loss), target="numpy")(x, labels)
    np.testing.assert_allclose(found, [loss(*each) for each in zip(x, labels, strict=True)], rtol=1e-12)
    slopes = s2s.jit(s2s.vmap(s2s.grad(loss)), target="numpy")(x, labels)
    np.testing.assert_allclose(slopes, [s2s.jit(s2s.grad(loss), target="numpy")(*each) for each in zip(x, labels, strict=True)], rtol=1e-12)


def test_sizes_stay_symbolic():
    """One reading serves any number of groups."""
    run = s2s.jit(length_programs.means_of_groups, target="numpy")
    for size in (300, 400):
        x, labels, n = drawn(size, size, 40)
        assert run(x, labels, n) == length_programs.means_of_groups(x, labels, n)


def test_items_changed_in_place_are_refused_by_name():
    """Where their sizes can't be known from the arguments."""
    with pytest.raises(UnsupportedError, match="changed in place as an item of a list .* where each item has a size of its own") as caught:
        s2s.jit(length_programs.centred_in_place, target="numpy")(*drawn(8, 5000, 300))
    assert caught.value.where.file == length_programs.__file__


def test_it_is_one_long_array():
    """No copy of the loop's body for each group."""
    text = s2s.jit(length_programs.neighbours, target="numpy").lower(*drawn(7, 50, 9)).as_text()
    assert text.count("where_true = ") == 1
