"""Containers of the arguments that a call changes, where a module is run with others like them: what it did to those is done to the caller's."""
from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

from s2s import tree_util
from s2s.outside import Access

Called = tuple[tuple[Any, ...], dict[str, Any]]
"""Arguments by position and by name."""


def check_distinct(changed: tuple[Access, ...], others: tuple[Any, ...], called: Called) -> None:
    """ValueError where what is changed might be another container that the function looks at."""
    kinds = {type(at(access, called)) for access in changed}
    found = [*(each for each in _containers(list(called)) if type(each) in kinds), *others]
    if len({id(each) for each in found}) < len(found):
        raise ValueError("a container that this function changes stands in two places of its arguments" + (", or is one that it reads from outside" if others else ""))


def at(access: Access, called: Called) -> Any:
    """The container of a call's arguments to which these steps lead."""
    (kind, key), *rest = access.steps
    found = called[0][key] if kind == "argument" else called[1][key]
    for step, name in rest:
        found = getattr(found, name) if step == "attribute" else found[name]
    return found


def slots_of(container: Any) -> dict[Any, Any]:
    """What a container holds, by index, key or name."""
    if isinstance(container, list):
        return dict(enumerate(container))
    if isinstance(container, dict):
        return dict(container)
    names = [name for cls in type(container).__mro__ for name in _names(vars(cls).get("__slots__", ()))]
    return {**{name: getattr(container, name) for name in names if hasattr(container, name)}, **getattr(container, "__dict__", {})}


def carry_over(access: Access, made: Called, before: dict[Any, Any], called: Called, own: dict[int, np.ndarray]) -> None:
    """Change the caller's container as the one that was `made` for the call has changed since it held `before`. `own`: the caller's arrays for those that stood for them."""
    mine, theirs = at(access, made), at(access, called)
    after, held = slots_of(mine), slots_of(theirs)
    now = {key: held[key] if key in before and before[key] is value else own.get(id(value), value) for key, value in after.items()}
    if isinstance(theirs, list):
        if len(after) == len(before):
            for number in (number for number in now if now[number] is not held[number]):
                theirs[number] = now[number]
        else:
            theirs[:] = now.values()
    elif isinstance(theirs, dict):
        if list(after)[: len(held)] != list(held):
            theirs.clear()
        theirs.update(now)
    else:
        for name in (name for name in now if name not in held or now[name] is not held[name]):
            object.__setattr__(theirs, name, now[name])


def _containers(value: Any) -> Iterator[Any]:
    """The lists, dicts and objects in a container, at any depth."""
    if isinstance(value, list | tuple):
        parts: Any = value
    elif isinstance(value, dict):
        parts = value.values()
    elif dataclasses.is_dataclass(value) and not isinstance(value, type) or tree_util.is_node(value):
        parts = slots_of(value).values()
    else:
        return
    if not isinstance(value, tuple):
        yield value
    for part in parts:
        yield from _containers(part)


def _names(slots: Any) -> tuple[str, ...]:
    return (slots,) if isinstance(slots, str) else tuple(name for name in slots if name not in ("__dict__", "__weakref__"))
