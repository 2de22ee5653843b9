"""The README's first function."""
import numpy as np

ARGNUMS = (1,)
STATIC = ()


def loss(x, gain, signal):
    """A follower that is halved where it goes too far."""
    loss = 0.0
    for i in range(len(signal)):
        x = x + gain * (signal[i] - x)
        if abs(x) > 1.0:
            x = 0.5 * x
        loss += (x - signal[i]) ** 2
    return loss


def arguments():
    """A hundred values."""
    return 0.0, 0.3, np.sin(np.linspace(0.0, 9.0, 100))


def twin(own):
    """The loop as a scan."""
    from jax.lax import scan

    jnp = own["np"]

    def loss(x, gain, signal):
        def step(x, value):
            x = x + gain * (value - x)
            x = jnp.where(jnp.abs(x) > 1.0, 0.5 * x, x)
            return x, (x - value) ** 2

        return jnp.sum(scan(step, x, signal)[1])

    return loss
