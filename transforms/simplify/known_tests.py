"""What the tests around a place say of others: inside of `if a and b`, a and b hold; behind a check, its test does.

    if c:                        if c:
        check(c, KeyError)  ->       …
        …
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping

from s2s.transforms.ir.program import Atom, Equation, Var
from s2s.transforms.primitives.logic import logical_and, logical_not, logical_or


def implied(test: Atom, made: Mapping[Var, Equation], *, holds: bool) -> Iterator[tuple[Var, bool]]:
    """Every test whose outcome is known where `test` holds (or does not). `made`: the equation of each Var."""
    if not isinstance(test, Var):
        return
    yield test, holds
    node = made.get(test)
    if node is not None and node.primitive is logical_not:
        yield from implied(node.ins[0], made, holds=not holds)
    elif node is not None and node.primitive is (logical_and if holds else logical_or):
        for part in node.ins:
            yield from implied(part, made, holds=holds)
