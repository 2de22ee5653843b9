"""The text of a module, as it is stored, loaded and shown."""
from __future__ import annotations

from typing import Any

from s2s.codegen.language.lines import Place
from s2s.records import dataclass, field

ENTRY_MARK = "# ---- s2s.jit's way in: what the arguments are is known from here on"
"""What follows this line serves the call and is not shown to a reader."""


@dataclass(frozen=True)
class ModuleText:
    """A module. `injected`: objects without text of their own (classes, static values) that the loader puts in first.
    `places`: where its lines, counted from 1, stem from. They are no part of the text: it stays the same where the user's code moves.
    """

    text: str
    name: str
    injected: dict[str, Any] = field(default_factory=dict)
    places: dict[int, Place] = field(default_factory=dict)
