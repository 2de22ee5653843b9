"""What operations on scipy.sparse's matrices give: numbers, dtype, shape, class and format beside SciPy's own, of several formats and dtypes."""
from __future__ import annotations

import re

import numpy as np
import pytest
import scipy.sparse as sp
from turns import in_turn

import s2s
from s2s.transforms.read.composed import sparse
from s2s.transforms.read.composed.dense_matrices import Dense
from s2s.transforms.read.composed.sparse_base import Sparse

WHOLE = np.array([[0, 250, 0], [7, 0, 30], [0, 200, 9]])
OTHER = np.array([[4, 0, 1], [0, 0, 5], [1, 60, 0]])
DENSE = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]], np.uint8)
KINDS = (np.float64, np.float32, np.int64, np.uint8, bool, np.complex64)
ALONE = {
    "sum of columns": lambda a: a.sum(axis=0), "sum of rows": lambda a: a.sum(axis=-1), "sum": lambda a: a.sum(), "sum of both": lambda a: a.sum(axis=(0, 1)), "sum in f4": lambda a: a.sum(1, dtype=np.float32),
    "mean": lambda a: a.mean(), "mean of columns": lambda a: a.mean(axis=0), "mean in f4": lambda a: a.mean(axis=1, dtype=np.float32), "conj": lambda a: a.conj(), "abs": lambda a: abs(a),
    "halved": lambda a: a / 2, "by one": lambda a: a / np.float32(3), "negative power": lambda a: a.astype(float).power(-1), "scaled": lambda a: a * 2, "sqrt": lambda a: a.astype(float).power(0.5),
    "added": lambda a: a + DENSE, "taken off": lambda a: a - DENSE.astype(np.int16), "from": lambda a: DENSE - a.astype(int), "one row added": lambda a: a + DENSE[:1], "reshaped": lambda a: a.reshape(3, 3),
    "product": lambda a: a @ a.T, "product of columns": lambda a: a.T @ a, "dense factor": lambda a: a.multiply(DENSE), "vector factor": lambda a: a.multiply(DENSE[0]), "sum of two": lambda a: a + a.T,
    "elements": lambda a: a.multiply(a), "kron": lambda a: sp.kron(a, a, format="csr"), "kronsum": lambda a: sp.kronsum(a, a.T, format="csr"), "hstack": lambda a: sp.hstack([a, a]), "vstack": lambda a: sp.vstack([a, a]),
    "blocks": lambda a: sp.block_array([[a, a]]), "blocks beside nothing": lambda a: sp.block_array([[a, None], [None, a]]), "bmat": lambda a: sp.bmat([[a], [a]]), "block_diag": lambda a: sp.block_diag([a, a]),
}  # fmt: skip
INDEXED = {
    "element": lambda a: a[0, 1], "rows": lambda a: a[:2], "columns": lambda a: a[:, 1:], "largest": lambda a: a.max(), "place": lambda a: a.argmax(), "smallest": lambda a: a.argmin(axis=0),
}  # fmt: skip
WRONG = {
    "axis": lambda a: a.sum(axis=2), "axis of mean": lambda a: a.mean(axis=-3), "axes": lambda a: a.sum(axis=(0, 0)), "no axis": lambda a: a.sum(axis=()), "dense": lambda a: a + DENSE[:2], "zero": lambda a: a / 0,
    "elements": lambda a: sp.dia_array(a)[0, 0], "slices": lambda a: sp.coo_matrix(a)[0], "largest": lambda a: sp.dia_array(a).max(), "place": lambda a: sp.lil_matrix(a).argmax(),
    "getrow": lambda a: sp.csr_array(a).getrow(0), "getnnz": lambda a: sp.csr_array(a).getnnz(), "bools": lambda a: sp.diags_array(np.array([True, False])),
}  # fmt: skip
DIAGONALS = {
    "ints": lambda d: sp.diags_array(d), "ints as they are": lambda d: sp.diags_array(d, dtype=None), "several": lambda d: sp.diags([d, d[:2]], [0, 1]), "several as they are": lambda d: sp.diags([d, d[:2]], [0, 1], dtype=None),
    "of uint8": lambda d: sp.diags_array(d.astype(np.uint8)), "known": lambda d: sp.diags_array([1, -2, 1], offsets=[-1, 0, 1], shape=(4, 4)),
}  # fmt: skip


def described(x):
    """Class, format, dtype, numbers."""
    if isinstance(x, Sparse):
        return ("matrix" if x.starred else "array"), x.format, x.dtype, x.toarray()
    if isinstance(x, sp.sparray | sp.spmatrix):
        return ("matrix" if isinstance(x, sp.spmatrix) else "array"), x.format, x.dtype, x.toarray()
    x = np.matrix(x.A) if isinstance(x, Dense) else np.int64(x) if isinstance(x, int) else x
    return type(x), np.ndim(x), x.dtype, np.asarray(x)


def same(found, wanted):
    found, wanted = described(found), described(wanted)
    assert found[:3] == wanted[:3]
    np.testing.assert_allclose(found[3], wanted[3], rtol=1e-6 if found[2].itemsize <= 4 or found[2] == np.complex64 else 1e-13)


def composed(monkeypatch):
    """scipy.sparse's functions are those that are read, as they stand."""
    for name, function in vars(sparse).items():
        if name in vars(sp) and callable(function):
            monkeypatch.setattr(sp, name, function)


@pytest.mark.parametrize("form", ["csr_array", "csc_array", "coo_array", "csr_matrix", "csc_matrix", "coo_matrix"])
@pytest.mark.filterwarnings("ignore")
def test_as_it_stands(form, monkeypatch):
    numbers = [WHOLE.astype(kind) for kind in KINDS]
    calls = {**ALONE, **({} if form.startswith("coo") else INDEXED)}
    wanted = {(name, kind): call(getattr(sp, form)(a)) for name, call in calls.items() for kind, a in zip(KINDS, numbers, strict=True)}
    composed(monkeypatch)
    for name, call in calls.items():
        for kind, a in zip(KINDS, numbers, strict=True):
            try:
                same(call(getattr(sp, form)(a)), wanted[name, kind])
            except s2s.UnsupportedError:
                assert (name, kind) == ("sum of two", bool), (name, kind)


@pytest.mark.parametrize("name", in_turn([*ALONE, *INDEXED], 6))
@pytest.mark.filterwarnings("ignore")
def test_read(name):
    f = {**ALONE, **INDEXED}[name]
    for form, kind in (("csr_array", np.uint8), ("csc_matrix", np.float32)):
        a = getattr(sp, form)(WHOLE.astype(kind))
        found = s2s.jit(f, target="numpy")(a)
        wanted = f(a)
        if isinstance(wanted, np.matrix):
            found = np.matrix(found)
        same(found, wanted)


@pytest.mark.parametrize("name", WRONG)
def test_words_of_what_is_wrong(name, monkeypatch):
    f = WRONG[name]
    with pytest.raises((ValueError, TypeError, AttributeError, ZeroDivisionError)) as wanted:
        f(sp.csr_matrix(WHOLE * 1.0))
    composed(monkeypatch)
    with pytest.raises(type(wanted.value), match=re.escape(str(wanted.value).split("\n")[0])):
        f(sp.csr_matrix(WHOLE * 1.0))


@pytest.mark.parametrize("name", DIAGONALS)
@pytest.mark.filterwarnings("ignore")
def test_diagonals_are_floats_unless_a_dtype_is_asked_for(name, monkeypatch):
    f, d = DIAGONALS[name], np.array([200, 100, 250])
    wanted = f(d)
    composed(monkeypatch)
    same(f(d), wanted)


@pytest.mark.parametrize("form", ["dia_array", "dia_matrix"])
@pytest.mark.parametrize("call", [lambda a: a.tocoo(), lambda a: a.T, lambda a: abs(a), lambda a: a.tocsr()])
def test_matrices_by_diagonals_are_given_and_given_back(call, form):
    a = getattr(sp, form)(WHOLE * 1.0)
    same(s2s.jit(call, target="numpy")(a), call(a))


def set_one_by_one(d, x):
    a = sp.csr_array(d)
    a[0, 1] = x
    a[2, 2] += 2 * x
    a[1] = x**2
    a[:, 0] = d[:, 1:2]
    a[[0, 2], [2, 0]] = [3 * x, 4.0]
    a[-1, -1] = 0.0
    return a


def set_in_columns(d, x):
    a = sp.csc_matrix(d)
    a[1, 1] = x
    a[0:2, 2:] = np.array([[x], [2.0]])
    a[2, 0] = d[0, 1]
    return a


@pytest.mark.parametrize("f", [set_one_by_one, set_in_columns])
@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.filterwarnings("ignore")
def test_elements_of_compressed_matrices_are_set(f, target):
    same(s2s.jit(f, target=target)(WHOLE * 1.0, 2.5), f(WHOLE * 1.0, 2.5))


@pytest.mark.filterwarnings("ignore")
def test_elements_that_are_set_have_derivatives():
    s2s.check_grads(lambda d, x: set_one_by_one(d, x).toarray() @ d, (WHOLE * 0.01, 0.5), order=1)


def test_what_is_refused():
    a = sp.csr_array(WHOLE * 1.0)

    def stored(a):
        a[0, 1] = 5.0
        return a @ np.ones(3)

    def twice(d):
        a = sp.csr_array(d)
        a[[0, 0], [1, 1]] = [1.0, 2.0]
        return a @ np.ones(3)

    def by_coordinates(d):
        a = sp.coo_array(d)
        a[0, 1] = 5.0
        return a @ np.ones(3)

    def where(d):
        a = sp.csr_array(d)
        a[a > 2] = 1.0
        return a @ np.ones(3)

    for f, given, kind, said in (
        (stored, a, s2s.UnsupportedError, "storing into a sparse matrix that is found outside"), (twice, WHOLE * 1.0, NotImplementedError, "one place of a sparse matrix twice"),
        (by_coordinates, WHOLE * 1.0, s2s.UnsupportedError, "storing into a sparse matrix in the format 'coo'"), (where, WHOLE * 1.0, s2s.UnsupportedError, "where another one is True"),
        (lambda a: a.argmax(), sp.csr_array(np.array([[np.nan, 2.0]])), NotImplementedError, "with nan"), (lambda a: a.multiply(a), sp.csr_array(np.array([[np.inf, 0.0]])), NotImplementedError, "not finite"),
        (lambda d: sp.csr_array(d).setdiag(1j), WHOLE * 1.0, s2s.UnsupportedError, "setdiag of complex numbers"),
    ):  # fmt: skip
        with pytest.raises(kind, match=said):
            s2s.jit(f, target="numpy")(given)


@pytest.mark.parametrize("kind", [sp.lil_array, sp.lil_matrix, sp.dok_array, sp.dok_matrix])
def test_matrices_that_are_set_are_not_made_of_coordinates(kind):
    along = np.arange(3)
    for f in (
        lambda v: kind((v, (along, along)), shape=(3, 3)).toarray(), lambda v: kind((v, along, np.arange(4)), shape=(3, 3)).toarray(), lambda v: kind((v, [1.0, 2.0, v[0]])).toarray(),
        lambda v: kind([v, v]).toarray(), lambda v: kind(([1.0, 2.0], [v[0], 4.0])).toarray(), lambda v: kind((2, 3), shape=(4, 4)).toarray() + v[0],
    ):  # fmt: skip
        try:
            wanted = f(np.arange(3.0) + 1)
        except (TypeError, ValueError) as error:
            with pytest.raises(type(error), match=str(error).partition(" ")[0]):
                s2s.jit(f, target="numpy")(np.arange(3.0) + 1)
        else:
            np.testing.assert_array_equal(s2s.jit(f, target="numpy")(np.arange(3.0) + 1), wanted)
