"""The classes of the module queue and threading's locks, in programs of one thread; what partial objects and bound methods tell of themselves."""
from __future__ import annotations

import functools
import queue
import threading

import numpy as np
import pytest
from outcomes import check

import s2s
from s2s.errors import UnsupportedError

X = np.array([3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0])
WEIGHTS = np.array([[0, 1, 0, 0, 0], [1, 0, 2, 0, 0], [0, 2, 0, 4, 0], [0, 0, 4, 0, 0], [0, 0, 0, 0, 0.0]])


def breadth_first(weights, start):
    waiting = queue.Queue()
    steps = [-1] * len(weights)
    steps[start] = 0
    waiting.put(start)
    while not waiting.empty():
        node = waiting.get()
        for other in range(len(weights)):
            if weights[node, other] > 0 and steps[other] < 0:
                steps[other] = steps[node] + 1
                waiting.put(other)
    return steps


def shortest_paths(weights, start):
    waiting = queue.PriorityQueue()
    distance = np.full(len(weights), np.inf)
    distance[start] = 0.0
    waiting.put((0.0, start))
    while not waiting.empty():
        so_far, node = waiting.get()
        if so_far > distance[node]:
            continue
        for other in range(len(weights)):
            new = so_far + weights[node, other]
            if weights[node, other] > 0 and new < distance[other]:
                distance[other] = new
                waiting.put((new, other))
    return distance


def last_in_first_out(x, bound):
    waiting = queue.LifoQueue()
    for v in x:
        if v > bound:
            waiting.put(v)
    found = []
    while waiting.qsize() > 0:
        found.append(waiting.get_nowait())
    return found


def bounded(x, bound):
    waiting, lost, total = queue.Queue(maxsize=3), 0, 0.0
    for v in x:
        try:
            waiting.put_nowait(v)
        except queue.Full:
            lost += 1
    full = waiting.full()
    try:
        while True:
            total += waiting.get(block=False)
            waiting.task_done()
    except queue.Empty:
        pass
    waiting.join()
    return lost, full, total


def simple(x, bound):
    waiting = queue.SimpleQueue()
    for v in x:
        waiting.put(v * bound)
    return waiting.get() + waiting.get(), waiting.qsize(), isinstance(waiting, queue.SimpleQueue)


class Counter:
    def __init__(self):
        self.lock, self.total = threading.Lock(), 0.0

    def add(self, v):
        with self.lock:
            self.total += v


def locked(x, bound):
    counter, again = Counter(), threading.RLock()
    for v in x:
        with again, again:
            counter.add(v)
    return counter.total, counter.lock.locked(), counter.lock.acquire(), counter.lock.acquire(False)


def told_by_functions(x, bound):
    found = []
    add, put = functools.partial(np.add, x, where=True), found.append
    for v in x:
        put(v * bound)
    return add.func(add.args[0], bound), add.keywords, put.__self__, put.__name__


@pytest.mark.parametrize("program", [breadth_first, shortest_paths], ids=lambda each: each.__name__)
def test_graphs(program):
    check(program, "numpy", [(WEIGHTS, 0), (WEIGHTS * 1.5, 2), (WEIGHTS, 4)], ())


@pytest.mark.parametrize("program", [last_in_first_out, bounded, simple, locked, told_by_functions], ids=lambda each: each.__name__)
def test_queues_and_locks(program):
    check(program, "numpy", [(X, 2.0), (X[:3], 0.5)], ())


@pytest.mark.slow
def test_compiled():
    check(shortest_paths, "cpu", [(WEIGHTS, 0), (WEIGHTS * 1.5, 2)], ())


def get_of_an_empty_one(x):
    waiting = queue.Queue()
    for v in x:
        if v > 20.0:
            waiting.put(v)
    return waiting.get()


def test_what_would_wait_for_ever():
    """There is no other thread."""
    with pytest.raises(NotImplementedError, match="waits for another thread"):
        s2s.jit(get_of_an_empty_one, target="numpy")(X)


def returned(x):
    waiting = queue.Queue()
    waiting.put(x)
    return waiting


def test_a_queue_is_not_handed_out():
    with pytest.raises(UnsupportedError, match="a queue or a lock"):
        s2s.jit(returned, target="numpy")(X)
