"""Where the items of a set stand that only the run knows: as in CPython's tables (Objects/setobject.c), from which the order of integers follows.

`slots` of 1 + the place of an item among the keys, 0 where there never was one, -1 where one was taken away. A tuple of integers has another hash than
Python's, so that nobody knows its order; an item that is no integer has no slot: it is looked for among all.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from s2s.transforms.read.composed import key_slots
from s2s.transforms.read.composed.marks import arrays_behind, check_kinds, is_formed_as, is_whole, stored, surely, taken
from s2s.transforms.read.composed.marks import numbers_of as parts_of

ROOM = 8
"""Slots that there are at first: PySet_MINSIZE."""
_NEIGHBOURS = 9
"""How many slots behind the first one are looked at before it goes on elsewhere: LINEAR_PROBES."""
_PRIME = 2**61 - 1
"""Of what integers' hashes are remainders."""


def hash_of(key):
    """hash(key) of an integer, a number for a tuple of them."""
    if isinstance(key, tuple):
        return key_slots.hash_of(key)
    whole = int(key)
    found = whole % _PRIME if whole >= 0 else -(-whole % _PRIME)
    return -2 if found == -1 else found


def slot_of(keys, slots, key):
    """The slot of an item; of one that is none, the slot that it would get: one from which an item was taken away, if it comes by one."""
    own, columns = arrays_behind(slots), arrays_behind(keys)
    if own is None or columns is None or not is_formed_as(keys, key):
        return slot_among(slots, len(slots), (keys,), (key,), hash_of(key))
    return slot_among(*own, len(slots), columns, parts_of(key), hash_of(key))


def slot_among(slots, room, columns, key, rest):
    """The same, of as many slots as there is room for, keys of which each column has a part, and a hash."""
    mask = room - 1
    first = rest & mask
    slot, left, free = first, _NEIGHBOURS if first + _NEIGHBOURS <= mask else 0, -1
    while taken(slots, slot) != 0 and (taken(slots, slot) < 0 or not key_slots.is_at(columns, max(taken(slots, slot) - 1, 0), key)):
        if taken(slots, slot) < 0:
            free = slot
        if left > 0:
            slot, left = slot + 1, left - 1
        else:
            rest = (rest >> 5) & 0x7FFFFFFFFFFFFFF  # of a word without a sign
            first = (first * 5 + 1 + rest) & mask
            slot, left = first, _NEIGHBOURS if first + _NEIGHBOURS <= mask else 0
    return free if taken(slots, slot) == 0 and free >= 0 else slot


def place_of(keys, slots, key):
    """Where an item stands among the keys; -1 where it is none of them."""
    if surely(len(keys) == 0):
        return -1
    if not is_whole(key):
        return key_slots.place_of(keys, slots, key)
    check_kinds(keys, key)
    return max(taken(slots, slot_of(keys, slots, key)), 0) - 1


def add_key(found, key):
    """Put an item into a set that has it not."""
    check_kinds(found.keys_, key)
    found.keys_.append(key)
    if is_whole(key):
        put(found, key, len(found.keys_))
        if found.filled * 5 >= (len(found.slots) - 1) * 3:
            count = len(found.keys_)
            resize(found, count * 2 if count > 50000 else count * 4)


def put(found, key, number):
    """Give an item a slot."""
    slot = slot_of(found.keys_, found.slots, key)
    found.filled += taken(found.slots, slot) + 1
    stored(found.slots, slot, number)


def remove_key(found, place):
    """Take the item at this place among the keys away: the last of them comes there."""
    last = len(found.keys_) - 1
    key = taken(found.keys_, place)
    if is_whole(key):
        stored(found.slots, slot_of(found.keys_, found.slots, key), -1)
        if place != last:
            moved = taken(found.keys_, last)
            stored(found.slots, slot_of(found.keys_, found.slots, moved), place + 1)
            stored(found.keys_, place, moved)
        found.keys_.pop()
    else:
        found.keys_.pop(place)


def resize(found, least):
    """Give a set more than so many slots, in which its items stand in their order."""
    size = ROOM
    while size <= least:
        size *= 2
    order = numbers_of(found)
    while len(found.slots) > size:
        found.slots.pop()
    for slot in range(len(found.slots)):
        stored(found.slots, slot, 0)
    while len(found.slots) < size:
        found.slots.append(0)
    for number in order:
        stored(found.slots, slot_of(found.keys_, found.slots, taken(found.keys_, number - 1)), number)
    found.filled = len(order)


def numbers_of(found):
    """1 + the places of a set's items among its keys, in their order."""
    order = []
    for slot in range(len(found.slots)):
        if taken(found.slots, slot) > 0:
            order.append(taken(found.slots, slot))
    return order


def clear(found):
    """Take all items away."""
    found.keys_.clear()
    while len(found.slots) > ROOM:
        found.slots.pop()
    for slot in range(len(found.slots)):
        stored(found.slots, slot, 0)
    found.filled = found.finger = 0


def merge(found, other):
    """Put all items of another set into this one, as CPython's set_merge does."""
    count = len(other.keys_)
    if (found.filled + count) * 5 >= (len(found.slots) - 1) * 3:
        resize(found, (len(found.keys_) + count) * 2)
    if found.filled == 0 and len(found.slots) == len(other.slots) and other.filled == count:
        become(found, other)
    else:
        for number in numbers_of(other):
            key = taken(other.keys_, number - 1)
            if place_of(found.keys_, found.slots, key) < 0:
                add_key(found, key)


def become(found, other):
    """Let an empty set have what another one has, in the same slots."""
    for key in other.keys_:
        found.keys_.append(key)
    while len(found.slots) < len(other.slots):
        found.slots.append(0)
    for slot in range(len(other.slots)):
        stored(found.slots, slot, taken(other.slots, slot))
    found.filled = other.filled
