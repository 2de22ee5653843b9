"""Reading and storing parts: arrays (views and copies as NumPy makes them), tuples, lists, dicts."""
from __future__ import annotations

import operator
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from s2s.transforms.primitives import sizes
from s2s.transforms.primitives.indexing import At, Full, Index, Span
from s2s.transforms.read.callables import AtArray, AtPlace, FlatArray
from s2s.transforms.read.calls import special_methods
from s2s.transforms.read.calls.hidden import enter_item
from s2s.transforms.read.classes import type_name
from s2s.transforms.read.composed import choices, lists
from s2s.transforms.read.describing import describe
from s2s.transforms.read.failures import MayBeAnother, NeedsInline, StoredOutside, ToBePooled
from s2s.transforms.read.flow.caught import catches
from s2s.transforms.read.flow.conditions import both
from s2s.transforms.read.flow.flat import get_of_flat, set_of_flat
from s2s.transforms.read.flow.index_tricks import get_of_trick, is_index_trick
from s2s.transforms.read.flow.items import content_of, has_changed, is_changed, items_of
from s2s.transforms.read.flow.joining import pick
from s2s.transforms.read.flow.positions import are_positions, check_positions
from s2s.transforms.read.flow.selection import MANY, are_options, item_of_range, item_of_sequence, value_of_key
from s2s.transforms.read.flow.spreading import spreads, spreads_key
from s2s.transforms.read.known import by_python, factory_value, hashed, is_known, key_value, plain, refused_by_python
from s2s.transforms.read.numpy import operators
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import lift, reshape
from s2s.transforms.read.numpy.keys import Reading, masked_dims, read_index
from s2s.transforms.read.numpy.parts import assigned, fitted, get_part, store_part
from s2s.transforms.read.numpy.python_checks import check_stored
from s2s.transforms.read.numpys_words import numpys_words
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.run_time_keys import keys_of
from s2s.transforms.read.storage.access import check_writable, in_pythons_order, is_zero_dim, load, shape_of, store_view
from s2s.transforms.read.storage.cells import note_made_of
from s2s.transforms.read.storage.growing import position_in
from s2s.transforms.read.storage.grown import Grown
from s2s.transforms.read.storage.plans import refused
from s2s.transforms.read.storage.rows import RowPlace, item_of_row, store_into_row
from s2s.transforms.read.storage.selected import stored_into_each
from s2s.transforms.read.storage.tables import any_length, as_tuple, item_at, store_item
from s2s.transforms.read.values import (
    Abstract,
    Component,
    DequeRef,
    DictRef,
    IteratorRef,
    ListRef,
    Outside,
    Part,
    Pooled,
    Reshaped,
    RunRange,
    SetRef,
    Step,
    TupleRef,
    View,
    is_atom,
    is_namedtuple,
    is_number,
    remake,
    scalar_type,
)
from s2s.transforms.read.wrapping import as_atom, scalar_of, unwrap, unwrap_atom, wrap
from s2s.transforms.read.zero_dim import is_member, which
from s2s.types import BOOL, Atom, Literal, dim_atom, size_literal

_BY_INDEX = (RowPlace, View, RunRange, tuple, str, range, bytes, ListRef, FlatArray)
"""What is asked for an item by its place."""


def by_index(reader: Reader, base: Abstract, key: Abstract) -> Abstract:
    """A key, with the integers for which objects in it stand where it is a place."""
    return special_methods.as_index(reader, key) if isinstance(base, _BY_INDEX) else key


@spreads(0, 1)
@spreads_key(1)
def get_item(reader: Reader, base: Abstract, key: Abstract) -> Abstract:
    """base[key]."""
    if (said := special_methods.item(reader, base, key)) is not None:
        return said[0]
    if isinstance(key, str) and is_namedtuple(base) and getattr(base, "KEYED", False):  # a result of SciPy's, which is a dict
        return reader.rules.attribute(base, key)
    key = by_index(reader, base, key)
    match base:
        case RowPlace():
            return item_of_row(reader, base, key)
        case View():
            with numpys_words(reader, operator.getitem, (base, key)):
                return _get_part(reader, base, key)
        case RunRange():
            return item_of_range(reader, base, key)
        case tuple() | str() | range() | bytes():
            return _get_of_sequence(reader, base, base, key)
        case DequeRef() if isinstance(key, slice):
            raise ArgumentTypeError("sequence index must be integer, not 'slice'", where=reader.builder.where)
        case ListRef() if isinstance(reader.heap[base], Grown):
            found = item_at(reader, reader.heap[base], key)
            return as_tuple(reader, found) if isinstance(base, TupleRef) and isinstance(key, slice) else found
        case ListRef():
            if key != 0 if isinstance(key, int) else True:
                in_pythons_order(reader, base)
            if isinstance(key, slice) and not is_known(reader, key):
                return _part_of_list(reader, base, key)
            found = _get_of_sequence(reader, base, list(reader.heap[base]), key)
            return reader.new_list(found) if isinstance(key, slice) else found
        case SetRef():
            raise ArgumentTypeError("'set' object is not subscriptable", where=reader.builder.where)
        case DictRef():
            with keys_of(reader, base):
                return _get_of_dict(reader, base, key)
        case AtArray():
            return AtPlace(base.array, key)
        case FlatArray():
            return get_of_flat(reader, base, key)
        case Outside() if is_index_trick(base.object):
            return get_of_trick(reader, base.object, key)
        case Outside():
            return enter_item(reader, base, static_key(reader, key))
    if is_atom(base):
        refused_by_python(reader, operator.getitem, base, key)
        if (test := _single_bool(reader, key)) is not None:
            return reader.rules.call(choices.taken_if, (base, test))
        if (test := _bool_in_front(reader, key)) is not None:
            return reader.rules.call(choices.part_taken_if, (base, test, key[1:]))
        with building(reader.builder), numpys_words(reader, operator.getitem, (base, key)):
            wrapped = wrap(reader, key)
            return unwrap(reader, get_part(reader.value(base), read_index(reader.builder, (), wrapped)), arrays=key is ...)
    if is_index_trick(base):
        return get_of_trick(reader, base, key)
    refused_by_python(reader, operator.getitem, base, key)
    if not is_known(reader, base) or not is_known(reader, key):
        raise reader.unsupported(f"an item of {describe(reader, base)}", "an array, list, tuple or dict")
    return by_python(reader, operator.getitem, base, key)


def _get_of_dict(reader: Reader, base: DictRef, key: Abstract) -> Abstract:
    if is_atom(key) and not isinstance(key, Literal):
        if issubclass(base.kind, defaultdict) and base.origin is not None:
            static_key(reader, key)  # it may get the key
        return value_of_key(reader, base, key, *((0,) if base.kind is Counter else ()))
    items = reader.heap[base]
    name = hashed(reader, key)
    if name in items:
        return items[name]
    kind: Any = base.kind
    if kind is Counter:
        return 0
    factory = factory_value(reader, kind)
    if factory is None:
        raise KeyError(name)
    writable(reader, base)
    made = reader.rules.call(factory, ())
    reader.heap[base] = {**reader.heap[base], name: made}
    return made


def static_key(reader: Reader, key: Abstract) -> Any:
    """A key of a container, which must be known while reading."""
    return hashed(reader, key)


def _get_of_sequence(reader: Reader, base: Abstract, items: Any, key: Abstract) -> Abstract:
    """items[key], the items of `base`."""
    key = scalar_of(reader, key)
    if isinstance(key, slice) and not is_known(reader, key):
        raise reader.unsupported("a slice of a tuple with bounds known only at run time", "a list, or an array")
    if not is_known(reader, key):
        if isinstance(base, range):
            return item_of_range(reader, base, key)
        if isinstance(base, tuple | ListRef):
            return item_of_sequence(reader, base, items, key)
        if isinstance(base, str) and not reader.unrollable and not reader.over_text:
            return item_of_sequence(reader, base, tuple(base), key)
        raise reader.unsupported(f"an index of {describe(reader, base)} that is known only at run time", "a constant index")
    found = items[plain(reader, key)]
    return tuple(found) if isinstance(base, tuple) and isinstance(key, slice) else found


def _part_of_list(reader: Reader, base: ListRef, key: slice) -> Abstract:
    """A part of a list of known items between bounds known only at run time."""
    items = reader.heap[base]
    part = reader.new_list(items)
    kinds = {(scalar_type(item).dtype, scalar_type(item).weak) for item in items if is_atom(item) or is_number(item)}
    if len(kinds) > 1 or not any_length(reader, part):
        raise reader.unsupported("a slice of a list of several types of items with bounds known only at run time", "an array, or one list for each type")
    return item_at(reader, reader.heap[part], key)


# ---- arrays ------------------------------------------------------------------------------------------------------------


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


def part_to_update(reader: Reader, base: Abstract, key: Abstract) -> Abstract:
    """base[key] that is stored back at once (base[key] op= …): a copy is never taken for an alias."""
    return _get_part(reader, base, key, noted=False) if isinstance(base, View) else get_item(reader, base, key)


def _note_index(reader: Reader, view: View, key: Abstract) -> None:
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


def _get_part(reader: Reader, view: View, key: Abstract, *, noted: bool = True) -> Abstract:
    _note_index(reader, view, key)
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
            atoms.extend(next(inner) for _ in range({At: 1, Span: 2, Full: 0}[type(then)]))
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
def _store(reader: Reader, view: View, key: Abstract, value: Abstract) -> None:
    """view[key] = value."""
    with numpys_words(reader, operator.setitem, (view, key, value)):
        store_part_of(reader, view, key, value)


@spreads(0, 1)
@spreads_key(1)
def set_item(reader: Reader, base: Abstract, key: Abstract, value: Abstract) -> None:
    """base[key] = value."""
    if special_methods.stores_item(reader, base, key, value):
        return
    key = by_index(reader, base, key)
    match base:
        case RowPlace():
            store_into_row(reader, base, key, value)
        case View():
            _note_index(reader, base, key)
            _store(reader, base, key, value)
        case FlatArray():
            set_of_flat(reader, base, key, value)
        case ListRef():
            if isinstance(base, TupleRef):
                refused_by_python(reader, operator.setitem, base, key, value)
            writable(reader, base)
            if isinstance(key, slice) and isinstance(value, IteratorRef):
                value = _all_of(reader, base, value)
            has_run_time_length = isinstance(reader.heap[base], Grown) or isinstance(value, ListRef) and isinstance(reader.heap[value], Grown)
            if has_run_time_length and type(base) is ListRef and isinstance(key, slice) and key.step is None and isinstance(value, tuple | ListRef) and value is not base:
                reader.rules.call(lists.store_part, (base, key.start, key.stop, value))
                return
            if isinstance(reader.heap[base], Grown) and type(base) is ListRef and isinstance(key, slice) and key.step is not None and isinstance(value, tuple | ListRef):
                reader.rules.call(lists.store_stepped, (base, key.start, key.stop, key.step, value))
                return
            if isinstance(reader.heap[base], Grown):
                store_item(reader, reader.heap[base], key, value)
                return
            items = list(reader.heap[base])
            if isinstance(key, slice):
                items[plain(reader, key)] = list(items_of(reader, value))
            elif not is_known(reader, key) and isinstance(value, Pooled) and any_length(reader, base):
                store_item(reader, reader.heap[base], key, value)
                return
            elif not is_known(reader, key):
                items = _stored_somewhere(reader, items, key, value)
            else:
                items[plain(reader, key)] = value
            reader.heap[base] = tuple(items)
        case SetRef():
            raise ArgumentTypeError("'set' object does not support item assignment", where=reader.builder.where)
        case DictRef():
            writable(reader, base)
            with keys_of(reader, base):
                is_static = not is_atom(key) or isinstance(key, Literal)
                reader.heap[base] = {**reader.heap[base], static_key(reader, key): value} if is_static else _stored_under(reader, base, key, value)
        case Outside():
            raise reader.unsupported(f"a store into an object outside of the function ({type(base.object).__name__})", "return the new value")
        case tuple():
            raise ArgumentTypeError("'tuple' object does not support item assignment", where=reader.builder.where)
        case _ if is_atom(base):
            which(reader, base, "the class")
            raise ArgumentTypeError(f"{type_name(reader, base)!r} object does not support item assignment", where=reader.builder.where)
        case _:
            raise reader.unsupported(f"a store into {describe(reader, base)}", "an array, list or dict")


def _all_of(reader: Reader, base: ListRef, value: IteratorRef) -> Abstract:
    """The list of what an iterator gives, which is stored into another list: where it stands is said by the length that this had before."""
    before = content_of(reader, base)
    found = reader.rules.call(list, (value,))
    if has_changed(reader, value, base) or is_changed(reader, base, before):
        raise reader.unsupported("a store into a part of a list of an iterator whose items change that list", "list(…) of the iterator before it")
    return found


def _stored_somewhere(reader: Reader, items: list[Abstract], key: Abstract, value: Abstract) -> list[Abstract]:
    """A list's items behind a store at an index that only the run knows."""
    refused_by_python(reader, operator.getitem, reader.new_list(items), key)
    if reader.unrollable or len(items) > MANY or not all(is_atom(each) or is_number(each) for each in (value, *items)) or not is_atom(key):
        error = refused(reader, reader.unsupported("a store into a list at an index known only at run time", "an array (np.zeros(n)) instead of the list"), value, *items)
        if isinstance(error, ToBePooled) or not is_atom(key) or not are_options(reader, (value, *items)):
            raise error
    position = position_in(reader, size_literal(len(items)), key, "list assignment index out of range")
    tests = [reader.rules.truth(reader.rules.compare("==", position, number)) for number in range(len(items))]
    return [pick(reader, test, value, item) for test, item in zip(tests, items, strict=True)]


def _stored_under(reader: Reader, base: DictRef, key: Abstract, value: Abstract) -> dict[Any, Abstract]:
    """A dict's items behind a store under a key that only the run knows: one of those that it has."""
    items = reader.heap[base]
    if base.origin is not None and not is_member(reader, key):
        static_key(reader, key)
    if reader.unrollable or not 0 < len(items) <= MANY or not all(is_atom(each) or is_number(each) for each in (value, *items.values())):
        static_key(reader, key)
    found = reader.rules.contains(base, key)
    if found is False:
        static_key(reader, key)
    if not isinstance(found, bool):
        reader.builder.check(found, "NotImplementedError", "a new key of a dict that is known only at run time")
    tests = [reader.rules.truth(reader.rules.compare("==", key, key_value(reader, known))) for known in items]
    return {known: pick(reader, test, value, item) for (known, item), test in zip(items.items(), tests, strict=True)}


def writable(reader: Reader, ref: Any) -> None:
    """Refuse a change of a container that someone else sees."""
    if ref.owner is None and not ref.merged:
        return
    if ref.owner is None:
        raise _refused_unless_apart(reader, ref, reader.unsupported(
            f"a change of {describe(reader, ref)}, which may or may not be what another name stands for", "make a new one, and bind the name to it",
            "whether it is depends on the path taken",
        ))  # fmt: skip
    if ref.owner == "the caller":
        raise NeedsInline
    refusal = reader.unsupported(
        f"a change of {ref.owner}", "make a new container and return it", "only arrays of the caller can be changed, not lists, dicts and objects"
    )
    if ref in reader.session.containers:
        raise StoredOutside(refusal, *reader.session.containers[ref], None)
    raise _refused_unless_apart(reader, ref, refusal)


def _refused_unless_apart(reader: Reader, ref: Any, refusal: UnsupportedError) -> UnsupportedError:
    """What is raised where a container is changed that is one or another: it may be read, in a pool or if those that met are kept apart."""
    error = refused(reader, refusal, ref)
    return error if isinstance(error, ToBePooled) or not ref.places else MayBeAnother(error, ref.places)


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
    check_contiguous(reader, view)
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


def check_contiguous(reader: Reader, view: View) -> None:
    """Refuse a store through a view that NumPy may have made a copy of."""
    del reader, view  # such reshapes are made as arrays that may be aliases (rearranged in calls.py)


def store_whole(reader: Reader, view: View, new: Any) -> None:
    """Give the view's elements new values, of its dtype and shape."""
    store_view(reader, view, new)


__all__ = ["Literal", "check_place", "get_item", "is_namedtuple", "remake", "set_item", "store_part_of", "store_whole"]
