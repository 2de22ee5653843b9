"""More programs in the manner of JAX's documents (SPMD, sharp bits, state, axes, classes): each takes the library (jax or s2s), its numpy and its lax, and returns a container of numbers.

Those of the SPMD pages run their per-device functions by `vmap(axis_name=…)`, which means the same in both; `spread_programs.py` has them by `pmap` and `shard_map`.
"""
from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple


def spmd_collectives(jax: Any, jnp: Any, lax: Any) -> Any:
    def normalised(x: Any) -> Any:
        return x / lax.psum(x, "i")

    def doubly(x: Any) -> Any:
        row_sum, col_sum, total = lax.psum(x, "rows"), lax.psum(x, "cols"), lax.psum(x, ("rows", "cols"))
        return row_sum, col_sum, total, lax.axis_index("rows") * 10 + lax.axis_index("cols")

    x = jnp.arange(1.0, 5.0)
    grid = jnp.arange(6.0).reshape(2, 3)
    outputs = jax.vmap(jax.vmap(doubly, axis_name="cols"), axis_name="rows")(grid)
    slopes = jax.vmap(jax.grad(lambda v: jnp.sin(v) * lax.pmean(v, "i")), axis_name="i")(x)
    total = jax.grad(lambda v: jnp.sum(jax.vmap(normalised, axis_name="i")(v) ** 2))(x)
    gathered = jax.vmap(lambda v: lax.all_gather(v, "i", tiled=True), axis_name="i")(grid)
    return jax.vmap(normalised, axis_name="i")(x), outputs, slopes, total, gathered


def spmd_ring(jax: Any, jnp: Any, lax: Any) -> Any:
    def step(halo_left: Any, cells: Any, halo_right: Any) -> Any:
        padded = jnp.concatenate([halo_left, cells, halo_right])
        left, centre, right = padded[:-2], padded[1:-1], padded[2:]
        return (left + jnp.maximum(centre, right)) % 2

    def shift(x: Any, by: int, n: int) -> Any:
        return lax.ppermute(x, "i", [(k, (k + by) % n) for k in range(n)])

    def rule30(cells: Any) -> Any:
        return step(shift(cells[-1:], 1, 4), cells, shift(cells[:1], -1, 4))

    cells = jnp.zeros((4, 5)).at[2, 2].set(1.0) if hasattr(jnp.zeros(1), "at") else _with_one(jnp)
    states = [cells]
    for _ in range(4):
        states.append(jax.vmap(rule30, axis_name="i")(states[-1]))

    def diffused(x: Any) -> Any:
        def body(u: Any, _: Any) -> Any:
            return u + 0.1 * (shift(u, 1, 4) - 2 * u + shift(u, -1, 4)), jnp.sum(u)

        return lax.scan(body, x, None, length=3)

    heat = jnp.sin(jnp.arange(4.0))
    loss = jax.grad(lambda u: jnp.sum(jax.vmap(diffused, axis_name="i")(u)[0] ** 2))(heat)
    return jnp.stack(states), jax.vmap(diffused, axis_name="i")(heat), loss


def _with_one(jnp: Any) -> Any:
    cells = jnp.zeros((4, 5))
    cells[2, 2] = 1.0
    return cells


class Params(NamedTuple):
    weight: Any
    bias: Any


def spmd_training(jax: Any, jnp: Any, lax: Any) -> Any:
    def loss(params: Any, x: Any, y: Any) -> Any:
        return jnp.mean((x * params.weight + params.bias - y) ** 2)

    @partial(jax.vmap, axis_name="batch", in_axes=(None, 0, 0), out_axes=(None, 0))
    def update(params: Any, x: Any, y: Any) -> Any:
        value, slopes = jax.value_and_grad(loss)(params, x, y)
        slopes = lax.pmean(slopes, axis_name="batch")
        return jax.tree.map(lambda p, g: p - 0.2 * g, params, slopes), lax.pmean(value, "batch")

    key = jax.random.key(0)
    xs = jax.random.normal(key, (24,))
    noise = 0.1 * jax.random.normal(jax.random.fold_in(key, 1), (24,))
    ys = xs * 3 - 1 + noise
    x_split, y_split = xs.reshape(4, 6), ys.reshape(4, 6)
    params = Params(jnp.array(0.5), jnp.array(0.0))
    losses = []
    for _ in range(12):
        params, value = jax.jit(update)(params, x_split, y_split)
        losses.append(value[0])

    def matmul(a: Any, b: Any) -> Any:
        return lax.psum_scatter(a @ b, "i", scatter_dimension=0, tiled=True)

    a, b = jnp.sin(jnp.arange(24.0)).reshape(4, 6), jnp.cos(jnp.arange(18.0)).reshape(6, 3)
    blocks = jax.vmap(matmul, axis_name="i")(jnp.stack(jnp.split(a, 2, axis=1)), jnp.stack(jnp.split(b, 2)))
    return params, jnp.stack(losses), blocks, jax.vmap(lambda v: lax.all_to_all(v, "i", 0, 0), axis_name="i")(a[:, :4])


def sharp_bits(jax: Any, jnp: Any, lax: Any) -> Any:
    @jax.jit
    def updated(x: Any) -> Any:
        return x.at[1, :].set(1.0).at[::2, 3:].add(7.0).at[0, 0].multiply(3.0)

    def pick(x: Any, i: Any) -> Any:
        return x.at[i].get(mode="clip"), x.at[i].get(mode="fill", fill_value=jnp.nan)

    def loop(x: Any) -> Any:
        return lax.while_loop(lambda s: s[0] < 10.0, lambda s: (s[0] * s[1], s[1]), (x, 2.0))[0]

    def piecewise(x: Any) -> Any:
        return jnp.where(x > 0, jnp.log(jnp.where(x > 0, x, 1.0)), 0.0)

    x = jnp.zeros((3, 5)) + 0.5
    v = jnp.arange(10.0)
    key = jax.random.key(0)
    key, subkey = jax.random.split(key)
    draws = jax.random.normal(subkey, (1,)), jax.random.normal(key, (1,)), jax.random.uniform(jax.random.PRNGKey(5), (2,))
    return updated(x), jax.jit(pick)(v, 11), jax.jit(pick)(v, -1), loop(1.5), jax.vmap(loop)(jnp.array([1.0, 4.0])), jax.grad(lambda u: jnp.sum(piecewise(u)))(jnp.array([-1.0, 0.0, 2.0])), draws


def targets(jax: Any, jnp: Any, lax: Any) -> Any:
    """The page on stopping gradients, per-example gradients and Hessian products."""

    def value_fn(theta: Any, state: Any) -> Any:
        return jnp.dot(theta, state)

    def td_loss(theta: Any, s_tm1: Any, r_t: Any, s_t: Any) -> Any:
        target = r_t + value_fn(theta, s_t)
        return -0.5 * (lax.stop_gradient(target) - value_fn(theta, s_tm1)) ** 2

    def straight_through(x: Any) -> Any:
        zero = x - lax.stop_gradient(x)
        return zero + lax.stop_gradient(jnp.round(x))

    def hvp(f: Any, x: Any, v: Any) -> Any:
        return jax.grad(lambda y: jnp.vdot(jax.grad(f)(y), v))(x)

    def meta(theta: Any, x: Any) -> Any:
        return jnp.sum(jnp.tanh(theta * x) ** 2)

    def after_step(theta: Any, x: Any) -> Any:
        return meta(theta - 0.1 * jax.grad(meta)(theta, x), x)

    theta, s, t = jnp.array([0.1, -0.1, 0.0]), jnp.array([1.0, 2.0, -1.0]), jnp.array([2.0, 1.0, 0.0])
    batch = jnp.stack([s, t, s - t])
    return (
        jax.grad(td_loss)(theta, s, 1.0, t), jax.jit(jax.vmap(jax.grad(td_loss), in_axes=(None, 0, 0, 0)))(theta, batch, jnp.array([1.0, 0.5, 0.0]), batch[::-1]),
        straight_through(3.2), jax.grad(straight_through)(3.2), hvp(lambda x: jnp.sum(jnp.exp(x) * jnp.roll(x, 1)), s, t), jax.grad(after_step)(theta, s), jax.hessian(after_step)(theta, s),
    )


def jitting(jax: Any, jnp: Any, lax: Any) -> Any:
    @partial(jax.jit, static_argnames=["n"])
    def g(x: Any, n: int) -> Any:
        i = 0
        while i < n:
            i += 1
        return x + i

    @partial(jax.jit, static_argnums=(1,))
    def powers(x: Any, n: int) -> Any:
        return jnp.stack([x**k for k in range(n)])

    class CustomClass:
        def __init__(self, x: Any, mul: bool) -> None:
            self.x, self.mul = x, mul

        @jax.jit
        def calc(self, y: Any) -> Any:
            return self.x * y if self.mul else y

        def _tree_flatten(self) -> Any:
            return (self.x,), {"mul": self.mul}

        @classmethod
        def _tree_unflatten(cls, aux: Any, children: Any) -> Any:
            return cls(*children, **aux)

    jax.tree_util.register_pytree_node(CustomClass, CustomClass._tree_flatten, CustomClass._tree_unflatten)

    def norm(x: Any) -> Any:
        x = x - x.mean(0)
        return x / x.std(0)

    c = CustomClass(2.0, True)
    before = c.calc(3.0)
    c.x = 5.0
    return g(3.0, 4), powers(jnp.array([0.5, 2.0]), 3), before, c.calc(3.0), CustomClass(2.0, False).calc(3.0), jax.jit(norm)(jnp.sin(jnp.arange(12.0)).reshape(4, 3)), jax.jit(jax.vmap(jnp.dot))(jnp.ones((2, 3)), jnp.arange(6.0).reshape(2, 3))


def axes(jax: Any, jnp: Any, lax: Any) -> Any:
    def affine(params: Any, x: Any) -> Any:
        return params["w"] @ x + params["b"]

    params = {"w": jnp.sin(jnp.arange(24.0)).reshape(2, 4, 3), "b": jnp.cos(jnp.arange(8.0)).reshape(4, 2)}
    x = jnp.linspace(-1.0, 1.0, 6).reshape(3, 2)
    many = jax.vmap(affine, in_axes=({"w": 0, "b": 1}, -1), out_axes=1)(params, x)
    outer = jax.vmap(jax.vmap(lambda a, b: a * b - a, (None, 0)), (0, None))(jnp.arange(3.0), jnp.arange(4.0))
    kept = jax.vmap(lambda a, b: (a + b, b), in_axes=(0, None), out_axes=(0, None))(jnp.arange(3.0), 2.0)
    counted = jax.vmap(lambda: lax.axis_index("k") * 2.0, axis_size=3, axis_name="k")()
    return many, outer, kept, counted, jax.vmap(partial(jnp.roll, shift=1))(params["b"]), jax.vmap(jax.jacfwd(jnp.cumsum))(x)


def classes(jax: Any, jnp: Any, lax: Any) -> Any:
    @jax.tree_util.register_pytree_node_class
    class Particle:
        def __init__(self, place: Any, speed: Any, label: str = "p") -> None:
            self.place, self.speed, self.label = place, speed, label

        def tree_flatten(self) -> Any:
            return (self.place, self.speed), self.label

        @classmethod
        def tree_unflatten(cls, label: Any, children: Any) -> Any:
            return cls(*children, label)

        def moved(self, dt: Any) -> Any:
            return Particle(self.place + dt * self.speed, self.speed - dt * self.place, self.label)

    def simulated(p: Any, dt: Any) -> Any:
        return lax.scan(lambda q, _: (q.moved(dt), q), p, None, length=4)

    @jax.custom_vjp
    def energy(p: Any) -> Any:
        return 0.5 * (p.place**2 + p.speed**2)

    energy.defvjp(lambda p: (energy(p), p), lambda p, bar: (Particle(2 * bar * p.place, bar * p.speed, p.label),))
    start = Particle(1.0, 0.5)
    last, path = simulated(start, 0.1)
    slope = jax.grad(lambda p: energy(simulated(p, 0.1)[0]))(start)
    chosen = lax.cond(last.place > 0, lambda p: p.moved(0.2), lambda p: p, last)
    return last, path, slope, chosen, jax.tree.map(jnp.negative, start), lax.fori_loop(0, 3, lambda i, p: p.moved(0.1 * i), start)


def classifier(jax: Any, jnp: Any, lax: Any) -> Any:
    init = jax.nn.initializers.he_normal()
    keys = jax.random.split(jax.random.key(3), 4)
    params = [(init(keys[0], (4, 8)), jnp.zeros(8)), (init(keys[1], (8, 3)), jnp.zeros(3))]

    def logits(params: Any, x: Any, key: Any) -> Any:
        (w1, b1), (w2, b2) = params
        hidden = jax.nn.gelu(x @ w1 + b1)
        mask = jax.random.bernoulli(key, 0.8, hidden.shape)
        return jnp.where(mask, hidden / 0.8, 0.0) @ w2 + b2

    def loss(params: Any, x: Any, labels: Any, key: Any) -> Any:
        return -jnp.mean(jnp.sum(jax.nn.one_hot(labels, 3) * jax.nn.log_softmax(logits(params, x, key)), axis=-1))

    @jax.jit
    def step(params: Any, x: Any, labels: Any, key: Any) -> Any:
        value, slopes = jax.value_and_grad(loss)(params, x, labels, key)
        norm = jnp.sqrt(sum(jnp.sum(g**2) for g in jax.tree.leaves(slopes)))
        scale = jnp.minimum(1.0, 0.5 / norm)
        return jax.tree.map(lambda p, g: p - 0.3 * scale * g, params, slopes), value

    x = jax.random.normal(keys[2], (10, 4))
    labels = jax.random.categorical(keys[3], x[:, :3], axis=-1)
    values = []
    for number in range(5):
        params, value = step(params, x, labels, jax.random.fold_in(keys[3], number))
        values.append(value)
    return params, jnp.stack(values), jax.nn.softmax(logits(params, x[:2], keys[0]))


def sharded(jax: Any, jnp: Any, lax: Any) -> Any:
    """The pages on distributed arrays and automatic parallelization, on as many devices as there are."""
    mesh = jax.make_mesh((len(jax.devices()),), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
    rows, whole = jax.NamedSharding(mesh, jax.P("x", None)), jax.NamedSharding(mesh, jax.P())
    place = partial(jax.device_put, device=rows)
    x = place(jnp.arange(48.0).reshape(8, 6) / 48)
    params = jax.device_put({"w": jnp.ones((6, 3)) / 7, "b": jnp.arange(3.0)}, whole)

    def loss(params: Any, x: Any) -> Any:
        hidden = lax.with_sharding_constraint(jnp.tanh(x @ params["w"] + params["b"]), rows)
        return jnp.mean(hidden**2)

    step = jax.jit(lambda params, x: jax.tree.map(lambda p, g: p - 0.1 * g, params, jax.grad(loss)(params, x)), in_shardings=(whole, rows), out_shardings=whole)
    for _ in range(3):
        params = step(params, x)
    with jax.set_mesh(mesh):
        parts = jax.jit(jax.shard_map(lambda x: jnp.sum(x, axis=0, keepdims=True), in_specs=jax.P("x"), out_specs=jax.P("x")))(x)
    return params, loss(params, x), jnp.sum(parts, axis=0), rows.shard_shape((8, 6))[1]


MORE_PROGRAMS = (sharded, spmd_collectives, spmd_ring, spmd_training, sharp_bits, targets, jitting, axes, classes, classifier)
