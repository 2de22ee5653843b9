"""Collectives over named axes: JAX's numbers, stored (JAX 0.10.2, 64-bit numbers), and live where it is installed; JAX's errors; what is refused.

`python tests/test_collectives.py` writes the stored numbers anew; it needs JAX.
"""
from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from collective_programs import PROGRAMS
from stored_numbers import by_jax, check_found, check_stored

import s2s
import s2s.numpy
from s2s import lax

pytestmark = pytest.mark.usefixtures("on_numpy")
STORED = Path(__file__).parent / "collective_expected.json"


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_numbers_are_jax_s(program):
    found = s2s.tree_util.tree_leaves(program(s2s, s2s.numpy, lax))
    check_found(STORED, program, found)


def test_stored_numbers_are_those_of_the_installed_jax():
    pytest.importorskip("jax")
    check_stored(STORED, PROGRAMS)


# ---- drawn ---------------------------------------------------------------------------------------------------------------------


def drawn_collective(rng, size, count):
    """A collective of an array of drawn rank, among groups of `size` examples of which there are `count`, and the shape of the array."""
    shape = tuple(int(n) for n in rng.integers(1, 4, rng.integers(1, 4)))
    axis = int(rng.integers(-len(shape), len(shape)))
    other = int(rng.integers(-len(shape), len(shape)))

    def with_axis(length):
        return tuple(length if k == axis % len(shape) else n for k, n in enumerate(shape))

    tiled = bool(rng.integers(2))
    cut = with_axis(size * int(rng.integers(1, 3)) if tiled else size)
    order = tuple(int(k) for k in rng.permutation(size))
    source = int(rng.integers(size))
    some = [(int(a), int(b)) for a, b in zip(rng.permutation(size), rng.permutation(size), strict=True)][: int(rng.integers(1, size + 1))]
    choices = [
        (lambda x, **groups: lax.psum(x, "i", **groups), shape), (lambda x, **groups: lax.pmean(x, "i", **groups), shape),
        (lambda x, **groups: lax.all_gather(x, "i", axis=axis, tiled=tiled, **groups), shape),
        (lambda x, **groups: lax.psum_scatter(x, "i", scatter_dimension=axis, tiled=tiled, **groups), cut),
        (lambda x, **groups: lax.all_to_all(x, "i", axis, other, tiled=tiled, **groups), cut), (lambda x, **groups: lax.pswapaxes(x, "i", axis, **groups), with_axis(size)),
    ]  # fmt: skip
    if count == 1:
        choices += [(lambda x: lax.ppermute(x, "i", some), shape), (lambda x: lax.pshuffle(x, "i", order), shape), (lambda x: lax.pbroadcast(x, "i", source), shape)]
    return choices[rng.integers(len(choices))]


@pytest.mark.parametrize("seed", range(12))
def test_the_transpose_of_a_collective_is_that_of_its_matrix(seed):
    """What examples are told of all cotangents is the transpose of what they are told of all x's."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(1, 5))
    f, shape = drawn_collective(rng, size, 1)
    x = rng.normal(size=(size, *shape))
    y = s2s.vmap(f, axis_name="i")(x)
    bar = rng.normal(size=y.shape)
    back = s2s.vmap(lambda x, bar: s2s.vjp(f, x)[1](bar)[0], axis_name="i")(x, bar)
    np.testing.assert_allclose(np.sum(y * bar), np.sum(x * back), rtol=1e-10)
    np.testing.assert_allclose(s2s.grad(lambda x: np.sum(s2s.vmap(f, axis_name="i")(x) * bar))(x), back, rtol=1e-10)


@pytest.mark.parametrize("seed", range(12))
def test_each_group_is_by_itself(seed):
    rng = np.random.default_rng(100 + seed)
    size, count = int(rng.integers(1, 4)), int(rng.integers(2, 4))
    groups = rng.permutation(size * count).reshape(count, size).tolist()
    f, shape = drawn_collective(rng, size, count)
    x = rng.normal(size=(size * count, *shape))
    found = s2s.vmap(lambda x: f(x, axis_index_groups=groups), axis_name="i")(x)
    slopes = s2s.vmap(s2s.grad(lambda x: np.sum(np.sin(f(x, axis_index_groups=groups)))), axis_name="i")(x)
    for group in groups:
        np.testing.assert_allclose(found[group], s2s.vmap(f, axis_name="i")(x[group]), rtol=1e-12)
        np.testing.assert_allclose(slopes[group], s2s.vmap(s2s.grad(lambda x: np.sum(np.sin(f(x)))), axis_name="i")(x[group]), rtol=1e-12)


def test_groups_of_several_sizes():
    x = np.array([3.0, 1.0, 4.0, 1.5])
    groups = [[2, 0], [1], [3]]
    for name, wanted in (("psum", [7.0, 1.0, 7.0, 1.5]), ("pmax", [4.0, 1.0, 4.0, 1.5]), ("pmin", [3.0, 1.0, 3.0, 1.5])):
        np.testing.assert_array_equal(s2s.vmap(lambda x, name=name: getattr(lax, name)(x, "i", axis_index_groups=groups), axis_name="i")(x), wanted)
    np.testing.assert_array_equal(s2s.vmap(s2s.grad(lambda x: lax.pmax(x, "i", axis_index_groups=groups)), axis_name="i")(x), [0.0, 1.0, 2.0, 1.0])


def test_permutations_need_not_be_whole():
    x = np.array([1.0, 2.0, 4.0])
    np.testing.assert_array_equal(s2s.vmap(lambda x: lax.ppermute(x, "i", [(0, 2)]), axis_name="i")(x), [0.0, 0.0, 1.0])
    np.testing.assert_array_equal(s2s.vmap(lambda x: lax.ppermute(x, "i", ()), axis_name="i")(x), [0.0, 0.0, 0.0])
    next_one = s2s.vmap(lambda x: lax.ppermute(x, "i", [(k, (k + 1) % lax.axis_size("i")) for k in range(lax.axis_size("i"))]), axis_name="i")
    np.testing.assert_array_equal(next_one(x), [4.0, 1.0, 2.0])
    np.testing.assert_array_equal(next_one(np.arange(5.0)), [4.0, 0.0, 1.0, 2.0, 3.0])


# ---- each example its own way between the collectives ----------------------------------------------------------------------------


def own_ways(x, count):
    """Branches, loops and sizes of each example's own, and a sum in between."""
    s = 0.0
    for k in range(count):
        s = s + x[k] * lax.axis_index("i")
    mean = lax.pmean(s, "i")
    y = np.zeros(count + 1)
    y[0] = mean
    for k in range(count):
        y[k + 1] = y[k] * x[k]
    if s > mean:
        return np.sum(y) * lax_of_helper(s), mean
    return -s, mean


def lax_of_helper(s):
    return np.sqrt(np.abs(s) + 1.0)


def test_each_example_goes_its_own_way_between_collectives():
    rng = np.random.default_rng(3)
    x, count = rng.normal(size=(5, 4)), np.array([0, 4, 2, 3, 1])
    sums = [float(np.sum(x[n, : count[n]]) * n) for n in range(5)]
    mean = np.mean(sums)

    def one(n):
        total, y = mean, mean
        for k in range(count[n]):
            y = y * x[n, k]
            total += y
        return total * np.sqrt(abs(sums[n]) + 1.0) if sums[n] > mean else -sums[n]

    values, found = s2s.vmap(own_ways, axis_name="i", out_axes=(0, None))(x, count)
    np.testing.assert_allclose(values, [one(n) for n in range(5)], rtol=1e-12)
    np.testing.assert_allclose(found, mean, rtol=1e-12)

    def total(x):
        return np.sum(s2s.vmap(own_ways, axis_name="i")(x, count)[0])

    slope = s2s.grad(total)(x)
    step = rng.normal(size=x.shape)
    np.testing.assert_allclose(np.sum(slope * step), (total(x + 1e-6 * step) - total(x - 1e-6 * step)) / 2e-6, rtol=1e-6)


def test_derivatives_inside_of_what_has_its_own_trips():
    """What each example's reverse sweep needs of loops with trips of its own, before and after a collective."""
    def root(a):
        x = a
        while abs(x * x - a) > 1e-12 * a:
            x = 0.5 * (x + a / x)
        return x

    def f(a):
        first = root(a)
        second = first * lax.pmean(first * a, "i")
        total = 0.0
        for k in range(int(a)):
            total = total + np.sin(second * k)
        return total + lax.psum(total * root(second), "i")

    a = np.array([1.5, 4.2, 9.3])

    def total(a):
        return np.sum(s2s.vmap(f, axis_name="i")(a))

    slopes = s2s.vmap(s2s.grad(f), axis_name="i")(a)
    np.testing.assert_allclose(slopes, s2s.grad(total)(a), rtol=1e-9)
    step = np.array([0.3, -0.5, 0.7])
    np.testing.assert_allclose(np.sum(slopes * step), (total(a + 1e-6 * step) - total(a - 1e-6 * step)) / 2e-6, rtol=1e-5)


def test_errors_of_one_example_name_it_and_empty_batches():
    def f(x):
        total = lax.psum(x, "i")
        if x > total:
            raise ValueError(f"more than all: {x}")
        return x / total

    with pytest.raises(ValueError, match=r"more than all: 3.0 \(example 1 of the batch\)"):
        s2s.vmap(f, axis_name="i")(np.array([-2.0, 3.0]))
    assert s2s.vmap(f, axis_name="i")(np.zeros(0)).shape == (0,)
    np.testing.assert_array_equal(s2s.vmap(lambda x: lax.psum(x, "i"), axis_name="i", out_axes=None)(np.zeros(0)), 0.0)
    with pytest.raises(ValueError, match="zero-size axis to reduction operation pmax which has no identity"):
        s2s.vmap(lambda x: lax.pmax(x, "i"), axis_name="i")(np.zeros(0))


def test_compiled_collectives_are_those_of_numpy():
    rng = np.random.default_rng(7)
    x, count = rng.normal(size=(6, 5)), np.array([0, 4, 2, 3, 1, 5])

    def rolled(x, count):
        value, mean = x[0] * count, lax.pmean(np.sum(x), "i")
        if value > mean:
            for k in range(len(x)):
                value = value * x[k]
        for t in range(3):
            value = 0.5 * np.sin(value) + lax.ppermute(value, "i", [(k, (k + 1) % 6) for k in range(6)]) - lax.pmean(value * t, "i")
        return value * mean + np.max(lax.all_gather(value, "i")) + np.sum(lax.psum_scatter(np.outer(np.arange(6.0), x), "i"))

    for made in (s2s.vmap(rolled, axis_name="i"), s2s.vmap(s2s.grad(rolled), axis_name="i"), s2s.grad(lambda x, count: np.sum(s2s.vmap(rolled, axis_name="i")(x, count)))):
        found = made(x, count)
        with s2s.disable_jit():
            np.testing.assert_allclose(found, made(x, count), rtol=1e-9)


# ---- errors ------------------------------------------------------------------------------------------------------------------------

X = np.array([1.0, 2.0, 4.0])
ERRORS = [
    (lambda x: lax.psum(x, "j"), NameError, "unbound axis name: j"),
    (lambda x: lax.axis_index("j") * x, NameError, "unbound axis name: j"),
    (lambda x: lax.psum(x, ("i", "k")), NameError, "unbound axis name: k"),
    (lambda x: lax.psum(x, ("i", "i")), ValueError, "duplicate value in the axes of a collective"),
    (lambda x: lax.psum(x, 0), NotImplementedError, "a collective over axis 0 of the array"),
    (lambda x: lax.psum("text", "i"), TypeError, "a collective needs arrays and numbers, got 'text'"),
    (lambda x: lax.psum(x, "i", axis_index_groups=[[0, 1], [1]]), ValueError, "axis_index_groups must cover all indices exactly once"),
    (lambda x: lax.psum(x, "i", axis_index_groups=[[0, 1]]), ValueError, "axis_index_groups must cover all indices exactly once: they have 2, and the axis i 3"),
    (lambda x: lax.all_gather(x, "i", axis_index_groups=[[0, 1], [2]]), ValueError, "axis_index_groups must all be of one size"),
    (lambda x: lax.all_gather(x, "i", axis=3), ValueError, "axis 3 is out of bounds for array of dimension 1"),
    (lambda x: lax.all_gather(x, "i", tiled=True), ValueError, "axis 0 is out of bounds for array of dimension 0"),
    (lambda x: lax.pshuffle(x, "i", [1, 0]), ValueError, "pshuffle's `perm` has 2 examples, and the axis i 3"),
    (lambda x: lax.pshuffle(x, "i", [1, 1, 0]), ValueError, r"`perm` does not represent a permutation: \[1, 1, 0\]"),
    (lambda x: lax.ppermute(x, "i", [(0, 1), (1, 1)]), ValueError, "ppermute sources and destinations must be unique"),
    (lambda x: lax.ppermute(x, "i", [(0, 3)]), ValueError, "ppermute names example 3, but the axis i has 3"),
    (lambda x: lax.pbroadcast(x, "i", 5), ValueError, "pbroadcast's source is 5, but the axis i has 3"),
    (lambda x: lax.ppermute(x, ("i",), [(0, int(x))]), NotImplementedError, "perm known only at run time"),
    (lambda x: lax.all_to_all(np.array([x, x]), "i", 0, 0), ValueError, r"all_to_all requires the size of the mapped axis axis_name to equal x.shape\[split_axis\], but they are 3 and 2"),
    (lambda x: lax.all_to_all(np.array([x, x]), "i", 0, 0, tiled=True), ValueError, r"The size of all_to_all split_axis \(2\) has to be divisible by the size of the named axis i \(3\)"),
    (lambda x: lax.psum_scatter(np.array([x, x]), "i"), ValueError, "reduce_scatter operand scatter dimension size 2 must match shard count 3"),
    (lambda x: lax.psum_scatter(np.array([x, x]), "i", tiled=True), ValueError, "tiled reduce_scatter operand scatter dimension size 2 must be divisible by shard_count 3"),
    (lambda x: lax.psum(x, "i") if x > 1.0 else x, NotImplementedError, "psum over 'i' in a branch .* that some examples take and others don't"),
]


@pytest.mark.parametrize(("function", "error", "words"), ERRORS)
def test_errors(function, error, words):
    with pytest.raises(error, match=words):
        s2s.vmap(function, axis_name="i")(X)


def test_what_is_refused_stands_at_its_line():
    def until_done(x):
        while x < 10.0:
            x = x + lax.pmean(x, "i")
        return x

    def own_bound(x):
        s = 0.0
        for k in range(int(x)):
            s = s + lax.psum(x * k, "i")
        return s

    def own_size(x):
        return lax.pmean(np.ones(int(x)), "i")[0]

    def own_results(x):
        return np.ones(int(x)) * lax.pmean(x, "i")

    def own_carry(x):
        y = np.ones(int(x))
        for _ in range(3):
            y = y * lax.pmean(x, "i")
        return np.sum(y)

    for function in (until_done, own_bound):
        with pytest.raises(s2s.errors.UnsupportedError, match="over 'i' in a loop .* whose number of trips differs from example to example") as caught:
            s2s.vmap(function, axis_name="i")(X)
        assert "lax." in caught.value.where.text()
    for function in (own_size, own_results, own_carry):
        with pytest.raises(s2s.errors.UnsupportedError, match="whose size differs from example to example, where examples meet"):
            s2s.vmap(function, axis_name="i")(X)


def test_checkpoints_and_derivative_rules():
    def layer(x):
        return np.sin(x) * lax.pmean(x * x, "i")

    for kept in (layer, s2s.checkpoint(layer)):
        np.testing.assert_allclose(s2s.grad(lambda x, kept=kept: np.sum(s2s.vmap(kept, axis_name="i")(x)))(X), s2s.vmap(s2s.grad(layer), axis_name="i")(X))
        np.testing.assert_allclose(s2s.vmap(s2s.grad(kept), axis_name="i")(X), s2s.vmap(s2s.grad(layer), axis_name="i")(X))
    ruled = s2s.custom_jvp(layer)
    ruled.defjvp(lambda primals, tangents: (layer(*primals), tangents[0]))
    np.testing.assert_allclose(s2s.vmap(ruled, axis_name="i")(X), s2s.vmap(layer, axis_name="i")(X))
    np.testing.assert_array_equal(s2s.grad(lambda x: np.sum(s2s.vmap(ruled, axis_name="i")(x)))(X), np.ones_like(X))

    def scaled(w, x):
        return w * x

    def summed(w, x):
        return lax.psum(w * x, "i")

    for one, other in ((summed, scaled), (scaled, summed)):
        with pytest.raises(s2s.errors.UnsupportedError, match=f"a collective in {one.__name__}, a function with a derivative rule of its own"):
            s2s.vmap(lambda x, one=one, other=other: s2s.linear_call(one, other, 2.0, x), axis_name="i")(X)

    unlike = s2s.custom_jvp(lambda x: lax.psum(x, "i"))
    unlike.defjvp(lambda primals, tangents: (lax.psum(primals[0], "i"), tangents[0]))
    with pytest.raises(s2s.errors.UnsupportedError, match="gives each example another result or tangent, where the function's result is the same for all"):
        s2s.vmap(unlike, axis_name="i")(X)


def test_outside_of_what_binds_it_a_name_is_unbound():
    for name, function in lax.__dict__.items():
        if name in ("psum", "pmean", "pmax", "pmin", "all_gather", "psum_scatter"):
            with pytest.raises(NameError, match="unbound axis name: i"):
                function(1.0, "i")
            with pytest.raises(NameError, match="unbound axis name: i"):
                s2s.jit(lambda x, function=function: function(x, "i"))(1.0)
    with pytest.raises(NameError, match="unbound axis name: i"):
        s2s.vmap(lambda x: lax.psum(x, "i"))(X)
    with pytest.raises(ValueError, match="at vmap out_axes, got axis spec None but output was batched on axis 0"):
        s2s.vmap(lambda x: x, out_axes=None)(X)
    with pytest.raises(ValueError, match=r"vmap has mapped output \(axis_name=i\) but out_axes is None"):
        s2s.vmap(lambda x: x, out_axes=None, axis_name="i")(X)


if __name__ == "__main__":
    STORED.write_text(json.dumps(by_jax(PROGRAMS)), encoding="utf-8")
