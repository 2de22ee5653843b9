"""Derivatives by differences, for checking only: extrapolated central differences, what they are worth, kinks and jumps.

Method: central differences at shrinking steps, extrapolated to step 0 (C. J. F. Ridders, Accurate computation of F'(x)
and F'(x) F''(x), Advances in Engineering Software 4, 1982); of the whole table the entry whose neighbours differ least.
"""
from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

Along = Callable[[float], tuple[np.ndarray, ...]]
"""t -> the results at x + t * direction."""

_FIRST, _SHRINK, _LEVELS = 0.02, 3.0, 7
_CLOSE = (1e-4, 1e-5, 1e-6)
"""Steps of the second look: one side at a time."""


class Verdict(enum.Enum):
    """What differences say about a derivative."""

    SAME = "agrees"
    WRONG = "is wrong"
    KINK = "kink"
    JUMP = "jump"
    UNKNOWN = "differences do not settle"


@dataclass(frozen=True)
class Slope:
    """The derivative of one result along a direction, elementwise, and an estimate of the error in it."""

    value: np.ndarray
    error: np.ndarray


def slopes(along: Along, precision: float, eps: float | None = None) -> tuple[Slope, ...]:
    """The derivatives of all results at t = 0. `precision`: the rounding error of the results; `eps`: just this one step."""
    steps = [eps] if eps is not None else [_FIRST * _SHRINK**-level for level in range(_LEVELS)]
    with np.errstate(all="ignore"):
        sides = [(along(step), along(-step)) for step in steps]
        count = len(sides[0][0])
        return tuple(_extrapolated(steps, [(up[k], down[k]) for up, down in sides], precision) for k in range(count))


def _extrapolated(steps: list[float], sides: list[tuple[np.ndarray, np.ndarray]], precision: float) -> Slope:
    best: np.ndarray | None = None
    error = np.asarray(np.inf)
    row: list[np.ndarray] = []
    for step, (up, down) in zip(steps, sides, strict=True):
        new = [(np.asarray(up) - np.asarray(down)) / (2 * step)]
        noise = precision * (np.abs(up) + np.abs(down)) / step
        factor = 1.0
        for old in row:
            factor *= _SHRINK**2
            new.append((factor * new[-1] - old) / (factor - 1.0))
        for k, entry in enumerate(new):
            neighbours = [new[k - 1], row[k - 1]] if k else row[:1]
            guess = np.max([np.abs(entry - other) for other in neighbours], axis=0) if neighbours else np.full(np.shape(entry), np.inf)
            guess = np.where(np.isfinite(guess), guess, np.inf) + noise
            if best is None:
                best, error = entry, guess
                continue
            better = guess < error
            best, error = np.where(better, entry, best), np.where(better, guess, error)
        row = new
    assert best is not None
    if len(steps) == 1:
        error = np.zeros(np.shape(best))
    return Slope(best, error)


@dataclass(frozen=True)
class Tolerance:
    """|found - wanted| <= absolute + relative * |wanted|; `fixed`: nothing is allowed for the differences' own error."""

    absolute: float
    relative: float
    fixed: bool = False

    def allowed(self, wanted: np.ndarray, error: np.ndarray) -> np.ndarray:
        size = np.max(np.abs(wanted), initial=0.0) if np.all(np.isfinite(wanted)) else 0.0
        slack = 0.0 if self.fixed else 10.0 * np.where(np.isfinite(error), error, 0.0)
        return np.asarray(self.absolute + self.relative * np.maximum(np.abs(wanted), 0.01 * size) + slack)


@dataclass(frozen=True)
class Comparison:
    """One found derivative against differences. `at`: the element that is worst (for scalars ())."""

    verdict: Verdict
    found: complex = 0.0
    wanted: complex = 0.0
    at: tuple[int, ...] = ()
    left: complex = 0.0
    right: complex = 0.0

    @property
    def amount(self) -> float:
        return float(abs(self.found - self.wanted))


def compare(found: np.ndarray, slope: Slope, tolerance: Tolerance, look: Callable[[float], np.ndarray], precision: float) -> Comparison:
    """A derivative against its slope; where they differ `look` (t -> this result) is asked for each side alone."""
    found = np.asarray(found)
    wanted, error = np.broadcast_to(slope.value, found.shape), np.broadcast_to(slope.error, found.shape)
    allowed = tolerance.allowed(wanted, error)
    off = np.abs(found - wanted)
    settled = np.where(np.isfinite(error), error, np.inf) <= 1e-3 * (1.0 + np.abs(wanted))
    bad = ~(off <= allowed) | (~settled & (not tolerance.fixed))
    if not np.any(bad):
        worst = tuple(int(i) for i in np.unravel_index(int(np.argmax(off)), off.shape)) if off.size else ()
        return Comparison(Verdict.SAME, _at(found, worst), _at(wanted, worst), worst)
    places = np.argwhere(bad)
    places = places[np.argsort([-_finite(off[tuple(place)]) for place in places], kind="stable")]
    results = [_second_look(found, wanted, tuple(int(i) for i in place), look, precision) for place in places[:8]]
    order = (Verdict.WRONG, Verdict.KINK, Verdict.JUMP, Verdict.UNKNOWN, Verdict.SAME)
    return min(results, key=lambda each: order.index(each.verdict))


def _at(array: np.ndarray, place: tuple[int, ...]) -> complex:
    value: complex = np.asarray(array[place]).item() if array.size else 0.0
    return value


def _finite(value: float) -> float:
    return float(value) if np.isfinite(value) else np.inf


def _second_look(found: np.ndarray, wanted: np.ndarray, place: tuple[int, ...], look: Callable[[float], np.ndarray], precision: float) -> Comparison:
    """One element, near by: do both sides go to the same slope, and is it what was found?"""
    here = _at(np.asarray(look(0.0)), place)
    mine, theirs = _at(found, place), _at(wanted, place)
    sides = [((_at(np.asarray(look(step)), place) - here) / step, (here - _at(np.asarray(look(-step)), place)) / step) for step in _CLOSE]
    right, left = sides[-1]
    noise = [20 * precision * (1.0 + abs(here)) / step for step in _CLOSE]
    gaps = [abs(one - other) for one, other in sides]
    size = max(abs(right), abs(left), 1e-6)

    def verdict(kind: Verdict) -> Comparison:
        return Comparison(kind, mine, theirs, place, left, right)

    if not (np.isfinite(right) and np.isfinite(left)):
        finite = np.isfinite(theirs) and not np.isfinite(mine)
        return verdict(Verdict.WRONG if finite else Verdict.UNKNOWN)
    if gaps[-1] > 10 * noise[-1] and gaps[-1] > 1e-3 * size:
        if gaps[-1] > 5 * gaps[0] and gaps[-1] > 20 * noise[-1]:
            return verdict(Verdict.JUMP)
        if gaps[-1] > 0.3 * gaps[0]:
            return verdict(Verdict.KINK)
    middle = (right + left) / 2
    if abs(middle - mine) <= 1e-4 * (1.0 + abs(middle)) + noise[-1] + gaps[-1]:
        return verdict(Verdict.SAME)
    if gaps[-1] > 0.1 * size:
        return verdict(Verdict.UNKNOWN)
    return Comparison(Verdict.WRONG, mine, theirs if abs(theirs - middle) < 0.01 * size else middle, place, left, right)
