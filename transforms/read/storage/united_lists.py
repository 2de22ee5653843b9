"""Lists of run-time length that two paths leave with another length, or that meet: one that holds either."""
from __future__ import annotations

import itertools
from collections.abc import Hashable
from typing import Any

from s2s.transforms.read.failures import OtherItems
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage import growing
from s2s.transforms.read.storage.growing import Content, Paths, common_type, sized_before, unite_counts
from s2s.transforms.read.storage.grown import Grown, Shape, Table, Template
from s2s.transforms.read.storage.plans import pool_of_rows
from s2s.transforms.read.storage.shapes_of_items import (
    joined_shape,
    numbered,
    of_pools,
    template_in,
    template_of,
)
from s2s.transforms.read.storage.tables import ask_for, made_table, table, types_as
from s2s.transforms.read.values import (
    Cell,
    DequeRef,
    ListRef,
)
from s2s.types import BOOL, Array


def unite(merge: Paths, ref: ListRef, a: Content, b: Content) -> Grown | None:
    """What a list holds behind both paths that holds `a` on the first and `b` on the second; None where the items have no common type."""
    first, origin = (Cell("start") if isinstance(ref, DequeRef) else None), _united_at(merge, ref, a, b)
    templates = [_template(merge, content, branch) for content, branch in ((a, merge.one), (b, merge.two))]
    asked = merge.reader.session.items.get((origin, "shape"))
    if asked is not None and not any(isinstance(each, Grown) for each in (a, b)):
        return _united(merge, of_pools(merge.reader, asked), a, b, first, origin)
    if all(each is None for each in templates):
        return growing.unite(merge, a, b, first=first, origin=origin)
    if any(each is None and content for each, content in zip(templates, (a, b), strict=True) if not isinstance(content, Grown)) or any(isinstance(each, Grown) and not isinstance(each, Table) for each in (a, b)):
        return None
    known = [each for each in templates if each is not None]
    if known[0].shape != known[-1].shape:
        joined = joined_shape(known[0].shape, known[-1].shape, mixed=True)
        _ask_for_pool(merge.reader, ref, joined, known)
        known = _of_one_shape(merge, joined, a, b)
    if not known:
        return None  # one of numbers, and one of numbers and None
    types = [common_type(merge.reader, list(pair)) for pair in zip(known[0].types, known[-1].types, strict=True)]
    if None in types:
        return None
    if None in templates:  # the other path has no item yet: nor, perhaps, the sizes of one
        types = [sized_before(merge, merge.two if templates[0] is None else merge.one, type_) for type_ in types if type_ is not None]
    return _united(merge, Template(known[0].shape, tuple(types)), a, b, first, origin)  # type: ignore[arg-type]


def _united_at(merge: Paths, ref: ListRef, a: Content, b: Content) -> Hashable:
    """Where a list that begins to be of any length as paths meet is said to be made: where it was on the other path, as what it is of a pool, or there, under its name; None of one without a name."""
    for each in (a, b):
        if isinstance(each, Table):
            origin = each.columns[0].origin
            return origin[0] if isinstance(origin, tuple) else None
        if isinstance(each, Grown):
            return each.origin
    if (pool := pool_of_rows(merge.reader, ref)) is not None:
        return pool.plan.origin
    name = next((name for name, value in merge.one.state.names.items() if value is ref), None)
    return None if name is None else (merge.reader.builder.where, "united", name)


def _template(merge: Paths, content: Content, branch: Any) -> Template | None:
    with merge.reader.inside(branch):
        return content.template if isinstance(content, Table) else None if isinstance(content, Grown) else template_of(merge.reader, content, mixed=True)


def _ask_for_pool(reader: Reader, ref: ListRef, joined: int | Shape | None, known: list[Template]) -> None:
    """Have a pool begin with rows of a shape that has room for those on both paths."""
    pool = pool_of_rows(reader, ref)
    if pool is None or not isinstance(joined, Shape):
        return
    shape = numbered(joined, itertools.count())
    columns = zip(*(types_as(shape, each.shape, each.types) for each in known), strict=True)
    types = tuple(common_type(reader, [type_ for type_ in column if type_ is not None and type_.dtype != BOOL] or [Array(BOOL, weak=True)]) for column in columns)
    if None not in types:
        raise OtherItems((pool.plan.origin, "shape"), Template(shape, types), reader.builder.where)  # type: ignore[arg-type]


def _of_one_shape(merge: Paths, joined: int | Shape | None, a: Content, b: Content) -> list[Template]:
    """What the items on both paths are, where one shape has room for all of them; nothing where there is none."""
    if not isinstance(joined, Shape):
        return []
    shape = numbered(joined, itertools.count())
    sides = ((a, merge.one), (b, merge.two))
    beside: tuple[Template | None, ...] = tuple(content.template if isinstance(content, Table) else None for content, _ in sides)
    found: list[Template | None] = []
    for _ in sides:  # the types of what one side has no item of are those of the other's
        found = []
        for (content, branch), other in zip(sides, reversed(beside), strict=True):
            with merge.reader.inside(branch):
                found.append(content.template if isinstance(content, Table) else template_in(merge.reader, content, shape, other))  # type: ignore[arg-type]
        beside = tuple(found)
    if None in found:
        return []
    known = [each for each in found if each is not None]
    for (content, _), new in zip(sides, reversed(known), strict=True):
        if isinstance(content, Table) and new.shape == shape:
            ask_for(merge.reader, content, new)
    return known if known[0].shape == known[1].shape else []


def _united(merge: Paths, template: Template, a: Content, b: Content, first: Cell | None, origin: Hashable) -> Table | None:
    reader = merge.reader
    room = max(growing.CAPACITY, *(len(each) for each in (a, b) if isinstance(each, tuple)), 0)
    sides: list[Table] = []
    for content, branch in ((a, merge.one), (b, merge.two)):
        with reader.inside(branch):
            sides.append(content if isinstance(content, Table) else table(reader, content, template, room=room, origin=origin))  # type: ignore[arg-type]
    counter = Cell("count")
    columns = [growing.unite(merge, one, two, counter, first) for one, two in zip(sides[0].columns, sides[1].columns, strict=True)]
    if any(column is None for column in columns):
        return None
    found = made_table(reader, counter, template.shape, tuple(columns), first)  # type: ignore[arg-type]
    unite_counts(merge, found, sides[0], sides[1])
    return found


__all__ = ["unite"]
