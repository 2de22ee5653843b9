"""One program about objects (`objects`): Python running the source decides; what changes between calls changes for both.

value      result, types, arguments afterwards, exception's class and words: of three calls, the globals changed between them
gradient   reverse = forward = central differences, where the function has one

A refusal must have a line; where Python fails, s2s must fail in the same way.
"""
from __future__ import annotations

import copy
import enum
import math
import signal
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import s2s
from s2s.errors import InternalError, S2SError, UnsupportedError, UnsupportedErrors
from s2s.transforms.ir.program import Block, Equation, For, Function, If, Map, While, callees
from s2s.transforms.primitives import rows

from .bounds import Tally
from .check import SECONDS, Outcome, TooLong, _reason, _too_long, load
from .compare import Fault
from .grammar import Chooser, Seeded


def examine_objects(text: str, seed: int, *, targets: tuple[str, ...] = ("numpy",), gradient: bool = True) -> Outcome:
    """Run all checks on a program, with arguments drawn with `seed`."""
    stage = ["value"]
    before = signal.signal(signal.SIGPROF, _too_long)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            for target in targets:
                stage[0] = f"value {target}"
                smooth = _values(text, seed, target)
            if gradient and smooth:
                stage[0] = "gradient"
                _gradient(text, seed, targets[0])
    except UnsupportedErrors as error:
        return Outcome("refused", "; ".join(sorted({_reason(each) for each in error.errors})), stage[0])
    except UnsupportedError as error:
        return Outcome("refused" if error.where.line else "fault", _reason(error), stage[0])
    except Untaken:
        return Outcome("refused", "what fails on a path that is not taken", stage[0])
    except TooLong as skip:
        return Outcome("skipped", str(skip), stage[0])
    except Fault as fault:
        return Outcome("fault", str(fault), stage[0])
    except S2SError as error:
        return Outcome("fault", f"{type(error).__name__}: {error.what.splitlines()[0]}\n{error}", stage[0])
    except Exception as error:  # noqa: BLE001 whatever it is, it is a fault
        return Outcome("fault", f"{type(error).__name__}: {error}\n{traceback.format_exc()}", stage[0])
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)
    return Outcome("ok")


def check_programs(fuzzer: str, write: Callable[[Seeded, int], Chooser], seeds: range) -> None:
    """Raise AssertionError unless all programs of a grammar are right, or refused with a line, and not too many of them refused. `write`: a program of so many statements."""
    tally = Tally(fuzzer)
    for seed in seeds:
        text = write(Seeded(seed), 1 + seed % 4).text()  # type: ignore[attr-defined]
        outcome = examine_objects(text, seed, targets=("cpu",) if seed % 10 == 9 else ("numpy",), gradient=False)
        tally.add(outcome.kind, outcome.reason)
        assert outcome.kind != "fault", f"{outcome.label()}\n{outcome.detail}\n{text[text.index('def f('):]}"
    tally.check()


def arguments(module: Any, seed: int) -> tuple[Any, ...]:
    """What `f` is called with: an array, numbers, objects, containers; or what the program says."""
    if hasattr(module, "arguments"):
        return module.arguments(seed)  # type: ignore[no-any-return]
    rng = np.random.default_rng(seed)
    x, y, *more = (round(float(value), 3) for value in rng.normal(size=8))
    items = [more[0], rng.normal(size=3), more[1]]
    table = {"a": more[2], "b": more[3]}
    return (rng.normal(size=4), x, int(rng.integers(0, 4)), module.Point(x, y), module.Pair(y, more[4]), items, table, list(module.Mode)[int(rng.integers(0, 3))])


@dataclass(frozen=True)
class Ran:
    """What a call gave: a result or an exception, and its arguments afterwards."""

    result: Any
    error: Exception | None
    args: tuple[Any, ...]


class Untaken(Exception):
    """What fails on a path is an error though the path is not taken: a clear one, at the user's line."""


def ran(fun: Callable[..., Any], args: tuple[Any, ...]) -> Ran:
    """A call of it; refusals and s2s's own faults are raised."""
    try:
        return Ran(fun(*args), None, args)
    except (UnsupportedError, InternalError):
        raise
    except Exception as error:  # noqa: BLE001 whatever Python raises, s2s must raise it too
        return Ran(None, error, args)


def _values(text: str, seed: int, target: str) -> bool:
    """Three calls of each; whether all of them gave a result."""
    plain, ours = load(text), load(text)
    run = s2s.jit(ours.f, target=target)
    smooth = True
    for number in range(3):
        wanted = ran(plain.f, arguments(plain, seed + number // 2))
        found = ran(run, arguments(ours, seed + number // 2))
        smooth = smooth and wanted.error is None
        given = arguments(ours, seed + number // 2)
        _same_outcome(found, wanted, number, lambda given=given: types_meet(run.program(*given)))  # type: ignore[misc]
        plain.change(number)
        ours.change(number)
    return smooth


SAID_WHEN_IT_RUNS = ("the function returns", "arrays of several shapes in a list whose length is known only at run time")
"""Refusals that need the run's numbers: another kind of result in this call (docs/kinks.md), sizes of arrays that are changed in place as items."""


def _same_outcome(found: Ran, wanted: Ran, number: int, joins: Callable[[], bool]) -> None:
    if wanted.error is not None or found.error is not None:
        if isinstance(found.error, NotImplementedError) and "Python's own on one path" in str(found.error):
            raise Untaken  # said when it runs, where one of both would raise
        if found.error is None:
            raise Fault(f"call {number}: a result where Python raises {type(wanted.error).__name__}: {wanted.error}")
        if wanted.error is None:
            if isinstance(found.error, NotImplementedError) and any(words in str(found.error) for words in SAID_WHEN_IT_RUNS):
                raise Untaken
            if hasattr(found.error, "where") or hasattr(found.error, "read_at"):
                raise Untaken
            raise Fault(f"call {number}: raises {type(found.error).__name__}: {found.error} where Python gives a result")
        kinds, words = _named(found.error), getattr(found.error, "what", str(found.error))
        if type(wanted.error).__name__ not in kinds:
            raise Fault(f"call {number}: raises {kinds[0]} for {type(wanted.error).__name__}: {words} for {wanted.error}")
        if words != str(wanted.error):
            raise Fault(f"call {number}: {type(wanted.error).__name__} in other words: {words} for {wanted.error}")
        return
    if difference := differs(found.result, wanted.result, "result", joins):
        raise Fault(f"call {number}: {difference}")
    if difference := differs(found.args, wanted.args, "arguments", joins):
        raise Fault(f"call {number}, afterwards: {difference}")


def _named(error: Exception) -> list[str]:
    return [cls.__name__ for cls in type(error).__mro__ if not issubclass(cls, S2SError)]


JOINED: dict[type, tuple[type, ...]] = {
    float: (int, bool), int: (bool,), np.float64: (float, int, bool, np.int64), np.int64: (int, bool), complex: (float, int, bool), np.complex128: (complex, float, int),
}
"""The types that a number may have instead on one path, where it has this one on another (docs/kinks.md)."""


def types_meet(function: Function) -> bool:
    """Whether a program has a place where values of two types may meet: where paths meet, trips of loops, or one of two numbers is chosen."""
    return any(_types_meet_in(block) for block in (function.body, *(each.body for each in callees(function))))


def _types_meet_in(block: Block) -> bool:
    return any(isinstance(node, If | While | For | Map) or isinstance(node, Equation) and node.primitive in (rows.select, rows.maximum, rows.minimum) for node in block.nodes)


def differs(found: Any, wanted: Any, where: str, joins: Callable[[], bool] = lambda: True) -> str:
    """How two values differ, of classes of the same names in two modules; nothing where they don't. `joins`: whether types meet in the program."""
    if isinstance(wanted, enum.IntEnum) and not isinstance(found, enum.Enum):  # a member among numbers of other paths is its number
        wanted = wanted.value
    if type(found) in JOINED and type(wanted) in JOINED[type(found)] and joins():  # a variable has one type: that of all paths
        wanted = type(found)(wanted)
    if type(found).__name__ != type(wanted).__name__:
        return f"{where}: type {type(found).__name__} instead of {type(wanted).__name__}: {found!r:.60} instead of {wanted!r:.60}"
    if isinstance(wanted, enum.Enum):
        return "" if found.name == wanted.name else f"{where}: {found} instead of {wanted}"
    if isinstance(wanted, list | tuple):
        if len(found) != len(wanted):
            return f"{where}: length {len(found)} instead of {len(wanted)}"
        return next((text for k, (a, b) in enumerate(zip(found, wanted, strict=True)) if (text := differs(a, b, f"{where}[{k}]", joins))), "")
    if isinstance(wanted, dict):
        if list(found) != list(wanted):
            return f"{where}: keys {list(found)} instead of {list(wanted)}"
        return next((text for key in wanted if (text := differs(found[key], wanted[key], f"{where}[{key!r}]", joins))), "")
    if isinstance(wanted, np.ndarray | np.generic | float | int | complex):
        same = np.asarray(found).dtype == np.asarray(wanted).dtype and np.shape(found) == np.shape(wanted)
        return "" if same and np.allclose(found, wanted, rtol=1e-11, atol=1e-11, equal_nan=True) else f"{where}: {found!r} instead of {wanted!r}"
    if hasattr(wanted, "__dict__") and not callable(type(wanted).__dict__.get("__code__")):
        return differs(dict(vars(found)), dict(vars(wanted)), f"{where}: {type(wanted).__name__}", joins)
    if names := [name for kind in type(wanted).__mro__ for name in getattr(kind, "__slots__", ())]:
        return differs(*({name: getattr(each, name) for name in names if hasattr(each, name)} for each in (found, wanted)), f"{where}: {type(wanted).__name__}", joins)
    return "" if found == wanted else f"{where}: {found!r} instead of {wanted!r}"


def _gradient(text: str, seed: int, target: str) -> None:
    """Reverse and forward mode of `loss` agree with each other and with differences."""
    module = load(text)
    args = arguments(module, seed)
    rng = np.random.default_rng(seed)
    loss = s2s.jit(module.loss, target=target)
    try:
        plain = float(module.loss(*copy.deepcopy(args)))
    except Exception:  # noqa: BLE001 nothing to differentiate
        return
    value, (a_bar, x_bar) = s2s.value_and_grad(loss, argnums=(0, 1))(*copy.deepcopy(args))
    dots = rng.normal(size=4), float(rng.normal())
    _, dot = s2s.jvp(lambda a, x: loss(a, x, *copy.deepcopy(args[2:])), args[:2], dots)
    terms = [*(a_bar * dots[0]), x_bar * dots[1]]
    size = 1.0 + sum(abs(term) for term in terms)
    if not math.isfinite(plain) or not math.isfinite(size):
        return
    if abs(float(value) - plain) > 1e-11 * (1.0 + abs(plain)):
        raise Fault(f"value of value_and_grad: {value} instead of {plain}")
    if abs(float(dot) - sum(terms)) > 1e-11 * size:
        raise Fault(f"reverse {sum(terms)} and forward {dot} differ")
    if (steep := _differences(module.loss, args, dots)) is not None and abs(steep - float(dot)) > 1e-3 * size:
        raise Fault(f"the derivative {dot} is not the difference {steep}")


def _differences(loss: Callable[..., Any], args: tuple[Any, ...], dots: tuple[Any, float]) -> float | None:
    """The central difference along `dots`; None where two steps, or the two sides, don't give the same, as at a kink or a jump."""
    found, at = [], float(loss(*copy.deepcopy(args)))
    for step in (1e-5, 1e-6):
        low, high = (float(loss(args[0] + side * step * dots[0], args[1] + side * step * dots[1], *copy.deepcopy(args[2:]))) for side in (-1.0, 1.0))
        found.append((high - low) / (2.0 * step))
    bent = (high + low - 2.0 * at) / step
    is_smooth = math.isfinite(found[0]) and abs(found[0] - found[1]) <= 1e-4 * (1.0 + abs(found[0])) and abs(bent) <= 1e-3 * (1.0 + abs(found[0]))
    return found[0] if is_smooth else None
