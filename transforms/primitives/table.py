"""The table: every primitive there is. Tests, documentation and error hints are generated from it."""
from __future__ import annotations

from s2s.transforms.primitives import arithmetic, contract, conversion, elementwise, indexing, joining, logic, reductions, structural
from s2s.transforms.primitives.row import Primitive

TABLE: tuple[Primitive, ...] = (
    *arithmetic.ROWS, *elementwise.ROWS, *conversion.ROWS, *logic.ROWS, *structural.ROWS, *joining.ROWS, *indexing.ROWS, *reductions.ROWS, *contract.ROWS,
)
"""All rows, grouped by kind."""
