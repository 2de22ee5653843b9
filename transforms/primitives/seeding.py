"""Where a generator's stream begins, of a seed that only the run knows: functions whose source is copied into emitted modules, and which run as they stand.

32 bits at a time, since the numbers of both generators are longer than a machine's. Sources: O'Neill's seed_seq_fe (`numpy.random.SeedSequence`)
and PCG (2014); the Mersenne Twister (Matsumoto and Nishimura), as RandomState seeds it.
"""
from __future__ import annotations

import numpy as np


def seed_words(seed):  # type: ignore[no-untyped-def]
    """Eight words of 32 bits that SeedSequence makes of a seed."""
    pool = np.zeros(4, np.int64)
    pool[0], pool[1] = seed & 0xFFFFFFFF, seed >> 32 & 0xFFFFFFFF
    factor = 0x43B0D7E5
    for k in range(4):
        word = int(pool[k]) ^ factor
        factor = factor * 0x931E8875 & 0xFFFFFFFF
        word = word * factor & 0xFFFFFFFF
        pool[k] = word ^ word >> 16
    for source in range(4):
        for k in range(4):
            if k != source:
                word = int(pool[source]) ^ factor
                factor = factor * 0x931E8875 & 0xFFFFFFFF
                word = word * factor & 0xFFFFFFFF
                word = (0xCA01F9DD * int(pool[k]) - 0x4973F715 * (word ^ word >> 16)) & 0xFFFFFFFF
                pool[k] = word ^ word >> 16
    words = np.zeros(8, np.int64)
    factor = 0x8B51F9DD
    for k in range(8):
        word = int(pool[k % 4]) ^ factor
        factor = factor * 0x58F38DED & 0xFFFFFFFF
        word = word * factor & 0xFFFFFFFF
        words[k] = word ^ word >> 16
    return words


def pcg64_start(memory, first, inner, seed):  # type: ignore[no-untyped-def]
    """Begin with the state that PCG64 has of this seed."""
    words, place = seed_words(int(seed)), first + 3
    start, step, state = np.concatenate((words[2:4], words[:2])), np.zeros(4, np.int64), np.zeros(4, np.int64)
    carry = 1
    for k in range(4):  # an odd number
        step[k] = (words[(k + 2) % 4 + 4] << 1 | carry) & 0xFFFFFFFF
        carry = words[(k + 2) % 4 + 4] >> 31
    carry = 0
    for k in range(4):
        carry += start[k] + step[k]
        start[k] = carry & 0xFFFFFFFF
        carry >>= 32
    factor = (0x9FCCF645, 0x4385DF64, 0x1FC65DA4, 0x2360ED05)
    for i in range(4):
        carry = 0
        for j in range(4 - i):
            product = int(start[i]) * factor[j]
            low = (product & 0xFFFFFFFF) + state[i + j] + carry
            state[i + j] = low & 0xFFFFFFFF
            carry = (product >> 32 & 0xFFFFFFFF) + (low >> 32)
    carry = 0
    for k in range(4):
        carry += state[k] + step[k]
        state[k] = carry & 0xFFFFFFFF
        carry >>= 32
    halves = memory.view(np.uint32)
    for k in range(4):
        halves[2 * place + k] = state[k]
        halves[2 * place + 4 + k] = step[k]
    return seed


def mt19937_start(memory, first, inner, seed):  # type: ignore[no-untyped-def]
    """Begin with the state that RandomState has of this seed."""
    halves, word = memory.view(np.uint32), int(seed)
    for k in range(624):
        halves[2 * first + k] = word
        word = (1812433253 * (word ^ word >> 30) + k + 1) & 0xFFFFFFFF
    halves[2 * first + 624] = 624
    return seed


SEEDING = (seed_words, pcg64_start, mt19937_start)
"""All of them."""

__all__ = ["SEEDING"]
