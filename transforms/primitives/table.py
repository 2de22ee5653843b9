"""The table: every primitive there is. Tests, documentation and error hints are generated from it."""
from __future__ import annotations

from s2s.transforms.primitives import arithmetic, indexing, reductions, structural
from s2s.transforms.primitives.row import Primitive

TABLE: tuple[Primitive, ...] = (*arithmetic.ROWS, *structural.ROWS, *indexing.ROWS, *reductions.ROWS)
"""All rows, grouped by kind."""
