"""Random programs about iterators from which several take: right, or refused with a line; not too many of them refused."""
from __future__ import annotations

from fuzz.iterators import IteratorProgram
from fuzz.object_check import check_programs


def test_programs_about_iterators():
    check_programs("by turns", IteratorProgram, range(20_000, 20_008))
