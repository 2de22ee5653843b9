"""`Choices`: which of the caller's arrays a name stands for behind an If, on which path."""
from __future__ import annotations

from s2s.transforms.read.flow.branches.outs import Outs
from s2s.transforms.read.storage.sharing import has_diagonal, seen_through
from s2s.transforms.read.values import Cell, Choice, Part, Reshaped, Step, View
from s2s.types import Atom, atom_dim, dim_atom


class Choices:
    """What is known of arrays that are other ones on each path, said with what is known behind the If."""

    def __init__(self, outs: Outs) -> None:
        self.outs = outs
        self.sources: dict[Cell, tuple[View | Choice | None, View | Choice | None]] = {}

    def note(self, cell: Cell, a: View, b: View) -> None:
        """A storage that is a on the first path and b on the second."""
        sources = self._source(0, a), self._source(1, b)
        if any(source is not None for source in sources):
            self.sources[cell] = sources

    def tell(self, test: Atom) -> None:
        """Note for each array which one of the caller's it is on which path."""
        for cell, (one, two) in self.sources.items():
            cell.choice = Choice(test, one, two)

    def _source(self, side: int, view: View) -> View | Choice | None:
        """Which array of the caller one branch has, said with what is known behind the If."""
        if has_diagonal(view):
            return None
        found = view if view.cell.owner is not None else seen_through(view.cell.choice, view.steps)
        return None if found is None else self._lifted(side, found)

    def _lifted(self, side: int, source: View | Choice) -> View | Choice:
        if isinstance(source, View):
            return View(source.cell, tuple(self._step(side, step) for step in source.steps))
        one, two = (None if each is None else self._lifted(side, each) for each in (source.one, source.two))
        return Choice(self.outs.lifted(side, source.test), one, two)

    def _step(self, side: int, step: Step) -> Step:
        if isinstance(step, Part):
            return Part(step.index, tuple(self.outs.lifted(side, atom) for atom in step.operands), step.where)
        if isinstance(step, Reshaped):
            return Reshaped(tuple(atom_dim(self.outs.lifted(side, dim_atom(dim))) for dim in step.dims), step.ravel)
        return step
