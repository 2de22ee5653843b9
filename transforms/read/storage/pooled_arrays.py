"""Arrays of which only the run knows which one a name stands for, and that are changed in place: rows of one array, found by their numbers.

    particles[k].pos += v           pos[number[k]] += v
    particles[k].pos = p            number[k] = len(pos); pos.append(p)

A list or object holds such an array's number; a name is a view of its row, so that all who have the array see what is stored into it.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.primitives.indexing import At, Full, Index
from s2s.transforms.read.describing import describe
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage import growing
from s2s.transforms.read.storage.access import load
from s2s.transforms.read.storage.grown import Grown
from s2s.transforms.read.storage.plans import check_here
from s2s.transforms.read.values import Abstract, Part, Pooled, View
from s2s.types import Atom


def made(reader: Reader, value: View, site: Any) -> View:
    """An array that was made at a place, as one of a pool where such are to stand in one."""
    if value.cell.owner is None and not value.cell.sites:
        value.cell.sites = frozenset((site,))
    pool = next((pool for pool in reader.session.pools if pool.kind is np.ndarray and site in pool.plan.sites), None)
    return value if pool is None else row_of(reader, Pooled(pool, adopted(reader, pool, value)))


def adopted(reader: Reader, pool: Any, value: View) -> Atom:
    """The number of an array that becomes one of a pool. It is a copy there: who has the array besides may not see a change."""
    check_here(reader, pool)
    loaded = load(reader, value)
    content = reader.heap[pool.rows]
    if not isinstance(content, Grown):
        content = reader.heap[pool.rows] = growing.grown(reader, (), loaded.type, origin=("arrays", *sorted(map(str, pool.plan.sites))))
        reader.session.growing[pool.rows] = content.item_type
    own = content.item_type
    if own.dtype != loaded.dtype or len(own.shape) != loaded.ndim:
        raise reader.unsupported(f"arrays of several types of which only the run knows which one it is ({own.words}, {loaded.type.words})", "one dtype and one number of axes")
    number = content.end
    growing.append(reader, content, value)
    return number


def row_of(reader: Reader, array: Pooled) -> View:
    """The array of a number."""
    check_here(reader, array.pool)
    content = reader.heap[array.pool.rows]
    assert isinstance(content, Grown)
    content.cell.of_list, content.cell.sites = False, array.pool.plan.sites
    index: Index = (At(), *(Full() for _ in content.item_type.shape))
    return View(content.cell, (Part(index, (array.number,), reader.builder.where),))


def pooled(reader: Reader, value: Abstract) -> Pooled | None:
    """An array of a pool by its number; None for all else."""
    if not isinstance(value, View) or (pool := _pool_of(reader, value)) is None:
        return None
    step = value.steps[0] if value.steps else None
    if len(value.steps) != 1 or not isinstance(step, Part) or not all(isinstance(item, At if axis == 0 else Full) for axis, item in enumerate(step.index)):
        raise reader.unsupported(f"{describe(reader, value)} that is a part of an array of which only the run knows which one it is, in a container", "np.copy(…) of it")
    return Pooled(pool, step.operands[0])


def _pool_of(reader: Reader, value: View) -> Any:
    for pool in reader.session.pools:
        content = reader.heap[pool.rows] if pool.kind is np.ndarray and pool.rows in reader.heap else None
        if isinstance(content, Grown) and content.cell is value.cell:
            return pool
    return None


__all__ = ["adopted", "made", "pooled", "row_of"]
