"""What a loop carried when it was last read, in another reading of what is around it: it begins with that.

    for i in range(n):            the trips of the outer loop are read until what it carries is found; in each of these readings
        while items[k] != k:      the inner loop would have to find out anew that it carries k and what the list holds
            items.append(k)
            k = items[k]

Less is known in a later reading of what is around it than in an earlier one, so that it carries at least as much. A storage or container
that what is around it makes is another one in each reading: it is found by the way that leads to it from a name, or from a pool.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from s2s.records import dataclass, replace
from s2s.transforms.read.flow.agreement import common_type
from s2s.transforms.read.flow.loops.before import Before
from s2s.transforms.read.flow.loops.last_arrays import LastArrays
from s2s.transforms.read.flow.loops.leaves import KIND, OPTION, VALUE, Leaf, Leaves, in_tuple
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.state import State
from s2s.transforms.read.storage.grown import Grown
from s2s.transforms.read.storage.parts_of import parts_of
from s2s.transforms.read.storage.visibility import Path
from s2s.transforms.read.values import Abstract, Cell, Missing, OneOf, Ref, View, is_atom, is_number, scalar_type, storages_of

Way = tuple[Any, ...]
"""From a name to what it leads to: the name (or the number of a pool), the place in what it stands for, the place in that."""


@dataclass(frozen=True)
class LastTime:
    """What was carried, and where its storages and containers stood."""

    plan: Mapping[Path, Leaf]
    ways: Mapping[Any, Way]
    kinds: Mapping[Path, int]
    """Of how many kinds what is at a path was found to be."""
    made: LastArrays = LastArrays()

    @classmethod
    def of(cls, leaves: Leaves, before: Before, now: State) -> LastTime:
        """Of a loop that was read, at the end of its trip, `now`."""
        plan = leaves.plan
        ways = ways_to(before.reader, before.state, {path[0] for path in plan if not isinstance(path[0], str)})
        return cls(dict(plan), ways, {path: len(found) for path, found in before.kinds.found.items()}, LastArrays.of(leaves, before, now))

    def still_carried(self, reader: Reader, before: Before) -> dict[Path, Leaf]:
        """Of that, the scalars, and the storages that the names of its function and pools lead to (not what another call of a helper has left), with their sizes."""
        stands = {each: at_way(reader, before.state, way) for each, way in self.ways.items()}
        known = {each for each in before.refs if each not in reader.parked}
        found: dict[Path, Leaf] = {}
        for path, leaf in self.plan.items():
            first = path[0] if isinstance(path[0], str) else stands.get(path[0])
            if isinstance(first, str) and first in before.names or first in known:
                found.update(self._leaf(before, (first, *path[1:]), leaf))
        return _in_order(found)

    def still_kinds(self, before: Before) -> Iterator[tuple[Path, tuple[Abstract, ...], dict[Path, Leaf]]]:
        """The names that were one of several kinds, and are one of as many before the loop now: with these, numbers and what is known, and what is carried of them."""
        for path, number in self.kinds.items():
            value = before.state.names.get(path[0]) if len(path) == 1 and path[0] in before.names else None
            if isinstance(value, OneOf) and len(value.options) == number and not path[0].startswith("%"):
                plan = self._of_kinds(path, value.options)
                if plan is not None:
                    yield path, value.options, plan

    def _of_kinds(self, path: Path, options: tuple[Abstract, ...]) -> dict[Path, Leaf] | None:
        plan = {(*path, KIND): self.plan[(*path, KIND)]} if (*path, KIND) in self.plan else {}
        for number, option in enumerate(options):
            parts = {(*path, OPTION, number, *at): part for at, part in _numbers(option)}
            carried = {each for each in self.plan if each[0] is path[0] and each[1:3] == (OPTION, number)}
            if carried != parts.keys() or not (parts or option is None or isinstance(option, str)):
                return None
            for each, part in parts.items():
                type_ = common_type(scalar_type(part), self.plan[each].type, part)
                if type_ is None:
                    return None
                plan[each] = replace(self.plan[each], type=type_)
        return plan

    def _leaf(self, before: Before, path: Path, leaf: Leaf) -> dict[Path, Leaf]:
        """A leaf as it begins now, with what it needs; nothing where another kind of thing stands there."""
        if leaf.kind == "content":
            return self._content(before, path[0], leaf)
        if leaf.kind == "maybe":
            return {path: leaf} if self._may_be_bound(before, path) else {}
        value = _scalar(before, path)
        type_ = common_type(scalar_type(value), leaf.type, value) if leaf.kind == "scalar" and value is not None else None
        return {} if type_ is None else {path: replace(leaf, type=type_)}

    def _may_be_bound(self, before: Before, path: Path) -> bool:
        """Whether a name is one that an earlier trip of what is around may have bound to a number or to a tuple of such."""
        value = before.state.names.get(path[0]) if len(path) == 1 and isinstance(path[0], str) else None
        if not isinstance(value, Missing) or value.test is None or value.error == "AttributeError" or path[0].startswith("%"):
            return False
        parts = {(*path, VALUE, *at) for at, _ in _numbers(value.value)}
        return bool(parts) and parts == {each for each in self.plan if each[0] is path[0] and each[1:2] == (VALUE,)}

    def _content(self, before: Before, cell: Any, leaf: Leaf) -> dict[Path, Leaf]:
        """A storage that holds what it holds itself (not one that is chosen of others), behind those of its sizes that were carried."""
        now = before.state.heap[cell].type
        if not isinstance(cell, Cell) or cell.selected is not None or now.dtype != leaf.type.dtype or now.ndim != leaf.type.ndim:
            return {}
        sizes = {(cell, *dim[1:]): self.plan[dim] for dim in leaf.shape if isinstance(dim, tuple)}
        shape = tuple((cell, *dim[1:]) if isinstance(dim, tuple) else own for dim, own in zip(leaf.shape, now.shape, strict=True))
        return {**sizes, (cell,): Leaf("content", cell.name, now, shape)}


def _in_order(plan: dict[Path, Leaf]) -> dict[Path, Leaf]:
    """The items of tuples in their order: a first reading finds those first that change first."""
    items = {path for path in plan if isinstance(path[0], str) and len(path) > 1 and all(isinstance(key, int) for key in path[1:])}
    return {**{path: leaf for path, leaf in plan.items() if path not in items}, **{path: plan[path] for path in sorted(items)}} if items else plan


def _numbers(option: Abstract) -> Iterable[tuple[Path, Abstract]]:
    """What it is, or a tuple holds, if that are numbers alone."""
    parts = {(k,): part for k, part in enumerate(option)} if type(option) is tuple else {(): option}
    return parts.items() if all(is_atom(part) or is_number(part) for part in parts.values()) else ()


def _scalar(before: Before, path: Path) -> Abstract:
    """What a name, or an item of a tuple or container, stands for before the loop, where that is a number; else None."""
    if isinstance(path[0], str):
        value = before.value(path) if len(path) == 1 and before.is_scalar(path) else in_tuple(before.state.names.get(path[0]), path[1:])
    else:
        value = before.state.heap[path[0]]
        for key in path[1:]:
            value = dict(_items(value)).get(key)
    return value if is_atom(value) or is_number(value) else None


def _items(content: Any) -> Iterable[tuple[Any, Abstract]]:
    """The items of a list, dict or object by their keys."""
    return content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, tuple) else ()


def ways_to(reader: Reader, state: State, wanted: set[Any]) -> dict[Any, Way]:
    """The shortest ways to these storages and containers, of those that can be come to."""
    ways: dict[Any, Way] = {}
    for each, way in _ways(reader, state) if wanted else ():
        if each in wanted:
            ways.setdefault(each, way)
    return ways


def _ways(reader: Reader, state: State) -> Iterator[tuple[Any, Way]]:
    """The storages and containers that names and pools lead to, with the ways to them."""
    met: dict[int, Any] = {}
    left: list[tuple[Abstract, Way]] = [(value, (name,)) for name, value in state.names.items()]
    left += [(_of_pool(reader, number), (number,)) for number in range(len(reader.session.pools))]
    for value, way in left:  # it grows meanwhile: what is nearest to a name comes first
        if id(value) in met:
            continue
        met[id(value)] = value
        if isinstance(value, Cell | Ref):
            yield value, way
        left.extend((part, (*way, number)) for number, part in enumerate(_parts(state, value)))


def _of_pool(reader: Reader, number: int) -> tuple[Abstract, ...]:
    """What a pool of this reading holds."""
    pool = reader.session.pools[number]
    return (pool.rows, *pool.known.values())


def _parts(state: State, value: Abstract) -> Iterable[Abstract]:
    """What a value leads to, in an order that is the same in each reading."""
    if isinstance(value, View):
        return value.cell, *storages_of(value.cell)
    if isinstance(value, Grown):
        return *parts_of(state.heap, value), value.counter, value.first
    return parts_of(state.heap, value)


def at_way(reader: Reader, state: State, way: Way) -> Any:
    """What stands at the end of a way now; None where it ends before."""
    first = way[0]
    value = _of_pool(reader, first) if isinstance(first, int) else state.names.get(first)
    for number in way[1:]:
        parts = tuple(_parts(state, value))
        if number >= len(parts):
            return None
        value = parts[number]
    return value if isinstance(value, Cell | Ref) else None
