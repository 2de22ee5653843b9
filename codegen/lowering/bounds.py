"""What is known of integers while a program is lowered: ranges of indices, sums, sizes; is an index proven in bounds?

    for i in range(1, n - 1):        # 1 <= i <= n - 2, n >= 2 inside
        u[i + 1]                     # n - 1 - (i + 1) >= 0 and i + 1 >= 0: no check needed
"""
from __future__ import annotations

from dataclasses import dataclass

from s2s.transforms.integers.affine import Affine, Facts
from s2s.transforms.integers.known import Known
from s2s.transforms.ir.facts import learn_integer
from s2s.transforms.ir.program import Check, Equation, For, Function, Map
from s2s.types import INT64, Atom, Dim, Literal, Var, dim_atom, size_literal


@dataclass(frozen=True)
class Learned:
    """What every trip of a loop over lower <= index <= upper has checked: pairs of position and length; `inner`: its loops."""

    index: Var
    lower: Affine
    upper: Affine
    checked: frozenset[tuple[Affine, Affine]]
    inner: tuple[Learned, ...]

    def renamed(self, old: Var, new: Var) -> Learned:
        """The same of an index with another name."""
        by = Affine.of(new)

        def change(form: Affine) -> Affine:
            return form.substitute(old, by)

        pairs = frozenset((change(position), change(length)) for position, length in self.checked)
        return Learned(self.index, change(self.lower), change(self.upper), pairs, tuple(each.renamed(old, new) for each in self.inner))


class Bounds:
    """The facts at one point of the program. `inside()` gives those of a nested block, which ends without effect on this one."""

    def __init__(self, outer: Bounds | None = None) -> None:
        self._facts: Known = Known(outer._facts if outer else None)
        self._tests: dict[Var, tuple[str, Atom, Atom]] = dict(outer._tests) if outer else {}
        self._checked: set[tuple[Affine, Affine]] = set(outer._checked) if outer else set()
        self._own: set[tuple[Affine, Affine]] = set()
        self._learned: list[Learned] = list(outer._learned) if outer else []
        self._known = len(self._learned)

    def inside(self) -> Bounds:
        """The facts of a nested block."""
        return Bounds(self)

    def function(self, function: Function) -> None:
        """Lengths are never negative."""
        for param in function.params:
            self._lengths(param)

    def _lengths(self, var: Var) -> None:
        for dim in var.type.shape:
            if isinstance(dim, Var):
                self._facts.know_size(dim)

    def bind(self, var: Var) -> None:
        """A Var is bound (as a carry or an out): its dimensions are lengths."""
        self._lengths(var)
        if var.type.dtype == INT64 and not var.type.shape:
            self._facts.facts.know(var)

    def equation(self, node: Equation) -> None:
        """Note what an integer equation or a comparison says of its out."""
        for out in node.outs:
            self._lengths(out)
        if len(node.outs) != 1 or node.outs[0].type.shape:
            return
        (out,), name = node.outs, node.primitive.name
        if name in _COMPARISONS and len(node.ins) == 2:
            self._tests[out] = (name, node.ins[0], node.ins[1])
        if out.type.dtype != INT64 or any(atom.type.dtype != INT64 or atom.type.shape for atom in node.ins):
            return
        self._facts.facts.know(out)
        learn_integer(self._facts, node, out)

    def loop(self, node: For | Map) -> None:
        """In a loop's body: the range of its index, and that the loop runs at all."""
        bounds: tuple[Atom, Atom, Atom] = (size_literal(0), node.size, size_literal(1)) if isinstance(node, Map) else (node.lo, node.hi, node.step)
        lo, hi, step = bounds
        if isinstance(step, Literal):
            first, last = (lo, hi) if step.value > 0 else (hi, lo)  # type: ignore[operator]
            self._assume(self._facts.form(last) - self._facts.form(first) + Affine(-1))
        self._facts.know_index(node.index, lo, hi, step)
        if (ends := self._ends(lo, hi, step)) is not None:
            for learned in [each for each in self._learned if (each.lower, each.upper) == ends]:
                here = learned.renamed(learned.index, node.index)
                self._checked |= here.checked
                self._learned += here.inner
        self._known = len(self._learned)

    def _ends(self, lo: Atom, hi: Atom, step: Atom) -> tuple[Affine, Affine] | None:
        """The least and the greatest index of a loop that takes them all."""
        if not isinstance(step, Literal) or step.value not in (1, -1):
            return None
        up = step.value == 1
        last = self._facts.form(hi) + Affine(-1 if up else 1)
        ends = (self._facts.form(lo), last)
        return ends if up else ends[::-1]

    def after_loop(self, node: For, inside: Bounds) -> None:
        """A loop has ended: whatever runs over the same indices again, either way, need not check again what each trip has checked."""
        ends = self._ends(node.lo, node.hi, node.step)
        checked = frozenset(inside._own)
        inner = tuple(inside._learned[inside._known:])
        if ends is not None and (checked or inner):
            self._learned.append(Learned(node.index, *ends, checked, inner))

    def test(self, test: Atom, *, holds: bool) -> None:
        """In a branch: what its test says."""
        if test not in self._tests:
            return
        name, a, b = self._tests[test]
        if not (a.type.dtype == b.type.dtype == INT64) or a.type.shape or b.type.shape:
            return
        difference = self._facts.form(b) - self._facts.form(a)
        match name, holds:
            case ("less", True) | ("greater_equal", False):
                self._assume(difference + Affine(-1))
            case ("less_equal", True) | ("greater", False):
                self._assume(difference)
            case ("greater", True) | ("less_equal", False):
                self._assume(-difference + Affine(-1))
            case ("greater_equal", True) | ("less", False):
                self._assume(-difference)
            case ("equal", True) | ("not_equal", False):
                self._assume(difference)
                self._assume(-difference)
            case _:
                pass
        self._known_to_have_run()

    def _known_to_have_run(self) -> None:
        """What each trip of a loop has checked has been checked if it had a trip."""
        for learned in self._learned:
            if self._facts.facts.nonnegative(self._facts._expanded(learned.upper - learned.lower)):
                pairs = learned.checked
                self._checked |= {pair for pair in pairs if all(var is not learned.index for form in pair for var, _ in form.terms)}

    def check(self, node: Check) -> None:
        """After a check: its test holds; equal dimensions are one from here on."""
        self.test(node.test, holds=True)
        if node.test in self._tests and self._tests[node.test][0] == "equal":
            _, a, b = self._tests[node.test]
            order = self._facts.facts.order
            if isinstance(a, Var) and (not isinstance(b, Var) or order.get(b, -1) < order.get(a, -1)):
                a, b = b, a
            if isinstance(b, Var) and b not in self._facts.normal and a.type.dtype == b.type.dtype == INT64 and not b.type.shape:
                form = self._facts.form(a)
                if all(var is not b for var, _ in form.terms):
                    self._facts.normal[b] = form

    def same(self, a: Dim, b: Dim) -> bool:
        """Whether two dimensions are known to be equal."""
        return self._facts.same_size(a, b)

    def representative(self, dim: Var) -> Dim:
        """The dimension that stands for all that are known to equal this one."""
        form = self._facts.form(dim)
        if not form.terms:
            return form.constant
        if len(form.terms) == 1 and form.constant == 0:
            ((var, coefficient),) = form.terms
            return var if coefficient == 1 else dim
        return dim

    def _assume(self, expression: Affine) -> None:
        """expression >= 0 holds: a bound of its Var that was bound last."""
        expression = self._facts._expanded(expression)
        if not expression.terms:
            return
        facts: Facts = self._facts.facts
        var, coefficient = max(expression.terms, key=lambda term: facts.order.get(term[0], -1))
        rest = expression - Affine(0, frozenset({(var, coefficient)}))
        if coefficient == 1:
            facts.know(var, lower=(-rest,))
        elif coefficient == -1:
            facts.know(var, upper=(rest,))

    def nonnegative(self, atom: Atom) -> bool:
        """Whether an integer is proven to be at least 0."""
        return self._facts.proves_at_least(atom, 0)

    def trust(self, index: Atom, dim: Dim) -> None:
        """Take 0 <= index < dim as given: the position of a tape, which its loops count."""
        self._checked.add((self._facts.form(index), self._facts.form(dim_atom(dim))))
        if isinstance(index, Var):
            self._facts.facts.know(index, lower=(Affine(0),))

    def needs_check(self, index: Atom, dim: Dim) -> bool:
        """Whether -dim <= index < dim is unproven; asked a second time for the same pair it is proven: the check was made."""
        if self._in_bounds(index, dim):
            return False
        key = (self._facts.form(index), self._facts.form(dim_atom(dim)))
        if key in self._checked:
            return False
        self._checked.add(key)
        self._own.add(key)
        return True

    def _in_bounds(self, index: Atom, dim: Dim) -> bool:
        size = dim_atom(dim)
        return self._less(index, size) and (self.nonnegative(index) or self._at_least_minus(index, size))

    def _less(self, index: Atom, size: Atom) -> bool:
        facts = self._facts
        return facts.facts.nonnegative(facts._expanded(facts.form(size) - facts.form(index) + Affine(-1)))

    def _at_least_minus(self, index: Atom, size: Atom) -> bool:
        facts = self._facts
        return facts.facts.nonnegative(facts._expanded(facts.form(size) + facts.form(index)))


_COMPARISONS = ("less", "less_equal", "greater", "greater_equal", "equal", "not_equal")
