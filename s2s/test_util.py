"""check_grads, under the name of jax.test_util."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from s2s.api import checks
from s2s.not_here import refusing


def check_grads(
    f: Callable[..., Any], args: Sequence[Any], order: int, modes: Sequence[str] = ("fwd", "rev"), atol: float | None = None, rtol: float | None = None, eps: float | None = None
) -> None:
    """Derivatives of `f` at `args` up to `order`, against differences: `s2s.check_grads` with jax.test_util's parameters.

    Raises
    ------
    GradientCheckError
        An AssertionError: a derivative is wrong.

    >>> import numpy as np
    >>> check_grads(np.sin, (0.5,), order=2, modes=["rev"])
    """
    checks.check_grads(f, tuple(args), order, modes=tuple(modes), atol=atol, rtol=rtol, eps=eps)


__all__ = ["check_grads"]

__getattr__ = refusing(__name__)
