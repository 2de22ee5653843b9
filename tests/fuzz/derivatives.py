"""First and second derivatives of a random program, interpreted: each mode against each other, and against differences."""
from __future__ import annotations

from collections.abc import Callable
from itertools import compress
from typing import Any

import numpy as np

from s2s.transforms.derivatives import derive
from s2s.transforms.derivatives.activity import varied_results
from s2s.transforms.derivatives.forward import jvp
from s2s.transforms.derivatives.reverse.adjoint import vjp
from s2s.transforms.ir.interpret import interpret
from s2s.transforms.ir.program import Function
from s2s.transforms.ir.staged import Staged
from s2s.transforms.ir.verify import verify
from s2s.transforms.simplify.simplification import simplify
from s2s.types import is_float

from .compare import Fault, Movement, agree, dotted, finite, movement, random_like
from .points import operands_of, stage

Values = tuple[Any, ...]


def checked(function: Function) -> Function:
    """The function, verified."""
    verify(function)
    return function


def tangents(forward: Function, source: Function, active: tuple[bool, ...], operands: Values, dots: Values) -> list[Any]:
    """The tangents of all results of `source`, zeros where they don't vary."""
    found = interpret(forward, *operands, *dots)
    count = len(source.body.results)
    rest = iter(found[count:])
    return [next(rest) if on else np.zeros(np.shape(value)) for on, value in zip(varied_results(source, active), found[:count], strict=True)]


class Derivatives:
    """First and second derivatives of one program; `coarse` times the tolerances of float64."""

    def __init__(self, fun: Callable[..., Any], staged: Staged, function: Function, coarse: float = 1.0) -> None:
        self.fun, self.staged, self.source, self.coarse = fun, staged, function, coarse
        self.active = tuple(is_float(param.type.dtype) for param in function.params)
        self.useful = tuple(is_float(result.type.dtype) for result in function.body.results)
        self.forward = checked(jvp(function, self.active))
        self.plain = checked(vjp(function, self.active, self.useful))
        self.reverse = checked(simplify(self.plain))
        self.results = len(function.body.results)

    def directions(self, seed: int, args: Values) -> tuple[Values, Values, Values]:
        """Operands, tangents of the active ones, cotangents of the useful results."""
        rng = np.random.default_rng(seed)
        operands = operands_of(self.fun, self.staged, args)
        dots = tuple(random_like(rng, value) for value in compress(operands, self.active))
        results = interpret(self.source, *operands)
        return operands, dots, tuple(random_like(rng, value) for value in compress(results, self.useful))

    def out_dots(self, operands: Values, dots: Values) -> Values:
        """The tangents of the useful results."""
        return tuple(compress(tangents(self.forward, self.source, self.active, operands, dots), self.useful))

    def first(self, args: Values, seed: int, *, differences: bool) -> None:
        """Reverse as written and simplified = forward; `differences`: = the slope of the function too."""
        operands, dots, bars = self.directions(seed, args)
        value = interpret(self.source, *operands)
        out_dots = self.out_dots(operands, dots)
        finite(out_dots)
        forward = dotted(bars, out_dots)
        moves: Movement = lambda: movement(lambda near: dotted(bars, self.out_dots(near, dots))[0], operands)  # noqa: E731
        for one, name in ((self.plain, "as written"), (self.reverse, "simplified")):
            found = interpret(one, *operands, *bars)
            for a, b in zip(found[: self.results], value, strict=True):
                if not np.array_equal(a, b, equal_nan=True):
                    raise Fault(f"the reverse sweep {name} gives another value: {a} instead of {b}")
            back = dotted(found[self.results:], dots)
            agree(forward, back, 1e-12 * self.coarse, f"reverse {name} against forward", moves)
        if differences:
            self.differences(operands, dots, out_dots)

    def differences(self, operands: Values, dots: Values, out_dots: Values) -> None:
        """Central differences at three steps; where they disagree with each other there is a kink or a jump nearby."""
        length = max((float(np.max(np.abs(dot), initial=0.0)) for dot in dots), default=1.0)
        slopes = [self.slope(operands, dots, step / max(length, 1.0)) for step in (2e-5, 1e-5, 5e-6)]
        for number, dot in enumerate(out_dots):
            one, two, three = (each[number] for each in slopes)
            scale = 1.0 + np.max(np.abs(dot), initial=0.0)
            noise = np.abs(one - two) + np.abs(two - three)
            wrong = np.abs(two - dot) > 1e-4 * scale + 20 * noise
            if np.any(wrong):
                raise Fault(f"forward against differences: result {number}: {dot} instead of {two}")

    def slope(self, operands: Values, dots: Values, step: float) -> Values:
        """The central difference of the useful results along `dots`."""
        sides = []
        for sign in (1.0, -1.0):
            rest = iter(dots)
            moved = tuple(value + sign * step * next(rest) if on else value for value, on in zip(operands, self.active, strict=True))
            sides.append(tuple(compress(interpret(self.source, *moved), self.useful)))
        return tuple((up - down) / (2 * step) for up, down in zip(*sides, strict=True))

    def second(self, args: Values, seed: int) -> None:
        """d/dt ⟨w, vjp(x + t u; bars)⟩ by forward over reverse = ⟨reverse over reverse, u⟩; and ⟨bars, jvp(x; w)⟩ by reverse over forward."""
        operands, dots, bars = self.directions(seed, args)
        rng = np.random.default_rng(seed + 1)
        weights = tuple(random_like(rng, dot) for dot in dots)
        active = (*self.active, *(False,) * len(bars))
        over = checked(jvp(self.reverse, active))

        def bar_dots(near: Values) -> Values:
            return tuple(tangents(over, self.reverse, active, (*near, *bars), dots)[self.results:])

        found = bar_dots(operands)
        finite(found)
        first, tolerance = dotted(weights, found), 1e-10 * self.coarse
        moves: Movement = lambda: movement(lambda near: dotted(weights, bar_dots(near))[0], operands)  # noqa: E731

        every = len(self.reverse.body.results)
        twice = checked(vjp(self.reverse, active, tuple(k >= self.results for k in range(every))))
        for one, name in ((twice, ""), (checked(simplify(twice)), "simplified ")):
            got = interpret(one, *operands, *bars, *weights)
            agree(first, dotted(got[every:], dots), tolerance, f"{name}reverse over reverse against forward over reverse", moves)
        self.mixed(operands, dots, bars, weights, first, moves)

    def mixed(self, operands: Values, dots: Values, bars: Values, weights: Values, first: tuple[float, float], moves: Movement) -> None:
        """Reverse over forward."""
        varied = varied_results(self.source, self.active)
        if not any(on and useful for on, useful in zip(varied, self.useful, strict=True)):
            return
        seeds = tuple(compress(bars, compress(varied, self.useful)))
        useful = (*(False,) * self.results, *compress(self.useful, varied))
        mixed = checked(vjp(checked(simplify(self.forward)), (*self.active, *(False,) * len(dots)), useful))
        got = interpret(mixed, *operands, *weights, *seeds)
        agree(first, dotted(got[len(useful):], dots), 1e-10 * self.coarse, "reverse over forward against forward over reverse", moves)


def check_gradient(loss: Callable[..., Any], args: Values, seed: int, coarse: float = 1.0) -> None:
    """The gradient as `grad` makes it, differentiated forwards and in reverse."""
    staged = derive.grad(stage(loss, args), argnums=(0, 1, 2, 3))
    gradient = checked(simplify(staged.function))
    operands = operands_of(loss, staged, args)
    rng = np.random.default_rng(seed)
    active = tuple(is_float(param.type.dtype) for param in gradient.params)
    dots = tuple(random_like(rng, value) for value in compress(operands, active))
    forward, reverse = checked(jvp(gradient, active)), checked(vjp(gradient, active, (True,) * len(gradient.body.results)))

    def out_dots(near: Values) -> Values:
        return tuple(tangents(forward, gradient, active, near, dots))

    found = out_dots(operands)
    finite(found)
    values = interpret(gradient, *operands)
    bars = tuple(random_like(rng, value) for value in values)
    back = interpret(reverse, *operands, *bars)[len(values):]
    moves: Movement = lambda: movement(lambda near: dotted(bars, out_dots(near))[0], operands)  # noqa: E731
    agree(dotted(bars, found), dotted(back, dots), 1e-10 * coarse, "reverse over grad against forward over grad", moves)
