"""`Value`: an atom in a block that is being built, with Python's operators, so that rules read as mathematics.

Operators here work on operands of the same dtype and shape; a Python number takes the dtype of the other operand and
is broadcast. NumPy's promotion and broadcasting are the reader's job, not the rules'.
Multiplying by the number 1 or adding the number 0 appends nothing.

A Value knows no row: its builder was handed the table of those that the operators append (`row.Operators`).
"""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Union

import numpy as np

from s2s.records import dataclass
from s2s.transforms.ir.build import Builder
from s2s.transforms.primitives.row import Primitive
from s2s.types import Array, Atom, Dim, Literal, Opaque, Var, dim_atom, literal, refusing, size_literal

Number = int | float | complex


@refusing("eq ne hash")
@dataclass(frozen=True, eq=False)
class Value(Opaque):
    """An atom in the block that `builder` builds."""

    builder: Builder
    atom: Atom

    @property
    def type(self) -> Array:
        return self.atom.type

    @property
    def dtype(self) -> np.dtype:
        return self.atom.type.dtype

    @property
    def shape(self) -> tuple[Dim, ...]:
        return self.atom.type.shape

    @property
    def ndim(self) -> int:
        return len(self.atom.type.shape)

    def applied(self, row: Primitive, ins: Values, params: Mapping[str, Any]) -> Values:
        """The outs of the row of these operands (`row.Operand`)."""
        builder = self.builder
        return tuple(Value(builder, out) for out in builder.equation(row, tuple(value.atom for value in ins), params))

    def like(self, number: Number) -> Value:
        """The number as a Value of this one's dtype and shape."""
        return self.scalar(number).broadcast_to(self.shape, ())

    def scalar(self, number: Number) -> Value:
        """The number as a rank-0 Value of this one's dtype."""
        return Value(self.builder, literal(number, self.dtype))

    def size(self, number: int) -> Value:
        """An int64 constant."""
        return Value(self.builder, size_literal(number))

    def dim(self, axis: int) -> Value:
        """The length along an axis, as an int64 Value."""
        return Value(self.builder, dim_atom(self.shape[axis]))

    def dims(self) -> tuple[Value, ...]:
        """All lengths."""
        return tuple(self.dim(axis) for axis in range(self.ndim))

    def with_atom(self, atom: Atom) -> Value:
        """Another atom in the same block."""
        return Value(self.builder, atom)

    def broadcast_to(self, shape: tuple[Dim, ...], axes: tuple[int, ...]) -> Value:
        """This value repeated to `shape`; its axis k becomes axis axes[k]. Nothing is appended where nothing changes."""
        if shape == self.shape:
            return self
        return self.builder.operators.broadcast(self, *(Value(self.builder, dim_atom(dim)) for dim in shape), axes=axes)

    def summed(self, axes: tuple[int, ...]) -> Value:
        """The sum over these axes, in order."""
        return self.builder.operators.reduce_sum(self, axes=axes)

    def as_value(self, other: Value | Number) -> Value:
        """The other operand: a number takes this one's dtype and shape."""
        return other if isinstance(other, Value) else self.like(other)

    def __add__(self, other: Value | Number) -> Value:
        return self if is_number(other, 0) else self.builder.operators.add(self, self.as_value(other))

    def __radd__(self, other: Number) -> Value:
        return self + other

    def __sub__(self, other: Value | Number) -> Value:
        return self if is_number(other, 0) else self.builder.operators.sub(self, self.as_value(other))

    def __rsub__(self, other: Number) -> Value:
        return -self if is_number(other, 0) else self.builder.operators.sub(self.as_value(other), self)

    def __mul__(self, other: Value | Number) -> Value:
        if is_number(other, 1):
            return self
        if is_number(other, -1):
            return -self
        return self.builder.operators.mul(self, self.as_value(other))

    def __rmul__(self, other: Number) -> Value:
        if is_number(other, 1) or is_number(other, -1):
            return self * other
        return self.builder.operators.mul(self.as_value(other), self)

    def __truediv__(self, other: Value | Number) -> Value:
        return self if is_number(other, 1) else self.builder.operators.div(self, self.as_value(other))

    def __rtruediv__(self, other: Number) -> Value:
        return self.builder.operators.div(self.as_value(other), self)

    def __neg__(self) -> Value:
        return self.builder.operators.neg(self)

    def __lt__(self, other: Value | Number) -> Value:
        return self.builder.operators.less(self, self.as_value(other))

    def __le__(self, other: Value | Number) -> Value:
        return self.builder.operators.less_equal(self, self.as_value(other))

    def __gt__(self, other: Value | Number) -> Value:
        return self.builder.operators.greater(self, self.as_value(other))

    def __ge__(self, other: Value | Number) -> Value:
        return self.builder.operators.greater_equal(self, self.as_value(other))

    def equals(self, other: Value | Number) -> Value:
        """Elementwise ==."""
        return self.builder.operators.equal(self, self.as_value(other))

    def where(self, yes: Value | Number, no: Value | Number) -> Value:
        """Elementwise choice by this bool Value; at least one of the two must be a Value."""
        shape_of = yes if isinstance(yes, Value) else no
        assert isinstance(shape_of, Value)
        return self.builder.operators.select(self, shape_of.as_value(yes), shape_of.as_value(no))


@dataclass(frozen=True)
class Scatter:
    """A cotangent that is zero but for `value` at index (`getitem`'s operands and index): added in place, never zeros-like."""

    value: Value
    operands: tuple[Value, ...]
    index: tuple[Any, ...]


Values = tuple[Value, ...]
Cotangent = Union[Value, Scatter, None]


def is_number(value: Value | Number, number: int) -> bool:
    """Whether value is this number, as a Python number or a literal (never a broadcast one)."""
    if isinstance(value, Value):
        return isinstance(value.atom, Literal) and not isinstance(value.atom.value, bool) and value.atom.value == number
    return value == number


def zeros(builder: Builder, type_: Array) -> Value:
    """A Value of zeros of this type."""
    return Value(builder, literal(0, type_.dtype)).broadcast_to(type_.shape, ())


def or_zeros(dot: Value | None, like: Value) -> Value:
    """A tangent; zeros of its value's type where there is none."""
    return zeros(like.builder, like.type) if dot is None else dot


def atoms(values: tuple[Value, ...]) -> tuple[Atom, ...]:
    """The Values' atoms."""
    return tuple(value.atom for value in values)


__all__ = ["Cotangent", "Number", "Scatter", "Value", "Values", "Var", "atoms", "is_number", "or_zeros", "zeros"]
