"""The statements of a function that is being lowered, in the order in which they run."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from s2s.codegen.language.expressions import Load
from s2s.codegen.language.statements import IfElse, Loop, Statement, Store
from s2s.errors import NOWHERE, Location


class Written:
    """What is written so far in the block that is open. `where`: the user's line that is being lowered."""

    def __init__(self) -> None:
        self.statements: list[Statement] = []
        self.where: Location = NOWHERE

    def emit(self, statement: Statement) -> None:
        """Append a statement, unless it does nothing."""
        if isinstance(statement, Store) and not statement.op and statement.value == Load(statement.array, statement.index):
            return
        if isinstance(statement, Loop) and not statement.body or isinstance(statement, IfElse) and not (statement.then or statement.orelse):
            return
        self.statements.append(statement)

    @contextmanager
    def apart(self) -> Iterator[list[Statement]]:
        """Collect statements apart."""
        outer, self.statements = self.statements, []
        try:
            yield self.statements
        finally:
            self.statements = outer

    @contextmanager
    def at(self, where: Location) -> Iterator[None]:
        """Write what stems from another line."""
        before, self.where = self.where, where
        try:
            yield
        finally:
            self.where = before
