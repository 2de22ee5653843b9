"""What a list of the pools does by a plain list of its own items: its operators that change nothing. Read like a user's own."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations


class ByCopies:  # noqa: PLW1641 - as a list it has no hash
    """A subclass says what `copy` gives: a list of the same items."""

    def __contains__(self, value):
        return value in self.copy()

    def __eq__(self, other):
        return self.copy() == plain(other)

    def __ne__(self, other):
        return self.copy() != plain(other)

    def __lt__(self, other):
        return self.copy() < plain(other)

    def __le__(self, other):
        return self.copy() <= plain(other)

    def __gt__(self, other):
        return self.copy() > plain(other)

    def __ge__(self, other):
        return self.copy() >= plain(other)

    def __add__(self, other):
        return self.copy() + plain(other)

    def __radd__(self, other):
        return plain(other) + self.copy()

    def __mul__(self, count):
        return self.copy() * count

    __rmul__ = __mul__

    def index(self, value, *bounds):
        """list.index."""
        return self.copy().index(value, *bounds)

    def count(self, value):
        """list.count."""
        return self.copy().count(value)


def plain(values):
    """A list as one of its own; anything else as it is."""
    return values.copy() if isinstance(values, list) else values


__all__ = ["ByCopies", "plain"]
