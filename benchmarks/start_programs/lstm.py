"""A recurrent network with long short-term memory over a sequence (Hochreiter and Schmidhuber 1997), squared error."""
import numpy as np

ARGNUMS = (0,)
STATIC = ()


def sigmoid(x):
    """Between 0 and 1."""
    return 1.0 / (1.0 + np.exp(-x))


def cell(params, x, h, c):
    """One step: the new state and memory."""
    gates = x @ params["inner"] + h @ params["recurrent"] + params["bias"]
    n = h.shape[1]
    forget = sigmoid(gates[:, :n])
    enter = sigmoid(gates[:, n:2 * n])
    leave = sigmoid(gates[:, 2 * n:3 * n])
    c = forget * c + enter * np.tanh(gates[:, 3 * n:])
    return leave * np.tanh(c), c


def loss(params, xs, ys):
    """Mean squared error of what is said of each step."""
    steps, batch, _ = xs.shape
    n = params["recurrent"].shape[0]
    h = np.zeros((batch, n))
    c = np.zeros((batch, n))
    total = 0.0
    for t in range(steps):
        h, c = cell(params, xs[t], h, c)
        said = h @ params["outer"]
        total += np.sum((said - ys[t]) ** 2)
    return total / steps


def arguments():
    """Seven steps of three sequences."""
    rng = np.random.default_rng(0)
    n, d, out = 6, 4, 2
    params = {"inner": rng.normal(size=(d, 4 * n)), "recurrent": rng.normal(size=(n, 4 * n)), "bias": np.zeros(4 * n), "outer": rng.normal(size=(n, out))}
    return params, rng.normal(size=(7, 3, d)), rng.normal(size=(7, 3, out))


def twin(own):
    """The loop as a scan."""
    from jax.lax import scan

    jnp = own["np"]

    def loss(params, xs, ys):
        def step(state, given):
            x, y = given
            h, c = own["cell"](params, x, *state)
            return (h, c), jnp.sum((h @ params["outer"] - y) ** 2)

        zero = jnp.zeros((xs.shape[1], params["recurrent"].shape[0]))
        return jnp.sum(scan(step, (zero, zero), (xs, ys))[1]) / xs.shape[0]

    return loss
