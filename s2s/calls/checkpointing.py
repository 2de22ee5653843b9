"""What `s2s.checkpoint` makes: a function like the user's, which keeps less when it is differentiated."""
from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter
from typing import TYPE_CHECKING, Any

import numpy as np

from s2s.calls import making
from s2s.calls.rewrite import Options, Rewrite
from s2s.calls.transformations import programs
from s2s.calls.transformed import Transformed
from s2s.errors import ArgumentTypeError, ArgumentValueError
from s2s.records import replace
from s2s.transformation import Calling, Step, Transformation
from s2s.transforms.checkpoints.policies import EVERYTHING, as_policy

if TYPE_CHECKING:
    from s2s.transforms.ir.staged import Staged

CONCRETE = "The `concrete` option to `checkpoint` is not supported, as in JAX since v0.10: mark what must be known with `static_argnums`"


def _rewrite(of: Transformation, part: int, *, policy: Callable[..., bool], steps: int | str | None) -> Rewrite:
    def apply(staged: Staged, args: tuple[Any, ...]) -> Staged:
        if steps is not None:
            staged = replace(staged, function=programs().snapshots.with_snapshots(staged.function, None if steps == "auto" else int(steps)))
        made: Staged = programs().checkpoint.checkpointed(staged, policy)
        return made

    return Rewrite(of, part, {"policy": policy, "steps": steps}, apply)


CHECKPOINT = Transformation(
    "checkpoint", (Step("checkpoint", ""),), Calling.SAME, ("policy", "steps"), takes_objects=False, rewrite=_rewrite, apart=None
)
"""It has no title, as it changes no result; called, it is the function itself."""


class Checkpointed(Transformed):
    """checkpoint(f): called, it is f itself; its derivatives follow the policy."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self.check_static(args)
        return self.fun(*args, **kwargs)

    def check_static(self, args: tuple[Any, ...]) -> None:
        """ValueError unless static_argnums name arguments of the call."""
        _check_range(self.options.static_argnums, len(args))

    def _all_names_of_statics(self) -> frozenset[str]:
        kinds = [parameter.kind for parameter in self.signature.parameters.values()] if self.signature else [Parameter.VAR_POSITIONAL]
        if Parameter.VAR_POSITIONAL not in kinds:
            _check_range(self.options.static_argnums, sum(kind is not Parameter.KEYWORD_ONLY and kind is not Parameter.VAR_KEYWORD for kind in kinds))
        return super()._all_names_of_statics()


def _check_range(numbers: tuple[int, ...], count: int) -> None:
    if not all(-count <= number < count for number in numbers):
        raise ArgumentValueError(
            "the `static_argnums` argument to `s2s.checkpoint` / `s2s.remat` can only take integer values greater than or equal to "
            f"`-len(args)` and less than `len(args)`, but got {numbers}, while `len(args)` = {count}"
        )


def checkpointed(fun: Callable[..., Any], policy: Any, steps: int | bool | str | None, options: Options) -> Transformed:
    """The Checkpointed of this function."""
    chosen = EVERYTHING if steps is not None and policy is None else as_policy(policy)
    steps = "auto" if steps is True else steps
    return making.transformed(fun, CHECKPOINT.made(policy=chosen, steps=steps), options, Checkpointed)


def check_options(prevent_cse: Any, policy: Any, static_argnums: Any, concrete: Any, steps: Any) -> None:
    """Raise what JAX raises for options that can't be used."""
    if concrete:
        raise NotImplementedError(CONCRETE)
    if not isinstance(prevent_cse, bool | tuple | list):
        raise ArgumentTypeError(f"prevent_cse must be a bool or tuple of bools, got type(prevent_cse)={type(prevent_cse)}")
    if policy is not None and not callable(policy):
        raise ArgumentTypeError(f"policy must be a callable or None, got {policy!r}", instead="one of s2s.checkpoint_policies")
    numbers = static_argnums if isinstance(static_argnums, tuple) else (static_argnums,)
    if not all(type(number) is int for number in numbers):
        raise ArgumentTypeError(
            f"the `static_argnums` argument to `s2s.checkpoint` / `s2s.remat` must be an int or a tuple of ints, but got value {static_argnums}"
        )
    if steps is None or steps is True or steps == "auto":
        return
    if not isinstance(steps, int | np.integer) or isinstance(steps, bool):
        raise ArgumentTypeError(f"steps must be a positive int, True or 'auto', but got {steps!r}")
    if steps < 1:
        raise ArgumentValueError(f"steps must be at least 1, but got {steps}", why="the state at the start of a loop is the first snapshot")
