"""Derivatives written as JAX's tracer writes them, for a jaxpr: the same rules, in another order.

    y = sin(x)                     y = sin(x)
    y_bar = …               ->     cos = cos(x)             what the rule needs of values stands beside its equation,
    x_bar = mul(cos(x), y_bar)     …                        not where it is first read
                                   x_bar = mul(y_bar, cos)  a tangent before what it is multiplied by

In emitted programs the order is ours: what is computed late need not be kept.
"""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_TRACED: ContextVar[bool] = ContextVar("s2s_traced_order", default=False)


@contextmanager
def traced_order(*, traced: bool = True) -> Iterator[None]:
    """Inside, derivatives are written in a tracer's order, or not."""
    token = _TRACED.set(traced)
    try:
        yield
    finally:
        _TRACED.reset(token)


def is_traced_order() -> bool:
    """Whether derivatives are written in a tracer's order."""
    return _TRACED.get()


__all__ = ["is_traced_order", "traced_order"]
