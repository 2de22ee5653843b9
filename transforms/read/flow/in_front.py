"""What stands in front of the brackets of an item that is read or stored."""
from __future__ import annotations

from typing import Any

import libcst as cst

from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.rows import row_place
from s2s.transforms.read.syntax.frame import Frame
from s2s.transforms.read.syntax.rows import OF_ROWS, of_own_rows
from s2s.transforms.read.values import Abstract


def in_front(reader: Reader, node: Any) -> Abstract:
    """Its value; a row of a list of lists of the function's own stays where it stands."""
    match node:
        case cst.Subscript(value=cst.Name(value=name), slice=[cst.SubscriptElement(slice=cst.Index(value=index, star=None))]) if name in _of_own_rows(reader):
            base, key = reader.rules.evaluate(node.value), reader.rules.evaluate(index)
            place = row_place(reader, base, key)
            return reader.rules.item(base, key) if place is None else place
    return reader.rules.evaluate(node)


def _of_own_rows(reader: Reader) -> frozenset[str]:
    """The names of such lists; none where a name of Python's stands for something else."""
    frame: Frame | None = reader.frame
    known = {*(reader.frame.namespace or ())}
    while frame is not None:
        known |= frame.scope.bound
        frame = frame.outer
    return of_own_rows(reader.frame.tree.node) if known.isdisjoint(OF_ROWS) else frozenset()


__all__ = ["in_front"]
