"""What is known of integers at a place: sums in normal form, bounds, and which Var stands for an expression already.

    n1 = n - 1, 0 <= i <= n1        i + 1 <= n          is proven
                                    n1 + 1              is n
"""
from __future__ import annotations

from collections import ChainMap
from collections.abc import Hashable

from s2s.transforms.integers.affine import Affine, Facts, normal_form
from s2s.types import Atom, Dim, Literal, Var, dim_atom


class Known:
    """What is known at one place of a program; a nested place (`outer`) starts with what is known around it.

    `facts` are proven bounds of integer Vars; `normal` holds the normal forms of sums; `numbered` finds an existing Var for a
    pure integer expression.
    """

    def __init__(self, outer: Known | None = None) -> None:
        self.facts: Facts = outer.facts.copy() if outer else Facts()
        self.normal: ChainMap[Var, Affine] = outer.normal.new_child() if outer else ChainMap()
        self.numbered: ChainMap[Hashable, Var] = outer.numbered.new_child() if outer else ChainMap()

    def form(self, size: Atom | int) -> Affine:
        """The normal form of an integer."""
        return normal_form(size, self.normal)

    def proves_at_least(self, a: Atom | int, b: Atom | int) -> bool:
        """Whether a >= b follows from what is known (False: not proven)."""
        return self.facts.nonnegative(self._expanded(self.form(a) - self.form(b)))

    def known_form(self, size: Atom | int) -> Affine:
        """The normal form of an integer, with all that is known of equal sizes put in."""
        return self._expanded(self.form(size))

    def _expanded(self, expression: Affine) -> Affine:
        for var, _ in expression.terms:
            if var in self.normal and self.normal[var] != Affine.of(var):
                return self._expanded(expression.substitute(var, self.normal[var]))
        return expression

    def proves_less(self, a: Atom | int, b: Atom | int) -> bool:
        """Whether a < b follows from what is known (False: not proven)."""
        return self.facts.nonnegative(self._expanded(self.form(b) - self.form(a) + Affine(-1)))

    def know_size(self, var: Var) -> None:
        """Note that var is a length: never negative."""
        self.facts.know(var, lower=(Affine(0),))

    def know_index(self, var: Var, lo: Atom, hi: Atom, step: Atom) -> None:
        """Note the range of a loop index, where the step's sign is known."""
        if isinstance(step, Literal):
            last = self.form(hi) + Affine(-1 if step.value > 0 else 1)  # type: ignore[operator]
            first = self.form(lo)
            lower, upper = (first, last) if step.value > 0 else (last, first)  # type: ignore[operator]
            self.facts.know(var, lower=(lower,), upper=(upper,))

    def same_size(self, a: Dim, b: Dim) -> bool:
        """Whether two dimensions are known to be equal."""
        return a is b or self._expanded(self.form(dim_atom(a)) - self.form(dim_atom(b))) == Affine(0)

    def unify(self, kept: Dim, other: Dim) -> None:
        """Note that `other` equals `kept` from here on (after a Check said so, or a guard)."""
        form = self._expanded(self.form(dim_atom(kept)))
        if isinstance(other, Var):
            if all(var is not other for var, _ in form.terms):  # n - 1 == n can't be noted: it never holds
                self.normal[other] = form
        elif isinstance(kept, Var):
            self.normal[kept] = Affine(other)
