"""Factorisations and solves of matrices, and of stacks of them along leading axes: what LAPACK does.

Derivatives: Giles, "Collected matrix derivative results for forward and reverse mode algorithmic differentiation" (2008);
of the LU decomposition as Seeger et al., "Auto-differentiating linear algebra" (2017), and JAX have it.
All of them are written with the rows themselves, so that every order and mode follows.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.errors import LINALG_ERROR, ShapeError
from s2s.transforms.primitives.conversion import TO_REAL, absolute, complex_, imag, real
from s2s.transforms.primitives.elementwise import exp
from s2s.transforms.primitives.families import repeat
from s2s.transforms.primitives.indexing import take_along
from s2s.transforms.primitives.logic import logical_not
from s2s.transforms.primitives.matrices import (
    above,
    adjoint,
    along_columns,
    along_rows,
    below,
    diagonals,
    drawn,
    positions,
    product,
    regular,
    spread_out,
    transposed,
    with_phase,
)
from s2s.transforms.primitives.reductions import reduce_all, reduce_sum
from s2s.transforms.primitives.row import NEW, NOT_LINEAR, STRUCTURAL, Cost, Nothing, Primitive, Sample, Transpose
from s2s.transforms.primitives.sizes import times
from s2s.transforms.primitives.structural import permuted, reshape, sample, shared_sizes, stop_gradient
from s2s.transforms.primitives.value import Value, Values
from s2s.types import INT64, Array, Atom, Dim

# ---- what the rows have in common ----------------------------------------------------------------------------------------


def square_shape(atom: Atom) -> tuple[Dim, ...]:
    """The shape of square matrices of floats."""
    shape = atom.type.shape
    if len(shape) < 2 or shape[-1] != shape[-2] or atom.type.dtype.kind not in "fc":
        raise ShapeError(f"{atom.type} is no square matrix of floats")
    return shape


def _each(function: Callable[..., tuple[Any, ...]], *ins: Any) -> tuple[np.ndarray, ...]:
    """The function's results for each matrix of stacks, stacked."""
    leading = ins[0].shape[:-2]
    results = [function(*(x[index] for x in ins)) for index in np.ndindex(*leading)]
    if not results:
        return tuple(np.zeros((*leading, *part.shape), part.dtype) for part in function(*(np.eye(*x.shape[-2:], dtype=x.dtype) for x in ins)))
    return tuple(np.stack(parts).reshape(*leading, *parts[0].shape) for parts in zip(*results, strict=True))


def all_batched(primitive: Primitive, ins: Values, batched: tuple[bool, ...], size: Value, **params: Any) -> Any:
    """Leading axes are stacks already."""
    outs = primitive.outs(*(x if is_batched else repeat(x, size) for x, is_batched in zip(ins, batched, strict=True)), **params)
    return outs, (True,) * len(outs)


def _batch_solve(primitive: Primitive, ins: Values, batched: tuple[bool, ...], size: Value, **params: Any) -> Any:
    """Many right sides for one matrix are the columns of one right side."""
    *matrix, b = ins
    if any(batched[:-1]):
        return all_batched(primitive, ins, batched, size, **params)
    columns, parted = side_by_side(b)
    return (parted(primitive(*matrix, columns, **params), b.dim(b.ndim - 2)),), (True,)


def side_by_side(b: Value) -> tuple[Value, Callable[[Value, Value], Value]]:
    """A batch of right sides as the columns of one, and how the batch is had again of solutions of so many rows."""
    last = b.ndim - 1
    inner = permuted(b, (*range(1, last), 0, last))
    columns = reshape(inner, *inner.dims()[:-2], _times(inner.dim(last - 1), inner.dim(last)))

    def parted(found: Value, rows: Value) -> Value:
        dims = inner.dims()
        return permuted(reshape(found, *dims[: last - 2], rows, *dims[last - 1 :]), (last - 1, *range(last - 1), last))

    return columns, parted


def batch_shape(primitive: Primitive, ins: Values, batched: tuple[bool, ...], size: Value) -> Any:
    """As above for rows whose second operand is a length."""
    shared_sizes(primitive, batched[1:], size.builder.where)
    outs = primitive.outs(*ins)
    return outs, (True,) * len(outs)


def _times(a: Value, b: Value) -> Value:
    return a.with_atom(times(a.builder, a.atom, b.atom))


def matrix_row(
    name: str, infer: Any, evaluate: Any, *, jvp: Any, samples: tuple[Sample, ...], transpose: Transpose | Nothing = NOT_LINEAR, batch: Any = all_batched,
) -> Primitive:
    """A row for matrices, and stacks of them."""
    return Primitive(name, infer, evaluate, jvp, transpose, batch, Cost.HEAVY, STRUCTURAL, NEW, samples)


def matrix_samples(make: Callable[..., Any], *shapes: tuple[int, ...], complex_wrt: tuple[int, ...] = (0,)) -> tuple[Sample, ...]:
    """Matrices of these shapes; of the first one also in other dtypes."""
    return (
        *(sample(make(*shape)) for shape in shapes), sample(make(*shapes[0], dtype=np.complex128), wrt=complex_wrt),
        sample(make(*shapes[0], dtype=np.float32), wrt=()),
    )


# ---- LU -----------------------------------------------------------------------------------------------------------------


def _lu(a: Any) -> tuple[Any, ...]:
    return _each(_lu_of_one, a)


def _lu_of_one(a: Any) -> tuple[np.ndarray, np.ndarray]:
    factors, order = np.array(a), np.arange(len(a))
    for k in range(len(a)):
        pivot = k + int(np.argmax(np.abs(factors[k:, k].real) + np.abs(factors[k:, k].imag)))
        if factors[pivot, k] == 0:
            raise np.linalg.LinAlgError("Singular matrix")
        factors[[k, pivot]], order[[k, pivot]] = factors[[pivot, k]], order[[pivot, k]]
        factors[k + 1:, k] /= factors[k, k]
        factors[k + 1:, k + 1:] -= np.outer(factors[k + 1:, k], factors[k, k + 1:])
    return factors, order


def _infer_lu(ins: tuple[Atom, ...]) -> tuple[Array, ...]:
    shape, type_ = square_shape(ins[0]), ins[0].type.strong()
    return (type_, Array(INT64, shape[:-1]))


def _jvp_lu(dots: Any, ins: Values, outs: Values) -> tuple[Value | None, ...]:
    if dots[0] is None:
        return None, None
    factors, order = outs
    return lu_tangent(factors, permuted_rows(dots[0], order)), None


def lu_tangent(factors: Value, moved: Value) -> Value:
    """L_dot = L (strictly lower part of X), U_dot = (upper part of X) U, where X = L^-1 (P A_dot) U^-1; `moved` is P A_dot."""
    x = triangular_solve(factors, moved, lower=True, transposed=False, unit=True, checked=True)
    x = transposed(triangular_solve(factors, transposed(x), lower=False, transposed=True, unit=False, checked=True))
    lower, upper = _factors(factors)
    return product(lower, below(x, strictly=True)) + product(above(x), upper)


def _factors(factors: Value) -> tuple[Value, Value]:
    rows, columns = positions(factors)
    return rows.equals(columns).where(1.0, below(factors, strictly=True)), above(factors)


def permuted_rows(x: Value, order: Value) -> Value:
    """x[order], of each matrix."""
    return take_along(x, order.broadcast_to(x.shape, tuple(range(x.ndim - 1))), x.ndim - 2)


lu = matrix_row("lu", _infer_lu, _lu, jvp=_jvp_lu, samples=matrix_samples(regular, (3, 3), (1, 1), (2, 4, 4), (0, 2, 2)))
"""lu(a) -> factors, order: a[order] = L U; L has ones on its diagonal and lies below U in `factors`. LinAlgError where a is singular."""


def _infer_solve(ins: tuple[Atom, ...], **_: Any) -> tuple[Array, ...]:
    a, b = ins[0], ins[-1]
    if square_shape(a)[:-1] != b.type.shape[:-1] or a.type.dtype != b.type.dtype:
        raise ShapeError(f"{b.type} can't be the right side of a system with {a.type}")
    return (b.type.strong(),)


def _lu_solve(a: Any, factors: Any, order: Any, b: Any, *, transposed: bool) -> Any:
    del order, factors
    return np.linalg.solve(np.swapaxes(a, -1, -2) if transposed else a, b)


def _jvp_lu_solve(dots: Any, ins: Values, outs: Values, *, transposed: bool) -> tuple[Value | None, ...]:
    """x_dot = A^-1 (b_dot - A_dot x); `factors` and `order` are no arguments of their own."""
    terms = [] if dots[3] is None else [dots[3]]
    if dots[0] is not None:
        terms.append(-product(_turned(dots[0], transposed), outs[0]))
    if not terms:
        return (None,)
    return (lu_solve(*ins[:3], terms[0] + terms[1] if len(terms) == 2 else terms[0], transposed=transposed),)


def _turned(x: Value, turn: bool) -> Value:
    return transposed(x) if turn else x


def _solve_samples(make: Callable[..., Any]) -> tuple[Sample, ...]:
    def at(shape: tuple[int, ...], columns: int, dtype: Any) -> Callable[..., Any]:
        def operands(rng: np.random.Generator) -> tuple[Any, ...]:
            a = make(*shape, dtype=dtype)(rng)
            return (a, *_lu(a), drawn(*shape[:-1], columns, dtype=dtype)(rng))

        return operands

    cases = [((3, 3), 2, "d"), ((4, 4), 1, "d"), ((2, 3, 3), 1, "d"), ((3, 3), 2, "D")]
    return tuple(
        Sample(at(shape, columns, np.dtype(dtype)), {"transposed": turn}, (0, 3)) for turn in (False, True) for shape, columns, dtype in cases
    )


lu_solve: Primitive = matrix_row(
    "lu_solve", _infer_solve, _lu_solve, jvp=_jvp_lu_solve, batch=_batch_solve, samples=_solve_samples(regular),
    transpose=lambda bars, ins, linear, *, transposed: (None, None, None, lu_solve(*ins[:3], bars[0], transposed=not transposed)),
)
"""lu_solve(a, *lu(a), b; transposed): the solution of a x = b (a.T x = b), b a matrix. Its derivative is that of the solution by a."""


def solve(a: Value, b: Value) -> Value:
    """The solution of a x = b: the factors of a serve the derivatives, too."""
    return lu_solve(a, *lu.outs(stop_gradient(a)), b, transposed=False)


# ---- determinants -----------------------------------------------------------------------------------------------------------


def _infer_slogdet(ins: tuple[Atom, ...]) -> tuple[Array, ...]:
    shape, type_ = square_shape(ins[0])[:-2], ins[0].type.strong()
    return type_.with_shape(shape), Array(TO_REAL.get(type_.dtype, type_.dtype), shape)


def _jvp_slogdet(dots: Any, ins: Values, outs: Values) -> tuple[Value | None, ...]:
    """The logarithm's is the trace of A^-1 A_dot: its real part belongs to the modulus, its imaginary part turns the sign."""
    if dots[0] is None:
        return None, None
    a = ins[0]
    factors, order = lu.outs(stop_gradient(a))
    _check_regular(a, factors, order)
    trace = reduce_sum(diagonals(lu_solve(a, factors, order, dots[0], transposed=False)), axes=(a.ndim - 2,))
    if trace.dtype.kind != "c":
        return None, trace
    return outs[0] * complex_(real(trace).like(0), imag(trace)), real(trace)


LEAST_PIVOT, LEAST_SINGLE_PIVOT = 1e-12, 1e-6
"""Of the sizes in a row, added up: below it, a pivot is what rounding left of a singular matrix, and the inverse has no correct digit to give to a determinant."""


def least_pivot(matrix: Value) -> float:
    """The least share of them that is no rounding, by the precision."""
    return LEAST_PIVOT if matrix.dtype.itemsize == (16 if matrix.dtype.kind == "c" else 8) else LEAST_SINGLE_PIVOT


def _check_regular(a: Value, factors: Value, order: Value) -> None:
    """Refuse the derivatives of the determinants of matrices that are singular but for rounding."""
    whole = reduce_sum(permuted_rows(absolute(stop_gradient(a)), order), axes=(a.ndim - 1,))
    pivots = absolute(diagonals(factors))
    is_regular = reduce_all(logical_not(pivots <= whole * least_pivot(a)), axes=tuple(range(pivots.ndim)))  # what is not a number is regular
    is_regular.builder.check(is_regular.atom, LINALG_ERROR, "Singular matrix")


slogdet = matrix_row(
    "slogdet", _infer_slogdet, lambda a: tuple(np.linalg.slogdet(a)), jvp=_jvp_slogdet, samples=matrix_samples(regular, (3, 3), (1, 1), (2, 4, 4), (0, 2, 2)),
)
"""slogdet(a) -> sign, logabs: the determinants' signs (phases) and the logarithms of their moduli; 0 and -inf where a is singular."""


def determinant(a: Value) -> Value:
    """The determinants, as NumPy computes them: they may overflow where their logarithms don't."""
    sign, logarithm = slogdet.outs(a)
    return sign * with_phase(exp(logarithm), sign)


# ---- triangles ----------------------------------------------------------------------------------------------------------


def _triangle(a: Any, lower: bool, unit: bool) -> Any:
    triangle = np.tril(a, -1 if unit else 0) if lower else np.triu(a, 1 if unit else 0)
    return triangle + np.eye(a.shape[-1], dtype=a.dtype) if unit else triangle


def _solve_triangle(a: Any, b: Any, *, lower: bool, transposed: bool, unit: bool, checked: bool) -> Any:
    del checked  # by the targets
    triangle = _triangle(a, lower, unit)
    if np.any(np.diagonal(triangle, axis1=-2, axis2=-1) == 0):
        return _substituted(triangle, b, lower, transposed)
    return np.linalg.solve(np.swapaxes(triangle, -1, -2) if transposed else triangle, b)


def _substituted(triangle: Any, b: Any, lower: bool, turn: bool) -> Any:
    """By the divisions that the other targets do, zeros included."""
    a, x = np.swapaxes(triangle, -1, -2) if turn else triangle, np.array(b)
    n = a.shape[-1]
    with np.errstate(all="ignore"):
        for k in range(n) if lower != turn else reversed(range(n)):
            x[..., k, :] /= a[..., k, k, None]
            others = slice(k + 1, None) if lower != turn else slice(0, k)
            x[..., others, :] -= a[..., others, k, None] * x[..., None, k, :]
    return x


def _jvp_triangle(dots: Any, ins: Values, outs: Values, *, lower: bool, transposed: bool, unit: bool, checked: bool) -> tuple[Value | None, ...]:
    """x_dot = T^-1 (b_dot - T_dot x), T_dot the triangle of a_dot."""
    terms = [] if dots[1] is None else [dots[1]]
    if dots[0] is not None:
        change = (below if lower else above)(dots[0], strictly=unit)
        terms.append(-product(_turned(change, transposed), outs[0]))
    if not terms:
        return (None,)
    right = terms[0] + terms[1] if len(terms) == 2 else terms[0]
    return (triangular_solve(ins[0], right, lower=lower, transposed=transposed, unit=unit, checked=checked),)


triangular_solve: Primitive = matrix_row(
    "triangular_solve", _infer_solve, _solve_triangle, jvp=_jvp_triangle, batch=_batch_solve,
    transpose=lambda bars, ins, linear, *, lower, transposed, unit, checked: (None, triangular_solve(ins[0], bars[0], lower=lower, transposed=not transposed, unit=unit, checked=checked)),
    samples=tuple(
        sample(regular(*shape, dtype=dtype), drawn(*shape[:-1], columns, dtype=dtype), wrt=(0, 1), lower=lower, transposed=turn, unit=unit, checked=checked)
        for lower in (False, True) for turn in (False, True) for unit in (False, True)
        for shape, columns, dtype, checked in (((3, 3), 2, np.float64, True), ((2, 3, 3), 1, np.float64, False), ((3, 3), 1, np.complex128, True), ((3, 3), 2, np.complex128, False))
    ),
)  # fmt: skip
"""triangular_solve(a, b; lower, transposed, unit, checked): the solution of T x = b (T.T x = b), T one triangle of a; `unit`: with ones on its diagonal; `checked`: LinAlgError where a zero stands there, else infinities and nan."""

# ---- symmetric matrices -----------------------------------------------------------------------------------------------------


def hermitian(x: Value) -> Value:
    """The Hermitian matrices whose lower triangles these are."""
    lower = below(x, strictly=True)
    rows, columns = positions(x)
    middle = with_phase(real(x), x) if x.dtype.kind == "c" else x
    return lower + adjoint(lower) + rows.equals(columns).where(middle, x.like(0))


def halved(x: Value) -> Value:
    """The lower triangles, their diagonals halved."""
    rows, columns = positions(x)
    return rows.equals(columns).where(x * 0.5, below(x, strictly=True))


def _infer_eigh(ins: tuple[Atom, ...]) -> tuple[Array, ...]:
    type_ = ins[0].type.strong()
    return (Array(TO_REAL.get(type_.dtype, type_.dtype), square_shape(ins[0])[:-1]), type_)


def _jvp_eigh(dots: Any, ins: Values, outs: Values) -> tuple[Value | None, ...]:
    """w_dot = diag(V^H A_dot V), V_dot = V (F * (V^H A_dot V)), F[i, j] = 1 / (w[j] - w[i]), 0 on the diagonal."""
    if dots[0] is None:
        return None, None
    w, v = outs
    change = product(product(adjoint(v), hermitian(dots[0])), v)
    rows, columns = positions(change)
    gaps = along_rows(w, change) - along_columns(w, change)
    gaps = rows.equals(columns).where(1.0, gaps)
    turned = rows.equals(columns).where(0.0, change / with_phase(gaps, change))
    along = diagonals(change)
    return (real(along) if change.dtype.kind == "c" else along), product(v, turned)


eigh = matrix_row("eigh", _infer_eigh, lambda a: tuple(np.linalg.eigh(a)), jvp=_jvp_eigh,
    samples=matrix_samples(spread_out, (3, 3), (1, 1), (2, 4, 4), (0, 2, 2), complex_wrt=()),  # LAPACK's choice of phases is no function that has a derivative
)
"""eigh(a) -> w, v: rising eigenvalues and the eigenvectors (columns) of what a's lower triangle says."""


ROWS: tuple[Primitive, ...] = (lu, lu_solve, slogdet, triangular_solve, eigh)
