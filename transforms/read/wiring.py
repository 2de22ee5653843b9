"""`Python`: the language that is read, filled in for `language.Rules`. Nothing but `entry.py` imports this module."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from s2s.transforms.read.calls import calls
from s2s.transforms.read.flow import expressions
from s2s.transforms.read.flow import statements as statements_
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract


class Python:
    """The rules of Python and NumPy, for one reader."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader

    def evaluate(self, node: Any) -> Abstract:
        return expressions.evaluate(self.reader, node)

    def execute(self, statements: Sequence[Any]) -> None:
        statements_.execute(self.reader, list(statements))

    def call(self, function: Abstract, args: tuple[Abstract, ...], kwargs: dict[str, Abstract] | None = None) -> Abstract:
        return calls.call(self.reader, function, args, kwargs or {})
