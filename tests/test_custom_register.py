"""s2s.register: functions whose source can't be read, called from emitted code, with derivatives by rules."""
import os
import subprocess
import sys

import external_functions as ext
import numpy as np
import pytest
import scipy.special
from scipy import special

import s2s
from s2s import registry
from s2s.errors import ArgumentTypeError, ArgumentValueError, S2SError

X = np.linspace(1.0, 3.0, 5)
both_targets = pytest.mark.parametrize("target", ["numpy", "cpu"])


@pytest.fixture(autouse=True)
def _forget():
    yield
    registry.REGISTERED.clear()


@both_targets
def test_a_ufunc_of_scipy(target):
    s2s.register(special.gammaln, jvps=(lambda x_dot, ans, x: special.digamma(x) * x_dot,))
    s2s.register(special.digamma, jvps=(lambda x_dot, ans, x: special.polygamma(1, x) * x_dot,))
    s2s.register(special.polygamma, result=lambda n, x: x, jvp=None)

    def loss(x):
        return np.sum(special.gammaln(x) * 2.0) + special.gammaln(x[0])

    one = np.eye(5)[0]
    on = s2s.jit(loss, target=target)
    assert on(X) == pytest.approx(loss(X))
    np.testing.assert_allclose(s2s.grad(on)(X), special.digamma(X) * (2.0 + one))
    if target == "numpy":
        hessian = s2s.jvp(s2s.grad(on), (X,), (np.ones(5),))[1]
        np.testing.assert_allclose(hessian, special.polygamma(1, X) * (2.0 + one))
        with pytest.raises(S2SError, match="scipy.special.polygamma has no derivative rule"):
            s2s.grad(s2s.grad(s2s.grad(s2s.jit(_log_gamma, target=target))))(2.0)
    text = s2s.grad(on).source(X)
    assert "import scipy.special" in text and "s2s." not in text.split('"""', 2)[2].replace("s2s.register", "")


def _log_gamma(x):
    return special.gammaln(x)


@both_targets
def test_numba_and_c_functions_in_a_loop(target):
    s2s.register(ext.square_plus, result="elementwise", jvps=(lambda x_dot, ans, x: 20.0 * x * x_dot,))
    s2s.register(ext.cbrt, name="external_functions.cbrt", result=lambda x: 0.0, jvps=(lambda x_dot, ans, x: x_dot / (3.0 * ans ** 2),))

    def loss(x):
        total = np.sum(ext.square_plus(x))
        for i in range(len(x)):
            total += ext.square_plus(x[i]) * ext.cbrt(x[i])
        return total

    on = s2s.jit(loss, target=target)
    root = np.cbrt(X)
    assert on(X) == pytest.approx(np.sum(X * X + 1.0) + np.sum((X * X + 1.0) * root))
    np.testing.assert_allclose(s2s.grad(on)(X), 20.0 * X + 20.0 * X * root + (X * X + 1.0) / (3.0 * root ** 2))


@both_targets
def test_numba_versions_of_other_functions(target):
    s2s.register(special.gammaln, numba=ext.log_gamma, jvps=(lambda x_dot, ans, x: ans * x_dot,))
    s2s.register(ext.cube, result="elementwise")
    s2s.register(ext.prefix_sums, result=lambda a: a)
    loss = s2s.jit(lambda x: np.sum(special.gammaln(x) + x) + np.sum(special.gammaln(x)), target=target)
    np.testing.assert_allclose(s2s.grad(loss)(X), 2.0 * special.gammaln(X) + 1.0)
    assert ("objmode" in s2s.grad(loss).source(X)) is False
    others = s2s.jit(lambda x: ext.prefix_sums(ext.cube(x)), target=target)
    np.testing.assert_allclose(others(X), np.cumsum(X ** 3))


@both_targets
def test_array_valued_with_vjp(target):
    def solve_fwd(a, b):
        x = ext.solve(a, b)
        return x, (a, x)

    def solve_bwd(res, x_bar):
        a, x = res
        b_bar = ext.solve(a.T, x_bar)
        return -np.outer(b_bar, x), b_bar

    s2s.register(ext.solve, result=lambda a, b: np.empty(b.shape[0]), vjp=(solve_fwd, solve_bwd))
    on = s2s.jit(lambda a, b: np.sum(ext.solve(a, b) ** 2), target=target)
    a, b = np.eye(3) * 2.0 + 0.1, np.arange(3.0)
    a_bar, b_bar = s2s.grad(on, argnums=(0, 1))(a, b)
    x = np.linalg.solve(a, b)
    np.testing.assert_allclose(b_bar, np.linalg.solve(a.T, 2.0 * x))
    np.testing.assert_allclose(a_bar, -np.outer(b_bar, x))
    with pytest.raises(TypeError, match="can't apply forward-mode"):
        s2s.jvp(on, (a, b), (a, b))


@both_targets
def test_what_is_returned_is_checked(target):
    s2s.register(ext.three_zeros, result=lambda x: np.empty(2))
    with pytest.raises(TypeError, match=r"three_zeros was registered to return float64\[2\], but returned float64\[3\]"):
        s2s.jit(lambda x: ext.three_zeros(x), target=target)(X)
    s2s.register(ext.fails, result=lambda x: 0.0)
    with pytest.raises(FloatingPointError, match="from inside"):
        s2s.jit(lambda x: ext.fails(x) + 1.0, target=target)(X)


def test_linear_functions_need_a_transpose():
    s2s.register(ext.prefix_sums, result=lambda a: a, jvp=lambda primals, dots: (ext.prefix_sums(primals[0]), ext.prefix_sums(dots[0])))

    def loss(x):
        return np.sum(ext.prefix_sums(x) ** 2)

    assert s2s.jvp(s2s.jit(loss, target="numpy"), (X,), (X,))[1] == pytest.approx(2.0 * loss(X))
    with pytest.raises(TypeError, match="calls prefix_sums itself with what depends on the tangents"):
        s2s.grad(s2s.jit(loss, target="numpy"))(X)


def test_another_function_is_read_instead():
    s2s.register(ext.solve, like=lambda a, b: b / a[0, 0])
    f = s2s.grad(s2s.jit(lambda a, b: np.sum(ext.solve(a, b)), target="numpy"), argnums=1)
    np.testing.assert_allclose(f(np.eye(2) * 4.0, np.ones(2)), [0.25, 0.25])
    s2s.register(ext.solve, like=lambda a, b: b / a[1, 1] * 2.0)
    np.testing.assert_allclose(f(np.eye(2) * 4.0, np.ones(2)), [0.5, 0.5])


def test_a_registration_that_comes_later_is_noticed():
    f = s2s.jit(lambda a, b: np.sum(helper(a, b)) + np.sum(np.cbrt(b)), target="numpy")
    arguments = np.eye(2) * 4.0, np.ones(2)
    assert f(*arguments) == 8.0 + 2.0
    s2s.register(helper, like=lambda a, b: b)
    assert f(*arguments) == 2.0 + 2.0
    s2s.register(np.cbrt, like=lambda x: 3.0 * x)
    assert f(*arguments) == 2.0 + 6.0
    registry.REGISTERED.clear()
    assert f(*arguments) == 8.0 + 2.0


def test_a_registration_in_another_process(tmp_path):
    """The index keeps what was read without it, and with it."""
    (tmp_path / "later.py").write_text("import numpy as np\ndef helper(x):\n    return x * 2.0\ndef f(x):\n    return helper(x) + 1.0\ndef other(x):\n    return x * 10.0\n")
    script = "import s2s, later\n{}print(s2s.jit(later.f, target='numpy')(3.0))"
    environment = {**os.environ, "S2S_CACHE_DIR": str(tmp_path / "cache")}

    def run(first):
        return subprocess.run([sys.executable, "-c", script.format(first)], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True).stdout.strip()

    register = "s2s.register(later.helper, like=later.other)\n"
    assert [run(first) for first in ("", register, "")] == ["7.0", "31.0", "7.0"]


def helper(a, b):
    return a @ b


def test_float32_and_broadcasting():
    s2s.register(special.xlogy)
    f = s2s.jit(lambda x, y: special.xlogy(x, y), target="cpu")
    x, y = X.astype(np.float32), X[:3, None].astype(np.float32)
    got = f(x, y)
    assert got.dtype == np.float32
    np.testing.assert_allclose(got, special.xlogy(x, y), rtol=1e-6)
    assert f(x, 2.0).dtype == special.xlogy(x, 2.0).dtype


def test_errors():
    with pytest.raises(ArgumentTypeError, match="not said what"):
        s2s.register(ext.solve)
    with pytest.raises(ArgumentTypeError, match="callable"):
        s2s.register(3)
    with pytest.raises(ArgumentValueError, match="can't be imported"):
        s2s.register(lambda x: x, result="elementwise")
    with pytest.raises(ArgumentValueError, match="one of jvp"):
        s2s.register(ext.solve, result="elementwise", jvp=max, vjp=(max, max))
    with pytest.raises(ArgumentTypeError, match="several results"):
        s2s.register(np.modf)
    with pytest.raises(S2SError, match="register"):
        s2s.jit(lambda x: special.obl_cv(1.0, 2.0, x), target="numpy")(2.0)
    assert registry.public_name(scipy.special.gammaln) == "scipy.special.gammaln"
