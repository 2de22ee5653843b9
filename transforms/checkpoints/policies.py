"""What a checkpoint may keep: policies, asked of each equation. `s2s.checkpoint_policies` offers them under JAX's names.

A policy is called with the primitive (a row of the table), the types of its operands and its static parameters, and
says whether the equation's results may be kept for the reverse sweep.
"""
from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from s2s.records import dataclass, field

if TYPE_CHECKING:
    from s2s.transforms.primitives.row import Primitive
    from s2s.types import Array


class Policy(Protocol):
    """Whether the results of an equation may be kept."""

    def __call__(self, primitive: Primitive, *types: Array, **params: Any) -> bool: ...


@dataclass(frozen=True)
class Everything:
    """All values: as if there were no checkpoint."""

    def __call__(self, primitive: Primitive, *types: Array, **params: Any) -> bool:
        return True


@dataclass(frozen=True)
class Nothing:
    """No value: all is computed again from the inputs."""

    def __call__(self, primitive: Primitive, *types: Array, **params: Any) -> bool:
        return False


@dataclass(frozen=True)
class Dots:
    """Results of products (`@`, np.dot, np.einsum, …); with `no_batch` only of those without batch axes."""

    no_batch: bool

    def __call__(self, primitive: Primitive, *types: Array, **params: Any) -> bool:
        from s2s.transforms.primitives.contract import contract, letters  # a policy is made without the table of rows, and asked with it

        if primitive is not contract:
            return False
        first, second, result = letters(params["spec"])
        return not (self.no_batch and set(first) & set(second) & set(result))

    def __repr__(self) -> str:
        return f"DotsSaveable(only_if_no_batch_dims={self.no_batch})"


def _is_name(primitive: Primitive) -> bool:
    from s2s.transforms.primitives.structural import checkpoint_name

    return primitive is checkpoint_name


@dataclass(frozen=True)
class OnlyNames:
    """Values named (`checkpoint_name`) with one of these names."""

    names: frozenset[str]

    def __call__(self, primitive: Primitive, *types: Array, **params: Any) -> bool:
        return _is_name(primitive) and params["name"] in self.names

    def __repr__(self) -> str:
        return f"SaveOnlyTheseNames(saveable_names={sorted(self.names)})"


@dataclass(frozen=True)
class NamesBut:
    """Values named with any other name."""

    names: frozenset[str]

    def __call__(self, primitive: Primitive, *types: Array, **params: Any) -> bool:
        return _is_name(primitive) and params["name"] not in self.names

    def __repr__(self) -> str:
        return f"NamesBut({sorted(self.names)})"


@dataclass(frozen=True)
class AnythingBut:
    """All values but those named with one of these names."""

    names: frozenset[str]

    def __call__(self, primitive: Primitive, *types: Array, **params: Any) -> bool:
        return not (_is_name(primitive) and params["name"] in self.names)

    def __repr__(self) -> str:
        return f"AnythingBut({sorted(self.names)})"


@dataclass(frozen=True)
class Either:
    """What one or the other of two policies lets pass."""

    first: Policy
    second: Policy

    def __call__(self, primitive: Primitive, *types: Array, **params: Any) -> bool:
        answers = self.first(primitive, *types, **params), self.second(primitive, *types, **params)
        if not all(isinstance(answer, bool) for answer in answers):
            raise ValueError(f"The return value of the policies should be a boolean. Got: {answers[0]} and {answers[1]}.")
        return any(answers)


@dataclass(frozen=True)
class Own:
    """A function of the user's. `token` tells it from functions of other processes that happen to be printed alike."""

    function: Callable[..., Any]
    token: str = field(default_factory=lambda: uuid.uuid4().hex, compare=False)

    def __call__(self, primitive: Primitive, *types: Array, **params: Any) -> bool:
        return self.function(primitive, *types, **params)


EVERYTHING, NOTHING = Everything(), Nothing()
OURS = (Everything, Nothing, Dots, OnlyNames, NamesBut, AnythingBut, Either)


def as_policy(policy: Callable[..., Any] | None) -> Policy:
    """A policy from what a user gives: None is `NOTHING`, a function of his own is wrapped."""
    if policy is None:
        return NOTHING
    return policy if isinstance(policy, (*OURS, Own)) else Own(policy)
