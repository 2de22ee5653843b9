"""What `check_grads` and `s2s verify` do: one derivative after the other against differences and against each other.

    value        the program gives what the function gives
    jvp          along a random direction = differences of the function itself
    vjp          ⟨vjp(bar), dot⟩ = ⟨bar, differences along dot⟩
    jvp = vjp    ⟨bar, jvp(dot)⟩ = ⟨vjp(bar), dot⟩, to rounding
    emitted      the module that is emitted gives what the program gives (only with a target)

Then the same for the derivative programs themselves: jvp of jvp of f, vjp of jvp of f, and so on. All but `emitted` is
interpreted: nothing is compiled.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from s2s.errors import NOWHERE, GradientCheckError, KinkError
from s2s.transforms.derivatives.activity import varied_results
from s2s.transforms.derivatives.forward import jvp
from s2s.transforms.derivatives.reverse.adjoint import vjp
from s2s.transforms.derivatives.rules import without_rules
from s2s.transforms.ir.interpret import interpret
from s2s.transforms.ir.program import Block, Function
from s2s.transforms.simplify.simplification import simplify
from s2s.types import FLOAT32, FLOAT64, is_float
from s2s.verification.differences import Comparison, Slope, Tolerance, Verdict, compare, slopes
from s2s.verification.emitted_programs import run_emitted
from s2s.verification.statements import first_disagreement

Values = tuple[Any, ...]
Mask = tuple[bool, ...]
_NAMES = {"fwd": "jvp", "rev": "vjp"}


@dataclass(frozen=True)
class Options:
    """What the user chose. `modes`: "fwd", "rev", "vmap"; `eps`: one step for plain central differences; `seed` of all directions."""

    modes: tuple[str, ...]
    atol: float | None = None
    rtol: float | None = None
    eps: float | None = None
    target: str | None = None
    seed: int = 0


@dataclass(frozen=True)
class Row:
    """One check that was made. `failure` is what check_grads raises."""

    check: str
    what: str
    off: float
    allowed: float
    failure: GradientCheckError | None = None


@dataclass(frozen=True)
class Case:
    """A program at a point. `truth`: values of the active operands -> the `useful` results, what differences are taken of;
    `precision` is the rounding error in them. `what` says how the program was made of the user's function: "jvp of f".
    """

    function: Function
    operands: Values
    names: tuple[str, ...]
    active: Mask
    results: tuple[str, ...]
    useful: Mask
    truth: Callable[[Values], Values]
    precision: float
    what: str
    order: int = 1

    def chosen(self) -> Values:
        """The values of the active operands."""
        return tuple(value for value, on in zip(self.operands, self.active, strict=True) if on)

    def active_names(self) -> tuple[str, ...]:
        return tuple(name for name, on in zip(self.names, self.active, strict=True) if on)

    def useful_names(self) -> tuple[str, ...]:
        return tuple(name for name, on in zip(self.results, self.useful, strict=True) if on)

    def along(self, dots: Values) -> Callable[[float], Values]:
        """t -> the useful results at the operands + t * dots."""
        point = [np.asarray(value).astype(np.result_type(np.asarray(value).dtype, np.float64)) for value in self.chosen()]
        return lambda t: self.truth(tuple(value + t * dot for value, dot in zip(point, dots, strict=True)))

    @property
    def single(self) -> bool:
        """Whether a value of single precision takes part."""
        types = [atom.type for atom in (*self.function.params, *self.function.body.results) if is_float(atom.type.dtype)]
        return any(np.finfo(type_.dtype).eps > 1e-10 for type_ in types)


def program_truth(function: Function, operands: Values, active: Mask, useful: Mask) -> Callable[[Values], Values]:
    """The truth of a case where there is no Python function: the program itself."""

    def truth(chosen: Values) -> Values:
        rest = iter(chosen)
        moved = tuple(next(rest) if on else value for value, on in zip(operands, active, strict=True))
        found = interpret(function, *moved)
        return tuple(np.asarray(value) for value, on in zip(found, useful, strict=True) if on)

    return truth


class Checks:
    """All checks of one function at one point."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.rng = np.random.default_rng(options.seed)

    def rows(self, case: Case, order: int) -> Iterator[Row]:
        """The checks, in order of cost; one is made when it is asked for."""
        if not any(case.active) or not any(case.useful):
            return
        dots = tuple(_direction(self.rng, value) for value in case.chosen())
        bars = tuple(_direction(self.rng, value) for value in case.truth(case.chosen()))
        found = slopes(case.along(dots), case.precision, self.options.eps)
        tangents = cotangents = None
        if "fwd" in self.options.modes:
            forward = self.forward_case(case, dots)
            tangents = _tangents(forward, case)
            yield self.forward_row(case, dots, tangents, found)
            yield from self.emitted_rows(forward)
        if "rev" in self.options.modes:
            backward = self.reverse_case(case, bars)
            cotangents = interpret(backward.function, *backward.operands)
            yield self.reverse_row(case, dots, bars, cotangents, found)
            yield from self.emitted_rows(backward)
        if tangents is not None and cotangents is not None:
            yield self.identity_row(case, dots, bars, tangents, cotangents)
        if order > 1:
            if "fwd" in self.options.modes:
                yield from self.rows(forward, order - 1)
            if "rev" in self.options.modes:
                yield from self.rows(backward, order - 1)

    # ---- derivative programs ----------------------------------------------------------------------------------------

    def forward_case(self, case: Case, dots: Values) -> Case:
        """The tangents of the useful results as a program of the same arguments, the tangents given."""
        function = case.function
        made = jvp(function, case.active)
        varied = varied_results(function, case.active)
        kept = [on for on, is_varied in zip(case.useful, varied, strict=True) if is_varied]
        names = [name for name, is_varied in zip(case.results, varied, strict=True) if is_varied]
        first = len(function.body.results)
        results = tuple(result for result, on in zip(made.body.results[first:], kept, strict=True) if on)
        labels = tuple(f"tangent of {name}" for name, on in zip(names, kept, strict=True) if on)
        return self.derived(case, made, results, labels, dots, "jvp")

    def reverse_case(self, case: Case, bars: Values) -> Case:
        """The cotangents of the active operands as a program of the same arguments, the results' cotangents given."""
        made = vjp(case.function, case.active, case.useful)
        results = made.body.results[len(case.function.body.results):]
        return self.derived(case, made, results, tuple(f"cotangent of {name}" for name in case.active_names()), bars, "vjp")

    def derived(self, case: Case, made: Function, results: tuple[Any, ...], labels: tuple[str, ...], given: Values, mode: str) -> Case:
        function = simplify(replace(made, body=Block(made.body.nodes, results)))
        extra = made.params[len(case.operands):]
        operands = (*case.operands, *(np.asarray(value, var.type.dtype)[()] for value, var in zip(given, extra, strict=True)))
        active, useful = (*case.active, *(False for _ in extra)), (True,) * len(results)
        return Case(
            function, operands, (*case.names, *(var.name for var in extra)), active, labels, useful,
            program_truth(function, operands, active, useful), float(np.finfo(FLOAT32 if case.single else FLOAT64).eps),
            f"{mode} of {case.what}", case.order + 1,
        )  # fmt: skip

    # ---- the checks -------------------------------------------------------------------------------------------------

    def tolerance(self, case: Case) -> Tolerance:
        default = 2e-2 if case.single and case.order > 1 else 2e-3 if case.single else 1e-5
        return Tolerance(
            default if self.options.atol is None else self.options.atol, default if self.options.rtol is None else self.options.rtol,
            fixed=self.options.eps is not None,
        )  # fmt: skip

    def forward_row(self, case: Case, dots: Values, tangents: Values, found: tuple[Slope, ...]) -> Row:
        along, tolerance = case.along(dots), self.tolerance(case)
        row = Row("", "", 0.0, 0.0)
        for number, (tangent, slope) in enumerate(zip(tangents, found, strict=True)):
            comparison = compare(tangent, slope, tolerance, _one(along, number), case.precision)
            row = self.judged(case, "fwd", comparison, slope, tolerance, number)
            if row.failure is not None:
                return replace(row, failure=self.explained(case, row.failure, "fwd", dots, None, number))
        return row

    def reverse_row(self, case: Case, dots: Values, bars: Values, cotangents: Values, found: tuple[Slope, ...]) -> Row:
        """As one number, so that what the reverse mode adds up is seen at once."""
        slope = Slope(
            np.asarray(_pairing(bars, tuple(each.value for each in found))[0]),
            np.asarray(sum(float(np.sum(np.abs(bar) * each.error)) for bar, each in zip(bars, found, strict=True))),
        )
        back, size = _pairing(cotangents, dots)
        along, tolerance = case.along(dots), self.tolerance(case)
        tolerance = replace(tolerance, absolute=tolerance.absolute * (1.0 + 0.1 * size))
        comparison = compare(np.asarray(back), slope, tolerance, lambda t: np.asarray(_pairing(bars, along(t))[0]), case.precision * (1 + len(bars)))
        row = self.judged(case, "rev", comparison, slope, tolerance, None)
        return row if row.failure is None else replace(row, failure=self.explained(case, row.failure, "rev", dots, bars, None))

    def judged(self, case: Case, mode: str, comparison: Comparison, slope: Slope, tolerance: Tolerance, number: int | None) -> Row:
        name = f"{_NAMES[mode]} of {case.what}"
        result = case.useful_names()[number] if number is not None else ""
        allowed = float(np.max(tolerance.allowed(slope.value, slope.error), initial=0.0))
        place = f"{result}{list(comparison.at) if comparison.at else ''}"
        row = Row(name, place, comparison.amount, allowed)
        if comparison.verdict is Verdict.SAME:
            return row
        return replace(row, failure=_failure(name, place, comparison))

    def identity_row(self, case: Case, dots: Values, bars: Values, tangents: Values, cotangents: Values) -> Row:
        """⟨bar, J dot⟩ = ⟨Jᵀ bar, dot⟩: both are s2s's, so that they differ by rounding only."""
        (one, size), (other, other_size) = _pairing(bars, tangents), _pairing(cotangents, dots)
        name, off = f"jvp = vjp of {case.what}", abs(one - other)
        allowed = (2e-4 if case.single else 1e-9) * (1.0 + size + other_size)
        row = Row(name, "", off, allowed)
        if off <= allowed:
            return row
        error = GradientCheckError(f"{name}: ⟨bar, jvp(dot)⟩ is {one:.10g} and ⟨vjp(bar), dot⟩ is {other:.10g}, off by {off:.3g}", where=case.function.where)
        error.check, error.found, error.wanted = name, other, one
        return replace(row, failure=self.explained(case, error, "rev", dots, bars, None))

    def emitted_rows(self, case: Case) -> Iterator[Row]:
        """What is emitted for the target gives what the interpreter gives."""
        if self.options.target is None:
            return
        wanted = interpret(case.function, *case.operands)
        found = run_emitted(without_rules(case.function), case.operands, self.options.target)
        off = max((float(np.max(np.abs(np.asarray(a) - b), initial=0.0)) for a, b in zip(found, wanted, strict=True)), default=0.0)
        size = max((float(np.max(np.abs(b), initial=0.0)) for b in wanted), default=0.0)
        allowed = (1e-4 if case.single else 1e-9) * (1.0 + size)
        name = f"emitted {case.what} ({self.options.target})"
        row = Row(name, "", off, allowed)
        if off <= allowed:
            yield row
            return
        error = GradientCheckError(f"{name} differs from the program by {off:.3g}", where=case.function.where, why="this is a fault of s2s: please report it")
        error.check = name
        yield replace(row, failure=error)

    # ---- who is it? -------------------------------------------------------------------------------------------------

    def explained(self, case: Case, error: GradientCheckError, mode: str, dots: Values, bars: Values | None, number: int | None) -> GradientCheckError:
        """The failure with the argument that is off most, and the user's statement that disagrees first."""
        error.argument = self.blamed(case, dots, bars, number)
        why = [error.why] if error.why else []
        if error.argument:
            why.append(f"it is off along {error.argument}")
        found = first_disagreement(case.function, case.operands, case.active, mode, self.options.seed)
        if found is not None:
            error.where = found.where
            why.append(found.text)
        elif error.where is NOWHERE:
            error.where = case.function.where
        error.why = "; ".join(why)
        return error

    def blamed(self, case: Case, dots: Values, bars: Values | None, number: int | None) -> str:
        """The argument along which the derivative is off most."""
        worst, name = 0.0, ""
        made = self.reverse_case(case, bars) if bars is not None else None
        cotangents = interpret(made.function, *made.operands) if made is not None else ()
        for k, argument in enumerate(case.active_names()):
            alone = tuple(dot if j == k else np.zeros_like(dot) for j, dot in enumerate(dots))
            found = slopes(case.along(alone), case.precision, self.options.eps)
            if bars is not None:
                off = abs(_pairing(bars, tuple(each.value for each in found))[0] - _pairing(cotangents[k : k + 1], dots[k : k + 1])[0])
            else:
                assert number is not None
                tangent = _tangents(self.forward_case(case, alone), case)[number]
                off = float(np.max(np.abs(tangent - found[number].value), initial=0.0))
            if not off <= worst:
                worst, name = off, argument
        return name


def _one(along: Callable[[float], Values], number: int) -> Callable[[float], Any]:
    return lambda t: along(t)[number]


def _failure(name: str, place: str, comparison: Comparison) -> GradientCheckError:
    numbers = f"s2s gives {_number(comparison.found)}, differences {_number(comparison.wanted)}"
    sides = f"the slope is {_number(comparison.left)} from the left and {_number(comparison.right)} from the right, s2s gives {_number(comparison.found)}"
    where = f" ({place})" if place else ""
    error: GradientCheckError
    match comparison.verdict:
        case Verdict.KINK:
            error = KinkError(f"{name}{where}: the function has a kink here: {sides}", instead="check it at another point; the conventions at kinks are in docs/kinks.md")
        case Verdict.JUMP:
            error = KinkError(f"{name}{where}: the function jumps here: {sides}", instead="check it at another point")
        case Verdict.UNKNOWN:
            error = GradientCheckError(f"{name}{where}: the differences do not settle here: {sides}", why="the function is too rough, or not finite, around this point", instead="check it at another point, or give eps and tolerances")
        case _:
            error = GradientCheckError(f"{name}{where} is off by {comparison.amount:.3g}: {numbers}")
    error.check, error.result, error.found, error.wanted = name, place, comparison.found, comparison.wanted
    return error


def _number(value: complex) -> str:
    return f"{value.real:.8g}{value.imag:+.8g}j" if isinstance(value, complex) and value.imag else f"{value.real:.8g}"


def _tangents(forward: Case, case: Case) -> Values:
    """A tangent for each useful result of `case`, zeros where it does not vary."""
    found = dict(zip(forward.results, interpret(forward.function, *forward.operands), strict=True))
    values = case.truth(case.chosen())
    return tuple(np.asarray(found.get(f"tangent of {name}", np.zeros(np.shape(value)))) for name, value in zip(case.useful_names(), values, strict=True))


def _direction(rng: np.random.Generator, value: Any) -> np.ndarray:
    """A random direction of about the value's own size (at least 1 in the middle), in double precision."""
    array = np.asarray(value)
    drawn = rng.uniform(0.3, 1.0, array.shape) * rng.choice([-1.0, 1.0], array.shape)
    if array.dtype.kind == "c":
        drawn = drawn + 1j * rng.uniform(0.3, 1.0, array.shape) * rng.choice([-1.0, 1.0], array.shape)
    return np.asarray(drawn)


def _pairing(left: Values, right: Values) -> tuple[float, float]:
    """Re Σ left * right (no conjugate: as transposes pair them) and the size of its terms."""
    products = [np.asarray(a) * np.asarray(b) for a, b in zip(left, right, strict=True)]
    return float(sum(np.sum(product).real for product in products)), float(sum(np.sum(np.abs(product)) for product in products))
