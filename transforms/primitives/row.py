"""What one primitive is: a row of the table. No field has a default, so that nothing can be forgotten.

    sin = elementwise("sin", np.sin, partials=lambda ans, x: (cos(x),), text="np.sin(a)", scalar="sin(a)", …)

A row called with Values appends its equation: rules are written `cos(x) * x_dot`. What a Value is, a row need not know (`Operand`).
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, Protocol, Self, TypeVar

import numpy as np

from s2s.records import dataclass
from s2s.types import Array


class Nothing(Enum):
    """The ways in which a rule can be absent on purpose."""

    ZERO = "its derivative is zero everywhere it exists (integers, comparisons, rounding)"
    NOT_LINEAR = "it is linear in none of its operands, so that it has no transpose"


ZERO, NOT_LINEAR = Nothing.ZERO, Nothing.NOT_LINEAR


@dataclass(frozen=True)
class NotYet:
    """A rule that is missing, and why: shown to a user who needs it."""

    why: str


class Cost(Enum):
    """What recomputing an equation costs, for the choice between taping and recomputing."""

    FREE = 0
    """A view, a size, an index, a rearrangement, integer arithmetic."""
    CHEAP = 1
    """A few operations an element: + - * /, comparisons, where."""
    FUNCTION = 2
    """A transcendental function an element."""
    HEAVY = 3
    """More than one pass: reductions, products, scatters."""


@dataclass(frozen=True)
class Elementwise:
    """Text of an elementwise primitive over operands a, b, c: a NumPy expression for arrays and one for scalars in
    Numba loops. Both are Python expressions, parsed once by codegen. The names that may stand in them, besides a, b, c:

    - a static parameter of the row (`exponent`, `dtype`): its value stands there (`np.float32` for a dtype);
    - `np.…`, in both; in `scalar` also a function of `math` by its bare name, or one of `scalar_helpers.HELPERS`, whose
      source codegen copies into the module; in `array` one of these, called for each element, or one of `OF_ARRAYS`, called once.

    `complex`: the scalar text for complex operands, where `math` has none ("": the same as `scalar`). Constants don't
    stand in scalar texts, unless `widens` says that the text gives float64s of float32s, too. What codegen has to do itself: Numba widens int32 to int64 in `a + b` and complex64 in
    `a ** n`, so results of 32-bit types are cast back (`np.int32(a + b)`).
    """

    array: str
    scalar: str
    complex: str = ""
    widens: bool = False


class Structural(Enum):
    """The primitive moves, selects, reduces or multiplies arrays: each codegen target has its own lowering of it."""

    STRUCTURAL = "lowered by each target"


STRUCTURAL = Structural.STRUCTURAL


@dataclass(frozen=True)
class Written:
    """The primitive is what other rows make of its operands: `of(*ins, **params)` gives its one out as a Value. Each target lowers those rows."""

    of: Callable[..., Any]


class Storage(Enum):
    """Where the elements of a row's first out may be: what decides which arrays share a variable, and which stores go in place."""

    NEW = "in storage of its own, or nowhere yet"
    STORES = "in operand 0's own storage, changed in place where nobody needs the old elements"
    RENAMES = "in operand 0's own storage, unchanged: another name for it"


NEW, STORES, RENAMES = Storage.NEW, Storage.STORES, Storage.RENAMES


@dataclass(frozen=True)
class Sample:
    """One point at which a row is tested: `make(rng)` gives the operands (arrays, ints for sizes and indices).

    `wrt`: the operands to differentiate at this point. `params`: the static parameters.
    """

    make: Callable[[np.random.Generator], tuple[Any, ...]]
    params: dict[str, Any]
    wrt: tuple[int, ...]


@dataclass(frozen=True)
class Out:
    """In an inferred type, the dimension given by this equation's own out number `number` (a count found at run time)."""

    number: int


class Operand(Protocol):
    """What a row is called with: an atom in a block that is being built (`value.Value`)."""

    def applied(self, row: Primitive, ins: tuple[Self, ...], params: Mapping[str, Any]) -> tuple[Self, ...]:
        """Append outs = row(ins; params) to that block."""


V = TypeVar("V", bound=Operand)
Infer = Callable[..., tuple[Array, ...]]
"""infer(ins: tuple[Atom, ...], **params): the outs' types; raises ShapeError or ArgumentTypeError on a misfit."""
Jvp = Callable[..., tuple[Any, ...]]
"""jvp(dots, ins, outs, **params): the outs' tangents (Values) from the operands' (None: zero)."""
Transpose = Callable[..., tuple[Any, ...]]
"""transpose(bars, ins, linear, **params): the operands' cotangents (`value.Cotangent`; None: zero, or not linear) from the outs' (None: zero).
`linear[k]` says whether operand k is a linear input; the *value* of a linear input must not be used, its type may."""
Batch = Callable[..., tuple[tuple[Any, ...], tuple[bool, ...]]]
"""batch(primitive, ins, batched, size, **params): outs with a leading batch axis of this size, and which outs have one."""


@dataclass(frozen=True, eq=False)
class Primitive:
    """A row. `evaluate(*ins, **params)` is its meaning in NumPy: one value, or a tuple where it has several outs."""

    name: str
    infer: Infer
    evaluate: Callable[..., Any]
    jvp: Jvp | Nothing | NotYet
    transpose: Transpose | Nothing | NotYet
    batch: Batch | NotYet
    cost: Cost
    emission: Elementwise | Structural | Written
    storage: Storage
    samples: tuple[Sample, ...]

    def __call__(self, *ins: V, **params: Any) -> V:
        """Append this primitive's equation to the block of the operands; the out (of the one-out rows)."""
        (out,) = self.outs(*ins, **params)
        return out

    def outs(self, *ins: V, **params: Any) -> tuple[V, ...]:
        """As calling it, for rows with several outs."""
        return ins[0].applied(self, ins, params)

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Operators:
    """The rows that a Value's operators and methods append."""

    add: Primitive
    sub: Primitive
    mul: Primitive
    div: Primitive
    neg: Primitive
    less: Primitive
    less_equal: Primitive
    greater: Primitive
    greater_equal: Primitive
    equal: Primitive
    select: Primitive
    broadcast: Primitive
    retype: Primitive
    reduce_sum: Primitive
