"""Slow tests run in shares: each in exactly one."""
from collections import Counter

from conftest import SHARES, share_of


def test_every_slow_test_is_in_one_share_and_shares_are_alike():
    counts = Counter(share_of(f"tests/test_programs.py::test_compiled[{number}]") for number in range(700))
    assert set(counts) == set(range(SHARES))
    assert max(counts.values()) < 2 * min(counts.values())
