"""Integer expressions in normal form, and a small prover of inequalities between them.

    n - 1 - (i + 1)   ->   -2 + 1*n - 1*i
    facts: 0 <= i, i <= n - 2   =>   proves  n - 1 - (i + 1) >= 0

`Facts` maps a Var to its bounds (loop indices, sizes). A proof replaces each Var by the bound that makes the
expression smallest, latest-bound Vars first, until a number is left: sound, incomplete, linear in the loop depth.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from s2s.types import Atom, Literal, Var


@dataclass(frozen=True)
class Affine:
    """constant + sum of coefficient * Var; terms in no particular order, no zero coefficients."""

    constant: int = 0
    terms: frozenset[tuple[Var, int]] = frozenset()

    @staticmethod
    def of(atom: Atom | int) -> Affine:
        """The normal form of one atom, a Var standing for itself."""
        if isinstance(atom, int):
            return Affine(atom)
        if isinstance(atom, Literal):
            return Affine(int(atom.value))  # type: ignore[arg-type]
        return Affine(0, frozenset({(atom, 1)}))

    def __add__(self, other: Affine) -> Affine:
        terms = dict(self.terms)
        for var, coefficient in other.terms:
            terms[var] = terms.get(var, 0) + coefficient
        return Affine(self.constant + other.constant, frozenset(item for item in terms.items() if item[1]))

    def __mul__(self, factor: int) -> Affine:
        return Affine(self.constant * factor, frozenset((var, c * factor) for var, c in self.terms if factor))

    def __neg__(self) -> Affine:
        return self * -1

    def __sub__(self, other: Affine) -> Affine:
        return self + -other

    def substitute(self, var: Var, by: Affine) -> Affine:
        coefficient = dict(self.terms).get(var, 0)
        rest = Affine(self.constant, frozenset(item for item in self.terms if item[0] is not var))
        return rest + by * coefficient if coefficient else self


@dataclass
class Facts:
    """Known bounds: var >= each of lower[var], var <= each of upper[var]; `order` says which Var was bound later."""

    lower: dict[Var, tuple[Affine, ...]] = field(default_factory=dict)
    upper: dict[Var, tuple[Affine, ...]] = field(default_factory=dict)
    order: dict[Var, int] = field(default_factory=dict)

    def copy(self) -> Facts:
        """An independent copy, for a nested scope."""
        return Facts(dict(self.lower), dict(self.upper), dict(self.order))

    def know(self, var: Var, *, lower: Iterable[Affine] = (), upper: Iterable[Affine] = ()) -> None:
        self.lower[var] = (*self.lower.get(var, ()), *lower)
        self.upper[var] = (*self.upper.get(var, ()), *upper)
        self.order.setdefault(var, len(self.order))

    def nonnegative(self, expression: Affine, fuel: int = 8) -> bool:
        """Whether expression >= 0 follows from the facts (False: not proven)."""
        if not expression.terms:
            return expression.constant >= 0
        if fuel == 0:
            return False
        var, coefficient = max(expression.terms, key=lambda term: self.order.get(term[0], -1))
        bounds = (self.lower if coefficient > 0 else self.upper).get(var, ())
        return any(self.nonnegative(expression.substitute(var, bound), fuel - 1) for bound in bounds)


def normal_form(atom: Atom | int, definitions: Mapping[Var, Affine]) -> Affine:
    """The atom's normal form over base Vars, given those of the Vars that are sums."""
    if isinstance(atom, Var) and atom in definitions:
        return definitions[atom]
    return Affine.of(atom)
