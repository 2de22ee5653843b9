"""`Selections`: arrays that are other storages on each path, and stay them: the run selects into which of them a store goes.

    a = x if flag else x.copy()      the storage of a is that of x if flag holds, that of the copy otherwise
"""
from __future__ import annotations

from typing import Any

from s2s.transforms.read.flow.branches.outs import Outs, placeholder
from s2s.transforms.read.storage.cells import note_selected
from s2s.transforms.read.values import Cell, Part, Reshaped, Selected, Step, View
from s2s.types import Array, Atom, Var, atom_dim, dim_atom


class Selections:
    """Those of one If, said with what is known behind it. `before`: what the heap held before the If."""

    def __init__(self, outs: Outs) -> None:
        self.outs = outs
        self.before: frozenset[Any] = frozenset()
        self.made: dict[Cell, tuple[View, View]] = {}
        self.lifted: dict[Cell, Cell] = {}

    def add(self, cell: Cell, one: tuple[View, Array], two: tuple[View, Array]) -> None:
        """A storage that is one of these on each path; each with the type of what is seen of it."""
        (a, first), (b, second) = one, two
        dims = tuple(self.outs.dim(dim_atom(x), dim_atom(y)) for x, y in zip(first.shape, second.shape, strict=True))
        self.outs.reader.heap[cell] = Var(cell.name or "selected", Array(first.dtype, dims))
        self.made[cell] = self.behind(0, a), self.behind(1, b)

    def tell(self, test: Atom) -> None:
        """What is selected by the If's test."""
        for cell, (one, two) in self.made.items():
            cell.selected = Selected(test, None, one, two)
            note_selected(self.outs.reader, cell)

    def behind(self, side: int, view: View) -> View:
        """A view of one path, behind the If."""
        return View(self._cell(side, view.cell), tuple(self._step(side, step) for step in view.steps))

    def _cell(self, side: int, cell: Cell) -> Cell:
        """A storage that one path has: made on it, it holds something on the other path too."""
        if cell in self.before or cell.initial is not None:  # an array from outside may be found on a path
            return cell
        if cell not in self.lifted:
            found = cell.selected
            self.lifted[cell] = cell if found is None else Cell(cell.name, contiguous=cell.contiguous, merged=cell.merged)
            if found is None:
                self._lift_content(side, cell)
            else:
                self._lift_selected(side, cell, found)
        return self.lifted[cell]

    def _lift_selected(self, side: int, cell: Cell, found: Selected) -> None:
        reader, lifted = self.outs.reader, self.lifted[cell]
        type_ = reader.heap[cell].type
        dims = tuple(atom_dim(self.outs.lifted(side, dim_atom(dim))) for dim in type_.shape)
        reader.heap[lifted] = Var(cell.name or "selected", Array(type_.dtype, dims))
        lifted.selected = Selected(self.outs.lifted(side, found.place), found.number, self.behind(side, found.one), self.behind(side, found.two))
        note_selected(reader, lifted)

    def _lift_content(self, side: int, cell: Cell) -> None:
        branch = (self.outs.one, self.outs.two)[side]
        other = placeholder(self.outs, 1 - side, View(cell))
        pair = branch.state.heap[cell], (self.outs.two, self.outs.one)[side].state.heap[other.cell]
        self.outs.reader.heap[cell] = self.outs.content(*(pair if side == 0 else pair[::-1]), cell.name)

    def _operand(self, side: int, atom: Atom) -> Atom:
        """A position, computed before the If where that is possible."""
        outs = self.outs
        branch = (outs.one, outs.two)[side]
        found = outs.before(branch, atom)
        return outs.lifted(side, atom) if found is None else found

    def _step(self, side: int, step: Step) -> Step:
        if isinstance(step, Part):
            if step.is_diagonal:
                raise self.outs.reader.unsupported("a store into what is a diagonal on one path (np.einsum)", "a store on each path")
            return Part(step.index, tuple(self._operand(side, atom) for atom in step.operands), step.where)
        if isinstance(step, Reshaped):
            return Reshaped(tuple(atom_dim(self.outs.lifted(side, dim_atom(dim))) for dim in step.dims), step.ravel)
        return step
