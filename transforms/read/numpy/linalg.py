"""numpy.linalg: solves, determinants, decompositions and what is made of them. Stacks of matrices along leading axes."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.errors import LINALG_ERROR, ArgumentTypeError, ArgumentValueError, LinearAlgebraError, ShapeError
from s2s.transforms.primitives import matrices, rows, sizes
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.numpy.arithmetic import multiply
from s2s.transforms.read.numpy.broadcasting import broadcast_shape, spread
from s2s.transforms.read.numpy.building import Operand, refuse, unsupported
from s2s.transforms.read.numpy.common import agreed, cast, lift, reshape, result_type, retyped, same_dim, strong
from s2s.transforms.read.numpy.elementwise import absolute, copysign
from s2s.transforms.read.numpy.ranges import eye
from s2s.transforms.read.numpy.search import argsort, sort, take_along_axis
from s2s.transforms.read.numpy.shapes import expand_dims, flip
from s2s.types import FLOAT16, FLOAT64, Dim, dim_atom, is_whole

# ---- operands ------------------------------------------------------------------------------------------------------------


def inexact(a: Operand) -> Value:
    """An array of floats: integers are made float64, as by NumPy."""
    value = strong(lift(a))
    if value.dtype == FLOAT16:
        raise ArgumentTypeError("array type float16 is unsupported in linalg", where=value.builder.where, instead="x.astype(np.float32)")
    return cast(value, FLOAT64) if is_whole(value.dtype) else value


def need_matrices(a: Operand) -> Value:
    """A matrix of floats, or a stack of them; NumPy's exception for fewer axes."""
    return _of_two_axes(inexact(a))


def _of_two_axes(value: Value) -> Value:
    if value.ndim < 2:
        raise LinearAlgebraError(f"{value.ndim}-dimensional array given. Array must be at least two-dimensional", where=value.builder.where)
    return value


def need_square(a: Operand) -> Value:
    """The same of square matrices."""
    return square_matrices(inexact(a))


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


def shorter_of(a: Value) -> Value:
    """The smaller of a matrix's lengths."""
    return Value(a.builder, sizes.smaller(a.builder, dim_atom(a.shape[-2]), dim_atom(a.shape[-1])))


def need_known(name: str, **options: Any) -> None:
    """Refuse options that only the run knows."""
    for option, value in options.items():
        if isinstance(value, Value):
            raise unsupported(f"{name} with {option} that is read at run time is not supported", instead=f"write it as it is: {option}=…")


def _as_of(function: Callable[..., Any], *items: Value) -> Any:
    """The named tuple that a function of NumPy's gives."""
    return type(function(np.eye(1)))._make(items)


# ---- systems ---------------------------------------------------------------------------------------------------------------


def solve(a: Operand, b: Operand) -> Value:
    """np.linalg.solve: b is a vector, or a stack of matrices."""
    matrix, right = need_square(a), inexact(b)
    is_vector = right.ndim == 1
    signature = "solve1: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (m,m),(m)->(m)" if is_vector else (
        "solve: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (m,m),(m,n)->(m,n)"
    )
    if not right.ndim:
        raise ArgumentValueError(
            "solve: Input operand 1 does not have enough dimensions (has 0, gufunc core with signature (m,m),(m,n)->(m,n) requires 2)", where=right.builder.where
        )
    words = f"{signature} (size {{}} is different from {{}})"
    return on_columns(matrix, right, rows.solve, words, (right.shape[0 if is_vector else -2], matrix.shape[-1]))


def on_columns(matrix: Value, right: Value, function: Callable[[Value, Value], Value], words: str, told: tuple[Dim, ...]) -> Value:
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
    matrix = need_square(a)
    unit = eye(Value(matrix.builder, dim_atom(matrix.shape[-1])), dtype=matrix.dtype)
    return rows.solve(matrix, spread_stack(retyped(unit, matrix.shape[-2:]), matrix.shape[:-2]))


def slogdet(a: Operand) -> Any:
    """np.linalg.slogdet."""
    return _as_of(np.linalg.slogdet, *rows.slogdet.outs(need_square(a)))


def det(a: Operand) -> Value:
    """np.linalg.det: as NumPy, the sign times the exponential of the logarithm."""
    return rows.determinant(need_square(a))


# ---- decompositions --------------------------------------------------------------------------------------------------------


def cholesky(a: Operand, /, *, upper: bool = False) -> Value:
    """np.linalg.cholesky."""
    need_known("np.linalg.cholesky", upper=upper)
    matrix = need_square(a)
    return matrices.adjoint(rows.cholesky(matrices.adjoint(matrix))) if upper else rows.cholesky(matrix)


def eigen(a: Operand, UPLO: str) -> tuple[Value, ...]:
    """The eigenvalues and eigenvectors of what one triangle says."""
    need_known("np.linalg.eigh", UPLO=UPLO)
    matrix = need_square(a)
    if str(UPLO).upper() not in ("L", "U"):
        raise ArgumentValueError("UPLO argument must be 'L' or 'U'", where=matrix.builder.where)
    return rows.eigh.outs(matrices.adjoint(matrix) if UPLO.upper() == "U" else matrix)


def eigh(a: Operand, UPLO: str = "L") -> Any:
    """np.linalg.eigh."""
    if str(UPLO).upper() == "U":
        need_known("np.linalg.eigh", UPLO=UPLO)
        return _as_of(np.linalg.eigh, *_in_double(lambda matrix: rows.eigh_by.outs(matrix, upper=True, driver="evd"), need_square(a)))
    return _as_of(np.linalg.eigh, *_in_double(lambda matrix: eigen(matrix, UPLO), need_square(a)))


def _in_double(decomposed: Callable[[Value], tuple[Value, ...]], matrix: Value) -> tuple[Value, ...]:
    """A decomposition as NumPy makes it of single precision, too: in double precision, where LAPACK chooses other signs of the vectors."""
    wide = np.result_type(matrix.dtype, FLOAT64)
    if wide == matrix.dtype:
        return decomposed(matrix)
    return tuple(cast(out, np.dtype(np.complex64 if out.dtype.kind == "c" else np.float32)) for out in decomposed(cast(matrix, wide)))


def eigvalsh(a: Operand, UPLO: str = "L") -> Value:
    """np.linalg.eigvalsh."""
    return eigen(a, UPLO)[0]


def qr(a: Operand, mode: str = "reduced") -> Any:
    """np.linalg.qr."""
    need_known("np.linalg.qr", mode=mode)
    matrix = need_matrices(a)
    if mode in ("e", "economic"):
        raise unsupported("np.linalg.qr(…, mode='economic'), which NumPy deprecates, is not supported", instead="mode='reduced' or 'raw'")
    if mode not in ("reduced", "r", "complete", "raw", "f", "full"):
        raise ArgumentValueError(f"Unrecognized mode '{mode}'", where=matrix.builder.where)
    if mode == "raw":
        return rows.qr_raw.outs(matrix, shorter_of(matrix))
    if mode == "complete" and not same_dim(matrix.builder, *matrix.shape[-2:]):
        return _as_of(np.linalg.qr, *rows.qr_complete.outs(matrix))
    q, r = rows.qr.outs(matrix, shorter_of(matrix))
    return r if mode == "r" else _as_of(np.linalg.qr, q, r)


def svd(a: Operand, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    """np.linalg.svd."""
    need_known("np.linalg.svd", full_matrices=full_matrices, compute_uv=compute_uv, hermitian=hermitian)
    matrix = need_matrices(a)
    if hermitian:
        return _svd_of_hermitian(need_square(matrix), compute_uv)
    if compute_uv and full_matrices and not same_dim(matrix.builder, *matrix.shape[-2:]):
        return _as_of(np.linalg.svd, *rows.svd_complete.outs(matrix, shorter_of(matrix)))
    u, s, vh = rows.svd.outs(matrix, shorter_of(matrix))
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
    return _as_of(np.linalg.eig, *_in_double(rows.eig.outs, _all_finite(need_square(a))))


def eigvals(a: Operand) -> Value:
    """np.linalg.eigvals: complex also where all of them are real."""
    return _in_double(rows.eig.outs, _all_finite(need_square(a)))[0]


def _all_finite(matrix: Value) -> Value:
    finite = rows.reduce_all(rows.isfinite(matrix), axes=tuple(range(matrix.ndim)))
    matrix.builder.check(finite.atom, LINALG_ERROR, "Array must not contain infs or NaNs")
    return matrix


ROUNDING = 1e-12
"""A cutoff up to which singular values are nothing but rounding."""


def pinv(a: Operand, rcond: Operand = None, hermitian: bool = False, *, rtol: Operand = np._NoValue) -> Value:
    """np.linalg.pinv."""
    need_known("np.linalg.pinv", hermitian=hermitian)
    refuse("np.linalg.pinv", hermitian=hermitian or None)
    matrix = need_matrices(a)
    if rcond is not None and rtol is not np._NoValue:
        raise ArgumentValueError("`rtol` and `rcond` can't be both set.", where=matrix.builder.where)
    if rcond is None:
        rcond = 1e-15 if rtol is np._NoValue else _rounding(matrix) if rtol is None else rtol
    given = rtol is not None and not (isinstance(rcond, float) and rcond <= ROUNDING)
    return rows.pinv(matrix, _cutoff(matrix, rcond), given=given)


def least_squares(a: Value, b: Value, rcond: Operand) -> tuple[Value, Value]:
    """pinv(a, rtol=rcond) @ b of two matrices, and a's singular values."""
    given = rcond is not None and not (isinstance(rcond, float) and rcond <= ROUNDING)
    x, _, s = rows.lstsq.outs(a, _cutoff(a, _rounding(a) if rcond is None else rcond), b, shorter_of(a), given=given)
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


LINALG: dict[str, Callable[..., Any]] = {
    "numpy.linalg.solve": solve, "numpy.linalg.inv": inv, "numpy.linalg.det": det, "numpy.linalg.slogdet": slogdet,
    "numpy.linalg.cholesky": cholesky, "numpy.linalg.eigh": eigh, "numpy.linalg.eigvalsh": eigvalsh, "numpy.linalg.qr": qr,
    "numpy.linalg.eig": eig, "numpy.linalg.eigvals": eigvals, "numpy.linalg.pinv": pinv, "numpy.linalg.svd": svd, "numpy.linalg.svdvals": svdvals,
}  # fmt: skip
"""By qualified name."""
