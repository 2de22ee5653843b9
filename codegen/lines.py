"""Small helpers for laying out emitted lines."""
from __future__ import annotations

WIDTH = 120


def fold(prefix: str, items: list[str], suffix: str, indent: str = "    ") -> list[str]:
    """`prefix item, item, … suffix` on one line where it fits, else the items on lines of their own, filled to WIDTH."""
    line = f"{indent}{prefix}{', '.join(items)}{suffix}"
    if len(line) <= WIDTH or not items:
        return [line]
    lines, current = [f"{indent}{prefix}"], indent + "    "
    for item in items:
        if len(current) + len(item) + 1 > WIDTH and current.strip():
            lines.append(current.rstrip())
            current = indent + "    "
        current += item + ", "
    return [*lines, current.rstrip(), f"{indent}{suffix}"]
