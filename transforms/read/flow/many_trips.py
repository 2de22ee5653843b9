"""Comprehensions whose loops have many trips, of which the number is known: read as a loop where their trips make much, not item by item.

    [f(i, j) for i in range(30) for j in range(20)]     found = np.empty(600)
                                                        for k in range(600): found[k] = f(k // 20, k % 20)
    {k: f(x, k) for k in range(200)}                    found as such a list; the dict holds its items
    sum(map(f, range(400)))                             the sum of such a list
"""
from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import libcst as cst

from s2s.records import dataclass, replace
from s2s.transforms.read.failures import Suppressed
from s2s.transforms.read.flow.by_trips import known_count, nodes_made
from s2s.transforms.read.flow.control_flow import MUCH, either_way, failures, unrollable
from s2s.transforms.read.flow.filled_by_loops import element_of, narrowed_by, run_time_items, run_time_map, tried
from s2s.transforms.read.flow.items import as_python_int, counted, settled
from s2s.transforms.read.flow.iteration import iterate
from s2s.transforms.read.flow.many_numbers import FEW
from s2s.transforms.read.flow.once import MOST, opened
from s2s.transforms.read.flow.own_names import own_names
from s2s.transforms.read.flow.truth import truth_of
from s2s.transforms.read.iterations import Iteration
from s2s.transforms.read.known import hashed, is_known
from s2s.transforms.read.made_of import POSITION, effects
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.grown import Grown
from s2s.transforms.read.syntax.scope import NONE, Names, names_bound, names_read, walruses
from s2s.transforms.read.syntax.source import parts_of
from s2s.transforms.read.values import Abstract, IteratorRef
from s2s.types import size_literal


@dataclass(frozen=True, eq=False)
class Trips:
    """The trips of a comprehension's loops as those of one."""

    iteration: Iteration
    bind: Callable[[Abstract], None]
    """Gives an item of the iteration to the names."""
    tests: Sequence[cst.CompIf]
    asked: Names = NONE
    """What the bounds of inner loops are made of: names whose values the trips may not change."""


def trips_of(reader: Reader, node: Any, first: Iteration) -> Trips | None:
    """The loops of a comprehension as one, where each has as many trips as is known, the same each time, and nothing but the last one has a condition. `first`: the way of the outermost."""
    loops = _loops(node)
    if first.static is None or any(loop.ifs for loop in loops[:-1]) or len(loops[-1].ifs) > 1:
        return None
    if len(loops) == 1:
        (loop,) = loops
        return Trips(first, lambda item: reader.rules.assign(loop.target, settled(reader, item)), loop.ifs)
    parts = [first]
    bound = frozenset().union(walruses(node), *(names_bound(loop.target) for loop in loops))
    for inner in loops[1:]:
        over = _same_each_time(reader, inner.iter, bound)
        if over is None:
            return None
        parts.append(iterate(reader, over))
    asked = frozenset().union(*(names_read(inner.iter) for inner in loops[1:]))
    return replace(_together(reader, loops, parts), asked=asked)


def _loops(node: Any) -> list[cst.CompFor]:
    loops: list[Any] = [node.for_in]
    while loops[-1].inner_for_in is not None:
        loops.append(loops[-1].inner_for_in)
    return loops


def _same_each_time(reader: Reader, node: cst.BaseExpression, bound: Names) -> range | None:
    """The range that an inner loop goes through, if it is known, has trips and depends on nothing that the comprehension may change."""
    if not isinstance(node, cst.Call) or not all(_is_fixed(arg.value) for arg in node.args) or names_read(node) & bound:
        return None
    with tried(reader):
        found: list[Abstract] = []
        errors = failures(reader, lambda: found.append(reader.rules.evaluate(node)))
    return found[0] if not errors and type(found[0]) is range and len(found[0]) else None


def _is_fixed(node: cst.BaseExpression) -> bool:
    """Whether it is a number, a name, or made of such."""
    if isinstance(node, cst.BinaryOperation):
        return _is_fixed(node.left) and _is_fixed(node.right)
    return isinstance(node, cst.Integer | cst.Name) or isinstance(node, cst.UnaryOperation) and _is_fixed(node.expression)


def _together(reader: Reader, loops: list[cst.CompFor], parts: list[Iteration]) -> Trips:
    """One loop through all places, in order."""
    counts = [known_count(part) for part in parts]
    ways = [counted(reader, part)[1] for part in parts]
    total = size_literal(math.prod(counts))

    def places_of(number: Abstract) -> tuple[Abstract, ...]:
        places: list[Abstract] = []
        for count in reversed(counts[1:]):
            places.append(reader.rules.binary("%", number, count))
            number = reader.rules.binary("//", number, count)
        return number, *reversed(places)

    def bind(number: Abstract) -> None:
        for loop, at, place in zip(loops, ways, places_of(number), strict=True):
            reader.rules.assign(loop.target, at(size_literal(place) if isinstance(place, int) else place))

    through = Iteration(None, size_literal(0), total, size_literal(1), lambda number: as_python_int(reader, number), lambda: tuple(range(math.prod(counts))))
    return Trips(through, bind, loops[-1].ifs)


def make_much(reader: Reader, node: Any, trips: Trips, element: Callable[[], Abstract]) -> bool:
    """Whether the trips make much, by what the last one makes."""
    count = known_count(trips.iteration)

    def trip() -> None:
        assert trips.iteration.static is not None
        trips.bind(trips.iteration.static()[-1])
        for test in trips.tests:
            narrowed_by(reader, truth_of(reader, reader.rules.evaluate(test.test)))
        element_of(reader, element)

    return FEW < count <= MOST and much(reader, node, count, trip)


def much(reader: Reader, node: Any, count: int, trip: Callable[[], None]) -> bool:
    """Whether so many trips make much, if each makes what this one does."""
    with own_names(reader, node), tried(reader) as trial:
        return not failures(reader, trip) and count * nodes_made(trial.builder.nodes) > MUCH


def in_a_loop(reader: Reader, node: Any, trips: Trips, element: Callable[[], Abstract], one_by_one: Callable[[], Abstract]) -> Abstract:
    """The items of many trips, computed in a loop; one by one where that is refused."""
    def as_region() -> Abstract:
        before = [reader.frame.find(name) for name in trips.asked]
        found = run_time_items(reader, node, replace(trips.iteration, static=None), trips.bind, trips.tests, element)
        if any(reader.frame.find(name) is not value for name, value in zip(trips.asked, before, strict=True)):
            raise reader.unsupported("a comprehension whose items change the bounds of its loops", "loops")
        return found

    return in_either_way(reader, node, as_region, one_by_one)


def in_either_way(reader: Reader, node: Any, as_region: Callable[[], Abstract], by_trips: Callable[[], Abstract]) -> Abstract:
    """What is made of many known trips as a region, trip by trip where that is refused."""
    found: Abstract = None

    def noted(way: Callable[[], Abstract]) -> Callable[[], None]:
        def run() -> None:
            nonlocal found
            found = way()

        return run

    def on_trial() -> None:
        with unrollable(reader):
            noted(as_region)()

    before = len(reader.errors)
    either_way(reader, node, on_trial, noted(by_trips), lambda: True)
    if len(reader.errors) > before:
        raise Suppressed
    return found


def _is_new(reader: Reader, ref: IteratorRef) -> bool:
    """Whether nothing was taken from an iterator."""
    position = reader.heap[ref][POSITION]
    return isinstance(position, int) and position == 0


def listed(reader: Reader, value: Abstract) -> Abstract:
    """A map over many known items as the list of its items, where the calls make much; anything else as it is. It is gone through as a whole."""
    if not isinstance(value, IteratorRef) or not isinstance(value.source, Iteration) or not value.source.calls or not _is_new(reader, value):
        return value
    source, count = value.source, known_count(value.source)
    if source.static is None or source.item is None or not FEW < count <= MOST:
        return value
    at = source.item
    with tried(reader) as trial:
        errors = failures(reader, lambda: settled(reader, at(size_literal(count - 1))))
    if errors or count * nodes_made(trial.builder.nodes) <= MUCH:
        return value

    def as_region() -> Abstract:
        return run_time_map(reader, replace(opened(reader, value), static=None), lambda item: item)

    return in_either_way(reader, reader.frame.read_now, as_region, lambda: value)


def under_known_keys(reader: Reader, node: cst.DictComp, trips: Trips, one_by_one: Callable[[], Abstract]) -> Abstract:
    """A dict of many trips whose keys are known: its values are items of a list that a loop makes."""
    keys = None if trips.tests or not _is_of_names(node.key, _own_names(node)) else _known_keys(reader, node, trips)
    if keys is None:
        return one_by_one()
    value = partial(reader.rules.evaluate, node.value)

    def as_region() -> Abstract:
        found = run_time_items(reader, node, replace(trips.iteration, static=None), trips.bind, (), value)
        content = reader.heap[found]
        if not isinstance(content, Grown) or content.row is not None or content.item_type.shape:
            raise reader.unsupported("a dict comprehension of many values that are no numbers", "a loop")
        return reader.new_dict({key: reader.rules.item(found, place) for place, key in enumerate(keys)})

    return in_either_way(reader, node, as_region, one_by_one)


def _own_names(node: cst.DictComp) -> Names:
    return frozenset().union(*(names_bound(loop.target) for loop in _loops(node)))


def _is_of_names(key: cst.CSTNode, names: Names) -> bool:
    """Whether a key is made of these names and constants alone: what making the values changes is no part of it."""
    return names_read(key) <= names | _MAKERS and not any(isinstance(part, cst.Call) and not _calls_maker(part) or isinstance(part, cst.Attribute) for part in _parts(key))


def _calls_maker(call: cst.Call) -> bool:
    return isinstance(call.func, cst.Name) and call.func.value in _MAKERS


def _parts(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    yield node
    for part in parts_of(node):
        yield from _parts(part)


_MAKERS = frozenset(("str", "int", "float", "abs", "chr", "tuple"))


def _known_keys(reader: Reader, node: cst.DictComp, trips: Trips) -> list[Any] | None:
    """The key of each trip, if all are known, and finding them changes nothing."""
    assert trips.iteration.static is not None
    keys: list[Any] = []

    def find() -> None:
        for item in trips.iteration.static():  # type: ignore[misc]
            trips.bind(item)
            keys.append(reader.rules.evaluate(node.key))

    with own_names(reader, node), tried(reader), effects(reader, failures=True) as changed:
        if walruses(node) or failures(reader, find) or changed() or not all(is_known(reader, key) for key in keys):
            return None
    return [hashed(reader, key) for key in keys]


__all__ = ["Trips", "in_a_loop", "in_either_way", "listed", "make_much", "much", "trips_of", "under_known_keys"]
