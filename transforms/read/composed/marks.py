"""What composed functions say to who reads them; called as they stand, they do what they say."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

import numpy as np

from s2s import registry
from s2s.errors import UnsupportedError
from s2s.shape_dtype import ShapeDtypeStruct
from s2s.tree_util import tree_map, tree_structure
from s2s.types import FLOAT0

F = TypeVar("F", bound=Callable[..., Any])
ANONYMOUS: set[Callable[..., Any]] = set()
"""The functions marked `anonymous`."""


def anonymous(function: F) -> F:
    """Mark a function whose variables name nothing in emitted code: a short formula, that stands there as if the user had written it out."""
    ANONYMOUS.add(function)
    return function


def unsupported(what: str, instead: str = "", why: str = "") -> NoReturn:
    """Refuse a call; while reading at the user's line."""
    raise UnsupportedError(f"{what} is not supported", instead=instead, why=why)


def surely(test: bool) -> bool:
    """Whether a test holds; while reading, whether it is known to: no, where only the run knows."""
    return test


def constant(x: Any) -> Any:
    """x, of which no derivative is taken."""
    return x


def ours(name: str) -> Any:
    """One of s2s's own transformations and makers of rules, which stand in a higher layer and announce themselves."""
    return registry.makers()[name]


def no_tangents(tree: Any) -> Any:
    """The tangents of what does not depend on anything: zeros; of integers none."""
    return tree_map(lambda leaf: np.zeros_like(leaf) if np.asarray(leaf).dtype.kind in "fc" else np.zeros(np.shape(leaf), FLOAT0), tree)


# ---- what s2s.lax checks -------------------------------------------------------------------------------------------------------


class Outputs:
    """What the branches of one cond or switch have given so far: `names` of the branches, `first` the number and type of the first one's."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        self.first: tuple[int, Any] | None = None


def outputs(*names: str) -> Outputs:
    """Where `output` notes what the branches give."""
    return Outputs(names)


def output(outputs: Outputs, number: int, value: Any) -> Any:
    """What a branch gives; while reading a TypeError if another branch gives another structure, shape or dtype."""
    del outputs, number
    return value


def carried(name: str, before: Any, after: Any) -> Any:
    """What a trip hands to the next one; while reading a TypeError if it has another structure, shape or dtype than what it was given."""
    del name, before
    return after


def predicate(name: str, value: Any) -> Any:
    """What decides; a TypeError unless it is one bool or number."""
    if np.shape(value):
        raise TypeError(f"{_PREDICATES[name]} must be a scalar, got an array of shape {np.shape(value)}.")
    return value


def number(name: str, value: Any) -> Any:
    """What counts; a TypeError unless it is one integer."""
    if np.shape(value) or np.asarray(value).dtype.kind not in "iub":
        raise TypeError(f"{name} needs integers, got {np.asarray(value).dtype} of shape {np.shape(value)}.")
    return int(value)


_PREDICATES = {"cond": "Pred", "while_loop": "cond_fun's result"}


def same_structure(name: str, expected_name: str, actual: Any, expected: Any) -> None:
    """TypeError unless what a function gave has this structure."""
    if tree_structure(actual) != tree_structure(expected):
        raise TypeError(STRUCTURE.format(name, expected_name, tree_structure(actual), tree_structure(expected)))


def with_aux(name: str, found: Any) -> None:
    """ValueError unless a function gave a pair."""
    if not (isinstance(found, tuple | list) and len(found) == 2):
        raise ValueError(AUX.format(name, tree_structure(found)))


STRUCTURE = "{}() output pytree structure must match {}, got {} and {}."
AUX = "{}() produced a pytree with structure {}, but a pytree tuple with auxiliary output was expected because has_aux was set to True."


def struct(shape: tuple[int, ...], dtype: Any) -> ShapeDtypeStruct:
    """What an array is like."""
    return ShapeDtypeStruct(shape, dtype)


def types_of(function: Callable[..., Any], *args: Any) -> Any:
    """What function(*args) is like; while reading it is not called for that."""
    given = (tree_map(lambda leaf: np.zeros(leaf.shape, leaf.dtype)[()] if isinstance(leaf, ShapeDtypeStruct) else leaf, arg) for arg in args)
    return tree_map(lambda leaf: struct(np.shape(leaf), np.asarray(leaf).dtype), function(*given))
