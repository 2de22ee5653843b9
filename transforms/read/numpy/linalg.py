"""numpy.linalg and scipy.linalg: solves, determinants, decompositions and what is made of them. Stacks of matrices along leading axes."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.errors import LINALG_ERROR, ArgumentTypeError, ArgumentValueError, LinearAlgebraError, ShapeError
from s2s.transforms.primitives import matrices, rows, sizes
from s2s.transforms.primitives.indexing import Full, Span, getitem
from s2s.transforms.primitives.reductions import reduce_all
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.installed import SCIPY_1_18
from s2s.transforms.read.numpy.arithmetic import multiply
from s2s.transforms.read.numpy.building import Operand, refuse, unsupported
from s2s.transforms.read.numpy.common import (
    agreed,
    broadcast_shape,
    cast,
    converted,
    lift,
    reshape,
    result_type,
    retyped,
    same_dim,
    spread,
    strong,
)
from s2s.transforms.read.numpy.elementwise import absolute, copysign, test
from s2s.transforms.read.numpy.ranges import eye
from s2s.transforms.read.numpy.reductions import norm
from s2s.transforms.read.numpy.search import argsort, sort, take_along_axis
from s2s.transforms.read.numpy.shapes import expand_dims, flip
from s2s.types import FLOAT16, FLOAT64, INT32, INT64, Dim, atom_dim, dim_atom, is_whole

# ---- operands ------------------------------------------------------------------------------------------------------------


def _inexact(a: Operand) -> Value:
    """An array of floats: integers are made float64, as by NumPy."""
    value = strong(lift(a))
    if value.dtype == FLOAT16:
        raise ArgumentTypeError("array type float16 is unsupported in linalg", where=value.builder.where, instead="x.astype(np.float32)")
    return cast(value, FLOAT64) if is_whole(value.dtype) else value


def _matrices(a: Operand) -> Value:
    return _of_two_axes(_inexact(a))


def _of_two_axes(value: Value) -> Value:
    if value.ndim < 2:
        raise LinearAlgebraError(f"{value.ndim}-dimensional array given. Array must be at least two-dimensional", where=value.builder.where)
    return value


def _square(a: Operand) -> Value:
    return square_matrices(_inexact(a))


def square_matrices(value: Value) -> Value:
    """Stacks of square matrices; NumPy's error for others."""
    dims = _of_two_axes(value).shape[-2:]
    try:
        dim = agreed(value.builder, dims, "Last 2 dimensions of the array must be square", exception=LINALG_ERROR)
    except ShapeError:
        raise LinearAlgebraError("Last 2 dimensions of the array must be square", where=value.builder.where) from None
    return retyped(value, (*value.shape[:-2], dim, dim))


def _stacked(a: Value, b: Value) -> tuple[Value, Value]:
    """Matrices with the same leading axes, of one dtype."""
    dtype = result_type(a, b).dtype
    a, b = cast(a, dtype), cast(b, dtype)
    leading = broadcast_shape(a.builder, (a.shape[:-2], b.shape[:-2]))
    return spread_stack(a, leading), spread_stack(b, leading)


def spread_stack(a: Value, leading: tuple[Dim, ...]) -> Value:
    """Matrices repeated along leading axes."""
    return a if not leading else spread(a, (*leading, *a.shape[-2:]))


def _shorter(a: Value) -> Value:
    return Value(a.builder, sizes.smaller(a.builder, dim_atom(a.shape[-2]), dim_atom(a.shape[-1])))


def _known(name: str, **options: Any) -> None:
    for option, value in options.items():
        if isinstance(value, Value):
            raise unsupported(f"{name} with {option} that is read at run time is not supported", instead=f"write it as it is: {option}=…")


def _as_of(function: Callable[..., Any], *items: Value) -> Any:
    """The named tuple that a function of NumPy's gives."""
    return type(function(np.eye(1)))._make(items)


# ---- systems ---------------------------------------------------------------------------------------------------------------


def solve(a: Operand, b: Operand) -> Value:
    """np.linalg.solve: b is a vector, or a stack of matrices."""
    matrix, right = _square(a), _inexact(b)
    is_vector = right.ndim == 1
    signature = "solve1: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (m,m),(m)->(m)" if is_vector else (
        "solve: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (m,m),(m,n)->(m,n)"
    )
    if not right.ndim:
        raise ArgumentValueError(
            "solve: Input operand 1 does not have enough dimensions (has 0, gufunc core with signature (m,m),(m,n)->(m,n) requires 2)", where=right.builder.where
        )
    words = f"{signature} (size {{}} is different from {{}})"
    return _on_columns(matrix, right, rows.solve, words, (right.shape[0 if is_vector else -2], matrix.shape[-1]))


def _on_columns(matrix: Value, right: Value, function: Callable[[Value, Value], Value], words: str, told: tuple[Dim, ...]) -> Value:
    """A solve whose right side is a vector, or a stack of matrices; `words`, with `told` put in: of sides that don't fit."""
    axis = 0 if right.ndim == 1 else right.ndim - 2
    dim = agreed(right.builder, (matrix.shape[-1], right.shape[axis]), words, tuple(map(dim_atom, told)))
    right = retyped(right, (*right.shape[:axis], dim, *right.shape[axis + 1:]))
    matrix = retyped(matrix, (*matrix.shape[:-2], dim, dim))
    if right.ndim > 1:
        return function(*_stacked(matrix, right))
    found = function(*_stacked(matrix, reshape(right, (dim, 1))))
    return reshape(found, found.shape[:-1])


def inv(a: Operand) -> Value:
    """np.linalg.inv."""
    matrix = _square(a)
    unit = eye(Value(matrix.builder, dim_atom(matrix.shape[-1])), dtype=matrix.dtype)
    return rows.solve(matrix, spread_stack(retyped(unit, matrix.shape[-2:]), matrix.shape[:-2]))


def slogdet(a: Operand) -> Any:
    """np.linalg.slogdet."""
    return _as_of(np.linalg.slogdet, *rows.slogdet.outs(_square(a)))


def det(a: Operand) -> Value:
    """np.linalg.det: as NumPy, the sign times the exponential of the logarithm."""
    return rows.determinant(_square(a))


# ---- decompositions --------------------------------------------------------------------------------------------------------


def cholesky(a: Operand, /, *, upper: bool = False) -> Value:
    """np.linalg.cholesky."""
    _known("np.linalg.cholesky", upper=upper)
    matrix = _square(a)
    return matrices.adjoint(rows.cholesky(matrices.adjoint(matrix))) if upper else rows.cholesky(matrix)


def _eigen(a: Operand, UPLO: str) -> tuple[Value, ...]:
    _known("np.linalg.eigh", UPLO=UPLO)
    matrix = _square(a)
    if str(UPLO).upper() not in ("L", "U"):
        raise ArgumentValueError("UPLO argument must be 'L' or 'U'", where=matrix.builder.where)
    return rows.eigh.outs(matrices.adjoint(matrix) if UPLO.upper() == "U" else matrix)


def eigh(a: Operand, UPLO: str = "L") -> Any:
    """np.linalg.eigh."""
    if str(UPLO).upper() == "U":
        _known("np.linalg.eigh", UPLO=UPLO)
        return _as_of(np.linalg.eigh, *_in_double(lambda matrix: rows.eigh_by.outs(matrix, upper=True, driver="evd"), _square(a)))
    return _as_of(np.linalg.eigh, *_in_double(lambda matrix: _eigen(matrix, UPLO), _square(a)))


def _in_double(decomposed: Callable[[Value], tuple[Value, ...]], matrix: Value) -> tuple[Value, ...]:
    """A decomposition as NumPy makes it of single precision, too: in double precision, where LAPACK chooses other signs of the vectors."""
    wide = np.result_type(matrix.dtype, FLOAT64)
    if wide == matrix.dtype:
        return decomposed(matrix)
    return tuple(cast(out, np.dtype(np.complex64 if out.dtype.kind == "c" else np.float32)) for out in decomposed(cast(matrix, wide)))


def eigvalsh(a: Operand, UPLO: str = "L") -> Value:
    """np.linalg.eigvalsh."""
    return _eigen(a, UPLO)[0]


def qr(a: Operand, mode: str = "reduced") -> Any:
    """np.linalg.qr."""
    _known("np.linalg.qr", mode=mode)
    matrix = _matrices(a)
    if mode in ("e", "economic"):
        raise unsupported("np.linalg.qr(…, mode='economic'), which NumPy deprecates, is not supported", instead="mode='reduced' or 'raw'")
    if mode not in ("reduced", "r", "complete", "raw", "f", "full"):
        raise ArgumentValueError(f"Unrecognized mode '{mode}'", where=matrix.builder.where)
    if mode == "raw":
        return rows.qr_raw.outs(matrix, _shorter(matrix))
    if mode == "complete" and not same_dim(matrix.builder, *matrix.shape[-2:]):
        return _as_of(np.linalg.qr, *rows.qr_complete.outs(matrix))
    q, r = rows.qr.outs(matrix, _shorter(matrix))
    return r if mode == "r" else _as_of(np.linalg.qr, q, r)


def svd(a: Operand, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    """np.linalg.svd."""
    _known("np.linalg.svd", full_matrices=full_matrices, compute_uv=compute_uv, hermitian=hermitian)
    matrix = _matrices(a)
    if hermitian:
        return _svd_of_hermitian(_square(matrix), compute_uv)
    if compute_uv and full_matrices and not same_dim(matrix.builder, *matrix.shape[-2:]):
        return _as_of(np.linalg.svd, *rows.svd_complete.outs(matrix, _shorter(matrix)))
    u, s, vh = rows.svd.outs(matrix, _shorter(matrix))
    return _as_of(np.linalg.svd, u, s, vh) if compute_uv else s


def _svd_of_hermitian(matrix: Value, compute_uv: bool) -> Any:
    """By eigenvalues, as NumPy: their sizes, falling; their signs in vh."""
    values, vectors = rows.eigh.outs(matrix)
    sizes_of_values = absolute(values)
    if not compute_uv:
        return flip(sort(sizes_of_values), -1)
    order = flip(argsort(sizes_of_values, axis=-1), -1)
    signs, s = take_along_axis(copysign(values.like(1), rows.stop_gradient(values)), order), take_along_axis(sizes_of_values, order)
    u = take_along_axis(vectors, expand_dims(order, -2), axis=-1)
    vh = matrices.adjoint(u * matrices.along_rows(matrices.with_phase(signs, u), u))
    return _as_of(np.linalg.svd, u, s, vh)


def svdvals(x: Operand, /) -> Value:
    """np.linalg.svdvals."""
    return svd(x, compute_uv=False)


def eig(a: Operand) -> Any:
    """np.linalg.eig: complex also where all eigenvalues are real."""
    return _as_of(np.linalg.eig, *_in_double(rows.eig.outs, _all_finite(_square(a))))


def eigvals(a: Operand) -> Value:
    """np.linalg.eigvals: complex also where all of them are real."""
    return _in_double(rows.eig.outs, _all_finite(_square(a)))[0]


def _all_finite(matrix: Value) -> Value:
    finite = rows.reduce_all(rows.isfinite(matrix), axes=tuple(range(matrix.ndim)))
    matrix.builder.check(finite.atom, LINALG_ERROR, "Array must not contain infs or NaNs")
    return matrix


ROUNDING = 1e-12
"""A cutoff up to which singular values are nothing but rounding."""


def pinv(a: Operand, rcond: Operand = None, hermitian: bool = False, *, rtol: Operand = np._NoValue) -> Value:
    """np.linalg.pinv."""
    _known("np.linalg.pinv", hermitian=hermitian)
    refuse("np.linalg.pinv", hermitian=hermitian or None)
    matrix = _matrices(a)
    if rcond is not None and rtol is not np._NoValue:
        raise ArgumentValueError("`rtol` and `rcond` can't be both set.", where=matrix.builder.where)
    if rcond is None:
        rcond = 1e-15 if rtol is np._NoValue else _rounding(matrix) if rtol is None else rtol
    given = rtol is not None and not (isinstance(rcond, float) and rcond <= ROUNDING)
    return rows.pinv(matrix, _cutoff(matrix, rcond), given=given)


def least_squares(a: Value, b: Value, rcond: Operand) -> tuple[Value, Value]:
    """pinv(a, rtol=rcond) @ b of two matrices, and a's singular values."""
    given = rcond is not None and not (isinstance(rcond, float) and rcond <= ROUNDING)
    x, _, s = rows.lstsq.outs(a, _cutoff(a, _rounding(a) if rcond is None else rcond), b, _shorter(a), given=given)
    return x, s


def _rounding(matrix: Value) -> Value:
    """What rounding leaves of a singular value that is 0, of the largest."""
    longer = Value(matrix.builder, sizes.larger(matrix.builder, dim_atom(matrix.shape[-2]), dim_atom(matrix.shape[-1])))
    return multiply(cast(longer, FLOAT64), float(np.finfo(matrix.dtype).eps))


def _cutoff(matrix: Value, number: Operand) -> Value:
    """A number, or one for each matrix, with an axis of length 1."""
    value = lift(number)
    leading = matrix.shape[:-2]
    value = cast(strong(value), rows.TO_REAL.get(matrix.dtype, matrix.dtype))
    spread_out = spread(value, leading) if leading else value
    return rows.stop_gradient(reshape(spread_out, (*leading, 1)))


# ---- scipy.linalg ------------------------------------------------------------------------------------------------------------


NOT_SQUARE = {
    **dict.fromkeys(("cholesky", "cho_factor"), "Expected a square matrix or batch thereof, got a1.shape=({}, {})" if SCIPY_1_18 else "Input array is expected to be square but has the shape: ({}, {})."),
    **(dict.fromkeys(("eig", "eigvals"), "Expected a square matrix or a batch of square matrices. Got a.shape = ({}, {})") if SCIPY_1_18 else {}),
    "cho_solve": "The factored matrix c is not square.", "det": "Last 2 dimensions of the array must be square but received shape ({}, {}).",
    "solve": "Expected square matrix, got a1.shape=({}, {})", "inv": "Expected square matrix, got a1.shape=({}, {})", "eigh": 'expected square "a" matrix', "eigvalsh": 'expected square "a" matrix',
}
"""SciPy's words where they are others than those of most functions, by the function's name."""


def square_of(name: str, a: Operand) -> Value:
    """A square matrix; the exception of this function of SciPy's for others."""
    value, words = _matrices(a), NOT_SQUARE.get(name, "expected square matrix")
    dims = value.shape[-2:]
    dim = agreed(value.builder, dims, words, tuple(map(dim_atom, dims)) if "{}" in words else ())
    return retyped(value, (*value.shape[:-2], dim, dim))


def _finite(check_finite: Any, *operands: Operand) -> None:
    """SciPy's check of its operands, which can be left out."""
    _known("scipy.linalg", check_finite=check_finite)
    for value in (lift(operand) for operand in operands) if check_finite else ():
        if is_whole(value.dtype):
            continue
        finite = test(rows.isfinite, True)(value)
        whole = reduce_all(finite, axes=tuple(range(value.ndim))) if value.ndim else finite
        value.builder.check(whole.atom, "ValueError", "array must not contain infs or NaNs")


def _one(name: str, *operands: Operand) -> None:
    """Refuse stacks: SciPy goes through them one by one, and does not take all of them."""
    for value in map(lift, operands):
        if value.ndim > 2:
            raise unsupported(f"scipy.linalg.{name} of {value.ndim} axes is not supported", instead="np.linalg's function, or a loop over the matrices")


def _one_finite(name: str, check_finite: Any, a: Operand) -> None:
    """The two for a function of one matrix."""
    _one(name, a)
    _finite(check_finite, a)


def solve_triangular(
    a: Operand, b: Operand, trans: Any = 0, lower: bool = False, unit_diagonal: bool = False, overwrite_b: bool = False, check_finite: bool = True,
) -> Value:
    """scipy.linalg.solve_triangular."""
    _known("scipy.linalg.solve_triangular", trans=trans, lower=lower, unit_diagonal=unit_diagonal)
    _one("solve_triangular", a, b)
    matrix, right = square_of("solve_triangular", a), _inexact(b)
    if not right.ndim:
        raise unsupported("scipy.linalg.solve_triangular of a number is not supported", instead="a vector")
    _finite(check_finite, matrix, right)
    if trans not in (0, 1, 2, "N", "T", "C"):
        raise ArgumentValueError(f"trans={trans!r} is none of 0, 1, 2", where=right.builder.where)
    if trans in (2, "C"):
        matrix = matrices.conjugate(matrix)
    return _by_scipy(
        matrix, right, lambda x, y: rows.triangular_solve(x, y, lower=bool(lower), transposed=trans not in (0, "N"), unit=bool(unit_diagonal), checked=True),
        "shapes of a {} and b {} are incompatible",
    )


def _by_scipy(matrix: Value, right: Value, function: Callable[[Value, Value], Value], words: str) -> Value:
    """A solve of SciPy's, whose words show the shapes."""
    shapes = ("({}, {})", "({},)" if right.ndim == 1 else "({}, {})")
    return _on_columns(matrix, right, function, words.format(*shapes), (*matrix.shape, *right.shape))


def scipy_cholesky(a: Operand, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Value:
    """scipy.linalg.cholesky: the upper factor unless `lower`."""
    _known("scipy.linalg.cholesky", lower=lower)
    _one_finite("cholesky", check_finite, a)
    return cholesky(square_of("cholesky", a), upper=not lower)


def cho_factor(a: Operand, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Value, Any]:
    """scipy.linalg.cho_factor: the other triangle holds what was there; zeros since SciPy 1.18, unless the matrix may be overwritten or is converted."""
    _known("scipy.linalg.cho_factor", overwrite_a=overwrite_a)
    factor, matrix = scipy_cholesky(a, lower, check_finite=check_finite), _square(a)
    given = np.asarray(lower) if SCIPY_1_18 else lower
    if SCIPY_1_18 and not overwrite_a and lift(a).dtype == matrix.dtype:
        return factor, given
    return factor + (matrices.above(matrix, strictly=True) if lower else matrices.below(matrix, strictly=True)), given


def cho_solve(c_and_lower: Any, b: Operand, overwrite_b: bool = False, check_finite: bool = True) -> Value:
    """scipy.linalg.cho_solve, which divides by zeros."""
    factor, lower = c_and_lower
    _known("scipy.linalg.cho_solve", lower=lower)
    _one("cho_solve", factor, b)
    c = square_of("cho_solve", factor)
    if not lift(b).ndim:
        raise unsupported("scipy.linalg.cho_solve of a number is not supported", instead="a vector")
    _finite(check_finite, c, b)

    def solved(matrix: Value, right: Value) -> Value:
        conjugated = matrices.conjugate(matrix)
        if lower:
            first = rows.triangular_solve(matrix, right, lower=True, transposed=False, unit=False, checked=False)
            return rows.triangular_solve(conjugated, first, lower=True, transposed=True, unit=False, checked=False)
        first = rows.triangular_solve(conjugated, right, lower=False, transposed=True, unit=False, checked=False)
        return rows.triangular_solve(matrix, first, lower=False, transposed=False, unit=False, checked=False)

    return _by_scipy(c, _inexact(b), solved, "incompatible dimensions ({} and {})")


def scipy_svd(
    a: Operand, full_matrices: bool = True, compute_uv: bool = True, overwrite_a: bool = False, check_finite: bool = True, lapack_driver: Any = None,
) -> Any:
    """scipy.linalg.svd."""
    _one_finite("svd", check_finite, a)
    found = svd(a, full_matrices, compute_uv)
    return tuple(found) if compute_uv else found


def _schurs(a: Operand, check_finite: bool = True) -> Value:
    """A matrix of which Schur's form is taken."""
    matrix = _inexact(a)
    _finite(check_finite, matrix)
    if matrix.ndim != 2:
        raise ArgumentValueError("expected square matrix", where=matrix.builder.where)
    dim = agreed(matrix.builder, matrix.shape, "expected square matrix")
    return retyped(matrix, (dim, dim))


def schur(
    a: Operand, output: str = "real", lwork: Any = None, overwrite_a: bool = False, sort: Any = None, check_finite: bool = True,
) -> tuple[Value, ...]:
    """scipy.linalg.schur, without an order of the eigenvalues."""
    _known("scipy.linalg.schur", output=output)
    refuse("scipy.linalg.schur", sort=sort)
    _one("schur", a)
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
    given = _inexact(q)
    dtype = result_type(left, right, given).dtype
    if given.ndim != 2:
        raise ArgumentValueError("scipy.linalg.solve_sylvester of a right side that is no matrix", where=given.builder.where)
    rows_, columns = (agreed(given.builder, (matrix.shape[0], given.shape[axis]), "shapes of a, b and q do not fit") for axis, matrix in enumerate((left, right)))
    whole = retyped(cast(given, dtype), (rows_, columns))
    return rows.sylvester(retyped(cast(left, dtype), (rows_, rows_)), retyped(cast(right, dtype), (columns, columns)), whole)


def scipy_svdvals(a: Operand, overwrite_a: bool = False, check_finite: bool = True) -> Value:
    """scipy.linalg.svdvals."""
    _one_finite("svdvals", check_finite, a)
    return svd(a, compute_uv=False)


def scipy_det(a: Operand, overwrite_a: bool = False, check_finite: bool = True) -> Value:
    """scipy.linalg.det, in double precision."""
    _one_finite("det", check_finite, a)
    matrix = square_of("det", a)
    return det(cast(matrix, np.result_type(matrix.dtype, FLOAT64)))


def scipy_lu(a: Operand, permute_l: bool = False, overwrite_a: bool = False, check_finite: bool = True, p_indices: bool = False) -> tuple[Value, ...]:
    """scipy.linalg.lu."""
    _known("scipy.linalg.lu", permute_l=permute_l, p_indices=p_indices)
    matrix = _inexact(a)
    _finite(check_finite, matrix)
    if matrix.ndim < 2:
        raise ArgumentValueError("The input array must be at least two-dimensional.", where=matrix.builder.where)
    factors, order = rows.lu_any.outs(matrix)
    short = _shorter(matrix)
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
    _finite(check_finite, a)
    found = norm(a, ord, axis, keepdims)
    by_blas = lift(a).dtype.char in "fdFD" and axis is None and not keepdims and _has_elements(lift(a))
    if by_blas and ord in ((None, 2) if lift(a).ndim == 1 else (1, np.inf) if lift(a).ndim == 2 else ()):
        return converted(found, FLOAT64, weak=True)  # a Python float
    return found


def _has_elements(value: Value) -> bool:
    return 0 not in value.shape


LINALG: dict[str, Callable[..., Any]] = {
    "numpy.linalg.solve": solve, "numpy.linalg.inv": inv, "numpy.linalg.det": det, "numpy.linalg.slogdet": slogdet,
    "numpy.linalg.cholesky": cholesky, "numpy.linalg.eigh": eigh, "numpy.linalg.eigvalsh": eigvalsh, "numpy.linalg.qr": qr,
    "numpy.linalg.eig": eig, "numpy.linalg.eigvals": eigvals, "numpy.linalg.pinv": pinv, "numpy.linalg.svd": svd, "numpy.linalg.svdvals": svdvals,
    "scipy.linalg.lu": scipy_lu,
    "scipy.linalg.norm": scipy_norm, "scipy.linalg.solve_triangular": solve_triangular, "scipy.linalg.cholesky": scipy_cholesky,
    "scipy.linalg.cho_factor": cho_factor, "scipy.linalg.cho_solve": cho_solve, "scipy.linalg.svd": scipy_svd,
    "scipy.linalg.svdvals": scipy_svdvals, "scipy.linalg.schur": schur, "scipy.linalg.solve_sylvester": solve_sylvester, "scipy.linalg.det": scipy_det,
}  # fmt: skip
"""By qualified name."""
