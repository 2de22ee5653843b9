"""Containers of the arguments that a call changes, where a module is run with others like them: what it did to those is done to the caller's."""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.containers import containers_of, items_of
from s2s.outside import Access

Called = tuple[tuple[Any, ...], dict[str, Any]]
"""Arguments by position and by name."""


def check_distinct(changed: tuple[Access, ...], others: tuple[Any, ...], called: Called) -> None:
    """ValueError where what is changed might be another container that the function looks at."""
    kinds = {type(at(access, called)) for access in changed}
    found = [*(each for each, _ in containers_of(list(called)) if type(each) in kinds), *others]
    if len({id(each) for each in found}) < len(found):
        raise ValueError("a container that this function changes stands in two places of its arguments" + (", or is one that it reads from outside" if others else ""))


def at(access: Access, called: Called) -> Any:
    """The container of a call's arguments to which these steps lead."""
    (kind, key), *rest = access.steps
    found = called[0][key] if kind == "argument" else called[1][key]
    for step, name in rest:
        found = getattr(found, name) if step == "attribute" else found[name]
    return found


def carry_over(access: Access, made: Called, before: dict[Any, Any], called: Called, own: dict[int, np.ndarray]) -> None:
    """Change the caller's container as the one that was `made` for the call has changed since it held `before`. `own`: the caller's arrays for those that stood for them."""
    mine, theirs = at(access, made), at(access, called)
    after, held = items_of(mine), items_of(theirs)
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
