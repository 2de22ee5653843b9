"""An Elman network in plain loops learns the next character of a text."""
from collections.abc import Callable
from pathlib import Path

import numpy as np
from differences import directional_error

import s2s

DATA = Path(__file__).resolve().parent / "data" / "gettysburg.txt"
HIDDEN, WINDOW, EPOCHS = 24, 50, 12


def loss(params, text):
    """Mean cross-entropy of each character given those before it; every sum is a loop."""
    inner, outer, recurrent, bias = params
    hidden = recurrent.shape[0]
    letters = outer.shape[0]
    h = np.zeros(hidden)
    scores = np.zeros(letters)
    total = 0.0
    for t in range(len(text) - 1):
        new = np.zeros(hidden)
        for i in range(hidden):
            s = bias[i] + inner[i, text[t]]
            for j in range(hidden):
                s += recurrent[i, j] * h[j]
            new[i] = np.tanh(s)
        h = new
        biggest = -np.inf
        for k in range(letters):
            s = 0.0
            for j in range(hidden):
                s += outer[k, j] * h[j]
            scores[k] = s
            biggest = max(biggest, s)
        norm = 0.0
        for k in range(letters):
            norm += np.exp(scores[k] - biggest)
        total += biggest + np.log(norm) - scores[text[t + 1]]
    return total / (len(text) - 1)


def read_data() -> tuple[np.ndarray, str]:
    """The text as numbers of letters, and the letters."""
    text = DATA.read_text(encoding="utf-8").lower()
    letters = "".join(sorted(set(text)))
    return np.array([letters.index(letter) for letter in text]), letters


def adam(params: tuple, gradient: tuple, moments: list, step: int, rate: float) -> tuple:
    """One step of Adam (Kingma and Ba 2015) on a tuple of arrays; `moments` are updated in place."""
    new = []
    for moment, p, g in zip(moments, params, gradient, strict=True):
        moment[0] += 0.1 * (g - moment[0])
        moment[1] += 0.001 * (g * g - moment[1])
        new.append(p - rate * moment[0] / (1 - 0.9**step) / (np.sqrt(moment[1] / (1 - 0.999**step)) + 1e-8))
    return tuple(new)


def main(report: Callable[[str], object] = print) -> dict[str, float]:
    """Train on windows of the text; the figures."""
    text, letters = read_data()
    rng = np.random.default_rng(0)
    shapes = ((HIDDEN, len(letters)), (len(letters), HIDDEN), (HIDDEN, HIDDEN), (HIDDEN,))
    params = tuple(0.3 / np.sqrt(shape[-1]) * rng.normal(size=shape) for shape in shapes)
    value_and_grad = s2s.value_and_grad(loss)

    before, _ = value_and_grad(params, text)
    _, gradient = value_and_grad(params, text[:WINDOW])
    error = directional_error(lambda recurrent: loss((*params[:2], recurrent, params[3]), text[:WINDOW]), params[2], gradient[2])
    moments = [np.zeros((2, *p.shape)) for p in params]
    step = 0
    for _ in range(EPOCHS):
        for start in range(0, len(text) - 1, WINDOW):
            step += 1
            _, gradient = value_and_grad(params, text[start:start + WINDOW + 1])  # windows of two lengths: nothing compiles again
            params = adam(params, gradient, moments, step, 0.01)
    after, _ = value_and_grad(params, text)

    report(f"text: {len(text)} characters, bits a character {before / np.log(2):.3f} -> {after / np.log(2):.3f}, gradient check {error:.1e}")
    return {"before": float(before), "after": float(after), "gradient_error": error}


if __name__ == "__main__":
    main()
