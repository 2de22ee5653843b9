"""Which cases of a test run every time, and which in turn: marked slow, and so run once a week (`--slow-share`)."""
from collections.abc import Collection, Iterable
from typing import Any

import pytest


def in_turn(cases: Iterable[Any], step: int, first: int = 0, dear: Collection[Any] = ()) -> list[Any]:
    """Each `step`-th case, beginning with number `first`, but for the dear ones; the others marked slow."""
    return [case if number % step == first and case not in dear else pytest.param(case, marks=pytest.mark.slow) for number, case in enumerate(cases)]
