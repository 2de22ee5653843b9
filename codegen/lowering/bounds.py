"""What is known of integers while a program is lowered: ranges of indices, sums, sizes; is an index proven in bounds?

    for i in range(1, n - 1):        # 1 <= i <= n - 2, n >= 2 inside
        u[i + 1]                     # n - 1 - (i + 1) >= 0 and i + 1 >= 0: no check needed
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence

from s2s.records import dataclass
from s2s.transforms.integers.affine import Affine, ends, product
from s2s.transforms.integers.known import Known
from s2s.transforms.ir.facts import learn_integer
from s2s.transforms.ir.program import Check, Equation, For, Function
from s2s.transforms.primitives.arithmetic import add, equal, mul, sub
from s2s.transforms.primitives.indexing import getitem
from s2s.transforms.primitives.integer_rows import COMPLEMENT, relation_of
from s2s.transforms.primitives.reductions import argsort
from s2s.transforms.primitives.row import Primitive
from s2s.transforms.primitives.structural import broadcast, copy, iota, reshape, retype, transpose, where_true
from s2s.transforms.simplify.known_tests import implied
from s2s.types import BOOL, INT64, Atom, Dim, Literal, Var, atom_dim

_MOVED = (broadcast, copy, getitem, reshape, retype, transpose)
"""Rows whose results hold elements of their first operand."""


@dataclass(frozen=True)
class Learned:
    """What every trip of a loop over lower <= index <= upper has checked: pairs of position and length; `inner`: its loops."""

    index: Var
    lower: Affine[Var]
    upper: Affine[Var]
    checked: frozenset[tuple[Affine[Var], Affine[Var]]]
    inner: tuple[Learned, ...]

    def renamed(self, old: Var, new: Var) -> Learned:
        """The same of an index with another name."""
        by: Affine[Var] = Affine.of(new)

        def change(form: Affine[Var]) -> Affine[Var]:
            return form.substitute(old, by)

        pairs = frozenset((change(position), change(length)) for position, length in self.checked)
        return Learned(self.index, change(self.lower), change(self.upper), pairs, tuple(each.renamed(old, new) for each in self.inner))


class Bounds:
    """The facts at one point of the program. `inside()` gives those of a nested block, which ends without effect on this one."""

    def __init__(self, outer: Bounds | None = None) -> None:
        self._facts: Known[Var] = Known(outer._facts if outer else None)
        self._tests: dict[Var, tuple[Primitive, Atom, Atom]] = dict(outer._tests) if outer else {}
        self._made: dict[Var, Equation] = dict(outer._made) if outer else {}
        self._elements: dict[Var, tuple[Affine[Var], Affine[Var]]] = dict(outer._elements) if outer else {}
        """Of arrays of integers: sums of numbers that no element is below, and above."""
        self._factors: dict[Dim, tuple[Dim, ...]] = dict(outer._factors) if outer else {}
        """Of products of lengths: the lengths."""
        self._checked: set[tuple[Affine[Var], Affine[Var]]] = set(outer._checked) if outer else set()
        self._own: set[tuple[Affine[Var], Affine[Var]]] = set()
        self._learned: list[Learned] = list(outer._learned) if outer else []
        self._known = len(self._learned)

    def inside(self) -> Bounds:
        """The facts of a nested block."""
        return Bounds(self)

    def function(self, function: Function) -> None:
        """Lengths are never negative; how they are made of each other may be told."""
        for param in function.params:
            self._lengths(param)
        for node in function.told:
            self.equation(node)

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
        if node.primitive is where_true:
            for positions, dim in zip(node.outs[1:], node.ins[0].type.shape, strict=False):
                self._between_ends(positions, (Affine(0), self._facts.form(dim) - 1))
        if len(node.outs) != 1:
            return
        (out,) = node.outs
        if out.type.dtype == INT64 and (out.type.shape or node.primitive is getitem):
            self._positions(node, out)
        if out.type.shape:
            return
        if out.type.dtype == BOOL:
            self._made[out] = node
        if node.primitive in COMPLEMENT:
            self._tests[out] = (node.primitive, node.ins[0], node.ins[1])
        if out.type.dtype != INT64 or any(atom.type.dtype != INT64 or atom.type.shape for atom in node.ins):
            return
        self._facts.facts.know(out)
        learn_integer(self._facts, node, out)
        if node.primitive is mul:
            self._factors[out] = self._factors_of(map(atom_dim, node.ins))

    def _positions(self, node: Equation, out: Var) -> None:
        """Between which numbers the elements of an array of positions are, or one of them. An array of none is between any: that says nothing of lengths."""
        found = self._ends_of_elements(node, out)
        if found is not None:
            self._between_ends(out, found)

    def _between_ends(self, out: Var, ends_of: tuple[Affine[Var], Affine[Var]]) -> None:
        self._elements[out] = ends_of
        self._facts.facts.know(out, lower=ends_of[:1], upper=ends_of[1:])

    def _ends_of_elements(self, node: Equation, out: Var) -> tuple[Affine[Var], Affine[Var]] | None:
        if node.primitive in (iota, argsort):
            return Affine(0), self._facts.form(out.type.shape[node.params.get("axis", 0)]) - 1
        if node.primitive in _MOVED:
            return self._between(node.ins[0])
        if node.primitive not in (add, sub):
            return None
        one, other = (self._between(atom) for atom in node.ins)
        if one is None or other is None:
            return None
        (low, high), (least, most) = one, other
        return (low + least, high + most) if node.primitive is add else (low - most, high - least)

    def _between(self, atom: Atom) -> tuple[Affine[Var], Affine[Var]] | None:
        if atom.type.shape:
            return self._elements.get(atom)  # type: ignore[arg-type]
        return (self._facts.form(atom), self._facts.form(atom)) if atom.type.dtype == INT64 else None

    def loop(self, node: For) -> None:
        """In a loop's body: the range of its index, and that the loop runs at all."""
        bounds: tuple[Atom, Atom, Atom] = (node.lo, node.hi, node.step)
        lo, hi, step = bounds
        if isinstance(step, Literal):
            least, greatest = ends(self._facts.form(lo), self._facts.form(hi), int(step.value))  # type: ignore[arg-type]
            self._facts.assume(greatest - least)
        self._facts.know_index(node.index, lo, hi, step)
        if (between := self._ends(lo, hi, step)) is not None:
            for learned in [each for each in self._learned if (each.lower, each.upper) == between]:
                here = learned.renamed(learned.index, node.index)
                self._checked |= here.checked
                self._learned += here.inner
        self._known = len(self._learned)

    def _ends(self, lo: Atom, hi: Atom, step: Atom) -> tuple[Affine[Var], Affine[Var]] | None:
        """The least and the greatest index of a loop that takes them all."""
        if not isinstance(step, Literal) or step.value not in (1, -1):
            return None
        return ends(self._facts.form(lo), self._facts.form(hi), int(step.value))  # type: ignore[arg-type]

    def after_loop(self, node: For, inside: Bounds) -> None:
        """A loop has ended: whatever runs over the same indices again, either way, need not check again what each trip has checked."""
        between = self._ends(node.lo, node.hi, node.step)
        checked = frozenset(inside._own)
        inner = tuple(inside._learned[inside._known:])
        if between is not None and (checked or inner):
            self._learned.append(Learned(node.index, *between, checked, inner))

    def test(self, test: Atom, *, holds: bool) -> None:
        """In a branch: what its test says, and each part of it that is known by it."""
        for part, outcome in implied(test, self._made, holds=holds):
            self._compared(part, holds=outcome)
        self._known_to_have_run()

    def _compared(self, test: Var, *, holds: bool) -> None:
        if test not in self._tests:
            return
        comparison, a, b = self._tests[test]
        if not (a.type.dtype == b.type.dtype == INT64) or a.type.shape or b.type.shape:
            return
        says = relation_of(comparison, self._facts.form(a), self._facts.form(b), holds=holds)
        for each in (*says.atleast, *says.equal, *(-each for each in says.equal)):
            self._facts.assume(each)
        for each in says.unequal:
            self._facts.assume_unequal(each)

    def _known_to_have_run(self) -> None:
        """What each trip of a loop has checked has been checked if it had a trip."""
        for learned in self._learned:
            if self._facts.proves(learned.upper - learned.lower):
                pairs = learned.checked
                self._checked |= {pair for pair in pairs if all(learned.index not in form.symbols() for form in pair)}

    def check(self, node: Check) -> None:
        """After a check: its test holds; equal dimensions are one from here on."""
        self.test(node.test, holds=True)
        if node.test in self._tests and self._tests[node.test][0] is equal:
            _, a, b = self._tests[node.test]
            order = self._facts.facts.order
            if isinstance(a, Var) and (not isinstance(b, Var) or order.get(b, -1) < order.get(a, -1)):
                a, b = b, a
            if isinstance(b, Var) and b not in self._facts.normal and a.type.dtype == b.type.dtype == INT64 and not b.type.shape:
                form = self._facts.form(a)
                if b not in form.symbols():
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

    def holds_product(self, dim: Dim, factors: Sequence[Dim]) -> bool:
        """Whether these lengths multiplied by each other are proven to be at most another one."""
        if self._factors_of(factors) == self._factors_of((dim,)):
            return True
        held: Affine[Var] | None = Affine(1)
        for each in factors:
            held = None if held is None else product(held, self._facts.form(each))
        return held is not None and self._facts.proves(self._facts.form(dim) - held)

    def _factors_of(self, dims: Iterable[Dim]) -> tuple[Dim, ...]:
        return tuple(sorted((each for dim in dims for each in self._factors.get(dim, (dim,))), key=id))

    def nonnegative(self, atom: Atom) -> bool:
        """Whether an integer is proven to be at least 0."""
        return self._facts.proves_at_least(atom, 0)

    def is_last(self, index: Atom, dim: Dim) -> bool:
        """Whether a position is the length minus one: in bounds unless there is no element."""
        return self._facts.form(index) + 1 == self._facts.form(dim)

    def trust(self, index: Atom, dim: Dim) -> None:
        """Take 0 <= index < dim as given: the position of a tape, which its loops count."""
        self._checked.add((self._facts.form(index), self._facts.form(dim)))
        if isinstance(index, Var):
            self._facts.facts.know(index, lower=(Affine(0),))

    def needs_check(self, index: Atom, dim: Dim) -> bool:
        """Whether -dim <= index < dim is unproven; asked a second time for the same pair it is proven: the check was made."""
        if self._in_bounds(index, dim):
            return False
        key = (self._facts.form(index), self._facts.form(dim))
        if key in self._checked:
            return False
        self._checked.add(key)
        self._own.add(key)
        if index.type.shape:  # there may be no element, and nothing told by it
            return True
        position, size = key
        self._facts.assume(size - position - 1)
        self._facts.assume(position + size)
        return True

    def _in_bounds(self, index: Atom, dim: Dim) -> bool:
        position, size = self._facts.form(index), self._facts.form(dim)
        return self._facts.proves(size - position - 1) and (self._facts.proves(position) or self._facts.proves(position + size))
