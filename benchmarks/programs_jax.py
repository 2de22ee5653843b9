"""The derivatives of `programs_arrays` by JAX, each program written the way JAX's manual asks for: vmap, scan, no loops over arrays."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any


def derivatives(jax: Any) -> dict[str, Callable[..., Any]]:
    """Jitted derivatives, by the program's name; they take the same arguments."""
    jnp, lax, grad = jax.numpy, jax.lax, jax.grad

    def log_sum_exp(x):
        top = jnp.max(x)
        return top + jnp.log(jnp.sum(jnp.exp(x - top)))

    def logistic(w, x, y):
        z = x @ w
        return jnp.mean(jnp.log(1.0 + jnp.exp(-z)) + (1.0 - y) * z)

    def gmm(alphas, means, icf, x, gamma, m):
        n, d = x.shape
        diagonal, sums = jnp.exp(icf[:, :d]), jnp.sum(icf[:, :d], axis=1)
        columns, rows = jnp.triu_indices(d, 1)

        def of_one(alpha, mean, below, diag, total):
            lower = jnp.zeros((d, d)).at[rows, columns].set(below) + jnp.diag(diag)
            scaled = (x - mean) @ lower.T
            return alpha + total - 0.5 * jnp.sum(scaled * scaled, axis=1)

        inner = jax.vmap(of_one, out_axes=1)(alphas, means, icf[:, d:], diagonal, sums)
        prior = 0.5 * gamma * gamma * (jnp.sum(diagonal * diagonal) + jnp.sum(icf[:, d:] ** 2)) - m * jnp.sum(sums)
        return jnp.sum(jax.vmap(log_sum_exp)(inner)) - n * log_sum_exp(alphas) + prior

    def sigmoid(x):
        return 1.0 / (1.0 + jnp.exp(-x))

    def d_lstm(main, extra, state, sequence):
        steps, width = sequence.shape

        def step(carry, now):
            (hidden, cell), (x, wanted) = carry, now
            x, hiddens, cells = x * extra[0], [], []
            for layer in range(main.shape[0]):
                weight, bias = main[layer, 0], main[layer, 1]
                forget, outgate = sigmoid(x * weight[0] + bias[0]), sigmoid(x * weight[2] + bias[2])
                ingate, change = sigmoid(hidden[layer] * weight[1] + bias[1]), jnp.tanh(hidden[layer] * weight[3] + bias[3])
                cells.append(cell[layer] * forget + ingate * change)
                x = outgate * jnp.tanh(cells[-1])
                hiddens.append(x)
            guess = x * extra[1] + extra[2]
            guess = guess - jnp.log(2.0 + jnp.sum(jnp.exp(guess)))
            return (jnp.stack(hiddens), jnp.stack(cells)), jnp.sum(wanted * guess)

        return -jnp.sum(lax.scan(step, (state[:, 0], state[:, 1]), (sequence[:-1], sequence[1:]))[1]) / ((steps - 1) * width)

    def lstm(weights_x, weights_h, bias, out, sequence):
        layers, h, _ = weights_h.shape

        def step(carry, now):
            (hidden, cell), (x, wanted) = carry, now
            hiddens, cells = [], []
            for layer in range(layers):
                gates = x @ weights_x[layer] + hidden[layer] @ weights_h[layer] + bias[layer]
                forget, ingate, outgate = sigmoid(gates[:, :h]), sigmoid(gates[:, h:2 * h]), sigmoid(gates[:, 2 * h:3 * h])
                cells.append(cell[layer] * forget + ingate * jnp.tanh(gates[:, 3 * h:]))
                x = outgate * jnp.tanh(cells[-1])
                hiddens.append(x)
            miss = x @ out - wanted
            return (jnp.stack(hiddens), jnp.stack(cells)), jnp.sum(miss * miss)

        zeros = jnp.zeros((layers, *sequence.shape[1:]))
        return jnp.sum(lax.scan(step, (zeros, zeros), (sequence[:-1], sequence[1:]))[1])

    def reprojection(camera, point, weight, feature):
        turn, moved = camera[:3], point - camera[3:6]
        angle = jnp.sqrt(jnp.sum(turn * turn))
        axis, c = turn / angle, jnp.cos(angle)
        q = moved * c + jnp.cross(axis, moved) * jnp.sin(angle) + axis * jnp.dot(axis, moved) * (1.0 - c)
        u = q[:2] / q[2]
        radius = jnp.sum(u * u)
        stretch = (1.0 + camera[9] * radius + camera[10] * radius * radius) * camera[6]
        return weight * (u * stretch + camera[7:9] - feature)

    def bundle(cameras, points, weights, seen, features):
        parts = jax.vmap(jax.jacrev(reprojection, argnums=(0, 1, 2)))(cameras[seen[:, 0]], points[seen[:, 1]], weights, features)
        return jnp.concatenate([parts[0], parts[1], parts[2][:, :, None]], axis=2), -2.0 * weights

    def llsq(x, a, b):
        miss = a @ x - b
        return 0.5 * jnp.sum(miss * miss)

    def kmeans(centres, points):
        distances = jnp.sum((points[:, None, :] - centres[None, :, :]) ** 2, axis=2)
        away = points - centres[jnp.argmin(distances, axis=1)]
        return jnp.sum(away * away)

    def kmeans_min(centres, points):
        return jnp.sum(jnp.min(jnp.sum((points[:, None, :] - centres[None, :, :]) ** 2, axis=2), axis=1))

    def newton(cost):
        def direction(centres, points):
            slope, curvature = jax.jvp(lambda c: grad(cost)(c, points), (centres,), (jnp.ones_like(centres),))
            return slope / curvature

        return direction

    return {name: jax.jit(fun) for name, fun in {
        "gmm": grad(gmm, argnums=(0, 1, 2)), "d_lstm": grad(d_lstm, argnums=(0, 1)), "lstm": grad(lstm, argnums=(0, 1, 2, 3)), "bundle": bundle,
        "llsq": grad(llsq), "log_sum_exp": grad(log_sum_exp), "logistic": grad(logistic), "kmeans": newton(kmeans), "kmeans_min": newton(kmeans_min),
    }.items()}
