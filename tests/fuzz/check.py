"""One random program through everything: NumPy running the source decides; refusals are counted, all else is a fault.

value        the program interpreted = the function called: structure, dtypes, numbers, changed arguments
first        reverse = forward to 1e-12 of the terms' size, as written and simplified; against central differences loosely
second       forward over reverse, reverse over reverse and reverse over forward agree to 1e-10
emitted      the modules for NumPy (and, for some, compiled): values, gradients and, for some, second derivatives
"""
from __future__ import annotations

import copy
import importlib.util
import signal
import tempfile
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import s2s
from s2s import tree_util
from s2s.errors import InternalError, S2SError, UnsupportedError, UnsupportedErrors
from s2s.hidden import fetch
from s2s.leaves import kind_of_leaf, make_var
from s2s.transforms import derive
from s2s.transforms.activity import varied_results
from s2s.transforms.forward import jvp
from s2s.transforms.interpret import interpret
from s2s.transforms.program import Function, Var
from s2s.transforms.read import read
from s2s.transforms.reverse import vjp
from s2s.transforms.simplify import simplify
from s2s.transforms.staged import Result, Staged
from s2s.transforms.verify import verify
from s2s.types import is_float

BIG = 1e5
"""Programs with larger values or derivatives are left out: nothing can be said of their last digits."""

SECONDS = 20
"""How long one program may take."""

_FOLDER = tempfile.TemporaryDirectory(prefix="s2s-fuzz-")
_COUNT = 0


@dataclass(frozen=True)
class Outcome:
    """What became of a program. `kind`: 'ok', 'refused', 'skipped' (NumPy itself fails, numbers too big) or 'fault'."""

    kind: str
    detail: str = ""
    stage: str = ""

    def label(self) -> str:
        """The same for outcomes of the same cause, roughly."""
        return f"{self.kind} {self.stage}: {self.detail.splitlines()[0] if self.detail else ''}"


class Fault(Exception):
    """A wrong number, or an error that should not be."""


class TooLong(BaseException):
    """The program, or what s2s does with it, does not come to an end."""


class Skip(Exception):
    """Nothing can be said about this program."""


def load(text: str) -> Any:
    """The text as a module in a file of its own."""
    global _COUNT
    _COUNT += 1
    path = Path(_FOLDER.name) / f"program_{_COUNT}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def examine(text: str, seed: int, *, second: bool = True, targets: tuple[str, ...] = ("numpy",), points: int = 2) -> Outcome:
    """Run all checks on a program, at points drawn with `seed`."""
    from .grammar import point

    stage = "value"
    before = signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(SECONDS)
    try:
        module = load(text)
        arguments = [point(seed + number) for number in range(points)]
        wanted = [_run_python(module.f, args) for args in arguments]
        staged = _stage(module.f, arguments[0])
        function = simplify(staged.function)
        for args, (result, after) in zip(arguments, wanted, strict=True):
            for one in (staged.function, function):
                check_value(module.f, staged, one, args, result, after)
        stage = "first"
        checked = Derivatives(module.f, staged, function)
        for number, args in enumerate(arguments):
            checked.first(args, seed + number, differences=number == 0)
        if second:
            stage = "second"
            checked.second(arguments[0], seed)
            stage = "second of loss"
            check_gradient(module.loss, arguments[0], seed)
        for target in targets:
            stage = f"emitted {target}"
            check_emitted(module, arguments, wanted, target, second=second and target == "numpy", seed=seed)
    except UnsupportedErrors as error:
        return Outcome("refused", "; ".join(sorted({_reason(each) for each in error.errors})), stage)
    except UnsupportedError as error:
        return Outcome("refused" if error.where.line else "fault", _reason(error), stage)
    except InternalError as error:
        return Outcome("fault", f"InternalError: {error.what.splitlines()[0]}\n{error}", stage)
    except (Skip, TooLong) as skip:
        return Outcome("skipped", str(skip), stage)
    except Fault as fault:
        return Outcome("fault", str(fault), stage)
    except S2SError as error:
        return Outcome("fault", f"{type(error).__name__}: {error.what.splitlines()[0]}\n{error}", stage)
    except RecursionError:
        raise
    except Exception as error:  # noqa: BLE001 whatever it is, it is a fault
        frame = traceback.extract_tb(error.__traceback__)[-1]
        return Outcome("fault", f"{type(error).__name__}: {error} ({Path(frame.filename).name}:{frame.lineno})\n{traceback.format_exc()}", stage)
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    return Outcome("ok")


def _too_long(*_: Any) -> None:
    raise TooLong(f"more than {SECONDS} seconds")


def _reason(error: S2SError) -> str:
    import re

    return re.sub(r"\b[a-zA-Z_]\w?\b(?=[ ,])|program_\d+|'[^']*'|\d+", "_", error.what.splitlines()[0])


# ---- value ----------------------------------------------------------------------------------------------------------


def _run_python(fun: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, Any]:
    """Result and arguments afterwards; Skip where NumPy raises or the numbers are too big."""
    args = copy.deepcopy(args)
    try:
        with np.errstate(all="ignore"), s2s.disable_jit():
            result = fun(*args)
    except Exception as error:
        raise Skip(f"NumPy raises {type(error).__name__}") from error
    for leaf in [*tree_util.tree_leaves(result), *args]:
        if not np.all(np.isfinite(leaf)) or np.max(np.abs(leaf), initial=0.0) > BIG:
            raise Skip("big numbers")
    return copy.deepcopy(result), args


def _stage(fun: Callable[..., Any], args: tuple[Any, ...]) -> Staged:
    params: list[Var] = []

    def variable(leaf: Any) -> Var:
        params.append(make_var(kind_of_leaf(leaf, "x"), "abPxk"[len(params)], lambda: "n"))
        return params[-1]

    tree = tree_util.tree_map(variable, args)
    staged = read(fun, tuple(params), tree, {})
    verify(staged.function)
    return staged


def _operands(fun: Callable[..., Any], staged: Staged, args: tuple[Any, ...]) -> tuple[Any, ...]:
    hidden = [fetch(fun, each.access) for each in staged.hidden]
    return (*args, *hidden)


def check_value(fun: Callable[..., Any], staged: Staged, function: Function, args: tuple[Any, ...], wanted: Any, after: Any) -> None:
    """The program gives what Python gives, and changes of the arguments what Python changes."""
    verify(function)
    results = interpret(function, *_operands(fun, staged, args))
    found = tree_util.tree_map(lambda leaf: results[leaf.number] if isinstance(leaf, Result) else leaf, staged.result)
    compare(found, wanted, "result")
    changed = dict(enumerate(copy.deepcopy(args)))
    for var, number in staged.mutated:
        changed[function.params.index(var)] = results[number]
    compare(tuple(changed[k] for k in range(len(args))), after, "arguments afterwards")


def compare(found: Any, wanted: Any, what: str) -> None:
    """Same structure, shapes, dtypes, numbers to 1e-12."""
    if tree_util.tree_structure(found) != tree_util.tree_structure(wanted):
        raise Fault(f"{what}: another structure: {tree_util.tree_structure(found)}")
    for number, (one, other) in enumerate(zip(tree_util.tree_leaves(found), tree_util.tree_leaves(wanted), strict=True)):
        a, b = np.asarray(one), np.asarray(other)
        if a.shape != b.shape or a.dtype != b.dtype:
            raise Fault(f"{what}, leaf {number}: {a.dtype}{a.shape} instead of {b.dtype}{b.shape}")
        if not np.allclose(a, b, rtol=1e-11, atol=1e-11, equal_nan=True):
            raise Fault(f"{what}, leaf {number}: another value\n{a}\ninstead of\n{b}")


# ---- derivatives of the program -------------------------------------------------------------------------------------


def dotted(left: tuple[Any, ...], right: tuple[Any, ...]) -> tuple[float, float]:
    """⟨left, right⟩ and the size of its terms."""
    terms = [(float(np.sum(a * b)), float(np.sum(np.abs(a * b)))) for a, b in zip(left, right, strict=True)]
    return sum(term for term, _ in terms), sum(size for _, size in terms)


class Derivatives:
    """First and second derivatives of one program, interpreted."""

    def __init__(self, fun: Callable[..., Any], staged: Staged, function: Function) -> None:
        self.fun, self.staged, self.source = fun, staged, function
        self.active = tuple(is_float(param.type.dtype) for param in function.params)
        self.useful = tuple(is_float(result.type.dtype) for result in function.body.results)
        self.forward = self.checked(jvp(function, self.active))
        self.plain = self.checked(vjp(function, self.active, self.useful))
        self.reverse = self.checked(simplify(self.plain))
        self.results = len(function.body.results)

    def checked(self, function: Function) -> Function:
        verify(function)
        return function

    def directions(self, seed: int, args: tuple[Any, ...]) -> tuple[tuple[Any, ...], tuple[Any, ...], tuple[Any, ...]]:
        """Operands, tangents of the active ones, cotangents of the useful results."""
        rng = np.random.default_rng(seed)
        operands = _operands(self.fun, self.staged, args)
        dots = tuple(rng.normal(size=np.shape(value)) for value, on in zip(operands, self.active, strict=True) if on)
        results = interpret(self.source, *operands)
        bars = tuple(rng.normal(size=np.shape(value)) for value, on in zip(results, self.useful, strict=True) if on)
        return operands, dots, bars

    def out_dots(self, operands: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, ...]:
        """The tangents of the useful results, zeros where they don't vary."""
        found = interpret(self.forward, *operands, *dots)
        varied = varied_results(self.source, self.active)
        values, tangents = found[: self.results], iter(found[self.results:])
        every = [next(tangents) if on else np.zeros(np.shape(value)) for on, value in zip(varied, values, strict=True)]
        return tuple(dot for dot, on in zip(every, self.useful, strict=True) if on)

    def first(self, args: tuple[Any, ...], seed: int, *, differences: bool) -> None:
        operands, dots, bars = self.directions(seed, args)
        value = interpret(self.source, *operands)
        out_dots = self.out_dots(operands, dots)
        finite(out_dots)
        forward = dotted(bars, out_dots)
        for one, name in ((self.plain, "as written"), (self.reverse, "simplified")):
            found = interpret(one, *operands, *bars)
            for a, b in zip(found[: self.results], value, strict=True):
                if not np.array_equal(a, b, equal_nan=True):
                    raise Fault(f"the reverse sweep {name} gives another value: {a} instead of {b}")
            back = dotted(found[self.results:], dots)
            agree(forward, back, 1e-12, f"reverse {name} against forward", lambda: self.spread(operands, dots, bars))
        if differences:
            self.differences(operands, dots, out_dots)

    def spread(self, operands: tuple[Any, ...], dots: tuple[Any, ...], bars: tuple[Any, ...]) -> float:
        """How much the derivative moves when the arguments move by an ulp: what rounding can do to it."""
        base = dotted(bars, self.out_dots(operands, dots))[0]
        moved = []
        for sign in (1.0, -1.0, 0.5):
            near = tuple(value * (1.0 + sign * 4e-16) if on else value for value, on in zip(operands, self.active, strict=True))
            moved.append(abs(dotted(bars, self.out_dots(near, dots))[0] - base))
        return max(moved)

    def differences(self, operands: tuple[Any, ...], dots: tuple[Any, ...], out_dots: tuple[Any, ...]) -> None:
        """Central differences at two steps; where they disagree with each other there is a kink or a jump nearby."""
        length = max((float(np.max(np.abs(dot), initial=0.0)) for dot in dots), default=1.0)
        slopes = [self.slope(operands, dots, step / max(length, 1.0)) for step in (2e-5, 1e-5, 5e-6)]
        for number, dot in enumerate(out_dots):
            one, two, three = (each[number] for each in slopes)
            scale = 1.0 + np.max(np.abs(dot), initial=0.0)
            noise = np.abs(one - two) + np.abs(two - three)
            wrong = np.abs(two - dot) > 1e-4 * scale + 20 * noise
            if np.any(wrong):
                raise Fault(f"forward against differences: result {number}: {dot} instead of {two}")

    def slope(self, operands: tuple[Any, ...], dots: tuple[Any, ...], step: float) -> tuple[Any, ...]:
        sides = []
        for sign in (1.0, -1.0):
            rest = iter(dots)
            moved = tuple(value + sign * step * next(rest) if on else value for value, on in zip(operands, self.active, strict=True))
            results = interpret(self.source, *moved)
            sides.append(tuple(value for value, on in zip(results, self.useful, strict=True) if on))
        return tuple((up - down) / (2 * step) for up, down in zip(*sides, strict=True))

    def second(self, args: tuple[Any, ...], seed: int) -> None:
        """d/dt ⟨w, vjp(x + t u; bars)⟩ by forward over reverse = ⟨reverse over reverse, u⟩; and ⟨bars, jvp(x; w)⟩ by reverse over forward."""
        operands, dots, bars = self.directions(seed, args)
        rng = np.random.default_rng(seed + 1)
        weights = tuple(rng.normal(size=np.shape(dot)) for dot in dots)
        active = (*self.active, *(False,) * len(bars))
        over = self.checked(jvp(self.reverse, active))
        found = interpret(over, *operands, *bars, *dots)
        every = len(self.reverse.body.results)
        varied = varied_results(self.reverse, active)
        tangents = iter(found[every:])
        bar_dots = [next(tangents) if on else np.zeros(np.shape(found[k])) for k, on in enumerate(varied)][self.results:]
        finite(tuple(bar_dots))
        first = dotted(weights, tuple(bar_dots))

        twice = self.checked(vjp(self.reverse, active, tuple(k >= self.results for k in range(every))))
        got = interpret(twice, *operands, *bars, *weights)
        agree(first, dotted(got[every:], dots), 1e-10, "reverse over reverse against forward over reverse")
        simple = self.checked(simplify(twice))
        got = interpret(simple, *operands, *bars, *weights)
        agree(first, dotted(got[every:], dots), 1e-10, "simplified reverse over reverse against forward over reverse")

        varied = varied_results(self.source, self.active)
        chosen = [on and useful for on, useful in zip(varied, self.useful, strict=True)]
        if not any(chosen):
            return
        seeds = tuple(bar for bar, on in zip(bars, [v for v, u in zip(varied, self.useful, strict=True) if u], strict=True) if on)
        simple_forward = self.checked(simplify(self.forward))
        tangent_count = sum(varied)
        useful = (*(False,) * self.results, *(on for on, v in zip(self.useful, varied, strict=True) if v))
        assert len(useful) == self.results + tangent_count
        mixed = self.checked(vjp(simple_forward, (*self.active, *(False,) * len(dots)), useful))
        got = interpret(mixed, *operands, *weights, *seeds)
        agree(first, dotted(got[len(useful):], dots), 1e-10, "reverse over forward against forward over reverse")


def check_gradient(loss: Callable[..., Any], args: tuple[Any, ...], seed: int) -> None:
    """The gradient as `grad` makes it, differentiated forwards and in reverse."""
    staged = derive.grad(_stage(loss, args), argnums=(0, 1, 2, 3))
    gradient = simplify(staged.function)
    verify(gradient)
    operands = _operands(loss, staged, args)
    rng = np.random.default_rng(seed)
    active = tuple(is_float(param.type.dtype) for param in gradient.params)
    dots = tuple(rng.normal(size=np.shape(value)) for value, on in zip(operands, active, strict=True) if on)
    forward, reverse = jvp(gradient, active), vjp(gradient, active, (True,) * len(gradient.body.results))
    verify(forward)
    verify(reverse)
    values = interpret(forward, *operands, *dots)
    count = len(gradient.body.results)
    tangents = iter(values[count:])
    out_dots = tuple(next(tangents) if on else np.zeros(np.shape(value)) for on, value in zip(varied_results(gradient, active), values, strict=False))
    finite(out_dots)
    bars = tuple(rng.normal(size=np.shape(value)) for value in values[:count])
    back = interpret(reverse, *operands, *bars)[count:]
    agree(dotted(bars, out_dots), dotted(back, dots), 1e-10, "reverse over grad against forward over grad")


def finite(values: tuple[Any, ...]) -> None:
    for value in values:
        if not np.all(np.isfinite(value)) or np.max(np.abs(value), initial=0.0) > BIG:
            raise Skip("big derivatives")


def agree(one: tuple[float, float], other: tuple[float, float], tolerance: float, what: str, spread: Callable[[], float] | None = None) -> None:
    """The two numbers differ by no more than a part of their terms' sizes; where rounding alone moves them more, by that."""
    (a, size_a), (b, size_b) = one, other
    allowed = tolerance * (1.0 + size_a + size_b)
    if abs(a - b) <= allowed:
        return
    if spread is not None and abs(a - b) <= 100 * spread():
        return
    raise Fault(f"{what}: {b!r} instead of {a!r}")


# ---- emitted modules ------------------------------------------------------------------------------------------------


def check_emitted(module: Any, arguments: list[Any], wanted: list[Any], target: str, *, second: bool, seed: int) -> None:
    """jit, and the gradient of `loss` (and its tangent), by the modules that the API makes."""
    run = s2s.jit(module.f, target=target)
    for args, (result, after) in zip(arguments, wanted, strict=True):
        mine = copy.deepcopy(args)
        found = run(*mine)
        compare(tree_util.tree_map(np.asarray, found), tree_util.tree_map(np.asarray, result), "emitted result")
        compare(mine, after, "arguments after the emitted function")
    loss = s2s.jit(module.loss, target=target)
    gradient = s2s.value_and_grad(loss, argnums=(0, 1, 2, 3))
    for number, args in enumerate(arguments):
        rng = np.random.default_rng(seed + number)
        dots = tuple(rng.normal(size=np.shape(arg)) if isinstance(arg, np.ndarray) else float(rng.normal()) for arg in args[:4])
        mine = copy.deepcopy(args)
        value, bars = gradient(*mine)
        compare(mine, args, "arguments after the gradient")
        plain = _run_python(module.loss, args)[0]
        agree((float(plain), abs(plain)), (float(value), abs(value)), 1e-11, "value of value_and_grad")
        _, dot = s2s.jvp(loss, args, (*dots, np.zeros((), [("float0", np.void, 0)])))
        agree((float(dot), abs(dot)), dotted(bars, dots), 1e-11, "emitted grad against jvp")
    if second:
        _, (_, bar_dots) = s2s.jvp(gradient, args, (*dots, np.zeros((), [("float0", np.void, 0)])))
        along = s2s.jit(lambda *args: sum(np.sum(bar * dot) for bar, dot in zip(gradient(*args)[1], dots, strict=True)), target=target)
        directional = s2s.grad(along, argnums=(0, 1, 2, 3))
        weights = tuple(np.cos(np.arange(np.size(dot))).reshape(np.shape(dot)) for dot in dots)
        agree(dotted(weights, bar_dots), dotted(directional(*args), weights), 1e-10, "emitted grad of grad against jvp of grad")
