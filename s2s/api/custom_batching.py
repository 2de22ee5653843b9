"""Functions with rules of their own for batches: custom_vmap, sequential_vmap."""
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from s2s.api.ruled import Ruled
from s2s.errors import ArgumentTypeError, MissingRuleError

F = TypeVar("F", bound=Callable[..., Any])


class custom_vmap(Ruled):  # noqa: N801 - JAX's name
    """A function that vmap calls by a rule.

    The rule, which `def_vmap` sets, gets the number of examples, a list that says of each argument (of each leaf of containers) whether it is batched, and the
    arguments, batched ones with the axis of examples in front. It returns the results and, in containers like theirs, which of them are batched.

    Derivatives of the batch are those of the rule; of the function itself, without vmap, those of its body. Inside of branches and loops through which not all
    examples go in the same way each one calls the function itself.

    Raises
    ------
    AttributeError
        The function is called and no rule was set.
    ValueError
        When it is read: the rule's results have not the structure of the function's, or of what says which are batched.

    >>> import numpy as np, s2s
    >>> @custom_vmap
    ... def f(x, y):
    ...     return x + y
    >>> @f.def_vmap
    ... def f_batched(axis_size, in_batched, xs, ys):
    ...     return xs * ys, True
    >>> s2s.vmap(f)(np.arange(3.0), np.arange(1.0, 4.0))
    array([0., 2., 6.])
    """

    holds_function = True

    def __init__(self, fun: Callable[..., Any]) -> None:
        if not callable(fun):
            raise ArgumentTypeError(f"Expected a callable value, got {fun!r}", why="it is given to s2s.custom_batching.custom_vmap")
        functools.update_wrapper(self, fun, ("__name__", "__qualname__", "__doc__"), ())
        self.fun = fun
        self.vmap_rule: Callable[..., Any] | None = None

    def def_vmap(self, vmap_rule: F) -> F:
        """Set the rule, which is returned."""
        self.vmap_rule = vmap_rule
        return vmap_rule

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The plain function."""
        if self.vmap_rule is None:
            raise MissingRuleError(f"No batching rule defined for custom_vmap function {getattr(self.fun, '__name__', self.fun)} using def_vmap.")
        return self.fun(*args, **kwargs)


def sequential_vmap(f: F) -> F:
    """The function itself: a batch of any function is its examples one after the other where they are not simple arithmetic."""
    return f


__all__ = ["custom_vmap", "sequential_vmap"]
