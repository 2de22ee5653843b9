"""`Outs`: what an If hands out: for each out, what it is on the first and on the second path."""
from __future__ import annotations

from typing import Any

from s2s.transforms.primitives.value import zeros
from s2s.transforms.read.flow.agreement import converted, plain
from s2s.transforms.read.flow.hoisting import Hoisting, atom_of_form
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import retyped
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.state import Branch, bound_in
from s2s.transforms.read.storage.access import load, new_array
from s2s.transforms.read.values import Abstract, Pooled, View, is_atom, is_number, remake
from s2s.types import SIZE, Array, Atom, Dim, Var, atom_dim, dim_atom, size_literal, zero


class Outs:
    """The outs of the If to come of two branches. What differs in shape gets outs for its sizes."""

    def __init__(self, reader: Reader, one: Branch, two: Branch) -> None:
        self.reader, self.one, self.two = reader, one, two
        self.local = (bound_in(one.builder), bound_in(two.builder))
        self.pairs: list[tuple[Atom, Atom]] = []
        self.vars: list[Var] = []
        self.lifts: dict[tuple[int, Atom], Var] = {}
        self.hoisted: dict[Any, Atom] = {}
        """What one branch computes of what is known before the If, computed there."""

    def add(self, a: Atom, b: Atom, name: str, type_: Array) -> Var:
        """An out that is a on the first path and b on the second."""
        out = Var(plain(name), type_)
        self.reader.named.add(out)
        self.pairs.append((a, b))
        self.vars.append(out)
        return out

    def scalars(self, a: Abstract, b: Abstract, type_: Array) -> tuple[Atom, Atom]:
        """Two numbers or scalars as atoms of this type, each converted at the end of its branch."""
        with self.reader.inside(self.one):
            first = converted(self.reader, a, type_)
        with self.reader.inside(self.two):
            return first, converted(self.reader, b, type_)

    def content(self, a: Atom, b: Atom, name: str) -> Atom:
        """One array for two of a dtype and rank."""
        if a.type == b.type and a is b:
            return a
        dims = tuple(self.dim(dim_atom(x), dim_atom(y)) for x, y in zip(a.type.shape, b.type.shape, strict=True))
        outs = set(self.vars)
        parts = []
        for branch, atom in ((self.one, a), (self.two, b)):
            wanted = tuple(own if isinstance(dim, Var) and dim in outs else dim for dim, own in zip(dims, atom.type.shape, strict=True))
            with self.reader.inside(branch), building(self.reader.builder):
                parts.append(retyped(self.reader.value(atom), wanted).atom)
        return self.add(parts[0], parts[1], name, Array(a.type.dtype, dims))

    def dim(self, a: Atom, b: Atom) -> Dim:
        """One dimension for two: known to be equal, or an out."""
        x, y = atom_dim(a), atom_dim(b)
        if x is y or (isinstance(x, int) and x == y):
            return x
        for known, branch in ((x, self.two), (y, self.one)):
            if self.is_outer(known) and branch.builder.same_size(x, y):
                return known
        forms = [branch.builder.known_form(atom) for branch, atom in ((self.one, a), (self.two, b))]
        if forms[0] == forms[1] and all(self.is_outer(var) for var, _ in forms[0].terms):
            return atom_dim(atom_of_form(self.reader.builder, forms[0]))
        for (one, two), out in zip(self.pairs, self.vars, strict=True):
            if one is a and two is b:
                return out
        out = self.add(a, b, "size", SIZE)
        self.reader.builder.know_size(out)
        return out

    def is_outer(self, dim: Dim) -> bool:
        """Whether a size is known before the If."""
        return isinstance(dim, int) or not (dim in self.local[0] or dim in self.local[1] or dim in self.vars)

    def before(self, branch: Branch, atom: Atom) -> Atom | None:
        """What a branch computes, computed before the If; None where that can't be had."""
        return Hoisting(self.reader.builder, self.is_outer, self.hoisted).atom(branch.builder, atom)

    def lifted(self, side: int, atom: Atom) -> Atom:
        """An integer or bool that a branch computes, as it is behind the If."""
        if atom not in self.local[side]:
            return atom
        if (side, atom) not in self.lifts:
            other = zero(atom.type)
            self.lifts[side, atom] = self.add(atom if side == 0 else other, other if side == 0 else atom, atom.name, atom.type)
        return self.lifts[side, atom]


def placeholder(outs: Outs, side: int, value: Abstract) -> Abstract:
    """Zeros of the type of a value that the other branch has, for this one (none where a size is unknown there); None for what is no number or array."""
    reader, (empty, full) = outs.reader, (outs.one, outs.two) if side == 0 else (outs.two, outs.one)
    if is_number(value):
        return type(value)(0)
    if is_atom(value):
        return zero(value.type)
    if isinstance(value, Pooled):
        return Pooled(value.pool, size_literal(-1))
    if isinstance(value, tuple):
        items = [placeholder(outs, side, item) for item in value]
        return None if any(item is None for item in items) else remake(value, items)
    if isinstance(value, View):
        with reader.inside(full):
            type_ = load(reader, value).type
        with reader.inside(empty):
            return new_array(reader, zeros(reader.builder, Array(type_.dtype, tuple(dim if outs.is_outer(dim) else 0 for dim in type_.shape))).atom)
    return None
