"""Scalars that are Python's own on one path and NumPy's on another, or of two types of number.

    s = 0.0
    for v in x:         s is a Python float where x is empty, else np.float64; in the program it is f8 on both paths
        s += v
    s / n               Python raises ZeroDivisionError for n == 0 on the first path, NumPy gives nan on the other

The number is right in either case, and its type that of the other paths (docs/kinks.md). Where something else depends on the type, it is refused: at the user's line where the
precision would (float32 or float64), when it runs where a division by zero or a power would raise on one path only.
"""
from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

from s2s.transforms.ir.build import Builder
from s2s.transforms.primitives import rows
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.numpy.building import unsupported
from s2s.transforms.read.numpy.common import lift
from s2s.transforms.read.numpy.python_checks import Error, all_hold, forbid, is_finite
from s2s.types import BOOL, FLOAT64, SIZE, Array, Atom, Literal, Var, is_integer, is_whole, kind_of, promote

Types = frozenset[Array]
_OF_BITS = ("&", "|", "^")

BY_ZERO: Error = (
    "NotImplementedError", "a division by zero of a number that is Python's own on one path (Python raises) and NumPy's on another (it gives inf or nan): make it NumPy's before, np.float64(…)",
)
POWER: Error = (
    "NotImplementedError", "a power without a finite real value, of a number that is Python's own on one path (Python raises) and NumPy's on another: make it NumPy's before, np.float64(…)",
)


def types_of(builder: Builder, atom: Atom) -> Types:
    """The types that a scalar has in Python, depending on the path."""
    return builder.doubts.get(atom, frozenset({atom.type})) if isinstance(atom, Var) else frozenset({atom.type})


def doubted(builder: Builder, atom: Atom) -> tuple[Array, ...]:
    """The same in an order of their own, where there are several; () of all other atoms."""
    return tuple(sorted(builder.doubts[atom], key=lambda type_: (type_.dtype.str, type_.weak))) if isinstance(atom, Var) and atom in builder.doubts else ()


def note(builder: Builder, atom: Atom, types: Iterable[Array]) -> None:
    """Note the types that a scalar may have."""
    found = frozenset(types)
    if isinstance(atom, Var) and found - {atom.type} and not atom.type.shape:
        builder.doubts[atom] = found


def note_choice(x: Value, y: Value, types: Types, result: Value) -> None:
    """Note the types of max or min of two scalars. Where Python's own number is 0 (max(0.0, x)), sums and products with it are the same in any precision."""
    note(result.builder, result.atom, types)
    zero = any(value.type.weak and isinstance(value.atom, Literal) and value.atom.value == 0 for value in (x, y))
    if zero and isinstance(result.atom, Var):
        result.builder.numbered["zero elsewhere", result.atom] = result.atom


def settle(op: str, a: Any, b: Any, result: Any) -> None:
    """After a op b of operands of doubtful type: refuse what depends on it, and note the types of the result."""
    if not isinstance(result, Value):
        return
    builder, values = result.builder, [operand for operand in (a, b) if isinstance(operand, Value)]
    if not any(value.atom in builder.doubts for value in values if isinstance(value.atom, Var)):
        return
    x, y = lift(a), lift(b)
    pairs = list(itertools.product(*(types_of(builder, each.atom) for each in (x, y))))
    results = {_result(op, *pair) for pair in pairs}
    if not (op in ("+", "-", "*") and any(("zero elsewhere", value.atom) in builder.numbered for value in values)):
        _need_one_precision(op, results, result.type)
    if not result.type.weak and any(one.weak and other.weak for one, other in pairs):
        _refuse_errors(op, x, y, result)
    note(builder, result.atom, results)


def forbid_order(op: str, a: Any, b: Any) -> None:
    """Of complex numbers NumPy has an order and Python none: refused where both may be Python's, one of them complex."""
    values = [operand for operand in (a, b) if isinstance(operand, Value)]
    if op in ("==", "!=") or not any(value.atom in value.builder.doubts for value in values if isinstance(value.atom, Var)):
        return
    x, y = lift(a), lift(b)
    pairs = itertools.product(*(types_of(each.builder, each.atom) for each in (x, y)))
    if any(one.weak and other.weak and "c" in (one.dtype.kind, other.dtype.kind) for one, other in pairs):
        raise unsupported(
            f"`{op}` of a complex number that is Python's own on one path (Python raises a TypeError) and NumPy's on another",
            instead="make it NumPy's before: np.complex128(…)",
        )


def _result(op: str, one: Array, other: Array) -> Array:
    type_ = promote([Array(each.dtype, (), each.weak) for each in (one, other)])
    if type_ == Array(BOOL, (), weak=True) and op not in _OF_BITS:  # True + True is 2 in Python
        return SIZE
    return Array(FLOAT64, (), type_.weak) if op == "/" and is_whole(type_.dtype) else type_


def _need_one_precision(op: str, results: set[Array], own: Array) -> None:
    """A number that Python counts to a bool of NumPy's is another number; NumPy's results of two precisions are of different numbers, and so is the program's `own` of a higher one; a Python number is only rounded to that of the other path."""
    if len({type_.dtype == BOOL for type_ in results}) > 1:
        raise unsupported(f"`{op}` of a bool that is Python's own on one path (Python counts) and NumPy's on another", instead="int(…) of it, or np.bool_(…), before")
    for kind in "ifc":
        dtypes = {type_.dtype for type_ in results if kind_of(type_.dtype) == kind and not type_.weak}
        if dtypes and kind_of(own.dtype) == kind:
            dtypes |= {own.dtype}
        if len(dtypes) > 1:
            names = " or ".join(sorted(map(str, dtypes)))
            raise unsupported(
                f"`{op}` of a number that is Python's own on one path and NumPy's on another: the result would be {names}, depending on the path",
                instead="make it NumPy's before: np.float32(…) or np.float64(…)",
            )


def _refuse_errors(op: str, x: Value, y: Value, result: Value) -> None:
    if op in ("/", "//", "%"):
        if isinstance(y.atom, Literal) and y.atom.value != 0:
            return
        if not (is_integer(y.dtype) and y.builder.proves_at_least(y.atom, 1)):
            forbid(y.equals(0), BY_ZERO, late=y.dtype.kind == "f")
    elif op == "**" and result.dtype.kind in "fc" and isinstance(result.atom, Var):
        forbid(all_hold(rows.logical_not(is_finite(result)), *(is_finite(each) for each in (x, y) if each.dtype.kind in "fc")), POWER)
