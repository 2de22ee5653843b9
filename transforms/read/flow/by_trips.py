"""Loops that are read trip by trip: one reading of the body for each item."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from s2s.errors import UnsupportedError
from s2s.transforms.ir.program import Node
from s2s.transforms.read.flow.caught import settle
from s2s.transforms.read.flow.iteration import trip_item, trips
from s2s.transforms.read.flow.joining import unless_left
from s2s.transforms.read.flow.once import rest_of
from s2s.transforms.read.iterations import Iteration
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.syntax.frame import BROKE, CONTINUED, RAISED, RETURNED
from s2s.transforms.read.syntax.scope import assigned
from s2s.transforms.read.syntax.source import statements_of
from s2s.types import Literal

UNROLL_LIMIT = 4096
"""Trips of a loop that is read trip by trip."""
LEFT_EARLY_LIMIT = 48
"""Trips of such a loop behind one that may leave it: each stands inside of the branch of the one before it, and Python reads 100 levels at most."""


class NotByTrips(UnsupportedError):
    """A loop that would have to be read trip by trip can't be: it is too long for that, or only the run knows where it ends."""


def unrolled(reader: Reader, body: list[Any], iteration: Iteration, bind: Any, number: int = 0, *, most: int | None = None) -> None:
    """Read the body once for each item, from this one on: what is appended to the list that the loop goes through, too. `most`: nodes that may be made of it."""
    live, failed = reader.frame.live, len(reader.errors)
    measured, made = len(reader.builder.nodes), 0
    while number < (count := trips(reader, iteration, number)):
        if count > UNROLL_LIMIT or reader.session.is_spent():
            raise NotByTrips(
                f"a loop of {count} trips that must be read one by one", where=reader.builder.where, instead="loop over range(…) and index an array"
            )
        made, measured = made + nodes_made(reader.builder.nodes[measured:]), len(reader.builder.nodes)
        if most is not None and made > most:
            raise NotByTrips(f"a loop of {count} trips that each make much", where=reader.builder.where, instead="loop over range(…) and index an array")
        reader.frame.live = live | reader.frame.scope.header.get(_loop_of(reader, body), live)
        pending = len(reader.pending)
        bind(trip_item(reader, iteration, number))
        settle(reader, pending)
        number += 1
        reader.rules.execute(body)
        names = reader.frame.names
        names[CONTINUED] = False
        if reader.raised or any(names[signal] is True for signal in (BROKE, RETURNED, RAISED)) or len(reader.errors) > failed:
            break  # what fails in one trip fails in the next one too
        if not all(isinstance(names[signal], bool) for signal in (BROKE, RETURNED, RAISED)):
            _rest_of_trips(reader, body, iteration, bind, number)
            break
    reader.frame.live = live


def _loop_of(reader: Reader, body: list[Any]) -> Any:
    """The loop whose body this is."""
    for loop in reader.frame.scope.header:
        if body and next(iter(statements_of(loop.body)), None) is body[0]:  # type: ignore[attr-defined]
            return loop
    return None


def _rest_of_trips(reader: Reader, body: list[Any], iteration: Iteration, bind: Any, number: int) -> None:
    """The trips behind one that may have left the loop."""
    iteration = rest_of(reader, iteration, number)
    count = trips(reader, iteration, number) - number
    if count <= 0:
        return
    if count > LEFT_EARLY_LIMIT:
        raise NotByTrips(
            f"a loop that must be read trip by trip and may be left early, with {count} trips still to come", where=reader.builder.where,
            why=f"each trip stands in a branch of the one before it; there may be {LEFT_EARLY_LIMIT}", instead="loop over range(…) and index an array",
        )  # fmt: skip
    live = reader.frame.live | assigned(body)
    unless_left(reader, (BROKE, RETURNED, RAISED), lambda: unrolled(reader, body, iteration, bind, number), live)


def known_count(iteration: Iteration) -> int:
    """How many trips there are, by their bounds; 0 where those are not known."""
    bounds = iteration.lo, iteration.hi, iteration.step
    if not all(isinstance(bound, Literal) for bound in bounds):
        return 0
    return len(range(*(int(bound.value) for bound in bounds)))  # type: ignore[union-attr,arg-type]


def nodes_made(nodes: Iterable[Node]) -> int:
    """Nodes, those of their blocks too."""
    return sum(1 + sum(len(block.inside) for block in node.blocks) for node in nodes)


__all__ = ["LEFT_EARLY_LIMIT", "UNROLL_LIMIT", "NotByTrips", "known_count", "nodes_made", "unrolled"]
