"""Types of the program's values: arrays with a dtype and dimensions that are numbers or symbols.

A dimension is an `int` that the user's code fixes (often the literal 1), or a `Var`: a run-time int64 scalar of the
program (a parameter's length, a loop index, `n - 1`). Types therefore depend on values, and two dimensions are known
to be equal exactly when they are the same object (`transforms.build` gives equal integer expressions the same Var).
"""
from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, Union

import numpy as np

from s2s.errors import TakenForKnownError
from s2s.records import cached_property, dataclass, field, replace

T = TypeVar("T")


def _refused(self: object, *given: object, **options: object) -> NoReturn:
    del given, options
    raise TakenForKnownError(f"a value that is known at run time only ({type(self).__name__}) was used as if it were known")


def refusing(names: str) -> Callable[[type[T]], type[T]]:
    """Make these special methods of a class raise."""

    def decorate(cls: type[T]) -> type[T]:
        for name in names.split():
            setattr(cls, f"__{name}__", _refused)
        return cls

    return decorate


@refusing(
    "bool len iter contains reversed next int float complex index round trunc floor ceil array lt le gt ge neg pos abs invert"
    " add sub mul truediv floordiv mod divmod pow matmul radd rsub rmul rtruediv rfloordiv rmod rdivmod rpow rmatmul"
    " and or xor lshift rshift rand ror rxor rlshift rrshift"
)
class Opaque:
    """What stands for a value that is known at run time only: Python itself can't look into it.

    Python's own operators, functions and methods, given one by mistake, would compare identities or complain about the class; here
    each use raises, so that nothing that was forgotten gives a number. Subclasses define what they can do.
    """

    __slots__ = ()


@dataclass(eq=False, slots=True)
class Var(Opaque):
    """A named value of the program, assigned once. Compared by identity: `name` is a hint (the reader may set it)."""

    name: str
    type: Array

    def __bool__(self) -> bool:
        return True  # the rewrites write `found or other` for what may be None; the reader asks `truth_of`

    def __repr__(self) -> str:
        return self.name


_PYTHON = {"b": "bool", "i": "int", "f": "float", "c": "complex"}


@dataclass(frozen=True)
class Array:
    """dtype and dimensions; rank 0 is a scalar. `weak`: came from a Python number (NEP 50), promotes like one. `boxed`: of a parameter that the
    caller gives as an array without axes; `stream`: of one that is the memory of a random generator; `fortran`: of one that lies in Fortran order, and not in C's; `strides`: of one whose layout in memory the call tells; `example`: of a loop's index that is the number of
    an example of a batch, which errors name. No part of what the type is to the program.
    """

    dtype: np.dtype
    shape: tuple[Dim, ...] = ()
    weak: bool = False
    boxed: bool = field(default=False, compare=False)
    stream: bool = field(default=False, compare=False)
    fortran: bool = field(default=False, compare=False)
    example: bool = field(default=False, compare=False)
    strides: tuple[int, ...] | None = field(default=None, compare=False)
    wide: bool = field(default=False, compare=False)
    """Of a parameter that is a Python int: whether it may have more than 32 bits."""
    told: Any = field(default=None, compare=False)
    """The elements of a parameter that the call tells, as `tolist()` gives them."""

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @cached_property
    def dims(self) -> tuple[Var, ...]:
        """The dimensions that are symbols."""
        return tuple([dim for dim in self.shape if type(dim) is Var])

    def with_shape(self, shape: tuple[Dim, ...]) -> Array:
        return Array(self.dtype, tuple(shape))

    def with_dtype(self, dtype: np.dtype) -> Array:
        return Array(np.dtype(dtype), self.shape)

    def strong(self) -> Array:
        return replace(self, weak=False) if self.weak else self

    @property
    def words(self) -> str:
        """The type in messages for users: f8[n], Python float."""
        return f"Python {_PYTHON[self.dtype.kind]}" if self.weak and not self.shape else str(replace(self, weak=False))

    def __str__(self) -> str:
        name = short_name(self.dtype) + ("*" if self.weak else "")
        return name + (f"[{', '.join(str(dim) for dim in self.shape)}]" if self.shape else "")


@dataclass(frozen=True)
class Literal(Opaque):
    """A scalar constant. `value` is a Python bool, int, float or complex; `type` gives the dtype it has. 0.0 and -0.0 are different."""

    value: bool | int | float | complex
    type: Array

    if not TYPE_CHECKING:  # which takes an Atom for anything where a Literal says what it equals

        def __eq__(self, other: object) -> bool:
            if type(other) is not Literal:
                return NotImplemented
            value = self.value
            return value == other.value and self.type == other.type and (type(value) not in (float, complex) or repr(value) == repr(other.value))

        def __hash__(self) -> int:
            return hash((self.value, self.type))

    def __bool__(self) -> bool:
        return True  # as of a Var

    def __repr__(self) -> str:
        return repr(self.value)


Atom = Union[Var, Literal]
Dim = Union[int, Var]

BOOL = np.dtype(np.bool_)
INT8, INT16, INT32, INT64 = (np.dtype(f"int{bits}") for bits in (8, 16, 32, 64))
UINT8, UINT16, UINT32, UINT64 = (np.dtype(f"uint{bits}") for bits in (8, 16, 32, 64))
FLOAT16, FLOAT32, FLOAT64 = np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.float64)
COMPLEX64, COMPLEX128 = np.dtype(np.complex64), np.dtype(np.complex128)
FLOAT0 = np.dtype([("float0", np.void, 0)])
"""The dtype of the tangents of integers and bools, as in JAX: it has one value, nothing."""
SUPPORTED_DTYPES = (BOOL, INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64, FLOAT16, FLOAT32, FLOAT64, COMPLEX64, COMPLEX128)
SIZE = Array(INT64, weak=True)
EXAMPLE = Array(INT64, weak=True, example=True)
"""The number of an example."""
"""The type of a dimension, an index, a trip count. Weak: `len(x)` and `x.shape[0]` are Python ints, which promote like one."""
SMALL = 2**31 - 1
"""How far from zero a Python int is that a caller gives, where it is not a wide one: products of two fit into 64 bits."""


def is_wide(number: object) -> bool:
    """Whether it is a Python int that programs for small ones are not made for."""
    return isinstance(number, int) and not -SMALL <= number <= SMALL


def is_size(type_: Array) -> bool:
    """Whether a value of this type can be a dimension: an int64 scalar, weak or not."""
    return type_.dtype == INT64 and not type_.shape


def short_name(dtype: np.dtype) -> str:
    """f8, i4, c16, b1: kind and bytes, as in --args."""
    return f"{dtype.kind}{dtype.itemsize}"


def is_float(dtype: np.dtype) -> bool:
    """Whether values of dtype have derivatives (float or complex)."""
    return dtype.kind in "fc"


def kind_of(dtype: np.dtype) -> str:
    """b, i, f or c: bools, integers of any width (with a sign or without), floats, complex numbers."""
    return "i" if dtype.kind == "u" else dtype.kind


def is_integer(dtype: np.dtype) -> bool:
    """Whether values of dtype are integers, with a sign or without."""
    return dtype.kind in "iu"


def is_unsigned(dtype: np.dtype) -> bool:
    """Whether values of dtype are integers without a sign."""
    return dtype.kind == "u"


def is_whole(dtype: np.dtype) -> bool:
    """Whether values of dtype have no fraction: integers and bools."""
    return dtype.kind in "biu"


def size_literal(value: int) -> Literal:
    """An int64 constant."""
    return Literal(int(value), SIZE)


def literal(value: bool | complex, dtype: np.dtype | None = None) -> Literal:
    """A typed constant; without dtype a weak one, as Python's own numbers are."""
    if dtype is not None:
        with np.errstate(over="ignore"):
            return Literal(np.dtype(dtype).type(value).item(), Array(np.dtype(dtype)))
    if isinstance(value, bool):
        return Literal(value, Array(BOOL, weak=True))
    if isinstance(value, int):
        return Literal(int(value), Array(INT64, weak=True))  # a member of an IntEnum is a number too
    return Literal(float(value), Array(FLOAT64, weak=True)) if isinstance(value, float) else Literal(complex(value), Array(COMPLEX128, weak=True))


def zero(type_: Array) -> Literal:
    """The zero of a scalar type, weak if that is."""
    return Literal(type_.dtype.type(0).item(), type_)


def dim_atom(dim: Dim | Atom) -> Atom:
    """A dimension, or a place, as an operand."""
    return size_literal(dim) if isinstance(dim, int) else dim


def is_one(dim: Dim) -> bool:
    """Whether an axis is known to have length 1."""
    return isinstance(dim, int) and dim == 1


def type_text(type_: Array) -> str:
    """A type as JAX writes it: float64[n,3]."""
    return f"{type_.dtype}[{','.join(str(dim) if isinstance(dim, int) else dim.name for dim in type_.shape)}]"


def type_of_value(value: Any) -> str:
    """The type of an array or a number, as JAX writes it: float64[2,3]."""
    return f"{np.asarray(value).dtype}[{','.join(map(str, np.shape(value)))}]"


def atom_dim(atom: Atom) -> Dim:
    """An int64 operand as a dimension."""
    return int(atom.value) if isinstance(atom, Literal) else atom  # type: ignore[arg-type]


_WEAK_EXAMPLE = {"b": True, "i": 0, "f": 0.0, "c": 0j}


def promote(types: list[Array]) -> Array:
    """The scalar type of NumPy's result for operands of these types (NEP 50); weak only if all are.

    >>> print(promote([Array(FLOAT32, (3,)), Array(FLOAT64, (), weak=True)]))
    f4
    """
    if all(type_.weak for type_ in types):
        kind = max((kind_of(type_.dtype) for type_ in types), key="bifc".index)
        return Array({"b": BOOL, "i": INT64, "f": FLOAT64, "c": COMPLEX128}[kind], weak=True)
    operands = [_WEAK_EXAMPLE[kind_of(type_.dtype)] if type_.weak else type_.dtype for type_ in types]
    return Array(np.result_type(*operands))


FEW = 256
"""How many elements an array has at most of which a program may know them: axes, shapes, counts, and what is computed of them."""


def is_few(shape: Sequence[Dim], dtype: np.dtype) -> bool:
    """Whether an array of this type is one of whole numbers or truths whose elements a program may know."""
    return dtype.kind in "iub" and all(isinstance(dim, int) for dim in shape) and math.prod(shape) <= FEW  # type: ignore[arg-type]
