"""Random programs about lists of arrays of several sizes: right, or refused with a line; not too many of them refused."""
from __future__ import annotations

import pytest

from fuzz.lengths import LengthProgram
from fuzz.object_check import check_programs


@pytest.mark.parametrize("seeds", [range(80_000, 80_010), pytest.param(range(80_000, 80_060), marks=pytest.mark.slow)], ids=["few", "all"])
def test_programs_about_arrays_of_several_sizes(seeds):
    check_programs("lengths", LengthProgram, seeds)
