"""filter, takewhile, islice, …: where only the run knows which items they give, these are put into a list at once.

    sum(takewhile(lambda v: v < 1.0, x))          items = takewhile(f, x), a list that grows (`composed/lists.py`)

What Python makes one by one is made at the call: what it is made of may not change until it is gone through, nor may making it change something.
"""
from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable
from functools import cache
from typing import Any

from s2s.errors import UnknownSizeError, UnsupportedError
from s2s.transforms.read import made_of
from s2s.transforms.read.composed import lists_of_items
from s2s.transforms.read.iterations import Endless
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, IteratorRef

Rule = Callable[..., Abstract]
_LISTS: dict[str, tuple[Callable[..., Any], Any]] = {
    "builtins.filter": (lists_of_items.selected, filter(None, ())), "itertools.filterfalse": (lists_of_items.rejected, itertools.filterfalse(None, ())),
    "itertools.takewhile": (lists_of_items.takewhile, itertools.takewhile(bool, ())), "itertools.dropwhile": (lists_of_items.dropwhile, itertools.dropwhile(bool, ())),
    "itertools.compress": (lists_of_items.compress, itertools.compress((), ())), "itertools.repeat": (lists_of_items.repeat, itertools.repeat(0, 0)),
    "itertools.islice": (lists_of_items.islice, itertools.islice((), 0)), "itertools.chain": (lists_of_items.chain, itertools.chain()),
    "itertools.accumulate": (lists_of_items.accumulate, itertools.accumulate(())), "itertools.pairwise": (lists_of_items.pairwise, itertools.pairwise(())),
    "itertools.zip_longest": (lists_of_items.zip_longest, itertools.zip_longest(())),
    "itertools.combinations": (lists_of_items.combinations, itertools.combinations((), 2)), "itertools.permutations": (lists_of_items.permutations, itertools.permutations(())),
    "itertools.combinations_with_replacement": (lists_of_items.combinations_with_replacement, itertools.combinations_with_replacement((), 2)),
    "itertools.product": (lists_of_items.product, itertools.product()), "itertools.groupby": (lists_of_items.groupby, itertools.groupby(())),
}  # fmt: skip
"""Qualified name -> what makes a list of the items, and an iterator of the class."""
_MIXED = frozenset((lists_of_items.chain, lists_of_items.accumulate, lists_of_items.zip_longest))
"""Those whose items may be of several types, which lists of run-time length make one: where the call knows how many there are, it says so."""


def chosen(rules: dict[str, Rule]) -> dict[str, Rule]:
    """The rules of such functions, for items that only the run knows, too."""
    return {name: _either_way(rules[name], *each) for name, each in _LISTS.items()}


@cache
def _signature(source: Callable[..., Any]) -> inspect.Signature:
    return inspect.signature(source)


def _fits(source: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> bool:
    try:
        _signature(source).bind(*args, **kwargs)
    except TypeError:
        return False
    return True


def _either_way(rule: Rule, source: Callable[..., Any], example: Any) -> Rule:
    def made(reader: Reader, *args: Abstract, **kwargs: Abstract) -> Abstract:
        before = reader.checkpoint()
        try:
            with reader.alternative():
                found = rule(reader, *args, **kwargs)
                if not isinstance(found, IteratorRef | Endless):
                    reader.rules.iterate(found)
        except UnsupportedError as error:
            if source in _MIXED and isinstance(error, UnknownSizeError):
                raise
            if not _fits(source, args, kwargs) or any(isinstance(arg, Endless) or isinstance(arg, IteratorRef) and isinstance(arg.source, Endless) for arg in args):
                raise
        else:
            return found
        reader.rollback(before)
        seen = made_of.seen_by(reader, *args, *kwargs.values())
        with made_of.effects(reader) as changed:
            items = reader.rules.call(source, args, kwargs)
            items = items.source if isinstance(items, IteratorRef) else items
            return made_of.new_iterator(reader, items, example, seen, changed=changed())

    return made


__all__ = ["chosen"]
