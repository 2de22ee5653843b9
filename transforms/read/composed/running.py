"""What waits for a computation in JAX: here a call is done when it returns."""
from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def block_until_ready(x: T) -> T:
    """`x`, which is computed: a call is done when it returns.

    >>> block_until_ready(2.0)
    2.0
    """
    return x


def effects_barrier() -> None:
    """Wait for prints and callbacks: they are done when the call that they belong to is.

    >>> effects_barrier()
    """


EXPORTED = {function.__name__: function for function in (block_until_ready, effects_barrier)}
"""By the names that they have in s2s."""
