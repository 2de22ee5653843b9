"""LLVM's functions without a word to listeners: Numba tells how long it waits for LLVM, twice for each of the thousands of calls that a kernel takes, which costs six times the call."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite.binding import ffi

_NUMBA = "numba.core.base"


@contextmanager
def untold() -> Iterator[None]:
    """Within, Numba's listeners hear nothing of calls of LLVM; others' do."""
    lock: Any = ffi.lib._lock  # llvmlite unregisters only what one holds, and Numba holds it within a function
    with lock._lock:  # nobody is between the beginning and the end of a call
        told = [pair for pair in lock._cblist if pair[0].__module__ == _NUMBA]
        lock._cblist = [pair for pair in lock._cblist if pair not in told]
    try:
        yield
    finally:
        with lock._lock:
            lock._cblist = [*lock._cblist, *told]
