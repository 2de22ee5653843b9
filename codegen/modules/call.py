"""The call that a module is written for."""
from __future__ import annotations

from typing import Any

from s2s.records import dataclass


@dataclass(frozen=True)
class Static:
    """A static leaf of a call: its value, and its number among the call's static leaves."""

    value: Any
    number: int = -1


@dataclass(frozen=True)
class CallShape:
    """One call's structure: containers whose leaves are Vars or Statics. `exact_ones`: a symbol stands for a size other than 1."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    exact_ones: bool = True
