"""Where keys that only the run knows stand, by their hashes, with open addresses: `slots` of 1 + the place of a key, 0 where there is none.

A key that is no integer (or tuple of integers) has no slot: it is looked for among all.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from s2s.transforms.read.composed.marks import arrays_behind, check_kinds, is_formed_as, is_nan, is_whole, numbers_of, stored, surely, taken

ROOM = 16
"""Slots that there are at first, a power of two."""


def hash_of(key):
    """A number of 32 bits for a whole key."""
    found = 0
    for part in key if isinstance(key, tuple) else (key,):
        low = int(part) ^ (int(part) >> 32)
        found = (found ^ (low & 0xFFFFFFFF)) * 0x2545F491  # less than 2 ** 62: no integer's end is met
        found = (found ^ (found >> 17)) & 0xFFFFFFFF
    return found


def place_of(keys, slots, key):
    """Where a key stands among the keys; -1 where it is none of them."""
    if surely(len(keys) == 0):
        return -1
    if key is not None:  # which is no number
        check_kinds(keys, key)
    if not is_whole(key):
        found = -1
        is_tuple = isinstance(key, tuple)  # which NumPy's numbers would compare with item by item
        for place in range(len(keys)):
            if isinstance(keys[place], tuple) is is_tuple and keys[place] == key:
                found = place
                break
        if is_nan(key):
            for other in keys:
                if is_nan(other):
                    raise NotImplementedError("nan is looked for among keys of which one is nan: whether it is found depends on which objects are one in Python")
        return found
    columns = arrays_behind(keys)
    if columns is not None:
        return place_among(*arrays_behind(slots), len(slots), columns, numbers_of(key)) if is_formed_as(keys, key) else -1
    mask = len(slots) - 1
    slot = hash_of(key) & mask
    while taken(slots, slot) != 0 and taken(keys, taken(slots, slot) - 1) != key:
        slot = (slot + 1) & mask
    return taken(slots, slot) - 1


def place_among(slots, room, columns, key):
    """The same, of keys of which each column has a part, and as many slots as there is room for."""
    mask = room - 1
    slot = hash_of(key) & mask
    while taken(slots, slot) != 0 and not is_at(columns, taken(slots, slot) - 1, key):
        slot = (slot + 1) & mask
    return taken(slots, slot) - 1


def is_at(columns, place, key):
    """Whether a key stands at a place."""
    same = True
    for column, part in zip(columns, key, strict=True):
        same = same and taken(column, place) == part
    return same


def add_key(keys, slots, key):
    """Put a key behind the others, of which it is none."""
    check_kinds(keys, key)
    keys.append(key)
    if is_whole(key):
        if 2 * len(keys) > len(slots):
            for _ in range(len(slots)):
                slots.append(0)
            fill(keys, slots)
        else:
            put(slots, key, len(keys))


def remove_key(keys, slots, place):
    """Take the key at this place away."""
    keys.pop(place)
    fill(keys, slots)


def fill(keys, slots):
    """Find a slot for each key."""
    columns = arrays_behind(keys)
    if columns is not None:
        fill_with(*arrays_behind(slots), len(slots), columns, len(keys))
        return
    for slot in range(len(slots)):
        stored(slots, slot, 0)
    for place in range(len(keys)):
        if is_whole(keys[place]):
            put(slots, keys[place], place + 1)


def fill_with(slots, room, columns, count):
    """The same, of so many keys of which each column has a part."""
    for slot in range(room):
        stored(slots, slot, 0)
    for place in range(count):
        give_slot(slots, room, tuple(taken(column, place) for column in columns), place + 1)


def put(slots, key, number):
    """Give a key a slot."""
    give_slot(*arrays_behind(slots), len(slots), numbers_of(key), number)


def give_slot(slots, room, key, number):
    """The same, of as many slots as there is room for."""
    mask = room - 1
    slot = hash_of(key) & mask
    while taken(slots, slot) != 0:
        slot = (slot + 1) & mask
    stored(slots, slot, number)
