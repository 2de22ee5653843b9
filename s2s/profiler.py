"""How long the stages of calls take, under the names of jax.profiler.

    with s2s.profiler.trace() as times:      times.events: reading and rewriting, compiling, the user's own blocks, with their seconds
        s2s.grad(f)(x)
"""
from __future__ import annotations

import functools
import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from s2s import progress
from s2s.errors import ArgumentValueError
from s2s.not_here import refusing
from s2s.records import dataclass, field


@dataclass(frozen=True)
class Event:
    """What took `seconds`: `name` says of which function, `stage` which part; `start`: seconds since the trace began."""

    name: str
    stage: str
    start: float
    seconds: float


@dataclass
class Times:
    """What a trace recorded."""

    began: float = field(default_factory=time.perf_counter)
    events: list[Event] = field(default_factory=list)

    def add(self, name: str, stage: str, start: float, end: float) -> None:
        """Record what took from `start` to `end`, by time.perf_counter."""
        self.events.append(Event(name, stage, start - self.began, end - start))

    def __str__(self) -> str:
        return "\n".join(f"{event.seconds:9.4f} s  {event.name}: {event.stage}" for event in self.events)

    def write(self, folder: str | os.PathLike[str]) -> Path:
        """Write `trace.json` into a folder, which Perfetto and chrome://tracing show."""
        path = Path(folder) / "trace.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        shown = [
            {"name": f"{event.name}: {event.stage}", "ph": "X", "pid": os.getpid(), "tid": threading.get_ident(), "ts": 1e6 * event.start, "dur": 1e6 * event.seconds}
            for event in self.events
        ]
        path.write_text(json.dumps({"traceEvents": shown}), encoding="utf-8")
        return path


_STARTED: list[tuple[Times, str | os.PathLike[str] | None]] = []


def start_trace(log_dir: str | os.PathLike[str] | None = None) -> Times:
    """Begin to record; `stop_trace` writes `log_dir/trace.json`.

    Raises
    ------
    RuntimeError
        A trace runs.
    """
    if _STARTED:
        raise RuntimeError("Profile has already been started. Only one profile may be run at a time.")
    times = Times()
    _STARTED.append((times, log_dir))
    progress.LISTENERS.append(times.add)
    return times


def stop_trace() -> Times:
    """End the trace that `start_trace` began.

    Raises
    ------
    RuntimeError
        None runs.
    """
    if not _STARTED:
        raise RuntimeError("No profile started")
    times, folder = _STARTED.pop()
    progress.LISTENERS.remove(times.add)
    if folder is not None:
        times.write(folder)
    return times


@contextmanager
def trace(log_dir: str | os.PathLike[str] | None = None) -> Iterator[Times]:
    """Record a block.

    >>> import s2s
    >>> with trace() as times:
    ...     _ = s2s.jit(lambda x: 3.0 * x, target="numpy")(1.0)
    ...     with TraceAnnotation("own part"):
    ...         pass
    >>> times.events[-1].name
    'own part'
    """
    times = start_trace(log_dir)
    try:
        yield times
    finally:
        stop_trace()


class TraceAnnotation:
    """A block that a trace shows under a name."""

    def __init__(self, name: str, **kwargs: Any) -> None:
        if not isinstance(name, str):
            raise ArgumentValueError(f"TraceAnnotation needs a name, not {name!r}")
        self.name = name + "".join(f" {key}={value}" for key, value in kwargs.items())

    def __enter__(self) -> Self:
        self._start = time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        progress.tell(self.name, "block", self._start)


class StepTraceAnnotation(TraceAnnotation):
    """A step of a training loop: `step_num=` numbers it."""


def annotate_function(func: Callable[..., Any], name: str | None = None) -> Callable[..., Any]:
    """`func`, whose calls a trace shows."""
    shown: str = name or getattr(func, "__name__", None) or type(func).__name__

    @functools.wraps(func)
    def annotated(*args: Any, **kwargs: Any) -> Any:
        with TraceAnnotation(shown):
            return func(*args, **kwargs)

    return annotated


__all__ = ["Event", "StepTraceAnnotation", "Times", "TraceAnnotation", "annotate_function", "start_trace", "stop_trace", "trace"]

__getattr__ = refusing(__name__)
