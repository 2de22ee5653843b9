"""When to take a snapshot: the schedules of `checkpoint(steps=…)`. These functions are read and emitted like a user's.

A *segment* is a number of trips that are reversed together. While a loop is reversed, at most so many snapshots of its
state exist at once; from a snapshot one gets to a later segment by running the loop again.
"""
from __future__ import annotations

import math
from typing import Any


def next_snapshot(segments: int, snapshots: int) -> int:
    """How many segments to advance before the next snapshot, so that as few as possible are run again.

    Griewank and Walther (2000): with s snapshots and r runs over each segment at most, (s + r)! / (s! r!) segments can be
    reversed. Here a snapshot has just been taken; `snapshots` counts it and those that are free; `segments` are to be
    reversed from here on. With no other snapshot free, all of them are run.
    """
    if snapshots == 1:
        return segments
    runs, reach = 0, 1
    while reach < segments:
        runs += 1
        reach = reach * (snapshots + runs) // runs
    if runs == 0:
        return 1
    before = reach * runs // (snapshots + runs)
    after = before * snapshots // (snapshots + runs - 1)
    return min(before, segments - after)


def replaced_snapshot(levels: Any, slots: Any, taken: int) -> int:
    """Which snapshot a new one takes the place of, when the number of segments to come is not known: its slot.

    The minimal repetition scheme of Wang, Moin and Iaccarino (2009): snapshots have levels, in `levels` in the order of
    the loop, as their slots in `slots`. One that is followed by one of a higher level can be dispensed with; where there
    is none, the last one is replaced, and the new one gets the next higher level. The first one always stays.
    """
    last = len(levels) - 1
    if taken <= last:
        levels[taken] = 0
        return taken
    place, level, highest = last, levels[last] + 1, levels[last]
    for k in range(last - 1, 0, -1):
        if levels[k] < highest:
            place, level = k, 0
            break
        highest = levels[k]
    slot = slots[place]
    for k in range(place, last):
        levels[k] = levels[k + 1]
        slots[k] = slots[k + 1]
    levels[last], slots[last] = level, slot
    return slot


def even_length(trips: int, state_bytes: int, tape_bytes: int, least: int) -> int:
    """How many trips a segment has where there is a snapshot of each: both take the same memory, sqrt(trips) of what a tape of all takes."""
    return max(least, int(math.sqrt(trips * state_bytes / tape_bytes)))
