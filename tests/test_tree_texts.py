"""What the functions of tree_util say of containers that do not fit: JAX 0.10.2's words, stored, and live where it is installed."""
from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2s


@dataclasses.dataclass
class Two:
    a: Any = 0
    b: Any = 0


def duplicate(jax: Any) -> Any:
    class Own:
        """Registered twice."""

    for _ in range(2):
        jax.tree_util.register_pytree_node(Own, lambda own: ((), None), lambda _, children: Own())


CONDITIONS: dict[str, tuple[Callable[[Any], Any], type[Exception], str]] = {
    "too few": (lambda jax: jax.tree.unflatten(jax.tree.structure((1, 2)), [1]), ValueError, "Too few leaves for PyTreeDef; expected 2, got 1"),
    "too many": (lambda jax: jax.tree.unflatten(jax.tree.structure((1, 2)), iter([1, 2, 3])), ValueError, "Too many leaves for PyTreeDef; expected 2."),
    "lengths": (
        lambda jax: jax.tree.map(lambda a, b: a, (1, 2), (1, 2, 3)), ValueError,
        "pytree structure error: different lengths of tuple at key path\n    tree_map tree\nAt that key path, the prefix pytree tree_map tree has a subtree of type tuple of length 2, "
        "but the full pytree has a subtree of the same type but of length 3.",
    ),
    "keys": (
        lambda jax: jax.tree.map(lambda a, b: a, [{"a": 1}], [{"b": 1}]), ValueError,
        "pytree structure error: different pytree metadata at key path\n    tree_map tree[0]\nAt that key path, the prefix pytree tree_map tree has a subtree of type\n    <class 'dict'>\n"
        "with metadata\n    ('a',)\nbut at the same key path the full pytree has a subtree of the same type but with metadata\n    ('b',)\n"
        "so the diff in the metadata at these pytree nodes is\n    - ('a',)\n    ?   ^\n\n    + ('b',)\n    ?   ^\n",
    ),
    "more keys": (
        lambda jax: jax.tree.map(lambda a, b: a, {"a": 1}, {"a": 1, "b": 1}), ValueError,
        "pytree structure error: different numbers of pytree children at key path\n    tree_map tree\nAt that key path, the prefix pytree tree_map tree has a subtree of type\n"
        "    <class 'dict'>\nwith 1 child keys\n    a\nbut at the same key path the full pytree has a subtree of the same type but with 2 child keys\n    a b\n"
        "so the symmetric difference on key sets is\n    b",
    ),
    "types": (
        lambda jax: jax.tree.map(lambda a, b: a, (1, (2,)), (1, 3)), ValueError,
        "pytree structure error: different types at key path\n    tree_map tree[1]\nAt that key path, the prefix pytree tree_map tree has a subtree of type\n    <class 'tuple'>\n"
        "but at the same key path the full pytree has a subtree of different type\n    <class 'int'>.",
    ),
    "broadcast": (
        lambda jax: jax.tree.broadcast((1, 2), (1, 2, 3)), ValueError,
        "pytree structure error: different lengths of tuple at key path\n    broadcast_prefix prefix_tree\nAt that key path, the prefix pytree broadcast_prefix prefix_tree has a subtree of "
        "type tuple of length 2, but the full pytree has a subtree of the same type but of length 3.",
    ),
    "no identity": (lambda jax: jax.tree.reduce_associative(max, []), TypeError, "Must specify identity for parallel reduction of empty sequence."),
    "leaf": (lambda jax: jax.tree_util.flatten_one_level(1.0), ValueError, "can't tree-flatten type: <class 'float'>"),
    "unexpected field": (
        lambda jax: jax.tree_util.register_dataclass(Two, ["a", "b", "c"], []), ValueError,
        "data_fields and meta_fields must include all dataclass fields with ``init=True`` and only them. Unexpected fields: {'c'}.",
    ),
    "missing field": (
        lambda jax: jax.tree_util.register_dataclass(Two, ["a"], []), ValueError,
        "data_fields and meta_fields must include all dataclass fields with ``init=True`` and only them. Missing fields: {'b'}. Add them to drop_fields to suppress this error.",
    ),
}


def said(condition: Callable[[Any], Any], jax: Any) -> tuple[type, str]:
    with pytest.raises((TypeError, ValueError)) as caught:
        condition(jax)
    return caught.type, str(caught.value)


@pytest.mark.parametrize("name", CONDITIONS)
def test_words_are_jax_s(name: str) -> None:
    condition, kind, text = CONDITIONS[name]
    assert said(condition, s2s) == (kind, text)


def test_stored_words_are_those_of_the_installed_jax() -> None:
    jax = pytest.importorskip("jax")
    for condition, kind, text in CONDITIONS.values():
        if condition is not CONDITIONS["leaf"][0]:  # jax.tree_util does not export it everywhere
            found, words = said(condition, jax)
            assert (found, re.sub(r"\['(\w+)'\]", r"\1", words)) == (kind, re.sub(r"\['(\w+)'\]", r"\1", text))  # of keys: since JAX 0.11 with brackets


def test_structures_that_are_no_transposed_ones() -> None:
    outer, inner = s2s.tree.structure([0, 0]), s2s.tree.structure((0, 0))
    kind, text = said(lambda jax: jax.tree.transpose(outer, inner, [(1, 2)]), s2s)
    assert kind is TypeError
    assert text.replace("Spec", "Def") == "Mismatch\nPyTreeDef([(*, *)])\n != \nPyTreeDef([(*, *), (*, *)])"


def test_classes_are_registered_once() -> None:
    kind, text = said(duplicate, s2s)
    assert kind is ValueError
    assert text.startswith("Duplicate custom PyTreeDef type registration for <class ")


def test_the_same_words_inside_of_functions_that_are_read() -> None:
    def summed(x: Any) -> Any:
        return s2s.tree.map(lambda a, b: a + b, {"u": (x, x)}, {"u": (x, x, x)})

    with pytest.raises(ValueError, match=r"different lengths of tuple at key path\n    tree_map tree\['u'\]\nAt that key path"):
        s2s.jit(summed, target="numpy")(np.ones(2))
    with pytest.raises(ValueError, match="has a subtree of type\n    <class 'tuple'>\nbut at the same key path the full pytree has a subtree of different type\n    pytree leaf"):
        s2s.jit(lambda x: s2s.tree.map(lambda a, b: a, ((x,),), (x,)), target="numpy")(1.0)
    with pytest.raises(TypeError, match="Mismatch"):
        s2s.jit(lambda x: s2s.tree.transpose(s2s.tree.structure([0, 0]), s2s.tree.structure((0, 0)), [(x, x)]), target="numpy")(1.0)


def test_is_leaf_may_take_paths() -> None:
    tree = {"a": [1, 2], "b": (3, None)}
    keys = s2s.tree_util
    assert keys.tree_map_with_path(lambda path, leaf: len(path), tree, is_leaf=lambda path, part: len(path) == 1, is_leaf_takes_path=True) == {"a": 1, "b": 1}
    found = keys.tree_leaves_with_path(tree, lambda path, part: part is None or keys.keystr(path) == "['a']", True)
    assert [(keys.keystr(path), leaf) for path, leaf in found] == [("['a']", [1, 2]), ("['b'][0]", 3), ("['b'][1]", None)]
    nested = [Two(1, [2, 3]), 4]
    found = keys.tree_flatten_with_path(nested, lambda path, part: len(path) == 2, is_leaf_takes_path=True)[0]
    assert [leaf for _, leaf in found] == [1, [2, 3], 4]
    with pytest.raises(s2s.UnsupportedError, match="is_leaf_takes_path"):
        s2s.jit(lambda x: keys.tree_map_with_path(lambda path, leaf: leaf, {"a": x}, is_leaf=lambda path, part: False, is_leaf_takes_path=True), target="numpy")(1.0)


def test_nodes_taken_apart_once() -> None:
    keys = s2s.tree_util
    assert keys.flatten_one_level_with_keys(Two(1, [2])) == (((keys.GetAttrKey("a"), 1), (keys.GetAttrKey("b"), [2])), None)
    assert [keys.is_tree_node(kind) for kind in (tuple, list, dict, type(None), Two, int, np.ndarray)] == [True] * 5 + [False] * 2
