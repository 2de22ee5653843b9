"""The classes of the module queue, and threading's locks, in a program of one thread. Read like a user's own."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import heapq
import queue
import threading
from collections import deque

from s2s.transforms.read.values import STANDS_FOR


class Queue:
    """queue.Queue: first in, first out."""

    def __init__(self, maxsize=0):
        self.maxsize, self.unfinished_tasks = maxsize, 0
        self.queue = self._empty()

    def _empty(self):
        return deque()

    def _put(self, item):
        self.queue.append(item)

    def _get(self):
        return self.queue.popleft()

    def qsize(self):
        return len(self.queue)

    def empty(self):
        return len(self.queue) == 0

    def full(self):
        return 0 < self.maxsize <= len(self.queue)

    def put(self, item, block=True, timeout=None):
        if self.full():
            if block and timeout is None:
                raise NotImplementedError("a put into a full queue, which waits for another thread")
            raise queue.Full
        self._put(item)
        self.unfinished_tasks += 1

    def get(self, block=True, timeout=None):
        if self.empty():
            if block and timeout is None:
                raise NotImplementedError("a get from an empty queue, which waits for another thread")
            raise queue.Empty
        return self._get()

    def put_nowait(self, item):
        self.put(item, False)

    def get_nowait(self):
        return self.get(False)

    def task_done(self):
        if self.unfinished_tasks <= 0:
            raise ValueError("task_done() called too many times")
        self.unfinished_tasks -= 1

    def join(self):
        if self.unfinished_tasks > 0:
            raise NotImplementedError("a join of a queue that holds something, which waits for another thread")


class LifoQueue(Queue):
    """queue.LifoQueue: last in, first out."""

    def _empty(self):
        return []

    def _get(self):
        return self.queue.pop()


class PriorityQueue(Queue):
    """queue.PriorityQueue: the smallest first."""

    def _empty(self):
        return []

    def _put(self, item):
        heapq.heappush(self.queue, item)

    def _get(self):
        return heapq.heappop(self.queue)


class SimpleQueue(Queue):
    """queue.SimpleQueue."""

    def __init__(self):
        super().__init__()


class Lock:
    """threading.Lock."""

    def __init__(self):
        self.is_held = False

    def acquire(self, blocking=True, timeout=-1):
        if self.is_held:
            if blocking and timeout < 0:
                raise NotImplementedError("a lock that waits for itself")
            return False
        self.is_held = True
        return True

    def release(self):
        if not self.is_held:
            raise RuntimeError("release unlocked lock")
        self.is_held = False

    def locked(self):
        return self.is_held

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *raised):
        self.release()


class RLock:
    """threading.RLock."""

    def __init__(self):
        self.count = 0

    def acquire(self, blocking=True, timeout=-1):
        self.count += 1
        return True

    def release(self):
        if self.count == 0:
            raise RuntimeError("cannot release un-acquired lock")
        self.count -= 1

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *raised):
        self.release()


THREADS = {
    Queue: queue.Queue, LifoQueue: queue.LifoQueue, PriorityQueue: queue.PriorityQueue, SimpleQueue: queue.SimpleQueue, Lock: type(threading.Lock()), RLock: type(threading.RLock()),
}  # fmt: skip
"""Each, and what it stands for."""
for _own, _pythons in THREADS.items():
    setattr(_own, STANDS_FOR, _pythons)

__all__ = ["THREADS", "LifoQueue", "Lock", "PriorityQueue", "Queue", "RLock", "SimpleQueue"]
