"""The Cholesky factor, and its derivatives as rows of their own: each is one pass over the factor.

    forward     L_dot = L (lower half of L^-1 A_dot L^-H)
    backward    A_bar = lower half of L^-H (P + P^H) L^-1, P the lower half of L^H L_bar

A lower half has half of the diagonal. Each is the other one's transpose, and their own derivatives are made of them, so that every order and mode follows. Source: Murray, "Differentiation
of the Cholesky decomposition" (2016). The formula of the backward pass is that of the conjugate cotangents, where numbers are complex: those of a program are turned first and last.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.errors import ShapeError
from s2s.transforms.primitives.linear_algebra import (
    all_batched,
    halved,
    hermitian,
    matrix_row,
    matrix_samples,
    square_shape,
    triangular_solve,
)
from s2s.transforms.primitives.matrices import adjoint, below, conjugate, drawn, positive, product
from s2s.transforms.primitives.row import NEW, STRUCTURAL, Cost, Primitive, Sample, Structural, Written
from s2s.transforms.primitives.value import Value, Values
from s2s.types import Array, Atom


def _jvp_cholesky(dots: Any, ins: Values, outs: Values) -> tuple[Value | None, ...]:
    if dots[0] is None:
        return (None,)
    return (cholesky_forward(outs[0], dots[0]),)


def _forward(factor: Value, dot: Value) -> Value:
    """The formula, by solves."""
    x = triangular_solve(factor, hermitian(dot), lower=True, transposed=False, unit=False, checked=True)
    x = adjoint(triangular_solve(factor, adjoint(x), lower=True, transposed=False, unit=False, checked=True))
    return product(factor, halved(x))


cholesky = matrix_row(
    "cholesky", lambda ins: (square_shape(ins[0]) and ins[0].type.strong(),), np.linalg.cholesky, jvp=_jvp_cholesky,
    samples=matrix_samples(positive, (3, 3), (1, 1), (2, 4, 4), (0, 2, 2)),
)
"""cholesky(a): the lower factor of what a's lower triangle says; LinAlgError where that is not positive definite."""


def _infer(ins: tuple[Atom, ...]) -> tuple[Array, ...]:
    factor, other = ins
    if square_shape(factor) != other.type.shape or factor.type.dtype != other.type.dtype:
        raise ShapeError(f"{other.type} is no derivative by or of the factor {factor.type}")
    return (factor.type.strong(),)


def _half(x: Any) -> Any:
    return np.tril(x) * (1 - 0.5 * np.eye(x.shape[-1], dtype=x.dtype))


def _turned(x: Any) -> Any:
    return np.conj(np.swapaxes(x, -1, -2))


def _evaluate_forward(factor: Any, dot: Any) -> Any:
    factor, lower = np.tril(factor), np.tril(dot, -1)
    whole = lower + _turned(lower) + np.eye(dot.shape[-1], dtype=dot.dtype) * np.real(dot)
    return factor @ _half(np.linalg.solve(factor, _turned(np.linalg.solve(factor, whole))))


def _evaluate_backward(factor: Any, bar: Any) -> Any:
    factor = np.tril(factor)
    part = _half(_turned(factor) @ np.tril(np.conj(bar)))
    return np.conj(_half(np.linalg.solve(_turned(factor), _turned(np.linalg.solve(_turned(factor), part + _turned(part))))))


def _jvp_forward(dots: Any, ins: Values, outs: Values) -> tuple[Value | None, ...]:
    """With P = L^-1 F and T = L_dot (P + P^H) L^H: F_dot = forward(A_ddot - T - T^H) + L_dot P."""
    (factor_dot, dot), (factor, _), (found,) = dots, ins, outs
    if factor_dot is None:
        return (None if dot is None else cholesky_forward(factor, dot),)
    factor_dot, factor = below(factor_dot), below(factor)
    part = triangular_solve(factor, found, lower=True, transposed=False, unit=False, checked=True)
    turn = product(product(factor_dot, part + adjoint(part)), adjoint(factor))
    change = -(turn + adjoint(turn))
    return (cholesky_forward(factor, change if dot is None else dot + change) + product(factor_dot, part),)


def _jvp_backward(dots: Any, ins: Values, outs: Values) -> tuple[Value | None, ...]:
    """With P = the lower half of L^H B, M that of L_dot^H B, and Q = (P + P^H) L^-1 L_dot: backward(B_dot + L^-H (M + M^H - Q - Q^H))."""
    (factor_dot, dot), (factor, bar) = dots, ins
    if factor_dot is None:
        return (None if dot is None else cholesky_backward(factor, dot),)
    factor_dot, factor, lower = below(factor_dot), below(factor), conjugate(below(bar))
    part, moved = halved(product(adjoint(factor), lower)), halved(product(adjoint(factor_dot), lower))
    turn = product(part + adjoint(part), triangular_solve(factor, factor_dot, lower=True, transposed=False, unit=False, checked=True))
    change = conjugate(triangular_solve(conjugate(factor), moved + adjoint(moved) - turn - adjoint(turn), lower=True, transposed=True, unit=False, checked=True))
    return (cholesky_backward(factor, change if dot is None else dot + change),)


def _factored(*shape: int, dtype: Any = np.float64) -> Any:
    def operands(rng: np.random.Generator) -> tuple[Any, ...]:
        a = positive(*shape, dtype=dtype)(rng)
        return np.linalg.cholesky(a), drawn(*shape, dtype=dtype)(rng)

    return operands


_SAMPLES = (
    *(Sample(_factored(*shape), {}, (0, 1)) for shape in ((3, 3), (1, 1), (2, 4, 4), (0, 2, 2))),
    Sample(_factored(3, 3, dtype=np.complex128), {}, (0, 1)), Sample(_factored(3, 3, dtype=np.float32), {}, ()),
)


def _row(name: str, evaluate: Any, jvp: Any, transpose: Any, emission: Structural | Written) -> Primitive:
    return Primitive(name, _infer, evaluate, jvp, transpose, all_batched, Cost.HEAVY, emission, NEW, _SAMPLES)


cholesky_forward: Primitive = _row(
    "cholesky_forward", _evaluate_forward, _jvp_forward, lambda bars, ins, linear: (None, None if bars[0] is None else cholesky_backward(ins[0], bars[0])), Written(lambda factor, dot: _forward(below(factor), dot)),
)
"""cholesky_forward(factor, a_dot): the factor's tangent; a_dot's lower triangle is read."""
cholesky_backward: Primitive = _row(
    "cholesky_backward", _evaluate_backward, _jvp_backward, lambda bars, ins, linear: (None, None if bars[0] is None else cholesky_forward(ins[0], bars[0])), STRUCTURAL,
)
"""cholesky_backward(factor, bar): the cotangent of the matrix, in its lower triangle; bar's lower triangle is read."""

ROWS: tuple[Primitive, ...] = (cholesky, cholesky_forward, cholesky_backward)
