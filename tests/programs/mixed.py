"""Longer programs that mix everything: nested control flow, stores on some paths, buffers that are swapped, indices that are computed."""
import numpy as np

from programs.case import Case, dominant, spd


def floyd_warshall(D):
    """All shortest paths, min-plus in place."""
    n = D.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                through = D[i, k] + D[k, j]
                if through < D[i, j]:
                    D[i, j] = through
    return np.sum(D)


def time_warping(a, b):
    """Dynamic time warping."""
    n, m = len(a), len(b)
    D = np.full((n + 1, m + 1), np.inf)
    D[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost = (a[i - 1] - b[j - 1]) ** 2
            D[i, j] = cost + min(D[i - 1, j], D[i, j - 1], D[i - 1, j - 1])
    return D[n, m]


def kalman(zs, F, H, Q, R):
    """A Kalman filter with matrices and a scalar measurement; returns the log-likelihood."""
    n = F.shape[0]
    x = np.zeros(n)
    P = np.eye(n)
    total = 0.0
    for z in zs:
        x = F @ x
        P = F @ P @ F.T + Q
        S = H @ P @ H + R
        K = P @ H / S
        y = z - H @ x
        x = x + K * y
        P = P - np.outer(K, H @ P)
        total -= 0.5 * (np.log(S) + y * y / S)
    return total


def sor(A, b, omega, tol):
    """Successive over-relaxation until the change is small: a while around in-place sweeps."""
    n = len(b)
    x = np.zeros(n)
    change = 1.0
    sweeps = 0
    while change > tol:
        change = 0.0
        for i in range(n):
            s = b[i]
            for j in range(n):
                if j != i:
                    s -= A[i, j] * x[j]
            new = (1.0 - omega) * x[i] + omega * s / A[i, i]
            change = max(change, abs(new - x[i]))
            x[i] = new
        sweeps += 1
    return x, sweeps


def nested_while(x, limit):
    """A while inside a for inside a while, arrays written on the way, with breaks at two levels."""
    trail = np.zeros(len(x))
    rounds = 0
    while rounds < 4:
        for i in range(len(x)):
            v = x[i]
            while v > limit:
                v = 0.6 * v - 0.1
            trail[i] += v * v
            if trail[i] > 3.0 * limit:
                break
            x[i] = 1.2 * x[i] + 0.05 * trail[i]
        if np.sum(trail) > 10.0 * limit:
            break
        rounds += 1
    return np.sum(trail) + x[0]


def odd_even(x, y, n):
    """Buffers change places under a condition; both are written afterwards."""
    a = x.copy()
    b = np.empty_like(a)
    b[:] = y
    for k in range(n):
        for i in range(1, len(a)):
            b[i] = 0.5 * (a[i] + a[i - 1]) * b[i]
        if k % 3 != 1:
            a, b = b, a
        a[0] += b[-1]
    return a - 2.0 * b


def computed_indices(x, index, n):
    """Indices read from an array that changes while it is used."""
    order = index.copy()
    out = x.copy()
    for k in range(n):
        i = order[k % len(order)]
        j = order[(k + 1) % len(order)]
        out[i] += 0.5 * out[j] * out[j]
        out[j], out[i] = out[i], out[j]
        order[k % len(order)] = (i + j) % len(x)
    return out


def helper_step(state, force, dt):
    """Changes its argument and returns a number."""
    state[1] += dt * force
    state[0] += dt * state[1]
    return state[0] * state[0]


def helpers_in_loops(state, forces, dt):
    """A helper that updates an array, called in a nest, its result used in a branch."""
    total = 0.0
    for i in range(forces.shape[0]):
        for j in range(forces.shape[1]):
            energy = helper_step(state, forces[i, j], dt)
            if energy > 0.5:
                state *= 0.9
                total += energy
            else:
                total -= 0.1 * energy
    return total


def power_series(A, n):
    """An array that is replaced in each trip, and one that is updated."""
    P = A
    S = np.zeros_like(A)
    for k in range(n):
        S += P / (k + 1.0)
        P = P @ A
        P[0, :] *= 0.5
    return S


def block_cholesky(A, size):
    """Blocked steps with computed slices."""
    n = A.shape[0]
    for k in range(0, n, size):
        end = min(k + size, n)
        for j in range(k, end):
            A[j, j] = np.sqrt(A[j, j] - np.sum(A[j, k:j] ** 2))
            for i in range(j + 1, n):
                A[i, j] = (A[i, j] - np.dot(A[i, k:j], A[j, k:j])) / A[j, j]
        if end < n:
            A[end:, end:] -= A[end:, k:end] @ A[end:, k:end].T
    return np.sum(np.log(np.diag(A)))


def lu_fancy(A, b):
    """LU with row swaps by integer arrays, then two triangular solves, reusing b."""
    A = A.copy()
    n = len(b)
    x = b.copy()
    for k in range(n):
        p = k + np.argmax(np.abs(A[k:, k]))
        if p != k:
            A[[k, p]] = A[[p, k]]
            x[[k, p]] = x[[p, k]]
        for i in range(k + 1, n):
            f = A[i, k] / A[k, k]
            A[i, k:] -= f * A[k, k:]
            x[i] -= f * x[k]
    for i in range(n - 1, -1, -1):
        x[i] = (x[i] - A[i, i + 1:] @ x[i + 1:]) / A[i, i]
    return x


def running_max(x):
    """The largest so far and where it was."""
    best = x[0]
    where = 0
    out = np.empty_like(x)
    for i in range(len(x)):
        if x[i] > best:
            best = x[i]
            where = i
        out[i] = best * (i - where + 1)
    return out


def cumulative_product(x):
    """Prefix products in place, and their ratio: values are needed after they are overwritten."""
    for i in range(1, len(x)):
        x[i] = x[i] * x[i - 1]
    s = 0.0
    for i in range(len(x) - 1, 0, -1):
        s += x[i] / x[i - 1] ** 2
        x[i - 1] = s
    return s + x[0]


def reaction_diffusion(u, v, steps, F, k):
    """Gray-Scott with roll by concatenation and slices on 2-D arrays."""
    u = u.copy()
    v = v.copy()
    for _ in range(steps):
        lu = -4 * u
        lu[1:, :] += u[:-1, :]
        lu[:-1, :] += u[1:, :]
        lu[:, 1:] += u[:, :-1]
        lu[:, :-1] += u[:, 1:]
        reaction = u * v * v
        u += 0.1 * lu - reaction + F * (1 - u)
        v += reaction - (F + k) * v
    return np.mean(v), u


def skip_connections(xs, weights):
    """A list of results that later steps look back at (static), with branches on the position."""
    states = [xs]
    for i in range(len(weights)):
        h = np.tanh(weights[i] @ states[-1])
        if i % 2 == 1:
            h = h + states[i - 1]
        states.append(h)
    return np.sum(states[-1]) + np.sum(states[1] * states[0])


def dropout_like(x, mask, n):
    """continue with arrays partly written."""
    total = np.zeros(3)
    for t in range(n):
        x[t % len(x)] *= 1.1
        if mask[t % len(mask)] == 0:
            continue
        total[t % 3] += x[t % len(x)] ** 2
        if total[t % 3] > 4.0:
            total[t % 3] = 0.0
            continue
        x[0] -= 0.01 * total[t % 3]
    return total, x


def simplex_projection(v):
    """Sort by insertion, search for the threshold, project (Duchi et al. 2008)."""
    u = v.copy()
    for i in range(1, len(u)):
        j = i
        while j > 0 and u[j] > u[j - 1]:
            u[j], u[j - 1] = u[j - 1], u[j]
            j -= 1
    theta = 0.0
    acc = 0.0
    for j in range(len(u)):
        acc += u[j]
        t = (acc - 1.0) / (j + 1)
        if u[j] - t > 0:
            theta = t
    return np.maximum(v - theta, 0.0)


def spline_second_derivatives(x, y):
    """Natural cubic spline: a tridiagonal system built and solved in one pass forth and one back."""
    n = len(x)
    y2 = np.zeros(n)
    u = np.zeros(n)
    for i in range(1, n - 1):
        sig = (x[i] - x[i - 1]) / (x[i + 1] - x[i - 1])
        p = sig * y2[i - 1] + 2.0
        y2[i] = (sig - 1.0) / p
        u[i] = (y[i + 1] - y[i]) / (x[i + 1] - x[i]) - (y[i] - y[i - 1]) / (x[i] - x[i - 1])
        u[i] = (6.0 * u[i] / (x[i + 1] - x[i - 1]) - sig * u[i - 1]) / p
    for k in range(n - 2, -1, -1):
        y2[k] = y2[k] * y2[k + 1] + u[k]
    return y2


def gru_batch(params, xs, lengths):
    """A GRU over sequences of different lengths: the inner loop's trips are read from an array."""
    Wz, Wr, Wh = params
    n = Wz.shape[0]
    out = np.zeros((xs.shape[0], n))
    for b in range(xs.shape[0]):
        h = np.zeros(n)
        for t in range(lengths[b]):
            joined = np.concatenate([h, xs[b, t]])
            z = 1.0 / (1.0 + np.exp(-(Wz @ joined)))
            r = 1.0 / (1.0 + np.exp(-(Wr @ joined)))
            candidate = np.tanh(Wh @ np.concatenate([r * h, xs[b, t]]))
            h = (1.0 - z) * h + z * candidate
        out[b] = h
    return out


def line_search(x, step):
    """Gradient descent on Rosenbrock with backtracking: while inside for, scalars only."""
    a, b = x[0], x[1]
    for _ in range(5):
        f = (1 - a) ** 2 + 10 * (b - a * a) ** 2
        ga = -2 * (1 - a) - 40 * a * (b - a * a)
        gb = 20 * (b - a * a)
        t = step
        while True:
            na, nb = a - t * ga, b - t * gb
            if (1 - na) ** 2 + 10 * (nb - na * na) ** 2 <= f - 0.3 * t * (ga * ga + gb * gb):
                break
            t *= 0.5
        a, b = na, nb
    return (1 - a) ** 2 + 10 * (b - a * a) ** 2


CASES = (
    Case(floyd_warshall, lambda rng: (rng.random((5, 5)) + 0.1,), wrt=(0,)),
    Case(time_warping, lambda rng: (rng.normal(size=5), rng.normal(size=4)), wrt=(0, 1)),
    Case(kalman, lambda rng: (rng.normal(size=5), dominant(rng, 3) / 4, rng.normal(size=3), spd(rng, 3) / 5, 0.3), wrt=(0, 1, 2, 3, 4)),
    Case(sor, lambda rng: (dominant(rng, 4) + 4 * np.eye(4), rng.normal(size=4), 1.1, 1e-13), wrt=(0, 1)),
    Case(nested_while, lambda rng: (1.0 + rng.random(5), 1.3), wrt=(0,)),
    Case(odd_even, lambda rng: (rng.normal(size=4), rng.normal(size=4), 7), wrt=(0, 1), more=(lambda rng: (rng.normal(size=4), rng.normal(size=4), 0),)),
    Case(computed_indices, lambda rng: (0.5 * rng.normal(size=5), np.array([0, 3, 1, 4]), 6), wrt=(0,)),
    Case(helpers_in_loops, lambda rng: (rng.normal(size=2), rng.normal(size=(3, 4)), 0.3), wrt=(0, 1, 2)),
    Case(power_series, lambda rng: (0.4 * rng.normal(size=(3, 3)), 4), wrt=(0,), more=(lambda rng: (rng.normal(size=(3, 3)), 0),)),
    Case(block_cholesky, lambda rng: (spd(rng, 7), 3), wrt=(0,)),
    Case(lu_fancy, lambda rng: (rng.normal(size=(4, 4)), rng.normal(size=4)), wrt=(0, 1)),
    Case(running_max, lambda rng: (rng.normal(size=8),), wrt=(0,)),
    Case(cumulative_product, lambda rng: (1.0 + rng.random(6),), wrt=(0,)),
    Case(reaction_diffusion, lambda rng: (rng.random((4, 5)), rng.random((4, 5)), 3, 0.04, 0.06), wrt=(0, 1, 3, 4)),
    Case(skip_connections, lambda rng: (rng.normal(size=3), [rng.normal(size=(3, 3)) for _ in range(4)]), wrt=(0, 1)),
    Case(dropout_like, lambda rng: (1.0 + rng.random(4), np.array([1, 0, 1]), 10), wrt=(0,)),
    Case(simplex_projection, lambda rng: (rng.normal(size=6),), wrt=(0,)),
    Case(spline_second_derivatives, lambda rng: (np.arange(6) + 0.3 * rng.random(6), rng.normal(size=6)), wrt=(0, 1)),
    Case(gru_batch, lambda rng: (tuple(rng.normal(size=(2, 5)) for _ in range(3)), rng.normal(size=(3, 4, 3)), np.array([4, 2, 0])), wrt=(0, 1)),
    Case(line_search, lambda rng: (np.array([-0.6, 0.9]), 0.3), wrt=(0,)),
)
