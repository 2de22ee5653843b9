"""`Rules`: what the rules of the reader ask of the whole language.

A rule for one kind of syntax, or for one function, needs others: the value of an operand, a call of what it was given, an item of
whatever it goes through. It asks for them here (`reader.rules.evaluate(node)`) and imports no module above its own; `wiring.py`
fills the interface in. What is no recursion of the language is a plain import.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from s2s.transforms.ir.staged import Staged
from s2s.transforms.read.iterations import Iteration
from s2s.transforms.read.values import Abstract
from s2s.types import Atom, Var


class Rules(Protocol):
    """The language, as one reader speaks it."""

    # ---- syntax ---------------------------------------------------------------------------------------------------------

    def evaluate(self, node: Any) -> Abstract:
        """The value of an expression."""

    def execute(self, statements: Sequence[Any]) -> None:
        """Read statements in order."""

    def assign(self, target: Any, value: Abstract) -> None:
        """target = value; the target is a node."""

    # ---- what Python's objects do -----------------------------------------------------------------------------------------

    def call(self, function: Abstract, args: tuple[Abstract, ...], kwargs: dict[str, Abstract] | None = None) -> Abstract:
        """function(*args, **kwargs)."""

    def attribute(self, base: Abstract, name: str) -> Abstract:
        """base.name."""

    def set_attribute(self, base: Abstract, name: str, value: Abstract) -> None:
        """base.name = value."""

    def item(self, base: Abstract, key: Abstract) -> Abstract:
        """base[key]."""

    def binary(self, op: str, a: Abstract, b: Abstract) -> Abstract:
        """a op b."""

    def compare(self, symbol: str, a: Abstract, b: Abstract) -> Abstract:
        """a symbol b."""

    def contains(self, container: Abstract, item: Abstract) -> bool | Atom:
        """item in container."""

    def test(self, node: Any) -> bool | Atom:
        """The truth of an expression."""

    def truth(self, value: Abstract) -> bool | Atom:
        """bool(value): known, or a test of run time."""

    def iterate(self, value: Abstract) -> Iteration:
        """What a loop over a value goes through."""

    def text(self, value: Abstract, conversion: str | None, spec: Abstract) -> Abstract:
        """A value in a text, as f"{value!conversion:spec}" has it."""

    def generator(self, body: Sequence[Any], collect: Callable[[], Abstract] | None = None) -> Abstract:
        """What a call of a generator with these statements gives, in the frame of the call. `collect`: what gives a list of all that it yields, where only the run knows which yields there are."""

    def settle(self, since: int) -> None:
        """The errors that were met since then, and that a `try` catches, end the statement."""

    # ---- whole functions --------------------------------------------------------------------------------------------------

    def program(self, fun: Callable[..., Any], params: tuple[Var, ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Staged:
        """The program of a function of its own: `s2s.transforms.read.read`."""
