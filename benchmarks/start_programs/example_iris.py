"""examples/iris.py: softmax regression."""
import iris
import numpy as np

loss = iris.loss
ARGNUMS = (0,)
STATIC = ()


def arguments():
    """As many flowers as there are."""
    rng = np.random.default_rng(0)
    return {"weights": np.zeros((4, 3)), "bias": np.zeros(3)}, rng.normal(size=(150, 4)), rng.integers(0, 3, 150)


def twin(own):
    """The same text."""
    jnp = own["np"]

    def same(params, x, species):
        scores = x @ params["weights"] + params["bias"]
        scores = scores - scores.max(axis=1, keepdims=True)
        log_prob = scores - jnp.log(jnp.sum(jnp.exp(scores), axis=1, keepdims=True))
        penalty = 1e-3 * jnp.sum(params["weights"] ** 2)
        return penalty - jnp.mean(log_prob[jnp.arange(len(species)), species])

    return same
