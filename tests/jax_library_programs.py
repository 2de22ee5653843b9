"""Programs in the manner of the libraries around JAX (optimizers as pairs of functions, modules that are containers, state-space models): each takes the library (jax or s2s), its numpy and its lax."""
from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, NamedTuple


class Optimizer(NamedTuple):
    init: Callable[..., Any]
    update: Callable[..., Any]


class AdamState(NamedTuple):
    count: Any
    mean: Any
    square: Any


def optimizers(jax: Any, jnp: Any, lax: Any) -> Any:
    def by_adam(b1: float = 0.9, b2: float = 0.999, eps: float = 1e-8) -> Optimizer:
        def init(params: Any) -> Any:
            return AdamState(jnp.zeros([], jnp.int32), jax.tree.map(jnp.zeros_like, params), jax.tree.map(jnp.zeros_like, params))

        def update(grads: Any, state: Any, params: Any) -> Any:
            mean = jax.tree.map(lambda g, m: (1 - b1) * g + b1 * m, grads, state.mean)
            square = jax.tree.map(lambda g, v: (1 - b2) * g**2 + b2 * v, grads, state.square)
            count = state.count + 1
            steps = jax.tree.map(lambda m, v: (m / (1 - b1**count)) / (jnp.sqrt(v / (1 - b2**count)) + eps), mean, square)
            return steps, AdamState(count, mean, square)

        return Optimizer(init, update)

    def clipped(most: float) -> Optimizer:
        def update(grads: Any, state: Any, params: Any) -> Any:
            norm = jnp.sqrt(sum(jnp.sum(g**2) for g in jax.tree.leaves(grads)))
            return jax.tree.map(lambda g: jnp.where(norm < most, g, g / norm * most), grads), state

        return Optimizer(lambda params: (), update)

    def scheduled(rate: Callable[[Any], Any]) -> Optimizer:
        return Optimizer(lambda params: jnp.zeros([], jnp.int32), lambda grads, count, params: (jax.tree.map(lambda g: rate(count) * g, grads), count + 1))

    def chain(*parts: Optimizer) -> Optimizer:
        inits, updates = zip(*parts, strict=True)

        def update(grads: Any, state: Any, params: Any) -> Any:
            after = []
            for each, own in zip(updates, state, strict=True):
                grads, own = each(grads, own, params)
                after.append(own)
            return grads, tuple(after)

        return Optimizer(lambda params: tuple(init(params) for init in inits), update)

    optimizer = chain(clipped(1.0), by_adam(), scheduled(lambda step: -0.05 * (1 + jnp.cos(jnp.pi * jnp.minimum(step, 20) / 20))))
    params = {"w": jnp.array([[1.0, 2.0], [3.0, -4.0]]), "b": jnp.array([0.5, 0.2])}
    x, state = jnp.sin(jnp.arange(6.0)).reshape(3, 2), optimizer.init(params)

    @jax.jit
    def step(params: Any, state: Any, x: Any) -> Any:
        loss, grads = jax.value_and_grad(lambda p: jnp.sum((jnp.tanh(x @ p["w"]) + p["b"]) ** 2))(params)
        steps, state = optimizer.update(grads, state, params)
        return jax.tree.map(lambda p, u: p + u, params, steps), state, loss

    for _ in range(3):
        params, state, loss = step(params, state, x)
    return params, state, loss


def modules(jax: Any, jnp: Any, lax: Any) -> Any:
    class Module:
        def __init_subclass__(cls) -> None:
            dataclasses.dataclass(frozen=True)(cls)
            fields = dataclasses.fields(cls)
            static = [each.name for each in fields if each.metadata.get("static")]
            jax.tree_util.register_dataclass(cls, data_fields=[each.name for each in fields if each.name not in static], meta_fields=static)

    class Linear(Module):
        weight: Any
        bias: Any

        def __call__(self, x: Any) -> Any:
            return self.weight @ x + self.bias

    class Perceptron(Module):
        layers: list[Any]
        act: Callable[..., Any] = dataclasses.field(metadata={"static": True}, default=jnp.tanh)

        def __call__(self, x: Any) -> Any:
            for layer in self.layers[:-1]:
                x = self.act(layer(x))
            return self.layers[-1](x)

    def linear(key: Any, size: int, out: int) -> Any:
        one, two = jax.random.split(key)
        return Linear(jax.random.normal(one, (out, size)) / jnp.sqrt(size), jax.random.normal(two, (out,)))

    keys = jax.random.split(jax.random.key(0), 3)
    model = Perceptron([linear(keys[0], 2, 4), linear(keys[1], 4, 4), linear(keys[2], 4, 1)])
    x = jnp.sin(jnp.arange(8.0)).reshape(4, 2)
    loss, grads = jax.jit(jax.value_and_grad(lambda model, x: jnp.mean((x[:, :1] - jax.vmap(model)(x)) ** 2)))(model, x)
    weights = jax.tree.map(lambda leaf: leaf if leaf.ndim == 2 else None, model)
    rest = jax.tree.map(lambda leaf: None if leaf.ndim == 2 else leaf, model)

    def of_weights(weights: Any) -> Any:
        whole = jax.tree.map(lambda one, two: two if one is None else one, weights, rest, is_leaf=lambda leaf: leaf is None)
        return jnp.sum(whole(x[0]) ** 2)

    ensemble = jax.vmap(lambda key: linear(key, 2, 3))(jax.random.split(jax.random.key(1), 4))
    return loss, jax.tree.leaves(grads), jax.tree.leaves(jax.grad(of_weights)(weights)), jax.vmap(lambda model, x: model(x), (0, None))(ensemble, x[0])


def state_space(jax: Any, jnp: Any, lax: Any) -> Any:
    def filtered(params: Any, ys: Any) -> Any:
        def step(carry: Any, y: Any) -> Any:
            mean, cov, total = carry
            ahead, spread = params["A"] @ mean, params["A"] @ cov @ params["A"].T + params["Q"]
            inner = params["H"] @ spread @ params["H"].T + params["R"]
            gain = jnp.linalg.solve(inner, params["H"] @ spread).T
            gap = y - params["H"] @ ahead
            total = total - 0.5 * (gap @ jnp.linalg.solve(inner, gap) + jnp.linalg.slogdet(inner)[1])
            return (ahead + gain @ gap, spread - gain @ inner @ gain.T, total), ahead

        return lax.scan(step, (jnp.zeros(2), jnp.eye(2), 0.0), ys)

    def best_path(start: Any, moves: Any, emits: Any, seen: Any) -> Any:
        def forward(best: Any, o: Any) -> Any:
            through = best[:, None] + moves
            return jnp.max(through, 0) + emits[:, o], jnp.argmax(through, 0)

        best, back = lax.scan(forward, start + emits[:, seen[0]], seen[1:])
        last = jnp.argmax(best)
        _, path = lax.scan(lambda at, came: (came[at], came[at]), last, back, reverse=True)
        return jnp.append(path, last), jnp.max(best)

    params = {"A": jnp.array([[1.0, 0.1], [0.0, 0.95]]), "Q": 0.1 * jnp.eye(2), "H": jnp.array([[1.0, 0.0]]), "R": jnp.array([[0.3]])}
    ys = jnp.sin(jnp.arange(10.0))[:, None]
    moves, emits = jax.nn.log_softmax(jnp.cos(jnp.arange(9.0)).reshape(3, 3)), jax.nn.log_softmax(jnp.sin(jnp.arange(12.0)).reshape(3, 4))
    start, seen = jnp.log(jnp.ones(3) / 3), jnp.array([0, 1, 3, 2, 2, 1])
    (_, _, total), means = filtered(params, ys)
    return total, means, jax.grad(lambda p: filtered(p, ys)[0][2])(params), jax.jit(best_path)(start, moves, emits, seen), jax.grad(lambda e: best_path(start, moves, e, seen)[1])(emits)


def by_call_order(jax: Any, jnp: Any, lax: Any) -> Any:
    """Parameters that are asked for by name while a function runs, and transformed into (init, apply)."""

    class Frame:
        params: Any = None
        counts: Any = None
        key: Any = None

    frame = Frame()

    def parameter(name: str, shape: Any, init: Any) -> Any:
        number = frame.counts.get(name, 0)
        frame.counts[name] = number + 1
        full = f"{name}_{number}"
        if full not in frame.params:
            frame.key, key = jax.random.split(frame.key)
            frame.params[full] = init(key, shape)
        return frame.params[full]

    def linear(x: Any, out: int) -> Any:
        return x @ parameter("w", (x.shape[-1], out), jax.nn.initializers.he_normal()) + parameter("b", (out,), jax.nn.initializers.zeros)

    def net(x: Any) -> Any:
        return linear(jax.nn.relu(linear(x, 4)), 2)

    def init(key: Any, x: Any) -> Any:
        frame.params, frame.counts, frame.key = {}, {}, key
        net(x)
        return frame.params

    def apply(params: Any, x: Any) -> Any:
        frame.params, frame.counts = dict(params), {}
        return net(x)

    x = jnp.cos(jnp.arange(15.0)).reshape(3, 5)
    params = init(jax.random.key(0), x)
    return params, apply(params, x), jax.grad(lambda params: jnp.sum(apply(params, x) ** 2))(params)


LIBRARY_PROGRAMS = (optimizers, modules, state_space, by_call_order)
