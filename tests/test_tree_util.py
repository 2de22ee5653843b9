"""Containers: JAX's conventions."""
from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import NamedTuple

import pytest

from s2s import tree_util


class Layer(NamedTuple):
    weights: object
    bias: object


@dataclass(frozen=True)
class Config:
    rate: object
    steps: object

    def __post_init__(self) -> None:
        if self.rate is None:
            raise AssertionError("a container of markers must not run __post_init__")


def test_order_of_leaves() -> None:
    tree = {"b": (1, [2, None]), "a": Layer(3, 4)}
    assert tree_util.tree_leaves(tree) == [3, 4, 1, 2]


def test_none_is_a_container_without_leaves() -> None:
    assert tree_util.tree_leaves(None) == []
    assert tree_util.tree_map(lambda x: x, (None, 1)) == (None, 1)


def test_dataclass_without_registration() -> None:
    leaves, treedef = tree_util.tree_flatten([Config(0.1, 3)])
    assert leaves == [0.1, 3]
    (back,) = tree_util.tree_unflatten(treedef, ["x", None])
    assert (type(back), back.rate, back.steps) == (Config, "x", None)


def test_map_over_several() -> None:
    assert tree_util.tree_map(lambda a, b: a + b, {"x": 1, "y": (2,)}, {"x": 10, "y": (20,)}) == {"x": 11, "y": (22,)}
    assert tree_util.tree_map(lambda a, b: a.rate + b, OrderedDict(k=Config(1, 2)), {"k": 5}, is_leaf=lambda x: isinstance(x, Config)) == OrderedDict(k=6)


def test_mismatch_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"."):
        tree_util.tree_map(lambda a, b: a, (1, 2), (1,))


def test_registered_classes() -> None:
    class Box:
        def __init__(self, inside: object, label: str) -> None:
            self.inside, self.label = inside, label

    tree_util.register_pytree_node(Box, lambda box: ((box.inside,), box.label), lambda label, children: Box(children[0], label))
    (back,) = tree_util.tree_map(lambda x: -x, (Box(3, "b"),))
    assert (back.inside, back.label) == (-3, "b")


def test_meta_fields() -> None:
    @dataclass
    class Point:
        x: float
        name: str

    tree_util.register_dataclass(Point, meta_fields=("name",))
    assert tree_util.tree_leaves(Point(1.0, "p")) == [1.0]
    assert tree_util.tree_structure(Point(1.0, "p")) != tree_util.tree_structure(Point(1.0, "q"))


def test_transpose_and_reduce() -> None:
    outer, inner = tree_util.tree_structure((0, 0)), tree_util.tree_structure({"a": 0})
    assert tree_util.tree_transpose(outer, inner, ({"a": 1}, {"a": 2})) == {"a": (1, 2)}
    assert tree_util.tree_reduce(lambda a, b: a + b, [1, (2, 3)]) == 6
    assert tree_util.tree_all([True, {"k": 1}])
