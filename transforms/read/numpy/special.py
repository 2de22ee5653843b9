"""scipy.special's functions of elements; results have the dtypes of SciPy's own loops (`ufuncs.ufunc`, by_loop)."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s.transforms.primitives import bessel, bessel_integrals, hypergeometric, probabilities, rarer_special, special_of_scipy
from s2s.transforms.primitives.row import Elementwise, Primitive
from s2s.transforms.primitives.scipy_rows import Loops
from s2s.transforms.read.names import within
from s2s.transforms.read.numpy.broadcasting import aligned
from s2s.transforms.read.numpy.building import Operand, unsupported
from s2s.transforms.read.numpy.common import lift
from s2s.types import kind_of

_LETTERS = {"f": "d", "i": "l", "c": "D"}
_WORDS = {"d": "floats", "l": "integers", "D": "complex numbers"}


def special(name: str, loops: Loops) -> Callable[..., Any]:
    """The function that these rows compute: of one row, or of those for the kinds of numbers that it is given."""

    def apply(*operands: Operand) -> Any:
        values = [lift(operand) for operand in operands]
        letters = "".join(_LETTERS[kind_of(value.dtype)] for value in values)
        rows = _rows(loops, letters)
        if not rows:
            kinds = " and ".join(dict.fromkeys(_WORDS[letter] for letter in letters))
            raise unsupported(f"scipy.special.{name} of {kinds} is not supported", instead="a formula of your own, or s2s.register")
        aligned_values = aligned(*values)
        found = tuple(row(*aligned_values) for row in rows)
        return found[0] if len(found) == 1 else found

    return apply


def _rows(loops: Loops, letters: str) -> tuple[Primitive, ...]:
    """Those for operands of these kinds; none, if there are none."""
    if isinstance(loops, Primitive):
        assert isinstance(loops.emission, Elementwise)
        return (loops,) if set(letters) == {"d"} or set(letters) == {"D"} and loops.emission.complex else ()
    found = loops.get(letters, ())
    return (found,) if isinstance(found, Primitive) else found


SPECIAL: dict[str, Callable[..., Any]] = within("scipy.special", **{
    name: special(name, loops) for module in (special_of_scipy.FUNCTIONS, bessel.BESSEL, bessel_integrals.BESSEL_INTEGRALS, rarer_special.RARER_SPECIAL, hypergeometric.HYPERGEOMETRIC, probabilities.PROBABILITIES) for name, loops in module.items()
})  # fmt: skip
"""Qualified name -> the function of Values."""
