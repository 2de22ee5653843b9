"""`Target`: what lowering asks of a target, from numbers to array equations."""
from __future__ import annotations

from abc import ABC, abstractmethod

from s2s.codegen.language.expressions import Expr
from s2s.codegen.lowering.lowered import Slot
from s2s.codegen.lowering.places import Lazy
from s2s.transforms.ir.program import Check, Equation, Print
from s2s.types import Atom, Literal, Var


class Target(ABC):
    """The questions that each target answers in its own way."""

    made: str = ""
    """What is raised in the place of an exception that is made of more than one text (`statements.Raise.made`); "": itself."""

    @abstractmethod
    def array_equation(self, node: Equation) -> None:
        """An equation with an array among its operands or outs."""

    @abstractmethod
    def materialise_array(self, lazy: Lazy, slot: Slot | None) -> Slot:
        """Write a lazy array into storage of its own (into `slot` if given and that is safe)."""

    @abstractmethod
    def copied(self, array: Var, source: Slot) -> Slot:
        """New storage with the same elements."""

    @abstractmethod
    def refill(self, home: Slot, array: Var) -> None:
        """Put all elements of an array into storage of its shape that holds something else."""

    @abstractmethod
    def number(self, value: Literal) -> Expr:
        """A constant of its dtype."""

    @abstractmethod
    def scalar_equation(self, node: Equation) -> None:
        """An equation all of whose operands and outs are scalars."""

    @abstractmethod
    def array_argument(self, array: Atom) -> Expr:
        """An array operand of a call."""

    @abstractmethod
    @abstractmethod
    def rename_lazily(self, out: Var, source: Atom, same: Slot | None) -> None:
        """out is the array that source is, under other dimensions that are equal; `same`: where that is in storage."""

    @abstractmethod
    def message(self, node: Check) -> tuple[Expr, ...]:
        """What a Check's exception is made from."""

    @abstractmethod
    def print(self, node: Print) -> None:
        """Write a text with values to standard output."""
