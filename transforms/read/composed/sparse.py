"""How scipy.sparse's matrices are made: of their arrays, of coordinates, of diagonals, of other matrices."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.sparse_base import NONZERO, Sparse
from s2s.transforms.read.composed.sparse_diagonals import Diagonals
from s2s.transforms.read.composed.sparse_matrices import Assembled, Compressed, Coordinates, assembled
from s2s.transforms.read.composed.sparse_patterns import everywhere

# ---- of arrays -----------------------------------------------------------------------------------------------------------------------


def csr_array(arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
    """scipy.sparse.csr_array."""
    return _compressed("csr_array", arg1, shape, dtype, False, False)


def csr_matrix(arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
    """scipy.sparse.csr_matrix."""
    return _compressed("csr_matrix", arg1, shape, dtype, False, True)


def csc_array(arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
    """scipy.sparse.csc_array: the transpose of one in compressed rows."""
    return _compressed("csc_array", arg1, shape, dtype, True, False)


def csc_matrix(arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
    """scipy.sparse.csc_matrix."""
    return _compressed("csc_matrix", arg1, shape, dtype, True, True)


def coo_array(arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
    """scipy.sparse.coo_array."""
    return _by_coordinates("coo_array", arg1, shape, dtype, False)


def coo_matrix(arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
    """scipy.sparse.coo_matrix."""
    return _by_coordinates("coo_matrix", arg1, shape, dtype, True)


def dia_array(arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
    """scipy.sparse.dia_array."""
    return _of_rows(arg1, shape, dtype, False)


def dia_matrix(arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
    """scipy.sparse.dia_matrix."""
    return _of_rows(arg1, shape, dtype, True)


def lil_array(arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
    """scipy.sparse.lil_array."""
    return _assembled("lil", arg1, shape, dtype, False)


def lil_matrix(arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
    """scipy.sparse.lil_matrix."""
    return _assembled("lil", arg1, shape, dtype, True)


def dok_array(arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
    """scipy.sparse.dok_array."""
    return _assembled("dok", arg1, shape, dtype, False)


def dok_matrix(arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
    """scipy.sparse.dok_matrix."""
    return _assembled("dok", arg1, shape, dtype, True)


def _assembled(format, arg1, shape, dtype, starred):
    """Of a shape, another matrix or an array: these are not made of coordinates."""
    if isinstance(arg1, tuple) and len(arg1) == 2 and np.ndim(arg1[0]) == 0 and np.ndim(arg1[1]) == 0:
        if format == "lil" and shape is not None:
            raise ValueError("invalid use of shape parameter")
        return Assembled(arg1, np.float64 if dtype is None else dtype, starred, format)
    if isinstance(arg1, tuple):
        return assembled(_of_array(_stacked(format, arg1), dtype, starred), format)
    return assembled(_by_coordinates(f"{format}_array", arg1, shape, dtype, starred), format)


def _stacked(format, parts):
    """A tuple as an array, of which SciPy makes a "dok"."""
    if format == "dok" and all(np.shape(each) == np.shape(parts[0]) for each in parts):
        return np.asarray(parts)
    raise TypeError("unrecognized lil_array constructor usage" if format == "lil" else "Invalid input format.")


def _compressed(name, arg1, shape, dtype, turned, starred):
    if isinstance(arg1, Sparse):
        found = arg1.tocsc() if turned else arg1.tocsr()
        return Compressed(found.values if dtype is None else found.values.astype(dtype), found.indices_, found.indptr_, found.sides, turned, starred, found.exact if dtype is None else found.exact == 1)
    if not isinstance(arg1, tuple) or len(arg1) == 2:
        made = _by_coordinates(name, arg1, shape, dtype, starred)
        return made.tocsc() if turned else made.tocsr()
    if len(arg1) != 3:
        raise ValueError(f"unrecognized form for {name} constructor")
    data, indices, indptr = np.asarray(arg1[0]), np.asarray(arg1[1]), np.asarray(arg1[2])
    if data.ndim != 1 or indices.ndim != 1 or indptr.ndim != 1:
        raise ValueError("data, indices, and indptr should be 1-D")
    sides = (indptr.shape[0] - 1, np.max(indices) + 1) if shape is None else (shape[1], shape[0]) if turned else (shape[0], shape[1])
    if indptr.shape[0] != sides[0] + 1:
        raise ValueError(f"index pointer size {indptr.shape[0]} should be {sides[0] + 1}")
    if indices.shape[0] != data.shape[0]:
        raise ValueError("indices and data should have the same size")
    if indptr[0] != 0:
        raise ValueError("index pointer should start with 0")
    if indptr[sides[0]] > indices.shape[0]:
        raise ValueError("Last value of index pointer should be less than the size of index and data arrays")
    return Compressed(data if dtype is None else data.astype(dtype), indices, indptr, sides, turned, starred)


def _by_coordinates(name, arg1, shape, dtype, starred):
    if isinstance(arg1, Sparse):
        made = arg1.tocoo()
        return Coordinates(made.values if dtype is None else made.values.astype(dtype), made.row_, made.column_, made.sides, starred, "coo", made.exact if dtype is None else made.exact == 1)
    if not isinstance(arg1, tuple):
        return _of_array(np.asarray(arg1), dtype, starred)
    if len(arg1) == 2 and np.ndim(arg1[1]) == 0:  # a shape
        return Coordinates(np.zeros(0, np.float64 if dtype is None else dtype), np.zeros(0, np.int64), np.zeros(0, np.int64), arg1, starred, "coo")
    if len(arg1) != 2 or len(arg1[1]) != 2:
        raise ValueError(f"unrecognized form for {name} constructor")
    values, row, column = np.asarray(arg1[0]), np.asarray(arg1[1][0]), np.asarray(arg1[1][1])
    if values.shape != row.shape or values.shape != column.shape:
        raise ValueError("all index and data arrays must have the same length")
    sides = (np.max(row) + 1, np.max(column) + 1) if shape is None else (shape[0], shape[1])
    if row.shape[0] > 0 and (np.max(row) >= sides[0] or np.max(column) >= sides[1]):
        raise ValueError(f"axis {0 if np.max(row) >= sides[0] else 1} index {np.max(row) if np.max(row) >= sides[0] else np.max(column)} exceeds matrix dimension {sides[0] if np.max(row) >= sides[0] else sides[1]}")
    if row.shape[0] > 0 and (np.min(row) < 0 or np.min(column) < 0):
        raise ValueError(f"negative axis {0 if np.min(row) < 0 else 1} index: {np.min(row) if np.min(row) < 0 else np.min(column)}")
    return Coordinates(values if dtype is None else values.astype(dtype), row, column, sides, starred, "coo")


def _of_array(a, dtype, starred):
    """All elements of an array: derivatives by those that are zero are not lost."""
    if a.ndim != 2:
        unsupported(f"a sparse matrix of an array with {a.ndim} axes", "one with two")
    exact = NONZERO if dtype is None or np.can_cast(a.dtype, dtype) else False  # else some that are not zero may become it
    return Coordinates(a.ravel() if dtype is None else a.ravel().astype(dtype), *everywhere(a.shape), a.shape, starred, "coo", exact)


def _of_rows(arg1, shape, dtype, starred, outside=False):
    """Of diagonals as rows, each element in its column."""
    if isinstance(arg1, Diagonals):
        return Diagonals(arg1.rows_ if dtype is None else arg1.rows_.astype(dtype, copy=False), arg1.offsets_, arg1.sides, starred)
    if isinstance(arg1, Sparse):
        made = arg1.tocoo()
        return Coordinates(made.values if dtype is None else made.values.astype(dtype), made.row_, made.column_, made.sides, starred, "dia", False)
    if not isinstance(arg1, tuple):
        made = _of_array(np.asarray(arg1), dtype, starred)
        return Coordinates(made.values, made.row_, made.column_, made.sides, starred, "dia", False)
    if len(arg1) == 2 and np.ndim(arg1[0]) == 0 and np.ndim(arg1[1]) == 0:  # a shape
        made = _by_coordinates("dia_array", arg1, shape, dtype, starred)
        return Coordinates(made.values, made.row_, made.column_, made.sides, starred, "dia", True)
    rows, offsets = np.atleast_2d(arg1[0]), np.atleast_1d(arg1[1])
    if shape is None:
        raise ValueError("expected a shape argument")
    if rows.shape[0] != offsets.shape[0]:
        raise ValueError(f"number of diagonals ({rows.shape[0]}) does not match the number of offsets ({offsets.shape[0]})")
    return Diagonals(rows if dtype is None else rows.astype(dtype, copy=False), offsets, (shape[0], shape[1]), starred, outside)


# ---- of diagonals --------------------------------------------------------------------------------------------------------------------


def diags_array(diagonals, /, *, offsets=0, shape=None, format=None, dtype=np._NoValue):
    """scipy.sparse.diags_array."""
    return _diagonals(diagonals, offsets, shape, format, dtype, False)


def diags(diagonals, offsets=0, shape=None, format=None, dtype=np._NoValue):
    """scipy.sparse.diags."""
    return _diagonals(diagonals, offsets, shape, format, dtype, True)


def _diagonals(diagonals, offsets, shape, format, dtype, starred):
    if np.ndim(offsets) == 0:
        each = np.asarray(diagonals)
        rows, places = [each[0] if each.ndim == 2 else np.atleast_1d(each)], [offsets]
    else:
        rows, places = [np.atleast_1d(np.asarray(row)) for row in diagonals], [place for place in offsets]  # noqa: C416 - an array is gone through
    if len(rows) != len(places):
        raise ValueError("Different number of diagonals and offsets.")
    if shape is None:
        side = rows[0].shape[0] + abs(places[0])
        shape = (side, side)
    if dtype is None or dtype is np._NoValue:
        dtype = _kind_of_diagonals(np.result_type(*rows), dtype is None)
    n, m = shape
    values, row, column = [], [], []
    for diagonal, place in zip(rows, places, strict=True):
        length = min(n + place, m - place, n, m)
        if length < 0:
            raise ValueError(f"Offset {place} (index {len(row)}) out of bounds")
        if diagonal.shape[0] < length and diagonal.shape[0] != 1:
            raise ValueError(f"Diagonal length (index {len(row)}: {diagonal.shape[0]} at offset {place}) does not agree with array size ({n}, {m}).")
        along = np.arange(length)
        values.append(diagonal[:length].astype(dtype) if diagonal.shape[0] != 1 else np.full(length, diagonal[0]).astype(dtype))
        row.append(along - min(place, 0))
        column.append(along + max(place, 0))
    made = Coordinates(np.concatenate(values), np.concatenate(row), np.concatenate(column), (n, m), starred, "dia", False)
    return made if format in (None, "dia") else made.asformat(format)


def _kind_of_diagonals(dtype, as_they_are):
    """Of diagonals that a dtype is asked for, that of all; else one of floats."""
    if not as_they_are and dtype.kind == "b":
        raise TypeError("can't get common type for non-numeric array")
    return np.dtype(np.float64) if not as_they_are and dtype.kind in "iu" else dtype


def spdiags(data, diags, m=None, n=None, format=None):
    """scipy.sparse.spdiags."""
    sides = m if n is None and m is not None else (m, n)
    made = _of_rows((data, diags), (np.atleast_2d(data).shape[1],) * 2 if m is None else sides, None, True)
    return made if format in (None, "dia") else made.asformat(format)


def eye_array(m, n=None, *, k=0, dtype=np.float64, format=None):
    """scipy.sparse.eye_array."""
    return _ones(m, m if n is None else n, k, dtype, format, False)


def eye(m, n=None, k=0, dtype=np.float64, format=None):
    """scipy.sparse.eye."""
    return _ones(m, m if n is None else n, k, dtype, format, True)


def identity(n, dtype="d", format=None):
    """scipy.sparse.identity."""
    return _ones(n, n, 0, dtype, format, True)


def _ones(n, m, k, dtype, format, starred):
    length = max(min(n + k, m - k, n, m), 0)
    along = np.arange(length)
    made = Coordinates(np.ones(length, dtype), along - min(k, 0), along + max(k, 0), (n, m), starred, "dia", False)
    return made if format in (None, "dia") else made.asformat(format)


# ---- of other matrices -----------------------------------------------------------------------------------------------------------------


def kron(A, B, format=None):
    """scipy.sparse.kron."""
    a, b = _matrix(A), _matrix(B)
    (row, column), (inner, across) = a._coordinates(), b._coordinates()
    values = (a.values[:, np.newaxis] * b.values).ravel()
    rows = (row[:, np.newaxis] * b.shape[0] + inner).ravel()
    columns = (column[:, np.newaxis] * b.shape[1] + across).ravel()
    made = Coordinates(values, rows, columns, (a.shape[0] * b.shape[0], a.shape[1] * b.shape[1]), a.starred and b.starred, "coo", False)
    return made if format is None else made.asformat(format)


def kronsum(A, B, format=None):
    """scipy.sparse.kronsum."""
    a, b = _matrix(A), _matrix(B)
    if a.shape[0] != a.shape[1] or b.shape[0] != b.shape[1]:
        raise ValueError("A is not square" if a.shape[0] != a.shape[1] else "B is not square")
    dtype = np.result_type(a.dtype, b.dtype)
    made = kron(eye(b.shape[0], dtype=dtype), a) + kron(b, eye(a.shape[0], dtype=dtype))
    return made if format is None else made.asformat(format)


def block_array(blocks, *, format=None, dtype=None):
    """scipy.sparse.block_array."""
    made = _blocks(blocks, format, dtype)
    return made if not made.starred else _as_array(made)


def bmat(blocks, format=None, dtype=None):
    """scipy.sparse.bmat."""
    return _blocks(blocks, format, dtype)


def hstack(blocks, format=None, dtype=None):
    """scipy.sparse.hstack."""
    return _blocks([blocks], format, dtype)


def vstack(blocks, format=None, dtype=None):
    """scipy.sparse.vstack."""
    return _blocks([[block] for block in blocks], format, dtype)


def block_diag(mats, format=None, dtype=None):
    """scipy.sparse.block_diag."""
    made = [_matrix(each) for each in mats]
    return _blocks([[each if i == j else None for j in range(len(made))] for i, each in enumerate(made)], format, dtype)


def _blocks(blocks, format, dtype):
    rows = [[None if block is None else _matrix(block) for block in row] for row in blocks]
    heights = [_side([block for block in row if block is not None], 0) for row in rows]
    widths = [_side([row[j] for row in rows if row[j] is not None], 1) for j in range(len(rows[0]))]
    values, row, column, starred, top = [], [], [], True, 0
    for line, height in zip(rows, heights, strict=True):
        left = 0
        for block, width in zip(line, widths, strict=True):
            if block is not None:
                if block.shape[0] != height or block.shape[1] != width:
                    raise ValueError("blocks have incompatible dimensions")
                inner, across = block._coordinates()
                values.append(block.values)
                row.append(inner + top)
                column.append(across + left)
                starred = starred and block.starred
            left = left + width
        top = top + height
    kind = np.result_type(*values) if dtype is None else dtype
    made = Coordinates(np.concatenate([each.astype(kind) for each in values]), np.concatenate(row), np.concatenate(column), (sum(heights), sum(widths)), starred, "coo", False)
    return made.asformat(_format_of_blocks(rows) if format is None else format)


def _as_array(a):
    """Of a matrix the array of the same format."""
    made = Coordinates(a.values, *a._coordinates(), a.shape, False, "coo", False)
    return made.asformat(a.format)


def _format_of_blocks(rows):
    """What SciPy stacks without coordinates: all in compressed rows, or all in compressed columns."""
    formats = {"coo" if block is None else block.format for row in rows for block in row}
    return "csr" if formats == {"csr"} else "csc" if formats == {"csc"} else "coo"


def _side(blocks, axis):
    if not blocks:
        raise ValueError("blocks[:,:] holds a row or column of nothing but None")
    return blocks[0].shape[axis]


def tril(A, k=0, format=None):
    """scipy.sparse.tril."""
    return _part(_matrix(A), lambda row, column: row + k >= column, format)


def triu(A, k=0, format=None):
    """scipy.sparse.triu."""
    return _part(_matrix(A), lambda row, column: row + k <= column, format)


def _part(a, which, format):
    row, column = a._coordinates()
    there = which(row, column)
    made = Coordinates(a.values[there], row[there], column[there], a.shape, a.starred, "coo", a.exact)
    return made if format is None else made.asformat(format)


def _matrix(a):
    return a if isinstance(a, Sparse) else _of_array(np.atleast_2d(np.asarray(a)), None, True)


def issparse(x):
    """scipy.sparse.issparse."""
    return isinstance(x, Sparse)


def isspmatrix(x):
    """scipy.sparse.isspmatrix: whether * is its product of matrices."""
    return isinstance(x, Sparse) and x.starred


def isspmatrix_coo(x):
    """scipy.sparse.isspmatrix_coo."""
    return isspmatrix(x) and x.format == "coo"


def isspmatrix_csc(x):
    """scipy.sparse.isspmatrix_csc."""
    return isspmatrix(x) and x.format == "csc"


def isspmatrix_csr(x):
    """scipy.sparse.isspmatrix_csr."""
    return isspmatrix(x) and x.format == "csr"


def isspmatrix_lil(x):
    """scipy.sparse.isspmatrix_lil."""
    return isspmatrix(x) and x.format == "lil"


def isspmatrix_dok(x):
    """scipy.sparse.isspmatrix_dok."""
    return isspmatrix(x) and x.format == "dok"


def isspmatrix_dia(x):
    """scipy.sparse.isspmatrix_dia."""
    return isspmatrix(x) and x.format == "dia"


def find(A):
    """scipy.sparse.find: rows, columns and values of what is not 0."""
    summed = coo_array(A)._summed()
    row, column = summed._coordinates()
    there = summed.values != 0
    kind = column.dtype if summed.exact == 1 and not summed.starred else np.int32
    return row[there].astype(kind), column[there].astype(kind), summed.values[there]


# ---- from outside of the function --------------------------------------------------------------------------------------------------------


def from_outside(of, shape, values, first, second=None):
    """A matrix that was made outside, of its arrays."""
    starred = of.endswith("_matrix")
    if of.startswith("coo"):
        return Coordinates(values, first, second, shape, starred, "coo", outside=True)
    if of.startswith("dia"):
        return _of_rows((values, first), shape, None, starred, True)
    turned = of.startswith("csc")
    return Compressed(values, first, second, shape[::-1] if turned else shape, turned, starred, outside=True)


SPARSE: dict[str, Any] = {
    f"scipy.sparse.{function.__name__}": function
    for function in (
        csr_array, csr_matrix, csc_array, csc_matrix, coo_array, coo_matrix, lil_array, lil_matrix, dok_array, dok_matrix, dia_array, dia_matrix, diags_array, diags, spdiags, eye_array, eye, identity, kron, kronsum,
        block_array, bmat, hstack, vstack, block_diag, tril, triu, issparse, isspmatrix, isspmatrix_coo, isspmatrix_csc, isspmatrix_csr, isspmatrix_dia, isspmatrix_lil, isspmatrix_dok, find,
    )
}  # fmt: skip
"""They are read even where all of their arguments are known."""
