"""What a function of the user's returned, as the results of its program: each result by its number."""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s import tree_nodes
from s2s.codegen.modules.trees import children, kind_of
from s2s.transforms.ir.staged import Cut, Result, Rows


def results_in(tree: Any, value: Any) -> dict[int, Any]:
    """The numbers, arrays and lists in a value that was returned, by the number of the result that they are in the tree of results."""
    found: dict[int, Any] = {}
    _find(tree, value, found)
    return found


def _find(tree: Any, value: Any, found: dict[int, Any]) -> None:
    match kind_of(tree):
        case "leaf":
            if isinstance(tree, Result):
                found.setdefault(tree.number, value)
        case "rows":
            for column, held in zip(tree.columns, _columns(tree, value), strict=True):
                _find(column, held, found)
        case "cut":
            _find_cut(tree, value, found)
        case "node":
            for part, held in zip(tree_nodes.parts_of(tree)[0], tree_nodes.parts_of(value)[0], strict=True):
                _find(part, held, found)
        case "called":
            values = (tuple(value),) if isinstance(value, frozenset) else (value.start, value.stop, value.step)
            for (_, part), each in zip(children(tree), values, strict=False):  # an empty frozenset has no parts
                _find(part, each, found)
        case "tuple" | "named" | "list" | "dict":
            for number, (key, part) in enumerate(children(tree)):
                _find(part, value[key] if isinstance(value, dict) else value[number], found)
        case "dataclass" | "made":
            for name, part in children(tree):
                _find(part, getattr(value, name), found)


def _columns(tree: Rows, value: Any) -> list[list[Any]]:
    """What the items of a list, set or dict hold, place by place."""
    columns: list[list[Any]] = [[] for _ in tree.columns]
    for item in value.items() if isinstance(value, dict) else value:
        for number, held in results_in(tree.item.tree, item).items():
            columns[number].append(held)
    return columns


def _find_cut(tree: Cut, value: Any, found: dict[int, Any]) -> None:
    counts = [each.size if tree.kind is np.ndarray else len(each) for each in value]
    ends = [sum(counts[: number + 1]) for number in range(len(value))]
    if tree.kind is np.ndarray:
        _find(tree.items, np.concatenate([each.ravel() for each in value]) if value else np.zeros(0), found)
    else:
        _find(tree.items, [item for each in value for item in (each.items() if isinstance(each, dict) else each)], found)
    _find(tree.starts, [end - count for end, count in zip(ends, counts, strict=True)], found)
    _find(tree.ends, ends, found)
    for axis, sizes in enumerate(tree.sizes):
        _find(sizes, [each.shape[axis] for each in value], found)


__all__ = ["results_in"]
