"""One random program through everything: NumPy running the source decides; refusals are counted, all else is a fault.

value        the program interpreted = the function called: structure, dtypes, numbers, changed arguments
first        reverse = forward to 1e-12 of the terms' size, as written and simplified; against central differences loosely
second       forward over reverse, reverse over reverse and reverse over forward agree to 1e-10
emitted      the modules for NumPy (and, for some, compiled): values, gradients and, for some, second derivatives

Where rounding alone moves a number as much as two ways to it differ, the program is skipped (`compare`).
"""
from __future__ import annotations

import copy
import importlib.util
import re
import signal
import tempfile
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np

import s2s
from s2s import tree_util
from s2s.errors import InternalError, S2SError, UnsupportedError, UnsupportedErrors
from s2s.transforms.ir.interpret import interpret
from s2s.transforms.ir.staged import Result
from s2s.transforms.ir.verify import verify
from s2s.transforms.simplify.simplification import simplify

from .compare import BIG, Fault, Movement, Skip, agree, compare, dotted, movement, random_like
from .derivatives import Derivatives, check_gradient
from .points import kind_of, operands_of, points_for, read_for, stage

SECONDS = 20
"""How long one program may take, of this process's time; three times as long where it is compiled."""

FLOAT0 = np.zeros((), [("float0", np.void, 0)])
_FOLDER = tempfile.TemporaryDirectory(prefix="s2s-fuzz-")
_COUNT = 0


@dataclass(frozen=True)
class Outcome:
    """What became of a program. `kind`: 'ok', 'refused', 'skipped' (NumPy itself fails, numbers too big, too sensitive) or 'fault'."""

    kind: str
    detail: str = ""
    stage: str = ""

    def label(self) -> str:
        """The same for outcomes of the same cause, roughly."""
        return f"{self.kind} {self.stage}: {self.reason}"

    @property
    def reason(self) -> str:
        """The first line of what there is to say."""
        return self.detail.splitlines()[0] if self.detail else ""


class TooLong(BaseException):
    """The program, or what s2s does with it, does not come to an end."""


def load(text: str) -> Any:
    """The text as a module in a file of its own."""
    global _COUNT
    _COUNT += 1
    path = Path(_FOLDER.name) / f"program_{_COUNT}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a drawn `[1, 2][:, 0]` is warned of, and fails in NumPy too
        spec.loader.exec_module(module)
    return module


def examine(text: str, seed: int, *, second: bool = True, targets: tuple[str, ...] = ("numpy",), points: int = 2) -> Outcome:
    """Run all checks on a program, at points drawn with `seed`."""
    return judged(Examination(seed, second, targets, points), text, compiled="cpu" in targets)


class Stages(Protocol):
    """Checks of a program, one after the other; `stage` says which of them is going on."""

    stage: str

    def run(self, text: str) -> None: ...


def judged(examination: Stages, text: str, *, compiled: bool) -> Outcome:
    """What becomes of a program: what an exception of its checks means."""
    before = signal.signal(signal.SIGPROF, _too_long)
    signal.setitimer(signal.ITIMER_PROF, 3 * SECONDS if compiled else SECONDS)
    try:
        examination.run(text)
    except UnsupportedErrors as error:
        return Outcome("refused", "; ".join(sorted({_reason(each) for each in error.errors})), examination.stage)
    except UnsupportedError as error:
        at_run_time = "broadcast against each other in some trips" in error.what  # the one refusal that is known only then
        return Outcome("refused" if error.where.line or at_run_time else "fault", _reason(error), examination.stage)
    except InternalError as error:
        return Outcome("fault", f"InternalError: {error.what.splitlines()[0]}\n{error}", examination.stage)
    except (Skip, TooLong) as skip:
        return Outcome("skipped", str(skip), examination.stage)
    except Fault as fault:
        return Outcome("fault", str(fault), examination.stage)
    except S2SError as error:
        return Outcome("fault", f"{type(error).__name__}: {error.what.splitlines()[0]}\n{error}", examination.stage)
    except Exception as error:  # noqa: BLE001 whatever it is, it is a fault
        if type(error) is NotImplementedError and "zip of" in str(error):  # a refusal that is known only when it runs
            return Outcome("refused", "zip of a list and of less", examination.stage)
        frame = traceback.extract_tb(error.__traceback__)[-1]
        where = f"({Path(frame.filename).name}:{frame.lineno})"
        return Outcome("fault", f"{type(error).__name__}: {error} {where}\n{traceback.format_exc()}", examination.stage)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)
    return Outcome("ok")


@dataclass
class Examination:
    """All checks of one program; `stage` says which of them is going on."""

    seed: int
    second: bool
    targets: tuple[str, ...]
    points: int
    stage: str = "value"

    def run(self, text: str) -> None:
        module = load(text)
        kind = kind_of(module)
        arguments = points_for(kind, self.seed, self.points)
        coarse = 1e7 if "single" in kind else 1.0
        exact, raising = kind.startswith(("square", "mixed")), kind == "mixed raising"
        failing = [(args, error) for args in arguments if (error := python_error(module.f, args)) is not None] if raising else []
        arguments = [args for args in arguments if not any(args is other for other, _ in failing)]
        wanted = [run_python(module.f, args) for args in arguments]
        if not raising:  # where sizes must be known the API reads again
            self.interpreted(module, arguments, wanted, coarse, exact=exact)
        for target in self.targets:
            self.stage = f"emitted {target}"
            emitted = Emitted(module, target, self.seed, coarse, dtypes=exact)
            emitted.fails(failing)
            if arguments:
                emitted.check(arguments, wanted, second=self.second and target == "numpy" and kind != "complex")

    def interpreted(self, module: Any, arguments: list[Any], wanted: list[Any], coarse: float, *, exact: bool) -> None:
        programs: dict[Any, Interpreted] = {}
        for number, (args, want) in enumerate(zip(arguments, wanted, strict=True)):
            self.stage = "value"
            program = programs.get(read_for(args)) or Interpreted(module.f, args, coarse, dtypes=exact)
            programs[read_for(args)] = program
            program.value(args, *want)
            self.stage = "first"
            program.derivatives.first(args, self.seed + number, differences=number == 0 and coarse == 1.0)
            if self.second and number == 0:
                self.stage = "second"
                program.derivatives.second(args, self.seed)
                self.stage = "second of loss"
                check_gradient(module.loss, args, self.seed, coarse)


def _too_long(*_: Any) -> None:
    raise TooLong(f"more than {SECONDS} seconds")


def _reason(error: S2SError) -> str:
    return re.sub(r"\b[a-zA-Z_]\w?\b(?=[ ,])|program_\d+|'[^']*'|\d+", "_", error.what.splitlines()[0])


def run_python(fun: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, Any]:
    """Result and arguments afterwards; Skip where NumPy raises or the numbers are too big."""
    args = copy.deepcopy(args)
    try:
        with np.errstate(all="ignore"), s2s.disable_jit():
            result = fun(*args)
    except UnsupportedError:  # of a transformation inside
        raise
    except Exception as error:
        raise Skip(f"NumPy raises {type(error).__name__}") from error
    for leaf in [*tree_util.tree_leaves(result), *args]:
        if not np.all(np.isfinite(leaf)) or np.max(np.abs(leaf), initial=0.0) > BIG:
            raise Skip("big numbers")
    return copy.deepcopy(result), args


def python_error(fun: Callable[..., Any], args: tuple[Any, ...]) -> type[Exception] | None:
    """The class of what Python raises."""
    try:
        with np.errstate(all="ignore"), s2s.disable_jit():
            fun(*copy.deepcopy(args))
    except S2SError:
        raise
    except Exception as error:  # noqa: BLE001 whatever it is, s2s must raise it too
        return type(error)
    return None


def python_moves(fun: Callable[..., Any], args: tuple[Any, ...], part: int) -> Movement:
    """How much the result (part 0), or the arguments afterwards (1), move under NumPy when the arguments move by an ulp."""
    return lambda: movement(lambda near: run_python(fun, near)[part], args)


class Interpreted:
    """The program read for arguments like these, as it is and simplified."""

    def __init__(self, fun: Callable[..., Any], args: tuple[Any, ...], coarse: float, *, dtypes: bool) -> None:
        self.fun, self.coarse, self.dtypes = fun, coarse, dtypes
        self.staged = stage(fun, args)
        self.simple = simplify(self.staged.function)

    @cached_property
    def derivatives(self) -> Derivatives:
        return Derivatives(self.fun, self.staged, self.simple, self.coarse)

    def value(self, args: tuple[Any, ...], wanted: Any, after: Any) -> None:
        """Both give what Python gives, and change of the arguments what Python changes."""
        for function in (self.staged.function, self.simple):
            verify(function)
            results = interpret(function, *operands_of(self.fun, self.staged, args))
            found = tree_util.tree_map(partial(_leaf, results), self.staged.result)
            self.compare(found, wanted, args, 0)
            changed = dict(enumerate(copy.deepcopy(args)))
            for var, number in self.staged.mutated:
                changed[function.params.index(var)] = results[number]
            self.compare(tuple(changed[k] for k in range(len(args))), after, args, 1)

    def compare(self, found: Any, wanted: Any, args: tuple[Any, ...], part: int) -> None:
        compare(found, wanted, ("result", "arguments afterwards")[part], python_moves(self.fun, args, part), coarse=self.coarse, dtypes=self.dtypes)


def _leaf(results: tuple[Any, ...], leaf: Any) -> Any:
    return leaf.of(results) if isinstance(leaf, Result) else leaf


@dataclass
class Emitted:
    """The modules that the API makes of a program: jit, and the gradient of `loss` (and its tangent)."""

    module: Any
    target: str
    seed: int
    coarse: float
    dtypes: bool

    def check(self, arguments: list[Any], wanted: list[Any], *, second: bool) -> None:
        run = s2s.jit(self.module.f, target=self.target)
        loss = s2s.jit(self.module.loss, target=self.target)
        gradient = s2s.value_and_grad(loss, argnums=(0, 1, 2, 3))
        for number, (args, want) in enumerate(zip(arguments, wanted, strict=True)):
            self.value(run, args, *want)
            rng = np.random.default_rng(self.seed + number)
            dots = tuple(random_like(rng, arg) for arg in args[:4])
            self.first(loss, gradient, args, dots)
        if second:
            self.second(gradient, args, dots)

    def fails(self, failing: list[tuple[Any, type[Exception]]]) -> None:
        """Where Python raises, what is emitted raises the same."""
        run = s2s.jit(self.module.f, target=self.target)
        gradient = s2s.value_and_grad(s2s.jit(self.module.loss, target=self.target), argnums=(0, 1, 2, 3))
        for args, error in failing:
            for fun, name in ((run, "function"), (gradient, "gradient")):
                try:
                    with np.errstate(all="ignore"):
                        found = fun(*copy.deepcopy(args))
                except error:
                    continue
                except (S2SError, ArithmeticError, LookupError, ValueError, AssertionError) as other:
                    if isinstance(other, UnsupportedError):
                        raise
                    raise Fault(f"the {name} raises {type(other).__name__} instead of {error.__name__}: {other}") from other
                raise Fault(f"the {name} does not raise {error.__name__}: {found}")

    def value(self, run: Callable[..., Any], args: tuple[Any, ...], result: Any, after: Any) -> None:
        mine = copy.deepcopy(args)
        found = tree_util.tree_map(np.asarray, run(*mine))
        moves = python_moves(self.module.f, args, 0)
        compare(found, tree_util.tree_map(np.asarray, result), "emitted result", moves, coarse=self.coarse, dtypes=self.dtypes)
        compare(mine, after, "arguments after the emitted function", python_moves(self.module.f, args, 1), coarse=self.coarse, dtypes=self.dtypes)

    def first(self, loss: Callable[..., Any], gradient: Callable[..., Any], args: tuple[Any, ...], dots: tuple[Any, ...]) -> None:
        mine = copy.deepcopy(args)
        value, bars = gradient(*mine)
        compare(mine, args, "arguments after the gradient")
        plain = run_python(self.module.loss, args)[0]
        agree((float(plain), abs(plain)), (float(value), abs(value)), 1e-11 * self.coarse, "value of value_and_grad", python_moves(self.module.loss, args, 0))
        _, dot = s2s.jvp(loss, args, (*dots, FLOAT0))
        moves: Movement = lambda: movement(lambda near: dotted(gradient(*near)[1], dots)[0], args)  # noqa: E731
        agree((float(dot), abs(dot)), dotted(bars, dots), 1e-11 * self.coarse, "emitted grad against jvp", moves)

    def second(self, gradient: Callable[..., Any], args: tuple[Any, ...], dots: tuple[Any, ...]) -> None:
        def bar_dots(near: tuple[Any, ...]) -> Any:
            return s2s.jvp(gradient, near, (*dots, FLOAT0))[1][1]

        along = s2s.jit(lambda *args: sum(np.sum(bar * dot) for bar, dot in zip(gradient(*args)[1], dots, strict=True)), target=self.target)
        weights = tuple(np.cos(np.arange(np.size(dot))).reshape(np.shape(dot)).astype(np.asarray(dot).dtype) for dot in dots)
        moves: Movement = lambda: movement(lambda near: dotted(weights, bar_dots(near))[0], args)  # noqa: E731
        twice = dotted(s2s.grad(along, argnums=(0, 1, 2, 3))(*args), weights)
        agree(dotted(weights, bar_dots(args)), twice, 1e-10 * self.coarse, "emitted grad of grad against jvp of grad", moves)
