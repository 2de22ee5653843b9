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
from functools import cache
from typing import Any

import numpy as np

import s2s
from s2s import tree_util
from s2s.errors import S2SError, UnsupportedError, UnsupportedErrors

from .calls import Call, run_numpy
from .calls_compare import COPIED, TYPED, Different, but_for_signs, is_number, same, same_as_wider, same_sharing, wider
from .calls_draw import Argument
from .calls_library import VECTORS
from .calls_table import OF_LAYOUTS, OF_PATHS, OF_VALUES
from .check import load
from .compare import dotted, random_like


@dataclass(frozen=True)
class Outcome:
    """What became of one call at one point; `stage` and `what` name what is not as in NumPy, `detail` tells it.

    `kind`: right; raised (NumPy's own exception); earlier (two things are wrong at once: NumPy raises this exception at another point of the call); worded (its type with other words); typed (the right numbers as a NumPy scalar for a
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
OTHERS = ("worded", "typed", "copied", "earlier")
"""What is no fault, and shown where it is asked for."""


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
        if outcome.kind in FAULTS or outcome.kind in OTHERS:
            self.faults.setdefault(outcome.label(call.name), []).append((call, number, outcome))


def examine(call: Call, points: int = 4, *, target: str = "numpy", derivatives: bool = True, second: bool = False) -> Iterator[tuple[int, Outcome]]:
    """The outcomes of a call at its points, and of its derivatives at the first."""
    text, _ = call.point(0)
    program = Program(load(text).f, target, coarse=_SINGLE.search(text) is not None, vectors=call.name in VECTORS, roots=_ROOT.search(text) is not None, elsewhere=lambda: _raised_elsewhere(call, text))
    for number in range(points):
        own, arguments = call.point(number)
        if own != text:  # a number in the text that goes by a size of this point
            continue
        outcome = program.value(arguments)
        if outcome.what == "dtype" and (call.name in (*OF_PATHS, *OF_VALUES, *OF_LAYOUTS) or _LOOP.search(text)):
            outcome = replace(outcome, kind="typed")
        if outcome.kind == "wrong" and outcome.what == "value" and (_is_cut_off(call, number, target) or _is_paired(call, arguments) or _is_at_a_jump(call, arguments) or _goes_by_rounding(call, text)):
            outcome = Outcome("right")
        yield number, outcome
        if outcome.kind == "refused" and number:
            return
        if outcome.kind in ("right", "copied") and derivatives and number in (0, 1 + call.seed % 3) and program.is_differentiable(arguments) and not _is_at_a_jump(call, arguments):
            found = [program.first(arguments, call.seed, differences=number == 0 and not _is_at_a_kink(call, arguments))]
            found += [program.second(arguments, call.seed)] if second else []
            for each in found:
                yield number, Outcome("right") if each.kind == "wrong" and _drops_infinite(call, number, target) else each


def _drops_infinite(call: Call, number: int, target: str) -> bool:
    """Whether the call's own result or derivative has an infinite or undefined element, which its use drops: 0 * inf reaches the derivative (docs/kinks.md).
    So it is of no frequencies, whose step is infinite.
    """
    if call.name.endswith("fftfreq") and np.asarray(run_numpy(load(call.point(number)[0]).f, [each.build() for each in call.point(number)[1]])).size == 0:
        return True
    text, arguments = replace(call, alone=True).point(number)
    alone = Program(load(text).f, target)
    return not call.alone and (not alone.is_differentiable(arguments) or alone.has_infinite_slope(arguments, call.seed))


_FACTORISED = ("np.linalg.svd", "scipy.linalg.svd", "np.linalg.svdvals", "scipy.linalg.svdvals", "scipy.linalg.polar")


def _is_at_a_jump(call: Call, arguments: list[Argument]) -> bool:
    """Whether the result jumps here: the orthogonal factor, or the singular vectors, of a singular matrix (docs/kinks.md)."""
    if call.name in _FACTORISED:
        matrix = np.asarray(arguments[0].value)
        if call.name.endswith(".svd") and matrix.ndim >= 2 and abs(matrix.shape[-1] - matrix.shape[-2]) > 1:  # several further vectors: any basis of their space
            return True
        return matrix.ndim >= 2 and matrix.dtype.kind in "fc" and matrix.size > 0 and bool(np.isfinite(matrix).all()) and bool(np.any(np.linalg.cond(matrix) > (1e5 if matrix.dtype in (np.float32, np.complex64) else 1e8)))
    if call.name != "scipy.linalg.orthogonal_procrustes":
        return False
    one, other = (np.asarray(each.value) for each in arguments[:2])
    product = one.T @ other
    return bool(np.linalg.cond(product) > (1e5 if product.dtype in (np.float32, np.complex64) else 1e8))


def _is_at_a_kink(call: Call, arguments: list[Argument]) -> bool:
    """Whether a quantile's level, which varies, may be that of an element: the slope to its left is another than that to its right."""
    if not call.name.endswith(("percentile", "quantile")):
        return False
    array, *others = (np.asarray(each.value) for each in arguments)
    levels = [each / (100.0 if "percentile" in call.name else 1.0) for each in others if each.dtype.kind == "f"]
    return any(bool(np.any((level * (n - 1)) % 1 == 0)) for level in levels for n in (*array.shape, array.size))


def _goes_by_rounding(call: Call, text: str) -> bool:
    """Whether an order is asked of numbers that are equal but for rounding: of a transform of equal rows."""
    return "fft" in call.name and "argsort" in text


def _is_paired(call: Call, arguments: list[Argument]) -> bool:
    """Whether the call is a sum of products of several arrays, one of them not finite: they are multiplied pair by pair (docs/kinks.md)."""
    floats = [each.value for each in arguments if _is_float(each.value)]
    return call.name == "np.einsum" and len(arguments) > 2 and not all(bool(np.all(np.isfinite(each))) for each in floats)


def _is_cut_off(call: Call, number: int, target: str) -> bool:
    """Whether the call alone is right, and its floats are stored into integers: where they are whole but for rounding, or are none of that type's numbers
    (NumPy warns, and what it stores goes by how the arrays lie in memory), the integer is not said by NumPy.
    """
    text, arguments = replace(call, alone=True).point(number)
    alone, own = Program(load(text).f, target), arguments[0].value if arguments else None
    if call.alone or not isinstance(own, np.ndarray) or own.dtype.kind not in "iu" or alone.value(arguments).kind != "right":
        return False
    found = np.asarray(run_numpy(alone.function, [each.build() for each in arguments]))
    if found.dtype.kind != "f":
        return False
    limits = np.iinfo(own.dtype)
    with np.errstate(invalid="ignore"):
        return bool(np.any(~(np.abs(found - np.round(found)) > 1e-9) | (found < limits.min) | (found > limits.max)))


def _raised_elsewhere(call: Call, text: str) -> set[tuple[type[Exception], str]]:
    """What NumPy raises at the call's points, of any sizes and values."""
    found = set()
    function = load(text).f
    for number in range(12):
        own, arguments = call.point(number)
        try:
            run_numpy(function, [each.build() for each in arguments] if own == text else [])
        except Exception as error:  # noqa: BLE001 all that it raises
            found.add((type(error), general(words(error))))
    return found


def general(text: str) -> str:
    """A message whatever the numbers in it are."""
    return re.sub(r"-?\d+", "_", text)


_LOOP = re.compile(r"\n    (for|while) ")
_ROOT = re.compile(r"\bnorm\(")
_SINGLE = re.compile("float16|float32|complex64|'f4'")


class Program:
    """One call's function, and what s2s makes of it.

    `coarse`: it computes with 32 bits whatever its arguments are; `vectors`: signs in its result are LAPACK's; `roots`: it takes a norm;
    `elsewhere`: what NumPy raises at any of its points.
    """

    def __init__(
        self, function: Callable[..., Any], target: str, *, coarse: bool = False, vectors: bool = False, roots: bool = False,
        elsewhere: Callable[[], set[tuple[type[Exception], str]]] = set,
    ) -> None:  # fmt: skip
        self.function, self.run, self.target, self.coarse, self.vectors, self.roots = function, s2s.jit(function, target=target), target, coarse, vectors, roots
        self.elsewhere = cache(elsewhere)

    # ---- values ------------------------------------------------------------------------------------------------------------

    def value(self, arguments: list[Argument]) -> Outcome:
        theirs, mine = [each.build() for each in arguments], [each.build() for each in arguments]
        try:
            wanted = run_numpy(self.function, theirs)
        except Exception as error:  # noqa: BLE001 whatever NumPy raises, s2s must raise
            return self._raises(error, mine)
        return _attempt("value", lambda: self._value(arguments, mine, wanted, theirs))

    def _value(self, arguments: list[Argument], mine: list[Any], wanted: Any, after: list[Any]) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = self.run(*mine)
        try:
            same(found, wanted, "result", coarse=self.coarse)
            for k, (one, other) in enumerate(zip(mine, after, strict=True)):
                same(one, other, f"x{k} afterwards", coarse=self.coarse)
        except Different as fault:
            if fault.what != "value" or not (self._as_with_more_digits(arguments, (found, mine), (wanted, after)) or self.vectors and but_for_signs(found, wanted)):
                raise
        for one, other in zip(tree_util.tree_leaves(found), tree_util.tree_leaves(wanted), strict=True):
            same_sharing(one, other, mine, after)

    def _as_with_more_digits(self, arguments: list[Argument], found: Any, wanted: Any) -> bool:
        """Whether it is what NumPy gives with more digits, results and arguments afterwards."""
        given = [wider(each.build()) for each in arguments]
        single = any(getattr(each.value, "dtype", None) in (np.float32, np.complex64) for each in arguments)
        try:
            more = run_numpy(self.function, given)
        except Exception:  # noqa: BLE001 not all of NumPy takes longdouble
            return False
        return same_as_wider(found, wanted, (more, given), single=single)

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
            if (words(raised) != words(error) or not isinstance(raised, type(error))) and any(isinstance(raised, kind) and general(words(raised)) == said for kind, said in self.elsewhere()):
                return Outcome("earlier", "value", "another of its errors", f"{raised}\ninstead of\n{error}")
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
        return any(map(_is_float, values)) and any(map(_is_float, leaves)) and all(is_number(leaf) for leaf in leaves) and _finite([*values, *leaves])

    def has_infinite_slope(self, arguments: list[Argument], seed: int) -> bool:
        """Whether the derivative along a direction has an infinite or undefined element."""
        values, rng = tuple(each.build() for each in arguments), np.random.default_rng(seed)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                _, slope = s2s.jvp(self.run, values, tuple(_direction(rng, value) for value in values))
        except S2SError:
            return False
        return not all(bool(np.all(np.isfinite(leaf))) for leaf in tree_util.tree_leaves(slope) if _is_float(leaf))

    def first(self, arguments: list[Argument], seed: int, *, differences: bool = True) -> Outcome:
        return _attempt("first", lambda: self._first(arguments, np.random.default_rng(seed), differences=differences))

    def _first(self, arguments: list[Argument], rng: np.random.Generator, *, differences: bool) -> None:
        values = tuple(each.build() for each in arguments)
        dots = tuple(_direction(rng, value) for value in values)
        results = tree_util.tree_leaves(run_numpy(self.function, [each.build() for each in arguments]))
        if any(np.asarray(value).dtype == np.float16 for value in [*values, *results]):
            coarse = 1e10
        else:
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
        for number, (dot, one, two, three) in enumerate(zip(out_dots, *slopes, strict=True)):
            if two is None:
                continue
            noise = np.abs(one - two) + np.abs(two - three)
            wrong = ~(np.abs(two - dot) <= 1e-4 * (1.0 + np.max(np.abs(two), initial=0.0)) + 20 * noise)
            if np.shape(two) != np.shape(dot) or np.any(wrong & np.logical_not(self._at_kink(arguments, dots, dot)) & np.logical_not(self._between_jumps(arguments, dots, number, dot))):
                raise Different("forward against differences", f"{dot} instead of {two}")

    def _between_jumps(self, arguments: list[Argument], dots: tuple[Any, ...], number: int, wanted: Any) -> Any:
        """Where much smaller steps give the derivative: between jumps that lie close together (a remainder by a small number)."""
        found = np.ones(np.shape(wanted), bool)
        for step in (1e-8, 3e-9):
            slopes = self._slope(arguments, dots, step)
            if slopes is None:
                return np.zeros(np.shape(wanted), bool)
            found &= np.abs(slopes[number] - wanted) <= 1e-4 * (1.0 + np.abs(wanted))
        return found

    def _at_kink(self, arguments: list[Argument], dots: tuple[Any, ...], wanted: Any) -> Any:
        """Where the slopes from both sides differ, and the derivative lies between them or is nan; or the norm of what is zero, which has none (docs/kinks.md)."""
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
                found |= self.roots & np.isnan(wanted) & (at == 0)
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
        if self.coarse or any(np.asarray(value).dtype in (np.float16, np.float32, np.complex64) for value in values):
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


# ---- questions of values --------------------------------------------------------------------------------------------------


def _is_float(leaf: Any) -> bool:
    return is_number(leaf) and np.asarray(leaf).dtype.kind in "fc"


def _finite(leaves: list[Any]) -> bool:
    return all(bool(np.all(np.isfinite(leaf)) and np.max(np.abs(leaf), initial=0.0) < 1e5) for leaf in leaves)


BEYOND_DIGITS = 1e15
"""Of a derivative that is so large no digit is left: beside a singular matrix."""


def _agree(one: tuple[float, float], other: tuple[float, float], part: float) -> bool:
    """Whether two sums of terms (with the sum of their sizes) are the same but for rounding; nothing is said where the forward one is infinite or nan."""
    if not np.isfinite(one[0]) or one[1] > BEYOND_DIGITS:
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
