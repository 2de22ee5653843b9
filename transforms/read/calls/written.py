"""Functions of Python's own modules that are read as if the user had written them (`composed/searching.py`)."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s.transforms.read.composed import searching
from s2s.transforms.read.names import within
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract


def _written(function: Callable[..., Any]) -> Callable[..., Abstract]:
    def rule(reader: Reader, *args: Abstract, **kwargs: Abstract) -> Abstract:
        return reader.rules.call(function, args, kwargs)

    return rule


WRITTEN: dict[str, Callable[..., Abstract]] = {
    **within(
        "bisect", bisect=_written(searching.bisect_right), bisect_left=_written(searching.bisect_left), bisect_right=_written(searching.bisect_right),
        insort=_written(searching.insort_right), insort_left=_written(searching.insort_left), insort_right=_written(searching.insort_right),
    ),
    **within("operator", attrgetter=_written(searching.attrgetter), itemgetter=_written(searching.itemgetter), methodcaller=_written(searching.methodcaller)),
}  # fmt: skip
"""Qualified name -> rule(reader, *args)."""

__all__ = ["WRITTEN"]
