"""Building blocks of a program: a `Builder` collects nodes; it knows sizes, so that equal sizes get the same Var.

The reader and the rewrites use it; what rules see of it is a `Value` (primitives/value.py).
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

import numpy as np

from s2s.errors import NOWHERE, Location, S2SError
from s2s.transforms.integers.known import Known
from s2s.transforms.ir import elements
from s2s.transforms.ir.program import Block, Check, Equation, Node
from s2s.transforms.primitives.row import Operators, Out, Primitive
from s2s.types import Array, Atom, Literal, Var


class Located(Protocol):
    """What finds a place when it is asked for: most of what the reader looks at builds nothing."""

    @property
    def where(self) -> Location: ...


class Builder(Known):
    """Collects the nodes of one block. `inside()` opens a builder for a nested block, which sees this one's facts.

    `where` and `name` are put on the next equations; `operators` are the rows that operators of Values append
    (`primitives/operators.py` makes builders that have them).
    """

    def __init__(self, operators: Operators, outer: Builder | None = None) -> None:
        super().__init__(outer)
        self.operators, self.outer = operators, outer
        self.nodes: list[Node] = []
        self.place: Location | Located = outer.where if outer else NOWHERE
        """What says where the next equations stand."""
        self.doubts: dict[Var, frozenset[Array]] = outer.doubts if outer else {}
        """Scalars whose type in Python depends on the path, with the types that they may have (`read/doubts.py`)."""
        self.told: dict[Var, np.ndarray] = outer.told if outer else {}
        """Whole numbers and truths, and small arrays of them, of which it is known what they are."""
        self.on_check: Callable[[Builder, Check], bool] | None = outer.on_check if outer else None
        """Asked before a Check is appended: whether what it would raise is caught (`read/flow/caught.py`)."""

    @property
    def where(self) -> Location:
        """Where the next equations stand in the user's code."""
        return self.place if isinstance(self.place, Location) else self.place.where

    @where.setter
    def where(self, where: Location) -> None:
        self.place = where

    def inside(self) -> Builder:
        """A builder for a block nested in this one."""
        return Builder(self.operators, self)

    def parted(self, began: int) -> Builder:
        """A builder for a nested block of the nodes from this one on, with all that is known by now; this one keeps both until it is rolled back."""
        nested = self.inside()
        nested.nodes = self.nodes[began:]
        nested.facts = self.facts
        nested.normal.maps[0].update(self.normal.maps[0])
        nested.numbered.maps[0].update(self.numbered.maps[0])
        return nested

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
        if not name and primitive is self.operators.retype and isinstance(ins[0], Var):
            name = ins[0].name  # the same array under another type
        outs: list[Var] = []
        inferred = self._inferred(primitive, ins, params)
        found = elements.computed(self.told, inferred, primitive, ins, params) if ins and all(type(atom) is Literal or atom in self.told for atom in ins) else None
        for type_ in inferred:
            shape = tuple(outs[dim.number] if isinstance(dim, Out) else dim for dim in type_.shape) if found is None else found[len(outs)].shape
            outs.append(Var(name or primitive.name, Array(type_.dtype, shape, type_.weak)))
        self.add(Equation(tuple(outs), primitive, ins, params, self.where))
        if found is not None:
            self.told.update(zip(outs, found, strict=True))
        return tuple(outs)

    def _inferred(self, primitive: Primitive, ins: tuple[Atom, ...], params: Mapping[str, Any]) -> tuple[Array, ...]:
        try:
            return primitive.infer(ins, **params)
        except S2SError as error:
            if not error.where.line:  # rows know no source
                error.where = self.where
            raise

    def check(self, test: Atom, exception: str, message: str, *values: Atom, stretch: bool = False, late: bool = False, made: bool = False) -> None:
        """Append a Check, unless its test is known to hold."""
        if isinstance(test, Literal) and test.value:
            return
        node = Check(test, exception, message, values, stretch, self.where, late=late, made=made)
        if self.on_check is None or not self.on_check(self, node):
            self.add(node)
