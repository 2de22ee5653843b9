"""A jaxpr while it is written: its equations, what the program's variables are in it, and what it reads from around it."""
from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from s2s.errors import Location, UnsupportedError
from s2s.records import replace
from s2s.transforms.ir import program
from s2s.transforms.jaxprs.syntax import Atom, DropVar, Jaxpr, JaxprEqn, Literal, Primitive, ShapedArray, Var
from s2s.types import Array, Dim, is_size


class Scope:
    """One jaxpr. `outer`: the one around it, whose variables become parameters where they are read; `closed`: its constants are its own;
    `inner`: it will be part of another one.
    """

    def __init__(self, outer: Scope | None = None, *, closed: bool = False, inner: bool = False) -> None:
        self.outer, self.closed, self.inner = outer, closed, inner
        self.eqns: list[JaxprEqn] = []
        self.captured: dict[Var, Var] = {}
        """What is read from around -> the parameter that it is here, in order of first use."""
        self._own: dict[program.Var, Atom] = {}
        self._made: dict[program.Var, program.Equation] = {}
        self._users: dict[program.Var, program.Equation] = {}
        self.bodies: dict[Any, Any] = {} if outer is None else outer.bodies
        """The jaxprs of functions that are called, each once."""
        self.constants: dict[Var, Any] = {} if outer is None else outer.constants
        """The values of the whole jaxpr's constvars."""
        self.held: dict[Var, Any] = {}
        """Arrays that the source writes out, and that are constants of this jaxpr."""

    # ---- the program's variables ------------------------------------------------------------------------------------

    def bind(self, var: program.Var, atom: Atom) -> None:
        self._own[var] = atom

    def new(self, var: program.Var, where: Location, weak: bool | None = None) -> Var:
        """A variable for one of the program's. `weak`: whether JAX takes it for weak, where that is not what its own type says."""
        aval = self.aval(var.type, where)
        made = Var(aval if weak is None or weak == aval.weak_type else replace(aval, weak_type=weak))
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

    def has(self, atom: program.Atom) -> bool:
        """Whether it is bound here or around."""
        return isinstance(atom, program.Literal) or atom in self._own or self.outer is not None and self.outer.has(atom)

    def capture(self, found: Var) -> Var:
        """What stands here for a variable of the jaxpr around."""
        return self.captured.setdefault(found, Var(found.aval))

    def constant(self, value: Any) -> Var:
        """A constant of this jaxpr, or of the one around that has constants."""
        if self.outer is not None and not self.closed:
            return self.capture(self.outer.constant(value))
        held = Var(ShapedArray(value.shape, value.dtype))
        self.held[held] = value
        return held

    def top(self, atom: Atom) -> Atom:
        """What a parameter for something from around stands for."""
        for found, mine in self.captured.items():
            if mine is atom and self.outer is not None:
                return self.outer.top(found)
        return atom

    def known(self, atom: program.Atom) -> int | None:
        """The value of a size that is known."""
        found = self[atom]
        return int(found.val) if isinstance(found, Literal) else None

    def made(self, atom: program.Atom) -> program.Equation | None:
        """The equation whose out it is, in this jaxpr or around."""
        if isinstance(atom, program.Literal):
            return None
        return self._made.get(atom) or (self.outer.made(atom) if self.outer and atom not in self._own else None)

    def note(self, block: program.Block) -> None:
        """Remember how what a block's equations give is made, and what uses it."""
        for node in block.nodes:
            if isinstance(node, program.Equation):
                self._made.update(dict.fromkeys(node.outs, node))
                self._users.update(dict.fromkeys((atom for atom in node.ins if isinstance(atom, program.Var)), node))

    def user(self, var: program.Var) -> program.Equation | None:
        """The last equation of this block that uses it."""
        return self._users.get(var)

    def bound(self) -> list[Var]:
        """All variables of this jaxpr, in the order in which they are bound."""
        own = (atom for atom in self._own.values() if isinstance(atom, Var))
        return [*self.held, *self.captured.values(), *own, *(out for eqn in self.eqns for out in eqn.outvars)]

    def aval(self, type_: Array, where: Location) -> ShapedArray:
        """The type, its sizes as numbers."""
        return ShapedArray(tuple(self.length(dim, where) for dim in type_.shape), type_.dtype, type_.weak)

    def length(self, dim: Dim, where: Location) -> int:
        """A dimension's number."""
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

    def finished(self, invars: Sequence[Var], outvars: Sequence[Atom], constvars: Sequence[Var] = (), unread: Collection[Atom] = ()) -> Jaxpr:
        """The jaxpr, without equations that do nothing for its results, nor for `unread`; what nobody reads is `_` in the outermost. Parameters in front for what it captures."""
        read = {atom for atom in outvars if isinstance(atom, Var)}
        named = self.outer is not None or self.inner
        kept = []
        for eqn in reversed(self.eqns):
            if eqn.effects or any(out in read or out in unread for out in eqn.outvars):
                outs = tuple(out if out in read or named else DropVar(out.aval) for out in eqn.outvars)
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
