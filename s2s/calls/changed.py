"""Containers of the arguments that a call changes, where a module is run with others like them: what it did to those is done to the caller's."""
from __future__ import annotations

from typing import Any

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


def same_containers(made: Called, called: Called) -> dict[int, Any]:
    """The caller's containers, by the ids of those that were made like them for a call."""
    return {id(mine): theirs for (mine, _), (theirs, _) in zip(containers_of(list(made)), containers_of(list(called)), strict=True)}


class Changing:
    """A container that was made for a call like one of the caller's, which the call changes; what each holds before it."""

    def __init__(self, made: Any, theirs: Any) -> None:
        self.made, self.theirs = made, theirs
        self.before, self.held = items_of(made), items_of(theirs)

    def carry_over(self, own: dict[int, Any]) -> None:
        """Change the caller's container as the one that was made for the call has changed. `own`: the caller's arrays and containers for those that stood for them."""
        theirs, before, held, after = self.theirs, self.before, self.held, items_of(self.made)
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
