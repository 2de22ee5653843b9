"""eval_shape against what the functions give, on every program; inside of code that is read; what it raises."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from programs import CASES

import s2s
import s2s.numpy as jnp
from s2s.errors import UnsupportedError
from s2s.tree_util import tree_leaves, tree_structure

X, M = np.arange(4.0), np.ones((3, 4))


@pytest.mark.parametrize("case", [case for case in CASES if not case.static], ids=str)
def test_every_program(case):
    args = case.make(np.random.default_rng(0))
    with np.errstate(all="ignore"):
        wanted = case.fun(*case.make(np.random.default_rng(0)))
    try:
        found = s2s.eval_shape(case.fun, *args)
    except UnsupportedError as error:
        assert "depends on numbers" in str(error)  # noqa: PT017 - some programs' sizes do
        return
    assert tree_structure(found) == tree_structure(wanted)
    for one, two in zip(tree_leaves(found), tree_leaves(wanted), strict=True):
        assert (one.shape, one.dtype) == (np.shape(two), np.asarray(two).dtype)


def test_nothing_is_computed_and_shapes_are_enough():
    huge = s2s.ShapeDtypeStruct((10**6, 10**6), np.float32)
    assert s2s.eval_shape(lambda a: (a @ a.T, {"sum": np.sum(a), "none": None, "seven": 7}), huge) == (
        s2s.ShapeDtypeStruct((10**6, 10**6), np.float32), {"sum": s2s.ShapeDtypeStruct((), np.float32), "none": None, "seven": s2s.ShapeDtypeStruct((), np.int64)},
    )  # fmt: skip


def test_of_derivatives_and_loops():
    assert s2s.eval_shape(s2s.grad(lambda x: np.sum(x * x)), M).shape == (3, 4)
    assert s2s.eval_shape(s2s.jacrev(lambda x: np.sum(x, axis=0)), M).shape == (4, 3, 4)

    def halves(x):
        n = len(x)
        while n > 1:
            n = n // 2
        return np.zeros((n, len(x) // 2))

    assert s2s.eval_shape(halves, np.zeros(13)).shape == (1, 6)


def test_outside_values_are_looked_at_again():
    table = {"t": np.zeros(3)}

    def joined(x):
        return np.concatenate([x, table["t"]])

    assert s2s.eval_shape(joined, X).shape == (7,)
    table["t"] = np.zeros(5)
    assert s2s.eval_shape(joined, X).shape == (9,)
    table["t"] = np.zeros(5, np.complex64)
    assert s2s.eval_shape(joined, X) == s2s.ShapeDtypeStruct((9,), np.complex128)


@pytest.mark.parametrize(
    ("fun", "args", "error", "words"),
    [
        (lambda a, b: a @ b, (M, M), ValueError, "mismatch in its core dimension"),
        (lambda a, b: a + b, (X, np.zeros(3)), ValueError, "could not be broadcast"),
        (lambda a: a[a > 0], (X,), NotImplementedError, "depends on numbers"),
        (lambda a: a, (X, X), TypeError, "positional"),
    ],
)
def test_errors(fun, args, error, words):
    with pytest.raises(error, match=words):
        s2s.eval_shape(fun, *args)


def test_inside_of_code():
    def f(x: Any) -> Any:
        like = s2s.eval_shape(lambda a: (np.outer(a, a), a[0]), x)
        return np.zeros(like[0].shape, like[0].dtype) + x, like[1].ndim, like[0].size

    found = s2s.jit(f, target="numpy")(X)
    assert (found[0].shape, *found[1:]) == ((4, 4), 0, 16)
    with pytest.raises(NotImplementedError, match="size depends on numbers") as caught:
        s2s.jit(lambda x: np.zeros(s2s.eval_shape(lambda a: a[a > 0], x).shape), target="numpy")(X)
    assert caught.value.where.file == __file__


LIKES = {
    "zeros_like": (lambda like: jnp.zeros_like(like), np.zeros((4, 4), np.float32)),
    "ones_like": (lambda like: jnp.ones_like(like, dtype=np.int64), np.ones((4, 4), np.int64)),
    "full_like": (lambda like: jnp.full_like(like, 3), np.full((4, 4), 3, np.float32)),
    "empty_like": (lambda like: jnp.empty_like(like, shape=(2,)) * 0, np.zeros(2, np.float32)),
    "lax.full_like": (lambda like: s2s.lax.full_like(like, 3), np.full((4, 4), 3, np.float32)),
    "lax.zeros_like_array": (lambda like: s2s.lax.zeros_like_array(like), np.zeros((4, 4), np.float32)),
    "mapped": (lambda like: s2s.tree.map(jnp.zeros_like, {"w": like})["w"], np.zeros((4, 4), np.float32)),
}


@pytest.mark.parametrize("name", LIKES)
def test_arrays_like_what_it_gives(name):
    """NumPy's own functions take a ShapeDtypeStruct for an object, of which they make an array."""
    make, wanted = LIKES[name]

    def like_of(x: Any) -> Any:
        return s2s.eval_shape(lambda a: np.outer(a, a), x)

    x = X.astype(np.float32)
    for found in (make(like_of(x)), *(s2s.jit(lambda x: make(like_of(x)), target=target)(x) for target in ("numpy", "cpu"))):
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted)
    assert s2s.grad(lambda x: (jnp.ones_like(like_of(x)) * x).sum())(X).tolist() == [4.0] * 4


def two_numbers(a: Any, b: Any, t: int = 0) -> Any:
    if a.shape != (2,):
        raise ValueError("two numbers")
    return a - b


def rank_of(function: Any) -> tuple[int, str]:
    """As jax_md asks it: for which number of coordinates does the function not raise?"""
    for size in range(1, 4):
        try:
            like = s2s.core.ShapedArray((size,), np.dtype("float64"))
            out = s2s.eval_shape(function, like, like, t=0)
            return len(out.shape), out.dtype.name
        except (TypeError, ValueError):
            continue
    raise ValueError("another number of coordinates")


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_what_is_raised_for_the_shapes_is_caught_around(target: str) -> None:
    def ranks(x: Any) -> Any:
        rank, dtype = rank_of(two_numbers)
        return x * (rank + 1), dtype

    def which(x: Any) -> Any:
        try:
            out = s2s.eval_shape(two_numbers, x, x)
        except ValueError as error:
            return str(error)
        return out.shape

    found = s2s.jit(ranks, target=target)(np.ones(2))
    assert found[0].tolist() == [2.0, 2.0] and found[1] == "float64"
    for x in (np.ones(2), np.ones(3)):
        assert s2s.jit(which, target=target)(x) == which(x)

    def shape(x: Any) -> Any:
        return s2s.eval_shape(two_numbers, x, x).shape

    assert s2s.jit(shape, target=target)(np.ones(2)) == (2,)
    with pytest.raises(ValueError, match="two numbers"):
        s2s.jit(shape, target=target)(np.ones(3))
