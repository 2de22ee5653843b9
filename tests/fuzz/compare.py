"""When two numbers agree, and when nothing can be said of their last digits.

Two ways to the same number differ by rounding, and a program may make rounding as large as it likes: 27 steps of a chaotic
recurrence turn an ulp into 0.004. So where numbers differ, the way that is known to be right is run again with its arguments
moved by an ulp. What it moves by then is what rounding can do; a difference of that size is skipped, a larger one is a fault.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from s2s import tree_util

BIG = 1e5
"""Programs with larger values or derivatives are left out: nothing can be said of their last digits."""

MOVES = 100
"""How many times what an ulp in the arguments does is allowed: a program rounds that often."""


class Fault(Exception):
    """A wrong number, or an error that should not be."""


class Skip(Exception):
    """Nothing can be said about this program."""


Movement = Callable[[], Sequence[float]]
"""How much each leaf of a result moves when the arguments move by an ulp; only asked for where numbers differ."""


def nudged(values: tuple[Any, ...], seed: int) -> tuple[Any, ...]:
    """The values, all that are not integers moved by about an ulp, each element up or down for itself."""
    rng = np.random.default_rng(seed)
    return tuple(_nudge(value, rng) for value in values)


def _nudge(value: Any, rng: np.random.Generator) -> Any:
    kind = np.asarray(value).dtype
    if kind.kind not in "fc":
        return value
    signs = rng.choice([-1.0, 1.0, 2.0], size=np.shape(value))
    moved = value * (1.0 + signs * 2.0 * np.finfo(kind).eps)
    return type(value)(moved) if not isinstance(value, np.ndarray) else moved.astype(kind)


def movement(run: Callable[[tuple[Any, ...]], Any], args: tuple[Any, ...]) -> list[float]:
    """How much each leaf of `run(args)` moves when the arguments move by an ulp: inf where its shape changes."""
    base = [np.asarray(leaf) for leaf in tree_util.tree_leaves(run(args))]
    moved = [0.0] * len(base)
    for seed in range(4):
        near = [np.asarray(leaf) for leaf in tree_util.tree_leaves(run(nudged(args, seed)))]
        if [leaf.shape for leaf in near] != [leaf.shape for leaf in base]:
            return [np.inf] * len(base)
        moved = [max(most, float(np.max(np.abs(one - other), initial=0.0))) for most, one, other in zip(moved, near, base, strict=True)]
    return moved


def compare(found: Any, wanted: Any, what: str, moves: Movement | None = None, *, coarse: float = 1.0, dtypes: bool = True) -> None:
    """Same structure, shapes, dtypes (where `dtypes`), numbers to 1e-11 times `coarse`; Skip where they are as close as rounding lets them be."""
    if tree_util.tree_structure(found) != tree_util.tree_structure(wanted):
        raise Fault(f"{what}: another structure: {tree_util.tree_structure(found)}")
    for number, (one, other) in enumerate(zip(tree_util.tree_leaves(found), tree_util.tree_leaves(wanted), strict=True)):
        a, b = np.asarray(one), np.asarray(other)
        if a.shape != b.shape or (dtypes and a.dtype != b.dtype):
            raise Fault(f"{what}, leaf {number}: {a.dtype}{a.shape} instead of {b.dtype}{b.shape}")
        if np.allclose(a, b, rtol=1e-11 * coarse, atol=1e-11 * coarse, equal_nan=True):
            continue
        off = float(np.max(np.abs(a - b)))
        if moves is not None and off <= MOVES * moves()[number]:
            raise Skip("moves as much with an ulp in its arguments")
        raise Fault(f"{what}, leaf {number}: another value\n{a}\ninstead of\n{b}")


def dotted(left: tuple[Any, ...], right: tuple[Any, ...]) -> tuple[float, float]:
    """⟨left, right⟩, real parts of it as JAX pairs tangents and cotangents, and the size of its terms."""
    terms = [(float(np.sum(np.real(a * b))), float(np.sum(np.abs(a * b)))) for a, b in zip(left, right, strict=True)]
    return sum(term for term, _ in terms), sum(size for _, size in terms)


def agree(one: tuple[float, float], other: tuple[float, float], tolerance: float, what: str, moves: Movement | None = None) -> None:
    """The two numbers differ by no more than a part of their terms' sizes; Skip where rounding alone moves them more."""
    (a, size_a), (b, size_b) = one, other
    if abs(a - b) <= tolerance * (1.0 + size_a + size_b):
        return
    if moves is not None and abs(a - b) <= MOVES * max(moves()):
        raise Skip("moves as much with an ulp in its arguments")
    raise Fault(f"{what}: {b!r} instead of {a!r}")


def finite(values: tuple[Any, ...]) -> None:
    """Skip where a number is not finite or too big."""
    for value in values:
        if not np.all(np.isfinite(value)) or np.max(np.abs(value), initial=0.0) > BIG:
            raise Skip("big derivatives")


def random_like(rng: np.random.Generator, value: Any) -> Any:
    """A random direction of a value's shape and dtype, complex where that is."""
    kind = np.asarray(value).dtype
    drawn = rng.normal(size=np.shape(value))
    if kind.kind == "c":
        drawn = drawn + 1j * rng.normal(size=np.shape(value))
    return drawn.astype(kind) if isinstance(value, np.ndarray | np.generic) else type(value)(drawn)
