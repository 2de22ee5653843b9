"""Functions whose jaxprs JAX's documents explain, written for these tests: each takes the library (jax or s2s), its numpy and its lax, and gives a function and arguments.

`python tests/jaxpr_examples.py` writes the stored texts anew; it needs JAX.
"""
from __future__ import annotations

import json
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

    return f, (np.int64(1), np.float64(5.0))


def cond(jax, jnp, lax):
    def f(arg):
        return lax.cond(arg >= 0.0, lambda xtrue: xtrue + 3.0, lambda xfalse: xfalse - 3.0, arg)

    return f, (np.float64(5.0),)


def cond_of_several(jax, jnp, lax):
    def f(arg1, arg2):
        return lax.cond(arg1 >= 0.0, lambda xtrue: xtrue[0], lambda xfalse: 2.0 * xfalse[1], arg2)

    return f, (np.float64(5.0), (np.zeros(1), np.array([2.0])))


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

    return f, (np.ones(16), np.int64(5))


def scan(jax, jnp, lax):
    def f(arr, extra):
        ones = jnp.ones(arr.shape)

        def body(carry, aelems):
            ae1, ae2 = aelems
            return (carry + ae1 * ae2 + extra, carry)

        return lax.scan(body, np.float64(0.0), (arr, ones))

    return f, (np.arange(16.0), np.float64(5.0))


def scan_reversed(jax, jnp, lax):
    def f(xs):
        return lax.scan(lambda carry, x: (carry * 0.5 + x, carry), np.float64(1.0), xs, reverse=True)

    return f, (np.arange(4.0),)


def map_over_rows(jax, jnp, lax):
    return (lambda xs: lax.map(lambda x: jnp.tanh(x) * x, xs)), (np.arange(6.0),)


def jitted(jax, jnp, lax):
    return jax.jit(lambda x: jnp.sin(x) * x), (np.arange(3.0),)


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


def long_bodies_stand_in_front(jax, jnp, lax):
    def long(x):
        for _ in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11):
            x = jnp.sin(x)
        return x

    return jax.jit(long), (np.float64(1.0),)


EXAMPLES = [
    array_operations, helpers_are_traced_through, containers_are_flattened, constants, switch, cond, cond_of_several, while_loop, fori_loop_of_known_length,
    fori_loop_of_run_time_length, scan, scan_reversed, map_over_rows, jitted, products, shapes, functions, comparisons, stretched, checkpointed, nothing_to_do, long_bodies_stand_in_front,
]  # fmt: skip


def by_jax():
    import jax
    from jax import lax

    jax.config.update("jax_enable_x64", True)
    made = ((example, *example(jax, jax.numpy, lax)) for example in EXAMPLES)
    return {example.__name__: str(jax.make_jaxpr(fun)(*args)) for example, fun, args in made}


if __name__ == "__main__":
    STORED.write_text(json.dumps(by_jax(), indent=1) + "\n", encoding="utf-8")
