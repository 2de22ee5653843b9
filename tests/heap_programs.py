"""Heaps and lists of run-time length whose items hold members of enumerations, None, dicts and arrays; arrays of lists of arrays. Parameters as in container_programs."""
import enum
import heapq
import itertools
from collections import deque
from dataclasses import dataclass

import numpy as np


class Kind(enum.Enum):
    ARRIVAL = 0
    DEPARTURE = 1


class Way(str, enum.Enum):  # noqa: UP042 - as it was written before 3.11
    UP = "up"
    DOWN = "down"


def events_by_enumeration(x, y, n):
    number, events, now, total = itertools.count(), [], 0.0, 0.0
    heapq.heappush(events, (0.3 * y, next(number), Kind.ARRIVAL))
    for _ in range(3 * n):
        now, _, kind = heapq.heappop(events)
        if kind is Kind.ARRIVAL:
            heapq.heappush(events, (now + abs(x[0]), next(number), Kind.DEPARTURE))
            heapq.heappush(events, (now + 0.7, next(number), Kind.ARRIVAL))
            total += now
        else:
            total -= 0.5 * now
    return now, total, len(events)


def queue_for_one_server(x, y, n):
    events, waiting, number = [], deque(), itertools.count()
    waits, busy, arrived = [], False, 0
    heapq.heappush(events, (abs(y), next(number), Kind.ARRIVAL))
    while events:
        now, _, kind = heapq.heappop(events)
        if kind is Kind.ARRIVAL:
            arrived += 1
            if arrived < 2 * n + 2:
                heapq.heappush(events, (now + abs(x[arrived % len(x)]), next(number), Kind.ARRIVAL))
            waiting.append(now)
        else:
            busy = False
        if waiting and not busy:
            waits.append(now - waiting.popleft())
            busy = True
            heapq.heappush(events, (now + 1.1 * abs(y), next(number), Kind.DEPARTURE))
    return sum(waits), max(waits)


def enumerations_whose_order_is_asked(y, n):
    events = []
    for k in range(3 * n + 1):
        heapq.heappush(events, (y * (k % 2), Kind.DEPARTURE if k % 3 else Kind.ARRIVAL))
    return events[0][0]


def one_member_and_what_stands_behind(y, n):
    events = []
    for k in range(3 * n + 1):
        heapq.heappush(events, (y * (k % 2), Kind.ARRIVAL, -k))
    return events[0][2]


def members_in_a_list(x):
    kinds = []
    for v in x:
        kinds.append(Kind.ARRIVAL if v > 0 else Kind.DEPARTURE)
    return sum(kind is Kind.ARRIVAL for kind in kinds), kinds[-1], Kind.DEPARTURE in kinds, [kind.name for kind in kinds], kinds


def members_that_are_texts(x):
    ways = []
    for v in x:
        ways.append((v, Way.UP if v > 0 else Way.DOWN))
    total = 0.0
    for v, way in ways:
        total += v if way is Way.UP else -0.5 * v if way == "down" else 100.0
    return total, ways


def parents_or_none(x, y, n):
    heap, total = [], 0.0
    heapq.heappush(heap, (0.3 * y, 0, None))
    for k in range(1, 3 * n + 1):
        cost, place, parent = heapq.heappop(heap)
        total += cost if parent is None else cost * parent
        heapq.heappush(heap, (cost + x[0], k, place))
    return total


def events_in_dicts(x, y, n):
    heap, number, total = [], itertools.count(), 0.0
    heapq.heappush(heap, (0.3 * y, next(number), {"kind": "in", "id": 0}))
    for _ in range(3 * n):
        now, _, event = heapq.heappop(heap)
        if event["kind"] == "in":
            heapq.heappush(heap, (now + abs(x[1]), next(number), {"kind": "out", "id": event["id"]}))
            heapq.heappush(heap, (now + 0.7, next(number), {"kind": "in", "id": event["id"] + 1}))
            total += now
        else:
            total -= 0.5 * now * event["id"]
    return total


def places_in_a_heap(x, y, n):
    heap, total = [(0.0, 0, np.zeros(2))], np.zeros(2)
    for _ in range(n + 2):
        cost, number, place = heapq.heappop(heap)
        total += place
        heapq.heappush(heap, (cost + abs(x[0]), 2 * number + 1, place + np.array([1.0, y])))
        heapq.heappush(heap, (cost + 1.3 * abs(x[0]), 2 * number + 2, place * 0.5 + 1))
    return total


@dataclass
class Body:
    place: np.ndarray
    speed: np.ndarray
    weight: float = 1.0


def bodies_as_an_array(x, y, n):
    bodies = [Body(np.array([v, k]), np.zeros(2)) for k, v in enumerate(x)]
    for _ in range(n):
        for body in bodies:
            for other in bodies:
                if other is body:
                    continue
                apart = other.place - body.place
                body.speed += 0.1 * other.weight * apart / (apart @ apart + abs(y)) ** 1.5
        for body in bodies:
            body.place += 0.1 * body.speed
    return np.array([body.place for body in bodies]), np.stack([body.speed for body in bodies]), np.array([body.weight for body in bodies])


def pairs_of_pairs_as_an_array(x, y):
    found = []
    for k, v in enumerate(x):
        found.append(((v, y * k), (k, v * v)))
    return np.array(found)


def _directions():
    steps = np.array([(i, j) for i in (0, -1, 1) for j in (0, -1, 1)])
    return steps, [list(map(tuple, steps)).index(tuple(-step)) for step in steps]


def directions_and_their_opposites(x, y):
    steps, opposite = _directions()
    again = [list(map(tuple, steps)).index(tuple(-step)) for step in steps]
    flow = np.outer(np.arange(9.0), x)
    for k in range(9):
        flow[k] += y * flow[opposite[k]] - flow[again[k]]
    return flow, np.roll(x, steps[3, 0])


def best_in_a_dict(x, y):
    best = None
    for i in range(2):
        for place, v in enumerate(x):
            loss = (v - y * i) ** 2
            if best is None or loss < best["loss"]:
                best = {"loss": loss, "place": place, "round": i}
    return best["loss"], best["place"] + best["round"]


def best_split(x, u):
    best = None
    for threshold in np.unique(x)[:-1]:
        left = x <= threshold
        low, high = x[left].mean(), x[~left].mean()
        loss = np.sum((x - np.where(left, low, high)) ** 2)
        if best is None or loss < best["loss"]:
            best = {"loss": loss, "threshold": threshold, "low": low, "high": high}
    return best["loss"] * u[0], best["threshold"], np.where(x <= best["threshold"], best["low"], best["high"])


def best_that_may_be_none(x):
    best = None
    for place, v in enumerate(x):
        if v > 1.6 and (best is None or v > best["value"]):
            best = {"value": v, "place": place}
    return best["value"] * best["place"]


def bests_of_rounds(x, y):
    found, left = [], x.copy()
    for _ in range(3):
        best = None
        for j in range(len(left)):
            if best is None or left[j] > best["value"]:
                best = {"value": left[j], "at": j}
        found.append(best)
        left[best["at"]] -= abs(y) + 1.0
    return [each["at"] for each in found], sum(each["value"] for each in found), left


def best_beside_an_empty_dict(x):
    best = {}
    for place, v in enumerate(x):
        if not best or v < best["value"]:
            best = {"value": v, "place": place}
    return best["value"], best["place"]
