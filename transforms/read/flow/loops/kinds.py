"""What a loop carries of values that are one of several kinds (`options.OneOf`), from trip to trip.

    best = None                   carried: best_kind (0: None, 1: a number), best
    for v in x:
        if best is None or v > best:
            best = v
"""
from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from s2s.transforms.read.flow.options import alike, alternatives, are_same_kind, is_copy, is_option, place_among, union
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import load
from s2s.transforms.read.storage.visibility import Path
from s2s.transforms.read.values import Abstract, DictRef, ListRef, MadeError, Missing, ObjectRef, Packed, Ref, Text, View
from s2s.types import Array, Atom, size_literal


def _containers(value: Abstract) -> Iterator[Ref]:
    """The containers that a value may be, or that it holds as a tuple."""
    for each in alternatives(value):
        if isinstance(each, DictRef | ListRef | ObjectRef):
            yield each
        elif isinstance(each, tuple) and not isinstance(each, Packed):
            for item in each:
                yield from _containers(item)


class Kinds:
    """The kinds of value that were found at each path so far: known values, and examples of those that are carried."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.found: dict[Path, tuple[Abstract, ...]] = {}
        self.types: list[tuple[View, Array]] = []
        """Of the arrays among the examples: the trips that made them are over."""

        self.contents: dict[Abstract, Any] = {}
        """Of the lists among them."""

    def can_stand(self, path: Path, head: Abstract, end: Abstract, refs: tuple[Any, ...]) -> bool:
        """Whether what is `head` at the start of a trip and `end` at its end can be carried; `refs`: the containers of before the loop."""
        values = (end,) if path in self.found else (head, end)
        known = set(refs)  # containers are compared by identity
        fixed = all(each in known or is_copy(each) for value in values for each in _containers(value))
        made_of_numbers = any(isinstance(each, Text | MadeError) for value in values for each in alternatives(value))  # of a trip, which is over
        return fixed and not made_of_numbers and all(is_option(self.reader, value) for value in values)

    def add(self, path: Path, value: Abstract) -> None:
        """One more kind."""
        self.found[path] = (*self.found[path], value)
        self._note_types(value)

    def _note_types(self, value: Abstract) -> None:
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, tuple):
                self._note_types(each)
            elif is_copy(each):
                self.contents[each] = self.reader.heap[each]
            elif isinstance(each, View):
                self.types.append((each, load(self.reader, each).type))

    def beside(self, path: Path, value: Abstract) -> tuple[list[tuple[Any, Any]], list[int]]:
        """The kinds at a path with those of a value beside them, and where these stand."""
        slots, _, places = union(self.found[path], alternatives(value), self._alike)
        return slots, places

    def _alike(self, a: Abstract, b: Abstract) -> bool:
        return alike(a, b, partial(are_same_kind, self.reader, noted=self.contents), self._type, self._type)

    def _type(self, view: View) -> Array:
        noted = next((type_ for each, type_ in self.types if each is view), None)
        return load(self.reader, view).type if noted is None else noted

    def place(self, path: Path, value: Abstract) -> Atom:
        """Of which kind a value is; any where there is none yet."""
        if isinstance(value, Missing):
            return size_literal(0)
        return place_among(self.reader, value, self.beside(path, value)[1])

    def option(self, path: Path, value: Abstract, number: int, otherwise: Missing) -> Abstract:
        """What of a value is of this kind: nothing, often."""
        places = self.beside(path, value)[1]
        return alternatives(value)[places.index(number)] if number in places else otherwise
