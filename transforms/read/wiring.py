"""`Python`: the language that is read. It fills in `language.Rules`; no module that is used here imports this one.

    syntax                        flow/expressions.EXPRESSIONS, flow/statements.STATEMENTS       node type -> rule
    functions that are held       calls/calls.CALLED                                             class of the value -> rule
    built-in functions            calls/builtin_functions.BUILTINS                               qualified name -> rule
    NumPy, math, scipy            numpy/table.NUMPY_FUNCTIONS, UPDATES, ARRAY_METHODS, …         qualified name -> rule
    functions of s2s              calls/transformations.CALLED, HANDLERS, OBJECTS                how it is called, its name -> rule
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from s2s.transforms.ir.staged import Staged
from s2s.transforms.read.calls import calls
from s2s.transforms.read.entry import read_function
from s2s.transforms.read.flow import (
    assignment,
    attributes,
    caught,
    comparisons,
    expressions,
    generators,
    iteration,
    statements,
    subscripts,
    texts,
    truth,
)
from s2s.transforms.read.iterations import Iteration
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract
from s2s.types import Atom, Var


class Python:
    """The rules of Python and NumPy, for one reader."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader

    def evaluate(self, node: Any) -> Abstract:
        return expressions.evaluate(self.reader, node)

    def execute(self, block: Sequence[Any]) -> None:
        statements.execute(self.reader, list(block))

    def assign(self, target: Any, value: Abstract) -> None:
        assignment.assign(self.reader, target, value)

    def call(self, function: Abstract, args: tuple[Abstract, ...], kwargs: dict[str, Abstract] | None = None) -> Abstract:
        return calls.call(self.reader, function, args, kwargs or {})

    def attribute(self, base: Abstract, name: str) -> Abstract:
        return attributes.attribute(self.reader, base, name)

    def set_attribute(self, base: Abstract, name: str, value: Abstract) -> None:
        assignment.set_attribute(self.reader, base, name, value)

    def item(self, base: Abstract, key: Abstract) -> Abstract:
        return subscripts.get_item(self.reader, base, key)

    def binary(self, op: str, a: Abstract, b: Abstract) -> Abstract:
        return expressions.binary(self.reader, op, a, b)

    def compare(self, symbol: str, a: Abstract, b: Abstract) -> Abstract:
        return comparisons.compare_by(self.reader, symbol, a, b)

    def contains(self, container: Abstract, item: Abstract) -> bool | Atom:
        return comparisons.contains(self.reader, container, item)

    def test(self, node: Any) -> bool | Atom:
        return truth.truth_of(self.reader, expressions.test_value(self.reader, node))

    def truth(self, value: Abstract) -> bool | Atom:
        return truth.truth_of(self.reader, value)

    def iterate(self, value: Abstract) -> Iteration:
        return iteration.iterate(self.reader, value)

    def text(self, value: Abstract, conversion: str | None, spec: Abstract) -> Abstract:
        return texts.formatted(self.reader, value, conversion, spec)

    def generator(self, body: Sequence[Any], collect: Callable[[], Abstract] | None = None) -> Abstract:
        return generators.generator(self.reader, list(body), collect)

    def settle(self, since: int) -> None:
        caught.settle(self.reader, since)

    def program(self, fun: Callable[..., Any], params: tuple[Var, ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Staged:
        return read_python(fun, params, args, kwargs)


def read_python(fun: Callable[..., Any], params: tuple[Var, ...], args: tuple[Any, ...], kwargs: dict[str, Any], *, one_kind: bool = False) -> Staged:
    """See `s2s.transforms.read.read`."""
    return read_function(Python, fun, params, args, kwargs, one_kind=one_kind)
