"""Where a value outside of the user's function is found, and what a program was built on: light, since each call looks at it."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any


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


@dataclass(frozen=True)
class Guard:
    """A closure's or global's static value on which the program was built: if it is another one, build again."""

    access: Access
    value: Any
