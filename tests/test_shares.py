"""Slow tests run in shares: each in exactly one."""
from collections import Counter
from types import SimpleNamespace

from conftest import SHARES, pytest_collection_modifyitems, share_of


def test_every_slow_test_is_in_one_share_and_shares_are_alike():
    counts = Counter(share_of(f"tests/test_programs.py::test_compiled[{number}]") for number in range(700))
    assert set(counts) == set(range(SHARES))
    assert max(counts.values()) < 2 * min(counts.values())


def test_a_week_of_runs_runs_every_slow_test_once_and_the_others_each_day():
    slow = [SimpleNamespace(nodeid=f"tests/test_x.py::test_{number}", keywords={"slow"}) for number in range(200)]
    quick = [SimpleNamespace(nodeid=f"tests/test_x.py::test_quick_{number}", keywords=set()) for number in range(50)]
    ran, left = Counter(), Counter()
    for day in range(20_000, 20_000 + SHARES):
        items = [*slow, *quick]
        config = SimpleNamespace(
            getoption=lambda _, day=day: day, hook=SimpleNamespace(pytest_deselected=lambda items: left.update(item.nodeid for item in items))
        )
        pytest_collection_modifyitems(config, items)
        ran.update(item.nodeid for item in items)
    assert {ran[item.nodeid] for item in slow} == {1}
    assert {ran[item.nodeid] for item in quick} == {SHARES}
    assert all(ran[item.nodeid] + left[item.nodeid] == SHARES for item in [*slow, *quick])
