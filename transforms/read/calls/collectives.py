"""s2s.lax's collectives: rows over named axes, of each leaf of a container (`composed/collectives.py` has their signatures).

    psum((a, b), ("i", "j"))   ->   psum(psum(a; axis=i); axis=j), psum(psum(b; axis=i); axis=j)
"""
from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError, ArgumentValueError, AxisNameError, UnknownSizeError
from s2s.transforms.ir.named_axes import NamedAxis, axis_named
from s2s.transforms.primitives import collectives as rows
from s2s.transforms.primitives import sizes
from s2s.transforms.primitives.collectives import Groups
from s2s.transforms.primitives.row import Primitive
from s2s.transforms.primitives.structural import permuted
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.calls import trees
from s2s.transforms.read.calls.hidden import whole
from s2s.transforms.read.composed import collectives
from s2s.transforms.read.describing import describe
from s2s.transforms.read.known import is_known
from s2s.transforms.read.numpy.axes import normal_axis
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import agreed, cast, lift, reshape, retyped, size_values
from s2s.transforms.read.numpy.table import NUMPY_FUNCTIONS
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, ListRef, View, is_atom, is_number
from s2s.transforms.read.wrapping import unwrap, weak_dim, wrap
from s2s.types import BOOL, INT64, Dim, atom_dim, dim_atom

Leaf = Callable[[Value], Value]
Axes = tuple[NamedAxis, ...]


# ---- what is static --------------------------------------------------------------------------------------------------------


def _static(reader: Reader, name: str, value: Abstract) -> Any:
    """An option as Python has it, lists as tuples: it must be known while reading."""
    if isinstance(value, ListRef) and isinstance(reader.heap[value], tuple):
        value = tuple(reader.heap[value])
    if isinstance(value, tuple):
        return tuple(_static(reader, name, item) for item in value)
    if not is_known(reader, value):  # known for the sizes of one call, perhaps
        raise UnknownSizeError(f"{name} known only at run time", where=reader.builder.where, instead="a constant", why="which examples meet is a part of the program")
    value = whole(reader, value)
    return _static(reader, name, tuple(value.tolist())) if isinstance(value, np.ndarray) else tuple(value) if isinstance(value, range | list) else value


def _axes(reader: Reader, axis_name: Abstract) -> Axes:
    """The axes of a name, or of several.

    Raises
    ------
    AxisNameError
        One is not bound.
    """
    given = _static(reader, "an axis name", axis_name)
    names = given if isinstance(given, tuple) else (given,)
    if len(set(names)) < len(names):
        raise ArgumentValueError(f"duplicate value in the axes of a collective: {names}", where=reader.builder.where)
    return tuple(_bound(reader, name) for name in names)


def _bound(reader: Reader, name: Hashable) -> NamedAxis:
    if isinstance(name, int) and not isinstance(name, bool):
        raise reader.unsupported(f"a collective over axis {name} of the array", f"NumPy's function over axis={name}, and the names of mapped axes here")
    found = axis_named(name)
    if found is None:
        raise AxisNameError(
            f"unbound axis name: {name}", where=reader.builder.where, why="nothing around binds it", instead=f"s2s.vmap(…, axis_name={name!r}) of the function"
        )
    return found


def _groups(reader: Reader, axes: Axes, given: Abstract, *, equal: bool) -> Groups:
    """axis_index_groups, checked. `equal`: they must be of one size."""
    groups = _static(reader, "axis_index_groups", given)
    if groups is None:
        return None
    places = [place for group in groups for place in group]
    if sorted(places) != list(range(len(places))):
        raise ArgumentValueError("axis_index_groups must cover all indices exactly once", where=reader.builder.where)
    if len(axes) != 1:
        raise reader.unsupported("axis_index_groups over several axes", "groups along one of them")
    if equal and len({len(group) for group in groups}) != 1:
        raise ArgumentValueError("axis_index_groups must all be of one size", where=reader.builder.where)
    message = "axis_index_groups must cover all indices exactly once: they have {}, and the axis " + f"{axes[0].name}" + " {}"
    length = dim_of(reader, axes[0])
    agreed(reader.builder, (len(places), length), message, (dim_atom(len(places)), dim_atom(length)))
    return groups


# ---- sizes --------------------------------------------------------------------------------------------------------------------


def dim_of(reader: Reader, axis: NamedAxis) -> Dim:
    """The length of an axis; where only the run knows it, one Var in each block."""
    if axis.size is not None:
        return axis.size
    builder, key = reader.builder, ("axis size", axis.name)
    if key not in builder.numbered:
        (out,) = builder.equation(rows.axis_size, (), {"axis": axis.name}, name="size")
        builder.know_size(out)
        builder.numbered[key] = out
    return builder.numbered[key]


def _size(reader: Reader, axes: Axes, groups: Groups = None) -> Dim:
    """How many take part."""
    if groups is not None:
        return len(groups[0])
    total = dim_atom(1)
    for axis in axes:
        total = sizes.times(reader.builder, total, dim_atom(dim_of(reader, axis)), "size")
    return atom_dim(total)


# ---- leaves ---------------------------------------------------------------------------------------------------------------------


def _mapped(reader: Reader, x: Abstract, function: Leaf) -> Abstract:
    """The container with each leaf's Value changed."""
    leaves, treedef = trees.flatten(reader, x)
    return trees.unflatten(reader, treedef, [_changed(reader, leaf, function) for leaf in leaves])


def _changed(reader: Reader, leaf: Abstract, function: Leaf) -> Abstract:
    if not (is_atom(leaf) or isinstance(leaf, View) or is_number(leaf) or isinstance(leaf, np.ndarray | np.generic)):
        raise ArgumentTypeError(f"a collective needs arrays and numbers, got {describe(reader, leaf)}", where=reader.builder.where)
    with building(reader.builder):
        return unwrap(reader, function(lift(wrap(reader, leaf))))


def _row(row: Primitive, axes: Axes, groups: Groups) -> Leaf:
    """A row over each axis."""
    def made(value: Value) -> Value:
        for axis in axes:
            value = row(value, axis=axis.name, groups=groups)
        return value

    return made


def _summable(value: Value) -> Value:
    return cast(value, INT64) if value.dtype == BOOL else value


def _psum(reader: Reader, x: Abstract, axis_name: Abstract, *, axis_index_groups: Abstract = None) -> Abstract:
    axes = _axes(reader, axis_name)
    groups = _groups(reader, axes, axis_index_groups, equal=is_number(x))
    if is_number(x):  # psum(1, "i") is how many there are: a Python int
        size = weak_dim(reader, _size(reader, axes, groups))
        return size if type(x) is int and x == 1 else _times(reader, x, size)
    return _mapped(reader, x, lambda value: _row(rows.psum, axes, groups)(_summable(value)))


def _times(reader: Reader, number: Abstract, size: Abstract) -> Abstract:
    if is_number(size):
        return number * size
    with building(reader.builder):
        return unwrap(reader, NUMPY_FUNCTIONS[np.multiply](wrap(reader, number), wrap(reader, size)))


def _pmean(reader: Reader, x: Abstract, axis_name: Abstract, *, axis_index_groups: Abstract = None) -> Abstract:
    axes = _axes(reader, axis_name)
    groups = _groups(reader, axes, axis_index_groups, equal=False)
    if groups is not None and len({len(group) for group in groups}) > 1:
        raise reader.unsupported("a mean over groups of several sizes", "psum of it and of 1.0, and their quotient")
    size = wrap(reader, weak_dim(reader, _size(reader, axes, groups)))
    return _mapped(reader, x, lambda value: NUMPY_FUNCTIONS[np.true_divide](_row(rows.psum, axes, groups)(_summable(value)), size))


def _extreme(row: Primitive, reader: Reader, x: Abstract, axis_name: Abstract, *, axis_index_groups: Abstract = None) -> Abstract:
    axes = _axes(reader, axis_name)
    groups = _groups(reader, axes, axis_index_groups, equal=False)
    return _mapped(reader, x, _row(row, axes, groups))


# ---- what moves elements ----------------------------------------------------------------------------------------------------------


def _all_gather(
    reader: Reader, x: Abstract, axis_name: Abstract, *, axis_index_groups: Abstract = None, axis: Abstract = 0, tiled: Abstract = False, to: Abstract = "varying"
) -> Abstract:
    axes, end_to_end, along = _axes(reader, axis_name), bool(_static(reader, "tiled", tiled)), _static(reader, "axis", axis)
    groups = _groups(reader, axes, axis_index_groups, equal=True)
    if to not in ("varying", "reduced", "invarying"):
        raise ArgumentValueError(f"Got unexpected `to` value for `s2s.lax.all_gather`: {to!r}", where=reader.builder.where)

    def gathered(value: Value) -> Value:
        dim = normal_axis(along, value.ndim + (not end_to_end))
        for number, each in enumerate(reversed(axes)):
            joined = end_to_end or number > 0
            size = dim_atom(_size(reader, (each,), groups))
            length = sizes.times(reader.builder, size, dim_atom(value.shape[dim]), "size") if joined else size
            value = rows.all_gather(value, reader.value(length), axis=each.name, groups=groups, dim=dim, tiled=joined)
            if each.typed and to == "varying":
                value = rows.varied(value, axis=each.name)
        return value

    return _mapped(reader, x, gathered)


def _psum_scatter(
    reader: Reader, x: Abstract, axis_name: Abstract, *, scatter_dimension: Abstract = 0, axis_index_groups: Abstract = None, tiled: Abstract = False
) -> Abstract:
    axes, in_parts, along = _axes(reader, axis_name), bool(_static(reader, "tiled", tiled)), _static(reader, "scatter_dimension", scatter_dimension)
    groups = _groups(reader, axes, axis_index_groups, equal=True)

    def scattered(value: Value) -> Value:
        dim = normal_axis(along, value.ndim)
        total = _size(reader, axes, groups)
        if in_parts:
            whole_size = value.shape[dim]
            part = _part(reader, whole_size, total, "tiled reduce_scatter operand scatter dimension size {} must be divisible by shard_count {}")
        else:
            message = "reduce_scatter operand scatter dimension size {} must match shard count {}"
            agreed(reader.builder, (total, value.shape[dim]), message, (dim_atom(value.shape[dim]), dim_atom(total)))
            value, part = _with_dim(value, dim, total), 1
        for number, each in enumerate(axes):
            last = number == len(axes) - 1
            kept = sizes.times(reader.builder, dim_atom(_size(reader, axes[number + 1 :])), dim_atom(part), "size")
            value = rows.psum_scatter(_summable(value), reader.value(kept), axis=each.name, groups=groups, dim=dim, tiled=in_parts or not last)
        return value

    return _mapped(reader, x, scattered)


def _part(reader: Reader, length: Dim, count: Dim, message: str) -> Dim:
    """length // count; it is a multiple."""
    builder = reader.builder
    part = sizes.quotient(builder, dim_atom(length), dim_atom(count), "part")
    agreed(builder, (atom_dim(sizes.times(builder, part, dim_atom(count), "size")), length), message, (dim_atom(length), dim_atom(count)))
    return atom_dim(part)


def _with_dim(value: Value, dim: int, size: Dim) -> Value:
    return retyped(value, (*value.shape[:dim], size, *value.shape[dim + 1 :]))


def _all_to_all(
    reader: Reader, x: Abstract, axis_name: Abstract, split_axis: Abstract, concat_axis: Abstract, *, axis_index_groups: Abstract = None, tiled: Abstract = False
) -> Abstract:
    axes, in_parts = _axes(reader, axis_name), bool(_static(reader, "tiled", tiled))
    groups = _groups(reader, axes, axis_index_groups, equal=True)
    split_at, concat_at = _static(reader, "split_axis", split_axis), _static(reader, "concat_axis", concat_axis)
    shown = axes[0].name if len(axes) == 1 else tuple(axis.name for axis in axes)

    def exchanged(value: Value) -> Value:
        split, concat, total = normal_axis(split_at, value.ndim), normal_axis(concat_at, value.ndim), _size(reader, axes, groups)
        length = value.shape[split]
        if in_parts:
            part = _part(reader, length, total, "The size of all_to_all split_axis ({}) has to be divisible by the size of the named axis " + f"{shown}" + " ({})")
        else:
            message = "all_to_all requires the size of the mapped axis axis_name to equal x.shape[split_axis], but they are {} and {} respectively."
            agreed(reader.builder, (total, length), message, (dim_atom(total), dim_atom(length)))
            value, part = _with_dim(value, split, total), 1
        whole_value = _sent(reader, value, axes, groups, split, part)
        return _placed(reader, whole_value, len(axes), total, split, concat, in_parts=in_parts)

    return _mapped(reader, x, exchanged)


def _sent(reader: Reader, value: Value, axes: Axes, groups: Groups, split: int, part: Dim) -> Value:
    """The parts that are received along new axes in front, one for each named axis."""
    for number, axis in enumerate(axes):
        kept = atom_dim(sizes.times(reader.builder, dim_atom(_size(reader, axes[number + 1 :])), dim_atom(part), "size"))
        value = reshape(value, (1, *value.shape))
        lengths = size_values(value.builder, (kept, _size(reader, (axis,), groups)))
        value = rows.all_to_all(value, *lengths, axis=axis.name, groups=groups, split=split + 1 + number, concat=0)
    order = (*reversed(range(len(axes))), *range(len(axes), value.ndim))
    return permuted(value, order)


def _placed(reader: Reader, value: Value, senders: int, total: Dim, split: int, concat: int, *, in_parts: bool) -> Value:
    """What was received, whose senders stand along so many axes in front, where it belongs."""
    rest = value.shape[senders:]
    value = reshape(value, (total, *rest))
    if in_parts:
        order = (*range(1, 1 + concat), 0, *range(1 + concat, 1 + len(rest)))
        joined = atom_dim(sizes.times(reader.builder, dim_atom(total), dim_atom(rest[concat]), "size"))
        return reshape(permuted(value, order), (*rest[:concat], joined, *rest[concat + 1 :]))
    rest = (*rest[:split], *rest[split + 1 :])
    value = reshape(value, (total, *rest))
    return permuted(value, (*range(1, 1 + concat), 0, *range(1 + concat, 1 + len(rest))))


def _ppermute(reader: Reader, x: Abstract, axis_name: Abstract, perm: Abstract) -> Abstract:
    axis = _one(reader, "ppermute", axis_name)
    return _permuted(reader, x, axis, tuple((int(source), int(to)) for source, to in _static(reader, "perm", perm)))


def _permuted(reader: Reader, x: Abstract, axis: NamedAxis, pairs: tuple[tuple[int, int], ...]) -> Abstract:
    for kind, places in zip(("source", "destination"), zip(*pairs, strict=True), strict=False):
        if len(set(places)) < len(places):
            raise ArgumentValueError(f"ppermute sources and destinations must be unique, got perm={pairs}", where=reader.builder.where, why=f"a {kind} stands twice")
    for place in (place for pair in pairs for place in pair):
        _check_place(reader, axis, place, f"ppermute names example {place}")
    return _mapped(reader, x, lambda value: rows.ppermute(value, axis=axis.name, perm=pairs))


def _one(reader: Reader, name: str, axis_name: Abstract) -> NamedAxis:
    axes = _axes(reader, axis_name)
    if len(axes) != 1:
        raise reader.unsupported(f"{name} over several axes", "one of them after the other")
    return axes[0]


def _check_place(reader: Reader, axis: NamedAxis, place: int, says: str) -> None:
    """A position along an axis exists."""
    length = dim_of(reader, axis)
    message = f"{says}, but the axis {axis.name} has " + "{}"
    if isinstance(length, int) or place < 0:
        if not 0 <= place < (length if isinstance(length, int) else np.inf):
            raise ArgumentValueError(message.format(length if isinstance(length, int) else "others"), where=reader.builder.where)
        return
    builder = reader.builder
    if not builder.proves_less(place, length):
        size = reader.value(length)
        builder.check((size.like(place) < size).atom, "ValueError", message, length)


def _pshuffle(reader: Reader, x: Abstract, axis_name: Abstract, perm: Abstract) -> Abstract:
    axis = _one(reader, "pshuffle", axis_name)
    sources = _static(reader, "perm", perm)
    if set(sources) != set(range(len(sources))):
        raise ArgumentValueError(f"`perm` does not represent a permutation: {list(sources)}", where=reader.builder.where)
    length, message = dim_of(reader, axis), f"pshuffle's `perm` has {{}} examples, and the axis {axis.name} {{}}"
    agreed(reader.builder, (len(sources), length), message, (dim_atom(len(sources)), dim_atom(length)))
    return _permuted(reader, x, axis, tuple((int(source), number) for number, source in enumerate(sources)))


def _pswapaxes(reader: Reader, x: Abstract, axis_name: Abstract, axis: Abstract, *, axis_index_groups: Abstract = None) -> Abstract:
    return _all_to_all(reader, x, axis_name, axis, axis, axis_index_groups=axis_index_groups)


def _pbroadcast(reader: Reader, x: Abstract, axis_name: Abstract, source: Abstract) -> Abstract:
    axis, place = _one(reader, "pbroadcast", axis_name), int(_static(reader, "source", source))
    _check_place(reader, axis, place, f"pbroadcast's source is {place}")

    def sent(value: Value) -> Value:
        found = rows.pbroadcast(value, axis=axis.name, source=place)
        return rows.varied(found, axis=axis.name) if axis.typed else found

    return _mapped(reader, x, sent)


def _pcast(reader: Reader, x: Abstract, axis_name: Abstract, *, to: Abstract) -> Abstract:
    if _static(reader, "to", to) != "varying":
        raise reader.unsupported(f"pcast(to={to!r})", "to='varying', or psum")
    axes = tuple(axis for axis in _axes(reader, axis_name) if axis.typed)

    def cast_along(value: Value) -> Value:
        for axis in axes:
            value = rows.varied(value, axis=axis.name)
        return value

    return _mapped(reader, x, cast_along)


def _axis_index(reader: Reader, axis_name: Abstract) -> Abstract:
    builder = reader.builder
    index: Any = None
    for axis in _axes(reader, axis_name):
        (own,) = builder.equation(rows.axis_index, (), {"axis": axis.name}, name="index")
        builder.know_index(own, 0, dim_atom(dim_of(reader, axis)), 1)
        index = own if index is None else sizes.plus(builder, sizes.times(builder, index, dim_atom(dim_of(reader, axis))), own, "index")
    return index


def _axis_size(reader: Reader, axis_name: Abstract) -> Abstract:
    return weak_dim(reader, _size(reader, _axes(reader, axis_name)))


HANDLERS: dict[Any, Callable[..., Abstract]] = {
    collectives.psum: _psum, collectives.pmean: _pmean, collectives.pmax: partial(_extreme, rows.pmax), collectives.pmin: partial(_extreme, rows.pmin),
    collectives.all_gather: _all_gather, collectives.psum_scatter: _psum_scatter, collectives.all_to_all: _all_to_all, collectives.ppermute: _ppermute,
    collectives.pshuffle: _pshuffle, collectives.pswapaxes: _pswapaxes, collectives.pbroadcast: _pbroadcast, collectives.pcast: _pcast, collectives.axis_index: _axis_index,
    collectives.axis_size: _axis_size,
}  # fmt: skip
"""By the function of `composed.collectives`."""

__all__ = ["HANDLERS"]
