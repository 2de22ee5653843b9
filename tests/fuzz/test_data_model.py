"""Random programs in Python's data model: results, arguments afterwards and exceptions as Python's, or refused with a line; not too many of them refused."""
from __future__ import annotations

import time

import pytest

from fuzz.bounds import Tally
from fuzz.data_model import DataModelProgram
from fuzz.grammar import Seeded
from fuzz.minimise import minimise
from fuzz.object_check import examine_objects

SECONDS = 600
"""How long the slow share draws programs: it begins no further one then."""


def _all_right(seeds: range) -> None:
    tally, start = Tally("data model"), time.perf_counter()
    for seed in seeds:
        if time.perf_counter() - start > SECONDS:
            break
        text = DataModelProgram(Seeded(seed), 1 + seed % 5).text()
        outcome = examine_objects(text, seed)
        tally.add(outcome.kind, outcome.reason)
        if outcome.kind == "fault":
            small = minimise(text, outcome, lambda text, seed=seed: examine_objects(text, seed), seconds=20.0)
            raise AssertionError(f"{outcome.label()}\n{outcome.detail}\nwith the arguments of seed {seed}:\n{small[small.index('def f('):]}")
    tally.check()


def test_programs_in_pythons_data_model():
    _all_right(range(16))


@pytest.mark.slow
def test_many_programs_in_pythons_data_model():
    _all_right(range(1000, 1600))
