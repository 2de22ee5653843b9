"""jacfwd, jacrev, hessian: closed forms, against each other and against differences; containers, options, errors."""
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest
from vector_programs import in_place, recurrence, while_loop

import s2s

RNG = np.random.default_rng(0)
A, B = RNG.normal(size=(4, 3)), RNG.normal(size=(5, 4))
X3 = np.array([0.3, -0.5, 0.7])


def on_numpy(function):
    return s2s.jit(function, target="numpy")


def differences(function, x, step=1e-6):
    """The Jacobian by central differences: the axes of the result, then those of x."""
    columns = []
    for position in np.ndindex(np.shape(x)):
        unit = np.zeros(np.shape(x))
        unit[position] = step
        columns.append((function(x + unit) - function(x - unit)) / (2 * step))
    shape = np.shape(function(x))
    return np.stack(columns, -1).reshape(*shape, *np.shape(x)) if columns else np.zeros((*shape, *np.shape(x)))


# ---- functions -------------------------------------------------------------------------------------------------------


def affine(x):
    return A @ x + 1.0


def network(x):
    return B @ np.sin(A @ x) * np.sum(x)


def elementwise(x):
    return np.exp(x) * x


def matrix_in(W):
    return np.tanh(W @ np.array([1.0, -2.0])) * W[0, 0]


def matrix_out(x):
    return np.outer(np.sin(x), x**2)


def matrices(W):
    return W.T @ W


def scalar_out(x):
    return np.sum(x**3) * x[0]


def branches(x):
    y = np.zeros(4)
    for i in range(4):
        if x[i % 3] > 0.0:
            y[i] = x[0] * x[i % 3] ** 2
        else:
            y[i] = np.sin(x[1]) * i
    return y


def helper(x, k):
    return np.sin(x * k) + x


def with_helper(x):
    y = np.zeros(3)
    for i in range(3):
        y[i] = helper(x[i], 2.0) * helper(x[0], i + 1.0)
    return y


def early_return(x):
    total = 0.0
    for i in range(len(x)):
        total += x[i] ** 2
        if total > 0.3:
            return x * total
    return x


def slices(x):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[: i + 1] += x[i] * x[: i + 1]
    return y


VECTORS = [affine, network, elementwise, matrix_out, scalar_out, recurrence, branches, while_loop, in_place, with_helper, early_return, slices]


# ---- values ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("function", VECTORS, ids=lambda f: f.__name__)
def test_rows_columns_and_differences_agree(function):
    rows, columns = s2s.jacrev(on_numpy(function))(X3), s2s.jacfwd(on_numpy(function))(X3)
    assert rows.shape == columns.shape == (*np.shape(function(X3)), 3)
    np.testing.assert_allclose(rows, columns, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(rows, differences(function, X3), rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("function", [matrix_in, matrices], ids=lambda f: f.__name__)
def test_matrices(function):
    W = RNG.normal(size=(3, 2))
    rows, columns = s2s.jacrev(on_numpy(function))(W), s2s.jacfwd(on_numpy(function))(W)
    assert rows.shape == (*function(W).shape, 3, 2)
    np.testing.assert_allclose(rows, columns, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(rows, differences(function, W), rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("function", [network, recurrence, while_loop, in_place, with_helper, slices], ids=lambda f: f.__name__)
def test_second_order_in_all_orders(function):
    function = on_numpy(function)
    wanted = differences(s2s.jacfwd(function), X3)
    for made in (s2s.hessian(function), s2s.jacfwd(s2s.jacfwd(function)), s2s.jacrev(s2s.jacfwd(function)), s2s.jacrev(s2s.jacrev(function))):
        np.testing.assert_allclose(made(X3), wanted, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(s2s.hessian(function)(X3), s2s.jacrev(s2s.jacrev(function))(X3), rtol=1e-11, atol=1e-11)


def test_third_order():
    def cubic(x):
        return x[0] ** 3 * x[1] + x[1] ** 2

    third = s2s.jacfwd(s2s.jacrev(s2s.jacfwd(on_numpy(cubic))))(np.array([2.0, 3.0]))
    wanted = np.zeros((2, 2, 2))
    wanted[0, 0, 0] = 6 * 3.0
    wanted[0, 0, 1] = wanted[0, 1, 0] = wanted[1, 0, 0] = 6 * 2.0
    np.testing.assert_allclose(third, wanted)


def test_gradient_of_a_function_of_the_jacobian():
    def stiffness(x):
        return np.sum(s2s.jacobian(network)(x) ** 2) + np.sum(s2s.jacfwd(recurrence)(x) ** 2)

    def plain(x):
        return np.sum(s2s.jacrev(on_numpy(network))(x) ** 2) + np.sum(s2s.jacrev(on_numpy(recurrence))(x) ** 2)

    np.testing.assert_allclose(s2s.grad(on_numpy(stiffness))(X3), differences(plain, X3), rtol=1e-6)


def test_hessian_of_logistic_regression():
    X, y, w = RNG.normal(size=(20, 6)), (RNG.random(20) < 0.5).astype(float), RNG.normal(size=6)

    def loss(w, X, y):
        z = X @ w
        return np.mean(np.log1p(np.exp(-np.abs(z))) + np.maximum(z, 0.0) - y * z)

    p = 1 / (1 + np.exp(-X @ w))
    for target in ("numpy", "cpu"):
        np.testing.assert_allclose(s2s.hessian(s2s.jit(loss, target=target))(w, X, y), (X.T * (p * (1 - p))) @ X / 20, rtol=1e-10, atol=1e-14)


def test_directions_are_run_at_once_where_matrices_are_multiplied():
    text = s2s.jacfwd(on_numpy(network)).source(X3)
    assert "for " not in text.partition("def network")[2].partition("def _array")[0].replace("# def", "")
    assert "for col in range(n)" in s2s.jacfwd(on_numpy(recurrence)).source(X3)


def steps(x):
    """Its own way through branches and loops, then a product of matrices."""
    h = x
    k = 0
    while np.sum(h * h) > 0.05 and k < 20:
        for i in range(len(h)):
            h[i] = h[i] * 0.5 if h[i] > 0.1 else np.sin(h[i]) * h[i - 1]
        k += 1
    return B @ (A @ h)


def mixed(x):
    """Loops of which one part depends on the direction, the other doesn't."""
    weights = np.zeros(3)
    total = 0.0
    for i in range(3):
        weights[i] = np.cos(float(i)) + (weights[i - 1] if i else 0.0)
        if x[i] > 0.0:
            total += weights[i] * x[i] ** 3
    return np.outer(x * weights, A @ x) * total


@pytest.mark.parametrize("function", [steps, mixed], ids=lambda f: f.__name__)
def test_control_flow_and_products(function):
    function = on_numpy(function)
    x = X3.copy()
    rows, columns = s2s.jacrev(function)(x), s2s.jacfwd(function)(x)
    np.testing.assert_allclose(rows, columns, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(rows, differences(lambda x: function(x.copy()), X3), rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(s2s.hessian(function)(x), differences(lambda x: s2s.jacrev(function)(x), X3), rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(x, X3)


def test_columns_are_stored_where_they_belong():
    assert ".T" not in s2s.jacfwd(on_numpy(in_place)).source(X3)
    text = s2s.jit(s2s.vmap(on_numpy(in_place), out_axes=1)).source(np.ones((4, 3)))
    assert "[:, i] = " in text and ".T" not in text


def selected(x):
    h = A @ np.where(x > 0.0, x, 0.0) - A @ (x / 3.0)
    return np.sin(h) * 2.0 + (-h)


def regularised(x):
    return np.sum((A @ x) ** 4) + 0.5 * np.sum(x**3)


def shifted(x):
    return A @ x[::-1]


def products(x):
    return B @ (A @ (x * x) * (A @ x))


@pytest.mark.parametrize("function", [selected, regularised, shifted, products], ids=lambda f: f.__name__)
def test_unit_vectors(function):
    rows, columns = s2s.jacrev(on_numpy(function))(X3), s2s.jacfwd(on_numpy(function))(X3)
    np.testing.assert_allclose(rows, columns, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(rows, differences(function, X3), rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(s2s.hessian(on_numpy(function))(X3), differences(s2s.jacrev(on_numpy(function)), X3), rtol=1e-5, atol=1e-6)


def test_no_identity_is_built_for_products():
    assert "np.where" not in s2s.jacrev(on_numpy(network)).source(X3)
    assert "np.arange" not in s2s.jacfwd(on_numpy(regularised)).source(X3)


def test_what_does_not_depend_on_the_direction_is_computed_before_the_loop():
    body = s2s.jacrev(on_numpy(elementwise)).source(X3)
    assert body.index("np.exp") < body.index("for row in")
    assert "np.exp(x)" not in body[body.index("for row in") :].replace("# return np.exp(x)", "")


def test_compiled():
    for function in (network, recurrence, in_place):
        np.testing.assert_allclose(s2s.jacrev(function)(X3), differences(function, X3), rtol=1e-6, atol=1e-7)
        np.testing.assert_allclose(s2s.jacfwd(function)(X3), differences(function, X3), rtol=1e-6, atol=1e-7)


# ---- sizes, scalars, dtypes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [0, 1, 2])
@pytest.mark.parametrize("made", [s2s.jacfwd, s2s.jacrev, s2s.hessian])
def test_empty_and_single(made, size):
    x = np.arange(size) + 0.5
    jacobian = made(on_numpy(elementwise))(x)
    shape = (size,) * (3 if made is s2s.hessian else 2)
    assert jacobian.shape == shape
    diagonal = np.exp(x) * (x + (2 if made is s2s.hessian else 1))
    wanted = np.zeros(shape)
    wanted[(np.arange(size),) * len(shape)] = diagonal
    np.testing.assert_allclose(jacobian, wanted, rtol=1e-12)


def test_sizes_are_no_part_of_the_program():
    made = s2s.jacrev(on_numpy(lambda x: np.exp(x) * x))
    for size in (3, 5, 4):
        x = RNG.normal(size=size)
        np.testing.assert_allclose(made(x), np.diag(np.exp(x) * (x + 1)), rtol=1e-12)
    assert len(made.emitted()) == 1


def test_one_row_and_one_column():
    W = RNG.normal(size=(1, 3))
    np.testing.assert_allclose(s2s.jacfwd(on_numpy(matrices))(W), s2s.jacrev(on_numpy(matrices))(W), rtol=1e-12)
    assert s2s.jacrev(on_numpy(matrices))(W).shape == (3, 3, 1, 3)


def test_scalars():
    assert s2s.jacfwd(on_numpy(lambda x: x**3))(2.0) == 12.0
    assert s2s.jacrev(on_numpy(lambda x: x**3))(2.0) == 12.0
    assert s2s.hessian(on_numpy(lambda x: x**3))(2.0) == 12.0
    assert type(s2s.jacrev(on_numpy(lambda x: x**3))(2.0)) is float
    assert type(s2s.jacfwd(on_numpy(lambda x: x**3))(np.float32(2.0))) is np.float32
    np.testing.assert_allclose(s2s.jacfwd(on_numpy(lambda x: x * X3))(2.0), X3)


@pytest.mark.parametrize("made", [s2s.jacfwd, s2s.jacrev, s2s.hessian])
@pytest.mark.parametrize("function", [elementwise, recurrence, in_place], ids=lambda f: f.__name__)
def test_float32_stays_float32(made, function):
    if function is recurrence:
        function = lambda x: np.float32(2.0) * x[::-1] * np.sin(x)  # noqa: E731 (recurrence makes float64 itself)
    found = made(on_numpy(function))(X3.astype(np.float32))
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, made(on_numpy(function))(X3), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("made", [s2s.jacfwd, s2s.jacrev])
def test_holomorphic(made):
    def f(z):
        return z**2 * (1j + z[0])

    z = np.array([1.0 + 2.0j, -0.5j])
    wanted = np.diag(2 * z * (1j + z[0]))
    wanted[:, 0] += z**2
    np.testing.assert_allclose(made(on_numpy(f), holomorphic=True)(z), wanted)
    np.testing.assert_allclose(s2s.hessian(on_numpy(lambda z: np.sum(z**3)), holomorphic=True)(z), np.diag(6 * z))


def test_complex_results_of_real_arguments_in_columns():
    np.testing.assert_allclose(s2s.jacfwd(on_numpy(lambda x: np.exp(1j * x)))(X3), np.diag(1j * np.exp(1j * X3)))


# ---- arguments and containers ---------------------------------------------------------------------------------------------------


class Point(NamedTuple):
    u: np.ndarray
    v: float


@dataclass
class State:
    x: np.ndarray
    t: float


def contained(params, point):
    y = params["W"] @ point.u * point.v
    return {"y": y, "rest": [np.sum(params["b"]) * point.v, params["b"]]}


@pytest.mark.parametrize("made", [s2s.jacfwd, s2s.jacrev])
def test_containers_in_and_out(made):
    W, b, u = RNG.normal(size=(2, 3)), RNG.normal(size=2), RNG.normal(size=3)
    jac = made(on_numpy(contained), argnums=(0, 1))({"W": W, "b": b}, Point(u, 2.0))
    params, point = jac["y"]
    np.testing.assert_allclose(params["W"], np.einsum("ik,j->ikj", np.eye(2), u * 2.0))
    np.testing.assert_allclose(params["b"], np.zeros((2, 2)))
    assert isinstance(point, Point)
    np.testing.assert_allclose(point.u, W * 2.0)
    np.testing.assert_allclose(point.v, W @ u)
    total, same = jac["rest"]
    np.testing.assert_allclose(total[0]["b"], [2.0, 2.0])
    assert total[1].v == pytest.approx(np.sum(b))
    np.testing.assert_allclose(same[0]["b"], np.eye(2))
    assert same[0]["W"].shape == (2, 2, 3)
    only = made(on_numpy(contained))({"W": W, "b": b}, Point(u, 2.0))
    np.testing.assert_allclose(only["y"]["W"], params["W"])


def test_hessian_of_containers_is_a_tree_of_trees():
    def f(state, scale):
        return scale * np.sum(state.x**2) * state.t**2

    x = np.array([1.0, 2.0])
    h = s2s.hessian(on_numpy(f))(State(x, 3.0), 0.5)
    np.testing.assert_allclose(h.x.x, 9.0 * np.eye(2))
    np.testing.assert_allclose(h.x.t, 2 * x * 3.0)
    np.testing.assert_allclose(h.t.x, 2 * x * 3.0)
    assert h.t.t == pytest.approx(5.0)
    both = s2s.hessian(on_numpy(lambda x, y: x**2 * y), argnums=(0, 1))(2.0, 3.0)
    assert both == ((6.0, 4.0), (4.0, 0.0))


@pytest.mark.parametrize("made", [s2s.jacfwd, s2s.jacrev, s2s.hessian])
def test_aux(made):
    def f(x):
        return np.sum(x**3), {"twice": 2 * x, "name": "f"}

    jac, aux = made(on_numpy(f), has_aux=True)(X3)
    np.testing.assert_allclose(jac, np.diag(6 * X3) if made is s2s.hessian else 3 * X3**2)
    np.testing.assert_allclose(aux["twice"], 2 * X3)
    assert aux["name"] == "f"


def test_argnums():
    def f(x, y, *rest):
        return x * y + rest[0]

    x, y = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    np.testing.assert_allclose(s2s.jacrev(on_numpy(f), argnums=1)(x, y, 1.0), np.diag(x))
    np.testing.assert_allclose(s2s.jacfwd(on_numpy(f), argnums=-1)(x, y, 1.0), [1.0, 1.0])
    first, second = s2s.jacfwd(on_numpy(f), argnums=[1, 0])(x, y, 1.0)
    np.testing.assert_allclose(first, np.diag(x))
    np.testing.assert_allclose(second, np.diag(y))
    (alone,) = s2s.jacrev(on_numpy(f), argnums=(0,))(x, y, 1.0)
    np.testing.assert_allclose(alone, np.diag(y))


def test_integers():
    def f(i, x):
        return x * i

    i, x = np.array([1, 2]), np.array([3.0, 4.0])
    whole, part = s2s.jacrev(on_numpy(f), argnums=(0, 1), allow_int=True)(i, x)
    assert whole.dtype == np.int64
    assert whole.shape == (2, 2)
    assert not whole.any()
    np.testing.assert_allclose(part, np.diag([1.0, 2.0]))
    counts, values = s2s.jacfwd(on_numpy(lambda x: (np.argmax(x), x * 2)))(x)
    assert counts.shape == (2,)
    assert counts.dtype == np.int64
    np.testing.assert_allclose(values, 2 * np.eye(2))


def test_constants_and_unused_arguments():
    jac = s2s.jacrev(on_numpy(lambda x, y: (np.sum(x), 2.0)), argnums=(0, 1))(X3, X3[:2])
    np.testing.assert_allclose(jac[0][0], np.ones(3))
    np.testing.assert_allclose(jac[0][1], np.zeros(2))
    np.testing.assert_allclose(jac[1][0], np.zeros(3))
    np.testing.assert_allclose(s2s.jacfwd(on_numpy(lambda x: np.zeros(2)))(X3), np.zeros((2, 3)))
    np.testing.assert_allclose(s2s.jacfwd(on_numpy(lambda x: x))(X3), np.eye(3))
    np.testing.assert_allclose(s2s.jacrev(on_numpy(lambda x: (x, x)))(X3)[1], np.eye(3))


def test_closed_over_arrays_are_read_at_each_call():
    scale = np.array([1.0, 2.0, 3.0])

    def f(x):
        return x * scale

    jac = s2s.jacrev(on_numpy(f))
    np.testing.assert_allclose(jac(X3), np.diag(scale))
    scale[0] = 10.0
    np.testing.assert_allclose(jac(X3), np.diag([10.0, 2.0, 3.0]))


def test_arguments_are_not_written():
    def f(x):
        x[0] = 2.0 * x[1]
        return x * x

    x = X3.copy()
    jac = s2s.jacfwd(on_numpy(f))(x)
    np.testing.assert_array_equal(x, X3)
    wanted = np.diag(2 * X3)
    wanted[0] = [0.0, 8 * X3[1], 0.0]
    np.testing.assert_allclose(jac, wanted)
    np.testing.assert_allclose(s2s.jacrev(on_numpy(f))(x), wanted)


# ---- nesting --------------------------------------------------------------------------------------------------------------------


def test_in_any_order_with_the_others():
    f = on_numpy(scalar_out)
    hessian = s2s.hessian(f)(X3)
    np.testing.assert_allclose(s2s.jacrev(s2s.grad(f))(X3), hessian, rtol=1e-12)
    np.testing.assert_allclose(s2s.jacfwd(s2s.grad(f))(X3), hessian, rtol=1e-12)
    v = np.array([1.0, 2.0, -1.0])
    _, along = s2s.jvp(s2s.jacrev(f), (X3,), (v,))
    np.testing.assert_allclose(along, hessian @ v, rtol=1e-12)
    _, pullback = s2s.vjp(s2s.jacfwd(f), X3)
    np.testing.assert_allclose(pullback(v)[0], hessian @ v, rtol=1e-12)
    np.testing.assert_allclose(s2s.jit(s2s.jacfwd(f))(X3), s2s.grad(f)(X3), rtol=1e-12)


def residual(camera, point):
    e = np.zeros(2)
    depth = point[2] + camera[2]
    e[0] = camera[3] * (point[0] + camera[0]) / depth
    e[1] = camera[3] * (point[1] + camera[1]) / depth
    return e


def all_residuals(cameras, points):
    blocks = np.zeros((len(points), 2, 4))
    for i in range(len(points)):
        blocks[i] = s2s.jacrev(residual)(cameras[i], points[i])
    return blocks


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_inside_a_loop_of_a_jitted_function(target):
    cameras, points = RNG.normal(size=(5, 4)), RNG.normal(size=(5, 3)) + 5.0
    found = s2s.jit(all_residuals, target=target)(cameras, points)
    for i in range(5):
        np.testing.assert_allclose(found[i], differences(lambda c, i=i: residual(c, points[i]), cameras[i]), rtol=1e-6, atol=1e-8)


# ---- errors -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: s2s.jacfwd(elementwise)(1), TypeError, "jacfwd requires real"),
        (lambda: s2s.jacrev(elementwise)(1), TypeError, "jacrev requires real- or complex-valued inputs"),
        (lambda: s2s.hessian(elementwise)(1), TypeError, "requires real"),
        (lambda: s2s.jacfwd(elementwise)(1j), TypeError, "jacfwd requires real-valued inputs"),
        (lambda: s2s.jacrev(elementwise, holomorphic=True)(1.0), TypeError, "jacrev with holomorphic=True requires inputs with complex dtype"),
        (lambda: s2s.jacfwd(elementwise, holomorphic=True)(1.0), TypeError, "jacfwd with holomorphic=True requires inputs with complex dtype"),
        (lambda: s2s.jacfwd(lambda z: np.abs(z), holomorphic=True)(1j), TypeError, "holomorphic=True requires outputs with complex dtype"),
        (lambda: s2s.jacrev(lambda x: np.argmax(x))(X3), TypeError, "jacrev requires real-valued outputs"),
        (lambda: s2s.jacrev(lambda x: x * 1j)(X3), TypeError, "jacrev requires real-valued outputs"),
        (lambda: s2s.jacrev(elementwise, argnums=3)(X3), TypeError, "argnums=3"),
        (lambda: s2s.jacfwd(elementwise, argnums="x"), TypeError, "argnums"),
        (lambda: s2s.jacfwd(elementwise, has_aux=True)(X3), TypeError, "two-element tuple"),
        (lambda: s2s.jacrev(3.0), TypeError, "callable"),
    ],
)  # fmt: skip
def test_errors(call, error, text):
    with pytest.raises(error, match=text):
        call()


# ---- JAX ----------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["jacfwd", "jacrev", "hessian"])
def test_as_jax(name):
    jax = pytest.importorskip("jax")
    jnp = jax.numpy

    def make(np):
        def f(params, x):
            h = np.tanh(params["W"] @ x + params["b"])
            return {"h": h, "s": (np.sum(h**2),)}

        return f

    params, x = {"W": RNG.normal(size=(3, 2)), "b": RNG.normal(size=3)}, RNG.normal(size=2)
    with jax.enable_x64(True):
        wanted = getattr(jax, name)(make(jnp), argnums=(0, 1))(params, x)
    found = getattr(s2s, name)(on_numpy(make(np)), argnums=(0, 1))(params, x)
    flat, structure = jax.tree_util.tree_flatten(wanted)
    mine, own = jax.tree_util.tree_flatten(found)
    assert structure == own
    for one, other in zip(mine, flat, strict=True):
        assert one.shape == other.shape
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)
