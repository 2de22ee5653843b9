"""Programs over devices as JAX's SPMD pages have them (pmap, shard_map), written for these tests: each takes the library (jax or s2s), its numpy and its lax, and
returns a container of numbers. There are eight devices.
"""
from __future__ import annotations

from functools import partial

import numpy as np


def drawn(jnp, *shape, seed=0.0):
    return jnp.sin(1.7 * jnp.arange(1.0, float(np.prod(shape)) + 1.0) + seed).reshape(shape)


def mesh_of(jax, sizes, names):
    return jax.sharding.Mesh(np.array(jax.devices()[: int(np.prod(sizes))]).reshape(sizes), names)


# ---- pmap ------------------------------------------------------------------------------------------------------------------


def convolution(jax, jnp, lax):
    """Each device its part; edges come from the neighbours."""
    def convolve(x, w):
        return jnp.stack([jnp.dot(x[i - 1 : i + 2], w) for i in range(1, len(x) - 1)])

    def with_edges(x, w):
        left = lax.ppermute(x[-1:], "p", [(i, (i + 1) % 8) for i in range(8)])
        right = lax.ppermute(x[:1], "p", [((i + 1) % 8, i) for i in range(8)])
        return convolve(jnp.concatenate([left, x, right]), w)

    xs, w = drawn(jnp, 8, 5), jnp.array([2.0, 3.0, 4.0])
    spread = jax.pmap(with_edges, axis_name="p", in_axes=(0, None))
    return spread(xs, w), jax.pmap(convolve)(xs, jnp.stack([w] * 8)), jax.grad(lambda w, xs: jnp.sum(spread(xs, w) ** 2))(w, xs)


def normalised(jax, jnp, lax):
    """Collectives, and names of nested axes within one map."""
    rows = drawn(jnp, 4, 3)

    def by_both(x):
        along = jax.vmap(lambda x: x / lax.psum(x**2, ("rows", "columns")), axis_name="columns")
        return along(x), lax.pmax(x, "rows"), lax.axis_index("rows")

    return jax.pmap(lambda x: x / lax.psum(x, "i"), axis_name="i")(jnp.arange(4.0)), jax.pmap(by_both, axis_name="rows")(rows)


def training(jax, jnp, lax):
    """Data-parallel linear regression: parameters on each device, gradients averaged, in steps."""
    xs = drawn(jnp, 64, 1)
    ys = xs * 2 - 1 + 0.1 * drawn(jnp, 64, 1, seed=1.0)

    def loss_fn(params, xs, ys):
        return jnp.mean((xs * params["w"] + params["b"] - ys) ** 2)

    @partial(jax.pmap, axis_name="devices")
    def update(params, xs, ys):
        loss, grads = jax.value_and_grad(loss_fn)(params, xs, ys)
        grads, loss = lax.pmean(grads, axis_name="devices"), lax.pmean(loss, axis_name="devices")
        return jax.tree_util.tree_map(lambda p, g: p - 0.3 * g, params, grads), loss

    params = jax.tree_util.tree_map(lambda x: jnp.stack([x] * 8), {"w": jnp.array(0.0), "b": jnp.array(0.5)})
    split = lambda a: a.reshape(8, a.shape[0] // 8, *a.shape[1:])  # noqa: E731
    for _ in range(5):
        params, loss = update(params, split(xs), split(ys))
    return params, loss


def derivatives_of_a_pmap(jax, jnp, lax):
    f = lambda x: jnp.sum(x * lax.psum(x * x, "i") + lax.pmean(jnp.sin(x), "i"))  # noqa: E731
    x = drawn(jnp, 4, 3)
    spread = jax.pmap(f, "i")
    inside = jax.pmap(jax.grad(f), "i")
    return spread(x), inside(x), jax.grad(lambda x: jnp.sum(spread(x) ** 2))(x), jax.grad(lambda x: jnp.sum(inside(x) ** 2))(x), jax.jvp(spread, (x,), (jnp.cos(x),))


# ---- shard_map ----------------------------------------------------------------------------------------------------------------


def products(jax, jnp, lax):
    """The first example of the page: blocks of a product, their sums, and sums that stay spread."""
    P = jax.sharding.PartitionSpec  # noqa: N806
    mesh = mesh_of(jax, (4, 2), ("x", "y"))
    a, b = drawn(jnp, 8, 16), drawn(jnp, 16, 4, seed=1.0)

    @partial(jax.shard_map, mesh=mesh, in_specs=(P("x", "y"), P("y", None)), out_specs=P("x", None))
    def basic(a_block, b_block):
        return lax.psum(a_block @ b_block, "y")

    @partial(jax.shard_map, mesh=mesh, in_specs=(P("x", "y"), P("y", None)), out_specs=P("x", "y"))
    def scattered(a_block, b_block):
        return lax.psum_scatter(a_block @ b_block, "y", scatter_dimension=1, tiled=True)

    return basic(a, b), scattered(a, b), jax.grad(lambda a: jnp.sum(jnp.sin(basic(a, b))))(a), jax.grad(lambda b: jnp.sum(jnp.sin(scattered(a, b))))(b)


def shapes(jax, jnp, lax):
    """What specs make of blocks: cut, repeated, put together, by both axes of the mesh in both orders."""
    P = jax.sharding.PartitionSpec  # noqa: N806
    mesh = mesh_of(jax, (4, 2), ("i", "j"))
    x = drawn(jnp, 12, 8)

    def of(specs, outs, f):
        return jax.shard_map(f, mesh=mesh, in_specs=specs, out_specs=outs)(x)

    return (
        of(P("i", None), P("i", "j"), lambda x: x * 2), of(P("i", "j"), P(None, ("j", "i")), lambda x: x[:, :2]), of(P(None, ("i", "j")), P(None, ("i", "j")), lambda x: x * lax.axis_index("i")),
        of(P(None, ("j", "i")), P(("j", "i")), lambda x: x.T * lax.axis_index("j")), of(P("j"), P(None, "j"), lambda x: x), of(P("i", "j"), P(), lambda x: lax.psum(x, ("i", "j"))),
        of(P("i", "j"), P("i"), lambda x: lax.pmax(x, "j")), of(P(), P("i"), lambda x: x[:1] + lax.axis_index("i")),
    )


def moved(jax, jnp, lax):
    """all_gather, all_to_all, psum_scatter and rings."""
    P = jax.sharding.PartitionSpec  # noqa: N806
    mesh = mesh_of(jax, (4,), ("i",))
    spread = partial(jax.shard_map, mesh=mesh, in_specs=P("i"), out_specs=P("i"))
    x = drawn(jnp, 16, 4)

    def ring(x):
        total, here = x, x
        for _ in range(3):
            here = lax.ppermute(here, "i", [(k, (k + 1) % 4) for k in range(4)])
            total = total + here * here
        return total

    functions = (
        lambda x: lax.all_gather(x, "i", tiled=True)[:4] * x, lambda x: lax.all_gather(x, "i").sum(0) + x, lambda x: lax.all_to_all(x, "i", 1, 0, tiled=True),
        lambda x: lax.psum_scatter(x, "i", tiled=True), ring,
    )  # fmt: skip
    return [(spread(f)(x), jax.grad(lambda x, f=f: jnp.sum(jnp.sin(spread(f)(x))))(x)) for f in functions]


def networks(jax, jnp, lax):
    """A network's loss by data, by data and weights, and by its own axes: the page's second half. All losses and gradients are the plain ones."""
    P = jax.sharding.PartitionSpec  # noqa: N806
    sizes = (8, 16, 8)
    params = [(drawn(jnp, n, m, seed=n) / n, drawn(jnp, m, seed=m)) for n, m in zip(sizes, sizes[1:], strict=False)]
    inputs, targets = drawn(jnp, 16, 8, seed=0.5), drawn(jnp, 16, 8, seed=0.7)

    def predict(params, inputs):
        for w, b in params[:-1]:
            inputs = jnp.tanh(jnp.dot(inputs, w) + b)
        w, b = params[-1]
        return jnp.dot(inputs, w) + b

    def loss(params, inputs, targets):
        return jnp.mean(jnp.sum((predict(params, inputs) - targets) ** 2, axis=-1))

    by_data = mesh_of(jax, (8,), ("batch",))

    @partial(jax.shard_map, mesh=by_data, in_specs=(P(), P("batch"), P("batch")), out_specs=P())
    def loss_dp(params, inputs, targets):
        return lax.pmean(loss(params, inputs, targets), "batch")

    def gathered(params, inputs):
        for w, b in params[:-1]:
            w, b = lax.all_gather(w, "batch", tiled=True), lax.all_gather(b, "batch", tiled=True)
            inputs = jnp.tanh(jnp.dot(inputs, w) + b)
        w, b = lax.all_gather(params[-1][0], "batch", tiled=True), lax.all_gather(params[-1][1], "batch", tiled=True)
        return jnp.dot(inputs, w) + b

    @partial(jax.shard_map, mesh=by_data, in_specs=(P("batch"), P("batch"), P("batch")), out_specs=P())
    def loss_fsdp(params, inputs, targets):
        return lax.pmean(jnp.mean(jnp.sum((gathered(params, inputs) - targets) ** 2, axis=-1)), "batch")

    by_both = mesh_of(jax, (2, 4), ("batch", "feats"))

    def by_features(params, inputs):
        for w, b in params[:-1]:
            inputs = jnp.tanh(lax.psum_scatter(jnp.dot(inputs, w), "feats", scatter_dimension=1, tiled=True) + b)
        w, b = params[-1]
        return lax.psum_scatter(jnp.dot(inputs, w), "feats", scatter_dimension=1, tiled=True) + b

    @partial(jax.shard_map, mesh=by_both, in_specs=(P("feats"), P("batch", "feats"), P("batch", "feats")), out_specs=P())
    def loss_tp(params, inputs, targets):
        errors = jnp.sum((by_features(params, inputs) - targets) ** 2, axis=-1)
        return lax.pmean(jnp.mean(lax.psum(errors, "feats")), "batch")

    return [jax.value_and_grad(each)(params, inputs, targets) for each in (loss, loss_dp, loss_fsdp, loss_tp)]


LOSSES = {
    "psum": lambda jnp, lax, w, x: lax.psum(jnp.sum(jnp.sin(w * x)), "i"), "local": lambda jnp, lax, w, x: jnp.sum(jnp.sin(w * x)), "pmean": lambda jnp, lax, w, x: lax.pmean(jnp.sum(w * x) ** 2, "i"),
    "shared and local": lambda jnp, lax, w, x: jnp.sum(lax.psum(w * x, "i") ** 2) * x[0] * w, "gathered": lambda jnp, lax, w, x: jnp.sum(jnp.sin(w * lax.all_gather(x, "i"))),
    "squares": lambda jnp, lax, w, x: lax.psum(jnp.sum(w * x), "i") ** 2 + w**3, "shared only": lambda jnp, lax, w, x: w**3, "sent": lambda jnp, lax, w, x: jnp.sum(w * lax.ppermute(x, "i", [(0, 1), (1, 2), (2, 3), (3, 0)]) * x),
    "trips": lambda jnp, lax, w, x: lax.psum(lax.fori_loop(0, 3, lambda k, s: s * jnp.sum(jnp.cos(w * x + k)), lax.pcast(1.0, "i", to="varying")), "i"),
}  # fmt: skip
"""Of a number w that all devices share, and of x, their own."""


def derivatives_inside(jax, jnp, lax):
    """With check_vma w is one variable: its gradient inside is the whole one; without, each device has a w of its own."""
    P = jax.sharding.PartitionSpec  # noqa: N806
    mesh = mesh_of(jax, (4,), ("i",))
    x, w = drawn(jnp, 8), 1.3
    found = []
    for loss in LOSSES.values():
        f = partial(loss, jnp, lax)
        by_w, by_x = jax.grad(f), jax.grad(f, 1)
        spread = partial(jax.shard_map, mesh=mesh, in_specs=(P(), P("i")))
        twice = spread(jax.grad(lambda w, x, by_w=by_w: jnp.sin(by_w(w, x))), out_specs=P())
        mixed = spread(jax.grad(lambda w, x, by_x=by_x: jnp.sum(by_x(w, x) ** 2)), out_specs=P())
        outer = jax.grad(lambda w, x=x, by_x=by_x, spread=spread: jnp.sum(spread(by_x, out_specs=P("i"))(w, x) ** 2))
        apart = spread(lambda w, x, f=f: jax.vjp(f, w, x)[1](f(w, x)), out_specs=(P(), P("i")))
        found.append((
            spread(by_w, out_specs=P())(w, x), spread(by_x, out_specs=P("i"))(w, x), twice(w, x), mixed(w, x), outer(w), apart(w, x),
            spread(lambda w, x, by_w=by_w: jnp.reshape(by_w(w, x), (1,)), out_specs=P("i"), check_vma=False)(w, x), spread(by_x, out_specs=P("i"), check_vma=False)(w, x),
        ))  # fmt: skip
    return found


def derivatives_inside_two_axes(jax, jnp, lax):
    """Shared along one axis of the mesh, different along the other."""
    P = jax.sharding.PartitionSpec  # noqa: N806
    mesh = mesh_of(jax, (4, 2), ("i", "j"))
    x, w, v = drawn(jnp, 8, 4), drawn(jnp, 4, seed=1.0), 0.7

    def loss(w, v, x):
        return lax.psum(jnp.sum(jnp.sin(v * (x @ w))), "i")

    def total(w, v, x):
        return lax.psum(loss(w, v, x), "j")

    spread = partial(jax.shard_map, mesh=mesh, in_specs=(P("j"), P(), P("i", "j")))
    outs = (P("j"), P(), P("i", "j"))
    return [spread(jax.grad(f, (0, 1, 2)), out_specs=outs)(w, v, x) for f in (loss, total)], jax.grad(lambda v: jnp.sum(spread(jax.grad(total), out_specs=P("j"))(w, v, x) ** 2))(v)


def jacobians_inside(jax, jnp, lax):
    P = jax.sharding.PartitionSpec  # noqa: N806
    mesh = mesh_of(jax, (4,), ("i",))
    x, w = drawn(jnp, 8), drawn(jnp, 3, seed=1.0)

    def f(w, x):
        return lax.psum(jnp.sin(w) * jnp.sum(x**2), "i") + w**2

    spread = partial(jax.shard_map, mesh=mesh, in_specs=(P(), P("i")), out_specs=P())
    return spread(jax.jacfwd(f))(w, x), spread(jax.jacrev(f))(w, x), spread(lambda w, x: jax.jvp(lambda w: f(w, x), (w,), (jnp.cos(w),)))(w, x)


def more_inside(jax, jnp, lax):
    """Derivatives of derivatives, of rules, checkpoints, batches, loops and branches inside; what is the same for all by its number but not by what it belongs to."""
    P = jax.sharding.PartitionSpec  # noqa: N806
    mesh = mesh_of(jax, (4,), ("i",))
    x, w = drawn(jnp, 8), 1.3

    def ruled(w):
        return w**2

    rule = jax.custom_jvp(ruled)
    rule.defjvp(lambda primals, tangents: (ruled(primals[0]), 3 * primals[0] * tangents[0]))
    kept = jax.checkpoint(lambda w, x: jnp.sum(jnp.sin(w * x)))

    def total(w, x):
        return lax.psum(jnp.sum(jnp.sin(w * x)), "i")

    def rolled(w, x):
        return lax.scan(lambda c, t: (c * jnp.cos(w * t), None), lax.pcast(1.0, "i", to="varying"), x)[0]

    functions = (
        jax.grad(lambda w, x: jax.jvp(lambda w: w**2 + jnp.sum(x), (w,), (1.0,))[1]), jax.grad(lambda w, x: jax.jacfwd(lambda w: w**2 + jnp.sum(x))(w)), jax.grad(lambda w, x: rule(w) * jnp.sum(x)),
        jax.grad(kept), jax.grad(lambda w, x: jax.grad(kept)(w, x) ** 2), jax.grad(lambda w, x: jax.jvp(jax.grad(lambda w: jnp.sum(jnp.sin(w * x))), (w,), (1.0,))[1]),
        lambda w, x: jax.jvp(jax.grad(lambda w: total(w, x)), (w,), (1.0,))[1], jax.hessian(total), jax.hessian(lambda w, x: jnp.sum(jnp.sin(w * x))),
        lambda w, x: jax.linearize(lambda w: total(w, x), w)[1](2.0), lambda w, x: jax.linear_transpose(lambda w: lax.psum(jnp.sum(w * x), "i"), w)(2.0)[0],
        jax.jit(jax.grad(lambda w, x: lax.pmean(jnp.sum(w * x) ** 2, "i"))), jax.grad(lambda w, x: jnp.sum(jax.vmap(lambda t: lax.psum(w * t, "i") ** 2)(x))),
        jax.vmap(jax.grad(lambda w, t: lax.psum(jnp.sin(w * t), "i")), in_axes=(None, 0)), jax.grad(lambda w, x: lax.psum(w**2, "i")),
        jax.grad(lambda w, x: w**2 * lax.axis_size("i") + jnp.sum(lax.axis_index("i") * w)), jax.grad(rolled), jax.grad(lambda w, x: jnp.sum(lax.psum_scatter(w * jnp.concatenate([x, x**2]), "i"))),
        jax.grad(lambda w, x: lax.cond(lax.psum(jnp.sum(x), "i") > 0, lambda w: w**2 * jnp.sum(x), lambda w: w * jnp.sum(x), w)),
    )  # fmt: skip
    found = [jax.shard_map(f, mesh=mesh, in_specs=(P(), P("i")), out_specs=P())(w, x) for f in functions]
    loss = jax.value_and_grad(lambda p, x: lax.psum(jnp.sum(p["a"] * x + p["b"] ** 2), "i"))
    return found, jax.shard_map(jax.grad(rule), mesh=mesh, in_specs=P(), out_specs=P())(w), jax.shard_map(loss, mesh=mesh, in_specs=(P(), P("i")), out_specs=P())({"a": w, "b": 2.0}, x)


def own_ways(jax, jnp, lax):
    """Each device its own trips, and all together until the last is done."""
    P = jax.sharding.PartitionSpec  # noqa: N806
    mesh = mesh_of(jax, (4,), ("i",))

    def alone(a):
        a = a[0]
        return lax.while_loop(lambda y: jnp.abs(y * y - a) > 1e-9 * a, lambda y: 0.5 * (y + a / y), a)[None]

    def together(a):
        def body(state):
            y, _ = state
            new = 0.5 * (y + a / y)
            return new, lax.pmax(jnp.max(jnp.abs(new - y)), "i")

        return lax.while_loop(lambda state: state[1] > 1e-9, body, (a, 1.0))[0]

    a = jnp.array([1.0, 4.0, 9.0, 100.0])
    return [jax.shard_map(f, mesh=mesh, in_specs=P("i"), out_specs=P("i"))(a) for f in (alone, together)]


def containers(jax, jnp, lax):
    P = jax.sharding.PartitionSpec  # noqa: N806
    mesh = mesh_of(jax, (4,), ("i",))

    def f(params, data):
        y = data["x"] * params["w"] + params["b"]
        return {"y": y, "sum": lax.psum(jnp.sum(y), "i")}, jnp.reshape(lax.axis_index("i") * 1.0, (1,))

    spread = jax.shard_map(f, mesh=mesh, in_specs=(P(), {"x": P("i")}), out_specs=({"y": P("i"), "sum": P()}, P("i")))
    return spread({"w": 2.0, "b": jnp.array([1.0])}, {"x": drawn(jnp, 8)}), jax.vmap(spread, in_axes=(None, 0))({"w": 2.0, "b": jnp.array([1.0])}, {"x": drawn(jnp, 3, 8)})


PMAPS = (convolution, normalised, training, derivatives_of_a_pmap)
SHARD_MAPS = (products, shapes, moved, networks, derivatives_inside, derivatives_inside_two_axes, jacobians_inside, more_inside, own_ways, containers)
PROGRAMS = (*PMAPS, *SHARD_MAPS)
