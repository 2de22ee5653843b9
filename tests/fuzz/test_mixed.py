"""Random programs about lists whose items differ in type, or that grow on some paths: right, or refused with a line; not too many of them refused."""
from __future__ import annotations

import pytest

from fuzz.bounds import Tally
from fuzz.grammar import Seeded
from fuzz.mixed import MixedProgram
from fuzz.object_check import examine_objects


@pytest.mark.parametrize("seeds", [range(70_000, 70_010), pytest.param(range(70_000, 70_060), marks=pytest.mark.slow)], ids=["few", "all"])
def test_programs_about_mixed_lists(seeds):
    tally = Tally("mixed")
    for seed in seeds:
        text = MixedProgram(Seeded(seed), 1 + seed % 4).text()
        outcome = examine_objects(text, seed, targets=("cpu",) if seed % 10 == 9 else ("numpy",), gradient=False)
        tally.add(outcome.kind, outcome.reason)
        assert outcome.kind != "fault", f"{outcome.label()}\n{outcome.detail}\n{text[text.index('def f('):]}"
    tally.check()
