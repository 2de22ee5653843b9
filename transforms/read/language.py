"""`Rules`: what the rules of the reader ask of the whole language.

A rule for one kind of syntax, or for one function, needs others: the value of an operand, a call of what it was given. It asks for
them here (`reader.rules.evaluate(node)`) and imports no module above its own; `wiring.py` fills the interface in.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from s2s.transforms.read.values import Abstract


class Rules(Protocol):
    """The language, as one reader speaks it."""

    def evaluate(self, node: Any) -> Abstract:
        """The value of an expression."""

    def execute(self, statements: Sequence[Any]) -> None:
        """Read statements in order."""

    def call(self, function: Abstract, args: tuple[Abstract, ...], kwargs: dict[str, Abstract] | None = None) -> Abstract:
        """The result of a call."""
