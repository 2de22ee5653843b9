"""A program whose results are of different kinds on different paths, as one that raises where they are of another kind than the one that has numbers.

A call gives back whichever it is (`staged.Picked`). A derivative, a batch or a shape is of one kind.
"""
from __future__ import annotations

from typing import Any

from s2s import tree_util
from s2s.errors import UnsupportedError
from s2s.records import replace
from s2s.transforms.ir.staged import Picked, Result, Staged
from s2s.transforms.primitives.arithmetic import equal
from s2s.transforms.primitives.operators import new_builder
from s2s.types import size_literal


def of_one_kind(staged: Staged) -> Staged:
    """The program with results of the one kind that has numbers.

    Raises
    ------
    UnsupportedError
        If several kinds have numbers.
    """
    parts, treedef = tree_util.tree_flatten(staged.result, is_leaf=lambda node: isinstance(node, Picked))
    if not any(isinstance(part, Picked) for part in parts):
        return staged
    body, builder = staged.function.body, new_builder()
    builder.where = staged.function.where
    builder.nodes += body.nodes
    chosen = [_chosen(staged, part) if isinstance(part, Picked) else None for part in parts]
    for part, number in zip(parts, chosen, strict=True):
        if number is not None:
            (is_it,) = builder.equation(equal, (body.results[part.place.number], size_literal(number)), name="is_it")
            builder.check(is_it, "NotImplementedError", f"the function returns {_words(part, number)} here, and a number or array otherwise")
    result = tree_util.tree_unflatten(treedef, [part if number is None else part.options[number] for part, number in zip(parts, chosen, strict=True)])
    return replace(staged, function=replace(staged.function, body=builder.block(*body.results)), result=result)


def _chosen(staged: Staged, part: Picked) -> int:
    """Which option has numbers."""
    found = [number for number, option in enumerate(part.options) if any(isinstance(leaf, Result) for leaf in tree_util.tree_leaves(option))]
    if len(found) != 1:
        raise UnsupportedError(
            "a function whose result is of one kind on some paths and of another one on others, transformed", where=staged.function.where,
            why="only a call can give back either", instead="return arrays or numbers of one structure on all paths",
        )  # fmt: skip
    return found[0]


def _words(part: Picked, number: int) -> str:
    others: list[Any] = [option for place, option in enumerate(part.options) if place != number]
    return " or ".join(dict.fromkeys(repr(option) for option in others)).replace("{", "{{").replace("}", "}}")
