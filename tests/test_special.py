"""scipy.special's functions of one element, and those of math that are made of the same rows: SciPy's values, dtypes and edges, and their derivatives."""
import math

import numpy as np
import pytest
import scipy.special

import s2s
from s2s.transforms.read.numpy.special import SPECIAL

EDGES = np.array([0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.5, 1e-300, 1e300, 30.0, -30.0, 171.5, 172.0, np.inf, -np.inf, np.nan])
NAMES = [name.rpartition(".")[2] for name in SPECIAL]
INSIDE = {"logit": (0.05, 0.95), "entr": (0.1, 3.0)}


def operands(name, values):
    function = getattr(scipy.special, name)
    return (values,) if function.nin == 1 else tuple(np.ravel(grid) for grid in np.meshgrid(values, values))


def called(name):
    function = getattr(scipy.special, name)
    return (lambda x: function(x)) if function.nin == 1 else (lambda x, y: function(x, y))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
def test_values(name, dtype):
    with np.errstate(all="ignore"):
        args = operands(name, np.arange(-4, 5) if dtype is np.int64 else EDGES.astype(dtype))
        wanted = getattr(scipy.special, name)(*args)
        found = s2s.jit(called(name), target="numpy")(*args)
    assert found.dtype == wanted.dtype
    np.testing.assert_array_equal(found, wanted)


def test_values_compiled():
    def f(x, y, x32):
        s = scipy.special
        ones = s.erf(x), s.erfc(x), s.expit(x), s.logit(x), s.gamma(x), s.gammaln(x), s.digamma(x), s.entr(x)
        return (*ones, s.xlogy(x, y), s.xlog1py(x, y), s.expit(x32), s.digamma(x32), s.xlogy(x32, x32), s.gammaln(x32))

    x, y = operands("xlogy", EDGES)
    with np.errstate(all="ignore"):
        args = x, y, x.astype(np.float32)
        for found, wanted in zip(s2s.jit(f)(*args), f(*args), strict=True):
            assert found.dtype == wanted.dtype
            np.testing.assert_allclose(found, wanted, rtol=4e-6 if found.dtype == np.float32 else 4e-15, atol=1e-15)


@pytest.mark.parametrize("name", NAMES)
def test_derivatives(name):
    low, high = INSIDE.get(name, (0.2, 4.0))
    args = operands(name, np.random.default_rng(0).uniform(low, high, 3))
    f = s2s.jit(called(name), target="numpy")
    s2s.check_grads(f, args, order=2, modes=("fwd", "rev"))


def test_logistic_functions_by_hand():
    x = np.array([-40.0, -1.0, 0.0, 3.0])
    p = scipy.special.expit(x)
    grad = s2s.grad(s2s.jit(lambda x: np.sum(scipy.special.expit(x)), target="numpy"))(x)
    np.testing.assert_allclose(grad, p * (1 - p), rtol=1e-15)


@pytest.mark.parametrize("name", ["erf", "erfc", "gamma", "lgamma"])
def test_of_math(name):
    function = getattr(math, name)
    f = s2s.jit(lambda x: function(x), target="numpy")
    for x in (*map(float, EDGES), -3.0, -0.25, 1e306):
        try:
            wanted = function(x)
        except (ValueError, OverflowError) as error:
            with np.errstate(all="ignore"), pytest.raises(type(error), match=f"^{error}$"):
                f(x)
        else:
            with np.errstate(all="ignore"):
                found = f(x)
            assert type(found) is float
            assert np.isclose(found, wanted, rtol=1e-14, atol=0, equal_nan=True)


def test_complex_numbers_are_refused():
    with pytest.raises(s2s.UnsupportedError, match=r"erf of complex numbers"):
        s2s.jit(lambda x: scipy.special.erf(x), target="numpy")(np.ones(2) + 1j)


def test_words_name_the_library():
    with pytest.raises(s2s.UnsupportedError, match=r"scipy.special.erf\(…, where=…\) is not supported"):
        s2s.jit(lambda x: scipy.special.erf(x, where=x > 0), target="numpy")(np.ones(2))


def test_a_module_that_stands_alone_imports_scipy():
    text = s2s.jit(lambda scipy: erf(scipy), target="numpy").source(np.ones(2))  # noqa: PLW0108
    assert "import scipy.special" in text
    names = {}
    exec(compile(text, "module", "exec"), names)
    (function,) = (value for name, value in names.items() if name.endswith("_jit"))
    np.testing.assert_array_equal(function(np.ones(2)), erf(np.ones(2)))


erf = scipy.special.erf
