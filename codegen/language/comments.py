"""The user's statements as comments: each whole, on one line, whichever part of it an emitted statement stems from.

    out[1:-1] = (rho * u[2:]        # the first term
                 - kappa * v[1:-1])        ->        out[1:-1] = (rho * u[2:] - kappa * v[1:-1])
"""
from __future__ import annotations

import ast
import io
import linecache
import tokenize
from functools import lru_cache

from s2s.codegen.language.lines import WIDTH
from s2s.errors import Location
from s2s.parsed import parsed, statements_in


def first_line(where: Location) -> tuple[str, int]:
    """The file and the line where the statement around a place of the user's source begins."""
    return where.file, _span(where)[0]


def comment(where: Location, width: int = WIDTH) -> str:
    """The statement around a place of the user's source (of loops and branches the first line), shortened in the middle to a width."""
    first, last = _span(where)
    text = where.text() if first == last else _joined("".join(linecache.getlines(where.file)[first - 1 : last]))
    if len(text) <= width:
        return text
    head = (width - 3) * 2 // 3
    return f"{text[:head].rstrip()} … {text[len(text) - (width - 3 - head):].lstrip()}"


def _span(where: Location) -> tuple[int, int]:
    entry = linecache.cache.get(where.file, ())
    if len(entry) < 2:  # it has not been read yet
        linecache.getlines(where.file)
        entry = linecache.cache.get(where.file, ())
    return _spans(where.file, entry[:2]).get(where.line, (where.line, where.line))


@lru_cache(maxsize=32)
def _spans(file: str, stamp: object) -> dict[int, tuple[int, int]]:
    """For each line of a statement of several lines (of those with a body: the lines before it) its first and its last one."""
    try:
        tree = parsed("".join(linecache.getlines(file)))
    except SyntaxError:  # a notebook's cell with magics
        return {}
    found: dict[int, tuple[int, int]] = {}
    for node in statements_in(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            body = getattr(node, "body", None)
            last = body[0].lineno - 1 if body else node.end_lineno or node.lineno
            found.update(dict.fromkeys(range(node.lineno, last + 1), (node.lineno, last)) if last > node.lineno else {})
    return found


@lru_cache(maxsize=256)
def _joined(text: str) -> str:
    """Several lines as one, without the comments between them."""
    lines = text.split("\n")
    if "#" in text:
        lines = _without_comments(text, lines) if '"' in text or "'" in text else [line.partition("#")[0] for line in lines]
    joined = ""
    for line in (line.strip().removesuffix("\\").rstrip() for line in lines):
        tight = not joined or not line or joined[-1] in "([{" or line[0] in ")]}"
        joined += line if tight else f" {line}"
    return joined


def _without_comments(text: str, lines: list[str]) -> list[str]:
    """The lines of a text that holds texts, in which a # is none of a comment."""
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                row, column = token.start
                lines[row - 1] = lines[row - 1][:column]
    except (tokenize.TokenError, IndentationError):
        pass  # a loop's head without its body: all comments of it were seen
    return lines
