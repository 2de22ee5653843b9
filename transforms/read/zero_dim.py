"""Arrays without axes: a storage that holds a scalar (a view of no dimensions), where NumPy's own scalars are atoms.

    a = np.zeros(()); b = a; b += 1     one array, seen by both names
    x[0, ...], x.reshape(())            views of x
    np.sum(x), a + 1, a[()]             NumPy scalars

What is an array on one path or in some trips only is a scalar of `Session.either`: right as a number, refused where the user asks which it is.
"""
from __future__ import annotations

import enum
from typing import Any

import numpy as np

from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import is_zero_dim
from s2s.transforms.read.values import Abstract, ListRef, View, is_atom, is_number, scalar_type
from s2s.types import Var

_ALWAYS = {
    np.zeros, np.ones, np.empty, np.full, np.ndarray, np.zeros_like, np.ones_like, np.empty_like, np.full_like, np.array, np.asarray, np.asanyarray, np.copy,
    np.where, np.select, np.broadcast_to, np.broadcast_arrays, np.expand_dims, np.roll, np.tile, np.block, np.tensordot, np.cross, np.cov, np.pad,
}  # fmt: skip
"""Functions that make an array also where it has no axes."""
_OF_PYTHON_NUMBERS = {np.reshape, np.squeeze, np.transpose}
"""Functions that make an array of a Python number or a list, and leave a NumPy scalar one."""
_OF_ARRAYS = {"copy", "astype", "real", "imag"}
"""Methods and attributes that make an array of an array."""


def makes_arrays(function: Any, args: tuple[Abstract, ...]) -> bool:
    """Whether the result of NumPy's function is an array also where it has no axes."""
    if function in _ALWAYS or getattr(function, "__module__", None) == "numpy.ma.core" or function in (np.real, np.imag) and isinstance(args[0], View):
        return True
    if function not in _OF_PYTHON_NUMBERS or not args:
        return False
    return isinstance(args[0], (list, tuple, ListRef)) or (is_atom(args[0]) or is_number(args[0])) and scalar_type(args[0]).weak


def as_given(reader: Reader, given: Abstract, name: str, found: Abstract) -> Abstract:
    """What a method or attribute gave, or a function as a method: an array where it was given one, on the same paths."""
    return either(reader, found) if name in _OF_ARRAYS and is_either(reader, given) else found


def either(reader: Reader, value: Abstract) -> Abstract:
    """The value, of which it is not known whether it is an array without axes."""
    if isinstance(value, Var) and not value.type.shape:
        reader.session.either.add(value)
    return value


def method_makes_arrays(array: Abstract, name: str) -> bool:
    """Whether what an array's method or attribute gives is an array also where it has no axes."""
    return isinstance(array, View) and name in _OF_ARRAYS


def kinds(reader: Reader, value: Abstract) -> set[bool]:
    """Whether a number is an array without axes; both where it is one on one path only."""
    return {True, False} if is_either(reader, value) else {is_zero_dim(reader, value)}


def is_either(reader: Reader, value: Abstract) -> bool:
    """Whether a number is an array without axes on one path or in some trips, and a NumPy scalar otherwise."""
    return isinstance(value, Var) and value in reader.session.either


def is_member(reader: Reader, value: Abstract) -> bool:
    """Whether a number is a member of an enumeration (an IntEnum), on some path at least."""
    return isinstance(value, enum.Enum) or isinstance(value, Var) and value in reader.session.members


def no_member(reader: Reader, value: Abstract, question: str) -> None:
    """Refuse a question to which a number and a member of an enumeration have different answers, where only the run knows which member it is."""
    if isinstance(value, Var) and value in reader.session.members:
        raise reader.unsupported(
            f"{question} of a number that is a member of an enumeration, which of them is known only at run time", "its number: `==` with members, or int(…)",
        )  # fmt: skip


def which(reader: Reader, value: Abstract, question: str) -> None:
    """Refuse a question to which an array without axes and a NumPy scalar have different answers where the value may be either."""
    if is_either(reader, value):
        raise reader.unsupported(
            f"{question} of a value that is an array without axes on one path or in some trips, and a NumPy scalar otherwise",
            "np.float64(…) or x[()] of it where it is made", "their answers differ",
        )  # fmt: skip


__all__ = ["as_given", "either", "is_either", "is_member", "kinds", "makes_arrays", "method_makes_arrays", "no_member", "which"]
