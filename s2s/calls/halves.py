"""The two halves of a derivative, for vjp and linearize: a module that keeps residuals, and one that takes them.

The second is made for the module that runs, before that runs: what the function stores outside may be what both are made of.
"""
from __future__ import annotations

from contextvars import ContextVar
from typing import Any, Protocol

from s2s.calls.leaves import ready
from s2s.calls.request import Request, leaf_names
from s2s.calls.rewrite import Rewritten
from s2s.calls.specialisation import Half, Specialisation
from s2s.errors import InternalError
from s2s.records import replace
from s2s.tree_util import tree_flatten, tree_unflatten


class First(Protocol):
    """What keeps residuals."""

    name: str
    lasting: Specialisation | None

    def entered(self, last: Specialisation, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any: ...

    def called(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any: ...


class Second(Rewritten, Protocol):
    """What takes them."""

    def specialisation(self, request: Request, args: tuple[Any, ...]) -> Specialisation: ...


class Pairing:
    """A call of the first half that asks for the second one."""

    def __init__(self, first: First, second: Second) -> None:
        self.first, self.second = first, second
        self.half: Half | None = None

    def about_to_run(self, found: Specialisation, request: Request, args: tuple[Any, ...]) -> None:
        """Make the second half for this module, unless an earlier call has."""
        if found.half is None:
            found.half = _half_of(self.second, found, request, args)
        self.half = found.half


PAIRING: ContextVar[Pairing | None] = ContextVar("pairing", default=None)
"""Of the call of a first half that is under way."""


def run_first(first: First, second: Second, args: tuple[Any, ...]) -> tuple[Any, Half]:
    """What the first half gives for a call, and its second half."""
    last = first.lasting
    if last is not None and last.half is not None:
        result = first.entered(last, args, {})
        if result is not NotImplemented:
            return result, last.half
    pairing = Pairing(first, second)
    token = PAIRING.set(pairing)
    try:
        result = first.called(args, {})
    finally:
        PAIRING.reset(token)
    if pairing.half is None:
        raise InternalError(f"the first half of {first.name} ran without its second one")
    return result, pairing.half


def _half_of(second: Second, found: Specialisation, request: Request, args: tuple[Any, ...]) -> Half:
    asked = replace(request, after=found.path.name)
    made = second.specialisation(asked, args)
    public = getattr(made.module, second.public_name)

    def run(*given: Any) -> tuple[Any, ...]:
        leaves, treedef = tree_flatten(given)
        try:
            result: tuple[Any, ...] = public(*tree_unflatten(treedef, [ready(leaf, mutated=False) for leaf in leaves]))
        except Exception as error:
            made.explained(error)
            raise
        return result

    return Half(made, run, asked.shape(leaf_names(second, args, asked.treedef)))
