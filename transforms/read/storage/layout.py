"""How an array lies in memory, where that is sure: a storage in C order, seen through slices and transposes.

    x.strides, np.ravel(x, "K"), np.reshape(x.T, -1, "A")

NumPy's results lie as their operands do, so that this is not known of each array; an array of the caller is asked for in C order then (`views.in_order`).
"""
from __future__ import annotations

from typing import Any, assert_never

import numpy as np

from s2s.transforms.primitives import sizes
from s2s.transforms.primitives.indexing import At, Full, Span
from s2s.transforms.read.failures import NeedsInline
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import laid_out, load
from s2s.transforms.read.storage.lying import lying
from s2s.transforms.read.storage.views import in_order
from s2s.transforms.read.values import Abstract, Cell, Component, Part, Reshaped, Step, Transposed, View
from s2s.transforms.read.wrapping import weak_dim
from s2s.types import Atom, Var, atom_dim, dim_atom

_INSTEAD = "np.ascontiguousarray(…) of it before"
_WHY = "NumPy's results lie in memory as their operands do; it is known of arrays that are made in C order, of arguments, and of their slices and transposes"


def strides(reader: Reader, view: View) -> tuple[Abstract, ...]:
    """x.strides: how many bytes lie between an element and the next one along each axis."""
    what = "the strides of an array"
    with building(reader.builder):
        if (model := lying(reader, view)) is not None:
            return model.strides
        whole, steps = _whole(reader, view, what)
        array = load(reader, whole)
        axes = _axes_of_whole(reader, whole, array.ndim, what)
        if _is_made_like(whole) and whole.cell.like != _FORTRAN and not all(isinstance(dim, Var) and _is_an_arguments(reader, dim) for dim in array.shape):
            raise _unknown(reader, what)  # an axis of length 1 has the stride that NumPy happens to give it
        found: dict[int, Atom] = {}
        apart: Atom = dim_atom(array.dtype.itemsize)
        for axis in reversed(axes):
            found[axis] = apart
            apart = sizes.times(reader.builder, apart, dim_atom(array.shape[axis]))
        own = [found[axis] for axis in range(array.ndim)]
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


_FORTRAN: tuple[str, tuple[Abstract, ...]] = ("F", ())


ORDERS: dict[Any, tuple[int, str]] = {
    np.copy: (1, "K"), np.array: (2, "K"), np.asarray: (2, "K"), np.asanyarray: (2, "K"), np.ascontiguousarray: (2, "C"), np.zeros_like: (2, "K"), np.ones_like: (2, "K"),
    np.empty_like: (2, "K"), np.full_like: (3, "K"), "copy": (1, "C"), "astype": (2, "K"),
}  # fmt: skip
"""Functions, and methods by their names, that make an array in an order which is asked for: where that stands among their arguments, and which it is else."""


def in_its_order(reader: Reader, function: Any, found: Abstract, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """What a function or method made, known to lie as NumPy lays it out."""
    is_open = args and function in ORDERS and isinstance(found, View) and not found.cell.contiguous and not found.cell.follows and found.cell.like is None and not (isinstance(args[0], View) and args[0].cell is found.cell)
    if not is_open:
        return found
    place, usual = ORDERS[function]
    order = args[place] if len(args) > place else kwargs.get("order")
    return laid_out(reader, found, order.upper() if isinstance(order, str) else usual, args[0])


def _is_an_arguments(reader: Reader, dim: Var) -> bool:
    """Whether it is a size that an argument has: where it may be any, it is not 1 (`leaves.Kind`)."""
    return not reader.is_helper and any(isinstance(cell, Cell) and cell.owner is not None and cell.initial is None and dim in reader.heap[cell].type.shape for cell in reader.heap)


def _axes_of_whole(reader: Reader, whole: View, ndim: int, what: str) -> tuple[int, ...]:
    """The axes of a storage that was made in some order, the slowest first."""
    like = whole.cell.like
    if whole.cell.contiguous or like is None or whole.steps or like[0].startswith("ufunc"):
        return tuple(range(ndim))
    if like == _FORTRAN:
        return tuple(reversed(range(ndim)))
    found = axes_in_memory(reader, like[1][0], like[0])
    if len(found) != ndim:
        raise _unknown(reader, what)
    return found


def axes_in_memory(reader: Reader, array: Abstract, order: str) -> tuple[int, ...]:
    """The axes of an array as `order` goes through them, the slowest first."""
    ndim = load(reader, array).ndim if isinstance(array, View) else np.ndim(array)
    in_c, in_f = tuple(range(ndim)), tuple(reversed(range(ndim)))
    if order == "C" or ndim < 2 or not isinstance(array, View):
        return in_c
    if order == "F":
        return in_f
    what = f"an array of which order={order!r} is asked"
    if (model := lying(reader, array)) is not None:
        return _axes_of_model(model, order)
    whole, steps = _whole(reader, array, what)
    axes: tuple[int, ...] = _axes_of_whole(reader, whole, load(reader, whole).ndim, what)
    axes = tuple(axes.index(axis) for axis in range(len(axes)))  # the place of each
    for step in steps:
        axes = _axes_behind(reader, axes, step, what)
    found = tuple(sorted(in_c, key=lambda axis: axes[axis]))
    if order == "K" or found == in_c:
        return found
    if found == in_f and not any(isinstance(step, Part) for step in steps):
        return found
    raise _unknown(reader, what)  # order="A": whether it lies in Fortran order goes by its sizes


def _axes_of_model(model: np.ndarray, order: str) -> tuple[int, ...]:
    in_c = tuple(range(model.ndim))
    if order == "K" and not model.flags.forc:
        return tuple(sorted(in_c, key=lambda axis: -abs(model.strides[axis])))
    return tuple(reversed(in_c)) if model.flags.fnc else in_c


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
    if view.cell.selected is None and (view.cell.contiguous or _is_made_like(whole) or in_order(reader, whole, needed=True) or _follows(reader, view.cell)):
        return whole, steps
    if reader.can_be_inlined:
        raise NeedsInline  # the caller may know more about its arrays
    raise _unknown(reader, what)


def _is_made_like(whole: View) -> bool:
    """Whether it was made in an order that was asked for."""
    return whole.cell.like is not None and not whole.cell.like[0].startswith("ufunc") and not whole.steps


def _follows(reader: Reader, cell: Cell) -> bool:
    """Whether it lies as arrays of the caller do, which are asked for in C order."""
    return bool(cell.follows) and all(in_order(reader, View(each), needed=True) for each in cell.follows)


def _unknown(reader: Reader, what: str) -> Exception:
    return reader.unsupported(f"{what}, whose layout in memory is not known here", _INSTEAD, _WHY)


__all__ = ["ORDERS", "axes_in_memory", "in_its_order", "strides"]
