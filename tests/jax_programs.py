"""Programs in the manner of JAX's documents, written for these tests: each takes the library (jax or s2s), its numpy and its lax, and returns a container of numbers."""
from __future__ import annotations

from functools import partial
from typing import NamedTuple


def front_page(jax, jnp, lax):
    def predict(params, inputs):
        for W, b in params:
            outputs = jnp.dot(inputs, W) + b
            inputs = jnp.tanh(outputs)
        return outputs

    def loss(params, inputs, targets):
        preds = predict(params, inputs)
        return jnp.sum((preds - targets) ** 2)

    grad_loss = jax.jit(jax.grad(loss))
    perex_grads = jax.jit(jax.vmap(grad_loss, in_axes=(None, 0, 0)))
    params = [(jnp.linspace(-1.0, 1.0, 12).reshape(4, 3), jnp.zeros(3)), (jnp.linspace(0.5, -0.5, 6).reshape(3, 2), jnp.ones(2))]
    inputs, targets = jnp.sin(jnp.arange(20.0)).reshape(5, 4), jnp.cos(jnp.arange(10.0)).reshape(5, 2)
    return grad_loss(params, inputs, targets), perex_grads(params, inputs, targets)


def quickstart(jax, jnp, lax):
    @jax.jit
    def selu(x, alpha=1.67, lmbda=1.05):
        return lmbda * jnp.where(x > 0, x, alpha * jnp.exp(x) - alpha)

    def sum_logistic(x):
        return jnp.sum(1.0 / (1.0 + jnp.exp(-x)))

    mat = jnp.cos(jnp.arange(15.0)).reshape(5, 3)
    batch = jnp.sin(jnp.arange(12.0)).reshape(4, 3)

    def apply_matrix(x):
        return jnp.dot(mat, x)

    x_small = jnp.arange(3.0)
    return selu(jnp.arange(5.0) - 2.0), jax.grad(sum_logistic)(x_small), jax.grad(jax.jit(jax.grad(jax.jit(jax.grad(sum_logistic)))))(1.0), jax.vmap(apply_matrix)(batch)


def cookbook(jax, jnp, lax):
    def sigmoid(x):
        return 0.5 * (jnp.tanh(x / 2) + 1)

    def predict(W, b, inputs):
        return sigmoid(jnp.dot(inputs, W) + b)

    inputs = jnp.array([[0.52, 1.12, 0.77], [0.88, -1.08, 0.15], [0.52, 0.06, -1.30], [0.74, -2.49, 1.39]])
    targets = jnp.array([True, True, False, True])

    def loss(W, b):
        preds = predict(W, b, inputs)
        label_probs = preds * targets + (1 - preds) * (1 - targets)
        return -jnp.sum(jnp.log(label_probs))

    W, b = jnp.array([0.3, -0.2, 0.5]), 0.1

    def loss2(params_dict):
        return loss(params_dict["W"], params_dict["b"])

    def f(W):
        return predict(W, b, inputs)

    def hvp(f, primals, tangents):
        return jax.jvp(jax.grad(f), primals, tangents)[1]

    y, vjp_fun = jax.vjp(f, W)
    g = partial(loss, b=b)
    return (
        jax.value_and_grad(loss, (0, 1))(W, b), jax.grad(loss2)({"W": W, "b": b}), jax.jacfwd(f)(W), jax.jacrev(f)(W), jax.hessian(g)(W), hvp(g, (W,), (jnp.ones(3),)),
        y, vjp_fun(jnp.arange(4.0)), jax.jvp(f, (W,), (jnp.array([1.0, 0.0, -1.0]),)),
    )


def control_flow(jax, jnp, lax):
    def f(x):
        return lax.cond(x < 3.0, lambda v: 3.0 * v**2, lambda v: -4 * v, x)

    def factorial_like(n):
        return lax.fori_loop(1, n + 1, lambda i, v: v * i, 1.0)

    def newton(x):
        return lax.while_loop(lambda v: jnp.abs(v * v - x) > 1e-10, lambda v: 0.5 * (v + x / v), x)

    def cumulative(xs):
        return lax.scan(lambda carry, x: (carry + x, carry * x), 0.0, xs)

    xs = jnp.arange(1.0, 6.0)
    return (
        jax.grad(f)(2.0), jax.grad(f)(4.0), factorial_like(5), newton(2.0), cumulative(xs), jax.grad(lambda x: cumulative(x)[1].sum())(xs),
        jax.vmap(f)(xs), lax.switch(2, [lambda v: v, lambda v: v + 1.0, lambda v: v * v], 3.0), lax.map(lambda v: v * v, xs), lax.associative_scan(jnp.add, xs),
    )


def custom_rules(jax, jnp, lax):
    @jax.custom_jvp
    def log1pexp(x):
        return jnp.log(1.0 + jnp.exp(x))

    @log1pexp.defjvp
    def log1pexp_jvp(primals, tangents):
        (x,), (x_dot,) = primals, tangents
        ans = log1pexp(x)
        return ans, (1 - 1 / (1 + jnp.exp(x))) * x_dot

    @jax.custom_vjp
    def clip_gradient(lo, hi, x):
        return x

    def clip_gradient_fwd(lo, hi, x):
        return x, (lo, hi)

    def clip_gradient_bwd(res, g):
        lo, hi = res
        return None, None, jnp.clip(g, lo, hi)

    clip_gradient.defvjp(clip_gradient_fwd, clip_gradient_bwd)

    def clip_sin(x):
        x = clip_gradient(-0.75, 0.75, x)
        return jnp.sin(x)

    t = jnp.linspace(0.0, 10.0, 7)
    return jax.grad(log1pexp)(3.0), jax.grad(log1pexp)(100.0), jax.vmap(jax.grad(clip_sin))(t), jax.vmap(jax.jit(jax.grad(log1pexp)))(t)


def convolving(jax, jnp, lax):
    def convolve(x, w):
        output = []
        for i in range(1, len(x) - 1):
            output.append(jnp.dot(x[i - 1 : i + 2], w))
        return jnp.array(output)

    x, w = jnp.arange(5.0), jnp.array([2.0, 3.0, 4.0])
    xs, ws = jnp.stack([x, x + 1.0]), jnp.stack([w, w * 2.0])
    both = jax.vmap(convolve)
    return convolve(x, w), both(xs, ws), jax.vmap(convolve, in_axes=1, out_axes=1)(xs.T, ws.T), jax.vmap(convolve, in_axes=[0, None])(xs, w), jax.jit(both)(xs, ws)


class Params(NamedTuple):
    weight: object
    bias: object


def pytrees(jax, jnp, lax):
    def update(params, xs, ys):
        def loss(params, x, y):
            return jnp.mean((params.weight * x + params.bias - y) ** 2)

        grad = jax.grad(loss)(params, xs, ys)
        return jax.tree_util.tree_map(lambda param, g: param - 0.05 * g, params, grad)

    params = Params(0.1, 0.2)
    xs = jnp.sin(jnp.arange(8.0))
    ys = 3.0 * xs - 1.0
    step = jax.jit(update)
    for _ in range(20):
        params = step(params, xs, ys)
    tree = {"a": [1.0, (jnp.arange(2.0),)], "b": None}
    flat, treedef = jax.tree_util.tree_flatten(tree)
    return params, jax.tree_util.tree_unflatten(treedef, [leaf * 2 for leaf in flat]), jax.tree_util.tree_reduce(lambda a, b: a + jnp.sum(b), tree, 0.0)


def random_numbers(jax, jnp, lax):
    key = jax.random.key(42)
    draws = []
    for _ in range(3):
        key, subkey = jax.random.split(key)
        draws.append(jax.random.normal(subkey, (2,)))
    keys = jax.random.split(key, 4)
    return draws, jax.vmap(lambda k: jax.random.uniform(k))(keys), jax.random.permutation(key, 6), jax.random.randint(key, (3,), 0, 100)


def networks(jax, jnp, lax):
    sizes = [4, 5, 3]

    def init(key):
        keys = jax.random.split(key, len(sizes) - 1)
        return [{"w": 0.3 * jax.random.normal(k, (m, n)), "b": jnp.zeros(n)} for k, m, n in zip(keys, sizes[:-1], sizes[1:])]

    def predict(params, image):
        activations = image
        for layer in params[:-1]:
            activations = jax.nn.relu(jnp.dot(layer["w"].T, activations) + layer["b"])
        logits = jnp.dot(params[-1]["w"].T, activations) + params[-1]["b"]
        return logits - jax.nn.logsumexp(logits)

    batched_predict = jax.vmap(predict, in_axes=(None, 0))

    def loss(params, images, targets):
        return -jnp.mean(batched_predict(params, images) * targets)

    @jax.jit
    def update(params, x, y):
        grads = jax.grad(loss)(params, x, y)
        return jax.tree_util.tree_map(lambda p, g: p - 0.5 * g, params, grads)

    params = init(jax.random.key(0))
    images = jnp.cos(jnp.arange(24.0)).reshape(6, 4)
    targets = jax.nn.one_hot(jnp.array([0, 1, 2, 0, 1, 2]), 3)
    for _ in range(5):
        params = update(params, images, targets)
    return params, loss(params, images, targets)


def checkpoints(jax, jnp, lax):
    def layer(w, x):
        return jnp.sin(w * x)

    def deep(w, x):
        step = jax.checkpoint(layer)
        for _ in range(4):
            x = step(w, x)
        return x

    return jax.value_and_grad(deep, (0, 1))(1.3, 0.7), jax.grad(jax.grad(deep))(1.3, 0.7)


PROGRAMS = (front_page, quickstart, cookbook, control_flow, custom_rules, convolving, pytrees, random_numbers, networks, checkpoints)
