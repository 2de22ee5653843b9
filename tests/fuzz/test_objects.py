"""Random programs about Python's objects: right, or refused with a line; not too many of them refused."""
from __future__ import annotations

from fuzz.grammar import Seeded
from fuzz.object_runs import all_right
from fuzz.objects import ObjectProgram


def test_programs_about_objects():
    seeds = range(30_000, 30_020)
    all_right("objects", ((seed, ObjectProgram(Seeded(seed), 1 + seed % 6, raising=seed % 4 == 3).text()) for seed in seeds), "def change(")
