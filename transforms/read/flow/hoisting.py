"""Positions of views that a branch or a trip computes, computed before it: they are of what is known there."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s.transforms.integers.affine import Affine
from s2s.transforms.ir.build import Builder
from s2s.transforms.primitives import sizes
from s2s.transforms.read.flow.conditions import is_safe
from s2s.transforms.read.numpy.arguments import made_by
from s2s.types import Atom, Var, size_literal


class Hoisting:
    """Into `outer`. `is_outer`: whether an atom is known there; `done`: what was computed there already, by what it is made of."""

    def __init__(self, outer: Builder, is_outer: Callable[[Any], bool], done: dict[Any, Atom]) -> None:
        self.outer, self.is_outer, self.done = outer, is_outer, done

    def atom(self, inner: Builder, atom: Atom) -> Atom | None:
        """The same value, known in `outer`; None where that can't be had."""
        if not isinstance(atom, Var) or self.is_outer(atom):
            return atom
        form = inner.known_form(atom)
        if all(self.is_outer(var) for var, _ in form.terms):
            return atom_of_form(self.outer, form)
        made = made_by(inner, atom)
        return None if made is None or not is_safe([made]) else self._again(inner, made, atom.name)

    def _again(self, inner: Builder, made: Any, name: str) -> Atom | None:
        ins = tuple(self.atom(inner, each) for each in made.ins)
        if any(each is None for each in ins):
            return None
        key = made.primitive, ins, tuple(made.params.items())
        if key not in self.done:
            with self.outer.at(made.where):
                (self.done[key],) = self.outer.equation(made.primitive, ins, made.params, name=name)  # type: ignore[arg-type]
        return self.done[key]


def atom_of_form(builder: Builder, form: Affine) -> Atom:
    """An atom for a normal form, built from its Vars."""
    total: Atom = size_literal(form.constant)
    for var, coefficient in sorted(form.terms, key=lambda term: term[0].name):
        total = sizes.plus(builder, total, sizes.times(builder, var, coefficient))
    return total
