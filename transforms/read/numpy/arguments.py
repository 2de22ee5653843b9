"""Arguments that say how and not what: axes, shapes, counts, in every form in which NumPy takes them.

They are brought to one form by their names, before the functions of the table see them:

    axes=[1, 0], axes=np.array([1, 0])     ->  (1, 0)
    np.zeros(np.array(x.shape))            ->  (n, m), the sizes themselves
    k=np.int64(1), a 0-d array that is 1   ->  1

An array is taken apart where its shape is known; its elements are numbers where it was made of numbers.
"""
from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.program import Equation
from s2s.transforms.primitives import rows
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.numpy.building import unsupported
from s2s.transforms.read.numpy.parts import get
from s2s.types import Atom, Literal, is_integer

_SAME = (rows.copy, rows.reshape, rows.retype)
"""Rows that change no element and no order."""


def one(argument: Any) -> Any:
    """A number: NumPy's integers, and those known of run-time scalars and 0-d arrays, as Python's."""
    if isinstance(argument, np.integer) or (isinstance(argument, np.ndarray) and not argument.ndim):
        return argument.item()
    if isinstance(argument, Value) and not argument.ndim:
        return _number(argument)
    return argument


def several(argument: Any) -> Any:
    """One number or a (nested) tuple of numbers."""
    if isinstance(argument, list | tuple | range):
        return tuple(several(item) for item in argument)
    if isinstance(argument, np.ndarray):
        return several(argument.tolist())
    if isinstance(argument, Value) and argument.ndim:
        return _taken_apart(argument)
    return one(argument)


def axis_of(argument: Any) -> Any:
    """An axis, a tuple or list of axes, or None; lists stay lists, which not all functions take."""
    found = several(argument)
    return list(found) if isinstance(found, tuple) and not isinstance(argument, tuple) else found


def number_of_each(argument: Any) -> Any:
    """pad_width: numbers, pairs, or a dictionary of them by axis."""
    return {axis: several(width) for axis, width in argument.items()} if isinstance(argument, dict) else several(argument)


FORMS: dict[str, Callable[[Any], Any]] = {
    "axis": axis_of, "pad_width": number_of_each,
    **dict.fromkeys(("axes", "source", "destination", "shape", "reps", "repeats", "shift", "indices_or_sections", "dimensions"), several),
    **dict.fromkeys(("axis1", "axis2", "k", "offset", "n", "N", "M", "num", "decimals", "ddof", "correction", "edge_order", "ndmin", "ndim"), one),
}  # fmt: skip
"""The form of each parameter that has one of these names."""


FLAGS = ("keepdims", "rowvar", "bias", "equal_nan", "increasing", "endpoint", "retstep", "sparse", "returned", "overwrite_input", "wrap", "right", "subok", "stable")
"""Parameters that are true or false."""


def _flag(name: str, argument: Any) -> Any:
    if isinstance(argument, Value):
        known = argument.atom.value if isinstance(argument.atom, Literal) else None
        if known is None:
            raise unsupported(f"{name}=… that is known only at run time is not supported", instead=f"{name}=True or {name}=False, with an if")
        return bool(known)
    return argument


def settled(bound: inspect.BoundArguments) -> inspect.BoundArguments:
    """A call's arguments with those of FORMS in their one form."""
    parameters = bound.signature.parameters
    for name, argument in bound.arguments.items():
        form = FORMS.get(name)
        if name in FLAGS and (name != "right" or parameters[name].default is not None):  # np.interp has a number of this name
            bound.arguments[name] = _flag(name, argument)
        if form is not None:
            many = parameters[name].kind is inspect.Parameter.VAR_POSITIONAL
            bound.arguments[name] = tuple(form(item) for item in argument) if many else form(argument)
    return bound


# ---- what is known of run-time values ------------------------------------------------------------------------------------


def _number(value: Value) -> Any:
    """The number that a scalar is known to be, else the scalar."""
    if not is_integer(value.dtype):
        return value
    form = value.builder.known_form(value.atom)
    return value if form.terms else form.constant


def _taken_apart(value: Value) -> Any:
    """The elements of an array whose shape is known, nested as it is; else the array."""
    if not all(isinstance(dim, int) for dim in value.shape):
        return value
    atoms = _elements(value.builder, value.atom)
    if atoms is None:
        places = np.ndindex(*value.shape)  # type: ignore[arg-type]
        return _nested([one(get(value, place)) for place in places], value.shape)
    return _nested([one(Value(value.builder, atom)) for atom in atoms], value.shape)


def _nested(items: list[Any], shape: tuple[Any, ...]) -> tuple[Any, ...]:
    """Items in C order as nested tuples."""
    if len(shape) == 1:
        return tuple(items)
    size = math.prod(shape[1:])
    return tuple(_nested(items[k * size : (k + 1) * size], shape[1:]) for k in range(shape[0]))


def _elements(builder: Builder, array: Atom) -> tuple[Atom, ...] | None:
    """The scalars of which an array was made; None for any other array."""
    node = made_by(builder, array)
    while node is not None and node.primitive in _SAME:
        array = node.ins[0]
        node = made_by(builder, array)
    if node is None:
        return None
    if node.primitive is rows.iota and isinstance(node.ins[0], Literal):
        return tuple(Literal(number, array.type.with_shape(())) for number in range(node.ins[0].value))  # type: ignore[arg-type]
    return node.ins if node.primitive is rows.pack else None


def made_by(builder: Builder | None, atom: Atom) -> Equation | None:
    """The equation that made a value, in this block or around it; None for parameters and what regions make."""
    while builder is not None:
        for node in reversed(builder.nodes):
            if isinstance(node, Equation) and any(out is atom for out in node.outs):
                return node
        builder = builder.outer
    return None
