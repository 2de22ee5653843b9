"""Which temperatures did it start from? A 2-D heat equation solved by in-place loops, run backwards by gradient descent."""
from collections.abc import Callable

import numpy as np
from differences import directional_error

import s2s

SIZE, STEPS, RATE = 20, 25, 0.2


def diffuse(u, steps, rate):
    """Explicit heat steps on the inner points of u, in place; the edge is kept at its temperature."""
    n, m = u.shape
    before = np.empty_like(u)
    for _ in range(steps):
        before[...] = u
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                around = before[i - 1, j] + before[i + 1, j] + before[i, j - 1] + before[i, j + 1]
                u[i, j] += rate * (around - 4.0 * before[i, j])


def misfit(start, measured, steps, rate):
    """Half the squared distance of the diffused field from what was measured."""
    u = start.copy()
    diffuse(u, steps, rate)
    total = 0.0
    for i in range(u.shape[0]):
        for j in range(u.shape[1]):
            total += 0.5 * (u[i, j] - measured[i, j]) ** 2
    return total


def hot_spots() -> np.ndarray:
    """The field to be found: two warm spots and a cold one."""
    y, x = np.mgrid[0:SIZE, 0:SIZE] / (SIZE - 1)
    spots = ((0.3, 0.3, 1.0), (0.65, 0.7, 0.8), (0.7, 0.25, -0.6))
    return sum(height * np.exp(-((x - a) ** 2 + (y - b) ** 2) / 0.02) for a, b, height in spots)


def main(report: Callable[[str], object] = print) -> dict[str, float]:
    """Accelerated gradient descent (Nesterov 1983) from zero; the figures."""
    truth = hot_spots()
    measured = truth.copy()
    s2s.jit(diffuse)(measured, STEPS, RATE)  # jit writes into the caller's array, as diffuse itself does
    value_and_grad = s2s.value_and_grad(misfit)

    start = np.zeros((SIZE, SIZE))
    before, gradient = value_and_grad(start, measured, STEPS, RATE)
    error = directional_error(lambda u: misfit(u, measured, STEPS, RATE), start, gradient)
    momentum = start
    for k in range(300):
        _, gradient = value_and_grad(momentum, measured, STEPS, RATE)
        new = momentum - 0.4 * gradient  # safe: the largest singular value of the diffusion, squared, is 2.2
        momentum = new + k / (k + 3) * (new - start)
        start = new
    after, _ = value_and_grad(start, measured, STEPS, RATE)
    off_before = float(np.linalg.norm(truth))
    off_after = float(np.linalg.norm(start - truth))

    report(f"heat: misfit {before:.4f} -> {after:.2e}, error of the field {off_before:.3f} -> {off_after:.3f}, gradient check {error:.1e}")
    return {"before": float(before), "after": float(after), "field_before": off_before, "field_after": off_after, "gradient_error": error}


if __name__ == "__main__":
    main()
