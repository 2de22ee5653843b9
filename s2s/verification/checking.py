"""The checks of `check_grads` and `s2s verify`, one by one."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from s2s.codegen.targets import TARGETS
from s2s.errors import ArgumentValueError, GradientCheckError
from s2s.verification.batches import batch_row
from s2s.verification.checked_functions import case_of
from s2s.verification.gradient_checks import Checks, Options, Row

MODES = ("fwd", "rev")
BATCHED = "vmap"
"""The mode of `s2s verify` that looks at batches."""


def check_modes(modes: Sequence[str], known: tuple[str, ...] = MODES) -> tuple[str, ...]:
    """The modes as a tuple; ArgumentValueError for unknown ones."""
    chosen = (modes,) if isinstance(modes, str) else tuple(modes)
    if not chosen or not set(chosen) <= set(known):
        raise ArgumentValueError(f"check_grads: modes must be among {' and '.join(map(repr, known))}, not {modes!r}")
    return chosen


def check_target(target: str | None) -> str | None:
    """The target; ArgumentValueError for an unknown one."""
    if target not in (None, *TARGETS):
        raise ArgumentValueError(f"unknown target {target!r}", instead="one of cpu, numpy")
    return target


def check_rows(f: Callable[..., Any], args: tuple[Any, ...], order: int, options: Options, kwargs: dict[str, Any]) -> Iterator[Row]:
    """The checks one by one, the value first."""
    if not isinstance(order, (int, np.integer)) or order < 1:
        raise ArgumentValueError(f"check_grads: order must be a positive int, not {order!r}")
    case, off, size = case_of(f, args, kwargs)
    name = f"value of {case.what}"
    allowed = (1e-5 if case.single else 1e-11) * (1.0 + size)
    row = Row(name, "", off, allowed)
    if not off <= allowed:
        failure = GradientCheckError(f"{name}: what s2s reads differs from what Python computes by {off:.3g}", where=case.function.where, why="this is a fault of s2s, unless the function depends on more than its arguments", instead="please report it")  # fmt: skip
        failure.check = name
        row = Row(name, "", off, allowed, failure)
    yield row
    if BATCHED in options.modes:
        yield batch_row(f, args, kwargs, options.target, options.seed)
    if set(options.modes) & set(MODES):
        yield from Checks(options).rows(case, int(order))
