"""Values of different kinds on two paths: a number says which kind it is (`options.OneOf`)."""
from __future__ import annotations

from functools import partial

from s2s.transforms.read.flow.branches.handed import Handed, Join
from s2s.transforms.read.flow.branches.outs import Outs
from s2s.transforms.read.flow.options import (
    ABSENT,
    MOST,
    alike,
    alternatives,
    are_same_kind,
    is_option,
    is_runtime_kind,
    place_among,
    union,
)
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.state import Branch
from s2s.transforms.read.storage.access import load
from s2s.transforms.read.values import Abstract, Missing, OneOf, Packed, Pooled, Ref, View
from s2s.types import SIZE, Array, Atom, Var


class BranchKinds:
    """Joins what no other rule joins."""

    def __init__(self, outs: Outs, handed: Handed) -> None:
        self.outs, self.handed = outs, handed
        self.sides: dict[Var, tuple[frozenset[int], frozenset[int]]] = {}

    def tell(self, test: Atom) -> None:
        """Note for each which options it may be where the If's test holds, and where it does not."""
        for place, sides in self.sides.items():
            self.outs.reader.session.sides[place] = (test, *sides)

    def joined(self, a: Abstract, b: Abstract, name: str, join: Join) -> Abstract:
        """What is a on the first path and b on the second; None where that can't be. `join`: how two values of one kind are joined."""
        outs, reader = self.outs, self.outs.reader
        if not is_option(reader, a) or not is_option(reader, b) or _are_half_pooled((*alternatives(a), *alternatives(b))):
            return None
        slots, first, second = union(alternatives(a), alternatives(b), self.are_alike)
        if len(slots) > MOST:
            return None
        options = tuple(self._option(x, y, name, join) for x, y in slots)
        if any(isinstance(option, Missing | OneOf) for option in options):
            return None
        pair = []
        for branch, value, places in ((outs.one, a, first), (outs.two, b, second)):
            with reader.inside(branch):
                pair.append(place_among(reader, value, places))
        place = outs.add(pair[0], pair[1], f"{name}_kind", SIZE)
        if isinstance(place, Var):
            self.sides[place] = frozenset(first), frozenset(second)
        return OneOf(place, options)

    def are_alike(self, a: Abstract, b: Abstract) -> bool:
        """Whether what is a on the first path and b on the second is of one kind."""
        reader = self.outs.reader
        return alike(a, b, partial(are_same_kind, reader), partial(_type_in, reader, self.outs.one), partial(_type_in, reader, self.outs.two))

    def _option(self, x: Abstract, y: Abstract, name: str, join: Join) -> Abstract:
        """A value of one kind; zeros on a path that has none of it."""
        if x is ABSENT:
            return self.handed.behind(1, y, name)
        if y is ABSENT:
            return self.handed.behind(0, x, name)
        return join(x, y, name) if is_runtime_kind(x) else x


def _are_half_pooled(values: tuple[Abstract, ...]) -> bool:
    """Whether there are objects of a pool among them and others that may be in one, too."""
    return any(isinstance(each, Pooled) for each in values) and any(isinstance(each, Ref | Packed) for each in values)


def _type_in(reader: Reader, branch: Branch, view: View) -> Array:
    """The type of a view at the end of a branch."""
    with reader.inside(branch):
        return load(reader, view).type
