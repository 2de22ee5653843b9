"""A transformer's layer: attention with several heads that see no later place, a dense part, both with layer norms (Vaswani et al. 2017)."""
import numpy as np

ARGNUMS = (0,)
STATIC = ()


def normed(x, gain, shift):
    """Zero mean and unit deviation along the last axis."""
    mean = np.mean(x, axis=-1, keepdims=True)
    variance = np.mean((x - mean) ** 2, axis=-1, keepdims=True)
    return gain * (x - mean) / np.sqrt(variance + 1e-5) + shift


def softmax(x):
    """Distributions along the last axis."""
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def attended(params, x):
    """All heads at once: (batch, heads, places, size of a head)."""
    batch, places, width = x.shape
    heads = params["query"].shape[1] // 4
    q = (x @ params["query"]).reshape(batch, places, heads, 4).transpose(0, 2, 1, 3)
    k = (x @ params["key"]).reshape(batch, places, heads, 4).transpose(0, 2, 1, 3)
    v = (x @ params["value"]).reshape(batch, places, heads, 4).transpose(0, 2, 1, 3)
    scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(4.0)
    scores = np.where(np.tri(places) > 0.0, scores, -1e30)
    mixed = (softmax(scores) @ v).transpose(0, 2, 1, 3).reshape(batch, places, width)
    return mixed @ params["out"]


def loss(params, x, wanted):
    """Mean squared error of the layer's output."""
    x = x + attended(params, normed(x, params["gain1"], params["shift1"]))
    y = normed(x, params["gain2"], params["shift2"]) @ params["up"]
    y = 0.5 * y * (1.0 + np.tanh(0.7978845608028654 * (y + 0.044715 * y**3)))
    x = x + y @ params["down"]
    return np.mean((x - wanted) ** 2)


def arguments():
    """Two sequences of six places, three heads."""
    rng = np.random.default_rng(0)
    d = 12
    params = {name: 0.3 * rng.normal(size=(d, d)) for name in ("query", "key", "value", "out")}
    params |= {"up": 0.3 * rng.normal(size=(d, 2 * d)), "down": 0.3 * rng.normal(size=(2 * d, d))}
    params |= {"gain1": np.ones(d), "gain2": np.ones(d), "shift1": np.zeros(d), "shift2": np.zeros(d)}
    return params, rng.normal(size=(2, 6, d)), rng.normal(size=(2, 6, d))
