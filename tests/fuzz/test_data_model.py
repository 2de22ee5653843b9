"""Random programs in Python's data model: results, arguments afterwards and exceptions as Python's, or refused with a line; not too many of them refused."""
from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from fuzz.data_model import DataModelProgram
from fuzz.grammar import Seeded
from fuzz.object_runs import all_right

SECONDS = 600
"""How long the slow share draws programs: it begins no further one then."""


def _programs(seeds: range) -> Iterator[tuple[int, str]]:
    start = time.perf_counter()
    for seed in seeds:
        if time.perf_counter() - start > SECONDS:
            return
        yield seed, DataModelProgram(Seeded(seed), 1 + seed % 5).text()


def test_programs_in_pythons_data_model():
    all_right("data model", _programs(range(16)), "def f(")


@pytest.mark.slow
def test_many_programs_in_pythons_data_model():
    all_right("data model", _programs(range(1000, 1600)), "def f(")
