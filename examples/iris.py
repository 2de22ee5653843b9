"""Softmax regression on Fisher's irises: array code, a dictionary of parameters, gradient descent with value_and_grad."""
from collections.abc import Callable
from pathlib import Path

import numpy as np
from differences import directional_error

import s2s

DATA = Path(__file__).resolve().parent / "data" / "iris.csv"


def loss(params, x, species):
    """Mean cross-entropy of a linear classifier, with a small penalty on its weights."""
    scores = x @ params["weights"] + params["bias"]
    scores = scores - scores.max(axis=1, keepdims=True)
    log_prob = scores - np.log(np.sum(np.exp(scores), axis=1, keepdims=True))
    penalty = 1e-3 * np.sum(params["weights"] ** 2)
    return penalty - np.mean(log_prob[np.arange(len(species)), species])


def read_data() -> tuple[np.ndarray, np.ndarray]:
    """Standardised measurements (150, 4) and the species (150,)."""
    table = np.loadtxt(DATA, delimiter=",", skiprows=1)
    x = table[:, :4]
    return (x - x.mean(axis=0)) / x.std(axis=0), table[:, 4].astype(np.int64)


def main(report: Callable[[str], object] = print) -> dict[str, float]:
    """Train for 300 steps; the figures."""
    x, species = read_data()
    params = {"weights": np.zeros((4, 3)), "bias": np.zeros(3)}
    value_and_grad = s2s.value_and_grad(loss)

    before, gradient = value_and_grad(params, x, species)
    error = directional_error(
        lambda weights: loss({"weights": weights, "bias": params["bias"]}, x, species), params["weights"], gradient["weights"]
    )
    for _ in range(300):
        _, gradient = value_and_grad(params, x, species)
        params = {name: params[name] - 0.5 * gradient[name] for name in params}
    after, _ = value_and_grad(params, x, species)
    right = np.mean(np.argmax(x @ params["weights"] + params["bias"], axis=1) == species)

    report(f"iris: loss {before:.4f} -> {after:.4f}, {right:.1%} of 150 flowers right, gradient check {error:.1e}")
    return {"before": float(before), "after": float(after), "accuracy": float(right), "gradient_error": error}


if __name__ == "__main__":
    main()
