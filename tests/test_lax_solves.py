"""lax.custom_root and lax.custom_linear_solve: derivatives of the solution, of every order and mode, batched, nested, with JAX's errors."""
from __future__ import annotations

import numpy as np
import pytest

import s2s
from s2s import lax

RNG = np.random.default_rng(3)
A, B = 3 * np.eye(3) + 0.3 * RNG.normal(size=(3, 3)), RNG.normal(size=3)


def plainly(f):
    return s2s.jit(f, target="numpy")


def steps(matvec, b):
    """A solution of A x = b by an iteration that differs with the numbers."""
    x, r = 0.0 * b, b - matvec(0.0 * b)
    while np.sum(r * r) > 1e-28:
        x = x + 0.2 * r
        r = b - matvec(x)
    return x


def rounded(matvec, b):
    """The same, whose own derivative is zero."""
    return s2s.stop_gradient(steps(matvec, s2s.stop_gradient(b)))


def linear(a, b):
    return np.sum(np.sin(lax.custom_linear_solve(lambda x: a @ x, b, rounded, rounded)))


def with_aux(a, b):
    x, (count, norm) = lax.custom_linear_solve(lambda x: a @ x, b, lambda mv, b: (rounded(mv, b), (3, np.sum(b))), lambda mv, b: (rounded(mv, b), (3, np.sum(b))), has_aux=True)
    return np.sum(np.sin(x)) + (count - 3) * norm


def symmetric(a, b):
    return np.sum(np.sin(lax.custom_linear_solve(lambda x: (a + a.T) @ x / 2, b, rounded, symmetric=True)))


def in_container(a, b):
    found = lax.custom_linear_solve(
        lambda v: {"x": a @ v["x"], "y": 4.0 * v["y"] + a[0, 0] * v["y"]}, {"x": b, "y": b[0]},
        lambda mv, v: {"x": rounded(lambda x: mv({"x": x, "y": 0.0})["x"], v["x"]), "y": v["y"] / mv({"x": 0.0 * v["x"], "y": 1.0})["y"]},
        lambda mv, v: {"x": rounded(lambda x: mv({"x": x, "y": 0.0})["x"], v["x"]), "y": v["y"] / mv({"x": 0.0 * v["x"], "y": 1.0})["y"]},
    )  # fmt: skip
    return np.sum(np.sin(found["x"])) + found["y"]


def plain(a, b):
    return np.sum(np.sin(np.linalg.solve(a, b)))


PAIRS = {
    "linear": (linear, plain), "aux": (with_aux, plain), "symmetric": (symmetric, lambda a, b: plain((a + a.T) / 2, b)),
    "container": (in_container, lambda a, b: plain(a, b) + b[0] / (4.0 + a[0, 0])),
}  # fmt: skip


@pytest.mark.parametrize("name", PAIRS)
def test_linear_systems(name):
    f, g = (s2s.jit(each, target="numpy") for each in PAIRS[name])
    np.testing.assert_allclose(PAIRS[name][0](A, B), g(A, B), rtol=1e-11)
    a_dot, b_dot = RNG.normal(size=(3, 3)), RNG.normal(size=3)

    def all_of(f):
        first = f(A, B), s2s.grad(f, (0, 1))(A, B), s2s.jvp(f, (A, B), (a_dot, b_dot))[1]
        return first if name in ("aux", "container") else (
            *first, s2s.hessian(f, 0)(A, B), s2s.hessian(f, 1)(A, B),
            s2s.jvp(s2s.grad(f), (A, B), (a_dot, b_dot))[1], s2s.grad(plainly(lambda a, b: s2s.jvp(f, (a, b), (a_dot, b_dot))[1]), (0, 1))(A, B),
            s2s.vmap(s2s.grad(f, (0, 1)))(np.stack([A, A + 0.1]), np.stack([B, B - 1.0])),
        )  # fmt: skip

    for one, two in zip(s2s.tree_util.tree_leaves(all_of(f)), s2s.tree_util.tree_leaves(all_of(g)), strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-10, atol=1e-12)


def bisection(f, x):
    low, high = 0.0, 10.0
    for _ in range(60):
        middle = (low + high) / 2
        if f(middle) > 0:
            high = middle
        else:
            low = middle
    return (low + high) / 2


def cube_root(a):
    return lax.custom_root(lambda x: x**3 - a, 1.0, bisection, lambda g, y: y / g(1.0))


def test_roots_of_numbers():
    f = s2s.jit(cube_root, target="numpy")
    third = s2s.grad(s2s.grad(s2s.grad(f)))
    found = cube_root(8.0), f(8.0), s2s.grad(f)(8.0), s2s.jvp(f, (8.0,), (1.0,))[1], s2s.grad(s2s.grad(f))(8.0), third(8.0)
    np.testing.assert_allclose(found, (2.0, 2.0, 1 / 12, 1 / 12, -2 / 9 * 8 ** (-5 / 3), 10 / 27 * 8 ** (-8 / 3)), rtol=1e-12)
    np.testing.assert_allclose(s2s.vmap(s2s.grad(f))(np.array([1.0, 8.0, 27.0])), [1 / 3, 1 / 12, 1 / 27], rtol=1e-12)


def root_by(tangent_solve):
    def fixed_point(a, b):
        def residual(x):
            return A @ x + 0.1 * np.sin(a * x) - b

        def solve(f, x):
            for _ in range(60):
                x = x - 0.2 * f(x)
            return s2s.stop_gradient(x)

        return np.sum(lax.custom_root(residual, np.zeros(3), solve, tangent_solve) ** 2)

    return fixed_point


@pytest.mark.parametrize("tangent_solve", [lambda g, y: np.linalg.solve(s2s.jacobian(g)(y), y), lambda g, y: lax.custom_linear_solve(g, y, rounded, rounded)], ids=["dense", "nested"])
def test_roots_of_vectors(tangent_solve):
    f = s2s.jit(root_by(tangent_solve), target="numpy")
    s2s.check_grads(f, (0.7, B), order=2, modes=("fwd", "rev"))
    both = s2s.vmap(s2s.grad(f, (0, 1)))(np.array([0.7, 0.9]), np.stack([B, 2 * B]))
    one = s2s.grad(f, (0, 1))(0.9, 2 * B)
    np.testing.assert_allclose([both[0][1], *both[1][1]], [one[0], *one[1]], rtol=1e-10)


def test_aux_of_a_root():
    def f(a):
        x, count = lax.custom_root(lambda x: x * x - a, 1.0, lambda f, x: (bisection(f, x), 7), lambda g, y: y / g(1.0), has_aux=True)
        return x, count

    (value, count), slope = s2s.jit(f, target="numpy")(4.0), s2s.grad(plainly(lambda a: f(a)[0]))(4.0)
    np.testing.assert_allclose((value, count, slope), (2.0, 7, 0.25), rtol=1e-12)


def test_of_linearized_functions():
    def f(a, b):
        g = s2s.linearize(lambda x: A @ x + 0.3 * np.sin(a * x), b)[1]
        return np.sum(np.sin(lax.custom_linear_solve(g, b, rounded, rounded)))

    def g(a, b):
        return plain(A + np.diag(0.3 * a * np.cos(a * b)), b)

    for make in (lambda f: s2s.grad(f, (0, 1)), lambda f: (s2s.grad(s2s.grad(f)),), lambda f: s2s.grad(plainly(lambda a, b: s2s.jvp(f, (a, b), (1.0, b))[1]), (0, 1))):
        one, two = ((make(s2s.jit(each, target="numpy"))) for each in (f, g))
        for x, y in zip(one(0.7, B) if callable(one) else (one[0](0.7, B),), two(0.7, B) if callable(two) else (two[0](0.7, B),), strict=True):
            np.testing.assert_allclose(x, y, rtol=1e-9)


def test_without_a_transpose():
    f = s2s.jit(lambda b: np.sum(lax.custom_linear_solve(lambda x: A @ x, b, steps)), target="numpy")
    np.testing.assert_allclose(s2s.jvp(f, (B,), (B,))[1], f(B), rtol=1e-11)
    with pytest.raises(TypeError, match="transpose_solve required for backwards mode automatic differentiation of custom_linear_solve"):
        s2s.grad(f)(B)


@pytest.mark.parametrize("read", [False, True])
def test_errors(read):
    def made(f):
        return s2s.jit(f, target="numpy") if read else f

    with pytest.raises(TypeError, match=r"f\(\) output pytree structure must match initial_guess"):
        made(lambda a: lax.custom_root(lambda x: (x, a), 1.0, bisection, lambda g, y: y))(1.0)
    with pytest.raises(TypeError, match=r"solve\(\) output pytree structure must match initial_guess"):
        made(lambda a: lax.custom_root(lambda x: x - a, 1.0, lambda f, x: (x, x), lambda g, y: y))(1.0)
    with pytest.raises(ValueError, match="a pytree tuple with auxiliary output was expected because has_aux was set to True"):
        made(lambda a: lax.custom_root(lambda x: x - a, 1.0, lambda f, x: x, lambda g, y: y, has_aux=True))(1.0)
    with pytest.raises(TypeError, match=r"matvec\(\) output pytree structure must match b"):
        made(lambda b: lax.custom_linear_solve(lambda x: (x,), b, steps))(B)


def test_rules_with_helpers_that_mix_tangents_and_numbers():
    """`s2s.jvp` of a function in a rule: one helper computes both, and reverse mode reads what it keeps of the numbers."""
    def inner(c, x):
        return c @ np.sin(c @ x)

    @s2s.custom_jvp
    def f(c):
        return inner(c, B)

    @f.defjvp
    def f_jvp(primals, tangents):
        return s2s.jvp(lambda c: inner(c, B), primals, tangents)

    np.testing.assert_allclose(s2s.grad(plainly(lambda c: np.sum(f(c))))(A), s2s.grad(plainly(lambda c: np.sum(inner(c, B))))(A), rtol=1e-12)
