# ruff: noqa: N803, N806, PLR0913 - as scientists name things
"""Ten programs of research, each with all that it needs: models, solvers, fits and simulations as they stand in notebooks.

`PROGRAMS`: the function, its arguments drawn by a generator, and which of them are differentiated.
"""
from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import scipy.linalg
import scipy.optimize
import scipy.signal
from scipy.integrate import quad, solve_ivp
from scipy.spatial.distance import cdist, pdist, squareform

Make = Callable[[np.random.Generator], tuple[Any, ...]]
PROGRAMS: dict[str, tuple[Callable[..., Any], Make, tuple[int, ...]]] = {}


def program(make: Make, wrt: tuple[int, ...] = ()) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Keep a program with its arguments."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        PROGRAMS[function.__name__] = function, make, wrt
        return function

    return add


# ---- a Gaussian process ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Kernel:
    """A squared exponential and a periodic part."""

    scale: float
    length: float
    period: float
    mixing: float

    def __call__(self, a, b):
        r = cdist(a, b, "sqeuclidean")
        smooth = np.exp(-0.5 * r / self.length**2)
        waves = np.exp(-2.0 * np.sin(np.pi * (a[:, 0][:, None] - b[:, 0][None, :]) / self.period) ** 2)
        return self.scale**2 * ((1.0 - self.mixing) * smooth + self.mixing * waves)


class GaussianProcess:
    """Regression with noise: the factor is kept."""

    def __init__(self, kernel, noise):
        self.kernel, self.noise = kernel, noise
        self.x = self.factor = self.alpha = None

    def fit(self, x, y):
        K = self.kernel(x, x)
        K[np.diag_indices_from(K)] += self.noise**2
        self.x = x
        self.factor = scipy.linalg.cho_factor(K, lower=True)
        self.alpha = scipy.linalg.cho_solve(self.factor, y)
        return self

    def log_likelihood(self, y):
        return -0.5 * y @ self.alpha - np.sum(np.log(np.diagonal(self.factor[0]))) - 0.5 * len(y) * np.log(2.0 * np.pi)

    def predict(self, at):
        across = self.kernel(at, self.x)
        mean = across @ self.alpha
        solved = scipy.linalg.solve_triangular(self.factor[0], across.T, lower=True)
        return mean, np.sqrt(np.diagonal(self.kernel(at, at)) - np.sum(solved**2, axis=0) + self.noise**2)


@program(lambda r: (np.sort(r.uniform(0, 4, 12))[:, None], r.normal(size=12), np.array([0.1, -0.3, 0.2, -1.0])), (1, 2))
def gaussian_process(x, y, theta):
    """The evidence of the data, and the predictive score of those that were held out."""
    scale, length, period = np.exp(theta[:3])
    mixing = 1.0 / (1.0 + np.exp(-theta[3]))
    train, test = slice(None, None, 2), slice(1, None, 2)
    process = GaussianProcess(Kernel(scale, length, period, mixing), noise=0.3).fit(x[train], y[train])
    mean, deviation = process.predict(x[test])
    score = -0.5 * np.mean(((y[test] - mean) / deviation) ** 2) - np.mean(np.log(deviation))
    return process.log_likelihood(y[train]), score


# ---- data assimilation -------------------------------------------------------------------------------------------------------


def lorenz96(x, forcing):
    """Advection, dissipation and forcing on a circle."""
    return (np.roll(x, -1, axis=-1) - np.roll(x, 2, axis=-1)) * np.roll(x, 1, axis=-1) - x + forcing


def rk4(f, x, dt, *args):
    k1 = f(x, *args)
    k2 = f(x + 0.5 * dt * k1, *args)
    k3 = f(x + 0.5 * dt * k2, *args)
    k4 = f(x + dt * k3, *args)
    return x + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)


class Ensemble:
    """An ensemble Kalman filter with perturbed observations and inflation."""

    def __init__(self, members, inflation=1.05):
        self.members, self.inflation = members, inflation
        self.spread = []

    def forecast(self, dt, forcing, steps):
        for _ in range(steps):
            self.members = rk4(lorenz96, self.members, dt, forcing)
        mean = self.members.mean(axis=0)
        self.members = mean + self.inflation * (self.members - mean)

    def analyse(self, y, where, error, perturbations):
        anomalies = self.members - self.members.mean(axis=0)
        count = len(self.members) - 1
        seen = anomalies[:, where]
        covariance = seen.T @ seen / count + error**2 * np.eye(len(where))
        gain = np.linalg.solve(covariance, seen.T @ anomalies / count)
        innovations = y + error * perturbations - self.members[:, where]
        self.members = self.members + innovations @ gain
        self.spread.append(np.sqrt(np.mean(anomalies**2)))


@program(lambda r: (8.0 + 0.1 * r.normal(size=(6, 10)), 7.5, r.normal(size=(3, 5)) + 8.0, np.random.RandomState(7)), (0, 1))
def assimilation(members, forcing, observations, rng):
    """How far the analysed mean is from what comes next, and how the spread went."""
    where = np.arange(0, members.shape[1], 2)
    ensemble = Ensemble(members)
    misfit = 0.0
    for y in observations:
        ensemble.forecast(0.05, forcing, 2)
        misfit += np.sum((ensemble.members.mean(axis=0)[where] - y) ** 2)
        ensemble.analyse(y, where, 0.5, rng.normal(size=(members.shape[0], len(where))))
    return misfit, ensemble.members.mean(axis=0), np.array(ensemble.spread)


# ---- a finite-element beam ---------------------------------------------------------------------------------------------------


class Element(NamedTuple):
    """Two nodes, a length and a stiffness."""

    first: int
    length: float
    rigidity: float

    def stiffness(self):
        L = self.length
        k = np.array([[12.0, 6 * L, -12.0, 6 * L], [6 * L, 4 * L**2, -6 * L, 2 * L**2], [-12.0, -6 * L, 12.0, -6 * L], [6 * L, 2 * L**2, -6 * L, 4 * L**2]])
        return self.rigidity / L**3 * k

    def load(self, q):
        L = self.length
        return q * L / 2.0 * np.array([1.0, L / 6.0, 1.0, -L / 6.0])


def assemble(elements, q):
    """The whole system, two unknowns a node."""
    size = 2 * (len(elements) + 1)
    K, f = np.zeros((size, size)), np.zeros(size)
    for element in elements:
        dofs = slice(2 * element.first, 2 * element.first + 4)
        K[dofs, dofs] += element.stiffness()
        f[dofs] += element.load(q)
    return K, f


@program(lambda r: (r.uniform(0.1, 0.3, 6), 2.0, r.uniform(0.5, 2.0, 3)), (0, 1, 2))
def beam(heights, q, springs):
    """Compliance, largest deflection and first eigenfrequency of a clamped beam on springs, by the heights of its parts."""
    n = len(heights)
    elements = [Element(k, 1.0 / n, 200.0 * h**3 / 12.0) for k, h in enumerate(heights)]
    K, f = assemble(elements, q)
    for k, spring in enumerate(springs):
        K[2 * (2 * k + 2), 2 * (2 * k + 2)] += spring
    mass = np.zeros(len(f))
    for element, h in zip(elements, heights):
        mass[2 * element.first] += 0.5 * h * element.length
        mass[2 * element.first + 2] += 0.5 * h * element.length
        for node in (element.first, element.first + 1):
            mass[2 * node + 1] += h * element.length**3 / 24.0
    free = np.arange(2, len(f))
    inside = K[np.ix_(free, free)]
    u = np.linalg.solve(inside, f[free])
    root = 1.0 / np.sqrt(mass[free])
    frequencies = np.sqrt(np.linalg.eigvalsh(root[:, None] * inside * root[None, :]))
    return f[free] @ u, np.max(np.abs(u[::2])), frequencies[:2]


# ---- Markov chain Monte Carlo ------------------------------------------------------------------------------------------------


@dataclass
class Chain:
    """Where a chain is, and how often it moved."""

    position: np.ndarray
    value: float
    moved: int = 0
    trace: list = field(default_factory=list)


def log_posterior(theta, x, y):
    """A line with Student's noise and wide priors."""
    slope, offset, log_noise = theta
    noise = np.exp(log_noise)
    z = (y - slope * x - offset) / noise
    return -2.5 * np.sum(np.log1p(z**2 / 4.0)) - len(y) * log_noise - 0.5 * np.sum((theta / 5.0) ** 2)


def metropolis(rng, chain, target, step):
    proposal = chain.position + step * rng.normal(size=chain.position.shape)
    value = target(proposal)
    if np.log(rng.uniform()) < value - chain.value:
        chain = replace(chain, position=proposal, value=value, moved=chain.moved + 1)
    chain.trace.append(chain.position[0])
    return chain


@program(lambda r: (r.uniform(-1, 1, 9), r.normal(size=9), 0.3, np.random.RandomState(11)))
def markov_chain(x, y, step, rng):
    """Tempered chains that exchange places; the mean slope, how often each moved, and the autocorrelation of the first."""
    start = np.zeros(3)
    chains = [Chain(start.copy(), log_posterior(start, x, y)) for _ in range(2)]
    exchanged = 0
    for k in range(30):
        cold, warm = [metropolis(rng, chain, lambda t: log_posterior(t, x, y) / heat, step * heat) for chain, heat in zip(chains, (1.0, 3.0))]
        if k % 5 == 4:
            gain = (warm.value * 3.0 - cold.value) * (1.0 - 1.0 / 3.0)
            if np.log(rng.uniform()) < gain:
                cold, warm = replace(cold, position=warm.position, value=warm.value * 3.0), replace(warm, position=cold.position, value=cold.value / 3.0)
                exchanged += 1
        chains = [cold, warm]
    trace = np.array(chains[0].trace)
    centred = trace - trace.mean()
    correlation = np.correlate(centred, centred, "full")[len(trace) - 1 :] / (centred @ centred + 1e-12)
    return trace.mean(), [chain.moved for chain in chains], exchanged, correlation[:5]


# ---- Kalman filter and smoother ------------------------------------------------------------------------------------------------


class Model(NamedTuple):
    """A linear state space."""

    F: np.ndarray
    H: np.ndarray
    Q: np.ndarray
    R: np.ndarray


def filtered(model, m, P, ys):
    """Means and covariances before and after each observation, and the likelihood; what is nan was not observed."""
    means, covariances, predicted, likelihood = [], [], [], 0.0
    for y in ys:
        m, P = model.F @ m, model.F @ P @ model.F.T + model.Q
        predicted.append((m, P))
        if not np.isnan(y):
            S = (model.H @ P @ model.H.T + model.R)[0, 0]
            residual = y - (model.H @ m)[0]
            gain = (P @ model.H.T)[:, 0] / S
            m = m + gain * residual
            P = P - np.outer(gain, gain) * S
            likelihood -= 0.5 * (residual**2 / S + np.log(2.0 * np.pi * S))
        means.append(m)
        covariances.append(P)
    return means, covariances, predicted, likelihood


def smoothed(model, means, covariances, predicted):
    """Rauch, Tung and Striebel's pass back."""
    m, P = means[-1], covariances[-1]
    out = [m]
    for k in range(len(means) - 2, -1, -1):
        before, ahead = covariances[k], predicted[k + 1]
        G = np.linalg.solve(ahead[1], model.F @ before).T
        m = means[k] + G @ (m - ahead[0])
        P = before + G @ (P - ahead[1]) @ G.T
        out.append(m)
    return np.array(out[::-1]), P


@program(lambda r: (np.array([0.1, -0.5, 0.2]), np.where(r.random(8) < 0.25, np.nan, np.cumsum(r.normal(size=8)))), (0,))
def kalman_smoother(theta, ys):
    """Likelihood and smoothed path of a local trend with missing observations."""
    drift, level, noise = np.exp(theta)
    model = Model(np.array([[1.0, 1.0], [0.0, 0.9]]), np.array([[1.0, 0.0]]), np.diag(np.array([level, 0.1 * drift])), np.eye(1) * noise)
    means, covariances, predicted, likelihood = filtered(model, np.zeros(2), 5.0 * np.eye(2), ys)
    path, P = smoothed(model, means, covariances, predicted)
    return likelihood, path, np.trace(P)


# ---- multigrid -------------------------------------------------------------------------------------------------------------------


def residual(u, f, h):
    r = np.zeros_like(u)
    r[1:-1, 1:-1] = f[1:-1, 1:-1] + (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]) / h**2
    return r


def smooth(u, f, h, sweeps):
    """Red and black points in turn."""
    i, j = np.indices(u.shape)
    for _ in range(sweeps):
        for colour in (0, 1):
            new = u.copy()
            new[1:-1, 1:-1] = 0.25 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] + h**2 * f[1:-1, 1:-1])
            u = np.where((i + j) % 2 == colour, new, u)
    return u


def restricted(r):
    out = np.zeros(((r.shape[0] + 1) // 2, (r.shape[1] + 1) // 2))
    c = r[2:-1:2, 2:-1:2]
    edges = r[1:-2:2, 2:-1:2] + r[3::2, 2:-1:2] + r[2:-1:2, 1:-2:2] + r[2:-1:2, 3::2]
    corners = r[1:-2:2, 1:-2:2] + r[3::2, 1:-2:2] + r[1:-2:2, 3::2] + r[3::2, 3::2]
    out[1:-1, 1:-1] = 0.25 * c + 0.125 * edges + 0.0625 * corners
    return out


def prolonged(e, shape):
    out = np.zeros(shape)
    out[::2, ::2] = e
    out[1::2, ::2] = 0.5 * (e[1:] + e[:-1])
    out[:, 1::2] = 0.5 * (out[:, 2::2] + out[:, :-2:2])
    return out


def v_cycle(u, f, h):
    u = smooth(u, f, h, 2)
    if u.shape[0] <= 3:
        return smooth(u, f, h, 4)
    coarse = restricted(residual(u, f, h))
    error = v_cycle(np.zeros_like(coarse), coarse, 2.0 * h)
    return smooth(u + prolonged(error, u.shape), f, h, 2)


@program(lambda r: (r.normal(size=(9, 9)), 1.5), (0, 1))
def multigrid(f, strength):
    """The potential of charges in a box, its energy, and how much is left of the residual."""
    h = 1.0 / (f.shape[0] - 1)
    u = np.zeros_like(f)
    first = np.linalg.norm(residual(u, strength * f, h))
    for _ in range(3):
        u = v_cycle(u, strength * f, h)
    return u[1:-1:2, 1:-1:2], 0.5 * h**2 * np.sum(u * f), np.linalg.norm(residual(u, strength * f, h)) / first < 0.05


# ---- bodies -------------------------------------------------------------------------------------------------------------------------


@dataclass
class Body:
    """A body with its path."""

    name: str
    mass: float
    r: np.ndarray
    v: np.ndarray

    @property
    def kinetic(self):
        return 0.5 * self.mass * self.v @ self.v


class System:
    """Bodies that attract each other."""

    def __init__(self, bodies, softening=1e-3):
        self.bodies, self.softening, self.time = list(bodies), softening, 0.0

    def __len__(self):
        return len(self.bodies)

    def __iter__(self):
        return iter(self.bodies)

    def accelerations(self):
        found = []
        for one in self:
            total = np.zeros(2)
            for other in self:
                if other is not one:
                    d = other.r - one.r
                    total += other.mass * d / (d @ d + self.softening) ** 1.5
            found.append(total)
        return found

    def leapfrog(self, dt):
        for body, a in zip(self, self.accelerations()):
            body.v = body.v + 0.5 * dt * a
            body.r = body.r + dt * body.v
        for body, a in zip(self, self.accelerations()):
            body.v = body.v + 0.5 * dt * a
        self.time += dt

    @property
    def energy(self):
        pairs = [(a, b) for k, a in enumerate(self.bodies) for b in self.bodies[k + 1 :]]
        potential = -sum(a.mass * b.mass / np.sqrt((a.r - b.r) @ (a.r - b.r) + self.softening) for a, b in pairs)
        return sum(body.kinetic for body in self) + potential


@program(lambda r: (np.array([1.0, 1e-1, 1e-2]), np.array([[0.0, 0.0], [1.0, 0.1], [-1.6, 0.0]]) + 0.02 * r.normal(size=(3, 2)), np.array([[0.0, 0.0], [0.0, 1.0], [0.1, -0.8]]), 0.05), (0, 1, 2))
def n_bodies(masses, positions, velocities, dt):
    """Where planets are after a while, how the energy drifted, and who came nearest to the sun."""
    names = ("sun", "jupiter", "comet")
    system = System([Body(name, m, r, v) for name, m, r, v in zip(names, masses, positions, velocities)])
    start, nearest = system.energy, {name: np.inf for name in names[1:]}
    for _ in range(8):
        system.leapfrog(dt)
        for body in system.bodies[1:]:
            distance = np.linalg.norm(body.r - system.bodies[0].r)
            nearest[body.name] = np.minimum(nearest[body.name], distance)
    centre = sum(body.mass * body.r for body in system) / sum(body.mass for body in system)
    return np.stack([body.r - centre for body in system]), system.energy - start, nearest, system.time


# ---- pharmacokinetics ------------------------------------------------------------------------------------------------------------------


class Dose(NamedTuple):
    """When, and how much."""

    at: float
    amount: float


def compartments(t, y, absorption, clearance, exchange):
    """Gut, blood and tissue."""
    gut, blood, tissue = y
    return np.array([-absorption * gut, absorption * gut - (clearance + exchange) * blood + exchange * tissue, exchange * (blood - tissue)])


def concentrations(parameters, doses, times):
    """The blood's concentration at these times, dose by dose."""
    y, found, seen = np.zeros(3), [], 0
    rates = tuple(np.exp(parameters))
    ends = [dose.at for dose in doses[1:]] + [times[-1]]
    for dose, end in zip(doses, ends):
        y = y + np.array([dose.amount, 0.0, 0.0])
        inside = [t for t in times[seen:] if t <= end]
        seen += len(inside)
        wanted = np.array([*inside, end]) if not inside or inside[-1] < end else np.array(inside)
        solution = solve_ivp(compartments, (dose.at, end), y, t_eval=wanted, args=rates, rtol=1e-10, atol=1e-12)
        found.append(solution.y[1, : len(inside)])
        y = solution.y[:, -1]
    return np.concatenate(found)


@program(lambda r: (np.array([0.3, -1.2, -0.9]), 0.4 + 0.05 * r.normal(size=6)), (0, 1))
def pharmacokinetics(parameters, measured):
    """The misfit of a model with two doses, a step of Gauss and Newton, and the exposure."""
    times = (0.5, 1.0, 2.0, 3.5, 4.5, 6.0)
    doses = (Dose(0.0, 1.0), Dose(3.0, 0.5))
    model = concentrations(parameters, doses, times)
    gaps = model - measured
    columns = []
    for k in range(len(parameters)):
        moved = parameters.copy()
        moved[k] += 1e-2
        columns.append((concentrations(moved, doses, times) - model) / 1e-2)
    J = np.stack(columns, axis=1)
    step = -np.linalg.solve(J.T @ J + 1e-3 * np.eye(3), J.T @ gaps)
    exposure, _ = quad(lambda t: np.exp(parameters[1]) * np.exp(-t * np.exp(parameters[1])), 0.0, 6.0)
    return gaps @ gaps, step, exposure


# ---- an image ---------------------------------------------------------------------------------------------------------------------------


def gaussian_blur(shape, width):
    """Of a wide point on a torus."""
    y, x = [np.minimum(np.arange(n), n - np.arange(n)) for n in shape]
    point = np.exp(-0.5 * (y[:, None] ** 2 + x[None, :] ** 2) / width**2)
    return point / point.sum()


def total_variation(u, eps=1e-3):
    dy, dx = np.roll(u, -1, axis=0) - u, np.roll(u, -1, axis=1) - u
    return np.sum(np.sqrt(dx**2 + dy**2 + eps))


@program(lambda r: (r.random((8, 6)), np.log(0.9), 0.05), (0, 1, 2))
def deconvolution(image, log_width, strength):
    """A blurred image made sharp: Wiener's filter, then steps down the gradient of the total variation; smoothed rows; the score."""
    blur = np.fft.rfft2(gaussian_blur(image.shape, np.exp(log_width)))
    seen = np.fft.irfft2(np.fft.rfft2(image) * blur, image.shape)
    u = np.fft.irfft2(np.conj(blur) * np.fft.rfft2(seen) / (np.abs(blur) ** 2 + strength), image.shape)
    velocity = np.zeros_like(u)
    for k in range(4):
        misfit = np.fft.irfft2(np.conj(blur) * (blur * np.fft.rfft2(u) - np.fft.rfft2(seen)), image.shape)
        dx, dy = np.roll(u, -1, axis=1) - u, np.roll(u, -1, axis=0) - u
        size = np.sqrt(dx**2 + dy**2 + 1e-2)
        bend = dx / size - np.roll(dx / size, 1, axis=1) + dy / size - np.roll(dy / size, 1, axis=0)
        velocity = k / (k + 3.0) * velocity - 0.5 * (misfit - strength * bend)
        u = u + velocity
    rows = scipy.signal.savgol_filter(u, 5, 2, axis=1)
    error = np.mean((u - image) ** 2)
    return rows, -10.0 * np.log10(error), total_variation(u)


# ---- clusters ---------------------------------------------------------------------------------------------------------------------------


def k_means(points, centres, trips):
    """Lloyd's steps until nothing moves."""
    labels = np.zeros(len(points), int)
    for trip in range(trips):
        new = np.argmin(cdist(points, centres), axis=1)
        if trip and np.array_equal(new, labels):
            break
        labels = new
        moved = centres.copy()
        for k in range(len(centres)):
            chosen = labels == k
            if np.any(chosen):
                moved[k] = points[chosen].mean(axis=0)
        centres = moved
    return labels, centres


@program(lambda r: (np.concatenate([r.normal(size=(5, 2)) * 0.3 + c for c in ((0, 0), (3, 0), (0, 3))]), 1.0))
def spectral_clustering(points, width):
    """Eigenvectors of the graph's Laplacian, grouped; sizes, the cut's weight and the silhouette."""
    distances = squareform(pdist(points))
    W = np.exp(-(distances**2) / (2.0 * width**2))
    np.fill_diagonal(W, 0.0)
    degrees = W.sum(axis=1)
    laplacian = np.eye(len(points)) - W / np.sqrt(np.outer(degrees, degrees))
    values, vectors = np.linalg.eigh(laplacian)
    embedded = np.abs(vectors[:, :3])
    embedded = embedded / np.linalg.norm(embedded, axis=1, keepdims=True)
    labels, _ = k_means(points, points[[0, 5, 10]], 20)
    sizes = {int(k): int(np.sum(labels == k)) for k in range(3)}
    same = labels[:, None] == labels[None, :]
    cut = np.sum(W[~same]) / np.sum(W)
    scores = []
    for i in range(len(points)):
        inside = np.sum(distances[i][same[i]]) / max(np.sum(same[i]) - 1, 1)
        outside = min(np.mean(distances[i][labels == k]) for k in range(3) if k != labels[i])
        scores.append((outside - inside) / max(inside, outside))
    return labels, sizes, cut, np.mean(scores), values[:4], np.sort(embedded.sum(axis=0))


# ---- control of a heated rod ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rod:
    """A rod in implicit steps of time."""

    n: int
    conductivity: np.ndarray
    dt: float

    def matrix(self):
        h2 = (1.0 / (self.n + 1)) ** 2
        between = 0.5 * (self.conductivity[1:] + self.conductivity[:-1])
        ends = np.concatenate((self.conductivity[:1], between, self.conductivity[-1:]))
        A = np.diag((ends[1:] + ends[:-1]) / h2)
        A -= np.diag(between / h2, 1) + np.diag(between / h2, -1)
        return np.eye(self.n) + self.dt * A

    def march(self, u, source, control, lu):
        path = [u]
        for amount in control:
            u = scipy.linalg.lu_solve(lu, u + self.dt * amount * source)
            path.append(u)
        return np.stack(path)


@program(lambda r: (0.5 * r.normal(size=5), 1.0 + 0.2 * r.random(7), r.normal(size=7), 0.01), (0, 1, 2))
def optimal_control(control, conductivity, target, price):
    """The objective of heating to a target, its gradient by the adjoint equation, and a step of a line search with it."""
    n = len(conductivity)
    rod = Rod(n, conductivity, 0.02)
    M = rod.matrix()
    lu = scipy.linalg.lu_factor(M)
    source = np.exp(-20.0 * (np.linspace(0, 1, n + 2)[1:-1] - 0.3) ** 2)

    def objective(c):
        final = rod.march(np.zeros(n), source, c, lu)[-1]
        return 0.5 * np.sum((final - target) ** 2) / n + 0.5 * price * c @ c

    final = rod.march(np.zeros(n), source, control, lu)[-1]
    p, slope = (final - target) / n, np.zeros_like(control)
    for k in range(len(control) - 1, -1, -1):
        p = scipy.linalg.lu_solve(lu, p, trans=1)
        slope[k] = rod.dt * source @ p + price * control[k]
    best = scipy.optimize.minimize_scalar(lambda s: objective(control - s * slope), bracket=(0.0, 1.0))
    return objective(control), slope, best.fun


# ---- agents on a grid ---------------------------------------------------------------------------------------------------------------------


class State(enum.Enum):
    """Of an agent."""

    SUSCEPTIBLE = 0
    INFECTED = 1
    RECOVERED = 2


RULES = {"infection": 0.6, "recovery": 3}
MOVES = np.array([(0, 1), (1, 0), (0, -1), (-1, 0)])


@program(lambda r: (r.integers(0, 4, size=(6, 2)), 0.7, np.random.RandomState(3)))
def epidemic(places, contact, rng):
    """Agents that walk on a torus and infect whom they meet: counts by day and state, and how often each place was visited."""
    size, infected = 4, np.zeros(6, bool)
    row, column, days = places[:, 0].copy(), places[:, 1].copy(), np.zeros(6, int)
    recovered = np.zeros(6, bool)
    infected[0] = True
    visits = np.zeros((size, size), int)
    history = {state.name: [] for state in State}
    for _ in range(5):
        for k in range(len(row)):
            down, right = MOVES[rng.randint(4)]
            row[k], column[k] = (row[k] + down) % size, (column[k] + right) % size
            visits[row[k], column[k]] += 1
        caught = infected.copy()
        for i in range(len(row)):
            if not infected[i]:
                continue
            for j in range(len(row)):
                if infected[j] or recovered[j] or row[i] != row[j] or column[i] != column[j]:
                    continue
                if rng.uniform() < RULES["infection"] * contact:
                    caught[j] = True
            days[i] += 1
            if days[i] >= RULES["recovery"]:
                caught[i], recovered[i] = False, True
        infected = caught
        for state, count in ((State.INFECTED, infected.sum()), (State.RECOVERED, recovered.sum()), (State.SUSCEPTIBLE, np.sum(~infected & ~recovered))):
            history[state.name].append(count)
    return {name: np.array(counts) for name, counts in history.items()}, visits, max(history, key=lambda name: name)
