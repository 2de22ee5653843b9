"""Arrays of positions inside of a `try` that catches an IndexError: whether one of them is out of bounds is looked at before."""
from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np

from s2s.transforms.primitives.indexing import Take, operand_count
from s2s.transforms.primitives.structural import where_true
from s2s.transforms.read.composed import choices
from s2s.transforms.read.flow.caught import catches
from s2s.transforms.read.flow.truth import truth_of
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import load, shape_of
from s2s.transforms.read.values import Abstract, View, is_atom
from s2s.transforms.read.wrapping import as_atom, weak_dim
from s2s.types import BOOL, Array, Atom, Dim, Literal, dim_atom, is_integer


def are_positions(reader: Reader, item: Abstract) -> bool:
    """Whether it is an array of integers with axes."""
    return isinstance(item, View) and bool(shape_of(reader, item)) and is_integer(load(reader, item).dtype)


def check_positions(reader: Reader, places: Abstract, dim: Dim, axis: int) -> None:
    """NumPy's IndexError where one is out of the bounds of an axis of this length; `Reader.session.safe` knows those that were looked at."""
    size = weak_dim(reader, dim)
    found = truth_of(reader, reader.rules.call(choices.are_inside, (places, size)))
    first = reader.rules.call(choices.first_outside, (places, size))
    fits = Literal(found, Array(BOOL)) if isinstance(found, bool) else found
    reader.builder.check(fits, "IndexError", f"index {{}} is out of bounds for axis {axis} with size {{}}", as_atom(reader, first), dim_atom(dim))
    if isinstance(places, View):
        reader.session.safe.add(load(reader, places).atom)


def check_taken(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> None:
    """The same of the positions of np.take, and of the function that writes at positions, one after the other: NumPy looks at all of them before."""
    if _writes_at(function) and len(args) > 1 and catches(reader, IndexError) and isinstance(args[0], View) and are_positions(reader, args[1]) and shape_of(reader, args[0]):
        check_positions(reader, args[1], shape_of(reader, args[0])[0], 0)
    if function is not np.take or not catches(reader, IndexError) or len(args) < 2 or kwargs.get("mode", "raise") != "raise" or len(args) > 3:
        return
    array, places = args[:2]
    axis = args[2] if len(args) > 2 else kwargs.get("axis")
    dims = shape_of(reader, array) if isinstance(array, View) else ()
    if axis is None and len(dims) == 1:
        axis = 0
    if not isinstance(axis, int) or not -len(dims) <= axis < len(dims) or not (are_positions(reader, places) or isinstance(places, int) or is_atom(places)):
        raise reader.unsupported("np.take of this array inside of a `try` that catches an IndexError", "x[i], or np.take with an axis")
    check_positions(reader, places, dims[axis], axis % len(dims))


def _writes_at(function: Any) -> bool:
    """Whether it is np.add.at, or that of another function of NumPy's."""
    return isinstance(getattr(function, "__self__", None), np.ufunc) and function.__name__ == "at"


def takes_unseen(reader: Reader, node: Any) -> bool:
    """Whether an equation takes elements at positions that were not looked at, and that no masks give: how many these are is not compared with others."""
    safe = reader.session.safe
    if node.primitive is where_true:
        safe.update((out, dim) for out, dim in zip(node.outs[1:], node.ins[0].type.shape, strict=True))
    taken = list(_taken(node))
    return any(atom not in safe for atom, _ in taken) and any(each not in safe for each in taken)


def _taken(node: Any) -> Iterator[tuple[Atom, Dim]]:
    """The arrays of positions of an equation, and how long the axes are of which they are."""
    index = node.params.get("index", ())
    operands = iter(node.ins[len(node.ins) - operand_count(index) :])
    for item, dim in zip(index, node.ins[0].type.shape, strict=False):
        given = tuple(islice(operands, operand_count((item,))))
        if isinstance(item, Take):
            yield given[0], dim


__all__ = ["are_positions", "check_positions", "check_taken", "takes_unseen"]
