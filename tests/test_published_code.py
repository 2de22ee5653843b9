"""What functions of published packages stumbled on: each form in a function of our own."""
import math

import numpy as np
import pytest

import s2s

X = np.array([0.3, -1.0, 2.0])


def named_if_it_can_be(x):
    found = np.sin(x)
    try:
        found.name = "sine"  # of a pandas series
    except AttributeError:
        pass
    return found * 2.0


def ends_with_a_quote(x):
    '''
    Sky dome "brightness"
    '''
    return x * 2.0


def in_pieces(x):
    return np.piecewise(x, [x <= 0, (x > 0) & (x < 0.5)], [1.0, lambda part: part * 2.0, lambda part: np.max(part)])


def added(x, y=None):
    return x if y is None else x + y


def nothing_for_each(x):
    return np.vectorize(added)(x, None) + np.vectorize(added)(x, y=None)


@pytest.mark.parametrize("function", [named_if_it_can_be, ends_with_a_quote, in_pieces, nothing_for_each], ids=lambda function: function.__name__)
@pytest.mark.parametrize("x", [X, X[:1], X[:0], X.reshape(1, 3), 0.3, -2.0, np.array(0.3), np.float64(0.7)], ids=repr)
def test_values(function, x):
    """Value, dtype, rank and class of Python's own run; for nothing np.vectorize raises, as NumPy does."""
    try:
        wanted = function(x)
    except ValueError as error:
        with pytest.raises(ValueError, match=str(error)):
            s2s.jit(function, target="numpy")(x)
        return
    got = s2s.jit(function, target="numpy")(x)
    assert type(got) is type(wanted)
    np.testing.assert_array_equal(got, wanted, strict=True)


@pytest.mark.parametrize("base", [X, 0.3, np.float64(1.0), 2], ids=repr)
def test_no_room_for_attributes(base):
    """A store into an attribute that numbers and arrays have not: Python's error and words."""

    def store(x):
        x.name = "sine"
        return x

    with pytest.raises(AttributeError) as wanted:
        store(base)
    with pytest.raises(AttributeError) as got:
        s2s.jit(store, target="numpy")(base)
    assert str(wanted.value) in str(got.value)


def windows(x, m, parts):
    """Parts of a length of run time, until what is left is too short."""
    size, found = math.ceil((x.shape[0] + 1) / parts), []
    for k in range(parts):
        start = k * size
        stop = min(start + size, x.shape[0])
        if stop - start < m:
            break
        found.append(x[start : start + m] * 2.0)
    return np.hstack(found)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_items_of_a_path_that_is_left(target):
    """A loop that breaks off before its first item: the sizes of an item are those of the other path."""
    compiled = s2s.jit(windows, target=target, static_argnames="parts")
    for n, m, parts in ((12, 3, 2), (12, 2, 3), (5, 3, 2), (9, 1, 4)):
        x = np.arange(float(n))
        np.testing.assert_array_equal(compiled(x, m, parts=parts), windows(x, m, parts), strict=True)
    with pytest.raises(ValueError, match="need at least one array to concatenate"):
        compiled(np.arange(3.0), 5, parts=2)
    if target == "numpy":
        s2s.check_grads(lambda x: np.sum(windows(x, 3, 2) ** 2), (np.arange(12.0),), order=2)


@pytest.mark.parametrize("x", [X, X[:0], X.reshape(3, 1), 2.0, np.array(0.5)], ids=repr)
def test_nothing_is_masked(x):
    """What functions that take masked arrays too ask of plain ones."""

    def asked(x):
        if np.ma.is_masked(x) or np.ma.isMaskedArray(x) or np.any(np.ma.getmask(x)):
            return x * 0.0, np.ma.getmaskarray(x), x
        return np.ma.getdata(x) * 2.0, np.ma.getmaskarray(x), np.ma.filled(x, 3.0)

    for got, wanted in zip(s2s.jit(asked, target="numpy")(x), asked(x), strict=True):
        assert type(got) is type(wanted)
        np.testing.assert_array_equal(got, wanted, strict=True)


def checked(x):
    if np.sum(x) > 3.0:
        raise ValueError(f"got {x} of {x[0]:.1f} {{}}, {x * 2.0!r}")
    return x


def asserted(x):
    assert np.sum(x) < 3.0, "sum of %s" % x  # noqa: UP031
    return x


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_arrays_in_messages(target):
    """Class and line of the exception; of an array dtype and shape."""
    with pytest.raises(ValueError, match=r"got <float64 array of shape \(3,\)> of 1\.0 {}, <float64 array of shape \(3,\)>"):
        s2s.jit(checked, target=target)(np.array([1.0, 2.0, 3.0]))
    with pytest.raises(AssertionError, match=r"sum of <int64 array of shape \(2, 1\)>"):
        s2s.jit(asserted, target=target)(np.array([[4], [5]]))
    np.testing.assert_array_equal(s2s.jit(checked, target=target)(X), X)


def by_a_bool(q):
    """A quaternion's exponential, of one or of many."""
    norm = np.linalg.norm(q[..., 1:], axis=-1)
    some = np.logical_not(np.isclose(norm, 0.0))
    out = np.zeros_like(q)
    size = np.exp(q[..., 0])
    out[..., 0] = size * np.cos(norm)
    if np.any(some):
        out[some, 1:] = size[some, np.newaxis] * (q[some, 1:] / norm[some, np.newaxis]) * np.sin(norm)[some, np.newaxis]
    return out


@pytest.mark.parametrize("q", [np.array([0.1, 0.5, -0.3, 0.7]), np.array([0.4, 0.0, 0.0, 0.0]), np.array([[0.1, 0.5, -0.3, 0.7], [0.4, 0.0, 0.0, 0.0]])], ids=repr)
def test_a_bool_in_front_of_slices(q):
    """A mask without axes among other items of an index: taken and stored, with the derivative."""
    np.testing.assert_allclose(s2s.jit(by_a_bool, target="numpy")(q), by_a_bool(q), rtol=1e-14)
    if q.ndim == 1 and q[1]:
        np.testing.assert_allclose(s2s.jit(by_a_bool, target="cpu")(q), by_a_bool(q), rtol=1e-14)
        s2s.check_grads(by_a_bool, (q,), order=1)


@pytest.mark.parametrize("test", [True, False, np.bool_(True), np.array(False)], ids=repr)
@pytest.mark.parametrize("index", [(slice(1, None),), (0,), (None,), (..., 0), (slice(None), None), (-1, None)], ids=repr)
@pytest.mark.parametrize("shape", [(3,), (2, 3)], ids=repr)
def test_parts_behind_a_bool(test, index, shape):
    x = np.arange(float(np.prod(shape))).reshape(shape)

    def taken(x, test):
        return x[(test, *index)]

    def stored(x, test):
        x[(test, *index)] = 7.0
        return x

    for function in (taken, stored):
        np.testing.assert_array_equal(s2s.jit(function, target="numpy")(x.copy(), test), function(x.copy(), test), strict=True)


def test_what_is_broadcast():
    """np.broadcast: shapes, and NumPy's error."""

    def asked(x, y):
        both = np.broadcast(x, y)
        return np.zeros(both.shape) + x, both.size, both.ndim, both.nd, both.numiter

    for got, wanted in zip(s2s.jit(asked, target="numpy")(np.ones((3, 1)), np.ones((2, 1, 4))), asked(np.ones((3, 1)), np.ones((2, 1, 4))), strict=True):
        assert type(got) is type(wanted)
        np.testing.assert_array_equal(got, wanted)
    with pytest.raises(ValueError, match="cannot be broadcast to a single shape"):
        s2s.jit(asked, target="numpy")(np.ones((3, 2)), np.ones(5))
