"""Whether a run may still decide which axes are stretched: not where the reading has to, because a run has failed by that (`Request.tell_stretched`).

    for i in range(n):
        s += np.sum(P + v[i : i + 1 + i % 2])      one element long in every other trip: read trip by trip
"""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_DECIDED: ContextVar[bool] = ContextVar("s2s_stretching_decided", default=False)


@contextmanager
def stretching(*, decided: bool) -> Iterator[None]:
    """Inside, lengths that only the run could compare are refused, if all stretching must be decided."""
    token = _DECIDED.set(decided)
    try:
        yield
    finally:
        _DECIDED.reset(token)


def is_decided() -> bool:
    """Whether the reading must decide which axes are stretched."""
    return _DECIDED.get()


__all__ = ["is_decided", "stretching"]
