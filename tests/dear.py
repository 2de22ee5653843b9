"""Which tests take long: they run in turn, as the slow ones do (`--slow-share`); the cheapest case of a test of several runs every time.

    pytest -n 2 --cpu-times FOLDER     each process writes the CPU seconds of its tests there
    python tests/dear.py FOLDER        writes tests/dear.txt anew
"""
from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

LIST = Path(__file__).with_name("dear.txt")
A_CASE, ALONE = 0.2, 2.0
"""CPU seconds from which on a case of a test of several, and a test of one, runs in turn."""
ALWAYS = ("tests/fuzz/", "tests/test_circles.py")
"""What runs every time: random programs are drawn anew for each run, and the layers of the source change with every commit."""


def dear_cases() -> frozenset[str]:
    """The ids of those on the list."""
    return frozenset(LIST.read_text(encoding="utf-8").splitlines())


def chosen(times: Mapping[str, float]) -> list[str]:
    """The ids of those that take so long."""
    by_test = defaultdict(list)
    for name, seconds in times.items():
        if not name.startswith(ALWAYS):
            by_test[name.partition("[")[0]].append((seconds, name))
    alone = (name for test, cases in by_test.items() for seconds, name in cases if name == test and seconds >= ALONE)
    several = (name for test, cases in by_test.items() for seconds, name in sorted(cases)[1:] if seconds >= A_CASE)
    return sorted({*alone, *several})


if __name__ == "__main__":
    measured = {name: seconds for path in Path(sys.argv[1]).glob("*.json") for name, seconds in json.loads(path.read_text(encoding="utf-8")).items()}
    LIST.write_text("".join(f"{name}\n" for name in chosen(measured)), encoding="utf-8")
