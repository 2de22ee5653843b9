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
