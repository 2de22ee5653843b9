"""np.diag, np.tril and their like: the diagonals of matrices, and what lies above and below."""
from __future__ import annotations

from s2s.errors import ArgumentTypeError, ArgumentValueError
from s2s.transforms.ir.build import Builder
from s2s.transforms.primitives import indexing, rows, sizes, structural
from s2s.transforms.primitives.indexing import Full, Take
from s2s.transforms.primitives.row import Primitive
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.numpy.arithmetic import add
from s2s.transforms.read.numpy.axes import normal_axis
from s2s.transforms.read.numpy.broadcasting import aligned, spread
from s2s.transforms.read.numpy.building import Operand, unsupported
from s2s.transforms.read.numpy.common import as_integer, filled, iota, lift
from s2s.transforms.read.numpy.common import reshape as reshaped
from s2s.transforms.read.numpy.shapes import transpose
from s2s.types import Atom, Dim, Literal, Var, atom_dim, dim_atom, size_literal


def diagonal_positions(value: Value, m: Dim, n: Dim, k: Operand) -> tuple[Value, Value]:
    """The row and column numbers of a diagonal of an m x n matrix; k may be of run time."""
    builder = value.builder
    below, right = _beside_the_diagonal(builder, k)
    height = sizes.minus(builder, dim_atom(m), below)
    width = sizes.minus(builder, dim_atom(n), right)
    length = sizes.larger(builder, sizes.smaller(builder, height, width), 0)
    if isinstance(length, Var):
        main = isinstance(below, Literal) and isinstance(right, Literal) and below.value == right.value
        builder.facts.know(length, lower=(builder.form(0),), upper=(builder.form(height), builder.form(width)) if main else ())
    count = iota(builder, atom_dim(length))
    first, second = (count if isinstance(start, Literal) and start.value == 0 else add(count, Value(builder, start)) for start in (below, right))
    return first, second


def _beside_the_diagonal(builder: Builder, k: Operand) -> tuple[Atom, Atom]:
    """How far diagonal k starts below the first row, and right of the first column: one of them is 0."""
    offset = as_integer(k)
    if isinstance(offset, Literal):
        number = int(offset.value)  # type: ignore[arg-type]
        return size_literal(max(-number, 0)), size_literal(max(number, 0))
    return sizes.larger(builder, sizes.minus(builder, 0, offset), 0), sizes.larger(builder, offset, 0)


def diagonal(a: Operand, offset: Operand = 0, axis1: int = 0, axis2: int = 1) -> Value:
    """np.diagonal: the diagonal's axis comes last."""
    value = lift(a)
    if value.ndim < 2:
        raise ArgumentValueError("diag requires an array of at least two dimensions", where=value.builder.where)
    first, second = normal_axis(axis1, value.ndim), normal_axis(axis2, value.ndim)
    if first == second:
        raise ArgumentValueError("axis1 and axis2 cannot be the same", where=value.builder.where)
    others = [k for k in range(value.ndim) if k not in (first, second)]
    value = transpose(value, [*others, first, second])
    index = (*(Full(),) * len(others), Take(), Take())
    return indexing.getitem(value, *diagonal_positions(value, value.shape[-2], value.shape[-1], offset), index=index)


def diag(v: Operand, k: Operand = 0) -> Value:
    """np.diag: a matrix with this diagonal, or the diagonal of a matrix."""
    value = lift(v)
    if value.ndim == 2:
        return diagonal(value, k)
    if value.ndim != 1:
        raise ArgumentValueError("Input must be 1- or 2-d.", where=value.builder.where)
    builder = value.builder
    below, right = _beside_the_diagonal(builder, k)
    size = atom_dim(sizes.plus(builder, dim_atom(value.shape[0]), sizes.plus(builder, below, right)))
    if isinstance(size, Var):
        builder.know_size(size)
    positions = diagonal_positions(value, size, size, k)
    zeros = filled(builder, 0, value.dtype, (size, size))
    positions = tuple(structural.retype(each, value.dim(0)) if each.shape != value.shape else each for each in positions)  # type: ignore[assignment]
    return indexing.setitem(zeros, value, *positions, index=(Take(), Take()))


def tril(m: Operand, k: Operand = 0) -> Value:
    """np.tril: zeros above diagonal k."""
    return _triangle(m, k, rows.greater_equal)


def triu(m: Operand, k: Operand = 0) -> Value:
    """np.triu: zeros below diagonal k."""
    return _triangle(m, k, rows.less_equal)


def _triangle(m: Operand, k: Operand, comparison: Primitive) -> Value:
    value = lift(m)
    if not value.ndim:
        raise ArgumentTypeError("tri() missing 1 required positional argument: 'N'", where=value.builder.where)
    if isinstance(k, float) or isinstance(k, Value) and k.dtype.kind == "f":
        raise unsupported("np.tril and np.triu with a k that is not an integer are not supported", instead="int(k)")
    rows_of, columns = value.shape[-2:] if value.ndim > 1 else value.shape * 2  # a vector is each row of a matrix
    shape = (*value.shape[:-2], rows_of, columns)
    whole = spread(value, shape)
    return rows.select(spread(band(value, rows_of, columns, k, comparison), shape), whole, whole.like(0))


def band(value: Value, m: Dim, n: Dim, k: Operand, comparison: Primitive) -> Value:
    """The m x n matrix of bools i + k `comparison` j."""
    i, j = iota(value.builder, m), iota(value.builder, n)
    shifted = i if isinstance(k, int) and k == 0 else add(i, k)
    return comparison(*aligned(reshaped(shifted, (m, 1)), reshaped(j, (1, n))))
