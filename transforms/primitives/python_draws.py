"""Numbers of Python's own generator, random.Random: functions whose source is copied into emitted modules, and which run as they stand.

Python exports no functions for them. Source: Matsumoto and Nishimura 1998 (the Mersenne Twister MT19937, `init_by_array` of their revision of 2002).
`memory` holds the place of the next word, then 624 words of 32 bits.
"""
from __future__ import annotations

import numpy as np


def python_twist(words):  # type: ignore[no-untyped-def]
    """The next 624 words."""
    for k in range(624):
        mixed = (int(words[1 + k]) & 0x80000000) | (int(words[1 + (k + 1) % 624]) & 0x7FFFFFFF)
        word = int(words[1 + (k + 397) % 624]) ^ (mixed >> 1)
        if mixed & 1:
            word ^= 0x9908B0DF
        words[1 + k] = word


def python_word(words):  # type: ignore[no-untyped-def]
    """32 random bits."""
    if words[0] >= 624:
        python_twist(words)
        words[0] = 0
    place = int(words[0])
    word = int(words[1 + place])
    words[0] = place + 1
    word ^= word >> 11
    word ^= (word << 7) & 0x9D2C5680
    word ^= (word << 15) & 0xEFC60000
    return word ^ (word >> 18)


def python_uniform(memory, first, inner):  # type: ignore[no-untyped-def]
    """A number from 0 to 1, of 53 random bits."""
    words = memory.view(np.uint32)
    high = python_word(words) >> 5
    low = python_word(words) >> 6
    return (high * 67108864.0 + low) / 9007199254740992.0


def python_bits(memory, first, inner, count):  # type: ignore[no-untyped-def]
    """So many random bits, up to 63."""
    words = memory.view(np.uint32)
    if count <= 0:
        return 0
    if count <= 32:
        return python_word(words) >> (32 - count)
    low = python_word(words)
    return low | (python_word(words) >> (64 - count)) << 32


def python_below(memory, first, inner, end):  # type: ignore[no-untyped-def]
    """An integer from 0 to end - 1: as many bits as `end` has, until they are less."""
    count = 0
    while end >> count > 0:
        count += 1
    number = python_bits(memory, first, inner, count)
    while number >= end:
        number = python_bits(memory, first, inner, count)
    return number


def python_start(memory, first, inner, seed):  # type: ignore[no-untyped-def]
    """Begin with the state that random.Random has of this seed."""
    words, key = memory.view(np.uint32), np.zeros(2, np.int64)
    size = abs(int(seed))
    key[0], key[1] = size & 0xFFFFFFFF, size >> 32 & 0xFFFFFFFF
    length = 2 if key[1] != 0 else 1
    word = 19650218
    for k in range(624):
        words[1 + k] = word
        word = (1812433253 * (word ^ word >> 30) + k + 1) & 0xFFFFFFFF
    place, turn = 1, 0
    for k in range(624 + 623):
        before = int(words[place])
        if k < 624:
            word = ((int(words[1 + place]) ^ (before ^ before >> 30) * 1664525) + key[turn] + turn) & 0xFFFFFFFF
        else:
            word = ((int(words[1 + place]) ^ (before ^ before >> 30) * 1566083941) - place) & 0xFFFFFFFF
        words[1 + place] = word
        place, turn = place + 1, (turn + 1) % length
        if place >= 624:
            words[1] = words[624]
            place = 1
    words[1] = 0x80000000
    words[0] = 624
    return seed


PYTHONS = (python_twist, python_word, python_uniform, python_bits, python_below, python_start)
"""All of them."""

__all__ = ["PYTHONS"]
