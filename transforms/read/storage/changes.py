"""Which containers may be changed: those that nobody else sees."""
from __future__ import annotations

from typing import Any

from s2s.errors import UnsupportedError
from s2s.transforms.read.describing import describe
from s2s.transforms.read.failures import Found, MayBeAnother, NeedsInline, StoredOutside, ToBePooled
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.plans import refused
from s2s.transforms.read.values import Steps


def writable(reader: Reader, ref: Any) -> None:
    """Refuse a change of a container that someone else sees."""
    if ref.owner is None and not ref.merged:
        return
    if ref.owner is None:
        raise _refused_unless_apart(reader, ref, reader.unsupported(
            f"a change of {describe(reader, ref)}, which may or may not be what another name stands for", "make a new one, and bind the name to it",
            "whether it is depends on the path taken",
        ))  # fmt: skip
    if ref.owner == "the caller":
        raise NeedsInline
    refusal = reader.unsupported(
        f"a change of {ref.owner}", "make a new container and return it", "only arrays of the caller can be changed, not lists, dicts and objects"
    )
    if ref in reader.session.containers:
        error = StoredOutside(refusal, *reader.session.containers[ref], None)
        error.beside = _items_beside(reader, ref)
        raise error
    raise _refused_unless_apart(reader, ref, refusal)


def _items_beside(reader: Reader, ref: Any) -> list[Found]:
    """Such containers of the arguments whose places differ from this one's by positions in lists only: a loop that changes one (a row of a board) goes on to the next,
    and each would end a reading of its own.
    """
    thing, steps = reader.session.containers[ref]
    if steps[0][0] not in ("argument", "keyword"):
        return []
    others, like = reader.session.containers.values(), _without_positions(steps)
    return [(other, way, None, False) for other, way in others if other is not thing and type(other) is type(thing) and _without_positions(way) == like]


def _without_positions(steps: Steps) -> Steps:
    return (steps[0], *((how, None if isinstance(place, int) else place) for how, place in steps[1:]))


def _refused_unless_apart(reader: Reader, ref: Any, refusal: UnsupportedError) -> UnsupportedError:
    """What is raised where a container is changed that is one or another: it may be read, in a pool or if those that met are kept apart."""
    error = refused(reader, refusal, ref)
    return error if isinstance(error, ToBePooled) or not ref.places else MayBeAnother(error, ref.places)
