"""A residual block: three convolutions (1 x 1, 3 x 3, 1 x 1), each normalised over batch and place, and the shortcut."""
import numpy as np

ARGNUMS = (1, 2, 3)
STATIC = ()


def relu(x):
    """Nothing below zero."""
    return np.maximum(x, 0.0)


def convolved(x, weights):
    """Convolution without padding, channels last: x (batch, h, w, in), weights (k, k, in, out)."""
    k = weights.shape[0]
    h, w = x.shape[1] - k + 1, x.shape[2] - k + 1
    out = np.zeros((x.shape[0], h, w, weights.shape[3]))
    for i in range(k):
        for j in range(k):
            out += x[:, i:i + h, j:j + w, :] @ weights[i, j]
    return out


def normalised(x, eps=1e-5):
    """Zero mean and unit deviation of each channel."""
    mean = np.mean(x, axis=(0, 1, 2), keepdims=True)
    std = np.sqrt(np.mean((x - mean) ** 2, axis=(0, 1, 2), keepdims=True) + eps)
    return (x - mean) / std


def loss(x, first, middle, last):
    """The mean square of what the block gives."""
    padded = np.zeros((x.shape[0], x.shape[1] + 2, x.shape[2] + 2, first.shape[3]))
    padded[:, 1:-1, 1:-1, :] = convolved(x, first)
    y = relu(normalised(padded))
    y = relu(normalised(convolved(y, middle)))
    y = normalised(convolved(y, last))
    return np.mean(relu(y + x) ** 2)


def arguments():
    """Two images of 8 x 8 with 8 channels, 4 inside."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(2, 8, 8, 8)), rng.normal(size=(1, 1, 8, 4)), rng.normal(size=(3, 3, 4, 4)), rng.normal(size=(1, 1, 4, 8))


def twin(own):
    """XLA's convolution."""
    from jax.lax import conv_general_dilated

    jnp = own["np"]
    own["convolved"] = lambda x, weights: conv_general_dilated(x, weights, (1, 1), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    def loss(x, first, middle, last):
        y = jnp.pad(own["convolved"](x, first), ((0, 0), (1, 1), (1, 1), (0, 0)))
        y = own["relu"](own["normalised"](y))
        y = own["relu"](own["normalised"](own["convolved"](y, middle)))
        y = own["normalised"](own["convolved"](y, last))
        return jnp.mean(own["relu"](y + x) ** 2)

    return loss
