"""Tangents and cotangents matched with what they belong to, with JAX's errors where they don't fit."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError, ArgumentValueError, S2SError
from s2s.records import dataclass
from s2s.transformation import Calling
from s2s.transforms.primitives.arithmetic import equal
from s2s.transforms.read.describing import describe, missing_error
from s2s.transforms.read.flow.agreement import converted
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import load
from s2s.transforms.read.values import Abstract, DictRef, ListRef, Missing, ObjectRef, View, is_atom, is_number, number_literal
from s2s.types import Array, Dim, Var, dim_atom, is_float


@dataclass(frozen=True)
class Rules:
    """What is raised for other structures, dtypes and shapes: exception classes and texts with {found} and {expected}."""

    structure: tuple[type[S2SError], str]
    dtype: tuple[type[S2SError], str]
    shape: tuple[type[S2SError], str]


_INCONSISTENT = "linearized function called with tangent values inconsistent with the original primal values: "
_UNEQUAL = (
    "primal and tangent arguments to s2s.jvp do not match; dtypes must be equal, or in case of int/bool primal dtype the tangent dtype must be float0. "
)
JVP = Rules(
    structure=(ArgumentTypeError, "primal and tangent arguments to s2s.jvp must have the same tree structure; expected {expected}, but got {found}."),
    dtype=(
        ArgumentTypeError,
        _UNEQUAL + "Expected tangent dtype {expected}, but got tangent dtype {found} instead.",
    ),
    shape=(ArgumentValueError, "jvp called with different primal and tangent shapes; Got primal shape {expected} and tangent shape as {found}."),
)
VJP = Rules(
    structure=(ArgumentValueError, "unexpected tree structure of argument to vjp function: got {found}, but expected to match {expected}"),
    dtype=(ArgumentValueError, "unexpected type (e.g. shape/dtype) for argument to vjp function: got {found}, but expected {expected}"),
    shape=(ArgumentValueError, "unexpected type (e.g. shape/dtype) for argument to vjp function: got shape {found}, but expected {expected}"),
)
LINEAR = Rules(
    structure=(ArgumentTypeError, "linearized function called with another tree structure than it was made for: expected {expected}, but got {found}"),
    dtype=(ArgumentTypeError, _INCONSISTENT + "got tangent dtype {found}, but expected {expected}"),
    shape=(ArgumentValueError, _INCONSISTENT + "got tangent shape {found}, but expected {expected}"),
)

TRANSPOSE = Rules(
    structure=(ArgumentTypeError, "cotangent tree does not match function output, expected {expected} but got {found}"),
    dtype=(ArgumentTypeError, "cotangent type does not match function output, expected {expected} but got {found}"),
    shape=(ArgumentTypeError, "cotangent type does not match function output, expected shape {expected} but got {found}"),
)
RULES = {Calling.PULLED: VJP, Calling.LINEARIZED: LINEAR, Calling.TRANSPOSED: TRANSPOSE}
"""By how the transformation is called that made a second half."""

Shapes = tuple[tuple[Abstract, ...], ...]


def shapes_of(reader: Reader, values: list[Abstract]) -> Shapes:
    """The shapes of those of these leaves that have derivatives, as numbers and atoms."""
    types = [load(reader, value).type if isinstance(value, View) else value.type for value in values]
    return tuple(type_.shape for type_ in types if is_float(type_.dtype))


def leaves(reader: Reader, rules: Rules, trees: tuple[Any, ...], values: tuple[Abstract, ...], shapes: Shapes | None) -> list[Abstract]:
    """The values' leaves for the Vars in `trees`, in the Vars' order; `shapes`: what theirs must be, if that is to be checked.

    Raises by `rules` where a value does not fit, and appends a Check where that is known only at run time.
    """
    if len(trees) != len(values):
        raise _failure(reader, rules.structure, f"{len(trees)} of them", f"{len(values)}")
    found = [leaf for tree, value in zip(trees, values, strict=True) for leaf in _leaves(reader, rules, tree, value)]
    for leaf, shape in zip(found, shapes, strict=True) if shapes is not None else ():
        if shape:
            _check_shape(reader, rules, shape, load(reader, leaf).shape)
    return found


def _check_shape(reader: Reader, rules: Rules, expected: tuple[Abstract, ...], found: tuple[Dim, ...]) -> None:
    """The same size in each dimension, or an error."""
    builder = reader.builder
    differing = [(one, two) for one, two in zip(expected, found, strict=True) if not builder.same_size(one, two)]
    if any(isinstance(one, int) and isinstance(two, int) for one, two in differing):
        raise _failure(reader, rules.shape, _shape(expected), _shape(found))
    for one, two in differing:
        (test,) = builder.equation(equal, (dim_atom(one), dim_atom(two)))
        values = [dim_atom(dim) for dim in ((*found, *expected) if rules.shape[1].index("{found}") < rules.shape[1].index("{expected}") else (*expected, *found))]
        form = f"({', '.join(['{}'] * len(found))}{',' if len(found) == 1 else ''})"
        builder.check(test, "ValueError", rules.shape[1].format(expected=form, found=form), *values)
        builder.unify(one, two)


def _failure(reader: Reader, rule: tuple[type[S2SError], str], expected: object, found: object) -> S2SError:
    return rule[0](rule[1].format(expected=expected, found=found), where=reader.builder.where)


def _leaves(reader: Reader, rules: Rules, tree: Any, value: Abstract) -> Iterator[Abstract]:
    if isinstance(value, Missing):
        raise missing_error(reader, value)
    if isinstance(tree, Var):
        yield _leaf(reader, rules, tree.type, value)
        return
    pairs = _children(reader, tree, value)
    if pairs is None:
        raise _failure(reader, rules.structure, _shown(tree), describe(reader, value))
    for part, item in pairs:
        yield from _leaves(reader, rules, part, item)


def _children(reader: Reader, tree: Any, value: Abstract) -> list[tuple[Any, Abstract]] | None:
    """The children of a container side by side; None where the structures differ."""
    if isinstance(tree, tuple):
        same = isinstance(value, tuple) and len(value) == len(tree) and type(value) is type(tree)
        return list(zip(tree, value, strict=True)) if same else None
    if isinstance(tree, list):
        content = reader.heap[value] if isinstance(value, ListRef) else None
        same = isinstance(content, tuple) and len(content) == len(tree)
        return list(zip(tree, content, strict=True)) if same else None  # type: ignore[arg-type]
    if isinstance(tree, dict):
        items = reader.heap[value] if isinstance(value, DictRef) else {}
        return [(tree[key], items[key]) for key in tree] if set(items) == set(tree) and isinstance(value, DictRef) else None
    if hasattr(tree, "__dataclass_fields__") and not isinstance(tree, type):
        same = isinstance(value, ObjectRef) and value.kind is type(tree)
        return [(vars(tree)[key], reader.heap[value][key]) for key in vars(tree)] if same else None
    return [] if tree is None and _is_nothing(value) or tree is not None else None


def _is_nothing(value: Abstract) -> bool:
    """Whether it is a tangent of an integer, which holds nothing, or None."""
    return value is None or (isinstance(value, np.ndarray) and value.dtype.itemsize == 0)


def _leaf(reader: Reader, rules: Rules, type_: Array, value: Abstract) -> Abstract:
    if is_number(value):
        value = number_literal(value)
    if is_atom(value):
        found = value.type
    elif isinstance(value, View):
        found = load(reader, value).type
    else:
        raise _failure(reader, rules.structure, "an array or number", describe(reader, value))
    weakly = found.weak and {"f": "f", "c": "fc"}.get(type_.dtype.kind, "").find(found.dtype.kind) >= 0
    if found.dtype != type_.dtype and not weakly:
        raise _failure(reader, rules.dtype, type_.dtype, found.dtype)
    if len(found.shape) != len(type_.shape):
        raise _failure(reader, rules.shape, _shape(type_.shape), _shape(found.shape))
    return converted(reader, value, type_) if is_atom(value) else value


def _shape(shape: tuple[Any, ...]) -> str:
    return f"({', '.join(str(dim) for dim in shape)}{',' if len(shape) == 1 else ''})"


def _shown(tree: Any) -> str:
    if tree is None:
        return "nothing (float0: the derivative of an integer)"
    return f"a {type(tree).__name__} of {len(tree)}" if isinstance(tree, tuple | list | dict) else f"a {type(tree).__name__}"


__all__ = ["JVP", "RULES", "Rules", "Shapes", "leaves", "shapes_of"]
