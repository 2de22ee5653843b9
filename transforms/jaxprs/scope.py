"""A jaxpr while it is written: its equations, what the program's variables are in it, and what it reads from around it."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from s2s.errors import Location, UnsupportedError
from s2s.transforms.ir import program
from s2s.transforms.jaxprs.syntax import Atom, DropVar, Jaxpr, JaxprEqn, Literal, Primitive, ShapedArray, Var
from s2s.types import Array, Dim, is_size


class Scope:
    """One jaxpr. `outer`: the one around it, whose variables become parameters where they are read."""

    def __init__(self, outer: Scope | None = None) -> None:
        self.outer = outer
        self.eqns: list[JaxprEqn] = []
        self.captured: dict[Var, Var] = {}
        """What is read from around -> the parameter that it is here, in order of first use."""
        self._own: dict[program.Var, Atom] = {}
        self._made: dict[program.Var, program.Equation] = {}

    # ---- the program's variables ------------------------------------------------------------------------------------

    def bind(self, var: program.Var, atom: Atom) -> None:
        self._own[var] = atom

    def new(self, var: program.Var, where: Location) -> Var:
        """A variable for one of the program's."""
        made = Var(self.aval(var.type, where))
        self._own[var] = made
        return made

    def __getitem__(self, atom: program.Atom) -> Atom:
        if isinstance(atom, program.Literal):
            return literal(atom.value, atom.type)
        if atom in self._own:
            return self._own[atom]
        assert self.outer is not None, f"{atom} is bound nowhere"
        found = self.outer[atom]
        return found if isinstance(found, Literal) else self.capture(found)

    def capture(self, found: Var) -> Var:
        """What stands here for a variable of the jaxpr around."""
        return self.captured.setdefault(found, Var(found.aval))

    def known(self, atom: program.Atom) -> int | None:
        """The value of a size that is known."""
        found = self[atom]
        return int(found.val) if isinstance(found, Literal) else None

    def made(self, atom: program.Atom) -> program.Equation | None:
        """The equation whose out it is, in this jaxpr or around."""
        if isinstance(atom, program.Literal):
            return None
        return self._made.get(atom) or (self.outer.made(atom) if self.outer and atom not in self._own else None)

    def note(self, node: program.Equation) -> None:
        """Remember how its outs are made."""
        self._made.update(dict.fromkeys(node.outs, node))

    def bound(self) -> list[Var]:
        """All variables of this jaxpr, in the order in which they are bound."""
        return [*self.captured.values(), *(atom for atom in self._own.values() if isinstance(atom, Var)), *(out for eqn in self.eqns for out in eqn.outvars)]

    def aval(self, type_: Array, where: Location) -> ShapedArray:
        """The type, its sizes as numbers."""
        return ShapedArray(tuple(self._size(dim, where) for dim in type_.shape), type_.dtype, type_.weak)

    def _size(self, dim: Dim, where: Location) -> int:
        found = dim if isinstance(dim, int) else self.known(dim)
        if found is None:
            raise UnsupportedError(
                "a jaxpr with an array whose size depends on numbers", where=where, why="a jaxpr's sizes are those of the arguments",
                instead="jit(f).trace(…).as_text() shows the program with its sizes as symbols",
            )  # fmt: skip
        return found

    # ---- writing ----------------------------------------------------------------------------------------------------

    def add(self, primitive: Primitive, ins: Iterable[Atom], outs: Sequence[Var], params: Mapping[str, Any], where: Location) -> None:
        self.eqns.append(JaxprEqn(tuple(ins), tuple(outs), primitive, params, where))

    def op(self, name: str, run: Callable[..., Any], ins: Iterable[Atom], aval: ShapedArray, where: Location, **params: Any) -> Var:
        """The out of one more equation."""
        out = Var(aval)
        self.add(Primitive(name, run, known=params), ins, [out], params, where)
        return out

    def finished(self, invars: Sequence[Var], outvars: Sequence[Atom], constvars: Sequence[Var] = ()) -> Jaxpr:
        """The jaxpr, without equations that do nothing for its results; what is read by nobody is `_`. Parameters in front for what it captures."""
        read = {atom for atom in outvars if isinstance(atom, Var)}
        kept = []
        for eqn in reversed(self.eqns):
            if eqn.effects or any(out in read for out in eqn.outvars):
                outs = tuple(out if out in read else DropVar(out.aval) for out in eqn.outvars)
                kept.append(JaxprEqn(eqn.invars, outs, eqn.primitive, eqn.params, eqn.source_info))
                read.update(atom for atom in eqn.invars if isinstance(atom, Var))
        self.captured = {theirs: mine for theirs, mine in self.captured.items() if mine in read}
        return Jaxpr(tuple(constvars), (*self.captured.values(), *invars), tuple(outvars), tuple(reversed(kept)))


def literal(value: Any, type_: Array) -> Literal:
    """A number of the program."""
    return Literal(value, ShapedArray((), type_.dtype, type_.weak))


def size(value: int) -> Literal:
    """An integer of 64 bits."""
    return Literal(value, ShapedArray((), np.dtype(np.int64)))


def is_known_size(scope: Scope, node: program.Equation) -> bool:
    """Whether it computes an integer, or compares integers, from known ones."""
    outs = all(is_size(out.type) or out.type.dtype.kind == "b" and not out.type.shape for out in node.outs)
    return outs and bool(node.ins) and all(not atom.type.shape and isinstance(scope[atom], Literal) for atom in node.ins)


__all__ = ["Scope", "is_known_size", "literal", "size"]
