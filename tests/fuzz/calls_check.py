"""What becomes of a drawn call: right, refused, raised as NumPy raises, or a fault.

value        jit of the call against NumPy: structure, types, dtypes, shapes, numbers, exceptions, arguments afterwards
first        jvp against central differences of NumPy itself, vjp against jvp
second       the gradient of the sum of squares, forwards and in reverse
"""
from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

import s2s
from s2s import tree_util
from s2s.errors import S2SError, UnsupportedError, UnsupportedErrors

from .calls import Call, run_numpy
from .calls_draw import Argument
from .calls_table import OF_PATHS
from .check import load
from .compare import dotted, random_like


@dataclass(frozen=True)
class Outcome:
    """What became of one call at one point; `stage` and `what` name what is not as in NumPy, `detail` tells it.

    `kind`: right; raised (NumPy's own exception); worded (its type with other words); typed (the right numbers as a NumPy scalar for a
    Python number or an array without axes, or the other way round); copied (the right numbers in memory of their own, where NumPy's are
    an argument's); refused (UnsupportedError with the user's line);
    and the faults: wrong (a result, or a derivative, that is not NumPy's), error (an exception where NumPy gives a result, or another
    one), accepted (a result where NumPy raises) and internal (an error of s2s itself, or a message with its internal names).
    """

    kind: str
    stage: str = ""
    what: str = ""
    detail: str = ""

    def label(self, name: str) -> str:
        return f"{name} | {self.stage} | {self.what}"


FAULTS = ("wrong", "error", "accepted", "internal")


@dataclass
class Tally:
    """Outcomes counted, for each function too, and the first call of each fault."""

    kinds: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    by_name: dict[str, Counter[str]] = field(default_factory=dict)
    faults: dict[str, list[tuple[Call, int, Outcome]]] = field(default_factory=dict)

    def add(self, call: Call, number: int, outcome: Outcome) -> None:
        self.kinds[outcome.kind] += 1
        self.by_name.setdefault(call.name, Counter())[outcome.kind] += 1
        if outcome.kind == "refused":
            self.refused[f"{call.name}: {outcome.what}"] += 1
        if outcome.kind in FAULTS:
            self.faults.setdefault(outcome.label(call.name), []).append((call, number, outcome))


TYPED = ("type", "an array without axes")
COPIED = "a copy"


class Different(Exception):
    """s2s does another thing than NumPy: `what` kind of thing."""

    def __init__(self, what: str, detail: str) -> None:
        super().__init__(f"{what}: {detail}")
        self.what, self.detail = what, detail


def examine(call: Call, points: int = 4, *, target: str = "numpy", derivatives: bool = True, second: bool = False) -> Iterator[tuple[int, Outcome]]:
    """The outcomes of a call at its points, and of its derivatives at the first."""
    text, _ = call.point(0)
    program = Program(load(text).f, target, coarse=_SINGLE.search(text) is not None)
    for number in range(points):
        own, arguments = call.point(number)
        if own != text:  # a number in the text that goes by a size of this point
            continue
        outcome = program.value(arguments)
        if outcome.what == "dtype" and call.name in OF_PATHS:
            outcome = replace(outcome, kind="typed")
        yield number, outcome
        if outcome.kind == "refused" and number:
            return
        if outcome.kind in ("right", "copied") and derivatives and number in (0, 1 + call.seed % 3) and program.is_differentiable(arguments):
            found = [program.first(arguments, call.seed, differences=number == 0)]
            found += [program.second(arguments, call.seed)] if second else []
            for each in found:
                yield number, Outcome("right") if each.kind == "wrong" and _drops_infinite(call, number, target) else each


def _drops_infinite(call: Call, number: int, target: str) -> bool:
    """Whether the call's own result has an infinite or undefined element, which its use drops: 0 * inf reaches the derivative (docs/kinks.md)."""
    text, arguments = replace(call, alone=True).point(number)
    return not call.alone and not Program(load(text).f, target).is_differentiable(arguments)


_SINGLE = re.compile("float32|complex64|'f4'")


class Program:
    """One call's function, and what s2s makes of it. `coarse`: it computes with 32 bits whatever its arguments are."""

    def __init__(self, function: Callable[..., Any], target: str, *, coarse: bool = False) -> None:
        self.function, self.run, self.target, self.coarse = function, s2s.jit(function, target=target), target, coarse

    # ---- values ------------------------------------------------------------------------------------------------------------

    def value(self, arguments: list[Argument]) -> Outcome:
        theirs, mine = [each.build() for each in arguments], [each.build() for each in arguments]
        try:
            wanted = run_numpy(self.function, theirs)
        except Exception as error:  # noqa: BLE001 whatever NumPy raises, s2s must raise
            return self._raises(error, mine)
        return _attempt("value", lambda: self._value(mine, wanted, theirs))

    def _value(self, mine: list[Any], wanted: Any, after: list[Any]) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = self.run(*mine)
        same(found, wanted, "result", coarse=self.coarse)
        for k, (one, other) in enumerate(zip(mine, after, strict=True)):
            same(one, other, f"x{k} afterwards", coarse=self.coarse)
        for one, other in zip(tree_util.tree_leaves(found), tree_util.tree_leaves(wanted), strict=True):
            _same_sharing(one, other, mine, after)

    def _raises(self, error: Exception, mine: list[Any]) -> Outcome:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = self.run(*mine)
        except UnsupportedError as refusal:
            return _refused("value", refusal)
        except Exception as raised:  # noqa: BLE001 compared
            if (limit := _limit(raised)) is not None:
                return limit
            if not isinstance(raised, type(error)):
                if _is_internal(raised):
                    return Outcome("internal", "value", f"raises {type(raised).__name__}", f"{raised}\ninstead of\n{error}")
                return Outcome("error", "value", f"raises {type(raised).__name__} for {type(error).__name__}", f"{raised}\ninstead of\n{error}")
            if words(raised) != words(error):
                return Outcome("worded", "value", "other words", f"{words(raised)}\ninstead of\n{words(error)}")
            return Outcome("raised")
        return Outcome("accepted", "value", f"does not raise {type(error).__name__}", f"{error}\n{found!r}")

    # ---- derivatives -------------------------------------------------------------------------------------------------------

    def is_differentiable(self, arguments: list[Argument]) -> bool:
        """Whether there is a float to differentiate with respect to, and one that comes out of it."""
        values = [each.build() for each in arguments]
        if any(isinstance(value, list) for value in values):
            return False
        result = run_numpy(self.function, values)
        leaves = tree_util.tree_leaves(result)
        return any(map(_is_float, values)) and any(map(_is_float, leaves)) and all(_is_number(leaf) for leaf in leaves) and _finite([*values, *leaves])

    def first(self, arguments: list[Argument], seed: int, *, differences: bool = True) -> Outcome:
        return _attempt("first", lambda: self._first(arguments, np.random.default_rng(seed), differences=differences))

    def _first(self, arguments: list[Argument], rng: np.random.Generator, *, differences: bool) -> None:
        values = tuple(each.build() for each in arguments)
        dots = tuple(_direction(rng, value) for value in values)
        results = tree_util.tree_leaves(run_numpy(self.function, [each.build() for each in arguments]))
        coarse = 1e8 if self.coarse or any(np.asarray(value).dtype in (np.float32, np.complex64) for value in [*values, *results]) else 1.0
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            out, out_dot = s2s.jvp(self.run, values, dots)
            again, pullback = s2s.vjp(self.run, *(each.build() for each in arguments))
            bars = tree_util.tree_map(lambda leaf: _direction(rng, leaf), again)
            back = pullback(bars)
        if coarse == 1.0 and differences:
            self._differences(arguments, dots, tree_util.tree_leaves(out_dot))
        leaves = [(bar, dot) for bar, dot in zip(tree_util.tree_leaves(bars), tree_util.tree_leaves(out_dot), strict=True) if _is_float(bar)]
        forward = dotted(tuple(bar for bar, _ in leaves), tuple(dot for _, dot in leaves))
        floats = [k for k, value in enumerate(values) if _is_float(value)]
        for k in floats:
            if np.shape(back[k]) != np.shape(values[k]):
                raise Different("shape of a cotangent", f"{np.shape(back[k])} instead of {np.shape(values[k])}")
        reverse = dotted(tuple(back[k] for k in floats), tuple(dots[k] for k in floats))
        if not _agree(forward, reverse, 1e-12 * coarse):
            raise Different("reverse against forward", f"{reverse[0]!r} instead of {forward[0]!r}")

    def _differences(self, arguments: list[Argument], dots: tuple[Any, ...], out_dots: list[Any]) -> None:
        slopes = [self._slope(arguments, dots, step) for step in (2e-5, 1e-5, 5e-6)]
        if any(slope is None for slope in slopes):
            return
        for dot, one, two, three in zip(out_dots, *slopes, strict=True):
            if two is None:
                continue
            noise = np.abs(one - two) + np.abs(two - three)
            wrong = ~(np.abs(two - dot) <= 1e-4 * (1.0 + np.max(np.abs(two), initial=0.0)) + 20 * noise)
            if np.shape(two) != np.shape(dot) or np.any(wrong & ~self._at_kink(arguments, dots, dot)):
                raise Different("forward against differences", f"{dot} instead of {two}")

    def _at_kink(self, arguments: list[Argument], dots: tuple[Any, ...], wanted: Any) -> Any:
        """Where the slopes from both sides differ, and the derivative lies between them or is nan."""
        if all(np.size(dot) == 0 for dot in dots if _is_float(dot)):
            return True  # nothing moves: inf * 0 of what is infinite (the norm of no elements)
        here, step = tree_util.tree_leaves(run_numpy(self.function, [each.build() for each in arguments])), 1e-6
        try:
            after, before = (tree_util.tree_leaves(self._moved(arguments, dots, sign * step)) for sign in (1.0, -1.0))
        except Exception:  # noqa: BLE001 beyond the edge of what NumPy takes
            return True
        found = np.zeros(np.shape(wanted), bool)
        for up, at, down in zip(after, here, before, strict=True):
            if np.shape(at) == np.shape(wanted) and _is_float(at):
                sides = (np.asarray(up) - at) / step, (np.asarray(at) - down) / step
                low, high = (np.asarray(np.real(each)) for each in (np.minimum(*map(np.real, sides)), np.maximum(*map(np.real, sides))))
                found |= (high - low > 1e-3) & ~((np.real(wanted) < low - 1e-3) | (np.real(wanted) > high + 1e-3))
        return found

    def _slope(self, arguments: list[Argument], dots: tuple[Any, ...], step: float) -> list[Any] | None:
        try:
            sides = [tree_util.tree_leaves(self._moved(arguments, dots, sign * step)) for sign in (1.0, -1.0)]
        except Exception:  # noqa: BLE001 beyond the edge of what NumPy takes there is no difference
            return None
        return [(np.asarray(up) - down) / (2 * step) if _is_float(up) else None for up, down in zip(*sides, strict=True)]

    def _moved(self, arguments: list[Argument], dots: tuple[Any, ...], step: float) -> Any:
        """NumPy's result at arguments a step along a direction away."""
        moved = []
        for each, dot in zip(arguments, dots, strict=True):
            value = each.build()
            if _is_float(value):
                near = np.asarray(value + step * dot)
                value = replace(each, value=near if isinstance(value, np.ndarray) else type(value)(near)).build()
            moved.append(value)
        return run_numpy(self.function, moved)

    def second(self, arguments: list[Argument], seed: int) -> Outcome:
        return _attempt("second", lambda: self._second(arguments, np.random.default_rng(seed)))

    def _second(self, arguments: list[Argument], rng: np.random.Generator) -> None:
        """vjp of jvp's tangent against jvp of it: ⟨bars, d/dx (out_dot)⟩ both ways."""
        values = tuple(each.build() for each in arguments)
        if self.coarse or any(np.asarray(value).dtype in (np.float32, np.complex64) for value in values):
            return
        dots = tuple(_direction(rng, value) for value in values)
        floats = [k for k, value in enumerate(values) if _is_float(value)]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            run = self.run

            def slope(*moving: Any) -> Any:
                return s2s.jvp(run, moving, dots)[1]

            slope_of = s2s.jit(slope, target=self.target)  # not compiled by Numba for the numpy target
            out, pullback = s2s.vjp(slope_of, *values)
            bars = tree_util.tree_map(lambda leaf: _direction(rng, leaf), out)
            back = pullback(bars)
            _, twice = s2s.jvp(slope_of, values, dots)
        leaves = [(bar, dot) for bar, dot in zip(tree_util.tree_leaves(bars), tree_util.tree_leaves(twice), strict=True) if _is_float(bar)]
        forward = dotted(tuple(bar for bar, _ in leaves), tuple(dot for _, dot in leaves))
        reverse = dotted(tuple(back[k] for k in floats), tuple(dots[k] for k in floats))
        if not _agree(forward, reverse, 1e-10):
            raise Different("reverse over forward against forward over forward", f"{reverse[0]!r} instead of {forward[0]!r}")


def _attempt(stage: str, run: Callable[[], None]) -> Outcome:
    try:
        run()
    except UnsupportedError as refusal:
        return _refused(stage, refusal)
    except Different as fault:
        return Outcome("typed" if fault.what in TYPED else "copied" if fault.what == COPIED else "wrong", stage, fault.what, fault.detail)
    except Exception as error:  # noqa: BLE001 whatever it is, it is a fault
        if (limit := _limit(error)) is not None:
            return replace(limit, stage=stage)
        return Outcome("internal" if _is_internal(error) else "error", stage, f"raises {type(error).__name__}", f"{error}")
    return Outcome("right")


def _is_internal(error: Exception) -> bool:
    """Whether it is an error of s2s (or of the compiler), not one of the user's."""
    return isinstance(error, AssertionError | NameError | RecursionError | SyntaxError | SystemError) or type(error).__module__.startswith("numba")


def _limit(error: Exception) -> Outcome | None:
    """A refusal that depends on values or layouts, which only the run knows: said clearly, and documented."""
    at_run_time = type(error) is NotImplementedError or "must be contiguous in memory" in str(error)
    return Outcome("refused", "value", f"at run time: {words(error)}") if at_run_time else None


_INTERNAL = re.compile(r"\b(View|Var|ListRef|Cell|Value|Literal|Builder|Text|Closure|Atom)\b\(?")


def _refused(stage: str, refusal: UnsupportedError) -> Outcome:
    errors = refusal.errors if isinstance(refusal, UnsupportedErrors) else (refusal,)
    what = "; ".join(sorted({re.sub(r"\d+", "_", each.what.splitlines()[0]) for each in errors}))
    at_run_time = "broadcast against each other in some trips" in what  # the one refusal that is known only then
    if not refusal.where.line and not at_run_time:
        return Outcome("internal", stage, "a refusal without a line", what)
    if _INTERNAL.search(what):
        return Outcome("internal", stage, "an internal name in a message", what)
    return Outcome("refused", stage, what)


def words(error: Exception) -> str:
    """An exception's message, without what s2s adds to it."""
    text = error.what if isinstance(error, S2SError) else str(error)
    return " ".join(text.split())


# ---- comparing -------------------------------------------------------------------------------------------------------------


def _same_sharing(found: Any, wanted: Any, mine: list[Any], theirs: list[Any]) -> None:
    """Different unless a result lies in the memory of the arguments in which NumPy's lies."""
    if not isinstance(found, np.ndarray) or not isinstance(wanted, np.ndarray):
        return
    for k, (own, other) in enumerate(zip(mine, theirs, strict=True)):
        if isinstance(own, np.ndarray):
            shares, should = np.shares_memory(found, own), np.shares_memory(wanted, other)
            if shares and not should:
                raise Different("shared memory", f"the result shares memory with x{k}, NumPy's does not")
            if should and not shares:
                raise Different(COPIED, f"the result has memory of its own, NumPy's is x{k}'s")


def same(found: Any, wanted: Any, where: str, *, coarse: bool = False) -> None:
    """Different unless two results are the same: structure, type, dtype, shape, values (`coarse`: to single precision)."""
    if isinstance(wanted, list | tuple):
        if type(found) is not type(wanted) or len(found) != len(wanted):
            raise Different("structure", f"{where}: {found!r} instead of {wanted!r}")
        for k, (one, other) in enumerate(zip(found, wanted, strict=True)):
            same(one, other, f"{where}[{k}]", coarse=coarse)
        return
    if not _is_number(wanted):
        if found != wanted:
            raise Different("value", f"{where}: {found!r} instead of {wanted!r}")
        return
    if type(found) is not type(wanted):
        known = {np.ndarray} if np.shape(wanted) == np.shape(found) == () else set()
        what = "an array without axes" if {type(found), type(wanted)} & known else "type"
        if np.shape(found) == np.shape(wanted):
            _same_numbers(np.asarray(found), np.asarray(wanted), where, coarse=coarse)
        raise Different(what, f"{where}: {type(found).__name__} {found!r} instead of {type(wanted).__name__} {wanted!r}")
    _same_numbers(np.asarray(found), np.asarray(wanted), where, coarse=coarse)


def _same_numbers(found: np.ndarray, wanted: np.ndarray, where: str, *, coarse: bool) -> None:
    if found.shape != wanted.shape:
        raise Different("shape", f"{where}: {found.shape} instead of {wanted.shape}")
    if found.dtype != wanted.dtype:
        raise Different("dtype", f"{where}: {found.dtype} instead of {wanted.dtype}")
    if not _equal(found, wanted, coarse=coarse):
        raise Different("value", f"{where}: {found!r} instead of {wanted!r}")


def _equal(found: np.ndarray, wanted: np.ndarray, *, coarse: bool) -> bool:
    if found.dtype.kind not in "fc":
        return bool(np.array_equal(found, wanted))
    if found.dtype.kind == "c":
        with np.errstate(all="ignore"):
            if not np.array_equal(np.isfinite(found), np.isfinite(wanted)):
                return False
            finite = np.isfinite(wanted)
            return bool(np.all(np.abs(found[finite] - wanted[finite]) <= _close(wanted, coarse=coarse)))
    if not np.array_equal(np.isnan(found), np.isnan(wanted)):
        return False
    with np.errstate(all="ignore"):
        infinite = np.isinf(wanted) | np.isinf(found)
        if not np.array_equal(found[infinite], wanted[infinite]):
            return False
        finite = np.isfinite(wanted)
        return bool(np.all(np.abs(found[finite] - wanted[finite]) <= _close(wanted, coarse=coarse)))


def _close(wanted: np.ndarray, *, coarse: bool) -> float:
    finite = np.abs(wanted[np.isfinite(wanted)])
    part = 5e-6 if coarse or wanted.dtype in (np.float32, np.complex64) else 1e-13
    return part * max(1.0, float(np.max(finite, initial=0.0)))


def _is_number(leaf: Any) -> bool:
    return isinstance(leaf, bool | int | float | complex | np.generic | np.ndarray) and np.asarray(leaf).dtype.kind in "biufc"


def _is_float(leaf: Any) -> bool:
    return _is_number(leaf) and np.asarray(leaf).dtype.kind in "fc"


def _finite(leaves: list[Any]) -> bool:
    return all(bool(np.all(np.isfinite(leaf)) and np.max(np.abs(leaf), initial=0.0) < 1e5) for leaf in leaves)


def _agree(one: tuple[float, float], other: tuple[float, float], part: float) -> bool:
    """Whether two sums of terms (with the sum of their sizes) are the same but for rounding; nothing is said where the forward one is infinite or nan."""
    if not np.isfinite(one[0]):
        return True
    return abs(one[0] - other[0]) <= part * (1.0 + one[1] + other[1])


def _direction(rng: np.random.Generator, value: Any) -> Any:
    if not _is_float(value):
        return np.zeros(np.shape(value), s2s.float0)
    return random_like(rng, value)


def examine_text(body: str, arguments: tuple[Any, ...], *, target: str = "numpy") -> list[Outcome]:
    """The outcomes of a function's text at given arguments: its value and, where it has them, its derivatives."""
    names = ", ".join(f"x{k}" for k in range(len(arguments)))
    text = f"import math\n\nimport numpy as np\n\n\ndef f({names}):\n    {body}\n"
    program = Program(load(text).f, target, coarse=_SINGLE.search(text) is not None)
    given = [Argument(value) for value in arguments]
    outcomes = [program.value(given)]
    if outcomes[0].kind == "right" and target == "numpy" and program.is_differentiable(given):
        outcomes += [program.first(given, 1), program.second(given, 1)]
    return outcomes


# ---- making small ----------------------------------------------------------------------------------------------------------


def minimise(call: Call, number: int, outcome: Outcome, **options: Any) -> tuple[Call, int, Outcome]:
    """A call with fewer arguments and simpler values with the same fault."""

    def fails(other: Call) -> tuple[int, Outcome] | None:
        try:
            found = list(examine(other, max(4, number + 1), **options))
        except Exception:  # noqa: BLE001 not every smaller text is a program
            return None
        return next(((k, each) for k, each in found if each.kind == outcome.kind and each.label("") == outcome.label("")), None)

    progress = True
    while progress:
        progress = False
        for smaller in call.smaller():
            if (again := fails(smaller)) is not None:
                call, (number, outcome), progress = smaller, again, True
                break
    return call, number, outcome


def program_text(call: Call, number: int, target: str = "numpy") -> str:
    """A program of a few lines that shows what a call does at a point."""
    text, arguments = call.point(number)
    function = text.partition("def f")[2]
    given = ", ".join(each.text() for each in arguments)
    more = "from fuzz.calls_draw import arranged\n" if "arranged(" in given else ""
    made = f"args = lambda: ({given}{',' if arguments else ''})\nprint(f(*args()), s2s.jit(f, target={target!r})(*args()))"
    return f"import math, numpy as np, s2s\n{more}def f{function}{made}"
