"""What the benchmarks share: timing and tables. Each script prints a table; `python benchmarks/loop_cost.py`."""
from __future__ import annotations

import platform
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Any


def best(call: Callable[[], object], *, repeat: int = 7, at_least: float = 0.02, clock: Callable[[], float] = time.perf_counter) -> float:
    """Seconds of one call: the best of `repeat` rounds, each of as many calls as take `at_least` seconds.

    `clock`: time.process_time where other processes keep the machine busy (then with one thread, since threads add up).
    """
    call()
    start = clock()
    call()
    number = max(1, int(at_least / max(clock() - start, 1e-9)))
    rounds = []
    for _ in range(repeat):
        start = clock()
        for _ in range(number):
            call()
        rounds.append((clock() - start) / number)
    return min(rounds)


def interleaved(*calls: Callable[[], object], repeat: int = 7, at_least: float = 0.02, clock: Callable[[], float] = time.perf_counter) -> list[float]:
    """As `best`, for several calls taken in turns, so that ratios don't suffer when the machine's speed drifts."""
    rounds = [[best(call, repeat=1, at_least=at_least, clock=clock) for call in calls] for _ in range(repeat)]
    return [min(column) for column in zip(*rounds, strict=True)]


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table in Markdown."""
    print(f"\n{title}\n")
    print("| " + " | ".join(head) + " |")
    print("|" + " --- |" * len(head))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")


def machine() -> str:
    """Where it was measured."""
    names = ("s2s", "numpy", "numba", "jax")
    versions = []
    for name in names:
        try:
            versions.append(f"{name} {version(name)}")
        except ModuleNotFoundError:
            versions.append(f"no {name}")
    return f"Python {platform.python_version()}, {', '.join(versions)}, {platform.machine()}"


def jax_or_none() -> object:
    """JAX with float64, where it is installed (`pip install -e '.[bench]'`)."""
    try:
        import jax
    except ModuleNotFoundError:
        return None
    jax.config.update("jax_enable_x64", val=True)
    return jax


def ms(seconds: float) -> str:
    """Milliseconds, three digits."""
    return f"{seconds * 1e3:.3g} ms"


def us(seconds: float) -> str:
    """Microseconds, three digits."""
    return f"{seconds * 1e6:.3g} µs"


def note_texts(written: list[float]) -> None:
    """Let each text that s2s hands on to be compiled put the process's CPU time behind `written`: what s2s itself needs ends there."""
    from s2s.calls import building
    from s2s.codegen.modules import compile as compiler

    load_text = compiler.load_text

    def noted(*args: Any) -> Any:
        written.append(time.process_time())
        return load_text(*args)

    building.compiler.load_text = noted
