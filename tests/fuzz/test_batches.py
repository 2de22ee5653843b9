"""Random programs as batches; `python -m tests.fuzz.run` draws the programs themselves."""
import pytest

from fuzz.aliases import AliasProgram
from fuzz.batches import MODES, examine_batch
from fuzz.bounds import Tally
from fuzz.grammar import Program, Seeded
from fuzz.loops import LoopProgram
from fuzz.objects import ObjectProgram
from fuzz.other_batches import examine_alias_batch, examine_object_batch
from fuzz.storage import StorageProgram

DRAWN = {
    "grammar": lambda seed: Program(Seeded(seed), 2 + seed % 4, transformed=False).text(),
    "loops": lambda seed: LoopProgram(Seeded(seed), 2 + seed % 3, "real", transformed=False).text(),
    "storage": lambda seed: StorageProgram(Seeded(seed), 2 + seed % 5, single=False, transformed=False, raising=False).text(),
}


def test_random_programs_as_batches():
    tally = Tally("batches")
    for grammar, drawn in DRAWN.items():
        for seed in range(100, 104):
            outcome = examine_batch(drawn(seed), seed)
            assert outcome.kind != "fault", f"{grammar} {seed}: {outcome.stage}: {outcome.detail}"
            tally.add(outcome.kind, outcome.detail)
    tally.check()


def test_programs_about_names_and_objects_as_batches():
    for seed in (100, 101):
        for outcome in (
            examine_alias_batch(AliasProgram(Seeded(seed), 3).text(), seed, gradient=False),
            examine_object_batch(ObjectProgram(Seeded(seed), 3, raising=False).text(), seed, gradient=False),
        ):
            assert outcome.kind != "fault", f"{seed}: {outcome.stage}: {outcome.detail}"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200, 230))
@pytest.mark.parametrize("grammar", DRAWN)
def test_its_derivatives(grammar, seed):
    outcome = examine_batch(DRAWN[grammar](seed), seed, modes=MODES)
    assert outcome.kind != "fault", f"{outcome.stage}: {outcome.detail}"
