"""Random programs of small classes as physicists and engineers write them: right, or refused with a line; not too many of them refused."""
from __future__ import annotations

import pytest

from fuzz.classes import ClassProgram
from fuzz.object_check import check_programs


@pytest.mark.parametrize("seeds", [range(90_030, 90_040), pytest.param(range(90_000, 90_150), marks=pytest.mark.slow)], ids=["few", "all"])
def test_programs_of_small_classes(seeds):
    check_programs("classes", ClassProgram, seeds)
