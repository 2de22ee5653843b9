"""How often a function is read from its first line: no more than it takes to find out what its values are."""
from __future__ import annotations

import copy
from collections import Counter

import numpy as np
import pytest
from turns import in_turn

import s2s
from s2s.errors import UnsupportedError
from s2s.transforms.read import entry

RNG = np.random.default_rng(11)
K = RNG.integers(0, 5, 7)
X = RNG.uniform(-1.0, 1.0, 6)


def set_of_found(k):
    return sorted({int(a) * 2 for a in k})


def counted(k):
    counts = Counter(int(a) for a in k)
    return sorted(counts.items())


def displayed(k):
    return len({int(k[0]), int(k[1])}), {int(k[0]): 1.5}[int(k[0])]


def made_again_in_a_loop(k):
    most = 0
    for a in k:
        seen = {int(a), int(k[0])}
        most += len(seen)
    return most


def added(k):
    one, other = Counter(int(a) for a in k), Counter(int(a) + 1 for a in k)
    return sorted((one + other).items())


def different(values):
    return set(values)


def first_of_known_keys(k):
    """One place makes a set of known keys first: all is read again with such of run time there."""
    return len(different((1, 2, 2))) + len(different([int(a) for a in k]))


def of_each_trip(k):
    """In a loop of few trips, which is read trip by trip where it can't be one."""
    found = []
    for number in range(3):
        found.append(sorted({int(a) + number for a in k}))
    return found


def refused(x):
    places = np.arange(4)
    return np.frombuffer(x.tobytes()), places


class Link:
    def __init__(self, value, below):
        self.value, self.twice, self.below = value, 2.0 * value, below


def linked(k):
    head = None
    for a in k:
        head = Link(float(a), head)
    total = 0.0
    while head is not None:
        total += head.value * head.twice
        head = head.below
    return total


def made(depth, k):
    if depth >= k[0] + 2:
        return {"ends": True, "value": 1.0 * depth}
    return {"ends": False, "below": made(depth + 1, k), "beside": made(depth + 1, k[::-1]), "at": 0.5 * depth}


def tree_of_dicts(k):
    node, total = made(0, k % 3), 0.0
    while not node["ends"]:
        total += node["at"]
        node = node["beside"]
    return total + node["value"]


CALLS = [(linked, 3), (tree_of_dicts, 5), (set_of_found, 1), (counted, 1), (displayed, 1), (made_again_in_a_loop, 1), (added, 1), (first_of_known_keys, 2), (of_each_trip, 4)]
"""With how often each is read at most."""


def counts_of_readings(monkeypatch):
    counts, read = [0], entry._read_with

    def counted(*args):
        counts[0] += 1
        return read(*args)

    monkeypatch.setattr(entry, "_read_with", counted)
    return counts


@pytest.mark.parametrize("target", ["numpy", pytest.param("cpu", marks=pytest.mark.slow)])
@pytest.mark.parametrize("call", in_turn(CALLS, 3), ids=lambda each: each[0].__name__)
def test_run_time_keys_are_found_where_they_are_made(call, target, monkeypatch):
    function, most = call
    counts = counts_of_readings(monkeypatch)
    assert s2s.jit(function, target=target)(K) == function(K)
    assert counts[0] <= most


def doubled(board, least):
    for row in board:
        for place, value in enumerate(row["cells"]):
            if value > least:
                row["cells"][place] = 2.0 * value


@pytest.mark.parametrize("rows", [2, 7])
def test_rows_that_are_stored_into_are_found_at_once(rows, monkeypatch):
    counts = counts_of_readings(monkeypatch)
    board, other = ([{"cells": RNG.uniform(-1.0, 1.0, 3).tolist()} for _ in range(rows)] for _ in range(2))
    expected = copy.deepcopy([board, other])
    run = s2s.jit(doubled, target="numpy")
    for each, wanted in zip((board, other), expected, strict=True):
        run(each, 0.25)
        doubled(wanted, 0.25)
        assert each == wanted
    assert counts[0] <= 2


def test_what_no_whole_number_decides_is_not_read_again_for_one(monkeypatch):
    counts = counts_of_readings(monkeypatch)
    with pytest.raises(UnsupportedError):
        s2s.jit(refused, target="numpy").source(X)
    by_sizes = 2  # for any sizes, and for those of the call
    assert counts[0] <= by_sizes
