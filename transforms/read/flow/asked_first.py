"""Comprehensions through iterators of the user's own: all their items are asked for before the first is looked at, where neither can tell.

    it = Through(x)
    [v * 2.0 for v in it]                a list of the items, and a comprehension through that
    [v - next(it, 0.0) for v in it]      what makes an item takes from `it`, too: read again as the loop that it stands for
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from s2s.transforms.read import made_of
from s2s.transforms.read.failures import TakenByTurns
from s2s.transforms.read.flow.own_iterators import all_of
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract

_T = TypeVar("_T")


def asked_first(reader: Reader, node: Any, iterator: Abstract, read: Callable[[Abstract], _T]) -> _T:
    """What is read of all that is left of the iterator; it is a failure to be read again as a loop if that and `read` change what the other depends on."""
    of_elements = made_of.seen_in(reader, node, positions=True)
    items = all_of(reader, iterator)
    if made_of.has_changed(reader, of_elements):
        raise _to_be_a_loop(reader, node)
    of_items = made_of.seen_by(reader, iterator, positions=True)
    found = read(items)
    if made_of.has_changed(reader, of_items):
        raise _to_be_a_loop(reader, node)
    return found


def _to_be_a_loop(reader: Reader, node: Any) -> TakenByTurns:
    words = "a comprehension through an iterator whose items depend on what the comprehension changes, or change what it reads"
    return TakenByTurns(reader.unsupported(words, "a for loop that puts them in"), frozenset((reader.where(node),)))


__all__ = ["asked_first"]
