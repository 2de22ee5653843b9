"""Random programs about lists whose items differ in type, or that grow on some paths: right, or refused with a line; not too many of them refused."""
from __future__ import annotations

import pytest

from fuzz.mixed import MixedProgram
from fuzz.object_check import check_programs


@pytest.mark.parametrize("seeds", [range(70_000, 70_010), pytest.param(range(70_000, 70_060), marks=pytest.mark.slow)], ids=["few", "all"])
def test_programs_about_mixed_lists(seeds):
    check_programs("mixed", MixedProgram, seeds)
