"""Arrays that are made in an order of memory that the call names: `order=` of copies and of arrays like others.

    x.copy(order="F")          the copy of x.T, transposed
    np.copy(x.T, "K")          the copy of x, transposed: a copy lies as what it is made of
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage import layout
from s2s.transforms.read.storage.access import laid_out, load, ordered
from s2s.transforms.read.values import Abstract, Reshaped, Transposed, View

Making = Callable[[tuple[Abstract, ...], dict[str, Abstract]], Abstract]
"""The call itself, of an array first, without an order: what it makes lies in C order."""
COPIES = (np.copy, np.array, np.zeros_like, np.ones_like, np.empty_like, np.full_like, "copy", "astype")
"""Of the functions and methods that make an array in an order (`layout.ORDERS`) those that make a new one."""
OF_A_SHAPE: dict[Callable[..., Any], int] = {np.zeros: 2, np.ones: 2, np.empty: 2, np.full: 3, np.eye: 4}
"""Functions that make an array of a shape, and the place of `order` among their arguments."""
ASTYPE = ("dtype", "order", "casting", "subok", "copy")
"""The arguments of x.astype, which is called by their names."""


def of_a_shape(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract], make: Making) -> Abstract:
    """The array that a function of `OF_A_SHAPE` makes in Fortran order; None where it names another."""
    place = OF_A_SHAPE[function]
    if (args[place] if len(args) > place else kwargs.get("order")) != "F":
        return None
    return in_fortran_order(reader, make(*_without(args, place, kwargs, "C")), None)


def in_an_order(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract], make: Making) -> Abstract:
    """The array that a call of one of `COPIES` makes; None where it names no order that it would not take anyway."""
    place, default = layout.ORDERS[function]
    given = args[place] if len(args) > place else kwargs.get("order")
    order = default if given is None else str(given).upper()
    source = args[0] if isinstance(args[0], View) else None
    turned = 0 if source is None or order not in "KA" or any(type(dim) is int and dim == 1 for dim in load(reader, source).shape) else _transpositions(source)  # an axis of length 1 has a stride of its own
    if order not in ("C", "F", "A", "K") or given is None and not turned:
        return None
    if kwargs.get("copy", True) is not True:  # the array itself, perhaps
        by_order = function == "astype" and order in "CF" and kwargs.get("casting", "unsafe") == "unsafe"
        return reader.rules.call(np.asarray, (args[0], kwargs.get("dtype")), {"order": order}) if by_order else None
    (_, *rest), named = _without(args, place, kwargs, default)

    def call(first: Abstract) -> Abstract:
        return make((first, *rest), named)

    if order in "KA" and source is not None and turned:
        steps = source.steps[-turned:]
        if order == "A" and not _is_reversal(steps):
            return None if given is None else call(source)
        before = View(source.cell, source.steps[:-turned])
        found = call(before)
        if _is_open(found):
            if order == "A":
                return None  # of an array with gaps it is C order
            laid_out(reader, found, "K", before)
        return View(found.cell, (*found.steps, *steps)) if isinstance(found, View) else found
    if order == "F" and source is not None and load(reader, source).ndim > 1 and not _has_another_shape(args, place, kwargs):
        found = _lying_in_c(call(reader.rules.call(np.transpose, (source,))))
        return reader.rules.call(np.transpose, (found,))
    found = call(args[0])
    if order == "F":
        return in_fortran_order(reader, found, None)
    if order == "C":
        return _lying_in_c(found)
    if isinstance(found, View) and source is not None:
        ordered(reader, found, source)
    return found


def _has_another_shape(args: tuple[Abstract, ...], place: int, kwargs: dict[str, Abstract]) -> bool:
    """Whether the array that is made may have other axes than the one that it is made like."""
    return kwargs.get("shape") is not None or bool(kwargs.get("ndmin")) or len(args) > place + 2 and args[place + 2] is not None


def _without(args: tuple[Abstract, ...], place: int, kwargs: dict[str, Abstract], default: str) -> tuple[tuple[Abstract, ...], dict[str, Abstract]]:
    """The arguments of a call that names no order."""
    return tuple(default if number == place else arg for number, arg in enumerate(args)), {key: value for key, value in kwargs.items() if key != "order"}


def _is_open(found: Abstract) -> bool:
    """Whether nothing says yet how it lies."""
    return isinstance(found, View) and not found.cell.contiguous and not found.cell.follows


def _lying_in_c(found: Abstract) -> Abstract:
    """What was made for this call, in C order."""
    if isinstance(found, View) and not found.steps and found.cell.owner is None:
        found.cell.contiguous = True
    return found


def _transpositions(source: View) -> int:
    """How many transpositions a view ends with, where what they are of lies in one order; 0 for a view of another kind."""
    count = next((number for number, step in enumerate(reversed(source.steps)) if not isinstance(step, Transposed)), len(source.steps))
    return count if all(isinstance(step, Reshaped) for step in source.steps[: len(source.steps) - count]) else 0


def _is_reversal(steps: tuple[Any, ...]) -> bool:
    axes = tuple(range(len(steps[0].axes)))
    for step in steps:
        axes = tuple(axes[axis] for axis in step.axes)
    return axes in (tuple(range(len(axes))), tuple(reversed(range(len(axes)))))


def in_fortran_order(reader: Reader, found: Abstract, out: Abstract) -> Abstract:
    """A new array that is asked for in Fortran order; what is stored into `out` lies as that does."""
    if isinstance(found, tuple):
        return tuple(in_fortran_order(reader, each, out) for each in found)
    return reader.rules.call(np.copy, (found, "F")) if isinstance(found, View) and out is None and load(reader, found).ndim > 1 else found


__all__ = ["ASTYPE", "COPIES", "OF_A_SHAPE", "in_an_order", "in_fortran_order", "of_a_shape"]
