"""Objects of several classes in lists, heaps, queues and dicts of which only the run knows how many there are, and which is which."""
from __future__ import annotations

import heapq
import math
from collections import deque
from dataclasses import dataclass

import numpy as np


class Square:
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side**2

    def grow(self, by):
        self.side += by


class Disc:
    def __init__(self, radius, height=1.0):
        self.radius, self.height = radius, height

    def area(self):
        return 3.0 * self.radius * self.height

    def grow(self, by):
        self.radius *= 1.0 + by


def shape_of(value):
    if value > 0:
        return Square(value)
    return Disc(value, 0.5)


def appended_on_paths(x, y, n):
    shapes = []
    for value in x:
        if value > 0:
            shapes.append(Square(value))
        else:
            shapes.append(Disc(value * y))
    return sum(shape.area() for shape in shapes), len(shapes)


def chosen_in_a_comprehension(x, y, n):
    shapes = [Square(value) if value > 0 else Disc(value) for value in x]
    return [shape.area() * y for shape in shapes]


def made_by_a_helper(x, y, n):
    return sum(shape.area() for shape in map(shape_of, x)) + sum(shape_of(value).area() for value in x if value > y)


def beside_numbers(x, y, n):
    pairs = []
    for k, value in enumerate(x):
        pairs.append((k, shape_of(value), value * y))
    return sum(k * shape.area() + value for k, shape, value in pairs)


def changed_through_the_list(x, y, n):
    shapes = [shape_of(value) for value in x]
    first, last = shapes[0], shapes[-1]
    for shape in shapes:
        shape.grow(y)
    first.grow(1.0)
    kept = shapes[n]
    shapes.append(kept)
    kept.grow(0.5)
    return first.area(), last.area(), [shape.area() for shape in shapes], shapes[0] is first


def told_apart(x, y, n):
    shapes = [shape_of(value) for value in x]
    sides, radii = 0.0, 1.0
    for shape in shapes:
        if isinstance(shape, Square):
            sides += shape.side * y
        elif isinstance(shape, Disc):
            radii *= shape.radius + shape.height
    return sides, radii


def in_a_stack(x, y, n):
    left = [shape_of(value) for value in x]
    total, seen = 0.0, 0
    while left and seen < 12:
        shape = left.pop()
        seen += 1
        total = total * 0.5 + shape.area()
        if isinstance(shape, Disc):
            left.append(Square(shape.radius + seen))
        elif shape.side > 2.0:
            left += [Disc(-y), Square(1.5)]
    return total, seen, len(left)


def in_a_queue(x, y, n):
    waiting, done = deque([shape_of(x[0])]), []
    while waiting and len(done) < 9:
        shape = waiting.popleft()
        done.append(shape.area())
        waiting.append(Square(len(done) * 0.3))
        if isinstance(shape, Square):
            waiting.append(Disc(y))
    return done, len(waiting)


def in_a_heap(x, y, n):
    heap = []
    for k, value in enumerate(x):
        heapq.heappush(heap, (value, k, shape_of(value)))
    total = 0.0
    while heap:
        when, k, shape = heapq.heappop(heap)
        total = 0.5 * total + shape.area()
        if isinstance(shape, Disc) and k < 10:
            heapq.heappush(heap, (when + 1.0, k + 10, Square(when * y)))
    return total


def in_a_dict(x, y, n):
    by_number = {}
    for k, value in enumerate(x):
        by_number[k % 3] = shape_of(value)
    by_number[1].grow(y)
    return {key: shape.area() for key, shape in by_number.items()}


def beside_none(x, y, n):
    places = [None] * (len(x) + n)
    for k, value in enumerate(x):
        if abs(value) > 0.4:
            places[k] = shape_of(value)
    return [-1.0 if place is None else place.area() for place in places], sum(place is None for place in places)


class Event:
    def __init__(self, time):
        self.time = time

    def __lt__(self, other):
        return self.time < other.time

    def process(self, run):
        raise NotImplementedError


class Arrival(Event):
    def process(self, run):
        if run.busy < 1:
            run.busy += 1
            run.schedule(Departure(self.time + run.service))
        else:
            run.queue.append(self.time)
        if self.time < run.horizon:
            run.schedule(Arrival(self.time + run.gaps[run.arrived % len(run.gaps)]))
            run.arrived += 1


class Departure(Event):
    def process(self, run):
        run.served += 1
        if run.queue:
            run.waits.append(self.time - run.queue.popleft())
            run.schedule(Departure(self.time + run.service))
        else:
            run.busy -= 1


class Bank:
    def __init__(self, gaps, service, horizon):
        self.gaps, self.service, self.horizon = gaps, service, horizon
        self.events, self.queue, self.waits = [], deque(), []
        self.busy = self.served = self.arrived = 0

    def schedule(self, event):
        heapq.heappush(self.events, event)

    def run(self):
        self.schedule(Arrival(0.0))
        while self.events:
            heapq.heappop(self.events).process(self)
        return self.served, sum(self.waits)


def events_of_two_classes(x, y, n):
    return Bank(np.abs(x) + 0.1, 0.4 + abs(y), 4.0 + n).run()


@dataclass
class Leaf:
    value: float

    def evaluate(self, at):
        return self.value


@dataclass
class Add:
    left: object
    right: object

    def evaluate(self, at):
        return self.left.evaluate(at) + self.right.evaluate(at)


@dataclass
class Sine:
    of: object

    def evaluate(self, at):
        return math.sin(self.of.evaluate(at) * at)


def expressions_that_are_built(x, y, n):
    """The depth of what an object holds is known: each is another class."""
    whole = Add(Sine(Leaf(x[0])), Add(Leaf(y), Sine(Leaf(x[1]))))
    return whole.evaluate(y)
