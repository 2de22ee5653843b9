"""Calls of custom_vmap functions: the rule for arrays of all examples stands where the function does, for the innermost vmap that batches an argument.

    y = f(x)    ->    y = rule(axis_size, [True], all_gather(x))[axis_index]

What is gathered is the array of all examples itself, and what the rule makes of it all of them share (`batching/together.py`): it is computed once.
"""
from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from s2s.errors import ArgumentTypeError, ArgumentValueError, MissingRuleError
from s2s.transforms.ir.named_axes import Answer, Level, NeedsLevels, is_asking, levels
from s2s.transforms.primitives import collectives as rows
from s2s.transforms.primitives.indexing import at
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.callables import Ruled
from s2s.transforms.read.calls import trees
from s2s.transforms.read.calls.collectives import dim_of
from s2s.transforms.read.calls.shapes import types_of_call
from s2s.transforms.read.describing import describe
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import agreed, lift, retyped
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.rules.custom import define, make, positional, ruled_of
from s2s.transforms.read.values import Abstract, Outside, View, is_atom
from s2s.transforms.read.wrapping import unwrap, weak_dim, wrap
from s2s.types import Dim, Var, dim_atom


def call_object(reader: Reader, function: Outside, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A call of a custom_vmap object."""
    return call_batched(reader, ruled_of(reader, function), args, kwargs)


def call_batched(reader: Reader, function: Ruled, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A call of a function with a batching rule."""
    name, fun, rule = function.name, function.fun, function.rules["vmap_rule"]
    if rule is None:
        raise MissingRuleError(f"No batching rule defined for custom_vmap function {name} using def_vmap.", where=reader.builder.where)
    args = positional(reader, function, args, kwargs)
    if not levels():
        return reader.rules.call(fun, args, {})
    if not is_asking():
        raise NeedsLevels
    leaves, treedef = trees.flatten(reader, args)
    key = (name, str(reader.builder.where), tuple(_kind(reader, leaf) for leaf in leaves))
    for level in reversed(levels()):
        answer = level.answers.get(key)
        if answer is None:
            asked = [_asked(reader, leaf, level, key, number) for number, leaf in enumerate(leaves)]
            return reader.rules.call(fun, trees.unflatten(reader, treedef, asked), {})
        if answer.plain:
            break
        if any(answer.batched):
            return _Batch(reader, level, answer, name).result(fun, rule, args, leaves, treedef)
    return reader.rules.call(fun, args, {})


def _is_value(leaf: Abstract) -> bool:
    return is_atom(leaf) or isinstance(leaf, View)


def _kind(reader: Reader, leaf: Abstract) -> str:
    return str(lift(wrap(reader, leaf)).type) if _is_value(leaf) else describe(reader, leaf)


def _asked(reader: Reader, leaf: Abstract, level: Level, key: Any, number: int) -> Abstract:
    if not _is_value(leaf):
        return leaf
    with building(reader.builder):
        return unwrap(reader, rows.asked(lift(wrap(reader, leaf)), axis=level, key=key, leaf=number))


class _Batch:
    """A call of the rule for a level."""

    def __init__(self, reader: Reader, level: Level, answer: Answer, name: str) -> None:
        self.reader, self.level, self.answer, self.name = reader, level, answer, name
        self.size: Dim = dim_of(reader, level.axis)

    def result(self, fun: Abstract, rule: Abstract, args: tuple[Abstract, ...], leaves: list[Abstract], treedef: Any) -> Abstract:
        """What the example gets of the rule's results."""
        reader = self.reader
        batched = [*self.answer.batched, *(False,) * (len(leaves) - len(self.answer.batched))]
        whole = [self.gathered(leaf) if on else leaf for leaf, on in zip(leaves, batched, strict=True)]
        flags = reader.new_list(list(trees.unflatten(reader, treedef, [bool(on) for on in batched])))
        found = reader.rules.call(rule, (weak_dim(reader, self.size), flags, *trees.unflatten(reader, treedef, whole)), {})
        if not isinstance(found, tuple) or len(found) != 2:
            raise ArgumentValueError(
                f"the custom vmap rule ({self.rule_name(rule)}) must return a pair: the output, and which of it is batched; it returned {describe(reader, found)}",
                where=reader.builder.where,
            )
        outs, out_def = trees.flatten(reader, found[0])
        ons, on_def = trees.flatten(reader, found[1])
        if not all(isinstance(on, bool) for on in ons):
            raise ArgumentTypeError(f"the custom vmap rule ({self.rule_name(rule)}) must say of each result whether it is batched, by True or False", where=reader.builder.where)
        self.check(rule, out_def, on_def, types_of_call(reader, fun, args, {})[0])
        index = reader.builder.equation(rows.axis_index, (), {"axis": self.level}, name="index")[0]
        reader.builder.know_index(index, 0, dim_atom(self.size), 1)
        return trees.unflatten(reader, out_def, [self.own(out, index) if on else out for out, on in zip(outs, ons, strict=True)])

    def gathered(self, leaf: Abstract) -> Abstract:
        """The array of all examples."""
        with building(self.reader.builder):
            value = lift(wrap(self.reader, leaf))
            return unwrap(self.reader, rows.all_gather(value, self.reader.value(dim_atom(self.size)), axis=self.level, groups=None, dim=0, tiled=False))

    def own(self, out: Abstract, index: Var) -> Abstract:
        """The example's part of a result."""
        with building(self.reader.builder):
            value: Value = lift(wrap(self.reader, out))
            if not value.ndim:
                raise ArgumentValueError(f"a result of the batching rule of {self.name} is a number, and said to be batched", where=self.reader.builder.where)
            message = f"a result of the batching rule of {self.name} is said to be batched, and has {{}} examples instead of {{}}"
            agreed(self.reader.builder, (self.size, value.shape[0]), message, (dim_atom(value.shape[0]), dim_atom(self.size)))
            return unwrap(self.reader, at(retyped(value, (self.size, *value.shape[1:])), self.reader.value(index)))

    def check(self, rule: Abstract, out_def: Any, on_def: Any, wanted: Any) -> None:
        """JAX's errors for structures that differ."""
        if out_def != on_def:
            raise ArgumentValueError(
                f"structure of output value and output batching specification returned by custom vmap rule ({self.rule_name(rule)}) do not match.\n"
                f"Output values: {out_def}\nBatching spec: {on_def}", where=self.reader.builder.where,
            )  # fmt: skip
        if out_def != wanted:
            raise ArgumentValueError(
                f"structure of output returned by custom vmap rule ({self.rule_name(rule)}) does not match that of original custom-vmapped function.\n"
                f"Original output: {wanted}\nRule output: {out_def}", where=self.reader.builder.where,
            )  # fmt: skip

    @staticmethod
    def rule_name(rule: Abstract) -> str:
        return getattr(rule.object if isinstance(rule, Outside) else rule, "__name__", "<unnamed rule>")


def sequential(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """sequential_vmap(f): f."""
    (made,) = inspect.signature(function).bind(*args, **kwargs).args
    return made


HANDLERS: dict[str, Callable[..., Abstract]] = {
    "s2s.custom_batching.custom_vmap": make, "s2s.custom_batching.custom_vmap.def_vmap": define, "s2s.custom_batching.sequential_vmap": sequential,
}  # fmt: skip
OBJECTS: dict[str, Callable[..., Abstract]] = {"custom_vmap": call_object}
"""By the name of the object's class."""

__all__ = ["HANDLERS", "OBJECTS", "call_batched"]
