"""The sizes of the items of a list that a loop was seen to grow: the array that the list becomes is made before the loop, so they must be known there.

    for k in range(n):                      size = minimum(m, len(x))
        if k >= len(x):                     items = zeros(8, size)
            break                    ->     for k in range(n):
        out.append(x[:m])                       ...
"""
from __future__ import annotations

from typing import Any

from s2s.records import replace
from s2s.transforms.read.flow.hoisting import Hoisting
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.grown import Template
from s2s.transforms.read.storage.plans import of_any_length
from s2s.transforms.read.storage.shapes_of_items import types_in
from s2s.types import Array, Atom, Dim, Var, atom_dim, dim_atom


def known_before(reader: Reader, type_: Array | Template, inner: set[Var], done: dict[Any, Atom]) -> Array | Template:
    """The type of a list's items with its sizes as they are known before the loop whose trip binds `inner`. `done`: as in Hoisting."""

    def size(dim: Dim) -> Dim:
        return dim if is_outer(dim) else _size_before(reader, dim, hoisting, types_in(type_))

    def is_outer(dim: Dim) -> bool:
        return isinstance(dim, int) or dim not in inner

    outer = reader.builder.outer
    if outer is None:
        return type_
    hoisting = Hoisting(outer, is_outer, done)
    if isinstance(type_, Template):
        return replace(type_, types=tuple(replace(each, shape=tuple(map(size, each.shape))) for each in type_.types))
    return replace(type_, shape=tuple(map(size, type_.shape)))


def _size_before(reader: Reader, dim: Dim, hoisting: Hoisting, types: tuple[Array, ...]) -> Dim:
    found = hoisting.atom(reader.builder, dim_atom(dim))
    if found is None:
        refusal = reader.unsupported(
            "a list that grows in a loop whose trip count is known only at run time, of arrays whose sizes a trip computes",
            "allocate an array before the loop (np.empty(n)) and store into it",
        )
        raise of_any_length(reader, refusal, types)
    return atom_dim(found)


__all__ = ["known_before"]
