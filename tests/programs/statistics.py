"""Likelihoods, clustering, dynamic programs, counts."""
import math

import numpy as np

from programs.case import Case


def logsumexp(x):
    """Stable log of a sum of exponentials."""
    m = np.max(x)
    return m + np.log(np.sum(np.exp(x - m)))


def gmm_log_likelihood(log_weights, means, log_scales, data):
    """A mixture of spherical Gaussians; a helper on a small work array."""
    n, d = data.shape
    k = means.shape[0]
    total = 0.0
    work = np.empty(k)
    norm = logsumexp(log_weights)
    for i in range(n):
        for c in range(k):
            diff = (data[i] - means[c]) * np.exp(-log_scales[c])
            work[c] = log_weights[c] - norm - d * log_scales[c] - 0.5 * np.dot(diff, diff)
        total += logsumexp(work)
    return total - 0.5 * n * d * math.log(2 * math.pi)


def kmeans_objective(points, centres):
    """The sum of squared distances to the nearest centre, by broadcasting."""
    diff = points[:, None, :] - centres[None, :, :]
    return np.sum(np.min(np.sum(diff ** 2, axis=2), axis=1))


def kmeans_assign(points, centres):
    """The nearest centre of each point and the counts, in loops."""
    labels = np.zeros(len(points), dtype=np.int64)
    counts = np.zeros(len(centres), dtype=np.int64)
    for i in range(len(points)):
        best = np.inf
        for c in range(len(centres)):
            dist = np.sum((points[i] - centres[c]) ** 2)
            if dist < best:
                best = dist
                labels[i] = c
        counts[labels[i]] += 1
    return labels, counts


def hmm_forward(log_start, log_trans, log_emit, observations):
    """The forward algorithm in log space, two buffers."""
    k = log_start.shape[0]
    alpha = log_start + log_emit[:, observations[0]]
    for t in range(1, len(observations)):
        nxt = np.empty(k)
        for j in range(k):
            nxt[j] = logsumexp(alpha + log_trans[:, j]) + log_emit[j, observations[t]]
        alpha = nxt
    return logsumexp(alpha)


def viterbi(cost, switch):
    """Min-plus dynamic program: the cheapest path's cost and the path, traced back over an integer table."""
    steps, states = cost.shape
    best = cost[0].copy()
    back = np.zeros((steps, states), dtype=np.int64)
    for t in range(1, steps):
        new = np.empty(states)
        for j in range(states):
            low = best[0] + switch[0, j]
            arg = 0
            for i in range(1, states):
                candidate = best[i] + switch[i, j]
                if candidate < low:
                    low, arg = candidate, i
            new[j] = low + cost[t, j]
            back[t, j] = arg
        best = new
    path = np.zeros(steps, dtype=np.int64)
    path[steps - 1] = np.argmin(best)
    for t in range(steps - 1, 0, -1):
        path[t - 1] = back[t, path[t]]
    return np.min(best), path


def prefix_sums(x):
    """A running sum in place."""
    for i in range(1, len(x)):
        x[i] += x[i - 1]
    return x


def histogram(x, lo, hi, bins):
    """Weighted counts by computed integer index; outliers are skipped."""
    counts = np.zeros(bins)
    for value in x:
        if not lo <= value < hi:
            continue
        k = int((value - lo) / (hi - lo) * bins)
        counts[k] += value
    return counts


def scatter_add(values, index, n):
    """Values added up by an integer index array."""
    out = np.zeros(n)
    for i in range(len(index)):
        out[index[i]] += values[i] * values[i]
    return out


def welford(x):
    """Running mean and variance on scalars."""
    mean = 0.0
    m2 = 0.0
    count = 0
    for value in x:
        count += 1
        delta = value - mean
        mean += delta / count
        m2 += delta * (value - mean)
    return mean, m2 / (count - 1)


def ewma(x, alpha):
    """An exponentially weighted moving average."""
    out = np.empty_like(x)
    out[0] = x[0]
    for i in range(1, x.shape[0]):
        out[i] = alpha * x[i] + (1 - alpha) * out[i - 1]
    return out


def insertion_sort(x):
    """Sorting in place: the derivative is a permutation."""
    for i in range(1, len(x)):
        key = x[i]
        j = i - 1
        while j >= 0 and x[j] > key:
            x[j + 1] = x[j]
            j -= 1
        x[j + 1] = key
    return x


def edit_distance(a, b):
    """Levenshtein's table of ints."""
    n, m = len(a), len(b)
    table = np.zeros((n + 1, m + 1), dtype=np.int64)
    for i in range(n + 1):
        table[i, 0] = i
    for j in range(m + 1):
        table[0, j] = j
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            change = 0 if a[i - 1] == b[j - 1] else 1
            table[i, j] = min(table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + change)
    return table[n, m]


def sieve(n):
    """Primes below n as a mask of bools, with a strided slice store."""
    is_prime = np.ones(n, dtype=np.bool_)
    is_prime[:2] = False
    i = 2
    while i * i < n:
        if is_prime[i]:
            is_prime[i * i::i] = False
        i += 1
    return is_prime


def bilinear(image, x, y):
    """Interpolation with floor and int."""
    i = int(np.floor(y))
    j = int(np.floor(x))
    fy = y - i
    fx = x - j
    top = image[i, j] * (1 - fx) + image[i, j + 1] * fx
    bottom = image[i + 1, j] * (1 - fx) + image[i + 1, j + 1] * fx
    return top * (1 - fy) + bottom * fy


CASES = (
    Case(logsumexp, lambda rng: (rng.normal(size=6),), wrt=(0,), fails=((lambda rng: (rng.normal(size=0),), ValueError),)),
    Case(gmm_log_likelihood, lambda rng: (rng.normal(size=3), rng.normal(size=(3, 2)), 0.3 * rng.normal(size=3), rng.normal(size=(5, 2))), wrt=(0, 1, 2, 3)),
    Case(kmeans_objective, lambda rng: (rng.normal(size=(7, 2)), rng.normal(size=(3, 2))), wrt=(0, 1),
         more=(lambda rng: (rng.normal(size=(1, 2)), rng.normal(size=(3, 2))),)),
    Case(kmeans_assign, lambda rng: (rng.normal(size=(7, 2)), rng.normal(size=(3, 2)))),
    Case(hmm_forward, lambda rng: (rng.normal(size=3), rng.normal(size=(3, 3)), rng.normal(size=(3, 4)), rng.integers(0, 4, size=6)), wrt=(0, 1, 2)),
    Case(viterbi, lambda rng: (rng.random((6, 4)), rng.random((4, 4)))),
    Case(prefix_sums, lambda rng: (rng.normal(size=6),), wrt=(0,), more=(lambda rng: (rng.normal(size=0),),)),
    Case(prefix_sums, lambda rng: (rng.integers(-5, 5, size=6),), name="prefix_sums_i8"),
    Case(histogram, lambda rng: (rng.uniform(-0.2, 1.2, size=12), 0.0, 1.0, 5), wrt=(0,)),
    Case(scatter_add, lambda rng: (rng.normal(size=8), rng.integers(0, 4, size=8), 4), wrt=(0,),
         fails=((lambda rng: (rng.normal(size=2), np.array([1, 4]), 4), IndexError),)),
    Case(welford, lambda rng: (rng.normal(size=7),), wrt=(0,)),
    Case(ewma, lambda rng: (rng.normal(size=7), 0.3), wrt=(0, 1), fails=((lambda rng: (np.array([]), 0.3), IndexError),)),
    Case(insertion_sort, lambda rng: (rng.normal(size=7),), wrt=(0,)),
    Case(edit_distance, lambda rng: (rng.integers(0, 3, size=6), rng.integers(0, 3, size=5))),
    Case(sieve, lambda rng: (30,), more=(lambda rng: (7,),)),
    Case(bilinear, lambda rng: (rng.normal(size=(5, 6)), 2.3, 1.6), wrt=(0, 1, 2), fails=((lambda rng: (rng.normal(size=(5, 6)), 9.3, 1.6), IndexError),)),
)
