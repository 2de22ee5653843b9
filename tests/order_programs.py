"""Drawn programs of transformations in any order, and of drawn collectives: by a seed, each takes the library (jax or s2s), its numpy and its lax."""
from __future__ import annotations

import random

import numpy as np

REVERSE = frozenset(("grad", "vjp", "jacrev", "hessian", "custom_vjp"))
BATCHES = ("vmap", "along the last axis", "of scales", "named")
KINDS = (*BATCHES, "grad", "jvp", "vjp", "jacfwd", "jacrev", "hessian", "linearize", "checkpoint", "jit", "custom_jvp", "custom_vjp")
FORWARD_ONLY = {"jvp": "vjp", "linearize": "vjp", "jacfwd": "jacrev", "hessian": "grad"}
"""What stands in their place where a custom_vjp function has no tangent."""


def base(name, jnp, lax, *, forward):
    """A function of a vector that gives one, with control flow that depends on values."""
    def newton(x):
        a = jnp.sum(x * x) + 1.0
        if not forward:  # JAX has no reverse mode of while_loop
            return lax.fori_loop(0, 5, lambda _, s: 0.5 * (s + a / s), a) * x
        last = lax.while_loop(lambda s: abs(s[0] * s[0] - a) > 1e-10 * a, lambda s: (0.5 * (s[0] + a / s[0]), s[1] + 1), (a, 0))
        return last[0] * x

    def branch(x):
        return lax.cond(jnp.sum(jnp.sin(x)) > 0.3, lambda x: jnp.sin(x) * x, lambda x: jnp.exp(-x * x), x)

    def rolled(x):
        last, ys = lax.scan(lambda c, w: (jnp.tanh(c * w + x), jnp.sum(c) * w), x, jnp.arange(1.0, 4.0))
        return last * jnp.sum(ys)

    def straight(x):
        return jnp.tanh(x) * jnp.sum(x * x)

    return {"newton": newton, "branch": branch, "rolled": rolled, "straight": straight}[name]


def within(kind, jax, jnp, lax, g):
    """A function of a vector made of another one by a transformation."""
    def total(x):
        return jnp.sum(jnp.sin(g(x)))

    def batch(x):
        return jnp.sum(jax.vmap(g)(jnp.stack([x, 2.0 * x, -x])) * jnp.array([1.0, 2.0, 3.0])[:, None], axis=0)

    def last_axis(x):
        return jnp.sum(jax.vmap(g, in_axes=1, out_axes=-1)(jnp.stack([x, 2.0 * x, -x], axis=1)), axis=1)

    def scales(x):
        return jnp.sum(jax.vmap(lambda s: g(s * x) * s)(jnp.array([0.5, 1.5])), axis=0)

    def named(x):
        each = jax.vmap(lambda s: g(s * x) * lax.psum(g(x * s * s), "i") / (1.0 + lax.axis_index("i")), axis_name="i")
        return jnp.sum(each(jnp.array([0.5, 1.5])), axis=0)

    def pulled(x):
        y, pull = jax.vjp(g, x)
        return pull(jnp.cos(y))[0]

    def linear(x):
        return jax.linearize(g, x)[1](jnp.sin(x))

    def ruled_forward(x):
        f = jax.custom_jvp(g)
        f.defjvp(lambda primals, tangents: (f(*primals), 1.5 * jax.jvp(g, primals, tangents)[1]))
        return f(x)

    def ruled_back(x):
        f = jax.custom_vjp(g)
        f.defvjp(lambda x: (f(x), x), lambda x, bar: (jnp.cos(x) * bar,))
        return f(x)

    return {
        "vmap": batch, "along the last axis": last_axis, "of scales": scales, "named": named, "grad": jax.grad(total), "vjp": pulled, "linearize": linear,
        "jvp": lambda x: jax.jvp(g, (x,), (jnp.cos(x),))[1], "jacfwd": lambda x: jnp.cos(x) @ jax.jacfwd(g)(x), "jacrev": lambda x: jax.jacrev(g)(x) @ jnp.cos(x),
        "hessian": lambda x: jax.hessian(total)(x) @ jnp.sin(x), "checkpoint": jax.checkpoint(g), "jit": jax.jit(g), "custom_jvp": ruled_forward, "custom_vjp": ruled_back,
    }[kind]  # fmt: skip


def order(seed):
    """The name of a base, and transformations, the innermost first; one at least is a batch."""
    draw = random.Random(seed)
    name, kinds = draw.choice(("newton", "branch", "rolled", "straight")), [draw.choice(KINDS) for _ in range(draw.choice((2, 3, 3)))]
    if not set(BATCHES) & set(kinds):
        kinds[draw.randrange(len(kinds))] = draw.choice(BATCHES)
    if "hessian" in kinds and len(kinds) == 3:
        kinds[kinds.index("hessian")] = "grad"
    if "custom_vjp" in kinds:
        kinds = [FORWARD_ONLY.get(kind, kind) for kind in kinds]
    return name, kinds, draw.random() < 0.6


def in_order(seed, jax, jnp, lax):
    """The program: outside of all of them a batch, or jit."""
    name, kinds, batched = order(seed)
    g = base(name, jnp, lax, forward=not REVERSE & set(kinds))
    for kind in kinds:
        g = within(kind, jax, jnp, lax, g)
    return jax.vmap(g)(jnp.sin(jnp.arange(6.0)).reshape(2, 3)) if batched else jax.jit(g)(jnp.sin(jnp.arange(3.0)))


# ---- collectives ---------------------------------------------------------------------------------------------------------------

OPERATIONS = ("psum", "pmean", "all_gather", "psum_scatter", "all_to_all", "ppermute", "pshuffle", "axis_index", "axis_size", "all_gather in groups", "pswapaxes", "pmax", "pmin")


def meeting(seed, jax, jnp, lax):
    """A drawn collective, over one or several names, along drawn axes: its values and all derivatives that JAX has."""
    draw = random.Random(seed)
    kind = draw.choice(OPERATIONS)
    sizes = {"i": draw.choice((1, 2, 3, 4)), "j": draw.choice((1, 2, 3))}
    several = draw.random() < 0.4
    names = ["i", *(["j", ("i", "j"), ("j", "i")] if several else [])]
    if kind not in ("psum", "pmean", "pmax", "pmin", "all_gather", "psum_scatter", "axis_index", "axis_size"):
        names = names[:2]
    name = draw.choice(names)
    count = int(np.prod([sizes[each] for each in ((name,) if isinstance(name, str) else name)]))
    tiled = draw.random() < 0.5 and isinstance(name, str)
    shape = [draw.choice((1, 2, 3)) for _ in range(draw.choice((1, 1, 2)))]
    axis, other, behind = draw.randrange(len(shape)), draw.randrange(len(shape)), draw.randrange(len(shape) + 1)
    if kind in ("psum_scatter", "all_to_all", "pswapaxes"):
        shape[axis] = count * (draw.choice((1, 2)) if tiled and kind != "pswapaxes" else 1)
    order = draw.sample(range(count), count)
    groups = [order[: count // 2], order[count // 2 :]] if count % 2 == 0 else [order]

    def f(x):
        y = jnp.sin(x) * x
        return {
            "psum": lambda: lax.psum(y, name), "pmean": lambda: lax.pmean(y, name), "pmax": lambda: lax.pmax(y, name), "pmin": lambda: lax.pmin(y, name),
            "all_gather": lambda: lax.all_gather(y, name, axis=axis if tiled else behind, tiled=tiled),
            "psum_scatter": lambda: lax.psum_scatter(y, name, scatter_dimension=axis, tiled=tiled),
            "all_to_all": lambda: lax.all_to_all(y, name, axis, other if tiled else axis, tiled=tiled),
            "ppermute": lambda: lax.ppermute(y, name, list(enumerate(order))), "pshuffle": lambda: lax.pshuffle(y, name, order),
            "axis_index": lambda: y * lax.axis_index(name), "axis_size": lambda: y * lax.axis_size(name), "pswapaxes": lambda: lax.pswapaxes(y, name, axis),
            "all_gather in groups": lambda: lax.all_gather(y, name, axis_index_groups=groups if name == "i" and not several else None, axis=behind),
        }[kind]()  # fmt: skip

    def total(x):
        return jnp.sum(jnp.sin(f(x))) + jnp.sum(x * x * (1 + lax.axis_index("i")))

    def batch(g):
        return jax.vmap(jax.vmap(g, axis_name="j"), axis_name="i") if several else jax.vmap(g, axis_name="i")

    whole = [sizes["i"], *([sizes["j"]] if several else []), *shape]
    x = jnp.sin(1.3 * jnp.arange(1.0, 1.0 + np.prod(whole))).reshape(whole)
    weights = jnp.cos(1.0 * jnp.arange(sizes["i"])).reshape(-1, *[1] * several)
    if kind in ("pmax", "pmin"):
        return batch(f)(x)
    return (
        batch(f)(x), batch(jax.grad(total))(x), jax.grad(lambda x: jnp.sum(jnp.sin(batch(total)(x) * weights)))(x), batch(lambda x: jax.jvp(f, (x,), (jnp.cos(x),)))(x),
        jax.jvp(batch(f), (x,), (jnp.cos(x),)), jax.grad(lambda x: jnp.sum(batch(jax.grad(total))(x) ** 2))(x),
    )  # fmt: skip
