"""`LoopSelections`: names that are one of several storages, another one in some trips; the loop carries which one it is.

    b = y
    for i in range(n):
        if c[i]: b = x           carried: b_which (0: y, 1: x)
        b[i] = 1.0               if b_which == 0: y[i] = 1.0, else: x[i] = 1.0

What a trip makes anew is one option more, OWN: carried as a whole, it is no storage of before the loop.
"""
from __future__ import annotations

from collections.abc import Callable, Container
from typing import Any

from s2s.records import replace
from s2s.transforms.read.flow.hoisting import Hoisting
from s2s.transforms.read.flow.loops.leaves import OWN, WHICH, Leaf, Leaves
from s2s.transforms.read.numpy.arithmetic import where
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import load
from s2s.transforms.read.storage.selected import options_of, seen_through, selected_cell, test_of
from s2s.transforms.read.storage.visibility import Path
from s2s.transforms.read.values import Abstract, Cell, Part, Reshaped, Selected, View
from s2s.types import SIZE, Array, Atom, Dim, Var, atom_dim, dim_atom, size_literal


class LoopSelections:
    """At the end of a trip. `cells`: the storages that there were before the loop; `is_outer`: whether a dimension is known there."""

    def __init__(self, reader: Reader, leaves: Leaves, cells: Container[Cell], found: dict[Path, Abstract], is_outer: Callable[[Dim], bool]) -> None:
        self.reader, self.leaves, self.cells, self.found, self.is_outer = reader, leaves, cells, found, is_outer

    def begin(self, path: Path, before: Abstract, name: str) -> bool:
        """Carry which storage is at a path from the next reading on; False if that is not possible."""
        if not isinstance(before, View) or not all(self._is_fixed(view) for view in leaves_of(before)):
            return False
        options = tuple(map(self._fixed, leaves_of(before)))
        self.leaves.plan.pop(path, None)
        self.leaves.selected[path] = options
        type_ = load(self.reader, options[0]).type
        self.leaves.seen[path] = Leaf("array", name, type_, type_.shape)
        for each in options:
            self._fit(path, load(self.reader, each).type, name)
        self.leaves.add((*path, WHICH), Leaf("scalar", f"{name}_which", SIZE))
        return True

    def compare(self, path: Path, head: View, end: View, name: str) -> bool:
        """What is at a path in the next trip; False if that can't be carried."""
        for view in map(self._fixed, leaves_of(end)):
            if place_in(self.leaves.selected[path], view) is None and not self._add(path, view, name):
                return False
        options = self.leaves.selected[path]
        self.found[(*path, WHICH)] = head.cell.selected.place if end.key == head.key and head.cell.selected is not None else number_of(self.reader, end, options, self._fixed)
        seen = load(self.reader, end)
        for axis, dim in enumerate(self.leaves.seen[path].shape):
            if isinstance(dim, tuple):
                self.found[dim] = dim_atom(seen.shape[axis])
        return not has_own(options) or (*path, OWN) not in self.leaves.cells or self._carry_own(path, end, name)

    def _carry_own(self, path: Path, end: View, name: str) -> bool:
        """What the trip made, or what an earlier one did, is carried."""
        kept = View(self.leaves.cells[(*path, OWN)])
        made = self._own(end)
        own = kept if made is None else made
        kept.cell.merged |= own.cell.merged
        self.found[(*path, OWN)] = own
        leaf, type_ = self.leaves.plan[(*path, OWN)], load(self.reader, own).type
        for dim, now in zip(leaf.shape, type_.shape, strict=True):
            if isinstance(dim, tuple):
                self.found[dim] = dim_atom(now)
            elif not self.reader.builder.same_size(dim, now):
                return False
        return True

    def _fit(self, path: Path, type_: Array, name: str) -> bool:
        """Carry the dimensions in which the options differ; False where they are no arrays of one kind."""
        known = self.leaves.seen[path]
        if (type_.dtype, type_.ndim) != (known.type.dtype, known.type.ndim):
            return False
        dims = tuple(
            dim if isinstance(dim, tuple) or self.reader.builder.same_size(dim, own) else self.leaves.add_size(path, axis, name)
            for axis, (dim, own) in enumerate(zip(known.shape, type_.shape, strict=True))
        )
        self.leaves.seen[path] = replace(known, shape=dims)
        return True

    def _is_there(self, cell: Cell) -> bool:
        """Whether a storage is there before the loop; an array from outside may be found in a trip."""
        return cell in self.cells or cell.initial is not None

    def _is_fixed(self, view: View) -> bool:
        """Whether a view stays what it is from trip to trip."""
        return self._is_there(view.cell) and all(self._is_outer_step(step) for step in view.steps)

    def _fixed(self, view: View) -> View:
        """The view with positions that are known before the loop as they are known there."""
        return View(view.cell, tuple(replace(step, operands=tuple(map(self._outer, step.operands))) if isinstance(step, Part) else step for step in view.steps))

    def _outer(self, atom: Atom) -> Atom:
        builder = self.reader.builder
        assert builder.outer is not None
        found = Hoisting(builder.outer, self.is_outer, self.leaves.before).atom(builder, atom)
        return atom if found is None else found

    def _is_outer_step(self, step: Any) -> bool:
        operands = map(self._outer, step.operands) if isinstance(step, Part) else [dim_atom(dim) for dim in step.dims] if isinstance(step, Reshaped) else ()
        return all(not isinstance(atom, Var) or self.is_outer(atom) for atom in operands)

    def _add(self, path: Path, view: View, name: str) -> bool:
        """One option more."""
        if self._is_there(view.cell) and not self._is_fixed(view):
            return False
        options, type_ = self.leaves.selected[path], load(self.reader, view).type
        if not self._fit(path, type_, name):
            return False
        if self._is_there(view.cell):
            self.leaves.selected[path] = (*options, view)
        elif view.steps or has_own(options):
            return has_own(options) and not view.steps
        else:
            self.leaves.selected[path] = (*options, OWN)
            shape = tuple(dim if self.is_outer(dim) else self.leaves.add_size((*path, OWN), axis, name) for axis, dim in enumerate(type_.shape))
            self.leaves.add((*path, OWN), Leaf("array", name, type_, shape))
        self.leaves.changed = True
        return True

    def _own(self, view: View) -> View | None:
        """What the trip made of a value: the storages that it is else are left out."""
        selected = view.cell.selected
        if selected is None:
            return None if self._is_there(view.cell) else view
        one, two = (self._own(seen_through(option, view)) for option in options_of(selected))
        if one is None or two is None or one.key == two.key:
            return one if two is None else two
        return View(selected_cell(self.reader, view.cell.name, self._type_of_either(selected, one, two), Selected(selected.place, selected.number, one, two), frozenset()))

    def _type_of_either(self, selected: Selected, one: View, two: View) -> Array:
        """What is seen of one or the other: each dimension that of the one that it is."""
        reader = self.reader
        first, second = load(reader, one).type, load(reader, two).type
        with building(reader.builder):
            dims = (
                a if reader.builder.same_size(a, b) else atom_dim(where(reader.value(test_of(reader, selected)), reader.value(dim_atom(a)), reader.value(dim_atom(b))).atom)
                for a, b in zip(first.shape, second.shape, strict=True)
            )
            return Array(first.dtype, tuple(dims))


def leaves_of(view: View) -> tuple[Any, ...]:
    """All that a view may be."""
    if view.cell.selected is None:
        return (view,)
    found = {each.key: each for option in options_of(view.cell.selected) for each in leaves_of(seen_through(option, view))}
    return tuple(found.values())


def has_own(options: tuple[Any, ...]) -> bool:
    """Whether what a trip makes is one of them."""
    return any(each is OWN for each in options)


def place_in(options: tuple[Any, ...], view: View) -> int | None:
    """The number of an option."""
    return next((number for number, each in enumerate(options) if each is not OWN and each.key == view.key), None)


def number_of(reader: Reader, view: View, options: tuple[Any, ...], fixed: Callable[[View], View] = lambda view: view) -> Atom:
    """Which option a value is; `fixed`: how the options' positions are written."""
    selected = view.cell.selected
    if selected is None:
        place = place_in(options, fixed(view))
        return size_literal(next(k for k, each in enumerate(options) if each is OWN) if place is None else place)
    one, two = (number_of(reader, seen_through(option, view), options, fixed) for option in options_of(selected))
    if one == two:
        return one
    with building(reader.builder):
        chosen: Atom = where(reader.value(test_of(reader, selected)), reader.value(one), reader.value(two)).atom
    return chosen


def selected_view(reader: Reader, path: Path, leaves: Leaves, variables: dict[Path, Var]) -> View:
    """What is at a path at the start of a trip, or behind the loop."""
    place, name = variables[(*path, WHICH)], leaves.plan[(*path, WHICH)].name.removesuffix("_which")
    views = [_own_view(reader, (*path, OWN), leaves, variables) if each is OWN else each for each in leaves.selected[path]]
    found: View = views[-1]
    seen = leaves.seen[path]
    type_ = Array(seen.type.dtype, tuple(variables[dim] if isinstance(dim, tuple) else dim for dim in seen.shape))
    for number in range(len(views) - 2, -1, -1):
        found = View(selected_cell(reader, name, type_, Selected(place, number, views[number], found), frozenset((leaves.place, name))))
    return found


def _own_view(reader: Reader, path: Path, leaves: Leaves, variables: dict[Path, Var]) -> View:
    cell = leaves.cells.setdefault(path, Cell(leaves.plan[path].name, contiguous=False))
    reader.heap[cell] = variables[path]
    return View(cell)


__all__ = ["LoopSelections", "leaves_of", "number_of", "selected_view"]
