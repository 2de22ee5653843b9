"""The names that a comprehension binds for itself."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import libcst as cst

from s2s.transforms.read.reader import Reader
from s2s.transforms.read.syntax.frame import Frame
from s2s.transforms.read.syntax.scope import Scope, names_bound
from s2s.transforms.read.values import Missing


def _names_of(node: Any) -> set[str]:
    """The names of a comprehension's targets."""
    targets: set[str] = set()
    loop: Any = node.for_in
    while loop is not None:
        targets |= set(names_bound(loop.target))
        loop = loop.inner_for_in
    return targets


@contextmanager
def own_names(reader: Reader, node: Any) -> Iterator[None]:
    """Bind a comprehension's names for its own time."""
    targets = _names_of(node)
    scope = reader.frame.scope
    before = {name: reader.frame.names[name] for name in targets if name in reader.frame.names}
    bound, shared = scope.bound, scope.shared
    scope.bound, scope.shared = bound | targets, shared - targets
    frame, around = reader.frame, reader.frame.comprehensions
    own = Frame(frame.tree, Scope((), frozenset(targets), frozenset()), frame.name, None, None, outer=around[-1] if around else frame, is_comprehensions=True, is_open=True, hidden=before, bound_around=bound, shared_around=shared)
    frame.comprehensions = (*around, own)
    try:
        yield
    finally:
        scope.bound, scope.shared = bound, shared
        frame.comprehensions = around
        lasts = {name: reader.frame.names[name] for name in targets if name in reader.frame.names}
        own.names.update(lasts if not isinstance(node, cst.GeneratorExp) else {name: _passed(name) for name in lasts})
        own.is_open = False
        for name in targets:
            reader.frame.names.pop(name, None)
        reader.frame.names.update(before)


def _passed(name: str) -> Missing:
    """What a generator expression's name stands for behind it: what it is when a function is called that uses it, depends on how many items were taken by then."""
    return Missing(f"{name}, the name of a generator expression, in a function that is called behind it", f"a default: lambda …, {name}={name}: …")


__all__ = ["own_names"]
