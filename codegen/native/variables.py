"""The variables of a kernel as LLVM has them: a place on the stack for each name and type, arrays with a reference of their own."""
from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types

from s2s.codegen.native import arrays
from s2s.codegen.native.source import Source


class Variables:
    """What each variable of one function is here: its type, its value, whether that is known to stay."""

    def __init__(self, context: Any, builder: ir.IRBuilder, source: Source) -> None:
        self.context, self.builder = context, builder
        self._slots: dict[tuple[str, types.Type], ir.Value] = {}
        self._current: dict[str, types.Type] = {}
        """The type that each variable has here."""
        self._fixed: dict[str, arrays.Value] = {}
        """Arrays whose variable is bound once, where everything follows."""
        self._indices: dict[str, ir.Value] = {}
        """The loops' indices here."""
        self._depth = 0
        """How many loops and branches are around."""
        stores = [node.id for node in ast.walk(source.tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
        self._bound_once = {name for name in stores if stores.count(name) == 1} - set(source.params)
        self._rebound = set(stores)

    def take(self, name: str, type_: types.Type, value: ir.Value) -> None:
        """Bind a parameter."""
        self._current[name] = type_
        if isinstance(type_, types.Array) and name not in self._rebound:
            self._fixed[name] = arrays.taken_apart(self.context, self.builder, type_, value)
            return
        if isinstance(type_, types.Array):
            self.context.nrt.incref(self.builder, type_, value)
        self.builder.store(value, self._slot(name, type_))

    def assign(self, name: str, type_: types.Type, value: ir.Value) -> None:
        """Bind a variable; an array comes with a reference of its own."""
        self._indices.pop(name, None)
        self._current[name] = type_
        if not isinstance(type_, types.Array):
            self.builder.store(value, self._slot(name, type_))
            return
        slot = self._slot(name, type_)
        old = self.builder.load(slot)
        self.builder.store(value, slot)
        self.context.nrt.decref(self.builder, type_, old)
        if name in self._bound_once and self._depth == 0:  # all that follows in the function runs after it
            self._fixed[name] = arrays.taken_apart(self.context, self.builder, type_, value)

    @contextmanager
    def index(self, name: str, value: ir.Value, *, stays: bool) -> Iterator[None]:
        """Bind a loop's index for its body. `stays`: nothing else binds the name, so that it need not be loaded."""
        outer = dict(self._indices)
        self.assign(name, types.int64, value)
        if stays:
            self._indices[name] = value
        try:
            yield
        finally:
            self._indices = outer
            self._indices.pop(name, None)

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Statements that may not run, or run often."""
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1

    def type_of(self, name: str) -> types.Type:
        """A variable's type here."""
        return self._current[name]

    def value(self, name: str) -> ir.Value:
        """What a variable holds here."""
        if name in self._indices:
            return self._indices[name]
        if name in self._fixed:
            return self._fixed[name].whole
        return self.builder.load(self._slot(name, self._current[name]))

    def array(self, name: str) -> arrays.Value:
        """The array that a variable holds here."""
        if name in self._fixed:
            return self._fixed[name]
        type_ = self._current[name]
        assert isinstance(type_, types.Array)
        return arrays.taken_apart(self.context, self.builder, type_, self.builder.load(self._slot(name, type_)))

    def give_up(self) -> None:
        """Where the function is left: its references to arrays."""
        for (_, type_), slot in self._slots.items():
            if isinstance(type_, types.Array):
                self.context.nrt.decref(self.builder, type_, self.builder.load(slot))

    def _slot(self, name: str, type_: types.Type) -> ir.Value:
        """The place of a variable on the stack, which LLVM makes a register."""
        if (name, type_) not in self._slots:
            llvm = self.context.get_value_type(type_)
            self._slots[name, type_] = cgutils.alloca_once(self.builder, llvm, name=name)  # zero where the function starts
        return self._slots[name, type_]
