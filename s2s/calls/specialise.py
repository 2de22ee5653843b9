"""From one call's types to a loaded module: from the cache, or made."""
from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from s2s.calls import index
from s2s.calls.guards import enter_and_look
from s2s.calls.request import Request, check_containers
from s2s.calls.rewrite import Rewritten
from s2s.calls.specialisation import Facts, Specialisation
from s2s.collection import uncollected
from s2s.errors import UnsupportedError
from s2s.outside import Itself
from s2s.progress import Shown


@uncollected()  # it imports what makes modules, which is kept as well
def specialise(transformed: Rewritten, request: Request, names: list[str]) -> Specialisation:
    """The module for this call: from the cache directory, or made."""
    check_containers(request.treedef)
    question = index.question(transformed, request)
    if question is not None and (found := index.lookup(question, transformed, request)) is not None:
        path, text, module, facts = found
    else:
        with Shown(transformed.public_name, "s2s reads and rewrites"):
            path, text, module, facts, injected = building().build(transformed, request, names)
        if question is not None:
            index.remember(question, path, facts, injected)
    return _finish(transformed, request, path, text, module, facts)


def building() -> Any:
    """The module `building`. With the rewrites and the code generator behind it, it takes longer to import than all the rest; a call that
    the cache answers does without.
    """
    from s2s.calls import building

    return building


def _finish(transformed: Rewritten, request: Request, path: Path, text: str, module: ModuleType, facts: Facts) -> Specialisation:
    run, statics = module.__dict__["_entry"], request.statics()
    enter, look = enter_and_look(transformed.root, tuple(access for access, _ in facts.hidden), facts.guards, run, statics)
    return Specialisation(
        run=run, module=module, path=path, enter=enter, look=look,
        hidden_types=tuple(type_ for _, type_ in facts.hidden),
        mutated=facts.mutated, stretch=facts.stretch, separate=facts.separate, distinct=facts.distinct, in_order=facts.in_order, given=facts.given, columns=facts.columns, changed=facts.changed, others=_others(facts), places=facts.places, text=text,
    )  # fmt: skip


def _others(facts: Facts) -> tuple[Any, ...]:
    return tuple(guard.value.object for guard in facts.guards if isinstance(guard.value, Itself)) if facts.changed else ()


def stretched_at_run_time(error: Exception) -> Exception | None:
    """What to raise where the reading has to decide what is stretched and more of the call may be known: a length is 1 in some trips or on some paths only, or a `try` catches
    what NumPy raises (`flow.caught.note_check`). None for NumPy's own error.
    """
    if isinstance(error, NotImplementedError):
        return error
    message = str(error.args[0]) if error.args else ""
    shapes = [tuple(int(size) for size in text.split(",") if size.strip()) for text in re.findall(r"\(([\d, ]*)\)", message)]
    into = shapes[-1] if "into shape" in message and shapes else None
    try:
        broadcast = np.broadcast_shapes(*shapes)
    except ValueError:
        return None
    if not shapes or into is not None and broadcast != into:
        return None
    shown = " and ".join(map(str, shapes))
    return UnsupportedError(
        f"arrays of shapes {shown} that are broadcast against each other in some trips of a loop or on some paths only",
        why="which axes are stretched is decided when the function is read; an array whose length changes from 1 to another can't be",
        instead="give it its final shape before the loop (np.broadcast_to, np.zeros(shape))",
    )
