"""Many numbers of run time in a list, a tuple or a dict's keys: a loop through them may be one through an array of them."""
from __future__ import annotations

from s2s.transforms.read.flow.items import settled
from s2s.transforms.read.flow.selection import are_a_table, table_of
from s2s.transforms.read.iterations import Iteration, Later, Turn
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, View
from s2s.types import Var, size_literal

FEW = 8
"""Items of which a loop through them is read trip by trip, whatever its trips make."""


def are_many_numbers(reader: Reader, given: tuple[Abstract, ...]) -> bool:
    """Whether they are more than a few, of one type or tuples of such, and some are known only to the run."""
    if len(given) <= FEW or not all(map(_is_at_hand, given)):
        return False
    items = [settled(reader, item) for item in given]
    return are_a_table(items) and any(isinstance(each, Var) for item in items for each in (item if isinstance(item, tuple) else (item,)))


def _is_at_hand(item: Abstract) -> bool:
    """Whether an item is asked for without an equation."""
    if type(item) is tuple:
        return all(map(_is_at_hand, item))
    return not isinstance(item, Turn) and not (isinstance(item, Later) and isinstance(item.container, View))


def through_array(reader: Reader, given: tuple[Abstract, ...]) -> Iteration | None:
    """The way through an array of such items; None where no array holds them."""
    items = [settled(reader, item) for item in given]
    return Iteration(None, size_literal(0), size_literal(len(items)), size_literal(1), table_of(reader, items)) if are_a_table(items) else None


__all__ = ["are_many_numbers", "through_array"]
