"""What a transformation is called, takes and gives: one record for each, from which the API, the command line, titles of modules and the
handlers inside of the user's functions follow. The records stand in `s2s.calls.transformations`.
"""
from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from typing import Any

from s2s.records import dataclass, replace


class Calling(Enum):
    """How a transformation is called: what it gets besides the function, and what it gives back."""

    SAME = auto()
    """T(f) is a function of f's arguments: another transformation can be applied to it."""
    ALONG = auto()
    """T(f, primals, tangents) -> results and their tangents."""
    PULLED = auto()
    """T(f, *primals) -> results and a function of their cotangents."""
    LINEARIZED = auto()
    """T(f, *primals) -> results and a function of tangents."""
    TRANSPOSED = auto()
    """T(f, *examples) -> a function of cotangents of the result."""


@dataclass(frozen=True)
class Step:
    """One program that a transformation makes. `name` goes into the names of emitted functions, `title` into the module's docstring."""

    name: str
    title: str


@dataclass(frozen=True, eq=False)
class Transformation:
    """One transformation.

    `name`: of the public function, and on the command line; `steps`: the programs that it makes, two where it has two halves;
    `options`: the names of what else it takes; `takes_objects`: whether arguments without derivatives may be objects of any class;
    `rewrite(transformation, part, **options)`: the Rewrite that makes a step; `apart(staged, has_aux)`: both halves at once;
    `on_devices`: its examples are devices.
    """

    name: str
    steps: tuple[Step, ...]
    calling: Calling
    options: tuple[str, ...]
    takes_objects: bool
    rewrite: Callable[..., Any]
    apart: Callable[[Any, bool], tuple[Any, Any]] | None
    on_devices: bool = False

    def made(self, part: int = 0, **options: Any) -> Any:
        """The Rewrite that makes a step, with what it was made of."""
        return replace(self.rewrite(self, part, **options), given=options)
