"""How an array lies in memory, where that is sure: a storage in C order, seen through slices and transposes.

    x.strides, np.ravel(x, "K"), np.reshape(x.T, -1, "A")

NumPy's results lie as their operands do, so that this is not known of each array; an array of the caller is asked for in C order then (`views.in_order`).
"""
from __future__ import annotations

from typing import assert_never

import numpy as np

from s2s.transforms.primitives import sizes
from s2s.transforms.primitives.indexing import At, Full, Span
from s2s.transforms.read.failures import NeedsInline
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import load
from s2s.transforms.read.storage.views import in_order
from s2s.transforms.read.values import Abstract, Cell, Component, Part, Reshaped, Step, Transposed, View
from s2s.transforms.read.wrapping import weak_dim
from s2s.types import Atom, atom_dim, dim_atom

_INSTEAD = "np.ascontiguousarray(…) of it before"
_WHY = "NumPy's results lie in memory as their operands do; it is known of arrays that are made in C order, of arguments, and of their slices and transposes"


def strides(reader: Reader, view: View) -> tuple[Abstract, ...]:
    """x.strides: how many bytes lie between an element and the next one along each axis."""
    whole, steps = _whole(reader, view, "the strides of an array")
    with building(reader.builder):
        array = load(reader, whole)
        own: list[Atom] = []
        apart: Atom = dim_atom(array.dtype.itemsize)
        for dim in reversed(array.shape):
            own.insert(0, apart)
            apart = sizes.times(reader.builder, apart, dim_atom(dim))
        for step in steps:
            own = _strides_behind(reader, own, step)
    return tuple(weak_dim(reader, atom_dim(each)) for each in own)


def _strides_behind(reader: Reader, own: list[Atom], step: Step) -> list[Atom]:
    match step:
        case Transposed():
            return [own[axis] for axis in step.axes]
        case Component():
            return own
        case Part():
            steps = [None if isinstance(item, At) else item.step if isinstance(item, Span) else 1 for item in step.index]
            return [sizes.times(reader.builder, apart, each) for apart, each in zip(own, steps, strict=True) if each is not None]
        case Reshaped():
            raise _unknown(reader, "the strides of an array")
        case _:
            assert_never(step)


def axes_in_memory(reader: Reader, array: Abstract, order: str) -> tuple[int, ...]:
    """The axes of an array as `order` goes through them, the slowest first."""
    ndim = load(reader, array).ndim if isinstance(array, View) else np.ndim(array)
    in_c, in_f = tuple(range(ndim)), tuple(reversed(range(ndim)))
    if order == "C" or ndim < 2 or not isinstance(array, View):
        return in_c
    if order == "F":
        return in_f
    what = f"an array of which order={order!r} is asked"
    whole, steps = _whole(reader, array, what)
    axes: tuple[int, ...] = tuple(range(load(reader, whole).ndim))
    for step in steps:
        axes = _axes_behind(reader, axes, step, what)
    found = tuple(sorted(in_c, key=lambda axis: axes[axis]))
    if order == "K" or found == in_c:
        return found
    if found == in_f and not any(isinstance(step, Part) for step in steps):
        return found
    raise _unknown(reader, what)  # order="A": whether it lies in Fortran order goes by its sizes


def _axes_behind(reader: Reader, axes: tuple[int, ...], step: Step, what: str) -> tuple[int, ...]:
    match step:
        case Transposed():
            return tuple(axes[axis] for axis in step.axes)
        case Component():
            return axes
        case Part():
            return tuple(axis for axis, item in zip(axes, step.index, strict=True) if not isinstance(item, At))
        case Reshaped():
            raise _unknown(reader, what)
        case _:
            assert_never(step)


def _whole(reader: Reader, view: View, what: str) -> tuple[View, tuple[Step, ...]]:
    """The part of a view's storage that lies in C order, and the steps that lead on from there."""
    count = next((number for number, step in enumerate(view.steps) if not isinstance(step, Reshaped)), len(view.steps))
    whole, steps = View(view.cell, view.steps[:count]), view.steps[count:]
    if any(isinstance(step, Part) and not all(isinstance(item, At | Span | Full) for item in step.index) for step in steps):
        raise _unknown(reader, what)
    if view.cell.selected is None and (view.cell.contiguous or in_order(reader, whole, needed=True) or _follows(reader, view.cell)):
        return whole, steps
    if reader.can_be_inlined:
        raise NeedsInline  # the caller may know more about its arrays
    raise _unknown(reader, what)


def _follows(reader: Reader, cell: Cell) -> bool:
    """Whether it lies as arrays of the caller do, which are asked for in C order."""
    return bool(cell.follows) and all(in_order(reader, View(each), needed=True) for each in cell.follows)


def _unknown(reader: Reader, what: str) -> Exception:
    return reader.unsupported(f"{what}, whose layout in memory is not known here", _INSTEAD, _WHY)


__all__ = ["axes_in_memory", "strides"]
