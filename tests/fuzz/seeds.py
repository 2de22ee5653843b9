"""Which programs a run draws: `S2S_FUZZ_SEED` says which run it is, the first one if nothing does."""
from __future__ import annotations

import os

SEED = int(os.environ.get("S2S_FUZZ_SEED") or 1)


def seeds(part: int, parts: int, count: int) -> range:
    """The seeds of one of the parts that a run is divided into: no other part has one of them, and no other run of as many parts."""
    first = (SEED * parts + part) * count
    return range(first, first + count)
