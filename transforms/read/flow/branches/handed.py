"""`Handed`: what was made on one path only, as it is behind both: the values of run time that it holds are handed out by the If.

    if c:                     if c:
        p = Ball([x * 2])         mul = mul(x, 2)
    else:                     -> mul_1, p_kind          p is OneOf(p_kind, (the Ball, None)), and its list holds mul_1
        p = None

Where the other path was taken they are zeros, and nobody asks for them.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any
from weakref import WeakMethod

from s2s.records import given, replace
from s2s.transforms.read.callables import (
    Applied,
    ArrayMethod,
    AtArray,
    AtPlace,
    Closure,
    ContainerMethod,
    DispatchedMethod,
    FlatArray,
    Method,
    Parent,
)
from s2s.transforms.read.flow.agreement import shown
from s2s.transforms.read.flow.branches.outs import Outs
from s2s.transforms.read.flow.branches.selections import Selections
from s2s.transforms.read.iterations import RunRange
from s2s.transforms.read.storage.grown import Grown, Table
from s2s.transforms.read.syntax.frame import Frame
from s2s.transforms.read.values import (
    Abstract,
    Arguments,
    Cell,
    DictView,
    JoinedText,
    MadeError,
    Missing,
    OneOf,
    Outside,
    Pooled,
    Ref,
    StandIn,
    Text,
    View,
    is_atom,
    remake,
)  # fmt: skip
from s2s.transforms.read.wrapping import as_atom
from s2s.types import Atom, zero

Join = Callable[[Abstract, Abstract, str], Abstract]
_HOLDING = (OneOf, Text, JoinedText, RunRange, DictView, Method, Applied, ArrayMethod, AtArray, FlatArray, AtPlace, ContainerMethod, DispatchedMethod, Parent, Arguments, MadeError)
"""What is made anew of what it holds."""


class Handed:
    """Those of one If. `join`: how two values of one kind are joined."""

    def __init__(self, outs: Outs, selections: Selections, join: Join) -> None:
        self.outs, self.selections = outs, selections
        self._join = WeakMethod(join)  # of the merge, which holds this
        self.atoms: dict[tuple[int, Atom], Abstract] = {}
        self.done: set[Any] = set(_frames_around(outs.reader.frame))

    def join(self, a: Abstract, b: Abstract, name: str) -> Abstract:
        """One value for two of one kind."""
        join = self._join()
        assert join is not None
        return join(a, b, name)

    def behind(self, side: int, value: Abstract, name: str) -> Abstract:
        """A value of one path, behind both. A `Missing` where what it holds can't be handed out."""
        match value:
            case View():
                return self.selections.behind(side, value)
            case tuple():
                items = [self.behind(side, item, name) for item in value]
                unknown = next((item for item in items if isinstance(item, Missing)), None)
                return remake(value, items) if unknown is None else unknown
            case slice():
                return slice(*(self.behind(side, each, name) for each in (value.start, value.stop, value.step)))
            case dict():
                return {key: self.behind(side, item, str(key)) for key, item in value.items()}
            case Ref():
                return self._container(side, value, name)
            case Closure():
                self._frame(side, value.frame)
                return Closure(value.tree, value.node, value.frame, value.name, self.behind(side, value.defaults, name))
            case Missing():
                return value if value.test is None else replace(value, **{field: self.behind(side, getattr(value, field), name) for field in ("test", "value", "unless")})
            case Outside():
                return value
            case Pooled():
                number = self._atom(side, value.number, name)
                return number if isinstance(number, Missing) else Pooled(value.pool, as_atom(self.outs.reader, number))
            case _ if is_atom(value):
                return self._atom(side, value, name)
            case _ if isinstance(value, _HOLDING):
                found = {field: self.behind(side, getattr(value, field), name) for field in given(type(value))}
                missing = next((each for each in found.values() if isinstance(each, Missing)), None)
                return replace(value, **found) if missing is None else missing
        return self._missing(name) if isinstance(value, StandIn) else value

    def _missing(self, name: str) -> Missing:
        return Missing(f"{shown(name)} is made on one path only")

    def _atom(self, side: int, atom: Atom, name: str) -> Abstract:
        if atom not in self.outs.local[side]:
            return atom
        if (side, atom) not in self.atoms:
            other = zero(atom.type)
            self.atoms[side, atom] = self.join(atom, other, name) if side == 0 else self.join(other, atom, name)
        return self.atoms[side, atom]

    def _container(self, side: int, ref: Ref, name: str) -> Abstract:
        """A container or object that may have been made on one path only."""
        if ref in self.selections.before or ref in self.done:
            return ref
        self.done.add(ref)
        state = (self.outs.one, self.outs.two)[side].state
        content = state.heap[ref]
        if isinstance(content, Grown):
            for cell in _cells(content):
                self.selections.behind(side, View(cell))
            return ref
        found = self.behind(side, content, name)
        if isinstance(found, Missing):
            return found
        self.outs.reader.heap[ref] = found
        if hasattr(ref, "source"):
            ref.source = self.behind(side, ref.source, name)
        return ref

    def _frame(self, side: int, frame: Frame | None) -> None:
        """A call that ended on this path, of which a function that was made in it still sees the names."""
        while frame is not None and frame not in self.done and not frame.is_open:
            self.done.add(frame)
            frame.names.update({name: self.behind(side, value, name) for name, value in frame.names.items() if name in frame.scope.bound})
            if frame.box is not None:
                self._container(side, frame.box, frame.name)
            frame = frame.outer


def _frames_around(frame: Frame | None) -> Iterable[Frame]:
    """The calls that are being read: the names of this one are joined, those of the others are not its own to change."""
    while frame is not None:
        yield frame
        yield from _frames_around(frame.caller)
        frame = frame.outer


def _cells(content: Grown) -> Iterable[Cell]:
    """The storages of a list whose length is known only at run time."""
    for column in content.columns if isinstance(content, Table) else (content,):
        yield from (column.cell, column.counter, *(() if column.first is None else (column.first,)))
