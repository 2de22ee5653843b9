"""Random programs: every step keeps the verifier silent and the numbers right. `python -m tests.fuzz.run` runs thousands."""
from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from fuzz.bounds import Tally
from fuzz.check import examine, load
from fuzz.compare import Fault, Skip, agree, compare, movement
from fuzz.found import FOUND
from fuzz.grammar import Program, Seeded
from fuzz.loops import KINDS, LoopProgram
from fuzz.minimise import minimise
from fuzz.points import points_for, stage
from fuzz.programs import check
from fuzz.storage import StorageProgram
from fuzz.strategies import loop_programs, programs, storage_programs
from s2s.errors import UnsupportedError, UnsupportedErrors

FOUND_PROGRAMS = (2, 3, 28, 31, 40, 48, 72, 349, 586)
"""Seeds that once failed: wrong tapes of tapes, swapped arrays, branches that roll back, residuals of calls, sizes that grow."""


@pytest.mark.parametrize("seed", [*FOUND_PROGRAMS, *range(1000, 1060)])
def test_first_order(seed):
    check(seed)


@pytest.mark.parametrize("seed", [2, 9, 11, 31, 48, 56, *range(2000, 2010)])
def test_second_order(seed):
    check(seed, second=True)


@pytest.mark.parametrize("name", FOUND)
def test_found(name):
    outcome = examine(FOUND[name], 3, targets=("numpy",), points=3)
    assert outcome.kind in ("ok", "refused"), f"{outcome.label()}\n{outcome.detail}"


def logistic(args):
    (x,) = args
    for _ in range(70):
        x = 3.9 * x * (1.0 - x)
    return x


def test_what_rounding_can_do_is_skipped_and_nothing_else():
    (moved,) = movement(logistic, (0.3,))
    assert moved > 1e-3
    with pytest.raises(Skip):
        compare(logistic((0.3,)) + moved, logistic((0.3,)), "chaos", lambda: [moved])
    (moved,) = movement(lambda args: np.sin(args[0]), (0.3,))
    assert moved < 1e-15
    for off in (1e-9, 1.0, np.nan):
        with pytest.raises(Fault):
            compare(np.sin(0.3) + off, np.sin(0.3), "a wrong value", lambda moved=moved: [moved])
        with pytest.raises(Fault):
            agree((0.3, 0.3), (0.3 + off, 0.3), 1e-12, "a wrong derivative", lambda moved=moved: [moved])


EXAMPLES = settings(
    derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck), phases=[Phase.explicit, Phase.generate],
)  # fmt: skip
"""Without Hypothesis's own shrinking, which takes minutes here; `right_or_refused` makes a failing program small."""


def drawn(fuzzer, texts, examples, **options):
    """So many programs that Hypothesis draws: right or refused, not too many of them refused."""
    tally = Tally(fuzzer)

    @settings(EXAMPLES, max_examples=examples)
    @given(texts, st.integers(0, 1000))
    def each(text, seed):
        right_or_refused(text, seed, tally, **options)

    each()
    tally.check()


@pytest.mark.slow
def test_drawn_programs():
    """Programs of the grammar of `test_first_order`, whose seeds are run every time."""
    drawn("grammar", programs(), 80)


def test_programs_that_use_transformations():
    drawn("transformed", programs(size=6, transformed=True), 25)


def test_loop_programs():
    drawn("loops", loop_programs(size=4), 30, points=2)


@pytest.mark.slow
def test_loop_programs_in_float32_are_read():
    """Programs that are refused test nothing, which the count of all kinds would hide."""
    tally = Tally("loops")
    for seed in range(943_000, 943_012):
        module = load(LoopProgram(Seeded(seed), 4 + seed % 8, "single").text())
        (args,) = points_for("single", seed, 1)
        try:
            stage(module.loss, args)
        except (UnsupportedError, UnsupportedErrors) as error:
            tally.add("refused", str(error).splitlines()[0])
        else:
            tally.add("ok")
    tally.check()


def test_programs_about_storage():
    drawn("storage", storage_programs(size=3), 15, points=2)


@pytest.mark.parametrize("seeds", [range(24_000, 24_002), pytest.param(range(24_000, 24_008), marks=pytest.mark.slow)], ids=["few", "all"])
def test_storage_and_exceptions_as_written_for_the_compiler(monkeypatch, seeds):
    monkeypatch.setattr("numba.core.config.DISABLE_JIT", 1)
    tally = Tally("raising")
    for seed in seeds:
        program = StorageProgram(Seeded(seed), 3, single=seed % 3 == 1, raising=seed % 3 == 2)
        right_or_refused(program.text(), seed, tally, second=False, targets=("numpy", "cpu"), points=3)
    tally.check()


@pytest.mark.parametrize("seeds", [range(22_000, 22_003), pytest.param(range(22_000, 22_018), marks=pytest.mark.slow)], ids=["few", "all"])
def test_loops_as_written_for_the_compiler(monkeypatch, seeds):
    """Numba's decorators do nothing here: the emitted loops run as the Python that they are, at several sizes."""
    monkeypatch.setattr("numba.core.config.DISABLE_JIT", 1)
    tally = Tally("loops")
    for seed in seeds:
        right_or_refused(LoopProgram(Seeded(seed), 5, KINDS[seed % 3]).text(), seed, tally, second=False, targets=("cpu",), points=3)
    tally.check()


def right_or_refused(text, seed, tally=None, *, second=True, targets=(), points=1):
    def run(text):
        return examine(text, seed, second=second, targets=targets, points=points)

    outcome = run(text)
    if tally is not None:
        tally.add(outcome.kind, outcome.reason)
    if outcome.kind == "fault":
        small = minimise(text, outcome, run, seconds=20.0)
        raise AssertionError(f"{outcome.label()}\n{run(small).detail}\nat the points of seed {seed}:\n{small[small.index('def f('):]}")


@pytest.mark.parametrize("seed", range(20_000, 20_006))
def test_emitted_for_numpy(seed):
    right_or_refused(Program(Seeded(seed), 6).text(), seed, targets=("numpy",))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(21_000, 21_012))
def test_compiled(seed):
    right_or_refused(Program(Seeded(seed), 6).text(), seed, second=False, targets=("cpu",), points=2)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(23_000, 23_012))
def test_compiled_loops(seed):
    right_or_refused(LoopProgram(Seeded(seed), 3, KINDS[seed % 3]).text(), seed, second=False, targets=("cpu",), points=3)
