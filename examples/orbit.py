"""The orbit of Mars, found from its positions through a leapfrog loop of four bodies that pull at each other."""
import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
from differences import directional_error

import s2s

DATA = Path(__file__).resolve().parent / "data" / "planets.csv"
GAUSS = 0.01720209895**2
"""The Sun's gravity in au³/day² (Gauss's constant squared)."""
DAYS, STEPS, EVERY = 4.0, 180, 5


def pull(x, masses, a):
    """The accelerations of all bodies, written into a."""
    n = x.shape[0]
    a[:] = 0.0
    for i in range(n):
        for j in range(i):
            r2 = 0.0
            for k in range(3):
                r2 += (x[j, k] - x[i, k]) ** 2
            strength = GAUSS / (r2 * np.sqrt(r2))
            for k in range(3):
                towards = strength * (x[j, k] - x[i, k])
                a[i, k] += masses[j] * towards
                a[j, k] -= masses[i] * towards


def misfit(orbit, x, v, masses, observed, days, every):
    """Follow the bodies, Mars (number 1) starting at orbit[:3] with the velocity orbit[3:] in au per 100 days, and compare with the observed positions."""
    x = x.copy()
    v = v.copy()
    x[1] = orbit[:3]
    v[1] = 0.01 * orbit[3:]
    a = np.zeros_like(x)
    total = 0.0
    pull(x, masses, a)
    for step in range(every * len(observed)):
        v += 0.5 * days * a
        x += days * v
        pull(x, masses, a)
        v += 0.5 * days * a
        if (step + 1) % every == 0:
            seen = observed[step // every]
            for k in range(3):
                total += (x[1, k] - x[3, k] - seen[k]) ** 2
    return total / len(observed)


def position(row: dict[str, float], day: float) -> np.ndarray:
    """Heliocentric ecliptic position in au from Standish's elements, `day` days after J2000."""
    century = day / 36525.0
    a, e, inclination, longitude, perihelion, node = (
        row[key] + row[key + "_rate"] * century for key in ("a", "e", "I", "L", "long_peri", "long_node")
    )
    inclination, node, argument = np.radians([inclination, node, perihelion - node])
    mean = np.radians((longitude - perihelion + 180.0) % 360.0 - 180.0)
    anomaly = mean
    for _ in range(20):
        anomaly -= (anomaly - e * np.sin(anomaly) - mean) / (1.0 - e * np.cos(anomaly))
    along, across = a * (np.cos(anomaly) - e), a * np.sqrt(1.0 - e * e) * np.sin(anomaly)
    x, y = along * np.cos(argument) - across * np.sin(argument), along * np.sin(argument) + across * np.cos(argument)
    tilted = y * np.cos(inclination)
    return np.array([x * np.cos(node) - tilted * np.sin(node), x * np.sin(node) + tilted * np.cos(node), y * np.sin(inclination)])


def read_data() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Positions and velocities of Earth, Mars, Jupiter and the Sun at J2000, their masses, and Mars every 20 days for two years."""
    with DATA.open(newline="") as file:
        rows = [{key: float(text) for key, text in row.items() if key != "name"} for row in csv.DictReader(file)]
    x = np.array([*(position(row, 0.0) for row in rows), np.zeros(3)])
    v = np.array([*((position(row, 0.5) - position(row, -0.5)) for row in rows), np.zeros(3)])
    masses = np.array([*(1.0 / row["inverse_mass"] for row in rows), 1.0])
    observed = np.array([position(rows[1], DAYS * EVERY * (k + 1)) for k in range(STEPS // EVERY)])
    return x, v, masses, observed


def circular(first: np.ndarray) -> np.ndarray:
    """The guess to start from: at the right place, on a circle in the ecliptic."""
    radius = np.linalg.norm(first)
    speed = np.sqrt(GAUSS / radius)
    return np.concatenate([first, 100.0 * speed / radius * np.array([-first[1], first[0], 0.0])])


def main(report: Callable[[str], object] = print) -> dict[str, float]:
    """Fit with SciPy's BFGS, fed by value_and_grad; the figures."""
    from scipy.optimize import minimize  # here: importing the example shall not cost SciPy's optimiser

    x, v, masses, observed = read_data()
    value_and_grad = s2s.value_and_grad(misfit)

    def follow(orbit: np.ndarray) -> tuple[float, np.ndarray]:
        return value_and_grad(orbit, x, v, masses, observed, DAYS, EVERY)

    guess = circular(x[1])
    before, gradient = follow(guess)
    error = directional_error(lambda orbit: misfit(orbit, x, v, masses, observed, DAYS, EVERY), guess, gradient)
    found = minimize(follow, guess, jac=True, method="BFGS", options={"gtol": 1e-9})
    after, _ = follow(found.x)
    speed_error = float(np.linalg.norm(found.x[3:] * 0.01 - v[1]) / np.linalg.norm(v[1]))

    report(
        f"orbit: rms distance {np.sqrt(before):.4f} -> {np.sqrt(after):.2e} au after {found.nit} BFGS steps, "
        f"velocity of Mars to {speed_error:.1e}, gradient check {error:.1e}"
    )
    return {"before": float(before), "after": float(after), "velocity_error": speed_error, "gradient_error": error}


if __name__ == "__main__":
    main()
