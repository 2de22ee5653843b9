"""`LastArrays`: the arrays that each trip of a loop makes anew, as they were found in another reading of what is around it.

    for i in range(n):            each reading of this trip would have to find out anew that the inner loop carries u and v,
        for j in range(m):        as in each of its trips u is what v was, and v is made anew
            u, v = v, u + x

As of a `Guess`, it is seen at the end of the first reading whether the trip has made them indeed: what a trip leaves alone, takes from outside or
chooses of several is found by readings that begin without.
"""
from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Any

from s2s.records import dataclass, field
from s2s.transforms.read.flow.loops.before import Before
from s2s.transforms.read.flow.loops.leaves import DIM, Leaf, Leaves, in_tuple
from s2s.transforms.read.state import State
from s2s.transforms.read.storage.exchange import separate
from s2s.transforms.read.storage.visibility import Path
from s2s.transforms.read.values import Cell, View


@dataclass(frozen=True)
class LastArrays:
    """Of one loop. `plan`: the leaves of arrays that names, and items of tuples, hold, and of those of their sizes that are carried."""

    plan: Mapping[Path, Leaf] = field(default_factory=dict)
    after: Mapping[Path, Path] = field(default_factory=dict)
    """Of those that an earlier trip has made, under which name it did."""

    @classmethod
    def of(cls, leaves: Leaves, before: Before, now: State) -> LastArrays:
        """At the end of the last reading of a trip, `now`."""
        arrays = {path: leaf for path, leaf in leaves.plan.items() if leaf.kind == "array" and _is_place(path) and path not in leaves.lists}
        found = cls({**{dim: leaves.plan[dim] for leaf in arrays.values() for dim in leaf.shape if isinstance(dim, tuple) if dim in leaves.plan}, **arrays})
        if not found.are_made(before, leaves, now):
            return cls()
        heads = {cell: path for path, cell in leaves.cells.items()}
        ends = {path: value_at(now, path).cell for path in arrays}
        return cls(found.plan, {path: heads[end] for path, end in ends.items() if end in heads})

    def still_carried(self, before: Before, fixed: Container[tuple[Any, str]], place: Any) -> LastArrays:
        """Those that are arrays of the same kind before the loop now; `fixed`: names in loops of which it is to be found which storage they are."""
        found: dict[Path, Leaf] = {}
        for path, leaf in self.arrays():
            view = value_at(before.state, path)
            if path[0] not in before.names or (place, leaf.name) in fixed or not _is_whole(view):
                return LastArrays()
            now = before.state.heap[view.cell].type
            if now.dtype != leaf.type.dtype or now.ndim != leaf.type.ndim:
                return LastArrays()
            found.update((dim, self.plan[dim]) for dim in leaf.shape if isinstance(dim, tuple))
            shape = tuple(dim if isinstance(dim, tuple) else own for dim, own in zip(leaf.shape, now.shape, strict=True))
            found[path] = Leaf("array", leaf.name, now, shape)
        return LastArrays(found, self.after)

    def arrays(self) -> Iterator[tuple[Path, Leaf]]:
        """Without their sizes."""
        return ((path, leaf) for path, leaf in self.plan.items() if leaf.kind == "array")

    def groups(self, before: Before, leaves: Leaves) -> Iterator[tuple[Cell, Cell]]:
        """What they may be in the first trips, as the ends of these would show: what stood under their names, or was the same as that, and under those that they come from."""
        state, heads = before.state, {path: leaves.cell_of(path) for path, _ in self.arrays()}
        first = {path: value_at(state, path).cell for path in heads}
        for path, head in heads.items():
            stood = [first[each] for each in self._come_from(path)]
            yield from ((other, head) for other in before.cells if not all(separate(each, other, state) for each in stood))
        for number, (path, head) in enumerate(heads.items()):
            yield from ((heads[other], head) for other in list(heads)[:number] if not separate(first[path], first[other], state))

    def _come_from(self, path: Path) -> Iterator[Path]:
        yield path
        while path in self.after:
            path = self.after[path]
            yield path

    def are_made(self, before: Before, leaves: Leaves, now: State) -> bool:
        """Whether a trip has made each, or an earlier trip has, under another of these names."""
        heads = {cell: path for path, cell in leaves.cells.items()}
        return all(self._is_made(path, before, heads, now) for path, _ in self.arrays())

    def _is_made(self, path: Path, before: Before, heads: Mapping[Cell, Path], now: State) -> bool:
        met: set[Path] = set()
        while path not in met:
            met.add(path)
            end = value_at(now, path)
            if path not in self.plan or not _is_whole(end) or end.cell in before.cells or end.cell.initial is not None:
                return False
            if end.cell not in heads:
                return True
            path = heads[end.cell]
        return False  # they change places only


def value_at(state: State, path: Path) -> Any:
    """What a name holds, or an item of a tuple, and of one in that."""
    return in_tuple(state.names.get(path[0]), path[1:])


def _is_place(path: Path) -> bool:
    return isinstance(path[0], str) and not path[0].startswith("%") and DIM not in path and all(isinstance(key, int) for key in path[1:])


def _is_whole(value: Any) -> bool:
    """Whether it is the whole of an array that is none of several, and no list."""
    if not isinstance(value, View) or value.steps:
        return False
    cell = value.cell
    return cell.choice is None and cell.selected is None and not cell.frozen and not cell.of_list
