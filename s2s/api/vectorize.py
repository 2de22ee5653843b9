"""numpy.vectorize, as `jax.numpy`'s: a function of small arrays along all other axes of its arguments, by vmap."""
from __future__ import annotations

import functools
from collections.abc import Callable, Collection
from typing import Any

from s2s import registry
from s2s.api.jit import jit
from s2s.calls.making import readable
from s2s.calls.switch import DISABLED
from s2s.errors import ArgumentTypeError
from s2s.transforms.batching.core_axes import core_axes, wrong_number


class Vectorized:
    """A function along all axes that are not its own. `fun`: what it does for one example."""

    holds_function = True

    def __init__(self, fun: Callable[..., Any], excluded: Collection[int | str], signature: str | None) -> None:
        functools.update_wrapper(self, fun, ("__name__", "__qualname__", "__doc__"), ())
        self.fun: Any = readable(fun)
        self.excluded, self.signature = tuple(sorted(excluded, key=str)), signature
        self._jitted: dict[Any, Any] = {}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Its results, with the axes along which the arguments are broadcast in front."""
        wrong = wrong_number(self.signature, self.excluded, len(args)) if self.signature is not None else None
        if wrong:
            raise ArgumentTypeError(wrong)
        given: dict[int | str, Any] = dict(enumerate(args))
        given.update(kwargs)
        static = tuple(key for key in self.excluded if isinstance(given.get(key), str | int | type(None)) or callable(given.get(key)))
        if static not in self._jitted:
            names = tuple(key for key in static if isinstance(key, str) and key in kwargs)
            self._jitted[static] = jit(self, static_argnums=tuple(key for key in static if isinstance(key, int) and key < len(args)), static_argnames=names)
        made = self._jitted[static]
        return made.enabled().run_enabled(args, kwargs) if DISABLED.get() else made(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<s2s vectorize of {self.fun!r}>"


def vectorize(pyfunc: Callable[..., Any], *, excluded: Collection[int | str] = frozenset(), signature: str | None = None) -> Vectorized:
    """`pyfunc` along all axes of its arguments that are not its own, which are broadcast against each other, as `jax.numpy.vectorize`.

    Parameters
    ----------
    pyfunc
        A function of numbers, or, by `signature`, of small arrays.
    excluded
        Positions or names of arguments that are passed as they are.
    signature
        Which axes at the end are the function's own, as NumPy's: "(n,m),(m)->(n)". None: numbers.

    Raises
    ------
    TypeError, ValueError
        `excluded` or `signature` are no such; when it is called: arguments or results that don't fit the signature.

    >>> import numpy as np
    >>> apply = vectorize(np.dot, signature="(n,m),(m)->(n)")
    >>> apply(np.ones((4, 2, 3)), np.ones(3)).shape
    (4, 2)
    >>> vectorize(lambda a, b: a - b if a > b else a + b)(np.array([1.0, 2.0, 3.0]), 2.0)
    array([3., 4., 1.])
    """
    if any(not isinstance(each, str | int) for each in excluded):
        raise TypeError(f"s2s.numpy.vectorize can only exclude integer or string arguments, but excluded={excluded!r}")
    if any(isinstance(each, int) and each < 0 for each in excluded):
        raise ValueError(f"excluded={excluded!r} contains negative numbers")
    if signature is not None:
        core_axes(signature)
    return Vectorized(pyfunc, excluded, signature)


def applied(fun: Callable[..., Any], excluded: tuple[int | str, ...], signature: str | None, *args: Any, **kwargs: Any) -> Any:
    """vectorize(fun, …)(*args, **kwargs): what its call is inside of functions that are read."""
    return Vectorized(fun, excluded, signature)(*args, **kwargs)


registry.makers().update(vectorized=applied)
__all__ = ["Vectorized", "applied", "vectorize"]
