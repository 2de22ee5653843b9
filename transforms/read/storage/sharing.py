"""What a result is to Python: which array of the caller, or which other result, seen through which steps (`staged.Seen`).

    return x[1:], x.T            views of the argument x
    return x if flag else 2 * x  x itself on one path
    a = np.zeros(3)
    return a, a[0]               a, and a view of it
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from s2s.transforms.ir.program import dims_of
from s2s.transforms.ir.staged import Chosen, Indexed, Operand, Origins, PartOfNumbers, Permuted, Result, Seen, SeenStep, Shaped
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.state import bound_in
from s2s.transforms.read.storage.access import load
from s2s.transforms.read.storage.cells import exchange_of
from s2s.transforms.read.values import Cell, Choice, Component, Part, Reshaped, Step, Transposed, View
from s2s.types import Atom, Literal, Var, dim_atom


class Sharing:
    """The results' origins. `own`: the caller's storages and the parameters that hold them; `params`: all parameters; `add` makes an
    atom a result.
    """

    def __init__(self, reader: Reader, own: Mapping[Cell, Var], params: tuple[Var, ...], add: Callable[[Atom], int]) -> None:
        self.reader, self.own, self.add = reader, own, add
        self.numbers: dict[Atom, Result] = {}
        self.bound: set[Atom] = {*bound_in(reader.builder), *params, *dims_of(params)}
        self.found: list[tuple[int, Seen]] = []
        self.new: dict[Cell, list[tuple[int, View]]] = {}

    def note(self, number: int, view: View) -> None:
        """Result `number` is this view. A diagonal (`np.einsum("ii->i", a)`) is given as an array of its own."""
        if has_diagonal(view):
            return
        origin = self._seen(view)
        if origin is not None:
            self.found.append((number, origin))
        else:
            self.new.setdefault(view.cell, []).append((number, view))

    def is_certain(self, view: View, before: Any = None) -> bool:
        """Whether a result that is this view is in Python surely the array that it will be: one of the caller's, or new. `before`: what stood in its place
        in an argument: where that may have stayed it is chosen at run time, or a copy takes its place.
        """
        cell, seen = view.cell, self._seen(view)
        if seen is not None and (_is_whole(seen) or isinstance(before, View)):
            return True
        stayed = before.cell if isinstance(before, View) else cell
        others = [other for other in self.reader.aliases.get(cell, ()) if other not in (cell, stayed)]
        if not cell.merged.isdisjoint(self.reader.session.exchanged) or cell.selected is not None:
            return False
        return not others and cell.choice is None if seen is None else all(other in self.own for other in others)

    def origins(self) -> Origins:
        """All that were noted, those among the results themselves with them."""
        for cell, views in self.new.items():
            if len(views) > 1:
                whole = next((number for number, view in views if not view.steps), None)
                base = self.add(load(self.reader, View(cell)).atom) if whole is None else whole
                self.found += [(number, Seen(Result(base), self._steps(view.steps))) for number, view in views if number != base]
        return tuple(self.found)

    def _seen(self, view: View) -> Seen | None:
        cell = view.cell
        if has_diagonal(view):
            return None
        if cell in self.own:
            return Seen(self.own[cell], self._steps(view.steps))
        if cell.choice is not None:
            return self._of_source(seen_through(cell.choice, view.steps))
        exchange = exchange_of(cell, self.reader.parked)
        if exchange is None:
            return None
        place = exchange.places[exchange.slots.index(cell)]
        options = tuple(self._seen(View(base)) for base in exchange.bases)
        return None if place not in self.bound or any(option is None for option in options) else Seen(Chosen(self._operand(place), options), self._steps(view.steps))

    def _of_choice(self, choice: Choice) -> Seen | None:
        """One of several arrays, of which at least one is the caller's."""
        options = tuple(map(self._of_source, (choice.one, choice.two)))
        if choice.test not in self.bound or all(option is None for option in options):
            return None
        return Seen(Chosen(self._operand(choice.test), options))

    def _of_source(self, source: View | Choice | None) -> Seen | None:
        if isinstance(source, Choice):
            return self._of_choice(source)
        return self._seen(source) if source is not None and self._is_visible(source) else None

    def _is_visible(self, view: View) -> bool:
        """Whether all that its steps name is bound at the function's own level."""
        return all(isinstance(atom, Literal) or atom in self.bound for step in view.steps for atom in _atoms(step))

    def _steps(self, steps: tuple[Step, ...]) -> tuple[SeenStep, ...]:
        return tuple(self._step(step) for step in steps)

    def _step(self, step: Step) -> SeenStep:
        match step:
            case Part():
                return Indexed(step.index, tuple(map(self._operand, step.operands)), step.where)
            case Transposed():
                return Permuted(step.axes)
            case Component():
                return PartOfNumbers(step.is_real)
            case Reshaped():
                return Shaped(tuple(self._operand(dim_atom(dim)) for dim in step.dims), step.ravel)

    def _operand(self, atom: Atom) -> Operand:
        if isinstance(atom, Literal):
            return atom
        if atom not in self.numbers:
            self.numbers[atom] = Result(self.add(atom))
        return self.numbers[atom]


def seen_through(source: View | Choice | None, steps: tuple[Step, ...]) -> View | Choice | None:
    """Each of the arrays seen through these steps."""
    if source is None or not steps:
        return source
    if isinstance(source, View):
        return View(source.cell, (*source.steps, *steps))
    return Choice(source.test, seen_through(source.one, steps), seen_through(source.two, steps))


def has_diagonal(view: View) -> bool:
    """Whether it is a view that no subscript makes."""
    return any(isinstance(step, Part) and step.is_diagonal for step in view.steps)


def _is_whole(seen: Seen) -> bool:
    """Whether it is one of the caller's arrays on each path, never a new one."""
    return not isinstance(seen.base, Chosen) or all(option is not None and _is_whole(option) for option in seen.base.options)


def _atoms(step: Step) -> tuple[Atom, ...]:
    match step:
        case Part():
            return step.operands
        case Reshaped():
            return tuple(dim_atom(dim) for dim in step.dims)
        case _:
            return ()
