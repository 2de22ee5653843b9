"""examples/text.py: an Elman network in plain loops."""
import numpy as np
import text

loss = text.loss
ARGNUMS = (0,)
STATIC = ()


def arguments():
    """Thirty letters of an alphabet of eight."""
    rng = np.random.default_rng(0)
    params = tuple(0.3 * rng.normal(size=shape) for shape in ((6, 8), (8, 6), (6, 6), (6,)))
    return params, rng.integers(0, 8, 30)


def twin(own):
    """Whole arrays, scan."""
    from jax.lax import scan

    jnp = own["np"]

    def same(params, text):
        inner, outer, recurrent, bias = params

        def step(h, pair):
            letter, following = pair
            h = jnp.tanh(bias + inner[:, letter] + recurrent @ h)
            scores = outer @ h
            biggest = jnp.max(scores)
            return h, biggest + jnp.log(jnp.sum(jnp.exp(scores - biggest))) - scores[following]

        return jnp.mean(scan(step, jnp.zeros(recurrent.shape[0]), (text[:-1], text[1:]))[1])

    return same
