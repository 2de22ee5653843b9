"""Faults of drawn calls that are known and not yet mended: a shrinking list, kept as data beside this module.

    {"np.tile": {"wrong": {"first | shape of a cotangent": "<a program that shows it>"}}}

`python -m tests.fuzz.run --calls --write-known …` adds what it finds.
"""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_suffix(".json")
Known = dict[str, dict[str, dict[str, Any]]]


def read() -> Known:
    return json.loads(FILE.read_text()) if FILE.exists() else {}


def write(known: Known) -> None:
    kept = {name: kinds for name, kinds in sorted(known.items()) if any(kinds.values())}
    FILE.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")


KNOWN = read()


def is_known(name: str, outcome: Any) -> bool:
    """Whether a fault of this kind of this function is on the list."""
    return bool(KNOWN.get(name, {}).get(outcome.kind))
