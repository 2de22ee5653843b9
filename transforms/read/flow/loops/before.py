"""`Before`: what a loop finds. What is carried has its first value from here."""
from __future__ import annotations

from typing import Any

from s2s.transforms.primitives.value import zeros
from s2s.transforms.read.flow.agreement import converted
from s2s.transforms.read.flow.loops.kinds import Kinds
from s2s.transforms.read.flow.loops.leaves import DIM, KIND, NUMBER, OPTION, OWN, VALUE, Leaf, fitted
from s2s.transforms.read.flow.loops.lists import Carried, as_carried
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.state import State
from s2s.transforms.read.storage.access import load
from s2s.transforms.read.storage.visibility import Path
from s2s.transforms.read.values import Abstract, Cell, Missing, Pooled, Ref, View, is_atom, is_number, unset_words
from s2s.transforms.read.wrapping import as_atom
from s2s.types import Array, Atom, dim_atom, size_literal, zero


class Before:
    """The state before a loop: the names that its body binds, the containers and storages that exist."""

    def __init__(self, reader: Reader, names: tuple[str, ...]) -> None:
        self.reader, self.names = reader, names
        self._cells: tuple[tuple[Any, ...], dict[Cell, int]] | None = None
        self.forget()
        self.look_again()

    def forget(self) -> None:
        """What readings of the body have shown."""
        self.kinds = Kinds(self.reader)
        self.lists: dict[Path, Carried] = {}
        """As in `Leaves`."""

    def look_again(self) -> None:
        """After lists were made arrays."""
        self.state: State = self.reader.state().copy()
        self.refs: tuple[Any, ...] = tuple(self.reader.heap)

    @property
    def cells(self) -> dict[Cell, int]:
        """The storages among `refs`, with their numbers in that order: there are hundreds of them in a long function, and few that a loop touches."""
        if self._cells is None or self._cells[0] is not self.refs:
            self._cells = self.refs, {ref: number for number, ref in enumerate(self.refs) if isinstance(ref, Cell)}
        return self._cells[1]

    def name(self, name: str) -> Abstract:
        """What a name stands for before the loop."""
        return self.state.names.get(name, unbound(name))

    def is_scalar(self, path: Path) -> bool:
        """Whether a path is a name, an attribute or an item that stands for a number or a scalar."""
        first, *rest = path
        if isinstance(first, str):
            value = self.state.names.get(first) if not rest else None
        else:
            content = self.state.heap[first] if len(rest) == 1 and isinstance(first, Ref) else None
            value = content.get(rest[0]) if isinstance(content, dict) else content[rest[0]] if isinstance(content, tuple) and rest[0] in range(len(content)) else None
        return is_atom(value) or is_number(value)

    def value(self, path: Path) -> Abstract:
        """The value at a path."""
        first, *rest = path
        value = self.name(first) if isinstance(first, str) else self.state.heap[first]
        if isinstance(first, Cell):
            return value
        while rest:
            key = rest.pop(0)
            if key is OWN:
                return unbound(str(first))
            if key in (KIND, OPTION):
                at = path[: len(path) - len(rest) - 1]
                value = self.kinds.place(at, value) if key is KIND else self.kinds.option(at, value, rest.pop(0), unbound(str(first)))
            elif key is NUMBER:
                value = value.number if isinstance(value, Pooled) else value if isinstance(value, Missing) else size_literal(-1)
            elif isinstance(value, Missing) and value.test is None:
                return value  # not bound before the loop: zeros
            elif key == VALUE:
                value = value.value if isinstance(value, Missing) else value
            elif isinstance(value, Ref):
                value = self.state.heap[value][key]
            elif isinstance(value, View):
                value = value.steps[key].operands[rest.pop(0)]  # type: ignore[union-attr]
            else:
                value = value[key]
        return value

    def initial(self, path: Path, leaf: Leaf) -> Atom:
        """What a leaf is in the first trip."""
        if leaf.kind == "maybe":
            before = self.value(path)
            return as_atom(self.reader, not isinstance(before, Missing) or before.test is not None and before.test)
        if len(path) > 2 and path[-2] == DIM:
            bound = not isinstance(self.value(path[:-2]), Missing)
            return dim_atom(self._array(path[:-2]).shape[path[-1]]) if bound else size_literal(0)
        before = self.value(path)
        if leaf.kind == "scalar":
            return zero(leaf.type) if isinstance(before, Missing) else converted(self.reader, before, leaf.type)
        if isinstance(before, Missing):
            return zeros(self.reader.builder, Array(leaf.type.dtype, tuple(0 if isinstance(dim, tuple) else dim for dim in leaf.shape))).atom
        return fitted(self.reader, self._array(path), leaf)

    def _array(self, path: Path) -> Any:
        before = self.value(path)
        if path in self.lists:
            return as_carried(self.reader, self.state.heap[before], self.lists[path])
        return load(self.reader, before) if isinstance(before, View) else self.reader.value(before)


def unbound(name: str) -> Missing:
    """What a name stands for that nothing has bound."""
    return Missing(unset_words(name) if not name.startswith("%") else "the function may end without a return", unset=True)
