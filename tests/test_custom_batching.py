"""custom_vmap and sequential_vmap: JAX's numbers (JAX 0.10.2) where it has any, and its errors."""
import numpy as np
import pytest

import s2s
from s2s import lax
from s2s.custom_batching import custom_vmap, sequential_vmap

pytestmark = pytest.mark.usefixtures("on_numpy")
X, Y = np.array([1.0, 2.0, 3.0]), np.array([10.0, 20.0, 30.0])


@custom_vmap
def f(x, y):
    return x + y


@f.def_vmap
def f_rule(axis_size, in_batched, xs, ys):
    if in_batched[0] and in_batched[1]:
        return xs * ys, True
    if in_batched[0]:
        return xs * 100.0 + ys + axis_size, True
    return ys - xs, True


def helper(a, b):
    return f(a, b) * 2.0


def looped(x, y):
    for _ in range(3):
        y = f(x, y)
    return y


def test_the_rule_stands_where_arguments_are_batched():
    np.testing.assert_array_equal(s2s.vmap(f)(X, Y), [10.0, 40.0, 90.0])
    np.testing.assert_array_equal(s2s.vmap(f, (0, None))(X, 1.0), [104.0, 204.0, 304.0])
    np.testing.assert_array_equal(s2s.vmap(f, (None, 0))(1.0, Y), [9.0, 19.0, 29.0])
    np.testing.assert_allclose(s2s.vmap(lambda x: f(x, 2.0) + f(np.sin(x), x))(X), [105.8414709848079, 206.81859485365138, 305.4233600241796])
    np.testing.assert_array_equal(s2s.vmap(lambda x, y: helper(x, y) + helper(x, 1.0))(X, Y), [228.0, 488.0, 788.0])
    np.testing.assert_array_equal(s2s.vmap(looped)(X, Y), [10.0, 160.0, 810.0])
    np.testing.assert_array_equal(s2s.vmap(lambda x: x * f(1.0, 2.0))(X), 3.0 * X)


def test_without_a_batch_it_is_the_function():
    assert f(1.0, 2.0) == 3.0
    assert s2s.jit(f)(1.0, 2.0) == 3.0
    assert s2s.grad(f)(1.0, 2.0) == 1.0
    assert s2s.jit(lambda x: x * helper(x, 1.0))(2.0) == 12.0


def test_nested_batches():
    np.testing.assert_array_equal(s2s.vmap(s2s.vmap(f, (None, 0)), (0, None))(X, Y), [[9.0, 19.0, 29.0], [8.0, 18.0, 28.0], [7.0, 17.0, 27.0]])
    np.testing.assert_array_equal(s2s.vmap(s2s.vmap(f))(X[None], Y[None]), [[10.0, 40.0, 90.0]])

    @s2s.vmap
    def inside(x):  # the outer batch, the inner one, and both
        return s2s.vmap(lambda y: f(x, 1.0) + f(y, 2.0) + f(x, y))(Y)

    wanted = (X * 100.0 + 1.0 + 3)[:, None] + (Y * 100.0 + 2.0 + 3)[None] + (Y[None] - X[:, None])
    np.testing.assert_array_equal(inside(X), wanted)


def test_derivatives_of_a_batch_are_those_of_the_rule():
    np.testing.assert_array_equal(s2s.grad(lambda x: np.sum(s2s.vmap(f)(x, Y)))(X), Y)
    found = s2s.jvp(lambda x: s2s.vmap(f)(x, Y), (X,), (Y,))
    np.testing.assert_array_equal(found[0], [10.0, 40.0, 90.0])
    np.testing.assert_array_equal(found[1], [100.0, 400.0, 900.0])
    np.testing.assert_array_equal(s2s.vmap(s2s.grad(f))(X, Y), Y)
    np.testing.assert_array_equal(s2s.vmap(lambda x, y: s2s.jvp(f, (x, y), (1.0, 1.0))[1])(X, Y), X + Y)


def test_an_example_that_goes_its_own_way_calls_the_function():
    np.testing.assert_array_equal(s2s.vmap(lambda x, y: f(x, y) if x > 1.5 else x)(X, Y), [1.0, 22.0, 33.0])


def test_containers_closures_and_collectives():
    scale = np.array([2.0, 3.0])

    @custom_vmap
    def g(p, k):
        return {"a": np.sum(p["w"] * scale) * k, "n": 1.0}

    @g.def_vmap
    def g_rule(axis_size, in_batched, p, k):
        assert axis_size == 3
        assert in_batched == [{"w": True}, False]
        return {"a": np.sum(p["w"] * scale, axis=1) * k, "n": 5.0}, {"a": True, "n": False}

    w = np.arange(6.0).reshape(3, 2)
    found = s2s.vmap(g, (0, None), {"a": 0, "n": None})({"w": w}, 2.0)
    np.testing.assert_array_equal(found["a"], 2.0 * (w @ scale))
    assert found["n"] == 5.0
    summed = s2s.vmap(lambda w: lax.psum(g({"w": w}, 2.0)["a"], "i"), axis_name="i", out_axes=None)(w)
    np.testing.assert_array_equal(summed, np.sum(2.0 * (w @ scale)))


def test_sequential_vmap_is_the_function():
    @sequential_vmap
    def root(a):
        x = a
        while abs(x * x - a) > 1e-12 * a:
            x = 0.5 * (x + a / x)
        return x

    np.testing.assert_allclose(s2s.vmap(root)(np.array([4.0, 9.0])), [2.0, 3.0])


def made_inside(x, y):
    """What `f` and `helper` do, made where it is called; the rule sees a local."""
    factor = 100.0

    @custom_vmap
    def own(a, b):
        return a + b

    @own.def_vmap
    def own_rule(axis_size, in_batched, xs, ys):
        if in_batched[0] and in_batched[1]:
            return xs * ys, True
        if in_batched[0]:
            return xs * factor + ys + axis_size, True
        return ys - xs, True

    return own(x, y) * 2.0 + own(b=x, a=1.0)


def made_outside(x, y):
    return helper(x, y) + f(1.0, x)


@pytest.mark.parametrize("seed", range(6))
def test_made_inside_it_is_the_same(seed):
    """In any batch, and in derivatives of it."""
    rng = np.random.default_rng(seed)
    axes = [(0, 0), (0, None), (None, 0), (1, 0), (0, -1)][seed % 5]
    size, other = int(rng.integers(1, 4)), int(rng.integers(1, 4))

    def drawn(axis):
        return rng.normal(size=other) if axis is None else rng.normal(size=(size, other) if axis == 0 else (other, size))

    x, y = map(drawn, axes)
    batches = [s2s.vmap(made, axes) for made in (made_inside, made_outside)]
    np.testing.assert_array_equal(batches[0](x, y), batches[1](x, y))
    np.testing.assert_array_equal(*(s2s.vmap(s2s.vmap(made), axes)(x, y) for made in (made_inside, made_outside)))
    np.testing.assert_allclose(*(s2s.grad(lambda x, batch=batch: np.sum(np.sin(batch(x, y))))(x) for batch in batches))
    np.testing.assert_allclose(*(s2s.jvp(batch, (x, y), (y if x.shape == y.shape else np.ones_like(x), np.cos(y)))[1] for batch in batches))
    np.testing.assert_array_equal(made_inside(x[..., 0], 2.0), s2s.jit(made_outside)(x[..., 0], 2.0))


def test_what_else_is_made_inside():
    @s2s.jit
    def several(x):
        double = custom_vmap(lambda v: 2.0 * v)
        double.def_vmap(lambda n, on, vs: (vs * n, True))
        rows = s2s.vmap(double)(x) + sequential_vmap(lambda v: v + 1.0)(x)

        @sequential_vmap
        def halved(v):
            while v > 1.0:
                v = 0.5 * v
            return v

        return rows, s2s.vmap(halved)(x), double(x[0])

    found = several(np.array([1.0, 5.0, 8.0]))
    np.testing.assert_array_equal(found[0], [5.0, 21.0, 33.0])
    np.testing.assert_array_equal(found[1], [1.0, 0.625, 1.0])
    assert found[2] == 2.0

    def without_a_rule(x):
        own = custom_vmap(lambda v: v)
        return own(x)

    with pytest.raises(AttributeError, match="No batching rule defined for custom_vmap function <lambda> using def_vmap."):
        s2s.vmap(without_a_rule)(X)


def ruled_twice():
    """The example of JAX's documentation: rules for batches and for reverse mode."""
    @s2s.custom_vjp
    @custom_vmap
    def g(x, y):
        return np.sin(x) * y

    @g.def_vmap
    def g_vmap_rule(axis_size, in_batched, xs, ys):
        return np.cos(xs) * ys, True

    def g_fwd(x, y):
        return g(x, y), (np.cos(x), np.sin(x), y)

    def g_bwd(res, bar):
        cos_x, sin_x, y = res
        return cos_x * bar * y, sin_x * bar

    g.defvjp(g_fwd, g_bwd)
    return g


def test_rules_for_batches_and_for_derivatives():
    g = ruled_twice()
    np.testing.assert_array_equal(s2s.vmap(g)(np.zeros(3), np.ones(3)), np.ones(3))
    assert s2s.grad(g)(0.0, 1.0) == 1.0
    np.testing.assert_allclose(s2s.vmap(g)(X, Y), np.cos(X) * Y)
    np.testing.assert_allclose(s2s.vmap(s2s.grad(g))(X, Y), np.cos(X) * Y)
    np.testing.assert_allclose(s2s.grad(lambda x: np.sum(s2s.vmap(g)(x, Y) ** 2))(X), 2.0 * np.cos(X) * Y * np.cos(X) * Y)
    np.testing.assert_allclose(s2s.vmap(lambda x, y: ruled_twice_inside(x, y))(X, Y), np.cos(X) * Y)
    np.testing.assert_allclose(s2s.vmap(s2s.vmap(g), (0, None))(X[:, None], Y[:1]), np.cos(X)[:, None] * Y[:1])

    @s2s.custom_jvp
    @custom_vmap
    def h(x):
        return x

    @h.def_vmap
    def h_rule(axis_size, in_batched, xs):
        return 10.0 * xs, True

    h.defjvp(lambda primals, tangents: (h(*primals), 7.0 * h(tangents[0])))
    np.testing.assert_allclose(s2s.vmap(h)(X), 10.0 * X)
    np.testing.assert_allclose(s2s.jvp(s2s.vmap(h), (X,), (Y,)), (10.0 * X, 70.0 * Y))
    np.testing.assert_allclose(s2s.vmap(s2s.checkpoint(h))(X), 10.0 * X)


def test_in_a_solver_each_example_calls_the_function():
    @custom_vmap
    def times(x):
        return 2.0 * x

    @times.def_vmap
    def times_rule(axis_size, in_batched, xs):
        return 2.0 * xs, True

    def solved(b):
        return lax.custom_linear_solve(times, b, lambda matvec, b: b / 2.0, symmetric=True)

    np.testing.assert_allclose(s2s.vmap(solved)(X), X / 2.0)
    np.testing.assert_allclose(s2s.grad(lambda b: np.sum(s2s.vmap(solved)(b) ** 2))(X), X / 2.0)
    np.testing.assert_allclose(s2s.vmap(lambda x: s2s.linear_call(lambda w, x: times(x), lambda w, bar: 2.0 * bar, 1.0, x))(X), 2.0 * X)


def ruled_twice_inside(x, y):
    @s2s.custom_vjp
    @custom_vmap
    def g(x, y):
        return np.sin(x) * y

    @g.def_vmap
    def g_vmap_rule(axis_size, in_batched, xs, ys):
        return np.cos(xs) * ys, True

    g.defvjp(lambda x, y: (g(x, y), (x, y)), lambda kept, bar: (kept[0] * bar, kept[1] * bar))
    return g(x, y)


def test_compiled_rules():
    np.testing.assert_array_equal(s2s.vmap(looped)(X, Y), [10.0, 160.0, 810.0])
    np.testing.assert_array_equal(s2s.vmap(made_inside)(X, Y), s2s.vmap(made_outside)(X, Y))


def h(p):
    return p


ERRORS = [
    (None, AttributeError, "No batching rule defined for custom_vmap function h using def_vmap."),
    (lambda n, b, p: p, ValueError, "must return a pair"),
    (lambda n, b, p: (p, p), TypeError, "must say of each result whether it is batched"),
    (lambda n, b, p: (p, (True, True)), ValueError, "structure of output value and output batching specification returned by custom vmap rule .* do not match"),
    (lambda n, b, p: ((p, p), (True, True)), ValueError, "structure of output returned by custom vmap rule .* does not match that of original custom-vmapped function"),
    (lambda n, b, p: (p[:2], True), ValueError, "is said to be batched, and has 2 examples instead of 3"),
    (lambda n, b, p: (np.sum(p), True), ValueError, "is a number, and said to be batched"),
]


@pytest.mark.parametrize(("rule", "error", "words"), ERRORS)
def test_errors(rule, error, words):
    function = custom_vmap(h)
    if rule is not None:
        function.def_vmap(rule)
    with pytest.raises(error, match=words):
        s2s.vmap(function)(X)
