"""scipy.special's functions of one element, and those of math that are made of the same rows: SciPy's values, dtypes and edges, and their derivatives."""
import math
import re

import numpy as np
import pytest
import scipy.special
from scipy.special import cython_special

import s2s
from s2s.transforms.primitives import bessel, bessel_integrals, hypergeometric, probabilities, rarer_special, special_of_scipy
from s2s.transforms.primitives.row import Primitive
from s2s.transforms.primitives.scipy_functions import C_FUNCTIONS
from s2s.transforms.read.composed.orthogonal import ORTHOGONAL

EDGES = np.array([0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.5, 1e-300, 1e300, 30.0, -30.0, 171.5, 172.0, np.inf, -np.inf, np.nan])
COMPLEX = np.array([0j, 0.5 + 0.25j, -1.5 + 2j, 1j, 2.0, -0.7 - 0.1j, 3 - 4j])
LOOPS = {**special_of_scipy.FUNCTIONS, **bessel.BESSEL, **bessel_integrals.BESSEL_INTEGRALS, **rarer_special.RARER_SPECIAL, **hypergeometric.HYPERGEOMETRIC, **probabilities.PROBABILITIES}


def letters_of(name):
    """What a function takes, a letter for each operand, of each of its loops."""
    loops = LOOPS[name]
    if not isinstance(loops, Primitive):
        return list(loops)
    count = len(loops.samples[0].make(np.random.default_rng(0)))
    return ["d" * count, *(["D" * count] if loops.emission.complex and f"{'D' * count}->D" in getattr(scipy.special, name).types else [])]


CASES = [(name, letters) for name in LOOPS if "._" not in name for letters in letters_of(name)]
NAMES = [name for name, letters in CASES if letters == "d" * len(letters)]
_CHANCES = ("logit", "erfinv", "erfcinv", "ndtri", "gammaincinv", "gammainccinv", "betainc", "betaincc", "betaincinv", "stdtrit", "ellipk", "ellipe")
NICE = {**dict.fromkeys(_CHANCES, (0.05, 0.95)), "entr": (0.1, 3.0), "ndtri_exp": (-3.0, -0.1), "chdtri": (0.1, 0.9), "gdtrix": (0.1, 0.9)}
BY_THE_LAST = ("betainc", "betaincc", "betaincinv", "stdtr", "stdtrit", "jv", "yv", "iv", "kv")
"""They have a derivative with respect to their last operand."""
BY_THE_SHAPE = ("gammainc", "gammaincc", "gammaincinv", "gammainccinv", "chdtr", "chdtrc", "chdtri", "gdtr", "gdtrc", "gdtrix")
"""They have one with respect to their shapes as well, not a second one."""
OLDER = [*_CHANCES, *BY_THE_SHAPE, "erf", "erfc", "expit", "gamma", "gammaln", "digamma", "psi", "xlogy", "xlog1py", "entr", *BY_THE_LAST]


def operands(name, values):
    function = getattr(scipy.special, name)
    return tuple(np.ravel(grid) for grid in np.meshgrid(*[values[:: 1 if function.nin < 3 else 2]] * function.nin))


def called(name):
    function = getattr(scipy.special, name)
    return {1: lambda x: function(x), 2: lambda x, y: function(x, y), 3: lambda x, y, z: function(x, y, z), 4: lambda w, x, y, z: function(w, x, y, z)}[function.nin]


def grids(letters, dtype):
    """All combinations of values at edges; of three and more operands fewer, and not the largest, of which some of SciPy's functions never come back."""
    floats = EDGES.astype(dtype)[:: (1, 1, 2, 4)[len(letters) - 1]]
    floats = floats if len(letters) < 3 else floats[~(np.abs(floats) > 1e10)]
    numbers = {"d": np.arange(-4, 5) if dtype is np.int64 else floats, "l": np.arange(-2, 6), "D": COMPLEX.astype(np.complex64 if dtype is np.float32 else np.complex128)}
    return tuple(np.ravel(grid) for grid in np.meshgrid(*[numbers[letter] for letter in letters]))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "letters"), CASES)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
def test_values(name, letters, dtype):
    if dtype is np.int64 and (set(letters) != {"d"} or letters != letters_of(name)[0]):
        return
    with np.errstate(all="ignore"):
        args = grids(letters, dtype)
        wanted = getattr(scipy.special, name)(*args)
        found = s2s.jit(called(name), target="numpy")(*args)
    for one, other in zip(found, wanted, strict=True) if isinstance(wanted, tuple) else [(found, wanted)]:
        assert one.dtype == other.dtype
        if name in ("expm1", "log1p", "cbrt", "exp2"):  # NumPy's
            np.testing.assert_allclose(one, other, rtol=3e-16 if dtype is not np.float32 else 2e-7)
        else:
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("name", C_FUNCTIONS)
def test_c_functions_take_what_is_stated(name):
    """Cython says of each what C has: a wrong type here would be a wrong number there."""
    words = {"double": "d", "Py_ssize_t": "l", "__pyx_t_double_complex": "D", "double *": "*", "__pyx_t_double_complex *": "*", "void": "v", "int __pyx_skip_dispatch": ""}
    function = C_FUNCTIONS[name]
    result, taken = re.search(r'"(.*) \((.*)\)"', repr(cython_special.__pyx_capi__[function.symbol])).groups()
    assert words[result] == ("v" if function.parts else function.gives)
    assert "".join(words.get(each, "?") for each in taken.split(", ")) == function.takes + "*" * function.parts + "?" * function.optional


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


@pytest.mark.parametrize("name", dict.fromkeys(OLDER))
def test_derivatives(name):
    low, high = NICE.get(name, (0.2, 4.0))
    args = operands(name, np.random.default_rng(0).uniform(low, high, 3))
    function = called(name)
    if name in BY_THE_LAST:
        *shapes, x = args
        args, function = (x,), lambda x: called(name)(*shapes, x)
        whole = s2s.jit(called(name), target="numpy")
        with pytest.raises(s2s.UnsupportedError, match=f"the derivative of scipy.special.{name} with respect to .* is not supported"):
            s2s.grad(lambda a: np.sum(whole(a, *shapes[1:], x)))(shapes[0])
    if name != "gammasgn":
        s2s.check_grads(s2s.jit(function, target="numpy"), args, order=1 if name in BY_THE_SHAPE else 2, modes=("fwd", "rev"))


SECOND = {"exprel": (0.0, 1 / 3), "ellipk": (0.0, 9 * np.pi / 64), "ellipe": (0.0, -3 * np.pi / 64), "spence": (1.0, 0.5), "i1": (0.0, 0.0), "j1": (0.0, 0.0)}
THIRD = {"exprel": 1 / 4, "i1": 3 / 8, "j1": -3 / 8, "spence": -2 / 3}


@pytest.mark.parametrize("name", SECOND)
def test_derivatives_where_formulas_are_zero_over_zero(name):
    """At the point and as near to it as floats are: no digits are lost, at any order."""
    function = getattr(scipy.special, name)
    first = s2s.jit(lambda x: s2s.grad(lambda x: function(x))(x), target="numpy")
    at, second = SECOND[name]
    slopes = first(at), first(at + 1e-3), first(at + 1e-9), first(at + 1e-14)
    assert slopes[1] == pytest.approx(slopes[0] + 1e-3 * second, abs=2e-6)
    assert slopes[2:] == pytest.approx([slopes[0] + 1e-9 * second, slopes[0] + 1e-14 * second], abs=1e-15)
    for x in (at, at + 1e-10):
        assert s2s.grad(first)(x) == pytest.approx(second, abs=1e-9)
        if name in THIRD:
            assert s2s.grad(s2s.grad(first))(x) == pytest.approx(THIRD[name], abs=1e-8)


@pytest.mark.parametrize("name", [name for name, letters in CASES if letters == "ld"])
def test_derivatives_of_negative_orders(name):
    function = getattr(scipy.special, name)
    slope = s2s.jit(lambda n, x: s2s.grad(lambda x: np.sum(function(n, x)))(x), target="numpy")
    n, x = np.arange(-4, 4), np.full(8, 0.3)
    if name not in ("smirnov", "smirnovi"):
        with np.errstate(all="ignore"):
            np.testing.assert_allclose(slope(n, x), (function(n, x + 1e-6) - function(n, x - 1e-6)) / 2e-6, rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize(("name", "args", "slopes"), [
    ("rgamma", (0.0,), (1.0,)), ("rgamma", (-1.0,), (-1.0,)), ("rgamma", (-3.0,), (-6.0,)), ("rgamma", (-2.0 + 1e-9,), (2.0 - 4e-9 * 0.9227843350984671,)),
    ("berp", (0.0,), (0.0,)), ("beip", (0.0,), (0.5,)), ("berp", (0.0099,), (-3 / 16 * 0.0099**2,)), ("it2struve0", (0.0,), (-2 / np.pi,)), ("powm1", (-0.5, 2.0), (-1.0,)),
    ("agm", (0.3, 0.0), (0.0,)), ("elliprc", (0.3, -0.5), (0.64306847694006, 1.18267338141049)),
])  # fmt: skip
def test_derivatives_at_edges(name, args, slopes):
    """Where the formula that holds elsewhere is 0 / 0, or has poles that the function has not."""
    function = getattr(scipy.special, name)
    found = s2s.grad(lambda *args: function(*args), tuple(range(len(slopes))))(*args)
    np.testing.assert_allclose(found, slopes, rtol=1e-9, atol=1e-15)


def test_third_derivative_of_a_kelvin_function_at_0():
    np.testing.assert_allclose(s2s.grad(s2s.grad(s2s.grad(scipy.special.berp)))(0.0), -3 / 8, rtol=1e-12)
    np.testing.assert_allclose(s2s.grad(s2s.grad(scipy.special.rgamma))(0.0), 2 * np.euler_gamma, rtol=1e-12)


def test_logistic_functions_by_hand():
    x = np.array([-40.0, -1.0, 0.0, 3.0])
    p = scipy.special.expit(x)
    grad = s2s.grad(s2s.jit(lambda x: np.sum(scipy.special.expit(x)), target="numpy"))(x)
    np.testing.assert_allclose(grad, p * (1 - p), rtol=1e-15)


def test_functions_of_scipy_s_own_compiled():
    """Called by their addresses: a module that stands alone and comes from the cache does it, too."""
    s = scipy.special

    def f(x, p, a, b):
        inverse = s.erfinv(2 * p - 1), s.erfcinv(2 * p), s.ndtri(p), s.gammaincinv(a, p), s.gammainccinv(a, p), s.betaincinv(a, b, p), s.stdtrit(a, p), s.ndtri_exp(-a)
        normal = s.ndtr(x), s.log_ndtr(x), s.erfcx(x), s.erfi(x), s.dawsn(x), s.log_expit(x), s.stdtr(a, x)
        gammas = s.beta(a, b), s.betaln(a, b), s.gammainc(a, b), s.gammaincc(a, b), s.betainc(a, b, p), s.betaincc(a, b, p), s.binom(a + 4, b), s.poch(a, b), s.rgamma(x)
        waves = s.j0(x), s.j1(x), s.y0(a), s.y1(a), s.k0(a), s.k1(a), s.k0e(a), s.k1e(a), s.i0(x), s.i1(x), s.i0e(x), s.i1e(x), s.jv(b, a), s.yv(b, a), s.iv(b, a), s.kv(b, a)
        return (*inverse, *normal, *gammas, *waves, s.rel_entr(a, b), s.kl_div(a, b), s.expi(a), s.exp1(a), s.exprel(x), s.spence(a), s.ellipk(p), s.ellipe(p),
                s.zeta(a + 1.5, b), s.polygamma(2, a), s.loggamma(a), s.gammasgn(x), s.ndtri(p.astype(np.float32)))  # fmt: skip

    rng = np.random.default_rng(0)
    args = rng.normal(size=6), rng.uniform(0.05, 0.95, 6), rng.uniform(0.2, 3.0, 6), rng.uniform(0.2, 3.0, 6)
    compiled = s2s.jit(f)
    for found, wanted in zip(compiled(*args), f(*args), strict=True):
        assert found.dtype == wanted.dtype
        np.testing.assert_allclose(found, wanted, rtol=1e-6 if found.dtype == np.float32 else 1e-13)
    assert "types.ExternalFunction" in compiled.source(*args)


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


LONG = np.array([0.1] * 10 + [1e16, 1.0, -1e16])
OF_MATH = {
    "factorial": [(5,), (0,), (20,), (-1,), (2.0,)], "comb": [(50, 20), (5, 7), (0, 0), (61, 30), (-1, 2), (2, -1)], "perm": [(10, 3), (3, 10), (6,), (-1, 2)],
    "gcd": [(84, -36), (0, 0), (7,), (2.5, 4)], "lcm": [(84, -36), (0, 5), (7,), (4, 6, 10)], "isqrt": [(10**17 - 1,), (2**62,), (0,), (99,), (2**63 - 1,), (-1,)],
    "prod": [(LONG,), (np.arange(1, 5),)], "fsum": [(LONG,), (np.array([1e100, 1.0, -1e100, 1e-9]),), (np.array([]),), (np.array([np.inf, 1.0]),), (np.array([np.nan, 1.0]),)],
    "dist": [(LONG, LONG[::-1].copy()), (np.array([3e200, 4e200]), np.zeros(2)), (np.zeros(2), np.zeros(2)), (np.array([np.inf]), np.zeros(1))],
}  # fmt: skip


@pytest.mark.parametrize(("name", "args"), [(name, args) for name, cases in OF_MATH.items() for args in cases])
def test_of_math_with_several_numbers(name, args):
    function = getattr(math, name)
    f = s2s.jit(lambda *args: function(*args), target="numpy")
    try:
        wanted = function(*args)
    except (ValueError, TypeError) as error:
        with pytest.raises(type(error)) as found:
            f(*args)
        assert str(found.value).startswith(str(error).replace("an integer", ""))
        return
    with np.errstate(all="ignore"):
        found = f(*args)
    assert type(found) is type(wanted)
    np.testing.assert_allclose(found, wanted, rtol=1e-15)


def test_of_math_compiled():
    def f(x, y, n, k):
        return math.fsum(x), math.dist(x, y), math.gcd(n, k), math.comb(n, k), math.isqrt(n), math.prod([x[0], y[0], n]), math.fsum([x[0], n])

    args = LONG, LONG[::-1].copy(), 60, 8
    assert s2s.jit(f)(*args) == pytest.approx(f(*args), rel=1e-15)
    grad = s2s.grad(lambda x, y: math.fsum(x) ** 2 + math.dist(x, y), argnums=(0, 1))
    x, y = np.array([1.0, 2.0, -0.5]), np.array([0.3, 1.0, 2.0])
    np.testing.assert_allclose(grad(x, y)[0], 2 * np.sum(x) + (x - y) / math.dist(x, y))
    np.testing.assert_allclose(grad(x, y)[1], (y - x) / math.dist(x, y))


def parts_of(x, y, n):
    return math.frexp(x), math.ldexp(x, n), math.modf(x), math.nextafter(x, y), math.ulp(x), math.remainder(x, y), n.bit_length(), n.bit_count()


@pytest.mark.filterwarnings("ignore:overflow encountered")
@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_parts_of_floats_and_bits_of_ints(target):
    run = s2s.jit(parts_of, target=target)
    for x in (0.0, -0.0, 1.5, -2.5, 5e-324, 1.7976931348623157e308, 7.5):
        for y, n in ((5.0, 0), (-0.25, -37), (math.inf, 63)):
            if not (abs(x) > 1e300 and n > 0):
                assert repr(run(x, y, n)) == repr(parts_of(x, y, n))
    for args in ((1.0, 0.0, 1), (math.inf, 2.0, 1), (1e308, 2.0, 100)):
        with pytest.raises((ValueError, OverflowError), match=r"math (domain|range) error"):
            run(*args)
    s2s.check_grads(s2s.jit(lambda x, y: math.remainder(x, y) * math.ldexp(x, 2) + math.modf(x)[0] + math.frexp(y)[0], target=target), (7.3, 2.5), order=2)


def test_integers_beyond_64_bits():
    for f, args in ((lambda n, k: math.comb(n, k), (80, 40)), (lambda n, k: math.perm(n, k), (80, 40)), (lambda n, k: math.factorial(n + k), (15, 15))):
        with pytest.raises(OverflowError, match="integers of run time have 64 bits"):
            s2s.jit(f, target="numpy")(*args)


def test_what_has_no_row_is_refused_by_what_it_takes():
    with pytest.raises(s2s.UnsupportedError, match=r"scipy.special.elliprc of complex numbers is not supported"):
        s2s.jit(lambda x: scipy.special.elliprc(x, x), target="numpy")(np.ones(2) + 1j)
    with pytest.raises(s2s.UnsupportedError, match=r"scipy.special.yn of floats is not supported"):
        s2s.jit(lambda x: scipy.special.yn(x, x), target="numpy")(np.ones(2))


def complex_parts(z):
    s = scipy.special
    return *s.airy(z), *s.airye(z), *s.sici(z), *s.shichi(z), *s.fresnel(z), s.jve(1.5, z), s.yve(1.5, z), s.ive(1.5, z)


@pytest.mark.parametrize("target", ["numpy", pytest.param("cpu", marks=pytest.mark.slow)])
def test_functions_of_complex_numbers_with_several_results(target):
    rng = np.random.default_rng(5)
    z = rng.normal(size=6) + 1j * rng.normal(size=6)
    for found, wanted in zip(s2s.jit(complex_parts, target=target)(z), complex_parts(z), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-13, strict=True)


def zeta_of(x):
    return scipy.special.zeta(x)


@pytest.mark.parametrize("target", ["numpy", pytest.param("cpu", marks=pytest.mark.slow)])
def test_derivatives_of_riemanns_zeta(target):
    """At known points (NIST DLMF 25.6), and by differences."""
    first, second = s2s.jit(s2s.grad(zeta_of), target=target), s2s.jit(s2s.grad(s2s.grad(zeta_of)), target=target)
    apery = scipy.special.zeta(3.0)
    for x, wanted in ((0.0, -0.5 * math.log(2 * math.pi)), (-2.0, -apery / (4 * math.pi**2)), (2.0, -0.9375482543158437538), (-1.0, -0.1654211437004509)):
        assert first(x) == pytest.approx(wanted, rel=4e-13)
    assert second(2.0) == pytest.approx(1.98928023429890102342, rel=1e-14)
    assert second(0.0) == pytest.approx(-2.00635645590858485122, rel=1e-14)
    for x in (-20.1, -7.3, -1.0001, -0.5, 0.5, 1.01, 30.0):
        step = 1e-5 * max(1.0, abs(x)) if x != 1.01 else 1e-7
        assert first(x) == pytest.approx((scipy.special.zeta(x + step) - scipy.special.zeta(x - step)) / (2 * step), rel=1e-4)
        assert second(x) == pytest.approx((first(x + step) - first(x - step)) / (2 * step), rel=1e-5)


POLYNOMIALS = {
    "jacobi": lambda n, monic=False: scipy.special.jacobi(n, 0.5, 0.2, monic), "sh_jacobi": lambda n, monic=False: scipy.special.sh_jacobi(n, 1.5, 0.7, monic),
    "genlaguerre": lambda n, monic=False: scipy.special.genlaguerre(n, 0.5, monic), "gegenbauer": lambda n, monic=False: scipy.special.gegenbauer(n, 0.7, monic),
    **{name: getattr(scipy.special, name) for name in ("laguerre", "hermite", "hermitenorm", "chebyt", "chebyu", "legendre", "sh_legendre", "sh_chebyt", "sh_chebyu")},
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize("name", POLYNOMIALS)
def test_orthogonal_polynomials_are_objects(name):
    assert {f"scipy.special.{each}" for each in POLYNOMIALS} == {*ORTHOGONAL}
    function, x = POLYNOMIALS[name], np.array([0.2, 0.55, 0.8])
    for degree in (0, 1, 4):
        for monic in (False, True):
            def values(x, degree=degree, monic=monic):
                p = function(degree, monic=monic)
                return p(x), p.coef * x[0], p.order * x, p.deriv()(x), (p * p + 2.0)(x), *((p.weights * x[0],) if degree else ())

            for found, wanted in zip(s2s.jit(values, target="numpy")(x), values(x), strict=True):
                assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
                np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12)
    s2s.check_grads(s2s.jit(lambda x: function(4)(x), target="numpy"), (x,), order=2)
    np.testing.assert_allclose(s2s.jit(lambda n: function(n)(0.3), target="numpy")(3), function(3)(0.3), rtol=1e-12)


def test_errors_of_special_functions_are_let_pass():
    def passing(x):
        with scipy.special.errstate(all="ignore", domain="warn"):
            return scipy.special.gammaln(x)

    def raising(x):
        with scipy.special.errstate(all="raise"):
            return scipy.special.gammaln(x)

    def given(x, levels):
        with np.errstate(**levels):
            return np.log(x)

    assert s2s.jit(passing, target="numpy")(2.5) == passing(2.5)
    for f, args in ((raising, ()), (given, ({"all": "ignore"},))):
        with pytest.raises(s2s.UnsupportedError, match="a context that raises, or is looked at"):
            s2s.jit(f, target="numpy")(2.5, *args)


def test_words_name_the_library():
    with pytest.raises(s2s.UnsupportedError, match=r"scipy.special.erf\(…, where=…\) without out is not supported"):
        s2s.jit(lambda x: scipy.special.erf(x, where=x > 0), target="numpy")(np.ones(2))


def test_a_module_that_stands_alone_imports_scipy():
    text = s2s.jit(lambda scipy: erf(scipy), target="numpy").source(np.ones(2))  # noqa: PLW0108
    assert "import scipy.special" in text
    names = {}
    exec(compile(text, "module", "exec"), names)
    (function,) = (value for name, value in names.items() if name.endswith("_jit"))
    np.testing.assert_array_equal(function(np.ones(2)), erf(np.ones(2)))


erf = scipy.special.erf


def test_kolmogorov_is_flat_up_to_zero():
    x = np.array([-1.1, -0.5, 0.0, 0.6])
    slope = s2s.jvp(lambda x: scipy.special.kolmogorov(x), (x,), (np.ones(4),))[1]
    np.testing.assert_allclose(slope, [0.0, 0.0, 0.0, -1.324123244249925], rtol=1e-12)
    assert np.isnan(s2s.grad(lambda x: scipy.special.kolmogorov(x))(np.nan))
