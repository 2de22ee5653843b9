"""NumPy's functions of one element of an object of a user's class: NumPy makes an array of it, whose elements are asked.

Before:

    class Dual: …
        def sin(self):
            return Dual(np.sin(self.x), np.cos(self.x) * self.slope)

    np.sin(Dual(x, 1.0))

After: Dual(x, 1.0).sin(). `abs`, `-` and `+` are asked as operators.
"""
from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError
from s2s.transforms.read.classes import class_of, type_name, users
from s2s.transforms.read.composed.sparse_base import Sparse
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, ObjectRef, Pooled

OPERATORS: dict[Any, Callable[..., Any]] = {np.absolute: abs, np.negative: operator.neg, np.positive: operator.pos}
METHODS: tuple[Any, ...] = (
    np.sqrt, np.cbrt, np.exp, np.exp2, np.expm1, np.log, np.log2, np.log10, np.log1p, np.sin, np.cos, np.tan, np.arcsin, np.arccos, np.arctan, np.sinh, np.cosh, np.tanh,
    np.arcsinh, np.arccosh, np.arctanh, np.rint, np.fabs, np.degrees, np.radians, np.deg2rad, np.rad2deg, np.conjugate,
)  # fmt: skip
"""The functions that ask an object for its method of their name."""
OTHERWISE = ("__array_ufunc__", "__array__", "__array_interface__", "__array_struct__", "__getitem__")
"""A class with one of these is no element to NumPy, or only where its methods raise."""


def of_object(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> tuple[Abstract] | None:
    """(function(object),); None where it is no such function, or no such object."""
    if len(args) != 1 or kwargs or not isinstance(args[0], ObjectRef | Pooled):
        return None
    value, kind = args[0], class_of(args[0])
    if kind is None or issubclass(kind, (int, float, complex, str, bytes)) or not issubclass(kind, Sparse) and any(hasattr(kind, name) for name in OTHERWISE):
        return None
    if function in OPERATORS:
        return (reader.rules.call(OPERATORS[function], (value,)),)
    if function not in METHODS:
        return None
    name = function.__name__
    if users(kind, name) is None and users(kind, "__getattr__") is None:
        shown = type_name(reader, value)
        raise ArgumentTypeError(f"loop of ufunc does not support argument 0 of type {shown} which has no callable {name} method", where=reader.builder.where)
    return (reader.rules.call(reader.rules.attribute(value, name), ()),)
