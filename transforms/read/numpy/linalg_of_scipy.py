"""scipy.linalg's functions that are those of numpy.linalg, with SciPy's checks, words and forms of results."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.errors import ArgumentValueError
from s2s.transforms.primitives import matrices, rows
from s2s.transforms.primitives.indexing import Full, Span, getitem
from s2s.transforms.primitives.reductions import reduce_all
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.installed import SCIPY_1_18
from s2s.transforms.read.numpy.building import Operand, refuse, unsupported
from s2s.transforms.read.numpy.common import (
    agreed,
    cast,
    converted,
    lift,
    result_type,
    retyped,
)
from s2s.transforms.read.numpy.elementwise import test
from s2s.transforms.read.numpy.linalg import cholesky, det, inexact, need_known, need_matrices, need_square, on_columns, shorter_of, svd
from s2s.transforms.read.numpy.reductions import norm
from s2s.transforms.read.numpy.search import argsort
from s2s.types import FLOAT64, INT32, INT64, atom_dim, dim_atom, is_whole

NOT_SQUARE = {
    **dict.fromkeys(("cholesky", "cho_factor"), "Expected a square matrix or batch thereof, got a1.shape=({}, {})" if SCIPY_1_18 else "Input array is expected to be square but has the shape: ({}, {})."),
    **(dict.fromkeys(("eig", "eigvals"), "Expected a square matrix or a batch of square matrices. Got a.shape = ({}, {})") if SCIPY_1_18 else {}),
    "cho_solve": "The factored matrix c is not square.", "det": "Last 2 dimensions of the array must be square but received shape ({}, {}).",
    "solve": "Expected square matrix, got a1.shape=({}, {})", "inv": "Expected square matrix, got a1.shape=({}, {})", "eigh": 'expected square "a" matrix', "eigvalsh": 'expected square "a" matrix',
}
"""SciPy's words where they are others than those of most functions, by the function's name."""


def square_of(name: str, a: Operand) -> Value:
    """A square matrix; the exception of this function of SciPy's for others."""
    value, words = need_matrices(a), NOT_SQUARE.get(name, "expected square matrix")
    dims = value.shape[-2:]
    dim = agreed(value.builder, dims, words, tuple(map(dim_atom, dims)) if "{}" in words else ())
    return retyped(value, (*value.shape[:-2], dim, dim))


def need_finite(check_finite: Any, *operands: Operand) -> None:
    """SciPy's check of its operands, which can be left out."""
    need_known("scipy.linalg", check_finite=check_finite)
    for value in (lift(operand) for operand in operands) if check_finite else ():
        if is_whole(value.dtype):
            continue
        finite = test(rows.isfinite, True)(value)
        whole = reduce_all(finite, axes=tuple(range(value.ndim))) if value.ndim else finite
        value.builder.check(whole.atom, "ValueError", "array must not contain infs or NaNs")


def need_one(name: str, *operands: Operand) -> None:
    """Refuse stacks: SciPy goes through them one by one, and does not take all of them."""
    for value in map(lift, operands):
        if value.ndim > 2:
            raise unsupported(f"scipy.linalg.{name} of {value.ndim} axes is not supported", instead="np.linalg's function, or a loop over the matrices")


def need_one_finite(name: str, check_finite: Any, a: Operand) -> None:
    """The two for a function of one matrix."""
    need_one(name, a)
    need_finite(check_finite, a)


def solve_triangular(
    a: Operand, b: Operand, trans: Any = 0, lower: bool = False, unit_diagonal: bool = False, overwrite_b: bool = False, check_finite: bool = True,
) -> Value:
    """scipy.linalg.solve_triangular."""
    need_known("scipy.linalg.solve_triangular", trans=trans, lower=lower, unit_diagonal=unit_diagonal)
    need_one("solve_triangular", a, b)
    matrix, right = square_of("solve_triangular", a), inexact(b)
    if not right.ndim:
        raise unsupported("scipy.linalg.solve_triangular of a number is not supported", instead="a vector")
    need_finite(check_finite, matrix, right)
    if trans not in (0, 1, 2, "N", "T", "C"):
        raise ArgumentValueError(f"trans={trans!r} is none of 0, 1, 2", where=right.builder.where)
    if trans in (2, "C"):
        matrix = matrices.conjugate(matrix)
    return by_scipy(
        matrix, right, lambda x, y: rows.triangular_solve(x, y, lower=bool(lower), transposed=trans not in (0, "N"), unit=bool(unit_diagonal), checked=True),
        "shapes of a {} and b {} are incompatible",
    )


def by_scipy(matrix: Value, right: Value, function: Callable[[Value, Value], Value], words: str) -> Value:
    """A solve of SciPy's, whose words show the shapes."""
    shapes = ("({}, {})", "({},)" if right.ndim == 1 else "({}, {})")
    return on_columns(matrix, right, function, words.format(*shapes), (*matrix.shape, *right.shape))


def scipy_cholesky(a: Operand, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Value:
    """scipy.linalg.cholesky: the upper factor unless `lower`."""
    need_known("scipy.linalg.cholesky", lower=lower)
    need_one_finite("cholesky", check_finite, a)
    return cholesky(square_of("cholesky", a), upper=not lower)


def cho_factor(a: Operand, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Value, Any]:
    """scipy.linalg.cho_factor: the other triangle holds what was there; zeros since SciPy 1.18, unless the matrix may be overwritten or is converted."""
    need_known("scipy.linalg.cho_factor", overwrite_a=overwrite_a)
    factor, matrix = scipy_cholesky(a, lower, check_finite=check_finite), need_square(a)
    given = np.asarray(lower) if SCIPY_1_18 else lower
    if SCIPY_1_18 and not overwrite_a and lift(a).dtype == matrix.dtype:
        return factor, given
    return factor + (matrices.above(matrix, strictly=True) if lower else matrices.below(matrix, strictly=True)), given


def cho_solve(c_and_lower: Any, b: Operand, overwrite_b: bool = False, check_finite: bool = True) -> Value:
    """scipy.linalg.cho_solve, which divides by zeros."""
    factor, lower = c_and_lower
    need_known("scipy.linalg.cho_solve", lower=lower)
    need_one("cho_solve", factor, b)
    c = square_of("cho_solve", factor)
    if not lift(b).ndim:
        raise unsupported("scipy.linalg.cho_solve of a number is not supported", instead="a vector")
    need_finite(check_finite, c, b)

    def solved(matrix: Value, right: Value) -> Value:
        conjugated = matrices.conjugate(matrix)
        if lower:
            first = rows.triangular_solve(matrix, right, lower=True, transposed=False, unit=False, checked=False)
            return rows.triangular_solve(conjugated, first, lower=True, transposed=True, unit=False, checked=False)
        first = rows.triangular_solve(conjugated, right, lower=False, transposed=True, unit=False, checked=False)
        return rows.triangular_solve(matrix, first, lower=False, transposed=False, unit=False, checked=False)

    return by_scipy(c, inexact(b), solved, "incompatible dimensions ({} and {})")


def scipy_svd(
    a: Operand, full_matrices: bool = True, compute_uv: bool = True, overwrite_a: bool = False, check_finite: bool = True, lapack_driver: Any = None,
) -> Any:
    """scipy.linalg.svd."""
    need_one_finite("svd", check_finite, a)
    found = svd(a, full_matrices, compute_uv)
    return tuple(found) if compute_uv else found


def _schurs(a: Operand, check_finite: bool = True) -> Value:
    """A matrix of which Schur's form is taken."""
    matrix = inexact(a)
    need_finite(check_finite, matrix)
    if matrix.ndim != 2:
        raise ArgumentValueError("expected square matrix", where=matrix.builder.where)
    dim = agreed(matrix.builder, matrix.shape, "expected square matrix")
    return retyped(matrix, (dim, dim))


def schur(
    a: Operand, output: str = "real", lwork: Any = None, overwrite_a: bool = False, sort: Any = None, check_finite: bool = True,
) -> tuple[Value, ...]:
    """scipy.linalg.schur, without an order of the eigenvalues."""
    need_known("scipy.linalg.schur", output=output)
    refuse("scipy.linalg.schur", sort=sort)
    need_one("schur", a)
    if output not in ("real", "complex", "r", "c"):
        raise ArgumentValueError("argument must be 'real', or 'complex'", where=lift(a).builder.where)
    matrix = _schurs(a, check_finite)
    return rows.schur.outs(cast(matrix, rows.TO_COMPLEX.get(matrix.dtype, matrix.dtype)) if output in ("complex", "c") else matrix)


def solve_sylvester(a: Operand, b: Operand, q: Operand) -> Value:
    """scipy.linalg.solve_sylvester: a x + x b = q."""
    left, right = (_schurs(each) for each in (a, b))
    if (left.dtype.kind == "c") != (right.dtype.kind == "c"):
        raise unsupported(
            "scipy.linalg.solve_sylvester of a real and a complex matrix is not supported", instead="both complex: b + 0j",
            why="what SciPy gives is no solution where the real one has complex eigenvalues",
        )
    given = inexact(q)
    dtype = result_type(left, right, given).dtype
    if given.ndim != 2:
        raise ArgumentValueError("scipy.linalg.solve_sylvester of a right side that is no matrix", where=given.builder.where)
    rows_, columns = (agreed(given.builder, (matrix.shape[0], given.shape[axis]), "shapes of a, b and q do not fit") for axis, matrix in enumerate((left, right)))
    whole = retyped(cast(given, dtype), (rows_, columns))
    return rows.sylvester(retyped(cast(left, dtype), (rows_, rows_)), retyped(cast(right, dtype), (columns, columns)), whole)


def scipy_svdvals(a: Operand, overwrite_a: bool = False, check_finite: bool = True) -> Value:
    """scipy.linalg.svdvals."""
    need_one_finite("svdvals", check_finite, a)
    return svd(a, compute_uv=False)


def scipy_det(a: Operand, overwrite_a: bool = False, check_finite: bool = True) -> Value:
    """scipy.linalg.det, in double precision."""
    need_one_finite("det", check_finite, a)
    matrix = square_of("det", a)
    return det(cast(matrix, np.result_type(matrix.dtype, FLOAT64)))


def scipy_lu(a: Operand, permute_l: bool = False, overwrite_a: bool = False, check_finite: bool = True, p_indices: bool = False) -> tuple[Value, ...]:
    """scipy.linalg.lu."""
    need_known("scipy.linalg.lu", permute_l=permute_l, p_indices=p_indices)
    matrix = inexact(a)
    need_finite(check_finite, matrix)
    if matrix.ndim < 2:
        raise ArgumentValueError("The input array must be at least two-dimensional.", where=matrix.builder.where)
    factors, order = rows.lu_any.outs(matrix)
    short = shorter_of(matrix)
    lower, upper = _part(factors, factors.dim(factors.ndim - 2), short), _part(factors, short, factors.dim(factors.ndim - 1))
    at_rows, at_columns = matrices.positions(lower)
    lower, upper = at_rows.equals(at_columns).where(lower.like(1), matrices.below(lower, strictly=True)), matrices.above(upper)
    places = argsort(order, axis=-1)
    if permute_l:
        return rows.permuted_rows(lower, places), upper
    if p_indices:
        return cast(places, INT64 if matrix.shape[-2:] == (1, 1) else INT32), lower, upper  # a single number needs no LAPACK
    count = factors.dim(factors.ndim - 2)
    square = lower.scalar(0).broadcast_to((*matrix.shape[:-2], atom_dim(count.atom), atom_dim(count.atom)), ())
    ones = matrices.along_rows(order, square).equals(matrices.positions(square)[0])
    return cast(ones, matrix.dtype if matrix.shape[-2:] == (1, 1) else rows.TO_REAL.get(matrix.dtype, matrix.dtype)), lower, upper


def _part(x: Value, count_of_rows: Value, count_of_columns: Value) -> Value:
    """The first of them."""
    index = (*(Full() for _ in range(x.ndim - 2)), Span(), Span())
    return getitem(x, count_of_rows.like(0), count_of_rows, count_of_rows.like(0), count_of_columns, index=index)


def scipy_norm(a: Operand, ord: Any = None, axis: Any = None, keepdims: bool = False, check_finite: bool = True) -> Value:
    """scipy.linalg.norm."""
    need_finite(check_finite, a)
    found = norm(a, ord, axis, keepdims)
    by_blas = lift(a).dtype.char in "fdFD" and axis is None and not keepdims and _has_elements(lift(a))
    if by_blas and ord in ((None, 2) if lift(a).ndim == 1 else (1, np.inf) if lift(a).ndim == 2 else ()):
        return converted(found, FLOAT64, weak=True)  # a Python float
    return found


def _has_elements(value: Value) -> bool:
    return 0 not in value.shape


LINALG_OF_SCIPY: dict[str, Callable[..., Any]] = {
    "scipy.linalg.lu": scipy_lu,
    "scipy.linalg.norm": scipy_norm, "scipy.linalg.solve_triangular": solve_triangular, "scipy.linalg.cholesky": scipy_cholesky,
    "scipy.linalg.cho_factor": cho_factor, "scipy.linalg.cho_solve": cho_solve, "scipy.linalg.svd": scipy_svd,
    "scipy.linalg.svdvals": scipy_svdvals, "scipy.linalg.schur": schur, "scipy.linalg.solve_sylvester": solve_sylvester, "scipy.linalg.det": scipy_det,
}  # fmt: skip
"""By qualified name."""
