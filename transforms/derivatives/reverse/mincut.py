"""The cheapest set of values to keep, so that every demanded one can be recomputed from them: a minimum vertex cut.

    y = x * a;  z = y * b      demanded: y, z     x is lost, a and b are still there
    keep {x} (8 bytes) and recompute y, z, rather than {y, z} (16 bytes)

Vertices are values; an edge runs from an operand to what is recomputed of it; sources are the values that are lost.
Maximum flow by shortest augmenting paths (Edmonds and Karp, 1972); of the minimum cuts, the one nearest the demands.
"""
from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Mapping

INFINITE = 10**15
_Node = tuple[str, Hashable]
_SOURCE: _Node = ("source", None)
_SINK: _Node = ("sink", None)


def cheapest_cut(
    costs: Mapping[Hashable, int],
    edges: Iterable[tuple[Hashable, Hashable]],
    lost: Iterable[Hashable],
    demanded: Iterable[Hashable],
) -> set[Hashable]:
    """The vertices of least total cost whose removal separates the lost from the demanded (a vertex may be both)."""
    residual: dict[_Node, dict[_Node, int]] = {}

    def connect(a: _Node, b: _Node, capacity: int) -> None:
        residual.setdefault(a, {})[b] = residual.get(a, {}).get(b, 0) + capacity
        residual.setdefault(b, {}).setdefault(a, 0)

    for vertex, cost in costs.items():
        connect(("in", vertex), ("out", vertex), cost)
    for a, b in edges:
        connect(("out", a), ("in", b), INFINITE)
    for vertex in lost:
        connect(_SOURCE, ("in", vertex), INFINITE)
    for vertex in demanded:
        connect(("out", vertex), _SINK, INFINITE)
    if _SOURCE not in residual or _SINK not in residual:
        return set()
    while path := _augmenting_path(residual):
        flow = min(residual[a][b] for a, b in path)
        assert flow < INFINITE, "a lost value is demanded and can't be kept"
        for a, b in path:
            residual[a][b] -= flow
            residual[b][a] += flow
    below = _reaches_sink(residual)
    return {vertex for vertex in costs if ("in", vertex) not in below and ("out", vertex) in below}


def _augmenting_path(residual: dict[_Node, dict[_Node, int]]) -> list[tuple[_Node, _Node]]:
    before: dict[_Node, _Node] = {_SOURCE: _SOURCE}
    queue = deque([_SOURCE])
    while queue and _SINK not in before:
        here = queue.popleft()
        for there, capacity in residual[here].items():
            if capacity > 0 and there not in before:
                before[there] = here
                queue.append(there)
    if _SINK not in before:
        return []
    path, here = [], _SINK
    while here != _SOURCE:
        path.append((before[here], here))
        here = before[here]
    return path


def _reaches_sink(residual: dict[_Node, dict[_Node, int]]) -> set[_Node]:
    reached, queue = {_SINK}, deque([_SINK])
    while queue:
        here = queue.popleft()
        for there in residual[here]:
            if there not in reached and residual[there][here] > 0:
                reached.add(there)
                queue.append(there)
    return reached
