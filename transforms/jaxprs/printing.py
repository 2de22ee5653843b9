"""Lambdas as text, as JAX 0.10 prints them: names in alphabetical order, a body inside of its equation's brackets."""
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from s2s.transforms.jaxprs.atoms import Atom, Closed, DropVar, Lambda, Literal, Var, jaxprs_in
from s2s.transforms.jaxprs.layout import Doc, brk, concat, group, join, laid_out, nest, text

_LONG = 10
"""A body of more equations than this stands in front, under a name."""


def text_of(jaxpr: Lambda) -> str:
    """The printed form."""
    names = _Names(jaxpr)
    shared = [
        concat(text("let "), text(name), text(" = "), _skeleton(each, names), text(" in"), brk())
        for each, name in names.shared.items()
    ]  # fmt: skip
    return laid_out(concat(*shared, _jaxpr(jaxpr, names)))


class _Names:
    """a, b, …, z, ba, … for variables in the order in which they are printed; names of the bodies that are printed in front."""

    def __init__(self, top: Lambda) -> None:
        self.of: dict[Var, str] = {}
        self.shared = _shared(top)
        self.count = 0

    def __getitem__(self, var: Var) -> str:
        if isinstance(var, DropVar):
            return "_"
        if var not in self.of:
            self.of[var] = self._fresh()
        return self.of[var]

    def _fresh(self) -> str:
        while True:
            number, name = self.count, ""
            self.count += 1
            while not name or number:
                number, letter = divmod(number, 26)
                name = chr(ord("a") + letter) + name
            if name not in self.shared.values():
                return name

    def same(self, inner: Iterable[Atom], outer: Iterable[Atom]) -> None:
        """Variables of a body that is called once: named like those of the call."""
        used: set[Var] = set()
        for mine, theirs in zip(inner, outer, strict=True):
            if isinstance(mine, Var) and isinstance(theirs, Var) and mine not in self.of and theirs not in used:
                used.add(theirs)
                self.of[mine] = self[theirs]


def _shared(top: Lambda) -> dict[Lambda, str]:
    """The bodies that are printed in front, and their names: those that are used twice, or long."""
    counts: Counter[Lambda] = Counter()
    names: dict[Lambda, str] = {}
    waiting = [top]
    while waiting:
        jaxpr = waiting.pop(0)
        counts[jaxpr] += 1 if jaxpr is top or len(jaxpr.eqns) <= _LONG else 2
        for eqn in jaxpr.eqns:
            for inner in jaxprs_in(eqn.params):
                waiting.append(inner)
                if "name" in eqn.params:
                    names.setdefault(inner, eqn.params["name"].strip("<>"))
    taken: Counter[str] = Counter()
    shared: dict[Lambda, str] = {}
    for jaxpr, count in counts.items():
        if count > 1:
            name = names.get(jaxpr, "jaxpr")
            shared[jaxpr] = f"{name}{taken[name]}" if taken[name] else name
            taken[name] += 1
    return shared


def _jaxpr(jaxpr: Lambda, names: _Names) -> Doc:
    return text(names.shared[jaxpr]) if jaxpr in names.shared else _skeleton(jaxpr, names)


def _skeleton(jaxpr: Lambda, names: _Names) -> Doc:
    constants, parameters = _atoms(jaxpr.constvars, names, typed=True), _atoms(jaxpr.invars, names, typed=True)
    equations = join(brk("; "), [_equation(eqn, names) for eqn in jaxpr.eqns])
    results = concat(text("("), _atoms(jaxpr.outvars, names, between=","), text(")" if len(jaxpr.outvars) != 1 else ",)"))
    inside = [text("{ lambda "), constants, text("; "), parameters, text(". let"), nest(2, brk(), equations), brk(), text("in "), results]
    return concat(group(nest(2, *inside)), text(" }"))


def _atoms(atoms: Sequence[Atom], names: _Names, *, between: str = "", typed: bool = False) -> Doc:
    return nest(2, group(join(concat(text(between), group(brk())), [text(_typed(atom, names) if typed else _atom(atom, names)) for atom in atoms])))


def _atom(atom: Atom, names: _Names) -> str:
    return f"{atom.val!r}:{atom.aval.str_short(short_dtypes=True)}" if isinstance(atom, Literal) else names[atom]


def _typed(atom: Atom, names: _Names) -> str:
    return f"{_atom(atom, names)}:{atom.aval.str_short(short_dtypes=True)}"


def _equation(eqn: Any, names: _Names) -> Doc:
    left = _atoms(eqn.outvars, names, typed=True)
    inner = jaxprs_in(eqn.params)
    if eqn.primitive.same_names and inner[0] not in names.shared:
        names.same(inner[0].invars, eqn.invars)
        names.same(inner[0].outvars, eqn.outvars)
    right = concat(text(eqn.primitive.name), _params(eqn, names), text(" "), _atoms(eqn.invars, names))
    return concat(left, text(" = "), right) if eqn.outvars else right


def _params(eqn: Any, names: _Names) -> Doc:
    """[name=… and the others in alphabetical order]."""
    if not eqn.params:
        return concat()
    keys = sorted(eqn.params, key=lambda key: (key != "name", key))
    pairs = [concat(text(f"{key}="), _param(eqn.params[key], names)) for key in keys]
    return group(nest(2, text("["), brk(""), join(brk(), pairs)), brk(""), text("]"))


def _param(value: Any, names: _Names) -> Doc:
    if isinstance(value, Lambda | Closed):
        return _jaxpr(value.jaxpr if isinstance(value, Closed) else value, names)
    if isinstance(value, tuple) and value and all(isinstance(each, Lambda | Closed) for each in value):
        bodies = [_param(each, names) for each in value]
        return group(nest(2, text("("), brk(""), join(brk(), bodies)), brk(""), text(")"))
    return text(re.sub(r" at 0x([0-9a-fA-F]+)", lambda found: " at 0x" + "X" * len(found[1]), str(value)))


__all__ = ["text_of"]
