"""What loops of lax carry, where they run as plain Python: a TypeError in JAX's words for a trip that changes its structure or types."""
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError
from s2s.tree_keys import key_paths, keystr
from s2s.tree_util import tree_flatten
from s2s.types import Array

_NUMBERS = (bool, int, float, complex)


def keeping(loop: str, body: Any, place: int) -> Any:
    """`body` whose result is checked against its parameter `place`, the carry."""
    if not callable(body):
        return body

    @functools.wraps(body, updated=())
    def checked(*args: Any) -> Any:
        after = body(*args)
        check_carried(loop, body, place, args[place], after)
        return after

    return checked


def check_carried(loop: str, body: Callable[..., Any], place: int, before: Any, after: Any) -> None:
    """TypeError unless a trip gives what it was given: the same structure, shapes and dtypes. Python's numbers take the other's dtype."""
    (one, wanted), (two, found) = tree_flatten(before), tree_flatten(after)
    if wanted == found and all(map(_agree, one, two)):
        return
    from s2s.transforms.read.calls import lax_words  # with libcst: only errors need it

    name = lax_words.parameter_of(body, place)
    if wanted != found:
        raise ArgumentTypeError(lax_words.carry_trees(loop, name, wanted, found))
    differing = [(keystr(path), _type(each), _type(other)) for path, each, other in zip(key_paths(wanted), one, two, strict=True) if not _agree(each, other)]
    raise ArgumentTypeError(lax_words.carry_types(loop, name, differing))


def _agree(one: Any, two: Any) -> bool:
    if np.shape(one) != np.shape(two):
        return False
    weak = type(one) in _NUMBERS or type(two) in _NUMBERS
    kinds = "biufc"
    return weak or (first := np.asarray(one).dtype) == (second := np.asarray(two).dtype) or first.kind not in kinds or second.kind not in kinds


def _type(leaf: Any) -> Array:
    return Array(np.asarray(leaf).dtype, np.shape(leaf))


__all__ = ["check_carried", "keeping"]
