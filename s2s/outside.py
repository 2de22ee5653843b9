"""Where a value outside of the user's function is found, and what a program was built on: light, since each call looks at it."""
from __future__ import annotations

from types import CellType
from typing import Any

from s2s.records import dataclass

OF_NAMED_TUPLES = "namedtuple_"
"""How the name of the module begins in which a NamedTuple's own `__new__` is written."""

CONTENT = "cell_contents"
"""What a cell, in which a function keeps a variable of the function around it, holds."""


class Itself:
    """An object at the start of an access path: the same as itself only, whatever its class says about `==` and hash()."""

    def __init__(self, value: Any) -> None:
        self.object = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Itself) and self.object is other.object

    def __hash__(self) -> int:
        return id(self.object)

    def __str__(self) -> str:
        return f"a {type(self.object).__name__}"


@dataclass(frozen=True)
class Access:
    """Where a hidden value is found: steps from the user's function, for example
    (("global", "layer"), ("closure", "rate"), ("attribute", "scale"), ("item", 0)). ("object", f) starts at f itself
    (a static argument); ("has", name) is whether there is such an attribute; ("length", None) and ("keys", None) are the extent of a container, which guards look at.
    """

    steps: tuple[tuple[str, Any], ...]

    def __str__(self) -> str:
        text = ""
        for kind, key in self.steps:
            text += f"{'.' if text else ''}{key}" if kind == "attribute" else f"[{key!r}]" if kind == "item" else f"{'.' if text else ''}{key}"
        return text


@dataclass(frozen=True, eq=False)
class Place:
    """Where a call stores what the user's function stores outside: an attribute of an object, an item of a container or of a module's names, a variable of a function around (its cell)."""

    owner: Any
    key: Any
    is_attribute: bool

    def __str__(self) -> str:
        if isinstance(self.owner, CellType):
            return "a variable of a function around"
        if self.is_attribute:
            return f"the attribute .{self.key} of {f'the class {self.owner.__name__}' if isinstance(self.owner, type) else f'a {type(self.owner).__name__}'}"
        return f"the global {self.key}" if isinstance(self.owner, dict) and "__builtins__" in self.owner else f"[{self.key!r}] of a {type(self.owner).__name__} outside"

    def store(self, value: Any) -> None:
        """What the statement did, without the class's say: that was read."""
        if self.is_attribute:
            (type if isinstance(self.owner, type) else object).__setattr__(self.owner, self.key, value)
        elif isinstance(self.owner, dict):
            dict.__setitem__(self.owner, self.key, value)
        else:
            list.__setitem__(self.owner, self.key, value)


@dataclass(frozen=True, eq=False)
class Change:
    """What a call changes of a container of its arguments at its end. `steps`: from the argument to the container, ("argument", 0) or ("keyword", "state")
    first; `how`: "attribute", "item" or "del", of `key`, or "items": all of them, of a list those from `key` on.
    """

    steps: tuple[tuple[str, Any], ...]
    cls: type
    how: str
    key: Any = None

    def __str__(self) -> str:
        return f"a {self.cls.__name__} of its arguments"


def stored(result: Any, places: tuple[Place, ...], values: tuple[Any, ...]) -> Any:
    """The result of a call that stores these values outside at its end."""
    for place, value in zip(places, values, strict=True):
        place.store(value)
    return result


def made(kind: type, names: tuple[str, ...], values: tuple[Any, ...]) -> Any:
    """An object of a user's class that a call gives back, made anew: it holds these values under these names. Of a class that stands for a library's the library's own object."""
    result: Any = object.__new__(kind)
    for name, value in zip(names, values, strict=True):
        object.__setattr__(result, name, value)
    own = getattr(kind, "__given_back__", None)
    return result if own is None else own(result)


@dataclass(frozen=True)
class Guard:
    """A closure's or global's static value on which the program was built: if it is another one, build again."""

    access: Access
    value: Any
