"""Random programs: every step keeps the verifier silent and the numbers right. `python -m tests.fuzz.run` runs thousands."""
from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fuzz.check import examine
from fuzz.found import FOUND
from fuzz.grammar import Program, Seeded
from fuzz.programs import check
from fuzz.strategies import programs

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


EXAMPLES = settings(derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck))


@settings(EXAMPLES, max_examples=150)
@given(programs(), st.integers(0, 1000))
def test_drawn_programs(text, seed):
    right_or_refused(text, seed)


@settings(EXAMPLES, max_examples=30)
@given(programs(size=6, transformed=True), st.integers(0, 1000))
def test_programs_that_use_transformations(text, seed):
    right_or_refused(text, seed)


def right_or_refused(text, seed):
    outcome = examine(text, seed, targets=(), points=1)
    assert outcome.kind != "fault", f"{outcome.label()}\n{outcome.detail}\n{text[text.index('def f('):]}"


@pytest.mark.parametrize("seed", range(20_000, 20_006))
def test_emitted_for_numpy(seed):
    outcome = examine(Program(Seeded(seed), 6).text(), seed, targets=("numpy",), points=1)
    assert outcome.kind != "fault", f"{outcome.label()}\n{outcome.detail}"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(21_000, 21_012))
def test_compiled(seed):
    outcome = examine(Program(Seeded(seed), 6).text(), seed, second=False, targets=("cpu",), points=2)
    assert outcome.kind != "fault", f"{outcome.label()}\n{outcome.detail}"
