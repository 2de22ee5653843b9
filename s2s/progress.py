"""A line on the terminal while a first call takes its time, erased when it is done.

    s2s: loss_grad: Numba compiles, 4 s

Quiet where standard error is no terminal, and for what takes less than a second. `S2S_PROGRESS=0` turns it off, `1` on everywhere.
"""
from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

LISTENERS: list[Callable[[str, str, float, float], None]] = []
"""What is told of each stage when it is over: listener(function, stage, start, end), in seconds of time.perf_counter."""
AFTER = 1.0
"""Seconds until the line is shown, and between one and the next."""
_ERASE = "\r\x1b[2K"


def wanted() -> bool:
    """Whether the line is to be shown at all."""
    setting = os.environ.get("S2S_PROGRESS", "")
    return setting != "0" and (setting != "" or bool(getattr(sys.stderr, "isatty", bool)()))


class Shown:
    """While the block runs, what is being done to which function is shown. `with Shown("loss_grad", "reads and rewrites"): …`"""

    def __init__(self, function: str, stage: str) -> None:
        self.function, self.stage = function, stage
        self.text = f"s2s: {function}: {stage}"
        self._timer: threading.Timer | None = None
        self._lock = threading.Lock()
        self._done = self._written = False

    def __enter__(self) -> Self:
        self._start, self._began = time.monotonic(), time.perf_counter()
        if wanted():
            self._wait()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        tell(self.function, self.stage, self._began)
        with self._lock:
            self._done = True
            if self._timer is not None:
                self._timer.cancel()
            if self._written:
                _write(_ERASE)

    def _wait(self) -> None:
        self._timer = threading.Timer(AFTER, self._show)
        self._timer.daemon = True
        self._timer.start()

    def _show(self) -> None:
        with self._lock:
            if not self._done:
                self._written = True
                _write(f"{_ERASE}{self.text}, {time.monotonic() - self._start:.0f} s")
                self._wait()


def tell(name: str, stage: str, start: float) -> None:
    """Tell who listens of a stage that is over now."""
    for listener in tuple(LISTENERS):
        listener(name, stage, start, time.perf_counter())


def _write(text: str) -> None:
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):  # closed meanwhile, or none: nobody is looking
        return
