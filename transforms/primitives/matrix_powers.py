"""Powers and logarithms of matrices, and of stacks of them along leading axes. Method: square roots of Schur's triangle until it is near 1, then a series (Higham, "Functions of Matrices", 2008, 6.2 and 11.5).

Their derivatives (3.2 there): with b = [[a, e], [0, a]], the block above the diagonal of f(b) is the derivative of f at a in the direction e, which is linear in e; that of a^T is its transpose.
"""
from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.errors import ShapeError
from s2s.transforms.primitives.index import Full, Span
from s2s.transforms.primitives.indexing import getitem
from s2s.transforms.primitives.joining import concatenate
from s2s.transforms.primitives.linear_algebra import matrix_row, square_shape
from s2s.transforms.primitives.matrices import drawn, product, regular, transposed
from s2s.transforms.primitives.reductions import reduce_sum
from s2s.transforms.primitives.row import Primitive, Sample
from s2s.transforms.primitives.sizes import times
from s2s.transforms.primitives.value import Value, Values, zeros
from s2s.types import Array, Atom

UNDEFINED = "the logarithm, or a power that is no whole number, of a matrix with an eigenvalue of 0 is not supported"


def _infer(ins: tuple[Atom, ...], *, logarithm: bool) -> tuple[Array, ...]:
    a, t, *others = ins
    shape = square_shape(a)
    if any(each.type.dtype != a.type.dtype or each.type.dtype.kind != "c" for each in ins) or t.type.shape != (*shape[:-2], 1) or any(each.type.shape != shape for each in others):
        raise ShapeError(f"{', '.join(str(each.type) for each in ins)} are no matrix of complex numbers, exponent and direction")
    return (a.type.strong(),)


def _evaluate(a: Any, t: Any, *, logarithm: bool) -> Any:
    library, found = importlib.import_module("scipy.linalg"), np.empty_like(a)
    for index in np.ndindex(*a.shape[:-2] if a.size else (0,)):
        root = library.logm(a[index].astype(np.complex128))
        found[index] = root if logarithm else library.expm(complex(t[index][0]) * root)
    return found


def _evaluate_change(a: Any, t: Any, e: Any, *, logarithm: bool) -> Any:
    n, nothing = a.shape[-1], np.zeros_like(a)
    return _evaluate(np.concatenate((np.concatenate((a, e), -1), np.concatenate((nothing, a), -1)), -2), t, logarithm=logarithm)[..., :n, n:]


def _jvp(dots: Any, ins: Values, outs: Values, *, logarithm: bool) -> tuple[Value | None, ...]:
    a_dot, t_dot = dots
    (a, t), (found,) = ins, outs
    terms = [matrix_power_change(a, t, a_dot, logarithm=logarithm)] if a_dot is not None else []
    terms += [_times(product(matrix_power(a, t, logarithm=True), found), t_dot)] if t_dot is not None and not logarithm else []
    return (sum(terms[1:], terms[0]) if terms else None,)


def _jvp_change(dots: Any, ins: Values, outs: Values, *, logarithm: bool) -> tuple[Value | None, ...]:
    """Along a: of the block matrix, in the direction of a_dot in both of its blocks."""
    a_dot, t_dot, e_dot = dots
    (a, t, e), (found,) = ins, outs
    terms = [matrix_power_change(a, t, e_dot, logarithm=logarithm)] if e_dot is not None else []
    if a_dot is not None:
        n, nothing = a.dim(a.ndim - 1), zeros(a.builder, a.type)
        both = matrix_power_change(_blocks(a, e), t, _blocks(a_dot, nothing), logarithm=logarithm)
        corner = (*(Full() for _ in range(a.ndim - 2)), Span(), Span())
        terms.append(getitem(both, n.like(0), n, n, n, index=corner))
    if t_dot is not None and not logarithm:
        by_logarithm = product(matrix_power(a, t, logarithm=True), found) + product(matrix_power_change(a, t, e, logarithm=True), matrix_power(a, t, logarithm=False))
        terms.append(_times(by_logarithm, t_dot))
    return (sum(terms[1:], terms[0]) if terms else None,)


def _times(matrix: Value, t_dot: Value) -> Value:
    axes = range(matrix.ndim - 2)
    return matrix * reduce_sum(t_dot, axes=(matrix.ndim - 2,)).broadcast_to(matrix.shape, tuple(axes))


def _blocks(a: Value, e: Value) -> Value:
    """[[a, e], [0, a]]."""
    last, total = a.ndim - 1, Value(a.builder, times(a.builder, a.dim(a.ndim - 1).atom, 2))
    rows = (concatenate(a, e, total, axis=last), concatenate(zeros(a.builder, a.type), a, total, axis=last))
    return concatenate(*rows, total, axis=last - 1)


def _operands(leading: tuple[int, ...], size: int, *, direction: bool) -> Callable[[np.random.Generator], Any]:
    def draw(rng: np.random.Generator) -> tuple[Any, ...]:
        """Eigenvalues away from the negative axis, where logarithms jump."""
        a = regular(*leading, size, size, dtype=np.complex128)(rng) + 4.0 * np.eye(size)
        t = 0.3 + 0.1 * drawn(*leading, 1, dtype=np.complex128)(rng)
        return (a, t, drawn(*leading, size, size, dtype=np.complex128)(rng)) if direction else (a, t)

    return draw


def _samples(*, direction: bool) -> tuple[Sample, ...]:
    wrt = (0, 1, 2) if direction else (0, 1)
    return tuple(
        Sample(_operands(leading, size, direction=direction), {"logarithm": logarithm}, tuple(number for number in wrt if not (logarithm and number == 1)) if 0 not in leading else ())
        for leading, size, logarithm in (((), 3, False), ((), 3, True), ((2,), 2, False), ((), 1, True), ((0,), 2, True))
    )


matrix_power: Primitive = matrix_row("matrix_power", _infer, _evaluate, jvp=_jvp, samples=_samples(direction=False))
"""matrix_power(a, t; logarithm): a to the power of t, a vector of one; with `logarithm` log a, whatever t. LinAlgError where an eigenvalue is 0."""

matrix_power_change: Primitive = matrix_row(
    "matrix_power_change", _infer, _evaluate_change, jvp=_jvp_change, samples=_samples(direction=True),
    transpose=lambda bars, ins, linear, *, logarithm: (None, None, matrix_power_change(transposed(ins[0]), ins[1], bars[0], logarithm=logarithm)),
)  # fmt: skip
"""matrix_power_change(a, t, e; logarithm): the derivative of matrix_power at a in the direction e."""

ROWS: tuple[Primitive, ...] = (matrix_power, matrix_power_change)
