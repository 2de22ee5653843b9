"""vjp: the forward sweep is one emitted module, the pullback another; the residuals of the first are arguments of the second."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s import rewrites
from s2s.checks import check_cotangent, float0_shapes, template, with_shapes
from s2s.errors import ArgumentTypeError
from s2s.second_half import SecondHalf
from s2s.transformed import Rewrite
from s2s.transforms.staged import Staged


def sweep(part: int, has_aux: bool) -> Rewrite:
    """Forward sweep (part 0) or pullback (part 1)."""

    def apply(staged: Staged, args: tuple[Any, ...]) -> Staged:
        from s2s.transforms import derive

        return derive.vjp(staged, has_aux=has_aux)[part]

    return Rewrite(("vjp_forward", "vjp_pullback")[part], {"has_aux": has_aux}, apply, takes_residuals=part == 1)


def apart(staged: Staged, has_aux: bool) -> tuple[Staged, Staged]:
    """Both halves, for vjp inside of the user's own code."""
    from s2s.transforms import derive

    return derive.vjp(staged, has_aux=has_aux)


def pull_back(fun: Callable[..., Any], primals: tuple[Any, ...], has_aux: bool) -> tuple[Any, ...]:
    """(out, pullback) or (out, pullback, aux)."""
    chosen = rewrites.options(fun)
    forward = rewrites.transformed(fun, sweep(0, has_aux), chosen).enabled()
    backward = rewrites.transformed(fun, sweep(1, has_aux), chosen).enabled()
    out, residuals, *aux = forward(*primals)
    made, run, shape = backward.pullback_of(forward, primals)
    like, shapes = template(out), float0_shapes(primals)

    def pullback(out_bar: Any, *more: Any) -> tuple[Any, ...]:
        if more:
            raise ArgumentTypeError(
                f"the pullback of {forward.name} was called with {1 + len(more)} arguments, but takes one: a cotangent of the single value that "
                f"{forward.name} returns, even if that is a tuple or other container", instead=f"pass ({', '.join(['…'] * (1 + len(more)))}) as one tuple",
            )  # fmt: skip
        bars = run(residuals, check_cotangent(forward.name, like, out_bar))
        return with_shapes(bars, shapes) if shapes else bars

    from s2s.api import vjp

    return out, SecondHalf(vjp, pullback, backward, made, shape, residuals, like), *aux
