"""A Kalman filter with helpers: position and velocity from noisy positions; the log-likelihood of the measurements."""
import numpy as np

ARGNUMS = (0, 1)
STATIC = ()


def motion(dt):
    """The state a step later."""
    return np.array([[1.0, dt], [0.0, 1.0]])


def noise(dt, strength):
    """The covariance that a step adds: white acceleration."""
    return strength * np.array([[dt**3 / 3.0, dt**2 / 2.0], [dt**2 / 2.0, dt]])


def predict(x, p, f, q):
    """State and covariance before the measurement."""
    return f @ x, f @ p @ f.T + q


def update(x, p, measured, spread):
    """State and covariance after it, what was unexpected, and its variance."""
    unexpected = measured - x[0]
    s = p[0, 0] + spread
    gain = p[:, 0] / s
    x = x + gain * unexpected
    p = p - np.outer(gain, p[0, :])
    return x, p, unexpected, s


def log_density(unexpected, s):
    """Of a normal distribution with mean 0."""
    return -0.5 * (np.log(2.0 * np.pi * s) + unexpected**2 / s)


def loss(strength, spread, start, measurements, dt):
    """Minus the log-likelihood."""
    x = start
    p = np.eye(2)
    f = motion(dt)
    q = noise(dt, strength)
    total = 0.0
    for t in range(measurements.shape[0]):
        x, p = predict(x, p, f, q)
        x, p, unexpected, s = update(x, p, measurements[t], spread)
        total -= log_density(unexpected, s)
    return total


def arguments():
    """Thirty measurements."""
    rng = np.random.default_rng(0)
    return 0.1, 0.5, np.zeros(2), np.cumsum(rng.normal(size=30)), 0.1


def twin(own):
    """The loop as a scan."""
    from jax.lax import scan

    jnp = own["np"]

    def loss(strength, spread, start, measurements, dt):
        f, q = own["motion"](dt), own["noise"](dt, strength)

        def step(state, measured):
            x, p = own["predict"](*state, f, q)
            x, p, unexpected, s = own["update"](x, p, measured, spread)
            return (x, p), own["log_density"](unexpected, s)

        return -jnp.sum(scan(step, (start, jnp.eye(2)), measurements)[1])

    return loss
