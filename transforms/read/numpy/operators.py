"""Python's operators on Values and static values, with NumPy 2's promotion and explicit broadcasting.

Static operands give a static result, computed by Python itself.
"""
from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError, ShapeError, UnsupportedError
from s2s.transforms.primitives import rows
from s2s.transforms.primitives.value import Value
from s2s.transforms.read import doubts
from s2s.transforms.read.callables import FUNCTIONS
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.iterations import Iteration, RunRange
from s2s.transforms.read.numpy import arithmetic, python_operators
from s2s.transforms.read.numpy.broadcasting import aligned, broadcast_shape, spread
from s2s.transforms.read.numpy.building import Operand, current_builder, has_value, unsupported
from s2s.transforms.read.numpy.common import agreed, cast, lift, marked, retyped, truth
from s2s.transforms.read.numpy.products import matmul
from s2s.transforms.read.numpy.python_checks import refuse_as_python
from s2s.transforms.read.values import DictView, ObjectRef, Outside, Text
from s2s.types import Literal, dim_atom, is_whole, kind_of

BINARY: dict[str, tuple[Callable[[Any, Any], Any], Callable[[Operand, Operand], Any]]] = {
    "+": (operator.add, arithmetic.add),
    "-": (operator.sub, arithmetic.subtract),
    "*": (operator.mul, arithmetic.multiply),
    "/": (operator.truediv, python_operators.divide),
    "//": (operator.floordiv, python_operators.floor_divide),
    "%": (operator.mod, python_operators.remainder),
    "**": (operator.pow, python_operators.power),
    "@": (operator.matmul, matmul),
    "&": (operator.and_, python_operators.bitwise_and),
    "|": (operator.or_, arithmetic.bitwise(rows.bitwise_or, rows.logical_or, "|")),
    "^": (operator.xor, arithmetic.bitwise(rows.bitwise_xor, rows.logical_xor, "^")),
    "<<": (operator.lshift, python_operators.shift(arithmetic.shift(rows.left_shift, "<<"))),
    ">>": (operator.rshift, python_operators.shift(arithmetic.shift(rows.right_shift, ">>"))),
}
INPLACE: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.iadd, "-": operator.isub, "*": operator.imul, "/": operator.itruediv, "//": operator.ifloordiv, "%": operator.imod, "**": operator.ipow,
    "@": operator.imatmul, "&": operator.iand, "|": operator.ior, "^": operator.ixor, "<<": operator.ilshift, ">>": operator.irshift,
}  # fmt: skip
UNARY: dict[str, tuple[Callable[[Any], Any], Callable[[Operand], Any]]] = {
    "-": (operator.neg, arithmetic.negative),
    "+": (operator.pos, arithmetic.positive),
    "~": (operator.invert, arithmetic.invert),
}
COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip


@asks_python
def binary(op: str, a: Any, b: Any) -> Any:
    """a op b."""
    of_static, of_values = BINARY[op]
    if any(isinstance(each, (Outside, *FUNCTIONS)) for each in (a, b)):
        raise ArgumentTypeError(f"unsupported operand type(s) for {_shown(op)}: {_type_name(a)!r} and {_type_name(b)!r}", where=current_builder().where)
    if not isinstance(a, Value) and not isinstance(b, Value):
        if not has_value(a, b):
            return of_static(a, b)
        a, b = (lift(each) if isinstance(each, (list, tuple)) else each for each in (a, b))  # of which one is NumPy's
    _refuse_sequences(op, a, b)
    try:
        result = of_values(a, python_operators.weak_beside_complex(a, b))
    except (ArgumentTypeError, UnsupportedError):
        refuse_as_python(of_static, a, b)
        raise
    doubts.settle(op, a, b, result)
    return settled(result)


@asks_python
def unary(op: str, a: Any) -> Any:
    """op a, for - + ~ and not."""
    if op == "not":
        test = truth(a)
        return not test if isinstance(test, bool) else marked(arithmetic.logical_not(test), weak=True)
    of_static, of_values = UNARY[op]
    if isinstance(a, (Outside, *FUNCTIONS)):
        raise ArgumentTypeError(f"bad operand type for unary {op}: {_type_name(a)!r}", where=current_builder().where)
    if not isinstance(a, Value):
        return of_static(a)
    try:
        result = of_values(a)
        doubts.note(result.builder, result.atom, doubts.types_of(result.builder, a.atom))
        return settled(result)
    except (ArgumentTypeError, UnsupportedError):
        refuse_as_python(of_static, a)
        raise


@asks_python
def compare(op: str, a: Any, b: Any) -> Any:
    """a op b, for < <= > >= == !=."""
    if not isinstance(a, Value) and not isinstance(b, Value):
        if has_value(a, b):
            raise unsupported(f"`{op}` of containers of run-time values is not supported", instead="compare their elements")
        return COMPARE[op](a, b)
    for one, other in ((a, b), (b, a)):
        if not isinstance(one, Value) and not isinstance(one, (bool, int, float, complex, np.generic, np.ndarray, list, tuple)):
            return _compare_with_object(op, one, other, (a, b))
    doubts.forbid_order(op, a, b)
    try:
        return arithmetic.compare(op, a, python_operators.weak_beside_complex(a, b))
    except UnsupportedError:
        refuse_as_python(COMPARE[op], a, b)
        raise


def is_static_number(value: Any) -> bool:
    """Whether it is a number or array known while reading."""
    return isinstance(value, (bool, int, float, complex, np.generic, np.ndarray))


@asks_python
def _compare_with_object(op: str, thing: Any, value: Value, pair: tuple[Any, Any]) -> bool | Value:
    if op in ("==", "!=") and value.ndim == 0:
        return op == "!="
    if op in ("==", "!=") and thing is None:  # NumPy compares each element with it
        return spread(lift(op == "!="), value.shape)
    if thing is None:
        try:
            COMPARE[op](*(np.ones(1, value.dtype) if each is value else each for each in pair))
        except TypeError as error:
            raise ArgumentTypeError(str(error), where=value.builder.where) from None
    raise unsupported(f"`{op}` of {value.type.words} and {_type_name(thing)} is not supported", instead="`is` or `is not`")


def _refuse_sequences(op: str, a: Any, b: Any) -> None:
    """A number times a list repeats the list in Python: not an array operation."""
    for one, other in ((a, b), (b, a)):
        if isinstance(one, (list, tuple, str)) and isinstance(other, Value) and other.ndim == 0 and is_whole(other.dtype) and op == "*":
            raise unsupported(f"repeating a {type(one).__name__} a run-time number of times is not supported", instead="np.full(n, …)")
        if not isinstance(one, (Value, bool, int, float, complex, np.generic, np.ndarray, list, tuple)):
            raise ArgumentTypeError(f"unsupported operand type(s) for {_shown(op)}: {_type_name(a)!r} and {_type_name(b)!r}", where=current_builder().where)


def _shown(op: str) -> str:
    return "** or pow()" if op == "**" else op


def _type_name(thing: Any) -> str:
    """What Python calls an operand's class in messages."""
    if isinstance(thing, Value):
        weak = {"b": "bool", "i": "int", "f": "float", "c": "complex"}[kind_of(thing.dtype)]
        return "numpy.ndarray" if thing.ndim else weak if thing.type.weak or thing.dtype.kind == "b" else f"numpy.{thing.dtype}"
    if isinstance(thing, Outside):
        return type(thing.object).__name__
    if isinstance(thing, ObjectRef):
        return thing.kind.__name__
    names = {Iteration: "iterator", RunRange: "range", Text: "str", DictView: "dict view"}
    return "function" if isinstance(thing, FUNCTIONS) else names.get(type(thing), type(thing).__name__)


def settled(result: Any) -> Any:
    """A result that turned out to be a constant, as a static number."""
    if isinstance(result, tuple):
        return tuple(settled(item) for item in result)
    if isinstance(result, Value) and isinstance(result.atom, Literal):
        value, type_ = result.atom.value, result.type
        return value if type_.weak else type_.dtype.type(value)
    return result


def inplace(op: str, array: Value, operand: Operand) -> Value:
    """The array's new content for `array op= operand`: of the array's own dtype and shape, as NumPy stores it.

    Raises ArgumentTypeError where NumPy refuses the cast (int array += float) and ShapeError where the array would grow.
    """
    array = lift(array)
    result = lift(binary(op, array, operand))
    if op == "@":
        _is_of_one_core(array, lift(operand), result)
    if not np.can_cast(result.dtype, array.dtype, "same_kind"):
        raise ArgumentTypeError(
            f"Cannot cast ufunc output from dtype('{result.dtype}') to dtype('{array.dtype}') with casting rule 'same_kind'",
            where=array.builder.where, why=f"`{op}=` stores into an array of {array.dtype}", instead=f"x = x {op} …",
        )
    return fitted(cast(result, array.dtype), array)


def _is_of_one_core(array: Value, operand: Value, result: Value) -> None:
    """Raises where a product of matrices is not stored into the first one: of a vector NumPy has none in place, and nothing is stretched."""
    if operand.ndim < 2:
        raise ShapeError("inplace matrix multiplication requires the first operand to have at least one and the second at least two dimensions.", where=array.builder.where)
    own, found = array.shape[-1], result.shape[-1]
    if result.ndim == array.ndim:
        mismatch = f"matmul: Output operand 0 has a mismatch in its core dimension {min(array.ndim - 1, 1)}, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size {{}} is different from {{}})"
        agreed(array.builder, [own, found], mismatch, (dim_atom(own), dim_atom(found)))


def fitted(value: Value, array: Value) -> Value:
    """The value broadcast to exactly the array's shape."""
    shape = broadcast_shape(value.builder, [array.shape, value.shape])
    if len(shape) != array.ndim or any(dim != own and own == 1 for dim, own in zip(shape, array.shape, strict=True)):
        raise ShapeError(
            f"non-broadcastable output operand with shape {array.shape} doesn't match the broadcast shape {shape}", where=value.builder.where
        )
    return retyped(spread(value, shape), array.shape)


__all__ = ["aligned", "binary", "compare", "fitted", "inplace", "is_static_number", "settled", "truth", "unary"]
