"""What values hold: one answer for all who ask what still sees a storage, or what something was made of."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from types import FunctionType
from typing import Any

from s2s.records import fields
from s2s.transforms.read.callables import Closure
from s2s.transforms.read.storage.grown import Grown
from s2s.transforms.read.values import Abstract, Outside, Ref, StandIn, View


def parts_of(heap: Mapping[Any, Any], value: Abstract) -> Iterable[Abstract]:
    """What a value holds itself; of a function that is called inside (`Closure`) only its defaults: what it sees of the frames around, those say who ask."""
    match value:
        case tuple() | list():
            return value
        case dict():
            return tuple(value.values())
        case Ref():
            return (*_content(heap.get(value)), *_fields(value))
        case Closure():
            return tuple(value.defaults.values())
        case View() | Outside():
            return ()
        case Grown():
            return tuple(map(View, value.storages))
        case FunctionType():  # one of ours, by which a stand-in makes its items
            return tuple(_contents(value.__closure__ or ()))
        case partial():
            return (value.func, *value.args, *value.keywords.values())
    return _fields(value) if isinstance(value, StandIn) else ()


def _content(content: Any) -> Iterable[Abstract]:
    """What a container holds."""
    if isinstance(content, dict):
        return tuple(content.values())
    return (content,) if isinstance(content, Grown) else content or ()


def _fields(value: Any) -> Iterable[Abstract]:
    return tuple(getattr(value, each.name) for each in fields(type(value)))


def _contents(cells: Iterable[Any]) -> Iterator[Any]:
    """What a function of Python's sees of those around it, where it is bound already."""
    for cell in cells:
        with suppress(ValueError):
            yield cell.cell_contents


__all__ = ["parts_of"]
