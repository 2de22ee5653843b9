"""Where NumPy's C functions find a generator, whose memory is an array (`s2s.streams`)."""
from __future__ import annotations

import numpy as np


def generator(memory, first, inner):  # type: ignore[no-untyped-def]
    """The address of a generator's functions; in a copy of its memory the pointers into itself are made the copy's."""
    here = np.int64(memory.ctypes.data)
    moved = here + 8 * first - memory[0]
    if moved != 0:
        memory[0] += moved
        for k in range(first, first + inner):
            memory[k] += moved
    return here


__all__ = ["generator"]
