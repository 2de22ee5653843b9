"""Parts of arrays: read as views and copies as NumPy makes them, and stored into."""
from __future__ import annotations

import operator
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from s2s.errors import ArgumentValueError
from s2s.transforms.primitives import sizes
from s2s.transforms.primitives.index import OPERANDS
from s2s.transforms.primitives.indexing import At, Full, Index, Span
from s2s.transforms.read.composed import choices
from s2s.transforms.read.describing import describe
from s2s.transforms.read.flow.caught import catches
from s2s.transforms.read.flow.conditions import both
from s2s.transforms.read.flow.positions import are_positions, check_positions
from s2s.transforms.read.flow.spreading import spreads
from s2s.transforms.read.iterations import RunRange
from s2s.transforms.read.known import refused_by_python
from s2s.transforms.read.numpy import operators
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import lift, reshape
from s2s.transforms.read.numpy.keys import Reading, masked_dims, read_index
from s2s.transforms.read.numpy.parts import assigned, fitted, get_part, store_part
from s2s.transforms.read.numpy.python_checks import check_stored
from s2s.transforms.read.numpys_words import numpys_words
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import check_writable, is_zero_dim, load, shape_of, store_view
from s2s.transforms.read.storage.cells import note_made_of
from s2s.transforms.read.storage.selected import stored_into_each
from s2s.transforms.read.values import Abstract, Component, ListRef, Outside, Part, Pooled, Reshaped, Step, View, is_atom, is_number
from s2s.transforms.read.wrapping import as_atom, unwrap, unwrap_atom, wrap
from s2s.types import BOOL, Atom, dim_atom


def read_key(reader: Reader, view: View, key: Abstract) -> Reading:
    """What a key selects of a view."""
    key = tuple(_places(reader, each) for each in key) if type(key) is tuple else _places(reader, key)
    with building(reader.builder):
        return read_index(reader.builder, shape_of(reader, view), wrap(reader, key))


def _places(reader: Reader, key: Abstract) -> Abstract:
    """A range as the array of its numbers; what may be an index in Python is refused rather than taken for none."""
    if isinstance(key, range):
        return np.arange(key.start, key.stop, key.step)
    if isinstance(key, Outside | Pooled):
        raise reader.unsupported(f"an index that is {describe(reader, key)}", "an array of the positions")
    return reader.rules.call(np.arange, (key.lo, key.hi, key.step)) if isinstance(key, RunRange) else key


def note_index(reader: Reader, view: View, key: Abstract) -> None:
    """Inside of a `try` that catches an IndexError: positions that are out of bounds are noted. How many may be is counted where someone asks."""
    if not catches(reader, IndexError):
        if reader.unsure is not None:
            reader.unsure += any(True for _ in _unsure(reader, view, key))
        return
    _check_masks(reader, view, key)
    check_place(reader, view, key)
    for axis, item in _with_axes(reader, view, key):
        if axis < len(shape_of(reader, view)) and are_positions(reader, item):
            check_positions(reader, item, shape_of(reader, view)[axis], axis)


def _check_masks(reader: Reader, view: View, key: Abstract) -> None:
    """NumPy's IndexError of masks of another length, which comes before that of a position."""
    dims = shape_of(reader, view)
    for axis, item in _with_axes(reader, view, key):
        if isinstance(item, View) and load(reader, item).dtype == BOOL and axis + len(shape_of(reader, item)) <= len(dims):
            with building(reader.builder):
                masked_dims(reader.builder, dims, axis, shape_of(reader, item))


def check_place(reader: Reader, view: View, key: Abstract) -> None:
    """An IndexError where a position is out of bounds."""
    for axis, item, dim in _unsure(reader, view, key):
        with building(reader.builder):
            size, place = reader.value(dim_atom(dim)), reader.value(as_atom(reader, item))
            inside = [operators.compare(">=", place, operators.unary("-", size)), operators.compare("<", place, size)]
            fits = both(reader, inside[0].atom, inside[1].atom)
            reader.builder.check(fits, "IndexError", f"index {{}} is out of bounds for axis {axis} with size {{}}", place.atom, size.atom)


def _unsure(reader: Reader, view: View, key: Abstract) -> Iterator[tuple[int, Abstract, Any]]:
    """The axes of which a position may be out of bounds, the position and the size."""
    for axis, item in _with_axes(reader, view, key):
        if isinstance(item, int) or is_atom(item):
            dim = shape_of(reader, view)[axis] if axis < len(shape_of(reader, view)) else 1
            if not (isinstance(dim, int) and isinstance(item, int) or _fits(reader, item, dim)):
                yield axis, item, dim


def _with_axes(reader: Reader, view: View, key: Abstract) -> Iterator[tuple[int, Abstract]]:
    """The items of a key that stand for an axis, up to the first of which that is not known; arrays without axes are their numbers."""
    items, axis = list(key) if isinstance(key, tuple) else [key], 0
    for place, item in enumerate(items):
        if item is ...:
            behind = [each for each in items[place + 1 :] if each is not None]
            counts = [_axes_of(reader, each) for each in behind]
            if None in counts:
                return
            axis = max(axis, len(shape_of(reader, view)) - sum(filter(None, counts)))
        elif item is not None:
            count = _axes_of(reader, item)
            if count is None:
                return
            if is_zero_dim(reader, item):
                with building(reader.builder):
                    item = load(reader, item).atom
            yield axis, item
            axis += count


def _axes_of(reader: Reader, item: Abstract) -> int | None:
    """How many axes an item of a key stands for: a mask for as many as it has; None where that is not known."""
    if isinstance(item, View) and shape_of(reader, item) and load(reader, item).dtype == BOOL:
        return len(shape_of(reader, item))
    is_number_or_slice = isinstance(item, int | slice) or is_atom(item) or is_zero_dim(reader, item)
    return 1 if is_number_or_slice and _single_bool(reader, item) is None or are_positions(reader, item) else None


def _fits(reader: Reader, item: Abstract, dim: Any) -> bool:
    """Whether a position surely is in bounds."""
    place = as_atom(reader, item)
    return reader.builder.proves_at_least(place, 0) and reader.builder.proves_at_least(dim_atom(dim), reader.plus(place, 1))


def _single_bool(reader: Reader, key: Abstract) -> Abstract:
    """The bool of x[test] or x[test, ...], a mask without axes; None if the key is another."""
    items = [item for item in (key if isinstance(key, tuple) else (key,)) if item is not ...]
    if len(items) != 1:
        return None
    (item,) = items
    if is_zero_dim(reader, item):
        with building(reader.builder):
            item = load(reader, item).atom
    return item if isinstance(item, bool | np.bool_) or is_atom(item) and item.type.dtype == BOOL else None


def _bool_in_front(reader: Reader, key: Abstract) -> Abstract:
    """The bool of x[test, *rest], a mask without axes in front of slices, positions and new axes; None if the key is another."""
    if not isinstance(key, tuple) or len(key) < 2 or key[0] is ...:
        return None
    rest_is_basic = all(item is None or item is ... or isinstance(item, slice) or (is_number(item) or is_atom(item)) and _single_bool(reader, item) is None for item in key[1:])
    return _single_bool(reader, key[0]) if rest_is_basic else None


def get_part_of(reader: Reader, view: View, key: Abstract, *, noted: bool = True) -> Abstract:
    """view[key]: a view or a copy. `noted`: whether a copy that may be taken for an alias is remembered as one."""
    note_index(reader, view, key)
    if (test := _single_bool(reader, key)) is not None:
        return reader.rules.call(choices.taken_if, (view, test))
    if (test := _bool_in_front(reader, key)) is not None:
        return reader.rules.call(choices.part_taken_if, (view, test, key[1:]))
    reading = read_key(reader, view, key)
    items = key if isinstance(key, tuple) else (key,)
    is_array = any(item is ... for item in items)
    element = (reading.element or not items and is_zero_dim(reader, view)) and not is_array
    if reading.basic and not element and not any(map(partial(is_zero_dim, reader), items)):  # an array among the positions makes a copy
        return part_view(reader, view, reading)
    whole = compose(reader, view.steps, reading)
    if element and whole is not None:
        return unwrap_atom(reader, load(reader, View(view.cell, whole)).atom)
    with building(reader.builder):
        found = unwrap(reader, get_part(load(reader, view), reading), arrays=is_array)
    if reading.strided and noted:
        note_made_of(reader, found.cell, view.cell)
    return found


def part_view(reader: Reader, view: View, reading: Reading) -> View:
    """The view that a basic index makes."""
    steps = compose(reader, view.steps, reading)
    if steps is None:
        steps = (*view.steps, Part(reading.index, tuple(value.atom for value in reading.operands), reader.builder.where))
    if reading.shape != reading.part:
        steps = (*steps, Reshaped(reading.shape, ravel=False))
    return View(view.cell, steps)


def compose(reader: Reader, steps: tuple[Step, ...], reading: Reading) -> tuple[Step, ...] | None:
    """The steps with an index behind them, two indices in a row made one where that is exact; None where it is not."""
    operands = tuple(value.atom for value in reading.operands)
    if not any(isinstance(item, At | Span) for item in reading.index) and all(isinstance(item, Full) for item in reading.index):
        return steps
    if steps and isinstance(steps[-1], Component):
        within = compose(reader, steps[:-1], reading)
        return None if within is None else (*within, steps[-1])
    if not steps or not isinstance(steps[-1], Part):
        return (*steps, Part(reading.index, operands, reader.builder.where))
    last = steps[-1]
    if any(not isinstance(item, At | Span | Full) for item in (*last.index, *reading.index)):
        return None
    joined = _composed(reader, last, reading.index, operands)
    return None if joined is None else (*steps[:-1], joined)


def _composed(reader: Reader, first: Part, index: Index, operands: tuple[Atom, ...]) -> Part | None:
    outer, inner, rest = iter(first.operands), iter(operands), iter(index)
    items: list[Any] = []
    atoms: list[Atom] = []
    builder = reader.builder
    for item in first.index:
        if isinstance(item, At):
            items.append(item)
            atoms.append(next(outer))
            continue
        then = next(rest)
        if isinstance(item, Full):
            items.append(then)
            atoms.extend(next(inner) for _ in range(OPERANDS[type(then)]))
            continue
        start, length = next(outer), next(outer)
        assert isinstance(item, Span)
        if isinstance(then, Full):
            items.append(item)
            atoms.extend((start, length))
        elif isinstance(then, At):
            position = next(inner)
            if not (builder.proves_at_least(position, 0) and builder.proves_at_least(length, reader.plus(position, 1))):
                return None
            items.append(At())
            atoms.append(sizes.plus(builder, start, sizes.times(builder, position, item.step)))
        else:
            assert isinstance(then, Span)
            items.append(Span(item.step * then.step))
            atoms.append(sizes.plus(builder, start, sizes.times(builder, next(inner), item.step)))
            atoms.append(next(inner))
    return Part(tuple(items), tuple(atoms), builder.where)


@spreads(2)
def store_into(reader: Reader, view: View, key: Abstract, value: Abstract) -> None:
    """view[key] = value."""
    with numpys_words(reader, operator.setitem, (view, key, value)):
        store_part_of(reader, view, key, value)


def _refuse_sequence(reader: Reader, value: Abstract) -> None:
    """NumPy's error where an element is to be an array with axes, a list or a tuple, even of one item."""
    if isinstance(value, tuple | ListRef) or isinstance(value, View) and load(reader, value).ndim:
        raise ArgumentValueError("setting an array element with a sequence.", where=reader.builder.where, instead="its item: a[i] = v[0]")


def store_part_of(reader: Reader, view: View, key: Abstract, value: Abstract) -> None:
    """view[key] = value, seen by every alias."""
    if view.cell.selected is not None:
        check_writable(reader, view.cell)
        stored_into_each(reader, view, lambda option: store_part_of(reader, option, key, value))
        return
    if (test := _single_bool(reader, key)) is not None:
        check_writable(reader, view.cell)
        reader.rules.call(choices.store_if, (view, test, value))
        return
    if (test := _bool_in_front(reader, key)) is not None:
        check_writable(reader, view.cell)
        reader.rules.call(choices.part_stored_if, (view, test, key[1:], value))
        return
    reading = read_key(reader, view, key)
    if reading.element and not any(item is ... for item in (key if isinstance(key, tuple) else (key,))):
        _refuse_sequence(reader, value)
    if is_atom(value) or is_number(value):
        with building(reader.builder):
            value = check_stored(reader.value(as_atom(reader, value)), load(reader, view).dtype).atom
    steps = compose(reader, view.steps, reading) if reading.basic else None
    check_writable(reader, view.cell)
    if steps is not None and steps != view.steps and (isinstance(steps[-1], Component) or len(steps) <= len(view.steps) and isinstance(steps[-1], Part)):
        target = View(view.cell, steps)
        with building(reader.builder):
            whole = load(reader, target)
            stored = reshape(_fitted_part(reader, whole, reading, value), whole.shape)
            store_view(reader, target, stored)
        return
    with building(reader.builder):
        store_view(reader, view, store_part(load(reader, view), reading, wrap(reader, value)))


def _fitted_part(reader: Reader, whole: Any, reading: Reading, value: Abstract) -> Any:
    """The value as the part takes it."""
    return fitted(assigned(lift(wrap(reader, value)), whole), reading.shape)


def get_of_number(reader: Reader, base: Atom, key: Abstract) -> Abstract:
    """base[key] of a number of NumPy's: (), ..., a bool, new axes."""
    refused_by_python(reader, operator.getitem, base, key)
    if (test := _single_bool(reader, key)) is not None:
        return reader.rules.call(choices.taken_if, (base, test))
    if (test := _bool_in_front(reader, key)) is not None:
        return reader.rules.call(choices.part_taken_if, (base, test, key[1:]))
    with building(reader.builder), numpys_words(reader, operator.getitem, (base, key)):
        wrapped = wrap(reader, key)
        return unwrap(reader, get_part(reader.value(base), read_index(reader.builder, (), wrapped)), arrays=key is ...)


__all__ = ["check_place", "compose", "get_of_number", "get_part_of", "note_index", "part_view", "read_key", "store_into", "store_part_of"]
