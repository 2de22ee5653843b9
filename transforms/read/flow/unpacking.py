"""Values taken apart by assignments to several targets: a, b = x; first, *middle, last = x."""
from __future__ import annotations

import sys
from typing import Any

from s2s.errors import ArgumentTypeError
from s2s.transforms.primitives.arithmetic import greater_equal, less_equal
from s2s.transforms.read.calls.columns import as_list
from s2s.transforms.read.composed.pooled_rows import PooledRow
from s2s.transforms.read.flow import own_iterators
from s2s.transforms.read.flow.items import items_of
from s2s.transforms.read.flow.options import possible
from s2s.transforms.read.flow.spreading import spreads
from s2s.transforms.read.flow.subscripts import get_item
from s2s.transforms.read.known import refused_by_python
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import is_zero_dim, shape_of
from s2s.transforms.read.values import Abstract, OneOf, Pooled, View, is_atom
from s2s.types import Var, size_literal


def unpacked(reader: Reader, value: Abstract, count: int, starred: int | None) -> tuple[Abstract, ...]:
    """What each of `count` targets is bound to; `starred`: the number of the one that takes the rest, as a list."""
    if isinstance(value, OneOf) and starred is None and all(isinstance(value.options[k], tuple) and len(value.options[k]) == count for k in possible(reader, value)):
        return tuple(get_item(reader, value, k) for k in range(count))
    found = _unpacked(reader, value, count, starred)
    return tuple(get_item(reader, found, k) for k in range(count)) if isinstance(found, OneOf) else found


@spreads(0)
def _unpacked(reader: Reader, value: Abstract, count: int, starred: int | None) -> tuple[Abstract, ...]:
    if value is None or is_atom(value):
        refused_by_python(reader, _taken_apart, value)
    value = value if _is_row(value) else own_iterators.items(reader, value)
    if isinstance(value, View):
        if is_zero_dim(reader, value):
            raise ArgumentTypeError("iteration over a 0-d array", where=reader.builder.where)
        dim = shape_of(reader, value)[0]
        if isinstance(dim, Var):
            return _of_any_length(reader, value, dim, count) if starred is None else _around_rest(reader, value, dim, starred, count - starred - 1)
    if not _is_row(value) and (found := as_list(reader, value)) is not None:
        length = reader.rules.call(len, (found,))
        return _of_any_length(reader, found, length, count) if starred is None else _around_rest(reader, found, length, starred, count - starred - 1)
    items = items_of(reader, value)
    if starred is not None:
        before, after = starred, count - starred - 1
        if len(items) < before + after:
            raise ValueError(f"not enough values to unpack (expected at least {before + after}, got {len(items)})")
        return (*items[:before], reader.new_list(items[before : len(items) - after]), *items[len(items) - after :])
    if len(items) > count:
        got = f", got {len(items)}" if sys.version_info >= (3, 14) else ""
        raise ValueError(f"too many values to unpack (expected {count}{got})")
    if len(items) < count:
        raise ValueError(f"not enough values to unpack (expected {count}, got {len(items)})")
    return items


def _is_row(value: Abstract) -> bool:
    """Whether it is a list of a pool whose length is known."""
    return isinstance(value, Pooled) and value.pool.kind is PooledRow


def _taken_apart(value: Any) -> Any:
    first, second = value
    return first, second


def _of_any_length(reader: Reader, value: Abstract, length: Any, count: int) -> tuple[Abstract, ...]:
    for compared, words in ((greater_equal, f"not enough values to unpack (expected {count}, got {{}})"), (less_equal, f"too many values to unpack (expected {count})")):
        (fits,) = reader.builder.equation(compared, (length, size_literal(count)), name="fits")
        reader.builder.check(fits, "ValueError", words, *([length] if "{" in words else []))
    return tuple(get_item(reader, value, k) for k in range(count))


def _around_rest(reader: Reader, value: Abstract, length: Any, before: int, after: int) -> tuple[Abstract, ...]:
    """Of an array or list whose length only the run knows the first items, a list of the rest, and the last ones."""
    (fits,) = reader.builder.equation(greater_equal, (length, size_literal(before + after)), name="fits")
    reader.builder.check(fits, "ValueError", f"not enough values to unpack (expected at least {before + after}, got {{}})", length)
    rest = get_item(reader, value, slice(before, -after if after else None))
    if isinstance(rest, View):
        rest = reader.rules.call(list, (rest,))
    return (*(get_item(reader, value, k) for k in range(before)), rest, *(get_item(reader, value, k - after) for k in range(after)))


__all__ = ["unpacked"]
