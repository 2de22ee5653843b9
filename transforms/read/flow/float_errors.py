"""`with np.errstate(divide="raise")` in the user's code: operations inside of it are followed by Checks.

    with np.errstate(divide="raise"):      z = a / b
        z = a / b                          check(not any((b == 0) & (a != 0) & isfinite(a)), FloatingPointError, "divide by zero encountered in divide")

NumPy looks at the processor's flags, of which nothing is in the numbers; that the conditions have come up is. They are known of + - * / ** and functions of one element on float64; what
gives no floats, and what makes arrays of numbers, meets none; all else is refused there.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from s2s.records import dataclass
from s2s.transforms.primitives import rows
from s2s.transforms.read.composed import float_conditions as conditions
from s2s.transforms.read.names import Table
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import load
from s2s.transforms.read.values import Abstract, View, is_atom
from s2s.types import BOOL, FLOAT64, literal

MODES = ("divide", "over", "under", "invalid")
_WORDS = {"divide": "divide by zero", "over": "overflow", "under": "underflow", "invalid": "invalid value"}
"""In NumPy's order."""
_UNSURE = ("NotImplementedError", "a number so small that digits of it may be lost, under np.errstate(under='raise')")


@dataclass(frozen=True)
class Conditions:
    """How a condition is found of an operation; None: it can't come up."""

    divide: Any = None
    over: Any = None
    under: Any = None
    invalid: Any = None
    unsure: Any = None
    """Where `under` can't be decided."""


_SUM = Conditions(over=conditions.overflowed, invalid=conditions.undefined)
_PRODUCT = Conditions(over=conditions.overflowed, under=conditions.lost, invalid=conditions.undefined, unsure=conditions.may_be_lost)
_QUOTIENT = Conditions(conditions.divided_by_zero, conditions.overflowed_quotient, conditions.lost, conditions.undefined, conditions.may_be_lost)
_POWER = Conditions(conditions.powered_zero, conditions.overflowed_power, conditions.lost_power, conditions.undefined, conditions.may_be_lost)
_LOGARITHM = Conditions(conditions.logarithm_of_zero, invalid=conditions.undefined_one, unsure=conditions.may_be_lost_one)
_EXPONENTIAL = Conditions(over=conditions.overflowed_one, under=conditions.lost_one, invalid=conditions.undefined_one, unsure=conditions.may_be_lost_one)

_OPERATORS = {"+": ("add", _SUM), "-": ("subtract", _SUM), "*": ("multiply", _PRODUCT), "/": ("divide", _QUOTIENT), "**": ("power", _POWER)}
_UFUNCS = Table({
    "numpy.add": ("add", _SUM), "numpy.subtract": ("subtract", _SUM), "numpy.multiply": ("multiply", _PRODUCT), "numpy.divide": ("divide", _QUOTIENT), "numpy.power": ("power", _POWER),
    "numpy.log": ("log", _LOGARITHM), "numpy.log2": ("log2", _LOGARITHM), "numpy.log10": ("log10", _LOGARITHM),
    "numpy.sqrt": ("sqrt", Conditions(invalid=conditions.undefined_one)), "numpy.exp": ("exp", _EXPONENTIAL), "numpy.exp2": ("exp2", _EXPONENTIAL),
})  # fmt: skip
_OF_SQUARES = Conditions(over=conditions.overflowed, under=conditions.lost, unsure=conditions.may_be_lost)
_SHORT_POWERS = {2: ("square", _OF_SQUARES), 0.5: ("sqrt", Conditions(invalid=conditions.undefined))}
"""Powers of arrays with exponents that NumPy sees to be numbers."""
_MAKING = Table(dict.fromkeys((f"numpy.{name}" for name in (
    "array", "asarray", "asanyarray", "ascontiguousarray", "atleast_1d", "zeros", "ones", "full", "empty", "zeros_like", "ones_like", "full_like", "empty_like", "arange", "copy", "where",
    "absolute", "maximum", "minimum", "broadcast_to", "reshape", "ravel", "transpose", "negative", "sign", "float64",
)), True))  # fmt: skip
"""These meet a condition only where they give another dtype than they are given."""
_NO_CONDITION = Table(dict.fromkeys((
    *(f"numpy.{name}" for name in ("isnan", "isinf", "isfinite", "any", "all", "shape", "ndim", "size", "isscalar", "logical_and", "logical_or", "logical_not")),
    *(f"builtins.{name}" for name in ("len", "range", "enumerate", "zip", "print", "isinstance", "list", "tuple", "bool", "float", "str", "repr", "abs", "min", "max")),
), True))  # fmt: skip


@contextmanager
def raising(reader: Reader, states: dict[str, str]) -> Iterator[None]:
    """What is read inside is under np.errstate(…) with these states."""
    before = reader.session.float_errors
    asked = {mode: states.get(mode, states.get("all")) for mode in MODES}
    reader.session.float_errors = tuple(mode for mode in MODES if asked[mode] == "raise" or asked[mode] is None and mode in before)
    try:
        yield
    finally:
        reader.session.float_errors = before


@contextmanager
def _quietly(reader: Reader) -> Iterator[None]:
    before, reader.session.float_errors = reader.session.float_errors, ()
    try:
        yield
    finally:
        reader.session.float_errors = before


def operation(reader: Reader, op: str, a: Abstract, b: Abstract, compute: Callable[[], Abstract]) -> Abstract:
    """What a op b gives, which `compute` finds, and the Checks behind it."""
    if not reader.session.float_errors or not any(isinstance(each, View | np.generic | np.ndarray) or is_atom(each) and not each.type.weak for each in (a, b)):
        return compute()  # Python's own numbers
    name, found = _OPERATORS.get(op, ("", Conditions()))
    if op == "**" and isinstance(b, int | float) and isinstance(a, View):
        name, found = _SHORT_POWERS.get(b, ("", Conditions())) if b in (-1, 0, 0.5, 1, 2) else (name, found)
    arrays = isinstance(a, View) or isinstance(b, View)
    return _checked(reader, f"`{op}`", name if arrays else f"scalar {name}", found if name else None, (a, b), compute)


def called(reader: Reader, function: Any, args: Sequence[Abstract], kwargs: dict[str, Abstract], compute: Callable[[], Abstract]) -> Abstract:
    """What a call gives inside, and the Checks behind it."""
    if callable(function) and (function in _MAKING or function in _NO_CONDITION or str(getattr(function, "__module__", "")).startswith("s2s.transforms.")):
        with _quietly(reader):
            result = compute()
            if function in _MAKING and _is_cast(reader, result, (*args, *kwargs.values())):
                raise _refused(reader, f"a cast to {_dtype(reader, result)} by np.{function.__name__}")
            return result
    if isinstance(function, np.ufunc) and function in _UFUNCS and not kwargs and len(args) == function.nin:
        return _checked(reader, f"np.{function.__name__}", *_UFUNCS[function], tuple(args), compute)
    if isinstance(function, type) and issubclass(function, BaseException | np.errstate):
        return compute()
    raise _refused(reader, f"a call of {getattr(function, '__name__', 'a function')}")


def _is_cast(reader: Reader, result: Abstract, operands: Sequence[Abstract]) -> bool:
    """Whether numbers may have become others of fewer digits or a smaller range, of which the processor would have said so."""
    made, kinds = _dtype(reader, result), [_dtype(reader, each) for each in operands]
    return made not in (None, FLOAT64, BOOL) and not all(kind is None or kind in (made, BOOL) or kind.kind in "iu" for kind in kinds)


def stored(reader: Reader, array: View, value: Abstract) -> None:
    """Before numbers are stored into an array, whose dtype they take on."""
    if reader.session.float_errors and (kind := load(reader, array).dtype) not in (FLOAT64, BOOL, _dtype(reader, value)):
        raise _refused(reader, f"a store into an array of {kind}")


def in_place(reader: Reader) -> None:
    """Before an array changes in place: NumPy has stored the numbers when it raises."""
    if reader.session.float_errors:
        raise _refused(reader, "a change of an array in place")


def _checked(reader: Reader, what: str, name: str, found: Conditions | None, operands: tuple[Abstract, ...], compute: Callable[[], Abstract]) -> Abstract:
    modes = reader.session.float_errors
    with _quietly(reader):
        result = compute()
        kinds = {_dtype(reader, each) for each in (result, *operands)}
        if kinds <= {BOOL, np.dtype(np.int64)} and isinstance(result, View) and name in ("add", "subtract", "multiply"):
            return result  # integers in arrays wrap in silence
        if found is None or _dtype(reader, result) != FLOAT64 or None in kinds:
            raise _refused(reader, f"{what} of these operands")
        for mode in modes:
            if (test := getattr(found, mode)) is not None:
                _forbid(reader, reader.rules.call(test, (*operands, result)), ("FloatingPointError", f"{_WORDS[mode]} encountered in {name}"))
            if mode == "under" and found.unsure is not None:
                _forbid(reader, reader.rules.call(found.unsure, (*operands, result)), _UNSURE)
    return result


def _dtype(reader: Reader, value: Abstract) -> Any:
    """Of a number or array; None of what is known to be one of NumPy's, which would meet the condition while it is read."""
    if isinstance(value, bool | int | float):
        return np.dtype(type(value))
    if isinstance(value, View):
        return load(reader, value).dtype
    return value.type.dtype if is_atom(value) else None


def _forbid(reader: Reader, holds: Abstract, error: tuple[str, str]) -> None:
    if isinstance(holds, bool | np.bool_):
        if holds:
            reader.builder.check(literal(False, BOOL), *error)
        return
    with building(reader.builder):
        reader.builder.check(rows.logical_not(reader.value(holds)).atom, *error)


def _refused(reader: Reader, what: str) -> Exception:
    return reader.unsupported(f"{what} under np.errstate(…='raise')", "there + - * / ** of float64 and np.log, np.sqrt, np.exp …; the rest in front of it or behind it", "its conditions are not known here")


__all__ = ["MODES", "called", "in_place", "operation", "raising", "stored"]
