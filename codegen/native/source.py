"""A compiled function as text."""
from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


class NotCovered(Exception):
    """A construct that `s2s.codegen.native` does not know: Numba's own compiler takes the function."""


@dataclass(frozen=True)
class Source:
    """Its syntax tree, and the module in which it stands."""

    tree: ast.FunctionDef
    file: str
    names: Mapping[str, Any]
    """The module's globals."""
    fastmath: frozenset[str]
    """The liberties that LLVM may take with its floats."""

    @property
    def params(self) -> tuple[str, ...]:
        """The names of its parameters."""
        args = self.tree.args
        if args.vararg or args.kwarg or args.kwonlyargs or args.posonlyargs or args.defaults:
            raise NotCovered("parameters")
        return tuple(arg.arg for arg in args.args)
