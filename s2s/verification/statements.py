"""Which statement of the user's function disagrees with differences first.

Each equation, and each call of a function with a rule of its own, is a small function; while the program is interpreted,
each is differentiated alone and compared with differences, in the order of execution, inside of helpers, loops and
branches too. If all of them are right, what the top-level statements compute is compared as a whole, one after the other.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from s2s.errors import Location
from s2s.transforms.derivatives.activity import varied_results, varied_vars
from s2s.transforms.derivatives.forward import jvp
from s2s.transforms.derivatives.reverse.adjoint import vjp
from s2s.transforms.ir.interpret import interpret
from s2s.transforms.ir.program import Block, Call, Equation, Function, Node, Var, free_vars, walk
from s2s.transforms.primitives.row import ZERO
from s2s.transforms.primitives.structural import stop_gradient
from s2s.types import Atom, is_float
from s2s.verification.differences import Comparison, Slope, Tolerance, Verdict, compare, slopes

_VISITS = 4
"""How often one statement is looked at (a loop passes it many times)."""
_LOOKS = 1500
"""How many statements are looked at in all."""


@dataclass(frozen=True)
class Disagreement:
    """The first statement whose derivative is not what differences give, and a sentence about it."""

    where: Location
    text: str


class _Found(Exception):
    def __init__(self, disagreement: Disagreement) -> None:
        self.disagreement = disagreement


def first_disagreement(function: Function, operands: tuple[Any, ...], active: tuple[bool, ...], mode: str, seed: int) -> Disagreement | None:
    """The first statement that disagrees; None if none does. `mode`: "fwd" or "rev"."""
    walker = _Walker(mode, np.random.default_rng(seed))
    walker.follow(function, active)
    try:
        interpret(function, *operands, watch=walker.look)
    except _Found as found:
        return found.disagreement
    return _first_as_a_whole(function, operands, active, mode, seed)


class _Walker:
    """Looks at each statement that the active arguments reach."""

    def __init__(self, mode: str, rng: np.random.Generator) -> None:
        self.mode, self.rng = mode, rng
        self.varied: set[Var] = set()
        self.visits: Counter[Node] = Counter()
        self.looks = 0

    def follow(self, function: Function, active: tuple[bool, ...]) -> None:
        """Note what varies in a function and in all that it calls."""
        before = len(self.varied)
        varied = varied_vars(function, active)
        self.varied |= varied
        if len(self.varied) == before:
            return
        for node in walk(function.body):
            if isinstance(node, Call) and node.function.rule is None:
                self.follow(node.function, tuple(atom in varied for atom in node.ins))

    def look(self, node: Node, value: Callable[[Atom], Any]) -> None:
        """Compare one statement's derivative with differences."""
        if not (isinstance(node, Equation) or isinstance(node, Call) and node.function.rule is not None):
            return
        if not any(atom in self.varied for atom in node.ins) or not any(is_float(out.type.dtype) for out in node.outs):
            return
        self.visits[node] += 1
        self.looks += 1
        if self.visits[node] > _VISITS or self.looks > _LOOKS:
            return
        function, operands, active = _alone(node, value, self.varied)
        comparison = _compared(function, operands, active, self.mode, self.rng)
        if comparison is not None and comparison.verdict is not Verdict.SAME:
            raise _Found(Disagreement(node.where, _sentence(node, comparison)))


def _alone(node: Equation | Call, value: Callable[[Atom], Any], varied: set[Var]) -> tuple[Function, tuple[Any, ...], tuple[bool, ...]]:
    """A function of just this statement, at the values that it has now."""
    block = Block((node,), node.outs)
    params = tuple(free_vars(block))
    active = tuple(param in varied and is_float(param.type.dtype) for param in params)
    return Function("statement", params, block, node.where, "", None, derived=False), tuple(value(param) for param in params), active


def _compared(function: Function, operands: tuple[Any, ...], active: tuple[bool, ...], mode: str, rng: np.random.Generator) -> Comparison | None:
    """The function's derivative against differences of its own values; None where there is nothing to compare."""
    useful = tuple(is_float(result.type.dtype) for result in function.body.results)
    single = any(is_float(param.type.dtype) and np.finfo(param.type.dtype).eps > 1e-10 for param in function.params)
    precision = 1.2e-7 if single else 2.3e-16
    dots = tuple(_random(rng, value) for value, on in zip(operands, active, strict=True) if on)

    def along(t: float) -> tuple[np.ndarray, ...]:
        rest = iter(dots)
        found = interpret(function, *(np.asarray(value) + t * next(rest) if on else value for value, on in zip(operands, active, strict=True)))
        return tuple(np.asarray(value) for value, on in zip(found, useful, strict=True) if on)

    found = slopes(along, precision)
    tolerance = Tolerance(2e-2, 2e-2) if single else Tolerance(1e-5, 1e-5)
    if mode == "fwd":
        tangents = _tangents(function, operands, active, dots, useful)
        every = [
            compare(tangent, slope, tolerance, partial(_result, along, k), precision) for k, (tangent, slope) in enumerate(zip(tangents, found, strict=True))
        ]
        return next((each for each in every if each.verdict is not Verdict.SAME), None)
    bars = tuple(_random(rng, value) for value in along(0.0))
    back = interpret(vjp(function, active, useful), *operands, *bars)[len(useful):]
    pair = _pairing(bars, tuple(each.value for each in found))
    error = sum(float(np.sum(np.abs(bar) * each.error)) for bar, each in zip(bars, found, strict=True))
    slope = Slope(np.asarray(pair), np.asarray(error))
    return compare(np.asarray(_pairing(back, dots)), slope, tolerance, lambda t: np.asarray(_pairing(bars, along(t))), precision * (1 + len(bars)))


def _result(along: Callable[[float], tuple[np.ndarray, ...]], number: int, t: float) -> np.ndarray:
    return along(t)[number]


def _tangents(function: Function, operands: tuple[Any, ...], active: tuple[bool, ...], dots: tuple[Any, ...], useful: tuple[bool, ...]) -> tuple[np.ndarray, ...]:
    results = len(function.body.results)
    found = interpret(jvp(function, active), *operands, *dots)
    varied = varied_results(function, active)
    tangents = iter(found[results:])
    every = [np.asarray(next(tangents)) if on else np.zeros(np.shape(found[k])) for k, on in enumerate(varied)]
    return tuple(each for each, on in zip(every, useful, strict=True) if on)


def _random(rng: np.random.Generator, value: Any) -> np.ndarray:
    array = np.asarray(value)
    drawn = rng.uniform(0.3, 1.0, array.shape) * rng.choice([-1.0, 1.0], array.shape)
    return np.asarray(drawn + 1j * rng.uniform(-1.0, 1.0, array.shape) if array.dtype.kind == "c" else drawn)


def _pairing(left: tuple[Any, ...], right: tuple[Any, ...]) -> float:
    return float(sum(np.sum(np.asarray(a) * np.asarray(b)).real for a, b in zip(left, right, strict=True)))


def _sentence(node: Node, comparison: Comparison) -> str:
    """What is said about the statement."""
    if comparison.verdict in (Verdict.KINK, Verdict.JUMP):
        return f"this statement has a {comparison.verdict.value} here"
    if isinstance(node, Call):
        return f"this statement disagrees first: the rule given for {node.function.name} is not the derivative of {node.function.name}"
    assert isinstance(node, Equation)
    if node.primitive is stop_gradient or (node.primitive.jvp is ZERO and abs(comparison.found) == 0.0):
        return "this statement stops the derivative" + (" on purpose (stop_gradient)" if node.primitive is stop_gradient else "")
    return f"this statement disagrees first: the derivative of {node.primitive.name} is a fault of s2s, please report it"


def _first_as_a_whole(function: Function, operands: tuple[Any, ...], active: tuple[bool, ...], mode: str, seed: int) -> Disagreement | None:
    """Each top-level statement's floats as results of the function that ends there."""
    varied = varied_vars(function, active)
    for number, node in enumerate(function.body.nodes):
        outs = tuple(out for out in node.outs if out in varied)
        if not outs:
            continue
        part = Function(function.name, function.params, Block(function.body.nodes[: number + 1], outs), function.where, "", None, derived=False)
        comparison = _compared(part, operands, active, mode, np.random.default_rng(seed))
        if comparison is not None and comparison.verdict is not Verdict.SAME:
            what = f"has a {comparison.verdict.value} here" if comparison.verdict in (Verdict.KINK, Verdict.JUMP) else "disagrees first, though each of its parts is right: a fault of s2s, please report it"
            return Disagreement(node.where, f"this statement {what}")
    return None
