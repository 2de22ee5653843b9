"""filter, takewhile, islice, …: where only the run knows which items they give, these are put into a list at once.

    sum(takewhile(lambda v: v < 1.0, x))          items = takewhile(f, x), a list that grows (`composed/lists.py`)

What Python makes one by one is made at the call: what it is made of may not change until it is gone through, nor may making it change something.
"""
from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from s2s.errors import S2SError
from s2s.transforms.read import made_of
from s2s.transforms.read.composed import lists
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, Endless, IteratorRef

Rule = Callable[..., Abstract]
_LISTS: dict[str, tuple[Callable[..., Any], Any]] = {
    "builtins.filter": (lists.selected, filter(None, ())), "itertools.filterfalse": (lists.rejected, itertools.filterfalse(None, ())),
    "itertools.takewhile": (lists.takewhile, itertools.takewhile(bool, ())), "itertools.dropwhile": (lists.dropwhile, itertools.dropwhile(bool, ())),
    "itertools.compress": (lists.compress, itertools.compress((), ())), "itertools.repeat": (lists.repeat, itertools.repeat(0, 0)),
    "itertools.islice": (lists.islice, itertools.islice((), 0)),
}  # fmt: skip
"""Qualified name -> what makes a list of the items, and an iterator of the class."""


def chosen(rules: dict[str, Rule]) -> dict[str, Rule]:
    """The rules of such functions, for items that only the run knows, too."""
    return {name: _either_way(rules[name], *each) for name, each in _LISTS.items()}


def _either_way(rule: Rule, source: Callable[..., Any], example: Any) -> Rule:
    def made(reader: Reader, *args: Abstract, **kwargs: Abstract) -> Abstract:
        before = reader.checkpoint()
        try:
            found = rule(reader, *args, **kwargs)
            if not isinstance(found, IteratorRef | Endless):
                reader.rules.iterate(found)
        except S2SError:
            if kwargs or len(args) != 2 or any(isinstance(arg, Endless) or isinstance(arg, IteratorRef) and isinstance(arg.source, Endless) for arg in args):
                raise
        else:
            return found
        reader.rollback(before)
        seen = made_of.seen_by(reader, *args)
        with made_of.effects(reader) as changed:
            items = reader.rules.call(source, args)
            return made_of.new_iterator(reader, items, example, seen, effects=changed())

    return made


__all__ = ["chosen"]
