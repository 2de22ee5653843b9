"""x.shape = s: the array gets another shape, which all its names would see.

    a = np.arange(6.0)
    a.shape = (2, 3)        a = a.reshape((2, 3)), since nothing else is this array
"""
from __future__ import annotations

import libcst as cst
import numpy as np

from s2s.transforms.read.calls.numpy_calls import numpy_call
from s2s.transforms.read.describing import describe
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import may_share
from s2s.transforms.read.storage.visibility import Path, is_seen
from s2s.transforms.read.values import Abstract, Cell, ObjectRef, View


def reshaped_in_place(reader: Reader, target: cst.BaseExpression, array: View, shape: Abstract) -> View:
    """What `target`, an array, is from now on: itself in this shape."""
    place = _place(reader, target)
    if place is None:
        raise reader.unsupported(f"a store into .shape of {describe(reader, array)} that has no name", "x = x.reshape(…)")
    if array.cell.owner is not None or array.cell.selected is not None:
        raise reader.unsupported(f"a store into .shape of {describe(reader, array)}, which is seen outside of the function", "x = x.reshape(…)")
    state, live = reader.state(), frozenset(reader.frame.names)
    alike = (cell for cell in reader.heap if isinstance(cell, Cell) and may_share(reader, cell, array.cell))
    if any(is_seen(reader, state, cell, frozenset((place,)), live) for cell in alike):
        raise reader.unsupported(f"a store into .shape of {describe(reader, array)}, which has another name or a view", "x = x.reshape(…)", "they may be the same array, and would get another shape too")
    found = numpy_call(reader, np.reshape, (array, shape), {})
    if not isinstance(found, View) or found.cell is not array.cell:
        raise reader.unsupported(f"a store into .shape of {describe(reader, array)}, whose elements may not lie one after the other", "x = x.reshape(…)", "NumPy raises AttributeError where it would have to copy them")
    return found


def _place(reader: Reader, target: cst.BaseExpression) -> Path | None:
    """Where an array is: a name, or an attribute of an object that a name stands for."""
    match target:
        case cst.Name():
            return (target.value,)
        case cst.Attribute(value=cst.Name()):
            owner = reader.rules.evaluate(target.value)
            return (owner, target.attr.value) if isinstance(owner, ObjectRef) else None
    return None


__all__ = ["reshaped_in_place"]
