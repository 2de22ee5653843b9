"""Where the nodes of a libcst tree stand in its text: as `libcst.metadata.PositionProvider` says it, in a third of the time.

    (line from 1, column from 0) of a node's start and of its end, without the white space around it

libcst keeps no positions: it finds them by printing the tree. Here nothing is printed, only counted, and a position is a pair of numbers.
"""
from __future__ import annotations

import re
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any

import libcst as cst
from libcst._nodes.internal import CodegenState

Position = tuple[int, int]
Span = tuple[Position, Position]


def positions_of(module: cst.Module) -> dict[cst.CSTNode, Span]:
    """The start and the end of every node."""
    state = _Counting(default_indent=module.default_indent, default_newline=module.default_newline)
    module._codegen(state)  # noqa: SLF001 (as libcst's providers do)
    return state.found


class _Counting(CodegenState):
    """What libcst prints to, with the place of the next token."""

    def __init__(self, *, default_indent: str, default_newline: str) -> None:
        super().__init__(default_indent, default_newline, tokens=[""])  # none would mean an empty file
        self.found: dict[cst.CSTNode, Span] = {}
        self.line, self.column = 1, 0
        self.starts: list[Position] = []
        """Of the nodes that are open, with the white space that is theirs."""

    def add_indent_tokens(self) -> None:
        for token in self.indent_tokens:
            self.add_token(token)

    def add_token(self, value: str) -> None:
        if "\n" in value or "\r" in value:
            lines = _NEWLINE.split(value)
            self.line += len(lines) - 1
            self.column = len(lines[-1])
        else:
            self.column += len(value)

    def before_codegen(self, node: cst.CSTNode) -> None:
        self.starts.append((self.line, self.column))

    def after_codegen(self, node: cst.CSTNode) -> None:
        start = self.starts.pop()
        if node not in self.found:  # what the node itself says of its start and end comes first
            self.found[node] = start, (self.line, self.column)

    def record_syntactic_position(  # type: ignore[override]
        self, node: cst.CSTNode, *, start_node: cst.CSTNode | None = None, end_node: cst.CSTNode | None = None
    ) -> AbstractContextManager[Any]:
        return _Recorded(self, node, start_node, end_node)


_NEWLINE = re.compile(r"\r\n?|\n")


class _Recorded:
    """While a node prints what is its own: from here to there, or from one of its parts to another."""

    def __init__(self, state: _Counting, node: cst.CSTNode, first: cst.CSTNode | None, last: cst.CSTNode | None) -> None:
        self.state, self.node, self.first, self.last = state, node, first, last
        self.start = (state.line, state.column)

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        found = self.state.found
        start = self.start if self.first is None else found[self.first][0]
        end = (self.state.line, self.state.column) if self.last is None else found[self.last][1]
        found[self.node] = start, end
