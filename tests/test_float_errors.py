"""np.errstate(…="raise") inside of functions: NumPy's FloatingPointError, where NumPy raises it, with its words."""
import numpy as np
import pytest

import s2s

SLOW = pytest.param("cpu", marks=pytest.mark.slow)


def quotient(x, y):
    with np.errstate(divide="raise"):
        return x / y


def all_of(x, y):
    with np.errstate(all="raise"):
        return x / y, x - y, x * y


def caught(x, y):
    with np.errstate(all="raise", under="ignore"):
        try:
            z = np.log(x) / y
        except FloatingPointError as error:
            return 1.0 + len(str(error))
    return np.sum(z)


def some_ignored(x, y):
    with np.errstate(all="raise"):
        with np.errstate(divide="ignore", invalid="warn"):
            z = x / y
        return z - x


def periods(x, y):
    """As numpy_financial has it."""
    rate, payment = map(np.asarray, [y, x])
    zero_rate = False
    with np.errstate(divide="raise"):
        try:
            z = payment * (1 + rate * 0.5) / rate
        except FloatingPointError:
            zero_rate = True
    return -payment if zero_rate else z


def in_loop(x, y):
    with np.errstate(over="raise", divide="raise"):
        total = np.float64(1.0)
        for a in np.ravel(x):
            total = total * a**2 / np.ravel(y)[0]
    return total


def powers(x, y):
    with np.errstate(divide="raise", over="raise", invalid="raise"):
        return x**2, np.sqrt(x), x**y, np.exp(x)


FUNCTIONS = (quotient, all_of, caught, some_ignored, periods, in_loop, powers)
SPECIAL = np.array([0.0, 1.0, -2.0, 1e200, -1e-200, np.inf, np.nan, 0.5])


def drawn(seed):
    rng = np.random.default_rng(seed)
    for shape in ((), (1,), (3,), (3,)):
        for share in (0.0, 0.3, 1.0):
            x, y = (np.where(rng.random(shape) < share, rng.choice(SPECIAL, shape), rng.uniform(0.5, 2.0, shape)) for _ in range(2))
            yield (x, y) if shape else (np.float64(x), np.float64(y))


@pytest.mark.parametrize("target", ["numpy", SLOW])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_it_raises_where_numpy_does(function, target):
    compiled = s2s.jit(function, target=target)
    raised = 0
    for x, y in (*drawn(3), *drawn(4), *drawn(5)):
        with np.errstate(all="ignore"):
            try:
                wanted = function(x, y)
            except FloatingPointError as error:
                raised += 1
                with pytest.raises(FloatingPointError) as found:
                    compiled(x, y)
                assert str(found.value).splitlines()[0] == str(error)
            else:
                for one, other in zip(s2s.tree_util.tree_leaves(compiled(x, y)), s2s.tree_util.tree_leaves(wanted), strict=True):
                    np.testing.assert_allclose(one, other, rtol=1e-13)
    assert raised > 1 or function in (caught, periods, some_ignored)


def test_derivatives_go_through():
    s2s.check_grads(s2s.jit(lambda x, y: np.sum(periods(x, y)), target="numpy"), (np.array([1.0, 2.0]), np.array([0.5, 0.7])), order=2)


def helper(x):
    return 1.0 / x


def of_call(x):
    with np.errstate(divide="raise"):
        return helper(x)


def of_sum(x):
    with np.errstate(over="raise"):
        return np.sum(x)


def of_method(x):
    with np.errstate(over="raise"):
        return x.sum()


def in_place(x):
    x = x.copy()
    with np.errstate(divide="raise"):
        x /= 0.0
    return x


def floored(x):
    with np.errstate(divide="raise"):
        return x // 2.0


@pytest.mark.parametrize("function", [of_call, of_sum, of_method, in_place, floored])
def test_what_is_not_known_to_meet_no_condition_is_refused(function):
    with pytest.raises(s2s.UnsupportedError, match=r"under np.errstate\(…='raise'\)"):
        s2s.jit(function, target="numpy")(np.array([1.0, 2.0]))


def test_other_floats_and_doubtful_numbers_are_refused():
    with pytest.raises(s2s.UnsupportedError, match="`/` of these operands"):
        s2s.jit(quotient, target="numpy")(np.ones(2, np.float32), np.ones(2, np.float32))
    with pytest.raises(NotImplementedError, match="so small that digits of it may be lost"):
        s2s.jit(all_of, target="numpy")(np.array([3e-308]), np.array([7.0]))


def narrowed(x):
    with np.errstate(over="raise"):
        return np.asarray(x, np.float32)


def stored_narrow(x):
    y = np.zeros(2, np.float32)
    with np.errstate(over="raise"):
        y[0] = x[0]
    return y


def made_whole(x):
    with np.errstate(invalid="raise"):
        return np.array(x, dtype=np.int64)


def stored_flat(x):
    y = np.zeros(2, np.int64)
    with np.errstate(invalid="raise"):
        y.flat[1] = x[1]
    return y


@pytest.mark.parametrize("function", [narrowed, stored_narrow, made_whole, stored_flat])
def test_casts_are_refused(function):
    with pytest.raises(s2s.UnsupportedError, match=r"under np.errstate\(…='raise'\)"):
        s2s.jit(function, target="numpy")(np.array([1e300, np.nan]))


def kept(x):
    y, k = np.zeros(2), np.zeros(2, np.int64)
    with np.errstate(all="raise"):
        z = np.where(np.asarray(x) > 1.0, x, 1.0)
        y[0], y[1] = z[0], 3
        k[:] = np.array([1, 2])
        k[np.array([0, 1])] = np.arange(2)
        return np.maximum(z, 2.0), y, k, np.absolute(k), np.zeros_like(x)


def test_what_casts_nothing_is_read():
    x = np.array([0.5, 1.5])
    for found, wanted in zip(s2s.jit(kept, target="numpy")(x), kept(x), strict=True):
        np.testing.assert_array_equal(found, wanted)
        assert found.dtype == wanted.dtype
