"""Exceptions of arguments that don't fit: NumPy's own, type and words, with the user's line."""
import numpy as np
import pytest

import s2s
from s2s.errors import S2SError

X, N, B = np.arange(6.0).reshape(2, 3), np.arange(6).reshape(2, 3), np.ones((2, 3), bool)
VECTOR = np.arange(3.0)


def stored(x, n):
    n += x
    return n


def added(x, n):
    return np.add(x, x, out=n)


CASES = [
    (lambda x, n: np.bitwise_and(x, n), (X, N)), (lambda x, n: x ^ n, (X, N)), (lambda x: ~x, (X,)), (lambda x: -x, (B,)), (lambda x, y: x - y, (B, B)),
    (stored, (X, N)), (added, (X, N)), (lambda x: np.heaviside(x, x), (X * 1j,)), (lambda x: np.cbrt(x), (X * 1j,)), (lambda x: x.mT, (VECTOR,)),
    (lambda x: np.sum(x, axis=5), (X,)), (lambda x: np.moveaxis(x, 3, 0), (X,)), (lambda x: np.swapaxes(x, 0, 4), (X,)), (lambda x: np.vsplit(x, 2), (VECTOR,)),
    (lambda x: x.astype(int, casting="safe"), (X,)), (lambda x: np.stack([x, x], dtype=int), (X,)), (lambda x: x[0, 0, 0], (X,)), (lambda x: x[1.5], (X,)),
    (lambda x: np.split(x, 2, axis=3), (X,)), (lambda x: np.nonzero(x), (np.array(2.0),)), (lambda x: np.convolve(x, x), (X,)), (lambda x: np.transpose(x, (0, 0)), (X,)),
    (lambda x: np.sum(x, axis=True), (X,)), (lambda x: x.max(True), (X,)), (lambda x: np.mean(x, axis=(False,)), (X,)), (lambda x: np.cumsum(x, axis=True), (X,)), (lambda x: np.argmax(x, axis=True), (X,)),
    (lambda x: np.concatenate((x, x), axis=True), (X,)), (lambda x: np.take(x, [0], axis=True), (X,)), (lambda x: np.repeat(x, 2, axis=True), (X,)),
    (lambda x: np.reshape(x, (4, 2)), (np.ones((1, 3)),)), (lambda x: np.float64(x)[0], (2.0,)), (lambda x: np.sqrt(x, casting="no"), (N,)), (lambda x: np.trapezoid(x), (np.array(2.0),)),
    (lambda x: [0] * (x[1] > 0.5), (VECTOR,)), (lambda x: (x[1] > 0.5) * (1, x[0]), (VECTOR,)), (lambda x: [v for v in x if v > 0.5] * (x[1] > 0.5), (VECTOR,)), (lambda x: "-" * (x[1] > 0.5), (VECTOR,)),
]  # fmt: skip
OF_SIZES = [
    (lambda x, n: np.concatenate([x, n.T]), (X, N)), (lambda x, n: np.dot(x, n), (X, N)), (lambda x, n: x @ n, (X, N)), (lambda x, n: np.inner(x, n[:, :2]), (X, N)),
    (lambda x, n: np.vstack([x, n[:, :2]]), (X, N)), (lambda x, n: x + n[:, :2], (X, N)), (lambda x: np.hstack([x, x[:1]]), (X,)),
    (lambda x, n: np.array([x, n[:1]]), (X, N)), (lambda x, n: np.asarray([[x, n], [x[:, :2], n]]), (X, N)), (lambda x: np.array([x, 1.0]), (VECTOR,)), (lambda: np.array([np.ones((3, 2)), np.ones((3, 3))]), ()), (lambda: np.array([np.ones((3, 2)), np.ones(3)]), ()),
    (lambda x, n: np.array([x[x > 1.0], n]), (VECTOR, VECTOR)),
]  # fmt: skip


def raised(function, args):
    with pytest.raises(Exception) as found:  # noqa: PT011 whatever NumPy raises
        function(*(np.copy(arg) if isinstance(arg, np.ndarray) else arg for arg in args))
    return found.value


@pytest.mark.parametrize(("function", "args"), CASES + OF_SIZES)
def test_type_and_words_are_numpys(function, args):
    wanted, found = raised(function, args), raised(s2s.jit(function, target="numpy"), args)
    assert isinstance(found, type(wanted)), (type(found), type(wanted))
    assert " ".join((found.what if isinstance(found, S2SError) else str(found)).split()) == " ".join(str(wanted).split())


@pytest.mark.parametrize(("function", "args"), CASES[:6])
def test_the_error_has_the_users_line(function, args):
    found = raised(s2s.jit(function, target="numpy"), args)
    assert isinstance(found, S2SError)
    assert found.where.file == __file__


def test_unpacking():
    def two(x):
        a, b = x
        return a + b

    run = s2s.jit(two, target="numpy")
    for size in (0, 1, 3):
        assert str(raised(run, (np.ones(size),))) == str(raised(two, (np.ones(size),)))
    assert run(np.ones(2)) == 2.0
    assert raised(run, (2.0,)).what == "cannot unpack non-iterable float object"


def test_negative_lengths_are_empty_ranges():
    for function in (lambda n: np.tri(n), lambda n: np.tril_indices(n), lambda n: np.triu_indices(2, 0, n), lambda n: np.diag_indices(n), lambda n: np.ogrid[0:n, 1:n]):
        for n in (-1, 0, 2):
            for found, wanted in zip(s2s.jit(function, target="numpy")(n), function(n), strict=True):
                assert np.array_equal(found, wanted)
                assert found.dtype == wanted.dtype


@pytest.mark.parametrize(("fun", "args", "words"), [
    (lambda x: np.diff([x, 2.0], 0), (1.0,), "n=0"), (lambda x: np.gradient(x, np.full(4, 0.5)), (np.arange(4.0),), "points that coincide"),
    (lambda x, y, z: np.einsum("ij,kj,k", x, y, z, optimize=True), (np.ones((2, 3)), np.ones((4, 3), np.int64), np.ones(4)), "several dtypes"),
    (lambda x: np.geomspace(x, 8.0, 3, dtype=np.complex64), (2.0,), "complex numbers"),
    (lambda x, out: np.subtract.accumulate(x, out=out), (np.ones(3, np.float32), np.zeros(3)), "in which NumPy computes"),
    (lambda x: np.arange(np.bool_(True), 3.25, x > 0.0), (1.0,), "steps of a bool"),
    (lambda x, out: np.round(x, 3, out=out), (np.ones(3, np.float32), np.zeros(3)), "in which NumPy computes"),
])  # fmt: skip
def test_what_would_be_another_number_is_refused(fun, args, words):
    with pytest.raises(NotImplementedError, match=words):
        s2s.jit(fun, target="numpy")(*args)
