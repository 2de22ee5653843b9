"""jit and the derivatives as a user calls them: containers, mutation, dtypes, exceptions, JAX's errors."""
from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

import s2s


class Layer(NamedTuple):
    weights: Any
    bias: Any


@dataclass
class State:
    position: Any
    speed: Any


def same(got: Any, want: Any) -> None:
    """Equal values, dtypes, containers and Python types."""
    got_leaves, got_tree = s2s.tree_util.tree_flatten(got)
    want_leaves, want_tree = s2s.tree_util.tree_flatten(want)
    assert got_tree == want_tree
    for a, b in zip(got_leaves, want_leaves, strict=True):
        assert type(a) is type(b), (a, b)
        if isinstance(b, (np.ndarray, np.generic)):
            assert a.dtype == b.dtype
        np.testing.assert_allclose(a, b, rtol=1e-13)


def affine(w, x, b):
    return w * x + b


def pair(state, scale):
    return {"energy": state["p"] * scale, "rest": (state["q"], [scale])}


def layers(stack, x):
    for layer in stack:
        x = layer.weights @ x + layer.bias
    return x


def move(state, step):
    return State(state.position + step * state.speed, state.speed)


def double_in_place(u):
    for i in range(len(u)):
        u[i] *= 2.0
    return u[0]


def add_into(u, v):
    for i in range(len(u)):
        u[i] += v[i]
    return 0.0


def power(x, n):
    for _ in range(n):
        x = x * x
    return x


def named(x, mode="sin"):
    if mode == "sin":
        return np.sin(x)
    return np.cos(x)


TARGETS = ["numpy", "cpu"]
rng = np.random.default_rng(0)


# ---- jit ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "args",
    [
        (rng.random(4), rng.random(4), rng.random(4)),
        (2.0, rng.random(4), 1),
        (rng.random(3).astype(np.float32), np.float32(2), 1.5),
        (np.float64(2), 3.0, 1),
        (2.0, 3.0, 1),
        (2, 3, 1),
        (np.arange(3), 2, np.int64(1)),
        (rng.random((3, 1)), rng.random(4), 1.0),
        (rng.random((3, 4))[::2, ::3], rng.random((2, 2)).T, np.array(2.0)),
        (1j, rng.random(3), 1.0),
        (True, 2.0, np.bool_(True)),
        (np.zeros((0, 3)), 1.0, 2.0),
    ],
)
def test_values_and_dtypes_are_numpys(target: str, args: tuple[Any, ...]) -> None:
    same(s2s.jit(affine, target=target)(*args), affine(*args))


@pytest.mark.parametrize("target", TARGETS)
def test_containers(target: str) -> None:
    state = {"q": np.arange(3.0), "p": rng.random(3)}
    same(s2s.jit(pair, target=target)(state, 2.0), pair(state, 2.0))
    stack = [Layer(rng.random((2, 3)), rng.random(2)), Layer(rng.random((4, 2)), rng.random(4))]
    same(s2s.jit(layers, target=target)(stack, rng.random(3) * 0 + 1), layers(stack, np.ones(3)))
    same(s2s.jit(move, target=target)(State(rng.random(3) * 0, np.ones(3)), 0.5), move(State(np.zeros(3), np.ones(3)), 0.5))


def test_a_new_shape_is_the_same_module() -> None:
    f = s2s.jit(affine, target="numpy")
    assert f.source(np.ones(3), np.ones(3), 1.0) == f.source(np.ones(30), np.ones(30), 1.0)
    assert f.source(np.ones(3), np.ones(3), 1.0) != f.source(np.ones(1), np.ones(3), 1.0)


def test_sizes_that_turn_out_to_be_stretched() -> None:
    def shorter(u, v):
        return u[1:] + v

    f = s2s.jit(shorter, target="numpy")
    u, v = np.arange(5.0), np.arange(4.0)
    same(f(u, v), shorter(u, v))
    same(f(u[:2], v), shorter(u[:2], v))
    same(f(u, v), shorter(u, v))
    same(f(u[:2], v), shorter(u[:2], v))
    with pytest.raises(ValueError, match="operands could not be broadcast"):
        f(u, np.arange(3.0))
    modules = len(f.emitted())
    for size in range(6, 12):  # other sizes are served by the first module
        same(f(np.arange(size + 1.0), np.arange(float(size))), shorter(np.arange(size + 1.0), np.arange(float(size))))
    assert len(f.emitted()) == modules


def test_a_length_that_changes_from_1_in_a_loop_is_refused() -> None:
    def grown(u, v, n):
        for _ in range(n):
            u = u + v
        return u

    f = s2s.jit(grown, target="numpy")
    for u, v in ((np.ones((2, 1)), np.arange(3.0)), (np.ones(3), np.ones(1)), (np.ones((2, 1)), np.ones((2, 1)))):
        try:
            same(f(u, v, 2), grown(u, v, 2))
        except s2s.UnsupportedError as error:
            assert u.shape != v.shape and "in some trips of a loop" in str(error)
    with pytest.raises(ValueError, match="operands could not be broadcast"):
        f(np.ones(4), np.ones(3), 2)


def test_a_size_that_a_helper_returns_and_that_is_known_by_then() -> None:
    def grown(u, v, k, n):
        for _ in range(n):
            u = u + v[k:]
        return u

    def loss(u, v, k, n):
        return np.sum(grown(u, v, k, n) * u)

    u = np.array([[1.0], [2.0]])
    same(s2s.grad(s2s.jit(loss, target="numpy"))(u, np.array([0.5]), 0, 2), 2 * u + 1.0)


def test_decorator_forms_and_metadata() -> None:
    @s2s.jit
    def plain(x):
        """Twice."""
        return x + x

    @s2s.jit(target="numpy")
    def with_options(x):
        return x + x

    assert (plain.__name__, plain.__doc__) == ("plain", "Twice.")
    assert with_options(2.0) == 4.0
    assert plain(x=3.0) == 6.0
    assert "jit" in repr(plain)


def test_keywords_defaults_and_star() -> None:
    def many(x, *rest, scale=2.0, **more):
        for item in rest:
            x = x + item
        return x * scale + more["shift"]

    f = s2s.jit(many, target="numpy")
    same(f(1.0, 2.0, np.ones(3), shift=1), many(1.0, 2.0, np.ones(3), shift=1))
    same(f(1.0, shift=1, scale=np.float32(3)), many(1.0, shift=1, scale=np.float32(3)))
    with pytest.raises(TypeError, match="x"):
        f(shift=1)


def test_static_arguments() -> None:
    f = s2s.jit(power, static_argnums=1, target="numpy")
    assert f(3.0, 2) == 81.0
    assert f(3.0, n=1) == 9.0
    assert s2s.jit(power, static_argnames="n", target="numpy")(3.0, 3) == 3.0**8
    assert s2s.grad(f)(3.0, 1) == 6.0
    g = s2s.jit(named, target="numpy")
    same(g(1.0), np.sin(1.0))
    same(g(1.0, "cos"), np.cos(1.0))
    same(g(1.0, mode="sin"), np.sin(1.0))
    with pytest.raises(ValueError, match="hash"):
        f(3.0, [1])
    with pytest.raises(ValueError, match="static_argnames"):
        s2s.jit(power, static_argnames="m")


def test_one_and_one_point_zero_are_different_statics() -> None:
    f = s2s.jit(affine, static_argnums=1, target="numpy")
    same(f(2, 1, 0), 2)
    same(f(2, 1.0, 0), 2.0)
    same(f(2, True, 0), 2)


def test_bound_methods() -> None:
    @dataclass
    class Model:
        scale: Any

        @s2s.jit(target="numpy")
        def apply(self, x):
            return self.scale * x

    same(Model(np.arange(3.0)).apply(2.0), 2.0 * np.arange(3.0))


@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_arguments_that_can_not_be_used() -> None:
    f = s2s.jit(affine, target="numpy")
    with pytest.raises(TypeError, match="argument x has the dtype (longdouble|float128)"):
        f(1.0, np.ones(3, np.longdouble), 1.0)
    with pytest.raises(TypeError, match="byte order"):
        f(1.0, np.ones(3, ">f8"), 1.0)
    with pytest.raises(TypeError, match="object"):
        f(np.array([1, "a"], object), 1.0, 1.0)
    with pytest.raises(TypeError, match="matrix"):
        f(np.matrix([[1.0]]), 1.0, 1.0)
    with pytest.raises(TypeError, match="argument b_0 of type object"):
        f(1.0, 1.0, (object(),))
    with pytest.raises(ValueError, match="64 bits"):
        f(2**70, 1, 1)
    with pytest.raises(TypeError, match="missing a required argument: 'b'"):
        f(1.0, 2.0)
    with pytest.raises(TypeError, match="callable"):
        s2s.jit(3)


def test_errors_in_user_code_are_raised_as_python_raises_them() -> None:
    def checked(x):
        if x < 0.0:
            raise ValueError("negative")
        return np.sqrt(x)

    f = s2s.jit(checked)
    same(f(4.0), np.float64(2.0))
    with pytest.raises(ValueError, match=r"^negative$"):
        f(-1.0)


# ---- mutation -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", TARGETS)
def test_the_callers_array_is_changed(target: str) -> None:
    f = s2s.jit(double_in_place, target=target)
    for u in (np.arange(1.0, 5.0), np.arange(1.0, 9.0)[::2], np.arange(1.0, 5.0)):
        want, array = u * 2.0, u
        same(f(array), np.float64(2.0))
        np.testing.assert_array_equal(array, want)


@pytest.mark.parametrize("target", TARGETS)
def test_read_only_arrays(target: str) -> None:
    u = np.arange(3.0)
    u.flags.writeable = False
    with pytest.raises(ValueError, match="assignment destination is read-only"):
        s2s.jit(double_in_place, target=target)(u)
    same(s2s.jit(affine, target=target)(u, u, 1.0), affine(u, u, 1.0))
    assert not u.flags.writeable


@pytest.mark.parametrize("target", TARGETS)
def test_arguments_that_are_the_same_array(target: str) -> None:
    f = s2s.jit(add_into, target=target)
    u, v = np.arange(4.0), np.ones(4)
    f(u, v)
    np.testing.assert_array_equal(u, np.arange(4.0) + 1)
    f(u, u)
    np.testing.assert_array_equal(u, 2 * (np.arange(4.0) + 1))
    f(u, v)
    np.testing.assert_array_equal(u, 2 * (np.arange(4.0) + 1) + 1)
    with pytest.raises(ValueError, match=r"share memory.*u and v"):
        f(u[1:], u[:-1])


def test_a_failed_check_leaves_the_arrays_as_they_were() -> None:
    def bump(u, v):
        for i in range(len(u)):
            u[i] += 1.0
        return u[1:] + v

    f = s2s.jit(bump, target="numpy")
    u = np.zeros(5)
    f(u, np.zeros(4))
    u = np.zeros(2)
    same(f(u, np.arange(4.0)), np.ones(1) + np.arange(4.0))
    np.testing.assert_array_equal(u, np.ones(2))


# ---- hidden inputs and guards ---------------------------------------------------------------------------------------

RATE = 2.0
TABLE = np.arange(3.0)
SIZES = [1, 2]


def helper(x):
    return x * 2.0


def uses_globals(x):
    return helper(x) * RATE + TABLE


def uses_list(x):
    for size in SIZES:
        x = x + size
    return x


def test_hidden_inputs_are_read_at_each_call(monkeypatch: pytest.MonkeyPatch) -> None:
    f, x = s2s.jit(uses_globals, target="numpy"), np.ones(3)
    same(f(x), uses_globals(x))
    monkeypatch.setitem(globals(), "RATE", 3.0)
    same(f(x), uses_globals(x))
    TABLE[0] = 5.0
    same(f(x), uses_globals(x))
    monkeypatch.setitem(globals(), "TABLE", np.arange(3))
    same(f(x), uses_globals(x))
    monkeypatch.setitem(globals(), "RATE", 3)
    same(f(x), uses_globals(x))
    monkeypatch.setitem(globals(), "helper", lambda x: x - 1.0)
    same(f(x), uses_globals(x))


def test_a_changed_static_container_is_noticed() -> None:
    f = s2s.jit(uses_list, target="numpy")
    same(f(1.0), 4.0)
    SIZES.append(3)
    try:
        same(f(1.0), 7.0)
    finally:
        SIZES.pop()
    same(f(1.0), 4.0)


def test_closures() -> None:
    def make(rate):
        @s2s.jit(target="numpy")
        def scaled(x):
            return rate * x

        def change(value):
            nonlocal rate
            rate = value

        return scaled, change

    scaled, change = make(2.0)
    assert scaled(3.0) == 6.0
    change(5.0)
    assert scaled(3.0) == 15.0
    change(np.arange(2.0))
    same(scaled(3.0), np.arange(2.0) * 3.0)


# ---- derivatives ----------------------------------------------------------------------------------------------------


def loss(params, x):
    return np.sum((params["w"] * x + params["b"]) ** 2)


def with_aux(w, x):
    y = w * x
    return np.sum(y * y), {"y": y, "n": 3}


@pytest.mark.parametrize("target", TARGETS)
def test_grad(target: str) -> None:
    f = s2s.jit(loss, target=target)
    params, x = {"w": rng.random(3), "b": 0.5}, rng.random(3)
    residual = params["w"] * x + params["b"]
    want = {"w": 2 * residual * x, "b": np.sum(2 * residual)}
    got = s2s.grad(f)(params, x)
    np.testing.assert_allclose(got["w"], want["w"])
    assert isinstance(got["b"], float)
    np.testing.assert_allclose(got["b"], want["b"])
    value, (by_params, by_x) = s2s.value_and_grad(f, argnums=(0, 1))(params, x)
    same(value, loss(params, x))
    np.testing.assert_allclose(by_x, 2 * residual * params["w"])
    np.testing.assert_allclose(by_params["w"], want["w"])
    np.testing.assert_allclose(s2s.grad(f, argnums=-1)(params, x), by_x)


def test_aux() -> None:
    w, x = rng.random(3), rng.random(3)
    f = s2s.jit(with_aux, target="numpy")
    got, aux = s2s.grad(f, has_aux=True)(w, x)
    np.testing.assert_allclose(got, 2 * w * x * x)
    same(aux, {"y": w * x, "n": 3})
    (value, aux), got = s2s.value_and_grad(f, has_aux=True)(w, x)
    same(value, np.sum((w * x) ** 2))
    out, pullback, aux = s2s.vjp(f, w, x, has_aux=True)
    same(out, value)
    np.testing.assert_allclose(pullback(np.float64(2.0))[0], 2 * got)
    out, out_dot, aux = s2s.jvp(f, (w, x), (np.ones(3), np.zeros(3)), has_aux=True)
    np.testing.assert_allclose(out_dot, np.sum(got))


def test_nesting() -> None:
    def cube(x):
        return x * x * x

    np.testing.assert_allclose(s2s.grad(s2s.grad(s2s.jit(cube, target="numpy")))(2.0), 12.0)
    np.testing.assert_allclose(s2s.jit(s2s.grad(cube), target="numpy")(2.0), 12.0)

    @s2s.jit(target="numpy")
    def user_of_grad(x):
        return s2s.grad(cube)(x) + 1.0

    np.testing.assert_allclose(user_of_grad(2.0), 13.0)
    np.testing.assert_allclose(s2s.jvp(s2s.grad(s2s.jit(cube, target="numpy")), (2.0,), (1.0,)), (12.0, 12.0))


def quadratic(p, x):
    return np.sum((p["w"] * x + p["b"]) ** 2) * RATE


def train(p, x, steps):
    for _ in range(steps):
        value, gradient = s2s.value_and_grad(quadratic)(p, x)
        p = s2s.tree_util.tree_map(lambda a, b: a - 0.01 * b, p, gradient)
    return p, value


def cubic(x):
    return x * x * x


def newton(x):
    for _ in range(20):
        value, slope = s2s.jvp(cubic, (x,), (1.0,))
        x = x - (value - 8.0) / slope
    return x


@pytest.mark.parametrize("target", TARGETS)
def test_transformations_inside_the_users_code(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    f = s2s.jit(train, target=target)
    p, x = {"w": np.ones(3), "b": np.float64(0.5)}, np.arange(3.0)
    with s2s.disable_jit():
        want = train(p, x, 3)
    same(f(p, x, 3), want)
    monkeypatch.setitem(globals(), "RATE", 1.0)
    with s2s.disable_jit():
        want = train(p, x, 3)
    same(f(p, x, 3), want)
    np.testing.assert_allclose(s2s.jit(newton, target=target)(3.0), 2.0)


def test_jvp_and_vjp() -> None:
    f = s2s.jit(pair, target="numpy")
    state, dots = {"q": np.arange(3.0), "p": rng.random(3)}, {"q": np.ones(3), "p": rng.random(3)}
    out, out_dot = s2s.jvp(f, (state, 2.0), (dots, 0.5))
    same(out, pair(state, 2.0))
    np.testing.assert_allclose(out_dot["energy"], dots["p"] * 2.0 + state["p"] * 0.5)
    np.testing.assert_allclose(out_dot["rest"][1][0], 0.5)
    out, pullback = s2s.vjp(f, state, 2.0)
    same(out, pair(state, 2.0))
    for scale in (1.0, 3.0):
        state_bar, scale_bar = pullback({"energy": np.full(3, scale), "rest": (np.zeros(3), [1.0])})
        np.testing.assert_allclose(state_bar["p"], 2.0 * scale * np.ones(3))
        np.testing.assert_allclose(scale_bar, 1.0 + scale * np.sum(state["p"]))
    with pytest.raises(ValueError, match="unexpected tree structure"):
        pullback(1.0)
    with pytest.raises(ValueError, match=r"expected float64\[3\]"):
        pullback({"energy": np.ones(4), "rest": (np.zeros(3), [1.0])})


def test_derivatives_do_not_change_arguments() -> None:
    def smooth(u):
        for i in range(1, len(u)):
            u[i] = u[i] * u[i - 1]
        return np.sum(u)

    u = np.arange(1.0, 5.0)
    s2s.grad(s2s.jit(smooth, target="numpy"))(u)
    np.testing.assert_array_equal(u, np.arange(1.0, 5.0))


def test_jaxs_errors() -> None:
    f = s2s.jit(affine, target="numpy")
    x = np.ones(3)
    with pytest.raises(TypeError, match="real- or complex-valued inputs"):
        s2s.grad(f)(1, 2.0, 3.0)
    with pytest.raises(TypeError, match="real-valued outputs"):
        s2s.grad(f)(1j, 2.0, 3.0)
    with pytest.raises(TypeError, match=r"scalar-output functions. Output had shape: \(n,\)"):
        s2s.grad(f)(x, 2.0, 3.0)
    with pytest.raises(TypeError, match="scalar-output functions"):
        s2s.grad(s2s.jit(pair, target="numpy"))({"p": 1.0, "q": 2.0}, 1.0)
    with pytest.raises(TypeError, match="at least 4 positional"):
        s2s.grad(f, argnums=3)(1.0, 2.0, 3.0)
    with pytest.raises(TypeError, match="argnums"):
        s2s.grad(f, argnums="x")
    with pytest.raises(TypeError, match="tuples or lists"):
        s2s.jvp(f, x, x)
    with pytest.raises(TypeError, match="same tree structure"):
        s2s.jvp(f, (1.0, 2.0, 3.0), (1.0, 2.0))
    with pytest.raises(TypeError, match="expected tangent dtype float64, but got tangent dtype float32"):
        s2s.jvp(f, (x, 2.0, 3.0), (x.astype(np.float32), 1.0, 1.0))
    with pytest.raises(TypeError, match="float0"):
        s2s.jvp(f, (1, 2.0, 3.0), (1, 1.0, 1.0))
    with pytest.raises(ValueError, match="different primal and tangent shapes"):
        s2s.jvp(f, (x, 2.0, 3.0), (np.ones(4), 1.0, 1.0))


def test_integer_arguments() -> None:
    float0 = np.zeros((), [("float0", "V")])
    out, out_dot = s2s.jvp(s2s.jit(power, target="numpy"), (3.0, 2), (1.0, float0))
    np.testing.assert_allclose((out, out_dot), (81.0, 4 * 27.0))
    out, pullback = s2s.vjp(s2s.jit(power, target="numpy"), 3.0, 2)
    x_bar, n_bar = pullback(1.0)
    np.testing.assert_allclose(x_bar, 108.0)
    assert n_bar.dtype == float0.dtype


# ---- showing, disabling ---------------------------------------------------------------------------------------------


def test_source_and_program() -> None:
    g = s2s.grad(s2s.jit(loss, target="numpy"))
    params, x = {"w": rng.random(3), "b": 0.5}, rng.random(3)
    text = g.source(params, x)
    assert "def loss_grad(params, x):" in text
    assert "Gradient of loss(params, x) with respect to params." in text
    assert "_entry" not in text
    compile(text, "loss_grad.py", "exec")
    assert str(g.program(params, x)).startswith("def loss")


def test_tracebacks_show_the_generated_line() -> None:
    import traceback

    def guarded(x):
        if x > 1.0:
            raise ValueError("too large")
        return x

    with pytest.raises(ValueError, match="too large") as caught:
        s2s.jit(guarded, target="numpy")(2.0)
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert any("raise ValueError" in (frame.line or "") and frame.filename.endswith(".py") for frame in frames)


def test_disable_jit() -> None:
    calls = []

    def spied(x):
        calls.append(type(x))
        return x * x

    f = s2s.jit(spied)
    with s2s.disable_jit():
        assert f(3.0) == 9.0
        assert calls == [float]
        assert s2s.grad(power)(3.0, 1) == 6.0
        assert "njit" not in s2s.grad(power).source(3.0, 1)
    assert "njit" in s2s.grad(power).source(3.0, 1)


def test_partials_and_lambdas() -> None:
    same(s2s.jit(functools.partial(affine, 2.0), target="numpy")(3.0, 1.0), 7.0)
    same(s2s.jit(lambda x: x + 1.0, target="numpy")(3.0), 4.0)


def test_threads() -> None:
    from concurrent.futures import ThreadPoolExecutor

    f, x = s2s.jit(affine), np.arange(100.0)
    with ThreadPoolExecutor(4) as pool:
        for result in pool.map(lambda k: f(float(k), x, 1.0), range(40)):
            assert result.shape == (100,)


# ---- classes --------------------------------------------------------------------------------------------------------


class Box:
    """A class that its user registers."""

    def __init__(self, inside: Any, power: Any) -> None:
        self.inside, self.power = inside, power


s2s.tree_util.register_pytree_node(Box, lambda box: ((box.inside,), box.power), lambda power, children: Box(children[0], power))


@dataclass
class Tagged:
    value: Any
    tag: str


s2s.tree_util.register_dataclass(Tagged, meta_fields=("tag",))


def boxed(box):
    return box.inside**box.power


def tagged(item):
    return Tagged(item.value * (2.0 if item.tag == "twice" else 3.0), item.tag)


def test_registered_classes() -> None:
    f = s2s.jit(boxed, target="numpy")
    for power in (2, 3, 2, True, 1, True):
        assert f(Box(3.0, power)) == 3.0**power
    got = s2s.grad(f)(Box(3.0, 2))
    assert (type(got), got.inside, got.power) == (Box, 6.0, 2)


def test_meta_fields() -> None:
    f = s2s.jit(tagged, target="numpy")
    for tag in ("twice", "thrice", "twice"):
        assert f(Tagged(1.0, tag)) == tagged(Tagged(1.0, tag))


def test_containers_that_programs_do_not_have() -> None:
    from collections import deque

    with pytest.raises(TypeError, match="deque"):
        s2s.jit(layers, target="numpy")(deque([1.0]), 2.0)


class Model:
    def __init__(self) -> None:
        self.weights, self.power = np.arange(3.0), 2

    def __call__(self, x):
        return self.weights * x**self.power

    def shifted(self, x):
        return self.weights * x + self.power


@pytest.mark.parametrize("name", ["__call__", "shifted"])
def test_objects_attributes_are_read_at_each_call(name: str) -> None:
    model = Model()
    f = s2s.jit(model if name == "__call__" else model.shifted, target="numpy")
    same(f(2.0), getattr(model, name)(2.0))
    model.weights[:] = 7.0
    same(f(2.0), getattr(model, name)(2.0))
    model.weights = np.ones(4)
    same(f(2.0), getattr(model, name)(2.0))
    model.power = 5
    same(f(2.0), getattr(model, name)(2.0))


def test_results_are_the_callers_arrays() -> None:
    def same_array(x):
        return x, x.T, x[1:], x

    x = np.ones((2, 3))
    for target in TARGETS:
        results = s2s.jit(same_array, target=target)(x)
        same(results, same_array(x))
        assert results[0] is x and results[3] is x and all(each.base is x for each in results[1:3])


def test_names_that_modules_use_themselves() -> None:
    def clash(max, np_, index):  # noqa: A002
        return max + np_ * index

    same(s2s.jit(clash)(np.ones(3), 2.0, index=3), clash(np.ones(3), 2.0, 3))


def test_static_arguments_among_those_that_a_star_takes():
    def scaled(x, *rest):
        return x * rest[1] if rest[0] == "times" else x

    f = s2s.jit(scaled, static_argnums=1, target="numpy")
    assert (f(2.0, "times", 3.0), f(2.0, "alone", 3.0), s2s.grad(f)(2.0, "times", 3.0)) == (6.0, 2.0, 3.0)
    with pytest.raises(ValueError, match="only accepts 1 positional"):
        s2s.jit(scaled, static_argnums=-1)


@pytest.mark.parametrize(("argument", "words", "instead"), [
    (np.zeros(3, np.longdouble), "has the dtype float128", "x.astype('float64')"),
    (np.zeros(2, [("a", float)]), r"is a structured array \(\[\('a', '<f8'\)\]\)", "its fields"), (np.zeros(2, "datetime64[D]"), r"holds dates \(datetime64\[D\]\)", "timedelta64"),
    (np.zeros(2, "timedelta64[s]"), "holds spans of time", "timedelta64"), (np.array(["a"]), "holds texts", "numbers"), (np.array([1, None]), "holds Python's objects", "astype"),
])  # fmt: skip
def test_arrays_of_other_dtypes_are_refused_by_what_they_hold(argument, words, instead):
    with pytest.raises(TypeError, match=f"the argument x {words}") as refused:
        s2s.jit(lambda x: x)(argument)
    assert instead in str(refused.value)
