"""What items of lists of run-time length have in common: the shape of tuples, lists, dicts and objects, and the types of what they hold (`tables.py` keeps them)."""
from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterator, Mapping
from typing import Any

from s2s.records import replace
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import strong
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage import kinds_of_items, pooled_arrays, ragged
from s2s.transforms.read.storage.growing import item_type
from s2s.transforms.read.storage.grown import Lengths, Shape, Template
from s2s.transforms.read.storage.kinds_of_items import ABSENT, NOTHING, alternatives_in, is_optional, is_several, several, there_in
from s2s.transforms.read.values import Abstract, DictRef, ListRef, ObjectRef, OneOf, Pooled, Ref, Text, View, is_atom, is_number
from s2s.types import BOOL, Array, size_literal


def is_leaf(value: Abstract) -> bool:
    """Whether an array can hold it (an array that a text is made of stands for itself in no list)."""
    return value is ABSENT or is_atom(value) and not value.type.shape or is_number(value) or isinstance(value, View | ragged.Part)


def shape_of_value(reader: Reader, value: Abstract, leaves: list[Abstract], around: frozenset[Abstract] = frozenset()) -> int | Shape:
    """The shape of a value; what it holds is put behind `leaves`."""
    value = array if (array := pooled_arrays.pooled(reader, value)) is not None else value
    if (pool := ragged.pool_for(reader, value)) is not None:
        first = len(leaves)
        leaves += ragged.leaves_of(reader, pool, value)
        return Shape(Lengths, (pool,), tuple(range(first, len(leaves))))
    if isinstance(value, Pooled):
        with building(reader.builder):  # the numbers of a column are of one type
            leaves.append(strong(reader.value(value.number)).atom)
        return Shape(Pooled, (value.pool,), (len(leaves) - 1,))
    if (found := kinds_of_items.leaves_of(reader, value, leaves, lambda part, into: shape_of_value(reader, part, into, around))) is not None:
        return found
    if isinstance(value, OneOf) and (mixed := _shape_of_options(reader, value, leaves, around)) is not None:
        return mixed
    if isinstance(value, Text):
        return Shape(Text, (value.template,), tuple(shape_of_value(reader, item, leaves, around) for item in value.values))
    if isinstance(value, tuple):
        return Shape(type(value), None, tuple(shape_of_value(reader, item, leaves, around) for item in value))
    if isinstance(value, Ref) and value in around:  # what holds itself is of no length
        return _as_leaf(value, leaves)
    if type(value) is ListRef and isinstance(reader.heap[value], tuple):
        return Shape(list, None, tuple(shape_of_value(reader, item, leaves, around | {value}) for item in reader.heap[value]))
    if (isinstance(value, ObjectRef) or type(value) is DictRef and value.kind is dict) and isinstance(reader.heap[value], dict):
        held = reader.heap[value]
        return Shape(value.kind, tuple(held), tuple(_as_leaf(item, leaves) if isinstance(item, str | None) else shape_of_value(reader, item, leaves, around | {value}) for item in held.values()))
    return _as_leaf(value, leaves)


def _shape_of_options(reader: Reader, value: OneOf, leaves: list[Abstract], around: frozenset[Abstract]) -> Shape | None:
    """The shape of what may be of several kinds; None where these can't stand beside each other."""
    joined: int | Shape | None = _own_shape(reader, value.options[0], around)
    for option in value.options[1:]:
        joined = joined_shape(joined, _own_shape(reader, option, around), mixed=True)
    held: list[Abstract] = []
    if not isinstance(joined, Shape) or not is_several(joined) or not _flat_several(reader, joined, value, held):
        return None
    first = len(leaves)
    leaves += held
    return numbered(joined, itertools.count(first))


def _own_shape(reader: Reader, option: Abstract, around: frozenset[Abstract]) -> int | Shape | None:
    """The shape of one of several kinds; None of an array that stands in a row of its size, which has no room for what is none."""
    return None if isinstance(option, View) and ragged.pool_for(reader, option) is None else shape_of_value(reader, option, [], around)


def _as_leaf(value: Abstract, leaves: list[Abstract]) -> int:
    leaves.append(value)
    return len(leaves) - 1


def template_of(reader: Reader, items: tuple[Abstract, ...], *, mixed: bool = False) -> Template | None:
    """What all of these items have in common; None where they are of several shapes or types, or there are none. `mixed`: they may be of several kinds."""
    shapes = [shape_of_value(reader, item, []) for item in items]
    joined: int | Shape | None = shapes[0] if shapes else None
    for each in shapes[1:]:
        joined = joined_shape(joined, each, mixed=mixed)
    if not isinstance(joined, Shape):
        return None
    return template_in(reader, items, numbered(joined, itertools.count()))


def of_pools(reader: Reader, template: Template) -> Template:
    """What an earlier reading found, of the pools that this one has here (as `ragged.pool_for` picks one)."""
    last_to_first = reader.session.pools[::-1]
    pools = {pool.plan: pool for pool in (*last_to_first, *(pool for pool in last_to_first if pool.rows in reader.heap))}
    return replace(template, shape=_of_pools(template.shape, pools))


def _of_pools(shape: Any, pools: Mapping[Any, Any]) -> Any:
    if isinstance(shape, int):
        return shape
    keys = tuple(_pool_as(pools, key.plan) for key in shape.keys) if shape.kind in (Pooled, Lengths) else shape.keys
    return replace(shape, keys=keys, parts=tuple(_of_pools(part, pools) for part in shape.parts))


def _pool_as(pools: Mapping[Any, Any], plan: Any) -> Any:
    """The pool of a plan, or of what the plan has become since."""
    return pools[plan] if plan in pools else next(pool for each, pool in pools.items() if each.is_for(plan.key))


def by_plans(type_: Any) -> Any:
    """The same for what two readings found alike: each has its own pools of one plan."""
    if isinstance(type_, Template):
        return by_plans(type_.shape), type_.types
    if isinstance(type_, Shape):
        keys = tuple(key.plan for key in type_.keys or ()) if type_.kind in (Pooled, Lengths) else type_.keys
        return type_.kind, keys, tuple(map(by_plans, type_.parts))
    return type_


def template_in(reader: Reader, items: tuple[Abstract, ...], shape: Shape, beside: Template | None = None) -> Template | None:
    """The same, of items that are to be of this shape; the types of what none of them has are those of the items beside."""
    found: list[list[Abstract]] = [[] for _ in items]
    if not all(flat(reader, shape, item, leaves) and leaves and all(map(is_leaf, leaves)) for item, leaves in zip(items, found, strict=True)):
        return None
    types = [_type_of_column(reader, column) for column in zip(*found, strict=True)]
    if beside is not None and beside.shape == shape:
        types = [own if all(leaf is ABSENT for leaf in column) else type_ for own, type_, column in zip(beside.types, types, zip(*found, strict=True), strict=True)]
    return Template(shape, tuple(types)) if None not in types else None  # type: ignore[arg-type]


def _type_of_column(reader: Reader, leaves: tuple[Abstract, ...]) -> Array | None:
    """The type that holds these numbers, some of which are not there; a bool where none is: any other type holds that, too."""
    there = tuple(leaf for leaf in leaves if leaf is not ABSENT)
    if any(isinstance(leaf, ragged.Part) for leaf in there):
        return ragged.TYPE
    return item_type(reader, there) if there else Array(BOOL, weak=True)


def joined_shape(one: int | Shape | None, two: int | Shape | None, *, mixed: bool = False) -> int | Shape | None:
    """The shape of items of both shapes, their columns not yet numbered; None where there is none. `mixed`: also one that has an alternative for each."""
    if one is None or two is None:
        return None
    alike = None if is_several(one) or is_several(two) else _joined_alike(one, two, mixed=mixed)
    return _joined_alternatives(one, two) if alike is None and mixed else alike


def _joined_alternatives(one: int | Shape, two: int | Shape) -> Shape | None:
    """The same, of items that are one of the alternatives of both."""
    (found, with_texts), (others, with_other_texts) = map(alternatives_in, (one, two))
    for other in others:
        place = next((k for k, each in enumerate(found) if signature(each) == signature(other)), len(found))
        joined = _joined_alike(found[place], other, mixed=True) if place < len(found) and other != NOTHING else other
        if joined is None:
            return None
        found = (*found[:place], joined, *found[place + 1 :])
    return several(found, with_texts=with_texts or with_other_texts)


def signature(shape: int | Shape) -> Hashable:
    """The same for alternatives that are of one kind."""
    return 0 if isinstance(shape, int) else (shape.kind, shape.keys, len(shape.parts))


def _joined_alike(one: int | Shape, two: int | Shape, *, mixed: bool) -> int | Shape | None:
    """The same, of items of one kind, or None."""
    if isinstance(one, int) and isinstance(two, int):
        return 0
    for each, other in ((one, two), (two, one)):
        if is_optional(each):
            return _joined_optional(each, other, mixed=mixed)
    if isinstance(one, int) or isinstance(two, int) or (one.kind, one.keys, len(one.parts)) != (two.kind, two.keys, len(two.parts)):
        return None
    parts = tuple(joined_shape(a, b, mixed=mixed) for a, b in zip(one.parts, two.parts, strict=True))
    return None if None in parts else replace(one, parts=parts)  # type: ignore[arg-type]


def _joined_optional(one: Shape, two: int | Shape, *, mixed: bool) -> Shape | None:
    """The same, where items of the first are None or something."""
    own, other = there_in(one), (there_in(two) if is_optional(two) else two)
    if own is None or other is None:
        found = other if own is None else own
        return replace(one, parts=(0,) if found is None else (0, found)) if found is None or _may_be_none(found) else None
    joined = _joined_alike(own, other, mixed=mixed)
    return None if joined is None or not _may_be_none(joined) else replace(one, parts=(0, joined))


def _may_be_none(shape: int | Shape) -> bool:
    """Whether it is that of numbers, tuples or arrays of any size, which may stand in a list beside None."""
    return isinstance(shape, int) or shape.kind in (tuple, Lengths)


def numbered(shape: Shape, numbers: Iterator[int]) -> Shape:
    """The shape with its columns numbered in order."""
    return replace(shape, parts=tuple(numbered(part, numbers) if isinstance(part, Shape) else next(numbers) for part in shape.parts))


def flat(reader: Reader, shape: int | Shape, value: Abstract, leaves: list[Abstract]) -> bool:
    """Put what a value holds behind the leaves, as items of this shape have it; False for one that is of another shape."""
    if is_several(shape):
        return _flat_several(reader, shape, value, leaves)
    if is_optional(shape):
        return _flat_optional(reader, there_in(shape), value, leaves)
    held: list[Abstract] = []
    own = shape_of_value(reader, value, held)
    if isinstance(own, int) and isinstance(shape, int):
        leaves += held
        return True
    if isinstance(shape, int) or isinstance(own, int) or (own.kind, own.keys, len(own.parts)) != (shape.kind, shape.keys, len(shape.parts)):
        return False
    if shape.kind in (OneOf, Pooled, Lengths):
        leaves += held
        return True
    content = value if isinstance(value, tuple) else value.values if isinstance(value, Text) else reader.heap[value]
    return all(flat(reader, part, each, leaves) for part, each in zip(shape.parts, content.values() if isinstance(content, dict) else content, strict=True))


def _flat_several(reader: Reader, shape: Shape, value: Abstract, leaves: list[Abstract]) -> bool:
    """The same, of what may be of several kinds."""
    options = value.options if isinstance(value, OneOf) else (value,)
    alternatives, with_texts = alternatives_in(shape)
    found = [_place_among(reader, alternatives, option, with_texts=with_texts) for option in options]
    numbers = [number for number in found if number is not None]
    if len(numbers) < len(found):
        return False
    leaves.append(kinds_of_items.place_of(reader, value, numbers))
    for place, each in enumerate(alternatives):
        own = [option for option, number in zip(options, numbers, strict=True) if number == place]
        if each == NOTHING or not own:
            leaves += [ABSENT] * len(columns_of(each))
        elif len(own) > 1 or not flat(reader, each, own[0], leaves):
            return False
    return True


def _place_among(reader: Reader, alternatives: tuple[int | Shape, ...], option: Abstract, *, with_texts: bool) -> int | None:
    """The number of the alternative that a value is; None where there is none for it."""
    if isinstance(option, str):
        return len(alternatives) + kinds_of_items.number_of_text(reader, option) if with_texts else None
    own = NOTHING if option is None else _own_shape(reader, option, frozenset())
    return None if own is None else next((place for place, each in enumerate(alternatives) if signature(each) == signature(own)), None)


def _flat_optional(reader: Reader, there: int | Shape | None, value: Abstract, leaves: list[Abstract]) -> bool:
    """The same, of what may be None."""
    held: list[Abstract] = []
    own = shape_of_value(reader, value, held)
    leaves.append(held[0] if is_optional(own) else size_literal(1))
    if is_optional(own) and there_in(own) is None:
        leaves += [ABSENT] * (0 if there is None else len(columns_of(there)))
        return True
    item = next(option for option in value.options if option is not None) if isinstance(value, OneOf) and is_optional(own) else value
    return there is not None and flat(reader, there, item, leaves)


def common(reader: Reader, items: tuple[Abstract, ...], *, mixed: bool = False) -> Array | Template | None:
    """The type that holds all of these items: of numbers and arrays, or of tuples and such. `mixed`: these may be of several kinds."""
    if any(pooled_arrays.pooled(reader, item) is not None or ragged.pool_for(reader, item) is not None for item in items):
        return template_of(reader, items, mixed=mixed)
    return item_type(reader, items) or template_of(reader, items, mixed=mixed)


def nested(shape: int | Shape) -> int:
    """How many shapes of what may be one thing or another stand in each other."""
    if isinstance(shape, int):
        return 0
    return (is_optional(shape) or is_several(shape)) + max(map(nested, shape.parts), default=0)


def types_in(type_: Array | Template) -> tuple[Array, ...]:
    """The types of the arrays that hold such items."""
    return type_.types if isinstance(type_, Template) else (type_,)


def columns_of(shape: int | Shape) -> frozenset[int]:
    """The columns of an item, or of a part of one."""
    return frozenset((shape,)) if isinstance(shape, int) else frozenset[int]().union(*map(columns_of, shape.parts))


__all__ = ["by_plans", "columns_of", "common", "flat", "is_leaf", "joined_shape", "nested", "numbered", "of_pools", "shape_of_value", "signature", "template_in", "template_of", "types_in"]
