"""Emitted lines: what they remember of the user's source, and how they are laid out."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from s2s.errors import Location
from s2s.records import dataclass

WIDTH = 120


Spots = tuple[tuple[str, Location], ...]
"""Texts of parts of a line that stem from other code of the user's than the line."""


@dataclass(frozen=True)
class Place:
    """Where in the user's source an emitted line stems from. `stretch`: it raises because sizes must be known (`Check.stretch`).
    `parts`: (first byte, end) of parts of the line -> where those stem from. `raises`: it is a raise statement, whose message says all; `examples`: the
    indices of the loops over the examples of batches in which it stands.
    """

    where: Location
    stretch: bool
    parts: tuple[tuple[int, int, Location], ...]
    raises: bool = False
    examples: tuple[str, ...] = ()

    def of(self, start: int, end: int) -> Location:
        """Where what stands at these bytes of the line stems from."""
        around = [(last - first, where) for first, last, where in self.parts if first <= start and end <= last]
        return min(around, key=lambda part: part[0])[1] if around else self.where


class Line(str):
    """A line of emitted text that remembers the user's code it stems from; `raises`: it is a raise statement, `stretch`, `examples`: as in `Place`.
    What is made from it (`line + ""`) is plain text.
    """

    __slots__ = ("examples", "raises", "spots", "stretch", "where")
    where: Location
    spots: Spots
    raises: bool
    stretch: bool
    examples: tuple[str, ...]

    def __new__(cls, text: str, where: Location, *, raises: bool = False, stretch: bool = False, spots: Spots = (), examples: tuple[str, ...] = ()) -> Self:
        line = super().__new__(cls, text)
        line.where, line.spots, line.raises, line.stretch, line.examples = where, spots, raises, stretch, examples
        return line

    def place(self) -> Place:
        """The line's place. A part that stands in it twice has none of its own."""
        found = [(self.index(text), text, where) for text, where in dict(self.spots).items() if self.count(text) == 1]
        before = [(len(self[:start].encode()), text, where) for start, text, where in found]
        parts = tuple((start, start + len(text.encode()), where) for start, text, where in before)
        return Place(self.where, self.stretch, parts, self.raises, self.examples)


def same_place(text: str, line: str) -> str:
    """The text as a line that stems from what another one does."""
    return Line(text, line.where, spots=line.spots, examples=line.examples) if isinstance(line, Line) else text


def separated(parts: Iterable[Iterable[str]]) -> list[str]:
    """The lines of several definitions, with two blank lines between one and the next."""
    lines: list[str] = []
    for part in map(list, parts):
        while part and not part[-1].strip():
            part.pop()
        while part and not part[0].strip():
            del part[0]
        if part:
            lines += [*(["", ""] if lines else []), *part]
    return lines


def fold(prefix: str, items: list[str], suffix: str, indent: str = "    ") -> list[str]:
    """`prefix item, item, … suffix` on one line where it fits, else the items on lines of their own, filled to WIDTH."""
    line = f"{indent}{prefix}{', '.join(items)}{suffix}"
    if len(line) <= WIDTH or not items:
        return [line]
    lines, current = [f"{indent}{prefix}"], indent + "    "
    for item in items:
        if len(current) + len(item) + 1 > WIDTH and current.strip():
            lines.append(current.rstrip())
            current = indent + "    "
        current += item + ", "
    return [*lines, current.rstrip(), f"{indent}{suffix}"]
