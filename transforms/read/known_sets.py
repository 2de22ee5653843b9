"""Sets of known items: in CPython's order, which follows from all that went in and out, in turn.

    s = {5, 9}; s.add(17); s.discard(9)     SetItems {17: None, 5: None}, begun as {5, 9}, changed by add(17) and discard(9)
"""
from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

Change = tuple[str, tuple[Any, ...]]


class SetItems(dict[Any, None]):
    """The items of a set, in its order. `begun` makes the set anew as it was at first, `changes` are the methods called of it since, with what they were given."""

    begun: Callable[[], set[Any]]
    changes: tuple[Change, ...]
    outside: set[Any] | None
    """The set itself, of one that lives outside of the function."""

    def __init__(self, begun: Callable[[], set[Any]], changes: tuple[Change, ...] = (), *, outside: set[Any] | None = None) -> None:
        self.begun, self.changes, self.outside = begun, changes, outside
        super().__init__(dict.fromkeys(self.itself()))

    def itself(self) -> set[Any]:
        """The set, of which items are asked, but which nobody changes."""
        return self.as_set() if self.outside is None else self.outside

    def as_set(self) -> set[Any]:
        """A new set whose items stand as in Python's: what is done with it goes as there."""
        found = self.begun()
        for name, args in self.changes:
            getattr(found, name)(*args)
        return found

    def changed(self, name: str, args: tuple[Any, ...]) -> SetItems:
        """The set after this method's call."""
        return SetItems(self.begun, (*self.changes, (name, args)))


def of_items(items: Iterable[Any]) -> SetItems:
    """A set into which items are put one after the other."""
    given = tuple(items)
    return SetItems(lambda: set(given))


def as_set(content: dict[Any, Any]) -> set[Any]:
    """The set that a heap holds, as a new one."""
    return content.as_set() if isinstance(content, SetItems) else set(iter(content))


def itself(content: dict[Any, Any]) -> set[Any]:
    """The set that a heap holds, which nobody may change."""
    return content.itself() if isinstance(content, SetItems) else as_set(content)


def stand_alike(one: Any, other: Any) -> bool:
    """Whether two sets of the same items have them at the same places, whatever comes next: that is known of those from which nothing was taken."""
    if one is other:
        return True
    if list(one) != list(other):
        return False
    changes = [change for each in (one, other) if isinstance(each, SetItems) for change in each.changes]
    return all(name in ("add", "update") for name, _ in changes) and as_set(one).__sizeof__() == as_set(other).__sizeof__()


__all__ = ["SetItems", "as_set", "itself", "of_items", "stand_alike"]
