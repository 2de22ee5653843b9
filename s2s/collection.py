"""Python's search for cyclic garbage waits while a module is made or compiled: a tenth of a first call went into looking through trees that are all in use."""
from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_LOCK = Lock()
_OPEN: list[bool] = []
"""For each block that is open, whether there was a search when it was entered."""


@contextmanager
def uncollected() -> Iterator[None]:
    """A block that makes many objects and keeps them; of several at once, in any threads, the last to end has the search go on."""
    with _LOCK:
        _OPEN.append(gc.isenabled() or any(_OPEN))
        gc.disable()
    try:
        yield
    finally:
        with _LOCK:
            searched = _OPEN.pop()
            if searched and not _OPEN:
                gc.enable()
