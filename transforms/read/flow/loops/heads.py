"""What names and storages are at the start of a trip, and behind the loop: as before it, but for what is carried."""
from __future__ import annotations

from typing import Any

from s2s.transforms.read.flow.loops.before import Before, unbound
from s2s.transforms.read.flow.loops.leaves import KIND, NUMBER, OPTION, VALUE, Leaf, Leaves
from s2s.transforms.read.flow.loops.lists import list_of
from s2s.transforms.read.flow.loops.selections import selected_view
from s2s.transforms.read.flow.options import is_runtime_kind
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.visibility import Path
from s2s.transforms.read.values import Abstract, Cell, DictRef, ListRef, Missing, ObjectRef, OneOf, Part, Pooled, Ref, View, remake
from s2s.types import Var


class Heads:
    """Puts the variables of the leaves where these stand. `sure`: names that are surely bound there."""

    def __init__(self, reader: Reader, before: Before, leaves: Leaves, variables: dict[Path, Var], sure: frozenset[Path]) -> None:
        self.reader, self.before, self.leaves, self.variables, self.sure = reader, before, leaves, variables, sure

    def install(self) -> None:
        """Into the reader's state."""
        reader, touched = self.reader, self._touched()
        for ref in self.before.refs:
            content = self.before.state.heap[ref]
            if ref not in touched:
                reader.heap[ref] = content
            else:
                reader.heap[ref] = self.variables.get((ref,), content) if isinstance(ref, Cell) else self._contents((ref,), ref, content)
        for name in self.before.names:
            reader.frame.names[name] = self._head(self.before.name(name), (name,))

    def _touched(self) -> set[Any]:
        """The storages, containers and names in which something is another thing in each trip: few of many."""
        leaves = self.leaves
        paths = (self.variables, leaves.plan, leaves.spoiled, leaves.kinds.found, leaves.selected, leaves.templates, leaves.pools, leaves.containers)
        return {path[0] for each in paths for path in each}

    def _contents(self, path: Path, ref: Ref, content: Any) -> Any:
        if isinstance(ref, ListRef):
            return tuple(self._head(item, (*path, k)) for k, item in enumerate(content)) if isinstance(content, tuple) else content
        return {key: self._head(item, (*path, key)) for key, item in content.items()}

    def _head(self, value: Abstract, path: Path) -> Abstract:
        """A value with its carried leaves replaced."""
        if path in self.leaves.spoiled:
            return self.leaves.spoiled[path]
        if path in self.leaves.kinds.found:
            return self._one_of(path)
        if path in self.leaves.selected:
            return selected_view(self.reader, path, self.leaves, self.variables)
        leaf = self.leaves.plan.get(path)
        if leaf is not None:
            return self._leaf(value, path, leaf)
        value = self.leaves.templates.get(path, value)
        if path in self.leaves.pools:
            return Pooled(self.leaves.pools[path], self.variables[(*path, NUMBER)])
        if isinstance(value, Pooled):
            return Pooled(value.pool, self.variables.get((*path, NUMBER), value.number))
        if path in self.leaves.containers:
            return self._container(value, path)
        if isinstance(value, tuple):
            return remake(value, [self._head(item, (*path, k)) for k, item in enumerate(value)])
        if isinstance(value, View):
            return View(value.cell, tuple(self._step(step, (*path, k)) for k, step in enumerate(value.steps)))
        return value

    def _one_of(self, path: Path) -> OneOf:
        """A value of one of several kinds."""
        options = (
            self._head(value, (*path, OPTION, number)) if is_runtime_kind(value) else value
            for number, value in enumerate(self.leaves.kinds.found[path])
        )
        return OneOf(self.variables[(*path, KIND)], tuple(options))

    def _leaf(self, value: Abstract, path: Path, leaf: Leaf) -> Abstract:
        """What is carried itself."""
        if leaf.kind == "scalar":
            return self.variables[path]
        if leaf.kind == "array":
            cell = self.leaves.cell_of(path)
            self.reader.heap[cell] = self.variables[path]
            return View(cell) if path not in self.leaves.lists else list_of(self.reader, View(cell), self.leaves.lists[path])
        inner = (*path, VALUE)
        first = value if not isinstance(value, Missing) else value.value if value.test is not None else self.leaves.templates[inner]
        bound = self._head(first, inner)
        missing = self.leaves.missing.get(path, value)
        if not isinstance(missing, Missing) or missing.error != "AttributeError":
            missing = unbound(str(path[-1]))
        return bound if path in self.sure else Missing(missing.what, test=self.variables[path], value=bound, error=missing.error)

    def _container(self, value: Any, path: Path) -> Ref:
        """Another container in each trip."""
        other = "another container, in some trip"
        ref: Ref = type(value)(other, origins=value.origins) if isinstance(value, ListRef) else type(value)(other, value.kind)
        if isinstance(value, DictRef) and isinstance(ref, DictRef):
            ref.origins = value.origins
        if isinstance(value, DictRef | ObjectRef) and isinstance(ref, DictRef | ObjectRef):
            ref.tables = value.tables
        ref.merged = True
        content = self.leaves.contents[path] if path in self.leaves.contents else self.before.state.heap[value]
        self.reader.heap[ref] = self._contents(path, value, content)
        return ref

    def _step(self, step: Any, path: Path) -> Any:
        if not isinstance(step, Part):
            return step
        return Part(step.index, tuple(self.variables.get((*path, k), atom) for k, atom in enumerate(step.operands)), step.where)
