"""What is known of integers at a place: sums in normal form, bounds, and which symbol stands for an expression already.

    n1 = n - 1, 0 <= i <= n1        i + 1 <= n          is proven
                                    n1 + 1              is n
"""
from __future__ import annotations

from collections import ChainMap
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Generic, TypeVar

from s2s.records import cached_property, dataclass, field
from s2s.transforms.integers.affine import Affine, S, ends
from s2s.transforms.integers.elimination import infeasible
from s2s.types import Literal

Key = TypeVar("Key")
Kept = TypeVar("Kept")

_ENOUGH = 48
"""Bounds that a proof looks at: those of the symbols in question, of the symbols in those bounds, and so on."""


@dataclass
class Facts(Generic[S]):
    """Sums that are known to be at least 0, by the symbol that each of them bounds; `order`: which symbol was bound later; `lengths`:
    the symbols of which it was noted that they are at least 0, by themselves; `answers`: what follows from which bounds, and what doesn't;
    `learned`: how often something was learned of a symbol that had been there before. Until then, what was asked has the same answer.
    """

    bounds: dict[S, tuple[Affine[S], ...]] = field(default_factory=dict)
    order: dict[S, int] = field(default_factory=dict)
    lengths: set[S] = field(default_factory=set)
    answers: dict[tuple[Affine[S], ...], bool] = field(default_factory=dict)
    learned: int = 0

    def copy(self) -> Facts[S]:
        """An independent copy, for a nested scope."""
        return Facts(dict(self.bounds), dict(self.order), set(self.lengths), self.answers, self.learned)

    def know(self, symbol: S, *, lower: Sequence[Affine[S]] = (), upper: Sequence[Affine[S]] = (), atleast: Iterable[Affine[S]] = ()) -> None:
        """The symbol is at least each of `lower`, at most each of `upper`; the sums `atleast`, which bound it, are at least 0."""
        is_new = symbol not in self.order
        if is_new:
            self.order[symbol] = len(self.order)
        new = [*atleast]
        if lower and any(not each.terms and each.constant >= 0 for each in lower):
            self.lengths.add(symbol)
        if lower or upper:
            itself = Affine.of(symbol)
            new = [*[itself - each for each in lower], *[each - itself for each in upper], *new]
        known = self.bounds.get(symbol, ())
        new = [each for each in new if each not in known]  # a slice that is taken again says what its length is again: nothing must be asked anew
        if new:
            self.bounds[symbol] = (*known, *new)
            self.learned += not is_new

    def assume(self, expression: Affine[S]) -> None:
        """The expression is at least 0: a bound of its symbol that was bound last."""
        if expression.terms:
            latest = max(expression.symbols(), key=lambda symbol: self.order.get(symbol, -1))
            self.bounds[latest] = (*self.bounds.get(latest, ()), expression)
            self.order.setdefault(latest, len(self.order))
            self.learned += 1

    def nonnegative(self, expression: Affine[S]) -> bool:
        """Whether expression >= 0 follows from the facts (False: not proven)."""
        if not expression.terms:
            return expression.constant >= 0
        if expression.constant >= 0 and all(factor > 0 and symbol in self.lengths for symbol, factor in expression.terms):
            return True
        rows = [-expression - 1]
        seen = dict.fromkeys(expression.symbols())
        todo = list(seen)
        while todo and len(rows) < _ENOUGH:
            for bound in self.bounds.get(todo.pop(0), ()):
                rows.append(bound)
                new = [symbol for symbol in bound.symbols() if symbol not in seen]
                seen.update(dict.fromkeys(new))
                todo += new
        question = tuple(rows)
        if question not in self.answers:
            self.answers[question] = infeasible((), rows)
        return self.answers[question]


class _Nested(ChainMap[Key, Kept]):
    """A ChainMap that looks once for what may not be there: the library's asks whether it is, then takes it, and raises where it isn't."""

    def get(self, key: Any, default: Any = None) -> Any:
        for place in self.maps:
            if (found := place.get(key, _NOTHING)) is not _NOTHING:
                return found
        return default

    def __contains__(self, key: object) -> bool:
        return self.get(key, _NOTHING) is not _NOTHING

    def setdefault(self, key: Key, default: Any = None) -> Any:
        found = self.get(key, _NOTHING)
        if found is _NOTHING:
            found = self.maps[0][key] = default
        return found


_NOTHING: Any = object()


class Known(Generic[S]):
    """What is known at one place; a nested place (`outer`) starts with what is known around it.

    `facts` are proven bounds; `normal` holds the normal forms of sums; `numbered` finds an existing symbol for a pure integer expression.
    """

    def __init__(self, outer: Known[S] | None = None) -> None:
        if outer is not None:  # the outermost ones are made when they are asked for: most are of a few nodes, and are not
            self.facts, self.normal, self.numbered = outer.facts.copy(), outer.normal.new_child(), outer.numbered.new_child()

    @cached_property
    def facts(self) -> Facts[S]:
        return Facts()

    @cached_property
    def normal(self) -> ChainMap[S, Affine[S]]:
        return _Nested()

    @cached_property
    def numbered(self) -> ChainMap[Hashable, S]:
        return _Nested()

    def form(self, size: S | Literal | int) -> Affine[S]:
        """The normal form of an integer."""
        if isinstance(size, Literal):
            return Affine(int(size.value))  # type: ignore[arg-type]
        if isinstance(size, int):
            return Affine(size)
        for place in self.normal.maps:
            if (found := place.get(size)) is not None:
                return found
        return Affine(0, ((size, 1),))

    def known_form(self, size: S | Literal | int) -> Affine[S]:
        """The normal form of an integer, with all that is known of equal sizes put in."""
        return self.expanded(self.form(size))

    def expanded(self, expression: Affine[S]) -> Affine[S]:
        """A sum with all that is known of equal sizes put in."""
        for symbol, _ in expression.terms:
            form = self._settled(symbol)
            if form.terms != ((symbol, 1),) or form.constant:
                return self.expanded(expression.substitute(symbol, form))
        return expression

    def _settled(self, symbol: S) -> Affine[S]:
        """What an integer is known to equal. A nested place may have noted that m is p, and the place around it, later, that p is m: what it says holds for both."""
        met = [symbol]
        while True:
            form = self.form(met[-1])
            if form.constant or len(form.terms) != 1 or form.terms[0][1] != 1:
                return form
            (one, _), = form.terms
            if one == met[-1]:
                return form
            if one in met:
                cycle = met[met.index(one) :]
                return next(known for place in reversed(self.normal.maps) for other, known in place.items() if other in cycle)
            met.append(one)

    def proves(self, expression: Affine[S]) -> bool:
        """Whether a sum >= 0 follows from what is known (False: not proven)."""
        return self.facts.nonnegative(self.expanded(expression))

    def assume(self, expression: Affine[S]) -> None:
        """A sum is at least 0 from here on."""
        self.facts.assume(self.expanded(expression))

    def assume_unequal(self, expression: Affine[S]) -> None:
        """A sum is not 0 from here on: at least 1 where it is known not to be negative."""
        for each in (expression, -expression):
            if self.proves(each):
                self.assume(each - 1)

    def proves_at_least(self, a: S | Literal | int, b: S | Literal | int) -> bool:
        """Whether a >= b follows from what is known."""
        return self.proves(self.form(a) - self.form(b))

    def proves_less(self, a: S | Literal | int, b: S | Literal | int) -> bool:
        """Whether a < b follows from what is known."""
        return self.proves(self.form(b) - self.form(a) - 1)

    def know_size(self, symbol: S) -> None:
        """Note that an integer is a length: never negative."""
        if symbol not in self.facts.lengths:  # each array of that length says it again
            self.facts.lengths.add(symbol)
            self.facts.know(symbol, atleast=(Affine.of(symbol),))

    def know_index(self, symbol: S, lo: S | Literal | int, hi: S | Literal | int, step: S | Literal | int) -> None:
        """Note the range of a loop's index, where the step's sign is known."""
        if isinstance(step, Literal | int):
            least, greatest = ends(self.form(lo), self.form(hi), Affine.of(step).constant)
            self.facts.know(symbol, lower=(least,), upper=(greatest,))

    def same_size(self, a: S | int, b: S | int) -> bool:
        """Whether two dimensions are known to be equal."""
        return a is b or self.expanded(self.form(a) - self.form(b)) == Affine(0)

    def unify(self, kept: S | int, other: S | int) -> None:
        """Note that two dimensions are one from here on (after a Check said so, or a guard)."""
        difference = self.known_form(kept) - self.known_form(other)
        free = [symbol for symbol, factor in difference.terms if factor in (1, -1)]
        if free:  # n - 1 == n can't be noted: it never holds
            order = self.facts.order
            latest = max(free, key=lambda symbol: order.get(symbol, -1))
            factor = difference.coefficient(latest)
            self.normal[latest] = difference.substitute(latest, Affine(0)) * -factor
            self.facts.learned += 1

    def settled(self, dim: S | int) -> S | int:
        """What stands for all that a dimension is known to equal: a number, or what was met first."""
        form = self.known_form(dim)
        if not form.terms:
            return form.constant
        if len(form.terms) == 1 and form.constant == 0 and form.terms[0][1] == 1:
            return form.terms[0][0]
        return self.numbered.get(("affine", form), dim)
