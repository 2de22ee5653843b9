"""How many of its programs or calls a fuzzer may find refused: more, and what it tests is only that.

Each fuzzer counts with a `Tally` and asks it at its end. A bound stands some way above what is refused now, and may only sink.
"""
from __future__ import annotations

from collections import Counter

MOST_REFUSED = {
    "grammar": 0.25,
    "transformed": 0.25,
    "loops": 0.25,
    "storage": 0.40,
    "raising": 0.40,
    "objects": 0.27,
    "aliases": 0.30,
    "lists": 0.45,
    "keyed": 0.45,
    "mixed": 0.30,
    "flow": 0.20,
    "lengths": 0.40,
    "batches": 0.30,
    "iterators": 0.60,
    "by turns": 0.45,
    "knownness": 0.45,
    "changing": 0.10,
    "numbers": 0.40,
    "optional": 0.20,
    "unset": 0.20,
    "contexts": 0.45,
    "data model": 0.45,
    "classes": 0.40,
}
"""By the fuzzer's name, the share of what was drawn."""
FEW = 8
"""Of so few nothing is said."""


class Tally:
    """What became of what a fuzzer drew."""

    def __init__(self, fuzzer: str) -> None:
        self.fuzzer = fuzzer
        self.kinds: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()

    def add(self, kind: str, reason: str = "") -> None:
        """Count one; `reason` of a refusal: alike for those of one cause."""
        self.kinds[kind] += 1
        if kind == "refused":
            self.refused[reason] += 1

    @property
    def share(self) -> float:
        """Of those that NumPy and Python can run, how many are refused."""
        return self.kinds["refused"] / max(self.kinds.total() - self.kinds["skipped"], 1)

    def report(self, most: int = 20) -> str:
        """How many of each kind, and what the refusals are."""
        counts = ", ".join(f"{count} {kind}" for kind, count in self.kinds.most_common())
        lines = [f"{count:6} refused: {reason}" for reason, count in self.refused.most_common(most)]
        return "\n".join([f"{self.fuzzer}: {self.kinds.total()}: {counts}; {self.share:.1%} refused, at most {MOST_REFUSED[self.fuzzer]:.0%}", *lines])

    @property
    def too_many(self) -> bool:
        """Whether more are refused than the table allows."""
        return self.kinds.total() >= FEW and self.share > MOST_REFUSED[self.fuzzer]

    def check(self) -> None:
        """Say how many were refused, and fail if they are too many."""
        print(self.report())
        assert not self.too_many, self.report()
