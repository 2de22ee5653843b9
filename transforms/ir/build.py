"""Building blocks of a program: a `Builder` collects nodes; it knows sizes, so that equal sizes get the same Var.

Only `transforms.primitives` and the rewrites use it; what rules see of it is a `Value` (primitives/value.py).
"""
from __future__ import annotations

from collections import ChainMap
from collections.abc import Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from s2s.errors import NOWHERE, Location, S2SError
from s2s.transforms.integers.affine import Affine, Facts, normal_form
from s2s.transforms.ir.program import Block, Check, Equation, Node
from s2s.types import Array, Atom, Dim, Literal, Var, dim_atom

if TYPE_CHECKING:
    from s2s.transforms.primitives.row import Primitive


@dataclass(frozen=True)
class Out:
    """In an inferred type, the dimension given by this equation's own out number `number` (a count found at run time)."""

    number: int


class Builder:
    """Collects the nodes of one block. `inside()` opens a builder for a nested block, which sees this one's facts.

    `where` and `name` are put on the next equations; `facts` are proven bounds of integer Vars; `normal` holds the
    normal forms of sums; `numbered` finds an existing Var for a pure integer expression.
    """

    def __init__(self, outer: Builder | None = None) -> None:
        self.outer = outer
        self.nodes: list[Node] = []
        self.where: Location = outer.where if outer else NOWHERE
        self.facts: Facts = outer.facts.copy() if outer else Facts()
        self.normal: ChainMap[Var, Affine] = outer.normal.new_child() if outer else ChainMap()
        self.numbered: ChainMap[Hashable, Var] = outer.numbered.new_child() if outer else ChainMap()
        self.doubts: dict[Var, frozenset[Array]] = outer.doubts if outer else {}
        """Scalars whose type in Python depends on the path, with the types that they may have (`read/doubts.py`)."""

    def inside(self) -> Builder:
        """A builder for a block nested in this one."""
        return Builder(self)

    def block(self, *results: Atom) -> Block:
        """What was collected, as a block with these results."""
        return Block(tuple(self.nodes), results)

    def add(self, node: Node) -> None:
        """Append a finished node."""
        self.nodes.append(node)

    @contextmanager
    def at(self, where: Location) -> Iterator[None]:
        """Put `where` on what is built inside."""
        before, self.where = self.where, where
        try:
            yield
        finally:
            self.where = before

    def equation(
        self, primitive: Primitive, ins: tuple[Atom, ...], params: Mapping[str, Any] | None = None, *, name: str = ""
    ) -> tuple[Var, ...]:
        """Append outs = primitive(ins; params), with the types that the primitive's row infers, and return outs."""
        params = params or {}
        if not name and primitive.name == "retype" and isinstance(ins[0], Var):
            name = ins[0].name  # the same array under another type
        outs: list[Var] = []
        for type_ in self._inferred(primitive, ins, params):
            shape = tuple(outs[dim.number] if isinstance(dim, Out) else dim for dim in type_.shape)
            outs.append(Var(name or primitive.name, Array(type_.dtype, shape, type_.weak)))
        self.add(Equation(tuple(outs), primitive, ins, params, self.where))
        return tuple(outs)

    def _inferred(self, primitive: Primitive, ins: tuple[Atom, ...], params: Mapping[str, Any]) -> tuple[Array, ...]:
        try:
            return primitive.infer(ins, **params)
        except S2SError as error:
            if not error.where.line:  # rows know no source
                error.where = self.where
            raise

    # ---- sizes ------------------------------------------------------------------------------------------------------

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

    def check(self, test: Atom, exception: str, message: str, *values: Atom, stretch: bool = False, late: bool = False) -> None:
        """Append a Check, unless its test is known to hold."""
        if not (isinstance(test, Literal) and test.value):
            self.add(Check(test, exception, message, values, stretch, self.where, late=late))
