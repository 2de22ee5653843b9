"""What s2s.lax says of branches and carries that differ, in JAX's words."""
from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any, cast

from s2s.transforms.read.callables import Applied, Closure, Derived, Method
from s2s.transforms.read.values import Abstract, Outside
from s2s.tree_differences import structure_differences
from s2s.tree_keys import keystr
from s2s.tree_util import PyTreeDef
from s2s.types import Array

HOLE = "\0"
"""Stands for a size in a text that becomes a template."""


def different_trees(one: PyTreeDef, two: PyTreeDef) -> Iterator[tuple[str, str, str, str]]:
    """Where two structures differ: the path, what is there, what is there in the other one, and why they differ."""
    found = [(keystr(path), this, other, why) for path, this, other, why in structure_differences(one, two)]
    yield from found or [("", str(one), str(two), "the static parts differ")]


def type_name(type_: Array) -> str:
    """float64[3]."""
    return f"{type_.dtype}[{','.join(map(str, type_.shape))}]"


def with_holes(said: Callable[[Array, Array], str], one: Array, two: Array) -> str:
    """A text of two types as a template, with a {} for each size."""
    blank = [Array(each.dtype, cast(Any, (HOLE,) * each.ndim), each.weak) for each in (one, two)]
    return said(*blank).replace("{", "{{").replace("}", "}}").replace(HOLE, "{}")


def why_not_equal(one: Array, two: Array) -> str:
    """What of two types differs."""
    said = ["the dtypes do not match"] if one.dtype != two.dtype else []
    if one.ndim != two.ndim or one.shape != two.shape or HOLE in map(str, one.shape):
        said.append("the shapes do not match")
    return f", so {' and '.join(said)}"


def carried_component(name: str, path: str) -> str:
    """A part of a carry, by the name of the parameter that has it."""
    return f"the input carry component {name}{path}" if path else f"the input carry {name}"


def carry_trees(loop: str, name: str, one: PyTreeDef, two: PyTreeDef) -> str:
    """A trip gives another structure."""
    found = [f"{carried_component(name, path)} is a {this} but the corresponding component of the carry output is a {other}, so {why}" for path, this, other, why in different_trees(one, two)]
    return (
        f"{loop} function carry input and carry output must have the same pytree structure, but they differ:\n\n{_listed(found)}\n"
        "Revise the function so that the carry output has the same pytree structure as the carry input."
    )


def carry_types(loop: str, name: str, differing: list[tuple[str, Array, Array]]) -> str:
    """A trip gives other types."""
    found = [
        f"{carried_component(name, path)} has type {type_name(one)} but the corresponding output carry component has type {type_name(two)}{why_not_equal(one, two)}"
        for path, one, two in differing
    ]
    return (
        f"{loop} function carry input and carry output must have equal types, but they differ:\n\n{_listed(found)}\n"
        "Revise the function so that all output types match the corresponding input types."
    )


def branch_trees(api: str, names: tuple[str, str], infos: tuple[str, str], one: PyTreeDef, two: PyTreeDef) -> str:
    """Two branches give different structures."""
    found = [
        f"{names[0]} output{_at(path)} is a {this} but {names[1]} output{_at(path)} is a {other}, so {why}" for path, this, other, why in different_trees(one, two)
    ]
    return (
        f"{api} branch outputs must have the same pytree structure, but they differ:\n\n{_sources(names, infos)}{_listed(found, capital=False)}\n"
        f"Revise {names[0]} and/or {names[1]} so that they have the same pytree structure."
    )


def branch_types(api: str, names: tuple[str, str], infos: tuple[str, str], differing: list[tuple[str, Array, Array]]) -> str:
    """Two branches give different types."""
    found = [
        f"the output of {names[0]}{_at(path)} has type {type_name(one)} but the corresponding output of {names[1]} has type {type_name(two)}{why_not_equal(one, two)}"
        for path, one, two in differing
    ]
    return f"{api} branches must have equal output types but they differ.\n\n{_sources(names, infos)}{_listed(found)}\nRevise {names[0]} and/or {names[1]} so that all output types match."


def _at(path: str) -> str:
    return f" at path {path}" if path else ""


def _sources(names: tuple[str, str], infos: tuple[str, str]) -> str:
    return "".join(f"{name} is {info}\n" for name, info in zip(names, infos, strict=True)) + "\n"


def _listed(found: list[str], *, capital: bool = True) -> str:
    if len(found) == 1:
        return f"{found[0][0].upper() if capital else found[0][0]}{found[0][1:]}.\n"
    return "".join(f"  * {each};\n" for each in found[:-1]) + f"  * {found[-1]}.\n"


def source_of(function: Abstract) -> str:
    """The name of a function and where it stands: step at /home/me/walk.py:12."""
    match function:
        case Closure():
            where = function.tree.where(function.node)
            return f"{'<lambda>' if function.name == 'lambda' else function.name} at {where.file}:{where.line}"
        case Applied() | Method() | Derived():
            return source_of(function.function)
    held = inspect.unwrap(function.object if isinstance(function, Outside) else function)
    code = getattr(getattr(held, "__func__", held), "__code__", None)
    name = getattr(held, "__name__", str(held))
    return f"{name} at {code.co_filename}:{code.co_firstlineno}" if code is not None else name


def parameter_of(function: Abstract, number: int) -> str:
    """The name of a parameter, "carry" where there is none to be found."""
    match function:
        case Closure():
            params = [*function.node.params.posonly_params, *function.node.params.params]
            return params[number].name.value if number < len(params) else "carry"
        case Applied():
            return parameter_of(function.function, number + len(function.args))
        case Method():
            return parameter_of(function.function, number + 1)
    held = function.object if isinstance(function, Outside) else function
    try:
        names: list[Any] = list(inspect.signature(held).parameters)
    except (TypeError, ValueError):
        return "carry"
    return names[number] if number < len(names) else "carry"
