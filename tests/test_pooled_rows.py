"""Lists of integers and floats beside each other, of which only the run knows which one a name stands for: entries of queues that are changed where they stand."""
from __future__ import annotations

import heapq
import itertools

import numpy as np
import pytest
from outcomes import check

RNG = np.random.default_rng(11)
ARGUMENTS = tuple((RNG.permutation(size * 10)[:size] / (10 * size),) for size in (6, 2, 9, 1))


def entries_made_void(x):
    heap, out = [], []
    for i in range(len(x)):
        entry = [float(x[i]), i, i * i]
        heapq.heappush(heap, entry)
        if x[i] > 0.5:
            entry[2] = None
    while heap:
        _, count, item = heapq.heappop(heap)
        if item is not None:
            out.append(item - count)
    return out


def tasks(x):
    removed = "<removed>"
    queue, finder, counter, out = [], {}, itertools.count(), []
    for i in range(len(x)):
        task = i % 3
        if task in finder:
            finder.pop(task)[-1] = removed
        entry = [float(x[i]), next(counter), "abc"[task]]
        finder[task] = entry
        heapq.heappush(queue, entry)
    while queue:
        _, count, name = heapq.heappop(queue)
        if name != removed:
            out.append((count, name))
    return out


def shortest_paths(x):
    n = len(x)
    far = [float("inf")] * n
    far[0] = 0.0
    heap, entries = [], {}
    for v in range(n):
        entry = [far[v], v, 1]
        entries[v] = entry
        heapq.heappush(heap, entry)
    while heap:
        d, u, there = heapq.heappop(heap)
        if not there:
            continue
        for v in range(n):
            if d + abs(x[u] - x[v]) + 0.01 * (u - v) ** 2 < far[v]:
                far[v] = d + abs(x[u] - x[v]) + 0.01 * (u - v) ** 2
                entries[v][2] = 0
                entry = [far[v], v, 1]
                entries[v] = entry
                heapq.heappush(heap, entry)
    return far


def changed_by_another_name(x):
    rows, s = [], 0.0
    for i in range(len(x)):
        row = [i, x[i]]
        rows.append(row)
        last = row if x[i] > 0.5 else rows[0]
        last[1] *= 2
    for row in rows:
        for v in row:
            s += v
        s += row[-1] * row[0]
    return s, rows[0][0], len(rows[-1])


PROGRAMS = (entries_made_void, tasks, shortest_paths, changed_by_another_name)
OTHER_TYPE = ("shortest_paths",)  # floats of Python and NumPy in one list


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_each_place_has_a_type_of_its_own(program):
    check(program, "numpy", ARGUMENTS, (), OTHER_TYPE)


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_each_place_has_a_type_of_its_own_compiled(program):
    check(program, "cpu", ARGUMENTS, (), OTHER_TYPE)
