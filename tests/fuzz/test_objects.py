"""Random programs about Python's objects: right, or refused with a line; not too many of them refused."""
from __future__ import annotations

from fuzz.bounds import Tally
from fuzz.grammar import Seeded
from fuzz.minimise import minimise
from fuzz.object_check import examine_objects
from fuzz.objects import ObjectProgram


def test_programs_about_objects():
    tally = Tally("objects")
    for seed in range(30_000, 30_020):
        text = ObjectProgram(Seeded(seed), 1 + seed % 6, raising=seed % 4 == 3).text()
        outcome = examine_objects(text, seed)
        tally.add(outcome.kind, outcome.reason)
        if outcome.kind == "fault":
            small = minimise(text, outcome, lambda text, seed=seed: examine_objects(text, seed), seconds=20.0)
            raise AssertionError(f"{outcome.label()}\n{outcome.detail}\nwith the arguments of seed {seed}:\n{small[small.index('def change('):]}")
    tally.check()
