"""scipy.linalg of matrices that are told to have a structure: which elements are read then, and solves, inverses and eigenvalues of two matrices."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.errors import ArgumentValueError
from s2s.transforms.primitives import matrices, rows
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.installed import SCIPY_1_18
from s2s.transforms.read.numpy.arithmetic import compare
from s2s.transforms.read.numpy.building import Operand, current_builder, unsupported
from s2s.transforms.read.numpy.common import agreed, cast, lift, result_type, retyped
from s2s.transforms.read.numpy.joining import stack
from s2s.transforms.read.numpy.linalg import eigen, inexact, need_known, need_square
from s2s.transforms.read.numpy.linalg_of_scipy import by_scipy, need_finite, need_one, need_one_finite, square_of
from s2s.transforms.read.numpy.ranges import eye
from s2s.transforms.read.numpy.search import flatnonzero, take
from s2s.types import dim_atom

KINDS = {
    "gen": "general", "general": "general", "diagonal": "diagonal", "tridiagonal": "tridiagonal", "banded": "general", "upper triangular": "upper", "lower triangular": "lower",
    "sym": "symmetric", "symmetric": "symmetric", "her": "hermitian", "hermitian": "hermitian", "pos": "positive", "positive definite": "positive",
}  # fmt: skip
"""What SciPy calls them, and what is done."""


def from_triangle(matrix: Value, lower: Any, conjugated: bool) -> Value:
    """The symmetric (Hermitian) matrix that one triangle says."""
    half = matrices.below(matrix) if lower else matrices.above(matrix)
    strict = matrices.below(matrix, strictly=True) if lower else matrices.above(matrix, strictly=True)
    if not conjugated or matrix.dtype.kind != "c":
        return half + matrices.transposed(strict)
    at_rows, at_columns = matrices.positions(matrix)
    real = rows.complex_(rows.real(matrix), rows.real(matrix).like(0))
    return at_rows.equals(at_columns).where(real, strict + matrices.adjoint(strict))


def _solved(kind: str, lower: Any) -> Callable[[Value, Value], Value]:
    """How a system with such a matrix is solved."""

    def solved(matrix: Value, right: Value) -> Value:
        if kind in ("upper", "lower"):
            return rows.triangular_solve(matrix, right, lower=kind == "lower", transposed=False, unit=False, checked=True)
        if kind == "positive":
            factor = rows.cholesky(from_triangle(matrix, lower, True))
            first = rows.triangular_solve(factor, right, lower=True, transposed=False, unit=False, checked=True)
            return rows.triangular_solve(matrices.conjugate(factor), first, lower=True, transposed=True, unit=False, checked=True)
        if kind in ("symmetric", "hermitian"):
            return rows.solve(from_triangle(matrix, lower, kind == "hermitian"), right)
        at_rows, at_columns = matrices.positions(matrix)
        if kind == "diagonal":
            return rows.solve(at_rows.equals(at_columns).where(matrix, matrix.like(0)), right)
        if kind == "tridiagonal":
            off = rows.absolute(at_rows - at_columns)
            return rows.solve((off <= off.like(1)).where(matrix, matrix.like(0)), right)
        return rows.solve(matrix, right)

    return solved


def _kind(name: str, assume_a: Any, lower: Any, where: Any) -> str:
    need_known(name, assume_a=assume_a, lower=lower)
    if assume_a is not None and assume_a not in KINDS:
        raise ArgumentValueError(f"{assume_a} is not a recognized matrix structure", where=where)
    return "general" if assume_a is None else KINDS[assume_a]


def solve(
    a: Operand, b: Operand, lower: bool = False, overwrite_a: bool = False, overwrite_b: bool = False, check_finite: bool = True, assume_a: Any = None, transposed: bool = False,
) -> Value:
    """scipy.linalg.solve; of the structure that it is told it reads what LAPACK reads."""
    need_known("scipy.linalg.solve", transposed=transposed)
    need_one("solve", a, b)
    matrix, right = square_of("solve", a), inexact(b)
    kind = _kind("scipy.linalg.solve", assume_a, lower, right.builder.where)
    if not right.ndim or transposed and result_type(matrix, right).dtype.kind == "c":
        raise unsupported("scipy.linalg.solve of a number, or transposed of complex numbers, is not supported", instead="np.linalg.solve")
    if transposed and kind not in ("general", "symmetric", "positive"):
        raise unsupported(f"scipy.linalg.solve(…, transposed=True, assume_a={assume_a!r}) is not supported", instead="the transpose itself")
    need_finite(check_finite, matrix, right)
    turned = matrices.transposed(matrix) if transposed and kind == "general" else matrix
    return by_scipy(turned, right, _solved(kind, lower), "incompatible shapes: a1.shape={} and b1.shape={}")


def triangular(a: Operand, b: Operand, *, lower: bool, transposed: bool, unit: bool) -> Value:
    """The solution of T x = b, T one triangle of `a` or its transpose: infinities and nan where a zero stands on its diagonal."""
    return by_scipy(
        square_of("solve_triangular", a), inexact(b), lambda x, y: rows.triangular_solve(x, y, lower=lower, transposed=transposed, unit=unit, checked=False),
        "shapes of a {} and b {} are incompatible",
    )


def inv(a: Operand, overwrite_a: bool = False, check_finite: bool = True, *, assume_a: Any = None, lower: bool = False) -> Value:
    """scipy.linalg.inv."""
    need_one_finite("inv", check_finite, a)
    matrix = square_of("inv", a)
    kind = _kind("scipy.linalg.inv", assume_a, lower, matrix.builder.where)
    unit = retyped(eye(Value(matrix.builder, dim_atom(matrix.shape[-1])), dtype=matrix.dtype), matrix.shape[-2:])
    return _solved(kind, lower)(matrix, unit)


# ---- a x = w b x ---------------------------------------------------------------------------------------------------------------


def _pair(name: str, check_finite: Any, a: Operand, b: Operand, lower: Any, kind: Any) -> tuple[Value, Value]:
    """The matrix whose eigenvalues are those of both, and the factor of the second one (LAPACK's sygst)."""
    need_known(name, lower=lower, type=kind)
    need_one(name.rpartition(".")[2], b)
    need_finite(check_finite, b)
    first, second = square_of("eigh", a), need_square(b)
    if kind not in (1, 2, 3):
        raise ArgumentValueError('"type" keyword only accepts 1, 2, and 3.', where=first.builder.where)
    dim = agreed(first.builder, (first.shape[0], second.shape[0]), "wrong b dimensions {} and {}", tuple(map(dim_atom, (first.shape[0], second.shape[0]))))
    dtype = result_type(first, second).dtype
    first, second = (from_triangle(cast(retyped(each, (dim, dim)), dtype), lower, True) for each in (first, second))
    factor = rows.cholesky(second)
    if kind == 1:
        half = rows.triangular_solve(factor, first, lower=True, transposed=False, unit=False, checked=True)
        return matrices.adjoint(rows.triangular_solve(factor, matrices.adjoint(half), lower=True, transposed=False, unit=False, checked=True)), factor
    return matrices.product(matrices.adjoint(factor), matrices.product(first, factor)), factor


def eigh(
    a: Operand, b: Any = None, *, lower: bool = True, eigvals_only: bool = False, overwrite_a: bool = False, overwrite_b: bool = False, type: int = 1,
    check_finite: bool = True, subset_by_index: Any = None, subset_by_value: Any = None, driver: Any = None,
) -> Any:
    """scipy.linalg.eigh of one matrix or two: its eigenvalues; its vectors by the driver that NumPy takes, too, or some of them."""
    name = "scipy.linalg.eigh"
    need_known(name, lower=lower, eigvals_only=eigvals_only, driver=driver)
    if eigvals_only:
        return eigvalsh(a, b, lower=lower, type=type, check_finite=check_finite, subset_by_index=subset_by_index, subset_by_value=subset_by_value, driver=driver)
    if subset_by_value is not None or b is not None and subset_by_index is not None:
        raise unsupported(f"{name}(…, {'subset_by_index' if subset_by_value is None else 'subset_by_value'}=…) is not supported", instead=ALL)
    need_one("eigh", a)
    if subset_by_index is not None and driver in (None, "evr"):
        need_finite(check_finite, a)
        matrix = square_of("eigh", a)
        first, last = _between(name, subset_by_index, matrix.dim(0))
        return rows.eigh_part.outs(matrix, upper=not lower, first=first, last=last)
    if driver not in ((None, "evd", "evr") if b is None else (None, "gvd")):
        raise unsupported(f"{name}(…, driver={driver!r}) with eigenvectors is not supported", instead="driver='evr', which is its default" if b is None else "its default", why="other drivers choose other signs of the vectors")
    need_finite(check_finite, a)
    if b is None:
        return rows.eigh_by.outs(square_of("eigh", a), upper=not lower, driver=driver or "evr")
    matrix, factor = _pair(name, check_finite, a, b, lower, type)
    w, v = rows.eigh_by.outs(matrix, upper=not lower, driver="evd")
    if type == 3:
        return w, matrices.product(factor, v)
    return w, rows.triangular_solve(matrices.conjugate(factor), v, lower=True, transposed=True, unit=False, checked=True)


def eigvalsh(
    a: Operand, b: Any = None, *, lower: bool = True, overwrite_a: bool = False, overwrite_b: bool = False, type: int = 1, check_finite: bool = True,
    subset_by_index: Any = None, subset_by_value: Any = None, driver: Any = None,
) -> Value:
    """scipy.linalg.eigvalsh."""
    name = "scipy.linalg.eigvalsh"
    if subset_by_value is not None and subset_by_index is not None:
        raise ArgumentValueError("Either index or value range can be requested.", where=current_builder().where)
    need_known(name, lower=lower, driver=driver)
    need_one_finite("eigvalsh", check_finite, a)
    matrix, upper = (square_of("eigvalsh", a), not lower) if b is None else (_pair(name, check_finite, a, b, lower, type)[0], False)
    w = eigen(matrix, "U" if upper else "L")[0]
    if subset_by_value is not None:
        return _between_values(w, *subset_by_value)
    if subset_by_index is None:
        return w
    first, last = _between(name, subset_by_index, w.dim(0))
    return take(w, np.arange(first, last + 1))


ALL = "all of them: w, v = scipy.linalg.eigh(a); v[:, (w > low) & (w <= high)]"


def _between_values(w: Value, low: Operand, high: Operand) -> Value:
    """The eigenvalues in a half-open interval."""
    builder, (start, end) = w.builder, (cast(lift(bound), w.dtype) for bound in (low, high))
    builder.check((start < end).atom, "ValueError", "Requested eigenvalue bounds are not valid: they have to be increasing")
    return take(w, flatnonzero(rows.logical_and(compare(">", w, start), compare("<=", w, end))))


def _between(name: str, subset: Any, size: Value) -> tuple[int, int]:
    """The first and the last of the eigenvalues that are asked for."""
    first, last = subset
    if isinstance(first, Value) or isinstance(last, Value):
        raise unsupported(f"{name}(…, subset_by_index=…) that is known only at run time is not supported", instead="a slice of all of them")
    if first < 0 or first > last:
        raise ArgumentValueError(f"Requested eigenvalue indices are not valid. start={first}, end={last} is given", where=size.builder.where)
    size.builder.check((lift(int(last)) < size).atom, "ValueError", f"Requested eigenvalue indices are not valid. Valid range is [0, n-1] and start <= end, but start={first}, end={last} is given")
    return int(first), int(last)


def eig(
    a: Operand, b: Any = None, left: bool = False, right: bool = True, overwrite_a: bool = False, overwrite_b: bool = False, check_finite: bool = True, homogeneous_eigvals: bool = False,
) -> Any:
    """scipy.linalg.eig of one matrix or two: eigenvalues, left and right eigenvectors where they are asked for; all complex."""
    need_known("scipy.linalg.eig", left=left, right=right, homogeneous_eigvals=homogeneous_eigvals)
    if not left and not right:
        return eigvals(a, b, check_finite=check_finite, homogeneous_eigvals=homogeneous_eigvals)
    need_one_finite("eig", check_finite, a)
    matrix = square_of("eig", a)
    if b is None and not left and matrix.dtype.itemsize == (16 if matrix.dtype.kind == "c" else 8):  # in single precision NumPy's vectors, which `eig` stands for, have other signs
        w, v = rows.eig.outs(matrix)
        return _homogeneous(w, b, homogeneous_eigvals), v
    w, at_left, at_right = rows.eig_sides.outs(matrix) if b is None else rows.eig_pair.outs(*_two("eig", a, b, check_finite))
    return (_homogeneous(w, b, homogeneous_eigvals), *((at_left,) if left else ()), *((at_right,) if right else ()))


def eigvals(
    a: Operand, b: Any = None, overwrite_a: bool = False, overwrite_b: bool = False, check_finite: bool = True, homogeneous_eigvals: bool = False,
) -> Value:
    """scipy.linalg.eigvals of one matrix or two."""
    need_known("scipy.linalg.eigvals", homogeneous_eigvals=homogeneous_eigvals)
    need_one_finite("eigvals", check_finite, a)
    w = rows.eig.outs(square_of("eigvals", a))[0] if b is None else rows.eigvals_pair(*_two("eigvals", a, b, check_finite))
    return _homogeneous(w, b, homogeneous_eigvals)


def _older_eigvals(a: Operand, b: Any = None, overwrite_a: bool = False, check_finite: bool = True, homogeneous_eigvals: bool = False) -> Value:
    """scipy.linalg.eigvals until SciPy 1.17, of which b could not be overwritten."""
    return eigvals(a, b, check_finite=check_finite, homogeneous_eigvals=homogeneous_eigvals)


def _two(name: str, a: Operand, b: Operand, check_finite: Any) -> tuple[Value, Value]:
    """Two square matrices of one size and dtype."""
    need_one_finite(name, check_finite, b)
    first, second = square_of(name, a), square_of("", b)
    dim = agreed(first.builder, (first.shape[0], second.shape[0]), "a and b must have the same shape")
    dtype = result_type(first, second).dtype
    return cast(retyped(first, (dim, dim)), dtype), cast(retyped(second, (dim, dim)), dtype)


def _homogeneous(w: Value, b: Any, wanted: Any) -> Value:
    """The eigenvalues as quotients, of one matrix with ones below."""
    if not wanted:
        return w
    if b is not None:
        raise unsupported("homogeneous eigenvalues of two matrices are not supported", instead="homogeneous_eigvals=False: inf where the second one has none")
    return stack((w, w.like(1)))


STRUCTURED: dict[str, Callable[..., Any]] = {
    "scipy.linalg.solve": solve, "scipy.linalg.inv": inv, "scipy.linalg.eigh": eigh, "scipy.linalg.eigvalsh": eigvalsh, "scipy.linalg.eig": eig, "scipy.linalg.eigvals": eigvals if SCIPY_1_18 else _older_eigvals,
}
"""By qualified name."""
