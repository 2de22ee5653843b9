"""The walk through the house that docs/design.md shows: a first call of a gradient goes through its doors in that order."""
from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

import s2s

ROOT = Path(s2s.__file__).parents[1].resolve()
DOOR = re.compile(r"^\| (\d+) \| `([\w/.]+)`: `(\w+)`", re.MULTILINE)


def f(x):
    return np.sum(np.sin(x) ** 2)


def doors() -> list[tuple[str, str]]:
    """(file, function) of each row of the table."""
    found = DOOR.findall((ROOT / "docs" / "design.md").read_text(encoding="utf-8"))
    assert [int(number) for number, _, _ in found] == list(range(1, len(found) + 1))
    return [(file, function) for _, file, function in found]


def passed(call: Any) -> list[tuple[str, str]]:
    """Our functions in the order in which a call entered each for the first time."""
    seen: dict[tuple[str, str], None] = {}

    def watch(frame: FrameType, event: str, argument: object) -> None:
        del argument
        if event == "call" and str(ROOT) in (path := os.path.realpath(frame.f_code.co_filename)):
            seen.setdefault((os.path.relpath(path, ROOT), frame.f_code.co_name))

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        call()
    finally:
        sys.setprofile(before)
    return list(seen)


def test_the_walk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("S2S_CACHE_DIR", str(tmp_path))
    x = np.linspace(0.0, 1.0, 5)
    gradient = s2s.grad(s2s.jit(f, target="numpy"))
    way = passed(lambda: gradient(x))
    np.testing.assert_allclose(gradient(x), 2 * np.sin(x) * np.cos(x))
    missing = [door for door in doors() if door not in way and door[0] != "codegen/passes/fuse.py"]  # the numpy target joins no loops
    assert not missing
    places = [way.index(door) for door in doors() if door in way]
    assert places == sorted(places)


def test_a_second_call_is_short() -> None:
    """It goes to the module that the first one made."""
    x = np.linspace(0.0, 1.0, 5)
    gradient = s2s.grad(s2s.jit(f, target="numpy"))
    gradient(x)
    files = {file for file, _ in passed(lambda: gradient(x))}
    assert not any(file.startswith(("transforms/", "codegen/")) for file in files), files
