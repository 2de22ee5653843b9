"""Random programs about names that may be one array or another: right, or refused with a line; not too many of them refused."""
from __future__ import annotations

import pytest

from fuzz.aliases import AliasProgram, examine_aliases
from fuzz.bounds import Tally
from fuzz.grammar import Seeded
from fuzz.lists import ListProgram


@pytest.mark.parametrize("seeds", [range(40_000, 40_002), pytest.param(range(40_000, 40_010), marks=pytest.mark.slow)], ids=["few", "all"])
def test_programs_about_aliases(seeds):
    tally = Tally("aliases")
    for seed in seeds:
        text = AliasProgram(Seeded(seed), 2 + seed % 6).text()
        outcome = examine_aliases(text, seed, points=2, gradient=seed % 4 == 0)
        tally.add(outcome.kind, outcome.reason)
        assert outcome.kind != "fault", f"{outcome.label()}\n{outcome.detail}\n{text[text.index('def f('):]}"
    tally.check()


def test_programs_about_lists():
    tally = Tally("lists")
    for seed in range(60_000, 60_016):
        text = ListProgram(Seeded(seed), 1 + seed % 5).text()
        outcome = examine_aliases(text, seed, points=2, gradient=seed % 8 == 0)
        tally.add(outcome.kind, outcome.reason)
        assert outcome.kind != "fault", f"{outcome.label()}\n{outcome.detail}\n{text[text.index('def f('):]}"
    tally.check()
