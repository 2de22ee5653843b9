"""How much of what drawn calls come to may be anything but NumPy's result or exception, as parts of all calls: a longer list of refusals is a fault, too.

A run (tests, and `python -m tests.fuzz.run --calls`) prints the whole table and fails above a bound; nothing may be wrong, and nothing may end in an error of s2s itself.
"""
from __future__ import annotations

from collections import Counter

BOUNDS = {
    "wrong": 0.0,
    "internal": 0.0,
    "refused": 0.09,
    "error": 0.012,
    "accepted": 0.012,
    "earlier": 0.015,
    "worded": 0.02,
    "typed": 0.015,
    "copied": 0.02,
}
"""Kind of outcome (`calls_check.Outcome`) -> the largest part of a run's calls that may be of it."""


def report(kinds: Counter[str]) -> str:
    """One line: how many calls came to what."""
    total = max(kinds.total(), 1)
    return f"{kinds.total()} calls: " + ", ".join(f"{count} {kind} ({count / total:.1%})" for kind, count in kinds.most_common())


def exceeded(kinds: Counter[str]) -> list[str]:
    """The bounds that a run does not keep."""
    total = max(kinds.total(), 1)
    return [f"{kinds[kind]} {kind} calls ({kinds[kind] / total:.1%}), at most {most:.1%}" for kind, most in BOUNDS.items() if kinds[kind] > most * total]
