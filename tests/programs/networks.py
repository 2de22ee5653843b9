"""Neural networks in plain NumPy, with parameters in every container people use."""
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from programs.case import Case


def layer(w, b, x):
    """One dense layer."""
    return np.tanh(w @ x + b)


def mlp(params, x):
    """A list of (weights, bias) pairs."""
    for w, b in params[:-1]:
        x = layer(w, b, x)
    w, b = params[-1]
    return np.sum((w @ x + b) ** 2)


def make_mlp(rng):
    """Three layers of different sizes and an input."""
    sizes = [3, 5, 4, 2]
    params = [(rng.normal(size=(n, m)), rng.normal(size=n)) for m, n in zip(sizes[:-1], sizes[1:], strict=True)]
    return params, rng.normal(size=3)


def dict_mlp(params, X, y):
    """A batch through two layers with parameters by name; softmax cross-entropy with integer labels."""
    hidden = np.maximum(X @ params["W1"] + params["b1"], 0.0)
    logits = hidden @ params["W2"] + params["b2"]
    shifted = logits - logits.max(axis=1, keepdims=True)
    log_prob = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return -np.mean(log_prob[np.arange(len(y)), y])


def make_dict_mlp(rng):
    """Weights by name, eight rows, three classes."""
    params = {"W1": rng.normal(size=(4, 6)), "b1": rng.normal(size=6), "W2": rng.normal(size=(6, 3)), "b2": np.zeros(3)}
    return params, rng.normal(size=(8, 4)), rng.integers(0, 3, size=8)


class Dense(NamedTuple):
    """Parameters of a layer."""

    weight: np.ndarray
    bias: np.ndarray


@dataclass
class Model:
    """Parameters of a model: a list of layers and a scale."""

    layers: list
    scale: float


def forward(model, x):
    """A dataclass of NamedTuples."""
    for number, dense in enumerate(model.layers):
        x = x @ dense.weight.T + dense.bias
        if number < len(model.layers) - 1:
            x = 1.0 / (1.0 + np.exp(-x))
    return model.scale * x


def model_loss(model: Model, x, target):
    """Mean squared error of `forward`."""
    return np.mean((forward(model, x) - target) ** 2)


def make_model(rng):
    """Two layers, a batch of five."""
    layers = [Dense(rng.normal(size=(4, 3)), rng.normal(size=4)), Dense(rng.normal(size=(2, 4)), rng.normal(size=2))]
    return Model(layers, 0.7), rng.normal(size=(5, 3)), rng.normal(size=(5, 2))


def elman(Wx, Wh, b, xs):
    """An Elman network in scalar loops; the whole history is kept."""
    steps = xs.shape[0]
    hidden = b.shape[0]
    h = np.zeros((steps + 1, hidden))
    for t in range(steps):
        for i in range(hidden):
            s = b[i]
            for j in range(xs.shape[1]):
                s += Wx[i, j] * xs[t, j]
            for j in range(hidden):
                s += Wh[i, j] * h[t, j]
            h[t + 1, i] = np.tanh(s)
    return h[1:]


def sigmoid(x):
    """The logistic function."""
    return 1 / (1 + np.exp(-x))


def lstm(params, xs):
    """An LSTM over the rows of xs, gates from one product split in four."""
    W, U, b = params["W"], params["U"], params["b"]
    n = b.shape[0] // 4
    h = np.zeros(n)
    c = np.zeros(n)
    for x in xs:
        z = W @ x + U @ h + b
        i = sigmoid(z[:n])
        f = sigmoid(z[n:2 * n])
        o = sigmoid(z[2 * n:3 * n])
        g = np.tanh(z[3 * n:])
        c = f * c + i * g
        h = o * np.tanh(c)
    return np.sum(h ** 2)


def make_lstm(rng):
    """Two hidden units, three inputs, four steps."""
    return {"W": rng.normal(size=(8, 3)), "U": rng.normal(size=(8, 2)), "b": rng.normal(size=8)}, rng.normal(size=(4, 3))


def char_rnn_loss(params, text):
    """A character model: embedding rows by integer, loss summed over time."""
    E, W, V = params
    h = np.zeros(W.shape[0])
    loss = 0.0
    for t in range(len(text) - 1):
        h = np.tanh(E[text[t]] + W @ h)
        scores = V @ h
        biggest = np.max(scores)
        loss += biggest + np.log(np.sum(np.exp(scores - biggest))) - scores[text[t + 1]]
    return loss / (len(text) - 1)


def conv1d(signal, kernels, stride):
    """A strided 1-D convolution layer with ReLU and mean pooling."""
    width = kernels.shape[1]
    n = (signal.shape[0] - width) // stride + 1
    out = np.empty((kernels.shape[0], n))
    for c in range(kernels.shape[0]):
        for i in range(n):
            out[c, i] = max(np.dot(kernels[c], signal[i * stride:i * stride + width]), 0.0)
    return out.mean(axis=1)


def logistic_loss(w, x, y):
    """Logistic regression in array code."""
    z = x @ w
    return np.mean(np.log(1.0 + np.exp(-z)) + (1.0 - y) * z)


def attention(Q, K, V):
    """Scaled dot-product attention."""
    scores = Q @ K.T / np.sqrt(K.shape[1])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ V


def batch_norm(x, gamma, beta):
    """Normalise columns."""
    mean = x.mean(axis=0)
    centred = x - mean
    var = np.mean(centred ** 2, axis=0)
    return gamma * centred / np.sqrt(var + 1e-5) + beta


def train(w, x, y, rate, steps):
    """Gradient descent inside the program, weights updated in place; differentiate with respect to the rate."""
    w = w.copy()
    for _ in range(steps):
        residual = x @ w - y
        w -= rate * (x.T @ residual) / len(y)
    return 0.5 * np.mean((x @ w - y) ** 2)


CASES = (
    Case(mlp, make_mlp, wrt=(0, 1)),
    Case(dict_mlp, make_dict_mlp, wrt=(0, 1)),
    Case(model_loss, make_model, wrt=(0, 1), fails=((lambda rng: (*make_model(rng)[:2], rng.normal(size=(4, 2))), ValueError),)),
    Case(elman, lambda rng: (rng.normal(size=(4, 3)), rng.normal(size=(4, 4)), rng.normal(size=4), rng.normal(size=(5, 3))), wrt=(0, 1, 2, 3)),
    Case(lstm, make_lstm, wrt=(0, 1)),
    Case(char_rnn_loss, lambda rng: ((rng.normal(size=(6, 4)), 0.5 * rng.normal(size=(4, 4)), rng.normal(size=(6, 4))), rng.integers(0, 6, size=9)),
         wrt=(0,), fails=((lambda rng: ((rng.normal(size=(6, 4)), rng.normal(size=(4, 4)), rng.normal(size=(6, 4))), np.array([1, 7, 2])), IndexError),)),
    Case(conv1d, lambda rng: (rng.normal(size=11), rng.normal(size=(3, 4)), 2), wrt=(0, 1)),
    Case(logistic_loss, lambda rng: (rng.normal(size=4), rng.normal(size=(9, 4)), (rng.random(9) > 0.5) * 1.0), wrt=(0, 1)),
    Case(logistic_loss, lambda rng: (rng.normal(size=4).astype("f4"), rng.normal(size=(9, 4)).astype("f4"), (rng.random(9) > 0.5).astype("f4")),
         wrt=(0,), name="logistic_loss_f4"),
    Case(attention, lambda rng: (rng.normal(size=(3, 4)), rng.normal(size=(5, 4)), rng.normal(size=(5, 2))), wrt=(0, 1, 2)),
    Case(batch_norm, lambda rng: (rng.normal(size=(6, 3)), rng.normal(size=3), rng.normal(size=3)), wrt=(0, 1, 2)),
    Case(train, lambda rng: (rng.normal(size=3), rng.normal(size=(7, 3)), rng.normal(size=7), 0.05, 5), wrt=(0, 1, 2, 3)),
)
