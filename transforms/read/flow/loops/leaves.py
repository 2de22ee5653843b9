"""`Leaves`: the plan of one loop, leaf by leaf. Each reading of the body adds what it has shown to be carried.

A leaf is found by its path: ('s',) for a name, (cell,) for a storage that exists before the loop, with the numbers of
tuple items, view operands and dimensions behind.
"""
from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Any

from s2s.records import dataclass, replace
from s2s.transforms.read.flow.agreement import plain
from s2s.transforms.read.flow.loops.kinds import Kinds
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import retyped
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.exchange import label
from s2s.transforms.read.storage.visibility import Path
from s2s.transforms.read.values import Abstract, Cell, Missing
from s2s.types import SIZE, Array, Atom, Dim, Var


class Mark(Enum):
    """Steps of a path that no key of a container is."""

    PLACE = "which of the arrays that change places is there"
    VALUE = "what a name holds that may not be bound yet"
    DIM = "a dimension of an array: the last step but one"
    KIND = "which of several kinds a value is of"
    OPTION = "the value of a kind: the last step but one"
    WHICH = "which of several storages an array is"
    OWN = "the array that a trip made, beside those storages"
    NUMBER = "which of a pool's lists or objects a value is"


PLACE, VALUE, DIM, KIND, OPTION, WHICH, OWN, NUMBER = Mark


@dataclass(frozen=True)
class Leaf:
    """How a leaf is carried. `kind`: 'scalar', 'array' (a name's whole content), 'content' (a storage's), 'maybe' (not yet bound).

    A dimension given by a path is carried itself.
    """

    kind: str
    name: str
    type: Array
    shape: tuple[Dim | Path, ...] = ()
    either: bool = False
    """A scalar that is an array without axes in some trips, a NumPy scalar in others."""
    member: bool = False
    """A number that is a member of an enumeration in some trips."""


class Leaves:
    """What one loop carries, and what it can't: it only grows from reading to reading."""

    def __init__(self, guess: dict[Path, Leaf], kinds: Kinds) -> None:
        self.plan, self.kinds = guess, kinds
        self.spoiled: dict[Path, Missing] = {}
        """What can't be carried, and why: an error where it is used."""
        self.templates: dict[Path, Abstract] = {}
        """For a name that is first bound in the loop, a value of its structure."""
        self.missing: dict[Path, Missing] = {}
        """For a name or attribute that is deleted in the loop, what stands for it then."""
        self.contents: dict[Path, Any] = {}
        """Of the containers among them, what they hold."""
        self.cells: dict[Path, Cell] = {}
        """The storage of an array that a name holds at the start of a trip."""
        self.containers: set[Path] = set()
        """Names that are bound to another list, dict or object of the same structure in each trip."""
        self.lists: dict[Path, Any] = {}
        """Names that are bound to another list of numbers of another length in each trip (`lists.Carried`)."""
        self.pools: dict[Path, Any] = {}
        """Values that are one of a pool in some trips, and None in others."""
        self.place: Any = None
        """The loop, in `Session.apart`."""
        self.selected: dict[Path, tuple[Any, ...]] = {}
        """Of an array that is one of several storages, these (`selections.LoopSelections`)."""
        self.seen: dict[Path, Leaf] = {}
        """What is seen of it, as a leaf."""
        self.before: dict[Any, Atom] = {}
        """Sizes of theirs that are computed before the loop, by what they are computed of."""
        self.fixed: set[Path] = set()
        """Arrays of which that can't be told."""
        self.ends: dict[Path, frozenset[Array]] = {}
        """The types that a scalar has in Python at the ends of trips, beside that which is carried (`doubts`)."""
        self.groups: list[tuple[Cell, Cell]] = []
        """Storages that may be the same one."""
        self.changed = False
        """Whether the last reading has added something, so that the body must be read again."""

    def add(self, path: Path, leaf: Leaf) -> None:
        """Carry a leaf, or carry it in another way."""
        self.plan.pop(path, None)
        self.plan[path] = leaf
        self.changed = True

    def add_kind(self, path: Path, value: Abstract) -> Path:
        """One more kind of a value; the path of what is carried of it."""
        self.kinds.add(path, value)
        self.changed = True
        return (*path, OPTION, len(self.kinds.found[path]) - 1)

    def begin_kinds(self, path: Path, options: tuple[Abstract, ...], plan: dict[Path, Leaf]) -> None:
        """Carry a value as one of these kinds from the first reading on; `plan`: what is carried of it."""
        self.plan.update(plan)
        self.kinds.found[path] = options
        self.templates.update(((*path, OPTION, number), option) for number, option in enumerate(options) if (*path, OPTION, number) in plan or type(option) is tuple)

    def add_size(self, path: Path, axis: int, name: str) -> Path:
        """Carry a dimension of the array at a path; the dimension's own path."""
        self.add((*path, DIM, axis), Leaf("scalar", f"{name}_size", SIZE))
        return (*path, DIM, axis)

    def add_place(self, path: Path) -> None:
        """Carry which of the arrays that change places is at a path."""
        self.add((*path, PLACE), Leaf("scalar", f"{label(path)}_place", SIZE))

    def spoil(self, path: Path, what: str, *pooled: Abstract) -> None:
        """Note that a path can't be carried, unless these stand in a pool."""
        self.spoiled[path] = Missing(what, pooled=pooled)
        self.changed = True

    def spoil_as(self, path: Path, end: Missing) -> None:
        """Note that a path can't be carried, for it can't be used at a trip's end."""
        self.spoiled[path] = Missing(end.what, end.why, instead=end.instead)
        self.changed = True

    def add_ends(self, path: Path, types: Iterable[Array]) -> None:
        """Note the types that a scalar has at a trip's end."""
        known = self.ends.get(path, frozenset({self.plan[path].type}))
        self.ends[path] = known | frozenset(types)
        self.changed |= self.ends[path] != known

    def add_container(self, path: Path) -> None:
        """Note that a path is another container in each trip."""
        self.changed |= path not in self.containers
        self.containers.add(path)

    def add_alias(self, one: Cell, two: Cell) -> None:
        """Note that two storages may be the same one."""
        if (one, two) not in self.groups:
            self.groups.append((one, two))
            self.changed = True

    def select_no_more(self, path: Path) -> None:
        """It can't be told which storage an array is: it is carried as a whole."""
        self.fixed.add(path)
        del self.selected[path], self.seen[path]
        self.forget_parts(path)
        self.changed = True

    def forget_parts(self, path: Path) -> None:
        """What is at a path is not carried part by part."""
        same = {path}  # asked by hash, as storages and containers are known by: they refuse to be compared
        for inner in [each for each in self.plan if len(each) > len(path) and each[: len(path)] in same]:
            del self.plan[inner]

    def cell_of(self, path: Path) -> Cell:
        """The storage of the array that a name holds at the start of a trip."""
        if path not in self.cells:
            name = self.plan[path].name
            self.cells[path] = Cell(name, contiguous=False, merged=frozenset(((self.place, name),)))
        return self.cells[path]

    def forget_items(self, refs: set[Any]) -> None:
        """Lists that were carried item by item are arrays now."""
        for path in [each for each in self.plan if len(each) > 1 and not isinstance(each[0], str) and each[0] in refs]:
            del self.plan[path]

    def forget(self, path: Path, own: tuple[Dim, ...]) -> None:
        """Carry a storage, or a dimension of one, no more; `own`: the dimensions that it has."""
        first = path[:1]
        if len(path) == 1:
            self.forget_parts(path)
        elif first in self.plan:
            self.reshape(first, (own[path[-1]] if dim == path else dim for dim in self.plan[first].shape))
        self.plan.pop(path, None)
        self.changed = True

    def sort(self, order: Iterable[Any]) -> None:
        """The leaves in the order of what they are leaves of."""
        places = {first: number for number, first in enumerate(order)}
        self.plan = dict(sorted(self.plan.items(), key=lambda item: places[item[0][0]]))

    def reshape(self, path: Path, shape: Iterable[Dim | Path]) -> None:
        """Carry an array with other dimensions."""
        self.plan[path] = replace(self.plan[path], shape=tuple(shape))

    def variables(self, reader: Reader) -> dict[Path, Var]:
        """A new variable for each leaf."""
        found: dict[Path, Var] = {}
        for path, leaf in self.plan.items():
            shape = tuple(found[dim] if isinstance(dim, tuple) else dim for dim in leaf.shape)
            var = found[path] = Var(plain(leaf.name), Array(leaf.type.dtype, shape, leaf.type.weak))
            reader.named.add(var)
            if leaf.either:
                reader.session.either.add(var)
            if leaf.member:
                reader.session.members.add(var)
        return found


def in_tuple(value: Abstract, keys: Path) -> Abstract:
    """An item of a tuple, and of one in that, which may be what a name holds that an earlier trip has bound; None of anything else."""
    for key in keys:
        if key is VALUE:
            value = value.value if isinstance(value, Missing) and value.test is not None else None
        else:
            value = value[key] if isinstance(value, tuple) and isinstance(key, int) and key < len(value) else None
    return value


def fitted(reader: Reader, value: Any, leaf: Leaf) -> Atom:
    """An array with the dimensions that its leaf has."""
    wanted = tuple(own if isinstance(dim, tuple) else dim for dim, own in zip(leaf.shape, value.shape, strict=True))
    with building(reader.builder):
        return retyped(value, wanted).atom
