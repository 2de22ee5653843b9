"""Tables: new arrays whose numbers the user's text says, and that nothing changes afterwards.

    def _f(x):                              def _f(x, R, y):
        R = np.empty((2, 2))                    for i in range(n):
        R[0, 0] = 1.0                               y[i] = R[i % 2, 1] * x[i]
        R[0, 1] = 0.5
        R[1, 0] = 0.25                ->
        R[1, 1] = 2.0
        y = np.empty(n)
        for i in range(n):
            y[i] = R[i % 2, 1] * x[i]

The module holds the table, R = np.array(((1.0, 0.5), (0.25, 2.0))), and its public function hands it over.
"""
from __future__ import annotations

import cmath
import math
from collections import Counter
from itertools import takewhile

import numpy as np

from s2s.codegen.language.effects import effects_of
from s2s.codegen.language.expressions import Expr, Number, as_int, integer, names_read
from s2s.codegen.language.statements import Alloc, Assign, Body, CallKernel, Return, Statement, Store, of_kind
from s2s.codegen.runtime.helpers import RUNTIME
from s2s.records import dataclass


@dataclass(frozen=True)
class Table:
    """A table's numbers in C order, and the numbers of the statements that store them."""

    numbers: tuple[Expr, ...]
    stores: range


def tables(body: Body, results: frozenset[str]) -> dict[str, Table]:
    """The tables among the arrays that a kernel allocates at its top level. `results`: arrays that it gives back."""
    allocated = {each.name: each for each in body if isinstance(each, Alloc) and None not in map(as_int, each.shape)}
    if not allocated:
        return {}
    values = [value for each in of_kind(body, Assign) if each.move for value in each.values] + [value for each in of_kind(body, Return) for value in each.values]
    values += [arg for each in of_kind(body, CallKernel) if each.kernel not in RUNTIME for arg in each.args]  # it may hand the array to Python, and that may store into it
    moved = {name for value in values for name in names_read(value)}
    changes = Counter(name for each in body for name in effects_of(each).changed)
    found: dict[str, Table] = {}
    for number, statement in enumerate(body):
        name = statement.array if isinstance(statement, Store) else None
        if name is None or name not in allocated or name in found or name in moved | results:
            continue
        table = _stored(body, number, allocated[name])
        if table is not None and changes[name] == 1 + len(table.stores):  # by its allocation and those alone
            found[name] = table
    return found


def _stored(body: Body, first: int, array: Alloc) -> Table | None:
    """What the statements from the first one on store, if they store a number in each element in turn."""
    shape = tuple(size for size in map(as_int, array.shape) if size is not None)
    stores = range(first, first + math.prod(shape))
    if stores.stop > len(body):
        return None
    numbers = tuple(takewhile(lambda each: each is not None, (_number(body[number], array.name, place) for number, place in zip(stores, np.ndindex(shape), strict=True))))
    return Table(numbers, stores) if len(numbers) == len(stores) else None  # type: ignore[arg-type]


def _number(statement: Statement, array: str, place: tuple[int, ...]) -> Number | None:
    """The finite number that a statement stores at a place of an array."""
    if not isinstance(statement, Store) or (statement.array, statement.index, statement.op) != (array, tuple(map(integer, place)), None):
        return None
    value = statement.value
    finite = isinstance(value, Number) and (cmath.isfinite(value.value) if isinstance(value.value, complex) else math.isfinite(value.value))
    return value if finite else None  # type: ignore[return-value]
