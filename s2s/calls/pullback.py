"""vjp: the forward sweep is one emitted module, the pullback another; the residuals of the first are arguments of the second."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s.calls.array_likes import with_arrays
from s2s.calls.checks import check_cotangent, float0_shapes, template, with_shapes
from s2s.calls.halves import run_first
from s2s.calls.second_half import SecondHalf
from s2s.calls.transformations import VJP, of
from s2s.errors import ArgumentTypeError


def pull_back(fun: Callable[..., Any], primals: tuple[Any, ...], has_aux: bool, maker: Callable[..., Any]) -> tuple[Any, ...]:
    """(out, pullback) or (out, pullback, aux)."""
    forward, backward = (of(VJP, fun, part, has_aux=has_aux).enabled() for part in (0, 1))
    (out, residuals, *aux), half = run_first(forward, backward, primals)
    like, shapes = template(out), float0_shapes(with_arrays(primals))

    def pullback(residuals: Any, out_bar: Any, *more: Any) -> tuple[Any, ...]:
        if more:
            raise ArgumentTypeError(
                f"the pullback of {forward.name} was called with {1 + len(more)} arguments, but takes one: a cotangent of the single value that "
                f"{forward.name} returns, even if that is a tuple or other container", instead=f"pass ({', '.join(['…'] * (1 + len(more)))}) as one tuple",
            )  # fmt: skip
        bars = half.run(residuals, check_cotangent(forward.name, like, out_bar))
        return with_shapes(bars, shapes) if shapes else bars

    return out, SecondHalf(maker, pullback, backward, half, residuals, like), *aux
