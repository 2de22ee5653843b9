"""The variables of a kernel as LLVM has them: values, and where a loop or a branch may change one, a place on the stack; arrays with a reference of their own."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from llvmlite import ir
from numba.core import cgutils, types

from s2s.codegen.native import arrays
from s2s.codegen.native.scopes import Scopes
from s2s.codegen.native.source import Source

Held: TypeAlias = "ir.Value | arrays.Value"
"""What a variable holds: a number, or an array by its parts."""

_MEMORY = types.MemInfoPointer(types.voidptr)


class Variables:
    """What each variable of one function is here: its type and its value."""

    def __init__(self, context: Any, builder: ir.IRBuilder, source: Source) -> None:
        self.context, self.builder = context, builder
        self._slots: dict[tuple[str, types.Type], ir.Value] = {}
        self._current: dict[str, types.Type] = {}
        """The type that each variable has here."""
        self._held: dict[str, Held] = {}
        """What those hold that need no place."""
        self._indices: dict[str, ir.Value] = {}
        """The loops' indices here."""
        self._depth = 0
        """How many loops and branches are around."""
        self._values = Scopes(source.tree).values()
        self._rebound = source.stores.keys()

    def take(self, name: str, type_: types.Type, value: Held) -> None:
        """Bind a parameter."""
        self._current[name] = type_
        if name not in self._rebound:
            self._held[name] = value
            return
        if isinstance(value, arrays.Value):
            self.owned(value)
        self.assign(name, type_, value)

    def owned(self, array: arrays.Value) -> None:
        """Another reference to an array."""
        self.context.nrt.incref(self.builder, _MEMORY, array.meminfo)

    def dropped(self, array: arrays.Value) -> None:
        """A reference less."""
        self.context.nrt.decref(self.builder, _MEMORY, array.meminfo)

    def assign(self, name: str, type_: types.Type, value: Held) -> None:
        """Bind a variable; an array comes with a reference of its own."""
        self._indices.pop(name, None)
        self._current[name] = type_
        stays = name in self._values
        if stays:
            self._held[name] = value
        if isinstance(value, arrays.Value):
            self._keep(name, type_, value, whole=not stays)
        elif not stays:
            self.builder.store(value, self._slot(name, type_))

    def lend(self, name: str, type_: types.Type, value: arrays.Value) -> None:
        """Bind a variable, once, to an array that is nobody's to give up."""
        self._current[name], self._held[name] = type_, value

    def _keep(self, name: str, type_: types.Type, value: arrays.Value, *, whole: bool) -> None:
        """Let the function own an array until the variable holds another one, or the function is left."""
        kept = value.whole(self.context, self.builder) if whole else value.meminfo
        type_ = type_ if whole else _MEMORY
        first = self._depth == 0 and (name, type_) not in self._slots
        slot = self._slot(name, type_)
        old = None if first else self.builder.load(slot)
        self.builder.store(kept, slot)
        if old is not None:
            self.context.nrt.decref(self.builder, type_, old)

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
        """The number that a variable holds here."""
        if name in self._indices:
            return self._indices[name]
        if name in self._held:
            return self._held[name]
        return self.builder.load(self._slot(name, self._current[name]))

    def array(self, name: str) -> arrays.Value:
        """The array that a variable holds here."""
        if name in self._held:
            held = self._held[name]
            assert isinstance(held, arrays.Value)
            return held
        type_ = self._current[name]
        assert isinstance(type_, types.Array)
        return arrays.taken_apart(self.context, self.builder, type_, self.builder.load(self._slot(name, type_)))

    def give_up(self) -> None:
        """Where the function is left: its references to arrays."""
        for (_, type_), slot in self._slots.items():
            if isinstance(type_, types.Array | types.MemInfoPointer):
                self.context.nrt.decref(self.builder, type_, self.builder.load(slot))

    def _slot(self, name: str, type_: types.Type) -> ir.Value:
        """The place of a variable on the stack, which LLVM makes a register."""
        if (name, type_) not in self._slots:
            llvm = self.context.get_value_type(type_)
            self._slots[name, type_] = cgutils.alloca_once(self.builder, llvm, name=name)  # zero where the function starts
        return self._slots[name, type_]
