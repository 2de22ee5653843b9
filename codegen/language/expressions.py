"""Expressions of the loop language: small frozen nodes that can be compared, searched, replaced (`printing.text` writes them as Python).

    Op(MULTIPLY, (Name("x"), Load("u", (total((Name("i"), 1), constant=1),))))   is printed as   x * u[i + 1]

What an `Op` does is a value, an `Operation` of the table in `operations`: its facts are fields there, and nobody asks its text.
"""
from __future__ import annotations

import math
from collections.abc import Callable
from enum import Enum, IntEnum
from functools import lru_cache
from operator import attrgetter
from types import EllipsisType
from typing import Any, ClassVar, Union

import numpy as np

from s2s.errors import NOWHERE, Location
from s2s.records import cached_property, dataclass, field
from s2s.transforms.integers.affine import Affine

# ---- operations -----------------------------------------------------------------------------------------------------


class Precedence(IntEnum):
    """How tightly Python binds, loosest first."""

    TEST = 0
    OR = 1
    AND = 2
    NOT = 3
    COMPARE = 4
    BIT_OR = 5
    BIT_XOR = 6
    BIT_AND = 7
    SHIFT = 8
    SUM = 9
    PRODUCT = 10
    SIGN = 11
    POWER = 12
    ATOM = 13


@dataclass(frozen=True)
class Infix:
    """a + b; `rightmost`: a ** (b ** c) needs no parentheses, (a ** b) ** c does."""

    symbol: str
    precedence: Precedence
    rightmost: bool = False


@dataclass(frozen=True)
class Prefix:
    """-a, not a."""

    symbol: str
    precedence: Precedence


@dataclass(frozen=True)
class Logic:
    """a and b and c."""

    symbol: str
    precedence: Precedence


@dataclass(frozen=True)
class Chain:
    """a < b; with several symbols a <= b < c."""

    symbols: tuple[str, ...]


@dataclass(frozen=True)
class Choice:
    """b if a else c."""


@dataclass(frozen=True)
class Called:
    """function(a, b)."""

    function: str


@dataclass(frozen=True)
class Method:
    """a.method(b, c)."""

    name: str


@dataclass(frozen=True)
class Attribute:
    """a.name."""

    name: str


@dataclass(frozen=True)
class Formula:
    """An expression over `Operand`s, each of which may stand more than once."""

    body: Expr


Written = Union[Infix, Prefix, Logic, Chain, Choice, Called, Method, Attribute, Formula]


class Pace(Enum):
    """What an operation takes beside memory traffic."""

    NONE = "nothing: it only says again what dtype its operand has"
    ARITHMETIC = "as long as an addition or a multiplication, in vector units"
    LIGHT = "a cycle or so, in vector units"
    DEAR = "longer, or who knows"


@dataclass(frozen=True, eq=False)
class Operation:
    """What is done to operands. Each is made once (in `operations`, or from a row's notation), so that two are the same one or differ.

    `name`: it, over operands a, b, c, for errors and for orders that must be the same in each run; `written`: how Python writes it;
    the other fields are what passes want to know.
    """

    name: str
    written: Written
    pace: Pace = Pace.DEAR
    compares: bool = False
    """Its outcome may jump where an operand changes in the last digit."""
    augments: bool = False
    """x = x + a is written x += a."""
    raises: bool = False
    """Of Python's numbers, where NumPy's arrays have an inf, a nan or a 0."""

    def __repr__(self) -> str:
        return f"<{self.name}>"

    @cached_property
    def parts(self) -> tuple[Operation, ...]:
        """The operations that a formula is made of; itself, if it is none."""
        if not isinstance(self.written, Formula):
            return (self,)
        return tuple(part.operation for part in walk(self.written.body) if isinstance(part, Op))

    @cached_property
    def functions(self) -> frozenset[str]:
        """The functions that it calls, by name."""
        return frozenset(part.written.function for part in self.parts if isinstance(part.written, Called))

    @cached_property
    def repeated(self) -> frozenset[int]:
        """The operands that stand more than once."""
        if not isinstance(self.written, Formula):
            return frozenset()
        found = [part.number for part in walk(self.written.body) if isinstance(part, Operand)]
        return frozenset(number for number in found if found.count(number) > 1)


# ---- nodes ----------------------------------------------------------------------------------------------------------


class _Node:
    """What passes ask of every expression, found once for each: it does not change, and most passes keep most of them."""

    @cached_property
    def inside(self) -> tuple[Expr, ...]:
        """All expressions inside it, outer before inner, from left to right."""
        own = _CHILDREN[type(self)](self)
        if not own:
            return ()
        found: list[Expr] = []
        for inner in own:
            found.append(inner)
            found += inner.inside
        return tuple(found)

    @cached_property
    def names(self) -> frozenset[str]:
        """Every variable that it reads, arrays included."""
        return frozenset(self._own_names()).union(*[each.names for each in _CHILDREN[type(self)](self)])

    @cached_property
    def operations(self) -> frozenset[Operation]:
        """Every operation in it."""
        return frozenset([part.operation for part in walk(self) if type(part) is Op])  # type: ignore[arg-type]

    def _own_names(self) -> tuple[str, ...]:
        return ()


class _Leaf(_Node):
    """An expression without others inside."""

    inside: ClassVar[tuple[Expr, ...]] = ()
    operations: ClassVar[frozenset[Operation]] = frozenset()

    @cached_property
    def names(self) -> frozenset[str]:
        """See `_Node`."""
        return frozenset(self._own_names())


@dataclass(frozen=True)
class Name(_Leaf):
    """A Python variable."""

    id: str

    def _own_names(self) -> tuple[str, ...]:
        return (self.id,)


@dataclass(frozen=True)
class Number(_Leaf):
    """A Python number or bool; -0.0 and 0.0, 1 and 1.0 and True are different."""

    value: bool | int | float | complex = field(compare=False)
    text: str = field(init=False, repr=False)
    """As Python writes it: what two of them are compared by."""

    def __post_init__(self) -> None:
        is_complex = isinstance(self.value, complex)
        text = f"complex({_real(self.value.real)}, {_real(self.value.imag)})" if is_complex else _real(self.value)  # type: ignore[arg-type]
        object.__setattr__(self, "text", text)


def _real(value: bool | int | float) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return "np.nan" if math.isnan(value) else "np.inf" if value > 0 else "-np.inf"
    return repr(value)


@dataclass(frozen=True)
class Constant(_Leaf):
    """A text, None, `...`, or 1j."""

    value: str | EllipsisType | complex | None


@dataclass(frozen=True)
class Type(_Leaf):
    """np.float32: a dtype as an argument."""

    dtype: np.dtype


@dataclass(frozen=True)
class Operand(_Leaf):
    """An operand of a `Formula`."""

    number: int


@dataclass(frozen=True)
class Load(_Node):
    """array[index]."""

    array: str
    index: tuple[Expr, ...]
    where: Location = field(default=NOWHERE, compare=False)
    """The user's code that it stems from, where that may be another line than its statement's (numpy target)."""

    def _own_names(self) -> tuple[str, ...]:
        return (self.array,)


@dataclass(frozen=True)
class Length(_Leaf):
    """array.shape[axis]."""

    array: str
    axis: int

    def _own_names(self) -> tuple[str, ...]:
        return (self.array,)


@dataclass(frozen=True)
class Op(_Node):
    """An operation on operands."""

    operation: Operation
    operands: tuple[Expr, ...]


@dataclass(frozen=True)
class Sum(_Node):
    """constant + sum of coefficient * term, of int64s; terms sorted, so that equal sums are equal. Built by `total`."""

    terms: tuple[tuple[Expr, int], ...]
    constant: int

    @property
    def form(self) -> Affine[Expr]:
        """As what integers are reasoned about with."""
        return Affine(self.constant, self.terms)


@dataclass(frozen=True)
class Slice(_Node):
    """start:stop:step inside an index (numpy target)."""

    start: Expr | None
    stop: Expr | None
    step: int = 1


@dataclass(frozen=True)
class Invoke(_Node):
    """function(*args, **keywords): a call of a library's function by name (numpy target)."""

    function: str
    args: tuple[Expr, ...]
    keywords: tuple[tuple[str, Expr], ...] = ()
    where: Location = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class Part(_Node):
    """base[index] where base is any expression (numpy target); items may be Slices and Constants such as None."""

    base: Expr
    index: tuple[Expr, ...]
    where: Location = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class Tuple(_Node):
    """(a, b): a shape or several results."""

    items: tuple[Expr, ...]


@dataclass(frozen=True)
class Formatted(_Node):
    """message.format(*values), as an f-string (numpy target)."""

    message: str
    values: tuple[Expr, ...]


@dataclass(frozen=True)
class Filled(_Node):
    """The arguments of a call as Python, with values in the {} of their text: an exception's (`program.Check.made`, numpy target)."""

    template: str
    values: tuple[Expr, ...]


Expr = Union[Name, Number, Constant, Type, Operand, Load, Length, Op, Sum, Slice, Invoke, Part, Tuple, Formatted, Filled]


@lru_cache(maxsize=1024)
def integer(value: int) -> Expr:
    """An int constant. Most of them are the same few."""
    return Number(int(value))


def as_int(expr: Expr) -> int | None:
    """The value of an int constant, None for anything else."""
    return expr.value if isinstance(expr, Number) and type(expr.value) is int else None


def total(*terms: tuple[Expr, int], constant: int = 0) -> Expr:
    """constant + sum of coefficient * term, flattened and collected."""
    form: Affine[Expr] = Affine(constant)
    for term, coefficient in terms:
        form = form + form_of(term) * coefficient
    rest = sorted(form.terms, key=lambda item: (item[1] < 0, order(item[0])))
    if not rest:
        return integer(form.constant)
    if form.constant == 0 and len(rest) == 1 and rest[0][1] == 1:
        return rest[0][0]
    return Sum(tuple(rest), form.constant)


def form_of(expr: Expr) -> Affine[Expr]:
    """An integer as a sum of expressions that are none."""
    value = as_int(expr)
    return Affine(value) if value is not None else expr.form if isinstance(expr, Sum) else Affine.of(expr)


def plus(a: Expr, b: Expr) -> Expr:
    """a + b of int64s."""
    return total((a, 1), (b, 1))


def minus(a: Expr, b: Expr) -> Expr:
    """a - b of int64s."""
    return total((a, 1), (b, -1))


def order(expr: Expr) -> tuple[object, ...]:
    """What expressions are sorted by: the same in each run."""
    kind = type(expr).__name__
    match expr:
        case Name():
            return kind, expr.id
        case Load():
            return kind, expr.array, *map(order, expr.index)
        case Length():
            return kind, expr.array, expr.axis
        case Op():
            return kind, expr.operation.name, *map(order, expr.operands)
        case Number():
            return kind, expr.text
        case Sum():
            return kind, *((order(term), str(factor)) for term, factor in expr.terms), (("",), str(expr.constant))
        case Invoke():
            return kind, expr.function, *map(order, expr.args)
        case _:
            return kind, *map(order, children(expr))


def children(expr: Expr) -> tuple[Expr, ...]:
    """The expressions directly inside."""
    return _CHILDREN[type(expr)](expr)


def _none(expr: Expr) -> tuple[Expr, ...]:
    return ()


_CHILDREN: dict[type, Callable[[Any], tuple[Expr, ...]]] = {
    **dict.fromkeys((Name, Number, Constant, Type, Operand, Length), _none), Op: attrgetter("operands"), Load: attrgetter("index"),
    Sum: lambda expr: tuple([term for term, _ in expr.terms]), Slice: lambda expr: tuple(bound for bound in (expr.start, expr.stop) if bound is not None),
    Invoke: lambda expr: (*expr.args, *(value for _, value in expr.keywords)), Part: lambda expr: (expr.base, *expr.index), Tuple: attrgetter("items"),
    **dict.fromkeys((Formatted, Filled), attrgetter("values")),
}  # fmt: skip


def walk(expr: Expr) -> tuple[Expr, ...]:
    """The expression and all inside it, outer before inner, from left to right."""
    return (expr, *expr.inside)


def size(expr: Expr) -> int:
    """How many nodes it has."""
    return 1 + len(expr.inside)


def names_read(expr: Expr) -> frozenset[str]:
    """Every variable that it reads, arrays included."""
    return expr.names
