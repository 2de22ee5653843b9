"""`Widening`: what is carried already is carried as a type, or with dimensions, that hold what it is at the end of a trip too."""
from __future__ import annotations

from s2s.records import replace
from s2s.transforms.read.describing import describe
from s2s.transforms.read.flow.agreement import common_type, may_be_boxed, may_be_member, type_of_scalar
from s2s.transforms.read.flow.loops.before import Before
from s2s.transforms.read.flow.loops.leaves import Leaf, Leaves
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import load
from s2s.transforms.read.storage.visibility import Path
from s2s.transforms.read.values import Abstract, View
from s2s.types import Array, Atom, dim_atom


class Widening:
    """Of the leaves of one loop; `found`: what each is at the end of the trip."""

    def __init__(self, reader: Reader, before: Before, leaves: Leaves, found: dict[Path, Abstract]) -> None:
        self.reader, self.before, self.leaves, self.found = reader, before, leaves, found

    def scalar(self, leaf: Leaf, end: Abstract, path: Path) -> None:
        """A scalar is carried as what holds this one too."""
        type_ = joined(leaf.type, type_of_scalar(self.reader, end), self.before.value(path), end)
        wider = replace(leaf, type=type_, either=leaf.either or may_be_boxed(self.reader, end), member=leaf.member or may_be_member(self.reader, end))
        if wider != leaf:
            self.leaves.add(path, wider)
        self.found[path] = end

    def array(self, leaf: Leaf, end: Abstract, path: Path) -> None:
        """An array is carried with what it changes of its dimensions."""
        loaded = load(self.reader, end) if isinstance(end, View) else None
        if loaded is None or loaded.ndim != leaf.type.ndim or loaded.dtype != leaf.type.dtype:
            self.leaves.spoil(path, f"{leaf.name!r} changes from {leaf.type.words} to {describe(self.reader, end)} in a loop")
            return
        self.found[path] = end
        if path in self.leaves.cells:
            self.leaves.cells[path].merged |= end.cell.merged
        self.dims(path, loaded.atom, leaf.name)

    def dims(self, path: Path, now: Atom, name: str) -> None:
        """A dimension that is another one at the end of the trip is carried."""
        leaf = self.leaves.plan[path]
        shape = list(leaf.shape)
        for axis, (dim, own) in enumerate(zip(shape, now.type.shape, strict=True)):
            if isinstance(dim, tuple):
                self.found[dim] = dim_atom(own)
            elif not self.reader.builder.same_size(dim, own):
                shape[axis] = self.leaves.add_size(path, axis, name)
        if tuple(shape) != leaf.shape:
            self.leaves.add(path, replace(leaf, shape=tuple(shape)))


def joined(a: Array, b: Array, *values: Abstract) -> Array:
    """The type of a scalar that is of these types in some trips, and of which these are some values."""
    found = common_type(a, b, *values)
    assert found is not None
    return found
