"""The sizes of the items of a list that a loop was seen to grow: the array that the list becomes is made before the loop, so they must be known there.

    for k in range(n):                      size = minimum(m, len(x))
        if k >= len(x):                     items = zeros(8, size)
            break                    ->     for k in range(n):
        out.append(x[:m])                       ...
"""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.records import replace
from s2s.transforms.read.flow.hoisting import Hoisting
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.grown import Template
from s2s.transforms.read.storage.plans import of_any_length
from s2s.transforms.read.storage.shapes_of_items import types_in
from s2s.types import Array, Atom, Dim, Var, atom_dim, dim_atom


def known_before(reader: Reader, ref: Any, inner: set[Var], done: dict[Any, Atom]) -> Array | Template:
    """The type of a list's items, as it grew in a trip, with its sizes as they are known before the loop whose trip binds `inner`. `done`: as in Hoisting."""
    type_ = reader.session.growing[ref]

    def size(dim: Dim) -> Dim:
        return dim if is_outer(dim) else _size_before(reader, ref, dim, hoisting)

    def is_outer(dim: Dim) -> bool:
        return isinstance(dim, int) or dim not in inner

    outer = reader.builder.outer
    if outer is None:
        return type_
    hoisting = Hoisting(outer, is_outer, done)
    if isinstance(type_, Template):
        return replace(type_, types=tuple(replace(each, shape=tuple(map(size, each.shape))) for each in type_.types))
    return replace(type_, shape=tuple(map(size, type_.shape)))


def _size_before(reader: Reader, ref: Any, dim: Dim, hoisting: Hoisting) -> Dim:
    found = hoisting.atom(reader.builder, dim_atom(dim))
    if found is None and any(pool.rows is ref and pool.kind is np.ndarray for pool in reader.session.pools):
        raise reader.unsupported(*_CHANGED_IN_PLACE)
    if found is None:
        raise of_any_length(reader, reader.unsupported(*_SIZES_OF_A_TRIP), types_in(reader.session.growing[ref]))
    return atom_dim(found)


_SIZES_OF_A_TRIP = (
    "a list that grows in a loop whose trip count is known only at run time, of arrays whose sizes a trip computes",
    "allocate an array before the loop (np.empty(n)) and store into it",
)
_CHANGED_IN_PLACE = (
    "an array that is changed in place as an item of a list whose length is known only at run time, where each item has a size of its own",
    "a new list of changed arrays: [g - g.mean() for g in groups]",
)


__all__ = ["known_before"]
