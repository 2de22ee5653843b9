"""What lists, dicts and objects hold, and the containers in a container."""
from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from s2s import tree_nodes
from s2s.types import Opaque

Steps = tuple[tuple[str, Any], ...]
"""How a value is reached from an argument."""


def is_object(value: Any) -> bool:
    """Whether it is an object that is a container: a dataclass's, or of a class that the user registered."""
    return dataclasses.is_dataclass(value) and not isinstance(value, type) or tree_nodes.is_node(value)


def is_half(value: Any) -> bool:
    """Whether an object is what s2s.vjp or s2s.linearize gave outside: a container of its residuals (`s2s/calls/second_half.py`)."""
    return type(value).__name__ == "SecondHalf" and type(value).__module__.startswith("s2s.calls")


def attributes_of(value: Any) -> dict[str, Any]:
    """What an object holds, in slots too: a dataclass's fields first."""
    fields = [field.name for field in dataclasses.fields(value)] if dataclasses.is_dataclass(value) else []
    slots = [name for cls in reversed(type(value).__mro__) for name in _slots(cls)]
    return {**{name: getattr(value, name) for name in (*fields, *slots) if hasattr(value, name)}, **getattr(value, "__dict__", {})}


def _slots(cls: type) -> tuple[str, ...]:
    found = vars(cls).get("__slots__", ())
    return tuple(name for name in ((found,) if isinstance(found, str) else found) if name not in ("__dict__", "__weakref__"))


def items_of(container: Any) -> dict[Any, Any]:
    """What a container holds, by index, key or name."""
    if isinstance(container, list | tuple):
        return dict(enumerate(container))
    return dict(container) if isinstance(container, dict) else attributes_of(container)


def containers_of(value: Any, steps: Steps = ()) -> Iterator[tuple[Any, Steps]]:
    """The lists, dicts and objects that can be changed in an argument to which `steps` lead, the outermost first."""
    if isinstance(value, Opaque):  # a leaf
        return
    found = is_object(value) and not is_half(value)
    if found or isinstance(value, list | dict):
        yield value, steps
    if found or isinstance(value, list | tuple | dict):
        step = "attribute" if found and not isinstance(value, list | tuple | dict) else "item"
        for key, item in items_of(value).items():
            yield from containers_of(item, (*steps, (step, key)))
