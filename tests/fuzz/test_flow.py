"""Random programs about where the run goes: right, or refused with a line; not too many of them refused."""
from __future__ import annotations

import pytest

from fuzz.flow import FlowProgram
from fuzz.object_check import check_programs


@pytest.mark.parametrize("seeds", [range(80_000, 80_010), pytest.param(range(80_000, 80_050), marks=pytest.mark.slow)], ids=["few", "all"])
def test_programs_about_where_the_run_goes(seeds):
    check_programs("flow", FlowProgram, seeds)
