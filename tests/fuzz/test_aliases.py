"""Random programs about names that may be one array or another: right, or refused with a line; not too many of them refused."""
from __future__ import annotations

from fuzz.aliases import AliasProgram, examine_aliases
from fuzz.bounds import Tally
from fuzz.grammar import Seeded


def test_programs_about_aliases():
    tally = Tally("aliases")
    for seed in range(40_000, 40_010):
        text = AliasProgram(Seeded(seed), 2 + seed % 6).text()
        outcome = examine_aliases(text, seed, points=2, gradient=seed % 4 == 0)
        tally.add(outcome.kind, outcome.reason)
        assert outcome.kind != "fault", f"{outcome.label()}\n{outcome.detail}\n{text[text.index('def f('):]}"
    tally.check()
