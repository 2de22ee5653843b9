"""Files' texts as Python's own syntax trees, each parsed once whoever asks: the reader for where functions stand, comments for where statements end."""
from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache


@lru_cache(maxsize=8)
def parsed(text: str) -> ast.Module:
    """The tree of a text, which nobody changes."""
    return ast.parse(text)


def statements_in(tree: ast.AST) -> Iterator[ast.stmt]:
    """All statements of a tree, those in bodies of others too; expressions, which hold none, are not gone through."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        for name in _BODIES:
            for each in getattr(node, name, ()):
                waiting.append(each)
                if isinstance(each, ast.stmt):
                    yield each


_BODIES = ("body", "orelse", "finalbody", "handlers", "cases")
"""Where statements hold statements, an exception's and a case's among them."""
