"""LeNet's kind: two convolutions with pooling, three dense layers, cross-entropy."""
import numpy as np

ARGNUMS = (0,)
STATIC = ()


def relu(x):
    """Nothing below zero."""
    return np.maximum(x, 0.0)


def convolved(x, weights, bias):
    """x (batch, h, w, in), weights (k, k, in, out): windows against all filters."""
    k = weights.shape[0]
    h, w = x.shape[1] - k + 1, x.shape[2] - k + 1
    out = np.zeros((x.shape[0], h, w, weights.shape[3]))
    for i in range(h):
        for j in range(w):
            out[:, i, j, :] = np.sum(x[:, i:i + k, j:j + k, :, np.newaxis] * weights, axis=(1, 2, 3))
    return out + bias


def pooled(x):
    """The largest of each two by two."""
    n, h, w, c = x.shape
    return np.max(x.reshape(n, h // 2, 2, w // 2, 2, c), axis=(2, 4))


def loss(params, images, labels):
    """Mean cross-entropy of the labels."""
    x = pooled(relu(convolved(images, params["conv1"], params["bias1"])))
    x = pooled(relu(convolved(x, params["conv2"], params["bias2"])))
    x = x.reshape(x.shape[0], -1)
    x = relu(x @ params["dense1"] + params["bias3"])
    x = relu(x @ params["dense2"] + params["bias4"])
    scores = x @ params["dense3"]
    scores = scores - np.max(scores, axis=1, keepdims=True)
    log_prob = scores - np.log(np.sum(np.exp(scores), axis=1, keepdims=True))
    return -np.mean(log_prob[np.arange(len(labels)), labels])


def arguments():
    """Two images of 16 x 16."""
    rng = np.random.default_rng(0)
    params = {
        "conv1": 0.3 * rng.normal(size=(3, 3, 1, 4)), "bias1": np.zeros(4), "conv2": 0.3 * rng.normal(size=(4, 4, 4, 6)), "bias2": np.zeros(6),
        "dense1": 0.3 * rng.normal(size=(24, 16)), "bias3": np.zeros(16), "dense2": 0.3 * rng.normal(size=(16, 12)), "bias4": np.zeros(12),
        "dense3": 0.3 * rng.normal(size=(12, 10)),
    }  # fmt: skip
    return params, rng.normal(size=(2, 16, 16, 1)), np.array([3, 7])


def twin(own):
    """XLA's convolution."""
    from jax.lax import conv_general_dilated

    own["convolved"] = lambda x, weights, bias: conv_general_dilated(x, weights, (1, 1), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC")) + bias
    return own["loss"]
