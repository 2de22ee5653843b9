"""Functions whose jaxprs JAX's documents explain, written for these tests: each takes the library (jax or s2s), its numpy and its lax, and gives a function and arguments.

`python tests/jaxpr_examples.py` writes the stored texts anew; it needs JAX.
"""
from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import numpy as np

STORED = Path(__file__).parent / "jaxpr_expected.json"


def array_operations(jax, jnp, lax):
    def f(first, second):
        temp = first + jnp.sin(second) * 3.0
        return jnp.sum(temp)

    return f, (np.zeros(8), np.ones(8))


def helpers_are_traced_through(jax, jnp, lax):
    def inner(second):
        if second.shape[0] > 4:
            return jnp.sin(second)
        raise ValueError

    def outer(inner, first, second):
        temp = first + inner(second) * 3.0
        return jnp.sum(temp)

    return lambda first, second: outer(inner, first, second), (np.zeros(8), np.ones(8))


def containers_are_flattened(jax, jnp, lax):
    def f(arg):
        temp = arg[0] + jnp.sin(arg[1]) * 3.0
        return {"sum": jnp.sum(temp), "parts": (temp, arg[0])}

    return f, ((np.zeros(8), np.ones(8)),)


def constants(jax, jnp, lax):
    weights = np.linspace(0.0, 1.0, 8)

    def f(first):
        return first * weights - jnp.exp(weights)

    return f, (np.ones(8),)


def switch(jax, jnp, lax):
    def f(index, arg):
        return lax.switch(index, [lambda x: x + 1.0, lambda x: x - 2.0, lambda x: x + 3.0], arg)

    return f, (1, 5.0)


def cond(jax, jnp, lax):
    def f(arg):
        return lax.cond(arg >= 0.0, lambda xtrue: xtrue + 3.0, lambda xfalse: xfalse - 3.0, arg)

    return f, (5.0,)


def cond_of_several(jax, jnp, lax):
    def f(arg1, arg2):
        return lax.cond(arg1 >= 0.0, lambda xtrue: xtrue[0], lambda xfalse: jnp.array([1]) + xfalse[1], arg2)

    return f, (5.0, (np.zeros(1), 2.0))


def while_loop(jax, jnp, lax):
    def f(arg):
        return lax.while_loop(lambda c: c < 10.0, lambda c: c * arg + 1.0, arg)

    return f, (np.float64(1.5),)


def fori_loop_of_known_length(jax, jnp, lax):
    def f(arg):
        return lax.fori_loop(0, 5, lambda i, c: c * arg, arg)

    return f, (np.float64(1.5),)


def fori_loop_of_run_time_length(jax, jnp, lax):
    def f(arg, n):
        ones = jnp.ones(arg.shape)
        return lax.fori_loop(0, n, lambda i, carry: carry + ones * 3.0 + arg, arg + ones)

    return f, (np.ones(16), 5)


def _with_its_sums(jnp, lax):
    def f(arr, extra):
        ones = jnp.ones(arr.shape)

        def body(carry, aelems):
            ae1, ae2 = aelems
            return (carry + ae1 * ae2 + extra, carry)

        return lax.scan(body, 0.0, (arr, ones))

    return f


def scan(jax, jnp, lax):
    return _with_its_sums(jnp, lax), (np.arange(16.0), 5.0)


def scan_reversed(jax, jnp, lax):
    def f(xs):
        return lax.scan(lambda carry, x: (carry * 0.5 + x, carry), 1.0, xs, reverse=True)

    return f, (np.arange(4.0),)


def map_over_rows(jax, jnp, lax):
    return (lambda xs: lax.map(lambda x: jnp.tanh(x) * x, xs)), (np.arange(6.0),)


def jitted(jax, jnp, lax):
    return jax.jit(lambda x: jnp.sin(x) * x), (np.arange(3.0),)


def jitted_inside(jax, jnp, lax):
    def f(arg):
        @jax.jit
        def inner(x):
            return x + arg * jnp.ones(1)

        return arg + inner(arg - 2.0)

    return f, (1.0,)


def jitted_twice(jax, jnp, lax):
    @jax.jit
    def layer(w, x):
        return jnp.tanh(w * x)

    def network(weights, x):
        for w in weights:
            x = layer(w, x)
        return x

    return network, ([np.float64(1.0), np.float64(2.0)], np.ones(3))


def jitted_in_jitted(jax, jnp, lax):
    @jax.jit
    def inner(x):
        return jnp.sin(x), jnp.cos(x)

    @jax.jit
    def outer(x):
        s, c = inner(x)
        return s * c

    return outer, (np.ones(3),)


def jitted_in_a_loop(jax, jnp, lax):
    @jax.jit
    def step(carry, x):
        return carry * x + 1.0

    return (lambda xs: lax.scan(lambda carry, x: (step(carry, x), carry), 0.0, xs)), (np.ones(3),)


def jitted_of_static_arguments(jax, jnp, lax):
    @partial(jax.jit, static_argnums=1)
    def power(x, n):
        return x**n

    return (lambda x: power(x, 3) + power(x, 5)), (np.ones(3),)


def jitted_with_constants(jax, jnp, lax):
    w = np.arange(3.0)

    @jax.jit
    def f(x):
        return x * w

    return (lambda x: f(x) + w), (np.ones(3),)


def jitted_inline(jax, jnp, lax):
    @partial(jax.jit, inline=True)
    def f(x):
        return x * 2.0

    return (lambda x: f(x) + 1.0), (np.ones(3),)


def jitted_with_unread_arguments(jax, jnp, lax):
    @jax.jit
    def f(tree, y):
        return tree["w"] * tree["b"]

    return (lambda tree, y: f(tree, y) + 1.0), ({"w": np.ones(3), "b": np.ones(3)}, np.ones(2))


def jitted_lambdas_and_partials(jax, jnp, lax):
    return jax.jit(partial(lambda a, x: jax.jit(lambda y: a * y)(x), 2.0)), (np.ones(3),)


def weak_meets_strong(jax, jnp, lax):
    return (lambda x, y: (x * y, y - x, 2 * x + 1, jnp.maximum(x, y), x / y, x < y, jnp.sin(x) * y, (x * 2) ** y)), (1.0, np.ones(3))


def weak_integers(jax, jnp, lax):
    return (lambda n, x, y: (n * x, n * y, n + 1, n * 2.0, jnp.sin(n), (n > 0) * y)), (3, 1.0, np.ones(3))


def integers_meet_weak_floats(jax, jnp, lax):
    return (lambda n, x, y: ((n + x) * y, (n * 2.0) * y, jnp.sin(n))), (np.ones(3, np.int64), 1.0, np.ones(3))


def weak_carries(jax, jnp, lax):
    def f(x, y, xs):
        carry, ys = lax.scan(lambda carry, x: (carry * x, carry), x, xs)
        looped = lax.while_loop(lambda carry: carry < 10.0, lambda carry: carry * y, x)
        doubled = lax.while_loop(lambda carry: carry < 10.0, lambda carry: carry * 2.0, x) * y
        chosen = lax.cond(y > 0, lambda x: x * 2.0, lambda x: x, x) * y
        return carry * xs, ys * xs, looped, doubled, chosen, lax.fori_loop(0, 3, lambda i, carry: carry * y + i, x)

    return f, (1.0, np.float64(2.0), np.ones(3))


def single_precision(jax, jnp, lax):
    return (lambda x, y, s: (x * 2.0, x * s, x + y, s * s)), (np.ones(3, np.float32), np.float32(2), 3.0)


def custom_jvp(jax, jnp, lax):
    @jax.custom_jvp
    def f(x):
        return jnp.sin(x)

    @f.defjvp
    def f_jvp(primals, tangents):
        return f(*primals), jnp.cos(primals[0]) * tangents[0]

    return (lambda x: f(x) * 2.0), (np.ones(3),)


def custom_vjp(jax, jnp, lax):
    @jax.custom_vjp
    def f(x, y):
        return jnp.sin(x) * y

    def f_fwd(x, y):
        return f(x, y), (x, y)

    def f_bwd(res, g):
        return g, g

    f.defvjp(f_fwd, f_bwd)
    return (lambda x: f(x, x) * 2.0), (np.ones(3),)


def checkpointed_as_a_whole(jax, jnp, lax):
    return jax.checkpoint(lambda x: jnp.sin(jnp.sin(x))), (np.float64(1.0),)


def sine_of_cosine(jax, jnp, lax):
    return (lambda x: jnp.sin(jnp.cos(x))), (3.0,)


def scan_without_xs(jax, jnp, lax):
    return (lambda x: lax.scan(lambda carry, _: (carry * 2.0, carry), x, None, length=4)), (np.ones(3),)


def loop_of_a_tuple(jax, jnp, lax):
    return (lambda x: lax.while_loop(lambda c: c[0] < 10, lambda c: (c[0] + 1, c[1] * 2.0), (0, x))), (np.ones(3),)


def cond_without_operands(jax, jnp, lax):
    return (lambda x, n: lax.cond(n > 0, lambda: x + 1.0, lambda: x)), (np.ones(3), 2)


def products(jax, jnp, lax):
    def f(a, v):
        return (a @ v) @ a, a @ a.T, v @ v, jnp.einsum("ij,kj->ik", a, a)

    return f, (np.ones((3, 4)), np.ones(4))


def shapes(jax, jnp, lax):
    def f(a):
        return -a.T, -a.reshape(12), -a[0], -a[1:3], jnp.concatenate([a, a]), a.astype(np.float32), a.max(axis=1), jnp.sum(a) + a[:, 1]

    return f, (np.ones((3, 4)),)


def functions(jax, jnp, lax):
    def f(x, y):
        z = jnp.exp(x) / jnp.log(y) - jnp.sqrt(x) + jnp.abs(jnp.tanh(y)) - jnp.floor(x)
        return jnp.maximum(z, 0.0), jnp.arctan2(x, y) ** 3, -jnp.arcsin(x), x**y, 1.0 / x, jnp.isfinite(x)

    return f, (np.full(4, 0.5), np.full(4, 1.5))


def comparisons(jax, jnp, lax):
    def f(x):
        return (x >= 0.0) & (x < 1.0) | ~(x == 2.0) ^ (x != 3.0)

    return f, (np.ones(4),)


def stretched(jax, jnp, lax):
    return (lambda a, v, s: (a + v) * s), (np.ones((3, 4)), np.ones(4), np.float64(2.0))


def checkpointed(jax, jnp, lax):
    return (lambda x: jax.checkpoint(lambda y: jnp.sin(y) * y)(x)), (np.float64(2.0),)


def nothing_to_do(jax, jnp, lax):
    return (lambda x: (x, x, 1.5, np.float64(3.0))), (np.arange(3.0),)


def selu(jax, jnp, lax):
    def selu(x, alpha=1.67, lambda_=1.05):
        return lambda_ * jnp.where(x > 0, x, alpha * jnp.exp(x) - alpha)

    return selu, (np.arange(5.0),)


def choices(jax, jnp, lax):
    def f(x, s, m):
        inner = jnp.where(x > 0, jnp.where(x > 1, 2.0, x), jnp.where(x > 2, x, 1.0))
        return inner, jnp.where(x > 0, x, s), jnp.where(x > 0, x, m), jnp.where(s > 0, 1, s), jnp.where(s, s, 2.0), lax.select(x > 0, x, -x)

    return f, (np.ones(3), 1.0, np.ones((2, 3)))


def functions_of_known_numbers(jax, jnp, lax):
    def log2(x):
        ln_x = jnp.log(x)
        ln_2 = jnp.log(2.0)
        return ln_x / ln_2

    return log2, (3.0,)


def shapes_that_are_asked_for(jax, jnp, lax):
    def log2_if_rank_2(x):
        if x.ndim == 2:
            return jnp.log(x) / jnp.log(2.0)
        return x

    return log2_if_rank_2, (np.array([1, 2, 3]),)


def product_of_sums(jax, jnp, lax):
    return (lambda x, y: jnp.dot(x + 1, y + 1)), (np.ones((3, 4)), np.ones(4))


def scan_of_integers(jax, jnp, lax):
    return _with_its_sums(jnp, lax), (np.arange(16), 5.0)


def examined(jax, jnp, lax):
    return (lambda w, b, x: (jnp.dot(w, x) + b + jnp.ones(5), x)), (np.ones((5, 10)), np.ones(5), np.ones(10))


def inverted(jax, jnp, lax):
    return (lambda x: jnp.exp(jnp.tanh(x))), (np.ones(5),)


def what_nobody_reads(jax, jnp, lax):
    def f(x):
        y = jnp.sin(x)
        jnp.cos(y)
        return x * 2

    return f, (1.0,)


def counter_in_jitted(jax, jnp, lax):
    return jax.jit(lambda x: lax.fori_loop(0, 3, lambda i, c: c * 2.0, x)), (1.0,)


def put_together(jax, jnp, lax):
    def convolve(x, w):
        output = []
        for i in range(1, len(x) - 1):
            output.append(jnp.dot(x[i - 1 : i + 2], w))
        return jnp.array(output)

    return convolve, (np.ones(5), np.ones(3))


def squares(jax, jnp, lax):
    return (lambda x, s: (jnp.sum(x**2), jnp.square(x), s**2, s**3)), (np.ones(3), 2.0)


def checkpointed_layers(jax, jnp, lax):
    def g(w, x):
        return jnp.sin(jnp.dot(w, x))

    def f(w1, w2, w3, x):
        x = jax.checkpoint(g)(w1, x)
        x = jax.checkpoint(g, policy=jax.checkpoint_policies.dots_with_no_batch_dims_saveable)(w2, x)
        return jax.checkpoint(g)(w3, x)

    return f, (np.ones((5, 4)), np.ones((6, 5)), np.ones((7, 6)), np.ones(4))


def batch_of_functions(jax, jnp, lax):
    return jax.vmap(lambda x: jnp.sin(jnp.cos(x))), (np.ones(3),)


def batch_of_products(jax, jnp, lax):
    return jax.vmap(jnp.dot, in_axes=(None, 0)), (np.ones((3, 4)), np.ones((5, 4)))


def gradient(jax, jnp, lax):
    return jax.grad(lambda x: jnp.sin(jnp.cos(x))), (3.0,)


def value_and_gradient(jax, jnp, lax):
    return jax.value_and_grad(lambda x: jnp.sum(x**2)), (np.ones(3),)


def tangent(jax, jnp, lax):
    return (lambda x, t: jax.jvp(lambda x: jnp.sin(jnp.cos(x)), (x,), (t,))), (1.0, 2.0)


def pullback(jax, jnp, lax):
    def f(x, ct):
        y, vjp = jax.vjp(lambda x: jnp.sin(jnp.cos(x)), x)
        return y, vjp(ct)

    return f, (1.0, 1.0)


def linearized(jax, jnp, lax):
    def f(x, t):
        y, lin = jax.linearize(lambda x: jnp.sin(jnp.cos(x)), x)
        return y, lin(t)

    return f, (1.0, 1.0)


def jitted_gradient(jax, jnp, lax):
    return jax.jit(jax.grad(lambda x: jnp.sum(jnp.sin(x)))), (np.ones(3),)


def batch_of_gradients(jax, jnp, lax):
    return jax.vmap(jax.grad(lambda x: jnp.sin(jnp.cos(x)))), (np.ones(3),)


def gradient_of_a_product(jax, jnp, lax):
    return jax.grad(lambda w, x: jnp.sum(jnp.sin(w @ x)), (0, 1)), (np.ones((3, 4)), np.ones((4, 2)))


def gradient_of_a_polynomial(jax, jnp, lax):
    return jax.grad(lambda x: x**3 + 2 * x**2 - 3 * x + 1), (1.0,)


def gradient_of_several(jax, jnp, lax):
    return jax.grad(lambda x, y: x - y * x, (0, 1)), (3.0, 2.0)


def gradient_of_log1pexp(jax, jnp, lax):
    return jax.grad(lambda x: jnp.log(1.0 + jnp.exp(x))), (3.0,)


def gradient_of_a_custom_rule(jax, jnp, lax):
    @jax.custom_jvp
    def log1pexp(x):
        return jnp.log(1.0 + jnp.exp(x))

    @log1pexp.defjvp
    def log1pexp_jvp(primals, tangents):
        (x,), (x_dot,) = primals, tangents
        ans = log1pexp(x)
        ans_dot = (1 - 1 / (1 + jnp.exp(x))) * x_dot
        return ans, ans_dot

    return jax.grad(log1pexp), (100.0,)


def long_bodies_stand_in_front(jax, jnp, lax):
    def long(x):
        for _ in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11):
            x = jnp.sin(x)
        return x

    return jax.jit(long), (np.float64(1.0),)


EXAMPLES = [
    array_operations, helpers_are_traced_through, containers_are_flattened, constants, switch, cond, cond_of_several, while_loop, fori_loop_of_known_length,
    sine_of_cosine, jitted_inside, jitted_twice, jitted_in_jitted, jitted_in_a_loop, jitted_of_static_arguments, jitted_with_constants, jitted_inline,
    jitted_with_unread_arguments, jitted_lambdas_and_partials, weak_meets_strong, weak_integers, integers_meet_weak_floats, weak_carries, single_precision, custom_jvp, custom_vjp,
    checkpointed_as_a_whole, scan_without_xs, loop_of_a_tuple, cond_without_operands, fori_loop_of_run_time_length, scan, scan_reversed, map_over_rows, jitted, products, shapes, functions, comparisons, stretched, checkpointed, nothing_to_do, long_bodies_stand_in_front,
    selu, choices, functions_of_known_numbers, shapes_that_are_asked_for, product_of_sums, scan_of_integers, examined, inverted, what_nobody_reads, counter_in_jitted, put_together, squares, checkpointed_layers, batch_of_functions, batch_of_products, gradient, value_and_gradient, tangent, pullback, linearized, jitted_gradient, batch_of_gradients, gradient_of_a_product, gradient_of_a_polynomial, gradient_of_several, gradient_of_log1pexp, gradient_of_a_custom_rule,
]  # fmt: skip


def by_jax():
    import jax
    from jax import lax

    jax.config.update("jax_enable_x64", True)
    made = ((example, *example(jax, jax.numpy, lax)) for example in EXAMPLES)
    return {example.__name__: str(jax.make_jaxpr(fun)(*args)) for example, fun, args in made}


if __name__ == "__main__":
    STORED.write_text(json.dumps(by_jax(), indent=1) + "\n", encoding="utf-8")
