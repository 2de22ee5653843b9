"""What variables of the emitted text are called: as the user's, or after what they will be."""
from __future__ import annotations

import re

from s2s.codegen.lowering.liveness import successors
from s2s.transforms.ir.program import Function
from s2s.types import Var


class Naming:
    """The names of one function's values. `anonymous`: names that primitives give, which say nothing to a reader."""

    def __init__(self, function: Function, anonymous: frozenset[str]) -> None:
        self.anonymous, self.successors = anonymous, successors(function)

    def is_named(self, var: Var) -> bool:
        """Whether a Var has the user's (or a rewrite's) name, not that of the primitive that made it."""
        return _stem(var.name) not in self.anonymous

    def hint(self, var: Var) -> str:
        """The user's name, else that of the variable which the array will be later, else a short one."""
        later, seen = var, {var}
        while var.type.shape and not self.is_named(later) and later in self.successors and self.successors[later] not in seen:
            later = self.successors[later]
            seen.add(later)
        if self.is_named(later):
            return later.name
        stem = _stem(var.name)
        return _SHORT.get(stem, stem) + var.name[len(stem):]


def _stem(name: str) -> str:
    """A name without what rewrites add to it: mul of mul_bar, getitem of getitem_tape_1."""
    return _ADDED.sub("", name)


_ADDED = re.compile(r"(_(bar|dot|tape|\d+))+$")
_SHORT = {"reshape": "values", "retype": "values", "reduce_max": "largest", "reduce_min": "smallest", "getitem": "part", "reduce_sum": "total", "contract": "dot", "broadcast": "spread", "setitem": "array", "additem": "array"}
