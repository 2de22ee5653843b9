"""Containers: JAX's conventions."""
from __future__ import annotations

import dataclasses
from collections import OrderedDict
from dataclasses import dataclass
from typing import NamedTuple

import pytest

import s2s
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


def test_paths() -> None:
    tree = {"a": [1, Layer(2, None)], "c": Config(3, (4,))}
    pairs, treedef = tree_util.tree_flatten_with_path(tree)
    assert [(tree_util.keystr(path), leaf) for path, leaf in pairs] == [("['a'][0]", 1), ("['a'][1].weights", 2), ("['c'].rate", 3), ("['c'].steps[0]", 4)]
    assert treedef == tree_util.tree_structure(tree)
    assert tree_util.keystr(pairs[1][0], simple=True, separator="/") == "a/1/weights"
    assert tree_util.tree_leaves_with_path((5,)) == [((tree_util.SequenceKey(0),), 5)]
    assert tree_util.tree_map_with_path(lambda path, a, b: (len(path), a + b), (1, [2]), (10, [20])) == ((1, 11), [(2, 22)])


def test_classes_with_keys() -> None:
    @tree_util.register_pytree_with_keys_class
    class Point:
        def __init__(self, x: object, y: object) -> None:
            self.x, self.y = x, y

        def tree_flatten_with_keys(self):
            return ((tree_util.GetAttrKey("x"), self.x), (tree_util.GetAttrKey("y"), self.y)), None

        @classmethod
        def tree_unflatten(cls, data, children):
            del data
            return cls(*children)

    class Plain:
        def __init__(self, inside: object) -> None:
            self.inside = inside

    tree_util.register_pytree_node(Plain, lambda each: ((each.inside,), None), lambda data, children: Plain(*children))
    assert [tree_util.keystr(path) for path, _ in tree_util.tree_leaves_with_path([Point(1, (2,)), Plain(3)])] == ["[0].x", "[0].y[0]", "[1][<flat index 0>]"]
    assert tree_util.tree_map(lambda a: a + 1, Point(1, 2)).y == 3


def test_structures() -> None:
    treedef = tree_util.tree_structure((1, [2, 3]))
    assert [tree_util.treedef_is_leaf(child) for child in tree_util.treedef_children(treedef)] == [True, False]
    assert not tree_util.treedef_is_leaf(tree_util.tree_structure(None))
    assert tree_util.treedef_tuple([treedef, treedef]) == tree_util.tree_structure(((1, [2, 3]), (1, [2, 3])))
    assert tree_util.tree_broadcast({"a": 1, "b": 2}, {"a": [0, 0], "b": 0}) == {"a": [1, 1], "b": 2}
    assert tree_util.tree_transpose(tree_util.tree_structure((0, 0)), None, ([1, 2], [3, 4])) == [(1, 3), (2, 4)]
    assert tree_util.tree_reduce(lambda a, b: a + b, {"a": (1, 2)}, is_leaf=lambda x: isinstance(x, tuple)) == (1, 2)
    assert not tree_util.tree_all((True, [0]))


def test_partials_hold_leaves() -> None:
    partial = tree_util.Partial(pow, 2, mod=5)
    assert tree_util.tree_leaves(partial) == [2, 5]
    assert tree_util.tree_map(lambda a: a + 1, partial)(4) == pow(3, 4, 6)


def test_names_of_jax_tree() -> None:
    from s2s import tree  # noqa: PLC0415

    assert tree.map(lambda a: a + 1, {"a": 1}) == {"a": 2}
    assert tree.leaves(tree.unflatten(tree.structure((0, 0)), [1, 2])) == [1, 2]
    assert tree.reduce(max, (1, 3, 2)) == 3


def test_dataclasses_say_what_is_static():
    @tree_util.register_dataclass
    @dataclasses.dataclass
    class Layer:
        w: object
        power: int = dataclasses.field(default=2, metadata={"static": True})

    assert tree_util.tree_leaves(Layer(1.5, 3)) == [1.5]
    assert tree_util.tree_map(lambda leaf: 2 * leaf, Layer(1.5, 3)) == Layer(3.0, 3)
    with pytest.raises(ValueError, match="must include all dataclass fields with ``init=True`` and only them. Missing fields: {'power'}."):
        tree_util.register_dataclass(Layer, data_fields=["w"], meta_fields=[])
    with pytest.raises(ValueError, match="Unexpected fields: {'b'}."):
        tree_util.register_dataclass(Layer, data_fields=["w", "power", "b"], meta_fields=[])


@dataclasses.dataclass
class Named:
    x: object
    y: object
    name: str = "n"


tree_util.register_dataclass(Named, data_fields=["x", "y"], meta_fields=["name"])


def test_dataclasses_with_static_fields_are_carried():
    def steps(pair):
        return s2s.lax.fori_loop(0, 3, lambda i, c: Named(c.x * 2.0, c.y + c.x, c.name), pair)

    assert s2s.jit(steps, target="numpy")(Named(1.5, 2.0)) == Named(12.0, 12.5)
    assert s2s.grad(s2s.jit(lambda x: steps(Named(x, 2.0)).y, target="numpy"))(1.5) == 7.0
    with pytest.raises(TypeError, match="must have the same pytree structure"):
        s2s.jit(lambda p: s2s.lax.fori_loop(0, 3, lambda i, c: Named(c.x, c.y, "other"), p), target="numpy")(Named(1.5, 2.0))
