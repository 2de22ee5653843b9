"""Random programs about where the run goes: right, or refused with a line; not too many of them refused."""
from __future__ import annotations

import pytest

from fuzz.bounds import Tally
from fuzz.flow import FlowProgram
from fuzz.grammar import Seeded
from fuzz.object_check import examine_objects


@pytest.mark.parametrize("seeds", [range(80_000, 80_010), pytest.param(range(80_000, 80_050), marks=pytest.mark.slow)], ids=["few", "all"])
def test_programs_about_where_the_run_goes(seeds):
    tally = Tally("flow")
    for seed in seeds:
        text = FlowProgram(Seeded(seed), 1 + seed % 4).text()
        outcome = examine_objects(text, seed, targets=("cpu",) if seed % 10 == 9 else ("numpy",), gradient=False)
        tally.add(outcome.kind, outcome.reason)
        assert outcome.kind != "fault", f"{outcome.label()}\n{outcome.detail}\n{text[text.index('def f('):]}"
    tally.check()
