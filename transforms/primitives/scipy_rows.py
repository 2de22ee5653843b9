"""How a row for one of SciPy's own C functions is made: what it takes by letters, as SciPy writes the loops of its universal functions.

    "d": a float, "l": an int64, "D": a complex number.      "dD": a float and a complex number
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError, ShapeError
from s2s.records import replace
from s2s.transforms.primitives.families import KINDS, Domain, Infer, Missing, Partials, draw, elementwise, same_types
from s2s.transforms.primitives.row import Nothing, NotYet, Primitive, Sample
from s2s.transforms.primitives.special import of_scipy
from s2s.transforms.primitives.value import Value
from s2s.types import Array, Atom, kind_of

_KINDS = {"d": "f", "l": "i", "D": "c"}
_SHAPES: tuple[tuple[int, ...], ...] = ((), (4,))


def scipy_row(
    name: str, partials: Partials | Nothing | NotYet, *domains: Domain, own_name: str = "", only: tuple[int, ...] | None = None, takes: str = "", part: int = -1,
    is_complex: bool = False,
) -> Primitive:  # fmt: skip
    """A row for scipy.special's function of this name.

    `own_name`: the row's, and the C function's (`scipy_functions.C_FUNCTIONS`), where users call variables like the function. `only`: the operands that have
    derivatives, if not all. `takes`: a letter for each operand; floats, if it is not given. `part`: which of the function's results it is, if it has several.
    `is_complex`: it takes complex numbers as well, of which `complex_…` is the C function.
    """
    operands, own = ", ".join("abcdefgh"[: len(domains)]), own_name or name
    takes = takes or "d" * len(domains)
    kind, is_mixed = _KINDS[takes[0]], len(set(takes)) > 1
    row = elementwise(
        own, _evaluate(name, part, takes), partials=partials, array=f"scipy.special.{name}({operands})" + (f"[{part}]" if part >= 0 else ""), scalar=f"{own}({operands})",
        complex_scalar=f"complex_{own}({operands})" if is_complex else "", domains=domains, dtypes=f"{kind}c" if is_complex else kind, widens=True, wrt=only,
        infer=_by_letters(own, takes) if is_mixed else same_types,
    )  # fmt: skip
    kinds = [takes, "D" * len(takes)] if is_complex else [takes]
    return replace(row, samples=tuple(sample for letters in kinds for sample in _samples(domains, letters, only if callable(partials) else ())))


def _leading(takes: str) -> int:
    """The operand of whose dtype the result is: a complex one, or a float."""
    return takes.index("D" if "D" in takes else "d")


def _evaluate(name: str, part: int, takes: str) -> Callable[..., Any]:
    whole, leading = of_scipy(name), _leading(takes)

    def evaluate(*operands: Any) -> Any:
        found = whole(*operands)
        return (found if part < 0 else found[part]).astype(operands[leading].dtype)

    return evaluate


def _by_letters(name: str, takes: str) -> Infer:
    """Operands of these kinds and of one shape."""

    def infer(ins: tuple[Atom, ...]) -> tuple[Array, ...]:
        types = [atom.type for atom in ins]
        if any(kind_of(each.dtype) != _KINDS[letter] for each, letter in zip(types, takes, strict=True)):
            raise ArgumentTypeError(f"{name} does not take operands of types {', '.join(map(str, types))}")
        if len({each.shape for each in types}) > 1:
            raise ShapeError(f"operands of different shapes: {', '.join(map(str, types))}")
        return (types[_leading(takes)].strong(),)

    return infer


def _samples(domains: tuple[Domain, ...], takes: str, only: tuple[int, ...] | None) -> tuple[Sample, ...]:
    """Operands of these kinds; integers are rounded and not spread, since they are orders and counts."""

    def sample(shape: tuple[int, ...]) -> Sample:
        def make(rng: np.random.Generator) -> tuple[object, ...]:
            floats = draw(domains, shape, np.dtype(np.float64))(rng)
            drawn = [np.round(each) if letter == "l" else each + 0.25j if letter == "D" else each for letter, each in zip(takes, floats, strict=True)]
            return tuple(np.asarray(each).astype(KINDS[_KINDS[letter]]) for letter, each in zip(takes, drawn, strict=True))

        return Sample(make, {}, tuple(k for k, letter in enumerate(takes) if letter != "l") if only is None else only)

    return tuple(sample(shape) for shape in _SHAPES)


def missing(what: str, name: str, instead: str = "s2s.custom_jvp with a formula of your own, or differences") -> Missing:
    """The partial derivative by an order or a shape that has no formula."""
    return Missing(f"the derivative of scipy.special.{name} with respect to {what}", instead)


def unknown(name: str) -> NotYet:
    """Of a function that has none by any of its arguments."""
    return NotYet(f"no function of SciPy's gives the derivative of scipy.special.{name}")


def before(order: Value) -> Value:
    """The order less one; 0 of order 0, whose derivatives have nothing of it."""
    return order.equals(0).where(0, order - 1)


Loops = Primitive | Mapping[str, Primitive | tuple[Primitive, ...]]
"""What computes a function: a row of any floats (and complex numbers, where it says so), or rows by the letters of what they take, one for each result."""


def rows_of(functions: dict[str, Loops]) -> tuple[Primitive, ...]:
    """All of the rows, each once."""
    loops = [each for named in functions.values() for each in ([named] if isinstance(named, Primitive) else named.values())]
    return tuple(dict.fromkeys(row for each in loops for row in (each if isinstance(each, tuple) else (each,))))
