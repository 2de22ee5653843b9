"""What users' functions store into of what they are handed, by their text alone: a guess, which nothing but the number of readings depends on.

    def fill(q, at):            fill(B, 0): B
        q[at] = 0.0

    def both(a, b):             both(C, D): C, by way of `fill`
        fill(a, 0)
"""
from __future__ import annotations

from collections.abc import Iterable
from types import CodeType, FunctionType
from typing import Any

import libcst as cst

from s2s.errors import SourceError
from s2s.transforms.read.calls.hidden import is_library
from s2s.transforms.read.syntax.changes import Handed, changes_of
from s2s.transforms.read.syntax.scope import NONE, Names
from s2s.transforms.read.syntax.source import tree_of


def stored_where_handed(caller: FunctionType, handed: Iterable[Handed], above: frozenset[CodeType] = frozenset()) -> Names:
    """The names of those into whose arrays a function stores that the caller hands them to. `above`: what is being looked at, in functions that call themselves."""
    stored = set()
    for each in handed:
        callee = _outside(caller, each.to)
        if isinstance(callee, FunctionType) and callee.__code__ not in above and not is_library(callee.__module__) and each.parameter in _parameters_stored(callee, above):
            stored.add(each.name)
    return frozenset(stored)


def _parameters_stored(function: FunctionType, above: frozenset[CodeType]) -> frozenset[int | str]:
    """The parameters into whose arrays a function stores, each by its place and by its name."""
    try:
        node = tree_of(function).node
    except SourceError:
        return frozenset()
    if not isinstance(node, cst.FunctionDef):
        return frozenset()
    changes = changes_of(node)
    by_others = stored_where_handed(function, changes.handed, above | {function.__code__}) if changes.handed else NONE
    params = [param.name.value for param in (*node.params.posonly_params, *node.params.params)]
    stored = changes.stored | by_others
    return frozenset(place for place, name in enumerate(params) if name in stored) | stored


def _outside(function: FunctionType, name: str) -> Any:
    """What a function's closure or globals hold of the name, or None."""
    if name in function.__code__.co_freevars and function.__closure__ is not None:
        cell = function.__closure__[function.__code__.co_freevars.index(name)]
        try:
            return cell.cell_contents
        except ValueError:  # not bound yet
            return None
    return function.__globals__.get(name)
