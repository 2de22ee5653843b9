"""Which cases of the tests take over a second: they run in turn, as the slow ones do (`--slow-share`); the cheapest case of each test runs every time.

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
SECONDS = 1.0


def dear_cases() -> frozenset[str]:
    """The ids of those on the list."""
    return frozenset(LIST.read_text(encoding="utf-8").splitlines())


def chosen(times: Mapping[str, float]) -> list[str]:
    """The ids of the cases that take so long, of tests of several cases; random programs are drawn anew for each and stay."""
    by_test = defaultdict(list)
    for name, seconds in times.items():
        if "[" in name and not name.startswith("tests/fuzz/"):
            by_test[name.partition("[")[0]].append((seconds, name))
    return sorted(name for cases in by_test.values() for seconds, name in sorted(cases)[1:] if seconds >= SECONDS)


if __name__ == "__main__":
    measured = {name: seconds for path in Path(sys.argv[1]).glob("*.json") for name, seconds in json.loads(path.read_text(encoding="utf-8")).items()}
    LIST.write_text("".join(f"{name}\n" for name in chosen(measured)), encoding="utf-8")
