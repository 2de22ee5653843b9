"""The jaxpr notation: what a program looks like to who knows JAX's. This is its whole grammar.

    { lambda a:f64[3]; b:f64[3]. let c:f64[3] = add b a in (c,) }
             constvars  invars       one equation for each line  outvars

All sizes are numbers. An equation says all that it does: `eqn.primitive.bind(*values, **eqn.params)` computes it, loops and branches too, whose
bodies are jaxprs among the parameters. So an interpreter of jaxprs that is written for JAX runs these as well.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError, Location
from s2s.transforms.jaxprs.atoms import Atom, Closed, DropVar, Lambda, Literal, ShapedArray, Var, jaxprs_in
from s2s.transforms.jaxprs.printing import text_of


@dataclass(frozen=True)
class Primitive:
    """What an equation does. Two of one name are equal; `run(*values, **params)` computes it, `known` are the parameters that it can be computed with (None: any)."""

    name: str
    run: Callable[..., Any] = field(compare=False, repr=False)
    multiple_results: bool = field(default=False, compare=False, repr=False)
    known: Mapping[str, Any] | None = field(default=None, compare=False, repr=False)
    effect: bool = field(default=False, compare=False, repr=False)
    same_names: bool = field(default=False, compare=False, repr=False)
    """Whether its body is printed with the names of the equation's own variables."""

    def bind(self, *args: Any, **params: Any) -> Any:
        """The result for these values; a list where there are several.

        Raises
        ------
        ArgumentTypeError
            A TypeError: parameters that are not the equation's.
        """
        if self.known is not None and {**params} != {**self.known}:
            raise ArgumentTypeError(f"{self.name}.bind with parameters that are not the equation's", instead=f"bind(*values, **eqn.params): {dict(self.known)}")
        return self.run(*args, **params)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, eq=False)
class JaxprEqn:
    """outvars = primitive[params] invars. `source_info`: the user's line."""

    invars: tuple[Atom, ...]
    outvars: tuple[Var, ...]
    primitive: Primitive
    params: Mapping[str, Any]
    source_info: Location

    @property
    def effects(self) -> frozenset[str]:
        """What it does besides giving results."""
        return frozenset({self.primitive.name}) if self.primitive.effect else frozenset[str]().union(*(inner.effects for inner in jaxprs_in(self.params)))


@dataclass(frozen=True, eq=False)
class Jaxpr(Lambda):
    """{ lambda constvars; invars. let eqns in outvars }."""

    constvars: tuple[Var, ...]
    invars: tuple[Var, ...]
    outvars: tuple[Atom, ...]
    eqns: tuple[JaxprEqn, ...]

    def __str__(self) -> str:
        return text_of(self)

    __repr__ = __str__


@dataclass(frozen=True, eq=False)
class ClosedJaxpr(Closed):
    """A jaxpr and the values of its constvars.

    >>> import s2s
    >>> closed = s2s.make_jaxpr(lambda x: x * 2.0)(1.0)
    >>> closed, closed.in_avals
    ({ lambda ; a:f64[]. let b:f64[] = mul a 2.0:f64[] in (b,) }, [ShapedArray(float64[], weak_type=True)])
    """

    jaxpr: Jaxpr
    consts: list[Any]

    @property
    def in_avals(self) -> list[ShapedArray]:
        return [var.aval for var in self.jaxpr.invars]

    @property
    def out_avals(self) -> list[ShapedArray]:
        return [atom.aval for atom in self.jaxpr.outvars]

    @property
    def eqns(self) -> tuple[JaxprEqn, ...]:
        return self.jaxpr.eqns

    @property
    def literals(self) -> list[Any]:
        """JAX's other name for `consts`."""
        return self.consts

    @property
    def effects(self) -> frozenset[str]:
        return self.jaxpr.effects

    def __str__(self) -> str:
        return str(self.jaxpr)

    __repr__ = __str__


def eval_jaxpr(jaxpr: Jaxpr, consts: Sequence[Any], *args: Any) -> list[Any]:
    """The results of a jaxpr, run by NumPy equation by equation.

    Raises
    ------
    ArgumentTypeError
        A TypeError: another number of constants or arguments, or arguments of other shapes or dtypes than the jaxpr is made for.
    ValueError, IndexError, …
        What the program checks.

    >>> import s2s
    >>> closed = s2s.make_jaxpr(lambda x, y: (x + y, x * y))(2.0, 3.0)
    >>> s2s.core.eval_jaxpr(closed.jaxpr, closed.consts, 4.0, 5.0)
    [np.float64(9.0), np.float64(20.0)]
    """
    given = [*consts, *args]
    wanted = (*jaxpr.constvars, *jaxpr.invars)
    if len(consts) != len(jaxpr.constvars) or len(given) != len(wanted):
        raise ArgumentTypeError(
            f"a jaxpr of {len(jaxpr.constvars)} constants and {len(jaxpr.invars)} arguments was given {len(consts)} and {len(args)}",
            instead="eval_jaxpr(closed.jaxpr, closed.consts, *leaves of the arguments)",
        )
    env: dict[Var, Any] = {var: _as(value, var.aval) for var, value in zip(wanted, given, strict=True)}
    for eqn in jaxpr.eqns:
        found = eqn.primitive.bind(*(_value(atom, env) for atom in eqn.invars), **eqn.params)
        env.update(zip(eqn.outvars, found if eqn.primitive.multiple_results else [found], strict=True))
    return [_value(atom, env) for atom in jaxpr.outvars]


def _value(atom: Atom, env: Mapping[Var, Any]) -> Any:
    return atom.aval.dtype.type(atom.val) if isinstance(atom, Literal) else env[atom]


def _as(value: Any, aval: ShapedArray) -> Any:
    """A value of exactly this type; a Python number is taken as one of its dtype."""
    array = np.asarray(value, aval.dtype) if type(value) in (bool, int, float, complex) else np.asarray(value)
    if (array.shape, array.dtype) != (aval.shape, aval.dtype):
        found = ShapedArray(array.shape, array.dtype)
        raise ArgumentTypeError(f"a jaxpr for {aval.str_short()} was given {found.str_short()}", instead="make_jaxpr with arguments of these shapes and dtypes")
    return array[()]


def jaxpr_as_fun(closed: ClosedJaxpr) -> Callable[..., list[Any]]:
    """A function of the arguments' leaves that gives the list of results."""
    return lambda *args: eval_jaxpr(closed.jaxpr, closed.consts, *args)


__all__ = ["Atom", "ClosedJaxpr", "DropVar", "Jaxpr", "JaxprEqn", "Literal", "Primitive", "ShapedArray", "Var", "eval_jaxpr", "jaxpr_as_fun"]
