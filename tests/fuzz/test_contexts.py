"""Programs that call programs (`contexts`) give what Python gives, raise what Python raises, or are refused; their derivatives are slopes."""
from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from outcomes import outcome, same

import s2s
from fuzz import contexts
from fuzz.bounds import Tally
from fuzz.check import load
from fuzz.seeds import seeds
from s2s.errors import UnsupportedError

COUNT, SLOPES = 16, 8
ARGUMENTS = ((np.array([0.75, -0.5, 1.25, 2.0]), 2.0, 3), (np.array([0.3, 1.5, -1.0, 0.6]), 0.25, 2), (np.array([1.0, 2.0, 3.0, -4.0]), -1.5, 1))
ALONG = np.array([0.3, -0.7, 0.5, 1.1]), 0.9


def without_words(found: Any) -> Any:
    """An outcome without what an exception says: which of two that surely fail is told first is not Python's business."""
    (kind, value), arrays = found
    return ((kind, None), arrays) if issubclass(kind, BaseException) else found


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("part", range(3))
def test_values(part: int) -> None:
    tally = Tally("contexts")
    for seed in seeds(part, 3, COUNT):
        module = contexts.text(seed)
        f = load(module).f
        run = s2s.jit(f, target="numpy")
        kind, reason = "right", ""
        for args in (ARGUMENTS[seed % 3], ARGUMENTS[(seed + 1) % 3]):
            try:
                wanted = outcome(f, args)
                if not same(outcome(f, args), wanted):
                    kind = "skipped"  # it goes on from what an earlier call has stored
                    break
                found = outcome(run, args)
            except UnsupportedError as error:
                kind, reason = "refused", str(error.what)
                break
            assert same(without_words(found), without_words(wanted), types=False) or is_known(found, wanted), f"{module}\n{args}: {found} instead of {wanted}"
        tally.add(kind, reason)
    tally.check()


def is_known(found: Any, wanted: Any) -> bool:
    """What the documentation says is otherwise: an index out of bounds whose element nobody uses; an exception that is told by reading, before anything is stored."""
    return wanted[0][0] is IndexError or issubclass(found[0][0], Exception) and issubclass(wanted[0][0], Exception)


def value_at(g: Callable[..., Any], args: tuple[Any, ...], step: float) -> float:
    x, y, n = copy.deepcopy(args)
    return float(g(x + step * ALONG[0], y + step * ALONG[1], n))


def slope(g: Callable[..., Any], args: tuple[Any, ...]) -> float | None:
    """The central difference; None where it has none (at a kink both sides have slopes of their own), or the program raises."""
    try:
        here = value_at(g, args, 0.0)
        if here != value_at(g, args, 0.0):
            return None
        sides = [(value_at(g, args, step) - here) / step for step in (1e-5, -1e-5)]
        if abs(sides[0] - sides[1]) > 1e-2 * (1 + abs(sides[0])):
            return None
        found = [(value_at(g, args, step) - value_at(g, args, -step)) / (2 * step) for step in (1e-5, 3e-6)]
    except Exception:  # noqa: BLE001 whatever Python raises
        return None
    return found[0] if np.isfinite(found[0]) and abs(found[0] - found[1]) <= 1e-5 * (1 + abs(found[0])) else None


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("part", range(3))
def test_slopes(part: int) -> None:
    tally = Tally("contexts")
    for seed in seeds(part, 3, SLOPES):
        module = contexts.text(1_000_000 + seed)
        g, args = load(module).g, ARGUMENTS[seed % 3]
        wanted = slope(g, args)
        if wanted is None:
            tally.add("skipped")
            continue
        x, y, n = copy.deepcopy(args)
        run = s2s.jit(g, target="numpy")
        try:
            _, forward = s2s.jvp(lambda x, y, run=run, n=n: run(x, y, n), (x.copy(), y), ALONG)
            _, pullback = s2s.vjp(lambda x, y, run=run, n=n: run(x, y, n), x.copy(), y)
        except UnsupportedError as error:
            tally.add("refused", str(error.what))
            continue
        x_bar, y_bar = pullback(1.0)
        assert np.isclose(float(forward), wanted, rtol=1e-3, atol=1e-4 * (1 + abs(value_at(g, args, 0.0)))), f"{module}\n{args}: {forward} instead of {wanted}"
        assert np.isclose(x_bar @ ALONG[0] + y_bar * ALONG[1], float(forward), rtol=1e-9, atol=1e-9), f"{module}\n{args}: reverse is not forward"
        tally.add("right")
    tally.check()
