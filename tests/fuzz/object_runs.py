"""Drawn programs about Python's objects, one after the other: each right, or refused with a line; not too many of them refused."""
from __future__ import annotations

from collections.abc import Iterable

from fuzz.bounds import Tally
from fuzz.minimise import minimise
from fuzz.object_check import examine_objects


def all_right(name: str, programs: Iterable[tuple[int, str]], entry: str) -> None:
    """Raise of the first one that is wrong, made small: (seed, text) of each; the part that is shown begins with `entry`."""
    tally = Tally(name)
    for seed, text in programs:
        outcome = examine_objects(text, seed)
        tally.add(outcome.kind, outcome.reason)
        if outcome.kind == "fault":
            small = minimise(text, outcome, lambda text, seed=seed: examine_objects(text, seed), seconds=20.0)
            raise AssertionError(f"{outcome.label()}\n{outcome.detail}\nwith the arguments of seed {seed}:\n{small[small.index(entry):]}")
    tally.check()
