"""What stands in a jaxpr: variables, numbers, their types; and what a jaxpr looks like to who prints it."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Union

import numpy as np

_KINDS = {"b": "bool", "i": "i", "u": "u", "f": "f", "c": "c"}


@dataclass(frozen=True)
class ShapedArray:
    """What an array is like. `weak_type`: it came from a Python number.

    >>> ShapedArray((2, 3), np.dtype("float32"))
    ShapedArray(float32[2,3])
    """

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    weak_type: bool = False

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def sharding(self) -> None:
        """How it lies on devices: all of it on the host."""
        return None

    def str_short(self, short_dtypes: bool = False) -> str:
        """float32[2,3], or f32[2,3]."""
        name = self.dtype.name
        if short_dtypes and self.dtype.kind != "b":
            name = f"{_KINDS[self.dtype.kind]}{8 * self.dtype.itemsize}"
        return f"{name}[{','.join(map(str, self.shape))}]"

    def __repr__(self) -> str:
        return f"ShapedArray({self.str_short()}{', weak_type=True' if self.weak_type else ''})"


@dataclass(frozen=True, eq=False)
class Var:
    """A value that is bound once; compared by identity."""

    aval: ShapedArray

    def __repr__(self) -> str:
        return f"Var(id={id(self)}):{self.aval.str_short()}"


class DropVar(Var):
    """What nobody reads: printed as `_`."""

    def __repr__(self) -> str:
        return "_"


@dataclass(frozen=True)
class Literal:
    """A number that stands in an equation."""

    val: Any
    aval: ShapedArray

    def __repr__(self) -> str:
        return f"Literal({self.val})"


Atom = Union[Var, Literal]


class Lambda:
    """{ lambda constvars; invars. let eqns in outvars }."""

    constvars: tuple[Var, ...]
    invars: tuple[Var, ...]
    outvars: tuple[Atom, ...]
    eqns: tuple[Any, ...]

    @property
    def effects(self) -> frozenset[str]:
        """What it does besides giving results."""
        return frozenset[str]().union(*(eqn.effects for eqn in self.eqns))


class Closed:
    """A `Lambda` whose constants are known."""

    jaxpr: Any


def jaxprs_in(params: Mapping[str, Any]) -> list[Lambda]:
    """The jaxprs among an equation's parameters."""
    found: list[Lambda] = []
    for value in params.values():
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, Lambda | Closed):
                found.append(each if isinstance(each, Lambda) else each.jaxpr)
    return found


__all__ = ["Atom", "Closed", "DropVar", "Lambda", "Literal", "ShapedArray", "Var", "jaxprs_in"]
