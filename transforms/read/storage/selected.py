"""A storage that is one of several, as the run decides: what is seen of it is asked of each, and a store goes into the one that it is.

    a = x if flag else x.copy()      a = View(cell), cell.selected = Selected(flag, None, View(x), View(the copy))
    a[0] = 1.0                       if flag: x[0] = 1.0
                                     else: the copy[0] = 1.0
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s.transforms.ir.program import If
from s2s.transforms.primitives.arithmetic import equal
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.state import Branch
from s2s.transforms.read.storage.cells import note_selected
from s2s.transforms.read.values import Cell, Selected, View
from s2s.types import Array, Atom, Var, size_literal


def selected_cell(reader: Reader, name: str, type_: Array, selected: Selected, merged: frozenset[Any]) -> Cell:
    """A cell that is one of two storages."""
    cell = Cell(name, contiguous=_is_contiguous(selected.one) and _is_contiguous(selected.two), selected=selected, merged=merged)
    reader.heap[cell] = Var(name or "selected", type_)
    note_selected(reader, cell)
    return cell


def _is_contiguous(view: View) -> bool:
    return view.cell.contiguous and not view.steps


def options_of(selected: Selected) -> tuple[View, View]:
    """What it may be."""
    return selected.one, selected.two


def seen_through(option: View, view: View) -> View:
    """What a view of a selected storage is where that is this option."""
    return View(option.cell, (*option.steps, *view.steps))


def test_of(reader: Reader, selected: Selected) -> Atom:
    """Whether it is the first."""
    if selected.number is None:
        return selected.place
    key = ("is storage", selected.place, selected.number)
    if key not in reader.builder.numbered:
        (test,) = reader.builder.equation(equal, (selected.place, size_literal(selected.number)), name="is_it")
        reader.builder.numbered[key] = test
    found: Atom = reader.builder.numbered[key]
    return found


def version(reader: Reader, cell: Cell) -> tuple[Any, ...]:
    """What changes with each store into any of the storages that a cell may be."""
    if cell.selected is not None:
        return tuple(version(reader, option.cell) for option in options_of(cell.selected))
    exchange = reader.parked.get(cell)
    return (reader.heap[cell],) if exchange is None else tuple(version(reader, slot) for slot in exchange.slots)


def stored_into_each(reader: Reader, view: View, store: Callable[[View], None]) -> None:
    """Store through a view of a selected storage: `store` is called for each that it may be, on a path of its own."""
    selected = view.cell.selected
    assert selected is not None
    test = test_of(reader, selected)
    branches = []
    for option in options_of(selected):
        branch = reader.fork()
        with reader.inside(branch):
            store(seen_through(option, view))
        branches.append(branch)
    _join_stores(reader, test, *branches)


def _join_stores(reader: Reader, test: Atom, one: Branch, two: Branch) -> None:
    """What storages hold behind two paths that did nothing but store."""
    refs = dict.fromkeys(ref for ref in (*one.state.heap, *two.state.heap) if isinstance(ref, Cell) and (ref in reader.heap or ref.initial is not None))
    contents = {ref: (one.state.heap[ref], two.state.heap[ref]) for ref in refs}
    changed = [ref for ref, pair in contents.items() if any(each is not reader.heap[ref] for each in pair)]
    outs = [Var(ref.name or "stored", reader.heap[ref].type) for ref in changed]
    reader.named.update(outs)
    then, orelse = (branch.builder.block(*(contents[ref][side] for ref in changed)) for side, branch in enumerate((one, two)))
    reader.builder.add(If(tuple(outs), test, then, orelse, reader.builder.where))
    reader.heap.update(zip(changed, outs, strict=True))
