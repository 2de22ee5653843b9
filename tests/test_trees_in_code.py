"""s2s.tree_util inside of functions that are read: what it gives there is what it gives outside."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest
from reading import run

import s2s
from s2s import tree_util as tu
from s2s.flatten_util import ravel_pytree

X = np.arange(1.0, 4.0)


class Pair(NamedTuple):
    first: Any
    second: Any


@dataclass
class Model:
    weights: Any
    rate: float


@tu.register_pytree_node_class
class Box:
    def __init__(self, inside, label):
        self.inside, self.label = inside, label

    def tree_flatten(self):
        return (self.inside,), self.label

    @classmethod
    def tree_unflatten(cls, label, children):
        return cls(children[0], label)


PROGRAMS = [
    lambda x: tu.tree_leaves({"b": x, "a": (1.0, [x[0], None])}),
    lambda x: tu.tree_map(lambda a: a * 2.0, {"b": x, "a": Pair(x[0], [x[1]])}),
    lambda x: tu.tree_map(lambda a, b: a + b, {"b": x, "a": (x,)}, {"b": 1.0, "a": (x * 2.0,)}),
    lambda x: tu.tree_map(lambda a, b: a * len(b), (x, x), ([1, 2], (3,))),
    lambda x: tu.tree_map(lambda p: p[0] + p[1], [(x, x), (x, 1.0)], is_leaf=lambda t: isinstance(t, tuple)),
    lambda x: tu.tree_unflatten(tu.tree_structure((1, {"k": 2})), [x, x[0]]),
    lambda x: tu.tree_unflatten(tu.tree_flatten(Model(x, 2.0))[1], [x * 2.0, x[1]]),
    lambda x: tu.tree_map(lambda a: a + 1.0, Model({"w": x}, 2.0)),
    lambda x: tu.tree_reduce(lambda a, b: a * b, (x, [x, 2.0])),
    lambda x: tu.tree_reduce(lambda a, b: a + np.sum(b), (x, [x, 2.0]), 0.5),
    lambda x: tu.tree_all((True, [1])) + x,
    lambda x: tu.tree_transpose(tu.tree_structure((0, 0)), tu.tree_structure({"a": 0, "b": 0}), ({"a": x, "b": 1.0}, {"a": x[0], "b": 2.0})),
    lambda x: (tu.tree_structure((x, x)) == tu.tree_structure((1, 2)), tu.tree_structure((x, x)) == tu.tree_structure([1, 2])),
    lambda x: tu.tree_map(lambda a: a * 3.0, Box((x, 1.0), "name")).inside,
    lambda x: tu.tree_transpose(tu.tree_structure([0, 0]), None, [{"a": x}, {"a": x[0]}]),
    lambda x: tu.tree_broadcast((x, 2.0), ({"a": 0, "b": [0]}, 0)),
    lambda x: [leaf for path, leaf in tu.tree_leaves_with_path({"w": x, "b": (1.0, Pair(x[0], x))}) if "w" in tu.keystr(path) or path[-1] == tu.SequenceKey(0)],
    lambda x: tu.tree_map_with_path(lambda path, leaf: leaf * (2.0 if tu.keystr(path) == ".weights['w']" else 1.0), Model({"w": x, "b": x}, 2.0)),
    lambda x: tu.tree_map_with_path(lambda path, leaf, other: leaf + other if path[0].key == "w" else leaf, {"w": x, "b": x}, {"w": 1.0, "b": 2.0}),
    lambda x: ravel_pytree({"b": x, "a": (x[0], np.outer(x, x))})[0],
    lambda x: ravel_pytree({"b": x, "a": (x[0], np.outer(x, x))})[1](np.arange(13.0) * x[1]),
]


def equal(one: Any, two: Any) -> None:
    leaves, treedef = tu.tree_flatten(one)
    others, other = tu.tree_flatten(two)
    assert treedef == other
    for a, b in zip(leaves, others, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("fun", PROGRAMS)
def test_as_outside(fun):
    equal(run(fun, X)[0], fun(X))


def test_containers_that_the_caller_has():
    params = {"w": X, "b": [X * 2.0, 3.0]}
    model = Model(X, 0.5)

    def with_globals(x):
        return tu.tree_map(lambda p: p * x[0], params), tu.tree_map(lambda p: p * x[1], model)

    equal(s2s.jit(with_globals, target="numpy")(X), with_globals(X))
    params["w"] = X + 1.0
    model.rate = 0.25
    equal(s2s.jit(with_globals, target="numpy")(X), with_globals(X))


def test_gradient_descent_over_a_container():
    def loss(params, x):
        return np.sum((x * params["w"] + params["b"]) ** 2)

    def train(params, x):
        for _ in range(3):
            params = tu.tree_map(lambda p, g: p - 0.01 * g, params, s2s.grad(loss)(params, x))
        return loss(params, x)

    params = {"w": 0.5, "b": 0.25}
    assert s2s.jit(train, target="numpy")(params, X) < loss(params, X)
    slope = s2s.grad(train)(params, X)["w"]
    step = 1e-6
    shifted = [s2s.jit(train, target="numpy")({**params, "w": 0.5 + sign * step}, X) for sign in (1, -1)]
    assert slope == pytest.approx((shifted[0] - shifted[1]) / (2 * step), rel=1e-6)


@pytest.mark.parametrize(
    ("fun", "error", "words"),
    [
        (lambda x: tu.tree_map(lambda a, b: a, (x, x), (x,)), ValueError, "arity|length|mismatch"),
        (lambda x: tu.tree_unflatten(tu.tree_structure((1, 2)), [x]), ValueError, "Too few leaves"),
        (lambda x: tu.tree_unflatten((1, 2), [x]), TypeError, "a tree structure is needed"),
        (lambda x: tu.tree_map(lambda a: a, x, is_leaf=lambda a: a[0] > 0), NotImplementedError, "is_leaf that depends on a number"),
        (lambda x: tu.tree_reduce(lambda a, b: a, ()), TypeError, "empty"),
    ],
)
def test_errors_stand_at_the_users_line(fun, error, words):
    with pytest.raises(error, match=words) as caught:
        s2s.jit(fun, target="numpy")(X)
    assert caught.value.where.file == __file__


def test_gradient_of_a_raveled_container():
    params = {"w": X, "b": (2.0, np.ones((2, 2)))}

    def loss(params):
        vector, unravel = ravel_pytree(params)
        again = unravel(np.sin(vector))
        return np.sum(again["w"] ** 2) + again["b"][0] + np.sum(again["b"][1])

    slope = s2s.jit(s2s.grad(loss), target="numpy")(params)
    np.testing.assert_allclose(slope["w"], 2 * np.sin(X) * np.cos(X))
    np.testing.assert_allclose(slope["b"][0], np.cos(2.0))
    np.testing.assert_allclose(slope["b"][1], np.full((2, 2), np.cos(1.0)))


def test_a_raveled_vector_of_another_size():
    for fun in (lambda x: ravel_pytree([x])[1](x[1:]), s2s.jit(lambda x: ravel_pytree([x])[1](x[1:]), target="numpy")):
        with pytest.raises(ValueError, match="unravel function expected an input of shape"):
            fun(X)


KEPT = {"w": X, "b": (2.0, np.ones((2, 2)))}
VECTOR, UNRAVEL = ravel_pytree(KEPT)
STRUCTURE = tu.tree_structure(KEPT)


def test_structures_and_unravelling_made_outside():
    """`flat, unravel = ravel_pytree(params)`, and a loss of the vector: its structure was refused."""

    def loss(vector):
        params = UNRAVEL(vector)
        return np.sum(params["w"] ** 2) + params["b"][0] * 3.0

    slope = s2s.jit(s2s.grad(loss), target="numpy")(VECTOR)
    np.testing.assert_allclose(UNRAVEL(slope)["w"], 2 * X)
    np.testing.assert_allclose(UNRAVEL(slope)["b"][0], 3.0)
    many = s2s.vmap(s2s.jit(lambda v: UNRAVEL(v)["b"][0], target="numpy"))(np.stack([VECTOR, 2 * VECTOR]))
    np.testing.assert_allclose(many, [2.0, 4.0])
    for fun in (lambda a: tu.tree_unflatten(STRUCTURE, [a, a, a]), lambda a: STRUCTURE.unflatten([a, a, a]), lambda a: tu.tree_flatten({"w": a, "b": (a, a)})[1].unflatten([a, a, a])):
        assert s2s.jit(fun, target="numpy")(1.5) == fun(1.5)


def test_another_structure_is_read_again():
    def f(a):
        return tu.tree_unflatten(structure, [a, a])

    fun = s2s.jit(f, target="numpy")
    for structure in (tu.tree_structure([1, 2]), tu.tree_structure((1, {"k": 2})), tu.tree_structure({"a": 1, "b": 2})):  # noqa: B007 - read by f
        assert fun(1.5) == f(1.5)
