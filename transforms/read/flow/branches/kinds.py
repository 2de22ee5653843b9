"""Values of different kinds on two paths: a number says which kind it is (`options.OneOf`)."""
from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from s2s.transforms.primitives.value import zeros
from s2s.transforms.read.flow.agreement import same_static, shown
from s2s.transforms.read.flow.branches.outs import Outs
from s2s.transforms.read.flow.options import ABSENT, MOST, alike, alternatives, is_option, is_runtime_kind, place_among, union
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.state import Branch
from s2s.transforms.read.storage.access import load, new_array
from s2s.transforms.read.values import Abstract, Missing, ObjectRef, OneOf, View, is_atom, is_number, remake
from s2s.types import SIZE, Array, zero

Join = Callable[[Abstract, Abstract, str], Abstract]


class BranchKinds:
    """Joins what no other rule joins."""

    def __init__(self, outs: Outs) -> None:
        self.outs = outs
        self.before: frozenset[Any] = frozenset(outs.reader.heap)
        self.behind: set[Any] = set()

    def joined(self, a: Abstract, b: Abstract, name: str, join: Join) -> Abstract:
        """What is a on the first path and b on the second; None where that can't be. `join`: how two values of one kind are joined."""
        outs, reader = self.outs, self.outs.reader
        if not is_option(reader, a) or not is_option(reader, b):
            return None
        same, types = partial(same_static, reader), (partial(_type_in, reader, outs.one), partial(_type_in, reader, outs.two))
        slots, first, second = union(alternatives(a), alternatives(b), lambda x, y: alike(x, y, same, *types))
        if len(slots) > MOST:
            return None
        options = tuple(self._option(x, y, name, join) for x, y in slots)
        if any(isinstance(option, Missing | OneOf) for option in options):
            return None
        pair = []
        for branch, value, places in ((outs.one, a, first), (outs.two, b, second)):
            with reader.inside(branch):
                pair.append(place_among(reader, value, places))
        return OneOf(outs.add(pair[0], pair[1], f"{name}_kind", SIZE), options)

    def _option(self, x: Abstract, y: Abstract, name: str, join: Join) -> Abstract:
        """A value of one kind; zeros on a path that has none of it."""
        side, value = (1, y) if x is ABSENT else (0, x)
        if isinstance(value, ObjectRef):
            return self._object(side, value, join)
        if not is_runtime_kind(value):
            return value
        if x is not ABSENT and y is not ABSENT:
            return join(x, y, name)
        return self._on_one_path(side, value, name, join)

    def _on_one_path(self, side: int, value: Abstract, name: str, join: Join) -> Abstract:
        other = placeholder(self.outs, 1 - side, value)
        if other is None:
            return Missing(f"{shown(name)} is made on one path only")
        return join(*((value, other) if side == 0 else (other, value)), name)

    def _object(self, side: int, ref: ObjectRef, join: Join) -> Abstract:
        """An object that may have been made on one path only: what it holds there, behind both."""
        if ref in self.before or ref in self.behind:
            return ref
        self.behind.add(ref)
        content = (self.outs.one, self.outs.two)[side].state.heap[ref]
        self.outs.reader.heap[ref] = {name: self._held(side, item, name, join) for name, item in content.items()}
        return ref

    def _held(self, side: int, item: Abstract, name: str, join: Join) -> Abstract:
        if isinstance(item, ObjectRef):
            return self._object(side, item, join)
        return self._on_one_path(side, item, name, join) if is_runtime_kind(item) else item


def _type_in(reader: Reader, branch: Branch, view: View) -> Array:
    """The type of a view at the end of a branch."""
    with reader.inside(branch):
        return load(reader, view).type


def placeholder(outs: Outs, side: int, value: Abstract) -> Abstract:
    """Zeros of the type of a value that the other branch has, for this one (none where a size is unknown there); None for what is no number or array."""
    reader, (empty, full) = outs.reader, (outs.one, outs.two) if side == 0 else (outs.two, outs.one)
    if is_number(value):
        return type(value)(0)
    if is_atom(value):
        return zero(value.type)
    if isinstance(value, tuple):
        items = [placeholder(outs, side, item) for item in value]
        return None if any(item is None for item in items) else remake(value, items)
    if isinstance(value, View):
        with reader.inside(full):
            type_ = load(reader, value).type
        with reader.inside(empty):
            return new_array(reader, zeros(reader.builder, Array(type_.dtype, tuple(dim if outs.is_outer(dim) else 0 for dim in type_.shape))).atom)
    return None
